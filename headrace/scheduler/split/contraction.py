"""Named contractions (`linalg.matmul` and its family) as `linalg.generic`: one form for everything that follows.

A product of 16-bit floats is taken and summed in f32 and rounded once at the end (design decision 8), so the generic
has an f32 result and the rounding is an elementwise operation behind it. An initial value that is not a number is added
to the sum, before that rounding.

    %y = linalg.matmul ins(%a, %b : f16) outs(%c : f16)
    ->  %s = linalg.generic (extf a * extf b, summed over k) outs(0 : f32)
        %y = truncf(extf(%c) + %s)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AffineMapAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    f32,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from headrace.ir.elements import splat_value
from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.ir.upstream.linalg import CONTRACTIONS, STRUCTURED, indexing_maps_of
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.ops import fill, make_scalar_op
from headrace.scheduler.split.scalarize import is_float, number

D = AffineExpr.dimension


def generalise(root: Operation) -> None:
    """Replace every named operation on tensors below `root` that has indexing maps."""
    for op in list(walk_ops(root, *CONTRACTIONS, *STRUCTURED)):
        if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
            continue
        if op.name in STRUCTURED or "cast" in op.properties:
            _spell_out(op)
        else:
            _replace(op)


def _spell_out(op: Operation) -> None:
    """The same maps and body as a generic."""
    maps = indexing_maps_of(op)
    kept = {e.position for e in maps[-1].results if isinstance(e, AffineDimExpr)}
    kinds = [
        IteratorTypeAttr.parallel() if k in kept else IteratorTypeAttr.reduction() for k in range(maps[0].num_dims)
    ]
    generic = linalg.GenericOp(
        op.operands[:-1], op.operands[-1:], op.regions[0].clone(), [AffineMapAttr(m) for m in maps], kinds,
        list(op.result_types),
    )  # fmt: skip
    for inner in generic.walk():
        copy_loc(op, inner)
    Emitter.before(op).insert(generic)
    op.results[0].replace_all_uses_with(generic.results[0])
    op.detach()
    op.erase()


def wide_type(element: Attribute) -> Attribute:
    """Type in which a sum of this declared type accumulates."""
    return f32 if is_float(element) and dtype_of(element).bits == 16 else element


def is_number(value: SSAValue) -> bool:
    """Whether a tensor holds one known scalar everywhere."""
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if op.name == "arith.constant":
        return splat_value(op.properties["value"]) is not None
    return op.name in ("tensor.empty", "bufferization.alloc_tensor", "tensor.splat", "linalg.fill")


def is_zero(value: SSAValue) -> bool:
    """Whether a tensor is known to hold zeros."""
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if op.name == "arith.constant":
        number = splat_value(op.properties["value"])
        return number is not None and not number
    if op.name in ("tensor.splat", "linalg.fill"):
        scalar = op.operands[0].owner
        if isinstance(scalar, arith.ConstantOp) and isinstance(scalar.value, FloatAttr | IntegerAttr):
            return not scalar.value.value.data
    return op.name in ("tensor.empty", "bufferization.alloc_tensor")


def converted(emit: Emitter, value: SSAValue, element: Attribute) -> SSAValue:
    """A tensor or scalar in another element type."""
    t = value.type
    source = t.element_type if isinstance(t, TensorType) else t
    if source == element:
        return value
    result = TensorType(element, t.get_shape()) if isinstance(t, TensorType) else element
    a, b = dtype_of(source), dtype_of(element)
    if is_float(source) and is_float(element):
        name = "arith.extf" if b.bits > a.bits else "arith.truncf"
    elif is_float(element):
        name = "arith.sitofp"
    elif is_float(source):
        name = "arith.fptosi"
    else:
        name = "arith.extsi" if b.bits > a.bits else "arith.trunci"
    return emit.insert(make_scalar_op(name, [value], result, emit.origin or value.owner)).results[0]  # type: ignore[arg-type]


def add(emit: Emitter, a: SSAValue, b: SSAValue) -> SSAValue:
    """Sum of two values of one type."""
    t = a.type
    element = t.element_type if isinstance(t, TensorType) else t
    name = "arith.addf" if is_float(element) else "arith.addi"
    return emit.insert(make_scalar_op(name, [a, b], t, emit.origin or a.owner)).results[0]  # type: ignore[arg-type]


def zeros(emit: Emitter, t: TensorType) -> SSAValue:
    """A tensor of zeros."""
    value = number(t.element_type, 0)
    scalar = emit.insert(arith.ConstantOp(value)).result
    from xdsl.dialects import tensor

    empty = emit.insert(tensor.EmptyOp([], t)).results[0]
    return emit.insert(fill(scalar, empty)).results[0]


def _replace(op: Operation) -> None:
    a, b, init = op.operands[0], op.operands[1], op.operands[-1]
    t = op.results[0].type
    assert isinstance(t, TensorType)
    wide = wide_type(t.element_type)
    emit = Emitter.before(op)
    maps = indexing_maps_of(op)
    total = contract(emit, a, b, maps, TensorType(wide, t.get_shape()))
    if not is_zero(init):
        total = add(emit, converted(emit, init, wide), total)
    total = converted(emit, total, t.element_type)
    op.results[0].replace_all_uses_with(total)
    op.detach()
    op.erase()


def contract(emit: Emitter, a: SSAValue, b: SSAValue, maps: Sequence[AffineMap], result: TensorType) -> SSAValue:
    """The generic that sums products of `a` and `b`, both taken in the element type of `result`."""
    wide = result.element_type
    body = Block(arg_types=[a.type.element_type, b.type.element_type, wide])  # type: ignore[attr-defined]
    inner = Emitter.at_end(body, emit.origin)
    left, right = converted(inner, body.args[0], wide), converted(inner, body.args[1], wide)
    name = "arith.mulf" if is_float(wide) else "arith.muli"
    product = inner.insert(make_scalar_op(name, [left, right], wide, emit.origin or a.owner)).results[0]  # type: ignore[arg-type]
    inner.insert(linalg.YieldOp(add(inner, body.args[2], product)))
    kept = {e.position for e in maps[-1].results}  # type: ignore[attr-defined]
    kinds = [
        IteratorTypeAttr.parallel() if k in kept else IteratorTypeAttr.reduction()
        for k in range(maps[0].num_dims)
    ]
    generic = linalg.GenericOp(
        [a, b], [zeros(emit, result)], Region(body), [AffineMapAttr(m) for m in maps], kinds, [result]
    )
    for inner_op in generic.walk():
        if emit.origin is not None:
            copy_loc(emit.origin, inner_op)
    return emit.insert(generic).results[0]
