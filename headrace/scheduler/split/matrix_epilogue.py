"""The epilogue of a contraction: what happens to finished sums on the vector unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, TensorType, f32
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from headrace.ir.location import copy_loc
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter
from headrace.scheduler.linear import Linear
from headrace.scheduler.split.matrix_nest import At, Tile, pieces
from headrace.scheduler.split.matrix_plan import Contraction
from headrace.scheduler.split.scalarize import Node
from headrace.scheduler.width import longest_entry

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder
    from headrace.scheduler.split.matrix_pipeline import MatrixPipeline


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
        """Elements of one vector: the fewest lanes among all types of the body, or as many times as much as the FIFOs
        hold in an entry."""
        builder = self.parent.builder
        crossing = [a.type for a in builder.body.args] + [o.access.element_type for o in self.plan.outputs]
        types = crossing + [r.type for op in builder.body.ops for r in op.results]
        counted = [t for t in types if str(t) not in ("i1", "index")]
        return longest_entry(builder.device, crossing, min(builder.device.vector_lanes(t) for t in counted))

    def along(self, point: At) -> int:
        """The dimension of the vectors: the columns, or the rows where fewer operands are then spread over a vector."""
        n = self.plan.n[-1]
        if not self.plan.m or point.size[m := self.plan.m[-1]] % self.lanes():
            return n
        spread = {d: sum(not o.strides[d] for o in self.plan.inputs) for d in (m, n)}
        return m if spread[m] < spread[n] else n

    def across(self, point: At) -> int | None:
        """The dimension of a point that the rows of vectors are counted along, if there is one."""
        n = self.plan.n[-1]
        other = n if self.along(point) != n else (self.plan.m[-1] if self.plan.m else None)
        return other if other is not None and point.size[other] > 1 else None

    def rows(self, point: At) -> int:
        """Rows of vectors in a point."""
        other = self.across(point)
        return 1 if other is None else point.size[other]

    def point(self, emit: Emitter, point: At, tiles: list[tuple[Tile, SSAValue]], loads: int,
              first: Linear | None = None, count: int | None = None) -> None:  # fmt: skip
        """All elements of a point, in vectors along its columns or its rows; or `count` of these rows, from `first`."""
        other = self.across(point)
        self.axis = self.along(point)
        if other is not None:
            start, rows = first or Linear(), count or point.size[other]
            if rows > 1:
                loop, iv = emit.loop(rows, "r")
                emit = Emitter.at_end(loop.body.block, self.parent.origin)
                start = start + Linear(0, {iv: 1})
            point = point.deeper(other, point.origin[other] + start, 1)
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
