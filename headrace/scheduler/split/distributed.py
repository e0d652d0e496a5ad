"""Loads and stores through distributed memory views, by way of a buffer in the scratchpad.

Which partition holds which element is found for every tile and iteration from the kernel's text. What lies in another
tile's scratchpad moves by `headrace.exchange`; what lies in memory that the tile reaches itself is copied.

    ktdp.store %x, %d[..]   ->   store %x, B ; headrace.exchange(B, %partition0, %partition1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    DenseIntOrFPElementsAttr,
    IntAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.analysis.sets import Unbounded, apply_map, permutation, points_of
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects import ktdp
from headrace.ir.types import dtype_of
from headrace.scheduler.access import address_unit
from headrace.scheduler.build import Emitter, ancestors, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.exchanges import Box, Exchanger
from headrace.scheduler.split.groups import depends_on
from headrace.scheduler.split.hazards import used_behind
from headrace.scheduler.split.static import NotStatic

PASS = "tile-communication"
Shape = tuple[int, ...]
Region = tuple[Shape, Shape]
"""(start, extents) of a box of coordinates."""
MOST_ITERATIONS = 4096


@dataclass(frozen=True)
class Partition:
    """One view of a distributed view: the box of global coordinates it covers; `owner` is a tile, None for the running
    tile's own scratchpad, -1 for memory that all tiles reach."""

    view: ktdp.ConstructMemoryViewOp
    start: Shape
    shape: Shape
    strides: Shape
    owner: int | None

    @property
    def extents(self) -> Shape:
        """Sizes of the view."""
        return tuple(self.view.static_sizes.get_values())  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Part:
    """What one tile moves between the buffer and a partition: start in the buffer's box, start in the partition."""

    tile: int
    partition: int
    near: Shape
    far: Shape
    shape: Shape
    at: Shape


def lower_distributed(exchanger: Exchanger) -> None:
    """Rewrite every access through a distributed view of a kernel."""
    kernel = exchanger.kernel
    for op in list(walk_ops(kernel, "ktdp.load", "ktdp.store")):
        tile = op.operands[-1].owner
        base = getattr(tile, "base", None)
        view = base.owner if isinstance(base, SSAValue) else None
        named = isinstance(view, ktdp.ConstructMemoryViewOp) and owner_of(view.memory_space) not in (None, -1)
        if named or isinstance(view, ktdp.ConstructDistributedMemoryViewOp):
            if not isinstance(tile, ktdp.ConstructAccessTileOp):
                raise error(tile, f"an indirect access to scratchpads of certain tiles is not supported by {PASS}")  # type: ignore[arg-type]
            _Access(exchanger, op, tile, view).run()  # type: ignore[arg-type]
    for name in ("ktdp.construct_access_tile", "ktdp.construct_distributed_memory_view"):
        for op in list(walk_ops(kernel, name)):
            distributed = isinstance(op, ktdp.ConstructDistributedMemoryViewOp) or isinstance(
                op.operands[0].owner, ktdp.ConstructDistributedMemoryViewOp
            )
            if not op.results[0].uses:
                op.detach()
                op.erase()
            elif distributed:
                raise error(op, f"this use of a distributed view is not supported by {PASS}")


def owner_of(space: Attribute) -> int | None:
    """The tile whose scratchpad a memory space names: None the running one's, -1 memory of all."""
    text = str(space)
    if "ct_local" not in text and "LX" not in text:
        return -1
    named = [getattr(space, name, None) for name in ("ct_id", "core")]
    return next((n.data for n in named if isinstance(n, IntAttr) and n.data >= 0), None)


def partition_of(view: Operation, op: Operation) -> Partition:
    """A partition. Raises HeadraceError for what is not a box of known extents and strides."""
    if not isinstance(view, ktdp.ConstructMemoryViewOp):
        raise error(op, "a partition of a distributed view must come from ktdp.construct_memory_view")
    sizes = tuple(view.static_sizes.get_values())  # type: ignore[attr-defined]
    strides = tuple(view.static_strides.get_values())  # type: ignore[attr-defined]
    if DYNAMIC_INDEX in sizes or DYNAMIC_INDEX in strides or min(strides, default=0) < 0:
        raise error(view, f"a partition of extents or strides only known at launch is not supported by {PASS}")
    covered = view.properties.get("coordinate_set")
    start, shape = (0,) * len(sizes), sizes
    if isinstance(covered, AffineSetAttr):
        try:
            points = points_of(covered.data)
        except Unbounded:
            raise error(view, "the coordinate set of a partition has no constant bounds") from None
        if points.mask is not None:
            raise error(view, f"a partition whose coordinate set is no box is not supported by {PASS}")
        start, shape = points.lo, points.shape
    return Partition(view, start, shape, strides, owner_of(view.memory_space))


def meet(a: Region, b: Region) -> Region | None:
    """The common box of two boxes."""
    low = tuple(max(x, y) for x, y in zip(a[0], b[0], strict=True))
    high = tuple(min(x + n, y + m) for x, n, y, m in zip(a[0], a[1], b[0], b[1], strict=True))
    extents = tuple(h - x for x, h in zip(low, high, strict=True))
    return (low, extents) if min(extents, default=1) > 0 else None


def without(a: Region, b: Region) -> list[Region]:
    """`a` without the box `b` inside it, as boxes."""
    left: list[Region] = []
    start, shape = list(a[0]), list(a[1])
    for d in range(len(start)):
        before, behind = b[0][d] - start[d], start[d] + shape[d] - b[0][d] - b[1][d]
        for at, n in ((start[d], before), (b[0][d] + b[1][d], behind)):
            if n > 0:
                left.append(((*start[:d], at, *start[d + 1 :]), (*shape[:d], n, *shape[d + 1 :])))
        start[d], shape[d] = b[0][d], b[1][d]
    return left


class _Access:
    """One load or store."""

    def __init__(self, exchanger: Exchanger, op: Operation, tile: ktdp.ConstructAccessTileOp,
                 view: ktdp.ConstructDistributedMemoryViewOp | ktdp.ConstructMemoryViewOp):  # fmt: skip
        self.x, self.op, self.tile, self.view = exchanger, op, tile, view
        self.is_store = op.name == "ktdp.store"
        assert isinstance(tile.access_tile_set, AffineSetAttr) and isinstance(tile.access_tile_order, AffineMapAttr)
        if isinstance(view, ktdp.ConstructMemoryViewOp):
            whole = partition_of(view, view)
            self.partitions = [replace(whole, start=(0,) * len(whole.strides), shape=whole.extents)]
        else:
            self.partitions = [partition_of(v.owner, view) for v in view.operands]  # type: ignore[arg-type]
        for p in self.partitions:
            if p.owner is not None and p.owner >= exchanger.static.tiles:
                count = exchanger.static.tiles
                raise error(p.view, f"memory space names tile {p.owner}, but the grid has {count} tiles")
        try:
            points = points_of(tile.access_tile_set.data, tuple(self.constant(v) for v in tile.symbols))
        except Unbounded:
            raise error(tile, "the set of this access tile has no constant bounds") from None
        order = permutation(tile.access_tile_order.data)
        if points.mask is not None or order is None:
            raise error(tile, f"an access through a distributed view over no box is not supported by {PASS}")
        self.low, self.extents = points.lo, points.shape
        shape = [self.extents[d] for d in order]
        dense = tiles.dense_strides(shape)
        self.shape = tuple(shape)
        self.strides = tuple(dense[order.index(d)] for d in range(len(order)))
        assert isinstance(view.results[0].type, MemRefType)
        self.element = view.results[0].type.element_type

    def constant(self, v: SSAValue) -> int:
        try:
            found = {self.x.static.value(v, t, {}) for t in range(self.x.static.tiles)}
        except NotStatic as e:
            raise self.launch(e) from None
        if len(found) != 1:
            raise error(self.tile, f"an access tile whose extents differ between tiles is not supported by {PASS}")
        return found.pop()

    def launch(self, problem: NotStatic) -> HeadraceError:
        owner = problem.value.owner
        note = [(owner, "computed here")] if isinstance(owner, Operation) else []
        return error(
            self.op,
            f"'{self.op.name}' accesses a distributed view at coordinates only known at launch; {PASS} must know which "
            "partition holds them",
            note,
        )

    # -- where things lie ---------------------------------------------------------------------------------------------

    def place(self) -> None:
        """The operation that the exchange stands beside, and the loops that its moves depend on."""
        static = self.x.static
        self.anchor = self.op
        for around in ancestors(self.op):
            if isinstance(around, scf.IfOp) and static.varies(around.cond):
                self.anchor = around
        if self.anchor is not self.op:
            self.check_condition()
        loops = [o for o in reversed(list(ancestors(self.op))) if isinstance(o, scf.ForOp)]
        indices = list(self.tile.indices)
        self.loops = [o for o in loops if any(depends_on(v, o.body.block.args[0]) for v in indices)]
        inside = set(walk_ops(self.anchor)) if self.anchor is not self.op else set()
        for o in loops:
            if o in inside:
                what = "an access through a distributed view in a loop under a condition on the tile id"
                raise error(self.op, f"{what} is not supported by {PASS}")

    def check_condition(self) -> None:
        """What is hoisted out of a condition must not cross other accesses in it."""
        seen = False
        for other in walk_ops(self.anchor, "ktdp.load", "ktdp.store"):
            if other is self.op:
                seen = True
            elif other.name == "ktdp.store" and not self.is_store and not seen:
                what = "this load through a distributed view would move in front of a store"
                raise error(self.op, f"{what} under the same condition on the tile id; not supported by {PASS}",
                            [(other, "stored here")])
            elif other.name == "ktdp.load" and self.is_store and seen:
                what = "this store through a distributed view would move behind a load"
                raise error(self.op, f"{what} under the same condition on the tile id; not supported by {PASS}",
                            [(other, "loaded here")])

    def parts(self) -> list[Part]:
        """All that all tiles move; notes whether a load has points that no partition holds."""
        static = self.x.static
        found: list[Part] = []
        self.holes = False
        assert isinstance(self.tile.base_map, AffineMapAttr)
        try:
            points = list(static.iterations(self.loops))
            if len(points) * static.tiles > MOST_ITERATIONS * 8:
                what = f"an access through a distributed view in {len(points)} iterations"
                raise error(self.op, f"{what} is not supported by {PASS}")
            for known in points:
                at = tuple(known[o.body.block.args[0]] for o in self.loops)
                for t in range(static.tiles):
                    if not static.reached(self.op, t, known):
                        continue
                    base = apply_map(self.tile.base_map.data, [static.value(v, t, known) for v in self.tile.indices])
                    start = tuple(int(a) + b for a, b in zip(cast(list[int], base), self.low, strict=True))
                    found += self.tile_parts(t, start, at)
        except NotStatic as e:
            raise self.launch(e) from None
        return found

    def tile_parts(self, tile: int, start: Shape, at: Shape) -> list[Part]:
        """What one tile moves: a load takes each element from the last partition that holds it, a store goes to all."""
        whole: Region = (start, self.extents)
        left = [whole]
        found: list[Part] = []
        for k in range(len(self.partitions) - 1, -1, -1):
            p = self.partitions[k]
            rest: list[Region] = []
            for region in [whole] if self.is_store else left:
                common = meet(region, (p.start, p.shape))
                if common is None:
                    rest.append(region)
                    continue
                near = tuple(a - b for a, b in zip(common[0], start, strict=True))
                far = tuple(a - b for a, b in zip(common[0], p.start, strict=True))
                found.append(Part(tile, k, near, far, common[1], at))
                rest += without(region, common)
            left = rest
        if not found:
            raise error(
                self.op,
                f"'{self.op.name}' on tile {tile}: no partition of the distributed view meets the region at "
                f"{list(start)} of extents {list(self.extents)}",
            )
        self.holes |= bool(left)
        return found

    # -- rewriting ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Replace the access."""
        self.place()
        parts = self.parts()
        owners = {p: self.partitions[p.partition].owner for p in parts}
        remote = any(o not in (None, -1, p.tile) for p, o in owners.items())
        if remote:
            self.x.need_interconnect(self.op, "access to another core's scratchpad")
        joined = [p for p, o in owners.items() if o != -1 and (remote or p.at)]
        if joined:
            self.x.need_interconnect(self.op, "this access to a distributed view")
        direct = [p for p in parts if p not in set(joined)]
        address = self.x.buffer(prod(self.shape), self.element, self.op)
        here = Emitter(InsertPoint.before(self.op), self.op)
        if self.is_store:
            self.x.store(here, self.op.operands[0], address)
            outside = Emitter(InsertPoint.after(self.anchor), self.op)
            for p in self.partitions:
                self.check_readers(p)
        else:
            outside = Emitter(InsertPoint.before(self.anchor), self.op)
            if self.holes:
                zeros = DenseIntOrFPElementsAttr.from_list(TensorType(self.element, list(self.shape)), [0])  # type: ignore[arg-type]
                self.x.store(outside, outside.insert(arith.ConstantOp(zeros)).results[0], address)
        self.exchange(outside, address, joined)
        self.copies(outside, address, direct)
        if not self.is_store:
            value = self.x.load(here, address, self.shape, self.element)
            if value.type != self.op.results[0].type:
                value = here.insert(tensor.CastOp(value, self.op.results[0].type)).results[0]  # type: ignore[arg-type]
            self.op.results[0].replace_all_uses_with(value)
        self.op.detach()
        self.op.erase()

    def check_readers(self, p: Partition) -> None:
        """What a tile has loaded from its scratchpad must not be needed after another tile has written there."""
        if p.owner == -1:
            return
        start = constant_of(p.view.offset)
        span = (1 + sum((n - 1) * s for n, s in zip(p.extents, p.strides, strict=True))) * dtype_of(self.element).bytes
        unit = dtype_of(self.element).bytes if address_unit(p.view, linear(p.view.offset)) == "element" else 1
        written = None if start is None else (start * unit, start * unit + span)
        load = used_behind(self.x.kernel, self.anchor, written)
        if load is not None:
            what = "the loaded value is used after a store to the same memory"
            raise error(load, f"{what}; {PASS} loads where the value is used, which would read the new elements",
                        [(self.op, "overwritten here")])

    def exchange(self, emit: Emitter, address: int, parts: Sequence[Part]) -> None:
        """Move parts between scratchpads."""
        if not parts:
            return
        used = sorted({p.partition for p in parts})
        buffer = self.x.flat(address, prod(self.shape), self.element, emit)
        memrefs = [buffer]
        numbers: dict[object, int] = {}
        for k in used:
            p = self.partitions[k]
            span = 1 + sum((n - 1) * s for n, s in zip(p.extents, p.strides, strict=True))
            start = constant_of(p.view.offset)
            key = (p.view.offset if start is None else start, span)
            if key not in numbers:
                numbers[key] = len(memrefs)
                memrefs.append(tiles.make_view(emit, p.view.offset, [span], [1], self.element, self.x.room.space))
            numbers[k] = numbers[key]
        boxes = []
        for part in parts:
            p = self.partitions[part.partition]
            near = sum(a * s for a, s in zip(part.near, self.strides, strict=True))
            far = sum(a * s for a, s in zip(part.far, p.strides, strict=True))
            owner = part.tile if p.owner is None else p.owner
            number = numbers[part.partition]
            if self.is_store:
                boxes.append(Box(part.tile, owner, 0, number, near, far, part.shape, self.strides, p.strides, part.at))
            else:
                boxes.append(Box(owner, part.tile, number, 0, far, near, part.shape, p.strides, self.strides, part.at))
        self.x.exchange(emit, memrefs, boxes, self.op, [o.body.block.args[0] for o in self.loops])

    def copies(self, emit: Emitter, address: int, parts: Sequence[Part]) -> None:
        """Copy parts between the buffer and memory that the tile reaches itself."""
        if any(p.at for p in parts):
            what = "an access through a distributed view whose partition changes with a loop"
            raise error(self.op, f"{what} is supported by {PASS} only between scratchpads")
        width = dtype_of(self.element).bytes
        groups: dict[tuple[int, Shape, Shape], dict[Shape, list[int]]] = {}
        for p in parts:
            groups.setdefault((p.partition, p.near, p.shape), {}).setdefault(p.far, []).append(p.tile)
        for (k, near, shape), places in groups.items():
            p = self.partitions[k]
            offset = sum(a * s for a, s in zip(near, self.strides, strict=True))
            for members, far in self.forms(places):
                inner = self.x.guarded(emit, members)
                buffer = self.x.room.view(
                    address + offset * width, list(shape), self.element, inner, strides=list(self.strides)
                )
                own = tiles.make_tile(inner, buffer, [Linear()] * len(shape), list(shape))
                space = p.view.memory_space if p.owner == -1 else self.x.room.space
                view = tiles.make_view(inner, p.view.offset, list(p.extents), list(p.strides), self.element, space)
                there = tiles.make_tile(inner, view, far, list(shape))
                source, target = (own, there) if self.is_store else (there, own)
                tiles.store(inner, tiles.load(inner, source, self.element), target)

    def forms(self, places: dict[Shape, list[int]]) -> list[tuple[list[int], list[Linear]]]:
        """Tiles with their coordinates: one form for all where these grow evenly with the tile id."""
        by_tile = sorted((t, far) for far, members in places.items() for t in members)
        if len(places) > 1 and len(by_tile) == len(dict(by_tile)):
            (t0, a), (t1, b) = by_tile[0], by_tile[1]
            slopes = [(y - x) // (t1 - t0) for x, y in zip(a, b, strict=True)]
            if all(far == tuple(x + s * (t - t0) for x, s in zip(a, slopes, strict=True)) for t, far in by_tile):
                tile = self.x.tile()
                forms = [Linear(x - s * t0, {tile: s} if s else {}) for x, s in zip(a, slopes, strict=True)]
                return [([t for t, _ in by_tile], forms)]
        return [(members, [Linear(x) for x in far]) for far, members in places.items()]
