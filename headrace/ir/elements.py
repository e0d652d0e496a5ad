"""Elements of tensors in text: dense literals with MLIR's rules for bits and bytes, and sparse ones."""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import Parser as XdslParser
from xdsl.utils.mlir_lexer import MLIRTokenKind

LARGE_SPLAT = 1 << 22
"""Elements up to which a literal with one value stores it for each of them."""

_MINUS_BEFORE_BITS = "hexadecimal float literal should not have a leading minus"
_INTEGER_FOR_FLOAT = "unexpected decimal integer literal for a floating point value; add a dot to make it a float"


@irdl_attr_definition
class SparseElementsAttr(ParametrizedAttribute):
    """`sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>`: the elements at some coordinates, the others are zero."""

    name = "builtin.sparse_elements"
    type: Attribute = param_def()
    indices: DenseIntOrFPElementsAttr = param_def()
    values: DenseIntOrFPElementsAttr = param_def()

    def get_values(self) -> list[Any]:
        """All elements in row-major order."""
        shape = list(self.type.get_shape())  # pyright: ignore[reportAttributeAccessIssue]
        found: list[Any] = [0] * prod(shape)
        where = [int(v) for v in self.indices.get_values()]  # pyright: ignore[reportArgumentType]
        rank = len(shape)
        count = len(where) // rank if rank else 0
        given = list(self.values.get_values())
        for number in range(count):
            at = 0
            for position, extent in zip(where[number * rank : (number + 1) * rank], shape, strict=True):
                at = at * extent + position
            found[at] = given[number if len(given) > 1 else 0]
        return found


def splat_value(attr: Attribute | None) -> Any:
    """The one value of a dense constant whose elements are all the same bits, None for any other attribute."""
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    kind, data = attr.get_element_type(), attr.data.data
    width = kind.compile_time_size
    if not data or data != data[:width] * (len(data) // width):
        return None
    return kind.unpack(data[:width], 1)[0]


class _HexElement(XdslParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """A hexadecimal element of a dense literal: the bits of a float where the element type is one."""

    def to_float(self, parser: Any) -> float:
        kind = parser._dense_type.element_type
        assert isinstance(self.value, int)
        if self.value.bit_length() > kind.bitwidth:
            parser.raise_error("hexadecimal float constant out of range for type", self.span)
        return next(kind.iter_unpack(self.value.to_bytes(kind.compile_time_size, "little")))


class _IntElement(XdslParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """A decimal integer of a dense literal, which MLIR refuses where a float is wanted."""

    def to_float(self, parser: Any) -> float:
        if self.is_negative and self.span.text.lstrip("- ").startswith("0x"):
            parser.raise_error(_MINUS_BEFORE_BITS, self.span)
        parser.warn(_INTEGER_FOR_FLOAT, self.span)
        return super().to_float(parser)


class ElementsParser(XdslParser):
    """The part of the parser that reads dense and sparse literals, typed numbers and memref types."""

    _dense_type: Any = None

    def _parse_dense_literal_type(self) -> Any:
        self._dense_type = super()._parse_dense_literal_type()
        return self._dense_type

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> Any:
        self._dense_type = type
        token = self._current_token
        if token.kind == MLIRTokenKind.LESS:
            start = self.pos
            self._consume_token()
            if self._current_token.kind == MLIRTokenKind.STRING_LIT:
                return self._parse_bytes(type)
            if self._current_token.kind not in (MLIRTokenKind.L_SQUARE, MLIRTokenKind.GREATER):
                return self._parse_splat(type)
            self._resume_from(start)
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _parse_splat(self, type: Any) -> DenseIntOrFPElementsAttr:
        """`4> : type`: one value for all elements; of a huge type only the value is stored."""
        element = self._parse_tensor_literal_element()
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        kind: Any = type.element_type
        value = element.to_type(self, kind)
        if prod(type.get_shape()) <= LARGE_SPLAT:
            return DenseIntOrFPElementsAttr.from_list(type, [value])
        value = kind.get_normalized_value(value) if isinstance(kind, IntegerType) else value
        return DenseIntOrFPElementsAttr(type, BytesAttr(kind.pack([value])))

    def _parse_bytes(self, type: Any) -> DenseIntOrFPElementsAttr:
        """`"0x..."> : type`: little-endian bytes of all elements or of one; eight elements a byte for i1."""
        at = self._current_token.span
        text = self.parse_str_literal()
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        try:
            if text[:2] != "0x":
                raise ValueError
            data = bytes.fromhex(text[2:])
        except ValueError:
            self.raise_error("expected string containing hex digits starting with `0x`", at)
        count = prod(type.get_shape())
        element = type.element_type
        if element == i1:
            if len(data) == 1 and data[0] in (0, 255) and count > LARGE_SPLAT:
                return DenseIntOrFPElementsAttr(type, BytesAttr(element.pack([data[0] & 1])))
            if len(data) == 1 and data[0] in (0, 255):
                data = data * ((count + 7) // 8)
            if len(data) != (count + 7) // 8:
                self.raise_error("elements hex data size is invalid for provided type", at)
            bits = int.from_bytes(data, "little")
            return DenseIntOrFPElementsAttr.from_list(type, [bits >> n & 1 for n in range(count)])
        size = element.compile_time_size
        if len(data) == size and count > LARGE_SPLAT:
            return DenseIntOrFPElementsAttr(type, BytesAttr(data))
        if len(data) == size:
            data = data * count
        if len(data) != size * count:
            self.raise_error("elements hex data size is invalid for provided type", at)
        return DenseIntOrFPElementsAttr(type, BytesAttr(data))

    def _parse_tensor_literal_element(self) -> Any:
        token = self._current_token
        if token.kind == MLIRTokenKind.INTEGER_LIT and token.text[:2] == "0x":
            self._consume_token()
            return _HexElement(False, int(token.text, 16), token.span)
        found = super()._parse_tensor_literal_element()
        if type(found.value) is int:
            return _IntElement(found.is_negative, found.value, found.span)
        return found

    def parse_optional_builtin_int_or_float_attr(self) -> Any:
        span = self._current_token.span
        found = super().parse_optional_builtin_int_or_float_attr()
        if found is None:
            return found
        if isinstance(found.type, AnyFloat):
            written = self.lexer.input.content[span.start : self.pos].partition(":")[0].strip()
            number = written.lstrip("-").strip()
            if number[:2] == "0x" and number != written:
                self.raise_error(_MINUS_BEFORE_BITS, span)
            if number.isdigit():
                self.warn(_INTEGER_FOR_FLOAT, span)  # pyright: ignore[reportAttributeAccessIssue]
        return found

    def _parse_optional_builtin_parametrized_attr(self) -> Any:
        if self._current_token.text == "sparse":
            self._consume_token()
            return self._parse_sparse()
        return super()._parse_optional_builtin_parametrized_attr()

    def _parse_builtin_densearray_attr(self) -> Any:
        at = self._current_token.span
        found: Any = super()._parse_builtin_densearray_attr()
        if isinstance(found.elt_type, IntegerType) and found.elt_type != i1 and found.elt_type.width.data % 8:
            self.raise_error("element type bitwidth must be a multiple of 8", at)
        return found

    def _parse_sparse(self) -> SparseElementsAttr:
        at = self._current_token.span
        self.parse_punctuation("<")
        indices: Any = None
        values: Any = None
        if self.parse_optional_punctuation(">") is None:
            indices = self._parse_tensor_literal()
            self.parse_punctuation(",")
            values = self._parse_tensor_literal()
            self.parse_punctuation(">")
        self.parse_punctuation(":")
        kind = self._parse_dense_literal_type()
        if not isinstance(kind, TensorType | VectorType):
            self.raise_error(f"expected a tensor or a vector type, but got '{kind}'", at)
        shape = list(kind.get_shape())
        where, told = (list(indices[0]), list(indices[1])) if indices is not None else ([], [0, len(shape)])
        given = list(values[0]) if values is not None else []
        numbers = [item.to_int(self, False, False) for item in where]
        if len(told) == 1:  # A list of positions, for a vector.
            told = [told[0], 1]
        if not told:
            told = [1, len(shape)]
            numbers *= len(shape)
        if told[1] != len(shape):
            self.raise_error(f"expected {len(shape)} coordinates for each element, but got {told[1]}", at)
        for start in range(0, len(numbers), max(len(shape), 1)):
            for position, extent in zip(numbers[start : start + len(shape)], shape, strict=True):
                if position >= extent:
                    self.raise_error(f"coordinate {position} is out of the extent {extent}", at)
        typed = [item.to_type(self, kind.element_type) for item in given]
        if len(typed) != told[0] and (len(typed) != 1 or (values is not None and values[1])):
            self.raise_error(f"expected {told[0]} values, one for each coordinate, but got {len(typed)}", at)
        if len(typed) == 1:
            typed *= told[0]
        element: Any = kind.element_type
        return SparseElementsAttr(
            kind,
            DenseIntOrFPElementsAttr.from_list(TensorType(i64, told), numbers),
            DenseIntOrFPElementsAttr.from_list(TensorType(element, [told[0]]), typed),
        )


def sparse_parts(attribute: SparseElementsAttr) -> tuple[DenseIntOrFPElementsAttr, DenseIntOrFPElementsAttr] | None:
    """The indices and the values, None where there are none."""
    return (attribute.indices, attribute.values) if len(attribute.values) else None
