"""How far a schedule is from the best one: the time objective against CP-SAT, for small graphs without control flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.graph.kernels import kernels_of
from headrace.stream.costs import Costs
from headrace.stream.interpreter import Program
from headrace.stream.levels import random_arguments
from headrace.stream.list_schedule import BlockGraph, best_makespan
from headrace.stream.pipeline import Options, passes
from headrace.stream.simulator import Simulator
from headrace.stream.storage import Storage, host_functions
from headrace.stream.system import System


@dataclass(frozen=True)
class Comparison:
    """Nanoseconds: simulated, by plain list scheduling, the best CP-SAT finds; `proven` if nothing is better."""

    simulated: int
    listed: int
    best: int
    proven: bool

    @property
    def ratio(self) -> float:
        """Simulated over best; below one only where operations take less than estimated."""
        return self.simulated / self.best if self.best else 1.0


def compare_with_optimum(module: ModuleOp, system: System, work: float = 20.0) -> Comparison:
    """Schedule a graph of one function for time and compare it; the module is left at the command level.

    `work` bounds CP-SAT by its deterministic time.
    """
    arguments = random_arguments(module)
    options = Options("max-concurrency", system)
    found: Any = (0, 0, True)
    for name, run in passes(options):
        if name == "schedule-execution":
            (function,) = (f for f in host_functions(module) if f.name == "util.func")
            costs = Costs(system, kernels_of(module))
            graph = BlockGraph(function.regions[0].blocks[0], Storage(module, function), costs)
            found = best_makespan(graph, work)
        run(module)
    simulator = Simulator(system, data=False)
    Program(module, simulator).run(arguments)
    return Comparison(simulator.makespan, *found)
