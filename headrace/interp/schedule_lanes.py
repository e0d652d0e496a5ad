"""Iterations of a loop around pipelines done side by side: the same meaning as one after another, in array operations.

A loop of a program often runs a whole pipeline for a single result: it fills its queues and empties them again, and
nothing of it is left but what it stored. Every iteration then is a *lane*: each operation of the body runs once for
all lanes, values that differ between them get a leading axis, queues hold one row a lane, and a buffer that the body
makes itself is one for each lane. Stores wait until all lanes are through. They count only if no lane read what
another one stores, or what it stored itself before, and no two lanes store to one place; otherwise, and where anything
is unusual, the iterations run one after another and report it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Block, Operation, SSAValue

from headrace.interp.batches import AT_ONCE, OneByOne, even_step, read_rows, write_rows
from headrace.interp.engine import Control, Frame, Running, loop_range, number_of
from headrace.interp.lane_plans import Plan, plan_of
from headrace.interp.memory import OutsideMemory, Space, Uninitialised, box_range
from headrace.interp.memrefs import view_at
from headrace.interp.schedule_batches import boxes_of
from headrace.interp.structured import run_generic
from headrace.interp.values import PoisonUse, View, static_shape
from headrace.ir.diagnostics import HeadraceError
from headrace.numerics.dtypes import DType

Array = NDArray[Any]

ROOM, STORED = 1 << 24, 1 << 26
"""Bytes that one operation moves for all lanes, and that wait to be stored, at most: large boxes gain nothing."""
MARKED = 1 << 26
"""Bytes between the first and the last store up to which stores that interleave are compared byte by byte."""


@dataclass(frozen=True)
class Level:
    """What ScheduleIR's own interpreter knows of an operation."""

    sides: Callable[[Any], Any]
    """The plan of a transfer: (source, destination)."""
    fitted: Callable[[Any, Any, Array, int], Array]
    """Rows as long as the destination of a transfer takes them."""
    stages: Callable[[Any], Sequence[Operation]]
    """The stages of a pipeline in order."""


def span(view: View) -> tuple[int, int]:
    """Byte range of a view."""
    return box_range(view.base, view.sizes, view.strides, view.dtype.bytes)


@dataclass(eq=False)
class Own:
    """A buffer that the body makes: one for each lane."""

    view: View
    rows: Array
    written: NDArray[np.bool_]
    """Elements that all lanes have written."""
    gone: bool = False
    """Whether a buffer that was made later lies in the same place."""

    def read(self, origin: Sequence[int], sizes: Sequence[int]) -> Array:
        """A box of every lane."""
        where = self.box(origin, sizes)
        if not self.written[where].all():
            raise OneByOne
        return self.rows[(slice(None), *where)]

    def write(self, origin: Sequence[int], rows: Array) -> None:
        """Store a box in every lane."""
        where = self.box(origin, rows.shape[1:])
        self.rows[(slice(None), *where)] = rows
        self.written[where] = True

    def box(self, origin: Sequence[int], sizes: Sequence[int]) -> tuple[slice, ...]:
        """Subscripts of a box that lies inside."""
        if self.gone:
            raise OneByOne
        for o, n, extent in zip(origin, sizes, self.view.sizes, strict=True):
            if isinstance(o, np.ndarray) or isinstance(n, np.ndarray) or o < 0 or n < 0 or o + n > extent:
                raise OneByOne
        return tuple(slice(o, o + n) for o, n in zip(origin, sizes, strict=True))


@dataclass(frozen=True, eq=False)
class Access:
    """A box of every lane in a memory; `rows` are stored, None: it was read."""

    space: Space
    bases: NDArray[np.int64]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: DType
    rows: Array | None

    @cached_property
    def span(self) -> tuple[int, int]:
        """Byte range of all lanes."""
        low, high = box_range(0, self.sizes, self.strides, self.dtype.bytes)
        return int(self.bases.min()) + low, int(self.bases.max()) + high

    @property
    def apart(self) -> bool:
        """Whether the boxes of the lanes certainly do not meet."""
        step = even_step(self.bases)
        low, high = box_range(0, self.sizes, self.strides, self.dtype.bytes)
        return step is not None and abs(step) >= high - low

    def bytes(self) -> NDArray[np.int64]:
        """Address of every byte: (lanes, bytes of a box)."""
        offsets = np.zeros(1, np.int64)
        for n, s in zip((*self.sizes, self.dtype.bytes), (*self.strides, 1), strict=True):
            offsets = (offsets[:, None] + np.arange(n, dtype=np.int64) * s).reshape(-1)
        return self.bases[:, None] + offsets


class Lanes:
    """One execution of a body for `count` lanes."""

    def __init__(self, f: Any, plan: Plan, level: Level, count: int, last: Sequence[tuple[int | None, int]]) -> None:
        self.f, self.plan, self.level, self.count = f, plan, level, count
        self.last = last
        """(instance, its last lane)"""
        self.accesses: list[Access] = []
        self.own: list[Own] = []
        self.stored = 0
        """Bytes that wait to be stored."""

    def block(self, block: Block, arguments: Sequence[Any] = ()) -> tuple[Any, ...]:
        """All operations of a block; the operands of its terminator."""
        f = self.f
        f.values.update(zip(block.args, arguments, strict=True))
        for op in block.ops:
            if op is block.last_op and not op.results and op.name.endswith("yield"):
                return tuple(f.values[v] for v in op.operands)
            self.one(op)
        return ()

    def one(self, op: Any) -> None:
        f = self.f
        match op.name:
            case "ktdf.pipeline":
                self.pipeline(op)
            case "scf.for":
                self.loop(op)
            case "ktdf.parallel":
                self.parallel(op)
            case "ktdf.data_transfer":
                self.transfer(op)
            case "ktdf.read_from_fifo":
                rows = self.pop(f.get(op.operands[0]))
                f.values[op.results[0]] = rows.reshape(self.count, *static_shape(op.results[0].type))
            case "ktdf.write_to_fifo":
                self.push(f.get(op.operands[1]), self.spread(op.operands[0]))
            case "builtin.unrealized_conversion_cast":
                f.session.leaves[op.name](f, op)
                f.values[op.results[0]] = self.buffer(f.values[op.results[0]])
            case "linalg.fill" if isinstance(f.values[op.operands[-1]], Own):
                own = f.values[op.operands[-1]]
                value = np.asarray(f.get(op.operands[0]), own.rows.dtype)
                own.write((0,) * own.view.rank, np.broadcast_to(value, own.rows.shape))
            case "linalg.generic":
                self.generic(op)
            case _:
                f.session.leaves[op.name](f, op)

    def buffer(self, view: View) -> Own:
        """A buffer for each lane; the buffers made before it in the same place are gone."""
        if self.count * prod(view.sizes) * view.dtype.bytes > ROOM:
            raise OneByOne
        low, high = span(view)
        for other in self.own:
            first, end = span(other.view)
            if other.view.space is view.space and first < high and low < end:
                other.gone = True
        rows = np.zeros((self.count, *view.sizes), view.dtype.value_dtype)
        self.own.append(Own(view, rows, np.zeros(view.sizes, np.bool_)))
        return self.own[-1]

    def pipeline(self, op: Any) -> None:
        f = self.f
        f.queues.append({})
        try:
            for inner in op.regions[0].blocks[0].ops:
                if inner.name == "ktdf.private":
                    f.set(inner, *self.block(inner.regions[0].blocks[0]))
            for stage in f.session.plan(op, self.level.stages):
                self.block(stage.regions[0].blocks[0])
        finally:
            queues = f.queues.pop()
        if any(queue.messages for queue in queues.values()):
            raise OneByOne

    def loop(self, op: Any) -> None:
        f = self.f
        carried: tuple[Any, ...] = tuple(self.spread(v) for v in op.operands[3:])
        lower, upper, step = f.all(op.operands[:3])
        inner = op.regions[0].blocks[0]
        for i in loop_range(op, lower, upper, step):
            handed = self.block(inner, (i, *carried))
            carried = tuple(
                x if v in self.plan.each else np.broadcast_to(x, (self.count, *np.shape(x)))
                for v, x in zip(inner.last_op.operands, handed, strict=True)
            )
        f.set(op, *carried)

    def parallel(self, op: Any) -> None:
        points = Points(self.f, op)
        for k in range(points.total):
            with points.instance(self.f, k):
                self.block(op.regions[0].blocks[0], points.arguments(k))

    def generic(self, op: Any) -> None:
        f, maps = self.f, self.plan.maps[op]
        block = op.regions[0].blocks[0]
        ins = [self.spread(v) for v in op.inputs]
        outs = [
            self.spread(v, read=a.uses.get_length() > 0)
            for v, a in zip(op.outputs, block.args[len(ins) :], strict=True)
        ]
        found = run_generic(f, op, *maps, ins, outs, block)
        if op.results:
            f.set(op, *found)
        for v, rows in zip(op.outputs, found, strict=True):
            own = f.values[v]
            if isinstance(own, Own):
                own.write((0,) * own.view.rank, rows)

    def spread(self, value: SSAValue, read: bool = True) -> Array:
        """A value, or all of a buffer, with one row a lane."""
        if isinstance(found := self.f.values[value], Own):
            return found.read((0,) * found.view.rank, found.view.sizes) if read else found.rows
        array = np.asarray(self.f.get(value)) if read else np.asarray(getattr(found, "values", found))
        return array if value in self.plan.each else np.broadcast_to(array, (self.count, *array.shape))

    # queues and memories

    def push(self, slot: Any, rows: Array) -> None:
        rows = rows.reshape(self.count, -1)
        if rows.shape[1] != slot.count:
            raise OneByOne
        slot.queue.messages.append(rows)

    def pop(self, slot: Any) -> Array:
        if not slot.queue.messages:
            raise OneByOne
        rows = slot.queue.messages.popleft()
        if rows.shape[1] != slot.count:
            raise OneByOne
        return rows

    def transfer(self, op: Any) -> None:
        f = self.f
        from_side, to_side = f.session.plan(op, self.level.sides)
        source, target = f.get(from_side.value), f.get(to_side.value)
        if isinstance(source, Own):
            rows = source.read(*from_side.box(f, source.view))
        elif isinstance(source, View):
            bases, sizes = self.boxes(from_side, source)
            rows = read_rows(source.space, bases, sizes, source.strides, source.dtype)
            self.accesses.append(Access(source.space, bases, sizes, source.strides, source.dtype, None))
        else:
            rows = self.pop(source)
        rows = rows.reshape(self.count, -1)
        if isinstance(target, Own):
            origin, sizes = to_side.box(f, target.view)
            target.write(origin, self.level.fitted(f, op, rows, prod(sizes)).reshape(self.count, *sizes))
        elif isinstance(target, View):
            bases, sizes = self.boxes(to_side, target)
            rows = self.level.fitted(f, op, rows, prod(sizes)).reshape(self.count, *sizes)
            self.accesses.append(Access(target.space, bases, sizes, target.strides, target.dtype, rows))
            self.stored += rows.nbytes
            if self.stored > STORED:
                raise OneByOne
        else:
            self.push(target, self.level.fitted(f, op, rows, target.count))

    def boxes(self, side: Any, view: View) -> tuple[NDArray[np.int64], tuple[int, ...]]:
        """(base byte in every lane, sizes) of one side of a transfer."""
        bases, sizes = boxes_of(self.f, side, view, self.count)
        if self.count * prod(sizes) * view.dtype.bytes > ROOM:
            raise OneByOne
        return bases, sizes

    # the end

    def finish(self) -> None:
        """Store what the lanes stored, if that is what they store one after another."""
        f = self.f
        self.check()
        for a in self.accesses:
            if a.rows is not None:
                f.stored = True
                write_rows(a.space, a.bases, a.sizes, a.strides, a.dtype, a.rows)
        for own in self.own:
            for number, lane in self.last:
                with on_instance(f, number):
                    self.leave(own, own.rows[lane])

    def leave(self, own: Own, values: Array) -> None:
        """Leave in memory what the last lane of an instance has in its buffer."""
        op = own.view.op
        assert op is not None
        view = view_at(self.f, op, op.results[0].type, own.view.base)
        if own.written.all():
            view.space.write_box(view.base, view.sizes, view.strides, view.dtype, values)
        else:
            places = np.argwhere(own.written)
            addresses = view.base + places @ np.asarray(view.strides, np.int64).reshape(view.rank)
            view.space.write_points(addresses, view.dtype, values[own.written])

    def check(self) -> None:
        """Raises OneByOne where one after another might mean something else."""
        for own in self.own:
            low, high = span(own.view)
            for a in self.accesses:
                first, end = a.span
                if a.space is own.view.space and first < high and low < end:
                    raise OneByOne
        stored = {id(a.space) for a in self.accesses if a.rows is not None}
        for space in stored:
            self.check_space([a for a in self.accesses if id(a.space) == space])

    def check_space(self, accesses: list[Access]) -> None:
        """`check` of one memory."""
        stores = [(k, a) for k, a in enumerate(accesses) if a.rows is not None]
        low, high = min(a.span[0] for _, a in stores), max(a.span[1] for _, a in stores)
        reads = [(k, a) for k, a in enumerate(accesses) if a.rows is None and a.span[0] < high and low < a.span[1]]
        if len(stores) == 1 and not reads and stores[0][1].apart:
            return
        if high - low > MARKED:
            raise OneByOne
        owner = np.full(high - low, -1, np.int32)
        since = np.zeros(high - low, np.int32)
        """The first store to a byte, as its place in `accesses`."""
        lanes = np.arange(self.count, dtype=np.int32)[:, None]
        for k, a in stores:
            at = a.bytes() - low
            before = owner[at]
            if ((before >= 0) & (before != lanes)).any():
                raise OneByOne
            owner[at] = lanes
            if (owner[at] != lanes).any():
                raise OneByOne
            since[at[before < 0]] = k
        for k, a in reads:
            at = a.bytes() - low
            lane = np.broadcast_to(lanes, at.shape)
            inside = (at >= 0) & (at < high - low)
            at, lane = at[inside], lane[inside]
            if ((owner[at] >= 0) & ((owner[at] != lane) | (since[at] < k))).any():
                raise OneByOne


# -- loops -----------------------------------------------------------------------------------------------------------


class Points:
    """The iterations of an `scf.for` or `ktdf.parallel`, by number."""

    def __init__(self, f: Frame, op: Any) -> None:
        self.shared = op.name == "ktdf.parallel"
        bounds = f.all(op.operands)
        n = len(bounds) // 3
        self.ranges = [loop_range(op, *(bounds[g * n + k] for g in range(3))) for k in range(n)]
        self.total = prod(len(r) for r in self.ranges)
        self.chunk = -(-self.total // op.properties["num_instances"].value.data) if self.shared else 0

    def arguments(self, k: int) -> tuple[int, ...]:
        """Block arguments of iteration `k`."""
        point: list[int] = [k // self.chunk] if self.shared else []
        for r in reversed(self.ranges):
            k, i = divmod(k, len(r))
            point.insert(0, r[i])
        return tuple(point)

    def lanes(self, first: int, count: int) -> tuple[Array, ...]:
        """Block arguments of `count` iterations from `first` on."""
        numbers = np.arange(first, first + count, dtype=np.int64)
        where = np.unravel_index(numbers, [len(r) for r in self.ranges])
        point = tuple(r.start + i * r.step for r, i in zip(self.ranges, where, strict=True))
        return (*point, numbers // self.chunk) if self.shared else point

    def last(self, first: int, count: int) -> Sequence[tuple[int | None, int]]:
        """(instance, its last lane) for the instances of these iterations."""
        if not self.shared:
            return [(None, count - 1)]
        ends = {(first + lane) // self.chunk: lane for lane in range(count)}
        return list(ends.items())

    def instance(self, f: Any, k: int) -> AbstractContextManager[None]:
        """The instance of iteration `k`, while a `with` block runs."""
        return on_instance(f, k // self.chunk if self.shared else None)


@contextmanager
def on_instance(f: Any, number: int | None) -> Iterator[None]:
    """Makes an instance number, if there is one, the innermost one of a frame."""
    outer = f.instances
    f.instances = outer if number is None else [*outer, number]
    yield
    f.instances = outer


def side_by_side(control: Control, level: Level) -> Control:
    """`control` of a loop, with its iterations as lanes where they can be."""

    def run(f: Any, op: Operation) -> Running:
        cache = f.session.cache
        key = (op, "lanes")
        if key not in cache:
            cache[key] = plan_of(op)
        plan: Plan | None = cache[key]
        if plan is None:
            return (yield from control(f, op))
        points = Points(f, op)
        batches = -(-points.total // AT_ONCE)
        if points.total < 2 or points.total * plan.one_by_one <= batches * plan.side_by_side:
            return (yield from control(f, op))
        f.place += [number_of(op), 0]
        done = 0
        while done < points.total:
            count = min(points.total - done, AT_ONCE)
            f.place[-1] = done
            if count > 1 and cache[key] is not None:
                if _run(f, plan, level, points, done, count):
                    done += count
                    continue
                cache[key] = None
            with points.instance(f, done):
                yield from f.run_block(plan.block, points.arguments(done))
            done += 1
        del f.place[-2:]
        return ()

    return run


def _run(f: Any, plan: Plan, level: Level, points: Points, first: int, count: int) -> bool:
    """Run iterations as lanes; whether they could be, nothing has happened where not."""
    queues, bodies, instances = len(f.queues), len(f.iteration), f.instances
    lanes = Lanes(f, plan, level, count, points.last(first, count))
    try:
        lanes.block(plan.block, points.lanes(first, count))
        lanes.finish()
    except (OneByOne, OutsideMemory, Uninitialised, PoisonUse, ZeroDivisionError, HeadraceError):
        del f.queues[queues:], f.iteration[bodies:]
        f.instances = instances
        return False
    return True
