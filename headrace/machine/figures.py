"""Timing figures of a device, read from its architecture description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.codegen.image import Image
from headrace.machine.memory import SPACE_BYTES, machine_error
from headrace.machine.timing import LinkTiming, MemoryTiming, PathTiming, Timing, UnitTiming

if TYPE_CHECKING:
    from headrace.arch import Device


def timing_of(device: Device, image: Image) -> Timing:
    """Figures for the memories, units and links that an image names.

    Raises :class:`HeadraceError` if the device has no memory or unit of a name, or gives no size for an on-chip memory.
    """
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
        lanes = {name.rsplit(".", 1)[-1]: count for name, count in unit.lane_table().items()}
        default = max(lanes.values(), default=max(device.unit(device.compute_kind).lane_table().values(), default=1))
        spec = unit.matrix
        matrix = None if spec is None else (spec.k, spec.n, spec.accumulator_rows, spec.fill_cycles)
        ut = unit.timing
        out.units[kind] = UnitTiming(default, lanes, ut.issue, ut.latency, ut.op_cycles, matrix)
        for memory in image.memories:
            word = device.word_size(kind, memory.name)
            for direction, ends in (("read", (memory.name, kind)), ("write", (kind, memory.name))):
                path = device.datapath(*ends)
                if path is not None:
                    out.paths[(kind, memory.name, direction)] = PathTiming(
                        path.timing.bytes_per_cycle, path.timing.latency, word
                    )
        for other in image.kinds:
            path = device.datapath(kind, other)
            if path is not None:
                depth = device.queue_depth(kind, other)
                out.links[(kind, other)] = LinkTiming(depth, path.timing.latency, path.timing.bytes_per_cycle)
    return out
