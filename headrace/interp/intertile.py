"""Inter-tile operations of `ktdp`: produce, and the deliveries.

A tile that produces posts its partials on a board under (operation, how often it got there); a delivery waits until
every tile it depends on has posted. Reductions fold in ascending tile id from the identity; sums of 16-bit floats
accumulate in f32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Block, Operation

from headrace.interp.engine import Control, Running
from headrace.interp.structured import fold
from headrace.interp.values import PartialTensor, Poison, element_dtype
from headrace.ir.analysis.groups import producers_by_group
from headrace.ir.analysis.inter_tile import Group, broken, ground, pieces, shape_of
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
    """The handle a produce operation yields: which operation, which time around."""

    op: Operation
    instance: int


def producers(f: Any, op: Any) -> dict[int, tuple[int, ...]]:
    """Producing tiles of each group of a produce operation."""
    key = (op, "producers")
    cache = f.session.cache
    if key not in cache:
        made = producers_by_group(op.producer_tiles_per_group.data, op.results[0].type.groups.data, f.tiles)
        if made is None:
            raise error(op, "the groups and tile sets of this operation cannot be enumerated")
        cache[key] = made
    return cache[key]


def grounded(f: Any, op: Any) -> list[Group]:
    """The groups of a delivery. Raises HeadraceError where it breaks a rule."""
    key = (op, "groups")
    cache = f.session.cache
    if key not in cache:
        groups = ground(op, f.tiles)
        if groups is None:
            raise error(op, "the groups and tile sets of this operation cannot be enumerated")
        message = broken(op, groups)
        if message is not None:
            raise error(op, f"'{op.name}': {message}")
        cache[key] = groups
    return cache[key]


def _board(f: Any) -> dict[Any, Any]:
    return f.session.cache.setdefault("board", {})


def _produce(f: Any, op: Any) -> Running:
    count = f.rounds.get(op, 0)
    f.rounds[op] = count + 1
    f.values[op.results[0]] = Future(op, count)
    mine = [g for g, tiles in producers(f, op).items() if f.tile in tiles]
    if len(mine) > 1:
        raise error(op, f"tile {f.tile} produces for groups {mine[0]} and {mine[1]}; a tile may be in one group only")
    if mine:
        partials = yield from f.run_block(op.regions[0].blocks[0], (mine[0],))
        for p in partials:
            if isinstance(p, Poison | PartialTensor):
                raise error(op, f"'{op.name}'{f.where()} yields an undefined value")
        _board(f)[(op, count, f.tile)] = partials
    return ()


def _deliver(f: Any, op: Any, combine: Callable[[Group, list[tuple[Any, ...]]], tuple[Any, ...]]) -> Running:
    """Wait for the sources of this tile, then `combine` what they yielded (tuples of one value a role)."""
    future = f.get(op.operands[0])
    group = next((g for g in grounded(f, op) if f.tile in g.sources), None)
    if group is None:
        f.set(op, *[Poison(f"tile {f.tile} is no consumer of this '{op.name}'")] * len(op.results))
        return ()
    board = _board(f)
    wanted = group.sources[f.tile]
    keys = [(future.op, future.instance, t) for t in wanted]

    def missing() -> list[int]:
        return [t for k, t in zip(keys, wanted, strict=True) if k not in board]

    if missing():
        yield Wait(
            op, lambda: not missing(), lambda: f"waits for tiles {missing()} to produce (time {future.instance + 1})"
        )
    f.set(op, *combine(group, [board[k] for k in keys]))
    return ()


def _copy(f: Any, op: Any) -> Running:
    """Consume, gather, scatter and all-to-all: the result is put together from pieces."""

    def assembled(group: Group, partials: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        by_tile = dict(zip(group.sources[f.tile], partials, strict=True))
        results = []
        for role, r in enumerate(op.results):
            out = np.empty(shape_of(r.type), element_dtype(r.type).value_dtype)
            for piece in pieces(op, group, f.tile, role):
                out[box(piece.target, piece.shape)] = by_tile[piece.producer][role][box(piece.source, piece.shape)]
            results.append(out)
        return tuple(results)

    return (yield from _deliver(f, op, assembled))


def box(start: Sequence[int], shape: Sequence[int]) -> tuple[slice, ...]:
    """An index for the box of `shape` at `start`."""
    return tuple(slice(a, a + n) for a, n in zip(start, shape, strict=True))


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
    """Reduce, and reduce-scatter: every consumer combines its part of the partials."""
    identities = tuple(f.get(v) for v in op.operands[1:])
    block = op.regions[0].blocks[0]

    def combined(group: Group, partials: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        names = _plain_combiner(block, len(identities))
        results: list[Any] = []
        if names is not None:
            for k, (n, i, r) in enumerate(zip(names, identities, op.results, strict=True)):
                terms = np.stack([p[k] for p in partials]) if partials else np.zeros((0, *i.shape))
                results.append(fold(n, i, terms, element_dtype(r.type)))
        else:
            total = identities
            for p in partials:
                total = f.run_now(block, (*total, *p))
            results = list(total)
        if op.name == "ktdp.inter_tile_reduce_scatter":
            whole = replace(group, sources={f.tile: group.sources[f.tile][:1]})
            for k in range(len(results)):
                piece = pieces(op, whole, f.tile, k)[0]
                results[k] = results[k][box(piece.source, piece.shape)]
        return tuple(results)

    return (yield from _deliver(f, op, combined))


CONTROLS: dict[str, Control] = {
    "ktdp.inter_tile_produce": _produce,
    "ktdp.inter_tile_consume": _copy,
    "ktdp.inter_tile_gather": _copy,
    "ktdp.inter_tile_scatter": _copy,
    "ktdp.inter_tile_all_to_all": _copy,
    "ktdp.inter_tile_reduce": _reduce,
    "ktdp.inter_tile_reduce_scatter": _reduce,
}
