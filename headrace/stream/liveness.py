"""Liveness of storage on the scheduled program: which storage a value has, and when it is used, block by block.

Positions count the operations of a block's executions in order; a wave and a control flow operation take one position.
What is used inside of a loop or branch is used at the position of that operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.dialects._stream_format import group, tied_operands
from headrace.stream.storage import is_resource

REGIONS = frozenset({"scf.for", "scf.while", "scf.if"})


@dataclass
class Carried:
    """One resource position of a loop. `double`: a fresh buffer per iteration, two in turn; else one storage."""

    op: Operation
    position: int
    init: SSAValue
    argument: SSAValue
    yielded: SSAValue
    result: SSAValue | None
    double: bool


class Roots:
    """Storage classes of a scheduled function."""

    def __init__(self, entry: Block):
        self.parent: dict[SSAValue, SSAValue] = {}
        self.carried: dict[Operation, list[Carried]] = {}
        self.slots: dict[Operation, list[tuple[int, SSAValue]]] = {}
        """Results of branches (and of a while's condition) with storage of their own: (position, result)."""
        self.while_results: dict[SSAValue, SSAValue] = {}
        self._block(entry)

    def of(self, value: SSAValue) -> SSAValue:
        """The value whose storage this one has."""
        at = value
        parent = self.parent
        while at in parent:
            at = parent[at]
        while value in parent and parent[value] is not at:
            parent[value], value = at, parent[value]
        return at

    def share(self, value: SSAValue, source: SSAValue) -> None:
        """`value` has the storage of `source`."""
        root, mine = self.of(source), self.of(value)
        if root is not mine:
            self.parent[mine] = root

    def _block(self, block: Block) -> None:
        for op in block.ops:
            name = op.name
            if name in ("stream.async.execute", "stream.async.concurrent"):
                inner = op.regions[0].block
                for argument, value in zip(inner.args, group(op, "resource_operands"), strict=True):
                    self.share(argument, value)
                self._block(inner)
                assert inner.last_op is not None
                for result, value in zip(op.results, group(inner.last_op, "resource_operands"), strict=False):
                    self.share(result, value)
            elif name == "stream.timepoint.await":
                for result, value in zip(op.results, group(op, "resource_operands"), strict=True):
                    self.share(result, value)
            elif name in REGIONS:
                self._region(op)
            elif name.startswith("stream."):
                for result, tie in zip(op.results, tied_operands(op), strict=True):
                    if tie >= 0 and is_resource(result):
                        self.share(result, op.operands[tie])

    def _region(self, op: Operation) -> None:
        blocks = [r.blocks[0] for r in op.regions if r.blocks]
        found: list[Carried] = []
        if op.name == "scf.for":
            body = blocks[0]
            self._block(body)
            assert body.last_op is not None
            rows = zip(op.operands[3:], body.args[1:], body.last_op.operands, op.results, strict=True)
            for position, (init, argument, yielded, result) in enumerate(rows):
                if not is_resource(init):
                    continue
                double = self.of(yielded) is not self.of(argument)
                if not double:
                    self.share(argument, init)
                    self.share(result, init)
                found.append(Carried(op, position, init, argument, yielded, result, double))
        elif op.name == "scf.while":
            before, after = blocks
            self._block(before)
            assert before.last_op is not None and after.last_op is not None
            passed = list(before.last_op.operands[1:])
            for value, argument in zip(passed, after.args, strict=True):
                if is_resource(value):
                    self.share(argument, value)
            self._block(after)
            rows = zip(op.operands, before.args, after.last_op.operands, strict=True)
            for position, (init, argument, yielded) in enumerate(rows):
                if not is_resource(init):
                    continue
                double = self.of(yielded) is not self.of(argument)
                result = next(
                    (r for v, r in zip(passed, op.results, strict=True)
                     if is_resource(v) and self.of(v) is self.of(argument)), None
                )  # fmt: skip
                if not double:
                    self.share(argument, init)
                    if result is not None:
                        self.share(result, init)
                found.append(Carried(op, position, init, argument, yielded, result, double))
            known = {c.result for c in found if c.result is not None}
            self.slots[op] = [
                (i, r) for i, r in enumerate(op.results) if is_resource(r) and r not in known
            ]
        else:
            for block in blocks:
                self._block(block)
            slots: list[tuple[int, SSAValue]] = []
            for index, result in enumerate(op.results):
                if not is_resource(result):
                    continue
                ends = [b.last_op.operands[index] for b in blocks if b.last_op is not None]
                if len({id(self.of(v)) for v in ends}) == 1:
                    self.share(result, ends[0])
                else:
                    slots.append((index, result))
            self.slots[op] = slots
        self.carried[op] = found


@dataclass
class Use:
    """Uses of one storage in one block: first and last position, nodes (indices of operations in the block)."""

    start: int
    end: int
    nodes: set[int] = field(default_factory=set[int])
    last_op: int = 0
    """Index of the last operation that uses it, executions or not."""


def work_items(execute: Operation) -> Iterator[list[Any]]:
    """The operations of an execution, those of a wave together."""
    for op in execute.regions[0].block.ops:
        if op.name == "stream.async.concurrent":
            yield [o for o in op.regions[0].block.ops if o.name != "stream.yield"]
        elif op.name != "stream.yield":
            yield [op]


class BlockLiveness:
    """Uses of storage in the operations of one block."""

    def __init__(self, block: Block, roots: Roots):
        self.block = block
        self.roots = roots
        self.uses: dict[SSAValue, Use] = {}
        self.made: dict[SSAValue, Any] = {}
        """Storage made by an operation of an execution of this block: root -> that operation."""
        self.position: dict[Operation, tuple[int, int]] = {}
        """First and last position of each operation with work."""
        self.ops = list(block.ops)
        count = 0
        for index, op in enumerate(self.ops):
            first = count
            if op.name == "stream.async.execute":
                for items in work_items(op):
                    for item in items:
                        self._item(item, count, index)
                    count += 1
                self.position[op] = (first, max(first, count - 1))
            elif op.name in REGIONS:
                for inner in op.walk():
                    for value in (*inner.operands, *inner.results):
                        if is_resource(value):
                            self._use(roots.of(value), count, index, True)
                self.position[op] = (count, count)
                count += 1
            else:
                for value in (*op.operands, *op.results):
                    if is_resource(value):
                        self._use(roots.of(value), max(0, count - 1), index, False)
                self.position[op] = (max(0, count - 1), max(0, count - 1))
        self.count = count

    def _item(self, op: Any, position: int, index: int) -> None:
        for value in op.operands:
            if is_resource(value):
                self._use(self.roots.of(value), position, index, True)
        for result in op.results:
            if is_resource(result):
                root = self.roots.of(result)
                self._use(root, position, index, True)
                if root is result:
                    self.made[root] = op

    def _use(self, root: SSAValue, position: int, index: int, node: bool) -> None:
        found = self.uses.get(root)
        if found is None:
            found = self.uses[root] = Use(position, position)
        found.end = max(found.end, position)
        found.last_op = index
        if node:
            found.nodes.add(index)
