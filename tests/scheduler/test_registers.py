"""Devices whose compute unit has few registers: accumulators share them, or the kernel is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from levels import Refused, compare_levels, device_named

from headrace.arch import Device
from headrace.arch.loader import device_of_text
from headrace.scheduler.shape.address_assignment import take, without

ARGMAX = Path(__file__).parents[1] / "corpus" / "reductions" / "argmax_rows.mlir"
"""Three reductions of rows of 20 elements: six accumulators, at most two of them at a time."""


def registers(size: int) -> Device:
    """A device with so many bytes of registers."""
    text = device_named("tri").text
    few = text.replace('kind = "REGS", size = 4096', f'kind = "REGS", size = {size}')
    assert few != text
    return device_of_text(few, "few.mlir")


@pytest.mark.parametrize("size", [pytest.param(512, marks=pytest.mark.all), 80])
def test_accumulators_take_the_place_of_others(size: int) -> None:
    """One after the other at multiples of 128 bytes they need 768 bytes; 16 and 4 words at a time need 80."""
    bad = [r for r in compare_levels(ARGMAX.read_text(), registers(size)) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


def test_too_few_registers_are_said() -> None:
    with pytest.raises(Refused, match="failed to allocate REGS memory: the program exceeds its 76 bytes"):
        compare_levels(ARGMAX.read_text(), registers(76))


def test_ranges() -> None:
    assert without([(0, 8), (10, 20)], 4, 12) == [(0, 4), (12, 20)]
    free = [(4, 140), (200, 600)]
    assert take(free, 300) == 256 and free == [(4, 140), (200, 256), (556, 600)]
    assert take(free, 20, 4) == 4 and free[0] == (24, 140)
    assert take(free, 500) is None
