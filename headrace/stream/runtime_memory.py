"""Memory while a program runs, and the ledger that checks how it is used.

The ledger gives every submission a clock: the set of submissions that are complete before it starts, as a bit set. Two
accesses to common bytes, one of them a write, must be ordered by clocks; memory is accessed only after its allocation
and before its deallocation; what the host reads it has waited for; at the end nothing is left over.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.ir.diagnostics import Diagnostic, HeadraceError

POISON = 0xFB
"""Fills fresh memory: floats of this pattern are huge negative numbers, which no result survives unnoticed."""
READ, WRITE = 1, 2


class StreamFault(HeadraceError):
    """Something went wrong while a program ran: a kernel failed, memory ran out, the invocation was cancelled."""

    def __init__(self, message: str, place: Any = None):
        from headrace.ir.diagnostics import error

        super().__init__(error(place, message).diagnostics)


@dataclass(eq=False)
class Storage:
    """One allocation (or an imported buffer)."""

    number: int
    device: str | None
    size: int
    origin: str
    """`alloca`, `alloc`, `import` or `constant`."""
    data: NDArray[np.uint8] | None = None
    alloc_node: int | None = None
    free_node: int | None = None
    kept: bool = False
    """Handed to the caller or to a global."""
    accesses: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    """(first byte, end, read/write bits, submission)."""
    owners: int = 1
    transient: bool = False
    exported: bool = False
    indeterminate: bool = False
    """Freed with its last handle, at the latest when the invocation is over."""

    def bytes(self) -> NDArray[np.uint8]:
        """The contents, made on first use."""
        if self.data is None:
            self.data = np.full(self.size, POISON, np.uint8)
        return self.data


@dataclass(frozen=True)
class Buffer:
    """A byte range of a storage: what a resource is at the command level."""

    storage: Storage
    offset: int
    size: int

    def view(self, offset: int, length: int) -> NDArray[np.uint8]:
        """Bytes of a range."""
        start = self.offset + offset
        return self.storage.bytes()[start : start + length]

    def sub(self, offset: int, size: int) -> Buffer:
        """A part of it."""
        if offset < 0 or offset + size > self.size:
            raise StreamFault(f"a view of {size} bytes at {offset} leaves a buffer of {self.size} bytes")
        return Buffer(self.storage, self.offset + offset, size)


class Ledger:
    """Accesses and allocations of one program, checked as they are submitted."""

    def __init__(self, enabled: bool = True):
        self.enabled = enabled
        self.clock: list[int] = []
        """For each submission the bit set of those complete before it, itself included."""
        self.host = 0
        """What the host has waited for."""
        self.storages: list[Storage] = []
        self.problems: list[str] = []

    def problem(self, text: str) -> None:
        """Note a violation."""
        if text not in self.problems:
            self.problems.append(text)

    def submit(self, waits: int) -> int:
        """A new submission after those in `waits`; gives its number."""
        number = len(self.clock)
        self.clock.append(self.host | waits | 1 << number)
        return number

    def storage(self, device: str | None, size: int, origin: str, node: int | None = None) -> Storage:
        """A new storage."""
        made = Storage(len(self.storages), device, size, origin, alloc_node=node)
        self.storages.append(made)
        return made

    def access(self, node: int, storage: Storage, low: int, high: int, kind: int, what: str) -> None:
        """A submission reads or writes bytes [low, high)."""
        if not self.enabled:
            return
        clock = self.clock[node]
        if low < 0 or high > storage.size:
            self.problem(f"{what}: bytes [{low}, {high}) leave storage {storage.number} of {storage.size} bytes")
        if storage.alloc_node is not None and not clock >> storage.alloc_node & 1:
            self.problem(f"{what}: storage {storage.number} is used before its allocation")
        if storage.free_node is not None:
            self.problem(f"{what}: storage {storage.number} is used after its deallocation")
        if kind & WRITE and storage.origin == "import":
            self.problem(f"{what}: a borrowed input is written")
        if kind & WRITE and storage.origin == "constant":
            self.problem(f"{what}: a constant is written")
        kept: list[tuple[int, int, int, int]] = []
        for item in storage.accesses:
            a, b, other_kind, other = item
            ordered = clock >> other & 1
            if a < high and low < b and other != node and not ordered and (kind | other_kind) & WRITE:
                self.problem(f"{what}: submissions {other} and {node} race on storage {storage.number} [{low}, {high})")
            if ordered and other != node and kind & WRITE and low <= a and b <= high:
                continue  # everything after this access is after that one
            if other == node and low <= a and b <= high and other_kind | kind == kind:
                continue
            kept.append(item)
        kept.append((low, high, kind, node))
        storage.accesses = kept

    def free(self, node: int, storage: Storage) -> None:
        """A submission deallocates a storage."""
        if not self.enabled:
            storage.free_node = node
            return
        clock = self.clock[node]
        if storage.free_node is not None:
            self.problem(f"storage {storage.number} is deallocated twice")
        if storage.origin in ("import", "constant"):
            self.problem(f"storage {storage.number} ({storage.origin}) must not be deallocated")
        if storage.kept or storage.exported:
            self.problem(f"storage {storage.number} is deallocated although the caller or a global has it")
        for _, _, _, other in storage.accesses:
            if not clock >> other & 1:
                self.problem(f"storage {storage.number} is deallocated while submission {other} may use it")
        if storage.alloc_node is not None and not clock >> storage.alloc_node & 1:
            self.problem(f"storage {storage.number} is deallocated before its allocation")
        storage.free_node = node

    def owners(self, storage: Storage, change: int) -> int:
        """One owner more or less; gives how many there are now."""
        if storage.free_node is not None:
            what = "retained" if change > 0 else "released"
            self.problem(f"storage {storage.number} is {what} after its deallocation")
        if storage.owners + change < 0:
            self.problem(f"storage {storage.number} is released more often than it has owners")
        storage.owners += change
        return storage.owners

    def host_read(self, storage: Storage, what: str) -> None:
        """The host reads a storage."""
        if not self.enabled:
            return
        if storage.free_node is not None:
            self.problem(f"{what}: the host reads storage {storage.number} after its deallocation")
        for _, _, kind, node in storage.accesses:
            if kind & WRITE and not self.host >> node & 1:
                self.problem(f"{what}: the host reads storage {storage.number} without having waited for its writer")

    def leaks(self) -> list[str]:
        """Storages that nobody owns any more."""
        return [
            f"storage {s.number} ({s.size} bytes on {s.device or 'the device'}) is never deallocated"
            for s in self.storages
            if s.origin == "alloca" and s.free_node is None and not s.kept and not s.indeterminate
        ]

    def check(self) -> None:
        """Raise with everything that was noted."""
        problems = [*self.problems, *self.leaks()]
        if problems:
            raise HeadraceError([Diagnostic("error", f"ledger: {p}") for p in problems[:20]])
