"""What the pipelines of a contraction are nested in: pieces of dimensions, places in a nest of loops, tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index
from headrace.scheduler.linear import Linear
from headrace.scheduler.split.scalarize import Operand

NEXT_PIECE = 8
"""How many times smaller pieces are that take the rest of an extent known at launch."""

@dataclass(frozen=True)
class Piece:
    """Part of a dimension: `count` pieces of `size` from `start`."""

    start: int
    count: int
    size: int


def pieces(extent: int, size: int) -> list[Piece]:
    """A dimension in pieces of `size`, and one smaller piece for the rest."""
    full, rest = divmod(extent, size)
    out = [Piece(0, full, size)] if full else []
    return [*out, Piece(full * size, 1, rest)] if rest else out


Pieces = list[tuple[Linear, Index, int]]
"""(start, number, size of one) of the pieces that a dimension is cut into."""


def launch_pieces(emit: Emitter, extent: SSAValue, multiple: int, size: int) -> Pieces:
    """A dimension of an extent that is known at launch, and which `multiple` divides: as many pieces of `size` as there
    are, and of ever smaller ones, down to single indices, for the rest."""
    out: Pieces = []
    start, left = Linear(), extent
    while True:
        count = emit.floordiv(left, size)
        out.append((start, count, size))
        if multiple % size == 0:
            return out
        taken = emit.value(emit.mul(count, size))
        start, left = start + Linear(0, {taken: 1}), emit.value(emit.sub(left, taken))
        size = max(1, size // NEXT_PIECE)


@dataclass(frozen=True)
class At:
    """Where a nest of loops is: origin and size per dimension, the loop variables (outermost first)."""

    origin: dict[int, Linear] = field(default_factory=dict)
    size: dict[int, int] = field(default_factory=dict)
    ivs: tuple[SSAValue, ...] = ()

    def deeper(self, d: int, origin: Linear, size: int, iv: SSAValue | None = None) -> At:
        ivs = self.ivs if iv is None else (*self.ivs, iv)
        return At({**self.origin, d: origin}, {**self.size, d: size}, ivs)


@dataclass(eq=False)
class Tile:
    """An operand in memory and its place in the scratchpad: dimensions (outermost first) and buffers. One that lies in
    the scratchpad already is its own buffer, of which a tile is a part."""

    operand: Operand
    memory: SSAValue
    dims: list[int]
    buffers: Sequence[SSAValue]

    @property
    def local(self) -> bool:
        return self.buffers[0] is self.memory

    def start(self, at: At) -> dict[int, Linear]:
        """Where the tile at `at` begins in its buffer."""
        return at.origin if self.local else {}


def nest(emit: Emitter, at: At, dims: Sequence[int], sizes: dict[int, int], extents: Mapping[int, int | Pieces],
         body: Callable[[Emitter, At], None], parallel: bool = False) -> None:  # fmt: skip
    """Loops over pieces of `dims`; `body` once per kind of piece."""
    if not dims:
        body(emit, at)
        return
    d, rest = dims[0], dims[1:]
    extent = extents[d]
    found = extent
    if isinstance(found, int):
        found = [(Linear(p.start), p.count, p.size) for p in pieces(found, sizes[d])]
    for start, count, size in found:
        if count == 1:
            nest(emit, at.deeper(d, start, size), rest, sizes, extents, body, parallel)
            continue
        loop, iv = emit.loop(count, f"t{d}")
        if parallel:
            loop.attributes["loop_type"] = ktdf.parallel_loop()
        inside = Emitter.at_end(loop.body.block, emit.origin)
        nest(inside, at.deeper(d, start + Linear(0, {iv: size}), size, iv), rest, sizes, extents, body, parallel)
