# ruff: noqa: E501  (assembly text)
"""Native code: the cache, every kind of instruction against the reference engine, correction, sequencer."""

from __future__ import annotations

import dataclasses
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace.codegen.assembler import assemble
from headrace.codegen.image import Image
from headrace.machine import SimDevice, counters
from headrace.machine.native import cache

from .hand import TIMING, load, one_unit_image


def both(code: str, table: bytes = b"", correction: str = "HALT", **changes: Any) -> np.ndarray:
    """Run on both engines over the same data; the 4096 bytes of memory afterwards, which must agree."""
    outs = []
    for engine in ("native", "reference"):
        device = SimDevice(None, timing=TIMING, engine=engine)
        device.memory.register(0, 4096)
        device.memory.write(0, np.random.default_rng(5).integers(0, 255, 4096, dtype=np.uint8))
        image = one_unit_image(code, changes.get("params"), correction, len(table))
        for name in ("sequencer", "sequencer_params"):
            if name in changes:
                setattr(image, name, changes[name])
        image.programs[0].arguments = changes.get("arguments", 0)
        result = device.compute(load(device, image, table))
        outs.append((device.memory.view(0, 4096).copy(), dataclasses.replace(result, seconds={})))
    assert outs[0][1] == outs[1][1]
    assert np.array_equal(outs[0][0], outs[1][0])
    return outs[0][0]


def store_words(*registers: int) -> str:
    """Store scalar registers as int64 at address 0 on (through VIOTA, which reads one)."""
    return "".join(
        f"LI r99, {8 * k}\nVIOTA v9, r{r}, 1xi64, 0, 1, 1\nVST v9, mem0, r99, 1xi64, [1:8]\n"
        for k, r in enumerate(registers)
    )


SCALARS = (
    "ADD SUB MUL DIVS REMS DIVU REMU FLOORDIVS CEILDIVS CEILDIVU MINS MAXS MINU MAXU AND OR XOR SHL SHRS SHRU".split()
)


@pytest.mark.parametrize("a,b", [(7, 3), (-7, 3), (7, -3), (-7, -3), (-(1 << 63), -1), (0, 5), (1 << 62, 4)])
def test_scalars(a: int, b: int) -> None:
    lines = [f"{op} r{10 + k}, r1, r2" for k, op in enumerate(SCALARS)]
    lines += [
        f"CMP {p}, r{40 + k}, r1, r2"
        for k, p in enumerate(("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"))
    ]
    used = [*range(10, 10 + len(SCALARS)), *range(40, 50)]
    out = both(f"LI r1, {a}\nLI r2, {b}\n" + "\n".join(lines) + "\n" + store_words(*used) + "HALT").view(np.int64)
    assert out[0] == np.int64((a + b + (1 << 63)) % (1 << 64) - (1 << 63))
    assert list(out[len(SCALARS) : len(SCALARS) + 6]) == [a == b, a != b, a < b, a <= b, a > b, a >= b]


def test_control() -> None:
    code = """
LI r1, 0
LI r2, 10
LI r3, 3
LI r4, 0
LOOP r5, r1, r2, r3
LI r2, 1
REMS r6, r5, r2
LOOP r7, r5, r2, r3
ADDR r4, r4, 1, []
ENDLOOP
CMP sgt, r8, r5, r3
IF r8
ADDR r4, r4, 100, []
ELSE
ADDR r4, r4, 1000, [r5*2 r3*1]
ENDIF
ENDLOOP
SEL r9, r8, r4, r1
"""
    out = both(code + store_words(4, 9) + "HALT").view(np.int64)
    assert out[0] == 1 + 2 * 1000 + 6 + 2 * 3 + 200 and out[1] == out[0]


@pytest.mark.parametrize(
    "dtype,size", [("f16", 2), ("bf16", 2), ("df16", 2), ("f32", 4), ("f64", 8), ("i8", 1), ("i64", 8)]
)
@pytest.mark.parametrize("lanes", [64, 16, 5, 40])
def test_vectors(dtype: str, size: int, lanes: int) -> None:
    vt = f"{lanes}x{dtype}"
    names = ("mul", "sub") if dtype[0] != "i" else ()
    ops = [f"arith.{n}f" for n in names] or ["arith.muli", "arith.maxsi"]
    code = f"LI r1, 0\nLI r2, 1024\nLI r3, 2048\nVLD v0, mem0, r1, {vt}, [{lanes}:{size}]\nVLD v1, mem0, r2, {vt}, [{lanes}:{size + 1}]\n"
    code += f"VOP {ops[0]} (v2:{dtype}) = (v0:{dtype}, v1:{dtype}) x {lanes}\nVOP {ops[1]} (v2:{dtype}) = (v2:{dtype}, v0:{dtype}) x {lanes}\n"
    code += f"VMOV v3, v2, {vt}\nVST v3, mem0, r3, {vt}, [{lanes}:{size}]\nHALT"
    both(code)


def test_shuffles_constants_iota_and_predicates() -> None:
    code = """
LI r1, 0
LI r2, 1000
LI r3, -5
VLD v0, mem0, r1, 8xi16, [2:64 4:2]
VLD v6, mem0, r1, 8xi16, [4:0 2:16]
VCONST v1, 8xi16, [0x7 0xffff 0x10]
VIOTA v2, r3, 8xi16, 3, 2, 3
VSHUF v3, 24xi16, [v0:8 v1:8 v2:8], [23 1 9 17 0 0 5]
VSHUF v4, 8xi16, [v0:8], [3]
VOP arith.cmpi (v5:i1) = (v0:i16, v1:i16) x 8 predicate="slt"
VOP arith.select (v7:i16) = (v5:i1, v6:i16, v4:i16) x 8
VST v3, mem0, r2, 24xi16, [24:2]
ADDR r2, r2, 64, []
VST v4, mem0, r2, 8xi16, [2:100 4:2]
ADDR r2, r2, 256, []
VST v5, mem0, r2, 8xi1, [8:1]
ADDR r2, r2, 64, []
VST v7, mem0, r2, 8xi16, [8:2]
HALT
"""
    out = both(code)
    original = np.random.default_rng(5).integers(0, 255, 4096, dtype=np.uint8)
    assert (out[1064:1072].view(np.int16) == original[6:8].view(np.int16)[0]).all()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_shuffle(data: Any) -> None:
    """Lanes of one register or of several, of other lengths than the result, and a result that is a source."""
    size, dtype = data.draw(st.sampled_from([(1, "i8"), (2, "f16"), (4, "f32"), (8, "i64")]))
    length = st.integers(1, 40) | st.sampled_from([64, 128])
    lanes = data.draw(st.lists(length, min_size=1, max_size=4))
    code = "LI r1, 0\n"
    for n, count in enumerate(lanes):
        code += f"VLD v{n}, mem0, r1, {count}x{dtype}, [{count}:{size}]\nADDR r1, r1, {3 + n}, []\n"
    sources = data.draw(st.lists(st.integers(0, len(lanes) - 1), min_size=1, max_size=4))
    pool = sum(lanes[n] for n in sources)
    out = data.draw(st.integers(0, len(lanes)))  # the last one is no source
    count = lanes[out] if out < len(lanes) else data.draw(length)
    indices = data.draw(st.lists(st.integers(0, pool - 1), min_size=min(count, 6), max_size=count))
    listed, picks = " ".join(f"v{n}:{lanes[n]}" for n in sources), " ".join(map(str, indices))
    code += f"VSHUF v{out}, {count}x{dtype}, [{listed}], [{picks}]\nLI r2, 2048\n"
    both(code + f"VST v{out}, mem0, r2, {count}x{dtype}, [{count}:{size}]\nHALT")


def test_transcendental_and_casts() -> None:
    code = "LI r1, 0\nLI r2, 2048\nVCONST v0, 40xf16, [0x3c00 0xbc00 0x4000 0x7c00 0x1]\nVOP math.exp (v1:f16) = (v0:f16) x 40\n"
    code += "VOP arith.extf (v2:f32) = (v1:f16) x 40\nVOP math.tanh (v2:f32) = (v2:f32) x 40\nVST v2, mem0, r1, 40xf32, [40:4]\nHALT"
    both(code)


def test_transfer_boxes() -> None:
    code = "LI r1, 0\nLI r2, 64\nLI r3, 3\nLI r4, 2048\nXFER mem0, r1, mem1, r2, 2, [r3:100:40 2:50:20 10:2:2]\n"
    code += "XFER mem1, r2, mem0, r4, 4, [30:4:8]\nXFER mem0, r1, mem0, r4, 1, [0:1:1]\nHALT"
    out = both(code)
    original = np.random.default_rng(5).integers(0, 255, 4096, dtype=np.uint8)
    assert out[2048:2052].tolist() == original[:4].tolist()


def test_correction_patches_a_copy() -> None:
    code = "PARAM r1, 3\nPARAM r2, 4\n" + store_words(1, 2) + "HALT"
    image = one_unit_image(code, [1, 2], correction_bytes=128)
    image.place()
    base = image.programs[0].sections[0].block_offset(0)
    image.correction = assemble(f"PATCH 8, {base + 24}, 8\nPATCH 4, {base + 32}, 64\nHALT")
    image.place()
    moved = image.programs[0].sections[0].block_offset(0) - base
    image.correction = assemble(f"PATCH 8, {base + moved + 24}, 8\nPATCH 4, {base + moved + 32}, 64\nHALT")
    device = SimDevice(None, timing=TIMING)
    device.memory.register(0, 4096)
    for value in (11, 77):
        entry = load(device, image, struct.pack("<qq", 0, value).ljust(64, b"\0") + b"\5\0\0\0")
        device.compute(entry)
        assert device.memory.view(0, 16).view(np.int64).tolist() == [value, 5]


def test_sequencer_loops_and_arguments() -> None:
    sequencer = "LI r0, 0\nPARAM r1, 0\nLI r2, 1\nLI r6, 2\nLOOP r3, r0, r1, r2\nMUL r4, r3, r3\nCMP ne, r5, r3, r6\nIF r5\nCALL 0, r3, 2\nENDIF\nENDLOOP\nHALT"
    code = "ARG r1, 0\nLI r3, 1\nARGX r2, r3\nLI r4, 8\nMUL r5, r1, r4\nVIOTA v0, r2, 1xi64, 0, 1, 1\nVST v0, mem0, r5, 1xi64, [1:8]\nHALT"
    out = both(code, sequencer=assemble(sequencer), sequencer_params=[5], arguments=2).view(np.int64)
    original = np.random.default_rng(5).integers(0, 255, 4096, dtype=np.uint8).view(np.int64)
    assert out[:5].tolist() == [0, 1, original[2], 9, 16]


def test_disk_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_CACHE_DIR", str(tmp_path))

    def fresh() -> None:
        monkeypatch.setattr(cache, "_loaded", {})
        device = SimDevice(None, timing=TIMING)
        device.memory.register(0, 4096)
        counters.reset()
        device.compute(load(device, one_unit_image("LI r1, 12345\n" + store_words(1) + "HALT")))
        assert device.memory.view(0, 8).view(np.int64)[0] == 12345

    fresh()
    assert counters.compilations == 2 and counters.disk_hits == 0
    fresh()
    assert counters.compilations == 0 and counters.disk_hits == 2
    for path in (tmp_path / "native").iterdir():
        path.write_bytes(path.read_bytes()[:-7] + b"garbage")
    fresh()
    assert counters.compilations == 2
    fresh()
    assert counters.compilations == 0
    monkeypatch.setenv("HEADRACE_CACHE_DIR", "")
    fresh()
    assert counters.compilations == 2


def test_image_round_trip_is_what_runs() -> None:
    image = one_unit_image("HALT")
    assert Image.decode(image.encode()).programs[0].sections[0].code == image.programs[0].sections[0].code


def test_processes_share_the_cache(tmp_path: Path) -> None:
    """Several processes that begin with an empty cache at once all get sound code, and leave whole entries only."""
    script = (
        "import numpy as np\n"
        "from headrace.machine import SimDevice\n"
        "from tests.machine.hand import TIMING, load, one_unit_image\n"
        "from tests.machine.test_native import store_words\n"
        "device = SimDevice(None, timing=TIMING)\n"
        "device.memory.register(0, 4096)\n"
        "device.compute(load(device, one_unit_image('LI r1, 12345\\n' + store_words(1) + 'HALT')))\n"
        "assert device.memory.view(0, 8).view(np.int64)[0] == 12345\n"
    )
    env = {**os.environ, "HEADRACE_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parent.parent.parent
    started = [subprocess.Popen([sys.executable, "-c", script], env=env, cwd=root) for _ in range(3)]
    assert [p.wait() for p in started] == [0, 0, 0]
    names = [p.name for p in (tmp_path / "native").iterdir()]
    assert len(names) == 2 and all(n.endswith(".o") for n in names)
