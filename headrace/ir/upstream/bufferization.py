"""The `bufferization` dialect: what real files use of it between tensors and buffers, in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
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
class ToTensorOp(IRDLOperation):
    """`%t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>`: a buffer's elements."""

    name = "bufferization.to_tensor"
    buffer = operand_def(_BUFFER)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = result_def(_TENSOR)
    assembly_format = (
        "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)"
    )

    def verify_(self) -> None:
        _check_content(self.result.type, self.buffer.type)


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
        if into_tensor and (self.restrict is not None or self.writable is not None):
            raise VerifyException("'restrict' and 'writable' are allowed only if the destination is a memref")
        if into_tensor != (self.result is not None):
            raise VerifyException("expected a result exactly for a tensor destination")
        if self.result is not None and self.result.type != self.dest.type:
            raise VerifyException("result and destination types must match")
        if not into_tensor:
            if self.writable is None:
                raise VerifyException("'writable' must be specified for a memref destination")
            _check_content(self.source.type, self.dest.type)


Bufferization = Dialect(
    "bufferization",
    [AllocTensorOp, CloneOp, DeallocTensorOp, ToTensorOp, ToBufferOp, MaterializeInDestinationOp],
    [],
)
