"""Which values share storage, who owns it, and what comes before what.

Before allocation every value is a value of its own; storage is shared only along ties (an in-place result and its
operand), casts, and values handed unchanged through loops and branches. `Storage` groups values into such classes and
says where the storage of a class comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import tied_operands
from headrace.ir.dialects.stream_types import ResourceType

MUTATING = frozenset(
    f"stream.async.{n}" for n in ("fill", "update", "copy", "collective", "dispatch", "call", "store")
)
"""Operations whose tied results have other contents than the operand."""
STREAMABLE = frozenset(
    f"stream.async.{n}"
    for n in ("alloca", "constant", "splat", "clone", "slice", "fill", "update", "copy", "collective", "dispatch",
              "call", "transfer", "barrier")
)  # fmt: skip
"""Operations that may be placed in an execution region."""
LOOPS = ("scf.for", "scf.while")


def is_resource(value: SSAValue) -> bool:
    """Whether a value is a resource."""
    return isinstance(value.type, ResourceType)


class Order:
    """Program order of the operations of a function, control flow included."""

    def __init__(self, entry: Block):
        self.number: dict[Operation, int] = {}
        self._visit(entry)

    def _visit(self, block: Block) -> None:
        for op in block.ops:
            self.number[op] = len(self.number)
            for region in op.regions:
                for inner in region.blocks:
                    self._visit(inner)

    def precedes(self, first: Operation, second: Operation) -> bool:
        """Whether `first` is over when `second` starts, or never runs in the same pass through the program."""
        if self.number[first] < self.number[second]:
            return True
        return exclusive(first, second)


def ancestors(op: Operation) -> Iterator[tuple[Operation, Block]]:
    """The operation and its parents, each with the block it is in, innermost first."""
    at: Operation | None = op
    while at is not None and at.parent is not None:
        yield at, at.parent
        at = at.parent_op()


def exclusive(first: Operation, second: Operation) -> bool:
    """Whether two operations are in different branches of one `scf.if`."""
    places = {id(parent): (op, block) for op, block in ancestors(first) if (parent := block.parent_op()) is not None}
    for _op, block in ancestors(second):
        parent = block.parent_op()
        if parent is not None and id(parent) in places:
            other = places[id(parent)][1]
            return parent.name == "scf.if" and other is not block
    return False


def loop_between(op: Operation, block: Block) -> bool:
    """Whether a loop lies between an operation and an enclosing block."""
    at: Operation | None = op
    while at is not None and at.parent is not block:
        at = at.parent_op()
        if at is not None and at.name in LOOPS:
            return True
    return False


def block_of(value: SSAValue) -> Block:
    """The block a value is defined in."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    assert owner.parent is not None
    return owner.parent


def global_values(block: Block) -> dict[str, list[SSAValue]]:
    """Resources that are loaded from each global or stored to it, in program order."""
    found: dict[str, list[SSAValue]] = {}
    for op in block.walk():
        if op.name in ("util.global.load", "util.global.store"):
            value = op.results[0] if op.results else op.operands[0]
            if is_resource(value):
                symbol = op.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
                found.setdefault(symbol, []).append(value)
    return found


class Storage:
    """Storage classes of one function at the async level."""

    def __init__(self, module: ModuleOp, function: Operation):
        self.function = function
        self.parent: dict[SSAValue, SSAValue] = {}
        self.members: dict[SSAValue, list[SSAValue]] = {}
        self.may_alias: dict[SSAValue, list[tuple[Operation, SSAValue]]] = {}
        """Results of loops that hand an initial value on when they do not run, by the initial value."""
        self.first: list[tuple[SSAValue, SSAValue]] = []
        """Initial values of loops and the arguments that are them in the first iteration."""
        self._hazards: dict[SSAValue, SSAValue] = {}
        self._joined = False
        self._globals = global_values(function.regions[0].blocks[0])
        self.initial: dict[SSAValue, SSAValue] = {}
        """The initial value of each result of a loop that may not run."""
        self.stored: set[str] = {
            op.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
            for f in module.body.block.ops
            if f.name == "util.func" and f.regions[0].blocks
            for op in f.regions[0].walk()
            if op.name == "util.global.store" and isinstance(op.operands[0].type, ResourceType)
        }
        self._block(function.regions[0].blocks[0])

    def root(self, value: SSAValue) -> SSAValue:
        """The value whose storage this one has."""
        at = value
        parent = self.parent
        while at in parent:
            at = parent[at]
        while value in parent and parent[value] is not at:
            parent[value], value = at, parent[value]
        return at

    def share(self, value: SSAValue, source: SSAValue) -> None:
        """`value` has the storage of `source`."""
        root, mine = self.root(source), self.root(value)
        if root is mine:
            return
        self.parent[mine] = root
        self.members.setdefault(root, [root]).extend(self.members.pop(mine, [mine]))

    def all(self, value: SSAValue) -> list[SSAValue]:
        """All values with the storage of `value`."""
        root = self.root(value)
        return self.members.get(root, [root])

    def uses(self, value: SSAValue, without: Operation | None = None) -> list[Operation]:
        """Operations that use any value with this storage, or a loop result that may have it (not those of `without`).
        """
        found: list[Operation] = []
        seen: set[SSAValue] = set()
        work = [value]
        while work:
            for member in self.all(work.pop()):
                if member in seen:
                    continue
                seen.add(member)
                found += [use.operation for use in member.uses]
                work += [r for op, r in self.may_alias.get(member, ()) if op is not without]
        return found

    def hazard(self, value: SSAValue) -> SSAValue:
        """Representative of all storage a value may share: by loops that do not run, or by way of a global."""
        if not self._joined:
            self._joined = True
            for one, others in self.may_alias.items():
                for _, other in others:
                    self._join(one, other)
            for one, other in self.first:
                self._join(one, other)
            for values in self._globals.values():
                for other in values[1:]:
                    self._join(values[0], other)
        return self._hazard_root(self.root(value))

    def _join(self, one: SSAValue, other: SSAValue) -> None:
        a, b = self._hazard_root(self.root(one)), self._hazard_root(self.root(other))
        if a is not b:
            self._hazards[a] = b

    def _hazard_root(self, at: SSAValue) -> SSAValue:
        while at in self._hazards:
            at = self._hazards[at]
        return at

    def _block(self, block: Block) -> None:
        for op in block.ops:
            if op.name.startswith("stream.") and op.results:
                for result, tie in zip(op.results, tied_operands(op), strict=True):
                    if tie >= 0 and is_resource(result):
                        self.share(result, op.operands[tie])
            elif op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self._block(inner)
                self._region(op)

    def _region(self, op: Operation) -> None:
        """Values that go through a loop or branch unchanged or in place."""
        blocks = [r.blocks[0] for r in op.regions if r.blocks]
        if op.name == "scf.for":
            last = blocks[0].last_op
            assert last is not None
            for init, argument, yielded, result in zip(
                op.operands[3:], blocks[0].args[1:], last.operands, op.results, strict=True
            ):
                if is_resource(init) and self.root(yielded) is self.root(argument):
                    self.share(argument, init)
                    self.share(result, init)
                elif is_resource(init):
                    self.first.append((init, argument))
                    self._may_be(init, result, op)
        elif op.name == "scf.while":
            before, after = blocks
            assert before.last_op is not None and after.last_op is not None
            for passed, argument in zip(before.last_op.operands[1:], after.args, strict=True):
                if is_resource(passed):
                    self.share(argument, passed)
            for init, argument in zip(op.operands, before.args, strict=True):
                for passed, result in zip(before.last_op.operands[1:], op.results, strict=True):
                    if is_resource(init) and is_resource(passed) and self.root(passed) is self.root(argument):
                        self._may_be(init, result, op)
        elif op.name == "scf.if" and op.results and len(blocks) == 2:
            assert blocks[0].last_op is not None and blocks[1].last_op is not None
            pairs = zip(blocks[0].last_op.operands, blocks[1].last_op.operands, op.results, strict=True)
            for one, two, result in pairs:
                if is_resource(result) and self.root(one) is self.root(two):
                    self.share(result, one)

    def _may_be(self, init: SSAValue, result: SSAValue, op: Operation) -> None:
        """A loop that does not run gives its initial value as result."""
        self.may_alias.setdefault(init, []).append((op, result))
        self.may_alias.setdefault(result, []).append((op, init))
        if op.name == "scf.for":
            low, high = constant_of(op.operands[0]), constant_of(op.operands[1])
            if low is not None and high is not None and low < high:
                return
        self.initial[result] = init

    def kind(self, value: SSAValue) -> str:
        """Origin of the storage: borrowed, constant, global, fresh, argument (of a loop) or result (of a region)."""
        root = self.root(value)
        owner = root.owner
        if isinstance(owner, Block):
            return "borrowed" if owner.parent_op() is self.function else "argument"
        if owner.name == "stream.tensor.import":
            return "fresh" if "consume" in owner.properties else "borrowed"
        if owner.name == "util.global.load":
            return "global"
        if owner.name in ("stream.async.constant", "stream.resource.constants"):
            return "constant"
        if not owner.name.startswith("scf."):
            return "fresh"
        init = self.initial.get(root)
        if init is not None and self.kind(init) not in ("fresh", "result"):
            return "borrowed"
        return "result"

    def global_name(self, value: SSAValue) -> str | None:
        """The global the storage belongs to."""
        owner: Any = self.root(value).owner
        if isinstance(owner, Operation) and owner.name == "util.global.load":
            return owner.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
        return None

    def of_global(self, name: str) -> set[SSAValue]:
        """Representatives (`hazard`) of all storage that is loaded from a global or stored to it."""
        return {self.hazard(v) for v in self._globals.get(name, ())}

    def mutated(self, value: SSAValue) -> bool:
        """Whether the storage is written in place after it was made."""
        for member in self.all(value):
            owner = member.owner
            if isinstance(owner, Operation) and owner.name in MUTATING:
                index = next(i for i, r in enumerate(owner.results) if r is member)
                if tied_operands(owner)[index] >= 0:
                    return True
        return False


def host_functions(module: ModuleOp) -> list[Any]:
    """Functions and initialisers with a body."""
    return [
        op
        for op in module.body.block.ops
        if op.name in ("util.func", "util.initializer") and op.regions[0].blocks
    ]


