"""The reference engine with a work list: the same events, without looking at every unit for each of them.

It is what runs are recorded with, and what long runs are compared with (`engine="work list"`). Where no address or
count can depend on data (``values``, see :func:`needs_values`), nothing is computed: registers hold zeros and memories
stay as they were. Units are run only when something they may wait for has happened, requests lie in a heap, and of what
happened only as much is kept as can be asked for. Since no result depends on the order of simulation, all figures are
those of :class:`ReferenceEngine` (the tests compare them).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from headrace.codegen import isa
from headrace.codegen.image import Image
from headrace.machine import result as res
from headrace.machine.memory import GlobalMemory, LocalMemories
from headrace.machine.plan import ProgramPlan, element_bytes
from headrace.machine.records import Enough, Records
from headrace.machine.reference import History, ReferenceEngine
from headrace.machine.timing import SHIFT


def needs_values(image: Image) -> bool:
    """Whether some program makes a scalar, and so perhaps an address or a count, from data."""
    return any(_from_data(i) for p in image.programs for section in p.sections for i in section.code)


def _from_data(i: isa.Instruction) -> bool:
    kinds = {f.kind for f in i.opcode.fields}
    return any(f.name == "rd" for f in i.opcode.fields) and bool(kinds & {"v", "mem"})


class _Recent:
    """The last events of a history, by their numbers in all of it."""

    def __init__(self, last: int) -> None:
        self._last, self._gone = last, 0
        self._kept: list[Any] = []

    def append(self, event: Any, /) -> None:
        """Add one; now and then old ones go."""
        self._kept.append(event)
        if len(self._kept) > 2 * self._last:
            del self._kept[: self._last]
            self._gone += self._last

    def __len__(self) -> int:
        return self._gone + len(self._kept)

    def __getitem__(self, n: int, /) -> Any:
        if n < self._gone:
            raise IndexError(f"event {n} is gone: {self._gone} are")
        return self._kept[n - self._gone]


class WorkListEngine(ReferenceEngine):
    """Runs a :class:`ProgramPlan` and reports to ``records``, if there are any.

    Raises :class:`~headrace.machine.records.Enough` when these have their fill.
    """

    def __init__(self, memory: GlobalMemory, local: LocalMemories, records: Records | None, values: bool) -> None:
        super().__init__(memory, local, records=records)
        self._values = values

    def _history(self, last: int) -> History[Any]:
        return _Recent(last)

    def run(self, plan: ProgramPlan, arguments: Sequence[int], start: int) -> res.ProgramRun:
        """As :meth:`ReferenceEngine.run`."""
        around: list[set[int]] = [{u.slot} for u in plan.units]
        for u in plan.units:
            around[u.slot] |= set(u.peers.values())
        for sender, receiver in plan.channels:
            around[receiver].add(sender)
        for sender, receiver, _ in plan.counters:
            around[sender].add(receiver)
        self._around = [sorted(s) for s in around]
        self._dirty = deque(range(len(plan.units)))
        self._queued = [True] * len(plan.units)
        self._gone = [0] * len(plan.units)
        self._heap: list[tuple[int, int, int]] = []
        self._asked: list[list[int | None]] = [[None, None] for _ in plan.units]
        self._horizon = start << SHIFT
        try:
            return super().run(plan, arguments, start)
        except Enough:
            assert self.records is not None
            self.records.close(self._horizon)
            raise

    def _least(self) -> tuple[int, int, int] | None:
        if not self._heap:
            return None
        request = heapq.heappop(self._heap)
        self._horizon, slot, half = request
        self._asked[slot][half] = None
        self._wake(slot)
        return request

    def _wake(self, slot: int) -> None:
        if not self._queued[slot]:
            self._queued[slot] = True
            self._dirty.append(slot)

    def _run_ahead(self) -> None:
        while self._dirty:
            slot = self._dirty.popleft()
            self._queued[slot] = False
            unit = self.units[slot]
            if self._run_unit(unit) or len(unit.written) > self._gone[slot]:
                self._gone[slot] = len(unit.written)
                for other in self._around[slot]:
                    if other != slot:
                        self._wake(other)
            self._ask(slot)

    def _ask(self, slot: int) -> None:
        """Put the requests of a unit into the heap, once each."""
        unit, asked = self.units[slot], self._asked[slot]
        if isinstance(unit.waits, int) and asked[0] is None:
            asked[0] = unit.clock
            heapq.heappush(self._heap, (unit.clock, slot, 0))
        if len(unit.writes) > len(unit.written) and asked[1] is None:
            asked[1] = self._write_key(unit)
            heapq.heappush(self._heap, (asked[1], slot, 1))

    def _load(self, unit: Any, ins: isa.Instruction, base: int) -> np.ndarray:
        if self._values:
            return super()._load(unit, ins, base)
        return _zeros(ins["type"].lanes, ins["type"].dtype)

    def _store(self, unit: Any, ins: isa.Instruction, base: int) -> None:
        if self._values:
            super()._store(unit, ins, base)

    def _compute(self, unit: Any, ins: isa.Instruction) -> list[tuple[int, np.ndarray]]:
        if self._values:
            return super()._compute(unit, ins)
        if ins.op == "VOP":
            return [(o.reg, _zeros(ins["lanes"], o.dtype)) for o in ins["results"]]
        return [(ins["vd"], _zeros(ins["type"].lanes, ins["type"].dtype))]


@lru_cache(maxsize=256)
def _zeros(lanes: int, dtype: str) -> np.ndarray:
    return np.zeros(lanes * element_bytes(dtype), np.uint8)
