"""Communication between tiles as stores, exchanges of scratchpad, and loads.

    %f = produce { yield %p }            store %p, A
    %r = gather(%f), S            ->     headrace.exchange(A, B)      // from each producer's A to its part of B
                                         %r = load B

A reduction gathers what it combines, and every consumer combines it, in ascending tile id as the definition does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith, linalg
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.analysis.inter_tile import (
    COMBINING,
    DELIVERIES,
    Group,
    broken,
    ground,
    pieces,
    producer_of,
    shape_of,
)
from headrace.ir.diagnostics import error
from headrace.ir.dialects.ktdp import InterTileProduceOp
from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.scheduler.build import Emitter, clone_slice, copy_deep_loc, walk_ops
from headrace.scheduler.split.exchanges import Box, Exchanger
from headrace.scheduler.split.tiles import dense_strides

PASS = "tile-communication"
PLAIN = frozenset(
    "arith." + name
    for name in (
        *("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"),
        *("addi", "muli", "maxsi", "minsi", "andi", "ori"),
    )
)
"""Combiners of one operation that are reductions."""


def lower_deliveries(exchanger: Exchanger) -> None:
    """Rewrite every delivery of a kernel with the produce operation it takes from."""
    for op in list(walk_ops(exchanger.kernel)):
        if isinstance(op, DELIVERIES):
            _Delivery(exchanger, op).run()
    for op in list(walk_ops(exchanger.kernel)):
        if isinstance(op, InterTileProduceOp):
            raise error(op, "the future must have exactly one use (R2)")


class _Delivery:
    def __init__(self, exchanger: Exchanger, op: Operation):
        self.x, self.op = exchanger, op
        exchanger.need_interconnect(op, "communication between tiles")
        source = producer_of(op)
        if source is None:
            raise error(op, "the future must be a result of 'ktdp.inter_tile_produce'")
        uses = len(list(source.future.uses))
        if uses != 1:
            raise error(source, f"the future must have exactly one use, but has {uses} (R2)")
        self.source = source
        groups = ground(op, exchanger.static.tiles)
        if groups is None:
            raise error(op, f"the tile sets of '{op.name}' cannot be enumerated ({PASS})")
        message = broken(op, groups)
        if message is not None:
            raise error(op, f"'{op.name}': {message}")
        self.groups: Sequence[Group] = groups
        self.partials: list[TensorType] = list(source.future.type.partials)  # type: ignore[attr-defined]
        for t in self.partials:
            if min(t.get_shape(), default=0) < 0:
                raise error(op, f"a partial of extents only known at launch is not supported by {PASS}")

    def run(self) -> None:
        """Replace both operations."""
        buffers = self.produce()
        emit = Emitter(InsertPoint.before(self.op), self.op)
        if isinstance(self.op, COMBINING):
            results = self.reduce(emit, buffers)
        else:
            results = [self.copy(emit, k, a) for k, a in enumerate(buffers)]
        first = self.op.next_op
        for old, new in zip(self.op.results, results, strict=True):
            old.replace_all_uses_with(new)
        if {c for g in self.groups for c in g.sources} != set(range(self.x.static.tiles)):
            sink(self.op, first)
        self.op.detach()
        self.op.erase()
        self.source.detach()
        self.source.erase()

    def produce(self) -> list[int]:
        """Every producer stores its partials; addresses of the buffers, by role."""
        block = self.source.body.block
        emit = Emitter(InsertPoint.before(self.source), self.source)
        group_of = {t: g.number for g in self.groups for t in g.producers}
        emit = self.x.guarded(emit, list(group_of))
        mapping: dict[SSAValue, SSAValue] = {}
        if block.args[0].uses:
            block.args[0].replace_all_uses_with(self.x.chosen(emit, group_of))
        last = block.last_op
        assert last is not None
        for inner in list(block.ops):
            if inner is last:
                continue
            new = inner.clone(mapping)
            copy_deep_loc(inner, new)
            Rewriter.insert_op(new, emit.point)
        buffers = []
        for v, t in zip(last.operands, self.partials, strict=True):
            address = self.x.buffer(prod(t.get_shape()), t.element_type, self.source)
            self.x.store(emit, mapping.get(v, v), address)
            buffers.append(address)
        return buffers

    # -- copies -------------------------------------------------------------------------------------------------------

    def boxes(self, role: int, shape: Sequence[int], slots: bool) -> list[Box]:
        """The moves of one role into a result of `shape`; with `slots` every source has a slot of its own."""
        partial = shape_of(self.partials[role])
        near, far = dense_strides(list(partial)), dense_strides(list(shape))
        found = []
        for g in self.groups:
            for consumer in g.consumers:
                for k, p in enumerate(pieces(self.op, g, consumer, role)):
                    start = sum(a * s for a, s in zip(p.source, near, strict=True))
                    end = sum(a * s for a, s in zip(p.target, far, strict=True)) + (k * prod(shape) if slots else 0)
                    found.append(Box(p.producer, consumer, 0, 1, start, end, p.shape, tuple(near), tuple(far)))
        return found

    def copy(self, emit: Emitter, role: int, source: int) -> SSAValue:
        """Consume, gather, scatter, all-to-all."""
        shape, element = shape_of(self.op.results[role].type), self.partials[role].element_type
        target = self.x.buffer(prod(shape), element, self.op)
        memrefs = [
            self.x.flat(source, prod(shape_of(self.partials[role])), element, emit),
            self.x.flat(target, prod(shape), element, emit),
        ]
        self.x.exchange(emit, memrefs, self.boxes(role, shape, slots=False), self.op)
        return self.x.load(emit, target, shape, element)

    # -- reductions ---------------------------------------------------------------------------------------------------

    def part(self, role: int) -> tuple[int, ...]:
        """Shape of what a consumer combines: its result, with the partial's unit dimensions."""
        group = next((g for g in self.groups if g.consumers and g.sources[g.consumers[0]]), None)
        if group is None:
            return shape_of(self.op.results[role].type)
        return pieces(self.op, group, group.consumers[0], role)[0].shape

    def reduce(self, emit: Emitter, sources: list[int]) -> list[SSAValue]:
        """Gather the partials (or one's part of them) and combine them."""
        op, x = self.op, self.x
        counts = {len(s) for g in self.groups for s in g.sources.values()}
        most = max(counts, default=0)
        slots: list[int] = []
        parts = [self.part(k) for k in range(len(self.partials))]
        identities = list(op.operands[1:])
        for role, (source, t) in enumerate(zip(sources, self.partials, strict=True)):
            part, element = parts[role], t.element_type
            size = prod(part)
            target = x.buffer(most * size, element, op)
            if len(counts) > 1:
                start = self.identity(emit, role, part)
                for k in range(most):
                    x.store(emit, start, target + k * size * _bytes(element))
            memrefs = [x.flat(source, prod(t.get_shape()), element, emit), x.flat(target, most * size, element, emit)]
            x.exchange(emit, memrefs, self.boxes(role, part, slots=True), op)
            slots.append(target)
        names = plain_combiner(op.regions[0].block, len(identities))
        values: list[SSAValue] = []
        starts = [self.identity(emit, k, parts[k]) for k in range(len(parts))]
        if names is not None and most > 1:
            for role, (combiner, t) in enumerate(zip(names, self.partials, strict=True)):
                whole = x.load(emit, slots[role], (most, *parts[role]), t.element_type)
                values.append(fold(emit, combiner, whole, starts[role]))
        else:
            values = starts
            for k in range(most):
                loaded = [
                    x.load(emit, slots[r] + k * prod(parts[r]) * _bytes(t.element_type), parts[r], t.element_type)
                    for r, t in enumerate(self.partials)
                ]
                values = self.combined(emit, values, loaded)
        return [self.reshaped(emit, v, r.type) for v, r in zip(values, op.results, strict=True)]

    def identity(self, emit: Emitter, role: int, part: Sequence[int]) -> SSAValue:
        """The identity's part that the running tile combines with."""
        value = self.op.operands[1 + role]
        whole, element = shape_of(value.type), self.partials[role].element_type
        t = TensorType(element, list(part))
        if prod(whole) == prod(part):
            return self.reshaped(emit, value, t)
        constant = value.owner.value if isinstance(value.owner, arith.ConstantOp) else None
        if isinstance(constant, DenseIntOrFPElementsAttr) and constant.is_splat():
            number = constant.get_attrs()[0]
            return emit.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(t, [number.value.data]))).results[0]  # type: ignore[attr-defined,arg-type]
        near, far = dense_strides(list(whole)), dense_strides(list(part))
        boxes = []
        for g in self.groups:
            for c in g.consumers:
                start = pieces(self.op, g, c, role)[0].source
                offset = sum(a * s for a, s in zip(start, near, strict=True))
                boxes.append(Box(c, c, 0, 1, offset, 0, tuple(part), tuple(near), tuple(far)))
        source, target = self.x.buffer(prod(whole), element, self.op), self.x.buffer(prod(part), element, self.op)
        self.x.store(emit, value, source)
        memrefs = [self.x.flat(source, prod(whole), element, emit), self.x.flat(target, prod(part), element, emit)]
        self.x.exchange(emit, memrefs, boxes, self.op)
        return self.x.load(emit, target, part, element)

    def reshaped(self, emit: Emitter, value: SSAValue, t: object) -> SSAValue:
        """A value of equal element count in another shape, by way of the scratchpad."""
        assert isinstance(t, TensorType)
        if value.type == t:
            return value
        address = self.x.buffer(prod(t.get_shape()), t.element_type, self.op)
        self.x.store(emit, value, address)
        return self.x.load(emit, address, t.get_shape(), t.element_type)

    def combined(self, emit: Emitter, left: list[SSAValue], right: list[SSAValue]) -> list[SSAValue]:
        """The combiner's region on values."""
        block = self.op.regions[0].block
        mapping = dict(zip(block.args, [*left, *right], strict=True))
        last = block.last_op
        assert last is not None
        clone_slice(list(last.operands), mapping, emit)
        return [mapping[v] for v in last.operands]


def sink(delivery: Operation, first: Operation | None) -> None:
    """Move what makes a delivery's result after its last exchange, and pure operations from `first` on that need it,
    under the condition that all users are under: other tiles have no result."""
    made: list[Operation] = []
    op = delivery.prev_op
    while op is not None and op.name != "headrace.exchange":
        if op.name in ("ktdp.load", "linalg.generic") or op.name.startswith("arith."):
            made.append(op)
        op = op.prev_op
    chain: dict[Operation, None] = dict.fromkeys(reversed(made))
    op = first
    while op is not None:
        pure = op.name.startswith(("tensor.", "arith.", "linalg.", "math.", "spyreop.")) and bool(op.results)
        if pure and any(v.owner in chain for v in op.operands):
            chain[op] = None
        op = op.next_op
    for op in reversed(chain):
        blocks = [use.operation.parent for r in op.results for use in r.uses]
        target = blocks[0] if blocks else None
        if target is None or target is op.parent or any(b is not target for b in blocks):
            continue
        user = next(o for o in target.ops if any(v.owner is op for v in o.operands))
        op.detach()
        target.insert_op_before(op, user)


def _bytes(element: object) -> int:
    return dtype_of(element).bytes  # type: ignore[arg-type]


def plain_combiner(block: Block, roles: int) -> list[Operation] | None:
    """The combining operation of each role, if each is one reduction of its two arguments."""
    last = block.last_op
    found: list[Operation] = []
    if last is None or len(list(block.ops)) != roles + 1:
        return None
    for k, v in enumerate(last.operands):
        op = v.owner
        if not isinstance(op, Operation) or op.name not in PLAIN:
            return None
        if set(op.operands) != {block.args[k], block.args[roles + k]}:
            return None
        found.append(op)
    return found


def fold(emit: Emitter, combiner: Operation, values: SSAValue, start: SSAValue) -> SSAValue:
    """`values` combined along their first dimension."""
    assert isinstance(values.type, TensorType) and isinstance(start.type, TensorType)
    rank = len(values.type.get_shape())
    element = values.type.element_type
    body = Block(arg_types=[element, element])
    new = type(combiner).create(
        operands=[body.args[1], body.args[0]],
        result_types=[element],
        properties=dict(combiner.properties),
        attributes=dict(combiner.attributes),
    )
    copy_loc(combiner, new)
    body.add_op(new)
    body.add_op(linalg.YieldOp(new.results[0]))
    maps = [
        AffineMapAttr(AffineMap.identity(rank)),
        AffineMapAttr(AffineMap(rank, 0, tuple(AffineDimExpr(k) for k in range(1, rank)))),
    ]
    kinds = [linalg.IteratorTypeAttr.reduction(), *[linalg.IteratorTypeAttr.parallel()] * (rank - 1)]
    return emit.insert(linalg.GenericOp([values], [start], Region(body), maps, kinds, [start.type])).results[0]
