"""The engine without time: a unit runs until a FIFO or a counter holds it, and the next one that can run goes on.

FIFOs have the capacity they have in time, so a program that deadlocks there deadlocks here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headrace.codegen import isa
from headrace.machine.native.dsl import Function, Record, Value
from headrace.machine.native.layout import COUNTER, DOMAIN, ENGINE, FIFO, ITEM, MEM, UNIT
from headrace.machine.native.mode import FAULT, OK, ModeModule
from headrace.machine.native.runtime import build_wake
from headrace.machine.native.transfers import begin_transfer, build_next_burst, build_region, locate_run, next_burst
from headrace.machine.native.units import UnitEmitter
from headrace.machine.plan import element_bytes, run_offsets, vector_runs
from headrace.machine.result import COUNTER_SLOTS, F_COUNTER, F_TYPE, item_type

CALLED = ("transfer", "region", "wake")


def build(module: ModeModule) -> None:
    """Add ``engine_run`` and :data:`CALLED` to ``module``."""
    build_region(module)
    build_next_burst(module)
    build_wake(module)
    _transfer(module)
    _engine_run(module)


def _transfer(module: ModeModule) -> None:
    """transfer(unit): move the box described by ``x_*``. OK or FAULT."""
    f = Function(module, "transfer", 1)
    unit = f.record(f.args[0], UNIT)
    begin_transfer(f, unit)
    source, target = f.record(unit.x_smem, MEM), f.record(unit.x_dmem, MEM)
    with f.while_(lambda: unit.x_more != 0):
        locate_run(f, unit, source, target)
        f.copy(target.host + unit.x_dst + unit.x_d, source.host + unit.x_src + unit.x_s, unit.x_run)
        next_burst(f, unit, unit.x_run)
    f.ret(OK)


def _engine_run(module: ModeModule) -> None:
    """engine_run(engine): resume units until none can go on. OK (finished or deadlocked: see ``done``) or FAULT."""
    f = Function(module, "engine_run", 1)
    engine = f.record(f.args[0], ENGINE)
    with f.range(engine.n_domains) as i:
        domain = f.record(f.load(engine.domains, i), DOMAIN)
        with f.while_(lambda: domain.n_stack > 0):
            top = domain.n_stack - 1
            domain.n_stack = top
            unit = f.record(f.load(domain.stack, top), UNIT)
            with f.if_(f.call_pointer(unit.entry, unit.address()) == FAULT, likely=False):
                f.ret(FAULT)
    f.ret(OK)


class FunctionalEmitter(UnitEmitter):
    """Emits the function of one section without its times."""

    def stall(self, until: Value, cause: str, came: Callable[[], tuple[Any, ...]] | None = None) -> None:
        """Nothing."""

    def set_times(self, reg: int, available: Any, leaves: Any) -> None:
        """Nothing."""

    def _access(self, i: int, ins: isa.Instruction) -> None:
        write = ins.op == "VST"
        size, dims = vector_runs(ins)
        offsets = run_offsets(dims)
        lo, hi = min(offsets), max(offsets) + size
        mem, address = self.mem(ins["mem"]), self.r(ins["address"])
        self.locate(i, mem, ins["mem"], address + lo, hi - lo)
        self.unit.steps = self.unit.steps + 1
        self.copy_vector(ins, mem, ins["va" if write else "vd"], write, size, dims, len(offsets))

    def _transfer(self, i: int, ins: isa.Instruction) -> None:
        self.describe_transfer(ins)
        self.unit.steps = self.unit.steps + 1
        status = self.f.call_pointer(self.unit.fn_transfer, self.unit.address())
        with self.f.if_(status != OK, likely=False):
            self.unit.index = i
            self.f.ret(FAULT)

    def _send(self, i: int, ins: isa.Instruction) -> None:
        f, unit = self.f, self.unit
        vtype: isa.VType = ins["type"]
        park = self.resume_point(i)
        fifo = f.record(self.site(i).target, FIFO)
        n = fifo.sent
        with f.if_(n - fifo.received >= fifo.capacity):
            fifo.sender = unit.address()
            park()
        slot = fifo.data + (n & fifo.mask) * fifo.stride
        f.record(slot, ITEM).type = item_type(vtype)
        size = vtype.lanes * element_bytes(vtype.dtype)
        f.copy(slot + 8 * ITEM.size, self.word(self.layout.vectors[ins["va"]]), size)
        fifo.sent = n + 1
        self._resume(fifo, "receiver")

    def _receive(self, i: int, ins: isa.Instruction) -> None:
        f, unit = self.f, self.unit
        vtype: isa.VType = ins["type"]
        park = self.resume_point(i)
        fifo = f.record(self.site(i).target, FIFO)
        n = fifo.received
        with f.if_(n >= fifo.sent):
            fifo.receiver = unit.address()
            park()
        slot = fifo.data + (n & fifo.mask) * fifo.stride
        kind = f.record(slot, ITEM).type
        self.fault_if(kind != item_type(vtype), i, F_TYPE, kind, item_type(vtype))
        size = vtype.lanes * element_bytes(vtype.dtype)
        f.copy(self.word(self.layout.vectors[ins["vd"]]), slot + 8 * ITEM.size, size)
        fifo.received = n + 1
        self._resume(fifo, "sender")

    def _resume(self, fifo: Record, end: str) -> None:
        waiter = getattr(fifo, end)
        with self.f.if_(waiter != 0):
            setattr(fifo, end, 0)
            self.wake(waiter, self.f.value(0))

    def _signal(self, i: int) -> None:
        f = self.f
        counter = f.record(self.site(i).target, COUNTER)
        sent = counter.sent
        self.fault_if(sent - counter.taken >= COUNTER_SLOTS, i, F_COUNTER, COUNTER_SLOTS + 1)
        counter.sent = sent + 1
        with f.if_(counter.waiter != 0):
            self.wake(counter.waiter, f.value(0))
            counter.waiter = 0

    def _wait(self, i: int) -> None:
        park = self.resume_point(i)
        counter = self.f.record(self.site(i).target, COUNTER)
        taken = counter.taken
        with self.f.if_(counter.sent == taken):
            counter.waiter = self.unit.address()
            park()
        counter.taken = taken + 1
