"""How far forecasts are from simulated cycles, over the corpus: median and 95th percentile of the relative error."""

from __future__ import annotations

import statistics

from benchmarks.common import CORPUS, Case, prepared
from headrace.ir.diagnostics import HeadraceError
from headrace.scheduler.forecast import forecast

AREAS = ("access", "bodies", "control", "elementwise", "gather", "masked", "reductions", "tensors")
DEVICES = ("spyre", "spyre-balanced")
MEDIAN, P95 = 0.10, 0.25


def errors(device: str) -> dict[str, float]:
    """Relative error of the forecast of each kernel of the corpus (those whose arguments have values of their own)."""
    found: dict[str, float] = {}
    for area in AREAS:
        for path in sorted((CORPUS.parent / area).glob("*.mlir")):
            try:
                program, placed = prepared(path, device)
                cycles = placed.start().cycles
            except HeadraceError:
                continue  # needs --arg
            assert program.buffers is not None
            values = {n: v for n, v in program.buffers.scalars.items() if isinstance(v, int)}
            found[f"{area}/{path.stem}"] = forecast(program.schedule, program.device, values).cycles / cycles - 1
    return found


def run() -> list[Case]:
    """Median and 95th percentile per device."""
    cases = []
    for device in DEVICES:
        sizes = sorted(abs(e) for e in errors(device).values())
        middle, high = statistics.median(sizes), sizes[int(0.95 * len(sizes))]
        for name, value, goal in (("median", middle, MEDIAN), ("95th percentile", high, P95)):
            cases.append(
                Case(f"error of the estimate on {device}, {name}", value, "of the cycles", goal=("<=", goal))
            )
    return cases
