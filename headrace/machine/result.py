"""What a run reports: cycles, busy and stalled time by unit, bytes by path, use of memory ports; and its failures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headrace.machine.memory import machine_error
from headrace.machine.plan import ProgramPlan

CAUSES: tuple[str, ...] = ("input", "output", "signal", "memory")
"""Why a unit stalls: FIFO empty, FIFO full, waiting for a signal, waiting for a memory port or a load in flight."""


@dataclass
class UnitReport:
    """Cycles of one unit over a run: ``busy`` issuing, ``stalled`` by cause; ``steps`` instructions of FIFOs,
    memory, vectors."""

    name: str
    kind: str
    busy: int = 0
    stalled: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CAUSES, 0))
    end: int = 0


@dataclass
class RunResult:
    """Result of :meth:`SimDevice.compute`.

    ``cycles``: from the start of the first program to the last write; ``bytes``: moved by path (``"DDR -> MNILU"``,
    ``"L1LU -> SFU"``), ``ports``: cycles each memory port was held, ``calls``: programs run, in order, with
    their cycles.
    """

    cycles: int = 0
    clock_mhz: float | None = None
    units: dict[str, UnitReport] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    calls: list[tuple[str, int]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def time_us(self) -> float | None:
        """Simulated time in microseconds, if the device file gives a clock."""
        return self.cycles / self.clock_mhz if self.clock_mhz else None

    def to_json(self) -> dict[str, Any]:
        """The fields of ``headrace run --json`` that the machine knows."""
        return {
            "cycles": self.cycles,
            "time_us": self.time_us,
            "units": [
                {"name": u.name, "kind": u.kind, "busy": u.busy, "stalled": dict(u.stalled)}
                for u in self.units.values()
            ],
            "bytes": dict(sorted(self.bytes.items())),
            "ports": dict(sorted(self.ports.items())),
        }


@dataclass
class ProgramRun:
    """Figures of one program run, as both engines return them (lists by slot)."""

    end: int
    busy: list[int]
    stalled: list[tuple[int, int, int, int]]
    ends: list[int]
    port_bytes: list[list[tuple[int, int]]]
    """By slot and memory number: bytes read, bytes written."""
    channel_items: dict[tuple[int, int], tuple[int, int]]
    """By channel: items, bytes."""
    server_busy: list[int]


def add_run(result: RunResult, plan: ProgramPlan, run: ProgramRun, start: int) -> None:
    """Add the figures of a program run (that began at cycle ``start``) to a result."""
    for unit, busy, stalled, end in zip(plan.units, run.busy, run.stalled, run.ends, strict=True):
        report = result.units.setdefault(unit.name, UnitReport(unit.name, unit.kind))
        report.busy += busy
        report.end = end
        for cause, n in zip(CAUSES, stalled, strict=True):
            report.stalled[cause] += n
        for port, (read, written) in zip(unit.ports, run.port_bytes[unit.slot], strict=True):
            _add(result.bytes, f"{port.name} -> {unit.kind}", read)
            _add(result.bytes, f"{unit.kind} -> {port.name}", written)
    for (s, r), (_, size) in run.channel_items.items():
        _add(result.bytes, f"{plan.units[s].kind} -> {plan.units[r].kind}", size)
    for server, busy in zip(plan.servers, run.server_busy, strict=True):
        _add(result.ports, server.name, busy)
    result.calls.append((plan.name, run.end - start))
    result.cycles = run.end


def _add(table: dict[str, int], key: str, n: int) -> None:
    if n:
        table[key] = table.get(key, 0) + n


# -- failures ---------------------------------------------------------------------------------------------------------
FAULTS: tuple[str, ...] = (
    "",
    "division by zero",
    "a remainder in an exact division ({a} by {b}): a misaligned address",
    "loop step {a} is not positive",
    "access to {b} bytes at {a:#x} is outside {memory}",
    "the FIFO item has another type than the receiver expects",
    "counter overflow: {a} signals nobody waits for",
    "negative extent {a} of a transfer",
    "argument number {a} does not exist",
)
"""Fault numbers of the engines; ``{a}``/``{b}`` are the values that go with it, ``{memory}`` the memory concerned."""

F_DIVISION, F_REMAINDER, F_STEP, F_ADDRESS, F_TYPE, F_COUNTER, F_EXTENT, F_ARGUMENT = range(1, 9)
COUNTER_SLOTS = 256
"""Most signals of one counter that nobody waited for yet."""


def where(plan: ProgramPlan, slot: int, index: int) -> str:
    """Unit, program and instruction, for messages."""
    unit = plan.units[slot]
    code = unit.code
    return f"{unit.name}, program '{plan.name}', word {code.word[index]}: {code.instructions[index]}"


def fault(plan: ProgramPlan, slot: int, index: int, number: int, a: int, b: int, memory: int) -> Exception:
    """The error of a fault."""
    port = plan.units[slot].ports[memory].name if number == F_ADDRESS else ""
    if number == F_ADDRESS:
        scope = plan.units[slot].ports[memory].scope
        port = (
            "every allocation of " + port
            if scope == "global"
            else f"{port} ({plan.units[slot].ports[memory].timing.size} bytes)"
        )
    text = FAULTS[number].format(a=a, b=b, memory=port)
    return machine_error(f"{text} [{where(plan, slot, index)}]")


def deadlock(plan: ProgramPlan, waiting: dict[int, int], leftovers: list[str]) -> Exception:
    """The error of a run in which nothing can move. ``waiting``: instruction index by slot of each unfinished unit."""
    notes = []
    for slot, index in sorted(waiting.items()):
        unit = plan.units[slot]
        ins = unit.code.instructions[index]
        peer = plan.units[unit.peers[index]].name if index in unit.peers else "?"
        why = {
            "RECV": f"an item from {peer}",
            "SEND": f"a free slot of the FIFO to {peer}",
            "WAIT": f"signal {ins.args.get('id')} from {peer}",
        }.get(ins.op, "its own transfers")
        notes.append(f"{where(plan, slot, index)}: waits for {why}")
    return machine_error(
        f"deadlock in program '{plan.name}': {len(waiting)} of {len(plan.units)} units wait forever", *notes, *leftovers
    )


def unbalanced(
    plan: ProgramPlan, items: dict[tuple[int, int], int], counts: dict[tuple[int, int, int], int]
) -> list[str]:
    """Complaints about FIFOs that are not empty and counters that are not zero at the end of a program."""
    names = [u.name for u in plan.units]
    out = [f"{n} items from {names[s]} to {names[r]} were never received" for (s, r), n in sorted(items.items()) if n]
    out += [
        f"{n} signals {k} from {names[s]} to {names[r]} were never waited for"
        for (s, r, k), n in sorted(counts.items())
        if n
    ]
    return out
