"""Tile kernels (KTIR) inside a graph: compiled once per kernel, run on the simulated device of the runtime.

A tile kernel has an address for every tensor that its dispatch gives and every result that it has, in this order, and a
value for every scalar. The compiler is injected, so that this room does not depend on the public face.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from headrace.graph.kernels import Kernel
from headrace.ir.diagnostics import error
from headrace.ir.text import print_module
from headrace.numerics import dtypes
from headrace.runtime import Device
from headrace.stream.system import System

DEFAULT_DEVICE = "spyre"
Compile = Callable[[str, str], Any]
"""(KTIR text, device name) to SpyreCode."""


class TileRunner:
    """Runs tile kernels on simulated devices: each device of the system has its own, opened when its first one runs.

    Threads may call it at the same time; kernels of different devices overlap.
    """

    def __init__(self, compile_kernel: Compile, system: System):
        self.compile = compile_kernel
        self.system = system
        self.devices: dict[str | None, Device] = {}
        self.code: dict[tuple[str, str, str], Any] = {}
        self.prepared: dict[tuple[str | None, str, str], Any] = {}
        self.lock = threading.Lock()

    def __call__(self, kernel: Kernel, operands: Sequence[Any], outputs: Sequence[Any], place: str | None) -> None:
        """Run on byte arrays and scalars on the device named `place`; `outputs` are written.

        Arrays go to the kernel's addresses in order, scalars to its other arguments.
        """
        with self.lock:
            device, prepared = self._prepare(kernel, place)
        given = {True: [], False: []}
        for value in (*operands, *outputs):
            given[isinstance(value, np.ndarray)].append(value)
        names = {True: [], False: []}
        for argument in prepared.arguments:
            names[argument["kind"] == "address"].append(argument["name"])
        if any(len(given[k]) != len(names[k]) for k in given):
            raise error(
                kernel.function,
                f"kernel '{kernel.name}' has {len(names[True])} addresses and {len(names[False])} other arguments, but "
                f"its dispatch gives {len(given[True])} operands and results and {len(given[False])} scalars",
            )
        buffers = {b.get("argument", b["name"]): b for b in prepared.code.manifest["buffers"]}
        tensors = {n: _tensor(device, n, raw, buffers.get(n)) for n, raw in zip(names[True], given[True], strict=True)}
        prepared.launch(**tensors, **dict(zip(names[False], given[False], strict=True))).result()
        results = list(tensors.values())[len(tensors) - len(outputs) :]
        for tensor, target in zip(results, outputs, strict=True):
            target[:] = np.frombuffer(device.read(tensor.address, target.size), np.uint8)

    def _prepare(self, kernel: Kernel, place: str | None) -> tuple[Device, Any]:
        name = self.system.device(place).device or self._default()
        if place not in self.devices:
            self.devices[place] = Device.open(name)
        device = self.devices[place]
        key = (place, kernel.executable, kernel.name)
        if key not in self.prepared:
            content = (name, kernel.executable, kernel.name)
            if content not in self.code:
                self.code[content] = self.compile(print_module(ModuleOp([kernel.function.clone()])), name)
            self.prepared[key] = device.prepare(self.code[content])
        return device, self.prepared[key]

    def _default(self) -> str:
        """What tile kernels of a device run on for which the system names none: the first that it names at all."""
        return min((d.device for d in self.system.devices.values() if d.device is not None), default=DEFAULT_DEVICE)


def _tensor(device: Device, name: str, raw: Any, buffer: dict[str, Any] | None) -> Any:
    """Bytes in the device's memory, of the type and shape the kernel's view of them has."""
    dtype = dtypes.get((buffer or {}).get("dtype") or "i8")
    shape = (buffer or {}).get("shape") or [raw.size // dtype.bytes]
    tensor = device.empty(tuple(shape), dtype, name)
    device.write(tensor.address, raw)
    return tensor
