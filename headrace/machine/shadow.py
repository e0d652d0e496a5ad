"""What the sanitizer knows about memory: a state for every granule of the registered ranges and on-chip memories.

A cell (32 bits) is the number of a state in a pool. States 0 to 3 are fixed: bit 0 says that the bytes were written,
bit 1 that they belong to no buffer of the launch. The others are made by native code (``native/sanitize.py``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from headrace.machine.memory import GlobalMemory, Region
from headrace.machine.native.layout import FIXED, NODE, STATE
from headrace.machine.plan import ProgramPlan, element_bytes

FLAGS = FIXED - 1
FIRST_STATES = 1 << 17
COLLECT = 1 << 20
"""States above which those nobody has are looked for."""


class Shadow:
    """States of a device's memories. ``shift``: log2 of the bytes of a granule; :meth:`refine` makes it finer."""

    def __init__(self, memory: GlobalMemory, shift: int = 2) -> None:
        self.memory, self.shift = memory, shift
        self.version = 0
        self.generation = 0
        self._regions: dict[int, tuple[Region, np.ndarray]] = {}
        self._local: dict[tuple[str, Any], np.ndarray] = {}
        self._buffers: tuple[tuple[int, int, str], ...] | None = None
        self._stale = True
        self._lock = threading.RLock()
        self.states = np.zeros((FIRST_STATES, STATE.size), np.int64)
        self.nodes = np.zeros((FIRST_STATES, NODE.size), np.int64)
        self.n_states, self.n_nodes = FIXED, 1
        self.free_states = self.free_nodes = 0
        self.mark: Callable[[int, int, int], int] | None = None
        self.rename: Callable[[int, int, int], int] | None = None
        """Native functions over cells: address, count, and the table."""
        self.states[:FIXED, 0] = range(FIXED)

    # -- cells --------------------------------------------------------------------------------------------------------
    def _count(self, size: int) -> int:
        return (size + (1 << self.shift) - 1) >> self.shift

    def cells(self, region: Region) -> np.ndarray:
        """Cells of a registered range (with some spare behind)."""
        known = self._regions.get(region.address)
        if known is None or known[0] is not region:
            made = np.zeros(self._count(region.size) + 8, np.uint32)
            known = self._regions[region.address] = (region, made)
            self._stale = True
        return known[1]

    def origin(self, region: Region) -> int:
        """Host address where the cell of device address 0 would be."""
        return self.cells(region).ctypes.data - (region.address >> self.shift) * 4

    def local(self, name: str, instance: tuple[Any, ...], size: int) -> np.ndarray:
        """Cells of an on-chip memory."""
        key = (name, instance)
        found = self._local.get(key)
        if found is None:
            found = self._local[key] = np.zeros(self._count(size) + 8, np.uint32)
        return found

    def forget_local(self) -> None:
        """On-chip memories hold nothing, as when the device was opened."""
        for cells in self._local.values():
            cells[:] = 0

    def define_local(self, name: str, instance: tuple[Any, ...], size: int, address: int, count: int) -> None:
        """The host wrote ``count`` bytes at ``address`` of an on-chip memory of ``size`` bytes."""
        self._align(address, count)
        cells = self.local(name, instance, size)
        cells[address >> self.shift : self._count(address + count)] = 1

    def define(self, address: int, count: int) -> None:
        """The host wrote bytes of the global memory."""
        if not count:
            return
        with self._lock:
            self._align(address, count)
            for region in self.memory.regions:
                if region.address <= address and address + count <= region.end:
                    at = address - region.address
                    cells = self.cells(region)[at >> self.shift : self._count(at + count)]
                    cells[:] = self.states[cells, 0].astype(np.uint32) & 2 | 1
                    return

    def _align(self, address: int, count: int) -> None:
        """Make granules that bytes ``[address, address + count)`` fill."""
        while self.shift and (address | count) & ((1 << self.shift) - 1):
            self.refine(self.shift - 1)

    def refine(self, shift: int) -> None:
        """Make granules of ``1 << shift`` bytes, if they are larger now."""
        if shift >= self.shift:
            return
        self._flatten()
        times = 1 << self.shift - shift
        self.shift = shift
        self.version += 1
        for key, (region, cells) in self._regions.items():
            fine = np.zeros(self._count(region.size) + 8, np.uint32)
            n = self._count(region.size)
            fine[:n] = np.repeat(cells, times)[:n]
            self._regions[key] = (region, fine)
        for key, cells in self._local.items():
            self._local[key] = np.concatenate([np.repeat(cells[:-8], times), np.zeros(8, np.uint32)])

    # -- buffers ------------------------------------------------------------------------------------------------------
    def set_buffers(self, buffers: Sequence[tuple[int, int, str]] | None) -> None:
        """What a launch may touch of the global memory: (address, bytes, name). None: all that is registered."""
        wanted = None if buffers is None else tuple(sorted(buffers))
        alive = {r.address for r in self.memory.regions}
        for address in [a for a in self._regions if a not in alive]:
            del self._regions[address]
        for region in self.memory.regions:
            self.cells(region)
        if wanted == self._buffers and not self._stale:
            return
        self._buffers, self._stale = wanted, False
        for address, size, _ in wanted or ():
            self._align(address, size)
        for region in self.memory.regions:
            cells = self.cells(region)
            cells[:] = self.states[cells, 0].astype(np.uint32) & 1 | (0 if wanted is None else 2)
            for address, size, _ in wanted or ():
                low, high = max(address, region.address), min(address + size, region.end)
                if low < high:
                    cells[low - region.address >> self.shift : self._count(high - region.address)] &= 1

    def place(self, address: int) -> str:
        """A device address in words."""
        for start, size, name in self._buffers or ():
            if start <= address < start + size:
                return f"byte {address - start} of '{name}'"
        return f"device address {address:#x}"

    # -- states -------------------------------------------------------------------------------------------------------
    def begin(self) -> None:
        """A program begins: all earlier accesses are before it."""
        self.generation += 1
        if self.n_states > COLLECT // 2:
            self._flatten()

    def _flatten(self) -> None:
        """Forget who accessed what: that is of a program that has ended."""
        if self.n_states == FIXED:
            return
        with self._lock:
            self._rename_all((self.states[: self.n_states, 0] & FLAGS).astype(np.uint32))
            self.n_states, self.n_nodes, self.free_states, self.free_nodes = FIXED, 1, 0, 0

    def _rename_all(self, table: np.ndarray) -> None:
        assert self.rename is not None
        for cells in self._all():
            self.rename(cells.ctypes.data, cells.size, table.ctypes.data)

    def _all(self) -> list[np.ndarray]:
        return [cells for _, cells in self._regions.values()] + list(self._local.values())

    def grow(self) -> None:
        """Make room for more states and reads."""
        if self.n_states >= len(self.states):
            self.states = np.concatenate([self.states, np.zeros_like(self.states)])
        if self.n_nodes >= len(self.nodes):
            self.nodes = np.concatenate([self.nodes, np.zeros_like(self.nodes)])

    def count(self) -> None:
        """Count for every state the cells that have it: the host has given cells other states without counting."""
        assert self.mark is not None
        with self._lock:
            self.states.view(np.uint32)[FIXED : self.n_states, STATE.half["cells"]] = 0
            for cells in self._all():
                self.mark(cells.ctypes.data, cells.size, self.states.ctypes.data)


def granule(plan: ProgramPlan) -> int:
    """log2 of the largest granule of which all accesses of a program consist, if their addresses are aligned."""
    bits = 1 << 2
    for code in plan.codes:
        for ins in code.instructions:
            if ins.op in ("VLD", "VST"):
                bits |= element_bytes(ins["type"].dtype)
            elif ins.op == "XFER":
                bits |= ins["bytes"]
                for d in ins["dims"]:
                    bits |= d.src_stride | d.dst_stride
    return (bits & -bits).bit_length() - 1
