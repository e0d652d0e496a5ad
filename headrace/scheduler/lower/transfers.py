"""`ktdf.data_transfer` and FIFO accesses.

Memory to memory: the boxes of both sides are cut into common factors, outermost first. The innermost factor becomes
vectors of `lanes` elements (and one narrower vector for a remainder); factors that both sides walk by the same distance
become time dimensions of one `agen.composite_load_and_store`, the others loops around it. Factors that are contiguous
on both sides are joined where that saves a loop or a remainder.

Memory to FIFO: one `agen.vector_load`, a `vectorchain.shuffle` for a splat, one `dataflow.send`. FIFO to memory: one
`dataflow.receive`, one `agen.vector_store`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from headrace.ir.construct import operand_groups
from headrace.ir.diagnostics import error
from headrace.ir.dialects import agen, dataflow, vectorchain
from headrace.ir.dialects.ktdf import IndirectMemrefOp
from headrace.ir.places import SKIPS
from headrace.ir.types import integer_values, vector_type
from headrace.scheduler.lower import loops
from headrace.scheduler.lower.memrefs import resolve
from headrace.scheduler.lower.shared_reads import SHARE, emit_shared
from headrace.scheduler.lower.units import UnitProgram
from headrace.scheduler.lower.views import Side, box_set, identity, make_side, plus, scaled


@dataclass(frozen=True)
class Factor:
    """A common factor of both boxes: `extent` steps of `step` indices in dimension `dim` of each side."""

    extent: int
    src: tuple[int, int]
    dst: tuple[int, int]


def emit_transfer(unit: UnitProgram, op: Operation) -> None:
    """Lower one `ktdf.data_transfer`."""
    groups = operand_groups(op)
    source, destination = groups[0][0], groups[3][0]
    from_memory, to_memory = isinstance(source.type, MemRefType), isinstance(destination.type, MemRefType)
    if from_memory and to_memory:
        _memory_to_memory(unit, op)
    elif from_memory:
        _memory_to_fifo(unit, op)
    elif to_memory:
        _fifo_to_memory(unit, op)
    else:
        raise error(op, "Unsupported data transfer: FIFO to FIFO transfers are not allowed")


def fifo_end(op: Operation, slot: Attribute, end: str) -> str:
    """The unit kind at one end ("src" or "dest") of a slot type."""
    attr = getattr(slot, end)
    if not isinstance(attr, StringAttr):
        raise error(op, "unsupported FIFO endpoint attribute type")
    return attr.data


def lanes_of(unit: UnitProgram, op: Operation, element: Attribute) -> int:
    """Most elements of one vector: the lanes of the type, or what an entry of the FIFO that `op` uses holds. Raises
    HeadraceError for a device without compute unit."""
    if unit.device.compute_kind is None:
        raise error(
            op, "cannot determine the hardware vector width: the architecture declares no compute resource kind"
        )
    ends = [(fifo_end(op, v.type, "src"), fifo_end(op, v.type, "dest")) for v in op.operands if hasattr(v.type, "dest")]
    entries = [unit.device.entry_lanes(a, b, element) for a, b in ends]
    return max([unit.device.vector_lanes(element), _matrix_width(unit, op), *entries])


def _matrix_width(unit: UnitProgram, op: Operation) -> int:
    """Columns of the matrix unit at one end of a FIFO that `op` uses; 0 where there is none."""
    width = 0
    for v in op.operands:
        for end in ("src", "dest"):
            kind = getattr(getattr(v.type, end, None), "data", None)
            spec = unit.device.unit(kind).matrix if kind in unit.device.units else None
            width = max(width, spec.n if spec is not None else 0)
    return width


def _side(unit: UnitProgram, op: Operation, name: str) -> Side:
    sizes = integer_values(op.properties[f"static_{name}_sizes"])
    if any(s < 0 for s in sizes):
        raise error(op, "data_transfer with dynamic sizes cannot be lowered to DataflowIR")
    groups = operand_groups(op)
    (memref,), indices, _ = groups[:3] if name == "source" else groups[3:]
    subscripts = op.properties[f"{name}_map"].data  # type: ignore[attr-defined]
    return make_side(unit, memref, subscripts, indices, sizes)


def _slot_elements(slot: SSAValue) -> int:
    return slot.type.num_elements.data  # type: ignore[attr-defined]


def _check_width(unit: UnitProgram, op: Operation, total: int, element: Attribute) -> None:
    width = lanes_of(unit, op, element)
    if total > width:
        raise error(
            op,
            f"data transfer of {total} elements exceeds the hardware vector width of {width}; "
            "a FIFO entry holds one vector",
        )


def _memory_to_fifo(unit: UnitProgram, op: Operation) -> None:
    side = _side(unit, op, "source")
    slot = op.destination  # type: ignore[attr-defined]
    element = side.type.element_type
    have, want = prod(side.sizes), _slot_elements(slot)
    mode = op.attributes.get("transfer_mode")
    splat = isinstance(mode, StringAttr) and mode.data in ("splat", "pad")
    if splat:
        if have > want:
            raise error(op, "source total elements must not exceed destination for splat/pad transfer")
        if mode.data == "splat" and want % have:  # type: ignore[union-attr]
            raise error(op, "dst_total_elements must be divisible by src_total_elements for splat transfer")
    elif have != want:
        raise error(op, f"transfer of {have} elements into a FIFO slot of {want}")
    _check_width(unit, op, want, element)
    vector = load_box(unit, op, side)
    if splat and have != want:
        if mode.data == "splat":  # type: ignore[union-attr]
            shuffle = vectorchain.ShuffleOp(vector, range(have), want // have, vector_type(element, want))
        else:
            zero = unit.hoisted(
                ("zero", element),
                lambda: unit.hoist(vectorchain.ConstantBitstreamOp([0], vector_type(element, 1))).result,
            )
            shuffle = vectorchain.ShuffleOp(
                vector, [*range(have), *[-1] * (want - have)], 1, vector_type(element, want), pad=[zero]
            )
        vector = unit.add(shuffle).result
    unit.add(dataflow.SendOp(unit.peer(fifo_end(op, slot.type, "dest"), op), vector))


def load_box(unit: UnitProgram, op: Operation, side: Side) -> SSAValue:
    """One vector with the elements of a box, row-major."""
    if not side.holds_box():
        raise error(op, "the elements of one vector are not a box of the memory view")
    vector = vector_type(side.type.element_type, prod(side.sizes))
    sizes = side.vector_set(dict(enumerate(side.sizes)))
    return unit.add(agen.VectorLoadOp(side.view, side.operands, side.map, sizes, identity(side.rank), vector)).result


def store_box(unit: UnitProgram, op: Operation, side: Side, vector: SSAValue) -> None:
    """Store one vector into a box, row-major."""
    if not side.holds_box():
        raise error(op, "the elements of one vector are not a box of the memory view")
    sizes = side.vector_set(dict(enumerate(side.sizes)))
    unit.add(agen.VectorStoreOp(vector, side.view, side.operands, side.map, sizes, identity(side.rank)))


def _fifo_to_memory(unit: UnitProgram, op: Operation) -> None:
    side = _side(unit, op, "dest")
    total = prod(side.sizes)
    slot = op.source  # type: ignore[attr-defined]
    if total != _slot_elements(slot):
        raise error(op, f"transfer of a FIFO slot of {_slot_elements(slot)} elements into {total}")
    _check_width(unit, op, total, side.type.element_type)
    peer = unit.peer(fifo_end(op, slot.type, "src"), op)
    vector = unit.add(dataflow.ReceiveOp(peer, vector_type(side.type.element_type, total))).result
    store_box(unit, op, side, vector)


def _memory_to_memory(unit: UnitProgram, op: Operation) -> None:
    groups = operand_groups(op)
    views = {name: resolve(v) for name, v in (("source", groups[0][0]), ("dest", groups[3][0]))}
    if any(isinstance(v, IndirectMemrefOp) for v in views.values()):
        _indirect(unit, op, views)
        return
    source, destination = _side(unit, op, "source"), _side(unit, op, "dest")
    if SHARE in op.attributes:
        emit_shared(unit, op, source, destination)
    else:
        _copy_box(unit, op, source, destination)


def _indirect(unit: UnitProgram, op: Operation, views: dict[str, Operation]) -> None:
    """A transfer with an indirect side: one composite per element of the table, in loops over its rows."""
    name = "source" if isinstance(views["source"], IndirectMemrefOp) else "dest"
    other_name = "dest" if name == "source" else "source"
    view = views[name]
    assert isinstance(view, IndirectMemrefOp)
    if isinstance(views[other_name], IndirectMemrefOp):
        raise error(op, "a transfer from one indirect memref to another is not supported")
    sizes: list[int] = list(op.properties[f"static_{name}_sizes"].get_values())  # type: ignore[attr-defined]
    if any(s < 0 for s in sizes):
        raise error(op, "data_transfer with dynamic sizes cannot be lowered to DataflowIR")
    other = _side(unit, op, other_name)
    rows, columns = view.row_dims, view.column_dims
    if tuple(sizes) != other.sizes:
        raise error(op, "both sides of an indirect transfer must have the same sizes")
    m: AffineMap = op.properties[f"{name}_map"].data  # type: ignore[attr-defined]
    indices = getattr(op, f"{name}_indices")

    def part(memref: SSAValue, dims: tuple[int, ...], extents: list[int]) -> Side:
        rank = len(memref.type.get_shape())  # type: ignore[attr-defined]
        left = rank - len(dims)
        exprs = (*(m.results[d] for d in dims), *[AffineExpr.constant(0)] * left)
        return make_side(unit, memref, AffineMap(m.num_dims, m.num_symbols, exprs), indices, [*extents, *[1] * left])

    base = part(view.base, columns, [sizes[d] for d in columns])
    table = part(view.table, rows, [1] * len(rows))

    def nest(k: int, table: Side, other: Side) -> None:
        if k == len(rows):
            moved, near = base.copy(), other.copy()
            moved.table, moved.skips = table, SKIPS in view.attributes
            near.sizes = tuple(1 if d in rows else n for d, n in enumerate(sizes))
            _copy_box(unit, op, *((moved, near) if name == "source" else (near, moved)))
            return
        if sizes[rows[k]] == 1:
            nest(k + 1, table, other)
            return
        block = loops.loop(unit, unit.constant(0), unit.constant(sizes[rows[k]]), hint="row")
        t, o = table.copy(), other.copy()
        t.advance(unit, k, 1, block.args[0])
        o.advance(unit, rows[k], 1, block.args[0])
        nest(k + 1, t, o)
        loops.close(unit)

    nest(0, table, other)


def _copy_box(unit: UnitProgram, op: Operation, src: Side, dst: Side) -> None:
    total = prod(dst.sizes)
    if prod(src.sizes) != total:
        raise error(op, f"source and destination of a transfer hold {prod(src.sizes)} and {total} elements")
    if total == 0:
        return
    width = lanes_of(unit, op, dst.type.element_type)
    if total <= width and src.holds_box() and dst.holds_box():
        _composite(unit, src, dst, dict(enumerate(src.sizes)), dict(enumerate(dst.sizes)), total, [])
        return
    factors = _factors(op, src.sizes, dst.sizes, total, width)
    factors = _join(factors, src, dst, width)
    if factors and not (_unit_scale(src, factors[-1].src) and _unit_scale(dst, factors[-1].dst)):
        factors.append(Factor(1, (len(src.sizes) - 1, 1), (len(dst.sizes) - 1, 1)))
    inner = factors.pop()
    time: list[Factor] = []
    around: list[Factor] = []
    for f in factors:
        (time if _same_distance(f, src, dst) else around).append(f)
    _loops(unit, around, src, dst, lambda s, d: _vectors(unit, s, d, time, inner, width))


def _unit_scale(side: Side, walk: tuple[int, int]) -> bool:
    return side.scale[walk[0]] == 1


def _distance(side: Side, walk: tuple[int, int]) -> int | None:
    stride = side.strides[walk[0]]
    return stride * walk[1] if isinstance(stride, int) else None


def _same_distance(f: Factor, src: Side, dst: Side) -> bool:
    a, b = _distance(src, f.src), _distance(dst, f.dst)
    return a is not None and a == b and isinstance(src.scale[f.src[0]], int) and isinstance(dst.scale[f.dst[0]], int)


def _factors(op: Operation, src: tuple[int, ...], dst: tuple[int, ...], total: int, width: int) -> list[Factor]:
    """Common factors of both boxes, outermost first."""
    out: list[Factor] = []
    i, j = len(src) - 1, len(dst) - 1
    a, b = (src[i] if src else 1), (dst[j] if dst else 1)
    step_a = step_b = 1
    while True:
        while a == 1 and i > 0:
            i, step_a = i - 1, 1
            a = src[i]
        while b == 1 and j > 0:
            j, step_b = j - 1, 1
            b = dst[j]
        if a == 1 and b == 1:
            break
        common = min(a, b)
        if a % common or b % common:
            raise error(
                op,
                f"source and destination walked dimensions must match to split a transfer of {total} elements across "
                f"multiple vectors of {width}",
            )
        out.append(Factor(common, (i, step_a), (j, step_b)))
        a, b = a // common, b // common
        step_a, step_b = step_a * common, step_b * common
    return out[::-1]


def _join(factors: list[Factor], src: Side, dst: Side, width: int) -> list[Factor]:
    """Join neighbours that are contiguous on both sides where it saves a loop or a remainder vector."""
    out: list[Factor] = []
    for f in reversed(factors):
        if out:
            g = out[-1]
            contiguous = all(
                isinstance(side.scale[p[0]], int)
                and isinstance(side.scale[q[0]], int)
                and _distance(side, p) is not None
                and _distance(side, q) is not None
                and _distance(side, p) == _distance(side, q) * g.extent  # type: ignore[operator]
                for side, p, q in ((src, f.src, g.src), (dst, f.dst, g.dst))
            )
            if contiguous and ((len(out) == 1 and g.extent % width) or not _same_distance(f, src, dst)):
                out[-1] = Factor(f.extent * g.extent, g.src, g.dst)
                continue
        out.append(f)
    return out[::-1]


def _loops(unit: UnitProgram, around: list[Factor], src: Side, dst: Side, emit) -> None:
    if not around:
        emit(src, dst)
        return
    f = around[0]
    block = loops.loop(unit, unit.constant(0), unit.constant(f.extent), hint="k")
    s, d = src.copy(), dst.copy()
    s.advance(unit, *f.src, block.args[0])
    d.advance(unit, *f.dst, block.args[0])
    _loops(unit, around[1:], s, d, emit)
    loops.close(unit)


def _vectors(unit: UnitProgram, src: Side, dst: Side, time: list[Factor], inner: Factor, width: int) -> None:
    """The innermost factor as full vectors and one narrower vector."""
    (si, sstep), (di, dstep) = inner.src, inner.dst
    full, rest = divmod(inner.extent, width)
    if full == 1:
        _composite(unit, src, dst, {si: width}, {di: width}, width, time)
    elif full > 1:
        walk = Factor(full, (si, sstep * width), (di, dstep * width))
        if _same_distance(walk, src, dst):
            _composite(unit, src, dst, {si: width}, {di: width}, width, [*time, walk])
        else:
            _loops(unit, [walk], src, dst, lambda s, d: _composite(unit, s, d, {si: width}, {di: width}, width, time))
    if rest:
        s, d = src.copy(), dst.copy()
        if full:
            s.advance(unit, si, sstep, full * width)
            d.advance(unit, di, dstep, full * width)
        _composite(unit, s, d, {si: rest}, {di: rest}, rest, time)


def _time_map(side: Side, walks: list[tuple[int, int]], dims: int) -> AffineMapAttr:
    results: list[AffineExpr] = [AffineExpr.constant(0)] * side.rank
    for t, (d, step) in enumerate(walks):
        scale = side.scale[d]
        assert isinstance(scale, int)
        place = side.place[d]
        results[place] = plus(results[place], scaled(AffineExpr.dimension(t), step * scale))
    return AffineMapAttr(AffineMap(dims, 0, tuple(results)))


def _composite(
    unit: UnitProgram, src: Side, dst: Side, load: dict[int, int], store: dict[int, int], lanes: int, time: list[Factor]
) -> None:
    extents = [f.extent for f in time] or [1]
    if src.table is not None or dst.table is not None:
        composite = _indirect_composite(src, dst, load, store, lanes, time, extents)
        if src.skips or dst.skips:
            composite.attributes[SKIPS] = UnitAttr()
        unit.add(composite)
        return
    unit.add(
        agen.CompositeLoadAndStoreOp(
            src.view,
            src.map,
            src.operands,
            dst.view,
            dst.map,
            dst.operands,
            vector_type=vector_type(src.type.element_type, lanes),
            load_set=src.vector_set(load),
            load_order=identity(src.rank),
            store_set=dst.vector_set(store),
            store_order=identity(dst.rank),
            time_set=box_set(extents),
            time_order=identity(len(extents)),
            load_time_addr_map=_time_map(src, [f.src for f in time], len(extents)),
            store_time_addr_map=_time_map(dst, [f.dst for f in time], len(extents)),
        )
    )


def _indirect_composite(
    src: Side,
    dst: Side,
    load: dict[int, int],
    store: dict[int, int],
    lanes: int,
    time: list[Factor],
    extents: list[int],
) -> Operation:
    def table(side: Side) -> tuple[list[SSAValue], list[SSAValue], AffineMapAttr | None]:
        found = side.table
        return ([found.view], found.operands, found.map) if found is not None else ([], [], None)

    (from_view, from_operands, from_map), (to_view, to_operands, to_map) = table(src), table(dst)
    block = Block([agen.YieldOp()], arg_types=[vector_type(src.type.element_type, lanes)])
    return agen.CompositeIndirectLoadAndStoreOp.build(
        operands=[
            from_view, src.view, to_view, dst.view, from_operands, src.operands, to_operands, dst.operands, [], [],
        ],
        properties={
            "indirect_src_map": from_map,
            "direct_src_map": src.map,
            "indirect_dst_map": to_map,
            "direct_dst_map": dst.map,
            "load_set": src.vector_set(load),
            "load_order": identity(src.rank),
            "store_set": dst.vector_set(store),
            "store_order": identity(dst.rank),
            "time_set": box_set(extents),
            "time_order": identity(len(extents)),
            "load_direct_time_addr_map": _time_map(src, [f.src for f in time], len(extents)),
            "store_direct_time_addr_map": _time_map(dst, [f.dst for f in time], len(extents)),
        },
        regions=[Region(block)],
    )  # fmt: skip
