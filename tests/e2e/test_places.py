"""Accesses at places read from memory, under conditions read from memory: where a condition fails, the place need not
exist, and a divisor may be zero. On every device, at every level, with the sanitizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from headrace.cli.main import run

PLACES = Path(__file__).parent.parent / "corpus" / "places"
CASES: dict[str, dict[str, Any]] = {
    "cache_write_negative_slots": {"slots": ("i4", [5, -1, 3, -1, 14, 0])},
    "gather_where_valid": {"ids": ("i4", [3, -1, 7, -5, 0])},
    "divide_where": {"ids": ("i4", [5, 3, -7, 100, 0, 9]), "f": ("i4", [0, 2, 0, 1, 3, -1])},
    "store_by_one": {"ids": ("i4", [5, 3, -7, 100, 0, 9])},
    "update_where": {"ids": ("i4", [0, 7, 11, -4, 99, 2]), "f": ("i4", [4, 0, 5, 0, 1, 9])},
    "scatter_where_both": {"dst": ("i8", [3, -1, 11, -5, 0, 7]), "keep": ("i4", [1, 1, 0, 0, 2, 1])},
    "scatter_rows_where": {
        "flag": ("i4", [4, 0, 9]), "dst": ("i4", [3, 1, 2, 0, -4, 99, -3, 77, 8, 11, 10, 9]),
    },
}  # fmt: skip
"""Integers by kernel and buffer; places that no condition allows lie outside."""
STORED = {
    "cache_write_negative_slots": [5, 3, 14, 0],
    "scatter_where_both": [3, 0, 7],
    "store_by_one": [0],
    "scatter_rows_where": [0, 1, 2, 3, 8, 9, 10, 11],
}
"""Rows of the result that are written."""
OUTPUT = {"cache_write_negative_slots": "cache"}
"""Where it is not `y`."""


def results(kernel: str, device: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Run one case; the report."""
    given: list[str] = []
    for name, (kind, numbers) in CASES[kernel].items():
        path = folder / f"in_{name}.npy"
        np.save(path, np.array(numbers, kind))
        given += ["--input", f"{name}={path}"]
    status = run(
        ["run", str(PLACES / f"{kernel}.mlir"), "--device", device, "--check=levels", "--sanitize", "--json",
         "--output", str(folder), *given]
    )  # fmt: skip
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return json.loads(captured.out)


@pytest.mark.parametrize("device", ["spyre", "sample"])
@pytest.mark.parametrize("kernel", sorted(CASES))
def test_levels(kernel: str, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = results(kernel, device, tmp_path, capsys)
    assert report["check"]["status"] == "match"
    assert 0 < report["efficiency"] <= 1


@pytest.mark.all
@pytest.mark.parametrize("device", ["spyre-balanced", "tri"])
@pytest.mark.parametrize("kernel", sorted(CASES))
def test_levels_elsewhere(kernel: str, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert results(kernel, device, tmp_path, capsys)["check"]["status"] == "match"


@pytest.mark.parametrize("kernel", sorted(STORED))
def test_nothing_else_is_written(kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results(kernel, "spyre", tmp_path, capsys)
    out: NDArray[Any] = np.load(tmp_path / f"{OUTPUT.get(kernel, 'y')}.npy")
    rows = out.reshape(-1, out.shape[-1] * (2 if kernel.startswith("cache") else 1))
    assert sorted(np.flatnonzero(rows.any(axis=1))) == sorted(STORED[kernel])
