"""Canonicalisation: fold constants, remove dead code, inline loops of one trip, compose affine maps.

    %0 = arith.constant 2 : index
    %1 = arith.muli %0, %0 : index      ->   %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c1 step %c1 {..}    (the body with %i = %c0)

Constants are unique and stand at the start of the function (of the nearest operation isolated from above).
Precondition: verified IR. Postcondition: a fixed point of these rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap
from xdsl.traits import ConstantLike, IsolatedFromAbove

from headrace.ir import affine as expr
from headrace.ir.passes import Pass
from headrace.ir.traits import Folds
from headrace.ir.transforms.effects import is_dead


def constant_of(value: SSAValue) -> int | None:
    """The integer a value is known to be, else None."""
    found = ConstantLike.get_constant_value(value)
    return found.value.data if isinstance(found, IntegerAttr) else None


def _width(kind: Attribute) -> int:
    return kind.width.data if isinstance(kind, IntegerType) else 64


def _wrap(value: int, kind: Attribute) -> int:
    width = _width(kind)
    value &= (1 << width) - 1
    if width == 1:
        return value
    return value - (1 << width) if value >> (width - 1) else value


def _unsigned(value: int, kind: Attribute) -> int:
    return value & ((1 << _width(kind)) - 1)


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_BINARY: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.minsi": min,
    "arith.maxsi": max,
}
_DIVISION: dict[str, Callable[[int, int], int]] = {
    "arith.divsi": _truncated,
    "arith.remsi": lambda a, b: a - b * _truncated(a, b),
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
}
_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.divui": lambda a, b: a // b,
    "arith.remui": lambda a, b: a % b,
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.minui": min,
    "arith.maxui": max,
}
_COMPARE: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]
#: (operation, position of the neutral operand, its value)
_NEUTRAL = {
    ("arith.addi", 0, 0), ("arith.addi", 1, 0), ("arith.subi", 1, 0), ("arith.muli", 0, 1), ("arith.muli", 1, 1),
    ("arith.divsi", 1, 1), ("arith.divui", 1, 1), ("arith.floordivsi", 1, 1), ("arith.ceildivsi", 1, 1),
    ("arith.ori", 1, 0), ("arith.xori", 1, 0), ("arith.shli", 1, 0), ("arith.shrsi", 1, 0), ("arith.shrui", 1, 0),
}  # fmt: skip


def fold_op(op: Operation) -> SSAValue | int | None:
    """What the single result of `op` is: an existing value, an integer, or None if unknown."""
    if len(op.results) != 1:
        return None
    if isinstance(op, Folds):
        return op.fold_operation()
    name, kind = op.name, op.results[0].type
    if isinstance(op, affine.ApplyOp) or name in ("affine.min", "affine.max"):
        return _fold_affine(op)
    if not name.startswith("arith.") or not isinstance(kind, IndexType | IntegerType) or not op.operands:
        if name == "arith.select":
            return _fold_select(op)
        return None
    values = [constant_of(v) for v in op.operands]
    if name == "arith.select":
        return _fold_select(op)
    if name == "arith.cmpi":
        return _fold_compare(op, values)
    if len(values) == 1:
        a = values[0]
        source = op.operands[0].type
        if name in ("arith.index_cast", "arith.extsi", "arith.trunci") and a is not None:
            return _wrap(a, kind)
        if name in ("arith.index_castui", "arith.extui") and a is not None:
            return _wrap(_unsigned(a, source), kind)
        return None
    a, b = values[0], values[1]
    if a is not None and b is not None:
        if (compute := _BINARY.get(name)) is not None:
            return _wrap(compute(a, b), kind)
        if (compute := _DIVISION.get(name)) is not None:
            return _wrap(compute(a, b), kind) if b != 0 else None
        if (compute := _UNSIGNED.get(name)) is not None:
            first, second = _unsigned(a, kind), _unsigned(b, kind)
            if second == 0 and name in ("arith.divui", "arith.remui", "arith.ceildivui"):
                return None
            return _wrap(compute(first, second), kind)
        if name == "arith.shli" and 0 <= b < _width(kind):
            return _wrap(a << b, kind)
        if name == "arith.shrsi" and 0 <= b < _width(kind):
            return _wrap(a >> b, kind)
        if name == "arith.shrui" and 0 <= b < _width(kind):
            return _wrap(_unsigned(a, kind) >> b, kind)
    for position, value in enumerate(values):
        if value is not None and (name, position, value) in _NEUTRAL:
            return op.operands[1 - position]
        if value == 0 and name in ("arith.muli", "arith.andi"):
            return 0
    if name in ("arith.remsi", "arith.remui") and b == 1:
        return 0
    if name in ("arith.subi", "arith.xori") and op.operands[0] is op.operands[1]:
        return 0
    if name in ("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui", "arith.andi", "arith.ori"):
        if op.operands[0] is op.operands[1]:
            return op.operands[0]
    return None


def _fold_select(op: Operation) -> SSAValue | None:
    condition = constant_of(op.operands[0])
    if condition is not None:
        return op.operands[1] if condition else op.operands[2]
    return op.operands[1] if op.operands[1] is op.operands[2] else None


def _fold_compare(op: Operation, values: list[int | None]) -> int | None:
    predicate = op.properties.get("predicate")
    if not isinstance(predicate, IntegerAttr):
        return None
    code = predicate.value.data
    a, b = values
    if op.operands[0] is op.operands[1]:
        a = b = 0
    if a is None or b is None:
        return None
    if code >= 6:
        kind = op.operands[0].type
        a, b, code = _unsigned(a, kind), _unsigned(b, kind), code - 4
    return int(_COMPARE[code](a, b))


def _fold_affine(op: Operation) -> SSAValue | int | None:
    attribute = op.properties.get("map")
    assert isinstance(attribute, AffineMapAttr)
    data = attribute.data
    values = [constant_of(v) for v in op.operands]
    dims: list[AffineExpr] = []
    symbols: list[AffineExpr] = []
    for index, value in enumerate(values):
        is_dim = index < data.num_dims
        same = AffineExpr.dimension(index) if is_dim else AffineExpr.symbol(index - data.num_dims)
        (dims if is_dim else symbols).append(same if value is None else expr.constant(value))
    results = [expr.replace(item, dims, symbols) for item in data.results]
    if all(isinstance(item, AffineConstantExpr) for item in results):
        numbers = [item.value for item in results]  # pyright: ignore[reportAttributeAccessIssue]
        return {"affine.min": min, "affine.max": max}.get(op.name, min)(numbers)
    if len(results) == 1:
        for index, operand in enumerate(op.operands):
            is_dim = index < data.num_dims
            same = AffineExpr.dimension(index) if is_dim else AffineExpr.symbol(index - data.num_dims)
            if results[0] == same:
                return operand
    return None


def compose_affine(op: Operation) -> bool:
    """Substitute affine.apply operands into the map of an affine op, drop unused and merge equal operands."""
    attribute = op.properties.get("map")
    if not isinstance(attribute, AffineMapAttr):
        return False
    data = attribute.data
    operands: list[SSAValue] = []
    kinds: list[bool] = []

    def slot(value: SSAValue, symbol: bool) -> AffineExpr:
        constant = constant_of(value)
        if constant is not None:
            return expr.constant(constant)
        owner = value.owner if isinstance(value, OpResult) else None
        if isinstance(owner, affine.ApplyOp):
            inner = owner.map.data
            args = [slot(v, symbol or i >= inner.num_dims) for i, v in enumerate(owner.mapOperands)]
            return expr.replace(inner.results[0], args[: inner.num_dims], args[inner.num_dims :])
        for index, known in enumerate(operands):
            if known is value and kinds[index] == symbol:
                return _Slot.make(index)
        operands.append(value)
        kinds.append(symbol)
        return _Slot.make(len(operands) - 1)

    # Slots are dimensions numbered by operand until the final split into dimensions and symbols.
    args = [slot(v, index >= data.num_dims) for index, v in enumerate(op.operands)]
    placed = [expr.replace(item, args[: data.num_dims], args[data.num_dims :]) for item in data.results]
    used: set[int] = set()
    for item in placed:
        used |= {inner.position for inner in item.dfs() if hasattr(inner, "position")}  # pyright: ignore
    dims = [i for i in range(len(operands)) if i in used and not kinds[i]]
    symbols = [i for i in range(len(operands)) if i in used and kinds[i]]
    final: list[AffineExpr] = [expr.constant(0)] * len(operands)
    for position, index in enumerate(dims):
        final[index] = AffineExpr.dimension(position)
    for position, index in enumerate(symbols):
        final[index] = AffineExpr.symbol(position)
    results = tuple(expr.replace(item, final, ()) for item in placed)
    made = AffineMapAttr(AffineMap(len(dims), len(symbols), results))
    chosen = [operands[i] for i in (*dims, *symbols)]
    if made == attribute and list(op.operands) == chosen:
        return False
    op.operands = chosen
    op.properties["map"] = made
    return True


class _Slot:
    @staticmethod
    def make(index: int) -> AffineExpr:
        return AffineExpr.dimension(index)


def _inline(op: Operation, block: Block, arguments: list[SSAValue]) -> None:
    """Put the operations of `block` before `op`, with its arguments replaced, and replace op by what it yields."""
    for argument, value in zip(block.args, arguments, strict=True):
        argument.replace_all_uses_with(value)
    parent = op.parent
    assert parent is not None
    terminator = block.last_op
    yielded: list[SSAValue] = list(terminator.operands) if terminator is not None else []
    for inner in list(block.ops):
        if inner is terminator:
            continue
        inner.detach()
        parent.insert_op_before(inner, op)
    for result, value in zip(op.results, yielded, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def simplify_control(op: Operation) -> bool:
    """Inline an scf.for that runs at most once and an scf.if whose condition is known."""
    if isinstance(op, scf.ForOp):
        lower, upper, step = constant_of(op.lb), constant_of(op.ub), constant_of(op.step)
        if lower is None or upper is None or step is None or step <= 0:
            return False
        if lower >= upper:
            for result, value in zip(op.results, op.iter_args, strict=True):
                result.replace_all_uses_with(value)
            op.detach()
            op.erase()
            return True
        if lower + step >= upper:
            _inline(op, op.body.block, [op.lb, *op.iter_args])
            return True
    elif isinstance(op, scf.IfOp):
        condition = constant_of(op.cond)
        if condition is None:
            return False
        region = op.true_region if condition else op.false_region
        if not region.blocks:
            op.detach()
            op.erase()
        else:
            _inline(op, region.block, [])
        return True
    return False


def _constant_block(op: Operation) -> Block | None:
    """The entry block of the nearest operation isolated from above."""
    block = op.parent
    while block is not None:
        parent = block.parent_op()
        if parent is None or isinstance(parent, ModuleOp):
            return block
        if parent.has_trait(IsolatedFromAbove):
            return block.parent.blocks.first if block.parent is not None else block
        block = parent.parent
    return None


def _hidden(op: Operation) -> bool:
    """Inside the implicit body of a named linalg operation, which the text does not show."""
    parent = op.parent_op()
    return parent is not None and parent.name.startswith("linalg.") and parent.name not in (
        "linalg.generic", "linalg.reduce", "linalg.map")  # fmt: skip


def canonicalize(top: Operation, limit: int = 100) -> bool:
    """Run inside `top` to a fixed point; returns whether anything changed."""
    changed_any = False
    for _ in range(limit):
        changed = _remove_dead(top)
        known: dict[tuple[Block, Attribute], Operation] = {}
        for op in list(top.walk()):
            if op is top or op.parent is None or _hidden(op):
                continue
            if isinstance(op, arith.ConstantOp):
                changed |= _unique_constant(op, known)
                continue
            if op.name in ("affine.apply", "affine.min", "affine.max") and compose_affine(op):
                changed = True
            found = fold_op(op)
            if found is not None:
                if isinstance(found, int):
                    made = arith.ConstantOp(IntegerAttr(found, op.results[0].type))  # pyright: ignore
                    made.location = op.location
                    op.parent.insert_op_before(made, op)
                    found = made.result
                op.results[0].replace_all_uses_with(found)
                op.detach()
                op.erase()
                changed = True
            elif simplify_control(op):
                changed = True
        changed_any |= changed
        if not changed:
            return changed_any
    return changed_any


def _unique_constant(op: arith.ConstantOp, known: dict[tuple[Block, Attribute], Operation]) -> bool:
    home = _constant_block(op)
    if home is None or op.attributes:
        return False
    first = known.get((home, op.value))
    if first is not None and first is not op:
        op.result.replace_all_uses_with(first.results[0])
        op.detach()
        op.erase()
        return True
    known[(home, op.value)] = op
    last = None
    for item in home.ops:
        if not isinstance(item, arith.ConstantOp):
            break
        if item is op:
            return False
        last = item
    op.detach()
    if last is not None:
        home.insert_op_after(op, last)
    elif home.first_op is not None:
        home.insert_op_before(op, home.first_op)
    else:
        home.add_op(op)
    return True


def _remove_dead(top: Operation) -> bool:
    changed = False
    for op in reversed(list(top.walk())):
        if op is not top and op.parent is not None and not _hidden(op) and is_dead(op):
            op.detach()
            op.erase()
            changed = True
    return changed


@dataclass
class CanonicalizePass(Pass):
    """Fold, simplify and remove dead code to a fixed point."""

    name = "canonicalize"
    summary = "Fold constants, remove dead code, inline single-trip loops, compose affine maps"

    def apply(self, op: Operation, ctx: Context) -> None:
        canonicalize(op)
