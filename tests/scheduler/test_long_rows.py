"""Reductions that do not fit the scratchpad as they are: longer rows, folded dimensions that no operand walks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from levels import Refused, compare_levels, device_named, small_device

from headrace.arch.loader import device_of_text
from headrace.scheduler.split.long_rows import piece

BOUNDS = "affine_set<(i, j) : (i >= 0, -i + {m} >= 0, j >= 0, -j + {n} >= 0)>"
LINE = "affine_set<(i) : (i >= 0, -i + {n} >= 0)>"
LOWEST = {"f32": "-3.0e+38", "f16": "-6.0e+04", "i32": "-2147483648"}


def kernel(rows: int, columns: int, element: str, body: str, results: list[str], grid: int = 1) -> str:
    """Loads x (`rows` a tile, `columns`) as %v, runs `body`, stores what it defines (%r0, ...) as the given tensors."""
    args, lines = ["%x: index"], ["%me = ktdp.get_compute_tile_id : index"]

    def access(name: str, shape: str, kind: str, at: str) -> str:
        extents = [int(n) for n in shape.split("x")]
        whole = [extents[0] * grid, *extents[1:]]
        bounds = BOUNDS if len(extents) == 2 else LINE
        sets = [
            bounds.format(m=n[0] - 1, n=n[-1] - 1) if len(extents) == 2 else bounds.format(n=n[0] - 1)
            for n in (whole, extents)
        ]
        dims = "i, j" if len(extents) == 2 else "i"
        full = f"memref<{'x'.join(map(str, whole))}x{kind}>"
        strides = [extents[1], 1] if len(extents) == 2 else [1]
        lines.append(
            f"%{name}v = ktdp.construct_memory_view %{name}, sizes: {whole}, strides: {strides} "
            f"{{coordinate_set = {sets[0]}, memory_space = #ktdp.memory_space<global>}} : {full}"
        )
        lines.append(
            f"%{name}t = ktdp.construct_access_tile %{name}v[{at}] {{access_tile_set = {sets[1]}, access_tile_order = "
            f"affine_map<({dims}) -> ({dims})>}} : {full} -> !ktdp.access_tile<{shape}xindex>"
        )
        return f"<{shape}xindex>"

    shape = f"{rows}x{columns}"
    short = access("x", shape, element, f"%me * {rows}, 0")
    lines += [f"%v = ktdp.load %xt : {short} -> tensor<{shape}x{element}>", body]
    for k, what in enumerate(results):
        dims, kind = what.rsplit("x", 1)
        args.append(f"%y{k}: index")
        first = dims.split("x")[0]
        at = f"%me * {first}" + (", 0" if "x" in dims else "")
        lines.append(f"ktdp.store %r{k}, %y{k}t : tensor<{what}>, {access(f'y{k}', dims, kind, at)}")
    return (
        f"func.func @k({', '.join(args)}) attributes {{grid = [{grid}]}} {{\n" + "\n".join(lines) + "\nreturn\n}\n"
    )


def softmax(shape: tuple[int, int], element: str) -> str:
    """Rows of a softmax."""
    n, t = shape[0], f"tensor<{shape[0]}x{shape[1]}x{element}>"
    return f"""
%low = arith.constant dense<{LOWEST[element]}> : tensor<{n}x{element}>
%zero = arith.constant dense<0.0> : tensor<{n}x{element}>
%e = tensor.empty() : {t}
%m = linalg.reduce {{ arith.maximumf }} ins(%v : {t}) outs(%low : tensor<{n}x{element}>) dimensions = [1]
%mb = linalg.broadcast ins(%m : tensor<{n}x{element}>) outs(%e : {t}) dimensions = [1]
%d = arith.subf %v, %mb : {t}
%p = math.exp %d : {t}
%s = linalg.reduce {{ arith.addf }} ins(%p : {t}) outs(%zero : tensor<{n}x{element}>) dimensions = [1]
%sb = linalg.broadcast ins(%s : tensor<{n}x{element}>) outs(%e : {t}) dimensions = [1]
%r0 = arith.divf %p, %sb : {t}
"""


def fold(op: str, shape: tuple[int, int], element: str, dims: list[int], start: str) -> str:
    """A reduction over `dims`."""
    t = f"tensor<{shape[0]}x{shape[1]}x{element}>"
    kept = "x".join(str(n) for k, n in enumerate(shape) if k not in dims)
    out = f"tensor<{kept}{'x' if kept else ''}{element}>"
    return f"""
%start = arith.constant dense<{start}> : {out}
%f = linalg.reduce {{ arith.{op} }} ins(%v : {t}) outs(%start : {out}) dimensions = {dims}
""" + (
        f"%r0 = arith.addi %f, %f : {out}"
        if kept
        else f"%n = tensor.extract %f[] : {out}\n%r0 = tensor.splat %n : tensor<4x{element}>"
    )


def weighted(shape: tuple[int, int]) -> str:
    """The sum of the products of every element and its place in its row."""
    t = f"tensor<{shape[0]}x{shape[1]}xi32>"
    return f"""
%low = arith.constant dense<7> : tensor<{shape[0]}xi32>
%r0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}} ins(%v : {t}) outs(%low : tensor<{shape[0]}xi32>) {{
^bb0(%a: i32, %b: i32):
  %i = linalg.index 1 : index
  %c = arith.index_cast %i : index to i32
  %p = arith.muli %a, %c : i32
  %m = arith.addi %p, %b : i32
  linalg.yield %m : i32
}} -> tensor<{shape[0]}xi32>
"""


KERNELS = {
    "softmax": kernel(2, 4096, "f16", softmax((2, 4096), "f16"), ["2x4096xf16"]),
    "softmax with a rest": kernel(1, 3001, "f32", softmax((1, 3001), "f32"), ["1x3001xf32"]),
    "columns": kernel(700, 5, "i32", fold("addi", (700, 5), "i32", [0], "3"), ["5xi32"]),
    "everything": kernel(40, 130, "i32", fold("maxsi", (40, 130), "i32", [0, 1], "-5"), ["4xi32"]),
    "everything of long rows": kernel(4, 3001, "i32", fold("addi", (4, 3001), "i32", [0, 1], "-5"), ["4xi32"]),
    "places": kernel(1, 3001, "i32", weighted((1, 3001)), ["1xi32"]),
}


PLACES = ("sample", "tri", "tri", "tri", "tri", "tri")


@pytest.mark.parametrize(("name", "device"), list(zip(KERNELS, PLACES, strict=True)))
def test_rows_longer_than_the_scratchpad(name: str, device: str) -> None:
    """Folded in pieces; a row of half the length would not fit either."""
    bad = [r for r in compare_levels(KERNELS[name], small_device(device)) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


WINDOWS = """
%x1 = tensor.collapse_shape %v [[0, 1]] : tensor<1x4003xi32> into tensor<4003xi32>
%ones = arith.constant dense<1> : tensor<4000xi32>
%start = arith.constant dense<2> : tensor<4xi32>
%r0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]} ins(%x1, %ones : tensor<4003xi32>, tensor<4000xi32>) outs(%start : tensor<4xi32>) {
^bb0(%a: i32, %o: i32, %b: i32):
  %p = arith.xori %a, %o : i32
  %m = arith.addi %p, %b : i32
  linalg.yield %m : i32
} -> tensor<4xi32>
"""  # noqa: E501


def test_overlapping_windows_are_not_cut() -> None:
    """The dimension that would be cut is walked together with another: right, or refused."""
    try:
        results = compare_levels(kernel(1, 4003, "i32", WINDOWS, ["4xi32"]), small_device("tri"))
    except Refused:
        return
    assert all(r.good for r in results), results


@pytest.mark.parametrize("step", ["%p = arith.muli %a, %b : i32\n  %m = arith.addi %p, %b : i32",
                                  "%p = arith.muli %a, %b : i32\n  %m = arith.addi %p, %a : i32"])  # fmt: skip
def test_steps_that_use_what_was_gathered_in_another_way_are_refused(step: str) -> None:
    text = weighted((1, 3001)).replace("%p = arith.muli %a, %c : i32\n  %m = arith.addi %p, %b : i32", step)
    assert step in text
    with pytest.raises(Refused, match="accumulator"):
        compare_levels(kernel(1, 3001, "i32", text, ["1xi32"]), small_device("tri"))


def test_rows_that_no_piece_makes_fit() -> None:
    """Nothing is folded: what is too long for the scratchpad is said."""
    text = device_named("sample").text.replace("size = 1048576", "size = 256")
    with pytest.raises(Refused, match=r"does not fit|do not fit|failed to allocate"):
        compare_levels(KERNELS["softmax"], device_of_text(text, "sample.mlir"))


def test_pieces() -> None:
    """A divisor with many lanes, any divisor, or a rest."""
    assert piece(4096, 1000) == 512
    assert piece(5000, 1300) == 1250
    assert piece(5003, 1300) == 1280
    assert piece(5003, 100) == 100


REPEATED = """
%c = arith.constant dense<2> : tensor<3x6xi32>
%e = tensor.empty() : tensor<3x6x40xi32>
%b = linalg.broadcast ins(%c : tensor<3x6xi32>) outs(%e : tensor<3x6x40xi32>) dimensions = [2]
%start = arith.constant dense<1> : tensor<3x6xi32>
%f = linalg.reduce { arith.OP } ins(%b : tensor<3x6x40xi32>) outs(%start : tensor<3x6xi32>) dimensions = [2]
%r0 = arith.muli %f, %v : tensor<3x6xi32>
"""


@pytest.mark.parametrize("op", ["addi", "xori", "maxsi"])
def test_folding_what_is_the_same_everywhere(op: str) -> None:
    text = kernel(3, 6, "i32", REPEATED.replace("OP", op), ["3x6xi32"])
    bad = [r for r in compare_levels(text, "tri") if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


LOOP = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%start = arith.constant dense<1> : tensor<3x6xi32>
%r0 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %start) -> (tensor<3x6xi32>) {
  %n = arith.addi %a, %v : tensor<3x6xi32>
  scf.yield %n : tensor<3x6xi32>
}
"""


def test_loops_that_add_the_same_every_time() -> None:
    bad = [r for r in compare_levels(kernel(3, 6, "i32", LOOP, ["3x6xi32"], 2), "tri") if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


ONE_ROW = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 3 : index
%low = arith.constant dense<0.0> : tensor<f32>
%first = arith.constant 0.0 : f32
%a, %b = scf.for %k = %c0 to %c5 step %c1 iter_args(%m = %first, %l = %first) -> (f32, f32) {
  %w = tensor.extract_slice %v[0, %k] [1, 64] [1, 1] : tensor<1x70xf32> to tensor<64xf32>
  %t = linalg.reduce { arith.maximumf } ins(%w : tensor<64xf32>) outs(%low : tensor<f32>) dimensions = [0]
  %n = tensor.extract %t[] : tensor<f32>
  %most = arith.maximumf %m, %n : f32
  %d = arith.subf %m, %most : f32
  %s = math.exp %d : f32
  %p = arith.mulf %l, %s : f32
  %q = arith.addf %p, %n : f32
  scf.yield %most, %q : f32, f32
}
%r0 = tensor.splat %b : tensor<4xf32>
"""


def test_running_numbers_that_depend_on_each_other() -> None:
    """States of one element each, read and written by the program of one iteration."""
    bad = [r for r in compare_levels(kernel(1, 70, "f32", ONE_ROW, ["4xf32"]), "sample") if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"
