"""Ranges of index values over the tiles of a grid and the iterations of loops."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.ir import SSAValue

from headrace.ir.text import parse_module
from headrace.scheduler.build import walk_ops
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.ranges import range_of, range_of_form

KERNEL = """
module {
  func.func @k(%arg: index, %bound: !ktdp.runtime_arg<index, upperbound=100>) attributes {grid = [3, 5]} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c11 = arith.constant 11 : index
    %m1 = arith.constant -1 : index
    %n = ktdp.runtime_arg_extract value from %bound : <index, upperbound=100> -> index
    %p:2 = ktdp.get_compute_tile_id : index, index
    scf.for %i = %c2 to %c11 step %c4 {
      scf.for %j = %c0 to %i step %c2 {
        %x = OPERATION
      }
    }
    return
  }
}
"""


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("arith.muli %p#1, %c4 : index", (0, 16)),
        ("arith.muli %p#1, %m1 : index", (-4, 0)),
        ("arith.muli %p#0, %p#1 : index", (0, 8)),
        ("arith.subi %p#0, %c4 : index", (-4, -2)),
        ("arith.addi %i, %c0 : index", (2, 10)),  # 2, 6, 10
        ("arith.addi %j, %c0 : index", (0, 8)),
        ("arith.divsi %p#1, %c2 : index", (0, 2)),
        ("arith.ceildivsi %p#1, %c3 : index", (0, 2)),  # 4 / 3, upwards
        ("arith.ceildivsi %p#1, %c4 : index", (0, 2)),
        ("arith.remui %p#1, %c3 : index", (0, 2)),
        ("arith.remsi %p#1, %c11 : index", (0, 4)),
        ("arith.minsi %i, %c4 : index", (2, 4)),
        ("arith.maxsi %arg, %c4 : index", (4, None)),
        ("arith.minsi %arg, %c4 : index", (None, 4)),
        ("arith.shli %p#0, %c2 : index", (0, 8)),
        ("arith.shrui %p#1, %c2 : index", (0, 1)),
        ("arith.andi %arg, %c3 : index", (0, 3)),
        ("arith.subi %n, %c4 : index", (-4, 96)),
        ("arith.divsi %n, %c3 : index", (0, 33)),
        ("arith.divsi %arg, %c2 : index", (None, None)),
        ("arith.divsi %m1, %c2 : index", (None, None)),  # towards zero, not down
        ("arith.divui %p#1, %arg : index", (None, None)),
        ("arith.xori %p#0, %c2 : index", (None, None)),
    ],
)
def test_range(operation: str, expected: tuple[int | None, int | None]) -> None:
    text = KERNEL.replace("OPERATION", operation)
    kernel = next(walk_ops(parse_module(text, "k.mlir", False), "func.func"))
    assert isinstance(kernel, func.FuncOp)
    value = next(op for op in walk_ops(kernel) if op.results and op.results[0].name_hint == "x").results[0]
    low, high = range_of(value)
    assert (low, high) == expected


def test_a_choice_is_either() -> None:
    choice = "%q = arith.cmpi slt, %j, %c4 : index\n%x = arith.select %q, %i, %m1 : index"
    text = KERNEL.replace("%x = OPERATION", choice)
    kernel = next(walk_ops(parse_module(text, "k", False)))
    value = next(op for op in walk_ops(kernel) if op.results and op.results[0].name_hint == "x").results[0]
    assert range_of(value) == (-1, 10)


CHUNKS = """
func.func @k() attributes {{grid = [{tiles}]}} {{
  %p = ktdp.get_compute_tile_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  %block = arith.constant {block} : index
  %start = arith.muli %p, %block : index
  %left = arith.subi %n, %start : index
  %count = arith.minsi %left, %block : index
  %end = arith.addi %start, %block : index
  %stop = arith.minsi %n, %end : index
  scf.for %i = %c0 to %count step %c1 {{
    scf.for %j = %start to %stop step %c1 {{
      scf.for %k = %i to %count step %c1 {{
        %x = arith.addi %i, %j : index
      }}
    }}
  }}
  return
}}
"""


def chunk_values(text: str) -> dict[str, SSAValue]:
    """`%p` and the variables of the loops."""
    kernel = next(walk_ops(parse_module(text, "k", False), "func.func"))
    tile = next(walk_ops(kernel, "ktdp.get_compute_tile_id")).results[0]
    loops = [op.regions[0].blocks[0].args[0] for op in walk_ops(kernel, "scf.for")]
    return dict(zip("pijk", [tile, *loops], strict=True))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({"p": 4, "i": 1}, (0, 10)),  # of the block, from its start on: not beyond the end
        ({"j": 1, "p": -4}, (0, 3)),
        ({"p": 4, "k": 1}, (0, 10)),
        ({"k": 1, "i": -1}, (0, 3)),
        ({"i": 1, "k": -1}, (-3, 0)),
        ({"p": -4, "i": -1}, (-10, 0)),
        ({"i": 1, "j": 1}, (0, 13)),
    ],
)
def test_loops_whose_bounds_belong_together(form: dict[str, int], expected: tuple[int, int]) -> None:
    values = chunk_values(CHUNKS.format(tiles=3, n=11, block=4))
    assert range_of_form(Linear(0, {values[v]: c for v, c in form.items()})) == expected


@given(
    st.tuples(st.integers(1, 4), st.integers(1, 12), st.integers(1, 5)),
    st.tuples(*[st.integers(-5, 5)] * 4),
    st.integers(-9, 9),
)
@settings(max_examples=200, deadline=None)
def test_a_range_holds_all_there_is(sizes: tuple[int, int, int], factors: tuple[int, ...], const: int) -> None:
    tiles, n, block = sizes
    values = chunk_values(CHUNKS.format(tiles=tiles, n=n, block=block))
    form = Linear(const)
    for name, c in zip("pijk", factors, strict=True):
        form = form + linear(values[name]).scaled(c)
    low, high = range_of_form(form)
    assert low is not None and high is not None
    for p in range(tiles):
        count = min(n - p * block, block)
        for i in range(count):
            for j in range(p * block, min(n, p * block + block)):
                for k in range(i, count):
                    found = const + sum(c * v for c, v in zip(factors, (p, i, j, k), strict=True))
                    assert low <= found <= high
