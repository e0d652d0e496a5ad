"""ktir-legality-check: refuse, with its location, what the scheduler cannot take.

Precondition: verified KTIR. Postcondition: unchanged but for `grid = [1]` at kernels that have no grid (one tile), or
an error at each unsupported construct. Later passes may still refuse combinations of legal constructs; they name
themselves then.

    %r = scf.while ...   ->   error: scf.while that does not count up to a limit by a constant step is not supported by
                              the scheduler (ktir-legality-check)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation

from headrace.ir.diagnostics import Diagnostic, HeadraceError, error
from headrace.ir.dialects.ktdp import (
    ConstructAccessTileOp,
    ConstructIndirectAccessTileOp,
    ConstructMemoryViewOp,
)
from headrace.ir.passes import Pass
from headrace.scheduler.access import is_argument
from headrace.scheduler.device import device_of
from headrace.scheduler.linear import linear
from headrace.scheduler.split.elements import depends_on_tensor
from headrace.scheduler.split.whiles import counter_of

UNSUPPORTED: dict[str, str] = {
    "scf.while": "scf.while that does not count up to a limit by a constant step",
    "scf.parallel": "scf.parallel",
    "scf.forall": "scf.forall",
    "tensor.insert": "tensor.insert",
}
LEGAL_DIALECTS = (
    "ktdp",
    "arith",
    "func",
    "linalg",
    "math",
    "memref",
    "scf",
    "tensor",
    "spyreop",
    "builtin",
    "affine",
    "headrace",
)


#: Operations after which memory may differ.
STORES = ("ktdp.store", "func.call", "headrace.exchange", "headrace.ring_reduce")


@dataclass
class KtirLegalityCheck(Pass):
    """Refuse constructs that the scheduler does not support."""

    name = "ktir-legality-check"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        found: list[Diagnostic] = []
        for top in module.body.block.ops:
            if isinstance(top, func.FuncOp):
                check_grid(top, module, found)
                if top.sym_visibility is None and top.body.blocks and not any(op.name in STORES for op in top.walk()):
                    name = top.sym_name.data
                    found.extend(error(top, f"kernel '{name}' stores nothing: there is nothing to compute").diagnostics)
                for op in top.walk():
                    check(op, found)
                    check_owner(op, top, found)
                    check_data(op, found)
        if found:
            raise HeadraceError(found)
        called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
        for top in module.body.block.ops:
            if isinstance(top, func.FuncOp) and top.body.blocks and top.sym_visibility is None:
                if top.sym_name.data not in called:
                    top.attributes.setdefault("grid", ArrayAttr([IntegerAttr(1, i64)]))


def check(op: Operation, found: list[Diagnostic]) -> None:
    """Collect the error that `op` deserves, if any."""
    if op.name in UNSUPPORTED and counter_of(op) is None:
        found.extend(
            error(op, f"{UNSUPPORTED[op.name]} is not supported by the scheduler (ktir-legality-check)").diagnostics
        )
    elif op.name.split(".")[0] not in LEGAL_DIALECTS:
        found.extend(
            error(
                op, f"operation '{op.name}' is of a dialect that KTIR does not allow (ktir-legality-check)"
            ).diagnostics
        )


def check_owner(op: Operation, kernel: func.FuncOp, found: list[Diagnostic]) -> None:
    """A view of one tile's scratchpad names a tile of the grid."""
    if not isinstance(op, ConstructMemoryViewOp):
        return
    space = op.memory_space
    owner = getattr(space, "ct_id", None) or getattr(space, "core", None)
    grid = kernel.attributes.get("grid")
    extents = [a.value.data for a in grid.data if isinstance(a, IntegerAttr)] if isinstance(grid, ArrayAttr) else [1]
    if isinstance(owner, IntAttr) and owner.data >= math.prod(extents):
        tiles = math.prod(extents)
        found.extend(error(op, f"memory space names tile {owner.data}, but the grid has {tiles} tiles").diagnostics)


def check_data(op: Operation, found: list[Diagnostic]) -> None:
    """Addresses and extents are known when the kernel is launched; an address may be moved by what is loaded."""
    if isinstance(op, ConstructMemoryViewOp):
        base = linear(op.offset)
        if depends_on_tensor(op.offset) and not base.const and not any(is_argument(v) for v in base.terms):
            found.extend(
                error(
                    op,
                    "the address of this view is loaded from memory, where a launch cannot put one "
                    "(ktir-legality-check); take the array that it points into as an argument and load where in it "
                    "the view starts",
                ).diagnostics
            )
        if any(depends_on_tensor(v) for v in op.strides):
            found.extend(
                error(
                    op,
                    "a stride of this view is computed from elements of tensors, which no unit can do "
                    "(ktir-legality-check); multiply coordinates of a view of stride 1",
                ).diagnostics
            )
    elif isinstance(op, ConstructAccessTileOp | ConstructIndirectAccessTileOp) and any(
        depends_on_tensor(v) for v in op.symbols
    ):
        found.extend(
            error(
                op,
                "an extent of this access tile is computed from elements of tensors, which no unit can do "
                "(ktir-legality-check); take a tile of constant extents, in a view with the loaded one",
            ).diagnostics
        )


def check_grid(kernel: func.FuncOp, module: ModuleOp, found: list[Diagnostic]) -> None:
    """A grid has at least one dimension, positive extents, and no more tiles than the device has cores."""
    grid = kernel.attributes.get("grid")
    if grid is None:
        return
    extents = [a.value.data for a in grid.data if isinstance(a, IntegerAttr)] if isinstance(grid, ArrayAttr) else []
    if not isinstance(grid, ArrayAttr) or len(extents) != len(grid.data):
        found.extend(error(kernel, "Grid size must be integer attribute").diagnostics)
        return
    if not extents:
        found.extend(error(kernel, "Grid must have at least one dimension").diagnostics)
        return
    total = 1
    for n in extents:
        if n <= 0:
            found.extend(error(kernel, f"Grid size must be positive (got {n})").diagnostics)
            return
        total *= n
    cores = device_of(module).cores
    if cores is not None and total > cores:
        found.extend(
            error(
                kernel, f"grid of {total} tiles is larger than the {cores} cores of device '{device_of(module).name}'"
            ).diagnostics
        )
