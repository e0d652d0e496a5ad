"""Ports in the native engine: the clock of a unit, granting a server to it, what it waited for and did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headrace.machine.native.dsl import Function, Record, Value
from headrace.machine.native.layout import CLUSTER, ENGINE, SERVER, UNIT
from headrace.machine.native.mode import BLOCKED, OK, Mode, ModeModule
from headrace.machine.native.paths import NOW, build_path, follow, follow_busy, of_unit, profiled
from headrace.machine.result import CAUSES
from headrace.machine.timing import DELTA_MASK, SHIFT

_WHOLE = ~DELTA_MASK
NEXT, HELD = 1, 2
"""``granted`` of a unit that waits for a port: its next request is granted whatever the limit; its request was granted
and its clock has moved. 0 otherwise."""


def build_ports(module: ModeModule) -> None:
    """Add ``spend``, ``settle``, ``port`` and ``holds`` to ``module``."""
    if module.mode is Mode.PROFILED:
        _spend(module)
        build_path(module)
    if not in_order(module):
        _settle(module)
    _port(module)
    _holds(module)


def whole(t: Value) -> Value:
    """Start of the cycle of a clock."""
    return t & _WHOLE


def advance(t: Value, cycles: Any) -> Value:
    """Clock moved on by a positive number of cycles."""
    return whole(t) + (t.f.value(cycles) << SHIFT)


def ceil_div(a: Value, rate: Value) -> Value:
    """``a / rate`` rounded up; 0 where the rate is 0 (no limit)."""
    f = a.f
    safe = f.select(rate == 0, 1, rate)
    return f.select(rate == 0, 0, (a + safe - 1).udiv(safe))


def insert(f: Function, cluster: Record, agent: Value, key: Value) -> None:
    """Put the key of an agent, which has none, in its place: behind greater ones and equal ones of later agents."""
    count = cluster.count
    at = f.var(cluster.order + count * 16)
    cluster.count = count + 1

    def less() -> Any:
        other, rival = f.load(at.get()), f.load(at.get(), 1)
        return f.b.or_((other < key).v, f.b.and_((other == key).v, (rival < agent).v))

    with f.while_(less):
        place = at.get()
        f.store(place, f.load(place), 2)
        f.store(place, f.load(place, 1), 3)
        at.set(place - 16)
    f.store(at.get(), key, 2)
    f.store(at.get(), agent, 3)


def writes(unit: Record) -> Value:
    """The agent that makes the writes of a unit; the unit's address is the one that makes everything else."""
    return unit.address() | 1


def is_write(agent: Value) -> Value:
    """Whether an agent is one of :func:`writes`."""
    return (agent & 1) != 0


def fault(unit: Record, number: int, a: Any = 0, b: Any = 0, mem: Any = 0) -> None:
    """Record a fault; the caller returns :data:`FAULT`."""
    unit.fault, unit.fault_a, unit.fault_b, unit.fault_mem = number, a, b, mem


def spent(f: Function, unit: Record, row: int, start: Value, cycles: Value) -> None:
    """Note what a unit did with ``cycles`` from cycle ``start`` on, in the mode that wants to know."""
    if profiled(f):
        engine = f.record(unit.engine, ENGINE)
        f.call_pointer(unit.fn_spend, unit.shares + engine.row_bytes * row, start, cycles, engine.interval)


def _spend(module: ModeModule) -> None:
    """spend(row, start, cycles, interval): add cycles to the intervals that they lie in."""
    f = Function(module, "spend", 4)
    row, start, cycles, interval = f.args
    at, end = f.var(start), start + cycles
    with f.while_(lambda: at.get() < end):
        k = at.get().udiv(interval)
        upto = end.min((k + 1) * interval)
        f.store(row, f.load(row, k) + upto - at.get(), k)
        at.set(upto)
    f.ret()


def serve(f: Function, unit: Record, server: Record, time: Value, hold: Value, asker: int) -> Value:
    """Grant ``server`` to ``unit`` at ``time`` for ``hold`` cycles; its start. ``asker``: the vector of ``time``."""
    start = whole(time).max(server.free)
    if profiled(f):
        path = of_unit(unit, asker)
        follow(f, unit, path, f.select(start > whole(time), server.path, path))
        follow(f, unit, server.path, path, server.part, hold)
        f.call_pointer(unit.fn_spend, server.shares, start >> SHIFT, hold, f.record(unit.engine, ENGINE).interval)
    server.free = start + (hold << SHIFT)
    server.busy = server.busy + hold
    return start


def acquire(f: Function, unit: Record, ask: Callable[[], Value], park: Callable[[], None]) -> None:
    """Get a port: ``ask`` calls ``port``, unless the unit waited for the port and it was granted meanwhile. ``park``
    returns, to come back here."""
    with f.if_else(unit.granted == HELD) as (held, otherwise):
        with held:
            unit.granted = 0
        with otherwise, f.if_(ask() != OK):
            park()


def _port(module: ModeModule) -> None:
    """port(unit, server): wait for a port (0: there is none), hold it and move the clock, as long as noted in
    ``server_hold`` and ``hold``. OK, or BLOCKED where the unit must return and try again later: see :func:`acquire`."""
    f = Function(module, "port", 2)
    unit = f.record(f.args[0], UNIT)
    hold = unit.hold
    with f.if_(f.args[1] == 0, likely=False):
        unit.clock = advance(unit.clock, hold)
        _held(f, unit, hold)
        f.ret(OK)
    server = f.record(f.args[1], SERVER)
    clock = unit.clock
    with f.if_else(server.shared != 0, likely=False) as (shared, private):
        with shared:
            with f.if_(unit.granted == 0):
                f.store(unit.grequest, clock)
                f.store(unit.lower, whole(clock).max(server.free) + (unit.server_hold << SHIFT))
                f.record(unit.cluster, CLUSTER).changed = 1
                f.ret(BLOCKED)
        with private:
            with f.if_(f.b.and_((clock >= unit.limit).v, (unit.granted == 0).v)):
                waits = f.value(BLOCKED) if in_order(f.module) else f.call("settle", unit.address())
                with f.if_(waits != OK):
                    unit.asked = server.address()
                    insert(f, f.record(unit.cluster, CLUSTER), unit.address(), clock)
                    f.ret(BLOCKED)
    unit.granted = 0
    grant(f, unit, server, unit.server_hold, hold)
    f.ret(OK)


def _holds(module: ModeModule) -> None:
    """holds(paid, rate, path): the two results of :func:`holds`, ``server << 32 | unit``."""
    f = Function(module, "holds", 3)
    server, unit = holds(f, *f.args)
    f.ret((server << 32) | unit)


def in_order(module: ModeModule) -> bool:
    """Whether accesses happen in the order of their grants whatever the program: it matters to the reports of races."""
    return module.mode is Mode.SANITIZED


def _settle(module: ModeModule) -> None:
    """settle(unit): grant the private requests that come before that of the running unit. OK if it is the next then,
    BLOCKED where it has to wait for what a unit does or for what comes from outside.

    A unit whose request is granted so accesses memory when it is resumed: later than others whose requests follow, but
    before its clock, so that only accesses in no order meet in another one (see :func:`in_order`).
    """
    f = Function(module, "settle", 1)
    unit = f.record(f.args[0], UNIT)
    cluster, clock, bound = f.record(unit.cluster, CLUSTER), unit.clock, unit.bound
    order = cluster.order
    with f.if_(clock >= bound):
        f.ret(BLOCKED)
    with f.while_(lambda: f.value(1) == 1):
        count = cluster.count
        top = order + count * 16
        key, agent = f.load(top), f.load(top, 1)
        with f.if_(f.b.or_((clock < key).v, f.b.and_((clock == key).v, (unit.address() < agent).v))):
            unit.limit = key.min(bound)
            f.ret(OK)
        with f.if_(is_write(agent)):
            f.ret(BLOCKED)
        rival = f.record(agent, UNIT)
        with f.if_(rival.asked == 0):
            f.ret(BLOCKED)
        cluster.count = count - 1
        grant_asked(f, rival)
        insert(f, cluster, agent, rival.clock - 1)
    f.b.unreachable()


def grant_asked(f: Function, unit: Record) -> None:
    """Grant the private request of a unit that waits; it does nothing before its clock any more."""
    grant(f, unit, f.record(unit.asked, SERVER), unit.server_hold, unit.hold)
    unit.asked, unit.granted = 0, HELD


def grant(f: Function, unit: Record, server: Record, server_hold: Value, hold: Value) -> None:
    """The unit has the port: it waits until that is free and is held itself."""
    clock = unit.clock
    start = serve(f, unit, server, clock, server_hold, NOW)
    waited = (start - whole(clock)) >> SHIFT
    spent(f, unit, CAUSES.index("memory"), clock >> SHIFT, waited)
    unit.memory = unit.memory + waited
    unit.clock = start + (hold << SHIFT)
    _held(f, unit, hold)


def _held(f: Function, unit: Record, hold: Value) -> None:
    """An access has kept the unit until its clock."""
    spent(f, unit, len(CAUSES), (unit.clock >> SHIFT) - hold, hold)
    follow_busy(f, unit, hold)
    unit.busy = unit.busy + hold
    unit.steps = unit.steps + 1


def holds(f: Function, paid: Value, rate: Value, path: Value) -> tuple[Value, Value]:
    """Cycles that port and unit are held by ``paid`` bytes."""
    server = ceil_div(paid, rate)
    return server, server.max(ceil_div(paid, path)).max(1)


def paid_bytes(address: Value, size: Any, word: Value) -> Value:
    """Bytes of the words (of 2^word bytes) that an access touches."""
    first = address >> word
    last = (address + size - 1) >> word
    return (last - first + 1) << word
