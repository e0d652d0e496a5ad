"""Definitions of the scalar operations, each a function `(backend, args, sig) -> value` on register form.

The makers at the top turn a formula into such a definition: `arithmetic` evaluates in f32 (f64 for f64) and rounds
once more for 16-bit types, which is exact rounding because f32 has at least twice their precision plus two bits;
`real` evaluates in f64; `integer` covers the widths, i1 included. Every float result goes through
`rounding.finish*`, so a NaN result is the positive quiet NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from headrace.numerics import elementary as el
from headrace.numerics import rounding
from headrace.numerics.backend import Backend, Value
from headrace.numerics.dtypes import DType

CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of arith.cmpi in MLIR's numbering."""
CMPF = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
"""Predicates of arith.cmpf in MLIR's numbering."""
COMPARE = ("equal", "notequal", "greaterthan", "greaterequal", "lesserthan", "lesserequal")
"""Predicates of spyreop.compare."""
LAYERNORM_EPS = 1e-5


@dataclass(frozen=True)
class Signature:
    """Operand and result types of one application, and its parameters."""

    ins: tuple[DType, ...]
    outs: tuple[DType, ...]
    params: dict[str, Any] = field(default_factory=dict)


Definition = Callable[[Backend, list[Value], Signature], Any]


def finish(b: Backend, x: Value, dtype: DType, double: bool) -> Value:
    """Round an f64 (`double`) or f32 to `dtype`."""
    return rounding.finish64(b, x, dtype.name) if double else rounding.finish32(b, x, dtype.name)


# -- makers ----------------------------------------------------------------------------------------------------------


def arithmetic(formula: Callable[..., Value]) -> Definition:
    """`formula(b, *args)` in f32, or f64 for f64, then one rounding."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        return finish(b, formula(b, *args), sig.outs[0], sig.outs[0].name == "f64")

    return define


def real(formula: Callable[..., Value], wide: bool = False) -> Definition:
    """`formula(b, *args)` in f64, then one rounding; `wide` adds an argument: whether the type is f64."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        extra = (sig.ins[0].name == "f64",) if wide else ()
        return rounding.finish64(b, formula(b, *(b.to_f64(x) for x in args), *extra), sig.outs[0].name)

    return define


def integer(formula: Callable[..., Value], signed: bool = False) -> Definition:
    """`formula(b, *args)`; an i1 computes in eight bits, sign-extended if `signed`."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        if sig.ins[0].bits > 1:
            return formula(b, *args)
        extend = b.sext if signed else b.zext
        return b.trunc(formula(b, *(extend(x, 8) for x in args)), 1)

    return define


# -- floats ----------------------------------------------------------------------------------------------------------


def maximum(b: Backend, x: Value, y: Value) -> Value:
    """NaN if either is; -0 below +0."""
    r = b.select(b.fcmp("gt", x, y), x, y)
    r = b.select(b.fcmp("eq", x, y), b.from_bits(b.iand(b.bits(x), b.bits(y))), r)
    return b.select(b.fcmp("uno", x, y), b.fadd(x, y), r)


def minimum(b: Backend, x: Value, y: Value) -> Value:
    """NaN if either is; -0 below +0."""
    r = b.select(b.fcmp("lt", x, y), x, y)
    r = b.select(b.fcmp("eq", x, y), b.from_bits(b.ior(b.bits(x), b.bits(y))), r)
    return b.select(b.fcmp("uno", x, y), b.fadd(x, y), r)


def _number(pick: Callable[..., Value]) -> Callable[..., Value]:
    def formula(b: Backend, x: Value, y: Value) -> Value:
        r = b.select(b.fcmp("uno", y, y), x, pick(b, x, y))
        return b.select(b.fcmp("uno", x, x), y, r)

    return formula


maxnum, minnum = _number(maximum), _number(minimum)


def sqrt(b: Backend, x: Value) -> Value:
    """Square root of the magnitude, and NaN below zero.

    A code generator may take `x < 0 ? NaN : sqrt(x)` for `sqrt(x)`, whose NaN has another sign on some processors; this
    form keeps the root away from negative numbers.
    """
    root = el.copysign(b, b.fsqrt(b.fabs(x)), x)
    return b.select(b.fcmp("lt", x, 0.0), math.nan, root)


def ceil(b: Backend, x: Value) -> Value:
    return b.fneg(b.ffloor(b.fneg(x)))


def trunc(b: Backend, x: Value) -> Value:
    return el.copysign(b, b.ffloor(b.fabs(x)), x)


def round_away(b: Backend, x: Value) -> Value:
    """Nearest integer, halves away from zero."""
    a = b.fabs(x)
    low = b.ffloor(a)
    return el.copysign(b, b.select(b.fcmp("ge", b.fsub(a, low), 0.5), b.fadd(low, 1.0), low), x)


def fma(b: Backend, args: list[Value], sig: Signature) -> Value:
    """One rounding. Below f64 the product is exact in f64 and the sum is rounded to odd first."""
    if sig.outs[0].name == "f64":
        return rounding.finish64(b, b.fma64(*args), "f64")
    x, y, z = (b.to_f64(v) for v in args)
    s, e = rounding.two_sum(b, b.fmul(x, y), z)
    return rounding.finish64(b, rounding.sticky(b, s, e), sig.outs[0].name)


def _cmp_float(b: Backend, pred: str, x: Value, y: Value) -> Value:
    unordered = b.fcmp("uno", x, y)
    match pred:
        case "false":
            return b.iand(unordered, False)
        case "true":
            return b.ior(unordered, True)
        case "uno":
            return unordered
        case "ord":
            return b.bnot(unordered)
        case "one":
            return b.ior(b.fcmp("lt", x, y), b.fcmp("gt", x, y))
        case "une":
            return b.bnot(b.fcmp("eq", x, y))
    holds = b.fcmp(pred[1:], x, y)
    return b.ior(holds, unordered) if pred[0] == "u" else holds


def cmpf(b: Backend, args: list[Value], sig: Signature) -> Value:
    return _cmp_float(b, sig.params["predicate"], args[0], args[1])


def compare(b: Backend, args: list[Value], sig: Signature) -> Value:
    """1.0 or 0.0; NaN differs from everything."""
    pred = dict(zip(COMPARE, ("oeq", "une", "ogt", "oge", "olt", "ole"), strict=True))[sig.params["predicate"]]
    return b.select(_cmp_float(b, pred, args[0], args[1]), b.const(args[0], 1.0), 0.0)


def select(b: Backend, args: list[Value], sig: Signature) -> Value:
    chosen = b.select(args[0], args[1], args[2])
    return rounding.canonical(b, chosen, chosen) if sig.outs[0].is_float else chosen


def select_nonzero(b: Backend, args: list[Value], sig: Signature) -> Value:
    chosen = b.select(b.fcmp("eq", args[0], 0.0), args[2], args[1])
    return rounding.canonical(b, chosen, chosen)


def classify(formula: Callable[[Backend, Value], Value]) -> Definition:
    """A float predicate with an i1 result."""
    return lambda b, args, sig: formula(b, args[0])


def isinf(b: Backend, x: Value) -> Value:
    return b.fcmp("eq", b.fabs(x), float("inf"))


def isfinite(b: Backend, x: Value) -> Value:
    return b.fcmp("lt", b.fabs(x), float("inf"))


# -- integers --------------------------------------------------------------------------------------------------------


def divsi(b: Backend, x: Value, y: Value) -> Value:
    """Truncating; by zero: -1; minimum by -1 wraps."""
    zero, minus = b.icmp("eq", y, 0), b.icmp("eq", y, -1)
    q = b.sdiv(x, b.select(b.ior(zero, minus), 1, y))
    q = b.select(minus, b.isub(b.const(x, 0), x), q)
    return b.select(zero, -1, q)


def remsi(b: Backend, x: Value, y: Value) -> Value:
    """Sign of the dividend; by zero: the dividend."""
    zero, minus = b.icmp("eq", y, 0), b.icmp("eq", y, -1)
    r = b.srem(x, b.select(b.ior(zero, minus), 1, y))
    return b.select(zero, x, r)


def divui(b: Backend, x: Value, y: Value) -> Value:
    """By zero: all ones."""
    zero = b.icmp("eq", y, 0)
    return b.select(zero, -1, b.udiv(x, b.select(zero, 1, y)))


def remui(b: Backend, x: Value, y: Value) -> Value:
    """By zero: the dividend."""
    zero = b.icmp("eq", y, 0)
    return b.select(zero, x, b.urem(x, b.select(zero, 1, y)))


def _rounded_division(same_sign: bool, step: int) -> Callable[..., Value]:
    def formula(b: Backend, x: Value, y: Value) -> Value:
        q, r = divsi(b, x, y), remsi(b, x, y)
        differ = b.ixor(b.icmp("slt", x, 0), b.icmp("slt", y, 0))
        adjust = b.iand(b.icmp("ne", r, 0), b.bnot(differ) if same_sign else differ)
        q = b.select(adjust, b.iadd(q, step), q)
        return b.select(b.icmp("eq", y, 0), -1, q)

    return formula


ceildivsi, floordivsi = _rounded_division(True, 1), _rounded_division(False, -1)


def ceildivui(b: Backend, x: Value, y: Value) -> Value:
    q = divui(b, x, y)
    up = b.iand(b.icmp("ne", remui(b, x, y), 0), b.icmp("ne", y, 0))
    return b.select(up, b.iadd(q, 1), q)


def pick_int(pred: str) -> Callable[..., Value]:
    """The first operand where `pred` holds, else the second."""
    return lambda b, x, y: b.select(b.icmp(pred, x, y), x, y)


def absi(b: Backend, x: Value) -> Value:
    return b.select(b.icmp("slt", x, 0), b.isub(b.const(x, 0), x), x)


def bitwise(name: str) -> Definition:
    """`iand ior ixor`, i1 included."""
    return lambda b, args, sig: getattr(b, name)(*args)


def shift(name: str) -> Definition:
    """`shl lshr ashr`; amounts of the width or more (unsigned) shift everything out."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        x, n = args
        width = sig.ins[0].bits
        if width == 1:
            return b.iand(x, b.bnot(n)) if name != "ashr" else x
        inside = b.icmp("ult", n, width)
        if name == "ashr":
            return b.ashr(x, b.select(inside, n, width - 1))
        return b.select(inside, getattr(b, name)(x, b.select(inside, n, 0)), 0)

    return define


def cmpi(b: Backend, args: list[Value], sig: Signature) -> Value:
    return b.icmp(sig.params["predicate"], args[0], args[1])


def count(name: str) -> Definition:
    """`ctpop ctlz cttz`; on i1 by hand."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        if sig.ins[0].bits == 1:
            return args[0] if name == "ctpop" else b.bnot(args[0])
        return getattr(b, name)(args[0])

    return define


# -- conversions -----------------------------------------------------------------------------------------------------


def convert_float(b: Backend, args: list[Value], sig: Signature) -> Value:
    """extf, truncf: round once."""
    return finish(b, args[0], sig.outs[0], sig.ins[0].name == "f64")


def int_to_float(signed: bool) -> Definition:
    return lambda b, args, sig: rounding.from_int(b, args[0], sig.outs[0].name, signed)


def float_to_int(b: Backend, x: Value, bits: int, signed: bool) -> Value:
    """Truncate an f64, saturate, NaN gives 0."""
    nan = b.fcmp("uno", x, x)
    if signed:
        low, high = -(2.0 ** (bits - 1)), 2.0 ** (bits - 1)
        wide = 64 if bits == 64 else 32
        top, bottom = (1 << (bits - 1)) - 1, -(1 << (bits - 1))
        inside = b.iand(b.fcmp("gt", x, low), b.fcmp("lt", x, high))
        i = b.fptosi(b.select(inside, x, 0.0), wide)
    else:
        low, high = 0.0, 2.0**bits
        wide = 64
        top, bottom = (1 << bits) - 1, 0
        inside = b.iand(b.fcmp("gt", x, low), b.fcmp("lt", x, high))
        upper = b.iand(inside, b.fcmp("ge", x, 2.0**63))
        i = b.fptosi(b.select(upper, b.fsub(x, 2.0**63), b.select(inside, x, 0.0)), 64)
        i = b.select(upper, b.ixor(i, 1 << 63), i)
    i = b.select(b.fcmp("ge", x, high), top, i)
    i = b.select(b.fcmp("le", x, low), bottom, i)
    i = b.select(nan, 0, i)
    return i if bits == wide else b.trunc(i, bits)


def to_int(signed: bool) -> Definition:
    return lambda b, args, sig: float_to_int(b, b.to_f64(args[0]), sig.outs[0].bits, signed)


def resize(signed: bool) -> Definition:
    """Extend or truncate an integer to the result's width."""

    def define(b: Backend, args: list[Value], sig: Signature) -> Value:
        old, new = sig.ins[0].bits, sig.outs[0].bits
        if new == old:
            return args[0]
        return b.trunc(args[0], new) if new < old else (b.sext if signed else b.zext)(args[0], new)

    return define


def bitcast(b: Backend, args: list[Value], sig: Signature) -> Value:
    """Same bits; a float NaN has one pattern, on either side."""
    if sig.ins[0].bits == 1:
        return args[0]
    x = rounding.canonical(b, args[0], args[0]) if sig.ins[0].is_float else args[0]
    value = rounding.unpack(b, rounding.pack(b, x, sig.ins[0].name), sig.outs[0].name)
    return rounding.canonical(b, value, value) if sig.outs[0].is_float else value


# -- spyreop ---------------------------------------------------------------------------------------------------------


def softplus(b: Backend, args: list[Value], sig: Signature) -> Value:
    x = b.to_f64(args[0])
    value = el.softplus(b, x, sig.params["beta"], sig.params["threshold"])
    return rounding.finish64(b, value, sig.outs[0].name)


def exx2(b: Backend, args: list[Value], sig: Signature) -> tuple[Value, Value]:
    """`(x, x*x)`, the terms of the running means."""
    double = sig.ins[0].name == "f64"
    return finish(b, args[0], sig.outs[0], double), finish(b, b.fmul(args[0], args[0]), sig.outs[1], double)


def layernormscale(b: Backend, args: list[Value], sig: Signature) -> Value:
    """`1/sqrt(q - m*m + eps)`."""
    m, q = b.to_f64(args[0]), b.to_f64(args[1])
    variance = b.fadd(b.fsub(q, b.fmul(m, m)), sig.params["eps"])
    value = b.fdiv(b.const(m, 1.0), b.fsqrt(variance))
    return rounding.finish64(b, value, sig.outs[0].name)


def layernormnorm(b: Backend, args: list[Value], sig: Signature) -> Value:
    """`x*s*w + b` for an x without its mean; the squares are not needed."""
    x, _, s, w, bias = (b.to_f64(v) for v in args)
    return rounding.finish64(b, b.fadd(b.fmul(b.fmul(x, s), w), bias), sig.outs[0].name)


def address(b: Backend, i: Value, base: Value, stride: Value) -> Value:
    """`base + stride*i`."""
    return b.iadd(base, b.imul(stride, i))
