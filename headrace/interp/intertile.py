"""Inter-tile operations of `ktdp`: produce, and the deliveries consume and reduce.

A tile that produces posts its partials on a board under (operation, how often it got there); a delivery waits until
every tile it depends on has posted. Reductions fold in ascending tile id from the identity; sums of 16-bit floats
accumulate in f32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Block, Operation

from headrace.interp.engine import Control, Running
from headrace.interp.points import contains
from headrace.interp.structured import fold
from headrace.interp.values import PartialTensor, Poison, element_dtype
from headrace.ir.diagnostics import error
from headrace.numerics import semantics


@dataclass(frozen=True)
class Wait:
    """A suspended tile: resumes when `ready()`; `why` says what is missing."""

    op: Operation
    ready: Callable[[], bool]
    why: Callable[[], str]


@dataclass(frozen=True)
class Future:
    """The handle a produce operation yields: which operation, which time around, in which groups."""

    op: Operation
    instance: int
    groups: tuple[int, ...]


def members(points: Any, tiles: int, symbols: list[int]) -> tuple[int, ...]:
    """Linear tile ids below `tiles` in a set, ascending."""
    ids = np.arange(tiles, dtype=np.int64)
    inside = np.broadcast_to(np.asarray(contains(points.data, [ids], symbols)), ids.shape)
    return tuple(int(i) for i in ids[inside])


def group_ids(points: Any, tiles: int) -> tuple[int, ...]:
    """Group indices (a grid of `tiles` tiles has at most that many disjoint non-empty groups beyond the set's lower
    bound).
    """
    from headrace.interp.points import Unbounded, points_of

    try:
        found = points_of(points.data)
    except Unbounded:
        return members(points, tiles, [])
    return tuple(
        g for g in range(found.lo[0], found.lo[0] + found.shape[0]) if found.mask is None or found.mask[g - found.lo[0]]
    )


def _groups_of(f: Any, op: Any) -> tuple[int, ...]:
    key = (op, "groups")
    cache = f.session.cache
    if key not in cache:
        cache[key] = group_ids(op.results[0].type.groups, f.tiles)
    return cache[key]


def producers(f: Any, op: Any, group: int) -> tuple[int, ...]:
    """Producing tiles of a group."""
    key = (op, "producers", group)
    cache = f.session.cache
    if key not in cache:
        cache[key] = members(op.properties["producer_tiles_per_group"], f.tiles, [group])
    return cache[key]


def _board(f: Any) -> dict[Any, Any]:
    return f.session.cache.setdefault("board", {})


def _produce(f: Any, op: Any) -> Running:
    groups = _groups_of(f, op)
    count = f.rounds.get(op, 0)
    f.rounds[op] = count + 1
    f.values[op.results[0]] = Future(op, count, groups)
    mine = [g for g in groups if f.tile in producers(f, op, g)]
    if len(mine) > 1:
        raise error(op, f"tile {f.tile} produces for groups {mine[0]} and {mine[1]}; a tile may be in one group only")
    if mine:
        partials = yield from f.run_block(op.regions[0].blocks[0], (mine[0],))
        for p in partials:
            if isinstance(p, Poison | PartialTensor):
                raise error(op, f"'{op.name}'{f.where()} yields an undefined value")
        _board(f)[(op, count, f.tile)] = partials
    return ()


def _sources(f: Any, op: Any, future: Future) -> tuple[int, tuple[int, ...]] | None:
    """(group, tiles this consumer depends on); None where the tile consumes nothing."""
    for g in future.groups:
        if f.tile not in members(op.properties["consumer_tiles_per_group"], f.tiles, [g]):
            continue
        made = producers(f, future.op, g)
        chosen = op.properties.get("producer_dependency_per_consumer")
        if chosen is None:
            return g, made
        symbols = [f.tile, g][: chosen.data.num_symbols]
        wanted = members(chosen, f.tiles, symbols)
        stray = sorted(set(wanted) - set(made))
        if stray:
            raise error(
                op,
                f"consumer tile {f.tile} of group {g} depends on tile {stray[0]}, which produces nothing for the group",
            )
        return g, wanted
    return None


def _deliver(f: Any, op: Any, combine: Callable[[int, list[tuple[Any, ...]]], tuple[Any, ...]]) -> Running:
    future = f.get(op.operands[0])
    found = _sources(f, op, future)
    if found is None:
        f.set(op, *[Poison(f"tile {f.tile} is no consumer of this '{op.name}'")] * len(op.results))
        return ()
    group, wanted = found
    board = _board(f)
    keys = [(future.op, future.instance, t) for t in wanted]

    def missing() -> list[int]:
        return [t for k, t in zip(keys, wanted, strict=True) if k not in board]

    if missing():
        yield Wait(
            op, lambda: not missing(), lambda: f"waits for tiles {missing()} to produce (time {future.instance + 1})"
        )
    f.set(op, *combine(group, [board[k] for k in keys]))
    return ()


def _consume(f: Any, op: Any) -> Running:
    def single(group: int, partials: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        if len(partials) != 1:
            raise error(
                op, f"consumer tile {f.tile} of group {group} has {len(partials)} sources; a copy needs exactly one"
            )
        return partials[0]

    return (yield from _deliver(f, op, single))


def _plain_combiner(block: Block, roles: int) -> list[str] | None:
    """Names of the combining operations if the body is one associative operation per role."""
    last = block.last_op
    names: list[str] = []
    if last is None or len(list(block.ops)) != roles + 1:
        return None
    for k, v in enumerate(last.operands):
        op = v.owner
        pair = {block.args[k], block.args[roles + k]}
        if not isinstance(op, Operation) or op.name not in semantics.COMBINERS or set(op.operands) != pair:
            return None
        names.append(op.name)
    return names


def _reduce(f: Any, op: Any) -> Running:
    identities = tuple(f.get(v) for v in op.operands[1:])
    block = op.regions[0].blocks[0]

    def combined(group: int, partials: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        names = _plain_combiner(block, len(identities))
        if names is not None:
            return tuple(
                fold(
                    n,
                    i,
                    np.stack([p[k] for p in partials]) if partials else np.zeros((0, *i.shape)),
                    element_dtype(r.type),
                )
                for k, (n, i, r) in enumerate(zip(names, identities, op.results, strict=True))
            )
        total = identities
        for p in partials:
            total = f.run_now(block, (*total, *p))
        return total

    return (yield from _deliver(f, op, combined))


CONTROLS: dict[str, Control] = {
    "ktdp.inter_tile_produce": _produce,
    "ktdp.inter_tile_consume": _consume,
    "ktdp.inter_tile_reduce": _reduce,
}
