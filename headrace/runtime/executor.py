"""Runs the operations of one device: one at a time, each stream in order, urgent streams first.

A device has one worker thread. A thread that waits for the device runs operations itself instead of sleeping, which
saves two thread switches a launch; so host callbacks run on the worker or on a waiting thread, one at a time.
Functional order and simulated time are separate things: see :mod:`headrace.runtime.timeline`.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from headrace.ir.diagnostics import Diagnostic, HeadraceError
from headrace.runtime.errors import runtime_error
from headrace.runtime.operation import Operation
from headrace.runtime.timeline import Span, Timeline

if TYPE_CHECKING:
    from headrace.runtime.stream import Stream


AWAKE, NAP, BURST = 0.02, 0.005, 4
"""Seconds after a submission during which the worker only naps, how long a nap is, and how many naps a burst of
submissions may last before the worker cuts in. Waking a thread costs the submitter far more than queueing, and who
waits for a result runs the work itself."""

PATIENCE = 0.5
"""Seconds after which a waiting thread looks again whether it can run operations itself."""


class _State:
    """What the worker looks at while it sleeps. ``ready``: heap of (priority, order, stream)."""

    def __init__(self) -> None:
        self.ready: list[tuple[int, int, Stream]] = []
        self.helpers = 0
        self.latest = 0.0
        self.stopped = False
        self.asleep = False


_executors: weakref.WeakSet[Executor] = weakref.WeakSet()


class Executor:
    """Queue and worker of one device."""

    def __init__(self, timeline: Timeline, name: str):
        self.timeline, self.name = timeline, name
        self.lock = threading.Lock()
        self.work = threading.Condition(self.lock)
        self._waiters: list[tuple[Callable[[], bool], threading.Lock]] = []
        self.running = threading.RLock()
        self.runner = 0
        self.state = _State()
        self.pending = 0
        self.stopped = False
        self._order = 0
        self._thread: threading.Thread | None = None
        _executors.add(self)

    # -- submission ----------------------------------------------------------------------------------------------------
    def submit(self, stream: Stream, operation: Operation) -> None:
        """Queue an operation. Raises :class:`StreamError` if the stream has failed; then nothing is queued."""
        operation.stream = stream
        with self.lock:
            if self.stopped:
                raise runtime_error(f"device '{self.name}' is closed")
            stream.check()
            for span in operation.spans:
                self.timeline.submit(stream.lane, span)
            self.pending += 1
            self.state.latest = now = time.perf_counter()
            operation.times = (now, 0.0)
            stream.queue.append(operation)
            if len(stream.queue) == 1:
                self._offer(stream)
            thread = self._thread
            if thread is None or not thread.is_alive():
                self._start()
            elif self.state.asleep:
                self.work.notify()

    def _start(self) -> None:
        self._thread = threading.Thread(target=_worker, args=(weakref.ref(self), self.work), daemon=True)
        self._thread.name = f"device {self.name}"
        self._thread.start()

    def _offer(self, stream: Stream) -> None:
        """The head of a stream may run, or waits for operations elsewhere that wake the stream. Lock held."""
        for other in stream.queue[0].waits:
            if not other.done:
                other.waiters.append(stream)
                if not other.done:  # it may have ended on another device meanwhile
                    return
        stream.offered = True
        self._order += 1
        heappush(self.state.ready, (stream.priority, self._order, stream))

    def wake(self, stream: Stream) -> None:
        """Something that the head of a stream waited for has ended."""
        with self.lock:
            if stream.queue and not stream.offered:
                self._offer(stream)
                self.work.notify()

    # -- running -------------------------------------------------------------------------------------------------------
    def run_one(self) -> bool:
        """Run one operation if there is one. ``running`` is held."""
        with self.lock:
            if not self.state.ready:
                return False
            stream = heappop(self.state.ready)[2]
            stream.offered = False
            operation = stream.queue[0]
        outer, self.runner = self.runner, threading.get_ident()
        began = time.perf_counter()
        failure: BaseException | None = None
        try:
            source = next((w for w in operation.waits if w.error is not None), None)
            if source is not None:
                assert source.stream is not None and source.error is not None
                raise _blame(source.error, f"waited for by {operation.name} on stream {stream.number}")
            operation.value = operation.action()
        except BaseException as e:
            failure = e
        self.runner = outer
        times = (operation.times[0], began, time.perf_counter())
        self._finish(stream, operation, failure, times)
        if failure is not None and not isinstance(failure, Exception):
            raise failure
        return True

    def _finish(
        self, stream: Stream, operation: Operation, failure: BaseException | None, times: tuple[float, ...]
    ) -> None:
        over = [operation]
        settle = False
        with self.lock:
            stream.queue.popleft()
            if failure is not None:
                operation.error = _located(failure, operation, stream)
                stream.fail(operation.error)
                over += stream.queue
                stream.queue.clear()
            for op in over:
                if op is not operation:
                    op.error = operation.error
                for span in op.spans:
                    if span.cycles is None or op.error is not None:
                        span.cycles, span.dropped = span.cycles or 0, op.error is not None
                    span.host = (times[0], times[1], times[2])
                    settle = self.timeline.executed(span) or settle
                op.done = True
                op.action, op.keep, op.waits = _dropped, (), ()
            else:
                stream.completed += 1
            self.pending -= len(over)
            if stream.queue:
                self._offer(stream)
            for waiter in [w for w in self._waiters if w[0]()]:
                self._waiters.remove(waiter)
                waiter[1].release()
        for op in over:
            for waiting in tuple(op.waiters):
                waiting.executor.wake(waiting)
            for callback in op.callbacks:
                self._call(op, callback)
        if settle:
            self.timeline.settle()

    def _call(self, operation: Operation, callback: Callable[[Operation], Any]) -> None:
        """A completion callback; what it raises fails the stream."""
        try:
            callback(operation)
        except Exception as e:
            assert operation.stream is not None
            with self.lock:
                operation.stream.fail(_located(e, operation, operation.stream))

    def when_done(self, operation: Operation, callback: Callable[[Operation], Any]) -> None:
        """Call back when an operation is over; at once if it is."""
        with self.lock:
            if not operation.done:
                operation.callbacks = (*operation.callbacks, callback)
                return
        self._call(operation, callback)

    # -- waiting -------------------------------------------------------------------------------------------------------
    def wait(self, operation: Operation) -> None:
        """Block until an operation is over, running operations meanwhile."""
        self._wait(lambda: operation.done)

    def wait_stream(self, stream: Stream) -> None:
        """Block until nothing is queued on a stream."""
        self._wait(lambda: not stream.queue)

    def drain(self) -> None:
        """Block until nothing is queued on the device."""
        self._wait(lambda: self.pending == 0)

    def _wait(self, over: Callable[[], bool]) -> None:
        """Run operations until ``over()``, which is asked under the lock; if others run them, sleep until then."""
        if over():
            return
        if self.runner == threading.get_ident():
            raise runtime_error(f"a callback of device '{self.name}' waits for work behind itself")
        while not over():
            if self.running.acquire(blocking=False):
                with self._help():
                    try:
                        busy = self.run_one()
                    finally:
                        self.running.release()
                if busy:
                    continue
            with self.lock:
                if over():
                    return
                waiter = (over, threading.Lock())
                waiter[1].acquire()
                self._waiters.append(waiter)
            if not waiter[1].acquire(timeout=PATIENCE):
                with self.lock:
                    if waiter in self._waiters:
                        self._waiters.remove(waiter)

    @contextmanager
    def _help(self) -> Iterator[None]:
        """The worker sleeps while another thread runs operations."""
        with self.lock:
            self.state.helpers += 1
        try:
            yield
        finally:
            with self.lock:
                self.state.helpers -= 1
                if self.state.ready:
                    self.work.notify()

    def place(self) -> None:
        """Execute what was submitted so far and place it in simulated time."""
        with self.lock:
            self.timeline.close()
        self.drain()
        self.timeline.settle()
        if self.timeline.behind:
            others = [e for e in list(_executors) if e is not self]
            for other in others:
                other.close_generation()
                other.drain()
            for _ in range(1 + len(others)):
                for other in others:
                    other.timeline.settle()
                self.timeline.settle()

    def close_generation(self) -> None:
        """What was submitted so far is placed in simulated time without regard to what follows."""
        with self.lock:
            self.timeline.close()

    def waited(self, spans: tuple[Span, ...]) -> None:
        """The host has waited for spans."""
        if spans:
            with self.lock:
                self.timeline.waited(spans)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep the machine to oneself: no operation runs inside the ``with`` block."""
        with self.running, self._help():
            yield

    def stop(self) -> None:
        """End the worker; what is queued is dropped."""
        with self.lock:
            self.stopped = self.state.stopped = True
            self.work.notify_all()


def _worker(reference: weakref.ref[Executor], work: threading.Condition) -> None:
    """The thread of a device. It does not keep the device alive while it sleeps."""
    while True:
        executor = reference()
        if executor is None or executor.stopped:
            return
        if executor.running.acquire(blocking=False):
            try:
                while executor.run_one():
                    pass
            finally:
                executor.running.release()
        state = executor.state
        del executor
        with work:
            patience = BURST
            while not state.stopped:
                quiet = time.perf_counter() - state.latest
                if state.ready and not state.helpers and (quiet > NAP / 5 or patience <= 0):
                    break
                state.asleep = quiet > AWAKE and not state.ready
                work.wait(5.0 if state.asleep else NAP)
                if state.asleep:
                    break  # there is work, or the device is closed or gone
                patience -= 1
            state.asleep = False


def _dropped() -> None:
    return None


def _located(failure: BaseException, operation: Operation, stream: Stream) -> HeadraceError:
    """The failure with a note that names operation and stream."""
    if not isinstance(failure, HeadraceError):
        text = f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__
        made = HeadraceError(Diagnostic("error", text))
        made.__cause__ = failure
        failure = made
    return _blame(failure, f"in {operation.name} on stream {stream.number}")


def _blame(failure: HeadraceError, text: str) -> HeadraceError:
    first, *rest = failure.diagnostics
    note = Diagnostic("note", text)
    named = HeadraceError([Diagnostic(first.severity, first.message, first.loc, (*first.notes, note)), *rest])
    named.__cause__ = failure.__cause__ or failure
    return named
