"""Layout of slices whose sizes may be known only when the program runs.

Slices of constant size are packed (`headrace.stream.packing`). Of the others those with the same size value share bins:
intervals of one size are coloured, which needs as many bins as are live at once and no more.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from headrace.graph.shapes import constant_of
from headrace.stream.packing import Packing, pack

ALIGNMENT = 64


@dataclass(frozen=True)
class Bucket:
    """Dynamic slices of one size: for each slice its bin."""

    size: SSAValue
    members: tuple[int, ...]
    bins: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class Layout:
    """Where slices go: the packing of `static` (positions in the input), then the buckets one after the other."""

    static: tuple[int, ...]
    packing: Packing
    buckets: tuple[Bucket, ...]
    sizes: tuple[int, ...] = ()
    """Constant sizes of the static slices."""

    def place(self) -> dict[int, tuple[object, int, int]]:
        """For each slice (region, first byte, end): slices overlap iff region and byte ranges do."""
        found: dict[int, tuple[object, int, int]] = {}
        for k, index in enumerate(self.static):
            offset = self.packing.offsets[k]
            found[index] = ("static", offset, offset + self.sizes[k])
        for number, bucket in enumerate(self.buckets):
            for index, b in zip(bucket.members, bucket.bins, strict=True):
                found[index] = (("dynamic", number), b, b + 1)
        return found


def layout(sizes: Sequence[SSAValue], intervals: Sequence[tuple[int, int]], alignment: int = ALIGNMENT) -> Layout:
    """Lay slices out; the same input gives the same layout."""
    known = [constant_of(s) for s in sizes]
    static = tuple(i for i, n in enumerate(known) if n is not None)
    numbers = tuple(n for n in known if n is not None)
    packing = pack(numbers, [intervals[i] for i in static], alignment)
    buckets: dict[SSAValue, list[int]] = {}
    for i, n in enumerate(known):
        if n is None:
            buckets.setdefault(sizes[i], []).append(i)
    return Layout(static, packing, tuple(_color(s, m, intervals) for s, m in buckets.items()), numbers)


def _color(size: SSAValue, members: Sequence[int], intervals: Sequence[tuple[int, int]]) -> Bucket:
    order = sorted(members, key=lambda i: (intervals[i], i))
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    bins: dict[int, int] = {}
    count = 0
    for i in order:
        start, end = intervals[i]
        while busy and busy[0][0] < start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            bins[i] = heapq.heappop(free)
        else:
            bins[i] = count
            count += 1
        heapq.heappush(busy, (end, bins[i]))
    return Bucket(size, tuple(order), tuple(bins[i] for i in order), count)
