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

Where K is one tile and the epilogue is worth it (`plan.woven`), both are one pipeline: while the matrix unit works on a
point, the units of the epilogue get a few rows of the point before after each block. A load unit runs its transfers in
order; so it feeds both units in turn, in portions that their FIFOs hold:

    pipeline modulo 2 {
      stage [fetch] { tiles, bias, residual -> scratchpad }
      stage [load, unit, store, vector] { parallel { for points %t, and once more {
        if there is a point:         first blocks
        for the last blocks { if there is a point: block      if there was one: some rows of its epilogue }
        if there is a point:         unit -> sums } } }
      stage [drain] { result -> main memory } }

The block in use and the one being filled are the double buffer of the resident operand inside the unit; the rotating
tiles are the one in the scratchpad. Sizes that do not divide leave a last, smaller tile or point, in code of its own.
The corelets share the points of one class; the epilogue is shared in the same way, so that a corelet reads the sums it
wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from headrace.ir.dialects import headrace_matrix as matrix
from headrace.ir.dialects import ktdf as ktdf_dialect
from headrace.ir.types import memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter, alloc_op
from headrace.scheduler.device import MAPPED, kind_attr_of
from headrace.scheduler.linear import Linear
from headrace.scheduler.shared import SHARE, share_attribute
from headrace.scheduler.split.domain import Dim, Domain
from headrace.scheduler.split.matrix_epilogue import Epilogue
from headrace.scheduler.split.matrix_nest import At, Pieces, Tile, launch_pieces, nest, pieces
from headrace.scheduler.split.matrix_plan import Contraction, covered, cut_of, entry_of, order_of
from headrace.scheduler.split.scalarize import Operand

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


class MatrixPipeline:
    """Emits the pipelines of one contraction."""

    def __init__(self, builder: Builder, plan: Contraction):
        self.builder, self.plan, self.path = builder, plan, plan.path
        self.top = builder.top
        self.origin = plan.node.op
        self.spec = plan.path.spec
        self.space = kind_attr_of(builder.device, plan.path.memory)
        self.entry = entry_of(plan, builder.device)
        self.kept_buffer: SSAValue | None = None
        self.direct: Tile | None = None
        """Where the sums go at once, if nothing is to be done with them."""
        self.extents: dict[int, int | Pieces] = dict(plan.extents)
        for d, (extent, multiple) in plan.launch.items():
            self.extents[d] = launch_pieces(self.top, extent, multiple, plan.tile[d])

    # -- operands -----------------------------------------------------------------------------------------------------

    def place(self, operand: Operand, copies: int) -> Tile:
        """An operand's memref (dimensions by stride) and its buffers."""
        dims = order_of(self.plan, operand)
        extents = {**self.plan.extents, **{d: extent for d, (extent, _) in self.plan.launch.items()}}
        self.builder.domain = Domain([Dim(extents[d], [d]) for d in dims] or [Dim(1, [])])
        memory = self.builder.memory(operand, [operand.strides[d] for d in dims] or [0])
        if operand in self.plan.local:
            return Tile(operand, memory, dims, [memory])
        shape = [self.plan.tile[d] for d in dims] or [1]
        t = memref_type(operand.access.element_type, shape, memory_space=self.space)
        buffers = [self.top.insert(alloc_op(t)).results[0] for _ in range(copies)]
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

    def moved(self, into: object, tile: Tile, buffer: SSAValue, at: At, out: bool = False,
              inside: dict[int, int] | None = None) -> None:  # fmt: skip
        """Move a tile between main memory and its buffer; or a part of it, which begins at `inside` in the buffer."""
        if tile.local:
            return
        sizes = [at.size[d] for d in tile.dims] or [1]
        far = ktdf.Side(tile.memory, [at.origin[d] for d in tile.dims] or [Linear()], list(sizes))
        start = [Linear((inside or {}).get(d, 0)) for d in tile.dims] or [Linear()]
        near = ktdf.Side(buffer, start, list(sizes))
        op = ktdf.transfer(into, *((near, far) if out else (far, near)), from_op=tile.operand.access.op)  # type: ignore[arg-type]
        if not out and cut_of(self.plan, tile.operand, sizes, self.builder.device) is not None:
            op.attributes[SHARE] = share_attribute(self.plan.rings[tile.operand])

    # -- tiles --------------------------------------------------------------------------------------------------------

    def emit(self) -> None:
        """Emit everything at the top of the program."""
        plan = self.plan
        x = self.place(plan.streamed, plan.copies(plan.streamed, plan.stays))
        w = self.place(plan.resident, plan.copies(plan.resident, plan.stays))
        copies = plan.around_copies
        extra = [self.place(o, copies) for o in plan.inputs]
        outs = [self.place(o, copies) for o in plan.outputs]
        self.direct = outs[0] if plan.direct else None
        if self.direct is not None:
            sums = self.direct.memory
        else:
            shape = [plan.tile[d] for d in (*plan.m, *plan.n)]
            sums = self.top.insert(alloc_op(memref_type(f32, shape, memory_space=self.space))).results[0]
        Epilogue.prepare(self.builder, plan)
        if plan.stays == "resident":
            first, second, kept, passing = [*plan.batch, *plan.n], plan.m, w, x
        else:
            first, second, kept, passing = [*plan.batch, *plan.m], plan.n, x, w
        program = self.builder.program
        program.attributes[MAPPED] = UnitAttr()
        program.attributes["headrace.contraction"] = self.decisions(x, w)

        def tiles(emit: Emitter, at: At, skew: Skew | None = None) -> None:
            """One tile of the result."""
            if plan.woven:
                here = At({**at.origin, **{d: Linear() for d in plan.k}},
                          {**at.size, **{d: plan.extents[d] for d in plan.k}}, at.ivs)  # fmt: skip
                passes = [t for t in (x, w) if plan.stays == "sums" or t is not kept]
                chosen = dict(zip(passes, self.picked(emit, passes, at.ivs), strict=True))
                first, second = (chosen.get(t, self.kept_buffer) for t in (x, w))
                assert first is not None and second is not None
                around = self.picked(emit, [*extra, *outs], at.ivs)
                Weave(self, here, sums, (x, first), (w, second), skew).emit(
                    emit, list(chosen.items()), list(zip([*extra, *outs], around, strict=True)), len(extra)
                )
                return
            if plan.stays == "sums":
                nest(emit, at, plan.k, plan.tile, self.extents, lambda e, a: step(e, a, at))
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
            if plan.skew < 0:
                nest(emit, at, second, plan.tile, self.extents, tiles, parallel=True)
            else:
                nest(emit, at, second[:-1], plan.tile, self.extents, in_turn, parallel=True)

        def in_turn(emit: Emitter, at: At) -> None:
            """The tiles along `plan.skew`: one iteration more than tiles, and one more yet where that lets the rotation
            of the buffers end where it began."""
            d, size = plan.skew, plan.tile[plan.skew]
            count = plan.extents[d] // size
            loop, iv = emit.loop(count + (2 if at.ivs and count % 2 == 0 else 1), f"t{d}")
            inside = Emitter.at_end(loop.body.block, emit.origin)
            tiles(inside, at.deeper(d, Linear(0, {iv: size}), size, iv), Skew(d, iv, count))

        nest(self.top, At(), first, plan.tile, self.extents, first_level, parallel=True)

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
                **({"woven": BoolAttr.from_bool(True)} if plan.woven else {}),
                **({"skewed": BoolAttr.from_bool(True)} if plan.skew >= 0 else {}),
                "shared": ArrayAttr([name(t) for t in (x, w) if plan.share and t.operand in plan.rings]),
                "scratchpad": IntegerAttr(sum(covered(plan, t.operand) * len(t.buffers) for t in (x, w)), i64),
                "estimate": IntegerAttr(plan.cycles, i64),
            }
        )

    # -- points -------------------------------------------------------------------------------------------------------

    def point_sizes(self) -> tuple[dict[int, int], int, list[int]]:
        """Size of a point per dimension; the dimension whose points the instances share; the other dimensions."""
        plan = self.plan
        order = [*plan.m, *plan.n] if plan.split == "m" else [*plan.n, *plan.m]
        sizes = dict.fromkeys(order, 1)
        sizes[plan.n[-1]] = self.spec.n
        if plan.m:
            sizes[plan.m[-1]] = plan.rows
        shared = (plan.m if plan.split == "m" else plan.n)[-1]
        return sizes, shared, [d for d in order if d != shared]

    def distributed(self, emit: Emitter, count: int) -> tuple[Emitter, SSAValue]:
        """The inside of a loop of `count` iterations that the instances of the units share, and its variable."""
        block = Block(arg_types=[INDEX, INDEX])
        block.args[0].name_hint, block.args[1].name_hint = "p", "instance"
        block.add_op(ktdf_dialect.ParallelYieldOp())
        emit.insert(
            ktdf_dialect.ParallelOp(
                [emit.value(0)], [emit.value(count)], [emit.value(1)], self.path.instances, Region(block)
            )
        )
        return Emitter.at_end(block, self.origin), block.args[0]

    def over_points(self, emit: Emitter, at: At, body: Callable[[Emitter, At], None]) -> None:
        """`body` for every point of a tile, the points of the split class shared between the instances."""
        sizes, shared, rest = self.point_sizes()
        for piece in pieces(at.size[shared], sizes[shared]):
            inside, p = self.distributed(emit, piece.count)
            here = At().deeper(shared, Linear(piece.start, {p: piece.size}), piece.size)
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
            units.emit, at, lambda e, p: Point(self, p, at, (x, pair[0]), (w, pair[1]), sums, later).whole(e)
        )
        pipeline = builder.finish({})
        if any(len(t.buffers) > 1 for t, _ in loads):
            ktdf.set_modulo(pipeline, 2)


@dataclass(frozen=True)
class Skew:
    """Tiles that follow each other: their dimension, the loop over them, how many there are."""

    dim: int
    iv: SSAValue
    tiles: int

    def current(self, emit: Emitter) -> SSAValue:
        """Whether there is a tile in this iteration."""
        return emit.insert(arith.CmpiOp(self.iv, emit.value(self.tiles), "slt")).result

    def previous(self, emit: Emitter) -> SSAValue:
        """Whether there was one in the iteration before."""
        return within(emit, emit.value(emit.add(self.iv, -1)), self.tiles)


class Weave:
    """One tile with its epilogue, both in one pipeline: the epilogue of a point beside the blocks of the next one. With
    a `skew`, an iteration takes the epilogues of the last points of the tile before and of all but the last points of
    this one: what these load and store are those parts of two tiles, each at its place in the buffer."""

    def __init__(self, parent: MatrixPipeline, at: At, sums: SSAValue, x: tuple[Tile, SSAValue],
                 w: tuple[Tile, SSAValue], skew: Skew | None = None):  # fmt: skip
        self.parent, self.plan, self.at, self.sums, self.x, self.w = parent, parent.plan, at, sums, x, w
        self.epilogue = Epilogue(parent, at, sums)
        self.skew = skew

    def emit(self, emit: Emitter, loads: Sequence[tuple[Tile, SSAValue]], tiles: list[tuple[Tile, SSAValue]],
             inputs: int) -> None:  # fmt: skip
        """`loads`: tiles of the operands that come from main memory, with buffers; `tiles`: those of the epilogue,
        `inputs` of which it reads."""
        parent, path, skew = self.parent, self.parent.path, self.skew
        builder = ktdf.PipelineBuilder(emit, parent.origin)
        if any(not tile.local for tile, _ in (*loads, *tiles[:inputs])):
            stage = builder.stage([path.fetch])
            for tile, buffer in loads:
                into = stage.emit if skew is None or tile.local else guarded(stage.emit, skew.current(stage.emit))
                parent.moved(into, tile, buffer, self.at)
            for tile, buffer in tiles[:inputs]:
                self.around(stage.emit, tile, buffer)
        kinds = [path.load, path.unit, path.store, path.vector_load, path.vector, path.vector_store]
        units = builder.stage(list(dict.fromkeys(kinds)))
        self.points(units.emit, tiles, inputs)
        if any(not tile.local for tile, _ in tiles[inputs:]):
            stage = builder.stage([path.drain])
            for tile, buffer in tiles[inputs:]:
                self.around(stage.emit, tile, buffer, out=True)
        pipeline = builder.finish({})
        if any(len(t.buffers) > 1 for t, _ in (*loads, *tiles)):
            ktdf.set_modulo(pipeline, 2)

    def around(self, emit: Emitter, tile: Tile, buffer: SSAValue, out: bool = False) -> None:
        """Move what the epilogues of this iteration load or store."""
        skew, d = self.skew, self.plan.weave
        if skew is None or skew.dim not in tile.dims:
            self.parent.moved(emit, tile, buffer, self.at, out)
            return
        at, s = self.at, skew.dim
        rest = at.size[d] - self.span(d)
        if rest:
            here = guarded(emit, skew.current(emit))
            self.parent.moved(here, tile, buffer, at.deeper(d, at.origin[d], rest), out)
        before = guarded(emit, skew.previous(emit))
        last = at.deeper(s, at.origin[s] + (-at.size[s]), at.size[s])
        last = last.deeper(d, last.origin[d] + rest, self.span(d))
        self.parent.moved(before, tile, buffer, last, out, {d: rest})

    def span(self, d: int) -> int:
        """Extent along `d` of the points that are worked on at once."""
        sizes, shared, _ = self.parent.point_sizes()
        return sizes[d] * (self.parent.path.instances if d == shared else 1)

    def points(self, emit: Emitter, tiles: list[tuple[Tile, SSAValue]], inputs: int) -> None:
        """All points of the tile, those along `plan.weave` one after the other on one instance."""
        parent, plan, at = self.parent, self.plan, self.at
        sizes, shared, rest = parent.point_sizes()
        d = plan.weave
        inner = [r for r in rest if r != d]
        instances = parent.path.instances

        def run(e: Emitter, here: At, start: Linear, count: int, size: int, step: int) -> None:
            """`count` points along `d` from `start`, each `step` behind the one before, on one instance."""
            if self.skew is not None:
                self.run_on(e, here, start, (count, size, step), inner, tiles, inputs)
                return
            if count < 2:
                nest(e, here.deeper(d, start, size), inner, sizes, at.size,
                     lambda i, p: self.step(i, p, None, tiles, inputs))  # fmt: skip
                return
            loop, t = e.loop(count + 1, "t")
            inside = Emitter.at_end(loop.body.block, parent.origin)
            now = here.deeper(d, start + Linear(0, {t: step}), size)
            busy = inside.insert(arith.CmpiOp(t, inside.value(count), "slt")).result
            left = inside.insert(arith.CmpiOp(t, inside.value(0), "sgt")).result
            turn = Turn(busy, left, now.origin[d] + (-step))
            nest(inside, now, inner, sizes, at.size, lambda i, p: self.step(i, p, turn, tiles, inputs))

        for piece in pieces(at.size[shared], sizes[shared]):
            if d == shared and piece.count % instances == 0:
                inside, q = parent.distributed(emit, instances)
                start = Linear(piece.start, {q: piece.size})
                run(inside, At(), start, piece.count // instances, piece.size, piece.size * instances)
                continue
            inside, p = parent.distributed(emit, piece.count)
            here = At().deeper(shared, Linear(piece.start, {p: piece.size}), piece.size)
            if d == shared:
                run(inside, At(), here.origin[d], 1, piece.size, piece.size)
                continue
            for part in pieces(at.size[d], sizes[d]):
                run(inside, here, Linear(part.start), part.count, part.size, part.size)

    def run_on(self, emit: Emitter, here: At, start: Linear, points: tuple[int, int, int], inner: list[int],
               tiles: list[tuple[Tile, SSAValue]], inputs: int) -> None:  # fmt: skip
        """(count, size, step) points of a tile, the first of which goes on where the tile before has ended."""
        skew, d = self.skew, self.plan.weave
        count, size, step = points
        sizes = self.parent.point_sizes()[0]
        assert skew is not None
        if count == 1:
            turn = Turn(skew.current(emit), skew.previous(emit), start)
            now = here.deeper(d, start, size)
        else:
            loop, t = emit.loop(count, "t")
            emit = Emitter.at_end(loop.body.block, self.parent.origin)
            first = emit.insert(arith.CmpiOp(t, emit.value(0), "eq")).result
            before = emit.value(emit.add(t, -1))
            place = emit.insert(arith.SelectOp(first, emit.value(count - 1), before)).result
            number = emit.value(emit.add(emit.mul(skew.iv, count), before))
            left = within(emit, number, skew.tiles * count)
            turn = Turn(skew.current(emit), left, start + Linear(0, {place: step}))
            now = here.deeper(d, start + Linear(0, {t: step}), size)
        nest(emit, now, inner, sizes, self.at.size, lambda i, p: self.step(i, p, turn, tiles, inputs))

    def step(self, emit: Emitter, now: At, turn: Turn | None, tiles: list[tuple[Tile, SSAValue]],
             inputs: int) -> None:  # fmt: skip
        """The blocks of point `now` (if busy), and between the last ones the epilogue of the point before (if one is
        left); without a turn: the point, then its own epilogue."""
        epilogue, d, depth = self.epilogue, self.plan.weave, self.plan.k[-1]
        point = Point(self.parent, now, self.at, self.x, self.w, self.sums, None)
        if turn is None:
            point.whole(emit)
            epilogue.point(emit, now, tiles, inputs)
            return
        before = now.deeper(d, turn.before, now.size[d])
        rows, blocks = epilogue.rows(before), self.at.size[depth] // self.plan.path.spec.k - 1
        portions = next(n for n in range(min(rows, blocks - 2), 0, -1) if rows % n == 0)
        first = guarded(emit, turn.busy)
        point.head(first)
        inner, b = counted(first, blocks - portions, "b")
        point.block(inner, b)
        inside, c = counted(emit, portions, "c")
        point.block(guarded(inside, turn.busy), c + (blocks - portions))
        epilogue.point(guarded(inside, turn.left), before, tiles, inputs, c.scaled(rows // portions), rows // portions)
        point.last(guarded(emit, turn.busy))


@dataclass(frozen=True)
class Turn:
    """A step of a weave: whether there is a point, whether one is left from the step before, and where that one is."""

    busy: SSAValue
    left: SSAValue
    before: Linear


def within(emit: Emitter, number: SSAValue, count: int) -> SSAValue:
    """Whether 0 <= number < count."""
    return emit.insert(arith.CmpiOp(number, emit.value(count), "ult")).result


def counted(emit: Emitter, count: int, name: str) -> tuple[Emitter, Linear]:
    """The inside of a loop and the number of its iteration; no loop for a single one."""
    if count == 1:
        return emit, Linear()
    loop, iv = emit.loop(count, name)
    return Emitter.at_end(loop.body.block, emit.origin), Linear(0, {iv: 1})


def guarded(emit: Emitter, condition: SSAValue) -> Emitter:
    """The inside of an `scf.if`."""
    block = Block([scf.YieldOp()])
    emit.insert(scf.IfOp(condition, [], Region(block)))  # pyright: ignore[reportArgumentType]
    return Emitter.at_end(block, emit.origin)


class Point:
    """One block of accumulators, all of a K tile: in one innermost pipeline, or in several, block by block."""

    def __init__(self, parent: MatrixPipeline, point: At, tile: At, x: tuple[Tile, SSAValue],
                 w: tuple[Tile, SSAValue], sums: SSAValue, later: list[SSAValue] | bool | None):  # fmt: skip
        self.parent, self.plan, self.spec, self.path = parent, parent.plan, parent.spec, parent.path
        self.point, self.tile, self.x, self.w, self.sums, self.later = point, tile, x, w, sums, later
        self.columns = point.size[self.plan.n[-1]]
        self.rows = point.size[self.plan.m[-1]] if self.plan.m else 1

    def open(self, emit: Emitter, store: bool = False) -> tuple[Emitter, Emitter]:
        """Begin a pipeline; returns the insides of its load and matrix stages."""
        self.builder = ktdf.PipelineBuilder(emit, self.parent.origin)
        self.slots: dict[tuple[str, int, Attribute], SSAValue] = {}
        load, unit = (self.builder.stage([kind]) for kind in (self.path.load, self.path.unit))
        self.store = self.builder.stage([self.path.store]) if store else None
        return load.emit, unit.emit

    def head(self, emit: Emitter) -> None:
        """Clear the sums, fill the first block."""
        load, unit = self.open(emit)
        unit.insert(matrix.MatrixClearOp(self.rows))
        self.fill(load, unit, self.deep(At(), Linear()))
        unit.insert(matrix.MatrixSwapOp())
        self.builder.finish({})

    def block(self, emit: Emitter, number: Linear) -> None:
        """Fill the block after `number`, multiply with this one."""
        load, unit = self.open(emit)
        at = number.scaled(self.spec.k)
        self.fill(load, unit, self.deep(At(), at + self.spec.k))
        self.rows_of(load, unit, self.deep(At(), at))
        unit.insert(matrix.MatrixSwapOp())
        self.builder.finish({})

    def last(self, emit: Emitter) -> None:
        """Multiply with the last whole block and what is left of K; store the sums."""
        load, unit = self.open(emit, store=True)
        full, rest = divmod(self.tile.size[self.plan.k[-1]], self.spec.k)
        self.tail(load, unit, At(), full, rest)
        self.finish_sums(unit)
        self.builder.finish({})

    def deep(self, at: At, origin: Linear, depth: int | None = None) -> At:
        """A place inside outer dimensions of K, in its innermost one."""
        outer = {d: (Linear(), 1) for d in self.plan.k[:-1] if d not in at.origin}
        for d, (o, n) in outer.items():
            at = at.deeper(d, o, n)
        return at.deeper(self.plan.k[-1], origin, self.spec.k if depth is None else depth)

    def finish_sums(self, unit: Emitter) -> None:
        """Read the sums and store them."""
        assert self.store is not None
        self.each_row(unit, lambda e, r: self.read_row(e, r))
        self.each_row(self.store.emit, lambda e, r: self.keep_sums(e, r))

    def slot(self, direction: str, count: int, element: Attribute) -> SSAValue:
        """The FIFO slot of entries of this size."""
        key = (direction, count, element)
        if key not in self.slots:
            ends = (self.path.load, self.path.unit) if direction == "in" else (self.path.unit, self.path.store)
            self.slots[key] = self.builder.slot(*ends, count, element, direction)
        return self.slots[key]

    def whole(self, emit: Emitter) -> None:
        """Emit everything as one pipeline of three stages."""
        load, unit = self.open(emit, store=True)
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
        self.finish_sums(unit)
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
        self.tail(load, unit, at, full, rest)

    def tail(self, load: Emitter, unit: Emitter, at: At, full: int, rest: int) -> None:
        """The last of `full` blocks, and one of depth `rest`."""
        last = self.deep(at, Linear((full - 1) * self.spec.k))
        if rest:
            end = self.deep(at, Linear(full * self.spec.k), rest)
            self.fill(load, unit, end)
            self.rows_of(load, unit, last)
            unit.insert(matrix.MatrixSwapOp())
            self.rows_of(load, unit, end)
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


def emit_contraction(builder: Builder, plan: Contraction) -> None:
    """Emit the pipelines of a contraction at the top of the program."""
    MatrixPipeline(builder, plan).emit()


__all__ = ["emit_contraction", "pieces"]
