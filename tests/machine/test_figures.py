"""Timing figures from the shipped device files."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.arch import load_device
from headrace.codegen.image import Image, Memory
from headrace.codegen.isa import OPCODES
from headrace.ir.diagnostics import HeadraceError
from headrace.machine.figures import timing_of


def image_of(name: str) -> tuple[object, Image]:
    device = load_device(name)
    memories = [Memory(kind, "core" if device.memory_level(kind) else "global") for kind in device.memories]
    return device, Image(b"", 0, list(device.units), memories, [], [], [])


@pytest.mark.parametrize("name", ["sample", "spyre", "spyre-balanced", "tri"])
def test_every_resource_has_figures(name: str) -> None:
    device, image = image_of(name)
    timing = timing_of(device, image)
    assert set(timing.memories) == set(device.memories) and set(timing.units) == set(device.units)
    assert timing.clock_mhz == device.clock_mhz and timing.links


def test_spyre() -> None:
    timing = timing_of(*image_of("spyre"))
    ddr = timing.memory("DDR")
    assert (ddr.read, ddr.write, ddr.half_duplex) == (128, 128, True)
    sfu = timing.unit("SFU")
    assert (
        sfu.cycles("add", "f16", 64) == 1 and sfu.cycles("add", "df16", 65) == 2 and sfu.cycles("add", "f32", 64) == 2
    )
    assert sfu.cycles("exp", "f16", 36) == 4
    assert timing.path("MNILU", "DDR", "read").word == 128


def test_unknown_memory() -> None:
    device, image = image_of("spyre")
    image.memories.append(Memory("L9", "core"))
    with pytest.raises(HeadraceError, match="L9"):
        timing_of(device, image)


def test_the_page_tells_the_cost_of_every_instruction() -> None:
    text = (Path(__file__).parents[2] / "docs" / "timing.md").read_text()
    groups = {"scalar", "control", "sequencer", "correction"}
    assert "| scalar, control," in text
    assert [o for o, spec in OPCODES.items() if spec.group not in groups and f"`{o}`" not in text] == []
