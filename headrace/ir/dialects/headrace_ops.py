"""The `headrace` dialect: what DataflowIR and device patterns need beside the upstream dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, VectorType, i64
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types
from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp
from headrace.ir.dialects.headrace_matrix import MATRIX_OPS


@irdl_op_definition
class ComputeOp(DialectOp):
    """One elementwise instruction, lane by lane, named by its key in the table of scalar semantics.

    Legal on vectors (DataflowIR) and on scalars (bodies of `linalg.generic`). Every other attribute is a parameter of
    the instruction.

    ```
    %r = headrace.compute %a {op = "math.exp"} : (vector<64xf16>) -> vector<64xf16>
    %s = headrace.compute %x, %y {op = "arith.cmpf", predicate = 2 : i64} : (f32, f32) -> i1
    ```
    """

    name = "headrace.compute"
    inputs = var_operand_def()
    op_name = prop_def(StringAttr, prop_name="op")
    outputs = var_result_def()
    traits = traits_def(Pure())

    def __init__(
        self,
        op_name: str,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        params: Mapping[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={"op": StringAttr(op_name)},
            attributes=dict(params or {}),
        )

    @property
    def key(self) -> str:
        """Key of the table of scalar semantics."""
        return self.op_name.data

    @property
    def params(self) -> dict[str, Attribute]:
        """The instruction's parameters, without attributes that belong to a dialect (`dialect.name`)."""
        return {key: value for key, value in self.attributes.items() if "." not in key}

    @property
    def result(self) -> SSAValue:
        """The (first) result."""
        return self.outputs[0]

    def verify_(self) -> None:
        if not self.outputs:
            raise VerifyException("expected at least one result")
        shapes = {
            value.type.get_shape() if isinstance(value.type, VectorType) else None
            for value in (*self.inputs, *self.outputs)
        }
        if len(shapes) > 1:
            raise VerifyException("operands and results must be all scalars, or all vectors of one shape")

    @classmethod
    def parse(cls, parser: Parser) -> ComputeOp:
        names = []
        first = parser.parse_optional_unresolved_operand()
        if first is not None:
            names.append(first)
            while parser.parse_optional_punctuation(",") is not None:
                names.append(parser.parse_unresolved_operand())
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        position = parser.pos
        signature = parser.parse_function_type()
        inputs = parser.resolve_operands(names, signature.inputs.data, position)
        return cls.build(
            operands=[inputs], result_types=[signature.outputs.data], properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.inputs:
            printer.print_string(" ")
            printer.print_list(self.inputs, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)


@irdl_op_definition
class IotaOp(DialectOp):
    """Vector of a loop index: lane k holds `base + step * ((k floordiv repeat) mod period)`.

    Defaults: step 1, repeat 1, no period. `linalg.index` of the innermost dimension is step 1; of an outer one step 0.

    ```
    %v = headrace.iota %i {step = 1 : i64} : vector<64xindex>
    ```
    """

    name = "headrace.iota"
    base = operand_def(IndexType())
    step = opt_prop_def(IntegerAttr)
    repeat = opt_prop_def(IntegerAttr)
    period = opt_prop_def(IntegerAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    def __init__(
        self, base: SSAValue, result_type: VectorType, step: int = 1, repeat: int = 1, period: int | None = None
    ):
        super().__init__(
            operands=[base],
            result_types=[result_type],
            properties={
                "step": IntegerAttr(step, i64),
                "repeat": None if repeat == 1 else IntegerAttr(repeat, i64),
                "period": None if period is None else IntegerAttr(period, i64),
            },
        )

    def lane_offsets(self) -> list[int]:
        """What each lane adds to the base."""
        step = 1 if self.step is None else self.step.value.data
        repeat = 1 if self.repeat is None else self.repeat.value.data
        count = self.result.type.element_count()
        period = count if self.period is None else self.period.value.data
        return [step * ((lane // repeat) % period) for lane in range(count)]

    def verify_(self) -> None:
        for name, value in (("repeat", self.repeat), ("period", self.period)):
            if value is not None and value.value.data < 1:
                raise VerifyException(f"'{name}' must be at least 1, but is {value.value.data}")

    @classmethod
    def parse(cls, parser: Parser) -> IotaOp:
        base = parser.parse_operand(IndexType())
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[base], result_types=parse_types(parser, 1), properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.base)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


Headrace = Dialect("headrace", [ComputeOp, IotaOp, ExchangeOp, RingReduceOp, *MATRIX_OPS], [])
