"""What the choice of tile sizes looks at: how often a buffer is filled, and what has to fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import IndexType
from xdsl.utils.test_value import create_ssa_value

from headrace.arch.loader import device_of_text
from headrace.scheduler.shape.tile_size_selection import Buffer, fetched
from tests.scheduler.levels import compare_levels, device_named

CORPUS = Path(__file__).parents[1] / "corpus"

ROWS, COLUMNS = create_ssa_value(IndexType()), create_ssa_value(IndexType())
TOTALS: dict[Any, int] = {ROWS: 128, COLUMNS: 64}


@pytest.mark.parametrize(
    ("follows", "rows", "columns", "expected"),
    [
        ((ROWS,), 32, 16, 128),  # filled once for each of its own tiles
        ((COLUMNS,), 32, 16, 4 * 64),  # and again for every tile of the loop around
        ((COLUMNS,), 32, 64, 64),  # but for one that stays, the loop around is no reason
        ((ROWS, COLUMNS), 32, 16, 128 * 64),
        ((), 32, 16, 1),
        ((COLUMNS,), 30, 16, 5 * 64),  # the last tile is short
    ],
)
def test_fetched(follows: tuple, rows: int, columns: int, expected: int) -> None:
    buffer = Buffer(None, "L1", 1, [(v, 1) for v in follows])  # type: ignore[arg-type]
    assert fetched(buffer, {ROWS: rows, COLUMNS: columns}, TOTALS) == expected


@pytest.mark.parametrize("size", [10240, 12288, 16384])
def test_results_of_reductions_have_room(size: int) -> None:
    """The sums of a tile's rows are kept beside its staging buffers: tiles are as small as that asks for."""
    text = device_named("sample").text.replace("size = 1048576", f"size = {size}")
    results = compare_levels((CORPUS / "llm" / "batch_matmul.mlir").read_text(), device_of_text(text, "sample.mlir"))
    assert all(r.good for r in results), results
