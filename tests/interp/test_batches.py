"""Loops run in batches mean what they mean one iteration at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
def counted(recorded: Any) -> list[int]:
    """Iterations of every batch that ran to its end."""
    return recorded(batches, lambda _, args: len(args[4]))


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
    """A reader that certainly takes what is sent makes room for more than the channel holds; one that ends does not."""
    _units(12, 12)
    assert max(counted) > 4
    with pytest.raises(HeadraceError, match=r"deadlock: 1 of 2 units.*depth 4"):
        _units(12, 5)


def test_a_bad_access_is_reported_where_it_is() -> None:
    with pytest.raises(HeadraceError, match=r"touches indices \[16\]"):
        _units(14, 14)


UNIT = """
  dataflow.program_unit iter_arg : %u -> (%u{me}) : {{
    %v = dataflow.get_logical_memory_view %hbm, %c0 {{headrace.start_unit = "byte",
      layout_map = affine_map<(i) -> (i)>}} : index, index, memref<256xf32>
    %one = vectorchain.constant_bitstream {{value = [0x3F80000{me}]}} : vector<1xf32>
    %start = vectorchain.shuffle input(%one) {{indices = [0 : i32], repetition = 4 : i32}} :
      vector<1xf32>, vector<4xf32>
{loops}
  }}
"""
LOOP = """
    scf.for %o{k} = %c0 to %n{outer} step %c1 {{
    %r{k}:2 = scf.for %i = %c0 to %n{count} step %c1 iter_args(%p0 = %start, %p1 = %start)
        -> (vector<4xf32>, vector<4xf32>) {{
{body}
      scf.yield {handed} : vector<4xf32>, vector<4xf32>
    }}
    agen.vector_store %r{k}#0, %v[%n{place}] {{store_order = affine_map<(i) -> (i)>,
      store_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>}} : memref<256xf32>, vector<4xf32>
    }}
"""
LOAD = """      %{name} = agen.vector_load %v[%i] {{load_order = affine_map<(i) -> (i)>,
        load_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>}} : memref<256xf32>, vector<4xf32>"""
ADD = """      %{name} = vectorchain.binary %{a}, %{b} {{binary_op = #vectorchain<binary_operator add>,
        op_specific_map = affine_map<(i) -> (i)>}} : vector<4xf32>, vector<4xf32>, vector<4xf32>"""


Event = tuple[str, int]


@st.composite
def _body(draw: st.DrawFn, events: list[Event]) -> tuple[str, str]:
    """Sends and receives of vectors in an order, loads and sums between them, and what an iteration hands on."""
    known, lines = ["p0", "p1"], []
    extra = draw(st.lists(st.sampled_from([("load", 0), ("add", 0)]), max_size=2))
    for k, (kind, peer) in enumerate([*extra, *events]):
        name = f"w{k}"
        if kind == "send":
            lines.append(f"      dataflow.send %u{peer}, %{draw(st.sampled_from(known))} : vector<4xf32>")
            continue
        if kind == "add":
            lines.append(ADD.format(name=name, a=draw(st.sampled_from(known)), b=draw(st.sampled_from(known))))
        elif kind == "load":
            lines.append(LOAD.format(name=name))
        else:
            lines.append(f"      %{name} = dataflow.receive %u{peer} : vector<4xf32>")
        known.append(name)
    return "\n".join(lines), ", ".join(f"%{draw(st.sampled_from(known))}" for _ in range(2))


@st.composite
def networks(draw: st.DrawFn) -> str:
    """Two or three units that run loops of sends and receives: some fit each other, others hang or leave items."""
    units = draw(st.integers(2, 3))
    head = ["func.func @k(%a: index) attributes {grid = [1]} {", "  %c0 = arith.constant 0 : index"]
    head += ["  %c1 = arith.constant 1 : index"]
    head += [f"  %n{n} = arith.constant {n} : index" for n in [*range(1, 41), *range(100, 200, 4)]]
    unit = '  %u{u} = dataflow.get_unit {{core = 0 : i32, name = "u{u}", type = "sfu"}} : index'
    head += [unit.format(u=u) for u in range(units)]
    head += ['  %hbm = dataflow.get_unit {name = "hbm", type = "hbm"} : index']
    place, loops = 100, ["" for _ in range(units)]
    ways = [(a, b) for a in range(units) for b in range(units) if a != b]
    for k in range(draw(st.integers(1, 2))):
        count, outer = draw(st.integers(1, 40)), draw(st.integers(1, 3))
        messages = draw(st.lists(st.sampled_from(ways), min_size=1, max_size=4))
        for me in range(units):
            events = [("send", b) if a == me else ("receive", a) for a, b in messages if me in (a, b)]
            if draw(st.integers(0, 5)) == 0:  # a mistake
                events = draw(st.permutations(events)) if draw(st.booleans()) else events[1:]
            n = count if draw(st.integers(0, 9)) else draw(st.integers(1, 40))
            body, handed = draw(_body(events))
            loops[me] += LOOP.format(k=k, count=n, body=body, handed=handed, place=place, outer=outer)
            place += 4
    head += [UNIT.format(me=me, loops=loops[me]) for me in range(units)]
    return "\n".join([*head, "  return", "}"])


def outcome(text: str) -> tuple[str, bytes]:
    """What a network says when it ends or cannot go on, and the memory after that."""
    from headrace.numerics import dtypes

    memory = Memory()
    memory.add("a", 0, np.arange(256, dtype=np.float32), dtypes.get("f32"))
    try:
        said = str(run_dataflow(parse_module(text), {"a": 0}, memory, Facts()).sends)  # type: ignore[arg-type]
    except HeadraceError as e:
        said = str(e)
    return said, memory.main.buffers[0].data.tobytes()


@given(networks())
@settings(max_examples=60, deadline=None)
def test_networks_end_or_hang_alike(text: str) -> None:
    """Kahn: what a network of units with bounded channels does, and where it stops, depends on no order."""
    together = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "plan_of", lambda *_: None)
        assert outcome(text) == together
