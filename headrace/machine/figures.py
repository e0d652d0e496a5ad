"""Timing figures of a device, read from its architecture description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.arch.record import DeviceRecord, record_of
from headrace.codegen.image import Image
from headrace.machine.memory import SPACE_BYTES, machine_error
from headrace.machine.timing import LinkTiming, MemoryTiming, PathTiming, Timing, UnitTiming

if TYPE_CHECKING:
    from headrace.arch import Device


def timing_of(device: Device | DeviceRecord, image: Image) -> Timing:
    """Figures for the memories, units and links that an image names.

    Raises :class:`HeadraceError` if the device has no memory or unit of a name, or gives no size for an on-chip memory.
    """
    device = record_of(device)
    out = Timing(clock_mhz=device.clock_mhz)
    for memory in image.memories:
        found = device.memory(memory.name)
        t = found.timing
        size = found.size
        if size is None:
            if memory.scope != "global":
                raise machine_error(f"device '{device.name}' gives no size for memory '{memory.name}'")
            size = SPACE_BYTES
        out.memories[memory.name] = MemoryTiming(
            size, t.latency, t.read_bytes_per_cycle, t.write_bytes_per_cycle, t.half_duplex
        )
        out.instances[memory.name] = found.instances
    joint = device.interconnect
    if joint is not None:
        cores = device.cores or max((u.core for u in image.units), default=0) + 1
        out.joined = frozenset(joint.units)
        out.between = lambda pairs: {
            pair: LinkTiming(joint.depth, joint.hop_latency * max(1, len(joint.path(*pair, cores))), rate)
            for pair, rate in joint.rates(pairs, cores).items()
        }
    for kind in image.kinds:
        unit = device.unit(kind)
        out.instances[kind] = unit.instances
        lanes = {name.rsplit(".", 1)[-1]: count for name, count in unit.lanes.items()}
        widest = {} if device.compute is None else device.unit(device.compute).lanes
        default = max(lanes.values(), default=max(widest.values(), default=1))
        ut = unit.timing
        out.units[kind] = UnitTiming(default, lanes, ut.issue, ut.latency, ut.op_cycles, unit.matrix)
        for memory in image.memories:
            for direction, ends in (("read", (memory.name, kind)), ("write", (kind, memory.name))):
                path = device.paths.get(ends)
                if path is not None:
                    out.paths[(kind, memory.name, direction)] = PathTiming(
                        path.timing.bytes_per_cycle, path.timing.latency, unit.words[memory.name]
                    )
        for other in image.kinds:
            path = device.paths.get((kind, other))
            if path is not None:
                out.links[(kind, other)] = LinkTiming(path.depth, path.timing.latency, path.timing.bytes_per_cycle)
    return out
