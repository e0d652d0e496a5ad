"""Elements of tensors that are made of other tensors' elements by position: reshapes, slices, parts, tables.

Each function gives the scalar at linear coordinates inside the body that a `Scalarizer` builds. Rules that need a
quotient, a remainder or a choice by position raise a `CutRequest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, IntegerAttr, TensorType, i1
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from headrace.ir.diagnostics import error
from headrace.ir.slices import kept_dims
from headrace.scheduler.access import mixed
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split.cuts import Materialise, divide, locate

if TYPE_CHECKING:
    from headrace.scheduler.split.scalarize import Scalarizer

TABLE_RUNS = 24
"""Most runs of equal values of a constant table that a body computes by comparing positions; larger ones are kept in
memory."""
KEPT_RUNS = 1024
"""Most runs of a table that the program which fills that memory computes."""


def reshaped(
    s: Scalarizer, op: Operation, coords: list[Linear], source: Sequence[int], result: Sequence[int]
) -> list[Linear]:
    """Coordinates in a tensor of shape `source` of the element at `coords` of its row-major reshape.

    One extent may be known at launch only, where it stays one: as many elements lie before and behind it in both.
    """
    value = op.results[0]
    if DYNAMIC_INDEX in source or DYNAMIC_INDEX in result:
        i, j = (list(shape).index(DYNAMIC_INDEX) if DYNAMIC_INDEX in shape else -1 for shape in (source, result))
        parts = (source[:i], result[:j]), (source[i + 1 :], result[j + 1 :])
        several = any(DYNAMIC_INDEX in side for part in parts for side in part)
        if -1 in (i, j) or several or any(prod(a) != prod(b) for a, b in parts):
            raise error(op, f"'{op.name}' that regroups extents only known at launch is not supported by {s.pass_name}")
        before, behind = (
            reshaped(s, op, at, *part) for at, part in zip((coords[:j], coords[j + 1 :]), parts, strict=True)
        )
        return [*before, coords[j], *behind]
    total, scale = Linear(), 1
    for n, at in zip(reversed(result), reversed(coords), strict=True):
        total = total + at.scaled(scale)
        scale *= n
    out: list[Linear] = []
    for n in reversed(source[1:]):
        total, rest = divide(total, n, s.span, s.extent, value, op)
        out.insert(0, rest)
    return [total, *out] if source else []


def insert_slice(s: Scalarizer, op: Operation, coords: list[Linear]) -> SSAValue:
    """An element of `tensor.insert_slice`: of the slice where it covers the coordinates, else of the destination."""
    source, dest = op.operands[0], op.operands[1]
    get = lambda key: op.properties[key].get_values()  # type: ignore[attr-defined]  # noqa: E731
    offsets = mixed(get("static_offsets"), list(op.offsets))  # type: ignore[attr-defined]
    sizes = mixed(get("static_sizes"), list(op.sizes))  # type: ignore[attr-defined]
    strides = mixed(get("static_strides"), list(op.strides))  # type: ignore[attr-defined]
    value = op.results[0]
    if any(isinstance(x, SSAValue) for x in (*sizes, *strides)):
        raise error(op, f"'{op.name}' with sizes or strides only known at launch is not supported by {s.pass_name}")
    assert isinstance(source.type, TensorType)
    kept = kept_dims(sizes, source.type.get_shape())
    inner: list[Linear] = []
    for d, (at, offset, size, stride) in enumerate(zip(coords, offsets, sizes, strides, strict=True)):
        here = at - (Linear(offset) if isinstance(offset, int) else position(s, offset, op))
        if stride != 1:
            here, rest = divide(here, stride, s.span, s.extent, value, op)  # type: ignore[arg-type]
            while not rest.is_const:
                locate(rest, [1], s.span, s.extent, value, op)
                low = s.span(rest)
                assert low is not None
                if low[0] >= 1:
                    return s.element(dest, coords, op)
                raise Materialise(value, op, "its parts come from different tensors")
            if rest.const:
                return s.element(dest, coords, op)
        if locate(here, [0, size], s.span, s.extent, value, op) != 1:  # type: ignore[list-item]
            return s.element(dest, coords, op)
        if d in kept:
            inner.append(here)
    return s.element(source, inner, op)


def concat(s: Scalarizer, op: Operation, coords: list[Linear]) -> SSAValue:
    """An element of `tensor.concat`."""
    axis = op.properties["dim"].value.data  # type: ignore[attr-defined]
    starts = [0]
    for v in op.operands:
        assert isinstance(v.type, TensorType)
        n = v.type.get_shape()[axis]
        if n == DYNAMIC_INDEX:
            raise error(op, f"'{op.name}' of extents only known at launch is not supported by {s.pass_name}")
        starts.append(starts[-1] + n)
    which = locate(coords[axis], starts[1:-1], s.span, s.extent, op.results[0], op)
    at = list(coords)
    at[axis] = at[axis] + (-starts[which])
    return s.element(op.operands[which], at, op)


def pad(s: Scalarizer, op: Operation, coords: list[Linear]) -> SSAValue:
    """An element of `tensor.pad`: of the source where it lies, else of the region."""
    source = op.operands[0]
    assert isinstance(source.type, TensorType)
    low = mixed(op.properties["static_low"].get_values(), list(op.low))  # type: ignore[attr-defined]
    at: list[Linear] = []
    for form, start, n in zip(coords, low, source.type.get_shape(), strict=True):
        here = form - (Linear(start) if isinstance(start, int) else position(s, start, op))
        if n == DYNAMIC_INDEX:
            raise error(op, f"'{op.name}' of extents only known at launch is not supported by {s.pass_name}")
        if locate(here, [0, n], s.span, s.extent, op.results[0], op) != 1:
            return region_element(s, op, coords)
        at.append(here)
    return s.element(source, at, op)


def region_element(s: Scalarizer, op: Operation, coords: list[Linear]) -> SSAValue:
    """What the region of `tensor.pad` or `tensor.generate` yields at `coords`."""
    block = op.regions[0].block
    values: dict[SSAValue, SSAValue] = {}
    where: dict[SSAValue, Linear] = dict(zip(block.args, coords, strict=True))

    def look(v: SSAValue) -> SSAValue:
        if v not in values:
            if isinstance(v, BlockArgument) and v.owner is block:
                values[v] = s.index(where[v], op)
            elif isinstance(v.owner, Operation) and v.owner.parent is block:
                values[v] = s.index(place(s, v, where, block, op), op)
            else:
                values[v] = s.scalar(v, op)
        return values[v]

    for inner in block.ops:
        if inner.name == "tensor.yield":
            return look(inner.operands[0])
        if inner.name == "tensor.extract":
            forms = [place(s, v, where, block, op) for v in inner.operands[1:]]
            values[inner.results[0]] = s.element(inner.operands[0], forms, inner)
            continue
        result = inner.results[0]
        if isinstance(result.type, IndexType) and all(is_subscript(u.operation) for u in result.uses):
            continue
        if inner.regions or not inner.name.startswith(("arith.", "math.", "spyreop.", "headrace.")):
            raise error(inner, f"'{inner.name}' in the body of '{op.name}' is not supported by {s.pass_name}")
        clone = inner.clone({v: look(v) for v in inner.operands})
        s.add(clone, inner)
        values.update(zip(inner.results, clone.results, strict=True))
    raise error(op, f"the body of '{op.name}' does not yield a value")


def is_subscript(op: Operation) -> bool:
    """Whether `op` only computes where `tensor.extract` reads."""
    if op.name == "tensor.extract":
        return True
    return (
        op.name.startswith("arith.")
        and len(op.results) == 1
        and isinstance(op.results[0].type, IndexType)
        and bool(op.results[0].uses)
        and all(is_subscript(u.operation) for u in op.results[0].uses)
    )


def place(
    s: Scalarizer, v: SSAValue, where: dict[SSAValue, Linear], block: Block, op: Operation
) -> Linear:
    """A subscript computed from the indices of a region, as a linear form; quotients and remainders are divided out."""
    if v in where:
        return where[v]
    owner = v.owner
    if not isinstance(owner, Operation) or owner.parent is not block:
        return position(s, v, op)
    value = op.results[0]
    match owner:
        case arith.AddiOp():
            result = place(s, owner.lhs, where, block, op) + place(s, owner.rhs, where, block, op)
        case arith.SubiOp():
            result = place(s, owner.lhs, where, block, op) - place(s, owner.rhs, where, block, op)
        case arith.MuliOp():
            a, b = place(s, owner.lhs, where, block, op), place(s, owner.rhs, where, block, op)
            if not a.is_const and not b.is_const:
                raise error(owner, f"a subscript that multiplies two indices is not supported by {s.pass_name}")
            result = b.scaled(a.const) if a.is_const else a.scaled(b.const)
        case arith.FloorDivSIOp() | arith.DivSIOp() | arith.DivUIOp() | arith.RemSIOp() | arith.RemUIOp():
            n = place(s, owner.rhs, where, block, op)
            if not n.is_const or n.const <= 0:
                raise error(owner, f"a subscript that divides by a variable is not supported by {s.pass_name}")
            a = place(s, owner.lhs, where, block, op)
            q, r = divide(a, n.const, s.span, s.extent, value, op)
            result = r if "rem" in owner.name else q
        case arith.IndexCastOp():
            result = place(s, owner.input, where, block, op)
        case arith.ConstantOp():
            result = linear(v)
        case _:
            raise error(owner, f"'{owner.name}' in a subscript is not supported by {s.pass_name}")
    where[v] = result
    return result


def position(s: Scalarizer, v: SSAValue, op: Operation) -> Linear:
    """A subscript of `tensor.extract` as a linear form. Raises HeadraceError where it depends on data."""
    form = s.resolve(linear(v))
    for term in form.terms:
        if isinstance(term, SSAValue) and depends_on_tensor(term):
            raise error(op, f"'{op.name}' at a position that depends on data is not supported by {s.pass_name}")
    return form


def depends_on_tensor(value: SSAValue) -> bool:
    """Whether a scalar is computed from elements of tensors (their extents are none)."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v.type, TensorType):
            return True
        if isinstance(v.owner, Operation) and v.owner.name != "tensor.dim":
            stack.extend(v.owner.operands)
    return False


def scalar(s: Scalarizer, value: SSAValue, user: Operation) -> SSAValue:
    """A scalar of the kernel inside the body: from the top of the program, or computed from tensor elements."""
    op = value.owner
    if not isinstance(op, Operation) or not depends_on_tensor(value):
        return s.outer(value)
    if op.name == "tensor.extract":
        return s.element(op.operands[0], [position(s, v, op) for v in op.operands[1:]], op)
    if op.name == "tensor.dim":
        return s.outer(value)
    if op.regions or not op.name.startswith(("arith.", "math.", "spyreop.", "headrace.")):
        raise error(user, f"a scalar that '{op.name}' makes from a tensor is not supported by {s.pass_name}")
    clone = op.clone({v: s.scalar(v, op) for v in op.operands})
    s.add(clone, op)
    return clone.results[list(op.results).index(value)]  # type: ignore[arg-type]


def flat_position(s: Scalarizer, shape: Sequence[int], coords: Sequence[Linear]) -> Linear:
    """The row-major position of an element."""
    total, scale = Linear(), 1
    for n, at in zip(reversed(shape), reversed(coords), strict=True):
        total = total + at.scaled(scale)
        scale *= n
    return total


def choose(s: Scalarizer, op: Operation, at: Linear, runs: list[tuple[int, SSAValue]]) -> SSAValue:
    """The value of the run that position `at` lies in; `runs` are (first position, value), the first at 0."""
    known = s.span(at)
    if known is not None:
        low = max((k for k, (p, _) in enumerate(runs) if p <= known[0]), default=0)
        high = max((k for k, (p, _) in enumerate(runs) if p <= known[1]), default=0)
        runs = runs[low : high + 1]
    result = runs[0][1]
    if len(runs) == 1:
        return result
    here = s.index(at, op)
    for start, value in runs[1:]:
        border = s.add(arith.ConstantOp(IntegerAttr(start, IndexType())), op)
        after = s.add(arith.CmpiOp(here, border, "sge"), op)
        assert after.type == i1
        result = s.add(arith.SelectOp(after, value, result), op)
    return result


def table(s: Scalarizer, op: Operation, coords: list[Linear], user: Operation) -> SSAValue:
    """An element of a dense constant with different values."""
    from headrace.scheduler.split.scalarize import number

    attr = op.properties["value"]
    assert isinstance(attr, DenseIntOrFPElementsAttr)
    result = op.results[0].type
    assert isinstance(result, TensorType)
    values = list(attr.get_values())
    at = flat_position(s, result.get_shape(), coords)
    if at.is_const:
        return s.add(arith.ConstantOp(number(result.element_type, values[at.const])), op)
    starts = [k for k, v in enumerate(values) if k == 0 or v != values[k - 1]]
    if len(starts) > TABLE_RUNS:
        step = values[1] - values[0]
        if isinstance(result.element_type, IndexType) and all(b - a == step for a, b in pairwise(values)):
            return s.index(at.scaled(int(step)) + int(values[0]), op)
        if user.name != "ktdp.store" or len(starts) > KEPT_RUNS:
            raise Materialise(op.results[0], op, f"it is a table of {len(starts)} constants")
    made: dict[object, SSAValue] = {}
    for k in starts:
        if values[k] not in made:
            made[values[k]] = s.add(arith.ConstantOp(number(result.element_type, values[k])), op)
    return choose(s, op, at, [(k, made[values[k]]) for k in starts])


def from_elements(s: Scalarizer, op: Operation, coords: list[Linear]) -> SSAValue:
    """An element of `tensor.from_elements`."""
    result = op.results[0].type
    assert isinstance(result, TensorType)
    at = flat_position(s, result.get_shape(), coords)
    if at.is_const:
        return s.scalar(op.operands[at.const], op)
    return choose(s, op, at, [(k, s.scalar(v, op)) for k, v in enumerate(op.operands)])
