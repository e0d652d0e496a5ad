"""Affine sets as boxes and point lists, access tile shapes, tile groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr
from xdsl.ir.affine import AffineMap, AffineSet

from headrace.ir.analysis.groups import producers_by_group, tiles_of
from headrace.ir.analysis.sets import (
    Unbounded,
    bounding_box,
    box,
    enumerate_points,
    points_of,
    tile_coordinates,
    tile_shape,
)
from headrace.ir.context import make_context
from headrace.ir.parser import Parser


def affine_set(text: str) -> AffineSet:
    attr = Parser(make_context(), f"affine_set<{text}>").parse_attribute()
    assert isinstance(attr, AffineSetAttr)
    return attr.data


def affine_map(text: str) -> AffineMap:
    attr = Parser(make_context(), f"affine_map<{text}>").parse_attribute()
    assert isinstance(attr, AffineMapAttr)
    return attr.data


def test_boxes() -> None:
    rows = affine_set("(r, c)[n] : (r - 2 >= 0, -r + n - 1 >= 0, c >= 0, -c + 63 >= 0)")
    assert box(rows, [5]) == [(2, 3), (0, 64)]
    assert bounding_box(rows, [1]) == [(2, 0), (0, 64)]  # no points, but as many columns
    assert points_of(rows, (-3,)).empty
    assert box(affine_set("(r, c) : (r == 4, c >= 0, 7 >= 2 * c)")) == [(4, 1), (0, 4)]
    assert box(affine_set("() : ()")) == []
    assert box(affine_set("(a, b) : (a >= 0, b >= 0, -a - b + 2 >= 0)")) is None
    with pytest.raises(Unbounded):
        box(affine_set("(a, b) : (a >= 0, b == 0)"))


def test_large_box_needs_no_memory() -> None:
    assert points_of(affine_set("(a) : (a >= 0, -a + 1099511627775 >= 0)")).count == 1 << 40


def test_large_other_sets_are_refused() -> None:
    with pytest.raises(Unbounded, match="bounding box"):
        points_of(affine_set("(a, b) : (a >= 0, b >= 0, -a - b + 1099511627775 >= 0)"))


def test_order() -> None:
    rows = affine_set("(a, b) : (a - 1 >= 0, -a + 2 >= 0, b >= 0, -b + 2 >= 0)")
    swap = affine_map("(a, b) -> (b, a)")
    assert tile_shape(rows, swap) == (3, 2)
    (a, b), mask = tile_coordinates(rows, swap)
    assert mask is None and a.tolist() == [[1, 2]] and b.tolist() == [[0], [1], [2]]
    assert enumerate_points(rows, (), swap).tolist() == [[1, 0], [2, 0], [1, 1], [2, 1], [1, 2], [2, 2]]
    with pytest.raises(ValueError, match="permutation"):
        tile_shape(rows, affine_map("(a, b) -> (a, a)"))


@given(st.integers(0, 6), st.integers(1, 3), st.integers(-4, 8), st.booleans())
def test_points_match_brute_force(high: int, slope: int, bound: int, even: bool) -> None:
    parity = ", a mod 2 == 0" if even else ""
    points = affine_set(f"(a, b)[s] : (a >= 0, -a + {high} >= 0, b >= 0, -b - a * {slope} + s >= 0{parity})")
    expected = [
        [a, b] for a in range(high + 1) for b in range(20) if -b - a * slope + bound >= 0 and (not even or a % 2 == 0)
    ]
    found = enumerate_points(points, (bound,))
    assert found.tolist() == expected
    assert found.dtype == np.int64


def test_groups() -> None:
    quads = affine_set("(i)[g] : (i - 4*g >= 0, -i + 4*g + 3 >= 0)")
    assert producers_by_group(quads, affine_set("(g) : (g >= 0, -g + 1 >= 0)")) == {0: (0, 1, 2, 3), 1: (4, 5, 6, 7)}
    assert producers_by_group(quads, affine_set("(g) : (g >= 0)")) is None
    assert tiles_of(affine_set("(i)[g] : (-i + g >= 0)"), (2,)) == (0, 1, 2)
    assert tiles_of(affine_set("(i)[g] : (i - g >= 0)"), (2,)) is None
