"""What the pipelines of a contraction are nested in: pieces of dimensions, places in a nest of loops, tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter
from headrace.scheduler.linear import Linear
from headrace.scheduler.split.scalarize import Operand


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


def nest(emit: Emitter, at: At, dims: Sequence[int], sizes: dict[int, int], extents: dict[int, int],
         body: Callable[[Emitter, At], None], parallel: bool = False) -> None:  # fmt: skip
    """Loops over pieces of `dims`; `body` once per kind of piece."""
    if not dims:
        body(emit, at)
        return
    d, rest = dims[0], dims[1:]
    for piece in pieces(extents[d], sizes[d]):
        if piece.count == 1:
            inner = at.deeper(d, Linear(piece.start), piece.size)
            nest(emit, inner, rest, sizes, extents, body, parallel)
        else:
            loop, iv = emit.loop(piece.count, f"t{d}")
            if parallel:
                loop.attributes["loop_type"] = ktdf.parallel_loop()
            inside = Emitter.at_end(loop.body.block, emit.origin)
            inner = at.deeper(d, Linear(piece.start, {iv: piece.size}), piece.size, iv)
            nest(inside, inner, rest, sizes, extents, body, parallel)
