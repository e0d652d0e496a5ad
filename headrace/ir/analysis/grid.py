"""The grid of tiles of a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr
from xdsl.ir import Operation


def grid_of(kernel: Operation) -> tuple[int, ...]:
    """The grid of a kernel, (1,) without one."""
    attr = kernel.attributes.get("grid")
    if isinstance(attr, DenseArrayBase):
        return tuple(int(n) for n in attr.get_values())
    if not isinstance(attr, ArrayAttr):
        return (1,)
    return tuple(n.value.data for n in attr.data if isinstance(n, IntegerAttr))


def position(number: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Where block (or tile) `number` lies in a grid of blocks, the last dimension fastest."""
    at: list[int] = []
    for n in reversed(counts):
        at.append(number % n)
        number //= n
    return tuple(reversed(at))
