"""Memories of a simulated device: a sparse global byte space and the on-chip scratchpads, all NumPy-backed.

The global memory is a virtual space of eight segments of 16 GiB. Only registered ranges exist; each is one contiguous
array, so native code may use its raw pointer. Segment 7 holds programs, segments 0..6 hold tensors.
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from headrace.ir.diagnostics import Diagnostic, HeadraceError

SEGMENTS = 8
SEGMENT_BYTES = 1 << 34
PROGRAM_SEGMENT = 7
SPACE_BYTES = SEGMENTS * SEGMENT_BYTES
ALIGN = 128
POISON = 0xFF
"""Fill of uninitialised on-chip memory: a NaN in every float format, -1 in every integer."""


PAGE = 4096


def machine_error(message: str, *notes: str) -> HeadraceError:
    """A :class:`HeadraceError` without a source location."""
    return HeadraceError(Diagnostic("error", message, None, tuple(Diagnostic("note", n) for n in notes)))


def aligned_zeros(size: int, align: int = ALIGN) -> np.ndarray:
    """Zeroed ``uint8`` array whose first byte is ``align``-aligned in host memory (pages are touched only when
    used)."""
    raw = np.zeros(size + align, np.uint8)
    start = -raw.ctypes.data % align
    return raw[start : start + size]


@dataclass(frozen=True)
class Region:
    """A registered range of the global memory. ``data`` is its contents, one byte an element."""

    address: int
    size: int
    data: np.ndarray

    @property
    def end(self) -> int:
        """First address behind the range."""
        return self.address + self.size


class GlobalMemory:
    """Sparse byte space. Every access must lie inside one registered range.

    Ranges may come and go while another thread reads: the table is replaced as a whole. Changes are the owner's to
    order (the runtime makes them under its allocator's lock).
    """

    def __init__(self) -> None:
        self._table: tuple[list[int], list[Region]] = ([], [])
        self.version = 0
        self.written: Callable[[int, int], None] | None = None
        """Called with address and size of what the host wrote."""

    def register(self, address: int, size: int, data: np.ndarray | None = None) -> Region:
        """Make ``[address, address + size)`` exist, zeroed or backed by ``data`` (contiguous bytes, not copied).

        Raises :class:`HeadraceError` if it leaves its segment or overlaps another range.
        """
        if size <= 0 or address < 0 or address + size > SPACE_BYTES:
            raise machine_error(f"cannot register {size} bytes at {address:#x}: outside the device's address space")
        if address // SEGMENT_BYTES != (address + size - 1) // SEGMENT_BYTES:
            raise machine_error(f"cannot register {size} bytes at {address:#x}: the range crosses a segment boundary")
        starts, regions = self._table
        at = bisect_right(starts, address)
        for other in regions[max(at - 1, 0) : at + 1]:
            if address < other.end and other.address < address + size:
                raise machine_error(f"cannot register {size} bytes at {address:#x}: overlaps {other.address:#x}")
        if data is None:
            data = aligned_zeros(size)
        elif data.dtype != np.uint8 or not data.flags.c_contiguous or data.size != size:
            raise ValueError("backing must be contiguous bytes of the range's size")
        region = Region(address, size, data)
        self._table = ([*starts[:at], address, *starts[at:]], [*regions[:at], region, *regions[at:]])
        self.version += 1
        return region

    def release(self, address: int) -> None:
        """Forget the range that starts at ``address``."""
        starts, regions = self._table
        at = bisect_right(starts, address) - 1
        if at < 0 or starts[at] != address:
            raise machine_error(f"no device memory is registered at {address:#x}")
        self._table = (starts[:at] + starts[at + 1 :], regions[:at] + regions[at + 1 :])
        self.version += 1

    @property
    def regions(self) -> tuple[Region, ...]:
        """Registered ranges by address."""
        return tuple(self._table[1])

    def view(self, address: int, size: int) -> np.ndarray:
        """The bytes ``[address, address + size)``, not copied. Raises :class:`HeadraceError` outside every range."""
        starts, regions = self._table
        at = bisect_right(starts, address) - 1
        if at >= 0:
            region = regions[at]
            if size >= 0 and address + size <= region.end:
                return region.data[address - region.address : address - region.address + size]
        raise machine_error(f"device address {address:#x} (+{size} bytes) is outside every allocation")

    def write(self, address: int, data: bytes | np.ndarray) -> None:
        """Copy ``data`` (bytes or any contiguous array) to ``address``."""
        if isinstance(data, np.ndarray):
            source = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
        else:
            source = np.frombuffer(data, np.uint8)
        self.view(address, source.size)[:] = source
        self.wrote(address, source.size)

    def wrote(self, address: int, size: int) -> None:
        """To be called by who writes through :meth:`view`."""
        if self.written is not None:
            self.written(address, size)

    def read(self, address: int, size: int) -> bytes:
        """Copy of ``size`` bytes at ``address``."""
        return self.view(address, size).tobytes()


class _Poisoned:
    """Memory that begins as :data:`POISON`; only pages that are written take memory, where the host can do that."""

    _pattern: ClassVar[tuple[int, int]] = (-1, 0)
    """File of poison that all map privately, and its size."""

    def __init__(self, size: int) -> None:
        self._map: mmap.mmap | None = None
        try:
            self._map = mmap.mmap(self._file(size), size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
            self.array = np.frombuffer(self._map, np.uint8)
        except (AttributeError, OSError, ValueError):  # another system, or no room for the file
            self.array = aligned_zeros(size)
            self.array[:] = POISON

    @classmethod
    def _file(cls, size: int) -> int:
        """Descriptor of a file of at least ``size`` bytes of poison."""
        file, has = cls._pattern
        if file < 0:
            file = os.memfd_create("poison")
        if has < size:
            os.pwrite(file, bytes([POISON]) * (size - has), has)
            cls._pattern = (file, size)
        return file

    def reset(self) -> None:
        """Fill with poison again, in place."""
        if self._map is not None:
            self._map.madvise(mmap.MADV_DONTNEED)
        else:
            self.array[:] = POISON


class LocalMemories:
    """Scratchpads and memories below them, made when first asked for: one array per (memory name, instance)."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Any], _Poisoned] = {}

    def get(self, name: str, instance: tuple[Any, ...], size: int) -> np.ndarray:
        """Bytes of a memory; ``instance`` is ``(core,)`` or ``(core, instance in it)`` with its scope's marker in
        front."""
        key = (name, instance)
        known = self._known.get(key)
        if known is None or known.array.size != size:
            known = self._known[key] = _Poisoned(size)
        return known.array

    def poison(self) -> None:
        """Fill everything with :data:`POISON`."""
        for known in self._known.values():
            known.reset()

    def written(self) -> int:
        """Bytes of the pages that hold anything else than poison."""
        pages = 0
        for known in self._known.values():
            whole = known.array[: known.array.size // PAGE * PAGE].reshape(-1, PAGE)
            pages += int((whole != POISON).any(axis=1).sum()) + bool((known.array[whole.size :] != POISON).any())
        return PAGE * pages
