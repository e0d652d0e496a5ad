"""Products of long rows whose partial results do not fit the scratchpad: a loop over blocks of what is stored."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from xdsl.ir import Operation

sys.path.insert(0, str(Path(__file__).parent))

from levels import Refused, compare_levels, small_device

from headrace.ir.text import parse_module
from headrace.scheduler.device import attach_device
from headrace.scheduler.notes import listening
from headrace.scheduler.split.tensor_legalization import TensorLegalization

LONG = 400


def view(name: str, rows: int, columns: int, kind: str = "i32") -> str:
    """A view of all of an argument."""
    return (
        f"%{name}v = ktdp.construct_memory_view %{name}, sizes: [{rows}, {columns}], strides: [{columns}, 1] "
        f"{{coordinate_set = {box(rows, columns)}, memory_space = #ktdp.memory_space<global>}} : "
        f"memref<{rows}x{columns}x{kind}>\n"
    )


def box(rows: int, columns: int) -> str:
    return f"affine_set<(i, j) : (i >= 0, -i + {rows - 1} >= 0, j >= 0, -j + {columns - 1} >= 0)>"


def tile(name: str, rows: int, columns: int, kind: str = "i32", order: str = "(i, j)") -> str:
    """A tile of all of it; in the other order where `order` says so."""
    shape = f"{rows}x{columns}" if order == "(i, j)" else f"{columns}x{rows}"
    return (
        f"%{name}t = ktdp.construct_access_tile %{name}v[0, 0] {{access_tile_set = {box(rows, columns)}, "
        f"access_tile_order = affine_map<(i, j) -> {order}>}} : memref<{rows}x{columns}x{kind}> -> "
        f"!ktdp.access_tile<{shape}xindex>\n"
    )


def load(name: str, rows: int, columns: int, kind: str = "i32") -> str:
    return view(name, rows, columns, kind) + tile(name, rows, columns, kind) + (
        f"%{name}d = ktdp.load %{name}t : <{rows}x{columns}xindex> -> tensor<{rows}x{columns}x{kind}>\n"
    )  # fmt: skip


def function(args: str, body: str) -> str:
    return f"func.func @k({args}) attributes {{grid = [1]}} {{\n{body}return\n}}\n"


def product(m: int, n: int, depth: int = LONG, kind: str = "i32", wide: str = "i32") -> str:
    """%p = the product of loaded a and b, added to 3."""
    zero = "dense<3>" if wide == "i32" else "dense<3.0>"
    return load("a", m, depth, kind) + load("b", depth, n, kind) + (
        f"%start = arith.constant {zero} : tensor<{m}x{n}x{wide}>\n"
        f"%p = linalg.matmul ins(%ad, %bd : tensor<{m}x{depth}x{kind}>, tensor<{depth}x{n}x{kind}>) "
        f"outs(%start : tensor<{m}x{n}x{wide}>) -> tensor<{m}x{n}x{wide}>\n"
    )  # fmt: skip


def stored(value: str, m: int, n: int, kind: str = "i32", name: str = "y") -> str:
    return view(name, m, n, kind) + tile(name, m, n, kind) + (
        f"ktdp.store %{value}, %{name}t : tensor<{m}x{n}x{kind}>, <{m}x{n}xindex>\n"
    )  # fmt: skip


def places(m: int, n: int, depth: int) -> str:
    """%p = sums of a[i, k] * b[k, j] + 100 i + j."""
    return load("a", m, depth) + load("b", depth, n) + f"""
%start = arith.constant dense<3> : tensor<{m}x{n}xi32>
%p = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
    affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}}
    ins(%ad, %bd : tensor<{m}x{depth}xi32>, tensor<{depth}x{n}xi32>) outs(%start : tensor<{m}x{n}xi32>) {{
^bb0(%x: i32, %w: i32, %s: i32):
  %i = linalg.index 0 : index
  %j = linalg.index 1 : index
  %ii = arith.index_cast %i : index to i32
  %jj = arith.index_cast %j : index to i32
  %h = arith.constant 100 : i32
  %i100 = arith.muli %ii, %h : i32
  %xw = arith.muli %x, %w : i32
  %t = arith.addi %xw, %i100 : i32
  %u = arith.addi %t, %jj : i32
  %r = arith.addi %s, %u : i32
  linalg.yield %r : i32
}} -> tensor<{m}x{n}xi32>
"""


def gram(m: int, depth: int) -> str:
    """%p = a times its transpose: one operand, walked along different dimensions."""
    return load("a", m, depth) + f"""
%start = arith.constant dense<3> : tensor<{m}x{m}xi32>
%p = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
    affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}}
    ins(%ad, %ad : tensor<{m}x{depth}xi32>, tensor<{m}x{depth}xi32>) outs(%start : tensor<{m}x{m}xi32>) {{
^bb0(%x: i32, %w: i32, %s: i32):
  %xw = arith.muli %x, %w : i32
  %r = arith.addi %s, %xw : i32
  linalg.yield %r : i32
}} -> tensor<{m}x{m}xi32>
"""


AB = "%a: index, %b: index, %y: index"
BIAS = load("c", 24, 16) + """
%q = arith.addi %p, %cd : tensor<24x16xi32>
%zero = arith.constant dense<0> : tensor<24x16xi32>
%r = arith.maxsi %q, %zero : tensor<24x16xi32>
"""
OTHER_ORDER = view("y", 16, 24) + tile("y", 16, 24, order="(j, i)") + (
    "ktdp.store %p, %yt : tensor<24x16xi32>, <24x16xindex>\n"
)  # fmt: skip
CUT = (
    stored("p", 24, 16).replace("sizes: [24, 16]", "sizes: [%rows, 16]").replace("memref<24x16", "memref<?x16")
    .replace("(i, j) : (i >= 0, -i + 23 >= 0", "(i, j)[s] : (i >= 0, -i + s - 1 >= 0", 1)
)  # fmt: skip
KERNELS = {
    "a store over the end of its view": function(
        AB, "%rows = arith.constant 19 : index\n" + product(24, 16) + CUT
    ),
    "plain": function(AB, product(24, 16) + stored("p", 24, 16)),
    "prime rows": function(AB, product(23, 16) + stored("p", 23, 16)),
    "one row": function(AB, product(1, 400) + stored("p", 1, 400)),
    "floats": function(AB, product(24, 16, 500, "f16", "f32") + stored("p", 24, 16, "f32")),
    "work behind": function(f"{AB}, %c: index", product(24, 16) + BIAS + stored("r", 24, 16)),
    "two stores": function(
        f"{AB}, %c: index, %z: index",
        product(24, 16) + BIAS + stored("r", 24, 16) + stored("p", 24, 16, name="z"),
    ),
    "in the other order": function(AB, product(24, 16, 1600) + OTHER_ORDER),
    "places": function(AB, places(24, 16, LONG) + stored("p", 24, 16)),
    "one operand twice": function("%a: index, %y: index", gram(14, 1600) + stored("p", 14, 14)),
}


@pytest.mark.parametrize("name", KERNELS)
def test_products_in_blocks(name: str) -> None:
    """The partial results of all pieces would not fit."""
    bad = [r for r in compare_levels(KERNELS[name], small_device("tri")) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"
    assert loops(KERNELS[name])


def loops(text: str) -> list[Operation]:
    """The loops over blocks that legalization makes."""
    module = parse_module(text)
    attach_device(module, small_device("tri"))
    TensorLegalization().apply(module, None)
    return [op for op in module.walk() if op.name == "scf.for"]


@pytest.mark.parametrize(
    ("device", "depth", "kind", "wide"), [("sample", 150, "f16", "f32"), ("tri", 100, "i32", "i32")]
)
def test_rows_that_fit_once_are_not_cut(device: str, depth: int, kind: str, wide: str) -> None:
    """Where the results of the pieces would not fit, rows are loaded while nothing else runs."""
    text = function(AB, product(24, 64, depth, kind, wide) + stored("p", 24, 64, wide))
    with listening() as notes:
        bad = [r for r in compare_levels(text, small_device(device)) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"
    assert [n.choice[:6] for n in notes if n.what == "buffer depth"] == ["1 copy"]


def test_results_over_an_operand_are_not_cut() -> None:
    """A block would overwrite what the next one reads."""
    store = stored("p", LONG, 16, name="b").replace(view("b", LONG, 16), "").replace(tile("b", LONG, 16), "")
    text = function("%a: index, %b: index", product(LONG, 16) + store)
    with pytest.raises(Refused, match="do not fit"):
        compare_levels(text, small_device("tri"))
