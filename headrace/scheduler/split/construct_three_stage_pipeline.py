"""construct-three-stage-pipeline: one load / compute / store pipeline per program, at the SIMD width of the device.

Precondition: programs from compute-group-extraction. Postcondition: each program holds a perfect nest of `scf.for`
(from 0, step 1, annotated
`loop_type`) around one `ktdf.pipeline` with three stages, or nothing but `return`; FIFOs join a memory kind and the
compute kind; no
`ktdp.load`, `ktdp.store` or access tile is left.

All tensor work of the program becomes one `linalg.generic` with one output per store. The loops around the group and
the tile's dimensions
together are the iteration domain; its dimensions are ordered by the strides of the stores and merged where every
operand is contiguous. The last
one is walked in vectors of L elements, L = the smallest lane count among all element types; where L does not divide its
extent, transfers, slots
and tensors of the last iteration are shorter: their size is a `ktdf.tiling.derive_size`.

    %x = ktdp.load A[0, 0] : 3x64           scf.for %v = 0 to 3 { ktdf.pipeline {
    %y = linalg.exp ins(%x)           ->      stage { A[%v * 64] size [64] -> slot } stage ["SFU"] { read, generic(exp), write }
    ktdp.store %y, B[0, 0]                     stage { slot -> B[%v * 64] size [64] } } }
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from headrace.arch import Device
from headrace.ir.construct import copy_op, create_op
from headrace.ir.diagnostics import error
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.ir.places import SKIPS
from headrace.ir.types import dtype_of, integers, memref_type, segment_sizes
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import Emitter, Index, clone_slice, constant_of, erase_dead, walk_ops
from headrace.scheduler.device import device_of, kind_attr, programs
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.ops import make_scalar_op
from headrace.scheduler.split.bounds import clip_domain, highest, lowest
from headrace.scheduler.split.carried import carried_loops
from headrace.scheduler.split.contraction import generalise
from headrace.scheduler.split.copies import emit_copy
from headrace.scheduler.split.cuts import CutDomain, CutRequest, KeepIndices, KeepLoad, Materialise, Refactor
from headrace.scheduler.split.domain import Dim, Domain, arrange
from headrace.scheduler.split.hazards import Footprint, check_streams, meeting
from headrace.scheduler.split.launch_strides import open_stride
from headrace.scheduler.split.long_rows import Capacity, check_rows
from headrace.scheduler.split.matrix_pipeline import emit_contraction
from headrace.scheduler.split.matrix_plan import plan_contraction
from headrace.scheduler.split.reductions import Reductions, check_kept, check_walked
from headrace.scheduler.split.rows import check_vectors, emit_rows
from headrace.scheduler.split.scalarize import (
    MAX_RANK,
    PASS,
    DomainDim,
    Node,
    Operand,
    OperandTable,
    Scalarizer,
    table_of,
)
from headrace.scheduler.width import longest_entry


@dataclass
class ConstructThreeStagePipeline(Pass):
    """Fuse each program's tensor work and build its three-stage pipeline."""

    name = "construct-three-stage-pipeline"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            Builder(program, device).run()


class Builder:
    """Builds the pipeline of one program."""

    def __init__(self, program: func.FuncOp, device: Device):
        self.program = program
        self.device = device

    def run(self) -> None:
        """Build it. Raises HeadraceError for what no single pipeline can do."""
        conditions = self.open()
        if conditions is None:
            return
        try:
            self.plan()
            self.check_operands()
        except CutRequest as request:
            op = getattr(request, "op", self.stores[0])
            raise error(op, f"'{op.name}' cannot be fused into its users: {request}; not supported by {PASS}") from None
        check_streams(*self.streams(), PASS)
        self.domain = Domain([])
        contraction = plan_contraction(self) if self.nodes else None
        if contraction is not None:
            emit_contraction(self, contraction)
        elif self.nodes:
            emit_rows(self)
        else:
            self.lay_out()
            if not emit_copy(self):
                self.emit_pipeline()
        self.remove_old(conditions)

    def trial(self, capacity: Capacity) -> None:
        """Do what can fail in fusing; `capacity` says how much rows may take. Raises CutRequest for what the kernel has
        to be rewritten for."""
        if self.open() is not None:
            self.plan()
            self.check_operands(capacity)
            met = meeting(*self.streams())
            if met is not None:
                raise KeepLoad(met[0].access.op, "other points of the program overwrite what it reads")
            if not self.nodes:
                self.check_grain()
            elif plan_contraction(self) is None:
                check_vectors(self)

    def check_grain(self) -> None:
        """Raise KeepLoad for a load whose vectors would be gathered element by element from device memory."""
        sizes = [constant_of(n) for n in self.extents]
        for d, whole in enumerate(self.unclipped):  # as far as a tile that hangs over its view may reach
            sizes[d] = sizes[d] or constant_of(whole)
        used = [d for d, n in enumerate(sizes) if n != 1]

        def rank(d: int) -> tuple[int, int]:
            return (
                max((abs(o.walks(d)) for o in self.outputs), default=0),
                max((abs(o.strides[d]) for o in self.table.operands), default=0),
            )

        vector = min(used, key=rank, default=None)
        for o in self.table.operands:
            kind = self.device.space_to_kind(o.access.space)
            if vector is None or o.table is not None or self.device.memory_level(kind) != 0:
                continue
            along = [d for d in used if abs(o.strides[d]) == 1 and (sizes[d] or 0) >= 16]
            if abs(o.strides[vector]) > 1 and (sizes[vector] or 0) >= 16 and along:
                raise KeepLoad(o.access.op)

    def open(self) -> list[tuple[SSAValue, bool]] | None:
        """Find stores, accesses, loops and the conditions around them (returned; None without stores)."""
        stores = list(walk_ops(self.program, "ktdp.store"))
        if not stores:
            return None
        self.stores = stores
        anchor = stores[0]
        generalise(self.program)
        self.accesses: dict[Operation, Access] = {
            op: describe(op) for op in walk_ops(self.program, "ktdp.load", "ktdp.store")
        }
        self.loops, conditions = control_of(anchor)
        top = Emitter.at_end(self.program.body.block, anchor)
        self.mapping: dict[SSAValue, SSAValue] = {a: a for a in self.program.body.block.args}
        for cond, negated in conditions:
            clone_slice([cond], self.mapping, top)
            top = Emitter.at_end(ktdf.open_if(top, self.mapping[cond], negated), anchor)
        self.top = top
        self.guarded = bool(conditions)
        return conditions

    def plan(self) -> None:
        """Find the domain and fuse, with dimensions cut in two where reshapes ask for it."""
        self.factors: dict[object, int] = {}
        for _ in range(MAX_RANK):
            self.find_domain()
            try:
                self.fuse()
                break
            except Refactor as request:
                self.factors[self.names[request.dim]] = request.factor
        check_kept(self.nodes)
        self.settle_strides()

    def check_operands(self, capacity: Capacity | None = None) -> None:
        """Whether the operands are what a program with reductions can have. Raises CutRequest."""
        if not self.nodes:
            return
        if capacity is not None:
            check_rows(self, capacity)
        if self.index_users:
            raise KeepIndices(self.index_users)
        check_walked(self)
        indirect = [o.access.op for o in self.table.operands if o.table is not None]
        if indirect and plan_contraction(self) is not None:
            raise Materialise(indirect[0].results[0], indirect[0], "a matrix unit reads it")

    # -- domain -------------------------------------------------------------------------------------------------------

    def find_domain(self) -> None:
        """Original domain dimensions: loops around the group, then the dimensions of the stored tile."""
        self.extents: list[Index] = []
        self.multiples: list[int] = []
        self.iv_form: dict[SSAValue, Linear] = {}
        for loop in self.loops:
            self.enter_loop(loop)
        first = self.accesses[self.stores[0]]
        for dim in first.dims:
            extent = self.resolve(dim.extent)
            self.extents.append(self.emit(extent))
            self.multiples.append(known_multiple(extent))
        self.tile_rank = len(self.extents)
        self.loop_dims: dict[Operation, int] = {}
        for loop in carried_loops(self.program):
            self.loop_dims[loop] = len(self.extents)
            self.enter_loop(loop)
        self.unclipped = list(self.extents)
        clip_domain(self, self.guarded)
        self.rank = len(self.extents)
        self.names: dict[int, object] = {}
        self.axes: list[tuple[int | None, Linear]] = []
        """(original extent, its dimensions as one index) of each dimension, those cut in two included."""
        forms = {DomainDim(k): self.add_axis(k, ("own", k)) for k in range(self.rank)}
        self.tile_forms = [forms[DomainDim(k)] for k in range(len(self.loops), self.tile_rank)]
        if self.rank != len(forms):
            for v, form in self.iv_form.items():
                total = Linear(form.const)
                for t, c in form.terms.items():
                    total = total + forms.get(t, Linear(0, {t: 1})).scaled(c)  # type: ignore[call-overload]
                self.iv_form[v] = total

    def add_axis(self, k: int, name: object) -> Linear:
        """Name dimension k and cut it as its name asks; the index of the whole in terms of the pieces."""
        extent = constant_of(self.extents[k])
        form = self._cut(k, name)
        self.axes.append((extent, form))
        return form

    def _cut(self, k: int, name: object) -> Linear:
        self.names[k] = name
        factor = self.factors.get(name)
        if factor is None:
            return Linear(0, {DomainDim(k): 1})  # type: ignore[dict-item]
        extent = constant_of(self.extents[k])
        assert extent is not None and extent % factor == 0
        self.extents[k] = extent // factor
        inner = self.new_dim(factor)
        return self._cut(k, (name, "outer")).scaled(factor) + self._cut(inner, (name, "inner"))

    def new_dim(self, extent: int) -> int:
        """One more domain dimension."""
        self.extents.append(extent)
        self.multiples.append(extent)
        self.rank += 1
        return self.rank - 1

    def span(self, form: Linear) -> tuple[int, int] | None:
        """Least and greatest value of a linear form over the domain, where known."""
        low, high = lowest(self, form), highest(self, form)
        return None if low is None or high is None else (low, high)

    def enter_loop(self, loop: scf.ForOp) -> None:
        """Make a loop the next dimension of the domain."""
        k = len(self.extents)
        lower = self.resolve(linear(loop.lb))
        step = linear(loop.step)
        if not step.is_const or step.const <= 0:
            raise error(loop, f"a loop step that is no positive constant is not supported by {PASS}")
        trip = self.resolve(linear(loop.ub)) - lower
        if any(isinstance(t, DomainDim) for t in trip.terms):
            raise error(loop, f"a trip count that depends on an outer loop is not supported by {PASS}")
        count = self.top.ceildiv(self.emit(trip), step.const)
        self.extents.append(
            self.top.maximum(count, 0) if constant_of(count) is None else max(0, constant_of(count) or 0)
        )
        self.multiples.append(1)
        self.iv_form[loop.body.block.args[0]] = lower + Linear(0, {DomainDim(k): step.const})  # type: ignore[dict-item]

    def resolve(self, form: Linear) -> Linear:
        """Replace loop variables by what they are in terms of domain dimensions."""
        result = Linear(form.const)
        for v, c in form.terms.items():
            known = self.iv_form.get(v) or self.iv_form.get(behind_casts(v))
            result = result + (known.scaled(c) if known is not None else Linear(0, {v: c}))
        return result

    def emit(self, form: Linear) -> Index:
        clone_slice(list(form.terms), self.mapping, self.top)
        return form.emit(self.top, self.mapping)

    def outer(self, value: SSAValue) -> SSAValue:
        """A scalar from outside of the body, available at the top of the program."""
        if depends_on_loop(value, self.iv_form):
            raise error(self.stores[0], f"a scalar computed from a loop variable as data is not supported by {PASS}")
        return clone_slice([value], self.mapping, self.top)[0]

    # -- body ---------------------------------------------------------------------------------------------------------

    def fuse(self) -> None:
        self.body = Block()
        self.index_placeholders: dict[int, SSAValue] = {}
        self.table = OperandTable()
        self.nodes: list[Node] = []
        self.index_users: list[Operation] = []
        self.reductions = Reductions(self)
        self.scalarizer = self.segment(self.body)
        at = self.tile_forms
        results: list[SSAValue] = []
        self.outputs: list[Operand] = []
        for number, store in enumerate(self.stores):
            try:
                value = self.scalarizer.element(store.operands[0], at, store)
            except CutDomain as request:
                request.store = number
                raise
            access = self.accesses[store]
            if value.type != access.element_type:
                raise error(store, f"stored element type {value.type} is not the view's {access.element_type}")
            results.append(value)
        for store in self.stores:
            access = self.accesses[store]
            self.body.insert_arg(access.element_type, len(self.body.args))
            output = self.operand_of(access, at)
            output.table = table_of(access, at, self.operand_of)
            self.outputs.append(output)
        yield_op = linalg.YieldOp(*results)
        copy_loc(self.stores[0], yield_op)
        self.body.add_op(yield_op)

    def segment(self, body: Block) -> Scalarizer:
        """A scalariser that fills `body` and shares the program's operands and reductions."""
        return Scalarizer(
            body,
            self.accesses,
            MAX_RANK,
            self.placeholder,
            make_scalar_op,
            self.coordinates,
            self.outer,
            self.table,
            self.reductions.node,
            self.span,
            lambda k: constant_of(self.extents[k]),
            self.resolve,
            self.index_users.append,
        )

    def scalarizer_scalar(self, value: SSAValue, user: Operation) -> SSAValue:
        """The one number that a splat tensor (a reduction's start) holds, as a scalar at the top of the program."""
        body = Block()
        rank = len(value.type.get_shape())  # type: ignore[attr-defined]
        scalar = self.segment(body).element(value, [Linear()] * rank, user)
        if body.args:
            raise error(user, f"a reduction that starts from loaded values is not supported by {PASS}")
        for op in list(body.ops):
            op.detach()
            self.top.insert(op)
        return scalar

    def placeholder(self, k: int, body: Block) -> SSAValue:
        """Domain dimension k as a value in the body; filled in once the final loops exist."""
        if k not in self.index_placeholders:
            op = linalg.IndexOp(k)
            copy_loc(self.stores[0], op)
            body.insert_op_before(op, body.first_op) if body.first_op else body.add_op(op)
            self.index_placeholders[k] = op.result
        return self.index_placeholders[k]

    def coordinates(self, access: Access) -> list[Linear]:
        return [self.resolve(c) for c in access.coords]

    def operand_of(self, access: Access, at: list[Linear]) -> Operand:
        total = Linear()
        coords = self.coordinates(access)
        for dim, here in zip(access.dims, at, strict=True):
            if dim.view_dim >= 0:
                coords[dim.view_dim] = coords[dim.view_dim] + self.resolve(dim.lo) + here
        for form, stride in zip(coords, access.strides, strict=True):
            s = linear(stride)
            if not s.is_const and isinstance(stride, SSAValue):
                raise open_stride(access.view, stride, PASS)
            total = total + form.scaled(s.const)
        return split_operand(access, total)

    # -- layout -------------------------------------------------------------------------------------------------------

    def settle_strides(self) -> None:
        """Loop terms of a view's own address become strides of the operand."""
        tables = [o.table for o in self.operands if o.table is not None]
        for operand in [*self.operands, *tables]:
            shift = self.resolve(operand.access.base)
            terms = {t: c for t, c in shift.terms.items() if isinstance(t, DomainDim)}
            if terms:
                scale = operand.access.element_bytes if operand.access.unit == "byte" else 1
                if any(c % scale for c in terms.values()):
                    raise error(operand.access.view, "the view's address moves by less than an element per iteration")
                strides = list(operand.strides)
                for t, c in terms.items():
                    strides[t.index] += c // scale  # type: ignore[attr-defined]
                operand.strides = tuple(strides)

    @property
    def operands(self) -> list[Operand]:
        """What the program loads, then what it stores."""
        return [*self.table.operands, *self.outputs]

    def vectors(self) -> list[tuple[int, ...]]:
        """Strides in every domain dimension: of the tables of indirect operands, then of all operands."""
        return [o.table.strides for o in self.operands if o.table is not None] + [o.strides for o in self.operands]

    def bind(self, strides: list[list[int]]) -> list[list[int]]:
        """Take the final strides of `vectors()`; returns those of the operands, an indirect one's with its table's."""
        indirect = [o for o in self.operands if o.table is not None]
        self.through = dict(zip(indirect, strides[: len(indirect)], strict=True))
        self.own = dict(zip(self.operands, strides[len(indirect) :], strict=True))
        return [
            [a or b for a, b in zip(own, self.through[o], strict=True)] if o in self.through else own
            for o, own in self.own.items()
        ]

    def streams(self) -> tuple[list[Footprint], list[Footprint], list[Index]]:
        """What the program reads and writes, and over which points."""
        rank = len(self.extents)
        reads, writes = (
            [Footprint(o.access, o.offset, o.strides[:rank]) for o in operands]
            for operands in (self.table.operands, self.outputs)
        )
        return reads, writes, self.extents

    def in_scratchpad(self) -> bool:
        """Whether nothing comes from main memory or goes there."""
        kinds = {self.device.space_to_kind(o.access.space) for o in self.operands}
        return all(self.device.memory_level(kind) for kind in kinds)

    def lay_out(self) -> None:
        """Order and merge the domain's dimensions; find the vector length."""
        ranks = [tuple(o.walks(k) << (20 if not s else 0) for k, s in enumerate(o.strides)) for o in self.outputs]
        self.domain: Domain = arrange(
            self.extents, self.multiples, self.vectors(), ranks, self.scalarizer.uses_index, self.top
        )
        self.domain.strides = self.bind(self.domain.strides)
        moved = [o.access.element_type for o in self.operands]
        computed = [r.type for op in self.body.ops for r in op.results]
        counted = [t for t in moved if dtype_of(t).name != "i1"]
        counted += [t for t in computed if dtype_of(t).name not in ("i1", "index")]
        lanes = min(self.device.vector_lanes(t) for t in counted or [*moved, *computed])
        if self.in_scratchpad():
            lanes = longest_entry(self.device, (o.access.element_type for o in self.operands), lanes)
        extent = constant_of(self.domain.dims[-1].extent)
        self.vector = lanes if extent is None else min(lanes, extent)

    def memory(self, operand: Operand, strides: list[int]) -> SSAValue:
        """The operand as a memref; an indirect one through its table."""
        if operand.table is None:
            return self.plain_memory(operand, strides)
        base = self.plain_memory(operand, self.own[operand])
        through = self.through[operand]
        table = self.plain_memory(operand.table, through)
        walked = [k for k, s in enumerate(strides) if s]
        sizes: list[Index] = [self.domain.dims[k].extent for k in walked] + ([] if strides[-1] else [1])
        assert isinstance(base.type, MemRefType)
        shape = [DYNAMIC_INDEX if (c := constant_of(s)) is None else c for s in sizes]
        result = memref_type(base.type.element_type, shape, memory_space=base.type.memory_space)
        rows = [i for i, k in enumerate(walked) if through[k]]
        op = ktdf.indirect_memref(base, table, rows, result)
        if operand.access.skips:
            op.attributes[SKIPS] = UnitAttr()
        self.top.insert(op)
        copy_loc(operand.access.view, op)
        return op.results[0]

    def plain_memory(self, operand: Operand, strides: list[int]) -> SSAValue:
        """The operand as a memref in device memory whose dimensions are the domain dimensions it walks, the vector
        dimension last."""
        access = operand.access
        base = self.resolve(access.base)
        start = self.emit(Linear(base.const, {t: c for t, c in base.terms.items() if not isinstance(t, DomainDim)}))
        old = access.view
        known = [v for v in old.operands if v is not old.operands[0]]
        clone_slice(known, self.mapping, self.top)
        renamed = dict(self.mapping)
        renamed[old.operands[0]] = self.top.value(start)
        view = copy_op(old, renamed)
        copy_loc(old, view)
        self.top.insert(view)
        copy_loc(old, view)
        space = kind_attr(self.device, access.space)
        flat = view.results[0].type
        assert isinstance(flat, MemRefType)
        moved = memref_type(flat.element_type, flat.get_shape(), flat.layout, space)
        cast = self.top.insert(create_op(memref.MemorySpaceCastOp, view.results, (moved,)))
        copy_loc(old, cast)
        sizes: list[Index] = [d.extent for d, s in zip(self.domain.dims, strides, strict=True) if s]
        steps = [s for s in strides if s]
        if not strides[-1]:
            sizes.append(1)
            steps.append(1)
        offset = self.emit(operand.offset)
        shape = [DYNAMIC_INDEX if constant_of(s) is None else constant_of(s) for s in sizes]
        static_offset = constant_of(offset)
        layout = StridedLayoutAttr(steps, NoneAttr() if static_offset is None else static_offset)
        result = memref_type(flat.element_type, shape, layout, space)  # type: ignore[arg-type]
        offsets = [] if static_offset is not None else [self.top.value(offset)]
        dynamic = [self.top.value(s) for s in sizes if constant_of(s) is None]
        op = create_op(
            memref.ReinterpretCastOp,
            (cast.results[0], *offsets, *dynamic),
            (result,),
            {
                "static_offsets": integers(DYNAMIC_INDEX if static_offset is None else static_offset),
                "static_sizes": integers(*(s if isinstance(s, int) else DYNAMIC_INDEX for s in shape)),
                "static_strides": integers(*steps),
                "operandSegmentSizes": segment_sizes(1, len(offsets), len(dynamic), 0),
            },
        )
        copy_loc(old, op)
        return self.top.insert(op).results[0]

    # -- pipeline -----------------------------------------------------------------------------------------------------

    def emit_pipeline(self) -> None:
        ins, outs = self.table.operands, self.outputs
        compute = ktdf.kind(self.device.compute_kind)
        memories = [self.memory(o, s) for o, s in zip([*ins, *outs], self.domain.strides, strict=True)]
        emit, ivs = self.top, []
        last: Dim = self.domain.dims[-1]
        bounds = [self.top.value(d.extent) for d in self.domain.dims[:-1]]
        bounds.append(self.top.value(self.top.ceildiv(last.extent, self.vector)))
        width, total = self.top.value(self.vector), self.top.value(last.extent)
        for k, bound in enumerate(bounds):
            loop, iv = emit.loop(bound, f"d{k}")
            loop.attributes["loop_type"] = ktdf.parallel_loop()
            ivs.append(iv)
            emit = Emitter.at_end(loop.body.block, self.stores[0])
        extent = constant_of(last.extent)
        length: Index = self.vector
        if (extent if extent is not None else last.multiple) % self.vector:
            length = emit.insert(ktdf.derive_size([(ivs[-1], width)], total)).results[0]
        self.fill_indices(ivs, emit)
        ktdf.build_three_stages(
            emit,
            self.stores[0],
            [self.side(m, s, ivs, length) for m, s in zip(memories, self.domain.strides, strict=True)],
            len(ins),
            [ktdf.memory_kind(m) for m in memories],
            compute,
            lambda slots, inner: self.compute(slots, inner, length),
        )

    def side(self, memory: SSAValue, strides: list[int], ivs: list[SSAValue], length: Index) -> ktdf.Side:
        """The piece of one operand that an iteration touches: one element per dimension, `length` of the vector
        dimension."""
        at = [Linear(0, {iv: 1}) for iv, s in zip(ivs[:-1], strides[:-1], strict=True) if s]
        at.append(Linear(0, {ivs[-1]: self.vector}) if strides[-1] else Linear())
        sizes: list[Index] = [1] * (len(at) - 1) + [length if strides[-1] else 1]
        return ktdf.Side(memory, at, sizes)

    def compute(self, slots: Sequence[tuple[SSAValue, ktdf.Side]], emit: Emitter, length: Index) -> list[SSAValue]:
        """Body of the compute stage: read every input slot, run the generic, return its results."""
        rank = len(self.domain.dims)
        count = len(self.table.operands)
        maps: list[AffineMap] = []
        inputs: list[SSAValue] = []
        for i, (slot, side) in enumerate(slots[:count]):
            strides = self.domain.strides[i]
            inputs.append(ktdf.read(emit, slot, tensor_type(side.sizes, ktdf.slot_element(slot))))  # pyright: ignore
            maps.append(operand_map(strides, rank))
        outputs: list[SSAValue] = []
        for i, (slot, side) in enumerate(slots[count:]):
            result = tensor_type(side.sizes, ktdf.slot_element(slot))  # pyright: ignore[reportArgumentType]
            dynamic = [s for s in side.sizes if isinstance(s, SSAValue)]  # pyright: ignore[reportOptionalIterable]
            outputs.append(emit.insert(tensor.EmptyOp(dynamic, result)).results[0])
            maps.append(operand_map(self.domain.strides[count + i], rank))
        generic = linalg.GenericOp(
            inputs,
            outputs,
            Region(self.body),
            [AffineMapAttr(m) for m in maps],
            [IteratorTypeAttr.parallel()] * rank,
            [o.type for o in outputs],
        )
        return list(emit.insert(generic).results)

    def fill_indices(self, ivs: list[SSAValue], emit: Emitter) -> None:
        """Replace the placeholders of original dimensions by loop variables and the position within the vector."""
        rank = len(self.domain.dims)
        for k, placeholder in self.index_placeholders.items():
            position = next((p for p, d in enumerate(self.domain.dims) if k in d.parts), None)
            old = placeholder.owner
            assert isinstance(old, Operation)
            inner = Emitter.before(old)
            inner.origin = self.stores[0]
            if position is None:
                new = inner.value(0)
            elif position == rank - 1:
                lane = inner.insert(linalg.IndexOp(rank - 1)).result
                new = inner.value(inner.add(inner.mul(ivs[-1], self.vector), lane))
            else:
                new = ivs[position]
            placeholder.replace_all_uses_with(new)
            old.detach()
            old.erase()
        del emit

    def remove_old(self, conditions: list[tuple[SSAValue, bool]]) -> None:
        """Erase the tensor form of the program."""
        outermost: Operation = self.stores[0]
        while outermost.parent is not self.program.body.block:
            parent = outermost.parent_op()
            assert parent is not None
            outermost = parent
        if outermost is self.stores[0]:
            for store in self.stores:
                store.detach()
                store.erase()
        else:
            outermost.detach()
            outermost.erase(safe_erase=False)
        erase_dead(self.program.body, removable)


def behind_casts(value: SSAValue) -> SSAValue:
    """The value behind conversions between index and integers; domain dimensions stay as they are."""
    while isinstance(getattr(value, "owner", None), arith.IndexCastOp):
        value = value.owner.input  # type: ignore[union-attr]
    return value


def removable(op: Operation) -> bool:
    """Whether an unused operation of a program may go: everything but schedule constructs, and loops that carry
    nothing."""
    return not op.name.startswith(("ktdf.", "scf.")) or (op.name == "scf.for" and bool(op.results))


def control_of(anchor: Operation) -> tuple[list[scf.ForOp], list[tuple[SSAValue, bool]]]:
    """Loops around the group (outermost first) and the conditions it is under."""
    loops: list[scf.ForOp] = []
    conditions: list[tuple[SSAValue, bool]] = []
    inner, op = anchor, anchor.parent_op()
    while op is not None and op.name != "func.func":
        if isinstance(op, scf.ForOp):
            loops.insert(0, op)
        elif isinstance(op, scf.IfOp):
            conditions.insert(0, (op.cond, inner.parent is not op.true_region.blocks.first))
        inner, op = op, op.parent_op()
    return loops, conditions


def depends_on_loop(value: SSAValue, ivs: dict[SSAValue, Linear]) -> bool:
    from headrace.scheduler.split.groups import depends_on

    return any(depends_on(value, iv) for iv in ivs)


def split_operand(access: Access, total: Linear) -> Operand:
    """Separate the domain strides from the offset of an element address."""
    dims = [DomainDim(k) for k in range(MAX_RANK)]
    strides = tuple(total.coefficient(d) for d in dims)  # type: ignore[arg-type]
    return Operand(access, total.without(set(dims)), strides)  # type: ignore[arg-type]


def operand_map(strides: list[int], rank: int) -> AffineMap:
    """Indexing map of an operand: the dimensions it walks; a constant 0 in place of the vector dimension if it does not
    walk that."""
    exprs: list[AffineExpr] = [AffineDimExpr(k) for k in range(rank - 1) if strides[k]]
    exprs.append(AffineDimExpr(rank - 1) if strides[-1] else AffineConstantExpr(0))
    return AffineMap(rank, 0, tuple(exprs))


def tensor_type(sizes: Sequence[Index], element: Attribute) -> TensorType[Attribute]:
    return TensorType(element, [DYNAMIC_INDEX if isinstance(s, SSAValue) else s for s in sizes])


def known_multiple(form: Linear) -> int:
    """A number that certainly divides the value: from constants, products and the granularity of runtime arguments."""
    from math import gcd

    result = abs(form.const)
    for v, c in form.terms.items():
        factor = 1
        owner = v.owner
        if isinstance(owner, Operation) and owner.name == "ktdp.runtime_arg_extract":
            granularity = getattr(owner.operands[0].type, "granularity", None)
            value = getattr(granularity, "data", granularity)
            if isinstance(value, int):
                factor = value
        result = gcd(result, abs(c) * factor)
    return max(result, 1)
