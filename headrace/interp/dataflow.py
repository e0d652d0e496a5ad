"""The DataflowIR interpreter: units as sequential processes joined by bounded channels and counted signals.

The coordinator runs sequentially; a program ends when all its units have ended, with empty channels and zero signal
counters. Transfers complete at once. Units are resumed in the order of the program text, each as far as it can go, so
the result and every report are the same on every run; a legal program does not depend on that order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation

from headrace.interp import composites, engine, matrix, scalars, vectors
from headrace.interp.arguments import bind, extract_kind
from headrace.interp.batches import Ends, batched_loop
from headrace.interp.dataflow_batches import ChannelMoves
from headrace.interp.engine import Control, Frame, Leaf, Running, Session, find_kernel, finish, functions_of, grid_of
from headrace.interp.memory import Memory, Space
from headrace.interp.scalars import attribute
from headrace.interp.values import element_dtype, scalar
from headrace.interp.vectors import linear_view, vector_shape
from headrace.ir.diagnostics import Diagnostic, error
from headrace.ir.location import loc_of


class DeviceFacts(Protocol):
    """What the interpreter asks the device: `headrace.arch.Device` answers all of it."""

    def word_size(self, unit_kind: str, memory_kind: Any) -> int: ...

    def memory_level(self, kind: Any) -> int: ...

    def memory(self, kind: Any) -> Any: ...

    def queue_depth(self, source: str, target: str) -> int: ...


@dataclass
class DataflowResult:
    """Outcome of a run: the data are in the memory that was passed in."""

    kernel: str
    programs: int
    """How many programs were executed (calls, not modules)."""
    sends: int
    signals: int
    warnings: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True)
class Unit:
    """A hardware unit or memory; equal names denote the same one."""

    name: str
    kind: str = field(compare=False)
    """Kind of the device file (`headrace.kind`), else the `type` attribute."""
    tag: str = field(compare=False)
    """The `type` attribute."""
    core: int | None = field(compare=False)
    corelet: int | None = field(compare=False)


@dataclass(frozen=True)
class Group:
    """A handle that addresses several units."""

    units: tuple[Unit, ...]


@dataclass(frozen=True)
class Blocked:
    """A unit that cannot go on: `ready()` tells when it can, `why` what it waits for."""

    op: Operation
    ready: Callable[[], bool]
    why: str


@dataclass
class DataflowSession(Session):
    """State of one run: symbols, and the channels and signal counters of the running program."""

    device: DeviceFacts | None = None
    tiles: frozenset[int] | None = None
    symbols: dict[int, int] = field(default_factory=dict)
    channels: dict[tuple[Unit, Unit], deque[tuple[Any, Attribute]]] = field(default_factory=dict)
    readers: dict[int, Ends] = field(default_factory=dict)
    """By channel: the last batched loop that read it."""
    counters: dict[tuple[Unit, Unit, int], int] = field(default_factory=dict)
    last: dict[Any, Operation] = field(default_factory=dict)
    """The last send or signal on each channel or counter, for reports."""
    programs: int = 0
    sends: int = 0
    signals: int = 0


class HostFrame(Frame):
    """The coordinator and the functions it calls; collects the unit programs of the function that runs."""

    def __init__(self, session: DataflowSession):
        super().__init__(session)
        self.pending: list[tuple[Operation, Unit]] = []


class UnitFrame(Frame):
    """One execution unit; starts with the values of the function around its program."""

    def __init__(self, host: HostFrame, unit: Unit):
        super().__init__(host.session)
        self.values = dict(host.values)
        self.unit = unit

    def where(self) -> str:
        return f" on unit {self.unit.name}"


# -- units and maps --------------------------------------------------------------------------------------------------


def _number(op: Operation, name: str) -> int | None:
    attr = op.attributes.get(name)
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def _get_unit(f: Any, op: Any) -> None:
    tag = op.unit_type.data
    kind = op.attributes.get("headrace.kind")
    named = kind.data if kind is not None else _device_kind(f.session.device, tag)  # type: ignore[attr-defined]
    unit = Unit(op.unit_name.data, named, tag, _number(op, "core"), _number(op, "corelet"))
    f.set(op, *[unit] * len(op.results))


def _device_kind(device: Any, tag: str) -> str:
    """The device's spelling of a unit or memory tag, found without regard to case; else the tag itself."""
    if device is not None:
        for kind in (*getattr(device, "unit_kinds", ()), *getattr(device, "memories", ())):
            if kind.lower() == tag.lower():
                return kind
        twin = {"hbm": 0, "lx": 1}.get(tag)
        for kind in getattr(device, "memories", ()):
            if twin is not None and device.memory_level(kind) == twin:
                return kind
    return tag


def _create_group(f: Any, op: Any) -> None:
    f.values[op.results[0]] = Group(f.all(op.units))


def _mapping(f: Any, op: Any) -> None:
    f.values[op.results[0]] = tuple(
        zip(f.all(op.keys), (f.values[v] for v in op.operands[len(op.keys) :]), strict=True)
    )


def _query(f: Any, op: Any) -> None:
    key = f.get(op.key)
    for k, v in f.get(op.map):
        if k == key:
            f.values[op.results[0]] = v
            return
    raise error(op, f"'{op.name}'{f.where()}: the map has no entry for {getattr(key, 'name', key)}")


# -- symbols ---------------------------------------------------------------------------------------------------------


def _create_id(f: Any, op: Any) -> None:
    value = f.get(op.value)
    maker = op.value.owner
    if isinstance(maker, Operation) and maker.name == "arith.divsi":
        a, b = f.all(maker.operands)
        if a % b:
            raise error(op, f"symbol {op.symbol_id.value.data}: address {a} is not a multiple of the word size {b}")
    f.session.symbols[op.symbol_id.value.data] = value


def _create_symbol(f: Any, op: Any) -> None:
    number = attribute(op, "SymbolId")
    if not isinstance(number, IntegerAttr):
        raise error(op, "'symbol.create_symbol' without SymbolId")
    symbols = f.session.symbols
    if number.value.data not in symbols:
        raise error(op, f"symbol {number.value.data} is read but never declared")
    f.values[op.results[0]] = int(symbols[number.value.data])


# -- memory ----------------------------------------------------------------------------------------------------------


def level_of(f: Any, memory: Unit) -> int:
    """0 global, 1 a core's scratchpad, more below it."""
    device = f.session.device
    if device is not None and memory.kind in getattr(device, "memories", (memory.kind,)):
        return device.memory_level(memory.kind)
    if memory.tag == "hbm":
        return 0
    return 1 if memory.core is not None else 2


def space_at(f: Any, memory: Unit, op: Operation) -> Space:
    """The store behind a memory handle, seen from the running unit."""
    level = level_of(f, memory)
    if level == 0:
        return f.session.memory.main
    device = f.session.device
    ranked = device is not None and memory.kind in getattr(device, "memories", ())
    beside = ranked and device is not None and memory.kind != device.scratchpad.kind
    if level == 1 and not beside:
        if memory.core is None:
            raise error(op, f"scratchpad '{memory.name}' belongs to no core")
        return f.session.memory.local(memory.core)
    shared = device is not None and device.memory(memory.kind).instances == 1
    owner = (f.unit.core,) if shared else (f.unit.core, f.unit.corelet)
    return f.session.memory.local(owner, memory.kind)


def start_unit(f: Any, op: Any, level: int) -> str:
    """`word`, `element` or `byte`; without the attribute: symbols count words, constants elements (global) or bytes."""
    attr = attribute(op, "headrace.start_unit")
    if attr is not None:
        text = str(attr.data)  # type: ignore[attr-defined]
        if text not in ("word", "element", "byte"):
            raise error(op, f"headrace.start_unit must be word, element or byte, got '{text}'")
        return text
    if from_symbol(op.start):
        return "word"
    return "element" if level == 0 else "byte"


def from_symbol(value: Any) -> bool:
    """Whether a start address is made of symbols."""
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if op.name == "symbol.create_symbol":
        return True
    if op.name == "uniform.query_map":
        maker = op.map.owner  # type: ignore[attr-defined]
        return isinstance(maker, Operation) and any(from_symbol(v) for v in maker.operands[len(maker.keys) :])  # type: ignore[attr-defined]
    return any(from_symbol(v) for v in op.operands)


def _memory_view(f: Any, op: Any) -> None:
    memory, start = f.get(op.unit), f.get(op.start)
    level = level_of(f, memory)
    unit = start_unit(f, op, level)
    t = op.results[0].type
    assert isinstance(t, MemRefType)
    if unit == "word":
        device = f.session.device
        scale = 1 if device is None else device.word_size(f.unit.kind, memory.kind)
    else:
        scale = element_dtype(t).bytes if unit == "element" else 1
    f.values[op.results[0]] = linear_view(op, space_at(f, memory, op), start * scale, memory.name)


# -- channels and signals --------------------------------------------------------------------------------------------


def _peers(f: Any, value: Any, op: Operation) -> tuple[Unit, ...]:
    peer = f.get(value)
    if isinstance(peer, Group):
        return peer.units
    if not isinstance(peer, Unit):
        raise error(op, f"'{op.name}'{f.where()} names {peer}, which is no unit")
    return (peer,)


def queue_depth(session: Any, source: str, target: str) -> int:
    """Capacity of the channel between two kinds of units."""
    key = ("depth", source, target)
    if key not in session.cache:
        session.cache[key] = 2 if session.device is None else session.device.queue_depth(source, target)
    return session.cache[key]


def _send(f: Any, op: Any) -> Running:
    values = f.get(op.data)
    session = f.session
    for peer in _peers(f, op.operands[0], op):
        queue = session.channels.setdefault((f.unit, peer), deque())
        depth = queue_depth(session, f.unit.kind, peer.kind)
        if len(queue) >= depth:
            yield Blocked(
                op,
                lambda queue=queue, depth=depth: len(queue) < depth,
                f"a free slot in the channel to {peer.name} (depth {depth})",
            )
        queue.append((values, op.data.type))
        session.last[(f.unit, peer)] = op
        session.sends += 1
    return ()


def _receive(f: Any, op: Any) -> Running:
    (peer,) = _peers(f, op.operands[0], op)
    queue = f.session.channels.setdefault((peer, f.unit), deque())
    if not queue:
        yield Blocked(op, lambda: bool(queue), f"an item in the channel from {peer.name}")
    values, t = queue.popleft()
    wanted = op.results[0].type
    if t is not wanted and not _same_vector(t, wanted):
        raise error(op, f"'{op.name}'{f.where()} expects {wanted}, {peer.name} sent {t}")
    f.values[op.results[0]] = values
    return ()


def _same_vector(a: Attribute, b: Attribute) -> bool:
    return a == b or (vector_shape(a) == vector_shape(b) and element_dtype(a).name == element_dtype(b).name)


def signal_number(op: Operation) -> int:
    """The semaphore a sync operation names (`headrace.signal`, absent = 0)."""
    return _number(op, "headrace.signal") or 0


def _sync_send(f: Any, op: Any) -> None:
    for peer in _peers(f, op.operands[0], op):
        key = (f.unit, peer, signal_number(op))
        f.session.counters[key] = f.session.counters.get(key, 0) + 1
        f.session.last[key] = op
        f.session.signals += 1


def _sync_recv(f: Any, op: Any) -> Running:
    counters = f.session.counters
    for peer in _peers(f, op.operands[0], op):
        key = (peer, f.unit, signal_number(op))
        if counters.get(key, 0) <= 0:
            name = f"signal {key[2]} from {peer.name}"
            yield Blocked(op, lambda key=key: counters.get(key, 0) > 0, name)
        counters[key] -= 1
    return ()


# -- programs --------------------------------------------------------------------------------------------------------


def _program_unit(f: Any, op: Any) -> None:
    session: DataflowSession = f.session
    if not isinstance(f, HostFrame):
        raise error(op, "'dataflow.program_unit' inside another one")
    tiles = session.tiles
    for unit in f.all(op.units):
        if tiles is None or unit.core is None or unit.core in tiles:
            f.pending.append((op, unit))


def _call(f: Any, op: Any) -> Running:
    yield from engine.CONTROLS["func.call"](f, op)
    if f.pending:
        run_program(f, op)
    return ()


def run_program(host: HostFrame, op: Operation) -> None:
    """Run the collected unit programs to their end. Raises a located error on deadlock or leftovers."""
    session: Any = host.session
    started: list[tuple[UnitFrame, Running, Blocked | None]] = []
    for program, unit in host.pending:
        f = UnitFrame(host, unit)
        block = program.regions[0].blocks[0]
        started.append((f, f.run_block(block, (unit,) if block.args else ()), None))
    host.pending = []
    session.programs += 1
    running = started
    while running:
        moved = False
        left: list[tuple[UnitFrame, Running, Blocked | None]] = []
        for f, g, blocked in running:
            if blocked is not None and not blocked.ready():
                left.append((f, g, blocked))
                continue
            moved = True
            try:
                left.append((f, g, next(g)))
            except StopIteration:
                continue
        running = left
        if not moved:
            _deadlock(running, len(started))
    _leftovers(session, op)


def _deadlock(running: Sequence[tuple[UnitFrame, Running, Blocked | None]], total: int) -> None:
    notes = [(loc_of(b.op), f"unit {f.unit.name} waits for {b.why}") for f, _, b in running if b is not None]
    first = running[0][2]
    assert first is not None
    summary = "; ".join(text for _, text in notes)
    raise error(first.op, f"deadlock: {len(running)} of {total} units cannot go on: {summary}", notes)


def _leftovers(session: Any, op: Operation) -> None:
    """Channels must be empty and counters zero when a program ends."""
    notes: list[tuple[Any, str]] = []
    for (a, b), queue in session.channels.items():
        if queue:
            notes.append(
                (loc_of(session.last[(a, b)]), f"{len(queue)} items from {a.name} to {b.name} were never received")
            )
    for (a, b, k), count in session.counters.items():
        if count:
            notes.append((loc_of(session.last[(a, b, k)]), f"signal {k} from {a.name} to {b.name} is left at {count}"))
    session.channels.clear()
    session.readers.clear()
    session.counters.clear()
    if notes:
        raise error(op, "a program ended with " + "; ".join(text for _, text in notes), notes)


def _extract(f: Any, op: Any) -> None:
    kind, t = extract_kind(op)
    value = f.get(op.operands[0]) if kind == "value" else getattr(t, kind)
    f.values[op.results[0]] = value if kind == "value" else scalar(np.asarray(value), element_dtype(op.results[0].type))


LEAVES: dict[str, Leaf] = {
    **engine.LEAVES,
    **scalars.LEAVES,
    **vectors.LEAVES,
    **matrix.LEAVES,
    "dataflow.get_unit": _get_unit,
    "dataflow.create_group": _create_group,
    "uniform.def_immutable_mapping": _mapping,
    "uniform.query_map": _query,
    "symbol.symbol_immutable_mapping": _mapping,
    "symbol.query_map": _query,
    "symbol.create_id": _create_id,
    "symbol.create_symbol": _create_symbol,
    "dataflow.get_logical_memory_view": _memory_view,
    "dataflow.sync_send": _sync_send,
    "dataflow.program_unit": _program_unit,
    "ktdp.runtime_arg_extract": _extract,
}
CONTROLS: dict[str, Control] = {
    **engine.CONTROLS,
    **composites.CONTROLS,
    "func.call": _call,
    "scf.for": batched_loop(ChannelMoves(_peers, queue_depth, _same_vector)),
    "dataflow.send": _send,
    "dataflow.receive": _receive,
    "dataflow.sync_recv": _sync_recv,
}


def run_dataflow(
    module: ModuleOp,
    args: Mapping[str, Any],
    memory: Memory,
    device: DeviceFacts | None = None,
    kernel: str | None = None,
    tiles: Sequence[int] | None = None,
) -> DataflowResult:
    """Run a DataflowIR module on `memory`, in place.

    `args`: byte addresses and scalars by argument name. `device` gives word sizes, memory levels and channel depths
    (None: words are bytes, depth 2, `hbm` is global and memories with a `core` are scratchpads). `tiles`: only the
    units of these cores. Raises HeadraceError, for a deadlock with what every unit waits for.
    """
    function = find_kernel(module, kernel)
    grid_of(function)
    chosen = None if tiles is None else frozenset(tiles)
    session = DataflowSession(LEAVES, CONTROLS, functions_of(module), memory, device=device, tiles=chosen)
    host = HostFrame(session)
    finish(host.call(function, bind(function, args)))
    if host.pending:
        run_program(host, function)
    return DataflowResult(
        function.sym_name.data, session.programs, session.sends, session.signals, session.warnings.found
    )
