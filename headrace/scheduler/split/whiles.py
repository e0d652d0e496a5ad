"""Loops that count, written as `scf.while`: they become `scf.for`.

    %r:2 = scf.while (%j = %a, %x = %x0) { %go = cmpi slt, %j, %n ; condition(%go) %j, %x }
           do { ... ; yield (%j + %s), %y }
    ->
    %r#1 = scf.for %j = %a to %n step %s iter_args(%x = %x0) { ... ; yield %y } ; %r#0 = %a + ceil((%n - %a) / %s) * %s
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, constant_of, walk_ops
from headrace.scheduler.ops import make_scalar_op

_SWAPPED = {"sgt": "slt", "sge": "sle", "slt": "sgt", "sle": "sge"}
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge")


@dataclass(frozen=True)
class Counter:
    """Carried value `position` grows by the constant `step` while it is below `limit` (`inclusive`: not above)."""

    position: int
    limit: SSAValue
    step: int
    inclusive: bool


def counter_of(loop: Operation) -> Counter | None:
    """What a `scf.while` counts; None where it does more than to count."""
    if not isinstance(loop, scf.WhileOp):
        return None
    before, after = loop.before_region.block, loop.after_region.block
    test, end = before.last_op, after.last_op
    if not isinstance(test, scf.ConditionOp) or end is None or list(test.args) != list(before.args):
        return None
    compare = test.condition.owner
    if not isinstance(compare, arith.CmpiOp):
        return None
    if any(op not in (compare, test) and op.name != "arith.constant" for op in before.ops):
        return None
    number = compare.predicate.value.data
    predicate = _PREDICATES[number] if number < len(_PREDICATES) else ""
    value, limit = compare.operands
    if not (isinstance(value, BlockArgument) and value.owner is before):
        value, limit, predicate = limit, value, _SWAPPED.get(predicate, "")
    if predicate not in ("slt", "sle") or not (isinstance(value, BlockArgument) and value.owner is before):
        return None
    if isinstance(limit, BlockArgument) and limit.owner is before:
        return None
    position = value.index
    grown = end.operands[position].owner
    if not isinstance(grown, arith.AddiOp):
        return None
    steps = [constant_of(v) for v in grown.operands if v is not after.args[position]]
    if len(steps) != 1 or steps[0] is None or steps[0] <= 0:
        return None
    return Counter(position, limit, steps[0], predicate == "sle")


def count_loops(kernel: Operation) -> None:
    """Rewrite every `scf.while` below `kernel` that counts, inner ones first."""
    for loop in reversed(list(walk_ops(kernel, "scf.while"))):
        found = counter_of(loop)
        if found is not None and isinstance(loop, scf.WhileOp):
            count_loop(loop, found)


def count_loop(loop: scf.WhileOp, counter: Counter) -> None:
    """Rewrite one loop that counts."""
    emit = Emitter.before(loop)
    k = counter.position
    start = loop.arguments[k]
    t = start.type

    def number(n: int) -> SSAValue:
        return emit.insert(arith.ConstantOp(IntegerAttr(n, t))).result  # type: ignore[arg-type]

    def scalar(name: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return emit.insert(make_scalar_op(name, [a, b], t, loop)).results[0]

    known = constant_of(counter.limit)
    limit = counter.limit if known is None else number(known)
    if counter.inclusive:
        limit = scalar("arith.addi", limit, number(1))
    step = number(counter.step)
    old = loop.after_region.block
    others = [i for i in range(len(loop.arguments)) if i != k]
    block = Block(arg_types=[t, *(old.args[i].type for i in others)])
    for new, i in zip(block.args, [k, *others], strict=True):
        new.name_hint = old.args[i].name_hint
        old.args[i].replace_all_uses_with(new)
    end = old.last_op
    assert end is not None
    yielded = [end.operands[i] for i in others]
    end.detach()
    end.erase()
    for op in list(old.ops):
        op.detach()
        block.add_op(op)
    last = scf.YieldOp(*yielded)
    copy_loc(loop, last)
    block.add_op(last)
    new_loop = emit.insert(scf.ForOp(start, limit, step, [loop.arguments[i] for i in others], Region(block)))
    copy_loc(loop, new_loop)
    for i, result in zip(others, new_loop.results, strict=True):
        loop.results[i].replace_all_uses_with(result)
    if loop.results[k].uses:
        emit = Emitter(InsertPoint.after(new_loop), loop)
        trips = scalar("arith.ceildivsi", scalar("arith.subi", limit, start), step)
        passed = scalar("arith.muli", scalar("arith.maxsi", trips, number(0)), step)
        loop.results[k].replace_all_uses_with(scalar("arith.addi", start, passed))
    loop.detach()
    loop.erase()
