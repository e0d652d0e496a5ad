"""Building operations in order, with index constants and sizes shared by their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from headrace.graph.shapes import Constants, constant_of
from headrace.ir.dialects._stream_format import make_op

INDEX = IndexType()
Value = SSAValue | int


class Builder:
    """Appends to a block, or inserts in front of an operation."""

    def __init__(self, constants: Constants, block: Block, before: Operation | None = None):
        self.constants = constants
        self.block = block
        self.before = before
        self.location: Any = None

    def add(self, op: Operation) -> Operation:
        """Put an operation at the current place."""
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def make(
        self,
        cls: Any,
        operands: Mapping[str, SSAValue | Sequence[SSAValue] | None],
        results: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Any] = (),
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Any:
        """A new operation at the current place."""
        op = make_op(cls, operands, results, properties, regions, attributes, self.location)
        self.add(op)
        return op

    def value(self, item: Value) -> SSAValue:
        """A number as a constant, a value as it is."""
        return self.constants.get(item) if isinstance(item, int) else item

    def _binary(self, cls: Any, left: SSAValue, right: SSAValue) -> SSAValue:
        op = cls.create(operands=[left, right], result_types=[INDEX])
        if self.location is not None:
            op.location = self.location
        self.add(op)
        return op.results[0]

    def sum(self, left: Value, right: Value) -> SSAValue:
        """`left + right`, folded."""
        a, b = constant_of(left), constant_of(right)
        if a is not None and b is not None:
            return self.constants.get(a + b)
        if a == 0:
            return self.value(right)
        if b == 0:
            return self.value(left)
        return self._binary(arith.AddiOp, self.value(left), self.value(right))

    def product(self, left: Value, right: Value) -> SSAValue:
        """`left * right`, folded."""
        a, b = constant_of(left), constant_of(right)
        if a is not None and b is not None:
            return self.constants.get(a * b)
        if a == 1:
            return self.value(right)
        if b == 1:
            return self.value(left)
        if a == 0 or b == 0:
            return self.constants.get(0)
        return self._binary(arith.MuliOp, self.value(left), self.value(right))


def retype(value: SSAValue, kind: Attribute) -> None:
    """Change the type of a value in place."""
    value._type = kind  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
