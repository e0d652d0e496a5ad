"""Tensors in device memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType
from headrace.runtime.errors import runtime_error

if TYPE_CHECKING:
    from headrace.runtime.device import Device

_BY_NUMPY = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
}


def dtype_of_array(array: np.ndarray) -> DType:
    """Element type of a NumPy array. Raises :class:`HeadraceError` for a type that the device does not have."""
    name = _BY_NUMPY.get(array.dtype.name)
    if name is None:
        raise runtime_error(f"NumPy type '{array.dtype.name}' has no device type; known: {', '.join(_BY_NUMPY)}")
    return dtypes.get(name)


class Tensor:
    """A row-major array in device memory. Made by :class:`headrace.runtime.Device`; frees its memory when dropped.

    ``shape`` in elements, ``dtype`` a :class:`DType`, ``address`` the device virtual address of element 0.
    """

    def __init__(self, device: Device, shape: Sequence[int], dtype: DType, address: int, name: str):
        self.device = device
        self.shape = tuple(int(n) for n in shape)
        self.dtype = dtype
        self.address = address
        self.name = name
        self._alive = True

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return self.size * element_bytes(self.dtype)

    @property
    def alive(self) -> bool:
        """False after :meth:`free`."""
        return self._alive

    def numpy(self) -> np.ndarray:
        """The values: f16, f32, f64 and integers as such, bf16 and df16 as f32. Waits for all work of the device."""
        return self.dtype.decode(self.raw()).reshape(self.shape)

    def raw(self) -> np.ndarray:
        """The storage patterns (uint16 for 16-bit floats, uint8 for i1). Waits for all work of the device."""
        self._check()
        self.device.synchronize()
        data = self.device.read(self.address, self.nbytes)
        storage = np.dtype(self.dtype.storage_dtype).newbyteorder("<")
        return np.frombuffer(data, storage).astype(self.dtype.storage_dtype).reshape(self.shape)

    def copy_from(self, array: Any) -> None:
        """Overwrite with values of the same shape (rounded to the element type). Waits for all work of the device."""
        self._check()
        values = np.asarray(array)
        if values.shape != self.shape:
            raise runtime_error(f"tensor '{self.name}' has shape {self.shape}, the array {values.shape}")
        self.device.synchronize()
        self.device.write(self.address, encode(values, self.dtype))

    def copy_from_raw(self, bits: np.ndarray) -> None:
        """Overwrite with storage patterns."""
        self._check()
        if bits.shape != self.shape or bits.dtype.itemsize != element_bytes(self.dtype):
            raise runtime_error(
                f"tensor '{self.name}' takes {self.shape} patterns of {element_bytes(self.dtype)} bytes"
            )
        self.device.synchronize()
        self.device.write(self.address, np.ascontiguousarray(bits))

    def free(self) -> None:
        """Give the memory back now instead of when the last reference goes."""
        if self._alive:
            self._alive = False
            self.device.release(self.address)

    def _check(self) -> None:
        if not self._alive:
            raise runtime_error(f"tensor '{self.name}' was freed")

    def __del__(self) -> None:
        if getattr(self, "_alive", False):
            self._alive = False
            self.device.release(self.address)

    def __repr__(self) -> str:
        return f"Tensor({self.name}: {'x'.join(map(str, self.shape))}x{self.dtype.name} at {self.address:#x})"


def element_bytes(dtype: DType) -> int:
    """Bytes of an element in memory."""
    return max(1, int(np.dtype(dtype.storage_dtype).itemsize))


def encode(values: np.ndarray, dtype: DType) -> np.ndarray:
    """Storage patterns of values, little endian; floats are rounded, integers must fit."""
    if dtype.is_float:
        if values.dtype.kind not in "fiub" and values.dtype.name != "bfloat16":
            raise runtime_error(f"cannot store {values.dtype.name} values as {dtype.name}")
        wide = values.astype(
            np.float64 if dtype.name == "f64" or values.dtype == np.float64 else np.float32, copy=False
        )
        values = dtype.round_to(wide) if wide.dtype != np.dtype(dtype.value_dtype) or dtype.bits == 16 else wide
    elif values.dtype != np.dtype(dtype.value_dtype):
        if values.dtype.kind not in "iub":
            raise runtime_error(f"cannot store {values.dtype.name} values as {dtype.name}")
        cast = values.astype(dtype.value_dtype)
        if not np.array_equal(cast, values):
            raise runtime_error(f"a value does not fit {dtype.name}")
        values = cast
    raw = np.ascontiguousarray(dtype.encode(values))
    return raw.astype(raw.dtype.newbyteorder("<"), copy=False)
