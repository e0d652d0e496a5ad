"""The KTIR interpreter: the executable definition of tile kernels.

Every tile of the grid runs the kernel body. A tile that is about to load from global memory after it has stored there
has come to a phase boundary: it stops, and tiles continue in program order, so that a load sees the stores that all
tiles made earlier in the program text. Within a phase tiles run one after the other. Where tiles reach each other's
scratchpads every load and store is such a boundary.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from headrace.interp import access, engine, exchange, intertile, linalg, scalars, tensors, views
from headrace.interp.arguments import bind
from headrace.interp.engine import Control, Leaf, Running, Session, find_kernel, functions_of, grid_of, number_of
from headrace.interp.intertile import Wait
from headrace.interp.memory import Memory
from headrace.interp.views import TileFrame
from headrace.ir.diagnostics import Diagnostic, error
from headrace.ir.location import loc_of


@dataclass
class KtirResult:
    """Outcome of a run: the data are in the memory that was passed in."""

    kernel: str
    grid: tuple[int, ...]
    tiles: tuple[int, ...]
    """Linear ids of the tiles that ran."""
    warnings: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True)
class PhaseBoundary:
    """A suspended tile at program position `place`."""

    place: tuple[int, ...]


class KtirFrame(TileFrame):
    """A compute tile; `rounds` counts how often each produce operation ran."""

    def __init__(self, session: Session, tile: int, grid: Sequence[int]):
        super().__init__(session, tile, grid)
        self.rounds: dict[Operation, int] = {}


def _load(f: Any, op: Any) -> Running:
    if f.stored and access.touches_global(f.get(op.operands[0])):
        f.stored = False
        yield PhaseBoundary((*f.place, number_of(op)))
    access.load(f, op)
    return ()


LEAVES: dict[str, Leaf] = {
    **engine.LEAVES,
    **scalars.LEAVES,
    **tensors.LEAVES,
    **linalg.LEAVES,
    **views.LEAVES,
    **access.LEAVES,
}
CONTROLS: dict[str, Control] = {**engine.CONTROLS, **intertile.CONTROLS, **exchange.CONTROLS, "ktdp.load": _load}


def _in_order(leaf: Leaf) -> Control:
    """An access that waits until all tiles have made the accesses earlier in the program text."""

    def run(f: Any, op: Any) -> Running:
        yield PhaseBoundary((*f.place, number_of(op)))
        leaf(f, op)
        return ()

    return run


def tables_for(
    function: FuncOp, leaves: dict[str, Leaf], controls: dict[str, Control]
) -> tuple[dict[str, Leaf], dict[str, Control]]:
    """What executes the operations of a kernel: accesses in step where a view names one tile's scratchpad."""
    if not any(op.name == "ktdp.construct_memory_view" and views.names_owner(op) for op in function.walk()):
        return leaves, controls
    ordered = {"ktdp.load": _in_order(access.load), "ktdp.store": _in_order(access.LEAVES["ktdp.store"])}
    return {k: leaf for k, leaf in leaves.items() if k not in ordered}, {**controls, **ordered}


def run_tiles(running: Iterable[tuple[TileFrame, Running]]) -> None:
    """Run tiles to their end: always the ready one that is earliest in program order. Raises a located error on
    deadlock.
    """
    ready: list[tuple[tuple[int, ...], int, TileFrame, Running]] = [((), f.tile, f, g) for f, g in running]
    heapq.heapify(ready)
    waiting: list[tuple[Wait, TileFrame, Running]] = []
    while ready or waiting:
        if waiting:
            still: list[tuple[Wait, TileFrame, Running]] = []
            for wait, f, g in waiting:
                if wait.ready():
                    heapq.heappush(ready, (tuple(f.place), f.tile, f, g))
                else:
                    still.append((wait, f, g))
            waiting = still
        if not ready:
            notes = [(loc_of(w.op), f"tile {f.tile} {w.why()}") for w, f, _ in waiting]
            raise error(waiting[0][0].op, f"deadlock: no tile can go on, {len(waiting)} wait for other tiles", notes)
        _, _, f, g = heapq.heappop(ready)
        try:
            stop = next(g)
        except StopIteration:
            continue
        if isinstance(stop, Wait):
            waiting.append((stop, f, g))
        else:
            heapq.heappush(ready, (stop.place, f.tile, f, g))


def run_ktir(
    module: ModuleOp,
    args: Mapping[str, Any],
    memory: Memory,
    kernel: str | None = None,
    strict: bool = False,
    tiles: Sequence[int] | None = None,
) -> KtirResult:
    """Run a kernel over its whole grid (or the linear ids in `tiles`) on `memory`, in place.

    `args`: byte addresses of argument buffers and values of scalars by argument name; a runtime_arg defaults to its
    upper bound. `strict`: out-of-view accesses and undefined tensor elements are errors. Raises HeadraceError.
    """
    function = find_kernel(module, kernel)
    grid = grid_of(function)
    count = 1
    for n in grid:
        count *= n
    chosen = tuple(range(count)) if tiles is None else tuple(sorted(set(tiles)))
    session = Session(*tables_for(function, LEAVES, CONTROLS), functions_of(module), memory, strict)
    values = bind(function, args)
    run_tiles(_start(session, function, values, grid, t) for t in chosen)
    return KtirResult(function.sym_name.data, grid, chosen, session.warnings.found)


def _start(
    session: Session, function: FuncOp, values: list[Any], grid: Sequence[int], tile: int
) -> tuple[TileFrame, Running]:
    frame = KtirFrame(session, tile, grid)
    return frame, frame.call(function, values)
