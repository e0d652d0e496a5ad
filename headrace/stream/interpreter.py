"""The executable definition of the stream levels: host code run in order, device work given to an executor.

At the tensor and async levels a resource is bytes by value and every operation happens at once. At the command level a
resource is a range of a storage, and allocations, executions and deallocations are submitted to an executor (the event
simulation, or threads), which alone decides when they happen. The host waits where the program says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.graph.inputs import functions_of
from headrace.graph.interpreter import find_function
from headrace.graph.kernels import (
    CONTROLS,
    LEAVES,
    Kernel,
    TileExecutor,
    from_bytes,
    kernels_of,
    lookup,
    run_on_bytes,
    to_bytes,
)
from headrace.interp.engine import Control, Frame, Leaf, Running, Session, finish
from headrace.interp.memory import Memory
from headrace.interp.scalars import constant_value
from headrace.interp.values import scalar
from headrace.ir.diagnostics import HeadraceError, op_error
from headrace.ir.dialects._stream_format import group, tied_operands
from headrace.ir.dialects.hal import BufferType, device_of
from headrace.ir.dialects.stream_types import ResourceType, TimepointType
from headrace.ir.types import dtype_of
from headrace.stream import collectives
from headrace.stream.execution import IMMEDIATE, Item, Parallel, Serial, Timepoint, copy, dispatch, fill, marker
from headrace.stream.fences import Fence, fence_of
from headrace.stream.runtime_memory import READ, WRITE, Buffer, StreamFault
from headrace.stream.simulator import Simulator
from headrace.stream.storage import is_resource
from headrace.stream.system import System

Bytes = NDArray[np.uint8]
ExternalFunction = Callable[..., None]


class Program:
    """A loaded module at any stream level. Globals keep their values between invocations.

    `executor` runs device work at the command level (a new event simulation by default); `functions` are stream-ordered
    host functions for `async.call` and `cmd.call`, called with byte arrays and scalars.
    """

    def __init__(
        self,
        module: ModuleOp,
        executor: Any = None,
        tile: TileExecutor | None = None,
        functions: Mapping[str, ExternalFunction] | None = None,
    ):
        self.module = module
        self.executor = executor if executor is not None else Simulator(System())
        self.tile = tile
        self.external = dict(functions or {})
        self.groups = collectives.Groups()
        self.fences: list[Fence] = []
        """Signalled by the current invocation."""
        self.pending: dict[int, tuple[Any, Operation]] = {}
        """Results of collectives, at the levels of values, that lack a participant."""
        self.devices = [
            op.sym_name.data  # pyright: ignore[reportAttributeAccessIssue]
            for op in module.body.block.ops
            if op.name == "util.global" and op.properties["type"].name == "hal.device"
        ] or list(self.executor.system.devices)
        self.kernels: Mapping[tuple[str, str], Kernel] = kernels_of(module)
        self.memory = any(
            op.name.startswith(("stream.cmd.", "stream.resource.alloc"))
            for f in module.body.block.ops
            if f.name in ("util.func", "util.initializer")
            for op in f.walk()
        )
        self.session = Session(_LEAVES, _CONTROLS, functions_of(module), Memory())
        self.globals: dict[str, Any] = {}
        for op in module.body.block.ops:
            if op.name == "util.global":
                item: Any = op
                kind = item.properties["type"]
                if isinstance(kind, TimepointType):
                    self.globals[item.sym_name.data] = IMMEDIATE
                elif isinstance(kind, ResourceType):
                    self.globals[item.sym_name.data] = None
                elif item.initial_value is not None:
                    self.globals[item.sym_name.data] = constant_value(item.initial_value, kind)
            elif op.name == "util.initializer":
                finish(self.frame().run_block(op.regions[0].blocks[0]))

    def frame(self) -> StreamFrame:
        """A new frame."""
        return StreamFrame(self.session, self)

    def run(self, arguments: Sequence[Any], name: str | None = None) -> tuple[Any, ...]:
        """Invoke a function with arrays and scalars; results are arrays and scalars.

        Raises what failed at the wait where it surfaced, after everything submitted has ended.
        """
        function = find_function(self.module, name)
        self.fences.clear()
        try:
            results = finish(self.frame().run_block(function.body.blocks[0], tuple(arguments)))
        except Exception as problem:
            self.executor.drain()
            if self.memory:
                self.executor.abandon()
            known = isinstance(problem, HeadraceError)
            for fence in self.fences:
                fence.give_up(problem if known else StreamFault(f"the invocation failed: {problem}"))
            raise
        self.executor.drain()
        for fence in self.fences:
            fence.give_up(StreamFault("nothing reaches the timepoint of a fence"))
        if self.memory:
            self.executor.release_handles()
        return tuple(r.read() if isinstance(r, View) else r for r in results)


@dataclass
class View:
    """An exported buffer view."""

    raw: Any
    shape: tuple[int, ...]
    kind: Any

    def read(self) -> NDArray[Any]:
        """The contents as an array."""
        dtype = dtype_of(self.kind)
        raw = self.raw.view(0, self.raw.size) if isinstance(self.raw, Buffer) else self.raw
        return from_bytes(np.ascontiguousarray(raw), self.shape, dtype).copy()


class StreamFrame(Frame):
    """A host function's frame."""

    def __init__(self, session: Session, program: Program):
        super().__init__(session)
        self.program = program
        self.executor = program.executor

    def get(self, value: SSAValue) -> Any:
        """The contents of a value. What a collective has not delivered yet cannot be read."""
        found = super().get(value)
        pending = self.program.pending
        if pending and id(found) in pending:
            raise op_error(pending[id(found)][1], "is read before all participants have come to it")
        return found

    def point(self, value: SSAValue | None) -> Timepoint:
        """A timepoint operand; immediate where there is none."""
        if value is None:
            return IMMEDIATE
        found = self.values[value]
        return IMMEDIATE if found is None else found

    def awaited(self, op: Operation) -> list[Timepoint]:
        """What an operation awaits."""
        return [self.point(v) for v in group(op, "await_timepoint")]


def _dims(f: StreamFrame, kind: Any, values: Sequence[SSAValue]) -> tuple[int, ...]:
    rest = iter(values)
    return tuple(int(f.get(next(rest))) if n == DYNAMIC_INDEX else n for n in kind.get_shape())


def _size(f: StreamFrame, op: Any, kind: Any, dims: Sequence[SSAValue]) -> int:
    return prod(_dims(f, kind, dims)) * dtype_of(kind).bytes


# ---- boundary -------------------------------------------------------------------------------------------------------


def _import(f: Any, op: Any) -> None:
    value = f.values[op.source]
    kind = op.result_encoding
    if isinstance(op.source.type, BufferType):
        _import_storage(f, op, value)
        return
    shape = _dims(f, kind, op.result_encoding_dims)
    array = value.read() if isinstance(value, View) else np.asarray(value)
    if array.shape != shape:
        raise op_error(op, f"the argument has shape {list(array.shape)}, but {kind} is expected")
    raw = to_bytes(array, dtype_of(kind))
    if f.program.memory:
        if isinstance(value, View) and isinstance(value.raw, Buffer):
            f.values[op.results[0]] = value.raw
            return
        origin = "consumed" if op.consume is not None else "import"
        storage = f.executor.ledger.storage(device_of(op.affinity), raw.size, origin)
        storage.data = raw.copy()
        f.values[op.results[0]] = Buffer(storage, 0, raw.size)
    else:
        f.values[op.results[0]] = raw


def _import_storage(f: Any, op: Any, value: Any) -> None:
    """Memory of the caller, used where it lies."""
    raw = value.reshape(-1).view(np.uint8)
    if not f.program.memory:
        f.values[op.results[0]] = raw
        return
    storage = f.executor.ledger.storage(device_of(op.affinity), raw.size, "user")
    storage.data = raw
    f.values[op.results[0]] = Buffer(storage, 0, raw.size)


def _buffer_length(f: Any, op: Any) -> None:
    f.values[op.results[0]] = int(f.values[op.operands[0]].nbytes)


def _export(f: Any, op: Any) -> None:
    value = f.values[op.source]
    if isinstance(value, Buffer):
        f.executor.ledger.host_read(value.storage, "export")
        value.storage.kept = value.storage.exported = True
    f.values[op.results[0]] = View(value, _dims(f, op.source_encoding, op.source_encoding_dims), op.source_encoding)


def _view_dim(f: Any, op: Any) -> None:
    value = f.values[op.operands[0]]
    shape = value.shape
    k = op.properties["index"].value.data
    if k >= len(shape):
        raise op_error(op, f"dimension {k} of a buffer view of rank {len(shape)}")
    f.values[op.results[0]] = int(shape[k])


# ---- tensor level ---------------------------------------------------------------------------------------------------


def _sizeof(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _size(f, op, op.encoding, op.operands)


def _fresh(size: int) -> Bytes:
    return np.full(size, 0xFB, np.uint8)


def _tensor_empty(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _fresh(f.get(op.result_size))


def _tensor_constant(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _constant_bytes(op.value)


def _constant_bytes(value: Any) -> Bytes:
    kind = value.type
    return to_bytes(constant_value(value, kind), dtype_of(kind))


def _tensor_splat(f: Any, op: Any) -> None:
    kind = op.result_encoding
    array = np.full(_dims(f, kind, op.result_encoding_dims), f.get(op.value), dtype_of(kind).value_dtype)
    f.values[op.results[0]] = to_bytes(array, dtype_of(kind))


def _tensor_clone(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.get(op.source).copy()


def _tensor_slice(f: Any, op: Any) -> None:
    kind = op.source_encoding
    array = from_bytes(f.get(op.source), _dims(f, kind, op.source_encoding_dims), dtype_of(kind))
    box = _box(op, array.shape, f.all(op.start_indices), f.all(op.lengths))
    f.values[op.results[0]] = to_bytes(array[box], dtype_of(kind))


def _box(op: Any, shape: Sequence[int], starts: Sequence[int], lengths: Sequence[int]) -> tuple[slice, ...]:
    for a, n, extent in zip(starts, lengths, shape, strict=True):
        if a < 0 or n < 0 or a + n > extent:
            raise op_error(op, f"the box at {list(starts)} of {list(lengths)} leaves shape {list(shape)}")
    return tuple(slice(a, a + n) for a, n in zip(starts, lengths, strict=True))


def _tensor_update(f: Any, op: Any) -> None:
    kind = op.target_encoding
    dtype = dtype_of(kind)
    array = np.array(from_bytes(f.get(op.target), _dims(f, kind, op.target_encoding_dims), dtype), copy=True)
    update = from_bytes(f.get(op.update), _dims(f, op.update_encoding, op.update_encoding_dims), dtype)
    starts = list(f.all(op.start_indices)) or [0] * array.ndim
    lengths = [1] * (array.ndim - update.ndim) + list(update.shape)
    array[_box(op, array.shape, starts, lengths)] = update.reshape(lengths)
    f.values[op.results[0]] = to_bytes(array, dtype)


def _tensor_fill(f: Any, op: Any) -> None:
    kind = op.target_encoding
    dtype = dtype_of(kind)
    array = np.array(from_bytes(f.get(op.target), _dims(f, kind, op.target_encoding_dims), dtype), copy=True)
    starts = f.all(op.start_indices)
    box = _box(op, array.shape, starts, f.all(op.lengths)) if starts else (slice(None),) * array.ndim
    array[box] = f.get(op.value)
    f.values[op.results[0]] = to_bytes(array, dtype)


def _tensor_load(f: Any, op: Any) -> None:
    kind = op.source_encoding
    array = from_bytes(f.get(op.source), _dims(f, kind, op.source_encoding_dims), dtype_of(kind))
    indices = f.all(op.indices)
    if any(not 0 <= i < n for i, n in zip(indices, array.shape, strict=True)):
        raise op_error(op, f"index {list(indices)} is outside of shape {list(array.shape)}")
    f.values[op.results[0]] = scalar(array[tuple(indices)], dtype_of(kind))


def _tensor_store(f: Any, op: Any) -> None:
    kind = op.target_encoding
    array = np.array(
        from_bytes(f.get(op.target), _dims(f, kind, op.target_encoding_dims), dtype_of(kind)), copy=True
    )
    array[tuple(f.all(op.indices))] = f.get(op.value)
    f.values[op.results[0]] = to_bytes(array, dtype_of(kind))


def _value_dispatch(f: Any, op: Any) -> None:
    """A dispatch on values: tensor or async level."""
    kernel = lookup(f.program.kernels, op)
    tensor_level = op.name == "stream.tensor.dispatch"
    values = group(op, "arguments" if tensor_level else "resource_operands")
    buffers: list[Any] = []
    scalars: list[Any] = []
    windows: list[tuple[int, int] | None] = []
    offsets = iter([] if tensor_level else f.all(group(op, "resource_operand_offsets")))
    lengths = iter([] if tensor_level else f.all(group(op, "resource_operand_lengths")))
    for v in values:
        if not is_resource(v):
            scalars.append(f.get(v))
            windows.append(None)
            continue
        raw = f.get(v)
        low, n = (0, raw.size) if tensor_level else (next(offsets), next(lengths))
        if low < 0 or low + n > raw.size:
            raise op_error(op, f"the range [{low}, {low + n}) leaves a resource of {raw.size} bytes")
        windows.append((low, n))
        buffers.append(raw[low : low + n])
    sizes = [int(s) for s in f.all(group(op, "result_sizes"))]
    tied = tied_operands(op)
    base = len(group(op, "workload"))
    results: list[Any] = []
    targets: list[Any] = []
    tied_result: list[tuple[int, int] | None] = []
    for size, tie in zip(sizes, tied, strict=True):
        if tie >= 0:
            whole = f.get(op.operands[tie]).copy()
            window = windows[tie - base]
            assert window is not None
            low, n = window
            results.append(whole)
            targets.append(whole[low : low + n])
            tied_result.append(window)
        else:
            made = _fresh(size)
            results.append(made)
            targets.append(made)
            tied_result.append(None)
    inputs = buffers[: len(kernel.tensor_arguments)] if not kernel.is_tile else buffers
    run_on_bytes(kernel, inputs, scalars, targets, f.program.tile)
    f.set(op, *results)


# ---- async level ----------------------------------------------------------------------------------------------------


def _same(f: Any, op: Any) -> None:
    f.set(op, *[f.values[v] for v in op.operands[: len(op.results)]])


def _async_alloca(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _fresh(f.get(op.result_size))


def _async_splat(f: Any, op: Any) -> None:
    f.values[op.results[0]] = _pattern(op.value, f.get(op.value), f.get(op.result_size))


def _pattern(value: SSAValue, number: Any, size: int) -> Bytes:
    width = value.type.width.data // 8  # pyright: ignore[reportAttributeAccessIssue]
    raw = np.frombuffer((int(number) & ((1 << 8 * width) - 1)).to_bytes(width, "little"), np.uint8)
    return np.tile(raw, -(-size // width))[:size]


def _async_clone(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.get(op.source).copy()


def _async_slice(f: Any, op: Any) -> None:
    low, high = f.get(op.source_offset), f.get(op.source_end)
    source = f.get(op.source)
    _inside(op, low, high, source.size)
    f.values[op.results[0]] = source[low:high].copy()


def _inside(op: Any, low: int, high: int, size: int) -> None:
    if not 0 <= low <= high <= size:
        raise op_error(op, f"the range [{low}, {high}) leaves a resource of {size} bytes")


def _async_fill(f: Any, op: Any) -> None:
    target = f.get(op.target).copy()
    low, high = f.get(op.target_offset), f.get(op.target_end)
    _inside(op, low, high, target.size)
    target[low:high] = _pattern(op.value, f.get(op.value), high - low)
    f.values[op.results[0]] = target


def _async_update(f: Any, op: Any) -> None:
    target, update = f.get(op.target).copy(), f.get(op.update)
    low, high = f.get(op.target_offset), f.get(op.target_end)
    _inside(op, low, high, target.size)
    target[low:high] = update[: high - low]
    f.values[op.results[0]] = target


def _async_copy(f: Any, op: Any) -> None:
    target, source = f.get(op.target).copy(), f.get(op.source)
    a, b = f.get(op.source_offset), f.get(op.source_end)
    low, high = f.get(op.target_offset), f.get(op.target_end)
    _inside(op, low, high, target.size)
    _inside(op, a, b, source.size)
    target[low:high] = source[a:b]
    f.values[op.results[0]] = target


def _async_load(f: Any, op: Any) -> None:
    source, offset = f.values[op.operands[0]], f.get(op.operands[2])
    dtype = dtype_of(op.results[0].type)
    _inside(op, offset, offset + dtype.bytes, source.size)
    if isinstance(source, Buffer):
        f.executor.ledger.host_read(source.storage, "load")
        raw = source.view(offset, dtype.bytes)
    else:
        raw = source[offset : offset + dtype.bytes]
    f.values[op.results[0]] = scalar(from_bytes(np.ascontiguousarray(raw), (1,), dtype)[0], dtype)


def _async_store(f: Any, op: Any) -> None:
    target, offset = f.values[op.operands[0]], f.get(op.operands[2])
    raw = to_bytes(np.asarray(f.get(op.operands[3])), dtype_of(op.operands[3].type))
    _inside(op, offset, offset + raw.size, target.size)
    if isinstance(target, Buffer):
        target.view(offset, raw.size)[:] = raw
        return
    made = target.copy()
    made[offset : offset + raw.size] = raw
    f.values[op.results[0]] = made


def _async_call(f: Any, op: Any) -> None:
    name = op.callee.string_value()
    function = f.program.external.get(name)
    if function is None:
        raise op_error(op, f"no host function '{name}' was given")
    arguments: list[Any] = []
    windows: dict[int, tuple[Any, int, int]] = {}
    offsets = iter(f.all(group(op, "resource_operand_offsets")))
    lengths = iter(f.all(group(op, "resource_operand_lengths")))
    for index, v in enumerate(op.resource_operands):
        if is_resource(v):
            raw = f.get(v).copy()
            low, n = next(offsets), next(lengths)
            windows[index] = (raw, low, n)
            arguments.append(raw[low : low + n])
        else:
            arguments.append(f.get(v))
    results: list[Any] = []
    for tie, size in zip(tied_operands(op), f.all(group(op, "result_sizes")), strict=True):
        if tie >= 0:
            results.append(windows[tie][0])
        else:
            made = _fresh(size)
            results.append(made)
            arguments.append(made)
    function(*arguments)
    f.set(op, *results)


def _wanted(f: Any, op: Any) -> collectives.Collective:
    parameter = 0 if op.param is None else int(f.get(op.param))
    kind = op.op
    return collectives.Collective(
        kind.kind.data, kind.reduction.data, kind.element.data, int(f.get(op.element_count)), parameter
    )


def _async_collective(f: Any, op: Any) -> None:
    """On values: the result gets its contents when the last participant has come; until then nobody may read it."""
    wanted = _wanted(f, op)
    target = f.get(op.target).copy()
    a, b = f.get(op.source_offset), f.get(op.source_end)
    low, high = f.get(op.target_offset), f.get(op.target_end)
    source = f.get(op.source)
    _inside(op, a, b, source.size)
    _inside(op, low, high, target.size)
    channel = f.values[op.channel]
    ticket = channel.ticket(wanted)

    def done(failure: Any) -> None:
        f.program.pending.pop(id(target), None)
        if failure is not None:
            raise op_error(op, failure.diagnostics[0].message)
        if side.received is not None:
            target[low : low + side.received.size] = side.received

    side = collectives.Participant(wanted, source[a:b].copy(), high - low, done)
    f.values[op.results[0]] = target
    f.program.pending[id(target)] = (target, op)
    for call, failure in ticket.arrive(side):
        call(failure)


def _channel_create(f: Any, op: Any) -> None:
    device = device_of(op.affinity)
    names = f.program.devices
    count = int(f.get(op.count)) if op.count is not None else max(1, len(names))
    rank = int(f.get(op.rank)) if op.rank is not None else names.index(device) if device in names else 0
    name = op.group.data if op.group is not None else ""
    if device is None and rank < len(names):
        device = names[rank]
    try:
        f.values[op.results[0]] = f.program.groups.create(name, rank, count, device)
    except HeadraceError as problem:
        raise op_error(op, problem.diagnostics[0].message) from None


def _channel_split(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.channel].split(int(f.get(op.color)), int(f.get(op.key)))


def _channel_rank(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.operands[0]].rank


def _channel_count(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.operands[0]].count


def _region(f: Any, op: Any) -> Running:
    values = [f.values[v] for v in group(op, "resource_operands")]
    yielded = yield from f.run_block(op.regions[0].blocks[0], values)
    results = list(yielded[: len(group(op, "result_sizes"))])
    if op.name == "stream.async.execute":
        results.append(IMMEDIATE)
    f.set(op, *results)
    return ()


# ---- timepoints, resources ------------------------------------------------------------------------------------------


def _immediate(f: Any, op: Any) -> None:
    f.values[op.results[0]] = IMMEDIATE


def _join(f: Any, op: Any) -> None:
    points = [f.point(v) for v in op.operands]
    open_points = [p for p in points if p is not IMMEDIATE]
    f.values[op.results[0]] = f.executor.join(open_points) if open_points else IMMEDIATE


def _await(f: Any, op: Any) -> None:
    point = f.point(op.await_timepoint)
    if point is not IMMEDIATE:
        f.executor.wait(point)
    f.set(op, *[f.values[v] for v in group(op, "resource_operands")])


def _barrier(f: Any, op: Any) -> None:
    f.set(op, f.values[op.resource], IMMEDIATE)


def _import_point(f: Any, op: Any) -> None:
    points = [fence_of(f.values[v]).timepoint(f.executor) for v in op.operands]
    points = [p for p in points if p is not IMMEDIATE]
    f.values[op.results[0]] = f.executor.join(points) if points else IMMEDIATE


def _export_point(f: Any, op: Any) -> None:
    made = [Fence() for _ in op.results]
    for fence in made:
        _signal(f, op, fence)
    f.set(op, *made)


def _signal(f: Any, op: Any, fence: Fence) -> None:
    try:
        fence.signal(f.point(op.await_timepoint))
    except HeadraceError as problem:
        raise op_error(op, problem.diagnostics[0].message) from None
    f.program.fences.append(fence)


def _chain(f: Any, op: Any) -> None:
    for v in op.external_values:
        _signal(f, op, fence_of(f.values[v]))


def _alloc(f: Any, op: Any) -> None:
    size = f.get(op.storage_size)
    storage = f.executor.ledger.storage(device_of(op.affinity), size, "alloc")
    f.values[op.results[0]] = Buffer(storage, 0, size)


def _alloca(f: Any, op: Any) -> None:
    transient = op.results[0].type.lifetime.data == "transient"
    buffer, point = f.executor.alloca(f.get(op.storage_size), device_of(op.affinity), f.awaited(op), transient)
    if op.indeterminate_lifetime is not None:
        buffer.storage.indeterminate = True
    f.set(op, buffer, point)


def _dealloca(f: Any, op: Any) -> None:
    buffer = f.values[op.operand]
    if buffer is None:  # a global that held nothing yet
        f.set(op, IMMEDIATE)
        return
    buffer.storage.kept = False
    f.set(op, f.executor.dealloca(buffer, device_of(op.affinity), f.awaited(op)))


def _retain(f: Any, op: Any) -> None:
    f.executor.ledger.owners(f.values[op.operand].storage, 1)


def _release(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.executor.ledger.owners(f.values[op.operand].storage, -1) == 0


def _is_terminal(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.operand].storage.owners == 1


def _resource_size(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.operands[0]].size


def _subview(f: Any, op: Any) -> None:
    f.values[op.results[0]] = f.values[op.source].sub(f.get(op.source_offset), f.get(op.result_size))


def _pack(f: Any, op: Any) -> None:
    from headrace.stream.packing import align, pack

    sizes = f.all(group(op, "dynamic_slice_sizes"))
    found = pack(sizes, op.intervals(), exact=False)
    base = f.get(op.offset) if op.offset is not None else 0
    f.set(op, base + align(found.total, 64), *[base + o for o in found.offsets])


def _constants(f: Any, op: Any) -> None:
    buffers: list[Any] = []
    rows = zip(op.values.data, f.all(group(op, "result_sizes")), op.results, strict=False)
    for value, size, result in rows:
        raw = _constant_bytes(value)
        if f.program.memory:
            origin = "constant" if result.type.lifetime.data == "constant" else "alloc"
            storage = f.executor.ledger.storage(device_of(op.affinity), size, origin)
            storage.data = np.zeros(size, np.uint8)
            storage.data[: raw.size] = raw
            buffers.append(Buffer(storage, 0, size))
        else:
            buffers.append(raw)
    f.set(op, *buffers, IMMEDIATE)


def _transients(f: Any, op: Any) -> None:
    f.set(op, f.values[op.resource], IMMEDIATE)


# ---- command level --------------------------------------------------------------------------------------------------


def _cmd_execute(f: Any, op: Any) -> None:
    block = op.body.block
    for argument, value in zip(block.args, group(op, "resource_operands"), strict=True):
        f.values[argument] = f.values[value]
    device = device_of(op.affinity)
    items = [item for inner in block.ops for item in _item(f, inner)]
    f.set(op, f.executor.execute(device, f.awaited(op), items))


def _item(f: Any, op: Any) -> list[Item]:
    name = op.name.rpartition(".")[2]
    if name == "yield":
        return []
    if name in ("concurrent", "serial"):
        parts = [item for inner in op.body.block.ops for item in _item(f, inner)]
        return [Parallel(parts) if name == "concurrent" else Serial(parts)]
    if name in ("flush", "invalidate", "discard"):
        return [marker(name)]
    if name == "fill":
        width = op.value.type.width.data // 8
        buffer: Buffer = f.values[op.target]
        return [fill(int(f.get(op.value)), width, buffer, f.get(op.target_offset), f.get(op.target_length), op)]
    if name == "copy":
        return [
            copy(
                f.values[op.source], f.get(op.source_offset), f.values[op.target], f.get(op.target_offset),
                f.get(op.length), op,
            )
        ]  # fmt: skip
    if name == "dispatch":
        kernel = lookup(f.program.kernels, op)
        rows = zip(
            op.resources,
            f.all(group(op, "resource_offsets")),
            f.all(group(op, "resource_lengths")),
            op.resource_accesses.data,
            strict=True,
        )
        bindings = [(f.values[v], offset, length, a.value.data) for v, offset, length, a in rows]
        return [dispatch(kernel, bindings, f.all(group(op, "uniform_operands")), f.program.tile, op)]
    if name == "call":
        return [_call_command(f, op)]
    if name == "collective":
        offsets, lengths = f.all(group(op, "resource_offsets")), f.all(group(op, "resource_lengths"))
        ranges = [(f.values[v], o, n) for v, o, n in zip(op.resources, offsets, lengths, strict=True)]
        wanted = _wanted(f, op)
        source = None if wanted.kind == "recv" else (*ranges[0], READ)
        target = None if wanted.kind == "send" else (*ranges[-1], WRITE)
        return [collectives.command(f.values[op.channel], wanted, source, target, op)]
    raise op_error(op, "cannot be executed at this level")


def _call_command(f: Any, op: Any) -> Item:
    from headrace.stream.execution import Command

    name = op.callee.string_value()
    function = f.program.external.get(name)
    if function is None:
        raise op_error(op, f"no host function '{name}' was given")
    rows = iter(
        zip(f.all(group(op, "resource_offsets")), f.all(group(op, "resource_lengths")), op.resource_accesses.data,
            strict=True)
    )  # fmt: skip
    arguments: list[Any] = []
    ranges: list[Any] = []
    for v in op.arguments:
        if is_resource(v):
            offset, length, access = next(rows)
            ranges.append((f.values[v], offset, length, access.value.data))
            arguments.append(ranges[-1])
        else:
            arguments.append(f.get(v))

    def run() -> Callable[[], None]:
        copies = [
            (r[0].view(r[1], r[2]).copy() if isinstance(r, tuple) else r) for r in arguments
        ]
        function(*copies)

        def store() -> None:
            for r, raw in zip(arguments, copies, strict=True):
                if isinstance(r, tuple) and r[3] & WRITE:
                    r[0].view(r[1], r[2])[:] = raw

        return store

    return Command(name, ranges, run, lambda system, device: (("device", device), system.device(device).launch_ns), op)


# ---- globals --------------------------------------------------------------------------------------------------------


def _global_load(f: Any, op: Any) -> None:
    name = op.global_.string_value()
    if name not in f.program.globals:
        raise op_error(op, f"global '{name}' has no value yet")
    value = f.program.globals[name]
    if value is None and any(
        use.operation.name not in ("stream.resource.dealloca",) for use in op.results[0].uses
    ):
        raise op_error(op, f"global '{name}' has no value yet")
    f.values[op.results[0]] = value


def _global_store(f: Any, op: Any) -> None:
    value = f.values[op.operands[0]]
    if isinstance(value, Buffer):
        value.storage.kept = True
    f.program.globals[op.global_.string_value()] = value


def _align(f: Frame, op: Operation) -> None:
    value, step = f.all(op.operands)
    f.values[op.results[0]] = (value + step - 1) // step * step


_LEAVES: dict[str, Leaf] = {
    **LEAVES,
    "stream.tensor.import": _import,
    "stream.tensor.export": _export,
    "hal.buffer_view.dim": _view_dim,
    "hal.buffer.length": _buffer_length,
    "stream.tensor.sizeof": _sizeof,
    "stream.tensor.empty": _tensor_empty,
    "stream.tensor.constant": _tensor_constant,
    "stream.tensor.splat": _tensor_splat,
    "stream.tensor.clone": _tensor_clone,
    "stream.tensor.slice": _tensor_slice,
    "stream.tensor.update": _tensor_update,
    "stream.tensor.fill": _tensor_fill,
    "stream.tensor.load": _tensor_load,
    "stream.tensor.store": _tensor_store,
    "stream.tensor.dispatch": _value_dispatch,
    "stream.async.dispatch": _value_dispatch,
    "stream.async.alloca": _async_alloca,
    "stream.async.constant": _tensor_constant,
    "stream.async.splat": _async_splat,
    "stream.async.clone": _async_clone,
    "stream.async.transfer": _async_clone,
    "stream.async.cast": _same,
    "stream.async.barrier": _same,
    "stream.async.slice": _async_slice,
    "stream.async.fill": _async_fill,
    "stream.async.update": _async_update,
    "stream.async.copy": _async_copy,
    "stream.async.collective": _async_collective,
    "stream.channel.create": _channel_create,
    "stream.channel.split": _channel_split,
    "stream.channel.rank": _channel_rank,
    "stream.channel.count": _channel_count,
    "stream.async.load": _async_load,
    "stream.async.store": _async_store,
    "stream.async.call": _async_call,
    "stream.resource.load": _async_load,
    "stream.resource.store": _async_store,
    "stream.timepoint.immediate": _immediate,
    "stream.timepoint.join": _join,
    "stream.timepoint.await": _await,
    "stream.timepoint.barrier": _barrier,
    "stream.timepoint.import": _import_point,
    "stream.timepoint.export": _export_point,
    "stream.timepoint.chain_external": _chain,
    "stream.resource.alloc": _alloc,
    "stream.resource.alloca": _alloca,
    "stream.resource.dealloca": _dealloca,
    "stream.resource.retain": _retain,
    "stream.resource.release": _release,
    "stream.resource.is_terminal": _is_terminal,
    "stream.resource.size": _resource_size,
    "stream.resource.subview": _subview,
    "stream.resource.pack": _pack,
    "stream.resource.constants": _constants,
    "stream.resource.transients": _transients,
    "stream.cmd.execute": _cmd_execute,
    "util.global.load": _global_load,
    "util.global.store": _global_store,
    "util.align": _align,
    "util.optimization_barrier": _same,
}
_CONTROLS: dict[str, Control] = {
    **CONTROLS,
    "stream.async.execute": _region,
    "stream.async.concurrent": _region,
}
