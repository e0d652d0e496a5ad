"""Visiting the operations of a module: most of what passes do. Without recursion, as deep nests are common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, Region


def walk_ops(region_or_op: Operation | Region, *names: str) -> Iterator[Operation]:
    """All operations below (pre-order), or those with one of `names`; safe while the current op is erased."""
    stack: list[Block | Operation] = []
    _push(stack, region_or_op.regions if isinstance(region_or_op, Operation) else (region_or_op,))
    while stack:
        item = stack.pop()
        op = item.first_op if type(item) is Block else item
        while op is not None:
            following: Operation | None = op.next_op  # type: ignore[union-attr]
            if not names or op.name in names:  # type: ignore[union-attr]
                yield op  # type: ignore[misc]
            regions = op.regions  # type: ignore[union-attr]
            if regions and op.parent is not None:
                if following is not None:
                    stack.append(following)
                _push(stack, regions)
                break
            op = following


def _push(stack: list[Block | Operation], regions: Sequence[Region]) -> None:
    for region in reversed(regions):
        block = region.last_block
        while block is not None:
            stack.append(block)
            block = block.prev_block
