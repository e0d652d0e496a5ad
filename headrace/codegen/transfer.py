"""``agen.composite_load_and_store`` -> ``XFER``: one box with source and destination strides."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from headrace.codegen.isa import VecDim, VType, XferDim
from headrace.codegen.linear import Linear, box, coefficients, is_identity
from headrace.ir.diagnostics import error
from headrace.ir.places import NOWHERE, SKIPS
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
    ends = [Direct(op.src, op.src_map, op.src_map_operands, op.load_time_addr_map)]
    ends.append(Direct(op.dst, op.dst_map, op.dst_map_operands, op.store_time_addr_map))
    _select(s, op, ends, [Linear(), Linear()])


def select_indirect(s: Selector, op: Any) -> None:
    """The same through tables: the displacement is read into a register first (VLD, VGET)."""
    if len(list(op.body.block.ops)) != 1 or op.body.block.last_op.operands or op.multicast_info is not None:
        raise error(op, "an indirect transfer that computes on the way or sends to several units has no instruction")
    if op.load_indirect_time_addr_map is not None or op.store_indirect_time_addr_map is not None:
        raise error(op, "an indirect transfer whose table moves with time has no instruction")
    ends = [
        Direct(op.direct_src, op.direct_src_map, op.direct_src_map_operands, op.load_direct_time_addr_map),
        Direct(op.direct_dst, op.direct_dst_map, op.direct_dst_map_operands, op.store_direct_time_addr_map),
    ]
    tables = [
        (op.indirect_src, op.indirect_src_map, op.indirect_src_map_operands),
        (op.indirect_dst, op.indirect_dst_map, op.indirect_dst_map_operands),
    ]
    moved: list[Linear] = []
    exists: list[int] = []
    for end, (memref, m, operands) in zip(ends, tables, strict=True):
        if memref is None:
            moved.append(Linear())
            continue
        table = s.view(memref, op)
        size = dtypes.get(table.dtype).bytes
        t = VType(table.dtype, 1)
        address = s.builder.value(s._address(table, m.data, operands, op))
        v, r = s.builder.register("v"), s.builder.register()
        s.builder.emit("VLD", vd=v, mem=table.memory, address=address, type=t, dims=(VecDim(1, size),))
        s.builder.emit("VGET", rd=r, va=v, lane=s.builder.constant(0), type=t)
        moved.append(Linear.of(r) * dtypes.get(s.view(end.memref, op).dtype).bytes)
        if SKIPS in op.attributes:
            nowhere = s.builder.constant(NOWHERE)
            exists.append(s.builder.pure("CMP", "rd", [("r", r), ("r", nowhere)], pred="ne", ra=r, rb=nowhere))
    if not exists:
        _select(s, op, ends, moved)
        return
    s.builder.open()
    _select(s, op, ends, moved)
    body = s.builder.close()
    for condition in exists:
        s.builder.emit("IF", cond=condition)
    s.builder.append(body)
    for _ in exists:
        s.builder.emit("ENDIF")


class Direct(NamedTuple):
    """One end of a transfer: view, subscripts, and how they move with time."""

    memref: Any
    map: Any
    operands: Any
    time: Any


def _select(s: Selector, op: Any, ends: Sequence[Direct], moved: Sequence[Linear]) -> None:
    src, dst = s.view(ends[0].memref, op), s.view(ends[1].memref, op)
    if src.dtype != dst.dtype:
        raise error(op, f"a transfer copies elements of one type, found {src.dtype} and {dst.dtype}")
    if not is_identity(op.time_order.data):
        raise error(op, "only the identity time order has an instruction")
    src_disp, src_dims = s._vector_box(src, op.load_set.data, op.load_order.data, op)
    dst_disp, dst_dims = s._vector_box(dst, op.store_set.data, op.store_order.data, op)
    lanes = refine(src_dims, dst_dims)
    if lanes is None:
        raise error(op, "the load set and the store set of a transfer have different numbers of points")
    src_base = s._address(src, ends[0].map.data, ends[0].operands, op) + src_disp + moved[0]
    dst_base = s._address(dst, ends[1].map.data, ends[1].operands, op) + dst_disp + moved[1]
    symbols = [s.lin(v, op) for v in op.time_symbols]
    times = []
    for d, extent in enumerate(box(op.time_set.data)):
        count = Linear(extent.count.const)
        for k, factor in extent.count.terms:
            count = count + symbols[k] * factor
        step = tuple(
            sum(coefficients(e, m.num_dims)[1][d] * stride for e, stride in zip(m.results, view.strides, strict=True))
            for m, view in ((ends[0].time.data, src), (ends[1].time.data, dst))
        )
        src_base, dst_base = src_base + Linear(extent.lower * step[0]), dst_base + Linear(extent.lower * step[1])
        if count != Linear(1):
            times.append((count, *step))
    src_base, dst_base = (
        src_base + _constant(ends[0].time, src),
        dst_base + _constant(ends[1].time, dst),
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
