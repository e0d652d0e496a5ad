"""The functions that the older elementwise operations of `linalg` name in an attribute."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition


class UnaryFn(StrEnum):
    """The functions of `linalg.elemwise_unary`."""

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


class BinaryFn(StrEnum):
    """The functions of `linalg.elemwise_binary`."""

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


@irdl_attr_definition
class UnaryFnAttr(EnumAttribute[UnaryFn]):  # pyright: ignore
    """`#linalg.unary_fn<exp>`: a function of one number."""

    name = "linalg.unary_fn"

    @classmethod
    def parse_parameter(cls, parser: Any) -> UnaryFn:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(UnaryFn)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class BinaryFnAttr(EnumAttribute[BinaryFn]):  # pyright: ignore
    """`#linalg.binary_fn<add>`: a function of two numbers."""

    name = "linalg.binary_fn"

    @classmethod
    def parse_parameter(cls, parser: Any) -> BinaryFn:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(BinaryFn)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")
