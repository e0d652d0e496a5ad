"""Random kernels agree bit for bit at every level, or are refused with a location, the construct and the pass."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from levels import DEVICES, Refused, compare_levels
from random_kernels import Kernel, kernels, random_choice, write_kernel

SEEDS = (7, 20, 21, 23, 25, 31, 449, 519)
"""Kernels of the plain run: an update in place beside a second store, several phases, tails, broadcasts, one element,
negative 64-bit constants."""


def check(kernel: Kernel, device: str, every_pass: bool = False) -> None:
    try:
        results = compare_levels(kernel.text, device, kernel.scalars, every_pass)
    except Refused as problem:
        first = str(problem).splitlines()[0]
        assert first.startswith("<stdin>:"), f"no location: {problem}\n{kernel.text}"
        return
    bad = [r for r in results if not r.good]
    assert not bad, f"{device}, after {bad[0].level}: {bad[0].error or bad[0].first}\n{kernel.text}"


@pytest.mark.parametrize("seed", SEEDS)
def test_seeded_kernels(seed: int) -> None:
    check(write_kernel(random_choice(seed)), DEVICES[seed % len(DEVICES)])


SLOW = settings(max_examples=3000, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)


@pytest.mark.all
@SLOW
@given(kernel=kernels(), device=st.sampled_from(DEVICES))
def test_random_kernels_at_every_level(kernel: Kernel, device: str) -> None:
    note(kernel.text)
    check(kernel, device)


@pytest.mark.all
@pytest.mark.parametrize("seed", range(0, 400))
def test_random_kernels_after_every_pass(seed: int) -> None:
    check(write_kernel(random_choice(1000 + seed)), DEVICES[seed % len(DEVICES)], every_pass=True)
