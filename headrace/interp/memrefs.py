"""`memref` values while a scheduled program runs: strided views, their casts, whole-buffer reads and writes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, NoneAttr, StridedLayoutAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from headrace.interp.access import axis_grid, trouble
from headrace.interp.engine import Frame, Leaf
from headrace.interp.memory import LocalSpace, OutsideMemory, Space, Uninitialised
from headrace.interp.values import IndirectView, PartialTensor, View, element_dtype, mixed, row_major, static_shape
from headrace.interp.views import TileFrame, space_of
from headrace.ir.diagnostics import error
from headrace.ir.places import NOWHERE, SKIPS
from headrace.ir.slices import kept_dims

Array = NDArray[Any]


def layout_strides(t: Attribute, sizes: Sequence[int], op: Operation) -> tuple[int, ...]:
    """Strides (elements) of a memref type; dense row-major without a layout."""
    layout = getattr(t, "layout", None)
    if not isinstance(layout, StridedLayoutAttr):
        return row_major(sizes)
    strides = []
    for s in layout.strides:
        number = getattr(s, "data", None)
        if number is None:
            raise error(op, f"memref type {t} has a dynamic stride")
        strides.append(int(number))
    return tuple(strides)


def memory_of(f: Any, attr: Attribute | None, op: Operation) -> tuple[Space, object]:
    """The memory that a space names for this tile: global, its scratchpad, or a memory below it (one per instance)."""
    if attr is None or isinstance(attr, NoneAttr):
        return f.session.memory.main, None
    device = f.session.device
    if device is not None:
        kind = device.space_to_kind(attr)
        level = device.memory_level(kind)
        if level == 0:
            return f.session.memory.main, None
        if level == 1 and kind == device.scratchpad.kind:
            return f.session.memory.local(f.tile), f.tile
        shared = device.memory(kind).instances == 1
        owner = (f.tile,) if shared else (f.tile, *f.instances[-1:])
        return f.session.memory.local(owner, kind), owner
    if isinstance(attr, StringAttr):  # a kind, and no device that ranks it
        owner = (f.tile, *f.instances)
        return f.session.memory.local(owner, attr.data), owner
    return space_of(f, attr, op)


def view_at(f: Any, op: Operation, t: Attribute, base: int) -> View:
    """A view of static type `t` at byte address `base` of the memory its type names."""
    assert isinstance(t, MemRefType)
    sizes = static_shape(t)
    if DYNAMIC_INDEX in sizes:
        raise error(op, f"a buffer at a fixed address needs a static shape, got {t}")
    dtype = element_dtype(t)
    space, owner = memory_of(f, t.memory_space, op)
    strides = tuple(s * dtype.bytes for s in layout_strides(t, sizes, op))
    return View(space, base, sizes, strides, dtype, op, owner=owner)


def argument_view(f: TileFrame, argument: SSAValue, base: int) -> View:
    """The view of a kernel argument of memref type whose data start at byte `base` of global memory."""
    t = argument.type
    sizes = static_shape(t)
    dtype = element_dtype(t)
    owner = argument.owner
    parent = owner.parent_op() if not isinstance(owner, Operation) else owner
    assert parent is not None
    strides = tuple(s * dtype.bytes for s in layout_strides(t, sizes, parent))
    return View(f.session.memory.main, base, sizes, strides, dtype, parent)


def fresh(op: Operation, sizes: tuple[int, ...], t: Attribute, owner: object) -> View:
    """A newly allocated buffer; reading it before it is written is an error."""
    dtype = element_dtype(t)
    size = math.prod(sizes) * dtype.bytes
    return View(LocalSpace(size), 0, sizes, row_major(sizes, dtype.bytes), dtype, op, owner=owner)


def _alloc(f: Any, op: Any) -> None:
    t = op.results[0].type
    sizes = mixed(static_shape(t), f.all(op.dynamic_sizes))
    f.values[op.results[0]] = fresh(op, sizes, t, f.tile)


def _cast(f: Frame, op: Any) -> None:
    view = f.get(op.operands[0])
    for declared, actual in zip(static_shape(op.results[0].type), view.sizes, strict=True):
        if declared not in (DYNAMIC_INDEX, actual):
            raise error(op, f"'{op.name}'{f.where()}: shape {list(view.sizes)} contradicts type {op.results[0].type}")
    f.values[op.results[0]] = view


def _reinterpret_cast(f: Frame, op: Any) -> None:
    view = f.get(op.operands[0])
    offset = mixed(op.properties["static_offsets"].get_values(), f.all(op.offsets))[0]
    sizes = mixed(op.properties["static_sizes"].get_values(), f.all(op.sizes))
    strides = mixed(op.properties["static_strides"].get_values(), f.all(op.strides))
    width = view.dtype.bytes
    pointer = view.base if view.pointer is None else view.pointer
    byte_strides = tuple(s * width for s in strides)
    f.values[op.results[0]] = View(
        view.space,
        pointer + offset * width,
        sizes,
        byte_strides,
        view.dtype,
        op,
        view.lenient,
        None,
        view.owner,
        pointer,
    )


def _subview(f: Frame, op: Any) -> None:
    view = f.get(op.operands[0])
    offsets = mixed(op.properties["static_offsets"].get_values(), f.all(op.offsets))
    sizes = mixed(op.properties["static_sizes"].get_values(), f.all(op.sizes))
    strides = mixed(op.properties["static_strides"].get_values(), f.all(op.strides))
    base = view.base + sum(o * s for o, s in zip(offsets, view.strides, strict=True))
    stepped = tuple(a * b for a, b in zip(view.strides, strides, strict=True))
    shape = static_shape(op.results[0].type)
    if len(shape) < len(sizes):  # unit dimensions dropped
        kept = kept_dims(sizes, shape)
        sizes, stepped = tuple(sizes[k] for k in kept), tuple(stepped[k] for k in kept)
    pointer = view.base if view.pointer is None else view.pointer
    f.values[op.results[0]] = View(
        view.space, base, sizes, stepped, view.dtype, op, view.lenient, None, view.owner, pointer
    )


def _conversion_cast(f: Any, op: Any) -> None:
    t = op.results[0].type
    value = f.get(op.operands[0])
    f.values[op.results[0]] = (
        view_at(f, op, t, value) if isinstance(t, MemRefType) and isinstance(value, int) else value
    )


def box_values(
    f: Frame, op: Operation, view: View, origin: Sequence[int], sizes: Sequence[int], what: str = "reads"
) -> tuple[int, tuple[int, ...]]:
    """(base byte, shape) of the box `origin + [0, sizes)`; a located error where it leaves the view."""
    for k, (o, n, extent) in enumerate(zip(origin, sizes, view.sizes, strict=True)):
        if n < 0 or o < 0 or o + n > extent:
            raise error(
                op,
                f"'{op.name}'{f.where()} {what} box {list(origin)} + {list(sizes)}, which leaves dimension {k} "
                f"of a memref of sizes {list(view.sizes)}",
            )
    return view.base + sum(o * s for o, s in zip(origin, view.strides, strict=True)), tuple(sizes)


def _corner(origin: Sequence[int], sizes: Sequence[int]) -> list[Any]:
    return axis_grid(origin, sizes, range(len(sizes)))


def _indirect_memref(f: Any, op: Any) -> None:
    source, table = f.get(op.base), f.get(op.table)
    rows, columns = op.row_dims, op.column_dims
    sizes = [0] * (len(rows) + len(columns))
    for dims, view in ((rows, table), (columns, source)):
        for d, n in zip(dims, view.sizes, strict=False):
            sizes[d] = n
    strides = (0,) * len(sizes)
    f.values[op.results[0]] = IndirectView(
        source.space, source.base, tuple(sizes), strides, source.dtype, op, source.lenient, None, source.owner, None,
        source, table, rows,
    )  # fmt: skip


def _pieces(f: Any, op: Operation, view: IndirectView, origin: Sequence[int], sizes: Sequence[int]):
    """(position in the box, view of the row, its origin, its sizes) for every table element that a box meets."""
    assert view.source is not None and view.table is not None
    box_values(f, op, view, origin, sizes)
    source, table = view.source, view.table
    columns = [d for d in range(view.rank) if d not in view.rows]
    rest = [0] * (source.rank - len(columns))
    at = [origin[d] for d in view.rows] + [0] * (table.rank - len(view.rows))
    extents = [sizes[d] for d in view.rows] + [1] * (table.rank - len(view.rows))
    numbers = read_box(f, op, table, at, extents)
    skips = view.op is not None and SKIPS in view.op.attributes
    for where in np.ndindex(*extents):
        if skips and int(numbers[where]) == NOWHERE:
            continue
        moved = dataclasses.replace(source, base=source.base + int(numbers[where]) * source.dtype.bytes)
        place: list[Any] = [slice(None)] * view.rank
        for d, k in zip(view.rows, where, strict=False):
            place[d] = k
        yield tuple(place), moved, [origin[d] for d in columns] + rest, [sizes[d] for d in columns] + [1] * len(rest)


def read_box(f: Frame, op: Operation, view: View, origin: Sequence[int], sizes: Sequence[int]) -> Array:
    """Values of a box of a view. Raises located errors (out of the view, outside memory, never written)."""
    if isinstance(view, IndirectView):
        out = np.zeros(tuple(sizes), view.dtype.value_dtype)
        for place, row, at, extents in _pieces(f, op, view, origin, sizes):
            out[place] = read_box(f, op, row, at, extents).reshape(out[place].shape)
        return out
    base, shape = box_values(f, op, view, origin, sizes)
    try:
        return view.space.read_box(base, shape, view.strides, view.dtype)
    except (OutsideMemory, Uninitialised) as e:
        raise trouble(f, op, view, e, _corner(origin, sizes)) from e


def write_box(f: Any, op: Operation, view: View, origin: Sequence[int], data: Array) -> None:
    """Store `data` into the box of its shape at `origin`. Raises located errors."""
    if isinstance(view, IndirectView):
        for place, row, at, extents in _pieces(f, op, view, origin, data.shape):
            write_box(f, op, row, at, np.asarray(data[place]).reshape(extents))
        return
    base, shape = box_values(f, op, view, origin, data.shape, "writes")
    f.stored = True
    try:
        view.space.write_box(base, shape, view.strides, view.dtype, data)
    except OutsideMemory as e:
        raise trouble(f, op, view, e, _corner(origin, data.shape)) from e


def read_whole(f: Frame, op: Operation, view: View) -> Array:
    """All values of a view."""
    return read_box(f, op, view, (0,) * view.rank, view.sizes)


def write_whole(f: Frame, op: Operation, view: View, data: Array) -> None:
    """Overwrite a whole view."""
    write_box(f, op, view, (0,) * view.rank, np.broadcast_to(data, view.sizes))


def _load(f: Frame, op: Any) -> None:
    view = f.get(op.operands[0])
    origin = f.all(op.operands[1:])
    value = read_box(f, op, view, origin, (1,) * view.rank).reshape(())
    from headrace.interp.values import scalar

    f.values[op.results[0]] = scalar(value, view.dtype)


def _store(f: Frame, op: Any) -> None:
    value, view = f.get(op.operands[0]), f.get(op.operands[1])
    data = np.asarray(value, view.dtype.value_dtype).reshape((1,) * view.rank)
    write_box(f, op, view, f.all(op.operands[2:]), data)


def _copy(f: Frame, op: Any) -> None:
    source, target = f.get(op.operands[0]), f.get(op.operands[1])
    write_whole(f, op, target, read_whole(f, op, source))


def on_buffers(leaf: Leaf) -> Leaf:
    """A linalg operation that also works on memrefs: inputs are read whole, outputs are read, replaced and written
    back.
    """

    def run(f: Frame, op: Operation) -> None:
        views = {v: f.values[v] for v in op.operands if isinstance(f.values[v], View)}
        if not views:
            leaf(f, op)
            return
        outputs = list(getattr(op, "outputs", op.operands[-1:]))
        for v, view in views.items():
            if v in outputs:
                try:
                    f.values[v] = view.space.read_box(view.base, view.sizes, view.strides, view.dtype)
                except Uninitialised:
                    blank = np.zeros(view.sizes, view.dtype.value_dtype)
                    f.values[v] = PartialTensor(blank, np.zeros(view.sizes, np.bool_))
                except OutsideMemory as e:
                    raise trouble(f, op, view, e, _corner((0,) * view.rank, view.sizes)) from e
            else:
                f.values[v] = read_whole(f, op, view)
        f.outcome = ()
        try:
            leaf(f, op)
        finally:
            f.values.update(views)
        for v, data in zip(outputs, f.outcome, strict=False):
            if v in views:
                write_whole(f, op, views[v], data)

    return run


def integer(attr: Attribute | None, default: int) -> int:
    """Value of an optional integer attribute."""
    return attr.value.data if isinstance(attr, IntegerAttr) else default


LEAVES: dict[str, Leaf] = {
    "memref.alloc": _alloc,
    "memref.alloca": _alloc,
    "memref.cast": _cast,
    "memref.memory_space_cast": _cast,
    "memref.reinterpret_cast": _reinterpret_cast,
    "ktdf.indirect_memref": _indirect_memref,
    "memref.subview": _subview,
    "memref.load": _load,
    "memref.store": _store,
    "memref.copy": _copy,
    "builtin.unrealized_conversion_cast": _conversion_cast,
}
