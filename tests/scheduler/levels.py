"""Runs a kernel's text at every level on the same seeded memory and compares with the KTIR interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.arch import Device, load_device
from headrace.arch.loader import declare_device, device_of_text
from headrace.check import data
from headrace.check.launch import place as place_on_device
from headrace.check.levels import Checker, LevelResult
from headrace.check.passes import has_units
from headrace.codegen import compile_to_spyrecode
from headrace.interp.buffers import find_buffers
from headrace.interp.engine import argument_names, find_kernel
from headrace.interp.placement import ALIGN, place
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.ir.verify import verify
from headrace.runtime import Device as Runtime
from headrace.scheduler.plan import PLAN, SCHEDULE_END, run_plan

DEVICES = ("sample", "spyre", "spyre-balanced", "tri")

device_named = cache(load_device)


def small_device(name: str) -> Device:
    """A shipped device with on-chip memories of a few kilobytes."""
    text = device_named(name).text
    for size in ("1048576", "131072"):
        text = text.replace(f"size = {size}", "size = 12288")
    return device_of_text(text, f"{name}.mlir")


class Refused(Exception):
    """The scheduler does not take the kernel: a located diagnostic that names the construct and the pass."""


def compare_levels(
    text: str,
    device: str | Device,
    scalars: Mapping[str, Any] | None = None,
    every_pass: bool = False,
    launch: bool = True,
    seed: int = 0,
) -> list[LevelResult]:
    """Results of ScheduleIR (after every pass if `every_pass`), DataflowIR and the simulated device. Raises Refused."""
    scalars = scalars or {}
    device = device if isinstance(device, Device) else device_named(device)
    ktir = parse_module(text)
    found = find_buffers(ktir, None, scalars)
    scalars = {n: v for n, v in found.scalars.items() if v is not None} | dict(scalars)
    memory, args = place(found, data.fill(found.buffers, {}, seed), align=device.record.tensor_alignment(ALIGN))
    args |= scalars
    checker = Checker(ktir, found.kernel, found.buffers, memory, args, device)
    checker.reference()
    module = parse_module(text)
    names = argument_names(find_kernel(module, found.kernel))
    declare_device(module, device)
    results: list[LevelResult] = []

    def after(name: str, current: ModuleOp) -> None:
        if every_pass:
            verify(current)
        last = name in (SCHEDULE_END, PLAN[-1].name)
        if not (every_pass or last) or (results and not results[-1].good):
            return
        results.append(checker.dataflow(current, name) if has_units(current) else checker.schedule(current, name))

    try:
        run_plan(module, device, PLAN, after)
    except HeadraceError as problem:
        raise Refused(str(problem)) from None
    if launch and all(r.good for r in results):
        results.append(launched(checker, module, device, found.buffers, text, names, scalars))
    return results


def launched(
    checker: Checker, module: ModuleOp, device: Device, buffers: Any, text: str, names: list[str], scalars: Any
) -> LevelResult:
    """The simulated device's result; what the sanitizer finds is a failure."""
    code = compile_to_spyrecode(module, device, buffers=buffers, source=text, argument_names=names)
    try:
        placed = place_on_device(Runtime.open(device, mode="sanitized"), code, buffers, checker.memory, scalars)
        placed.start()
    except HeadraceError as problem:
        return LevelResult("device", "failed", error=str(problem))
    return checker.judge("device", placed.collect())
