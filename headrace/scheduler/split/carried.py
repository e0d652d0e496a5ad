"""Values that `scf.for` carries from iteration to iteration (`iter_args`).

Two kinds are taken apart. A number that grows by the same amount in every iteration (a pointer or an offset) is
computed from the loop variable instead. A tensor that gathers one contribution per iteration is a reduction over the
loop: the loop becomes one more reduced dimension of the program's domain, together with the dimensions that the
contribution itself folds.

    %r = scf.for %k iter_args(%acc = 0) { %a = load A[%k]; %b = load B[%k]; yield %acc + matmul(%a, %b) }
    ->  r = sum over (k, kk) of a[k, kk] * b[k, kk]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, IntegerType, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from headrace.ir.diagnostics import error
from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, is_inside, walk_ops
from headrace.scheduler.linear import linear
from headrace.scheduler.ops import make_scalar_op

CASTS = ("arith.extf", "arith.truncf")


def carried_loops(root: Operation) -> list[scf.ForOp]:
    """Loops below `root` that carry values, outer ones first."""
    return [op for op in walk_ops(root, "scf.for") if isinstance(op, scf.ForOp) and op.results]


def take_inductions_out(root: Operation) -> None:
    """Replace carried numbers that grow evenly by arithmetic on the loop variable; drop what is carried unused."""
    for loop in reversed(carried_loops(root)):
        simplify_carried(loop)


def simplify_carried(loop: scf.ForOp) -> scf.ForOp:
    """The same for one loop; returns the loop that is there now."""
    block = loop.body.block
    last = block.last_op
    assert last is not None
    gone: list[int] = []
    for i, (arg, start, result) in enumerate(zip(block.args[1:], loop.iter_args, loop.results, strict=True)):
        following = last.operands[i]
        if following is arg:
            arg.replace_all_uses_with(start)
            result.replace_all_uses_with(start)
            gone.append(i)
        elif isinstance(arg.type, IndexType | IntegerType):
            step = linear(following) - linear(arg)
            if any(is_inside(v, loop) for v in step.terms):
                continue
            _induction(loop, arg, start, result, step)
            gone.append(i)
        elif not result.uses and all(
            u.index == i if u.operation is last else _feeds_only(u.operation, last, i) for u in arg.uses
        ):
            gone.append(i)
    return _rebuild(loop, gone) if gone else loop


def _feeds_only(op: Operation, last: Operation, position: int) -> bool:
    return bool(op.results) and all(
        u.operation is last and u.index == position for r in op.results for u in r.uses
    )


def _induction(loop: scf.ForOp, arg: BlockArgument, start: SSAValue, result: SSAValue, step: object) -> None:
    """`arg = start + (iv - lb) / loop step * step`; the result is the value behind the last iteration."""
    from headrace.scheduler.linear import Linear

    assert isinstance(step, Linear)
    t = arg.type
    stride = linear(loop.step)

    def value_at(emit: Emitter, count: SSAValue) -> SSAValue:
        """start + count * step, in the carried type."""
        total, own = start, count.type
        for term, c in [(None, step.const), *step.terms.items()]:
            if not c:
                continue
            factor: SSAValue = emit.insert(arith.ConstantOp(IntegerAttr(c, own))).result  # type: ignore[arg-type]
            if term is not None:
                factor = _op(emit, "arith.muli", [_cast(emit, term, own), factor], own)
            part = _cast(emit, _op(emit, "arith.muli", [count, factor], own), t)
            total = _op(emit, "arith.addi", [total, part], t)
        return total

    inside = Emitter.before(loop.body.block.first_op)  # type: ignore[arg-type]
    inside.origin = loop
    iv = loop.body.block.args[0]
    distance: SSAValue = iv
    if not (linear(loop.lb).is_const and linear(loop.lb).const == 0):
        distance = _op(inside, "arith.subi", [iv, loop.lb], iv.type)
    if not (stride.is_const and stride.const == 1):
        distance = _op(inside, "arith.divsi", [distance, loop.step], iv.type)
    if arg.uses:
        arg.replace_all_uses_with(value_at(inside, distance))
    if result.uses:
        before = Emitter.before(loop)
        trip = _op(before, "arith.subi", [_cast(before, loop.ub, IndexType()), _cast(before, loop.lb, IndexType())],
                   IndexType())
        count = _op(before, "arith.ceildivsi", [trip, _cast(before, loop.step, IndexType())], IndexType())
        count = _op(before, "arith.maxsi", [count, before.value(0)], IndexType())
        result.replace_all_uses_with(value_at(before, count))


def _op(emit: Emitter, name: str, operands: list[SSAValue], result: object) -> SSAValue:
    return emit.insert(make_scalar_op(name, operands, result, emit.origin or operands[0].owner)).results[0]  # type: ignore[arg-type]


def _cast(emit: Emitter, value: SSAValue, t: object) -> SSAValue:
    return value if value.type == t else _op(emit, "arith.index_cast", [value], t)


def _rebuild(loop: scf.ForOp, gone: list[int]) -> scf.ForOp:
    """The loop without the carried values at `gone`."""
    old = loop.body.block
    keep = [i for i in range(len(loop.results)) if i not in gone]
    last = old.last_op
    assert last is not None
    yielded = [last.operands[i] for i in keep]
    block = Block(arg_types=[old.args[0].type, *(old.args[1 + i].type for i in keep)])
    for new, arg in zip(block.args, [old.args[0], *(old.args[1 + i] for i in keep)], strict=True):
        new.name_hint = arg.name_hint
        arg.replace_all_uses_with(new)
    last.detach()
    last.erase()
    for op in list(old.ops):
        op.detach()
        block.add_op(op)
    for i in sorted(gone):  # what only fed a dropped value
        old.args[1 + i].replace_all_uses_with(loop.iter_args[i])
    end = scf.YieldOp(*yielded)
    copy_loc(loop, end)
    block.add_op(end)
    new_loop = scf.ForOp(loop.lb, loop.ub, loop.step, [loop.iter_args[i] for i in keep], Region(block))
    new_loop.attributes.update(loop.attributes)
    Emitter.before(loop).insert(new_loop)
    copy_loc(loop, new_loop)
    for i, result in zip(keep, new_loop.results, strict=True):
        result.name_hint = loop.results[i].name_hint
        loop.results[i].replace_all_uses_with(result)
    loop.detach()
    loop.erase()
    return new_loop


@dataclass(frozen=True)
class Accumulation:
    """What one carried tensor gathers: `combiner` (an operation of two operands) folds in `value`, or the terms that
    the reduction `reduction` (its result number `which`) folds itself."""

    combiner: Operation
    value: SSAValue | None
    reduction: Operation | None
    which: int


def accumulation(loop: scf.ForOp, position: int, combiners: frozenset[str]) -> Accumulation:
    """How carried value `position` grows. Raises HeadraceError where it is no sum, product, maximum or the like of
    one contribution per iteration."""
    last = loop.body.block.last_op
    assert last is not None
    arg = loop.body.block.args[1 + position]
    value = stripped(last.operands[position])
    op = value.owner
    if isinstance(op, Operation):
        if op.name in combiners:
            return _folded(loop, op, op, list(op.operands), arg)
        if isinstance(op, linalg.GenericOp):
            which = list(op.results).index(value)  # type: ignore[arg-type]
            if not is_folding(op):
                found = _elementwise(op, which, combiners)
                if found is not None:
                    return _folded(loop, op, found[0], found[1], arg)
            elif stripped(op.operands[len(op.operands) - len(op.results) + which]) is arg:
                yielded = op.regions[0].block.last_op
                inner = yielded.operands[which].owner if yielded is not None else None
                if isinstance(inner, Operation):
                    return Accumulation(inner, None, op, which)
        named = {"linalg.add": "arith.addf", "linalg.max": "arith.maximumf", "linalg.min": "arith.minimumf"}
        if op.name in named:
            element = value.type.element_type  # type: ignore[attr-defined]
            integer = {"arith.addf": "arith.addi", "arith.maximumf": "arith.maxsi", "arith.minimumf": "arith.minsi"}
            name = named[op.name]
            name = integer[name] if isinstance(element, IntegerType | IndexType) else name
            combiner = make_scalar_op(name, list(op.operands[:2]), value.type, op)
            return _folded(loop, op, combiner, list(op.operands[:2]), arg)
        if op.name == "linalg.reduce":
            half = len(op.operands) // 2
            which = list(op.results).index(value)  # type: ignore[arg-type]
            if stripped(op.operands[half + which]) is arg:
                yielded = op.regions[0].block.last_op
                inner = yielded.operands[which].owner if yielded is not None else None
                if isinstance(inner, Operation):
                    return Accumulation(inner, None, op, which)
    raise error(
        loop,
        f"the loop carries a tensor (number {position}) that is not gathered by one sum, product, maximum or minimum "
        "per iteration; this is not supported by construct-three-stage-pipeline",
    )


def is_folding(op: linalg.GenericOp) -> bool:
    """Whether a generic reduces over some dimension."""
    kinds: Any = op.iterator_types
    return any(getattr(k.data, "value", str(k.data)) != "parallel" for k in kinds.data)


def stripped(value: SSAValue) -> SSAValue:
    """The value behind conversions between float types."""
    while isinstance(value.owner, Operation) and value.owner.name in CASTS and isinstance(value.type, TensorType):
        value = value.owner.operands[0]
    return value


def _elementwise(
    op: linalg.GenericOp, which: int, combiners: frozenset[str]
) -> tuple[Operation, list[SSAValue]] | None:
    """(combiner, its two tensors) of a generic that does one combining operation point by point."""
    last = op.body.block.last_op
    if last is None:
        return None
    inner = last.operands[which].owner
    if not isinstance(inner, Operation) or inner.name not in combiners:
        return None
    tensors: list[SSAValue] = []
    operands = [*op.inputs, *op.outputs]
    for v in inner.operands:
        if not isinstance(v, BlockArgument) or v.owner is not op.body.block:
            return None
        m = op.indexing_maps.data[v.index]
        if not isinstance(m, AffineMapAttr) or m.data != op.indexing_maps.data[-1].data:  # type: ignore[attr-defined]
            return None
        tensors.append(operands[v.index])
    return inner, tensors


def _folded(
    loop: scf.ForOp, at: Operation, combiner: Operation, tensors: list[SSAValue], arg: BlockArgument
) -> Accumulation:
    """The accumulation by `combiner` of the one of `tensors` that is not the carried value."""
    others = [v for v in tensors if stripped(v) is not arg]
    if len(others) != 1:
        raise error(
            at, "a carried tensor must be combined with one other; construct-three-stage-pipeline cannot place it"
        )
    inner = stripped(others[0])
    owner = inner.owner
    if isinstance(owner, Operation) and _same_fold(owner, inner, combiner):
        return Accumulation(combiner, None, owner, list(owner.results).index(inner))  # type: ignore[arg-type]
    del loop
    return Accumulation(combiner, others[0], None, 0)


def _same_fold(op: Operation, value: SSAValue, combiner: Operation) -> bool:
    """Whether `op` is a reduction with the same combiner that starts from its neutral element."""
    from headrace.scheduler.split.reductions import starts_neutral

    if op.name == "scf.for":
        return True
    if op.name == "linalg.reduce":
        half = len(op.operands) // 2
        init = op.operands[half + list(op.results).index(value)]  # type: ignore[arg-type]
    elif isinstance(op, linalg.GenericOp):
        if not is_folding(op):
            return False
        init = op.outputs[list(op.results).index(value)]  # type: ignore[arg-type]
    else:
        return False
    last = op.regions[0].block.last_op
    inner = last.operands[list(op.results).index(value)].owner if last is not None else None  # type: ignore[arg-type]
    if not isinstance(inner, Operation) or inner.name != combiner.name:
        return False
    return starts_neutral(init, combiner.name)
