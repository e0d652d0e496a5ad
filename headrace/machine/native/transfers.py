"""Transfers in the native engine: ranges of the sparse memory, bursts, writes in flight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from headrace.machine.native.dsl import Function, Record, Value
from headrace.machine.native.layout import CLUSTER, ENGINE, MEM, REGION, SERVER, UNIT
from headrace.machine.native.layout import WRITE as WRITE_RECORD
from headrace.machine.native.mode import BLOCKED, FAULT, OK, ModeModule
from headrace.machine.native.paths import (
    COMPLETED,
    POSTED,
    READ,
    SIGNALLED,
    WRITE,
    WRITES,
    WRITTEN,
    follow,
    of_unit,
    of_write,
    profiled,
)
from headrace.machine.native.ports import acquire, fault, holds, insert, paid_bytes, serve, spent, whole, writes
from headrace.machine.result import CAUSES, F_ADDRESS, F_EXTENT
from headrace.machine.timing import SHIFT, WINDOW

NO_COUNTER = 0
"""Counter of what is a write, not a signal."""
Hook = Callable[[Function, Record, Record, Record], None]
"""Emits code for (unit, source, target) of a transfer."""


def build_transfers(module: ModeModule, check: Hook | None, move: Hook | None) -> None:
    """Add ``pump``, ``grant_write`` and ``transfer`` to ``module``."""
    _pump(module)
    _grant_write(module)
    _transfer(module, check, move)


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


def _key(f: Function, unit: Record, write: Record) -> Value:
    """When the oldest write asks for its port."""
    if profiled(f):
        later = (write.posted >> SHIFT) >= (unit.q_end >> SHIFT)
        before = of_unit(unit, WRITTEN)
        follow(f, unit, before, f.select(later, of_write(unit, unit.q_out, 0), before))
    return write.posted.max(unit.q_end)


def _finish(f: Function, unit: Record, write: Record, start: Value) -> None:
    """Complete the oldest write, whose port was granted at ``start``."""
    unit.q_end = start + (write.hold << SHIFT)
    completion = unit.q_end + (write.latency << SHIFT)
    if profiled(f):
        end = of_unit(unit, WRITTEN)
        follow(f, unit, end, end, write.number + WRITES, write.hold)
        with f.if_(completion >= unit.q_completion):
            follow(f, unit, of_unit(unit, COMPLETED), end, write.number + WRITE, write.latency)
        follow(f, unit, of_write(unit, unit.q_out, 1), end)
    unit.q_completion = unit.q_completion.max(completion)
    write.done = unit.q_end
    unit.q_out = unit.q_out + 1


def _entry(f: Function, unit: Record, number: Value) -> Record:
    """Entry of the queue of writes."""
    return f.record(unit.address("queue") + (number & (WINDOW - 1)) * (8 * WRITE_RECORD.size), WRITE_RECORD)


def _pump(module: ModeModule) -> None:
    """pump(unit): finish what needs no port at the head of the queue of writes, then request the port for the next."""
    f = Function(module, "pump", 1)
    unit = f.record(f.args[0], UNIT)
    with f.while_(lambda: unit.q_out < unit.q_in) as end:
        write = _entry(f, unit, unit.q_out)
        with f.if_else(write.counter != 0) as (then, otherwise):
            with then:
                time = write.posted.max(unit.q_completion)
                if profiled(f):
                    last = unit.q_completion >= write.posted
                    source = f.select(last, of_unit(unit, COMPLETED), of_write(unit, unit.q_out, 0))
                    follow(f, unit, of_unit(unit, SIGNALLED), source)
                    follow(f, unit, of_write(unit, unit.q_out, 1), of_unit(unit, WRITTEN))
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
                            insert(f, cluster, writes(unit), key)
                            unit.limit = unit.limit.min(key)
                    f.b.branch(end)
                    f.b.position_at_end(f.fn.append_basic_block("unreachable"))
                _finish(f, unit, write, whole(_key(f, unit, write)))
    with f.if_(unit.want != 0):
        unit.want = 0
        f.call("wake", unit.address(), unit.address(), unit.clock)
    f.ret(OK)


def _grant_write(module: ModeModule) -> None:
    """grant_write(unit): the port of the oldest write is granted."""
    f = Function(module, "grant_write", 1, external=False)
    unit = f.record(f.args[0], UNIT)
    write = _entry(f, unit, unit.q_out)
    server = f.record(write.server, SERVER)
    _finish(f, unit, write, serve(f, unit, server, _key(f, unit, write), write.server_hold, WRITTEN))
    f.call("pump", unit.address())
    f.ret(f.select(unit.fault != 0, FAULT, OK))


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
        acquire(f, unit, lambda: f.call("port", unit.address(), source.rserver), lambda: f.ret(BLOCKED))
        source.rbytes = source.rbytes + size
        target.wbytes = target.wbytes + size
        posted = unit.clock + (source.rlatency << SHIFT)
        if profiled(f):
            with f.if_(posted >= unit.q_posted):
                follow(f, unit, of_unit(unit, POSTED), unit.path, source.part + READ, source.rlatency)
        unit.q_posted = unit.q_posted.max(posted)
        write_server_hold, write_hold = holds(f, paid_bytes(dst, size, target.wword), target.wrate, target.wpath)
        part = target.part if profiled(f) else 0
        enqueue(
            f, unit, unit.q_posted, target.wserver, write_server_hold, write_hold, target.wlatency, NO_COUNTER, part
        )
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
            if profiled(f):
                follow(f, unit, unit.path, of_write(unit, unit.q_in, 1))


def enqueue(
    f: Function, unit: Record, posted: Any, server: Any, server_hold: Any, hold: Any, latency: Any, counter: Any,
    number: Any = 0,
) -> None:  # fmt: skip
    """Append a write (or a signal) to those in flight. ``number``: of a signal's clocks, of a write's part."""
    write = _entry(f, unit, unit.q_in)
    if profiled(f):
        follow(f, unit, of_write(unit, unit.q_in, 0), of_unit(unit, POSTED if counter is NO_COUNTER else SIGNALLED))
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
