"""A device: memory, streams, and prepared kernels on a simulated machine."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.arch.record import DeviceRecord, record_of
from headrace.codegen.spyrecode import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.machine import RunResult, SimDevice
from headrace.machine.native.cache import counters as native_counters
from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType
from headrace.runtime.allocator import ALIGN, Allocator, CompositeAddress, OutOfMemoryError
from headrace.runtime.convert import as_array, dtype_of_array, encode
from headrace.runtime.errors import runtime_error
from headrace.runtime.executor import Executor
from headrace.runtime.kernel import Kernel
from headrace.runtime.layout import Layout
from headrace.runtime.locate import with_locations
from headrace.runtime.operation import Event
from headrace.runtime.stream import Stream, current
from headrace.runtime.tensor import Tensor
from headrace.runtime.timeline import HostTiming, Timeline
from headrace.runtime.trace import chrome_trace

if TYPE_CHECKING:
    from headrace.arch import Device as ArchDevice

COUNTERS: tuple[str, ...] = ("prepares", "launches", "host_computes", "h2d", "d2h", "computes", "images")
"""What a device counts; see :attr:`Device.counters`."""


class Device:
    """A simulated device with its own memory, worker thread and clock. A process may open several.

    A relaunch changes the counters ``launches``, ``host_computes``, ``h2d`` and ``computes`` only.

    >>> device = Device.open("spyre")                                   # doctest: +SKIP
    >>> kernel = device.prepare(code)                                   # doctest: +SKIP
    >>> kernel.launch(device.default_stream, a=a, b=b, c=c).result()    # doctest: +SKIP
    """

    def __init__(
        self,
        arch: ArchDevice | DeviceRecord,
        capacity: int | None = None,
        host_timing: HostTiming | None = None,
        **machine_options: Any,
    ):
        self.arch = arch
        self.sim = SimDevice(arch, **machine_options)
        self.allocator = Allocator(capacity, record_of(arch).tensor_alignment(ALIGN))
        self.timing = host_timing or HostTiming()
        self.executor = Executor(Timeline(arch.clock_mhz), arch.name)
        self._counts: dict[str, int] = dict.fromkeys(COUNTERS, 0)
        self._counting = threading.Lock()
        self._streams: list[Stream] = []
        self._tensors = 0
        self._dead: deque[int] = deque()
        self._default = self.stream()
        self._finalizer = weakref.finalize(self, self.executor.stop)

    @staticmethod
    def open(
        device: str | os.PathLike[str] | ArchDevice | DeviceRecord, capacity: int | None = None, **machine_options: Any
    ) -> Device:
        """Open a device by name or device file. ``capacity`` limits its memory (bytes); options go to the simulator."""
        if isinstance(device, str | os.PathLike):
            from headrace.arch import load_device

            device = load_device(os.fspath(device))
        return Device(device, capacity, **machine_options)

    def close(self) -> None:
        """Wait for queued work and end the worker thread. Submitting afterwards is an error; memory stays readable."""
        self.executor.drain()
        self.executor.stop()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        with self._counting:
            self._counts[what] += n

    # -- memory ------------------------------------------------------------------------------------------------------
    def empty(
        self,
        shape: Sequence[int],
        dtype: str | DType,
        name: str | None = None,
        address: int | None = None,
        layout: str | Layout | None = None,
        domains: int = 1,
    ) -> Tensor:
        """A tensor of zeros.

        ``address``: a fixed one (bytes, multiple of 128) for kernels with constant addresses. ``layout``: ``"stick"``
        or a :class:`Layout`; default row-major. ``domains``: spread over so many segments (no launch argument).
        Raises :class:`OutOfMemoryError`, which lists the largest holders, when the device is full.
        """
        kind = _dtype(dtype)
        shape = _extents(shape)
        plan = self._layout(shape, kind, layout)
        with self._counting:
            self._tensors += 1
            label = name or f"tensor{self._tensors}"
        size = plan.elements * kind.bytes
        composite: CompositeAddress | None = None
        if domains != 1:
            spread: CompositeAddress = self._allocate(lambda: self.allocator.allocate_interleaved(size, domains, label))
            for chunk in spread.chunks:
                self._register(chunk.address)
            composite, where = spread, spread.chunks[0].address
        elif address is not None:
            where = self._allocate(lambda: self.allocator.allocate_at(address, size, label))
            self._register(where)
        else:
            where = self._allocate(lambda: self.allocator.allocate(size, label))
            self._register(where)
        return Tensor(self, shape, kind, where, label, plan, composite)

    def tensor(
        self,
        array: Any,
        dtype: str | DType | None = None,
        name: str | None = None,
        address: int | None = None,
        layout: str | Layout | None = None,
        domains: int = 1,
    ) -> Tensor:
        """A tensor with the values of an array: NumPy, DLPack (host memory), or the buffer protocol.

        By default of the array's type; another ``dtype`` (also ``"bf16"``, ``"df16"``) rounds once.
        """
        values = as_array(array)
        kind = dtype_of_array(values) if dtype is None else _dtype(dtype)
        raw = encode(values, kind)
        out = self.empty(values.shape, kind, name, address, layout, domains)
        if raw.size:
            out.store(raw)
        return out

    def write(self, address: int, data: bytes | np.ndarray) -> None:
        """Copy bytes to the device now. Raises :class:`HeadraceError` outside every allocation."""
        self.count("h2d")
        try:
            self.sim.memory.write(address, data)
        except HeadraceError as e:
            raise self._explained(address, e) from None

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes from the device now. Raises :class:`HeadraceError` outside every allocation."""
        self.count("d2h")
        try:
            return self.sim.memory.read(address, size)
        except HeadraceError as e:
            raise self._explained(address, e) from None

    def release(self, address: int) -> None:
        """Free the block at an address (all chunks of an interleaved one by their own addresses)."""
        with self.allocator.lock:
            self.allocator.free(address)
            self.sim.memory.release(address)

    def release_later(self, address: int) -> None:
        """Free a block from a finaliser: at once if nobody is at the allocator, else before the next allocation.

        Finalisers run in the middle of anything, so this never waits for a lock and never enters one it holds.
        """
        self._dead.append(address)
        if not self._reclaiming():
            return
        try:
            self._reclaim()
        finally:
            self.allocator.lock.release()

    def _reclaiming(self) -> bool:
        return not _owned(self.allocator.lock) and self.allocator.lock.acquire(blocking=False)

    def _reclaim(self) -> None:
        while self._dead:
            try:
                self.release(self._dead.popleft())
            except IndexError:
                return

    def allocate_program(self, size: int, name: str) -> int:
        """Memory in the program segment."""
        address = self._allocate(lambda: self.allocator.allocate(size, name, "program"))
        self._register(address)
        return address

    def scratch(self, size: int, name: str) -> Tensor:
        """Bytes in the program segment, freed with the returned tensor."""
        return Tensor(self, (size,), dtypes.I8, self.allocate_program(size, name), name)

    def _allocate(self, allocate: Callable[[], Any]) -> Any:
        with self.allocator.lock:
            self._reclaim()
            try:
                return allocate()
            except OutOfMemoryError:
                pass
        gc.collect()
        with self.allocator.lock:
            self._reclaim()
            return allocate()

    def _register(self, address: int) -> None:
        with self.allocator.lock:
            block = self.allocator.block(address)
            assert block is not None
            try:
                self.sim.memory.register(address, block.size)
            except MemoryError:
                self.allocator.free(address)
                raise runtime_error(f"the host has no {block.size} bytes to back '{block.name}'") from None

    def _layout(self, shape: Sequence[int], dtype: DType, layout: str | Layout | None) -> Layout:
        if layout is None or layout == "row-major":
            return Layout.row_major(shape)
        if layout == "stick":
            return Layout.stick(shape, dtype.bytes)
        if isinstance(layout, Layout):
            if layout.shape != tuple(shape):
                raise runtime_error(f"the layout is for shape {layout.shape}, the tensor has {tuple(shape)}")
            return layout
        raise runtime_error(f"unknown layout '{layout}', expected 'row-major', 'stick' or a Layout")

    def _explained(self, address: int, problem: HeadraceError) -> HeadraceError:
        return runtime_error(problem.diagnostics[0].message, self.allocator.explain(address))

    def run(self, entry: int, code: SpyreCode) -> RunResult:
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
        return self._default

    @property
    def current_stream(self) -> Stream:
        """The stream of the innermost ``with stream:`` of this thread, else the default stream."""
        return current(self.executor) or self._default

    @property
    def streams(self) -> tuple[Stream, ...]:
        """All streams."""
        return tuple(self._streams)

    def stream(self, priority: int = 0) -> Stream:
        """A new stream. Lower ``priority`` is more urgent: 0 is normal, -1 goes before it."""
        with self._counting:
            made = Stream(len(self._streams), self.executor, priority, self.timing)
            self._streams.append(made)
            return made

    def event(self) -> Event:
        """A new event, not recorded yet."""
        return Event()

    def synchronize(self) -> None:
        """Wait for all queued work of all streams. Raises the first failure that nobody has been told."""
        self.executor.drain()
        self.executor.waited(tuple(s.lane.last for s in self._streams if s.lane.last is not None))
        for stream in self._streams:
            stream.raise_deferred()

    @property
    def cycle(self) -> int:
        """The device's clock: simulated cycle at which the last operation submitted so far ends. Waits for it."""
        self.executor.place()
        return self.executor.timeline.now

    @property
    def time_us(self) -> float | None:
        """The device's clock in microseconds, if the device file gives a frequency."""
        return self.cycle / self.arch.clock_mhz if self.arch.clock_mhz else None

    def trace(self) -> dict[str, Any]:
        """Chrome trace of all streams; see :meth:`Stream.trace`."""
        self.executor.place()
        return chrome_trace([s.lane for s in self._streams], self.executor)

    # -- kernels -----------------------------------------------------------------------------------------------------
    def prepare(self, code: SpyreCode | str | os.PathLike[str] | Any) -> Kernel:
        """Load a SpyreCode, its directory, or anything that has one as ``code`` (a compiled program, a cache entry).

        Allocates program memory and transfers the image, once. Raises :class:`HeadraceError` for a damaged directory
        or a kernel compiled for another device.
        """
        found = getattr(code, "code", code)
        if not isinstance(found, SpyreCode | str | os.PathLike):
            raise runtime_error(
                f"cannot prepare a {type(code).__name__}; expected a program, a SpyreCode or a directory"
            )
        return Kernel(self, found if isinstance(found, SpyreCode) else SpyreCode.read(found))


def _dtype(dtype: str | DType) -> DType:
    try:
        return dtypes.get(dtype)
    except KeyError as e:
        raise runtime_error(str(e.args[0])) from None


def _extents(shape: Any) -> tuple[int, ...]:
    """A shape given as a sequence of integers, or as one."""
    try:
        found = (index(shape),) if not isinstance(shape, Iterable) else tuple(index(n) for n in shape)
    except TypeError:
        raise runtime_error(f"shape {shape!r} is no sequence of integers") from None
    if any(n < 0 for n in found):
        raise runtime_error(f"shape {found} has a negative extent")
    return found


def _owned(lock: Any) -> bool:
    """Whether this thread holds a re-entrant lock."""
    return bool(lock._is_owned())
