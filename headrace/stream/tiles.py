"""Tile kernels (KTIR) inside a graph: compiled once per kernel, run on the simulated device of the runtime.

A tile kernel's arguments are those of its dispatch in order: an address for a tensor, a value for a scalar; then an
address for every result. The compiler is injected, so that this room does not depend on the public face.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from headrace.graph.kernels import Kernel
from headrace.ir.diagnostics import error
from headrace.ir.text import print_module
from headrace.runtime import Device

DEFAULT_DEVICE = "spyre"
Compile = Callable[[str, str], Any]
"""(KTIR text, device name) to SpyreCode."""


class TileRunner:
    """Runs tile kernels on one simulated device, opened when the first of them runs."""

    def __init__(self, compile_kernel: Compile, device: str = DEFAULT_DEVICE):
        self.compile = compile_kernel
        self.name = device
        self.device: Any = None
        self.prepared: dict[tuple[str, str], Any] = {}

    def __call__(self, kernel: Kernel, operands: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Run on byte arrays and scalars; `outputs` are written."""
        if self.device is None:
            self.device = Device.open(self.name)
        key = (kernel.executable, kernel.name)
        if key not in self.prepared:
            text = print_module(ModuleOp([kernel.function.clone()]))
            self.prepared[key] = self.device.prepare(self.compile(text, self.name))
        prepared = self.prepared[key]
        names = [a["name"] for a in prepared.arguments]
        given = [*operands, *outputs]
        if len(given) != len(names):
            raise error(
                kernel.function,
                f"kernel '{kernel.name}' has {len(names)} arguments, but its dispatch gives {len(operands)} operands "
                f"and {len(outputs)} results",
            )
        buffers = {b.get("argument", b["name"]): b for b in prepared.code.manifest["buffers"]}
        values: dict[str, Any] = {}
        results: list[tuple[Any, Any]] = []
        for position, (name, value) in enumerate(zip(names, given, strict=True)):
            if not isinstance(value, np.ndarray):
                values[name] = value
                continue
            tensor = self._tensor(name, value, buffers.get(name))
            values[name] = tensor
            if position >= len(operands):
                results.append((tensor, value))
        prepared.launch(**values).result()
        for tensor, target in results:
            target[:] = np.frombuffer(self.device.read(tensor.address, target.size), np.uint8)

    def _tensor(self, name: str, raw: Any, buffer: dict[str, Any] | None) -> Any:
        from headrace.numerics import dtypes

        dtype = dtypes.get((buffer or {}).get("dtype") or "i8")
        shape = (buffer or {}).get("shape") or [raw.size // dtype.bytes]
        tensor = self.device.empty(tuple(shape), dtype, name)
        self.device.write(tensor.address, raw)
        return tensor
