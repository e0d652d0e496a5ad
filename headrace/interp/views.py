"""Memory views and access tiles of `ktdp`: pure descriptions, no memory is touched.

Addresses: a view whose start derives from a kernel argument is in bytes, one whose start is built from constants only
is in elements of its type; a module attribute `headrace.address_unit` overrides both.
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

from headrace.interp.engine import Frame, Leaf, grid_of
from headrace.interp.memory import Space
from headrace.interp.points import PointSet, Unbounded, apply_map, permutation, points_of
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
from headrace.ir.analysis.grid import position
from headrace.ir.diagnostics import error

Array = NDArray[Any]


class TileFrame(Frame):
    """A frame that runs as compute tile `tile` of `grid`."""

    def __init__(self, session: Any, tile: int, grid: Sequence[int]):
        super().__init__(session)
        self.tile = tile
        self.grid = tuple(grid)
        self.coordinates = position(tile, grid)
        self.stored = False
        """Whether global memory was written since the last phase boundary."""

    @property
    def tiles(self) -> int:
        return int(np.prod(self.grid, dtype=np.int64))

    def where(self) -> str:
        return f" on tile {self.tile}" if self.tiles > 1 else ""


# -- address units ---------------------------------------------------------------------------------------------------


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


# -- memory spaces ---------------------------------------------------------------------------------------------------


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


# -- views -----------------------------------------------------------------------------------------------------------


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


def names_owner(op: Any) -> bool:
    """Whether a memory view is of the scratchpad of a certain tile."""
    return space_kind(op.properties.get("memory_space"))[1] is not None


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


# -- tiles -----------------------------------------------------------------------------------------------------------


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
    kinds = [bool(k.value.data) for k in op.per_dim_subscript_kinds.data]
    views = iter([f.get(v) for v in op.indirect_memrefs])
    subscripts = tuple(
        (next(views) if kind else None, m.data) for kind, m in zip(kinds, op.per_dim_subscript_maps.data, strict=True)
    )
    captured = f.all(op.captured_variables)
    points = _points(f, op, op.variables_space_set, f.all(op.symbols))
    f.values[op.results[0]] = IndirectTile(base, subscripts, captured, points, _order(op, "variables_space_order"), op)


# -- tile ids and runtime arguments ----------------------------------------------------------------------------------


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
    where = f.coordinates if grid == f.grid else position(f.tile, grid)
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
    "ktdp.runtime_arg_extract": _extract,
}
