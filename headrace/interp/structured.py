"""The `linalg` dialect on NumPy arrays: elementwise bodies run once over the whole iteration space, reductions in
order.

Numbers: every elementwise operation rounds once to its type. A sum or product whose type has 16 bits is accumulated
in f32 from the initial value and rounded once at the end; wider types accumulate in themselves. The order is
ascending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from headrace.interp.engine import Frame, Leaf
from headrace.interp.points import apply_map, open_grid
from headrace.interp.scalars import evaluate
from headrace.interp.values import PartialTensor, Poison, element_dtype
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes, semantics
from headrace.numerics.dtypes import DType

Array = NDArray[Any]

WHOLE_SPACE = 1 << 24
"""Largest iteration space (points) whose terms are computed at once before they are folded."""

SUMS = frozenset({"arith.addf", "arith.mulf"})
"""Combiners that accumulate in f32 where their type has 16 bits."""


def accumulator(name: str, dtype: DType) -> DType:
    """Type in which the combiner `name` of declared type `dtype` accumulates."""
    return dtypes.get("f32") if name in SUMS and dtype.is_float and dtype.bits == 16 else dtype


def fold(name: str, initial: Array, terms: Array, dtype: DType) -> Array:
    """`combine(... combine(initial, terms[0]) ..., terms[n-1])` along axis 0 of `terms`, rounded once to `dtype` at
    the end.
    """
    wide = accumulator(name, dtype)
    total = np.asarray(initial, wide.value_dtype)
    if len(terms):
        terms = terms.astype(wide.value_dtype)
        if name == "arith.addf" and wide.bits >= 32:
            with np.errstate(all="ignore"):
                total = np.add.accumulate(
                    np.concatenate([np.broadcast_to(total, terms.shape[1:])[None], terms]), axis=0
                )[-1]
            total = np.where(np.isnan(total), np.asarray(np.nan, total.dtype), total)
        elif (quick := _any_order(name, total, terms, wide)) is not None:
            total = quick
        else:
            entry = semantics.get(name)
            for term in terms:
                total = np.asarray(evaluate(entry, [total, term], [wide, wide], [wide])[0], wide.value_dtype)
    return total if wide is dtype else narrowed(total, wide, dtype)


_INTEGERS = {
    "arith.addi": np.add, "arith.muli": np.multiply, "arith.andi": np.bitwise_and, "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor, "arith.maxsi": np.maximum, "arith.minsi": np.minimum,
}  # fmt: skip


def _any_order(name: str, initial: Array, terms: Array, dtype: DType) -> Array | None:
    """The fold of a combiner whose result no order changes, by NumPy: integers, and extremes of floats without NaN."""
    if not dtype.is_float:
        combine = _INTEGERS.get(name)
        if combine is None or terms.dtype.kind != "i" or dtype.bits != 8 * terms.dtype.itemsize:
            return None
        return np.asarray(combine(initial, combine.reduce(terms, axis=0, dtype=terms.dtype)))
    combine = semantics.EXTREMES.get(name)
    if combine is None:
        return None
    with np.errstate(all="ignore"):
        total = np.asarray(combine(initial, combine.reduce(terms, axis=0)))
    if np.isnan(total).any():
        return None
    if not total.all():  # the largest of zeros is negative where all are, the smallest where one is
        minus, plus = (
            ((initial == 0) & (np.signbit(initial) == s)) | ((terms == 0) & (np.signbit(terms) == s)).any(axis=0)
            for s in (True, False)
        )
        negative = minus & ~plus if name == "arith.maximumf" else minus
        total = np.where(total == 0, np.where(negative, -0.0, 0.0), total).astype(terms.dtype)
    return total


def narrowed(values: Array, wide: DType, dtype: DType) -> Array:
    """Round values of `wide` once to `dtype`."""
    return np.asarray(evaluate(semantics.get("arith.truncf"), [values], [wide], [dtype])[0], dtype.value_dtype)


# -- generic ---------------------------------------------------------------------------------------------------------


def iteration_extents(op: Any, maps: Sequence[AffineMap], shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Extent of each loop, from the operand dimensions that are plain loop indices."""
    n = maps[0].num_dims
    extents: list[int | None] = [None] * n
    for m, shape in zip(maps, shapes, strict=True):
        for expr, extent in zip(m.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                known = extents[expr.position]
                if known is not None and known != extent:
                    raise error(op, f"'{op.name}': loop d{expr.position} has extents {known} and {extent}")
                extents[expr.position] = extent
    if None in extents:
        raise error(op, f"'{op.name}': no operand gives the extent of loop d{extents.index(None)}")
    return tuple(n for n in extents if n is not None)


def spread(array: Array, m: AffineMap, extents: Sequence[int]) -> Array:
    """`array` read through `m`, with one axis per loop (extent 1 where the map does not use the loop)."""
    n = len(extents)
    positions = [e.position for e in m.results if isinstance(e, AffineDimExpr)]
    fixed = [e.value if isinstance(e, AffineConstantExpr) else slice(None) for e in m.results]
    if len(positions) == fixed.count(slice(None)) == len(set(positions)):
        order = sorted(range(len(positions)), key=lambda k: positions[k])
        turned = array[(*fixed, ...)].transpose(order)
        return turned.reshape([extents[d] if d in positions else 1 for d in range(n)])
    indices = apply_map(m, open_grid((0,) * n, extents))
    return array[
        tuple(np.broadcast_arrays(*(np.asarray(i).reshape((1,) * n) if np.ndim(i) == 0 else i for i in indices)))
    ]


def deliver(target: Array, m: AffineMap, extents: Sequence[int], loops: Sequence[int], values: Array) -> None:
    """Store `values` (one axis per loop in `loops`) through the output map into `target`."""
    n = len(extents)
    values = np.broadcast_to(values, tuple(extents[d] for d in loops))
    positions = [e.position for e in m.results if isinstance(e, AffineDimExpr)]
    if len(positions) == len(m.results) == len(loops) and sorted(positions) == list(loops):
        target[...] = values.transpose([list(loops).index(p) for p in positions])
        return
    grid = open_grid((0,) * n, [extents[d] if d in loops else 1 for d in range(n)])
    indices = [np.asarray(i) for i in apply_map(m, grid)]
    full = values.reshape([extents[d] if d in loops else 1 for d in range(n)])
    where = np.broadcast_arrays(*indices, full)
    target[tuple(where[:-1])] = where[-1]


def run_generic(
    f: Frame,
    op: Any,
    maps: Sequence[AffineMap],
    kinds: Sequence[str],
    ins: Sequence[Any],
    outs: Sequence[Array],
    block: Block,
) -> list[Any]:
    """Results of a structured body: new arrays, one per output. `outs` are the initial values."""
    operands = [*ins, *outs]
    extents = iteration_extents(op, maps, [np.shape(a) for a in operands])
    reductions = [d for d, k in enumerate(kinds) if k != "parallel"]
    loops = [d for d, k in enumerate(kinds) if k == "parallel"]
    spaces = [spread(np.asarray(a), m, extents) for a, m in zip(operands, maps, strict=True)]
    out_maps = maps[len(ins) :]
    results = [np.array(o, copy=True) for o in outs]
    if 0 in extents:
        return results
    if not reductions:
        f.iteration.append(tuple(open_grid((0,) * len(extents), extents)))
        yielded = f.run_now(block, spaces)
        f.iteration.pop()
        values: Sequence[Any] = yielded
    else:
        values = _reduced(f, op, extents, reductions, loops, spaces, len(ins), results, block)
    for k, (m, v) in enumerate(zip(out_maps, values, strict=True)):
        if isinstance(v, Poison):
            results[k] = v  # type: ignore[call-overload]
        else:
            deliver(results[k], m, extents, loops, np.asarray(v, results[k].dtype))
    return results


def _combiner(block: Block, count: int) -> list[tuple[Operation, SSAValue]] | None:
    """Per output (combining operation, its other operand) if the body is `yield combine(out, term)` with `out` used
    once.
    """
    last = block.last_op
    found: list[tuple[Operation, SSAValue]] = []
    arguments = block.args[len(block.args) - count :]
    if last is None or len(last.operands) != count:
        return None
    for argument, value in zip(arguments, last.operands, strict=True):
        op = value.owner
        if not isinstance(op, Operation) or op.name not in semantics.COMBINERS or op.parent is not block:
            return None
        if argument.uses.get_length() != 1 or op.results[0].uses.get_length() != 1 or argument not in op.operands:
            return None
        others = [o for o in op.operands if o is not argument]
        if len(others) != 1:
            return None
        found.append((op, others[0]))
    return found


def _reduced(
    f: Frame,
    op: Any,
    extents: Sequence[int],
    reductions: list[int],
    loops: list[int],
    spaces: list[Array],
    inputs: int,
    outs: list[Array],
    block: Block,
) -> list[Any]:
    """Final values, one axis per parallel loop."""
    parallel = tuple(extents[d] for d in loops)
    folded = tuple(extents[d] for d in reductions)
    count = int(np.prod(folded, dtype=np.int64))
    axes = (*reductions, *loops)

    def lead(a: Array) -> Array:
        """Reduction axes first, flattened into one."""
        turned = np.broadcast_to(a, tuple(extents)).transpose(axes)
        return turned.reshape((count, *parallel))

    starts = [s.transpose(axes).reshape(tuple(s.shape[d] for d in loops)) for s in spaces[inputs:]]
    initial = [np.broadcast_to(s, parallel) for s in starts]
    pairs = _pair_of_means(f, block, extents, loops, spaces, inputs, lead, count)
    if pairs is not None:
        return pairs
    combiners = _combiner(block, len(outs))
    whole = int(np.prod(extents, dtype=np.int64)) <= WHOLE_SPACE
    if combiners is not None and whole:
        last = block.last_op
        skipped = {c for c, _ in combiners}
        f.iteration.append(tuple(open_grid((0,) * len(extents), extents)))
        for name, value in zip(block.args, spaces, strict=True):
            f.values[name] = value
        for inner in block.ops:
            if inner is not last and inner not in skipped:
                _one(f, inner)
        f.iteration.pop()
        results: list[Any] = []
        for (combine, term), start in zip(combiners, initial, strict=True):
            value = f.get(term)
            array = np.asarray(value)
            terms = lead(array if array.ndim else array.reshape((1,) * len(extents)))
            results.append(fold(combine.name, start, terms, element_dtype(combine.results[0].type)))
        return results
    return _step_by_step(f, op, extents, reductions, loops, spaces, inputs, initial, block, combiners)


def _one(f: Frame, op: Operation) -> None:
    leaf = f.session.leaves.get(op.name)
    if leaf is None:
        raise error(op, f"'{op.name}' cannot be executed in a linalg body")
    leaf(f, op)


def _step_by_step(
    f: Frame,
    op: Any,
    extents: Sequence[int],
    reductions: list[int],
    loops: list[int],
    spaces: list[Array],
    inputs: int,
    initial: list[Array],
    block: Block,
    combiners: list[tuple[Operation, SSAValue]] | None,
) -> list[Any]:
    """Run the body once per reduction point, in ascending order, over all parallel points at once."""
    running: list[Any] = list(initial)
    grid = open_grid((0,) * len(loops), [extents[d] for d in loops])
    last = block.last_op
    skipped = {c for c, _ in combiners} if combiners is not None else set()
    wides = (
        [accumulator(c.name, element_dtype(c.results[0].type)) for c, _ in combiners] if combiners is not None else []
    )
    running = (
        [np.asarray(r, w.value_dtype) for r, w in zip(running, wides, strict=True)]
        if combiners is not None
        else running
    )
    for point in np.ndindex(*(extents[d] for d in reductions)):
        at = dict(zip(reductions, point, strict=True))
        values = [
            a[tuple((at[d] if a.shape[d] > 1 else 0) if d in at else slice(None) for d in range(a.ndim))]
            for a in spaces[:inputs]
        ]
        where = iter(grid)
        f.iteration.append(tuple(at[d] if d in at else next(where) for d in range(len(extents))))
        if combiners is None:
            running = list(f.run_now(block, [*values, *running]))
        else:
            for name, value in zip(block.args, values, strict=False):
                f.values[name] = value
            for inner in block.ops:
                if inner is not last and inner not in skipped:
                    _one(f, inner)
            for k, (combine, term) in enumerate(combiners):
                entry = semantics.get(combine.name)
                running[k] = np.asarray(evaluate(entry, [running[k], f.get(term)], [wides[k]] * 2, [wides[k]])[0])
        f.iteration.pop()
    if combiners is not None:
        for k, (combine, _) in enumerate(combiners):
            dtype = element_dtype(combine.results[0].type)
            if wides[k] is not dtype:
                running[k] = narrowed(running[k], wides[k], dtype)
    return running


def _pair_of_means(
    f: Frame,
    block: Block,
    extents: Sequence[int],
    loops: Sequence[int],
    spaces: list[Array],
    inputs: int,
    lead: Any,
    count: int,
) -> list[Any] | None:
    """A body that yields `spyreop.exx2`: mean and mean of squares over the reduction loops, accumulated in at least
    f32.
    """
    last = block.last_op
    if (
        last is None
        or not last.operands
        or any(not isinstance(v.owner, Operation) or v.owner.name != "spyreop.exx2" for v in last.operands)
    ):
        return None
    for name, value in zip(block.args, spaces, strict=True):
        f.values[name] = value
    results: list[Any] = []
    for inner in block.ops:
        if inner is last:
            break
        if inner.name != "spyreop.exx2":
            _one(f, inner)
    for v in last.operands:
        source = v.owner
        assert isinstance(source, Operation)
        dtype = element_dtype(v.type)
        wide = accumulator("arith.addf", dtype)
        x = lead(np.asarray(f.get(source.operands[0]))).astype(wide.value_dtype)
        if v is source.results[1]:
            x = np.asarray(evaluate(semantics.get("arith.mulf"), [x, x], [wide, wide], [wide])[0])
        total = fold("arith.addf", np.zeros(x.shape[1:], wide.value_dtype), x, wide)
        n = np.asarray(count, wide.value_dtype)
        mean = np.asarray(evaluate(semantics.get("arith.divf"), [total, n], [wide, wide], [wide])[0])
        results.append(mean if wide is dtype else narrowed(mean, wide, dtype))
    return results


def indexing_maps(op: Any) -> list[AffineMap]:
    """The operation's indexing maps."""
    return [m.data for m in op.properties["indexing_maps"].data if isinstance(m, AffineMapAttr)]


def iterator_kinds(op: Any) -> list[str]:
    """`parallel` or `reduction` per loop."""
    return [str(getattr(k.data, "value", k.data)) for k in op.properties["iterator_types"].data]


def initial_value(f: Frame, value: SSAValue, read: bool) -> Array:
    """An `outs` operand; where the body reads it, every element must be defined."""
    v = f.values[value]
    return v.values if isinstance(v, PartialTensor) and not read else f.get(value)


@dataclass(frozen=True)
class _GenericPlan:
    block: Block
    maps: list[AffineMap]
    kinds: list[str]
    inputs: tuple[SSAValue, ...]
    outputs: tuple[SSAValue, ...]
    reads: tuple[bool, ...]
    """Whether the body reads each output's previous value."""


def _generic_plan(op: Any) -> _GenericPlan:
    block = op.regions[0].blocks[0]
    outputs = tuple(op.outputs)
    reads = tuple(a.uses.get_length() > 0 for a in block.args[len(block.args) - len(outputs) :])
    return _GenericPlan(block, indexing_maps(op), iterator_kinds(op), tuple(op.inputs), outputs, reads)


def _generic(f: Frame, op: Any) -> None:
    plan = f.session.plan(op, _generic_plan)
    ins = [f.get(v) for v in plan.inputs]
    outs = [initial_value(f, v, r) for v, r in zip(plan.outputs, plan.reads, strict=True)]
    f.set(op, *run_generic(f, op, plan.maps, plan.kinds, ins, outs, plan.block))


def _index(f: Frame, op: Any) -> None:
    if not f.iteration:
        raise error(op, "'linalg.index' outside a linalg body")
    f.values[op.results[0]] = f.iteration[-1][op.properties["dim"].value.data]


# -- named operations ------------------------------------------------------------------------------------------------

_FLOAT = {
    "add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf", "max": "arith.maximumf",
    "min": "arith.minimumf", "exp": "math.exp", "log": "math.log", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt",
    "tanh": "math.tanh", "abs": "math.absf", "ceil": "math.ceil", "floor": "math.floor", "negf": "arith.negf",
    "round": "math.round", "erf": "math.erf", "powf": "math.powf", "reciprocal": "spyreop.reciprocal",
}  # fmt: skip
_INT = {
    "add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "div": "arith.divsi", "div_unsigned": "arith.divui",
    "max": "arith.maxsi", "min": "arith.minsi", "abs": "math.absi",
}  # fmt: skip
ELEMENTWISE = frozenset(_FLOAT) | frozenset(_INT) | {"square", "copy", "select"}
"""Named elementwise operations (without the dialect prefix)."""


def named_scalar(name: str, dtype: DType) -> str:
    """Table entry of the elementwise operation `linalg.<name>` on elements of `dtype`. KeyError if it has none."""
    return (_FLOAT if dtype.is_float else _INT)[name]


def _elementwise(f: Frame, op: Any) -> None:
    name = op.name.removeprefix("linalg.")
    args = [f.get(v) for v in op.inputs]
    out = op.outputs[0]
    dtype = element_dtype(out.type)
    sources = [element_dtype(v.type) for v in op.inputs]
    args = [
        convert(a, s, dtype) if s is not dtype and name != "select" else a for a, s in zip(args, sources, strict=True)
    ]
    if name == "copy":
        value = args[0]
    elif name == "select":
        value = np.where(args[0], args[1], args[2])
    elif name == "square":
        value = evaluate(
            semantics.get("arith.mulf" if dtype.is_float else "arith.muli"), [args[0]] * 2, [dtype] * 2, [dtype]
        )[0]
    else:
        entry = semantics.get(named_scalar(name, dtype))
        value = evaluate(entry, args, [dtype] * len(args), [dtype])[0]
    if op.results:
        f.values[op.results[0]] = np.asarray(value, dtype.value_dtype)


def convert(values: Array, source: DType, target: DType) -> Array:
    """Numeric conversion of operands to the element type of `outs`."""
    if source == target:
        return values
    if source.is_float and target.is_float:
        name = "arith.extf" if target.bits >= source.bits else "arith.truncf"
    elif source.is_float:
        name = "arith.fptosi"
    elif target.is_float:
        name = "arith.sitofp"
    else:
        name = "arith.extsi" if target.bits >= source.bits else "arith.trunci"
    return np.asarray(evaluate(semantics.get(name), [values], [source], [target])[0], target.value_dtype)


def _fill(f: Frame, op: Any) -> None:
    value = f.get(op.inputs[0])
    dtype = element_dtype(op.outputs[0].type)
    out = initial_value(f, op.outputs[0], False)
    value = convert(
        np.asarray(value, element_dtype(op.inputs[0].type).value_dtype), element_dtype(op.inputs[0].type), dtype
    )
    f.set(op, np.full(out.shape, value, dtype.value_dtype))


def _transpose(f: Frame, op: Any) -> None:
    f.set(op, f.get(op.operands[0]).transpose(op.properties["permutation"].get_values()))


def _broadcast(f: Frame, op: Any) -> None:
    source = f.get(op.operands[0])
    shape = initial_value(f, op.operands[1], False).shape
    added = op.properties["dimensions"].get_values()
    kept = [1 if d in added else shape[d] for d in range(len(shape))]
    f.set(op, np.broadcast_to(source.reshape(kept), shape))


def _reduce(f: Frame, op: Any) -> None:
    n = len(op.operands) // 2
    ins = [f.get(v) for v in op.operands[:n]]
    outs = [f.get(v) for v in op.operands[n:]]
    dimensions = op.properties["dimensions"].get_values()
    block = op.regions[0].blocks[0]
    rank = ins[0].ndim
    every = [AffineDimExpr(d) for d in range(rank)]
    whole = AffineMap(rank, 0, tuple(every))
    kept = AffineMap(rank, 0, tuple(e for d, e in enumerate(every) if d not in dimensions))
    kinds = ["reduction" if d in dimensions else "parallel" for d in range(rank)]
    f.set(op, *run_generic(f, op, [whole] * n + [kept] * n, kinds, ins, outs, block))


def _map(f: Frame, op: Any) -> None:
    ins = [f.get(v) for v in op.operands[:-1]]
    out = initial_value(f, op.operands[-1], False)
    rank = out.ndim
    f.iteration.append(tuple(open_grid((0,) * rank, out.shape)))
    block = op.regions[0].blocks[0]
    value = f.run_now(block, [*ins, out][: len(block.args)])[0]
    f.iteration.pop()
    f.set(op, value if isinstance(value, Poison) else np.broadcast_to(np.asarray(value, out.dtype), out.shape))


LEAVES: dict[str, Leaf] = {f"linalg.{name}": _elementwise for name in sorted(ELEMENTWISE)}
LEAVES |= {
    "linalg.generic": _generic,
    "linalg.index": _index,
    "linalg.fill": _fill,
    "linalg.transpose": _transpose,
    "linalg.broadcast": _broadcast,
    "linalg.reduce": _reduce,
    "linalg.map": _map,
}
