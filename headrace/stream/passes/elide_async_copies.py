"""Remove copies that nobody can see, and read slices where they lie.

A clone of `x` goes if neither side is ever written; or if it is the last use of the storage of `x` and that storage
belongs to the program (not borrowed from the caller, not constant), so that the writer may have it. The last use of a
loop's carried value counts inside one iteration: the loop owns what it carries (`unify-carried-storage` sees to that).
A value loaded from a global may be written in place if it goes back into the same global. A clone of a splat that has
to stay becomes a splat. A slice goes if all its users read ranges.

Precondition: the async level, every write in place guarded by a clone. Postcondition: the same values; copies only
where one of these rules does not hold.

```
%c = stream.async.clone %x        (last use)
%f = stream.async.fill %v, %c ..                 ->    %f = stream.async.fill %v, %x ..
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import Constants
from headrace.ir.dialects._stream_format import group, group_starts, make_op, tied_operands
from headrace.ir.dialects.hal import TopologyAttr, device_of
from headrace.ir.dialects.stream_async import AsyncCloneOp, AsyncSplatOp
from headrace.ir.passes import Pass
from headrace.stream.build import Builder
from headrace.stream.storage import Order, Storage, block_of, host_functions, loop_between


def elide_async_copies(module: ModuleOp, topology: TopologyAttr | None = None) -> ModuleOp:
    """Remove copies, in place. `topology` says between which devices memory is shared."""
    found = module.attributes.get("stream.topology")
    shared = topology if topology is not None else found if isinstance(found, TopologyAttr) else None
    for function in host_functions(module):
        entry = function.regions[0].blocks[0]
        ops = list(function.regions[0].walk())
        if not any(op.name in _COPIES for op in ops):
            continue
        _slices(entry, [op for op in ops if op.name == "stream.async.slice"])
        _transfers([op for op in ops if op.name == "stream.async.transfer"], shared)
        clones = [op for op in function.regions[0].walk() if op.name == "stream.async.clone"]
        if clones:
            storage, order = Storage(module, function), Order(entry)
            for op in clones:
                if _removable(op, storage, order):
                    _replace(op, storage)
            _splats(function)
    return module


_COPIES = frozenset({"stream.async.clone", "stream.async.slice", "stream.async.transfer"})


def _replace(op: Operation, storage: Storage) -> None:
    source, result = op.operands[0], op.results[0]
    if source.name_hint is None:
        source.name_hint = result.name_hint
    storage.share(result, source)
    members = storage.members[storage.root(source)]
    members.remove(result) if result in members else None
    result.replace_all_uses_with(source)
    # The class keeps a parent entry of the removed value: harmless, it has no uses.
    op.detach()
    op.erase()


def _removable(op: Any, storage: Storage, order: Order) -> bool:
    source: SSAValue = op.source
    if source.type != op.result.type:
        return False
    written = storage.mutated(op.result)
    if not written and not storage.mutated(source):
        return True
    kind = storage.kind(source)
    if kind in ("borrowed", "constant"):
        return False
    root = storage.root(source)
    if loop_between(op, block_of(root)) and not _inside_same_body(op, source):
        return False
    for use in storage.uses(source):
        if use is op or _is_ancestor(use, op):
            continue
        if use.name == "stream.async.cast":
            continue
        if not order.precedes(use, op) or use.name == "util.global.store":
            return False  # still read, or a global has it
    if kind == "global":
        return _returns_to_global(op, storage, order)
    return True


def _inside_same_body(op: Operation, source: SSAValue) -> bool:
    """Whether no loop lies between the copy and the definition of the very value it copies."""
    return not loop_between(op, block_of(source))


def _is_ancestor(op: Operation, inner: Operation) -> bool:
    at = inner.parent_op()
    while at is not None:
        if at is op:
            return True
        at = at.parent_op()
    return False


def _returns_to_global(op: Any, storage: Storage, order: Order) -> bool:
    """Whether the written value of a global goes back into it before anybody else looks."""
    name = storage.global_name(op.source)
    stores: list[Operation] = []
    work = list(storage.all(op.result))
    for member in work:
        for use in member.uses:
            if use.operation.name == "util.global.store":
                if use.operation.global_.string_value() != name:  # pyright: ignore[reportAttributeAccessIssue]
                    return False
                stores.append(use.operation)
            elif use.operation.name in ("scf.yield", "scf.condition", "stream.tensor.export"):
                return False
    root = storage.root(op.source).owner
    assert isinstance(root, Operation)
    if not stores or any(s.parent is not op.parent for s in stores) or root.parent is not op.parent:
        return False
    for other in storage.function.regions[0].walk():
        if other.name == "util.global.store" and other.global_.string_value() == name:  # pyright: ignore
            # What was stored before has another name and may still be read under it.
            if order.number[other] < order.number[stores[-1]] and storage.global_name(other.operands[0]) != name:
                return False
        if other.name != "util.global.load" or other is root:
            continue
        if other.global_.string_value() != name or order.precedes(stores[-1], other):  # pyright: ignore
            continue
        if any(not order.precedes(use, op) for use in storage.uses(other.results[0])):
            return False
    return True


def _splats(function: Any) -> None:
    """A clone of a splat is another splat."""
    for op in list(function.regions[0].walk()):
        if op.name != "stream.async.clone":
            continue
        owner: Any = op.operands[0].owner
        if isinstance(owner, Operation) and owner.name == "stream.async.splat" and not group(owner, "await_timepoint"):
            made = make_op(
                AsyncSplatOp,
                {"value": owner.value, "result_size": op.result_size},  # pyright: ignore
                [op.results[0].type],
                {"affinity": op.properties.get("affinity")},
                location=op.location,
            )
            assert op.parent is not None
            op.parent.insert_op_before(made, op)
            op.results[0].replace_all_uses_with(made.results[0])
            op.detach()
            op.erase()
            if not owner.results[0].uses.get_length():
                owner.detach()
                owner.erase()


def _transfers(ops: list[Any], topology: TopologyAttr | None) -> None:
    """Transfers between places with shared memory go; transfers within one place are clones."""
    for op in ops:
        if op.source.type != op.result.type:
            continue
        source, target = device_of(op.source_affinity), device_of(op.target_affinity)
        if source is None or target is None or source == target:
            _to_clone(op)
            continue
        if topology is not None and (
            topology.flag(source, target, "unified_memory") or topology.flag(source, target, "transparent_access")
        ):
            _to_clone(op)


def _to_clone(op: Any) -> None:
    made = make_op(
        AsyncCloneOp,
        {"source": op.source, "source_size": op.source_size, "result_size": op.result_size},
        [op.result.type],
        {"affinity": op.target_affinity or op.source_affinity},
        location=op.location,
    )
    op.parent.insert_op_before(made, op)
    op.result.replace_all_uses_with(made.results[0])
    op.detach()
    op.erase()


def _slices(entry: Block, ops: list[Any]) -> None:
    constants = Constants(entry)
    for op in ops:
        uses = list(op.result.uses)
        if not uses or any(not _reads_range(use.operation, use.index) for use in uses):
            continue
        for user in dict.fromkeys(use.operation for use in uses):
            _fold_slice(user, op, constants)
        op.detach()
        op.erase()


def _reads_range(op: Any, index: int) -> bool:
    if op.name == "stream.async.dispatch":
        start, count = group_starts(op)["resource_operands"]
        return start <= index < start + count and index not in tied_operands(op)
    return False


def _fold_slice(user: Any, op: Any, constants: Constants) -> None:
    builder = Builder(constants, user.parent, user)
    starts = group_starts(user)
    first, _ = starts["resource_operands"]
    position = 0
    from headrace.stream.storage import is_resource

    for index, value in enumerate(group(user, "resource_operands")):
        if not is_resource(value):
            continue
        if value is op.result:
            at = {name: starts[f"resource_operand_{name}"][0] + position for name in ("sizes", "offsets", "ends")}
            offset = builder.sum(op.source_offset, user.operands[at["offsets"]])
            length = user.operands[starts["resource_operand_lengths"][0] + position]
            user.operands[at["offsets"]] = offset
            user.operands[at["ends"]] = builder.sum(offset, length)
            user.operands[at["sizes"]] = op.source_size
            user.operands[first + index] = op.source
        position += 1

@dataclass
class ElideAsyncCopies(Pass):
    """Remove copies that nobody can see."""

    name = "elide-async-copies"
    summary = "Remove copies that nobody can see"

    def apply(self, op: Any, ctx: Context) -> None:
        elide_async_copies(op)
