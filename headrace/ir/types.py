"""From MLIR types to `numerics` element types, and small questions about types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    ShapedType,
    StringAttr,
    TensorType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute

from headrace.numerics import dtypes

_FLOATS: dict[type, str] = {Float16Type: "f16", BFloat16Type: "bf16", Float32Type: "f32", Float64Type: "f64"}


INDEX = IndexType()
"""The index type, made once."""
_NONE = NoneAttr()
_SHAPED = frozenset({TensorType, MemRefType, VectorType})


@lru_cache(maxsize=4096)
def integer_attr(value: int, kind: IndexType | IntegerType) -> IntegerAttr:
    """The `IntegerAttr` of a value and a type; checked once, for passes that make one per unit."""
    return IntegerAttr(value, kind)


def memref_type(
    element: Attribute, shape: Iterable[int], layout: Attribute = _NONE, memory_space: Attribute = _NONE
) -> MemRefType:
    """The `MemRefType` of extents that are numbers; made once, as xDSL's constructor makes a constraint each time."""
    return _memref_type(element, tuple(shape), layout, memory_space)


@lru_cache(maxsize=4096)
def _memref_type(element: Attribute, shape: tuple[int, ...], layout: Attribute, space: Attribute) -> MemRefType:
    return MemRefType.new([ArrayAttr([IntAttr(n) for n in shape]), element, layout, space])


@lru_cache(maxsize=4096)
def integers(*values: int) -> DenseArrayBase[IntegerType]:
    """`array<i64: ...>`, as `integer_attr`."""
    return DenseArrayBase.from_list(i64, values)


@lru_cache(maxsize=4096)
def segment_sizes(*sizes: int) -> DenseArrayBase[IntegerType]:
    """`array<i32: ...>` for the numbers of operands of each group, as `integer_attr`."""
    return DenseArrayBase.from_list(i32, sizes)


@lru_cache(maxsize=4096)
def string_attr(text: str) -> StringAttr:
    """The `StringAttr` of a text, as `integer_attr`."""
    return StringAttr(text)


@lru_cache(maxsize=4096)
def string_array(*texts: str) -> ArrayAttr[StringAttr]:
    """The `ArrayAttr` of several texts, as `integer_attr`."""
    return ArrayAttr([string_attr(text) for text in texts])


@lru_cache(maxsize=4096)
def vector_type(element: Attribute, *shape: int) -> VectorType:
    """The `VectorType` of an element type and extents, as `integer_attr`."""
    return VectorType(element, shape)


def integer_values(array: Attribute) -> tuple[int, ...]:
    """The numbers of a `DenseArrayBase` of signed integers; each content is unpacked once."""
    assert isinstance(array, DenseArrayBase) and isinstance(array.elt_type, IntegerType)
    return _unpacked(array.data.data, array.elt_type.width.data)


@lru_cache(maxsize=4096)
def _unpacked(data: bytes, width: int) -> tuple[int, ...]:
    size = width // 8
    return tuple(int.from_bytes(data[i : i + size], "little", signed=True) for i in range(0, len(data), size))


def element_type(kind: Attribute) -> Attribute:
    """The element type of a tensor, memref or vector; any other type is its own."""
    return kind.element_type if type(kind) in _SHAPED else kind  # pyright: ignore[reportAttributeAccessIssue]


def dtype_name(kind: Attribute) -> str | None:
    """The name of the `DType` of a scalar or shaped type, None if there is none."""
    kind = element_type(kind)
    if (name := _FLOATS.get(type(kind))) is not None:
        return name
    if isinstance(kind, IndexType):
        return "index"
    if isinstance(kind, IntegerType):
        name = f"i{kind.width.data}"
        return name if name in ("i1", "i8", "i16", "i32", "i64") else None
    return "df16" if kind.name == "spyreop.df16" else None


def dtype_of(kind: Attribute) -> dtypes.DType:
    """The `DType` of a scalar type or of the elements of a shaped one; `ValueError` if there is none."""
    name = dtype_name(kind)
    if name is None:
        raise ValueError(f"no element type for {kind}")
    return dtypes.get(name)


def static_shape(kind: Attribute) -> tuple[int, ...] | None:
    """The shape, or None if the type has none or an extent is dynamic."""
    if not isinstance(kind, ShapedType):
        return None
    shape: Sequence[int] = kind.get_shape()
    return None if DYNAMIC_INDEX in shape else tuple(shape)
