"""Backend on NumPy arrays: integers are the signed NumPy types, i1 is bool."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headrace.numerics.backend import Backend, Value

_INT = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_UINT = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def _fma(x: float, y: float, z: float) -> float:
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        if math.isfinite(x) and math.isfinite(y):
            return z
        return float(np.float64(x) * np.float64(y) + np.float64(z))
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z if x == 0 or y == 0 or z == 0 else 0.0
    try:
        return math.copysign(float(exact), 1 if exact > 0 else -1)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


_FMA = np.frompyfunc(_fma, 3, 1)


class NumpyBackend(Backend):
    """Evaluate on arrays. Callers silence floating point warnings (`np.errstate(all="ignore")`)."""

    def const(self, like: Value, number: float | int | bool) -> Value:
        dtype = np.asarray(like).dtype
        if dtype.kind == "i":
            bits = dtype.itemsize * 8
            return np.array(int(number) & ((1 << bits) - 1), dtype=_UINT[bits]).view(dtype)[()]
        return dtype.type(number)

    def _pair(self, x: Value, y: Value) -> tuple[Value, Value]:
        if isinstance(x, np.ndarray | np.generic):
            return (x, y) if isinstance(y, np.ndarray | np.generic) else (x, self.const(x, y))
        return self.const(y, x), y

    def _unsigned(self, x: Value) -> Value:
        x = np.asarray(x)
        return x if x.dtype.kind in "ub" else x.view(_UINT[x.dtype.itemsize * 8])

    def fadd(self, x: Value, y: Value) -> Value:
        return np.add(*self._pair(x, y))

    def fsub(self, x: Value, y: Value) -> Value:
        return np.subtract(*self._pair(x, y))

    def fmul(self, x: Value, y: Value) -> Value:
        return np.multiply(*self._pair(x, y))

    def fdiv(self, x: Value, y: Value) -> Value:
        return np.divide(*self._pair(x, y))

    def frem(self, x: Value, y: Value) -> Value:
        return np.fmod(*self._pair(x, y))

    def fsqrt(self, x: Value) -> Value:
        return np.sqrt(x)

    def ffloor(self, x: Value) -> Value:
        return np.floor(x)

    def frint(self, x: Value) -> Value:
        return np.rint(x)

    def fneg(self, x: Value) -> Value:
        return np.negative(x)

    def fabs(self, x: Value) -> Value:
        return np.abs(x)

    def fma64(self, x: Value, y: Value, z: Value) -> Value:
        return np.asarray(_FMA(x, y, z), dtype=np.float64)

    def fcmp(self, pred: str, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        match pred:
            case "lt":
                return x < y
            case "le":
                return x <= y
            case "gt":
                return x > y
            case "ge":
                return x >= y
            case "eq":
                return x == y
            case _:
                return np.isnan(x) | np.isnan(y)

    def to_f32(self, x: Value) -> Value:
        return x.astype(np.float32)

    def to_f64(self, x: Value) -> Value:
        return x.astype(np.float64)

    def f16_round(self, x: Value) -> Value:
        return x.astype(np.float16).astype(np.float32)

    def f16_bits(self, x: Value) -> Value:
        return np.asarray(x).astype(np.float16).view(np.int16)

    def f16_from_bits(self, i: Value) -> Value:
        wide = np.asarray(i).view(np.float16).astype(np.float32)
        quiet = (wide.view(np.int32) | np.int32(0x00400000)).view(np.float32)
        return np.where(np.isnan(wide), quiet, wide)

    def bits(self, x: Value) -> Value:
        x = np.asarray(x)
        return x.view(_INT[x.dtype.itemsize * 8])

    def from_bits(self, i: Value) -> Value:
        i = np.asarray(i)
        return i.view(np.float32 if i.dtype.itemsize == 4 else np.float64)

    def sitofp64(self, i: Value) -> Value:
        return i.astype(np.float64)

    def fptosi(self, x: Value, bits: int) -> Value:
        return x.astype(_INT[bits])

    def sext(self, i: Value, bits: int) -> Value:
        wide = i.astype(_INT[bits])
        return np.negative(wide) if i.dtype == np.bool_ else wide

    def zext(self, i: Value, bits: int) -> Value:
        return self._unsigned(i).astype(_UINT[bits]).view(_INT[bits])

    def trunc(self, i: Value, bits: int) -> Value:
        return (i & i.dtype.type(1)) != 0 if bits == 1 else i.astype(_INT[bits])

    def width(self, i: Value) -> int:
        return 1 if i.dtype == np.bool_ else i.dtype.itemsize * 8

    def iadd(self, x: Value, y: Value) -> Value:
        return np.add(*self._pair(x, y))

    def isub(self, x: Value, y: Value) -> Value:
        return np.subtract(*self._pair(x, y))

    def imul(self, x: Value, y: Value) -> Value:
        return np.multiply(*self._pair(x, y))

    def iand(self, x: Value, y: Value) -> Value:
        return np.bitwise_and(*self._pair(x, y))

    def ior(self, x: Value, y: Value) -> Value:
        return np.bitwise_or(*self._pair(x, y))

    def ixor(self, x: Value, y: Value) -> Value:
        return np.bitwise_xor(*self._pair(x, y))

    def shl(self, x: Value, n: Value) -> Value:
        return np.left_shift(*self._pair(x, n))

    def lshr(self, x: Value, n: Value) -> Value:
        x, n = self._pair(x, n)
        signed = np.asarray(x).dtype
        return np.right_shift(self._unsigned(x), self._unsigned(n)).view(signed)

    def ashr(self, x: Value, n: Value) -> Value:
        return np.right_shift(*self._pair(x, n))

    def sdiv(self, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        floor = np.floor_divide(x, y)
        inexact = (floor * y != x) & ((x < 0) != (y < 0))
        return floor + inexact.astype(x.dtype)

    def srem(self, x: Value, y: Value) -> Value:
        return np.fmod(*self._pair(x, y))

    def udiv(self, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        return np.asarray(np.floor_divide(self._unsigned(x), self._unsigned(y))).view(np.asarray(x).dtype)

    def urem(self, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        return np.asarray(np.remainder(self._unsigned(x), self._unsigned(y))).view(np.asarray(x).dtype)

    def ctpop(self, x: Value) -> Value:
        return np.bitwise_count(self._unsigned(x)).astype(np.asarray(x).dtype)

    def ctlz(self, x: Value) -> Value:
        width = self.width(x)
        filled = x
        shift = 1
        while shift < width:
            filled = self.ior(filled, self.lshr(filled, shift))
            shift *= 2
        return self.isub(self.const(x, width), self.ctpop(filled))

    def cttz(self, x: Value) -> Value:
        below = self.iand(self.ixor(x, -1), self.isub(x, 1))
        return self.ctpop(below)

    def icmp(self, pred: str, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        if pred[0] == "u":
            x, y = self._unsigned(x), self._unsigned(y)
        elif pred[0] == "s" and self.width(x) == 1:
            x, y = self.sext(x, 8), self.sext(y, 8)
        match pred[-2:]:
            case "eq":
                return x == y
            case "ne":
                return x != y
            case "lt":
                return x < y
            case "le":
                return x <= y
            case "gt":
                return x > y
            case _:
                return x >= y

    def select(self, c: Value, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        return np.where(c, x, y)


NUMPY = NumpyBackend()
