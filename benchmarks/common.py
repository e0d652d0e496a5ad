"""Cases, medians and paths that the groups share."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus" / "elementwise"
EXPECTED = Path(__file__).with_name("expected.json")


@dataclass
class Case:
    """One figure, the reference it is measured against, their ratio and the goal for the ratio.

    `goal` is `(">=" | "<=", number)`. `exact` are simulated figures that must not change unnoticed.
    """

    name: str
    figure: float
    unit: str
    reference: float | None = None
    reference_name: str = ""
    goal: tuple[str, float] | None = None
    exact: dict[str, int] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """Figure over reference."""
        return self.figure / self.reference if self.reference else None

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        value = self.ratio if self.ratio is not None else self.figure
        return value >= self.goal[1] if self.goal[0] == ">=" else value <= self.goal[1]

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        out: dict[str, Any] = {"name": self.name, "figure": self.figure, "unit": self.unit}
        if self.reference is not None:
            out |= {"reference": self.reference, "reference_name": self.reference_name, "ratio": self.ratio}
        if self.goal is not None:
            out |= {"goal": f"{self.goal[0]} {self.goal[1]:g}", "reached": self.reached}
        return {**out, **({"exact": self.exact} if self.exact else {})}


def seconds(action: Callable[[], Any], runs: int = 5) -> float:
    """Median wall time of several runs after one that is not counted."""
    action()
    found = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def interleaved(
    actions: dict[str, Callable[[], Any]],
    runs: int = 5,
    clock: Callable[[], float] = time.perf_counter,
    pick: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """Times (median, or what `pick` makes of them) of several actions, run in turn: they share the machine's moods."""
    found: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(runs):
        for name, action in actions.items():
            began = clock()
            action()
            found[name].append(clock() - began)
    return {name: pick(times) for name, times in found.items()}


def prepared(path: Path, device: str, seed: int = 0, disabled: frozenset[str] = frozenset()) -> Any:
    """A compiled kernel with seeded data on a device: (program, placed)."""
    import headrace
    from headrace import api
    from headrace.check import data, launch
    from headrace.interp.placement import place

    program = headrace.compile(path, device, options=api.CompileOptions(disabled=disabled))
    assert program.buffers is not None
    memory, _ = place(program.buffers, data.fill(program.buffers.buffers, {}, seed))
    opened = headrace.Device.open(program.device)
    return program, launch.place(opened, program.code, program.buffers.buffers, memory, program.buffers.scalars)
