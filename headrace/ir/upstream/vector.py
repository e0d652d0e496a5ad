"""The `vector` dialect: xDSL's operations with MLIR's rules, `print` and `shape_cast`.

Vectors occur in DataflowIR as types; of the dialect only what such texts use is supported.
"""

from __future__ import annotations

from enum import StrEnum
from math import prod
from typing import Any

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import ADDED_PROPERTIES, parser_for, printer_for, rules_for, verifier_for
from headrace.ir.upstream._vector_more import MORE
from headrace.ir.upstream.arith import is_float, is_integer


class Punctuation(StrEnum):
    """What `vector.print` writes after its operand."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PunctuationAttr(EnumAttribute[Punctuation]):  # pyright: ignore
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"

    @classmethod
    def parse_parameter(cls, parser: Any) -> Punctuation:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(Punctuation)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """`%r = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>`: the same elements in another shape."""

    name = "vector.shape_cast"
    source = operand_def(VectorType)
    result = result_def(VectorType)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source: Any = self.source.type
        result: Any = self.result.type
        if source.element_type != result.element_type:
            raise VerifyException("has different source and result element types")
        if prod(source.get_shape()) != prod(result.get_shape()):
            raise VerifyException("has different source and result number of elements")


@parser_for(vector.PrintOp)
def _parse_print(parser: Any) -> Operation:
    value = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return vector.PrintOp.create(
        operands=[parser.resolve_operand(value, kind)],
        properties={"punctuation": PunctuationAttr(Punctuation.NEWLINE)},
        attributes=attributes,
    )


@verifier_for(vector.PrintOp)
def _check_print(op: Any) -> None:
    if len(op.operands) != 1 or op.results:
        raise VerifyException(f"expected one operand and no results, but got {len(op.operands)} operands")
    punctuation = op.properties.get("punctuation")
    if punctuation not in (None, PunctuationAttr(Punctuation.NEWLINE)):
        raise VerifyException(f"'punctuation' must be a new line, but is {punctuation}")
    op.properties["punctuation"] = PunctuationAttr(Punctuation.NEWLINE)


ADDED_PROPERTIES[vector.PrintOp] = ("punctuation",)
ADDED_PROPERTIES.update({cls: ("alignment",) for cls in (vector.LoadOp, vector.StoreOp)})
ADDED_PROPERTIES.update({cls: ("alignment", "nontemporal") for cls in (vector.MaskedLoadOp, vector.MaskedStoreOp)})


@printer_for(vector.PrintOp)
def _print_print(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)


@rules_for(vector.BroadcastOp)
def _check_broadcast(op: Any) -> None:
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, VectorType):
        return
    a, b = source.get_shape(), result.get_shape()
    if len(a) > len(b):
        raise VerifyException("source rank higher than destination rank")
    for have, want in zip(a, b[len(b) - len(a) :], strict=True):
        if have not in (1, want):
            raise VerifyException(f"dimension mismatch ({have} vs. {want})")


def _positions(op: Any, shape: Any, what: str) -> None:
    for index, position in enumerate(op.properties["static_position"].get_values()):
        if position != DYNAMIC_INDEX and not -1 <= position < shape[index]:
            raise VerifyException(
                f"expected position attribute #{index + 1} to be a non-negative integer smaller than the corresponding "
                f"{what} dimension or poison (-1)"
            )


@rules_for(vector.ExtractOp)
def _check_extract(op: Any) -> None:
    _positions(op, op.vector.type.get_shape(), "vector")


@rules_for(vector.InsertOp)
def _check_insert(op: Any) -> None:
    _positions(op, op.dest.type.get_shape(), "dest vector")


@rules_for(vector.MaskedLoadOp)
def _check_masked_load(op: Any) -> None:
    if op.mask.type.get_shape() != op.results[0].type.get_shape():
        raise VerifyException("expected result shape to match mask shape")


@rules_for(vector.MaskedStoreOp)
def _check_masked_store(op: Any) -> None:
    if op.mask.type.get_shape() != op.value_to_store.type.get_shape():
        raise VerifyException("expected valueToStore shape to match mask shape")


_FLOAT_KINDS = ("minnumf", "maxnumf", "minimumf", "maximumf")
_INT_KINDS = ("minui", "minsi", "maxui", "maxsi", "and", "or", "xor")


@rules_for(vector.ReductionOp)
def _check_reduction(op: Any) -> None:
    kind = op.operands[0].type
    if len(kind.get_shape()) > 1:
        raise VerifyException(f"unsupported reduction rank: {len(kind.get_shape())}")
    name = str(getattr(op.kind.data, "value", op.kind.data))
    element = kind.element_type
    if (name in _FLOAT_KINDS and not is_float(element)) or (name in _INT_KINDS and not is_integer(element)):
        raise VerifyException(f"unsupported reduction type '{element}' for kind '{name}'")


Vector = Dialect(
    "vector", [*vector.Vector.operations, ShapeCastOp, *MORE], [*vector.Vector.attributes, PunctuationAttr]
)
