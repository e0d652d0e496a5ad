"""`normalize-grid-to-1d`: number the tiles of a k-dimensional grid row-major by one number.

Precondition: functions may carry `grid = [d0, .., dk-1]`; `ktdp.get_compute_tile_id` has k results.
Postcondition: `grid` has one entry and every tile id one result. Functions without grid and 1-D grids are untouched.

```
func @f() attributes {grid = [2, 3]} { %r, %c = ktdp.get_compute_tile_id : index, index }
=> func @f() attributes {grid = [6]} { %f = ktdp.get_compute_tile_id : index
                                       %r = arith.divui %f, %c3   %c = arith.remui %f, %c3 }
```
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.passes import Pass
from headrace.scheduler.build import Emitter, walk_ops


def grid_of(func: Operation) -> list[int] | None:
    """The grid of a function, None without one. Raises HeadraceError for a malformed one."""
    attr = func.attributes.get("grid")
    if attr is None:
        return None
    if not isinstance(attr, ArrayAttr) or not attr.data:
        raise error(func, "Grid must have at least one dimension")
    sizes: list[int] = []
    for entry in attr.data:
        if not isinstance(entry, IntegerAttr):
            raise error(func, "Grid size must be integer attribute")
        if entry.value.data <= 0:
            raise error(func, f"Grid size must be positive (got {entry.value.data})")
        sizes.append(entry.value.data)
    return sizes


@dataclass
class NormalizeGridTo1dPass(Pass):
    """See the module docstring."""

    name = "normalize-grid-to-1d"
    summary = "Number the tiles of a k-dimensional grid by one number"

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        normalize_grid(op)


def normalize_grid(module: ModuleOp) -> None:
    """Run the pass on a module."""
    for func in list(walk_ops(module, "func.func")):
        grid = grid_of(func)
        if grid is not None and len(grid) > 1:
            _normalize(func, grid)


def _normalize(func: Operation, grid: list[int]) -> None:
    first = func.attributes["grid"].data[0]  # type: ignore[attr-defined]
    func.attributes["grid"] = ArrayAttr([IntegerAttr(prod(grid), first.type)])
    for op in list(walk_ops(func, "ktdp.get_compute_tile_id")):
        if len(op.results) > len(grid) or prod(grid[len(op.results) :]) != 1:
            raise error(op, f"number of results ({len(op.results)}) does not match grid rank {len(grid)}")
        emit = Emitter.before(op)
        flat = emit.insert(ktdp.GetComputeTileIdOp.build(result_types=[[IndexType()]])).results[0]
        new: list[SSAValue] = []
        for d in range(len(op.results)):
            inner = prod(grid[d + 1 :])
            value: SSAValue = flat
            if inner != 1:
                value = emit.insert(arith.DivUIOp(value, emit.value(inner))).result
            if d:
                value = emit.insert(arith.RemUIOp(value, emit.value(grid[d]))).result
            new.append(value)
        Rewriter.replace_op(op, [], new)
