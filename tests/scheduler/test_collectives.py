"""Which algorithm is chosen for a sum over tiles, and the rounds of exchanges."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f16, f32

from headrace.arch import load_device
from headrace.scheduler.split.collectives import (
    MOST_SIGNALS,
    broadcast_levels,
    choose,
    choose_broadcast,
    ring_block,
)
from headrace.scheduler.split.exchanges import Box, merged, rounds_of


@pytest.mark.parametrize(
    ("members", "elements", "algorithm"), [(4, 64, "gather"), (32, 1024, "scatter"), (32, 131072, "ring")]
)
def test_algorithm_by_size(members: int, elements: int, algorithm: str) -> None:
    assert choose(load_device("spyre"), members, elements, f32, "arith.addf", neutral=True).name == algorithm


def test_a_ring_needs_sums_of_the_accumulators_type_and_a_neutral_identity() -> None:
    spyre = load_device("spyre")
    assert "ring" not in choose(spyre, 32, 131072, f16, "arith.addf", neutral=True, room=1 << 19).estimates
    wide = choose(spyre, 32, 131072, f16, "arith.addf", neutral=True, room=1200 << 10)
    assert wide.name == "ring" and wide.carried == f32
    assert "ring" in choose(spyre, 32, 131072, f16, "arith.maximumf", neutral=True).estimates
    assert "ring" not in choose(spyre, 32, 131072, f32, "arith.addf", neutral=False).estimates


def test_slices_need_a_multiple_of_the_tiles() -> None:
    assert set(choose(load_device("spyre"), 3, 64, f32, "arith.addf", neutral=True).estimates) == {"gather"}


@pytest.mark.parametrize("vectors", [2, 4, 6, 32, 128, 4096])
@pytest.mark.parametrize("members", [2, 5, 32])
def test_blocks_divide_a_slice_and_need_few_signals(vectors: int, members: int) -> None:
    block = ring_block(vectors, members, 2)
    assert block % 2 == 0 and vectors % block == 0 and (members - 1) * (vectors // block) <= MOST_SIGNALS


def test_a_round_has_nobody_twice_and_one_distance() -> None:
    boxes = [Box(a, b, 0, 1, 0, 64 * a, (64,), (1,), (1,)) for a in range(8) for b in range(8)]
    rounds = rounds_of(boxes, 8)
    assert len(rounds) == 8
    for r in rounds:
        assert len({m.sender for m in r.moves}) == len({m.receiver for m in r.moves}) == 8
        assert len({(m.receiver - m.sender) % 8 for m in r.moves}) == 1


def test_dimensions_are_joined_where_both_sides_walk_evenly() -> None:
    assert merged((4, 1, 64), (64, 64, 1), (64, 64, 1)) == ((256,), (1,), (1,))
    assert merged((4, 64), (64, 1), (128, 1)) == ((4, 64), (64, 1), (128, 1))
    assert merged((1, 1), (7, 1), (9, 1)) == ((1,), (1,), (1,))


@pytest.mark.parametrize(("receivers", "size", "algorithm"), [(3, 1024, "direct"), (31, 65536, "tree")])
def test_broadcast_by_size(receivers: int, size: int, algorithm: str) -> None:
    assert choose_broadcast(load_device("spyre"), receivers, size).name == algorithm


def test_a_tree_reaches_everybody_once() -> None:
    levels = broadcast_levels(3, [0, 1, 2, 4, 5, 6])
    assert [len(level) for level in levels] == [1, 2, 3]
    have = {3}
    for level in levels:
        assert {a for a, _ in level} <= have and not {b for _, b in level} & have
        have |= {b for _, b in level}
    assert have == set(range(7))
