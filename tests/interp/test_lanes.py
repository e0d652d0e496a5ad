"""Iterations of loops around pipelines done side by side mean what they mean one after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headrace import api
from headrace.check import data
from headrace.interp import schedule_lanes
from headrace.interp.buffers import find_buffers
from headrace.interp.memory import Memory
from headrace.interp.placement import place
from headrace.interp.schedule import run_schedule
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.numerics import dtypes

CORPUS = Path(__file__).parents[1] / "corpus"
CASES = [
    ("llm/matmul_f16_f32", "sample"), ("llm/flash_causal", "sample"), ("llm/k_loop", "tri"), ("llm/matvec", "tri"),
    ("reductions/argmax_rows", "sample"), ("reductions/softmax", "sample"),
]  # fmt: skip


def contents(memory: Memory) -> dict[object, tuple[bytes, bytes]]:
    """Bytes of every memory, and which of them have been written."""
    found: dict[object, tuple[bytes, bytes]] = {b.name: (b.data.tobytes(), b"") for b in memory.main.buffers}
    for key, space in memory.privates.items():
        written = space.written.copy()
        if written.any():
            end = int(np.flatnonzero(written)[-1]) + 1
            bits = np.where(written, space.buffers[0].data, 0)[:end]
            found[key] = bits.tobytes(), written[:end].tobytes()
    return found


@pytest.fixture
def lanes(recorded: Any) -> list[int]:
    """Iterations of all loops that were to run side by side, 0 where they could not."""
    return recorded(schedule_lanes, lambda done, args: args[-1] if done else 0)


@pytest.mark.parametrize(("kernel", "device"), CASES)
def test_same_bytes_everywhere(kernel: str, device: str, lanes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    program = api.compile(CORPUS / f"{kernel}.mlir", device)
    buffers = find_buffers(program.ktir, program.name, {})
    memory, args = place(buffers, data.fill(buffers.buffers, {}, 3))
    architecture = api.open_architecture(device)

    def run() -> dict[object, tuple[bytes, bytes]]:
        mine = memory.copy()
        run_schedule(program.schedule, args, mine, program.name, device=architecture)
        return contents(mine)

    together = run()
    assert sum(lanes) > 16
    monkeypatch.setattr(schedule_lanes, "plan_of", lambda *_: None)
    assert run() == together


PIPELINE = """    ktdf.pipeline {{
      %p:4 = ktdf.private -> (!ktdf.fifo.slot<"LU" -> "SFU", 4xf32>, !ktdf.fifo.slot<"SFU" -> "SU", {out}xf32>,
                              !ktdf.token, !ktdf.token) {{
        %s = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"LU" -> "SFU", 4xf32>
        %o = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "SU", {out}xf32>
        %t = ktdf.create_token : !ktdf.token
        %u = ktdf.create_token : !ktdf.token
        ktdf.private_yield %s, %o, %t, %u : !ktdf.fifo.slot<"LU" -> "SFU", 4xf32>,
          !ktdf.fifo.slot<"SFU" -> "SU", {out}xf32>, !ktdf.token, !ktdf.token
      }}
      ktdf.stage depends_in(none) depends_out(%p#2) {{
        %l = arith.constant {loads} : index
        scf.for %j = %c0 to %l step %c1 {{
          ktdf.data_transfer from %a[%i * {load_i} + %j * {load_j} + {load}] size [4] to %p#0 size [4]
            : memref<{size}xf32>, !ktdf.fifo.slot<"LU" -> "SFU", 4xf32>
        }}
      }} {{applicable_units = ["LU"]}}
      ktdf.stage depends_in(%p#2) depends_out(%p#3) {{
        %zero = arith.constant 1.5 : f32
        %r0 = arith.constant 0 : index
        %r = builtin.unrealized_conversion_cast %r0 : index to memref<4xf32, "REG">
        {fill}
        {second}
        scf.for %j = %c0 to %m step %c1 {{
          %x = ktdf.read_from_fifo %p#0 : <"LU" -> "SFU", 4xf32> -> tensor<4xf32>
          linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                          iterator_types = ["parallel"]}}
              ins(%x : tensor<4xf32>) outs(%r : memref<4xf32, "REG">) {{
          ^bb0(%in: f32, %old: f32):
            %sum = arith.addf %old, %in : f32
            linalg.yield %sum : f32
          }}
        }}
        %e = tensor.empty() : tensor<{out}xf32>
        %b = linalg.fill ins(%zero : f32) outs(%e : tensor<{out}xf32>) -> tensor<{out}xf32>
        %y = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ({to})>],
                             iterator_types = ["{kind}"]}}
            ins(%r : memref<4xf32, "REG">) outs(%b : tensor<{out}xf32>) {{
        ^bb0(%in: f32, %old: f32):
          %max = arith.maximumf %old, %in : f32
          linalg.yield %max : f32
        }} -> tensor<{out}xf32>
        ktdf.write_to_fifo %y, %p#1 : tensor<{out}xf32>, <"SFU" -> "SU", {out}xf32>
      }} {{applicable_units = ["SFU"]}}
      ktdf.stage depends_in(%p#3) depends_out(none) {{
        ktdf.data_transfer from %p#1 size [{out}] to %a[%i * {store_i} + {store}] size [{out}]
          : !ktdf.fifo.slot<"SFU" -> "SU", {out}xf32>, memref<{size}xf32>
      }} {{applicable_units = ["SU"]}}
    }}
"""
NEST = """
func.func @k(%a: memref<{size}xf32>) attributes {{grid = [1]}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  %m = arith.constant {m} : index
  {head} {{
    {pipelines}
    {end}
  }}
  return
}}
"""


FILL = 'linalg.fill ins(%zero : f32) outs({0} : memref<4xf32, "REG">)'
SECOND = """%r1 = arith.constant {0} : index
        %q = builtin.unrealized_conversion_cast %r1 : index to memref<4xf32, "REG">
        """


@st.composite
def pipelines(draw: st.DrawFn, m: int) -> str:
    """Sums of loads, stored anywhere in the same memory, or nearly (mistakes)."""
    whole = draw(st.booleans())
    second = SECOND.format(draw(st.sampled_from([0, 8, 16]))) + FILL.format("%q")
    return PIPELINE.format(
        size=256,
        loads=m if draw(st.integers(0, 9)) else draw(st.integers(0, 3)),
        out=4 if whole else 1,
        to="d0" if whole else "0",
        kind="parallel" if whole else "reduction",
        fill=FILL.format("%r") if draw(st.integers(0, 9)) else "",
        second=second if draw(st.booleans()) else "",
        load_i=draw(st.integers(0, 8)),
        load_j=draw(st.integers(0, 8)),
        load=draw(st.sampled_from([0, 4, 64, 128, 200])),
        store_i=draw(st.integers(0, 8)),
        store=draw(st.sampled_from([0, 1, 4, 64, 128, 200])),
    )


@st.composite
def nests(draw: st.DrawFn) -> str:
    """A loop around one or two pipelines."""
    shared, instances, m = draw(st.booleans()), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return NEST.format(
        size=256,
        n=draw(st.integers(0, 24)),
        m=m,
        head=f"ktdf.parallel (%i, %inst) = (%c0) to (%n) step (%c1) distribute(num_instances = {instances})"
        if shared
        else "scf.for %i = %c0 to %n step %c1",
        pipelines="".join(draw(st.lists(pipelines(m), min_size=1, max_size=2))),
        end="ktdf.parallel_yield" if shared else "",
    )


def outcome(text: str) -> tuple[str, dict[object, tuple[bytes, bytes]]]:
    """What a nest says at its end, and all memory after that."""
    memory = Memory()
    memory.add("a", 0, np.arange(256, dtype=np.float32), dtypes.get("f32"))
    try:
        run_schedule(parse_module(text), {"a": 0}, memory)
        said = ""
    except HeadraceError as e:
        said = str(e)
    return said, contents(memory)


@given(nests())
@settings(max_examples=150, deadline=None)
def test_nests_end_or_fail_alike(text: str) -> None:
    together = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_lanes, "plan_of", lambda *_: None)
        assert outcome(text) == together


def simple(load: tuple[int, int], store: tuple[int, int], loads: int = 1) -> str:
    """A pipeline from one row of four elements (loaded several times) to another."""
    return PIPELINE.format(
        size=256, loads=loads, out=4, to="d0", kind="parallel", fill=FILL.format("%r"), second="",
        load_i=load[0], load_j=0, load=load[1], store_i=store[0], store=store[1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pipelines", "side_by_side"),
    [
        (simple((4, 0), (4, 128)), True),  # apart
        (simple((4, 0), (4, 0)), True),  # each its own place, read before it is stored
        (simple((4, 0), (4, 4)), False),  # what the iteration before stored
        (simple((4, 4), (4, 0)), False),  # what the iteration behind stores
        (simple((4, 0), (2, 128)), False),  # stores that overlap
        (simple((4, 0), (4, 64)) + simple((4, 64), (4, 128)), False),  # what the iteration stored itself
        (simple((4, 0), (4, 64)) + simple((4, 0), (4, 128)), True),
    ],
)
def test_lanes_that_meet_run_one_after_another(pipelines: str, side_by_side: bool, lanes: list[int]) -> None:
    head = "scf.for %i = %c0 to %n step %c1"
    text = NEST.format(size=256, n=12, m=1, head=head, pipelines=pipelines, end="")
    together = outcome(text)
    assert together[0] == "" and lanes == [12 if side_by_side else 0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_lanes, "plan_of", lambda *_: None)
        assert outcome(text) == together


@pytest.mark.parametrize("limit", ["ROOM", "STORED"])
def test_large_boxes_run_one_after_another(limit: str, lanes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """All lanes of a box of four f32 have 192 bytes."""
    head = "scf.for %i = %c0 to %n step %c1"
    text = NEST.format(size=256, n=12, m=1, head=head, pipelines=simple((4, 0), (4, 128)), end="")
    monkeypatch.setattr(schedule_lanes, limit, 192)
    expected = outcome(text)
    monkeypatch.setattr(schedule_lanes, limit, 191)
    assert outcome(text) == expected
    assert lanes == [12, 0]


@pytest.mark.parametrize(("n", "m", "side_by_side"), [(12, 2, True), (2, 40, False)])
def test_few_iterations_of_long_loops_stay_apart(n: int, m: int, side_by_side: bool, lanes: list[int]) -> None:
    """Two lanes of 40 transfers each are 40 steps; one after another they are two batches."""
    pipeline = simple((0, 0), (4, 128), m)
    head = "scf.for %i = %c0 to %n step %c1"
    assert outcome(NEST.format(size=256, n=n, m=m, head=head, pipelines=pipeline, end=""))[0] == ""
    assert lanes == ([n] if side_by_side else [])
