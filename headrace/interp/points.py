"""Integer points of affine sets and values of affine maps: the names of `headrace.ir.analysis.sets` used here."""

from headrace.ir.analysis.sets import (
    IntArray,
    PointSet,
    Unbounded,
    apply_map,
    contains,
    evaluate,
    linear_form,
    open_grid,
    permutation,
    points_of,
    satisfied,
)

__all__ = [
    "IntArray",
    "PointSet",
    "Unbounded",
    "apply_map",
    "contains",
    "evaluate",
    "linear_form",
    "open_grid",
    "permutation",
    "points_of",
    "satisfied",
]
