"""One owner for every value that crosses a loop, a branch, a global or the program's boundary.

Precondition: the async level, copies elided. Postcondition: as follows.

* a value yielded by a loop is the carried argument itself (in place or unchanged), or made fresh by an operation of the
  body and handed on only there, so that two buffers in turn are enough;
* what a loop writes in place enters it with its last use;
* a value yielded by a branch is made fresh in it, unless both branches hand on the same value;
* what is stored to a global is made fresh for it, or is the global's own storage;
* what is exported is not a global's or a constant's storage.

Where that does not hold a clone is inserted, in front of a loop rather than inside where both would do.

```
%r = scf.for .. iter_args(%a = %x) {               %c = stream.async.clone %x
  %b = stream.async.fill %v, %a ..          ->     %r = scf.for .. iter_args(%a = %c) { .. }
  scf.yield %b }                                   use(%x)
use(%x)
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from headrace.ir.diagnostics import op_error
from headrace.ir.dialects._stream_format import make_op, tied_operands
from headrace.ir.dialects.stream_async import AsyncCloneOp
from headrace.ir.passes import Pass
from headrace.stream.sizes import size_map
from headrace.stream.storage import STREAMABLE, Order, Storage, host_functions, is_resource


def unify_carried_storage(module: ModuleOp) -> ModuleOp:
    """Insert the clones that ownership needs, in place."""
    for function in host_functions(module):
        _Owners(module, function).run()
    return module


class _Owners:
    def __init__(self, module: ModuleOp, function: Any):
        self.module = module
        self.function = function
        self.storage = Storage(module, function)
        self.order = Order(function.regions[0].blocks[0])
        self.sizes: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        self._loads()
        self._block(self.function.regions[0].blocks[0])

    def _loads(self) -> None:
        """A global's value that is used after a loop or branch replaced it is copied when it is loaded or stored."""
        accesses = [
            op
            for op in self.function.regions[0].walk()
            if op.name in ("util.global.load", "util.global.store") and is_resource((*op.operands, *op.results)[0])
        ]
        stores = [op for op in accesses if op.name == "util.global.store"]
        for load in accesses:
            name = load.global_.string_value()
            if load.name == "util.global.store" and self.storage.global_name(load.operands[0]) == name:
                continue
            starts = [
                self.order.number[at]
                for s in stores
                if s.global_.string_value() == name and s.parent is not load.parent
                and self.storage.global_name(s.operands[0]) != name
                and (at := _ancestor_in(s, load.parent)) is not None
            ]  # fmt: skip
            first = min((n for n in starts if n > self.order.number[load]), default=None)
            if first is None:
                continue
            value = (*load.operands, *load.results)[0]
            uses = self.storage.uses(value)
            if not any(self.order.number.get(u, -1) >= first for u in uses):
                continue
            if load.name == "util.global.store":
                self._clone(value, load, 0, load)
                continue
            if not self.sizes:
                self.sizes = size_map(self.function.regions[0].blocks[0])
            size = self.sizes[value]
            clone = make_op(
                AsyncCloneOp,
                {"source": value, "source_size": size, "result_size": size},
                [value.type],
                {"affinity": affinity_near(value)},
                location=load.location,
            )
            for use in list(value.uses):
                use.operation.operands[use.index] = clone.results[0]
            clone.operands[0] = value
            load.parent.insert_op_after(clone, load)
            self.order.number[clone] = self.order.number[load]
            self.sizes[clone.results[0]] = size
        if any(s for s in stores):
            self.storage = Storage(self.module, self.function)

    def _block(self, block: Block) -> None:
        for op in list(block.ops):
            if op.name == "scf.for":
                self._block(op.regions[0].blocks[0])
                self._loop(op, op.regions[0].blocks[0].args[1:], op.regions[0].blocks[0], 3)
            elif op.name == "scf.while":
                before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
                self._block(before)
                self._block(after)
                self._condition(before)
                self._loop(op, before.args, after, 0)
            elif op.name == "scf.if":
                for region in op.regions:
                    if region.blocks:
                        self._block(region.blocks[0])
                self._branches(op)
            elif op.name == "util.global.store":
                self._store(op)
            elif op.name == "stream.tensor.export":
                self._export(op)

    # ---- edges ------------------------------------------------------------------------------------------------------

    def _loop(self, op: Any, arguments: Any, body: Block, first: int) -> None:
        last = body.last_op
        assert last is not None
        handed: set[SSAValue] = set()
        for position, argument in enumerate(arguments):
            if not is_resource(argument):
                continue
            yielded = last.operands[position]
            in_place = self._handed_on(yielded, argument)
            if not in_place:
                root = self.storage.root(yielded)
                if not self._fresh_in(yielded, body) or root in handed or self._escapes(yielded, last, position):
                    yielded = self._clone(yielded, last, position, last)
                    root = self.storage.root(yielded)
                handed.add(root)
            init = op.operands[first + position]
            written = self.storage.mutated(argument) or (in_place and op.name == "scf.while")
            kind = self.storage.kind(init)
            other_kind = kind in ("global", "constant") and not in_place
            # A loop that does not run hands its initial value on: what may leave the program has one owner.
            leaves = kind in ("fresh", "result") and not in_place and self._exported(op, position, first)
            if (written or other_kind or leaves) and not self._movable(init, op):
                self._clone(init, op, first + position, op)

    def _exported(self, op: Operation, position: int, first: int) -> bool:
        """Whether the result of a loop's position leaves the program."""
        results = [op.results[position]] if first == 3 else [r for r in op.results if is_resource(r)]
        return any(
            use.operation.name in ("stream.tensor.export", "stream.async.cast")
            for r in results
            for member in self.storage.all(r)
            for use in member.uses
        )

    def _handed_on(self, value: SSAValue, argument: SSAValue) -> bool:
        """Whether a yielded value is the carried argument, unchanged or written in place."""
        at = value
        while at is not argument:
            owner = at.owner
            if not isinstance(owner, Operation):
                # The argument of a while's body that is the argument of its condition.
                passed = self._passed(at)
                if passed is None:
                    return False
                at = passed
                continue
            if not owner.name.startswith("stream."):
                return self.storage.root(at) is self.storage.root(argument)
            tie = tied_operands(owner)[next(i for i, r in enumerate(owner.results) if r is at)]
            if tie < 0:
                return False
            at = owner.operands[tie]
        return True

    def _passed(self, value: SSAValue) -> SSAValue | None:
        block: Any = value.owner
        parent = block.parent_op()
        if parent is None or parent.name != "scf.while" or parent.regions[1].blocks[0] is not block:
            return None
        last = parent.regions[0].blocks[0].last_op
        return last.operands[1 + value.index]  # pyright: ignore[reportAttributeAccessIssue]

    def _condition(self, before: Block) -> None:
        last = before.last_op
        assert last is not None
        handed: set[SSAValue] = set()
        for position, value in enumerate(last.operands):
            if not is_resource(value):
                continue
            root = self.storage.root(value)
            own = any(root is self.storage.root(a) or self._handed_on(value, a) for a in before.args if is_resource(a))
            if (own and root not in handed) or (self._fresh_in(value, before) and root not in handed):
                handed.add(root)
                continue
            handed.add(self.storage.root(self._clone(value, last, position, last)))

    def _branches(self, op: Any) -> None:
        blocks = [r.blocks[0] for r in op.regions if r.blocks]
        for index, result in enumerate(op.results):
            if not is_resource(result):
                continue
            ends = [b.last_op for b in blocks]
            values = [e.operands[index] for e in ends]
            if len({id(self.storage.root(v)) for v in values}) == 1 and not any(
                self._fresh_in(v, b) for v, b in zip(values, blocks, strict=True)
            ):
                continue
            for value, end, block in zip(values, ends, blocks, strict=True):
                if not self._fresh_in(value, block) or self._escapes(value, end, index):
                    self._clone(value, end, index, end)

    def _store(self, op: Any) -> None:
        value = op.operands[0]
        name = op.global_.string_value()
        owner = value.owner
        if self.storage.global_name(value) == name:
            loaded = self.storage.root(value).owner
            between = range(self.order.number.get(loaded, 0), self.order.number.get(op, 0))  # pyright: ignore
            if not any(
                other.name == "util.global.store"
                and other is not op
                and self.order.number.get(other, -1) in between
                and other.global_.string_value() == name  # pyright: ignore[reportAttributeAccessIssue]
                and self.storage.global_name(other.operands[0]) != name
                for other in self.function.regions[0].walk()
            ):
                return
        if isinstance(owner, Operation) and owner.name == "stream.timepoint.await":
            return  # an uploaded constant, in an initialiser
        if not self._fresh_in(value, op.parent) or self._escapes(value, op, 0):
            self._clone(value, op, 0, op)

    def _export(self, op: Any) -> None:
        value = op.source
        kind = self.storage.kind(value)
        name = self.storage.global_name(value)
        if kind == "constant" or (kind == "global" and name is not None):
            self._clone(value, op, 0, op)

    # ---- properties -------------------------------------------------------------------------------------------------

    def _fresh_in(self, value: SSAValue, block: Block) -> bool:
        """Whether the storage is made by an operation directly in `block`."""
        owner = self.storage.root(value).owner
        return isinstance(owner, Operation) and owner.parent is block and (
            owner.name in STREAMABLE and owner.name != "stream.async.constant"
        )

    def _escapes(self, value: SSAValue, op: Operation, position: int) -> bool:
        """Whether the storage is also handed on elsewhere: yielded, stored, exported, or carried by another loop."""
        for member in self.storage.all(value):
            for use in member.uses:
                if use.operation is op and use.index == position:
                    continue
                name = use.operation.name
                if name in ("scf.yield", "scf.condition", "util.global.store", "stream.tensor.export", "util.return"):
                    return True
                if name == "scf.for" or name == "scf.while":
                    return True
        return False

    def _movable(self, value: SSAValue, op: Operation) -> bool:
        """Whether a loop may take the storage of an initial value: owned, and last used by the loop."""
        if self.storage.kind(value) not in ("fresh", "result", "argument"):
            return False
        root = self.storage.root(value)
        owner = root.owner
        where = owner if isinstance(owner, Block) else owner.parent
        if where is not op.parent:
            return False
        count = sum(use.operation is op for member in self.storage.all(value) for use in member.uses)
        number = self.order.number.get(op, 0)
        for use in self.storage.uses(value, without=op):
            if use.name == "util.global.store":
                return False
            if use is not op and use.name != "stream.async.cast" and self.order.number.get(use, -1) > number:
                return False
        return count == 1

    # ---- clones -----------------------------------------------------------------------------------------------------

    def _clone(self, value: SSAValue, user: Operation, position: int, before: Operation) -> SSAValue:
        if not self.sizes:
            self.sizes = size_map(self.function.regions[0].blocks[0])
        size = self.sizes.get(value)
        if size is None:
            raise op_error(user, "the size of a carried value is not known here")
        clone = make_op(
            AsyncCloneOp,
            {"source": value, "source_size": size, "result_size": size},
            [value.type],
            {"affinity": affinity_near(value)},
            location=user.location,
        )
        assert before.parent is not None
        before.parent.insert_op_before(clone, before)
        self.order.number[clone] = self.order.number.get(before, 0)
        user.operands[position] = clone.results[0]
        self.sizes[clone.results[0]] = size
        return clone.results[0]


def _ancestor_in(op: Operation, block: Block | None) -> Operation | None:
    """The operation of `block` that holds `op`, if any."""
    at: Operation | None = op
    while at is not None and at.parent is not block:
        at = at.parent_op()
    return at


def affinity_near(value: SSAValue) -> Attribute | None:
    """The place of the operation that defines a value or, for a block argument, of one that uses it."""
    owner = value.owner
    if isinstance(owner, Operation):
        place = owner.properties.get("target_affinity") or owner.properties.get("affinity")
        if place is not None:
            return place
    for use in value.uses:
        place = use.operation.properties.get("source_affinity") or use.operation.properties.get("affinity")
        if place is not None:
            return place
    return None


@dataclass
class UnifyCarriedStorage(Pass):
    """One owner for what crosses loops, branches and globals."""

    name = "unify-carried-storage"
    summary = "One owner for what crosses loops, branches and globals"

    def apply(self, op: Any, ctx: Context) -> None:
        unify_carried_storage(op)
