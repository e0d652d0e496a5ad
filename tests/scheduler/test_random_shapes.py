"""Chains of operations that change shapes mean the same at every level, or are refused at the operation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headrace.cli.main import run
from tests.scheduler.random_shapes import Chain

DEVICES = ("spyre", "sample", "tri")
FEW, MANY = range(1, 7), range(7, 200)


def check(seed: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether the chain runs; one that is refused says where and why."""
    path = folder / "chain.mlir"
    path.write_text(Chain(seed).text())
    status = run(["run", str(path), "--device", DEVICES[seed % 3], "--check=levels", "--sanitize", "--json"])
    captured = capsys.readouterr()
    if status == 1:
        assert "chain.mlir:" in captured.err and "tensor-legalization" in captured.err, captured.err
        return False
    assert status == 0, captured.out + captured.err
    assert json.loads(captured.out)["check"]["status"] == "match"
    return True


def test_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sum([check(seed, tmp_path, capsys) for seed in FEW]) >= len(FEW) - 2


@pytest.mark.all
@pytest.mark.parametrize("seed", MANY)
def test_many(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(seed, tmp_path, capsys)
