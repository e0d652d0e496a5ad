"""Figures of a scheduled module: what is in its text, and how a run compares with the bounds."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.stream.simulator import Simulator

_COUNTED = {
    "executions": "stream.cmd.execute",
    "concurrent_groups": "stream.cmd.concurrent",
    "joins": "stream.timepoint.join",
    "waits": "stream.timepoint.await",
    "copies": "stream.cmd.copy",
    "fills": "stream.cmd.fill",
    "flushes": "stream.cmd.flush",
    "dispatches": "stream.cmd.dispatch",
    "allocations": "stream.resource.alloca",
    "deallocations": "stream.resource.dealloca",
}


def static_figures(module: ModuleOp) -> dict[str, int]:
    """Operations in the text of the host functions; a loop's body counts once."""
    found = dict.fromkeys(_COUNTED, 0)
    found["copies_in_loops"] = 0
    names = {v: k for k, v in _COUNTED.items()}
    for function in module.body.block.ops:
        if function.name != "util.func":
            continue
        for op in function.walk():
            key = names.get(op.name)
            if key is not None:
                found[key] += 1
            if op.name == "stream.cmd.copy" and _in_loop(op):
                found["copies_in_loops"] += 1
    return found


def _in_loop(op: Any) -> bool:
    at = op.parent_op()
    while at is not None:
        if at.name in ("scf.for", "scf.while"):
            return True
        at = at.parent_op()
    return False


def run_figures(simulator: Simulator, report: list[dict[str, Any]]) -> dict[str, Any]:
    """Makespan, bound, utilisation, peak memory of a simulated run; slabs against their bounds."""
    bound, by = simulator.bound()
    return {
        "makespan_ns": simulator.makespan,
        "bound_ns": bound,
        "bound_by": by,
        "host_waits": simulator.host_waits,
        "submissions": simulator.submissions,
        "utilisation": {k: round(v, 4) for k, v in simulator.utilisation().items()},
        "peak_bytes": dict(sorted(simulator.peak.items())),
        "transient_peak_bytes": dict(sorted(simulator.transient_peak.items())),
        "slabs": report,
    }
