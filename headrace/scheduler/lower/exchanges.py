"""Buffers that a unit updates piece by piece: how far its reader may run ahead of its writer.

    for %k { for %p { A reads b[%p] (and computes)   B writes b[%p] } }   A reads all of b

The pieces of one pass over %p do not overlap, so A's pass may be a whole pass ahead of B's: it needs B's write of the
same piece in the pass before, no more. A transaction of this shape gets as many credits as a pass has pieces, around
the loop that repeats the passes; when that loop ends, A takes all credits back, so that whatever A reads afterwards is
written. Later reads by A need no signal of their own: B writes again only when A, later in its program, has told it to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from headrace.scheduler.build import ancestors, constant_of
from headrace.scheduler.lower.accesses import Access, footprint, trip_count
from headrace.scheduler.lower.memrefs import resolve

MOST_CREDITS = 64
"""Most credits of one transaction: signals that nobody has waited for yet take room in a counter."""


@dataclass(frozen=True)
class Ahead:
    """Put `credits` around `anchor`."""

    anchor: Operation
    credits: int


def ahead(accesses: Sequence[Access], loops: Sequence[Operation], barred: Sequence[Operation]) -> Ahead | None:
    """Credits for a transaction inside `loops` (outermost first) whose accesses are these. `barred`: operations that
    must stay outside of what the credits are around. None where the pieces are not known to be apart."""
    first = accesses[0]
    boxes = [footprint(a) for a in accesses]
    if any(b is None or a.place != first.place for a, b in zip(accesses, boxes, strict=True)):
        return None
    if resolve(first.memref).name == "ktdf.select_memref" or any(len(p.operands) != 3 for p in loops):
        return None
    box = boxes[0]
    assert box is not None
    if any([(o.key(), s) for o, s in b or ()] != [(o.key(), s) for o, s in box] for b in boxes):
        return None
    count, start = 1, len(loops)
    reach = [size for _, size in box]
    for k in range(len(loops) - 1, -1, -1):
        loop = loops[k]
        iv, trips, step = loop.regions[0].block.args[0], trip_count(loop), constant_of(loop.operands[2])
        moved = [d for d, (o, _) in enumerate(box) if o.coefficient(iv)]
        if len(moved) != 1 or trips is None or step is None:
            break
        d = moved[0]
        distance = box[d][0].coefficient(iv) * step
        if distance < reach[d]:
            break
        reach[d] += distance * max(0, trips - 1)
        instances = loop.properties.get("num_instances")
        count *= trips if instances is None else -(-trips // instances.value.data)  # type: ignore[attr-defined]
        start = k
    if start == len(loops):
        return None

    def free(anchor: Operation) -> bool:
        return not any(anchor is b or anchor in ancestors(b) for b in barred)

    repeats = loops[start - 1] if start else None
    around = repeats if repeats is not None and repeats.name == "scf.for" and free(repeats) else loops[start]
    if not free(around):
        return None
    if around is loops[start] and count > MOST_CREDITS:
        return None
    return Ahead(around, min(count, MOST_CREDITS))
