"""Between which numbers an index value of a kernel lies, over all tiles of the grid and all iterations around it.

A `runtime_arg` is an extent: it is not negative. Each operand is taken on its own, so what is found holds, but need not
be reached (`%p - %p floordiv 3 * 3` is 0 to 2, and found to lie in a larger range). Only the variable of a loop is seen
together with what the loop's bounds are made of:

    scf.for %i = %c0 to min(11 - %start, 4) { X[%start + %i] }      at most 10, whatever %start is
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.analysis.grid import grid_of
from headrace.ir.dialects import ktdp
from headrace.ir.dialects.ktdp_types import RuntimeArgType
from headrace.scheduler.linear import Linear, linear

Range = tuple[int | None, int | None]
"""The least and the greatest number, both included; None where there is no known one."""

UNKNOWN: Range = (None, None)
CASTS = frozenset({"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"})


def range_of(value: SSAValue) -> Range:
    """The range of an index or integer value."""
    op = value.owner
    if isinstance(op, Block):
        return _loop_variable(value, op)
    if op.name in CASTS:
        return range_of(op.operands[0])
    if op.name == "arith.constant":
        attr = op.properties["value"]
        return (attr.value.data, attr.value.data) if isinstance(attr, IntegerAttr) else UNKNOWN
    if op.name == "ktdp.get_compute_tile_id":
        return _tile_id(value, op)
    if isinstance(op, ktdp.RuntimeArgExtractOp):
        kind = op.arg.type
        return 0, kind.parameter("upperbound") if isinstance(kind, RuntimeArgType) else None
    if op.name == "arith.select":
        return _union(range_of(op.operands[1]), range_of(op.operands[2]))
    rule = _RULES.get(op.name)
    return UNKNOWN if rule is None else rule(range_of(op.operands[0]), range_of(op.operands[1]))


def range_of_form(form: Linear) -> Range:
    """The range of a linear form."""
    total: Range = (form.const, form.const)
    for value, factor in form.terms.items():
        total = _add(total, _scaled(range_of(value), factor))
    highs = [total[1], *(range_of_form(f)[1] for f in _at_ends(form, 1))]
    lows = [total[0], *(range_of_form(f)[0] for f in _at_ends(form, -1))]
    return max((n for n in lows if n is not None), default=None), min((n for n in highs if n is not None), default=None)


def _at_ends(form: Linear, sign: int) -> Iterator[Linear]:
    """The form with a loop's variable at an end of the loop where that is made of other values of the form: at least
    (`sign` 1) or at most (-1) as large as the form."""
    for value, factor in form.terms.items():
        loop = value.owner.parent_op() if isinstance(value.owner, Block) else None
        if not isinstance(loop, scf.ForOp) or value is not value.owner.args[0]:  # type: ignore[union-attr]
            continue
        last = factor * sign > 0
        for end in _least_of(loop.ub) if last else [loop.lb]:
            at = linear(end) + (-1 if last else 0)
            if at.terms.keys() & form.terms.keys():
                yield form.without({value}) + at.scaled(factor)


def _least_of(value: SSAValue) -> list[SSAValue]:
    """Values none of which is less than `value`."""
    op = value.owner
    if isinstance(op, Block) or op.name not in CASTS | {"arith.minsi"}:
        return [value]
    return [v for operand in op.operands for v in _least_of(operand)]


def _tile_id(value: SSAValue, op: Operation) -> Range:
    kernel = op.parent_op()
    while kernel is not None and not isinstance(kernel, FuncOp):
        kernel = kernel.parent_op()
    if kernel is None:
        return UNKNOWN
    grid, position = grid_of(kernel), list(op.results).index(value)  # type: ignore[arg-type]
    return 0, grid[position] - 1 if position < len(grid) else 0


def _loop_variable(value: SSAValue, block: Block) -> Range:
    loop = block.parent_op()
    if not isinstance(loop, scf.ForOp) or value is not block.args[0]:
        return UNKNOWN
    (low, least), (end, step) = range_of(loop.lb), (range_of(loop.ub)[1], range_of(loop.step))
    if end is None:
        return low, None
    if low is not None and low == least and step[0] is not None and step[0] == step[1] and step[0] > 0:
        return low, max(low, low + (end - 1 - low) // step[0] * step[0])
    return low, end - 1


def _add(a: Range, b: Range) -> Range:
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    return low, None if a[1] is None or b[1] is None else a[1] + b[1]


def _scaled(a: Range, k: int) -> Range:
    low, high = (None if v is None else v * k for v in a)
    return (low, high) if k >= 0 else (high, low)


def _union(a: Range, b: Range) -> Range:
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    return low, None if a[1] is None or b[1] is None else max(a[1], b[1])


def _mul(a: Range, b: Range) -> Range:
    if b[0] is not None and b[0] == b[1]:
        return _scaled(a, b[0])
    if a[0] is not None and a[0] == a[1]:
        return _scaled(b, a[0])
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    return UNKNOWN


def _div(a: Range, b: Range) -> Range:
    """By a known positive number; of nothing negative, so that all ways to round are one but upwards."""
    if a[0] is None or a[0] < 0 or b[0] is None or b[0] <= 0:
        return UNKNOWN
    return 0 if b[1] is None else a[0] // b[1], None if a[1] is None else a[1] // b[0]


def _div_up(a: Range, b: Range) -> Range:
    low, high = _div(a, b)
    return low, None if high is None else high + 1


def _rem(a: Range, b: Range) -> Range:
    if a[0] is None or a[0] < 0 or b[0] is None or b[0] <= 0 or b[1] is None:
        return UNKNOWN
    if a[1] is not None and a[1] < b[0]:
        return a
    return 0, b[1] - 1 if a[1] is None else min(a[1], b[1] - 1)


def _min(a: Range, b: Range) -> Range:
    known = [v for v in (a[1], b[1]) if v is not None]
    return None if a[0] is None or b[0] is None else min(a[0], b[0]), min(known, default=None)


def _max(a: Range, b: Range) -> Range:
    known = [v for v in (a[0], b[0]) if v is not None]
    return max(known, default=None), None if a[1] is None or b[1] is None else max(a[1], b[1])


def _shifted(a: Range, b: Range) -> Range:
    return _scaled(a, 1 << b[0]) if b[0] is not None and b[0] == b[1] and 0 <= b[0] < 63 else UNKNOWN


def _shifted_down(a: Range, b: Range) -> Range:
    if b[0] is None or b[0] != b[1] or not 0 <= b[0] < 63:
        return UNKNOWN
    return _div(a, (1 << b[0], 1 << b[0]))


def _masked(a: Range, b: Range) -> Range:
    for v in (b, a):
        if v[0] is not None and v[0] >= 0 and v[1] is not None:
            return 0, v[1]
    return UNKNOWN


_RULES: dict[str, Callable[[Range, Range], Range]] = {
    "arith.addi": _add,
    "arith.subi": lambda a, b: _add(a, _scaled(b, -1)),
    "arith.muli": _mul,
    "arith.divsi": _div,
    "arith.divui": _div,
    "arith.floordivsi": _div,
    "arith.ceildivsi": _div_up,
    "arith.ceildivui": _div_up,
    "arith.remsi": _rem,
    "arith.remui": _rem,
    "arith.minsi": _min,
    "arith.maxsi": _max,
    "arith.shli": _shifted,
    "arith.shrsi": _shifted_down,
    "arith.shrui": _shifted_down,
    "arith.andi": _masked,
}
