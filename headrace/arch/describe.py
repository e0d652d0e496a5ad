"""A device as a table and as a picture."""

from __future__ import annotations

from headrace.arch.model import Device, Row


def _number(value: float) -> str:
    return f"{value:g}"


def _bytes(value: int | None) -> str:
    if value is None:
        return "unbounded"
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= factor:
            return f"{value / factor:.4g} {unit}"
    return f"{value} B"


def rows(device: Device) -> list[Row]:
    """Rows in file order: the device, then memories, units and datapaths."""
    table = [
        Row(
            "device",
            device.name,
            {
                "cores": "as the grid" if device.cores is None else str(device.cores),
                "clock": f"{_number(device.clock_mhz)} MHz",
                **(
                    {}
                    if device.interconnect is None
                    else {
                        "interconnect": f"{device.interconnect.topology} at {' and '.join(device.interconnect.units)}, "
                        f"{device.interconnect.bytes_per_cycle} B/cycle, hop {device.interconnect.hop_latency}"
                    }
                ),
                "digest": device.digest[:16],
            },
        )
    ]
    for memory in device.memories.values():
        rates = memory.timing
        read, write = rates.read_bytes_per_cycle, rates.write_bytes_per_cycle
        if read is None and write is None:
            bandwidth = "as its ports"
        elif rates.half_duplex:
            bandwidth = f"{read} B/cycle shared"
        else:
            bandwidth = f"read {read or 'any'} / write {write or 'any'} B/cycle"
        details = {
            "level": str(memory.level),
            "size": _bytes(memory.size),
            "bandwidth": bandwidth,
            "latency": str(rates.latency),
        }
        if memory.reserved:
            details["allocatable"] = _bytes(memory.allocatable)
        if memory.instances > 1:
            details["instances"] = str(memory.instances)
        if memory.aliases:
            details["spaces"] = ", ".join(str(alias) for alias in memory.aliases)
        table.append(Row("memory", memory.kind, details))
    for unit in device.units.values():
        kinds = (("compute", unit.is_compute), ("load", unit.is_load), ("store", unit.is_store))
        roles = [name for name, has in kinds if has]
        if unit.matrix is not None:
            roles.append(f"matrix {unit.matrix.k}x{unit.matrix.n}, {unit.matrix.accumulator_rows} rows")
        details = {
            "role": ", ".join(roles) or "-",
            "per core": str(unit.instances),
            "issue": str(unit.timing.issue),
            "latency": str(unit.timing.latency),
        }
        if lanes := unit.lane_table:
            details["lanes"] = ", ".join(f"{kind} {count}" for kind, count in lanes.items())
        if unit.timing.op_cycles:
            details["op cycles"] = ", ".join(f"{name} {count}" for name, count in unit.timing.op_cycles.items())
        table.append(Row("unit", unit.kind, details))
    for path in device.datapaths:
        details = {
            "bandwidth": "one vector/cycle"
            if path.timing.bytes_per_cycle is None
            else f"{path.timing.bytes_per_cycle} B/cycle",
            "latency": str(path.timing.latency),
        }
        if path.queue_depth is not None:
            details["queue"] = f"{path.queue_depth}{' ordered' if path.ordered else ''}"
        if path.granularity:
            details["transfers"] = ", ".join(f"{size} B" for size in path.granularity)
        table.append(Row("datapath", path.name, details))
    return table


def dot(device: Device) -> str:
    """Graphviz source: memories as boxes, units as ellipses, links as edges; one node per kind."""
    lines = [f'digraph "{device.name}" {{', "  rankdir=LR;"]
    for memory in device.memories.values():
        label = f"{memory.kind}\\n{_bytes(memory.size)}"
        lines.append(f'  "{memory.kind}" [shape=box, label="{label}"];')
    for unit in device.units.values():
        times = f" x{unit.instances}" if unit.instances > 1 else ""
        style = ", style=bold" if unit.is_compute else ""
        lines.append(f'  "{unit.kind}" [label="{unit.kind}{times}"{style}];')
    for path in device.datapaths:
        rate = path.timing.bytes_per_cycle
        label = "" if rate is None else f' [label="{rate} B/c"]'
        lines.append(f'  "{path.source}" -> "{path.target}"{label};')
    lines.append("}")
    return "\n".join(lines) + "\n"
