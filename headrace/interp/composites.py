"""Composite accesses (`agen.composite_*`): the steps of a time set, each with a load, a body and a store.

A copy between two memories is done in one array operation; what it touches is computed once for its operation.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from headrace.interp.engine import Control, Running
from headrace.interp.memory import OutsideMemory, Uninitialised
from headrace.interp.points import apply_map
from headrace.interp.vectors import (
    LinearView,
    Subscripts,
    base_indices,
    check_lanes,
    ordered_points,
    read,
    spread_over,
    subscripts_of,
    vector_shape,
    write,
)
from headrace.ir.diagnostics import error
from headrace.ir.places import NOWHERE, SKIPS

Array = NDArray[Any]
IntArray = NDArray[np.int64]


def _time(f: Any, op: Any) -> IntArray:
    return ordered_points(f, op, "time_set", "time_order", f.all(op.time_symbols))


def _displacements(op: Any, name: str, time: IntArray) -> IntArray:
    """View index offsets of each time step (rows)."""
    m = op.properties[name].data
    columns = [np.broadcast_to(np.asarray(x, np.int64), (len(time),)) for x in apply_map(m, list(time.T))]
    return np.stack(columns, axis=1) if columns else np.zeros((len(time), 0), np.int64)


def _is_plain(op: Any) -> bool:
    """Whether the region stores what was loaded."""
    ops = list(op.body.blocks[0].ops)
    return len(ops) == 1 and not ops[0].operands


@dataclass(frozen=True)
class _Walk:
    """The elements that all steps of one side of a composite access touch, as offsets (steps, lanes) from its origin;
    `box`: (first, distance of steps, distance of lanes) where they are even and no two are the same."""

    offsets: IntArray
    box: tuple[int, int, int] | None

    @staticmethod
    def over(indices: IntArray, coefficients: Sequence[int]) -> _Walk:
        """Of index tuples (steps, lanes, dimensions)."""
        offsets = indices @ np.asarray(coefficients, np.int64)
        steps, lanes = offsets.shape
        by_step = int(offsets[1, 0] - offsets[0, 0]) if steps > 1 else 0
        by_lane = int(offsets[0, 1] - offsets[0, 0]) if lanes > 1 else 0
        even = offsets[0, 0] + np.arange(steps)[:, None] * by_step + np.arange(lanes) * by_lane
        apart = (offsets == even).all() and np.unique(offsets).size == offsets.size
        return _Walk(offsets, (int(offsets[0, 0]), by_step, by_lane) if apart else None)

    def read(self, view: LinearView, origin: int) -> Array:
        """The elements of a view, (steps, lanes)."""
        size, shape = view.dtype.bytes, self.offsets.shape
        if self.box is None:
            return view.space.read_points(view.base + (self.offsets + origin) * size, view.dtype)
        first, *apart = self.box
        return view.space.read_box(view.base + (first + origin) * size, shape, [s * size for s in apart], view.dtype)

    def write(self, view: LinearView, origin: int, values: Array) -> None:
        """Store the elements; the last one wins where they meet."""
        size, shape = view.dtype.bytes, self.offsets.shape
        if self.box is None:
            view.space.write_points(view.base + (self.offsets + origin) * size, view.dtype, values)
            return
        first, *apart = self.box
        base, strides = view.base + (first + origin) * size, [s * size for s in apart]
        view.space.write_box(base, shape, strides, view.dtype, values)


@dataclass(frozen=True)
class _CopyPlan:
    """A composite access that only copies: the subscripts of both sides."""

    source: SSAValue
    target: SSAValue
    symbols: tuple[SSAValue, ...]
    sides: tuple[Subscripts, Subscripts]

    def origin(self, f: Any, side: int, view: LinearView) -> int:
        """Element offset of a side's base indices."""
        found = view.constant
        for c, (constant, terms) in zip(view.coefficients, self.sides[side], strict=True):
            found += c * (constant + sum(f.get(v) * k for v, k in terms))
        return found


def _copy_plan(op: Any) -> _CopyPlan | None:
    sides = [
        subscripts_of(op.properties["src_map"].data, op.src_map_operands),
        subscripts_of(op.properties["dst_map"].data, op.dst_map_operands),
    ]
    if not _is_plain(op) or sides[0] is None or sides[1] is None:
        return None
    return _CopyPlan(op.src, op.dst, tuple(op.time_symbols), (sides[0], sides[1]))


def _copied(f: Any, op: Any) -> bool:
    """Carry out a composite access whose subscripts are linear, between two memories; whether it could be."""
    plan = f.session.plan(op, _copy_plan)
    if plan is None:
        return False
    source, target = f.get(plan.source), f.get(plan.target)
    if source.space is target.space:  # a step could see what another one stored
        return False
    cache, key = f.session.cache, (op, "walks", f.all(plan.symbols), source.coefficients, target.coefficients)
    if key not in cache:
        time = _time(f, op)
        loads, stores = (ordered_points(f, op, f"{side}_set", f"{side}_order") for side in ("load", "store"))
        ranks = [(loads, source), (stores, target)]
        alike = len(loads) == len(stores) == vector_shape(op.body.blocks[0].args[0].type)[0]
        if not alike or not len(time) * len(loads) or any(p.shape[1] != len(v.coefficients) for p, v in ranks):
            cache[key] = None
        else:
            at = [_displacements(op, f"{side}_time_addr_map", time)[:, None] for side in ("load", "store")]
            cache[key] = _Walk.over(at[0] + loads, source.coefficients), _Walk.over(at[1] + stores, target.coefficients)
    if cache[key] is None:
        return False
    load, store = cache[key]
    try:
        store.write(target, plan.origin(f, 1, target), load.read(source, plan.origin(f, 0, source)))
    except (OutsideMemory, Uninitialised):
        return False  # the general path reports where
    return True


def _composite_load_and_store(f: Any, op: Any) -> Running:
    if _copied(f, op):
        return ()
    source, target = f.get(op.src), f.get(op.dst)
    time = _time(f, op)
    loads = spread_over(
        ordered_points(f, op, "load_set", "load_order"), base_indices(f, op, "src_map", op.src_map_operands), op
    )
    stores = spread_over(
        ordered_points(f, op, "store_set", "store_order"), base_indices(f, op, "dst_map", op.dst_map_operands), op
    )
    block = op.body.blocks[0]
    check_lanes(op, len(loads), block.args[0].type)
    load_at, store_at = _displacements(op, "load_time_addr_map", time), _displacements(op, "store_time_addr_map", time)
    if _is_plain(op):
        if len(loads) != len(stores):
            raise error(op, f"'{op.name}' loads {len(loads)} elements and stores {len(stores)} in each step")
        if source.space is not target.space:  # no step can see what another one stored
            write(f, op, target, store_at[:, None] + stores, read(f, op, source, load_at[:, None] + loads))
            return ()
    for a, b in zip(load_at, store_at, strict=True):
        values = read(f, op, source, loads + a)
        yielded = yield from f.run_block(block, (values,))
        write(f, op, target, stores + b, yielded[0] if yielded else values)
    return ()


def _composite_indirect(f: Any, op: Any) -> Running:
    """As `agen.composite_load_and_store`; the element of the indirect memref displaces the direct one, in elements."""
    source, target = f.get(op.direct_src), f.get(op.direct_dst)
    time = _time(f, op)
    loads = spread_over(
        ordered_points(f, op, "load_set", "load_order"),
        base_indices(f, op, "direct_src_map", op.direct_src_map_operands),
        op,
    )
    stores = spread_over(
        ordered_points(f, op, "store_set", "store_order"),
        base_indices(f, op, "direct_dst_map", op.direct_dst_map_operands),
        op,
    )
    check_lanes(op, len(loads), op.body.blocks[0].args[0].type)
    load_at = _displacements(op, "load_direct_time_addr_map", time)
    store_at = _displacements(op, "store_direct_time_addr_map", time)

    def displacements(memref: Any, side: str, maps: str) -> IntArray:
        if memref is None:
            return np.zeros(len(time), np.int64)
        at = np.asarray([base_indices(f, op, f"{side}_map", getattr(op, f"{side}_map_operands"))] * len(time))
        if op.properties.get(maps) is not None:
            at = at + _displacements(op, maps, time)
        return np.asarray(read(f, op, f.get(memref), at), np.int64)

    if not _is_plain(op) or op.multicast_info is not None:
        raise error(op, f"'{op.name}' that computes on the way or sends to several units is not supported")
    from_rows = displacements(op.indirect_src, "indirect_src", "load_indirect_time_addr_map")
    to_rows = displacements(op.indirect_dst, "indirect_dst", "store_indirect_time_addr_map")
    for k in range(len(time)):
        if SKIPS in op.attributes and NOWHERE in (int(from_rows[k]), int(to_rows[k])):
            continue
        a = dataclasses.replace(source, base=source.base + int(from_rows[k]) * source.dtype.bytes)
        b = dataclasses.replace(target, base=target.base + int(to_rows[k]) * target.dtype.bytes)
        write(f, op, b, store_at[k] + stores, read(f, op, a, load_at[k] + loads))
    return ()
    yield


def _composite_load(f: Any, op: Any) -> Running:
    view = f.get(op.mem_ref)
    loads = spread_over(
        ordered_points(f, op, "load_set", "load_order"), base_indices(f, op, "affine_map", op.map_operands), op
    )
    for step in _displacements(op, "time_addr_map", _time(f, op)):
        yield from f.run_block(op.body.blocks[0], (read(f, op, view, loads + step),))
    return ()


def _composite_store(f: Any, op: Any) -> Running:
    view = f.get(op.mem_ref)
    base = base_indices(f, op, "affine_map", op.map_operands)
    if op.input_vector is not None or op.body is None:
        raise error(op, "'agen.composite_store' with an input vector is not supported")
    stores = spread_over(ordered_points(f, op, "store_set", "store_order"), base, op)
    for step in _displacements(op, "time_addr_map", _time(f, op)):
        values = yield from f.run_block(op.body.blocks[0])
        write(f, op, view, stores + step, values[0])
    return ()


def _interleave(f: Any, op: Any) -> Running:
    yield from f.run_block(op.body.blocks[0])
    return ()


CONTROLS: dict[str, Control] = {
    "agen.composite_load_and_store": _composite_load_and_store,
    "agen.composite_indirect_load_and_store": _composite_indirect,
    "agen.composite_load": _composite_load,
    "agen.composite_store": _composite_store,
    "agen.composite_memory_interleave": _interleave,
}
