"""Matrix steps: the native engine against the reference, values, time, and code that does not fit the unit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.machine import SimDevice, Timing, UnitTiming

from .hand import TIMING, load, one_unit_image

K, N, ROWS = 4, 8, 16
MATRIX = Timing(memories=TIMING.memories, units={"DL": UnitTiming(64, {}, 1, 5, {}, (K, N, ROWS, 12))})


def run(code: str, dtype: np.dtype | type = np.float16, engine: str = "native") -> tuple[np.ndarray, object]:
    """Memory (as f32) after a program that finds random numbers of `dtype` in its first 512 bytes."""
    device = SimDevice(None, timing=MATRIX, engine=engine)
    device.memory.register(0, 4096)
    numbers = np.random.default_rng(3).standard_normal(256).astype(dtype)
    device.memory.write(0, numbers.view(np.uint8)[:512])
    result = device.compute(load(device, one_unit_image(code)))
    return device.memory.view(0, 4096).copy(), dataclasses.replace(result, seconds={})


def both(code: str) -> np.ndarray:
    """Run on both engines, which must agree in values and in every figure."""
    (a, figures), (b, other) = run(code), run(code, engine="reference")
    assert figures == other
    assert np.array_equal(a, b)
    return a


def program(body: str) -> str:
    """Load w0..w3 (rows of 8), x (3 rows of 4), xt (4 rows of 3); then `body`; r5.. hold addresses."""
    out = [f"MCFG {K}, {N}, {ROWS}"]
    out += [f"LI r{k}, {16 * k}\nVLD v{k}, mem0, r{k}, 8xf16, [8:2]" for k in range(4)]
    out += ["LI r10, 64\nVLD v10, mem0, r10, 12xf16, [12:2]", "VLD v11, mem0, r10, 12xf16, [12:2]"]
    out += ["LI r20, 0\nLI r21, 1\nLI r22, 2\nLI r23, 3", body]
    for k in range(3):
        out.append(f"MRD v{20 + k}, r{20 + k}, 8xf32\nLI r{30 + k}, {1024 + 32 * k}")
        out.append(f"VST v{20 + k}, mem0, r{30 + k}, 8xf32, [8:4]")
    return "\n".join([*out, "HALT"])


def numbers(memory: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(block, row operand, results)."""
    values = memory[:512].view(np.float16).astype(np.float32)
    return values[:32].reshape(4, 8), values[32:44], memory[1024:1120].view(np.float32).reshape(3, 8)


def expected(x: np.ndarray, block: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    sums = np.zeros((len(x), block.shape[1]), np.float32) if start is None else start.copy()
    for k in range(x.shape[1]):
        sums += x[:, k, None] * block[k]
    return sums


FILL = "\n".join(f"MFILL v{k}, {k}, 8xf16" for k in range(4))


def test_rows() -> None:
    block, x, got = numbers(both(program(f"MCLR 3\n{FILL}\nMSWAP\nMMUL v10, r20, 3, 12xf16")))
    assert np.array_equal(got, expected(x.reshape(3, 4), block))


def test_k_major_rows() -> None:
    block, x, got = numbers(both(program(f"MCLR 3\n{FILL}\nMSWAP\nMMULT v11, r20, 3, 12xf16")))
    assert np.array_equal(got, expected(x.reshape(4, 3).T, block))


def test_columns_fill_the_same_block() -> None:
    body = "MCLR 3\nMFILLT v0, 0, 2, 8xf16\nMFILLT v1, 2, 2, 8xf16\nMSWAP\nMMUL v10, r20, 3, 12xf16"
    block, x, got = numbers(both(program(body)))
    columns = block[:2].reshape(4, 4).T  # four columns of four
    full = np.zeros((4, 8), np.float32)
    full[:, :4] = columns
    assert np.array_equal(got, expected(x.reshape(3, 4), full))


def test_sums_continue_and_partial_blocks_end_in_zeros() -> None:
    body = f"MCLR 3\n{FILL}\nMSWAP\nMMUL v10, r20, 3, 12xf16\nMFILL v0, 0, 8xf16\nMSWAP\nMMUL v10, r20, 3, 12xf16"
    block, x, got = numbers(both(program(body)))
    first = expected(x.reshape(3, 4), block)
    only = np.zeros_like(block)
    only[0] = block[0]
    assert np.array_equal(got, expected(x.reshape(3, 4), only, first))


def test_loaded_sums() -> None:
    body = f"MCLR 3\nLI r40, 128\nVLD v30, mem0, r40, 8xf32, [8:4]\nMLD v30, r21, 8xf32\n{FILL}\nMSWAP"
    memory = both(program(body))
    assert np.array_equal(numbers(memory)[2][1], memory[128:160].view(np.float32))


def test_fills_run_beside_multiplications() -> None:
    """A block of 32 elements takes 12 cycles to fill; behind 12 rows nothing is left to wait for."""
    rows = "\n".join(["MMUL v10, r20, 3, 12xf16"] * 4)
    alone = run(program(f"MCLR 3\n{FILL}\nMSWAP\n{rows}"))[1]
    ahead = run(program(f"MCLR 3\n{FILL}\nMSWAP\n{FILL}\n{rows}\nMSWAP"))[1]
    assert ahead.cycles == alone.cycles  # type: ignore[attr-defined]
    late = run(program(f"MCLR 3\n{FILL}\nMSWAP\n{rows}\n{FILL}\nMSWAP"))[1]
    assert late.cycles == alone.cycles + 12  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("MCLR 3\nHALT", "matrix steps before MCFG"),
        ("MCFG 8, 8, 16\nHALT", "the device has blocks of 4x8 here"),
        (f"MCFG {K}, {N}, {ROWS}\nMCLR 17\nHALT", "the unit has 16 accumulator rows"),
        (f"MCFG {K}, {N}, {ROWS}\nVCONST v0, 8xf16, [0x0]\nMFILL v0, 4, 8xf16\nHALT", "leaves the block of 4x8"),
        (f"MCFG {K}, {N}, {ROWS}\nLI r0, 0\nVCONST v0, 8xf16, [0x0]\nMMUL v0, r0, 3, 8xf16\nHALT", "whole rows"),
        (f"MCFG {K}, {N}, {ROWS}\nLI r0, 15\nVCONST v0, 8xf16, [0x0]\nMMUL v0, r0, 2, 8xf16\nHALT", "tor row 15"),
    ],
)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_does_not_fit_is_refused(code: str, message: str, engine: str) -> None:
    with pytest.raises(HeadraceError, match=message):
        run(code, engine=engine)
