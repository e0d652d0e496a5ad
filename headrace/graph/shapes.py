"""Dynamic dimensions of tensors as index values, and contiguity of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.diagnostics import op_error
from headrace.ir.slices import kept_dims

INDEX = IndexType()


def constant_of(value: SSAValue | int) -> int | None:
    """The number a value is known to be."""
    if isinstance(value, int):
        return value
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "arith.constant":
        attr = owner.properties.get("value")
        if isinstance(attr, IntegerAttr):
            return attr.value.data
    return None


class Constants:
    """Index constants at the head of a function's entry block, one per number."""

    def __init__(self, entry: Block):
        self.entry = entry
        self.found: dict[tuple[int, Any], SSAValue] = {}

    def get(self, number: int, kind: Any = INDEX) -> SSAValue:
        """The value of a constant."""
        key = (number, kind)
        found = self.found.get(key)
        if found is None:
            op = arith.ConstantOp.create(
                result_types=[kind], properties={"value": IntegerAttr(number, kind)}
            )
            first = self.entry.first_op
            if first is None:
                self.entry.add_op(op)
            else:
                self.entry.insert_op_before(op, first)
            found = self.found[key] = op.results[0]
        return found


class Dims:
    """The dynamic dimensions of tensor values; new `tensor.dim` operations only at block arguments and control flow."""

    def __init__(self, constants: Constants):
        self.constants = constants
        self.known: dict[SSAValue, list[SSAValue]] = {}

    def of(self, value: SSAValue) -> list[SSAValue]:
        """One index value per dynamic dimension."""
        kind = value.type
        if not isinstance(kind, TensorType) or DYNAMIC_INDEX not in kind.get_shape():
            return []
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._derive(value, kind)
        return found

    def all(self, value: SSAValue) -> list[SSAValue]:
        """One index value per dimension, static ones as constants."""
        dynamic = iter(self.of(value))
        return [
            next(dynamic) if n == DYNAMIC_INDEX else self.constants.get(n)
            for n in value.type.get_shape()  # pyright: ignore[reportAttributeAccessIssue]
        ]

    def _derive(self, value: SSAValue, kind: TensorType[Any]) -> list[SSAValue]:
        owner = value.owner
        if not isinstance(owner, Operation):
            return self._query(value, kind, owner, None)
        name = owner.name
        if name in ("tensor.empty", "tensor.generate"):
            return list(owner.operands)
        if name == "tensor.splat":
            return list(owner.operands[1:])
        kept = name in ("flow.tensor.transfer", "hal.tensor.transients", "tensor.insert_slice")
        if kept or name.startswith(("arith.", "math.")):
            at = 1 if name == "tensor.insert_slice" else 0
            return self._pick(self.all(owner.operands[at]), kind)
        if name == "flow.tensor.update":
            return self._pick(self.all(owner.operands[0]), kind)
        if name.startswith("linalg."):
            inputs = len(owner.operands) - len(owner.results)
            return self._pick(self.all(owner.operands[inputs + _position(owner, value)]), kind)
        if name in ("tensor.cast", "arith.select"):
            return self._pick(self.all(owner.operands[-1]), kind)
        if name in ("flow.dispatch", "flow.tensor.slice", "flow.tensor.splat"):
            from headrace.ir.dialects._stream_format import dims_needed, group

            dims = iter(group(owner, "result_dims"))
            for result in owner.results:
                mine = [next(dims) for _ in range(dims_needed(result.type))]
                if result is value:
                    return mine
        if name == "tensor.extract_slice":
            op: Any = owner
            sizes = self._mixed(op.static_sizes, op.sizes)
            static = list(op.static_sizes.get_values())
            kept = kept_dims(static, kind.get_shape())
            return self._pick([self._value(sizes[k]) for k in kept], kind)
        if name == "tensor.expand_shape":
            op = owner
            sizes = self._mixed(op.properties["static_output_shape"], op.operands[1:])
            return self._pick([self._value(n) for n in sizes], kind)
        return self._query(value, kind, owner.parent, owner)

    def _mixed(self, static: Any, dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
        values = iter(dynamic)
        return [next(values) if n == DYNAMIC_INDEX else int(n) for n in static.get_values()]

    def _value(self, item: SSAValue | int) -> SSAValue:
        return self.constants.get(item) if isinstance(item, int) else item

    def _pick(self, dims: Sequence[SSAValue], kind: TensorType[Any]) -> list[SSAValue]:
        return [d for d, n in zip(dims, kind.get_shape(), strict=True) if n == DYNAMIC_INDEX]

    def _query(
        self, value: SSAValue, kind: TensorType[Any], block: Block | None, after: Operation | None
    ) -> list[SSAValue]:
        """`tensor.dim` right behind the definition, unless the program has one there already."""
        found: list[SSAValue] = []
        assert block is not None
        for k, n in enumerate(kind.get_shape()):
            if n != DYNAMIC_INDEX:
                continue
            op = tensor.DimOp.create(operands=[value, self.constants.get(k)], result_types=[INDEX])
            if after is not None:
                block.insert_op_after(op, after)
            else:
                at = self.constants.get(k).owner
                if isinstance(at, Operation) and at.parent is block:
                    block.insert_op_after(op, at)
                elif block.first_op is not None:
                    block.insert_op_before(op, block.first_op)
            found.append(op.results[0])
        return found


def _position(op: Operation, value: SSAValue) -> int:
    return next(i for i, r in enumerate(op.results) if r is value)


def contiguous(op: Any, shape: Sequence[int]) -> bool:
    """Whether a slice operation covers one run of bytes of a tensor of `shape`: 1, .., 1, any, full, .., full."""
    offsets, sizes, strides = (
        list(getattr(op, f"static_{n}").get_values()) for n in ("offsets", "sizes", "strides")
    )
    if any(s != 1 for s in strides):
        return False
    k = len(shape)
    while k > 0 and shape[k - 1] != DYNAMIC_INDEX and sizes[k - 1] == shape[k - 1] and offsets[k - 1] == 0:
        k -= 1
    return all(n == 1 for n in sizes[: max(0, k - 1)])


def require_static_rank(op: Operation) -> None:
    """Raise for operations whose shape is data."""
    raise op_error(op, "a shape computed from data is not supported in a graph")
