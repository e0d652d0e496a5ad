"""The vector length of a pipeline whose types have different numbers of lanes.

A compute unit works on a vector longer than its lanes in as many steps as it takes, so a length that fills the widest
type wastes nothing on the narrow ones, while the lanes of the narrowest type leave part of every operation on a wide
type idle. What crosses a FIFO must fit an entry: one vector, or as many as the link carries in a cycle.

    f16 -> f32 -> f16 with 64 and 32 lanes:  32 elements: 1 + 1 + 1 cycles, twice   ->   64 elements: 1 + 2 + 1 cycles
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from xdsl.ir import Attribute, Operation

from headrace.arch import Device
from headrace.scheduler.estimate import short_name


def fits_entry(device: Device, units: Sequence[str], element: Attribute, width: int) -> bool:
    """Whether the FIFOs between neighbours of `units` hold `width` elements in one entry."""
    return all(width <= device.entry_lanes(a, b, element) for a, b in pairwise(units))


def longest_entry(device: Device, crossing: Iterable[Attribute], lanes: int) -> int:
    """The most elements, a multiple of `lanes`, that one entry of every FIFO at the compute unit holds of each of these
    types, and that the unit works on at once. Programs that only work in the scratchpad take such vectors: every
    access, however short, takes a cycle of a port that several instances share."""
    unit = device.compute_kind
    ends = [(p.source, unit) for p in device.incoming(unit) if p.source in device.units]
    ends += [(unit, p.target) for p in device.outgoing(unit) if p.target in device.units]
    types = list(crossing)
    entry = min((device.entry_lanes(a, b, t) for t in types for a, b in ends), default=lanes)
    entry = min(entry, max([lanes, *map(device.vector_lanes, types), *device.unit(unit).lane_table.values()]))
    return max(lanes, entry // lanes * lanes)


def work(device: Device, kind: str, ops: Iterable[Operation], width: int) -> int:
    """Cycles of a compute unit for `width` elements of each of the elementwise operations `ops`."""
    unit = device.unit(kind)
    total = 0
    for op in ops:
        short = short_name(op)
        if short is not None and (op.operands or op.results):
            lanes = device.timed_lanes((*op.operands, *op.results)[0].type, kind)
            total += -(-width // lanes) * unit.timing.cycles(short)
    return total


def vector_width(
    device: Device,
    units: Sequence[str],
    crossing: Iterable[Attribute],
    inner: Iterable[Attribute],
    price: Callable[[int], int],
) -> int:
    """The vector length of a pipeline on `units` (load, compute, store): the cheapest by `price(width)` among the lane
    counts of its types and what the narrowest entry holds, the shortest of equals.

    `crossing`: element types that go through FIFOs; `inner`: those that stay in the compute unit.
    """
    through, kept = list(crossing), list(inner)
    lanes = {device.vector_lanes(t) for t in (*through, *kept)}
    entry = min((device.entry_lanes(a, b, t) for t in through for a, b in pairwise(units)), default=max(lanes))
    widths = sorted({min(lanes)} | {n for n in {*lanes, min(entry, max(lanes))} if n <= entry})
    return min(widths, key=price)
