"""The `spyreop` dialect: scalar device intrinsics for the bodies of `linalg.generic`. All operations are pure.

Most share one syntax, `spyreop.NAME operands attr-dict? : T`, and are made from the table `_UNIFORM`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float16Type, Float32Type, FloatAttr, IntegerAttr, IntegerType, TensorType, f32, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.floats import parse_float


@irdl_attr_definition
class DF16Type(ParametrizedAttribute, TypeAttribute):
    """`!spyreop.df16`: DLFloat16, 1 sign, 6 exponent and 9 fraction bits."""

    name = "spyreop.df16"


@irdl_attr_definition
class DF16FusedType(ParametrizedAttribute, TypeAttribute):
    """`!spyreop.df16_fused`: a (mean, mean of squares) pair of df16."""

    name = "spyreop.df16_fused"


@irdl_attr_definition
class FP16FusedType(ParametrizedAttribute, TypeAttribute):
    """`!spyreop.fp16_fused`: a (mean, mean of squares) pair of f16."""

    name = "spyreop.fp16_fused"


@irdl_attr_definition
class FP32FusedType(ParametrizedAttribute, TypeAttribute):
    """`!spyreop.fp32_fused`: a (mean, mean of squares) pair of f32."""

    name = "spyreop.fp32_fused"


class ComparePredicate(StrEnum):
    """Predicates of `spyreop.compare`."""

    EQUAL = "equal"
    NOTEQUAL = "notequal"
    GREATERTHAN = "greaterthan"
    GREATEREQUAL = "greaterequal"
    LESSERTHAN = "lesserthan"
    LESSEREQUAL = "lesserequal"


class ReductionKind(StrEnum):
    """Combiners of `spyreop.slice_reduction`."""

    ADD = "add"
    SUB = "sub"
    MAX = "max"
    MIN = "min"
    MUL = "mul"
    ABS_MAX = "abs_max"


class ReductionScope(StrEnum):
    """Scopes (and step names) of `spyreop.slice_reduction`."""

    IN_SLICE = "in_slice"
    ACROSS_SLICE = "across_slice"
    IN_SLICE_FMA_SRC0_SHUF = "in_slice_fma_src0_shuf"
    IN_SLICE_FMA_SRC2_SHUF = "in_slice_fma_src2_shuf"
    IN_SLICE_FMA_BOTH_SHUF = "in_slice_fma_both_shuf"
    ACROSS_SLICE_SPLAT = "across_slice_splat"
    ACROSS_SLICE_SCAN_GAP = "across_slice_scan_gap"
    ACROSS_SLICE_FMA16 = "across_slice_fma16"


@irdl_attr_definition
class ComparePredicateAttr(EnumAttribute[ComparePredicate]):
    """`#spyreop.compare_predicate<equal>`; the operation prints the bare `<equal>`."""

    name = "spyreop.compare_predicate"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ComparePredicate:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ComparePredicate)


@irdl_attr_definition
class ReductionKindAttr(EnumAttribute[ReductionKind]):
    """`#spyreop.reduction_kind<add>`."""

    name = "spyreop.reduction_kind"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ReductionKind:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ReductionKind)


@irdl_attr_definition
class ReductionScopeAttr(EnumAttribute[ReductionScope]):
    """`#spyreop.reduction_scope<in_slice>`."""

    name = "spyreop.reduction_scope"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ReductionScope:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ReductionScope)


_F: tuple[type[Attribute], ...] = (Float16Type, DF16Type, Float32Type)
_H: tuple[type[Attribute], ...] = (Float16Type, DF16Type)
_FUSED: dict[type[Attribute], type[Attribute]] = {
    Float16Type: FP16FusedType,
    DF16Type: DF16FusedType,
    Float32Type: FP32FusedType,
}


def _spelled(types: Sequence[type[Attribute]]) -> str:
    names = {Float16Type: "f16", DF16Type: "!spyreop.df16", Float32Type: "f32"}
    return ", ".join(names[t] for t in types)


def _check_type(what: str, t: Attribute, allowed: tuple[type[Attribute], ...]) -> None:
    if not isinstance(t, allowed):
        raise VerifyException(f"{what} must be one of {_spelled(allowed)}, but is {t}")


class Elementwise(DialectOp):
    """Operands and result of one type: `spyreop.NAME %a, %b : T`."""

    ALLOWED: ClassVar[tuple[type[Attribute], ...]] = _F

    @classmethod
    def _arity(cls) -> int:
        return len(cls.get_irdl_definition().operands)

    @classmethod
    def parse(cls, parser: Parser):
        names = [parser.parse_unresolved_operand()]
        for _ in range(cls._arity() - 1):
            parser.parse_punctuation(",")
            names.append(parser.parse_unresolved_operand())
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        results = [t] * len(cls.get_irdl_definition().results)
        return cls.build(
            operands=[parser.resolve_operand(n, t) for n in names],
            result_types=results,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        for i, v in enumerate(self.operands):
            _check_type(f"operand #{i}", v.type, self.ALLOWED)
            if v.type != self.results[0].type:
                raise VerifyException(
                    f"operands and result must have one type, but got {v.type} and {self.results[0].type}"
                )


def _unary(op_name: str, doc: str, types: tuple[type[Attribute], ...]) -> type[Elementwise]:
    class Unary(Elementwise):
        name = op_name
        x = operand_def()
        result = result_def()
        traits = traits_def(Pure())
        ALLOWED: ClassVar[tuple[type[Attribute], ...]] = types

        def __init__(self, x: SSAValue):
            super().__init__(operands=[x], result_types=[x.type])

    Unary.__name__ = Unary.__qualname__ = (
        "".join(p.capitalize() for p in op_name.removeprefix("spyreop.").split("_")) + "Op"
    )
    Unary.__doc__ = doc
    return irdl_op_definition(Unary)


ExpOp = _unary("spyreop.exp", "`%r = spyreop.exp %x : T`: e^x.", _F)
GeluOp = _unary("spyreop.gelu", "`%r = spyreop.gelu %x : T`: x times the standard normal CDF of x.", _H)
SigmoidOp = _unary("spyreop.sigmoid", "`%r = spyreop.sigmoid %x : T`: 1 / (1 + e^-x).", _F)
SiluOp = _unary("spyreop.silu", "`%r = spyreop.silu %x : T`: x * sigmoid(x).", _F)
SqrtOp = _unary("spyreop.sqrt", "`%r = spyreop.sqrt %x : T`: square root.", _F)
RsqrtOp = _unary("spyreop.rsqrt", "`%r = spyreop.rsqrt %x : T`: 1 / square root.", _F)
ReciprocalOp = _unary("spyreop.reciprocal", "`%r = spyreop.reciprocal %x : T`: 1 / x.", _F)


@irdl_op_definition
class RealdivOp(Elementwise):
    """`%r = spyreop.realdiv %a, %b : T`: a / b."""

    name = "spyreop.realdiv"
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


@irdl_op_definition
class SelectOp(Elementwise):
    """`%r = spyreop.select %c, %t, %f : T`: %t where c != 0, else %f."""

    name = "spyreop.select"
    condition = operand_def()
    true_value = operand_def()
    false_value = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, condition: SSAValue, true_value: SSAValue, false_value: SSAValue):
        super().__init__(operands=[condition, true_value, false_value], result_types=[true_value.type])


@irdl_op_definition
class Exx2Op(Elementwise):
    """`%m, %q = spyreop.exx2 %x : T`: mean and mean of squares."""

    name = "spyreop.exx2"
    x = operand_def()
    mean = result_def()
    squares = result_def()
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type, x.type])


class _Integer(DialectOp):
    """`spyreop.NAME %a, %b` without a type."""

    WIDTH: ClassVar[int] = 32

    @classmethod
    def parse(cls, parser: Parser):
        t = IntegerType(cls.WIDTH)
        lhs = parser.parse_operand(t)
        parser.parse_punctuation(",")
        rhs = parser.parse_operand(t)
        return cls.build(operands=[lhs, rhs], result_types=[t], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)

    def verify_(self) -> None:
        for v in (*self.operands, *self.results):
            if v.type != IntegerType(self.WIDTH):
                raise VerifyException(f"operands and result must be i{self.WIDTH}, but got {v.type}")


def _integer(op_name: str, doc: str, bits: int) -> type[_Integer]:
    class Integer(_Integer):
        name = op_name
        lhs = operand_def()
        rhs = operand_def()
        result = result_def()
        traits = traits_def(Pure())
        WIDTH: ClassVar[int] = bits

        def __init__(self, lhs: SSAValue, rhs: SSAValue):
            super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    Integer.__name__ = Integer.__qualname__ = op_name.removeprefix("spyreop.").capitalize() + "Op"
    Integer.__doc__ = doc
    return irdl_op_definition(Integer)


AddI32Op = _integer("spyreop.addi32toi32", "`%r = spyreop.addi32toi32 %a, %b`: wrapping sum.", 32)
AddI64Op = _integer("spyreop.addi64toi64", "`%r = spyreop.addi64toi64 %a, %b`: wrapping sum.", 64)
MulI32Op = _integer("spyreop.muli32toi32", "`%r = spyreop.muli32toi32 %a, %b`: low 32 bits of the product.", 32)


@irdl_op_definition
class SoftplusOp(DialectOp):
    """`%r = spyreop.softplus %x beta 1.0 threshold 20.0 : T`: log(1 + e^(beta x)) / beta, x above threshold."""

    name = "spyreop.softplus"
    x = operand_def()
    beta = prop_def(FloatAttr)
    threshold = prop_def(FloatAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, beta: float, threshold: float):
        super().__init__(
            operands=[x],
            result_types=[x.type],
            properties={"beta": FloatAttr(beta, f32), "threshold": FloatAttr(threshold, f32)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> SoftplusOp:
        x = parser.parse_unresolved_operand()
        values: dict[str, Attribute] = {}
        for keyword in ("beta", "threshold"):
            parser.parse_keyword(keyword)
            values[keyword] = FloatAttr(parse_float(parser, f32), f32)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(x, t)],
            result_types=[t],
            properties={**properties, **values},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.x)
        for keyword, value in (("beta", self.beta), ("threshold", self.threshold)):
            printer.print_string(f" {keyword} ")
            printer.print_float(value.value.data, f32)
        print_attributes(printer, self, ("beta", "threshold"))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        _check_type("operand #0", self.x.type, _H)
        if self.x.type != self.result.type:
            raise VerifyException("operand and result must have one type")
        if self.beta.value.data == 0.0:
            raise VerifyException("beta must not be 0")


@irdl_op_definition
class Idx32ToAddrOp(DialectOp):
    """`%r = spyreop.idx32toaddr %i base %b stride %s` (old form: `base 0x1000 stride 4`): base + stride * i, i32."""

    name = "spyreop.idx32toaddr"
    index = operand_def(i32)
    base = opt_operand_def(i32)
    stride = opt_operand_def(i32)
    base_attr = opt_prop_def(IntegerAttr, prop_name="base")
    stride_attr = opt_prop_def(IntegerAttr, prop_name="stride")
    result = result_def(i32)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, index: SSAValue, base: SSAValue | int, stride: SSAValue | int):
        """Base and stride are values (newer form) or numbers (older form)."""
        super().__init__(
            operands=[index, *(None if isinstance(v, int) else v for v in (base, stride))],
            result_types=[i32],
            properties={
                "base": IntegerAttr(base, i32) if isinstance(base, int) else None,
                "stride": IntegerAttr(stride, i32) if isinstance(stride, int) else None,
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> Idx32ToAddrOp:
        index = parser.parse_operand(i32)
        operands: dict[str, SSAValue | None] = {}
        properties: dict[str, Attribute] = {}
        for keyword in ("base", "stride"):
            parser.parse_keyword(keyword)
            operand = parser.parse_optional_unresolved_operand()
            if operand is not None:
                operands[keyword] = parser.resolve_operand(operand, i32)
            else:
                properties[keyword] = IntegerAttr(parser.parse_integer(allow_boolean=False), i32)
        more, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[index, operands.get("base"), operands.get("stride")],
            result_types=[i32],
            properties={**properties, **more},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.index)
        for keyword, value, attr in (("base", self.base, self.base_attr), ("stride", self.stride, self.stride_attr)):
            printer.print_string(f" {keyword} ")
            if value is not None:
                printer.print_ssa_value(value)
            elif attr is not None:
                number = attr.value.data
                printer.print_string(f"0x{number & 0xFFFFFFFF:X}" if keyword == "base" else str(number))
        print_attributes(printer, self, ("base", "stride"))

    def verify_(self) -> None:
        for keyword, value, attr in (("base", self.base, self.base_attr), ("stride", self.stride, self.stride_attr)):
            if (value is None) == (attr is None):
                raise VerifyException(f"expected '{keyword}' as an operand or as an attribute")


def _fuse(op_name: str, doc: str) -> type[IRDLOperation]:
    class Fuse(DialectOp):
        name = op_name
        x = operand_def()
        result = result_def()
        traits = traits_def(Pure())

        def __init__(self, x: SSAValue):
            super().__init__(operands=[x], result_types=[_FUSED[type(x.type)]()])  # type: ignore[call-arg]

        @classmethod
        def parse(cls, parser: Parser):
            return _parse_arrow(cls, parser)

        def print(self, printer: Printer) -> None:
            _print_arrow(self, printer)

        def verify_(self) -> None:
            _check_type("operand #0", self.x.type, _F)
            wanted = _FUSED[type(self.x.type)]
            if not isinstance(self.result.type, wanted):
                raise VerifyException(
                    f"result of type {self.result.type} does not pair with operand type {self.x.type}, "
                    f"expected !{wanted.name}"
                )

    Fuse.__name__ = Fuse.__qualname__ = (
        "".join(p.capitalize() for p in op_name.removeprefix("spyreop.").split("_")) + "Op"
    )
    Fuse.__doc__ = doc
    return irdl_op_definition(Fuse)


def _parse_arrow(cls: type[IRDLOperation], parser: Parser):
    x = parser.parse_unresolved_operand()
    properties, attributes = parse_attributes(parser, cls)
    parser.parse_punctuation(":")
    source = parser.parse_type()
    parser.parse_punctuation("->")
    result = parser.parse_type()
    return cls.build(
        operands=[parser.resolve_operand(x, source)],
        result_types=[result],
        properties=properties,
        attributes=attributes,
    )


def _print_arrow(op: IRDLOperation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" -> ")
    printer.print_attribute(op.results[0].type)


Exx2FusedOp = _fuse(
    "spyreop.exx2_fused",
    "`%r = spyreop.exx2_fused %x : f16 -> !spyreop.fp16_fused`: mean and mean of squares as a pair.",
)
Exx2ZeromeanFusedOp = _fuse(
    "spyreop.exx2_zeromean_fused",
    "`%r = spyreop.exx2_zeromean_fused %x : f16 -> !spyreop.fp16_fused`: mean taken as 0.",
)


@irdl_op_definition
class LayernormscaleOp(DialectOp):
    """`%r = spyreop.layernormscale %m squares %q : T` (old form: `%m : T`): 1 / sqrt(q - m*m + eps)."""

    name = "spyreop.layernormscale"
    mean = operand_def()
    squares = opt_operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, mean: SSAValue, squares: SSAValue | None = None):
        super().__init__(operands=[mean, squares], result_types=[mean.type])

    @classmethod
    def parse(cls, parser: Parser) -> LayernormscaleOp:
        mean = parser.parse_unresolved_operand()
        squares = parser.parse_unresolved_operand() if parser.parse_optional_keyword("squares") is not None else None
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        second = None if squares is None else parser.resolve_operand(squares, t)
        return cls.build(
            operands=[parser.resolve_operand(mean, t), second],
            result_types=[t],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mean)
        if self.squares is not None:
            printer.print_string(" squares ")
            printer.print_ssa_value(self.squares)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        for i, v in enumerate(self.operands):
            _check_type(f"operand #{i}", v.type, _F)
            if v.type != self.result.type:
                raise VerifyException("operands and result must have one type")


@irdl_op_definition
class LayernormscaleFusedOp(DialectOp):
    """`%r = spyreop.layernormscale_fused %p : !spyreop.fp16_fused -> f16`: the scale from a pair."""

    name = "spyreop.layernormscale_fused"
    pair = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, pair: SSAValue, result_type: Attribute):
        super().__init__(operands=[pair], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> LayernormscaleFusedOp:
        return _parse_arrow(cls, parser)  # pyright: ignore[reportReturnType]

    def print(self, printer: Printer) -> None:
        _print_arrow(self, printer)

    def verify_(self) -> None:
        wanted = _FUSED.get(type(self.result.type))
        if wanted is None or not isinstance(self.pair.type, wanted):
            raise VerifyException(f"operand of type {self.pair.type} does not pair with result type {self.result.type}")


@irdl_op_definition
class LayernormnormOp(DialectOp):
    """`%r = spyreop.layernormnorm %x squares %q scale %s weight %w bias %b : T`: x * s * w + b."""

    name = "spyreop.layernormnorm"
    x = operand_def()
    squares = operand_def()
    scale = operand_def()
    weight = operand_def()
    bias = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, squares: SSAValue, scale: SSAValue, weight: SSAValue, bias: SSAValue):
        super().__init__(operands=[x, squares, scale, weight, bias], result_types=[x.type])

    @classmethod
    def parse(cls, parser: Parser) -> LayernormnormOp:
        names = [parser.parse_unresolved_operand()]
        for keyword in ("squares", "scale", "weight", "bias"):
            parser.parse_keyword(keyword)
            names.append(parser.parse_unresolved_operand())
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(n, t) for n in names],
            result_types=[t],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.x)
        for keyword in ("squares", "scale", "weight", "bias"):
            printer.print_string(f" {keyword} ")
            printer.print_ssa_value(getattr(self, keyword))
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        for i, v in enumerate(self.operands):
            _check_type(f"operand #{i}", v.type, _F)
            if v.type != self.result.type:
                raise VerifyException("operands and result must have one type")


@irdl_op_definition
class CompareOp(DialectOp):
    """`%r = spyreop.compare <lesserthan> %a, %b : T`: 1 where the predicate holds, else 0, in type T."""

    name = "spyreop.compare"
    predicate = prop_def(ComparePredicateAttr)
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, predicate: ComparePredicate, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs], result_types=[lhs.type], properties={"predicate": ComparePredicateAttr(predicate)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> CompareOp:
        bare = parser.parse_optional_identifier()  # `equal` or `<equal>`.
        if bare is None:
            predicate = ComparePredicateAttr(ComparePredicateAttr.parse_parameter(parser))
        else:
            known = [item.value for item in ComparePredicate]
            if bare not in known:
                parser.raise_error(f"unknown predicate '{bare}', expected one of {', '.join(known)}")
            predicate = ComparePredicateAttr(ComparePredicate(bare))
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        operands = [parser.resolve_operand(lhs, t), parser.resolve_operand(rhs, t)]
        return cls.build(
            operands=operands,
            result_types=[t],
            properties={**properties, "predicate": predicate},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" <{self.predicate.data.value}> ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self, ("predicate",))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        for i, v in enumerate(self.operands):
            _check_type(f"operand #{i}", v.type, _F)
            if v.type != self.result.type:
                raise VerifyException("operands and result must have one type")


@irdl_op_definition
class ConstantOp(DialectOp):
    """`%r = spyreop.constant 1.5 : f16`: a register-resident value, never merged with an `arith.constant`."""

    name = "spyreop.constant"
    value = prop_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, value: FloatAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        value = parser.parse_attribute()
        t = value.type if isinstance(value, FloatAttr | IntegerAttr) else f32
        return cls.build(result_types=[t], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, ("value",))
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        if not isinstance(self.value, FloatAttr) or not isinstance(self.result.type, Float16Type | Float32Type):
            raise VerifyException(f"value must be a float of type f16 or f32, but is {self.value}")
        if self.value.type != self.result.type:
            raise VerifyException(f"type {self.value.type} of the value must match the result type {self.result.type}")


@irdl_op_definition
class SliceReductionOp(DialectOp):
    """`%r = spyreop.slice_reduction %t {reduction_kind = .., reduction_scope = ..} : tensor<64xf16> -> ..`:
    one step of a reduction over the lanes of a vector.
    """

    name = "spyreop.slice_reduction"
    x = operand_def()
    reduction_kind = prop_def(ReductionKindAttr)
    reduction_scope = prop_def(ReductionScopeAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, kind: ReductionKind, scope: ReductionScope):
        super().__init__(
            operands=[x],
            result_types=[x.type],
            properties={"reduction_kind": ReductionKindAttr(kind), "reduction_scope": ReductionScopeAttr(scope)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> SliceReductionOp:
        return _parse_arrow(cls, parser)  # pyright: ignore[reportReturnType]

    def print(self, printer: Printer) -> None:
        _print_arrow(self, printer)

    def verify_(self) -> None:
        if not isinstance(self.x.type, TensorType) or self.x.type != self.result.type:
            raise VerifyException("operand and result must be ranked tensors of one type")


Spyreop = Dialect(
    "spyreop",
    [
        AddI32Op,
        AddI64Op,
        MulI32Op,
        ExpOp,
        GeluOp,
        SigmoidOp,
        SiluOp,
        SqrtOp,
        RsqrtOp,
        ReciprocalOp,
        RealdivOp,
        SelectOp,
        SoftplusOp,
        Idx32ToAddrOp,
        Exx2Op,
        Exx2FusedOp,
        Exx2ZeromeanFusedOp,
        LayernormscaleOp,
        LayernormscaleFusedOp,
        LayernormnormOp,
        CompareOp,
        ConstantOp,
        SliceReductionOp,
    ],
    [
        DF16Type,
        DF16FusedType,
        FP16FusedType,
        FP32FusedType,
        ComparePredicateAttr,
        ReductionKindAttr,
        ReductionScopeAttr,
    ],
)
