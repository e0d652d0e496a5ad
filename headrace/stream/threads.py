"""Threads that really run a program's submissions: one worker per device and command slot.

Timepoints are reached by the workers; a submission is queued on its device when what it awaits is reached. Kernels run
outside the lock; NumPy and native code release the interpreter, so that devices overlap.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from headrace.ir.diagnostics import HeadraceError
from headrace.stream.execution import (
    Command,
    Item,
    Parallel,
    Timepoint,
    abandoned,
    commands_in,
    note,
    steps,
    stuck,
)
from headrace.stream.runtime_memory import Buffer, Ledger, Storage, StreamFault
from headrace.stream.system import UNNAMED, System


class ThreadExecutor:
    """An executor for `Program`; use as a context manager, which ends the workers.

    `seconds`: time from the first submission to the end of the last, as measured.
    """

    def __init__(self, system: System, check: bool = True):
        self.system = system
        self.ledger = Ledger(check)
        self.lock = threading.Condition()
        self.queues: dict[str | None, list[tuple[int, int, Callable[[], None]]]] = {}
        self.numbers = 0
        self.meetings: list[Any] = []
        self.outside = 0
        """Operations of the runtime that work here waits for."""
        self.threads: list[threading.Thread] = []
        self.open = 0
        self.running = 0
        """Submissions that a worker runs now."""
        self.closing = False
        self.cancelled: HeadraceError | None = None
        self.used: dict[str, int] = {}
        self.present: set[int] = set()
        self.blocked: list[tuple[Storage, Timepoint]] = []
        self.started: float | None = None
        self.seconds = 0.0
        self.host_waits = 0
        self.submissions = 0

    def __enter__(self) -> ThreadExecutor:
        return self

    def __exit__(self, *problem: Any) -> None:
        self.close()

    # ---- what the host calls ----------------------------------------------------------------------------------------

    def join(self, points: Sequence[Timepoint]) -> Timepoint:
        """Reached when all are; failed when one is."""
        clock = 0
        for p in points:
            clock |= p.clock
        made = Timepoint(clock)
        with self.lock:
            self._when(points, made, lambda: self._reach(made))
        return made

    def external(self, operation: Any) -> Timepoint:
        """Reached when an operation of the runtime has run; failed when it has."""
        made = Timepoint(0)
        with self.lock:
            self.outside += 1

        def over(done: Any) -> None:
            with self.lock:
                self.outside -= 1
                self._reach(made, done.error)

        operation.add_done_callback(over)
        return made

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

    def execute(self, device: str | None, waits: Sequence[Timepoint], items: Sequence[Item]) -> Timepoint:
        """A batch of commands, queued on a device."""
        with self.lock:
            self.submissions += 1
            if self.started is None:
                self.started = time.perf_counter()
            node = self.ledger.submit(self._clock(waits))
            note(self.ledger, node, items, self.ledger.problem)
            made = Timepoint(self.ledger.clock[node])
            self.open += 1
            self._worker(device)

            parts = list(steps(items))

            def ready() -> None:
                self._queue(device, node, lambda: self._perform(device, node, parts, 0, made))

            over = abandoned(items, made)
            if over is not None:
                made.waiters.append(over)
                self.meetings += [c.meeting for item in items for c in commands_in(item) if c.meeting is not None]
            made.waiters.append(self._closed)
            self._when(waits, made, ready)
        return made

    def wait(self, point: Timepoint) -> None:
        """The host waits; raises what failed."""
        with self.lock:
            self.host_waits += 1
            while not point.reached:
                if self._idle() and not self._starved() and not point.reached:
                    raise StreamFault(
                        "deadlock: the host waits for a timepoint that nothing reaches" + stuck(self.meetings)
                    )
                if not point.reached:
                    self.lock.wait()
            self.ledger.host |= point.clock
            self._clock_end()
        if point.error is not None:
            raise point.error

    def drain(self) -> None:
        """Wait until everything submitted is over."""
        with self.lock:
            while True:
                if self._idle():
                    if not self._starved():
                        break
                else:
                    self.lock.wait()
            found = stuck(self.meetings)
            if found:
                self.ledger.problem(f"a submission never ends{found}")
            self.meetings.clear()
            self._clock_end()

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

    def close(self) -> None:
        """End the workers."""
        with self.lock:
            self.closing = True
            self.lock.notify_all()
        for thread in self.threads:
            thread.join()
        self.threads.clear()

    def held(self) -> dict[str, int]:
        """Bytes still allocated per device."""
        return {name: size for name, size in self.used.items() if size}

    # ---- inside -----------------------------------------------------------------------------------------------------

    def _clock_end(self) -> None:
        if self.started is not None:
            self.seconds = time.perf_counter() - self.started

    def _closed(self) -> None:
        self.open -= 1
        self.lock.notify_all()

    def _clock(self, waits: Sequence[Timepoint]) -> int:
        clock = 0
        for p in waits:
            clock |= p.clock
        return clock

    def _when(
        self, waits: Sequence[Timepoint], made: Timepoint, action: Callable[[], None], even_failed: bool = False
    ) -> None:
        missing = [p for p in waits if not p.reached]
        state = {"left": len(missing)}

        def fire() -> None:
            failed = next((p.error for p in waits if p.error is not None), None) or self.cancelled
            if failed is not None and not even_failed:
                self._reach(made, failed)
                return
            if failed is not None:
                made.error = failed
            action()

        def one() -> None:
            state["left"] -= 1
            if state["left"] == 0:
                fire()

        if missing:
            for p in missing:
                p.waiters.append(one)
        else:
            fire()

    def _reach(self, point: Timepoint, failure: HeadraceError | None = None) -> None:
        work: list[tuple[Timepoint, HeadraceError | None]] = [(point, failure)]
        while work:
            at, problem = work.pop()
            if at.reached:
                continue
            if problem is not None:
                at.error = problem
            at.reached = True
            waiters, at.waiters = at.waiters, []
            for waiter in waiters:
                waiter()
        self.lock.notify_all()

    def _worker(self, device: str | None) -> None:
        if device in self.queues:
            return
        self.queues[device] = []
        for number in range(self.system.device(device).parallel):
            thread = threading.Thread(
                target=self._work, args=(device,), name=f"{device or UNNAMED}-{number}", daemon=True
            )
            self.threads.append(thread)
            thread.start()

    def _work(self, device: str | None) -> None:
        queue = self.queues[device]
        while True:
            with self.lock:
                while not queue and not self.closing:
                    self.lock.wait()
                if not queue:
                    return
                *_, action = heapq.heappop(queue)
                self.running += 1
            action()

    def _queue(self, device: str | None, node: int, action: Callable[[], None]) -> None:
        """Give a device's workers something to do; the lock is held."""
        self.numbers += 1
        heapq.heappush(self.queues[device], (node, self.numbers, action))
        self.lock.notify_all()

    def _perform(
        self, device: str | None, node: int, parts: Sequence[Item | list[Command]], index: int, made: Timepoint
    ) -> None:
        """Run the steps of a submission from one on, up to the next collective that others have not come to yet."""
        failure = self.cancelled if index == 0 else None
        while failure is None and index < len(parts):
            part = parts[index]
            if isinstance(part, list):
                self._meet(device, node, parts, index, made, part)
                return
            failure = self._item(part)
            index += 1
        with self.lock:
            self.running -= 1
            self._reach(made, failure)

    def _meet(
        self,
        device: str | None,
        node: int,
        parts: Sequence[Item | list[Command]],
        index: int,
        made: Timepoint,
        commands: list[Command],
    ) -> None:
        """Come to collectives; the worker goes on with other work, the submission when data has moved."""
        state: dict[str, Any] = {"left": len(commands), "failure": None}

        def go_on() -> None:
            failure = None
            for command in commands:
                failure = failure or self._item(command)
            if failure is None:
                self._perform(device, node, parts, index + 1, made)
                return
            with self.lock:
                self.running -= 1
                self._reach(made, failure)

        def met(failure: HeadraceError | None) -> None:
            state["left"] -= 1
            state["failure"] = state["failure"] or failure
            if state["left"] == 0:
                if state["failure"] is not None:
                    self._reach(made, state["failure"])
                else:
                    self._queue(device, node, go_on)

        with self.lock:
            self.running -= 1
            for command in commands:
                assert command.participant is not None
                for call, failure in command.meeting.arrive(command.participant(met)):
                    call(failure)
            self.lock.notify_all()

    def _item(self, item: Item) -> HeadraceError | None:
        if isinstance(item, Command):
            try:
                store = item.run()
                if store is not None:
                    store()
            except HeadraceError as problem:
                return problem
            except Exception as problem:  # a kernel body may fail in any way
                return StreamFault(f"kernel '{item.name}' failed: {problem}", item.op)
            return None
        if isinstance(item, Parallel):
            # Read everything first: no part may see what another one writes.
            stores: list[Any] = []
            for part in item.parts:
                if not isinstance(part, Command):
                    failure = self._item(part)
                    if failure is not None:
                        return failure
                    continue
                try:
                    stores.append(part.run())
                except HeadraceError as problem:
                    return problem
                except Exception as problem:
                    return StreamFault(f"kernel '{part.name}' failed: {problem}", part.op)
            for store in stores:
                if store is not None:
                    store()
            return None
        for part in item.parts:
            failure = self._item(part)
            if failure is not None:
                return failure
        return None

    def _allocate(self, storage: Storage, made: Timepoint) -> None:
        device = storage.device or UNNAMED
        limit = self.system.device(storage.device).memory_bytes
        if self.used.get(device, 0) + storage.size > limit:
            self.blocked.append((storage, made))
            self.lock.notify_all()
            return
        self.used[device] = self.used.get(device, 0) + storage.size
        self.present.add(storage.number)
        self._reach(made)

    def _release(self, storage: Storage, made: Timepoint) -> None:
        if storage.number in self.present:
            self.present.discard(storage.number)
            self.used[storage.device or UNNAMED] -= storage.size
            storage.data = None
        self._reach(made)
        waiting, self.blocked = self.blocked, []
        for other, point in waiting:
            self._allocate(other, point)

    def _idle(self) -> bool:
        """Nothing runs, is queued, or is waited for outside."""
        return not self.running and not self.outside and not any(self.queues.values())

    def _starved(self) -> bool:
        """Nothing runs any more: the allocations that still wait fail."""
        if not self.blocked or not self._idle():
            return False
        waiting, self.blocked = self.blocked, []
        for storage, point in waiting:
            name = storage.device or UNNAMED
            self._reach(
                point,
                StreamFault(
                    f"device '{name}' is out of memory: {storage.size} bytes asked for, "
                    f"{self.system.device(storage.device).memory_bytes - self.used.get(name, 0)} free"
                ),
            )
        return True
