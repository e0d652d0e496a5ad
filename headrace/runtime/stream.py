"""Streams: FIFO queues of device work.

Submitting never runs anything. Work runs, in submission order, when somebody looks: ``synchronize``, ``query``,
reading a tensor. There are no worker threads, so nothing but the order of submission decides what happens. A failure
is sticky: what is queued behind it is dropped, and the stream refuses further work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime.errors import StreamError


class Stream:
    """One FIFO queue. ``limit`` is the number of operations after which submission runs the oldest ones."""

    def __init__(self, number: int = 0, limit: int = 256):
        self.number = number
        self.limit = limit
        self.completed = 0
        self._queue: deque[tuple[Callable[[], Any], tuple[Any, ...]]] = deque()
        self._error: HeadraceError | None = None

    def submit(self, operation: Callable[[], Any], *keep: Any) -> None:
        """Queue an operation. ``keep`` are objects (tensors, kernels) that must live until it has run.

        Raises :class:`StreamError` if an earlier operation of this stream failed.
        """
        self.check()
        self._queue.append((operation, keep))
        while len(self._queue) > self.limit and self._error is None:
            self._step()

    def check(self) -> None:
        """Raise :class:`StreamError` if the stream has failed."""
        if self._error is not None:
            raise StreamError(self._error.diagnostics)

    def synchronize(self) -> None:
        """Run everything queued. Raises :class:`StreamError` for a failure, now or earlier."""
        while self._queue and self._error is None:
            self._step()
        self.check()

    def query(self) -> bool:
        """True if nothing is queued. Raises :class:`StreamError` after a failure."""
        self.check()
        return not self._queue

    def _step(self) -> None:
        operation, _ = self._queue.popleft()
        try:
            operation()
            self.completed += 1
        except HeadraceError as e:
            self._error = e
            self._queue.clear()
