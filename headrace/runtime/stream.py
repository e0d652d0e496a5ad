"""Streams: FIFO queues of device work.

Submitting never waits for the device. Each device has a worker that runs what its streams hold: every stream in order,
more urgent streams first. A failure is deferred: it is raised once, by the next ``synchronize`` or ``result``, and
names the kernel and the launch; what was queued behind it is dropped, and the stream takes no more work until
:meth:`Stream.reset`. Other streams go on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime.convert import as_array
from headrace.runtime.errors import StreamError
from headrace.runtime.executor import Executor
from headrace.runtime.operation import Event, Operation
from headrace.runtime.timeline import TO_DEVICE, TO_HOST, HostTiming, Span, Timeline
from headrace.runtime.trace import chrome_trace

if TYPE_CHECKING:
    from headrace.runtime.tensor import Tensor

_current = threading.local()


class Stream:
    """One FIFO queue of a device; made by :meth:`headrace.runtime.Device.stream`.

    ``priority``: lower numbers are more urgent, 0 is normal. Used as a context manager it becomes the stream that
    launches of this thread go to by default.
    """

    def __init__(
        self, number: int = 0, executor: Executor | None = None, priority: int = 0, timing: HostTiming | None = None
    ):
        self.number, self.priority = number, priority
        self.executor = executor or Executor(Timeline(None), "host")
        self.timing = timing or HostTiming()
        self.lane = self.executor.timeline.lane(number, priority)
        self.queue: deque[Operation] = deque()
        self.offered = False
        self.completed = 0
        self._error: HeadraceError | None = None
        self._unreported: HeadraceError | None = None
        self._outer: list[Stream | None] = []

    # -- submission ----------------------------------------------------------------------------------------------------
    def enqueue(self, operation: Operation) -> Operation:
        """Queue an operation. Raises :class:`StreamError` if the stream has failed; nothing is queued then."""
        self.executor.submit(self, operation)
        return operation

    def submit(self, action: Callable[[], Any], *keep: Any, name: str = "callback", barrier: bool = True) -> Operation:
        """Queue a host callback; the result is the future of its value.

        ``keep`` are objects (tensors, kernels) that must live until it has run. What it raises fails the stream. It
        must not wait for its own device. ``barrier``: in simulated time it starts after everything queued before, not
        only after earlier operations without a barrier and events that were waited for; it always runs in order.
        """
        return self.enqueue(Operation(name, action, keep, (Span(name, None, 0, barrier),)))

    callback = submit

    def to_device(self, tensor: Tensor, array: Any, barrier: bool = True) -> Operation:
        """Queue a copy of ``array`` (converted now) to a tensor. Raises for a wrong shape or type at once.

        Without ``barrier`` its simulated time may overlap earlier device work (double buffering): only for a tensor
        that this work does not use.
        """
        values = as_array(array)
        raw = tensor.encode(values)
        if np.shares_memory(raw, values):
            raw = raw.copy()
        tensor.used(self)
        span = Span(f"to {tensor.name}", TO_DEVICE, self.timing.transfer(tensor.device_bytes), barrier)
        return self.enqueue(Operation(f"transfer to '{tensor.name}'", lambda: tensor.store(raw), (tensor,), (span,)))

    def to_host(self, tensor: Tensor, barrier: bool = True) -> Operation:
        """Queue a copy from a tensor; the future's result is a NumPy array. ``barrier`` as in :meth:`to_device`."""
        tensor.check()
        span = Span(f"from {tensor.name}", TO_HOST, self.timing.transfer(tensor.device_bytes), barrier)
        return self.enqueue(Operation(f"transfer from '{tensor.name}'", tensor.load, (tensor,), (span,)))

    def record(self, event: Event | None = None) -> Event:
        """Mark the end of what was submitted so far."""
        return (event or Event()).record(self)

    def wait(self, event: Event) -> None:
        """What is submitted from now on starts after ``event`` (of any device), as recorded now.

        If the stream of the event fails before it, this stream fails too.
        """
        operation = event.operation
        if operation is None or (operation.stream is self and operation.done):
            return
        span = Span("wait", None, 0)
        span.fence, span.after = True, operation.spans
        assert operation.stream is not None
        if operation.stream.executor is not self.executor:
            operation.stream.executor.close_generation()
        self.enqueue(Operation("a wait for an event", _nothing, (), (span,), (operation,)))

    # -- waiting -------------------------------------------------------------------------------------------------------
    def check(self) -> None:
        """Raise :class:`StreamError` if the stream has failed and was not reset."""
        if self._error is not None:
            raise StreamError(self._error.diagnostics)

    def synchronize(self) -> None:
        """Wait until everything submitted has run. Raises :class:`StreamError` for a failure not yet reported."""
        self.executor.wait_stream(self)
        self._wait_over()
        self.raise_deferred()

    def raise_deferred(self) -> None:
        """Raise a failure that nobody has seen yet."""
        failure, self._unreported = self._unreported, None
        if failure is not None:
            raise StreamError(failure.diagnostics) from failure.__cause__

    def query(self) -> bool:
        """True if nothing is queued or running. Raises :class:`StreamError` after a failure."""
        if self.queue:
            return False
        self._unreported = None if self._error is not None else self._unreported
        self.check()
        return True

    def reset(self) -> None:
        """Take work again after a failure."""
        self.executor.wait_stream(self)
        self._error = self._unreported = None

    @property
    def failed(self) -> bool:
        """True after a failure, until :meth:`reset`."""
        return self._error is not None

    def _wait_over(self) -> None:
        last = self.lane.last
        if last is not None:
            self.executor.waited((last,))

    # -- called by the executor and by futures -------------------------------------------------------------------------
    def fail(self, failure: HeadraceError) -> None:
        """Remember a failure, the first one since the last reset."""
        if self._error is None:
            self._error = self._unreported = failure

    def reported(self, failure: HeadraceError) -> None:
        """Somebody has seen a failure."""
        if self._unreported is failure:
            self._unreported = None

    def observed(self, operation: Operation) -> None:
        """The host has waited for an operation of this stream."""
        if operation.spans:
            self.executor.waited(operation.spans[-1:])

    # -- figures -------------------------------------------------------------------------------------------------------
    def trace(self) -> dict[str, Any]:
        """Chrome trace (opens in Perfetto) of the latest operations; waits for the device.

        Two clocks side by side: simulated time by resource, and host time. ``json.dump`` it to a file.
        """
        self.executor.place()
        return chrome_trace([self.lane], self.executor)

    # -- the stream of a thread ----------------------------------------------------------------------------------------
    def __enter__(self) -> Stream:
        table = _streams()
        self._outer.append(table.get(id(self.executor)))
        table[id(self.executor)] = self
        return self

    def __exit__(self, *_: object) -> None:
        outer = self._outer.pop()
        if outer is None:
            _streams().pop(id(self.executor), None)
        else:
            _streams()[id(self.executor)] = outer

    def __repr__(self) -> str:
        return f"Stream({self.number}, priority {self.priority}, {len(self.queue)} queued)"


def current(executor: Executor) -> Stream | None:
    """The stream that a ``with`` of this thread names for a device."""
    table = getattr(_current, "table", None)
    return table.get(id(executor)) if table else None


def _streams() -> dict[int, Stream]:
    if not hasattr(_current, "table"):
        _current.table = {}
    return _current.table


def _nothing() -> None:
    return None
