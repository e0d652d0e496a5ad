"""Deliveries between tiles at the level of KTIR: values of every kind, and what is found when the kernel runs."""

from __future__ import annotations

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from tests.interp.programs.inter_tile import kernel
from tests.interp.test_ktir import run

ALL = "affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>"
FIRST = "affine_set<(i)[g] : (i - 4 * g == 0)>"
SUM = "%t = arith.addf %a, %b"


def parts(tiles: int, rows: int, columns: int) -> np.ndarray:
    """Small integers: sums are exact."""
    values = np.random.default_rng(3).integers(-8, 8, (tiles, rows, columns))
    return values.astype(np.float32)


def check(delivery: str, out: tuple[int, int], expected: np.ndarray, producers: str = ALL, groups: int = 2,
          where: str = "", combiner: str = "") -> None:  # fmt: skip
    """Run a kernel of 4 tiles a group on 8 x 4 partials; `expected` per tile (NaN: the tile stores nothing)."""
    x = parts(4 * groups, 8, 4)
    text = kernel(4 * groups, groups, (8, 4), out, producers, delivery, where, combiner)
    y = np.full((4 * groups, *out), np.nan, np.float32)
    got = run(text, {"x": x, "y": y})["y"]
    np.testing.assert_array_equal(got, expected)


def test_broadcast() -> None:
    x = parts(8, 8, 4)
    check(f"consume(%f) consumer_tiles_per_group = {ALL}", (8, 4), x[[0, 0, 0, 0, 4, 4, 4, 4]], producers=FIRST)


def test_routing_by_dependency() -> None:
    x = parts(8, 8, 4)
    to_left = "affine_set<(p)[c, g] : (p - 4 * g - (c + 1) mod 4 == 0)>"
    delivery = f"consume(%f) consumer_tiles_per_group = {ALL}, producer_dependency_per_consumer = {to_left}"
    check(delivery, (8, 4), x[[1, 2, 3, 0, 5, 6, 7, 4]])


def test_gather() -> None:
    x = parts(8, 8, 4).reshape(2, 32, 4)
    check(f"gather(%f) consumer_tiles_per_group = {ALL}, gather_dimensions = [0]", (32, 4), np.repeat(x, 4, 0))


def test_gather_in_columns_to_one() -> None:
    x = parts(8, 8, 4)
    expected = np.full((8, 8, 16), np.nan, np.float32)
    expected[0], expected[4] = np.concatenate(list(x[:4]), 1), np.concatenate(list(x[4:]), 1)
    delivery = f"gather(%f) consumer_tiles_per_group = {FIRST}, gather_dimensions = [1]"
    check(delivery, (8, 16), expected, where="(i mod 4 == 0)")


def test_gather_over_two_dimensions() -> None:
    x = parts(8, 8, 4)
    blocks = [np.block([[x[g], x[g + 1]], [x[g + 2], x[g + 3]]]) for g in (0, 4)]
    delivery = f"gather(%f) consumer_tiles_per_group = {ALL}, gather_dimensions = [0, 1]"
    check(delivery, (16, 8), np.repeat(np.stack(blocks), 4, 0))


def test_gather_of_neighbours() -> None:
    """The local index counts inside the consumer's own dependency set."""
    x = parts(8, 8, 4)
    pair = "affine_set<(p)[c] : (p - (c floordiv 2) * 2 >= 0, -p + (c floordiv 2) * 2 + 1 >= 0)>"
    delivery = (
        f"gather(%f) consumer_tiles_per_group = {ALL}, gather_dimensions = [0], "
        f"producer_dependency_per_consumer = {pair}"
    )
    check(delivery, (16, 4), np.repeat(x.reshape(4, 16, 4), 2, 0))


def test_scatter() -> None:
    x = parts(8, 8, 4)
    delivery = f"scatter(%f) consumer_tiles_per_group = {ALL}, scatter_dimensions = [0]"
    check(delivery, (2, 4), x[[0, 4]].reshape(8, 2, 4), producers=FIRST)


def test_all_to_all() -> None:
    x = parts(8, 8, 4).reshape(2, 4, 4, 2, 4)  # group, producer, part, row, column
    expected = x.transpose(0, 2, 3, 1, 4).reshape(8, 2, 16)
    delivery = f"all_to_all(%f) consumer_tiles_per_group = {ALL}, split_dimensions = [0], concat_dimensions = [1]"
    check(delivery, (2, 16), expected)


def test_all_to_all_in_one_dimension() -> None:
    x = parts(8, 8, 4).reshape(2, 4, 4, 2, 4)
    delivery = f"all_to_all(%f) consumer_tiles_per_group = {ALL}, split_dimensions = [0], concat_dimensions = [0]"
    check(delivery, (8, 4), x.transpose(0, 2, 1, 3, 4).reshape(8, 8, 4))


def test_reduce_scatter() -> None:
    total = parts(8, 8, 4).reshape(2, 4, 8, 4).sum(1)
    delivery = f"reduce_scatter(%f) consumer_tiles_per_group = {ALL}, scatter_dimensions = [0]"
    check(delivery, (2, 4), total.reshape(8, 2, 4), combiner=SUM)


def test_reduce_to_one() -> None:
    total = parts(8, 8, 4).reshape(2, 4, 8, 4).sum(1)
    expected = np.full((8, 8, 4), np.nan, np.float32)
    expected[[0, 4]] = total
    delivery = f"reduce(%f) consumer_tiles_per_group = {FIRST}"
    check(delivery, (8, 4), expected, where="(i mod 4 == 0)", combiner=SUM)


def test_a_broken_rule_is_found_when_the_kernel_runs() -> None:
    delivery = f"scatter(%f) consumer_tiles_per_group = {ALL}, scatter_dimensions = [0]"
    with pytest.raises(HeadraceError, match=r"group 0 must have one producer to scatter from, but has 4 \(R8\)"):
        check(delivery, (2, 4), np.zeros(0))


def test_use_on_a_tile_that_consumes_nothing() -> None:
    delivery = f"gather(%f) consumer_tiles_per_group = {FIRST}, gather_dimensions = [0]"
    with pytest.raises(HeadraceError, match=r"uses an undefined value: tile 1 is no consumer"):
        check(delivery, (32, 4), np.zeros(0))
