"""Loads and stores of `ktdp` through access tiles.

Coordinates outside a view with a dynamic extent read zero and are not stored (one warning per operation, an error in
strict mode), and so do points whose index lies outside a view of indices with a dynamic extent; outside any other view,
and outside every buffer, they are errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from headrace.interp.engine import Frame, Leaf
from headrace.interp.memory import LocalSpace, OutsideMemory, Uninitialised
from headrace.interp.points import IntArray, apply_map
from headrace.interp.values import (
    AccessTile,
    DistributedView,
    IndirectTile,
    View,
    element_dtype,
    static_shape,
)
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.location import loc_of
from headrace.ir.places import NOWHERE, SKIPS
from headrace.numerics.dtypes import DType

Array = NDArray[Any]


# -- reading and writing ---------------------------------------------------------------------------------------------


def axis_grid(start: Sequence[int], shape: Sequence[int], order: Sequence[int]) -> list[IntArray]:
    """Coordinates per set dimension, dimension `order[j]` along axis j."""
    axis = {d: j for j, d in enumerate(order)}
    n = len(shape)
    return [
        (np.arange(shape[d], dtype=np.int64) + start[d]).reshape([-1 if j == axis[d] else 1 for j in range(n)])
        for d in range(n)
    ]


def tile_points(
    f: Frame, tile: AccessTile | IndirectTile, op: Operation
) -> tuple[list[IntArray], NDArray[np.bool_] | None]:
    """Base coordinates (broadcastable to the tile's shape) and the mask of member points."""
    mask = tile.points.mask
    if mask is not None:
        mask = mask.transpose(tile.order)
    if isinstance(tile, AccessTile):
        start = [a + b for a, b in zip(tile.origin, tile.points.lo, strict=True)]
        return axis_grid(start, tile.points.shape, tile.order), mask
    variables = axis_grid(tile.points.lo, tile.points.shape, tile.order)
    coords: list[IntArray] = []
    for k, (view, m) in enumerate(tile.subscripts):
        values = [np.asarray(x, np.int64) for x in apply_map(m, [*tile.captured, *variables])]
        if view is None:
            coords.append(values[0].reshape((1,) * len(tile.shape)) if values[0].ndim == 0 else values[0])
            continue
        values = [v.reshape((1,) * len(tile.shape)) if v.ndim == 0 else v for v in values]
        where = tuple(np.broadcast_arrays(*values)) if values else ()
        member = None if mask is None else _members(mask, np.shape(where[0]) if where else ())
        outside = _outside_indices(f, op, view, list(where), member)
        if outside is not None:
            inner = ~np.broadcast_to(outside, tile.shape)
            mask = inner if mask is None else mask & inner
            member = _members(mask, outside.shape)
        picked = read_coordinates(f, view, list(where), member, op, index=True)
        if tile.op is not None and SKIPS in tile.op.attributes:
            exists = np.broadcast_to(picked != NOWHERE, tile.shape)
            mask = exists if mask is None else mask & exists
            member = _members(mask, np.shape(picked))
            picked = np.where(picked == NOWHERE, 0, picked)
        limit = tile.base.sizes[k]
        bad = (picked < 0) | (picked >= limit)
        if member is not None:
            bad &= member
        if np.any(bad):
            at = tuple(int(i) for i in np.argwhere(bad)[0])
            raise error(
                op,
                f"'{op.name}'{f.where()}: index {int(picked[at])} at point {list(at)} is outside dimension {k} "
                f"of extent {limit} of the indexed view",
                _view_note(tile.base),
            )
        coords.append(picked.astype(np.int64))
    return coords, mask


def _outside_indices(
    f: Frame, op: Operation, view: View | DistributedView, coords: list[IntArray], member: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    """Which coordinates lie outside of a view of indices of dynamic extents (one warning); None where none does, for
    another view, and in strict mode."""
    if not isinstance(view, View) or not view.lenient or f.strict:
        return None
    shape = np.broadcast_shapes(*(c.shape for c in coords)) if coords else ()
    outside = ~np.broadcast_to(inside(view, coords), shape)
    if member is not None:
        outside = outside & np.broadcast_to(member, shape)
    if not outside.any():
        return None
    verb, effect = ("stores", "the store is dropped") if op.name.endswith("store") else ("loads", "zero is read")
    f.session.warnings.once(
        op,
        "outside index view",
        f"'{op.name}'{f.where()} {verb} where the index at coordinate {_first(coords, outside)} is outside the index "
        f"view of sizes {list(view.sizes)}; {effect}",
    )
    return outside


def _members(mask: NDArray[np.bool_], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which elements of an array that broadcasts to `mask` some member point needs."""
    axes = tuple(j for j, n in enumerate(shape) if n == 1 and mask.shape[j] != 1)
    return mask.any(axis=axes, keepdims=True)  # type: ignore[return-value]


def _view_note(view: View | DistributedView) -> list[tuple[Any, str]]:
    if view.op is None:
        return []
    return [(loc_of(view.op), f"the view of sizes {list(view.sizes)} is made here")]


def inside(view: View, coords: Sequence[IntArray]) -> NDArray[np.bool_]:
    """Which coordinates the view covers."""
    result = np.asarray(True)
    limits = view.sizes if view.bounds is None else tuple(map(min, view.sizes, view.bounds.shape))
    for c, n in zip(coords, limits, strict=True):
        result = result & (c >= 0) & (c < n)
    if view.bounds is not None and view.bounds.mask is not None:
        clipped = [np.clip(c, 0, n - 1) for c, n in zip(coords, view.bounds.shape, strict=True)]
        result = result & view.bounds.mask[tuple(np.broadcast_arrays(*clipped))]
    return np.asarray(result)


def _first(coords: Sequence[IntArray], where: NDArray[np.bool_]) -> list[int]:
    """Coordinates of the first element of `where` that is true."""
    at = tuple(np.argwhere(where)[0])
    return [int(np.broadcast_to(c, where.shape)[at]) for c in coords]


def _outside_view(f: Frame, op: Operation, view: View | DistributedView, coords: Sequence[IntArray], bad: Any) -> None:
    """Report coordinates outside a view: an error, or one warning where the view has a dynamic extent."""
    verb = "stores to" if op.name.endswith("store") else "loads from"
    message = (
        f"'{op.name}'{f.where()} {verb} coordinate {_first(coords, bad)} outside the view of sizes {list(view.sizes)}"
    )
    if f.strict or not (isinstance(view, DistributedView) or view.lenient):
        raise error(op, message, _view_note(view))
    effect = "the store is dropped" if op.name.endswith("store") else "zero is read"
    f.session.warnings.once(op, "outside view", f"{message}; {effect}")


def addresses(view: View, coords: Sequence[IntArray]) -> IntArray:
    """Byte addresses of coordinates."""
    result = np.asarray(view.base, np.int64)
    for c, s in zip(coords, view.strides, strict=True):
        result = result + c * s
    return result


def trouble(
    f: Frame, op: Operation, view: View, problem: OutsideMemory | Uninitialised, coords: Sequence[IntArray]
) -> HeadraceError:
    """The located error for an access that left every buffer, or read bytes never written."""
    where = addresses(view, coords)
    shape = np.broadcast_shapes(*(c.shape for c in coords)) if coords else ()
    where = np.broadcast_to(where, shape) if shape else where
    hits = (where <= problem.address) & (problem.address < where + view.dtype.bytes)
    at = _first([np.broadcast_to(c, where.shape) for c in coords], hits) if hits.any() else []
    verb = "stores to" if op.name.endswith("store") else "loads from"
    what = "outside every buffer" if isinstance(problem, OutsideMemory) else "never written"
    memory = "global memory" if view.owner is None else f"local memory of tile {view.owner}"
    return error(
        op,
        f"'{op.name}'{f.where()} {verb} coordinate {at} of a view of sizes {list(view.sizes)}: "
        f"byte {problem.address} of {memory} is {what}",
        _view_note(view),
    )


def read_coordinates(
    f: Frame,
    base: View | DistributedView,
    coords: list[IntArray],
    member: NDArray[np.bool_] | None,
    op: Operation,
    index: bool = False,
) -> Array:
    """Values at coordinates (broadcastable arrays); zero where `member` is false or outside a lenient view."""
    shape = np.broadcast_shapes(*(c.shape for c in coords)) if coords else ()
    if member is not None:
        shape = np.broadcast_shapes(shape, member.shape)
    result = np.zeros(shape, base.dtype.value_dtype)
    wanted = np.ones(shape, np.bool_) if member is None else np.broadcast_to(member, shape).copy()
    left = wanted.copy()
    parts = base.parts if isinstance(base, DistributedView) else ((base, None),)
    for view, points in reversed(parts):  # where partitions overlap the later one wins
        local = coords if points is None else [c - lo for c, lo in zip(coords, points.lo, strict=True)]
        here = np.broadcast_to(inside(view, local), shape) & left
        if not here.any():
            continue
        chosen = [np.broadcast_to(c, shape)[here] for c in local]
        try:
            where = addresses(view, chosen).reshape(-1) if chosen else np.asarray([view.base])
            result[here] = view.space.read_points(where, view.dtype)
        except (OutsideMemory, Uninitialised) as e:
            raise trouble(f, op, view, e, chosen) from e
        left &= ~here
    if left.any():
        if index:
            first = _first(coords, left)
            raise error(
                op,
                f"'{op.name}'{f.where()}: the index at coordinate {first} is outside the index view "
                f"of sizes {list(base.sizes)}",
                _view_note(base),
            )
        if isinstance(base, DistributedView) and np.array_equal(left, wanted) and wanted.any():
            raise error(
                op,
                f"'{op.name}'{f.where()}: no partition of the distributed view meets the region at "
                f"{_first(coords, left)} with extents {list(shape)}",
                _view_note(base),
            )
        _outside_view(f, op, base, coords, left)
    return result


def write_coordinates(
    f: Frame,
    base: View | DistributedView,
    coords: list[IntArray],
    member: NDArray[np.bool_] | None,
    op: Operation,
    data: Array,
) -> None:
    """Store `data` at coordinates; checks everything before it writes anything."""
    shape = data.shape
    left = np.ones(shape, np.bool_) if member is None else np.broadcast_to(member, shape).copy()
    jobs: list[tuple[View, list[IntArray], Array]] = []
    missing = left.copy()
    for view, points in base.parts if isinstance(base, DistributedView) else ((base, None),):
        local = coords if points is None else [c - lo for c, lo in zip(coords, points.lo, strict=True)]
        here = np.broadcast_to(inside(view, local), shape) & left
        missing &= ~here
        if here.any():
            jobs.append((view, [np.broadcast_to(c, shape)[here] for c in local], data[here]))
    if missing.any():
        _outside_view(f, op, base, coords, missing)
    for view, chosen, values in jobs:
        try:
            where = addresses(view, chosen).reshape(-1) if chosen else np.asarray([view.base])
            view.space.write_points(where, view.dtype, values)
        except OutsideMemory as e:
            raise trouble(f, op, view, e, chosen) from e


def box_of(tile: AccessTile) -> tuple[View, int, tuple[int, ...], tuple[int, ...]] | None:
    """(view, base byte, shape, byte strides) where the tile is a box that lies wholly inside a plain view."""
    view = tile.base
    if not isinstance(view, View) or tile.points.mask is not None:
        return None
    if view.bounds is not None and view.bounds.mask is not None:
        return None
    limits = view.sizes if view.bounds is None else tuple(map(min, view.sizes, view.bounds.shape))
    base = view.base
    for o, lo, n, limit, stride in zip(
        tile.origin, tile.points.lo, tile.points.shape, limits, view.strides, strict=True
    ):
        if o + lo < 0 or o + lo + n > limit:
            return None
        base += (o + lo) * stride
    return view, base, tile.shape, tuple(view.strides[d] for d in tile.order)


def load_tile(f: Frame, op: Operation, tile: AccessTile | IndirectTile) -> Array:
    """Values of an access tile, in the tile's shape."""
    if isinstance(tile, AccessTile):
        if isinstance(tile.base, np.ndarray):
            return _load_from_tensor(f, op, tile)
        box = box_of(tile)
        if box is not None:
            view, base, shape, strides = box
            try:
                return view.space.read_box(base, shape, strides, view.dtype)
            except (OutsideMemory, Uninitialised) as e:
                raise trouble(f, op, view, e, tile_points(f, tile, op)[0]) from e
    coords, mask = tile_points(f, tile, op)
    return np.broadcast_to(read_coordinates(f, tile.base, coords, mask, op), tile.shape)  # type: ignore[arg-type]


def _load_from_tensor(f: Frame, op: Operation, tile: AccessTile) -> Array:
    source = tile.base
    assert isinstance(source, np.ndarray)
    coords, mask = tile_points(f, tile, op)
    valid = np.ones(tile.shape, np.bool_) if mask is None else mask.copy()
    wanted = valid.copy()
    for c, n in zip(coords, source.shape, strict=True):
        valid = valid & (c >= 0) & (c < n)
    if not np.array_equal(valid, wanted):
        raise error(
            op,
            f"'{op.name}'{f.where()} loads coordinate {_first(coords, wanted & ~valid)} outside a tensor "
            f"of shape {list(source.shape)}",
        )
    clipped = [np.clip(c, 0, n - 1) for c, n in zip(coords, source.shape, strict=True)]
    picked = source[tuple(np.broadcast_arrays(*clipped))] if clipped else source
    return np.where(valid, np.broadcast_to(picked, tile.shape), np.zeros((), source.dtype))


def shaped_for(
    f: Frame, op: Operation, shape: tuple[int, ...], declared: tuple[int, ...], tile_op: Operation
) -> tuple[int, ...]:
    """The shape a tile's values take: its own, or the declared one of equal element count (a warning; an error in
    strict mode).
    """
    if len(declared) == len(shape) and all(d in (DYNAMIC_INDEX, n) for d, n in zip(declared, shape, strict=True)):
        return shape
    if len(declared) == len(shape) and 0 in shape and (0 in declared or DYNAMIC_INDEX in declared):
        # the extents of an empty set are all 0
        return tuple(0 if d == DYNAMIC_INDEX else d for d in declared)
    said = ", ".join("?" if d == DYNAMIC_INDEX else str(d) for d in declared)
    message = f"'{op.name}'{f.where()}: the access tile has extents {list(shape)}, its type says [{said}]"
    if f.strict or DYNAMIC_INDEX in declared or int(np.prod(declared)) != int(np.prod(shape)):
        raise error(op, message, [(loc_of(tile_op), "the access tile is made here")])
    f.session.warnings.once(op, "extents", message)
    return declared


def load(f: Any, op: Any) -> None:
    """`ktdp.load`."""
    tile = f.get(op.operands[0])
    t = op.results[0].type
    if not isinstance(tile.base, np.ndarray) and tile.base.dtype.name != element_dtype(t).name:
        raise error(
            op, f"'ktdp.load' of {element_dtype(t)} elements through a view of {tile.base.dtype}", _view_note(tile.base)
        )
    shape = shaped_for(f, op, tile.shape, static_shape(t), tile.op)
    f.values[op.results[0]] = load_tile(f, op, tile).reshape(shape)


def _store(f: Any, op: Any) -> None:
    tile = f.get(op.operands[1])
    data = f.get(op.operands[0])
    if isinstance(tile.base, np.ndarray):
        raise error(op, "'ktdp.store' through a tensor has no effect")
    dtype: DType = element_dtype(op.operands[0].type)
    if tile.base.dtype.name != dtype.name:
        raise error(op, f"'ktdp.store' of {dtype} elements through a view of {tile.base.dtype}", _view_note(tile.base))
    shaped_for(f, op, tile.shape, data.shape, tile.op)
    data = data.reshape(tile.shape)
    f.stored = True
    if isinstance(tile, AccessTile) and (box := box_of(tile)) is not None:
        view, base, shape, strides = box
        try:
            view.space.write_box(base, shape, strides, view.dtype, data)
        except OutsideMemory as e:
            raise trouble(f, op, view, e, tile_points(f, tile, op)[0]) from e
        return
    coords, mask = tile_points(f, tile, op)
    write_coordinates(f, tile.base, coords, mask, op, data)


def touches_global(tile: AccessTile | IndirectTile) -> bool:
    """Whether an access tile reads global memory (index views included)."""
    bases: list[Any] = [tile.base]
    if isinstance(tile, IndirectTile):
        bases += [view for view, _ in tile.subscripts if view is not None]
    for b in bases:
        parts = [v for v, _ in b.parts] if isinstance(b, DistributedView) else [b]
        if any(isinstance(v, View) and not isinstance(v.space, LocalSpace) for v in parts):
            return True
    return False


LEAVES: dict[str, Leaf] = {"ktdp.store": _store}
