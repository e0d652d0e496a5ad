"""Values that a kernel's text fixes for each tile and each iteration of the loops around: found by evaluating them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.analysis.grid import grid_of, position
from headrace.ir.analysis.sets import apply_map
from headrace.ir.dialects import ktdp
from headrace.scheduler.build import ancestors

Known = Mapping[SSAValue, int]

_BINARY: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": lambda a, b: int(a / b) if abs(a) < 1 << 50 else a // b,
    "arith.divui": lambda a, b: a // b,
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.remsi": lambda a, b: a - b * int(a / b),
    "arith.remui": lambda a, b: a % b,
    "arith.minsi": min,
    "arith.minui": min,
    "arith.maxsi": max,
    "arith.maxui": max,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: a << b,
}
_SAME = frozenset({"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"})
_COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b,
    lambda a, b: a >= b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
)  # fmt: skip


class NotStatic(Exception):
    """A value depends on more than the tile id and loop variables."""

    def __init__(self, value: SSAValue):
        super().__init__("a value is only known at launch")
        self.value = value


def sources_of(v: SSAValue) -> set[SSAValue] | None:
    """The arguments of the kernel (of a runtime argument: its extracted value) that an index value is computed from;
    None where it depends on anything else, as the tile, a loop or memory."""
    op = v.owner
    if isinstance(op, Block):
        return {v} if isinstance(op.parent_op(), FuncOp) else None
    if isinstance(op, ktdp.RuntimeArgExtractOp):
        return {v} if op.kind.data == "value" and isinstance(op.arg.owner, Block) else None
    if op.name == "arith.constant":
        return set()
    if op.name not in _BINARY and op.name not in _SAME:
        return None
    found: set[SSAValue] = set()
    for operand in op.operands:
        more = sources_of(operand)
        if more is None:
            return None
        found |= more
    return found


class Static:
    """Evaluates index values of one kernel."""

    def __init__(self, kernel: Operation):
        self.grid = grid_of(kernel)
        self.tiles = prod(self.grid)

    def value(self, v: SSAValue, tile: int, known: Known) -> int:
        """The value of `v` on a tile, with the loop variables in `known`. Raises NotStatic."""
        if v in known:
            return known[v]
        op = v.owner
        if isinstance(op, Block):
            raise NotStatic(v)
        if op.name == "arith.constant":
            attr = op.properties["value"]
            if isinstance(attr, IntegerAttr):
                return attr.value.data
        elif op.name == "ktdp.get_compute_tile_id":
            k = list(op.results).index(v)  # type: ignore[arg-type]
            return position(tile, self.grid)[k] if k < len(self.grid) else 0
        elif op.name in _BINARY:
            a, b = (self.value(x, tile, known) for x in op.operands)
            try:
                return int(_BINARY[op.name](a, b))
            except ZeroDivisionError:
                raise NotStatic(v) from None
        elif op.name in _SAME:
            return self.value(op.operands[0], tile, known)
        elif op.name == "arith.cmpi":
            a, b = (self.value(x, tile, known) for x in op.operands)
            return int(_COMPARE[op.properties["predicate"].value.data](a, b))  # type: ignore[attr-defined]
        elif op.name == "arith.select":
            return self.value(op.operands[1 if self.value(op.operands[0], tile, known) else 2], tile, known)
        elif op.name in ("affine.apply", "affine.min", "affine.max"):
            found = apply_map(op.properties["map"].data, [self.value(x, tile, known) for x in op.operands])  # type: ignore[attr-defined]
            return int((max if op.name == "affine.max" else min)(found))  # type: ignore[type-var]
        raise NotStatic(v)

    def varies(self, v: SSAValue) -> bool:
        """Whether `v` differs between tiles (False where it is not static)."""
        try:
            return len({self.value(v, t, {}) for t in range(self.tiles)}) > 1
        except NotStatic:
            return False

    def reached(self, op: Operation, tile: int, known: Known) -> bool:
        """Whether the conditions on the tile id around `op` hold. Conditions that are not static are the same on all
        tiles or refused elsewhere: they count as true."""
        inner = op
        for around in ancestors(op):
            if isinstance(around, scf.IfOp):
                try:
                    chosen = around.regions[0 if self.value(around.cond, tile, known) else 1]
                except NotStatic:
                    inner = around
                    continue
                if not chosen.blocks or inner.parent is not chosen.block:
                    return False
            inner = around
        return True

    def iterations(self, loops: Sequence[scf.ForOp]) -> Iterator[dict[SSAValue, int]]:
        """Values of the variables of `loops` (outermost first), the same on all tiles. Raises NotStatic."""
        yield from self._iterations(list(loops), {})

    def _iterations(self, loops: list[scf.ForOp], known: dict[SSAValue, int]) -> Iterator[dict[SSAValue, int]]:
        if not loops:
            yield dict(known)
            return
        loop = loops[0]
        bounds = []
        for v in (loop.lb, loop.ub, loop.step):
            found = {self.value(v, t, known) for t in range(self.tiles)}
            if len(found) != 1:
                raise NotStatic(v)
            bounds.append(found.pop())
        for i in range(*bounds):
            yield from self._iterations(loops[1:], {**known, loop.body.block.args[0]: i})
