# ruff: noqa: E501  (assembly text)
"""What goes wrong is an error that says who, where and what; device state outside the program is unchanged."""

from __future__ import annotations

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.machine import SimDevice

from .hand import ENTRY, TIMING, kinds_image, load, one_unit_image

CASES = {
    "LI r1, 1\nLI r2, 0\nDIVS r3, r1, r2\nHALT": "error: division by zero [C0-dl, program 'p', word 2: DIVS r3, r1, r2]",
    "LI r1, 7\nLI r2, 2\nDIVX r3, r1, r2\nHALT": "a remainder in an exact division (7 by 2): a misaligned address [C0-dl",
    "LI r1, 0\nLI r2, 5\nLOOP r3, r1, r2, r1\nENDLOOP\nHALT": "loop step 0 is not positive [C0-dl, program 'p', word 2",
    "LI r1, 2097152\nVLD v0, mem1, r1, 4xf16, [4:2]\nHALT": "access to 8 bytes at 0x200000 is outside L1 (2097152 bytes) [C0-dl",
    "LI r1, -2\nVST v0, mem1, r1, 4xf16, [4:2]\nHALT": "access to 8 bytes at -0x2 is outside L1 (2097152 bytes) [C0-dl",
    "LI r1, 64\nLI r2, 0\nXFER mem0, r1, mem1, r2, 2, [64:2:2]\nHALT": (
        "access to 128 bytes at 0x40 is outside every allocation of DDR [C0-dl, program 'p', word 2"
    ),
    "LI r1, -1\nLI r2, 0\nXFER mem1, r2, mem1, r2, 2, [r1:2:2]\nHALT": "negative extent -1 of a transfer",
    "LI r1, 9223372036854775807\nVLD v0, mem1, r1, 4xf16, [4:2]\nHALT": "access to 8 bytes at 0x7fffffffffffffff is outside L1",
    "LI r1, 4611686018427387904\nLI r2, 0\nXFER mem1, r2, mem1, r2, 2, [r1:2:2]\nHALT": "is outside L1",
    "ARG r1, 0\nHALT": "argument number 0 does not exist",
    "ARGX r1, r0\nHALT": "argument number 0 does not exist",
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_faults(code: str, engine: str) -> None:
    device = SimDevice(None, timing=TIMING, engine=engine)
    device.memory.register(0, 128)
    entry = load(device, one_unit_image(code))
    if "v0, mem1, r1, 4xf16" in code and "VST" in code:
        entry = load(device, one_unit_image("VCONST v0, 4xf16, [0x1]\n" + code))
    with pytest.raises(HeadraceError) as e:
        device.compute(entry)
    assert CASES[code] in str(e.value)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_deadlock_names_every_unit(engine: str) -> None:
    codes = {
        "A": "PARAM r1, 3\nWAIT r1, 4\nHALT",
        "B": "PARAM r1, 3\nPARAM r2, 4\nRECV v0, r1, 4xf16\nSIGNAL r1, 4\nHALT",
        "C": "HALT",
    }
    image = kinds_image(codes, {"A": ["@B"], "B": ["@A", "@C"]})
    device = SimDevice(None, timing=TIMING, engine=engine)
    with pytest.raises(HeadraceError) as e:
        device.compute(load(device, image))
    assert str(e.value) == (
        "error: deadlock in program 'p': 2 of 3 units wait forever\n"
        "note: the wait cycle:\n"
        "  +-> C0-a waits for signal 4 from C0-b\n"
        "  |   C0-b waits for an item from C0-a\n"
        "  +---- C0-a\n"
        "note: C0-a, program 'p', word 1: WAIT r1, 4: waits for signal 4 from C0-b (word 3: SIGNAL r1, 4)\n"
        "note: C0-b, program 'p', word 2: RECV v0, r1, 4xf16: waits for an item from C0-a, which has no SEND for it"
    )


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_item_of_another_type(engine: str) -> None:
    codes = {
        "A": "PARAM r1, 3\nVCONST v0, 4xf16, [0x1]\nSEND v0, r1, 4xf16\nHALT",
        "B": "PARAM r1, 3\nRECV v0, r1, 2xf32\nHALT",
    }
    device = SimDevice(None, timing=TIMING, engine=engine)
    with pytest.raises(HeadraceError, match=r"the FIFO item is 4xf16, the receiver expects 2xf32 .*C0-b"):
        device.compute(load(device, kinds_image(codes, {"A": ["@B"], "B": ["@A"]})))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_too_many_signals(engine: str) -> None:
    loop = "LI r2, 0\nLI r3, 300\nLI r4, 1\nLOOP r5, r2, r3, r4\nSIGNAL r1, 0\nENDLOOP\nHALT"
    codes = {"A": "PARAM r1, 3\n" + loop, "B": "HALT"}
    device = SimDevice(None, timing=TIMING, engine=engine)
    with pytest.raises(HeadraceError, match=r"counter overflow: 257 signals nobody waits for .*SIGNAL"):
        device.compute(load(device, kinds_image(codes, {"A": ["@B"]})))


def test_left_over_signal() -> None:
    device = SimDevice(None, timing=TIMING)
    image = kinds_image({"A": "PARAM r1, 3\nSIGNAL r1, 2\nHALT", "B": "HALT"}, {"A": ["@B"]})
    with pytest.raises(HeadraceError) as e:
        device.compute(load(device, image))
    assert "note: 1 signals 2 from C0-a to C0-b were never waited for" in str(e.value)


BAD_CODE = {
    "LI r1, 0": "the code does not end in HALT",
    "ENDLOOP\nHALT": "no LOOP to belong to",
    "IF r1\nHALT": "not closed",
    "ELSE\nHALT": "no IF to belong to",
    "CALL 0, r0, 0\nHALT": "not an instruction of units",
    "LI r1, 0\nVLD v0, mem1, r1, 4xf16, [3:2]\nHALT": "extents do not multiply to the number of lanes",
    "VCONST v0, 4xf16, [0x1]\nVCONST v0, 8xf16, [0x1]\nHALT": "v0 is 4xf16 elsewhere, not 8xf16",
    "LI r1, 0\nLI r1, 0\nSIGNAL r1, 0\nHALT": "r1 must be set once, by PARAM or LI",
    "PARAM r1, 9\nSIGNAL r1, 0\nHALT": "the parameter block has 3 words",
    "LI r1, 5\nSIGNAL r1, 0\nHALT": "unit 5 is not in this program",
    "VCONST v0, 4xf16, [0x1]\nVSHUF v1, 2xf16, [v0:4], [4 0]\nHALT": "an index lies outside the sources",
    "LI r1, 0\nVIOTA v0, r1, 4xi32, 1, 0, 1\nHALT": "repeat and period must be positive",
    "PARAM r1, 3\nHALT": "the parameter block has 3 words",
    "LI r1, 0\nVLD v0, mem7, r1, 4xf16, [4:2]\nHALT": "names memory 7, the image has 2",
}


@pytest.mark.parametrize("code", BAD_CODE)
def test_malformed_code(code: str) -> None:
    device = SimDevice(None, timing=TIMING)
    with pytest.raises(HeadraceError) as e:
        device.compute(load(device, one_unit_image(code)))
    assert BAD_CODE[code] in str(e.value)


def test_damaged_and_missing_images() -> None:
    device = SimDevice(None, timing=TIMING)
    with pytest.raises(HeadraceError, match="outside every allocation"):
        device.compute(ENTRY)
    entry = load(device, one_unit_image("HALT"))
    device.memory.view(entry, 200)[150] ^= 1
    with pytest.raises(HeadraceError, match="checksum of the image is wrong"):
        device.compute(entry)
    device.memory.view(entry, 4)[:] = 0
    with pytest.raises(HeadraceError, match="no device image at"):
        device.compute(entry)
