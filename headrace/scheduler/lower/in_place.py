"""In-place updates whose values say by themselves when a piece may be overwritten.

    for %p { A: b[%p] -> fifo }   for %p { C: read fifo; compute; write fifo' }   for %p { B: fifo' -> b[%p] }

What B writes at %p was made of what A read there, so the queues between the stages already keep B behind A. A signal
after A's whole loop would ask for more: B would wait until A has read every piece, A for room in the queue to C, and C
for room in the queue to B; with queues shorter than the loop nobody would go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from headrace.scheduler.build import ancestors, walk_ops
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.lower.accesses import Access, footprint, trip_count
from headrace.scheduler.lower.memrefs import resolve


def paced_by_values(first: Sequence[Access], second: Sequence[Access]) -> bool:
    """Whether queues order all accesses `first` of one unit before the accesses `second` of another that touch the same
    bytes, and a signal would stand around loops of a stage. Both lists are of one transaction, in program order."""
    if any(a.write for a in first) or not any(_loops(a.op, a.stage) for a in second):
        return False
    pipelines = {a.stage.parent_op() for a in second}
    if len(pipelines) != 1:
        return False
    near = [a for a in first if a.stage.parent_op() in pipelines]
    return all(any(_feeds(r, w) for r in near) for w in second) and all(
        _feeds(r, w) or _apart(r, w) for r in near for w in second
    )


@dataclass(frozen=True)
class _Nest:
    """The loops of a stage around an operation, outermost first, with their induction variables."""

    bounds: tuple[object, ...]
    variables: tuple[SSAValue, ...]


def _loops(op: Operation, stage: Operation) -> list[Operation]:
    around: list[Operation] = []
    for parent in ancestors(op):
        if parent is stage:
            break
        around.append(parent)
    return around[::-1]


def _nest(op: Operation, stage: Operation) -> _Nest | None:
    loops = _loops(op, stage)
    if any(p.name != "scf.for" or len(p.operands) != 3 for p in loops):
        return None
    bounds = tuple(tuple(linear(v).key() for v in p.operands) for p in loops)
    return _Nest(bounds, tuple(p.regions[0].block.args[0] for p in loops))


def _feeds(read: Access, write: Access) -> bool:
    """Whether `write` stores, piece by piece, values that were computed after `read` has loaded the same piece."""
    if read.op.name != "ktdf.data_transfer" or write.op.name != "ktdf.data_transfer" or not write.write:
        return False
    source, target = _nest(read.op, read.stage), _nest(write.op, write.stage)
    if source is None or target is None or source.bounds != target.bounds or read.place != write.place:
        return False
    if resolve(read.memref).name == "ktdf.select_memref" or not _same_pieces(read, write, source, target):
        return False
    return _reaches(read.op.destination, write.op.source, source, write.stage)  # type: ignore[attr-defined]


def _same_pieces(read: Access, write: Access, source: _Nest, target: _Nest) -> bool:
    """Whether both touch the same box in each iteration, and other boxes in other iterations."""
    if read.box is None or write.box is None:
        return False
    renamed = dict(zip(target.variables, source.variables, strict=True))
    reach = [size for _, size in read.box]
    for (a, n), (b, m) in zip(read.box, write.box, strict=True):
        if n != m or a.key() != Linear(b.const, {renamed.get(v, v): c for v, c in b.terms.items()}).key():
            return False
    stage = read.stage
    for loop in reversed(_loops(read.op, stage)):
        iv, trips, step = loop.regions[0].block.args[0], trip_count(loop), linear(loop.operands[2])
        moved = [d for d, (o, _) in enumerate(read.box) if o.coefficient(iv)]
        if len(moved) != 1 or not step.is_const:
            return False
        d = moved[0]
        distance = read.box[d][0].coefficient(iv) * step.const
        if distance < reach[d]:
            return False
        reach[d] = 1 << 62 if trips is None else reach[d] + distance * max(0, trips - 1)
    return True


def _reaches(slot: SSAValue, goal: SSAValue, nest: _Nest, last: Operation) -> bool:
    """Whether each entry of `slot` is received before the entry of `goal` of the same iteration is sent."""
    reached = {slot}
    pipeline = last.parent_op()
    assert pipeline is not None
    for stage in pipeline.regions[0].block.ops:
        if stage is last:
            break
        received: set[object] = set()
        for op in walk_ops(stage):
            if op.name == "ktdf.read_from_fifo" and op.operands[0] in reached and _matches(op, stage, nest):
                received.add(op.parent)
            elif op.name == "ktdf.write_to_fifo" and op.parent in received:
                reached.add(op.operands[1])
    return goal in reached


def _matches(op: Operation, stage: Operation, nest: _Nest) -> bool:
    own = _nest(op, stage)
    return own is not None and own.bounds == nest.bounds


def _apart(read: Access, write: Access) -> bool:
    """Whether two accesses touch different bytes of one view in all iterations."""
    a, b = footprint(read), footprint(write)
    if a is None or b is None or read.place != write.place:
        return False
    return any(
        (o - p).is_const and ((o - p).const >= m or (p - o).const >= n)
        for (o, n), (p, m) in zip(a, b, strict=True)
    )
