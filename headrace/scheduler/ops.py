"""Scalar operations made by name, for fused bodies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from headrace.ir.diagnostics import error
from headrace.ir.types import dtype_of
from headrace.ir.upstream._linalg_named import named_body
from headrace.numerics import semantics

_BY_NAME: dict[str, type[Operation]] = {
    cls.name: cls
    for module in (arith, math)
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Operation) and isinstance(getattr(cls, "name", None), str)
}


def make_scalar_op(name: str, operands: Sequence[SSAValue], result: Attribute, origin: Operation) -> Operation:
    """The operation `name` on scalars; `origin` gives the location of the error when there is none of that name."""
    cls = _BY_NAME.get(name)
    if cls is None:
        raise error(origin, f"no scalar operation '{name}' for '{origin.name}'")
    op = cls.create(operands=list(operands), result_types=[result])
    if name.endswith("f") and "fastmath" in getattr(cls.get_irdl_definition(), "properties", {}):  # type: ignore[attr-defined]
        op.properties.setdefault("fastmath", arith.FastMathFlagsAttr("none"))
    elif name.startswith("math."):
        props = cls.get_irdl_definition().properties  # type: ignore[attr-defined]
        if "fastmath" in props:
            op.properties.setdefault("fastmath", arith.FastMathFlagsAttr("none"))
    return op


def fill(scalar: SSAValue, target: SSAValue) -> linalg.FillOp:
    """`linalg.fill` of a tensor or a buffer of any element type (xDSL's constructor knows its own types only)."""
    results = [target.type] if isinstance(target.type, TensorType) else []
    region = named_body("linalg.fill", [scalar, target])
    return linalg.FillOp.build(operands=[[scalar], [target]], result_types=[results], regions=[region])


def neutral(combiner: str, element: Attribute) -> float:
    """The neutral element of a combiner in a scalar type: an integer exactly, of whatever width."""
    dtype = dtype_of(element)
    value = semantics.identity(combiner, dtype).item()
    return value if dtype.is_float else int(value)
