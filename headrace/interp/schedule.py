"""The ScheduleIR interpreter: sequential meaning of scheduled programs, at any point of the scheduler's pipeline.

The coordinator runs once per tile; each call of a program is a phase boundary, so all tiles finish a program before
any starts the next. A pipeline runs its private region, then its stages in token order; it checks that every queue it
made is empty at the end, that boxes stay inside their memrefs, that element counts agree and that no staging buffer
is read before it is written.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from headrace.interp import dataflow, ktir, linalg, matrix, memrefs, vectors
from headrace.interp.arguments import bind
from headrace.interp.batches import batched_loop
from headrace.interp.engine import (
    Control,
    Leaf,
    Running,
    Session,
    find_kernel,
    functions_of,
    grid_of,
    number_of,
)
from headrace.interp.ktir import KtirFrame, PhaseBoundary, run_tiles
from headrace.interp.memory import Memory
from headrace.interp.memrefs import fresh, integer, on_buffers, read_box, read_whole, write_box
from headrace.interp.points import apply_map, linear_form
from headrace.interp.schedule_batches import SlotMoves
from headrace.interp.schedule_lanes import Level, Points, side_by_side
from headrace.interp.values import View, element_dtype, mixed, static_shape
from headrace.interp.views import TileFrame
from headrace.ir.diagnostics import Diagnostic, error
from headrace.numerics.dtypes import DType

Array = NDArray[Any]


@dataclass
class ScheduleResult:
    """Outcome of a run: the data are in the memory that was passed in."""

    kernel: str
    grid: tuple[int, ...]
    tiles: tuple[int, ...]
    warnings: list[Diagnostic] = field(default_factory=list)


@dataclass
class ScheduleSession(Session):
    """A session that knows the device, which ranks the memory kinds (None: every string kind is private memory)."""

    device: Any = None


@dataclass
class Queue:
    """The FIFO between `src` and `dest` of one pipeline execution: messages of whole slots."""

    src: Attribute
    dest: Attribute
    messages: deque[Array] = field(default_factory=deque)


@dataclass(frozen=True, eq=False)
class Slot:
    """A reference to a queue; `count` elements make one message."""

    queue: Queue
    count: int
    dtype: DType
    op: Operation


class ScheduleFrame(KtirFrame):
    """A tile of a scheduled program."""

    def __init__(self, session: ScheduleSession, tile: int, grid: Sequence[int]):
        super().__init__(session, tile, grid)
        self.instances: list[int] = []
        """Instance numbers of the enclosing `ktdf.parallel` operations."""
        self.queues: list[dict[tuple[Attribute, Attribute], Queue]] = [{}]
        """Queues by (src, dest), one table per enclosing pipeline."""


# -- pipelines -------------------------------------------------------------------------------------------------------


def stage_order(op: Operation) -> list[Operation]:
    """Stages of a pipeline in token order, textual where tokens leave it open. Raises a located error on a cycle."""
    stages = [s for s in op.regions[0].blocks[0].ops if s.name == "ktdf.stage"]
    needs: dict[Operation, set[SSAValue]] = {s: set(s.depends_in) for s in stages}  # type: ignore[attr-defined]
    makers: dict[SSAValue, list[Operation]] = {}
    for s in stages:
        for token in s.depends_out:  # type: ignore[attr-defined]
            makers.setdefault(token, []).append(s)
    done: list[Operation] = []
    left = list(stages)
    while left:
        for s in left:
            if all(m is s or m in done for token in needs[s] for m in makers.get(token, [])):
                break
        else:
            raise error(op, "circular token dependency between the stages of a pipeline")
        done.append(s)
        left.remove(s)
    return done


def _pipeline(f: Any, op: Operation) -> Running:
    f.queues.append({})
    for inner in op.regions[0].blocks[0].ops:
        if inner.name == "ktdf.private":
            results = yield from f.run_block(inner.regions[0].blocks[0])
            f.set(inner, *results)
    for stage in f.session.plan(op, stage_order):
        f.place += [number_of(stage), 0]
        yield from f.run_block(stage.regions[0].blocks[0])
        del f.place[-2:]
    for queue in f.queues.pop().values():
        if queue.messages:
            raise error(
                op,
                f"the queue {queue.src} -> {queue.dest}{f.where()} holds {len(queue.messages)} unread messages "
                "when its pipeline ends",
            )
    return ()


def _allocate_plan(op: Operation) -> list[tuple[SSAValue, tuple[Attribute, Attribute], int | None, DType]]:
    return [(r, (r.type.src, r.type.dest), slot_count(r.type), element_dtype(r.type)) for r in op.results]  # type: ignore[attr-defined]


def _fifo_allocate(f: Any, op: Operation) -> None:
    dynamic = iter(f.all(op.operands))
    for result, ends, count, dtype in f.session.plan(op, _allocate_plan):
        queue = f.queues[-1].setdefault(ends, Queue(*ends))
        f.values[result] = Slot(queue, next(dynamic) if count is None else count, dtype, op)


def slot_count(t: Any) -> int | None:
    """Elements of a slot type, None where it is dynamic."""
    n = t.num_elements if hasattr(t, "num_elements") else t.numElements
    while hasattr(n, "value") or hasattr(n, "data"):
        n = n.value if hasattr(n, "value") else n.data
    return None if int(n) < 0 else int(n)


def push(f: Any, op: Operation, slot: Slot, values: Array) -> None:
    """Append one message to a slot's queue."""
    if values.size != slot.count:
        raise error(op, f"'{op.name}'{f.where()} pushes {values.size} elements into a slot of {slot.count}")
    slot.queue.messages.append(np.array(values, copy=True).reshape(-1))


def pop(f: Any, op: Operation, slot: Slot) -> Array:
    """Take the oldest message of a slot's queue."""
    queue = slot.queue
    if not queue.messages:
        raise error(op, f"'{op.name}'{f.where()} reads the empty queue {queue.src} -> {queue.dest}")
    values = queue.messages.popleft()
    if values.size != slot.count:
        raise error(
            op, f"'{op.name}'{f.where()} expects {slot.count} elements, the next message of its queue has {values.size}"
        )
    return values


def _read_plan(op: Operation) -> tuple[SSAValue, SSAValue, tuple[int, ...] | None, bool]:
    result = op.results[0]
    shape = static_shape(result.type)
    return op.operands[0], result, None if min(shape, default=0) < 0 else shape, isinstance(result.type, MemRefType)


def _read_from_fifo(f: Any, op: Any) -> None:
    slot, result, shape, buffer = f.session.plan(op, _read_plan)
    values = pop(f, op, f.get(slot))
    if shape is None:
        shape = _dynamic_shape(op, result.type, values.size)
    if math.prod(shape) != values.size:
        raise error(op, f"'{op.name}'{f.where()}: {values.size} elements do not fill {result.type}")
    values = values.reshape(shape)
    if buffer:
        view = fresh(op, shape, result.type, f.tile)
        write_box(f, op, view, (0,) * view.rank, values)
        f.values[result] = view
    else:
        f.values[result] = values


def _dynamic_shape(op: Operation, t: Attribute, size: int) -> tuple[int, ...]:
    """Shape of a type with one dynamic extent and `size` elements."""
    shape = static_shape(t)
    if sum(n < 0 for n in shape) != 1:
        raise error(op, f"the shape of {t} does not follow from {size} elements")
    known = math.prod(n for n in shape if n >= 0)
    if known == 0 or size % known:
        raise error(op, f"{size} elements do not fill {t}")
    return tuple(size // known if n < 0 else n for n in shape)


def _write_to_fifo(f: Any, op: Any) -> None:
    slot = f.get(op.operands[1])
    data = f.get(op.operands[0])
    values = read_whole(f, op, data) if isinstance(data, View) else f.get(op.operands[0])
    push(f, op, slot, values)


# -- transfers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SidePlan:
    """One side of a transfer: its value, and how origin and sizes follow from operands."""

    value: SSAValue
    subscripts: tuple[tuple[int, tuple[tuple[SSAValue, int], ...]], ...] | None
    """Per dimension a constant and (operand, coefficient) terms; None where the map is not linear or absent."""
    map: Any
    indices: tuple[SSAValue, ...]
    static: tuple[int, ...] | None
    sizes: tuple[SSAValue, ...]

    def box(self, f: Any, view: View) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(origin, sizes) for the running values."""
        if self.subscripts is not None:
            origin = tuple(c + sum(f.get(v) * k for v, k in terms) for c, terms in self.subscripts)
        else:
            indices = f.all(self.indices)
            origin = tuple(indices) if self.map is None else tuple(int(x) for x in apply_map(self.map, indices))
        if self.static is None:
            return origin, view.sizes
        return origin, mixed(self.static, f.all(self.sizes)) if self.sizes else self.static


def _transfer_plan(op: Any) -> tuple[_SidePlan, _SidePlan]:
    plans = []
    for prefix, value in (("source", op.source), ("dest", op.destination)):
        attr, indices = op.properties.get(f"{prefix}_map"), tuple(getattr(op, f"{prefix}_indices"))
        m = attr.data if attr is not None else None
        subscripts = None
        if m is not None and m.num_symbols == 0:
            forms = [linear_form(e, m.num_dims, ()) for e in m.results]
            if all(form is not None for form in forms):
                subscripts = tuple(
                    (form[1], tuple((v, c) for v, c in zip(indices, form[0], strict=True) if c))
                    for form in forms
                    if form is not None
                )
        static = op.properties.get(f"static_{prefix}_sizes")
        numbers = tuple(static.get_values()) if static is not None else None
        plans.append(_SidePlan(value, subscripts, m, indices, numbers, tuple(getattr(op, f"{prefix}_sizes"))))
    return plans[0], plans[1]


def _data_transfer(f: Any, op: Any) -> None:
    from_plan, to_plan = f.session.plan(op, _transfer_plan)
    source, target = f.get(from_plan.value), f.get(to_plan.value)
    if isinstance(source, Slot):
        values = pop(f, op, source)
    else:
        values = read_box(f, op, source, *from_plan.box(f, source))
    values = values.reshape(-1)
    if isinstance(target, Slot):
        push(f, op, target, fitted(f, op, values, target.count))
    else:
        origin, sizes = to_plan.box(f, target)
        write_box(f, op, target, origin, fitted(f, op, values, math.prod(sizes)).reshape(sizes))


def fitted(f: Any, op: Operation, values: Array, count: int) -> Array:
    """Rows of `values` repeated or padded to `count` elements as `transfer_mode` allows; equal counts otherwise."""
    size = values.shape[-1]
    if size == count:
        return values
    mode = op.attributes.get("transfer_mode")
    name = getattr(mode, "data", None)
    if name == "splat" and size and count % size == 0:
        return np.tile(values, count // size)
    if name == "pad" and size < count:
        return np.concatenate([values, np.zeros((*values.shape[:-1], count - size), values.dtype)], axis=-1)
    raise error(op, f"'{op.name}'{f.where()}: the source has {size} elements, the destination {count}")


# -- parallel, buffers, tiling ---------------------------------------------------------------------------------------


def _parallel(f: Any, op: Any) -> Running:
    points = Points(f, op)
    f.place += [number_of(op), 0]
    for k in range(points.total):
        f.place[-1] = k
        with points.instance(f, k):
            yield from f.run_block(op.regions[0].blocks[0], points.arguments(k))
    del f.place[-2:]
    return ()


def iterations(f: Any, op: Operation, value: SSAValue) -> tuple[int, int]:
    """(iteration number, trip count) of the loop whose induction variable is `value`."""
    number = f.get(value)
    parent = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    if parent is None:
        return number, 1
    if parent.name == "scf.for" and value.index == 0:  # type: ignore[union-attr]
        lower, upper, step = f.all(parent.operands[:3])
    elif parent.name == "ktdf.parallel":
        k, n = value.index, len(parent.operands) // 3  # type: ignore[union-attr]
        lower, upper, step = (f.get(parent.operands[g * n + k]) for g in range(3))
    else:
        return number, 1
    return (number - lower) // step, max(0, -(-(upper - lower) // step))


def _buffer_phase(f: Any, op: Any) -> None:
    linear = 0
    for v in op.operands:
        number, trips = iterations(f, op, v)
        linear = linear * trips + number
    f.values[op.results[0]] = linear % op.properties["num_phases"].value.data


def _select_memref(f: Any, op: Any) -> None:
    phase = f.get(op.operands[0])
    candidates = op.operands[1:]
    if not 0 <= phase < len(candidates):
        raise error(op, f"'{op.name}'{f.where()}: phase {phase} with {len(candidates)} candidates")
    f.values[op.results[0]] = f.values[candidates[phase]]


def _reserve_size(f: Any, op: Any) -> None:
    least = integer(op.properties.get("min_value", op.attributes.get("min_value")), 1)
    unit = integer(op.properties.get("divisibility", op.attributes.get("divisibility")), 1)
    f.values[op.results[0]] = -(-least // unit) * unit


def _derive_size(f: Any, op: Any) -> None:
    numbers = f.all(op.operands)
    n = (len(numbers) - 1) // 2
    left = numbers[-1]
    for iv, size in zip(numbers[:n], numbers[n : 2 * n], strict=True):
        left = max(0, min(size, left - iv * size))
    f.values[op.results[0]] = left


def _linearize_index(f: Any, op: Any) -> None:
    numbers = f.all(op.operands)
    n = len(numbers) // 2
    f.values[op.results[0]] = sum(a * b for a, b in zip(numbers[:n], numbers[n:], strict=True))


def _nothing(f: Any, op: Operation) -> None:
    for r in op.results:
        f.values[r] = None


def _opaque(f: Any, op: Operation) -> None:
    raise error(op, "'ktdf.opaque' has no executable meaning")


def _call(f: Any, op: Any) -> Running:
    name = op.callee.string_value()
    function = f.session.functions.get(name)
    if function is None:
        raise error(op, f"call of '{name}', which has no body in this module")
    yield PhaseBoundary((*f.place, number_of(op)))
    f.place += [number_of(op), 0]
    results = yield from f.call(function, f.all(op.operands))
    del f.place[-2:]
    f.stored = False
    f.set(op, *results)
    return ()


def _execute_on(f: Any, op: Operation) -> Running:
    yield from f.run_block(op.regions[0].blocks[0])
    return ()


LEAVES: dict[str, Leaf] = {
    **ktir.LEAVES,
    **memrefs.LEAVES,
    **{name: on_buffers(leaf) for name, leaf in linalg.LEAVES.items() if name != "linalg.index"},
    "ktdf.fifo.allocate": _fifo_allocate,
    "ktdf.read_from_fifo": _read_from_fifo,
    "ktdf.write_to_fifo": _write_to_fifo,
    "ktdf.create_token": _nothing,
    "ktdf.data_transfer": _data_transfer,
    "ktdf.buffer_phase": _buffer_phase,
    "ktdf.select_memref": _select_memref,
    "ktdf.tiling.reserve_size": _reserve_size,
    "ktdf.tiling.derive_size": _derive_size,
    "ktdf.tiling.linearize_index": _linearize_index,
    "ktdf.opaque": _opaque,
    "ktdf_lowering.signal": _nothing,
    "headrace.compute": vectors.LEAVES["headrace.compute"],
    **matrix.LEAVES,
    **{name: leaf for name, leaf in dataflow.LEAVES.items() if name.startswith(("dataflow.get_", "uniform."))},
}
_LANES = Level(_transfer_plan, fitted, stage_order)
CONTROLS: dict[str, Control] = {
    **ktir.CONTROLS,
    "scf.for": side_by_side(batched_loop(SlotMoves(_transfer_plan, fitted)), _LANES),
    "ktdf.pipeline": _pipeline,
    "ktdf.parallel": side_by_side(_parallel, _LANES),
    "ktdf_lowering.execute_on": _execute_on,
    "func.call": _call,
}


def run_schedule(
    module: ModuleOp,
    args: Mapping[str, Any],
    memory: Memory,
    kernel: str | None = None,
    strict: bool = False,
    tiles: Sequence[int] | None = None,
    device: Any = None,
) -> ScheduleResult:
    """Run a scheduled module over its whole grid (or the linear tile ids in `tiles`) on `memory`, in place.

    `args`: byte addresses and scalars by argument name (a memref argument takes its byte address). `device` ranks
    memory kinds: buffers at assigned addresses of the first level below global memory live in the tile's scratchpad.
    Raises HeadraceError.
    """
    function = find_kernel(module, kernel)
    grid = grid_of(function)
    count = int(np.prod(grid, dtype=np.int64))
    chosen = tuple(range(count)) if tiles is None else tuple(sorted(set(tiles)))
    tables = ktir.tables_for(function, LEAVES, CONTROLS)
    session = ScheduleSession(*tables, functions_of(module), memory, strict, device=device)
    values = bind(function, args)
    arguments = function.body.blocks[0].args

    def start(tile: int) -> tuple[TileFrame, Running]:
        f = ScheduleFrame(session, tile, grid)
        given = [
            memrefs.argument_view(f, a, v) if isinstance(a.type, MemRefType) else v
            for a, v in zip(arguments, values, strict=True)
        ]
        return f, f.call(function, given)

    run_tiles(start(t) for t in chosen)
    return ScheduleResult(function.sym_name.data, grid, chosen, session.warnings.found)
