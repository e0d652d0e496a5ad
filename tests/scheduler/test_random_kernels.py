"""Random kernels agree bit for bit at every level, or are refused with a location, the construct and the pass."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from levels import DEVICES, Refused, compare_levels
from random_devices import RandomDevice, device_files, write_device
from random_kernels import Kernel, kernels, random_choice, write_kernel
from random_programs import programs, write_program

from headrace.arch import Device
from headrace.arch.loader import device_of_text

SEEDS = (7, 20, 21, 23, 25, 31, 449, 519)
"""Kernels of the plain run: an update in place beside a second store, several phases, tails, broadcasts, one element,
negative 64-bit constants."""


ON_RANDOM_DEVICES = (6020, 6073, 8000, 8014, 20022, 20042, 60281)
"""Kernels and devices of the plain run: memories of two and three levels, some of them one for each group of units; a
unit without registers; a df16 maximum; two memories beside each other on the chip; folds of
one element in a loop that becomes a vector."""


PROGRAMS = (103, 214)
"""Programs of the plain run: one of the kinds of `random_programs`; sums of one branch in registers."""


def check(kernel: Kernel, device: str | Device, every_pass: bool = False) -> None:
    try:
        results = compare_levels(kernel.text, device, kernel.scalars, every_pass)
    except Refused as problem:
        first = str(problem).splitlines()[0]
        assert first.startswith("<stdin>:"), f"no location: {problem}\n{kernel.text}"
        return
    bad = [r for r in results if not r.good]
    place = device if isinstance(device, str) else device.text
    assert not bad, f"{place}, after {bad[0].level}: {bad[0].error or bad[0].first}\n{kernel.text}"


@pytest.mark.parametrize("seed", SEEDS)
def test_seeded_kernels(seed: int) -> None:
    check(write_kernel(random_choice(seed)), DEVICES[seed % len(DEVICES)])


def device_of(file: RandomDevice) -> Device:
    return device_of_text(file.text, "random.mlir")


@pytest.mark.parametrize("seed", ON_RANDOM_DEVICES)
def test_seeded_kernels_on_random_devices(seed: int) -> None:
    check(write_kernel(random_choice(seed)), device_of(write_device(random_choice(seed))))


@pytest.mark.parametrize("seed", PROGRAMS)
def test_seeded_programs(seed: int) -> None:
    device = DEVICES[seed % 4] if seed % 2 else device_of(write_device(random_choice(seed)))
    check(write_program(random_choice(seed)), device)


SLOW = settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)


@pytest.mark.all
@SLOW
@given(kernel=kernels(), device=st.sampled_from(DEVICES))
def test_random_kernels_at_every_level(kernel: Kernel, device: str) -> None:
    note(kernel.text)
    check(kernel, device)


@pytest.mark.all
@SLOW
@given(kernel=kernels(), file=device_files())
def test_random_kernels_on_random_devices(kernel: Kernel, file: RandomDevice) -> None:
    note(kernel.text)
    note(file.text)
    check(kernel, device_of(file))


@pytest.mark.all
@SLOW
@given(kernel=programs(), device=st.sampled_from(DEVICES))
def test_random_programs_at_every_level(kernel: Kernel, device: str) -> None:
    note(kernel.text)
    check(kernel, device)


@pytest.mark.all
@SLOW
@given(kernel=programs(), file=device_files())
def test_random_programs_on_random_devices(kernel: Kernel, file: RandomDevice) -> None:
    note(kernel.text)
    note(file.text)
    check(kernel, device_of(file))


@pytest.mark.all
@pytest.mark.parametrize("seed", range(0, 400))
def test_random_kernels_after_every_pass(seed: int) -> None:
    check(write_kernel(random_choice(1000 + seed)), DEVICES[seed % len(DEVICES)], every_pass=True)
