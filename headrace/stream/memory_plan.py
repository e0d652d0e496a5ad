"""The memory plan of a block: which storage goes into the slab, which is allocated on its own, what loops hand on.

A slab is one allocation per device for a whole function; what loops and branches need inside is a slice of it, live
at the position of the loop. Storage that leaves the program or stays in a global is allocated on its own. A loop that
makes a fresh value per iteration gets two buffers that take turns; the initial value's storage is one of them where the
loop may have it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects.hal import device_of
from headrace.stream.costs import place_of
from headrace.stream.liveness import REGIONS, BlockLiveness, Carried, Roots
from headrace.stream.packing import align, lower_bound
from headrace.stream.slabs import ALIGNMENT, Layout, layout
from headrace.stream.storage import is_resource

Key = Hashable
"""Storage in a plan: a root value, a loop's buffer ('buffer', op, position, 0 or 1), or ('scratch', op, device)."""


@dataclass
class Slice:
    """Storage to be placed."""

    key: Key
    size: SSAValue
    place: Any
    start: int
    end: int
    nodes: set[int]
    last_op: int
    kind: Any
    """Resource type."""
    own: bool = False
    """Allocated on its own instead of in the slab."""
    kept: bool = False
    """Never deallocated here: it leaves through an export or a global, or is freed elsewhere."""
    least: int | None = None
    """What a nested block needs at least, where it has been given `size`."""
    indeterminate: bool = False
    """Of a size that changes from iteration to iteration: freed when nobody has it any more."""
    counted: bool = False
    """Given up at its last use instead of deallocated: a loop may have handed it on."""
    last: int = -1
    """End of the lifetime before it was prolonged for the time objective."""


@dataclass
class BlockPlan:
    """Everything about one block."""

    live: BlockLiveness
    slices: dict[Key, Slice] = field(default_factory=dict[Key, Slice])
    bound: dict[SSAValue, Key] = field(default_factory=dict[SSAValue, Key])
    """Fresh storage of this block that is written into storage of an outer block."""
    takes_init: dict[tuple[Operation, int], SSAValue] = field(default_factory=dict[tuple[Operation, int], SSAValue])
    """Loops that take the storage of an initial value as their second buffer."""
    exported_loops: set[tuple[Operation, int]] = field(default_factory=set[tuple[Operation, int]])
    counted: dict[tuple[Operation, int], bool] = field(default_factory=dict[tuple[Operation, int], bool])
    """Loops whose value changes its size, with reference counts for it; whether the result is freed in this block."""
    nested: dict[Block, BlockPlan] = field(default_factory=dict[Block, "BlockPlan"])
    scratch: dict[Any, int] = field(default_factory=dict[Any, int])
    """Bytes of constant size this block needs from its parent's slab, per device."""
    bounds: dict[Any, int] = field(default_factory=dict[Any, int])
    """Largest sum of constant sizes live at one position, per device."""
    layouts: dict[Any, tuple[list[Slice], Layout]] = field(
        default_factory=dict[Any, "tuple[list[Slice], Layout]"]
    )


class Planner:
    """Plans of a function's blocks, innermost first."""

    def __init__(self, entry: Block, roots: Roots, sizes: dict[SSAValue, SSAValue]):
        self.entry = entry
        self.roots = roots
        self.sizes = sizes
        self.changing: set[SSAValue] = set()
        """Fresh values that a loop hands on in a new size every time."""
        self.counted: set[SSAValue] = set()
        """Those of them whose owners are counted; the others are of indeterminate lifetime."""

    def plan(self, block: Block, outer: dict[SSAValue, Key] | None = None) -> BlockPlan:
        """The plan of a block; `outer`: yielded storage that has a place in an outer block."""
        live = BlockLiveness(block, self.roots)
        plan = BlockPlan(live)
        plan.bound.update(outer or {})
        order: list[Carried] = []
        grown: list[Carried] = []
        for index, op in enumerate(live.ops):
            if op.name in REGIONS:
                self._region(plan, op, index, order, grown)
        for root, maker in live.made.items():
            if root not in plan.bound:
                use = live.uses[root]
                plan.slices[root] = Slice(
                    root, self.sizes[root], self._place(maker), use.start, use.end, set(use.nodes), use.last_op,
                    root.type, own=root in self.changing, kept=root in self.changing,
                    indeterminate=root in self.changing and root not in self.counted,
                )  # fmt: skip
        self._loops(plan, order, grown)
        self._escapes(plan)
        self._sizes_known(plan)
        for carried in grown:
            # Where the loop does not run its initial value leaves instead of its result: it is counted as well.
            item = plan.slices.get(self.roots.of(carried.init))
            if plan.counted.get((carried.op, carried.position)) is False and item is not None and item.own:
                item.kept = item.counted = True
        return plan

    def _place(self, op: Any) -> Any:
        """Where the result of an operation lives."""
        if op.name == "stream.async.transfer" and op.target_affinity is not None:
            return op.target_affinity
        place = place_of(op)
        at = op
        while place is None and at is not None and at.parent_op() is not None:
            at = at.parent_op()
            if at.name in ("stream.async.execute", "stream.async.concurrent"):
                place = at.properties.get("affinity")
            else:
                break
        return place

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _region(
        self, plan: BlockPlan, op: Operation, index: int, order: list[Carried], grown: list[Carried]
    ) -> None:
        outer: dict[SSAValue, Key] = {}
        for carried in self.roots.carried[op]:
            if carried.double and changing(carried, self.sizes):
                root = self.roots.of(carried.yielded)
                self.changing.add(root)
                grown.append(carried)
                ends = self._ends(plan.live, carried)
                if ends is not None and _made_in(root, op):
                    self.counted.add(root)
                    plan.counted[op, carried.position] = ends
            elif carried.double:
                outer[self.roots.of(carried.yielded)] = ("next", op, carried.position)
                order.append(carried)
        for position, result in self.roots.slots.get(op, ()):
            for region in op.regions:
                last = region.blocks[0].last_op if region.blocks else None
                if last is None:
                    continue
                if op.name == "scf.while":
                    if last.name == "scf.condition":
                        outer[self.roots.of(last.operands[1 + position])] = result
                else:
                    outer[self.roots.of(last.operands[position])] = result
            place = self._slot_place(op, position)
            first, _ = plan.live.position[op]
            use = plan.live.uses.get(result)
            end = max(first, use.end if use is not None else first)
            nodes = {index, *(use.nodes if use is not None else ())}
            plan.slices[result] = Slice(
                result, self.sizes[result], place, first, end, nodes, max(index, use.last_op if use else 0), result.type
            )
        needs: dict[Any, int] = {}
        least: dict[Any, int] = {}
        for region in op.regions:
            for block in region.blocks:
                inner = self.plan(block, outer)
                plan.nested[block] = inner
                self._inner_layout(inner)
                for place, size in inner.scratch.items():
                    needs[place] = max(needs.get(place, 0), size)
                    device = device_of(place)
                    least[device] = max(least.get(device, 0), inner.bounds.get(device, 0))
        position, _ = plan.live.position[op]
        for place, size in needs.items():
            if size:
                plan.slices["scratch", op, place] = Slice(
                    ("scratch", op, place), size, place, position, position, {index}, index, None,  # pyright: ignore
                    least=least[device_of(place)],
                )

    def _ends(self, live: BlockLiveness, carried: Carried) -> bool | None:
        """Whether the result of a loop is used in this block only; False if it leaves by an export or a global.

        None where another loop, a branch or the end of the block hands it on.
        """
        if carried.result is None:
            return True
        root = self.roots.of(carried.result)
        stays = True
        for op in live.ops:
            if op is carried.op:
                continue
            inside = op.walk() if op.name in REGIONS else (op,)
            if not any(is_resource(v) and self.roots.of(v) is root for inner in inside for v in inner.operands):
                continue
            if op.name in REGIONS or op is live.ops[-1]:
                return None
            if op.name in ("stream.tensor.export", "util.global.store"):
                stays = False
        return stays

    def _slot_place(self, op: Operation, position: int) -> Any:
        for region in op.regions:
            last = region.blocks[0].last_op if region.blocks else None
            if last is None:
                continue
            at = position + (1 if last.name == "scf.condition" else 0)
            root = self.roots.of(last.operands[at])
            if isinstance(root.owner, Operation):
                return self._place(root.owner)
        return None

    def _loops(self, plan: BlockPlan, order: list[Carried], grown: list[Carried]) -> None:
        """Buffers of the loops of a block. Later loops first: what takes a result's storage prolongs it."""
        live = plan.live
        stored = {self.roots.of(op.operands[0]) for op in live.ops if op.name == "util.global.store"}
        prolonged: dict[SSAValue, tuple[int, set[int], int]] = {}
        handed: dict[SSAValue, list[Carried]] = {}
        for carried in (*order, *grown):
            handed.setdefault(self.roots.of(carried.init), []).append(carried)
        for carried in sorted((*order, *grown), key=lambda c: live.ops.index(c.op), reverse=True):
            op, index = carried.op, live.ops.index(carried.op)
            first, _ = live.position[op]
            use = live.uses.get(carried.result) if carried.result is not None else None
            end = max(first, use.end if use is not None else first)
            nodes = {index, *(use.nodes if use is not None else ())}
            last_op = max(index, use.last_op if use is not None else 0)
            if carried.result is not None and carried.result in prolonged:
                more_end, more_nodes, more_last = prolonged[carried.result]
                end, last_op = max(end, more_end), max(last_op, more_last)
                nodes |= more_nodes
            root = self.roots.of(carried.yielded)
            maker = root.owner
            place = self._place(maker) if isinstance(maker, Operation) else None
            size = self.sizes[carried.init]
            kind = carried.argument.type
            init = self.roots.of(carried.init)
            second = plan.slices.get(init)
            changes = changing(carried, self.sizes)
            takes = (
                second is not None
                and not changes
                and init in plan.slices
                and init not in stored
                and self._only_initial(live, op, init, first)
                and not self._may_be_read(live, handed, carried, init, first)
                and self.sizes[init] is size
            )
            if not changes:
                plan.slices["buffer", op, carried.position, 0] = Slice(
                    ("buffer", op, carried.position, 0), size, place, first, end, set(nodes), last_op, kind
                )
            if takes:
                plan.takes_init[op, carried.position] = init
            # A loop that does not run hands its initial value on.
            if second is not None:
                second.end = max(second.end, end)
                second.nodes |= nodes
                second.last_op = max(second.last_op, last_op)
            else:
                before = prolonged.get(init, (end, set[int](), last_op))
                prolonged[init] = (max(before[0], end), before[1] | nodes, max(before[2], last_op))
            if not takes and not changes:
                plan.slices["buffer", op, carried.position, 1] = Slice(
                    ("buffer", op, carried.position, 1), size, place, first, end, set(nodes), last_op, kind
                )

    def _may_be_read(
        self, live: BlockLiveness, handed: dict[SSAValue, list[Carried]], taker: Carried, root: SSAValue, position: int
    ) -> bool:
        """Whether the result of another loop may be this storage (the loop did not run) and is used from here on."""
        work, seen = [root], set[SSAValue]()
        while work:
            at = work.pop()
            if at in seen:
                continue
            seen.add(at)
            for other in handed.get(at, ()):
                if other is taker or other.result is None:
                    continue
                use = live.uses.get(other.result)
                if use is not None and use.end >= position:
                    return True
                work.append(other.result)
        return False

    def _only_initial(self, live: BlockLiveness, op: Operation, root: SSAValue, position: int) -> bool:
        use = live.uses[root]
        if use.end > position or use.last_op > live.ops.index(op):
            return False
        count = 0
        for inner in op.walk():
            for value in inner.operands:
                if self.roots.of(value) is root:
                    count += 1
        return count == 1

    # ---- what leaves the block --------------------------------------------------------------------------------------

    def _escapes(self, plan: BlockPlan) -> None:
        by_result: dict[SSAValue, tuple[Operation, int]] = {
            c.result: (c.op, c.position)
            for op in plan.live.ops
            if op.name in REGIONS
            for c in self.roots.carried[op]
            if c.double and c.result is not None and not changing(c, self.sizes)
        }
        for op in plan.live.ops:
            if op.name not in ("stream.tensor.export", "util.global.store", "util.return"):
                continue
            for value in op.operands:
                root = self.roots.of(value)
                found = plan.slices.get(root)
                if found is not None:
                    found.own = found.kept = True
                elif root in by_result:
                    loop, position = by_result[root]
                    plan.exported_loops.add((loop, position))
                    for number in (0, 1):
                        item = plan.slices.get(("buffer", loop, position, number))
                        if item is not None:
                            item.own = item.kept = True
                    init = plan.takes_init.get((loop, position))
                    if init is not None:
                        plan.slices[init].own = plan.slices[init].kept = True
        transient = "transient"
        for item in plan.slices.values():
            if item.kind is not None and item.kind.lifetime.data != transient:
                item.own = True

    def _sizes_known(self, plan: BlockPlan) -> None:
        """Slices whose size is computed only after the first use of the slab are allocated on their own."""
        firsts: dict[Any, int] = {}
        for item in plan.slices.values():
            if not item.own and item.nodes:
                at = min(item.nodes)
                device = device_of(item.place)
                firsts[device] = min(firsts.get(device, at), at)
        index = {op: i for i, op in enumerate(plan.live.ops)}
        for item in plan.slices.values():
            if item.own or isinstance(item.size, int) or constant_of(item.size) is not None:
                continue
            owner = item.size.owner
            at = index.get(owner) if isinstance(owner, Operation) else None
            if at is not None and not _floats(owner, index):
                item.own = True

    # ---- layouts ----------------------------------------------------------------------------------------------------

    def _inner_layout(self, plan: BlockPlan) -> None:
        """Constant slices of a nested block, packed; the parent provides the bytes."""
        by_place: dict[Any, list[Slice]] = {}
        for item in plan.slices.values():
            if item.own:
                continue
            if isinstance(item.size, int) or constant_of(item.size) is not None:
                by_place.setdefault(device_of(item.place), []).append(item)
            else:
                item.own = True
        for device, items in by_place.items():
            found = layout_slices_of(items)
            plan.layouts[device] = (items, found)
            plan.bounds[device] = least_bytes(items)
            plan.scratch[items[0].place] = align(found.packing.total, ALIGNMENT)

    def top_layout(self, plan: BlockPlan) -> None:
        """Slices of the function's own block, per device."""
        by_place: dict[Any, list[Slice]] = {}
        for item in plan.slices.values():
            if not item.own:
                by_place.setdefault(device_of(item.place), []).append(item)
        for device, items in by_place.items():
            items.sort(key=lambda s: (s.start, s.end))
            plan.layouts[device] = (items, layout_slices_of(items))
            plan.bounds[device] = least_bytes(items)


def _made_in(root: SSAValue, loop: Operation) -> bool:
    """Whether storage is made by an operation of a loop's body itself, not deeper."""
    at = root.owner
    if not isinstance(at, Operation) or not at.name.startswith("stream.async."):
        return False
    parent = at.parent_op()
    while parent is not None and parent.name not in REGIONS:
        parent = parent.parent_op()
    return parent is loop


def changing(carried: Carried, sizes: dict[SSAValue, SSAValue]) -> bool:
    """Whether the size of a carried value is another one in every iteration."""
    one, two = sizes.get(carried.yielded), sizes.get(carried.init)
    if one is None or two is None or one is two:
        return False
    number = constant_of(one)
    return number is None or number != constant_of(two)


def layout_slices_of(items: list[Slice]) -> Layout:
    """The layout of slices; sizes that are numbers count as constants."""
    return layout([s.size for s in items], [(s.start, s.end) for s in items])


def least_bytes(items: list[Slice]) -> int:
    """Lower bound of the bytes for the slices of constant size."""
    sizes: list[int] = []
    intervals: list[tuple[int, int]] = []
    for item in items:
        number = item.least if item.least is not None else constant_of(item.size)
        if number is not None:
            sizes.append(align(number, ALIGNMENT))
            intervals.append((item.start, item.last if item.last >= 0 else item.end))
    return lower_bound(sizes, intervals)


def _floats(op: Operation | Any, index: dict[Operation, int]) -> bool:
    """Whether a size can be computed at the head of the block: from arguments and imports only."""
    work = [op]
    while work:
        at = work.pop()
        if not at.name.startswith(("arith.", "util.align", "hal.buffer_view.dim")):
            return False
        for value in at.operands:
            owner = value.owner
            if isinstance(owner, Operation) and owner in index:
                work.append(owner)
    return True
