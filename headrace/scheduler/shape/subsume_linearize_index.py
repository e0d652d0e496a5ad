"""subsume-linearize-index: transfers are subscripted by loop variables alone; tile arithmetic becomes plain arithmetic.

Precondition: constant tile sizes. Postcondition: no `linearize_index` or `derive_size` is left: subscripts hold their
weighted sums, remaining tile
extents are `max(0, min(size, total - index * size))`.

    A[linearize [%t:2], [%p:1]]  ->  A[%t * 2 + %p]
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint

from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index, constant_of, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.simplify import replace, simplify


@dataclass
class SubsumeLinearizeIndex(Pass):
    """Fold tile index arithmetic into transfer subscripts."""

    name = "subsume-linearize-index"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for t in list(walk_ops(program, "ktdf.data_transfer")):
                ktdf.transfer(
                    Emitter(InsertPoint.before(t), t),
                    ktdf.side_of(t, "source"),
                    ktdf.side_of(t, "dest"),
                    ktdf.transfer_mode(t),
                    t,
                )
                t.detach()
                t.erase()
            for op in list(walk_ops(program, "ktdf.tiling.linearize_index", "ktdf.tiling.derive_size")):
                emit = Emitter(InsertPoint.before(op), op)
                total: Index
                if op.name == "ktdf.tiling.linearize_index":
                    total = 0
                    for v, s in ktdf.linearize_parts(op):
                        k = constant_of(s)
                        if k is None:
                            raise error(op, "subsume-linearize-index: a stride that is no constant")
                        total = emit.add(total, emit.mul(v, k))
                else:
                    pairs, n = ktdf.derive_parts(op)
                    total = n
                    for v, s in pairs:
                        rest = emit.sub(total, emit.mul(v, s))
                        total = emit.maximum(0, emit.minimum(s, rest))
                replace(op, total)
            simplify(program)
