"""Which memory views hold numbers that become coordinates of access tiles or bounds of loops, and which values these
can have: not below one bound, below another one, and in order where neighbours are the two ends of a range.

    %n = tensor.extract (load %ids) ; %t = construct_access_tile %cache[%n / 4, ...]     %cache of 8 blocks: ids < 32
    scf.for %i = (extract (load %o[%b])) to (extract (load %o[%b + 1])) { load %x[%i] }  %x of 12: 0 <= o < 13, in order

A coordinate is followed as a sum of numbers: a loop's variable stands for its last value (its first one where the least
coordinate counts), the number of a tile for the last tile. Where one loaded number is left, it has a bound; from there
casts, quotients, and what moves or scales a number by constants are looked through. Where a number goes another way its
view has no bound here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from headrace.ir.analysis.grid import grid_of
from headrace.ir.analysis.sets import constant_box
from headrace.ir.upstream.arith import constant_of

CASTS = frozenset(f"arith.{n}" for n in ("index_cast", "index_castui", "extsi", "extui", "trunci"))
_THROUGH = CASTS | {
    f"tensor.{n}" for n in ("extract", "reshape", "expand_shape", "collapse_shape", "extract_slice")
}
"""What hands on a number, or elements, as they are."""
_DOWN = frozenset({"arith.divsi", "arith.divui", "arith.floordivsi"})
_UP = frozenset({"arith.ceildivsi", "arith.ceildivui"})


@dataclass
class IndexRange:
    """Legal values of the numbers in a view: `low <= number < limit`, none below the one before where `ordered`."""

    low: int = 0
    limit: int | None = None
    ordered: bool = False

    def below(self, limit: int) -> None:
        """Take a bound into account."""
        self.limit = limit if self.limit is None else min(self.limit, limit)


Ranges = dict[Operation, IndexRange]
"""By `ktdp.construct_memory_view`."""


@dataclass
class _Sum:
    """const + sum(terms[v] * v)."""

    const: int = 0
    terms: dict[SSAValue, int] = field(default_factory=dict)

    def add(self, other: _Sum, scale: int = 1) -> _Sum:
        terms = dict(self.terms)
        for v, c in other.terms.items():
            terms[v] = terms.get(v, 0) + c * scale
        return _Sum(self.const + other.const * scale, {v: c for v, c in terms.items() if c})


def index_ranges(module: ModuleOp) -> Ranges:
    """The legal values of the numbers in each view that are used as coordinates or as bounds of loops."""
    found: Ranges = {}
    for op in module.walk():
        if op.name == "ktdp.construct_access_tile":
            coordinates = _coordinates(op)
        elif op.name == "ktdp.construct_indirect_access_tile":
            coordinates = _subscripts(op)
        else:
            if op.name == "scf.for":
                _order(_sum_of(op.operands[1]).add(_sum_of(op.operands[0]), -1), found)
            elif op.name == "ktdp.construct_memory_view":
                for size in op.sizes:  # type: ignore[attr-defined]
                    _order(_sum_of(size), found)
            continue
        for place, low, high in coordinates:
            value, number = _alone(place, high, True)
            if value is not None:
                _below(value, number + 1, found)
            value, number = _alone(place, low, False)
            if value is not None:
                _from(value, number, found)
    for view in [v for v, r in found.items() if r == IndexRange()]:
        del found[view]
    return found


# -- coordinates ------------------------------------------------------------------------------------------------------


def _coordinates(tile: Any) -> Iterator[tuple[_Sum, int, int]]:
    """(coordinate, least, greatest legal value) of a tile's first point in each dimension of a view."""
    sizes, box = _sizes(tile.base), constant_box(tile.access_tile_set.data)
    if sizes is None or box is None:
        return
    sums = [_sum_of(v) for v in tile.indices]
    for expr, size, (low, n) in zip(tile.base_map.data.results, sizes, box, strict=False):
        if size == DYNAMIC_INDEX:
            continue
        yield from _place(expr, sums, -low, size - low - n)


def _subscripts(tile: Any) -> Iterator[tuple[_Sum, int, int]]:
    """The same for the index views of an indirect tile, and for its plain subscripts."""
    box = constant_box(tile.variables_space_set.data)
    if box is None:
        return
    captured = [_sum_of(v) for v in tile.captured_variables]
    views = iter(tile.indirect_memrefs)
    base = _sizes(tile.base)
    for k, (m, indirect) in enumerate(zip(tile.per_dim_subscript_maps.data, tile.per_dim_subscript_kinds.data,
                                          strict=True)):  # fmt: skip
        sizes = _sizes(next(views)) if indirect.value.data else base[k : k + 1] if base is not None else None
        for expr, size in zip(m.data.results, sizes or (), strict=False):
            if size == DYNAMIC_INDEX:
                continue
            for corner in (0, -1):  # the tile's first and last point
                ends = [_Sum(low if corner == 0 else low + n - 1) for low, n in box]
                yield from _place(expr, [*captured, *ends], 0, size - 1)


def _place(expr: AffineExpr, dims: list[_Sum], low: int, high: int) -> Iterator[tuple[_Sum, int, int]]:
    """What `low <= expr <= high` says about a sum."""
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.FloorDiv:
        by = expr.rhs
        if isinstance(by, AffineConstantExpr) and by.value > 0:
            expr, low, high = expr.lhs, low * by.value, (high + 1) * by.value - 1
    place = _affine(expr, dims)
    if place is not None:
        yield place, low, high


def _affine(expr: AffineExpr, dims: list[_Sum]) -> _Sum | None:
    """A linear expression of sums."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position] if expr.position < len(dims) else None
    if isinstance(expr, AffineConstantExpr):
        return _Sum(expr.value)
    if not isinstance(expr, AffineBinaryOpExpr):
        return None
    a, b = _affine(expr.lhs, dims), _affine(expr.rhs, dims)
    if a is None or b is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return a.add(b)
    if expr.kind is AffineBinaryOpKind.Mul and not (a.terms and b.terms):
        return _Sum().add(a, b.const) if not b.terms else _Sum().add(b, a.const)
    return None


def _sizes(view: SSAValue) -> list[int] | None:
    op = view.owner
    if not isinstance(op, Operation) or op.name != "ktdp.construct_memory_view":
        return None
    return list(op.properties["static_sizes"].get_values())  # type: ignore[attr-defined]


# -- sums -------------------------------------------------------------------------------------------------------------


def _sum_of(value: SSAValue) -> _Sum:
    op: Any = value.owner
    if not isinstance(op, Operation):
        return _Sum(0, {value: 1})
    known = constant_of(value)
    if known is not None:
        return _Sum(known)
    if op.name in CASTS:
        return _sum_of(op.operands[0])
    if op.name in ("arith.addi", "arith.subi"):
        return _sum_of(op.operands[0]).add(_sum_of(op.operands[1]), 1 if op.name == "arith.addi" else -1)
    if op.name == "arith.muli":
        a, b = _sum_of(op.operands[0]), _sum_of(op.operands[1])
        if not b.terms:
            return _Sum().add(a, b.const)
        if not a.terms:
            return _Sum().add(b, a.const)
    return _Sum(0, {value: 1})


def _alone(place: _Sum, limit: int, up: bool) -> tuple[SSAValue | None, int]:
    """(value, what it is at most): the one value that is left of `place <= limit` when loop variables and numbers of
    tiles are at their ends, and quotients times what they divide by are what is divided. (At least, not `up`.)"""
    for ends in (_known_end, _loop_end, _quotient_end):
        place = _replaced(place, ends, up)
        if len(place.terms) != 1:
            continue
        ((value, c),) = place.terms.items()
        if c <= 0:
            return None, 0
        number = (limit - place.const) // c if up else -((place.const - limit) // c)
        loop = _loop_of(value)
        if loop is None:
            return value, number
        lb, step = _sum_of(loop.operands[0]), _sum_of(loop.operands[2])
        if up and not lb.terms and not step.terms and step.const > 0:  # as many whole steps as there is room for
            rest = _sum_of(loop.operands[1])
            if len(rest.terms) == 1:
                place, limit = rest, lb.const + ((number - lb.const) // step.const + 1) * step.const
    return None, 0


_Ends = Callable[[SSAValue, int, bool], _Sum | None]


def _replaced(total: _Sum, ends: _Ends, up: bool) -> _Sum:
    """The sum with the greatest (`up`) or least values of those terms that `ends` knows, over and over."""
    while True:
        result, changed = _Sum(total.const), False
        for v, c in total.terms.items():
            end = ends(v, c, up == (c > 0))
            result = result.add(_Sum(0, {v: c}) if end is None else end)
            changed |= end is not None
        if not changed:
            return result
        total = result


def _loop_of(value: SSAValue) -> Any:
    """The loop whose variable a value is."""
    loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    return loop if loop is not None and loop.name == "scf.for" and value.index == 0 else None  # type: ignore[attr-defined]


def _known_end(value: SSAValue, scale: int, up: bool) -> _Sum | None:
    """A number of a tile, or the variable of a loop of constant bounds, at its end, scaled."""
    op: Any = value.owner
    loop = _loop_of(value)
    if loop is not None:
        lb, ub, step = (_sum_of(loop.operands[k]) for k in range(3))
        if lb.terms or ub.terms or step.terms or step.const <= 0:
            return None
        last = lb.const + max(0, ub.const - lb.const - 1) // step.const * step.const
        return _Sum(scale * (last if up else lb.const))
    if not isinstance(op, Operation) or op.name != "ktdp.get_compute_tile_id":
        return None
    around: Operation | None = op
    while around is not None and around.name != "func.func":
        around = around.parent_op()
    grid = grid_of(around) if around is not None else ()
    position = list(op.results).index(value)  # type: ignore[arg-type]
    return _Sum(scale * (grid[position] - 1) if up and position < len(grid) else 0)


def _loop_end(value: SSAValue, scale: int, up: bool) -> _Sum | None:
    """The variable of a loop at its end, scaled: the first value, or one less than the bound."""
    loop = _loop_of(value)
    if loop is None:
        return _known_end(value, scale, up)
    return _Sum().add(_sum_of(loop.operands[1]).add(_Sum(-1)) if up else _sum_of(loop.operands[0]), scale)


def _quotient_end(value: SSAValue, scale: int, up: bool) -> _Sum | None:
    """What is divided, where a quotient is multiplied again by what it was divided by."""
    op: Any = value.owner
    by = constant_of(op.operands[1]) if isinstance(op, Operation) and op.name in _DOWN | _UP else None
    if by is None or by <= 0 or scale % by:
        return _loop_end(value, scale, up)
    rounded = (by - 1 if up else 0) if op.name in _UP else (0 if up else 1 - by)
    return _Sum().add(_sum_of(op.operands[0]).add(_Sum(rounded)), scale // by)


# -- bounds of what is loaded -----------------------------------------------------------------------------------------


def _below(value: SSAValue, limit: int, found: Ranges) -> None:
    """Note that `value` is below a bound."""
    while isinstance(value.owner, Operation) and limit > 0:
        op: Any = value.owner
        if op.name in _THROUGH:
            value = op.operands[0]
            continue
        if op.name == "ktdp.load":
            _note(op, lambda r, n=limit: r.below(n), found)
            return
        if op.name == "arith.minsi":
            others = [v for v in op.operands if constant_of(v) is None]
            if len(others) == 1:
                if any((known := constant_of(v)) is not None and known < limit for v in op.operands):
                    return
                value = others[0]
                continue
        if op.name == "arith.maxsi":
            for v in op.operands:
                _below(v, limit, found)
            return
        behind = _before(op, limit)
        if behind is None:
            return
        value, limit = op.operands[0], behind


def _before(op: Any, bound: int) -> int | None:
    """What an operation's first operand is below (or at least) where its result is below (or at least) `bound`; None
    where the operation is none with a constant that is known to keep the order."""
    by = constant_of(op.operands[1]) if len(op.operands) == 2 else None
    if by is None:
        return None
    if op.name in ("arith.addi", "arith.subi"):
        return bound + (by if op.name == "arith.subi" else -by)
    if by <= 0:
        return None
    if op.name in _DOWN:
        return bound * by
    if op.name in _UP:
        return (bound - 1) * by + 1
    return -(-bound // by) if op.name == "arith.muli" else None


def _from(value: SSAValue, low: int, found: Ranges) -> None:
    """Note that `value` is not below a bound."""
    while isinstance(value.owner, Operation) and low > 0:
        op: Any = value.owner
        if op.name in _THROUGH:
            value = op.operands[0]
            continue
        if op.name == "ktdp.load":
            _note(op, lambda r, n=low: setattr(r, "low", max(r.low, n)), found)
            return
        behind = _before(op, low)
        if behind is None:
            return
        value, low = op.operands[0], behind


def _note(load: Operation, change: Callable[[IndexRange], Any], found: Ranges) -> None:
    """Change the range of the view that a load reads."""
    view = _view_of(load)
    if view is not None:
        change(found.setdefault(view, IndexRange()))


def _view_of(load: Operation) -> Operation | None:
    tile = load.operands[0].owner
    view = tile.operands[0].owner if isinstance(tile, Operation) else None
    return view if isinstance(view, Operation) and view.name == "ktdp.construct_memory_view" else None


def _order(distance: _Sum, found: Ranges) -> None:
    """Note that a view is in order where a loop goes, or another view reaches, from one of its numbers to a later."""
    while len(distance.terms) == 1:
        op: Any = next(iter(distance.terms)).owner
        if not isinstance(op, Operation):
            return
        if op.name == "arith.minsi":
            open_ = [v for v in op.operands if constant_of(v) is None]
            if len(open_) != 1:
                return
            distance = _sum_of(open_[0])
        elif op.name in _DOWN | _UP:
            distance = _sum_of(op.operands[0])
        else:
            return
    ends = {c: _load_of(v) for v, c in distance.terms.items()}
    first, last = ends.get(-1), ends.get(1)
    if len(distance.terms) != 2 or first is None or last is None:
        return
    view = _view_of(first)
    if view is None or view is not _view_of(last):
        return
    a, b = (_first_point(load.operands[0].owner) for load in (first, last))
    if a is None or b is None:
        return
    moves = [y.add(x, -1) for x, y in zip(a, b, strict=True)]
    if all(not m.terms and m.const >= 0 for m in moves) and any(m.const for m in moves):
        found.setdefault(view, IndexRange()).ordered = True


def _first_point(tile: Any) -> list[_Sum] | None:
    """The first coordinates of a plain tile."""
    if tile.name != "ktdp.construct_access_tile":
        return None
    sums = [_sum_of(v) for v in tile.indices]
    places = [_affine(e, sums) for e in tile.base_map.data.results]
    return None if any(p is None for p in places) else [p for p in places if p is not None]


def _load_of(value: SSAValue) -> Operation | None:
    """The load that a number is an element of."""
    while isinstance(value.owner, Operation) and value.owner.name in _THROUGH:
        value = value.owner.operands[0]
    op = value.owner
    return op if isinstance(op, Operation) and op.name == "ktdp.load" else None
