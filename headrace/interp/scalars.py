"""arith, math and spyreop operations, on scalars and elementwise on whole tensors, through the table of scalar
semantics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from headrace.interp.engine import Frame, Leaf
from headrace.interp.points import apply_map
from headrace.interp.values import element_dtype, scalar, static_shape
from headrace.ir.diagnostics import error
from headrace.ir.elements import splat_value
from headrace.numerics import semantics
from headrace.numerics.dtypes import DType
from headrace.numerics.semantics import ScalarOp


def plain(attr: Attribute) -> Any:
    """Python value of a number, string or enumeration attribute."""
    if isinstance(attr, IntegerAttr | FloatAttr):
        return attr.value.data
    data = getattr(attr, "data", attr)
    return getattr(data, "value", data)


def attribute(op: Operation, name: str) -> Attribute | None:
    """An inherent or discardable attribute of `op`."""
    return op.properties.get(name, op.attributes.get(name))


def parameters(op: Operation, entry: ScalarOp) -> dict[str, Any]:
    """The table's parameters as given by the operation's attributes."""
    found: dict[str, Any] = {}
    for spec in entry.params:
        attr = attribute(op, spec.name)
        if attr is not None:
            found[spec.name] = plain(attr)
    return found


def constant_value(attr: Attribute, t: Attribute) -> Any:
    """Running value of a constant attribute of type `t`."""
    dtype = element_dtype(t)
    if isinstance(attr, DenseIntOrFPElementsAttr):
        same = splat_value(attr)
        given = attr.get_values() if same is None else [same]
        numbers = np.asarray(given, np.float64 if dtype.is_float else object)
        values = _numbers(numbers, dtype)
        shape = static_shape(t)
        if values.size == 1:
            return np.full(shape, values.reshape(())[()], dtype.value_dtype)
        return values.reshape(shape)
    number = plain(attr)
    return scalar(_numbers(np.asarray(number, np.float64 if dtype.is_float else object), dtype), dtype)


def _numbers(numbers: NDArray[Any], dtype: DType) -> NDArray[Any]:
    if dtype.is_float:
        return dtype.round_to(numbers)
    if dtype.name == "i1":
        return (numbers != 0).astype(np.bool_)
    wrapped = np.asarray(numbers % (1 << dtype.bits), object)
    return wrapped.astype(np.dtype(f"u{dtype.bytes}")).view(dtype.value_dtype)


def _constant(f: Frame, op: Any) -> None:
    cache = f.session.cache
    if op not in cache:
        cache[op] = constant_value(op.properties["value"], op.results[0].type)
    f.values[op.results[0]] = cache[op]


_DIVISIONS = frozenset(
    f"arith.{n}" for n in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)


def evaluate(
    entry: ScalarOp, args: list[Any], ins: list[DType], outs: list[DType], params: dict[str, Any] | None = None
) -> tuple[Any, ...]:
    """Apply a table entry to running values; results are arrays where an argument is one, else scalars."""
    arrays = [np.asarray(a, t.value_dtype) for a, t in zip(args, ins, strict=True)]
    if entry.name in _DIVISIONS and np.any(arrays[1] == 0):
        raise ZeroDivisionError
    result = entry.numpy(arrays, ins, outs, params)
    results = result if isinstance(result, tuple) else (result,)
    if any(a.ndim for a in arrays):
        return tuple(np.asarray(r) for r in results)
    return tuple(scalar(r, t) for r, t in zip(results, outs, strict=True))


def _wrap(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


_QUICK: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.minsi": min,
    "arith.maxsi": max,
}
_COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)


def _table(f: Frame, op: Operation) -> None:
    key = (op, "signature")
    found = f.session.cache.get(key)
    if found is None:
        entry = semantics.get(op.name)
        ins = [element_dtype(v.type) for v in op.operands]
        outs = [element_dtype(r.type) for r in op.results]
        extra: list[int] = []
        for name in ("base", "stride")[: entry.arity - len(ins)]:  # idx32toaddr with attributes
            attr = attribute(op, name)
            if attr is None:
                raise error(op, f"'{op.name}' needs {entry.arity} operands")
            extra.append(plain(attr))
        quick = _QUICK.get(op.name)
        found = (entry, ins + [ins[0]] * len(extra), outs, parameters(op, entry), extra, tuple(op.operands), quick)
        f.session.cache[key] = found
    entry, ins, outs, params, extra, operands, quick = found
    args: list[Any] = [f.get(v) for v in operands]
    if len(args) == 2 and type(args[0]) is int and type(args[1]) is int:
        if quick is not None:
            f.values[op.results[0]] = _wrap(quick(args[0], args[1]), ins[0].bits)
            return
        if op.name == "arith.cmpi" and isinstance(params["predicate"], int) and params["predicate"] < len(_COMPARE):
            f.values[op.results[0]] = _COMPARE[params["predicate"]](args[0], args[1])
            return
    try:
        results = evaluate(entry, args + extra, ins, outs, params)
    except ValueError as e:
        raise error(op, f"'{op.name}'{f.where()}: {e}") from e
    f.set(op, *results)


def _select(f: Frame, op: Operation) -> None:
    chosen = f.get(op.operands[0])
    if isinstance(chosen, np.ndarray):
        picked = np.where(chosen, f.get(op.operands[1]), f.get(op.operands[2]))
        f.values[op.results[0]] = picked.astype(element_dtype(op.results[0].type).value_dtype, copy=False)
    else:
        f.values[op.results[0]] = f.values[op.operands[1 if chosen else 2]]


def _apply(f: Frame, op: Operation) -> None:
    f.values[op.results[0]] = apply_map(op.properties["map"].data, f.all(op.operands))[0]  # type: ignore[attr-defined]


def _smallest(f: Frame, op: Operation) -> None:
    f.values[op.results[0]] = min(apply_map(op.properties["map"].data, f.all(op.operands)))  # type: ignore[attr-defined]


def _largest(f: Frame, op: Operation) -> None:
    f.values[op.results[0]] = max(apply_map(op.properties["map"].data, f.all(op.operands)))  # type: ignore[attr-defined]


LEAVES: dict[str, Leaf] = {name: _table for name in semantics.names()}
LEAVES |= {"arith.constant": _constant, "spyreop.constant": _constant, "arith.select": _select}
LEAVES |= {"affine.apply": _apply, "affine.min": _smallest, "affine.max": _largest}
