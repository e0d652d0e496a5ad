"""`headrace run FILE_OR_DIR...`: compile if needed, launch on the simulated device, check, report."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.cli.common import CheckFailed, UsageProblem, numbers, pairs, print_json, progress, shape_text, table
from headrace.cli.observe import NOTHING, Observe, observe

if TYPE_CHECKING:
    from headrace.check.levels import CheckResult, LevelResult
    from headrace.cli.observe import Observed
    from headrace.codegen import SpyreCode
    from headrace.interp.buffer_info import BufferInfo, KernelBuffers

CHECKS = ("ktir", "levels", "passes")
MODES = ("timed", "functional", "sanitized")


@dataclass(frozen=True)
class RunRequest:
    """The command line of `run`."""

    files: tuple[str, ...]
    device: str | None
    kernel: str | None
    inputs: tuple[str, ...]
    arguments: tuple[str, ...]
    seed: int
    output: str | None
    raw: bool
    check: str | None
    repeat: int
    strict: bool
    disabled: tuple[str, ...]
    json: bool
    debug: bool = False
    observe: Observe = NOTHING
    mode: str = "timed"


@dataclass
class Outcome:
    """One run: the JSON object, and the lines for people."""

    report: dict[str, Any]
    lines: list[str]
    failed: bool = False


def run_run(request: RunRequest) -> int:
    """Run all files; returns the exit status (the worst one)."""
    from headrace.ir.diagnostics import HeadraceError

    if request.mode not in MODES:
        raise UsageProblem(f"--mode takes {', '.join(MODES)}, not '{request.mode}'")
    if request.mode != "timed" and request.observe:
        raise UsageProblem("--profile, --trace and --report need the timed mode")
    if request.check is not None and request.check not in CHECKS:
        raise UsageProblem(f"--check takes {', '.join(CHECKS)}, not '{request.check}'")
    if len(request.files) > 1 and (request.inputs or request.output):
        raise UsageProblem("--input and --output take one file")
    if len(request.files) > 1 and (request.observe.trace or request.observe.report):
        raise UsageProblem("--trace and --report take one file")
    reports: list[dict[str, Any]] = []
    status = 0
    for number, file in enumerate(request.files):
        try:
            with progress(file) as tell:
                outcome = run_one(request, file, tell)
        except HeadraceError as problem:
            if len(request.files) == 1 or isinstance(problem, UsageProblem) or request.debug:
                raise
            sys.stderr.write(f"{problem}\n")
            reports.append({"file": file, "error": [d.render() for d in problem.diagnostics]})
            status = max(status, 1)
            continue
        reports.append({"file": file, **outcome.report} if len(request.files) > 1 else outcome.report)
        status = max(status, 3 if outcome.failed else 0)
        if not request.json:
            sys.stdout.write(("\n" if number else "") + "\n".join(outcome.lines) + "\n")
            sys.stdout.flush()
    if request.json:
        print_json({"runs": reports} if len(request.files) > 1 else reports[0])
    return status


def run_one(request: RunRequest, file: str, tell: Callable[[str], Any]) -> Outcome:
    """Run one file or directory. Raises HeadraceError."""
    from headrace.ir.diagnostics import collecting

    with collecting() as engine:
        if Path(file).is_dir():
            outcome = _run_directory(request, file, tell)
        else:
            outcome = _run_source(request, file, tell)
    found = [*(str(w) for w in engine.warnings), *outcome.report["warnings"]]
    outcome.report["warnings"] = list(dict.fromkeys(found))
    for w in outcome.report["warnings"]:
        sys.stderr.write(f"{w}\n")
    return outcome


# -- from KTIR ---------------------------------------------------------------------------------------------------------


def _run_source(request: RunRequest, file: str, tell: Callable[[str], Any]) -> Outcome:
    from headrace import api

    given = numbers("--arg", request.arguments)
    disabled: frozenset[str] = frozenset()
    if request.disabled:
        from headrace.cli.compile import pass_names

        disabled = pass_names(request.disabled, "--disable-pass")
    tell(f"compiling {file}")
    source: Any = sys.stdin.read() + "\n" if file == "-" else Path(file)
    device = request.device or "spyre"
    options = api.CompileOptions(disabled=disabled, arguments=given, strict=request.strict)
    warnings: list[str] = []
    if request.check is None and not request.observe and os.environ.get("HEADRACE_ARTEFACTS", "0") != "0":
        from headrace.runtime.devices import open_record

        entry, made = api.compile_cached(source, device, request.kernel, options, describe=_described)
        if made is None:
            record = open_record(device)
            outcome = _run_code(request, entry.code, record, entry.extra["summary"], entry.extra["warnings"], tell)
            outcome.report["cached"] = True
            return outcome
        program, warnings = made, entry.extra["warnings"]
    else:
        program = api.compile(source, device, request.kernel, options)
    architecture = program.device
    from headrace.arch.record import record_of
    from headrace.check import data
    from headrace.cli.compile import summary
    from headrace.interp.buffers import find_buffers
    from headrace.interp.placement import ALIGN, place
    from headrace.ir.diagnostics import error

    buffers = program.buffers or find_buffers(program.ktir, program.name, given)
    scalars = _scalars(buffers, given)
    missing = [n for n, v in scalars.items() if v is None]
    if missing:
        raise error(None, f"argument '{missing[0]}' has no value; give it with --arg {missing[0]}=VALUE")
    values = data.fill(buffers.buffers, pairs("--input", request.inputs), request.seed, request.raw)
    memory, arguments = place(buffers, values, align=record_of(architecture).tensor_alignment(ALIGN))
    arguments |= scalars
    run = _launch(request, program.code, architecture, buffers.buffers, memory, scalars, tell)
    check: CheckResult | None = None
    passes: list[LevelResult] = []
    if request.check is not None:
        from headrace.check.levels import Checker, sample_tiles
        from headrace.check.passes import PassChecker
        from headrace.scheduler.expression import evaluate

        try:
            steps = evaluate(program.bound["vector_steps"], {n: v for n, v in scalars.items() if isinstance(v, int)})
        except KeyError:
            steps = 0
        checker = Checker(
            program.ktir, program.name, buffers.buffers, memory, arguments, architecture, request.strict,
            sample_tiles(program.grid, steps, buffers.buffers, program.ktir, request.seed), steps,
        )  # fmt: skip
        tell(f"checking {file}: ktir")
        levels = [checker.reference()]
        if request.check == "levels":
            tell(f"checking {file}: schedule")
            levels.append(checker.schedule(program.schedule))
            tell(f"checking {file}: dataflow")
            levels.append(checker.dataflow(program.dataflow))
        elif request.check == "passes":
            inspector = PassChecker(checker)

            def after(name: str, module: Any) -> None:
                tell(f"checking {file}: {name}")
                inspector.after(name, module)

            api.compile(
                source, architecture, request.kernel,
                api.CompileOptions(after, disabled, given, request.strict),
            )  # fmt: skip
            passes = inspector.results
            levels += passes
        levels.append(checker.judge("device", run.memory))
        check = checker.result(levels, program.grid)
    files = _write_outputs(request, buffers.buffers, run.memory)
    report = _report(program.code, architecture, run, scalars, check, program.seconds)
    report["warnings"] += warnings
    if check is not None:
        report["warnings"] += check.warnings
    checked = _check_lines(check, request.check or "") if check is not None else []
    lines = [*summary(program), *checked, *_figures(report, run)]
    if request.observe:
        about = (program.code, architecture, buffers.buffers, memory, scalars)
        _add(report, lines, observe(request.observe, *about, run.result, program, tell))
    lines += [f"  written    {', '.join(files)}"] if files else []
    return _sanitizer(request, run, Outcome(report, lines, check is not None and check.status != "match"))


def _scalars(buffers: KernelBuffers, given: Mapping[str, Any]) -> dict[str, Any]:
    """Scalar arguments with the given values; a runtime_arg defaults to its upper bound."""
    from headrace.ir.diagnostics import did_you_mean, error

    for name in given:
        if name not in buffers.scalars:
            known = ", ".join(buffers.scalars) or "none"
            hint = did_you_mean(name, buffers.scalars)
            raise error(None, f"--arg: no scalar argument '{name}'; the kernel's scalar arguments: {known}{hint}")
    return {**buffers.scalars, **given}


# -- from a directory --------------------------------------------------------------------------------------------------


def _run_directory(request: RunRequest, directory: str, tell: Callable[[str], Any]) -> Outcome:
    from headrace.api import open_architecture
    from headrace.codegen import SpyreCode
    from headrace.runtime.devices import open_record

    if request.check is not None:
        raise UsageProblem("--check needs the KTIR file: a SpyreCode directory holds one level only")
    if request.disabled or request.kernel:
        raise UsageProblem("--disable-pass and --kernel need the KTIR file: a SpyreCode directory is compiled already")
    code = SpyreCode.read(directory)
    device = request.device or str(code.manifest["device"]["name"])
    architecture = open_architecture(device) if request.observe else open_record(device)
    grid = shape_text(code.manifest["grid"])
    lines = [f"kernel {code.name} on {architecture.name}, grid {grid}, from {directory}"]
    return _run_code(request, code, architecture, lines, [], tell)


def _run_code(
    request: RunRequest,
    code: SpyreCode,
    architecture: Any,
    lines: Sequence[str],
    warnings: Sequence[str],
    tell: Callable[[str], Any],
) -> Outcome:
    """Launch what is compiled already; ``lines`` says what it is."""
    from headrace.check import data
    from headrace.interp.buffer_info import KernelBuffers
    from headrace.interp.placement import place

    infos = data.buffers_of_manifest(code.manifest)
    scalars = {a["name"]: a.get("upperbound") for a in code.arguments if a["kind"] != "address"}
    found = KernelBuffers(code.name, tuple(code.manifest["grid"]), infos, scalars)
    values = _scalars(found, numbers("--arg", request.arguments))
    memory, _ = place(found, data.fill(infos, pairs("--input", request.inputs), request.seed, request.raw))
    given = {n: v for n, v in values.items() if v is not None}
    run = _launch(request, code, architecture, infos, memory, given, tell)
    files = _write_outputs(request, infos, run.memory)
    report = _report(code, architecture, run, given, None, {})
    report["warnings"] += warnings
    shown = [*lines, *_figures(report, run)]
    if request.observe:
        about = (code, architecture, infos, memory, given)
        _add(report, shown, observe(request.observe, *about, run.result, None, tell))
    shown += [f"  written    {', '.join(files)}"] if files else []
    return _sanitizer(request, run, Outcome(report, shown))


def _sanitizer(request: RunRequest, run: Launched, outcome: Outcome) -> Outcome:
    """Add what the sanitizer found to an outcome."""
    if request.mode != "sanitized":
        return outcome
    found = list(run.hazards)
    status = f"{len(found)} hazards" if len(found) > 1 else "1 hazard" if found else "no hazard"
    outcome.report["sanitizer"] = {"status": "hazards" if found else "clean", "reports": [d.render() for d in found]}
    outcome.lines.append(f"  sanitizer  {status}")
    outcome.failed = outcome.failed or bool(found)
    for d in found:
        sys.stderr.write(f"{d.render()}\n")
    return outcome


def _add(report: dict[str, Any], lines: list[str], seen: Observed) -> None:
    """Add what was observed to a report."""
    report.update(seen.json)
    report["warnings"] += seen.warnings
    lines += seen.lines


def _described(program: Any) -> dict[str, Any]:
    """What the artefact cache keeps for the report of a later run."""
    from headrace.cli.compile import summary

    return {"summary": summary(program)}


# -- launching ---------------------------------------------------------------------------------------------------------


@dataclass
class Launched:
    """Result of the launches: the machine's figures (identical every time), the final memory, addresses, seconds."""

    result: Any
    memory: Any
    addresses: dict[str, int]
    load: float
    simulate: list[float]
    hazards: Sequence[Any] = ()


def _launch(
    request: RunRequest,
    code: SpyreCode,
    architecture: Any,
    buffers: Sequence[BufferInfo],
    memory: Any,
    scalars: Mapping[str, Any],
    tell: Callable[[str], Any],
) -> Launched:
    from headrace.check.launch import place
    from headrace.ir.diagnostics import HeadraceError
    from headrace.runtime import Device

    tell(f"loading {code.name}")
    began = time.perf_counter()
    placed = place(Device.open(architecture, mode=request.mode), code, buffers, memory, scalars)
    load = time.perf_counter() - began
    tell(f"simulating {code.name}")
    seconds: list[float] = []
    cycles: set[int] = set()
    result: Any = None
    for k in range(request.repeat):
        if k:
            placed.restore()
        began = time.perf_counter()
        try:
            result = placed.start()
        except HeadraceError as problem:
            if request.mode != "sanitized":
                raise
            sim = placed.device.sim
            if sim.completed is None:
                raise CheckFailed(problem.diagnostics) from None
            seconds.append(time.perf_counter() - began)
            result = sim.completed
            return Launched(result, placed.collect(), placed.addresses, load, seconds, problem.diagnostics)
        seconds.append(time.perf_counter() - began)
        cycles.add(result.cycles)
    if len(cycles) > 1:
        raise CheckFailed(_problem(f"cycle counts of {request.repeat} launches differ: {sorted(cycles)}"))
    return Launched(result, placed.collect(), placed.addresses, load, seconds)


def _problem(message: str) -> list[Any]:
    from headrace.ir.diagnostics import error

    return error(None, message).diagnostics


def _write_outputs(request: RunRequest, buffers: Sequence[BufferInfo], memory: Any) -> list[str]:
    from headrace.check.data import save_values
    from headrace.interp.placement import fetch

    if request.output is None:
        return []
    return [str(save_values(b, fetch(memory, b), request.output, request.raw)) for b in buffers if b.is_output]


# -- reporting ---------------------------------------------------------------------------------------------------------


def _report(
    code: SpyreCode,
    architecture: Any,
    run: Launched,
    scalars: Mapping[str, Any],
    check: CheckResult | None,
    seconds: Mapping[str, float],
) -> dict[str, Any]:
    """The JSON object of one run."""
    from headrace.scheduler.expression import bound_of

    manifest, result = code.manifest, run.result
    bound = manifest.get("bound")
    limits = {n: v for n, v in scalars.items() if isinstance(v, int)}
    found = bound_of(bound, limits) if isinstance(bound, dict) else None
    machine = result.to_json()
    times = {k: seconds.get(k, 0.0) for k in ("parse", "schedule", "codegen")}
    times |= {"load": run.load, "simulate": statistics.median(run.simulate)}
    return {
        "kernel": code.name,
        "device": architecture.name,
        "grid": list(manifest["grid"]),
        "programs": [p["name"] for p in manifest["programs"]],
        "buffers": [
            {
                "name": b["name"],
                "role": b["role"],
                "shape": b["shape"],
                "dtype": b["dtype"],
                "address": run.addresses.get(b["name"], b["address"]),
            }
            for b in manifest["buffers"]
        ],
        "check": check.to_json() if check is not None else None,
        "cycles": machine["cycles"],
        "time_us": result.time_us,
        "bound": {"cycles": found[0], "by": found[1]} if found is not None else None,
        "efficiency": round(found[0] / result.cycles, 6) if found is not None and machine["cycles"] else None,
        "units": [{k: u[k] for k in ("name", "busy", "stalled")} for u in machine["units"]],
        "bytes": machine["bytes"],
        "seconds": {k: round(v, 6) for k, v in times.items()},
        "warnings": [],
    }


def _check_lines(check: CheckResult, mode: str) -> list[str]:
    of = "all tiles" if check.tiles == check.of else f"{check.tiles} of {check.of} tiles"
    lines = [f"  check      {check.status}, {of}"]
    for r in check.levels:
        if r.status == "reference":
            text = "the definition"
        elif r.status == "match":
            exact = r.max_abs_err == 0
            text = (
                "equal bit for bit" if exact else f"within tolerance (max error {r.max_abs_err:g}, {r.max_ulp:g} ulp)"
            )
        elif r.status == "mismatch":
            text = f"{r.wrong} elements differ (max error {r.max_abs_err:g}, {r.max_ulp:g} ulp); first {r.first}"
        elif r.status == "skipped":
            text = f"skipped: {r.error}"
        else:
            text = f"failed: {r.error}"
        lines.append(f"    {r.level:<{36 if mode == 'passes' else 10}} {text}")
    bad = next((r for r in check.levels if not r.good), None)
    if mode == "passes" and bad is not None and bad.level != "device":
        lines.append(f"    first difference after pass {bad.level}")
    return lines


def _figures(report: Mapping[str, Any], run: Launched) -> list[str]:
    """Cycles, bound, efficiency, and the units table."""
    if not run.result.timed:
        return ["  device     values only, no cycles"]
    time_us = f" ({report['time_us']:.3f} us)" if report["time_us"] is not None else ""
    lines = [f"  device     {report['cycles']} cycles{time_us}"]
    if report["bound"] is not None:
        lines[-1] += f", bound {report['bound']['cycles']} by {report['bound']['by']}"
    if report["efficiency"] is not None:
        lines[-1] += f", efficiency {report['efficiency']:.3f}"
    return [*lines, *_units_table(run)]


def _units_table(run: Launched) -> list[str]:
    """One row a unit kind: instances, and the share of the cycles they were busy and stalled, by cause."""
    kinds: dict[str, list[Any]] = {}
    for u in run.result.units.values():
        kinds.setdefault(u.kind, []).append(u)
    causes = ("input", "output", "signal", "memory")
    rows: list[tuple[str, ...]] = [("unit", "instances", "busy", *(f"stalled: {c}" for c in causes))]
    total = max(1, run.result.cycles)
    for kind, units in kinds.items():
        shares = [sum(u.busy for u in units), *(sum(u.stalled[c] for u in units) for c in causes)]
        rows.append((kind, str(len(units)), *(f"{100 * s / total / len(units):.1f} %" for s in shares)))
    return table(rows, "    ", 1)
