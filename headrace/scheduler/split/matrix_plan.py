"""Whether a program is a contraction for the device's matrix unit, and how it is cut: the decisions, from an estimate.

A contraction has four classes of domain dimensions: batch (both operands and the result), rows M (the streamed operand
and the result), columns N (the resident operand and the result), and K (both operands, summed). Columns are the side of
the result's contiguous dimension. The innermost dimension of M, N and K is cut into *points*: accumulator rows, block
columns, block depth. Decisions (attribute `headrace.contraction` of the program):

- `streamed`, `resident`: which operand is which;
- `tile`: what of each class lies in the scratchpad at once;
- `stays`: `sums` (K is split: both operands stream past a block of sums kept in the scratchpad), `streamed` or
  `resident` (that operand's whole rows or columns stay while the other passes);
- `rows`: accumulator rows of a point; `split`: the class whose points the core's units share;
- `woven`: whether the epilogue of a point runs beside the blocks of the next one, and `skew`: also from tile to tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from headrace.arch import Device
from headrace.arch.timing import MatrixSpec
from headrace.ir.analysis.grid import grid_of
from headrace.ir.dialects import ktdp
from headrace.ir.types import dtype_of
from headrace.ir.walk import walk_ops
from headrace.scheduler.build import ancestors, constant_of
from headrace.scheduler.device import allocatable
from headrace.scheduler.estimate import short_name
from headrace.scheduler.schedule import upper_bound
from headrace.scheduler.shared import APART, Cut, cut_box, ring_rate, rings
from headrace.scheduler.split.contraction import is_zero
from headrace.scheduler.split.products import CHAINED, is_product
from headrace.scheduler.split.scalarize import Node, Operand

GUESS = 512
"""What an extent that is only known at launch is taken to be, where it has no smaller upper bound."""
TURNS = 8
"""The same for the iterations of a loop."""
LEAST_EPILOGUE = 16
"""An epilogue is worth weaving where the product takes no more than so many times as long."""
LEAST_BLOCKS = 6
"""Blocks of K from which on an epilogue can be spread over them."""
IN_FLIGHT = 16
"""Bursts that a transfer unit is taken to keep in flight."""

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


@dataclass(frozen=True)
class MatrixPath:
    """The units around a matrix unit: main memory -> `fetch` -> `memory` -> `load` -> `unit` -> `store` -> `memory`
    -> `drain` -> main memory, and the vector unit beside it."""

    unit: str
    spec: MatrixSpec
    main: str
    memory: str
    fetch: str
    drain: str
    load: str
    store: str
    vector: str
    vector_load: str
    vector_store: str
    instances: int


def matrix_path(device: Device, main: str) -> MatrixPath | None:
    """The first matrix unit that a scratchpad one hop from `main` feeds; None if the device has none."""
    for kind in sorted(device.units):
        spec = device.unit(kind).matrix
        if spec is None:
            continue
        loads = [p.source for p in device.incoming(kind) if p.source in device.units]
        stores = [p.target for p in device.outgoing(kind) if p.target in device.units]
        for load in loads:
            for memory in [p.source for p in device.incoming(load) if p.source in device.memories]:
                for store in stores:
                    if device.datapath(store, memory) is None:
                        continue
                    routes = (
                        device.route(main, memory), device.route(memory, main),
                        device.route(memory, device.compute_kind), device.route(device.compute_kind, memory),
                    )  # fmt: skip
                    if all(len(r) == 3 and r[1] in device.units for r in routes):
                        fetch, drain, vector_load, vector_store = (r[1] for r in routes)
                        return MatrixPath(
                            kind, spec, main, memory, fetch, drain, load, store, device.compute_kind, vector_load,
                            vector_store, max(1, device.corelets((load, kind, store))),
                        )  # fmt: skip
    return None


@dataclass(eq=False)
class Contraction:
    """A contraction in terms of the domain: operands, classes of dimensions (innermost last), extents, tiles."""

    path: MatrixPath
    node: Node
    streamed: Operand
    resident: Operand
    batch: list[int]
    m: list[int]
    n: list[int]
    k: list[int]
    extents: dict[int, int]
    inputs: list[Operand]
    outputs: list[Operand]
    launch: dict[int, tuple[SSAValue, int]] = field(default_factory=dict)
    """Extents that are only known at launch, with what divides them; `extents` has a guess for them."""
    tile: dict[int, int] = field(default_factory=dict)
    rows: int = 1
    stays: str = "sums"
    split: str = "n"
    cycles: int = 0
    rings: dict[Operand, list[list[int]]] = field(default_factory=dict)
    """Operands whose tiles several tiles of the grid read: these, in rings."""
    ring_rates: dict[Operand, float] = field(default_factory=dict)
    share: bool = False
    """Whether they share the reads (`headrace.share`)."""
    epilogue: float = 0
    """Cycles of the vector unit for the epilogue of one vector of sums."""
    woven: bool = False
    """Whether the epilogue of a point runs beside the blocks of the next one."""
    weave: int = -1
    """The dimension along which points follow each other then."""
    skew: int = -1
    """The dimension along which tiles follow each other, where the epilogue of a tile's last points runs beside the
    first blocks of the next tile; -1 where a tile ends with its epilogue."""
    direct: bool = False
    """Whether the sums themselves are the result, where it lies."""
    chained: bool = False
    """Whether the program is one of a chain, which becomes one program."""
    waits: bool = True
    """Whether nothing hides its first loads: it stands outside of chains, begins one, or follows a program that keeps
    main memory busy."""
    ends: bool = True
    """Whether nothing hides its last stores: it stands outside of chains, or ends one."""
    local: frozenset[Operand] = frozenset()
    """Operands that lie in the scratchpad already, or stay there: they take no buffer and no transfer."""

    @property
    def around_copies(self) -> int:
        """Buffers of a result and of what its epilogue loads: one where a result takes several K tiles, which leaves
        time to move them."""
        return 2 if self.tiles([*self.batch, *self.m, *self.n]) > 1 and self.tiles(self.k) == 1 else 1

    def copies(self, operand: Operand, stays: str) -> int:
        """Buffers of an operand: two where another tile of it comes while one is in use; for one that stays also where
        the program runs again (in a chain)."""
        dims = list(self.tile)
        if not self.chained and stays == "streamed" and operand is self.streamed:
            dims = [*self.batch, *self.m]
        elif not self.chained and stays == "resident" and operand is self.resident:
            dims = [*self.batch, *self.n]
        return 2 if self.tiles(dims) > 1 else 1

    def size(self, dims: Sequence[int]) -> int:
        """Elements of a tile over these dimensions."""
        return prod(self.tile[d] for d in dims)

    def tiles(self, dims: Sequence[int]) -> int:
        """Tiles over these dimensions."""
        return prod(-(-self.extents[d] // self.tile[d]) for d in dims)


def plan_contraction(builder: Builder) -> Contraction | None:
    """The contraction of a program with its decisions; None where the vector unit has to take it."""
    found = recognise(builder)
    if found is None:
        return None
    return decide(found, builder)


# -- recognition -------------------------------------------------------------------------------------------------------


def recognise(builder: Builder) -> Contraction | None:
    """Take apart a program with one sum of products of two loaded operands."""
    if len(builder.nodes) != 1 or builder.index_placeholders or builder.scalarizer.uses_index:
        return None
    node = builder.nodes[0]
    device = builder.device
    operands = [*builder.table.operands, *builder.outputs]
    kinds = {device.space_to_kind(o.access.space) for o in operands}
    mains = [kind for kind in sorted(device.memories) if device.memory_level(kind) == 0]
    main = next((kind for kind in mains if kind in kinds), mains[0])
    path = matrix_path(device, main)
    factors = product_of(node)
    if path is None or kinds - {main, path.memory} or factors is None:
        return None
    if node.combiner.name != "arith.addf" or not is_zero(node.init):
        return None
    a, b = factors
    if path.spec.accumulate != f32 or any(o.access.element_type not in path.spec.inputs for o in factors):
        return None
    if a.access.element_type != b.access.element_type:
        return None
    extents: dict[int, int] = {}
    launch: dict[int, tuple[SSAValue, int]] = {}
    for d, extent in enumerate(builder.extents):
        n = constant_of(extent)
        if n == 0:
            return None
        if n is None:
            assert isinstance(extent, SSAValue)
            launch[d] = extent, builder.multiples[d]
            guess, bound = GUESS if d >= len(builder.loops) else TURNS, upper_bound(extent)
            extents[d] = guess if bound is None else max(2, min(bound, guess))
        elif n > 1:
            extents[d] = n
    walked = {d: (bool(a.strides[d]), bool(b.strides[d])) for d in extents}
    k = [d for d in extents if d in node.reduced]
    rest = [d for d in extents if d not in node.reduced]
    around = range(len(builder.loops))  # each iteration computes the node
    if any(walked[d] != (True, True) for d in k) or any(d not in (*around, *node.parallel) for d in rest):
        return None
    if any(walked[d] == (False, False) for d in rest) or not k:
        return None
    inputs = [o for o in builder.table.operands if o in builder.scalarizer.inputs]
    if any(not o.strides[d] for o in builder.outputs for d in rest) or any(o.strides[d] for o in inputs for d in k):
        return None
    only_a = [d for d in rest if walked[d] == (True, False)]
    only_b = [d for d in rest if walked[d] == (False, True)]
    batch = [d for d in rest if walked[d] == (True, True)]
    out = builder.outputs[0]
    contiguous = [d for d in rest if abs(out.strides[d]) == 1]
    swap = bool(contiguous and contiguous[0] in only_a) or not only_b
    if swap:
        a, b, only_a, only_b = b, a, only_b, only_a
    if not only_b:
        return None

    def inner_last(dims: list[int], *by: Operand) -> list[int]:
        return sorted(dims, key=lambda d: (-min(abs(o.strides[d]) for o in by if o.strides[d]), -d))

    def point_last(dims: list[int], *by: Operand) -> list[int]:
        """Innermost last, but a long dimension rather than one of a few elements, or one of unknown length."""
        dims = inner_last(dims, *by)
        best = max(dims, key=lambda d: (min(extents[d], 64 if d not in launch else path.spec.k), dims.index(d)))
        return [d for d in dims if d != best] + [best]

    found = Contraction(
        path, node, a, b,
        inner_last(batch, out),
        point_last(only_a, a, out) if only_a else [],
        inner_last(only_b, out),
        inner_last(k, a, b),
        extents, inputs, list(builder.outputs), launch,
    )  # fmt: skip
    if launch.keys() & {found.n[-1], *k}:
        return None
    found.local = frozenset(o for o in operands if device.space_to_kind(o.access.space) == path.memory)
    joint = device.interconnect
    if joint is not None and joint.unit == path.fetch and not builder.guarded and not launch:
        grid = grid_of(builder.program)
        for operand in (a, b):
            if operand in found.local:
                continue
            forms = [builder.resolve(operand.access.base), operand.offset]
            groups = rings(forms, grid)
            if groups is not None:
                found.rings[operand] = groups
                found.ring_rates[operand] = ring_rate(groups, joint, device.cores or prod(grid))
    return found


def order_of(c: Contraction, operand: Operand) -> list[int]:
    """Dimensions that an operand walks, outermost in memory first."""
    dims = [d for d in c.extents if operand.strides[d]]
    return sorted(dims, key=lambda d: (-abs(operand.strides[d]), d))


def cut_of(c: Contraction, operand: Operand, sizes: list[int], device: Device) -> Cut | None:
    """How a tile of these sizes is cut among the tiles that share its read; None where each reads for itself."""
    dims = order_of(c, operand)
    if not c.share or operand not in c.rings or not dims or abs(operand.strides[dims[-1]]) != 1:
        return None
    members = len(c.rings[operand][0])
    lanes = device.vector_lanes(operand.access.element_type)
    return cut_box(sizes, members, lanes, device.queue_depth(c.path.fetch, c.path.fetch))


def product_of(node: Node) -> tuple[Operand, Operand] | None:
    """The two loaded factors of a node's term, where the term is their product in f32."""
    product = node.term.owner
    if not isinstance(product, arith.MulfOp) or node.term.type != f32:
        return None
    factors: list[Operand] = []
    known: set[Operation] = {product}
    for v in product.operands:
        source: SSAValue = v
        if isinstance(source.owner, arith.ExtFOp):
            known.add(source.owner)
            source = source.owner.input
        if not isinstance(source, BlockArgument) or source.owner is not node.segment.body:
            return None
        operand = node.segment.inputs[source.index]
        if isinstance(operand, Node):
            return None
        factors.append(operand)
    if len(factors) != 2 or factors[0] is factors[1] or any(op not in known for op in node.segment.body.ops):
        return None
    return factors[0], factors[1]


# -- decisions ---------------------------------------------------------------------------------------------------------


def decide(c: Contraction, builder: Builder) -> Contraction | None:
    """Choose tiles, what stays, and the split, by the least estimated time; None if nothing fits."""
    device = builder.device
    from headrace.scheduler.device import owned_ranges

    root: Operation = builder.program
    while root.parent_op() is not None:
        root = root.parent_op()  # type: ignore[assignment]
    limit = allocatable(device, c.path.memory, owned_ranges(root, device)) // products_of(root)  # type: ignore[arg-type]
    best: tuple[tuple[int, int], dict[int, int], str, int, str, bool, bool, int] | None = None
    cores = prod(grid_of(builder.program))
    c.direct = is_direct(c, builder)
    c.epilogue = epilogue_cycles(builder)
    c.chained, c.waits, c.ends = link_of(builder.program, root, device)
    for tile in candidates(c):
        c.tile = tile
        for stays in ("sums", "streamed", "resident"):
            if stays != "sums" and c.tiles(c.k) != 1:
                continue
            if stays == "sums" and c.tiles(c.k) == 1 and c.tiles([*c.m, *c.n, *c.batch]) > 1 and c.m and c.n:
                continue
            if bytes_of(c, stays) > limit:
                continue
            c.rows, c.split = points(c)
            for share in (False, True) if c.rings and APART not in builder.program.attributes else (False,):
                c.share, c.woven = share, not c.direct
                cycles = estimate(c, stays, device, cores)
                key = (cycles, prod(tile.values()))
                if best is None or key < best[0]:
                    best = key, dict(tile), stays, c.rows, c.split, share, c.woven, c.skew
    if best is None:
        return None
    (c.cycles, _), c.tile, c.stays, c.rows, c.split, c.share, c.woven, c.skew = best
    if c.woven:
        c.weave = weave_of(c, c.stays)[0]
    return c


def link_of(program: func.FuncOp, root: Operation, device: Device) -> tuple[bool, bool, bool]:
    """Whether a program is one of a chain; whether nothing hides its first loads; nor its last stores. One that a loop
    of the chain runs hides both beside its other runs. First loads hide beside the product in front, but not beside a
    program of vectors that keeps main memory busy itself."""
    functions = {
        f.sym_name.data: f for f in walk_ops(root, "func.func") if isinstance(f, func.FuncOp) and f.body.blocks
    }
    for kernel in functions.values():
        if CHAINED not in kernel.attributes:
            continue
        calls = [op for op in walk_ops(kernel, "func.call") if isinstance(op, func.CallOp)]
        names = [op.callee.string_value() for op in calls]
        if program.sym_name.data not in names:
            continue
        at = names.index(program.sym_name.data)
        if any(op.name == "scf.for" for op in ancestors(calls[at])):
            return True, False, False
        before = functions.get(names[at - 1]) if at else None
        return True, before is None or is_streaming(before, device), at == len(calls) - 1
    return False, True, True


def is_streaming(program: func.FuncOp, device: Device) -> bool:
    """Whether a program of vectors works on what lies in main memory."""
    return "headrace.contraction" not in program.attributes and any(
        isinstance(op, ktdp.ConstructMemoryViewOp) and not device.memory_level(device.space_to_kind(op.memory_space))
        for op in program.walk()
    )


def is_direct(c: Contraction, builder: Builder) -> bool:
    """Whether the sums themselves are the result, in f32 in the scratchpad: they skip the vector unit."""
    if len(c.outputs) != 1 or c.outputs[0] not in c.local or builder.scalarizer.inputs != [c.node]:
        return False
    body = builder.body
    last = body.last_op
    return last is body.first_op and last is not None and last.operands[0] is body.args[0] and (
        c.outputs[0].access.element_type == f32 == c.node.element_type
    )


def epilogue_cycles(builder: Builder) -> float:
    """Cycles of the vector unit for as many elements of a program's body as a vector of sums has."""
    device = builder.device
    unit = device.unit(device.compute_kind).timing
    named = [(short_name(op), op.operands[0].type) for op in builder.body.ops if op.operands]
    lanes = device.vector_lanes
    return sum(unit.cycles(name) * lanes(f32) / lanes(t) for name, t in named if name is not None)


def weave_of(c: Contraction, stays: str) -> tuple[int, int]:
    """(dimension, points along it on one instance): the class whose points follow each other where the epilogue of one
    runs beside the next; 1 point where that cannot be."""
    spec, instances = c.path.spec, c.path.instances
    if c.tiles(c.k) > 1 or any(c.tile[d] > 1 for d in c.k[:-1]) or c.tile[c.k[-1]] < LEAST_BLOCKS * spec.k:
        return -1, 1
    shared = (c.m if c.split == "m" else c.n)[-1]
    passing = passing_of(c, stays)
    found: list[tuple[int, bool, int]] = []
    for d in (c.n[-1], *c.m[-1:]):
        count = c.tile[d] // point_size(c, d)
        if d == shared:
            count = count // instances if count % instances == 0 else 1
        found.append((count, passing[-1:] == [d], d))
    count, _, d = max(found)
    return d, max(1, count)


def passing_of(c: Contraction, stays: str) -> list[int]:
    """The dimensions whose tiles pass by what stays."""
    return {"streamed": c.n, "resident": c.m}.get(stays, [])


def point_size(c: Contraction, d: int) -> int:
    """Extent of a point along one of the dimensions that points are cut from."""
    return c.path.spec.n if d == c.n[-1] else c.rows


def skew_of(c: Contraction, stays: str) -> tuple[int, int]:
    """(dimension, tiles along it): tiles that follow each other so that the epilogue of the last points of one can run
    beside the first blocks of the next; (-1, 1) where that cannot be. Then all points of a tile along the dimension of
    the weave are one sequence, and what moves with the tiles is different for each of these points."""
    d, _ = weave_of(c, stays)
    passing = passing_of(c, stays)
    if d < 0 or not passing:
        return -1, 1
    s = passing[-1]
    count, size = c.extents[s] // c.tile[s], point_size(c, d)
    step = size * (c.path.instances if d == (c.m if c.split == "m" else c.n)[-1] else 1)
    apart = all(bool(o.strides[d]) >= bool(o.strides[s]) and o not in c.local for o in (*c.inputs, *c.outputs))
    if s in c.launch or count < 2 or c.extents[s] % c.tile[s] or c.tile[d] % step or not apart:
        return -1, 1
    return s, count


def products_of(root: Operation) -> int:
    """Programs with a product in a module: they may become one and share the scratchpad."""
    return max(1, sum(
        "headrace.contraction" in f.attributes or any(map(is_product, walk_ops(f)))
        for f in walk_ops(root, "func.func")
    ))


def candidates(c: Contraction) -> Iterator[dict[int, int]]:
    """Tiles worth a look: per class a few sizes, handed to its dimensions from the innermost outwards."""
    spec = c.path.spec

    def sizes(dims: list[int], unit: int, least: int) -> list[dict[int, int]]:
        total = prod(c.extents[d] for d in dims)
        out: list[dict[int, int]] = []
        target = unit
        while True:
            tile: dict[int, int] = {}
            left = min(target, total)
            for d in reversed(dims):
                tile[d] = fitted(c.extents[d], left, unit if d == dims[-1] else 1)
                if d in c.launch:  # the rest is left to ever smaller tiles: none is larger than it has to be
                    tile[d] = min(tile[d], spec.accumulator_rows) if d == c.m[-1] else 1
                left = max(1, left // tile[d])
            if tile not in out and (target >= least or target >= total):
                out.append(tile)
            if target >= total:
                return out
            target *= 2

    few = max(1, spec.accumulator_rows // 4)  # rows that hide the fill of a block
    for m in sizes(c.m, few, few) if c.m else [{}]:
        for n in sizes(c.n, spec.n, spec.n):
            for k in sizes(c.k, spec.k, 8 * spec.k):
                yield {**dict.fromkeys(c.batch, 1), **m, **n, **k}


def fitted(extent: int, target: int, unit: int) -> int:
    """The largest divisor of `extent` up to `target` that is a multiple of `unit`; the largest multiple of `unit`, with
    a smaller last tile, where divisors are less than half of it."""
    if target >= extent:
        return extent
    for step in (unit, 1):
        found = max((n for n in range(step, target + 1, step) if extent % n == 0), default=0)
        if 2 * found > target:
            return found
    return max(target // unit * unit, 1) if target >= unit else target


def points(c: Contraction) -> tuple[int, str]:
    """(accumulator rows of a point, class whose points the instances share)."""
    spec, instances = c.path.spec, c.path.instances
    rows = min(spec.accumulator_rows, c.tile[c.m[-1]]) if c.m else 1
    if instances == 1:
        return rows, "n"
    n_points = c.tile[c.n[-1]] // spec.n
    m_points = c.tile[c.m[-1]] // rows if c.m else 0
    if n_points and n_points % instances == 0:
        return rows, "n"
    if m_points and m_points % instances == 0:
        return rows, "m"
    if c.m and c.tile[c.m[-1]] >= instances and max(n_points, m_points) < 2 * instances:
        return min(spec.accumulator_rows, -(-c.tile[c.m[-1]] // instances)), "m"
    return rows, "n" if n_points >= m_points else "m"


def width(t: Attribute) -> int:
    return dtype_of(t).bytes


def covered(c: Contraction, operand: Operand) -> int:
    """Bytes of an operand's tile in a buffer of its own."""
    if operand in c.local:
        return 0
    return prod(c.tile[d] for d in c.tile if operand.strides[d]) * width(operand.access.element_type)


def bytes_of(c: Contraction, stays: str) -> int:
    """Scratchpad bytes of all buffers, with two copies of what is loaded or stored while something else is used."""
    total = 0 if c.direct else c.size([*c.m, *c.n]) * 4
    total += sum(covered(c, operand) * c.copies(operand, stays) for operand in (c.streamed, c.resident))
    total += sum(covered(c, operand) * c.around_copies for operand in (*c.inputs, *c.outputs))
    return total + 128 * (6 + 2 * len(c.inputs) + 2 * len(c.outputs))


def entry_of(c: Contraction, device: Device) -> int:
    """Elements of an operand that one entry of the FIFO into the matrix unit holds."""
    return max(c.path.spec.n, device.entry_lanes(c.path.load, c.path.unit, c.streamed.access.element_type))


def estimate(c: Contraction, stays: str, device: Device, cores: int) -> int:
    """Cycles of the program on one core, with `cores` of them sharing main memory."""
    spec, path = c.path.spec, c.path
    unit = device.unit(path.unit).timing
    row_points = -(-c.tile[c.m[-1]] // c.rows) if c.m else 1
    n_points = -(-c.tile[c.n[-1]] // spec.n)
    shared = n_points if c.split == "n" else row_points
    used = -(-shared // path.instances)  # points of the split class that the busiest instance takes
    share = used / shared
    k_tiles = c.tiles(c.k)
    per_point = 0.0
    blocks = prod(-(-c.tile[d] // (spec.k if d == c.k[-1] else 1)) for d in c.k)
    entries = max(1, entry_of(c, device) // spec.k)
    sends = spec.k if not column_fill(c) else -(-spec.n // entries)
    port = path.instances * (sends + -(-c.rows // entries))  # accesses of the scratchpad, a cycle each
    per_point += blocks * max(c.rows * unit.issue, spec.fill_cycles, port)
    per_point += (2 - 1 / k_tiles) * c.rows + 2 * unit.latency
    tile_points = row_points * n_points * c.size(c.m[:-1]) * c.size(c.n[:-1])
    matrix = per_point * tile_points * share
    lanes = device.vector_lanes(f32)
    outer = c.size(c.m) * -(-c.size(c.n) // lanes)
    epilogue = outer * max(2, c.epilogue) * share
    c.skew = -1
    if c.woven:
        c.skew, tiles_in_turn = skew_of(c, stays)
        points_in_turn = weave_of(c, stays)[1] * tiles_in_turn
        if points_in_turn < 2 or epilogue * LEAST_EPILOGUE < matrix:
            c.woven, c.skew = False, -1
        else:
            matrix, epilogue = overlapped(matrix, epilogue), epilogue / points_in_turn
    m_tiles, n_tiles = c.tiles(c.m), c.tiles(c.n)
    result_tiles = c.tiles([*c.batch, *c.m, *c.n])
    main = device.memory(c.path.main).timing
    rate = main.read_bytes_per_cycle
    per_cycle = device.datapath_timing(path.fetch, path.memory).bytes_per_cycle
    link = main.latency / IN_FLIGHT
    hop = device.interconnect.hop_latency if device.interconnect is not None else 0

    def moves(*operands: Operand) -> float:
        """Cycles to move one tile of each: the unit's own pace, or its share of main memory."""
        total = 0.0
        for operand in operands:
            size, run = covered(c, operand), run_of(c, operand)
            if not size:
                continue
            cut = cut_of(c, operand, [c.tile[d] for d in order_of(c, operand)], device)
            if cut is None:
                own = size / run * max(run / per_cycle if per_cycle else 1, link)
                shared = size / run * -(-run // rate) * cores if rate else 0
            else:
                one = cut.lanes * width(operand.access.element_type)
                pace = max(1 + 1 / cut.members, one / c.ring_rates[operand])
                waits = 1 if cut.turning else cut.chunks  # for main memory and the whole way around
                own = size / one * pace + waits * (main.latency + cut.members * (hop + 2))
                shared = size / one / cut.members * -(-one // rate) * cores if rate else 0
            total += max(own, shared)
        return total

    def in_turn(work: float, moved: float) -> float:
        """Cycles of a tile in a sequence: one of its two buffers is filled while the other is in use, and the unit that
        fills them waits for each tile's end. Tiles of the grid that share reads wait for each other too."""
        if not moved:
            return work
        moved += main.latency
        return max(overlapped(work, moved, 4 if c.share else 16), (work + moved) / 2)

    around = moves(*c.inputs, *c.outputs)
    if stays == "sums":
        load = moves(c.streamed, c.resident)
        tiles = result_tiles * k_tiles
        compute, memory = matrix + epilogue / k_tiles, load + around / k_tiles
        total = tiles * (in_turn(compute, memory) if tiles > 1 else overlapped(compute, memory))
        total += min(load, matrix + epilogue) + moves(*c.outputs)
        if compute > memory:
            total += max(0.0, load - matrix - epilogue)
    else:
        kept, passing = (c.streamed, c.resident) if stays == "streamed" else (c.resident, c.streamed)
        outer = m_tiles if stays == "streamed" else n_tiles
        outer *= c.tiles(c.batch)
        step = in_turn(matrix + epilogue, moves(passing) + around)
        ahead = 0 if c.skew >= 0 else 2 * step  # the next tile to stay comes while the last two pass
        total = result_tiles * step + (outer - 1) * max(0.0, moves(kept) - ahead)
        if c.waits:
            total += moves(kept, passing) + (main.latency if kept not in c.local else 0)
        if c.ends:
            total += around
    return int(total + 2 * main.latency)


def overlapped(a: float, b: float, power: int = 16) -> float:
    """Time of two things that run beside each other and wait for each other: their maximum, a little more where they
    are alike."""
    high, low = max(a, b), min(a, b)
    return high * (1 + (low / high) ** power) ** (1 / power) if high else 0.0


def run_of(c: Contraction, operand: Operand) -> int:
    """Bytes of a tile that follow each other in main memory."""
    run = 1
    for d in sorted((d for d in c.extents if operand.strides[d]), key=lambda d: abs(operand.strides[d])):
        if abs(operand.strides[d]) != run:
            break
        run *= c.tile[d]
        if c.tile[d] != c.extents[d]:
            break
    return run * width(operand.access.element_type)


def column_fill(c: Contraction) -> bool:
    """Whether the resident operand lies column by column: its depth is contiguous, its columns are not."""
    return abs(c.resident.strides[c.k[-1]]) < abs(c.resident.strides[c.n[-1]])
