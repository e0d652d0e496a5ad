"""Device virtual addresses: eight segments of 16 GiB, segment 7 for programs, blocks of 128 bytes, first fit.

Devices whose units move larger words take larger blocks.

>>> a = Allocator()
>>> x, y = a.allocate(100, "x"), a.allocate(1, "y")
>>> y - x
128
>>> a.free(x); a.free(y); a.statistics()["allocated_bytes"]
0
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from headrace.ir.diagnostics import HeadraceError, error

SEGMENTS = 8
SEGMENT_BITS = 34
SEGMENT_BYTES = 1 << SEGMENT_BITS
PROGRAM_SEGMENT = 7
ALIGN = 128
REMEMBERED = 1024
"""Freed blocks that error messages remember."""
HOLDERS = 5
"""Holders that the message of a full memory lists."""

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


@dataclass(frozen=True)
class Chunk:
    """A contiguous part of an allocation: device virtual address, bytes, memory domain (the segment)."""

    address: int
    size: int
    domain: int


@dataclass(frozen=True)
class CompositeAddress:
    """Chunks in order; one chunk is a plain allocation, several are an interleaved one."""

    chunks: tuple[Chunk, ...]

    @property
    def total_size(self) -> int:
        """Bytes of all chunks."""
        return sum(c.size for c in self.chunks)

    def pieces(self) -> Iterator[tuple[Chunk, int]]:
        """Chunks with their byte offset in the whole."""
        at = 0
        for chunk in self.chunks:
            yield chunk, at
            at += chunk.size

    def locate(self, offset: int) -> int:
        """Device virtual address of a byte of the whole. Raises :class:`HeadraceError` outside."""
        for chunk, at in self.pieces():
            if at <= offset < at + chunk.size:
                return chunk.address + offset - at
        raise _error(f"offset {offset} is outside the {self.total_size} bytes of the allocation")


class Allocator:
    """First fit at the lowest address of the lowest segment; freed neighbours coalesce. Thread-safe.

    ``capacity`` limits the sum of all blocks (bytes of memory the device has); None: the address space is the limit.
    ``align``: what addresses and sizes are multiples of, bytes, a multiple of 128; fixed addresses need only be
    multiples of 128.
    """

    def __init__(self, capacity: int | None = None, align: int = ALIGN):
        self.capacity = capacity
        self.align = align
        self.lock = threading.RLock()
        self._free: list[list[tuple[int, int]]] = [[(0, SEGMENT_BYTES)] for _ in range(SEGMENTS)]
        self._blocks: dict[int, Block] = {}
        self._starts: list[int] = []
        self._freed: OrderedDict[int, Block] = OrderedDict()
        self._used = 0
        self._peak = 0

    def allocate(self, size: int, name: str = "", kind: Kind = "tensor") -> int:
        """Address of a new block of at least ``size`` bytes. Raises :class:`HeadraceError` when there is no room."""
        rounded = _round(size, self.align)
        with self.lock:
            self._check_capacity(rounded, name)
            for segment in (PROGRAM_SEGMENT,) if kind == "program" else range(PROGRAM_SEGMENT):
                address = self._first_fit(segment, rounded)
                if address is not None:
                    return self._add(address, rounded, name, kind)
            raise self._no_room(rounded, name)

    def allocate_interleaved(self, size: int, domains: int, name: str = "") -> CompositeAddress:
        """Equal chunks (multiples of the block size, the last one maybe shorter) in ``domains`` different segments.

        Raises :class:`HeadraceError` when there is no room; nothing is allocated then.
        """
        if not 1 <= domains <= PROGRAM_SEGMENT:
            raise _error(f"'{name}' cannot be spread over {domains} domains: the device has {PROGRAM_SEGMENT}")
        rounded = _round(size, self.align)
        part = _round(-(-rounded // domains), self.align)
        with self.lock:
            self._check_capacity(rounded, name)
            chunks: list[Chunk] = []
            left = rounded
            for segment in range(PROGRAM_SEGMENT):
                if left and len(chunks) < domains:
                    take = min(part, left)
                    address = self._first_fit(segment, take)
                    if address is not None:
                        chunks.append(Chunk(self._add(address, take, name, "tensor"), take, segment))
                        left -= take
            if left:
                for chunk in chunks:
                    self.free(chunk.address)
                raise self._no_room(rounded, name)
            return CompositeAddress(tuple(chunks))

    def allocate_at(self, address: int, size: int, name: str = "") -> int:
        """A tensor block at a fixed address. Raises :class:`HeadraceError` if it is misaligned or not free."""
        rounded = _round(size)
        segment, offset = decompose(address)
        if address % ALIGN:
            raise _error(f"address {address:#x} of '{name}' is not a multiple of {ALIGN}")
        if not 0 <= segment < PROGRAM_SEGMENT or offset + rounded > SEGMENT_BYTES:
            raise _error(f"'{name}' does not fit at {address:#x}: tensors live in segments 0 to {PROGRAM_SEGMENT - 1}")
        with self.lock:
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
        """Give a block back. Raises :class:`HeadraceError` for a second free, an address inside a block, and an
        address that was never allocated."""
        with self.lock:
            block = self._blocks.pop(address, None)
            if block is None:
                raise self._unknown(address)
            del self._starts[bisect_left(self._starts, address)]
            self._freed[address] = block
            self._freed.move_to_end(address)
            if len(self._freed) > REMEMBERED:
                self._freed.popitem(last=False)
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
        with self.lock:
            return [self._blocks[a] for a in self._starts]

    def block(self, address: int) -> Block | None:
        """The live block that starts at an address."""
        return self._blocks.get(address)

    def block_of(self, address: int) -> Block | None:
        """The live block that an address lies in."""
        with self.lock:
            at = bisect_left(self._starts, address + 1) - 1
            if at >= 0:
                block = self._blocks[self._starts[at]]
                if address < block.address + block.size:
                    return block
            return None

    def explain(self, address: int) -> str:
        """What is known about an address that is in no live block."""
        with self.lock:
            latest = reversed(self._freed.values())
            before = next((b for b in latest if b.address <= address < b.address + b.size), None)
            if before is not None:
                return f"'{before.name}' ({before.size} bytes) was there and has been freed"
            below = bisect_left(self._starts, address + 1) - 1
            if below >= 0:
                block = self._blocks[self._starts[below]]
                return f"the nearest allocation below is '{block.name}', {block.size} bytes at {block.address:#x}"
            return "nothing was ever allocated there"

    def statistics(self) -> dict[str, int]:
        """``allocated_bytes``, ``peak_bytes``, ``allocations``."""
        with self.lock:
            return {"allocated_bytes": self._used, "peak_bytes": self._peak, "allocations": len(self._blocks)}

    def fragmentation(self) -> dict[str, Any]:
        """How free memory is cut up, below the highest allocation of each used segment.

        ``free_bytes``, ``holes``, ``largest_hole`` (bytes), ``fragmentation`` (1 - largest hole / free bytes; 0 if
        nothing is free), and the same per segment under ``segments``.
        """
        with self.lock:
            found: list[dict[str, Any]] = []
            for segment in range(SEGMENTS):
                mine = [a for a in self._starts if a >> SEGMENT_BITS == segment]
                if mine:
                    top = decompose(mine[-1])[1]
                    found.append({"segment": segment, **_holes([n for at, n in self._free[segment] if at < top])})
            whole = _holes([])
            whole["free_bytes"] = sum(s["free_bytes"] for s in found)
            whole["holes"] = sum(s["holes"] for s in found)
            whole["largest_hole"] = max((s["largest_hole"] for s in found), default=0)
            if whole["free_bytes"]:
                whole["fragmentation"] = round(1 - whole["largest_hole"] / whole["free_bytes"], 6)
            return {**whole, "segments": found}

    def _first_fit(self, segment: int, size: int) -> int | None:
        free = self._free[segment]
        for at, (offset, length) in enumerate(free):
            start = -(-offset // self.align) * self.align
            left = offset + length - start - size
            if left >= 0:
                free[at : at + 1] = [(a, n) for a, n in ((offset, start - offset), (start + size, left)) if n]
                return compose(segment, start)
        return None

    def _add(self, address: int, size: int, name: str, kind: Kind) -> int:
        self._blocks[address] = Block(address, size, kind, name)
        insort(self._starts, address)
        self._freed.pop(address, None)
        self._used += size
        self._peak = max(self._peak, self._used)
        return address

    def _check_capacity(self, size: int, name: str) -> None:
        if self.capacity is not None and self._used + size > self.capacity:
            raise self._no_room(size, name)

    def _no_room(self, size: int, name: str) -> OutOfMemoryError:
        largest = sorted(self._blocks.values(), key=lambda b: (-b.size, b.address))[:HOLDERS]
        notes = [f"'{b.name}' holds {b.size} bytes at {b.address:#x}" for b in largest]
        rest = len(self._blocks) - len(largest)
        if rest > 0:
            others = self._used - sum(b.size for b in largest)
            notes.append(f"{rest} more allocations hold {others} bytes")
        limit = (
            f"{self.capacity - self._used} of {self.capacity} bytes are free"
            if self.capacity is not None
            else "no segment has room"
        )
        message = f"device memory is full: '{name}' needs {size} bytes, {limit}"
        return OutOfMemoryError(error(None, message, [(None, note) for note in notes]).diagnostics)

    def _unknown(self, address: int) -> HeadraceError:
        if address in self._freed:
            return _error(f"nothing is allocated at {address:#x}: '{self._freed[address].name}' was freed already")
        inside = self.block_of(address)
        if inside is not None:
            where = f"{address - inside.address} bytes inside '{inside.name}' ({inside.address:#x})"
            return _error(f"nothing is allocated at {address:#x}: the address lies {where}; free the start of a block")
        return _error(f"nothing is allocated at {address:#x}: {self.explain(address)}")


class OutOfMemoryError(HeadraceError):
    """Device memory is full. The message lists the largest holders; nothing was changed."""


def _holes(sizes: list[int]) -> dict[str, Any]:
    free, largest = sum(sizes), max(sizes, default=0)
    ratio = round(1 - largest / free, 6) if free else 0.0
    return {"free_bytes": free, "holes": len(sizes), "largest_hole": largest, "fragmentation": ratio}


def _round(size: int, align: int = ALIGN) -> int:
    if size < 0:
        raise _error(f"cannot allocate {size} bytes")
    return max(align, -(-size // align) * align)


def _error(message: str) -> HeadraceError:
    return error(None, message)
