"""Whether the accesses of a program stay inside their views.

Where a view's extents are constants, an access that provably leaves it is an error. Where an extent is only known at
launch, the points of a stored tile
outside the view are not stored and loads give zero there (design decision 4): the iteration domain is cut to what the
stores' views hold, which also
covers loads through views with the same room. An access whose room differs is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from headrace.ir.diagnostics import error
from headrace.scheduler.access import Access, mixed
from headrace.scheduler.build import constant_of
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split.scalarize import PASS, DomainDim
from headrace.scheduler.split.view_extents import is_open

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


INSIDE = "headrace.inside"
"""On a load or store: the dimensions of its view that it certainly does not leave, as the pass that made it knows."""


def view_sizes(access: Access) -> list[Linear]:
    """Extents of the view, one linear form per dimension."""
    view = access.view
    return [linear(s) for s in mixed(view.static_sizes.get_values(), list(view.sizes))]  # type: ignore[attr-defined]


def clip_domain(builder: Builder, guarded: bool) -> None:
    """Check every access and cut the stored tile's dimensions to their views where those have extents only known at
    launch."""
    rooms: set[object] = set()
    offset = len(builder.loops)
    for store in builder.stores:
        access = builder.accesses[store]
        sizes = view_sizes(access)
        for position, dim in enumerate(access.dims):
            if dim.view_dim < 0 or known_inside(store, dim.view_dim):
                continue
            size = builder.resolve(sizes[dim.view_dim])
            start = builder.resolve(access.coords[dim.view_dim]) + builder.resolve(dim.lo)
            if inside(builder, access, dim.view_dim, start, builder.resolve(dim.extent), size, guarded):
                continue
            room = size - start
            if any(isinstance(t, DomainDim) for t in room.terms):
                raise error(
                    store,
                    f"the room left in dimension {dim.view_dim} of the view, whose extent is only known at launch, "
                    f"changes with a loop around the "
                    f"store; this is not supported by {PASS}",
                )
            k = offset + position
            if room.key() not in rooms:
                rooms.add(room.key())
                top = builder.top
                builder.extents[k] = top.maximum(0, top.minimum(builder.extents[k], builder.emit(room)))
                builder.multiples[k] = 1
    for op, access in builder.accesses.items():
        if op in builder.stores:
            continue
        sizes = view_sizes(access)
        for position, dim in enumerate(access.dims):
            if dim.view_dim < 0 or known_inside(op, dim.view_dim):
                continue
            size = builder.resolve(sizes[dim.view_dim])
            start = builder.resolve(access.coords[dim.view_dim]) + builder.resolve(dim.lo)
            if inside(builder, access, dim.view_dim, start, builder.resolve(dim.extent), size, guarded):
                continue
            room = size - start
            if all("headrace.prefilled" in s.attributes for s in builder.stores):
                k, top = offset + position, builder.top
                builder.extents[k] = top.maximum(0, top.minimum(builder.extents[k], builder.emit(room)))
                builder.multiples[k] = 1
                continue
            if room.key() not in rooms:
                raise error(
                    op,
                    f"this access may leave its view in dimension {dim.view_dim}, whose extent is only known at "
                    f"launch, and no store is cut the same "
                    f"way; this is not supported by {PASS}",
                )


def known_inside(op: Operation, k: int) -> bool:
    """Whether the pass that made a load or store knows that it does not leave dimension `k` of its view."""
    known = op.attributes.get(INSIDE)
    return isinstance(known, DenseArrayBase) and k in known.get_values()


def know_inside(op: Operation, k: int, like: Operation) -> None:
    """Say that a load or store does not leave dimension `k` of its view, and no other that `like` does not leave."""
    known = like.attributes.get(INSIDE)
    others = known.get_values() if isinstance(known, DenseArrayBase) else ()
    op.attributes[INSIDE] = DenseArrayBase.from_list(i64, sorted({*map(int, others), k}))


def inside(
    builder: Builder, access: Access, k: int, start: Linear, extent: Linear, size: Linear, guarded: bool
) -> bool:
    """Whether view dimension k certainly holds [start, start + extent). Raises where it certainly does not."""
    slack = size - start - extent
    low = lowest(builder, start)
    if slack.is_const and slack.const >= 0 and low is not None and low >= 0:
        return True
    high_end = highest(builder, start + extent)
    if size.is_const and not is_open(access.view, k):
        if low is not None and high_end is not None and (low < 0 or high_end > size.const) and not guarded:
            what = "loads from" if access.op.name == "ktdp.load" else "stores to"
            at = low if low < 0 else high_end - 1
            raise error(
                access.op,
                f"'{access.op.name}' {what} coordinate {at} of dimension {k}, outside the view's extent of "
                f"{size.const}",
                [(access.view, "the view is made here")],
            )
        return True
    least = lowest(builder, size - start - extent)
    return low is not None and low >= 0 and least is not None and least >= 0


def span(builder: Builder, v: object) -> tuple[int, int] | None:
    """Least and greatest value of a term, if known."""
    if isinstance(v, DomainDim):
        n = constant_of(builder.extents[v.index])
        return None if n is None else (0, max(0, n - 1))
    if isinstance(v, SSAValue) and isinstance(v.owner, Operation) and v.owner.name == "ktdp.get_compute_tile_id":
        grid = builder.program.attributes.get("grid")
        position = list(v.owner.results).index(v)  # type: ignore[arg-type]
        if isinstance(grid, ArrayAttr) and position < len(grid.data):
            extent = grid.data[position]
            if isinstance(extent, IntegerAttr):
                return 0, extent.value.data - 1
        return (0, 0) if isinstance(grid, ArrayAttr) else None
    return None


def lowest(builder: Builder, form: Linear) -> int | None:
    """Least value of a linear form, None if some term is unknown."""
    total = form.const
    for v, c in form.terms.items():
        known = span(builder, v)
        if known is None:
            return None
        total += c * (known[0] if c > 0 else known[1])
    return total


def highest(builder: Builder, form: Linear) -> int | None:
    """Greatest value of a linear form, None if some term is unknown."""
    negative = lowest(builder, form.scaled(-1))
    return None if negative is None else -negative
