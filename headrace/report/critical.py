"""The critical path: the chain of work and waiting that the end of a run hangs on, followed backwards.

Starting at the last thing that happened, each step asks what the present moment waited for: the unit's own work, an
item and its link, a signal, bytes on their way, or a memory port held by somebody else. The steps cover every cycle of
the program exactly once, so their sum is the cycle count, and a faster resource can shorten the run by no more than
its share.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from headrace.machine.plan import port_kind
from headrace.machine.records import BUSY, Grant, ProgramRecords, Written
from headrace.machine.timing import SHIFT

_State = tuple[str, int, int]


class Step(NamedTuple):
    """``cycles`` of the path: ``who`` (a unit kind, a port, a link) did or was waited for, ``what``; ``slot`` and
    ``instruction`` (-1: none) are the instruction concerned, ``start`` is the first cycle."""

    who: str
    what: str
    cycles: int
    slot: int
    instruction: int
    start: int


class _Walk:
    def __init__(self, run: ProgramRecords) -> None:
        self.run, self.plan = run, run.plan
        self.channels = list(self.plan.channels.values())
        self.pairs = list(self.plan.channels)
        self.ends = [[s.end for s in segments] for segments in run.segments]
        self.starts = [[g.start for g in grants] for grants in run.grants]
        self.steps: list[Step] = []
        self.now = run.end
        """First cycle that the steps so far explain."""

    def book(self, upto: int, who: str, what: str, slot: int, index: int = -1) -> None:
        """The time from clock ``upto`` to now."""
        cycle = max(self.run.start, min(upto >> SHIFT, self.now))
        if self.now > cycle:
            self.steps.append(Step(who, what, self.now - cycle, slot, index, cycle))
            self.now = cycle

    def kind(self, slot: int) -> str:
        return self.plan.units[slot].kind

    def latency(self, slot: int, instruction: int) -> tuple[str, str]:
        """Whose latency passes behind an instruction."""
        unit = self.plan.units[slot]
        ins = unit.code.instructions[instruction]
        if ins.op in ("VLD", "VST"):
            return unit.ports[ins["mem"]].name, "read latency" if ins.op == "VLD" else "write latency"
        return unit.kind, "latency"

    def made(self, slot: int, instruction: int) -> tuple[str, str]:
        """Whose latency a value that is sent has behind it: that of the instruction before that made it."""
        code = self.plan.units[slot].code.instructions
        register = code[instruction]["va"]
        for k in range(instruction - 1, -1, -1):
            if any(f.name == "vd" and f.kind == "v" and code[k][f.name] == register for f in code[k].opcode.fields):
                return self.latency(slot, k)
        return self.kind(slot), "latency"

    def walk(self) -> list[Step]:
        run = self.run
        if not run.ends:
            return []
        slot = max(range(len(run.ends)), key=lambda s: (run.ends[s], -s))
        end = run.ends[slot]
        last = [w.number for w in run.written[slot][-64:] if w.completion == end]
        state: _State | None = ("write", slot, last[-1]) if last else ("unit", slot, end)
        if not last:
            self.last_access(slot, end)
        budget = 4 * sum(map(len, self.ends)) + 1000
        while state is not None and self.now > run.start and budget:
            budget -= 1
            kind, slot, at = state
            state = self.unit(slot, at) if kind == "unit" else self.write(slot, at)
        self.book(run.start << SHIFT, "start", "of the program", slot)
        return self.steps

    def last_access(self, slot: int, end: int) -> None:
        """The time between the last action of a unit and ``end``, when the last of its accesses is complete."""
        segments, unit = self.run.segments[slot], self.plan.units[slot]
        if not segments or segments[-1].end == end:
            return
        stores: list[int] = []
        for s in reversed(segments):
            ins = unit.code.instructions[s.instruction]
            if s.what != BUSY or ins.op not in ("VLD", "VST"):
                continue
            port = unit.ports[ins["mem"]]
            latency = port.read_latency if ins.op == "VLD" else port.write_latency
            if s.end + (latency << SHIFT) == end:
                self.book(segments[-1].end, *self.latency(slot, s.instruction), slot, s.instruction)
                return
            stores += [s.instruction] if ins.op == "VST" else []
        if stores:  # its value was not there yet
            self.book(segments[-1].end, *self.latency(slot, stores[0]), slot, stores[0])

    def unit(self, slot: int, clock: int) -> _State | None:
        """One step back from ``clock`` of a unit."""
        k = bisect_right(self.ends[slot], clock) - 1
        if k < 0:
            return None
        s = self.run.segments[slot][k]
        self.book(s.end, *self.latency(slot, s.instruction), slot, s.instruction)
        if s.what == BUSY:
            self.book(s.start, self.kind(slot), "busy", slot, s.instruction)
            return "unit", slot, s.start
        assert s.why is not None
        what, number, n = s.why
        if what in ("item", "slot"):
            return self.item(number, n)
        if what == "signal":
            return self.signal(number, n)
        if what == "window":
            return "write", slot, number
        if what == "port":
            return self.port(number, s.end, slot, 0)
        self.book(s.start, self.kind(slot), "data in flight", slot, s.instruction)
        return "unit", slot, s.start

    def item(self, fifo: int, n: int) -> _State | None:
        """What item n of a FIFO waited for on its way."""
        items, channel = self.run.items[fifo], self.channels[fifo]
        sender, receiver = self.pairs[fifo]
        link = f"link {self.kind(sender)} -> {self.kind(receiver)}"
        while n < len(items.departed):
            departed = items.departed[n]
            self.book(departed, link, "latency", sender, items.sent_by[n])
            if departed == items.posted[n]:
                self.book(items.clock[n], *self.made(sender, items.sent_by[n]), sender, items.sent_by[n])
                return "unit", sender, items.clock[n]
            if n >= channel.depth and departed == items.received[n - channel.depth] + 1:
                return "unit", receiver, items.received[n - channel.depth]
            if n == 0:
                return None
            self.book(items.departed[n - 1], link, "bandwidth", sender, items.sent_by[n])
            n -= 1
        return ("unit", sender, items.clock[n]) if n < len(items.clock) else None

    def signal(self, counter: int, n: int) -> _State | None:
        """What signal n of a counter waited for."""
        stamps = self.run.stamps[counter]
        if n >= len(stamps):
            return None
        stamp = stamps[n]
        if stamp.after >= 0:
            writes = self.run.written[stamp.slot]
            k = bisect_right(writes, stamp.after, key=lambda w: w.number)
            near: list[Written] = writes[max(0, k - 16) : k]
            latest = max(near, key=lambda w: (w.completion, w.number), default=None)
            if latest is not None and latest.completion == stamp.time - 1:
                return "write", stamp.slot, latest.number
        self.book(stamp.clock, self.kind(stamp.slot), "latency", stamp.slot, stamp.instruction)
        return "unit", stamp.slot, stamp.clock

    def write(self, slot: int, number: int) -> _State | None:
        """One step back from a write in flight."""
        writes = self.run.written[slot]
        k = bisect_right(writes, number, key=lambda w: w.number) - 1
        if k < 0 or writes[k].number != number:
            return None
        w = writes[k]
        unit = self.plan.units[slot]
        ins = unit.code.instructions[w.instruction]
        target, source = unit.ports[ins["dst_mem"]], unit.ports[ins["src_mem"]]
        self.book(w.end, target.name, "write latency", slot, w.instruction)
        self.book(w.start, unit.kind, f"writes {target.name}", slot, w.instruction)
        if w.start >> SHIFT == w.posted >> SHIFT:
            read = w.posted - (source.read_latency << SHIFT)
            self.book(read, source.name, "read latency", slot, w.instruction)
            return "unit", slot, read
        if k and writes[k - 1].end == w.start:
            return "write", slot, writes[k - 1].number
        if target.write_server is not None:
            return self.port(target.write_server, w.start, slot, 1)
        return "unit", slot, w.posted

    def port(self, server: int, start: int, slot: int, half: int) -> _State | None:
        """What a grant at ``start`` waited for: the grants before it."""
        grants, name = self.run.grants[server], port_kind(self.plan.servers[server].name)
        k = bisect_right(self.starts[server], start) - 1
        while k >= 0 and (grants[k].slot != slot or grants[k].half != half) and grants[k].start == start:
            k -= 1
        while k > 0:
            before = grants[k - 1]
            if before.start + (before.hold << SHIFT) < grants[k].start:
                break
            self.book(before.start, name, "bandwidth", before.slot, before.instruction)
            k -= 1
            if before.asked >> SHIFT >= before.start >> SHIFT:
                break
        return self._asker(grants[k]) if k >= 0 else None

    @staticmethod
    def _asker(grant: Grant) -> _State:
        return ("write", grant.slot, grant.number) if grant.half else ("unit", grant.slot, grant.asked)


def critical_path(run: ProgramRecords) -> list[Step]:
    """Steps of a program run from its end to its beginning; their cycles add up to the run's."""
    return _Walk(run).walk()
