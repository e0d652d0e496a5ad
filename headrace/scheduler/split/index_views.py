"""Views of indices of indirect access tiles, and which points have an index.

Points whose index lies outside of a view of indices with dynamic extents are outside of the access: loads give zero
there and nothing is stored (design decision 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.scheduler.access import Marker, mixed
from headrace.scheduler.build import Emitter, constant_of
from headrace.scheduler.linear import Linear, linear, of_affine

PASS = "tensor-legalization"


def index_maps(tile: ktdp.ConstructIndirectAccessTileOp) -> Iterator[tuple[SSAValue, AffineMap]]:
    """The views of indices of a tile with their subscripts, in order."""
    kinds = [bool(k.value.data) for k in tile.per_dim_subscript_kinds.data]  # type: ignore[attr-defined]
    maps = [m.data for m, indirect in zip(tile.per_dim_subscript_maps.data, kinds, strict=True) if indirect]  # type: ignore[attr-defined]
    return zip(tile.indirect_memrefs, maps, strict=True)


@dataclass(frozen=True)
class IndexPlace:
    """One coordinate in a view of indices that may lie outside of it, for an extent that is a value."""

    start: Linear
    variable: int | None
    """The variable of the tile that it moves with, one to one."""
    extent: SSAValue

    def inside(self, emit: Emitter, variables: Mapping[int, SSAValue]) -> SSAValue:
        """Whether it lies inside, for values of the variables."""
        moved = Linear() if self.variable is None else Linear(0, {variables[self.variable]: 1})
        return within(emit, self.start + moved, self.extent)


def index_coordinates(
    tile: ktdp.ConstructIndirectAccessTileOp, m: AffineMap
) -> list[tuple[Linear, int | None]] | None:
    """(start, variable) of each coordinate in a view of indices where all are linear and each is moved by at most one
    variable of its own, one to one; else None."""
    captured = [linear(v) for v in tile.captured_variables]
    markers = [Marker(i) for i in range(m.num_dims - len(captured))]
    found: list[tuple[Linear, int | None]] = []
    for expr in m.results:
        form = of_affine(expr, [*captured, *(Linear(0, {x: 1}) for x in markers)], m.num_dims)  # type: ignore[dict-item]
        if form is None:
            return None
        moving = [x for x in markers if form.coefficient(x)]  # type: ignore[arg-type]
        if any(form.coefficient(x) != 1 for x in moving) or len(moving) > 1:  # type: ignore[arg-type]
            return None
        found.append((form.without(set(markers)), moving[0].index if moving else None))  # type: ignore[arg-type]
    used = [v for _, v in found if v is not None]
    return found if len(set(used)) == len(used) else None


def index_places(tile: ktdp.ConstructIndirectAccessTileOp) -> list[IndexPlace]:
    """The coordinates in views of indices that may lie outside. Raises HeadraceError for others that
    leave their view."""
    found: list[IndexPlace] = []
    for view, m in index_maps(tile):
        owner = view.owner
        if not isinstance(owner, ktdp.ConstructMemoryViewOp) or not owner.sizes:
            continue
        places = index_coordinates(tile, m)
        sizes = mixed(owner.static_sizes.get_values(), list(owner.sizes))  # type: ignore[attr-defined]
        if places is None:
            if any(isinstance(n, SSAValue) and constant_of(n) is not None for n in sizes):
                raise error(
                    tile,
                    f"subscripts of an index view that leave it, and that no variables move one to one, are not "
                    f"supported by {PASS}",
                    [(owner, "the view is made here")],
                )
            continue
        found += [IndexPlace(*p, n) for p, n in zip(places, sizes, strict=True) if isinstance(n, SSAValue)]
    return found


def within(emit: Emitter, at: Linear, extent: SSAValue) -> SSAValue:
    """Whether `0 <= at < extent`."""
    place = emit.value(at.emit(emit))
    below = emit.insert(arith.CmpiOp(place, extent, "slt")).result
    above = emit.insert(arith.CmpiOp(place, emit.value(0), "sge")).result
    return emit.insert(arith.AndIOp(below, above)).result
