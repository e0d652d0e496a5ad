"""What a program needs to run: its units, FIFOs, counters, memories and servers, found by reading its code sections.

Both engines work from a :class:`ProgramPlan`. Everything that depends on values (addresses, counts) stays in parameter
words; the plan resolves only who talks to whom, which must be fixed: a peer register is written once, by ``PARAM`` or
``LI``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from headrace.codegen import isa
from headrace.codegen.image import Image, Program, Section
from headrace.codegen.operations import operation_name
from headrace.machine.memory import machine_error
from headrace.machine.timing import MemoryTiming, Timing, ceil_div, word_bytes
from headrace.numerics import dtypes, semantics

_DEFINES = {"rd", "iv"}


@dataclass
class Code:
    """A decoded section with its structure resolved.

    ``word[i]``: word index of instruction i (for messages); ``match[i]``: LOOP<->ENDLOOP, IF->ELSE/ENDIF, ELSE->ENDIF;
    ``peers[reg]``: ("param", k) or ("const", value); ``loads``/``stores``/``transfers``: memory numbers touched.
    """

    raw: bytes
    instructions: list[isa.Instruction]
    word: list[int]
    match: dict[int, int]
    peers: dict[int, tuple[str, int]]
    registers: int
    vectors: dict[int, isa.VType]
    sites: dict[int, int] = field(default_factory=dict)


def element_bytes(dtype: str) -> int:
    """Bytes of an element in memory (``i1`` takes one)."""
    return max(1, dtypes.get(dtype).bytes)


def match_control(code: list[isa.Instruction], word: list[int], name: str) -> dict[int, int]:
    """Partner of every control instruction: LOOP<->ENDLOOP, IF->ELSE/ENDIF, ELSE->ENDIF."""
    out: dict[int, int] = {}
    stack: list[int] = []

    def close(i: int, *openers: str) -> int:
        if not stack or code[stack[-1]].op not in openers:
            raise machine_error(f"{name}: word {word[i]} ({code[i]}): no {openers[0]} to belong to")
        out[stack[-1]] = i
        return stack.pop()

    if not code or code[-1].op != "HALT":
        raise machine_error(f"{name}: the code does not end in HALT")
    for i, ins in enumerate(code):
        match ins.op:
            case "LOOP" | "IF":
                stack.append(i)
            case "ELSE":
                close(i, "IF")
                stack.append(i)
            case "ENDIF":
                close(i, "IF", "ELSE")
            case "ENDLOOP":
                out[i] = close(i, "LOOP")
            case "HALT" if i != len(code) - 1:
                raise machine_error(f"{name}: word {word[i]}: HALT inside the code")
    if stack:
        raise machine_error(f"{name}: word {word[stack[-1]]} ({code[stack[-1]]}): not closed")
    return out


def analyse(section: Section, name: str) -> Code:
    """Resolve the structure of a code section. Raises :class:`HeadraceError` for code that is not well formed."""
    code = [i for _, i in isa.decode_located(section.raw)]
    word = [w for w, _ in isa.decode_located(section.raw)]
    out = Code(section.raw, code, word, match_control(code, word, name), {}, 0, {})

    def bad(i: int, why: str) -> Exception:
        return machine_error(f"{name}: word {word[i]} ({code[i]}): {why}")

    defs: dict[int, list[int]] = {}
    top = -1
    for i, ins in enumerate(code):
        if ins.opcode.group in ("sequencer", "correction"):
            raise bad(i, "not an instruction of units")
        for f in ins.opcode.fields:
            if f.kind == "r":
                top = max(top, ins[f.name])
                if f.name in _DEFINES:
                    defs.setdefault(ins[f.name], []).append(i)
        match ins.op:
            case "ADDR":
                top = max([top, *(t.reg for t in ins["terms"])])
            case "XFER":
                top = max([top, *(d.reg for d in ins["dims"] if d.reg is not None)])
            case "VLD" | "VST":
                if prod(d.extent for d in ins["dims"]) != ins["type"].lanes:
                    raise bad(i, "extents do not multiply to the number of lanes")
            case "VSHUF":
                if max(ins["indices"]) >= sum(n for _, n in ins["sources"]):
                    raise bad(i, "an index lies outside the sources")
            case "VIOTA":
                if ins["repeat"] < 1 or ins["period"] < 1:
                    raise bad(i, "repeat and period must be positive")
        for reg, vtype in vector_uses(ins):
            if out.vectors.setdefault(reg, vtype) != vtype:
                raise bad(i, f"v{reg} is {out.vectors[reg]} elsewhere, not {vtype}")
        if ins.op in SITES:
            out.sites[i] = len(out.sites)
    out.registers = top + 1
    for reg, where in defs.items():
        if len(where) == 1 and (ins := code[where[0]]).op in ("PARAM", "LI"):
            out.peers[reg] = ("param", ins["index"]) if ins.op == "PARAM" else ("const", ins["value"])
    return out


MATRIX_STEPS = frozenset({"MFILL", "MFILLT", "MSWAP", "MMUL", "MMULT", "MCLR", "MLD", "MRD"})
"""Instructions of matrix units with figures of their own."""
SITES = frozenset({"VLD", "VST", "SEND", "RECV", "SIGNAL", "WAIT", "VOP", "VIOTA", "VSHUF"}) | MATRIX_STEPS
"""Instructions with figures of their own in every unit (costs, FIFO, counter)."""


def vector_uses(ins: isa.Instruction) -> list[tuple[int, isa.VType]]:
    """Vector registers an instruction names, with their types."""
    match ins.op:
        case "VOP":
            return [(r.reg, isa.VType(r.dtype, ins["lanes"])) for r in (*ins["results"], *ins["operands"])]
        case "VSHUF":
            vt = ins["type"]
            return [(ins["vd"], vt), *((reg, isa.VType(vt.dtype, n)) for reg, n in ins["sources"])]
        case _:
            return [(ins[f.name], ins["type"]) for f in ins.opcode.fields if f.kind == "v"]


def vector_runs(ins: isa.Instruction) -> tuple[int, list[tuple[int, int]]]:
    """(bytes of a contiguous run, dims (extent, stride) over runs) of a VLD/VST: a broadcast counts as one element."""
    size = element_bytes(ins["type"].dtype)
    dims = [(d.extent, d.stride) for d in ins["dims"] if d.extent != 1 and d.stride != 0]
    while dims and dims[-1][1] == size:
        size *= dims.pop()[0]
    return size, dims


def run_offsets(dims: list[tuple[int, int]]) -> list[int]:
    """Byte offsets of the runs, in row-major order."""
    offsets = [0]
    for extent, stride in dims:
        offsets = [o + k * stride for o in offsets for k in range(extent)]
    return offsets


@dataclass
class Server:
    """Grants bandwidth in the order (time, agent). ``shared``: used by units of several cores."""

    name: str
    shared: bool


@dataclass
class MemoryPort:
    """A memory as one unit sees it: figures of memory and path, and the servers of reads and writes (None: untimed)."""

    name: str
    scope: str
    instance: tuple[Any, ...]
    timing: MemoryTiming
    read_server: int | None
    write_server: int | None
    read_rate: int | None
    write_rate: int | None
    read_latency: int
    write_latency: int
    read_word: int
    write_word: int

    def hold(self, address: int, size: int, write: bool) -> tuple[int, int]:
        """(cycles the server is held, cycles the unit is held) by ``size`` bytes at ``address``; the server's
        is 0 if untimed."""
        return self.hold_paid(word_bytes(address, size, self.write_word if write else self.read_word), write)

    def hold_paid(self, paid: int, write: bool) -> tuple[int, int]:
        """As :meth:`hold` for a number of bytes already rounded to words."""
        rate = self.timing.write if write else self.timing.read
        path = self.write_rate if write else self.read_rate
        server = ceil_div(paid, rate) if rate else 0
        return server, max(1, server, ceil_div(paid, path) if path else 0)


@dataclass
class Channel:
    """A FIFO. ``inflight``: values the sender's pipeline holds beside the ``depth`` slots;
    ``latency``/``rate`` of the link."""

    sender: int
    receiver: int
    depth: int
    inflight: int
    latency: int
    rate: int | None
    item_bytes: int = 0

    def occupancy(self, size: int) -> int:
        """Cycles an item of ``size`` bytes holds the link."""
        return max(1, ceil_div(size, self.rate)) if self.rate else 1


@dataclass
class UnitPlan:
    """A unit of a program. ``slot``: its rank by (core, unit number); ``sites``: figures by instruction index."""

    slot: int
    number: int
    kind: str
    core: int
    corelet: int
    code: Code
    params: list[int]
    ports: list[MemoryPort]
    name: str
    transfers: bool
    sites: dict[int, Any] = field(default_factory=dict)
    peers: dict[int, int] = field(default_factory=dict)


@dataclass
class ProgramPlan:
    """All of a program. ``channels`` and ``counters`` are keyed by (sender slot, receiver slot[, id]);
    ``faults`` by counter: what happens (``S_DROP`` ...) to which signal, and the cycles of a delay."""

    name: str
    units: list[UnitPlan]
    servers: list[Server]
    channels: dict[tuple[int, int], Channel]
    counters: dict[tuple[int, int, int], int]
    codes: list[Code]
    arguments: int
    burst: int
    faults: dict[tuple[int, int, int], tuple[int, int, int]] = field(default_factory=dict)


def port_kind(server: str) -> str:
    """Name of a port without the instance: ``L1[3, 0] read port`` is ``L1 read port``."""
    head, bracket, rest = server.partition("[")
    return head + rest.partition("]")[2] if bracket else server


def unit_names(image: Image) -> list[str]:
    """Names like ``C3-sfu-1`` (core, kind in lower case, corelet); the corelet is left out where a core has one."""
    many = {(u.kind, u.core) for u in image.units if u.corelet > 0}
    return [
        f"C{u.core}-{image.kinds[u.kind].lower()}" + (f"-{u.corelet}" if (u.kind, u.core) in many else "")
        for u in image.units
    ]


def plan_program(
    image: Image, program: Program, timing: Timing, blocks: list[list[list[int]]] | None = None
) -> ProgramPlan:
    """Plan of a program. ``blocks[section][instance]`` replaces the parameter words (they are read back after
    patching)."""
    names = unit_names(image)
    codes = [analyse(s, f"program '{program.name}', {image.kinds[s.kind]}") for s in program.sections]
    rows = []
    for k, (section, code) in enumerate(zip(program.sections, codes, strict=True)):
        words = blocks[k] if blocks else section.blocks
        rows += [(image.units[u].core, u, section, code, words[i]) for i, u in enumerate(section.units)]
    rows.sort(key=lambda r: (r[0], r[1]))
    if len({r[1] for r in rows}) != len(rows):
        raise machine_error(f"program '{program.name}': a unit appears twice")
    slot_of = {r[1]: slot for slot, r in enumerate(rows)}
    servers: list[Server] = []
    server_ids: dict[tuple[Any, ...], int] = {}

    def server(name: str, instance: tuple[Any, ...], direction: str) -> int:
        key = (name, instance, direction)
        if key not in server_ids:
            server_ids[key] = len(servers)
            servers.append(Server(f"{name}{list(instance[1:]) or ''} {direction}", instance[0] == "global"))
        return server_ids[key]

    plan = ProgramPlan(program.name, [], servers, {}, {}, codes, program.arguments, timing.burst)
    for core, number, section, code, params in rows:
        kind = image.kinds[section.kind]
        ports = []
        for m in image.memories:
            share = timing.shared_instance(kind, image.units[number].corelet, m.name)
            instance = {"global": ("global",), "core": ("core", core), "unit": ("unit", core, share)}[m.scope]
            try:
                mt = timing.memory(m.name)
            except KeyError:
                raise machine_error(f"the device has no memory '{m.name}'") from None
            rp, wp = timing.path(kind, m.name, "read"), timing.path(kind, m.name, "write")
            read = server(m.name, instance, "port" if mt.half_duplex else "read port") if mt.read else None
            write = server(m.name, instance, "port" if mt.half_duplex else "write port") if mt.write else None
            ports.append(
                MemoryPort(
                    m.name,
                    m.scope,
                    instance,
                    mt,
                    read,
                    write,
                    rp.rate,
                    wp.rate,
                    mt.latency + rp.latency,
                    mt.latency + wp.latency,
                    rp.word,
                    wp.word,
                )
            )
        moves = any(i.op == "XFER" for i in code.instructions)
        unit = UnitPlan(
            len(plan.units), number, kind, core, image.units[number].corelet, code, params, ports, names[number], moves
        )
        plan.units.append(unit)
    for unit in plan.units:
        _resolve(plan, unit, slot_of, timing, image)
    _join_cores(plan, timing)
    return plan


def _join_cores(plan: ProgramPlan, timing: Timing) -> None:
    """Figures of the FIFOs over the interconnect; also of one from a unit to another kind of its own core that has no
    link of its own. FIFOs between other kinds are taken to be busy at other times."""
    across: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for s, r in plan.channels:
        a, b = plan.units[s], plan.units[r]
        kinds = a.kind, b.kind
        if timing.joined.issuperset(kinds) and (a.core != b.core or (a.kind != b.kind and kinds not in timing.links)):
            across.setdefault(kinds, []).append((s, r))
    for pairs in across.values():
        assert timing.between is not None
        figures = timing.between([(plan.units[s].core, plan.units[r].core) for s, r in pairs])
        for s, r in pairs:
            link = figures[plan.units[s].core, plan.units[r].core]
            channel = plan.channels[s, r]
            channel.depth, channel.latency, channel.rate = link.depth, link.latency, link.rate


def inflight(unit: UnitPlan, timing: Timing) -> int:
    """Values a unit's pipeline holds between its issue and a FIFO: the latency of what it loads or computes,
    at least 1."""
    loads = [unit.ports[i["mem"]].read_latency for i in unit.code.instructions if i.op == "VLD"]
    return max([1, timing.unit(unit.kind).latency, *loads])


def _resolve(plan: ProgramPlan, unit: UnitPlan, slot_of: dict[int, int], timing: Timing, image: Image) -> None:
    """Fill the figures of a unit's sites and create the FIFOs and counters it names."""
    from headrace.machine import matrix

    ut = timing.unit(unit.kind)
    matrix.check(unit, ut)
    for i, ins in enumerate(unit.code.instructions):
        for f in ins.opcode.fields:
            if f.kind == "mem" and ins[f.name] >= len(unit.ports):
                raise machine_error(f"{unit.name}: '{ins}' names memory {ins[f.name]}, the image has {len(unit.ports)}")
        if ins.op == "PARAM" and not 0 <= ins["index"] < len(unit.params):
            raise machine_error(f"{unit.name}: '{ins}': the parameter block has {len(unit.params)} words")
        if ins.op in ("SEND", "RECV", "SIGNAL", "WAIT"):
            source = unit.code.peers.get(ins["peer"])
            if source is None:
                raise machine_error(f"{unit.name}: '{ins}': r{ins['peer']} must be set once, by PARAM or LI")
            number = unit.params[source[1]] if source[0] == "param" else source[1]
            peer = slot_of.get(number)
            if peer is None:
                known = f" ({image.kinds[image.units[number].kind]})" if 0 <= number < len(image.units) else ""
                raise machine_error(
                    f"program '{plan.name}', {unit.name}: '{ins}': unit {number}{known} is not in this program"
                )
            unit.peers[i] = peer
            pair = (unit.slot, peer) if ins.op in ("SEND", "SIGNAL") else (peer, unit.slot)
            if ins.op in ("SIGNAL", "WAIT"):
                unit.sites[i] = plan.counters.setdefault((*pair, ins["id"]), len(plan.counters))
                continue
            if pair not in plan.channels:
                sender, receiver = plan.units[pair[0]], plan.units[pair[1]]
                link = timing.link(sender.kind, receiver.kind)
                plan.channels[pair] = Channel(*pair, link.depth, inflight(sender, timing), link.latency, link.rate)
            channel = unit.sites[i] = plan.channels[pair]
            vtype = ins["type"]
            channel.item_bytes = max(channel.item_bytes, vtype.lanes * element_bytes(vtype.dtype))
        elif ins.op == "VOP":
            name = operation_name(ins["code"])
            dtype = (ins["operands"] or ins["results"])[0].dtype
            unit.sites[i] = (ut.cycles(semantics.get(name).short, dtype, ins["lanes"]), ut.latency)
        elif ins.op in MATRIX_STEPS:
            unit.sites[i] = matrix.site(ins, ut)
        elif ins.op in ("VIOTA", "VSHUF"):
            unit.sites[i] = (ut.cycles(ins.op, ins["type"].dtype, ins["type"].lanes), ut.latency)
