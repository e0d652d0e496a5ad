"""Buffers that one loop writes row by row and later loops read row by row.

    for %t { parallel %p to 8 { A writes b[%p] }   parallel %p to 8 { B reads b[%p] } }

Row p belongs to the same instance in every loop, so B's row p needs A's row p and no other: the buffer changes hands
row by row, with one credit for each row of an instance, and the reader starts while the writer's last rows are still on
their way. Every `full` is signalled in a loop in front of the one that waits for it, every `free` in the iteration
before.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from headrace.scheduler.build import ancestors, constant_of
from headrace.scheduler.lower.accesses import Access, footprint, trip_count
from headrace.scheduler.lower.exchanges import MOST_CREDITS
from headrace.scheduler.lower.memrefs import resolve


def rows_each(holders: Sequence[Operation], accesses: Sequence[Access]) -> int | None:
    """Rows of one instance where the operations `holders`, which contain `accesses`, are distributed loops that walk
    the rows of a buffer alike; None where they are something else."""
    if any(op.name != "ktdf.parallel" or len(op.operands) != 3 for op in holders):
        return None
    counts: set[int] = {op.properties["num_instances"].value.data for op in holders}  # type: ignore[attr-defined]
    bounds = {tuple(constant_of(v) for v in op.operands) for op in holders}
    trips = trip_count(holders[0])
    if len(bounds) != 1 or len(counts) != 1 or trips is None:
        return None
    (instances,) = counts
    if trips % instances or trips // instances > MOST_CREDITS:
        return None
    rows: set[tuple[int, int, int]] | None = None
    for access in accesses:
        home = next((op for op in holders if op in ancestors(access.op)), None)
        box = footprint(access)
        if home is None or box is None or access.place != accesses[0].place:
            return None
        if home in ancestors(resolve(access.memref)):
            return None
        iv = home.regions[0].block.args[0]
        own = {
            (d, origin.coefficient(iv), origin.const)
            for d, (origin, size) in enumerate(box)
            if set(origin.terms) == {iv} and origin.coefficient(iv) >= size
        }
        rows = own if rows is None else rows & own
    return trips // instances if rows else None


def ends(loop: Operation, kind: str, accesses: Sequence[Access]) -> tuple[Operation, Operation]:
    """The first and the last operation of a loop's body that hold accesses of a kind."""
    touched = {a for x in accesses if x.kind == kind for a in (x.op, *ancestors(x.op))}
    inside = [op for op in loop.regions[0].block.ops if op in touched]
    return inside[0], inside[-1]
