"""A hundred threads launch on eight streams of four devices, and every result is checked."""

from __future__ import annotations

import gc
import random
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.codegen import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device, StreamError
from headrace.runtime.errors import runtime_error
from tests.codegen.programs import generate, multiply


def work(
    number: int, devices: list[Device], kernels: list[list[Any]], streams: list[list[Any]], stop: threading.Event,
    done: list[int], problems: list[str],
) -> None:  # fmt: skip
    """One thread: make data on some device, launch on some stream, compare."""
    rng = np.random.default_rng(number)
    choose = random.Random(number)
    try:
        while not stop.is_set():
            d = choose.randrange(len(devices))
            device, stream = devices[d], choose.choice(streams[d])
            kernel = choose.choice(kernels[d])
            values = [rng.standard_normal((4, 64)).astype(np.float16) for _ in range(2)]
            a, b = (device.tensor(v) for v in values)
            c = device.empty((4, 64), "f16")
            launch = kernel.launch(stream, a=a, b=b, c=c)
            way = choose.randrange(3)
            if way == 0:
                launch.result()
                found = c.numpy()
            elif way == 1:
                found = stream.to_host(c).result()
            else:
                event = stream.record()
                other = choose.choice(streams[d])
                other.wait(event)
                found = other.to_host(c).result()
            if not np.array_equal(found, values[0] * values[1]):
                problems.append(f"thread {number}: wrong result on device {d}, stream {stream.number}")
                return
            done[number] += 1
    except Exception as e:
        problems.append(f"thread {number}: {type(e).__name__}: {e}")


def storm(seconds: float, threads: int = 100) -> int:
    code = generate(multiply())
    devices = [Device.open("sample") for _ in range(4)]
    kernels = [[d.prepare(code) for _ in range(2)] for d in devices]
    streams = [[d.stream(p) for p in (0, -1)] for d in devices]
    before = [d.allocator.statistics()["allocations"] for d in devices]
    stop, problems, done = threading.Event(), [], [0] * threads
    crew = [
        threading.Thread(target=work, args=(n, devices, kernels, streams, stop, done, problems)) for n in range(threads)
    ]
    for t in crew:
        t.start()
    time.sleep(seconds)
    stop.set()
    for t in crew:
        t.join()
    assert problems == []
    for d, n in zip(devices, before, strict=True):
        d.synchronize()
        assert d.allocator.statistics()["allocations"] == n, "nothing is left behind"
        trace = d.trace()
        spans = [e["args"]["cycles"] for e in trace["traceEvents"] if e["ph"] == "X" and e["cat"] == "compute"]
        starts = sorted((s["start"], s["end"]) for s in spans if s["end"] > s["start"])
        assert all(end <= start for (_, end), (start, _) in zip(starts[::2], starts[2::2], strict=False))
        d.close()
    return sum(done)


def test_a_hundred_threads() -> None:
    assert storm(2.0) > 0


@pytest.mark.all
def test_a_hundred_threads_for_a_minute() -> None:
    assert storm(60.0) >= 100


def test_threads_and_failures() -> None:
    """Some streams fail again and again; the others never notice."""
    code = generate(multiply())
    device = Device.open("sample")
    kernel = device.prepare(code)
    good, bad = device.stream(), device.stream()
    stop, problems, seen = threading.Event(), [], []

    def break_it() -> None:
        def fault() -> None:
            raise runtime_error("hardware fault")

        while not stop.is_set():
            try:
                bad.callback(fault)
                bad.synchronize()
            except StreamError:
                seen.append(1)
                bad.reset()

    def use_it(number: int) -> None:
        try:
            for k in range(10):
                a = np.full((4, 64), number + k, np.float16)
                t = {"a": device.tensor(a), "b": device.tensor(a), "c": device.empty((4, 64), "f16")}
                kernel.launch(good, **t).result()
                assert np.array_equal(t["c"].numpy(), a * a)
        except Exception as e:
            problems.append(repr(e))

    breaker = threading.Thread(target=break_it)
    users = [threading.Thread(target=use_it, args=(n,)) for n in range(8)]
    for t in (breaker, *users):
        t.start()
    for t in users:
        t.join()
    stop.set()
    breaker.join()
    assert problems == [] and seen


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def flat(launches: int) -> None:
    code: SpyreCode = generate(multiply())
    device = Device.open("sample")
    kernel = device.prepare(code)
    a = np.ones((4, 64), np.float16)
    t = {"a": device.tensor(a), "b": device.tensor(a), "c": device.empty((4, 64), "f16")}

    def run(count: int) -> int:
        for k in range(count):
            launch = kernel.launch(**t)
            if k % 50 == 0:
                launch.result()
        device.synchronize()
        gc.collect()
        return resident()

    before = run(300)
    grown = run(launches) - before
    assert grown < 4 << 20, f"{grown} bytes"
    assert device.allocator.statistics()["allocations"] == 4
    assert device.counters["launches"] == launches + 300


def test_launches_keep_memory_flat() -> None:
    flat(2000)


@pytest.mark.all
def test_ten_thousand_launches_keep_memory_flat() -> None:
    flat(10_000)


def test_memory_runs_out_in_the_middle_of_a_graph() -> None:
    """A graph of launches meets a full device: what was queued is right, what did not fit says so."""
    code = generate(multiply())
    device = Device.open("sample", capacity=40_000)
    kernel = device.prepare(code)
    a = np.full((4, 64), 2, np.float16)
    operand = device.tensor(a, name="operand")
    values, launches = [operand], []
    with pytest.raises(HeadraceError, match="device memory is full") as e:
        for n in range(1000):
            out = device.empty((4, 64), "f16", f"step{n}")
            launches.append(kernel.launch(a=values[-1], b=operand, c=out))
            values.append(out)
    assert "holds" in str(e.value) and len(launches) > 20
    for launch in launches:
        assert launch.result().cycles > 0
    for n, v in enumerate(values[:12]):
        assert np.array_equal(v.numpy(), np.full((4, 64), 2.0 ** (n + 1), np.float16))
    values[-1].free()
    again = device.empty((4, 64), "f16")
    kernel.launch(a=operand, b=operand, c=again)
    assert np.array_equal(again.numpy(), a * a)
