"""normalize-scf-for-loops: loops count from 0 in steps of 1.

Precondition: any `scf.for` over `index`. Postcondition: lower bound 0 and step 1; uses of the induction variable are
`lb + iv * step`.

    for %j = 0 to 64 step 16 { A[%j] }  ->  for %j = 0 to 4 step 1 { %k = %j * 16 ; A[%k] }
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint

from headrace.ir.passes import Pass
from headrace.scheduler.build import INDEX, Emitter, constant_of, walk_ops
from headrace.scheduler.device import programs


@dataclass
class NormalizeScfForLoops(Pass):
    """Make every loop of the programs count from 0 in steps of 1."""

    name = "normalize-scf-for-loops"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for op in list(walk_ops(program, "scf.for")):
                assert isinstance(op, scf.ForOp)
                if op.lb.type == INDEX and (constant_of(op.lb) != 0 or constant_of(op.step) != 1):
                    normalize(op)


def normalize(loop: scf.ForOp) -> None:
    """Normalise one loop with a constant positive step."""
    step = constant_of(loop.step)
    if step is None or step <= 0:
        return
    emit = Emitter.before(loop)
    lower = loop.lb
    trips = emit.ceildiv(emit.sub(loop.ub, lower), step)
    body = loop.body.block
    iv = body.args[0]
    inner = Emitter(InsertPoint.at_start(body), loop)
    scaled = inner.mul(iv, step)
    value = inner.value(inner.add(scaled, lower))
    keep = {value.owner, scaled.owner if not isinstance(scaled, int) else None}
    iv.replace_uses_with_if(value, lambda use: use.operation not in keep)
    loop.operands[0], loop.operands[1], loop.operands[2] = emit.value(0), emit.value(trips), emit.value(1)
