"""What a `ktdp.load` or `ktdp.store` touches, as linear forms: the scheduler's view of KTIR memory accesses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, AffineSetAttr, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineDimExpr, AffineSet

from headrace.ir.construct import operand_groups
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.places import SKIPS
from headrace.ir.types import dtype_of, integer_values
from headrace.scheduler.linear import Linear, linear, of_affine


@dataclass(frozen=True)
class TileDim:
    """One dimension of an access tile in result order: which view dimension it walks, from where, how far.

    `view_dim` is -1 for a dimension that walks the table of an indirect access.
    """

    view_dim: int
    lo: Linear
    extent: Linear


@dataclass(frozen=True, eq=False)
class Access:
    """One load or store through a memory view that is not distributed.

    `base` is the view's start address as a linear form in `unit` ("byte" or "element"); `coords[k]` the base coordinate
    of
    view dimension k; `strides[k]` its stride in elements (an int, or the SSA value that gives it).
    """

    op: Operation
    view: Operation
    base: Linear
    unit: str
    coords: tuple[Linear, ...]
    dims: tuple[TileDim, ...]
    strides: tuple[int | SSAValue, ...]
    table: Access | None = None
    """Where an indirect access reads its displacements (elements of this view); its dims are those of the tile that
    walk it, in order."""

    @property
    def is_store(self) -> bool:
        return self.op.name == "ktdp.store"

    @property
    def skips(self) -> bool:
        """Whether the table of an indirect access may name no place."""
        tile = self.op.operands[-1].owner
        return isinstance(tile, Operation) and SKIPS in tile.attributes

    @property
    def element_type(self) -> Attribute:
        t = self.view.results[0].type
        assert isinstance(t, MemRefType)
        return t.element_type

    @cached_property
    def element_bytes(self) -> int:
        return dtype_of(self.element_type).bytes

    @property
    def space(self) -> Attribute:
        return self.view.properties["memory_space"]

    @cached_property
    def root(self) -> SSAValue | None:
        """The argument that the address starts from; None for a constant address."""
        for v in self.base.terms:
            if isinstance(v, BlockArgument) and self.base.terms[v] == 1 and is_argument(v):
                return v
        return None

    def element_shift(self) -> Linear | None:
        """Address terms other than root, constant and tile id, in elements (None if no whole number of elements)."""
        scale = self.element_bytes if self.unit == "byte" else 1
        if any(c % scale for c in self.base.terms.values()):
            return None
        return Linear(0, {v: c // scale for v, c in self.base.terms.items()})

    def same_table(self, other: Access) -> bool:
        """Whether no table, or one entry of the same one, says where the elements lie. (Rows through several entries
        may repeat, so that points of one access meet.)"""
        if self.table is None or other.table is None:
            return self.table is other.table
        several = any(d.view_dim < 0 for d in self.dims)
        return not several and self.table.view is other.table.view and self.table.same_elements(other.table)

    def same_elements(self, other: Access) -> bool:
        """Whether both touch the same elements in the same order (so an in-place update may stream)."""
        return (
            self.same_table(other)
            and self.base.key() == other.base.key()
            and self.unit == other.unit
            and self.element_type == other.element_type
            and self.strides == other.strides
            and tuple(c.key() for c in self.coords) == tuple(c.key() for c in other.coords)
            and tuple((d.view_dim, d.lo.key(), d.extent.key()) for d in self.dims)
            == tuple((d.view_dim, d.lo.key(), d.extent.key()) for d in other.dims)
        )

    def disjoint(self, other: Access) -> bool:
        """Whether both walk the same array and the ranges of some dimension do not meet in one loop iteration."""
        if self.table is not None or other.table is not None:
            return False
        if (
            self.base.key() != other.base.key()
            or self.unit != other.unit
            or self.element_type != other.element_type
            or self.strides != other.strides
            or not self.injective
        ):
            return False
        for k in range(len(self.strides)):
            (start, extent), (begin, size) = self.interval(k), other.interval(k)
            gap = begin - start
            if gap.is_const and extent.is_const and gap.const >= extent.const:
                return True
            if gap.is_const and size.is_const and -gap.const >= size.const:
                return True
        return False

    def grain(self) -> list[int]:
        """The dimensions of the tile as they lie in memory, the densest last; in their own order where that is only
        known at launch, or for each row in a table."""
        strides = [self.strides[d.view_dim] if d.view_dim >= 0 else None for d in self.dims]
        known = [abs(s) for s in strides if isinstance(s, int)]
        if len(known) < len(strides):
            return list(range(len(strides)))
        return sorted(range(len(known)), key=lambda k: (known[k] != 0, -known[k]))

    def interval(self, view_dim: int) -> tuple[Linear, Linear]:
        """(first coordinate, extent) in one dimension of the view."""
        for d in self.dims:
            if d.view_dim == view_dim:
                return self.coords[view_dim] + d.lo, d.extent
        return self.coords[view_dim], Linear(1)

    @property
    def injective(self) -> bool:
        """Whether different coordinates of the view are certainly different elements."""
        sizes = self.view.properties["static_sizes"].get_values()  # type: ignore[attr-defined]
        if any(isinstance(s, SSAValue) for s in self.strides):
            return False
        reach = 1
        for size, stride in sorted(zip(sizes, self.strides, strict=True), key=lambda p: abs(p[1])):  # type: ignore[arg-type]
            if abs(stride) < reach:  # type: ignore[arg-type]
                return False
            reach = abs(stride) * size if size != DYNAMIC_INDEX else 1 << 62  # type: ignore[arg-type]
        return True

    def byte_range(self) -> tuple[int, int] | None:
        """[first, last] byte of the whole view where its address and shape are constants."""
        return self._bytes

    @cached_property
    def _bytes(self) -> tuple[int, int] | None:
        if not self.base.is_const:
            return None
        sizes = self.view.properties["static_sizes"].get_values()  # type: ignore[attr-defined]
        span = self.element_bytes
        for size, stride in zip(sizes, self.strides, strict=True):
            if size == DYNAMIC_INDEX or isinstance(stride, SSAValue):
                return None
            span += max(0, size - 1) * abs(stride) * self.element_bytes
        start = self.base.const * (self.element_bytes if self.unit == "element" else 1)
        return start, start + span - 1


def is_argument(v: SSAValue) -> bool:
    """Whether `v` is an argument of a function (not a loop variable)."""
    return isinstance(v, BlockArgument) and (p := v.owner.parent_op()) is not None and p.name == "func.func"


def mixed(static: list[int] | tuple[int, ...], dynamic: list[SSAValue] | tuple[SSAValue, ...]) -> list[int | SSAValue]:
    """Merge a static list with its dynamic operands (MLIR's mixed index list)."""
    it = iter(dynamic)
    return [next(it) if s == DYNAMIC_INDEX else s for s in static]


def address_unit(view: Operation, base: Linear) -> str:
    """Unit of a view's address: bytes when it derives from an argument, else elements (design decision 1)."""
    parent = view.parent_op()
    while parent is not None:
        attr = parent.attributes.get("headrace.address_unit")
        if attr is not None:
            return attr.data  # type: ignore[attr-defined]
        parent = parent.parent_op()
    return "byte" if any(is_argument(v) for v in base.terms) else "element"


def symbolic_box(points: AffineSet, symbols: list[Linear]) -> list[tuple[Linear, Linear]] | None:
    """(lower bound, extent) per dimension of a rectangular set, its symbols replaced; None if it is not rectangular."""
    lower: list[Linear | None] = [None] * points.num_dims
    upper: list[Linear | None] = [None] * points.num_dims
    for constraint in points.constraints:
        markers = [Marker(i) for i in range(points.num_dims)]
        form = of_affine(constraint.lhs, [Linear(0, {m: 1}) for m in markers] + symbols, points.num_dims)  # type: ignore[dict-item]
        if form is None:
            return None
        touched = [i for i, m in enumerate(markers) if form.coefficient(m)]  # type: ignore[arg-type]
        rest = form.without(set(markers))  # type: ignore[arg-type]
        if not touched:
            continue
        if len(touched) > 1 or abs(form.coefficient(markers[touched[0]])) != 1:  # type: ignore[arg-type]
            return None
        i = touched[0]
        positive = form.coefficient(markers[i]) == 1  # type: ignore[arg-type]
        bound = rest.scaled(-1) if positive else rest
        if constraint.kind is AffineConstraintKind.eq:
            lower[i] = upper[i] = bound
        elif positive:
            old = lower[i]
            if old is not None and not (old.is_const and bound.is_const):
                return None
            lower[i] = bound if old is None or bound.const > old.const else old
        else:
            old = upper[i]
            if old is not None and not (old.is_const and bound.is_const):
                return None
            upper[i] = bound if old is None or bound.const < old.const else old
    box: list[tuple[Linear, Linear]] = []
    for lo, hi in zip(lower, upper, strict=True):
        if lo is None or hi is None:
            return None
        box.append((lo, hi - lo + 1))
    return box


@dataclass(frozen=True)
class Marker:
    """Stands for dimension `index` of a set inside a linear form."""

    index: int


def describe(op: Operation) -> Access:
    """The access that the load or store `op` makes. Raises HeadraceError for what the scheduler cannot take."""
    tile_value = op.operands[1] if op.name == "ktdp.store" else op.operands[0]
    tile = tile_value.owner
    if isinstance(tile, ktdp.ConstructIndirectAccessTileOp):
        return describe_indirect(op, tile)
    if not isinstance(tile, ktdp.ConstructAccessTileOp):
        what = tile.name if isinstance(tile, Operation) else "a block argument"
        raise error(op, f"access tile made by '{what}' is not supported by compute-group-extraction")
    view = tile.operands[0].owner
    if not isinstance(view, ktdp.ConstructMemoryViewOp):
        what = view.name if isinstance(view, Operation) else "a block argument"
        raise error(tile, f"access tile over '{what}' is not supported by compute-group-extraction")
    base_map, order, points = tile.base_map, tile.access_tile_order, tile.access_tile_set
    assert (
        isinstance(base_map, AffineMapAttr) and isinstance(order, AffineMapAttr) and isinstance(points, AffineSetAttr)
    )
    _, indices, symbols = operand_groups(tile)
    operands = [linear(v) for v in indices]
    coords: list[Linear] = []
    for expr in base_map.data.results:
        form = of_affine(expr, operands, base_map.data.num_dims)
        if form is None:
            raise error(
                tile, "access tile subscript is not linear in its operands; compute-group-extraction cannot place it"
            )
        coords.append(form)
    box = symbolic_box(points.data, [linear(v) for v in symbols])
    if box is None:
        raise error(tile, "access tile set is not a rectangle; construct-three-stage-pipeline supports boxes only")
    dims = []
    for expr in order.data.results:
        if not isinstance(expr, AffineDimExpr):
            raise error(tile, "access_tile_order must be a permutation of the set's dimensions")
        lo, extent = box[expr.position]
        dims.append(TileDim(expr.position, lo, extent))
    base = linear(view.operands[0])
    strides = mixed(integer_values(view.static_strides), operand_groups(view)[2])
    return Access(op, view, base, address_unit(view, base), tuple(coords), tuple(dims), tuple(strides))


def describe_indirect(op: Operation, tile: ktdp.ConstructIndirectAccessTileOp) -> Access:
    """The access through an indirect tile in the form that `tensor-legalization` leaves: the first subscript is a table
    of displacements in elements, subscripted by variables; the others are direct and linear, one variable each."""
    view = tile.base.owner
    where = [v.owner for v in tile.indirect_memrefs]
    kinds = [bool(k.value.data) for k in tile.per_dim_subscript_kinds.data]  # type: ignore[attr-defined]
    views = ktdp.ConstructMemoryViewOp
    if not isinstance(view, views) or len(where) != 1 or not isinstance(where[0], views) or kinds[0] is not True:
        raise error(tile, "this indirect access tile is not supported by compute-group-extraction")
    points, order = tile.variables_space_set, tile.variables_space_order
    assert isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
    box = symbolic_box(points.data, [linear(v) for v in tile.symbols])
    if box is None:
        raise error(tile, "variables_space_set is not a rectangle; construct-three-stage-pipeline supports boxes only")
    captured = [linear(v) for v in tile.captured_variables]
    markers = [Marker(i) for i in range(points.data.num_dims)]
    unknown = [Linear(0, {m: 1}) for m in markers]  # type: ignore[dict-item]

    def walk(expr: object) -> tuple[Linear, int | None]:
        """(start, variable) of a subscript."""
        form = of_affine(expr, captured + unknown, len(captured) + len(unknown))  # type: ignore[arg-type]
        own = [m for m in markers if form is not None and form.coefficient(m)]  # type: ignore[arg-type]
        if form is None or len(own) > 1 or (own and form.coefficient(own[0]) != 1):  # type: ignore[arg-type]
            raise error(tile, "a subscript that is not linear in one variable is not supported by "
                        "compute-group-extraction")
        return form.without(set(markers)), own[0].index if own else None  # type: ignore[arg-type]

    maps = [m.data for m in tile.per_dim_subscript_maps.data]  # type: ignore[attr-defined]
    rows = [walk(e) for e in maps[0].results]
    columns = [walk(m.results[0]) for m in maps[1:]]
    table_dim = {v: k for k, (_, v) in enumerate(rows) if v is not None}
    view_dim = {v: k + 1 for k, (_, v) in enumerate(columns) if v is not None}
    dims: list[TileDim] = []
    table_dims: list[TileDim] = []
    for expr in order.data.results:
        assert isinstance(expr, AffineDimExpr)
        v = expr.position
        if v in table_dim:
            dims.append(TileDim(-1, *box[v]))
            table_dims.append(TileDim(table_dim[v], *box[v]))
        elif v in view_dim:
            dims.append(TileDim(view_dim[v], *box[v]))
        else:
            raise error(tile, "a variable of an indirect access tile that no subscript uses is not supported by "
                        "compute-group-extraction")
    base = linear(view.offset)
    strides = mixed(view.static_strides.get_values(), view.strides)  # pyright: ignore[reportAttributeAccessIssue]
    home = where[0]
    assert isinstance(home, views)
    start = linear(home.offset)
    table = Access(
        op,
        home,
        start,
        address_unit(home, start),
        tuple(s for s, _ in rows),
        tuple(table_dims),
        tuple(mixed(home.static_strides.get_values(), home.strides)),  # pyright: ignore[reportAttributeAccessIssue]
    )
    coords = (Linear(), *(s for s, _ in columns))
    return Access(op, view, base, address_unit(view, base), coords, tuple(dims), tuple(strides), table)
