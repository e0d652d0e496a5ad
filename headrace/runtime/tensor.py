"""Tensors in device memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.numerics.dtypes import DType
from headrace.runtime.convert import as_array, decode, dtype_of_array, encode, fetch, place
from headrace.runtime.errors import runtime_error
from headrace.runtime.layout import Layout

if TYPE_CHECKING:
    from headrace.runtime.allocator import CompositeAddress
    from headrace.runtime.device import Device
    from headrace.runtime.stream import Stream

__all__ = ["Tensor", "dtype_of_array", "element_bytes"]


class Tensor:
    """An array in device memory. Made by :class:`headrace.runtime.Device`; frees its memory when dropped.

    ``shape`` in elements, ``dtype`` a :class:`DType`, ``address`` the device virtual address of element 0, ``layout``
    how the elements lie there. ``kernel_shape`` is the shape that kernels see: the device layout's.
    """

    def __init__(
        self,
        device: Device,
        shape: Sequence[int],
        dtype: DType,
        address: int,
        name: str,
        layout: Layout | None = None,
        composite: CompositeAddress | None = None,
    ):
        self._alive = False
        self.device = device
        self.shape = tuple(int(n) for n in shape)
        self.dtype = dtype
        self.address = address
        self.name = name
        self.layout = layout or Layout.row_major(self.shape)
        self.kernel_shape = self.layout.device_size
        self.device_bytes = self.layout.elements * dtype.bytes
        self.composite = composite
        self.chunks = 1 if composite is None else len(composite.chunks)
        self._streams: tuple[Stream, ...] = ()
        self._alive = True

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements, without padding."""
        return self.size * self.dtype.bytes

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def alive(self) -> bool:
        """False after :meth:`free`."""
        return self._alive

    # -- values --------------------------------------------------------------------------------------------------------
    def numpy(self) -> np.ndarray:
        """The values: f16, f32, f64 and integers as such, bf16 and df16 as f32. Waits for the streams that used it."""
        return decode(self.raw(), self.dtype).reshape(self.shape)

    def raw(self) -> np.ndarray:
        """The storage patterns (uint16 for 16-bit floats, uint8 for i1). Waits for the streams that used the tensor.

        Raises :class:`StreamError` if a stream that used this tensor (any stream, if none did) has failed and nobody
        has been told.
        """
        self.check()
        self._wait()
        return self._patterns()

    def copy_from(self, array: Any) -> None:
        """Overwrite with values of the same shape (rounded to the element type). Waits for the streams that used it."""
        self.check()
        raw = self.encode(array)
        self._wait()
        self.store(raw)

    def copy_from_raw(self, bits: np.ndarray) -> None:
        """Overwrite with storage patterns."""
        self.check()
        if bits.shape != self.shape or bits.dtype.itemsize != self.dtype.bytes:
            raise runtime_error(f"tensor '{self.name}' takes {self.shape} patterns of {self.dtype.bytes} bytes")
        self._wait()
        self.store(np.ascontiguousarray(bits).view(self.dtype.storage_dtype))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the values of a device tensor are always copied")
        values = self.numpy()
        return values if dtype is None else values.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        """DLPack capsule of a copy in host memory."""
        options.pop("copy", None)
        options.pop("dl_device", None)
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    # -- what streams do -----------------------------------------------------------------------------------------------
    def encode(self, array: Any) -> np.ndarray:
        """Storage patterns of an array of this tensor's shape, in host order; not copied where they are the same."""
        self.check()
        values = as_array(array)
        if values.shape != self.shape:
            raise runtime_error(f"tensor '{self.name}' has shape {self.shape}, the array {values.shape}")
        return encode(values, self.dtype)

    def store(self, raw: np.ndarray) -> None:
        """Write storage patterns now."""
        self.check()
        self.device.count("h2d", self.chunks)
        if not raw.size:
            return
        if self.composite is None:
            place(raw, self.layout, self._memory())
            self.device.sim.memory.wrote(self.address, self.device_bytes)
            return
        flat = np.zeros(self.layout.elements, self.dtype.storage_dtype)
        place(raw, self.layout, flat)
        data = flat.view(np.uint8)
        for chunk, at in self.composite.pieces():
            part = data[at : at + chunk.size]
            self.device.sim.memory.write(chunk.address, part)

    def load(self) -> np.ndarray:
        """Read the values now."""
        self.check()
        return decode(self._patterns(), self.dtype).reshape(self.shape)

    def used(self, stream: Stream) -> None:
        """A stream has work that uses this tensor."""
        if stream not in self._streams:
            self._streams = (*self._streams, stream)

    def _patterns(self) -> np.ndarray:
        self.device.count("d2h", self.chunks)
        if not self.size:
            return np.zeros(self.shape, self.dtype.storage_dtype)
        if self.composite is None:
            return fetch(self.layout, self._memory())
        parts = [self.device.sim.memory.view(c.address, c.size) for c, _ in self.composite.pieces()]
        data = np.concatenate(parts)[: self.device_bytes]
        return fetch(self.layout, data.view(self.dtype.storage_dtype))

    def ranges(self) -> list[tuple[int, int, str]]:
        """Its device memory: (address, bytes, name)."""
        if self.composite is None:
            return [(self.address, self.device_bytes, self.name)]
        left, found = self.device_bytes, []
        for chunk, at in self.composite.pieces():
            found.append((chunk.address, max(0, min(chunk.size, left - at)), self.name))
        return found

    def _addresses(self) -> list[int]:
        return [self.address] if self.composite is None else [c.address for c in self.composite.chunks]

    def _memory(self) -> np.ndarray:
        return self.device.sim.memory.view(self.address, self.device_bytes).view(self.dtype.storage_dtype)

    def _wait(self) -> None:
        if not self._streams:
            self.device.synchronize()
        for stream in self._streams:
            stream.synchronize()

    # -- life ----------------------------------------------------------------------------------------------------------
    def free(self) -> None:
        """Give the memory back now instead of when the last reference goes; waits for the streams that used it.

        Raises :class:`HeadraceError` if it was freed already.
        """
        self.check()
        self._alive = False
        for stream in self._streams:
            stream.executor.wait_stream(stream)
        for address in self._addresses():
            self.device.release(address)

    def check(self) -> None:
        """Raise :class:`HeadraceError` after :meth:`free`."""
        if not self._alive:
            raise runtime_error(f"tensor '{self.name}' was freed")

    def __del__(self) -> None:
        if getattr(self, "_alive", False):
            self._alive = False
            for address in self._addresses():
                self.device.release_later(address)

    def __repr__(self) -> str:
        shape = "x".join(map(str, (*self.shape, self.dtype.name)))
        return f"Tensor({self.name}: {shape} at {self.address:#x})"


def element_bytes(dtype: DType) -> int:
    """Bytes of an element in memory."""
    return dtype.bytes
