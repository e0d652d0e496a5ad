"""`headrace devices [NAME]`: the shipped devices, or one as a table, JSON or a Graphviz graph."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from headrace.cli.common import UsageProblem, print_json, table

if TYPE_CHECKING:
    from headrace.arch import Device


def run_devices(name: str | None, dot: bool, as_json: bool) -> int:
    """List or describe; returns the exit status."""
    from headrace.arch import load_device, shipped_devices

    if name is None:
        if dot:
            raise UsageProblem("--dot needs the name of a device")
        found = [load_device(n) for n in shipped_devices()]
        if as_json:
            print_json({"devices": [_summary(d) for d in found]})
            return 0
        lines = [("device", "cores", "clock", "compute", "lanes f16", "scratchpad", "digest")]
        for d in found:
            s = _summary(d)
            lines.append(
                (
                    s["name"], str(s["cores"] or "as the grid"), f"{s['clock_mhz']:g} MHz", s["compute"],
                    str(s["lanes_f16"]), f"{s['scratchpad']} {s['scratchpad_bytes'] or '?'} B", s["digest"][:12],
                )
            )  # fmt: skip
        sys.stdout.write("\n".join(table(lines)) + "\n")
        return 0
    device = load_device(name)
    if dot:
        sys.stdout.write(device.to_dot())
        return 0
    rows = device.describe()
    if as_json:
        print_json(
            {
                **_summary(device),
                "resources": [{"group": r.section, "name": r.name, "figures": dict(r.details)} for r in rows],
            }
        )
        return 0
    lines = [("", "name", "figures")]
    lines += [(r.section, r.name, ", ".join(f"{k} {v}" for k, v in r.details.items())) for r in rows]
    sys.stdout.write("\n".join(table(lines)) + "\n")
    return 0


def _summary(device: Device) -> dict[str, Any]:
    from xdsl.dialects.builtin import f16

    pad = device.scratchpad
    return {
        "name": device.name,
        "cores": device.cores,
        "clock_mhz": device.clock_mhz,
        "compute": device.compute_kind,
        "lanes_f16": device.lanes(f16),
        "scratchpad": pad.kind,
        "scratchpad_bytes": pad.size,
        "digest": device.digest,
    }
