"""Unit programs played on clocks: the units of one core step by step, without data and without the machine.

A program is a list of steps per unit kind. Every step moves the clock of its unit or waits for another unit, by the
rules of `docs/timing.md`: FIFOs with a depth, signals that are counted, memory ports, bursts in flight. Only one core
is played, the one with the most to do. Its peers stand in the way at the ports it shares with them: a port grants
requests of equal age in turn, so the last of `sharers` cores waits for the others once, and from then on is behind them
by that much (`Port.lag`) and finds the port free unless it is always busy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from xdsl.ir import SSAValue

WINDOW = 16
"""Bursts of a transfer unit in flight."""
GROUPS = 256
"""Bursts of one transfer that are followed one by one; more go in as many groups."""
AHEAD = 64
"""Cycles that a unit may run ahead of the others before they get their turn at the ports."""
KEPT = 32
"""Busy times of a port that are remembered."""

Variables = dict[SSAValue, int]
"""Loop variables of one unit as it goes on."""
Count = int | Callable[[Variables], int]
"""A trip count or condition: known, or computed from loop variables while the program is played."""


class Do(IntEnum):
    """What a step does."""

    LOOP = 0
    END = 1
    IF = 2
    JUMP = 3
    WORK = 4
    LOAD = 5
    STORE = 6
    SEND = 7
    RECEIVE = 8
    SIGNAL = 9
    WAIT = 10
    MOVE = 11
    READY = 12
    FILL = 13
    SWAP = 14
    LEAVE = 15
    ARRIVE = 16
    AHEAD = 17


LOOP, END, WORK, LOAD, STORE, SEND, RECEIVE, MOVE = (
    Do.LOOP, Do.END, Do.WORK, Do.LOAD, Do.STORE, Do.SEND, Do.RECEIVE, Do.MOVE,
)  # fmt: skip


class Port:
    """A memory port and when it is busy. `sharers`: cores that make the same requests at the same time."""

    def __init__(self, sharers: float = 1.0, lag: list[float] | None = None) -> None:
        self.sharers = sharers
        self.lag = lag if lag is not None else [0.0]
        """How far this core is behind the first one; common to the ports of a memory."""
        self.busy: list[tuple[float, float]] = []
        self.total = 0.0

    def take(self, time: float, hold: float, instances: float = 1.0) -> float:
        """Start of a request of `hold` cycles made at `time`, by `instances` units of each core alike."""
        if hold <= 0:
            return time
        others = self.sharers * instances
        amount = others * hold
        self.total += amount
        if others <= 1:
            return self._fill(time, hold) - hold
        lag = self.lag[0]
        start = max(time, self._fill(time - lag, amount) - hold)
        self.lag[0] = min(max(lag, lag + start - time), amount - hold)
        return start

    def _fill(self, time: float, amount: float) -> float:
        """Take `amount` cycles in the gaps from `time` on; the end."""
        busy = self.busy
        if not busy or time >= busy[-1][1]:
            if busy and time == busy[-1][1]:
                busy[-1] = (busy[-1][0], time + amount)
            else:
                busy.append((time, time + amount))
                if len(busy) > KEPT:
                    del busy[0]
            return time + amount
        first = len(busy)
        while first > 0 and busy[first - 1][1] >= time:
            first -= 1
        if first == 0:
            time = max(time, busy[0][0]) if len(busy) == KEPT else time
        at, low, last = time, time, first
        while last < len(busy):
            begin, end = busy[last]
            if at + amount <= begin:
                break
            if begin > at:
                amount -= begin - at
            low, at = min(low, begin), max(at, end)
            last += 1
        at += amount
        busy[first:last] = [(low, at)]
        return at


@dataclass
class Link:
    """A FIFO: items it and its sender's pipeline hold, and times of the items."""

    depth: int
    inflight: int
    latency: float
    posted: list[float] = field(default_factory=list)
    received: list[float] = field(default_factory=list)
    departed: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)

    def depart(self, n: int) -> float:
        """When item n enters the link."""
        departed, depth = self.departed, self.depth
        while len(departed) <= n:
            k = len(departed)
            t = self.posted[k]
            if k >= depth:
                t = max(t, self.received[k - depth])
            if k:
                t = max(t, departed[k - 1] + self.spent[k - 1])
            departed.append(t)
        return departed[n]


@dataclass(frozen=True)
class Burst:
    """One request of a transfer on both sides: (cycles of the port, of the unit) at the source and the target."""

    source_port: str | None
    source_hold: float
    hold: float
    latency: float
    target_port: str | None
    target_hold: float
    write_hold: float
    write_latency: float


Step = tuple[Any, ...]
"""(Do, ...): see :meth:`_Unit.run`."""


class _Unit:
    """The clock of one unit and where it is in its program."""

    def __init__(self, kind: str, steps: list[Step], play: Play) -> None:
        self.kind, self.steps, self.play = kind, steps, play
        self.at = 0
        self.clock = self.leaves = self.completion = self.busy = 0.0
        self.write_end = self.write_completion = self.posted = self.filled = 0.0
        self.writes: deque[float] = deque(maxlen=WINDOW)
        self.loops: list[list[int]] = []
        """Of the loops around: iterations done, and to do."""
        self.variables: Variables = dict(play.variables)
        self.ahead: dict[object, float] = {}
        """When values that are loaded an iteration before their use are there."""
        self.left: tuple[int, int] = (0, 0)
        """Of a transfer under way: groups done, bursts of the pattern done."""
        self.done = not steps

    @property
    def end(self) -> float:
        """When all it has started is complete."""
        return max(self.clock, self.completion, self.write_completion)

    def run(self, limit: float) -> bool:
        """Go on until something is missing, or a transfer would begin after `limit`; whether anything was done."""
        steps, links, ports, n = self.steps, self.play.links, self.play.ports, len(self.steps)
        at, done = self.at, 0
        clock, last = self.clock, limit + AHEAD
        while at < n and clock <= last:
            step = steps[at]
            do = step[0]
            if do is LOAD:
                if step[1] is not None:
                    clock = ports[step[1]].take(clock, step[2], step[5])
                clock += step[3]
                self.busy += step[3]
                self.leaves = clock + step[4]
                if self.leaves > self.completion:
                    self.completion = self.leaves
            elif do is SEND:
                link = links[step[1]]
                number = len(link.posted)
                if number >= len(link.received) + link.depth + link.inflight:
                    break
                if number >= link.inflight:
                    clock = max(clock, link.depart(number - link.inflight))
                link.posted.append(max(clock, self.leaves) if step[3] else clock)
                link.spent.append(step[2])
            elif do is RECEIVE:
                link = links[step[1]]
                number = len(link.received)
                if number >= len(link.posted):
                    break
                clock = max(clock, link.depart(number) + link.spent[number] + link.latency)
                self.leaves = clock
                link.received.append(clock)
            elif do is WORK:
                clock += step[1]
                self.busy += step[1]
                self.leaves = clock + step[2]
            elif do is END:
                loop = self.loops[-1]
                loop[0] += 1
                if loop[0] < loop[1]:
                    at = step[1]
                    if steps[at][4] is not None:
                        self.enter(steps[at])
                else:
                    self.loops.pop()
            elif do is STORE:
                if step[1] is not None:
                    clock = ports[step[1]].take(clock, step[2], step[5])
                clock += step[3]
                self.busy += step[3]
                self.completion = max(self.completion, clock + step[4], self.leaves + step[4])
            elif do is LOOP:
                trips = self.trips(step)
                if trips <= 0:
                    at = step[1]
                else:
                    self.loops.append([0, trips])
                    if step[4] is not None:
                        self.enter(step)
            else:
                self.clock, self.at = clock, at
                if not self.other(step, limit):
                    return done > 0 or do is MOVE
                clock, at = self.clock, self.at
            at += 1
            done += 1
        self.clock, self.at = clock, at
        self.done = at >= n
        return done > 0

    def other(self, step: Step, limit: float) -> bool:
        """The steps that are less frequent; whether it was done."""
        play = self.play
        match step[0]:
            case Do.IF:
                if not step[1](self.variables):
                    self.at = step[2]
            case Do.JUMP:
                self.at = step[1]
            case Do.SIGNAL:
                time = max(self.clock, self.completion, self.write_completion)
                play.stamps.setdefault(step[1], []).extend([time] * step[2])
            case Do.WAIT:
                return self.take(step[1], step[2])
            case Do.MOVE:
                return self.move(step[1], step[2], limit)
            case Do.READY:
                self.clock = max(self.clock, self.leaves) + step[1]
                self.busy += step[1]
                self.leaves = self.clock + step[2]
            case Do.AHEAD:
                arrived = self.ahead.get(step[1], self.clock)
                self.ahead[step[1]] = self.leaves
                self.clock = max(self.clock, arrived) + step[2]
                self.busy += step[2]
                self.leaves = self.clock + step[3]
            case Do.FILL:
                self.filled = max(self.filled, self.clock) + step[1]
            case Do.SWAP:
                self.clock = max(self.clock, self.filled)
            case Do.LEAVE:
                play.stamps.setdefault(step[1], []).append(self.clock)
                self.clock += step[2]
                self.busy += step[2]
            case _:
                if not self.take(step[1], 1):
                    return False
                self.clock += step[2]
                self.completion = max(self.completion, self.clock + step[3])
        return True

    def take(self, key: object, count: int) -> bool:
        """Wait for signals; whether they have been sent."""
        taken, stamps = self.play.taken.get(key, 0), self.play.stamps.get(key, ())
        if len(stamps) < taken + count:
            return False
        self.clock = max(self.clock, stamps[taken + count - 1])
        self.play.taken[key] = taken + count
        return True

    def now(self, count: Count) -> int:
        """A count with the loop variables as they are."""
        return count if isinstance(count, int) else count(self.variables)

    def trips(self, step: Step) -> int:
        """Iterations of a loop that are played."""
        trips = self.now(step[2])
        part = self.play.cut.get(step[3])
        return trips if part is None or trips <= 1 else max(1, round(trips * part))

    def enter(self, step: Step) -> None:
        """Set the variable of a loop where something depends on it; what is left out is left out evenly."""
        if step[4] is not None:
            now, played = self.loops[-1]
            self.variables[step[4]] = self.now(step[5]) + self.now(step[6]) * (now * self.now(step[2]) // played)

    def move(self, times: int, pattern: tuple[Burst, ...], limit: float) -> bool:
        """The bursts of a transfer; whether it is over (else the others get their turn first)."""
        groups = max(1, -(-times * len(pattern) // GROUPS))
        turns = max(1, -(-times // groups))
        turn, number = self.left
        while turn < turns:
            size = min(groups, times - turn * groups)
            while number < len(pattern):
                if self.clock > limit:
                    self.left = (turn, number)
                    return False
                self._burst(pattern[number], size)
                number += 1
            turn, number = turn + 1, 0
        self.left = (0, 0)
        return True

    def _burst(self, b: Burst, size: int) -> None:
        """One burst, or `size` of them as one."""
        ports = self.play.ports
        if len(self.writes) == WINDOW:
            self.clock = max(self.clock, self.writes[0])
        hold = b.hold * size
        if size > 1:
            hold = max(hold, (b.latency + b.hold + b.write_hold) * size / WINDOW)
        start = self.clock
        if b.source_port is not None:
            start = ports[b.source_port].take(start, b.source_hold * size)
        self.clock = start + hold
        self.busy += b.hold * size
        self.posted = max(self.posted, self.clock + b.latency)
        start = max(self.posted - (b.write_hold * (size - 1)), self.write_end)
        if b.target_port is not None:
            start = ports[b.target_port].take(start, b.target_hold * size)
        self.write_end = start + b.write_hold * size
        self.write_completion = max(self.write_completion, self.write_end + b.write_latency)
        self.writes.append(self.write_end)


class Play:
    """One run of a program. `cut`: per loop depth the part of the iterations that is played."""

    def __init__(
        self,
        programs: Mapping[str, list[Step]],
        ports: Mapping[str, Port],
        links: Mapping[object, Link],
        variables: Mapping[SSAValue, int],
        cut: Mapping[int, float] | None = None,
    ) -> None:
        """`ports` and `links` are used up; `variables`: loop variables that are set from the beginning."""
        self.ports, self.links = ports, links
        self.variables = variables
        self.cut = cut or {}
        self.stamps: dict[object, list[float]] = {}
        self.taken: dict[object, int] = {}
        self.units = [_Unit(kind, steps, self) for kind, steps in programs.items()]
        self.stuck = False

    def run(self) -> float:
        """Cycles until everything is complete."""
        units = self.units
        while True:
            waiting = [u for u in units if not u.done]
            if not waiting:
                break
            waiting.sort(key=lambda u: u.clock)
            for k, unit in enumerate(waiting):
                limit = waiting[k + 1].clock if k + 1 < len(waiting) else float("inf")
                if unit.run(limit):
                    break
            else:
                self.stuck = True
                break
        return max((u.end for u in units), default=0.0)
