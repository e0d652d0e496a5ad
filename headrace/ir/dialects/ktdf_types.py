"""Types and attributes of the `ktdf` dialect: tokens, FIFO slots, loop types."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    ParametrizedAttribute,
    TypeAttribute,
)
from xdsl.irdl import (
    irdl_attr_definition,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from headrace.ir.dialects._syntax import parse_shape

INDEX = IndexType()


class LoopType(StrEnum):
    """Whether the iterations of an `scf.for` are independent."""

    PARALLEL_LOOP = "parallel_loop"
    REDUCTION_LOOP = "reduction_loop"


@irdl_attr_definition
class LoopTypeAttr(EnumAttribute[LoopType]):
    """`#ktdf.loop_type<parallel_loop>`: discardable attribute `loop_type` of `scf.for`."""

    name = "ktdf.loop_type"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopType:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(LoopType)


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!ktdf.token`: orders the stages of one pipeline; no runtime representation."""

    name = "ktdf.token"


def _parse_count(parser: AttrParser) -> tuple[IntAttr, Attribute]:
    """`64xf16` or `?xf16`; the number may be anything, as upstream."""
    negative = parser.parse_optional_punctuation("-") is not None
    shape, element = parse_shape(parser)
    if len(shape) != 1:
        parser.raise_error("expected one element count before the element type of a fifo slot")
    return IntAttr(-shape[0] if negative else shape[0]), element


@irdl_attr_definition
class FifoSlotType(ParametrizedAttribute, TypeAttribute):
    """`!ktdf.fifo.slot<"RD" -> "ALU", 64xf16>`: room for 64 (or `?`) elements on the way from `src` to `dest`."""

    name = "ktdf.fifo.slot"
    src: Attribute
    dest: Attribute
    num_elements: IntAttr
    element_type: Attribute

    def __init__(self, src: Attribute, dest: Attribute, num_elements: int | IntAttr, element_type: Attribute):
        elements = num_elements if isinstance(num_elements, IntAttr) else IntAttr(num_elements)
        super().__init__(src, dest, elements, element_type)

    @property
    def is_dynamic(self) -> bool:
        """Whether the count is `?`."""
        return self.num_elements.data == DYNAMIC_INDEX

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            src = parser.parse_attribute()
            parser.parse_characters("->")
            dest = parser.parse_attribute()
            parser.parse_characters(",")
            return [src, dest, *_parse_count(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.src)
            printer.print_string(" -> ")
            printer.print_attribute(self.dest)
            printer.print_string(", " + ("?" if self.is_dynamic else str(self.num_elements.data)) + "x")
            printer.print_attribute(self.element_type)


def parse_slot_type(parser: Parser) -> Attribute:
    """A slot type, with or without its `!ktdf.fifo.slot` prefix."""
    if parser.parse_optional_characters("<") is None:
        return parser.parse_type()
    src = parser.parse_attribute()
    parser.parse_characters("->")
    dest = parser.parse_attribute()
    parser.parse_characters(",")
    count, element = _parse_count(parser)
    parser.parse_characters(">")
    return FifoSlotType(src, dest, count, element)


def print_slot_type(printer: Printer, t: Attribute) -> None:
    """A slot type without its prefix."""
    if isinstance(t, FifoSlotType):
        t.print_parameters(printer)
    else:
        printer.print_attribute(t)
