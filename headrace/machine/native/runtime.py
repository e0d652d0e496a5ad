"""The part of the native engine that no program changes: event loop, transfers, writes in flight, ranges of
the sparse memory.

Why it is exact: a request is granted only when no other unit that may use the server can still make one with a smaller
key. Inside a cluster every unit has run until it waits, and an agent that waits for a shared server acts again no
earlier than ``max(its key, server free) + hold``. Other clusters reach it only where one of its units waits for them,
and no earlier than their own next action: with no unit that waits so, a cluster is on its own. Every effect of a unit
on another is later than its cause, so the order of grants on a server is that of (time, unit, half), whatever the order
of simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from headrace.machine.native.dsl import MAX, Function, Record, Value, Var
from headrace.machine.native.layout import (
    CLUSTER,
    COUNTER,
    DOMAIN,
    ENGINE,
    FIFO,
    ITEM,
    MEM,
    REGION,
    SERVER,
    UNIT,
    WRITE,
)
from headrace.machine.native.mode import Mode, ModeModule
from headrace.machine.result import CAUSES, COUNTER_SLOTS, F_ADDRESS, F_COUNTER, F_EXTENT, S_DROP, S_DUPLICATE
from headrace.machine.timing import DELTA_MASK, SHIFT, WINDOW

OK, FAULT, BLOCKED = 0, 2, 1
CALLED = ("transfer", "pump", "region", "port", "holds", "departs", "wake", "stamp")
"""Functions whose address is in the word ``fn_NAME`` of every unit."""
_WHOLE = ~DELTA_MASK


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
        other, number = f.load(at.get()), f.load(at.get(), 1)
        return f.b.or_((other < key).v, f.b.and_((other == key).v, (number < agent).v))

    with f.while_(less):
        place = at.get()
        f.store(place, f.load(place), 2)
        f.store(place, f.load(place, 1), 3)
        at.set(place - 16)
    f.store(at.get(), key, 2)
    f.store(at.get(), agent, 3)


def fault(unit: Record, number: int, a: Any = 0, b: Any = 0, mem: Any = 0) -> None:
    """Record a fault; the caller returns :data:`FAULT`."""
    unit.fault, unit.fault_a, unit.fault_b, unit.fault_mem = number, a, b, mem


def spent(f: Function, unit: Record, row: int, start: Value, cycles: Value) -> None:
    """Note what a unit did with ``cycles`` from cycle ``start`` on, in the mode that wants to know."""
    if f.module.mode is Mode.PROFILED:
        engine = f.record(unit.engine, ENGINE)
        f.call_pointer(unit.fn_spend, unit.shares + engine.row_bytes * row, start, cycles, engine.interval)


def build_spend(module: ModeModule) -> None:
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


def serve(f: Function, unit: Record, server: Record, time: Value, hold: Value) -> Value:
    """Grant ``server`` to ``unit`` at ``time`` for ``hold`` cycles; its start."""
    start = whole(time).max(server.free)
    if f.module.mode is Mode.PROFILED:
        f.call_pointer(unit.fn_spend, server.shares, start >> SHIFT, hold, f.record(unit.engine, ENGINE).interval)
    server.free = start + (hold << SHIFT)
    server.busy = server.busy + hold
    return start


Hook = Callable[[Function, Record, Record, Record], None]
"""Emits code for (unit, source, target) of a transfer."""


def build(module: ModeModule, check: Hook | None = None, move: Hook | None = None) -> None:
    """Add the functions to ``module``: ``engine_run`` and :data:`CALLED`, which units call through their record.

    ``check`` emits what is done before a transfer, ``move`` what is done instead of copying its bytes.
    """
    build_region(module)
    build_next_burst(module)
    if module.mode is Mode.PROFILED:
        build_spend(module)
    if module.mode is not Mode.SANITIZED:
        _settle(module)
    _port(module)
    _holds(module)
    _departs(module)
    build_wake(module)
    _signal(module)
    _stamp(module)
    _pump(module)
    _grant_write(module)
    _transfer(module, check, move)
    _cluster_run(module)
    _domain_run(module)
    _engine_run(module)


def build_region(module: ModeModule) -> None:
    """region(unit, mem, address, size): make the range that holds the bytes current in ``mem``; FAULT if there
    is none."""
    f = Function(module, "region", 4)
    unit, mem, address, size = f.record(f.args[0], UNIT), f.record(f.args[1], MEM), f.args[2], f.args[3]
    with f.if_(mem.sparse != 0):
        engine = f.record(unit.engine, ENGINE)
        with f.range(engine.n_regions) as i:
            region = f.record(engine.regions + i * (8 * REGION.size), REGION)
            with f.if_(f.b.not_(outside(f, region, address, size))):
                mem.first, mem.end, mem.host, mem.shadow = region.first, region.end, region.host, region.shadow
                f.ret(OK)
    number = (mem.address() - unit.mems).udiv(8 * MEM.size)
    fault(unit, F_ADDRESS, address, size, number)
    f.ret(FAULT)


def outside(f: Function, mem: Record, address: Value, size: Any) -> Any:
    """Whether ``size`` bytes at ``address`` leave ``[first, end)``; holds for any 64-bit numbers."""
    span, offset = mem.end - mem.first, address - mem.first
    beyond = f.b.icmp_unsigned(">", offset.v, span.v)
    return f.b.or_(beyond, f.b.icmp_unsigned(">", f.raw(size), (span - offset).v))


def _port(module: ModeModule) -> None:
    """port(unit, server): wait for a port (0: there is none), hold it and move the clock, as long as noted in
    ``server_hold`` and ``hold``. OK, or BLOCKED where the unit must return and try again later."""
    f = Function(module, "port", 2)
    unit = f.record(f.args[0], UNIT)
    hold = unit.hold
    with f.if_(f.args[1] == 0, likely=False):
        unit.clock = advance(unit.clock, hold)
        _held(f, unit, hold)
        f.ret(OK)
    server = f.record(f.args[1], SERVER)
    with f.if_(unit.granted == 2):
        unit.granted = 0
        f.ret(OK)
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
                waits = f.value(BLOCKED) if in_order(f) else f.call("settle", unit.address())
                with f.if_(waits != OK):
                    unit.asked = server.address()
                    insert(f, f.record(unit.cluster, CLUSTER), unit.agent, clock)
                    f.ret(BLOCKED)
    unit.granted = 0
    grant(f, unit, server, unit.server_hold, hold)
    f.ret(OK)


def _holds(module: ModeModule) -> None:
    """holds(paid, rate, path): the two results of :func:`holds`, ``server << 32 | unit``."""
    f = Function(module, "holds", 3)
    server, unit = holds(f, *f.args)
    f.ret((server << 32) | unit)


def _departs(module: ModeModule) -> None:
    """departs(fifo): let the items enter the link whose slots are known to have become free."""
    f = Function(module, "departs", 1)
    fifo = f.record(f.args[0], FIFO)
    mask, stride, data, depth = fifo.mask, fifo.stride, fifo.data, fifo.depth
    end = fifo.sent.min(fifo.received + depth)
    next_item, free = f.var(fifo.departed), f.var(fifo.free)
    with f.while_(lambda: next_item.get() < end):
        n = next_item.get()
        item = f.record(data + (n & mask) * stride, ITEM)
        freed = f.record(data + ((n - depth) & mask) * stride, ITEM).received + 1
        t = item.posted.max(freed).max(free.get())
        item.depart = t
        free.set(advance(t, item.hold))
        next_item.set(n + 1)
    fifo.departed, fifo.free = end, free.get()
    f.ret()


def build_wake(module: ModeModule) -> None:
    """wake(unit, waiter, earliest): the running ``unit`` resumes ``waiter``, which acts no earlier than ``earliest``:
    that is its key. It need not run at once, so what is sent meanwhile is received in one go."""
    f = Function(module, "wake", 3)
    unit, waiter, earliest = f.record(f.args[0], UNIT), f.args[1], f.args[2]
    other = f.record(waiter, UNIT)
    if module.mode is Mode.FUNCTIONAL:
        domain = f.record(other.domain, DOMAIN)
        n = domain.n_stack
        f.store(domain.stack, waiter, n)
        domain.n_stack = n + 1
        f.ret(OK)
        return
    there = f.record(other.cluster, CLUSTER)
    insert(f, there, other.agent, earliest - 1)
    f.store(other.door, MAX)
    unit.limit = unit.limit.min(earliest)
    with f.if_(other.cluster != unit.cluster, likely=False):
        unit.bound = unit.bound.min(earliest)
        here = f.record(unit.cluster, CLUSTER)
        here.changed = 1
        here.outer = here.outer.min(earliest)
        f.store(there.low, f.load(there.low).min(earliest))
        f.store(there.dirty, 1)
        f.record(other.domain, DOMAIN).any_dirty = 1
    f.ret(OK)


def _signal(module: ModeModule) -> None:
    """signal(unit, counter, time, number): one more signal at ``time`` with the clocks ``number`` (a fault if nobody
    waits for too many)."""
    f = Function(module, "signal", 4, external=False)
    unit, counter, time, number = f.record(f.args[0], UNIT), f.record(f.args[1], COUNTER), f.args[2], f.args[3]
    call = counter.calls
    counter.calls = call + 1
    copies, delay = f.var(1), f.var(0)
    with f.if_(call == counter.fault_at, likely=False):
        kind = counter.fault_kind
        copies.set(f.select(kind == S_DROP, 0, f.select(kind == S_DUPLICATE, 2, 1)))
        delay.set(counter.fault_delay)
    when = time + delay.get() + 1
    with f.range(copies.get()):
        sent = counter.sent
        f.b.store(when.v, counter.word((sent & (COUNTER_SLOTS - 1)) + COUNTER["times"]))
        if module.mode is Mode.SANITIZED:
            f.b.store(number.v, counter.word((sent & (COUNTER_SLOTS - 1)) + COUNTER["numbers"]))
        counter.sent = sent + 1
        with f.if_(sent - counter.taken >= COUNTER_SLOTS, likely=False):
            fault(unit, F_COUNTER, COUNTER_SLOTS + 1)
        waiter = counter.waiter
        with f.if_(waiter != 0):
            counter.waiter = 0
            f.call("wake", unit.address(), waiter, when)
    f.ret()


def _stamp(module: ModeModule) -> None:
    """stamp(unit, counter, number): a unit without transfers signals."""
    f = Function(module, "stamp", 3)
    unit = f.record(f.args[0], UNIT)
    f.call("signal", unit.address(), f.args[1], unit.clock.max(unit.completion), f.args[2])
    f.ret(f.select(unit.fault != 0, FAULT, OK))


def _finish(f: Function, unit: Record, write: Record, start: Value) -> None:
    """Complete the oldest write, whose port was granted at ``start``."""
    unit.q_end = start + (write.hold << SHIFT)
    unit.q_completion = unit.q_completion.max(unit.q_end + (write.latency << SHIFT))
    write.done = unit.q_end
    unit.q_out = unit.q_out + 1


def _entry(f: Function, unit: Record, number: Value) -> Record:
    """Entry of the queue of writes."""
    return f.record(unit.address("queue") + (number & (WINDOW - 1)) * (8 * WRITE.size), WRITE)


def _pump(module: ModeModule) -> None:
    """pump(unit): finish what needs no port at the head of the queue of writes, then request the port for the next."""
    f = Function(module, "pump", 1)
    unit = f.record(f.args[0], UNIT)
    with f.while_(lambda: unit.q_out < unit.q_in) as end:
        write = _entry(f, unit, unit.q_out)
        with f.if_else(write.counter != 0) as (then, otherwise):
            with then:
                time = write.posted.max(unit.q_completion)
                f.call("signal", unit.address(), write.counter, time, write.number)
                write.done = unit.q_end
                unit.q_out = unit.q_out + 1
            with otherwise:
                key = write.posted.max(unit.q_end)
                with f.if_(write.server != 0):
                    server = f.record(write.server, SERVER)
                    cluster = f.record(unit.cluster, CLUSTER)
                    with f.if_else(server.shared != 0) as (shared, private):
                        with shared:
                            f.store(unit.gwrequest, key)
                            f.store(unit.wlower, whole(key).max(server.free) + (write.server_hold << SHIFT))
                            cluster.changed = 1
                            unit.limit = unit.limit.min(f.load(unit.wlower))
                            unit.bound = unit.bound.min(f.load(unit.wlower))
                        with private:
                            insert(f, cluster, unit.agent + 1, key)
                            unit.limit = unit.limit.min(key)
                    f.b.branch(end)
                    f.b.position_at_end(f.fn.append_basic_block("unreachable"))
                _finish(f, unit, write, whole(key))
    with f.if_(unit.want != 0):
        unit.want = 0
        f.call("wake", unit.address(), unit.address(), unit.clock)
    f.ret(OK)


def _grant_write(module: ModeModule) -> None:
    """grant_write(unit): the port of the oldest write is granted."""
    f = Function(module, "grant_write", 1, external=False)
    unit = f.record(f.args[0], UNIT)
    write = _entry(f, unit, unit.q_out)
    key = write.posted.max(unit.q_end)
    _finish(f, unit, write, serve(f, unit, f.record(write.server, SERVER), key, write.server_hold))
    f.call("pump", unit.address())
    f.ret(f.select(unit.fault != 0, FAULT, OK))


def in_order(f: Function) -> bool:
    """Whether accesses happen in the order of their grants whatever the program: it matters to the reports of races."""
    return f.module.mode is Mode.SANITIZED


def _settle(module: ModeModule) -> None:
    """settle(unit): grant the private requests that come before that of the running unit. OK if it is the next then,
    BLOCKED where it has to wait for what a unit does or for what comes from outside.

    A unit whose request is granted so accesses memory when it is resumed: later than others whose requests follow, but
    before its clock, so that only accesses in no order meet in another one (see :func:`in_order`).
    """
    f = Function(module, "settle", 1)
    unit = f.record(f.args[0], UNIT)
    cluster, clock, bound = f.record(unit.cluster, CLUSTER), unit.clock, unit.bound
    order, units, halves = cluster.order, cluster.units, cluster.halves
    with f.if_(clock >= bound):
        f.ret(BLOCKED)
    with f.while_(lambda: f.value(1) == 1):
        count = cluster.count
        top = order + count * 16
        key, i = f.load(top), f.load(top, 1)
        with f.if_(f.b.or_((clock < key).v, f.b.and_((clock == key).v, (unit.agent < i).v))):
            unit.limit = key.min(bound)
            f.ret(OK)
        rival = f.record(f.load(units, i), UNIT)
        with f.if_(f.b.or_((f.load(halves, i) != 0).v, (rival.asked == 0).v)):
            f.ret(BLOCKED)
        cluster.count = count - 1
        _settled(f, rival)
        insert(f, cluster, i, rival.clock - 1)
    f.b.unreachable()


def _settled(f: Function, unit: Record) -> None:
    """Grant the private request of a unit that waits; it does nothing before its clock any more."""
    grant(f, unit, f.record(unit.asked, SERVER), unit.server_hold, unit.hold)
    unit.asked, unit.granted = 0, 2


def grant(f: Function, unit: Record, server: Record, server_hold: Value, hold: Value) -> None:
    """The unit has the port: it waits until that is free and is held itself."""
    clock = unit.clock
    start = serve(f, unit, server, clock, server_hold)
    waited = (start - whole(clock)) >> SHIFT
    spent(f, unit, CAUSES.index("memory"), clock >> SHIFT, waited)
    unit.memory = unit.memory + waited
    unit.clock = start + (hold << SHIFT)
    _held(f, unit, hold)


def _held(f: Function, unit: Record, hold: Value) -> None:
    """An access has kept the unit until its clock."""
    spent(f, unit, len(CAUSES), (unit.clock >> SHIFT) - hold, hold)
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


def _transfer(module: ModeModule, check: Hook | None, move: Hook | None) -> None:
    """transfer(unit): go on with the transfer described by ``x_*``. OK when all bursts are read, else BLOCKED or FAULT.

    The bytes move in one go behind the last burst (before any signal): long copies, and the host's caches still hold
    them when the next unit reads.
    """
    f = Function(module, "transfer", 1)
    unit = f.record(f.args[0], UNIT)
    engine = f.record(unit.engine, ENGINE)
    with f.if_(unit.x_active == 0):
        unit.x_active = 1
        begin_transfer(f, unit)
        if check is not None:
            check(f, unit, f.record(unit.x_smem, MEM), f.record(unit.x_dmem, MEM))
    source, target = f.record(unit.x_smem, MEM), f.record(unit.x_dmem, MEM)
    burst = engine.burst
    with f.while_(lambda: unit.x_more != 0):
        size = (unit.x_run - unit.x_at).min(burst)
        with f.if_(unit.x_at == 0):
            locate_run(f, unit, source, target)
        src, dst = unit.x_src + unit.x_s + unit.x_at, unit.x_dst + unit.x_d + unit.x_at
        window(f, unit, lambda: f.ret(BLOCKED))
        unit.server_hold, unit.hold = holds(f, paid_bytes(src, size, source.rword), source.rrate, source.rpath)
        with f.if_(f.call("port", unit.address(), source.rserver) != OK):
            f.ret(BLOCKED)
        source.rbytes = source.rbytes + size
        target.wbytes = target.wbytes + size
        unit.q_posted = unit.q_posted.max(unit.clock + (source.rlatency << SHIFT))
        write_server_hold, write_hold = holds(f, paid_bytes(dst, size, target.wword), target.wrate, target.wpath)
        enqueue(f, unit, unit.q_posted, target.wserver, write_server_hold, write_hold, target.wlatency, 0)
        next_burst(f, unit, size)
    (move or _copy)(f, unit, source, target)
    unit.x_active = 0
    f.ret(OK)


def _copy(f: Function, unit: Record, source: Record, target: Record) -> None:
    """Move the bytes of a transfer."""
    unit.x_more = 1 - unit.x_empty
    with f.while_(lambda: unit.x_more != 0):
        locate_run(f, unit, source, target)
        f.copy(target.host + unit.x_dst + unit.x_d, source.host + unit.x_src + unit.x_s, unit.x_run)
        next_burst(f, unit, unit.x_run)


def locate_run(f: Function, unit: Record, source: Record, target: Record) -> None:
    """Make sure that both memories cover the current contiguous run."""
    for mem, address in ((source, unit.x_src + unit.x_s), (target, unit.x_dst + unit.x_d)):
        with f.if_(outside(f, mem, address, unit.x_run), likely=False):
            with f.if_(f.call("region", unit.address(), mem.address(), address, unit.x_run) != OK):
                f.ret(FAULT)


def begin_transfer(f: Function, unit: Record) -> None:
    """Check the box that a unit wrote into ``x_*``; drop dimensions of one element and merge contiguous ones."""
    kept, empty = f.var(0), f.var(0)
    with f.range(unit.x_dims) as k:
        extent = _Word(f, unit, "x_extent", k).get()
        with f.if_(extent < 0):
            fault(unit, F_EXTENT, extent)
            f.ret(FAULT)
        with f.if_(extent == 0):
            empty.set(1)
        with f.if_(extent != 1):
            at = kept.get()
            _Word(f, unit, "x_count", at).set(f.value(0))
            _Word(f, unit, "x_extent", at).set(extent)
            _Word(f, unit, "x_sstride", at).set(_Word(f, unit, "x_sstride", k).get())
            _Word(f, unit, "x_dstride", at).set(_Word(f, unit, "x_dstride", k).get())
            kept.set(at + 1)
    merging = f.var(1)
    with f.while_(lambda: f.b.and_((merging.get() != 0).v, (kept.get() > 0).v)):
        last = kept.get() - 1
        run = unit.x_run
        together = f.b.and_(
            (_Word(f, unit, "x_sstride", last).get() == run).v, (_Word(f, unit, "x_dstride", last).get() == run).v
        )
        with f.if_else(together) as (merge, stop):
            with merge:
                unit.x_run = run * _Word(f, unit, "x_extent", last).get()
                kept.set(last)
            with stop:
                merging.set(0)
    unit.x_dims = kept.get()
    unit.x_at, unit.x_s, unit.x_d = 0, 0, 0
    unit.x_empty = empty.get()
    unit.x_more = 1 - empty.get()


def window(f: Function, unit: Record, park: Any) -> None:
    """Wait until fewer than :data:`WINDOW` writes are in flight."""
    with f.if_(unit.q_in >= WINDOW):
        with f.if_(unit.q_in - unit.q_out >= WINDOW):
            unit.want = 1
            park()
        done = _entry(f, unit, unit.q_in).done
        clock = unit.clock
        with f.if_(done > clock):
            waited = (done >> SHIFT) - (clock >> SHIFT)
            spent(f, unit, CAUSES.index("memory"), clock >> SHIFT, waited)
            unit.memory = unit.memory + waited
            unit.clock = done


def enqueue(
    f: Function, unit: Record, posted: Any, server: Any, server_hold: Any, hold: Any, latency: Any, counter: Any,
    number: Any = 0,
) -> None:  # fmt: skip
    """Append a write (or a signal) to those in flight."""
    write = _entry(f, unit, unit.q_in)
    write.posted, write.server, write.server_hold = posted, server, server_hold
    write.hold, write.latency, write.counter, write.number = hold, latency, counter, number
    idle = unit.q_in == unit.q_out
    unit.q_in = unit.q_in + 1
    with f.if_(idle):
        f.call_pointer(unit.fn_pump, unit.address())


def next_burst(f: Function, unit: Record, size: Value) -> None:
    """Step ``x_at``, then the outer dimensions like an odometer, innermost (the last) first."""
    f.call("next_burst", unit.address(), size)


def build_next_burst(module: ModeModule) -> None:
    """next_burst(unit, size): :func:`next_burst`."""
    f = Function(module, "next_burst", 2, external=False)
    unit, size = f.record(f.args[0], UNIT), f.args[1]
    unit.x_at = unit.x_at + size
    with f.if_(unit.x_at >= unit.x_run):
        unit.x_at = 0
        going = f.var(1)
        d = f.var(unit.x_dims - 1)
        with f.while_(lambda: f.b.and_((going.get() != 0).v, (d.get() >= 0).v)):
            k = d.get()
            count, extent, sstride, dstride = (
                _Word(f, unit, name, k) for name in ("x_count", "x_extent", "x_sstride", "x_dstride")
            )
            n = count.get() + 1
            with f.if_else(n < extent.get()) as (more, wrap):
                with more:
                    count.set(n)
                    unit.x_s = unit.x_s + sstride.get()
                    unit.x_d = unit.x_d + dstride.get()
                    going.set(0)
                with wrap:
                    count.set(0)
                    unit.x_s = unit.x_s - sstride.get() * (n - 1)
                    unit.x_d = unit.x_d - dstride.get() * (n - 1)
                    d.set(k - 1)
        with f.if_(going.get() != 0):
            unit.x_more = 0
    f.ret()


class _Word:
    """One word of an array inside a unit's record."""

    def __init__(self, f: Function, unit: Record, name: str, index: Value) -> None:
        self.f, self.p = f, unit.word(index + UNIT[name])

    def get(self) -> Value:
        return Value(self.f, self.f.b.load(self.p, typ=ir.IntType(64)))

    def set(self, value: Any) -> None:
        self.f.b.store(self.f.raw(value), self.p)


def _cluster_run(module: ModeModule) -> None:
    """cluster_run(cluster): grant private requests and resume units in order until the cluster waits for shared servers
    or for other clusters. OK or FAULT.

    A unit whose request was granted does nothing before its clock has moved on, so it is resumed in its turn only.
    """
    f = Function(module, "cluster_run", 1, external=False)
    cluster = f.record(f.args[0], CLUSTER)
    order, units, halves = cluster.order, cluster.units, cluster.halves
    floor, bound = f.var(MAX), f.var(MAX)
    cluster.changed = 1
    with f.while_(lambda: f.value(1) == 1):
        with f.if_(cluster.changed != 0):
            cluster.changed = 0
            _bounds(f, cluster, floor, bound)
        count = cluster.count
        top = order + count * 16
        best, i = f.load(top), f.load(top, 1)
        with f.if_(best >= bound.get(), likely=False):
            f.store(cluster.low, best.min(floor.get()))
            f.store(cluster.dirty, f.select(f.b.and_((best < floor.get()).v, (best != MAX).v), 1, 0))
            f.ret(OK)
        cluster.count = count - 1
        limit = f.load(top, -2).min(bound.get())
        unit = f.record(f.load(units, i), UNIT)
        status = f.var(OK)
        with f.if_else(f.load(halves, i) != 0, likely=False) as (write, read):
            with write:
                status.set(f.call("grant_write", unit.address()))
            with read:
                resumed = f.var(1)
                with f.if_(unit.asked != 0, likely=True):
                    if in_order(f):
                        unit.asked, unit.granted = 0, 1
                    else:
                        _settled(f, unit)
                        key = unit.clock - 1
                        with f.if_(key >= limit):
                            insert(f, cluster, i, key)
                            resumed.set(0)
                with f.if_(resumed.get() != 0):
                    unit.limit, unit.bound = limit, bound.get()
                    status.set(f.call_pointer(unit.entry, unit.address()))
                    cluster.changed = cluster.changed | unit.crosses
        with f.if_(status.get() == FAULT, likely=False):
            f.ret(FAULT)
    f.b.unreachable()


def _bounds(f: Function, cluster: Record, floor: Var, bound: Var) -> None:
    """``floor``: before when nothing comes of shared servers; ``bound``: before when nothing comes from outside."""
    ahead = f.var(MAX)
    floor.set(MAX)
    for least, table, count in ((floor, cluster.lower, cluster.n_lower), (ahead, cluster.doors, cluster.n_doors)):
        with f.range(count) as i:
            least.set(least.get().min(f.load(table, i)))
    bound.set(floor.get())
    with f.if_(ahead.get() != MAX, likely=False):
        outer = cluster.outer
        base = f.select(ahead.get() == 1, outer, whole(outer))
        bound.set(bound.get().min(f.select(outer == MAX, MAX, base + ahead.get())))


def _domain_run(module: ModeModule) -> None:
    """domain_run(domain): run its clusters until all wait for shared servers. OK or FAULT.

    The least ``low`` of the others bounds what a cluster whose units wait for others may do. What was found at the
    beginning of a round holds for all of it: clusters act no earlier than their ``low``, and what a cluster causes
    itself lowers its ``outer``.
    """
    f = Function(module, "domain_run", 1)
    domain = f.record(f.args[0], DOMAIN)
    clusters, lows, dirty, n = domain.clusters, domain.lows, domain.dirty, domain.n
    with f.while_(lambda: f.value(1) == 1):
        first, second, index = f.var(MAX), f.var(MAX), f.var(0)
        with f.range(n) as i:
            low = f.load(lows, i)
            better = low < first.get()
            second.set(f.select(better, first.get(), second.get().min(low)))
            index.set(f.select(better, i, index.get()))
            first.set(first.get().min(low))
        moved, still = f.var(0), f.var(0)
        domain.any_dirty = 0
        with f.range(n) as i:
            with f.if_(f.load(dirty, i) != 0):
                before = f.load(lows, i)
                cluster = f.record(f.load(clusters, i), CLUSTER)
                cluster.outer = f.select(i == index.get(), second.get(), first.get())
                with f.if_(f.call("cluster_run", cluster.address()) == FAULT, likely=False):
                    f.ret(FAULT)
                moved.set(f.select(f.load(lows, i) != before, 1, moved.get()))
                still.set(still.get() | f.load(dirty, i))
        with f.if_(moved.get() == 0):
            domain.any_dirty = domain.any_dirty | still.get()
            f.ret(OK)
    f.b.unreachable()


def _engine_run(module: ModeModule) -> None:
    """engine_run(engine): run a program until nothing moves. OK (finished or deadlocked: see ``done``) or FAULT."""
    f = Function(module, "engine_run", 1)
    engine = f.record(f.args[0], ENGINE)
    with f.range(engine.n_domains) as i:
        with f.if_(f.call("domain_run", f.load(engine.domains, i)) == FAULT):
            f.ret(FAULT)
    keys, n = engine.gkeys, engine.n_global
    with f.while_(lambda: f.value(1) == 1):
        best = f.least(keys, n)
        with f.if_(best == MAX):
            f.ret(OK)
        i = f.find(keys, best)
        f.store(keys, MAX, i)
        unit = f.record(f.load(engine.gunits, i), UNIT)
        status = f.var(OK)
        with f.if_else(f.load(engine.ghalves, i) != 0) as (write, read):
            with write:
                f.store(unit.wlower, MAX)
                status.set(f.call("grant_write", unit.address()))
            with read:
                f.store(unit.lower, MAX)
                unit.limit, unit.bound = 0, 0
                unit.granted = 1
                status.set(f.call_pointer(unit.entry, unit.address()))
        with f.if_(status.get() == FAULT, likely=False):
            f.ret(FAULT)
        cluster, domain = f.record(unit.cluster, CLUSTER), f.record(unit.domain, DOMAIN)
        with f.if_(f.call("cluster_run", cluster.address()) == FAULT, likely=False):
            f.ret(FAULT)
        with f.if_((f.load(cluster.dirty) | domain.any_dirty) != 0):  # others wait for what this one has done
            with f.if_(f.call("domain_run", domain.address()) == FAULT, likely=False):
                f.ret(FAULT)
    f.b.unreachable()
