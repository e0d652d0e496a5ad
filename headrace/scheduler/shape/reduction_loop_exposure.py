"""reduction-loop-exposure: whole rows in slots become loops over vectors, one inner pipeline per reduction.

Precondition: coarsened programs whose inner pipelines hold several generics over whole rows (`headrace.row` names the
row's dimensions). Postcondition:
one inner pipeline per reduction and one for the stores, each in its own copy of the point loops. Load stages walk their
buffer vector by vector; a
reduction folds into an accumulator of one vector in the compute unit's register memory, whose lanes are folded last;
its result goes to a buffer in the
scratchpad, from where later pipelines read it once per row, repeated over a vector. What a body computes from such
per-row inputs alone is computed in front of the loops that do not change it.

    for %p { pipeline { a[%p, 0] size [1, 300] -> f | m = reduce(read f) ; y = generic(x, m) ; write y | g -> b[%p, 0] size [1, 300] } }
    for %p { pipeline { for %q to 4 { a[%p, %q * 64] -> f } ; tail | acc = fill ; for %q { fold } ; fold lanes ; write | g -> m[%p, 0] } }
    for %p { pipeline { m[%p, 0] -> splat ; for %q { a -> f } ; tail | for %q { generic ; write } ; tail | for %q { g ->
    b } ; tail } }
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, DictionaryAttr, MemRefType, ModuleOp, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of, memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index, alloc_op, ancestors, walk_ops
from headrace.scheduler.device import allocatable, device_of, kind_attr_of, owned_ranges, programs
from headrace.scheduler.linear import Linear
from headrace.scheduler.ops import fill, neutral
from headrace.scheduler.shape.invariants import Invariants
from headrace.scheduler.shape.kept_rows import Kept, keep_rows, split
from headrace.scheduler.shape.tile_scf_for_loops import loop_nest
from headrace.scheduler.simplify import simplify
from headrace.scheduler.split.scalarize import iterator_kinds, number
from headrace.scheduler.width import fits_entry, vector_width, work

SPARE = 4096
"""Bytes of the scratchpad that are left for the results of reductions."""


@dataclass
class ReductionLoopExposure(Pass):
    """Cut row pipelines into vector loops, one pipeline per reduction."""

    name = "reduction-loop-exposure"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            found = False
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                if not any(walk_ops(pipeline, "ktdf.pipeline")) and row_generics(pipeline):
                    Exposer(pipeline, device).run()
                    found = True
            if found:
                simplify(program)


def row_generics(pipeline: Operation) -> list[linalg.GenericOp]:
    """The generics over rows of an inner pipeline, in order."""
    return [
        op
        for op in walk_ops(pipeline, "linalg.generic")
        if isinstance(op, linalg.GenericOp) and "headrace.row" in op.attributes
    ]


@dataclass(eq=False)
class Source:
    """Where a segment's input comes from: a scratchpad side at the start of the row, and the final dimension of each of
    its dimensions."""

    side: ktdf.Side
    dims: list[int | None]
    element: Attribute


@dataclass(eq=False)
class Level:
    """One nesting level of a segment's stages: the emitters of the three stages, and where the load and the store stage
    are in each dimension."""

    load: Emitter
    compute: Emitter
    store: Emitter
    load_at: dict[int, Linear] = field(default_factory=dict)
    store_at: dict[int, Linear] = field(default_factory=dict)


class Exposer:
    """Rebuilds one row pipeline as a sequence of segments."""

    def __init__(self, pipeline: Operation, device: Device):
        self.pipeline = pipeline
        self.device = device
        stages = ktdf.stages(pipeline)
        if len(stages) != 3:
            raise error(
                pipeline, "reduction-loop-exposure: a row pipeline must have a load, a compute and a store stage"
            )
        self.units = [ktdf.units(s)[0] for s in stages]
        self.load, self.compute, self.store = stages
        self.generics = row_generics(pipeline)
        row = self.generics[0].attributes["headrace.row"]
        assert isinstance(row, DictionaryAttr)
        self.private: list[int] = list(row.data["private"].get_values())  # type: ignore[attr-defined]
        self.vector: int = row.data["vector"].value.data  # type: ignore[attr-defined]
        self.nest: list[scf.ForOp] = []
        op = pipeline.parent_op()
        while isinstance(op, scf.ForOp):
            self.nest.insert(0, op)
            op = op.parent_op()
        self.root: Operation = self.nest[0] if self.nest else pipeline
        self.extents: dict[int, int] = {}
        self.sources: dict[SSAValue, Source] = {}
        self.kept: dict[Operation, Source] = {}
        self.booked = 0

    def dims_of(self, generic: linalg.GenericOp) -> list[int]:
        row = generic.attributes["headrace.row"]
        assert isinstance(row, DictionaryAttr)
        return list(row.data["dims"].get_values())  # type: ignore[attr-defined]

    def run(self) -> None:
        self.survey()
        self.width = self.extents.get(self.vector, 1)
        if self.vector in self.private:
            self.width = vector_width(self.device, self.units, self.crossing, self.types, self.price)
        if self.vector in self.private:
            for kept in keep_rows(self.generics, self.dims_of, self.loops_of, self.cycles, self.has_room, self.extents):
                self.keep(kept)
        for generic in self.generics[:-1]:
            self.reduction(generic)
        self.final(self.generics[-1])
        self.root.detach()
        self.root.erase(safe_erase=False)

    def price(self, width: int) -> int:
        """Cycles of the compute unit for a row in vectors of `width`."""
        full, rest = divmod(self.extents.get(self.vector, 1), width)
        total = 0
        for generic in self.generics:
            ops = list(generic.body.block.ops)
            walks = self.vector in self.dims_of(generic)
            for n, times in ((width, full), (rest, 1)) if walks else ((1, 1),):
                if not n or not times:
                    continue
                total += times * work(self.device, self.units[1], ops, n)
                if walks and generic is not self.generics[-1]:
                    fold = [combiner_of(generic)]
                    total += sum(3 * work(self.device, self.units[1], fold, n >> k) for k in range(1, n.bit_length()))
        return total

    def cycles(self, op: Operation) -> int:
        """Cycles of the compute unit for one vector."""
        return work(self.device, self.units[1], [op], self.width)

    def has_room(self, element: Attribute, loops: Sequence[int], cycles: int) -> bool:
        """Whether the scratchpad has room for a row buffer beside what the program has there already, and all units of
        a core can write a vector in `cycles`."""
        kind = self.device.space_to_kind(self.scratchpad())
        rate = self.device.memory(kind).timing.write_bytes_per_cycle
        sharing = self.device.corelets(self.units) // self.device.memory(kind).instances
        if not fits_entry(self.device, self.units, element, self.width):
            return False
        if rate is not None and self.width * dtype_of(element).bytes * sharing > rate * cycles:
            return False
        program = next(a for a in ancestors(self.pipeline) if a.name == "func.func")
        taken = sum(
            bytes_of(op.results[0].type)
            for op in walk_ops(program, "memref.alloc")
            if self.device.space_to_kind(op.results[0].type.memory_space) == kind  # type: ignore[attr-defined]
        )
        shape = self.row_shape(loops)
        need = bytes_of(memref_type(element, shape)) + self.booked
        module = next(a for a in [*ancestors(program)][::-1] if isinstance(a, ModuleOp))
        room = allocatable(self.device, kind, owned_ranges(module, self.device))
        if taken + need + SPARE > room:
            return False
        self.booked = need
        return True

    def row_shape(self, loops: Sequence[int]) -> list[int]:
        """Shape of a buffer for the rows of one tile."""
        return [ktdf.upper_size(loop.ub) for loop in self.nest] + [self.extents[d] for d in loops]

    def keep(self, kept: Kept) -> None:
        """Make the buffer of a kept row, and the source that later generics read it from."""
        t = memref_type(kept.element, self.row_shape(kept.dims), memory_space=self.scratchpad())
        buffer = self.allocate(t, kept.by)
        ivs = [loop.body.block.args[0] for loop in self.nest]
        at = [Linear(0, {iv: 1}) for iv in ivs] + [Linear()] * len(kept.dims)
        sizes: list[Index] = [*[1] * len(ivs), *(self.extents[d] for d in kept.dims)]
        side = ktdf.Side(buffer, at, sizes)
        source = Source(side, [None] * len(ivs) + list(kept.dims), kept.element)
        self.sources[kept.value] = self.kept[kept.by] = source

    def allocate(self, t: MemRefType, origin: Operation) -> SSAValue:
        """A buffer of the tile loops."""
        outer = next((a for a in ancestors(self.pipeline) if a.name == "ktdf.pipeline"), self.root)
        scope = loop_nest(outer)
        emit = Emitter.before(scope[0] if scope else outer)
        emit.origin = origin
        return emit.insert(alloc_op(t)).results[0]

    def survey(self) -> None:
        """Extents of the dimensions, element types, and the sources behind the slots."""
        self.types: list[Attribute] = []
        self.crossing: list[Attribute] = []
        for generic in self.generics:
            dims = self.dims_of(generic)
            for value, m in zip((*generic.inputs, *generic.outputs), generic.indexing_maps.data, strict=True):
                assert isinstance(m, AffineMapAttr) and isinstance(value.type, TensorType)
                self.types.append(value.type.element_type)
                if generic is self.generics[-1] or value in generic.inputs:
                    self.crossing.append(value.type.element_type)
                for expr, n in zip(m.data.results, value.type.get_shape(), strict=True):
                    if isinstance(expr, AffineDimExpr):
                        self.extents[dims[expr.position]] = n
                owner = value.owner
                if isinstance(owner, Operation) and owner.name == "ktdf.read_from_fifo" and value not in self.sources:
                    t = ktdf.producer(owner.operands[0])
                    assert t is not None
                    which = [dims[e.position] if isinstance(e, AffineDimExpr) else None for e in m.data.results]
                    self.sources[value] = Source(ktdf.side_of(t, "source"), which, value.type.element_type)

    # -- segments -----------------------------------------------------------------------------------------------------

    def open(self) -> tuple[Emitter, dict[SSAValue, SSAValue]]:
        """A copy of the point loops in front of the old ones; the emitter inside and the map of their values."""
        emit = Emitter.before(self.root)
        emit.origin = self.pipeline
        mapping: dict[SSAValue, SSAValue] = {}
        for old in self.nest:
            bound = mapping.get(old.ub, old.ub)
            loop, iv = emit.loop(bound, old.body.block.args[0].name_hint or "p")
            loop.attributes.update(old.attributes)
            mapping[old.body.block.args[0]] = iv
            emit = Emitter.at_end(loop.body.block, self.pipeline)
            for op in old.body.block.ops:
                if op.name not in ("scf.for", "scf.yield", "ktdf.pipeline"):
                    clone = op.clone(mapping)
                    emit.insert(clone)
                    mapping.update(zip(op.results, clone.results, strict=True))
        return emit, mapping

    def loops_of(self, generic: linalg.GenericOp) -> list[int]:
        """Private dimensions that a generic iterates over, the vector dimension (if private) last."""
        dims = [d for d in self.dims_of(generic) if d in self.private]
        return sorted(dims, key=lambda d: (d == self.vector, d))

    def input_sources(self, generic: linalg.GenericOp) -> list[Source]:
        return [self.sources[v] for v in generic.inputs]

    def reduction(self, generic: linalg.GenericOp) -> None:
        """One reduction: fold, fold lanes, and leave the result in a scratchpad buffer."""
        kinds = iterator_kinds(generic)
        folded = {d for d, kind in zip(self.dims_of(generic), kinds, strict=True) if kind != "parallel"}
        if set(self.loops_of(generic)) != folded:
            raise error(
                generic,
                "reduction-loop-exposure: a reduction that keeps a dimension which another one folds is not supported",
            )
        emit, mapping = self.open()
        builder = ktdf.PipelineBuilder(emit, generic)
        load, compute, store = (builder.stage([u]) for u in self.units)
        accumulator = element_of(generic.outputs[0])
        combiner = combiner_of(generic)
        start = fill_value(generic.outputs[0])
        lane_fold = self.vector in self.private and self.vector in self.dims_of(generic)
        width = 1 if self.vector not in self.dims_of(generic) else self.width
        registers = self.register_memory(generic)
        identity = compute.emit.insert(
            arith.ConstantOp(number(accumulator, neutral(combiner.name, accumulator)))
        ).results[0]
        parts: list[SSAValue] = []

        def register(n: int) -> SSAValue:
            t = memref_type(accumulator, [n], memory_space=registers)
            buffer = compute.emit.insert(alloc_op(t)).results[0]
            compute.emit.insert(fill(identity, buffer))
            parts.append(buffer)
            return buffer

        extent = self.extents.get(self.vector, 1)
        full, rest = divmod(extent, self.width) if lane_fold else (1, 0)
        main = register(width) if full else None
        tail = register(rest) if rest else None

        def leave(level: Level, tensors: list[SSAValue], n: int, body: Region) -> SSAValue:
            source = self.kept[generic]
            t = TensorType(source.element, [n])
            empty = level.compute.insert(tensor.EmptyOp([], t)).results[0]
            same = [AffineMapAttr(AffineMap.identity(1))] * (len(tensors) + 1)
            kinds = [IteratorTypeAttr.parallel()]
            value = level.compute.insert(linalg.GenericOp(tensors, [empty], body, same, kinds, [t])).results[0]
            slot = builder.slot(self.units[1], self.units[2], n, source.element, "store")
            level.compute.insert(ktdf.write(value, slot))
            side = self.piece(source.side, source.dims, level.store_at, n, mapping)
            ktdf.transfer(level.store, ktdf.Side(slot, None, [n]), side)
            return value

        def fold(level: Level, tensors: list[SSAValue], n: int, body: Region) -> None:
            target = main if n == width and main is not None else tail
            assert target is not None
            identity_map = AffineMapAttr(AffineMap.identity(1))
            parts_of_body = split(body, len(tensors))
            if parts_of_body is not None:
                tensors, body = [*tensors, leave(level, tensors, n, parts_of_body[0])], parts_of_body[1]
            op = linalg.GenericOp(
                tensors,
                [target],
                body,
                [identity_map] * (len(tensors) + 1),
                [IteratorTypeAttr.parallel()],
                [],
            )
            level.compute.insert(op)

        level = Level(load.emit, compute.emit, store.emit)
        self.walk(builder, generic, self.loops_of(generic), level, mapping, fold)
        count = 1 if lane_fold else width
        result = self.finish(compute.emit, parts, combiner, accumulator, start, lane_fold, count, generic)
        current: SSAValue = generic.results[0]
        for epilogue in epilogues(generic):
            result = self.epilogue(compute.emit, epilogue, result, count)
            current = epilogue.results[0]
        element = element_of(current)
        buffer, side, dims = self.intermediate(generic, element, count, mapping)
        slot = builder.slot(self.units[1], self.units[2], count, element, "store")
        compute.emit.insert(ktdf.write(result, slot))
        ktdf.transfer(store, ktdf.Side(slot, None, [count]), side)
        builder.finish({})
        shared = ktdf.Side(
            buffer, [Linear(0, {loop.body.block.args[0]: 1}) for loop in self.nest] + [Linear()], side.sizes
        )
        self.sources[current] = Source(shared, dims, element)
        self.sources[generic.results[0]] = self.sources[current]

    def finish(
        self,
        emit: Emitter,
        parts: list[SSAValue],
        combiner: Operation,
        accumulator: Attribute,
        start: SSAValue,
        lane_fold: bool,
        count: int,
        generic: linalg.GenericOp,
    ) -> SSAValue:
        """Combine accumulators, lanes and the start value into a tensor of `count` elements."""
        t = TensorType(accumulator, [count])
        empty = emit.insert(tensor.EmptyOp([], t)).results[0]
        value = emit.insert(fill(start, empty)).results[0]
        kind = IteratorTypeAttr.reduction() if lane_fold else IteratorTypeAttr.parallel()
        out = AffineMap(1, 0, (AffineConstantExpr(0),)) if lane_fold else AffineMap.identity(1)
        for part in parts:
            body = Block(arg_types=[accumulator, accumulator])
            op = type(combiner).create(
                operands=[body.args[1], body.args[0]],
                result_types=[accumulator],
                properties=dict(combiner.properties),
                attributes=dict(combiner.attributes),
            )
            ktdf.copy_loc(combiner, op)
            body.add_ops([op, linalg.YieldOp(op.results[0])])
            fold = linalg.GenericOp(
                [part], [value], Region(body), [AffineMapAttr(AffineMap.identity(1)), AffineMapAttr(out)], [kind], [t]
            )
            value = emit.insert(fold).results[0]
        del generic
        return value

    def epilogue(self, emit: Emitter, op: linalg.GenericOp, value: SSAValue, count: int) -> SSAValue:
        """An elementwise generic on a reduction's result (a rounding)."""
        t = TensorType(element_of(op.results[0]), [count])
        empty = emit.insert(tensor.EmptyOp([], t)).results[0]
        identity = AffineMapAttr(AffineMap.identity(1))
        new = linalg.GenericOp(
            [value], [empty], op.body.clone(), [identity, identity], [IteratorTypeAttr.parallel()], [t]
        )
        return emit.insert(new).results[0]

    def intermediate(
        self, generic: linalg.GenericOp, element: Attribute, count: int, mapping: dict[SSAValue, SSAValue]
    ) -> tuple[SSAValue, ktdf.Side, list[int | None]]:
        """The scratchpad buffer of a reduction's result: its value, the side of this row, and its dimensions."""
        shape = [ktdf.upper_size(loop.ub) for loop in self.nest] + [count]
        t = memref_type(element, shape, memory_space=self.scratchpad())
        buffer = self.allocate(t, generic)
        ivs = [mapping[loop.body.block.args[0]] for loop in self.nest]
        at = [Linear(0, {iv: 1}) for iv in ivs] + [Linear()]
        side = ktdf.Side(buffer, at, [1] * len(ivs) + [count])  # pyright: ignore[reportArgumentType]
        last = self.vector if self.vector in self.dims_of(generic) and self.vector not in self.private else None
        return buffer, side, [None] * len(ivs) + [last]

    def scratchpad(self) -> Attribute:
        """The memory that the store unit writes and the load unit reads."""
        for t in walk_ops(self.store, "ktdf.data_transfer"):
            dest = ktdf.side_of(t, "dest")
            assert isinstance(dest.value.type, MemRefType)
            return dest.value.type.memory_space
        raise error(self.store, "reduction-loop-exposure: a row pipeline that stores nothing")

    def register_memory(self, op: Operation) -> Attribute:
        """The compute unit's own register memory."""
        local = self.device.local_memory(self.units[1])
        if local is None:
            raise error(
                op, f"reduction-loop-exposure: no unambiguous local memory found for exec_unit kind '{self.units[1]}'"
            )
        return kind_attr_of(self.device, local.kind)

    def final(self, generic: linalg.GenericOp) -> None:
        """The elementwise generic that makes what is stored."""
        emit, mapping = self.open()
        builder = ktdf.PipelineBuilder(emit, generic)
        load, compute, store = (builder.stage([u]) for u in self.units)
        targets: list[tuple[ktdf.Side, list[int | None]]] = []
        dims = self.dims_of(generic)
        for i, result in enumerate(generic.results):
            write = next(u.operation for u in result.uses if u.operation.name == "ktdf.write_to_fifo")
            slot = write.operands[1]
            t = next(t for t in walk_ops(self.store, "ktdf.data_transfer") if ktdf.side_of(t, "source").value is slot)
            m = generic.indexing_maps.data[len(generic.inputs) + i]
            assert isinstance(m, AffineMapAttr)
            which = [dims[e.position] if isinstance(e, AffineDimExpr) else None for e in m.data.results]
            targets.append((ktdf.side_of(t, "dest"), which))

        def produce(level: Level, tensors: list[SSAValue], n: int, body: Region) -> None:
            empties = []
            for result in generic.results:
                t = TensorType(element_of(result), [n])
                empties.append(level.compute.insert(tensor.EmptyOp([], t)).results[0])
            identity = AffineMapAttr(AffineMap.identity(1))
            op = linalg.GenericOp(
                tensors,
                empties,
                body,
                [identity] * (len(tensors) + len(empties)),
                [IteratorTypeAttr.parallel()],
                [e.type for e in empties],
            )
            level.compute.insert(op)
            for value, (side, which) in zip(op.results, targets, strict=True):
                slot = builder.slot(self.units[1], self.units[2], n, element_of(value), "store")
                level.compute.insert(ktdf.write(value, slot))
                ktdf.transfer(
                    level.store, ktdf.Side(slot, None, [n]), self.piece(side, which, level.store_at, n, mapping)
                )

        level = Level(load.emit, compute.emit, store.emit)
        self.walk(builder, generic, self.loops_of(generic), level, mapping, produce)
        builder.finish({})

    # -- loops --------------------------------------------------------------------------------------------------------

    def piece(
        self, side: ktdf.Side, dims: list[int | None], at: dict[int, Linear], n: int, mapping: dict[SSAValue, SSAValue]
    ) -> ktdf.Side:
        """The part of a row side that one vector covers."""
        assert side.subs is not None
        subs: list[Linear] = []
        sizes: list[int | SSAValue] = []
        for sub, d in zip(side.subs, dims, strict=True):
            here = Linear(sub.const, {mapping.get(v, v): c for v, c in sub.terms.items()})
            if d is not None and d in at:
                here = here + at[d]
            subs.append(here)
            sizes.append(n if d is not None and d == self.vector else 1)
        return ktdf.Side(mapping.get(side.value, side.value), subs, sizes)

    def walk(
        self,
        builder: ktdf.PipelineBuilder,
        generic: linalg.GenericOp,
        loops: list[int],
        level: Level,
        mapping: dict[SSAValue, SSAValue],
        leaf: object,
    ) -> None:
        """Emit the loops of the three stages in step; inputs are read at the outermost level that determines them."""
        sources = self.input_sources(generic)
        has_vector = self.vector in self.dims_of(generic)
        extent = self.extents.get(self.vector, 1)
        if self.vector in loops:
            full, rest = divmod(extent, self.width)
            widths = ([self.width] if full else []) + ([rest] if rest else [])
        else:
            widths = [self.width if has_vector else 1]
        depth_of: list[int] = []
        for source in sources:
            walked = [loops.index(d) + 1 for d in source.dims if d is not None and d in loops]
            depth_of.append(max(walked, default=0))
        have: dict[tuple[int, int], SSAValue] = {}
        invariants = Invariants(generic, depth_of, len(loops))

        def fetch(depth: int, level: Level, widths_here: list[int]) -> None:
            for i, source in enumerate(sources):
                if depth_of[i] != depth:
                    continue
                varies = self.vector in source.dims
                for n in widths_here:
                    slot = builder.slot(self.units[0], self.units[1], n, source.element, "load")
                    side = self.piece(source.side, source.dims, level.load_at, n if varies else 1, mapping)
                    if not varies and side.sizes is not None:
                        side.sizes[-1] = 1
                    mode = None if varies or n == 1 else "splat"
                    ktdf.transfer(level.load, side, ktdf.Side(slot, None, [n]), mode, generic)
                    have[i, n] = ktdf.read(level.compute, slot, TensorType(source.element, [n]))
            for n in widths_here if depth < len(loops) else ():
                invariants.emit(level.compute, depth, [have.get((i, n)) for i in range(len(sources))], n)

        def finish(level: Level, n: int) -> None:
            tensors = [have[i, n] for i in range(len(sources))]
            leaf(level, [*tensors, *invariants.tensors(n)], n, invariants.body())  # type: ignore[operator]

        def descend(depth: int, level: Level) -> None:
            vector_level = depth == len(loops) and self.vector in loops
            if not vector_level:
                fetch(depth, level, widths)
            if depth == len(loops):
                finish(level, widths[0])
                return
            d = loops[depth]
            if d == self.vector:
                full, rest = divmod(extent, self.width)
                if full:
                    inner = self.deeper(level, full, d, self.width)
                    fetch(depth + 1, inner, [self.width])
                    finish(inner, self.width)
                if rest:
                    here = Linear(full * self.width)
                    tail = Level(
                        level.load, level.compute, level.store, {**level.load_at, d: here}, {**level.store_at, d: here}
                    )
                    fetch(depth + 1, tail, [rest])
                    finish(tail, rest)
                return
            descend(depth + 1, self.deeper(level, self.extents[d], d, 1))

        descend(0, level)

    def deeper(self, level: Level, trips: int, dim: int, step: int) -> Level:
        """One more loop in each of the three stages."""
        inner: list[Emitter] = []
        ivs: list[SSAValue] = []
        for emit in (level.load, level.compute, level.store):
            loop, iv = emit.loop(trips, "q")
            inner.append(Emitter.at_end(loop.body.block, self.pipeline))
            ivs.append(iv)
        load_at = {**level.load_at, dim: Linear(0, {ivs[0]: step})}
        store_at = {**level.store_at, dim: Linear(0, {ivs[2]: step})}
        return Level(inner[0], inner[1], inner[2], load_at, store_at)


def bytes_of(t: Attribute) -> int:
    """Bytes of a buffer type of constant shape."""
    assert isinstance(t, MemRefType)
    return prod(t.get_shape()) * dtype_of(t.element_type).bytes


def element_of(value: SSAValue) -> Attribute:
    assert isinstance(value.type, TensorType)
    return value.type.element_type


def combiner_of(generic: linalg.GenericOp) -> Operation:
    last = generic.body.block.last_op
    assert last is not None and isinstance(last.operands[0].owner, Operation)
    return last.operands[0].owner


def fill_value(init: SSAValue) -> SSAValue:
    """The scalar that fills a reduction's initial tensor."""
    owner = init.owner
    assert isinstance(owner, Operation) and owner.name == "linalg.fill"
    return owner.operands[0]


def epilogues(generic: linalg.GenericOp) -> list[linalg.GenericOp]:
    """Elementwise generics directly on a reduction's result."""
    found: list[linalg.GenericOp] = []
    value: SSAValue = generic.results[0]
    while True:
        following = next((u.operation for u in value.uses if "headrace.row_epilogue" in u.operation.attributes), None)
        if not isinstance(following, linalg.GenericOp):
            return found
        found.append(following)
        value = following.results[0]  # pyright: ignore[reportOptionalMemberAccess]
