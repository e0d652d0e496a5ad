"""The executable definition of the stream levels: host code run in order, device work given to an executor.

At the tensor and async levels a resource is bytes by value and every operation happens at once. At the command level a
resource is a range of a storage, and allocations, executions and deallocations are submitted to an executor (the event
simulation, or threads), which alone decides when they happen. The host waits where the program says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
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
    to_bytes,
)
from headrace.interp.engine import Control, Frame, Leaf, Running, Session, finish
from headrace.interp.memory import Memory
from headrace.interp.scalars import constant_value
from headrace.ir.diagnostics import HeadraceError, op_error
from headrace.ir.dialects._stream_format import group
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
from headrace.stream.value_levels import VALUE_LEAVES, constant_bytes, dims_of, inside

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


# ---- boundary -------------------------------------------------------------------------------------------------------


def _import(f: Any, op: Any) -> None:
    value = f.values[op.source]
    kind = op.result_encoding
    if isinstance(op.source.type, BufferType):
        _import_storage(f, op, value)
        return
    shape = dims_of(f, kind, op.result_encoding_dims)
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
    f.values[op.results[0]] = View(value, dims_of(f, op.source_encoding, op.source_encoding_dims), op.source_encoding)


def _view_dim(f: Any, op: Any) -> None:
    value = f.values[op.operands[0]]
    shape = value.shape
    k = op.properties["index"].value.data
    if k >= len(shape):
        raise op_error(op, f"dimension {k} of a buffer view of rank {len(shape)}")
    f.values[op.results[0]] = int(shape[k])


# ---- collectives ---------------------------------------------------------------------------------------------------


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
    inside(op, a, b, source.size)
    inside(op, low, high, target.size)
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
        raw = constant_bytes(value)
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

    def run(_: str | None) -> Callable[[], None]:
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
    **VALUE_LEAVES,
    "stream.tensor.import": _import,
    "stream.tensor.export": _export,
    "hal.buffer_view.dim": _view_dim,
    "hal.buffer.length": _buffer_length,
    "stream.async.collective": _async_collective,
    "stream.channel.create": _channel_create,
    "stream.channel.split": _channel_split,
    "stream.channel.rank": _channel_rank,
    "stream.channel.count": _channel_count,
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
}
_CONTROLS: dict[str, Control] = {
    **CONTROLS,
    "stream.async.execute": _region,
    "stream.async.concurrent": _region,
}
