"""The `index` dialect: arithmetic on `index` values, in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Dialect, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

_INDEX = IndexType()

#: Mnemonic of a binary operation -> what it computes.
_BINARY = {
    "add": "the sum",
    "sub": "the difference",
    "mul": "the product",
    "divs": "the signed quotient, towards zero",
    "divu": "the unsigned quotient",
    "ceildivs": "the signed quotient, rounded up",
    "ceildivu": "the unsigned quotient, rounded up",
    "floordivs": "the signed quotient, rounded down",
    "rems": "the signed remainder",
    "remu": "the unsigned remainder",
    "maxs": "the signed maximum",
    "maxu": "the unsigned maximum",
    "mins": "the signed minimum",
    "minu": "the unsigned minimum",
    "shl": "the left shift",
    "shrs": "the arithmetic right shift",
    "shru": "the logical right shift",
    "and": "the bitwise and",
    "or": "the bitwise or",
    "xor": "the bitwise exclusive or",
}
_COMMUTATIVE = frozenset({"add", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor"})


def _binary(mnemonic: str, meaning: str) -> type[IRDLOperation]:
    class Made(IRDLOperation):
        name = f"index.{mnemonic}"
        lhs = operand_def(_INDEX)
        rhs = operand_def(_INDEX)
        result = result_def(_INDEX)
        assembly_format = "$lhs `,` $rhs attr-dict"
        traits = traits_def(Pure(), Commutative()) if mnemonic in _COMMUTATIVE else traits_def(Pure())

    Made.__name__ = Made.__qualname__ = f"{mnemonic.capitalize()}Op"
    Made.__doc__ = f"`%r = index.{mnemonic} %a, %b`: {meaning}."
    return irdl_op_definition(Made)


_BINARY_OPS = [_binary(mnemonic, meaning) for mnemonic, meaning in _BINARY.items()]


class Predicate(StrEnum):
    """The comparisons."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class PredicateAttr(EnumAttribute[Predicate], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#index<cmp_predicate slt>`: a comparison."""

    name = "index.cmp_predicate"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """`%r = index.cmp slt(%a, %b)`: the comparison of two values, an i1."""

    name = "index.cmp"
    pred = prop_def(PredicateAttr)
    lhs = operand_def(_INDEX)
    rhs = operand_def(_INDEX)
    result = result_def(i1)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> CmpOp:
        predicate = PredicateAttr(parser.parse_str_enum(Predicate))
        parser.parse_punctuation("(")
        lhs = parser.parse_operand(_INDEX)
        parser.parse_punctuation(",")
        rhs = parser.parse_operand(_INDEX)
        parser.parse_punctuation(")")
        return cls.build(
            operands=[lhs, rhs],
            result_types=[i1],
            properties={"pred": predicate},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Any) -> None:
        printer.print_string(f" {self.pred.data.value}(")
        printer.print_ssa_value(self.lhs)
        printer.print_string(", ")
        printer.print_ssa_value(self.rhs)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)


class _Cast(IRDLOperation):
    input = operand_def()
    output = result_def()
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        kinds = (self.input.type, self.output.type)
        if sum(kind == _INDEX for kind in kinds) != 1 or not any(isinstance(kind, IntegerType) for kind in kinds):
            raise VerifyException(f"operand type '{kinds[0]}' and result type '{kinds[1]}' are cast incompatible")


@irdl_op_definition
class CastSOp(_Cast):
    """`%r = index.casts %a : index to i64`: a signed conversion between index and an integer."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(_Cast):
    """`%r = index.castu %a : index to i64`: an unsigned conversion between index and an integer."""

    name = "index.castu"


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """`%r = index.sizeof`: the bits of an index."""

    name = "index.sizeof"
    result = result_def(_INDEX)
    assembly_format = "attr-dict"
    traits = traits_def(Pure())


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`%idx4 = index.constant 4`: a number."""

    name = "index.constant"
    value = prop_def(IntegerAttr.constr(_INDEX))
    result = result_def(_INDEX)
    traits = traits_def(Pure())

    def asm_result_names(self) -> list[tuple[int, str]]:
        """MLIR's name: `idx` and the value."""
        return [(0, f"idx{self.value.value.data}")]

    @classmethod
    def parse(cls, parser: Any) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        value = IntegerAttr(parser.parse_integer(allow_boolean=False), _INDEX)
        return cls.build(result_types=[_INDEX], properties={"value": value}, attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" {self.value.value.data}")


@irdl_op_definition
class BoolConstantOp(IRDLOperation):
    """`%true = index.bool.constant true`: a truth value."""

    name = "index.bool.constant"
    value = prop_def(BoolAttr)
    result = result_def(i1)
    traits = traits_def(Pure())

    def asm_result_names(self) -> list[tuple[int, str]]:
        """MLIR's name: the value."""
        return [(0, "true" if self.value.value.data else "false")]

    @classmethod
    def parse(cls, parser: Any) -> BoolConstantOp:
        attributes = parser.parse_optional_attr_dict()
        value = BoolAttr.from_bool(bool(parser.parse_boolean()))
        return cls.build(result_types=[i1], properties={"value": value}, attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" true" if self.value.value.data else " false")


Index = Dialect(
    "index",
    [*_BINARY_OPS, CmpOp, CastSOp, CastUOp, SizeOfOp, ConstantOp, BoolConstantOp],
    [PredicateAttr],
)
