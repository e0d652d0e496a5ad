"""Making KTIR memory accesses: views, access tiles, loads and stores, and parts of existing ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from headrace.ir.dialects import ktdp
from headrace.ir.dialects.ktdp_types import AccessTileType
from headrace.ir.slices import kept_dims
from headrace.ir.types import memref_type
from headrace.scheduler.access import Access
from headrace.scheduler.build import Emitter, Index, constant_of
from headrace.scheduler.linear import Linear
from headrace.scheduler.schedule import affine_of

Keep = Callable[[list[int], object, Operation, Emitter], SSAValue]
"""Makes a row-major view of new scratchpad: of a shape and an element type, for an operation, where the emitter is."""


@dataclass(frozen=True)
class Kept:
    """A tensor in the scratchpad: dimension k of it is dimension `order[k]` of a row-major view."""

    view: SSAValue
    order: list[int]

    @staticmethod
    def loaded(emit: Emitter, access: Access, shape: Sequence[int], keep: Keep) -> Kept:
        """Room for what a load of extents `shape` reads, in the order in which it lies in memory, so that the copy
        walks both along their grain. Raises HeadraceError where there is none."""
        grain = access.grain()
        view = keep([shape[k] for k in grain], access.element_type, access.op, emit)
        return Kept(view, [grain.index(k) for k in range(len(grain))])

    def whole(self, emit: Emitter, shape: Sequence[int]) -> SSAValue:
        """The access tile of all of it; `shape`: its extents."""
        return self.part(emit, [Linear()] * len(shape), shape)  # type: ignore[list-item]

    def part(self, emit: Emitter, at: Sequence[Linear], shape: Sequence[Index]) -> SSAValue:
        """The access tile of the box of `shape` at coordinates `at`."""
        return make_tile(emit, self.view, at, shape, self.order)


def box_set(shape: Sequence[Index], lows: Sequence[int] | None = None) -> tuple[AffineSet, list[SSAValue]]:
    """The set of a box and the values of its symbols (one per extent that is no number)."""
    symbols: list[SSAValue] = []
    constraints: list[AffineConstraintExpr] = []
    for k, n in enumerate(shape):
        low = lows[k] if lows is not None else 0
        upper: AffineExpr
        if isinstance(n, SSAValue):
            upper = AffineSymExpr(len(symbols)) + (low - 1)
            symbols.append(n)
        else:
            upper = AffineExpr.constant(low + n - 1)
        d, ge = AffineDimExpr(k), AffineConstraintKind.ge
        constraints.append(AffineConstraintExpr(ge, d, AffineExpr.constant(low)))
        constraints.append(AffineConstraintExpr(ge, upper - d, AffineExpr.constant(0)))
    return AffineSet(len(shape), len(symbols), tuple(constraints)), symbols


def static(shape: Sequence[Index]) -> list[int]:
    """Extents of a type: numbers, `?` for the others."""
    return [DYNAMIC_INDEX if (c := constant_of(n)) is None else c for n in shape]


def make_view(
    emit: Emitter,
    offset: SSAValue,
    sizes: Sequence[Index],
    strides: Sequence[int],
    element: Attribute,
    space: Attribute,
) -> SSAValue:
    """`ktdp.construct_memory_view` over a box."""
    points, _ = box_set(sizes)
    t = memref_type(element, static(sizes))
    return emit.insert(
        ktdp.ConstructMemoryViewOp(offset, list(sizes), list(strides), AffineSetAttr(points), space, t)
    ).results[0]


def dense_strides(shape: Sequence[int]) -> list[int]:
    """Row-major strides in elements."""
    strides: list[int] = []
    step = 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    return strides


def make_tile(
    emit: Emitter,
    view: SSAValue,
    at: Sequence[Linear],
    shape: Sequence[Index],
    order: Sequence[int] | None = None,
) -> SSAValue:
    """`ktdp.construct_access_tile` of the box of `shape` at coordinates `at`, both in the order of the tile: its
    dimension k walks dimension `order[k]` of the view (without an order, dimension k)."""
    order = range(len(shape)) if order is None else order
    walker = sorted(range(len(shape)), key=lambda k: order[k])
    base_map, operands = affine_of([at[k] for k in walker])
    points, symbols = box_set([shape[k] for k in walker])
    rank = len(shape)
    return emit.insert(
        ktdp.ConstructAccessTileOp(
            view,
            AffineMapAttr(base_map),
            operands,
            symbols,
            AffineSetAttr(points),
            AffineMapAttr(AffineMap(rank, 0, tuple(AffineDimExpr(d) for d in order))),
            AccessTileType(static(shape)),
        )
    ).results[0]


def load(emit: Emitter, tile: SSAValue, element: Attribute) -> SSAValue:
    """`ktdp.load` of a whole tile."""
    assert isinstance(tile.type, AccessTileType)
    return emit.insert(ktdp.LoadOp(tile, TensorType(element, tile.type.get_shape()))).results[0]


def store(emit: Emitter, value: SSAValue, tile: SSAValue) -> Operation:
    """`ktdp.store` of a whole tile."""
    return emit.insert(ktdp.StoreOp(value, tile))


def narrowed(
    emit: Emitter,
    tile: ktdp.ConstructAccessTileOp,
    dim: int,
    low: int,
    extent: int,
    coords: Sequence[Linear] | None = None,
) -> SSAValue:
    """The part [low, low + extent) of dimension `dim` of a box tile (in the order of its result), at other base
    coordinates if there are `coords`."""
    order, points = tile.access_tile_order, tile.access_tile_set
    assert isinstance(order, AffineMapAttr) and isinstance(points, AffineSetAttr)
    expr = order.data.results[dim]
    assert isinstance(expr, AffineDimExpr)
    d = expr.position
    old = points.data
    first = lower_bound(old, d) + low
    kept = [c for c in old.constraints if d not in c.lhs.used_dims() and d not in c.rhs.used_dims()]
    bounds = [
        AffineConstraintExpr(AffineConstraintKind.ge, AffineDimExpr(d), AffineExpr.constant(first)),
        AffineConstraintExpr(AffineConstraintKind.ge, AffineExpr.constant(first + extent - 1) - AffineDimExpr(d),
                             AffineExpr.constant(0)),
    ]
    shape = list(tile.result.type.get_shape())  # type: ignore[attr-defined]
    shape[dim] = extent
    base_map, indices = affine_of(coords) if coords is not None else (tile.base_map.data, list(tile.indices))  # type: ignore[attr-defined]
    return emit.insert(
        ktdp.ConstructAccessTileOp(
            tile.base,
            AffineMapAttr(base_map),
            indices,
            list(tile.symbols),
            AffineSetAttr(AffineSet(old.num_dims, old.num_symbols, (*kept, *bounds))),
            order,
            AccessTileType(shape),
        )
    ).results[0]


def lower_bound(points: AffineSet, dim: int) -> int:
    """Constant lower bound of one dimension of a box."""
    from headrace.scheduler.access import symbolic_box

    box = symbolic_box(points, [Linear() for _ in range(points.num_symbols)])
    assert box is not None
    return box[dim][0].const


def slice_of(emit: Emitter, value: SSAValue, dim: int, low: int, extents: Sequence[Index]) -> SSAValue:
    """`tensor.extract_slice` of the box of `extents` that starts at `low` in one dimension and at 0 in the others."""
    assert isinstance(value.type, TensorType)
    rank = len(extents)
    sizes = static(extents)
    dynamic = [n for n in extents if isinstance(n, SSAValue) and constant_of(n) is None]
    return emit.insert(
        tensor.ExtractSliceOp.build(
            operands=[value, [], dynamic, []],
            result_types=[TensorType(value.type.element_type, sizes)],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, [low if k == dim else 0 for k in range(rank)]),
                "static_sizes": DenseArrayBase.from_list(i64, sizes),
                "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
            },
        )
    ).results[0]


def expanded(emit: Emitter, value: SSAValue, dim: int, factor: int) -> SSAValue:
    """`tensor.expand_shape` of one dimension into (extent / factor, factor)."""
    assert isinstance(value.type, TensorType)
    shape = list(value.type.get_shape())
    result = [*shape[:dim], shape[dim] // factor, factor, *shape[dim + 1 :]]
    groups: list[list[int]] = []
    k = 0
    for d in range(len(shape)):
        groups.append([k, k + 1] if d == dim else [k])
        k += len(groups[-1])
    reassociation = ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in g]) for g in groups])
    return emit.insert(
        tensor.ExpandShapeOp(
            value,
            [],
            reassociation,
            DenseArrayBase.from_list(i64, result),
            TensorType(value.type.element_type, result),
        )
    ).results[0]


def with_unit_dims(value: SSAValue, sizes: Sequence[int]) -> Operation:
    """A `tensor.expand_shape` (in no block yet) of a tensor of static extents that gives it the unit dimensions which a
    slice of `sizes` has and its type leaves out."""
    assert isinstance(value.type, TensorType)
    shape = value.type.get_shape()
    groups: list[list[int]] = [[] for _ in shape]
    kept = kept_dims(sizes, shape)
    for d in range(len(sizes)) if kept else ():
        groups[max(0, sum(k <= d for k in kept) - 1)].append(d)
    return tensor.ExpandShapeOp(
        value,
        [],
        ArrayAttr([ArrayAttr([IntegerAttr(d, i64) for d in g]) for g in groups]),
        DenseArrayBase.from_list(i64, sizes),
        TensorType(value.type.element_type, sizes),
    )
