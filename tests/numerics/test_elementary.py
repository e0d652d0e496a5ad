"""What the formulas of the elementary functions promise beside the rounding of a result."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.numerics import elementary
from headrace.numerics.numpy_backend import NumpyBackend

WHOLE = st.integers(-50, 50)


@given(st.lists(WHOLE, min_size=1, max_size=12), st.integers(-4, 4))
def test_pairs_make_the_polynomial(coefficients: list[int], x: int) -> None:
    want = sum(Fraction(c) * x**n for n, c in enumerate(coefficients))  # below 2^53: every step is exact
    got = elementary.estrin(NumpyBackend(), np.array([x], np.float64), [float(c) for c in coefficients])
    assert Fraction(float(np.asarray(got).reshape(-1)[0])) == want


@pytest.mark.parametrize(("function", "base", "limit"), [("exp", np.exp, 87.0), ("exp2", np.exp2, 126.0)])
def test_short_forms(function: str, base: np.ufunc, limit: float) -> None:
    x = np.concatenate([np.linspace(-limit, limit, 200_001), np.linspace(-1.0, 1.0, 20_001)])
    got = getattr(elementary, function)(NumpyBackend(), x, wide=False)
    want = base(x.astype(np.longdouble))
    assert float(np.max(np.abs(got / want - 1))) < 6e-14
