"""Kernel arguments: their names, what kind each is, and the values they take at launch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from headrace.interp.engine import argument_names
from headrace.interp.values import element_dtype, scalar
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType

EXTRACT_KINDS = ("value", "granularity", "upperbound")


@dataclass(frozen=True)
class RuntimeArg:
    """A `!ktdp.runtime_arg`: values are multiples of `granularity` and at most `upperbound` (inclusive)."""

    dtype: DType
    granularity: int | None
    upperbound: int | None


def runtime_arg(t: Attribute) -> RuntimeArg | None:
    """The parameters of a runtime argument type, None for other types."""
    if getattr(t, "name", "") != "ktdp.runtime_arg":
        return None
    text = str(t)
    inner = text[text.index("<") + 1 :]
    name = re.split(r"[,>]", inner)[0].strip()
    found = {m[1]: int(m[2]) for m in re.finditer(r"(granularity|upperbound)\s*=\s*(\d+)", inner)}
    return RuntimeArg(dtypes.get(re.sub(r"^[su]i", "i", name)), found.get("granularity"), found.get("upperbound"))


def extract_kind(op: Operation) -> tuple[str, RuntimeArg]:
    """(`value` | `granularity` | `upperbound`, type) of a `ktdp.runtime_arg_extract`."""
    t = runtime_arg(op.operands[0].type)
    if t is None:
        raise error(op, f"'ktdp.runtime_arg_extract' of a value of type {op.operands[0].type}")
    attr = op.properties.get("kind", op.properties.get("extraction_kind"))
    if attr is None:
        attr = next(iter(op.properties.values()))
    text = str(getattr(attr, "data", attr))
    for k in EXTRACT_KINDS:
        if k in text:
            return k, t
    data = getattr(getattr(attr, "value", None), "data", None)
    return EXTRACT_KINDS[int(data)] if data is not None else "value", t


def integer_range(dtype: DType) -> tuple[int, int]:
    """The least and the largest value of an integer type; i1 is 0 or 1, others are signed."""
    return (0, 1) if dtype.bits == 1 else (-(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1)


def check_number(op: Operation | None, name: str, dtype: DType, value: float) -> None:
    """Raise an error (located at `op`) where a scalar argument of type `dtype` cannot have a value: an integer type
    takes integers of its range, a float type any number."""
    if dtype.is_float:
        return
    if np.asarray(value).dtype.kind == "f":
        raise error(op, f"argument '{name}' takes an integer, not {value}")
    low, high = integer_range(dtype)
    if not low <= value <= high:
        raise error(op, f"argument '{name}' = {value} does not fit its type {dtype}, which holds {low} to {high}")


def check_numbers(function: FuncOp, args: Mapping[str, Any]) -> None:
    """`check_number` for the scalars among named arguments of a kernel; other names are passed over."""
    for name, argument in zip(argument_names(function), function.body.blocks[0].args, strict=True):
        if name in args and not hasattr(argument.type, "element_type"):
            t = runtime_arg(argument.type)
            check_number(function, name, element_dtype(argument.type) if t is None else t.dtype, args[name])


def check_runtime_arg(function: Operation, name: str, t: RuntimeArg, value: int) -> None:
    """Raise a located error where a launch value breaks granularity or upper bound."""
    if t.granularity is not None and value % t.granularity:
        raise error(function, f"argument '{name}' = {value} is not a multiple of its granularity {t.granularity}")
    if t.upperbound is not None and value > t.upperbound:
        raise error(function, f"argument '{name}' = {value} exceeds its upper bound {t.upperbound}")


def bind(function: FuncOp, args: Mapping[str, Any]) -> list[Any]:
    """Argument values in order. A runtime_arg without a value takes its upper bound. Raises HeadraceError for missing,
    unknown or illegal ones."""
    names = argument_names(function)
    unknown = sorted(set(args) - set(names))
    if unknown:
        raise error(
            function, f"no argument named {', '.join(map(repr, unknown))}; the kernel has {', '.join(names) or 'none'}"
        )
    check_numbers(function, args)
    values: list[Any] = []
    for name, argument in zip(names, function.body.blocks[0].args, strict=True):
        t = runtime_arg(argument.type)
        if name not in args:
            if t is None or t.upperbound is None:
                raise error(function, f"argument '{name}' has no value")
            values.append(t.upperbound)
            continue
        value = args[name]
        if t is not None:
            check_runtime_arg(function, name, t, value)
            values.append(scalar(np.asarray(value, t.dtype.value_dtype), t.dtype))
        elif hasattr(argument.type, "element_type"):
            values.append(int(value))
        else:
            dtype = element_dtype(argument.type)
            values.append(scalar(dtype.round_to(np.asarray(value)) if dtype.is_float else np.asarray(value), dtype))
    return values
