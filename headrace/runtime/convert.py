"""Host arrays to device bytes and back: element types by native loops, layouts by strided copies.

Conversions between float types are compiled from the same definitions as everything else
(:mod:`headrace.numerics.rounding`), sixteen elements at a time.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir

from headrace.machine.native import cache as native
from headrace.numerics import dtypes, rounding
from headrace.numerics.dtypes import DType
from headrace.numerics.llvm_backend import LLVMBackend
from headrace.runtime.errors import runtime_error
from headrace.runtime.layout import Layout, collapse

_LANES = 16
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
    if hasattr(source, "__dlpack__") and not hasattr(source, "__array__"):
        try:
            return np.from_dlpack(source)
        except (BufferError, RuntimeError, TypeError, ValueError) as e:
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
    if values.dtype.isnative:
        plain = np.ascontiguousarray(values)
    else:
        plain = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("=")))
    assert plain.itemsize == source_type.bytes
    out = np.empty(values.shape, target_type.storage_dtype)
    _loop(source, target)(plain.ctypes.data, out.ctypes.data, plain.size)
    return out


@cache
def _loop(source: str, target: str) -> Any:
    name = "convert"
    content = f"{source} {target}".encode()
    addresses = native.functions("convert", content, lambda: _build(source, target, name), (name,))
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    return kind(addresses[name])


def _build(source: str, target: str, name: str) -> ir.Module:
    """``void convert(source *from, target *to, i64 n)``: whole vectors, then single elements."""
    module = ir.Module(name=f"{source}-{target}")
    wide = ir.IntType(64)
    a, b = (ir.IntType(dtypes.get(t).bits) for t in (source, target))
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [a.as_pointer(), b.as_pointer(), wide]), name)
    start, end, count = function.args
    entry = function.append_basic_block("entry")
    builder = ir.IRBuilder(entry)
    whole = builder.and_(count, wide(-_LANES))
    for lanes, first, last in ((_LANES, wide(0), whole), (1, whole, count)):
        before = builder.block
        head, body, after = (function.append_basic_block(f"{what}{lanes}") for what in ("head", "body", "after"))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(wide)
        index.add_incoming(first, before)
        builder.cbranch(builder.icmp_signed("<", index, last), body, after)
        builder.position_at_end(body)
        places = [builder.gep(p, [index]) for p in (start, end)]
        if lanes > 1:
            kinds = [ir.VectorType(t, lanes).as_pointer() for t in (a, b)]
            places = [builder.bitcast(p, t) for p, t in zip(places, kinds, strict=True)]
        raw = builder.load(places[0], align=a.width // 8)
        builder.store(_element(LLVMBackend(builder), raw, source, target), places[1], align=b.width // 8)
        index.add_incoming(builder.add(index, wide(lanes)), builder.block)
        builder.branch(head)
        builder.position_at_end(after)
    builder.ret_void()
    return module


def _element(b: LLVMBackend, raw: Any, source: str, target: str) -> Any:
    """One element, as :meth:`DType.encode` defines it: signs of overflow and payloads of NaN survive."""
    x = rounding.unpack(b, raw, source)
    if target == "f32":
        return b.bits(x)
    packed = rounding.pack(b, rounding.finish32(b, x, target), target)
    bits = b.bits(x)
    if target == "df16":
        signed = b.ior(b.trunc(b.iand(b.lshr(bits, 16), 0x8000), 16), 0x7FFF)
        return b.select(b.icmp("eq", packed, 0x7FFF), signed, packed)
    if target == "bf16":
        top = b.trunc(b.lshr(bits, 16), 16)
        top = b.select(b.icmp("eq", b.iand(top, 0x7F), 0), b.ior(top, 0x40), top)
        return b.select(b.fcmp("uno", x, x), top, packed)
    return packed


def place(raw: np.ndarray, layout: Layout, target: np.ndarray) -> None:
    """Storage patterns in host order to device memory (``target``: elements of the layout, flat).

    Padding is zero: the caller hands memory that is zero or holds an earlier tensor of the same layout.
    """
    if layout.is_row_major:
        target[:] = raw.reshape(-1)
        return
    for here, there in _views(raw, layout, target):
        there[...] = here


def fetch(layout: Layout, source: np.ndarray) -> np.ndarray:
    """The inverse of :func:`place`: patterns in host order."""
    if layout.is_row_major:
        return source.reshape(layout.shape).copy()
    out = np.empty(layout.shape, source.dtype)
    for here, there in _views(out, layout, source):
        here[...] = there
    return out


def _views(host: np.ndarray, layout: Layout, device: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pairs of equally shaped views, one per block of the layout."""
    flat = np.ascontiguousarray(host).reshape(-1) if not host.flags.c_contiguous else host.reshape(-1)
    out = []
    for block in map(collapse, layout.blocks()):
        pair = [
            np.lib.stride_tricks.as_strided(a[offset:], block.size, [s * a.itemsize for s in strides])
            for a, offset, strides in (
                (flat, block.host_offset, block.host),
                (device, block.device_offset, block.device),
            )
        ]
        out.append((pair[0], pair[1]))
    return out
