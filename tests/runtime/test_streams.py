"""Streams, events, futures, deferred errors, simulated time: what is ordered, what overlaps, what fails alone."""

from __future__ import annotations

import gc
import json
import threading
from typing import Any

import numpy as np
import pytest

from headrace.codegen import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device, Event, HostTiming, Stream, StreamError
from headrace.runtime.errors import runtime_error
from tests.codegen.programs import generate, multiply
from tests.runtime.test_launch import operands, right


@pytest.fixture(scope="module")
def code() -> SpyreCode:
    return generate(multiply())


@pytest.fixture
def device() -> Device:
    return Device.open("sample")


def fault() -> None:
    raise runtime_error("hardware fault")


def test_a_stream_is_fifo_and_submission_does_not_wait(device: Device) -> None:
    order: list[int] = []
    stream, gate = device.stream(), threading.Event()
    stream.callback(gate.wait)
    for k in range(200):
        stream.submit(lambda k=k: order.append(k))
    assert order == [] and not stream.query()
    gate.set()
    stream.synchronize()
    assert order == list(range(200)) and stream.query() and stream.completed == 201


def test_work_runs_without_anybody_waiting(device: Device) -> None:
    done = threading.Event()
    device.default_stream.callback(done.set)
    assert done.wait(60)


def test_futures_and_completion_callbacks(device: Device) -> None:
    gate, seen = threading.Event(), []
    device.default_stream.callback(gate.wait)
    future = device.default_stream.callback(lambda: 7)
    future.add_done_callback(lambda f: seen.append(f.value))
    assert not future.done and seen == []
    gate.set()
    assert future.result() == 7 and seen == [7]
    future.add_done_callback(lambda f: seen.append(f.value + 1))
    assert seen == [7, 8]


def test_urgent_streams_go_first(device: Device) -> None:
    order: list[str] = []
    normal, urgent = device.stream(), device.stream(priority=-1)
    gate = threading.Event()
    device.default_stream.callback(gate.wait)
    for k in range(3):
        normal.callback(lambda k=k: order.append(f"n{k}"))
        urgent.callback(lambda k=k: order.append(f"u{k}"))
    gate.set()
    device.synchronize()
    assert order == ["u0", "u1", "u2", "n0", "n1", "n2"]


def test_priority_counts_in_simulated_time(device: Device, code: SpyreCode) -> None:
    kernels = [device.prepare(code) for _ in range(2)]
    normal, urgent = device.stream(), device.stream(priority=-1)
    gate = threading.Event()
    device.default_stream.callback(gate.wait)
    for _ in range(3):
        kernels[0].launch(normal, **operands(device))
    for _ in range(3):
        kernels[1].launch(urgent, **operands(device))
    gate.set()
    device.synchronize()
    starts = {s: computes(s.trace()) for s in (normal, urgent)}
    assert max(e["args"]["cycles"]["start"] for e in starts[urgent][1:]) < starts[normal][-1]["args"]["cycles"]["start"]


def computes(trace: dict[str, Any], resource: str = "compute") -> list[dict[str, Any]]:
    return [e for e in trace["traceEvents"] if e["ph"] == "X" and e["pid"] == 1 and e["cat"] == resource]


def test_the_correction_of_the_next_launch_overlaps_the_running_one(code: SpyreCode) -> None:
    device = Device.open("sample", host_timing=HostTiming(link_latency=3, correction_latency=2))
    kernel = device.prepare(code)
    t = operands(device)
    for _ in range(5):
        kernel.launch(**t)
    device.synchronize()
    trace = device.trace()
    spans = {r: [e["args"]["cycles"] for e in computes(trace, r)] for r in ("host", "h2d", "compute")}
    assert [len(s) for s in spans.values()] == [5, 5, 5]
    for n in range(1, 5):
        before, now = spans["compute"][n - 1], spans["compute"][n]
        assert spans["host"][n]["end"] <= before["end"] and spans["h2d"][n]["end"] <= before["end"]
        assert spans["h2d"][n]["start"] >= before["start"], "the words of the launch before were read"
        assert now["start"] == before["end"], "the machine never idles"
        assert spans["host"][n]["end"] <= spans["h2d"][n]["start"] < spans["h2d"][n]["end"] <= now["start"]
    assert device.cycle == spans["compute"][-1]["end"]


def test_the_clock_advances_by_simulated_cycles(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    start, end = Event(), Event()
    stream = device.default_stream
    before = device.cycle
    start.record(stream)
    cycles = [kernel.launch(**operands(device)) for _ in range(3)]
    end.record(stream)
    total = sum(launch.result().cycles for launch in cycles)
    elapsed = start.elapsed_cycles(end)
    assert total <= elapsed <= total + 3000 and device.cycle >= before + total
    clock = device.arch.clock_mhz
    if clock:
        assert start.elapsed(end) == pytest.approx(elapsed / clock)
    else:
        with pytest.raises(HeadraceError, match="no clock frequency"):
            start.elapsed(end)


def busy_run(code: SpyreCode, jitter: float) -> list[Any]:
    device = Device.open("sample")
    kernels = [device.prepare(code) for _ in range(3)]
    streams = [device.stream(p) for p in (0, 0, -1)]
    data = [operands(device, k) for k in range(3)]
    event = Event()
    for n in range(12):
        stream = streams[n % 3]
        if n == 4:
            event.record(stream)
        if n == 5:
            stream.wait(event)
        kernels[n % 3].launch(stream, **data[n % 3])
        if jitter and n % 4 == 0:
            threading.Event().wait(jitter)
        if n == 7:
            streams[1].synchronize()
    trace = device.trace()
    return [[e[k] for k in ("name", "cat", "ts", "dur", "tid")] for e in trace["traceEvents"]
            if e["ph"] == "X" and e["pid"] == 1]  # fmt: skip


def test_simulated_times_do_not_depend_on_when_the_host_runs(code: SpyreCode) -> None:
    assert busy_run(code, 0) == busy_run(code, 0.01) == busy_run(code, 0.003)


def test_events_order_streams(device: Device) -> None:
    order: list[str] = []
    one, two = device.stream(), device.stream()
    gate, event = threading.Event(), Event()
    assert event.query()
    two.wait(event)  # never recorded: no wait
    one.callback(gate.wait)
    one.callback(lambda: order.append("one"))
    event.record(one)
    two.wait(event)
    two.callback(lambda: order.append("two"))
    assert not event.query()
    gate.set()
    two.synchronize()
    assert order == ["one", "two"] and event.query()
    event.synchronize()


def test_events_order_devices_and_their_clocks(code: SpyreCode) -> None:
    devices = [Device.open("sample"), Device.open("sample")]
    kernels = [d.prepare(code) for d in devices]
    data = [operands(d) for d in devices]
    for _ in range(4):
        kernels[0].launch(**data[0])
    event = devices[0].default_stream.record()
    devices[1].default_stream.wait(event)
    result = kernels[1].launch(**data[1]).result()
    assert devices[1].cycle >= event.cycle() + result.cycles
    with pytest.raises(HeadraceError, match="different devices"):
        event.elapsed(devices[1].default_stream.record())


def test_times_of_devices_that_wait_for_each_other(code: SpyreCode) -> None:
    one, two = Device.open("sample"), Device.open("sample")
    kernels = {d: d.prepare(code) for d in (one, two)}
    data = {d: operands(d) for d in (one, two)}
    marks = [one.default_stream.record()]
    for n in range(6):
        here = (one, two)[n % 2]
        here.default_stream.wait(marks[-1])
        kernels[here].launch(**data[here])
        kernels[here].launch(here.stream(), **data[here])
        marks.append(here.default_stream.record())
    cycles = [m.cycle() for m in reversed(marks)]
    assert cycles == sorted(cycles, reverse=True) and cycles[-1] >= 0
    assert not one.executor.timeline.behind and not two.executor.timeline.behind


def test_a_failure_is_reported_once_and_stops_its_stream_only(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    bad, good = device.stream(), device.stream()
    t, u = operands(device, 1), operands(device, 2)
    ran: list[int] = []
    gate = threading.Event()
    bad.callback(gate.wait)
    bad.callback(fault)
    dropped = kernel.launch(bad, **t)
    bad.callback(lambda: ran.append(1))
    gate.set()
    with pytest.raises(StreamError, match="hardware fault") as e:
        bad.synchronize()
    assert f"on stream {bad.number}" in str(e.value)
    bad.synchronize()
    device.synchronize()
    assert ran == [] and bad.failed
    for refused in (lambda: kernel.launch(bad, **t), lambda: bad.callback(fault), bad.query):
        with pytest.raises(StreamError, match="hardware fault"):
            refused()
    with pytest.raises(StreamError, match="hardware fault"):
        dropped.result()
    kernel.launch(good, **u).result()
    assert right(u)
    bad.reset()
    kernel.launch(bad, **t)
    assert right(t) and not bad.failed


def test_a_failing_launch_names_kernel_launch_and_stream(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    stream = device.stream()
    t = operands(device)
    kernel.launch(stream, **t).result()
    gate = threading.Event()
    stream.callback(gate.wait)
    kernel.launch(stream, **t)
    device.sim.memory.release(t["a"].address)  # the memory vanishes under the kernel
    gate.set()
    with pytest.raises(StreamError, match="outside every allocation") as e:
        device.synchronize()
    assert f"in launch 1 of kernel '{kernel.name}' on stream {stream.number}" in str(e.value)
    device.sim.memory.register(t["a"].address, 512)


def test_who_waits_for_a_failed_stream_fails_too(device: Device) -> None:
    one, two, three = (device.stream() for _ in range(3))
    gate = threading.Event()
    one.callback(gate.wait)
    one.callback(fault)
    two.wait(one.record())
    kept = three.callback(lambda: 3)
    gate.set()
    with pytest.raises(StreamError, match="hardware fault") as e:
        two.synchronize()
    assert "waited for by a wait for an event" in str(e.value)
    assert kept.result() == 3


def test_reading_a_result_surfaces_the_failure(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    stream = device.stream()
    gate = threading.Event()
    stream.callback(gate.wait)
    stream.callback(fault)
    kernel.launch(stream, **t)
    gate.set()
    with pytest.raises(StreamError, match="hardware fault"):
        t["c"].numpy()
    t["c"].numpy()


def test_exceptions_of_callbacks_are_errors_of_the_stream(device: Device) -> None:
    stream = device.stream()
    stream.callback(lambda: 1 // 0)
    with pytest.raises(StreamError, match="ZeroDivisionError") as e:
        stream.synchronize()
    assert isinstance(e.value, HeadraceError) and isinstance(e.value.__cause__, ZeroDivisionError)


def test_a_callback_may_submit_but_not_wait(device: Device) -> None:
    stream, seen = device.stream(), []
    stream.callback(lambda: stream.callback(lambda: seen.append(1)))
    stream.synchronize()
    device.synchronize()
    assert seen == [1]
    stream.callback(device.synchronize)
    with pytest.raises(StreamError, match="waits for work behind itself"):
        stream.synchronize()


def test_transfers_on_streams(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    values = np.arange(256, dtype=np.float16).reshape(4, 64)
    stream = device.stream()
    stream.to_device(t["a"], values)
    values_before = values.copy()
    values[:] = 0  # the array was taken when it was submitted
    kernel.launch(stream, **t)
    out = stream.to_host(t["c"]).result()
    assert np.array_equal(out, values_before * t["b"].numpy())
    with pytest.raises(HeadraceError, match="has shape"):
        stream.to_device(t["a"], np.zeros(3))


def test_the_current_stream_of_a_thread(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    stream, other = device.stream(), device.stream()
    with stream:
        assert device.current_stream is stream
        with other:
            assert kernel.launch(**operands(device)).stream is other
        assert kernel.launch(**operands(device)).stream is stream
    assert device.current_stream is device.default_stream
    with pytest.raises(HeadraceError, match="belongs to another device"):
        kernel.launch(Device.open("sample").default_stream, **operands(device))


def test_the_trace_is_chrome_json(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    stream = device.stream()
    for _ in range(3):
        kernel.launch(stream, **operands(device))
    trace = json.loads(json.dumps(stream.trace()))
    events = trace["traceEvents"]
    assert {e["ph"] for e in events} == {"X", "M"}
    for e in events:
        assert {"name", "ph", "pid", "tid"} <= e.keys()
        if e["ph"] == "X":
            assert e["dur"] >= 0 and e["ts"] >= 0 and isinstance(e["name"], str)
    launches = [e["args"]["launch"] for e in computes(trace)]
    assert launches == [0, 1, 2]
    for e in computes(trace):
        cycles = e["args"]["cycles"]
        assert cycles["queued"] <= cycles["start"] < cycles["end"]
    assert any(e["pid"] == 2 and e["ph"] == "X" for e in events)


def test_a_closed_device_takes_no_work(code: SpyreCode) -> None:
    with Device.open("sample") as device:
        kernel = device.prepare(code)
        t = operands(device)
        kernel.launch(**t)
    assert right(t)
    with pytest.raises(HeadraceError, match="is closed"):
        kernel.launch(**t)


def test_worker_threads_end_with_their_devices(code: SpyreCode) -> None:
    device = Device.open("sample")
    device.default_stream.callback(lambda: None).result()
    thread = device.executor._thread
    assert thread is not None and thread.is_alive()
    del device
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()


def test_a_stream_of_its_own() -> None:
    done: list[int] = []
    stream = Stream()
    for k in range(100):
        stream.submit(lambda k=k: done.append(k))
    stream.synchronize()
    assert done == list(range(100))
