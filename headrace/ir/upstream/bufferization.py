"""The `bufferization` dialect: what real files use of it between tensors and buffers, in MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i1,
)
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryAllocEffect, Pure
from xdsl.utils.exceptions import VerifyException

_TENSOR = base(TensorType) | base(UnrankedTensorType)
_BUFFER = base(MemRefType) | base(UnrankedMemRefType)


def _same_content(tensor: Any, buffer: Any) -> bool:
    """Whether a buffer type holds the elements of a tensor type; the layout and the space are free."""
    if tensor.element_type != buffer.element_type:
        return False
    ranked = isinstance(tensor, TensorType), isinstance(buffer, MemRefType)
    return ranked[0] == ranked[1] and (not ranked[0] or tensor.get_shape() == buffer.get_shape())


def _check_content(tensor: Attribute, buffer: Attribute) -> None:
    if not _same_content(tensor, buffer):
        raise VerifyException(f"'{buffer}' does not hold a '{tensor}'")


@irdl_op_definition
class AllocTensorOp(IRDLOperation):
    """`%t = bufferization.alloc_tensor(%n) : tensor<?x8xf32>`: a tensor that becomes a new buffer."""

    name = "bufferization.alloc_tensor"
    dynamic_sizes = var_operand_def(IndexType())
    copy = opt_operand_def(_TENSOR)
    size_hint = opt_operand_def(IndexType())
    memory_space = opt_prop_def(Attribute)
    result = result_def(_TENSOR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        kind = self.result.type
        if self.copy is not None:
            if self.dynamic_sizes:
                raise VerifyException("dynamic sizes not needed when copying a tensor")
            if self.copy.type != kind:
                raise VerifyException("expected that `copy` and return type match")
            return
        dynamic = sum(extent < 0 for extent in kind.get_shape()) if isinstance(kind, TensorType) else 0
        if dynamic != len(self.dynamic_sizes):
            raise VerifyException(f"expected {dynamic} dynamic sizes")

    @classmethod
    def parse(cls, parser: Any) -> AllocTensorOp:
        sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType()))
        copied = None
        if parser.parse_optional_keyword("copy") is not None:
            parser.parse_punctuation("(")
            copied = parser.parse_unresolved_operand()
            parser.parse_punctuation(")")
        hint = None
        if parser.parse_optional_keyword("size_hint") is not None:
            parser.parse_punctuation("=")
            hint = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        space = attributes.pop("memory_space", None)
        copies = [] if copied is None else [parser.resolve_operand(copied, kind)]
        return cls.build(
            operands=[sizes, copies, hint],
            result_types=[kind],
            properties={"memory_space": space},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string("(")
        printer.print_list(self.dynamic_sizes, printer.print_ssa_value)
        printer.print_string(")")
        if self.copy is not None:
            printer.print_string(" copy(")
            printer.print_ssa_value(self.copy)
            printer.print_string(")")
        if self.size_hint is not None:
            printer.print_string(" size_hint=")
            printer.print_ssa_value(self.size_hint)
        printer.print_merged_attributes(self, {"operandSegmentSizes"})
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class CloneOp(IRDLOperation):
    """`%c = bufferization.clone %m : memref<4xf32> to memref<4xf32>`: a buffer with the same elements."""

    name = "bufferization.clone"
    input = operand_def(_BUFFER)
    output = result_def(_BUFFER)
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"
    traits = traits_def(MemoryAllocEffect())


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """`bufferization.dealloc_tensor %t : tensor<4xf32>`: the end of a tensor that was allocated."""

    name = "bufferization.dealloc_tensor"
    tensor = operand_def(_TENSOR)
    assembly_format = "$tensor attr-dict `:` type($tensor)"


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """`%o:1 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%r : memref<4xf32>)`:
    the buffers whose condition holds are freed unless a retained one is the same; the results say who owns those.
    """

    name = "bufferization.dealloc"
    memrefs = var_operand_def(_BUFFER)
    conditions = var_operand_def(i1)
    retained = var_operand_def(_BUFFER)
    updated_conditions = var_result_def(i1)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException("must have the same number of conditions as memrefs to deallocate")
        if len(self.retained) != len(self.updated_conditions):
            raise VerifyException("must have the same number of updated conditions (results) as retained operands")

    @classmethod
    def parse(cls, parser: Any) -> DeallocOp:
        def buffers() -> list[Any]:
            at = parser.pos
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            return list(parser.resolve_operands(names, kinds, at))

        memrefs: list[Any] = []
        conditions: list[Any] = []
        retained: list[Any] = []
        if parser.parse_optional_punctuation("(") is not None:
            memrefs = buffers()
            parser.parse_keyword("if")
            conditions = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(i1))
        if parser.parse_optional_keyword("retain") is not None:
            parser.parse_punctuation("(")
            retained = buffers()
        return cls.build(
            operands=[memrefs, conditions, retained],
            result_types=[[i1] * len(retained)],
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Any) -> None:
        def buffers(values: Sequence[Any]) -> None:
            printer.print_string("(")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([value.type for value in values], printer.print_attribute)
            printer.print_string(")")

        if self.memrefs:
            printer.print_string(" ")
            buffers(self.memrefs)
            printer.print_string(" if (")
            printer.print_list(self.conditions, printer.print_ssa_value)
            printer.print_string(")")
        if self.retained:
            printer.print_string(" retain ")
            buffers(self.retained)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ToTensorOp(IRDLOperation):
    """`%t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>`: a buffer's elements."""

    name = "bufferization.to_tensor"
    buffer = operand_def(_BUFFER)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = result_def(_TENSOR)

    def verify_(self) -> None:
        _check_content(self.result.type, self.buffer.type)

    @classmethod
    def parse(cls, parser: Any) -> ToTensorOp:
        source = parser.parse_unresolved_operand()
        properties: dict[str, Attribute] = {}
        for key in ("restrict", "writable"):
            if parser.parse_optional_keyword(key) is not None:
                properties[key] = UnitAttr()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        at = parser.pos
        kind = parser.parse_type()
        # Older texts leave the tensor out, which follows from the buffer.
        stated = parser.parse_optional_keyword("to") is not None
        result = parser.parse_type() if stated else _tensor_of(parser, kind, at)
        return cls.create(
            operands=[parser.resolve_operand(source, kind)],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        for key in ("restrict", "writable"):
            if key in self.properties:
                printer.print_string(f" {key}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


def _tensor_of(parser: Any, buffer: Any, at: int) -> Attribute:
    """The tensor with the elements of a buffer whose type stands at `at`."""
    if isinstance(buffer, MemRefType):
        return TensorType(buffer.element_type, buffer.get_shape())
    if not isinstance(buffer, UnrankedMemRefType):
        parser.raise_error(f"expected a memref type, but got '{buffer}'", at)
    return UnrankedTensorType(buffer.element_type)


@irdl_op_definition
class ToMemrefOp(IRDLOperation):
    """`%m = bufferization.to_memref %t read_only : memref<4xf32>`: older texts' `bufferization.to_buffer`."""

    name = "bufferization.to_memref"
    tensor = operand_def(_TENSOR)
    read_only = opt_prop_def(UnitAttr)
    buffer = result_def(_BUFFER)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        _check_content(self.tensor.type, self.buffer.type)

    @classmethod
    def parse(cls, parser: Any) -> ToMemrefOp:
        source = parser.parse_unresolved_operand()
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("read_only") is not None:
            properties["read_only"] = UnitAttr()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        at = parser.pos
        kind = parser.parse_type()
        if parser.parse_optional_keyword("to") is not None:
            result = parser.parse_type()
        else:
            kind, result = _tensor_of(parser, kind, at), kind
        return cls.create(
            operands=[parser.resolve_operand(source, kind)],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        if self.read_only is not None:
            printer.print_string(" read_only")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)


@irdl_op_definition
class ToBufferOp(IRDLOperation):
    """`%m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>`: the future buffer of a tensor."""

    name = "bufferization.to_buffer"
    tensor = operand_def(_TENSOR)
    read_only = opt_prop_def(UnitAttr)
    buffer = result_def(_BUFFER)
    assembly_format = "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        _check_content(self.tensor.type, self.buffer.type)


@irdl_op_definition
class MaterializeInDestinationOp(IRDLOperation):
    """`bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()`:
    the elements of a tensor go into this very buffer (or tensor).
    """

    name = "bufferization.materialize_in_destination"
    source = operand_def(_TENSOR)
    dest = operand_def(_TENSOR | _BUFFER)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = opt_result_def(_TENSOR)
    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` "
        "functional-type(operands, results)"
    )

    def verify_(self) -> None:
        into_tensor = isinstance(self.dest.type, TensorType | UnrankedTensorType)
        if into_tensor and self.result is None:
            raise VerifyException("tensor 'dest' implies exactly one tensor result")
        if into_tensor and self.result is not None and self.result.type != self.dest.type:
            raise VerifyException("result and 'dest' types must match")
        if not into_tensor and self.result is not None:
            raise VerifyException("memref 'dest' implies zero results")
        if into_tensor and self.restrict is not None:
            raise VerifyException("'restrict' is valid only for memref destinations")
        if into_tensor != (self.writable is None):
            raise VerifyException("'writable' must be specified if and only if the destination is of memref type")
        source, dest = (getattr(value.type, "get_shape", None) for value in (self.source, self.dest))
        if (source is None) != (dest is None):
            raise VerifyException("source/destination shapes are incompatible")
        if source is not None and dest is not None:
            if len(source()) != len(dest()):
                raise VerifyException("rank mismatch between source and destination shape")
            if any(a != b and min(a, b) >= 0 for a, b in zip(source(), dest(), strict=True)):
                raise VerifyException("source/destination shapes are incompatible")
        if getattr(self.source.type, "element_type", None) != getattr(self.dest.type, "element_type", None):
            raise VerifyException("source/destination element types must match")


Bufferization = Dialect(
    "bufferization",
    [
        AllocTensorOp,
        CloneOp,
        DeallocOp,
        DeallocTensorOp,
        ToTensorOp,
        ToBufferOp,
        ToMemrefOp,
        MaterializeInDestinationOp,
    ],
    [],
)
