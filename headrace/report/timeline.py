"""Records of a run made readable: names of instructions, KTIR places, tracks, and recording itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from headrace.codegen.operations import operation_name
from headrace.codegen.spyrecode import SpyreCode
from headrace.machine.plan import ProgramPlan, port_kind
from headrace.machine.records import BUSY, ProgramRecords, Records, Segment
from headrace.machine.result import CAUSES
from headrace.machine.shares import Shares


@dataclass
class Recording:
    """A recorded run. ``cycles`` are those that the records cover; ``cut`` tells that the run went on."""

    programs: list[ProgramRecords]
    cycles: int
    cut: bool
    whole: int
    """Cycles of the whole run."""
    clock_mhz: float | None = None
    sources: dict[tuple[str, str, int], str] = field(default_factory=dict)
    """``file:line:col`` by program, unit kind and instruction."""
    lines: dict[str, str] = field(default_factory=dict)
    """KTIR operation by place, where the source is known."""
    shares: Shares | None = None
    """What units did over the whole run, by interval, where the records do not reach its end."""
    buffers: list[tuple[int, int, str]] = field(default_factory=list)
    """(address, bytes, name) of the kernel's buffers in device memory."""

    def source(self, plan: ProgramPlan, slot: int, index: int) -> str | None:
        """Place of the KTIR operation behind an instruction."""
        return self.sources.get((plan.name, plan.units[slot].kind, index))

    def operation(self, place: str | None) -> str | None:
        """Name of the KTIR operation at a place."""
        return self.lines.get(place) if place else None


def record(
    run: Callable[[], Any], records: Records, code: SpyreCode, whole: int, source: str | None = None
) -> Recording:
    """Execute ``run`` on a device with ``records`` and describe what it did.

    ``whole`` is the cycle count of the native engine, which a complete recording must reach: the timing is one
    definition. Raises RuntimeError where it does not.
    """
    result = run()
    if not records.cut and result.cycles != whole:
        raise RuntimeError(f"the recorded run took {result.cycles} cycles, the native one {whole}")
    cycles = records.programs[-1].end if records.programs else 0
    out = Recording(records.programs, cycles, records.cut, whole, result.clock_mhz)
    _find_sources(out, code, source)
    return out


def _find_sources(out: Recording, code: SpyreCode, source: str | None) -> None:
    numbers = {p.name: n for n, p in enumerate(code.image.programs)}
    lines = source.splitlines() if source is not None else []
    for name, plan in {run.plan.name: run.plan for run in out.programs}.items():
        number = numbers.get(name)
        if number is None:
            continue
        for k, section in enumerate(code.image.programs[number].sections):
            kind = code.image.kinds[section.kind]
            unit = next((u for u in plan.units if u.kind == kind), None)
            for index, word in enumerate(unit.code.word if unit is not None else ()):
                place = code.location(number, k, word)
                if place is None:
                    continue
                out.sources[(name, kind, index)] = place
                if place not in out.lines and (text := operation_at(lines, place)):
                    out.lines[place] = text


@dataclass(frozen=True)
class Summary:
    """An interval behind the records: a unit or port (``core`` -1 where cores share it), what it did most (a cause or
    :data:`BUSY`), and its shares in words."""

    name: str
    core: int
    start: int
    end: int
    what: int
    text: str
    shares: dict[str, float]


def summaries(recording: Recording, ports: dict[str, int]) -> Iterator[Summary]:
    """The intervals that begin behind the records, by unit, then by port (``ports``: core by name)."""
    found = recording.shares
    if found is None:
        return
    rows = [(n, found.of[n][1], t) for n, t in found.units.items()]
    rows += [(n, core, found.ports[n][None]) for n, core in ports.items() if n in found.ports]
    for name, core, table in rows:
        kinds = range(len(table)) if len(table) > 1 else [BUSY]
        for k in range(-(-recording.cycles // found.width), found.count):
            length = found.length(k)
            parts = sorted(((int(n), w) for n, w in zip(table[:, k], kinds, strict=True) if n), key=lambda p: -p[0])
            if parts:
                shares = {what_name(w): n / length for n, w in parts}
                text = ", ".join(f"{what} {100 * s:.0f} %" for what, s in shares.items())
                start = k * found.width
                yield Summary(name, core, start, start + length, parts[0][1], text, shares)


def operation_at(lines: list[str], place: str) -> str | None:
    """Name of the operation that a source line has at ``file:line:col``, e.g. ``linalg.add``; None if there is none."""
    try:
        _, row, column = place.rsplit(":", 2)
        text = lines[int(row) - 1][int(column) - 1 :]
    except (ValueError, IndexError):
        return None
    if text.startswith("%"):
        text = text.partition("=")[2].lstrip()
    name = text.split(" ")[0].split("(")[0].strip('"')
    return name if name and all(c.isalnum() or c in "._" for c in name) else None


def instruction_name(plan: ProgramPlan, slot: int, index: int, half: int = 0) -> str:
    """What an instruction does, in few words: ``read DDR``, ``store L1``, ``exp f16x64``."""
    unit = plan.units[slot]
    ins = unit.code.instructions[index]
    match ins.op:
        case "XFER":
            return f"write {unit.ports[ins['dst_mem']].name}" if half else f"read {unit.ports[ins['src_mem']].name}"
        case "VLD":
            return f"load {unit.ports[ins['mem']].name}"
        case "VST":
            return f"store {unit.ports[ins['mem']].name}"
        case "VOP":
            operand = (ins["results"] or ins["operands"])[0]
            return f"{operation_name(ins['code']).rsplit('.', 1)[-1]} {operand.dtype}x{ins['lanes']}"
        case _:
            return ins.op


def stall_name(plan: ProgramPlan, segment: Segment) -> str:
    """What a stall waits for: ``waits for input from L1LU`` and the like."""
    peer = awaited(plan, segment)
    return {
        0: f"waits for input from {peer}",
        1: f"waits for room in the FIFO to {peer}",
        2: f"waits for a signal from {peer}",
    }.get(segment.what, f"waits for {peer}")


def awaited(plan: ProgramPlan, segment: Segment) -> str:
    """Who could end a stall: a unit kind, a memory port, ``data in flight`` or ``own writes``."""
    assert segment.why is not None
    what, number, _ = segment.why
    if what in ("item", "slot"):
        sender, receiver = list(plan.channels)[number]
        return plan.units[sender if what == "item" else receiver].kind
    if what == "signal":
        return plan.units[list(plan.counters)[number][0]].kind
    if what == "port":
        return f"the {port_kind(plan.servers[number].name)}"
    return "own writes" if what == "window" else "data in flight"


def what_name(what: int) -> str:
    """``busy`` or the name of a cause."""
    return "busy" if what == BUSY else CAUSES[what]
