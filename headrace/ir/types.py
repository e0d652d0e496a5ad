"""From MLIR types to `numerics` element types, and small questions about types."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute

from headrace.numerics import dtypes

_FLOATS: dict[type, str] = {Float16Type: "f16", BFloat16Type: "bf16", Float32Type: "f32", Float64Type: "f64"}


def element_type(kind: Attribute) -> Attribute:
    """The element type of a tensor, memref or vector; any other type is its own."""
    if isinstance(kind, TensorType | MemRefType | VectorType):
        return kind.element_type
    return kind


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
