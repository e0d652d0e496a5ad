"""Figures of device resources as plain values; `timing.py` reads them from a device file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

DEFAULT_CLOCK_MHZ = 1000.0
DEFAULT_QUEUE_DEPTH = 2


@dataclass(frozen=True)
class MemoryTiming:
    """Bandwidth and latency that all users of one memory share. A bandwidth of None is unlimited."""

    latency: int = 1
    read_bytes_per_cycle: int | None = None
    write_bytes_per_cycle: int | None = None
    half_duplex: bool = False
    """Reads and writes share one figure (both fields then hold it)."""


@dataclass(frozen=True)
class DatapathTiming:
    """One link: cycles until the first byte arrives, and bytes per cycle (None: one vector per cycle)."""

    latency: int = 1
    bytes_per_cycle: int | None = None


@dataclass(frozen=True)
class UnitTiming:
    """One execution unit: cycles between two vector ops, cycles until a result is there, and dearer ops."""

    issue: int = 1
    latency: int = 1
    op_cycles: Mapping[str, int] = field(default_factory=dict)

    def cycles(self, short: str) -> int:
        """Cycles that one vector op occupies the unit; `short` is the op's name without dialect (`exp`)."""
        return self.op_cycles.get(short, self.issue)


@dataclass(frozen=True)
class Interconnect:
    """Joins the units of kinds `units` of core i to those of its neighbours."""

    topology: str
    units: tuple[str, ...]
    bytes_per_cycle: int
    hop_latency: int
    depth: int = DEFAULT_QUEUE_DEPTH
    """Vectors or packets that a link holds."""
    packet_bytes: int | None = None
    """Most bytes that a unit sends at once (None: one vector)."""

    @property
    def unit(self) -> str:
        """The first of the joined kinds."""
        return self.units[0]

    def path(self, a: int, b: int, cores: int) -> list[tuple[int, int]]:
        """Links (from, to) on the way from core a to core b of `cores`: the shorter way around a ring; along the row,
        then the column, of the squarest mesh."""
        links: list[tuple[int, int]] = []
        if self.topology == "ring":
            step = 1 if (b - a) % cores <= (a - b) % cores else -1
            while a != b:
                links.append((a, (a + step) % cores))
                a = links[-1][1]
            return links
        side = max(n for n in range(1, cores + 1) if cores % n == 0 and n * n <= cores)
        for stride, target in ((1, b % side), (side, b // side)):
            while (a % side if stride == 1 else a // side) != target:
                here = a % side if stride == 1 else a // side
                links.append((a, a + (stride if here < target else -stride)))
                a = links[-1][1]
        return links

    def rates(self, pairs: Iterable[tuple[int, int]], cores: int) -> dict[tuple[int, int], int]:
        """Bytes a cycle of the FIFO between each pair of cores. FIFOs with ways of one length are taken to be busy
        together (a unit sends on one at a time): each gets its part of the most crowded link on its way."""
        ways = {pair: self.path(*pair, cores) for pair in dict.fromkeys(pairs)}
        load: dict[tuple[int, tuple[int, int]], int] = {}
        for way in ways.values():
            for link in way:
                load[len(way), link] = load.get((len(way), link), 0) + 1
        return {
            pair: max(1, self.bytes_per_cycle // max((load[len(way), link] for link in way), default=1))
            for pair, way in ways.items()
        }
