"""Waits that say nothing new go: what is immediate, covered by another wait, or awaited by the host already.

Also: a host wait whose values only feed device work becomes a wait of that work; the others move down to the first
use of what they wait for. What a timepoint stands for never becomes less: a wait is dropped only where what remains
covers it.

Precondition: executions await timepoints. Postcondition: no join has an operand that another one covers; no operation
awaits what is reached already.

```
%a = stream.cmd.execute with(..) {..}                     %a = stream.cmd.execute with(..) {..}
%b = stream.cmd.execute await(%a) => with(..) {..}   ->   %b = stream.cmd.execute await(%a) => with(..) {..}
%j = stream.timepoint.join max(%a, %b)                    %w = stream.timepoint.await %b => %r
%w = stream.timepoint.await %j => %r
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.dialects._stream_format import SEGMENTS, TIMEPOINT, group, group_starts, groups_of, make_op
from headrace.ir.dialects.stream_timeline import TimepointImmediateOp, TimepointJoinOp
from headrace.ir.passes import Pass
from headrace.stream.coverage import Coverage, immediate_globals
from headrace.stream.storage import host_functions

_HOST = "stream.timepoint.await"
_JOIN = "stream.timepoint.join"


def elide_timepoints(module: ModuleOp) -> ModuleOp:
    """Elide, in place."""
    immediate = immediate_globals(module)
    for function in host_functions(module):
        entry = function.regions[0].blocks[0]
        fold_host_waits(entry)
        _Elision(Coverage(entry, immediate)).block(entry, 0)
        sink_host_waits(entry)
        remove_unused(entry)
    return module


def awaits(op: Operation) -> bool:
    """Whether an operation has an optional wait."""
    return op.name.startswith("stream.") and op.name != _HOST and "await_timepoint" in groups_of(type(op))[0]  # pyright: ignore


def set_await(op: Operation, value: SSAValue | None) -> None:
    """Change what an operation with an optional wait awaits."""
    start, count = group_starts(op)["await_timepoint"]
    names, sized = groups_of(type(op))  # pyright: ignore[reportArgumentType]
    new = [] if value is None else [value]
    op.operands = [*op.operands[:start], *new, *op.operands[start + count :]]
    if sized:
        counts = list(op.properties[SEGMENTS].get_values())  # pyright: ignore[reportAttributeAccessIssue]
        counts[names.index("await_timepoint")] = len(new)
        op.properties[SEGMENTS] = DenseArrayBase.from_list(i32, counts)


def leaves(values: list[SSAValue]) -> list[SSAValue]:
    """The timepoints joined by joins, each once, in order."""
    found: dict[SSAValue, None] = {}
    work = list(reversed(values))
    while work:
        value = work.pop()
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == _JOIN:
            work.extend(reversed(owner.operands))
        else:
            found[value] = None
    return list(found)


class _Elision:
    def __init__(self, coverage: Coverage):
        self.coverage = coverage
        self.joins: dict[tuple[Block, tuple[SSAValue, ...]], SSAValue] = {}

    def needed(self, values: list[SSAValue], reached: int) -> list[SSAValue]:
        """The timepoints that say all the others say, without what the host has waited for."""
        known = self.coverage
        found = [v for v in leaves(values) if v not in known.immediate and not reached & known.bit(v)]
        kept: list[SSAValue] = []
        for index, value in enumerate(found):
            covered = any(
                other is not value and known.covers(other, value) and (k < index or not known.covers(value, other))
                for k, other in enumerate(found)
            )
            if not covered:
                kept.append(value)
        return kept

    def one(self, values: list[SSAValue], before: Operation, old: SSAValue) -> SSAValue:
        """A timepoint for several, `old` where that says the same already."""
        if len(values) == 1:
            return values[0]
        owner = old.owner
        if isinstance(owner, Operation) and owner.name == _JOIN and list(owner.operands) == values:
            return old
        block = before.parent
        assert block is not None
        key = (block, tuple(values))
        found = self.joins.get(key)
        if found is None:
            made = TimepointJoinOp.create(operands=values, result_types=[TIMEPOINT])
            made.location = before.location
            block.insert_op_before(made, before)
            found = self.joins[key] = made.results[0]
            self.coverage.add(found, values)
        return found

    def block(self, block: Block, reached: int) -> None:
        """One block that starts when the host has waited for `reached`."""
        for op in list(block.ops):
            if op.name == _JOIN:
                self._join(op, block)
            elif op.name == _HOST:
                reached |= self._host(op, reached)
            elif awaits(op):
                waited = group(op, "await_timepoint")
                if waited:
                    values = self.needed(waited, reached)
                    new = self.one(values, op, waited[0]) if values else None
                    if new is not waited[0]:
                        set_await(op, new)
            elif op.name.startswith("scf."):
                for region in op.regions:
                    for inner in region.blocks:
                        self.block(inner, reached)

    def _join(self, op: Operation, block: Block) -> None:
        values = self.needed(list(op.operands), 0)
        if values == list(op.operands):
            return
        if not values:
            made = TimepointImmediateOp.create(result_types=[TIMEPOINT])
            made.location = op.location
            block.insert_op_before(made, op)
            self.coverage.immediate.add(made.results[0])
            op.results[0].replace_all_uses_with(made.results[0])
        elif len(values) == 1:
            op.results[0].replace_all_uses_with(values[0])
        else:
            op.operands = values

    def _host(self, op: Any, reached: int) -> int:
        values = self.needed([op.await_timepoint], reached)
        if not values:
            for result, value in zip(op.results, group(op, "resource_operands"), strict=True):
                result.replace_all_uses_with(value)
            op.detach()
            op.erase()
            return 0
        op.operands[0] = self.one(values, op, op.await_timepoint)
        bits = 0
        for value in values:
            bits |= self.coverage.of(value)
        return bits


def fold_host_waits(entry: Block) -> None:
    """A wait whose values are used by device work only becomes a wait of that work."""
    for op in list(entry.walk()):
        if op.name != _HOST or "sync" in op.properties or not op.results:
            continue
        users = list(dict.fromkeys(use.operation for r in op.results for use in r.uses))
        if not users or not all(awaits(user) for user in users):
            continue
        for user in users:
            waited = group(user, "await_timepoint")
            timepoint = op.operands[0]
            if waited and waited[0] is not timepoint:
                join = make_op(TimepointJoinOp, {"await_timepoints": [waited[0], timepoint]}, [TIMEPOINT])
                assert user.parent is not None
                user.parent.insert_op_before(join, user)
                timepoint = join.results[0]
            set_await(user, timepoint)
        for result, value in zip(op.results, group(op, "resource_operands"), strict=True):
            result.replace_all_uses_with(value)
        op.detach()
        op.erase()


def sink_host_waits(entry: Block) -> None:
    """Let the host submit what comes before the first use of what it waits for."""
    for op in list(entry.walk()):
        if op.name != _HOST or "sync" in op.properties or op.parent is None:
            continue
        users: set[Operation] = set()
        for result in op.results:
            for use in result.uses:
                at: Operation | None = use.operation
                while at is not None and at.parent is not op.parent:
                    at = at.parent_op()
                if at is not None:
                    users.add(at)
        if not users:
            continue
        target = op.next_op
        while target is not None and target not in users:
            target = target.next_op
        if target is not None and target is not op.next_op:
            block = op.parent
            op.detach()
            block.insert_op_before(op, target)


def remove_unused(entry: Block) -> None:
    """Joins, immediates and host waits that nobody uses."""
    for op in reversed(list(entry.walk())):
        removable = op.name in (_JOIN, "stream.timepoint.immediate")
        removable = removable or (op.name == _HOST and "sync" not in op.properties)
        if removable and op.results and not any(r.uses.get_length() for r in op.results):
            op.detach()
            op.erase()

@dataclass
class ElideTimepoints(Pass):
    """Drop waits that say nothing new."""

    name = "elide-timepoints"
    summary = "Drop waits that say nothing new"

    def apply(self, op: Any, ctx: Context) -> None:
        elide_timepoints(op)
