"""The `math` dialect: xDSL's operations, on scalars, vectors and tensors of any float, df16 included."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Dialect, Operation
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import verifier_for
from headrace.ir.upstream._extra_ops import MATH
from headrace.ir.upstream.arith import check_floats, check_same

Math = Dialect("math", [*math.Math.operations, *MATH], list(math.Math.attributes))


def _float_ops() -> list[type[Operation]]:
    bases = (math.FloatingPointLikeUnaryMathOperation, math.FloatingPointLikeBinaryMathOperation)
    return [op for op in math.Math.operations if issubclass(op, bases) or op.name == "math.fma"]


@verifier_for(*_float_ops())
def _verify_float(op: Operation) -> None:
    if not op.operands or len(op.results) != 1:
        raise VerifyException("expected operands and one result")
    check_floats(op)
    check_same(op)
