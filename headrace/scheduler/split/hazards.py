"""Does a schedule keep the order in which a kernel reads and writes memory?

Between groups: a program loads when it is called, which may be after another program's stores that the kernel has after
the load. Within a program: the pipeline loads ahead of its stores, so it may only overwrite elements at the points that
read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.diagnostics import HeadraceError, error
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import Index, ancestors, outer_operands
from headrace.scheduler.linear import Linear
from headrace.scheduler.schedule import upper_bound
from headrace.scheduler.split.groups import Group, is_local, may_alias, may_overlap


@dataclass(frozen=True)
class Conflict:
    """A group loads (with `load`) what `store` of the kernel, which comes after that load, has overwritten by then."""

    group: Group
    load: Operation
    store: Operation
    how: str

    def values(self) -> list[SSAValue]:
        """The tensors computed from the load in front of the store that the group uses behind it: if they are kept, it
        need not load again. Empty where something else crosses the store."""
        anchor = common_block(self.load, self.store)
        if anchor is None:
            return []
        block, front = anchor
        position = {op: k for k, op in enumerate(block.ops)}
        if self.load.parent is block:
            return list(self.load.results)
        found: dict[SSAValue, None] = {}
        seen: set[SSAValue] = set()
        stack: list[SSAValue] = [v for s in self.group.stores for v in outer_operands(s)]
        while stack:
            value = stack.pop()
            op = value.owner
            if value in seen or not isinstance(op, Operation):
                continue
            seen.add(value)
            around = within(op, block)
            behind = around is not None and position[around] >= position[front]
            if behind or not isinstance(value.type, TensorType):
                stack += outer_operands(op)
            elif needs(op, self.load):
                if around is not op:
                    return []
                found[value] = None
        return list(found)


def conflicts(kernel: func.FuncOp, groups: list[Group]) -> Iterator[Conflict]:
    """What a schedule of the groups would load too late."""
    position = {op: k for k, op in enumerate(kernel.walk())}
    for group in groups:
        loops = [op for op in ancestors(group.stores[0]) if op.name == "scf.for"]
        for load in group.loads:
            access = group.accesses[load]
            around = set(ancestors(load))
            for other in groups:
                for store in other.stores:
                    if not may_alias(access, other.accesses[store]):
                        continue
                    inside = set(ancestors(store))
                    if any(loop in inside and loop not in around for loop in loops):
                        yield Conflict(group, load, store, "is used in a loop that overwrites")
                    if other is group or not may_overlap(access, other.accesses[store]):
                        continue
                    runs_first = position[other.stores[-1]] < position[group.stores[-1]]
                    if runs_first and position[load] < position[store] and not in_other_branch(load, store):
                        yield Conflict(group, load, store, "is used after a store to")


def check_order(kernel: func.FuncOp, groups: list[Group], pass_name: str) -> None:
    """Raise HeadraceError if a group would load what the kernel overwrites only after that load."""
    for c in conflicts(kernel, groups):
        raise error(
            c.load,
            f"the loaded value {c.how} the same memory; {pass_name} loads where the value is used, "
            "which would read the new elements",
            [(c.store, "overwritten here")],
        )


def within(op: Operation, block: Block) -> Operation | None:
    """`op` or the operation around it that stands in `block`."""
    for outer in (op, *ancestors(op)):
        if outer.parent is block:
            return outer
    return None


def common_block(op: Operation, later: Operation) -> tuple[Block, Operation] | None:
    """The innermost block around both, and the operation in it that is or holds `later`."""
    for outer in (later, *ancestors(later)):
        block = outer.parent
        if block is not None and within(op, block) is not None:
            return block, outer
    return None


def in_other_branch(op: Operation, later: Operation) -> bool:
    """Whether the two stand in the two branches of one `scf.if`: a run takes but one of them."""
    anchor = common_block(op, later)
    return anchor is not None and anchor[1].name == "scf.if" and within(op, anchor[0]) is anchor[1]


def needs(op: Operation, load: Operation) -> bool:
    """Whether `op` is computed from a load: it is that, holds it, or takes something that does."""
    around = set(ancestors(load))
    seen: set[Operation] = set()
    stack = [op]
    while stack:
        current = stack.pop()
        if current is load or current in around:
            return True
        if current not in seen:
            seen.add(current)
            stack += [v.owner for v in outer_operands(current) if isinstance(v.owner, Operation)]
    return False


def overwritten(load: Operation, access: Access, op: Operation) -> bool:
    """Whether a store may change what `load` (of `access`) has read before `op`, which uses that, runs."""
    outside = set(ancestors(load))
    around = list(ancestors(op))
    repeated = {loop for loop in around if loop.name == "scf.for" and loop not in outside}
    between = False
    for other in around[-1].walk():
        if other is load or other is op:
            between = other is load
        elif other.name == "ktdp.store" and (between or not repeated.isdisjoint(ancestors(other))):
            if (may_overlap if between else may_alias)(access, describe(other)):
                return True
    return False


def used_behind(kernel: func.FuncOp, op: Operation, written: tuple[int, int] | None) -> Operation | None:
    """A load of the running tile's scratchpad in front of `op` that may read the bytes in `written` (None: any), and
    whose value something behind `op` is computed from: a program would load it there, after they were overwritten."""
    position = {o: k for k, o in enumerate(kernel.walk())}
    last = max(position[o] for o in op.walk())
    for load in kernel.walk():
        if load.name != "ktdp.load" or position[load] > last:
            continue
        try:
            access = describe(load)
        except HeadraceError:
            continue
        own = access.byte_range() if is_local(access) else (0, -1)
        if written is not None and own is not None and (own[1] < written[0] or written[1] <= own[0]):
            continue
        if own == (0, -1):
            continue
        seen: set[Operation] = set()
        stack = [use.operation for r in load.results for use in r.uses]
        while stack:
            user = stack.pop()
            if user in seen or user is op:
                continue
            seen.add(user)
            if position[user] > last:
                return load
            stack += [use.operation for r in user.results for use in r.uses]
    return None


@dataclass(frozen=True)
class Footprint:
    """The elements that an operand of a pipeline touches: `offset` from its view's start and a stride per domain
    dimension."""

    access: Access
    offset: Linear
    strides: tuple[int, ...]


def meeting(
    loads: Sequence[Footprint], stores: Sequence[Footprint], extents: Sequence[Index]
) -> tuple[Footprint, Footprint] | None:
    """A load and a store such that a pipeline over `extents` may read elements after it has overwritten them."""
    sizes = [n if isinstance(n, int) else upper_bound(n) for n in extents]
    for store in stores:
        for load in loads:
            if not may_alias(load.access, store.access) or _same_points(load, store, sizes):
                continue
            if _may_meet(load, store, sizes):
                return load, store
    return None


def check_streams(
    loads: Sequence[Footprint], stores: Sequence[Footprint], extents: Sequence[Index], pass_name: str
) -> None:
    """Raise HeadraceError if a pipeline over `extents` may read elements after it has overwritten them."""
    found = meeting(loads, stores, extents)
    if found is not None:
        raise error(
            found[1].access.op,
            f"this store overwrites elements that other points of the same program read; {pass_name} streams a "
            "program and supports an update in place only where each element is read and written at one point",
            [(found[0].access.op, "read here")],
        )


def _same_points(a: Footprint, b: Footprint, sizes: Sequence[int | None]) -> bool:
    walked = zip(a.strides, b.strides, sizes, strict=True)
    return (
        a.access.same_table(b.access)
        and a.access.base.key() == b.access.base.key()
        and a.access.unit == b.access.unit
        and a.access.element_type == b.access.element_type
        and a.offset.key() == b.offset.key()
        and all(s == t or n == 1 for s, t, n in walked)
    )


def _may_meet(a: Footprint, b: Footprint, sizes: Sequence[int | None]) -> bool:
    """Whether the two can touch a common byte at any two points."""
    if a.access.table is not None or b.access.table is not None:
        return True
    width = a.access.element_bytes
    base = a.access.base - b.access.base
    if width != b.access.element_bytes or a.access.unit != b.access.unit or not base.is_const:
        return True
    shift = a.offset - b.offset
    scale = width if a.access.unit == "byte" else 1
    if not shift.is_const or base.const % scale:
        return True
    steps: list[tuple[int, int, int]] = []
    for s, t, n in zip(a.strides, b.strides, sizes, strict=True):
        if s == t == 0:
            continue
        if n is None:
            return True
        if s == t:
            steps.append((abs(s), 1 - n, n - 1))
        else:
            steps += [(abs(k), 0, n - 1) if k > 0 else (abs(k), 1 - n, 0) for k in (s, -t) if k]
    return reaches(shift.const + base.const // scale, sorted(steps, reverse=True))


def reaches(total: int, steps: Sequence[tuple[int, int, int]]) -> bool:
    """Whether `total + sum(stride * k)` can be 0, with lower <= k <= upper for each (stride, lower, upper); the largest
    stride comes first."""
    if not steps:
        return total == 0
    (stride, lower, upper), rest = steps[0], steps[1:]
    low, high = sum(s * a for s, a, _ in rest), sum(s * b for s, _, b in rest)
    first = max(lower, -((total + high) // stride))
    last = min(upper, (-total - low) // stride)
    return any(reaches(total + stride * k, rest) for k in range(first, last + 1))
