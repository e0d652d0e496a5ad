"""Element types: storage bits, value arrays, and rounding into them.

A *value array* is what interpreters compute on; *raw* is the little-endian bit pattern in memory. df16 is DLFloat16:
1 sign, 6 exponent, 9 fraction bits, bias 31, no subnormals, zeros only at 0x0000 and 0x8000, one merged NaN/infinity
code per sign (0x7FFF, 0xFFFF). It rounds to nearest with ties away from zero; overflow gives the merged code and a
magnitude below the smallest normal (after rounding to ten significant bits) gives a signed zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.numerics import rounding
from headrace.numerics.numpy_backend import NUMPY

Array = NDArray[Any]


@dataclass(frozen=True)
class DType:
    """An element type.

    `value_dtype`: NumPy type of value arrays (f16 float16; bf16 and df16 float32 that hold only representable values;
    i1 bool; index int64). `storage_dtype`: raw bits in memory (16-bit floats uint16, i1 one uint8).
    """

    name: str
    bits: int
    is_float: bool
    value_dtype: np.dtype[Any]
    storage_dtype: np.dtype[Any]

    def __str__(self) -> str:
        return self.name

    @property
    def bytes(self) -> int:
        """Bytes an element takes in memory."""
        return self.storage_dtype.itemsize

    @property
    def is_int(self) -> bool:
        """Integer or index (i1 included)."""
        return not self.is_float

    def encode(self, values: Any) -> Array:
        """Values to raw bits, rounding floats that are not representable.

        Signs and payloads of NaN survive where the type has room for them; an overflow in df16 keeps its sign.
        """
        values = np.asarray(values)
        if self.name == "i1":
            return (values != 0).astype(np.uint8)
        if not self.is_float:
            return np.ascontiguousarray(values.astype(self.value_dtype)).view(self.storage_dtype)
        if self.name in ("bf16", "df16"):
            with np.errstate(all="ignore"):
                single = values.astype(np.float32)
            rounded = self.round_to(values)
            raw = np.asarray(rounding.pack(NUMPY, rounded, self.name)).view(np.uint16)
            bits = single.view(np.uint32)
            if self.name == "df16":
                signed = ((bits >> np.uint32(16)) & np.uint32(0x8000)).astype(np.uint16) | np.uint16(0x7FFF)
                return np.where(raw == 0x7FFF, signed, raw)
            top = (bits >> np.uint32(16)).astype(np.uint16)
            top = np.where((top & np.uint16(0x7F)) == 0, top | np.uint16(0x40), top)
            return np.where(np.isnan(single), top, raw)
        exact = values if values.dtype == self.value_dtype else self.round_to(values)
        return np.ascontiguousarray(exact).view(self.storage_dtype).reshape(values.shape)

    def decode(self, raw: Any) -> Array:
        """Raw bits (`storage_dtype`) to values."""
        raw = np.asarray(raw)
        if raw.dtype != self.storage_dtype:
            raw = raw.astype(self.storage_dtype)
        if self.name == "i1":
            return raw != 0
        if self.name in ("bf16", "df16"):
            return np.asarray(rounding.unpack(NUMPY, raw.view(np.int16), self.name))
        return raw.view(self.value_dtype)

    def round_to(self, values: Any) -> Array:
        """Round floats or integers once to this type: a value array of the same shape.

        NaN becomes the positive quiet NaN. Into an integer type: floats truncate and saturate, NaN gives 0.
        """
        from headrace.numerics import definitions

        values = np.asarray(values)
        if not self.is_float:
            if values.dtype.kind == "f":
                with np.errstate(all="ignore"):
                    single = definitions.float_to_int(NUMPY, values.astype(np.float64), self.bits, True)
                return np.asarray(single).astype(self.value_dtype)
            return values.astype(self.value_dtype)
        with np.errstate(all="ignore"):
            if values.dtype.kind in "iub":
                signed = values.dtype.kind == "i"
                kind = values.dtype if values.dtype.kind == "b" else np.dtype(f"i{values.dtype.itemsize}")
                result = rounding.from_int(NUMPY, values.view(kind), self.name, signed)
            elif values.dtype == np.float64:
                result = rounding.finish64(NUMPY, values, self.name)
            else:
                result = rounding.finish32(NUMPY, values.astype(np.float32), self.name)
            return np.asarray(result).astype(self.value_dtype)

    def to_register(self, values: Any) -> Array:
        """Value array to register form (f16 as f32; see `rounding`)."""
        values = np.asarray(values)
        if self.name == "f16":
            return NUMPY.f16_from_bits(np.asarray(values, dtype=np.float16).view(np.int16))
        return values.astype(self.value_dtype, copy=False)

    def from_register(self, values: Any) -> Array:
        """Register form to a value array (exact)."""
        with np.errstate(all="ignore"):
            return np.asarray(values).astype(self.value_dtype, copy=False)


def _float(name: str, bits: int, value: str) -> DType:
    return DType(name, bits, True, np.dtype(value), np.dtype(f"u{bits // 8}"))


def _int(name: str, bits: int) -> DType:
    return DType(name, bits, False, np.dtype(f"i{bits // 8}"), np.dtype(f"u{bits // 8}"))


F16 = _float("f16", 16, "f2")
BF16 = _float("bf16", 16, "f4")
DF16 = _float("df16", 16, "f4")
F32 = _float("f32", 32, "f4")
F64 = _float("f64", 64, "f8")
I1 = DType("i1", 1, False, np.dtype(np.bool_), np.dtype(np.uint8))
I8, I16, I32, I64 = (_int(f"i{n}", n) for n in (8, 16, 32, 64))
INDEX = _int("index", 64)

ALL: dict[str, DType] = {t.name: t for t in (F16, BF16, DF16, F32, F64, I1, I8, I16, I32, I64, INDEX)}


def get(name: str | DType) -> DType:
    """Type by name (`"f16"`). KeyError with the known names if there is none."""
    if isinstance(name, DType):
        return name
    if name not in ALL:
        raise KeyError(f"unknown element type '{name}', expected one of {', '.join(ALL)}")
    return ALL[name]
