"""The interpreters agree with KTIR after every pass, for the small elementwise corpus on every shipped device.

The plain run takes a rotating part: each kernel on one device. `-m all` takes every kernel on every device.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from levels import DEVICES, Refused, compare_levels, device_named

from headrace.interp.engine import find_kernel, grid_of
from headrace.ir.text import parse_module

CORPUS = sorted(
    p for p in (Path(__file__).parents[1] / "corpus" / "elementwise").glob("*.mlir") if "4096" not in p.stem
)
QUICK = ("broadcast_row", "if_tile_id", "in_place", "strided_view", "tail_strided", "three_programs")
ROTATION = [(p, DEVICES[k % len(DEVICES)]) for k, p in enumerate(p for p in CORPUS if p.stem in QUICK)]


def check(path: Path, device: str) -> None:
    text = path.read_text(encoding="utf-8")
    tiles = 1
    for n in grid_of(find_kernel(parse_module(text), None)):
        tiles *= n
    cores = device_named(device).cores
    try:
        results = compare_levels(text, device, every_pass=True, launch=False)
    except Refused as problem:
        assert cores is not None and tiles > cores, problem
        return
    bad = [r for r in results if not r.good]
    assert not bad, f"first wrong after {bad[0].level}: {bad[0].error or bad[0].first}"


@pytest.mark.parametrize(("path", "device"), ROTATION, ids=[f"{p.stem}-{d}" for p, d in ROTATION])
def test_passes_keep_the_results(path: Path, device: str) -> None:
    check(path, device)


@pytest.mark.all
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("path", CORPUS, ids=[p.stem for p in CORPUS])
def test_passes_keep_the_results_everywhere(path: Path, device: str) -> None:
    check(path, device)
