"""Types and attributes of the `dataflow` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr, VectorType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute, TypeAttribute
from xdsl.irdl import base, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class CustomVectorType(ParametrizedAttribute, TypeAttribute):
    """`!dataflow.custom_vector<N x T>`: N elements of any type, also of types a builtin vector refuses."""

    name = "dataflow.custom_vector"
    size: IntegerAttr
    element_type: Attribute

    def __init__(self, size: int | IntegerAttr, element_type: Attribute):
        super().__init__(IntegerAttr(size, 64) if isinstance(size, int) else size, element_type)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            size = parser.parse_shape_dimension(allow_dynamic=False)
            parser.parse_shape_delimiter()
            element = parser.parse_type()
        return [IntegerAttr(size, 64), element]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.size.value.data}x")
            printer.print_attribute(self.element_type)

    def get_num_elements(self) -> int:
        """Number of lanes."""
        return self.size.value.data


_KEYWORDS = ("mxfp4", "mxfp8", "mxint4")


def _parse_width(parser: AttrParser) -> Sequence[Attribute]:
    with parser.in_angle_brackets():
        at = parser.pos
        width = parser.parse_integer(allow_boolean=False, allow_negative=False)
        if width >= 1 << 63:
            parser.raise_error(f"a width of {width} fits no 64 bits", at)
        return [IntegerAttr(width, 64)]


class _MXType(ParametrizedAttribute, TypeAttribute):
    """Common part of the two microscaling types; a width that has a keyword makes a `!dataflow.custom<...>`."""

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        (width,) = params
        keyword = f"{cls.name.removeprefix('dataflow.')}{width.value.data}"  # pyright: ignore
        return CustomType.new([StringAttr(keyword)]) if keyword in _KEYWORDS else super().new(params)


@irdl_attr_definition
class MXFPType(_MXType):
    """`!dataflow.mxfp<W>`: microscaling float of width W."""

    name = "dataflow.mxfp"
    width: IntegerAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_width(parser)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.width.value.data}>")


@irdl_attr_definition
class MXIntType(_MXType):
    """`!dataflow.mxint<W>`: microscaling integer of width W."""

    name = "dataflow.mxint"
    width: IntegerAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_width(parser)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.width.value.data}>")


@irdl_attr_definition
class CustomType(ParametrizedAttribute, TypeAttribute):
    """`!dataflow.custom<mxfp4 | mxfp8 | mxint4>`."""

    name = "dataflow.custom"
    keyword: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            keyword = parser.parse_identifier()
            if keyword not in _KEYWORDS:
                parser.raise_error(f"expected 'mxfp4', 'mxfp8' or 'mxint4' but got '{keyword}'")
        return [StringAttr(keyword)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.keyword.data}>")


class Direction(StrEnum):
    """Ring routing direction."""

    PseudoRandom = "PseudoRandom"
    CounterClockwise = "CounterClockwise"
    Clockwise = "Clockwise"
    BothWays = "BothWays"


@irdl_attr_definition
class DirectionAttr(EnumAttribute[Direction], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#dataflow<direction Clockwise>`."""

    name = "dataflow.direction"


VECTOR = base(VectorType) | base(CustomVectorType)
"""Constraint of every channel item: a builtin vector of any rank, or a custom vector."""
