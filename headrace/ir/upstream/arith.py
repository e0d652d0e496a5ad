"""The `arith` dialect: xDSL's operations, on scalars, vectors and tensors alike, with MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Attribute,  # pyright: ignore[reportPrivateImportUsage]
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    Signedness,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.elements import SparseElementsAttr
from headrace.ir.upstream import ADDED_PROPERTIES, OWN_PROPERTIES, parser_for, printer_for, verifier_for


def element(kind: Attribute) -> Attribute:
    """The element type of a shaped type, else the type."""
    return kind.element_type if isinstance(kind, TensorType | VectorType | MemRefType) else kind


def is_float(kind: Attribute) -> bool:
    """A float type or a shaped type of floats; df16 counts."""
    kind = element(kind)
    return isinstance(kind, AnyFloat) or kind.name == "spyreop.df16"


def is_integer(kind: Attribute, index: bool = True) -> bool:
    """A signless integer or index, or a shaped type of them."""
    kind = element(kind)
    if isinstance(kind, IndexType):
        return index
    return isinstance(kind, IntegerType) and kind.signedness.data is Signedness.SIGNLESS


def shape(kind: Attribute) -> tuple[type | None, tuple[int, ...], Attribute | None]:
    """The container, its extents and its encoding or scalable dimensions; (None, (), None) for a scalar."""
    if isinstance(kind, TensorType):
        return type(kind), tuple(kind.get_shape()), kind.encoding
    if isinstance(kind, VectorType):
        return type(kind), tuple(kind.get_shape()), kind.scalable_dims
    return None, (), None


def constant_of(value: SSAValue) -> int | None:
    """The integer an `arith.constant` gives a value, else None."""
    maker = value.owner
    if not isinstance(maker, arith.ConstantOp):
        return None
    number = maker.properties.get("value")
    return number.value.data if isinstance(number, IntegerAttr) else None


def i1_like(kind: Attribute) -> Attribute:
    """i1, or a tensor or vector of i1 with the shape of `kind`."""
    if isinstance(kind, TensorType):
        return TensorType(i1, kind.get_shape(), kind.encoding)
    if isinstance(kind, VectorType):
        return VectorType(i1, kind.get_shape(), kind.scalable_dims)
    return i1


def text(kind: Attribute) -> str:
    """A type in quotes."""
    return f"'{kind}'"


def width(kind: Attribute) -> int | None:
    """Bits of an integer or float element type, None for index."""
    kind = element(kind)
    if isinstance(kind, IntegerType):
        return kind.width.data
    if kind.name == "spyreop.df16":
        return 16
    return getattr(kind, "bitwidth", None)


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """`%r = arith.index_castui %i : index to i32`: unsigned cast between index and integers (xDSL lacks it)."""

    name = "arith.index_castui"
    input = operand_def()
    result = result_def()
    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"
    traits = traits_def(Pure())

    def __init__(self, input: Any, target_type: Attribute):
        super().__init__(operands=[input], result_types=[target_type])


@irdl_op_definition
class RemFOp(IRDLOperation):
    """`%r = arith.remf %a, %b : f32`: remainder of a float division (xDSL lacks it)."""

    name = "arith.remf"
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))
    traits = traits_def(Pure())

    def __init__(self, lhs: Any, rhs: Any, flags: Any = None):

        super().__init__(operands=[lhs, rhs], result_types=[SSAValue.get(lhs).type], properties={"fastmath": flags})


@irdl_op_definition
class AbsFOp(IRDLOperation):
    """`%r = arith.absf %a : f32`: absolute value under its non-standard name, met in real files."""

    name = "arith.absf"
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, operand: Any):

        super().__init__(operands=[operand], result_types=[SSAValue.get(operand).type])


def _binary(parser: Any, cls: type[IRDLOperation], flag: str | None) -> Operation:
    lhs = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    rhs = parser.parse_unresolved_operand()
    properties: dict[str, Attribute] = {}
    if flag == "fastmath":
        properties["fastmath"] = _flags(parser, "fastmath", arith.FastMathFlagsAttr)
    elif flag == "overflow":
        properties["overflowFlags"] = _flags(parser, "overflow", arith.IntegerOverflowAttr)
    elif flag == "exact" and parser.parse_optional_keyword("exact") is not None:
        properties["isExact"] = UnitAttr()
    attributes = parser.parse_optional_attr_dict()
    for key in ("fastmath", "overflowFlags"):
        if key in attributes:
            properties[key] = attributes.pop(key)
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(lhs, kind), parser.resolve_operand(rhs, kind)],
        result_types=[kind],
        properties=properties,
        attributes=attributes,
    )


def _flags(parser: Any, keyword: str, cls: Any) -> Attribute:
    if parser.parse_optional_keyword(keyword) is None:
        return cls("none")
    return cls(cls.parse_parameter(parser))


def parse_fastmath(parser: Any) -> Attribute:
    """`fastmath<fast>`, or nothing."""
    return _flags(parser, "fastmath", arith.FastMathFlagsAttr)


def print_flags(op: Operation, printer: Any) -> None:
    """` fastmath<fast>` and ` overflow<nsw>` where they are not none."""
    if "isExact" in op.properties:
        printer.print_string(" exact")
    for key, word in (("fastmath", "fastmath"), ("overflowFlags", "overflow")):
        value: Any = op.properties.get(key)
        if value is not None and value.data:
            if word == "overflow":
                names = [flag.value for flag in arith.IntegerOverflowFlag if flag in value.data]
                printer.print_string(f" overflow<{', '.join(names)}>")
                continue
            printer.print_string(f" {word}")
            value.print_parameter(printer)


FLOAT_BINARY = (
    arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp,
    arith.MinnumfOp, RemFOp,
)  # fmt: skip
INT_OVERFLOW = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)
INT_EXACT = (arith.DivSIOp, arith.DivUIOp, arith.ShRSIOp, arith.ShRUIOp)
INT_BINARY = (
    arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.RemSIOp,
    arith.RemUIOp, arith.MinSIOp, arith.MinUIOp, arith.MaxSIOp, arith.MaxUIOp, arith.AndIOp, arith.OrIOp,
    arith.XOrIOp,
)  # fmt: skip


@parser_for(*FLOAT_BINARY)
def _parse_float_binary(parser: Any, cls: Any) -> Operation:
    return _binary(parser, cls, "fastmath")


@parser_for(*INT_OVERFLOW)
def _parse_overflow(parser: Any, cls: Any) -> Operation:
    return _binary(parser, cls, "overflow")


@parser_for(*INT_EXACT)
def _parse_exact(parser: Any, cls: Any) -> Operation:
    return _binary(parser, cls, "exact")


@parser_for(*INT_BINARY)
def _parse_int_binary(parser: Any, cls: Any) -> Operation:
    return _binary(parser, cls, None)


@printer_for(*FLOAT_BINARY, *INT_OVERFLOW, *INT_EXACT, *INT_BINARY)
def print_binary(op: Operation, printer: Any) -> None:
    """` %a, %b fastmath<..> {..} : T`."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    print_flags(op, printer)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


def check_same(op: Operation) -> None:
    """All operands and results have one type."""
    kinds = [*(v.type for v in op.operands), *(v.type for v in op.results)]
    if any(kind != kinds[0] for kind in kinds):
        listed = ", ".join(text(kind) for kind in kinds)
        raise VerifyException(f"requires the same type for all operands and results, but has {listed}")


def check_counts(op: Operation, operands: int, results: int = 1) -> None:
    """The number of operands and results."""
    if len(op.operands) != operands:
        raise VerifyException(f"expected {operands} operands, but found {len(op.operands)}")
    if len(op.results) != results:
        raise VerifyException(f"expected {results} results, but found {len(op.results)}")


def check_floats(op: Operation) -> None:
    """Operands are float-like."""
    for index, value in enumerate(op.operands):
        if not is_float(value.type) or isinstance(value.type, MemRefType):
            raise VerifyException(f"operand #{index} must be floating-point-like, but got {text(value.type)}")


def check_integers(op: Operation) -> None:
    """Operands are signless-integer-like."""
    for index, value in enumerate(op.operands):
        if not is_integer(value.type) or isinstance(value.type, MemRefType):
            raise VerifyException(f"operand #{index} must be signless-integer-like, but got {text(value.type)}")


@verifier_for(*FLOAT_BINARY)
def _verify_float_binary(op: Operation) -> None:
    check_counts(op, 2)
    check_floats(op)
    check_same(op)


@verifier_for(*INT_OVERFLOW, *INT_EXACT, *INT_BINARY)
def _verify_int_binary(op: Operation) -> None:
    check_counts(op, 2)
    check_integers(op)
    check_same(op)


def parse_floats(parser: Any, cls: Any) -> Operation:
    """`%a, %b fastmath<..> {..} : T`: operands and result of one float type, df16 included."""
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    flags = parse_fastmath(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(operand, kind) for operand in operands],
        result_types=[kind],
        properties={"fastmath": attributes.pop("fastmath", flags)},
        attributes=attributes,
    )


@parser_for(arith.NegfOp)
def _parse_negf(parser: Any) -> Operation:
    return parse_floats(parser, arith.NegfOp)


@printer_for(arith.NegfOp)
def _print_negf(op: Operation, printer: Any) -> None:
    print_binary(op, printer)


@parser_for(AbsFOp)
def _parse_absf(parser: Any) -> Operation:
    operand = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return AbsFOp.create(operands=[parser.resolve_operand(operand, kind)], result_types=[kind])


@printer_for(AbsFOp)
def _print_absf(op: Operation, printer: Any) -> None:
    print_binary(op, printer)


@verifier_for(arith.NegfOp, AbsFOp)
def _verify_float_unary(op: Operation) -> None:
    check_counts(op, 1)
    check_floats(op)
    check_same(op)


@parser_for(arith.ConstantOp)
def _parse_constant(parser: Any) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    at = parser.pos
    value = parser.parse_attribute()
    kind: Any = getattr(value, "type", None)
    if not isinstance(kind, Attribute):
        parser.raise_error(f"value must be an integer, float, or elements attribute, but is '{value}'", at)
    return arith.ConstantOp.create(result_types=[kind], properties={"value": value}, attributes=attributes)


OWN_PROPERTIES.add(arith.ConstantOp)


@verifier_for(arith.ConstantOp)
def _verify_constant(op: Any) -> None:
    check_counts(op, 0)
    value: Any = op.properties.get("value")
    if value is None:
        raise VerifyException("requires attribute 'value'")
    if not isinstance(
        value,
        IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr | DenseResourceAttr | SparseElementsAttr,
    ):
        raise VerifyException(f"value must be an integer, float, or elements attribute, but is '{value}'")
    kind = op.results[0].type
    if value.type != kind:
        raise VerifyException(f"attribute type {text(value.type)} must match return type: {text(kind)}")
    if isinstance(kind, IntegerType) and kind.signedness.data is not Signedness.SIGNLESS:
        raise VerifyException("integer return type must be signless")
    if isinstance(kind, VectorType) and any(item.value.data for item in kind.scalable_dims):
        if not isinstance(value, DenseIntOrFPElementsAttr) or not value.is_splat():
            raise VerifyException(
                "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
            )


@verifier_for(arith.AddUIExtendedOp, arith.MulSIExtendedOp, arith.MulUIExtendedOp)
def _verify_extended(op: Any) -> None:
    check_counts(op, 2, 2)
    check_integers(op)
    if op.operands[0].type != op.operands[1].type or op.results[0].type != op.operands[0].type:
        raise VerifyException("requires the same type for both operands and the first result")
    second = i1_like(op.operands[0].type) if op.name == "arith.addui_extended" else op.operands[0].type
    if op.results[1].type != second:
        raise VerifyException(f"result #1 must be {text(second)}, but is {text(op.results[1].type)}")


# ---- comparisons and select -----------------------------------------------------------------------------------------

_CMPI = {name: code for code, name in enumerate("eq ne slt sle sgt sge ult ule ugt uge".split())}
_CMPF = {
    name: code for code, name in enumerate("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split())
}


def _parse_compare(parser: Any, cls: Any, table: dict[str, int]) -> Operation:
    from xdsl.dialects.builtin import IntegerAttr, i64

    from headrace.ir.diagnostics import did_you_mean

    at = parser.pos
    word = parser.parse_optional_identifier()
    if word is None:
        word = parser.parse_str_literal()
    if word not in table:
        parser.raise_error(f"unknown predicate '{word}'{did_you_mean(word, table)}", at)
    parser.parse_punctuation(",")
    lhs = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    rhs = parser.parse_unresolved_operand()
    properties: dict[str, Attribute] = {"predicate": IntegerAttr(table[word], i64)}
    if table is _CMPF:
        properties["fastmath"] = _flags(parser, "fastmath", arith.FastMathFlagsAttr)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(lhs, kind), parser.resolve_operand(rhs, kind)],
        result_types=[i1_like(kind)],
        properties=properties,
        attributes=attributes,
    )


@parser_for(arith.CmpiOp)
def _parse_cmpi(parser: Any) -> Operation:
    return _parse_compare(parser, arith.CmpiOp, _CMPI)


@parser_for(arith.CmpfOp)
def _parse_cmpf(parser: Any) -> Operation:
    return _parse_compare(parser, arith.CmpfOp, _CMPF)


@printer_for(arith.CmpiOp, arith.CmpfOp)
def _print_compare(op: Any, printer: Any) -> None:
    names = list(_CMPI if op.name == "arith.cmpi" else _CMPF)
    printer.print_string(f" {names[op.properties['predicate'].value.data]}, ")
    printer.print_list(op.operands, printer.print_ssa_value)
    print_flags(op, printer)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)


@verifier_for(arith.CmpiOp, arith.CmpfOp)
def _verify_compare(op: Any) -> None:
    check_counts(op, 2)
    predicate = op.properties.get("predicate")
    known = _CMPI if op.name == "arith.cmpi" else _CMPF
    if not isinstance(predicate, IntegerAttr) or not 0 <= predicate.value.data < len(known):
        raise VerifyException(f"attribute 'predicate' must be one of 0 to {len(known) - 1}")
    (check_integers if op.name == "arith.cmpi" else check_floats)(op)
    if op.operands[0].type != op.operands[1].type:
        raise VerifyException("requires all operands to have the same type")
    if op.results[0].type != i1_like(op.operands[0].type):
        raise VerifyException(f"result must be {text(i1_like(op.operands[0].type))}, but is {text(op.results[0].type)}")


@parser_for(arith.SelectOp)
def _parse_select(parser: Any) -> Operation:
    operands = [parser.parse_unresolved_operand()]
    for _ in range(2):
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_type()
    condition: Attribute = i1
    if parser.parse_optional_punctuation(",") is not None:
        condition, kind = kind, parser.parse_type()
    else:
        known = parser.value_of(operands[0])
        if known is not None and known.type != i1 and isinstance(known.type, ShapedType):
            parser.warn("a condition that is not i1 has to be given as 'condition type, result type'", at)
            condition = known.type
    return arith.SelectOp.create(
        operands=[
            parser.resolve_operand(operand, t) for operand, t in zip(operands, (condition, kind, kind), strict=True)
        ],
        result_types=[kind],
        attributes=attributes,
    )


@printer_for(arith.SelectOp)
def _print_select(op: Operation, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    if op.operands[0].type != i1:
        printer.print_attribute(op.operands[0].type)
        printer.print_string(", ")
    printer.print_attribute(op.results[0].type)


@verifier_for(arith.SelectOp)
def _verify_select(op: Operation) -> None:
    check_counts(op, 3)
    if op.operands[1].type != op.operands[2].type or op.operands[1].type != op.results[0].type:
        raise VerifyException("requires true value, false value and result to have the same type")
    condition = op.operands[0].type
    if condition != i1 and condition != i1_like(op.results[0].type):
        raise VerifyException(f"condition must be i1 or {text(i1_like(op.results[0].type))}, but is {text(condition)}")


# ---- casts ----------------------------------------------------------------------------------------------------------

_CASTS = (
    arith.ExtFOp, arith.TruncFOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.SIToFPOp, arith.UIToFPOp,
    arith.FPToSIOp, arith.FPToUIOp, arith.IndexCastOp, IndexCastUIOp, arith.BitcastOp,
)  # fmt: skip
ADDED_PROPERTIES[arith.TruncFOp] = ("roundingmode",)
_ROUNDING = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


@parser_for(*_CASTS)
def _parse_cast(parser: Any, cls: Any) -> Operation:
    operand = parser.parse_unresolved_operand()
    attributes: dict[str, Attribute] = {}
    if cls is arith.TruncFOp:
        for number, mode in enumerate(_ROUNDING):
            if parser.parse_optional_keyword(mode) is not None:
                attributes["roundingmode"] = IntegerAttr(number, i32)
    flags: Attribute | None = None
    if cls in (arith.TruncFOp, arith.ExtFOp) and parser._current_token.text == "fastmath":
        flags = parse_fastmath(parser)
        attributes["fastmath"] = flags
    if cls is arith.TruncIOp and parser._current_token.text == "overflow":
        attributes["overflowFlags"] = _flags(parser, "overflow", arith.IntegerOverflowAttr)
    elif cls is arith.TruncIOp:
        attributes["overflowFlags"] = arith.IntegerOverflowAttr("none")
    properties = dict(attributes)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_keyword("to")
    target = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(operand, kind)],
        result_types=[target],
        properties=properties,
        attributes=attributes,
    )


@printer_for(*_CASTS)
def _print_cast(op: Operation, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    attributes = {**op.properties, **op.attributes}
    if op.name == "arith.truncf" and isinstance(mode := attributes.get("roundingmode"), IntegerAttr):
        printer.print_string(f" {_ROUNDING[mode.value.data % len(_ROUNDING)]}")
        del attributes["roundingmode"]
    flags: Any = attributes.get("fastmath")
    if isinstance(flags, arith.FastMathFlagsAttr):
        del attributes["fastmath"]
        if flags.data:
            printer.print_string(" fastmath")
            flags.print_parameter(printer)
    overflow: Any = attributes.get("overflowFlags")
    if isinstance(overflow, arith.IntegerOverflowAttr):
        del attributes["overflowFlags"]
        if overflow.data:
            names = [flag.value for flag in arith.IntegerOverflowFlag if flag in overflow.data]
            printer.print_string(f" overflow<{', '.join(names)}>")
    printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


@verifier_for(*_CASTS)
def _verify_cast(op: Operation) -> None:
    check_counts(op, 1)
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(source, MemRefType) and op.name == "arith.bitcast":
        return
    if shape(source) != shape(target):
        raise VerifyException(f"operand type {text(source)} and result type {text(target)} have different shapes")
    kind = op.name.removeprefix("arith.")
    ints, floats = is_integer, is_float
    legal = {
        "extf": floats(source) and floats(target),
        "truncf": floats(source) and floats(target),
        "extsi": ints(source, False) and ints(target, False),
        "extui": ints(source, False) and ints(target, False),
        "trunci": ints(source, False) and ints(target, False),
        "sitofp": ints(source, False) and floats(target),
        "uitofp": ints(source, False) and floats(target),
        "fptosi": floats(source) and ints(target, False),
        "fptoui": floats(source) and ints(target, False),
        "index_cast": ints(source) and ints(target)
        and isinstance(element(source), IndexType) != isinstance(element(target), IndexType),
        "bitcast": width(source) == width(target),
    }  # fmt: skip
    legal["index_castui"] = legal["index_cast"]
    if not legal[kind]:
        raise VerifyException(f"operand type {text(source)} and result type {text(target)} are cast incompatible")
    a, b = width(source), width(target)
    if kind.startswith("ext") and a is not None and b is not None and b <= a:
        raise VerifyException(f"result type {text(target)} must be wider than operand type {text(source)}")
    if kind.startswith("trunc") and a is not None and b is not None and b >= a:
        raise VerifyException(f"result type {text(target)} must be shorter than operand type {text(source)}")


#: Old names of operations that real files still use.
_RENAMED = {"arith.maxf": arith.MaximumfOp, "arith.minf": arith.MinimumfOp}


def _old_name(name: str, cls: type[IRDLOperation]) -> type[IRDLOperation]:
    @irdl_op_definition
    class OldNameOp(IRDLOperation):
        lhs = operand_def()
        rhs = operand_def()
        result = result_def()

        name = "arith.old"

        @classmethod
        def parse(cls, parser: Any) -> Any:
            parser.warn(f"'{old}' is now called '{new.name}'")
            return _binary(parser, new, "fastmath")

    old, new = name, cls
    OldNameOp.name = name
    OldNameOp.__doc__ = f"`%r = {name} %a, %b : f32`: old name of `{cls.name}`, read with a warning."
    return OldNameOp


Arith = Dialect(
    "arith",
    [
        *arith.Arith.operations,
        IndexCastUIOp,
        RemFOp,
        AbsFOp,
        *(_old_name(name, cls) for name, cls in _RENAMED.items()),
    ],
    list(arith.Arith.attributes),
)
