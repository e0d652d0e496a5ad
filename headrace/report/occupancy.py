"""What lies in the on-chip memories when, from the recorded touches.

A byte is occupied from its write to the last read before it is written again; what was not read yet when a recording
stops is still waited for, so it is occupied to there. Bytes belong to buffers: what the same
instructions write, named after the tensor in device memory that a transfer brings or takes, or else after the
operation that made them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from headrace.machine.records import Touch
from headrace.machine.timing import SHIFT
from headrace.report.timeline import Recording

Writer = tuple[str, str, int]
"""Program, unit kind and instruction; ``("", "", -1)`` for bytes that were there before the run."""
BEFORE: Writer = ("", "", -1)


@dataclass
class Buffer:
    """A buffer of an on-chip memory kind: its name, first address and end (bytes); ``program`` that writes it."""

    name: str
    memory: str
    program: str
    start: int
    end: int


@dataclass
class Occupancy:
    """One memory instance: for each buffer (an index into ``buffers``) the (cycle, bytes in use) where it changes."""

    name: str
    memory: str
    core: int
    size: int
    steps: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def total(self) -> list[tuple[int, int]]:
        """(cycle, bytes in use) of all buffers together."""
        changes: Counter[int] = Counter()
        for steps in self.steps.values():
            before = 0
            for cycle, size in steps:
                changes[cycle] += size - before
                before = size
        out: list[tuple[int, int]] = []
        size = 0
        for cycle in sorted(changes):
            size += changes[cycle]
            out.append((cycle, size))
        return out

    @property
    def peak(self) -> int:
        """Most bytes in use at once."""
        return max((size for _, size in self.total()), default=0)


class _Live:
    """Address ranges with the cycle of their write, their last read and their writer."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.parts: dict[int, tuple[int, int, int, Writer]] = {}
        self.closed: list[tuple[int, int, int, int, Writer]] = []

    def _cut(self, at: int) -> None:
        k = bisect_right(self.starts, at) - 1
        if k < 0:
            return
        start = self.starts[k]
        end, written, last, writer = self.parts[start]
        if start < at < end:
            self.parts[start] = (at, written, last, writer)
            self.parts[at] = (end, written, last, writer)
            self.starts.insert(k + 1, at)

    def _range(self, start: int, end: int) -> list[int]:
        self._cut(start)
        self._cut(end)
        return self.starts[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def write(self, start: int, end: int, cycle: int, writer: Writer) -> None:
        for s in self._range(start, end):
            e, written, last, owner = self.parts.pop(s)
            self.closed.append((s, e, written, last, owner))
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        self.starts[low:high] = [start]
        self.parts[start] = (end, cycle, cycle, writer)

    def read(self, start: int, end: int, cycle: int) -> None:
        at = start
        for s in [*self._range(start, end), end]:
            if at < s:
                insort(self.starts, at)
                self.parts[at] = (s, 0, cycle, BEFORE)
            if s < end:
                e, written, last, writer = self.parts[s]
                self.parts[s] = (e, written, max(last, cycle), writer)
                at = e

    def finish(self, cut: int | None) -> list[tuple[int, int, int, int, Writer]]:
        """(first address, end, cycle of the write, cycle of the last use, writer) of everything that was there;
        ``cut``: where the recording stops before the end of the run."""
        out = list(self.closed)
        for start, (end, written, last, writer) in sorted(self.parts.items()):
            until = cut if cut is not None and last == written else last
            out.append((start, end, written, until, writer))
        return out


def occupancy(recording: Recording) -> tuple[list[Buffer], list[Occupancy]]:
    """Buffers of all on-chip memories, and the occupancy of each memory instance that was touched."""
    live: dict[tuple[str, tuple[object, ...]], _Live] = {}
    about: dict[tuple[str, tuple[object, ...]], tuple[int, int]] = {}
    for run in recording.programs:
        for t in sorted(run.touches, key=lambda t: (t.time, not t.write)):
            unit = run.plan.units[t.slot]
            port = unit.ports[t.memory]
            key = (port.name, port.instance)
            if key not in live:
                live[key] = _Live()
                about[key] = (unit.core, port.timing.size)
            cycle, end = t.time >> SHIFT, t.address + t.size
            if t.write:
                live[key].write(t.address, end, cycle, (run.plan.name, unit.kind, t.instruction))
            else:
                live[key].read(t.address, end, cycle)
    buffers, owner = _buffers(recording)
    cut = recording.cycles if recording.cut else None
    out = []
    for key in sorted(live, key=lambda k: (about[k][0], str(k))):
        name, instance = key
        changes: dict[int, Counter[int]] = defaultdict(Counter)
        for start, end, written, last, writer in live[key].finish(cut):
            number = owner.get((name, writer))
            if number is None:
                number = owner[(name, writer)] = len(buffers)
                buffers.append(Buffer("there before the run", name, "", start, end))
            changes[number][written] += end - start
            changes[number][max(last, written + 1)] -= end - start
        label = name + (str(list(instance[1:])) if len(instance) > 1 else "")
        found = Occupancy(label, name, about[key][0], about[key][1])
        for number in sorted(changes):
            size, steps = 0, []
            for cycle in sorted(changes[number]):
                if changes[number][cycle]:
                    size += changes[number][cycle]
                    steps.append((cycle, size))
            found.steps[number] = steps
        out.append(found)
    return buffers, out


def _buffers(recording: Recording) -> tuple[list[Buffer], dict[tuple[str, Writer], int]]:
    """Buffers, and the buffer that each (memory, writer) writes."""
    ranges: dict[tuple[str, Writer], set[tuple[int, int]]] = defaultdict(set)
    tensors: dict[tuple[str, str], set[tuple[int, int, str]]] = defaultdict(set)
    names: dict[tuple[str, Writer], Counter[str]] = defaultdict(Counter)
    for run in recording.programs:
        program = run.plan.name
        for t in run.touches:
            unit = run.plan.units[t.slot]
            memory = unit.ports[t.memory].name
            far = _tensor(recording, run.plan.units[t.slot].ports[t.other[0]].scope, t) if t.other else None
            if t.write:
                key = (memory, (program, unit.kind, t.instruction))
                ranges[key].add((t.address, t.address + t.size))
                if far is not None:
                    names[key][far] += 1
            elif far is not None:
                tensors[(memory, program)].add((t.address, t.address + t.size, far))
    groups: list[tuple[str, str, list[tuple[int, int]], list[Writer]]] = []
    for (memory, writer), found in sorted(ranges.items()):
        merged = _merge(sorted(found))
        same = [g for g in groups if g[0] == memory and g[1] == writer[0] and _meet(g[2], merged)]
        for g in same:
            groups.remove(g)
        joined = _merge(sorted([*merged, *(r for g in same for r in g[2])]))
        groups.append((memory, writer[0], joined, [*(w for g in same for w in g[3]), writer]))
    many = len({run.plan.name for run in recording.programs}) > 1
    buffers: list[Buffer] = []
    owner: dict[tuple[str, Writer], int] = {}
    for memory, program, joined, writers in sorted(groups, key=lambda g: (g[0], g[1], g[2])):
        known = {n for w in writers for n in names[(memory, w)]}
        known |= {n for s, e, n in tensors[(memory, program)] if any(s < b and a < e for a, b in joined)}
        name = ", ".join(sorted(known)) or _made_by(recording, writers)
        found = Buffer(f"{name} ({program})" if many else name, memory, program, joined[0][0], joined[-1][1])
        number = next((n for n, b in enumerate(buffers) if _same(b, found)), len(buffers))
        if number == len(buffers):
            buffers.append(found)
        else:
            buffers[number].end = max(buffers[number].end, found.end)
        for w in writers:
            owner[(memory, w)] = number
    return buffers, owner


def _same(a: Buffer, b: Buffer) -> bool:
    """Whether two are one, written in parts: full vectors and tails of its rows lie between one another."""
    return (a.name, a.memory, a.program) == (b.name, b.memory, b.program) and a.start < b.end and b.start < a.end


def _tensor(recording: Recording, scope: str, t: Touch) -> str | None:
    """Name of the kernel's buffer at the far end of a transfer, None if that is not device memory."""
    assert t.other is not None
    if scope != "global":
        return None
    for address, size, name in recording.buffers:
        if address <= t.other[1] < address + size:
            return name
    return None


def _made_by(recording: Recording, writers: list[Writer]) -> str:
    """A name for what instructions make: their KTIR operation and line."""
    for program, kind, index in writers:
        place = recording.sources.get((program, kind, index))
        if place is not None:
            operation = recording.operation(place)
            line = place.rsplit(":", 2)[1]
            return f"{operation} (line {line})" if operation else f"line {line}"
    return "intermediate"


def _merge(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted ranges with those that touch joined."""
    out: list[tuple[int, int]] = []
    for start, end in ranges:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _meet(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> bool:
    """Whether two lists of ranges share a byte."""
    return any(s < f and e < t for s, t in a for e, f in b)
