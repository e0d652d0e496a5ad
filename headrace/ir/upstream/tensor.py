"""The `tensor` dialect: `generate`, `expand_shape` without `output_shape`, MLIR's text."""

from __future__ import annotations

import math
from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, region_def, result_def, traits_def, var_operand_def
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, verifier_for
from headrace.ir.upstream._extra_ops import TENSOR
from headrace.ir.upstream._packing import TensorPackOp, TensorUnPackOp
from headrace.ir.upstream._tensor_rules import GATHER, yielded

index = IndexType()


@verifier_for(tensor.ExpandShapeOp)
def verify_expand_shape(op: tensor.ExpandShapeOp) -> None:
    """xDSL's rules, but a rank-0 tensor expands with the empty reassociation to any tensor of unit extents."""
    source, result = op.src.type, op.result.type
    if isinstance(source, TensorType) and isinstance(result, TensorType) and not source.get_shape():
        if len(op.reassociation):
            raise VerifyException(
                f"expected no reassociation maps for a rank-0 tensor, but found {len(op.reassociation)}"
            )
        if any(n != 1 for n in result.get_shape()):
            raise VerifyException(f"a rank-0 tensor can only be expanded to unit extents, but the result is {result}")
        return
    op.verify_()


@verifier_for(tensor.CollapseShapeOp)
def verify_collapse_shape(op: tensor.CollapseShapeOp) -> None:
    """Groups cover the source's dimensions in order; each result extent is the product of its group's extents."""
    op.verify_()
    source, result = op.src.type, op.result.type
    if not isinstance(source, TensorType) or not isinstance(result, TensorType):
        return
    groups = [[index.value.data for index in group] for group in op.reassociation]  # pyright: ignore
    expanded, collapsed = source.get_shape(), result.get_shape()
    if source.element_type != result.element_type:
        raise VerifyException(f"element type changes from {source.element_type} to {result.element_type}")
    if len(groups) != len(collapsed):
        raise VerifyException(f"expected rank of the collapsed type ({len(collapsed)}) to be the number of"
                              f" reassociation maps ({len(groups)})")  # fmt: skip
    if groups and [index for group in groups for index in group] != list(range(len(expanded))):
        raise VerifyException(f"expected the reassociation to list dimensions 0 to {len(expanded) - 1} in order")
    if not groups and any(n != 1 for n in expanded):
        raise VerifyException(f"only unit extents collapse to a rank-0 tensor, but the source is {source}")
    for position, (group, extent) in enumerate(zip(groups, collapsed, strict=True)):
        extents = [expanded[index] for index in group]
        if DYNAMIC_INDEX in extents:
            if extent != DYNAMIC_INDEX:
                raise VerifyException(f"expected dimension {position} of collapsed type to be dynamic since one or more"
                                      " of the corresponding dimensions in the expanded type is dynamic")  # fmt: skip
        elif extent != math.prod(extents):
            raise VerifyException(
                f"expected dimension {position} of collapsed type to be static value of {math.prod(extents)}"
            )


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """A tensor whose elements a region computes from their indices; one operand for each dynamic extent.

    ```
    %t = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %i : index
    } : tensor<?xindex>
    ```
    """

    name = "tensor.generate"
    dynamicExtents = var_operand_def(IndexType)
    result = result_def(TensorType)
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect(), SingleBlockImplicitTerminator(tensor.YieldOp))

    def __init__(self, extents: list[SSAValue], body: Any, result_type: TensorType[Any]):
        super().__init__(operands=[extents], result_types=[result_type], regions=[body])

    def verify_(self) -> None:
        shape = self.result.type.get_shape()
        if shape.count(DYNAMIC_INDEX) != len(self.dynamicExtents):
            raise VerifyException("must have as many index operands as dynamic extents in the result type")
        kinds = [arg.type for arg in self.body.block.args]
        if any(kind != index for kind in kinds):
            raise VerifyException("all body arguments must be index")
        if len(kinds) != len(shape):
            raise VerifyException("must have one body argument per input dimension")
        yielded(
            self,
            self.result.type.element_type,
            "body must be terminated with a `yield` operation of the tensor element type",
        )

    @classmethod
    def parse(cls, parser: Any) -> GenerateOp:
        extents: list[SSAValue] = []
        first = parser.parse_optional_unresolved_operand()
        if first is not None:
            extents.append(parser.resolve_operand(first, index))
            while parser.parse_optional_punctuation(",") is not None:
                extents.append(parser.parse_operand(index))
        body = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls.create(operands=extents, result_types=[parser.parse_type()], attributes=attributes, regions=[body])
        return op

    def print(self, printer: Any) -> None:
        if self.dynamicExtents:
            printer.print_string(" ")
            printer.print_list(self.dynamicExtents, printer.print_ssa_value)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@parser_for(tensor.EmptyOp)
def _parse_empty(parser: Any) -> Operation:
    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(index))
    attributes = parser.parse_optional_attr_dict()
    at = parser.pos
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    if isinstance(kind, TensorType) and kind.get_shape().count(DYNAMIC_INDEX) != len(sizes):
        parser.raise_error(
            f"incorrect number of dynamic sizes, has {len(sizes)}, expected {kind.get_shape().count(DYNAMIC_INDEX)}", at
        )
    return tensor.EmptyOp.create(operands=sizes, result_types=[kind], attributes=attributes)


@printer_for(tensor.EmptyOp)
def _print_empty(op: tensor.EmptyOp, printer: Any) -> None:
    printer.print_string("(")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_string(")")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.tensor.type)


@parser_for(tensor.ExpandShapeOp)
def _parse_expand(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    groups = parser.parse_attribute()
    dynamic: list[SSAValue] = []
    static: list[int] | None = None
    at = parser.pos
    if parser.parse_optional_keyword("output_shape") is not None:
        static = []

        def extent() -> None:
            number = parser.parse_optional_integer(allow_boolean=False)
            if number is None:
                dynamic.append(parser.parse_operand(index))
            static.append(number if number is not None else DYNAMIC_INDEX)  # pyright: ignore

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, extent)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_keyword("into")
    kind = parser.parse_type()
    if static is None:
        static = list(kind.get_shape())
        if DYNAMIC_INDEX in static:
            parser.raise_error("expected 'output_shape' because the result has dynamic extents", at)
        parser.warn("tensor.expand_shape without 'output_shape'", at)
    return tensor.ExpandShapeOp.create(
        operands=[parser.resolve_operand(source, source_type), *dynamic],
        result_types=[kind],
        properties={"reassociation": groups, "static_output_shape": DenseArrayBase.from_list(i64, static)},
        attributes=attributes,
    )


Tensor = Dialect(
    "tensor",
    [*tensor.Tensor.operations, GenerateOp, *TENSOR, *GATHER, TensorPackOp, TensorUnPackOp],
    list(tensor.Tensor.attributes),
)
