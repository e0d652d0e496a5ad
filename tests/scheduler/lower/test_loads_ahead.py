"""Which loads of a unit program are done one iteration ahead."""

from __future__ import annotations

import pytest

from headrace.ir.text import parse_module
from headrace.scheduler.build import walk_ops
from headrace.scheduler.lower.loads_ahead import load_ahead

PROGRAM = """
#id = affine_map<(d0) -> (d0)>
#one = affine_set<(d0) : (d0 == 0)>
module {{
  func.func @f() {{
    %c0 = arith.constant 0 : index
    %lower = arith.constant 1 : index
    %upper = arith.constant {upper} : index
    %step = arith.constant 3 : index
    %unit = dataflow.get_unit {{headrace.kind = "L1LU", name = "l1lu", type = "l1lu"}} : index
    %to = dataflow.get_unit {{headrace.kind = "SFU", name = "sfu", type = "sfu"}} : index
    %l1 = dataflow.get_unit {{headrace.kind = "L1", name = "l1", type = "l1"}} : index
    dataflow.program_unit iter_arg : %me -> (%unit) : {{
      %x = dataflow.get_logical_memory_view %l1, %c0 {{headrace.start_unit = "byte", layout_map = #id}} : index, index, memref<64xf16>
      scf.for %i = %lower to %upper step %step {{
        {body}
      }}
    }}
    return
  }}
}}
"""  # noqa: E501
LOAD = "%s = agen.vector_load %x[{at}] {{load_order = #id, load_set = #one}} : memref<64xf16>, vector<1xf16>\n"
SPREAD = """
        %w = vectorchain.shuffle input(%s) {indices = [0 : i32], repetition = 64 : i32}
          : vector<1xf16>, vector<64xf16>
        dataflow.send %to, %w : vector<64xf16>
"""


def carried(body: str, upper: int = 12) -> list[int]:
    """The constants of the limits of what is loaded ahead."""
    module = parse_module(PROGRAM.format(upper=upper, body=body))
    (program,) = walk_ops(module, "dataflow.program_unit")
    load_ahead(program)
    module.verify()
    return [
        op.operands[1].owner.properties["value"].value.data  # type: ignore[union-attr]
        for op in walk_ops(program, "arith.minsi")
    ]


def test_the_last_iteration_loads_its_own_element_again() -> None:
    """From 1 in steps of 3 below 12: 1, 4, 7, 10."""
    assert carried(LOAD.format(at="%i") + SPREAD) == [10]


def test_a_single_iteration_has_nothing_ahead() -> None:
    assert carried(LOAD.format(at="%i") + SPREAD, 4) == []


@pytest.mark.parametrize(
    "body",
    [
        LOAD.format(at="%i") + SPREAD + "dataflow.send %to, %s : vector<1xf16>",
        "%j = arith.addi %i, %step : index\n" + LOAD.format(at="%i + %j") + SPREAD,
        LOAD.format(at="%step") + SPREAD,
    ],
    ids=["used as it is too", "at a place computed in the loop", "always the same"],
)
def test_other_loads_stay(body: str) -> None:
    assert carried(body) == []
