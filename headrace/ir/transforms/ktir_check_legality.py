"""ktir-check-legality: what KTIR demands beyond the verifiers of single operations.

Operations of other dialects, grids without tiles, tile ids that drop grid dimensions, and the rules of communication
between tiles (R1 to R14).

    func.func @k() attributes {grid = [0]}   ->   error: grid extents must be positive, but dimension 0 has extent 0

Precondition: verified IR. Postcondition: unchanged, or an error at each violation.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from headrace.ir.analysis.inter_tile import COMBINING, violations
from headrace.ir.diagnostics import DiagnosticEngine, engine
from headrace.ir.dialects.ktdp import GetComputeTileIdOp
from headrace.ir.passes import Pass
from headrace.ir.transforms.effects import is_pure

_LEGAL = frozenset(
    ("builtin", "ktdp", "arith", "func", "linalg", "math", "memref", "scf", "spyreop", "tensor", "headrace")
)


def grid_of(kernel: FuncOp, found: DiagnosticEngine) -> list[int] | None:
    """The grid of a kernel; None if it has none or a wrong one (which is reported)."""
    grid = kernel.attributes.get("grid")
    if grid is None:
        return None
    if not isinstance(grid, ArrayAttr) or not all(isinstance(n, IntegerAttr) for n in grid.data):
        found.error(kernel, "grid must be an array of integers")
        return None
    extents = [n.value.data for n in grid.data if isinstance(n, IntegerAttr)]
    if not extents:
        found.error(kernel, "grid must have at least one dimension")
        return None
    for k, n in enumerate(extents):
        if n <= 0:
            found.error(kernel, f"grid extents must be positive, but dimension {k} has extent {n}")
            return None
    return extents


def check_legality(top: Operation, found: DiagnosticEngine) -> None:
    """Record errors in `found`; warnings go to the current engine."""
    for op in top.walk():
        if isinstance(op, FuncOp):
            grid = grid_of(op, found)
            for inner in op.walk() if grid is not None else ():
                if isinstance(inner, GetComputeTileIdOp):
                    dropped = [n for n in (grid or [])[len(inner.coords) :] if n != 1]
                    if dropped:
                        engine().warning(
                            inner,
                            f"{len(inner.coords)} coordinates of a grid of rank {len(grid or [])}: tiles share ids",
                        )
        elif op.name.partition(".")[0] not in _LEGAL:
            found.error(op, f"'{op.name}' op is not legal in KTIR")
        elif isinstance(op, COMBINING):
            for inner in op.body.block.ops:
                if not inner.has_trait(IsTerminator) and not is_pure(inner):
                    what = f"'{inner.name}' op in the combiner of an inter-tile reduction"
                    found.error(inner, f"{what} is not pure (R10)")
    for op, message in violations(top):
        found.error(op, f"'{op.name}' op {message}")


@dataclass
class KtirCheckLegalityPass(Pass):
    """Check the rules of KTIR that single operations cannot see."""

    name = "ktir-check-legality"
    summary = "Check KTIR's dialects, grids and communication between tiles"

    def apply(self, op: Operation, ctx: Context) -> None:
        found = DiagnosticEngine()
        check_legality(op, found)
        found.check()
