"""Running a compiled kernel on the simulated device with the bytes of an interpreter memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headrace.codegen import SpyreCode
from headrace.interp.buffer_info import BufferInfo
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import error
from headrace.runtime import Device, Kernel, Tensor
from headrace.runtime.allocator import ALIGN


@dataclass
class Placed:
    """A kernel with its buffers on a device. `start` launches; `restore` writes the initial bytes again."""

    device: Device
    kernel: Kernel
    buffers: Sequence[BufferInfo]
    memory: Memory
    scalars: Mapping[str, Any]
    tensors: dict[str, Tensor] = field(default_factory=dict)
    addresses: dict[str, int] = field(default_factory=dict)
    _fixed: list[Tensor] = field(default_factory=list)

    def start(self) -> Any:
        """Launch once and wait. Returns the machine's RunResult."""
        names = {a["name"]: a for a in self.kernel.arguments}
        arguments: dict[str, Any] = {n: t for n, t in self.tensors.items() if n in names}
        arguments |= {n: v for n, v in self.scalars.items() if n in names and names[n]["kind"] != "address"}
        for n, a in names.items():
            if n not in arguments and a["kind"] == "address":  # an address nothing is loaded from or stored to
                arguments[n] = self.device.empty((1,), a.get("dtype") or "i8", n)
            elif n not in arguments and a.get("upperbound") is not None:
                arguments[n] = a["upperbound"]
            elif n not in arguments:
                raise error(None, f"argument '{n}' has no value; give it with --arg {n}=VALUE")
        return self.kernel.launch(**arguments).result()

    def restore(self) -> None:
        """Write the initial bytes of every buffer to the device."""
        self.device.sim.reset()
        for b in self.buffers:
            if b.local:
                for tile, _ in self._scratchpads(b):
                    twin = self.memory.local(tile)
                    assert b.address is not None
                    twin.prepare(b.address, b.address + b.extent)
                    if b.is_input:
                        raw = twin.buffers[0].data[b.address : b.address + b.extent]
                        pad = self.device.arch.scratchpad
                        assert pad.size is not None
                        sim = self.device.sim
                        sim.write_local(pad.kind, ("core", tile), pad.size, b.address, np.asarray(raw))
                continue
            self.device.write(self.addresses[b.name], self.memory.main.named(b.name).data)

    def collect(self) -> Memory:
        """The device's bytes as an interpreter memory."""
        out = Memory()
        for b in self.buffers:
            if b.local:
                for tile, source in self._scratchpads(b):
                    space = out.local(tile)
                    assert b.address is not None
                    space.prepare(b.address, b.address + b.extent)
                    space.buffers[0].data[b.address : b.address + b.extent] = source
                continue
            twin = self.memory.main.named(b.name)
            size = twin.data.size
            view = self.device.sim.memory.view(self.addresses[b.name], size)
            out.main.add(b.name, twin.address, np.array(view))
        return out

    def _scratchpads(self, b: BufferInfo) -> list[tuple[int, np.ndarray]]:
        """Bytes of a scratchpad buffer on every core."""
        assert b.address is not None
        pad = self.device.arch.scratchpad
        if pad.size is None or b.address + b.extent > pad.size:
            raise error(None, f"buffer '{b.name}' lies outside {pad.kind} ({pad.size} bytes)")
        found = []
        for tile in range(b.shape[0]):
            whole = self.device.sim.local.get(pad.kind, ("core", tile), pad.size)
            found.append((tile, whole[b.address : b.address + b.extent]))
        return found


def place(
    device: Device, code: SpyreCode, buffers: Sequence[BufferInfo], memory: Memory, scalars: Mapping[str, Any]
) -> Placed:
    """Allocate a kernel's buffers on a device, prepare it, and copy the bytes of `memory`."""
    placed = Placed(device, device.prepare(code), buffers, memory, scalars)
    for low, high, names in _ranges([b for b in buffers if not b.local and b.root is None]):
        placed._fixed.append(device.empty((high - low,), "i8", "+".join(names), address=low))
    for b in buffers:
        if b.local or b.root is None:
            continue
        width = max(1, np.dtype(b.dtype.storage_dtype).itemsize)
        dense = int(np.prod(b.shape, dtype=np.int64)) * width == b.extent and not b.before
        tensor = device.empty(b.shape if dense else (-(-b.extent // width),), b.dtype, b.name)
        placed.tensors[b.root] = tensor
        placed.addresses[b.name] = tensor.address
    for b in buffers:
        if not b.local and b.root is None:
            assert b.address is not None
            placed.addresses[b.name] = b.address
    placed.restore()
    return placed


def _ranges(buffers: Sequence[BufferInfo]) -> list[tuple[int, int, list[str]]]:
    """Aligned address ranges that cover buffers at constant addresses; ranges that would share a block are one."""
    found: list[tuple[int, int, list[str]]] = []
    for b in sorted(buffers, key=lambda b: (b.address or 0, b.extent)):
        assert b.address is not None
        low, high = b.address // ALIGN * ALIGN, -(-(b.address + b.extent) // ALIGN) * ALIGN
        if found and low < found[-1][1]:
            start, end, names = found[-1]
            found[-1] = (start, max(end, high), [*names, b.name])
        else:
            found.append((low, high, [b.name]))
    return found
