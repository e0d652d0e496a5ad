"""The pipelines of a contraction on the device's matrix unit: the form that the later shape passes leave alone.

    for tiles of batch, M, N {
      for tiles of K { pipeline modulo 2 {
        stage [fetch] { streamed tile, resident tile -> scratchpad }
        stage [load, unit, store] { parallel over points { pipeline {
          stage [load]  { sums -> unit (after the first K tile); block 0; per block: the next block, rows of this one }
          stage [unit]  { load or clear the sums; fill, swap, multiply per block; read the sums }
          stage [store] { unit -> sums } } } } } }
      pipeline modulo 2 {
        stage [fetch] { bias, residual -> scratchpad }   stage [load, vector, store] { epilogue on vectors }
        stage [drain] { result -> main memory } }
    }

The block in use and the one being filled are the double buffer of the resident operand inside the unit; the rotating
tiles are the one in the scratchpad. Sizes that do not divide leave a last, smaller tile or point, in code of its own.
The corelets share the points of one class; the epilogue is shared in the same way, so that a corelet reads the sums it
wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from headrace.ir.dialects import headrace_matrix as matrix
from headrace.ir.dialects import ktdf as ktdf_dialect
from headrace.ir.location import copy_loc
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter
from headrace.scheduler.device import MAPPED, kind_attr_of
from headrace.scheduler.linear import Linear
from headrace.scheduler.shared import SHARE, share_attribute
from headrace.scheduler.split.domain import Dim, Domain
from headrace.scheduler.split.matrix_plan import Contraction, covered, cut_of, order_of
from headrace.scheduler.split.scalarize import Node, Operand

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


@dataclass(frozen=True)
class Piece:
    """Part of a dimension: `count` pieces of `size` from `start`."""

    start: int
    count: int
    size: int


def pieces(extent: int, size: int) -> list[Piece]:
    """A dimension in pieces of `size`, and one smaller piece for the rest."""
    full, rest = divmod(extent, size)
    out = [Piece(0, full, size)] if full else []
    return [*out, Piece(full * size, 1, rest)] if rest else out


@dataclass(frozen=True)
class At:
    """Where a nest of loops is: origin and size per dimension, the loop variables (outermost first)."""

    origin: dict[int, Linear] = field(default_factory=dict)
    size: dict[int, int] = field(default_factory=dict)
    ivs: tuple[SSAValue, ...] = ()

    def deeper(self, d: int, origin: Linear, size: int, iv: SSAValue | None = None) -> At:
        ivs = self.ivs if iv is None else (*self.ivs, iv)
        return At({**self.origin, d: origin}, {**self.size, d: size}, ivs)


@dataclass(eq=False)
class Tile:
    """An operand in memory and its place in the scratchpad: dimensions (outermost first) and buffers. One that lies in
    the scratchpad already is its own buffer, of which a tile is a part."""

    operand: Operand
    memory: SSAValue
    dims: list[int]
    buffers: Sequence[SSAValue]

    @property
    def local(self) -> bool:
        return self.buffers[0] is self.memory

    def start(self, at: At) -> dict[int, Linear]:
        """Where the tile at `at` begins in its buffer."""
        return at.origin if self.local else {}


def nest(emit: Emitter, at: At, dims: Sequence[int], sizes: dict[int, int], extents: dict[int, int],
         body: Callable[[Emitter, At], None], parallel: bool = False) -> None:  # fmt: skip
    """Loops over pieces of `dims`; `body` once per kind of piece."""
    if not dims:
        body(emit, at)
        return
    d, rest = dims[0], dims[1:]
    for piece in pieces(extents[d], sizes[d]):
        if piece.count == 1:
            inner = at.deeper(d, Linear(piece.start), piece.size)
            nest(emit, inner, rest, sizes, extents, body, parallel)
        else:
            loop, iv = emit.loop(piece.count, f"t{d}")
            if parallel:
                loop.attributes["loop_type"] = ktdf.parallel_loop()
            inside = Emitter.at_end(loop.body.block, emit.origin)
            inner = at.deeper(d, Linear(piece.start, {iv: piece.size}), piece.size, iv)
            nest(inside, inner, rest, sizes, extents, body, parallel)


class MatrixPipeline:
    """Emits the pipelines of one contraction."""

    def __init__(self, builder: Builder, plan: Contraction):
        self.builder, self.plan, self.path = builder, plan, plan.path
        self.top = builder.top
        self.origin = plan.node.op
        self.spec = plan.path.spec
        self.space = kind_attr_of(builder.device, plan.path.memory)
        self.entry = self.spec.n
        self.kept_buffer: SSAValue | None = None
        self.direct: Tile | None = None
        """Where the sums go at once, if nothing is to be done with them."""

    # -- operands -----------------------------------------------------------------------------------------------------

    def place(self, operand: Operand, copies: int) -> Tile:
        """An operand's memref (dimensions by stride) and its buffers."""
        dims = order_of(self.plan, operand)
        self.builder.domain = Domain([Dim(self.plan.extents[d], [d]) for d in dims] or [Dim(1, [])])
        memory = self.builder.memory(operand, [operand.strides[d] for d in dims] or [0])
        if operand in self.plan.local:
            return Tile(operand, memory, dims, [memory])
        shape = [self.plan.tile[d] for d in dims] or [1]
        t = MemRefType(operand.access.element_type, shape, memory_space=self.space)
        buffers = [self.top.insert(memref.AllocOp([], [], t)).results[0] for _ in range(copies)]
        return Tile(operand, memory, dims, buffers)

    def picked(self, emit: Emitter, tiles: Sequence[Tile], ivs: Sequence[SSAValue]) -> list[SSAValue]:
        """The buffers in use at this point of the loops `ivs`."""
        if not ivs or all(len(t.buffers) == 1 for t in tiles):
            return [t.buffers[0] for t in tiles]
        phase = emit.insert(ktdf.buffer_phase(list(ivs), 2)).results[0]
        return [
            emit.insert(ktdf.select_memref(phase, t.buffers)).results[0] if len(t.buffers) > 1 else t.buffers[0]
            for t in tiles
        ]

    def moved(self, into: object, tile: Tile, buffer: SSAValue, at: At, out: bool = False) -> None:
        """Move a tile between main memory and its buffer."""
        if tile.local:
            return
        sizes = [at.size[d] for d in tile.dims] or [1]
        far = ktdf.Side(tile.memory, [at.origin[d] for d in tile.dims] or [Linear()], list(sizes))
        near = ktdf.Side(buffer, ktdf.zeros(len(sizes)), list(sizes))
        op = ktdf.transfer(into, *((near, far) if out else (far, near)), from_op=tile.operand.access.op)  # type: ignore[arg-type]
        if not out and cut_of(self.plan, tile.operand, sizes, self.builder.device) is not None:
            op.attributes[SHARE] = share_attribute(self.plan.rings[tile.operand])

    # -- tiles --------------------------------------------------------------------------------------------------------

    def emit(self) -> None:
        """Emit everything at the top of the program."""
        plan = self.plan
        outer = [*plan.batch, *plan.m, *plan.n]
        many = plan.tiles(outer) > 1
        x = self.place(plan.streamed, 2 if many or plan.tiles(plan.k) > 1 else 1)
        w = self.place(plan.resident, 2 if many or plan.tiles(plan.k) > 1 else 1)
        copies = plan.around_copies
        extra = [self.place(o, copies) for o in plan.inputs]
        outs = [self.place(o, copies) for o in plan.outputs]
        self.direct = outs[0] if self.is_direct() else None
        if self.direct is not None:
            sums = self.direct.memory
        else:
            shape = [plan.tile[d] for d in (*plan.m, *plan.n)]
            sums = self.top.insert(memref.AllocOp([], [], MemRefType(f32, shape, memory_space=self.space))).results[0]
        Epilogue.prepare(self.builder, plan)
        if plan.stays == "resident":
            first, second, kept, passing = [*plan.batch, *plan.n], plan.m, w, x
        else:
            first, second, kept, passing = [*plan.batch, *plan.m], plan.n, x, w
        program = self.builder.program
        program.attributes[MAPPED] = UnitAttr()
        program.attributes["headrace.contraction"] = self.decisions(x, w)

        def tiles(emit: Emitter, at: At) -> None:
            """One tile of the result."""
            if plan.stays == "sums":
                nest(emit, at, plan.k, plan.tile, plan.extents, lambda e, a: step(e, a, at))
            else:
                here = At({**at.origin, **{d: Linear() for d in plan.k}},
                          {**at.size, **{d: plan.extents[d] for d in plan.k}}, at.ivs)  # fmt: skip
                fixed = self.kept_buffer
                assert fixed is not None
                (other,) = self.picked(emit, [passing], at.ivs)
                pair = (fixed, other) if kept is x else (other, fixed)
                self.multiply(emit, here, [(passing, other)], pair, x, w, sums, None)
            if self.direct is not None:
                return
            buffers = self.picked(emit, [*extra, *outs], at.ivs)
            epilogue = Epilogue(self, at, sums)
            epilogue.emit(emit, list(zip([*extra, *outs], buffers, strict=True)), len(extra))

        def step(emit: Emitter, at: At, around: At) -> None:
            """One tile of K."""
            a, b = self.picked(emit, [x, w], at.ivs)
            later = [iv for iv in at.ivs if iv not in around.ivs]
            started = any(at.origin[d].const for d in plan.k)
            self.multiply(emit, at, [(x, a), (w, b)], (a, b), x, w, sums, True if started else later)

        def first_level(emit: Emitter, at: At) -> None:
            if plan.stays != "sums":
                (self.kept_buffer,) = self.picked(emit, [kept], at.ivs)
                whole = At({**at.origin, **{d: Linear() for d in plan.k}},
                           {**at.size, **{d: plan.extents[d] for d in plan.k}}, at.ivs)  # fmt: skip
                if not kept.local:
                    builder = ktdf.PipelineBuilder(emit, self.origin)
                    self.moved(builder.stage([self.path.fetch]), kept, self.kept_buffer, whole)
                    builder.finish({})
            nest(emit, at, second, plan.tile, plan.extents, tiles, parallel=True)

        nest(self.top, At(), first, plan.tile, plan.extents, first_level, parallel=True)

    def is_direct(self) -> bool:
        """Whether the sums themselves are the result, in f32 in the scratchpad: they need no way through the vector
        unit."""
        plan, body = self.plan, self.builder.body
        if len(plan.outputs) != 1 or plan.outputs[0] not in plan.local or self.builder.scalarizer.inputs != [plan.node]:
            return False
        last = body.last_op
        return last is body.first_op and last is not None and last.operands[0] is body.args[0] and (
            plan.outputs[0].access.element_type == f32 == plan.node.element_type
        )

    def decisions(self, x: Tile, w: Tile) -> DictionaryAttr:
        """What was decided, for the reader of the IR."""
        plan = self.plan

        def sizes(dims: list[int]) -> ArrayAttr:
            return ArrayAttr([IntegerAttr(plan.tile[d], i64) for d in dims])

        name = lambda t: StringAttr(t.operand.access.root.name_hint or "" if t.operand.access.root else "")  # noqa: E731
        return DictionaryAttr(
            {
                "unit": StringAttr(self.path.unit),
                "streamed": name(x),
                "resident": name(w),
                "stays": StringAttr(plan.stays),
                "m": sizes(plan.m),
                "n": sizes(plan.n),
                "k": sizes(plan.k),
                "rows": IntegerAttr(plan.rows, i64),
                "split": StringAttr(plan.split),
                "shared": ArrayAttr([name(t) for t in (x, w) if plan.share and t.operand in plan.rings]),
                "scratchpad": IntegerAttr(sum(covered(plan, t.operand) * len(t.buffers) for t in (x, w)), i64),
                "estimate": IntegerAttr(plan.cycles, i64),
            }
        )

    # -- points -------------------------------------------------------------------------------------------------------

    def over_points(self, emit: Emitter, at: At, body: Callable[[Emitter, At], None]) -> None:
        """`body` for every point of a tile, the points of the split class shared between the instances."""
        plan = self.plan
        order = [*plan.m, *plan.n] if plan.split == "m" else [*plan.n, *plan.m]
        sizes = dict.fromkeys(order, 1)
        sizes[plan.n[-1]] = self.spec.n
        if plan.m:
            sizes[plan.m[-1]] = plan.rows
        shared = (plan.m if plan.split == "m" else plan.n)[-1]
        rest = [d for d in order if d != shared]
        for piece in pieces(at.size[shared], sizes[shared]):
            block = Block(arg_types=[INDEX, INDEX])
            block.args[0].name_hint, block.args[1].name_hint = "p", "instance"
            block.add_op(ktdf_dialect.ParallelYieldOp())
            emit.insert(
                ktdf_dialect.ParallelOp(
                    [emit.value(0)], [emit.value(piece.count)], [emit.value(1)], self.path.instances, Region(block)
                )
            )
            inside = Emitter.at_end(block, self.origin)
            here = At().deeper(shared, Linear(piece.start, {block.args[0]: piece.size}), piece.size)
            nest(inside, here, rest, sizes, at.size, body)

    def multiply(
        self,
        emit: Emitter,
        at: At,
        loads: Sequence[tuple[Tile, SSAValue]],
        pair: tuple[SSAValue, SSAValue],
        x: Tile,
        w: Tile,
        sums: SSAValue,
        later: list[SSAValue] | bool | None,
    ) -> None:
        """The pipeline of one K tile. `later`: whether sums are there already: True, or where one of these loops is
        not in its first iteration."""
        builder = ktdf.PipelineBuilder(emit, self.origin)
        moved = [pair for pair in loads if not pair[0].local]
        if moved:
            stage = builder.stage([self.path.fetch])
            for tile, buffer in moved:
                self.moved(stage, tile, buffer, at)
        units = builder.stage([self.path.load, self.path.unit, self.path.store])
        self.over_points(
            units.emit, at, lambda e, p: Point(self, e, p, at, (x, pair[0]), (w, pair[1]), sums, later).emit()
        )
        pipeline = builder.finish({})
        if any(len(t.buffers) > 1 for t, _ in loads):
            ktdf.set_modulo(pipeline, 2)


class Point:
    """The innermost pipeline: one block of accumulators, all of a K tile."""

    def __init__(self, parent: MatrixPipeline, emit: Emitter, point: At, tile: At, x: tuple[Tile, SSAValue],
                 w: tuple[Tile, SSAValue], sums: SSAValue, later: list[SSAValue] | bool | None):  # fmt: skip
        self.parent, self.plan, self.spec, self.path = parent, parent.plan, parent.spec, parent.path
        self.point, self.tile, self.x, self.w, self.sums, self.later = point, tile, x, w, sums, later
        self.builder = ktdf.PipelineBuilder(emit, parent.origin)
        self.load = self.builder.stage([self.path.load])
        self.unit = self.builder.stage([self.path.unit])
        self.store = self.builder.stage([self.path.store])
        self.columns = point.size[self.plan.n[-1]]
        self.rows = point.size[self.plan.m[-1]] if self.plan.m else 1
        self.slots: dict[tuple[str, int, Attribute], SSAValue] = {}

    def slot(self, direction: str, count: int, element: Attribute) -> SSAValue:
        """The FIFO slot of entries of this size."""
        key = (direction, count, element)
        if key not in self.slots:
            ends = (self.path.load, self.path.unit) if direction == "in" else (self.path.unit, self.path.store)
            self.slots[key] = self.builder.slot(*ends, count, element, direction)
        return self.slots[key]

    def emit(self) -> None:
        """Emit the three stages."""
        load, unit = self.load.emit, self.unit.emit
        if self.later:
            inner = [load, unit] if self.later is True else [self.when(e, "sgt") for e in (load, unit)]
            self.each_row(inner[0], lambda e, r: self.send_sums(e, r))
            self.each_row(inner[1], lambda e, r: self.load_row(e, r))
            if self.later is not True:
                self.when(unit, "eq").insert(matrix.MatrixClearOp(self.rows))
        else:
            unit.insert(matrix.MatrixClearOp(self.rows))
        outer = self.plan.k[:-1]
        nested = [(load, unit, At())]
        for d in outer:
            nested = self.enter(nested, d)
        for a, b, at in nested:
            self.blocks(a, b, at)
        self.each_row(unit, lambda e, r: self.read_row(e, r))
        self.each_row(self.store.emit, lambda e, r: self.keep_sums(e, r))
        self.builder.finish({})

    def enter(self, nested: list[tuple[Emitter, Emitter, At]], d: int) -> list[tuple[Emitter, Emitter, At]]:
        """One more loop over an outer dimension of K, in both stages."""
        (load, unit, at), n = nested[0], self.tile.size[d]
        if n == 1:
            return [(load, unit, at.deeper(d, Linear(), 1))]
        loops = [e.loop(n, "q") for e in (load, unit)]
        inside = [Emitter.at_end(loop.body.block, self.parent.origin) for loop, _ in loops]
        return [(inside[0], inside[1], at.deeper(d, Linear(0, {loops[0][1]: 1}), 1))]

    def when(self, emit: Emitter, predicate: str) -> Emitter:
        """The inside of an `scf.if` that runs when the K loops are (`eq`) or are not (`sgt`) in their first
        iteration."""
        assert isinstance(self.later, list)
        total = self.later[0]
        for iv in self.later[1:]:
            total = emit.value(emit.add(total, iv))
        condition = emit.insert(arith.CmpiOp(total, emit.value(0), predicate)).result
        block = Block([scf.YieldOp()])
        emit.insert(scf.IfOp(condition, [], Region(block)))  # pyright: ignore[reportArgumentType]
        return Emitter.at_end(block, self.parent.origin)

    # -- sums ---------------------------------------------------------------------------------------------------------

    def each_row(self, emit: Emitter, body: Callable[[Emitter, SSAValue], None]) -> None:
        """`body` for every accumulator row of the point."""
        if self.rows == 1:
            body(emit, emit.value(0))
            return
        loop, iv = emit.loop(self.rows, "r")
        body(Emitter.at_end(loop.body.block, self.parent.origin), iv)

    def sums_side(self, row: SSAValue) -> ktdf.Side:
        """One row of the point in the scratchpad."""
        plan, direct = self.plan, self.parent.direct
        subs: list[Linear] = []
        sizes: list[int] = []
        for d in direct.dims if direct is not None else (*plan.m, *plan.n):
            at = self.point.origin.get(d, Linear())
            if direct is not None:
                at = at + self.tile.origin.get(d, Linear())
            if plan.m and d == plan.m[-1] and self.rows > 1:
                at = at + Linear(0, {row: 1})
            subs.append(at)
            sizes.append(self.columns if d == plan.n[-1] else 1)
        return ktdf.Side(self.sums, subs, list(sizes))

    def send_sums(self, emit: Emitter, row: SSAValue) -> None:
        slot = self.slot("in", self.columns, f32)
        ktdf.transfer(emit, self.sums_side(row), ktdf.Side(slot, None, [self.columns]))

    def load_row(self, emit: Emitter, row: SSAValue) -> None:
        data = ktdf.read(emit, self.slot("in", self.columns, f32), TensorType(f32, [self.columns]))
        emit.insert(matrix.MatrixLoadOp(data, row))

    def read_row(self, emit: Emitter, row: SSAValue) -> None:
        data = emit.insert(matrix.MatrixReadOp(row, TensorType(f32, [self.columns]))).result
        emit.insert(ktdf.write(data, self.slot("out", self.columns, f32)))

    def keep_sums(self, emit: Emitter, row: SSAValue) -> None:
        slot = self.slot("out", self.columns, f32)
        ktdf.transfer(emit, ktdf.Side(slot, None, [self.columns]), self.sums_side(row))

    # -- blocks -------------------------------------------------------------------------------------------------------

    def blocks(self, load: Emitter, unit: Emitter, at: At) -> None:
        """Fill, swap and multiply over the blocks of the innermost K dimension, one block ahead."""
        k = self.plan.k[-1]
        full, rest = divmod(self.tile.size[k], self.spec.k)
        depth = self.spec.k
        if not full:
            self.fill(load, unit, at.deeper(k, Linear(), rest))
            unit.insert(matrix.MatrixSwapOp())
            self.rows_of(load, unit, at.deeper(k, Linear(), rest))
            return
        self.fill(load, unit, at.deeper(k, Linear(), depth))
        unit.insert(matrix.MatrixSwapOp())
        if full > 1:
            loops = [e.loop(full - 1, "b") for e in (load, unit)]
            inner = [Emitter.at_end(loop.body.block, self.parent.origin) for loop, _ in loops]
            here = Linear(0, {loops[0][1]: depth})
            self.fill(inner[0], inner[1], at.deeper(k, here + depth, depth))
            self.rows_of(inner[0], inner[1], at.deeper(k, here, depth))
            inner[1].insert(matrix.MatrixSwapOp())
        last = at.deeper(k, Linear((full - 1) * depth), depth)
        if rest:
            self.fill(load, unit, at.deeper(k, Linear(full * depth), rest))
            self.rows_of(load, unit, last)
            unit.insert(matrix.MatrixSwapOp())
            self.rows_of(load, unit, at.deeper(k, Linear(full * depth), rest))
        else:
            self.rows_of(load, unit, last)

    def box(self, tile: tuple[Tile, SSAValue], at: At, spans: dict[int, tuple[Linear, int]]) -> ktdf.Side:
        """A box of a tile: origin from the point and `at`, `spans` gives (further origin, size) of some dimensions."""
        subs: list[Linear] = []
        sizes: list[int] = []
        start = tile[0].start(self.tile)
        for d in tile[0].dims:
            origin = at.origin.get(d, self.point.origin.get(d, Linear())) + start.get(d, Linear())
            more, size = spans.get(d, (Linear(), 1))
            subs.append(origin + more)
            sizes.append(size)
        return ktdf.Side(tile[1], subs or [Linear()], list(sizes) or [1])

    def column_major(self, tile: tuple[Tile, SSAValue], outer: int, inner: int) -> bool:
        """Whether dimension `inner` comes before `outer` in a box of the tile."""
        dims = tile[0].dims
        return outer in dims and inner in dims and dims.index(inner) < dims.index(outer)

    def fill(self, load: Emitter, unit: Emitter, at: At) -> None:
        """Send one block of the resident operand and fill it: by rows, or by groups of columns where its depth is
        contiguous."""
        k, n = self.plan.k[-1], self.plan.n[-1]
        depth, element = at.size[k], self.plan.resident.access.element_type
        if self.column_major(self.w, k, n) and self.columns > 1:
            group = max(1, self.parent.entry // depth)
            for first in range(0, self.columns, group):
                count = min(group, self.columns - first)
                slot = self.slot("in", count * depth, element)
                side = self.box(self.w, at, {k: (Linear(), depth), n: (Linear(first), count)})
                ktdf.transfer(load, side, ktdf.Side(slot, None, [count * depth]))
                data = ktdf.read(unit, slot, TensorType(element, [count * depth]))
                unit.insert(matrix.MatrixFillOp(data, first, count, column=True))
            return
        for row in range(depth):
            slot = self.slot("in", self.columns, element)
            side = self.box(self.w, at, {k: (Linear(row), 1), n: (Linear(), self.columns)})
            ktdf.transfer(load, side, ktdf.Side(slot, None, [self.columns]))
            data = ktdf.read(unit, slot, TensorType(element, [self.columns]))
            unit.insert(matrix.MatrixFillOp(data, row))

    def rows_of(self, load: Emitter, unit: Emitter, at: At) -> None:
        """Send the rows of the streamed operand that meet one block, and multiply."""
        k = self.plan.k[-1]
        depth = at.size[k]
        group = min(self.rows, max(1, self.parent.entry // depth))
        full, rest = divmod(self.rows, group)
        if full > 1:
            loops = [e.loop(full, "x") for e in (load, unit)]
            inner = [Emitter.at_end(loop.body.block, self.parent.origin) for loop, _ in loops]
            row = inner[1].value(inner[1].mul(loops[1][1], group))
            self.some_rows(inner[0], inner[1], at, Linear(0, {loops[0][1]: group}), row, group)
        elif full:
            self.some_rows(load, unit, at, Linear(), unit.value(0), group)
        if rest:
            self.some_rows(load, unit, at, Linear(full * group), unit.value(full * group), rest)

    def some_rows(self, load: Emitter, unit: Emitter, at: At, start: Linear, row: SSAValue, count: int) -> None:
        k = self.plan.k[-1]
        depth, element = at.size[k], self.plan.streamed.access.element_type
        spans = {k: (Linear(), depth)}
        column = False
        if self.plan.m:
            m = self.plan.m[-1]
            spans[m] = (start, count)
            column = self.column_major(self.x, m, k) and count > 1 and depth > 1
        slot = self.slot("in", count * depth, element)
        ktdf.transfer(load, self.box(self.x, at, spans), ktdf.Side(slot, None, [count * depth]))
        data = ktdf.read(unit, slot, TensorType(element, [count * depth]))
        unit.insert(matrix.MatrixMultiplyOp(data, row, count, column, macs=count * depth * self.columns))


class Epilogue:
    """What happens to the finished sums of a tile: vectors along the columns, then the way to main memory."""

    def __init__(self, parent: MatrixPipeline, at: At, sums: SSAValue):
        self.parent, self.plan, self.path, self.at, self.sums = parent, parent.plan, parent.path, at, sums
        self.vectors = parent.builder
        self.axis = parent.plan.n[-1]

    @staticmethod
    def prepare(builder: Builder, plan: Contraction) -> None:
        """The body takes the sum in f32 and rounds it itself."""
        node = plan.node
        if node.element_type == f32 or node not in builder.scalarizer.inputs:
            return
        arg = builder.body.args[builder.scalarizer.inputs.index(node)]
        wide = Rewriter.replace_value_with_new_type(arg, f32)
        cut = arith.TruncFOp(wide, node.element_type)  # pyright: ignore[reportArgumentType]
        copy_loc(node.op, cut)
        wide.replace_uses_with_if(cut.result, lambda use: use.operation is not cut)
        first = builder.body.first_op
        assert first is not None
        builder.body.insert_op_before(cut, first)

    def emit(self, emit: Emitter, tiles: list[tuple[Tile, SSAValue]], loads: int) -> None:
        """The pipeline of one tile."""
        builder = ktdf.PipelineBuilder(emit, self.parent.builder.stores[0])
        if any(not tile.local for tile, _ in tiles[:loads]):
            stage = builder.stage([self.path.fetch])
            for tile, buffer in tiles[:loads]:
                self.parent.moved(stage, tile, buffer, self.at)
        units = builder.stage([self.path.vector_load, self.path.vector, self.path.vector_store])
        self.parent.over_points(units.emit, self.at, lambda e, p: self.point(e, p, tiles, loads))
        if any(not tile.local for tile, _ in tiles[loads:]):
            stage = builder.stage([self.path.drain])
            for tile, buffer in tiles[loads:]:
                self.parent.moved(stage, tile, buffer, self.at, out=True)
        pipeline = builder.finish({})
        if any(len(t.buffers) > 1 for t, _ in tiles):
            ktdf.set_modulo(pipeline, 2)

    def lanes(self) -> int:
        """Elements of one vector: the fewest lanes among all types of the body."""
        builder = self.parent.builder
        types = [a.type for a in builder.body.args] + [r.type for op in builder.body.ops for r in op.results]
        counted = [t for t in types if str(t) not in ("i1", "index")]
        return min(builder.device.lanes(t) for t in counted)

    def along(self, point: At) -> int:
        """The dimension of the vectors: the columns, or the rows where fewer operands are then spread over a vector."""
        n = self.plan.n[-1]
        if not self.plan.m or point.size[m := self.plan.m[-1]] % self.lanes():
            return n
        spread = {d: sum(not o.strides[d] for o in self.plan.inputs) for d in (m, n)}
        return m if spread[m] < spread[n] else n

    def point(self, emit: Emitter, point: At, tiles: list[tuple[Tile, SSAValue]], loads: int) -> None:
        """All elements of a point, in vectors along its columns or its rows."""
        plan = self.plan
        self.axis = self.along(point)
        other = plan.n[-1] if self.axis != plan.n[-1] else (plan.m[-1] if plan.m else None)
        if other is not None and point.size[other] > 1:
            loop, iv = emit.loop(point.size[other], "r")
            emit = Emitter.at_end(loop.body.block, self.parent.origin)
            point = point.deeper(other, point.origin[other] + Linear(0, {iv: 1}), 1)
        builder = ktdf.PipelineBuilder(emit, self.parent.builder.stores[0])
        stages = [builder.stage([u]) for u in (self.path.vector_load, self.path.vector, self.path.vector_store)]
        lanes = self.lanes()
        for piece in pieces(point.size[self.axis], lanes):
            emitters = [s.emit for s in stages]
            at = [Linear(piece.start)] * 3
            if piece.count > 1:
                loops = [e.loop(piece.count, "v") for e in emitters]
                emitters = [Emitter.at_end(loop.body.block, self.parent.origin) for loop, _ in loops]
                at = [Linear(0, {iv: piece.size}) for _, iv in loops]
            self.vector(builder, emitters, point, at, piece.size, tiles, loads)
        builder.finish({})

    def side(self, tile: tuple[Tile, SSAValue], point: At, at: Linear, count: int) -> tuple[ktdf.Side, bool]:
        """A vector of a tile; whether the tile has one element for each of its own."""
        n = self.axis
        dims = tile[0].dims
        start = tile[0].start(self.at)
        subs = [
            point.origin.get(d, Linear()) + start.get(d, Linear()) + (at if d == n else Linear()) for d in dims
        ] or [Linear()]
        sizes = [count if d == n else 1 for d in dims] or [1]
        return ktdf.Side(tile[1], subs, list(sizes)), n in dims

    def vector(self, builder: ktdf.PipelineBuilder, emitters: list[Emitter], point: At, at: list[Linear], count: int,
               tiles: list[tuple[Tile, SSAValue]], loads: int) -> None:  # fmt: skip
        """One vector: load the inputs, compute, store the results."""
        load, compute, store = emitters
        parent = self.parent.builder
        known = {t.operand: (t, b) for t, b in tiles[:loads]}
        inputs: list[SSAValue] = []
        for source in parent.scalarizer.inputs:
            if isinstance(source, Node):
                dims = (*self.plan.m, *self.plan.n)
                n = self.axis
                side = ktdf.Side(
                    self.sums,
                    [point.origin[d] + (at[0] if d == n else Linear()) for d in dims],
                    [count if d == n else 1 for d in dims],
                )
                element: Attribute = f32
                runs = True
            else:
                side, runs = self.side(known[source], point, at[0], count)
                element = source.access.element_type
            slot = builder.slot(self.path.vector_load, self.path.vector, count, element, "load")
            ktdf.transfer(load, side, ktdf.Side(slot, None, [count]), None if runs or count == 1 else "splat")
            inputs.append(ktdf.read(compute, slot, TensorType(element, [count])))
        outputs = [
            compute.insert(tensor.EmptyOp([], TensorType(o.access.element_type, [count]))).results[0]
            for o in parent.outputs
        ]
        identity = AffineMapAttr(AffineMap.identity(1))
        generic = linalg.GenericOp(
            inputs,
            outputs,
            Region(_copied(parent.body)),
            [identity] * (len(inputs) + len(outputs)),
            [IteratorTypeAttr.parallel()],
            [o.type for o in outputs],
        )
        compute.insert(generic)
        for value, operand, tile in zip(generic.results, parent.outputs, tiles[loads:], strict=True):
            slot = builder.slot(self.path.vector, self.path.vector_store, count, operand.access.element_type, "store")
            compute.insert(ktdf.write(value, slot))
            side, _ = self.side(tile, point, at[2], count)
            ktdf.transfer(store, ktdf.Side(slot, None, [count]), side)


def _copied(block: Block) -> Block:
    """A copy of a body's block."""
    region = Region(block) if block.parent is None else block.parent
    return region.clone().detach_block(0)


def emit_contraction(builder: Builder, plan: Contraction) -> None:
    """Emit the pipelines of a contraction at the top of the program."""
    MatrixPipeline(builder, plan).emit()


__all__ = ["emit_contraction", "pieces"]
