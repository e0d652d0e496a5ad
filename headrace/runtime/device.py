"""A device: memory, streams, and prepared kernels on a simulated machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from headrace.arch import Device as ArchDevice
from headrace.arch import load_device
from headrace.codegen.spyrecode import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.machine import SimDevice
from headrace.machine.native.cache import counters as native_counters
from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType
from headrace.runtime.allocator import Allocator
from headrace.runtime.errors import runtime_error
from headrace.runtime.kernel import Kernel
from headrace.runtime.locate import with_locations
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor, dtype_of_array, element_bytes, encode

COUNTERS: tuple[str, ...] = ("prepares", "launches", "host_computes", "h2d", "d2h", "computes", "images")
"""What a device counts; see :attr:`Device.counters`."""


class Device:
    """A simulated device.

    A relaunch changes the counters ``launches``, ``host_computes``, ``h2d`` and ``computes`` only.

    >>> device = Device.open("spyre")                                   # doctest: +SKIP
    >>> kernel = device.prepare(code)                                   # doctest: +SKIP
    >>> kernel.launch(device.default_stream, a=a, b=b, c=c).result()    # doctest: +SKIP
    """

    def __init__(self, arch: ArchDevice, capacity: int | None = None, **machine_options: Any):
        self.arch = arch
        self.sim = SimDevice(arch, **machine_options)
        self.allocator = Allocator(capacity)
        self._counts: dict[str, int] = dict.fromkeys(COUNTERS, 0)
        self._streams = [Stream(0)]
        self._tensors = 0

    @staticmethod
    def open(
        device: str | os.PathLike[str] | ArchDevice, capacity: int | None = None, **machine_options: Any
    ) -> Device:
        """Open a device by name or device file. ``capacity`` limits its memory (bytes); options go to the simulator."""
        arch = device if isinstance(device, ArchDevice) else load_device(os.fspath(device))
        return Device(arch, capacity, **machine_options)

    @property
    def name(self) -> str:
        """Name of the device."""
        return self.arch.name

    @property
    def counters(self) -> dict[str, int]:
        """What was done so far.

        ``prepares``, ``launches``, ``host_computes``, ``h2d``, ``d2h`` (transfers), ``computes``, ``images`` (device
        images written), and ``compilations`` (code sections this process translated to native code).
        """
        return {**self._counts, "compilations": native_counters.compilations}

    def count(self, what: str, n: int = 1) -> None:
        """Add to a counter."""
        self._counts[what] += n

    # -- memory ------------------------------------------------------------------------------------------------------
    def empty(
        self, shape: Sequence[int], dtype: str | DType, name: str | None = None, address: int | None = None
    ) -> Tensor:
        """A tensor of zeros; at a fixed ``address`` (bytes, multiple of 128) for kernels with constant addresses."""
        kind = dtypes.get(dtype)
        if any(n < 0 for n in shape):
            raise runtime_error(f"shape {tuple(shape)} has a negative extent")
        self._tensors += 1
        label = name or f"tensor{self._tensors}"
        size = prod(shape) * element_bytes(kind)
        if address is None:
            where = self.allocator.allocate(size, label)
        else:
            where = self.allocator.allocate_at(address, size, label)
        self._register(where)
        return Tensor(self, shape, kind, where, label)

    def tensor(
        self, array: Any, dtype: str | DType | None = None, name: str | None = None, address: int | None = None
    ) -> Tensor:
        """A tensor with the values of a NumPy array, by default of its type. ``dtype="bf16"`` or ``"df16"`` rounds."""
        values = np.asarray(array)
        kind = dtype_of_array(values) if dtype is None else dtypes.get(dtype)
        raw = encode(values, kind)
        out = self.empty(values.shape, kind, name, address)
        if raw.size:
            self.write(out.address, raw)
        return out

    def write(self, address: int, data: bytes | np.ndarray) -> None:
        """Copy bytes to the device."""
        self.count("h2d")
        self.sim.memory.write(address, data)

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes from the device."""
        self.count("d2h")
        return self.sim.memory.read(address, size)

    def release(self, address: int) -> None:
        """Free the block at an address."""
        self.sim.memory.release(address)
        self.allocator.free(address)

    def allocate_program(self, size: int, name: str) -> int:
        """Memory in the program segment."""
        address = self.allocator.allocate(size, name, "program")
        self._register(address)
        return address

    def _register(self, address: int) -> None:
        block = self.allocator.block(address)
        assert block is not None
        try:
            self.sim.memory.register(address, block.size)
        except MemoryError:
            self.allocator.free(address)
            raise runtime_error(f"the host has no {block.size} bytes to back '{block.name}'") from None

    def run(self, entry: int, code: SpyreCode) -> Any:
        """Start the machine at the image of a kernel; gives its ``RunResult``.

        Faults and deadlocks are :class:`HeadraceError` located at the KTIR operation behind the instruction.
        """
        try:
            return self.sim.compute(entry)
        except HeadraceError as e:
            raise with_locations(e, code) from None

    # -- streams -----------------------------------------------------------------------------------------------------
    @property
    def default_stream(self) -> Stream:
        """Stream 0."""
        return self._streams[0]

    def stream(self) -> Stream:
        """A new stream."""
        self._streams.append(Stream(len(self._streams)))
        return self._streams[-1]

    def synchronize(self) -> None:
        """Run all queued work, stream by stream in the order of their making. Raises on a failed stream."""
        for stream in self._streams:
            stream.synchronize()

    # -- kernels -----------------------------------------------------------------------------------------------------
    def prepare(self, code: SpyreCode | str | os.PathLike[str]) -> Kernel:
        """Load a SpyreCode (or its directory): allocate program memory and transfer the image, once.

        Raises :class:`HeadraceError` for a damaged directory or a kernel compiled for another device.
        """
        loaded = code if isinstance(code, SpyreCode) else SpyreCode.read(code)
        return Kernel(self, loaded)
