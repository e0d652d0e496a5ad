"""Memory views, access tiles, loads and stores of `ktdp`.

Addresses: a view whose start derives from a kernel argument is in bytes, one whose start is built from constants only is in
elements of its type; a module attribute `headrace.address_unit` overrides both. Coordinates outside a view with a dynamic
extent read zero and are not stored (one warning per operation, an error in strict mode); outside any other view, and outside
every buffer, they are errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from headrace.interp.engine import Frame, Leaf, coordinates, grid_of
from headrace.interp.memory import LocalSpace, OutsideMemory, Space, Uninitialised
from headrace.interp.points import IntArray, PointSet, Unbounded, apply_map, permutation, points_of
from headrace.interp.values import (
    AccessTile,
    DistributedView,
    IndirectTile,
    View,
    element_dtype,
    mixed,
    scalar,
    static_shape,
)
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.location import loc_of
from headrace.numerics.dtypes import DType

Array = NDArray[Any]


class TileFrame(Frame):
    """A frame that runs as compute tile `tile` of `grid`."""

    def __init__(self, session: Any, tile: int, grid: Sequence[int]):
        super().__init__(session)
        self.tile = tile
        self.grid = tuple(grid)
        self.coordinates = coordinates(tile, grid)
        self.stored = False
        """Whether global memory was written since the last phase boundary."""

    @property
    def tiles(self) -> int:
        return int(np.prod(self.grid, dtype=np.int64))

    def where(self) -> str:
        return f" on tile {self.tile}" if self.tiles > 1 else ""


# -- address units -------------------------------------------------------------------------------------------------------


def address_unit(op: Operation, callers: dict[str, list[Operation]]) -> str:
    """`byte` or `element`: the unit of a memory view's start address (see the module docstring)."""
    parent: Operation | None = op
    while parent is not None:
        attr = parent.attributes.get("headrace.address_unit")
        if attr is not None:
            return str(getattr(attr, "data", attr))
        parent = parent.parent_op()
    return "byte" if roots(op.operands[0], callers) else "element"


def roots(value: SSAValue, callers: dict[str, list[Operation]]) -> set[BlockArgument]:
    """Arguments of kernels (functions nobody calls) that `value` is computed from, through regions and calls."""
    found: set[BlockArgument] = set()
    seen: set[SSAValue] = set()
    todo = [value]
    while todo:
        v = todo.pop()
        if v in seen:
            continue
        seen.add(v)
        if not isinstance(v, BlockArgument):
            op = v.owner
            assert isinstance(op, Operation)
            todo += op.operands
            for region in op.regions:
                if region.blocks and (last := region.blocks[-1].last_op) is not None:
                    todo += last.operands
            continue
        parent = v.block.parent_op()
        if isinstance(parent, FuncOp):
            calls = callers.get(parent.sym_name.data, [])
            if calls:
                todo += [c.operands[v.index] for c in calls]
            else:
                found.add(v)
        elif parent is not None and parent.name == "scf.for":
            todo.append(parent.operands[0] if v.index == 0 else parent.operands[2 + v.index])
            if v.index and (last := v.block.last_op) is not None:
                todo.append(last.operands[v.index - 1])
        elif parent is not None:
            todo += parent.operands
    return found


def calls_of(module: Operation) -> dict[str, list[Operation]]:
    """All `func.call` operations by callee name."""
    found: dict[str, list[Operation]] = {}
    for op in module.walk():
        if op.name == "func.call":
            found.setdefault(op.properties["callee"].string_value(), []).append(op)  # type: ignore[attr-defined]
    return found


def root_module(op: Operation) -> Operation:
    """The outermost operation around `op`."""
    while (parent := op.parent_op()) is not None:
        op = parent
    return op


# -- memory spaces -------------------------------------------------------------------------------------------------------


def space_kind(attr: Attribute | None) -> tuple[str, int | None]:
    """`("global", None)`, or `("local", k)` with the tile a KTIR memory space names (None: the executing tile)."""
    text = str(attr) if attr is not None else "global"
    if "ct_local" in text or re.search(r"\bL[X0]\b", text):
        named = re.search(r"(?:ct_id|core)\s*=\s*(\d+)", text)
        return "local", int(named[1]) if named else None
    return "global", None


def space_of(f: TileFrame, attr: Attribute | None, op: Operation) -> tuple[Space, int | None]:
    """The memory a KTIR memory space names on this tile, and the owning tile (None for global memory)."""
    key = ("space", attr)
    if key not in f.session.cache:
        f.session.cache[key] = space_kind(attr)
    kind, owner = f.session.cache[key]
    if kind == "global":
        return f.session.memory.main, None
    if owner is None:
        owner = f.tile
    if owner >= f.tiles:
        raise error(op, f"memory space names tile {owner}, but the grid has {f.tiles} tiles")
    return f.session.memory.local(owner), owner


# -- views ---------------------------------------------------------------------------------------------------------------


def memory_view(f: TileFrame, op: Any, sizes: tuple[int, ...], space: Space, owner: int | None) -> View:
    """The view that a `construct_memory_view` makes for this tile; sizes are known."""
    unit_key = (op, "unit")
    cache = f.session.cache
    if unit_key not in cache:
        if "callers" not in cache:
            cache["callers"] = calls_of(root_module(op))
        cache[unit_key] = address_unit(op, cache["callers"])
    t = op.results[0].type
    dtype = element_dtype(t)
    strides = mixed(op.static_strides.get_values(), f.all(op.strides))
    offset = f.get(op.offset)
    base = offset if cache[unit_key] == "byte" else offset * dtype.bytes
    for k, (declared, actual) in enumerate(zip(static_shape(t), sizes, strict=True)):
        if declared not in (DYNAMIC_INDEX, actual):
            raise error(op, f"memory view{f.where()}: size {k} is {actual}, but its type {t} says {declared}")
        if actual < 0:
            raise error(op, f"memory view{f.where()}: size {k} is negative ({actual})")
    static = op.static_sizes.get_values()
    lenient = any(n == DYNAMIC_INDEX for n in static)
    bounds = view_bounds(op, tuple(n for n, s in zip(sizes, static, strict=True) if s == DYNAMIC_INDEX), sizes)
    return View(space, base, sizes, tuple(s * dtype.bytes for s in strides), dtype, op, lenient, bounds, owner)


def coordinate_points(op: Any, symbols: tuple[int, ...]) -> PointSet | None:
    """Points of a view's coordinate set; None where it has none or it is unbounded."""
    attr = op.properties.get("coordinate_set")
    if attr is None:
        return None
    try:
        return points_of(attr.data, symbols[: attr.data.num_symbols])
    except Unbounded:
        return None


def view_bounds(op: Any, symbols: tuple[int, ...], sizes: tuple[int, ...]) -> PointSet | None:
    """The coordinate set shifted to the view's origin, or None where it covers the whole box."""
    points = coordinate_points(op, symbols)
    if points is None or (points.mask is None and all(a >= b for a, b in zip(points.shape, sizes, strict=True))):
        return None
    return PointSet((0,) * len(sizes), points.shape, points.mask)


def _memory_view(f: Any, op: Any) -> None:
    sizes = mixed(op.static_sizes.get_values(), f.all(op.sizes))
    space, owner = space_of(f, op.properties.get("memory_space"), op)
    f.values[op.results[0]] = memory_view(f, op, sizes, space, owner)


def _distributed_view(f: Any, op: Any) -> None:
    parts: list[tuple[View, PointSet]] = []
    for v in op.operands:
        view = f.get(v)
        if not isinstance(view, View) or view.op is None:
            raise error(op, "a partition of a distributed view must come from ktdp.construct_memory_view")
        static = view.op.static_sizes.get_values()  # type: ignore[attr-defined]
        symbols = tuple(n for n, s in zip(view.sizes, static, strict=True) if s == DYNAMIC_INDEX)
        points = coordinate_points(view.op, symbols) or PointSet((0,) * view.rank, view.sizes)
        parts.append((view, points))
    t = op.results[0].type
    rank = len(static_shape(t))
    ends = [max((p.lo[k] + p.shape[k] for _, p in parts), default=0) for k in range(rank)]
    for k, (declared, actual) in enumerate(zip(static_shape(t), ends, strict=True)):
        if declared not in (DYNAMIC_INDEX, actual):
            raise error(op, f"distributed view: extent {k} is {declared}, but its partitions cover {actual}")
    f.values[op.results[0]] = DistributedView(tuple(parts), tuple(ends), element_dtype(t), op)


# -- tiles ---------------------------------------------------------------------------------------------------------------


def _points(f: Frame, op: Any, points: Any, symbols: Sequence[int]) -> PointSet:
    try:
        return points_of(points.data, tuple(symbols))
    except Unbounded as e:
        raise error(op, f"'{op.name}'{f.where()}: {e}") from e


def _order(op: Any, name: str) -> tuple[int, ...]:
    attr = op.properties.get(name)
    if attr is None:
        return tuple(range(len(static_shape(op.results[0].type))))
    order = permutation(attr.data)
    if order is None:
        raise error(op, f"{name} must be a permutation of the set's dimensions")
    return order


def _access_tile(f: Frame, op: Any) -> None:
    base = f.get(op.base)
    origin = tuple(int(x) for x in apply_map(op.base_map.data, f.all(op.indices)))
    points = _points(f, op, op.access_tile_set, f.all(op.symbols))
    f.values[op.results[0]] = AccessTile(base, origin, points, _order(op, "access_tile_order"), op)


def _indirect_tile(f: Frame, op: Any) -> None:
    base = f.get(op.base)
    kinds = [bool(k) for k in op.per_dim_subscript_kinds.get_values()]
    views = iter([f.get(v) for v in op.indirect_memrefs])
    subscripts = tuple(
        (next(views) if kind else None, m.data) for kind, m in zip(kinds, op.per_dim_subscript_maps.data, strict=True)
    )
    captured = f.all(op.captured_variables)
    points = _points(f, op, op.variables_space_set, f.all(op.symbols))
    f.values[op.results[0]] = IndirectTile(base, subscripts, captured, points, _order(op, "variables_space_order"), op)


# -- reading and writing -------------------------------------------------------------------------------------------------


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
        picked = read_coordinates(f, view, list(where), member, op, index=True)
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


def _members(mask: NDArray[np.bool_], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which elements of an array that broadcasts to `mask` some member point needs."""
    axes = tuple(j for j, n in enumerate(shape) if n == 1 and mask.shape[j] != 1)
    return mask.any(axis=axes, keepdims=True)


def _view_note(view: View | DistributedView) -> list[tuple[Any, str]]:
    if view.op is None:
        return []
    return [(loc_of(view.op), f"the view of sizes {list(view.sizes)} is made here")]


def inside(view: View, coords: Sequence[IntArray]) -> NDArray[np.bool_]:
    """Which coordinates the view covers."""
    result = np.ones((1,) * len(coords), np.bool_)
    limits = view.sizes if view.bounds is None else tuple(map(min, view.sizes, view.bounds.shape))
    for c, n in zip(coords, limits, strict=True):
        result = result & (c >= 0) & (c < n)
    if view.bounds is not None and view.bounds.mask is not None:
        clipped = [np.clip(c, 0, n - 1) for c, n in zip(coords, view.bounds.shape, strict=True)]
        result = result & view.bounds.mask[tuple(np.broadcast_arrays(*clipped))]
    return result


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
    result = np.full((1,) * len(coords), view.base, np.int64)
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
                f"'{op.name}'{f.where()}: the index at coordinate {first} is outside the index view of sizes {list(base.sizes)}",
                _view_note(base),
            )
        if isinstance(base, DistributedView) and np.array_equal(left, wanted) and wanted.any():
            raise error(
                op,
                f"'{op.name}'{f.where()}: no partition of the distributed view meets the region at {_first(coords, left)} "
                f"with extents {list(shape)}",
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
            f"'{op.name}'{f.where()} loads coordinate {_first(coords, wanted & ~valid)} outside a tensor of shape {list(source.shape)}",
        )
    clipped = [np.clip(c, 0, n - 1) for c, n in zip(coords, source.shape, strict=True)]
    picked = source[tuple(np.broadcast_arrays(*clipped))] if clipped else source
    return np.where(valid, np.broadcast_to(picked, tile.shape), np.zeros((), source.dtype))


def shaped_for(
    f: Frame, op: Operation, shape: tuple[int, ...], declared: tuple[int, ...], tile_op: Operation
) -> tuple[int, ...]:
    """The shape a tile's values take: its own, or the declared one of equal element count (a warning; an error in strict mode)."""
    if len(declared) == len(shape) and all(d in (DYNAMIC_INDEX, n) for d, n in zip(declared, shape, strict=True)):
        return shape
    message = f"'{op.name}'{f.where()}: the access tile has extents {list(shape)}, its type says {list(declared)}"
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


# -- tile ids and runtime arguments --------------------------------------------------------------------------------------


def _tile_id(f: Any, op: Any) -> None:
    cache = f.session.cache
    key = (op, "grid")
    if key not in cache:
        parent = op.parent_op()
        while parent is not None and not isinstance(parent, FuncOp):
            parent = parent.parent_op()
        cache[key] = grid_of(parent) if parent is not None and "grid" in parent.attributes else f.grid
    grid = cache[key]
    n = len(op.results)
    if n < len(grid) and any(extent != 1 for extent in grid[n:]):
        message = f"get_compute_tile_id drops grid dimensions {list(grid[n:])} that are not 1"
        f.session.warnings.once(op, "tile id", message)
    where = f.coordinates if grid == f.grid else coordinates(f.tile, grid)
    f.set(op, *(where[k] if k < len(grid) else 0 for k in range(n)))


def _extract(f: Any, op: Any) -> None:
    from headrace.interp.arguments import extract_kind

    kind, t = extract_kind(op)
    if kind == "value":
        f.values[op.results[0]] = f.get(op.operands[0])
    else:
        f.values[op.results[0]] = scalar(
            t.granularity if kind == "granularity" else t.upperbound, element_dtype(op.results[0].type)
        )


LEAVES: dict[str, Leaf] = {
    "ktdp.get_compute_tile_id": _tile_id,
    "ktdp.construct_memory_view": _memory_view,
    "ktdp.construct_distributed_memory_view": _distributed_view,
    "ktdp.construct_access_tile": _access_tile,
    "ktdp.construct_indirect_access_tile": _indirect_tile,
    "ktdp.store": _store,
    "ktdp.runtime_arg_extract": _extract,
}
