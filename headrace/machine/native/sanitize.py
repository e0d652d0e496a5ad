"""Hazard checks in native code: the state of every granule of memory, vector clocks, transfers that land late.

Each granule of a memory (a few bytes) has the number of a *state*: whether it was written, by whom last, and who has
read it since. An access is a walk over stretches of equal state; a stretch gets one new state. Two accesses are ordered
when the clock of the first is known to the unit of the second. Clocks travel with FIFO items and signals: both carry
what the unit has read and issued, a signal also its completed writes. A program begins with everything before it known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from headrace.machine.native import runtime as rt
from headrace.machine.native.dsl import I32, Function, Record, Value
from headrace.machine.native.layout import (
    COUNTER,
    ENGINE,
    FIXED,
    MEM,
    NODE,
    PENDING,
    PENDING_WORDS,
    SNAPSHOTS,
    STATE,
    UNIT,
)
from headrace.machine.native.mode import FAULT, OK, ModeModule
from headrace.machine.native.transfers import locate_run, next_burst, outside
from headrace.machine.native.units import UnitEmitter
from headrace.machine.result import COUNTER_SLOTS

UNINITIALISED, READ_RACE, OVERWRITTEN, WRITE_READ_RACE, WRITE_WRITE_RACE, OUT_OF_BUFFER = range(6)
"""Kinds of reports."""
DEFINED, OUTSIDE = 1, 2
"""Bits of a state's flags; the number of the program run is above them."""
GENERATION = 2
LAST_WRITE = ("writer", "clock", "index", "before", "before_clock")
"""Words of a state about its last write and the one before."""

LANES = 8
CELLS = ir.VectorType(I32, LANES)
CALLED = (*rt.CALLED, "check_read", "check_write", "release", "acquire", "snapshot", "land", "mark", "rename", "sweep")


def build(module: ModeModule) -> None:
    """Add the timed engine and the checks to ``module``."""
    _scan(module)
    _fill(module)
    _ordered(module)
    _report(module)
    _new_state(module)
    _free(module)
    _give(module)
    _sweep(module)
    _read_checks(module)
    _read_state(module)
    _read_over(module)
    _write_checks(module)
    _write_state(module)
    _write_over(module)
    _check(module, "read")
    _check(module, "write")
    _join(module)
    _release(module)
    _acquire(module)
    _snapshot(module)
    _land(module)
    _mark(module)
    _rename(module)
    rt.build(module, check_transfer, postpone)


def _splat(f: Function, value: Value) -> Any:
    narrow = f.b.trunc(value.v, I32)
    one = f.b.insert_element(ir.Constant(CELLS, ir.Undefined), narrow, ir.Constant(I32, 0))
    return f.b.shuffle_vector(one, ir.Constant(CELLS, ir.Undefined), ir.Constant(CELLS, [0] * LANES))


def _load32(f: Function, address: Any) -> Value:
    return Value(f, f.b.zext(f.b.load(f.pointer(address), typ=I32, align=4), ir.IntType(64)))


def _store32(f: Function, address: Any, value: Any) -> None:
    f.b.store(f.b.trunc(f.raw(value), I32), f.pointer(address), align=4)


def _scan(module: ModeModule) -> None:
    """scan(cell, end, s): the first cell in [cell, end) whose state is not s."""
    f = Function(module, "scan", 3, external=False)
    at, end, s = f.var(f.args[0]), f.args[1], f.args[2]
    many = _splat(f, s)
    with f.while_(lambda: at.get() + 4 * LANES <= end) as out:
        cells = f.b.load(f.pointer(at.get()), typ=CELLS, align=4)
        differ = f.b.bitcast(f.b.icmp_signed("!=", cells, many), ir.IntType(LANES))
        with f.if_(f.b.icmp_signed("!=", differ, ir.Constant(ir.IntType(LANES), 0))):
            f.b.branch(out)
            f.b.position_at_end(f.fn.append_basic_block("unreachable"))
        at.set(at.get() + 4 * LANES)
    with f.while_(lambda: f.b.and_((at.get() < end).v, (_load32(f, at.get()) == s).v)):
        at.set(at.get() + 4)
    f.ret(at.get())


def _fill(module: ModeModule) -> None:
    """fill(cell, end, t): give all cells the state t."""
    f = Function(module, "fill", 3, external=False)
    at, end, t = f.var(f.args[0]), f.args[1], f.args[2]
    many = _splat(f, t)
    with f.while_(lambda: at.get() + 4 * LANES <= end):
        f.b.store(many, f.pointer(at.get()), align=4)
        at.set(at.get() + 4 * LANES)
    with f.while_(lambda: at.get() < end):
        _store32(f, at.get(), t)
        at.set(at.get() + 4)
    f.ret()


def _ordered(module: ModeModule) -> None:
    """ordered(unit, other, clock, half): whether what unit number ``other`` did at ``clock`` (half 1: a write) is
    before what ``unit`` does now. A unit's own accesses are in order, but its reads do not wait for its transfers."""
    f = Function(module, "ordered", 4, external=False)
    unit, clock, half = f.record(f.args[0], UNIT), f.args[2], f.args[3]
    at = unit.engine + f.args[1] * 8
    other = f.record(at, UNIT)
    with f.if_(unit.domain != other.domain):
        f.ret(0)
    with f.if_(f.b.and_((f.args[0] == at).v, f.b.or_((half == 0).v, (unit.moves == 0).v))):
        f.ret(1)
    known = _load32(f, unit.vc + (other.vx * 2 + half) * 4)
    f.ret(f.select(known >= clock, 1, 0))


def _report(module: ModeModule) -> None:
    """report(unit, kind, index, mem, cell, other, other_index): tell the host; ``other``: a unit's number, 0: none."""
    f = Function(module, "report", 7, external=False)
    unit, kind, index, cell = f.record(f.args[0], UNIT), f.args[1], f.args[2], f.args[4]
    mem = f.record(f.args[3], MEM)
    engine = f.record(unit.engine, ENGINE)
    with f.if_(engine.quiet == 0):
        number = (mem.address() - unit.mems).udiv(8 * MEM.size)
        address = Value(f, f.b.shl(Value(f, f.b.ashr((cell - mem.shadow).v, f.raw(2))).v, engine.shift.v))
        other = engine.address() + f.args[5] * 8
        f.call_pointer(engine.fn_report, unit.slot, kind, index, number, address, other, f.args[6])
    f.ret()


def _state(f: Function, engine: Record, number: Value) -> Record:
    return f.record(engine.states + number * (8 * STATE.size), STATE)


def _new_state(module: ModeModule) -> None:
    """new_state(engine): the number of a fresh state that no cell has yet."""
    f = Function(module, "new_state", 1, external=False)
    engine = f.record(f.args[0], ENGINE)
    free = engine.free_states
    with f.if_(free != 0, likely=True):
        following = _state(f, engine, free).writer
        engine.free_states = following
        f.prefetch(_state(f, engine, following).address(), True)
        f.ret(free)
    with f.if_(engine.n_states >= engine.cap_states, likely=False):
        f.call_pointer(engine.fn_grow)
    n = engine.n_states
    engine.n_states = n + 1
    f.ret(n)


def _free(module: ModeModule) -> None:
    """free(engine, s): no cell has the state s any more."""
    f = Function(module, "free", 2, external=False)
    engine, s = f.record(f.args[0], ENGINE), f.args[1]
    state = _state(f, engine, s)
    _forget_nodes(f, engine, state)
    state.flags, state.writer = 0, engine.free_states
    engine.free_states = s
    f.ret()


def _give(module: ModeModule) -> None:
    """give(engine, cell, end, s, t): the cells in [cell, end) get the state t instead of s."""
    f = Function(module, "give", 5, external=False)
    engine, cell, end, s, t = f.record(f.args[0], ENGINE), *f.args[1:]
    f.call("fill", cell, end, t)
    count = (end - cell) >> 2
    new = _state(f, engine, t)
    new.cells = new.cells + count
    with f.if_(s >= FIXED):
        old = _state(f, engine, s)
        left = old.cells - count
        old.cells = left
        with f.if_(left == 0):
            f.call("free", engine.address(), s)
    f.ret()


def _sweep(module: ModeModule) -> None:
    """sweep(engine): free the states that are counted for no cell."""
    f = Function(module, "sweep", 1)
    engine = f.record(f.args[0], ENGINE)
    with f.range(engine.n_states - FIXED) as k:
        state = _state(f, engine, k + FIXED)
        with f.if_(f.b.and_((state.cells == 0).v, (state.flags != 0).v)):
            f.call("free", engine.address(), k + FIXED)
    f.ret()


def _read_checks(module: ModeModule) -> None:
    """read_checks(unit, s, index, mem, cell): report what is wrong when ``unit`` reads a granule in state s. Returns
    where that leaves the state as it is: outside of the buffers, or read by the unit since its clock moved."""
    f = Function(module, "read_checks", 5, external=False)
    at, s, index, mem, cell = f.args
    unit = f.record(at, UNIT)
    engine = f.record(unit.engine, ENGINE)
    state = _state(f, engine, s)
    flags = state.flags
    none = f.value(0)
    with f.if_((flags & OUTSIDE) != 0, likely=False):
        f.call("report", at, OUT_OF_BUFFER, index, mem, cell, none, none)
        f.ret(1)
    with f.if_((flags & DEFINED) == 0, likely=False):
        f.call("report", at, UNINITIALISED, index, mem, cell, none, none)
    with f.if_(flags != _now(engine)):
        f.ret(0)
    writer = state.writer
    with f.if_(writer != 0):
        with f.if_(f.call("ordered", at, writer, state.clock, 1) == 0, likely=False):
            kind = f.var(READ_RACE)
            with f.if_(state.before != 0):
                with f.if_(f.call("ordered", at, state.before, state.before_clock, 1) != 0):
                    kind.set(OVERWRITTEN)
            f.call("report", at, kind.get(), index, mem, cell, writer, state.index)
    own, clock = _number(unit), _clock(f, unit)

    def seen(reader: Value, at: Value, _: Value) -> None:
        with f.if_(f.b.and_((reader == own).v, (at == clock).v)):
            f.ret(1)

    _each_read(f, engine, state, seen)
    f.ret(0)


def _now(engine: Record) -> Value:
    """Flags of a state that this run of a program has made."""
    return (engine.generation << GENERATION) | DEFINED


def _clock(f: Function, unit: Record) -> Value:
    """The unit's own clock."""
    return _load32(f, unit.vc + unit.vx * 8)


def _number(unit: Record) -> Value:
    """What states call a unit."""
    return (unit.address() - unit.engine) >> 3


def _read_state(module: ModeModule) -> None:
    """read_state(unit, s, index): a new state, of granules in state s that ``unit`` has read."""
    f = Function(module, "read_state", 3, external=False)
    at, s, index = f.args
    unit = f.record(at, UNIT)
    engine = f.record(unit.engine, ENGINE)
    now = _now(engine)
    kept = _Kept(f, unit, engine)
    same_run = _state(f, engine, s).flags == now
    with f.if_(same_run):
        state = _state(f, engine, s)
        for read in _inline(state):
            kept.take(*read)
        with _each_node(f, engine, state.reads) as (_, node):
            kept.take(node.reader, node.clock, node.index)
    t = f.call("new_state", engine.address())
    new, old = _state(f, engine, t), _state(f, engine, s)
    new.flags, new.cells = now, 0
    kept.put(new, index)
    for name in LAST_WRITE:
        setattr(new, name, f.select(same_run, getattr(old, name), 0))
    f.ret(t)


def _read_over(module: ModeModule) -> None:
    """read_over(unit, s, index): make of state s, which no other granules have, that of granules that ``unit`` has
    read."""
    f = Function(module, "read_over", 3, external=False)
    at, s, index = f.args
    unit = f.record(at, UNIT)
    engine = f.record(unit.engine, ENGINE)
    now = _now(engine)
    state = _state(f, engine, s)
    kept = _Kept(f, unit, engine)
    same_run = state.flags == now
    with f.if_(same_run):
        for read in _inline(state):
            kept.take(*read)
    with _each_node(f, engine, _state(f, engine, s).reads) as (number, node):
        reader, clock, what = node.reader, node.clock, node.index
        _forget(engine, number, node)
        with f.if_(same_run):
            kept.take(reader, clock, what)
    state = _state(f, engine, s)
    kept.put(state, index)
    with f.if_(f.b.not_(same_run.v)):
        state.flags = now
        for name in LAST_WRITE:
            setattr(state, name, 0)
    f.ret()


class _Kept:
    """Reads of a granule that are in no order with one of ``unit`` now: one, and the list of the others."""

    def __init__(self, f: Function, unit: Record, engine: Record) -> None:
        self.f, self.unit, self.engine = f, unit, engine
        self.first, self.others = [f.var(0) for _ in range(3)], f.var(0)

    def take(self, reader: Value, clock: Value, index: Value) -> None:
        """Keep a read (``reader`` 0: there is none) if it is in no order."""
        f = self.f
        with f.if_(reader != 0):
            with f.if_(f.call("ordered", self.unit.address(), reader, clock, 0) == 0):
                with f.if_else(self.first[0].get() == 0) as (first, further):
                    with first:
                        for var, value in zip(self.first, (reader, clock, index), strict=True):
                            var.set(value)
                    with further:
                        self.others.set(_node(f, self.engine, reader, clock, index, self.others.get()))

    def put(self, state: Record, index: Value) -> None:
        """``state`` is read by the unit now, after these."""
        state.reader, state.clock1, state.index1 = _number(self.unit), _clock(self.f, self.unit), index
        state.reader2, state.clock2, state.index2 = (var.get() for var in self.first)
        state.reads = self.others.get()


def _inline(state: Record) -> tuple[tuple[Value, Value, Value], ...]:
    """Reads that a state itself holds: unit (0: none), clock, instruction."""
    return (state.reader, state.clock1, state.index1), (state.reader2, state.clock2, state.index2)


def _each_read(f: Function, engine: Record, state: Record, visit: Callable[[Value, Value, Value], None]) -> None:
    """``visit(unit, clock, instruction)`` for every read of a state."""
    for reader, clock, index in _inline(state):
        with f.if_(reader != 0):
            visit(reader, clock, index)
    with _each_node(f, engine, state.reads) as (_, node):
        visit(node.reader, node.clock, node.index)


def _node(f: Function, engine: Record, reader: Value, clock: Value, index: Value, following: Value) -> Value:
    """A read in front of the list ``following``."""
    taken = f.var(engine.free_nodes)
    with f.if_else(taken.get() != 0, likely=True) as (again, fresh):
        with again:
            engine.free_nodes = f.record(engine.nodes + taken.get() * (8 * NODE.size), NODE).next
        with fresh:
            with f.if_(engine.n_nodes >= engine.cap_nodes, likely=False):
                f.call_pointer(engine.fn_grow)
            taken.set(engine.n_nodes)
            engine.n_nodes = taken.get() + 1
    n = taken.get()
    node = f.record(engine.nodes + n * (8 * NODE.size), NODE)
    node.reader, node.clock, node.index, node.next = reader, clock, index, following
    return n


def _write_checks(module: ModeModule) -> None:
    """write_checks(unit, s, index, mem, cell): report what is wrong when ``unit`` writes a granule in state s. Returns
    1 where that leaves the state as it is: outside of the buffers."""
    f = Function(module, "write_checks", 5, external=False)
    at, s, index, mem, cell = f.args
    engine = f.record(f.record(at, UNIT).engine, ENGINE)
    state = _state(f, engine, s)
    flags = state.flags
    with f.if_((flags & OUTSIDE) != 0, likely=False):
        f.call("report", at, OUT_OF_BUFFER, index, mem, cell, 0, 0)
        f.ret(1)
    with f.if_(flags == _now(engine)):
        writer = state.writer
        with f.if_(f.b.and_((writer != 0).v, (writer != _number(f.record(at, UNIT))).v)):
            with f.if_(f.call("ordered", at, writer, state.clock, 1) == 0, likely=False):
                f.call("report", at, WRITE_WRITE_RACE, index, mem, cell, writer, state.index)

        def overwritten(reader: Value, clock: Value, by: Value) -> None:
            with f.if_(f.call("ordered", at, reader, clock, 0) == 0, likely=False):
                f.call("report", at, WRITE_READ_RACE, index, mem, cell, reader, by)

        _each_read(f, engine, state, overwritten)
    f.ret(0)


def _write_state(module: ModeModule) -> None:
    """write_state(unit, s, index): a state, made now or by the unit's last write, of granules in state s that ``unit``
    has written."""
    f = Function(module, "write_state", 3, external=False)
    at, s, index = f.args
    unit = f.record(at, UNIT)
    engine = f.record(unit.engine, ENGINE)
    old, now = _state(f, engine, s), _now(engine)
    same_run = old.flags == now
    clock = _clock(f, unit)
    before, before_clock = f.select(same_run, old.writer, 0), f.select(same_run, old.clock, 0)
    last = unit.m_write
    made = _state(f, engine, last)
    usable = f.b.and_((made.flags == now).v, f.b.and_((made.clock == clock).v, (made.index == index).v))
    equal = f.b.and_((made.before == before).v, (made.before_clock == before_clock).v)
    own = f.b.and_((made.writer == _number(unit)).v, (made.reader == 0).v)
    with f.if_(f.b.and_((last != 0).v, f.b.and_(usable, f.b.and_(equal, own)))):
        f.ret(last)
    t = f.call("new_state", engine.address())
    new = _state(f, engine, t)
    new.flags, new.writer, new.clock, new.index, new.cells = now, _number(unit), clock, index, 0
    new.before, new.before_clock = before, before_clock
    new.reader, new.reader2, new.reads = 0, 0, 0
    unit.m_write = t
    f.ret(t)


def _write_over(module: ModeModule) -> None:
    """write_over(unit, s, index): make of state s, which no other granules have, that of granules that ``unit`` has
    written."""
    f = Function(module, "write_over", 3, external=False)
    at, s, index = f.args
    unit = f.record(at, UNIT)
    engine = f.record(unit.engine, ENGINE)
    state, now = _state(f, engine, s), _now(engine)
    same_run = state.flags == now
    state.before = f.select(same_run, state.writer, 0)
    state.before_clock = f.select(same_run, state.clock, 0)
    _forget_nodes(f, engine, state)
    state.flags, state.writer, state.clock, state.index = now, _number(unit), _clock(f, unit), index
    state.reader, state.reader2, state.reads = 0, 0, 0
    unit.m_write = s
    f.ret()


@contextmanager
def _each_node(f: Function, engine: Record, first: Value) -> Iterator[tuple[Value, Record]]:
    """Body runs for every read of a list: (number of its node, node); it may give the node away."""
    link = f.var(first)
    with f.while_(lambda: link.get() != 0):
        number = link.get()
        node = f.record(engine.nodes + number * (8 * NODE.size), NODE)
        following = node.next
        yield number, node
        link.set(following)


def _forget(engine: Record, number: Value, node: Record) -> None:
    """A node is free."""
    node.next = engine.free_nodes
    engine.free_nodes = number


def _forget_nodes(f: Function, engine: Record, state: Record) -> None:
    """The nodes of a state's earlier reads are free."""
    with _each_node(f, engine, state.reads) as (number, node):
        _forget(engine, number, node)


def _check(module: ModeModule, what: str) -> None:
    """check_read / check_write(unit, mem, address, size, index): ``size`` contiguous bytes are accessed."""
    f = Function(module, f"check_{what}", 5)
    at, mem_at, address, size, index = f.args
    unit, mem = f.record(at, UNIT), f.record(mem_at, MEM)
    engine = f.record(unit.engine, ENGINE)
    with f.if_(size <= 0):
        f.ret()
    with f.if_(engine.n_states >= engine.collect_at, likely=False):
        f.call_pointer(engine.fn_collect)
    shift = engine.shift

    def cell_of(byte: Value) -> Value:
        return mem.shadow + (Value(f, f.b.ashr(byte.v, shift.v)) << 2)

    first, end = cell_of(address), cell_of(address + size - 1) + 4
    s, stop = f.var(_load32(f, first)), f.var(0)
    stop.set(f.call("scan", first, end, s.get()))
    with f.if_(f.b.and_((stop.get() == end).v, (s.get() >= FIXED).v)):
        with f.if_(_state(f, engine, s.get()).cells == (end - first) >> 2):
            with f.if_(f.call(f"{what}_checks", at, s.get(), index, mem_at, first) == 0):
                f.call(f"{what}_over", at, s.get(), index)
            f.ret()
    cell = f.var(first)
    last, last_to = f.var(-1), f.var(0)
    with f.while_(lambda: cell.get() < end):
        with f.if_(s.get() != last.get()):
            last.set(s.get())
            last_to.set(s.get())
            with f.if_(f.call(f"{what}_checks", at, s.get(), index, mem_at, cell.get()) == 0):
                last_to.set(f.call(f"{what}_state", at, s.get(), index))
        with f.if_(last_to.get() != s.get()):
            f.call("give", engine.address(), cell.get(), stop.get(), s.get(), last_to.get())
        cell.set(stop.get())
        with f.if_(cell.get() < end):
            s.set(_load32(f, cell.get()))
            stop.set(f.call("scan", cell.get(), end, s.get()))
    f.ret()


def _join(module: ModeModule) -> None:
    """join(unit, clocks): know what ``clocks`` know."""
    f = Function(module, "join", 2, external=False)
    unit = f.record(f.args[0], UNIT)
    ours, theirs = unit.vc, f.args[1]
    with f.range(unit.width.udiv(LANES)) as k:
        a, b = (f.b.load(f.pointer(p + k * (4 * LANES)), typ=CELLS, align=4) for p in (ours, theirs))
        larger = f.b.select(f.b.icmp_unsigned(">", a, b), a, b)
        f.b.store(larger, f.pointer(ours + k * (4 * LANES)), align=4)
    f.ret()


def _tick(f: Function, unit: Record) -> None:
    own = unit.vc + unit.vx * 8
    _store32(f, own, _load32(f, own) + 1)


def _release(module: ModeModule) -> None:
    """release(unit, target): copy the unit's clocks to ``target`` (of a FIFO item) and begin a new one."""
    f = Function(module, "release", 2)
    unit = f.record(f.args[0], UNIT)
    f.copy(f.args[1], unit.vc, unit.width * 4)
    _tick(f, unit)
    f.ret()


def _acquire(module: ModeModule) -> None:
    """acquire(unit, clocks): :func:`_join` for units."""
    f = Function(module, "acquire", 2)
    f.call("join", f.args[0], f.args[1])
    f.ret()


def _snapshot(module: ModeModule) -> None:
    """snapshot(unit, counter): the clocks of a signal, with all writes so far; its number."""
    f = Function(module, "snapshot", 2)
    unit, counter = f.record(f.args[0], UNIT), f.record(f.args[1], COUNTER)
    n = counter.snapshots
    counter.snapshots = n + 1
    at = counter.vcs + (n & (SNAPSHOTS - 1)) * (unit.width * 4 + 8)
    f.store(at, unit.p_in)
    f.copy(at + 8, unit.vc, unit.width * 4)
    own = unit.vx * 8
    _store32(f, at + 8 + own + 4, _load32(f, unit.vc + own))
    _tick(f, unit)
    f.ret(n)


def _land(module: ModeModule) -> None:
    """land(unit, upto): carry out the unit's transfers before number ``upto``. OK or FAULT."""
    f = Function(module, "land", 2)
    real = f.record(f.args[0], UNIT)
    with f.while_(lambda: real.p_out < f.args[1]):
        entry = real.pending + (real.p_out & (PENDING - 1)) * (8 * PENDING_WORDS)
        box = f.record(entry - 8 * UNIT["x_active"], UNIT)
        source, target = f.record(box.x_smem, MEM), f.record(box.x_dmem, MEM)
        box.x_more = 1 - box.x_empty
        with f.while_(lambda: box.x_more != 0):
            for mem, address in ((source, box.x_src + box.x_s), (target, box.x_dst + box.x_d)):
                with f.if_(outside(f, mem, address, box.x_run), likely=False):
                    with f.if_(f.call("region", real.address(), mem.address(), address, box.x_run) != OK):
                        f.ret(FAULT)
            f.copy(target.host + box.x_dst + box.x_d, source.host + box.x_src + box.x_s, box.x_run)
            next_burst(f, box, box.x_run)
        real.p_out = real.p_out + 1
    f.ret(OK)


def _made(f: Function, at: Value, visit: Any) -> None:
    """``visit(cell)`` for the cells in [at, at + 4 * count) that have a state made by an access (most have not)."""
    n = f.args[1]
    fixed = ir.Constant(CELLS, [DEFINED | OUTSIDE] * LANES)
    with f.range(n.udiv(LANES)) as k:
        first = at + k * (4 * LANES)
        cells = f.b.load(f.pointer(first), typ=CELLS, align=4)
        some = f.b.bitcast(f.b.icmp_unsigned(">", cells, fixed), ir.IntType(LANES))
        with f.if_(f.b.icmp_signed("!=", some, ir.Constant(ir.IntType(LANES), 0))):
            with f.range(LANES) as lane:
                visit(first + lane * 4)
    rest = n.udiv(LANES) * LANES
    with f.range(n - rest) as k:
        visit(at + (rest + k) * 4)


def _mark(module: ModeModule) -> None:
    """mark(cells, count, states): count for every state the cells that have it."""
    f = Function(module, "mark", 3)

    def visit(cell: Value) -> None:
        state = f.record(f.args[2] + _load32(f, cell) * (8 * STATE.size), STATE)
        state.cells = state.cells + 1

    _made(f, f.args[0], visit)
    f.ret()


def _rename(module: ModeModule) -> None:
    """rename(cells, count, table): give every cell the state that the table (32 bits each) has for its own."""
    f = Function(module, "rename", 3)
    _made(f, f.args[0], lambda cell: _store32(f, cell, _load32(f, f.args[2] + _load32(f, cell) * 4)))
    f.ret()


# -- called while the engine's functions are built ---------------------------------------------------------------------
def check_transfer(f: Function, unit: Record, source: Record, target: Record) -> None:
    """Check all of the transfer that ``x_*`` describes, run by run."""
    unit.x_more = 1 - unit.x_empty
    with f.while_(lambda: unit.x_more != 0):
        locate_run(f, unit, source, target)
        at, run = unit.address(), unit.x_run
        f.call("check_read", at, source.address(), unit.x_src + unit.x_s, run, unit.index)
        f.call("check_write", at, target.address(), unit.x_dst + unit.x_d, run, unit.index)
        next_burst(f, unit, run)
    unit.x_more = 1 - unit.x_empty


def postpone(f: Function, unit: Record, source: Record, target: Record) -> None:
    """The transfer that ``x_*`` describes is carried out when somebody waits for it (the oldest, if too many are
    under way)."""
    with f.if_(unit.p_in - unit.p_out >= PENDING):
        with f.if_(f.call("land", unit.address(), unit.p_out + 1) != OK):
            f.ret(FAULT)
    entry = unit.pending + (unit.p_in & (PENDING - 1)) * (8 * PENDING_WORDS)
    f.copy(entry, unit.address("x_active"), 8 * PENDING_WORDS)
    unit.p_in = unit.p_in + 1


class SanitizedEmitter(UnitEmitter):
    """Emits the function of one section with checks."""

    def touch(self, i: int, mem: Record, address: Value, size: int, write: bool) -> None:
        """An access of contiguous bytes."""
        target = self.unit.fn_check_write if write else self.unit.fn_check_read
        self.f.call_pointer(target, self.unit.address(), mem.address(), address, size, i)

    def sent(self, fifo: Record, slot: Value) -> None:
        """The item in ``slot`` leaves."""
        self.f.call_pointer(self.unit.fn_release, self.unit.address(), slot + fifo.vcs)

    def received(self, fifo: Record, slot: Value) -> None:
        """The item in ``slot`` is here."""
        self.f.call_pointer(self.unit.fn_acquire, self.unit.address(), slot + fifo.vcs)

    def snapshot(self, i: int) -> Value:
        """Number of the clocks that a signal carries."""
        return self.f.call_pointer(self.unit.fn_snapshot, self.unit.address(), self.site(i).target)

    def waited(self, i: int, counter: Record, taken: Value) -> None:
        """A signal is here: its clocks, and what its sender had under way."""
        f, unit = self.f, self.unit
        slot = counter.word((taken & (COUNTER_SLOTS - 1)) + COUNTER["numbers"])
        number = Value(f, f.b.load(slot, typ=ir.IntType(64)))
        at = counter.vcs + (number & (SNAPSHOTS - 1)) * (unit.width * 4 + 8)
        with f.if_(f.call_pointer(unit.fn_land, counter.sender, f.load(at)) != OK, likely=False):
            unit.index = i
            f.ret(FAULT)
        f.call_pointer(unit.fn_acquire, unit.address(), at + 8)
