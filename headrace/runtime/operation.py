"""What streams execute: operations, which are their own futures, and events."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime.errors import StreamError, runtime_error
from headrace.runtime.timeline import Span

if TYPE_CHECKING:
    from headrace.runtime.stream import Stream


class Operation:
    """A piece of work of a stream and the future of its result.

    ``action`` runs on the device's worker thread (or on a thread that waits for the device). ``keep`` are objects
    that must live until it has run. ``spans`` is what it takes in simulated time; ``action`` sets the cycles it knows
    only afterwards.
    """

    __slots__ = ("action", "callbacks", "done", "error", "keep", "name", "spans", "stream", "times", "value", "waiters",
                 "waits")  # fmt: skip

    def __init__(
        self,
        name: str,
        action: Callable[[], Any],
        keep: tuple[Any, ...] = (),
        spans: tuple[Span, ...] = (),
        waits: tuple[Operation, ...] = (),
    ):
        self.name, self.action, self.keep, self.spans, self.waits = name, action, keep, spans, waits
        self.done = False
        self.value: Any = None
        self.error: HeadraceError | None = None
        self.stream: Stream | None = None
        self.callbacks: tuple[Callable[[Operation], Any], ...] = ()
        self.waiters: list[Stream] = []
        self.times: tuple[float, float] = (0.0, 0.0)

    def wait(self) -> None:
        """Block until it has run, was dropped, or has failed. Raises nothing of that."""
        assert self.stream is not None
        self.stream.executor.wait(self)

    def add_done_callback(self, callback: Callable[[Operation], Any]) -> None:
        """Call ``callback(self)`` when it is over, on the thread that ran it; at once if it is over already."""
        assert self.stream is not None
        self.stream.executor.when_done(self, callback)

    def result(self) -> Any:
        """Wait, and give its value. Raises :class:`StreamError` if it failed or was dropped after a failure."""
        assert self.stream is not None
        if not self.done:
            self.stream.executor.wait(self)
        self.stream.observed(self)
        if self.error is not None:
            self.stream.reported(self.error)
            raise StreamError(self.error.diagnostics) from self.error.__cause__
        return self.value


class Event:
    """A mark in a stream. ``record`` it, then ``stream.wait(event)``, ``query``, ``synchronize``, ``elapsed``.

    Waiting for an event that was never recorded is no wait. Recording again moves the mark; who waited already waits
    for the old one.
    """

    def __init__(self) -> None:
        self._operation: Operation | None = None

    def record(self, stream: Stream) -> Event:
        """Mark the end of everything submitted to ``stream`` so far. Returns itself."""
        operation = Operation("event", _nothing, spans=(Span("event", None, 0),))
        stream.enqueue(operation)
        self._operation = operation
        return self

    @property
    def operation(self) -> Operation | None:
        """The recorded mark."""
        return self._operation

    def query(self) -> bool:
        """True if everything before the mark has run (or nothing was recorded)."""
        return self._operation is None or self._operation.done

    def synchronize(self) -> None:
        """Block until everything before the mark has run. Raises :class:`StreamError` if its stream failed."""
        if self._operation is not None:
            self._operation.result()

    def cycle(self) -> int:
        """Simulated cycle of the mark. Waits for all work submitted to its device so far."""
        if self._operation is None:
            raise runtime_error("the event was never recorded")
        self._operation.result()
        span = self._operation.spans[0]
        if span.end < 0:
            assert self._operation.stream is not None
            self._operation.stream.executor.place()
        return span.end

    def elapsed_cycles(self, later: Event) -> int:
        """Simulated cycles from this mark to ``later`` (of the same device)."""
        mine, other = self._operation, later._operation
        if mine is not None and other is not None and _executor(mine) is not _executor(other):
            raise runtime_error("the events belong to different devices")
        return later.cycle() - self.cycle()

    def elapsed(self, later: Event) -> float:
        """Simulated microseconds from this mark to ``later``. Raises if the device file gives no clock."""
        cycles = self.elapsed_cycles(later)
        assert self._operation is not None
        clock = _executor(self._operation).timeline.clock_mhz
        if not clock:
            raise runtime_error("the device file gives no clock frequency; use elapsed_cycles")
        return cycles / clock


def _executor(operation: Operation) -> Any:
    assert operation.stream is not None
    return operation.stream.executor


def _nothing() -> None:
    return None
