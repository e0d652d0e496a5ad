"""Linear forms as index arithmetic."""

from __future__ import annotations

from pathlib import Path

import headrace
from headrace.ir.text import parse_module, print_module

CORPUS = Path(__file__).parents[1] / "corpus"


def test_offsets_of_kernels_that_compute_in_i32_are_indices() -> None:
    program = headrace.compile(CORPUS / "llm" / "matmul_pid_1d.mlir", "spyre")
    text = print_module(program.schedule)
    assert "arith.divsi" in text  # of the tile id in i32; what is derived from it is an index again
    assert print_module(parse_module(text, "schedule.mlir", False)) == text
