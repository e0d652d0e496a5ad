"""The `math` dialect: xDSL's operations, on scalars, vectors and tensors of any float, df16 included."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import math
from xdsl.ir import Dialect, Operation
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, verifier_for
from headrace.ir.upstream._extra_ops import MATH
from headrace.ir.upstream.arith import check_floats, check_same, parse_floats, print_binary


@irdl_op_definition
class ErfcOp(math.FloatingPointLikeUnaryMathOperation):
    """`%r = math.erfc %a : f32`: one minus the error function."""

    name = "math.erfc"


Math = Dialect("math", [*math.Math.operations, ErfcOp, *MATH], list(math.Math.attributes))


def _float_ops() -> list[type[Operation]]:
    bases = (math.FloatingPointLikeUnaryMathOperation, math.FloatingPointLikeBinaryMathOperation)
    return [op for op in Math.operations if issubclass(op, bases) or op.name == "math.fma"]


@parser_for(*_float_ops())
def _parse_float(parser: Any, cls: Any) -> Operation:
    return parse_floats(parser, cls)


@printer_for(*_float_ops())
def _print_float(op: Operation, printer: Any) -> None:
    print_binary(op, printer)


@verifier_for(*_float_ops())
def _verify_float(op: Operation) -> None:
    if not op.operands or len(op.results) != 1:
        raise VerifyException("expected operands and one result")
    check_floats(op)
    check_same(op)
