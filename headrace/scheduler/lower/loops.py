"""`scf.for` and `ktdf.parallel` in unit programs.

A parallel loop over T iterations gives instance c of n the iterations `[c*ceil(T/n), min(T, (c+1)*ceil(T/n)))`: its
bounds are per-unit constants where T is a number, and computed in the unit program otherwise, so that uneven splits and
any use of the induction variable are fine.
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.construct import create_op
from headrace.ir.diagnostics import error
from headrace.scheduler.build import for_op
from headrace.scheduler.lower import double_buffer
from headrace.scheduler.lower.program import INDEX
from headrace.scheduler.lower.units import UnitProgram


def emit_for(unit: UnitProgram, op: Operation) -> None:
    """A loop with work for this kind; loops of one iteration are inlined, loops of none dropped."""
    if not unit.has_work(op):
        return
    if op.results:
        raise error(op, "scf.for with iter_args around stages cannot be lowered")
    body = op.regions[0].block
    lb, ub, step = (unit.known(v) for v in op.operands[:3])
    carried = unit.rotating_loops.get(op, [])
    if lb is not None and ub is not None and step is not None and step > 0:
        if ub <= lb:
            return
        if ub <= lb + step and not carried:
            unit.emit_into(body, unit.scopes[-1].target, {body.args[0]: unit.constant(lb)})
            unit.emit_block(body)
            unit.scopes.pop()
            return
    bounds = [unit.value(v) for v in op.operands[:3]]
    inits = [v for select, loops in carried for v in double_buffer.enter(unit, select, loops, op)]
    target = Block(arg_types=[INDEX] * (1 + len(inits)))
    target.args[0].name_hint = body.args[0].name_hint
    unit.emit_into(body, target, {body.args[0]: target.args[0]})
    position = 1
    for select, loops in carried:
        position = double_buffer.begin(unit, select, loops, op, target, position)
    unit.emit_block(body)
    yields: list[SSAValue] = []
    for select, loops in carried:
        yields += double_buffer.leave(unit, select, loops, op)
    unit.scopes.pop()
    if target.is_empty and not carried:
        return
    target.add_op(create_op(scf.YieldOp, yields))
    new = unit.add(for_op(bounds[0], bounds[1], bounds[2], target, inits))
    double_buffer.after(unit, carried, op, list(new.res))


def loop(
    unit: UnitProgram, lower: SSAValue, upper: SSAValue, source: Block | None = None, hint: str | None = None
) -> Block:
    """Open a loop of step 1; the caller emits into it and calls `close`. Returns the loop's block."""
    target = Block(arg_types=[INDEX])
    target.args[0].name_hint = hint
    scope = unit.emit_into(source, target)
    scope.views["bounds"] = lower
    scope.views["upper"] = upper
    return target


def close(unit: UnitProgram) -> None:
    """Close the loop that `loop` opened."""
    scope = unit.scopes.pop()
    if scope.target.is_empty:
        return
    scope.target.add_op(create_op(scf.YieldOp))
    bounds = (scope.views["bounds"], scope.views["upper"], unit.constant(1))
    unit.add(for_op(*bounds, scope.target))


def emit_parallel(unit: UnitProgram, op: Operation) -> None:
    """`ktdf.parallel`: the chunk of the running unit's instance."""
    if not unit.has_work(op):
        return
    body = op.regions[0].block
    ranks = len(body.args) - 1
    lower, upper, steps = (op.operands[i * ranks : (i + 1) * ranks] for i in range(3))
    n = op.properties["num_instances"].value.data  # type: ignore[attr-defined]
    known = [[unit.known(v) for v in part] for part in (lower, upper, steps)]
    trips: list[SSAValue] = []
    for d in range(ranks):
        lb, ub, st = (part[d] for part in known)
        if lb is not None and ub is not None and st is not None:
            if st <= 0:
                raise error(op, "step of ktdf.parallel must be positive")
            trips.append(unit.constant(max(0, -(-(ub - lb) // st))))
            continue
        length = (
            unit.value(upper[d])
            if lb == 0
            else unit.add(arith.SubiOp(unit.value(upper[d]), unit.value(lower[d]))).result
        )
        trips.append(length if st == 1 else unit.add(arith.CeilDivSIOp(length, unit.value(steps[d]))).result)
    total = trips[0]
    for t in trips[1:]:
        total = unit.multiply(total, t)
    number = unit.number_of(total)
    instance = unit.numbers([u.corelet for u in unit.units])
    if number is not None:
        chunk = -(-number // n)
        first = unit.numbers([min(u.corelet * chunk, number) for u in unit.units])
        last = unit.numbers([min((u.corelet + 1) * chunk, number) for u in unit.units])
    else:
        size = unit.add(arith.CeilDivSIOp(total, unit.constant(n))).result
        first = unit.add(arith.MinSIOp(unit.multiply(instance, size), total)).result
        last = unit.add(arith.MinSIOp(unit.add_index(first, size), total)).result
    target = loop(unit, first, last, body, body.args[0].name_hint)
    flat: SSAValue = target.args[0]
    values = unit.scopes[-1].values
    values[body.args[-1]] = instance
    for d in range(ranks - 1, -1, -1):
        iv = flat
        if d:
            iv = unit.add(arith.RemSIOp(flat, trips[d])).result
            flat = unit.add(arith.DivSIOp(flat, trips[d])).result
        if known[2][d] != 1:
            iv = unit.multiply(iv, unit.value(steps[d]))
        if known[0][d] != 0:
            iv = unit.add_index(iv, unit.value(lower[d]))
        values[body.args[d]] = iv
    unit.emit_block(body)
    close(unit)
