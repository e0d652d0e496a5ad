"""What the operations of `vectorchain` share: lanes, the mask clause, and the positional syntax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr, VectorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types, resolve
from headrace.ir.dialects.dataflow_types import VECTOR, CustomVectorType


def lanes(kind: Attribute) -> int:
    """Number of elements of a builtin or custom vector."""
    if isinstance(kind, CustomVectorType):
        return kind.get_num_elements()
    assert isinstance(kind, VectorType)
    return kind.element_count()


def element_type(kind: Attribute) -> Attribute:
    """Element type of a builtin or custom vector."""
    assert isinstance(kind, CustomVectorType | VectorType)
    return kind.element_type


def identity_map(rank: int = 1) -> AffineMapAttr:
    """The identity map of the lane-wise forms."""
    return AffineMapAttr(AffineMap.identity(rank))


def parse_mask(parser: Parser) -> SSAValue | None:
    """Parse the optional clause `[%mask : vec]`."""
    if parser.parse_optional_punctuation("[") is None:
        return None
    mask = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    resolved = parser.resolve_operand(mask, parser.parse_type())
    parser.parse_punctuation("]")
    return resolved


def print_mask(printer: Printer, mask: SSAValue | None) -> None:
    """Print the clause of `parse_mask`."""
    if mask is None:
        return
    printer.print_string(" [")
    printer.print_ssa_value(mask)
    printer.print_string(" : ")
    printer.print_attribute(mask.type)
    printer.print_string("]")


def check_predicate_mask(mask: SSAValue | None) -> None:
    """Raise `VerifyException` for a mask that is no 1-D vector of i1."""
    if mask is None:
        return
    kind = mask.type
    if not (isinstance(kind, VectorType) and kind.element_type == i1 and kind.get_num_dims() == 1):
        raise VerifyException(f"mask must be a 1-D vector of i1, but is {kind}")


class VectorOp(DialectOp):
    """Shared syntax `%a, %b.. MASK attrs : types.., result type` of the ops with positional inputs."""

    INPUTS: ClassVar[int] = 1
    MASKED: ClassVar[bool] = True
    PREDICATE_MASK: ClassVar[bool] = False

    result = result_def(VECTOR)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        inputs: Sequence[SSAValue],
        result_type: Attribute | None = None,
        mask: SSAValue | None = None,
        properties: dict[str, Attribute] | None = None,
    ):
        """Build from inputs; the result type defaults to that of the first input."""
        operands: list[SSAValue | list[SSAValue]] = list(inputs)
        if cls.MASKED:
            operands.append([] if mask is None else [mask])
        return cls.build(
            operands=operands,
            result_types=[inputs[0].type if result_type is None else result_type],
            properties=properties or {},
        )

    def verify_(self) -> None:
        if self.PREDICATE_MASK:
            check_predicate_mask(getattr(self, "mask", None))

    @classmethod
    def parse(cls, parser: Parser):
        names = [parser.parse_unresolved_operand()]
        for _ in range(cls.INPUTS - 1):
            parser.parse_punctuation(",")
            names.append(parser.parse_unresolved_operand())
        mask = parse_mask(parser) if cls.MASKED else None
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, cls.INPUTS + 1)
        operands: list[SSAValue | list[SSAValue]] = list(resolve(parser, names, types[:-1]))
        if cls.MASKED:
            operands.append([] if mask is None else [mask])
        return cls.build(operands=operands, result_types=types[-1:], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        inputs = self.operands[: self.INPUTS]
        printer.print_string(" ")
        printer.print_list(inputs, printer.print_ssa_value)
        if self.MASKED:
            print_mask(printer, getattr(self, "mask", None))
        print_attributes(printer, self)
        print_types(printer, [*(value.type for value in inputs), self.result.type])
