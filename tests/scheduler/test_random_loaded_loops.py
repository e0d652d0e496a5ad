"""Random kernels with loops whose bounds are loaded agree bit for bit at every level."""

from __future__ import annotations

import pytest

from tests.scheduler.levels import DEVICES, compare_levels
from tests.scheduler.random_loaded_loops import LoadedLoops

FEW, MANY = (1, 2, 6, 15, 20, 31, 33, 35), range(40, 240)


def check(seed: int) -> None:
    text = LoadedLoops(seed).text()
    bad = [r for r in compare_levels(text, DEVICES[seed % 4], seed=seed) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}\n{text}"


@pytest.mark.parametrize("seed", FEW)
def test_few(seed: int) -> None:
    check(seed)


@pytest.mark.all
@pytest.mark.parametrize("seed", MANY)
def test_many(seed: int) -> None:
    check(seed)
