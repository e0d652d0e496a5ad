"""The tensor and async levels as they are run: resources are bytes by value, every operation happens at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from headrace.graph.kernels import from_bytes, lookup, run_on_bytes, to_bytes
from headrace.interp.engine import Leaf
from headrace.interp.scalars import constant_value
from headrace.interp.values import scalar
from headrace.ir.diagnostics import op_error
from headrace.ir.dialects._stream_format import group, tied_operands
from headrace.ir.types import dtype_of
from headrace.stream.runtime_memory import Buffer
from headrace.stream.storage import is_resource

Bytes = NDArray[np.uint8]


def dims_of(f: Any, kind: Any, values: Sequence[SSAValue]) -> tuple[int, ...]:
    """The extents of a type, the dynamic ones from values."""
    rest = iter(values)
    return tuple(int(f.get(next(rest))) if n == DYNAMIC_INDEX else n for n in kind.get_shape())


def _size(f: Any, op: Any, kind: Any, dims: Sequence[SSAValue]) -> int:
    return prod(dims_of(f, kind, dims)) * dtype_of(kind).bytes


# ---- tensor level ---------------------------------------------------------------------------------------------------


def _sizeof(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _size(f, op, op.encoding, op.operands)


def _fresh(size: int) -> Bytes:
    return np.full(size, 0xFB, np.uint8)


def _tensor_empty(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _fresh(f.get(op.result_size))


def _tensor_constant(f: Any, op: Any) -> None:
    f.values[op.results[0]] = constant_bytes(op.value)


def constant_bytes(value: Any) -> Bytes:
    """The bytes of a constant attribute."""
    kind = value.type
    return to_bytes(constant_value(value, kind), dtype_of(kind))


def _tensor_splat(f: Any, op: Any) -> None:
    kind = op.result_encoding
    array = np.full(dims_of(f, kind, op.result_encoding_dims), f.get(op.value), dtype_of(kind).value_dtype)
    f.values[op.results[0]] = to_bytes(array, dtype_of(kind))


def _tensor_clone(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.get(op.source).copy()


def _tensor_slice(f: Any, op: Any) -> None:
    kind = op.source_encoding
    array = from_bytes(f.get(op.source), dims_of(f, kind, op.source_encoding_dims), dtype_of(kind))
    box = _box(op, array.shape, f.all(op.start_indices), f.all(op.lengths))
    f.values[op.results[0]] = to_bytes(array[box], dtype_of(kind))


def _box(op: Any, shape: Sequence[int], starts: Sequence[int], lengths: Sequence[int]) -> tuple[slice, ...]:
    for a, n, extent in zip(starts, lengths, shape, strict=True):
        if a < 0 or n < 0 or a + n > extent:
            raise op_error(op, f"the box at {list(starts)} of {list(lengths)} leaves shape {list(shape)}")
    return tuple(slice(a, a + n) for a, n in zip(starts, lengths, strict=True))


def _tensor_update(f: Any, op: Any) -> None:
    kind = op.target_encoding
    dtype = dtype_of(kind)
    array = np.array(from_bytes(f.get(op.target), dims_of(f, kind, op.target_encoding_dims), dtype), copy=True)
    update = from_bytes(f.get(op.update), dims_of(f, op.update_encoding, op.update_encoding_dims), dtype)
    starts = list(f.all(op.start_indices)) or [0] * array.ndim
    lengths = [1] * (array.ndim - update.ndim) + list(update.shape)
    array[_box(op, array.shape, starts, lengths)] = update.reshape(lengths)
    f.values[op.results[0]] = to_bytes(array, dtype)


def _tensor_fill(f: Any, op: Any) -> None:
    kind = op.target_encoding
    dtype = dtype_of(kind)
    array = np.array(from_bytes(f.get(op.target), dims_of(f, kind, op.target_encoding_dims), dtype), copy=True)
    starts = f.all(op.start_indices)
    box = _box(op, array.shape, starts, f.all(op.lengths)) if starts else (slice(None),) * array.ndim
    array[box] = f.get(op.value)
    f.values[op.results[0]] = to_bytes(array, dtype)


def _tensor_load(f: Any, op: Any) -> None:
    kind = op.source_encoding
    array = from_bytes(f.get(op.source), dims_of(f, kind, op.source_encoding_dims), dtype_of(kind))
    indices = f.all(op.indices)
    if any(not 0 <= i < n for i, n in zip(indices, array.shape, strict=True)):
        raise op_error(op, f"index {list(indices)} is outside of shape {list(array.shape)}")
    f.values[op.results[0]] = scalar(array[tuple(indices)], dtype_of(kind))


def _tensor_store(f: Any, op: Any) -> None:
    kind = op.target_encoding
    array = np.array(
        from_bytes(f.get(op.target), dims_of(f, kind, op.target_encoding_dims), dtype_of(kind)), copy=True
    )
    array[tuple(f.all(op.indices))] = f.get(op.value)
    f.values[op.results[0]] = to_bytes(array, dtype_of(kind))


def _value_dispatch(f: Any, op: Any) -> None:
    """A dispatch on values: tensor or async level."""
    kernel = lookup(f.program.kernels, op)
    tensor_level = op.name == "stream.tensor.dispatch"
    values = group(op, "arguments" if tensor_level else "resource_operands")
    buffers: list[Any] = []
    scalars: list[Any] = []
    windows: list[tuple[int, int] | None] = []
    offsets = iter([] if tensor_level else f.all(group(op, "resource_operand_offsets")))
    lengths = iter([] if tensor_level else f.all(group(op, "resource_operand_lengths")))
    for v in values:
        if not is_resource(v):
            scalars.append(f.get(v))
            windows.append(None)
            continue
        raw = f.get(v)
        low, n = (0, raw.size) if tensor_level else (next(offsets), next(lengths))
        if low < 0 or low + n > raw.size:
            raise op_error(op, f"the range [{low}, {low + n}) leaves a resource of {raw.size} bytes")
        windows.append((low, n))
        buffers.append(raw[low : low + n])
    sizes = [int(s) for s in f.all(group(op, "result_sizes"))]
    tied = tied_operands(op)
    base = len(group(op, "workload"))
    results: list[Any] = []
    targets: list[Any] = []
    tied_result: list[tuple[int, int] | None] = []
    for size, tie in zip(sizes, tied, strict=True):
        if tie >= 0:
            whole = f.get(op.operands[tie]).copy()
            window = windows[tie - base]
            assert window is not None
            low, n = window
            results.append(whole)
            targets.append(whole[low : low + n])
            tied_result.append(window)
        else:
            made = _fresh(size)
            results.append(made)
            targets.append(made)
            tied_result.append(None)
    inputs = buffers[: len(kernel.tensor_arguments)] if not kernel.is_tile else buffers
    run_on_bytes(kernel, inputs, scalars, targets, f.program.tile)
    f.set(op, *results)


# ---- async level ----------------------------------------------------------------------------------------------------


def _same(f: Any, op: Any) -> None:
    f.set(op, *[f.values[v] for v in op.operands[: len(op.results)]])


def _async_alloca(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _fresh(f.get(op.result_size))


def _async_splat(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _pattern(op.value, f.get(op.value), f.get(op.result_size))


def _pattern(value: SSAValue, number: Any, size: int) -> Bytes:
    width = value.type.width.data // 8  # pyright: ignore[reportAttributeAccessIssue]
    raw = np.frombuffer((int(number) & ((1 << 8 * width) - 1)).to_bytes(width, "little"), np.uint8)
    return np.tile(raw, -(-size // width))[:size]


def _async_clone(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.get(op.source).copy()


def _async_slice(f: Any, op: Any) -> None:
    low, high = f.get(op.source_offset), f.get(op.source_end)
    source = f.get(op.source)
    inside(op, low, high, source.size)
    f.values[op.results[0]] = source[low:high].copy()


def inside(op: Any, low: int, high: int, size: int) -> None:
    """Refuse a byte range that leaves a resource."""
    if not 0 <= low <= high <= size:
        raise op_error(op, f"the range [{low}, {high}) leaves a resource of {size} bytes")


def _async_fill(f: Any, op: Any) -> None:
    target = f.get(op.target).copy()
    low, high = f.get(op.target_offset), f.get(op.target_end)
    inside(op, low, high, target.size)
    target[low:high] = _pattern(op.value, f.get(op.value), high - low)
    f.values[op.results[0]] = target


def _async_update(f: Any, op: Any) -> None:
    target, update = f.get(op.target).copy(), f.get(op.update)
    low, high = f.get(op.target_offset), f.get(op.target_end)
    inside(op, low, high, target.size)
    target[low:high] = update[: high - low]
    f.values[op.results[0]] = target


def _async_copy(f: Any, op: Any) -> None:
    target, source = f.get(op.target).copy(), f.get(op.source)
    a, b = f.get(op.source_offset), f.get(op.source_end)
    low, high = f.get(op.target_offset), f.get(op.target_end)
    inside(op, low, high, target.size)
    inside(op, a, b, source.size)
    target[low:high] = source[a:b]
    f.values[op.results[0]] = target


def _async_load(f: Any, op: Any) -> None:
    source, offset = f.values[op.operands[0]], f.get(op.operands[2])
    dtype = dtype_of(op.results[0].type)
    inside(op, offset, offset + dtype.bytes, source.size)
    if isinstance(source, Buffer):
        f.executor.ledger.host_read(source.storage, "load")
        raw = source.view(offset, dtype.bytes)
    else:
        raw = source[offset : offset + dtype.bytes]
    f.values[op.results[0]] = scalar(from_bytes(np.ascontiguousarray(raw), (1,), dtype)[0], dtype)


def _async_store(f: Any, op: Any) -> None:
    target, offset = f.values[op.operands[0]], f.get(op.operands[2])
    raw = to_bytes(np.asarray(f.get(op.operands[3])), dtype_of(op.operands[3].type))
    inside(op, offset, offset + raw.size, target.size)
    if isinstance(target, Buffer):
        target.view(offset, raw.size)[:] = raw
        return
    made = target.copy()
    made[offset : offset + raw.size] = raw
    f.values[op.results[0]] = made


def _async_call(f: Any, op: Any) -> None:
    name = op.callee.string_value()
    function = f.program.external.get(name)
    if function is None:
        raise op_error(op, f"no host function '{name}' was given")
    arguments: list[Any] = []
    windows: dict[int, tuple[Any, int, int]] = {}
    offsets = iter(f.all(group(op, "resource_operand_offsets")))
    lengths = iter(f.all(group(op, "resource_operand_lengths")))
    for index, v in enumerate(op.resource_operands):
        if is_resource(v):
            raw = f.get(v).copy()
            low, n = next(offsets), next(lengths)
            windows[index] = (raw, low, n)
            arguments.append(raw[low : low + n])
        else:
            arguments.append(f.get(v))
    results: list[Any] = []
    for tie, size in zip(tied_operands(op), f.all(group(op, "result_sizes")), strict=True):
        if tie >= 0:
            results.append(windows[tie][0])
        else:
            made = _fresh(size)
            results.append(made)
            arguments.append(made)
    function(*arguments)
    f.set(op, *results)


VALUE_LEAVES: dict[str, Leaf] = {
    "stream.tensor.sizeof": _sizeof,
    "stream.tensor.empty": _tensor_empty,
    "stream.tensor.constant": _tensor_constant,
    "stream.tensor.splat": _tensor_splat,
    "stream.tensor.clone": _tensor_clone,
    "stream.tensor.slice": _tensor_slice,
    "stream.tensor.update": _tensor_update,
    "stream.tensor.fill": _tensor_fill,
    "stream.tensor.load": _tensor_load,
    "stream.tensor.store": _tensor_store,
    "stream.tensor.dispatch": _value_dispatch,
    "stream.async.dispatch": _value_dispatch,
    "stream.async.alloca": _async_alloca,
    "stream.async.constant": _tensor_constant,
    "stream.async.splat": _async_splat,
    "stream.async.clone": _async_clone,
    "stream.async.transfer": _async_clone,
    "stream.async.cast": _same,
    "stream.async.barrier": _same,
    "stream.async.slice": _async_slice,
    "stream.async.fill": _async_fill,
    "stream.async.update": _async_update,
    "stream.async.copy": _async_copy,
    "stream.async.load": _async_load,
    "stream.async.store": _async_store,
    "stream.async.call": _async_call,
    "stream.resource.load": _async_load,
    "stream.resource.store": _async_store,
    "util.optimization_barrier": _same,
}
"""What each operation on values does."""
