"""Reductions of pairs as reductions of single values.

`spyreop.exx2` in a reduction is the mean and the mean of squares; both become sums, divided by the number of points.
A pair of a value and where it is (an arg-max or arg-min) becomes three single reductions: the best value, the first
position that holds it, and, where the payload is no position, the payload there.

    (%best, %at) = reduce { %c = cmpf ogt, %v, %best ; select %c, %v, %best ; select %c, %j, %at }
    ->  %best = reduce max %v ; %at = reduce min (select %v == %best, %j, none)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    f32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.ops import make_scalar_op, neutral
from headrace.scheduler.split.reductions import extents_of, shape_of
from headrace.scheduler.split.scalarize import is_float, number

COMPARES: dict[str, tuple[str, bool]] = {
    "ogt": ("max", False), "oge": ("max", True), "olt": ("min", False), "ole": ("min", True),
    "ugt": ("max", False), "ult": ("min", False), "sgt": ("max", False), "sge": ("max", True),
    "slt": ("min", False), "sle": ("min", True),
}  # fmt: skip
"""Comparison of a new value with the best so far: what is kept, and whether an equal one replaces it."""
CMPF = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def single_reductions(kernel: Operation) -> None:
    """Replace the reductions of pairs below `kernel` that are known."""
    for op in list(walk_ops(kernel, "linalg.generic", "linalg.reduce")):
        if not _folds(op):
            continue
        last = op.regions[0].block.last_op
        if last is None:
            continue
        makers = [v.owner for v in last.operands]
        if makers and all(isinstance(m, Operation) and m.name == "spyreop.exx2" for m in makers):
            means(op)
        elif len(op.results) == 2:
            found = arg_pair(op)
            if found is not None:
                best_then_position(op, found)


def _folds(op: Operation) -> bool:
    if not op.results or not all(isinstance(r.type, TensorType) for r in op.results):
        return False
    return op.name == "linalg.reduce" or any("reduction" in str(k) for k in op.iterator_types.data)  # type: ignore[attr-defined]


@dataclass
class Shape:
    """Operands, maps and iterators of a reduction, and a builder for generics over the same points."""

    op: Operation

    def __post_init__(self) -> None:
        self.inputs, self.inits, self.maps, self.kinds = shape_of(self.op)
        self.extents = extents_of(self.op, self.inputs + self.inits, self.maps, len(self.kinds))
        self.emit = Emitter.before(self.op)
        self.emit.origin = self.op

    def generic(
        self, inputs: list[SSAValue], maps: list[AffineMap], init: SSAValue, out: AffineMap, body: Block, fold: bool
    ) -> SSAValue:
        """A generic with one result."""
        kinds = [
            IteratorTypeAttr.reduction() if k == "reduction" else IteratorTypeAttr.parallel()
            for k in self.kinds
        ]
        if not fold:
            kinds = [IteratorTypeAttr.parallel()] * len(out.results)
        op = linalg.GenericOp(
            inputs, [init], Region(body), [AffineMapAttr(m) for m in (*maps, out)], kinds, [init.type]
        )
        return self.emit.insert(op).results[0]

    def filled(self, value: float, like: SSAValue, element: Attribute | None = None) -> SSAValue:
        """A tensor of one value in the shape of `like`."""
        assert isinstance(like.type, TensorType)
        t = TensorType(element or like.type.element_type, like.type.get_shape())
        scalar = self.emit.insert(arith.ConstantOp(number(t.element_type, value))).result
        return self.emit.insert(tensor.SplatOp(scalar, [], t)).results[0]


def means(op: Operation) -> None:
    """The mean and the mean of squares."""
    s = Shape(op)
    if any(e is None for e, k in zip(s.extents, s.kinds, strict=True) if k == "reduction"):
        return
    count = prod(e or 1 for e, k in zip(s.extents, s.kinds, strict=True) if k == "reduction")
    block = op.regions[0].block
    last = block.last_op
    assert last is not None
    for which, result in enumerate(op.results):
        maker = last.operands[which].owner
        assert isinstance(maker, Operation) and isinstance(result.type, TensorType)
        narrow = result.type.element_type
        wide = f32 if dtype_of(narrow).bits < 32 else narrow
        body = Block(arg_types=[*(v.type.element_type for v in s.inputs), wide])  # type: ignore[attr-defined]
        values: dict[SSAValue, SSAValue] = dict(zip(block.args[: len(s.inputs)], body.args[:-1], strict=True))
        x = clone_into(maker.operands[0], block, body, values, op)
        if wide is not narrow:
            x = add(body, "arith.extf", [x], wide, op)
        if last.operands[which] is maker.results[1]:
            x = add(body, "arith.mulf", [x, x], wide, op)
        total = add(body, "arith.addf", [body.args[-1], x], wide, op)
        finish(body, total, op)
        out = s.maps[len(s.inputs) + which]
        summed = s.generic(s.inputs, s.maps[: len(s.inputs)], s.filled(0, s.inits[which], wide), out, body, True)
        rank = len(out.results)
        body = Block(arg_types=[wide, narrow])
        n = arith.ConstantOp(FloatAttr(float(count), wide))  # type: ignore[arg-type]
        copy_loc(op, n)
        body.add_op(n)
        mean = add(body, "arith.divf", [body.args[0], n.result], wide, op)
        if wide is not narrow:
            mean = add(body, "arith.truncf", [mean], narrow, op)
        finish(body, mean, op)
        same = AffineMap.identity(rank)
        empty = s.filled(0, s.inits[which])
        result.replace_all_uses_with(s.generic([summed], [same], empty, same, body, False))
    op.detach()
    op.erase()


@dataclass(frozen=True)
class ArgPair:
    """An arg-max (`kind` "max") or arg-min of `value` with `payload`, scalars of the body; `last`: of equal values the
    last one wins. `best` and `at` are the numbers of the two results."""

    kind: str
    last: bool
    value: SSAValue
    payload: SSAValue
    best: int
    at: int


def arg_pair(op: Operation) -> ArgPair | None:
    """The pair that a two-result reduction computes, if it is one."""
    block = op.regions[0].block
    end = block.last_op
    assert end is not None
    count = len(block.args) - 2
    picks = [v.owner for v in end.operands]
    if not all(isinstance(p, arith.SelectOp) for p in picks) or picks[0].operands[0] is not picks[1].operands[0]:  # type: ignore[union-attr]
        return None
    cond = picks[0].operands[0]  # type: ignore[union-attr]
    for best in (0, 1):
        at = 1 - best
        kept, moved = block.args[count + best], block.args[count + at]
        for new, old in ((1, 2), (2, 1)):  # the condition takes the new pair, or it keeps the old one
            value, payload = picks[best].operands[new], picks[at].operands[new]  # type: ignore[union-attr]
            if picks[best].operands[old] is not kept or picks[at].operands[old] is not moved:  # type: ignore[union-attr]
                continue
            keeps = new == 2
            a, b = ((kept, moved), (value, payload)) if keeps else ((value, payload), (kept, moved))
            found = _comparison(cond, a[0], b[0])
            if found is not None:
                return ArgPair(found[0], found[1] is not keeps, value, payload, best, at)
            owner = cond.owner
            if isinstance(owner, arith.OrIOp):
                for x, y in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                    found = _comparison(x, a[0], b[0])
                    if found is not None and not found[1] and _tie(y, a[0], b[0], a[1], b[1]):
                        return ArgPair(found[0], False, value, payload, best, at)
    return None


def _name(op: Operation) -> str | None:
    if not isinstance(op, arith.CmpfOp | arith.CmpiOp):
        return None
    names = CMPF if isinstance(op, arith.CmpfOp) else CMPI
    k = op.predicate.value.data
    return names[k] if k < len(names) else None


def _comparison(cond: SSAValue, value: SSAValue, kept: SSAValue) -> tuple[str, bool] | None:
    op = cond.owner
    name = _name(op) if isinstance(op, Operation) else None
    if name is None or name not in COMPARES:
        return None
    kind, equal = COMPARES[name]
    if op.operands[0] is value and op.operands[1] is kept:  # type: ignore[union-attr]
        return kind, equal
    if op.operands[0] is kept and op.operands[1] is value:  # type: ignore[union-attr]
        return ("min" if kind == "max" else "max"), equal
    return None


def _tie(cond: SSAValue, value: SSAValue, kept: SSAValue, payload: SSAValue, moved: SSAValue) -> bool:
    """Whether a condition is: equal, and the new payload is smaller."""
    op = cond.owner
    if not isinstance(op, arith.AndIOp):
        return False
    for a, b in ((op.lhs.owner, op.rhs.owner), (op.rhs.owner, op.lhs.owner)):
        if not isinstance(a, Operation) or not isinstance(b, Operation) or _name(a) not in ("oeq", "eq", "ueq"):
            continue
        if {*a.operands} == {value, kept} and _name(b) in ("slt", "ult") and list(b.operands) == [payload, moved]:
            return True
    return False


def best_then_position(op: Operation, pair: ArgPair) -> None:
    """Single reductions for an arg-max or arg-min."""
    s = Shape(op)
    block = op.regions[0].block
    reduced = [d for d, k in enumerate(s.kinds) if k == "reduction"]
    if any(s.extents[d] is None for d in reduced):
        return
    element, integer = pair.value.type, op.results[pair.at].type.element_type  # type: ignore[attr-defined]
    kind = "maxnumf" if pair.kind == "max" else "minnumf"
    if not is_float(element):
        kind = "maxsi" if pair.kind == "max" else "minsi"
    out = s.maps[len(s.inputs) + pair.best]
    inputs, maps = s.inputs, s.maps[: len(s.inputs)]

    def opened(extra: list[Attribute]) -> tuple[Block, dict[SSAValue, SSAValue]]:
        body = Block(arg_types=[*(v.type.element_type for v in inputs), *extra])  # type: ignore[attr-defined]
        return body, dict(zip(block.args[: len(inputs)], body.args[: len(inputs)], strict=True))

    body, values = opened([element])
    v = clone_into(pair.value, block, body, values, op)
    finish(body, add(body, f"arith.{kind}", [body.args[-1], v], element, op), op)
    best = s.generic(inputs, maps, s.inits[pair.best], out, body, True)

    # the first (last) position that holds it
    sign = "maxsi" if pair.last else "minsi"
    none = -1 if pair.last else (1 << 31) - 1
    position = IntegerType(32)
    body, values = opened([element, position])
    v = clone_into(pair.value, block, body, values, op)
    same = add(body, "arith.cmpf" if is_float(element) else "arith.cmpi", [v, body.args[-2]], IntegerType(1), op)
    same.owner.properties["predicate"] = IntegerAttr(1 if is_float(element) else 0, i64)  # type: ignore[union-attr]
    at = flat_index(body, reduced, s, op)
    nowhere = arith.ConstantOp(IntegerAttr(none, position))
    copy_loc(op, nowhere)
    body.add_op(nowhere)
    chosen = add(body, "arith.select", [same, at, nowhere.result], position, op)
    finish(body, add(body, f"arith.{sign}", [body.args[-1], chosen], position, op), op)
    start = s.filled(none, s.inits[pair.at], position)
    where = s.generic([*inputs, best], [*maps, out], start, out, body, True)

    # what it carries there
    body, values = opened([position, integer])
    payload = clone_into(pair.payload, block, body, values, op)
    here = add(body, "arith.cmpi", [flat_index(body, reduced, s, op), body.args[-2]], IntegerType(1), op)
    here.owner.properties["predicate"] = IntegerAttr(0, i64)  # type: ignore[union-attr]
    kind = "arith.maximumf" if is_float(integer) else "arith.maxsi"
    least = neutral(kind, integer)
    low = arith.ConstantOp(number(integer, least))
    copy_loc(op, low)
    body.add_op(low)
    chosen = add(body, "arith.select", [here, payload, low.result], integer, op)
    finish(body, add(body, kind, [body.args[-1], chosen], integer, op), op)
    start = s.filled(least, s.inits[pair.at], integer)
    carried = s.generic([*inputs, where], [*maps, out], start, out, body, True)

    # nothing beat the start: keep what it carried
    rank = len(out.results)
    same_map = AffineMap.identity(rank)
    body = Block(arg_types=[position, integer, integer, element, element, integer])
    unset = arith.ConstantOp(IntegerAttr(none, position))
    copy_loc(op, unset)
    body.add_op(unset)
    never = add(body, "arith.cmpi", [body.args[0], unset.result], IntegerType(1), op)
    never.owner.properties["predicate"] = IntegerAttr(0, i64)  # type: ignore[union-attr]
    if not pair.last:
        equal = add(body, "arith.cmpf" if is_float(element) else "arith.cmpi", [body.args[3], body.args[4]],
                    IntegerType(1), op)
        equal.owner.properties["predicate"] = IntegerAttr(1 if is_float(element) else 0, i64)  # type: ignore[union-attr]
        never = add(body, "arith.ori", [never, equal], IntegerType(1), op)
    finish(body, add(body, "arith.select", [never, body.args[2], body.args[1]], integer, op), op)
    result = s.generic(
        [where, carried, s.inits[pair.at], best, s.inits[pair.best]],
        [same_map] * 5,
        s.filled(0, s.inits[pair.at], integer),
        same_map,
        body,
        False,
    )
    op.results[pair.best].replace_all_uses_with(best)
    op.results[pair.at].replace_all_uses_with(result)
    op.detach()
    op.erase()


def flat_index(body: Block, dims: list[int], s: Shape, op: Operation) -> SSAValue:
    """The row-major position within the reduced dimensions, as i32."""
    total: SSAValue | None = None
    scale = 1
    for d in reversed(dims):
        index = linalg.IndexOp(d)
        copy_loc(op, index)
        body.add_op(index)
        v: SSAValue = index.result
        if scale != 1:
            k = arith.ConstantOp(IntegerAttr(scale, IndexType()))
            copy_loc(op, k)
            body.add_op(k)
            v = add(body, "arith.muli", [v, k.result], IndexType(), op)
        total = v if total is None else add(body, "arith.addi", [total, v], IndexType(), op)
        scale *= s.extents[d] or 1
    assert total is not None
    return add(body, "arith.index_cast", [total], IntegerType(32), op)


def clone_into(
    value: SSAValue, block: Block, body: Block, values: dict[SSAValue, SSAValue], origin: Operation
) -> SSAValue:
    """Clone what `value`, a scalar of `block`, is computed from to the end of `body`."""
    if value in values:
        return values[value]
    owner = value.owner
    if isinstance(value, BlockArgument) or not isinstance(owner, Operation) or owner.parent is not block:
        return value
    clone = owner.clone({v: clone_into(v, block, body, values, origin) for v in owner.operands})
    copy_loc(owner, clone)
    body.add_op(clone)
    values.update(zip(owner.results, clone.results, strict=True))
    return values[value]


def add(body: Block, name: str, operands: list[SSAValue], result: Attribute, origin: Operation) -> SSAValue:
    """Append one scalar operation."""
    op = make_scalar_op(name, operands, result, origin)
    copy_loc(origin, op)
    body.add_op(op)
    return op.results[0]


def finish(body: Block, value: SSAValue, origin: Operation) -> None:
    """Yield `value`."""
    op = linalg.YieldOp(value)
    copy_loc(origin, op)
    body.add_op(op)
