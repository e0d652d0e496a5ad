"""Instructions of vector operations: ``vectorchain``, ``headrace`` and ``arith``/``math`` on vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from headrace.codegen import vector_ops
from headrace.codegen.isa import IsaError, TypedReg, VType
from headrace.codegen.linear import UnsupportedAffine, is_identity
from headrace.codegen.operations import operation_code
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes, semantics

if TYPE_CHECKING:
    from headrace.codegen.select import Selector


def vop(
    s: Selector,
    op: Operation,
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[SSAValue],
    params: dict[str, Any],
) -> None:
    """Emit one elementwise operation."""
    try:
        code = operation_code(name)
    except IsaError as e:
        raise error(op, f"'{op.name}': {e}") from None
    try:
        complete = semantics.get(name).complete_params(params)
    except ValueError as e:
        raise error(op, f"'{op.name}': {e}") from None
    words: dict[str, Any] = {}
    for spec in semantics.get(name).params:
        value = complete[spec.name]
        words[spec.name] = spec.choices.index(value) if spec.choices else float(value)
    regs = [s.vector(v, op) for v in operands]
    outs = [s.new_vector(r) for r in results]
    lanes = {v.type.lanes for v in (*regs, *outs)}
    if len(lanes) != 1:
        raise error(
            op, f"'{op.name}': operands and results must have the same number of elements, found {sorted(lanes)}"
        )
    s.builder.emit(
        "VOP",
        code=code,
        lanes=lanes.pop(),
        results=tuple(TypedReg(v.reg, v.type.dtype) for v in outs),
        operands=tuple(TypedReg(v.reg, v.type.dtype) for v in regs),
        params=words,
    )


def _no_mask(op: Any) -> None:
    if getattr(op, "mask", None) is not None:
        raise error(op, f"'{op.name}': masks have no instruction")


def _binary(s: Selector, op: Any) -> None:
    _no_mask(op)
    if not is_identity(op.op_specific_map.data):
        raise UnsupportedAffine("only the identity 'op_specific_map' has an instruction")
    name = vector_ops.binary(op, op.binary_op.data.value, s.vector(op.lhs, op).type.dtype)
    vop(s, op, name, [op.lhs, op.rhs], [op.result], {})


def _multiply(s: Selector, op: Any) -> None:
    _no_mask(op)
    if not is_identity(op.reduction_map.data):
        raise UnsupportedAffine("only the identity 'reduction_map' has an instruction")
    is_float = dtypes.get(s.vector(op.lhs, op).type.dtype).is_float
    vop(s, op, "arith.mulf" if is_float else "arith.muli", [op.lhs, op.rhs], [op.result], {})


def _compare(s: Selector, op: Any) -> None:
    _no_mask(op)
    name, params = vector_ops.compare(op, op.compare_op.data.value, s.vector(op.lhs, op).type.dtype)
    vop(s, op, name, [op.lhs, op.rhs], [op.result], params)


def _selection(s: Selector, op: Any) -> None:
    _no_mask(op)
    vop(s, op, "arith.select", [op.condition, op.lhs, op.rhs], [op.result], {})


def _unary(name: str) -> Callable[[Selector, Any], None]:
    def select(s: Selector, op: Any) -> None:
        _no_mask(op)
        vop(s, op, name, [op.input], [op.result], {})

    return select


def _cast(s: Selector, op: Any) -> None:
    _no_mask(op)
    source = s.vector(op.input, op)
    target = s.vtype(op.result)
    if source.type == target:
        s.env[op.result] = source
        return
    vop(s, op, vector_ops.cast(source.type.dtype, target.dtype), [op.input], [op.result], {})


def _bitstream(s: Selector, op: Any) -> None:
    if "is_symbol" in op.attributes:
        raise error(op, "a constant bitstream of symbols has no instruction")
    constant(s, op.result, [v.value.data for v in op.value.data])


def constant(s: Selector, result: SSAValue, bits: Sequence[int]) -> None:
    """A constant vector from storage patterns, placed outside all loops."""
    t = s.vtype(result)
    bits = [x & (1 << 64) - 1 for x in bits]
    patterns = tuple(bits[:1]) if all(x == bits[0] for x in bits) else tuple(bits)
    reg = s.builder.pure("VCONST", "vd", [], bank="v", type=t, bits=patterns)
    _bind(s, result, reg, t)


def _bind(s: Selector, result: SSAValue, reg: int, t: VType) -> None:
    from headrace.codegen.select import Vector

    s.env[result] = Vector(reg, t)


def _arith_constant(s: Selector, op: Any) -> None:
    value = op.value
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise error(op, "a constant vector must be dense")
    t = s.vtype(op.result)
    dtype = dtypes.get(t.dtype)
    values = list(value.get_values())
    if len(values) == 1:
        values = values * t.lanes
    raw = np.asarray(dtype.encode(np.asarray(values).astype(dtype.value_dtype))).reshape(-1)
    constant(s, op.result, [int.from_bytes(x.tobytes(), "little") for x in raw])


def _shuffle(s: Selector, op: Any) -> None:
    _no_mask(op)
    sources = [s.vector(op.input, op)] + [s.vector(v, op) for v in (*op.variable, *op.pad)]
    starts = [0]
    for v in sources:
        starts.append(starts[-1] + v.type.lanes)
    indices = []
    for attr in op.indices.data:
        e = attr.value.data
        indices.append(e if e >= 0 else starts[-e])
    t = s.vtype(op.result)
    reg = s.builder.pure(
        "VSHUF",
        "vd",
        [("v", v.reg) for v in sources],
        bank="v",
        type=t,
        sources=tuple((v.reg, v.type.lanes) for v in sources),
        indices=tuple(indices),
    )
    _bind(s, op.result, reg, t)


def _select_lanes(s: Selector, op: Any) -> None:
    source = s.vector(op.input, op)
    t = s.vtype(op.result)
    m = op.selection_map.data
    indices = tuple(m.eval([j], [])[0] for j in range(t.lanes))
    if any(not 0 <= i < source.type.lanes for i in indices):
        raise error(op, "'vectorchain.select': the selection map leaves the input")
    _emit_shuffle(s, op.result, t, source, indices)


def _rotate(s: Selector, op: Any) -> None:
    source = s.vector(op.input, op)
    position = s.lin(op.position, op)
    if not position.is_const:
        raise error(op, "'vectorchain.rotate': the distance must be a constant")
    n = source.type.lanes
    right = op.right_shift is None or bool(op.right_shift.value.data)
    shift = position.const if right else -position.const
    _emit_shuffle(s, op.result, source.type, source, tuple((k - shift) % n for k in range(n)))


def _emit_shuffle(s: Selector, result: SSAValue, t: VType, source: Any, indices: tuple[int, ...]) -> None:
    reg = s.builder.pure(
        "VSHUF",
        "vd",
        [("v", source.reg)],
        bank="v",
        type=t,
        sources=((source.reg, source.type.lanes),),
        indices=indices,
    )
    _bind(s, result, reg, t)


def _affine_mask(s: Selector, op: Any) -> None:
    if op.parameter is not None:
        raise error(op, "'vectorchain.create_affine_mask' with a parameter has no instruction")
    t = s.vtype(op.result)
    constraints = op.mask_set.data.constraints

    def inside(lane: int) -> bool:
        for c in constraints:
            a, b = c.lhs.eval([lane], []), c.rhs.eval([lane], [])
            if not {">=": a >= b, "<=": a <= b, "==": a == b}[c.kind.value]:
                return False
        return True

    constant(s, op.result, [int(inside(k)) for k in range(t.lanes)])


def _compute(s: Selector, op: Any) -> None:
    vop(s, op, op.key, list(op.inputs), list(op.outputs), vector_ops.params(op.params))


def _iota(s: Selector, op: Any) -> None:
    t = s.vtype(op.result)
    base = s.reg(op.base, op)
    reg = s.builder.pure(
        "VIOTA",
        "vd",
        [("r", base)],
        bank="v",
        base=base,
        type=t,
        step=1 if op.step is None else op.step.value.data,
        repeat=1 if op.repeat is None else op.repeat.value.data,
        period=t.lanes if op.period is None else op.period.value.data,
    )
    _bind(s, op.result, reg, t)


def _elementwise(s: Selector, op: Operation) -> None:
    """An operation of the scalar semantics table applied to vectors, under its own name."""
    if op.name == "arith.constant":
        _arith_constant(s, op)
        return
    known = {k: v for k, v in {**op.attributes, **op.properties}.items() if k in _SEMANTIC_ATTRIBUTES}
    vop(s, op, op.name, list(op.operands), list(op.results), vector_ops.params(known))


_SEMANTIC_ATTRIBUTES = ("predicate", "beta", "threshold", "eps", "alpha", "roundingmode")

VECTOR_OPS: dict[str, Callable[[Selector, Any], None]] = {
    "vectorchain.binary": _binary,
    "vectorchain.multiply": _multiply,
    "vectorchain.element_wise_compare": _compare,
    "vectorchain.element_wise_selection": _selection,
    "vectorchain.neg": _unary("arith.negf"),
    "vectorchain.floor": _unary("math.floor"),
    "vectorchain.cast": _cast,
    "vectorchain.select": _select_lanes,
    "vectorchain.rotate": _rotate,
    "vectorchain.shuffle": _shuffle,
    "vectorchain.create_affine_mask": _affine_mask,
    "vectorchain.constant_bitstream": _bitstream,
    "headrace.compute": _compute,
    "headrace.iota": _iota,
    "elementwise": _elementwise,
}
"""Operation name -> selection; ``elementwise`` is every other operation with vector results."""
