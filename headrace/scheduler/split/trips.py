"""Loops of the coordinator whose trip count differs between tiles: every tile runs the most iterations of any, under
a condition. These are the loops over several programs, and those that a program cannot take along.

The coordinator runs one loop for all tiles; what a tile does in an iteration is a program that its units skip where the
condition fails.

    scf.for %i = 0 to %mine { A ; B }   ->   scf.for %i = 0 to (most of all tiles) { scf.if %i < %mine { A ; B } }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.ir.analysis.grid import grid_of
from headrace.ir.location import copy_loc
from headrace.scheduler.build import INDEX, Emitter, Index, constant_of
from headrace.scheduler.linear import linear
from headrace.scheduler.ops import make_scalar_op
from headrace.scheduler.split.groups import Group, Uniformity, divided, population_of


def level_trips(kernel: func.FuncOp, groups: Sequence[Group], uniform: Uniformity) -> bool:
    """Rewrite the loops that stay with the coordinator and whose trip count differs between tiles; whether there was
    one.

    Loops whose most iterations cannot be bounded stay as they are.
    """
    population = population_of(kernel, groups)
    outside: dict[Operation, None] = {}
    for group in groups:
        outside.update(dict.fromkeys(reversed(divided(group, population)[0])))
    for op in outside:
        if not isinstance(op, scf.ForOp) or op.iter_args or uniform.varies(op.step):
            continue
        trip = linear(op.ub) - linear(op.lb)
        if any(uniform.varies(v) for v in trip.terms) and _level(op, kernel, uniform):
            return True
    return False


def _level(loop: scf.ForOp, kernel: func.FuncOp, uniform: Uniformity) -> bool:
    step = linear(loop.step)
    if not step.is_const or step.const <= 0:
        return False
    emit = Emitter.before(loop)
    ranges = Ranges(kernel, uniform, emit)
    shifted = uniform.varies(loop.lb)
    low, high = ranges.of(loop.lb), ranges.of(loop.ub)
    trip = linear(loop.ub) - linear(loop.lb)
    if shifted:  # the difference of the two may be known better than its sides
        total: Index = trip.const
        for v, c in trip.terms.items():
            known = ranges.of(v)
            if known is None:
                return False
            total = emit.add(total, emit.mul(known[1] if c > 0 else known[0], c))
        end: Index = emit.ceildiv(total, step.const)
    elif low is None or high is None:
        return False
    else:
        end = high[1]
    t = loop.body.block.args[0].type
    body = Block(arg_types=[INDEX if shifted else t])
    body.args[0].name_hint = loop.body.block.args[0].name_hint
    outer = scf.YieldOp()
    copy_loc(loop, outer)
    body.add_op(outer)
    if shifted:
        bounds = [emit.value(0), emit.value(end), emit.value(1)]
    else:
        bounds = [loop.lb, cast(emit, emit.value(end), t), loop.step]
    new = emit.insert(scf.ForOp(bounds[0], bounds[1], bounds[2], [], Region(body)))
    inner = Emitter.before(outer)
    inner.origin = loop
    iv: SSAValue = body.args[0]
    if shifted:
        count = cast(inner, inner.value(inner.mul(iv, step.const)), t)
        iv = inner.insert(make_scalar_op("arith.addi", [loop.lb, count], t, loop)).results[0]
    here = inner.insert(arith.CmpiOp(iv, loop.ub, "slt")).result
    old = loop.body.block
    old.args[0].replace_all_uses_with(iv)
    branch = Block()
    for op in list(old.ops):
        op.detach()
        branch.add_op(op)
    inner.insert(scf.IfOp(here, [], Region(branch)))  # pyright: ignore[reportArgumentType]
    new.attributes.update(loop.attributes)
    loop.detach()
    loop.erase()
    return True


def cast(emit: Emitter, value: SSAValue, t: object) -> SSAValue:
    """An index or integer in another of these types."""
    return value if value.type == t else emit.insert(arith.IndexCastOp(value, t)).results[0]  # type: ignore[arg-type]


class Ranges:
    """Least and greatest value, over all tiles, of values that depend on the tile id: the same on every tile."""

    def __init__(self, kernel: func.FuncOp, uniform: Uniformity, emit: Emitter):
        self.grid = grid_of(kernel)
        self.uniform, self.emit = uniform, emit

    def of(self, value: SSAValue) -> tuple[Index, Index] | None:
        """(least, greatest) as index values; None where it is not known."""
        known = constant_of(value)
        if known is not None:
            return known, known
        if not self.uniform.varies(value):
            same = cast(self.emit, value, IndexType())
            return same, same
        op = value.owner
        if not isinstance(op, Operation):
            return None
        if op.name == "ktdp.get_compute_tile_id":
            position = list(op.results).index(value)  # type: ignore[arg-type]
            return 0, self.grid[position] - 1 if position < len(self.grid) else 0
        sides = [self.of(v) for v in op.operands]
        if any(s is None for s in sides):
            return None
        return self._combined(op, [s for s in sides if s is not None])

    def _combined(self, op: Operation, sides: list[tuple[Index, Index]]) -> tuple[Index, Index] | None:
        emit, a = self.emit, sides[0]
        b = sides[1] if len(sides) > 1 else (0, 0)
        c = constant_of(b[0]) if constant_of(b[0]) == constant_of(b[1]) else None
        match op.name:
            case "arith.index_cast" | "arith.extsi" | "arith.trunci" | "arith.index_castui" | "arith.extui":
                return a
            case "arith.addi":
                return emit.add(a[0], b[0]), emit.add(a[1], b[1])
            case "arith.subi":
                return emit.sub(a[0], b[1]), emit.sub(a[1], b[0])
            case "arith.muli":
                if c is None:
                    (a, b) = (b, a)
                    c = constant_of(b[0]) if constant_of(b[0]) == constant_of(b[1]) else None
                if c is None:
                    return None
                low, high = emit.mul(a[0], c), emit.mul(a[1], c)
                return (low, high) if c >= 0 else (high, low)
            case "arith.divsi" | "arith.divui" | "arith.floordivsi" if c is not None and c > 0:
                return emit.floordiv(a[0], c), emit.floordiv(a[1], c)
            case "arith.ceildivsi" | "arith.ceildivui" if c is not None and c > 0:
                return emit.ceildiv(a[0], c), emit.ceildiv(a[1], c)
            case "arith.remsi" | "arith.remui" if c is not None and c > 0:
                return 0, c - 1
            case "arith.minsi" | "arith.minui":
                return emit.minimum(a[0], b[0]), emit.minimum(a[1], b[1])
            case "arith.maxsi" | "arith.maxui":
                return emit.maximum(a[0], b[0]), emit.maximum(a[1], b[1])
            case _:
                return None
