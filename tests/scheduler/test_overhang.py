"""Tiles that hang over the end of their view, transposed: they cost little more than tiles that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus"
SCORES = CORPUS / "triton" / "scores_tail_keys.mlir"
COPY = CORPUS / "access" / "transpose_launch_tail.mlir"


def cycles(path: Path, device: str, capsys: pytest.CaptureFixture[str], *options: str) -> int:
    """What one launch takes."""
    assert run(["run", str(path), "--device", device, "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)["cycles"]


def replaced(path: Path, to: Path, *pairs: tuple[str, str]) -> Path:
    """A kernel with parts of its text replaced."""
    text = path.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    to.write_text(text)
    return to


@pytest.mark.parametrize(("device", "most"), [("spyre", 2.5), ("sample", 1.25)])
def test_product_with_transposed_keys(
    device: str, most: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gathered element by element from main memory it takes 29 times as long on one, twice on the other."""
    full = replaced(SCORES, tmp_path / "full.mlir", ("constant 45", "constant 48"))
    assert cycles(SCORES, device, capsys) < most * cycles(full, device, capsys)


@pytest.mark.parametrize("device", ["spyre", "tri"])
def test_transposed_copy(device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gathered element by element from main memory it takes 9 to 40 times as long."""
    full = replaced(COPY, tmp_path / "full.mlir", ("%n: index", "%unused: index"),
                    ("    %me =", "    %n = arith.constant 64 : index\n    %me ="))  # fmt: skip
    assert cycles(COPY, device, capsys, "--arg", "n=61") < 2 * cycles(full, device, capsys)
