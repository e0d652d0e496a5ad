"""Access tiles over sets that are no boxes (triangles, bands): the box around them, and a mask.

A load takes the whole box and puts zero where the set has no point. A store loads the box, replaces the points of the
set and stores the box again, so the tile must be the only one that touches the rest of the box meanwhile.

    %x = ktdp.load %t {(i, j) : 0 <= j <= i < 16}
    ->  %b = ktdp.load %box ; %x = arith.select (generate i - j >= 0 and ...), %b, 0
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IntegerAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineSet,
)
from xdsl.rewriter import InsertPoint

from headrace.ir.analysis.sets import bounding_box
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.upstream.tensor import GenerateOp
from headrace.scheduler.access import symbolic_box
from headrace.scheduler.build import INDEX, Emitter, walk_ops
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.scalarize import number

PASS = "tensor-legalization"


def box_tiles(kernel: Operation) -> None:
    """Replace the loads and stores below `kernel` through tiles whose set is no box."""
    for op in list(walk_ops(kernel, "ktdp.load", "ktdp.store")):
        tile = op.operands[-1].owner
        if not isinstance(tile, ktdp.ConstructAccessTileOp):
            continue
        points = tile.access_tile_set
        assert isinstance(points, AffineSetAttr)
        if symbolic_box(points.data, [Linear() for _ in tile.symbols]) is not None:
            continue
        if tile.symbols:
            raise error(tile, f"an access tile set that is no box and has symbols is not supported by {PASS}")
        if op.name == "ktdp.load":
            _load(op, tile, points.data)
        else:
            _store(op, tile, points.data)


def _box(emit: Emitter, tile: ktdp.ConstructAccessTileOp, points: AffineSet) -> tuple[SSAValue, list[int], list[int]]:
    """(tile of the box, its lower bounds by set dimension, the set dimension of each tile dimension)."""
    bounds = bounding_box(points)
    lows = [lo for lo, _ in bounds]
    extents = [n for _, n in bounds]
    order = tile.access_tile_order
    assert isinstance(order, AffineMapAttr)
    at = [e.position for e in order.data.results if isinstance(e, AffineDimExpr)]
    box, _ = tiles.box_set(extents, lows)  # type: ignore[arg-type]
    shape = [extents[d] for d in at]
    if shape != list(tile.result.type.get_shape()):  # type: ignore[attr-defined]
        raise error(tile, f"the tile's extents are not those of the box around its set; not supported by {PASS}")
    new = ktdp.ConstructAccessTileOp(
        tile.base, tile.base_map, list(tile.indices), [], AffineSetAttr(box), order, tile.result.type  # type: ignore[arg-type]
    )
    return emit.insert(new).results[0], lows, at


def _mask(emit: Emitter, points: AffineSet, lows: list[int], at: list[int], shape: list[int]) -> SSAValue:
    """A tensor of i1: whether the set holds the point."""
    block = Block(arg_types=[INDEX] * len(shape))
    inner = Emitter(InsertPoint.at_end(block), emit.origin)
    where = {d: inner.value(inner.add(block.args[k], lows[d])) for k, d in enumerate(at)}

    def expression(e: AffineExpr) -> SSAValue:
        match e:
            case AffineConstantExpr():
                return inner.value(e.value)
            case AffineDimExpr():
                return where[e.position]
            case AffineBinaryOpExpr():
                a, b = expression(e.lhs), expression(e.rhs)
                if e.kind is AffineBinaryOpKind.Add:
                    return inner.value(inner.add(a, b))
                if e.kind is AffineBinaryOpKind.Mul:
                    return inner.value(inner.mul(a, b))
                kinds = {AffineBinaryOpKind.FloorDiv: arith.FloorDivSIOp, AffineBinaryOpKind.CeilDiv: arith.CeilDivSIOp}
                if e.kind is AffineBinaryOpKind.Mod:
                    q = inner.insert(arith.FloorDivSIOp(a, b)).results[0]
                    return inner.value(inner.sub(a, inner.mul(q, b)))
                return inner.insert(kinds[e.kind](a, b)).results[0]
            case _:
                raise error(emit.origin, f"an access tile set with symbols is not supported by {PASS}")

    total: SSAValue | None = None
    for c in points.constraints:
        kind = "eq" if c.kind is AffineConstraintKind.eq else "sge"
        left, right = expression(c.lhs), expression(c.rhs)
        holds = inner.insert(arith.CmpiOp(left, right, kind)).result
        total = holds if total is None else inner.insert(arith.AndIOp(total, holds)).results[0]
    if total is None:
        total = inner.insert(arith.ConstantOp(IntegerAttr(1, i1))).result
    inner.insert(tensor.YieldOp(total))
    return emit.insert(
        GenerateOp.build(operands=[[]], result_types=[TensorType(i1, shape)], regions=[Region(block)])
    ).results[0]


def _load(op: Operation, tile: ktdp.ConstructAccessTileOp, points: AffineSet) -> None:
    emit = Emitter.before(op)
    box, lows, at = _box(emit, tile, points)
    t = op.results[0].type
    assert isinstance(t, TensorType)
    whole = tiles.load(emit, box, t.element_type)
    mask = _mask(emit, points, lows, at, list(t.get_shape()))
    zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
    zeros = emit.insert(tensor.SplatOp(zero, [], t)).results[0]
    op.results[0].replace_all_uses_with(emit.insert(arith.SelectOp(mask, whole, zeros)).result)
    op.detach()
    op.erase()


def _store(op: Operation, tile: ktdp.ConstructAccessTileOp, points: AffineSet) -> None:
    emit = Emitter.before(op)
    box, lows, at = _box(emit, tile, points)
    t = op.operands[0].type
    assert isinstance(t, TensorType)
    old = tiles.load(emit, box, t.element_type)
    mask = _mask(emit, points, lows, at, list(t.get_shape()))
    tiles.store(emit, emit.insert(arith.SelectOp(mask, op.operands[0], old)).result, box)
    op.detach()
    op.erase()
