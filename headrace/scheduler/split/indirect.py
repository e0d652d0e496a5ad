"""Indirect access tiles: one program that computes where each row lies, and one that gathers or scatters through it.

The variables of an indirect tile fall into rows (those that an index view or a nonlinear subscript depends on) and
columns (those that only enter plain subscripts). For every combination of rows the displacement of its elements from
the view's start, in elements, is computed once and kept in the scratchpad; the access then names only that table and
the columns.

    construct_indirect_access_tile intermediate_variables(%r, %c) %table[ind(%ids[%r0 + %r]), (%c)]
    ->
    %a = tensor.generate ^(%r) { spyreop.idx32toaddr (extract %ids[%r0 + %r]) stride 64 } ; store %a, %t
    construct_indirect_access_tile intermediate_variables(%r, %c) %flat[ind(%t[%r]), (%c)]

A plain tile whose place is computed from elements of tensors (a row number that was loaded) is an indirect tile too,
with what depends on data in the table:

    %n = tensor.extract %ids[%k] ; construct_access_tile %table[%n, 0]   ->   ... %flat[ind(%t[0]), (%c)]

The table of a tile under a condition that is computed from elements too names no place where the condition fails; one
that is loaded names the first place then, and what is read there is not used. A point whose index lies outside of a
view of indices of dynamic extents has no place, either: what is loaded is zero there (`loaded_extents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    i32,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint

from headrace.ir.analysis.grid import grid_of
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.places import NOWHERE, SKIPS
from headrace.ir.types import dtype_of
from headrace.ir.upstream.tensor import GenerateOp
from headrace.scheduler.access import Marker, address_unit, mixed, symbolic_box
from headrace.scheduler.build import INDEX, Emitter, ancestors, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.ranges import range_of_form
from headrace.scheduler.split import tiles
from headrace.scheduler.split.elements import depends_on_tensor
from headrace.scheduler.split.index_views import index_coordinates, index_maps, index_places, within
from headrace.scheduler.split.launch_strides import open_stride
from headrace.scheduler.split.tiles import Keep
from headrace.scheduler.split.value_limits import span_of

PASS = "tensor-legalization"


@dataclass(frozen=True)
class Guard:
    """A condition, read from memory, under which a place exists."""

    condition: SSAValue
    holds: bool
    """Whether the place exists where the condition is true, or where it is false."""
    stored: bool


Guards = dict[Operation, tuple[Guard, ...]]
"""By access tile."""


def split_indirect(kernel: Operation, keep: Keep, guards: Guards) -> None:
    """Give every indirect access tile below `kernel` a table of displacements."""
    for tile in list(walk_ops(kernel, "ktdp.construct_access_tile")):
        if isinstance(tile, ktdp.ConstructAccessTileOp) and (tile in guards or placed_by_data(tile)):
            new = as_indirect(tile)
            if tile in guards:
                guards[new] = guards.pop(tile)
    for op in list(walk_ops(kernel, "ktdp.construct_indirect_access_tile")):
        for loop in ancestors(op):
            if isinstance(loop, scf.ForOp):
                count_steps(loop)
    shared: dict[object, SSAValue] = {}
    for op in list(walk_ops(kernel, "ktdp.construct_indirect_access_tile")):
        if isinstance(op, ktdp.ConstructIndirectAccessTileOp) and op.result.uses:
            _Splitter(op, keep, shared, guards.pop(op, ())).run()
    for tile in guards:
        raise error(tile, "an access at a place read from memory, under a condition read from memory, over no box of "
                    f"points is not supported by {PASS}")


def placed_by_data(tile: ktdp.ConstructAccessTileOp) -> bool:
    """Whether the coordinates of a tile, or the start or an extent of its view, are computed from elements of
    tensors."""
    view = tile.base.owner
    parts = [view.offset, *view.sizes] if isinstance(view, ktdp.ConstructMemoryViewOp) else []
    return isinstance(tile.base.type, MemRefType) and any(depends_on_tensor(v) for v in (*tile.indices, *parts))


def loaded_extents(view: ktdp.ConstructMemoryViewOp) -> dict[int, SSAValue]:
    """The extents of a view, by dimension, that are computed from elements of tensors."""
    sizes = mixed(view.static_sizes.get_values(), list(view.sizes))  # type: ignore[attr-defined]
    return {k: n for k, n in enumerate(sizes) if isinstance(n, SSAValue) and depends_on_tensor(n)}


def may_leave(tile: ktdp.ConstructAccessTileOp, grid: Sequence[int]) -> bool:
    """Whether a tile is known to lie outside of its view on some tile of the grid or in some iteration: it is one that
    a condition rules out there."""
    view, base, points = tile.base.owner, tile.base_map, tile.access_tile_set
    assert isinstance(base, AffineMapAttr) and isinstance(points, AffineSetAttr)
    box = symbolic_box(points.data, [linear(v) for v in tile.symbols])
    if not isinstance(view, ktdp.ConstructMemoryViewOp) or box is None:
        return False
    captured = [linear(v) for v in tile.indices]
    sizes = view.static_sizes.get_values()  # type: ignore[attr-defined]
    for expr, size, (low, n) in zip(base.data.results, sizes, box, strict=True):
        form = of_affine(expr, captured, base.data.num_dims)
        if form is None or size == DYNAMIC_INDEX or not n.is_const:
            continue
        span = span_of(form + low, grid)
        if span is not None and (span[0] < 0 or span[1] + n.const > size):
            return True
    return False


def as_indirect(tile: ktdp.ConstructAccessTileOp) -> Operation:
    """The same tile with a variable for each of its dimensions."""
    base, points, order = tile.base_map, tile.access_tile_set, tile.access_tile_order
    assert isinstance(base, AffineMapAttr) and isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
    captured = base.data.num_dims
    dims = captured + points.data.num_dims
    subscripts: list[tuple[SSAValue | None, AffineMapAttr]] = [
        (None, AffineMapAttr(AffineMap(dims, 0, (expr + AffineDimExpr(captured + k),))))
        for k, expr in enumerate(base.data.results)
    ]
    new = Emitter.before(tile).insert(
        ktdp.ConstructIndirectAccessTileOp(
            tile.base, subscripts, list(tile.indices), list(tile.symbols), points, order, tile.result.type
        )
    )
    tile.result.replace_all_uses_with(new.result)
    tile.detach()
    tile.erase()
    return new


def by_data(form: Linear) -> tuple[Linear, Linear]:
    """(what depends on elements of tensors, the rest) of a linear form."""
    data = {v: c for v, c in form.terms.items() if depends_on_tensor(v)}
    return Linear(0, data), form.without(set(data))


def count_steps(loop: scf.ForOp) -> None:
    """Make a loop with a constant step count iterations from 0, so that quotients of its variable are seen to be even:
    `%i = lb to ub step 32` becomes `%k = 0 to ceildiv(ub - lb, 32)`, with `%i = lb + 32 %k`."""
    step = linear(loop.step)
    if not step.is_const or step.const <= 1:
        return
    before = Emitter.before(loop)
    old = loop.body.block.args[0]
    span = before.value((linear(loop.ub) - linear(loop.lb)).emit(before))
    trips = before.value(before.ceildiv(span, step.const))
    inside = Emitter(InsertPoint.at_start(loop.body.block), loop)
    new = loop.body.block.insert_arg(INDEX, 0)
    new.name_hint = old.name_hint
    at = inside.value((linear(loop.lb) + Linear(0, {new: step.const})).emit(inside))
    if old.type != INDEX:
        at = inside.insert(arith.IndexCastOp(at, old.type)).results[0]
    old.replace_all_uses_with(at)
    loop.body.block.erase_arg(old)
    loop.operands[0], loop.operands[1], loop.operands[2] = before.value(0), trips, before.value(1)


@dataclass
class _Splitter:
    op: ktdp.ConstructIndirectAccessTileOp
    keep: Keep
    shared: dict[object, SSAValue]
    """Tables of one entry that only depends on numbers of the kernel, by block and number: an update in place reads
    and writes through one."""
    guards: tuple[Guard, ...] = ()

    def run(self) -> None:
        """Replace the tile."""
        op = self.op
        view = op.base.owner
        if not isinstance(view, ktdp.ConstructMemoryViewOp):
            raise error(op, f"an indirect access through a view that is not plain is not supported by {PASS}")
        points, order = op.variables_space_set, op.variables_space_order
        assert isinstance(points, AffineSetAttr) and isinstance(order, AffineMapAttr)
        box = symbolic_box(points.data, [linear(v) for v in op.symbols])
        if box is None or any(not (lo.is_const and n.is_const) for lo, n in box):
            raise error(op, f"an indirect access tile over no box of known extents is not supported by {PASS}")
        self.box = [(lo.const, n.const) for lo, n in box]
        self.captured = list(op.captured_variables)
        self.count = len(self.captured)
        maps = [m.data for m in op.per_dim_subscript_maps.data]  # type: ignore[attr-defined]
        kinds = [bool(k.value.data) for k in op.per_dim_subscript_kinds.data]  # type: ignore[attr-defined]
        strides = mixed(view.static_strides.get_values(), list(view.strides))  # type: ignore[attr-defined]
        for stride in strides:
            if isinstance(stride, SSAValue):
                raise open_stride(view, stride, PASS)
        self.strides = [int(s) for s in strides]  # type: ignore[arg-type]
        self.limits = loaded_extents(view)
        self.places = index_places(op)
        self.stored = any(use.operation.name == "ktdp.store" for use in op.result.uses)
        self.sort(maps, kinds)
        self.room = self.rooms(view)
        self.place(view)
        self.emit = Emitter(InsertPoint.before(op), op)
        table = self.table(maps, kinds)
        self.access(view, table)

    def linear_parts(self, m: AffineMap) -> tuple[Linear, dict[int, int]] | None:
        """(start, coefficient of each variable) of a direct subscript; None where it is not linear."""
        markers = [Marker(i) for i in range(len(self.box))]
        forms = [linear(v) for v in self.captured] + [Linear(0, {x: 1}) for x in markers]  # type: ignore[dict-item]
        form = of_affine(m.results[0], forms, m.num_dims)
        if form is None:
            return None
        parts = {x.index: form.coefficient(x) for x in markers if form.coefficient(x)}  # type: ignore[arg-type]
        return form.without(set(markers)), parts  # type: ignore[arg-type]

    def sort(self, maps: Sequence[AffineMap], kinds: Sequence[bool]) -> None:
        """Which variables are rows; the displacement per step of the others; where the columns start."""
        rows: set[int] = set()
        self.direct: dict[int, tuple[Linear, dict[int, int]]] = {}
        for k, (m, indirect) in enumerate(zip(maps, kinds, strict=True)):
            parts = None if indirect else self.linear_parts(m)
            if parts is None:
                for e in m.results:
                    rows |= {d - self.count for d in e.used_dims() if d >= self.count}
            else:
                self.direct[k] = parts
                if k in self.limits:  # each point is inside or not
                    rows |= set(parts[1])
        used = set(rows)
        for _, parts in self.direct.values():
            used |= set(parts)
        rows |= set(range(len(self.box))) - used  # a variable that nothing depends on: the same element again
        self.rows = sorted(rows)
        self.columns = [v for v in range(len(self.box)) if v not in rows]
        self.steps = {
            v: sum(parts.get(v, 0) * self.strides[k] for k, (_, parts) in self.direct.items()) for v in self.columns
        }

    def rooms(self, view: ktdp.ConstructMemoryViewOp) -> dict[int, Linear]:
        """What the view has from the first element of a column on, where its extent is a value: the column may go
        beyond. Raises HeadraceError for another subscript that leaves its view, and for one that begins before it."""
        found: dict[int, Linear] = {}
        sizes = mixed(view.static_sizes.get_values(), list(view.sizes))  # type: ignore[arg-type]
        dynamic = any(isinstance(n, SSAValue) for n in sizes)
        for k, (first, parts) in self.direct.items():
            ends = [0, 0]
            for v, c in parts.items():
                low, n = self.box[v]
                reach = (c * low, c * (low + n - 1))
                ends = [ends[0] + min(reach), ends[1] + max(reach)]
            low, high = range_of_form(first + ends[0])[0], range_of_form(first + ends[1])[1]
            size, known = sizes[k], constant_of(sizes[k])
            before = low is not None and low < 0 and (dynamic or first.is_const)
            beyond = high is not None and known is not None and high >= known and (dynamic or first.is_const)
            column = next(iter(parts), -1)
            others = [d for d, (_, other) in self.direct.items() if d != k and column in other]
            if isinstance(size, SSAValue) and parts == {column: 1} and column in self.columns and not others:
                if not by_data(first)[0].terms:
                    found[column] = linear(size) - first + -self.box[column][0]
                beyond = False
            if before or beyond:
                raise error(
                    self.op,
                    f"an indirect access tile covers coordinates {low} to {high} of dimension {k}, outside the view's "
                    f"extent of {'?' if known is None else known}"
                    + (f"; that zeros are read there is not supported by {PASS}" if dynamic else ""),
                    [(view, "the view is made here")],
                )
        return found

    def place(self, view: ktdp.ConstructMemoryViewOp) -> None:
        """Where the tile starts: `start` in units of the view's address, and what depends on data, in elements."""
        base = linear(view.offset)
        assert isinstance(view.results[0].type, MemRefType)
        scale = dtype_of(view.results[0].type.element_type).bytes if address_unit(view, base) == "byte" else 1
        data, self.start = by_data(base)
        if any(c % scale for c in data.terms.values()):
            raise error(
                self.op,
                f"a view that starts at a multiple of data which is no multiple of the {scale} bytes of an element is "
                f"not supported by {PASS}; load whole elements at a coordinate instead",
            )
        self.data = Linear(0, {v: c // scale for v, c in data.terms.items()})
        sizes = view.static_sizes.get_values()  # type: ignore[attr-defined]
        for k, (first, parts) in self.direct.items():
            data, rest = by_data(first)
            rest = rest + sum(self.box[v][0] * c for v, c in parts.items() if v in self.columns)
            reach = sum(abs(c) * (self.box[v][1] - 1) for v, c in parts.items())
            ruled_out = self.guards or self.limits  # the table may name another place
            if ruled_out and not self.surely_inside(rest, sizes[k] - reach):
                data = data + rest
            else:
                self.start = self.start + rest.scaled(self.strides[k] * scale)
            self.data = self.data + data.scaled(self.strides[k])

    def surely_inside(self, first: Linear, room: int) -> bool:
        """Whether a coordinate without what depends on data has as much room as is needed wherever it is."""
        kernel = next(op for op in ancestors(self.op) if op.name == "func.func")
        span = span_of(first, grid_of(kernel))
        return span is not None and span[0] >= 0 and span[1] < room

    # -- the table ----------------------------------------------------------------------------------------------------

    def table(self, maps: Sequence[AffineMap], kinds: Sequence[bool]) -> SSAValue:
        """Compute the displacements and keep them; returns the view of the table."""
        op, emit = self.op, self.emit
        shape = [self.box[v][1] for v in self.rows] or [1]
        key = (op.parent, self.data.key(), self.guards)
        alone = not self.rows and len(self.direct) == len(maps)
        if alone and key in self.shared:
            return self.shared[key]
        indices = iter(list(index_maps(op)))
        loaded = {k: self.indices(*next(indices)) for k, indirect in enumerate(kinds) if indirect}
        block = Block(arg_types=[INDEX] * len(shape))
        inner = Emitter(InsertPoint.at_end(block), op)
        dims: list[SSAValue] = list(self.captured)
        places: dict[int, SSAValue] = {}
        for k, v in enumerate(self.rows):
            low = self.box[v][0]
            places[v] = inner.value(inner.add(block.args[k], low)) if low else block.args[k]
        zero = inner.value(0)
        dims += [places.get(v, zero) for v in range(len(self.box))]
        total: SSAValue | None = None
        for k, (m, indirect) in enumerate(zip(maps, kinds, strict=True)):
            if indirect:
                source, walked = loaded[k]
                if walked is None:
                    at = [self.expression(inner, e, dims) for e in m.results]
                else:
                    at = [zero if v is None else block.args[self.rows.index(v)] for v in walked]
                value = inner.insert(tensor.ExtractOp(source, at, source.type.element_type)).results[0]  # type: ignore[attr-defined]
                value = as_i32(inner, value)
            elif k in self.direct and not any(v in places for v in self.direct[k][1]):
                continue
            else:
                if k in self.direct:
                    form = Linear(0, {places[v]: c for v, c in self.direct[k][1].items() if v in places})
                    value = inner.value(form.emit(inner))
                else:
                    value = self.expression(inner, m.results[0], dims)
                value = as_i32(inner, value)
            if self.strides[k] != 1:
                factor = inner.insert(arith.ConstantOp(IntegerAttr(self.strides[k], i32))).results[0]
                value = inner.insert(arith.MuliOp(value, factor)).results[0]
            total = value if total is None else inner.insert(arith.AddiOp(total, value)).results[0]
        if self.data.terms or self.data.const:
            value = as_i32(inner, inner.value(self.data.emit(inner)))
            total = value if total is None else inner.insert(arith.AddiOp(total, value)).results[0]
        if total is None:
            total = inner.insert(arith.ConstantOp(IntegerAttr(0, i32))).results[0]
        for k, extent in self.limits.items():
            if k in self.direct:
                other = inner.insert(arith.ConstantOp(IntegerAttr(NOWHERE if self.stored else 0, i32))).results[0]
                total = inner.insert(arith.SelectOp(self.inside(inner, k, extent, places), total, other)).result
        for place in self.places if self.stored else ():
            other = inner.insert(arith.ConstantOp(IntegerAttr(NOWHERE, i32))).results[0]
            total = inner.insert(arith.SelectOp(place.inside(inner, places), total, other)).result
        for guard in self.guards:
            other = inner.insert(arith.ConstantOp(IntegerAttr(NOWHERE if guard.stored else 0, i32))).results[0]
            choice = (total, other) if guard.holds else (other, total)
            total = inner.insert(arith.SelectOp(guard.condition, *choice)).results[0]
        inner.insert(tensor.YieldOp(total))
        generate = emit.insert(
            GenerateOp.build(operands=[[]], result_types=[TensorType(i32, shape)], regions=[Region(block)])
        )
        view = self.keep(shape, i32, op, emit)
        tiles.store(emit, generate.results[0], tiles.make_tile(emit, view, [Linear()] * len(shape), shape))  # type: ignore[arg-type]
        if alone:
            self.shared[key] = view
        return view

    def inside(self, emit: Emitter, k: int, extent: SSAValue, places: dict[int, SSAValue]) -> SSAValue:
        """Whether the coordinate of a point lies below an extent that is loaded, and not below zero."""
        first, parts = self.direct[k]
        at = first + Linear(0, {places[v]: c for v, c in parts.items()})
        return within(emit, at, extent)

    def indices(self, view: SSAValue, m: AffineMap) -> tuple[SSAValue, list[int | None] | None]:
        """Load a view of indices: all of it, or where it has dynamic extents what the subscripts reach, with the
        variable of each dimension."""
        owner = view.owner
        assert isinstance(view.type, MemRefType)
        if not isinstance(owner, ktdp.ConstructMemoryViewOp):
            raise error(self.op, f"an index view that is no plain memory view is not supported by {PASS}")
        sizes = mixed(owner.static_sizes.get_values(), list(owner.sizes))  # type: ignore[attr-defined]
        at, shape, walked = [Linear()] * len(sizes), sizes, None
        coordinates = index_coordinates(self.op, m) if owner.sizes else None
        if coordinates is not None:
            at = [start if v is None else start + self.box[v][0] for start, v in coordinates]
            shape = [1 if v is None else self.box[v][1] for _, v in coordinates]
            walked = [v for _, v in coordinates]
        tile = tiles.make_tile(self.emit, view, at, shape)
        return tiles.load(self.emit, tile, view.type.element_type), walked

    def expression(self, emit: Emitter, expr: AffineExpr, dims: Sequence[SSAValue]) -> SSAValue:
        """An affine expression as arithmetic on index values."""
        match expr:
            case AffineConstantExpr():
                return emit.value(expr.value)
            case AffineDimExpr():
                return dims[expr.position]
            case AffineBinaryOpExpr():
                a, b = self.expression(emit, expr.lhs, dims), self.expression(emit, expr.rhs, dims)
                if expr.kind is AffineBinaryOpKind.Add:
                    return emit.value(emit.add(a, b))
                if expr.kind is AffineBinaryOpKind.Mul:
                    return emit.value(emit.mul(a, b))
                kinds = {
                    AffineBinaryOpKind.FloorDiv: arith.FloorDivSIOp,
                    AffineBinaryOpKind.CeilDiv: arith.CeilDivSIOp,
                    AffineBinaryOpKind.Mod: arith.RemSIOp,
                }
                return emit.insert(kinds[expr.kind](a, b)).results[0]
            case _:
                raise error(self.op, f"a symbol in an indirect subscript is not supported by {PASS}")

    # -- the access ---------------------------------------------------------------------------------------------------

    def access(self, view: ktdp.ConstructMemoryViewOp, table: SSAValue) -> None:
        """Replace the tile by one that names only the table and the columns."""
        op, emit = self.op, self.emit
        assert isinstance(view.results[0].type, MemRefType)
        element = view.results[0].type.element_type
        sizes = list(view.static_sizes.get_values())  # type: ignore[attr-defined]
        reach = 1 + sum((n - 1) * abs(s) for n, s in zip(sizes, self.strides, strict=True)) if (
            DYNAMIC_INDEX not in sizes) else 1 << 31
        room = {v: emit.value(emit.maximum(0, form.emit(emit))) for v, form in self.room.items()}
        extents: list[int | SSAValue] = [reach, *(room.get(v, self.box[v][1]) for v in self.columns)]
        flat = tiles.make_view(
            emit,
            emit.value(self.start.emit(emit)),
            extents,
            [1, *(self.steps[v] for v in self.columns)],
            element,
            view.memory_space,
        )
        n = len(self.box)
        shape = [extent for _, extent in self.box]
        points, _ = tiles.box_set(shape)  # type: ignore[arg-type]
        row_map = AffineMap(n, 0, tuple(AffineDimExpr(v) for v in self.rows) or (AffineExpr.constant(0),))
        subscripts: list[tuple[SSAValue | None, AffineMapAttr]] = [(table, AffineMapAttr(row_map))]
        subscripts += [(None, AffineMapAttr(AffineMap(n, 0, (AffineDimExpr(v),)))) for v in self.columns]
        order = op.variables_space_order
        assert isinstance(order, AffineMapAttr)
        new = emit.insert(
            ktdp.ConstructIndirectAccessTileOp(
                flat, subscripts, [], [], AffineSetAttr(points), order, op.result.type
            )
        )
        if any(guard.stored for guard in self.guards) or (self.stored and (self.limits or self.places)):
            new.attributes[SKIPS] = UnitAttr()
        op.result.replace_all_uses_with(new.results[0])
        op.detach()
        op.erase()


def as_i32(emit: Emitter, value: SSAValue) -> SSAValue:
    """An integer or index value as i32."""
    t = value.type
    if isinstance(t, IndexType):
        return emit.insert(arith.IndexCastOp(value, i32)).results[0]
    assert isinstance(t, IntegerType)
    if t.width.data > 32:
        return emit.insert(arith.TruncIOp(value, i32)).results[0]
    if t.width.data < 32:
        return emit.insert(arith.ExtSIOp(value, i32)).results[0]
    return value

