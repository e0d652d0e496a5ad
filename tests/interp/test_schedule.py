# ruff: noqa: E501 (MLIR text)
"""ScheduleIR: pipelines, queues, transfers, parallel, tiling placeholders and their run-time checks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headrace.interp.memory import Memory
from headrace.interp.schedule import run_schedule
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.numerics import dtypes

F32 = dtypes.get("f32")
DOUBLE = (Path(__file__).parent / "programs" / "double.schedule.mlir").read_text()


def run(text: str, rows: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """(input, output) of a program `(%x, %y)` over rows of four f32."""
    x = np.random.default_rng(3).standard_normal((rows, 4)).astype(np.float32)
    memory = Memory()
    memory.add("x", 256, x, F32)
    memory.add("y", 1024, np.zeros((rows, 4), np.float32), F32)
    run_schedule(parse_module(text), {"x": 256, "y": 1024}, memory)
    return x, memory.read("y", (rows, 4), F32)


def test_doubling() -> None:
    x, y = run(DOUBLE)
    np.testing.assert_array_equal(y, x + x)


def test_element_counts_must_agree() -> None:
    text = DOUBLE.replace("to %r#2 size [4]", "to %r#2 size [4]").replace(
        "from %r#0[0, 0] size [1, 4] to %r#2", "from %r#0[0, 0] size [1, 3] to %r#2"
    )
    with pytest.raises(HeadraceError, match="the source has 3 elements, the destination 4"):
        run(text)


def test_box_must_stay_inside() -> None:
    with pytest.raises(HeadraceError, match="leaves dimension 0 of a memref of sizes"):
        run(DOUBLE.replace("%c8 = arith.constant 8", "%c8 = arith.constant 9"))


def test_unread_messages_are_reported() -> None:
    twice = """ktdf.data_transfer from %r#0[0, 0] size [1, 4] to %r#2 size [4]
          : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
"""
    with pytest.raises(HeadraceError, match="1 unread messages"):
        run(DOUBLE.replace(twice, twice * 2))


def test_reading_an_empty_queue() -> None:
    read = '%v = ktdf.read_from_fifo %r#2 : <"RD" -> "ALU", 4xf32> -> tensor<1x4xf32>'
    with pytest.raises(HeadraceError, match="reads the empty queue"):
        run(DOUBLE.replace(read, read + "\n" + read.replace("%v", "%v2")))


def test_staging_buffer_read_before_written() -> None:
    text = DOUBLE.replace("to %r#0[0, 0] size [1, 4]\n", "to %r#1[0, 0] size [1, 4]\n")
    with pytest.raises(HeadraceError, match="never written"):
        run(text)


def test_stages_run_in_token_order() -> None:
    """The same program with its first two stages swapped in the text."""
    first = DOUBLE.index("      ktdf.stage depends_in(none) depends_out(%r#4)")
    second = DOUBLE.index("      ktdf.stage depends_in(%r#4)")
    third = DOUBLE.index("      ktdf.stage depends_in(%r#5)")
    x, y = run(DOUBLE[:first] + DOUBLE[second:third] + DOUBLE[first:second] + DOUBLE[third:])
    np.testing.assert_array_equal(y, x + x)


TILED = """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @copy(%x: memref<8x4xf32, "MAIN">, %y: memref<8x4xf32, "MAIN">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a0 = memref.alloc() : memref<4x4xf32, "PAD">
  %a1 = memref.alloc() : memref<4x4xf32, "PAD">
  %ts = ktdf.tiling.reserve_size {divisibility = 3 : index, min_value = 2 : index} : index
  %n = arith.ceildivui %c8, %ts : index
  scf.for %t = %c0 to %n step %c1 {
    %ph = ktdf.buffer_phase(%t) {num_phases = 2 : i64} : index
    %b = ktdf.select_memref %ph[%a0, %a1] : memref<4x4xf32, "PAD">
    %len = ktdf.tiling.derive_size [%t : %ts], total_size = %c8 : index
    ktdf.parallel (%p, %inst) = (%c0) to (%len) step (%c1) distribute(num_instances = 2) {
      %i = ktdf.tiling.linearize_index [%t : %ts], [%p : %c1] : index
      ktdf.data_transfer from %x[%i, 0] size [1, 4] to %b[%p, 0] size [1, 4] : memref<8x4xf32, "MAIN">, memref<4x4xf32, "PAD">
      ktdf.parallel_yield
    }
    ktdf.data_transfer from %b[0, 0] size [%len, 4] to %y[%t * 3, 0] size [%len, 4]
      : memref<4x4xf32, "PAD">, memref<8x4xf32, "MAIN">
  }
  return
}
"""


def test_tiling_phases_and_parallel() -> None:
    x, y = run(TILED)
    np.testing.assert_array_equal(y, x)


REDUCED = """
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @sum(%x: memref<8x4xf32, "MAIN">, %y: memref<8x4xf32, "MAIN">) attributes {grid = [1]} {
  %z = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<8xf32, "REG">
  linalg.fill ins(%z : f32) outs(%acc : memref<8xf32, "REG">)
  linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x4xf32, "MAIN">) outs(%acc : memref<8xf32, "REG">) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  ktdf.data_transfer from %acc[0] size [8] to %y[0, 0] size [8, 1] : memref<8xf32, "REG">, memref<8x4xf32, "MAIN">
  return
}
"""


def test_linalg_on_buffers() -> None:
    x, y = run(REDUCED)
    total = np.zeros(8, np.float32)
    for k in range(4):
        total = total + x[:, k]
    np.testing.assert_array_equal(y[:, 0], total)
    with pytest.raises(HeadraceError, match="never written"):
        run(REDUCED.replace('linalg.fill ins(%z : f32) outs(%acc : memref<8xf32, "REG">)', ""))
