"""How close schedules come to the bound: simulated cycles, exact."""

from __future__ import annotations

from pathlib import Path

from benchmarks.common import CORPUS, Case, prepared
from headrace.scheduler.expression import bound_of
from headrace.scheduler.plan import SHARED_READS

ROWS = ("softmax_4096x1024", "layernorm_4096x1024", "rmsnorm_4096x4096")
"""Kernels whose rows are read again for every statistic."""

CASES: tuple[tuple[str, str, float | None], ...] = (
    ("add_4096", "spyre", 0.95),
    ("chain_4096", "spyre", 0.95),
    ("broadcast_row_4096", "spyre", 0.95),
    ("broadcast_column_4096", "spyre", 0.95),
    ("chain_4096", "spyre-balanced", 0.85),
    ("add_4096", "spyre-balanced", None),
    ("add", "spyre", None),
    ("chain", "spyre", None),
    ("../comm/all_reduce_512k", "spyre", 0.85),
    ("../gather/embedding_16384", "spyre", 0.80),
    ("../gather/scatter_16384", "spyre", 0.80),
    ("../llm/matmul_512", "spyre", 0.50),
    ("../llm/matmul_2048", "spyre", 0.65),
    ("../llm/matmul_4096", "spyre", 0.80),
    ("../llm/matmul_2048", "spyre-balanced", 0.80),
    *((f"../llm/decode_{m}x4096", "spyre", 0.90) for m in (1, 16, 64)),
    ("../llm/matmul_silu_mul_2048", "spyre", 0.762),
    ("../llm/matmul_silu_mul_2048", "spyre-balanced", 0.857),
    ("../llm/matmul_rows_2048", "spyre", 0.65),
    ("../llm/rmsnorm_matmul_2048", "spyre", 0.762),
    ("../llm/flash_32x2048", "spyre", 0.50),
    ("../llm/paged_decode_4096", "spyre", 0.85),
    ("../llm/paged_decode_gqa_4096", "spyre", None),
    ("../reductions/column_sum_4096x1024", "spyre", 0.85),
    *((f"../reductions/{name}", "spyre", 0.85) for name in ROWS),
    *((f"../reductions/{name}", "spyre-balanced", 0.75) for name in ROWS),
)
"""(kernel, device, efficiency to reach). A fused product is to reach what the product alone does."""

APART = ("matmul_512", "matmul_2048", "matmul_4096")
"""Products on `spyre` whose figures are also given without shared reads."""


def run() -> list[Case]:
    """Efficiency of each case: bound over cycles."""
    found = [efficiency(kernel, device, goal) for kernel, device, goal in CASES]
    return found + [efficiency(f"../llm/{name}", "spyre", None, frozenset({SHARED_READS})) for name in APART]


def efficiency(kernel: str, device: str, goal: float | None, disabled: frozenset[str] = frozenset()) -> Case:
    """One case."""
    program, placed = prepared(CORPUS / f"{kernel}.mlir", device, disabled=disabled)
    cycles = {placed.start().cycles, placed.start().cycles}
    if len(cycles) != 1:
        raise RuntimeError(f"{kernel} on {device}: cycle counts differ between launches: {sorted(cycles)}")
    count = cycles.pop()
    limit = bound_of(program.bound, dict(program.buffers.scalars))
    assert limit is not None
    return Case(
        f"{Path(kernel).name} on {device}" + "".join(f", without {name}" for name in disabled),
        limit[0], "cycles (bound)", count, "simulated cycles",
        (">=", goal) if goal is not None else None, {"cycles": count, "bound": limit[0]},
    )  # fmt: skip
