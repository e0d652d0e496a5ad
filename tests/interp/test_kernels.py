"""Whole kernels in the styles that producers emit, against NumPy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from headrace.interp.buffers import find_buffers
from headrace.interp.ktir import run_ktir
from headrace.interp.placement import fetch, place
from headrace.ir.text import parse_file

PROGRAMS = Path(__file__).parent / "programs"
RNG = np.random.default_rng(5)


def run(name: str, **arrays: np.ndarray) -> dict[str, np.ndarray]:
    """All buffers of an example kernel after it ran."""
    module = parse_file(PROGRAMS / f"{name}.mlir")
    found = find_buffers(module)
    memory, args = place(found, arrays)
    run_ktir(module, args, memory)
    return {b.name: fetch(memory, b) for b in found.buffers}


def normal(*shape: int, dtype: type = np.float16) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def test_two_programs() -> None:
    x, y = normal(16, 128, dtype=np.float32), normal(16, 128, dtype=np.float32)
    out = run("a_two_programs", x=x, y=y)
    product = x * y
    np.testing.assert_array_equal(out["tmp"], product)
    np.testing.assert_array_equal(out["sum"], product.max(axis=1))
    np.testing.assert_array_equal(out["out"], product - product.max(axis=1, keepdims=True))


def test_matmul() -> None:
    a, b = normal(64, 128), normal(128, 96)
    c = run("b_matmul_k_loop", a_ptr=a, b_ptr=b)["c_ptr"]
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.abs(c - exact).max() <= 0.02
    assert c.dtype == np.float16


def test_rope() -> None:
    q = normal(2, 16, 8, 64)
    cos, sin = (RNG.uniform(-1, 1, (16, 32)).astype(np.float32) for _ in range(2))
    out = run("b_rope", q=q, cos=cos, sin=sin)["out"]
    x = q.astype(np.float32)
    first, second = x[..., :32], x[..., 32:]
    c, s = cos[None, :, None], sin[None, :, None]
    expected = np.concatenate([first * c - second * s, second * c + first * s], axis=-1).astype(np.float16)
    np.testing.assert_array_equal(out, expected)


def test_paged_gather() -> None:
    cache, table = normal(12, 8, 64), RNG.integers(0, 12, (2, 8)).astype(np.int32)
    out = run("b_paged_gather", cache=cache, block_table=table)["out"]
    np.testing.assert_array_equal(out, cache[table].reshape(2, 64, 64))
    found = {b.name: b for b in find_buffers(parse_file(PROGRAMS / "b_paged_gather.mlir")).buffers}
    assert found["block_table"].index_limit == 12
    assert found["cache"].index_limit is None


def test_stick_layout_add() -> None:
    a, b = normal(32, 4, 64), normal(32, 4, 64)
    np.testing.assert_array_equal(run("c_add_stick", arg0=a, arg1=b)["arg2"], a + b)


def test_gelu() -> None:
    x = normal(3, 8, 64) * np.float16(2)
    y = run("c_gelu_spyreop", arg0=x)["arg1"]
    wide = x.astype(np.float64)
    exact = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
    assert np.all(np.abs(y - exact) <= np.spacing(np.abs(exact).astype(np.float16)))


def test_rms() -> None:
    x, w = normal(4, 12, 32, dtype=np.float32), normal(4, 32, dtype=np.float32)
    y = run("c_rms_spyreop_f32", arg0=x, arg1=w)["arg2"]
    mean = (x.astype(np.float64) ** 2).sum(axis=(0, 2), keepdims=True) / 128
    np.testing.assert_allclose(y, x / np.sqrt(mean + 1e-5) * w[:, None], rtol=2e-6)


def test_two_ops_through_memory() -> None:
    a, b, c = normal(64, 512, 64), normal(64, 512, 64), normal(64, 64)
    out = run("c_coarse_two_ops", arg0=a, arg1=b, arg2=c)
    t = a * b + a
    np.testing.assert_array_equal(out["buf0"], t)
    np.testing.assert_array_equal(out["arg3"], np.maximum(t, np.float16(0)) * c[:, None])


def test_moving_view_under_a_loaded_bound() -> None:
    """A view whose address moves with a loop as long as a loaded number says reaches as far as the loop can at most."""
    kernel = Path(__file__).parent.parent / "corpus" / "control" / "pointer_blocks.mlir"
    found = {b.name: b for b in find_buffers(parse_file(kernel)).buffers}
    assert found["x"].extent == 2048 + 4 * 512
