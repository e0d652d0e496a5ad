"""Integer points of affine sets and values of affine maps, vectorised with NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

IntArray = NDArray[np.int64]


class Unbounded(ValueError):
    """A set has infinitely many points in dimension `dim`."""

    def __init__(self, dim: int):
        super().__init__(f"dimension d{dim} of the set is unbounded")
        self.dim = dim


#: Largest bounding box of a set that is no box.
BOX_LIMIT = 1 << 28


class TooLarge(Unbounded):
    """A set that is no box has a bounding box of more than BOX_LIMIT points."""

    def __init__(self, count: int):
        ValueError.__init__(self, f"the bounding box of the set has {count} points, at most {BOX_LIMIT} are supported")
        self.dim = 0


def evaluate(
    expr: AffineExpr, dims: Sequence[int | IntArray], symbols: Sequence[int | IntArray] = ()
) -> int | IntArray:
    """Value of an affine expression; dims and symbols are ints or broadcastable int64 arrays.

    Raises ZeroDivisionError for floordiv, ceildiv or mod by zero.
    """
    match expr:
        case AffineConstantExpr():
            return expr.value
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr():
            return symbols[expr.position]
        case AffineBinaryOpExpr():
            a, b = evaluate(expr.lhs, dims, symbols), evaluate(expr.rhs, dims, symbols)
            match expr.kind:
                case AffineBinaryOpKind.Add:
                    return a + b
                case AffineBinaryOpKind.Mul:
                    return a * b
                case _:
                    if np.any(np.asarray(b) == 0):
                        raise ZeroDivisionError("division by zero in an affine expression")
                    if expr.kind is AffineBinaryOpKind.FloorDiv:
                        return a // b
                    if expr.kind is AffineBinaryOpKind.CeilDiv:
                        return -(-a // b)
                    return a % b
        case _:
            raise TypeError(f"unknown affine expression {expr}")


def apply_map(m: AffineMap, operands: Sequence[int | IntArray]) -> list[int | IntArray]:
    """Results of an affine map; `operands` are the dims followed by the symbols."""
    return [evaluate(e, operands[: m.num_dims], operands[m.num_dims :]) for e in m.results]


def linear_form(expr: AffineExpr, num_dims: int, symbols: Sequence[int]) -> tuple[list[int], int] | None:
    """(coefficient per dimension, constant) with symbols replaced by numbers; None if the expression is not linear."""
    match expr:
        case AffineConstantExpr():
            return [0] * num_dims, expr.value
        case AffineDimExpr():
            return [int(i == expr.position) for i in range(num_dims)], 0
        case AffineSymExpr():
            return [0] * num_dims, int(symbols[expr.position])
        case AffineBinaryOpExpr():
            a, b = linear_form(expr.lhs, num_dims, symbols), linear_form(expr.rhs, num_dims, symbols)
            if a is None or b is None:
                return None
            if expr.kind is AffineBinaryOpKind.Add:
                return [x + y for x, y in zip(a[0], b[0], strict=True)], a[1] + b[1]
            if any(b[0]) and expr.kind is AffineBinaryOpKind.Mul:
                a, b = b, a
            if any(b[0]):
                return None
            if expr.kind is AffineBinaryOpKind.Mul:
                return [x * b[1] for x in a[0]], a[1] * b[1]
            if any(a[0]) or b[1] == 0:
                return None
            return [0] * num_dims, int(
                evaluate(AffineBinaryOpExpr(expr.kind, AffineConstantExpr(a[1]), AffineConstantExpr(b[1])), [])
            )
        case _:
            return None


@dataclass(frozen=True)
class PointSet:
    """The integer points of a set: bounding box [lo, lo + shape) and, where it is no box, the mask of members."""

    lo: tuple[int, ...]
    shape: tuple[int, ...]
    mask: NDArray[np.bool_] | None = None

    @property
    def count(self) -> int:
        """Number of points."""
        return prod(self.shape) if self.mask is None else int(self.mask.sum())

    @property
    def empty(self) -> bool:
        return self.count == 0


def satisfied(
    constraint: AffineConstraintExpr, dims: Sequence[int | IntArray], symbols: Sequence[int]
) -> bool | NDArray[np.bool_]:
    """Whether the constraint holds at the given (possibly vectorised) point."""
    left, right = evaluate(constraint.lhs, dims, symbols), evaluate(constraint.rhs, dims, symbols)
    match constraint.kind:
        case AffineConstraintKind.ge:
            return left >= right
        case AffineConstraintKind.le:
            return left <= right
        case _:
            return left == right


def contains(
    points: AffineSet, dims: Sequence[int | IntArray], symbols: Sequence[int] = ()
) -> bool | NDArray[np.bool_]:
    """Membership of (possibly vectorised) points."""
    result: bool | NDArray[np.bool_] = True
    for c in points.constraints:
        result = result & np.asarray(satisfied(c, dims, symbols))
    return result


def open_grid(lo: Sequence[int], shape: Sequence[int]) -> list[IntArray]:
    """One int64 array per dimension, its values along that axis only (broadcastable to `shape`); read-only."""
    return list(_open_grid(tuple(lo), tuple(shape)))


@lru_cache(maxsize=512)
def _open_grid(lo: tuple[int, ...], shape: tuple[int, ...]) -> tuple[IntArray, ...]:
    n = len(shape)
    found = [
        (np.arange(extent, dtype=np.int64) + start).reshape([-1 if i == k else 1 for i in range(n)])
        for k, (start, extent) in enumerate(zip(lo, shape, strict=True))
    ]
    for values in found:
        values.flags.writeable = False
    return tuple(found)


@lru_cache(maxsize=4096)
def points_of(points: AffineSet, symbols: tuple[int, ...] = ()) -> PointSet:
    """All points of a set. Raises Unbounded where a dimension has no bound."""
    n = points.num_dims
    rows: list[tuple[list[int], int, bool]] = []  # coefficients, constant, equality: c.x + k >= 0 (or == 0)
    rest: list[AffineConstraintExpr] = []
    for c in points.constraints:
        form = linear_form(c.lhs - c.rhs, n, symbols)
        if form is None:
            rest.append(c)
            continue
        coefficients, constant = form
        if c.kind is AffineConstraintKind.le:
            coefficients, constant = [-x for x in coefficients], -constant
        rows.append((coefficients, constant, c.kind is AffineConstraintKind.eq))
        if sum(1 for x in coefficients if x) > 1:
            rest.append(c)
        elif not any(coefficients) and (constant < 0 or (constant and rows[-1][2])):
            return PointSet((0,) * n, (0,) * n)
        elif rows[-1][2] and any(abs(x) > 1 for x in coefficients):
            rest.append(c)  # divisibility
    lo: list[int | None] = [None] * n
    hi: list[int | None] = [None] * n
    changed, rounds = True, 0
    while changed and rounds < 2 * n + 2:
        changed, rounds = False, rounds + 1
        for coefficients, constant, equal in rows:
            for sign in (1, -1) if equal else (1,):
                changed |= _tighten([sign * x for x in coefficients], sign * constant, lo, hi)
    for d in range(n):
        if lo[d] is None or hi[d] is None:
            raise Unbounded(d)
    low = tuple(x for x in lo if x is not None)
    shape = tuple(max(0, b - a + 1) for a, b in zip(low, (x for x in hi if x is not None), strict=True))
    if not rest:
        return PointSet(low, shape)
    if 0 in shape:
        return PointSet(low, (0,) * n)
    if prod(shape) > BOX_LIMIT:
        raise TooLarge(prod(shape))
    grid = open_grid(low, shape)
    mask = np.ones(shape, np.bool_)
    for c in rest:
        mask &= np.asarray(satisfied(c, grid, symbols))
    return _shrink(low, mask)


def _tighten(coefficients: list[int], constant: int, lo: list[int | None], hi: list[int | None]) -> bool:
    """Use `c.x + k >= 0` with the bounds of the other dimensions to bound each dimension."""
    changed = False
    for d, c in enumerate(coefficients):
        if not c:
            continue
        best = constant
        known = True
        for other, k in enumerate(coefficients):
            if other == d or not k:
                continue
            bound = hi[other] if k > 0 else lo[other]
            if bound is None:
                known = False
                break
            best += k * bound
        if not known:
            continue
        if c > 0:
            bound = -(best // c)
            if lo[d] is None or bound > lo[d]:  # type: ignore[operator]
                lo[d], changed = bound, True
        else:
            bound = best // -c
            if hi[d] is None or bound < hi[d]:  # type: ignore[operator]
                hi[d], changed = bound, True
    return changed


def _shrink(low: tuple[int, ...], mask: NDArray[np.bool_]) -> PointSet:
    if mask.all():
        return PointSet(low, mask.shape)
    if not mask.any():
        return PointSet(low, (0,) * mask.ndim)
    where = np.nonzero(mask)
    starts = [int(w.min()) for w in where]
    ends = [int(w.max()) + 1 for w in where]
    inner = mask[tuple(slice(a, b) for a, b in zip(starts, ends, strict=True))]
    lo = tuple(a + s for a, s in zip(low, starts, strict=True))
    return PointSet(lo, inner.shape, None if inner.all() else inner)


def permutation(order: AffineMap) -> tuple[int, ...] | None:
    """The dimension positions if `order` is a permutation of its dimensions, else None."""
    positions = [e.position for e in order.results if isinstance(e, AffineDimExpr)]
    if len(positions) != len(order.results) or sorted(positions) != list(range(order.num_dims)):
        return None
    return tuple(positions)


# ---- boxes and access tiles ------------------------------------------------------------------------------------------


def bounding_box(points: AffineSet, symbols: Sequence[int] = ()) -> list[tuple[int, int]]:
    """(lowest coordinate, extent) per dimension; an empty set that is no box has extents 0. Raises Unbounded."""
    found = points_of(points, tuple(symbols))
    return list(zip(found.lo, found.shape, strict=True))


def box(points: AffineSet, symbols: Sequence[int] = ()) -> list[tuple[int, int]] | None:
    """`bounding_box` if every point of it is in the set, else None. Raises Unbounded."""
    found = points_of(points, tuple(symbols))
    return None if found.mask is not None else list(zip(found.lo, found.shape, strict=True))


def tile_shape(points: AffineSet, order: AffineMap, symbols: Sequence[int] = ()) -> tuple[int, ...]:
    """Extents of an access tile: those of the set's bounding box, in the order of the permutation `order`.

    Raises ValueError if `order` is no permutation of the set's dimensions, Unbounded if the set is infinite.
    """
    positions = _positions(order)
    shape = points_of(points, tuple(symbols)).shape
    if len(positions) != len(shape):
        raise ValueError(f"the order has {len(positions)} dimensions, but the set has {len(shape)}")
    return tuple(shape[p] for p in positions)


def tile_coordinates(
    points: AffineSet, order: AffineMap, symbols: Sequence[int] = ()
) -> tuple[list[IntArray], NDArray[np.bool_] | None]:
    """Per dimension of the set its coordinate at every tile element, and which elements are in the set (None: all).

    Coordinates broadcast to `tile_shape`; tile axis k walks dimension `order[k]`.
    """
    positions = _positions(order)
    found = points_of(points, tuple(symbols))
    grid = open_grid([found.lo[p] for p in positions], [found.shape[p] for p in positions])
    coordinates = [grid[positions.index(d)] for d in range(len(positions))]
    return coordinates, None if found.mask is None else found.mask.transpose(positions)


def enumerate_points(
    points: AffineSet, symbols: Sequence[int] = (), order: AffineMap | None = None
) -> NDArray[np.int64]:
    """All points as rows of an int64 array [count, dimensions], last dimension (or last result of `order`) fastest."""
    used = order if order is not None else AffineMap.identity(points.num_dims)
    coordinates, mask = tile_coordinates(points, used, symbols)
    shape = tile_shape(points, used, symbols)
    if not coordinates:
        return np.zeros((points_of(points, tuple(symbols)).count, 0), np.int64)
    table = np.stack([np.broadcast_to(c, shape).reshape(-1) for c in coordinates], axis=1)
    return table if mask is None else table[mask.reshape(-1)]


def _positions(order: AffineMap) -> tuple[int, ...]:
    positions = permutation(order)
    if positions is None:
        raise ValueError(f"{order} is not a permutation of its dimensions")
    return positions


def constant_box(points: AffineSet) -> list[tuple[int, int]] | None:
    """:func:`bounding_box` of a set that has points; None for a set with symbols, without end or without points."""
    if points.num_symbols:
        return None
    try:
        box = bounding_box(points)
    except Unbounded:
        return None
    return None if any(n <= 0 for _, n in box) else box
