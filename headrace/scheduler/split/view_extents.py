"""Which extents of views are known: those that no access goes beyond.

Outside of a view with an extent that is a value, loads give zero and nothing is stored (design decision 4), whether
that value is a number or not. Here each such view gets numbers where all accesses certainly stay inside, and a value
where one may leave; later passes take an extent that is a value for one that cuts accesses.

    sizes: [%c97, %c64] : memref<?x?xf16>  (rows 0 to 111 are accessed)  ->  sizes: [%c97, 64] : memref<?x64xf16>
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, AffineSetAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineExpr, AffineSet, AffineSymExpr
from xdsl.rewriter import Rewriter

from headrace.ir.affine import replace
from headrace.ir.dialects import ktdp
from headrace.ir.location import copy_loc
from headrace.ir.types import memref_type
from headrace.scheduler.access import mixed, symbolic_box
from headrace.scheduler.build import Emitter, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.ranges import UNKNOWN, Range, range_of_form
from headrace.scheduler.split.index_views import index_coordinates, index_maps


def is_open(view: Operation, k: int) -> bool:
    """Whether accesses of a view may go beyond its dimension `k`: its extent is a value."""
    return view.properties["static_sizes"].get_values()[k] == DYNAMIC_INDEX  # type: ignore[attr-defined]


def settle_view_extents(kernel: FuncOp) -> None:
    """Make extents of views numbers where no access leaves them, and values where one does."""
    for op in list(walk_ops(kernel, "ktdp.construct_memory_view")):
        assert isinstance(op, ktdp.ConstructMemoryViewOp)
        if op.sizes:
            _settle(op)


def _settle(view: ktdp.ConstructMemoryViewOp) -> None:
    sizes = mixed(view.static_sizes.get_values(), list(view.sizes))  # type: ignore[arg-type]
    new: list[int | SSAValue] = list(sizes)
    emit = Emitter.before(view)
    for k, size in enumerate(sizes):
        extent = constant_of(size)
        if extent is None:
            continue
        declared = isinstance(size, SSAValue)
        left = any(_leaves(use.operation, view, use.index, k, extent, declared) for use in view.result.uses)
        if left and not declared:
            new[k] = emit.value(extent)
        elif declared and not left:
            new[k] = extent
    if new != sizes:
        _rebuild(view, sizes, new)


def _leaves(
    user: Operation, view: ktdp.ConstructMemoryViewOp, operand: int, k: int, extent: int, declared: bool
) -> bool:
    """Whether an access may go beyond an end of dimension `k`; where nothing is known of it, as the view declares."""
    if isinstance(user, ktdp.ConstructAccessTileOp):
        reach = _direct(user, k)
    elif isinstance(user, ktdp.ConstructIndirectAccessTileOp) and operand:  # a view of indices
        subscripts = list(index_maps(user))[operand - 1][1]
        reach = _reach(user, subscripts.results[k])
        declared = declared and index_coordinates(user, subscripts) is not None
    elif isinstance(user, ktdp.ConstructIndirectAccessTileOp):
        reach = _indirect(user, k)
    else:
        return declared
    if reach[0] is not None and reach[0] < 0:
        return True
    return declared if reach[1] is None else reach[1] >= extent


def reach_of(tile: ktdp.ConstructAccessTileOp, k: int) -> Range:
    """The range of the coordinates in dimension `k` of its view that a tile of constant extents covers."""
    base_map, points = tile.base_map, tile.access_tile_set
    assert isinstance(base_map, AffineMapAttr) and isinstance(points, AffineSetAttr)
    start = of_affine(base_map.data.results[k], [linear(v) for v in tile.indices], base_map.data.num_dims)
    box = symbolic_box(points.data, [linear(v) for v in tile.symbols])
    if start is None or box is None:
        return UNKNOWN
    low, n = box[k]
    if not n.is_const:
        return range_of_form(start + low)[0], None
    return range_of_form(start + low)[0], range_of_form(start + low + (n.const - 1))[1]


def _direct(tile: ktdp.ConstructAccessTileOp, k: int) -> Range:
    low, high = reach_of(tile, k)
    return (low, -1) if tile.symbols and high is None else (low, high)  # it says itself how far it goes


def _indirect(tile: ktdp.ConstructIndirectAccessTileOp, k: int) -> Range:
    if tile.per_dim_subscript_kinds.data[k].value.data:  # type: ignore[attr-defined]
        return 0, -1
    return _reach(tile, tile.per_dim_subscript_maps.data[k].data.results[0])  # type: ignore[attr-defined]


def _reach(tile: ktdp.ConstructIndirectAccessTileOp, expr: AffineExpr) -> Range:
    """The range of a subscript of an indirect tile, or of its view of indices."""
    points = tile.variables_space_set
    assert isinstance(points, AffineSetAttr)
    box = symbolic_box(points.data, [linear(v) for v in tile.symbols])
    captured = [linear(v) for v in tile.captured_variables]
    if box is None or not all(lo.is_const and n.is_const for lo, n in box):
        return UNKNOWN
    last = [Linear(lo.const + n.const - 1) for lo, n in box]
    first = [lo for lo, _ in box]
    ends = [of_affine(expr, [*captured, *corner], len(captured) + len(box)) for corner in (first, last)]
    if None in ends:
        return UNKNOWN
    (a, b), (c, d) = (range_of_form(e) for e in ends if e is not None)
    low = None if a is None or c is None else min(a, c)
    return low, None if b is None or d is None else max(b, d)


def _rebuild(
    view: ktdp.ConstructMemoryViewOp, sizes: Sequence[int | SSAValue], new: Sequence[int | SSAValue]
) -> None:
    """Replace a view by one with other sizes; the symbols of its set are those of the sizes that are values."""
    t = view.result.type
    assert isinstance(t, MemRefType)
    points = view.coordinate_set
    if isinstance(points, AffineSetAttr):
        symbols: list[AffineExpr] = []
        values = 0
        for old, size in zip(sizes, new, strict=True):
            if isinstance(old, SSAValue):
                known = constant_of(size)
                keep = isinstance(size, SSAValue) or known is None
                symbols.append(AffineSymExpr(values) if keep else AffineExpr.constant(known or 0))
            values += isinstance(size, SSAValue)
        constraints = tuple(
            AffineConstraintExpr(c.kind, replace(c.lhs, [], symbols), replace(c.rhs, [], symbols))
            for c in points.data.constraints
        )
        points = AffineSetAttr(AffineSet(points.data.num_dims, values, constraints))
    shape = [DYNAMIC_INDEX if isinstance(n, SSAValue) else n for n in new]
    made = ktdp.ConstructMemoryViewOp(
        view.offset,
        list(new),
        mixed(view.static_strides.get_values(), list(view.strides)),  # type: ignore[arg-type]
        points,
        view.memory_space,
        memref_type(t.element_type, shape, t.layout, t.memory_space),
    )
    made.attributes.update(view.attributes)
    made.result.name_hint = view.result.name_hint
    copy_loc(view, made)
    Rewriter.replace_op(view, made)
