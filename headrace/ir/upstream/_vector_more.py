"""Operations of `vector` that xDSL lacks: transposes, masks, slices, single elements; MLIR's text and rules."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, IntegerAttr, IntegerType, VectorType, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

index = IndexType()


def _integers(parser: Any) -> DenseArrayBase[Any]:
    found = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, found)


def _text(numbers: Any) -> str:
    return "[" + ", ".join(str(value) for value in numbers.get_values()) + "]"


def _print_types(op: Operation, printer: Any, *parts: Any) -> None:
    """The attributes, `:` and types with the words between them."""
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    for part in parts:
        if isinstance(part, str):
            printer.print_string(f" {part} ")
        else:
            printer.print_attribute(part)


def _vector(kind: Any) -> VectorType[Any]:
    assert isinstance(kind, VectorType)
    return kind


def _same_elements(a: Any, b: Any) -> None:
    if _vector(a).element_type != _vector(b).element_type:
        raise VerifyException(f"expected one element type, but got '{a}' and '{b}'")


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`%r = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>`: the dimensions in another order."""

    name = "vector.transpose"
    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> TransposeOp:
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        order = _integers(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_keyword("to")
        return cls.create(
            operands=[parser.resolve_operand(source, kind)],
            result_types=[parser.parse_type()],
            properties={"permutation": order},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(f", {_text(self.permutation)}")
        _print_types(self, printer, self.vector.type, "to", self.result.type)

    def verify_(self) -> None:
        source, result = _vector(self.vector.type), _vector(self.result.type)
        order = [int(value) for value in self.permutation.get_values()]
        _same_elements(source, result)
        if len(source.get_shape()) != len(result.get_shape()):
            raise VerifyException(f"vector result rank mismatch: {len(result.get_shape())}")
        if len(order) != len(source.get_shape()):
            raise VerifyException(f"transposition length mismatch: {len(order)}")
        for dim, position in enumerate(order):
            if not 0 <= position < len(order):
                raise VerifyException(f"transposition index out of range: {position}")
            if position in order[:dim]:
                raise VerifyException(f"duplicate position index: {position}")
            if result.get_shape()[dim] != source.get_shape()[position]:
                raise VerifyException(f"dimension size mismatch at: {position}")


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """`%m = vector.constant_mask [2, 3] : vector<4x8xi1>`: ones in the first elements of each dimension."""

    name = "vector.constant_mask"
    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64) | ArrayAttr.constr(IntegerAttr.constr(i64)))
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> ConstantMaskOp:
        sizes = _integers(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(
            result_types=[parser.parse_type()], properties={"mask_dim_sizes": sizes}, attributes=attributes
        )

    def sizes(self) -> list[int]:
        """The extents of the ones; older texts hold an array of attributes."""
        found = self.mask_dim_sizes
        if isinstance(found, DenseArrayBase):
            return [int(value) for value in found.get_values()]
        return [item.value.data for item in found.data]

    def print(self, printer: Any) -> None:
        printer.print_string(f" [{', '.join(map(str, self.sizes()))}]")
        _print_types(self, printer, self.result.type)

    def verify_(self) -> None:
        kind, sizes = _vector(self.result.type), self.sizes()
        if kind.element_type != i1:
            raise VerifyException(f"result #0 must be vector of 1-bit signless integer values, but got '{kind}'")
        shape = kind.get_shape() or (1,)
        if len(sizes) != len(shape):
            raise VerifyException("must specify array attr of size equal vector result rank")
        if any(not 0 <= size <= extent for size, extent in zip(sizes, shape, strict=True)):
            raise VerifyException("array attr of size out of bounds of vector result dimension size")
        if 0 in sizes and any(sizes):
            raise VerifyException(
                "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
            )


@irdl_op_definition
class SplatOp(IRDLOperation):
    """`%v = vector.splat %x : vector<4xf32>`: one number in all elements."""

    name = "vector.splat"
    input = operand_def()
    aggregate = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> SplatOp:
        return cls.create(**_elements(parser, [parser.parse_unresolved_operand()]))

    def print(self, printer: Any) -> None:
        _print_elements(self, printer)

    def verify_(self) -> None:
        _check_elements(self.operands, self.aggregate.type)


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """`%v = vector.from_elements %a, %b : vector<2xf32>`: a vector of single numbers."""

    name = "vector.from_elements"
    elements = var_operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> FromElementsOp:
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        return cls.create(**_elements(parser, names))

    def print(self, printer: Any) -> None:
        _print_elements(self, printer)

    def verify_(self) -> None:
        kind = _vector(self.result.type)
        if len(self.elements) != prod(kind.get_shape()):
            raise VerifyException(f"{len(self.elements)} operands present, but expected {prod(kind.get_shape())}")
        _check_elements(self.operands, kind)


def _elements(parser: Any, names: Sequence[Any]) -> dict[str, Any]:
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, VectorType):
        parser.raise_error(f"expected a vector type, but got '{kind}'", at)
    operands = [parser.resolve_operand(name, kind.element_type) for name in names]
    return {"operands": operands, "result_types": [kind], "attributes": attributes}


def _print_elements(op: Operation, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    _print_types(op, printer, op.results[0].type)


def _check_elements(values: Sequence[SSAValue], kind: Any) -> None:
    for position, value in enumerate(values):
        if value.type != _vector(kind).element_type:
            raise VerifyException(
                f"operand #{position} must be of the result's element type '{_vector(kind).element_type}', but got "
                f"'{value.type}'"
            )


@irdl_op_definition
class StepOp(IRDLOperation):
    """`%v = vector.step : vector<4xindex>`: 0, 1, 2 and so on."""

    name = "vector.step"
    result = result_def(VectorType)
    assembly_format = "attr-dict `:` type($result)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        kind = _vector(self.result.type)
        if len(kind.get_shape()) != 1 or kind.element_type != index:
            raise VerifyException(f"result #0 must be vector of index values of ranks 1, but got '{kind}'")


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """`%n = vector.vscale`: the number that scalable extents are multiplied by."""

    name = "vector.vscale"
    result = result_def(IndexType)
    assembly_format = "attr-dict"
    traits = traits_def(Pure())


def _listed(attribute: Attribute | None) -> list[int]:
    items = attribute.data if isinstance(attribute, ArrayAttr) else ()
    return [item.value.data for item in items if isinstance(item, IntegerAttr)]


def _check_range(what: str, found: Sequence[int], limits: Sequence[int], least: int = 0) -> None:
    if len(found) > len(limits):
        raise VerifyException(f"expected {what} attribute of rank no greater than vector rank")
    for position, (value, limit) in enumerate(zip(found, limits, strict=False)):
        if not least <= value < limit + least:
            raise VerifyException(f"expected {what} dimension {position} to be confined to [{least}, {limit + least})")


_NUMBERS = ArrayAttr.constr(IntegerAttr.constr(i64))


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """`%r = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8x8xf32> to
    vector<4x8xf32>`: a part of a vector; dimensions that the lists leave out are whole.
    """

    name = "vector.extract_strided_slice"
    vector = operand_def(VectorType)
    offsets = prop_def(_NUMBERS)
    sizes = prop_def(_NUMBERS)
    strides = prop_def(_NUMBERS)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> ExtractStridedSliceOp:
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        properties = {key: attributes.pop(key) for key in ("offsets", "sizes", "strides") if key in attributes}
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_keyword("to")
        return cls.create(
            operands=[parser.resolve_operand(source, kind)],
            result_types=[parser.parse_type()],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_merged_attributes(self, ())
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        source = _vector(self.vector.type)
        shape = source.get_shape()
        offsets, sizes, strides = _listed(self.offsets), _listed(self.sizes), _listed(self.strides)
        if not len(offsets) == len(sizes) == len(strides):
            raise VerifyException("expected offsets, sizes and strides attributes of same size")
        _check_range("offsets", offsets, shape)
        _check_range("sizes", sizes, shape, 1)
        if any(stride != 1 for stride in strides):
            raise VerifyException("expected strides to be confined to [1, 2)")
        for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
            if offset + size > shape[dim]:
                raise VerifyException(
                    f"expected sum(offsets, sizes) dimension {dim} to be confined to [1, {shape[dim] + 1})"
                )
        wanted = (*sizes, *shape[len(sizes) :])
        _same_elements(source, self.result.type)
        if tuple(_vector(self.result.type).get_shape()) != wanted:
            raise VerifyException(f"expected result type to be '{VectorType(source.element_type, wanted)}'")


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """`%r = vector.insert_strided_slice %s, %v {offsets = [2, 0], strides = [1]} : vector<4xf32> into
    vector<8x8xf32>`: a vector with a part replaced.
    """

    name = "vector.insert_strided_slice"
    source = operand_def(VectorType)
    dest = operand_def(VectorType)
    offsets = prop_def(_NUMBERS)
    strides = prop_def(_NUMBERS)
    res = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> InsertStridedSliceOp:
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        properties = {key: attributes.pop(key) for key in ("offsets", "strides") if key in attributes}
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_keyword("into")
        target = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(source, kind), parser.resolve_operand(dest, target)],
            result_types=[target],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_merged_attributes(self, ())
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" into ")
        printer.print_attribute(self.dest.type)

    def verify_(self) -> None:
        part, whole = _vector(self.source.type).get_shape(), _vector(self.dest.type).get_shape()
        offsets, strides = _listed(self.offsets), _listed(self.strides)
        if self.res.type != self.dest.type:
            raise VerifyException(f"the result must have the type of the destination, '{self.dest.type}'")
        _same_elements(self.source.type, self.dest.type)
        if len(offsets) != len(whole):
            raise VerifyException("expected offsets of same size as destination vector rank")
        if len(strides) != len(part):
            raise VerifyException("expected strides of same size as source vector rank")
        if len(part) > len(whole):
            raise VerifyException("expected source rank to be no greater than destination rank")
        _check_range("offsets", offsets, whole)
        if any(stride != 1 for stride in strides):
            raise VerifyException("expected strides to be confined to [1, 2)")
        missing = len(whole) - len(part)
        for dim, (offset, extent) in enumerate(zip(offsets, (*([1] * missing), *part), strict=True)):
            if dim >= missing and offset + extent > whole[dim]:
                raise VerifyException(
                    f"expected sum(offsets, source vector shape) dimension {dim} to be confined to "
                    f"[1, {whole[dim] + 1})"
                )


def _position(parser: Any) -> list[SSAValue]:
    """`[%i : i32]`, or `[]` for a vector without dimensions."""
    parser.parse_punctuation("[")
    name = parser.parse_optional_unresolved_operand()
    found: list[SSAValue] = []
    if name is not None:
        parser.parse_punctuation(":")
        found = [parser.resolve_operand(name, parser.parse_type())]
    parser.parse_punctuation("]")
    return found


def _print_position(printer: Any, position: SSAValue | None) -> None:
    printer.print_string("[")
    if position is not None:
        printer.print_ssa_value(position)
        printer.print_string(" : ")
        printer.print_attribute(position.type)
    printer.print_string("]")


def _check_position(kind: Any, position: SSAValue | None) -> None:
    rank = len(_vector(kind).get_shape())
    if rank > 1:
        raise VerifyException("unexpected >1 vector rank")
    if rank and position is None:
        raise VerifyException("expected position for 1-D vector")
    if not rank and position is not None:
        raise VerifyException("expected position to be empty with 0-D vector")
    if position is not None and not isinstance(position.type, IntegerType | IndexType):
        raise VerifyException(f"the position must be signless integer or index, but got '{position.type}'")


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """`%x = vector.extractelement %v[%i : i32] : vector<4xf32>`: one element of a vector (older texts)."""

    name = "vector.extractelement"
    vector = operand_def(VectorType)
    position = opt_operand_def()
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> ExtractElementOp:
        source = parser.parse_unresolved_operand()
        position = _position(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        at = parser.pos
        kind = parser.parse_type()
        if not isinstance(kind, VectorType):
            parser.raise_error(f"expected a vector type, but got '{kind}'", at)
        return cls.create(
            operands=[parser.resolve_operand(source, kind), *position],
            result_types=[kind.element_type],
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        _print_position(printer, self.position)
        _print_types(self, printer, self.vector.type)

    def verify_(self) -> None:
        _check_position(self.vector.type, self.position)
        if self.result.type != _vector(self.vector.type).element_type:
            raise VerifyException("failed to verify that result type matches element type of vector operand")


@irdl_op_definition
class InsertElementOp(IRDLOperation):
    """`%r = vector.insertelement %x, %v[%i : i32] : vector<4xf32>`: a vector with one element replaced."""

    name = "vector.insertelement"
    source = operand_def()
    dest = operand_def(VectorType)
    position = opt_operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> InsertElementOp:
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        dest = parser.parse_unresolved_operand()
        position = _position(parser)
        found = _elements(parser, [source])
        kind = found["result_types"][0]
        found["operands"] += [parser.resolve_operand(dest, kind), *position]
        return cls.create(**found)

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands[:2], printer.print_ssa_value)
        _print_position(printer, self.position)
        _print_types(self, printer, self.result.type)

    def verify_(self) -> None:
        _check_position(self.dest.type, self.position)
        if self.result.type != self.dest.type:
            raise VerifyException("failed to verify that all of {dest, result} have same type")
        if self.source.type != _vector(self.result.type).element_type:
            raise VerifyException("failed to verify that source operand type matches element type of result")


MORE = (
    TransposeOp, ConstantMaskOp, SplatOp, FromElementsOp, StepOp, VectorScaleOp, ExtractStridedSliceOp,
    InsertStridedSliceOp, ExtractElementOp, InsertElementOp,
)  # fmt: skip
