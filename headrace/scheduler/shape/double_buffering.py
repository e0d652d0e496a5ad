"""double-buffering: let the producer of a tile buffer run ahead of its consumers.

Precondition: coarsened pipelines in tile loops. Postcondition: every staging buffer that crosses stages exists
`buffers` times (or as often as `headrace.copies` of the program says; once: nothing changes), is picked per iteration by
`buffer_phase` over all loops around the pipeline and `select_memref`, and the pipeline says `modulo(size : N)`.
Eligibility goes by the memory tree: any
memory at scratchpad level or below. A pipeline without a loop around it is left alone.

    for %i { pipeline { a = alloc ; [DIN] A -> a ; [RD] a -> f } }
    a0, a1 = alloc ; for %i { %ph = buffer_phase(%i) ; %a = select %ph[a0, a1] ; pipeline modulo(size : 2) { [DIN] A -> %a ; [RD] %a -> f } }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.notes import decided
from headrace.scheduler.shape.tile_scf_for_loops import loop_nest
from headrace.scheduler.shape.tile_size_selection import copies_of


@dataclass
class DoubleBuffering(Pass):
    """Give tile buffers several copies, used in turn."""

    name = "double-buffering"
    buffers: int = 2
    """Copies of each buffer; less than 2 leaves the program alone."""

    def apply(self, module: ModuleOp, ctx: object) -> None:
        if self.buffers < 2:
            return
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                nest = loop_nest(pipeline)
                if nest and ktdf.modulo(pipeline) is None and ktdf.is_outermost(pipeline):
                    copies = copies_of(program)
                    rotate(pipeline, nest, 1 if copies == 1 else max(self.buffers, copies))


def rotate(pipeline: Operation, nest: list[scf.ForOp], copies: int) -> None:
    """Rotate the eligible private buffers of one pipeline."""
    private = ktdf.private(pipeline)
    if private is None:
        return
    chosen: list[tuple[SSAValue, memref.AllocOp]] = []
    for result, op in ktdf.private_resources(private):
        if isinstance(op, memref.AllocOp) and not op.operands and crosses_stages(result, pipeline):
            chosen.append((result, op))
    if not chosen:
        return
    if copies == 1:
        decided(pipeline, "buffer depth", f"1 copy of {len(chosen)} buffers: two do not fit")
        return
    before = Emitter.before(nest[0])
    near = Emitter.before(pipeline)
    phase = near.insert(ktdf.buffer_phase([loop.body.block.args[0] for loop in nest], copies)).results[0]
    for result, op in chosen:
        candidates = [before.insert(op.clone()).results[0] for _ in range(copies)]
        for c in candidates:
            c.name_hint = op.results[0].name_hint
        picked = near.insert(ktdf.select_memref(phase, candidates)).results[0]
        result.replace_all_uses_with(picked)
    ktdf.drop_private(pipeline, [r for r, _ in chosen])
    ktdf.set_modulo(pipeline, copies)
    decided(pipeline, "buffer depth", f"{copies} copies of {len(chosen)} buffers")


def crosses_stages(buffer: SSAValue, pipeline: Operation) -> bool:
    """Whether one stage writes the buffer and another reads it."""
    writers: set[Operation] = set()
    readers: set[Operation] = set()
    for stage in ktdf.stages(pipeline):
        for t in walk_ops(stage, "ktdf.data_transfer"):
            if ktdf.side_of(t, "dest").value is buffer:
                writers.add(stage)
            if ktdf.side_of(t, "source").value is buffer:
                readers.add(stage)
    return len(writers) == 1 and bool(readers) and not writers & readers
