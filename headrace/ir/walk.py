"""Visiting the operations of a module: most of what passes do. Without recursion, as deep nests are common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, Region


def walk_ops(region_or_op: Operation | Region, *names: str) -> Iterator[Operation]:
    """All operations below (pre-order), or those with one of `names`; safe while the current op is erased."""
    stack: list[Block | Operation] = []
    regions: Sequence[Region]
    regions = (region_or_op,) if type(region_or_op) is Region else region_or_op.regions  # type: ignore[union-attr]
    _push(stack, regions)
    while stack:
        item = stack.pop()
        op: Operation | None = item.first_op if type(item) is Block else item  # type: ignore[assignment]
        while op is not None:
            following = op.next_op
            if not names or op.name in names:
                yield op
            regions = op.regions
            if regions and op.parent is not None:
                if following is not None:
                    stack.append(following)
                region = next(iter(regions))
                block = region.first_block
                if len(regions) > 1 or block is None or block is not region.last_block:
                    _push(stack, regions)
                    break
                following = block.first_op
            op = following


def _push(stack: list[Block | Operation], regions: Sequence[Region]) -> None:
    for region in reversed(regions):
        block = region.last_block
        while block is not None:
            stack.append(block)
            block = block.prev_block
