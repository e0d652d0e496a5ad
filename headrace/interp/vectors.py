"""Vector operations of DataflowIR: `agen` accesses, `vectorchain` and `headrace` compute, on flat NumPy vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from headrace.interp.engine import Leaf
from headrace.interp.memory import OutsideMemory, Space, Uninitialised
from headrace.interp.points import Unbounded, apply_map, contains, linear_form, points_of
from headrace.interp.scalars import attribute, evaluate, plain
from headrace.interp.structured import convert
from headrace.interp.values import element_dtype, static_shape
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.location import loc_of
from headrace.numerics import semantics
from headrace.numerics.dtypes import DType

Array = NDArray[Any]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LinearView:
    """A memory seen through a layout: element with indices i lives at byte `base + layout(i) * dtype.bytes`."""

    space: Space
    base: int
    layout: AffineMap
    coefficients: tuple[int, ...]
    constant: int
    dtype: DType
    op: Operation
    memory: str

    def addresses(self, indices: IntArray) -> IntArray:
        """Byte addresses of index tuples (last axis = view dimensions)."""
        linear = indices @ np.asarray(self.coefficients, np.int64) + self.constant
        return self.base + linear * self.dtype.bytes


def linear_view(op: Any, space: Space, base: int, memory: str) -> LinearView:
    """The view a `get_logical_memory_view` makes at byte `base`. The layout must be linear with one result."""
    layout = op.properties["layout_map"].data
    form = linear_form(layout.results[0], layout.num_dims, ()) if len(layout.results) == 1 else None
    if form is None or layout.num_symbols:
        raise error(op, "the layout map of a memory view must have one linear result and no symbols")
    return LinearView(space, base, layout, tuple(form[0]), form[1], element_dtype(op.results[0].type), op, memory)


def vector_shape(t: Any) -> tuple[int, ...]:
    """(lanes,): vectors of any rank are flat while they run."""
    return (math.prod(static_shape(t)),)


# -- address generation ----------------------------------------------------------------------------------------------


def ordered_points(f: Any, op: Any, name: str, order: str, symbols: Sequence[int] = ()) -> IntArray:
    """Points (rows) of the set attribute `name`, sorted lexicographically by the order map."""
    key = (op, name, tuple(symbols))
    cache = f.session.cache
    if key in cache:
        return cache[key]
    try:
        found = points_of(op.properties[name].data, tuple(symbols))
    except Unbounded as e:
        raise error(op, f"'{op.name}': {name}: {e}") from e
    rank = len(found.shape)
    mask = np.ones(found.shape, np.bool_) if found.mask is None else found.mask
    points = np.argwhere(mask).astype(np.int64).reshape(-1, rank) + np.asarray(found.lo, np.int64).reshape(1, rank)
    m = op.properties[order].data
    columns = [np.broadcast_to(np.asarray(x), (len(points),)) for x in apply_map(m, list(points.T))]
    if columns:
        points = points[np.lexsort(columns[::-1])]
    cache[key] = points
    return points


def base_indices(f: Any, op: Any, map_name: str, operands: Any) -> IntArray:
    """Subscripts of an access as a vector."""
    return np.asarray(apply_map(op.properties[map_name].data, f.all(operands)), np.int64)


def spread_over(points: IntArray, base: IntArray, op: Operation) -> IntArray:
    """Index tuples `base + p`; a set of more dimensions than the view is refused."""
    if points.shape[1] != base.shape[0]:
        raise error(op, f"'{op.name}': a set of {points.shape[1]} dimensions over a view of {base.shape[0]}")
    return points + base


def read(f: Any, op: Operation, view: LinearView, indices: IntArray) -> Array:
    """Values at index tuples. Raises located errors."""
    where = view.addresses(indices)
    try:
        return view.space.read_points(where, view.dtype)
    except (OutsideMemory, Uninitialised) as e:
        raise _trouble(f, op, view, indices, where, e) from e


def write(f: Any, op: Operation, view: LinearView, indices: IntArray, values: Array) -> None:
    """Store values at index tuples. Raises located errors."""
    where = view.addresses(indices)
    try:
        view.space.write_points(where, view.dtype, values)
    except OutsideMemory as e:
        raise _trouble(f, op, view, indices, where, e) from e


def _trouble(f: Any, op: Operation, view: LinearView, indices: IntArray, where: IntArray, e: Any) -> HeadraceError:
    hits = (where <= e.address) & (e.address < where + view.dtype.bytes)
    at = indices[tuple(np.argwhere(hits)[0])].tolist() if hits.any() else []
    what = "outside every buffer" if isinstance(e, OutsideMemory) else "never written"
    verb = "reads" if isinstance(e, Uninitialised) else "touches"
    return error(
        op,
        f"'{op.name}'{f.where()} {verb} indices {at}: byte {e.address} of '{view.memory}' is {what}",
        [(loc_of(view.op), "the view is made here")],
    )


Subscripts = tuple[tuple[int, tuple[tuple[SSAValue, int], ...]], ...]
"""(constant, (operand, coefficient), ...) of every dimension."""


@dataclass(frozen=True)
class _VectorPlan:
    """A vector access: subscripts as linear forms of operands, and the element offsets in packing order."""

    view: SSAValue
    forms: Subscripts | None
    map: AffineMap
    operands: tuple[SSAValue, ...]
    points: IntArray

    def origin(self, f: Any) -> list[Any]:
        """Base indices for the running values (arrays in a batch)."""
        if self.forms is None:
            return [int(x) for x in apply_map(self.map, f.all(self.operands))]
        return [c + sum(f.get(v) * k for v, k in terms) for c, terms in self.forms]


def subscripts_of(m: AffineMap, operands: Sequence[SSAValue]) -> Subscripts | None:
    """(constant, terms) of every subscript of an access; None where one is not linear."""
    raw = [linear_form(e, m.num_dims, ()) if not m.num_symbols else None for e in m.results]
    if any(form is None for form in raw):
        return None
    forms = [form for form in raw if form is not None]
    return tuple((at, tuple((v, c) for v, c in zip(operands, by, strict=True) if c)) for by, at in forms)


def vector_plan(f: Any, op: Any, prefix: str) -> _VectorPlan:
    """What the text of a vector access (`load` or `store`) fixes."""
    key = (op, prefix)
    if key in f.session.cache:
        return f.session.cache[key]
    m, operands = op.properties["affine_map"].data, tuple(op.map_operands)
    forms = subscripts_of(m, operands)
    points = ordered_points(f, op, f"{prefix}_set", f"{prefix}_order")
    vector = op.results[0].type if prefix == "load" else op.value.type
    check_lanes(op, len(points), vector)
    if points.shape[1] != len(m.results):
        raise error(op, f"'{op.name}': a set of {points.shape[1]} dimensions over a view of {len(m.results)}")
    plan = f.session.cache[key] = _VectorPlan(op.mem_ref, forms, m, operands, points)
    return plan


def strided_at(f: Any, op: Any, plan: _VectorPlan, view: LinearView) -> tuple[int, int] | None:
    """(first offset, step) in elements where the vector is evenly strided in this view."""
    key = (op, "strided", view.coefficients)
    cache = f.session.cache
    if key not in cache:
        offsets = plan.points @ np.asarray(view.coefficients, np.int64)
        steps = np.diff(offsets)
        even = len(offsets) > 0 and (len(steps) == 0 or bool((steps == steps[0]).all()))
        cache[key] = (int(offsets[0]), int(steps[0]) if len(steps) else 1) if even else None
    return cache[key]


def box(view: LinearView, origin: list[Any], strided: tuple[int, int]) -> tuple[Any, int]:
    """(base byte, byte step) of a strided vector; an origin of arrays gives an array."""
    linear = view.constant + strided[0] + sum(c * x for c, x in zip(view.coefficients, origin, strict=True))
    return view.base + linear * view.dtype.bytes, strided[1] * view.dtype.bytes


def _vector_load(f: Any, op: Any) -> None:
    plan = vector_plan(f, op, "load")
    view = f.get(plan.view)
    origin, strided = plan.origin(f), strided_at(f, op, plan, view)
    if strided is not None:
        base, step = box(view, origin, strided)
        try:
            f.values[op.results[0]] = view.space.read_box(base, (len(plan.points),), (step,), view.dtype)
            return
        except (OutsideMemory, Uninitialised):
            pass  # the general path reports where
    f.values[op.results[0]] = read(f, op, view, plan.points + np.asarray(origin, np.int64))


def check_lanes(op: Operation, count: int, t: Any) -> None:
    if count != vector_shape(t)[0]:
        raise error(op, f"'{op.name}' accesses {count} elements, but its vector type is {t}")


def _vector_store(f: Any, op: Any) -> None:
    plan = vector_plan(f, op, "store")
    view, values = f.get(plan.view), f.get(op.operands[0])
    origin, strided = plan.origin(f), strided_at(f, op, plan, view)
    if strided is not None and strided[1] != 0:
        base, step = box(view, origin, strided)
        try:
            view.space.write_box(base, (len(plan.points),), (step,), view.dtype, values)
            return
        except OutsideMemory:
            pass  # the general path reports where
    write(f, op, view, plan.points + np.asarray(origin, np.int64), values)


# -- compute ---------------------------------------------------------------------------------------------------------


def apply(
    name: str, args: Sequence[Any], ins: Sequence[DType], out: DType, params: dict[str, Any] | None = None
) -> Array:
    """One table entry lane by lane."""
    return np.asarray(evaluate(semantics.get(name), list(args), list(ins), [out], params)[0], out.value_dtype)


def _compute_plan(op: Any) -> tuple[Any, ...]:
    entry = semantics.get(op.properties["op"].data)
    params = {s.name: plain(a) for s in entry.params if (a := attribute(op, s.name)) is not None}
    ins, outs = [element_dtype(v.type) for v in op.operands], [element_dtype(r.type) for r in op.results]
    return entry, ins, outs, params, tuple(op.operands)


def _compute(f: Any, op: Any) -> None:
    entry, ins, outs, params, operands = f.session.plan(op, _compute_plan)
    try:
        f.set(op, *evaluate(entry, list(f.all(operands)), ins, outs, params))
    except ValueError as e:
        raise error(op, f"'{op.name}'{f.where()}: {e}") from e


def _iota(f: Any, op: Any) -> None:
    dtype = element_dtype(op.results[0].type)
    offsets = np.asarray(op.lane_offsets(), np.int64)
    f.values[op.results[0]] = (offsets + f.get(op.operands[0])).astype(dtype.value_dtype)


_FLOAT_BINARY = {
    "add": "arith.addf",
    "sub": "arith.subf",
    "mul": "arith.mulf",
    "min": "arith.minimumf",
    "max": "arith.maximumf",
}
_INT_BINARY = {
    "add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "min": "arith.minsi", "max": "arith.maxsi",
    "and0": "arith.andi", "or0": "arith.ori",
}  # fmt: skip


def binary(op: Operation, name: str, a: Array, b: Array, dtype: DType) -> Array:
    """A `vectorchain` binary operator lane by lane."""
    pair = [dtype, dtype]
    if name in ("abs_min", "abs_max"):
        magnitude = "math.absf" if dtype.is_float else "math.absi"
        a, b = (apply(magnitude, [x], [dtype], dtype) for x in (a, b))
        return binary(op, name.removeprefix("abs_"), a, b, dtype)
    if name == "mul_div2" and dtype.is_float:
        half = np.asarray(0.5, dtype.value_dtype)
        return apply("arith.mulf", [apply("arith.mulf", [a, b], pair, dtype), half], pair, dtype)
    if name in ("xnor", "and_not") and not dtype.is_float:
        ones = np.asarray(-1 if dtype.bits > 1 else True, dtype.value_dtype)
        if name == "xnor":
            return apply("arith.xori", [apply("arith.xori", [a, b], pair, dtype), ones], pair, dtype)
        return apply("arith.andi", [a, apply("arith.xori", [b, ones], pair, dtype)], pair, dtype)
    entry = (_FLOAT_BINARY if dtype.is_float else _INT_BINARY).get(name)
    if entry is None:
        raise error(op, f"'{op.name}' with operator {name} has no meaning on {dtype} elements")
    return apply(entry, [a, b], pair, dtype)


def _no_mask(op: Any) -> None:
    if getattr(op, "mask", None) is not None:
        raise error(op, f"'{op.name}' with a mask is not supported")


def _lane_wise(op: Any, name: str) -> None:
    m = op.properties[name].data
    if len(m.results) != m.num_dims or any(str(e) != f"d{k}" for k, e in enumerate(m.results)):
        raise error(op, f"'{op.name}' with {name} {m} is not supported, only the identity is")


def _binary_plan(op: Any) -> tuple[Any, ...]:
    _no_mask(op)
    _lane_wise(op, "op_specific_map")
    return plain(op.binary_op), op.lhs, op.rhs, op.results[0], element_dtype(op.results[0].type)


def _binary(f: Any, op: Any) -> None:
    operator, lhs, rhs, result, dtype = f.session.plan(op, _binary_plan)
    f.values[result] = binary(op, operator, f.get(lhs), f.get(rhs), dtype)


def _multiply(f: Any, op: Any) -> None:
    _no_mask(op)
    _lane_wise(op, "reduction_map")
    dtype = element_dtype(op.results[0].type)
    f.values[op.results[0]] = binary(op, "mul", f.get(op.lhs), f.get(op.rhs), dtype)


def _multiply_and_accumulate(f: Any, op: Any) -> None:
    _no_mask(op)
    _lane_wise(op, "reduction_map")
    dtype = element_dtype(op.results[0].type)
    product = binary(op, "mul", f.get(op.lhs), f.get(op.rhs), dtype)
    f.values[op.results[0]] = binary(op, "add", product, f.get(op.acc), dtype)


def _compare(f: Any, op: Any) -> None:
    _no_mask(op)
    source, target = element_dtype(op.lhs.type), element_dtype(op.results[0].type)
    kind = plain(op.compare_op).removeprefix("compare_")
    if source.is_float:
        predicate = {"eq": "oeq", "neq": "une"}.get(kind, f"o{kind}")
        name = "arith.cmpf"
    else:
        predicate = {"eq": "eq", "neq": "ne"}.get(kind, f"s{kind}")
        name = "arith.cmpi"
    flags = np.asarray(
        evaluate(
            semantics.get(name),
            [f.get(op.lhs), f.get(op.rhs)],
            [source] * 2,
            [semantics.dtypes.I1],
            {"predicate": predicate},
        )[0]
    )
    f.values[op.results[0]] = flags.astype(target.value_dtype)


def _selection(f: Any, op: Any) -> None:
    _no_mask(op)
    condition = f.get(op.condition)
    f.values[op.results[0]] = np.where(condition != 0, f.get(op.lhs), f.get(op.rhs))


def _unary(name: str) -> Leaf:
    def run(f: Any, op: Any) -> None:
        _no_mask(op)
        dtype = element_dtype(op.results[0].type)
        f.values[op.results[0]] = apply(name, [f.get(op.input)], [element_dtype(op.input.type)], dtype)

    return run


def _cast_plan(op: Any) -> tuple[Any, ...]:
    _no_mask(op)
    return op.input, op.results[0], element_dtype(op.input.type), element_dtype(op.results[0].type)


def _cast(f: Any, op: Any) -> None:
    source, result, before, after = f.session.plan(op, _cast_plan)
    f.values[result] = convert(f.get(source), before, after)


def _select(f: Any, op: Any) -> None:
    source = f.get(op.input)
    lanes = np.arange(vector_shape(op.results[0].type)[0], dtype=np.int64)
    picked = np.broadcast_to(np.asarray(apply_map(op.properties["selection_map"].data, [lanes])[0]), lanes.shape)
    if np.any((picked < 0) | (picked >= source.size)):
        raise error(op, f"'{op.name}' selects a lane outside {op.input.type}")
    f.values[op.results[0]] = source[picked]


def _affine_mask(f: Any, op: Any) -> None:
    lanes = np.arange(vector_shape(op.results[0].type)[0], dtype=np.int64)
    symbols = [] if op.parameter is None else [f.get(op.parameter)]
    inside = contains(op.properties["mask_set"].data, [lanes], symbols)
    f.values[op.results[0]] = np.broadcast_to(np.asarray(inside, np.bool_), lanes.shape).copy()


def _bitstream(f: Any, op: Any) -> None:
    dtype = element_dtype(op.results[0].type)
    bits = np.asarray([a.value.data & (1 << 64) - 1 for a in op.properties["value"].data], np.uint64)
    f.values[op.results[0]] = dtype.decode(bits.astype(dtype.storage_dtype))


def _shuffle_plan(op: Any) -> tuple[Any, ...]:
    """Where the lanes come from in the input, followed by the variables and the padding."""
    _no_mask(op)
    indices = np.asarray([a.value.data for a in op.properties["indices"].data], np.int64)
    where = np.where(indices >= 0, indices, vector_shape(op.input.type)[0] - indices - 1)
    return op.input, (*op.variable, *op.pad), np.tile(where, op.properties["repetition"].value.data), op.results[0]


def _shuffle(f: Any, op: Any) -> None:
    source, others, where, result = f.session.plan(op, _shuffle_plan)
    pool = f.get(source)
    if others:
        pool = np.concatenate([pool, *(np.asarray(f.get(v)).reshape(-1) for v in others)])
    f.values[result] = pool[..., where]


def _scan(f: Any, op: Any) -> None:
    dtype = element_dtype(op.results[0].type)
    name, gap = plain(op.reduction_op), op.properties["gap"].value.data
    values = f.get(op.input).copy()
    if plain(op.eval_order) == "right_to_left":
        values = values[::-1].copy()
    for i in range(gap, values.size):
        values[i] = binary(op, name, values[i - gap : i - gap + 1], values[i : i + 1], dtype)[0]
    f.values[op.results[0]] = values[::-1].copy() if plain(op.eval_order) == "right_to_left" else values


def _rotate(f: Any, op: Any) -> None:
    right = op.properties.get("right_shift")
    shift = f.get(op.position)
    f.values[op.results[0]] = np.roll(f.get(op.input), shift if right is None or plain(right) else -shift)


def _unsupported(f: Any, op: Operation) -> None:
    raise error(op, f"'{op.name}' has no exact meaning and cannot be executed")


LEAVES: dict[str, Leaf] = {
    "agen.vector_load": _vector_load,
    "agen.vector_store": _vector_store,
    "headrace.compute": _compute,
    "headrace.iota": _iota,
    "vectorchain.binary": _binary,
    "vectorchain.multiply": _multiply,
    "vectorchain.multiply_and_accumulate": _multiply_and_accumulate,
    "vectorchain.element_wise_compare": _compare,
    "vectorchain.element_wise_selection": _selection,
    "vectorchain.neg": _unary("arith.negf"),
    "vectorchain.floor": _unary("math.floor"),
    "vectorchain.cast": _cast,
    "vectorchain.select": _select,
    "vectorchain.create_affine_mask": _affine_mask,
    "vectorchain.constant_bitstream": _bitstream,
    "vectorchain.shuffle": _shuffle,
    "vectorchain.scan_with_gap": _scan,
    "vectorchain.rotate": _rotate,
}
LEAVES |= {
    f"vectorchain.{name}": _unsupported
    for name in (
        "fast_exp", "rec_estimate", "ln_estimate", "rsqrt_estimate", "exp_estimate",
        "sigmoid_estimate", "tanh_estimate",
        "merge", "pack",
    )
}  # fmt: skip
