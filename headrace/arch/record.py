"""What the machine and the runtime need of a device, as plain values.

A record is made from the device model once and can be kept as JSON; reading one needs neither the parser nor the IR.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

from headrace.arch.figures import DEFAULT_QUEUE_DEPTH, DatapathTiming, Interconnect, MemoryTiming, UnitTiming
from headrace.ir.diagnostics import error

if TYPE_CHECKING:
    from headrace.arch.model import Device


@dataclass(frozen=True)
class MemoryRecord:
    """A memory kind: bytes per instance (None: the file gives none), level, timing, instances per core."""

    kind: str
    size: int | None
    level: int
    timing: MemoryTiming
    instances: int


@dataclass(frozen=True)
class UnitRecord:
    """An execution unit kind: instances per core, SIMD lanes by element type, timing, matrix feature, word sizes."""

    kind: str
    instances: int
    lanes: Mapping[str, int]
    timing: UnitTiming
    matrix: tuple[int, int, int, int] | None
    """Block rows k and columns n, accumulator rows, cycles to fill a block; None without matrix feature."""
    words: Mapping[str, int]
    """Bytes per word of its accesses, by memory kind."""


@dataclass(frozen=True)
class PathRecord:
    """A link between two kinds, with the FIFO depth that it has between units."""

    source: str
    target: str
    timing: DatapathTiming
    depth: int = DEFAULT_QUEUE_DEPTH


@dataclass(frozen=True)
class DeviceRecord:
    """A device without its IR. ``compute``: kind of the unit that runs linalg bodies."""

    name: str
    digest: str
    clock_mhz: float
    cores: int | None
    memories: Mapping[str, MemoryRecord]
    units: Mapping[str, UnitRecord]
    paths: Mapping[tuple[str, str], PathRecord]
    compute: str | None
    interconnect: Interconnect | None

    @property
    def scratchpad(self) -> MemoryRecord:
        """The first per-core scratchpad. HeadraceError if the device has none."""
        for memory in self.memories.values():
            if memory.level == 1:
                return memory
        raise error(None, f"device '{self.name}' has no per-core scratchpad (a memory in a group that shares one)")

    def tensor_alignment(self, least: int) -> int:
        """Bytes that a tensor's address in device memory is a multiple of: `least` and every unit's word there."""
        kinds = [m.kind for m in self.memories.values() if m.level == 0]
        return lcm(least, *(u.words[kind] for u in self.units.values() for kind in kinds))

    def memory(self, kind: str) -> MemoryRecord:
        """The memory of a kind. HeadraceError if there is none."""
        if kind not in self.memories:
            raise error(None, f"device '{self.name}' has no memory '{kind}'; known: {', '.join(self.memories)}")
        return self.memories[kind]

    def unit(self, kind: str) -> UnitRecord:
        """The execution unit of a kind. HeadraceError if there is none."""
        if kind not in self.units:
            raise error(None, f"device '{self.name}' has no execution unit '{kind}'; known: {', '.join(self.units)}")
        return self.units[kind]

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return {
            **asdict(self),
            "memories": [asdict(m) for m in self.memories.values()],
            "units": [asdict(u) for u in self.units.values()],
            "paths": [asdict(p) for p in self.paths.values()],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> DeviceRecord:
        """Inverse of :meth:`to_json`. KeyError, TypeError or ValueError for anything else."""
        memories = [MemoryRecord(**{**m, "timing": MemoryTiming(**m["timing"])}) for m in data["memories"]]
        units = [
            UnitRecord(
                **{
                    **u,
                    "timing": UnitTiming(**u["timing"]),
                    "matrix": None if u["matrix"] is None else tuple(u["matrix"]),
                }
            )
            for u in data["units"]
        ]
        paths = [PathRecord(**{**p, "timing": DatapathTiming(**p["timing"])}) for p in data["paths"]]
        joint = data["interconnect"]
        return DeviceRecord(
            **{
                **data,
                "memories": {m.kind: m for m in memories},
                "units": {u.kind: u for u in units},
                "paths": {(p.source, p.target): p for p in paths},
                "interconnect": None if joint is None else Interconnect(**{**joint, "units": tuple(joint["units"])}),
            }
        )


def record_of(device: Device | DeviceRecord) -> DeviceRecord:
    """The record of a device model; a record is its own."""
    return device if isinstance(device, DeviceRecord) else device.record


def make_record(device: Device) -> DeviceRecord:
    """Take the record of a device model (which keeps it: `Device.record`)."""
    memories = {m.kind: MemoryRecord(m.kind, m.size, m.level, m.timing, m.instances) for m in device.memories.values()}
    units = {
        u.kind: UnitRecord(
            u.kind,
            u.instances,
            u.lane_table,
            u.timing,
            None if u.matrix is None else (u.matrix.k, u.matrix.n, u.matrix.accumulator_rows, u.matrix.fill_cycles),
            {kind: device.word_size(u.kind, kind) for kind in memories},
        )
        for u in device.units.values()
    }
    paths = {
        (p.source, p.target): PathRecord(p.source, p.target, p.timing, device.queue_depth(p.source, p.target))
        for p in device.datapaths
    }
    compute = next((u.kind for u in device.units.values() if u.is_compute), None)
    return DeviceRecord(
        device.name, device.digest, device.clock_mhz, device.cores, memories, units, paths, compute,
        device.interconnect,
    )  # fmt: skip
