"""Simulated time of a device: when each operation was queued, started and ended, in device cycles.

Every operation is one or more *spans*. A span holds one resource (the host's correction engine, the transfer engine of
either direction, the machine) for its cycles. Spans of a stream start in order; a span with a *barrier* starts when
all earlier spans of its stream have ended, one without (the correction of a launch and its transfer) runs ahead of
earlier device work. Among streams, the earliest possible start wins, then priority, then submission order.

The result depends on what was submitted in which order and on nothing else: not on when the worker thread ran it. So
spans are placed in *generations*: all of a generation's spans are known and executed before any of them is placed. A
generation ends after :data:`GENERATION` spans and whenever somebody asks for a time.
"""

from __future__ import annotations

import threading
from array import array
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

GENERATION = 256
"""Spans that are placed together at most."""
KEPT = 4096
"""Placed spans that a stream remembers for its trace, the latest ones."""

HOST, TO_DEVICE, TO_HOST, MACHINE = "host", "h2d", "d2h", "compute"
_placing = threading.RLock()


@dataclass(frozen=True)
class HostTiming:
    """What device files do not say: costs between host and device, in device cycles. All figures are assumed.

    A transfer takes ``link_latency + ceil(bytes / link_bytes_per_cycle)``, the correction of a launch
    ``correction_latency + ceil(words / words_per_cycle)``.
    """

    link_bytes_per_cycle: int = 16
    link_latency: int = 500
    words_per_cycle: int = 1
    correction_latency: int = 200

    def transfer(self, size: int) -> int:
        """Cycles of a transfer of ``size`` bytes."""
        return self.link_latency - (-size // self.link_bytes_per_cycle)

    def correction(self, size: int) -> int:
        """Cycles of evaluating a correction buffer of ``size`` bytes."""
        return self.correction_latency - (-size // 8 // self.words_per_cycle)


class Span:
    """Use of one resource by one operation. ``cycles`` is None until the operation was executed."""

    __slots__ = (
        "after",
        "barrier",
        "cycles",
        "dropped",
        "end",
        "fence",
        "generation",
        "host",
        "launch",
        "name",
        "point",
        "queued",
        "region",
        "resource",
        "seq",
        "start",
        "start_after",
        "stream",
    )

    def __init__(self, name: str, resource: str | None, cycles: int | None, barrier: bool = True, launch: int = -1):
        self.name, self.resource, self.cycles, self.barrier, self.launch = name, resource, cycles, barrier, launch
        self.after: tuple[Span, ...] = ()
        self.start_after: Span | None = None
        self.region: Region | None = None
        self.fence = False
        self.dropped = False
        self.point: Point | None = None
        self.stream: Lane | None = None
        self.generation: _Generation | None = None
        self.seq = 0
        self.queued = self.start = self.end = -1
        self.host: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Region:
    """A correction buffer: a transfer into it waits for the start of the last run submitted before."""

    __slots__ = ("last_run",)

    def __init__(self) -> None:
        self.last_run: Span | None = None


class Point:
    """The moment at which the host had waited for ``spans``, not before the moment ``previous``."""

    __slots__ = ("previous", "spans", "value")

    def __init__(self, spans: tuple[Span, ...], previous: Point | None, value: int | None = None):
        self.spans, self.previous, self.value = spans, previous, value


class Records:
    """The latest :data:`KEPT` placed spans as tuples (name, resource, launch, queued, start, end, and the host's times
    of submission, start, end). Memory is taken once, with the first record."""

    def __init__(self) -> None:
        self.count = 0
        self._names: list[tuple[str, str] | None] = []
        self._cycles = array("q")
        self._times = array("d")

    def append(self, span: Span) -> None:
        """Add a placed span."""
        if not self._names:
            self._names = [None] * KEPT
            self._cycles, self._times = array("q", bytes(32 * KEPT)), array("d", bytes(24 * KEPT))
        at = self.count % KEPT
        self.count += 1
        self._names[at] = _names(span.name, span.resource or "event")
        cycles, times = self._cycles, self._times
        cycles[4 * at], cycles[4 * at + 1], cycles[4 * at + 2] = span.launch, span.queued, span.start
        cycles[4 * at + 3] = span.end
        times[3 * at], times[3 * at + 1], times[3 * at + 2] = span.host

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for n in range(max(0, self.count - KEPT), self.count):
            at = n % KEPT
            names = self._names[at]
            assert names is not None
            yield (*names, *self._cycles[4 * at : 4 * at + 4], *self._times[3 * at : 3 * at + 3])


@lru_cache(maxsize=256)
def _names(name: str, resource: str) -> tuple[str, str]:
    """One tuple per pair."""
    return name, resource


class Lane:
    """The simulated side of a stream."""

    def __init__(self, timeline: Timeline, number: int, priority: int):
        self.timeline, self.number, self.priority = timeline, number, priority
        self.pending: deque[Span] = deque()
        self.last: Span | None = None
        self.end = self.prepared = self.fence = 0
        self.records = Records()


class _Generation:
    __slots__ = ("closed", "left", "size")

    def __init__(self) -> None:
        self.left = self.size = 0
        self.closed = False


class Timeline:
    """Places the spans of one device. ``submit`` and ``executed`` are called under the executor's lock."""

    def __init__(self, clock_mhz: float | None):
        self.clock_mhz = clock_mhz
        self.lanes: list[Lane] = []
        self.busy: dict[str, int] = {}
        self.now = 0
        self.point = Point((), None, 0)
        self._seq = 0
        self._generations: deque[_Generation] = deque([_Generation()])
        self._settling = False

    def lane(self, number: int, priority: int) -> Lane:
        """A new stream."""
        self.lanes.append(Lane(self, number, priority))
        return self.lanes[-1]

    # -- called with the executor's lock held --------------------------------------------------------------------------
    def submit(self, lane: Lane, span: Span) -> None:
        """Queue a span."""
        generation = self._generations[-1]
        if generation.size >= GENERATION:
            generation.closed = True
            generation = _Generation()
            self._generations.append(generation)
        generation.size += 1
        generation.left += 1
        span.generation, span.stream, span.seq, span.point = generation, lane, self._seq, self.point
        if span.region is not None and span.resource == MACHINE:
            span.region.last_run = span
        elif span.region is not None:
            span.start_after = span.region.last_run
        self._seq += 1
        lane.pending.append(span)
        lane.last = span

    def executed(self, span: Span) -> bool:
        """A span's cycles are known (or it was dropped). True if :meth:`settle` has something to do."""
        assert span.generation is not None
        span.generation.left -= 1
        first = self._generations[0]
        return first.closed and first.left == 0

    def close(self) -> None:
        """End the present generation: what was submitted so far will be placed together."""
        last = self._generations[-1]
        if last.size:
            last.closed = True
            self._generations.append(_Generation())

    def waited(self, spans: tuple[Span, ...]) -> None:
        """The host has waited for spans: later submissions are not queued before their ends."""
        if spans:
            self.point = Point(spans, self.point)

    @property
    def behind(self) -> bool:
        """True while something that was asked for waits for another device's times."""
        return self._generations[0].closed

    # -- placing -------------------------------------------------------------------------------------------------------
    def settle(self) -> None:
        """Place all generations that are closed and executed."""
        with _placing:
            if self._settling:
                return
            self._settling = True
            try:
                while self._generations[0].closed and self._generations[0].left == 0:
                    if not self._place_generation(self._generations[0]):
                        return
                    self._generations.popleft()
            finally:
                self._settling = False

    def _place_generation(self, generation: _Generation) -> bool:
        while True:
            best: tuple[int, int, int] | None = None
            chosen: Span | None = None
            blocked = False
            for lane in self.lanes:
                if not lane.pending or lane.pending[0].generation is not generation:
                    continue
                span = lane.pending[0]
                at = self._earliest(lane, span)
                if at is None:
                    blocked = True
                    continue
                key = (at, lane.priority, span.seq)
                if best is None or key < best:
                    best, chosen = key, span
            if chosen is None or best is None:
                return not blocked
            self._place(chosen, best[0])

    def _earliest(self, lane: Lane, span: Span) -> int | None:
        at = lane.fence if not span.barrier else lane.end
        if not span.barrier:
            at = max(at, lane.prepared)
        queued = self._value(span.point)
        if queued is None:
            return None
        span.queued = queued
        at = max(at, queued)
        for other in span.after:
            end = self._end_of(other)
            if end is None:
                return None
            at = max(at, end)
        if span.start_after is not None:
            if span.start_after.start < 0:
                return None
            at = max(at, span.start_after.start)
        return max(at, self.busy.get(span.resource, 0)) if span.resource else at

    def _place(self, span: Span, at: int) -> None:
        lane = span.stream
        assert lane is not None and span.cycles is not None
        lane.pending.popleft()
        span.start, span.end = at, at + span.cycles
        if span.resource:
            self.busy[span.resource] = span.end
        lane.end = max(lane.end, span.end)
        if span.fence:
            lane.fence = max(lane.fence, span.end)
        if not span.barrier:
            lane.prepared = span.end
        self.now = max(self.now, span.end)
        span.after, span.start_after, span.point, span.generation, span.region = (), None, None, None, None
        if not span.dropped:
            lane.records.append(span)

    def _value(self, point: Point | None) -> int | None:
        """Cycle of a host point; None while something it waited for is not placed."""
        chain: list[Point] = []
        while point is not None and point.value is None:
            chain.append(point)
            point = point.previous
        value = 0 if point is None else point.value
        for point in reversed(chain):
            assert value is not None
            for span in point.spans:
                end = self._end_of(span)
                if end is None:
                    return None
                value = max(value, end)
            point.value, point.spans, point.previous = value, (), None
        return value

    def _end_of(self, span: Span) -> int | None:
        """End of a span in cycles of this device."""
        lane = span.stream
        if span.end < 0:
            if lane is not None and lane.timeline is not self:
                lane.timeline.settle()
            if span.end < 0:
                return None
        if lane is None or lane.timeline is self or not lane.timeline.clock_mhz or not self.clock_mhz:
            return span.end
        exact = Fraction(span.end) * Fraction(self.clock_mhz) / Fraction(lane.timeline.clock_mhz)
        return -(-exact.numerator // exact.denominator)
