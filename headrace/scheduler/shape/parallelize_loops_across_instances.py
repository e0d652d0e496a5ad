"""parallelize-loops-across-instances: spread a loop of a coarse stage over the identical units of a core.

Precondition: inner pipelines with constant vector lengths. Postcondition: every inner pipeline whose units exist in N >
1 sibling groups lies in exactly one
`ktdf.parallel` with `num_instances = N`. The outermost parallel loop of the stage whose trip count N divides is taken,
else the outermost with at least N
iterations; a pipeline without such a loop (a tail) gets a loop of one iteration of its own, so that one instance runs
it.

    for %p to 4 { pipeline [RD, ALU, WR] }  ->  ktdf.parallel (%p, %k) = (0) to (4) step (1) distribute(num_instances = 2) { pipeline }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.arch import Device
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import constant_of, walk_ops
from headrace.scheduler.device import device_of, programs


@dataclass
class ParallelizeLoopsAcrossInstances(Pass):
    """Distribute stage loops over corelets."""

    name = "parallelize-loops-across-instances"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                distribute(pipeline, device)


def distribute(pipeline: Operation, device: Device) -> None:
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
    trips = [constant_of(loop.ub) for loop in candidates]
    for accept in (
        lambda n: n is not None and n >= instances and n % instances == 0,
        lambda n: n is not None and n >= instances,
        lambda n: n is None,
    ):
        for loop, n in zip(candidates, trips, strict=True):
            if accept(n):
                ktdf.parallel_from_loop(loop, instances)
                return
    ktdf.parallel_around(pipeline, instances)
