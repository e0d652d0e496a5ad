"""parallelize-loops-across-instances: spread a loop of a coarse stage over the identical units of a core.

Precondition: inner pipelines with constant vector lengths. Postcondition: every inner pipeline whose units exist in N >
1 sibling groups lies in exactly one
`ktdf.parallel` with `num_instances = N`. The outermost parallel loop of the stage whose trip count N divides is taken,
else the outermost with at least N
iterations; a pipeline without such a loop (a tail) gets a loop of one iteration of its own, so that one instance runs
it.

    for %p to 4 { pipeline [RD, ALU, WR] }  ->  ktdf.parallel (%p, %k) = (0) to (4) step (1) distribute(num_instances = 2) { pipeline }

Where a memory of the pipeline exists once per instance, an instance sees only what its own units have brought there. Then
whole tiles are spread: tile t is the work of instance t mod N, in every stage whose units come in N instances. Where
memories and units come in different numbers, the first instance does everything.

    for %t { pipeline { [IN] L2 -> a ; [RD, ALU, WR] .. a .. } }  ->  for %t { pipeline {
      parallel (%p, %k) = (0) to (2) distribute(2) { if %t rem 2 == %p { pipeline { [IN] L2 -> a } } } ; .. } }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.arch import Device
from headrace.ir.dialects.ktdf import ParallelOp, ParallelYieldOp, PipelineOp, StageOp
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter, Index, constant_of, walk_ops
from headrace.scheduler.device import attr_kind, device_of, programs
from headrace.scheduler.notes import decided
from headrace.scheduler.shape.tile_scf_for_loops import loop_nest


@dataclass
class ParallelizeLoopsAcrossInstances(Pass):
    """Distribute stage loops over corelets."""

    name = "parallelize-loops-across-instances"
    split: str = "outer"
    """The loop that is taken among those that divide: the `outer` or the `inner` one, or `none`."""

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            pipelines = list(walk_ops(program, "ktdf.pipeline"))
            own = [p for p in pipelines if ktdf.is_outermost(p) and has_own_memory(p, device)]
            for pipeline in own:
                if self.split != "none":
                    spread_tiles(pipeline, device)
            for pipeline in pipelines:
                if not any(ktdf.inside(pipeline, p) for p in own):
                    distribute(pipeline, device, self.split)


def has_own_memory(pipeline: Operation, device: Device) -> bool:
    """Whether a memory that the pipeline's transfers touch exists several times in a core."""
    return any(device.memory(kind).instances > 1 for kind in memory_kinds(pipeline, device))


def memory_kinds(op: Operation, device: Device) -> set[str]:
    """Kinds of the memories that transfers inside `op` touch."""
    return {
        attr_kind(device, v.type.memory_space)
        for t in walk_ops(op, "ktdf.data_transfer")
        for v in t.operands
        if isinstance(v.type, MemRefType)
    }


def spread_tiles(pipeline: Operation, device: Device) -> None:
    """Give tile t of the loops around a pipeline to instance t mod N."""
    stages = [s for s in ktdf.stages(pipeline) if device.corelets(ktdf.units(s)) > 1]
    counts = {device.corelets(kind) for s in stages for kind in ktdf.units(s)}
    counts |= {n for kind in memory_kinds(pipeline, device) if (n := device.memory(kind).instances) > 1}
    nest = loop_nest(pipeline)
    if len(counts) != 1 or not nest:
        return
    (instances,) = counts
    emit = Emitter.before(pipeline)
    tile: Index = 0
    for loop in nest:
        tile = emit.add(emit.mul(tile, loop.ub), loop.body.block.args[0])
    turn = emit.insert(arith.RemSIOp(emit.value(tile), emit.value(instances))).result
    decided(pipeline, "corelet split", f"whole tiles over {instances} groups with a memory of their own")
    for stage in stages:
        take_turns(stage, turn, instances)


def take_turns(stage: Operation, turn: SSAValue, instances: int) -> None:
    """Let instance `turn` alone do the work of a stage."""
    body = stage.regions[0].block
    leaf = next(walk_ops(stage, "ktdf.pipeline"), None) is None
    work = list(body.ops)
    emit = Emitter(InsertPoint.at_end(body), stage)
    zero, count, one = emit.value(0), emit.value(instances), emit.value(1)
    inner = Block(arg_types=[INDEX, INDEX])
    inner.args[0].name_hint, inner.args[1].name_hint = "p", "instance"
    emit.insert(ParallelOp([zero], [count], [one], instances, Region(inner)))
    emit = Emitter.at_end(inner, stage)
    mine = emit.insert(arith.CmpiOp(turn, inner.args[0], "eq")).result
    then = Block()
    for op in work:
        op.detach()
        then.add_op(op)
    if leaf:
        alone = StageOp([], [], Region(then), ktdf.units(stage))
        chain = PipelineOp(Region(Block([alone])))
        copy_loc(stage, alone)
        copy_loc(stage, chain)
        then = Block([chain])
    then.add_op(scf.YieldOp())
    emit.insert(scf.IfOp(mine, [], Region(then)))
    inner.add_op(ParallelYieldOp())


def distribute(pipeline: Operation, device: Device, split: str = "outer") -> None:
    """Put one pipeline under a `ktdf.parallel` if its units come in several instances."""
    if any(walk_ops(pipeline, "ktdf.pipeline")):
        return
    units = [u for s in ktdf.stages(pipeline) for u in ktdf.units(s)]
    instances = device.corelets(units)
    if instances < 2:
        return
    candidates: list[scf.ForOp] = []
    op = pipeline.parent_op()
    while op is not None and op.name not in ("func.func", "ktdf.stage"):
        if op.name == "ktdf.parallel":
            return
        if isinstance(op, scf.ForOp) and ktdf.is_parallel_loop(op) and not any(walk_ops(op, "ktdf.parallel")):
            candidates.insert(0, op)
        op = op.parent_op()
    if split == "inner":
        candidates.reverse()
    trips = [constant_of(loop.ub) for loop in candidates] if split != "none" else []
    for accept in (
        lambda n: n is not None and n >= instances and n % instances == 0,
        lambda n: n is not None and n >= instances,
        lambda n: n is None,
    ):
        for loop, n in zip(candidates, trips, strict=False):
            if accept(n):
                name = loop.body.block.args[0].name_hint or "a loop"
                over = f"{name} to {'n' if n is None else n}"
                decided(pipeline, "corelet split", f"{over} over {instances} units of {units[0]}")
                ktdf.parallel_from_loop(loop, instances)
                return
    ktdf.parallel_around(pipeline, instances)
