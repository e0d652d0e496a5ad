"""Which unit dimensions a slice of lower rank leaves out."""

from __future__ import annotations

import pytest

from headrace.ir.slices import kept_dims


@pytest.mark.parametrize(
    ("sizes", "shape", "kept"),
    [
        ([1, 32, 1], [1, 32], [0, 1]),
        ([1, 32, 1], [32, 1], [1, 2]),
        ([1, 32, 1], [32], [1]),
        ([1, 1, 8], [1, 8], [0, 2]),
        ([4, 1, 8], [4, 8], [0, 2]),
        ([1, "n", 1], [1, -1], [0, 1]),
        ([1, 1], [], []),
        ([2, 3], [2, 3], [0, 1]),
    ],
)
def test_kept(sizes: list[object], shape: list[int], kept: list[int]) -> None:
    assert kept_dims(sizes, shape) == kept
