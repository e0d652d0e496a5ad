"""Prepared kernels and their launches."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.codegen import plan
from headrace.codegen.hcm import HostCompute
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import SymbolError
from headrace.ir.diagnostics import did_you_mean
from headrace.numerics import dtypes
from headrace.runtime.errors import runtime_error
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor

if TYPE_CHECKING:
    from headrace.runtime.device import Device


@dataclass
class Launch:
    """A submitted launch. :meth:`result` runs what its stream holds, if it has not run yet."""

    stream: Stream
    _result: Any = None
    _done: bool = False

    def result(self) -> Any:
        """The machine's :class:`RunResult` (cycles, units, bytes). Raises what went wrong on the stream."""
        if not self._done:
            self.stream.synchronize()
        return self._result

    def finish(self, result: Any) -> None:
        """Called by the compute step."""
        self._result, self._done = result, True


class Kernel:
    """A kernel on a device. Made by :meth:`headrace.runtime.Device.prepare`; ``close`` (or dropping it) frees its
    memory."""

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
        self._host: dict[str, HostCompute] = {
            c.ohandle: code.host_compute(c) for c in code.execution if isinstance(c, plan.ComputeOnHost)
        }
        self._base = device.allocate_program(code.allocation.static_size, f"program of {code.name}")
        self._finalizer = weakref.finalize(self, _release, weakref.ref(device), self._base)
        for c in code.transfers:
            device.write(self._address(c.dev_ptr), code.files[c.init_bin_file][: c.size])
        device.count("images", len(code.transfers))
        device.count("prepares")
        for c in code.execution:
            if isinstance(c, plan.ComputeOnDevice):
                device.sim.prepare(self._address(c.job_bin_ptr))

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """What :meth:`launch` takes: dicts with name, kind and, where known, dtype, granularity, upperbound."""
        return self.code.arguments

    @property
    def step_types(self) -> list[str]:
        """Kinds of the plan's steps: ``HostCompute``, ``H2D``, ``D2H``, ``Compute``."""
        names = {plan.ComputeOnHost: "HostCompute", plan.ComputeOnDevice: "Compute"}
        return [names.get(type(c), "D2H" if getattr(c, "to_host", False) else "H2D") for c in self.code.execution]

    def launch(self, stream: Stream | None = None, /, **arguments: Any) -> Launch:
        """Queue one execution; tensors for addresses, integers for the rest, all by name.

        Everything that can be wrong with the arguments (unknown, missing, dtype, shape, granularity, upper bound,
        misaligned address, tensor of another device) raises :class:`HeadraceError` here, and nothing is queued.
        Failures of the device surface when the stream is synchronised.
        """
        if not self._finalizer.alive:
            raise runtime_error(f"kernel '{self.name}' is closed")
        stream = stream or self.device.default_stream
        values = self._values(arguments)
        self._fixed_buffers()
        buffers = self._corrections(values)
        stream.check()
        launch = Launch(stream)
        dynamic = self._dynamic()
        kept = (self, dynamic, *arguments.values())
        for c in self.code.execution:
            if isinstance(c, plan.DataTransfer) and not c.to_host:
                stream.submit(lambda c=c: self._transfer(c, buffers), *kept)
            elif isinstance(c, plan.DataTransfer):
                stream.submit(lambda c=c: self._fetch(c, buffers), *kept)
            elif isinstance(c, plan.ComputeOnDevice):
                stream.submit(lambda c=c: self._compute(c, launch), *kept)
        self.device.count("launches")
        return launch

    def close(self) -> None:
        """Run what is queued, then free the program memory. Launching afterwards is an error."""
        if self._finalizer.alive:
            self.device.synchronize()
            self._finalizer()

    # -- checks ------------------------------------------------------------------------------------------------------
    def _values(self, given: dict[str, Any]) -> list[int]:
        names = [a["name"] for a in self.arguments]
        unknown = [n for n in given if n not in names]
        if unknown:
            raise runtime_error(
                f"kernel '{self.name}' has no argument '{unknown[0]}'; it takes {', '.join(names) or 'none'}"
                f"{did_you_mean(unknown[0], names)}"
            )
        missing = [n for n in names if n not in given]
        if missing:
            raise runtime_error(
                f"kernel '{self.name}': argument '{missing[0]}' is missing; it takes {', '.join(names)}"
            )
        return [self._value(a, given[a["name"]]) for a in self.arguments]

    def _value(self, argument: dict[str, Any], value: Any) -> int:
        where = f"kernel '{self.name}': argument '{argument['name']}'"
        if argument["kind"] == "address":
            return self._address_value(where, argument, value)
        if argument["kind"] == "scalar" and "dtype" in argument:  # a float travels by its bits
            if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
                raise runtime_error(f"{where} is a scalar and takes a number, not {type(value).__name__}")
            dtype = dtypes.get(argument["dtype"])
            return int(np.asarray(dtype.encode(np.asarray(value, np.float64).astype(dtype.value_dtype))).reshape(-1)[0])
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise runtime_error(f"{where} is a scalar and takes an integer, not {type(value).__name__}")
        number = int(value)
        if not -(1 << 63) <= number < 1 << 63:
            raise runtime_error(f"{where} = {number} does not fit 64 bits")
        granularity, bound = argument.get("granularity"), argument.get("upperbound")
        if granularity is not None and (number % granularity or number < granularity):
            raise runtime_error(f"{where} = {number} is not a positive multiple of its granularity {granularity}")
        if argument["kind"] == "runtime_arg" and number < 0:
            raise runtime_error(f"{where} = {number} is negative")
        if bound is not None and number > bound:
            raise runtime_error(f"{where} = {number} is above its upper bound {bound}")
        return number

    def _address_value(self, where: str, argument: dict[str, Any], value: Any) -> int:
        if not isinstance(value, Tensor):
            raise runtime_error(f"{where} is an address and takes a device tensor, not {type(value).__name__}")
        if value.device is not self.device:
            raise runtime_error(f"{where}: tensor '{value.name}' lives on another device")
        if not value.alive:
            raise runtime_error(f"{where}: tensor '{value.name}' was freed")
        buffer = next((b for b in self.code.manifest["buffers"] if b.get("argument") == argument["name"]), {})
        dtype = buffer.get("dtype") or argument.get("dtype")
        if dtype and dtype != value.dtype.name and not buffer.get("mixed"):
            raise runtime_error(f"{where} holds {dtype}, tensor '{value.name}' holds {value.dtype.name}")
        shape = buffer.get("shape")
        if shape is not None and _is_row_major(shape, buffer["strides"]) and tuple(shape) != value.shape:
            want, got = ("x".join(map(str, s)) or "scalar" for s in (shape, value.shape))
            raise runtime_error(f"{where} has shape {want}, tensor '{value.name}' has {got}")
        if value.nbytes < buffer.get("bytes", 0):
            raise runtime_error(f"{where} spans {buffer['bytes']} bytes, tensor '{value.name}' has {value.nbytes}")
        return value.address + buffer.get("before", 0)

    def _fixed_buffers(self) -> None:
        blocks = (
            self.device.allocator.blocks
            if any(b.get("address") is not None for b in self.code.manifest["buffers"])
            else []
        )
        for b in self.code.manifest["buffers"]:
            address, size = b.get("address"), b.get("bytes") or 1
            if address is None or b.get("space", "global") != "global":
                continue
            if not any(k.address <= address and address + size <= k.address + k.size for k in blocks):
                raise runtime_error(
                    f"kernel '{self.name}' uses {size} bytes at the fixed address {address:#x} ('{b.get('name')}'), "
                    "where nothing is allocated"
                )

    # -- steps -------------------------------------------------------------------------------------------------------
    def _corrections(self, values: list[int]) -> dict[str, bytes]:
        """Host buffers of this launch. Symbols are evaluated now: addresses are a snapshot, and errors are the
        caller's."""
        names = [a["name"] for a in self.arguments]
        buffers: dict[str, bytes] = {}
        for c in self.code.execution:
            if isinstance(c, plan.ComputeOnHost):
                try:
                    buffers[c.ohandle] = self._host[c.ohandle].run(values, names, c.size)
                except SymbolError as e:
                    raise runtime_error(f"kernel '{self.name}': {e}") from None
                self.device.count("host_computes")
        return buffers

    def _dynamic(self) -> Tensor | None:
        size = self.code.allocation.dynamic_size
        if not size:
            return None
        from headrace.numerics import dtypes

        address = self.device.allocate_program(size, f"scratch of {self.name}")
        return Tensor(self.device, (size,), dtypes.get("i8"), address, f"scratch of {self.name}")

    def _address(self, pointer: int) -> int:
        return self._base + pointer - plan.PROGRAM_BASE

    def _transfer(self, c: plan.DataTransfer, buffers: dict[str, bytes]) -> None:
        self.device.write(self._address(c.dev_ptr), buffers[c.host_handle])

    def _fetch(self, c: plan.DataTransfer, buffers: dict[str, bytes]) -> None:
        address = self._address(c.dev_ptr) if c.dev_ptr >= plan.PROGRAM_BASE else c.dev_ptr
        buffers[c.host_handle] = self.device.read(address, c.size)

    def _compute(self, c: plan.ComputeOnDevice, launch: Launch) -> None:
        self.device.count("computes")
        launch.finish(self.device.run(self._address(c.job_bin_ptr), self.code))


def _is_row_major(shape: list[int], strides: list[int]) -> bool:
    """Whether a buffer is a plain row-major array, so that a tensor must have its very shape."""
    step = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != step:
            return False
        step *= n
    return True


def _release(device: weakref.ref[Device], address: int) -> None:
    owner = device()
    if owner is not None:
        owner.release(address)
