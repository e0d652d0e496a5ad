"""Rules R2, R3, R4, R8, R13 and R14 of communication between tiles, checked where the sets have constant bounds.

A set that cannot be enumerated skips the checks that need it; it is never a reason to reject.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import AffineSetAttr
from xdsl.ir import Operation, OpResult

from headrace.ir.analysis.groups import LIMIT, producers_by_group, tiles_of
from headrace.ir.dialects.ktdp import InterTileConsumeOp, InterTileProduceOp, InterTileReduceOp


def violations(top: Operation) -> Iterator[tuple[Operation, str]]:
    """(operation, message) for each broken rule inside `top`."""
    for op in top.walk():
        if isinstance(op, InterTileProduceOp):
            uses = sum(1 for _ in op.future.uses)
            if uses != 1:
                yield op, f"the future must have exactly one use, but has {uses} (R2)"
        elif isinstance(op, InterTileConsumeOp | InterTileReduceOp):
            message = _delivery(op)
            if message is not None:
                yield op, message


def _delivery(op: InterTileConsumeOp | InterTileReduceOp) -> str | None:
    source = op.future.op if isinstance(op.future, OpResult) else None
    if not isinstance(source, InterTileProduceOp):
        return "the future must be a result of 'ktdp.inter_tile_produce'"
    producers = producers_by_group(source.producer_tiles_per_group.data, op.future.type.groups.data)  # type: ignore[attr-defined]
    if producers is None:
        return None
    copy = isinstance(op, InterTileConsumeOp)
    work = 0
    for group, tiles in producers.items():
        consumers = tiles_of(op.consumer_tiles_per_group.data, (group,))
        if consumers is None:
            continue
        if copy and op.producer_dependency_per_consumer is None and len(tiles) != 1 and consumers:
            return f"group {group} has {len(tiles)} producers, so a dependency set must name each source (R8)"
        if not copy:
            strangers = [c for c in consumers if c not in set(tiles)]
            if strangers:
                return f"consumer tile {strangers[0]} of group {group} is not a producer (R13)"
            if len(consumers) != 1 and consumers != tiles:
                return f"group {group} must deliver to one tile or all producers, not to {len(consumers)} tiles (R14)"
        if op.producer_dependency_per_consumer is None:
            continue
        work += len(consumers) * (len(tiles) + 1)
        if work > LIMIT:
            return None
        message = _dependencies(op.producer_dependency_per_consumer, group, tiles, consumers, copy)
        if message is not None:
            return message
    return None


def _dependencies(
    dependency: AffineSetAttr, group: int, producers: tuple[int, ...], consumers: tuple[int, ...], copy: bool
) -> str | None:
    claimed: set[int] = set()
    complete = True
    members = set(producers)
    for consumer in consumers:
        symbols = (consumer,) if dependency.data.num_symbols == 1 else (consumer, group)
        sources = tiles_of(dependency.data, symbols)
        if sources is None:
            complete = False
            continue
        for tile in sources:
            if tile not in members:
                return f"consumer tile {consumer} of group {group} depends on tile {tile}, which does not produce (R3)"
        if copy and len(sources) != 1:
            return f"consumer tile {consumer} of group {group} must have one source, but has {len(sources)} (R8)"
        claimed.update(sources)
    unclaimed = [tile for tile in producers if tile not in claimed]
    if complete and unclaimed:
        return f"no consumer of group {group} depends on producer tile {unclaimed[0]} (R4)"
    return None
