"""Reads that several tiles share (attribute `headrace.share` of a transfer): which tiles read the same bytes, and how a
box is cut among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from headrace.arch.figures import Interconnect
from headrace.scheduler.build import constant_of
from headrace.scheduler.linear import Linear

SHARE = "headrace.share"
APART = "headrace.reads_apart"
"""On a kernel: no tiles share reads, whatever the estimate says."""
"""Attribute of a transfer from main memory: rings of tiles (linear ids) that fill the same box together."""

MOST_AHEAD = 32
"""Most vectors that a member reads ahead into registers."""


@dataclass(frozen=True)
class Cut:
    """A box of rows of vectors, cut into one slice per member and slices into chunks.

    A slice has `rows` x `columns` vectors; `slices_a_row` of them make a whole row of the box (1 where a slice has
    whole rows); a chunk has `chunk_rows` x `chunk_columns`.
    """

    members: int
    lanes: int
    row_dim: int | None
    rows: int
    columns: int
    slices_a_row: int
    chunk_rows: int
    chunk_columns: int
    turning: bool = False
    """Whether chunks of all members are on their way at once: a link has room for one of each, twice."""

    @property
    def vectors(self) -> int:
        """Vectors of a chunk."""
        return self.chunk_rows * self.chunk_columns

    def ahead(self, latency: float, spent: float) -> int:
        """Chunks to read ahead, so that none is waited for, where main memory takes `latency` cycles and a link `spent`
        for a vector."""
        turn = self.members * self.vectors * spent
        return max(1, min(int(-(-latency // turn)) + 1, MOST_AHEAD // self.vectors, self.chunks))

    @property
    def chunks(self) -> int:
        """Chunks of a slice."""
        return (self.rows // self.chunk_rows) * (self.columns // self.chunk_columns)


def cut_box(sizes: Sequence[int], members: int, lanes: int, depth: int) -> Cut | None:
    """How a box (innermost dimension contiguous) is cut; None where it does not divide. `depth`: vectors that a link
    between two members holds."""
    wide = [d for d, n in enumerate(sizes[:-1]) if n > 1]
    if not sizes or len(wide) > 1 or sizes[-1] % lanes or members < 2 or depth < 2:
        return None
    rows, columns = prod(sizes[:-1]), sizes[-1] // lanes
    if rows * columns % members:
        return None
    count = rows * columns // members
    if count % columns == 0:
        slice_rows, slice_columns, slices_a_row = count // columns, columns, 1
    elif columns % count == 0:
        slice_rows, slice_columns, slices_a_row = 1, count, columns // count
    else:
        return None
    turning = depth >= 2 * members
    room = min(depth // (2 * members), MOST_AHEAD // 2) if turning else depth // 2
    chunk_columns = max(n for n in range(1, min(room, slice_columns) + 1) if slice_columns % n == 0)
    chunk_rows = 1
    if chunk_columns == slice_columns:
        chunk_rows = max(n for n in range(1, slice_rows + 1) if slice_rows % n == 0 and n * chunk_columns <= room)
    row_dim = wide[0] if wide else None
    return Cut(
        members, lanes, row_dim, slice_rows, slice_columns, slices_a_row, chunk_rows, chunk_columns, turning
    )


def rings(forms: Sequence[Linear], grid: Sequence[int]) -> list[list[int]] | None:
    """Tiles for which all `forms` (over tile ids) have equal values, grouped; None unless all groups are equally
    large and have at least two members."""
    found = alike(forms, grid)
    if len({len(g) for g in found}) != 1 or len(found[0]) < 2:
        return None
    return found


def alike(forms: Sequence[Linear], grid: Sequence[int]) -> list[list[int]]:
    """The tiles of a grid, grouped by the values of all `forms` (over tile ids)."""
    groups: dict[object, list[int]] = {}
    for tile in range(prod(grid)):
        key = tuple(_value(form, tile, grid) for form in forms)
        groups.setdefault(key, []).append(tile)
    return list(groups.values())


def ring_rate(groups: Sequence[Sequence[int]], joint: Interconnect, cores: int) -> float:
    """Bytes a cycle that a ring of tiles passes on when all rings do."""
    pairs = [pair for ring in groups for pair in zip(ring, [*ring[1:], ring[0]], strict=True)]
    return min(joint.rates(pairs, cores).values())


def _value(form: Linear, tile: int, grid: Sequence[int]) -> object:
    total, rest = form.const, []
    known: dict[SSAValue, int | None] = {}
    for v, c in form.terms.items():
        n = _number(v, tile, grid, known)
        if n is None:
            rest.append((id(v), c))
        else:
            total += c * n
    return total, tuple(sorted(rest))


_OPERATORS = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": lambda a, b: int(a / b) if b else None,
    "arith.divui": lambda a, b: a // b if b and a >= 0 else None,
    "arith.floordivsi": lambda a, b: a // b if b else None,
    "arith.remsi": lambda a, b: a % b if b and a >= 0 else None,
    "arith.remui": lambda a, b: a % b if b and a >= 0 else None,
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.andi": lambda a, b: a & b,
}


def _number(v: SSAValue, tile: int, grid: Sequence[int], known: dict[SSAValue, int | None]) -> int | None:
    """Value of a scalar on a tile, None where it depends on more. Values that depend on nothing known count as equal
    on all tiles only if they do not depend on the tile at all."""
    if v in known:
        return known[v]
    found = constant_of(v)
    op = v.owner
    if found is None and isinstance(op, Operation):
        if op.name == "ktdp.get_compute_tile_id":
            found = _coordinate(list(op.results).index(v), len(op.results), tile, grid)  # type: ignore[arg-type]
        elif op.name in ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui"):
            found = _number(op.operands[0], tile, grid, known)
        elif op.name in _OPERATORS:
            a, b = (_number(x, tile, grid, known) for x in op.operands)
            if a is not None and b is not None:
                found = _OPERATORS[op.name](a, b)
        if found is None and depends_on_tile(v):
            found = -(1 << 60) - tile  # a number of its own on every tile
    known[v] = found
    return found


def depends_on_tile(v: SSAValue) -> bool:
    """Whether a scalar is computed from the tile id."""
    op = v.owner
    if not isinstance(op, Operation):
        return False
    return op.name == "ktdp.get_compute_tile_id" or any(depends_on_tile(x) for x in op.operands)


def _coordinate(position: int, count: int, tile: int, grid: Sequence[int]) -> int:
    if count == 1:
        return tile
    below = prod(grid[position + 1 :])
    return tile // below % grid[position]


def share_attribute(groups: Sequence[Sequence[int]]) -> ArrayAttr:
    """The rings as an attribute."""
    return ArrayAttr([ArrayAttr([IntegerAttr(t, i64) for t in ring]) for ring in groups])
