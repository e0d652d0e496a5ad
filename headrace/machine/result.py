"""What a run reports: cycles, busy and stalled time by unit, bytes by path, use of memory ports; and its failures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headrace.codegen import isa
from headrace.machine.memory import machine_error
from headrace.machine.plan import ProgramPlan

LAZY: tuple[str, ...] = ("units", "bytes", "ports")
"""What a :class:`RunResult` works out when it is first asked for."""
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
    their cycles. A run without time (``timed`` false) has figures of zero. ``steps``: what units did
    (:class:`ProgramRun`).
    """

    cycles: int = 0
    timed: bool = True
    clock_mhz: float | None = None
    units: dict[str, UnitReport] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    calls: list[tuple[str, int]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    steps: int = field(default=0, compare=False)

    def __getattr__(self, name: str) -> Any:
        if name in LAZY and "_totals" in self.__dict__:
            self.__dict__.pop("_totals").name()
            return self.__dict__[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def time_us(self) -> float | None:
        """Simulated time in microseconds, if the device file gives a clock."""
        return self.cycles / self.clock_mhz if self.clock_mhz and self.timed else None

    def to_json(self) -> dict[str, Any]:
        """The fields of ``headrace run --json`` that the machine knows."""
        return {
            "cycles": self.cycles if self.timed else None,
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
    """Figures of one program run, as both engines return them; arrays in the order of the plan's tables.

    ``busy`` (units), ``stalled`` (units, causes), ``ends`` (units: cycle of the last action), ``port_bytes`` (units,
    memories, read/written), ``channel_bytes`` (FIFOs), ``server_busy`` (servers), ``steps`` (vector instructions,
    memory requests, FIFO items and signals at both ends; the native engine counts them).
    """

    end: int
    busy: np.ndarray
    stalled: np.ndarray
    ends: np.ndarray
    port_bytes: np.ndarray
    channel_bytes: np.ndarray
    server_busy: np.ndarray
    steps: int = 0


class Totals:
    """Sums the figures of program runs; :meth:`finish` names them."""

    def __init__(self, result: RunResult) -> None:
        self.result = result
        self._sums: dict[int, tuple[ProgramPlan, ProgramRun]] = {}

    def add(self, plan: ProgramPlan, run: ProgramRun, start: int) -> None:
        """Add a run that began at cycle ``start``."""
        known = self._sums.get(id(plan))
        if known is None:
            self._sums[id(plan)] = (plan, run)
        else:
            total = known[1]
            for name in ("busy", "stalled", "port_bytes", "channel_bytes", "server_busy"):
                setattr(total, name, getattr(total, name) + getattr(run, name))
            total.ends = run.ends
        self.result.calls.append((plan.name, run.end - start))
        self.result.cycles = run.end
        self.result.steps += run.steps

    def finish(self) -> RunResult:
        """The result; its units, bytes and ports are named when somebody asks for them."""
        out = self.result
        for name in LAZY:
            delattr(out, name)
        out.__dict__["_totals"] = self
        return out

    def name(self) -> None:
        """Fill in units, bytes and ports of the result."""
        out = self.result
        out.units, out.bytes, out.ports = {}, {}, {}
        for plan, run in self._sums.values():
            stalled, port_bytes = run.stalled.tolist(), run.port_bytes.tolist()
            for unit, busy, end in zip(plan.units, run.busy.tolist(), run.ends.tolist(), strict=True):
                report = out.units.setdefault(unit.name, UnitReport(unit.name, unit.kind))
                report.busy += busy
                report.end = max(report.end, end)
                for cause, n in zip(CAUSES, stalled[unit.slot], strict=True):
                    report.stalled[cause] += n
                for port, (read, written) in zip(unit.ports, port_bytes[unit.slot], strict=True):
                    _add(out.bytes, f"{port.name} -> {unit.kind}", read)
                    _add(out.bytes, f"{unit.kind} -> {port.name}", written)
            for (s, r), size in zip(plan.channels, run.channel_bytes.tolist(), strict=True):
                _add(out.bytes, f"{plan.units[s].kind} -> {plan.units[r].kind}", size)
            for server, busy in zip(plan.servers, run.server_busy.tolist(), strict=True):
                _add(out.ports, server.name, busy)


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
    "the FIFO item is {a}, the receiver expects {b}",
    "counter overflow: {a} signals nobody waits for",
    "negative extent {a} of a transfer",
    "argument number {a} does not exist",
    "accumulator row {a} is outside the unit's accumulators",
    "lane {a} is outside a register of {b} lanes",
)
"""Fault numbers of the engines; ``{a}``/``{b}`` are the values that go with it, ``{memory}`` the memory concerned."""

F_DIVISION, F_REMAINDER, F_STEP, F_ADDRESS, F_TYPE, F_COUNTER, F_EXTENT, F_ARGUMENT, F_ROW, F_LANE = range(1, 11)
S_DROP, S_DUPLICATE, S_DELAY = range(1, 4)
"""What fault injection does to a signal."""
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
    if number == F_TYPE:
        text = FAULTS[number].format(a=_item(a), b=_item(b))
    else:
        text = FAULTS[number].format(a=a, b=b, memory=port)
    return machine_error(f"{text} [{where(plan, slot, index)}]")


def item_type(vtype: isa.VType) -> int:
    """Number that identifies the type of a FIFO item."""
    return isa.dtype_code(vtype.dtype) | vtype.lanes << 8


def _item(number: int) -> str:
    """Text of an item type."""
    return f"{number >> 8}x{isa.dtype_name(number & 255)}"


SUPPLIES = {"RECV": "SEND", "SEND": "RECV", "WAIT": "SIGNAL"}
"""What another unit must do before an instruction can go on."""
OTHERS = 16
"""Most units of a deadlock that are named besides those of the cycle."""


def deadlock(plan: ProgramPlan, waiting: dict[int, int], leftovers: list[str]) -> Exception:
    """The error of a run in which nothing can move. ``waiting``: instruction index by slot of each unfinished unit.

    Its notes: the circle of waiting units (or the chain to one that has ended), each with its instruction and the
    instruction of the other unit that should free it, then further waiting units.
    """
    units = plan.units

    def awaited(slot: int) -> tuple[str, int | None]:
        index = waiting[slot]
        ins = units[slot].code.instructions[index]
        peer = units[slot].peers.get(index)
        if peer is None or ins.op not in SUPPLIES:
            return "its own transfers", None
        what = {"RECV": "an item", "SEND": "a free slot of the FIFO", "WAIT": f"signal {ins.args.get('id')}"}[ins.op]
        return f"{what} {'to' if ins.op == 'SEND' else 'from'} {units[peer].name}", peer

    def note(slot: int) -> str:
        index = waiting[slot]
        ins = units[slot].code.instructions[index]
        what, peer = awaited(slot)
        text = f"{where(plan, slot, index)}: waits for {what}"
        if peer is None:
            return text
        other = units[peer]
        found = [
            k
            for k, i in enumerate(other.code.instructions)
            if i.op == SUPPLIES[ins.op] and other.peers.get(k) == slot and i.args.get("id") == ins.args.get("id")
        ]
        if not found:
            return f"{text}, which has no {SUPPLIES[ins.op]} for it"
        by = ", ".join(f"word {other.code.word[k]}: {other.code.instructions[k]}" for k in found[:4])
        return f"{text} ({by})"

    path: list[int] = []
    at: int | None = min(waiting)
    while at is not None and at in waiting and at not in path:
        path.append(at)
        at = awaited(at)[1]
    circle = path[path.index(at) :] if at in path else []
    shown = circle or path
    drawn = ["the wait cycle:" if circle else "the chain of waits:"]
    for k, slot in enumerate(shown):
        head = ("+-> " if k == 0 else "|   ") if circle else "    " * k
        drawn.append(f"  {head}{units[slot].name} waits for {awaited(slot)[0]}")
    if circle:
        drawn.append(f"  +---- {units[circle[0]].name}")
    elif at is not None:
        drawn.append(f"  {'    ' * len(shown)}{units[at].name} has ended")
    rest = [slot for slot in sorted(waiting) if slot not in shown]
    notes = ["\n".join(drawn), *(note(slot) for slot in shown), *(note(slot) for slot in rest[:OTHERS])]
    if len(rest) > OTHERS:
        notes.append(f"{len(rest) - OTHERS} more units wait")
    return machine_error(
        f"deadlock in program '{plan.name}': {len(waiting)} of {len(units)} units wait forever", *notes, *leftovers
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
