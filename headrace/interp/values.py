"""What SSA values are while a program runs.

index, integer     Python int (i1: bool), wrapped at the type's width by the scalar table
float              NumPy scalar of the type's `value_dtype`
tensor, vector     ndarray of the element type's `value_dtype` (immutable by convention)
memref             `View`
access tile        `AccessTile` or `IndirectTile`
anything undefined `Poison`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from headrace.interp.memory import Space
from headrace.interp.points import PointSet
from headrace.ir.types import dtype_of
from headrace.numerics.dtypes import DType


@dataclass(frozen=True)
class Poison:
    """A value nobody defined. Memory and control flow refuse it; pure operations pass it on where it `spreads`."""

    reason: str
    spreads: bool = True


class PoisonUse(Exception):
    """An operation read a poison value where it needs a real one."""

    def __init__(self, poison: Poison):
        super().__init__(poison.reason)
        self.poison = poison


@dataclass(frozen=True)
class PartialTensor:
    """A tensor of which only the elements in `defined` have been written (strict mode's `tensor.empty`)."""

    values: NDArray[Any]
    defined: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class View:
    """A strided view of a memory: element (i_0..) at byte `base + sum(i_k * strides_k)`.

    `strides` are in bytes. `bounds` is the coordinate set as points shifted to start at the view's own origin, or
    None where it is the whole box [0, sizes). `lenient`: accesses outside read zero and drop stores (a view with a
    dynamic extent).
    """

    space: Space
    base: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: DType
    op: Operation | None = None
    lenient: bool = False
    bounds: PointSet | None = None
    owner: object = None
    pointer: int | None = None
    """Byte address that a reinterpret_cast counts its offset from (None: `base`)."""

    @property
    def rank(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False)
class IndirectView(View):
    """Memory walked through a table of displacements (`ktdf.indirect_memref`); `rows` are the dimensions that subscript
    the table."""

    source: View | None = None
    table: View | None = None
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class DistributedView:
    """Partitions of one global coordinate space: each view with the points of its coordinate set."""

    parts: tuple[tuple[View, PointSet], ...]
    sizes: tuple[int, ...]
    dtype: DType
    op: Operation

    @property
    def rank(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False)
class AccessTile:
    """Points `origin + a` for a in `points`, enumerated with dimension `order[0]` outermost."""

    base: View | DistributedView | NDArray[Any]
    origin: tuple[int, ...]
    points: PointSet
    order: tuple[int, ...]
    op: Operation

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.points.shape[d] for d in self.order)


@dataclass(frozen=True, eq=False)
class IndirectTile:
    """Points of a variable space; `subscripts[k]` computes base coordinate k from the variables when the tile is used.

    A direct subscript is (None, map), an indirect one (index view, map). `captured` precede the variables as map
    operands.
    """

    base: View | DistributedView
    subscripts: tuple[tuple[View | DistributedView | None, Any], ...]
    captured: tuple[int, ...]
    points: PointSet
    order: tuple[int, ...]
    op: Operation

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.points.shape[d] for d in self.order)


@dataclass
class Warnings:
    """Warnings of one run, at most one per operation and kind."""

    found: list[Any] = field(default_factory=list)
    _seen: set[tuple[int, str]] = field(default_factory=set)

    def once(self, op: Operation, kind: str, message: str) -> None:
        """Record a located warning unless this operation already gave one of this kind."""
        from headrace.ir.diagnostics import Diagnostic
        from headrace.ir.location import loc_of

        if (id(op), kind) not in self._seen:
            self._seen.add((id(op), kind))
            self.found.append(Diagnostic("warning", message, loc_of(op)))


def element_type(t: Attribute) -> Attribute:
    """Element type of a shaped type, or the type itself."""
    return getattr(t, "element_type", t)


def element_dtype(t: Attribute) -> DType:
    """DType of a scalar type or of a shaped type's elements."""
    return dtype_of(element_type(t))


def is_shaped(t: Attribute) -> bool:
    return hasattr(t, "element_type")


def static_shape(t: Attribute) -> tuple[int, ...]:
    """Shape of a tensor, vector or memref type; dynamic extents are DYNAMIC_INDEX."""
    shaped: Any = t
    if hasattr(t, "get_shape"):
        return tuple(shaped.get_shape())
    return (shaped.get_num_elements(),)  # custom vectors


def resolve_shape(t: Attribute, dynamic: Sequence[int]) -> tuple[int, ...]:
    """Shape with its dynamic extents filled left to right."""
    it = iter(dynamic)
    return tuple(int(next(it)) if n == DYNAMIC_INDEX else n for n in static_shape(t))


def mixed(static: Sequence[int], dynamic: Sequence[int]) -> tuple[int, ...]:
    """A mixed static/dynamic index list with its dynamic entries filled left to right."""
    it = iter(dynamic)
    return tuple(int(next(it)) if n == DYNAMIC_INDEX else int(n) for n in static)


def scalar(value: Any, dtype: DType) -> Any:
    """A 0-d result in the form scalars have while running."""
    array = np.asarray(value)
    if dtype.is_float:
        return array.astype(dtype.value_dtype, copy=False)[()]
    return bool(array) if dtype.name == "i1" else int(array)


def row_major(sizes: Sequence[int], width: int = 1) -> tuple[int, ...]:
    """Strides of a dense row-major layout, innermost `width`."""
    strides: list[int] = []
    step = width
    for n in reversed(sizes):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))
