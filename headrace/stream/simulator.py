"""Deterministic event simulation of a system that runs a program's submissions.

Every device is a server of `parallel` commands at a time, every link a server of one transfer. A submission starts when
its timepoint is reached and runs its commands in order; a command reads when it starts and writes when it ends, so that
a missing wait shows. Servers grant in the order (time of the request, submission number, position).

With a seed the durations and the order of grants are random: any legal order of completion may be tried.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.ir.diagnostics import HeadraceError
from headrace.stream.execution import Command, Item, Parallel, Timepoint, commands_in
from headrace.stream.executor import Executor
from headrace.stream.runtime_memory import READ, WRITE, StreamFault
from headrace.stream.system import UNNAMED, System


@dataclass
class Server:
    """A device or link: free slots, waiting requests, busy time."""

    slots: int
    busy: int = 0
    queue: list[Any] = field(default_factory=list[Any])


@dataclass(frozen=True)
class Event:
    """What ran where, for the trace."""

    name: str
    where: str
    start: int
    end: int
    submission: int


class Simulator(Executor):
    """Runs submissions in simulated time. `time` is the latest instant something happened, in nanoseconds."""

    def __init__(self, system: System, seed: int | None = None, check: bool = True, data: bool = True):
        super().__init__(system, check)
        self.random = random.Random(seed) if seed is not None else None
        self.data = data
        self.time = 0
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        self.sequence = 0
        self.servers: dict[Any, Server] = {}
        self.trace: list[Event] = []
        self.outside: list[tuple[Any, Timepoint]] = []
        """Operations of the runtime that work here waits for."""
        self.written: dict[int, list[tuple[int, int, int]]] = {}
        """For each storage (first byte, end, end of the longest path to its writer)."""
        self.path_ends: dict[int, int] = {}
        """For each submission the end of the longest path to one of its commands."""
        self.host_path = 0
        self.critical = 0
        self.load: dict[Any, int] = {}

    # ---- what the host calls ----------------------------------------------------------------------------------------

    def external(self, operation: Any) -> Timepoint:
        """Reached when an operation of the runtime has run; failed when it has."""
        made = Timepoint(0)
        self.outside.append((operation, made))
        return made

    def execute(self, device: str | None, waits: Sequence[Timepoint], items: Sequence[Item]) -> Timepoint:
        """A batch of commands."""
        node, made = self._submit(waits, items)
        self._paths(items, device, node)
        self._when(waits, made, lambda: self._run_items(items, 0, device, node, made))
        return made

    def wait(self, point: Timepoint) -> None:
        """The host waits; raises what failed. A timepoint that nothing can reach any more is a deadlock."""
        self.host_waits += 1
        while not point.reached:
            if not self._step() and not self._starved():
                raise self._deadlock()
        self.ledger.host |= point.clock
        ends = (end for node, end in self.path_ends.items() if point.clock >> node & 1)
        self.host_path = max(self.host_path, *ends, 0)
        if point.error is not None:
            raise point.error

    def drain(self) -> None:
        """Run everything that was submitted."""
        while self._step() or self._starved():
            pass
        self._ended()

    # ---- time -------------------------------------------------------------------------------------------------------

    def at(self, time: int, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self.sequence += 1
        heapq.heappush(self.events, (time, self.sequence, action))

    def _step(self) -> bool:
        if not self.events:
            if not self.outside:
                return False
            operation, point = self.outside.pop(0)
            operation.wait()
            self._reach(point, operation.error)
            return True
        time, _, action = heapq.heappop(self.events)
        self.time = max(self.time, time)
        action()
        return True

    def _fire(self, action: Callable[[], None]) -> None:
        self.at(self.time, action)

    # ---- commands ---------------------------------------------------------------------------------------------------

    def _run_items(self, items: Sequence[Item], index: int, device: str | None, node: int, made: Timepoint) -> None:
        if index == len(items):
            self._reach(made)
            return
        if self.cancelled is not None and index == 0:
            self._reach(made, self.cancelled)
            return

        def done(failure: HeadraceError | None) -> None:
            if failure is not None:
                self._reach(made, failure)
            else:
                self._run_items(items, index + 1, device, node, made)

        self._run(items[index], device, node, index, done)

    def _run(
        self, item: Item, device: str | None, node: int, index: int, done: Callable[[HeadraceError | None], None]
    ) -> None:
        if isinstance(item, Command):
            self._command(item, device, node, index, done)
            return
        parts = list(item.parts)
        if not parts:
            done(None)
            return
        if isinstance(item, Parallel):
            state: dict[str, Any] = {"left": len(parts), "failure": None}

            def one(failure: HeadraceError | None) -> None:
                state["left"] -= 1
                state["failure"] = state["failure"] or failure
                if state["left"] == 0:
                    done(state["failure"])

            for part in parts:
                self._run(part, device, node, index, one)
            return

        def following(k: int) -> None:
            if k == len(parts):
                done(None)
                return
            self._run(parts[k], device, node, index, lambda f: done(f) if f is not None else following(k + 1))

        following(0)

    def _command(
        self, command: Command, device: str | None, node: int, index: int, done: Callable[[HeadraceError | None], None]
    ) -> None:
        where, duration = command.cost(self.system, device)
        if self.random is not None:
            duration = self.random.randrange(1, 1000)

        def request() -> None:
            self._request(where, node, index, start)

        def met(failure: HeadraceError | None) -> None:
            self.at(self.time, lambda: done(failure) if failure is not None else request())

        def start() -> None:
            begin = self.time
            try:
                store = command.run(device) if self.data else None
            except HeadraceError as problem:
                self._finish(where)
                done(problem)
                return
            except Exception as problem:  # a kernel body may fail in any way
                self._finish(where)
                done(StreamFault(f"kernel '{command.name}' failed: {problem}", command.op))
                return

            def end() -> None:
                if store is not None:
                    store()
                if where is not None:
                    name = where[1] or UNNAMED if where[0] == "device" else f"{where[1]} -> {where[2]}"
                    self.trace.append(Event(command.name, name, begin, self.time, node))
                    self.servers[where].busy += self.time - begin
                self._finish(where)
                done(None)

            self.at(self.time + duration, end)

        if command.participant is None:
            request()
            return
        for call, failure in command.meeting.arrive(command.participant(met)):
            call(failure)

    def _request(self, where: Any, node: int, index: int, start: Callable[[], None]) -> None:
        if where is None:
            start()
            return
        server = self.servers.get(where)
        if server is None:
            slots = self.system.device(where[1]).parallel if where[0] == "device" else 1
            server = self.servers[where] = Server(slots)
        self.sequence += 1
        rank = (self.random.random(),) if self.random is not None else (node, index)
        heapq.heappush(server.queue, (*rank, self.sequence, start))
        self.at(self.time, lambda: self._grant(where))

    def _grant(self, where: Any) -> None:
        server = self.servers[where]
        while server.slots and server.queue:
            server.slots -= 1
            heapq.heappop(server.queue)[-1]()

    def _finish(self, where: Any) -> None:
        if where is not None:
            self.servers[where].slots += 1
            self.at(self.time, lambda: self._grant(where))

    # ---- the bound ------------------------------------------------------------------------------------------------

    def _paths(self, items: Sequence[Item], device: str | None, node: int) -> None:
        """Longest path of values through the commands: a command comes after the writers of the bytes it reads."""
        for item in items:
            ends: list[tuple[Command, int]] = []
            for command in commands_in(item):
                where, duration = command.cost(self.system, device)
                start = self.host_path
                for buffer, offset, length, kind in command.ranges:
                    if kind & READ:
                        low = buffer.offset + offset
                        for a, b, end in self.written.get(buffer.storage.number, ()):
                            if a < low + length and low < b:
                                start = max(start, end)
                ends.append((command, start + duration))
                if where is not None:
                    self.load[where] = self.load.get(where, 0) + duration
            for command, end in ends:
                self.critical = max(self.critical, end)
                self.path_ends[node] = max(self.path_ends.get(node, 0), end)
                for buffer, offset, length, kind in command.ranges:
                    if kind & WRITE:
                        low = buffer.offset + offset
                        rows = self.written.setdefault(buffer.storage.number, [])
                        rows[:] = [r for r in rows if r[0] < low or r[1] > low + length]
                        rows.append((low, low + length, end))

    def bound(self) -> tuple[int, str]:
        """What no schedule of these commands can beat, and by what: critical path, a device, or a link."""
        best = (self.critical, "critical path")
        for where, total in sorted(self.load.items(), key=str):
            if where[0] == "device":
                best = max(best, (-(-total // self.system.device(where[1]).parallel), where[1] or UNNAMED))
            else:
                best = max(best, (total, f"{where[1]} -> {where[2]}"))
        return best

    # ---- figures ----------------------------------------------------------------------------------------------------

    def utilisation(self) -> dict[str, float]:
        """Busy share of each device and link over the makespan."""
        found: dict[str, float] = {}
        span = self.makespan
        for where, server in sorted(self.servers.items(), key=str):
            name = where[1] or UNNAMED if where[0] == "device" else f"{where[1]} -> {where[2]}"
            slots = self.system.device(where[1]).parallel if where[0] == "device" else 1
            found[name] = server.busy / (span * slots) if span else 0.0
        return found

    @property
    def makespan(self) -> int:
        """End of the last command, nanoseconds."""
        return max((e.end for e in self.trace), default=0)

    def chrome_trace(self) -> dict[str, Any]:
        """The trace in the format of chrome://tracing (microseconds)."""
        names = sorted({e.where for e in self.trace})
        rows = [
            {"name": "thread_name", "ph": "M", "pid": 0, "tid": i, "args": {"name": n}} for i, n in enumerate(names)
        ]
        rows += [
            {
                "name": e.name, "ph": "X", "pid": 0, "tid": names.index(e.where), "ts": e.start / 1000,
                "dur": (e.end - e.start) / 1000, "args": {"submission": e.submission},
            }
            for e in self.trace
        ]  # fmt: skip
        return {"traceEvents": rows}

