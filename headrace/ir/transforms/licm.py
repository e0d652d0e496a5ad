"""Loop-invariant code motion: pure operations whose operands come from outside a loop move before it.

    scf.for %i = ... {                         %c = arith.muli %x, %y : index
      %c = arith.muli %x, %y : index    ->     scf.for %i = ... {
      use %c                                     use %c

Precondition: verified IR. Postcondition: no loop body has a movable operation.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.passes import Pass
from headrace.ir.transforms.effects import is_pure, is_speculatable

_LOOPS = frozenset({"scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for", "affine.parallel"})


def is_loop(op: Operation) -> bool:
    """A loop: an upstream one, or of a class with `loop_like = True`."""
    return op.name in _LOOPS or bool(getattr(type(op), "loop_like", False))


def _invariant(op: Operation, loop: Operation) -> bool:
    def within(value: SSAValue) -> bool:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        while block is not None:
            parent = block.parent_op()
            if parent is op:
                return True
            block = parent.parent if parent is not None else None
        return False

    return all(within(v) or not loop.is_ancestor(v.owner) for inner in op.walk() for v in inner.operands)


def hoist_invariants(op: Operation) -> int:
    """Run inside `op`, inner loops first; returns the number of operations moved."""
    moved = 0
    loops = [inner for inner in op.walk() if is_loop(inner)]
    for loop in reversed(loops):
        for region in loop.regions:
            for block in region.blocks:
                for item in list(block.ops):
                    if item.results and is_pure(item) and is_speculatable(item) and _invariant(item, loop):
                        item.detach()
                        parent = loop.parent
                        assert parent is not None
                        parent.insert_op_before(item, loop)
                        moved += 1
    return moved


@dataclass
class LoopInvariantCodeMotionPass(Pass):
    """Move invariant operations out of loops."""

    name = "loop-invariant-code-motion"
    summary = "Move loop-invariant operations out of loops"

    def apply(self, op: Operation, ctx: Context) -> None:
        hoist_invariants(op)
