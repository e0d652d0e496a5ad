"""One point of a sweep: compile a kernel for a changed device and run it. Runs in worker processes, here or elsewhere:
a task carries the texts of kernel and device."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Task:
    """A point: number in the grid, the texts, and the figures to change."""

    number: int
    source: str
    device_text: str
    device_file: str
    changes: Mapping[str, int]
    kernel: str | None
    arguments: Mapping[str, Any]
    seed: int
    disabled: frozenset[str]
    strict: bool


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that made this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def evaluate(task: Task) -> dict[str, Any]:
    """Figures of a point: ``number``, ``status`` (``ok`` or ``error``), ``error``, ``cycles``, ``time_us``,
    ``bound_cycles``, ``bound_by``, ``efficiency``, ``busiest`` and ``busiest_share``. Never raises for a point that
    cannot be compiled or run."""
    from headrace.ir.diagnostics import HeadraceError, collecting

    row: dict[str, Any] = {"number": task.number, "status": "ok", "error": ""}
    try:
        with collecting():
            row |= _figures(task)
    except HeadraceError as problem:
        row |= {"status": "error", "error": problem.diagnostics[0].message}
    return row


def _figures(task: Task) -> dict[str, Any]:
    from headrace import api
    from headrace.arch import device_of_text
    from headrace.arch.settings import with_settings
    from headrace.check import data
    from headrace.check.launch import place as place_on_device
    from headrace.interp.buffers import find_buffers
    from headrace.interp.placement import place
    from headrace.ir.diagnostics import error
    from headrace.machine.plan import port_kind
    from headrace.runtime import Device
    from headrace.scheduler.expression import bound_of

    device = with_settings(device_of_text(task.device_text, task.device_file), task.changes)
    options = api.CompileOptions(disabled=task.disabled, arguments=task.arguments, strict=task.strict)
    program = api.compile(task.source + "\n", device, task.kernel, options)
    buffers = program.buffers or find_buffers(program.ktir, program.name, task.arguments)
    scalars = {**buffers.scalars, **task.arguments}
    missing = [n for n, v in scalars.items() if v is None]
    if missing:
        raise error(None, f"argument '{missing[0]}' has no value; give it with --arg {missing[0]}=VALUE")
    memory, _ = place(buffers, data.fill(buffers.buffers, {}, task.seed, False))
    result = place_on_device(Device.open(device), program.code, buffers.buffers, memory, scalars).start()
    bound = bound_of(program.bound, {n: v for n, v in scalars.items() if isinstance(v, int)})
    cycles = max(1, result.cycles)
    busy: dict[str, float] = {}
    for u in result.units.values():
        busy[u.kind] = max(busy.get(u.kind, 0.0), u.busy / cycles)
    for port, held in result.ports.items():
        name = port_kind(port)
        busy[name] = max(busy.get(name, 0.0), held / cycles)
    busiest = max(busy, key=lambda name: (busy[name], name)) if busy else ""
    return {
        "cycles": result.cycles,
        "time_us": result.time_us,
        "bound_cycles": bound[0] if bound is not None else None,
        "bound_by": bound[1] if bound is not None else None,
        "efficiency": round(bound[0] / cycles, 6) if bound is not None else None,
        "busiest": busiest,
        "busiest_share": round(busy.get(busiest, 0.0), 6),
    }
