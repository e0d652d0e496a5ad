"""The `tensor` dialect on NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from headrace.interp.engine import Frame, Leaf
from headrace.interp.points import open_grid
from headrace.interp.values import (
    PartialTensor,
    Poison,
    PoisonUse,
    element_dtype,
    mixed,
    resolve_shape,
    scalar,
    static_shape,
)
from headrace.ir.diagnostics import error
from headrace.ir.slices import kept_dims


def _empty(f: Frame, op: Any) -> None:
    shape = resolve_shape(op.results[0].type, f.all(op.operands))
    dtype = element_dtype(op.results[0].type)
    zeros = np.zeros(shape, dtype.value_dtype)
    if f.strict and zeros.size:
        f.values[op.results[0]] = PartialTensor(zeros, np.zeros(shape, np.bool_))
    else:
        f.values[op.results[0]] = zeros


def raw(f: Frame, value: SSAValue) -> Any:
    """A tensor operand, possibly partly written. Raises PoisonUse on poison."""
    v = f.values[value]
    if isinstance(v, Poison):
        raise PoisonUse(v)
    return v


def _splat(f: Frame, op: Any) -> None:
    dtype = element_dtype(op.results[0].type)
    shape = resolve_shape(op.results[0].type, f.all(op.operands[1:]))
    f.values[op.results[0]] = np.full(shape, f.get(op.operands[0]), dtype.value_dtype)


def _extract(f: Frame, op: Any) -> None:
    source = f.get(op.operands[0])
    indices = f.all(op.operands[1:])
    for k, (i, n) in enumerate(zip(indices, source.shape, strict=True)):
        if np.any(np.asarray(i) < 0) or np.any(np.asarray(i) >= n):
            raise error(op, f"'tensor.extract'{f.where()}: index {i} is outside dimension {k} of extent {n}")
    picked = source[indices]
    f.values[op.results[0]] = picked if np.ndim(picked) else scalar(picked, element_dtype(op.results[0].type))


def _insert(f: Frame, op: Any) -> None:
    value, target = f.get(op.operands[0]), raw(f, op.operands[1])
    indices = f.all(op.operands[2:])
    shape = target.values.shape if isinstance(target, PartialTensor) else target.shape
    if any(not 0 <= i < n for i, n in zip(indices, shape, strict=True)):
        raise error(op, f"'tensor.insert'{f.where()}: indices {list(indices)} are outside shape {list(shape)}")
    f.values[op.results[0]] = _updated(target, indices, value)


def _updated(target: Any, where: Any, value: Any) -> Any:
    if isinstance(target, PartialTensor):
        values, defined = target.values.copy(), target.defined.copy()
        values[where] = value
        defined[where] = True
        return values if defined.all() else PartialTensor(values, defined)
    values = target.copy()
    values[where] = value
    return values


def _from_elements(f: Frame, op: Any) -> None:
    t = op.results[0].type
    values = [f.get(v) for v in op.operands]
    f.values[op.results[0]] = np.asarray(values, element_dtype(t).value_dtype).reshape(static_shape(t))


def _generate(f: Frame, op: Any) -> None:
    t = op.results[0].type
    shape = resolve_shape(t, f.all(op.operands))
    dtype = element_dtype(t)
    grid = open_grid((0,) * len(shape), shape)
    result = f.run_now(op.regions[0].blocks[0], grid)[0]
    if isinstance(result, Poison):
        f.values[op.results[0]] = result
    else:
        f.values[op.results[0]] = np.broadcast_to(np.asarray(result, dtype.value_dtype), shape).copy()


def _reshaped(f: Frame, op: Operation, shape: tuple[int, ...]) -> None:
    source = raw(f, op.operands[0])
    size = source.values.size if isinstance(source, PartialTensor) else source.size
    if int(np.prod(shape, dtype=np.int64)) != size:
        raise error(op, f"'{op.name}'{f.where()}: {size} elements do not fit shape {list(shape)}")
    if isinstance(source, PartialTensor):
        f.values[op.results[0]] = PartialTensor(source.values.reshape(shape), source.defined.reshape(shape))
    else:
        f.values[op.results[0]] = source.reshape(shape)


def _reshape(f: Frame, op: Any) -> None:
    shape = tuple(int(n) for n in f.get(op.operands[1]))
    for declared, actual in zip(static_shape(op.results[0].type), shape, strict=True):
        if declared not in (DYNAMIC_INDEX, actual):
            raise error(
                op, f"'tensor.reshape'{f.where()}: shape operand {list(shape)} contradicts type {op.results[0].type}"
            )
    _reshaped(f, op, shape)


def _expand_shape(f: Frame, op: Any) -> None:
    attr = op.properties.get("static_output_shape")
    if attr is not None:
        shape = mixed(attr.get_values(), f.all(op.operands[1:]))
    else:
        shape = static_shape(op.results[0].type)
    _reshaped(f, op, shape)


def _groups(op: Any) -> list[list[int]]:
    return [[i.value.data for i in group.data] for group in op.properties["reassociation"].data]


def _collapse_shape(f: Frame, op: Any) -> None:
    source = raw(f, op.operands[0])
    extents = (source.values if isinstance(source, PartialTensor) else source).shape
    _reshaped(f, op, tuple(int(np.prod([extents[d] for d in group], dtype=np.int64)) for group in _groups(op)))


def slice_of(f: Frame, op: Any, extents: tuple[int, ...]) -> tuple[tuple[slice, ...], tuple[int, ...]]:
    """The slices (and their sizes) that offsets, sizes and strides name. Raises a located error outside `extents`."""
    offsets = mixed(op.static_offsets.get_values(), f.all(op.offsets))
    sizes = mixed(op.static_sizes.get_values(), f.all(op.sizes))
    strides = mixed(op.static_strides.get_values(), f.all(op.strides))
    slices = []
    for k, (o, n, s, extent) in enumerate(zip(offsets, sizes, strides, extents, strict=True)):
        last = o + (n - 1) * s
        if n < 0 or s <= 0 or (n and (o < 0 or last >= extent)):
            raise error(
                op,
                f"'{op.name}'{f.where()}: slice [{o}, {n}, {s}] (offset, size, stride) leaves dimension {k} "
                f"of extent {extent}",
            )
        slices.append(slice(o, last + 1 if n else o, s))
    return tuple(slices), sizes


def _extract_slice(f: Frame, op: Any) -> None:
    source = f.get(op.operands[0])
    slices, sizes = slice_of(f, op, source.shape)
    kept = kept_dims(sizes, static_shape(op.results[0].type))
    f.values[op.results[0]] = source[slices].reshape([sizes[k] for k in kept])


def _insert_slice(f: Frame, op: Any) -> None:
    source, target = f.get(op.operands[0]), raw(f, op.operands[1])
    extents = (target.values if isinstance(target, PartialTensor) else target).shape
    slices, sizes = slice_of(f, op, extents)
    f.values[op.results[0]] = _updated(target, slices, source.reshape(sizes))


def _concat(f: Frame, op: Any) -> None:
    parts = [f.get(v) for v in op.operands]
    f.values[op.results[0]] = np.concatenate(parts, axis=op.properties["dim"].value.data)


def _pad(f: Frame, op: Any) -> None:
    source = f.get(op.source)
    low = mixed(op.static_low.get_values(), f.all(op.low))
    high = mixed(op.static_high.get_values(), f.all(op.high))
    if min((*low, *high), default=0) < 0:
        raise error(op, f"'tensor.pad'{f.where()}: negative padding {list(low)}, {list(high)}")
    shape = tuple(a + n + b for a, n, b in zip(low, source.shape, high, strict=True))
    filler = f.run_now(op.regions[0].blocks[0], open_grid((0,) * len(shape), shape))[0]
    result = np.broadcast_to(np.asarray(filler, source.dtype), shape).copy()
    result[tuple(slice(a, a + n) for a, n in zip(low, source.shape, strict=True))] = source
    f.values[op.results[0]] = result


def _dim(f: Frame, op: Any) -> None:
    source = raw(f, op.operands[0])
    k = f.get(op.operands[1])
    extents = (
        source.sizes
        if hasattr(source, "sizes")
        else (source.values if isinstance(source, PartialTensor) else source).shape
    )
    if not 0 <= k < len(extents):
        raise error(op, f"'{op.name}'{f.where()}: dimension {k} of a value of rank {len(extents)}")
    f.values[op.results[0]] = int(extents[k])


def _cast(f: Frame, op: Any) -> None:
    source = raw(f, op.operands[0])
    array = source.values if isinstance(source, PartialTensor) else source
    for declared, actual in zip(static_shape(op.results[0].type), array.shape, strict=True):
        if declared not in (DYNAMIC_INDEX, actual):
            raise error(
                op, f"'tensor.cast'{f.where()}: shape {list(array.shape)} contradicts type {op.results[0].type}"
            )
    f.values[op.results[0]] = source


LEAVES: dict[str, Leaf] = {
    "tensor.empty": _empty,
    "tensor.splat": _splat,
    "tensor.extract": _extract,
    "tensor.insert": _insert,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.reshape": _reshape,
    "tensor.expand_shape": _expand_shape,
    "tensor.collapse_shape": _collapse_shape,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.concat": _concat,
    "tensor.pad": _pad,
    "tensor.dim": _dim,
    "memref.dim": _dim,
    "tensor.cast": _cast,
}
