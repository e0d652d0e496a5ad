"""Rounding into a type, and register form to storage bits, written once over a backend.

*Register form* is how a value travels between operations: 16-bit floats as an f32 holding an exactly representable
value, f32 and f64 as they are, integers at their width, `index` as i64, `i1` as i1. *Storage* is the integer with the
bits that lie in memory (`i1` takes a byte).

An f64 goes to 16 bits through *round to odd* in f32: the f32 keeps a sticky last bit, and since it has at least two
bits more than the target, the second rounding gives what a single one would have given.
"""

from __future__ import annotations

import math

from headrace.numerics.backend import Backend, Value

DF16_MAX = (159 << 23) | (510 << 14)
"""f32 bits of the largest finite df16, 2^32 * (1 + 510/512)."""
DF16_MIN = (96 << 23) | (1 << 14)
"""f32 bits of the smallest positive df16, 2^-31 * (1 + 1/512)."""
_DF16_REBIAS = 96 << 9


def two_sum(b: Backend, x: Value, y: Value) -> tuple[Value, Value]:
    """`(s, e)` with `s = fl(x + y)` and `s + e == x + y` exactly (f64, no overflow; Knuth)."""
    s = b.fadd(x, y)
    t = b.fsub(s, x)
    return s, b.fadd(b.fsub(x, b.fsub(s, t)), b.fsub(y, t))


def sticky(b: Backend, s: Value, e: Value) -> Value:
    """`s + e` rounded to odd in f64, where `s = fl(s + e)`."""
    above, below = b.fcmp("gt", e, 0.0), b.fcmp("lt", e, 0.0)
    grows = b.bnot(b.ixor(above, b.fcmp("gt", s, 0.0)))
    i = b.bits(s)
    inexact = b.iand(b.ior(above, below), b.icmp("eq", b.iand(i, 1), 0))
    step = b.select(grows, b.const(i, 1), b.const(i, -1))
    return b.from_bits(b.iadd(i, b.select(inexact, step, 0)))


def narrow_odd(b: Backend, x: Value) -> Value:
    """f64 to f32, rounded to odd."""
    t = b.to_f32(x)
    back, mag = b.fabs(b.to_f64(t)), b.fabs(x)
    i = b.bits(t)
    even = b.icmp("eq", b.iand(i, 1), 0)
    up = b.iand(even, b.fcmp("lt", back, mag))
    down = b.iand(even, b.fcmp("gt", back, mag))
    i = b.select(up, b.iadd(i, 1), i)
    return b.from_bits(b.select(down, b.isub(i, 1), i))


def _round_bf16(b: Backend, x: Value) -> Value:
    i = b.bits(x)
    bias = b.iadd(b.iand(b.lshr(i, 16), 1), 0x7FFF)
    return b.from_bits(b.iand(b.iadd(i, bias), 0xFFFF0000))


def _round_df16(b: Backend, x: Value) -> Value:
    i = b.bits(x)
    sign = b.iand(i, 0x80000000)
    mag = b.iand(b.iadd(b.iand(i, 0x7FFFFFFF), 0x2000), 0xFFFFC000)
    flushed = b.select(b.icmp("slt", mag, DF16_MIN), 0, mag)
    merged = b.select(b.icmp("sgt", mag, DF16_MAX), 0x7FC00000, b.ior(sign, flushed))
    return b.from_bits(merged)


def canonical(b: Backend, x: Value, result: Value) -> Value:
    """`result`, or the positive quiet NaN where `x` is NaN."""
    return b.select(b.fcmp("uno", x, x), math.nan, result)


def finish32(b: Backend, x: Value, dtype: str) -> Value:
    """Round an f32 to `dtype` (`f16 bf16 df16 f32 f64`) in register form, with the canonical NaN."""
    match dtype:
        case "f16":
            rounded = b.f16_round(x)
        case "bf16":
            rounded = _round_bf16(b, x)
        case "df16":
            rounded = _round_df16(b, x)
        case "f32":
            rounded = x
        case _:
            rounded = b.to_f64(x)
    return canonical(b, x, rounded)


def finish64(b: Backend, x: Value, dtype: str) -> Value:
    """Round an f64 once to `dtype` in register form, with the canonical NaN."""
    match dtype:
        case "f64":
            return canonical(b, x, x)
        case "f32":
            return canonical(b, x, b.to_f32(x))
        case _:
            return finish32(b, narrow_odd(b, x), dtype)


def from_int(b: Backend, i: Value, dtype: str, signed: bool) -> Value:
    """An integer rounded once to the float `dtype`, in register form."""
    width = b.width(i)
    extend = b.sext if signed else b.zext
    if width < 32:
        return finish64(b, b.sitofp64(extend(i, 32)), dtype)
    if width == 32:
        return finish64(b, b.sitofp64(i if signed else b.zext(i, 64)), dtype)
    high = b.sitofp64(b.ashr(i, 32) if signed else b.lshr(i, 32))
    low = b.sitofp64(b.iand(i, 0xFFFFFFFF))
    s, e = two_sum(b, b.fmul(high, 4294967296.0), low)
    return s if dtype == "f64" else finish64(b, sticky(b, s, e), dtype)


def pack(b: Backend, x: Value, dtype: str) -> Value:
    """Register form to storage bits; `x` holds a value of `dtype`."""
    match dtype:
        case "f16":
            return b.f16_bits(x)
        case "bf16":
            return b.trunc(b.lshr(b.bits(x), 16), 16)
        case "df16":
            i = b.bits(x)
            sign = b.iand(b.lshr(i, 16), 0x8000)
            mag = b.iand(i, 0x7FFFFFFF)
            code = b.select(b.icmp("eq", mag, 0), 0, b.isub(b.lshr(mag, 14), _DF16_REBIAS))
            code = b.select(b.icmp("sgt", mag, DF16_MAX), 0x7FFF, code)
            return b.trunc(b.ior(sign, code), 16)
        case "f32" | "f64":
            return b.bits(x)
        case "i1":
            return b.zext(x, 8)
        case _:
            return x


def unpack(b: Backend, raw: Value, dtype: str) -> Value:
    """Storage bits to register form."""
    match dtype:
        case "f16":
            return b.f16_from_bits(raw)
        case "bf16":
            return b.from_bits(b.shl(b.zext(raw, 32), 16))
        case "df16":
            code = b.zext(raw, 32)
            sign = b.shl(b.iand(code, 0x8000), 16)
            mag = b.iand(code, 0x7FFF)
            bits = b.select(b.icmp("eq", mag, 0), 0, b.shl(b.iadd(mag, _DF16_REBIAS), 14))
            bits = b.select(b.icmp("eq", mag, 0x7FFF), 0x7FC00000, bits)
            return b.from_bits(b.ior(sign, bits))
        case "f32" | "f64":
            return b.from_bits(raw)
        case "i1":
            return b.icmp("ne", raw, 0)
        case _:
            return raw
