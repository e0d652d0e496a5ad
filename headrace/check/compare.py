"""Two arrays of one buffer: equal bit for bit, or how far apart and where first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.check.tolerance import Tolerance
from headrace.interp.memory import same_bits
from headrace.numerics.dtypes import DType


@dataclass(frozen=True)
class Difference:
    """The first element (row-major) in which a buffer differs."""

    buffer: str
    coordinate: tuple[int, ...]
    expected: float | int
    found: float | int

    def __str__(self) -> str:
        at = ", ".join(map(str, self.coordinate))
        return f"{self.buffer}[{at}]: expected {self.expected!r}, found {self.found!r}"

    def to_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "buffer": self.buffer,
            "coordinate": list(self.coordinate),
            "expected": _plain(self.expected),
            "found": _plain(self.found),
        }


@dataclass(frozen=True)
class Comparison:
    """Largest absolute error and distance in units of the last place, number of wrong elements, the first of them.

    Where values are NaN on one side only, the errors are infinite.
    """

    max_abs_err: float = 0.0
    max_ulp: float = 0.0
    wrong: int = 0
    compared: int = 0
    first: Difference | None = None

    @property
    def match(self) -> bool:
        """Whether nothing is wrong."""
        return self.wrong == 0

    def __add__(self, other: Comparison) -> Comparison:
        return Comparison(
            max(self.max_abs_err, other.max_abs_err),
            max(self.max_ulp, other.max_ulp),
            self.wrong + other.wrong,
            self.compared + other.compared,
            self.first or other.first,
        )


def _plain(value: float | int) -> float | int | str:
    return value if isinstance(value, int) or np.isfinite(value) else str(value)


def ordinals(values: NDArray[Any], dtype: DType) -> NDArray[np.int64]:
    """Position of each value among the values of its type: neighbours differ by one, zeros are both 0."""
    raw = np.asarray(dtype.encode(values))
    bits = raw.dtype.itemsize * 8
    unsigned = raw.view(np.dtype(f"u{raw.dtype.itemsize}")).astype(np.int64)
    if bits == 64:
        magnitude = np.asarray(raw).view(np.int64) & np.int64((1 << 63) - 1)
        negative = np.asarray(raw).view(np.int64) < 0
    else:
        magnitude = unsigned & ((1 << (bits - 1)) - 1)
        negative = (unsigned >> (bits - 1)) != 0
    return np.where(negative, -magnitude, magnitude)


def compare(
    name: str,
    expected: NDArray[Any],
    found: NDArray[Any],
    dtype: DType,
    tolerance: Tolerance | None = None,
    mask: NDArray[np.bool_] | None = None,
) -> Comparison:
    """Compare two value arrays of the same shape; only where `mask` is set, if given.

    Without `tolerance` every element must have the same bits (any NaN equals any NaN).
    """
    same = same_bits(expected, found)
    if mask is not None:
        same = same | ~mask
    compared = int(same.size if mask is None else np.count_nonzero(mask))
    if same.all():
        return Comparison(compared=compared)
    different = ~same
    a, b = expected[different], found[different]
    if dtype.is_float:
        with np.errstate(invalid="ignore", over="ignore"):
            gaps = np.abs(a.astype(np.float64) - b.astype(np.float64))
        gaps = np.where(np.isnan(gaps), np.inf, gaps)
        steps = np.abs(ordinals(a, dtype) - ordinals(b, dtype)).astype(np.float64)
        steps = np.where(np.isnan(a) != np.isnan(b), np.inf, steps)
    else:
        gaps = np.abs(a.astype(np.float64) - b.astype(np.float64))
        steps = gaps
    if tolerance is not None and dtype.is_float:
        bad = gaps > tolerance.allowed(expected, dtype)[different]
        different[different] = bad
    wrong = int(np.count_nonzero(different))
    first = None
    if wrong:
        at = np.unravel_index(int(np.flatnonzero(different)[0]), different.shape)
        where = tuple(int(i) for i in at)
        first = Difference(name, where, expected[at].item(), found[at].item())
    return Comparison(float(gaps.max()), float(steps.max()), wrong, compared, first)
