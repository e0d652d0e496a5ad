"""Tile sets of inter-tile operations, enumerated where their bounds are constant."""

from __future__ import annotations

from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineDimExpr, AffineExpr, AffineSet

from headrace.ir.analysis.sets import Unbounded, enumerate_points, points_of

#: Sets with more points than this are not enumerated.
LIMIT = 1 << 20


def tiles_of(points: AffineSet, symbols: tuple[int, ...] = (), tiles: int | None = None) -> tuple[int, ...] | None:
    """Non-negative members of a one-dimensional set, ascending, below `tiles` if given; None if they have no constant
    bound."""
    d, ge = AffineDimExpr(0), AffineConstraintKind.ge
    bounds = [AffineConstraintExpr(ge, d, AffineExpr.constant(0))]
    if tiles is not None:
        bounds.append(AffineConstraintExpr(ge, AffineExpr.constant(tiles - 1), d))
    bounded = AffineSet(points.num_dims, points.num_symbols, (*points.constraints, *bounds))
    return _members(bounded, symbols)


def group_ids(groups: AffineSet, tiles: int | None = None) -> tuple[int, ...] | None:
    """Group indices, ascending; None if they have no constant bounds. A grid of `tiles` tiles has at most that many
    groups: without bounds they are 0 to `tiles` - 1."""
    found = _members(groups, ())
    return tiles_of(groups, (), tiles) if found is None and tiles is not None else found


def _members(points: AffineSet, symbols: tuple[int, ...]) -> tuple[int, ...] | None:
    if points.num_dims != 1 or points.num_symbols != len(symbols):
        return None
    try:
        if points_of(points, symbols).count > LIMIT:
            return None
        return tuple(int(row[0]) for row in enumerate_points(points, symbols))
    except (Unbounded, ZeroDivisionError, MemoryError):
        return None


def producers_by_group(
    producers: AffineSet, groups: AffineSet, tiles: int | None = None
) -> dict[int, tuple[int, ...]] | None:
    """Tiles (below `tiles`, if given) of each group; None if any of the sets has no constant bounds or there are too
    many."""
    ids = group_ids(groups, tiles)
    if ids is None:
        return None
    found: dict[int, tuple[int, ...]] = {}
    total = 0
    for g in ids:
        members = tiles_of(producers, (g,), tiles)
        if members is None:
            return None
        total += len(members) + 1
        if total > LIMIT:
            return None
        found[g] = members
    return found
