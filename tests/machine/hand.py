# ruff: noqa: E501  (assembly text)
"""Hand-assembled programs for the machine's tests, and devices to run them on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from headrace.codegen.assembler import assemble
from headrace.codegen.image import Image, Memory, Program, Section, Unit
from headrace.machine import MemoryTiming, SimDevice, Timing, UnitTiming

SEGMENT = 1 << 34
ENTRY = 7 * SEGMENT
KINDS = ["DL", "LU", "SFU", "SU", "DS"]

TIMING = Timing(
    memories={"DDR": MemoryTiming(8 * SEGMENT, 100, 128, 128, True), "L1": MemoryTiming(2 << 20, 6, 256, 128)},
    units={"SFU": UnitTiming(64, {}, 1, 4), "LU": UnitTiming(64)},
)


def one_unit_image(
    code: str, params: list[int] | None = None, correction: str = "HALT", correction_bytes: int = 0
) -> Image:
    """One unit of kind DL on core 0; its own parameter words follow the three fixed ones."""
    section = Section(0, [0], [[0, 0, 0, *(params or [])]], assemble(code))
    program = Program("p", 0, [section])
    image = Image(
        b"", correction_bytes, ["DL"], [Memory("DDR", "global"), Memory("L1", "core")], [Unit(0, 0, 0)], [program], []
    )
    image.sequencer = assemble("CALL 0, r0, 0\nHALT")
    image.correction = assemble(correction)
    return image


def kinds_image(
    codes: dict[str, str], params: Mapping[str, Sequence[int | str]], cores: int = 1
) -> Image:
    """One unit of every kind a core, numbered core * kinds + position; params "@KIND" words are peers of the
    same core, "@KIND>2" those of the core after the next (the first follows the last)."""
    kinds = list(codes)
    units = [Unit(k, c, 0) for c in range(cores) for k in range(len(kinds))]
    sections = []
    for k, kind in enumerate(kinds):
        numbers = [c * len(kinds) + k for c in range(cores)]
        blocks = []
        for c, number in enumerate(numbers):
            words = [_peer(w, c, kinds, cores) if isinstance(w, str) else w for w in params.get(kind, [])]
            blocks.append([number, c, 0, *words])
        sections.append(Section(k, numbers, blocks, assemble(codes[kind])))
    image = Image(
        b"", 0, kinds, [Memory("DDR", "global"), Memory("L1", "core")], units, [Program("p", 0, sections)], []
    )
    image.sequencer = assemble("CALL 0, r0, 0\nHALT")
    return image


def _peer(word: str, core: int, kinds: Sequence[str], cores: int) -> int:
    """Number of the unit that a word of :func:`kinds_image` names, seen from a core."""
    kind, _, shift = word[1:].partition(">")
    return (core + int(shift or 0)) % cores * len(kinds) + kinds.index(kind)


def load(device: SimDevice, image: Image, table: bytes = b"") -> int:
    """Put an image (behind its correction region) into segment 7; its entry address."""
    raw = image.encode()
    if not any(r.address == ENTRY for r in device.memory.regions):
        device.memory.register(ENTRY, image.correction_bytes + len(raw))
    device.memory.write(ENTRY, table.ljust(image.correction_bytes, b"\0") + raw)
    return ENTRY + image.correction_bytes


def add_image(cores: int, rows: int, columns: int, tile_rows: int, corelets: int = 2) -> Image:
    """Each core adds ``rows`` x ``columns`` f16 of segments 0 and 1 into segment 2, in double-buffered tiles."""
    tile, tiles = tile_rows * columns * 2, rows // tile_rows
    vectors = tile_rows * columns // 64 // corelets
    per = 2 + 3 * corelets
    each = range(corelets)

    def number(core: int, kind: int, corelet: int = 0) -> int:
        return core * per + (0, 1 + 3 * corelet, 2 + 3 * corelet, 3 + 3 * corelet, per - 1)[kind]

    box = f"[{tile_rows}:{columns * 2}:{columns * 2} {columns}:2:2]"
    head = "LI r3, 0\nLI r4, {n}\nLI r5, 1\n"
    load_tiles = (
        "PARAM r1, 3\nPARAM r2, 4\n" + "".join(f"PARAM r{20 + x}, {5 + x}\n" for x in each) + head.format(n=tiles)
        + f"LI r6, 0\nLI r11, {2 * tile}\nLOOP r7, r3, r4, r5\n" + "".join(f"WAIT r{20 + x}, 0\n" for x in each)
        + f"ADDR r8, r1, 0, [r7*{tile}]\nADDR r9, r2, 0, [r7*{tile}]\nADDR r10, r6, {tile}, []\n"
        + f"XFER mem0, r8, mem1, r6, 2, {box}\nXFER mem0, r9, mem1, r10, 2, {box}\n"
        + "".join(f"SIGNAL r{20 + x}, 1\n" for x in each) + "SUB r6, r11, r6\nENDLOOP\n"
        + "".join(f"WAIT r{20 + x}, 0\n" * 2 for x in each) + "HALT"
    )  # fmt: skip
    load_vectors = (
        "PARAM r20, 3\nPARAM r21, 4\nPARAM r2, 2\n" + head.format(n=tiles) + f"LI r6, 0\nLI r12, {vectors}\nLI r11, {2 * tile}\n"
        + "SIGNAL r20, 0\nSIGNAL r20, 0\nLOOP r7, r3, r4, r5\nWAIT r20, 1\nLOOP r8, r3, r12, r5\n"
        + f"ADDR r9, r6, 0, [r8*128 r2*{vectors * 128}]\nVLD v0, mem1, r9, 64xf16, [64:2]\nSEND v0, r21, 64xf16\n"
        + f"ADDR r10, r9, {tile}, []\nVLD v0, mem1, r10, 64xf16, [64:2]\nSEND v0, r21, 64xf16\nENDLOOP\n"
        + "SIGNAL r20, 0\nSUB r6, r11, r6\nENDLOOP\nHALT"
    )  # fmt: skip
    compute = (
        "PARAM r20, 3\nPARAM r21, 4\n" + head.format(n=vectors * tiles) + "LOOP r7, r3, r4, r5\nRECV v0, r20, 64xf16\n"
        + "RECV v1, r20, 64xf16\nVOP arith.addf (v2:f16) = (v0:f16, v1:f16) x 64\nSEND v2, r21, 64xf16\nENDLOOP\nHALT"
    )  # fmt: skip
    store_vectors = (
        "PARAM r20, 3\nPARAM r21, 4\nPARAM r2, 2\n" + head.format(n=tiles)
        + f"LI r6, {4 * tile}\nLI r12, {vectors}\nLI r11, {9 * tile}\nLOOP r7, r3, r4, r5\nWAIT r21, 0\nLOOP r8, r3, r12, r5\n"
        + f"ADDR r9, r6, 0, [r8*128 r2*{vectors * 128}]\nRECV v0, r20, 64xf16\nVST v0, mem1, r9, 64xf16, [64:2]\nENDLOOP\n"
        + "SIGNAL r21, 1\nSUB r6, r11, r6\nENDLOOP\nWAIT r21, 0\nWAIT r21, 0\nHALT"
    )  # fmt: skip
    store_tiles = (
        "PARAM r1, 3\n" + "".join(f"PARAM r{20 + x}, {4 + x}\n" for x in each) + head.format(n=tiles)
        + f"LI r6, {4 * tile}\nLI r11, {9 * tile}\n" + "".join(f"SIGNAL r{20 + x}, 0\n" * 2 for x in each)
        + "LOOP r7, r3, r4, r5\n" + "".join(f"WAIT r{20 + x}, 1\n" for x in each)
        + f"ADDR r8, r1, 0, [r7*{tile}]\nXFER mem1, r6, mem0, r8, 2, {box}\n"
        + "".join(f"SIGNAL r{20 + x}, 0\n" for x in each) + "SUB r6, r11, r6\nENDLOOP\nHALT"
    )  # fmt: skip
    bytes_of_core = rows * columns * 2
    units: list[Unit] = []
    for core in range(cores):
        units.append(Unit(0, core, 0))
        units += [Unit(k, core, x) for x in each for k in (1, 2, 3)]
        units.append(Unit(4, core, 0))
    sections = []
    for kind, text in enumerate((load_tiles, load_vectors, compute, store_vectors, store_tiles)):
        numbers, blocks = [], []
        for core in range(cores):
            for x in each if kind in (1, 2, 3) else (0,):
                words = {
                    0: [core * bytes_of_core, SEGMENT + core * bytes_of_core, *(number(core, 1, y) for y in each)],
                    1: [number(core, 0), number(core, 2, x)],
                    2: [number(core, 1, x), number(core, 3, x)],
                    3: [number(core, 2, x), number(core, 4)],
                    4: [2 * SEGMENT + core * bytes_of_core, *(number(core, 3, y) for y in each)],
                }[kind]
                numbers.append(number(core, kind, x))
                blocks.append([numbers[-1], core, x, *words])
        sections.append(Section(kind, numbers, blocks, assemble(text)))
    image = Image(
        b"", 0, KINDS, [Memory("DDR", "global"), Memory("L1", "core")], units, [Program("add", 0, sections)], []
    )
    image.sequencer = assemble("CALL 0, r0, 0\nHALT")
    image.correction = assemble("HALT")
    return image


def open_with(
    n: int, engine: str = "native", order: int | None = None, timing: Timing = TIMING
) -> tuple[SimDevice, list[np.ndarray]]:
    """A device with two random f16 arrays of n elements in segments 0 and 1 and room for a third in segment 2."""
    device = SimDevice(None, timing=timing, engine=engine, order=order)
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(n).astype(np.float16) for _ in range(2)]
    for k in range(3):
        device.memory.register(k * SEGMENT, 2 * n)
    for k, x in enumerate(arrays):
        device.memory.write(k * SEGMENT, x)
    return device, arrays
