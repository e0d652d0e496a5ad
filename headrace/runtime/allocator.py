"""Device virtual addresses: eight segments of 16 GiB, segment 7 for programs, blocks of 128 bytes, first fit.

>>> a = Allocator()
>>> x, y = a.allocate(100, "x"), a.allocate(1, "y")
>>> y - x
128
>>> a.free(x); a.free(y); a.statistics()["allocated_bytes"]
0
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import Literal

from headrace.ir.diagnostics import HeadraceError, error

SEGMENTS = 8
SEGMENT_BITS = 34
SEGMENT_BYTES = 1 << SEGMENT_BITS
PROGRAM_SEGMENT = 7
ALIGN = 128

Kind = Literal["tensor", "program"]


def compose(segment: int, offset: int) -> int:
    """Device virtual address of a segment and a byte offset in it."""
    return (segment << SEGMENT_BITS) + offset


def decompose(address: int) -> tuple[int, int]:
    """Segment and byte offset of a device virtual address."""
    return address >> SEGMENT_BITS, address & (SEGMENT_BYTES - 1)


@dataclass(frozen=True)
class Block:
    """An allocation: address, bytes reserved (a multiple of 128), kind and the name of its holder."""

    address: int
    size: int
    kind: Kind
    name: str


class Allocator:
    """First fit at the lowest address of the lowest segment; freed neighbours coalesce.

    ``capacity`` limits the sum of all blocks (bytes of memory the device has); None: the address space is the limit.
    """

    def __init__(self, capacity: int | None = None):
        self.capacity = capacity
        self._free: list[list[tuple[int, int]]] = [[(0, SEGMENT_BYTES)] for _ in range(SEGMENTS)]
        self._blocks: dict[int, Block] = {}
        self._used = 0
        self._peak = 0

    def allocate(self, size: int, name: str = "", kind: Kind = "tensor") -> int:
        """Address of a new block of at least ``size`` bytes. Raises :class:`HeadraceError` when there is no room."""
        rounded = _round(size)
        self._check_capacity(rounded, name)
        for segment in (PROGRAM_SEGMENT,) if kind == "program" else range(PROGRAM_SEGMENT):
            for at, (offset, length) in enumerate(self._free[segment]):
                if length >= rounded:
                    if length == rounded:
                        del self._free[segment][at]
                    else:
                        self._free[segment][at] = (offset + rounded, length - rounded)
                    return self._add(compose(segment, offset), rounded, name, kind)
        raise self._no_room(rounded, name)

    def allocate_at(self, address: int, size: int, name: str = "") -> int:
        """A tensor block at a fixed address. Raises :class:`HeadraceError` if it is misaligned or not free."""
        rounded = _round(size)
        segment, offset = decompose(address)
        if address % ALIGN:
            raise _error(f"address {address:#x} of '{name}' is not a multiple of {ALIGN}")
        if not 0 <= segment < PROGRAM_SEGMENT or offset + rounded > SEGMENT_BYTES:
            raise _error(f"'{name}' does not fit at {address:#x}: tensors live in segments 0 to {PROGRAM_SEGMENT - 1}")
        self._check_capacity(rounded, name)
        free = self._free[segment]
        at = bisect_left(free, (offset + 1, 0)) - 1
        if at < 0 or free[at][0] + free[at][1] < offset + rounded:
            holder = next(
                (b for b in self.blocks if b.address < address + rounded and address < b.address + b.size), None
            )
            raise _error(f"'{name}' does not fit at {address:#x}: '{holder.name if holder else '?'}' is there")
        start, length = free.pop(at)
        if offset + rounded < start + length:
            free.insert(at, (offset + rounded, start + length - offset - rounded))
        if start < offset:
            free.insert(at, (start, offset - start))
        return self._add(address, rounded, name, "tensor")

    def free(self, address: int) -> None:
        """Give a block back. Raises :class:`HeadraceError` if none starts there."""
        block = self._blocks.pop(address, None)
        if block is None:
            raise _error(f"nothing is allocated at {address:#x}")
        self._used -= block.size
        segment, offset = decompose(address)
        free = self._free[segment]
        insort(free, (offset, block.size))
        at = bisect_left(free, (offset, block.size))
        if at + 1 < len(free) and offset + block.size == free[at + 1][0]:
            free[at] = (offset, block.size + free.pop(at + 1)[1])
        if at and free[at - 1][0] + free[at - 1][1] == offset:
            start, length = free[at - 1]
            free[at - 1] = (start, length + free.pop(at)[1])

    @property
    def blocks(self) -> list[Block]:
        """Live blocks by address."""
        return [self._blocks[a] for a in sorted(self._blocks)]

    def block(self, address: int) -> Block | None:
        """The live block that starts at an address."""
        return self._blocks.get(address)

    def statistics(self) -> dict[str, int]:
        """``allocated_bytes``, ``peak_bytes``, ``allocations``."""
        return {"allocated_bytes": self._used, "peak_bytes": self._peak, "allocations": len(self._blocks)}

    def _add(self, address: int, size: int, name: str, kind: Kind) -> int:
        self._blocks[address] = Block(address, size, kind, name)
        self._used += size
        self._peak = max(self._peak, self._used)
        return address

    def _check_capacity(self, size: int, name: str) -> None:
        if self.capacity is not None and self._used + size > self.capacity:
            raise self._no_room(size, name)

    def _no_room(self, size: int, name: str) -> HeadraceError:
        largest = sorted(self._blocks.values(), key=lambda b: (-b.size, b.address))[:5]
        notes = [f"'{b.name}' holds {b.size} bytes at {b.address:#x}" for b in largest]
        limit = (
            f"{self.capacity - self._used} of {self.capacity} bytes are free"
            if self.capacity
            else "no segment has room"
        )
        message = f"device memory is full: '{name}' needs {size} bytes, {limit}"
        return error(None, message, [(None, note) for note in notes])


def _round(size: int) -> int:
    if size < 0:
        raise _error(f"cannot allocate {size} bytes")
    return max(ALIGN, -(-size // ALIGN) * ALIGN)


def _error(message: str) -> HeadraceError:
    return error(None, message)
