"""Tiles that may hang over an end of a view of dynamic extent, where that end is not the end of the program's work.

Outside of the view a load gives zero and a store does nothing. A program that stores as far as it loads simply does not
run the points outside. One that folds them, or stores further, needs the zeros: the load's tile is kept in the
scratchpad, in the order in which it lies in memory, filled with zeros first; and a folded result, or one of several
that end at different places, is kept whole before the part inside the view is stored.

    %x = ktdp.load %t ; %r = reduce %x      ->  store 0, K ; store (load %t), K ; %x = load K ; ...

A tile that may begin before its view does is always kept, and the part of it that is inside is moved by itself:

    %x = ktdp.load V[%i - 3] : 8            ->  %a = max(0, 3 - %i) ; %n = max(0, min(8, size - (%i - 3)) - %a)
                                                store 0, K ; store (load V[%i - 3 + %a] : %n), K[%a] ; %x = load K
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.dialects import ktdp
from headrace.ir.dialects.ktdp_types import AccessTileType
from headrace.scheduler.access import Access
from headrace.scheduler.build import Emitter, Index
from headrace.scheduler.linear import Linear
from headrace.scheduler.ranges import range_of_form
from headrace.scheduler.schedule import affine_of
from headrace.scheduler.split import tiles
from headrace.scheduler.split.bounds import know_inside, known_inside, view_sizes
from headrace.scheduler.split.groups import Group
from headrace.scheduler.split.scalarize import is_reduction, number
from headrace.scheduler.split.tiles import Keep, Kept
from headrace.scheduler.split.view_extents import is_open

PREFILLED = "headrace.prefilled"
"""On a store: what it does not write is already there, so the program may leave out points that its loads lack."""


def rooms(access: Access) -> dict[int, object]:
    """What is left of the view in each view dimension that a tile of constant extents walks and whose extent is only
    known at launch."""
    own = [d for d in access.dims if d.view_dim >= 0]
    if not all(d.extent.is_const for d in own):
        return {}
    sizes = view_sizes(access)
    return {
        d.view_dim: (sizes[d.view_dim] - access.coords[d.view_dim] - d.lo).key()
        for d in own
        if d.extent.const > 1 and is_open(access.view, d.view_dim) and not known_inside(access.op, d.view_dim)
    }


def begins_before(access: Access) -> bool:
    """Whether a tile of constant extents may begin before its view, one with an extent that is a value, does. Where
    nothing is known of its first coordinate it does not."""
    own = [d for d in access.dims if d.view_dim >= 0]
    if access.table is not None or not all(d.extent.is_const for d in own):
        return False
    if not any(is_open(access.view, k) for k in range(len(access.coords))):
        return False
    return any(
        (low := range_of_form(access.coords[d.view_dim] + d.lo)[0]) is not None and low < 0
        for d in own
        if not known_inside(access.op, d.view_dim)
    )


def reduces(op: Operation) -> bool:
    """Whether an operation folds dimensions."""
    return op.name == "linalg.reduce" or (op.name == "linalg.generic" and is_reduction(op))  # type: ignore[arg-type]


def keep_overhang(group: Group, keep: Keep, done: set[Operation]) -> bool:
    """Keep the overhanging tiles of a group that needs what is outside of their views; whether there were any."""
    for op, access in group.accesses.items():
        if begins_before(access):
            _keep_inside(op, access, keep)
            return True
    folds = any(reduces(op) for op in group.slice)
    cut = set.intersection(*(set(rooms(group.accesses[s]).values()) for s in group.stores))
    follows = all(PREFILLED in s.attributes for s in group.stores)
    changed = False
    for op, access in group.accesses.items():
        if op in done or PREFILLED in op.attributes:
            continue
        own = set(rooms(access).values())
        if not own or (not folds and (follows or own <= cut)):
            continue
        done.add(op)
        changed = True
        if op.name == "ktdp.load":
            keep_load(op, access, keep)
        else:
            _keep_store(op, keep)
    return changed


def keep_load(op: Operation, access: Access, keep: Keep) -> None:
    """Copy what a load reads to the scratchpad, in the order in which it lies in memory, with zeros where its tile may
    hang over. Raises HeadraceError where there is no room."""
    value = op.results[0]
    t = value.type
    assert isinstance(t, TensorType)
    shape = list(t.get_shape())
    emit = Emitter(InsertPoint.after(op), op)
    kept = Kept.loaded(emit, access, shape, keep)
    if overhangs := bool(rooms(access)):
        _fill(emit, kept, t)
    filled = tiles.store(emit, value, kept.whole(emit, shape))
    if overhangs:
        filled.attributes[PREFILLED] = UnitAttr()
    loaded = tiles.load(emit, kept.whole(emit, shape), t.element_type)
    value.replace_uses_with_if(loaded, lambda use: use.operation is not filled)


def _fill(emit: Emitter, kept: Kept, t: TensorType[Attribute]) -> None:
    """Store zeros to a kept tensor."""
    zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
    zeros = emit.insert(tensor.SplatOp(zero, [], t)).results[0]
    tiles.store(emit, zeros, kept.whole(emit, list(t.get_shape())))


def _keep_store(op: Operation, keep: Keep) -> None:
    value, tile = op.operands
    t = value.type
    assert isinstance(t, TensorType)
    shape = list(t.get_shape())
    emit = Emitter.before(op)
    emit.origin = op
    kept = Kept(keep(shape, t.element_type, op, emit), list(range(len(shape))))
    tiles.store(emit, value, kept.whole(emit, shape))
    loaded = tiles.load(emit, kept.whole(emit, shape), t.element_type)
    emit.insert(ktdp.StoreOp(loaded, tile))
    op.detach()
    op.erase()


def _keep_inside(op: Operation, access: Access, keep: Keep) -> None:
    """Keep the whole tile of a load or store, and move only its part inside of the view: both its ends are computed."""
    loads = op.name == "ktdp.load"
    value = op.results[0] if loads else op.operands[0]
    tile = op.operands[-1].owner
    t = value.type
    assert isinstance(t, TensorType) and isinstance(tile, ktdp.ConstructAccessTileOp)
    shape = list(t.get_shape())
    emit = Emitter(InsertPoint.after(op), op) if loads else Emitter.before(op)
    emit.origin = op
    if loads:
        kept = Kept.loaded(emit, access, shape, keep)
    else:
        kept = Kept(keep(shape, t.element_type, op, emit), list(range(len(shape))))
    sizes = view_sizes(access)
    begins: list[Index] = []
    lengths: list[Index] = []
    for d in access.dims:
        start, n = access.coords[d.view_dim] + d.lo, d.extent.const
        (low, high), size = range_of_form(start), sizes[d.view_dim]
        begin = emit.maximum(0, start.scaled(-1).emit(emit)) if low is None or low < 0 else 0
        end: Index = n
        if is_open(access.view, d.view_dim) or high is None or high + n > size.const:
            end = emit.minimum(n, (size - start).emit(emit))
        begins.append(begin)
        lengths.append(n if begin == 0 and end is n else emit.maximum(0, emit.sub(end, begin)))
    inner = _part(emit, tile, access, begins, lengths)
    outer = kept.part(emit, [_form(b) for b in begins], lengths)
    if loads:
        _fill(emit, kept, t)
        loaded = tiles.load(emit, inner, t.element_type)
        tiles.store(emit, loaded, outer).attributes[PREFILLED] = UnitAttr()
        moved = loaded.owner
        value.replace_all_uses_with(tiles.load(emit, kept.whole(emit, shape), t.element_type))
    else:
        tiles.store(emit, value, kept.whole(emit, shape))
        moved = tiles.store(emit, tiles.load(emit, outer, t.element_type), inner)
    assert isinstance(moved, Operation)
    for d in access.dims:
        know_inside(moved, d.view_dim, moved)
    op.detach()
    op.erase()


def _part(
    emit: Emitter, tile: ktdp.ConstructAccessTileOp, access: Access, begins: list[Index], lengths: list[Index]
) -> SSAValue:
    """The tile of `lengths` from `begins` on, both in the order of the tile's result."""
    coords, extents = list(access.coords), [*lengths]
    for d, begin, n in zip(access.dims, begins, lengths, strict=True):
        coords[d.view_dim] = access.coords[d.view_dim] + d.lo + _form(begin)
        extents[d.view_dim] = n
    base_map, operands = affine_of(coords)
    points, symbols = tiles.box_set(extents)
    order = tile.access_tile_order
    return emit.insert(
        ktdp.ConstructAccessTileOp(
            tile.base,
            AffineMapAttr(base_map),
            operands,
            symbols,
            AffineSetAttr(points),
            order,  # type: ignore[arg-type]
            AccessTileType(tiles.static(lengths)),
        )
    ).results[0]


def _form(index: Index) -> Linear:
    return Linear(index) if isinstance(index, int) else Linear(0, {index: 1})
