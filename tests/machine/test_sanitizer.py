# ruff: noqa: E501  (assembly text)
"""Sanitized runs: every message with its exact text, late transfers, and that correct programs are not accused."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import headrace
from headrace.check import data, launch
from headrace.interp.placement import place
from headrace.ir.diagnostics import HeadraceError
from headrace.machine import SimDevice, UnitTiming
from headrace.machine import result as res
from headrace.machine.faults import KINDS, Fault, seeded
from headrace.machine.hazards import TEXTS, HazardError
from headrace.machine.native import checks

from .hand import SEGMENT, TIMING, add_image, kinds_image, load
from .mutation import kernel

CORPUS = Path(__file__).parent.parent / "corpus"
PLAIN = dataclasses.replace(TIMING, units={**TIMING.units, "A": UnitTiming(64, {}, matrix=(8, 64, 4, 8))})
"""Timing of the hand-written programs; unit A has a matrix unit with four accumulator rows."""
STORE = "VST v0, mem1, r3, 64xf16, [64:2]"
LOAD = "XFER mem0, r2, mem1, r3, 2, [64:2:2]"
HEAD = "PARAM r1, 3\nLI r2, 0\nLI r3, 128\n"
CONST = "VCONST v0, 64xf16, [0x3c00]\n"


def sanitized(
    codes: dict[str, str], written: int = 256, faults: tuple[Fault, ...] = (), mode: str = "sanitized"
) -> SimDevice:
    """A device that has run kinds A, B, C (peers of each other, in this order) over 256 bytes of device memory, of which
    the host wrote the first."""
    device = SimDevice(None, timing=PLAIN, mode=mode, faults=faults)
    device.memory.register(0, 256)
    device.memory.write(0, np.arange(written, dtype=np.uint8))
    peers = {k: [f"@{o}" for o in codes if o != k] for k in codes}
    device.compute(load(device, kinds_image(codes, peers)))
    return device


MESSAGES: dict[str, tuple[dict[str, str], str]] = {
    "uninitialised scratchpad": (
        {"A": HEAD + "VLD v0, mem1, r3, 64xf16, [64:2]\nHALT", "B": "HALT"},
        "error: uninitialised read: L1 at 0x80 was never written "
        "[C0-a, program 'p', word 3: VLD v0, mem1, r3, 64xf16, [64:2]]",
    ),
    "uninitialised bytes of device memory": (
        {"A": "LI r2, 192\nLI r3, 128\nXFER mem0, r2, mem1, r3, 2, [32:2:2]\nHALT", "B": "HALT"},
        "error: uninitialised read: device address 0xf0 was never written "
        "[C0-a, program 'p', word 2: XFER mem0, r2, mem1, r3, 2, [32:2:2]]",
    ),
    "read while written": (
        {
            "A": HEAD + LOAD + "\n" + CONST + "SEND v0, r1, 64xf16\nHALT",
            "B": HEAD + "RECV v0, r1, 64xf16\nVLD v1, mem1, r3, 64xf16, [64:2]\nHALT",
        },
        "error: race: L1 at 0x80 is read while C0-a may still write it "
        "[C0-b, program 'p', word 4: VLD v1, mem1, r3, 64xf16, [64:2]]\n"
        "note: the write; no signal or FIFO item puts it first "
        "[C0-a, program 'p', word 3: XFER mem0, r2, mem1, r3, 2, [64:2:2]]",
    ),
    "overwritten": (
        {
            "A": HEAD + LOAD + "\nSIGNAL r1, 1\n" + LOAD + "\nSIGNAL r1, 2\nHALT",
            "B": HEAD + "WAIT r1, 1\nVLD v1, mem1, r3, 64xf16, [64:2]\nWAIT r1, 2\nHALT",
        },
        "error: overwritten before it was read: L1 at 0x80 "
        "[C0-b, program 'p', word 4: VLD v1, mem1, r3, 64xf16, [64:2]]\n"
        "note: the write that comes too early [C0-a, program 'p', word 7: XFER mem0, r2, mem1, r3, 2, [64:2:2]]",
    ),
    "written while read": (
        {
            "A": HEAD
            + CONST
            + "VST v0, mem1, r3, 64xf16, [64:2]\nSIGNAL r1, 1\nRECV v1, r1, 64xf16\nVST v0, mem1, r3, 64xf16, [64:2]\nHALT",
            "B": HEAD + CONST + "WAIT r1, 1\nSEND v0, r1, 64xf16\nVLD v1, mem1, r3, 64xf16, [64:2]\nHALT",
        },
        "error: race: L1 at 0x80 is written while C0-b may still read it [C0-a, program 'p', word 9: " + STORE + "]\n"
        "note: the read; no signal or FIFO item puts it first "
        "[C0-b, program 'p', word 7: VLD v1, mem1, r3, 64xf16, [64:2]]",
    ),
    "written by two": (
        {"A": HEAD + CONST + STORE + "\nHALT", "B": HEAD + CONST + STORE + "\nHALT"},
        "error: race: L1 at 0x80 is written, and by C0-a too, in no order [C0-b, program 'p', word 5: " + STORE + "]\n"
        "note: the other write [C0-a, program 'p', word 5: " + STORE + "]",
    ),
    "often": (
        {
            "A": HEAD
            + "LI r4, 3\nLI r5, 1\nLOOP r6, r2, r4, r5\n"
            + CONST
            + "RECV v1, r1, 64xf16\n"
            + STORE
            + "\nENDLOOP\nHALT",
            "B": HEAD
            + "LI r4, 3\nLI r5, 1\nVCONST v1, 64xf16, [0x0]\nLOOP r6, r2, r4, r5\n"
            + "SEND v1, r1, 64xf16\nENDLOOP\nVST v1, mem1, r3, 64xf16, [64:2]\nHALT",
        },
        "error: race: L1 at 0x80 is written, and by C0-b too, in no order [C0-a, program 'p', word 9: " + STORE + "]\n"
        "note: the other write [C0-b, program 'p', word 10: VST v1, mem1, r3, 64xf16, [64:2]]",
    ),
    "lost signal": (
        {"A": HEAD + "SIGNAL r1, 3\nHALT", "B": "HALT"},
        "error: program 'p' ended with FIFOs or counters in use\n"
        "note: 1 signals 3 from C0-a to C0-b were never waited for",
    ),
    "lost item": (
        {"A": HEAD + CONST + "SEND v0, r1, 64xf16\nHALT", "B": "HALT"},
        "error: program 'p' ended with FIFOs or counters in use\nnote: 1 items from C0-a to C0-b were never received",
    ),
}
"""Programs and what is said about them."""


def test_a_transfer_that_lands_while_its_unit_waits_for_another_range() -> None:
    """What a unit accesses behind a wait is where it was asked to be, wherever its transfers have landed meanwhile."""
    device = SimDevice(None, timing=PLAIN, mode="sanitized")
    data_of = [np.arange(256, dtype=np.uint8), np.arange(255, -1, -1, dtype=np.uint8)]
    for k, values in enumerate(data_of):
        device.memory.register(k * SEGMENT, 256)
        device.memory.write(k * SEGMENT, values)
    many = "LI r4, 8\nLI r5, 1\nLOOP r6, r2, r4, r5\n{}ENDLOOP\n"
    copy = "VLD v0, mem0, r7, 64xf16, [64:2]\nVST v0, mem0, r8, 64xf16, [64:2]\n"
    ends = f"LI r7, {SEGMENT}\nLI r8, {SEGMENT + 128}\n"
    codes = {
        "A": HEAD + ends + many.format(LOAD + "\nSIGNAL r1, 1\n" + copy) + "HALT",
        "B": HEAD + many.format("WAIT r1, 1\nVLD v1, mem0, r2, 64xf16, [64:2]\n") + "HALT",
    }
    device.compute(load(device, kinds_image(codes, {"A": ["@B"], "B": ["@A"]})))
    assert device.memory.read(SEGMENT, 256) == np.tile(data_of[1][:128], 2).tobytes()
    assert device.memory.read(0, 256) == data_of[0].tobytes()


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    codes, text = MESSAGES[case]
    with pytest.raises(HazardError) as e:
        sanitized(codes, 240 if "bytes" in case else 256)
    assert str(e.value) == text


FAULTS: dict[str, tuple[dict[str, str], str]] = {
    "outside the scratchpad": (
        {"A": HEAD + "LI r4, 2097152\nVLD v0, mem1, r4, 64xf16, [64:2]\nHALT", "B": "HALT"},
        "error: access to 128 bytes at 0x200000 is outside L1 (2097152 bytes) "
        "[C0-a, program 'p', word 4: VLD v0, mem1, r4, 64xf16, [64:2]]",
    ),
    "outside device memory": (
        {"A": HEAD + "LI r4, 192\nXFER mem0, r4, mem1, r3, 2, [64:2:2]\nHALT", "B": "HALT"},
        "error: access to 128 bytes at 0xc0 is outside every allocation of DDR "
        "[C0-a, program 'p', word 4: XFER mem0, r4, mem1, r3, 2, [64:2:2]]",
    ),
    "type of an item": (
        {"A": HEAD + CONST + "SEND v0, r1, 64xf16\nHALT", "B": HEAD + "RECV v0, r1, 32xf32\nHALT"},
        "error: the FIFO item is 64xf16, the receiver expects 32xf32 [C0-b, program 'p', word 3: RECV v0, r1, 32xf32]",
    ),
    "size of an item": (
        {"A": HEAD + CONST + "SEND v0, r1, 64xf16\nHALT", "B": HEAD + "RECV v0, r1, 32xf16\nHALT"},
        "error: the FIFO item is 64xf16, the receiver expects 32xf16 [C0-b, program 'p', word 3: RECV v0, r1, 32xf16]",
    ),
    "too many signals": (
        {"A": HEAD + "LI r4, 300\nLI r5, 1\nLOOP r6, r2, r4, r5\nSIGNAL r1, 0\nENDLOOP\nHALT", "B": "HALT"},
        "error: counter overflow: 257 signals nobody waits for [C0-a, program 'p', word 6: SIGNAL r1, 0]",
    ),
    "division": (
        {"A": "LI r2, 5\nLI r3, 0\nDIVS r4, r2, r3\nHALT", "B": "HALT"},
        "error: division by zero [C0-a, program 'p', word 2: DIVS r4, r2, r3]",
    ),
    "misaligned address": (
        {"A": "LI r2, 5\nLI r3, 2\nDIVX r4, r2, r3\nHALT", "B": "HALT"},
        "error: a remainder in an exact division (5 by 2): a misaligned address "
        "[C0-a, program 'p', word 2: DIVX r4, r2, r3]",
    ),
    "step of a loop": (
        {"A": "LI r2, 0\nLI r3, 4\nLOOP r4, r2, r3, r2\nENDLOOP\nHALT", "B": "HALT"},
        "error: loop step 0 is not positive [C0-a, program 'p', word 2: LOOP r4, r2, r3, r2]",
    ),
    "extent of a transfer": (
        {"A": HEAD + "LI r4, -3\nXFER mem0, r2, mem1, r3, 2, [r4:2:2]\nHALT", "B": "HALT"},
        "error: negative extent -3 of a transfer "
        "[C0-a, program 'p', word 4: XFER mem0, r2, mem1, r3, 2, [r4:2:2]]",
    ),
    "argument of a program": (
        {"A": "ARG r2, 0\nHALT", "B": "HALT"},
        "error: argument number 0 does not exist [C0-a, program 'p', word 0: ARG r2, 0]",
    ),
    "lane of a register": (
        {"A": HEAD + CONST + "LI r4, 64\nVGET r5, v0, r4, 64xf16\nHALT", "B": "HALT"},
        "error: lane 64 is outside a register of 64 lanes [C0-a, program 'p', word 6: VGET r5, v0, r4, 64xf16]",
    ),
    "accumulator row": (
        {"A": "MCFG 8, 64, 4\nLI r2, 4\nMRD v0, r2, 64xf32\nHALT", "B": "HALT"},
        "error: accumulator row 4 is outside the unit's accumulators "
        "[C0-a, program 'p', word 2: MRD v0, r2, 64xf32]",
    ),
    "nobody signals": (
        {"A": "PARAM r1, 3\nWAIT r1, 4\nHALT", "B": "HALT"},
        "error: deadlock in program 'p': 1 of 2 units wait forever\n"
        "note: the chain of waits:\n"
        "  C0-a waits for signal 4 from C0-b\n"
        "      C0-b has ended\n"
        "note: C0-a, program 'p', word 1: WAIT r1, 4: waits for signal 4 from C0-b, which has no SIGNAL for it",
    ),
    "nobody receives": (
        {
            "A": HEAD + "LI r4, 9\nLI r5, 1\n" + CONST + "LOOP r6, r2, r4, r5\nSEND v0, r1, 64xf16\nENDLOOP\nHALT",
            "B": HEAD + "WAIT r1, 1\nHALT",
        },
        "error: deadlock in program 'p': 2 of 2 units wait forever\n"
        "note: the wait cycle:\n"
        "  +-> C0-a waits for a free slot of the FIFO to C0-b\n"
        "  |   C0-b waits for signal 1 from C0-a\n"
        "  +---- C0-a\n"
        "note: C0-a, program 'p', word 8: SEND v0, r1, 64xf16: waits for a free slot of the FIFO to C0-b, "
        "which has no RECV for it\n"
        "note: C0-b, program 'p', word 3: WAIT r1, 1: waits for signal 1 from C0-a, which has no SIGNAL for it\n"
        "note: 3 items from C0-a to C0-b were never received",
    ),
}
"""What ends a run at once, in every mode."""


@pytest.mark.parametrize("mode", ["sanitized", "timed", "functional"])
@pytest.mark.parametrize("case", FAULTS)
def test_faults(case: str, mode: str) -> None:
    codes, text = FAULTS[case]
    with pytest.raises(HeadraceError) as e:
        sanitized(codes, mode=mode)
    assert str(e.value) == text


OUT_OF_BUFFER = (
    "error: out of buffer: device address 0xc8 belongs to no buffer of the launch "
    "[C0-a, program 'p', word 2: XFER mem0, r2, mem1, r3, 2, [64:2:2]]"
)


def test_out_of_buffer() -> None:
    device = SimDevice(None, timing=TIMING, mode="sanitized")
    device.memory.register(0, 256)
    device.memory.write(0, np.zeros(256, np.uint8))
    device.buffers = [(0, 200, "x")]
    code = "LI r2, 128\nLI r3, 0\n" + LOAD + "\nHALT"
    with pytest.raises(HazardError) as e:
        device.compute(load(device, kinds_image({"A": code, "B": "HALT"}, {})))
    assert str(e.value) == OUT_OF_BUFFER
    device.buffers = [(0, 256, "x")]
    device.compute(load(device, kinds_image({"A": code, "B": "HALT"}, {})))


def test_a_report_counts_its_like_and_names_the_buffer() -> None:
    device = SimDevice(None, timing=TIMING, mode="sanitized")
    device.memory.register(0, 256)
    device.buffers = [(0, 256, "x")]
    row = "XFER mem0, r2, mem1, r3, 2, [4:64:128 16:2:2]"
    with pytest.raises(HazardError) as e:
        device.compute(load(device, kinds_image({"A": "LI r2, 4\nLI r3, 0\n" + row + "\nHALT", "B": "HALT"}, {})))
    assert str(e.value) == (
        f"error: uninitialised read: byte 4 of 'x' was never written [C0-a, program 'p', word 2: {row}]\n"
        "note: 3 more like this"
    )


def test_deadlock_draws_the_cycle() -> None:
    codes = {
        "A": "PARAM r1, 3\nPARAM r2, 4\nWAIT r1, 4\nSIGNAL r2, 1\nHALT",
        "B": "PARAM r1, 3\nPARAM r2, 4\nWAIT r2, 7\nSIGNAL r1, 4\nHALT",
        "C": "PARAM r1, 3\nPARAM r2, 4\nWAIT r1, 1\nSIGNAL r2, 7\nHALT",
    }
    with pytest.raises(HeadraceError) as e:
        sanitized(codes)
    assert str(e.value) == (
        "error: deadlock in program 'p': 3 of 3 units wait forever\n"
        "note: the wait cycle:\n"
        "  +-> C0-a waits for signal 4 from C0-b\n"
        "  |   C0-b waits for signal 7 from C0-c\n"
        "  |   C0-c waits for signal 1 from C0-a\n"
        "  +---- C0-a\n"
        "note: C0-a, program 'p', word 2: WAIT r1, 4: waits for signal 4 from C0-b (word 3: SIGNAL r1, 4)\n"
        "note: C0-b, program 'p', word 2: WAIT r2, 7: waits for signal 7 from C0-c (word 3: SIGNAL r2, 7)\n"
        "note: C0-c, program 'p', word 2: WAIT r1, 1: waits for signal 1 from C0-a (word 3: SIGNAL r2, 1)"
    )


def test_deadlock_names_who_has_ended() -> None:
    codes = {"A": "PARAM r1, 3\nSIGNAL r1, 1\nHALT", "B": "PARAM r1, 3\nWAIT r1, 1\nHALT"}
    with pytest.raises(HeadraceError) as e:
        sanitized(codes, faults=(Fault("drop"),))
    assert str(e.value) == (
        "error: deadlock in program 'p': 1 of 2 units wait forever\n"
        "note: the chain of waits:\n"
        "  C0-b waits for signal 1 from C0-a\n"
        "      C0-a has ended\n"
        "note: C0-b, program 'p', word 1: WAIT r1, 1: waits for signal 1 from C0-a (word 1: SIGNAL r1, 1)"
    )


def with_readers(count: int, last: int, times: int) -> dict[str, str]:
    """Unit A writes what ``count`` others read, ``times`` times; it waits for all of them but ``last`` before it
    writes again, and for that one behind the write."""
    peers = [f"r{7 + k}" for k in range(count)]
    first = "".join(f"PARAM {r}, {3 + k}\n" for k, r in enumerate(peers))
    signals = "".join(f"SIGNAL {r}, 1\n" for r in peers)
    early = "".join(f"WAIT {r}, 2\n" for k, r in enumerate(peers) if k != last)
    late = f"WAIT {peers[last]}, 2\n" if last < count else ""
    loop = f"LI r4, {times}\nLI r5, 1\nLOOP r6, r2, r4, r5\n"
    read = HEAD + loop + "WAIT r1, 1\nVLD v1, mem1, r3, 64xf16, [64:2]\nSIGNAL r1, 2\nENDLOOP\nHALT"
    write = HEAD + first + CONST + loop + f"{STORE}\n{signals}{early}{STORE}\n{late}ENDLOOP\nHALT"
    return {"A": write} | {"BCDEF"[k]: read for k in range(count)}


@pytest.mark.parametrize(("count", "last"), [(n, k) for n in (2, 3, 4) for k in range(n)])
def test_every_reader_since_a_write_is_remembered(count: int, last: int) -> None:
    """The writer does not know of one of the readers, whichever came last."""
    with pytest.raises(HazardError) as e:
        sanitized(with_readers(count, last, 1))
    assert f"is written while C0-{'bcdef'[last]} may still read it" in str(e.value)


def test_what_is_read_of_a_larger_write_says_nothing_of_the_rest() -> None:
    codes = {
        "A": HEAD + "LI r4, 0\nXFER mem0, r2, mem1, r4, 2, [128:2:2]\nSIGNAL r1, 1\n" + CONST + STORE + "\nHALT",
        "B": HEAD + "WAIT r1, 1\nVLD v1, mem1, r2, 64xf16, [64:2]\nHALT",
    }
    sanitized(codes)


def test_transfers_land_when_waited_for() -> None:
    """Without a wait the reader sees the NaN pattern of unwritten memory; with it, the data."""
    load_it = HEAD + LOAD + "\nSIGNAL r1, 1\nHALT"
    for wait, value in (("", 0xFFFF), ("WAIT r1, 1\n", 0x0100)):
        out = "LI r4, 0\nVLD v1, mem1, r3, 64xf16, [64:2]\nVST v1, mem0, r4, 64xf16, [64:2]\n"
        late = "" if wait else "WAIT r1, 1\n"
        device = SimDevice(None, timing=TIMING, mode="sanitized")
        device.memory.register(0, 256)
        device.memory.write(0, np.arange(256, dtype=np.uint8))
        codes = {"A": load_it, "B": HEAD + "RECV v0, r1, 64xf16\n" + wait + out + late + "HALT"}
        codes["A"] = HEAD + LOAD + "\nSIGNAL r1, 1\n" + CONST + "SEND v0, r1, 64xf16\nHALT"
        image = kinds_image(codes, {"A": ["@B"], "B": ["@A"]})
        try:
            device.compute(load(device, image))
            assert wait
        except HazardError:
            assert not wait
        assert int(np.frombuffer(device.memory.read(0, 2), np.uint16)[0]) == value


def test_sanitized_runs_are_timed_runs() -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(2 * 64 * 256).astype(np.float16) for _ in range(2)]
    found = []
    for mode in ("timed", "sanitized", "functional"):
        device = SimDevice(None, timing=TIMING, mode=mode)
        for k in range(3):
            device.memory.register(k * SEGMENT, arrays[0].nbytes)
        for k, a in enumerate(arrays):
            device.memory.write(k * SEGMENT, a)
        entry = load(device, add_image(2, 64, 256, 4))
        result = device.compute(entry)
        found.append((device.memory.read(2 * SEGMENT, arrays[0].nbytes), result.cycles, result.units))
    assert found[0] == found[1]
    assert found[0][0] == found[2][0]
    assert found[2][1] == 0


IN_A_KERNEL: dict[str, tuple[Fault, str]] = {
    "deadlock": (
        Fault("drop", 1),
        "error: deadlock in program 'local_schedule_0': 4 of 256 units wait forever\n"
        "note: the chain of waits:\n"
        "  C0-l1lu-1 waits for signal 1 from C0-mnilu\n"
        "      C0-mnilu has ended\n"
        "{file}:33:5: note: C0-l1lu-1, program 'local_schedule_0', word 1: WAIT r0, 1: waits for signal 1 from C0-mnilu "
        "(word 17: SIGNAL r7, 1)\n"
        "{file}:33:5: note: C0-sfu-1, program 'local_schedule_0', word 6: RECV v0, r4, 64xf16: waits for an item from "
        "C0-l1lu-1 (word 12: SEND v0, r7, 64xf16, word 17: SEND v1, r7, 64xf16)\n"
        "{file}:33:5: note: C0-l1su-1, program 'local_schedule_0', word 6: RECV v0, r4, 64xf16: waits for an item from "
        "C0-sfu-1 (word 12: SEND v2, r5, 64xf16)\n"
        "{file}:33:5: note: C0-mnisu, program 'local_schedule_0', word 4: WAIT r2, 3: waits for signal 3 from C0-l1su-1 "
        "(word 13: SIGNAL r7, 3)\n"
        "note: in launch 0 of kernel 'add' on stream 0",
    ),
    "lost signal": (
        Fault("duplicate", 1),
        "error: program 'local_schedule_0' ended with FIFOs or counters in use\n"
        "note: 1 signals 1 from C0-mnilu to C0-l1lu-1 were never waited for\n"
        "note: in launch 0 of kernel 'add' on stream 0",
    ),
}
"""Faults of a compiled kernel, and what is said."""


@pytest.mark.parametrize("case", IN_A_KERNEL)
def test_messages_name_the_source(case: str) -> None:
    """A fault in a compiled kernel is reported at the KTIR operation behind the instruction."""
    fault, text = IN_A_KERNEL[case]
    file = CORPUS / "elementwise" / "add.mlir"
    program = headrace.compile(file, "sample")
    assert program.buffers is not None
    memory, _ = place(program.buffers, data.fill(program.buffers.buffers, {}, 0))
    device = headrace.Device.open(program.device, mode="sanitized", faults=[fault])
    placed = launch.place(device, program.code, program.buffers.buffers, memory, program.buffers.scalars)
    with pytest.raises(HeadraceError) as e:
        placed.start()
    assert str(e.value) == text.format(file=file)


def test_no_message_is_without_a_test() -> None:
    """Every text that the machine can say about a run is in one of the tables above."""
    said = "\n".join([text for _, text in (*MESSAGES.values(), *FAULTS.values())] + [OUT_OF_BUFFER])
    for text, note in TEXTS:
        assert all(part in said for part in (*re.split(r"\{.*?\}", text), note))
    for text in res.FAULTS:
        assert all(part in said for part in re.split(r"\{.*?\}", text))


@pytest.mark.parametrize("seed", range(4))
def test_seeded_timing_faults_are_no_hazards(seed: int) -> None:
    """Late signals, shallow FIFOs and slow memories change no result and are not reported."""
    k = kernel(CORPUS / "reductions" / "softmax.mlir", "tri")
    assert k is not None
    fault = seeded(k.plans[0], seed, KINDS[2:])
    assert fault is not None
    assert k.run("sanitized", (fault,)) == k.outputs


TURNS = {
    "A": "PARAM r1, 3\nLI r2, 0\nLI r3, 1\nLI r4, 500\n" + CONST + "LOOP r5, r2, r4, r3\n"
    "VST v0, mem0, r2, 64xf16, [64:2]\nSIGNAL r1, 0\nWAIT r1, 1\nENDLOOP\nHALT",
    "B": "PARAM r1, 3\nLI r2, 0\nLI r3, 1\nLI r4, 500\nLOOP r5, r2, r4, r3\n"
    "WAIT r1, 0\nVLD v0, mem0, r2, 64xf16, [64:2]\nSIGNAL r1, 1\nENDLOOP\nHALT",
}
"""A writes what B reads, in turns."""


@pytest.mark.parametrize("codes", [TURNS, *(with_readers(n, n, 200) for n in (1, 2, 3, 4))])
def test_states_and_reads_that_no_cell_has_are_used_again(codes: dict[str, str]) -> None:
    device = sanitized(codes)
    assert device.shadow is not None
    assert device.shadow.n_states < 16
    assert device.shadow.n_nodes < 16


def test_states_that_the_host_overwrote_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "COLLECT", 32)
    device = SimDevice(None, timing=PLAIN, mode="sanitized")
    device.memory.register(0, 256)
    at = load(device, kinds_image(TURNS, {"A": ["@B"], "B": ["@A"]}))
    for _ in range(100):
        device.memory.write(0, np.zeros(256, np.uint8))
        device.compute(at)
    assert device.shadow is not None
    assert device.shadow.n_states <= 64
