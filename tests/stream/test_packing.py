"""Packing: never below the bound, slices that live together are apart, CP-SAT where the heuristics miss."""

from __future__ import annotations

import random

import pytest

from headrace.stream.packing import align, lower_bound, pack


def test_where_the_reference_needs_a_second_try() -> None:
    assert pack([64, 64, 128], [(0, 1), (0, 2), (2, 3)]).total == 192


def random_slices(seed: int, count: int | None = None) -> tuple[list[int], list[tuple[int, int]]]:
    """Sizes and lifetimes."""
    rng = random.Random(seed)
    n = rng.randrange(1, 60) if count is None else count
    intervals = [(a, a + rng.randrange(0, 9)) for a in (rng.randrange(0, 40) for _ in range(n))]
    return [rng.randrange(1, 900) for _ in range(n)], intervals


@pytest.mark.parametrize("seed", range(12))
def test_slices_that_live_together_are_apart(seed: int) -> None:
    sizes, intervals = random_slices(seed)
    n = len(sizes)
    found = pack(sizes, intervals)
    aligned = [align(s, 64) for s in sizes]
    assert found.bound == lower_bound(aligned, intervals) <= found.total <= sum(aligned)
    assert found.total <= 1.15 * found.bound
    for i in range(n):
        assert found.offsets[i] % 64 == 0 and found.offsets[i] + aligned[i] <= found.total
        for j in range(i):
            (a, b), (c, d) = intervals[i], intervals[j]
            if a <= d and c <= b:
                x, y = found.offsets[i], found.offsets[j]
                assert x + aligned[i] <= y or y + aligned[j] <= x
    assert pack(sizes, intervals) == found


def test_equal_sizes_are_optimal_at_once() -> None:
    found = pack([4096] * 3000, [(i, i + 1) for i in range(3000)])
    assert found.total == found.bound == 2 * 4096
    assert found.method == "sweep"
