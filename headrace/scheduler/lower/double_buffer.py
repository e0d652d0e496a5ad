"""Rotating buffers (`buffer_phase` + `select_memref`): the start address as a loop-carried value.

Two buffers at a0, a1: the loops of the phase carry the address, which toggles by `a0 + a1 - x`. Kinds that the device
file marks `dataflow_scheduler.double_buffer_last` start at a1 and toggle before the use, the others start at a0 and
toggle at the end of the iteration; both visit a0, a1, a0, ... More than two buffers carry one address each and rotate.
Where the loops of the phase are not directly nested, the phase is computed and the address selected.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from headrace.ir.diagnostics import error
from headrace.scheduler.build import constant_of
from headrace.scheduler.lower.memrefs import candidates, resolve
from headrace.scheduler.lower.signals import rotation_loops
from headrace.scheduler.lower.units import Rotation, Scope, UnitProgram


def phase_of(select: Operation) -> Operation:
    """The `buffer_phase` of a `select_memref`. Raises HeadraceError for another phase or an inconsistent number."""
    phase = select.operands[0].owner
    if not isinstance(phase, Operation) or phase.name != "ktdf.buffer_phase":
        raise error(select, "the phase of a select_memref must be made by ktdf.buffer_phase")
    if not phase.operands:
        raise error(phase, "buffer_phase must have at least one IV")
    return phase


def find_rotations(unit: UnitProgram, selects: list[Operation]) -> None:
    """Register the loops that carry an address, for the selects that this program uses."""
    for select in selects:
        loops = rotation_loops(phase_of(select))
        if loops is not None:
            for loop in loops:
                unit.rotating_loops.setdefault(loop, []).append((select, loops))


def _addresses(unit: UnitProgram, select: Operation) -> list[SSAValue]:
    return [unit.value(resolve(c).operands[0]) for c in candidates(select.results[0])]


def _numbers(unit: UnitProgram, select: Operation) -> tuple[int, int] | None:
    found = [constant_of(resolve(c).operands[0]) for c in candidates(select.results[0])]
    if len(found) == 2 and found[0] is not None and found[1] is not None:
        return found[0], found[1]
    return None


def enter(unit: UnitProgram, select: Operation, loops: list[Operation], loop: Operation) -> list[SSAValue]:
    """Initial values of what `loop` carries for `select`."""
    if loop is not loops[0]:
        return list(unit.rotations_carried[select])
    addresses = _addresses(unit, select)
    if len(addresses) == 2 and _numbers(unit, select) is not None:
        return [addresses[1] if unit.double_buffer_last else addresses[0]]
    return addresses


def begin(
    unit: UnitProgram, select: Operation, loops: list[Operation], loop: Operation, target: Block, position: int
) -> int:
    """Take the carried values at the top of the body of `loop`; returns the next argument position."""
    numbers = _numbers(unit, select)
    width = 1 if numbers is not None else len(candidates(select.results[0]))
    carried: list[SSAValue] = list(target.args[position : position + width])
    start: SSAValue
    following: list[SSAValue]
    if loop is loops[-1]:
        if numbers is None:
            start = carried[0]
            following = [*carried[1:], carried[0]]
        elif unit.double_buffer_last:
            start = SSAValue.get(unit.add(arith.SubiOp(unit.constant(sum(numbers)), carried[0])).result)
            following = [start]
        else:
            start = carried[0]
            following = []
        unit.rotations[select] = Rotation(unit.scopes[-1], start)
        carried = following
    unit.rotations_carried[select] = carried
    return position + width


def leave(unit: UnitProgram, select: Operation, loops: list[Operation], loop: Operation) -> list[SSAValue]:
    """What the body of `loop` yields for `select`."""
    carried = unit.rotations_carried[select]
    numbers = _numbers(unit, select)
    if loop is loops[-1]:
        rotation = unit.rotations.pop(select)
        if numbers is not None and not unit.double_buffer_last:
            return [unit.add(arith.SubiOp(unit.constant(sum(numbers)), rotation.start)).result]
    return list(carried)


def after(
    unit: UnitProgram, carried: list[tuple[Operation, list[Operation]]], loop: Operation, results: list[SSAValue]
) -> None:
    """Hand the results of the emitted loop to the loop around it."""
    position = 0
    for select, _ in carried:
        width = 1 if _numbers(unit, select) is not None else len(candidates(select.results[0]))
        unit.rotations_carried[select] = results[position : position + width]
        position += width


def start_address(unit: UnitProgram, select: Operation) -> tuple[Scope, SSAValue]:
    """The current start address of a rotating buffer, and the scope in which a view of it can be made."""
    rotation = unit.rotations.get(select)
    if rotation is not None:
        return rotation.scope, rotation.start
    phase = _phase(unit, phase_of(select))
    addresses = _addresses(unit, select)
    value = addresses[-1]
    for number in range(len(addresses) - 2, -1, -1):
        is_it = unit.add(arith.CmpiOp(phase, unit.constant(number), "eq")).result
        value = unit.add(arith.SelectOp(is_it, addresses[number], value)).result
    return unit.scopes[-1], value


def _phase(unit: UnitProgram, phase: Operation) -> SSAValue:
    """The phase computed from the induction variables."""
    count: SSAValue = unit.constant(0)
    for v in phase.operands:
        if not isinstance(v, BlockArgument):
            if constant_of(v) is None:
                raise error(phase, "an operand of buffer_phase must be the induction variable of a loop")
            continue
        loop = v.owner.parent_op()
        assert loop is not None
        lower, upper, step = loop.operands[:3]
        trips = unit.add(arith.SubiOp(unit.value(upper), unit.value(lower))).result
        index = unit.value(v)
        if unit.known(lower) != 0:
            index = unit.add(arith.SubiOp(index, unit.value(lower))).result
        if unit.known(step) != 1:
            trips = unit.add(arith.CeilDivSIOp(trips, unit.value(step))).result
            index = unit.add(arith.DivSIOp(index, unit.value(step))).result
        count = unit.add_index(unit.multiply(count, trips), index)
    n = phase.properties.get("num_phases") or phase.attributes["num_phases"]
    return unit.add(arith.RemSIOp(count, unit.constant(n.value.data))).result  # type: ignore[attr-defined]
