"""Native code of a code section: one function that runs a unit until it waits, and resumes where it left off.

All state is in the unit's record (``layout.UNIT`` and what ``layout.UnitLayout`` puts behind it), so a switch costs a
return and a call. The code depends on the section's bytes alone: figures of the device and of the instance are read
from the record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, reduce
from operator import or_
from typing import Any

from llvmlite import ir

from headrace.codegen import isa
from headrace.machine.memory import machine_error
from headrace.machine.native.dsl import I64, Function, Record, Value
from headrace.machine.native.layout import (
    COUNTER,
    FIFO,
    ITEM,
    MAX_DIMS,
    MEM,
    SITE,
    UNIT,
    UnitLayout,
    unit_layout,
)
from headrace.machine.native.matrix import MatrixEmitter
from headrace.machine.native.mode import BLOCKED, FAULT, OK, Mode, ModeModule
from headrace.machine.native.paths import (
    IN_FLIGHT,
    ITEM_DEPARTED,
    ITEM_POSTED,
    ITEM_RECEIVED,
    LINK,
    READ,
    STRIDE,
    WRITE,
    follow,
    follow_busy,
    follow_completion,
    of_item,
    profiled,
)
from headrace.machine.native.ports import acquire, advance, fault, paid_bytes, spent
from headrace.machine.native.scalars import emit_scalar
from headrace.machine.native.transfers import enqueue, outside, window
from headrace.machine.native.vectors import VectorEmitter
from headrace.machine.plan import Code, element_bytes, run_offsets, vector_runs
from headrace.machine.result import CAUSES, COUNTER_SLOTS, F_ARGUMENT, F_LANE, F_STEP, F_TYPE, item_type
from headrace.machine.timing import SHIFT

CACHE_LINE = 64
"""Bytes that the host fetches at once."""
AHEAD = 4
"""Vectors that a contiguous access asks the host's memory for in advance."""
ENTRY = "unit"
"""Name of the function of a section's module."""


class UnitEmitter:
    """Emits the function of one section."""

    def __init__(self, module: ModeModule, code: Code) -> None:
        self.code = code
        self.layout: UnitLayout = unit_layout(code)
        self.f = f = Function(module, ENTRY, 1, pointer=True)
        f.fn.args[0].add_attribute("noalias")
        self.base = f.fn.args[0]
        self.unit: Record = f.record(self.base, UNIT)
        self.resume: list[tuple[int, ir.Block]] = []
        self.vectors = VectorEmitter(self)
        self.blocks: dict[int, ir.Block] = {}

    # -- places in the record -----------------------------------------------------------------------------------------
    @cached_property
    def matrix(self) -> MatrixEmitter:
        """Emits matrix steps."""
        return MatrixEmitter(self)

    def word(self, offset: int) -> Any:
        """Pointer to a word of the record."""
        return self.f.b.gep(self.base, [ir.Constant(I64, offset)], source_etype=I64)

    def get(self, offset: int) -> Value:
        """A word of the record."""
        return Value(self.f, self.f.b.load(self.word(offset), typ=I64))

    def put(self, offset: int, value: Any) -> None:
        """Assign a word of the record."""
        self.f.b.store(self.f.raw(value), self.word(offset))

    def r(self, reg: int) -> Value:
        """A scalar register."""
        return self.get(self.layout.registers + reg)

    def set_r(self, reg: int, value: Any) -> None:
        """Assign a scalar register."""
        self.put(self.layout.registers + reg, value)

    def site(self, i: int) -> Record:
        """Figures of an instruction."""
        return self.f.record(self.word(self.layout.sites + SITE.size * self.code.sites[i]), SITE)

    def mem(self, number: int) -> Record:
        """A memory of the unit."""
        return self.f.record(self.word(self.layout.mems + MEM.size * number), MEM)

    def available(self, reg: int) -> Value:
        """When the unit's own next instruction may use a vector register."""
        return self.get(self.layout.times[reg])

    def leaves(self, reg: int) -> Value:
        """When the value of a vector register is ready to leave the unit."""
        return self.get(self.layout.times[reg] + 1)

    def set_times(self, reg: int, available: Any, leaves: Any) -> None:
        """Assign both times of a vector register."""
        self.put(self.layout.times[reg], available)
        self.put(self.layout.times[reg] + 1, leaves)

    # -- leaving and coming back --------------------------------------------------------------------------------------
    def resume_point(self, i: int) -> Callable[[], None]:
        """Start a block that the unit can be resumed at; the function returned emits the return that leads there."""
        block = self.f.fn.append_basic_block(f"i{i}")
        self.f.b.branch(block)
        self.f.b.position_at_end(block)
        number = len(self.resume) + 1
        self.resume.append((number, block))

        def park() -> None:
            self.unit.pc = number
            self.unit.index = i
            self.f.ret(BLOCKED)

        return park

    def fault_if(self, cond: Any, i: int, number: int, a: Any = 0, b: Any = 0) -> None:
        """Return with a fault where ``cond`` holds."""
        with self.f.if_(cond, likely=False):
            fault(self.unit, number, a, b)
            self.unit.index = i
            self.f.ret(FAULT)

    def stall(self, until: Value, cause: str, came: Callable[[], tuple[Any, ...]] | None = None) -> None:
        """Move the clock to ``until`` if that is later. ``came``: what the unit waited for, as vector, part and cycles
        (:func:`~headrace.machine.native.paths.follow`); a value in flight if None."""
        clock = self.unit.clock
        later = until > clock
        waited = self.f.select(later, (until >> SHIFT) - (clock >> SHIFT), 0)
        spent(self.f, self.unit, CAUSES.index(cause), clock >> SHIFT, waited)
        if profiled(self.f):
            with self.f.if_(later):
                now = self.unit.path
                follow(self.f, self.unit, now, *(came() if came else (now, self.unit.part + IN_FLIGHT, waited)))
        setattr(self.unit, cause, getattr(self.unit, cause) + waited)
        self.unit.clock = clock.max(until)

    def work(self, cycles: Value) -> None:
        """Be busy for a positive number of cycles."""
        spent(self.f, self.unit, len(CAUSES), self.unit.clock >> SHIFT, cycles)
        follow_busy(self.f, self.unit, cycles)
        self.unit.clock = advance(self.unit.clock, cycles)
        self.unit.busy = self.unit.busy + cycles

    def wake(self, waiter: Value, earliest: Value) -> None:
        """Resume another unit; what it causes is not before ``earliest``."""
        self.f.call_pointer(self.unit.fn_wake, self.unit.address(), waiter, earliest)

    # -- what a sanitizer looks at ------------------------------------------------------------------------------------
    def touch(self, i: int, mem: Record, address: Value, size: int, write: bool) -> None:
        """Contiguous bytes are accessed."""

    def sent(self, fifo: Record, slot: Value) -> None:
        """An item was put into a slot of a FIFO."""

    def received(self, fifo: Record, slot: Value) -> None:
        """The item in a slot was received."""

    def snapshot(self, i: int) -> Value:
        """Number of what a signal carries."""
        return self.f.value(0)

    def waited(self, i: int, counter: Record, taken: Value) -> None:
        """Signal number ``taken`` was received."""

    # -- emission -----------------------------------------------------------------------------------------------------
    def emit(self) -> None:
        """Emit the whole function."""
        b = self.f.b
        start = self.f.fn.append_basic_block("start")
        entry = b.block
        b.position_at_end(start)
        for i, ins in enumerate(self.code.instructions):
            self._instruction(i, ins)
        b.position_at_end(entry)
        bad = self.f.fn.append_basic_block("bad")
        switch = b.switch(self.unit.pc.v, bad)
        switch.add_case(ir.Constant(I64, 0), start)
        for number, block in self.resume:
            switch.add_case(ir.Constant(I64, number), block)
        b.position_at_end(bad)
        b.unreachable()

    def _instruction(self, i: int, ins: isa.Instruction) -> None:
        unit, f = self.unit, self.f
        match ins.op:
            case "PARAM":
                self.set_r(ins["rd"], f.load(unit.params, ins["index"]))
            case "ARG" | "ARGX":
                k = f.value(ins["index"]) if ins.op == "ARG" else self.r(ins["ra"])
                self.fault_if(f.b.icmp_unsigned(">=", k.v, unit.n_args.v), i, F_ARGUMENT, k)
                self.set_r(ins["rd"], f.load(unit.args, k))
            case "LOOP" | "ENDLOOP" | "IF" | "ELSE" | "ENDIF":
                self._control(i, ins)
            case "HALT":
                self._halt(i)
            case "XFER":
                self._transfer(i, ins)
            case "VLD" | "VST":
                self._access(i, ins)
            case "SEND":
                self._send(i, ins)
            case "RECV":
                self._receive(i, ins)
            case "SIGNAL":
                self._signal(i)
            case "WAIT":
                self._wait(i)
            case _ if ins.opcode.group == "matrix":
                self.matrix.emit(i, ins, f.module.mode is not Mode.FUNCTIONAL)
            case "VGET":
                self._get_lane(i, ins)
            case "VMOV" | "VCONST" | "VOP" | "VIOTA" | "VSHUF":
                self.vectors.emit(i, ins)
            case _:
                emit_scalar(self, i, ins)

    def _halt(self, i: int) -> None:
        park = self.resume_point(i)
        with self.f.if_(self.unit.q_in != self.unit.q_out):
            self.unit.want = 1
            park()
        self.unit.done = 1
        self.f.ret(OK)

    def _control(self, i: int, ins: isa.Instruction) -> None:
        f, b, match = self.f, self.f.b, self.code.match
        new = f.fn.append_basic_block
        match ins.op:
            case "LOOP":
                lb, ub, step = self.r(ins["lb"]), self.r(ins["ub"]), self.r(ins["step"])
                self.fault_if(step <= 0, i, F_STEP, step)
                at = self.layout.loops[i]
                self.put(at, ub)
                self.put(at + 1, step)
                self.set_r(ins["iv"], lb)
                body, end = new("body"), new("endloop")
                self.blocks[i], self.blocks[match[i]] = body, end
                b.cbranch((lb < ub).v, body, end)
                b.position_at_end(body)
            case "ENDLOOP":
                head = match[i]
                at, iv = self.layout.loops[head], self.code.instructions[head]["iv"]
                following = self.r(iv) + self.get(at + 1)
                self.set_r(iv, following)
                b.cbranch((following < self.get(at)).v, self.blocks[head], self.blocks[i])
                b.position_at_end(self.blocks[i])
            case "IF":
                then, other = new("then"), new("else")
                self.blocks[match[i]] = other
                b.cbranch((self.r(ins["cond"]) != 0).v, then, other)
                b.position_at_end(then)
            case "ELSE":
                end = new("endif")
                b.branch(end)
                b.position_at_end(self.blocks[i])
                self.blocks[match[i]] = end
            case _:
                b.branch(self.blocks[i])
                b.position_at_end(self.blocks[i])

    def locate(self, i: int, mem: Record, number: int, address: Value, size: int) -> None:
        """Make sure that ``mem`` covers the bytes."""
        f = self.f
        with f.if_(outside(f, mem, address, size), likely=False):
            at = f.value(f.b.ptrtoint(self.word(self.layout.mems + MEM.size * number), I64))
            status = f.call_pointer(self.unit.fn_region, self.unit.address(), at, address, size)
            with f.if_(status != OK):
                self.unit.index = i
                f.ret(FAULT)

    def _get_lane(self, i: int, ins: isa.Instruction) -> None:
        """An element of a vector register as a scalar; the unit waits for the register."""
        f, reg, vtype = self.f, ins["va"], ins["type"]
        lane = self.r(ins["lane"])
        self.fault_if(f.b.icmp_unsigned(">=", lane.v, f.raw(vtype.lanes)), i, F_LANE, lane, vtype.lanes)
        self.stall(self.available(reg), "memory")
        size = element_bytes(vtype.dtype)
        at = f.b.gep(self.word(self.layout.vectors[reg]), [(lane * size).v], source_etype=ir.IntType(8))
        raw = f.b.load(at, typ=ir.IntType(8 * size), align=1)
        self.set_r(ins["rd"], Value(f, raw if size == 8 else f.b.sext(raw, I64)))

    def _access(self, i: int, ins: isa.Instruction) -> None:
        f, unit = self.f, self.unit
        write = ins.op == "VST"
        reg = ins["va" if write else "vd"]
        size, dims = vector_runs(ins)
        offsets = run_offsets(dims)
        lo, hi = min(offsets), max(offsets) + size
        mem, site = self.mem(ins["mem"]), self.site(i)
        address = self.r(ins["address"])
        if write:
            self.stall(self.available(reg), "memory")
        word = mem.wword if write else mem.rword
        if len(offsets) == 1:
            paid = paid_bytes(address, size, word)
        else:
            total = f.var(paid_bytes(address, size, word) * len(offsets))
            with f.if_((self.f.value(_union(dims)) & ((f.value(1) << word) - 1)) != 0, likely=False):
                total.set(0)
                self._runs(dims, address, lambda a, _: total.set(total.get() + paid_bytes(a, size, word)), 0)
            paid = total.get()
        unit.server_hold, unit.hold = site.b, site.c
        with f.if_(paid != site.a, likely=False):
            rates = (mem.wrate, mem.wpath) if write else (mem.rrate, mem.rpath)
            both = f.call_pointer(unit.fn_holds, paid, *rates)
            unit.server_hold, unit.hold = both >> 32, both & 0xFFFFFFFF
        park = self.resume_point(i)
        mem, address = self.mem(ins["mem"]), self.r(ins["address"])
        server = mem.wserver if write else mem.rserver
        acquire(f, unit, lambda: f.call_pointer(unit.fn_port, unit.address(), server), park)
        # behind the wait: transfers of this unit may have landed meanwhile, in another range of the same memory
        self.locate(i, mem, ins["mem"], address + lo, hi - lo)
        if self.f.module.mode is Mode.SANITIZED:
            self._runs(dims, address, lambda a, _: self.touch(i, mem, a, size, write), 0)
        self.copy_vector(ins, mem, reg, write, size, dims, len(offsets))
        if write:
            mem.wbytes = mem.wbytes + len(offsets) * size
            done = unit.clock.max(self.leaves(reg)) + (mem.wlatency << SHIFT)
            self._complete(done, mem.part + WRITE)
        else:
            mem.rbytes = mem.rbytes + len(offsets) * size
            ready = unit.clock + (mem.rlatency << SHIFT)
            self.set_times(reg, ready, ready)
            self._complete(ready, mem.part + READ)

    def _complete(self, when: Value, part: Value) -> None:
        """An access is complete at ``when``."""
        unit = self.unit
        if profiled(self.f):
            unit.late = self.f.select(when >= unit.completion, part, unit.late)
        unit.completion = unit.completion.max(when)

    def _runs(
        self, dims: list[tuple[int, int]], address: Value, body: Callable[[Value, Value], None], step: int
    ) -> None:
        """Loop over the runs of an access: ``body(address, position in the register)``; ``step`` bytes of it a run."""
        f = self.f
        if not dims:
            body(address, f.value(0))
            return
        position = f.var(0)

        def nest(k: int, at: Value) -> None:
            if k == len(dims):
                body(at, position.get())
                position.set(position.get() + step)
                return
            extent, stride = dims[k]
            with f.range(extent) as j:
                nest(k + 1, at + j * stride)

        nest(0, address)

    def copy_vector(
        self,
        ins: isa.Instruction,
        mem: Record,
        reg: int,
        write: bool,
        size: int,
        dims: list[tuple[int, int]],
        runs: int,
    ) -> None:
        """Copy between memory and register."""
        f = self.f
        vtype: isa.VType = ins["type"]
        element = element_bytes(vtype.dtype)
        vector = self.word(self.layout.vectors[reg])
        address = self.r(ins["address"]) + mem.host
        if runs * size == vtype.lanes * element:
            whole_dims, step = dims, size
        else:  # a broadcast: element by element
            whole_dims, step = [(d.extent, d.stride) for d in ins["dims"] if d.extent != 1], element

        def move(at: Value, position: Value) -> None:
            if whole_dims and step < CACHE_LINE and not write:
                f.prefetch(at + CACHE_LINE)  # short runs far apart: the columns beside them come next
            inside = f.b.gep(vector, [position.v], source_etype=ir.IntType(8))
            if not whole_dims:  # the scratchpads of all cores do not fit the host's caches; loops mostly walk on
                for line in range(0, step, CACHE_LINE):
                    f.prefetch(at + AHEAD * step + line, write)
            if write:
                f.copy(at, inside, step)
            else:
                f.copy(inside, at, step)

        self._runs(whole_dims, address, move, step)

    def describe_transfer(self, ins: isa.Instruction) -> None:
        """Write the box of a transfer into ``x_*``."""
        unit = self.unit
        if len(ins["dims"]) > MAX_DIMS:
            raise machine_error(f"a transfer has {len(ins['dims'])} dimensions, the device takes {MAX_DIMS}")
        unit.x_smem, unit.x_dmem = self.mem(ins["src_mem"]).address(), self.mem(ins["dst_mem"]).address()
        unit.x_src, unit.x_dst = self.r(ins["src"]), self.r(ins["dst"])
        unit.x_run, unit.x_dims = ins["bytes"], len(ins["dims"])
        for k, d in enumerate(ins["dims"]):
            self.put(UNIT["x_extent"] + k, self.r(d.reg) if d.reg is not None else d.extent)
            self.put(UNIT["x_sstride"] + k, d.src_stride)
            self.put(UNIT["x_dstride"] + k, d.dst_stride)

    def _transfer(self, i: int, ins: isa.Instruction) -> None:
        unit, f = self.unit, self.f
        self.describe_transfer(ins)
        park = self.resume_point(i)
        if f.module.mode is Mode.SANITIZED:
            unit.index = i
        status = f.call_pointer(unit.fn_transfer, unit.address())
        with f.if_(status != OK, likely=True):
            with f.if_(status == FAULT):
                unit.index = i
                f.ret(FAULT)
            park()

    def _send(self, i: int, ins: isa.Instruction) -> None:
        f, unit = self.f, self.unit
        vtype: isa.VType = ins["type"]
        size = vtype.lanes * element_bytes(vtype.dtype)
        park = self.resume_point(i)
        site = self.site(i)
        fifo = f.record(site.target, FIFO)
        n = fifo.sent
        with f.if_(n - fifo.received >= fifo.capacity):
            fifo.sender = unit.address()
            f.store(unit.door, fifo.slot_ahead)
            park()
        inflight = fifo.inflight
        with f.if_(n >= inflight, likely=True):
            before = n - inflight
            self.stall(self._departed(fifo, before), "output", lambda: (of_item(fifo, before, ITEM_DEPARTED),))
        slot = fifo.data + (n & fifo.mask) * fifo.stride
        item = f.record(slot, ITEM)
        posted = unit.clock.max(self.leaves(ins["va"]))
        hold = site.a
        item.posted, item.hold, item.type = posted, hold, item_type(vtype)
        f.copy(slot + 8 * ITEM.size, self.word(self.layout.vectors[ins["va"]]), size)
        if profiled(f):
            gap = (posted >> SHIFT) - (unit.clock >> SHIFT)
            follow(f, unit, of_item(fifo, n, ITEM_POSTED), unit.path, site.b, gap)
        self.sent(fifo, slot)
        fifo.sent = n + 1
        fifo.bytes = fifo.bytes + size
        receiver = fifo.receiver
        with f.if_(receiver != 0):
            fifo.receiver = 0
            self.wake(receiver, advance(posted, hold + fifo.latency))

    def _departed(self, fifo: Record, n: Value) -> Value:
        """When item ``n`` entered the link."""
        f = self.f
        with f.if_(fifo.departed <= n):
            f.call_pointer(self.unit.fn_departs, fifo.address())
        return f.record(fifo.data + (n & fifo.mask) * fifo.stride, ITEM).depart

    def _receive(self, i: int, ins: isa.Instruction) -> None:
        f, unit = self.f, self.unit
        vtype: isa.VType = ins["type"]
        size = vtype.lanes * element_bytes(vtype.dtype)
        park = self.resume_point(i)
        fifo = f.record(self.site(i).target, FIFO)
        n = fifo.received
        with f.if_(n >= fifo.sent):
            fifo.receiver = unit.address()
            f.store(unit.door, fifo.item_ahead)
            park()
        departed = self._departed(fifo, n)
        slot = fifo.data + (n & fifo.mask) * fifo.stride
        item = f.record(slot, ITEM)
        self.fault_if(item.type != item_type(vtype), i, F_TYPE, item.type, item_type(vtype))
        self.received(fifo, slot)
        way = item.hold + fifo.latency
        self.stall(
            advance(departed, way), "input", lambda: (of_item(fifo, n, ITEM_DEPARTED), fifo.part + LINK, way)
        )
        if profiled(f):
            follow(f, unit, of_item(fifo, n, ITEM_RECEIVED), unit.path)
        clock = unit.clock
        item.received = clock
        fifo.received = n + 1
        f.copy(self.word(self.layout.vectors[ins["vd"]]), slot + 8 * ITEM.size, size)
        self.set_times(ins["vd"], clock, clock)
        sender = fifo.sender
        with f.if_(sender != 0):
            fifo.sender = 0
            self.wake(sender, clock + 1)

    def _signal(self, i: int) -> None:
        f, unit = self.f, self.unit
        if any(x.op == "XFER" for x in self.code.instructions):
            park = self.resume_point(i)
            window(f, unit, park)
            target = self.site(i).target
            follow_completion(f, unit)
            enqueue(f, unit, unit.clock.max(unit.completion), 0, 0, 0, 0, target, self.snapshot(i))
            failed = unit.fault != 0
        else:
            failed = f.call_pointer(unit.fn_stamp, unit.address(), self.site(i).target, self.snapshot(i)) != OK
        with f.if_(failed, likely=False):
            unit.index = i
            f.ret(FAULT)

    def _wait(self, i: int) -> None:
        f = self.f
        park = self.resume_point(i)
        counter = f.record(self.site(i).target, COUNTER)
        taken = counter.taken
        with f.if_(counter.sent == taken):
            counter.waiter = self.unit.address()
            f.store(self.unit.door, counter.ahead)
            park()
        self.waited(i, counter, taken)
        at = counter.word((taken & (COUNTER_SLOTS - 1)) + COUNTER["times"])
        given = counter.path + (taken & (COUNTER_SLOTS - 1)) * STRIDE
        self.stall(Value(f, f.b.load(at, typ=I64)), "signal", lambda: (given,))
        counter.taken = taken + 1


def _union(dims: list[tuple[int, int]]) -> int:
    """Bits that are set in any of the strides."""
    return reduce(or_, (stride for _, stride in dims), 0)
