"""Loops run in batches mean what they mean one iteration at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace import api
from headrace.check import data
from headrace.interp import batches
from headrace.interp.buffers import find_buffers
from headrace.interp.dataflow import run_dataflow
from headrace.interp.memory import Memory
from headrace.interp.placement import place
from headrace.interp.schedule import run_schedule
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module

CORPUS = Path(__file__).parents[1] / "corpus"
CASES = [
    ("llm/vecmat", "sample"), ("llm/vecmat", "tri"), ("reductions/row_sum_i32", "sample"),
    ("reductions/softmax", "tri"),
    ("triton/silu_and_mul", "sample"), ("tensors/pad_columns", "tri"), ("llm/matmul_f16_f32", "sample"),
]  # fmt: skip


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Iterations of every batch that ran to its end."""
    found: list[int] = []
    inner = batches._run

    def run(*args: Any) -> Any:
        result = inner(*args)
        found.append(len(args[4]))
        return result

    monkeypatch.setattr(batches, "_run", run)
    return found


def _both(memory: Memory, execute: Callable[[Memory], Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Memory, Memory]:
    together, single = memory.copy(), memory.copy()
    execute(together)
    with monkeypatch.context() as patch:
        patch.setattr(batches, "plan_of", lambda *_: None)
        execute(single)
    return together, single


@pytest.mark.parametrize(("kernel", "device"), CASES)
def test_same_bytes(kernel: str, device: str, counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    program = api.compile(CORPUS / f"{kernel}.mlir", device)
    buffers = find_buffers(program.ktir, program.name, {})
    memory, args = place(buffers, data.fill(buffers.buffers, {}, 3))
    architecture = api.open_architecture(device)

    def schedule(m: Memory) -> None:
        run_schedule(program.schedule, args, m, program.name, device=architecture)

    def dataflow(m: Memory) -> None:
        run_dataflow(program.dataflow, args, m, architecture, program.name)

    for execute in (schedule, dataflow):
        together, single = _both(memory, execute, monkeypatch)
        for a, b in zip(together.main.buffers, single.main.buffers, strict=True):
            np.testing.assert_array_equal(a.data, b.data, err_msg=a.name)
    assert sum(counted) > 4


UNITS = """
func.func @k(%a: index) attributes {{grid = [1]}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  %m = arith.constant {m} : index
  %x = dataflow.get_unit {{core = 0 : i32, name = "x", type = "mnilu"}} : index
  %y = dataflow.get_unit {{core = 0 : i32, name = "y", type = "sfu"}} : index
  %hbm = dataflow.get_unit {{name = "hbm", type = "hbm"}} : index
  dataflow.program_unit iter_arg : %u -> (%x) : {{
    %v = dataflow.get_logical_memory_view %hbm, %c0 {{headrace.start_unit = "byte",
      layout_map = affine_map<(i) -> (i)>}} : index, index, memref<64xf32>
    scf.for %i = %c0 to %n step %c1 {{
      %w = agen.vector_load %v[%i] {{load_order = affine_map<(i) -> (i)>,
        load_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>}} : memref<64xf32>, vector<4xf32>
      dataflow.send %y, %w : vector<4xf32>
    }}
  }}
  dataflow.program_unit iter_arg : %u -> (%y) : {{
    scf.for %i = %c0 to %m step %c1 {{
      %w = dataflow.receive %x : vector<4xf32>
    }}
  }}
  return
}}
"""


class Facts:
    """FIFOs of depth 4."""

    memories = ("hbm",)

    def word_size(self, unit_kind: str, memory_kind: str) -> int:
        return 1

    def memory_level(self, kind: str) -> int:
        return 0

    def queue_depth(self, source: str, target: str) -> int:
        return 4


def _units(n: int, m: int) -> None:
    from headrace.numerics import dtypes

    memory = Memory()
    memory.add("a", 0, np.arange(16, dtype=np.float32), dtypes.get("f32"))
    run_dataflow(parse_module(UNITS.format(n=n, m=m)), {"a": 0}, memory, Facts())  # type: ignore[arg-type]


def test_batches_respect_the_depth_of_channels(counted: list[int]) -> None:
    _units(12, 12)
    assert max(counted) == 4
    with pytest.raises(HeadraceError, match=r"deadlock: 1 of 2 units.*depth 4"):
        _units(12, 5)


def test_a_bad_access_is_reported_where_it_is() -> None:
    with pytest.raises(HeadraceError, match=r"touches indices \[16\]"):
        _units(14, 14)
