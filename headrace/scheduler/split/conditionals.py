"""Results of `scf.if`: selects where both branches only compute, memory where a branch loads. Stores under a condition
that is computed from elements of tensors: no unit can test one, so they store what lies there already where it fails.
Where the place is computed from elements too, or lies outside of its view on some tiles or in some iterations, it need
not exist then: its table names none (`indirect`). The same holds for a store at one place for several tiles of the
grid: only those store there whose condition holds.

    %r = scf.if %c -> (T) { yield f(%x) } else { yield g(%x) }     ->   %r = arith.select %c, f(%x), g(%x)
    %r = scf.if %c -> (T) { yield load A } else { yield load B }   ->   scf.if %c { store (load A), K }
                                                                        else { store (load B), K } ; %r = load K
    scf.if (extract %t) { store %x, A }                            ->   store (select (extract %t), %x, (load A)), A
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import AffineSetAttr, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.analysis.grid import grid_of
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.location import copy_loc
from headrace.scheduler.access import symbolic_box
from headrace.scheduler.build import Emitter, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.shared import alike
from headrace.scheduler.split import tiles
from headrace.scheduler.split.elements import depends_on_tensor
from headrace.scheduler.split.indirect import Guard, Guards, may_leave, placed_by_data
from headrace.scheduler.split.tiles import Keep

DataTile = ktdp.ConstructAccessTileOp | ktdp.ConstructIndirectAccessTileOp

PURE = ("arith.", "math.", "spyreop.", "tensor.", "linalg.", "ktdp.construct_", "ktdp.get_compute_tile_id")
DIVISIONS = frozenset(
    f"arith.{n}" for n in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)


def branch_results(kernel: Operation, keep: Keep) -> None:
    """Remove the results of every `scf.if` below `kernel` whose condition is known at launch, inner ones first."""
    for op in reversed(list(walk_ops(kernel, "scf.if"))):
        if isinstance(op, scf.IfOp) and op.results and not depends_on_tensor(op.cond):
            if any(r.uses for r in op.results) and speculable(op):
                select(op)
            else:
                through_memory(op, keep)


def conditions_on_data(kernel: func.FuncOp, keep: Keep, device: Device) -> Guards:
    """Let the branches of every `scf.if` whose condition depends on elements of tensors run, inner ones first, their
    stores store what lies there already where the condition fails, and its results be chosen. Returns the tiles whose
    place need not exist where it fails, and those where several tiles of the grid may store."""
    grid = grid_of(kernel)

    def several(tile: ktdp.ConstructAccessTileOp) -> bool:
        return _stored_by_several(tile, grid, device)

    def data_tile(op: Operation) -> DataTile | None:
        return _data_tile(op, grid)

    guards: Guards = {}
    for op in reversed(list(walk_ops(kernel, "scf.if"))):
        if isinstance(op, scf.IfOp) and depends_on_tensor(op.cond):
            yielded: list[Sequence[SSAValue]] = []
            for region, holds in zip(op.regions, (True, False), strict=True):
                for block in region.blocks:
                    if block.last_op is not None:
                        yielded.append(list(block.last_op.operands))
                    _run_always(op, block, holds, guards, keep, several, data_tile)
            if op.results:
                choose(op, yielded)
            op.detach()
            op.erase()
    return guards


def _run_always(
    op: scf.IfOp,
    block: Block,
    holds: bool,
    guards: Guards,
    keep: Keep,
    several: Callable[[ktdp.ConstructAccessTileOp], bool],
    data_tile: Callable[[Operation], DataTile | None],
) -> None:
    """Move the operations of a branch before the condition."""
    inside = list(block.walk())
    updated = {tile.base for inner in inside if inner.name == "ktdp.store" and (tile := data_tile(inner)) is not None}
    for inner in inside:
        tile = data_tile(inner)
        if tile is None and inner.name == "ktdp.store":
            own = inner.operands[1].owner
            if isinstance(own, ktdp.ConstructAccessTileOp) and (own in guards or several(own)):
                tile = own
        if tile is not None:
            own = Emitter.before(inner).insert(tile.clone())
            guards[own] = (*guards.pop(tile, ()), Guard(op.cond, holds, inner.name == "ktdp.store"))
            inner.operands[len(inner.operands) - 1] = own.results[0]
            if inner.name == "ktdp.load" and tile.base in updated:  # its table is another one than that of the store
                _keep_loaded(inner, keep)
        elif inner.name == "ktdp.store":
            emit = Emitter.before(inner)
            value = inner.operands[0]
            assert isinstance(value.type, TensorType)
            old = tiles.load(emit, inner.operands[1], value.type.element_type)
            choice = (value, old) if holds else (old, value)
            inner.operands[0] = emit.insert(arith.SelectOp(op.cond, *choice)).results[0]
        elif _may_divide_by_zero(inner):
            emit = Emitter.before(inner)
            by = inner.operands[1]
            one = emit.insert(arith.ConstantOp(IntegerAttr(1, by.type))).result  # type: ignore[arg-type]
            choice = (by, one) if holds else (one, by)
            inner.operands[1] = emit.insert(arith.SelectOp(op.cond, *choice)).results[0]
    point = InsertPoint.before(op)
    for inner in list(block.ops):
        if inner.name != "scf.yield":
            inner.detach()
            Rewriter.insert_op(inner, point)


def _data_tile(op: Operation, grid: Sequence[int]) -> DataTile | None:
    """The tile of a load or store at a place that is read from memory, or that is not in the view everywhere."""
    tile = op.operands[-1].owner if op.name in ("ktdp.load", "ktdp.store") else None
    if isinstance(tile, ktdp.ConstructIndirectAccessTileOp):
        return tile
    if isinstance(tile, ktdp.ConstructAccessTileOp) and (placed_by_data(tile) or may_leave(tile, grid)):
        return tile
    return None


def _stored_by_several(tile: ktdp.ConstructAccessTileOp, grid: Sequence[int], device: Device) -> bool:
    """Whether a tile is a box of known extents at one place of main memory for several tiles of the grid, in a view
    that nothing is loaded from: what lies there already must not be stored again."""
    view, points = tile.base.owner, tile.access_tile_set
    assert isinstance(points, AffineSetAttr)
    if not isinstance(view, ktdp.ConstructMemoryViewOp) or view.strides or tile.symbols:
        return False
    if symbolic_box(points.data, []) is None or device.memory_level(device.space_to_kind(view.memory_space)):
        return False
    users = [user.operation for use in view.results[0].uses for r in use.operation.results for user in r.uses]
    if any(user.name == "ktdp.load" for user in users):
        return False
    return any(len(group) > 1 for group in alike([linear(view.offset), *map(linear, tile.indices)], grid))


def _keep_loaded(op: Operation, keep: Keep) -> None:
    """Let the users of a load read a copy of what it loads."""
    value = op.results[0]
    assert isinstance(value.type, TensorType)
    shape = list(value.type.get_shape())
    emit = Emitter(InsertPoint.after(op), op)
    view = keep(shape, value.type.element_type, op, emit)
    copied = tiles.store(emit, value, tiles.make_tile(emit, view, [Linear()] * len(shape), shape))
    loaded = tiles.load(emit, tiles.make_tile(emit, view, [Linear()] * len(shape), shape), value.type.element_type)
    value.replace_uses_with_if(loaded, lambda use: use.operation is not copied)


def _may_divide_by_zero(op: Operation) -> bool:
    """Whether an operation is a division of scalars by what is not known."""
    return (
        op.name in DIVISIONS and not isinstance(op.results[0].type, TensorType) and not constant_of(op.operands[1])
    )


def speculable(op: scf.IfOp) -> bool:
    """Whether both branches may run whatever the condition is."""
    for inner in op.walk():
        if inner is op or inner.name == "scf.yield" or inner.name.startswith("linalg."):
            continue
        if not inner.name.startswith(PURE):
            return False
        if inner.parent_op() is op and _may_divide_by_zero(inner):
            return False
    return True


def select(op: scf.IfOp) -> None:
    """Compute both branches and choose."""
    point = InsertPoint.before(op)
    yielded: list[Sequence[SSAValue]] = []
    for region in op.regions:
        block = region.block
        last = block.last_op
        assert last is not None
        yielded.append(list(last.operands))
        for inner in list(block.ops):
            if inner is not last:
                inner.detach()
                Rewriter.insert_op(inner, point)
    choose(op, yielded)
    op.detach()
    op.erase()


def choose(op: scf.IfOp, yielded: Sequence[Sequence[SSAValue]]) -> None:
    """Select the results from what both branches yield, computed in front of the condition."""
    emit = Emitter.before(op)
    for old, a, b in zip(op.results, *yielded, strict=True):
        old.replace_all_uses_with(emit.insert(arith.SelectOp(op.cond, a, b)).result)


def through_memory(op: scf.IfOp, keep: Keep) -> None:
    """Each branch stores its tensors; they are loaded behind the condition."""
    emit = Emitter.before(op)
    after = Emitter(InsertPoint.after(op), op)
    new_regions: list[Region] = []
    views: list[SSAValue] = []
    for r in op.results:
        if not isinstance(r.type, TensorType):
            raise error(op, "a scalar that leaves 'scf.if' as a result together with loads or loops in its branches is "
                        "not supported by tensor-legalization")
        views.append(keep(list(r.type.get_shape()), r.type.element_type, op, emit))
    for region in op.regions:
        block = region.block
        last = block.last_op
        assert last is not None
        inner = Emitter.before(last)
        inner.origin = op
        for view, value in zip(views, last.operands, strict=True):
            shape = list(value.type.get_shape())  # type: ignore[attr-defined]
            tiles.store(inner, value, tiles.make_tile(inner, view, [Linear()] * len(shape), shape))
        last.detach()
        last.erase()
        end = scf.YieldOp()
        copy_loc(op, end)
        block.add_op(end)
        new_regions.append(op.detach_region(region))
    loaded = []
    for r, view in zip(op.results, views, strict=True):
        assert isinstance(r.type, TensorType)
        shape = list(r.type.get_shape())
        tile = tiles.make_tile(after, view, [Linear()] * len(shape), shape)  # type: ignore[arg-type]
        loaded.append(tiles.load(after, tile, r.type.element_type))
    new = scf.IfOp(op.cond, [], new_regions[0], new_regions[1])
    copy_loc(op, new)
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, value in zip(op.results, loaded, strict=True):
        old.replace_all_uses_with(value)
    op.detach()
    op.erase()
