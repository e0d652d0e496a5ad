"""What a memref value of a scheduled program is: its memory, address, layout, and which buffers it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from headrace.ir.construct import operand_groups
from headrace.ir.diagnostics import error
from headrace.ir.types import dtype_of, integer_values
from headrace.scheduler.linear import Linear, linear

Extent = int | SSAValue


@dataclass(frozen=True, eq=False)
class Chain:
    """A memref resolved through casts to what gives it its address.

    `base` is the address value in `unit` ("byte" or "element"), `offset` the displacement in elements.
    `view_sizes` is the shape of the whole view, `sizes` and `strides` (elements) those of the memref itself.
    """

    value: SSAValue
    source: Operation
    space: Attribute
    element_type: Attribute
    base: Linear
    unit: str
    offset: Linear
    view_sizes: tuple[Extent, ...]
    sizes: tuple[Extent, ...]
    strides: tuple[Extent, ...]

    @property
    def element_bytes(self) -> int:
        """Bytes of one element in memory."""
        return dtype_of(self.element_type).bytes

    @property
    def is_buffer(self) -> bool:
        """Whether this is a buffer with an assigned address (not a view of the kernel)."""
        return self.source.name == "builtin.unrealized_conversion_cast"

    def byte_range(self) -> tuple[int, int] | None:
        """[first, end) byte of the whole view where address and shape are constants."""
        if not self.base.is_const:
            return None
        strides = self.strides
        sizes = self.view_sizes
        if self.source.name == "ktdp.construct_memory_view":
            strides = view_strides(self.source)
        span = 1
        for size, stride in zip(sizes, strides, strict=True):
            if not isinstance(size, int) or not isinstance(stride, int):
                return None
            span += max(size - 1, 0) * abs(stride)
        start = self.base.const * (self.element_bytes if self.unit == "element" else 1)
        return start, start + span * self.element_bytes


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """Strides (elements) of a dense row-major array."""
    strides = [1] * len(sizes)
    for d in range(len(sizes) - 2, -1, -1):
        strides[d] = strides[d + 1] * sizes[d + 1]
    return tuple(strides)


def mixed(static: Sequence[int], dynamic: Sequence[SSAValue]) -> tuple[Extent, ...]:
    """Merge a static list with the operands of its dynamic entries."""
    it = iter(dynamic)
    return tuple(next(it) if s == DYNAMIC_INDEX else s for s in static)


def view_strides(view: Operation) -> tuple[Extent, ...]:
    """Strides (elements) of a `ktdp.construct_memory_view`."""
    return mixed(integer_values(view.properties["static_strides"]), operand_groups(view)[2])


def resolve(value: SSAValue) -> Operation:
    """The operation that makes `value`, looking through results of private regions."""
    while isinstance(value, OpResult):
        owner = value.op
        if owner.name != "ktdf.private":
            return owner
        value = owner.regions[0].block.last_op.operands[value.index]  # type: ignore[union-attr]
    assert isinstance(value, BlockArgument)
    raise error(value.owner, "a memref block argument cannot be lowered to DataflowIR")


def candidates(value: SSAValue) -> list[SSAValue]:
    """The memrefs that `value` may be: several for the result of a `select_memref`."""
    op = resolve(value)
    if op.name == "ktdf.select_memref":
        return [c for v in op.operands[1:] for c in candidates(v)]
    return [value]


def address_unit(view: Operation, base: Linear) -> str:
    """Unit of a view's address: bytes when it derives from an argument, else elements (the module may override)."""
    parent = view.parent_op()
    while parent is not None:
        attr = parent.attributes.get("headrace.address_unit")
        if attr is not None:
            return attr.data  # type: ignore[attr-defined]
        parent = parent.parent_op()
    return "byte" if any(_reaches_argument(v) for v in base.terms) else "element"


def _reaches_argument(value: SSAValue) -> bool:
    seen: set[SSAValue] = set()
    work = [value]
    while work:
        v = work.pop()
        if v in seen:
            continue
        seen.add(v)
        owner = v.owner
        if isinstance(owner, Block):
            parent = owner.parent_op()
            if parent is not None and parent.name == "func.func":
                return True
        else:
            work.extend(owner.operands)
    return False


class Chains:
    """Resolved memrefs of one function, by value."""

    def __init__(self) -> None:
        self._cache: dict[SSAValue, Chain] = {}

    def of(self, value: SSAValue) -> Chain:
        """Resolve `value`. Raises HeadraceError where the chain holds something that cannot be lowered."""
        chain = self._cache.get(value)
        if chain is None:
            chain = self._cache[value] = self._resolve(value)
        return chain

    def _resolve(self, value: SSAValue) -> Chain:
        offset: Linear | None = None
        sizes: tuple[Extent, ...] | None = None
        strides: tuple[Extent, ...] | None = None
        space: Attribute | None = None
        op = resolve(value)
        while True:
            for result in op.results:
                result_type = result.type
                if (
                    space is None
                    and isinstance(result_type, MemRefType)
                    and not isinstance(result_type.memory_space, NoneAttr)
                ):
                    space = result_type.memory_space
            if op.name == "memref.reinterpret_cast":
                if sizes is None:
                    groups = operand_groups(op)
                    (entry,) = mixed(integer_values(op.properties["static_offsets"]), groups[1])
                    sizes = mixed(integer_values(op.properties["static_sizes"]), groups[2])
                    strides = mixed(integer_values(op.properties["static_strides"]), groups[3])
                    offset = linear(entry)
            elif op.name not in ("memref.memory_space_cast", "memref.cast"):
                break
            op = resolve(op.operands[0])
        memref = value.type
        if not isinstance(memref, MemRefType):
            raise error(op, f"expected a memref, but got {memref}")
        if op.name == "ktdp.construct_memory_view":
            view_type = op.results[0].type
            assert isinstance(view_type, MemRefType)
            if space is None:
                space = op.properties.get("memory_space") or op.attributes.get("memory_space")
            if space is None:
                raise error(op, "construct_memory_view: no memory space found in chain")
            base = linear(op.operands[0])
            view_sizes = mixed(integer_values(op.properties["static_sizes"]), operand_groups(op)[1])
            if sizes is None or strides is None:
                sizes, strides = view_sizes, view_strides(op)
            return Chain(
                value, op, space, memref.element_type, base, address_unit(op, base), offset or Linear(0), view_sizes,
                sizes, strides,
            )  # fmt: skip
        if (
            op.name == "builtin.unrealized_conversion_cast"
            and op.operands
            and isinstance(op.operands[0].type, IndexType)
        ):
            if space is None:
                raise error(op, "unrealized_conversion_cast: buffer without memory space")
            buffer = op.results[0].type
            assert isinstance(buffer, MemRefType)
            shape = buffer.get_shape()
            if DYNAMIC_INDEX in shape:
                raise error(op, "unrealized_conversion_cast: dynamic shape not supported")
            dense: tuple[Extent, ...] = row_major(shape)
            if isinstance(buffer.layout, StridedLayoutAttr):
                dense = tuple(s.data for s in buffer.layout.strides)  # type: ignore[union-attr]
            if sizes is None or strides is None:
                sizes, strides = tuple(shape), dense
            return Chain(
                value, op, space, memref.element_type, linear(op.operands[0]), "byte", offset or Linear(0),
                tuple(shape), sizes, strides,
            )  # fmt: skip
        raise error(op, f"a memref made by '{op.name}' cannot be lowered to DataflowIR")
