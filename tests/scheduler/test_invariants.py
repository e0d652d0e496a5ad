"""What is the same for a whole row is computed once a row, in front of the vector loop."""

from __future__ import annotations

from pathlib import Path

import headrace

KERNEL = Path(__file__).parent.parent / "corpus" / "reductions" / "layernorm.mlir"


def test_row_invariants_leave_the_vector_loop() -> None:
    program = headrace.compile(KERNEL, device="spyre")
    bodies = [{op.name for op in g.regions[0].walk()} for g in program.schedule.walk() if g.name == "linalg.generic"]
    scales = [names for names in bodies if "math.rsqrt" in names]
    assert scales and all("arith.truncf" not in names for names in scales)
