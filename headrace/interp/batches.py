"""Iterations of an innermost loop done at once: the same meaning as one by one, in array operations.

A loop whose body is a straight line of transfers and elementwise computations runs as many iterations together as can
go on without waiting: items in the queues that it reads, free slots in those that it fills, and the slots that a loop
which reads them, and waits for nothing else, frees meanwhile. Values that differ between iterations get a leading axis,
one entry an iteration; what the iterations hand on (`iter_args`) is computed in their order, except where it does not
depend on what they were handed: that is the value of the iteration before. Nothing is popped, pushed or stored before
all of it is known. Where anything is unusual (an access outside of its memory, a poison value) the iterations run one
by one, and report it.

`plan_of` says what the text of a loop fixes; a level says how its transfers move data (`Moves`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Block, Operation, SSAValue

from headrace.interp import engine
from headrace.interp.engine import Frame, Leaf, Running, loop_range, number_of
from headrace.interp.memory import OutsideMemory, Space, Uninitialised
from headrace.interp.structured import accumulator, fold
from headrace.interp.values import PoisonUse, element_dtype, is_shaped
from headrace.ir.diagnostics import HeadraceError
from headrace.numerics import semantics
from headrace.numerics.dtypes import DType

Array = NDArray[Any]
Kind = Literal["receive", "load", "forward", "send", "store", "deposit", "block"]
"""Taking an item, reading memory, reading memory into a queue, pushing an item, writing memory, writing an item to
memory, a computation with a body of its own."""

ELEMENTWISE = frozenset(semantics.names()) | {"arith.select", "affine.apply"}
"""Scalar and tensor operations whose leaves take arrays of any common shape."""
CONSTANTS = frozenset({"arith.constant", "tensor.empty", "linalg.fill", "tensor.splat"})
AT_ONCE = 4096
"""Most iterations of one batch."""


class OneByOne(Exception):
    """The iterations at hand cannot run together."""


@dataclass(eq=False)
class Ends:
    """The queues of one execution of a loop, with the items that an iteration takes from or adds to each."""

    taken: dict[int, tuple[deque[Any], int]] = field(default_factory=dict)
    given: dict[int, tuple[deque[Any], int | None, int]] = field(default_factory=dict)
    """(queue, its depth or None, items)"""
    place: dict[Operation, tuple[deque[Any], int]] = field(default_factory=dict)
    """The queue that an operation takes from, and how many items of an iteration it leaves to those before it."""
    targets: dict[Operation, list[deque[Any]]] = field(default_factory=dict)
    readers: dict[int, Ends] = field(default_factory=dict)
    """By queue, of all units of a session: the last batched loop that read it."""
    left: int = 0
    """Whole iterations that are left of the loop behind the one that runs."""

    def takes(self, op: Operation, queue: deque[Any]) -> None:
        """Register an operation that takes an item."""
        _, n = self.taken.get(id(queue), (queue, 0))
        self.place[op] = queue, n
        self.taken[id(queue)] = queue, n + 1

    def gives(self, op: Operation, queue: deque[Any], depth: int | None) -> None:
        """Register an operation that adds an item."""
        n = self.given.get(id(queue), (queue, depth, 0))[2]
        self.targets.setdefault(op, []).append(queue)
        self.given[id(queue)] = queue, depth, n + 1

    def room(self, most: int) -> int:
        """Iterations, at most `most`, that run without waiting."""
        for queue, n in self.taken.values():
            most = min(most, len(queue) // n)
        return self.room_to_give(most, ())

    def room_to_give(self, most: int, known: tuple[Ends, ...]) -> int:
        """Iterations, at most `most`, whose items find a slot: one that is free, or that its reader certainly frees."""
        for queue, depth, n in self.given.values():
            if depth is not None and most > (free := (depth - len(queue)) // n):
                reader = self.readers.get(id(queue))
                if reader is not None and reader not in known:
                    taken = reader.taken[id(queue)][1]
                    free = (depth - len(queue) + taken * reader.certain(queue, (*known, self))) // n
                most = min(most, free)
        return most

    def certain(self, fed: deque[Any], known: tuple[Ends, ...]) -> int:
        """Whole iterations, behind the one that runs, that need nothing but items of the queue `fed`."""
        most = self.left + 1 if self.left else 0
        for queue, n in self.taken.values():
            if queue is not fed:
                most = min(most, len(queue) // n)
        return max(0, self.room_to_give(most, known) - 1)

    @property
    def apart(self) -> bool:
        """Whether no queue is both read and filled."""
        return not self.taken.keys() & self.given.keys()

    def runs(self, left: int) -> None:
        """Say how many whole iterations are left behind the one that begins now."""
        self.left = left
        for queue in self.taken:
            self.readers[queue] = self

    def items(self, op: Operation, count: int) -> list[Any]:
        """The items that `op` takes in the next `count` iterations."""
        queue, first = self.place[op]
        n = self.taken[id(queue)][1]
        if n == 1 and count == len(queue):
            return list(queue)
        return [queue[j * n + first] for j in range(count)]


@dataclass(frozen=True, eq=False)
class LoopPlan:
    """A loop that can run in batches."""

    steps: tuple[tuple[Operation, str, Leaf | None], ...]
    """(operation, kind, leaf): kinds of `Kind`, and `same`, `each`, `late`, `handed`, elementwise: alike in all
    iterations, different, made from a value of the iteration before, or from what the iterations before handed on."""
    each: frozenset[SSAValue]
    block: Block
    delayed: tuple[int, ...]
    """The carried values that are a value of the iteration before, which depends on none of them."""
    folded: tuple[Operation, SSAValue] | None
    """(combining operation, its term) where the only carried value is gathered by it."""


@dataclass
class Batch:
    """One running batch of `count` iterations."""

    plan: LoopPlan
    ends: Ends
    count: int
    rows: dict[Operation, Array] = field(default_factory=dict)
    """What a `forward` or `deposit` moves."""
    stores: list[Callable[[], None]] = field(default_factory=list)

    def spread(self, value: SSAValue, found: Any) -> Array:
        """A value with one row an iteration."""
        array = np.asarray(found)
        return array if value in self.plan.each else np.broadcast_to(array, (self.count, *array.shape))


class Moves(Protocol):
    """The transfers of one level."""

    def kind(self, op: Any, local: frozenset[SSAValue]) -> Kind | None:
        """What transfer `op` is, None for none or one that cannot be batched; `local`: values made in the loop."""
        ...

    def elementwise(self, op: Any) -> bool:
        """Whether the leaf of `op` takes operands with a leading axis as they are."""
        ...

    def data(self, op: Any) -> SSAValue:
        """What a `send` or `store` moves."""
        ...

    def ends(self, f: Any, plan: LoopPlan) -> Ends:
        """The queues of this execution."""
        ...

    def take(self, f: Any, op: Any, kind: str, batch: Batch) -> None:
        """Do a `receive`, `load`, `forward`, `deposit` or `block`, without effects."""
        ...

    def store(self, f: Any, op: Any, rows: Array, batch: Batch) -> Callable[[], None]:
        """The effect of a `store` or `deposit`."""
        ...

    def items(self, op: Any, rows: Array) -> list[Any]:
        """What a queue holds for each row."""
        ...

    def sent(self, f: Any, op: Any, count: int) -> None:
        """Note that `op` pushed `count` items."""
        ...


def plan_of(loop: Operation, moves: Moves, leaves: Mapping[str, Leaf]) -> LoopPlan | None:
    """How a loop runs in batches; None where it cannot."""
    block = loop.regions[0].blocks[0]
    last = block.last_op
    if last is None or last.name != "scf.yield":
        return None
    delayed = _delayed(block)
    late: set[SSAValue] = set()
    late.update(block.args[1 + k] for k in delayed)
    each: set[SSAValue] = {block.args[0]}
    handed: set[SSAValue] = {v for v in block.args[1:] if v not in late}
    local = frozenset([*block.args, *(r for op in block.ops for r in op.results)])
    steps: list[tuple[Operation, str, Leaf | None]] = []
    for op in list(block.ops)[:-1]:
        kind: str | None = moves.kind(op, local)
        by_hand = any(v in handed for v in op.operands)
        leaf = leaves.get(op.name)
        if kind is not None:
            data = moves.data(op) if kind in ("send", "store") else None
            if any((v in handed or v in late) and v is not data for v in op.operands):
                return None
            each.update(op.results)
            steps.append((op, kind, None))
            continue
        elementwise = op.name in ELEMENTWISE or moves.elementwise(op)
        if leaf is None or op.regions or not (elementwise or op.name in CONSTANTS):
            return None
        was = any(v in late for v in op.operands)
        if not by_hand and not was and not any(v in each for v in op.operands):
            steps.append((op, "same", leaf))
        elif not elementwise or mixes(op, each | late | handed):
            return None
        else:
            (handed if by_hand else late if was else each).update(op.results)
            steps.append((op, "handed" if by_hand else "late" if was else "each", leaf))
    kinds = {kind for _, kind, _ in steps}
    if not kinds & {"receive", "load", "forward", "send", "store", "deposit"}:
        return None
    if kinds & {"store", "deposit"} and kinds & {"load", "forward", "block"}:
        return None
    each |= late | handed
    return LoopPlan(tuple(steps), frozenset(each), block, delayed, _folded(block, steps))


def _delayed(block: Block) -> tuple[int, ...]:
    """The carried values that an iteration makes without any of those that it was handed."""
    carried: set[SSAValue] = set(block.args[1:])
    for op in block.ops:
        if any(v in carried for v in op.operands):
            carried.update(op.results)
    last = block.last_op
    assert last is not None
    return tuple(k for k, v in enumerate(last.operands) if v not in carried)


def mixes(op: Operation, varying: set[SSAValue]) -> bool:
    """Whether a scalar that differs between iterations meets vectors."""
    shaped = any(is_shaped(v.type) for v in (*op.operands, *op.results))
    return shaped and any(v in varying and not is_shaped(v.type) for v in op.operands)


def _folded(block: Block, steps: Sequence[tuple[Operation, str, Any]]) -> tuple[Operation, SSAValue] | None:
    handed = [op for op, kind, _ in steps if kind == "handed"]
    last = block.last_op
    if len(block.args) != 2 or len(handed) != 1 or last is None or last.operands[0].owner is not handed[0]:
        return None
    op = handed[0]
    others = [v for v in op.operands if v is not block.args[1]]
    once = op.results[0].uses.get_length() == 1 and block.args[1].uses.get_length() == 1
    return (op, others[0]) if once and len(op.operands) == 2 and len(others) == 1 and combiner_name(op) else None


def combiner_name(op: Any) -> str | None:
    """The table entry of an operation that may gather the terms of a batch."""
    name, dtype = op.name, element_dtype(op.results[0].type)
    if name == "headrace.compute":
        name = op.properties["op"].data
    elif name == "vectorchain.binary":
        kind = getattr(op.binary_op.data, "value", op.binary_op.data)
        name = f"arith.{kind}{'f' if dtype.is_float else 'i'}" if kind in ("add", "mul") else None
    return name if name in semantics.COMBINERS and accumulator(name, dtype) is dtype else None


def batched_loop(moves: Moves) -> engine.Control:
    """`scf.for` that runs in batches where it can."""

    def run(f: Frame, op: Operation) -> Running:
        cache = f.session.cache
        key = (op, "batches")
        if key not in cache:
            cache[key] = plan_of(op, moves, f.session.leaves)
        plan: LoopPlan | None = cache[key]
        if plan is None:
            return (yield from engine.CONTROLS["scf.for"](f, op))
        lower, upper, step = (f.get(v) for v in op.operands[:3])
        carried = tuple(f.values[v] for v in op.operands[3:])
        numbers = loop_range(op, lower, upper, step)
        try:
            ends = moves.ends(f, plan) if len(numbers) > 1 else None
        except (PoisonUse, HeadraceError):
            ends = None
        if ends is not None and not ends.apart:
            ends = None
        f.place += [number_of(op), 0]
        done = 0
        running = ends
        while done < len(numbers):
            count = ends.room(min(len(numbers) - done, AT_ONCE)) if ends is not None else 0
            if count > 1 and ends is not None:
                try:
                    carried = _run(f, plan, moves, ends, numbers[done : done + count], carried)
                    done += count
                    continue
                except (OneByOne, OutsideMemory, Uninitialised, PoisonUse, ZeroDivisionError, HeadraceError):
                    ends = None  # the single iterations report it
            f.place[-1] = done
            if running is not None:
                running.runs(len(numbers) - done - 1)
            carried = yield from f.run_block(plan.block, (numbers[done], *carried))
            done += 1
        if running is not None:
            running.runs(0)
        del f.place[-2:]
        f.set(op, *carried)
        return ()

    return run


def _run(
    f: Frame, plan: LoopPlan, moves: Moves, ends: Ends, numbers: range, carried: tuple[Any, ...]
) -> tuple[Any, ...]:
    """One batch; what its last iteration hands on."""
    count = len(numbers)
    batch = Batch(plan, ends, count)
    block = plan.block
    f.values[block.args[0]] = np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
    handed: list[tuple[Operation, Leaf]] = []
    late: list[tuple[Operation, Leaf]] = []
    moved: list[tuple[Operation, str]] = []
    for op, kind, leaf in plan.steps:
        if kind in ("handed", "late"):
            assert leaf is not None
            (handed if kind == "handed" else late).append((op, leaf))
        elif leaf is not None:
            leaf(f, op)
        else:
            if kind not in ("send", "store"):
                moves.take(f, op, kind, batch)
            moved.append((op, kind))
    series = _series(f, batch, carried)
    f.values.update(series)
    for op, leaf in late:
        leaf(f, op)
    if plan.folded is not None:
        op, term = plan.folded
        terms = batch.spread(term, f.get(term))
        start = np.asarray(carried[0])
        if start.shape != terms.shape[1:]:
            raise OneByOne
        dtype = element_dtype(op.results[0].type)
        total = fold(combiner_name(op) or "", start, terms, dtype)
        carried = (total if total.ndim else total[()],)
    elif len(block.args) > 1 + len(plan.delayed):
        carried = _handed_on(f, batch, handed, carried)
    elif plan.delayed:
        carried = tuple(_one(v, f.get(v) if v not in plan.each else f.get(v)[-1]) for v in block.last_op.operands)  # type: ignore[union-attr]
    pushes: list[tuple[Operation, list[deque[Any]], list[Any]]] = []
    for op, kind in moved:
        if kind in ("send", "store"):
            value = moves.data(op)
            batch.rows[op] = batch.spread(value, f.get(value))
        if kind in ("store", "deposit"):
            batch.stores.append(moves.store(f, op, batch.rows[op], batch))
        elif kind in ("send", "forward"):
            pushes.append((op, ends.targets[op], moves.items(op, batch.rows[op])))
    for store in batch.stores:
        store()
    for queue, n in ends.taken.values():
        if n * count == len(queue):
            queue.clear()
        else:
            for _ in range(n * count):
                queue.popleft()
    filled: dict[int, tuple[deque[Any], list[list[Any]]]] = {}
    for _, queues, items in pushes:
        for queue in queues:
            filled.setdefault(id(queue), (queue, []))[1].append(items)
    for queue, items in filled.values():
        queue.extend(items[0] if len(items) == 1 else chain.from_iterable(zip(*items, strict=True)))
    for op, queues, _ in pushes:
        moves.sent(f, op, count * len(queues))
    return carried


def _series(f: Frame, batch: Batch, carried: tuple[Any, ...]) -> dict[SSAValue, Array]:
    """The carried values that are a value of the iteration before, with a leading axis."""
    plan = batch.plan
    last = plan.block.last_op
    assert last is not None
    found: dict[SSAValue, Array] = {}
    for k in plan.delayed:
        start, rows = np.asarray(carried[k]), batch.spread(last.operands[k], f.get(last.operands[k]))
        if start.shape != rows.shape[1:] or start.dtype.kind == "O" or (start.ndim and start.dtype != rows.dtype):
            raise OneByOne
        start = start.astype(rows.dtype)
        found[plan.block.args[1 + k]] = np.concatenate([start[None], rows[:-1]])
    return found


def _one(value: SSAValue, found: Any) -> Any:
    """What a value is in one iteration."""
    if is_shaped(value.type) or not isinstance(found, np.ndarray | np.generic):
        return found
    return found.item() if found.dtype.kind in "iub" else found


def _handed_on(
    f: Frame, batch: Batch, handed: Sequence[tuple[Operation, Leaf]], carried: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The iterations' dependent operations in order; their results get a leading axis afterwards."""
    block, values, each = batch.plan.block, f.values, batch.plan.each
    last = block.last_op
    assert last is not None
    own = {a: k for k, a in enumerate(block.args[1:]) if k not in batch.plan.delayed}
    made = {r for op, _ in handed for r in op.results}
    needed = {v for op, _ in handed for v in op.operands} | set(last.operands)
    series = {v: f.get(v) for v in needed if v in each and v not in made and v not in own}
    history: dict[SSAValue, list[Any]] = {r: [] for r in (*own, *made)}
    for j in range(batch.count):
        for a, k in own.items():
            values[a] = carried[k]
            history[a].append(carried[k])
        for v, all_of_it in series.items():
            values[v] = _one(v, all_of_it[j])
        for op, leaf in handed:
            leaf(f, op)
            for r in op.results:
                history[r].append(f.get(r))
        carried = tuple(values[v] for v in last.operands)
    values.update(series)
    for r, found in history.items():
        values[r] = np.stack([np.asarray(x) for x in found])
    return carried


# -- memory ----------------------------------------------------------------------------------------------------------


def read_rows(space: Space, bases: Array, shape: Sequence[int], strides: Sequence[int], dtype: DType) -> Array:
    """The boxes of `shape` at the byte addresses `bases` (one an iteration), one row each."""
    step = even_step(bases)
    if step is not None:
        return space.read_box(int(bases[0]), (len(bases), *shape), (step, *strides), dtype)
    return space.read_points(_addresses(bases, shape, strides), dtype)


def write_rows(
    space: Space, bases: Array, shape: Sequence[int], strides: Sequence[int], dtype: DType, rows: Array
) -> None:
    """Store one box of `shape` for every byte address in `bases`; the last one wins where they meet."""
    step = even_step(bases)
    extent = sum(abs(s) * (n - 1) for n, s in zip(shape, strides, strict=True)) + dtype.bytes
    if step is not None and abs(step) >= extent:
        space.write_box(int(bases[0]), (len(bases), *shape), (step, *strides), dtype, rows)
    else:
        space.write_points(_addresses(bases, shape, strides), dtype, rows)


def per_iteration(base: Any, count: int) -> Array:
    """A byte address for each of `count` iterations."""
    return base if isinstance(base, np.ndarray) else np.full(count, base, np.int64)


def even_step(bases: Array) -> int | None:
    """The distance between neighbours where it is the same for all."""
    steps = bases[1:] - bases[:-1]
    first = int(steps[0])
    return first if len(steps) == 1 or (steps == first).all() else None


def _addresses(bases: Array, shape: Sequence[int], strides: Sequence[int]) -> NDArray[np.int64]:
    axes = np.ogrid[tuple(slice(n) for n in shape)] if shape else []
    offsets = sum((axis * s for axis, s in zip(axes, strides, strict=True)), np.zeros((), np.int64))
    return np.broadcast_to(bases.reshape(-1, *(1,) * len(shape)) + offsets, (len(bases), *shape))
