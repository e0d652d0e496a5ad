"""Affinity analysis: where each operation runs and where each tensor lives.

Explicit places win (`stream.affinity` on an operation or an ancestor, `iree.abi.affinity` on arguments and results,
`flow.tensor.transfer`). An operation without one runs where most bytes of its operands live; what has no operands
(constants, splats) where its first consumer runs. Values carried by a loop live where they enter it, so that a place
is decided before any transfer is inserted. What remains open is `stream.affinity.default`.
"""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from headrace.graph.inputs import argument_attributes
from headrace.ir.dialects.hal import affinity_of, device_of

EXPLICIT = "stream.affinity"
DEFAULT = "stream.affinity.default"
ABI = "iree.abi.affinity"
_OPEN = frozenset({"flow.tensor.splat", "tensor.empty", "arith.constant"})
"""Operations that are made where they are needed."""


def concrete(place: Attribute | None) -> Attribute | None:
    """A promise as the affinity it stands for."""
    from headrace.ir.dialects.hal import DevicePromiseAttr

    if isinstance(place, DevicePromiseAttr):
        device = device_of(place)
        assert device is not None
        return affinity_of(device, [q.value.data for q in place.queues.data])
    return place


class Placement:
    """Places of the operations and tensors of one function."""

    def __init__(self, module: ModuleOp, function: Any):
        self.default = concrete(module.attributes.get(DEFAULT))
        self.ops: dict[Operation, Attribute] = {}
        self.values: dict[SSAValue, Attribute] = {}
        self.globals: dict[str, Attribute] = {}
        self.results = [concrete(a.get(ABI)) for a in argument_attributes(function, results=True)]
        for op in module.body.block.ops:
            if op.name == "util.global" and EXPLICIT in op.attributes:
                self.globals[op.sym_name.data] = concrete(op.attributes[EXPLICIT])  # pyright: ignore
        entry = function.body.blocks[0]
        inherited = concrete(function.attributes.get(EXPLICIT))
        for value, attributes in zip(entry.args, argument_attributes(function), strict=True):
            place = concrete(attributes.get(ABI))
            if place is not None:
                self._set(value, place)
        for _ in range(8):
            self.changed = False
            self._forward(entry, inherited)
            if not self.changed:
                self._backward(entry)
                if not self.changed:
                    break

    def of(self, value: SSAValue) -> Attribute | None:
        """Where a tensor lives."""
        return self.values.get(value, self.default)

    def execution(self, op: Operation) -> Attribute | None:
        """Where an operation runs."""
        return self.ops.get(op, self.default)

    def _set(self, value: SSAValue, place: Attribute | None) -> None:
        if place is not None and value not in self.values:
            self.values[value] = place
            self.changed = True

    def _forward(self, block: Block, inherited: Attribute | None) -> None:
        for op in block.ops:
            explicit = concrete(op.attributes.get(EXPLICIT) or op.properties.get("affinity")) or inherited
            name = op.name
            if name.startswith("scf."):
                self._region(op, explicit)
                continue
            if name == "flow.tensor.transfer":
                self._set(op.results[0], concrete(op.properties["target"]))
                continue
            if name == "util.global.load":
                self._set(op.results[0], self.globals.get(op.global_.string_value()))  # pyright: ignore
                continue
            if name == "util.global.store":
                place = self.values.get(op.operands[0])
                if place is not None:
                    self.globals.setdefault(op.global_.string_value(), place)  # pyright: ignore
                continue
            if not any(isinstance(r.type, TensorType) for r in op.results):
                continue
            if explicit is None and name in _OPEN:
                continue
            place = self.ops.get(op) or explicit or self._vote(op)
            if place is not None:
                if op not in self.ops:
                    self.ops[op] = place
                    self.changed = True
                for r in op.results:
                    self._set(r, place)

    def _vote(self, op: Operation) -> Attribute | None:
        votes: dict[Attribute, int] = {}
        for value in op.operands:
            place = self.values.get(value)
            if place is not None and isinstance(value.type, TensorType):
                votes[place] = votes.get(place, 0) + prod(abs(n) for n in value.type.get_shape())
        return max(votes, key=lambda p: votes[p]) if votes else None

    def _region(self, op: Operation, inherited: Attribute | None) -> None:
        blocks = [region.blocks[0] for region in op.regions if region.blocks]
        if op.name == "scf.for":
            last = blocks[0].last_op
            assert last is not None
            carried = list(zip(op.operands[3:], blocks[0].args[1:], last.operands, op.results, strict=True))
            for init, argument, _, _ in carried:
                self._set(argument, self.values.get(init))
            self._forward(blocks[0], inherited)
            for _, argument, yielded, result in carried:
                self._set(argument, self.values.get(yielded))
                self._set(result, self.values.get(argument))
        elif op.name == "scf.while":
            before, after = blocks
            for init, argument in zip(op.operands, before.args, strict=True):
                self._set(argument, self.values.get(init))
            self._forward(before, inherited)
            assert before.last_op is not None and after.last_op is not None
            for passed, argument, result in zip(before.last_op.operands[1:], after.args, op.results, strict=True):
                self._set(argument, self.values.get(passed))
                self._set(result, self.values.get(passed))
            self._forward(after, inherited)
            for yielded, argument in zip(after.last_op.operands, before.args, strict=True):
                self._set(argument, self.values.get(yielded))
        else:
            for block in blocks:
                self._forward(block, inherited)
                if block.last_op is not None:
                    for yielded, result in zip(block.last_op.operands, op.results, strict=False):
                        self._set(result, self.values.get(yielded))

    def _backward(self, block: Block) -> None:
        """Open values live where they are used first."""
        for op in reversed(list(block.ops)):
            for region in op.regions:
                for inner in region.blocks:
                    self._backward(inner)
            for value in (*op.results, *(op.regions[0].blocks[0].args if op.name == "scf.for" else ())):
                if isinstance(value.type, TensorType) and value not in self.values:
                    self._set(value, self._used(value))
        parent = block.parent_op()
        if parent is None or not parent.name.startswith("scf."):
            for value in block.args:
                if isinstance(value.type, TensorType) and value not in self.values:
                    self._set(value, self._used(value))

    def _used(self, value: SSAValue) -> Attribute | None:
        for use in value.uses:
            op = use.operation
            if op in self.ops:
                return self.ops[op]
            if op.name == "util.return":
                place = self.results[use.index] if use.index < len(self.results) else None
                if place is not None:
                    return place
            elif op.name == "util.global.store":
                place = self.globals.get(op.global_.string_value())  # pyright: ignore
                if place is not None:
                    return place
            elif op.name == "scf.for" and use.index >= 3:
                place = self.values.get(op.regions[0].blocks[0].args[use.index - 2])
                if place is not None:
                    return place
            elif op.name == "scf.yield":
                parent = op.parent_op()
                target: SSAValue | None = None
                if parent is not None and parent.name == "scf.for":
                    target = parent.regions[0].blocks[0].args[use.index + 1]
                elif parent is not None and use.index < len(parent.results):
                    target = parent.results[use.index]
                if target is not None and target in self.values:
                    return self.values[target]
        return None


