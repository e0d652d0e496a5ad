"""Figures of the timing model (``docs/timing.md``) and their source, the device file.

A :class:`Timing` says how long everything takes; both engines read nothing else about time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SHIFT = 16
"""A clock is ``cycle << SHIFT | delta``; ``delta`` orders what happens inside one cycle, causes before effects."""
DELTA_MASK = (1 << SHIFT) - 1
WINDOW = 16
"""Bursts a transfer unit keeps in flight."""
DEFAULT_BURST = 4096
"""Most contiguous bytes of one memory request of a transfer."""


@dataclass(frozen=True)
class MemoryTiming:
    """A memory: bytes per instance, latency in cycles, bytes a cycle (None: no server, as fast as asked).

    ``half_duplex``: reads and writes share one server.
    """

    size: int
    latency: int = 1
    read: int | None = None
    write: int | None = None
    half_duplex: bool = False


@dataclass(frozen=True)
class PathTiming:
    """A datapath between a unit and a memory: bytes a cycle (None: no limit), latency, bytes of an access word."""

    rate: int | None = None
    latency: int = 0
    word: int = 1


@dataclass(frozen=True)
class LinkTiming:
    """A FIFO between two units: depth in items, latency, bytes a cycle (None: one item a cycle)."""

    depth: int = 2
    latency: int = 1
    rate: int | None = None


Between = Callable[[Sequence[tuple[int, int]]], Mapping[tuple[int, int], LinkTiming]]
"""Figures of all FIFOs between pairs of cores, which share the links on their ways."""


@dataclass(frozen=True)
class UnitTiming:
    """A unit: SIMD lanes by element type (``default`` otherwise), cycles between vector ops, latency, cycles by op."""

    default_lanes: int = 1
    lanes: Mapping[str, int] = field(default_factory=dict)
    issue: int = 1
    latency: int = 1
    op_cycles: Mapping[str, int] = field(default_factory=dict)
    matrix: tuple[int, int, int, int] | None = None
    """Block rows k and columns n, accumulator rows, cycles to fill a block; None without matrix unit."""

    def cycles(self, op: str, dtype: str, lanes: int) -> int:
        """Cycles of one vector op on ``lanes`` elements; ``op`` is its short name in the scalar semantics table."""
        per = self.op_cycles.get(op, self.issue)
        simd = self.lanes.get(dtype, self.default_lanes)
        return max(1, -(-lanes // max(1, simd))) * max(1, per)


@dataclass
class Timing:
    """All figures of a device. Missing entries have the defaults of the classes above."""

    memories: dict[str, MemoryTiming] = field(default_factory=dict)
    paths: dict[tuple[str, str, str], PathTiming] = field(default_factory=dict)
    links: dict[tuple[str, str], LinkTiming] = field(default_factory=dict)
    units: dict[str, UnitTiming] = field(default_factory=dict)
    burst: int = DEFAULT_BURST
    clock_mhz: float | None = None
    between: Between | None = None
    """Figures of the FIFOs that an interconnect makes between units of two cores."""
    joined: frozenset[str] = frozenset()
    """Kinds of the units that it joins."""
    instances: dict[str, int] = field(default_factory=dict)
    """Instances per core of memories and unit kinds (absent: 1)."""

    def shared_instance(self, unit: str, corelet: int, memory: str) -> int:
        """Which of a core's instances of a memory the ``corelet``-th unit of a kind sees."""
        if memory not in self.instances:
            return corelet
        return corelet * self.instances[memory] // self.instances.get(unit, 1)

    def memory(self, name: str) -> MemoryTiming:
        """Figures of a memory kind; KeyError if the device has none of this name."""
        return self.memories[name]

    def path(self, unit: str, memory: str, direction: str) -> PathTiming:
        """Path between a unit kind and a memory kind; ``direction`` is ``"read"`` or ``"write"`` seen from the unit."""
        return self.paths.get((unit, memory, direction), PathTiming())

    def link(self, sender: str, receiver: str) -> LinkTiming:
        """FIFO between two unit kinds."""
        return self.links.get((sender, receiver), LinkTiming())

    def unit(self, kind: str) -> UnitTiming:
        """Figures of a unit kind."""
        return self.units.get(kind, UnitTiming())


def ceil_div(a: int, b: int) -> int:
    """``a / b`` rounded up."""
    return -(-a // b)


def advance(clock: int, cycles: int) -> int:
    """``clock`` moved on by whole ``cycles`` (which starts a new cycle); unchanged for 0."""
    return (clock & ~DELTA_MASK) + (cycles << SHIFT) if cycles else clock


def cycle_of(clock: int) -> int:
    """The cycle a clock lies in."""
    return clock >> SHIFT


def word_bytes(address: int, size: int, word: int) -> int:
    """Bytes paid for ``size`` bytes at ``address`` when whole words are moved."""
    return ((address + size - 1) // word - address // word + 1) * word


def timing_items(timing: Timing) -> list[Any]:
    """Figures in a fixed order, for digests."""
    return [
        sorted(timing.memories.items()),
        sorted(timing.paths.items()),
        sorted(timing.links.items()),
        timing.burst,
        sorted(timing.instances.items()),
    ]
