"""Partitioning of one block: which operations are submitted together, in which order, waiting for what.

A partition runs on one device. Two objectives:

`min-peak-memory`  program order; an operation joins the open partition of its device unless something it needs comes
                   after that partition, so that as little as possible is submitted.
`max-concurrency`  operations are ordered by list scheduling along critical paths (dispatches on devices, transfers on
                   links); a partition ends where another device waits for its last operation, and starts where its
                   first one waits for another device.

Dependences are values, in-place writes after the readers of the same storage, and globals. They are kept transitively
closed as bit sets, one bit a node, so that the acyclicity check of an operation is a few bit tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.dialects._stream_format import tied_operands
from headrace.ir.dialects.hal import device_of, queue_mask
from headrace.stream.costs import Costs, place_of
from headrace.stream.host_effects import HOST_ACCESS, PURE_HOST, EffectOrder, blocks_host, effects_of, has_work
from headrace.stream.list_schedule import CLONED, BlockGraph, list_schedule
from headrace.stream.storage import MUTATING, STREAMABLE, Storage, is_resource


@dataclass
class Node:
    """A partition, a region operation with device work, an effect on the host, or the block's start."""

    kind: str
    index: int
    ops: list[Operation] = field(default_factory=list[Operation])
    key: Any = None
    affinity: Any = None
    direct: set[int] = field(default_factory=set[int])
    """Nodes whose work must be over, or whose value is needed on the host."""
    order: set[int] = field(default_factory=set[int])
    """Nodes that only come first in the text: effects on the host keep their order."""
    reach: int = 0
    """Bit set of this node and all nodes that come before it for either reason."""
    cover: int = 0
    """Bit set of this node and all nodes whose work is over before it starts."""
    rank: int = 0
    blocks: bool = False
    """Whether the host waits inside."""
    open: bool = True


def bits(value: int) -> Iterator[int]:
    """Positions of the set bits, ascending."""
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low


def _mask(indices: set[int]) -> int:
    return sum(1 << i for i in indices)


class Partitioner:
    """The nodes of one block."""

    def __init__(self, block: Block, storage: Storage, costs: Costs, favour: str, has_start: bool, nested: bool):
        self.block = block
        self.storage = storage
        self.costs = costs
        self.favour = favour
        self.nodes: list[Node] = []
        self.of: dict[Operation, Node] = {}
        self.value_nodes: dict[SSAValue, int] = {}
        """Bit set of the nodes a value comes directly from."""
        self.readers: dict[SSAValue, int] = {}
        self.writers: dict[SSAValue, int] = {}
        self.globals: dict[str, int] = {}
        self.effects = EffectOrder()
        self.base = 0
        if has_start:
            self._node("start", 0)
            self.base = 1 if nested else 0
        self.start = 1 if has_start else 0
        self.cloned: dict[SSAValue, Operation] = {}
        self.order: dict[Operation, int] = {op: i for i, op in enumerate(block.ops)}
        self.open: dict[Any, Node] = {}

    def run(self) -> list[Node]:
        """Build the nodes."""
        ops = list(self.block.ops)
        if self.favour == "max-concurrency":
            ops = list_schedule(BlockGraph(self.block, self.storage, self.costs))
        for rank, op in enumerate(ops):
            self._visit(op, rank)
        return self.nodes

    # ---- one operation ----------------------------------------------------------------------------------------------

    def _node(self, kind: str, rank: int, key: Any = None) -> Node:
        node = Node(kind, len(self.nodes), key=key, rank=rank)
        node.reach = node.cover = 1 << node.index | self.base
        self.nodes.append(node)
        return node

    def _visit(self, op: Operation, rank: int) -> None:
        name = op.name
        if op is self.block.last_op:
            return
        if name in CLONED:
            for result in op.results:
                self.cloned[result] = op
            self._read_scalars(op)
            return
        if name in STREAMABLE:
            self._assign(op, rank, self._needs(op))
            return
        if name.startswith("scf.") and has_work(op):
            self._region(op, rank)
            return
        if name.startswith(PURE_HOST) or name == "stream.tensor.export" or name == "stream.tensor.import":
            self._read_scalars(op)
            return
        needs = self._needs(op)
        if name in ("util.global.load", "util.global.store"):
            self._global(op, needs, rank)
            return
        node = self._node("host", rank)
        node.ops.append(op)
        self.of[op] = node
        self._depend(node, needs, self._ordered(op, node))
        node.blocks = name in HOST_ACCESS
        for result in op.results:
            self.value_nodes[result] = 1 << node.index

    def _ordered(self, op: Operation, node: Node) -> int:
        """Nodes whose effects come before those of an operation."""
        return _mask(self.effects.add(node.index, effects_of(op)))

    def _read_scalars(self, op: Operation) -> None:
        needs = 0
        for value in op.operands:
            needs |= self.value_nodes.get(value, 0)
        if needs:
            for result in op.results:
                self.value_nodes[result] = needs

    def _global(self, op: Any, needs: int, rank: int) -> None:
        name = op.global_.string_value()
        node = self._node("host", rank)
        node.ops.append(op)
        self.of[op] = node
        self._depend(node, needs, self._ordered(op, node))
        if op.name == "util.global.load":
            before = self.globals.get(name, self.start)
            for result in op.results:
                self.value_nodes[result] = before | (1 << node.index)
        else:
            self.globals[name] = needs | (1 << node.index)

    def _needs(self, op: Operation) -> int:
        """Nodes an operation comes directly after."""
        needs = 0
        for value in op.operands:
            needs |= self.value_nodes.get(value, 0)
        if op.name in MUTATING:
            for tie in tied_operands(op):
                if tie >= 0:
                    root = self.storage.hazard(op.operands[tie])
                    needs |= self.readers.get(root, 0) | self.writers.get(root, 0)
        return needs

    def _touch(self, op: Operation, node: Node) -> None:
        """Note what an operation reads and writes."""
        bit = 1 << node.index
        tied = {t for t in tied_operands(op) if t >= 0} if op.name in MUTATING else set()
        for index, value in enumerate(op.operands):
            if is_resource(value):
                root = self.storage.hazard(value)
                if index in tied:
                    self.writers[root] = self.writers.get(root, 0) | bit
                self.readers[root] = self.readers.get(root, 0) | bit
        for result in op.results:
            self.value_nodes[result] = bit

    def _assign(self, op: Operation, rank: int, needs: int) -> None:
        place = place_of(op)
        key = (device_of(place), queue_mask(place))
        link = self.costs.link(op)
        timed = self.favour == "max-concurrency"
        if timed and link is not None:
            key = ("link", *link)
        # A collective waits for the other devices: nothing else may be in its execution, or these could wait for it.
        alone = op.name == "stream.async.collective"
        node = self.open.get(key)
        if alone or node is None or not node.open or not self._may_join(node, needs, key):
            node = self._node("partition", rank, key)
            node.affinity = place
            self.open[key] = node
        if alone or (timed and link is not None):
            node.open = False
        node.ops.append(op)
        self.of[op] = node
        self._depend(node, needs)
        self._touch(op, node)
        if timed and link is None and self._awaited_elsewhere(op, key):
            node.open = False

    def _may_join(self, node: Node, needs: int, key: Any) -> bool:
        bit = 1 << node.index
        for other in bits(needs & ~bit):
            if self.nodes[other].reach & bit:
                return False
            if self.favour == "max-concurrency" and not node.reach >> other & 1:
                if self.nodes[other].key != key:
                    return False
        return True

    def _awaited_elsewhere(self, op: Operation, key: Any) -> bool:
        for result in op.results:
            for use in result.uses:
                user = use.operation
                if user.parent is not self.block:
                    return True
                if user.name in STREAMABLE and user.name not in CLONED:
                    place = place_of(user)
                    if self.costs.link(user) is not None or (device_of(place), queue_mask(place)) != key:
                        return True
                elif user.name.startswith("scf.") or user.name == "stream.async.load":
                    return True
        return False

    def _depend(self, node: Node, needs: int, order: int = 0) -> None:
        bit = 1 << node.index
        needs &= ~bit
        order &= ~(bit | needs)
        node.direct.update(bits(needs & ~_mask(node.direct)))
        node.order.update(bits(order))
        reach, cover = node.reach, node.cover
        for other in bits(needs & ~cover):
            cover |= self.nodes[other].cover
        for other in bits((needs | order) & ~reach):
            reach |= self.nodes[other].reach
        if (reach, cover) == (node.reach, node.cover):
            return
        node.reach, node.cover = reach, cover
        if len(node.ops) > 1:
            for other in self.nodes:
                if other.reach & bit:
                    other.reach |= reach
                if other.cover & bit:
                    other.cover |= cover

    def _region(self, op: Operation, rank: int) -> None:
        node = self._node("region", rank)
        node.ops.append(op)
        self.of[op] = node
        bit = 1 << node.index
        needs = 0
        node.blocks = blocks_host(op)
        touched: set[SSAValue] = set()
        written: set[SSAValue] = set()
        names: set[str] = set()
        for value in op.operands:
            needs |= self.value_nodes.get(value, 0)
        for inner in op.walk():
            if inner is not op:
                for value in inner.operands:
                    needs |= self.value_nodes.get(value, 0)
            for index, value in enumerate(inner.operands):
                if is_resource(value):
                    root = self.storage.hazard(value)
                    touched.add(root)
                    if inner.name in MUTATING and index in tied_operands(inner):
                        written.add(root)
            if inner.name in ("util.global.load", "util.global.store"):
                name = inner.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
                names.add(name)
                needs |= self.globals.get(name, self.start)
                if inner.name == "util.global.store":
                    # What it replaces is freed inside, after everything that may still read it.
                    written |= self.storage.of_global(name)
        if op.name == "scf.while":
            written.update(self.storage.hazard(v) for v in op.operands if is_resource(v))
        for root in written:
            needs |= self.readers.get(root, 0) | self.writers.get(root, 0)
        self._depend(node, needs, self._ordered(op, node))
        for root in sorted(touched, key=id):
            self.readers[root] = self.readers.get(root, 0) | bit
        for root in sorted(written, key=id):
            self.writers[root] = self.writers.get(root, 0) | bit
        for name in names:
            self.globals[name] = self.globals.get(name, 0) | bit
        for result in op.results:
            self.value_nodes[result] = bit
