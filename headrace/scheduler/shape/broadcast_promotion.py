"""broadcast-promotion: a transfer that does not change from one iteration to the next happens once, before the loop.

Precondition: coarsened pipelines with chosen tile sizes. Postcondition: no transfer into a staging buffer is invariant
in the loop directly around its
pipeline. The transfer moves, as deep as it can, into a sibling pipeline of one stage before the loop; its buffer is
allocated there. A transfer stays if
the program also writes the memory it reads.

    for %m { pipeline { [DIN] A[%m] -> a ; W[0] -> w | ... } }
    w' = alloc ; pipeline { [DIN] W[0] -> w' } ; for %m { pipeline { [DIN] A[%m] -> a | ... } }
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, is_inside, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.linear import linear
from headrace.scheduler.shape.tile_scf_for_loops import loop_nest


@dataclass
class BroadcastPromotion(Pass):
    """Hoist loop-invariant transfers into sibling pipelines."""

    name = "broadcast-promotion"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            while any(hoist_one(program, p) for p in list(walk_ops(program, "ktdf.pipeline")) if ktdf.is_outermost(p)):
                pass


def hoist_one(program: func.FuncOp, pipeline: Operation) -> bool:
    """Hoist the first transfer of the pipeline that can move; whether one did."""
    nest = loop_nest(pipeline)
    private = ktdf.private(pipeline)
    if not nest or private is None:
        return False
    resources = dict(ktdf.private_resources(private))
    for stage in ktdf.stages(pipeline):
        for t in list(stage.regions[0].block.ops):
            if t.name != "ktdf.data_transfer":
                continue
            source, dest = ktdf.side_of(t, "source"), ktdf.side_of(t, "dest")
            alloc = resources.get(dest.value)
            if (
                not isinstance(alloc, memref.AllocOp)
                or alloc.operands
                or source.value in resources
                or source.subs is None
            ):
                continue
            if writes_root(program, source.value) or writers(pipeline, dest.value) != 1:
                continue
            target: scf.ForOp | None = None
            for loop in reversed(nest):
                if uses_inside(t, loop, dest.value):
                    break
                target = loop
            if target is None:
                continue
            hoist(t, stage, pipeline, target, dest.value, alloc)
            return True
    return False


def writers(pipeline: Operation, buffer: SSAValue) -> int:
    return sum(1 for t in walk_ops(pipeline, "ktdf.data_transfer") if ktdf.side_of(t, "dest").value is buffer)


def uses_inside(transfer: Operation, loop: scf.ForOp, buffer: SSAValue) -> bool:
    """Whether an operand of the transfer other than its own buffer is computed inside `loop` from its variable."""
    for side in (ktdf.side_of(transfer, "source"), ktdf.side_of(transfer, "dest")):
        values = [] if side.value is buffer else [side.value]
        values += [s for s in side.sizes or [] if isinstance(s, SSAValue)]
        for sub in side.subs or []:
            values += list(sub.terms)
        if any(is_inside(v, loop) for v in values):
            return True
    return False


def writes_root(program: func.FuncOp, value: SSAValue) -> bool:
    """Whether some transfer of the program stores to the memory that `value` views."""
    mine = root_of(value)
    return any(
        root_of(ktdf.side_of(t, "dest").value) is mine and mine is not None
        for t in walk_ops(program, "ktdf.data_transfer")
        if isinstance(ktdf.side_of(t, "dest").value.type, MemRefType)
    )


def root_of(value: SSAValue) -> object:
    """What identifies the memory behind a memref: the argument its address starts from, or its constant address."""
    op = value.owner
    while isinstance(op, Operation) and op.name.startswith("memref.") and op.name != "memref.alloc":
        op = op.operands[0].owner
    if isinstance(op, Operation) and op.name == "ktdp.construct_memory_view":
        form = linear(op.operands[0])
        return next((v for v, c in form.terms.items() if c == 1 and not isinstance(v.owner, Operation)), op.operands[0])
    return value


def hoist(
    transfer: Operation,
    stage: Operation,
    pipeline: Operation,
    target: scf.ForOp,
    buffer: SSAValue,
    alloc: memref.AllocOp,
) -> None:
    """Move one transfer in front of `target`."""
    emit = Emitter.before(target)
    emit.origin = transfer
    fresh = emit.insert(alloc.clone()).results[0]
    fresh.name_hint = alloc.results[0].name_hint
    buffer.replace_all_uses_with(fresh)
    sibling = ktdf.PipelineBuilder(emit, transfer)
    draft = sibling.stage(ktdf.units(stage))
    ktdf.transfer(
        draft, ktdf.side_of(transfer, "source"), ktdf.side_of(transfer, "dest"), ktdf.transfer_mode(transfer), transfer
    )
    sibling.finish({})
    transfer.detach()
    transfer.erase()
    ktdf.drop_private(pipeline, [buffer])
    if not any(op.name not in ktdf.SCAFFOLDING for op in stage.regions[0].block.ops):
        ktdf.remove_stage(pipeline, stage)
