"""Shared pieces of the hand-written assembly formats: attribute dictionaries and type lists.

MLIR prints one dictionary with inherent and discardable attributes together, sorted by name. xDSL keeps the inherent
ones as properties, so parsing has to split the dictionary and printing has to merge it again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

#: Properties that encode operand grouping and never appear in a custom form.
SEGMENTS = frozenset({"operandSegmentSizes", "resultSegmentSizes"})


def split_attributes(
    op_class: type[IRDLOperation], attributes: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Split a parsed dictionary into (properties, discardable attributes) of `op_class`."""
    names = op_class.get_irdl_definition().properties.keys()
    properties = {key: value for key, value in attributes.items() if key in names}
    return properties, {key: value for key, value in attributes.items() if key not in names}


def parse_attributes(
    parser: Parser, op_class: type[IRDLOperation]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parse an optional attribute dictionary and split it into (properties, discardable attributes)."""
    return split_attributes(op_class, parser.parse_optional_attr_dict())


def print_attributes(
    printer: Printer, op: Operation, hidden: Collection[str] = (), *, keep_empty: bool = False
) -> None:
    """Print properties and attributes as one dictionary sorted by name, without the names in `hidden`."""
    merged = {**op.properties, **op.attributes}
    shown = {key: merged[key] for key in sorted(merged) if key not in hidden and key not in SEGMENTS}
    if shown or keep_empty:
        printer.print_string(" ")
        printer.print_attr_dict(shown)


def parse_list(parser: Parser, parse: Callable[[], SSAValue], opening: str = "(", closing: str = ")") -> list[SSAValue]:
    """Parse `opening item,* closing`; the list may be empty."""
    parser.parse_punctuation(opening)  # pyright: ignore[reportArgumentType]
    items: list[SSAValue] = []
    if parser.parse_optional_punctuation(closing) is not None:  # pyright: ignore[reportArgumentType]
        return items
    items.append(parse())
    while parser.parse_optional_punctuation(",") is not None:
        items.append(parse())
    parser.parse_punctuation(closing)  # pyright: ignore[reportArgumentType]
    return items


def parse_index_list(parser: Parser, opening: str = "(", closing: str = ")") -> list[SSAValue]:
    """Parse a parenthesised, possibly empty list of `index` operands."""
    return parse_list(parser, lambda: parser.parse_operand(IndexType()), opening, closing)


def parse_optional_index_operands(parser: Parser) -> list[SSAValue]:
    """Parse a possibly empty, bare comma list of `index` operands."""
    operands: list[SSAValue] = []
    first = parser.parse_optional_unresolved_operand()
    if first is None:
        return operands
    operands.append(parser.resolve_operand(first, IndexType()))
    while parser.parse_optional_punctuation(",") is not None:
        operands.append(parser.parse_operand(IndexType()))
    return operands


def parse_types(parser: Parser, count: int | None = None) -> list[Attribute]:
    """Parse `: type (, type)*`; with `count`, exactly that many."""
    parser.parse_punctuation(":")
    types: list[Attribute] = [parser.parse_type()]
    while (count is None or len(types) < count) and parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    if count is not None and len(types) != count:
        parser.raise_error(f"expected {count} types, but got {len(types)}")
    return types


def print_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Print ` : type, type`."""
    printer.print_string(" : ")
    printer.print_list(types, printer.print_attribute)


def parse_shape(parser: AttrParser) -> tuple[list[int], Attribute]:
    """Parse `4x?xf16`, with or without spaces around `x`; DYNAMIC_INDEX stands for `?`."""
    dims: list[int] = []
    while parser._current_token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):  # pyright: ignore
        dims.append(parser.parse_shape_dimension())
        parser.parse_shape_delimiter()
    return dims, parser.parse_type()


def resolve(parser: Parser, operands: Sequence[UnresolvedOperand], types: Sequence[Attribute]) -> list[SSAValue]:
    """Resolve operands against the types that follow them in the text."""
    return [parser.resolve_operand(operand, kind) for operand, kind in zip(operands, types, strict=True)]


def parse_yield_operands(parser: Parser) -> list[SSAValue]:
    """Parse `(%v,+ : T,+)?`."""
    first = parser.parse_optional_unresolved_operand()
    if first is None:
        return []
    operands = [first]
    while parser.parse_optional_punctuation(",") is not None:
        operands.append(parser.parse_unresolved_operand())
    return resolve(parser, operands, parse_types(parser, len(operands)))


def print_yield_operands(printer: Printer, operands: Sequence[SSAValue]) -> None:
    """Print ` %v, %w : T, U`, or nothing without operands."""
    if operands:
        printer.print_string(" ")
        printer.print_list(operands, printer.print_ssa_value)
        print_types(printer, [operand.type for operand in operands])


def check_minimum(name: str, value: IntegerAttr | None, minimum: int) -> None:
    """The attribute `name`, where present, is an i64 of at least `minimum`; raises `VerifyException`."""
    if value is not None and (value.type != i64 or value.value.data < minimum):
        raise VerifyException(
            f"attribute '{name}' failed to satisfy constraint: "
            f"64-bit signless integer attribute whose minimum value is {minimum}"
        )


def check_parent(op: Any, *names: str) -> None:
    """The operation stands in one of these; raises `VerifyException`."""
    parent = op.parent_op()
    if parent is None or parent.name not in names:
        listed = " or ".join(f"'{name}'" for name in names)
        raise VerifyException(f"expects parent op {listed}")
