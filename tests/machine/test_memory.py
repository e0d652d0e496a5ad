"""Sparse global memory and on-chip memories."""

from __future__ import annotations

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.machine import GlobalMemory, LocalMemories

GIB = 1 << 30


def test_round_trip_anywhere_in_the_space() -> None:
    memory = GlobalMemory()
    for address in (0, 16 * GIB - 256, 100 * GIB, 128 * GIB - 128):
        region = memory.register(address, 128)
        assert region.data.ctypes.data % 128 == 0 and not region.data.any()
        memory.write(address + 4, np.arange(5, dtype=np.int16))
        assert memory.read(address + 4, 10) == np.arange(5, dtype=np.int16).tobytes()
    memory.release(100 * GIB)
    assert [r.address for r in memory.regions] == [0, 16 * GIB - 256, 128 * GIB - 128]


@pytest.mark.parametrize(
    ("address", "size", "message"),
    [
        (128 * GIB, 1, "outside the device's address space"),
        (-1, 1, "outside the device's address space"),
        (16 * GIB - 64, 128, "crosses a segment boundary"),
        (64, 128, "overlaps 0x0"),
        (1000, 10, "overlaps 0x3f0"),
    ],
)
def test_bad_ranges(address: int, size: int, message: str) -> None:
    memory = GlobalMemory()
    memory.register(0, 128)
    memory.register(1008, 100)
    with pytest.raises(HeadraceError, match=message):
        memory.register(address, size)


def test_access_outside() -> None:
    memory = GlobalMemory()
    memory.register(0, 128)
    memory.register(128, 128)
    for address, size in ((120, 16), (256, 1), (-4, 4), (64, 65)):
        with pytest.raises(HeadraceError, match="outside every allocation"):
            memory.read(address, size)
    with pytest.raises(HeadraceError, match="no device memory is registered at 0x40"):
        memory.release(64)


def test_on_chip_memory_starts_as_nan() -> None:
    local = LocalMemories()
    array = local.get("L1", ("core", 3), 4096)
    for dtype in (np.float16, np.float32, np.float64):
        assert np.isnan(array.view(dtype)).all()
    array[:] = 0
    assert local.get("L1", ("core", 3), 4096) is array
    local.poison()
    assert (array == 0xFF).all()


def test_on_chip_memory_takes_what_is_written() -> None:
    local = LocalMemories()
    arrays = [local.get("L1", ("core", c), size) for c, size in enumerate((2 << 20, 5000, 3 << 20))]
    assert local.written() == 0
    arrays[0][12345] = 1
    arrays[1][4999] = 1
    assert local.written() == 2 * 4096
    assert all((a == 0xFF).sum() == a.size - (k < 2) for k, a in enumerate(arrays))
    local.poison()
    assert local.written() == 0
