"""Timepoints imported from and exported to events of the runtime."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.runtime.errors import StreamError
from headrace.runtime.operation import Event
from headrace.runtime.stream import Stream
from headrace.stream.fences import Fence
from headrace.stream.interpreter import Program
from headrace.stream.simulator import Simulator
from headrace.stream.system import System
from headrace.stream.threads import ThreadExecutor

TEXT = """
util.func public @f(%x: !hal.buffer_view, %wait: !hal.fence, %done: !hal.fence) -> (!hal.buffer_view, !hal.fence) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %in = stream.tensor.import %x : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
  %t0 = stream.timepoint.import %wait : (!hal.fence) => !stream.timepoint
  %out, %t1 = stream.resource.alloca uninitialized await(%t0) => !stream.resource<external>{%c16} => !stream.timepoint
  %t2 = stream.cmd.execute await(%t1) => with(%in as %i: !stream.resource<external>{%c16}, %out as %o: !stream.resource<external>{%c16}) {
    stream.cmd.copy %i[%c0], %o[%c0], %c16 : !stream.resource<external>{%c16} -> !stream.resource<external>{%c16}
  } => !stream.timepoint
  stream.timepoint.chain_external %t2 => (%done : !hal.fence)
  %e = stream.timepoint.export %t2 => (!hal.fence)
  %r = stream.timepoint.await %t2 => %out : !stream.resource<external>{%c16}
  %v = stream.tensor.export %r : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %v, %e : !hal.buffer_view, !hal.fence
}
"""  # noqa: E501
X = np.arange(4, dtype=np.float32)
EXECUTORS: list[Callable[[System], Any]] = [Simulator, ThreadExecutor]


@pytest.mark.parametrize("make", EXECUTORS)
def test_waits_for_an_event_and_signals_a_stream(make: Callable[[System], Any]) -> None:
    order: list[str] = []
    go = threading.Event()
    before, after = Stream(), Stream()

    def first() -> None:
        go.wait()
        order.append("before")

    before.submit(first)
    event = before.record()
    done = Fence(stream=after)
    executor = make(System())
    threading.Timer(0.05, go.set).start()
    view, exported = Program(parse_module(TEXT), executor).run([X, event, done])
    order.append("graph")
    np.testing.assert_array_equal(view, X)
    after.submit(lambda: order.append("after"))
    after.synchronize()
    assert order == ["before", "graph", "after"]
    assert done.event is not None and done.event.query()
    assert isinstance(exported, Fence) and exported.point is not None and exported.point.reached
    executor.ledger.check()
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_failures_cross_in_both_directions(make: Callable[[System], Any]) -> None:
    before, after = Stream(), Stream()

    go = threading.Event()

    def fail() -> None:
        go.wait()
        raise RuntimeError("the sensor is off")

    before.submit(fail)
    event = before.record()
    go.set()
    done = Fence(stream=after)
    executor = make(System())
    with pytest.raises(HeadraceError, match="the sensor is off"):
        Program(parse_module(TEXT), executor).run([X, event, done])
    assert not executor.held()
    with pytest.raises(StreamError):
        after.synchronize()
    if isinstance(executor, ThreadExecutor):
        executor.close()


def test_no_event_is_no_wait() -> None:
    program = Program(parse_module(TEXT), Simulator(System()))
    for fence in (Event(), Fence()):
        view, _ = program.run([X, fence, Fence()])
        np.testing.assert_array_equal(view, X)


def test_a_fence_is_signalled_once() -> None:
    program = Program(parse_module(TEXT), Simulator(System()))
    done = Fence()
    program.run([X, Event(), done])
    with pytest.raises(HeadraceError, match="signalled twice"):
        program.run([X, Event(), done])


def test_fences_chain_programs() -> None:
    """A fence that one program signals is what another one waits for."""
    first, second = (Program(parse_module(TEXT), Simulator(System())) for _ in range(2))
    done = Fence()
    first.run([X, Event(), done])
    view, _ = second.run([X + 1, done, Fence()])
    np.testing.assert_array_equal(view, X + 1)
