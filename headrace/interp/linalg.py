"""`linalg` by name: contractions as sums of outer products, other operations with indexing maps by their body.

A contraction (`linalg.matmul` and its family) converts its operands to the type it accumulates in, f32 where the result
has 16 bits, adds the products in ascending order of the summed loops and rounds once at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.interp import structured
from headrace.interp.engine import Frame, Leaf
from headrace.interp.structured import accumulator, convert, iteration_extents, narrowed, run_generic
from headrace.interp.values import element_dtype
from headrace.ir.upstream.linalg import CONTRACTIONS, STRUCTURED, indexing_maps_of

Array = NDArray[Any]

_RESIDENT = 1 << 18
"""Elements of a contraction's result that are summed at once, so that they stay in the host's caches."""


def _sum_of_products(a: Array, b: Array, total: Array) -> None:
    """`total += a @ b` for arrays (batch, m, k), (batch, k, n) and (batch, m, n), the products in ascending order."""
    rows = max(1, _RESIDENT // max(1, total[:, :1].size))
    with np.errstate(all="ignore"):
        for first in range(0, total.shape[1], rows):
            part, left = total[:, first : first + rows], a[:, first : first + rows]
            product = np.empty_like(part)
            for k in range(a.shape[2]):
                np.multiply(left[:, :, k, None], b[:, None, k, :], out=product)
                np.add(part, product, out=part)


def _contraction(f: Frame, op: Any) -> None:
    a, b = (f.get(v) for v in op.inputs)
    c = f.get(op.outputs[0])
    maps = indexing_maps_of(op)
    walks = [_dimensions(m) for m in maps]
    if "cast" in op.properties or any(w is None or len(set(w)) != len(w) for w in walks):
        _by_body(f, op)
        return
    left, right, kept = ([d for d in w or ()] for w in walks)
    extents = iteration_extents(op, maps, [np.shape(x) for x in (a, b, c)])
    summed = [d for d in range(maps[0].num_dims) if d not in kept]
    if any(d not in left or d not in right for d in summed):
        _by_body(f, op)
        return
    batch = [d for d in kept if d in left and d in right]
    rows, columns = ([d for d in kept if d not in batch and d in side] for side in (left, right))
    if len(batch) + len(rows) + len(columns) != len(kept):
        _by_body(f, op)
        return

    def size(dims: Iterable[int]) -> int:
        return prod(extents[d] for d in dims)

    def turned(values: Array, walk: Sequence[int], *groups: Sequence[int]) -> Array:
        order = [walk.index(d) for group in groups for d in group]
        return np.ascontiguousarray(values.transpose(order).reshape([size(group) for group in groups]))

    declared = element_dtype(op.outputs[0].type)
    wide = accumulator("arith.addf", declared)
    a, b = (convert(x, element_dtype(v.type), wide) for x, v in zip((a, b), op.inputs, strict=True))
    total = turned(convert(c, declared, wide), kept, batch, rows, columns).copy()
    _sum_of_products(turned(a, left, batch, rows, summed), turned(b, right, batch, summed, columns), total)
    order = [*batch, *rows, *columns]
    total = total.reshape([extents[d] for d in order]).transpose([order.index(d) for d in kept])
    f.set(op, total if wide is declared else narrowed(total, wide, declared))


def _dimensions(walk: AffineMap) -> list[int] | None:
    """The loops that an operand's dimensions are; None if one is no loop."""
    if not all(isinstance(e, AffineDimExpr) for e in walk.results):
        return None
    return [e.position for e in walk.results if isinstance(e, AffineDimExpr)]


def _by_body(f: Frame, op: Any) -> None:
    """Any structured operation: its body, run as that of `linalg.generic`."""
    maps = indexing_maps_of(op)
    kept = {e.position for m in maps[len(op.inputs) :] for e in m.results if isinstance(e, AffineDimExpr)}
    kinds = ["parallel" if d in kept else "reduction" for d in range(maps[0].num_dims)]
    ins, outs = ([f.get(v) for v in group] for group in (op.inputs, op.outputs))
    f.set(op, *run_generic(f, op, maps, kinds, ins, outs, op.regions[0].blocks[0]))


LEAVES: dict[str, Leaf] = (
    structured.LEAVES | dict.fromkeys(STRUCTURED, _by_body) | dict.fromkeys(CONTRACTIONS, _contraction)
)
"""The whole dialect."""
