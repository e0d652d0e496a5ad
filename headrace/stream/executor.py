"""What executors share: submissions on the timeline, the memory of the devices, failures that pass on.

An executor says itself when commands run. Everything here is called with `lock` held, or takes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from headrace.ir.diagnostics import HeadraceError
from headrace.stream.execution import Item, Timepoint, abandoned, commands_in, note, stuck
from headrace.stream.runtime_memory import Buffer, Ledger, Storage, StreamFault
from headrace.stream.system import UNNAMED, System


class Executor(ABC):
    """Runs what a host program submits. `lock` guards everything where more than one thread comes here."""

    def __init__(self, system: System, check: bool = True, lock: Any = None):
        self.system = system
        self.ledger = Ledger(check)
        self.lock: Any = lock if lock is not None else nullcontext()
        self.used: dict[str, int] = {}
        self.peak: dict[str, int] = {}
        self.transient: dict[str, int] = {}
        self.transient_peak: dict[str, int] = {}
        self.present: set[int] = set()
        """Numbers of the storages that have memory now."""
        self.blocked: list[tuple[Storage, Timepoint]] = []
        self.host_waits = 0
        self.submissions = 0
        self.meetings: list[Any] = []
        self.cancelled: HeadraceError | None = None

    # ---- what the host calls ----------------------------------------------------------------------------------------

    def join(self, points: Sequence[Timepoint]) -> Timepoint:
        """Reached when all are; failed when one is."""
        made = Timepoint(self._clock(points))
        with self.lock:
            self._when(points, made, lambda: self._reach(made))
        return made

    @abstractmethod
    def external(self, operation: Any) -> Timepoint:
        """Reached when an operation of the runtime has run; failed when it has."""

    def alloca(
        self, size: int, device: str | None, waits: Sequence[Timepoint], transient: bool = False
    ) -> tuple[Buffer, Timepoint]:
        """Memory that exists from its timepoint on."""
        with self.lock:
            node = self.ledger.submit(self._clock(waits))
            storage = self.ledger.storage(device, size, "alloca", node)
            storage.transient = transient
            made = Timepoint(self.ledger.clock[node])
            self._when(waits, made, lambda: self._allocate(storage, made))
        return Buffer(storage, 0, size), made

    def dealloca(self, buffer: Buffer, device: str | None, waits: Sequence[Timepoint]) -> Timepoint:
        """Frees memory when what it waits for is over, failed or not."""
        with self.lock:
            node = self.ledger.submit(self._clock(waits))
            self.ledger.free(node, buffer.storage)
            made = Timepoint(self.ledger.clock[node])
            self._when(waits, made, lambda: self._release(buffer.storage, made), even_failed=True)
        return made

    @abstractmethod
    def execute(self, device: str | None, waits: Sequence[Timepoint], items: Sequence[Item]) -> Timepoint:
        """A batch of commands."""

    @abstractmethod
    def wait(self, point: Timepoint) -> None:
        """The host waits; raises what failed. A timepoint that nothing can reach any more is a deadlock."""

    @abstractmethod
    def drain(self) -> None:
        """Wait until everything submitted is over."""

    def release_handles(self) -> None:
        """After an invocation: memory of indeterminate lifetime that nobody has goes."""
        with self.lock:
            for storage in self.ledger.storages:
                if storage.indeterminate and not storage.kept and storage.number in self.present:
                    self._release(storage, Timepoint(0))

    def abandon(self) -> None:
        """After a failed invocation: everything it allocated and nobody else has goes."""
        with self.lock:
            for storage in self.ledger.storages:
                if storage.number in self.present and not storage.kept:
                    self._release(storage, Timepoint(0))
                    storage.free_node = storage.free_node if storage.free_node is not None else -1
            self.cancelled = None

    def cancel(self, reason: str = "the invocation was cancelled") -> None:
        """Submissions that have not started fail."""
        with self.lock:
            self.cancelled = StreamFault(reason)

    def held(self) -> dict[str, int]:
        """Bytes still allocated per device."""
        return {name: size for name, size in self.used.items() if size}

    # ---- for executors ----------------------------------------------------------------------------------------------

    def _fire(self, action: Callable[[], None]) -> None:
        """Do what has become possible."""
        action()

    def _changed(self) -> None:  # noqa: B027 (an executor without threads needs nothing)
        """Called when something happened that the host may wait for."""

    def _submit(self, waits: Sequence[Timepoint], items: Sequence[Item]) -> tuple[int, Timepoint]:
        """Enter a batch; gives its number and its timepoint."""
        self.submissions += 1
        node = self.ledger.submit(self._clock(waits))
        note(self.ledger, node, items, self.ledger.problem)
        made = Timepoint(self.ledger.clock[node])
        over = abandoned(items, made)
        if over is not None:
            made.waiters.append(over)
            self.meetings += [c.meeting for item in items for c in commands_in(item) if c.meeting is not None]
        return node, made

    def _clock(self, waits: Sequence[Timepoint]) -> int:
        clock = 0
        for p in waits:
            clock |= p.clock
        return clock

    def _when(
        self, waits: Sequence[Timepoint], made: Timepoint, action: Callable[[], None], even_failed: bool = False
    ) -> None:
        """Act once all of `waits` are reached; a failure passes on to `made`."""
        missing = [p for p in waits if not p.reached]
        left = len(missing)

        def act() -> None:
            failed = next((p.error for p in waits if p.error is not None), None) or self.cancelled
            if failed is not None and not even_failed:
                self._reach(made, failed)
                return
            if failed is not None:
                made.error = failed
            action()

        def one() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                self._fire(act)

        for p in missing:
            p.waiters.append(one)
        if not missing:
            self._fire(act)

    def _reach(self, point: Timepoint, failure: HeadraceError | None = None) -> None:
        if not point.reached:
            if failure is not None:
                point.error = failure
            point.reached = True
            waiters, point.waiters = point.waiters, []
            for waiter in waiters:
                waiter()
        self._changed()

    def _allocate(self, storage: Storage, made: Timepoint) -> None:
        device = storage.device or UNNAMED
        limit = self.system.device(storage.device).memory_bytes
        if self.used.get(device, 0) + storage.size > limit:
            self.blocked.append((storage, made))
            self._changed()
            return
        self.used[device] = self.used.get(device, 0) + storage.size
        self.peak[device] = max(self.peak.get(device, 0), self.used[device])
        self.present.add(storage.number)
        if storage.transient:
            self.transient[device] = self.transient.get(device, 0) + storage.size
            self.transient_peak[device] = max(self.transient_peak.get(device, 0), self.transient[device])
        self._reach(made)

    def _release(self, storage: Storage, made: Timepoint) -> None:
        device = storage.device or UNNAMED
        if storage.number in self.present:
            self.present.discard(storage.number)
            self.used[device] -= storage.size
            if storage.transient:
                self.transient[device] -= storage.size
            storage.data = None
        self._reach(made)
        waiting, self.blocked = self.blocked, []
        for other, point in waiting:
            self._allocate(other, point)

    def _starved(self) -> bool:
        """Nothing can happen any more: the allocations that still wait fail."""
        if not self.blocked:
            return False
        waiting, self.blocked = self.blocked, []
        for storage, point in waiting:
            name = storage.device or UNNAMED
            limit = self.system.device(storage.device).memory_bytes
            self._reach(
                point,
                StreamFault(
                    f"device '{name}' is out of memory: {storage.size} bytes asked for, "
                    f"{limit - self.used.get(name, 0)} of {limit} free"
                ),
            )
        return True

    def _deadlock(self) -> StreamFault:
        return StreamFault("deadlock: the host waits for a timepoint that nothing reaches" + stuck(self.meetings))

    def _ended(self) -> None:
        """Everything is over that ever will be: what has not come together is a finding."""
        found = stuck(self.meetings)
        if found:
            self.ledger.problem(f"a submission never ends{found}")
        self.meetings.clear()
