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
from headrace.stream.execution import Command, Item, Parallel, Timepoint, steps
from headrace.stream.executor import Executor
from headrace.stream.runtime_memory import StreamFault
from headrace.stream.system import UNNAMED, System


class ThreadExecutor(Executor):
    """An executor for `Program`; use as a context manager, which ends the workers.

    `seconds`: time from the first submission to the end of the last, as measured.
    """

    def __init__(self, system: System, check: bool = True):
        super().__init__(system, check, threading.Condition())
        self.queues: dict[str | None, list[tuple[int, int, Callable[[], None]]]] = {}
        self.numbers = 0
        self.outside = 0
        """Operations of the runtime that work here waits for."""
        self.threads: list[threading.Thread] = []
        self.running = 0
        """Submissions that a worker runs now."""
        self.closing = False
        self.started: float | None = None
        self.seconds = 0.0

    def __enter__(self) -> ThreadExecutor:
        return self

    def __exit__(self, *problem: Any) -> None:
        self.close()

    # ---- what the host calls ----------------------------------------------------------------------------------------

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

    def execute(self, device: str | None, waits: Sequence[Timepoint], items: Sequence[Item]) -> Timepoint:
        """A batch of commands, queued on a device."""
        with self.lock:
            if self.started is None:
                self.started = time.perf_counter()
            node, made = self._submit(waits, items)
            self._worker(device)
            parts = list(steps(items))

            def ready() -> None:
                self._queue(device, node, lambda: self._perform(device, node, parts, 0, made))

            self._when(waits, made, ready)
        return made

    def wait(self, point: Timepoint) -> None:
        """The host waits; raises what failed."""
        with self.lock:
            self.host_waits += 1
            while not point.reached:
                if self._idle() and not self._starved() and not point.reached:
                    raise self._deadlock()
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
            self._ended()
            self._clock_end()

    def close(self) -> None:
        """End the workers."""
        with self.lock:
            self.closing = True
            self.lock.notify_all()
        for thread in self.threads:
            thread.join()
        self.threads.clear()

    # ---- inside -----------------------------------------------------------------------------------------------------

    def _clock_end(self) -> None:
        if self.started is not None:
            self.seconds = time.perf_counter() - self.started

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
            failure = self._item(part, device)
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
                failure = failure or self._item(command, device)
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

    def _item(self, item: Item, device: str | None) -> HeadraceError | None:
        if isinstance(item, Command):
            try:
                store = item.run(device)
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
                    failure = self._item(part, device)
                    if failure is not None:
                        return failure
                    continue
                try:
                    stores.append(part.run(device))
                except HeadraceError as problem:
                    return problem
                except Exception as problem:
                    return StreamFault(f"kernel '{part.name}' failed: {problem}", part.op)
            for store in stores:
                if store is not None:
                    store()
            return None
        for part in item.parts:
            failure = self._item(part, device)
            if failure is not None:
                return failure
        return None

    def _idle(self) -> bool:
        """Nothing runs, is queued, or is waited for outside."""
        return not self.running and not self.outside and not any(self.queues.values())

    def _starved(self) -> bool:
        return self._idle() and super()._starved()

    def _changed(self) -> None:
        self.lock.notify_all()
