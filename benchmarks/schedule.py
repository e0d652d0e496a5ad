"""How close schedules come to the bound: simulated cycles, exact."""

from __future__ import annotations

from pathlib import Path

from benchmarks.common import CORPUS, Case, prepared
from headrace.scheduler.expression import bound_of

ROWS = ("softmax_4096x1024", "layernorm_4096x1024", "rmsnorm_4096x4096")
"""Kernels whose rows are read again for every statistic."""

CASES: tuple[tuple[str, str, float | None], ...] = (
    ("add_4096", "spyre", 0.90),
    ("chain_4096", "spyre", 0.90),
    ("broadcast_row_4096", "spyre", 0.90),
    ("broadcast_column_4096", "spyre", 0.90),
    ("chain_4096", "spyre-balanced", 0.70),
    ("add_4096", "spyre-balanced", None),
    ("add", "spyre", None),
    ("chain", "spyre", None),
    ("../comm/all_reduce_512k", "spyre", 0.85),
    ("../llm/matmul_2048", "spyre", 0.65),
    ("../llm/matmul_2048", "spyre-balanced", 0.80),
    ("../llm/matmul_silu_mul_2048", "spyre", 0.762),
    ("../llm/matmul_silu_mul_2048", "spyre-balanced", 0.857),
    ("../llm/matmul_rows_2048", "spyre", 0.65),
    ("../llm/rmsnorm_matmul_2048", "spyre", 0.762),
    ("../llm/flash_32x2048", "spyre", 0.50),
    ("../llm/paged_decode_4096", "spyre", 0.85),
    ("../llm/paged_decode_gqa_4096", "spyre", None),
    *((f"../reductions/{name}", "spyre", 0.85) for name in ROWS),
    *((f"../reductions/{name}", "spyre-balanced", 0.75) for name in ROWS),
)
"""(kernel, device, efficiency to reach). A fused product is to reach what the product alone does."""


def run() -> list[Case]:
    """Efficiency of each case: bound over cycles."""
    found = []
    for kernel, device, goal in CASES:
        program, placed = prepared(CORPUS / f"{kernel}.mlir", device)
        cycles = {placed.start().cycles, placed.start().cycles}
        if len(cycles) != 1:
            raise RuntimeError(f"{kernel} on {device}: cycle counts differ between launches: {sorted(cycles)}")
        count = cycles.pop()
        limit = bound_of(program.bound, dict(program.buffers.scalars))
        assert limit is not None
        found.append(
            Case(
                f"{Path(kernel).name} on {device}", limit[0], "cycles (bound)", count, "simulated cycles",
                (">=", goal) if goal is not None else None, {"cycles": count, "bound": limit[0]},
            )
        )  # fmt: skip
    return found
