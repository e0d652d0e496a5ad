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
from xdsl.irdl import (
    AttrSizedOperandSegments,
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

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types, resolve
from headrace.ir.dialects._vectorchain_base import (
    VectorOp,
    check_predicate_mask,
    element_type,
    identity_map,
    lanes,
    parse_mask,
    print_mask,
)
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
from headrace.ir.dialects.dataflow_types import VECTOR


@irdl_op_definition
class BinaryOp(VectorOp):
    """Lane-wise operator; with an identity `op_specific_map` purely lane-wise (the only form the compiler emits).

    ```
    %r = vectorchain.binary %a, %b {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #id} :
      vector<64xf16>, vector<64xf16>, vector<64xf16>
    ```
    """

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
class MultiplyOp(VectorOp):
    """`%r = vectorchain.multiply %a, %b {reduction_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>`:
    lane-wise product reduced by `reduction_map`.
    """

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
class MultiplyAndAccumulateOp(VectorOp):
    """`a * b + c` reduced by `reduction_map`.

    ```
    %r = vectorchain.multiply_and_accumulate %a, %b, %c {reduction_map = #id} : vector<64xf16>, vector<64xf16>,
      vector<64xf16>, vector<64xf16>
    ```
    """

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
class ElementWiseCompareOp(VectorOp):
    """Lane-wise comparison.

    ```
    %r = vectorchain.element_wise_compare %a, %b {compare_op = #vectorchain<element_wise_compare_operator
      compare_lt>} : vector<64xf16>, vector<64xf16>, vector<64xi1>
    ```
    """

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
class ElementWiseSelectionOp(DialectOp):
    """Lane-wise `condition ? lhs : rhs`.

    ```
    %r = vectorchain.element_wise_selection %c ? %a : %b : vector<64xi1>, vector<64xf16>, vector<64xf16>,
      vector<64xf16>
    ```
    """

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
        mask = parse_mask(parser)
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
        print_mask(printer, self.mask)
        print_attributes(printer, self)
        print_types(printer, [self.condition.type, self.lhs.type, self.rhs.type, self.result.type])


class _UnaryOp(VectorOp):
    """One input and an optional predicate mask."""

    PREDICATE_MASK: ClassVar[bool] = True
    input = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, result_type: Attribute | None = None, mask: SSAValue | None = None):
        super().__init__(operands=[input, mask], result_types=[input.type if result_type is None else result_type])


@irdl_op_definition
class NegOp(_UnaryOp):
    """`%r = vectorchain.neg %a : vector<64xf16>, vector<64xf16>`: `-a`."""

    name = "vectorchain.neg"


@irdl_op_definition
class FloorOp(_UnaryOp):
    """`%r = vectorchain.floor %a : vector<64xf16>, vector<64xf16>`: largest integer not above a."""

    name = "vectorchain.floor"


@irdl_op_definition
class FastExpOp(_UnaryOp):
    """`%r = vectorchain.fast_exp %a : vector<64xf16>, vector<64xf16>`: fast exponential; its error is the device's."""

    name = "vectorchain.fast_exp"


@irdl_op_definition
class RecEstimateOp(_UnaryOp):
    """`%r = vectorchain.rec_estimate %a : vector<64xf16>, vector<64xf16>`: estimate of `1/a`."""

    name = "vectorchain.rec_estimate"


@irdl_op_definition
class LnEstimateOp(_UnaryOp):
    """`%r = vectorchain.ln_estimate %a : vector<64xf16>, vector<64xf16>`: estimate of `ln a`."""

    name = "vectorchain.ln_estimate"


@irdl_op_definition
class RsqrtEstimateOp(_UnaryOp):
    """`%r = vectorchain.rsqrt_estimate %a : vector<64xf16>, vector<64xf16>`: estimate of `1/sqrt(a)`."""

    name = "vectorchain.rsqrt_estimate"


class _VersionedOp(_UnaryOp):
    """Estimates in several versions."""

    version = prop_def(EstimateVersionsAttr)

    def __init__(self, input: SSAValue, version: EstimateVersions | str, result_type: Attribute | None = None):
        DialectOp.__init__(
            self,
            operands=[input, None],
            result_types=[input.type if result_type is None else result_type],
            properties={"version": EstimateVersionsAttr(EstimateVersions(version))},
        )


@irdl_op_definition
class ExpEstimateOp(_UnaryOp):
    """`%r = vectorchain.exp_estimate %a {version = #vectorchain<exp_estimate b>} : vector<64xf16>, vector<64xf16>`:
    estimate of exp, in two versions.
    """

    name = "vectorchain.exp_estimate"
    version = prop_def(ExpEstimateAttr)

    def __init__(self, input: SSAValue, version: ExpEstimateVersion | str, result_type: Attribute | None = None):
        DialectOp.__init__(
            self,
            operands=[input, None],
            result_types=[input.type if result_type is None else result_type],
            properties={"version": ExpEstimateAttr(ExpEstimateVersion(version))},
        )


@irdl_op_definition
class SigmoidEstimateOp(_VersionedOp):
    """Slope or offset of the piecewise-linear estimate of sigmoid.

    ```
    %r = vectorchain.sigmoid_estimate %a {version = #vectorchain<estimate_versions slope>} : vector<64xf16>,
      vector<64xf16>
    ```
    """

    name = "vectorchain.sigmoid_estimate"


@irdl_op_definition
class TanhEstimateOp(_VersionedOp):
    """Slope or offset of the piecewise-linear estimate of tanh.

    ```
    %r = vectorchain.tanh_estimate %a {version = #vectorchain<estimate_versions offset>} : vector<64xf16>,
      vector<64xf16>
    ```
    """

    name = "vectorchain.tanh_estimate"


@irdl_op_definition
class CastOp(VectorOp):
    """`%r = vectorchain.cast %a : vector<64xf16>, vector<64xf32>`: element type conversion."""

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
class SelectOp(VectorOp):
    """`%r = vectorchain.select %a {selection_map = #id} : vector<64xf16>, vector<64xf16>`:
    result lane j is `input[selection_map(j)]`.
    """

    name = "vectorchain.select"
    MASKED: ClassVar[bool] = False
    input = operand_def(VECTOR)
    selection_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(prop_name="dbgName")

    def __init__(self, input: SSAValue, selection_map: AffineMapAttr, result_type: Attribute):
        super().__init__(operands=[input], result_types=[result_type], properties={"selection_map": selection_map})


@irdl_op_definition
class MergeOp(VectorOp):
    """For p in space_CA: `r[f_CA(p)] = a[f_A(p)]`; likewise for b.

    ```
    %r = vectorchain.merge %a, %b {iteration_space_CA = #low, access_function_CA = #id, ..} : vector<64xf16>,
      vector<64xf16>, vector<64xf16>
    ```
    """

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
class CreateAffineMaskOp(DialectOp):
    """`%m = vectorchain.create_affine_mask %n {mask_set = affine_set<(d0)[s0] : (-d0 + s0 - 1 >= 0)>} : vector<64xi1>`:
    lane j is true iff j is in `mask_set`; the operand is the set's symbol.
    """

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
        check_predicate_mask(self.result)
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
class PackOp(VectorOp):
    """Pick lanes of a and b by an index list, repeated.

    ```
    %r = vectorchain.pack %a, %b {indices = [0 : i32, 64 : i32], repetition = 32 : index} : vector<64xf16>,
      vector<64xf16>, vector<64xf16>
    ```
    """

    name = "vectorchain.pack"
    INPUTS: ClassVar[int] = 2
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    mask = opt_operand_def(VECTOR)
    indices = prop_def(ArrayAttr)
    repetition = prop_def(IntegerAttr.constr(IndexType()))
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
class ConstantBitstreamOp(DialectOp):
    """`%r = vectorchain.constant_bitstream {value = [0x3C00, 0x00FF]} : vector<2xf16>`:
    each integer's bits, reinterpreted as an element. Prints hexadecimal unless `is_symbol = true`.
    """

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
class ShuffleOp(DialectOp):
    """Lane permutation or splat.

    Lane j takes `e = indices[j mod len]`: e >= 0 is `input[e]`, e < 0 element `-e-1` of variable ++ pad.

    ```
    %r = vectorchain.shuffle input(%s) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
    ```
    """

    name = "vectorchain.shuffle"
    input = operand_def(VECTOR)
    variable = var_operand_def()
    pad = var_operand_def()
    mask = opt_operand_def(VECTOR)
    indices = prop_def(ArrayAttr)
    repetition = prop_def(IntegerAttr.constr(i32))
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
class ScanWithGapOp(VectorOp):
    """Scan over every `gap`-th lane: left to right, `out[i] = sum over k of in[i - k gap]`.

    ```
    %r = vectorchain.scan_with_gap %a {eval_order = #vectorchain<eval_order left_to_right>, gap = 1 : index,
      reduction_op = #vectorchain<binary_operator add>} : vector<64xf16>, vector<64xf16>
    ```
    """

    name = "vectorchain.scan_with_gap"
    MASKED: ClassVar[bool] = False
    input = operand_def(VECTOR)
    reduction_op = prop_def(BinaryOperatorAttr)
    gap = prop_def(IntegerAttr.constr(IndexType()))
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
class RotateOp(VectorOp):
    """`%r = vectorchain.rotate %a, %p {right_shift = false} : vector<64xf16>, index, vector<64xf16>`:
    circular shift of the linearised vector; right: `out[(i + pos) mod n] = in[i]`.
    """

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
