"""What operations of the async level cost: where they run, how long, and over which link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from headrace.graph.kernels import Kernel
from headrace.graph.shapes import constant_of
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.dialects._stream_format import group
from headrace.ir.dialects.hal import device_of
from headrace.stream.storage import is_resource
from headrace.stream.system import System

UNKNOWN_BYTES = 1 << 16
"""Bytes assumed for a size that is known only when the program runs."""
UNKNOWN_SCALAR = 64


def place_of(op: Any) -> Any:
    """Affinity an operation executes at."""
    if op.name == "stream.async.transfer":
        return op.execution_affinity()
    return op.properties.get("affinity")


class Costs:
    """Estimates for one module and system; kernels of the same shapes are estimated once."""

    def __init__(self, system: System, kernels: Mapping[tuple[str, str], Kernel]):
        self.system = system
        self.kernels = kernels
        self.cache: dict[Any, int] = {}

    def link(self, op: Any) -> tuple[str, str] | None:
        """The link a transfer holds, None for everything else."""
        if op.name != "stream.async.transfer":
            return None
        source, target = device_of(op.source_affinity), device_of(op.target_affinity)
        if source is None or target is None or source == target:
            return None
        return (source, target)

    def time(self, op: Any) -> int:
        """Nanoseconds."""
        device = device_of(place_of(op))
        if op.name == "stream.async.dispatch":
            return self._dispatch(op, device)
        if op.name == "stream.async.transfer":
            size = _bytes(op.result_size)
            return self.system.transfer_ns(device_of(op.source_affinity), device_of(op.target_affinity), size)
        if op.name in ("stream.async.alloca", "stream.async.constant", "stream.async.barrier"):
            return 0
        sizes = [_bytes(s) for n in ("update_size", "result_size", "target_length", "length") for s in _group(op, n)]
        factor = 1 if op.name in ("stream.async.splat", "stream.async.fill") else 2
        return self.system.memory_ns(device, factor * max(sizes, default=UNKNOWN_BYTES))

    def _dispatch(self, op: Any, device: str | None) -> int:
        point = op.entry_points.data[0]
        nested = point.nested_references.data
        root = point.root_reference.data
        name = (root, nested[0].data if nested else root)
        lengths = tuple(_bytes(v) for v in group(op, "resource_operand_lengths"))
        results = tuple(_bytes(v) for v in group(op, "result_sizes"))
        numbers = tuple(
            constant_of(v) for v in group(op, "resource_operands") if not is_resource(v)
        )
        key = (name, lengths, results, numbers, device)
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = self._estimate(self.kernels.get(name), device, lengths, results, numbers)
        return found

    def _estimate(
        self, kernel: Kernel | None, device: str | None, lengths: Any, results: Any, numbers: Any
    ) -> int:
        moved = sum(lengths) + sum(results)
        if kernel is None:
            return self.system.memory_ns(device, moved)
        if kernel.cost is not None or kernel.is_tile:
            return self.system.kernel_ns(kernel, device, 0, moved)
        scalars = [UNKNOWN_SCALAR if n is None else n for n in numbers]
        tensors = [k for k in kernel.argument_types if isinstance(k, TensorType)]
        try:
            shapes = kernel.shapes([*lengths[: len(tensors)], *results], scalars)
            operations, moved = kernel.work(shapes)
        except (HeadraceError, StopIteration, IndexError, ValueError):
            operations = 0
        return self.system.kernel_ns(kernel, device, operations, moved)


def _bytes(size: Any) -> int:
    found = constant_of(size)
    return UNKNOWN_BYTES if found is None else found


def _group(op: Operation, name: str) -> list[Any]:
    from headrace.ir.dialects._stream_format import groups_of

    return group(op, name) if name in groups_of(type(op))[0] else []  # pyright: ignore[reportArgumentType]
