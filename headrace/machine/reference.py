"""The timing model as plain Python: one event at a time, no shortcut. It defines what the native engine must return.

Every unit is a generator that yields what it waits for: a predicate (FIFO, counter, window) or a memory request. All
units run until each waits; then the request with the smallest key (time, unit, half) is granted. A transfer
unit has two
halves: the program with its reads, and the writes in flight behind it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from headrace.codegen import isa
from headrace.codegen.operations import operation_name
from headrace.machine import matrix
from headrace.machine import result as res
from headrace.machine.memory import GlobalMemory, LocalMemories
from headrace.machine.plan import Channel, MemoryPort, ProgramPlan, UnitPlan, element_bytes, run_offsets, vector_runs
from headrace.machine.records import BUSY, Grant, Records, Stamp, Touch, Why, Written
from headrace.machine.scalar import ScalarFault, scalar
from headrace.machine.timing import DELTA_MASK, SHIFT, WINDOW, advance, cycle_of, word_bytes
from headrace.numerics import dtypes, semantics

Wait = Callable[[], bool] | int
"""What a unit yields: a predicate to become true, or the number of the server it requests."""


T = TypeVar("T")


class History(Protocol[T]):
    """Events in their order: a list, or what keeps as many of the last ones as are asked for."""

    def append(self, event: T, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, n: int, /) -> T: ...


@dataclass
class _Fifo:
    """A FIFO's history. ``depart``: when item n entered the link, known once item n - depth was received."""

    plan: Channel
    number: int
    items: History[tuple[isa.VType, np.ndarray]]
    posted: History[int]
    received: History[int]
    departed: History[int]
    bytes: int = 0

    def depart(self, n: int) -> int:
        """Departure of item n: when it was ready, its slot was free and the link had taken the item before it."""
        while len(self.departed) <= n:
            k = len(self.departed)
            t = self.posted[k]
            if k >= self.plan.depth:
                t = max(t, self.received[k - self.plan.depth] + 1)
            if k:
                t = max(t, advance(self.departed[k - 1], self.plan.occupancy(self.items[k - 1][1].nbytes)))
            self.departed.append(t)
        return self.departed[n]


@dataclass
class _Write:
    """A burst on its way to its destination, or (``counter`` set) a signal behind the bursts before it."""

    posted: int
    server: int | None = None
    server_hold: int = 0
    hold: int = 0
    latency: int = 0
    counter: int | None = None
    index: int = -1
    clock: int = 0


class _Unit:
    """State of a unit."""

    def __init__(self, plan: UnitPlan, writes: History[_Write], written: History[int], records: Records | None) -> None:
        self.plan, self.records = plan, records
        self.clock = 0
        self.completion = 0
        self.busy = 0
        self.stalled = [0, 0, 0, 0]
        self.port_bytes = [[0, 0] for _ in plan.ports]
        self.r = [0] * plan.code.registers
        self.v: dict[int, np.ndarray] = {}
        self.available: dict[int, int] = {}
        self.leaves: dict[int, int] = {}
        self.index = 0
        self.waits: Wait | None = None
        self.process: Generator[Wait, None, None] | None = None
        self.done = False
        self.writes, self.written = writes, written
        self.write_end = 0
        self.write_completion = 0
        self.last_posted = 0

    def stall(self, until: int, cause: int, why: Why = ("load", 0, 0)) -> None:
        """Move the clock to ``until`` if that is later, for ``cause`` (index of :data:`res.CAUSES`)."""
        if until > self.clock:
            if self.records is not None:
                self.records.segment(self.plan.slot, self.clock, until, cause, self.index, why)
            self.stalled[cause] += cycle_of(until) - cycle_of(self.clock)
            self.clock = until

    def work(self, cycles: int) -> None:
        """Be busy for ``cycles``."""
        before, self.clock = self.clock, advance(self.clock, cycles)
        self.busy += cycles
        if self.records is not None:
            self.records.segment(self.plan.slot, before, self.clock, BUSY, self.index)


class ReferenceEngine:
    """Runs a :class:`ProgramPlan`. ``order`` (a seed) shuffles which unit runs first; the result must not change.

    ``records`` is told what happens.
    """

    def __init__(
        self, memory: GlobalMemory, local: LocalMemories, order: int | None = None, records: Records | None = None
    ) -> None:
        self.memory, self.local, self.records = memory, local, records
        self.random = random.Random(order) if order is not None else None

    def run(self, plan: ProgramPlan, arguments: Sequence[int], start: int) -> res.ProgramRun:
        """Run a program whose CALL happens at cycle ``start``. Raises :class:`HeadraceError` for faults and
        deadlocks."""
        self.plan, self.arguments = plan, list(arguments)
        self.free = [0] * len(plan.servers)
        self.server_busy = [0] * len(plan.servers)
        self.fifos = {pair: self._fifo(c, k) for k, (pair, c) in enumerate(plan.channels.items())}
        self.stamps: list[list[int]] = [[] for _ in plan.counters]
        self.taken = [0] * len(plan.counters)
        flying = 2 * WINDOW
        self.units = [_Unit(u, self._history(flying), self._history(flying), self.records) for u in plan.units]
        if self.records is not None:
            self.records.begin(plan, start)
        for unit in self.units:
            unit.clock = unit.completion = unit.write_end = start << SHIFT
            unit.process = self._process(unit)
        while True:
            self._run_ahead()
            request = self._least()
            if request is None:
                break
            _, slot, half = request
            if half:
                self._write(self.units[slot])
            else:
                self.units[slot].waits = None
        waiting = {u.plan.slot: u.index for u in self.units if not u.done}
        items = {p: len(f.items) - len(f.received) for p, f in self.fifos.items()}
        counts = {k: len(self.stamps[c]) - self.taken[c] for k, c in plan.counters.items()}
        if waiting:
            raise res.deadlock(plan, waiting, res.unbalanced(plan, items, counts))
        self.leftovers = res.unbalanced(plan, items, counts)
        last = [max(u.clock, u.completion, u.write_completion) for u in self.units]
        ends = [cycle_of(t + DELTA_MASK) for t in last]
        if self.records is not None:
            self.records.finish(max([start, *ends]), last)
        return res.ProgramRun(
            max([start, *ends]),
            np.array([u.busy for u in self.units]),
            np.array([u.stalled for u in self.units]),
            np.array(ends),
            np.array([u.port_bytes for u in self.units]),
            np.array([f.bytes for f in self.fifos.values()]),
            np.array(self.server_busy),
        )

    def _history(self, last: int) -> History[Any]:
        """Room for events of which at least the `last` ones will be asked for."""
        return []

    def _fifo(self, plan: Channel, number: int) -> _Fifo:
        last = 2 * (plan.depth + plan.inflight + 1)
        items, posted, received, departed = (self._history(last) for _ in range(4))
        return _Fifo(plan, number, items, posted, received, departed)

    def _least(self) -> tuple[int, int, int] | None:
        """(time, unit, half) of the request to grant next, None if no unit makes one."""
        requests = [(u.clock, u.plan.slot, 0) for u in self.units if isinstance(u.waits, int)]
        requests += [(self._write_key(u), u.plan.slot, 1) for u in self.units if len(u.writes) > len(u.written)]
        return min(requests, default=None)

    def _run_ahead(self) -> None:
        """Run every unit until all wait."""
        moved = True
        while moved:
            moved = False
            order = list(self.units)
            if self.random:
                self.random.shuffle(order)
            for unit in order:
                moved |= self._run_unit(unit)

    def _run_unit(self, unit: _Unit) -> bool:
        """Run a unit until it waits, or now and then less far in a shuffled order; whether it moved."""
        moved = False
        self._post(unit)
        while not unit.done and not isinstance(unit.waits, int) and (unit.waits is None or unit.waits()):
            moved = True
            assert unit.process is not None
            unit.waits = next(unit.process, None)
            unit.done = unit.waits is None
            self._post(unit)
            if self.random and self.random.random() < 0.3:
                break
        return moved

    # -- memory -------------------------------------------------------------------------------------------------------
    def _post(self, unit: _Unit) -> None:
        """Finish what needs no server at the head of the writes in flight."""
        while len(unit.writes) > len(unit.written):
            w = unit.writes[len(unit.written)]
            if w.counter is not None:
                time, after = max(w.posted, unit.write_completion), len(unit.written) - 1
                self._stamp(unit, w.counter, time, w.index, w.clock, after)
                unit.written.append(unit.write_end)
            elif w.server is None:
                self._finish(unit, w, max(w.posted, unit.write_end))
            else:
                return

    def _write_key(self, unit: _Unit) -> int:
        return max(unit.writes[len(unit.written)].posted, unit.write_end)

    def _write(self, unit: _Unit) -> None:
        w = unit.writes[len(unit.written)]
        assert w.server is not None
        self._finish(unit, w, self._serve(unit, w.server, self._write_key(unit), w.server_hold, 1))
        self._post(unit)

    def _finish(self, unit: _Unit, w: _Write, start: int) -> None:
        unit.write_end = advance(start, w.hold)
        done = advance(unit.write_end, w.latency)
        unit.write_completion = max(unit.write_completion, done)
        if self.records is not None:
            number = len(unit.written)
            self.records.write(unit.plan.slot, Written(number, w.posted, start, unit.write_end, done, w.index))
        unit.written.append(unit.write_end)

    def _serve(self, unit: _Unit, server: int, time: int, hold: int, half: int) -> int:
        start = max(time & ~DELTA_MASK, self.free[server])
        if self.records is not None:
            number, index = len(unit.written), unit.index
            if half:
                index = unit.writes[number].index
            self.records.grant(Grant(server, start, hold, unit.plan.slot, half, time, index, number))
        self.free[server] = start + (hold << SHIFT)
        self.server_busy[server] += hold
        return start

    def _bytes(self, unit: _Unit, mem: int, address: int, size: int) -> np.ndarray:
        port = unit.plan.ports[mem]
        if port.scope != "global":
            array = self.local.get(port.name, port.instance, port.timing.size)
            if 0 <= address and address + size <= array.size:
                return array[address : address + size]
        else:
            for region in self.memory.regions:
                if region.address <= address and address + size <= region.end:
                    return region.data[address - region.address :][:size]
        raise res.fault(self.plan, unit.plan.slot, unit.index, res.F_ADDRESS, address, size, mem)

    def _request(self, unit: _Unit, port: MemoryPort, paid: int, write: bool) -> Generator[Wait, None, None]:
        """Wait for the port; the clock moves past the hold."""
        server_hold, hold = port.hold_paid(paid, write)
        server = port.write_server if write else port.read_server
        if server is not None:
            yield server
            unit.stall(self._serve(unit, server, unit.clock, server_hold, 0), 3, ("port", server, 0))
        unit.work(hold)

    def _vector_access(self, unit: _Unit, ins: isa.Instruction) -> Generator[Wait, None, None]:
        write = ins.op == "VST"
        port = unit.plan.ports[ins["mem"]]
        size, dims = vector_runs(ins)
        base = unit.r[ins["address"]]
        offsets = run_offsets(dims)
        self._bytes(unit, ins["mem"], base + min(offsets), max(offsets) + size - min(offsets))
        word = port.write_word if write else port.read_word
        paid = sum(word_bytes(base + o, size, word) for o in offsets)
        if write:
            unit.stall(unit.available[ins["va"]], 3)
        yield from self._request(unit, port, paid, write)
        unit.port_bytes[ins["mem"]][write] += size * len(offsets)
        if write:
            self._store(unit, ins, base)
            ready = advance(max(unit.clock, unit.leaves[ins["va"]]), port.write_latency)
            unit.completion = max(unit.completion, ready)
        else:
            unit.v[ins["vd"]] = self._load(unit, ins, base)
            ready = advance(unit.clock, port.read_latency)
            unit.available[ins["vd"]] = unit.leaves[ins["vd"]] = ready
            unit.completion = max(unit.completion, ready)
        if self.records is not None and port.scope != "global":
            at = ready if write else unit.clock
            for o in offsets:
                self.records.touch(Touch(at, unit.plan.slot, unit.index, ins["mem"], base + o, size, write, None))

    def _elements(self, unit: _Unit, ins: isa.Instruction, base: int) -> list[np.ndarray]:
        element = element_bytes(ins["type"].dtype)
        where = [sum(c) for c in _lanes([(d.extent, d.stride) for d in ins["dims"]])]
        return [self._bytes(unit, ins["mem"], base + o, element) for o in where]

    def _load(self, unit: _Unit, ins: isa.Instruction, base: int) -> np.ndarray:
        return np.concatenate(self._elements(unit, ins, base))

    def _store(self, unit: _Unit, ins: isa.Instruction, base: int) -> None:
        raw = self._elements(unit, ins, base)
        for target, value in zip(raw, unit.v[ins["va"]].reshape(len(raw), -1), strict=True):
            target[:] = value

    def _transfer(self, unit: _Unit, ins: isa.Instruction) -> Generator[Wait, None, None]:
        source, target = unit.plan.ports[ins["src_mem"]], unit.plan.ports[ins["dst_mem"]]
        src, dst = unit.r[ins["src"]], unit.r[ins["dst"]]
        dims = [(unit.r[d.reg] if d.reg is not None else d.extent, d.src_stride, d.dst_stride) for d in ins["dims"]]
        for extent, _, _ in dims:
            if extent < 0:
                raise res.fault(self.plan, unit.plan.slot, unit.index, res.F_EXTENT, extent, 0, 0)
        run = ins["bytes"]
        dims = [d for d in dims if d[0] != 1]
        copies: list[tuple[np.ndarray, np.ndarray]] = []
        while dims and dims[-1][1] == run and dims[-1][2] == run:
            run *= dims.pop()[0]
        for at in _lanes([(e, (s, d)) for e, s, d in dims]):
            s0, d0 = src + sum(x[0] for x in at), dst + sum(x[1] for x in at)
            if run:
                data = self._bytes(unit, ins["src_mem"], s0, run)
                out = self._bytes(unit, ins["dst_mem"], d0, run)
                copies.append((out, data))
            for o in range(0, run, self.plan.burst):
                size = min(self.plan.burst, run - o)
                yield from self._window(unit)
                yield from self._request(unit, source, word_bytes(s0 + o, size, source.read_word), False)
                unit.port_bytes[ins["src_mem"]][0] += size
                unit.port_bytes[ins["dst_mem"]][1] += size
                unit.last_posted = max(unit.last_posted, advance(unit.clock, source.read_latency))
                port, own = target.hold(d0 + o, size, True)
                unit.writes.append(
                    _Write(unit.last_posted, target.write_server, port, own, target.write_latency, None, unit.index)
                )
                if self.records is not None:
                    who, ends = (unit.plan.slot, unit.index), ((ins["src_mem"], s0 + o), (ins["dst_mem"], d0 + o))
                    if source.scope != "global":
                        self.records.touch(Touch(unit.clock, *who, *ends[0], size, False, ends[1]))
                    if target.scope != "global":
                        self.records.touch(Touch(unit.last_posted, *who, *ends[1], size, True, ends[0]))
        for out, data in copies:
            out[:] = data

    def _window(self, unit: _Unit) -> Generator[Wait, None, None]:
        """Wait until fewer than :data:`WINDOW` writes are in flight."""
        oldest = len(unit.writes) - WINDOW
        if oldest >= 0:
            yield lambda: len(unit.written) > oldest
            unit.stall(unit.written[oldest], 3, ("window", oldest, 0))

    # -- links --------------------------------------------------------------------------------------------------------
    def _send(self, unit: _Unit, ins: isa.Instruction, fifo: _Fifo) -> Generator[Wait, None, None]:
        n, depth, inflight = len(fifo.items), fifo.plan.depth, fifo.plan.inflight
        yield lambda: n < len(fifo.received) + depth + inflight
        if n >= inflight:
            unit.stall(fifo.depart(n - inflight), 1, ("slot", fifo.number, n - inflight))
        fifo.posted.append(max(unit.clock, unit.leaves[ins["va"]]))
        fifo.items.append((ins["type"], unit.v[ins["va"]]))
        fifo.bytes += unit.v[ins["va"]].nbytes
        if self.records is not None:
            self.records.sent(fifo.number, fifo.posted[n], unit.clock, unit.index, unit.v[ins["va"]].nbytes)

    def _receive(self, unit: _Unit, ins: isa.Instruction, fifo: _Fifo) -> Generator[Wait, None, None]:
        n = len(fifo.received)
        yield lambda: len(fifo.items) > n
        vtype, data = fifo.items[n]
        if vtype != ins["type"]:
            raise res.fault(
                self.plan, unit.plan.slot, unit.index, res.F_TYPE, res.item_type(vtype), res.item_type(ins["type"]), 0
            )
        arrival = advance(fifo.depart(n), fifo.plan.occupancy(data.nbytes) + fifo.plan.latency)
        unit.stall(arrival, 0, ("item", fifo.number, n))
        fifo.received.append(unit.clock)
        if self.records is not None:
            self.records.received(fifo.number, fifo.departed[n], unit.clock, unit.index)
        self._define(unit, ins["vd"], data, unit.clock)

    def _signal(self, unit: _Unit, counter: int) -> Generator[Wait, None, None]:
        if unit.plan.transfers:
            yield from self._window(unit)
            posted = max(unit.clock, unit.completion)
            unit.writes.append(_Write(posted, counter=counter, index=unit.index, clock=unit.clock))
        else:
            self._stamp(unit, counter, max(unit.clock, unit.completion), unit.index, unit.clock, -1)

    def _stamp(self, unit: _Unit, counter: int, time: int, index: int, clock: int, after: int) -> None:
        self.stamps[counter].append(time + 1)
        if self.records is not None:
            self.records.signalled(counter, Stamp(time + 1, unit.plan.slot, clock, index, after))
        outstanding = len(self.stamps[counter]) - self.taken[counter]
        if outstanding > res.COUNTER_SLOTS:
            raise res.fault(self.plan, unit.plan.slot, unit.index, res.F_COUNTER, outstanding, 0, 0)

    # -- instructions -------------------------------------------------------------------------------------------------
    def _define(self, unit: _Unit, reg: int, raw: np.ndarray, available: int, leaves: int | None = None) -> None:
        unit.v[reg], unit.available[reg] = raw, available
        unit.leaves[reg] = available if leaves is None else leaves

    def _process(self, unit: _Unit) -> Generator[Wait, None, None]:
        code, r = unit.plan.code.instructions, unit.r
        loops: dict[int, tuple[int, int]] = {}
        while True:
            i = unit.index
            ins = code[i]
            site: Any = unit.plan.sites.get(i)
            follow = i + 1
            match ins.op:
                case "HALT":
                    yield lambda: len(unit.written) == len(unit.writes)
                    return
                case "PARAM":
                    r[ins["rd"]] = unit.plan.params[ins["index"]]
                case "ARG" | "ARGX":
                    k = ins["index"] if ins.op == "ARG" else r[ins["ra"]]
                    if not 0 <= k < len(self.arguments):
                        raise res.fault(self.plan, unit.plan.slot, i, res.F_ARGUMENT, k, 0, 0)
                    r[ins["rd"]] = self.arguments[k]
                case "LOOP":
                    lb, ub, step = r[ins["lb"]], r[ins["ub"]], r[ins["step"]]
                    if step <= 0:
                        raise res.fault(self.plan, unit.plan.slot, i, res.F_STEP, step, 0, 0)
                    loops[i] = (ub, step)
                    r[ins["iv"]] = lb
                    if lb >= ub:
                        follow = unit.plan.code.match[i] + 1
                case "ENDLOOP":
                    head = unit.plan.code.match[i]
                    ub, step = loops[head]
                    iv = code[head]["iv"]
                    r[iv] += step
                    if r[iv] < ub:
                        follow = head + 1
                case "IF":
                    if not r[ins["cond"]]:
                        follow = unit.plan.code.match[i] + 1
                case "ELSE":
                    follow = unit.plan.code.match[i] + 1
                case "ENDIF":
                    pass
                case "XFER":
                    yield from self._transfer(unit, ins)
                case "VLD" | "VST":
                    yield from self._vector_access(unit, ins)
                case "SEND" | "RECV":
                    fifo = self.fifos[(site.sender, site.receiver)]
                    yield from (self._send if ins.op == "SEND" else self._receive)(unit, ins, fifo)
                case "SIGNAL":
                    yield from self._signal(unit, site)
                case "WAIT":
                    yield lambda c=site: len(self.stamps[c]) > self.taken[c]
                    n = self.taken[site]
                    unit.stall(self.stamps[site][n], 2, ("signal", site, n))
                    self.taken[site] += 1
                    if self.records is not None:
                        self.records.waited(site, unit.clock, unit.index)
                case "VGET":
                    a, lane = ins["va"], r[ins["lane"]]
                    unit.stall(unit.available[a], 3)
                    kind, lanes = ins["type"]
                    if not 0 <= lane < lanes:
                        raise res.fault(self.plan, unit.plan.slot, i, res.F_LANE, lane, lanes, 0)
                    raw = unit.v[a].reshape(-1).view(np.uint8).reshape(lanes, element_bytes(kind))[lane]
                    r[ins["rd"]] = int.from_bytes(raw.tobytes(), "little", signed=True)
                case "VMOV":
                    a = ins["va"]
                    self._define(unit, ins["vd"], unit.v[a], unit.available[a], unit.leaves[a])
                case "VCONST":
                    self._define(
                        unit,
                        ins["vd"],
                        np.resize(_raw(ins["bits"], ins["type"].dtype), ins["type"].lanes).view(np.uint8),
                        0,
                    )
                case "VOP" | "VIOTA" | "VSHUF":
                    self._vector(unit, ins, site)
                case _ if ins.opcode.group == "matrix":
                    self._matrix(unit, ins, site)
                case _:
                    try:
                        scalar(ins, r)
                    except ScalarFault as f:
                        raise res.fault(self.plan, unit.plan.slot, i, f.number, f.a, f.b, 0) from None
            unit.index = follow

    def _vector(self, unit: _Unit, ins: isa.Instruction, site: tuple[int, int]) -> None:
        cost, latency = site
        sources = {"VOP": [o.reg for o in ins.args.get("operands", ())], "VIOTA": []}.get(
            ins.op, [s for s, _ in ins.args.get("sources", ())]
        )
        unit.stall(max([0, *(unit.available[s] for s in sources)]), 3)
        unit.work(cost)
        leaves = advance(unit.clock, latency)
        for reg, raw in self._compute(unit, ins):
            self._define(unit, reg, raw, unit.clock, leaves)

    def _matrix(self, unit: _Unit, ins: isa.Instruction, site: tuple[int, int]) -> None:
        """A step of a matrix unit."""
        if ins.op == "MCFG":
            return
        state = matrix.shape_in(unit.plan.code)
        assert state is not None
        if "row:r" in {f"{f.name}:{f.kind}" for f in ins.opcode.fields}:
            row = unit.r[ins["row"]]
            if not matrix.in_range(ins, row, state[2]):
                raise res.fault(self.plan, unit.plan.slot, unit.index, res.F_ROW, row, 0, 0)
        defined = matrix.execute(unit, ins, site)
        if defined is not None:
            self._define(unit, *defined, unit.clock, advance(unit.clock, site[1]))

    def _compute(self, unit: _Unit, ins: isa.Instruction) -> list[tuple[int, np.ndarray]]:
        """Registers and values that a vector instruction defines."""
        if ins.op == "VOP":
            kinds = [dtypes.get(o.dtype) for o in ins["operands"]]
            outs = [dtypes.get(o.dtype) for o in ins["results"]]
            args = [k.decode(unit.v[o.reg].view(k.storage_dtype)) for k, o in zip(kinds, ins["operands"], strict=True)]
            op = semantics.get(operation_name(ins["code"]))
            values = op.numpy(args, kinds, outs, ins["params"])
            found = values if isinstance(values, tuple) else (values,)
            raws = [k.encode(np.broadcast_to(v, (ins["lanes"],))) for k, v in zip(outs, found, strict=True)]
            regs = [o.reg for o in ins["results"]]
            return [(r, np.ascontiguousarray(v).view(np.uint8)) for r, v in zip(regs, raws, strict=True)]
        vtype = ins["type"]
        storage = dtypes.get(vtype.dtype).storage_dtype
        if ins.op == "VIOTA":
            k = np.arange(vtype.lanes, dtype=np.int64)
            raw = (unit.r[ins["base"]] + ins["step"] * (k // ins["repeat"] % ins["period"])).astype(storage)
        else:
            pool = np.concatenate([unit.v[reg].view(storage)[:n] for reg, n in ins["sources"]])
            raw = (
                np.resize(pool[list(ins["indices"])], vtype.lanes)
                if len(ins["indices"]) < vtype.lanes
                else pool[list(ins["indices"])]
            )
        return [(ins["vd"], np.ascontiguousarray(raw).view(np.uint8))]


def _raw(bits: Sequence[int], dtype: str) -> np.ndarray:
    """Storage patterns as an array of the storage type."""
    size = element_bytes(dtype)
    return np.frombuffer(b"".join((b & (1 << 8 * size) - 1).to_bytes(size, "little") for b in bits), f"u{size}")


def _lanes(dims: list) -> list[list]:
    """Row-major lists of per-dimension displacements; a stride may be a number or a pair."""
    out: list[list] = [[]]
    for extent, stride in dims:
        steps = [tuple(k * s for s in stride) if isinstance(stride, tuple) else k * stride for k in range(extent)]
        out = [[*o, s] for o in out for s in steps]
    return out
