"""Loads that a loop repeats without need, in front of the loop.

A load unit that spreads one element over a vector (`shuffle`) has to wait for the element; in a loop over vectors of
the same row it would wait every time. Where a loop of a unit's program only loads, computes and sends, what it reads
does not change while it runs (a change would be waited for), so a load from the same place is done once.

    scf.for %v { %s = vector_load A[%r] ; %w = shuffle %s ; send %w }
    ->  %s = vector_load A[%r] ; %w = shuffle %s ; scf.for %v { send %w }
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from headrace.scheduler.build import constant_of, walk_ops

MOVABLE = ("agen.vector_load", "vectorchain.shuffle", "dataflow.get_logical_memory_view", "arith.", "uniform.query_map")
"""What may move, if all its operands come from outside of the loop."""
QUIET = (*MOVABLE, "dataflow.send", "dataflow.sync_send", "vectorchain.constant", "uniform.", "scf.yield", "agen.get_")
"""What a loop may hold for its loads to be the same each time."""


def hoist_invariant_loads(program: Operation) -> None:
    """Move repeated loads of one unit program out of its loops, inner loops first."""
    for loop in reversed(list(walk_ops(program, "scf.for"))):
        body = loop.regions[0].block
        if loop.results or not all(op.name.startswith(QUIET) for op in body.ops):
            continue
        if any(op.name == "vectorchain.shuffle" for op in body.ops) and runs(loop):
            _hoist(loop, body)


def runs(loop: Operation) -> bool:
    """Whether a loop is known to have an iteration: its loads are then certainly in bounds."""
    lower, upper = (constant_of(v) for v in loop.operands[:2])
    return isinstance(loop, scf.ForOp) and lower is not None and upper is not None and lower < upper


def _hoist(loop: Operation, body: Block) -> None:
    inside: set[SSAValue] = set(body.args)
    for op in body.ops:
        inside.update(op.results)
    block = loop.parent
    assert block is not None
    for op in list(body.ops):
        if op.name.startswith(MOVABLE) and not op.regions and not any(v in inside for v in op.operands):
            op.detach()
            block.insert_op_before(op, loop)
            inside.difference_update(op.results)
