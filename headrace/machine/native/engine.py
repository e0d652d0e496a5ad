"""Python side of the native engine: builds the records of a program once, resets them per run, reads the
figures back."""

from __future__ import annotations

import ctypes
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from headrace.machine import result as res
from headrace.machine.hazards import Hazard
from headrace.machine.memory import GlobalMemory, LocalMemories, Region, machine_error
from headrace.machine.native import cache, runtime, units
from headrace.machine.native.dsl import MAX, Words
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
    SITE,
    UNIT,
    UnitLayout,
    unit_layout,
)
from headrace.machine.native.mode import Mode, ModeModule
from headrace.machine.native.paths import COMPLETED, LATENCY, OF_ITEM, OF_UNIT, STRIDE, Paths
from headrace.machine.plan import Code, ProgramPlan, UnitPlan, element_bytes, run_offsets, vector_runs
from headrace.machine.shadow import Shadow
from headrace.machine.shares import Shares
from headrace.machine.timing import DELTA_MASK, SHIFT

if TYPE_CHECKING:
    from headrace.machine.native.checks import Checks

SHORT = 200e-6
"""Seconds. Runs that were shorter the last time keep the interpreter's lock: getting it back costs more than that."""
_T = TypeVar("_T")


def _parts(mode: Mode) -> tuple[Any, type[units.UnitEmitter]]:
    """The module that builds what no program changes, and what emits sections; most runs need those of one mode."""
    if mode is Mode.FUNCTIONAL:
        from headrace.machine.native import functional

        return functional, functional.FunctionalEmitter
    if mode is Mode.SANITIZED:
        from headrace.machine.native import sanitize

        return sanitize, sanitize.SanitizedEmitter
    return runtime, units.UnitEmitter


def _runtime(mode: Mode) -> dict[str, int]:
    """Addresses of the functions that no program changes: ``engine_run`` and what units call."""

    parts, _ = _parts(mode)

    def build() -> ModeModule:
        module = ModeModule("runtime", mode)
        parts.build(module)
        return module

    called = (*parts.CALLED, *(("spend", "path") if mode is Mode.PROFILED else ()))
    return cache.functions(f"runtime {mode.value}", b"", build, ("engine_run", *called))


def compile_code(code: Code, mode: Mode) -> int:
    """Address of the native function of a section (compiled, or found by content)."""
    _, emitter = _parts(mode)

    def build() -> ModeModule:
        module = ModeModule("section", mode)
        try:
            emitter(module, code).emit()
            return module
        except (ValueError, KeyError, TypeError) as e:
            raise machine_error(f"the code of a section cannot be executed: {e}") from e

    return cache.functions(f"section {mode.value}", code.raw, build, (units.ENTRY,))[units.ENTRY]


class _Arena:
    """Records laid out one after the other in one array of words."""

    def __init__(self) -> None:
        self.at = 0
        self.sets: list[tuple[int, int]] = []
        self.pointers: list[tuple[int, int]] = []

    def take(self, words: int, align: int = 8) -> int:
        """Reserve words; their offset."""
        self.at = -(-self.at // align) * align
        start = self.at
        self.at += words
        return start

    def set(self, at: int, value: int) -> None:
        """Initial value of a word."""
        self.sets.append((at, value))

    def point(self, at: int, target: int) -> None:
        """Word ``at`` holds the address of word ``target``."""
        self.pointers.append((at, target))

    def fields(self, base: int, layout: Words, **values: int) -> None:
        """Initial values of fields of a record."""
        for name, value in values.items():
            self.set(base + layout[name], value)

    def build(self) -> np.ndarray:
        """The array (64-byte aligned) with all initial values."""
        raw = np.zeros(self.at + 8, np.int64)
        skip = (-raw.ctypes.data % 64) // 8
        words = raw[skip : skip + self.at]
        for table, offset in ((self.sets, 0), (self.pointers, words.ctypes.data)):
            if table:
                pairs = np.array(table, np.int64)
                words[pairs[:, 0]] = pairs[:, 1] * 8 + offset if offset else pairs[:, 1]
        return words


def _joined(plan: ProgramPlan, pairs: Iterable[tuple[int, int]]) -> list[list[UnitPlan]]:
    """Units in groups: those that use a private server together, and those of ``pairs`` of slots."""
    leader = list(range(len(plan.units)))

    def find(x: int) -> int:
        while leader[x] != x:
            leader[x] = leader[leader[x]]
            x = leader[x]
        return x

    def join(x: int, y: int) -> None:
        x, y = find(x), find(y)
        leader[max(x, y)] = min(x, y)

    first: dict[object, int] = {}
    for u in plan.units:
        join(u.slot, first.setdefault(u.core, u.slot))
        for port in u.ports:
            for server in (port.read_server, port.write_server):
                if server is not None and not plan.servers[server].shared:
                    join(u.slot, first.setdefault(("server", server), u.slot))
    for x, y in pairs:
        join(x, y)
    groups: dict[int, list[UnitPlan]] = {}
    for u in plan.units:
        groups.setdefault(find(u.slot), []).append(u)
    return list(groups.values())


def domains(plan: ProgramPlan) -> list[list[UnitPlan]]:
    """Units grouped by what they meet in: private servers, FIFOs, counters."""
    return _joined(plan, [*plan.channels, *((s, r) for s, r, _ in plan.counters)])


def clusters(plan: ProgramPlan) -> list[list[UnitPlan]]:
    """Units grouped by the private servers that they share."""
    return _joined(plan, [])


def _shares(u: UnitPlan) -> bool:
    """Whether a unit may use a server that cores share."""
    memories = any(i.op in ("VLD", "VST", "XFER") for i in u.code.instructions)
    return memories and any(p.scope == "global" and (p.timing.read or p.timing.write) for p in u.ports)


class NativeProgram:
    """A program ready to run natively on one device: machine code and records. Reused by every launch."""

    def __init__(
        self,
        plan: ProgramPlan,
        memory: GlobalMemory,
        local: LocalMemories,
        mode: Mode = Mode.TIMED,
        shadow: Shadow | None = None,
        order: int | None = None,
        shares: Shares | None = None,
    ) -> None:
        self._shares = shares
        self.plan, self.memory, self.mode, self.shadow = plan, memory, mode, shadow
        self._random = random.Random(order) if order is not None else None
        entry = _runtime(mode)
        self._run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(entry["engine_run"])
        self._run_held = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(entry["engine_run"])
        self._seconds = 1.0
        self._mapped: tuple[int, np.ndarray, tuple[Region, ...]] | None = None
        entries = {id(c): compile_code(c, mode) for c in plan.codes}
        layouts = {id(c): unit_layout_of(c) for c in plan.codes}
        arena = _Arena()
        self._keep: list[np.ndarray] = []
        self.engine = arena.take(ENGINE.size)
        self.nothing = arena.take(1)
        self._clusters = clusters(plan)
        of_unit = {u.slot: k for k, group in enumerate(self._clusters) for u in group}
        meetings = [*plan.channels, *(key[:2] for key in plan.counters)]
        self._crossing = {(s, r) for s, r in meetings if of_unit[s] != of_unit[r]}
        self.paths = Paths() if mode is Mode.PROFILED else None
        self._vectors: list[tuple[int, int]] = []
        self.servers = [arena.take(SERVER.size) for _ in plan.servers]
        for at, server in zip(self.servers, plan.servers, strict=True):
            arena.fields(at, SERVER, shared=int(server.shared))
            if shares is not None:
                arena.fields(at, SERVER, shares=shares.port(server.name).ctypes.data)
            if self.paths is not None:
                arena.fields(at, SERVER, part=self.paths.port(server.name))
            self._path(at + SERVER["path"], 1)
        self.counters = [arena.take(COUNTER.size) for _ in plan.counters]
        for at, key in zip(self.counters, plan.counters, strict=True):
            kind, when, delay = plan.faults.get(key, (0, -1, 0))
            arena.fields(at, COUNTER, fault_at=when, fault_kind=kind, fault_delay=delay << SHIFT)
            arena.fields(at, COUNTER, ahead=1 if key[:2] in self._crossing else MAX)
            self._path(at + COUNTER["path"], res.COUNTER_SLOTS)
        members = domains(plan)
        width = {u.slot: -(-2 * len(group) // 8) * 8 for group in members for u in group}
        self.fifos = {pair: self._fifo(arena, pair, width) for pair in plan.channels}
        self.args = arena.take(max(1, plan.arguments))
        self.units = [arena.take(layouts[id(u.code)].size) for u in plan.units]
        self.params = [arena.take(max(1, len(u.params)), 1) for u in plan.units]
        for u in plan.units:
            self._unit(arena, u, layouts[id(u.code)], entries[id(u.code)], entry, local)
        self._unit_paths = [self._path(at + UNIT["path"], OF_UNIT) for at in self.units]
        if self.paths is not None:
            base = self.paths.build()
            for at, first in self._vectors:
                arena.set(at, base + first * STRIDE)
        self._domains(arena, members)
        arena.fields(self.engine, ENGINE, burst=plan.burst)
        if shares is not None:
            arena.fields(self.engine, ENGINE, interval=shares.width, row_bytes=8 * shares.count)
        self.checks: Checks | None = None
        self._version = shadow.version if shadow is not None else 0
        if shadow is not None:
            from headrace.machine.native.checks import Checks

            self.checks = Checks(self, shadow, arena, members, entry)
        self.words = arena.build()
        self.template = self.words.copy()
        self._unit_at = np.array(self.units, np.int64)
        self._fifo_at = np.array(list(self.fifos.values()), np.int64)
        self._counter_at = np.array(self.counters, np.int64)
        self._server_at = np.array(self.servers, np.int64)
        names = ("done", "clock", "completion", "q_completion", "busy", *res.CAUSES)
        self._figures_at = np.stack([self._unit_at + UNIT[name] for name in names])
        ends = [(self._fifo_at, FIFO["sent"], FIFO["received"]), (self._counter_at, COUNTER["sent"], COUNTER["taken"])]
        self._sent_at = np.concatenate([at + sent for at, sent, _ in ends])
        self._taken_at = np.concatenate([at + taken for at, _, taken in ends])
        self._steps_at = np.concatenate([self._unit_at + UNIT["steps"], self._sent_at, self._taken_at])
        self._starts_at = np.concatenate([self._unit_at + UNIT[name] for name in ("clock", "completion", "q_end")])
        self._bytes_at, self._busy_at = self._fifo_at + FIFO["bytes"], self._server_at + SERVER["busy"]
        self._port_at = self._ports()
        self.leftovers: list[str] = []

    # -- records ------------------------------------------------------------------------------------------------------
    def _path(self, at: int, vectors: int) -> int:
        """Word ``at`` holds the address of vectors of the critical path, where it is followed; the number of the
        first."""
        if self.paths is None:
            return 0
        first = self.paths.take(vectors)
        self._vectors.append((at, first))
        return first

    def _fifo(self, arena: _Arena, pair: tuple[int, int], width: dict[int, int]) -> int:
        channel = self.plan.channels[pair]
        at = arena.take(FIFO.size)
        capacity = channel.depth + channel.inflight
        ring = 1 << capacity.bit_length()
        clocks = width[channel.sender] // 2 if self.shadow is not None else 0
        stride = ITEM.size + -(-channel.item_bytes // 64) * 8 + clocks
        data = arena.take(ring * stride)
        arena.point(at + FIFO["data"], data)
        arena.fields(
            at, FIFO, depth=channel.depth, inflight=channel.inflight, capacity=capacity, mask=ring - 1,
            stride=8 * stride, latency=channel.latency, vcs=8 * (stride - clocks),
            item_ahead=1 + channel.latency << SHIFT if pair in self._crossing else MAX,
            slot_ahead=1 if pair in self._crossing else MAX,
        )  # fmt: skip
        if self.paths is not None:
            units = self.plan.units
            arena.fields(at, FIFO, part=self.paths.link(units[pair[0]].kind, units[pair[1]].kind))
        self._path(at + FIFO["path"], ring * OF_ITEM + 1)
        for k in range(ring):
            arena.fields(data + k * stride, ITEM, received=-1)
        return at

    def _unit(
        self,
        arena: _Arena,
        u: UnitPlan,
        layout: UnitLayout,
        entry: int,
        functions: dict[str, int],
        local: LocalMemories,
    ) -> None:
        at = self.units[u.slot]
        arena.fields(
            at, UNIT, entry=entry, slot=u.slot, n_args=self.plan.arguments,
            **{name: functions[name[3:]] for name in UNIT.offset if name[:3] == "fn_" and name[3:] in functions},
        )  # fmt: skip
        if self._shares is not None:
            arena.fields(at, UNIT, shares=self._shares.unit(u).ctypes.data)
        if self.paths is not None:
            arena.fields(at, UNIT, part=self.paths.unit(u.kind), late=self.paths.unit(u.kind) + LATENCY)
        arena.point(at + UNIT["engine"], self.engine)
        arena.point(at + UNIT["params"], self.params[u.slot])
        arena.point(at + UNIT["args"], self.args)
        arena.point(at + UNIT["mems"], at + layout.mems)
        for k, port in enumerate(u.ports[: layout.n_mems]):
            mem = at + layout.mems + k * MEM.size
            for name, word in (("rword", port.read_word), ("wword", port.write_word)):
                if word & (word - 1):
                    raise machine_error(
                        f"access words of {word} bytes between {u.kind} and {port.name}: not a power of two"
                    )
                arena.fields(mem, MEM, **{name: word.bit_length() - 1})
            arena.fields(
                mem, MEM, sparse=int(port.scope == "global"), rrate=port.timing.read or 0, wrate=port.timing.write or 0,
                rpath=port.read_rate or 0, wpath=port.write_rate or 0, rlatency=port.read_latency,
                wlatency=port.write_latency,
            )  # fmt: skip
            if self.paths is not None:
                arena.fields(mem, MEM, part=self.paths.memory(u.kind, port.name))
            if port.scope != "global":
                array = local.get(port.name, port.instance, port.timing.size)
                self._keep.append(array)
                arena.fields(mem, MEM, first=0, end=array.size, host=array.ctypes.data)
                if self.shadow is not None:
                    cells = self.shadow.local(port.name, port.instance, array.size)
                    self._keep.append(cells)
                    arena.fields(mem, MEM, shadow=cells.ctypes.data)
            for name, server in (("rserver", port.read_server), ("wserver", port.write_server)):
                if server is not None:
                    arena.point(mem + MEM[name], self.servers[server])
        for i, k in u.code.sites.items():
            self._site(arena, u, at + layout.sites + k * SITE.size, i)

    def _site(self, arena: _Arena, u: UnitPlan, at: int, i: int) -> None:
        ins = u.code.instructions[i]
        figures: Any = u.sites.get(i)
        match ins.op:
            case "SEND" | "RECV":
                size = ins["type"].lanes * element_bytes(ins["type"].dtype)
                arena.point(at, self.fifos[(figures.sender, figures.receiver)])
                arena.fields(at, SITE, a=figures.occupancy(size))
                if self.paths is not None and ins.op == "SEND":
                    arena.fields(at, SITE, b=self.paths.made(u, i))
            case "SIGNAL" | "WAIT":
                arena.point(at, self.counters[figures])
            case "VLD" | "VST":
                size, dims = vector_runs(ins)
                port, write = u.ports[ins["mem"]], ins.op == "VST"
                word = port.write_word if write else port.read_word
                paid = len(run_offsets(dims)) * -(-size // word) * word
                server, own = port.hold_paid(paid, write)
                arena.fields(at, SITE, a=paid, b=server, c=own)
            case _:
                arena.fields(at, SITE, a=figures[0], b=figures[1])

    def _domains(self, arena: _Arena, groups: list[list[UnitPlan]]) -> None:
        """Place domains, their clusters, and the keys of agents."""
        shared: list[tuple[int, int]] = []
        of_unit: dict[int, list[UnitPlan]] = {u.slot: members for members in self._clusters for u in members}
        doors = {slot for pair in self._crossing for slot in pair}
        self._spare = arena.take(1)
        self.domains = []
        for members in groups:
            inner = list({id(c): c for c in (of_unit[u.slot] for u in members)}.values())
            at = arena.take(DOMAIN.size)
            self.domains.append(at)
            n = len(inner)
            tables = {name: arena.take(n) for name in ("clusters", "lows", "dirty")}
            tables["stack"] = arena.take(len(members) + 1)
            for name, target in tables.items():
                arena.point(at + DOMAIN[name], target)
            arena.fields(at, DOMAIN, n=n, n_stack=len(members))
            for k, u in enumerate(self._shuffled(list(reversed(members)))):
                arena.point(tables["stack"] + k, self.units[u.slot])
                arena.point(self.units[u.slot] + UNIT["domain"], at)
            for k, cluster in enumerate(self._shuffled(inner)):
                where = self._cluster(arena, cluster, doors, shared)
                arena.point(tables["clusters"] + k, where)
                arena.set(tables["lows"] + k, -MAX)
                arena.set(tables["dirty"] + k, 1)
                arena.point(where + CLUSTER["low"], tables["lows"] + k)
                arena.point(where + CLUSTER["dirty"], tables["dirty"] + k)
        shared.sort()
        room = -(-len(shared) // 4) * 4
        gkeys, gunits, ghalves = (arena.take(room or 1) for _ in range(3))
        for k in range(room):
            arena.set(gkeys + k, MAX)
        for k, (slot, half) in enumerate(shared):
            arena.set(ghalves + k, half)
            arena.point(gunits + k, self.units[slot])
            arena.point(self.units[slot] + UNIT["gwrequest" if half else "grequest"], gkeys + k)
        table = arena.take(len(self.domains))
        for k, at in enumerate(self._shuffled(self.domains)):
            arena.point(table + k, at)
        for name, target in (("domains", table), ("gkeys", gkeys), ("gunits", gunits), ("ghalves", ghalves)):
            arena.point(self.engine + ENGINE[name], target)
        arena.fields(self.engine, ENGINE, n_domains=len(self.domains), n_global=room)

    def _cluster(self, arena: _Arena, members: list[UnitPlan], doors: set[int], shared: list[tuple[int, int]]) -> int:
        """Place a cluster; its agents that use shared servers join ``shared``."""
        agents = []
        for u in members:
            moves = any(i.op == "XFER" for i in u.code.instructions)
            agents += [(u, 0), (u, 1)] if moves else [(u, 0)]
        n = len(agents)
        at = arena.take(CLUSTER.size)
        waits = [u.slot for u in members if u.slot in doors]
        tables = {"order": arena.take(2 * n + 2), "doors": arena.take(len(waits) or 1)}
        sharing = [k for k, (u, _) in enumerate(agents) if _shares(u)]
        tables["lower"] = arena.take(len(sharing) or 1)
        for name, target in tables.items():
            arena.point(at + CLUSTER[name], target)
        arena.fields(at, CLUSTER, count=len(members), n_lower=len(sharing), n_doors=len(waits))
        arena.set(tables["order"], MAX)
        arena.set(tables["order"] + 1, MAX)
        for k, u in enumerate(self._shuffled(members)):
            place = tables["order"] + 2 * (len(members) - k)
            arena.set(place, k - len(members))
            arena.point(place + 1, self.units[u.slot])
        for u in members:
            base = self.units[u.slot]
            arena.point(base + UNIT["cluster"], at)
            arena.fields(base, UNIT, crosses=int(u.slot in doors))
            for name in ("lower", "wlower", "grequest", "gwrequest", "door"):
                arena.point(base + UNIT[name], self._spare)
        for k, slot in enumerate(waits):
            arena.set(tables["doors"] + k, MAX)
            arena.point(self.units[slot] + UNIT["door"], tables["doors"] + k)
        for row, k in enumerate(sharing):
            u, half = agents[k]
            arena.set(tables["lower"] + row, MAX)
            arena.point(self.units[u.slot] + UNIT["wlower" if half else "lower"], tables["lower"] + row)
            shared.append((u.slot, half))
        return at

    @property
    def stale(self) -> bool:
        """Whether the granules of the sanitizer have changed since this was made."""
        return self.shadow is not None and self.shadow.version != self._version

    @property
    def hazards(self) -> list[Hazard]:
        """What the last run found."""
        return list(self.checks.hazards.values()) if self.checks is not None else []

    def _shuffled(self, items: list[_T]) -> list[_T]:
        """``items`` in the order of simulation: as they are, or drawn with the seed ``order``."""
        return self._random.sample(items, len(items)) if self._random is not None else items

    # -- running ------------------------------------------------------------------------------------------------------
    def run(self, params: Sequence[Sequence[int]], arguments: Sequence[int], start: int) -> res.ProgramRun:
        """Run with parameter words by slot. Raises :class:`HeadraceError` for faults and deadlocks."""
        plan, words = self.plan, self.words
        words[:] = self.template
        for at, values in zip(self.params, params, strict=True):
            words[at : at + len(values)] = values
        words[self.args : self.args + len(arguments)] = arguments
        words[self._starts_at] = start << SHIFT
        regions, ranges = self._regions()  # held: a range that another thread frees stays mapped until the run ends
        words[self.engine + ENGINE["regions"]] = regions.ctypes.data
        words[self.engine + ENGINE["n_regions"]] = len(ranges)
        if self.paths is not None:
            self.paths.begin(self._unit_paths)
        if self.checks is not None:
            self.checks.begin()
        began = time.thread_time()  # not the wall clock: waiting for the interpreter's lock is no work
        status = (self._run_held if self._seconds < SHORT else self._run)(words.ctypes.data + 8 * self.engine)
        self._seconds = time.thread_time() - began
        if self.checks is not None:
            self.checks.end()
        if status == runtime.FAULT:
            raise self._fault()
        self.leftovers = self._unbalanced()
        figures = words[self._figures_at]
        if not figures[0].all():
            index = self._field("index")
            waiting = {int(slot): int(index[slot]) for slot in np.flatnonzero(figures[0] == 0)}
            raise res.deadlock(plan, waiting, self.leftovers)
        run = self._figures(figures, start)
        if self._shares is not None:
            self._shares.path += self._spent(figures, run.end)
        return run

    def _spent(self, figures: np.ndarray, end: int) -> Counter[tuple[str, str]]:
        """The critical path of a run with these words of its units."""
        assert self.paths is not None
        last = figures[1:4].max(axis=0)
        if not last.size:
            return Counter()
        slot = int(last.argmax())
        clock, _, written = figures[1:4, slot].tolist()
        first, part = self._unit_paths[slot], self.paths.unit(self.plan.units[slot].kind) + LATENCY
        if written == last[slot]:
            clock, first = written, first + COMPLETED
        elif clock < last[slot]:
            part = int(self.words[self.units[slot] + UNIT["late"]])
        found = self.paths.spent(first)
        found[self.paths.names[part]] += end - (clock >> SHIFT)
        return +found

    def _regions(self) -> tuple[np.ndarray, tuple[Region, ...]]:
        """Table of the global memory's ranges for native code, made again when they have changed."""
        version = self.memory.version
        if self._mapped is None or self._mapped[0] != version or self.shadow is not None:
            ranges = self.memory.regions
            table = np.zeros((max(1, len(ranges)), REGION.size), np.int64)
            for k, r in enumerate(ranges):
                table[k, :3] = r.address, r.end, r.data.ctypes.data - r.address
                if self.shadow is not None:
                    table[k, 3] = self.shadow.origin(r)
            self._mapped = (version, table, ranges)
        return self._mapped[1:]

    def _field(self, name: str) -> np.ndarray:
        """A word of every unit."""
        return self.words[self._unit_at + UNIT[name]]

    def _fault(self) -> Exception:
        faults = self._field("fault")
        slot = int(np.flatnonzero(faults)[0])
        index, number, a, b, mem = (
            int(self._field(n)[slot]) for n in ("index", "fault", "fault_a", "fault_b", "fault_mem")
        )
        return res.fault(self.plan, slot, index, number, a, b, mem)

    def _unbalanced(self) -> list[str]:
        """What FIFOs and counters still hold."""
        left = self.words[self._sent_at] - self.words[self._taken_at]
        if not left.any():
            return []
        items, counts = left[: self._fifo_at.size], left[self._fifo_at.size :]
        by_counter = {key: int(counts[k]) for key, k in self.plan.counters.items()}
        return res.unbalanced(self.plan, dict(zip(self.plan.channels, items.tolist(), strict=True)), by_counter)

    def _figures(self, figures: np.ndarray, start: int) -> res.ProgramRun:
        words = self.words
        ends = (figures[1:4].max(axis=0) + DELTA_MASK) >> SHIFT
        return res.ProgramRun(
            max(start, int(ends.max(initial=start))),
            figures[4],
            figures[5:].T,
            ends,
            words[self._port_at],
            words[self._bytes_at],
            words[self._busy_at],
            int(words[self._steps_at].sum()),
        )

    def _ports(self) -> np.ndarray:
        """Indices of the byte counts by unit, memory and direction; memories a unit never touches count nothing."""
        table = []
        for u, at in zip(self.plan.units, self.units, strict=True):
            layout = unit_layout_of(u.code)
            mems = [at + layout.mems + k * MEM.size for k in range(layout.n_mems)]
            rows = [[mem + MEM["rbytes"], mem + MEM["wbytes"]] for mem in mems]
            table.append(rows + [[self.nothing, self.nothing]] * (len(u.ports) - len(rows)))
        return np.array(table, np.int64)


def unit_layout_of(code: Code) -> UnitLayout:
    """:func:`unit_layout`, remembered on the code object."""
    found = code.__dict__.get("_layout")
    if found is None:
        found = code.__dict__["_layout"] = unit_layout(code)
    return found
