"""Where the time of a run went, in numbers and in sentences that say what to do about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from headrace.arch import Device
from headrace.machine.plan import port_kind
from headrace.machine.records import BUSY
from headrace.machine.result import CAUSES, RunResult
from headrace.machine.shares import Shares
from headrace.machine.timing import SHIFT
from headrace.report.critical import critical_path
from headrace.report.timeline import Recording, awaited

BINS = 60
"""Intervals of the figures over time."""


@dataclass
class UnitProfile:
    """All instances of a unit kind. Shares are of the run's cycles; ``busiest`` is the largest busy share of one.

    ``machine``: instances the device has. ``waits``: by cause, shares by what was waited for (of the recorded part).
    """

    kind: str
    instances: int
    machine: int
    busy: float
    busiest: float
    stalled: dict[str, float]
    idle: float
    waits: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass
class PortProfile:
    """A memory port. ``busy``: mean share of the instances, ``busiest``: the largest; ``peak``: bytes a cycle."""

    name: str
    memory: str
    instances: int
    busy: float
    busiest: float
    peak: int | None


@dataclass
class PathProfile:
    """A datapath: bytes moved, per cycle of the run over all instances, and what the links could carry (None: open)."""

    name: str
    bytes: int
    per_cycle: float
    peak: int | None


@dataclass
class Part:
    """A share of the critical path."""

    who: str
    what: str
    cycles: int
    share: float


@dataclass
class Term:
    """One term of the bound: ``cycles`` the estimate says, ``measured`` what that resource was busy (units: the mean
    over all that the device has), ``error`` between them (positive: the run did more than the estimate)."""

    by: str
    cycles: int
    measured: int | None
    error: float | None


@dataclass
class Profile:
    """A profile. ``covered`` is the number of cycles that the recorded figures (``sources``, what units wait for) are
    of; all others are of the whole run."""

    cycles: int
    covered: int
    bound: tuple[int, str] | None
    terms: list[Term]
    units: list[UnitProfile]
    ports: list[PortProfile]
    paths: list[PathProfile]
    path: list[Part]
    sources: list[Part]
    over_time: dict[str, list[float]]
    bin_cycles: float
    findings: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The object under ``profile`` of ``headrace run --json``."""
        return _rounded(
            {
                "covered_cycles": self.covered,
                "findings": self.findings,
                "bound_terms": [asdict(t) for t in self.terms],
                "critical_path": [asdict(p) for p in self.path],
                "critical_sources": [
                    {"place": p.who, "operation": p.what, "cycles": p.cycles, "share": p.share} for p in self.sources
                ],
                "units": [asdict(u) for u in self.units],
                "memory_ports": [asdict(p) for p in self.ports],
                "datapaths": [asdict(p) for p in self.paths],
                "over_time": {"bin_cycles": self.bin_cycles, "busy": self.over_time},
            }
        )


def _rounded(value: Any) -> Any:
    """Floats to six digits, in nested lists and objects."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items()}
    return [_rounded(v) for v in value] if isinstance(value, list) else value


def profile(result: RunResult, recording: Recording, device: Device, terms: Sequence[tuple[str, int]]) -> Profile:
    """Profile of a run: ``result`` as the native engine counted it, ``recording`` for causes, ``terms`` of the bound as
    (what limits, cycles)."""
    from headrace.report.findings import findings

    cycles = max(1, result.cycles)
    units = _units(result, recording, device, cycles)
    ports = _ports(result, device, cycles)
    out = Profile(
        cycles=result.cycles,
        covered=recording.cycles,
        bound=max(((c, by) for by, c in terms), key=lambda t: t[0], default=None),
        terms=_terms(terms, units, ports, cycles),
        units=units,
        ports=ports,
        paths=_paths(result, device, cycles),
        path=[],
        sources=[],
        over_time=over_time(recording, BINS),
        bin_cycles=max(1, recording.cycles if recording.shares is None else recording.whole) / BINS,
    )
    _critical(out, recording)
    out.findings = findings(out, device)
    return out


def _units(result: RunResult, recording: Recording, device: Device, cycles: int) -> list[UnitProfile]:
    kinds: dict[str, list[Any]] = {}
    for u in result.units.values():
        kinds.setdefault(u.kind, []).append(u)
    waits: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for run in recording.programs:
        for slot, segments in enumerate(run.segments):
            for s in segments:
                if s.what != BUSY:
                    length = (s.end >> SHIFT) - (s.start >> SHIFT)
                    waits[run.plan.units[slot].kind][CAUSES[s.what]][awaited(run.plan, s)] += length
    out = []
    for kind, instances in kinds.items():
        whole = cycles * len(instances)
        busy = sum(u.busy for u in instances) / whole
        stalled = {c: sum(u.stalled[c] for u in instances) / whole for c in CAUSES}
        covered = max(1, recording.cycles * len(instances))
        found = {
            c: {who: n / covered for who, n in sorted(by.items(), key=lambda i: (-i[1], i[0])) if n}
            for c, by in sorted(waits[kind].items())
        }
        idle = max(0.0, 1 - busy - sum(stalled.values()))
        most = max(u.busy for u in instances) / cycles
        machine = len(instances)
        if kind in device.units and device.cores is not None:
            machine = max(machine, device.cores * device.units[kind].instances)
        out.append(UnitProfile(kind, len(instances), machine, busy, most, stalled, idle, found))
    return out


def _ports(result: RunResult, device: Device, cycles: int) -> list[PortProfile]:
    found: dict[str, list[int]] = {}
    for server, busy in result.ports.items():
        found.setdefault(port_kind(server), []).append(busy)
    out = []
    for name, busy in found.items():
        memory = next((m for m in sorted(device.memories, key=len, reverse=True) if name.startswith(m + " ")), name)
        timing = device.memories[memory].timing if memory in device.memories else None
        peak = None
        if timing is not None:
            peak = timing.write_bytes_per_cycle if name.endswith("write port") else timing.read_bytes_per_cycle
        out.append(PortProfile(name, memory, len(busy), sum(busy) / len(busy) / cycles, max(busy) / cycles, peak))
    return out


def _paths(result: RunResult, device: Device, cycles: int) -> list[PathProfile]:
    kinds = Counter(u.kind for u in result.units.values())
    out = []
    for name, size in sorted(result.bytes.items()):
        source, _, target = name.partition(" -> ")
        path = device.datapath(source, target)
        rate = path.timing.bytes_per_cycle if path is not None else None
        instances = kinds[source] or kinds[target]
        out.append(PathProfile(name, size, size / cycles, rate * instances if rate else None))
    return out


def _terms(
    terms: Sequence[tuple[str, int]], units: Sequence[UnitProfile], ports: Sequence[PortProfile], cycles: int
) -> list[Term]:
    out = []
    for by, estimate in terms:
        measured: int | None = None
        kinds = [u for u in units if u.kind == by]
        held = [p for p in ports if p.memory == by or p.name.startswith(by + " ")]
        if kinds:
            measured = round(kinds[0].busy * cycles * kinds[0].instances / kinds[0].machine)
        elif held:
            measured = round(max(p.busiest for p in held) * cycles)
        error = (measured - estimate) / estimate if measured is not None and estimate else None
        out.append(Term(by, estimate, measured, error))
    return out


def _critical(out: Profile, recording: Recording) -> None:
    whole = recording.shares
    parts: Counter[tuple[str, str]] = Counter() if whole is None else whole.path
    sources: Counter[str] = Counter()
    for run in recording.programs:
        for step in critical_path(run):
            if whole is None:
                parts[(step.who, step.what)] += step.cycles
            place = recording.source(run.plan, step.slot, step.instruction) if step.instruction >= 0 else None
            if place is not None:
                sources[place] += step.cycles
    total, recorded = max(1, sum(parts.values())), max(1, recording.cycles)
    ranked = sorted(parts.items(), key=lambda i: (-i[1], i[0]))
    out.path = [Part(who, what, n, n / total) for (who, what), n in ranked]
    out.sources = [
        Part(place, recording.operation(place) or "", n, n / recorded)
        for place, n in sorted(sources.items(), key=lambda i: (-i[1], i[0]))[:8]
    ]


def over_time(recording: Recording, bins: int) -> dict[str, list[float]]:
    """Busy share of every unit kind and memory port in ``bins`` equal intervals of the run (of the recorded cycles
    where nothing is known of the rest)."""
    if recording.shares is not None:
        return _whole_run(recording.shares, bins)
    total = max(1, recording.cycles)
    found: dict[str, list[int]] = {}
    instances: dict[str, set[str]] = defaultdict(set)

    def add(name: str, start: int, end: int) -> None:
        row = found.setdefault(name, [0] * bins)
        k = min(bins - 1, start * bins // total)
        while start * bins < end * bins and k < bins:  # in units of 1/bins cycle: exact
            upto = min(end * bins, (k + 1) * total)
            row[k] += upto - max(start * bins, k * total)
            if upto == end * bins:
                return
            k += 1

    for run in recording.programs:
        for unit, segments in zip(run.plan.units, run.segments, strict=True):
            instances[unit.kind].add(unit.name)
            for s in segments:
                if s.what == BUSY:
                    add(unit.kind, s.start >> SHIFT, s.end >> SHIFT)
        for server, grants in zip(run.plan.servers, run.grants, strict=True):
            if grants:
                instances[port_kind(server.name)].add(server.name)
            for g in grants:
                add(port_kind(server.name), g.start >> SHIFT, (g.start >> SHIFT) + g.hold)
    return {
        name: [min(1.0, round(x / total / len(instances[name]), 4)) for x in row] for name, row in sorted(found.items())
    }


def _whole_run(shares: Shares, bins: int) -> dict[str, list[float]]:
    """:func:`over_time` from the shares of a run; an interval's cycles are taken to be spread evenly over it."""
    groups: dict[str, list[np.ndarray]] = defaultdict(list)
    for name, table in shares.units.items():
        groups[shares.of[name][0]].append(table[-1])
    for name, row in shares.ports.items():
        if row.any():
            groups[port_kind(name)].append(row)
    edges = np.minimum(np.arange(shares.count + 1) * shares.width, shares.cycles)
    cuts = np.linspace(0, shares.cycles, bins + 1)
    out = {}
    for name, rows in sorted(groups.items()):
        upto = np.concatenate([[0], np.cumsum(np.sum(rows, axis=0))])
        found = np.diff(np.interp(cuts, edges, upto)) * bins / shares.cycles / len(rows)
        out[name] = [min(1.0, round(float(x), 4)) for x in found]
    return out


BARS = " ▁▂▃▄▅▆▇█"


def spark(values: Sequence[float]) -> str:
    """A row of bars for shares between 0 and 1."""
    return "".join(BARS[min(8, max(0, round(8 * v)))] for v in values)


def percent(share: float) -> str:
    """``97 %``, with a decimal below ten."""
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"


def lines(found: Profile, table: Callable[..., list[str]]) -> list[str]:
    """The profile for people. ``table(rows, indent, numbers_from)`` lays out columns."""
    out = ["  profile"]
    out += [f"    {text}" for text in found.findings]
    out.append("    critical path")
    rows: list[tuple[str, ...]] = [("share", "cycles", "spent in")]
    shown = [p for p in found.path[:8] if p.share >= 0.005]
    rows += [(percent(p.share), str(p.cycles), f"{p.who} {p.what}") for p in shown]
    rest = found.path[len(shown) :]
    if rest:
        rows.append((percent(sum(p.share for p in rest)), str(sum(p.cycles for p in rest)), "the rest"))
    out += table(rows, "      ")
    if found.sources:
        part = "" if found.covered >= found.cycles else f", first {found.covered} of {found.cycles} cycles"
        out.append(f"    critical path by source{part}")
        rows = [("share", "cycles", "operation")]
        rows += [(percent(p.share), str(p.cycles), f"{p.who} {p.what}".rstrip()) for p in found.sources[:5]]
        out += table(rows, "      ")
    out.append("    units, shares of the run")
    rows = [("unit", "instances", "busy", "busiest", *CAUSES, "idle", "over time", "waits most for")]
    for u in found.units:
        waits = sorted(((n, who) for by in u.waits.values() for who, n in by.items()), key=lambda w: (-w[0], w[1]))
        bars = spark(_third(found.over_time.get(u.kind, [])))
        shares = (percent(x) for x in (u.busy, u.busiest, *(u.stalled[c] for c in CAUSES), u.idle))
        used = str(u.instances) if u.instances == u.machine else f"{u.instances} of {u.machine}"
        rows.append((u.kind, used, *shares, f"|{bars}|", waits[0][1] if waits else ""))
    out += table(rows, "      ")
    out.append("    memory ports" if found.ports else "    memory ports: none, no memory that was used has a bandwidth")
    rows = [("port", "instances", "busy", "busiest", "peak B/cycle", "over time")]
    for p in found.ports:
        bars = spark(_third(found.over_time.get(p.name, [])))
        rows.append((p.name, str(p.instances), percent(p.busy), percent(p.busiest), str(p.peak or ""), f"|{bars}|"))
    out += table(rows, "      ") if found.ports else []
    out.append("    datapaths")
    rows = [("path", "bytes", "B/cycle", "of peak")]
    for d in found.paths:
        peak = percent(d.per_cycle / d.peak) if d.peak else "no limit"
        rows.append((d.name, str(d.bytes), f"{d.per_cycle:.2f}", peak))
    out += table(rows, "      ")
    if found.terms:
        out.append("    bound: cycles no schedule can do without, and what was used")
        rows = [("by", "estimated", "used", "error")]
        for t in found.terms:
            error = "" if t.error is None else f"{100 * t.error:+.1f} %"
            rows.append((t.by, str(t.cycles), "" if t.measured is None else str(t.measured), error))
        out += table(rows, "      ")
    return out


def _third(values: Sequence[float]) -> list[float]:
    """Three neighbours joined, for narrow displays."""
    return [sum(three) / 3 for three in zip(values[::3], values[1::3], values[2::3], strict=True)]
