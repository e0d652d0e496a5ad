"""Device layouts: how the elements of a host array lie in device memory.

``row-major`` is what kernels without layout words expect. ``stick`` is the layout of machines that move memory in
sticks of 128 bytes: the last dimension (of ``order``) is cut into sticks, and the number of sticks becomes an outer
dimension. For rank >= 2 the device dimensions are ``order[1:-1] + [stick count] + [order[0]] + [lane]``.

>>> Layout.stick((70, 100), 2).device_size
(2, 70, 64)
>>> Layout.stick((70, 100), 2).blocks()
[Block(size=(1, 70, 64), host=(64, 100, 1), device=(4480, 64, 1), host_offset=0, device_offset=0), \
Block(size=(1, 70, 36), host=(64, 100, 1), device=(4480, 64, 1), host_offset=64, device_offset=4480)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from headrace.runtime.errors import runtime_error

STICK_BYTES = 128
MAXIMUM_RANK = 6


@dataclass(frozen=True)
class Block:
    """A loop nest of the conversion: for every index in ``size`` the element ``host_offset + sum(index * host)`` of the
    host array is ``device_offset + sum(index * device)`` of the device tensor. Outermost dimension first, in elements.
    """

    size: tuple[int, ...]
    host: tuple[int, ...]
    device: tuple[int, ...]
    host_offset: int
    device_offset: int


@dataclass(frozen=True)
class Layout:
    """``device_size`` (row-major on the device; elements) and, per device dimension, the host dimension behind it and
    the host stride of one step in it (``stride_map``; -1 for dimensions of padding alone)."""

    shape: tuple[int, ...]
    device_size: tuple[int, ...]
    stride_map: tuple[int, ...]
    host_dims: tuple[int, ...]

    @staticmethod
    def row_major(shape: Sequence[int]) -> Layout:
        """The host's own order, without padding."""
        shape = tuple(shape)
        return Layout(shape, shape, _strides(shape), tuple(range(len(shape))))

    @staticmethod
    def stick(shape: Sequence[int], element_bytes: int, order: Sequence[int] | None = None) -> Layout:
        """The stick layout of a shape; ``order`` permutes the dimensions first, its last one is cut into sticks.

        Raises :class:`HeadraceError` for a rank above 6 or an order that is no permutation.
        """
        shape = tuple(shape)
        lanes = STICK_BYTES // element_bytes
        rank = len(shape)
        order = tuple(order) if order is not None else tuple(range(rank))
        if rank > MAXIMUM_RANK:
            raise runtime_error(f"the stick layout takes up to {MAXIMUM_RANK} dimensions, the shape has {rank}")
        if sorted(order) != list(range(rank)):
            raise runtime_error(f"order {order} is no permutation of the {rank} dimensions")
        if rank == 0:
            return Layout(shape, (1, lanes), (-1, -1), (-1, -1))
        count = -(-shape[order[-1]] // lanes)
        stick = order[-1]
        dims = (*order[1:-1], stick, *order[:1], stick) if rank > 1 else (stick, stick)
        host = _strides(shape)
        count_at = len(order[1:-1])
        sizes, strides = [], []
        for at, d in enumerate(dims):
            if at == len(dims) - 1:
                sizes.append(lanes)
                strides.append(host[d])
            elif at == count_at:
                sizes.append(count)
                strides.append(host[d] * lanes)
            else:
                sizes.append(shape[d])
                strides.append(host[d])
        return Layout(shape, tuple(sizes), tuple(strides), dims)

    @property
    def is_row_major(self) -> bool:
        """True if host and device order are the same, without padding."""
        return self.device_size == self.shape and self.host_dims == tuple(range(len(self.shape)))

    @property
    def elements(self) -> int:
        """Elements on the device, padding included."""
        return prod(self.device_size)

    def blocks(self) -> list[Block]:
        """Loop nests that visit every element of the host array once: full sticks, then the remainder."""
        device = _strides(self.device_size)
        if not self.shape and len(self.device_size) == 2:
            return [Block((1, 1), (0, 0), device, 0, 0)]
        if self.is_row_major:
            return [Block(self.shape, device, device, 0, 0)] if prod(self.shape) else []
        lane = len(self.device_size) - 1
        stick = self.host_dims[lane]
        count_at = next(k for k, d in enumerate(self.host_dims) if d == stick)
        lanes, n = self.device_size[lane], self.shape[stick]
        out = []
        for outer, inner, first in ((n // lanes, lanes, 0), (1, n % lanes, n // lanes)):
            if outer and inner and prod(self.shape):
                size = list(self.device_size)
                size[count_at], size[lane] = outer, inner
                host, dev = first * self.stride_map[count_at], first * device[count_at]
                out.append(Block(tuple(size), self.stride_map, device, host, dev))
        return out


def _strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Row-major strides in elements."""
    out = [1]
    for n in reversed(shape[1:]):
        out.append(out[-1] * n)
    return tuple(reversed(out[: len(shape)]))


def collapse(block: Block) -> Block:
    """The same nest with dimensions of one index dropped and neighbours merged that are contiguous on both sides."""
    dims = [d for d in zip(block.size, block.host, block.device, strict=True) if d[0] != 1]
    merged: list[tuple[int, int, int]] = dims[:1]
    for size, host, device in dims[1:]:
        before = merged[-1]
        if before[1] == size * host and before[2] == size * device:
            merged[-1] = (before[0] * size, host, device)
        else:
            merged.append((size, host, device))
    merged = merged or [(1, 1, 1)]
    return Block(
        tuple(d[0] for d in merged),
        tuple(d[1] for d in merged),
        tuple(d[2] for d in merged),
        block.host_offset,
        block.device_offset,
    )
