"""The five graphs against the reference's table: never more executions, joins, copies or bytes; slab = lower bound."""

from __future__ import annotations

import pytest

from headrace.stream.levels import check_levels, random_arguments
from headrace.stream.packing import align
from headrace.stream.pipeline import Options
from headrace.stream.statistics import static_figures
from tests.stream.common import NAMES, compiled, graph, simulated, system

B = 65536
TABLE = {
    "a_chain": {"executions": 1, "joins": 1, "copies": 0, "slab": 2 * B},
    "b_diamond": {"executions": 1, "joins": 1, "copies": 0, "slab": 4 * B},
    "d_loop": {"executions": 1, "joins": 1, "copies": 1, "slab": 0},
    "e_twodev": {"executions": 3, "joins": 4, "copies": 2, "slab": 4 * B},
    "f_dyn": {"executions": 1, "joins": 1, "copies": 0, "slab": None},
}


@pytest.mark.parametrize("name", NAMES)
def test_never_more_than_the_reference(name: str) -> None:
    options = Options()
    module = graph(name)
    arguments = random_arguments(module)
    compiled(module, options)
    found = static_figures(module)
    for key in ("executions", "joins", "copies"):
        assert found[key] <= TABLE[name][key], key
    assert found["waits"] == 1
    assert found["copies_in_loops"] == 0
    slabs = sum(r["slab_bytes"] for r in options.report)
    assert slabs == sum(r["bound_bytes"] for r in options.report)
    if TABLE[name]["slab"] is not None:
        assert slabs == TABLE[name]["slab"]
    _, simulator = simulated(module, arguments)
    assert simulator.host_waits == 1
    if name == "f_dyn":
        assert sum(simulator.transient_peak.values()) == 2 * align(24 * 512, 64)


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency", "debug"])
@pytest.mark.parametrize("name", NAMES)
def test_equal_at_every_level(name: str, favour: str) -> None:
    module = graph(name)
    results = check_levels(module, random_arguments(module, dynamic=8), Options(favour), invocations=2)
    assert not [r for r in results if not r.equal]
    assert len(results) >= 14


def test_loop_memory_does_not_grow() -> None:
    module = graph("d_loop")
    arguments = random_arguments(module)
    compiled(module)
    peaks = set()
    for n in (1, 2, 9):
        _, simulator = simulated(module, [*arguments[:2], n])
        peaks.add(sum(simulator.peak.values()))
    assert peaks == {2 * B}


def test_loop_that_does_not_run_hands_its_input_on() -> None:
    module = graph("d_loop")
    arguments = random_arguments(module)
    compiled(module)
    results, simulator = simulated(module, [*arguments[:2], 0])
    assert (results[0] == arguments[0]).all()
    assert not simulator.held()


def test_no_copy_between_unified_memories() -> None:
    where = system(["dev_a", "dev_b"], unified=True)
    module = compiled(graph("e_twodev"), Options(system=where))
    assert static_figures(module)["copies"] == 0
    module = compiled(graph("e_twodev"), Options(system=system(["dev_a", "dev_b"])))
    assert static_figures(module)["copies"] == 2


def test_time_objective_overlaps_devices() -> None:
    where = system(["dev_a", "dev_b"])
    spans = {}
    for favour in ("min-peak-memory", "max-concurrency"):
        module = graph("e_twodev")
        arguments = random_arguments(module)
        _, simulator = simulated(compiled(module, Options(favour, where)), arguments, where)
        spans[favour] = simulator.makespan
    assert spans["max-concurrency"] < spans["min-peak-memory"]
