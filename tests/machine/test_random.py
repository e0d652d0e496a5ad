# ruff: noqa: E501  (assembly text)
"""Random programs: both engines, and every order of simulation, give the same bytes and the same times."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace.ir.diagnostics import HeadraceError
from headrace.machine import LinkTiming, MemoryTiming, PathTiming, SimDevice, Timing, UnitTiming

from .hand import SEGMENT, kinds_image, load

AREA = 1024
"""Bytes of each unit's own part of the scratchpad and of the global memory: programs have no races."""
KINDS = ("A", "B", "C")


def random_program(rng: random.Random) -> tuple[dict[str, str], dict[str, list[Any]]]:
    """Code of three unit kinds: a random sequence of events, each unit getting its part, wrapped in a loop."""
    lines: dict[str, list[str]] = {k: [] for k in KINDS}
    lanes, dtype = rng.choice([(64, "f16"), (16, "f32"), (7, "i32"), (40, "bf16"), (33, "i8")])
    vtype = f"{lanes}x{dtype}"
    size = {"f16": 2, "f32": 4, "i32": 4, "bf16": 2, "i8": 1}[dtype]
    for _ in range(rng.randint(3, 14)):
        me = rng.randrange(3)
        peer = (me + rng.randint(1, 2)) % 3
        kind, other = KINDS[me], KINDS[peer]
        match rng.randrange(7):
            case 0:
                a, b = (
                    rng.sample((("mem0", 10), ("mem1", 11)), 2) if rng.random() < 0.8 else (("mem1", 11), ("mem1", 12))
                )
                rows, columns = rng.randint(0, 4), rng.randint(1, 48)
                pitch = rng.choice([columns * 2, 100, 128])
                lines[kind].append(
                    f"XFER {a[0]}, r{a[1]}, {b[0]}, r{b[1]}, 2, [{rows}:{pitch}:{columns * 2} {columns}:2:2]"
                )
            case 1 | 2:
                stride = rng.choice([size, size, 0, size + 3])
                lines[kind].append(
                    f"VLD v0, mem{rng.randrange(2)}, r{13}, {vtype}, [{lanes}:{stride}]".replace(
                        "mem0, r13", "mem0, r14"
                    )
                )
            case 3:
                lines[kind].append(f"VST v0, mem1, r11, {vtype}, [{lanes}:{size}]")
            case 4:
                op = "arith.addf" if dtype in ("f16", "f32", "bf16") else "arith.muli"
                lines[kind].append(f"VOP {op} (v0:{dtype}) = (v0:{dtype}, v1:{dtype}) x {lanes}")
            case 5:
                lines[kind].append(f"SEND v0, r{20 + peer}, {vtype}")
                lines[other].append(f"RECV v1, r{20 + me}, {vtype}")
            case 6:
                k = rng.randrange(2)
                lines[kind].append(f"SIGNAL r{20 + peer}, {k}")
                lines[other].append(f"WAIT r{20 + me}, {k}")
    if rng.random() < 0.25:  # lose an instruction: mostly a deadlock or something left over
        lose = lines[rng.choice(KINDS)]
        if lose:
            del lose[rng.randrange(len(lose))]
    codes = {}
    for me, kind in enumerate(KINDS):
        head = "".join(f"PARAM r{20 + k}, {3 + k}\n" for k in range(3) if k != me)
        head += f"PARAM r1, 1\nLI r2, {4 * AREA}\nMUL r3, r1, r2\n"
        head += f"ADDR r10, r3, {me * AREA}, []\nLI r11, {me * AREA}\nLI r12, {me * AREA + 512}\nADDR r13, r11, {rng.randrange(64)}, []\n"
        head += (
            f"ADDR r14, r10, {rng.randrange(64)}, []\nVCONST v0, {vtype}, [0x1 0x3c 0x7]\nVCONST v1, {vtype}, [0x2]\n"
        )
        loop = f"LI r30, 0\nLI r31, {rng.choice([1, 2, 5]) if me == 0 else '{n}'}\nLI r32, 1\nLOOP r33, r30, r31, r32\n"
        codes[kind] = head + loop + "\n".join(lines[kind]) + "\nENDLOOP\nHALT"
    n = codes["A"].split("LI r31, ")[1].split("\n")[0]
    codes = {k: v.replace("{n}", n) for k, v in codes.items()}
    params = {kind: [f"@{k}" for k in KINDS] for kind in KINDS}
    return codes, params


def random_timing(rng: random.Random) -> Timing:
    """Figures of all sorts."""
    rate = lambda: rng.choice([None, 16, 64, 100, 128])  # noqa: E731
    half = rng.random() < 0.5
    ddr, l1 = rate(), rate()
    return Timing(
        memories={
            "DDR": MemoryTiming(8 * SEGMENT, rng.randint(0, 40), ddr, ddr if half else rate(), half),
            "L1": MemoryTiming(8 * AREA, rng.randint(0, 7), l1, l1 if half else rate(), half),
        },
        paths={
            (k, m, d): PathTiming(rate(), rng.randint(0, 3), rng.choice([1, 32, 128]))
            for k in KINDS for m in ("DDR", "L1") for d in ("read", "write") if rng.random() < 0.5
        },
        links={(a, b): LinkTiming(rng.randint(1, 3), rng.randint(0, 5), rate()) for a in KINDS for b in KINDS},
        units={k: UnitTiming(rng.choice([8, 64]), {}, rng.randint(1, 2), rng.randint(0, 6)) for k in KINDS},
        burst=rng.choice([64, 100, 4096]),
    )  # fmt: skip


def device_with_data(timing: Timing, cores: int, **options: Any) -> SimDevice:
    """A device with the units' parts of the global memory."""
    device = SimDevice(None, timing=timing, **options)
    size = cores * 4 * AREA + 256
    device.memory.register(0, size)
    device.memory.write(0, np.random.default_rng(3).integers(0, 256, size, dtype=np.uint8))
    return device


def outcome(image: Any, timing: Timing, cores: int, engine: str, order: int | None) -> tuple[Any, ...]:
    """Everything a run shows."""
    device = device_with_data(timing, cores, engine=engine, order=order)
    try:
        result: Any = device.compute(load(device, image)).to_json()
    except HeadraceError as e:
        result = str(e)
    local = [device.local.get("L1", ("core", c), 8 * AREA).tobytes() for c in range(cores)]
    return result, device.memory.read(0, cores * 4 * AREA + 256), local


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_engines_agree(seed: int) -> None:
    rng = random.Random(seed)
    codes, params = random_program(rng)
    cores = rng.randint(1, 3)
    image = kinds_image(codes, params, cores)
    compare(image, random_timing(rng), cores)


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_engines_agree_between_cores(seed: int) -> None:
    """FIFOs and signals between cores: each core has an order of events of its own in the native engine."""
    compare(*between_cores(seed))


def between_cores(seed: int) -> tuple[Any, Timing, int]:
    """A random program whose FIFOs and signals join units of several cores: image, timing, cores."""
    rng = random.Random(seed)
    codes, _ = random_program(rng)
    cores = rng.randint(2, 4)
    shift = {(a, b): rng.randrange(cores) for a, b in combinations(KINDS, 2)}
    shift |= {(b, a): -s for (a, b), s in shift.items()}
    params = {kind: [f"@{k}>{shift.get((kind, k), 0)}" for k in KINDS] for kind in KINDS}
    return kinds_image(codes, params, cores), random_timing(rng), cores


def compare(image: Any, timing: Timing, cores: int) -> None:
    """Both engines, in several orders of simulation, and the figures of the one with a work list."""
    expected = outcome(image, timing, cores, "reference", None)
    for order in (None, 0, 1):
        assert outcome(image, timing, cores, "native", order) == expected
    for order in range(2):
        assert outcome(image, timing, cores, "reference", order) == expected
    assert outcome(image, timing, cores, "work list", None)[0] == expected[0]
