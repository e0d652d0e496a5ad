"""Affine subscripts: a bracketed list of affine expressions over SSA ids, stored as a map and its operands.

`[%i * 2 + %r, 0]` becomes `(d0, d1) -> (d0 * 2 + d1, 0)` over `%i, %r`. Distinct ids become dims in order of first
appearance, `symbol(%x)` a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, DenseArrayBase, IndexType, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.affine import AffineParser, expr_text


def parse_subscripts(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    """Parse `[expr, ...]`; returns the map and its operands (dims, then symbols)."""
    reader = SubscriptReader(parser)
    exprs = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, reader.expression)
    return reader.result(exprs)


def parse_expression(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    """Parse one bare affine expression over SSA ids, as a map with one result."""
    reader = SubscriptReader(parser)
    return reader.result([reader.expression()])


class SubscriptReader:
    """Reads affine expressions whose leaves are SSA ids and collects the ids."""

    def __init__(self, parser: Parser):
        self.parser = parser
        self.affine = AffineParser(parser._parser_state)  # pyright: ignore[reportPrivateUsage]
        self.dims: dict[SSAValue, int] = {}
        self.symbols: dict[SSAValue, int] = {}

    def expression(self) -> AffineExpr:
        return self.affine._parse_affine_expr(self._leaf)  # pyright: ignore[reportPrivateUsage]

    def _leaf(self) -> AffineExpr | None:
        if self.parser.parse_optional_keyword("symbol") is not None:
            self.parser.parse_punctuation("(")
            value = self.parser.parse_operand(IndexType())
            self.parser.parse_punctuation(")")
            return AffineSymExpr(self.symbols.setdefault(value, len(self.symbols)))
        operand = self.parser.parse_optional_unresolved_operand()
        if operand is None:
            return None
        known = getattr(self.parser, "value_of", lambda _: None)(operand)
        if known is not None and known.type != IndexType():
            self.parser.raise_error(
                f"subscript '%{operand.operand_name}' has type '{known.type}', expected 'index'; "
                "convert it with arith.index_cast",
                operand.span,
            )
        value = self.parser.resolve_operand(operand, IndexType())
        return AffineDimExpr(self.dims.setdefault(value, len(self.dims)))

    def result(self, exprs: Sequence[AffineExpr]) -> tuple[AffineMapAttr, list[SSAValue]]:
        """The map and its operands; an id that drops out, as in `%i * 0`, is no operand (the text could not say it)."""
        used = {type(e): set[int]() for e in (AffineDimExpr(0), AffineSymExpr(0))}
        for expr in exprs:
            for part in expr.dfs():
                if isinstance(part, AffineDimExpr | AffineSymExpr):
                    used[type(part)].add(part.position)
        dims = sorted(used[AffineDimExpr])
        symbols = sorted(used[AffineSymExpr])
        if len(dims) < len(self.dims) or len(symbols) < len(self.symbols):
            new_dims = [AffineExpr.dimension(dims.index(n) if n in dims else 0) for n in range(len(self.dims))]
            new_symbols = [AffineExpr.symbol(symbols.index(n) if n in symbols else 0) for n in range(len(self.symbols))]
            exprs = [e.replace_dims_and_symbols(new_dims, new_symbols) for e in exprs]
        found = AffineMap(len(dims), len(symbols), tuple(exprs))
        values, more = list(self.dims), list(self.symbols)
        return AffineMapAttr(found), [*(values[n] for n in dims), *(more[n] for n in symbols)]


def at_subscripts(parser: Parser) -> bool:
    """Whether the next token opens a subscript list."""
    return parser._current_token.kind is MLIRTokenKind.L_SQUARE  # pyright: ignore[reportPrivateUsage]


def subscript_texts(printer: Printer, map: AffineMapAttr, operands: Sequence[SSAValue]) -> list[str]:
    """The subscripts as text, one per map result, with the printer's names for the operands."""
    names = [value_name(printer, v) for v in operands]
    dims = names[: map.data.num_dims]
    symbols = [f"symbol({n})" for n in names[map.data.num_dims :]]
    return [expr_text(e, dims, symbols) for e in map.data.results]


def print_subscripts(printer: Printer, map: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    """Print `[expr, ...]`."""
    printer.print_string("[" + ", ".join(subscript_texts(printer, map, operands)) + "]")


def value_name(printer: Printer, value: SSAValue) -> str:
    """The name the printer gives a value, without printing it."""
    stream, printer.stream = printer.stream, _Sink()  # pyright: ignore[reportAttributeAccessIssue]
    try:
        printer.print_ssa_value(value)
        return printer.stream.text  # pyright: ignore[reportAttributeAccessIssue]
    finally:
        printer.stream = stream


class _Sink:
    """Collects what is written to it."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is buffered."""


def parse_mixed_list(
    parser: Any, delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE
) -> tuple[list[SSAValue], DenseArrayBase[Any]]:
    """`[%i, 4]` or `(%i, 4)`: the dynamic values and the static list."""
    values: list[SSAValue] = []

    def item() -> int:
        number = parser.parse_optional_integer(allow_boolean=False)
        if number is None:
            values.append(parser.parse_operand(IndexType()))
            return DYNAMIC_INDEX
        return number

    numbers = parser.parse_comma_separated_list(delimiter, item)
    return values, DenseArrayBase.from_list(i64, numbers)


def print_mixed_list(
    printer: Any,
    values: Sequence[SSAValue],
    static: DenseArrayBase[Any],
    delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE,
) -> None:
    """The text of `parse_mixed_list`."""
    left = iter(values)
    assert delimiter.value is not None
    opening, closing = delimiter.value
    printer.print_string(opening)
    for position, number in enumerate(static.get_values()):
        printer.print_string(", " if position else "")
        if number == DYNAMIC_INDEX:
            printer.print_ssa_value(next(left))
        else:
            printer.print_string(str(number))
    printer.print_string(closing)
