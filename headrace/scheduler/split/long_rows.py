"""Reductions over more points than the scratchpad holds: folded in parts, then over the parts.

A program with reductions has whole rows in its slots. Where the rows do not fit, the program reads them once for each
reduction: one program folds pieces of a row, each a row of its own, into partial results that are kept in the
scratchpad (in the type in which the reduction accumulates), a second one folds these.

    %r = reduce max %x : 2x1000000    ->    store (reduce max (expand %x : 2x125x8000)), K : 2x125
                                            store (reduce max (load K)), R : 2 ; %r = load R
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.scheduler.build import Emitter, constant_of, is_inside
from headrace.scheduler.linear import Linear
from headrace.scheduler.ops import fill, neutral
from headrace.scheduler.split import tiles
from headrace.scheduler.split.contraction import converted
from headrace.scheduler.split.cuts import CutRequest
from headrace.scheduler.split.reductions import COMBINERS, extents_of, shape_of
from headrace.scheduler.split.rows import accumulator_type, vector_of
from headrace.scheduler.split.scalarize import number
from headrace.scheduler.split.tiles import Keep

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder

COPIES = 2
"""Copies of a row that overlap needs."""
PIECES = 8
"""Pieces of a row that should fit side by side: they are loaded while others are folded."""
Capacity = Callable[[str], int]
"""Bytes of a memory that the compiler's buffers may take."""


class CutRow(CutRequest):
    """The reduction `op` must be folded in pieces of about `points` points: its rows do not fit the memories; `once`: a
    single copy of them does."""

    def __init__(self, value: SSAValue, op: Operation, points: int, once: bool):
        super().__init__(f"its rows do not fit the scratchpad, pieces of {points} points would")
        self.value, self.op, self.points, self.once = value, op, points, once


def check_rows(builder: Builder, capacity: Capacity) -> None:
    """Raise CutRow for the first reduction that has to be folded in pieces, so that the program's rows fit."""
    sizes = [constant_of(n) for n in builder.extents]
    private = {d for n in builder.nodes for d in n.reduced}
    if not private or any(sizes[d] is None for d in private):
        return
    vector = vector_of(builder)
    lanes = min(builder.device.vector_lanes(o.access.element_type) for o in builder.operands)
    lanes = min(lanes, (sizes[vector] if vector >= 0 else None) or lanes)
    need: dict[str, int] = {}

    def add(space: Attribute, size: int) -> None:
        for kind in builder.device.route(builder.device.space_to_kind(space), builder.device.compute_kind)[1:-1]:
            if kind in builder.device.memories:
                need[kind] = need.get(kind, 0) + size * COPIES

    if builder.index_users:  # numbers that will come from memory
        add(builder.outputs[0].access.space, prod(sizes[d] or 1 for d in private) * 4)
    for operand in builder.operands:
        points = prod(sizes[d] or 1 for d in private if operand.walks(d))
        if vector >= 0 and vector not in private and operand.walks(vector):
            points *= lanes
        add(operand.access.space, points * operand.access.element_bytes)
    share = min((capacity(kind) / n for kind, n in need.items() if n), default=1.0)
    if share >= 1:
        return
    points = max(1, int(prod(sizes[d] or 1 for d in private) * share / PIECES))
    for node in builder.nodes:
        if prod(sizes[d] or 1 for d in node.reduced) > points:
            raise CutRow(node.value, node.op, points, share * COPIES >= 1)


def cut_row(value: SSAValue, points: int, keep: Keep) -> bool:
    """Fold a reduction's result in pieces of at most `points` points; whether that is possible."""
    found, plan = _plan(value, points)
    if found is None or plan is None:
        return False
    found.rewrite(plan, keep)
    return True


def kept_bytes(value: SSAValue, points: int) -> int:
    """Bytes that `cut_row` keeps; 0 where it is not possible."""
    found, plan = _plan(value, points)
    return found.kept_bytes(plan) if found is not None and plan is not None else 0


def _plan(value: SSAValue, points: int) -> tuple[_Fold | None, Pieces | None]:
    """A reduction's result and how to fold it in pieces of at most `points` points, as far as that is possible."""
    op = value.owner
    if not isinstance(op, Operation) or not (isinstance(op, linalg.GenericOp) or op.name == "linalg.reduce"):
        return None, None
    found = _Fold.of(op, list(op.results).index(value))  # type: ignore[arg-type]
    return found, found.pieces(points) if found is not None else None


@dataclass(frozen=True)
class Pieces:
    """Dimension `cut` is folded `size` indices at a time, the folded dimensions `outer` one index at a time."""

    cut: int
    size: int
    outer: tuple[int, ...]


@dataclass
class _Fold:
    """Result `which` of a reduction."""

    op: Operation
    which: int
    inputs: list[SSAValue]
    init: SSAValue
    maps: list[AffineMap]
    out: AffineMap
    kinds: list[str]
    extents: list[int]
    combiner: Operation

    @classmethod
    def of(cls, op: Operation, which: int) -> _Fold | None:
        """What is folded, where that can be taken apart."""
        inputs, inits, maps, kinds = shape_of(op)
        extents = extents_of(op, inputs + inits, maps, len(kinds))
        block = op.regions[0].block
        last = block.last_op
        assert last is not None
        combiner = last.operands[which].owner
        accumulator = block.args[len(inputs) + which]
        if any(n is None for n in extents) or not isinstance(combiner, Operation) or combiner.name not in COMBINERS:
            return None
        if sum(v is accumulator for v in combiner.operands) != 1 or not accumulator.has_one_use():
            return None
        out = maps[len(inputs) + which]
        if not all(isinstance(e, AffineDimExpr) for e in out.results):
            return None
        known = [n for n in extents if n is not None]
        return cls(op, which, inputs, inits[which], maps[: len(inputs)], out, kinds, known, combiner)

    def pieces(self, points: int) -> Pieces | None:
        """How to cut, innermost dimensions whole; None where there is nothing to gain, or an operand walks a dimension
        in no simple way."""
        folded = [k for k, kind in enumerate(self.kinds) if kind == "reduction"]
        inner = 1
        for i in reversed(range(len(folded))):
            k = folded[i]
            if inner * self.extents[k] > points:
                plan = Pieces(k, piece(self.extents[k], max(1, points // inner)), tuple(folded[:i]))
                for m in self.maps:
                    for e in m.results:
                        if not isinstance(e, AffineDimExpr) and k in e.used_dims():
                            return None
                return plan
            inner *= self.extents[k]
        return None

    def kept_bytes(self, plan: Pieces) -> int:
        """Bytes of what `rewrite` keeps: the partial results, and the result."""
        element = self.op.results[self.which].type.element_type  # type: ignore[attr-defined]
        results = prod(self.extents[e.position] for e in self.out.results)  # type: ignore[attr-defined]
        pieces = -(-self.extents[plan.cut] // plan.size) * prod(self.extents[k] for k in plan.outer)
        wide = dtype_of(accumulator_type(element, self.combiner.name)).bytes
        return results * (pieces * wide + dtype_of(element).bytes)

    def rewrite(self, plan: Pieces, keep: Keep) -> None:
        """Replace the result."""
        result = self.op.results[self.which]
        element = result.type.element_type  # type: ignore[attr-defined]
        wide = accumulator_type(element, self.combiner.name)
        emit = Emitter.before(self.op)
        count = self.extents[plan.cut] // plan.size
        main = self.partial(emit, plan, 0, count, wide)
        kept = _kept(emit, main, keep)
        rank = len(self.out.results)
        start = converted(emit, self.init, wide)
        shape = list(main.type.get_shape())  # type: ignore[attr-defined]
        total = _folded(emit, kept, start, self.combiner, list(range(rank, len(shape))))
        if count * plan.size < self.extents[plan.cut]:
            rest = _kept(emit, self.partial(emit, plan, count * plan.size, 0, wide), keep)
            dims = list(range(rank, len(rest.type.get_shape())))  # type: ignore[attr-defined]
            total = _folded(emit, rest, total, self.combiner, dims)
        final = _kept(emit, converted(emit, total, element), keep)
        result.replace_all_uses_with(final)

    def partial(self, emit: Emitter, plan: Pieces, low: int, count: int, wide: Attribute) -> SSAValue:
        """The results of `count` pieces from index `low` of the dimension that is cut (0: of the one piece that is
        left), dimensions: those of the reduction's result, then `outer`, then the pieces."""
        cut, shift = plan.cut, 1 if count else 0
        end = low + count * plan.size if count else self.extents[cut]
        position = [k + shift if k >= cut else k for k in range(len(self.kinds))]  # of the inner part, where cut

        def moved(m: AffineMap, both: bool) -> AffineMap:
            dims = [AffineDimExpr(p) for p in position]
            results: list[AffineExpr] = []
            for e in m.results:
                if both and shift and isinstance(e, AffineDimExpr) and e.position == cut:
                    results.append(AffineDimExpr(cut))
                results.append(e.replace_dims_and_symbols(dims, []))
            return AffineMap(len(self.kinds) + shift, 0, tuple(results))

        inputs: list[SSAValue] = []
        for v, m in zip(self.inputs, self.maps, strict=True):
            walked = [i for i, e in enumerate(m.results) if isinstance(e, AffineDimExpr) and e.position == cut]
            for i in reversed(walked):
                extents = list(v.type.get_shape())  # type: ignore[attr-defined]
                if (low, end) != (0, extents[i]):
                    extents[i] = end - low
                    v = tiles.slice_of(emit, v, i, low, extents)
                if shift:
                    v = tiles.expanded(emit, v, i, plan.size)
            inputs.append(v)
        kinds = ["reduction"] * (len(self.kinds) + shift)
        for k, kind in enumerate(self.kinds):
            if kind != "reduction" or k in plan.outer:
                kinds[position[k]] = "parallel"
        shape = [self.extents[e.position] for e in self.out.results]  # type: ignore[attr-defined]
        shape += [self.extents[k] for k in plan.outer]
        out = [*moved(self.out, False).results, *(AffineDimExpr(position[k]) for k in plan.outer)]
        if shift:
            kinds[cut] = "parallel"
            shape.append(count)
            out.append(AffineDimExpr(cut))
        start = emit.insert(arith.ConstantOp(number(wide, neutral(self.combiner.name, wide)))).result
        empty = emit.insert(tensor.EmptyOp([], TensorType(wide, shape))).results[0]
        maps = [*(moved(m, True) for m in self.maps), AffineMap(len(kinds), 0, tuple(out))]
        generic = linalg.GenericOp(
            inputs,
            [emit.insert(fill(start, empty)).results[0]],
            Region(self.body(wide, plan, low, shift)),
            [AffineMapAttr(m) for m in maps],
            [IteratorTypeAttr.reduction() if k == "reduction" else IteratorTypeAttr.parallel() for k in kinds],
            [empty.type],
        )
        return emit.insert(generic).results[0]

    def body(self, wide: Attribute, plan: Pieces, low: int, shift: int) -> Block:
        """The reduction's body for one result, in the wide type, with its indices moved."""
        old = self.op.regions[0].block
        accumulator = old.args[len(self.inputs) + self.which]
        block = Block(arg_types=[*(a.type for a in old.args[: len(self.inputs)]), wide])
        mapping: dict[SSAValue, SSAValue] = dict(zip(old.args, block.args[:-1], strict=False))
        emit = Emitter(InsertPoint.at_end(block), self.op)
        needed = _needed(self.combiner, self.op)
        for op in old.ops:
            if op is self.combiner or op not in needed:
                continue
            if op.name != "linalg.index":
                emit.insert(op.clone(mapping))
                continue
            k = op.properties["dim"].value.data  # type: ignore[attr-defined]
            at = emit.insert(linalg.IndexOp(k + shift if k >= plan.cut else k)).result
            if k == plan.cut:
                if shift:
                    outer = emit.insert(linalg.IndexOp(k)).result
                    at = emit.value(emit.add(emit.mul(outer, plan.size), at))
                at = emit.value(emit.add(at, low))
            mapping[op.results[0]] = at
        mapping[accumulator] = block.args[-1]
        sides: list[SSAValue] = []
        for v in self.combiner.operands:
            v = mapping.get(v, v)
            if v.type != wide:
                v = emit.insert(arith.ExtFOp(v, wide)).result
            sides.append(v)
        emit.insert(linalg.YieldOp(emit.insert(_like(self.combiner, sides, wide)).results[0]))
        return block


def piece(extent: int, most: int) -> int:
    """Indices of a piece: a divisor of the extent, preferably one that is a multiple of many lanes; else a number that
    leaves a rest."""
    for step in (128, 1):
        for n in range(most // step * step, max(1, most // 4), -step):
            if extent % n == 0:
                return n
    return most // 128 * 128 or most


def _needed(combiner: Operation, op: Operation) -> set[Operation]:
    """The operations inside `op` that the combiner's operands are computed from."""
    found: set[Operation] = set()
    work = list(combiner.operands)
    while work:
        v = work.pop()
        if isinstance(v.owner, Operation) and v.owner not in found and is_inside(v, op):
            found.add(v.owner)
            work += v.owner.operands
    return found


def _like(combiner: Operation, operands: Sequence[SSAValue], result: Attribute) -> Operation:
    """The combiner on other operands."""
    made = type(combiner).create(
        operands=list(operands),
        result_types=[result],
        properties=dict(combiner.properties),
        attributes=dict(combiner.attributes),
    )
    copy_loc(combiner, made)
    return made


def _folded(emit: Emitter, value: SSAValue, start: SSAValue, combiner: Operation, dims: list[int]) -> SSAValue:
    """`linalg.reduce` of a tensor over `dims`; without any, the combination of both."""
    if not dims:
        return emit.insert(_like(combiner, [start, value], value.type)).results[0]
    element = value.type.element_type  # type: ignore[attr-defined]
    block = Block(arg_types=[element, element])
    op = _like(combiner, block.args, element)
    block.add_op(op)
    block.add_op(linalg.YieldOp(op.results[0]))
    return emit.insert(
        linalg.ReduceOp.create(
            operands=[value, start],
            result_types=[start.type],
            properties={"dimensions": DenseArrayBase.from_list(i64, dims)},
            regions=[Region(block)],
        )
    ).results[0]


def _kept(emit: Emitter, value: SSAValue, keep: Keep) -> SSAValue:
    """The tensor, by way of the scratchpad."""
    t = value.type
    assert isinstance(t, TensorType) and emit.origin is not None
    shape = list(t.get_shape())
    view = keep(shape, t.element_type, emit.origin, emit)
    at = [Linear()] * len(shape)
    tiles.store(emit, value, tiles.make_tile(emit, view, at, shape))
    return tiles.load(emit, tiles.make_tile(emit, view, at, shape), t.element_type)
