"""Batches of loops in the stages of pipelines: FIFO slots, transfers, elementwise `linalg.generic` (see `batches`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, SSAValue

from headrace.interp.batches import (
    ELEMENTWISE,
    Batch,
    Ends,
    Kind,
    LoopPlan,
    OneByOne,
    combiner_name,
    per_iteration,
    read_rows,
    write_rows,
)
from headrace.interp.engine import Leaf
from headrace.interp.memrefs import read_whole, write_whole
from headrace.interp.structured import fold
from headrace.interp.values import IndirectView, View, element_dtype, static_shape

Array = NDArray[Any]


class SlotMoves:
    """`Moves` of ScheduleIR; `sides(op)` is the plan of a transfer (source, destination), `fitted(f, op, rows, count)`
    are its rows as long as the destination takes them."""

    def __init__(self, sides: Callable[[Any], Any], fitted: Callable[[Any, Any, Array, int], Array]):
        self.sides, self.fitted = sides, fitted

    def kind(self, op: Any, local: frozenset[SSAValue]) -> Kind | None:
        """A transfer between a memory and a queue made outside of the loop, or an elementwise generic."""
        match op.name:
            case "ktdf.read_from_fifo":
                fixed = op.operands[0] not in local and not isinstance(op.results[0].type, MemRefType)
                return "receive" if fixed and min(static_shape(op.results[0].type), default=0) >= 0 else None
            case "ktdf.write_to_fifo":
                return "send" if op.operands[1] not in local and op.operands[0].type.name == "tensor" else None
            case "ktdf.data_transfer":
                if op.source in local or op.destination in local:
                    return None
                memory = [isinstance(v.type, MemRefType) for v in (op.source, op.destination)]
                if memory == [True, False]:
                    return "forward"
                return "deposit" if memory == [False, True] and "transfer_mode" not in op.attributes else None
            case "linalg.generic":
                return "block" if _is_elementwise(op, local) else None
        return None

    def elementwise(self, op: Any) -> bool:
        """Only the operations of every level."""
        return False

    def data(self, op: Any) -> SSAValue:
        """The tensor that is pushed."""
        return op.operands[0]

    def ends(self, f: Any, plan: LoopPlan) -> Ends:
        """The queues of the slots."""
        ends = Ends()
        op: Any
        for op, kind, _ in plan.steps:
            if kind in ("receive", "deposit"):
                ends.takes(op, f.get(op.operands[0]).queue.messages)
            elif kind in ("send", "forward"):
                target = op.operands[1] if kind == "send" else op.destination
                ends.gives(op, f.get(target).queue.messages, None)
        return ends

    def take(self, f: Any, op: Any, kind: str, batch: Batch) -> None:
        """Pop, read or compute."""
        if kind == "block":
            _compute(f, op, batch)
        elif kind == "forward":
            side = f.session.plan(op, self.sides)[0]
            view = f.get(side.value)
            bases, sizes = boxes_of(f, side, view, batch.count)
            rows = read_rows(view.space, bases, sizes, view.strides, view.dtype).reshape(batch.count, -1)
            batch.rows[op] = self.fitted(f, op, rows, f.get(op.destination).count)
        else:
            items = batch.ends.items(op, batch.count)
            count = f.get(op.operands[0]).count
            if any(x.size != count for x in items):
                raise OneByOne
            rows = np.array(items)
            if kind == "receive":
                f.values[op.results[0]] = rows.reshape(batch.count, *static_shape(op.results[0].type))
            else:
                batch.rows[op] = rows

    def store(self, f: Any, op: Any, rows: Array, batch: Batch) -> Callable[[], None]:
        """Write one box an iteration."""
        side = f.session.plan(op, self.sides)[1]
        view = f.get(side.value)
        bases, sizes = boxes_of(f, side, view, batch.count)
        boxes = rows.reshape(batch.count, *sizes)

        def run() -> None:
            f.stored = True
            write_rows(view.space, bases, sizes, view.strides, view.dtype, boxes)

        return run

    def items(self, op: Any, rows: Array) -> list[Any]:
        """Messages."""
        return list(rows.reshape(len(rows), -1))

    def sent(self, f: Any, op: Any, count: int) -> None:
        """Nothing to note."""


def boxes_of(f: Any, side: Any, view: Any, count: int) -> tuple[Array, tuple[int, ...]]:
    """(base byte of every iteration, sizes) of the boxes of a transfer that stay in their view."""
    if not isinstance(view, View) or isinstance(view, IndirectView) or side.subscripts is None:
        raise OneByOne
    origin, sizes = side.box(f, view)
    if any(isinstance(n, np.ndarray) for n in sizes):
        raise OneByOne
    base: Any = view.base
    for o, n, extent, stride in zip(origin, sizes, view.sizes, view.strides, strict=True):
        if n < 0 or np.min(o) < 0 or np.max(o) + n > extent:
            raise OneByOne
        base = base + o * stride
    if 0 in sizes:
        raise OneByOne
    return per_iteration(base, count), tuple(sizes)


# -- elementwise generics --------------------------------------------------------------------------------------------


def _is_elementwise(op: Any, local: frozenset[SSAValue]) -> bool:
    """Whether a generic works point by point on operands of one shape, into tensors, or into one memref that nothing
    else in the loop touches, combining what it holds with one term an iteration."""
    for m in op.indexing_maps.data:
        if len(m.data.results) != m.data.num_dims or any(str(e) != f"d{k}" for k, e in enumerate(m.data.results)):
            return False
    block: Block = op.regions[0].blocks[0]
    if any(inner.name not in ELEMENTWISE | {"arith.constant", "linalg.yield"} for inner in block.ops):
        return False
    into_memory = [v for v in op.outputs if isinstance(v.type, MemRefType)]
    if any(isinstance(v.type, MemRefType) for v in op.inputs):
        return False
    if not into_memory:
        return all(v.type.name == "tensor" for v in op.operands)
    (target, *more) = op.outputs
    if more or target in local or any(use.operation is not op and _beside(use.operation, op) for use in target.uses):
        return False
    argument = block.args[-1]
    last = block.last_op
    if last is None or argument.uses.get_length() != 1:
        return False
    combine = last.operands[0].owner
    return (
        not isinstance(combine, Block)
        and len(combine.operands) == 2
        and argument in combine.operands
        and combiner_name(combine) is not None
        and combine.results[0].uses.get_length() == 1
    )


def _beside(a: Any, b: Any) -> bool:
    """Whether `a` stands in the block of `b`, at any depth."""
    while a is not None and a.parent is not b.parent:
        a = a.parent_op()
    return a is not None


def _compute(f: Any, op: Any, batch: Batch) -> None:
    """The body of a generic for every iteration."""
    block = op.regions[0].blocks[0]
    leaves: Mapping[str, Leaf] = f.session.leaves
    into = op.outputs[0] if isinstance(op.outputs[0].type, MemRefType) else None
    operands = [v for v in op.operands if v is not into]
    found = [batch.spread(v, f.get(v)) for v in operands]
    if any(x.shape != found[0].shape for x in found):
        raise OneByOne
    for name, value in zip(block.args, found, strict=False):
        f.values[name] = value
    last = block.last_op
    assert last is not None
    combine = last.operands[0].owner
    for inner in block.ops:
        if inner is not last and (into is None or inner is not combine):
            leaves[inner.name](f, inner)
    if into is None or isinstance(combine, Block):
        for result, value in zip(op.results, last.operands, strict=True):
            array = np.asarray(f.get(value))
            f.values[result] = array if array.ndim else np.broadcast_to(array, found[0].shape)
        return
    (term,) = (v for v in combine.operands if v is not block.args[-1])
    view = f.get(into)
    terms = np.asarray(f.get(term))
    if terms.shape[1:] != view.sizes:
        raise OneByOne
    dtype = element_dtype(combine.results[0].type)
    total = fold(combiner_name(combine) or "", read_whole(f, op, view), terms, dtype)
    batch.stores.append(lambda: write_whole(f, op, view, total))
