"""Loads through views with extents that are computed from elements of tensors: zero outside of the view.

The points of a tile that lie beyond such an extent have no place (`indirect`): a load reads the first place of the view
instead, a store nothing. What is loaded is masked here.

    %v = view %x, sizes: [%n, 64] ; %a = load %v[%i, 0] : 16x64   ->   %a = select (%i + r < %n), (load ...), 0
"""

from __future__ import annotations

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
from headrace.scheduler.split.indirect import loaded_extents, within
from headrace.scheduler.split.scalarize import number

PASS = "tensor-legalization"


def mask_loads(kernel: Operation) -> None:
    """Put zero where a load below `kernel` leaves a view with loaded extents."""
    for op in list(walk_ops(kernel, "ktdp.load", "ktdp.store")):
        tile = op.operands[-1].owner
        if not isinstance(tile, ktdp.ConstructAccessTileOp | ktdp.ConstructIndirectAccessTileOp):
            continue
        view = tile.base.owner
        limits = loaded_extents(view) if isinstance(view, ktdp.ConstructMemoryViewOp) else {}
        if not limits:
            continue
        if not isinstance(tile, ktdp.ConstructAccessTileOp):
            raise error(tile, f"an indirect access through a view with extents from memory is not supported by {PASS}")
        if op.name == "ktdp.load":
            _mask(op, tile, limits)


def _mask(op: Operation, tile: ktdp.ConstructAccessTileOp, limits: dict[int, SSAValue]) -> None:
    base, points, order = tile.base_map, tile.access_tile_set, tile.access_tile_order
    assert isinstance(base, AffineMapAttr) and isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
    t = op.results[0].type
    assert isinstance(t, TensorType)
    box = symbolic_box(points.data, [linear(v) for v in tile.symbols])
    if box is None or any(not (low.is_const and n.is_const) for low, n in box):
        raise error(tile, f"a tile over no box of known extents, in a view with extents from memory, is not supported "
                    f"by {PASS}")
    emit = Emitter(InsertPoint.after(op), op)
    block = Block(arg_types=[INDEX] * len(t.get_shape()))
    inner = Emitter(InsertPoint.at_end(block), op)
    axis = {e.position: j for j, e in enumerate(order.data.results) if isinstance(e, AffineDimExpr)}
    captured = [linear(v) for v in tile.indices]
    total: SSAValue | None = None
    for k, extent in limits.items():
        first = of_affine(base.data.results[k], captured, base.data.num_dims)
        if first is None:
            raise error(tile, "a subscript that is not linear, in a view with extents from memory, is not supported "
                        f"by {PASS}")
        here = within(inner, first + box[k][0] + Linear(0, {block.args[axis[k]]: 1}), extent)
        total = here if total is None else inner.insert(arith.AndIOp(total, here)).result
    assert total is not None
    inner.insert(tensor.YieldOp(total))
    made = GenerateOp.build(operands=[[]], result_types=[TensorType(i1, t.get_shape())], regions=[Region(block)])
    mask = emit.insert(made).results[0]
    zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
    zeros = emit.insert(tensor.SplatOp(zero, [], t)).results[0]
    masked = emit.insert(arith.SelectOp(mask, op.results[0], zeros))
    op.results[0].replace_uses_with_if(masked.result, lambda use: use.operation is not masked)
