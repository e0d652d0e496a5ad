"""Slices of lower rank: which unit dimensions a rank-reduced type leaves out."""

from __future__ import annotations

from collections.abc import Sequence


def kept_dims(sizes: Sequence[object], shape: Sequence[int]) -> list[int]:
    """Positions in `sizes` (ints, or values only known later) of the dimensions that a slice of type `shape` keeps, in
    order. A unit dimension is left out where the type has no unit extent at that place.

        kept_dims([1, 32, 1], [1, 32]) == [0, 1]        kept_dims([1, 32, 1], [32, 1]) == [1, 2]
    """
    kept: list[int] = []
    surplus = len(sizes) - len(shape)
    for d, n in enumerate(sizes):
        here = len(kept)
        if surplus > 0 and n == 1 and not (here < len(shape) and shape[here] == 1):
            surplus -= 1
        else:
            kept.append(d)
    return kept
