"""Least and greatest values of numbers that are computed from elements of tensors, one side at a time.

    %n = extract (load %lens) ; %m = arith.minsi %n, %c8 ; %b = arith.ceildivsi %m, %c2     %b <= 4, nothing bounds %n
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from headrace.scheduler.build import Emitter, Index, constant_of
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split.elements import depends_on_tensor

SAME = frozenset(
    {
        *(f"arith.{n}" for n in ("index_cast", "extsi", "trunci")),
        *(f"tensor.{n}" for n in ("extract", "splat", "reshape", "expand_shape", "collapse_shape", "extract_slice")),
    }
)
"""What hands on numbers as they are (casts are taken not to wrap, as in linear forms)."""
QUOTIENTS = frozenset({"arith.divsi", "arith.floordivsi", "arith.ceildivsi"})
NARROW = 8
"""Most bits of an integer type whose range is taken as the limits of a number that is loaded."""


def peeled(value: SSAValue) -> SSAValue:
    """The number behind casts."""
    while isinstance(value.owner, Operation) and value.owner.name in ("arith.index_cast", "arith.extsi"):
        value = value.owner.operands[0]
    return value


def span_of(form: Linear, grid: Sequence[int]) -> tuple[int, int] | None:
    """(least, greatest) value of a form over all tiles of a grid and all iterations of the loops around; None where it
    depends on anything else."""
    low = high = form.const
    for v, c in form.terms.items():
        ends = _ends_of(v, grid)
        if ends is None:
            return None
        a, b = sorted(c * x for x in ends)
        low, high = low + a, high + b
    return low, high


def _ends_of(value: SSAValue, grid: Sequence[int]) -> tuple[int, int] | None:
    op = value.owner
    if isinstance(op, Operation):
        if op.name != "ktdp.get_compute_tile_id":
            return None
        position = list(op.results).index(value)  # type: ignore[arg-type]
        return 0, grid[position] - 1 if position < len(grid) else 0
    loop = op.parent_op()
    if not isinstance(loop, scf.ForOp) or value is not op.args[0]:
        return None
    first, end = span_of(linear(loop.lb), grid), span_of(linear(loop.ub), grid)
    return None if first is None or end is None else (first[0], max(first[0], end[1] - 1))


class ValueLimits:
    """Limits of the values of a kernel that depend on data: numbers, or values known at launch that `emit` computes."""

    def __init__(self, emit: Emitter):
        self.emit = emit

    def most(self, value: SSAValue) -> Index | None:
        """What an integer, or the elements of a tensor of integers, are at most; None where nothing is known."""
        return self._limit(value, True)

    def least(self, value: SSAValue) -> Index | None:
        """What they are at least."""
        return self._limit(value, False)

    def of(self, form: Linear, up: bool) -> Index | None:
        """The greatest (`up`) or least value of a linear form."""
        total: Index = form.const
        for v, c in form.terms.items():
            side = self._opaque(v, up == (c > 0)) if depends_on_tensor(v) else self.emit.as_index(v)
            if side is None:
                return None
            total = self.emit.add(total, self.emit.mul(side, c))
        return total

    def _limit(self, value: SSAValue, up: bool) -> Index | None:
        return self.of(linear(value), up)

    def _opaque(self, value: SSAValue, up: bool) -> Index | None:
        """The limit of a value that is no sum of others."""
        op = value.owner
        if isinstance(value, BlockArgument) or not isinstance(op, Operation):
            parent = op.parent_op() if not isinstance(op, Operation) else None
            if isinstance(parent, scf.ForOp) and value is parent.body.block.args[0]:
                side = self._limit(parent.ub if up else parent.lb, up)
                return self.emit.sub(side, 1) if up and side is not None else side
            return self._loaded(value, up)
        if op.name in SAME:
            return self._limit(op.operands[0], up)
        if op.name in QUOTIENTS:
            by = constant_of(op.operands[1])
            side = self._limit(op.operands[0], up) if by is not None and by > 0 else None
            return None if side is None or by is None else self._quotient(op.name, side, by)
        match op.name:
            case "arith.constant":
                return _of_table(op.properties["value"], up)
            case "arith.minsi" | "arith.maxsi":
                sides = [self._limit(v, up) for v in op.operands]
                return self._any(sides, up) if up == (op.name == "arith.minsi") else self._all(sides, up)
            case "arith.minui" if up:  # a negative number is larger than any other
                sides = [x for x in (constant_of(v) for v in op.operands) if x is not None and x >= 0]
                return min(sides, default=None)
            case "arith.minui":
                return 0 if any((constant_of(v) or -1) >= 0 for v in op.operands) else None
            case "arith.select":
                return self._all([self._limit(v, up) for v in op.operands[1:]], up)
            case "arith.remsi" | "arith.remui":
                by = constant_of(op.operands[1])
                if by is None or by <= 0:
                    return None
                return by - 1 if up else (0 if op.name == "arith.remui" else 1 - by)
            case "arith.andi":
                masks = [c for c in map(constant_of, op.operands) if c is not None and c >= 0]
                return (min(masks) if up else 0) if masks else None
            case "arith.extui" | "arith.index_castui":
                return self._unsigned(op.operands[0], up)
            case _:
                return self._loaded(value, up)

    def _quotient(self, name: str, side: Index, by: int) -> Index:
        """A limit divided as `name` divides: no quotient falls where what is divided grows."""
        if name == "arith.ceildivsi":
            return self.emit.ceildiv(side, by)
        known = constant_of(side)
        if name == "arith.floordivsi" or (known is not None and known >= 0):
            return self.emit.floordiv(side, by)
        if known is not None:
            return -(-known // by)
        return self.emit.insert(arith.DivSIOp(self.emit.value(side), self.emit.value(by))).result

    def _unsigned(self, value: SSAValue, up: bool) -> Index | None:
        """The limit of a number without its sign."""
        least = self._limit(value, False)
        if isinstance(least, int) and least >= 0:
            return self._limit(value, up)
        width = _width(value)
        if width is None or width > NARROW:
            return None if up else 0
        return (1 << width) - 1 if up else 0

    @staticmethod
    def _loaded(value: SSAValue, up: bool) -> int | None:
        """What the type alone says."""
        width = _width(value)
        if width is None or width > NARROW:
            return None
        return (1 << (width - 1)) - 1 if up else -(1 << (width - 1))

    def _any(self, sides: list[Index | None], up: bool) -> Index | None:
        """The closer one of the limits that are known."""
        known = [s for s in sides if s is not None]
        return self._all(known, not up) if known else None  # type: ignore[arg-type]

    def _all(self, sides: list[Index | None], up: bool) -> Index | None:
        """A limit that covers all."""
        total: Index | None = None
        for side in sides:
            if side is None:
                return None
            if total is None:
                total = side
            else:
                total = self.emit.maximum(total, side) if up else self.emit.minimum(total, side)
        return total


def _width(value: SSAValue) -> int | None:
    t = value.type.element_type if isinstance(value.type, TensorType) else value.type
    return t.width.data if isinstance(t, IntegerType) else None


def _of_table(attr: object, up: bool) -> int | None:
    """The limit of a constant tensor."""
    if isinstance(attr, IntegerAttr):
        return attr.value.data
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    values = [v for v in attr.get_values() if isinstance(v, int)]
    return (max(values) if up else min(values)) if values else None
