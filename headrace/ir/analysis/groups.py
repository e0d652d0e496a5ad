"""Tile sets of inter-tile operations, enumerated where their bounds are constant."""

from __future__ import annotations

from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineDimExpr, AffineExpr, AffineSet

from headrace.ir.analysis.sets import Unbounded, enumerate_points, points_of

#: Sets with more points than this are not enumerated.
LIMIT = 1 << 20


def tiles_of(points: AffineSet, symbols: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """Non-negative members of a one-dimensional set, ascending; None if they have no constant bound."""
    floor = AffineConstraintExpr(AffineConstraintKind.ge, AffineDimExpr(0), AffineExpr.constant(0))
    bounded = AffineSet(points.num_dims, points.num_symbols, (*points.constraints, floor))
    return _members(bounded, symbols)


def group_ids(groups: AffineSet) -> tuple[int, ...] | None:
    """Group indices, ascending; None if they have no constant bounds."""
    return _members(groups, ())


def _members(points: AffineSet, symbols: tuple[int, ...]) -> tuple[int, ...] | None:
    if points.num_dims != 1 or points.num_symbols != len(symbols):
        return None
    try:
        if points_of(points, symbols).count > LIMIT:
            return None
        return tuple(int(row[0]) for row in enumerate_points(points, symbols))
    except (Unbounded, ZeroDivisionError, MemoryError):
        return None


def producers_by_group(producers: AffineSet, groups: AffineSet) -> dict[int, tuple[int, ...]] | None:
    """Tiles of each group; None if any of the sets has no constant bounds or there are too many."""
    ids = group_ids(groups)
    if ids is None:
        return None
    found: dict[int, tuple[int, ...]] = {}
    total = 0
    for g in ids:
        tiles = tiles_of(producers, (g,))
        if tiles is None:
            return None
        total += len(tiles) + 1
        if total > LIMIT:
            return None
        found[g] = tiles
    return found
