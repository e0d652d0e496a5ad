"""Packing of slices with lifetimes into one slab: a portfolio of heuristics, CP-SAT where they miss the bound.

The lower bound is the largest sum of aligned sizes live at one position; no packing is below it.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

CP_SLICES = 40
"""Largest number of slices given to CP-SAT."""
QUADRATIC_SLICES = 1200
"""Largest number of slices for the heuristics that compare pairs."""


@dataclass(frozen=True)
class Packing:
    """Offsets in the order of the slices, the slab's bytes, the lower bound, and what found it."""

    offsets: tuple[int, ...]
    total: int
    bound: int
    method: str


def align(value: int, alignment: int) -> int:
    """`value` rounded up to a multiple."""
    return -(-value // alignment) * alignment


def lower_bound(sizes: Sequence[int], intervals: Sequence[tuple[int, int]]) -> int:
    """Largest sum of sizes live at one position (intervals inclusive)."""
    events: list[tuple[int, int]] = []
    for size, (start, end) in zip(sizes, intervals, strict=True):
        events.append((start, size))
        events.append((end + 1, -size))
    events.sort()
    live = best = 0
    for _, change in events:
        live += change
        best = max(best, live)
    return best


def pack(
    sizes: Sequence[int], intervals: Sequence[tuple[int, int]], alignment: int = 64, exact: bool = True
) -> Packing:
    """The best packing found; stops at the first that reaches the lower bound."""
    aligned = [align(s, alignment) for s in sizes]
    bound = lower_bound(aligned, intervals)
    best: Packing | None = None

    def offer(method: str, offsets: Sequence[int]) -> bool:
        nonlocal best
        total = max((o + s for o, s in zip(offsets, aligned, strict=True)), default=0)
        if best is None or total < best.total:
            best = Packing(tuple(offsets), total, bound, method)
        return best.total == bound

    if offer("sweep", _sweep(aligned, intervals)):
        assert best is not None
        return best
    if len(sizes) <= QUADRATIC_SLICES:
        count = range(len(sizes))
        length = [e - s + 1 for s, e in intervals]
        orders = (
            ("size", sorted(count, key=lambda i: (-aligned[i], -length[i], i))),
            ("lifetime", sorted(count, key=lambda i: (-length[i], -aligned[i], i))),
            ("area", sorted(count, key=lambda i: (-aligned[i] * length[i], i))),
            ("start", sorted(count, key=lambda i: (intervals[i][0], -aligned[i], i))),
            ("given", list(count)),
        )
        for name, order in orders:
            for fit in (True, False):
                if offer(f"{name}-{'best' if fit else 'first'}-fit", _greedy(order, aligned, intervals, fit)):
                    assert best is not None
                    return best
    assert best is not None
    if exact and len(sizes) <= CP_SLICES:
        found = _exact(aligned, intervals, bound, best.total, alignment)
        if found is not None:
            offer("cp-sat", found)
    return best


def _sweep(sizes: Sequence[int], intervals: Sequence[tuple[int, int]]) -> list[int]:
    """Allocate and free in the order of time, best fit among the free ranges."""
    order = sorted(range(len(sizes)), key=lambda i: (intervals[i][0], -intervals[i][1], -sizes[i], i))
    offsets = [0] * len(sizes)
    free: dict[int, int] = {}
    ends: dict[int, int] = {}
    by_size: list[tuple[int, int]] = []
    top = 0
    active: list[tuple[int, int]] = []

    def drop(start: int) -> int:
        size = free.pop(start)
        del ends[start + size]
        by_size.pop(bisect_left(by_size, (size, start)))
        return size

    def put(start: int, size: int) -> None:
        nonlocal top
        if start in ends:  # a free range that ends here
            before = ends[start]
            size += drop(before)
            start = before
        if start + size in free:
            size += drop(start + size)
        if start + size == top:
            top = start
            return
        free[start] = size
        ends[start + size] = start
        insort(by_size, (size, start))

    for i in order:
        now = intervals[i][0]
        while active and active[0][0] < now:
            _, j = heapq.heappop(active)
            if sizes[j]:
                put(offsets[j], sizes[j])
        if sizes[i]:
            k = bisect_left(by_size, (sizes[i], -1))
            if k < len(by_size):
                size, start = by_size[k]
                drop(start)
                offsets[i] = start
                if size > sizes[i]:
                    put(start + sizes[i], size - sizes[i])
            else:
                offsets[i] = top
                top += sizes[i]
        heapq.heappush(active, (intervals[i][1], i))
    return offsets


def _greedy(
    order: Sequence[int], sizes: Sequence[int], intervals: Sequence[tuple[int, int]], best_fit: bool
) -> list[int]:
    """Place slices one by one at the lowest (or tightest) free range among those already placed."""
    offsets = [0] * len(sizes)
    placed: list[tuple[int, int, int, int]] = []
    for i in order:
        start, end = intervals[i]
        at = 0
        chosen, slack = None, None
        for offset, top, a, b in placed:
            if b < start or a > end:
                continue
            if at + sizes[i] <= offset:
                room = offset - at - sizes[i]
                if slack is None or room < slack:
                    chosen, slack = at, room
                if not best_fit:
                    break
            at = max(at, top)
        offsets[i] = at if chosen is None else chosen
        insort(placed, (offsets[i], offsets[i] + sizes[i], start, end))
    return offsets


def _exact(
    sizes: Sequence[int], intervals: Sequence[tuple[int, int]], bound: int, total: int, alignment: int
) -> list[int] | None:
    """CP-SAT with a fixed amount of deterministic work; None where it finds nothing better than `total`."""
    from ortools.sat.python import cp_model

    unit = alignment
    model = cp_model.CpModel()
    limit = (total - unit) // unit
    height = model.new_int_var(bound // unit, limit, "total")
    starts: list[cp_model.IntVar] = []
    times: list[cp_model.IntervalVar] = []
    places: list[cp_model.IntervalVar] = []
    for i, (size, (a, b)) in enumerate(zip(sizes, intervals, strict=True)):
        start = model.new_int_var(0, max(0, limit - size // unit), f"o{i}")
        starts.append(start)
        times.append(model.new_fixed_size_interval_var(a, b - a + 1, f"t{i}"))
        places.append(model.new_fixed_size_interval_var(start, size // unit, f"p{i}"))
        model.add(start + size // unit <= height)
    model.add_no_overlap_2d(times, places)
    model.minimize(height)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = 0.5
    solver.parameters.random_seed = 0
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [solver.value(s) * unit for s in starts]
