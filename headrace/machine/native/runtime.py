"""The part of the native engine that no program changes: which unit goes on next, what wakes it.

Why it is exact: a request is granted only when no other unit that may use the server can still make one with a smaller
key. Inside a cluster every unit has run until it waits, and an agent that waits for a shared server acts again no
earlier than ``max(its key, server free) + hold``. Other clusters reach it only where one of its units waits for them,
and no earlier than their own next action: with no unit that waits so, a cluster is on its own. Every effect of a unit
on another is later than its cause, so the order of grants on a server is that of (time, unit, half), whatever the order
of simulation.
"""

from __future__ import annotations

from headrace.machine.native.dsl import MAX, Function, Record, Var
from headrace.machine.native.layout import CLUSTER, COUNTER, DOMAIN, ENGINE, FIFO, ITEM, UNIT
from headrace.machine.native.mode import FAULT, OK, Mode, ModeModule
from headrace.machine.native.paths import (
    BANDWIDTH,
    ITEM_DEPARTED,
    ITEM_POSTED,
    ITEM_RECEIVED,
    SIGNALLED,
    STRIDE,
    follow,
    follow_completion,
    of_item,
    of_link,
    of_unit,
    profiled,
)
from headrace.machine.native.ports import (
    NEXT,
    advance,
    build_ports,
    fault,
    grant_asked,
    in_order,
    insert,
    is_write,
    whole,
)
from headrace.machine.native.transfers import Hook, build_next_burst, build_region, build_transfers
from headrace.machine.result import COUNTER_SLOTS, F_COUNTER, S_DROP, S_DUPLICATE

CALLED = ("transfer", "pump", "region", "port", "holds", "departs", "wake", "stamp")
"""Functions whose address is in the word ``fn_NAME`` of every unit."""


def build(module: ModeModule, check: Hook | None = None, move: Hook | None = None) -> None:
    """Add the functions to ``module``: ``engine_run`` and :data:`CALLED`, which units call through their record.

    ``check`` emits what is done before a transfer, ``move`` what is done instead of copying its bytes.
    """
    build_region(module)
    build_next_burst(module)
    build_ports(module)
    _departs(module)
    build_wake(module)
    _signal(module)
    _stamp(module)
    build_transfers(module, check, move)
    _cluster_run(module)
    _domain_run(module)
    _engine_run(module)


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
        if profiled(f):
            ready = f.select(t == freed, of_item(fifo, n - depth, ITEM_RECEIVED), of_link(fifo))
            came = f.select(t == item.posted, of_item(fifo, n, ITEM_POSTED), ready)
            f.call("path", of_item(fifo, n, ITEM_DEPARTED), came, 0, 0)
            f.call("path", of_link(fifo), of_item(fifo, n, ITEM_DEPARTED), fifo.part + BANDWIDTH, item.hold)
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
    insert(f, there, waiter, earliest - 1)
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
        if profiled(f):
            slot = counter.path + (sent & (COUNTER_SLOTS - 1)) * STRIDE
            follow(f, unit, slot, of_unit(unit, SIGNALLED))
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
    follow_completion(f, unit)
    f.call("signal", unit.address(), f.args[1], unit.clock.max(unit.completion), f.args[2])
    f.ret(f.select(unit.fault != 0, FAULT, OK))


def _cluster_run(module: ModeModule) -> None:
    """cluster_run(cluster): grant private requests and resume units in order until the cluster waits for shared servers
    or for other clusters. OK or FAULT.

    A unit whose request was granted does nothing before its clock has moved on, so it is resumed in its turn only.
    """
    f = Function(module, "cluster_run", 1, external=False)
    cluster = f.record(f.args[0], CLUSTER)
    order = cluster.order
    floor, bound = f.var(MAX), f.var(MAX)
    cluster.changed = 1
    with f.while_(lambda: f.value(1) == 1):
        with f.if_(cluster.changed != 0):
            cluster.changed = 0
            _bounds(f, cluster, floor, bound)
        count = cluster.count
        top = order + count * 16
        best, agent = f.load(top), f.load(top, 1)
        with f.if_(best >= bound.get(), likely=False):
            f.store(cluster.low, best.min(floor.get()))
            f.store(cluster.dirty, f.select(f.b.and_((best < floor.get()).v, (best != MAX).v), 1, 0))
            f.ret(OK)
        cluster.count = count - 1
        limit = f.load(top, -2).min(bound.get())
        status = f.var(OK)
        with f.if_else(is_write(agent), likely=False) as (write, read):
            with write:
                status.set(f.call("grant_write", agent - 1))
            with read:
                unit = f.record(agent, UNIT)
                resumed = f.var(1)
                with f.if_(unit.asked != 0, likely=True):
                    if in_order(f.module):
                        unit.asked, unit.granted = 0, NEXT
                    else:
                        grant_asked(f, unit)
                        key = unit.clock - 1
                        with f.if_(key >= limit):
                            insert(f, cluster, agent, key)
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
                unit.granted = NEXT
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
