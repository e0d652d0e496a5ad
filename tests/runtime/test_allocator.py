"""Allocation: alignment, first fit, coalescing, segments, and a useful message when memory is full."""

from __future__ import annotations

import itertools
import random

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime.allocator import ALIGN, SEGMENT_BYTES, Allocator, compose, decompose


def test_alignment_rounding_and_first_fit() -> None:
    a = Allocator()
    x, y, z = a.allocate(1, "x"), a.allocate(129, "y"), a.allocate(0, "z")
    assert (x, y, z) == (0, 128, 384)
    a.free(y)
    assert a.allocate(200) == 128
    assert a.statistics() == {"allocated_bytes": 512, "peak_bytes": 512, "allocations": 3}


def test_larger_blocks() -> None:
    """Fixed addresses need only be multiples of 128; what is chosen is a multiple of the device's words."""
    a = Allocator(align=512)
    assert [a.allocate(1), a.allocate_at(1152, 1, "fixed"), a.allocate(600), a.allocate(1)] == [0, 1152, 1536, 512]
    a.free(1152)
    assert a.allocate(513) == 2560 and a.allocate(512) == 1024
    with pytest.raises(HeadraceError, match="is not a multiple of 128"):
        a.allocate_at(64, 1)


def test_random_use_never_overlaps_and_coalesces_completely() -> None:
    rng = random.Random(5)
    a = Allocator()
    live: list[int] = []
    for _ in range(400):
        if live and rng.random() < 0.45:
            a.free(live.pop(rng.randrange(len(live))))
        else:
            live.append(a.allocate(rng.randrange(1, 5000), "t"))
        blocks = a.blocks
        assert all(b.address % ALIGN == 0 and b.size % ALIGN == 0 for b in blocks)
        assert all(p.address + p.size <= q.address for p, q in itertools.pairwise(blocks))
    for address in live:
        a.free(address)
    assert a.allocate(SEGMENT_BYTES, "everything") == 0
    assert a.statistics()["allocations"] == 1


def test_segments() -> None:
    a = Allocator()
    assert decompose(compose(7, 256)) == (7, 256)
    assert decompose(a.allocate(64, "code", "program")) == (7, 0)
    big = [a.allocate(SEGMENT_BYTES, f"t{k}") for k in range(7)]
    assert [decompose(b)[0] for b in big] == list(range(7))
    with pytest.raises(HeadraceError, match="'more' needs 128 bytes, no segment has room"):
        a.allocate(1, "more")


def test_full_memory_lists_the_largest_holders() -> None:
    a = Allocator(capacity=1024)
    a.allocate(512, "weights")
    a.allocate(256, "cache")
    before = a.blocks
    with pytest.raises(HeadraceError) as e:
        a.allocate(300, "output")
    text = str(e.value)
    assert "'output' needs 384 bytes, 256 of 1024 bytes are free" in text
    assert text.index("'weights' holds 512") < text.index("'cache' holds 256")
    assert a.blocks == before


def test_fixed_addresses() -> None:
    a = Allocator()
    assert a.allocate_at(1024, 100, "fixed") == 1024
    assert a.allocate(2000, "next") == 1152
    assert a.allocate(1024, "before") == 0
    with pytest.raises(HeadraceError, match="'fixed' is there"):
        a.allocate_at(1024, 4, "again")
    with pytest.raises(HeadraceError, match="not a multiple of 128"):
        a.allocate_at(100, 4, "odd")
    with pytest.raises(HeadraceError, match="segments 0 to 6"):
        a.allocate_at(compose(7, 0), 4, "program")
    a.free(1024)
    assert a.allocate_at(1024, 128, "again") == 1024


def test_free_twice() -> None:
    a = Allocator()
    x = a.allocate(1)
    a.free(x)
    with pytest.raises(HeadraceError, match="nothing is allocated"):
        a.free(x)
