"""Loops over integers become loops over indices, so that their variables are what addresses are made of.

    scf.for %r = %p to %n step %s : i32 { %i = index_cast %r ; X[%i] }
    ->  scf.for %i = cast %p to cast %n step cast %s { X[%i] }
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, constant_of, walk_ops


def index_loops(kernel: Operation) -> None:
    """Give every `scf.for` below `kernel` a variable of type `index`."""
    for loop in list(walk_ops(kernel, "scf.for")):
        assert isinstance(loop, scf.ForOp)
        count_indices(loop)


def count_indices(loop: scf.ForOp) -> None:
    """Give one loop a variable of type `index`, in place."""
    if isinstance(loop.lb.type, IndexType):
        return
    emit = Emitter.before(loop)

    def cast(value: SSAValue) -> SSAValue:
        known = constant_of(value)
        return emit.value(known) if known is not None else emit.insert(arith.IndexCastOp(value, IndexType())).result

    bounds = [cast(v) for v in (loop.lb, loop.ub, loop.step)]
    block = loop.body.block
    old = block.args[0]
    new = block.insert_arg(IndexType(), 0)
    new.name_hint = old.name_hint
    for use in list(old.uses):
        if isinstance(use.operation, arith.IndexCastOp):
            use.operation.result.replace_all_uses_with(new)
            use.operation.detach()
            use.operation.erase()
    if old.uses:
        again = arith.IndexCastOp(new, old.type)  # type: ignore[arg-type]
        copy_loc(loop, again)
        assert block.first_op is not None
        block.insert_op_before(again, block.first_op)
        old.replace_all_uses_with(again.result)
    block.erase_arg(old)
    for k, value in enumerate(bounds):
        loop.operands[k] = value
