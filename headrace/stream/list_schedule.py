"""The order in which the operations of a block should start, for the time objective.

`BlockGraph` is the scheduling problem: operations with the time they take, the device or link they take it on, and what
they come after. `list_schedule` is list scheduling along critical paths; `best_makespan` is the optimum by CP-SAT, and
where a small block misses its bound the order comes from there.
"""

from __future__ import annotations

import heapq
from random import Random
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import tied_operands
from headrace.ir.dialects.hal import device_of
from headrace.stream.costs import Costs, place_of
from headrace.stream.host_effects import EffectOrder, effects_of, has_work
from headrace.stream.storage import MUTATING, STREAMABLE, Storage, is_resource

CLONED = frozenset({"stream.async.splat", "stream.async.alloca"})
"""Operations that are made again in every partition that reads them."""
UNKNOWN_TRIPS = 3
"""Times a loop is taken to run whose count is not known."""
EXACT_OPERATIONS = 40
"""Largest number of operations with work that CP-SAT orders."""
SEARCH_TRIES = 40
SEARCH_WORK = 40_000
"""Tries with other priorities for larger blocks, and the largest number of operations in all of them."""


class BlockGraph:
    """The operations of a block (by position), their times, servers and successors."""

    def __init__(self, block: Block, storage: Storage, costs: Costs):
        self.ops = list(block.ops)
        self.costs = costs
        count = len(self.ops)
        self.successors: list[list[int]] = [[] for _ in range(count)]
        self.missing = [0] * count
        """How many operations each one comes after."""
        self.time = [0] * count
        self.server: list[Any] = [None] * count
        """("device", name), ("link", from, to), or None for what takes no server."""
        index = {op: i for i, op in enumerate(self.ops)}
        readers: dict[SSAValue, list[int]] = {}
        effects = EffectOrder()
        for i, op in enumerate(self.ops):
            before: set[int] = set()
            used = list(op.operands)
            if op.regions:
                used += [v for inner in op.walk() if inner is not op for v in inner.operands]
            for value in used:
                owner = value.owner
                if isinstance(owner, Operation) and owner in index and owner is not op:
                    before.add(index[owner])
            if op.name not in STREAMABLE and op is not block.last_op:
                before |= effects.add(i, effects_of(op))
            for inner in op.walk() if op.regions else ():
                if inner.name == "util.global.store":
                    for root in storage.of_global(inner.global_.string_value()):  # pyright: ignore
                        before.update(readers.get(root, ()))
            for writer in (x for x in (op.walk() if op.regions else (op,)) if x.name in MUTATING):
                for tie in tied_operands(writer):
                    if tie >= 0:
                        before.update(readers.get(storage.hazard(writer.operands[tie]), ()))
            for value in used:
                if is_resource(value):
                    readers.setdefault(storage.hazard(value), []).append(i)
            before.discard(i)
            for b in before:
                self.successors[b].append(i)
            self.missing[i] = len(before)
            if op.name in STREAMABLE and op.name not in CLONED:
                self.time[i] = costs.time(op)
                link = costs.link(op)
                self.server[i] = ("link", *link) if link is not None else ("device", device_of(place_of(op)))
            elif op.regions and has_work(op):
                self.time[i] = self._region_time(op)
        self.path = [0] * count
        """Longest time from the start of each operation to the end of the block."""
        for i in reversed(range(count)):
            self.path[i] = self.time[i] + max((self.path[s] for s in self.successors[i]), default=0)

    def slots(self, server: Any) -> int:
        """Operations a server takes at the same time."""
        return self.costs.system.device(server[1]).parallel if server[0] == "device" else 1

    def bound(self) -> int:
        """The largest of the longest path and each server's work over its slots."""
        load: dict[Any, int] = {}
        for server, time in zip(self.server, self.time, strict=True):
            if server is not None:
                load[server] = load.get(server, 0) + time
        return max([*self.path, *(-(-total // self.slots(s)) for s, total in load.items())], default=0)

    def _region_time(self, op: Operation) -> int:
        """Estimate for a loop or branch."""
        total = 0
        for region in op.regions:
            for block in region.blocks:
                inside = 0
                for inner in block.ops:
                    if inner.name in STREAMABLE:
                        inside += self.costs.time(inner)
                    elif inner.regions:
                        inside += self._region_time(inner)
                total = max(total, inside) if op.name == "scf.if" else total + inside
        if op.name == "scf.while":
            return total * UNKNOWN_TRIPS
        if op.name == "scf.for":
            low, high, step = (constant_of(v) for v in op.operands[:3])
            known = low is not None and high is not None and step is not None and step > 0
            return total * (len(range(low, high, step)) if known else UNKNOWN_TRIPS)  # pyright: ignore
        return total


def list_schedule(graph: BlockGraph) -> list[Operation]:
    """The operations in the order of their starts, critical paths first; a topological order."""
    order, makespan = simulate(graph, graph.path)
    if makespan > graph.bound():
        if sum(s is not None for s in graph.server) <= EXACT_OPERATIONS:
            found = solve(graph, makespan)
            order = found[0] if found is not None else order
        else:
            order = _search(graph, order, makespan)
    return [graph.ops[i] for i in order]


def _search(graph: BlockGraph, order: list[int], makespan: int) -> list[int]:
    """A better order by list scheduling with changed priorities, where there is one."""
    random = Random(0)
    bound, best = graph.bound(), list(graph.path)
    for _ in range(min(SEARCH_TRIES, SEARCH_WORK // len(graph.ops))):
        tried = [round(p * (0.8 + 0.4 * random.random())) for p in best]
        found, length = simulate(graph, tried)
        if length < makespan:
            order, makespan, best = found, length, tried
            if makespan <= bound:
                break
    return order


def simulate(graph: BlockGraph, priority: list[int]) -> tuple[list[int], int]:
    """Start what is ready, largest priority first; gives the order of the starts and the makespan.

    An operation starts after its predecessors have ended; those that take no time keep the order of their release.
    """
    missing = list(graph.missing)
    ready: dict[Any, list[tuple[int, int]]] = {}
    free: dict[Any, int] = {}
    events: list[tuple[int, int]] = []
    order: list[int] = []

    def release(i: int, time: int) -> None:
        server = graph.server[i]
        if server is None:
            order.append(i)
            heapq.heappush(events, (time + graph.time[i], i))
        else:
            heapq.heappush(ready.setdefault(server, []), (-priority[i], i))
            if server not in free:
                free[server] = graph.slots(server)

    for i, count in enumerate(missing):
        if count == 0:
            release(i, 0)
    time = 0
    while True:
        for key in sorted(ready, key=str):
            queue = ready[key]
            while queue and free[key] > 0:
                _, i = heapq.heappop(queue)
                free[key] -= 1
                order.append(i)
                heapq.heappush(events, (time + graph.time[i], i))
        if not events:
            return order, time
        time, i = heapq.heappop(events)
        done = [i]
        while events and events[0][0] == time:
            done.append(heapq.heappop(events)[1])
        for j in done:
            if graph.server[j] is not None:
                free[graph.server[j]] += 1
            for s in graph.successors[j]:
                missing[s] -= 1
                if missing[s] == 0:
                    release(s, time)


def solve(graph: BlockGraph, makespan: int, work: float = 0.3) -> tuple[list[int], int, bool] | None:
    """The order of a schedule shorter than `makespan` by CP-SAT, its makespan, and whether no other is shorter.

    `work` is CP-SAT's deterministic time. None where nothing shorter is found.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    horizon = makespan - 1
    bound = graph.bound()
    if horizon < bound:
        return None
    starts = [model.new_int_var(0, horizon, f"s{i}") for i in range(len(graph.ops))]
    intervals: dict[Any, list[Any]] = {}
    end = model.new_int_var(bound, horizon, "end")
    for i, time in enumerate(graph.time):
        if graph.server[i] is not None:
            interval = model.new_fixed_size_interval_var(starts[i], time, f"i{i}")
            intervals.setdefault(graph.server[i], []).append(interval)
        model.add(starts[i] + graph.path[i] <= end)
        for s in graph.successors[i]:
            model.add(starts[s] >= starts[i] + time)
    for server, items in intervals.items():
        if graph.slots(server) == 1:
            model.add_no_overlap(items)
        else:
            model.add_cumulative(items, [1] * len(items), graph.slots(server))
    model.minimize(end)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = work
    solver.parameters.random_seed = 0
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    at = [solver.value(s) for s in starts]
    order = _topological(graph, at)
    return order, solver.value(end), status == cp_model.OPTIMAL


def _topological(graph: BlockGraph, at: list[int]) -> list[int]:
    """All operations by their starts, predecessors first."""
    missing = list(graph.missing)
    heap = [(at[i], i) for i, count in enumerate(missing) if count == 0]
    heapq.heapify(heap)
    order: list[int] = []
    while heap:
        _, i = heapq.heappop(heap)
        order.append(i)
        for s in graph.successors[i]:
            missing[s] -= 1
            if missing[s] == 0:
                heapq.heappush(heap, (at[s], s))
    return order


def best_makespan(graph: BlockGraph, work: float = 20.0) -> tuple[int, int, bool]:
    """(makespan of the list schedule, the best makespan CP-SAT finds, whether that is the optimum)."""
    _, makespan = simulate(graph, graph.path)
    if makespan == graph.bound():
        return makespan, makespan, True
    found = solve(graph, makespan + 1, work)
    if found is None:
        return makespan, makespan, False
    return makespan, found[1], found[2]
