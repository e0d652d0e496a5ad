"""Folds by NumPy mean what one combination after the other means, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir.affine import AffineExpr, AffineMap

from headrace.interp.structured import _any_order, accumulator, fold, narrowed, spread
from headrace.numerics import dtypes, semantics
from headrace.numerics.numpy_backend import NUMPY

FLOATS = ("arith.maximumf", "arith.minimumf", "arith.addf", "arith.mulf")
INTEGERS = ("arith.addi", "arith.muli", "arith.maxsi", "arith.minsi", "arith.andi", "arith.ori", "arith.xori")
EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -3.0, float("inf"), float("-inf"), float("nan"), 65504.0, 6e-8, -6e-8)


def one_by_one(name: str, initial: np.ndarray, terms: np.ndarray, dtype: dtypes.DType) -> np.ndarray:
    """The definition, without what :meth:`ScalarOp.numpy` leaves to NumPy."""
    entry = semantics.get(name)
    wide = accumulator(name, dtype)
    sig = entry._signature([wide, wide], [wide], None)
    total = np.asarray(initial, wide.value_dtype)
    with np.errstate(all="ignore"):
        for term in terms.astype(wide.value_dtype):
            values = [wide.to_register(x) for x in (total, term)]
            total = np.asarray(wide.from_register(entry.definition(NUMPY, values, sig)), wide.value_dtype)
    return total if wide is dtype else narrowed(total, wide, dtype)


@pytest.mark.parametrize("type_name", ["f16", "bf16", "df16", "f32", "f64"])
@pytest.mark.parametrize("name", FLOATS)
@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.lists(st.sampled_from(EDGES), min_size=3, max_size=3), min_size=2, max_size=6))
def test_floats(name: str, type_name: str, rows: list[list[float]]) -> None:
    dtype = dtypes.get(type_name)
    values = dtype.round_to(np.asarray(rows, np.float64))
    got, wanted = (f(name, values[0], values[1:], dtype) for f in (fold, one_by_one))
    assert got.dtype == wanted.dtype and got.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("type_name", ["i1", "i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("name", INTEGERS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_integers(name: str, type_name: str, data: st.DataObject) -> None:
    dtype = dtypes.get(type_name)
    low, high = (0, 1) if dtype.bits == 1 else (-(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1)
    number = st.one_of(st.integers(low, high), st.sampled_from([low, high, 0]))
    rows = data.draw(st.lists(st.lists(number, min_size=3, max_size=3), min_size=2, max_size=6))
    values = np.asarray(rows, np.int64).astype(dtype.value_dtype)
    got, wanted = (f(name, values[0], values[1:], dtype) for f in (fold, one_by_one))
    assert got.dtype == wanted.dtype and got.tobytes() == wanted.tobytes()


def test_which_folds_are_left_to_numpy() -> None:
    f16, i32, i1 = (dtypes.get(n) for n in ("f16", "i32", "i1"))
    halves, words = np.ones((4, 2), np.float16), np.ones((4, 2), np.int32)
    assert _any_order("arith.maximumf", halves[0], halves, f16) is not None
    assert _any_order("arith.maxnumf", halves[0], halves, f16) is None
    assert _any_order("arith.maximumf", halves[0], np.full((4, 2), np.nan, np.float16), f16) is None
    assert _any_order("arith.addi", words[0], words, i32) is not None
    assert _any_order("arith.maxui", words[0], words, i32) is None
    assert _any_order("arith.addi", words[0] != 0, words != 0, i1) is None


@pytest.mark.parametrize("type_name", ["f16", "f32"])
@pytest.mark.parametrize(
    "name", ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf"]
)
def test_operations_left_to_numpy(name: str, type_name: str) -> None:
    """Pairs of random bits and of edges: the same bits as the definition."""
    dtype, entry = dtypes.get(type_name), semantics.get(name)
    bits = np.random.default_rng(7).integers(0, 1 << dtype.bits, (2, 40_000), dtype=f"u{dtype.bytes}")
    edges = dtype.round_to(np.asarray([(x, y) for x in EDGES for y in EDGES], np.float64).T)
    pairs = np.concatenate([bits.view(dtype.value_dtype), edges], axis=1)
    sig = entry._signature([dtype, dtype], [dtype], None)
    with np.errstate(all="ignore"):
        wanted = dtype.from_register(entry.definition(NUMPY, [dtype.to_register(x) for x in pairs], sig))
    for part in (slice(None), *(slice(k, k + 1) for k in range(pairs.shape[1] - len(EDGES) ** 2, pairs.shape[1]))):
        got = np.asarray(entry.numpy([pairs[0][part], pairs[1][part]], [dtype, dtype], [dtype]))
        assert got.tobytes() == np.asarray(wanted)[part].tobytes()
    # A batch without NaN takes the other way.
    number = ~np.isnan(np.asarray(wanted, np.float32)) & (np.asarray(wanted) != 0)
    got = np.asarray(entry.numpy([pairs[0][number], pairs[1][number]], [dtype, dtype], [dtype]))
    assert got.tobytes() == np.asarray(wanted)[number].tobytes()


@pytest.mark.parametrize("results", ["ab", "ba", "b", "", "a0", "1b", "0", "b1a", "aa", "a+b", "a+b 0"])
def test_an_operand_is_read_through_its_map(results: str) -> None:
    a, b = AffineExpr.dimension(0), AffineExpr.dimension(1)
    terms = {"a": a, "b": b, "0": AffineExpr.constant(0), "1": AffineExpr.constant(1), "a+b": a + b}
    parts = results.split() if "+" in results else list(results)
    m, extents = AffineMap(2, 0, tuple(terms[t] for t in parts)), (3, 4)
    sizes = {"a": 3, "b": 4, "0": 2, "1": 2, "a+b": 6}
    shape = [sizes[t] for t in parts]
    array = np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
    found = spread(array, m, extents)
    assert found.ndim == 2
    wanted = [[array[tuple(m.eval([i, j], []))] for j in range(4)] for i in range(3)]
    assert np.broadcast_to(found, extents).tolist() == wanted
