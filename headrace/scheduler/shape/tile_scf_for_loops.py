"""tile-scf-for-loops: split every loop around a pipeline into a tile loop and a point loop, with sizes chosen later.

Precondition: perfect nests of normalised loops around pipelines. Postcondition: one `ktdf.tiling.reserve_size` per loop
before the nest, tile loops to
`ceildivui(ub, size)`, point loops to `derive_size`, and `linearize_index` in place of the old induction variables.

    for %i to 6 { for %j to 10 { pipeline } }
    for %ti to ceildiv(6, %s0) { for %tj to ceildiv(10, %s1) { %n = derive [%ti:%s0] (6) ; %m = derive [%tj:%s1] (10)
      for %pi to %n { for %pj to %m { %i = linearize [%ti:%s0], [%pi:1] ; %j = linearize [%tj:%s1], [%pj:1] ; pipeline } } } }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, constant_of, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.notes import decided


@dataclass
class TileScfForLoops(Pass):
    """Tile the loop nests around pipelines with reserved sizes."""

    name = "tile-scf-for-loops"
    inner_first: bool = False
    """Walk the tiles with the innermost dimension slowest."""

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                nest = loop_nest(pipeline)
                if nest and all(constant_of(l.lb) == 0 and constant_of(l.step) == 1 and not l.iter_args for l in nest):
                    tile(pipeline, nest, self.inner_first)


def loop_nest(pipeline: Operation) -> list[scf.ForOp]:
    """The loops around a pipeline, outermost first, up to the first parent that is no loop."""
    nest: list[scf.ForOp] = []
    op = pipeline.parent_op()
    while isinstance(op, scf.ForOp):
        nest.insert(0, op)
        op = op.parent_op()
    return nest


def loop_name(number: int, loop: scf.ForOp) -> str:
    """A loop for people: its place in the nest and its extent."""
    extent = constant_of(loop.ub)
    return f"d{number} to {'n' if extent is None else extent}"


def tile(pipeline: Operation, nest: list[scf.ForOp], inner_first: bool = False) -> None:
    """Tile one nest."""
    decided(pipeline, "loop order", ", ".join(loop_name(k, loop) for k, loop in enumerate(nest)))
    root = nest[0]
    emit = Emitter.before(root)
    sizes = [emit.insert(ktdf.reserve_size()).results[0] for _ in nest]
    totals = [loop.ub for loop in nest]
    bounds = [emit.insert(arith.CeilDivUIOp(n, s)).results[0] for n, s in zip(totals, sizes, strict=True)]
    by_loop: dict[int, SSAValue] = {}
    for k in reversed(range(len(nest))) if inner_first else range(len(nest)):
        new, by_loop[k] = emit.loop(bounds[k], f"t{k}")
        new.attributes.update(nest[k].attributes)
        emit = Emitter.at_end(new.body.block, pipeline)
    tiles = [by_loop[k] for k in range(len(nest))]
    extents = [
        emit.insert(ktdf.derive_size([(t, s)], n)).results[0] for t, s, n in zip(tiles, sizes, totals, strict=True)
    ]
    points = []
    for k, (loop, extent) in enumerate(zip(nest, extents, strict=True)):
        new, iv = emit.loop(extent, f"p{k}")
        new.attributes.update(loop.attributes)
        points.append(iv)
        emit = Emitter.at_end(new.body.block, pipeline)
    one = emit.value(1)
    for loop, t, s, p in zip(nest, tiles, sizes, points, strict=True):
        index = emit.insert(ktdf.linearize_index([(t, s), (p, one)])).results[0]
        loop.body.block.args[0].replace_all_uses_with(index)
    for op in list(nest[-1].body.block.ops):
        if op.name != "scf.yield":
            op.detach()
            Rewriter.insert_op(
                op, InsertPoint.before(emit.point.insert_before) if emit.point.insert_before else emit.point
            )
    root.detach()
    root.erase(safe_erase=False)
