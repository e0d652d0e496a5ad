"""Small graphs against the optima of CP-SAT: makespan with the time objective, slabs with the memory objective."""

from __future__ import annotations

from statistics import mean

import pytest

from headrace.ir.text import parse_module
from headrace.stream.optimum import compare_with_optimum
from headrace.stream.packing import CP_SLICES, align, pack
from headrace.stream.random_graphs import Features, random_graph
from tests.stream.test_packing import random_slices
from tests.stream.test_random import where

STRAIGHT = {"loops": False, "branches": False, "whiles": False, "globals": False, "host_reads": False}


def ratios(graphs: list[tuple[int, int, int]]) -> list[float]:
    """Simulated makespan over the optimum; every optimum is proven."""
    found: list[float] = []
    for seed, nodes, devices in graphs:
        module = parse_module(random_graph(seed, nodes, Features(devices, **STRAIGHT)))
        result = compare_with_optimum(module, where(devices))
        assert result.proven
        found.append(result.ratio)
    return found


def test_makespan() -> None:
    # The second one is where list scheduling alone needs half as much time again.
    assert max(ratios([(1, 20, 3), (6, 40, 2), (4, 30, 3)])) <= 1.02


@pytest.mark.all
def test_makespan_many() -> None:
    found = ratios([(seed, nodes, 2 + seed % 3) for seed in range(12) for nodes in (20, 30, 40)])
    assert mean(found) <= 1.02 and max(found) <= 1.15


@pytest.mark.parametrize("seed", range(3))
def test_slabs(seed: int) -> None:
    """No packing of so few slices can be shorter: CP-SAT finds none below what was found."""
    from headrace.stream.packing import _exact  # pyright: ignore[reportPrivateUsage]

    sizes, intervals = random_slices(seed, 12 + seed)
    assert len(sizes) <= CP_SLICES
    found = pack(sizes, intervals)
    if found.total > found.bound:
        aligned = [align(s, 64) for s in sizes]
        assert _exact(aligned, intervals, found.bound, found.total, 64) is None
