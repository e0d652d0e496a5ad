"""Shared pieces of the `agen` dialect: access clauses, time axes, regions and their checks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType, MemRefType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    BlockArgument,
    Region,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
)
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    SingleBlockImplicitTerminator,
    ensure_terminator,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, end_blocks
from headrace.ir.dialects._syntax import (
    parse_index_list,
    parse_yield_operands,
    print_attributes,
    print_yield_operands,
)
from headrace.ir.subscripts import print_subscripts


class Direction(StrEnum):
    """Ring routing direction."""

    PseudoRandom = "PseudoRandom"
    CounterClockwise = "CounterClockwise"
    Clockwise = "Clockwise"
    BothWays = "BothWays"


@irdl_attr_definition
class DirectionAttr(EnumAttribute[Direction], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#agen<direction Clockwise>`."""

    name = "agen.direction"


def check_map_operands(map: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    expected = map.data.num_dims + map.data.num_symbols
    if len(operands) != expected:
        raise VerifyException(f"expected {expected} map operands, but got {len(operands)}")


def check_rank(map: AffineMapAttr, memory: SSAValue) -> None:
    kind = memory.type
    if isinstance(kind, MemRefType) and len(kind.get_shape()) != len(map.data.results):
        raise VerifyException(f"expected {len(kind.get_shape())} subscripts, but got {len(map.data.results)}")


def check_set_and_order(
    points: AffineSetAttr, order: AffineMapAttr, map: AffineMapAttr, mismatch: str, what: str
) -> None:
    if points.data.num_dims < len(map.data.results):
        raise VerifyException(mismatch)
    if points.data.num_dims != order.data.num_dims:
        raise VerifyException(f"{what} set and order dimensions should match")


def parse_keyed(parser: Parser, *keywords: str) -> None:
    for keyword in keywords:
        parser.parse_keyword(keyword)
    parser.parse_punctuation(":")


def parse_multicast(parser: Parser, comma: bool) -> SSAValue | None:
    """Parse `[,] multicast_info = %x`, if present."""
    if comma:
        if parser.parse_optional_punctuation(",") is None:
            return None
        parser.parse_keyword("multicast_info")
    elif parser.parse_optional_keyword("multicast_info") is None:
        return None
    parser.parse_punctuation("=")
    return parser.parse_operand(IndexType())


def print_multicast(printer: Printer, value: SSAValue | None, comma: bool) -> None:
    if value is not None:
        printer.print_string(", multicast_info = " if comma else " multicast_info = ")
        printer.print_ssa_value(value)


def parse_time_symbols(parser: Parser) -> list[SSAValue]:
    parser.parse_keyword("time_symbols")
    return parse_index_list(parser)


def print_time_symbols(printer: Printer, symbols: Sequence[SSAValue]) -> None:
    printer.print_string(" time_symbols(")
    printer.print_list(symbols, printer.print_ssa_value)
    printer.print_string(")")


def parse_load_iv(parser: Parser, keyword: bool) -> Parser.Argument:
    """Parse `[, load_iv] (%iv : vec)`."""
    if keyword:
        parser.parse_punctuation(",")
        parser.parse_keyword("load_iv")
    parser.parse_punctuation("(")
    argument = parser.parse_argument()
    parser.parse_punctuation(")")
    return argument


def print_load_iv(printer: Printer, value: BlockArgument, keyword: bool) -> None:
    printer.print_string(", load_iv(" if keyword else " (")
    printer.print_ssa_value(value)
    printer.print_string(":")
    printer.print_attribute(value.type)
    printer.print_string(")")


def print_body(printer: Printer, region: Region) -> None:
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False, print_empty_block=False)


def print_access(printer: Printer, memory: SSAValue, map: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(memory)
    print_subscripts(printer, map, operands)


@irdl_op_definition
class YieldOp(DialectOp):
    """`agen.yield %v : vector<64xf16>`: terminator of composite regions; an operand replaces the loaded vector."""

    name = "agen.yield"
    arguments = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *arguments: SSAValue):
        super().__init__(operands=[arguments])

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is None or not parent.name.startswith("agen.composite_"):
            raise VerifyException("expects a composite memory operation of 'agen' as parent op")

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        attributes = parser.parse_optional_attr_dict()
        return cls.build(operands=[parse_yield_operands(parser)], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        print_yield_operands(printer, self.arguments)


class CompositeOp(DialectOp):
    """Composite ops end their regions in `agen.yield`."""

    traits = traits_def(SingleBlockImplicitTerminator(YieldOp))

    def __post_init__(self) -> None:
        if not all(region.blocks for region in self.regions):
            return  # a clone, whose blocks follow
        end_blocks(self, YieldOp)
        for trait in self.get_traits_of_type(SingleBlockImplicitTerminator):
            ensure_terminator(self, trait)
