"""Batches of loops in unit programs: channels, vector loads and stores (see `batches`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from headrace.interp import vectors
from headrace.interp.batches import Batch, Ends, Kind, LoopPlan, OneByOne, per_iteration, read_rows, write_rows

Array = NDArray[Any]

_KINDS: dict[str, Kind] = {
    "dataflow.receive": "receive",
    "dataflow.send": "send",
    "agen.vector_load": "load",
    "agen.vector_store": "store",
}
_ELEMENTWISE = frozenset(
    {
        "headrace.compute",
        *(
            f"vectorchain.{n}"
            for n in (
                "binary", "multiply", "multiply_and_accumulate", "element_wise_compare", "element_wise_selection",
                "neg", "floor", "cast",
            )
        ),
    }
)  # fmt: skip


class ChannelMoves:
    """`Moves` of DataflowIR."""

    def __init__(self, peers: Callable[..., Any], depth: Callable[..., int], same: Callable[..., bool]):
        self.peers, self.depth, self.same = peers, depth, same

    def kind(self, op: Any, local: frozenset[SSAValue]) -> Kind | None:
        """A transfer whose channel or view is made outside of the loop."""
        found = _KINDS.get(op.name)
        fixed = op.operands[0] if found in ("receive", "send") else getattr(op, "mem_ref", None)
        return None if fixed is None or fixed in local else found

    def elementwise(self, op: Any) -> bool:
        """Lane by lane, or lanes of one input in another order."""
        if op.name == "vectorchain.shuffle":
            return getattr(op, "mask", None) is None and not (op.variable or op.pad)
        return op.name in _ELEMENTWISE and getattr(op, "mask", None) is None

    def data(self, op: Any) -> SSAValue:
        """The vector that is sent or stored."""
        return op.operands[1] if op.name == "dataflow.send" else op.operands[0]

    def ends(self, f: Any, plan: LoopPlan) -> Ends:
        """The channels between the running unit and its peers."""
        peers = tuple(f.get(op.operands[0]) for op, kind, _ in plan.steps if kind in ("receive", "send"))
        known = f.__dict__.setdefault("ends", {})
        found = known.get(plan)
        if found is not None and all(a is b for a, b in zip(found[0], peers, strict=True)):
            return found[1]
        channels, readers = f.session.channels, f.session.readers
        ends = Ends(readers=readers)
        known[plan] = peers, ends
        for op, kind, _ in plan.steps:
            if kind == "receive":
                (peer,) = self.peers(f, op.operands[0], op)
                ends.takes(op, channels.setdefault((peer, f.unit), deque()))
            elif kind == "send":
                for peer in self.peers(f, op.operands[0], op):
                    depth = self.depth(f.session, f.unit.kind, peer.kind)
                    ends.gives(op, channels.setdefault((f.unit, peer), deque()), depth)
        return ends

    def take(self, f: Any, op: Any, kind: str, batch: Batch) -> None:
        """Receive or load."""
        result = op.results[0]
        if kind == "receive":
            items = batch.ends.items(op, batch.count)
            wanted = result.type
            if any(t is not wanted and not self.same(t, wanted) for _, t in items):
                raise OneByOne
            f.values[result] = np.array([values for values, _ in items])
            return
        view, bases, shape, strides = self._rows(f, op, "load", batch)
        f.values[result] = read_rows(view.space, bases, shape, strides, view.dtype)

    @staticmethod
    def _rows(f: Any, op: Any, prefix: str, batch: Batch) -> tuple[Any, Array, tuple[int, ...], tuple[int, ...]]:
        plan = vectors.vector_plan(f, op, prefix)
        view = f.get(plan.view)
        strided = vectors.strided_at(f, op, plan, view)
        if strided is None or plan.forms is None:
            raise OneByOne
        base, step = vectors.box(view, plan.origin(f), strided)
        return view, per_iteration(base, batch.count), (len(plan.points),), (step,)

    def store(self, f: Any, op: Any, rows: Array, batch: Batch) -> Callable[[], None]:
        """Store one vector an iteration."""
        view, bases, shape, strides = self._rows(f, op, "store", batch)
        if rows.shape[1:] != shape:
            raise OneByOne
        return lambda: write_rows(view.space, bases, shape, strides, view.dtype, rows)

    def items(self, op: Any, rows: Array) -> list[Any]:
        """Vectors with their type."""
        t = op.operands[1].type
        return [(row, t) for row in rows]

    def sent(self, f: Any, op: Any, count: int) -> None:
        """For reports."""
        f.session.sends += count
        for peer in self.peers(f, op.operands[0], op):
            f.session.last[(f.unit, peer)] = op


