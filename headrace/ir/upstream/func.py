"""The `func` dialect: attributes on the arguments and results of declarations too."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Dialect, Operation, Region
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from headrace.ir.diagnostics import did_you_mean
from headrace.ir.upstream import ADDED_PROPERTIES, parser_for, printer_for, verifier_for, verify_declared
from headrace.ir.upstream._extra_ops import FUNC

Func = Dialect("func", [*func.Func.operations, *FUNC], list(func.Func.attributes))
_RESERVED = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")


@parser_for(func.FuncOp)
def _parse_func(parser: Any) -> Operation:
    visibility = parser.parse_optional_visibility_keyword()
    at = parser._current_token.span
    name = parser.parse_symbol_name()
    named: list[Any] = []
    kinds: list[Attribute] = []
    arg_attrs: list[dict[str, Attribute]] = []

    def argument() -> None:
        at = parser.pos
        found = parser.parse_optional_argument()
        kind = found.type if found is not None else parser.parse_type()
        if bool(named) != (found is not None) and kinds:
            parser.raise_error("expected all arguments to be named or none", at)
        arg_attrs.append(parser.parse_optional_attr_dict())
        location = parser.parse_optional_location()
        if found is not None:
            if location is not None:
                found.location = location
            named.append(found)
        kinds.append(kind)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    results: list[Attribute] = []
    res_attrs: list[dict[str, Attribute]] = []

    def result() -> None:
        results.append(parser.parse_type())
        res_attrs.append(parser.parse_optional_attr_dict())

    if parser.parse_optional_punctuation("->") is not None:
        if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result) is None:
            results.append(parser.parse_type())
            res_attrs.append({})
    found = parser.parse_optional_attr_dict_with_keyword(_RESERVED)
    attributes = dict(found.data) if found is not None else {}
    region = parser.parse_optional_region(named if named or parser._current_token.text == "{" else None)
    if region is None:
        region = Region()
        if getattr(visibility, "data", visibility) in (None, "public"):
            parser.warn("symbol declaration cannot have public visibility", at)
    properties: dict[str, Attribute] = {
        "sym_name": name,
        "function_type": FunctionType.from_lists(kinds, results),
    }
    if visibility is not None:
        properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
    if any(arg_attrs):
        properties["arg_attrs"] = ArrayAttr([DictionaryAttr(item) for item in arg_attrs])
    if any(res_attrs):
        properties["res_attrs"] = ArrayAttr([DictionaryAttr(item) for item in res_attrs])
    if "no_inline" in attributes:
        properties["no_inline"] = attributes.pop("no_inline")
    return func.FuncOp.create(properties=properties, attributes=attributes, regions=[region])


def _attrs(value: Attribute | None, count: int) -> list[dict[str, Attribute]]:
    if not isinstance(value, ArrayAttr):
        return [{}] * count
    return [dict(item.data) for item in value.data]


@printer_for(func.FuncOp)
def _print_func(op: func.FuncOp, printer: Any) -> None:
    if op.sym_visibility is not None:
        printer.print_string(f" {op.sym_visibility.data}")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name)
    printer.print_string("(")
    kinds = op.function_type.inputs.data
    block = op.body.blocks.first
    for index, (kind, attributes) in enumerate(zip(kinds, _attrs(op.arg_attrs, len(kinds)), strict=True)):
        if index:
            printer.print_string(", ")
        if block is not None:
            printer.print_ssa_value(block.args[index])
            printer.print_string(": ")
        printer.print_attribute(kind)
        printer.print_op_attributes(attributes)
        if block is not None and printer.print_debuginfo:
            printer.print_string(" ")
            printer.print_argument_location(block.args[index])
    printer.print_string(")")
    results = op.function_type.outputs.data
    if results:
        res_attrs = _attrs(op.res_attrs, len(results))
        parens = len(results) > 1 or any(res_attrs) or isinstance(results[0], FunctionType)  # pyright: ignore
        printer.print_string(" -> " + ("(" if parens else ""))
        for index, (kind, attributes) in enumerate(zip(results, res_attrs, strict=True)):
            if index:
                printer.print_string(", ")
            printer.print_attribute(kind)
            printer.print_op_attributes(attributes)
        if parens:
            printer.print_string(")")
    flags = {"no_inline": op.properties["no_inline"]} if "no_inline" in op.properties else {}
    printer.print_op_attributes({**flags, **op.attributes}, print_keyword=True)
    if block is not None:
        printer.print_string(" ")
        printer.print_region(op.body, False, False)


ADDED_PROPERTIES[func.FuncOp] = ("no_inline",)


@verifier_for(func.FuncOp)
def _verify_func(op: func.FuncOp) -> None:
    parent = op.parent_op()
    if parent is not None and not parent.has_trait(SymbolTable, value_if_unregistered=True):
        raise VerifyException("symbol's parent must have the SymbolTable trait")
    verify_declared(op)
    for key, what in (("arg_attrs", "arguments"), ("res_attrs", "results")):
        for item in getattr(op.properties.get(key), "data", ()):
            for name in getattr(item, "data", ()):
                if "." not in name:
                    raise VerifyException(f"{what} may only have dialect attributes, but has '{name}'")


@verifier_for(func.CallOp)
def _verify_call(op: Any) -> None:
    name = op.properties.get("callee")
    if not isinstance(name, SymbolRefAttr):
        raise VerifyException("requires a symbol reference attribute 'callee'")
    told = name.string_value()
    found = SymbolTable.lookup_symbol(op, name)
    if not isinstance(found, func.FuncOp):
        top: Any = op
        while top.parent_op() is not None:
            top = top.parent_op()
        known = [item.sym_name.data for item in top.walk() if isinstance(item, func.FuncOp)]
        raise VerifyException(f"'{told}' does not reference a valid function{did_you_mean(told, known)}")
    wanted, given = list(found.function_type.inputs.data), [value.type for value in op.operands]
    if len(wanted) != len(given):
        raise VerifyException(f"incorrect number of operands for callee: expected {len(wanted)}, but got {len(given)}")
    for position, (want, have) in enumerate(zip(wanted, given, strict=True)):
        if want != have:
            raise VerifyException(
                f"operand type mismatch: expected operand type '{want}', but provided '{have}' for operand number "
                f"{position}"
            )
    results = list(found.function_type.outputs.data)
    if results != list(op.result_types):
        listed = ", ".join(f"'{kind}'" for kind in results)
        raise VerifyException(f"result type mismatch: function @{told} returns ({listed})")


@verifier_for(func.ReturnOp)
def _verify_return(op: func.ReturnOp) -> None:
    parent = op.parent_op()
    if not isinstance(parent, func.FuncOp):
        raise VerifyException("expects parent op 'func.func'")
    wanted = parent.function_type.outputs.data
    if len(wanted) != len(op.operands):
        raise VerifyException(
            f"has {len(op.operands)} operands, but enclosing function (@{parent.sym_name.data}) returns {len(wanted)}"
        )
    for index, (value, kind) in enumerate(zip(op.operands, wanted, strict=True)):
        if value.type != kind:
            raise VerifyException(
                f"type of return operand {index} ('{value.type}') doesn't match function result type ('{kind}') in "
                f"function @{parent.sym_name.data}"
            )
