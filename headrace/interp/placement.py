"""Putting arrays into the buffers of a kernel and taking results out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.interp.buffer_info import BufferInfo, KernelBuffers
from headrace.interp.memory import Memory

ALIGN = 128
"""Bytes that addresses of arguments are multiples of, where no device asks for more."""


def place(
    found: KernelBuffers, arrays: Mapping[str, NDArray[Any]], start: int = 1 << 16, align: int = ALIGN
) -> tuple[Memory, dict[str, Any]]:
    """A memory with every buffer filled from `arrays` (value arrays of the buffers' shapes; absent ones are zero),
    and the kernel's arguments for it. Argument buffers are laid out from `start`, aligned to `align` bytes
    (:meth:`DeviceRecord.tensor_alignment`, where the levels below KTIR run too).
    """
    memory = Memory()
    args: dict[str, Any] = {n: v for n, v in found.scalars.items() if v is not None}
    for b in found.buffers:
        if b.address is not None and not b.local:
            memory.add_bytes(b.name, b.address, b.extent)
            start = max(start, b.address + b.extent)
    for b in found.buffers:
        if b.root is None:
            continue
        start = -(-start // align) * align + (-b.before) % align
        memory.add_bytes(b.name, start, b.extent)
        args[b.root] = start + b.before
        start += b.extent
    for b in found.buffers:
        if b.name in arrays:
            put(memory, b, arrays[b.name])
    return memory, args


def _boxes(memory: Memory, b: BufferInfo) -> list[tuple[Any, int]]:
    """(space, base byte) of each part of a buffer: one per tile for scratchpad buffers."""
    if b.local:
        assert b.address is not None
        return [(memory.local(t), b.address) for t in range(b.shape[0])]
    return [(memory.main, memory.main.named(b.name).address)]


def put(memory: Memory, b: BufferInfo, values: NDArray[Any]) -> None:
    """Fill a buffer from values in its shape."""
    shape, strides = (b.shape[1:], b.strides[1:]) if b.local else (b.shape, b.strides)
    values = np.asarray(values, b.dtype.value_dtype).reshape(b.shape)
    for k, (space, base) in enumerate(_boxes(memory, b)):
        space.write_box(
            base, shape, tuple(s * b.dtype.bytes for s in strides), b.dtype, values[k] if b.local else values
        )


def fetch(memory: Memory, b: BufferInfo) -> NDArray[Any]:
    """Values of a buffer in its shape (scratchpad bytes never written read as zero)."""
    shape, strides = (b.shape[1:], b.strides[1:]) if b.local else (b.shape, b.strides)
    raw, steps = np.dtype(b.dtype.storage_dtype), tuple(s * b.dtype.bytes for s in strides)
    parts = []
    for space, base in _boxes(memory, b):
        space.prepare(base, base + b.extent)
        data = space.find(base, b.extent)
        whole = np.ndarray(shape, raw, data.data.data, base - data.address, steps)
        parts.append(b.dtype.decode(whole.copy()))
    return np.stack(parts) if b.local else parts[0]
