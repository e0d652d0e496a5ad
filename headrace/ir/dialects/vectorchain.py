"""The `vectorchain` dialect: what a compute unit does with vectors in DataflowIR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types, resolve
from headrace.ir.dialects._vectorchain_enums import (
    BinaryOperator,
    BinaryOperatorAttr,
    CompareOperator,
    CompareOperatorAttr,
    EstimateVersions,
    EstimateVersionsAttr,
    EvalOrder,
    EvalOrderAttr,
    ExpEstimateAttr,
    ExpEstimateVersion,
)
from headrace.ir.dialects.dataflow import VECTOR, CustomVectorType


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


def _parse_mask(parser: Parser) -> SSAValue | None:
    """Parse the optional clause `[%mask : vec]`."""
    if parser.parse_optional_punctuation("[") is None:
        return None
    mask = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    resolved = parser.resolve_operand(mask, parser.parse_type())
    parser.parse_punctuation("]")
    return resolved


def _print_mask(printer: Printer, mask: SSAValue | None) -> None:
    if mask is None:
        return
    printer.print_string(" [")
    printer.print_ssa_value(mask)
    printer.print_string(" : ")
    printer.print_attribute(mask.type)
    printer.print_string("]")


def _check_predicate_mask(mask: SSAValue | None) -> None:
    if mask is None:
        return
    kind = mask.type
    if not (isinstance(kind, VectorType) and kind.element_type == i1 and kind.get_num_dims() == 1):
        raise VerifyException(f"mask must be a 1-D vector of i1, but is {kind}")


class _VectorOp(IRDLOperation):
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
            _check_predicate_mask(getattr(self, "mask", None))

    @classmethod
    def parse(cls, parser: Parser):
        names = [parser.parse_unresolved_operand()]
        for _ in range(cls.INPUTS - 1):
            parser.parse_punctuation(",")
            names.append(parser.parse_unresolved_operand())
        mask = _parse_mask(parser) if cls.MASKED else None
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
            _print_mask(printer, getattr(self, "mask", None))
        print_attributes(printer, self)
        print_types(printer, [*(value.type for value in inputs), self.result.type])


@irdl_op_definition
class BinaryOp(_VectorOp):
    """Lane-wise operator; with an identity `op_specific_map` purely lane-wise (the only form the compiler emits)."""

    name = "vectorchain.binary"
    INPUTS: ClassVar[int] = 2
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    binary_op = prop_def(BinaryOperatorAttr)
    op_specific_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(
        self,
        operator: BinaryOperator | str,
        lhs: SSAValue,
        rhs: SSAValue,
        result_type: Attribute | None = None,
        mask: SSAValue | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, mask],
            result_types=[lhs.type if result_type is None else result_type],
            properties={
                "binary_op": BinaryOperatorAttr(BinaryOperator(operator)),
                "op_specific_map": identity_map(),
            },
        )


@irdl_op_definition
class MultiplyOp(_VectorOp):
    """Lane-wise product reduced by `reduction_map`."""

    name = "vectorchain.multiply"
    INPUTS: ClassVar[int] = 2
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    reduction_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, lhs: SSAValue, rhs: SSAValue, result_type: Attribute | None = None):
        super().__init__(
            operands=[lhs, rhs, None],
            result_types=[lhs.type if result_type is None else result_type],
            properties={"reduction_map": identity_map()},
        )


@irdl_op_definition
class MultiplyAndAccumulateOp(_VectorOp):
    """`a * b + c` reduced by `reduction_map`."""

    name = "vectorchain.multiply_and_accumulate"
    INPUTS: ClassVar[int] = 3
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    acc = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    reduction_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, lhs: SSAValue, rhs: SSAValue, acc: SSAValue, result_type: Attribute | None = None):
        super().__init__(
            operands=[lhs, rhs, acc, None],
            result_types=[acc.type if result_type is None else result_type],
            properties={"reduction_map": identity_map()},
        )


@irdl_op_definition
class ElementWiseCompareOp(_VectorOp):
    """Lane-wise comparison."""

    name = "vectorchain.element_wise_compare"
    INPUTS: ClassVar[int] = 2
    PREDICATE_MASK: ClassVar[bool] = True
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    compare_op = prop_def(CompareOperatorAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, operator: CompareOperator | str, lhs: SSAValue, rhs: SSAValue, result_type: Attribute):
        super().__init__(
            operands=[lhs, rhs, None],
            result_types=[result_type],
            properties={"compare_op": CompareOperatorAttr(CompareOperator(operator))},
        )


@irdl_op_definition
class ElementWiseSelectionOp(IRDLOperation):
    """Lane-wise `condition ? lhs : rhs`."""

    name = "vectorchain.element_wise_selection"
    condition = operand_def(VECTOR)
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    dbg_name = opt_prop_def(prop_name="dbgName")
    result = result_def(VECTOR)
    traits = traits_def(Pure())

    def __init__(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue, result_type: Attribute | None = None):
        super().__init__(
            operands=[condition, lhs, rhs, None], result_types=[lhs.type if result_type is None else result_type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> ElementWiseSelectionOp:
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation("?")
        names.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        names.append(parser.parse_unresolved_operand())
        mask = _parse_mask(parser)
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 4)
        return cls.build(
            operands=[*resolve(parser, names, types[:3]), mask],
            result_types=types[3:],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        for text, value in ((" ", self.condition), (" ? ", self.lhs), (" : ", self.rhs)):
            printer.print_string(text)
            printer.print_ssa_value(value)
        _print_mask(printer, self.mask)
        print_attributes(printer, self)
        print_types(printer, [self.condition.type, self.lhs.type, self.rhs.type, self.result.type])


class _UnaryOp(_VectorOp):
    """One input and an optional predicate mask."""

    PREDICATE_MASK: ClassVar[bool] = True
    input = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, result_type: Attribute | None = None, mask: SSAValue | None = None):
        super().__init__(operands=[input, mask], result_types=[input.type if result_type is None else result_type])


@irdl_op_definition
class NegOp(_UnaryOp):
    """`-a`."""

    name = "vectorchain.neg"


@irdl_op_definition
class FloorOp(_UnaryOp):
    """Largest integer not above a."""

    name = "vectorchain.floor"


@irdl_op_definition
class FastExpOp(_UnaryOp):
    """Fast exponential; its error is the device's."""

    name = "vectorchain.fast_exp"


@irdl_op_definition
class RecEstimateOp(_UnaryOp):
    """Estimate of `1/a`."""

    name = "vectorchain.rec_estimate"


@irdl_op_definition
class LnEstimateOp(_UnaryOp):
    """Estimate of `ln a`."""

    name = "vectorchain.ln_estimate"


@irdl_op_definition
class RsqrtEstimateOp(_UnaryOp):
    """Estimate of `1/sqrt(a)`."""

    name = "vectorchain.rsqrt_estimate"


class _VersionedOp(_UnaryOp):
    """Estimates in several versions."""

    version = prop_def(EstimateVersionsAttr)

    def __init__(self, input: SSAValue, version: EstimateVersions | str, result_type: Attribute | None = None):
        IRDLOperation.__init__(
            self,
            operands=[input, None],
            result_types=[input.type if result_type is None else result_type],
            properties={"version": EstimateVersionsAttr(EstimateVersions(version))},
        )


@irdl_op_definition
class ExpEstimateOp(_UnaryOp):
    """Estimate of exp, in two versions."""

    name = "vectorchain.exp_estimate"
    version = prop_def(ExpEstimateAttr)

    def __init__(self, input: SSAValue, version: ExpEstimateVersion | str, result_type: Attribute | None = None):
        IRDLOperation.__init__(
            self,
            operands=[input, None],
            result_types=[input.type if result_type is None else result_type],
            properties={"version": ExpEstimateAttr(ExpEstimateVersion(version))},
        )


@irdl_op_definition
class SigmoidEstimateOp(_VersionedOp):
    """Slope or offset of the piecewise-linear estimate of sigmoid."""

    name = "vectorchain.sigmoid_estimate"


@irdl_op_definition
class TanhEstimateOp(_VersionedOp):
    """Slope or offset of the piecewise-linear estimate of tanh."""

    name = "vectorchain.tanh_estimate"


@irdl_op_definition
class CastOp(_VectorOp):
    """Element type conversion."""

    name = "vectorchain.cast"
    input = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, result_type: Attribute):
        super().__init__(operands=[input, None], result_types=[result_type])

    def verify_(self) -> None:
        if lanes(self.input.type) != lanes(self.result.type):
            raise VerifyException("result size does not match input size")


@irdl_op_definition
class SelectOp(_VectorOp):
    """Result lane j is `input[selection_map(j)]`."""

    name = "vectorchain.select"
    MASKED: ClassVar[bool] = False
    input = operand_def(VECTOR)
    selection_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, selection_map: AffineMapAttr, result_type: Attribute):
        super().__init__(operands=[input], result_types=[result_type], properties={"selection_map": selection_map})


@irdl_op_definition
class MergeOp(_VectorOp):
    """For p in space_CA: `r[f_CA(p)] = a[f_A(p)]`; likewise for b."""

    name = "vectorchain.merge"
    INPUTS: ClassVar[int] = 2
    MASKED: ClassVar[bool] = False
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    iteration_space_ca = prop_def(AffineSetAttr, prop_name="iteration_space_CA")
    access_function_ca = prop_def(AffineMapAttr, prop_name="access_function_CA")
    access_function_a = prop_def(AffineMapAttr, prop_name="access_function_A")
    iteration_space_cb = prop_def(AffineSetAttr, prop_name="iteration_space_CB")
    access_function_cb = prop_def(AffineMapAttr, prop_name="access_function_CB")
    access_function_b = prop_def(AffineMapAttr, prop_name="access_function_B")
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, lhs: SSAValue, rhs: SSAValue, result_type: Attribute, accesses: dict[str, Attribute]):
        """`accesses` maps the six attribute names of the op to their maps and sets."""
        super().__init__(operands=[lhs, rhs], result_types=[result_type], properties=accesses)


@irdl_op_definition
class CreateAffineMaskOp(IRDLOperation):
    """Lane j is true iff j is in `mask_set`; the operand is the set's symbol."""

    name = "vectorchain.create_affine_mask"
    parameter = opt_operand_def(IndexType())
    mask_set = prop_def(AffineSetAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")
    result = result_def(VectorType)
    traits = traits_def(Pure())

    def __init__(self, mask_set: AffineSetAttr, width: int, parameter: SSAValue | None = None):
        super().__init__(
            operands=[parameter], result_types=[VectorType(i1, [width])], properties={"mask_set": mask_set}
        )

    def verify_(self) -> None:
        _check_predicate_mask(self.result)
        symbols = int(self.parameter is not None)
        if self.mask_set.data.num_dims != 1 or self.mask_set.data.num_symbols != symbols:
            raise VerifyException(f"mask_set must have one dimension and {symbols} symbol(s)")

    @classmethod
    def parse(cls, parser: Parser) -> CreateAffineMaskOp:
        name = parser.parse_optional_unresolved_operand()
        parameter = None if name is None else parser.resolve_operand(name, IndexType())
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[parameter], result_types=parse_types(parser, 1), properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.parameter is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.parameter)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class PackOp(_VectorOp):
    """Pick lanes of a and b by an index list, repeated."""

    name = "vectorchain.pack"
    INPUTS: ClassVar[int] = 2
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    indices = prop_def(ArrayAttr)
    repetition = prop_def(IntegerAttr)
    sign_extend = opt_prop_def(BoolAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, lhs: SSAValue, rhs: SSAValue, indices: Sequence[int], repetition: int, result_type: Attribute):
        super().__init__(
            operands=[lhs, rhs, None],
            result_types=[result_type],
            properties={
                "indices": ArrayAttr([IntegerAttr(index, i32) for index in indices]),
                "repetition": IntegerAttr(repetition, IndexType()),
            },
        )


def _element_bits(kind: Attribute) -> int:
    element = element_type(kind)
    bits = getattr(element, "bitwidth", None)
    if bits is None and isinstance(element, IntegerType):
        bits = element.width.data
    if not isinstance(bits, int):
        raise VerifyException(f"expected a vector of integers or floats, but got {kind}")
    return bits


@irdl_op_definition
class ConstantBitstreamOp(IRDLOperation):
    """Each integer's bits, reinterpreted as an element. Prints hexadecimal unless `is_symbol = true`."""

    name = "vectorchain.constant_bitstream"
    value = prop_def(ArrayAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")
    result = result_def(VECTOR)
    traits = traits_def(Pure())

    def __init__(self, values: Sequence[int], result_type: Attribute):
        super().__init__(
            result_types=[result_type],
            properties={"value": ArrayAttr([IntegerAttr(value, 64) for value in values])},
        )

    @property
    def is_symbol(self) -> bool:
        """Whether the values are symbol numbers instead of bit patterns."""
        return self.attributes.get("is_symbol") == BoolAttr.from_bool(True)

    def verify_(self) -> None:
        bits = _element_bits(self.result.type)
        if len(self.value) != lanes(self.result.type):
            raise VerifyException(f"expected {lanes(self.result.type)} values, but got {len(self.value)}")
        if self.is_symbol:
            return
        for value in self.value:
            if not isinstance(value, IntegerAttr) or not 0 <= value.value.data < 1 << bits:
                raise VerifyException(f"value {value} is no {bits}-bit pattern")

    @classmethod
    def parse(cls, parser: Parser) -> ConstantBitstreamOp:
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(result_types=parse_types(parser, 1), properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.is_symbol:
            print_attributes(printer, self)
        else:
            values = (value.value.data for value in self.value if isinstance(value, IntegerAttr))
            printer.print_string(f" {{value = [{', '.join(f'0x{value:X}' for value in values)}]}}")
        print_types(printer, self.result_types)


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """Lane permutation or splat.

    Lane j takes `e = indices[j mod len]`: e >= 0 is `input[e]`, e < 0 element `-e-1` of variable ++ pad.
    """

    name = "vectorchain.shuffle"
    input = operand_def(VECTOR)
    variable = var_operand_def()
    pad = var_operand_def()
    mask = opt_operand_def(VECTOR)
    indices = prop_def(ArrayAttr)
    repetition = prop_def(IntegerAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")
    result = result_def(VECTOR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        input: SSAValue,
        indices: Sequence[int],
        repetition: int,
        result_type: Attribute,
        variable: Sequence[SSAValue] = (),
        pad: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[input, variable, pad, None],
            result_types=[result_type],
            properties={
                "indices": ArrayAttr([IntegerAttr(index, i32) for index in indices]),
                "repetition": IntegerAttr(repetition, i32),
            },
        )

    @classmethod
    def splat(cls, input: SSAValue, result_type: Attribute) -> ShuffleOp:
        """Lane 0 of `input` in every lane of the result."""
        return cls(input, [0], lanes(result_type), result_type)

    def index_list(self) -> list[int]:
        """`indices` as integers."""
        return [index.value.data for index in self.indices if isinstance(index, IntegerAttr)]

    def verify_(self) -> None:
        if lanes(self.result.type) != len(self.indices) * self.repetition.value.data:
            raise VerifyException("result does not scale with indices and repetitions")
        if element_type(self.input.type) != element_type(self.result.type):
            raise VerifyException("input element type does not match output element type")
        if not all(isinstance(index, IntegerAttr) for index in self.indices):
            raise VerifyException("indices element is not integer")
        low, high = -(len(self.variable) + len(self.pad)), lanes(self.input.type) - 1
        if not all(low <= index <= high for index in self.index_list()):
            raise VerifyException("out of bounds indices element")

    @classmethod
    def parse(cls, parser: Parser) -> ShuffleOp:
        def operands() -> list[UnresolvedOperand]:
            return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)

        parser.parse_keyword("input")
        clauses: dict[str, list[UnresolvedOperand]] = {"input": operands()}
        while parser.parse_optional_punctuation(",") is not None:
            keyword = parser.parse_identifier()
            if keyword not in ("variable", "pad", "mask"):
                parser.raise_error(f"expected 'variable', 'pad' or 'mask' but got '{keyword}'")
            if keyword in clauses:
                parser.raise_error(f"clause '{keyword}' given twice")
            clauses[keyword] = operands()
        for keyword in ("input", "mask"):
            if len(clauses.get(keyword, [None])) != 1:
                parser.raise_error(f"clause '{keyword}' takes one operand")
        properties, attributes = parse_attributes(parser, cls)
        ordered = [clauses.get(name, []) for name in ("input", "variable", "pad", "mask")]
        count = sum(len(clause) for clause in ordered)
        types = parse_types(parser, count + 1)
        groups: list[list[SSAValue]] = []
        start = 0
        for clause in ordered:
            groups.append(resolve(parser, clause, types[start : start + len(clause)]))
            start += len(clause)
        return cls.build(operands=groups, result_types=types[-1:], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" input(")
        printer.print_ssa_value(self.input)
        printer.print_string(")")
        mask = [] if self.mask is None else [self.mask]
        for keyword, group in (("variable", self.variable), ("pad", self.pad), ("mask", mask)):
            if group:
                printer.print_string(f", {keyword}(")
                printer.print_list(group, printer.print_ssa_value)
                printer.print_string(")")
        print_attributes(printer, self)
        print_types(printer, [*self.operand_types, self.result.type])


@irdl_op_definition
class ScanWithGapOp(_VectorOp):
    """Scan over every `gap`-th lane: left to right, `out[i] = sum over k of in[i - k gap]`."""

    name = "vectorchain.scan_with_gap"
    MASKED: ClassVar[bool] = False
    input = operand_def(VECTOR)
    reduction_op = prop_def(BinaryOperatorAttr)
    gap = prop_def(IntegerAttr)
    eval_order = prop_def(EvalOrderAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(
        self,
        input: SSAValue,
        operator: BinaryOperator | str,
        gap: int,
        eval_order: EvalOrder | str = EvalOrder.LEFT_TO_RIGHT,
    ):
        super().__init__(
            operands=[input],
            result_types=[input.type],
            properties={
                "reduction_op": BinaryOperatorAttr(BinaryOperator(operator)),
                "gap": IntegerAttr(gap, IndexType()),
                "eval_order": EvalOrderAttr(EvalOrder(eval_order)),
            },
        )


@irdl_op_definition
class RotateOp(_VectorOp):
    """Circular shift of the linearised vector; right: `out[(i + pos) mod n] = in[i]`."""

    name = "vectorchain.rotate"
    INPUTS: ClassVar[int] = 2
    MASKED: ClassVar[bool] = False
    input = operand_def(VECTOR)
    position = operand_def(IndexType())
    right_shift = opt_prop_def(BoolAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, position: SSAValue, right_shift: bool = True):
        super().__init__(
            operands=[input, position],
            result_types=[input.type],
            properties={} if right_shift else {"right_shift": BoolAttr.from_bool(False)},
        )

    @property
    def shifts_right(self) -> bool:
        """Direction; right unless `right_shift = false`."""
        return self.right_shift is None or bool(self.right_shift.value.data)


Vectorchain = Dialect(
    "vectorchain",
    [
        BinaryOp,
        MultiplyOp,
        MultiplyAndAccumulateOp,
        ElementWiseCompareOp,
        ElementWiseSelectionOp,
        NegOp,
        FloorOp,
        FastExpOp,
        RecEstimateOp,
        LnEstimateOp,
        RsqrtEstimateOp,
        ExpEstimateOp,
        SigmoidEstimateOp,
        TanhEstimateOp,
        CastOp,
        SelectOp,
        MergeOp,
        CreateAffineMaskOp,
        PackOp,
        ConstantBitstreamOp,
        ShuffleOp,
        ScanWithGapOp,
        RotateOp,
    ],
    [BinaryOperatorAttr, CompareOperatorAttr, ExpEstimateAttr, EstimateVersionsAttr, EvalOrderAttr],
)
