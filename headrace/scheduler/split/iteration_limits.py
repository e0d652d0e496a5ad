"""How often a loop runs at most, from what its body accesses: what each iteration loads or stores lies in a view of
known extents, so a coordinate that moves with the loop's variable cannot move on for longer than the view is.

    scf.for %i = %lo to %hi { load A[%i * 4, 0] : 4x64 }   A of 32x64   8 iterations at most
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from headrace.ir.analysis.grid import grid_of
from headrace.ir.analysis.sets import constant_box
from headrace.ir.dialects import ktdp
from headrace.scheduler.access import Marker
from headrace.scheduler.build import Emitter, Index, ancestors, clone_slice, constant_of, is_inside, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.split.elements import depends_on_tensor
from headrace.scheduler.split.groups import depends_on
from headrace.scheduler.split.states import trip_count
from headrace.scheduler.split.value_limits import peeled, span_of

DOWN = frozenset({"arith.floordivsi", "arith.divui"})
"""Quotients that are rounded down (of what is not negative)."""


@dataclass(frozen=True)
class Inside:
    """In every iteration `low <= form <= high`, for each value in `ranges` of the terms that walk a tile or an inner
    loop."""

    form: Linear
    low: int
    high: int
    ranges: dict[object, tuple[int, int]] = field(default_factory=dict)


class IterationLimits:
    """What the accesses in the body of a loop say about how often it runs; `emit` computes in front of the loop."""

    def __init__(self, loop: scf.ForOp, kernel: Operation, emit: Emitter):
        self.loop, self.emit = loop, emit
        self.iv = loop.body.block.args[0]
        self.grid = grid_of(kernel)
        self.facts = list(self._facts())

    def trips(self, step: int, by_data: bool) -> int | None:
        """The most iterations, whatever the first one is: from how far a coordinate moves in each (`by_data`: only one
        that also depends on data, so that `ends` does not know it)."""
        found: int | None = None
        for fact in self.facts:
            if by_data and not any(depends_on_tensor(v) for v in self._rest(fact).terms):
                continue
            move = abs(fact.form.coefficient(self.iv)) * step
            spread = sum(abs(fact.form.terms[v]) * (b - a) for v, (a, b) in fact.ranges.items())  # type: ignore[index]
            trips = max(0, (fact.high - fact.low - spread) // move + 1)
            found = trips if found is None else min(found, trips)
        return found

    def ends(self) -> list[Index]:
        """Values that the loop's variable stays below: numbers, and what depends on the tile or the launch."""
        found: list[Index] = []
        least: int | None = None
        open_: dict[object, tuple[Linear, int, int | None]] = {}
        for fact in self.facts:
            a = fact.form.coefficient(self.iv)
            rest = self._rest(fact)
            if any(depends_on_tensor(v) for v in rest.terms):
                continue
            if a > 0:  # a iv + rest <= high
                room = rest.scaled(-1) + (fact.high - self._extreme(fact, True))
            else:  # |a| iv <= rest - low
                room = rest + (self._extreme(fact, False) - fact.low)
            if room.is_const:
                end = room.const // abs(a) + 1
                least = end if least is None else min(least, end)
            else:
                span = span_of(room, self.grid)
                open_[(room.key(), abs(a))] = (room, abs(a), None if span is None else span[0] // abs(a) + 1)
        for room, a, lowest in open_.values():
            if least is None or lowest is None or lowest < least:
                mapping: dict[SSAValue, SSAValue] = {}
                inner = [v for v in room.terms if is_inside(v, self.loop)]
                mapping.update(zip(inner, clone_slice(inner, mapping, self.emit), strict=True))
                found.append(self.emit.add(self.emit.floordiv(room.emit(self.emit, mapping), a), 1))
        return found if least is None else [least, *found]

    def _rest(self, fact: Inside) -> Linear:
        """What is the same in all iterations."""
        return fact.form.without({self.iv, *fact.ranges})  # type: ignore[arg-type]

    @staticmethod
    def _extreme(fact: Inside, up: bool) -> int:
        """The greatest or least that the terms with ranges add."""
        total = 0
        for v, (a, b) in fact.ranges.items():
            c = fact.form.terms[v]  # type: ignore[index]
            total += c * (b if (c > 0) == up else a)
        return total

    # -- facts --------------------------------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Inside]:
        for op in walk_ops(self.loop, "ktdp.load", "ktdp.store"):
            tile = op.operands[-1].owner
            if not self._certain(op) or not isinstance(tile, Operation):
                continue
            if isinstance(tile, ktdp.ConstructAccessTileOp):
                yield from self._plain(tile)
            elif isinstance(tile, ktdp.ConstructIndirectAccessTileOp):
                yield from self._indirect(tile)

    def _certain(self, op: Operation) -> bool:
        """Whether every iteration executes an operation: only loops that run at least once are around it."""
        for around in ancestors(op):
            if around is self.loop:
                return True
            if not isinstance(around, scf.ForOp) or not trip_count(around):
                return False
        return False

    def _plain(self, tile: ktdp.ConstructAccessTileOp) -> Iterator[Inside]:
        sizes, box = extents_of(tile.base), constant_box(tile.access_tile_set.data)
        if sizes is None or box is None:
            return
        base = tile.base_map
        assert isinstance(base, AffineMapAttr)
        forms = [linear(v) for v in tile.indices]
        for expr, size, (low, n) in zip(base.data.results, sizes, box, strict=False):
            yield from self._fact(expr, forms, base.data.num_dims, -low, size - low - n, {})

    def _indirect(self, tile: ktdp.ConstructIndirectAccessTileOp) -> Iterator[Inside]:
        box = constant_box(tile.variables_space_set.data)
        if box is None:
            return
        markers = [Marker(i) for i in range(len(box))]
        ends = [(low, low + n - 1) for low, n in box]
        ranges: dict[object, tuple[int, int]] = dict(zip(markers, ends, strict=True))
        forms = [linear(v) for v in tile.captured_variables] + [Linear(0, {m: 1}) for m in markers]  # type: ignore[dict-item]
        views = iter(tile.indirect_memrefs)
        base = extents_of(tile.base)
        maps = [m.data for m in tile.per_dim_subscript_maps.data]  # type: ignore[attr-defined]
        kinds = [bool(k.value.data) for k in tile.per_dim_subscript_kinds.data]  # type: ignore[attr-defined]
        for k, (m, indirect) in enumerate(zip(maps, kinds, strict=True)):
            sizes = extents_of(next(views)) if indirect else None if base is None else [base[k]]
            for expr, size in zip(m.results, sizes or (), strict=False):
                yield from self._fact(expr, forms, m.num_dims, 0, size - 1, ranges)

    def _fact(
        self,
        expr: AffineExpr,
        forms: Sequence[Linear],
        dims: int,
        low: int,
        high: int,
        ranges: dict[object, tuple[int, int]],
    ) -> Iterator[Inside]:
        """What `low <= expr <= high` says, if that is something about the loop's variable."""
        if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.FloorDiv:
            by = expr.rhs
            if isinstance(by, AffineConstantExpr) and by.value > 0:
                expr, low, high = expr.lhs, low * by.value, (high + 1) * by.value - 1
        form = of_affine(expr, list(forms), dims)
        if form is None:
            return
        form, low, high = self._numerator(form, low, high)
        own = {v: r for v, r in ranges.items() if v in form.terms}
        for v in form.terms:
            if v in own or v is self.iv or isinstance(v, Marker):
                continue
            if isinstance(v, BlockArgument) and isinstance(inner := v.owner.parent_op(), scf.ForOp) and is_inside(
                v, self.loop
            ):
                lb, count, step = constant_of(inner.lb), trip_count(inner), constant_of(inner.step)
                if v.index or lb is None or count is None or step is None or count < 1:
                    return
                own[v] = lb, lb + (count - 1) * step
            elif is_inside(v, self.loop) and not self._same(v):
                return
        if form.coefficient(self.iv):
            yield Inside(form, low, high, own)

    def _numerator(self, form: Linear, low: int, high: int) -> tuple[Linear, int, int]:
        """The limits of what is divided by a constant, where the form is such a quotient."""
        if form.const or len(form.terms) != 1 or next(iter(form.terms.values())) != 1:
            return form, low, high
        term = next(iter(form.terms))
        if not isinstance(term, SSAValue):
            return form, low, high
        op = peeled(term).owner
        if not isinstance(op, Operation) or (op.name not in DOWN and op.name != "arith.divsi"):
            return form, low, high
        by = constant_of(op.operands[1])
        if by is None or by <= 0:
            return form, low, high
        below = by - 1 if op.name == "arith.divsi" and low <= 0 else 0  # also what is a little below zero gives zero
        return linear(op.operands[0]), low * by - below, (high + 1) * by - 1

    def _same(self, value: SSAValue) -> bool:
        """Whether a value inside the loop is the same in all iterations, and known at launch."""
        if depends_on_tensor(value):
            return False
        return not any(depends_on(value, a) for block in _blocks(self.loop) for a in block.args)


def _blocks(loop: Operation) -> Iterator[Block]:
    for op in loop.walk():
        for region in op.regions:
            yield from region.blocks


def extents_of(view: SSAValue) -> list[int] | None:
    """The extents of a plain view where all are numbers. (Points outside a view with an unknown one are no error.)"""
    op = view.owner
    if not isinstance(op, ktdp.ConstructMemoryViewOp):
        return None
    sizes = [int(n) for n in op.static_sizes.get_values()]  # type: ignore[attr-defined]
    return None if DYNAMIC_INDEX in sizes else sizes
