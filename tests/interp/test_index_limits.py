"""Random indices: below the bound of the coordinates that they become, and each once where there are enough."""

from __future__ import annotations

import numpy as np
import pytest

from headrace.check.data import random_values
from headrace.interp.buffers import find_buffers
from headrace.ir.text import parse_module

SET = "affine_set<(i) : (i >= 0, -i + {0} >= 0)>"
ORDER = "access_tile_order = affine_map<(i) -> (i)>"
ROW = "affine_set<(i, j) : (i >= 0, -i + {0} >= 0, j >= 0, -j + 31 >= 0)>"
GLOBAL = "memory_space = #ktdp.memory_space<global>"
KERNEL = """
func.func @rows(%ids: index, %out: index) attributes {{grid = [1]}} {{
  %c0 = arith.constant 0 : index
  %four = arith.constant 4 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<{extent}x32xf32>
  %iv = ktdp.construct_memory_view %ids, sizes: [6], strides: [1] {{coordinate_set = {ids}, {space}}} : memref<6xi32>
  %ov = ktdp.construct_memory_view %out, sizes: [8, 32], strides: [32, 1] {{coordinate_set = {rows}, {space}}}
    : memref<8x32xf32>
  %it = ktdp.construct_access_tile %iv[0] {{access_tile_set = {one}, {order}}}
    : memref<6xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : !ktdp.access_tile<1xindex> -> tensor<1xi32>
  %e = tensor.extract %i[%c0] : tensor<1xi32>
  {body}
  %row = arith.index_cast %n : i32 to index
  %t = ktdp.construct_access_tile %ov[{at}, 0] {{access_tile_set = {tile},
    access_tile_order = affine_map<(i, j) -> (i, j)>}} : memref<8x32xf32> -> !ktdp.access_tile<{extent}x32xindex>
  ktdp.store %x, %t : tensor<{extent}x32xf32>, !ktdp.access_tile<{extent}x32xindex>
  return
}}
"""


@pytest.mark.parametrize(
    ("body", "at", "extent", "limit"),
    [
        ("%n = arith.addi %e, %c : i32", "%row", 1, 8),
        ("%n = arith.divsi %e, %four : i32", "%row", 1, 32),
        ("%n = arith.muli %e, %four : i32", "%row", 1, 2),
        ("%n = arith.addi %e, %one : i32", "%row", 1, 7),
        ("%n = arith.subi %e, %one : i32", "%row + 2", 3, 5),
        ("%n = arith.remsi %e, %four : i32", "%row", 1, None),
        ("%n = arith.addi %e, %e : i32", "%row", 1, None),
    ],
)
def test_bounds(body: str, at: str, extent: int, limit: int | None) -> None:
    text = KERNEL.format(
        body=body.replace("%c ", "%zero "), at=at, extent=extent, ids=SET.format(5), one=SET.format(0),
        rows=ROW.format(7), tile=ROW.format(extent - 1), order=ORDER, space=GLOBAL,
    )  # fmt: skip
    text = text.replace("  %one =", "  %zero = arith.constant 0 : i32\n  %one =")
    found = {b.name: b for b in find_buffers(parse_module(text)).buffers}
    assert found["ids"].index_limit == limit
    values = random_values(found["ids"], 3)
    assert 0 <= values.min() and values.max() < (limit or 8)
    if limit is not None and limit >= 6:
        assert len(np.unique(values)) == 6
