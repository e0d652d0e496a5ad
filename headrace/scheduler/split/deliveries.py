"""Communication between tiles as stores, exchanges of scratchpad, and loads.

    %f = produce { yield %p }            store %p, A
    %r = gather(%f), S            ->     headrace.exchange(A, B)      // from each producer's A to its part of B
                                         %r = load B

A reduction to one tile gathers what it combines and combines it there, in ascending tile id as the definition does; for
a reduction to all `collectives` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr, IntegerAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
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
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects import ktdp
from headrace.ir.dialects.headrace_exchange import RingReduceOp
from headrace.ir.dialects.ktdp import InterTileProduceOp
from headrace.ir.elements import splat_value
from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.scheduler.access import describe
from headrace.scheduler.build import Emitter, clone_slice, walk_ops
from headrace.scheduler.split import tiles
from headrace.scheduler.split.collectives import BUFFERS, Choice, broadcast_levels, choose, choose_broadcast, is_neutral
from headrace.scheduler.split.distributed import owner_of
from headrace.scheduler.split.exchanges import Box, Exchanger
from headrace.scheduler.split.groups import EXCHANGES
from headrace.scheduler.split.hazards import used_behind

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
        self.stored: list[Operation] = []
        self.sources = buffers = self.produce()
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
        for store in self.stored:
            store.detach()
            store.erase()
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
            Rewriter.insert_op(new, emit.point)
        buffers = []
        for v, t in zip(last.operands, self.partials, strict=True):
            address = self.kept(v) if v not in mapping else None
            if address is None:
                address = self.x.buffer(prod(t.get_shape()), t.element_type, self.source)
                self.x.store(emit, mapping.get(v, v), address)
            buffers.append(address)
        return buffers

    def kept(self, partial: SSAValue) -> int | None:
        """Where a partial lies in the scratchpad already, for as long as the delivery needs it."""
        load = partial.owner
        if not isinstance(load, ktdp.LoadOp) or load.parent is not self.op.parent:
            return None
        between = load.next_op
        while between is not None and between is not self.op:
            if any(inner.name in ("ktdp.store", "func.call", *EXCHANGES) for inner in between.walk()):
                return None
            between = between.next_op
        return None if between is None else resident(load)

    def may_write(self, store: Operation, address: int, role: int) -> bool:
        """Whether the transfers may write where a result is stored: nobody needs what lies there."""
        size = prod(shape_of(self.partials[role])) * _bytes(self.partials[role].element_type)
        end = address + size
        for other, t in zip(self.sources, self.partials, strict=True):
            if address < other + prod(t.get_shape()) * _bytes(t.element_type) and other < end:
                return False
        return used_behind(self.x.kernel, store, (address, end)) is None

    def target(self, role: int) -> int:
        """Where the result of a role goes: to where the kernel stores it in its scratchpad, if that is all it does."""
        result = self.op.results[role]
        uses = list(result.uses)
        store = uses[0].operation if len(uses) == 1 else None
        if isinstance(store, ktdp.StoreOp) and store.parent is self.op.parent and result.type == self.partials[role]:
            before = self.op.next_op
            while before is not None and before is not store and not before.regions:
                if before.name in ("ktdp.load", "ktdp.store", "func.call", "ktdp.inter_tile_produce"):
                    break
                before = before.next_op
            address = resident(store) if before is store else None
            everywhere = {t for g in self.groups for t in g.sources} == set(range(self.x.static.tiles))
            if address is not None and everywhere and self.may_write(store, address, role):
                self.stored.append(store)
                return address
        t = self.partials[role]
        return self.x.buffer(prod(shape_of(result.type)), t.element_type, self.op)

    # -- copies -------------------------------------------------------------------------------------------------------

    def boxes(self, role: int, shape: Sequence[int], slots: bool) -> list[Box]:
        """The moves of one role into a result of `shape`; with `slots` every source has a slot of its own."""
        partial = shape_of(self.partials[role])
        near, far = tiles.dense_strides(list(partial)), tiles.dense_strides(list(shape))
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
        target = self.target(role)
        memrefs = [
            self.x.flat(source, prod(shape_of(self.partials[role])), element, emit),
            self.x.flat(target, prod(shape), element, emit),
        ]
        if not self.broadcast(emit, memrefs, prod(shape), element):
            self.x.exchange(emit, memrefs, self.boxes(role, shape, slots=False), self.op)
        return self.x.load(emit, target, shape, element)

    def broadcast(self, emit: Emitter, memrefs: list[SSAValue], count: int, element: Attribute) -> bool:
        """Copies of one tile's partial along a tree, where that is estimated to be faster; whether they were made."""
        groups = [g for g in self.groups if g.consumers]
        if self.op.name != "ktdp.inter_tile_consume" or any(len(g.producers) != 1 for g in groups):
            return False
        most = max((len(set(g.consumers) - set(g.producers)) for g in groups), default=0)
        choice = choose_broadcast(self.x.device, most, count * _bytes(element))
        if choice.name == "direct":
            return False
        trees = [broadcast_levels(g.producers[0], [c for c in g.consumers if c not in g.producers]) for g in groups]
        own = [(g.producers[0], g.producers[0]) for g in groups if g.producers[0] in g.consumers]
        first = {g.producers[0] for g in groups}
        for level in range(max(len(t) for t in trees)):
            pairs = [p for t in trees if level < len(t) for p in t[level]] + (own if level == 0 else [])
            boxes = [Box(a, b, 0 if a in first else 1, 1, 0, 0, (count,), (1,), (1,)) for a, b in pairs]
            crossing = IntegerAttr(0 if level else count * _bytes(element), i64)
            notes: dict[str, Attribute] = {"headrace.crossing": crossing, "headrace.collective": choice.attribute()}
            self.x.exchange(emit, memrefs, boxes, self.op, notes=notes)
        return True

    # -- reductions ---------------------------------------------------------------------------------------------------

    def part(self, role: int) -> tuple[int, ...]:
        """Shape of what a consumer combines: its result, with the partial's unit dimensions."""
        group = next((g for g in self.groups if g.consumers and g.sources[g.consumers[0]]), None)
        if group is None:
            return shape_of(self.op.results[role].type)
        return pieces(self.op, group, group.consumers[0], role)[0].shape

    def reduce(self, emit: Emitter, sources: list[int]) -> list[SSAValue]:
        """Combine the partials by the algorithm that is estimated to be best for each role."""
        op, x = self.op, self.x
        names = plain_combiner(op.regions[0].block, len(self.partials))
        members = self.all_to_all_members()
        if names is None or members is None:
            return self.gathered(emit, sources, names)
        values: list[SSAValue] = []
        for role, (source, t) in enumerate(zip(sources, self.partials, strict=True)):
            kind, identity = names[role].name, op.operands[1 + role]
            whole = len(members) * members[0][1] == x.static.tiles
            neutral = whole and is_neutral(identity, kind)
            elements = prod(t.get_shape())
            choice = choose(x.device, members[0][1], elements, t.element_type, kind, neutral, x.room.most)
            crossing = 2 * (members[0][1] - 1) * elements * _bytes(t.element_type) // members[0][1]
            notes: dict[str, Attribute] = {
                "headrace.crossing": IntegerAttr(crossing, i64),
                "headrace.collective": choice.attribute(),
            }
            if choice.name == "ring":
                value = self.ring(emit, role, source, kind, choice, notes)
            elif choice.name == "scatter":
                value = self.sliced(emit, role, source, names[role], notes)
            else:
                value = self.gathered_role(emit, role, source, names[role], notes)
            values.append(self.reshaped(emit, value, op.results[role].type))
        return values

    def all_to_all_members(self) -> list[tuple[Group, int]] | None:
        """The groups with their sizes, if all producers of each are its consumers and all are equally large."""
        op = self.op
        if op.name != "ktdp.inter_tile_reduce" or "producer_dependency_per_consumer" in op.properties:
            return None
        groups = [g for g in self.groups if g.consumers]
        sizes = {len(g.producers) for g in groups}
        if any(g.consumers != g.producers for g in groups) or len(sizes) != 1 or sizes == {1}:
            return None
        return [(g, len(g.producers)) for g in groups]

    def ring(
        self, emit: Emitter, role: int, source: int, kind: str, choice: Choice, notes: dict[str, Attribute]
    ) -> SSAValue:
        """Around a ring of the tiles of each group; in a wider type where sums would be rounded on the way."""
        x, t, carried = self.x, self.partials[role], choice.carried
        count, shape = prod(t.get_shape()), list(t.get_shape())
        staged = BUFFERS * choice.block * x.device.vector_lanes(carried)
        if carried == t.element_type:
            target = self.target(role)
        else:
            narrow = x.load(emit, source, shape, t.element_type)
            source, target = x.buffer(count, carried, self.op), x.buffer(count, carried, self.op)
            wide = emit.insert(arith.ExtFOp(narrow, TensorType(carried, shape)))  # pyright: ignore[reportArgumentType]
            x.store(emit, wide.result, source)
        staging = x.buffer(staged, carried, self.op)
        memrefs = [x.flat(at, n, carried, emit) for at, n in ((source, count), (target, count), (staging, staged))]
        rings = [g.producers for g in self.groups if g.consumers]
        emit.insert(RingReduceOp(memrefs, x.count, kind, rings, choice.block)).attributes.update(notes)
        x.count += 1
        value = x.load(emit, target, shape, carried)
        if carried == t.element_type:
            return value
        return emit.insert(arith.TruncFOp(value, t)).result  # pyright: ignore[reportArgumentType]

    def sliced(
        self, emit: Emitter, role: int, source: int, combiner: Operation, notes: dict[str, Attribute]
    ) -> SSAValue:
        """Every tile combines one slice; then all tiles gather the slices."""
        x, t = self.x, self.partials[role]
        count, element = prod(t.get_shape()), t.element_type
        n = len(next(g for g in self.groups if g.consumers).producers)
        part = count // n
        slots, one = x.buffer(count, element, self.op), x.buffer(part, element, self.op)
        target = self.target(role)
        out: list[Box] = []
        back: list[Box] = []
        for g in self.groups:
            for k, c in enumerate(g.consumers):
                for j, p in enumerate(g.producers):
                    out.append(Box(p, c, 0, 1, k * part, j * part, (part,), (1,), (1,)))
                    back.append(Box(p, c, 0, 1, 0, j * part, (part,), (1,), (1,)))
        memrefs = [x.flat(source, count, element, emit), x.flat(slots, count, element, emit)]
        x.exchange(emit, memrefs, out, self.op, notes=notes)
        whole = x.load(emit, slots, (n, part), element)
        x.store(emit, fold(emit, combiner, whole, self.identity(emit, role, (part,), slices=True)), one)
        memrefs = [x.flat(one, part, element, emit), x.flat(target, count, element, emit)]
        x.exchange(emit, memrefs, back, self.op, notes={"headrace.crossing": IntegerAttr(0, i64)})
        return x.load(emit, target, t.get_shape(), element)

    def gathered_role(
        self, emit: Emitter, role: int, source: int, combiner: Operation, notes: dict[str, Attribute]
    ) -> SSAValue:
        """Every consumer gets all partials of a role and combines them."""
        x, t = self.x, self.partials[role]
        part = self.part(role)
        most = max((len(s) for g in self.groups for s in g.sources.values()), default=0)
        slots = x.buffer(most * prod(part), t.element_type, self.op)
        memrefs = [
            x.flat(source, prod(t.get_shape()), t.element_type, emit),
            x.flat(slots, most * prod(part), t.element_type, emit),
        ]
        x.exchange(emit, memrefs, self.boxes(role, part, slots=True), self.op, notes=notes)
        whole = x.load(emit, slots, (most, *part), t.element_type)
        return fold(emit, combiner, whole, self.identity(emit, role, part))

    def gathered(self, emit: Emitter, sources: list[int], names: list[Operation] | None) -> list[SSAValue]:
        """Every consumer gets all partials (or its part of them) and combines them with the region."""
        op, x = self.op, self.x
        counts = {len(s) for g in self.groups for s in g.sources.values()}
        most = max(counts, default=0)
        slots: list[int] = []
        parts = [self.part(k) for k in range(len(self.partials))]
        for role, (source, t) in enumerate(zip(sources, self.partials, strict=True)):
            part, element = parts[role], t.element_type
            size = prod(part)
            target = x.buffer(most * size, element, op)
            if len(counts) > 1:
                start = self.identity(emit, role, part)
                for k in range(most):
                    x.store(emit, start, target + k * size * _bytes(element))
            memrefs = [x.flat(source, prod(t.get_shape()), element, emit), x.flat(target, most * size, element, emit)]
            least = IntegerAttr(size * _bytes(element), i64)
            notes: dict[str, Attribute] = {"headrace.crossing": least} if most > 1 else {}
            x.exchange(emit, memrefs, self.boxes(role, part, slots=True), op, notes=notes)
            slots.append(target)
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

    def identity(self, emit: Emitter, role: int, part: Sequence[int], slices: bool = False) -> SSAValue:
        """The identity's part that the running tile combines with; with `slices` its slice of the flat tensor."""
        value = self.op.operands[1 + role]
        whole, element = shape_of(value.type), self.partials[role].element_type
        t = TensorType(element, list(part))
        if prod(whole) == prod(part):
            return self.reshaped(emit, value, t)
        constant = value.owner.value if isinstance(value.owner, arith.ConstantOp) else None
        number = splat_value(constant)
        if number is not None:
            return emit.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(t, [number]))).results[0]  # type: ignore[call-overload,arg-type]
        near, far = tiles.dense_strides(list(whole)), tiles.dense_strides(list(part))
        boxes = []
        for g in self.groups:
            for c in g.consumers:
                if slices:
                    boxes.append(Box(c, c, 0, 1, g.consumers.index(c) * prod(part), 0, tuple(part), (1,), (1,)))
                    continue
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
        mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, [*left, *right], strict=True))
        last = block.last_op
        assert last is not None
        clone_slice(list(last.operands), mapping, emit)
        return [mapping[v] for v in last.operands]


def resident(op: Operation) -> int | None:
    """Byte address of a load or store of one dense piece of the running tile's scratchpad; None for other accesses."""
    tile = op.operands[-1].owner
    view = tile.base.owner if isinstance(tile, ktdp.ConstructAccessTileOp) else None
    if not isinstance(view, ktdp.ConstructMemoryViewOp) or owner_of(view.memory_space) is not None:
        return None
    try:
        access = describe(op)
    except HeadraceError:
        return None
    at = [c + d.lo for c, d in zip(access.coords, sorted(access.dims, key=lambda d: d.view_dim), strict=False)]
    extents = [d.extent for d in access.dims]
    if len(at) != len(access.coords) or not access.base.is_const or not all(x.is_const for x in (*at, *extents)):
        return None
    shape = [n.const for n in extents]
    walked = [access.strides[d.view_dim] for d in access.dims]
    if any(n != 1 and s != t for n, s, t in zip(shape, walked, tiles.dense_strides(shape), strict=True)):
        return None
    if not all(isinstance(s, int) for s in access.strides):
        return None
    offset = sum(c.const * s for c, s in zip(at, access.strides, strict=True))  # type: ignore[operator]
    width = access.element_bytes
    return access.base.const * (width if access.unit == "element" else 1) + offset * width


def sink(delivery: Operation, first: Operation | None) -> None:
    """Move what makes a delivery's result after its last exchange, and pure operations from `first` on that need it,
    under the condition that all users are under: other tiles have no result."""
    made: list[Operation] = []
    op = delivery.prev_op
    while op is not None and op.name not in EXCHANGES:
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
    kinds = [IteratorTypeAttr.reduction(), *[IteratorTypeAttr.parallel()] * (rank - 1)]
    return emit.insert(linalg.GenericOp([values], [start], Region(body), maps, kinds, [start.type])).results[0]
