"""How far forecasts are from simulated cycles, over the corpus: median and 95th percentile of the relative error, per
device and per folder of the corpus."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.common import CORPUS, Case, prepared
from headrace.ir.diagnostics import HeadraceError
from headrace.scheduler.expression import evaluate
from headrace.scheduler.forecast import forecast

AREAS = (
    "access", "bodies", "comm", "control", "elementwise", "gather", "llm", "masked", "reductions", "stream", "tensors",
    "triton",
)  # fmt: skip
DEVICES = ("sample", "spyre", "spyre-balanced", "tri")
MEDIAN, P95 = 0.10, 0.25
LONGEST = 8_000_000
"""Vector steps of the longest kernel that is simulated (without a matrix unit products have too many)."""


def kernels(areas: Iterable[str] = AREAS) -> Iterator[Path]:
    """The kernels of folders of the corpus."""
    for area in areas:
        yield from sorted((CORPUS.parent / area).glob("*.mlir"))


def error_of(path: Path, device: str) -> float | None:
    """Relative error of the forecast of a kernel; None for one that needs values for its arguments, or that the device
    cannot run."""
    try:
        program, placed = prepared(path, device)
        values = {n: v for n, v in program.buffers.scalars.items() if isinstance(v, int)}
        if evaluate(program.bound["vector_steps"], values) > LONGEST:
            return None
        cycles = placed.start().cycles
    except (HeadraceError, AssertionError, KeyError):
        return None
    return forecast(program.schedule, program.device, values).cycles / cycles - 1


def quantiles(errors: Iterable[float]) -> tuple[float, float]:
    """(median, 95th percentile) of absolute errors."""
    sizes = sorted(abs(e) for e in errors)
    return statistics.median(sizes), sizes[int(0.95 * len(sizes))]


def run() -> list[Case]:
    """Median and 95th percentile per device, and per folder."""
    cases = []
    for device in DEVICES:
        found: dict[str, list[float]] = {}
        for path in kernels():
            error = error_of(path, device)
            if error is not None:
                found.setdefault(path.parent.name, []).append(error)
        rows = {"": [e for errors in found.values() for e in errors], **found}
        for area, errors in rows.items():
            where = f"{device}, {area}" if area else device
            for name, value, goal in zip(("median", "95th percentile"), quantiles(errors), (MEDIAN, P95), strict=True):
                kernels_of = f"{name} of {len(errors)} kernels"
                cases.append(
                    Case(f"error of the estimate on {where}, {kernels_of}", value, "of the cycles",
                         goal=None if area else ("<=", goal))
                )  # fmt: skip
    return cases
