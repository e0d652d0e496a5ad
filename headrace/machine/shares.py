"""What units and memory ports do over a whole run, in equal intervals, and its critical path: bounded, however long the
run is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from headrace.machine.plan import UnitPlan
from headrace.machine.result import CAUSES

INTERVALS = 240
"""Intervals of a run."""


class Shares:
    """Cycles of each unit in each of ``count`` intervals of ``width`` cycles, filled by runs of the native engine.

    ``units`` by name: one row a cause (:data:`~headrace.machine.result.CAUSES`), one for being busy; ``of`` by name:
    (kind, core). ``ports`` by name: cycles that a memory port was held. ``path``: cycles of the critical path by (who,
    what), as :func:`~headrace.report.critical.critical_path` calls them. ``cycles``: those of the run, which must be
    known (of an earlier run: it is the same every time).
    """

    def __init__(self, cycles: int, intervals: int = INTERVALS) -> None:
        self.cycles = max(1, cycles)
        self.width = -(-self.cycles // intervals)
        self.count = -(-self.cycles // self.width)
        self.units: dict[str, np.ndarray] = {}
        self.of: dict[str, tuple[str, int]] = {}
        self.ports: dict[str, np.ndarray] = {}
        self.path: Counter[tuple[str, str]] = Counter()

    def unit(self, unit: UnitPlan) -> np.ndarray:
        """The table of a unit."""
        self.of[unit.name] = (unit.kind, unit.core)
        return self.units.setdefault(unit.name, np.zeros((len(CAUSES) + 1, self.count), np.int64))

    def port(self, name: str) -> np.ndarray:
        """The row of a memory port."""
        return self.ports.setdefault(name, np.zeros(self.count, np.int64))

    def length(self, k: int) -> int:
        """Cycles of interval ``k`` (the last one may be shorter)."""
        return min(self.width, self.cycles - k * self.width)

    def mean(self, rows: Sequence[np.ndarray]) -> list[float]:
        """Mean share of rows by interval."""
        lengths = np.array([self.length(k) for k in range(self.count)])
        return [float(x) for x in np.sum(rows, axis=0) / (lengths * len(rows))]
