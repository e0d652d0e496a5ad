"""stage-coarsening: from one pipeline per vector to one pipeline per tile with vector pipelines inside its compute
stage.

Precondition: pipelines in tiled nests (tile loops, `derive_size`, point loops, `linearize_index`). Postcondition: the
pipeline stands directly in the
tile loops. Stages that only move data between memories move the whole tile box in one transfer; stages that are joined
by FIFOs share one coarse
stage that holds the point loops around an inner pipeline. Buffers grow by the tile size in every dimension that a point
loop walks; a dimension that
no loop walks (a broadcast operand) does not grow, so its transfer stays invariant and can be hoisted.

    for p, q { pipeline { A -> a [DIN] | a -> f [RD] | compute [ALU] | g -> b [WR] | b -> B [DOUT] } }
    pipeline { A -> a' size [n, m] [DIN] | for p, q { pipeline { a'[p, q] -> f | compute | g -> b'[p, q] } } [RD, ALU,
    WR] | b' -> B [DOUT] }
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from headrace.ir.construct import copy_op
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.ir.types import memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index, alloc_op, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.notes import decided


@dataclass
class StageCoarsening(Pass):
    """Move point loops into the stages and grow the staging buffers to tiles."""

    name = "stage-coarsening"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                nest = tiled_nest(pipeline)
                if nest:
                    inner = ", ".join(f"d{k}" for k in range(len(nest)))
                    decided(pipeline, "coarsening level", f"between memories whole tiles, loops {inner} in the stages")
                    Coarsener(pipeline, nest).run()


@dataclass(eq=False)
class TiledLoop:
    """One tiled dimension: its point loop, tile index, tile size, extent of this tile, and the linearised index in the
    body."""

    loop: scf.ForOp
    tile: SSAValue
    size: SSAValue
    extent: SSAValue
    index: SSAValue
    total: SSAValue


@dataclass(eq=False)
class Axis:
    """How one buffer or box dimension follows a tiled loop: `step` elements per iteration; `total` elements where the
    last may be short."""

    loop: TiledLoop
    step: int
    total: SSAValue | None = None


def tiled_nest(pipeline: Operation) -> list[TiledLoop]:
    """The tiled loops around a pipeline, outermost first; empty if it is not in point loops."""
    found: list[TiledLoop] = []
    body = pipeline.parent
    assert body is not None
    indices = [op for op in body.ops if op.name == "ktdf.tiling.linearize_index"]
    op = pipeline.parent_op()
    while isinstance(op, scf.ForOp) and isinstance(d := op.ub.owner, Operation) and d.name == "ktdf.tiling.derive_size":
        iv = op.body.block.args[0]
        pairs, total = ktdf.derive_parts(d)
        index = next((o.results[0] for o in indices if any(v is iv for v in o.operands)), None)
        if index is None:
            raise error(pipeline, "stage-coarsening: a point loop whose variable is not linearised")
        found.insert(0, TiledLoop(op, pairs[0][0], pairs[0][1], op.ub, index, total))
        op = op.parent_op()
    return found


class Coarsener:
    """Rebuilds one pipeline."""

    def __init__(self, pipeline: Operation, nest: list[TiledLoop]):
        self.pipeline = pipeline
        self.nest = nest
        self.by_index = {t.index: t for t in nest}
        self.outermost = nest[0].loop
        self.axes: dict[SSAValue, list[Axis | None]] = {}

    def run(self) -> None:
        stages = ktdf.stages(self.pipeline)
        self.transfers = [t for s in stages for t in s.regions[0].block.ops if t.name == "ktdf.data_transfer"]
        self.find_axes()
        emit = Emitter.before(self.outermost)
        self.emit = emit
        self.new = ktdf.PipelineBuilder(emit, self.pipeline)
        self.buffers: dict[SSAValue, SSAValue] = {}
        private = ktdf.private(self.pipeline)
        assert private is not None
        for result, op in ktdf.private_resources(private):
            if isinstance(op, memref.AllocOp):
                self.buffers[result] = self.grow(result, op)
        for group in self.grouped(stages):
            if any(ktdf.touches_slot(s) for s in group):
                self.coarse_stage(group)
            else:
                for stage in group:
                    self.box_stage(stage)
        self.new.finish({})
        self.outermost.detach()
        self.outermost.erase(safe_erase=False)

    def grouped(self, stages: list[Operation]) -> list[list[Operation]]:
        """Consecutive stages that are joined by FIFOs form one group."""
        groups: list[list[Operation]] = []
        for stage in stages:
            if groups and any(ktdf.share_slot(stage, other) for other in groups[-1]):
                groups[-1].append(stage)
            else:
                groups.append([stage])
        return groups

    def find_axes(self) -> None:
        """Which loop walks which dimension of every memref side; staging buffers take it over from their partners."""
        known: dict[SSAValue, list[Axis | None]] = {}
        allocs = {r for r, op in ktdf.private_resources(ktdf.private(self.pipeline)) if isinstance(op, memref.AllocOp)}
        pending = list(self.transfers)
        while pending:
            rest = []
            for t in pending:
                a, b = ktdf.side_of(t, "source"), ktdf.side_of(t, "dest")
                axes = self.side_axes(a, known, allocs) or self.side_axes(b, known, allocs)
                if axes is None and (a.subs is None or b.subs is None):
                    continue
                if axes is None:
                    rest.append(t)
                    continue
                for side in (a, b):
                    if side.value in allocs:
                        known.setdefault(side.value, axes)
            if len(rest) == len(pending):
                raise error(self.pipeline, "stage-coarsening: a staging buffer that no memory operand determines")
            pending = rest
        self.axes = known

    def side_axes(
        self, side: ktdf.Side, known: dict[SSAValue, list[Axis | None]], allocs: set[SSAValue]
    ) -> list[Axis | None] | None:
        if side.subs is None:
            return None
        if side.value in allocs:
            return known.get(side.value)
        axes: list[Axis | None] = []
        assert side.sizes is not None
        for sub, size in zip(side.subs, side.sizes, strict=True):
            loops = [(v, c) for v, c in sub.terms.items() if v in self.by_index]
            if not loops:
                axes.append(None)
                continue
            if len(loops) > 1 or loops[0][1] != ktdf.upper_size(size):
                raise error(self.pipeline, "stage-coarsening: a transfer that does not walk its operand box by box")
            axes.append(Axis(self.by_index[loops[0][0]], loops[0][1], ktdf.derived_total(size)))
        return axes

    def grow(self, buffer: SSAValue, op: memref.AllocOp) -> SSAValue:
        """The tile-sized version of a staging buffer."""
        old = buffer.type
        assert isinstance(old, MemRefType)
        axes = self.axes.get(buffer, [None] * len(old.get_shape()))
        shape = [n if a is None else DYNAMIC_INDEX for n, a in zip(old.get_shape(), axes, strict=True)]
        sizes = [self.emit.value(self.emit.mul(a.loop.size, a.step)) for a in axes if a is not None]
        t = memref_type(old.element_type, shape, memory_space=old.memory_space)
        return self.new.resource(alloc_op(t, sizes), None)

    def box(self, axes: list[Axis | None], sizes: list[Index]) -> list[Index]:
        """Sizes of the tile box of an operand."""
        result: list[Index] = []
        for axis, size in zip(axes, sizes, strict=True):
            if axis is None:
                result.append(size)
            elif axis.total is None:
                result.append(self.emit.mul(axis.loop.extent, axis.step))
            else:
                step = self.emit.value(self.emit.mul(axis.loop.size, axis.step))
                op = self.emit.insert(ktdf.derive_size([(axis.loop.tile, step)], axis.total))
                result.append(op.results[0])
        return result

    def box_stage(self, stage: Operation) -> None:
        """A stage between memories: its transfers move whole tiles."""
        draft = self.new.stage(ktdf.units(stage))
        for t in stage.regions[0].block.ops:
            if t.name != "ktdf.data_transfer":
                raise error(t, f"stage-coarsening: '{t.name}' in a stage that moves data between memories")
            a, b = ktdf.side_of(t, "source"), ktdf.side_of(t, "dest")
            axes = self.axes.get(a.value) or self.axes.get(b.value)
            assert axes is not None and a.sizes is not None and b.sizes is not None
            sizes = self.box(axes, a.sizes)
            ktdf.transfer(draft, self.tile_origin(a, sizes), self.tile_origin(b, sizes), ktdf.transfer_mode(t), t)

    def tile_origin(self, side: ktdf.Side, sizes: list[Index]) -> ktdf.Side:
        """`side` moved to the first element of the tile."""
        if side.value in self.buffers:
            return ktdf.Side(self.buffers[side.value], ktdf.zeros(len(sizes)), sizes)
        assert side.subs is not None
        subs = []
        for sub in side.subs:
            form = Linear(sub.const)
            for v, c in sub.terms.items():
                loop = self.by_index.get(v)
                if loop is None:
                    form = form + Linear(0, {v: c})
                else:
                    form = form + linear(self.emit.value(self.emit.mul(loop.tile, loop.size))).scaled(c)
            subs.append(form)
        return ktdf.Side(side.value, subs, sizes)

    def coarse_stage(self, group: list[Operation]) -> None:
        """FIFO-joined stages: point loops around an inner pipeline."""
        units = [u for s in group for u in ktdf.units(s)]
        draft = self.new.stage(units)
        emit = draft.emit
        mapping: dict[SSAValue, SSAValue] = dict(self.buffers)
        points: dict[SSAValue, SSAValue] = {}
        for t in self.nest:
            loop, iv = emit.loop(t.extent, t.loop.body.block.args[0].name_hint or "p")
            loop.attributes.update(t.loop.attributes)
            mapping[t.loop.body.block.args[0]] = iv
            points[t.index] = iv
            emit = Emitter.at_end(loop.body.block, self.pipeline)
        body = self.pipeline.parent
        assert body is not None
        for op in body.ops:
            if op is not self.pipeline and op.name != "scf.yield":
                clone = copy_op(op, mapping)
                emit.insert(clone)
                mapping.update(zip(op.results, clone.results, strict=True))
        inner = ktdf.PipelineBuilder(emit, self.pipeline)
        slots = ktdf.clone_slots(self.pipeline, group, inner, mapping)
        mapping.update(slots)
        for stage in group:
            part = inner.stage(ktdf.units(stage))
            for op in stage.regions[0].block.ops:
                if op.name == "ktdf.data_transfer":
                    sides = [self.point_side(ktdf.side_of(op, k), points, mapping) for k in ("source", "dest")]
                    ktdf.transfer(part, sides[0], sides[1], ktdf.transfer_mode(op), op)
                else:
                    clone = copy_op(op, mapping)
                    Rewriter.insert_op(clone, part.emit.point)
                    mapping.update(zip(op.results, clone.results, strict=True))
        inner.finish({})

    def point_side(
        self, side: ktdf.Side, points: dict[SSAValue, SSAValue], mapping: dict[SSAValue, SSAValue]
    ) -> ktdf.Side:
        """`side` inside the point loops: grown buffers are indexed by the point loop variables."""
        sizes = None if side.sizes is None else [s if isinstance(s, int) else mapping.get(s, s) for s in side.sizes]
        value = mapping.get(side.value, side.value)
        if side.subs is None:
            return ktdf.Side(value, None, sizes)
        if side.value in self.buffers:
            axes = self.axes.get(side.value, [None] * len(side.subs))
            subs = [Linear() if a is None else Linear(0, {points[a.loop.index]: a.step}) for a in axes]
            return ktdf.Side(value, subs, sizes)
        subs = [Linear(s.const, {mapping.get(v, v): c for v, c in s.terms.items()}) for s in side.subs]
        return ktdf.Side(value, subs, sizes)
