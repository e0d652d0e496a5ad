"""Records that native code and Python share: word layouts of engine, domains, units, memories, servers, FIFOs,
counters."""

from __future__ import annotations

from dataclasses import dataclass

from headrace.machine.native.dsl import Words
from headrace.machine.plan import Code, element_bytes
from headrace.machine.result import COUNTER_SLOTS
from headrace.machine.timing import WINDOW

MAX_DIMS = 16
"""Most dimensions of a transfer."""

ENGINE = Words(
    "domains", "n_domains", "gkeys", "gunits", "ghalves", "n_global", "regions", "n_regions", "burst", "steps",
    "states", "n_states", "cap_states", "nodes", "n_nodes", "cap_nodes", "collect_at", "free_states", "free_nodes",
    "generation", "shift", "quiet", "fn_report", "fn_grow", "fn_collect", "interval", "row_bytes",
)  # fmt: skip
"""Domains; keys, units and halves of the agents that use shared servers; registered ranges (first, end, host -
first). The sanitizer's: pools of states and nodes with lists of free ones (0: none), log2 of the bytes of a granule,
``quiet`` (no more reports), and functions of the host. For shares: cycles of an interval, bytes of a row of them."""

DOMAIN = Words("clusters", "lows", "dirty", "n", "any_dirty", "stack", "n_stack")
"""Units joined by FIFOs, counters or private servers, in clusters. ``lows``: of each cluster, when it acts again at the
earliest; ``dirty``: whether it may have something to do, ``any_dirty``: one of them may; ``stack`` (without time):
units to resume."""

CLUSTER = Words("order", "count", "lower", "n_lower", "doors", "n_doors", "outer", "low", "dirty", "changed", "_:6")
"""Units of a domain that share private servers: a core, mostly. ``order``: pairs of a key and an agent, the
least last (``count`` of them behind one that is never the least). An agent is the address of its unit, or that | 1 for
the unit's writes; units lie in the order of their slots. A key is the time of the agent's request, or before which a
unit that was woken does nothing; ``lower``: when an agent that waits for a shared server can act here at the earliest;
``doors``: of each unit that can wait for another cluster, how much later than that cluster it would act
(MAX: does not wait so); ``outer``: no other cluster acts before; ``low``, ``dirty``: addresses of its words in the
domain; ``changed``: ``lower``, ``doors`` or ``outer`` have."""

UNIT = Words(
    "pc", "clock", "limit", "bound", "granted", "asked", "domain", "cluster", "door", "engine", "entry", "slot",
    "crosses", "lower", "wlower", "grequest", "gwrequest",
    "params", "args", "n_args",
    "index", "fault", "fault_a", "fault_b", "fault_mem",
    "busy", "input", "output", "signal", "memory", "completion", "done", "want", "steps", "server_hold", "hold",
    "mems", "fn_transfer", "fn_pump", "fn_region", "fn_port", "fn_holds", "fn_departs", "fn_wake", "fn_stamp",
    "fn_spend", "shares", "fn_path", "path", "part", "late",
    "x_active", "x_src", "x_dst", "x_smem", "x_dmem", "x_run", "x_at", "x_dims", "x_s", "x_d", "x_more", "x_empty",
    f"x_count:{MAX_DIMS}", f"x_extent:{MAX_DIMS}", f"x_sstride:{MAX_DIMS}", f"x_dstride:{MAX_DIMS}",
    "q_in", "q_out", "q_end", "q_posted", "q_completion", f"queue:{WINDOW * 8}",
    "vx", "width", "vc", "moves", "m_write", "p_in", "p_out", "pending",
    "fn_check_read", "fn_check_write", "fn_release", "fn_acquire", "fn_snapshot", "fn_land",
)  # fmt: skip
"""A unit. ``lower`` and ``grequest`` are addresses of its words in cluster and engine, ``wlower`` and ``gwrequest``
those of its writes; ``crosses``: it may wait for other clusters; ``asked``: the private server
that it waits for (0: none), for ``server_hold`` and ``hold`` cycles of port and unit; ``limit``: requests before it are
granted, ``bound``: the same for what the cluster's order does not tell; ``granted``: see
:data:`~headrace.machine.native.ports.NEXT`; ``x_*``: transfer under way; ``q_*``: writes in flight; ``path`` and
``part``, here and elsewhere: see :mod:`headrace.machine.native.paths`, ``late``: the part that ``completion`` belongs
to.
The sanitizer's: ``vc``, the unit's clocks (32 bits each, ``width`` of them); ``vx``, its rank among those that share
them (reads and sends at 2 vx, completed writes behind); ``moves``: it has transfers; ``p_*``, ``pending``: those that
have not landed."""

WRITE = Words("posted", "server", "server_hold", "hold", "latency", "counter", "done", "number")
"""A write in flight (or, with ``counter``, a signal behind it; ``number`` of its clocks)."""

MEM = Words(
    "first", "end", "host", "sparse", "rserver", "wserver", "rrate", "wrate", "rpath", "wpath", "rlatency", "wlatency",
    "rword", "wword", "rbytes", "wbytes", "shadow", "part",
)  # fmt: skip
"""A memory as a unit sees it. ``[first, end)`` lies at ``host + address``; ``sparse``: look further among the engine's
ranges; ``rword``: log2 of the access word; ``shadow``: where the state of byte 0 would be."""

SERVER = Words("free", "busy", "shared", "shares", "path", "part")
FIFO = Words(
    "sent",
    "received",
    "departed",
    "depth",
    "inflight",
    "capacity",
    "mask",
    "stride",
    "data",
    "latency",
    "free",
    "receiver",
    "sender",
    "bytes",
    "vcs",
    "item_ahead",
    "slot_ahead",
    "path",
    "part",
)
"""A FIFO: counts, geometry of its ring; ``receiver``/``sender``: the unit that waits, or 0; ``free``: when the
link is; ``vcs``: place of the clocks in a slot; ``*_ahead``: what a unit that waits for an item or a slot writes into
its door."""
ITEM = Words("posted", "depart", "received", "hold", "type", "_:3")
"""Header of a FIFO slot; the elements follow."""
COUNTER = Words(
    "sent", "taken", "waiter", "calls", "fault_at", "fault_kind", "fault_delay", "snapshots", "vcs", "sender", "ahead",
    "path",
    f"times:{COUNTER_SLOTS}", f"numbers:{COUNTER_SLOTS}",
)  # fmt: skip
"""Signals. ``fault_*``: what happens to the signal that is number ``fault_at``. The sanitizer's: ``vcs``, the clocks
of the last signals; ``numbers``: which of them a signal carries; ``sender``: the unit. ``ahead``: as of a FIFO."""
SITE = Words("target", "a", "b", "c")
"""Figures of an instruction in one unit: FIFO or counter, hold and part of the path; cost and latency; least bytes,
holds."""
REGION = Words("first", "end", "host", "shadow")
STATE = Words(
    "flags", "writer|before", "clock|index", "before_clock|cells", "reader|reader2", "clock1|index1", "clock2|index2",
    "reads",
)  # fmt: skip
"""State of a granule, a cache line of the host: flags and generation; the last write (unit, clock, instruction) and the
one it overwrote; how many cells have it; reads since: the last one, one in no order with it, and a list of further
ones. A unit is the number of words from the engine's record to its own, 0: none. ``writer`` of a free state: the next
free one."""
FIXED = 4
"""States in front that say no more than their flags, which are their numbers."""
NODE = Words("reader", "clock|index", "next", "_")
"""A read that its state has no room for."""
SNAPSHOTS = 2 * COUNTER_SLOTS
"""Clocks of signals kept by a counter."""
PENDING = 256
"""Transfers of a unit that may be under way in sanitized runs."""
PENDING_WORDS = UNIT["q_in"] - UNIT["x_active"]
"""Size of the description of a transfer."""


@dataclass(frozen=True)
class UnitLayout:
    """Word offsets of what follows :data:`UNIT` in the record of a unit of one code section."""

    registers: int
    loops: dict[int, int]
    times: dict[int, int]
    sites: int
    mems: int
    n_mems: int
    vectors: dict[int, int]
    matrix: int
    size: int


def unit_layout(code: Code) -> UnitLayout:
    """Layout of the records of the units that run ``code``."""
    at = UNIT.size
    registers = at
    at += code.registers
    loops = {}
    for i, ins in enumerate(code.instructions):
        if ins.op == "LOOP":
            loops[i] = at
            at += 2
    times = {}
    for reg in sorted(code.vectors):
        times[reg] = at
        at += 2
    sites = at
    at += SITE.size * len(code.sites)
    mems = at
    n_mems = 1 + max([-1, *(ins[f.name] for ins in code.instructions for f in ins.opcode.fields if f.kind == "mem")])
    at += MEM.size * n_mems
    at = -(-at // 8) * 8
    vectors = {}
    for reg, vtype in sorted(code.vectors.items()):
        vectors[reg] = at
        at += -(-vtype.lanes * element_bytes(vtype.dtype) // 64) * 8
    from headrace.machine.native.matrix import words

    return UnitLayout(registers, loops, times, sites, mems, n_mems, vectors, at, at + words(code))
