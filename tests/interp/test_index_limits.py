"""Random indices: legal as the coordinates that they become, or as bounds of loops whose variables do; each once where
there are enough, in order where neighbours are the ends of a range."""

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
        ("%n = arith.addi %e, %e : i32", "%row", 1, 4),
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


def test_lower_bounds() -> None:
    """What is subtracted from a number before it is a coordinate it has to be at least."""
    text = KERNEL.format(
        body="%n = arith.subi %e, %one : i32", at="%row", extent=1, ids=SET.format(5), one=SET.format(0),
        rows=ROW.format(7), tile=ROW.format(0), order=ORDER, space=GLOBAL,
    )  # fmt: skip
    found = {b.name: b for b in find_buffers(parse_module(text)).buffers}
    assert (found["ids"].index_low, found["ids"].index_limit) == (1, 9)
    values = random_values(found["ids"], 3)
    assert 1 <= values.min() and values.max() < 9 and len(np.unique(values)) == 6


LOOP = """
func.func @loop(%lens: index, %x: index) attributes {{grid = [3]}} {{
  %me = ktdp.get_compute_tile_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %next = arith.addi %me, %c1 : index
  %lv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {{coordinate_set = {lens}, {space}}} : memref<4xi32>
  %xv = ktdp.construct_memory_view %x, sizes: [20, 32], strides: [32, 1] {{coordinate_set = {rows}, {space}}}
    : memref<20x32xf32>
  %at = ktdp.construct_access_tile %lv[%me] {{access_tile_set = {one}, {order}}}
    : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %al = ktdp.load %at : !ktdp.access_tile<1xindex> -> tensor<1xi32>
  %ae = tensor.extract %al[%c0] : tensor<1xi32>
  %a = arith.index_cast %ae : i32 to index
  %bt = ktdp.construct_access_tile %lv[%next] {{access_tile_set = {one}, {order}}}
    : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %bl = ktdp.load %bt : !ktdp.access_tile<1xindex> -> tensor<1xi32>
  %be = tensor.extract %bl[%c0] : tensor<1xi32>
  %b = arith.index_cast %be : i32 to index
  %len = arith.subi %b, %a : index
  %blocks = arith.ceildivsi %a, %c4 : index
  %few = arith.minsi %a, %c4 : index
  %ranges = arith.ceildivsi %len, %c4 : index
  scf.for %i = {bounds} step {step} {{
    {body}
    %t = ktdp.construct_access_tile %xv[{place}, 0] {{access_tile_set = {tile},
      access_tile_order = affine_map<(i, j) -> (i, j)>}} : memref<20x32xf32> -> !ktdp.access_tile<{extent}x32xindex>
    %v = ktdp.load %t : !ktdp.access_tile<{extent}x32xindex> -> tensor<{extent}x32xf32>
    ktdp.store %v, %t : tensor<{extent}x32xf32>, !ktdp.access_tile<{extent}x32xindex>
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("bounds", "step", "body", "place", "extent", "limit", "ordered"),
    [
        ("%c0 to %a", "%c1", "", "%i", 1, 21, False),
        ("%c0 to %a", "%c4", "", "%i", 4, 21, False),
        ("%c0 to %blocks", "%c1", "%k = arith.muli %i, %c4 : index", "%k", 4, 21, False),
        ("%c0 to %few", "%c1", "", "%i", 1, None, False),
        ("%a to %b", "%c1", "", "%i", 1, 21, True),
        ("%c0 to %len", "%c1", "%k = arith.addi %a, %i : index", "%k", 1, 21, True),
        ("%c0 to %len", "%c4", "%k = arith.addi %a, %i : index", "%k", 4, 18, True),
        ("%c0 to %ranges", "%c1", "%m = arith.muli %i, %c4 : index\n%k = arith.addi %a, %m : index", "%k", 4, 18, True),
        ("%c0 to %a", "%c1", "%m = arith.muli %me, %c4 : index\n%k = arith.addi %m, %i : index", "%k", 1, 13, False),
        ("%b to %c4", "%c1", "", "%i", 1, None, False),
    ],
)  # fmt: skip
def test_bounds_of_loops(
    bounds: str, step: str, body: str, place: str, extent: int, limit: int | None, ordered: bool
) -> None:
    text = LOOP.format(
        bounds=bounds, step=step, body=body, place=place, extent=extent, lens=SET.format(3), one=SET.format(0),
        rows=ROW.format(19), tile=ROW.format(extent - 1), order=ORDER, space=GLOBAL,
    )  # fmt: skip
    found = {b.name: b for b in find_buffers(parse_module(text)).buffers}
    assert (found["lens"].index_limit, found["lens"].ordered) == (limit, ordered)
    values = random_values(found["lens"], 3)
    assert 0 <= values.min() and values.max() < (limit or 8)
    assert not ordered or list(values) == sorted(values)
