"""Communication between tiles: who gives what to whom, and rules R1 to R14.

`ground` enumerates the tile sets of a delivery; `pieces` says which boxes of which partials its result consists of;
`violations` checks the rules. A set that cannot be enumerated skips the checks that need it; it is never a reason to
reject. R5 says nothing that could be broken: overlapping dependency sets are legal. R10 is checked with the legality of
the operations in a combiner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import AffineSetAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, OpResult

from headrace.ir.analysis.grid import position
from headrace.ir.analysis.groups import LIMIT, producers_by_group, tiles_of
from headrace.ir.dialects.ktdp import (
    InterTileAllToAllOp,
    InterTileConsumeOp,
    InterTileGatherOp,
    InterTileProduceOp,
    InterTileReduceOp,
    InterTileReduceScatterOp,
    InterTileScatterOp,
)
from headrace.ir.dialects.ktdp_inter_tile_parts import numbers

Shape = tuple[int, ...]
COMBINING = (InterTileReduceOp, InterTileReduceScatterOp)
DELIVERIES = (
    InterTileConsumeOp,
    InterTileReduceOp,
    InterTileReduceScatterOp,
    InterTileGatherOp,
    InterTileAllToAllOp,
    InterTileScatterOp,
)


@dataclass(frozen=True)
class Group:
    """One group of a delivery. `sources`: the producers each consumer depends on, ascending; consumers whose
    dependency set cannot be enumerated are not in it."""

    number: int
    producers: tuple[int, ...]
    consumers: tuple[int, ...]
    sources: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class Piece:
    """A box of a producer's partial (`source`: its start) and where it starts in the result."""

    producer: int
    source: Shape
    target: Shape
    shape: Shape


def producer_of(op: Operation) -> InterTileProduceOp | None:
    """The operation whose future a delivery takes; None where that is not known."""
    future = op.operands[0]
    source = future.op if isinstance(future, OpResult) else None
    return source if isinstance(source, InterTileProduceOp) else None


def ground(op: Operation, tiles: int | None = None) -> list[Group] | None:
    """The groups of a delivery, of a grid of `tiles` tiles if given; None where a set has no constant bounds."""
    source = producer_of(op)
    if source is None:
        return None
    made = producers_by_group(source.producer_tiles_per_group.data, source.future.type.groups.data, tiles)  # type: ignore[attr-defined]
    if made is None:
        return None
    consumer_set = op.properties["consumer_tiles_per_group"]
    dependency = op.properties.get("producer_dependency_per_consumer")
    assert isinstance(consumer_set, AffineSetAttr)
    found: list[Group] = []
    work = 0
    for number, producers in made.items():
        consumers = tiles_of(consumer_set.data, (number,), tiles)
        if consumers is None:
            return None
        sources: dict[int, tuple[int, ...]] = {}
        for c in consumers:
            if not isinstance(dependency, AffineSetAttr):
                sources[c] = producers
                continue
            work += len(producers) + 1
            if work > LIMIT:
                return None
            wanted = tiles_of(dependency.data, (c, number)[: dependency.data.num_symbols], tiles)
            if wanted is not None:
                sources[c] = wanted
        found.append(Group(number, producers, consumers, sources))
    return found


# -- parts of tensors ------------------------------------------------------------------------------------------------


def dimensions(op: Operation) -> tuple[Shape, Shape]:
    """The dimensions that a delivery splits among consumers, and those along which it joins producers' parts."""
    split = op.properties.get("scatter_dimensions") or op.properties.get("split_dimensions")
    joined = op.properties.get("gather_dimensions") or op.properties.get("concat_dimensions")
    return (() if split is None else numbers(split)), (() if joined is None else numbers(joined))


def shape_of(t: Attribute) -> Shape:
    """Extents of a tensor type."""
    return tuple(t.get_shape())  # type: ignore[attr-defined]


class Uneven(ValueError):
    """The extents of a partial and its result do not fit the numbers of producers and consumers."""


def factors(op: Operation, partial: Shape, result: Shape, producers: int, consumers: int) -> tuple[Shape, Shape]:
    """Per dimension into how many parts it is split and how many are joined along it.

    A dimension in one list shows its factor in its extents; of those in both lists the first takes what is left.
    Raises Uneven (its text names the rule).
    """
    split, joined = dimensions(op)
    cut, grown = [1] * len(partial), [1] * len(partial)
    both = [k for k in split if k in joined]
    for k in (*split, *joined):
        a, b, parts = (partial[k], result[k], cut) if k in split else (result[k], partial[k], grown)
        if k in both:
            continue
        if not b or a % b:
            rule = "R9" if k in split else "R12"
            raise Uneven(f"extent {a} of dimension {k} is not a multiple of {b} ({rule})")
        parts[k] = a // b
    if both:
        cut[both[0]], grown[both[0]] = -(-consumers // prod(cut)), -(-producers // prod(grown))
    total = prod(partial[k] for k in split)
    if split and (prod(cut) != consumers or any(partial[k] % cut[k] for k in split)):
        raise Uneven(f"extent {total} of dimensions {list(split)} is not split among {consumers} consumers (R9)")
    if joined and prod(grown) != producers:
        raise Uneven(f"dimensions {list(joined)} of the result do not hold the parts of {producers} producers (R12)")
    for k in both:
        if partial[k] // cut[k] * grown[k] != result[k]:
            raise Uneven(f"extent {result[k]} of dimension {k} is not {partial[k]} / {cut[k]} * {grown[k]} (R9, R12)")
    return tuple(cut), tuple(grown)


def pieces(op: Operation, group: Group, consumer: int, role: int) -> list[Piece]:
    """What a consumer's result `role` is made of, by ascending producer; combining operations have a piece of the
    result's size per producer. Raises Uneven."""
    partial = shape_of(op.operands[0].type.partials.data[role])  # type: ignore[attr-defined]
    zero = (0,) * len(partial)
    sources = group.sources[consumer]
    split, joined = dimensions(op)
    if not split and not joined:
        return [Piece(p, zero, zero, partial) for p in sources]
    result = shape_of(op.results[role].type)
    cut, grown = factors(op, partial, result, len(sources), len(group.consumers))
    part = tuple(n // c for n, c in zip(partial, cut, strict=True))
    mine = position(group.consumers.index(consumer), cut)
    start = tuple(a * n for a, n in zip(mine, part, strict=True))
    return [
        Piece(p, start, tuple(a * n for a, n in zip(position(k, grown), part, strict=True)), part)
        for k, p in enumerate(sources)
    ]


# -- rules -----------------------------------------------------------------------------------------------------------


def tiles_around(op: Operation) -> int | None:
    """Tiles of the kernel around `op`; None without a readable grid."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    grid = None if parent is None else parent.attributes.get("grid")
    extents = [n.value.data for n in getattr(grid, "data", ()) if hasattr(n, "value")]
    return prod(extents) if extents and min(extents) > 0 else None


def violations(top: Operation) -> Iterator[tuple[Operation, str]]:
    """(operation, message) for each broken rule inside `top`."""
    for op in top.walk():
        if isinstance(op, InterTileProduceOp):
            uses = list(op.future.uses)
            if len(uses) != 1:
                yield op, f"the future must have exactly one use, but has {len(uses)} (R2)"
            elif not isinstance(uses[0].operation, DELIVERIES):
                yield op, f"the future is used by '{uses[0].operation.name}', which delivers nothing (R2)"
            message = _overlap(op)
            if message is not None:
                yield op, message
        elif isinstance(op, DELIVERIES):
            if producer_of(op) is None:
                yield op, "the future must be a result of 'ktdp.inter_tile_produce'"
                continue
            groups = ground(op, tiles_around(op))
            message = None if groups is None else broken(op, groups)
            if message is not None:
                yield op, message


def _overlap(op: InterTileProduceOp) -> str | None:
    """R1 within the grid, for sets that only the grid bounds."""
    made = producers_by_group(op.producer_tiles_per_group.data, op.future.type.groups.data, tiles_around(op))  # type: ignore[attr-defined]
    owner: dict[int, int] = {}
    for g, tiles in (made or {}).items():
        for tile in tiles:
            if owner.setdefault(tile, g) != g:
                return f"producer sets must be disjoint, but groups {owner[tile]} and {g} share tile {tile} (R1)"
    return None


def broken(op: Operation, groups: Sequence[Group]) -> str | None:
    """The first rule that a delivery breaks, None if it keeps all."""
    for group in groups:
        message = _sources(op, group) or _counts(op, group, groups)
        if message is not None:
            return message
    return _parts(op, groups)


def _sources(op: Operation, group: Group) -> str | None:
    g, producers, consumers = group.number, group.producers, group.consumers
    depends = "producer_dependency_per_consumer" in op.properties
    if isinstance(op, InterTileConsumeOp) and not depends and len(producers) != 1 and consumers:
        return f"group {g} has {len(producers)} producers, so a dependency set must name each source (R8)"
    if isinstance(op, InterTileScatterOp) and len(producers) != 1 and consumers:
        return f"group {g} must have one producer to scatter from, but has {len(producers)} (R8)"
    if isinstance(op, InterTileReduceOp):
        strangers = [c for c in consumers if c not in set(producers)]
        if strangers:
            return f"consumer tile {strangers[0]} of group {g} is not a producer (R13)"
        if len(consumers) != 1 and consumers != producers:
            return f"group {g} must deliver to one tile or all producers, not to {len(consumers)} tiles (R14)"
    if not depends:
        return None
    members = set(producers)
    claimed: set[int] = set()
    for consumer in consumers:
        sources = group.sources.get(consumer)
        if sources is None:
            continue
        for tile in sources:
            if tile not in members:
                return f"consumer tile {consumer} of group {g} depends on tile {tile}, which does not produce (R3)"
        if isinstance(op, InterTileConsumeOp) and len(sources) != 1:
            return f"consumer tile {consumer} of group {g} must have one source, but has {len(sources)} (R8)"
        claimed.update(sources)
    unclaimed = [tile for tile in producers if tile not in claimed]
    if len(group.sources) == len(consumers) and unclaimed:
        return f"no consumer of group {g} depends on producer tile {unclaimed[0]} (R4)"
    return None


def _counts(op: Operation, group: Group, groups: Sequence[Group]) -> str | None:
    if not isinstance(op, InterTileGatherOp | InterTileAllToAllOp):
        return None
    first = groups[0]
    if len(group.producers) != len(first.producers):
        return (
            f"groups must have equally many producers, but group {first.number} has {len(first.producers)} and "
            f"group {group.number} has {len(group.producers)} (R7)"
        )
    sizes = {c: len(s) for c, s in group.sources.items()}
    for c, n in sizes.items():
        least = next(iter(sizes))
        if n != sizes[least]:
            return (
                f"consumers of group {group.number} must depend on equally many tiles, but tile {least} depends on "
                f"{sizes[least]} and tile {c} on {n} (R6)"
            )
    return None


def _parts(op: Operation, groups: Sequence[Group]) -> str | None:
    split, joined = dimensions(op)
    if not split and not joined:
        return None
    for group in groups:
        for consumer, sources in group.sources.items():
            for role, r in enumerate(op.results):
                partial = shape_of(op.operands[0].type.partials.data[role])  # type: ignore[attr-defined]
                result = shape_of(r.type)
                if min((*partial, *result), default=0) < 0:
                    continue
                try:
                    factors(op, partial, result, len(sources), len(group.consumers))
                except Uneven as e:
                    return f"result #{role} on consumer tile {consumer} of group {group.number}: {e}"
    return None
