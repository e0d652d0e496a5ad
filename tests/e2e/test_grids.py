"""The corpus on other grids: 1, 2 and 32 tiles, on every shipped device, where the kernel's views allow it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus" / "elementwise"
SMALL = sorted(p.stem for p in CORPUS.glob("*.mlir") if not p.stem.endswith("_4096") and p.stem != "tail_tiles")
DEVICES = ("sample", "spyre", "spyre-balanced", "tri")
TILES = (1, 2, 32)
GRID = re.compile(r"grid = \[([0-9, ]+)\]")
#: What a kernel may answer to a grid that it was not written for.
LEGAL_REFUSALS = (
    "outside the view's extent", "outside every allocation", "larger than the", "cores of device", "the grid has",
)  # fmt: skip


def regrid(text: str, tiles: int) -> str | None:
    """The kernel on `tiles` tiles along its first grid dimension; None where the text has that grid already."""
    found = GRID.search(text)
    if found is None:
        return None
    extents = [int(n) for n in found[1].split(",")]
    if math.prod(extents) == tiles:
        return None
    return GRID.sub(f"grid = [{', '.join(map(str, [tiles, *[1] * (len(extents) - 1)]))}]", text)


def check(kernel: str, device: str, tiles: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = regrid((CORPUS / f"{kernel}.mlir").read_text(), tiles)
    if text is None:
        return
    path = folder / f"{kernel}.mlir"
    path.write_text(text)
    status = run(["run", str(path), "--device", device, "--check=levels", "--json"])
    captured = capsys.readouterr()
    if status == 1:
        assert any(part in captured.err for part in LEGAL_REFUSALS), captured.err
        return
    assert status == 0, captured.err or captured.out
    report = json.loads(captured.out)
    assert report["check"]["status"] == "match", report["check"]["levels"]
    assert math.prod(report["grid"]) == tiles


CASES = [(k, d, n) for k in SMALL for d in DEVICES for n in TILES]


@pytest.mark.parametrize(("kernel", "device", "tiles"), CASES[::31])
def test_some_grids(kernel: str, device: str, tiles: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(kernel, device, tiles, tmp_path, capsys)


@pytest.mark.all
@pytest.mark.parametrize(("kernel", "device", "tiles"), CASES)
def test_all_grids(kernel: str, device: str, tiles: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(kernel, device, tiles, tmp_path, capsys)
