"""Device work is put into `stream.async.execute` regions that wait for each other by timepoints only.

Precondition: the async level, lifetimes decided, ownership unified. Postcondition: every streamable operation is in an
`async.execute` that awaits exactly what it needs; loops and branches with device work carry one timepoint in and one
out, and are scheduled inside as well; a global of a resource has a timepoint global; the host waits once, in front of
the exports (and where it reads a value).

```
%d = stream.async.dispatch @k::@k(%x ..)            %r, %t = stream.async.execute with(%x as %a) -> .. {
%e = stream.tensor.export %d                  ->      %d = stream.async.dispatch @k::@k(%a ..)
                                                      stream.yield %d } => !stream.timepoint
                                                    %w = stream.timepoint.await %t => %r
                                                    %e = stream.tensor.export %w
```
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.kernels import kernels_of
from headrace.ir.dialects._stream_format import TIMEPOINT, make_op, tied_attr, tied_operands
from headrace.ir.dialects.stream_regions import AsyncExecuteOp, YieldOp
from headrace.ir.dialects.stream_timeline import TimepointAwaitOp, TimepointImmediateOp, TimepointJoinOp
from headrace.ir.dialects.stream_types import TimepointAttr
from headrace.ir.dialects.util import GlobalLoadOp, GlobalOp, GlobalStoreOp
from headrace.ir.passes import Pass
from headrace.stream.costs import Costs
from headrace.stream.partition import CLONED, PURE_HOST, Node, Partitioner, bits, has_work
from headrace.stream.sizes import size_map
from headrace.stream.storage import Storage, host_functions, is_resource
from headrace.stream.system import System, load_system

TIMEPOINT_SUFFIX = "__timepoint"


def schedule_execution(module: ModuleOp, system: System | None = None, favour: str = "min-peak-memory") -> ModuleOp:
    """Form executions, in place. `favour`: `min-peak-memory`, `max-concurrency` or `debug` (one operation each)."""
    costs = Costs(system or System(), kernels_of(module))
    mutable = _timepoint_globals(module)
    for function in host_functions(module):
        _Function(module, function, costs, favour, mutable).run()
    return module


def _timepoint_globals(module: ModuleOp) -> set[str]:
    """A timepoint beside every resource global that functions store to."""
    stored = {
        op.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
        for f in host_functions(module)
        if f.name == "util.func"
        for op in f.regions[0].walk()
        if op.name == "util.global.store" and is_resource(op.operands[0])
    }
    for op in list(module.body.block.ops):
        if op.name == "util.global" and op.sym_name.data in stored:  # pyright: ignore[reportAttributeAccessIssue]
            made = GlobalOp.create(
                properties={
                    "sym_name": StringAttr(op.sym_name.data + TIMEPOINT_SUFFIX),  # pyright: ignore
                    "sym_visibility": StringAttr("private"),
                    "is_mutable": UnitAttr(),
                    "initial_value": TimepointAttr(StringAttr("immediate")),
                    "type": TIMEPOINT,
                }
            )
            module.body.block.insert_op_after(made, op)
    return stored


class _Function:
    def __init__(self, module: ModuleOp, function: Any, costs: Costs, favour: str, mutable: set[str]):
        self.function = function
        self.costs = costs
        self.favour = favour
        self.storage = Storage(module, function)
        self.entry: Block = function.regions[0].blocks[0]
        self.sizes = size_map(self.entry)
        self.sync = function.name == "util.initializer"
        names = {
            op.global_.string_value()
            for op in function.regions[0].walk()
            if op.name in ("util.global.load", "util.global.store")
        }
        self.globals = sorted(names & mutable) if not self.sync else []

    def run(self) -> None:
        if not any(has_work_op(op) for op in self.entry.ops):
            return
        start: SSAValue | None = None
        head: list[Operation] = []
        if self.globals:
            loads = [
                GlobalLoadOp.create(
                    result_types=[TIMEPOINT], properties={"global": SymbolRefAttr(n + TIMEPOINT_SUFFIX)}
                )
                for n in self.globals
            ]
            head += loads
            start = loads[0].results[0]
            if len(loads) > 1:
                join = TimepointJoinOp.create(operands=[o.results[0] for o in loads], result_types=[TIMEPOINT])
                head.append(join)
                start = join.results[0]
        end = self.block(self.entry, start, head)
        if self.globals and end is not None:
            last = self.entry.last_op
            assert last is not None
            for name in self.globals:
                store = GlobalStoreOp.create(
                    operands=[end], properties={"global": SymbolRefAttr(name + TIMEPOINT_SUFFIX)}
                )
                self.entry.insert_op_before(store, last)

    # ---- one block --------------------------------------------------------------------------------------------------

    def block(self, block: Block, start: SSAValue | None, head: Iterable[Operation] = ()) -> SSAValue | None:
        """Schedule a block whose work may begin at `start`; gives the timepoint at which all of it is done."""
        nested = block is not self.entry
        builder = _BlockBuilder(self, block, start, nested)
        return builder.build(list(head))


def has_work_op(op: Operation) -> bool:
    """Whether an operation is, or holds, device work."""
    return op.name.startswith("stream.async.") or (bool(op.regions) and has_work(op))


class _BlockBuilder:
    def __init__(self, function: _Function, block: Block, start: SSAValue | None, nested: bool):
        self.function = function
        self.block = block
        self.start = start
        self.nested = nested
        self.parts = Partitioner(block, function.storage, function.costs, function.favour, start is not None, nested)
        self.timepoints: dict[int, SSAValue] = {}
        self.ops: list[Operation] = []
        self.placed: set[Operation] = set()
        self.late = 0
        """Bit set of the nodes that were made while others were already being placed."""

    def build(self, head: list[Operation]) -> SSAValue | None:
        nodes = self.parts.run()
        if self.start is not None:
            self.timepoints[0] = self.start
        original = list(self.block.ops)
        last = original[-1]
        self.members = set(original)
        order = self._order(nodes)
        for op in original:
            op.detach()
        self.ops = list(head)
        self.last = last
        for op in original:
            if op.name == "stream.tensor.import" or op.name == "hal.buffer_view.dim":
                self._pure(op)
        for node in order:
            if node.kind == "partition":
                self._partition(node)
            elif node.kind == "region":
                self._region(node)
            elif node.kind == "host":
                self._host(node)
        self._finish(original, last)
        end = self._end(nodes)
        for op in (*self.ops, last):
            self.block.add_op(op)
        return end

    def _order(self, nodes: list[Node]) -> list[Node]:
        missing = [len(n.direct | n.order) for n in nodes]
        users: list[list[int]] = [[] for _ in nodes]
        for node in nodes:
            for d in node.direct | node.order:
                users[d].append(node.index)
        # With the time objective the host waits only when it has submitted all that does not need the value.
        late = self.function.favour == "max-concurrency"
        heap = [(late and n.blocks, n.rank, n.index) for n in nodes if not missing[n.index]]
        heapq.heapify(heap)
        found: list[Node] = []
        while heap:
            *_, index = heapq.heappop(heap)
            found.append(nodes[index])
            for user in users[index]:
                missing[user] -= 1
                if not missing[user]:
                    heapq.heappush(heap, (late and nodes[user].blocks, nodes[user].rank, user))
        assert len(found) == len(nodes), "partitions depend on each other"
        return found

    def _pure(self, op: Operation) -> None:
        """Place a host operation without effects behind what it reads."""
        work = [op]
        while work:
            at = work[-1]
            if at in self.placed or at not in self.members:
                work.pop()
                continue
            waiting = [
                v.owner
                for v in self._all_operands(at)
                if isinstance(v.owner, Operation)
                and v.owner in self.members
                and v.owner not in self.placed
                and _movable(v.owner)
            ]
            if waiting:
                work.extend(waiting)
                continue
            self.placed.add(at)
            self.ops.append(at)
            work.pop()

    def _all_operands(self, op: Operation) -> list[SSAValue]:
        if not op.regions:
            return list(op.operands)
        return [v for inner in op.walk() for v in inner.operands]

    def _scalars(self, op: Operation) -> None:
        for value in self._all_operands(op):
            owner = value.owner
            if isinstance(owner, Operation) and owner in self.members and owner not in self.placed and _movable(owner):
                self._pure(owner)

    # ---- timepoints -------------------------------------------------------------------------------------------------

    def _join(self, indices: Iterable[int]) -> SSAValue | None:
        """The timepoint of several nodes, without those that others cover."""
        nodes = self.parts.nodes
        wanted = sorted({i for i in indices if i in self.timepoints})
        kept = [
            i for i in wanted if not any(j != i and nodes[j].cover >> i & 1 for j in wanted)
        ] if len(wanted) < 64 else self._reduce(wanted)  # fmt: skip
        values = list(dict.fromkeys(self.timepoints[i] for i in kept))
        if not values:
            return None
        if len(values) == 1:
            return values[0]
        join = TimepointJoinOp.create(operands=values, result_types=[TIMEPOINT])
        self.ops.append(join)
        return join.results[0]

    def _reduce(self, wanted: list[int]) -> list[int]:
        nodes = self.parts.nodes
        covered = 0
        kept: list[int] = []
        for i in reversed(wanted):
            if not covered >> i & 1:
                kept.append(i)
            covered |= nodes[i].cover
        return kept[::-1]

    def _waits(self, node: Node) -> SSAValue | None:
        """What a node awaits: its direct predecessors that have a timepoint, looking through host operations."""
        found: set[int] = set()
        seen: set[int] = set()
        work = list(node.direct)
        while work:
            index = work.pop()
            if index in seen:
                continue
            seen.add(index)
            other = self.parts.nodes[index]
            if other.kind == "host":
                work.extend(other.direct)
            else:
                found.add(index)
        if not found and self.start is not None and self.nested:
            return self.start
        return self._join(found)

    def _end(self, nodes: list[Node]) -> SSAValue | None:
        timed = [n.index for n in nodes if n.index in self.timepoints]
        return self._join(timed) if timed else self.start

    # ---- nodes ------------------------------------------------------------------------------------------------------

    def _partition(self, node: Node) -> None:
        inside = set(node.ops)
        self._clones(node, inside)
        for op in node.ops:
            self._scalars(op)
            self._after_late(node, op.operands)
        awaited = self._waits(node)
        inputs: list[SSAValue] = []
        known: set[SSAValue] = set()
        for op in node.ops:
            for value in op.operands:
                if is_resource(value) and value not in known and value.owner not in inside:
                    known.add(value)
                    inputs.append(value)
        outputs = [
            r
            for op in node.ops
            for r in op.results
            if is_resource(r) and any(use.operation not in inside for use in r.uses)
        ]
        body = Block(arg_types=[v.type for v in inputs])
        mapping = dict(zip(inputs, body.args, strict=True))
        for value, argument in mapping.items():
            argument.name_hint = value.name_hint
        position = {v: i for i, v in enumerate(inputs)}
        tied: dict[SSAValue, int] = {}
        for op in node.ops:
            for result, tie in zip(op.results, tied_operands(op), strict=True):
                if tie >= 0:
                    source = op.operands[tie]
                    tied[result] = tied[source] if source in tied else position.get(source, -1)
        sizes = self.function.sizes
        out_sizes = [sizes[v] for v in outputs]
        for op in node.ops:
            self.placed.add(op)
            if op.parent is not None:
                op.detach()
            for index, value in enumerate(op.operands):
                if value in mapping:
                    op.operands[index] = mapping[value]
            if op.properties.get("affinity") == node.affinity:
                op.properties.pop("affinity", None)
            body.add_op(op)
        for value in [*inputs, *outputs]:
            size_owner = sizes[value].owner
            if isinstance(size_owner, Operation) and size_owner in self.members and size_owner not in self.placed:
                self._pure(size_owner)
        body.add_op(make_op(YieldOp, {"resource_operands": outputs, "resource_operand_sizes": out_sizes}))
        execute = make_op(
            AsyncExecuteOp,
            {
                "await_timepoint": awaited,
                "resource_operands": inputs,
                "resource_operand_sizes": [sizes[v] for v in inputs],
                "result_sizes": out_sizes,
            },
            [*(v.type for v in outputs), TIMEPOINT],
            {
                "affinity": node.affinity,
                "tied_operands": tied_attr([*(tied.get(v, -1) for v in outputs), -1]) if outputs else None,
            },
            [Region(body)],
            location=node.ops[0].location,
        )
        for old, new in zip(outputs, execute.results, strict=False):
            new.name_hint = old.name_hint
            sizes[new] = sizes[old]
            self.parts.value_nodes[new] = 1 << node.index
            for use in list(old.uses):
                if use.operation.parent is not body:
                    use.operation.operands[use.index] = new
        self.timepoints[node.index] = execute.results[-1]
        self.ops.append(execute)

    def _clones(self, node: Node, inside: set[Operation]) -> None:
        """Put what is made again for each partition in front of its readers."""
        made: dict[SSAValue, SSAValue] = {}
        ops: list[Operation] = []
        for op in node.ops:
            for index, value in enumerate(op.operands):
                source = self.parts.cloned.get(value)
                if source is None or op is source:
                    continue
                if value not in made:
                    copy = source.clone()
                    copy.location = source.location
                    copy.properties.pop("affinity", None)
                    made[value] = copy.results[0]
                    copy.results[0].name_hint = value.name_hint
                    self.function.sizes[copy.results[0]] = self.function.sizes[value]
                    self.function.storage.share(copy.results[0], copy.results[0])
                    ops.append(copy)
                    inside.add(copy)
                op.operands[index] = made[value]
            ops.append(op)
        node.ops = ops

    def _host(self, node: Node) -> None:
        op = node.ops[0]
        for value in op.operands:
            source = self.parts.cloned.get(value)
            if source is not None and source not in self.placed:
                self._materialize(value, source)
        self._after_late(node, op.operands)
        self._scalars(op)
        if op.name in ("stream.async.load", "stream.async.store"):
            self._await([0], op)
        elif op.name == "util.global.store" and is_resource(op.operands[0]) and self.function.sync:
            self._await([0], op)
        self.placed.add(op)
        self.ops.append(op)

    def _await(self, positions: Iterable[int], op: Operation) -> None:
        """The host waits for operands of an operation."""
        values = [op.operands[p] for p in positions]
        needs = 0
        for value in values:
            needs |= self.parts.value_nodes.get(value, 0)
        joined = self._join(self._timed(needs))
        if joined is None:
            return
        made = self._make_await(joined, values)
        for position, new in zip(positions, made, strict=True):
            op.operands[position] = new

    def _timed(self, needs: int) -> set[int]:
        found: set[int] = set()
        work = list(bits(needs))
        seen: set[int] = set()
        while work:
            index = work.pop()
            if index in seen:
                continue
            seen.add(index)
            if self.parts.nodes[index].kind == "host":
                work.extend(self.parts.nodes[index].direct)
            else:
                found.add(index)
        return found

    def _make_await(self, timepoint: SSAValue, values: list[SSAValue]) -> list[SSAValue]:
        sizes = self.function.sizes
        for value in values:
            owner = sizes[value].owner
            if isinstance(owner, Operation) and owner in self.members and owner not in self.placed:
                self._pure(owner)
        made = make_op(
            TimepointAwaitOp,
            {
                "await_timepoint": timepoint,
                "resource_operands": values,
                "resource_operand_sizes": [sizes[v] for v in values],
            },
            [v.type for v in values],
            {"sync": UnitAttr() if self.function.sync else None},
        )
        self.ops.append(made)
        for old, new in zip(values, made.results, strict=True):
            new.name_hint = old.name_hint
            sizes[new] = sizes[old]
        return list(made.results)

    def _finish(self, original: list[Operation], last: Operation) -> None:
        """Left-over clone-preferring values, one wait for all exports, remaining host operations."""
        self._left_over(last)
        exports = [op for op in original if op.name == "stream.tensor.export"]
        values = list(dict.fromkeys(op.operands[0] for op in exports))
        needs = 0
        for value in values:
            needs |= self.parts.value_nodes.get(value, 0)
        waited = [v for v in values if self._timed(self.parts.value_nodes.get(v, 0)) & set(self.timepoints)]
        joined = self._join(self._timed(needs))
        if joined is not None and waited:
            replaced = dict(zip(waited, self._make_await(joined, waited), strict=True))
            for op in exports:
                if op.operands[0] in replaced:
                    op.operands[0] = replaced[op.operands[0]]
        for op in original:
            if op is not last and op not in self.placed and op.parent is None and op.name not in CLONED:
                if op.name.startswith("stream.async."):
                    continue
                if op.results and op.name.startswith(PURE_HOST) and not any(r.uses.get_length() for r in op.results):
                    continue
                self._pure(op)

    def _left_over(self, last: Operation) -> None:
        """Splats and allocations whose value leaves the block, or that nothing else made, run on their own."""
        for value, op in list(self.parts.cloned.items()):
            if op in self.placed:
                continue
            if any(use.operation in self.placed or use.operation is last or use.operation.parent is not None
                   or use.operation in self.members for use in value.uses):  # fmt: skip
                self._materialize(value, op)

    def _materialize(self, value: SSAValue, op: Operation) -> int:
        """Run a clone-preferring operation in a partition of its own."""
        node = self.parts._node("partition", 0)  # pyright: ignore[reportPrivateUsage]
        node.ops.append(op)
        node.affinity = op.properties.get("affinity")
        self.parts.of[op] = node
        self.parts.cloned.pop(value, None)
        self.parts.value_nodes[value] = 1 << node.index
        self.late |= 1 << node.index
        self._partition(node)
        return node.index

    def _after_late(self, node: Node, values: Iterable[SSAValue]) -> None:
        """Wait for late nodes whose values are read."""
        for value in values:
            for index in bits(self.parts.value_nodes.get(value, 0) & self.late):
                if index != node.index:
                    node.direct.add(index)
                    node.reach |= self.parts.nodes[index].reach
                    node.cover |= self.parts.nodes[index].cover

    def _region(self, node: Node) -> None:
        op = node.ops[0]
        for value in dict.fromkeys(self._all_operands(op)):
            source = self.parts.cloned.get(value)
            if source is not None and source not in self.placed:
                self._materialize(value, source)
        self._after_late(node, self._all_operands(op))
        self._scalars(op)
        start = self._waits(node)
        handler = {"scf.for": self._for, "scf.while": self._while, "scf.if": self._if}[op.name]
        handler(node, op, start)

    def _immediate(self) -> SSAValue:
        op = TimepointImmediateOp.create(result_types=[TIMEPOINT])
        self.ops.append(op)
        return op.results[0]

    def _rebind(self, node: Node, old: Operation, new: Operation) -> None:
        new.location = old.location
        sizes = self.function.sizes
        for one, two in zip(old.results, new.results, strict=False):
            two.name_hint = one.name_hint
            if one in sizes:
                sizes[two] = sizes[one]
            self.parts.value_nodes[two] = 1 << node.index
            if is_resource(one):
                self.function.storage.share(two, one)
            one.replace_all_uses_with(two)
        self.timepoints[node.index] = new.results[-1]
        self.placed.add(old)
        self.ops.append(new)
        old.erase()

    def _for(self, node: Node, op: Operation, start: SSAValue | None) -> None:
        start = start if start is not None else self._immediate()
        region = op.detach_region(op.regions[0])
        body = region.blocks[0]
        token = body.insert_arg(TIMEPOINT, len(body.args))
        end = self.function.block(body, token) or token
        last = body.last_op
        assert last is not None
        _append_operand(last, end)
        new = scf.ForOp.create(
            operands=[*op.operands, start],
            result_types=[*(r.type for r in op.results), TIMEPOINT],
            regions=[region],
            attributes=op.attributes,
        )
        self._rebind(node, op, new)

    def _while(self, node: Node, op: Operation, start: SSAValue | None) -> None:
        start = start if start is not None else self._immediate()
        regions = [op.detach_region(r) for r in list(op.regions)]
        for region in regions:
            block = region.blocks[0]
            token = block.insert_arg(TIMEPOINT, len(block.args))
            end = self.function.block(block, token) or token
            last = block.last_op
            assert last is not None
            _append_operand(last, end)
        new = scf.WhileOp.create(
            operands=[*op.operands, start],
            result_types=[*(r.type for r in op.results), TIMEPOINT],
            regions=regions,
            attributes=op.attributes,
        )
        self._rebind(node, op, new)

    def _if(self, node: Node, op: Operation, start: SSAValue | None) -> None:
        start = start if start is not None else self._immediate()
        regions = [op.detach_region(r) for r in list(op.regions)]
        for region in regions:
            if not region.blocks:
                region.add_block(Block([scf.YieldOp.create()]))
            block = region.blocks[0]
            end = self.function.block(block, start) or start
            last = block.last_op
            assert last is not None
            _append_operand(last, end)
        new = scf.IfOp.create(
            operands=list(op.operands),
            result_types=[*(r.type for r in op.results), TIMEPOINT],
            regions=regions,
            attributes=op.attributes,
        )
        self._rebind(node, op, new)


def _append_operand(op: Operation, value: SSAValue) -> None:
    op.operands = [*op.operands, value]


def _movable(op: Operation) -> bool:
    return op.name.startswith(PURE_HOST) or op.name in ("stream.tensor.import", "stream.tensor.export") or (
        bool(op.regions) and not has_work(op)
    )

@dataclass
class ScheduleExecution(Pass):
    """Form executions that await each other by timepoints."""

    name = "schedule-execution"
    summary = "Form executions that await each other by timepoints"
    favour: str = "min-peak-memory"
    """`min-peak-memory`, `max-concurrency` or `debug`."""
    system: str = ""
    """A system file; the default system where there is none."""

    def apply(self, op: Any, ctx: Context) -> None:
        schedule_execution(op, load_system(self.system) if self.system else None, self.favour)
