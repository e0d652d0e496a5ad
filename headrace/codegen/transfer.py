"""``agen.composite_load_and_store`` -> ``XFER``: one box with source and destination strides."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from headrace.codegen.isa import XferDim
from headrace.codegen.linear import Linear, box, coefficients, is_identity
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes

if TYPE_CHECKING:
    from headrace.codegen.select import Selector

Dim = tuple[int, int, int]
"""Extent, source stride, destination stride."""


def select_transfer(s: Selector, op: Any) -> None:
    """Emit the XFER of a composite load-and-store whose region is empty."""
    if len(list(op.body.block.ops)) != 1 or op.body.block.last_op.operands:
        raise error(op, "a transfer that computes on the way has no instruction")
    if op.multicast_info is not None:
        raise error(op, "multicast transfers have no instruction")
    src, dst = s.view(op.src, op), s.view(op.dst, op)
    if src.dtype != dst.dtype:
        raise error(op, f"a transfer copies elements of one type, found {src.dtype} and {dst.dtype}")
    if not is_identity(op.time_order.data):
        raise error(op, "only the identity time order has an instruction")
    src_disp, src_dims = s._vector_box(src, op.load_set.data, op.load_order.data, op)
    dst_disp, dst_dims = s._vector_box(dst, op.store_set.data, op.store_order.data, op)
    lanes = refine(src_dims, dst_dims)
    if lanes is None:
        raise error(op, "the load set and the store set of a transfer have different numbers of points")
    src_base = s._address(src, op.src_map.data, op.src_map_operands, op) + src_disp
    dst_base = s._address(dst, op.dst_map.data, op.dst_map_operands, op) + dst_disp
    symbols = [s.lin(v, op) for v in op.time_symbols]
    times = []
    for d, extent in enumerate(box(op.time_set.data)):
        count = Linear(extent.count.const)
        for k, factor in extent.count.terms:
            count = count + symbols[k] * factor
        step = tuple(
            sum(coefficients(e, m.num_dims)[1][d] * stride for e, stride in zip(m.results, view.strides, strict=True))
            for m, view in ((op.load_time_addr_map.data, src), (op.store_time_addr_map.data, dst))
        )
        src_base, dst_base = src_base + Linear(extent.lower * step[0]), dst_base + Linear(extent.lower * step[1])
        if count != Linear(1):
            times.append((count, *step))
    src_base, dst_base = (
        src_base + _constant(op.load_time_addr_map, src),
        dst_base + _constant(op.store_time_addr_map, dst),
    )
    size = dtypes.get(src.dtype).bytes
    dims: list[XferDim] = []
    for count, a, b in times:
        if count.is_const:
            dims.append(XferDim(None, count.const, a, b))
        else:
            dims.append(XferDim(s.builder.value(count), 0, a, b))
    dims += [XferDim(None, *d) for d in lanes]
    emit_transfer(s, src.memory, src_base, dst.memory, dst_base, size, dims)


def emit_transfer(
    s: Selector, src_mem: int, src: Linear, dst_mem: int, dst: Linear, size: int, dims: list[XferDim]
) -> None:
    """Emit XFER with merged dims (neighbours that walk memory without a gap become one)."""
    s.builder.emit(
        "XFER",
        src_mem=src_mem,
        src=s.builder.value(src),
        dst_mem=dst_mem,
        dst=s.builder.value(dst),
        bytes=size,
        dims=tuple(merge(dims)) or (XferDim(None, 1, size, size),),
    )


def _constant(time_map: Any, view: Any) -> Linear:
    m = time_map.data
    return Linear(
        sum(coefficients(e, m.num_dims)[0] * stride for e, stride in zip(m.results, view.strides, strict=True))
    )


def merge(dims: list[XferDim]) -> list[XferDim]:
    """Join an outer static dim with the next inner one where both sides continue without a gap."""
    out: list[XferDim] = []
    for d in dims:
        if out and d.reg is None:
            last = out[-1]
            if (
                last.src_stride == d.extent * d.src_stride
                and last.dst_stride == d.extent * d.dst_stride
                and last.reg is None
            ):
                out[-1] = XferDim(None, last.extent * d.extent, d.src_stride, d.dst_stride)
                continue
        out.append(d)
    return out


def refine(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> list[Dim] | None:
    """Common dims of two row-major walks with the same number of points; None if there are none."""
    a, b = list(a), list(b)
    out: list[Dim] = []
    while a or b:
        if not a or not b:
            return None
        (n, sa), (m, sb) = a.pop(), b.pop()
        k = gcd(n, m)
        if k == 1:
            return None
        out.append((k, sa, sb))
        if n > k:
            a.append((n // k, sa * k))
        if m > k:
            b.append((m // k, sb * k))
    return out[::-1]
