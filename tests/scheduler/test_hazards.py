# ruff: noqa: E501
"""Order of loads and stores: what may stream, what needs one program, what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from levels import Refused, compare_levels

from headrace.scheduler.split.hazards import reaches

SET = "affine_set<(i) : (i >= 0, -i + 63 >= 0)>"
ORDER = "affine_map<(i) -> (i)>"
TILE = f"{{access_tile_set = {SET}, access_tile_order = {ORDER}}} : memref<512xf16> -> !ktdp.access_tile<64xindex>"


def view(name: str, stride: int = 1) -> str:
    return (
        f"%{name}v = ktdp.construct_memory_view %{name}, sizes: [512], strides: [{stride}] {{coordinate_set = "
        "affine_set<(i) : (i >= 0, -i + 511 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<512xf16>\n"
    )


def load(name: str, source: str, at: str) -> str:
    return (
        f"%{name}t = ktdp.construct_access_tile %{source}v[{at}] {TILE}\n"
        f"%{name} = ktdp.load %{name}t : <64xindex> -> tensor<64xf16>\n"
    )


def store(value: str, target: str, at: str, name: str) -> str:
    return (
        f"%{name} = ktdp.construct_access_tile %{target}v[{at}] {TILE}\n"
        f"ktdp.store %{value}, %{name} : tensor<64xf16>, <64xindex>\n"
    )


def kernel(body: str, stride: int = 1) -> str:
    return f"func.func @k(%x: index, %y: index) attributes {{grid = [1]}} {{\n{view('x', stride)}{view('y')}{body}return\n}}"


def double(result: str, value: str) -> str:
    return f"%{result} = arith.addf %{value}, %{value} : tensor<64xf16>\n"


def matches(text: str) -> None:
    results = compare_levels(text, "spyre", every_pass=True, launch=False)
    assert all(r.good for r in results), results


def test_update_in_place() -> None:
    matches(kernel(load("a", "x", "0") + double("b", "a") + store("b", "x", "0", "s")))


def test_value_loaded_before_it_is_overwritten_joins_the_program() -> None:
    body = load("a", "x", "0") + load("c", "y", "0") + double("d", "c") + store("d", "x", "0", "s")
    matches(kernel(body + double("b", "a") + store("b", "y", "64", "u")))


def test_disjoint_parts_of_one_buffer() -> None:
    matches(kernel(load("a", "x", "0") + double("b", "a") + store("b", "x", "64", "s")))


def test_shifted_update_in_place_reads_a_copy() -> None:
    matches(kernel(load("a", "x", "1") + double("b", "a") + store("b", "x", "0", "s")))


def test_shifted_update_in_place_of_more_than_the_scratchpad_is_refused() -> None:
    text = kernel(load("a", "x", "1") + double("b", "a") + store("b", "x", "0", "s"))
    large = text.replace("512", "8388608").replace("511", "8388607").replace("64x", "4194304x").replace("63", "4194303")
    with pytest.raises(Refused, match="construct-three-stage-pipeline streams a program"):
        compare_levels(large, "spyre")


def test_value_from_before_a_loop_that_overwrites_it_is_kept() -> None:
    loop = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
    loop += "scf.for %i = %c0 to %c3 step %c1 {\n" + load("c", "x", "0")
    loop += "%d = arith.addf %a, %c : tensor<64xf16>\n" + store("d", "x", "0", "s") + "}\n"
    matches(kernel(load("a", "x", "0") + loop))


def test_value_that_crosses_a_store_to_what_it_was_loaded_from_is_kept() -> None:
    body = load("a", "x", "0") + double("b", "a") + load("c", "y", "0") + store("c", "x", "0", "s")
    matches(kernel(body + double("d", "b") + store("d", "y", "64", "t")))


GATHERED = (
    "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 64, 128))
    + "%z = arith.constant dense<0.0> : tensor<64xf16>\n"
    + "%t = scf.for %i = %c0 to %c128 step %c64 iter_args(%p = %z) -> (tensor<64xf16>) {\n"
    + load("a", "x", "%i")
    + "%q = arith.addf %p, %a : tensor<64xf16>\nscf.yield %q : tensor<64xf16>\n}\n"
)
"""The sum %t of two tiles of x."""


def test_sum_of_a_loop_is_kept_where_a_later_loop_overwrites_what_it_sums() -> None:
    second = "scf.for %j = %c0 to %c128 step %c64 {\n" + load("c", "x", "%j")
    second += "%d = arith.subf %c, %t : tensor<64xf16>\n" + store("d", "x", "%j", "s") + "}\n"
    matches(kernel(GATHERED + second))


def test_sum_of_a_loop_is_kept_where_it_is_used_behind_another_loop_that_overwrites_what_it_sums() -> None:
    second = "scf.for %j = %c0 to %c128 step %c64 {\n" + load("c", "x", "%j")
    second += "%d = arith.addf %c, %c : tensor<64xf16>\n" + store("d", "x", "%j", "s") + "}\n"
    matches(kernel(GATHERED + second + store("t", "y", "64", "u")))


def test_loaded_tile_that_is_stored_behind_a_store_to_where_it_was_is_kept() -> None:
    body = load("a", "x", "0") + load("c", "y", "0") + store("c", "x", "32", "s") + store("a", "y", "64", "t")
    matches(kernel(body))


def test_two_loops_that_visit_a_tile_twice_stay_in_order() -> None:
    loops = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
    loops += "scf.for %i = %c0 to %c3 step %c1 {\nscf.for %j = %c0 to %c3 step %c1 {\n"
    loops += (
        load("a", "x", "%i * 64 + %j * 64") + double("b", "a") + store("b", "x", "%i * 64 + %j * 64", "s") + "}\n}\n"
    )
    matches(kernel(loops))


@pytest.mark.parametrize(
    ("total", "steps", "found"),
    [(0, [], True), (64, [(1, -63, 63)], False), (63, [(1, -63, 63)], True), (4, [(8, -3, 3), (1, -3, 3)], False),
     (5, [(8, -3, 3), (1, -3, 3)], True), (3, [(2, -9, 9)], False)],
)  # fmt: skip
def test_reaches(total: int, steps: list[tuple[int, int, int]], found: bool) -> None:
    assert reaches(total, steps) is found
