"""Compute stages: FIFO accesses and `linalg` operations on flat vectors.

Floating-point add, sub, mul, max and min become `vectorchain.binary`, `arith.select` an `element_wise_selection`, float
conversions a `vectorchain.cast`; every other elementwise operation is one `headrace.compute` named by its key in the
table of scalar semantics, with its properties as parameters. Constants are splat bit patterns at the top of the unit
program, scalars from outside the body `headrace.iota`s of step 0, `linalg.index` a `headrace.iota`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow, headrace_ops, vectorchain
from headrace.ir.types import dtype_of, vector_type
from headrace.scheduler.lower.program import bits_type
from headrace.scheduler.lower.transfers import fifo_end, lanes_of, load_box, store_box
from headrace.scheduler.lower.units import UnitProgram
from headrace.scheduler.lower.views import Side, make_side
from headrace.scheduler.ops import neutral

BINARY = {
    "arith.addf": "add",
    "arith.subf": "sub",
    "arith.mulf": "mul",
    "arith.maximumf": "max",
    "arith.minimumf": "min",
}
CASTS = frozenset({"arith.extf", "arith.truncf"})
#: Properties that do not change what an operation computes.
_HINTS = frozenset({"fastmath", "overflowFlags", "isExact", "nonNeg", "isDisjoint"})


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """Static shape of a tensor or memref value."""
    kind = value.type
    assert isinstance(kind, TensorType | MemRefType)
    return tuple(kind.get_shape())


def _check(unit: UnitProgram, op: Operation, count: int, element: Attribute, registers: bool = False) -> None:
    """Raise where a vector is too long for a FIFO entry or, in `registers`, for all types of the compute unit."""
    if isinstance(element, IndexType):  # positions: never in memory, as many as the data they belong to
        return
    width = lanes_of(unit, op, element)
    if registers and unit.device.compute_kind is not None:
        width = max([width, *unit.device.unit(unit.device.compute_kind).lane_table.values()])
    if count < 0 or count > width:
        raise error(op, f"a vector of {count} elements exceeds the hardware vector width of {width}")


def emit_read(unit: UnitProgram, op: Operation) -> None:
    """`ktdf.read_from_fifo`: receive one vector."""
    result = op.results[0]
    count = prod(shape_of(result))
    element = result.type.element_type  # type: ignore[attr-defined]
    _check(unit, op, count, element)
    peer = unit.peer(fifo_end(op, op.operands[0].type, "src"), op)
    received = unit.add(dataflow.ReceiveOp(peer, vector_type(element, count))).result
    unit.scopes[-1].values[result] = received


def emit_write(unit: UnitProgram, op: Operation) -> None:
    """`ktdf.write_to_fifo`: send one vector; a memref is read whole first."""
    data = vector_of(unit, op, op.operands[0])
    _check(unit, op, data.type.element_count(), data.type.element_type)  # type: ignore[attr-defined]
    unit.add(dataflow.SendOp(unit.peer(fifo_end(op, op.operands[1].type, "dest"), op), data))


def whole(unit: UnitProgram, memref: SSAValue) -> Side:
    """All of a memref."""
    sizes = shape_of(memref)
    return make_side(unit, memref, AffineMap(0, 0, tuple(AffineMap.point_map(*([0] * len(sizes))).results)), (), sizes)


def splat_constant(unit: UnitProgram, attr: Attribute, element: Attribute, count: int) -> SSAValue:
    """A vector with one constant in every lane, made at the top of the program."""

    def make() -> SSAValue:
        if isinstance(element, IndexType):
            assert isinstance(attr, IntegerAttr)
            return _lanes(unit.hoist, unit.constant(attr.value.data), vector_type(element, count))
        dtype = dtype_of(element)
        number = attr.value.data  # type: ignore[attr-defined]
        if dtype.is_float:
            bits = int(
                np.asarray(dtype.encode(np.asarray([number], dtype=np.float64).astype(dtype.value_dtype))).reshape(-1)[
                    0
                ]
            )
            bits &= (1 << dtype.bits) - 1
        else:
            bits = number & ((1 << dtype.bits) - 1)
        one = unit.hoist(vectorchain.ConstantBitstreamOp([bits], vector_type(element, 1))).result
        return one if count == 1 else unit.hoist(vectorchain.ShuffleOp.splat(one, vector_type(element, count))).result

    return unit.hoisted(("splat", attr, element, count), make)


def vector_of(unit: UnitProgram, op: Operation, value: SSAValue) -> SSAValue:
    """The flat vector of a tensor or memref operand."""
    for scope in reversed(unit.scopes):
        if value in scope.values:
            return scope.values[value]
    if isinstance(value.type, MemRefType):
        side = whole(unit, value)
        _check(unit, op, prod(side.sizes), side.type.element_type, registers=True)
        return load_box(unit, op, side)
    owner = value.owner
    if isinstance(owner, Operation):
        element = value.type.element_type  # type: ignore[attr-defined]
        count = prod(shape_of(value))
        if owner.name == "tensor.empty":
            zero = FloatAttr(0.0, element) if dtype_of(element).is_float else IntegerAttr(0, element)
            return splat_constant(unit, zero, element, count)
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
            values = list(owner.value.iter_attrs())
            if len(set(values)) == 1:
                return splat_constant(unit, values[0], element, count)
            dtype = dtype_of(element)
            numbers = np.asarray([a.value.data for a in values])
            bits = [
                int(b) & ((1 << dtype.bits) - 1) for b in dtype.encode(numbers.astype(dtype.value_dtype)).reshape(-1)
            ]
            return unit.hoist(vectorchain.ConstantBitstreamOp(bits, vector_type(element, count))).result
    what = owner.name if isinstance(owner, Operation) else "a block argument"
    raise error(op, f"a tensor made by '{what}' cannot be lowered in a compute stage")


def emit_generic(unit: UnitProgram, op: Operation) -> None:
    """An elementwise `linalg.generic` on tensors, or one that updates memrefs."""
    outputs = list(op.outputs)  # type: ignore[attr-defined]
    ranges = _ranges(op)
    count = prod(ranges)
    buffers = [isinstance(o.type, MemRefType) for o in outputs]
    kinds = [getattr(i.data, "value", str(i.data)) for i in op.properties["iterator_types"].data]  # type: ignore[attr-defined]
    if kinds == ["reduction"] and len(outputs) == 1 and len(op.inputs) == 1 and not buffers[0]:  # type: ignore[attr-defined]
        emit_lane_fold(unit, op)
        return
    for size, kind in zip(ranges, kinds, strict=True):
        if kind != "parallel" and size != 1:
            raise error(op, "reduction linalg.generic must run over a loop with a buffer operand before DataflowIR")
    _check(unit, op, count, outputs[0].type.element_type, registers=True)
    maps = [m.data for m in op.properties["indexing_maps"].data]  # type: ignore[attr-defined]
    body = op.regions[0].block
    values: dict[SSAValue, SSAValue] = {}
    sides: list[Side | None] = []
    operands = [*op.inputs, *outputs]  # type: ignore[attr-defined]
    for number, (operand, arg) in enumerate(zip(operands, body.args, strict=True)):
        is_output = number >= len(operands) - len(outputs)
        sides.append(whole(unit, operand) if is_output and isinstance(operand.type, MemRefType) else None)
        if not arg.uses:
            continue
        if not isinstance(operand.type, TensorType | MemRefType):
            values[arg] = broadcast(unit, operand, count)
            continue
        _check_order(op, maps[number], operand)
        data = vector_of(unit, op, operand)
        values[arg] = _widen(unit, op, data, count)
    results = emit_body(unit, op, body, values, ranges)
    for number, (result, is_buffer) in enumerate(zip(results, buffers, strict=True)):
        if is_buffer:
            side = sides[len(operands) - len(outputs) + number]
            assert side is not None
            store_box(unit, op, side, result)
    for op_result, result in zip(op.results, [r for r, b in zip(results, buffers, strict=True) if not b], strict=True):
        unit.scopes[-1].values[op_result] = result


def emit_lane_fold(unit: UnitProgram, op: Operation) -> None:
    """A reduction of one vector to one element: combine its halves, log2(lanes) times; then the start value.

    A vector longer than the unit's lanes is cut in halves. A shorter one is combined with itself, rotated by half,
    which takes one shuffle instead of two; what that leaves in the upper lanes is never used. A vector whose length is
    no power of two is padded with the combiner's identity first.
    """
    body = op.regions[0].block
    last = body.last_op
    assert last is not None
    combiner = last.operands[0].owner
    if not isinstance(combiner, Operation) or set(combiner.operands) != set(body.args):
        raise error(op, "a fold over the lanes of a vector must combine element and accumulator in one operation")
    data = vector_of(unit, op, op.inputs[0])  # type: ignore[attr-defined]
    start = vector_of(unit, op, op.outputs[0])  # type: ignore[attr-defined]
    element = combiner.results[0].type
    count: int = data.type.element_count()  # type: ignore[attr-defined]
    width = 1 << (count - 1).bit_length()
    if width != count:
        value = neutral(combiner.name, element)
        attr = FloatAttr(value, element) if dtype_of(element).is_float else IntegerAttr(int(value), element)  # type: ignore[arg-type]
        pad = splat_constant(unit, attr, element, 1)
        data = unit.add(
            vectorchain.ShuffleOp(
                data, [*range(count), *([-1] * (width - count))], 1, vector_type(element, width), pad=[pad]
            )
        ).result

    def combine(a: SSAValue, b: SSAValue, lanes: int) -> SSAValue:
        values: dict[SSAValue, SSAValue] = {body.args[1]: a, body.args[0]: b}
        emit_op(unit, combiner, values, lambda v: values[v], lanes)
        return values[combiner.results[0]]

    lanes = unit.device.vector_lanes(element)
    whole = width
    while width > 1:
        width //= 2
        if whole > lanes or width == 1:
            kind = vector_type(element, width)
            low = unit.add(vectorchain.ShuffleOp(data, list(range(width)), 1, kind)).result
            high = unit.add(vectorchain.ShuffleOp(data, list(range(width, 2 * width)), 1, kind)).result
            data, whole = combine(low, high, width), width
        else:
            order = [(k + width) % whole for k in range(whole)]
            turned = unit.add(vectorchain.ShuffleOp(data, order, 1, vector_type(element, whole))).result
            data = combine(data, turned, whole)
    unit.scopes[-1].values[op.results[0]] = combine(start, data, 1)


def _ranges(op: Operation) -> list[int]:
    """Extent of each loop of the generic, from its operands' shapes."""
    maps = [m.data for m in op.properties["indexing_maps"].data]  # type: ignore[attr-defined]
    ranges = [1] * maps[0].num_dims
    for affine_map, operand in zip(maps, [*op.inputs, *op.outputs], strict=True):  # type: ignore[attr-defined]
        if isinstance(operand.type, TensorType | MemRefType):
            for expr, size in zip(affine_map.results, shape_of(operand), strict=True):
                if isinstance(expr, AffineDimExpr):
                    ranges[expr.position] = size
    return ranges


def _check_order(op: Operation, affine_map: AffineMap, operand: SSAValue) -> None:
    """The elements of an operand must come in the order of the iteration space."""
    last = -1
    for expr, size in zip(affine_map.results, shape_of(operand), strict=True):
        if size == 1:
            continue
        if not isinstance(expr, AffineDimExpr) or expr.position <= last:
            raise error(op, "an indexing map that reorders elements within one vector cannot be lowered")
        last = expr.position


def _widen(unit: UnitProgram, op: Operation, data: SSAValue, count: int) -> SSAValue:
    """One element in every lane; a vector of the right width as it is."""
    have = data.type.element_count()  # type: ignore[attr-defined]
    if have == count:
        return data
    if have == 1:
        return unit.add(vectorchain.ShuffleOp.splat(data, vector_type(data.type.element_type, count))).result  # type: ignore[attr-defined]
    raise error(op, f"an operand of {have} elements cannot be broadcast to {count} within one vector")


def broadcast(unit: UnitProgram, value: SSAValue, count: int) -> SSAValue:
    """A scalar of the source in every lane; at the top of the program where it is known before the program runs.

    Integers are `headrace.iota`s of step 0, float arguments the bits of their symbol, computed floats are computed on
    vectors from the scalars they are made of.
    """
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr | IntegerAttr):
        return splat_constant(unit, owner.value, value.type, count)
    kind = vector_type(value.type, count)
    if isinstance(value.type, IndexType | IntegerType):
        fixed = unit.static_value(value)
        if fixed is not None:
            return unit.hoisted(("broadcast", value, count), lambda: _lanes(unit.hoist, fixed, kind))
        return _lanes(unit.add, unit.value(value), kind)
    if isinstance(owner, Operation):
        values: dict[SSAValue, SSAValue] = {}
        emit_op(unit, owner, values, lambda v: broadcast(unit, v, count), count)
        return values[value]
    assert isinstance(value, BlockArgument)
    carrier = bits_type(value.type)
    if value not in unit.program.args or carrier is None:
        raise error(unit.origin, f"a block argument of type {value.type} has no scalar value in a unit program")

    def make() -> SSAValue:
        bits = _lanes(unit.hoist, unit.argument_bits(value), vector_type(carrier, count))
        return unit.hoist(headrace_ops.ComputeOp("arith.bitcast", [bits], [kind])).outputs[0]

    return unit.hoisted(("broadcast", value, count), make)


def _lanes(add: Callable[[Operation], Operation], value: SSAValue, kind: VectorType) -> SSAValue:
    """An index or integer value in every lane."""
    if not isinstance(value.type, IndexType):
        value = add(arith.IndexCastOp(value, IndexType())).results[0]
    return add(headrace_ops.IotaOp(value, kind, 0)).results[0]


def emit_body(
    unit: UnitProgram, op: Operation, body: Block, values: dict[SSAValue, SSAValue], ranges: list[int]
) -> list[SSAValue]:
    """The operations of an elementwise body on vectors; returns the yielded ones."""
    count = prod(ranges)

    def of(v: SSAValue) -> SSAValue:
        if v not in values:
            values[v] = broadcast(unit, v, count)
        return values[v]

    origin = unit.origin
    for inner in body.ops:
        unit.origin = inner
        if inner.name == "linalg.yield":
            unit.origin = origin
            return [of(v) for v in inner.operands]
        if inner.name == "linalg.index":
            values[inner.results[0]] = _index(unit, inner, ranges)
        else:
            emit_op(unit, inner, values, of, count)
    raise error(op, "linalg.generic body without yield")


def _index(unit: UnitProgram, op: Operation, ranges: list[int]) -> SSAValue:
    """`linalg.index`: the position of each lane along one dimension."""
    d = op.properties["dim"].value.data  # type: ignore[attr-defined]
    repeat = prod(ranges[d + 1 :])
    period = ranges[d] if prod(ranges[:d]) != 1 else None
    step = 1 if ranges[d] != 1 else 0
    kind = vector_type(op.results[0].type, prod(ranges))
    return unit.hoisted(
        ("iota", step, repeat, period, kind),
        lambda: unit.hoist(headrace_ops.IotaOp(unit.constant(0), kind, step, repeat, period)).result,
    )


def emit_op(
    unit: UnitProgram, op: Operation, values: dict[SSAValue, SSAValue], of: Callable[[SSAValue], SSAValue], count: int
) -> None:
    """One elementwise operation on vectors; its results go into `values`."""
    name = op.name
    results = [vector_type(r.type, count) for r in op.results]
    if isinstance(op, arith.ConstantOp):
        values[op.result] = splat_constant(unit, op.value, op.result.type, count)
    elif name in BINARY:
        a, b = (of(v) for v in op.operands)
        values[op.results[0]] = unit.add(vectorchain.BinaryOp(BINARY[name], a, b)).result
    elif name == "arith.select":
        c, a, b = (of(v) for v in op.operands)
        values[op.results[0]] = unit.add(vectorchain.ElementWiseSelectionOp(c, a, b)).result
    elif name in CASTS:
        values[op.results[0]] = unit.add(vectorchain.CastOp(of(op.operands[0]), results[0])).result
    elif op.regions or not results or not name.startswith(("arith.", "math.", "spyreop.", "headrace.compute")):
        raise error(op, f"unsupported operation type in linalg.generic body: '{name}'")
    else:
        if isinstance(op, headrace_ops.ComputeOp):
            key, params = op.key, dict(op.params)
        else:
            attributes = {**op.properties, **op.attributes}
            key, params = name, {k: v for k, v in attributes.items() if k not in _HINTS and "." not in k}
        new = unit.add(headrace_ops.ComputeOp(key, [of(v) for v in op.operands], results, params))
        values.update(zip(op.results, new.outputs, strict=True))


def emit_fill(unit: UnitProgram, op: Operation) -> None:
    """`linalg.fill`: the value in every element of a register buffer or tensor."""
    target = op.outputs[0]  # type: ignore[attr-defined]
    value = op.inputs[0]  # type: ignore[attr-defined]
    count = prod(shape_of(target))
    _check(unit, op, count, target.type.element_type, registers=True)  # type: ignore[attr-defined]
    data = broadcast(unit, value, count)
    if isinstance(target.type, MemRefType):
        store_box(unit, op, whole(unit, target), data)
    else:
        unit.scopes[-1].values[op.results[0]] = data


def emit_copy(unit: UnitProgram, op: Operation) -> None:
    """`memref.copy` of received data into a buffer."""
    store_box(unit, op, whole(unit, op.operands[1]), vector_of(unit, op, op.operands[0]))
