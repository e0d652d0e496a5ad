"""The iteration domain of a program: order, merging and vectorisation of its dimensions."""

from __future__ import annotations

from dataclasses import dataclass, field

from headrace.scheduler.build import Emitter, Index, constant_of


@dataclass(eq=False)
class Dim:
    """One dimension of the final domain: `parts` are the original dimensions it merges, outermost first."""

    extent: Index
    parts: list[int]
    multiple: int = 1


@dataclass(eq=False)
class Domain:
    """Final dimensions, outermost first, the vector dimension last, and per operand one stride per dimension."""

    dims: list[Dim]
    strides: list[list[int]] = field(default_factory=list)


def arrange(
    extents: list[Index],
    multiples: list[int],
    operands: list[tuple[int, ...]],
    stores: list[tuple[int, ...]],
    keep: bool,
    emit: Emitter,
) -> Domain:
    """Order the dimensions by the stores' strides (largest first), drop unit ones and merge those that are contiguous
    in every operand.

    `operands` holds one stride per original dimension for each operand, the last ones being the stores; `stores` holds
    what to order by for each store.
    `keep` forbids merging
    (the body asks for indices). The last dimension of the result is the vector dimension.
    """
    used = [d for d in range(len(extents)) if constant_of(extents[d]) != 1]

    def rank(d: int) -> tuple[int, ...]:
        written = max((abs(o[d]) for o in stores), default=0)
        read = max((abs(o[d]) for o in operands[: len(operands) - len(stores)]), default=0)
        return (-written, -read)

    used.sort(key=rank)
    dims: list[Dim] = []
    strides: list[list[int]] = [[] for _ in operands]
    for d in used:
        inner = constant_of(extents[d])
        mergeable = (
            dims
            and not keep
            and inner is not None
            and all(s[-1] == o[d] * inner for s, o in zip(strides, operands, strict=True))
        )
        if mergeable:
            last = dims[-1]
            last.extent = emit.mul(last.extent, extents[d])
            last.multiple *= inner  # type: ignore[operator]
            last.parts.append(d)
            for s, o in zip(strides, operands, strict=True):
                s[-1] = o[d]
        else:
            dims.append(Dim(extents[d], [d], multiples[d]))
            for s, o in zip(strides, operands, strict=True):
                s.append(o[d])
    if not dims:
        dims.append(Dim(1, []))
        for s in strides:
            s.append(1)
    return Domain(dims, strides)
