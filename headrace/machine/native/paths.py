"""The critical path of a whole run, followed forwards, in the mode that wants to know.

A vector of cycles by part (who, what) belongs to every time that somebody may wait for: the clock of a unit, an item's
posting, departure and receipt, a signal, a write in flight, a port that becomes free. It says what the cycles of the
program up to that time were spent on, along the chain of what was waited for: its sum is that time. Who waits takes
over the vector of what it waited for. :mod:`headrace.report.critical` follows the same chain backwards, through
records.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from headrace.machine.native.dsl import Function, Record, Value
from headrace.machine.native.mode import Mode, ModeModule
from headrace.machine.plan import UnitPlan, port_kind
from headrace.machine.timing import SHIFT, WINDOW

STRIDE = 8 * 120
"""Bytes from a vector to the next. Word 0 is the number of words in use; parts have the others."""
NOW, POSTED, WRITTEN, COMPLETED, SIGNALLED, QUEUE = range(6)
"""Vectors of a unit: of its clock, of ``q_posted``, ``q_end`` and ``q_completion``, of the signal being given; then of
each entry of its queue of writes: as posted, as done."""
OF_UNIT = QUEUE + 2 * WINDOW
BUSY, LATENCY, IN_FLIGHT = range(3)
"""Parts of a unit, behind ``part``."""
READ, WRITE, WRITES = range(3)
"""Parts of a memory as a unit sees it: the latencies; the unit's bursts into it."""
LINK, BANDWIDTH = range(2)
"""Parts of a FIFO: its link's latency, its link being taken."""
ITEM_POSTED, ITEM_DEPARTED, ITEM_RECEIVED, OF_ITEM = range(4)


def build_path(module: ModeModule) -> None:
    """path(target, source, part, cycles): the vector at ``target`` is that at ``source`` and ``cycles`` more of a
    part."""
    f = Function(module, "path", 4)
    target, source, part, cycles = f.args
    with f.if_(target != source):
        f.copy(target, source, f.load(source) << 3)
    f.store(target, f.load(target, part) + cycles, part)
    f.ret()


def profiled(f: Function) -> bool:
    """Whether paths are followed."""
    return f.module.mode is Mode.PROFILED


def follow(f: Function, unit: Record, target: Value, source: Value, part: Any = 0, cycles: Any = 0) -> None:
    """Emit a call of ``path``."""
    f.call_pointer(unit.fn_path, target, source, part, cycles)


def follow_busy(f: Function, unit: Record, cycles: Value) -> None:
    """A unit has been busy."""
    if profiled(f):
        follow(f, unit, unit.path, unit.path, unit.part + BUSY, cycles)


def follow_completion(f: Function, unit: Record) -> None:
    """The vector of a signal that a unit gives: when its last access is complete."""
    if profiled(f):
        gap = ((unit.completion.max(unit.clock)) >> SHIFT) - (unit.clock >> SHIFT)
        follow(f, unit, of_unit(unit, SIGNALLED), unit.path, unit.part + LATENCY, gap)


def of_unit(unit: Record, number: Value | int) -> Value:
    """A vector of a unit."""
    return unit.path + number * STRIDE


def of_write(unit: Record, number: Value, done: int) -> Value:
    """The vector of an entry of the queue of writes: as posted, or as done."""
    return of_unit(unit, (number & (WINDOW - 1)) * 2 + (QUEUE + done))


def of_item(fifo: Record, n: Value, which: int) -> Value:
    """A vector of an item."""
    return fifo.path + ((n & fifo.mask) * OF_ITEM + which) * STRIDE


def of_link(fifo: Record) -> Value:
    """The vector of the time when a FIFO's link becomes free."""
    return fifo.path + (fifo.mask + 1) * (OF_ITEM * STRIDE)


class Paths:
    """The vectors of a program, and what the numbers of their parts mean.

    Parts are of kinds, not of instances; those of more kinds than vectors have words are one.
    """

    def __init__(self) -> None:
        self.names: list[tuple[str, str]] = [("", ""), *[("others", "")] * 3]
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {}
        self._count = 0
        self._words = np.zeros(0, np.int64)

    def take(self, vectors: int) -> int:
        """Reserve vectors; the number of the first."""
        start = self._count
        self._count += vectors
        return start

    def build(self) -> int:
        """Make the vectors; the address of the first."""
        self._words = np.zeros(self._count * STRIDE // 8, np.int64)
        return self._words.ctypes.data

    def begin(self, units: list[int]) -> None:
        """A run begins: nothing is spent. ``units``: first vector of each."""
        for first in units:
            vectors = self._vector(first, QUEUE)
            vectors[:] = 0
            vectors[:, 0] = len(self.names)

    def _vector(self, number: int, count: int = 1) -> np.ndarray:
        start = number * STRIDE // 8
        return self._words[start : start + count * STRIDE // 8].reshape(count, -1)

    def spent(self, number: int) -> Counter[tuple[str, str]]:
        """Cycles by (who, what) of a vector."""
        found: Counter[tuple[str, str]] = Counter()
        for name, cycles in zip(self.names[1:], self._vector(number)[0, 1:].tolist(), strict=False):
            found[name] += cycles
        return +found

    def _group(self, *names: tuple[str, str]) -> int:
        if names not in self._numbers:
            fits = len(self.names) + len(names) <= STRIDE // 8
            self._numbers[names] = len(self.names) if fits else 1
            self.names += names if fits else ()
        return self._numbers[names]

    def unit(self, kind: str) -> int:
        """First part of a unit."""
        return self._group((kind, "busy"), (kind, "latency"), (kind, "data in flight"))

    def memory(self, kind: str, memory: str) -> int:
        """First part of a memory as a unit of a kind sees it."""
        return self._group((memory, "read latency"), (memory, "write latency"), (kind, f"writes {memory}"))

    def link(self, sender: str, receiver: str) -> int:
        """First part of a FIFO."""
        name = f"link {sender} -> {receiver}"
        return self._group((name, "latency"), (name, "bandwidth"))

    def port(self, server: str) -> int:
        """Part of a memory port."""
        return self._group((port_kind(server), "bandwidth"))

    def made(self, unit: UnitPlan, i: int) -> int:
        """Part that the latency of what instruction ``i`` sends belongs to: that of the instruction that made it."""
        code = unit.code.instructions
        for k in range(i - 1, -1, -1):
            ins = code[k]
            if any(x.name == "vd" and x.kind == "v" and ins["vd"] == code[i]["va"] for x in ins.opcode.fields):
                if ins.op == "VLD":
                    return self.memory(unit.kind, unit.ports[ins["mem"]].name) + READ
                break
        return self.unit(unit.kind) + LATENCY
