"""tile-size-selection: give every reserved tile size a number.

Precondition: coarsened programs with `ktdf.tiling.reserve_size` placeholders. Postcondition: none is left; buffer
shapes and, where sizes divide their
totals, tile extents are constants. The decision is made here and nowhere else: innermost dimension first, each as large
as the tile budget allows,
sizes that divide their total preferred.

    %s = reserve_size ; alloc(%s) : memref<?xf16> ; for %t to ceildiv(4096, %s) { .. }   ->   alloc : memref<1024xf16> ; for %t to 4 { .. }

The budget is the bytes of all staging buffers of one program in one memory, each counted as often as double buffering
will copy it. It is the
memory's allocatable part, but no more than a share of the program's data that leaves `WANTED_TILES` tiles to overlap,
and not below `SMALL_TILE`. Where an operand is fetched again for every tile of a loop around its own (the right operand
of a product), fewer and larger tiles are taken, as long as that saves more than `WORTH` of what is fetched. Where not even
the smallest tiles fit that often, there is one copy of each buffer (`headrace.copies`).

A program of a chain (`merge-programs`) that a loop of the coordinator calls gets `IN_TURN` tiles and, where there is room, a buffer for
each (`headrace.copies`): its next run is then fetched, and its last one stored, beside the other programs.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd, prod

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp, TensorType, i64
from xdsl.ir import Operation, SSAValue

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, ancestors, constant_of, walk_ops
from headrace.scheduler.device import allocatable, attr_kind, device_of, owned_ranges, programs
from headrace.scheduler.notes import decided
from headrace.scheduler.shape.address_assignment import ALIGNMENT
from headrace.scheduler.simplify import simplify
from headrace.scheduler.split.products import CHAINED

WANTED_TILES = 24
SMALL_TILE = 24 * 1024
COPIES = 2
WORTH = 0.2
"""Share of the fetched bytes that fewer tiles have to save."""
IN_TURN = 4
"""Tiles of a program of a chain whose buffers hold all of its data."""
COPIES_DECIDED = "headrace.copies"
"""Attribute of a program: copies of each of its staging buffers."""


@dataclass
class TileSizeSelection(Pass):
    """Choose tile sizes that fill the scratchpad sensibly."""

    name = "tile-size-selection"
    wanted_tiles: int = WANTED_TILES
    """Tiles that should be there to overlap."""
    copies: int = COPIES
    """Copies of each buffer that double buffering will make."""
    limit: int = 0
    """Largest tile extent in every dimension; 0: none."""

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        owned = owned_ranges(module, device)
        repeated = repeated_links(module)
        room = room_of_chain(module, device, owned) if repeated else {}
        for program in programs(module):
            reserved = list(walk_ops(program, "ktdf.tiling.reserve_size"))
            if not reserved:
                continue
            sizes = whole_in_turn(program, reserved, device, owned, self, repeated, room)
            if sizes is None:
                sizes = choose(program, reserved, device, owned, self)
            totals = [total_of(op.results[0]) for op in reserved]
            decided(program, "tile size", " x ".join(f"{n} of {t}" for n, t in zip(sizes, totals, strict=True)))
            for op, size in zip(reserved, sizes, strict=True):
                op.results[0].replace_all_uses_with(Emitter.before(op).value(size))
                op.detach()
                op.erase()
            simplify(program)


@dataclass(eq=False)
class Buffer:
    """A staging buffer, or what an operation leaves for later ones: memory kind, bytes of its fixed dimensions, and
    (placeholder, factor) per growing dimension."""

    op: Operation
    kind: str
    fixed: int
    growing: list[tuple[SSAValue, int]]

    def bytes(self, sizes: dict[SSAValue, int], copies: int = COPIES, aligned: bool = False) -> int:
        """Bytes of all copies; with what lies between them where `aligned`."""
        total = self.fixed
        for v, factor in self.growing:
            total *= sizes[v] * factor
        return -(-total // ALIGNMENT) * ALIGNMENT * copies if aligned else total * copies


def choose(
    program: func.FuncOp,
    reserved: list[Operation],
    device: Device,
    owned: dict[str, list[tuple[int, int]]],
    wish: TileSizeSelection,
) -> list[int]:
    """Tile sizes for the placeholders of one program, in their order (outermost first)."""
    values = [op.results[0] for op in reserved]
    totals = {v: total_of(v) for v in values}
    buffers = [describe(op, device) for op in walk_ops(program, "memref.alloc") if isinstance(op, memref.AllocOp)]
    kinds = sorted({b.kind for b in buffers})
    whole = dict(totals)
    rows = any("headrace.row" in op.attributes for op in walk_ops(program, "linalg.generic"))
    wanted = wish.wanted_tiles // 2 if rows else wish.wanted_tiles  # rows of a tile wait for each other's reductions
    capacity = {k: allocatable(device, k, owned) for k in kinds}
    results = row_results(program, values, device)
    smallest: dict[SSAValue, int] = dict.fromkeys(values, 1)

    def room(trial: dict[SSAValue, int], kind: str, copies: int) -> int:
        return sum(b.bytes(trial, copies) for b in buffers if b.kind == kind)

    copies = wish.copies
    if any(room(smallest, k, copies) > capacity[k] for k in kinds):
        copies = 1
        program.attributes[COPIES_DECIDED] = IntegerAttr(copies, i64)
    everything = {k: room(whole, k, copies) for k in kinds}  # pyright: ignore[reportArgumentType]

    def fits(trial: dict[SSAValue, int], limit: dict[str, int]) -> bool:
        return all(room(trial, k, copies) <= limit[k] for k in kinds)

    def placed(trial: dict[SSAValue, int]) -> bool:
        taken = {k: sum(b.bytes(trial, copies, True) for b in buffers if b.kind == k) for k in kinds}
        for r in results:
            taken[r.kind] = taken.get(r.kind, 0) + r.bytes(trial, 1, True)
        return all(n <= capacity.get(k, n) for k, n in taken.items())

    if not fits(smallest, capacity):
        raise overflow(program, buffers, smallest, capacity)

    def sizes_for(tiles: int) -> dict[SSAValue, int]:
        budget = {k: min(capacity[k], max(SMALL_TILE, everything[k] // tiles)) for k in kinds}
        sizes = dict(smallest)
        for v in reversed(values):
            most = min(totals[v], wish.limit) if wish.limit else totals[v]
            sizes[v] = largest(most, lambda n, v=v: fits({**sizes, v: n}, budget) and placed({**sizes, v: n}))
        return sizes

    counts = [max(1, wanted)]
    while counts[-1] > 1:
        counts.append(counts[-1] // 2)
    found = [sizes_for(n) for n in counts]
    moved = [sum(fetched(b, sizes, totals) for b in buffers) for sizes in found]  # pyright: ignore[reportArgumentType]
    chosen = next(sizes for sizes, n in zip(found, moved, strict=True) if (1 - WORTH) * n <= min(moved))
    return [chosen[v] for v in values]


def fetched(buffer: Buffer, sizes: dict[SSAValue, int], totals: dict[SSAValue, int]) -> int:
    """Bytes that go through a buffer over a whole program with loops over the tiles of `totals`, outermost first: it is
    filled anew in every iteration of the innermost loop that it follows."""
    runs, at_its_loop = 1, 1
    follows = {v for v, _ in buffer.growing}
    for v, total in totals.items():
        tiles = -(-total // sizes[v])
        runs *= tiles
        if v in follows and tiles > 1:
            at_its_loop = runs
    return buffer.bytes(sizes, 1) * at_its_loop


def copies_of(program: func.FuncOp) -> int:
    """Copies of each staging buffer that were decided for a program; 0 where that is left to double buffering."""
    copies = program.attributes.get(COPIES_DECIDED)
    return copies.value.data if isinstance(copies, IntegerAttr) else 0


def repeated_links(module: ModuleOp) -> frozenset[str]:
    """Programs of chains that loops of the coordinator call."""
    return frozenset(
        call.callee.string_value()
        for kernel in walk_ops(module, "func.func") if CHAINED in kernel.attributes
        for loop in walk_ops(kernel, "scf.for")
        for call in walk_ops(loop, "func.call") if isinstance(call, func.CallOp)
    )  # fmt: skip


def room_of_chain(module: ModuleOp, device: Device, owned: dict[str, list[tuple[int, int]]]) -> dict[str, int]:
    """Bytes of each memory that are left for staging buffers when the programs of a module become one."""
    room: dict[str, int] = {}
    described = [
        [describe(op, device) for op in walk_ops(program, "memref.alloc") if isinstance(op, memref.AllocOp)]
        for program in programs(module, mapped=True)
    ]
    for kind in device.memories:
        taken = 0
        for buffers in described:
            own = [b for b in buffers if b.kind == kind]
            taken += SMALL_TILE if any(b.growing for b in own) else 0
            taken += sum(-(-b.fixed // ALIGNMENT) * ALIGNMENT for b in own if not b.growing)
        room[kind] = allocatable(device, kind, owned) - taken if device.memory_level(kind) else 0
    return room


def whole_in_turn(
    program: func.FuncOp, reserved: list[Operation], device: Device, owned: dict[str, list[tuple[int, int]]],
    wish: TileSizeSelection, repeated: frozenset[str], room: dict[str, int],
) -> list[int] | None:  # fmt: skip
    """Tile sizes with which all tiles of a program, or a part of them, have a buffer each, so that its next run is
    fetched, and its last one stored, beside other programs; None where that has no use or no room."""
    if program.sym_name.data not in repeated or wish.copies < COPIES or wish.limit:
        return None
    values = [op.results[0] for op in reserved]
    totals = {v: total_of(v) for v in values}
    buffers = [describe(op, device) for op in walk_ops(program, "memref.alloc") if isinstance(op, memref.AllocOp)]
    left, sizes = IN_TURN, dict(totals)
    for v in values:
        parts = gcd(left, totals[v])
        sizes[v], left = totals[v] // parts, left // parts
    count = prod(totals[v] // sizes[v] for v in values)
    one = {k: sum(b.bytes(sizes, 1) for b in buffers if b.kind == k) for k in {b.kind for b in buffers}}  # pyright: ignore[reportArgumentType]
    if not one or any(n * count < SMALL_TILE for n in one.values()):
        return None
    most = min(room[k] // max(1, b) for k, b in one.items())
    copies = next((n for n in range(min(count, most), 1, -1) if count % n == 0), 0)
    if not copies:
        return None
    for k, n in one.items():
        room[k] -= n * copies
    program.attributes[COPIES_DECIDED] = IntegerAttr(copies, i64)
    return [sizes[v] for v in values]


def largest(total: int, fits: object) -> int:
    """The largest n <= total that fits (n = 1 is taken to fit); a divisor of total is preferred down to half of it,
    even ones
    first; without one, tiles of nearly equal size."""
    low, high = 1, total
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):  # type: ignore[operator]
            low = middle
        else:
            high = middle - 1
    divisors = [n for n in range(low, (low + 1) // 2 - 1, -1) if n > 0 and total % n == 0]
    even = [n for n in divisors if n % 2 == 0]
    tiles = -(-total // low)
    return (even or divisors or [-(-total // tiles)])[0]


def total_of(size: SSAValue) -> int:
    """The extent that a placeholder cuts; for one only known at launch, an estimate that makes tiles of useful size."""
    for use in size.uses:
        op = use.operation
        if isinstance(op, arith.CeilDivUIOp) and op.rhs is size:
            known = constant_of(op.lhs)
            return known if known is not None else ktdf.upper_bound(op.lhs) or 1024
    return 1


def describe(op: memref.AllocOp, device: Device) -> Buffer:
    """The size of a buffer as a product over placeholders."""
    t = op.results[0].type
    assert isinstance(t, MemRefType)
    fixed = dtype_of(t.element_type).bytes
    for n in t.get_shape():
        if n != DYNAMIC_INDEX:
            fixed *= n
    growing = [factor_of(v) for v in op.operands]
    return Buffer(op, attr_kind(device, t.memory_space), fixed, growing)


def row_results(program: func.FuncOp, placeholders: Sequence[SSAValue], device: Device) -> list[Buffer]:
    """What the reductions of rows will leave in the scratchpad for all rows of a tile (`reduction-loop-exposure`)."""
    found: list[Buffer] = []
    generics = [op for op in walk_ops(program, "linalg.generic") if "headrace.row" in op.attributes]
    for op, following in pairwise(generics):
        pipeline = next(a for a in ancestors(op) if a.name == "ktdf.pipeline")
        if not pipeline.is_ancestor(following):
            continue  # the last one of a row stores what it makes
        t, store = op.results[0].type, ktdf.stages(pipeline)[-1]
        assert isinstance(t, TensorType)
        sides = [ktdf.side_of(x, "dest").value.type for x in walk_ops(store, "ktdf.data_transfer")]
        kind = next((attr_kind(device, s.memory_space) for s in sides if isinstance(s, MemRefType)), None)
        if kind is None:
            continue
        fixed, growing = dtype_of(t.element_type).bytes * prod(t.get_shape()), []
        loop = pipeline.parent_op()
        while isinstance(loop, scf.ForOp):
            by = [v for v in placeholders if isinstance(loop.ub.owner, Operation) and v in loop.ub.owner.operands]
            growing += [(v, 1) for v in by]
            fixed *= 1 if by else ktdf.upper_size(loop.ub)
            loop = loop.parent_op()
        found.append(Buffer(op, kind, fixed, growing))
    return found


def factor_of(value: SSAValue) -> tuple[SSAValue, int]:
    """`value` as placeholder times constant."""
    owner = value.owner
    if isinstance(owner, arith.MuliOp):
        for a, b in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
            k = constant_of(b)
            if k is not None:
                inner, factor = factor_of(a)
                return inner, factor * k
    return value, 1


def overflow(
    program: func.FuncOp, buffers: list[Buffer], sizes: dict[SSAValue, int], capacity: dict[str, int]
) -> Exception:
    """The error for a program whose smallest tile does not fit."""
    notes = []
    for b in buffers:
        notes.append(
            (b.op, f"buffer {b.op.results[0].type} needs {b.bytes(sizes, 1)} bytes of '{b.kind}' (a single copy)")
        )
    for kind, limit in sorted(capacity.items()):
        need = sum(b.bytes(sizes, 1) for b in buffers if b.kind == kind)
        notes.append((program, f"'{kind}': {need} bytes needed, {limit} bytes can be allocated"))
    return error(program, "tile-size-selection: the smallest tile of this program does not fit the scratchpad", notes)
