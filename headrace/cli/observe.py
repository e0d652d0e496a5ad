"""`headrace run --profile`, `--trace` and `--report`: a second, recorded run, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.cli.common import table

if TYPE_CHECKING:
    from headrace.api import Program
    from headrace.codegen import SpyreCode
    from headrace.interp.buffer_info import BufferInfo
    from headrace.report.profile import Profile
    from headrace.report.timeline import Recording

DEFAULT_RECORDS = 200_000
"""Records kept by a run that is observed: some seconds of recording."""


@dataclass(frozen=True)
class Observe:
    """What is to be seen: the profile, a file for the trace, one for the page; ``limit`` of records."""

    profile: bool = False
    trace: str | None = None
    report: str | None = None
    limit: int = DEFAULT_RECORDS

    def __bool__(self) -> bool:
        return self.profile or self.trace is not None or self.report is not None


NOTHING = Observe()
"""Nothing is to be seen."""


@dataclass(frozen=True)
class Observed:
    """Additions to the report of a run."""

    json: dict[str, Any]
    lines: list[str]
    warnings: list[str]


def observe(
    wanted: Observe,
    code: SpyreCode,
    architecture: Any,
    buffers: Sequence[BufferInfo],
    memory: Any,
    scalars: Mapping[str, Any],
    result: Any,
    program: Program | None,
    tell: Callable[[str], Any],
) -> Observed:
    """Run again with records and write what was asked for. `result` is that of the run on the native engine."""
    from headrace.check.launch import place
    from headrace.machine.records import Records
    from headrace.machine.shares import Shares
    from headrace.report.profile import lines, profile
    from headrace.report.timeline import record
    from headrace.runtime import Device

    tell(f"recording {code.name}")
    records = Records(wanted.limit, touched=wanted.trace is not None or wanted.report is not None)
    placed = place(Device.open(architecture, records=records), code, buffers, memory, scalars)
    recording = record(placed.start, records, code, result.cycles, program.source if program is not None else None)
    recording.buffers = [(placed.addresses[b.name], b.extent, b.name) for b in buffers if not b.local]
    if recording.cut:
        tell(f"measuring {code.name}")
        recording.shares = Shares(result.cycles)
        place(Device.open(architecture, shares=recording.shares), code, buffers, memory, scalars).start()
    terms = bound_terms(code, scalars)
    found = profile(result, recording, architecture, terms)
    out = Observed({}, [], [])
    if recording.cut:
        out.warnings.append(
            f"warning: the recording stops at cycle {recording.cycles} of {recording.whole} ({wanted.limit} records; "
            "more with --records N); behind it, shares of intervals are shown"
        )
    if wanted.trace is not None:
        from headrace.report.trace import trace_text

        tell(f"writing {wanted.trace}")
        text = trace_text(recording, code.name, architecture.name)
        out.json["trace"] = write(wanted.trace, text)
        out.lines.append(f"  trace      {wanted.trace}, for Perfetto or chrome://tracing")
    if wanted.report is not None:
        tell(f"writing {wanted.report}")
        out.json["report"] = write(wanted.report, _page(recording, found, architecture, code, scalars, result, program))
        out.lines.append(f"  report     {wanted.report}")
    if wanted.profile:
        out.json["profile"] = found.to_json()
        out.lines.extend(lines(found, table))
    return out


def _page(
    recording: Recording,
    found: Profile,
    architecture: Any,
    code: SpyreCode,
    scalars: Mapping[str, Any],
    result: Any,
    program: Program | None,
) -> str:
    """Text of the page."""
    from headrace.report.levels import code_level, module_level, pipelines, source_level
    from headrace.report.page import page

    levels = [code_level(code)]
    if program is not None:
        levels[:0] = [
            source_level(program.source),
            module_level("ScheduleIR", program.schedule),
            module_level("DataflowIR", program.dataflow),
        ]
    terms = bound_terms(code, scalars)
    best = max(terms, key=lambda t: t[1], default=None)
    facts = {
        "kernel": code.name,
        "device": architecture.name,
        "grid": code.manifest["grid"],
        "cycles": result.cycles,
        "time_us": result.time_us,
        "bound": {"cycles": best[1], "by": best[0]} if best is not None else None,
        "efficiency": best[1] / result.cycles if best is not None and result.cycles else 0.0,
    }
    schedule = pipelines(program.schedule) if program is not None else []
    return page(recording, found, architecture, facts, levels, schedule)


def bound_terms(code: SpyreCode, scalars: Mapping[str, Any]) -> list[tuple[str, int]]:
    """(what limits, cycles) of every term of a kernel's bound that the scalars give a value."""
    from headrace.scheduler.expression import evaluate

    bound = code.manifest.get("bound")
    values = {n: v for n, v in scalars.items() if isinstance(v, int)}
    found = []
    for term in bound["terms"] if isinstance(bound, dict) else ():
        by = " ".join(str(term[k]) for k in ("by", "port") if k in term)
        try:
            found.append((by, evaluate(term["cycles"], values)))
        except KeyError:
            continue
    return found


def write(path: str, text: str) -> str:
    """Write a file. Raises HeadraceError."""
    from headrace.ir.diagnostics import error

    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise error(None, f"cannot write '{path}': {problem.strerror}") from None
    return path
