"""Shared text of dispatches and calls: entry points, workload, operand lists, tied results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_format import INDEX
from headrace.ir.dialects.stream_types import ResourceType


def parse_entry_points(parser: Any) -> ArrayAttr[SymbolRefAttr]:
    """`@exe::@fn` or `{@a::@x, @b::@y}`."""

    def one() -> SymbolRefAttr:
        at = parser.pos
        found = parser.parse_attribute()
        if not isinstance(found, SymbolRefAttr):
            parser.raise_error("expected the name of an entry point", at)
        return found

    many = parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, one)
    return ArrayAttr(many if many is not None else [one()])


def print_entry_points(printer: Any, points: ArrayAttr[Any]) -> None:
    """The text of `parse_entry_points`."""
    printer.print_string(" {" if len(points.data) > 1 else " ")
    printer.print_list(points.data, printer.print_attribute)
    printer.print_string("}" if len(points.data) > 1 else "")


def parse_workload(parser: Any) -> list[SSAValue]:
    """Optional `[%w, ...]`."""
    found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(INDEX))
    return found or []


def print_bracketed(printer: Any, values: Sequence[SSAValue]) -> None:
    """`[%w, ...]` where there are any."""
    if values:
        printer.print_string("[")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string("]")


def parse_range(parser: Any) -> list[SSAValue]:
    """Optional `[%offset to %end for %length]`."""
    if parser.parse_optional_punctuation("[") is None:
        return []
    start = parser.parse_operand(INDEX)
    parser.parse_keyword("to")
    end = parser.parse_operand(INDEX)
    parser.parse_keyword("for")
    length = parser.parse_operand(INDEX)
    parser.parse_punctuation("]")
    return [start, end, length]


def parse_slice(parser: Any) -> list[SSAValue]:
    """`[%offset for %length]`."""
    parser.parse_punctuation("[")
    start = parser.parse_operand(INDEX)
    parser.parse_keyword("for")
    length = parser.parse_operand(INDEX)
    parser.parse_punctuation("]")
    return [start, length]


def print_slice(printer: Any, offset: SSAValue, length: SSAValue) -> None:
    """`[%offset for %length]`."""
    printer.print_string("[")
    printer.print_ssa_value(offset)
    printer.print_string(" for ")
    printer.print_ssa_value(length)
    printer.print_string("]")


def parse_paren_list(parser: Any, one: Any) -> None:
    """`(item, ...)`; `one` parses an item and keeps it."""
    parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)


def parse_result_list(parser: Any, one: Any) -> None:
    """`item`, `(item, ...)` or `()`."""
    if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, one) is None:
        one()


def print_result_list(printer: Any, count: int, one: Any) -> None:
    """The text of `parse_result_list`; `one(i)` prints an item."""
    printer.print_string("" if count == 1 else "(")
    for index in range(count):
        if index:
            printer.print_string(", ")
        one(index)
    printer.print_string("" if count == 1 else ")")


def is_resource(value: SSAValue | Attribute) -> bool:
    """Whether a value or type is a resource."""
    return isinstance(value.type if isinstance(value, SSAValue) else value, ResourceType)


def check_count(what: str, got: int, wanted: int) -> None:
    """Raise where a list has not the length it should have."""
    if got != wanted:
        raise VerifyException(f"expected {wanted} {what}, but got {got}")
