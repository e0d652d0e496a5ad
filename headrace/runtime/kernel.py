"""Prepared kernels and their launches."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from headrace.codegen import plan
from headrace.codegen.hcm import HostCompute
from headrace.codegen.image import Image
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import SymbolError
from headrace.ir.diagnostics import HeadraceError
from headrace.machine.result import RunResult
from headrace.runtime.binding import ShapeError, Signature
from headrace.runtime.errors import runtime_error
from headrace.runtime.operation import Operation
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor
from headrace.runtime.timeline import HOST, MACHINE, TO_DEVICE, TO_HOST, Region, Span

if TYPE_CHECKING:
    from headrace.runtime.device import Device


class Launch:
    """A submitted launch: the future of its result. A tiled launch has several operations, one per tile."""

    __slots__ = ("number", "operations")

    def __init__(self, operations: Sequence[Operation], number: int):
        self.operations, self.number = operations, number

    @property
    def stream(self) -> Stream:
        """The stream it runs on."""
        stream = self.operations[-1].stream
        assert stream is not None
        return stream

    @property
    def done(self) -> bool:
        """True if it has run, or was dropped."""
        return self.operations[-1].done

    def result(self) -> RunResult:
        """Wait, and give the machine's :class:`RunResult` (cycles, units, bytes); of all tiles together.

        Raises :class:`StreamError` if this launch or an earlier one of its stream failed.
        """
        results = [o.result() for o in self.operations]
        return results[0] if len(results) == 1 else _sum(results)

    def results(self) -> list[RunResult]:
        """One result per tile."""
        return [o.result() for o in self.operations]

    def add_done_callback(self, callback: Any) -> None:
        """Call ``callback(operation)`` when the launch is over, on the thread that ran it."""
        self.operations[-1].add_done_callback(callback)


class Kernel:
    """A kernel on a device. Made by :meth:`headrace.runtime.Device.prepare`; ``close`` (or dropping it) frees its
    memory.

    ``allow_tiled``: whether tensors that are larger than the kernel's by a whole factor in their outermost dimension
    make a launch per tile. None (the default, unless the environment says ``HEADRACE_TILED_LAUNCH=0`` or ``1``): where
    the compiler saw that the kernel walks them row by row.
    """

    def __init__(self, device: Device, code: SpyreCode):
        wanted, have = code.manifest["device"], device.arch
        if wanted["digest"] != have.digest:
            raise runtime_error(
                f"kernel '{code.name}' was compiled for device '{wanted['name']}' ({wanted['digest'][:12]}), "
                f"this is '{have.name}' ({have.digest[:12]})"
            )
        self.device = device
        self.code = code
        self.name = code.name
        self.allow_tiled: bool | None = {"0": False, "1": True}.get(os.environ.get("HEADRACE_TILED_LAUNCH", ""))
        self.launches = 0
        self._signature = Signature(device, code)
        self._host: dict[str, HostCompute] = {
            c.ohandle: code.host_compute(c) for c in code.execution if isinstance(c, plan.ComputeOnHost)
        }
        self._fixed = [
            b for b in code.manifest["buffers"] if b.get("address") is not None and b.get("space", "global") == "global"
        ]
        self._region = Region()
        self._base = device.allocate_program(code.allocation.static_size, f"program of {code.name}")
        self._finalizer = weakref.finalize(self, _release, weakref.ref(device), self._base)
        try:
            with device.executor.exclusive():
                for c in code.transfers:
                    device.write(self._address(c.dev_ptr), code.files[c.init_bin_file][: c.size])
                for c in code.execution:
                    if isinstance(c, plan.ComputeOnDevice):
                        device.sim.prepare(self._address(c.job_bin_ptr))
        except HeadraceError:
            self._finalizer()
            raise
        device.count("images", len(code.transfers))
        device.count("prepares")

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """What :meth:`launch` takes: dicts with name, kind and, where known, dtype, granularity, upperbound."""
        return self.code.arguments

    @property
    def step_types(self) -> list[str]:
        """Kinds of the plan's steps: ``HostCompute``, ``H2D``, ``D2H``, ``Compute``."""
        names = {plan.ComputeOnHost: "HostCompute", plan.ComputeOnDevice: "Compute"}
        return [names.get(type(c), "D2H" if getattr(c, "to_host", False) else "H2D") for c in self.code.execution]

    def num_steps(self) -> int:
        """Steps of the plan."""
        return len(self.code.execution)

    def get_step_type(self, index: int) -> str:
        """Kind of one step. Raises :class:`HeadraceError` out of range."""
        if not 0 <= index < self.num_steps():
            raise runtime_error(f"kernel '{self.name}' has {self.num_steps()} steps, there is no step {index}")
        return self.step_types[index]

    def job_allocation_size(self) -> int:
        """Bytes of program memory it holds."""
        return self.code.allocation.static_size

    def launch(self, stream: Stream | None = None, /, **arguments: Any) -> Launch:
        """Queue one execution; tensors for addresses, integers for the rest, all by name.

        Everything that can be wrong with the arguments (unknown, missing, dtype, shape, granularity, upper bound,
        misaligned address, tensor of another device) raises :class:`HeadraceError` here, and nothing is queued.
        Failures of the device surface when the stream is synchronised.
        """
        if not self._finalizer.alive:
            raise runtime_error(f"kernel '{self.name}' is closed")
        device = self.device
        if stream is None:
            stream = device.current_stream
        elif stream.executor is not device.executor:
            raise runtime_error(f"kernel '{self.name}': stream {stream.number} belongs to another device")
        stream.check()
        try:
            tiles = [self._signature.values(arguments)]
        except ShapeError as e:
            if self.allow_tiled is False:
                raise
            rows = None if self.allow_tiled else self.code.manifest.get("row_arguments") or ()
            tiles = self._signature.tiles(arguments, e, rows)
        if self._fixed:
            self._fixed_buffers()
        corrections = [self._corrections(values) for values in tiles]
        number = self.launches
        self.launches += 1
        for given in arguments.values():
            if type(given) is Tensor:
                given.used(stream)
        operations = [self._operation(number, k, b, arguments, stream) for k, b in enumerate(corrections)]
        for operation in operations:
            device.executor.submit(stream, operation)
        device.count("launches")
        return Launch(operations, number)

    def argument_values(self, **arguments: Any) -> list[int]:
        """The checked launch values, one per argument: byte addresses and numbers."""
        return self._signature.values(arguments)

    def corrected_image(self, **arguments: Any) -> Image:
        """The image as the device runs it for these arguments: parameter words with the values of the symbols."""
        from headrace.codegen.correction import corrected

        return corrected(self.code, self._signature.values(arguments))

    def close(self) -> None:
        """Run what is queued, then free the program memory. Launching afterwards is an error."""
        if self._finalizer.alive:
            self.device.executor.drain()
            self._finalizer()

    # -- checks ------------------------------------------------------------------------------------------------------
    def _fixed_buffers(self) -> None:
        blocks = self.device.allocator.blocks
        for b in self._fixed:
            address, size = b["address"], b.get("bytes") or 1
            if not any(k.address <= address and address + size <= k.address + k.size for k in blocks):
                raise runtime_error(
                    f"kernel '{self.name}' uses {size} bytes at the fixed address {address:#x} ('{b.get('name')}'), "
                    "where nothing is allocated"
                )

    # -- steps -------------------------------------------------------------------------------------------------------
    def _corrections(self, values: list[int]) -> dict[str, bytes]:
        """Host buffers of this launch. Symbols are evaluated now: addresses are a snapshot, and errors are the
        caller's."""
        buffers: dict[str, bytes] = {}
        for c in self.code.execution:
            if isinstance(c, plan.ComputeOnHost):
                try:
                    buffers[c.ohandle] = self._host[c.ohandle].run(values, self._signature.names, c.size)
                except SymbolError as e:
                    raise runtime_error(f"kernel '{self.name}': {e}") from None
                self.device.count("host_computes")
        return buffers

    def _operation(
        self, number: int, tile: int, buffers: dict[str, bytes], arguments: dict[str, Any], stream: Stream
    ) -> Operation:
        """The steps of one launch (of one tile) as one operation, with the spans they take in simulated time.

        The correction and its transfer run ahead of earlier device work. The correction buffer may be overwritten as
        soon as the launch before has started: its correction program has read the words then.
        """
        spans: list[Span] = []
        timing = stream.timing
        for c in self.code.execution:
            if isinstance(c, plan.ComputeOnHost):
                spans.append(Span(f"{self.name} correction", HOST, timing.correction(c.size), False, number))
            elif isinstance(c, plan.DataTransfer):
                ahead = not c.to_host
                way = TO_HOST if c.to_host else TO_DEVICE
                span = Span(f"{self.name} {way}", way, timing.transfer(c.size), not ahead, number)
                span.region = self._region if ahead else None
                spans.append(span)
            elif isinstance(c, plan.ComputeOnDevice):
                spans.append(Span(c.name or self.name, MACHINE, None, True, number))
                spans[-1].region = self._region
        where = f"launch {number} of kernel '{self.name}'" + (f", tile {tile}" if tile else "")
        kept = (self, self._dynamic(), *arguments.values())
        reach = [r for t in kept if isinstance(t, Tensor) for r in t.ranges()] if self.device.sim.shadow else []
        return Operation(where, lambda: self._execute(buffers, spans, reach), kept, tuple(spans))

    def _execute(
        self, buffers: dict[str, bytes], spans: list[Span], reach: list[tuple[int, int, str]]
    ) -> RunResult | None:
        """Carry out the plan. ``reach``: the tensors' memory, for the sanitizer."""
        device = self.device
        device.sim.buffers = [*reach, *((b["address"], b.get("bytes") or 1, b["name"]) for b in self._fixed)]
        result: RunResult | None = None
        for c, span in zip(self.code.execution, spans, strict=True):
            if isinstance(c, plan.DataTransfer):
                if c.to_host:
                    address = self._address(c.dev_ptr) if c.dev_ptr >= plan.PROGRAM_BASE else c.dev_ptr
                    buffers[c.host_handle] = device.read(address, c.size)
                else:
                    device.write(self._address(c.dev_ptr), buffers[c.host_handle])
            elif isinstance(c, plan.ComputeOnDevice):
                device.count("computes")
                result = device.run(self._address(c.job_bin_ptr), self.code)
                span.cycles = result.cycles
        return result

    def _dynamic(self) -> Tensor | None:
        size = self.code.allocation.dynamic_size
        if not size:
            return None
        return self.device.scratch(size, f"scratch of {self.name}")

    def _address(self, pointer: int) -> int:
        return self._base + pointer - plan.PROGRAM_BASE


def _sum(results: Sequence[RunResult]) -> RunResult:
    """Figures of several runs in a row."""
    total = RunResult(clock_mhz=results[0].clock_mhz)
    for r in results:
        total.cycles += r.cycles
        total.calls += r.calls
        for mine, theirs in ((total.bytes, r.bytes), (total.ports, r.ports)):
            for key, n in theirs.items():
                mine[key] = mine.get(key, 0) + n
        for key, seconds in r.seconds.items():
            total.seconds[key] = total.seconds.get(key, 0.0) + seconds
        for name, unit in r.units.items():
            have = total.units.get(name)
            if have is None:
                total.units[name] = replace(unit, stalled=dict(unit.stalled))
                continue
            have.busy += unit.busy
            have.end = max(have.end, unit.end)
            for cause, n in unit.stalled.items():
                have.stalled[cause] += n
    return total


def _release(device: weakref.ref[Device], address: int) -> None:
    owner = device()
    if owner is not None:
        owner.release_later(address)
