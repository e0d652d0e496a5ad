"""Which scalar operation a vector operation of DataflowIR stands for."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from headrace.ir.diagnostics import error
from headrace.numerics import dtypes

FLOAT_BINARY = {
    "min": "arith.minimumf",
    "max": "arith.maximumf",
    "add": "arith.addf",
    "mul": "arith.mulf",
    "sub": "arith.subf",
}
"""``vectorchain.binary`` cases on float elements."""

INT_BINARY = {
    "min": "arith.minsi",
    "max": "arith.maxsi",
    "add": "arith.addi",
    "mul": "arith.muli",
    "sub": "arith.subi",
    "and0": "arith.andi",
    "or0": "arith.ori",
}
"""``vectorchain.binary`` cases on integer elements."""

FLOAT_COMPARE = {"eq": 1, "neq": 13, "lt": 4, "le": 5, "gt": 2, "ge": 3}
"""``compare_X`` -> predicate of ``arith.cmpf``: ordered, except that not-equal is the negation of equal."""

INT_COMPARE = {"eq": 0, "neq": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
"""``compare_X`` -> predicate of ``arith.cmpi`` (signed)."""


def binary(op: Operation, case: str, dtype: str) -> str:
    """Operation of a ``vectorchain.binary``."""
    table = FLOAT_BINARY if dtypes.get(dtype).is_float else INT_BINARY
    if case not in table:
        raise error(op, f"no unit executes 'vectorchain.binary' case '{case}' on {dtype}")
    return table[case]


def compare(op: Operation, case: str, dtype: str) -> tuple[str, dict[str, Any]]:
    """Operation and parameters of a ``vectorchain.element_wise_compare``."""
    short = case.removeprefix("compare_")
    if dtypes.get(dtype).is_float:
        return "arith.cmpf", {"predicate": FLOAT_COMPARE[short]}
    return "arith.cmpi", {"predicate": INT_COMPARE[short]}


def cast(source: str, target: str) -> str:
    """Operation of a ``vectorchain.cast`` between element types."""
    a, b = dtypes.get(source), dtypes.get(target)
    if a.is_float and b.is_float:
        return "arith.extf" if b.bits > a.bits else "arith.truncf"
    if a.is_float:
        return "arith.fptosi"
    if b.is_float:
        return "arith.uitofp" if a.name == "i1" else "arith.sitofp"
    if "index" in (a.name, b.name):
        return "arith.index_cast"
    if b.bits < a.bits:
        return "arith.trunci"
    return "arith.extui" if a.name == "i1" else "arith.extsi"


def params(attributes: dict[str, Attribute]) -> dict[str, Any]:
    """Operation parameters as plain values, in name order; attributes of other kinds have no effect on values."""
    out: dict[str, Any] = {}
    for name in sorted(attributes):
        value = attributes[name]
        if isinstance(value, IntegerAttr):
            is_bool = getattr(getattr(value.type, "width", None), "data", None) == 1
            out[name] = bool(value.value.data) if is_bool else value.value.data
        elif isinstance(value, FloatAttr):
            out[name] = float(value.value.data)
        elif isinstance(value, StringAttr):
            out[name] = value.data
    return out
