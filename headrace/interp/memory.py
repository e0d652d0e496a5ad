"""Byte-addressed memories of the interpreters: one global memory made of registered buffers, private memories per tile.

Addresses are bytes, values are little endian, and every access names the buffer it lands in: an access outside all
buffers raises `OutsideMemory`, which the interpreters turn into a located diagnostic.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headrace.numerics.dtypes import DType

Bytes = NDArray[np.uint8]


class OutsideMemory(Exception):
    """Some element of an access lies outside every buffer. `address` is the first such byte address."""

    def __init__(self, address: int):
        super().__init__(f"byte address {address} is outside every buffer")
        self.address = address


class Uninitialised(Exception):
    """Some element of a read was never written. `address` is the first such byte address."""

    def __init__(self, address: int):
        super().__init__(f"byte address {address} was never written")
        self.address = address


@dataclass
class Buffer:
    """`data` (uint8) at byte `address` of a memory."""

    name: str
    address: int
    data: Bytes

    @property
    def end(self) -> int:
        """First byte address after the buffer."""
        return self.address + self.data.size


def box_range(base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> tuple[int, int]:
    """Byte range [first, end) that a strided box of `width`-byte elements touches; strides in bytes, shape without
    zeros.
    """
    low = base + sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True))
    high = base + sum(max(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True))
    return low, high + width


class Space:
    """One linear memory holding disjoint buffers; nothing else can be read or written."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self._starts: list[int] = []

    def add(self, name: str, address: int, data: Bytes) -> Buffer:
        """Register `data` at byte `address`. Raises ValueError if it overlaps another buffer."""
        i = bisect_right(self._starts, address)
        if i and self.buffers[i - 1].end > address:
            raise ValueError(f"buffer '{name}' at {address} overlaps buffer '{self.buffers[i - 1].name}'")
        if i < len(self.buffers) and address + data.size > self.buffers[i].address:
            raise ValueError(f"buffer '{name}' at {address} overlaps buffer '{self.buffers[i].name}'")
        buffer = Buffer(name, address, data)
        self.buffers.insert(i, buffer)
        self._starts.insert(i, address)
        return buffer

    def find(self, address: int, size: int = 1) -> Buffer | None:
        """The buffer that holds all of [address, address + size), else None."""
        i = bisect_right(self._starts, address) - 1
        if i < 0 or self.buffers[i].end < address + size:
            return None
        return self.buffers[i]

    def named(self, name: str) -> Buffer:
        """The buffer called `name`. Raises KeyError."""
        for b in self.buffers:
            if b.name == name:
                return b
        raise KeyError(name)

    def prepare(self, low: int, high: int) -> None:
        """Hook before an access of [low, high); growing memories allocate here."""

    def check_written(self, addresses: NDArray[np.int64], width: int) -> None:
        """Hook after the range check of a read; memories that know what was written raise `Uninitialised` here."""

    def mark_written(self, addresses: NDArray[np.int64], width: int) -> None:
        """Hook after a write."""

    def _box(self, base: int, shape: Sequence[int], strides: Sequence[int], raw: np.dtype) -> NDArray | None:
        low, high = box_range(base, shape, strides, raw.itemsize)
        self.prepare(low, high)
        buffer = self.find(low, high - low)
        if buffer is None:
            return None
        return np.ndarray(tuple(shape), raw, buffer.data.data, base - buffer.address, tuple(strides))

    def _addresses(self, base: int, shape: Sequence[int], strides: Sequence[int]) -> NDArray[np.int64]:
        result = np.full((1,) * len(shape), base, np.int64)
        for k, (n, s) in enumerate(zip(shape, strides, strict=True)):
            result = result + (np.arange(n, dtype=np.int64) * s).reshape(
                [-1 if i == k else 1 for i in range(len(shape))]
            )
        return np.broadcast_to(result, tuple(shape))

    def read_box(self, base: int, shape: Sequence[int], strides: Sequence[int], dtype: DType) -> NDArray:
        """Values of the strided box at byte `base` (strides in bytes), decoded. Raises OutsideMemory, Uninitialised."""
        raw = np.dtype(dtype.storage_dtype)
        if 0 in shape:
            return dtype.decode(np.zeros(tuple(shape), raw))
        box = self._box(base, shape, strides, raw)
        if box is None:
            return self.read_points(self._addresses(base, shape, strides), dtype)
        self.check_box(base, shape, strides, raw.itemsize)
        return dtype.decode(box.copy())

    def write_box(self, base: int, shape: Sequence[int], strides: Sequence[int], dtype: DType, values: NDArray) -> None:
        """Encode `values` into the strided box. All or nothing. Raises OutsideMemory."""
        raw = np.dtype(dtype.storage_dtype)
        if 0 in shape:
            return
        box = self._box(base, shape, strides, raw)
        if box is None:
            self.write_points(self._addresses(base, shape, strides), dtype, values)
        else:
            box[...] = dtype.encode(values)
            self.mark_box(base, shape, strides, raw.itemsize)

    def check_box(self, base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> None:
        """`check_written` of a box that lies inside one buffer."""

    def mark_box(self, base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> None:
        """`mark_written` of a box that lies inside one buffer."""

    def _locate(self, addresses: NDArray[np.int64], width: int) -> list[tuple[Buffer, NDArray[np.bool_] | None]]:
        """Buffers that the elements fall into, each with the mask of its elements (None = all)."""
        low, high = int(addresses.min()), int(addresses.max()) + width
        self.prepare(low, high)
        one = self.find(low, high - low)
        if one is not None:
            return [(one, None)]
        starts = np.asarray(self._starts, np.int64)
        ends = np.asarray([b.end for b in self.buffers], np.int64)
        which = np.searchsorted(starts, addresses, side="right") - 1
        bad = which < 0
        if len(starts):
            bad = bad | (ends[np.maximum(which, 0)] < addresses + width)
        if bad.any():
            raise OutsideMemory(int(addresses[bad][0]))
        return [(self.buffers[i], which == i) for i in np.unique(which)]

    def read_points(self, addresses: NDArray[np.int64], dtype: DType) -> NDArray:
        """Values at the given byte addresses (any shape), decoded. Raises OutsideMemory, Uninitialised."""
        raw = np.dtype(dtype.storage_dtype)
        out = np.zeros(addresses.shape, raw)
        if addresses.size:
            parts = self._locate(addresses, raw.itemsize)
            self.check_written(addresses, raw.itemsize)
            for buffer, mask in parts:
                offsets = (addresses if mask is None else addresses[mask]) - buffer.address
                values = _gather(buffer.data, offsets, raw)
                if mask is None:
                    out = values
                else:
                    out[mask] = values
        return dtype.decode(out)

    def write_points(self, addresses: NDArray[np.int64], dtype: DType, values: NDArray) -> None:
        """Encode and store `values` (same shape); nothing is written when some element is outside. Raises
        OutsideMemory.
        """
        if not addresses.size:
            return
        raw = np.dtype(dtype.storage_dtype)
        encoded = np.broadcast_to(dtype.encode(np.asarray(values)), addresses.shape)
        for buffer, mask in self._locate(addresses, raw.itemsize):
            if mask is None:
                _scatter(buffer.data, addresses - buffer.address, encoded)
            else:
                _scatter(buffer.data, addresses[mask] - buffer.address, encoded[mask])
        self.mark_written(addresses, raw.itemsize)


def _gather(data: Bytes, offsets: NDArray[np.int64], raw: np.dtype) -> NDArray:
    if raw.itemsize == 1:
        return data[offsets].view(raw)
    picked = data[offsets[..., None] + np.arange(raw.itemsize)]
    return np.ascontiguousarray(picked).view(raw)[..., 0]


def _scatter(data: Bytes, offsets: NDArray[np.int64], encoded: NDArray) -> None:
    """Store element by element; where addresses repeat the last element in order wins."""
    width = encoded.dtype.itemsize
    as_bytes = np.ascontiguousarray(encoded).reshape(-1).view(np.uint8).reshape(-1, width)
    data[offsets.reshape(-1)[:, None] + np.arange(width)] = as_bytes


class LocalSpace(Space):
    """A tile's private memory: every byte address >= 0 below `capacity` exists; reading bytes never written raises
    `Uninitialised`.
    """

    def __init__(self, capacity: int | None = None):
        super().__init__()
        self.capacity = capacity
        self.written: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.add("local", 0, np.zeros(0, np.uint8))

    def prepare(self, low: int, high: int) -> None:
        if low < 0 or (self.capacity is not None and high > self.capacity):
            return
        only = self.buffers[0]
        if high > only.data.size:
            grown = max(high, 2 * only.data.size)
            if self.capacity is not None:
                grown = min(grown, self.capacity)
            extra = grown - only.data.size
            only.data = np.concatenate([only.data, np.zeros(extra, np.uint8)])
            self.written = np.concatenate([self.written, np.zeros(extra, np.bool_)])

    def check_written(self, addresses: NDArray[np.int64], width: int) -> None:
        for k in range(width):
            missing = ~self.written[addresses + k]
            if missing.any():
                raise Uninitialised(int(addresses[missing].reshape(-1)[0]) + k)

    def mark_written(self, addresses: NDArray[np.int64], width: int) -> None:
        for k in range(width):
            self.written[addresses + k] = True

    def _marks(self, base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> NDArray[np.bool_]:
        return np.ndarray((*shape, width), np.bool_, self.written.data, base, (*strides, 1))

    def check_box(self, base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> None:
        if not self._marks(base, shape, strides, width).all():
            self.check_written(self._addresses(base, shape, strides), width)

    def mark_box(self, base: int, shape: Sequence[int], strides: Sequence[int], width: int) -> None:
        self._marks(base, shape, strides, width)[...] = True


@dataclass
class Memory:
    """All memory of one device: `main` (global) and private memories keyed by (kind, owner).

    The kind "" is the scratchpad that KTIR calls `ct_local`; its owner is the linear tile id. Register files below the
    scratchpad use their own kind and (tile, unit) as owner.
    """

    main: Space = field(default_factory=Space)
    privates: dict[tuple[str, object], LocalSpace] = field(default_factory=dict)

    def add(self, name: str, address: int, values: NDArray, dtype: DType) -> Buffer:
        """Register a dense row-major global buffer holding `values` at byte `address`. Raises ValueError on overlap."""
        raw = np.ascontiguousarray(dtype.encode(np.asarray(values, dtype.value_dtype)))
        return self.main.add(name, address, raw.reshape(-1).view(np.uint8).copy())

    def add_bytes(self, name: str, address: int, size: int) -> Buffer:
        """Register a zero-filled global buffer of `size` bytes."""
        return self.main.add(name, address, np.zeros(size, np.uint8))

    def read(self, name: str, shape: Sequence[int], dtype: DType) -> NDArray:
        """A dense row-major copy of the buffer `name` as values."""
        b = self.main.named(name)
        raw = b.data.view(np.dtype(dtype.storage_dtype))
        return dtype.decode(raw[: int(np.prod(shape, dtype=np.int64))].reshape(tuple(shape)).copy())

    def local(self, owner: object, kind: str = "") -> LocalSpace:
        """The private memory `kind` of `owner` (a linear tile id, or (tile, unit)), created empty on first use."""
        key = (kind, owner)
        if key not in self.privates:
            self.privates[key] = LocalSpace()
        return self.privates[key]

    def copy(self) -> Memory:
        """An independent copy of every byte."""
        result = Memory()
        for b in self.main.buffers:
            result.main.add(b.name, b.address, b.data.copy())
        for key, space in self.privates.items():
            twin = LocalSpace(space.capacity)
            twin.buffers[0].data = space.buffers[0].data.copy()
            twin.written = space.written.copy()
            result.privates[key] = twin
        return result

    def global_buffers(self) -> Iterable[Buffer]:
        """Registered global buffers in address order."""
        return tuple(self.main.buffers)


def same_bits(a: NDArray, b: NDArray) -> NDArray[np.bool_]:
    """Elementwise equality of values: bit-exact (signed zeros differ), any NaN equals any NaN."""
    if np.issubdtype(a.dtype, np.floating):
        bits = np.dtype(f"u{a.dtype.itemsize}")
        return (np.ascontiguousarray(a).view(bits) == np.ascontiguousarray(b).view(bits)) | (np.isnan(a) & np.isnan(b))
    return a == b
