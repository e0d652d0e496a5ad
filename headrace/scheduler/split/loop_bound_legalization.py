"""loop-bound-legalization: no unit computes how often a loop runs from what it reads.

Precondition: legal KTIR. Postcondition: how often a loop runs is known when the kernel is launched.

A loop whose bounds are computed from elements of tensors runs as often as it can at most, and does nothing in the
iterations that are too many: its body is under a condition, what it carries stays as it is. Where the lower bound is
such a number, the loop counts from 0.

    scf.for %i = %c0 to %n { A[%i] }    ->   scf.for %i = %c0 to %c8 { scf.if %i < %n { A[%i] } }        A of 8
    scf.for %i = %a to %b { A[%i] }     ->   scf.for %j = %c0 to %c8 { %i = %a + %j ; scf.if %i < %b { A[%i] } }

How often it can run at most is known where the bound itself has a limit (arith.minsi with a number known at launch, a
remainder), or from the body: an access that moves with the loop's variable through a view of known extents cannot go
on for longer than the view is. A loop that has neither is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.ir.diagnostics import Diagnostic, HeadraceError, error
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler.build import INDEX, Emitter, Index, constant_of, walk_ops
from headrace.scheduler.linear import linear
from headrace.scheduler.split.carried import simplify_carried
from headrace.scheduler.split.elements import depends_on_tensor
from headrace.scheduler.split.index_loops import count_indices
from headrace.scheduler.split.iteration_limits import IterationLimits
from headrace.scheduler.split.value_limits import ValueLimits
from headrace.scheduler.split.whiles import count_loop, counter_of

NAME = "loop-bound-legalization"
COMMUNICATION = "ktdp.inter_tile"


@dataclass
class LoopBoundLegalization(Pass):
    """Let loops whose bounds come from memory run as often as they can at most, under a condition."""

    name = NAME

    def apply(self, module: ModuleOp, ctx: object) -> None:
        found: list[Diagnostic] = []
        for kernel in list(module.body.block.ops):
            if isinstance(kernel, func.FuncOp) and kernel.body.blocks:
                legalize(kernel, found)
        if found:
            raise HeadraceError(found)


def legalize(kernel: func.FuncOp, found: list[Diagnostic]) -> None:
    """Rewrite the loops of a kernel, outer ones first; collect an error for each that has no limit."""
    for op in list(walk_ops(kernel, "scf.while")):
        counter = counter_of(op)
        if counter is not None and isinstance(op, scf.WhileOp):
            if depends_on_tensor(counter.limit) or depends_on_tensor(op.arguments[counter.position]):
                count_loop(op, counter)
    for loop in list(walk_ops(kernel, "scf.for")):
        if isinstance(loop, scf.ForOp) and any(depends_on_tensor(v) for v in (loop.lb, loop.ub, loop.step)):
            try:
                _Loop(loop, kernel).run()
            except HeadraceError as problem:
                found.extend(problem.diagnostics)


class _Loop:
    """Rewrites one loop."""

    def __init__(self, loop: scf.ForOp, kernel: func.FuncOp):
        if depends_on_tensor(loop.step):
            raise error(
                loop,
                f"the step of this loop is computed from elements of tensors ({NAME}); count iterations, and multiply "
                "in the body",
                [(_origin(loop.step), "the step comes from here")],
            )
        for op in loop.walk():
            if op.name.startswith(COMMUNICATION):
                raise error(
                    op,
                    f"'{op.name}' in a loop that may run differently often on each tile, for its bounds are computed "
                    f"from elements of tensors, is not supported ({NAME})",
                    [(loop, "the loop is here")],
                )
        count_indices(loop)
        self.loop, self.kernel = simplify_carried(loop), kernel
        self.emit = Emitter.before(self.loop)

    def run(self) -> None:
        """Replace the loop."""
        loop, emit = self.loop, self.emit
        first = 0 if depends_on_tensor(loop.lb) else loop.lb
        distance = linear(loop.ub) - linear(loop.lb)
        exact = not any(depends_on_tensor(v) for v in distance.terms)
        step = linear(loop.step)
        if exact:
            end = emit.add(first, distance.emit(emit))
        elif isinstance(first, int):
            end = self._distance(step.const if step.is_const else None)
        else:
            end = self._end(step.const if step.is_const else None)
        block = Block(arg_types=[INDEX, *(r.type for r in loop.results)])
        for new, old in zip(block.args, loop.body.block.args, strict=True):
            new.name_hint = old.name_hint
        inner = Emitter.at_end(block, loop)
        at: SSAValue = block.args[0]
        if isinstance(first, int):
            at = inner.insert(arith.AddiOp(loop.lb, at)).result
        carried = list(block.args[1:])
        for old, new in zip(loop.body.block.args, [at, *carried], strict=True):
            old.replace_all_uses_with(new)
        if exact:
            self._move(loop.body.block, block)
        else:
            self._guard(inner, at, carried)
        bounds = (emit.value(first), emit.value(end), loop.step)
        new_loop = emit.insert(scf.ForOp(*bounds, list(loop.iter_args), Region(block)))
        new_loop.attributes.update(loop.attributes)
        copy_loc(loop, new_loop)
        for old, new in zip(loop.results, new_loop.results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        loop.detach()
        loop.erase()

    @staticmethod
    def _move(source: Block, target: Block) -> None:
        for op in list(source.ops):
            op.detach()
            target.add_op(op)

    def _guard(self, inner: Emitter, at: SSAValue, carried: Sequence[SSAValue]) -> None:
        """The body under the condition that the loop has come so far."""
        loop = self.loop
        here = inner.insert(arith.CmpiOp(at, loop.ub, "slt")).result
        then = Block()
        self._move(loop.body.block, then)
        regions = [Region(then)]
        if carried:
            other = Block()
            same = scf.YieldOp(*carried)
            copy_loc(loop, same)
            other.add_op(same)
            regions.append(Region(other))
        branch = inner.insert(scf.IfOp(here, [v.type for v in carried], *regions))  # pyright: ignore[reportArgumentType]
        inner.insert(scf.YieldOp(*branch.results))

    # -- limits -------------------------------------------------------------------------------------------------------

    def _end(self, step: int | None) -> Index:
        """What the variable of a loop whose first value is known at launch stays below."""
        loop, emit = self.loop, self.emit
        limit = ValueLimits(emit).most(loop.ub)
        ends: list[Index] = [] if limit is None else [limit]
        limits = IterationLimits(loop, self.kernel, emit)
        ends += limits.ends()
        trips = limits.trips(step, by_data=True) if step is not None else None
        if trips is not None and step is not None:
            far = emit.add(loop.lb, trips * step)
            if not ends or constant_of(far) is not None:
                ends.append(far)
        return self._least(ends)

    def _distance(self, step: int | None) -> Index:
        """What the upper bound is beyond the lower one at most."""
        emit, loop = self.emit, self.loop
        distance = ValueLimits(emit).of(linear(loop.ub) - linear(loop.lb), True)
        ends: list[Index] = [] if distance is None else [distance]
        limits = IterationLimits(loop, self.kernel, emit)
        trips = limits.trips(step, by_data=False) if step is not None else None
        if trips is not None and step is not None:
            ends.append(trips * step)
        return self._least(ends)

    def _least(self, ends: list[Index]) -> Index:
        """The least of several limits. Raises HeadraceError where there are none."""
        if not ends:
            loop = self.loop
            value = loop.ub if depends_on_tensor(loop.ub) else loop.lb
            name = f"'%{value.name_hint}'" if value.name_hint else "a bound"
            raise error(
                loop,
                f"how often this loop runs is computed from elements of tensors, and nothing limits {name} ({NAME}): "
                "no access of every iteration moves with the loop's variable through a view of constant extents; take "
                "arith.minsi of the upper bound and a number known at launch",
                [(_origin(value), "the number is loaded here")],
            )
        total = ends[0]
        for end in ends[1:]:
            total = self.emit.minimum(total, end)
        return total


def _origin(value: SSAValue) -> Operation | None:
    """The load, or other operation with tensors, that a number comes from."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        op = v.owner
        if v in seen or not isinstance(op, Operation) or not depends_on_tensor(v):
            continue
        seen.add(v)
        if op.name == "ktdp.load":
            return op
        stack += reversed(op.operands)
    return None
