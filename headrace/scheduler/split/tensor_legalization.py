"""tensor-legalization: rewrite what one pipeline over one box of points cannot do.

Precondition: legal KTIR. Postcondition: every group of stores that `compute-group-extraction` will find can be fused
into one body over one iteration domain.

A program gives each element of the stored tile by one body, with operands that walk memory evenly. Tensor operations
that are not like that are taken apart here, at the level of KTIR:

- a loop that carries tensors which are no sums keeps them in the scratchpad (`states`);
- what lies between two products is kept in the scratchpad (`products`);
- a loop over several programs runs as often on every tile (`trips`);
- the result of an `scf.if` becomes a select, or goes through memory where its branches load;
- a store whose elements come from different tensors by position (`insert_slice`, `concat`, `pad`) is cut into boxes, or
  dealt out by a stride;
- an access over a set that is no box takes the box around it, with a mask;
- an indirect access reads where its rows lie from a table that a program of its own computes, and so does an access
  at a place that is computed from elements of tensors;
- a tile in a view with an extent that is computed from elements of tensors has places only inside of it; what is
  loaded is zero outside (`loaded_extents`);
- a store under a condition that is computed from elements of tensors stores what lies there already where it fails,
  or nothing where its place is computed from elements, too, or is one for several tiles of the grid;
- a reduction over an extent known at launch that has no upper bound becomes a loop over pieces (`unbounded`), and one
  that keeps such an extent is made and stored in pieces (`unbounded_walks`), as is one of several unknown extents;
- around reductions over extents known at launch, tensors are as large as they can be, and masked (`launch_extents`);
- a reduction whose rows do not fit the scratchpad twice is folded in pieces, then over these (`long_rows`); where the
  results of the pieces take too much, its rows are loaded into one buffer, or if that does not fit either, a block of
  its results is made at a time (`result_blocks`);
- around reductions, a tile that may hang over the end of its view is kept whole, in the order in which it lies in
  memory, with zeros outside;
- what is used behind a store that overwrites where it was loaded from, or is overwritten at other points of its own
  program (a shift in place), is kept in front of it;
- a load whose vectors would be gathered element by element (a transpose) is copied to the scratchpad first;
- a tensor that cannot be fused into its users (a reduction that keeps what another one folds, what is
  folded over a dimension that no operand walks, a reshape of a computed
  tensor that regroups unevenly, parts under a reduction, a table of constants) is kept in the scratchpad, at the end of
  what the kernel and the device leave free; a loop whose sums no program can make keeps them there from one iteration
  to the next.

    %r = tensor.insert_slice %b into %a[0, 32] ...      %a' = tensor.extract_slice %r[0, 0] [4, 32] ; store, T[0, 0]
    ktdp.store %r, T                               ->   %b' = tensor.extract_slice %r[0, 32] [4, 32] ; store, T[0, 32]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    i32,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint

from headrace.arch import Device
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects import ktdp
from headrace.ir.dialects.ktdp_types import MemorySpaceAttr
from headrace.ir.elements import splat_value
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of
from headrace.ir.upstream.tensor import GenerateOp
from headrace.scheduler.access import Access, describe, mixed
from headrace.scheduler.build import Emitter, erase_dead
from headrace.scheduler.device import allocatable, device_of, free_ranges, owned_ranges
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.carried import take_inductions_out
from headrace.scheduler.split.carried_scalars import carry_tensors
from headrace.scheduler.split.compute_group_extraction import group_program
from headrace.scheduler.split.conditionals import branch_results, conditions_on_data
from headrace.scheduler.split.construct_three_stage_pipeline import Builder
from headrace.scheduler.split.contraction import generalise
from headrace.scheduler.split.cuts import CutDomain, CutRequest, KeepIndices, KeepLoad, KeepStates, Materialise
from headrace.scheduler.split.groups import Group, Uniformity, find_groups, may_overlap, plan_control
from headrace.scheduler.split.hazards import conflicts
from headrace.scheduler.split.index_loops import index_loops
from headrace.scheduler.split.indirect import split_indirect
from headrace.scheduler.split.launch_extents import fix_launch_extents
from headrace.scheduler.split.loaded_extents import mask_loads
from headrace.scheduler.split.long_rows import COPIES, PIECES, CutRow, cut_row, kept_bytes
from headrace.scheduler.split.overhang import keep_load, keep_overhang
from headrace.scheduler.split.pairs import single_reductions
from headrace.scheduler.split.products import separate_products
from headrace.scheduler.split.reductions import extents_of
from headrace.scheduler.split.result_blocks import store_in_blocks
from headrace.scheduler.split.skewed import box_tiles
from headrace.scheduler.split.states import keep_states, states_to_memory, stored_states
from headrace.scheduler.split.trips import level_trips
from headrace.scheduler.split.unbounded import loop_over_pieces
from headrace.scheduler.split.unbounded_walks import store_in_pieces, store_row_by_row
from headrace.scheduler.split.view_extents import settle_view_extents
from headrace.scheduler.split.whiles import count_loops

NAME = "tensor-legalization"
ROUNDS = 400
"""Most rewrites of one kernel."""
SIMPLE = ("arith.", "math.", "spyreop.", "ktdp.load", "tensor.splat", "tensor.empty", "linalg.fill", "linalg.broadcast")


@dataclass
class TensorLegalization(Pass):
    """Take tensor operations apart that no single pipeline can do."""

    name = NAME

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        room = Room(module, device)
        for kernel in list(module.body.block.ops):
            if isinstance(kernel, func.FuncOp) and kernel.body.blocks:
                drop_empty(kernel)
                count_loops(kernel)
                index_loops(kernel)
                settle_view_extents(kernel)
                take_inductions_out(kernel)
                carry_tensors(kernel)
                branch_results(kernel, room.keep)
                mask_loads(kernel)
                guards = conditions_on_data(kernel, room.keep, device)
                box_tiles(kernel)
                split_indirect(kernel, room.keep, guards)
                store_row_by_row(kernel)
                loop_over_pieces(kernel, room.most)
                store_in_pieces(kernel, room.most)
                fix_launch_extents(kernel, room.keep)
                single_reductions(kernel)
                generalise(kernel)
                states_to_memory(kernel, room.keep)
                separate_products(kernel, room.keep)
                Legalizer(kernel, module, device, room).run()
                erase_dead(kernel.body, removable)


def drop_empty(kernel: Operation) -> None:
    """Remove the stores of tiles without elements; what folds none is what it starts from."""
    for op in [o for o in kernel.walk() if o.name in ("linalg.reduce", "ktdp.store")]:
        kind = op.operands[0].type
        if not isinstance(kind, TensorType) or 0 not in kind.get_shape():
            continue
        if op.name == "ktdp.store":
            op.detach()
            op.erase()
        elif 0 not in op.results[0].type.get_shape():  # type: ignore[attr-defined]
            for result, start in zip(op.results, op.operands[len(op.results) :], strict=True):
                result.replace_all_uses_with(start)


def removable(op: Operation) -> bool:
    """Whether an unused operation of a kernel may go."""
    return op.name.startswith(("tensor.", "arith.", "linalg.", "math.", "spyreop.")) or op.name in (
        "ktdp.construct_access_tile",
        "ktdp.construct_memory_view",
        "ktdp.load",
    )


class Room:
    """Scratchpad that tensors are kept in: from the end of what the kernel and the device leave free."""

    def __init__(self, module: ModuleOp, device: Device):
        self.module, self.device = module, device
        self.space = MemorySpaceAttr(StringAttr("ct_local"), NoneAttr())
        self.kind = device.space_to_kind(self.space)
        self.free = free_ranges(device, self.kind, owned_ranges(module, device))
        attr = module.attributes.get("headrace.address_unit")
        self.bytes = isinstance(attr, StringAttr) and attr.data == "byte"
        self.tenants: dict[tuple[int, int], list[Tenant]] = {}
        """What lies at (address, bytes): a tensor of a loop's body is gone after the loop."""

    def capacity(self, kind: str) -> int:
        """Bytes of a memory that the buffers of programs may take."""
        return allocatable(self.device, kind, owned_ranges(self.module, self.device))

    @property
    def most(self) -> int:
        """The most bytes that are left in one piece."""
        return max((end - start for start, end in self.free), default=0)

    def take(self, size: int, op: Operation) -> int:
        """The byte address of `size` new bytes. Raises HeadraceError where there are none."""
        for i in range(len(self.free) - 1, -1, -1):
            start, end = self.free[i]
            at = (end - size) // 128 * 128
            if at >= start:
                self.free[i] = (start, at)
                return at
        raise error(
            op,
            f"the tensor that '{op.name}' makes must be kept in {self.kind}, but its {size} bytes do not fit the "
            f"{self.most} bytes left; {NAME} cannot place it",
        )

    def keep(self, shape: list[int], element: object, op: Operation, emit: Emitter) -> SSAValue:
        """A row-major view of new scratchpad."""
        if DYNAMIC_INDEX in shape:
            raise error(op, f"a tensor of extents only known at launch cannot be kept in {self.kind} ({NAME})")
        width = dtype_of(element).bytes  # type: ignore[arg-type]
        size, home = max(1, prod(shape)) * width, op.parent
        assert home is not None
        free = [at for (at, n), views in self.tenants.items() if n == size and all(apart(home, v.block) for v in views)]
        address = free[0] if free else self.take(size, op)
        view = self.view(address, shape, element, emit)
        self.tenants.setdefault((address, size), []).append(Tenant(view))
        return view

    def view(
        self, address: int, shape: list[int], element: object, emit: Emitter, strides: list[int] | None = None
    ) -> SSAValue:
        """A view (row-major without strides) at a byte address of the scratchpad."""
        width = 1 if self.bytes else dtype_of(element).bytes  # type: ignore[arg-type]
        start = emit.value(address // width)
        steps = strides or tiles.dense_strides(shape)
        return tiles.make_view(emit, start, shape, steps, element, self.space)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Tenant:
    """A view of kept memory."""

    view: SSAValue

    @property
    def block(self) -> Block | None:
        """Where it is now (loops are rebuilt around it)."""
        owner = self.view.owner
        return owner.parent if isinstance(owner, Operation) else owner


def apart(a: Block, b: Block | None) -> bool:
    """Whether neither block is inside the other: what one holds is gone when the other runs."""
    return b is not None and not any(x is y or x.is_ancestor(y) for x, y in ((a, b), (b, a)))


@dataclass
class Legalizer:
    """Rewrites one kernel until every group fuses."""

    kernel: func.FuncOp
    module: ModuleOp
    device: Device
    room: Room
    good: set[tuple[Operation, ...]] = field(default_factory=set)
    kept: set[SSAValue] = field(default_factory=set)
    over: set[Operation] = field(default_factory=set)

    def run(self) -> None:
        """Try every group; grant what it asks for; again."""
        for _ in range(ROUNDS):
            if stored_states(self.kernel, self.room.keep):
                continue
            try:
                groups = find_groups(self.kernel)
                uniform = Uniformity()
                if level_trips(self.kernel, groups, uniform):
                    continue
                plan_control(self.kernel, groups, uniform)
            except HeadraceError:
                return  # `compute-group-extraction` finds the same and reports it
            if any(keep_overhang(group, self.room.keep, self.over) for group in groups):
                continue
            if not any(self.legalize(group, uniform) for group in groups) and not self.keep_order(groups):
                return

    def keep_order(self, groups: list[Group]) -> bool:
        """Keep what a group would load after it was overwritten; whether the kernel was rewritten."""
        for conflict in conflicts(self.kernel, groups):
            values = conflict.values()
            if values and self.kept.isdisjoint(values):
                try:
                    for value in values:
                        reason = "what it comes from is overwritten before its use"
                        self.materialise(conflict.group, value, reason, behind=True)
                    return True
                except HeadraceError:
                    pass  # `compute-group-extraction` reports the conflict
        return False

    def legalize(self, group: Group, uniform: Uniformity) -> bool:
        """Rewrite the kernel if this group cannot be fused; whether it was."""
        key = tuple(group.stores)
        plain = all(op.name.startswith(SIMPLE) and not has_table(op) for op in group.slice)
        plain = plain and not any(crosswise(a) for a in group.accesses.values()) and not shifted(group)
        if key in self.good or plain:
            return False
        mapping: dict[SSAValue, SSAValue] = {}
        builder: Builder | None = None
        try:
            builder = Builder(self.copy(group, uniform, mapping), self.device)
            builder.trial(self.room.capacity)
        except HeadraceError:
            self.good.add(key)  # reported by the pass that builds the pipeline
            return False
        except CutRequest as request:
            original = {new: old for old, new in mapping.items()}
            assert builder is not None  # only a trial makes requests
            return self.grant(group, builder, request, original)
        self.good.add(key)
        return False

    def copy(self, group: Group, uniform: Uniformity, mapping: dict[SSAValue, SSAValue]) -> func.FuncOp:
        """The program that this group would become, on its own; `mapping` gets what each value became."""
        program, _ = group_program(self.kernel, group, "trial", uniform, mapping)
        ModuleOp([program]).attributes.update(self.module.attributes)
        return program

    # -- requests -----------------------------------------------------------------------------------------------------

    def grant(
        self, group: Group, builder: Builder, request: CutRequest, original: dict[SSAValue, SSAValue]
    ) -> bool:
        """Rewrite the kernel as asked."""
        if isinstance(request, KeepLoad):
            value = original.get(request.op.results[0])
            if value is not None and isinstance(value.owner, Operation) and self.keep_load(value.owner):
                return True
            self.good.add(tuple(group.stores))
            return False
        if isinstance(request, KeepIndices):
            return self.keep_indices(group, request, original)
        if isinstance(request, CutRow | KeepStates):
            value = original.get(request.value)
            if value is not None and self.cut_reduction(group, value, request):
                return True
            self.good.add(tuple(group.stores))
            return False
        if isinstance(request, CutDomain):
            name, depth = builder.names[request.dim], 0
            while isinstance(name, tuple) and isinstance(name[0], tuple):
                name, depth = name[0], depth + 1
            assert isinstance(name, tuple)
            dim = name[1] - len(builder.loops)
            if name[0] == "own" and 0 <= dim < builder.tile_rank - len(builder.loops):
                store = group.stores[request.store]
                if not depth:
                    self.cut(store, dim, request.position)
                    return True
                if self.deal(store, dim, builder.factors[name]):
                    return True
            request = Materialise(request.value, request.op, request.reason)
        assert isinstance(request, Materialise)
        value = original.get(request.value)
        if value is None or not isinstance(value.owner, Operation) or not isinstance(value.type, TensorType):
            self.good.add(tuple(group.stores))
            return False
        last = value in self.kept or all(s.operands[0] is value for s in group.stores)
        if last and isinstance(value.owner, scf.ForOp) and keep_states(value.owner, self.room.keep, {}):
            return True
        self.materialise(group, value, request.reason)
        return True

    def cut_reduction(self, group: Group, value: SSAValue, request: CutRow | KeepStates) -> bool:
        """Fold a reduction in pieces, or one iteration after the other; whether that is possible."""
        if isinstance(value.owner, scf.ForOp):
            return keep_states(value.owner, self.room.keep, {})
        if not isinstance(request, CutRow):
            return False
        size = kept_bytes(value, request.points)
        if size > self.room.most * (PIECES - COPIES) // PIECES:  # two pieces fit beside it
            if request.once:
                return False  # one copy of each buffer
            if store_in_blocks(group, value, size, self.room.most // 4):
                return True
        return cut_row(value, request.points, self.room.keep)

    def cut(self, store: Operation, dim: int, at: int) -> None:
        """Store the elements below and from `at` of one dimension separately."""
        emit = Emitter.before(store)
        value, tile = store.operands
        owner = tile.owner
        assert isinstance(owner, ktdp.ConstructAccessTileOp)
        extents = [d.extent.emit(emit) for d in describe(store).dims]
        total = extents[dim]
        assert isinstance(total, int)
        for low, n in ((0, at), (at, total - at)):
            part = tiles.slice_of(emit, value, dim, low, [n if k == dim else e for k, e in enumerate(extents)])
            tiles.store(emit, part, tiles.narrowed(emit, owner, dim, low, n))
        store.detach()
        store.erase()

    def deal(self, store: Operation, dim: int, factor: int) -> bool:
        """Make one dimension of a store two, (extent / factor, factor); whether that is possible."""
        access = describe(store)
        view = access.view
        assert isinstance(view, ktdp.ConstructMemoryViewOp) and isinstance(view.results[0].type, MemRefType)
        walked = access.dims[dim]
        d = walked.view_dim
        stride = access.strides[d]
        sizes = list(view.static_sizes.get_values())  # type: ignore[attr-defined]
        constants = all(x.lo.is_const and x.extent.is_const for x in access.dims)
        if not isinstance(stride, int) or DYNAMIC_INDEX in sizes or not constants or not all(
            isinstance(s, int) for s in access.strides
        ):
            return False
        extent = walked.extent.const
        emit = Emitter.before(store)
        first = access.coords[d] + walked.lo
        scale = stride * (access.element_bytes if access.unit == "byte" else 1)
        offset = (access.base + first.scaled(scale)).emit(emit)
        new_sizes: list[int | SSAValue] = [*sizes[:d], extent // factor, factor, *sizes[d + 1 :]]
        strides = [int(s) for s in access.strides]  # type: ignore[arg-type]
        new_strides = [*strides[:d], stride * factor, stride, *strides[d + 1 :]]
        piece = tiles.make_view(emit, emit.value(offset), new_sizes, new_strides, access.element_type, access.space)
        # the tile in the order of the new view's dimensions, and the value likewise
        order = [x.view_dim for x in access.dims]
        if order != sorted(order):
            return False
        at: list[Linear] = []
        shape: list[int] = []
        by_dim = {x.view_dim: x for x in access.dims}
        for k in range(len(sizes)):
            x = by_dim[k]
            if k == d:
                at += [Linear(), Linear()]
                shape += [extent // factor, factor]
            else:
                at.append(access.coords[k] + x.lo)
                shape.append(x.extent.const)
        value = tiles.expanded(emit, store.operands[0], dim, factor)
        tiles.store(emit, value, tiles.make_tile(emit, piece, at, shape))  # type: ignore[arg-type]
        store.detach()
        store.erase()
        return True

    def keep_load(self, op: Operation) -> bool:
        """Copy what a load reads to the scratchpad, in the order in which it lies in memory; whether that fits."""
        value = op.results[0]
        assert isinstance(value.type, TensorType)
        if value in self.kept or op in self.over or DYNAMIC_INDEX in value.type.get_shape():
            return False
        self.kept.add(value)
        self.over.add(op)
        try:
            keep_load(op, describe(op), self.room.keep)
        except HeadraceError:
            return False
        return True

    def keep_indices(self, group: Group, request: KeepIndices, original: dict[SSAValue, SSAValue]) -> bool:
        """Indices of a generic become an operand in memory; other tensors made from indices are kept whole."""
        for user in request.users:
            value = original.get(user.results[0])
            op = value.owner if value is not None else None
            if not isinstance(op, Operation):
                continue
            if op.name == "linalg.index":
                around = op.parent_op()
                if isinstance(around, linalg.GenericOp):
                    self.iota_operand(around, op.properties["dim"].value.data)  # type: ignore[attr-defined]
                    return True
            elif isinstance(op.results[0].type, TensorType):
                self.materialise(group, op.results[0], "it is made from indices")
                return True
        self.good.add(tuple(group.stores))
        return False

    def iota_operand(self, op: linalg.GenericOp, dim: int) -> None:
        """Read iteration index `dim` of a generic from a kept tensor."""
        maps = [m.data for m in op.indexing_maps.data if isinstance(m, AffineMapAttr)]
        rank = maps[0].num_dims
        extent = extents_of(op, [*op.inputs, *op.outputs], maps, rank)[dim]
        if extent is None:
            raise error(op, f"an index over an extent only known at launch with a reduction is not supported ({NAME})")
        emit = Emitter.before(op)
        emit.origin = op
        block = Block(arg_types=[IndexType()])
        number = arith.IndexCastOp(block.args[0], i32)
        block.add_ops([number, tensor.YieldOp(number.result)])
        made = emit.insert(
            GenerateOp.build(operands=[[]], result_types=[TensorType(i32, [extent])], regions=[Region(block)])
        )
        view = self.room.keep([extent], i32, op, emit)
        tile = tiles.make_tile(emit, view, [Linear()], [extent])
        tiles.store(emit, made.results[0], tile)
        loaded = tiles.load(emit, tiles.make_tile(emit, view, [Linear()], [extent]), i32)
        body = op.body.block
        arg = body.insert_arg(i32, len(op.inputs))
        cast = arith.IndexCastOp(arg, IndexType())
        copy_loc(op, cast)
        first = body.first_op
        assert first is not None
        body.insert_op_before(cast, first)
        for inner in list(body.ops):
            if inner.name == "linalg.index" and inner.properties["dim"].value.data == dim:  # type: ignore[attr-defined]
                inner.results[0].replace_all_uses_with(cast.result)
                inner.detach()
                inner.erase()
        new_maps = [*maps[: len(op.inputs)], AffineMap(rank, 0, (AffineDimExpr(dim),)), *maps[len(op.inputs) :]]
        new = linalg.GenericOp(
            [*op.inputs, loaded],
            list(op.outputs),
            op.detach_region(op.body),
            [AffineMapAttr(m) for m in new_maps],
            list(op.iterator_types.data),
            [r.type for r in op.results],
        )
        emit.insert(new)
        for old, r in zip(op.results, new.results, strict=True):
            old.replace_all_uses_with(r)
        op.detach()
        op.erase()

    # -- memory -------------------------------------------------------------------------------------------------------

    def materialise(self, group: Group, value: SSAValue, reason: str, behind: bool = False) -> None:
        """Keep `value` in the scratchpad from where it is computed to where it is used. A value that the group only
        stores is kept where the group stores it `behind` something else."""
        op = value.owner
        assert isinstance(op, Operation) and isinstance(value.type, TensorType)
        shape, element = list(value.type.get_shape()), value.type.element_type
        emit = Emitter(InsertPoint.after(op), op)
        pieces = parts_of(op)
        regroups = op.name in ("tensor.reshape", "tensor.collapse_shape", "tensor.expand_shape")
        whole = not behind and all(s.operands[0] is value for s in group.stores)
        if value in self.kept or (whole and not pieces and not regroups):
            raise error(op, f"'{op.name}' cannot be made by one program: {reason}; {NAME} cannot take it apart")
        self.kept.add(value)
        first = list(shape)
        if regroups:
            source = op.operands[0]
            assert isinstance(source.type, TensorType)
            first = list(source.type.get_shape())
            pieces = [(source, None)]
        view = self.room.keep(first, element, op, emit)
        kept: set[Operation] = set()
        if pieces:
            for part, at in pieces:
                kept |= self.put(emit, part, view, at)
        else:
            kept |= self.put(emit, value, view, None)
        if regroups:
            base = view.owner
            assert isinstance(base, ktdp.ConstructMemoryViewOp)
            view = tiles.make_view(emit, base.offset, shape, tiles.dense_strides(shape), element, self.room.space)
        tile = tiles.make_tile(emit, view, [Linear()] * len(shape), shape)  # type: ignore[arg-type]
        loaded = tiles.load(emit, tile, element)
        value.replace_uses_with_if(loaded, lambda use: use.operation not in kept)

    def put(
        self, emit: Emitter, value: SSAValue | Operation, view: SSAValue, at: list[Linear] | None
    ) -> set[Operation]:
        """Store one tensor into a kept one; returns the store."""
        if isinstance(value, Operation):
            emit.insert(value)
            value = value.results[0]
        assert isinstance(value.type, TensorType)
        shape = list(value.type.get_shape())
        tile = tiles.make_tile(emit, view, at or [Linear()] * len(shape), shape)  # type: ignore[arg-type]
        return {tiles.store(emit, value, tile)}


def crosswise(access: Access) -> bool:
    """Whether the last dimension of a tile is not the one that lies densest in memory."""
    strides = [access.strides[d.view_dim] for d in access.dims if d.view_dim >= 0]
    known = [abs(s) for s in strides if isinstance(s, int)]
    return bool(known) and len(known) == len(strides) and known[-1] != min(known)


def shifted(group: Group) -> bool:
    """Whether a group stores to what it loads, other than element by element."""
    stores = [group.accesses[s] for s in group.stores]
    loads = [group.accesses[o] for o in group.loads]
    return any(may_overlap(a, b) and not a.same_elements(b) for a in loads for b in stores)


def has_table(op: Operation) -> bool:
    """Whether an operation reads a constant tensor or scalars made from tensors, which fusing may refuse."""
    return any(
        isinstance(v.owner, Operation) and v.owner.name in ("tensor.extract", "tensor.from_elements")
        for v in op.operands
    ) or (op.name == "arith.constant" and not is_splat(op))


def is_splat(op: Operation) -> bool:
    """Whether a constant has one value everywhere."""
    value = op.properties["value"]
    return not isinstance(value, DenseIntOrFPElementsAttr) or splat_value(value) is not None


def parts_of(op: Operation) -> list[tuple[SSAValue | Operation, list[Linear] | None]]:
    """(tensor, coordinates) of what a tensor is put together from, in order; empty for others."""
    if op.name == "tensor.insert_slice":
        if any(s != 1 for s in op.properties["static_strides"].get_values()):  # type: ignore[attr-defined]
            return []
        part, whole = op.operands[0].type, op.results[0].type
        assert isinstance(part, TensorType) and isinstance(whole, TensorType)
        if DYNAMIC_INDEX in part.get_shape():
            return []
        offsets = mixed(op.properties["static_offsets"].get_values(), list(op.offsets))  # type: ignore[attr-defined]
        slice_: SSAValue | Operation = op.operands[0]
        if part.get_num_dims() < whole.get_num_dims():
            sizes = list(op.properties["static_sizes"].get_values())  # type: ignore[attr-defined]
            slice_ = tiles.with_unit_dims(op.operands[0], sizes)
        return [(op.operands[1], None), (slice_, [linear(o) for o in offsets])]
    if op.name == "tensor.concat":
        axis = op.properties["dim"].value.data  # type: ignore[attr-defined]
        parts: list[tuple[SSAValue | Operation, list[Linear] | None]] = []
        start = 0
        for v in op.operands:
            assert isinstance(v.type, TensorType)
            shape = v.type.get_shape()
            parts.append((v, [Linear(start if k == axis else 0) for k in range(len(shape))]))
            start += shape[axis]
        return parts
    if op.name == "tensor.pad":
        low = mixed(op.properties["static_low"].get_values(), list(op.low))  # type: ignore[attr-defined]
        region = op.regions[0].clone()
        background = GenerateOp.build(operands=[[]], result_types=[op.results[0].type], regions=[region])
        return [(background, None), (op.operands[0], [linear(o) for o in low])]
    return []

