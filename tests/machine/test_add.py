"""The hand-assembled add on both engines: bytes, cycles, accounting, relaunch."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from headrace.machine import LinkTiming, MemoryTiming, PathTiming, Timing, UnitTiming, counters

from .hand import ENTRY, SEGMENT, TIMING, add_image, load, open_with

TIMINGS = {
    "plain": TIMING,
    "untimed": Timing(memories={"DDR": MemoryTiming(8 * SEGMENT), "L1": MemoryTiming(1 << 20)}),
    "full duplex": Timing(
        memories={"DDR": MemoryTiming(8 * SEGMENT, 37, 64, 32), "L1": MemoryTiming(1 << 20, 0, 96, None)},
        paths={("DL", "DDR", "read"): PathTiming(48, 3, 64), ("LU", "L1", "read"): PathTiming(64, 1, 128)},
        units={"SFU": UnitTiming(16, {"f16": 32}, 1, 11, {"add": 3})},
        links={("LU", "SFU"): LinkTiming(1, 5, 100), ("SFU", "SU"): LinkTiming(4, 2, 64)},
    ),
    "one port": Timing(
        memories={"DDR": MemoryTiming(8 * SEGMENT, 10, 200, 200, True), "L1": MemoryTiming(1 << 20, 3, 128, 128, True)},
        burst=512,
    ),
}


def run(image, n: int, engine: str, order: int | None = None, timing: Timing = TIMING):
    device, arrays = open_with(n, engine, order, timing)
    result = device.compute(load(device, image))
    out = device.memory.view(2 * SEGMENT, 2 * n).view(np.float16).copy()
    assert np.array_equal(out, arrays[0] + arrays[1])
    return result


@pytest.mark.parametrize("name", TIMINGS)
@pytest.mark.parametrize("corelets", [1, 2])
def test_engines_agree_whatever_the_order(name: str, corelets: int) -> None:
    image, n = add_image(3, 8, 128, 2, corelets), 3 * 8 * 128
    expected = run(image, n, "reference", None, TIMINGS[name])
    for engine, order in (("native", None), ("reference", 1), ("reference", 2)):
        got = run(image, n, engine, order, TIMINGS[name])
        assert dataclasses.replace(got, seconds={}) == dataclasses.replace(expected, seconds={})


def test_accounting() -> None:
    n = 2 * 8 * 128
    result = run(add_image(2, 8, 128, 2), n, "native")
    assert result.bytes["DDR -> DL"] == 4 * n and result.bytes["DS -> DDR"] == 2 * n
    assert result.bytes["LU -> SFU"] == 4 * n and result.bytes["SFU -> SU"] == 2 * n
    assert result.ports["DDR port"] == 6 * n // 128
    sfu = result.units["C0-sfu-0"]
    assert sfu.busy == 8 * 128 // 64 // 2
    assert sum(sfu.stalled.values()) + sfu.busy <= sfu.end <= result.cycles
    assert result.to_json()["units"][0]["stalled"].keys() == {"input", "output", "signal", "memory"}


def test_relaunch_compiles_nothing_and_repeats_cycles() -> None:
    n = 2 * 8 * 128
    device, arrays = open_with(n)
    entry = load(device, add_image(2, 8, 128, 2))
    first = device.compute(entry)
    before = dataclasses.replace(counters)
    for _ in range(3):
        device.memory.view(2 * SEGMENT, 2 * n)[:] = 0
        again = device.compute(entry)
        assert again.cycles == first.cycles and again.units == first.units
        assert np.array_equal(device.memory.view(2 * SEGMENT, 2 * n).view(np.float16), arrays[0] + arrays[1])
    assert counters == before


def test_device_memory_bound() -> None:
    """Many cores share one port: the run takes little longer than its bytes."""
    n = 8 * 32 * 512
    result = run(add_image(8, 32, 512, 2), n, "native")
    assert 6 * n / 128 / result.cycles > 0.9


def test_image_bytes_are_not_changed() -> None:
    n = 2 * 8 * 128
    device, _ = open_with(n)
    image = add_image(2, 8, 128, 2)
    device.compute(load(device, image))
    assert device.memory.read(ENTRY, len(image.encode())) == image.encode()
