"""Numbers that a loop carries (`iter_args` of a scalar type) as tensors of one element, and what is computed from them.

A running maximum or sum of a whole tile is a scalar in a kernel's text. As a tensor of one element it is what every
other carried value is: a reduction (`carried`) or a state in the scratchpad (`states`). Numbers that grow evenly are
gone before (`carried.take_inductions_out`).

    %r = scf.for %i iter_args(%m = %m0) -> (f32) { %v = tensor.extract %x[] ; %n = arith.maximumf %m, %v ; yield %n }
    ->
    %r = scf.for %i iter_args(%m = splat %m0) -> (tensor<1xf32>) {
      %v = tensor.expand_shape %x ; %n = arith.maximumf %m, %v : tensor<1xf32> ; yield %n }
"""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.split.carried import carried_loops

ELEMENTWISE = ("arith.", "math.", "spyreop.")


def carry_tensors(root: Operation) -> None:
    """Let every loop below `root` carry tensors of one element instead of numbers."""
    loops = [o for o in carried_loops(root) if any(_is_number(r.type) or _is_single(r.type) for r in o.results)]
    for loop in loops:
        if any(_is_number(r.type) for r in loop.results):
            _promote(loop)
    if loops:
        lifted = _from_tensors(root)
        for op in list(walk_ops(root, "tensor.from_elements", "tensor.splat")):
            if len(op.operands) == 1 and op.operands[0] in lifted:
                _lift_user(op, lifted)


def _is_number(t: Attribute) -> bool:
    return isinstance(t, AnyFloat | IntegerType)


def _is_single(t: Attribute) -> bool:
    return isinstance(t, TensorType) and prod(t.get_shape()) == 1


def _promote(loop: scf.ForOp) -> None:
    """The loop with one-element tensors; inside and behind it the numbers are extracted."""
    old = loop.body.block
    last = old.last_op
    assert last is not None
    numbers = [i for i, r in enumerate(loop.results) if _is_number(r.type)]
    before, end = Emitter.before(loop), Emitter.before(last)
    starts, yielded = list(loop.iter_args), list(last.operands)
    for i in numbers:
        starts[i] = before.insert(tensor.SplatOp(starts[i], [], _single(starts[i].type))).results[0]
        yielded[i] = end.insert(_from_element(yielded[i])).results[0]
    block = Block(arg_types=[old.args[0].type, *(v.type for v in starts)])
    inside = Emitter(InsertPoint.at_start(old), loop)
    for i, (new, arg) in enumerate(zip(block.args, old.args, strict=True)):
        new.name_hint = arg.name_hint
        if i and i - 1 in numbers:
            arg.replace_all_uses_with(_first(inside, new))
        else:
            arg.replace_all_uses_with(new)
    last.detach()
    last.erase()
    for op in list(old.ops):
        op.detach()
        block.add_op(op)
    stop = scf.YieldOp(*yielded)
    made = scf.ForOp(loop.lb, loop.ub, loop.step, starts, Region(block))
    made.attributes.update(loop.attributes)
    for op in (stop, made):
        copy_loc(loop, op)
    block.add_op(stop)
    before.insert(made)
    after = Emitter(InsertPoint.after(made), loop)
    for i, (result, new) in enumerate(zip(loop.results, made.results, strict=True)):
        if result.uses:
            result.replace_all_uses_with(_first(after, new) if i in numbers else new)
    loop.detach()
    loop.erase()


def _single(element: Any) -> TensorType[Any]:
    return TensorType(element, [1])


def _from_element(value: SSAValue) -> Operation:
    return tensor.FromElementsOp.create(operands=[value], result_types=[_single(value.type)])


def _first(emit: Emitter, value: SSAValue) -> SSAValue:
    """The only element of a tensor of rank 1."""
    t = value.type
    assert isinstance(t, TensorType)
    return emit.insert(
        tensor.ExtractOp.create(operands=[value, emit.value(0)], result_types=[t.get_element_type()])
    ).results[0]


# ---- numbers as tensors ---------------------------------------------------------------------------------------------


def _lift_user(op: Operation, lifted: set[SSAValue]) -> None:
    """Replace a tensor made of one number that comes from a one-element tensor by operations on such tensors."""
    t = op.results[0].type
    assert isinstance(t, TensorType)
    emit = Emitter.before(op)
    value = _lift(emit, op.operands[0], lifted)
    shape = list(t.get_shape())
    if prod(shape) == 1:
        value = _shaped(emit, value, shape)
    else:
        value = _spread(emit, value, t)
    op.results[0].replace_all_uses_with(value)
    op.detach()
    op.erase()


def _spread(emit: Emitter, value: SSAValue, t: TensorType[Any]) -> SSAValue:
    """The element everywhere, as a row of its own: what reads it then does so once for the row."""
    shape = list(t.get_shape())
    unit = shape.index(1) if 1 in shape else None
    whole = t if unit is not None else TensorType(t.get_element_type(), [1, *shape])
    empty = emit.insert(tensor.EmptyOp([], whole)).results[0]
    dimensions = [d for d in range(whole.get_num_dims()) if d != (unit or 0)]
    spread = emit.insert(linalg.BroadcastOp(value, empty, DenseArrayBase.from_list(i64, dimensions), whole)).results[0]
    if unit is not None:
        return spread
    groups = [[0, 1], *([d] for d in range(2, len(shape) + 1))]
    return emit.insert(
        tensor.CollapseShapeOp.create(
            operands=[spread], properties={"reassociation": _groups(groups)}, result_types=[t]
        )
    ).results[0]


def _shaped(emit: Emitter, value: SSAValue, shape: list[int]) -> SSAValue:
    """A tensor of one element in another shape."""
    t = value.type
    assert isinstance(t, TensorType)
    if list(t.get_shape()) == shape:
        return value
    element, none = t.get_element_type(), ArrayAttr[Any]([])
    if t.get_num_dims():
        whole = [TensorType(element, [])]
        value = emit.insert(
            tensor.CollapseShapeOp.create(operands=[value], properties={"reassociation": none}, result_types=whole)
        ).results[0]
    if shape:
        extents = DenseArrayBase.from_list(i64, shape)
        value = emit.insert(tensor.ExpandShapeOp(value, [], none, extents, TensorType(element, shape))).results[0]
    return value


def _is_lone(op: Any) -> bool:
    return op.name == "tensor.extract" and _is_single(op.operands[0].type)


def _computes(op: Operation) -> bool:
    return (
        op.name.startswith(ELEMENTWISE)
        and op.name != "arith.constant"
        and len(op.results) == 1
        and all(_is_number(v.type) for v in (*op.operands, *op.results))
    )


def _from_tensors(root: Operation) -> set[SSAValue]:
    """The numbers that are computed from an element of a one-element tensor."""
    found: set[SSAValue] = set()
    for op in root.walk():
        if _is_lone(op) or (_computes(op) and any(v in found for v in op.operands)):
            found.add(op.results[0])
    return found


def _lift(emit: Emitter, value: SSAValue, lifted: set[SSAValue]) -> SSAValue:
    """A number as a tensor of one element; what it is computed from comes first."""
    made: dict[SSAValue, SSAValue] = {}
    work = [value]
    while work:
        v = work[-1]
        missing = [o for o in v.owner.operands if o not in made] if v in lifted and not _is_lone(v.owner) else []  # type: ignore[union-attr]
        if missing:
            work += missing
            continue
        work.pop()
        if v not in made:
            made[v] = _lifted(emit, v, made, v in lifted)
    return made[value]


def _lifted(emit: Emitter, value: SSAValue, made: dict[SSAValue, SSAValue], lifted: bool) -> SSAValue:
    op = value.owner
    if not isinstance(op, Operation) or not lifted:
        return emit.insert(tensor.SplatOp(value, [], _single(value.type))).results[0]
    if _is_lone(op):
        folded = op.operands[0].owner
        if isinstance(folded, linalg.ReduceOp) and len(folded.operands) == 2 and op.operands[0].type == _bare(value):
            return _row_result(folded)
        return _shaped(emit, op.operands[0], [1])
    copy = type(op).create(
        operands=[made[v] for v in op.operands],
        result_types=[_single(value.type)],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )
    copy_loc(op, copy)
    return emit.insert(copy).results[0]


def _row_result(op: Any) -> SSAValue:
    """The result of a reduction of a whole tile as that of one row."""
    emit = Emitter.before(op)
    source, start = op.operands
    shape = list(source.type.get_shape())
    if 1 not in shape:
        row = TensorType(source.type.get_element_type(), [1, *shape])
        groups = [[0, 1], *([d] for d in range(2, len(shape) + 1))]
        extents = DenseArrayBase.from_list(i64, [1, *shape])
        source = emit.insert(tensor.ExpandShapeOp(source, [], _groups(groups), extents, row)).results[0]
    unit = shape.index(1) if 1 in shape else 0
    start = _shaped(emit, start, [1])
    properties = dict(op.properties)
    rank = len(shape) + (1 not in shape)
    properties["dimensions"] = DenseArrayBase.from_list(i64, [d for d in range(rank) if d != unit])
    made = type(op).create(
        operands=[source, start], result_types=[start.type], properties=properties, regions=[op.regions[0].clone()]
    )
    for inner in made.walk():
        copy_loc(op, inner)
    return emit.insert(made).results[0]


def _groups(groups: list[list[int]]) -> ArrayAttr[Any]:
    return ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in g]) for g in groups])


def _bare(value: SSAValue) -> TensorType[Any]:
    return TensorType(value.type, [])  # type: ignore[arg-type]
