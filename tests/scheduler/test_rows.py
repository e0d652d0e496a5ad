"""Which kernels are row-wise: only those for which a launch per block of rows means the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.api import public_kernels
from headrace.interp.engine import argument_names, find_kernel
from headrace.ir.text import parse_module
from headrace.scheduler.rows import row_arguments

CORPUS = Path(__file__).parent.parent / "corpus"


def rows(name: str) -> list[str] | None:
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name)
    (kernel,) = public_kernels(module)
    return row_arguments(module, kernel, argument_names(find_kernel(module, kernel)))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("elementwise/add", ["x", "y", "out"]),
        ("elementwise/broadcast_row", ["x", "out"]),
        ("elementwise/broadcast_column", ["x", "y", "out"]),
        ("elementwise/in_place", ["x", "y"]),
        ("elementwise/loop_blocks", ["x", "y", "out"]),
        ("elementwise/three_programs", ["x", "y", "tmp", "sum", "out"]),
        ("control/persistent_blocks", ["x", "out"]),
        ("reductions/softmax", ["x", "out"]),
        ("reductions/row_sum_f16", ["x", "out"]),
        ("reductions/generic_square_sum", ["x", "out"]),
    ],
)
def test_row_wise(name: str, arguments: list[str]) -> None:
    assert rows(name) == arguments


@pytest.mark.parametrize(
    "name",
    [
        "reductions/column_softmax",
        "reductions/column_sum",
        "reductions/double_center",
        "reductions/tile_sum",
        "reductions/rows_and_columns",
        "tensors/causal_softmax",
        "tensors/concat_rows_then_add",
        "tensors/slice_neighbours",
        "gather/embedding",
        "gather/scatter_rows",
        "control/triangular_loops",
        "control/argument_trips",
        "control/if_index",
        "control/loop_variable_as_data",
        "elementwise/if_tile_id",
        "elementwise/runtime_rows",
        "elementwise/add_const_address",
        "access/transpose_tile",
        "access/triangle_load",
    ],
)
def test_not_row_wise(name: str) -> None:
    assert rows(name) is None
