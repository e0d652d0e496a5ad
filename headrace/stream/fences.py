"""Fences: points where timelines of a program and of the runtime's streams meet.

`timepoint.import` takes a fence (or an event of the runtime) as its operand, `timepoint.export` makes one,
`timepoint.chain_external` signals one of the caller.
"""

from __future__ import annotations

import threading
from typing import Any

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime.operation import Event
from headrace.runtime.stream import Stream
from headrace.stream.execution import IMMEDIATE, Timepoint
from headrace.stream.runtime_memory import StreamFault


class Fence:
    """A point on a timeline.

    `event`: reached when everything before this event of the runtime has run; without a point and an event it is
    reached from the start. `stream`: when the fence is signalled, later work of this stream of the runtime waits for
    it, and `event` is the mark in the stream that others may wait for. If what the fence stands for fails, so does the
    stream.
    """

    def __init__(self, event: Event | None = None, stream: Stream | None = None):
        self.event = event
        self.stream = stream
        self.point: Timepoint | None = None
        """Where it was signalled, None before."""
        self._imported: dict[int, Timepoint] = {}

    def timepoint(self, executor: Any) -> Timepoint:
        """The fence as a timepoint of an executor."""
        if self.point is not None:
            return self.point
        operation = self.event.operation if self.event is not None else None
        if operation is None:
            return IMMEDIATE
        found = self._imported.get(id(executor))
        if found is None:
            found = self._imported[id(executor)] = executor.external(operation)
        return found

    def signal(self, point: Timepoint) -> None:
        """Reached when `point` is. Raises StreamFault the second time."""
        if self.point is not None:
            raise StreamFault("a fence is signalled twice")
        self.point = point
        if self.stream is None:
            return
        over = threading.Event()
        if point.reached:
            over.set()
        else:
            point.waiters.append(over.set)

        def wait() -> None:
            over.wait()
            if point.error is not None:
                raise point.error

        self.stream.submit(wait, name="a timepoint of a graph")
        self.event = self.stream.record()

    def give_up(self, failure: HeadraceError) -> None:
        """The invocation is over; what has not been reached never will be."""
        point = self.point
        if point is not None and not point.reached:
            point.error = failure
            point.reached = True
            waiters, point.waiters = point.waiters, []
            for waiter in waiters:
                waiter()


def fence_of(value: Any) -> Fence:
    """A fence operand: events of the runtime count as fences."""
    return Fence(value) if isinstance(value, Event) else value
