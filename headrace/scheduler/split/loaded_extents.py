"""Loads through views with extents that are computed from elements of tensors, or at indices that are in no view: zero
outside of the view.

The points of a tile that lie beyond such an extent have no place (`indirect`): a load reads the first place of the view
instead, a store nothing. What is loaded is masked here.

    %v = view %x, sizes: [%n, 64] ; %a = load %v[%i, 0] : 16x64   ->   %a = select (%i + r < %n), (load ...), 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.upstream.tensor import GenerateOp
from headrace.scheduler.access import symbolic_box
from headrace.scheduler.build import INDEX, Emitter, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.split.index_views import IndexPlace, index_places, within
from headrace.scheduler.split.indirect import loaded_extents
from headrace.scheduler.split.scalarize import number

PASS = "tensor-legalization"


def mask_loads(kernel: Operation) -> None:
    """Put zero where a load below `kernel` leaves a view with loaded extents, or a view of indices."""
    for op in list(walk_ops(kernel, "ktdp.load", "ktdp.store")):
        tile = op.operands[-1].owner
        if not isinstance(tile, ktdp.ConstructAccessTileOp | ktdp.ConstructIndirectAccessTileOp):
            continue
        view = tile.base.owner
        limits = loaded_extents(view) if isinstance(view, ktdp.ConstructMemoryViewOp) else {}
        if isinstance(tile, ktdp.ConstructIndirectAccessTileOp):
            if limits:
                raise error(tile, "an indirect access through a view with extents from memory is not supported by "
                            f"{PASS}")
            if op.name == "ktdp.load" and (places := index_places(tile)):
                _mask_indices(op, tile, places)
        elif limits and op.name == "ktdp.load":
            _mask_box(op, tile, limits)


def _mask_box(op: Operation, tile: ktdp.ConstructAccessTileOp, limits: dict[int, SSAValue]) -> None:
    base, points, order = tile.base_map, tile.access_tile_set, tile.access_tile_order
    assert isinstance(base, AffineMapAttr) and isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
    box = _box(tile, points, tile.symbols, "in a view with extents from memory")
    captured = [linear(v) for v in tile.indices]
    forms: dict[int, Linear] = {}
    for k in limits:
        first = of_affine(base.data.results[k], captured, base.data.num_dims)
        if first is None:
            raise error(tile, "a subscript that is not linear, in a view with extents from memory, is not supported "
                        f"by {PASS}")
        forms[k] = first

    def conditions(inner: Emitter, points: Mapping[int, SSAValue]) -> list[SSAValue]:
        return [within(inner, forms[k] + Linear(0, {points[k]: 1}), extent) for k, extent in limits.items()]

    _mask(op, order, [low for low, _ in box], conditions)


def _mask_indices(op: Operation, tile: ktdp.ConstructIndirectAccessTileOp, places: Sequence[IndexPlace]) -> None:
    points, order = tile.variables_space_set, tile.variables_space_order
    assert isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
    box = _box(tile, points, tile.symbols, "with an index view of dynamic extents")
    _mask(op, order, [low for low, _ in box], lambda inner, points: [p.inside(inner, points) for p in places])


def _box(tile: Operation, points: AffineSetAttr, symbols: Sequence[SSAValue], where: str) -> list[tuple[int, int]]:
    box = symbolic_box(points.data, [linear(v) for v in symbols])
    if box is None or any(not (low.is_const and n.is_const) for low, n in box):
        raise error(tile, f"a tile over no box of known extents, {where}, is not supported by {PASS}")
    return [(low.const, n.const) for low, n in box]


def _mask(
    op: Operation,
    order: AffineMapAttr,
    lows: Sequence[int],
    conditions: Callable[[Emitter, Mapping[int, SSAValue]], list[SSAValue]],
) -> None:
    """Put zero where one of some conditions fails on the points of a load's tile, by dimension of its set."""
    t = op.results[0].type
    assert isinstance(t, TensorType)
    emit = Emitter(InsertPoint.after(op), op)
    block = Block(arg_types=[INDEX] * len(t.get_shape()))
    inner = Emitter(InsertPoint.at_end(block), op)
    axis = {e.position: j for j, e in enumerate(order.data.results) if isinstance(e, AffineDimExpr)}
    points = {d: inner.value(inner.add(block.args[j], lows[d])) if lows[d] else block.args[j] for d, j in axis.items()}
    total, *others = conditions(inner, points)
    for here in others:
        total = inner.insert(arith.AndIOp(total, here)).result
    inner.insert(tensor.YieldOp(total))
    made = GenerateOp.build(operands=[[]], result_types=[TensorType(i1, t.get_shape())], regions=[Region(block)])
    mask = emit.insert(made).results[0]
    zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
    zeros = emit.insert(tensor.SplatOp(zero, [], t)).results[0]
    masked = emit.insert(arith.SelectOp(mask, op.results[0], zeros))
    op.results[0].replace_uses_with_if(masked.result, lambda use: use.operation is not masked)
