"""Which unit kind reads and writes which memory, stage by stage, and which buffers may be the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from headrace.arch import Device
from headrace.ir.construct import operand_groups
from headrace.ir.dialects.ktdf import IndirectMemrefOp
from headrace.ir.types import integer_values
from headrace.scheduler.build import ancestors, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.lower.memrefs import Chains, candidates, resolve


@dataclass(frozen=True, eq=False)
class Access:
    """One memref operand of an operation in a leaf stage."""

    stage: Operation
    kind: str
    op: Operation
    memref: SSAValue
    write: bool
    group: int
    box: tuple[tuple[Linear, int], ...] | None
    """Per dimension (origin, size) of a transfer's box, None where it is not known."""
    place: object
    """What two memrefs with the same elements at the same subscripts have in common."""
    own: bool = False
    """Whether the memory exists several times in a core: its units share it with units of their own instance only."""


def stage_kinds(stage: Operation) -> list[str]:
    """The unit kinds of a stage's `applicable_units`."""
    units = stage.attributes.get("applicable_units") or stage.properties.get("applicable_units")
    if units is None:
        return []
    return [kind.data for kind in units.data]  # type: ignore[attr-defined]


def is_leaf(stage: Operation) -> bool:
    """Whether no pipeline is nested in the stage."""
    return next(walk_ops(stage, "ktdf.pipeline"), None) is None


def transfer_box(op: Operation, side: str) -> tuple[tuple[Linear, int], ...] | None:
    """The box that one memref side ("source" or "dest") of a transfer touches; None if it is dynamic or not affine."""
    affine_map = op.properties[f"{side}_map"].data  # type: ignore[attr-defined]
    sizes = integer_values(op.properties[f"static_{side}_sizes"])
    operands = [linear(v) for v in operand_groups(op)[1 if side == "source" else 4]]
    box: list[tuple[Linear, int]] = []
    for expr, size in zip(affine_map.results, sizes, strict=True):
        origin = of_affine(expr, operands, affine_map.num_dims)
        if origin is None or size < 0:
            return None
        box.append((origin, size))
    return tuple(box)


def memory_operands(op: Operation) -> Iterator[tuple[SSAValue, bool, tuple[tuple[Linear, int], ...] | None]]:
    """(memref, written, box) of each memref that `op` reads or writes."""
    if op.name == "ktdf.data_transfer":
        groups = operand_groups(op)
        source, destination = groups[0][0], groups[3][0]
        for memref, write, side in ((source, False, "source"), (destination, True, "dest")):
            if isinstance(memref.type, MemRefType):
                view = resolve(memref)
                if isinstance(view, IndirectMemrefOp):
                    yield view.base, write, None
                    yield view.table, False, None
                else:
                    yield memref, write, transfer_box(op, side)
    elif op.name in ("linalg.generic", "linalg.fill"):
        for v in op.inputs:  # type: ignore[attr-defined]
            if isinstance(v.type, MemRefType):
                yield v, False, None
        for v in op.outputs:  # type: ignore[attr-defined]
            if isinstance(v.type, MemRefType):
                yield v, False, None
                yield v, True, None
    elif op.name == "memref.copy":
        yield op.operands[0], False, None
        yield op.operands[1], True, None
    elif op.name == "ktdf.write_to_fifo" and isinstance(op.operands[0].type, MemRefType):
        yield op.operands[0], False, None


class _Roots:
    """Union-find over buffers: two buffers that may share bytes are one group."""

    def __init__(self, chains: Chains, device: Device):
        self.chains = chains
        self.device = device
        self.parent: list[int] = []
        self.known: list[tuple[str, tuple[int, int] | None, frozenset[SSAValue] | None]] = []
        self.by_key: dict[object, int] = {}

    def find(self, i: int) -> int:
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def union(self, a: int, b: int) -> None:
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)

    def add(self, memref: SSAValue) -> int:
        members = [self._add_one(v) for v in candidates(memref)]
        for other in members[1:]:
            self.union(members[0], other)
        return members[0]

    def _add_one(self, memref: SSAValue) -> int:
        chain = self.chains.of(memref)
        kind = self.device.space_to_kind(chain.space)
        extent = chain.byte_range()
        pointers = None if extent is not None else frozenset(_pointers(chain.base))
        key = (kind, extent, pointers)
        number = self.by_key.get(key)
        if number is None:
            number = self.by_key[key] = len(self.parent)
            self.parent.append(number)
            for other, entry in enumerate(self.known):
                if _may_alias(entry, key):
                    self.union(other, number)
            self.known.append(key)
        return number


def _pointers(base: Linear) -> Iterator[SSAValue]:
    """Function arguments an address is computed from."""
    seen: set[SSAValue] = set()
    work = list(base.terms)
    while work:
        v = work.pop()
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v, BlockArgument):
            parent = v.owner.parent_op()
            if parent is not None and parent.name == "func.func":
                yield v
        else:
            assert isinstance(v.owner, Operation)
            work.extend(v.owner.operands)


def _may_alias(
    a: tuple[str, tuple[int, int] | None, frozenset[SSAValue] | None],
    b: tuple[str, tuple[int, int] | None, frozenset[SSAValue] | None],
) -> bool:
    """Buffers alias when constant ranges meet, or when an argument takes part in both addresses.

    Different arguments are different buffers (the launch checks it); an address made of no argument and no constant may
    be anywhere in its memory.
    """
    if a[0] != b[0]:
        return False
    if a[1] is not None and b[1] is not None:
        return a[1][0] < b[1][1] and b[1][0] < a[1][1]
    if a[2] and b[2]:
        return bool(a[2] & b[2])
    return a[2] == frozenset() or b[2] == frozenset()


def collect(func: Operation, chains: Chains, device: Device) -> list[Access]:
    """Every memory access of the leaf stages, in program order."""
    roots = _Roots(chains, device)
    found: list[tuple[Operation, str, Operation, SSAValue, bool, int, tuple[tuple[Linear, int], ...] | None]] = []
    for stage in walk_ops(func, "ktdf.stage"):
        if not is_leaf(stage):
            continue
        kind = stage_kinds(stage)[0]
        for op in walk_ops(stage):
            for memref, write, box in memory_operands(op):
                found.append((stage, kind, op, memref, write, roots.add(memref), box))
    return [
        Access(s, k, o, m, w, roots.find(g), b, place_of(m, chains), device.memory_of(m).instances > 1)
        for s, k, o, m, w, g, b in found
    ]


def place_of(memref: SSAValue, chains: Chains) -> object:
    """Address and layout of a memref; the memref itself for one that rotates."""
    if resolve(memref).name == "ktdf.select_memref":
        return memref
    chain = chains.of(memref)
    shape = (chain.strides, chain.element_type, chain.space)
    return (chain.base.key(), chain.unit, chain.offset.key(), *shape)


def trip_count(loop: Operation) -> int | None:
    """Static number of iterations of an `scf.for` or 1-D `ktdf.parallel`, None if unknown."""
    lb, ub, step = (constant_of(v) for v in loop.operands[:3])
    if lb is None or ub is None or step is None or step <= 0:
        return None
    return max(0, -(-(ub - lb) // step))


def is_once(loop: Operation) -> bool:
    """Whether a `ktdf.parallel` gives each instance one iteration at most."""
    if loop.name != "ktdf.parallel":
        return False
    trips = trip_count(loop)
    return trips is not None and trips <= loop.properties["num_instances"].value.data  # type: ignore[attr-defined]


def enclosing_loops(op: Operation) -> list[Operation]:
    """Loops (`scf.for`, `ktdf.parallel`) around `op`, outermost first."""
    return [p for p in reversed(list(ancestors(op))) if p.name in ("scf.for", "ktdf.parallel")]


def footprint(access: Access) -> tuple[tuple[Linear, int], ...] | None:
    """The box of an access together with the loops inside its stage; None where it is not known."""
    if access.box is None:
        return None
    inner = {}
    for op in ancestors(access.op):
        if op is access.stage:
            break
        if op.name == "scf.for":
            inner[op.regions[0].block.args[0]] = op
    box = []
    for origin, size in access.box:
        for v, c in list(origin.terms.items()):
            if v not in inner:
                continue
            trips = trip_count(inner[v])
            if trips is None or c <= 0 or constant_of(inner[v].operands[0]) != 0:
                return None
            size += c * (constant_of(inner[v].operands[2]) or 1) * max(0, trips - 1)
            origin = origin.without({v})
        box.append((origin, size))
    return tuple(box)


def disjoint(a: Access, b: Access) -> bool:
    """Whether two accesses certainly touch different bytes: parts of one buffer that do not meet in some dimension."""
    mine, other = footprint(a), footprint(b)
    if mine is None or other is None or a.place != b.place:
        return False
    for (low, size), (start, extent) in zip(mine, other, strict=True):
        gap = start - low
        if gap.is_const and (gap.const >= size or -gap.const >= extent):
            return True
    return False


def streams(first: list[Access], second: list[Access], loops: list[Operation]) -> bool:
    """Whether accesses of different iterations of `loops` touch different bytes (so only the order within one counts).

    True only when every access is the same box of the same memref and each loop moves that box by at least its size, in
    a dimension of its own or nested without overlap. A `ktdf.parallel` with one iteration an instance is no loop to a
    unit.
    """
    loops = [loop for loop in loops if not is_once(loop)]
    accesses = first + second
    box = footprint(accesses[0])
    if (
        box is None
        or resolve(accesses[0].memref).name == "ktdf.select_memref"
        or any(len(p.operands) != 3 for p in loops)
    ):
        return False
    for a in accesses:
        own = footprint(a)
        if a.place != accesses[0].place or own is None:
            return False
        if [(o.key(), s) for o, s in own] != [(o.key(), s) for o, s in box]:
            return False
    moved: dict[SSAValue, Operation] = {loop.regions[0].block.args[0]: loop for loop in loops}
    seen: set[SSAValue] = set()
    for origin, size in box:
        reach = size
        for value, coefficient in sorted(((v, c) for v, c in origin.terms.items() if v in moved), key=lambda t: t[1]):
            loop = moved[value]
            trips = trip_count(loop)
            step = constant_of(loop.operands[2])
            if value in seen or step is None or coefficient <= 0 or coefficient * step < reach:
                return False
            seen.add(value)
            if trips is None:
                reach = 1 << 62
            else:
                reach = coefficient * step * max(trips - 1, 0) + reach
    # the memref itself must not move with a loop in a way its subscripts do not show
    chain_ops = [resolve(accesses[0].memref)]
    while chain_ops[-1].operands and isinstance(chain_ops[-1].operands[0].type, MemRefType):
        chain_ops.append(resolve(chain_ops[-1].operands[0]))
    for op in chain_ops:
        if any(isinstance(p, scf.ForOp) for p in ancestors(op) if p in loops):
            return False
    return seen == set(moved)
