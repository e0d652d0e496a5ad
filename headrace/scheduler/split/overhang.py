"""Tiles that may hang over the end of a view of dynamic extent, where that end is not the end of the program's work.

Outside of the view a load gives zero and a store does nothing. A program that stores as far as it loads simply does not
run the points outside. One that folds them, or stores further, needs the zeros: the load's tile is kept in the
scratchpad, filled with zeros first; and a folded result, or one of several that end at different places, is kept whole
before the part inside the view is stored.

    %x = ktdp.load %t ; %r = reduce %x      ->  store 0, K ; store (load %t), K ; %x = load K ; ...
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.dialects import ktdp
from headrace.scheduler.access import Access
from headrace.scheduler.build import Emitter
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.bounds import known_inside, view_sizes
from headrace.scheduler.split.groups import Group
from headrace.scheduler.split.scalarize import is_reduction, number

Keep = Callable[[list[int], object, Operation, Emitter], SSAValue]
PREFILLED = "headrace.prefilled"
"""On a store: what it does not write is already there, so the program may leave out points that its loads lack."""


def rooms(access: Access) -> dict[int, object]:
    """What is left of the view in each view dimension that a tile of constant extents walks and whose extent is only
    known at launch."""
    own = [d for d in access.dims if d.view_dim >= 0]
    if access.table is not None or not all(d.extent.is_const for d in own):
        return {}
    sizes = view_sizes(access)
    return {
        d.view_dim: (sizes[d.view_dim] - access.coords[d.view_dim] - d.lo).key()
        for d in own
        if d.extent.const > 1 and not sizes[d.view_dim].is_const and not known_inside(access.op, d.view_dim)
    }


def reduces(op: Operation) -> bool:
    """Whether an operation folds dimensions."""
    return op.name == "linalg.reduce" or (op.name == "linalg.generic" and is_reduction(op))  # type: ignore[arg-type]


def keep_overhang(group: Group, keep: Keep, done: set[Operation]) -> bool:
    """Keep the overhanging tiles of a group that needs what is outside of their views; whether there were any."""
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
            _keep_load(op, keep)
        else:
            _keep_store(op, keep)
    return changed


def _keep_load(op: Operation, keep: Keep) -> None:
    value = op.results[0]
    t = value.type
    assert isinstance(t, TensorType)
    shape = list(t.get_shape())
    emit = Emitter(InsertPoint.after(op), op)
    view = keep(shape, t.element_type, op, emit)
    zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
    zeros = emit.insert(tensor.SplatOp(zero, [], t)).results[0]
    tiles.store(emit, zeros, _whole(emit, view, shape))
    filled = tiles.store(emit, value, _whole(emit, view, shape))
    filled.attributes[PREFILLED] = UnitAttr()
    loaded = tiles.load(emit, _whole(emit, view, shape), t.element_type)
    value.replace_uses_with_if(loaded, lambda use: use.operation is not filled)


def _keep_store(op: Operation, keep: Keep) -> None:
    value, tile = op.operands
    t = value.type
    assert isinstance(t, TensorType)
    shape = list(t.get_shape())
    emit = Emitter.before(op)
    emit.origin = op
    view = keep(shape, t.element_type, op, emit)
    tiles.store(emit, value, _whole(emit, view, shape))
    loaded = tiles.load(emit, _whole(emit, view, shape), t.element_type)
    emit.insert(ktdp.StoreOp(loaded, tile))
    op.detach()
    op.erase()


def _whole(emit: Emitter, view: SSAValue, shape: list[int]) -> SSAValue:
    return tiles.make_tile(emit, view, [Linear()] * len(shape), shape)  # type: ignore[arg-type]
