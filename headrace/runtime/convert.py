"""Host arrays to device bytes and back: element types by native loops, layouts by strided copies.

Conversions between float types are compiled from the same definitions as everything else
(:mod:`headrace.numerics.rounding`), sixteen elements at a time.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType
from headrace.runtime import loops
from headrace.runtime.dlpack import read_bfloat16
from headrace.runtime.errors import runtime_error
from headrace.runtime.layout import Block, Layout, collapse

_BY_NUMPY = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
}


def dtype_of_array(array: np.ndarray) -> DType:
    """Element type of a NumPy array. Raises :class:`HeadraceError` for a type that the device does not have."""
    name = _BY_NUMPY.get(array.dtype.name)
    if name is None:
        raise runtime_error(f"NumPy type '{array.dtype.name}' has no device type; known: {', '.join(_BY_NUMPY)}")
    return dtypes.get(name)


def as_array(source: Any) -> np.ndarray:
    """A NumPy array of anything with the array interface, the buffer protocol or DLPack (host memory), not copied
    where that is possible."""
    if isinstance(source, np.ndarray):
        return source
    if hasattr(source, "__dlpack__"):
        try:
            return np.from_dlpack(source)
        except (BufferError, RuntimeError, TypeError, ValueError) as e:
            found = read_bfloat16(source)
            if found is not None:
                return found
            if not hasattr(source, "__array__"):
                raise runtime_error(f"cannot read a {type(source).__name__} through DLPack: {e}") from None
    try:
        array = np.asarray(source)
    except (TypeError, ValueError) as e:
        raise runtime_error(f"cannot make an array of a {type(source).__name__}: {e}") from None
    if array.dtype == object:
        raise runtime_error(f"cannot make an array of numbers of a {type(source).__name__}")
    return array


def encode(values: np.ndarray, dtype: DType) -> np.ndarray:
    """Storage patterns of values (same shape, little endian); floats are rounded once, integers must fit."""
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    kind = _BY_NUMPY.get(values.dtype.name)
    if kind == dtype.name or (kind == "i64" and dtype.name == "index"):
        return np.asarray(values).view(dtype.storage_dtype)
    if dtype.is_float:
        if values.dtype.kind not in "fiub" and kind != "bf16":
            raise runtime_error(f"cannot store {values.dtype.name} values as {dtype.name}")
        if kind in ("f16", "bf16", "f32") and dtype.bits == 16:
            return convert(values, kind, dtype.name)
        if dtype.bits == 16:
            values = np.asarray(dtype.round_to(values))
        elif kind != "f64" or dtype.name != "f64":
            values = np.asarray(dtype.round_to(values.astype(np.float32) if kind == "bf16" else values))
    elif values.dtype != np.dtype(dtype.value_dtype):
        if values.dtype.kind not in "iub":
            raise runtime_error(f"cannot store {values.dtype.name} values as {dtype.name}")
        cast = values.astype(dtype.value_dtype)
        if not np.array_equal(cast, values):
            raise runtime_error(f"a value does not fit {dtype.name}")
        values = cast
    raw = np.asarray(dtype.encode(values)).reshape(values.shape)
    return raw.astype(raw.dtype.newbyteorder("<"), copy=False)


def decode(raw: np.ndarray, dtype: DType) -> np.ndarray:
    """Values of storage patterns: bf16 and df16 as f32, the rest as it is."""
    if dtype.name in ("bf16", "df16"):
        return convert(raw, dtype.name, "f32").view(np.float32)
    return np.asarray(dtype.decode(raw))


def convert(values: np.ndarray, source: str, target: str) -> np.ndarray:
    """Storage patterns of ``target`` for an array of ``source`` values or patterns (``f16 bf16 df16 f32``)."""
    source_type, target_type = dtypes.get(source), dtypes.get(target)
    plain = np.ascontiguousarray(values)
    assert plain.itemsize == source_type.bytes
    out = np.empty(values.shape, target_type.storage_dtype)
    loops.conversion(source, target)(plain.ctypes.data, out.ctypes.data, plain.size)
    return out


def place(raw: np.ndarray, layout: Layout, target: np.ndarray) -> None:
    """Storage patterns in host order to device memory (``target``: elements of the layout, flat).

    Padding is zero: the caller hands memory that is zero or holds an earlier tensor of the same layout.
    """
    if layout.is_row_major:
        target[:] = raw.reshape(-1)
        return
    flat = np.ascontiguousarray(raw).reshape(-1)
    for block in map(collapse, layout.blocks()):
        _copy(block, flat, target, True)


def fetch(layout: Layout, source: np.ndarray) -> np.ndarray:
    """The inverse of :func:`place`: patterns in host order."""
    if layout.is_row_major:
        return source.reshape(layout.shape).copy()
    out = np.empty(layout.shape, source.dtype)
    for block in map(collapse, layout.blocks()):
        _copy(block, out.reshape(-1), source, False)
    return out


def _copy(block: Block, host: np.ndarray, device: np.ndarray, to_device: bool) -> None:
    """One block of a layout. Runs of elements that are contiguous on both sides go in the order of the host array,
    which suits the memory best."""
    width = host.itemsize
    if (block.host[-1], block.device[-1]) != (1, 1):
        pair = [
            np.lib.stride_tricks.as_strided(a[offset:], block.size, [s * width for s in strides])
            for a, offset, strides in (
                (host, block.host_offset, block.host),
                (device, block.device_offset, block.device),
            )
        ]
        pair[to_device][...] = pair[not to_device]
        return
    dims = sorted(zip(block.size[:-1], block.host[:-1], block.device[:-1], strict=True), key=lambda d: -d[1])
    outer, inner = dims[:-2], [*[(1, 0, 0)] * (2 - len(dims)), *dims[-2:]]
    (n0, h0, d0), (n1, h1, d1) = inner
    run = loops.boxes()
    for index in product(*(range(d[0]) for d in outer)):
        here = block.host_offset + sum(k * d[1] for k, d in zip(index, outer, strict=True))
        there = block.device_offset + sum(k * d[2] for k, d in zip(index, outer, strict=True))
        a, b = host.ctypes.data + here * width, device.ctypes.data + there * width
        strides = [s * width for s in (h0, h1, d0, d1)]
        if to_device:
            run(a, b, n0, n1, *strides, block.size[-1] * width)
        else:
            run(b, a, n0, n1, *strides[2:], *strides[:2], block.size[-1] * width)
