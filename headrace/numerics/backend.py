"""The small interface over which every scalar operation is written once.

A *value* is an array for `NumpyBackend` and an LLVM scalar or vector for `LLVMBackend`. Values have one of the kinds
`f32 f64 i1 i8 i16 i32 i64`; integers carry no sign. Every primitive is exact or correctly rounded (nearest-even), so
a definition built from them gives the same bits on both backends. A Python number may stand for one operand of a
binary primitive; it takes the kind of the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

Value = Any
"""A backend value, or a Python number where a primitive allows one."""


class Backend(ABC):
    """Primitives. NaN results have an unspecified payload: definitions canonicalise at the end (`rounding.finish`)."""

    # -- constants, floats -------------------------------------------------------------------------------------------
    @abstractmethod
    def const(self, like: Value, number: float | int | bool) -> Value:
        """`number` in the kind and shape of `like`."""

    @abstractmethod
    def fadd(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def fsub(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def fmul(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def fdiv(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def frem(self, x: Value, y: Value) -> Value:
        """C `fmod` (exact)."""

    @abstractmethod
    def fsqrt(self, x: Value) -> Value: ...

    @abstractmethod
    def ffloor(self, x: Value) -> Value: ...

    @abstractmethod
    def frint(self, x: Value) -> Value:
        """Nearest integer, ties to even."""

    @abstractmethod
    def fneg(self, x: Value) -> Value: ...

    @abstractmethod
    def fabs(self, x: Value) -> Value: ...

    @abstractmethod
    def fma64(self, x: Value, y: Value, z: Value) -> Value:
        """f64 `x*y + z`, rounded once."""

    @abstractmethod
    def fcmp(self, pred: str, x: Value, y: Value) -> Value:
        """Ordered `lt le gt ge eq`, and `uno` (either is NaN), as i1."""

    # -- conversions -------------------------------------------------------------------------------------------------
    @abstractmethod
    def to_f32(self, x: Value) -> Value:
        """f64 (or f32) to f32."""

    @abstractmethod
    def to_f64(self, x: Value) -> Value:
        """f32 (or f64) to f64."""

    @abstractmethod
    def f16_round(self, x: Value) -> Value:
        """f32 rounded to an f16 value, still f32."""

    @abstractmethod
    def f16_bits(self, x: Value) -> Value:
        """f32 to the bits of its f16, an i16."""

    @abstractmethod
    def f16_from_bits(self, i: Value) -> Value:
        """i16 to f32; a signalling NaN becomes quiet."""

    @abstractmethod
    def bits(self, x: Value) -> Value:
        """f32 to i32, f64 to i64."""

    @abstractmethod
    def from_bits(self, i: Value) -> Value:
        """i32 to f32, i64 to f64."""

    @abstractmethod
    def sitofp64(self, i: Value) -> Value:
        """Signed integer to f64; the caller guarantees exactness."""

    @abstractmethod
    def fptosi(self, x: Value, bits: int) -> Value:
        """f64 truncated to i32 or i64; the caller guarantees the range."""

    @abstractmethod
    def sext(self, i: Value, bits: int) -> Value: ...

    @abstractmethod
    def zext(self, i: Value, bits: int) -> Value: ...

    @abstractmethod
    def trunc(self, i: Value, bits: int) -> Value:
        """Low `bits` bits; 1 gives an i1."""

    # -- integers ----------------------------------------------------------------------------------------------------
    @abstractmethod
    def width(self, i: Value) -> int:
        """Bits of an integer value."""

    @abstractmethod
    def iadd(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def isub(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def imul(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def iand(self, x: Value, y: Value) -> Value:
        """Bitwise; also on i1."""

    @abstractmethod
    def ior(self, x: Value, y: Value) -> Value:
        """Bitwise; also on i1."""

    @abstractmethod
    def ixor(self, x: Value, y: Value) -> Value:
        """Bitwise; also on i1."""

    @abstractmethod
    def shl(self, x: Value, n: Value) -> Value:
        """Shift left; `n` in [0, width)."""

    @abstractmethod
    def lshr(self, x: Value, n: Value) -> Value:
        """Logical shift right; `n` in [0, width)."""

    @abstractmethod
    def ashr(self, x: Value, n: Value) -> Value:
        """Arithmetic shift right; `n` in [0, width)."""

    @abstractmethod
    def sdiv(self, x: Value, y: Value) -> Value:
        """Truncating; `y` is neither 0 nor -1."""

    @abstractmethod
    def srem(self, x: Value, y: Value) -> Value:
        """Sign of the dividend; `y` is neither 0 nor -1."""

    @abstractmethod
    def udiv(self, x: Value, y: Value) -> Value:
        """`y` is not 0."""

    @abstractmethod
    def urem(self, x: Value, y: Value) -> Value:
        """`y` is not 0."""

    @abstractmethod
    def ctpop(self, x: Value) -> Value: ...

    @abstractmethod
    def ctlz(self, x: Value) -> Value:
        """Leading zeros; the width for 0."""

    @abstractmethod
    def cttz(self, x: Value) -> Value:
        """Trailing zeros; the width for 0."""

    @abstractmethod
    def icmp(self, pred: str, x: Value, y: Value) -> Value:
        """`eq ne slt sle sgt sge ult ule ugt uge`, as i1."""

    @abstractmethod
    def select(self, c: Value, x: Value, y: Value) -> Value:
        """`x` where `c` else `y`; at most one of the two is a Python number."""

    def bnot(self, c: Value) -> Value:
        """Negation of an i1."""
        return self.ixor(c, True)
