"""Values become memory: slabs, buffers, loops that hand buffers on; executions become command lists.

Precondition: executions and waves are formed. Postcondition: the command level; every transient has a slice of a slab
(`resource.pack`, resolved by `layout-slices`) or an allocation of its own, deallocated behind its last use and off
every consumer's wait. Where two slices share bytes the later writer comes after all users of the earlier one: with the
memory objective by an added wait, with the time objective by not sharing unless the order is there already.

```
%r, %t = stream.async.execute with(%x as %a) -> T{%s} {     %slab, %t0 = stream.resource.alloca uninitialized : ..
  %m = stream.async.dispatch @k(%a ..)                      %out, %t1 = stream.resource.alloca .. await(%t0)
  %r = stream.async.dispatch @k(%m ..)               ->     %t = stream.cmd.execute await(%t1) => with(..) {
  stream.yield %r }                                           stream.cmd.dispatch @k { ro %a, wo %slab[%o0 ..] }
                                                              stream.cmd.dispatch @k { ro %slab[..], wo %out } }
                                                            %d = stream.resource.dealloca await(%t) => %slab ..
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.shapes import Constants, constant_of
from headrace.ir.dialects._stream_format import INDEX, TIMEPOINT, group, make_op
from headrace.ir.dialects.stream_cmd import CmdExecuteOp
from headrace.ir.dialects.stream_resource import ResourceAllocaOp, ResourceDeallocaOp, ResourcePackOp, ResourceSubviewOp
from headrace.ir.dialects.stream_timeline import TimepointAwaitOp, TimepointJoinOp
from headrace.ir.dialects.stream_types import resource
from headrace.ir.dialects.util import GlobalLoadOp
from headrace.ir.passes import Pass
from headrace.stream.allocate_regions import RegionEmitter, released
from headrace.stream.commands import Commands, Handle
from headrace.stream.liveness import REGIONS, Roots
from headrace.stream.memory_plan import BlockPlan, Key, Planner, Slice
from headrace.stream.packing import align
from headrace.stream.sizes import size_map
from headrace.stream.slabs import ALIGNMENT
from headrace.stream.storage import host_functions, is_resource
from headrace.stream.system import UNNAMED

TRANSIENT = resource("transient")


def schedule_allocation(
    module: ModuleOp, favour: str = "min-peak-memory", report: list[dict[str, Any]] | None = None
) -> ModuleOp:
    """Allocate and lower to commands, in place. `report` receives one entry per function and device: slab and bound."""
    for function in host_functions(module):
        if any(op.name == "stream.async.execute" for op in function.regions[0].walk()):
            _Function(function, favour).run(report if report is not None else [])
    return module


class _Function:
    def __init__(self, function: Any, favour: str):
        self.function = function
        self.favour = favour
        self.entry: Block = function.regions[0].blocks[0]
        self.constants = Constants(self.entry)
        self.sizes = all_sizes(self.entry)
        self.roots = Roots(self.entry)
        self.once = function.name == "util.initializer"
        self.dead: list[Operation] = []
        """What has become commands; its values are still names of storage until the function is done."""

    def run(self, report: list[dict[str, Any]]) -> None:
        planner = Planner(self.entry, self.roots, self.sizes)
        plan = planner.plan(self.entry)
        _extend(plan, self.roots, self.favour)
        planner.top_layout(plan)
        name = getattr(self.function, "sym_name", None)
        for device, (items, found) in plan.layouts.items():
            report.append(
                {
                    "function": name.data if name is not None else "initializer",
                    "device": device or UNNAMED,
                    "slices": len(items),
                    "slab_bytes": align(found.packing.total, ALIGNMENT),
                    "bound_bytes": plan.bounds[device],
                    "packing": found.packing.method,
                    "dynamic_slices": sum(len(b.members) for b in found.buckets),
                    "dynamic_bins": sum(b.count for b in found.buckets),
                }
            )
        _Emitter(self, self.entry, plan, {}, {}).emit(self.entry)
        for op in self.dead:
            op.drop_all_references()


def all_sizes(entry: Block) -> dict[SSAValue, SSAValue]:
    """Sizes of all resources, inside executions too."""
    found = size_map(entry)
    for op in entry.walk():
        if op.name in ("stream.async.execute", "stream.async.concurrent"):
            inner = op.regions[0].block
            for argument, size in zip(inner.args, group(op, "resource_operand_sizes"), strict=True):
                found[argument] = size
    return found


def node_reach(block: Block, ops: list[Operation]) -> dict[int, int]:
    """For each execution or region operation (by index) the bit set of those it comes after, itself included."""
    of: dict[SSAValue, int] = {}
    reach: dict[int, int] = {}
    for index, op in enumerate(ops):
        name = op.name
        if name == "stream.timepoint.join":
            bits = 0
            for value in op.operands:
                bits |= of.get(value, 0)
            of[op.results[0]] = bits
        elif name == "stream.async.execute" or (name in REGIONS and any(r.type == TIMEPOINT for r in op.results)):
            bits = 1 << index
            values = op.operands if not op.regions or name == "stream.async.execute" else [
                v for inner in op.walk() for v in inner.operands
            ]
            for value in values:
                if value.type == TIMEPOINT:
                    bits |= of.get(value, 0)
            reach[index] = bits
            for result in op.results:
                if result.type == TIMEPOINT:
                    of[result] = bits
    _ = block
    return reach


def _extend(plan: BlockPlan, roots: Roots, favour: str) -> None:
    """With the time objective, storage stays taken until what may still run beside its users has run."""
    for inner in plan.nested.values():
        _extend(inner, roots, favour)
    if favour != "max-concurrency":
        return
    live = plan.live
    reach = node_reach(live.block, live.ops)
    nodes = sorted(reach)
    if len(nodes) < 2 or len(nodes) * len(plan.slices) > 4_000_000:
        return
    ends = {n: live.position[live.ops[n]] for n in nodes}
    for item in plan.slices.values():
        wanted = 0
        item.last = item.end
        for n in item.nodes:
            wanted |= 1 << n
        for n in nodes:
            if ends[n][1] > item.end and reach[n] & wanted != wanted:
                item.end = max(item.end, ends[n][1])


class _Emitter(RegionEmitter):
    """Rewrites one block."""

    def __init__(
        self,
        function: _Function,
        block: Block,
        plan: BlockPlan,
        handles: dict[Key, Handle],
        scratch: dict[Any, Handle],
    ):
        self.function = function
        self.block = block
        self.plan = plan
        self.handles = handles
        self.scratch = scratch
        self.out: list[Operation] = []
        self.sums: dict[Any, SSAValue] = {}
        self.reach = node_reach(block, plan.live.ops)
        self.extra: dict[int, set[int]] = {}
        self.done: dict[int, SSAValue] = {}
        """Timepoint of each emitted node."""
        self.pending_globals: list[tuple[SSAValue, SSAValue]] = []
        self.releases: dict[int, list[tuple[SSAValue, set[int]]]] = {}
        """Counted resources that are given up behind an operation, with the nodes that use them."""
        self.early: set[Operation] = set()
        """Operations that were emitted ahead of their place."""

    # ---- building ---------------------------------------------------------------------------------------------------

    def add(self, op: Operation) -> Any:
        """Append an operation."""
        self.out.append(op)
        return op

    def make(self, cls: Any, operands: Any, results: Any = (), properties: Any = None, regions: Any = ()) -> Any:
        """Append a new operation."""
        return self.add(make_op(cls, operands, results, properties, regions))

    def sum(self, left: SSAValue | None, right: SSAValue | None) -> SSAValue | None:
        """Sum of two offsets, None being zero; folded and shared."""
        if left is None or constant_of(left) == 0:
            return right
        if right is None or constant_of(right) == 0:
            return left
        a, b = constant_of(left), constant_of(right)
        if a is not None and b is not None:
            return self.function.constants.get(a + b)
        key = (left, right)
        if key not in self.sums:
            self.sums[key] = self.add(arith.AddiOp.create(operands=[left, right], result_types=[INDEX])).results[0]
        return self.sums[key]

    def join(self, values: list[SSAValue]) -> SSAValue | None:
        """One timepoint of several."""
        values = list(dict.fromkeys(values))
        if len(values) < 2:
            return values[0] if values else None
        return self.add(TimepointJoinOp.create(operands=values, result_types=[TIMEPOINT])).results[0]

    def handle(self, value: SSAValue) -> Handle:
        """Memory of a value."""
        root = self.function.roots.of(value)
        found = self.handles.get(root)
        if found is None:
            key = self.plan.bound.get(root)
            if key is not None:
                return self.handles[key]
            return Handle(root, None, self.function.sizes[root])
        return found

    def view(self, handle: Handle, size: SSAValue, kind: Any) -> SSAValue:
        """Memory as a resource of its own."""
        if handle.offset is None or constant_of(handle.offset) == 0:
            if handle.size is size or constant_of(handle.size) == constant_of(size) is not None:
                return handle.value
        return self.make(
            ResourceSubviewOp,
            {
                "source": handle.value,
                "source_size": handle.size,
                "source_offset": handle.offset or self.function.constants.get(0),
                "result_size": size,
            },
            [handle.value.type if kind is None else kind],
        ).results[0]

    # ---- the block --------------------------------------------------------------------------------------------------

    def emit(self, into: Block) -> None:
        """Rewrite the block's operations into `into` (the same block or a new one)."""
        ops = self.plan.live.ops
        self.listed = set(ops)
        self.taken = set(self.plan.takes_init.values())
        roots = self.function.roots
        self.stored = {roots.of(op.operands[0]) for op in ops if op.name == "util.global.store"}
        for root, key in self.plan.bound.items():
            if key in self.handles:
                self.handles[root] = self.handles[key]
        self._reuse_waits()
        self.first_use: dict[int, list[Slice]] = {}
        self.last_use: dict[int, list[Slice]] = {}
        self.counted: dict[int, list[Slice]] = {}
        for item in self.plan.slices.values():
            if item.own and item.nodes:
                self.first_use.setdefault(min(item.nodes), []).append(item)
                if item.counted:
                    self.counted.setdefault(max(item.last_op, *item.nodes), []).append(item)
                elif not item.kept:
                    self.last_use.setdefault(max(item.last_op, *item.nodes), []).append(item)
        nested = self.block is not self.function.entry
        self.slab_first: dict[int, list[Any]] = {}
        self.slab_last: dict[int, list[Any]] = {}
        self.slabs: dict[Any, Handle] = {}
        self.slab_nodes: dict[Any, set[int]] = {}
        for device, (items, _) in self.plan.layouts.items():
            nodes = {n for item in items for n in item.nodes}
            self.slab_nodes[device] = nodes
            if nested:
                self._nested_slices(device)
            elif nodes:
                self.slab_first.setdefault(min(nodes), []).append(device)
                self.slab_last.setdefault(max(nodes), []).append(device)
        self.slab_waited: dict[Any, int] = {}
        self.slab_timepoint: dict[Any, SSAValue] = {}
        for index, op in enumerate(ops):
            if op is ops[-1] and not op.name.startswith("stream."):
                self._end(op)
                continue
            if op in self.early:
                continue
            op.detach()
            if index in self.reach:
                self._node(op, index)
            else:
                self._host(op, index)
            for item in self.last_use.get(index, ()):
                self._dealloca(item)
            for item in self.counted.get(index, ()):
                self.releases.setdefault(index, []).append((self.handles[item.key].value, item.nodes))
            for value, nodes in self.releases.pop(index, ()):
                waited = self._after(nodes)
                for made in released(value, waited):
                    self.add(made)
            for device in self.slab_last.get(index, ()):
                self._dealloca_slab(device)
        if into is self.block:
            head = [op for op in into.ops]
            for op in head:
                op.detach()
            for op in (*head, *self.out):
                into.add_op(op)
        else:
            for op in self.out:
                into.add_op(op)

    def _host(self, op: Operation, index: int) -> None:
        name = op.name
        if name == "stream.timepoint.join":
            self.add(op)
            return
        if name == "stream.timepoint.await":
            values = group(op, "resource_operands")
            sizes = group(op, "resource_operand_sizes")
            views = [self.view(self.handle(v), s, None) for v, s in zip(values, sizes, strict=True)]
            made = self.make(
                TimepointAwaitOp,
                {
                    "await_timepoint": op.operands[0],
                    "resource_operands": views,
                    "resource_operand_sizes": sizes,
                },
                [v.type for v in views],
                {k: v for k, v in op.properties.items() if k == "sync"},
            )
            made.location = op.location
            for old, new, size in zip(op.results, made.results, sizes, strict=True):
                new.name_hint = old.name_hint
                self.function.sizes[new] = size
                self.handles[new] = Handle(new, None, size)
                old.replace_all_uses_with(new)
            op.erase()
            return
        if name == "util.global.store" and is_resource(op.operands[0]):
            self._store(op)
            return
        for position, value in enumerate(op.operands):
            if is_resource(value) and not name.startswith("scf."):
                handle = self.handle(value)
                if handle.value is not value:
                    op.operands[position] = self.view(handle, self.function.sizes[value], None)
        rename = {
            "stream.async.load": "stream.resource.load",
            "stream.async.store": "stream.resource.store",
        }.get(name)
        if rename is not None:
            from headrace.ir.dialects.stream_resource import ResourceLoadOp, ResourceStoreOp

            cls = ResourceLoadOp if rename.endswith("load") else ResourceStoreOp
            results = [r.type for r in op.results] if rename.endswith("load") else []
            made = self.add(cls.create(operands=list(op.operands), result_types=results))
            made.location = op.location
            if results:
                op.results[0].replace_all_uses_with(made.results[0])
            op.erase()
            return
        self.add(op)

    def _store(self, op: Any) -> None:
        """Store a buffer; the one it replaces is freed when the block's work is over."""
        value = op.operands[0]
        root = self.function.roots.of(value)
        owner: Any = root.owner
        name = op.global_.string_value()
        same = isinstance(owner, Operation) and owner.name == "util.global.load" and (
            owner.global_.string_value() == name  # pyright: ignore[reportAttributeAccessIssue]
        )
        if not same and not self.function.once:
            old = self.add(
                GlobalLoadOp.create(result_types=[value.type], properties={"global": op.properties["global"]})
            )
            self.pending_globals.append((old.results[0], self.function.sizes[value]))
        op.operands[0] = self.view(self.handle(value), self.function.sizes[value], None)
        self.add(op)

    def _end(self, op: Operation) -> None:
        """The terminator; freed globals in front of it."""
        if self.pending_globals:
            end = self.join(self._sinks())
            for value, size in self.pending_globals:
                self.make(
                    ResourceDeallocaOp,
                    {"await_timepoint": end, "operand": value, "operand_size": size},
                    [TIMEPOINT],
                )
        self.terminator = op
        op.detach()
        if not op.name.startswith("scf."):
            for position, value in enumerate(op.operands):
                if is_resource(value):
                    op.operands[position] = self.view(self.handle(value), self.function.sizes[value], None)
        self.add(op)

    def _sinks(self) -> list[SSAValue]:
        covered = 0
        for index in self.done:
            covered |= self.reach[index] & ~(1 << index)
        return [t for index, t in self.done.items() if not covered >> index & 1]

    # ---- waits that reuse needs -------------------------------------------------------------------------------------

    def _reuse_waits(self) -> None:
        """For slices that follow each other in the same bytes: the later one's first node waits for the earlier's."""
        if len(self.reach) < 2:
            return
        for (loop, _), init in self.plan.takes_init.items():
            # The loop writes into its initial value's storage: not before everybody else has read it.
            node = self.plan.live.ops.index(loop)
            for other in self.plan.slices[init].nodes:
                self._wait_for(node, other)
        for items, layout in self.plan.layouts.values():
            places = layout.place()
            taken: dict[Any, list[tuple[int, int, Slice]]] = {}
            for i in sorted(range(len(items)), key=lambda i: (items[i].start, items[i].end)):
                region, low, high = places[i]
                if low == high:
                    continue
                before = taken.setdefault(region, [])
                kept: list[tuple[int, int, Slice]] = []
                for a, b, other in before:
                    if b <= low or a >= high:
                        kept.append((a, b, other))
                        continue
                    self._wait(items[i], other)
                    if a < low:
                        kept.append((a, low, other))
                    if b > high:
                        kept.append((high, b, other))
                kept.append((low, high, items[i]))
                taken[region] = kept

    def _wait(self, later: Slice, earlier: Slice) -> None:
        node = min(later.nodes, default=None)
        if node is None or node not in self.reach:
            return
        for other in earlier.nodes:
            self._wait_for(node, other)

    def _wait_for(self, node: int, other: int) -> None:
        if other < node and not self.reach[node] >> other & 1:
            self.extra.setdefault(node, set()).add(other)
            bits = self.reach[other]
            for n, reached in self.reach.items():
                if reached >> node & 1:
                    self.reach[n] = reached | bits

    # ---- allocations ------------------------------------------------------------------------------------------------

    def _nested_slices(self, device: Any) -> None:
        items, layout = self.plan.layouts[device]
        base = self.scratch.get(device)
        if base is None:
            return
        for k, index in enumerate(layout.static):
            offset = self.sum(base.offset, self.function.constants.get(layout.packing.offsets[k]))
            self.handles[items[index].key] = Handle(base.value, offset, base.size)

    def _slab(self, device: Any, waited: SSAValue | None) -> SSAValue:
        """Allocate the slab of a device; gives its timepoint."""
        items, _ = self.plan.layouts[device]
        constants = self.function.constants
        place = items[0].place
        sizes = [constants.get(s.size) if isinstance(s.size, int) else s.size for s in items]
        for size in sizes:
            self._bring(size)
        if len(items) == 1:
            total, offsets = sizes[0], [None]
        else:
            pack = self.make(
                ResourcePackOp,
                {"dynamic_slice_sizes": sizes},
                [INDEX] * (1 + len(items)),
                {
                    "lifetime_intervals": ArrayAttr(
                        [IntegerAttr(n, INDEX) for s in items for n in (s.start, s.end)]
                    ),
                    "affinity": place,
                },
            )
            total, offsets = pack.results[0], list(pack.results[1:])
        made = self.make(
            ResourceAllocaOp,
            {"await_timepoint": waited, "storage_size": total},
            [TRANSIENT, TIMEPOINT],
            {"affinity": place},
        )
        made.results[0].name_hint = "slab"
        self.slabs[device] = Handle(made.results[0], None, total)
        for item, offset in zip(items, offsets, strict=True):
            self.handles[item.key] = Handle(made.results[0], offset, total)
        return made.results[1]

    def _bring(self, value: SSAValue) -> None:
        """Emit the arithmetic of a size early if it comes later in the block."""
        owner = value.owner
        if not isinstance(owner, Operation) or owner.parent is not self.block or owner in self.early:
            return
        if owner not in self.listed:
            return  # a constant at the head of the block
        for operand in owner.operands:
            self._bring(operand)
        owner.detach()
        self.add(owner)
        self.early.add(owner)

    def _own(self, items: list[Slice], waited: SSAValue | None) -> SSAValue | None:
        """Allocations of their own, one behind the other; kept ones of constant size and one type share one."""
        groups: dict[Any, list[Slice]] = {}
        for item in items:
            grouped = item.kept and item.kind.lifetime.data == "external" and constant_of(item.size) is not None
            single = item.counted or isinstance(item.key, tuple) or item.key in self.taken or item.key in self.stored
            key = (item.place, item.kind) if grouped and not single else id(item)
            groups.setdefault(key, []).append(item)
        for group_ in groups.values():
            first = group_[0]
            for item in group_:
                self._bring(item.size)
            if len(group_) == 1:
                size = first.size
                made = self._alloca(first, size, waited)
                self.handles[first.key] = Handle(made.results[0], None, size)
            else:
                offsets: list[int] = []
                total = 0
                for item in group_:
                    offsets.append(total)
                    total += align(constant_of(item.size) or 0, ALIGNMENT)
                size = self.function.constants.get(total)
                made = self._alloca(first, size, waited)
                for item, offset in zip(group_, offsets, strict=True):
                    self.handles[item.key] = Handle(made.results[0], self.function.constants.get(offset), size)
            waited = made.results[1]
        return waited

    def _alloca(self, item: Slice, size: SSAValue, waited: SSAValue | None) -> Any:
        made = self.make(
            ResourceAllocaOp,
            {"await_timepoint": waited, "storage_size": size},
            [item.kind, TIMEPOINT],
            {"affinity": item.place, "indeterminate_lifetime": _unit() if item.indeterminate else None},
        )
        if isinstance(item.key, SSAValue):
            made.results[0].name_hint = item.key.name_hint
        return made

    def _after(self, nodes: set[int]) -> SSAValue | None:
        """When several nodes are done."""
        wanted = sorted(n for n in nodes if n in self.done)
        covered = 0
        kept: list[int] = []
        for n in reversed(wanted):
            if not covered >> n & 1:
                kept.append(n)
            covered |= self.reach[n]
        return self.join([self.done[n] for n in reversed(kept)])

    def _dealloca(self, item: Slice) -> None:
        handle = self.handles.get(item.key)
        if handle is None:
            return
        self.make(
            ResourceDeallocaOp,
            {"await_timepoint": self._after(item.nodes), "operand": handle.value, "operand_size": handle.size},
            [TIMEPOINT],
            {"affinity": item.place},
        )

    def _dealloca_slab(self, device: Any) -> None:
        handle = self.slabs[device]
        items, _ = self.plan.layouts[device]
        self.make(
            ResourceDeallocaOp,
            {
                "await_timepoint": self._after(self.slab_nodes[device]),
                "operand": handle.value,
                "operand_size": handle.size,
            },
            [TIMEPOINT],
            {"affinity": items[0].place},
        )

    # ---- nodes ------------------------------------------------------------------------------------------------------

    def _waited(self, index: int, original: SSAValue | None) -> SSAValue | None:
        """What a node awaits in the end: its own waits, reuse, allocations."""
        values = [] if original is None else [original]
        more = [self.done[n] for n in sorted(self.extra.get(index, ())) if n in self.done]
        waited = self.join([*values, *more])
        for device in self.slab_first.get(index, ()):
            waited = self._slab(device, waited)
            self.slab_timepoint[device] = waited
            self.slab_waited[device] = 1 << index
        for device, nodes in self.slab_nodes.items():
            if index in nodes and device in self.slab_timepoint and not self.slab_waited[device] >> index & 1:
                if not self.reach[index] & self.slab_waited[device]:
                    waited = self.join([*([waited] if waited is not None else []), self.slab_timepoint[device]])
                self.slab_waited[device] |= 1 << index
        items = self.first_use.get(index)
        if items:
            waited = self._own(items, waited)
        return waited

    def _node(self, op: Operation, index: int) -> None:
        if op.name == "stream.async.execute":
            self._execute(op, index)
        else:
            self._region(op, index)

    def _execute(self, op: Any, index: int) -> None:
        waits = group(op, "await_timepoint")
        waited = self._waited(index, waits[0] if waits else None)
        commands = Commands(self, op)
        body = commands.lower()
        made = self.make(
            CmdExecuteOp,
            {
                "await_timepoint": waited,
                "resource_operands": list(commands.buffers),
                "resource_operand_sizes": [h.size for h in commands.buffers.values()],
            },
            [TIMEPOINT],
            {"affinity": op.affinity, "once": _unit() if self.function.once else None},
            [Region(body)],
        )
        made.location = op.location
        self.done[index] = made.results[0]
        op.results[-1].replace_all_uses_with(made.results[0])
        self.function.dead.append(op)


def _unit() -> Any:
    from xdsl.dialects.builtin import UnitAttr

    return UnitAttr()

@dataclass
class ScheduleAllocation(Pass):
    """Give every value memory; executions become commands."""

    name = "schedule-allocation"
    summary = "Give every value memory; executions become commands"
    favour: str = "min-peak-memory"
    """`min-peak-memory`, `max-concurrency` or `debug`."""

    def apply(self, op: Any, ctx: Context) -> None:
        schedule_allocation(op, self.favour)
