"""Codecs: all 65,536 codes of the 16-bit floats, rounding against an independent nearest search."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headrace.numerics import dtypes
from headrace.numerics.dtypes import BF16, DF16, F16, DType

HALVES = [F16, BF16, DF16]
CODES = np.arange(65536, dtype=np.uint16)
FRACTION_BITS = {"f16": 10, "bf16": 7, "df16": 9}


def finite(dtype: DType) -> np.ndarray:
    """Non-negative finite values in order, as f64; df16's code 0 is zero."""
    with np.errstate(invalid="ignore"):
        values = dtype.decode(CODES[:0x8000]).astype(np.float64)
    return values[np.isfinite(values)]


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_every_code_survives(dtype: DType) -> None:
    values = dtype.decode(CODES)
    assert values.dtype == dtype.value_dtype
    assert np.array_equal(dtype.encode(values), CODES)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_codes_are_monotone_and_symmetric(dtype: DType) -> None:
    values = finite(dtype)
    assert values[0] == 0 and np.all(np.diff(values) > 0)
    with np.errstate(invalid="ignore"):
        mirrored = dtype.decode(CODES[0x8000:]).astype(np.float64)
    mirrored = mirrored[np.isfinite(mirrored)]
    assert np.array_equal(mirrored, -values) and np.all(np.signbit(mirrored))


def nearest(dtype: DType, x: float) -> float:
    """Reference: search the neighbours of |x| with exact arithmetic."""
    if math.isnan(x):
        return math.nan
    table = finite(dtype)
    mag = abs(x)
    above = math.nan if dtype is DF16 else math.inf
    step = Fraction(float(table[-1])) - Fraction(float(table[-2]))
    if math.isinf(mag):
        return math.copysign(above, x)
    exact = Fraction(mag)
    if dtype is DF16:
        first = Fraction(float(table[1]))
        if exact < first:  # rounds to ten bits first, and only the first normal survives
            tie = Fraction(2) ** -31 + Fraction(2) ** -41
            return math.copysign(float(first) if exact >= tie else 0.0, x)
    i = int(np.searchsorted(table, mag, side="right")) - 1
    low = Fraction(float(table[i]))
    high = Fraction(float(table[i + 1])) if i + 1 < len(table) else low + step
    distance = (exact - low) - (high - exact)
    if distance == 0:
        up = dtype is DF16 or i % 2 == 1
    else:
        up = distance > 0
    if not up:
        return math.copysign(float(low), x)
    return math.copysign(float(table[i + 1]) if i + 1 < len(table) else above, x)


def same(got: float, want: float) -> bool:
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    return got == want and math.copysign(1, got) == math.copysign(1, want)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_every_midpoint_and_its_neighbours(dtype: DType) -> None:
    table = finite(dtype)
    middle = (table[1:] + table[:-1]) / 2
    last = table[-1] + (table[-1] - table[-2]) / 2
    middle = np.append(middle[1:], last)  # df16's gap at zero has its own rule
    lower, upper = np.append(table[1:-1], table[-1]), np.append(table[2:], np.nan if dtype is DF16 else np.inf)
    even = np.arange(1, len(middle) + 1) % 2 == 0
    ties = upper if dtype is DF16 else np.where(even, lower, upper)
    for sign in (1.0, -1.0):
        for x, want in (
            (middle, ties),
            (np.nextafter(middle, 0), lower),
            (np.nextafter(middle, np.inf), upper),
        ):
            got = dtype.round_to(sign * x).astype(np.float64)
            np.testing.assert_array_equal(got, sign * want)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@settings(max_examples=300, deadline=None)
@given(x=st.floats(width=64), scale=st.sampled_from([1.0, 1e-5, 1e-10, 1e-38, 1e30]))
def test_rounds_f64_once(dtype: DType, x: float, scale: float) -> None:
    x = math.fmod(x, 7.0) * scale if math.isfinite(x) and scale != 1.0 else x
    assert same(float(dtype.round_to(np.float64(x))), nearest(dtype, x))


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@settings(max_examples=300, deadline=None)
@given(x=st.integers(-(2**63), 2**63 - 1), shift=st.integers(0, 62))
def test_rounds_integers_once(dtype: DType, x: int, shift: int) -> None:
    x >>= shift
    table = finite(dtype)
    got = float(dtype.round_to(np.int64(x)))
    if abs(x) <= table[-1]:
        i = int(np.searchsorted(table, abs(x), side="right")) - 1
        near = [Fraction(float(v)) for v in table[max(i - 1, 0) : i + 2]]
        assert abs(abs(Fraction(got)) - abs(x)) == min(abs(v - abs(x)) for v in near)


def test_f32_agrees_with_other_libraries() -> None:
    bits = np.random.default_rng(1).integers(0, 1 << 32, 200_000, dtype=np.uint64).astype(np.uint32)
    x = bits.view(np.float32)
    with np.errstate(all="ignore"):
        assert np.array_equal(F16.round_to(x), x.astype(np.float16), equal_nan=True)
        assert np.array_equal(BF16.round_to(x), x.astype(ml_dtypes.bfloat16).astype(np.float32), equal_nan=True)


def test_df16_landmarks() -> None:
    assert DF16.decode(np.uint16(31 << 9)) == 1.0
    assert DF16.decode(np.uint16(1)) == 2.0**-31 * (1 + 1 / 512)
    assert DF16.decode(np.uint16(0x7FFE)) == 2.0**32 * (1 + 510 / 512)
    assert np.all(np.isnan(DF16.decode(np.array([0x7FFF, 0xFFFF], dtype=np.uint16))))
    big = np.array([np.inf, -np.inf, 1e30, -1e30, np.nan], dtype=np.float32)
    assert DF16.encode(big).tolist() == [0x7FFF, 0xFFFF, 0x7FFF, 0xFFFF, 0x7FFF]
    small = np.array([2.0**-31, -(2.0**-31), 2.0**-31 * (1 + 2.0**-10), 1e-45, -0.0], dtype=np.float32)
    assert DF16.encode(small).tolist() == [0, 0x8000, 1, 0, 0x8000]


def test_integers_and_i1() -> None:
    for name in ("i8", "i16", "i32", "i64", "index"):
        dtype = dtypes.get(name)
        values = np.array([0, 1, -1, -(2 ** (dtype.bits - 1)), 2 ** (dtype.bits - 1) - 1], dtype=np.int64)
        raw = dtype.encode(values)
        assert raw.dtype == dtype.storage_dtype and dtype.bytes * 8 == dtype.bits
        assert np.array_equal(dtype.decode(raw), values)
    i1 = dtypes.get("i1")
    assert i1.bytes == 1 and i1.encode([True, False]).tolist() == [1, 0]
    assert i1.decode(np.array([0, 1, 2], dtype=np.uint8)).tolist() == [False, True, True]


def test_unknown_name() -> None:
    with pytest.raises(KeyError, match="f17"):
        dtypes.get("f17")
