"""The `memref` dialect: casts, copy and globals in MLIR's text."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.utils.exceptions import VerifyException

from headrace.ir.printer import attribute_text
from headrace.ir.upstream import ADDED_PROPERTIES, parser_for, printer_for, verifier_for
from headrace.ir.upstream._extra_ops import MEMREF
from headrace.ir.upstream._memory_ops import MEMORY

import_module("headrace.ir.upstream._view_rules")

#: Ours instead of xDSL's, whose operands are in segments that MLIR does not have.
_REPLACED = (memref.DmaStartOp,)

MemRef = Dialect(
    "memref",
    [*(op for op in memref.MemRef.operations if op not in _REPLACED), *MEMREF, *MEMORY],
    list(memref.MemRef.attributes),
)


@parser_for(memref.CastOp, memref.MemorySpaceCastOp)
def _parse_cast(parser: Any, cls: Any) -> Operation:
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_keyword("to")
    target = parser.parse_type()
    return cls.create(operands=[parser.resolve_operand(operand, kind)], result_types=[target], attributes=attributes)


@printer_for(memref.CastOp, memref.MemorySpaceCastOp)
def _print_cast(op: Operation, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


@parser_for(memref.CopyOp)
def _parse_copy(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    target = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_keyword("to")
    target_type = parser.parse_type()
    return memref.CopyOp.create(
        operands=[parser.resolve_operand(source, source_type), parser.resolve_operand(target, target_type)],
        attributes=attributes,
    )


@printer_for(memref.CopyOp)
def _print_copy(op: Operation, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.operands[1].type)


ADDED_PROPERTIES.update({memref.LoadOp: ("alignment",), memref.StoreOp: ("alignment",)})


@parser_for(memref.GlobalOp)
def _parse_global(parser: Any) -> Operation:
    properties: dict[str, Attribute] = {}
    visibility = parser.parse_optional_str_literal()
    if visibility is not None:
        properties["sym_visibility"] = StringAttr(visibility)
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    kind = properties["type"] = parser.parse_type()
    if parser.parse_optional_punctuation("=") is None:
        pass
    elif parser.parse_optional_keyword("uninitialized") is not None:
        properties["initial_value"] = UnitAttr()
    else:
        # The literal takes its type from the memref.
        if not isinstance(kind, MemRefType):
            parser.raise_error(f"expected a ranked memref, but got '{kind}'")
        parser.parse_keyword("dense")
        properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(
            TensorType(kind.element_type, kind.get_shape())
        )
    attributes = parser.parse_optional_attr_dict()
    if "alignment" in attributes:
        properties["alignment"] = attributes.pop("alignment")
    return memref.GlobalOp.create(properties=properties, attributes=attributes)


@printer_for(memref.GlobalOp)
def _print_global(op: memref.GlobalOp, printer: Any) -> None:
    printer.print_string(" ")
    visibility = op.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr):
        printer.print_string(f'"{visibility.data}" ')
    if "constant" in op.properties:
        printer.print_string("constant ")
    printer.print_symbol_name(op.sym_name)
    printer.print_string(" : ")
    printer.print_attribute(op.type)
    initial = op.properties.get("initial_value")
    if isinstance(initial, UnitAttr):
        printer.print_string(" = uninitialized")
    elif initial is not None:
        text = attribute_text(initial)
        printer.print_string(" = " + text[: text.rindex(" : ")])
    printer.print_merged_attributes(op, ("sym_name", "sym_visibility", "type", "initial_value", "constant"))


@verifier_for(memref.GlobalOp)
def _verify_global(op: Any) -> None:
    name, kind = op.properties.get("sym_name"), op.properties.get("type")
    if not isinstance(name, StringAttr):
        raise VerifyException("requires attribute 'sym_name'")
    visibility = op.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr) and visibility.data not in ("public", "private", "nested"):
        raise VerifyException(
            f'visibility expected to be one of ["public", "private", "nested"], but got "{visibility.data}"'
        )
    if not isinstance(kind, MemRefType) or DYNAMIC_INDEX in kind.get_shape():
        raise VerifyException(f"type should be static shaped memref, but got '{kind}'")
    initial = op.properties.get("initial_value")
    if isinstance(initial, DenseIntOrFPElementsAttr):
        if initial.type.element_type != kind.element_type or tuple(initial.type.get_shape()) != tuple(kind.get_shape()):
            raise VerifyException(f"initial value expected to be of type '{kind}', but was of type '{initial.type}'")
    elif initial is not None and not isinstance(initial, UnitAttr | DenseResourceAttr):
        raise VerifyException("initial value should be a unit or elements attribute")
    alignment = op.properties.get("alignment")
    if isinstance(alignment, IntegerAttr):
        value = alignment.value.data
        if value <= 0 or value & (value - 1):
            raise VerifyException(f"alignment attribute value {value} is not a power of 2")


@printer_for(memref.AllocaScopeOp)
def _print_scope(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    if op.results:
        printer.print_string(" -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.regions[0], False, False, bool(op.results))
    printer.print_op_attributes(op.attributes)
