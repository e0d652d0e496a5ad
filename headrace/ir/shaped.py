"""Builtin types in text: what MLIR demands of extents, element types, layouts and memory spaces."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ComplexType,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    UnrankedMemRefType,
    UnregisteredAttr,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.elements import ElementsParser

WIDEST = (1 << 24) - 1
"""Bits of the widest integer type."""
LONGEST = (1 << 63) - 1
"""The largest extent."""
_NUMBERS = (IntegerType, IndexType, AnyFloat)
_IN_TENSOR = (*_NUMBERS, ComplexType, VectorType)
_IN_MEMREF = (*_IN_TENSOR, MemRefType, UnrankedMemRefType)
_SPACES = (NoneAttr, IntegerAttr, StringAttr, DictionaryAttr)


def _holds(element: Attribute, kinds: tuple[Any, ...]) -> bool:
    """Whether a type is one of these or of a dialect of its own."""
    if isinstance(element, (*kinds, UnregisteredAttr)):
        return True
    return "." in element.name and not element.name.startswith("builtin.")


class ShapedParser(ElementsParser):
    """Reads integer, tensor, memref and vector types."""

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        at = self._current_token.span
        found = super().parse_shape_dimension(allow_dynamic)
        if found > LONGEST:
            self.raise_error("invalid dimension", at)
        return found

    def parse_dimension_list(self) -> list[int]:
        """`4 x ? x`: blanks may stand around each `x`; the last `x`, before a type, is left to the caller."""
        dims: list[int] = []
        while self._current_token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
            dims.append(self.parse_shape_dimension())
            at = self._current_token.span.start
            if not self._parse_optional_shape_delimiter():
                break
            if self._current_token.kind not in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
                self._resume_from(at)
                break
        return dims

    def _parse_optional_integer_or_float_type(self) -> Any:
        at = self._current_token.span
        found = super()._parse_optional_integer_or_float_type()
        if isinstance(found, IntegerType) and found.width.data > WIDEST:
            self.raise_error(f"integer bitwidth is limited to {WIDEST} bits", at)
        return found

    def _parse_tensor_attrs(self) -> Any:
        at = self._current_token.span
        kind: Any = super()._parse_tensor_attrs()
        if not _holds(kind.element_type, _IN_TENSOR):
            self.raise_error(f"invalid tensor element type: '{kind.element_type}'", at)
        return kind

    def _parse_vector_attrs(self) -> Any:
        at = self._current_token.span
        kind: Any = super()._parse_vector_attrs()
        if not _holds(kind.element_type, _NUMBERS):
            self.raise_error(f"vector elements must be int/index/float type but got '{kind.element_type}'", at)
        if 0 in kind.get_shape():
            self.raise_error("vector types must have positive constant sizes but got 0", at)
        return kind

    def _parse_memref_attrs(self) -> Any:
        at = self._current_token.span
        kind: Any = super()._parse_memref_attrs()
        space = kind.memory_space
        if not _holds(kind.element_type, _IN_MEMREF):
            self.raise_error(f"invalid memref element type: '{kind.element_type}'", at)
        if not _holds(space, _SPACES):
            self.raise_error("unsupported memory space Attribute", at)
        default = isinstance(space, IntegerAttr) and not space.value.data
        # An identity layout and the space 0 are the ones that a type has without them.
        if default:
            space = NoneAttr()
        if isinstance(kind, UnrankedMemRefType):
            return UnrankedMemRefType.from_type(kind.element_type, space) if default else kind
        layout, rank = kind.layout, len(kind.get_shape())
        if isinstance(layout, StridedLayoutAttr) and len(layout.strides) != rank:
            self.raise_error("expected the number of strides to match the rank", at)
        if isinstance(layout, AffineMapAttr) and layout.data.num_dims != rank:
            self.raise_error(
                f"memref layout mismatch between rank and affine map: {rank} != {layout.data.num_dims}", at
            )
        identity = isinstance(layout, AffineMapAttr) and layout.data.results == AffineMap.identity(rank).results
        if not identity and not default:
            return kind
        return MemRefType(kind.element_type, kind.shape, NoneAttr() if identity else layout, space)
