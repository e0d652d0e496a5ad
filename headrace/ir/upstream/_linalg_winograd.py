"""The three steps of Winograd's convolution in `linalg`: the filter, the input and the output are transformed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

_SIZES = {"F_2_3": (2, 3), "F_4_3": (4, 3), "F_2_5": (2, 5)}
"""Extents of an output tile and of the filter, by the newer spelling `fmr(...)`."""


def _integer(attribute: Attribute | None) -> int | None:
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


class _Transform(IRDLOperation):
    """One step over tiles of `m` x `m` results and filters of `r` x `r`."""

    source = operand_def(TensorType)
    output = operand_def(TensorType)
    m = opt_prop_def(IntegerAttr.constr(i64))
    r = opt_prop_def(IntegerAttr.constr(i64))
    fmr = opt_prop_def(IntegerAttr.constr(i32))
    result = result_def(TensorType)
    traits = traits_def(Pure())

    #: Ranks of the operand and of the output.
    RANKS: ClassVar[tuple[int, int]] = (4, 4)

    @classmethod
    def parse(cls, parser: Any) -> _Transform:
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("fmr") is not None:
            parser.parse_punctuation("(")
            at = parser.pos
            name = parser.parse_identifier()
            if name not in _SIZES:
                parser.raise_error(f"expected one of {', '.join(_SIZES)}", at)
            properties["fmr"] = IntegerAttr(list(_SIZES).index(name), i32)
            parser.parse_punctuation(")")
        else:
            for key in ("m", "r"):
                parser.parse_keyword(key)
                parser.parse_punctuation("(")
                properties[key] = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
                parser.parse_punctuation(")")
        operands: list[Any] = []
        for keyword in ("ins", "outs"):
            parser.parse_keyword(keyword)
            parser.parse_punctuation("(")
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            operands.append(parser.resolve_operand(name, parser.parse_type()))
            parser.parse_punctuation(")")
        parser.parse_punctuation("->")
        kind = parser.parse_type()
        return cls.create(operands=operands, result_types=[kind], properties=properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes)
        chosen = _integer(self.fmr)
        if chosen is not None:
            printer.print_string(f" fmr({list(_SIZES)[chosen]})")
        else:
            printer.print_string(f" m({_integer(self.m)}) r({_integer(self.r)})")
        for keyword, value in (("ins", self.source), ("outs", self.output)):
            printer.print_string(f" {keyword}(")
            printer.print_ssa_value(value)
            printer.print_string(" : ")
            printer.print_attribute(value.type)
            printer.print_string(")")
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def sizes(self) -> tuple[int, int]:
        """The extents of an output tile and of the filter."""
        chosen, m, r = _integer(self.fmr), _integer(self.m), _integer(self.r)
        if chosen is not None:
            if not 0 <= chosen < len(_SIZES):
                raise VerifyException(f"attribute 'fmr' must be 0 to {len(_SIZES) - 1}, but is {chosen}")
            return list(_SIZES.values())[chosen]
        if m is None or r is None:
            raise VerifyException(f"requires attribute '{'m' if m is None else 'r'}'")
        if m < 1 or r < 1:
            raise VerifyException("attributes 'm' and 'r' must be positive")
        return m, r

    def check_shapes(self, expected: Callable[[Sequence[int], int, int], list[int]]) -> None:
        """Check the types; `expected` gives the shape of the output from the shape of the input, `m` and `r`."""
        m, r = self.sizes()
        shapes: list[Sequence[int]] = []
        kinds = (self.source.type, self.output.type, self.result.type)
        for position, (kind, rank) in enumerate(zip(kinds, (*self.RANKS, self.RANKS[1]), strict=True)):
            what = f"operand #{position}" if position < 2 else "result #0"
            if not isinstance(kind, TensorType) or len(kind.get_shape()) != rank:
                raise VerifyException(f"{what} must be {rank}D tensor of any type values, but got '{kind}'")
            shapes.append(kind.get_shape())
        if kinds[0].element_type != kinds[1].element_type:  # pyright: ignore[reportAttributeAccessIssue]
            raise VerifyException("expected the input and the output to have one element type")
        wanted = expected(shapes[0], m, r)
        if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in zip(wanted, shapes[1], strict=True)):
            raise VerifyException("the output shape is not expected")


@irdl_op_definition
class WinogradFilterTransformOp(_Transform):
    """`%r = linalg.winograd_filter_transform m(4) r(3) ins(%f : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) ->
    tensor<6x6x5x2xf32>`: the filters of a convolution as Winograd's product of matrices wants them.
    """

    name = "linalg.winograd_filter_transform"

    def verify_(self) -> None:
        self.check_shapes(self.expected)

    @staticmethod
    def expected(shape: Sequence[int], m: int, r: int) -> list[int]:
        height, width = shape[1:3]
        for what, extent in (("height", height), ("width", width)):
            if extent not in (r, 1):
                raise VerifyException(f"expect filter {what} either equals to r or 1")
        if height == width == 1:
            raise VerifyException("expect either filter height or width equals to r")
        tile = m + r - 1
        return [tile if height == r else 1, tile if width == r else 1, shape[3], shape[0]]


@irdl_op_definition
class WinogradInputTransformOp(_Transform):
    """`%r = linalg.winograd_input_transform m(4) r(3) ins(%x : tensor<2x6x6x5xf32>) outs(%o : tensor<6x6x1x1x2x5xf32>)
    -> tensor<6x6x1x1x2x5xf32>`: the input of a convolution in overlapping tiles, transformed.
    """

    name = "linalg.winograd_input_transform"
    RANKS: ClassVar[tuple[int, int]] = (4, 6)

    def verify_(self) -> None:
        self.check_shapes(self.expected)

    @staticmethod
    def expected(shape: Sequence[int], m: int, r: int) -> list[int]:
        tiles: list[int] = []
        counts: list[int] = []
        for extent in shape[1:3]:
            tiles.append(1 if extent == 1 else m + r - 1)
            count = 1 if extent == 1 else (extent - (r - 1)) // m
            counts.append(DYNAMIC_INDEX if extent == DYNAMIC_INDEX else count)
        return [*tiles, *counts, shape[0], shape[3]]


@irdl_op_definition
class WinogradOutputTransformOp(_Transform):
    """`%r = linalg.winograd_output_transform m(4) r(3) ins(%x : tensor<6x6x1x1x2x2xf32>) outs(%o :
    tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>`: the tiles of a product of matrices become the result.
    """

    name = "linalg.winograd_output_transform"
    RANKS: ClassVar[tuple[int, int]] = (6, 4)

    def verify_(self) -> None:
        self.check_shapes(self.expected)

    @staticmethod
    def expected(shape: Sequence[int], m: int, r: int) -> list[int]:
        found: list[int] = []
        for what, extent, tiles in (("height", shape[0], shape[2]), ("width", shape[1], shape[3])):
            if DYNAMIC_INDEX in (extent, tiles):
                found.append(DYNAMIC_INDEX)
                continue
            if extent not in (1, m + r - 1):
                raise VerifyException(f"expect input {what} equals to input tile size")
            found.append((1 if extent == 1 else m) * tiles)
        return [shape[4], *found, shape[5]]


WINOGRAD = (WinogradFilterTransformOp, WinogradInputTransformOp, WinogradOutputTransformOp)
