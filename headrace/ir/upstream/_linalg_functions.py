"""The functions that elementwise operations of `linalg` name in an attribute."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum


class ElementwiseKind(StrEnum):
    """The functions of `linalg.elementwise`, those of one number first, then those of two."""

    EXP = "exp"
    LOG = "log"
    ABS = "abs"
    CEIL = "ceil"
    FLOOR = "floor"
    NEGF = "negf"
    RECIPROCAL = "reciprocal"
    ROUND = "round"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    SQUARE = "square"
    TANH = "tanh"
    ERF = "erf"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    DIV_UNSIGNED = "div_unsigned"
    MAX_SIGNED = "max_signed"
    MIN_SIGNED = "min_signed"
    MAX_UNSIGNED = "max_unsigned"
    MIN_UNSIGNED = "min_unsigned"
    POWF = "powf"
    SELECT = "select"

    @property
    def inputs(self) -> int:
        """How many inputs the function has."""
        kinds = list(ElementwiseKind)
        if self is ElementwiseKind.SELECT:
            return 3
        return 1 if kinds.index(self) < kinds.index(ElementwiseKind.ADD) else 2


def _read(parser: Any, inputs: int | None = None) -> ElementwiseKind:
    """`<name>`: a function, with `inputs` only one of so many numbers."""
    with parser.in_angle_brackets():
        at = parser.pos
        found = parser.parse_str_enum(ElementwiseKind)
        if inputs not in (None, found.inputs):
            parser.raise_error(f"'{found.value}' takes {found.inputs} numbers, not {inputs}", at)
        return found


@irdl_attr_definition
class ElementwiseKindAttr(EnumAttribute[ElementwiseKind]):  # pyright: ignore
    """`#linalg.elementwise_kind<add>`: the function of `linalg.elementwise`."""

    name = "linalg.elementwise_kind"

    @classmethod
    def parse_parameter(cls, parser: Any) -> ElementwiseKind:
        return _read(parser)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class UnaryFnAttr(EnumAttribute[ElementwiseKind]):  # pyright: ignore
    """`#linalg.unary_fn<exp>`: the function of `linalg.elemwise_unary`."""

    name = "linalg.unary_fn"

    @classmethod
    def parse_parameter(cls, parser: Any) -> ElementwiseKind:
        return _read(parser, 1)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class BinaryFnAttr(EnumAttribute[ElementwiseKind]):  # pyright: ignore
    """`#linalg.binary_fn<add>`: the function of `linalg.elemwise_binary`."""

    name = "linalg.binary_fn"

    @classmethod
    def parse_parameter(cls, parser: Any) -> ElementwiseKind:
        return _read(parser, 2)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")
