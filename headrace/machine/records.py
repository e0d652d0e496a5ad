"""What happened in a run, as records: busy and stalled intervals, FIFO items, signals, port grants, memory touches.

The reference engine reports to a :class:`Records` object if it has one. Times are clocks (``cycle << SHIFT | delta``,
see :mod:`headrace.machine.timing`); units, FIFOs and counters are those of the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from headrace.machine.timing import SHIFT

if TYPE_CHECKING:
    from headrace.machine.plan import ProgramPlan

BUSY = 4
"""``what`` of a busy segment; 0 to 3 are the causes of :data:`headrace.machine.result.CAUSES`."""

Why = tuple[str, int, int]
"""What a stall waited for: ``("item", fifo, n)``, ``("slot", fifo, n)`` (the departure of item n), ``("signal",
counter, n)``, ``("port", server, grant)``, ``("load", 0, 0)`` (a value in flight), ``("window", n, 0)`` (write n of the
unit)."""


class Segment(NamedTuple):
    """An interval of a unit: ``what`` is :data:`BUSY` or the number of a cause, ``instruction`` its index."""

    start: int
    end: int
    what: int
    instruction: int
    why: Why | None


class Grant(NamedTuple):
    """A memory port held by a unit from ``start`` for ``hold`` cycles. ``half`` 1: a write in flight. ``asked``: the
    unit's clock at the request; ``number``: of the write in flight."""

    server: int
    start: int
    hold: int
    slot: int
    half: int
    asked: int
    instruction: int
    number: int


class Touch(NamedTuple):
    """``size`` bytes of a memory read or written by a unit. ``other``: the (memory, address) at the far end of a
    transfer, None for a vector access."""

    time: int
    slot: int
    instruction: int
    memory: int
    address: int
    size: int
    write: bool
    other: tuple[int, int] | None


class Written(NamedTuple):
    """A write in flight: the ``number``-th of its unit, handed over at ``posted``, on the port from ``start`` to
    ``end``, there at ``completion``."""

    number: int
    posted: int
    start: int
    end: int
    completion: int
    instruction: int


class Stamp(NamedTuple):
    """A signal: given by an instruction of ``slot`` when its clock was ``clock``, counted at ``time``; ``after`` is the
    write in flight it came behind, -1 for none."""

    time: int
    slot: int
    clock: int
    instruction: int
    after: int


@dataclass
class Items:
    """The items of a FIFO, by number: sender's clock, clocks when ready, in the link and received; instructions of
    both ends."""

    clock: list[int] = field(default_factory=list)
    posted: list[int] = field(default_factory=list)
    departed: list[int] = field(default_factory=list)
    received: list[int] = field(default_factory=list)
    sent_by: list[int] = field(default_factory=list)
    received_by: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


@dataclass
class ProgramRecords:
    """The records of one program run that began at cycle ``start`` and ended at cycle ``end``."""

    plan: ProgramPlan
    start: int
    end: int = 0
    segments: list[list[Segment]] = field(default_factory=list)
    items: list[Items] = field(default_factory=list)
    stamps: list[list[Stamp]] = field(default_factory=list)
    waits: list[list[tuple[int, int]]] = field(default_factory=list)
    """Per counter: (clock, instruction) of each wait."""
    grants: list[list[Grant]] = field(default_factory=list)
    written: list[list[Written]] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """Per unit: clock of its last action and of its last completion, whichever is later."""


class Enough(Exception):
    """Raised inside an engine when a :class:`Records` object has recorded as much as it may."""


class Records:
    """Collects the records of program runs. ``limit``: records kept at most; a run that needs more is cut off there
    (``cut``), with what memory holds undefined.

    ``touched``: whether accesses to on-chip memories are recorded too (for occupancy).
    """

    def __init__(self, limit: int | None = None, touched: bool = True) -> None:
        self.limit, self.touched = limit, touched
        self.count = 0
        self.programs: list[ProgramRecords] = []
        self.cut = False

    def begin(self, plan: ProgramPlan, start: int) -> None:
        """A program starts."""
        run = ProgramRecords(plan, start)
        run.segments = [[] for _ in plan.units]
        run.written = [[] for _ in plan.units]
        run.grants = [[] for _ in plan.servers]
        run.stamps = [[] for _ in plan.counters]
        run.waits = [[] for _ in plan.counters]
        run.items = [Items() for _ in plan.channels]
        self.run = run
        self.programs.append(run)

    def finish(self, end: int, ends: list[int]) -> None:
        """The program ended at cycle ``end``; ``ends`` are the last clocks of its units."""
        self.run.end, self.run.ends = end, ends

    def close(self, horizon: int) -> None:
        """End a program that was cut off at clock ``horizon``: all that happened before is known, what was recorded of
        later times is dropped."""
        run = self.run
        for slot, segments in enumerate(run.segments):
            known = [s for s in segments if s.start < horizon]
            whole = [s.end for s in known if s.end <= horizon]
            run.ends.append(max([run.start << SHIFT, *whole[-1:]]))
            run.segments[slot] = [s if s.end <= horizon else s._replace(end=horizon) for s in known]
            run.written[slot] = [w for w in run.written[slot] if w.end <= horizon]
        for server, grants in enumerate(run.grants):
            run.grants[server] = [
                g._replace(hold=min(g.hold, (horizon - g.start >> SHIFT) + 1)) for g in grants if g.start < horizon
            ]
        run.touches = [t for t in run.touches if t.time < horizon]
        run.end = max(run.start, horizon >> SHIFT)

    def _counted(self) -> None:
        self.count += 1
        if self.limit is not None and self.count > self.limit:
            self.cut = True
            raise Enough

    def segment(self, slot: int, start: int, end: int, what: int, index: int, why: Why | None = None) -> None:
        """A unit was busy or stalled."""
        self.run.segments[slot].append(Segment(start, end, what, index, why))
        self._counted()

    def sent(self, fifo: int, posted: int, clock: int, index: int, size: int) -> None:
        """An item was handed to a FIFO."""
        items = self.run.items[fifo]
        items.clock.append(clock)
        items.posted.append(posted)
        items.sent_by.append(index)
        items.sizes.append(size)
        self._counted()

    def received(self, fifo: int, departed: int, clock: int, index: int) -> None:
        """An item that had entered the link at ``departed`` was received."""
        items = self.run.items[fifo]
        items.departed.append(departed)
        items.received.append(clock)
        items.received_by.append(index)

    def signalled(self, counter: int, stamp: Stamp) -> None:
        """A signal was given."""
        self.run.stamps[counter].append(stamp)
        self._counted()

    def waited(self, counter: int, clock: int, index: int) -> None:
        """A signal was consumed."""
        self.run.waits[counter].append((clock, index))

    def grant(self, grant: Grant) -> None:
        """A port was granted."""
        self.run.grants[grant.server].append(grant)
        self._counted()

    def write(self, slot: int, written: Written) -> None:
        """A write in flight has gone."""
        self.run.written[slot].append(written)

    def touch(self, touch: Touch) -> None:
        """Bytes were read or written."""
        if self.touched:
            self.run.touches.append(touch)
            self._counted()
