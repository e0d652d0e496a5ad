"""Random graphs: equal at every level and in random orders of completion; memory and time near the bounds."""

from __future__ import annotations

from statistics import mean

import pytest

from headrace.ir.text import parse_module
from headrace.stream.interpreter import Program
from headrace.stream.levels import check_levels, random_arguments
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.random_graphs import Features, random_graph
from headrace.stream.simulator import Simulator
from headrace.stream.system import System
from tests.stream.common import system

SMALL = [(seed, 12 + 2 * (seed % 4), 1 + seed % 3) for seed in range(6)]
LARGE = [(seed, nodes, devices) for seed in range(40, 44) for nodes in (60, 200, 400) for devices in (1, 2, 4)]


def where(devices: int) -> System:
    """A system for a graph on so many devices."""
    return system([f"dev{i}" for i in range(devices)]) if devices > 1 else System()


def check(seed: int, nodes: int, devices: int, favour: str) -> None:
    """All levels and two random orders."""
    module = parse_module(random_graph(seed, nodes, Features(devices)))
    options = Options(favour, where(devices))
    results = check_levels(module, random_arguments(module), options, invocations=2, orders=2)
    assert not [r for r in results if not r.equal]


@pytest.mark.parametrize("seed,nodes,devices", SMALL)
def test_levels(seed: int, nodes: int, devices: int) -> None:
    check(seed, nodes, devices, "max-concurrency" if seed % 2 else "min-peak-memory")


def figures(graphs: list[tuple[int, int, int]]) -> tuple[list[float], list[float]]:
    """Slab over bound (memory objective), makespan over bound (time objective); the ledger must be clean."""
    memory: list[float] = []
    time: list[float] = []
    for seed, nodes, devices in graphs:
        text = random_graph(seed, nodes, Features(devices))
        for favour in ("min-peak-memory", "max-concurrency"):
            module = parse_module(text)
            arguments = random_arguments(module)
            options = Options(favour, where(devices))
            compile_graph(module, options)
            simulator = Simulator(options.system, data=False)
            Program(module, simulator).run(arguments)
            simulator.ledger.check()
            if favour == "min-peak-memory":
                memory += [r["slab_bytes"] / r["bound_bytes"] for r in options.report if r["bound_bytes"]]
            elif simulator.bound()[0]:
                time.append(simulator.makespan / simulator.bound()[0])
    return memory, time


def test_near_the_bounds() -> None:
    memory, time = figures([(seed, 40, 1 + seed % 4) for seed in range(8)])
    assert mean(memory) <= 1.05 and max(memory) <= 1.15
    assert min(time) >= 1.0


@pytest.mark.all
@pytest.mark.parametrize("seed,nodes,devices", [(s, 24, d) for s in range(100, 110) for d in (1, 2, 3, 4)])
def test_levels_many(seed: int, nodes: int, devices: int) -> None:
    for favour in ("min-peak-memory", "max-concurrency"):
        check(seed, nodes, devices, favour)


@pytest.mark.all
@pytest.mark.parametrize("devices", [1, 2, 3, 4])
def test_levels_large(devices: int) -> None:
    for favour in ("min-peak-memory", "max-concurrency"):
        check(50 + devices, 400, devices, favour)


@pytest.mark.all
def test_near_the_bounds_large() -> None:
    memory, time = figures(LARGE)
    assert mean(memory) <= 1.05 and max(memory) <= 1.15
    assert mean(time) <= 1.10


def test_generator_is_fixed() -> None:
    assert random_graph(3, 20, Features(2)) == random_graph(3, 20, Features(2))
    assert random_graph(3, 20, Features(2)) != random_graph(4, 20, Features(2))
