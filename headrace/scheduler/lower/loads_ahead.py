"""Loads of elements that are spread over a vector, one iteration ahead of their use.

A load unit that spreads one element over a vector (`shuffle`) has to wait for the element, and its later transfers wait
with it. In a loop whose iterations each spread another element (one a row), the element of the next iteration is loaded
first: it arrives while the rest of this one is sent. What is read cannot change meanwhile, because the loop waits for
nobody.

    scf.for %r { %s = vector_load A[%r] ; %w = shuffle %s ; .. }
    ->  %a = vector_load A[0]
        scf.for %r iter_args(%s = %a) { %n = vector_load A[min(%r + 1, last)] ; %w = shuffle %s ; .. ; yield %n }
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, constant_of, walk_ops
from headrace.scheduler.lower.invariant_loads import QUIET

_QUIET = (*QUIET, "scf.")


def load_ahead(program: Operation) -> None:
    """Load what is spread over a vector one iteration ahead, in all loops of a unit program."""
    for loop in reversed(list(walk_ops(program, "scf.for"))):
        if isinstance(loop, scf.ForOp) and not loop.results and is_quiet(loop):
            lower, upper, step = (constant_of(v) for v in loop.operands[:3])
            if lower is not None and upper is not None and step is not None and step > 0 and upper - lower > step:
                loads = list(spread_loads(loop))
                if loads:
                    _carry(loop, loads, lower, lower + (upper - lower - 1) // step * step, step)


def is_quiet(loop: Operation) -> bool:
    """Whether nothing that a loop loads can change while it runs: it waits for nobody."""
    return all(op.name.startswith(_QUIET) for op in walk_ops(loop))


def spread_loads(loop: scf.ForOp) -> list[Operation]:
    """Loads of a loop that only a shuffle uses, at a place that moves with the loop and nothing else in it."""
    body = loop.body.block
    iv = body.args[0]
    found: list[Operation] = []
    for op in body.ops:
        if op.name != "vectorchain.shuffle":
            continue
        load = op.operands[0].owner
        if not isinstance(load, Operation) or load.name != "agen.vector_load" or load.parent is not body:
            continue
        if any(use.operation is not op for use in load.results[0].uses):
            continue
        if iv in load.operands and all(v is iv or outside(v, body) for v in load.operands):
            found.append(load)
    return found


def outside(value: SSAValue, body: Block) -> bool:
    """Whether a value is computed in front of the loop around `body`."""
    owner = value.owner
    return owner is not body and not (isinstance(owner, Operation) and owner.parent is body)


def _carry(loop: scf.ForOp, loads: list[Operation], lower: int, last: int, step: int) -> None:
    old = loop.body.block
    iv = old.args[0]
    before = Emitter.before(loop)
    before.origin = loop
    initial: list[SSAValue] = []
    for load in loads:
        initial.append(before.insert(load.clone({iv: before.value(lower)})).results[0])
    block = Block(arg_types=[iv.type, *(v.type for v in initial)])
    block.args[0].name_hint = iv.name_hint
    emit = Emitter(InsertPoint.at_end(block), loop)
    following = emit.insert(arith.MinSIOp(emit.value(emit.add(block.args[0], step)), emit.value(last))).result
    ahead = [emit.insert(load.clone({iv: following})).results[0] for load in loads]
    for load, current in zip(loads, block.args[1:], strict=True):
        load.results[0].replace_all_uses_with(current)
        load.detach()
        load.erase()
    iv.replace_all_uses_with(block.args[0])
    for op in list(old.ops):
        op.detach()
        if op.name != "scf.yield":
            block.add_op(op)
    end = scf.YieldOp(*ahead)
    copy_loc(loop, end)
    block.add_op(end)
    new = scf.ForOp(loop.lb, loop.ub, loop.step, initial, Region(block))
    new.attributes.update(loop.attributes)
    copy_loc(loop, new)
    Rewriter.insert_op(new, InsertPoint.before(loop))
    loop.detach()
    loop.erase()
