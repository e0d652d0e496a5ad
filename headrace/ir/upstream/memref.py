"""The `memref` dialect: casts, copy and globals in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation

from headrace.ir.upstream import parser_for, printer_for

MemRef = memref.MemRef


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


@parser_for(memref.GlobalOp)
def _parse_global(parser: Any) -> Operation:
    properties: dict[str, Attribute] = {}
    visibility = parser.parse_optional_str_literal()
    properties["sym_visibility"] = StringAttr(visibility if visibility is not None else "public")
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    kind = properties["type"] = parser.parse_type()
    properties["initial_value"] = UnitAttr()
    if parser.parse_optional_punctuation("=") is not None and parser.parse_optional_keyword("uninitialized") is None:
        # The literal takes its type from the memref.
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
    if op.sym_visibility.data != "public":
        printer.print_string(f'"{op.sym_visibility.data}" ')
    if op.constant is not None:
        printer.print_string("constant ")
    printer.print_symbol_name(op.sym_name)
    printer.print_string(" : ")
    printer.print_attribute(op.type)
    printer.print_string(" = ")
    if isinstance(op.initial_value, UnitAttr):
        printer.print_string("uninitialized")
    else:
        op.initial_value.print_without_type(printer)
    printer.print_merged_attributes(op, ("sym_name", "sym_visibility", "type", "initial_value", "constant"))
