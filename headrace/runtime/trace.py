"""Chrome trace events (the JSON that chrome://tracing and Perfetto read) of what streams have done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headrace.runtime.timeline import HOST, MACHINE, TO_DEVICE, TO_HOST, Lane

if TYPE_CHECKING:
    from headrace.runtime.executor import Executor

ROWS = (HOST, TO_DEVICE, MACHINE, TO_HOST, "event")
SIMULATED, REAL = 1, 2
"""Process numbers of the two clocks in the trace."""


def chrome_trace(lanes: Sequence[Lane], executor: Executor) -> dict[str, Any]:
    """``{"traceEvents": [...], ...}``. Times in microseconds; cycles (1 a microsecond) where the device has no clock.

    Process 1 is simulated time with one row per stream and resource, process 2 host time with one row per stream.
    """
    mhz = executor.timeline.clock_mhz or 1
    events: list[dict[str, Any]] = [
        _name("process_name", SIMULATED, 0, f"{executor.name}: simulated time"),
        _name("process_name", REAL, 0, f"{executor.name}: host time"),
    ]
    zero = min((r[6] for lane in lanes for r in lane.records if r[6]), default=0.0)
    for lane in lanes:
        used: set[str] = set()
        for name, resource, launch, queued, start, end, submitted, began, ended in list(lane.records):
            row = lane.number * len(ROWS) + ROWS.index(resource)
            cycles = {"queued": queued, "start": start, "end": end}
            args: dict[str, Any] = {"cycles": cycles, "stream": lane.number}
            if launch >= 0:
                args["launch"] = launch
            common = {"name": name, "cat": resource, "args": args}
            if resource not in used:
                used.add(resource)
                events.append(_name("thread_name", SIMULATED, row, f"stream {lane.number} {resource}"))
            events.append(
                {**common, "ph": "X", "pid": SIMULATED, "tid": row, "ts": start / mhz, "dur": (end - start) / mhz}
            )
            if resource in (MACHINE, TO_DEVICE, TO_HOST, "event") and began:
                host = {"ts": 1e6 * (began - zero), "dur": 1e6 * (ended - began)}
                waited = {**args, "queued_us": 1e6 * (submitted - zero)}
                events.append({**common, "ph": "X", "pid": REAL, "tid": lane.number, **host, "args": waited})
        if used:
            events.append(_name("thread_name", REAL, lane.number, f"stream {lane.number}"))
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {"device": executor.name, "clock_mhz": executor.timeline.clock_mhz},
    }


def _name(what: str, process: int, row: int, text: str) -> dict[str, Any]:
    return {"name": what, "ph": "M", "pid": process, "tid": row, "args": {"name": text}}
