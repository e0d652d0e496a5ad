"""Choices of the schedule and what the alternatives would cost: a kernel is scheduled again with each of them and
forecast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.arch import Device
from headrace.ir.diagnostics import HeadraceError
from headrace.scheduler.forecast import Forecast, forecast
from headrace.scheduler.notes import Note, listening
from headrace.scheduler.plan import PLAN, SCHEDULE_END, Step, run_plan


@dataclass(frozen=True)
class Alternative:
    """Another choice, what the programs then look like, and the cycles of the kernel; None where it cannot be
    scheduled."""

    choice: str
    cycles: int | None
    detail: str = ""


@dataclass(frozen=True)
class Decision:
    """One kind of choice: what each program got, and what else there was, the chosen one among them."""

    what: str
    chosen: str
    programs: tuple[tuple[str, str], ...]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Explanation:
    """The forecast of the schedule as it is, and its decisions."""

    forecast: Forecast
    decisions: tuple[Decision, ...]

    def to_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "estimate": self.forecast.cycles,
            "programs": [
                {"name": p.name, "calls": p.calls, "cycles": p.cycles, "by": p.limit} for p in self.forecast.programs
            ],
            "decisions": [
                {
                    "what": d.what,
                    "chosen": d.chosen,
                    "programs": dict(d.programs),
                    "alternatives": [{"choice": a.choice, "estimate": a.cycles} for a in d.alternatives],
                }
                for d in self.decisions
            ],
        }

    def lines(self) -> list[str]:
        """For people."""
        out = [f"  estimate   {self.forecast.cycles} cycles"]
        for p in self.forecast.programs:
            times = f", {p.calls} times" if p.calls > 1 else ""
            out.append(f"    {p.name}  {p.cycles} cycles{times}, most of all {p.limit}")
        for d in self.decisions:
            out.append(f"  {d.what}: {d.chosen}")
            out += [f"    {name}  {choice}" for name, choice in d.programs]
            for a in d.alternatives:
                mark = "*" if a.choice == d.chosen else " "
                out.append(f"  {mark} {a.choice:<24} {'does not fit' if a.cycles is None else f'{a.cycles} cycles'}")
        return out


CHOICES: tuple[tuple[str, str, str, str, tuple[tuple[str, Any], ...]], ...] = (
    ("tile size", "tile-size-selection", "wanted_tiles", "24 tiles",
     (("6 tiles", 6), ("12 tiles", 12), ("24 tiles", 24), ("48 tiles", 48), ("96 tiles", 96))),
    ("buffer depth", "double-buffering", "buffers", "2 copies",
     (("1 copy", 1), ("2 copies", 2), ("3 copies", 3), ("4 copies", 4))),
    ("loop order", "tile-scf-for-loops", "inner_first", "as in memory",
     (("as in memory", False), ("inner loop first", True))),
    ("coarsening level", "tile-size-selection", "limit", "tiles that fill",
     (("tiles that fill", 0), ("one vector a transfer", 1))),
    ("corelet split", "parallelize-loops-across-instances", "split", "outer loop",
     (("outer loop", "outer"), ("inner loop", "inner"), ("no split", "none"))),
)  # fmt: skip
"""Per kind of choice: the pass that makes it, its option, the default, and (name, option) of the alternatives."""


def explain(
    make: Callable[[], ModuleOp], device: Device, values: Mapping[str, int], disabled: frozenset[str] = frozenset()
) -> Explanation:
    """Schedule the kernel that `make` gives (anew each time) as it is and with each alternative.

    `values`: scalar arguments by name. Raises HeadraceError where the kernel cannot be scheduled.
    """

    def scheduled(name: str = "", option: str = "", value: Any = None) -> tuple[Forecast, list[Note]]:
        steps: list[Step] = []
        for step in PLAN:
            options = dict(step.options)
            if step.name == name:
                options[option] = value
            if name == "double-buffering" and step.name == "tile-size-selection":
                options["copies"] = value
            steps.append(Step(step.name, options, step.checkpoint))
            if step.name == SCHEDULE_END:
                break
        module = make()
        with listening() as notes:
            run_plan(module, device, steps, disabled=disabled)
        return forecast(module, device, values), notes

    now, notes = scheduled()
    decisions: list[Decision] = []
    for what, name, option, chosen, alternatives in CHOICES:
        found: list[Alternative] = []
        for label, value in alternatives:
            try:
                cycles = now.cycles if label == chosen else scheduled(name, option, value)[0].cycles
            except HeadraceError:
                cycles = None
            found.append(Alternative(label, cycles))
        programs = tuple((n.program, n.choice) for n in notes if n.what == what)
        decisions.append(Decision(what, chosen, programs, tuple(found)))
    return Explanation(now, tuple(decisions))
