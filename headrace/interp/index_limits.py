"""Which memory views hold numbers that become coordinates of access tiles, and below which bound these must stay.

    %n = tensor.extract (load %ids) ; %t = construct_access_tile %cache[%n / 4, ...]     %cache of 8 blocks: ids < 32

Followed are casts and what moves or scales a number by constants. Where a number goes another way its view has no
bound here. (The index views of indirect access tiles are found when these are made.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

_THROUGH = frozenset(
    {
        *(f"arith.{n}" for n in ("index_cast", "index_castui", "extsi", "extui", "trunci")),
        *(f"tensor.{n}" for n in ("extract", "reshape", "expand_shape", "collapse_shape", "extract_slice")),
    }
)
"""What hands on a number, or elements, as they are."""
_SCALED: dict[str, Callable[[int, int], int]] = {
    "arith.divsi": lambda limit, by: limit * by,
    "arith.divui": lambda limit, by: limit * by,
    "arith.floordivsi": lambda limit, by: limit * by,
    "arith.muli": lambda limit, by: -(-limit // by),
    "arith.addi": lambda limit, by: limit - by,
    "arith.subi": lambda limit, by: limit + by,
}
"""The bound of the first operand from that of the result, where the second one is the constant `by`."""
_FACTORS = frozenset({"arith.divsi", "arith.divui", "arith.floordivsi", "arith.muli"})


def coordinate_limits(module: ModuleOp) -> dict[Operation, int]:
    """The bound of the numbers in each `ktdp.construct_memory_view` that are used as coordinates."""
    found: dict[Operation, int] = {}
    for op in module.walk():
        if op.name == "ktdp.construct_access_tile":
            for value, limit in _coordinates(op):
                _bound(value, limit, found)
    return found


def _coordinates(tile: Any) -> list[tuple[SSAValue, int]]:
    """(index value, bound) of the coordinates that are one value each, moved by a constant."""
    view = tile.base.owner
    if not isinstance(view, Operation) or view.name != "ktdp.construct_memory_view":
        return []
    sizes = list(view.properties["static_sizes"].get_values())  # type: ignore[attr-defined]
    order, shape = tile.access_tile_order.data.results, list(tile.result.type.get_shape())
    if len(order) != len(sizes) or len(shape) != len(sizes):
        return []
    extents = {e.position: n for e, n in zip(order, shape, strict=True) if isinstance(e, AffineDimExpr)}
    indices = list(tile.indices)
    found: list[tuple[SSAValue, int]] = []
    for k, expr in enumerate(tile.base_map.data.results):
        place = _moved(expr)
        if place is None or place[0] >= len(indices) or DYNAMIC_INDEX in (sizes[k], extents.get(k, DYNAMIC_INDEX)):
            continue
        found.append((indices[place[0]], sizes[k] - extents[k] + 1 - place[1]))
    return found


def _moved(expr: AffineExpr) -> tuple[int, int] | None:
    """(dimension, constant) of `dimension + constant`."""
    if isinstance(expr, AffineDimExpr):
        return expr.position, 0
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Add:
        a, b = expr.lhs, expr.rhs
        if isinstance(a, AffineDimExpr) and isinstance(b, AffineConstantExpr):
            return a.position, b.value
    return None


def _bound(value: SSAValue, limit: int, found: dict[Operation, int]) -> None:
    """Note the bound of the view that `value` is loaded from."""
    while isinstance(value.owner, Operation) and limit > 0:
        op: Any = value.owner
        if op.name in _THROUGH:
            value = op.operands[0]
        elif op.name in _SCALED:
            by = _constant(op.operands[1])
            if by is None or (op.name in _FACTORS and by <= 0):
                return
            value, limit = op.operands[0], _SCALED[op.name](limit, by)
        elif op.name == "ktdp.load":
            tile = op.operands[0].owner
            view = tile.operands[0].owner if isinstance(tile, Operation) else None
            if isinstance(view, Operation) and view.name == "ktdp.construct_memory_view":
                found[view] = min(found.get(view, limit), limit)
            return
        else:
            return


def _constant(value: SSAValue) -> int | None:
    op = value.owner
    if isinstance(op, Operation) and op.name == "arith.constant":
        attr = op.properties["value"]
        if isinstance(attr, IntegerAttr):
            return attr.value.data
    return None
