"""Reductions over extents that only a launch knows: every level agrees, for any extent up to the upper bound."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import f16

sys.path.insert(0, str(Path(__file__).parent))

from levels import Refused, compare_levels, device_named, small_device

from headrace.arch.loader import device_of_text
from headrace.ir.text import parse_module
from headrace.scheduler.split.unbounded_walks import store_row_by_row

CORPUS = Path(__file__).parents[1] / "corpus"
COLUMNS = """
func.func @k(%n: !ktdp.runtime_arg<index, upperbound=130>, %x: index, %r: index) attributes {{grid = [1]}} {{
  %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=130> -> index
  %xv = ktdp.construct_memory_view %x, sizes: [5, %c], strides: [130, 1] {{coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 4 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>}} : memref<5x?xi32>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%c) {{access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 4 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>}} : memref<5x?xi32> -> !ktdp.access_tile<5x?xindex>
  %d = ktdp.load %t : <5x?xindex> -> tensor<5x?xi32>
  %e = tensor.empty({size}) : tensor<{kept}xi32>
  %z = arith.constant 0 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<{kept}xi32>) -> tensor<{kept}xi32>
  %s = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ({out})>], iterator_types = [{kinds}]}} ins(%d : tensor<5x?xi32>) outs(%f : tensor<{kept}xi32>) {{
  ^bb0(%u: i32, %v: i32):
    %q = arith.muli %u, %u : i32
    %w = arith.addi %v, %q : i32
    linalg.yield %w : i32
  }} -> tensor<{kept}xi32>
  %rv = ktdp.construct_memory_view %r, sizes: [{extent}], strides: [1] {{coordinate_set = {points}, memory_space = #ktdp.memory_space<global>}} : memref<{kept}xi32>
  %rt = ktdp.construct_access_tile %rv[0]{symbols} {{access_tile_set = {points}, access_tile_order = affine_map<(i) -> (i)>}} : memref<{kept}xi32> -> !ktdp.access_tile<{kept}xindex>
  ktdp.store %s, %rt : tensor<{kept}xi32>, <{kept}xindex>
  return
}}
"""  # noqa: E501
ROWS = dict(size="", kept="5", out="a", kinds='"parallel", "reduction"', extent="5", symbols="",
            points="affine_set<(i) : (i >= 0, -i + 4 >= 0)>")  # fmt: skip
WALKED = dict(size="%c", kept="?", out="b", kinds='"reduction", "parallel"', extent="%c", symbols=" symbols(%c)",
              points="affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>")  # fmt: skip


@pytest.mark.parametrize(("form", "n"), [(ROWS, 0), (ROWS, 1), (ROWS, 77), (WALKED, 65)])
def test_squares_over_and_along_an_extent_of_the_launch(form: dict[str, str], n: int) -> None:
    results = compare_levels(COLUMNS.format(**form), "spyre", {"n": n})
    assert all(r.good for r in results), results


@pytest.mark.parametrize(("device", "n"), [("spyre", 77), ("tri", 300)])
def test_softmax_over_columns_of_the_launch(device: str, n: int) -> None:
    text = (CORPUS / "reductions" / "softmax_launch_columns.mlir").read_text()
    results = compare_levels(text, device, {"n": n})
    assert all(r.good for r in results), results


def unbounded(form: dict[str, str] = ROWS) -> str:
    """The kernel without upper bound."""
    return COLUMNS.format(**form).replace(", upperbound=130", "").replace("[130, 1]", "[320, 1]")


@pytest.mark.parametrize("n", [0, 5, 300])
def test_without_upper_bound_pieces_are_folded(n: int) -> None:
    results = compare_levels(unbounded(), small_device("tri"), {"n": n})
    assert all(r.good for r in results), results


WEIGHTED = """%g = linalg.index 1 : index
    %h = arith.index_cast %g : index to i32
    %q = arith.muli %u, %h : i32"""
MADE = """%te = tensor.empty(%c) : tensor<5x?xi32>
  %dd = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<5x?xi32>) outs(%te : tensor<5x?xi32>) {
  ^bb0(%u: i32, %v: i32):
    WEIGHTED
    linalg.yield %q : i32
  } -> tensor<5x?xi32>
  %e = tensor.empty(""".replace("WEIGHTED", WEIGHTED).replace("#rows", "affine_map<(a, b) -> (a, b)>")


@pytest.mark.parametrize("computed", [False, True])
def test_pieces_count_their_indices_from_the_beginning(computed: bool) -> None:
    """Weights that the reduction makes of its own indices, or that an operation before it makes."""
    text = unbounded()
    if computed:
        text = text.replace("%e = tensor.empty(", MADE)
        text = text.replace("ins(%d : tensor<5x?xi32>) outs(%f", "ins(%dd : tensor<5x?xi32>) outs(%f")
    else:
        text = text.replace("%q = arith.muli %u, %u : i32", WEIGHTED)
    results = compare_levels(text, small_device("tri"), {"n": 300})
    assert all(r.good for r in results), results


def test_pieces_of_a_tile_that_leaves_its_view_are_not_taken() -> None:
    """Zeros beyond the view, or a refusal; never what lies in memory there."""
    text = unbounded().replace("%xv[0, 0] symbols(%c)", "%xv[0, 3] symbols(%c)")
    try:
        results = compare_levels(text, small_device("tri"), {"n": 40})
    except Refused:
        return
    assert all(r.good for r in results), results


OVERWRITTEN = """%ones = arith.constant dense<9> : tensor<5x8xi32>
  %ot = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = #set, access_tile_order = affine_map<(i, j) -> (i, j)>}
      : memref<5x?xi32> -> !ktdp.access_tile<5x8xindex>
  ktdp.store %ones, %ot : tensor<5x8xi32>, <5x8xindex>
  %s = linalg.generic""".replace("#set", "affine_set<(i, j) : (i >= 0, -i + 4 >= 0, j >= 0, -j + 7 >= 0)>")


def test_pieces_are_not_loaded_behind_a_store_to_the_same_memory() -> None:
    with pytest.raises(Refused, match="the loaded value is used after a store to the same memory"):
        compare_levels(unbounded().replace("%s = linalg.generic", OVERWRITTEN), "tri", {"n": 40})


def test_pieces_of_a_type_with_long_entries() -> None:
    """Links that carry more bytes in a cycle than the compute unit has lanes."""
    text = unbounded().replace("i32", "i8")
    results = compare_levels(text, "spyre", {"n": 40})
    assert all(r.good for r in results), results


SHIFTED = """%rv = ktdp.construct_memory_view %x, sizes: [5, %c], strides: [320, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<5x?xi32>
  %b = linalg.broadcast ins(%s : tensor<?xi32>) outs(%be : tensor<5x?xi32>) dimensions = [0]
  %w = arith.subi %d, %b : tensor<5x?xi32>
  %rt = ktdp.construct_access_tile %rv[0, 0] symbols(%c) {access_tile_set = #set, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<5x?xi32> -> !ktdp.access_tile<5x?xindex>
  ktdp.store %w, %rt : tensor<5x?xi32>, <5x?xindex>
  return
""".replace("#set", "affine_set<(i, j)[s] : (i >= 0, -i + 4 >= 0, j >= 0, -j + s - 1 >= 0)>")  # noqa: E501


def centred(at: str) -> str:
    """Columns of unknown number less their sums of squares, put back into the memory from address `at` on."""
    head, _ = unbounded(WALKED).split("  %rv =")
    text = head + "  %be = tensor.empty(%c) : tensor<5x?xi32>\n  " + SHIFTED + "}\n"
    return text.replace("%rv = ktdp.construct_memory_view %x,", f"%rv = ktdp.construct_memory_view {at},")


@pytest.mark.parametrize("n", [pytest.param(0, marks=pytest.mark.all), pytest.param(130, marks=pytest.mark.all), 300])
def test_along_an_extent_without_upper_bound_pieces_are_stored(n: int) -> None:
    results = compare_levels(unbounded(WALKED), small_device("tri"), {"n": n})
    assert all(r.good for r in results), results


def test_pieces_are_stored_where_they_were_loaded() -> None:
    results = compare_levels(centred("%x"), small_device("tri"), {"n": 300})
    assert all(r.good for r in results), results


def test_pieces_are_not_stored_over_what_a_later_one_loads() -> None:
    text = centred("%shifted").replace("  %rv", "  %far = arith.constant 160 : index\n"
                                       "  %shifted = arith.addi %x, %far : index\n  %rv")  # fmt: skip
    with pytest.raises(Refused, match="overwrites elements that other points"):
        compare_levels(text, small_device("tri"), {"n": 300})


OUTER = """%s = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (b)>], iterator_types = ["reduction", "parallel"]} ins(%d, %d : tensor<?xi32>, tensor<?xi32>) outs(%f : tensor<?xi32>) {
  ^bb0(%u: i32, %u2: i32, %v: i32):
    %q = arith.muli %u, %u2 : i32"""  # noqa: E501


def test_an_extent_that_is_folded_and_kept_is_not_walked_in_pieces() -> None:
    """One dimension of the sums is folded, another of the same extent is kept."""
    text = unbounded(WALKED)
    head, rest = text.split("%s = linalg.generic")
    text = head + OUTER + rest[rest.index("\n    %w = ") :]
    text = text.replace("(i >= 0, -i + 4 >= 0, j >= 0, -j + s - 1 >= 0)", "(i >= 0, -i + s - 1 >= 0)")
    text = text.replace("(i, j)", "(i)").replace("5x?", "?").replace("[5, %c], strides: [320, 1]", "[%c], strides: [1]")
    with pytest.raises(Refused, match="only known at launch"):
        compare_levels(text.replace("%xv[0, 0]", "%xv[0]"), "tri", {"n": 30})


def of_two_extents(form: dict[str, str], body: str = "%q = arith.muli %u, %u : i32") -> str:
    """The kernel over a number of rows and a number of columns that a launch gives; the second may have a bound."""
    rows = form["kinds"] == ROWS["kinds"]
    kept = "%m" if rows else "%c"
    points = "affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>"
    text = COLUMNS.format(**form | {"size": kept, "kept": "?", "extent": kept, "symbols": f" symbols({kept})",
                                    "points": points})  # fmt: skip
    for old, new in (("5x?", "?x?"), ("[5, %c]", "[%m, %c]"), ("(i, j)[s] : (i >= 0, -i + 4 >= 0", "(i, j)[t, s] : "
                     "(i >= 0, -i + t - 1 >= 0"), ("%xv[0, 0] symbols(%c)", "%xv[0, 0] symbols(%m, %c)"),
                     ("%q = arith.muli %u, %u : i32", body)):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    return text.replace("@k(", "@k(%m: index, ")


@pytest.mark.parametrize(("form", "bounded", "m", "n"), [
    pytest.param(ROWS, True, 6, 77, marks=pytest.mark.all), (ROWS, False, 3, 200),
    pytest.param(WALKED, True, 6, 40, marks=pytest.mark.all),
    pytest.param(ROWS, True, 0, 5, marks=pytest.mark.all),
])  # fmt: skip
def test_two_extents_of_the_launch(form: dict[str, str], bounded: bool, m: int, n: int) -> None:
    text = of_two_extents(form)
    if not bounded:
        text = text.replace(", upperbound=130", "").replace("[130, 1]", "[320, 1]")
    results = compare_levels(text, small_device("tri"), {"m": m, "n": n})
    assert all(r.good for r in results), results


@pytest.mark.parametrize("dim", [0, pytest.param(1, marks=pytest.mark.all)])
def test_indices_of_two_extents_count_from_the_beginning(dim: int) -> None:
    weighted = WEIGHTED.replace("linalg.index 1", f"linalg.index {dim}")
    results = compare_levels(of_two_extents(ROWS, weighted), small_device("tri"), {"m": 5, "n": 33})
    assert all(r.good for r in results), results


def test_two_extents_that_are_the_same() -> None:
    """Which of the two dimensions to take apart is not said by the extent: both are as large as they can be."""
    text = of_two_extents(ROWS).replace("[%m, %c]", "[%c, %c]").replace("symbols(%m, %c)", "symbols(%c, %c)")
    text = text.replace("%m", "%c").replace("@k(%c: index, ", "@k(")
    results = compare_levels(text, "tri", {"n": 20})
    assert all(r.good for r in results), results
    with pytest.raises(Refused, match="only known at launch"):
        compare_levels(text.replace(", upperbound=130", ""), "tri", {"n": 20})


ROWS_OF_ROWS = """
func.func @k(%m: index, %h: index, %n: index, %x: index, %r: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [%m, %h, LAST], strides: [9000, 130, 1] {coordinate_set = #points, memory_space = #ktdp.memory_space<global>} : memref<?x?xNxi32>
  %t = ktdp.construct_access_tile %xv[0, 0, 0] symbols(SYMBOLS) {access_tile_set = #points, access_tile_order = affine_map<(i, j, k) -> (i, j, k)>} : memref<?x?xNxi32> -> !ktdp.access_tile<?x?xNxindex>
  %d = ktdp.load %t : <?x?xNxindex> -> tensor<?x?xNxi32>
  %e = tensor.empty(%m, %h) : tensor<?x?xi32>
  %z = arith.constant 0 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %s = linalg.reduce { arith.addi } ins(%d : tensor<?x?xNxi32>) outs(%f : tensor<?x?xi32>) dimensions = [2]
  %rv = ktdp.construct_memory_view %r, sizes: [%m, %h], strides: [70, 1] {coordinate_set = #kept, memory_space = #ktdp.memory_space<global>} : memref<?x?xi32>
  %rt = ktdp.construct_access_tile %rv[0, 0] symbols(%m, %h) {access_tile_set = #kept, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x?xi32> -> !ktdp.access_tile<?x?xindex>
  ktdp.store %s, %rt : tensor<?x?xi32>, <?x?xindex>
  return
}
"""  # noqa: E501
KEPT = "affine_set<(i, j)[s, t] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + t - 1 >= 0)>"


@pytest.mark.parametrize(("last", "taken_apart"), [("64", False), ("%n", True)])
def test_unknown_extents_around_rows_of_known_length_stay(last: str, taken_apart: bool) -> None:
    """Loops walk them; only where a reduction meets an unknown extent are the others walked an index at a time."""
    known = last == "64"
    points = KEPT.replace("i, j)", "i, j, k)").replace("s, t]", "s, t]" if known else "s, t, u]")
    points = points.replace(" >= 0)>", f" >= 0, k >= 0, -k + {'63' if known else 'u - 1'} >= 0)>")
    text = ROWS_OF_ROWS.replace("LAST", last).replace("SYMBOLS", "%m, %h" if known else "%m, %h, %n")
    text = text.replace("#points", points).replace("#kept", KEPT).replace("?xN", "?x64" if known else "?x?")
    kernel = next(op for op in parse_module(text, "<stdin>").walk() if isinstance(op, func.FuncOp))
    store_row_by_row(kernel)
    assert sum(op.name == "scf.for" for op in kernel.walk()) == (2 if taken_apart else 0)


ROW_TAILS = """
func.func @k(%x: index, %o: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %n = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %i = arith.muli %me, %c4 : index
  %xv = ktdp.construct_memory_view %x, sizes: [%n, N], strides: [N, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + M >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xNxf32>
  %ov = ktdp.construct_memory_view %o, sizes: [%n, N], strides: [N, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + M >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xNxf32>
  %xt = ktdp.construct_access_tile %xv[%i, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + M >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?xNxf32> -> !ktdp.access_tile<4xNxindex>
  %d = ktdp.load %xt : <4xNxindex> -> tensor<4xNxf32>
  %e = math.exp %d : tensor<4xNxf32>
  %ot = ktdp.construct_access_tile %ov[%i, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + M >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?xNxf32> -> !ktdp.access_tile<4xNxindex>
  ktdp.store %e, %ot : tensor<4xNxf32>, <4xNxindex>
  return
}
"""  # noqa: E501


def test_lanes_that_are_no_power_of_two() -> None:
    """What is left of a vector of 24 lanes may be 1 to 23 elements."""
    text = device_named("sample").text
    for figure in ("f16 = {}", "size_in_words = {}", "i64: {}, 2"):
        assert figure.format(64) in text
        text = text.replace(figure.format(64), figure.format(24))
    device = device_of_text(text, "sample.mlir")
    assert device.lanes(f16) == 24
    for n in (20, 23, 41, 48):
        results = compare_levels(ROW_TAILS.replace("N", str(n)).replace("M", str(n - 1)), device)
        assert all(r.good for r in results), (n, results)
