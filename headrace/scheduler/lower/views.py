"""Memory views of a unit program: start address, layout, and subscripts of one side of a transfer.

The start address is a constant (global memory: elements; scratchpads: bytes), or a symbol for every address computed
from a kernel argument: in words of the unit where everything added to it is a multiple of the word size, in bytes
otherwise (`headrace.start_unit` says which). What changes while the program runs goes into the subscripts. Layouts that
cannot hold it (dynamic strides, displacements that no stride divides) are seen through a two-dimensional view: a linear
position, and the vector dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, AffineSetAttr, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
)

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow
from headrace.ir.location import copy_loc
from headrace.ir.types import memref_type
from headrace.scheduler.lower import double_buffer
from headrace.scheduler.lower.memrefs import Chain, Extent, resolve, view_strides
from headrace.scheduler.lower.units import UnitProgram
from headrace.scheduler.lower.values import Expr, arguments, at_core, const, is_symbolic, make


@lru_cache(maxsize=1024)
def identity(n: int) -> AffineMapAttr:
    """The n-dimensional identity map."""
    return AffineMapAttr(AffineMap.identity(n))


def box_set(sizes: Sequence[int]) -> AffineSetAttr:
    """The integer set `0 <= d_i < sizes[i]`, written as the lowering writes it."""
    return _box_set(tuple(sizes))


@lru_cache(maxsize=4096)
def _box_set(sizes: tuple[int, ...]) -> AffineSetAttr:
    constraints: list[AffineConstraintExpr] = []
    zero = AffineExpr.constant(0)
    for i, size in enumerate(sizes):
        d = AffineExpr.dimension(i)
        if size == 1:
            constraints.append(AffineConstraintExpr(AffineConstraintKind.eq, d, zero))
        else:
            constraints.append(AffineConstraintExpr(AffineConstraintKind.ge, d, zero))
            constraints.append(AffineConstraintExpr(AffineConstraintKind.ge, -d + (size - 1), zero))
    return AffineSetAttr(AffineSet(len(sizes), 0, tuple(constraints)))


def linear_map(strides: Sequence[int]) -> AffineMapAttr:
    """`(d0, ..) -> (sum d_i * strides[i])`."""
    return _linear_map(tuple(strides))


@lru_cache(maxsize=4096)
def _linear_map(strides: tuple[int, ...]) -> AffineMapAttr:
    total: AffineExpr | None = None
    for i, stride in enumerate(strides):
        if stride == 0:
            continue
        term = AffineExpr.dimension(i) if stride == 1 else AffineExpr.dimension(i) * stride
        total = term if total is None else total + term
    return AffineMapAttr(AffineMap(len(strides), 0, (total if total is not None else AffineExpr.constant(0),)))


def scaled(expr: AffineExpr, factor: int) -> AffineExpr:
    """factor * expr."""
    if isinstance(expr, AffineConstantExpr):
        return AffineExpr.constant(expr.value * factor)
    return expr if factor == 1 else expr * factor


def plus(a: AffineExpr, b: AffineExpr) -> AffineExpr:
    """a + b without adding zero."""
    if isinstance(a, AffineConstantExpr) and isinstance(b, AffineConstantExpr):
        return AffineExpr.constant(a.value + b.value)
    if isinstance(a, AffineConstantExpr) and a.value == 0:
        return b
    if isinstance(b, AffineConstantExpr) and b.value == 0:
        return a
    return a + b


@dataclass
class Side:
    """One memref side of a transfer: a view and subscripts; dimension d of the box is at view position `place[d]`."""

    view: SSAValue
    type: MemRefType
    sizes: tuple[int, ...]
    strides: tuple[Extent, ...]
    place: tuple[int, ...]
    scale: tuple[Extent, ...]
    exprs: list[AffineExpr]
    operands: list[SSAValue] = field(default_factory=list)
    table: Side | None = None
    """Of an indirect side: where the displacement of this box lies."""
    skips: bool = False
    """Of an indirect side: whether its table may name no place."""

    @property
    def rank(self) -> int:
        """Number of view positions."""
        return len(self.exprs)

    @property
    def map(self) -> AffineMapAttr:
        """The subscripts as a map over `operands`."""
        return AffineMapAttr(AffineMap(len(self.operands), 0, tuple(self.exprs)))

    def copy(self) -> Side:
        """An independent copy of the subscripts."""
        return Side(
            self.view,
            self.type,
            self.sizes,
            self.strides,
            self.place,
            self.scale,
            list(self.exprs),
            list(self.operands),
            self.table,
            self.skips,
        )

    def advance(self, unit: UnitProgram, d: int, step: int, index: SSAValue | int) -> None:
        """Move by `step * index` along dimension d."""
        place, scale = self.place[d], self.scale[d]
        if isinstance(index, int):
            if isinstance(scale, int):
                self.exprs[place] = plus(self.exprs[place], AffineExpr.constant(step * index * scale))
                return
            index = unit.constant(index)
        if not isinstance(scale, int):
            index, scale = unit.multiply(index, unit.value(scale)), 1
        self.operands.append(index)
        term = AffineExpr.dimension(len(self.operands) - 1)
        self.exprs[place] = plus(self.exprs[place], scaled(term, step * scale))

    def vector_set(self, sizes: dict[int, int]) -> AffineSetAttr:
        """Load or store set that covers `sizes` (by box dimension, 1 elsewhere)."""
        extents = [1] * self.rank
        for d, size in sizes.items():
            if size != 1:
                extents[self.place[d]] = size
        return box_set(extents)

    def holds_box(self) -> bool:
        """Whether the whole box can be named as one set: every dimension has a position and index step of its own."""
        used = [self.place[d] for d, size in enumerate(self.sizes) if size != 1]
        return len(set(used)) == len(used) and all(self.scale[d] == 1 for d, size in enumerate(self.sizes) if size != 1)


def make_side(
    unit: UnitProgram, memref: SSAValue, subscripts: AffineMap, indices: Sequence[SSAValue], sizes: Sequence[int]
) -> Side:
    """The view and subscripts of one memref side, emitted at the current place."""
    source = resolve(memref)
    select = source if source.name == "ktdf.select_memref" else None
    chain = unit.program.chains.of(select.operands[1] if select is not None else memref)
    if len(subscripts.results) != len(chain.strides):
        raise error(
            unit.origin, f"memref has rank {len(chain.strides)} but its map has {len(subscripts.results)} results"
        )
    operands: list[SSAValue] = []
    replaced: list[AffineExpr] = []
    for v in indices:
        number = unit.known(v)
        if number is not None:
            replaced.append(AffineExpr.constant(number))
            continue
        value = unit.value(v)
        if value not in operands:
            operands.append(value)
        replaced.append(AffineExpr.dimension(operands.index(value)))
    exprs = [_replace(e, replaced) for e in subscripts.results]
    static, moving, dynamic_start = _address(unit, chain)
    strides = chain.strides
    fits = all(isinstance(s, int) for s in strides)
    targets: list[tuple[int, SSAValue, int]] = []
    if fits:
        for v, c in moving:
            dims = [d for d, s in enumerate(strides) if isinstance(s, int) and s > 0 and c % s == 0]
            if not dims:
                fits = False
                break
            d = max(dims, key=lambda d: (strides[d] <= abs(c), strides[d]))  # type: ignore[operator]
            targets.append((d, v, c // strides[d]))  # type: ignore[operator]
    vector_dim = max((d for d, size in enumerate(sizes) if size != 1), default=len(sizes) - 1)
    divisible = _word_aligned(unit, chain, exprs, moving, sizes)
    if fits:
        layout_strides = [s for s in strides if isinstance(s, int)]
        shape = _shape(chain)
        place, scale = tuple(range(len(strides))), (1,) * len(strides)
    else:
        inner = strides[vector_dim] if strides else 1
        layout_strides = [1, inner] if isinstance(inner, int) else [1]
        shape = [DYNAMIC_INDEX] * len(layout_strides)
        flat: AffineExpr = AffineExpr.constant(0)
        vector: AffineExpr = AffineExpr.constant(0)
        for d, (expr, stride) in enumerate(zip(exprs, strides, strict=True)):
            if d == vector_dim and isinstance(inner, int):
                vector = expr
            elif isinstance(stride, int):
                flat = plus(flat, scaled(expr, stride))
            elif not (isinstance(expr, AffineConstantExpr) and expr.value == 0):
                index = unit.affine(expr, operands, len(operands))
                operands.append(unit.multiply(index, unit.value(stride)))
                flat = plus(flat, AffineExpr.dimension(len(operands) - 1))
        for v, c in moving:
            operands.append(unit.value(v))
            flat = plus(flat, scaled(AffineExpr.dimension(len(operands) - 1), c))
        own = isinstance(inner, int)
        exprs = [flat, vector] if own else [flat]
        place = tuple(1 if own and d == vector_dim else 0 for d in range(len(strides)))
        scale = tuple(1 if own and d == vector_dim else s for d, s in enumerate(strides))  # type: ignore[assignment]
    view_type = memref_type(chain.element_type, shape)
    view = _view(unit, chain, select, static, dynamic_start, divisible, layout_strides, view_type)
    side = Side(view, view_type, tuple(sizes), strides, place, scale, list(exprs), operands)
    if fits:
        for d, v, step in targets:
            value = unit.value(v)
            if value not in side.operands:
                side.operands.append(value)
            term = AffineExpr.dimension(side.operands.index(value))
            side.exprs[d] = plus(side.exprs[d], scaled(term, step))
    return side


def _replace(expr: AffineExpr, dims: Sequence[AffineExpr]) -> AffineExpr:
    """`expr` with dimensions replaced, folding constants."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    a, b = _replace(expr.lhs, dims), _replace(expr.rhs, dims)
    if expr.kind is AffineBinaryOpKind.Add:
        return plus(a, b)
    if expr.kind is AffineBinaryOpKind.Mul:
        if isinstance(a, AffineConstantExpr):
            a, b = b, a
        if isinstance(b, AffineConstantExpr):
            return AffineExpr.constant(0) if b.value == 0 else scaled(a, b.value)
        return a * b
    result = AffineBinaryOpExpr(expr.kind, a, b)
    if isinstance(a, AffineConstantExpr) and isinstance(b, AffineConstantExpr):
        return AffineExpr.constant(result.eval([], []))
    return result


def _shape(chain: Chain) -> list[int]:
    """Shape of the emitted view: the whole view's where the layouts agree, else the memref's own."""
    sizes = chain.sizes
    if chain.source.name == "ktdp.construct_memory_view" and view_strides(chain.source) == chain.strides:
        sizes = chain.view_sizes
    return [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]


def _address(unit: UnitProgram, chain: Chain) -> tuple[Expr, list[tuple[SSAValue, int]], list[tuple[SSAValue, int]]]:
    """The byte address in three parts: known at launch, moving terms in elements, moving terms in bytes."""
    size = chain.element_bytes
    factor = size if chain.unit == "element" else 1
    total = const(chain.base.const * factor + chain.offset.const * size)
    moving: list[tuple[SSAValue, int]] = []
    start: list[tuple[SSAValue, int]] = []
    for terms, scale in ((chain.base.terms, factor), (chain.offset.terms, size)):
        for v, c in terms.items():
            expr = unit.program.static.expr(v)
            if expr is not None and all(
                e[0] == "const" or is_symbolic(e) for e in (at_core(expr, u.core) for u in unit.units)
            ):
                total = make("add", total, make("mul", expr, const(c * scale)))
            elif expr is not None and arguments(expr):
                raise error(
                    unit.origin,
                    "start address is computed from a run input by an operation whose definition cannot be written "
                    "as a symbol expression",
                )
            elif (c * scale) % size:
                start.append((v, c * scale))
            else:
                moving.append((v, c * scale // size))
    return total, moving, start


def _word_aligned(
    unit: UnitProgram,
    chain: Chain,
    exprs: Sequence[AffineExpr],
    moving: Sequence[tuple[SSAValue, int]],
    sizes: Sequence[int],
) -> bool:
    """Whether everything that transfers of this box add to the start address is a multiple of the word size."""
    word = unit.device.word_size(unit.kind, unit.device.space_to_kind(chain.space))
    size = chain.element_bytes
    if word == 1:
        return True
    if any(c * size % word for _, c in moving):
        return False
    for expr, stride, extent in zip(exprs, chain.strides, sizes, strict=True):
        if isinstance(expr, AffineConstantExpr) and expr.value == 0 and (extent == 1 or stride == 1):
            continue
        if not isinstance(stride, int):
            return False
        if extent > 1 and stride != 1 and stride * size % word:
            return False
        if any(c * stride * size % word for c in _coefficients(expr)):
            return False
    return True


def _coefficients(expr: AffineExpr) -> list[int]:
    """Numbers whose multiples make up `expr`: constants and coefficients (1 for what is not linear)."""
    match expr:
        case AffineConstantExpr():
            return [expr.value]
        case AffineBinaryOpExpr() if expr.kind is AffineBinaryOpKind.Add:
            return _coefficients(expr.lhs) + _coefficients(expr.rhs)
        case AffineBinaryOpExpr() if expr.kind is AffineBinaryOpKind.Mul and isinstance(expr.rhs, AffineConstantExpr):
            return [c * expr.rhs.value for c in _coefficients(expr.lhs)]
        case _:
            return [1]


def _view(
    unit: UnitProgram,
    chain: Chain,
    select: Operation | None,
    static: Expr,
    dynamic: list[tuple[SSAValue, int]],
    divisible: bool,
    strides: Sequence[int],
    view_type: MemRefType,
) -> SSAValue:
    space = unit.device.space_to_kind(chain.space)
    handles = unit.program.memory(space)
    memory = handles[-1] if -1 in handles else unit.per_unit([handles[u.core] for u in unit.units])
    layout = linear_map(strides)
    if select is not None:
        scope, start = double_buffer.start_address(unit, select)
        key = (memory, start, layout, view_type)
        if key not in scope.views:
            op = dataflow.GetLogicalMemoryViewOp(memory, start, layout, view_type, "byte")
            copy_loc(unit.origin, op)
            scope.target.add_op(op)
            scope.views[key] = op.result
        return scope.views[key]
    level = unit.device.memory_level(space)
    start, start_unit = _start(unit, chain, space, level, static, divisible and not dynamic, bool(dynamic))
    if dynamic:
        for v, c in dynamic:
            start = unit.add_index(start, unit.multiply(unit.value(v), unit.constant(c)))
        return unit.add(dataflow.GetLogicalMemoryViewOp(memory, start, layout, view_type, "byte")).result
    return unit.hoisted(
        (memory, start, layout, view_type, start_unit),
        lambda: unit.hoist(dataflow.GetLogicalMemoryViewOp(memory, start, layout, view_type, start_unit)).result,
    )


def _start(
    unit: UnitProgram, chain: Chain, space: str, level: int, static: Expr, divisible: bool, bytes_only: bool
) -> tuple[SSAValue, str]:
    """The launch-time part of a start address and its unit."""
    exprs = [at_core(static, u.core) for u in unit.units]
    size = chain.element_bytes
    if all(e[0] == "const" for e in exprs):
        numbers = [e[1] for e in exprs]
        if any(n < 0 for n in numbers):
            raise error(chain.source, f"start address is negative ({min(numbers)})")
        if level == 0 and not bytes_only and not any(n % size for n in numbers):
            return unit.numbers([n // size for n in numbers]), "element"
        return unit.numbers(numbers), "byte"
    word = unit.device.word_size(unit.kind, space)
    based = bool(chain.base.terms)
    if word > 1 and divisible and not bytes_only and all(_displacement(e, based) % word == 0 for e in exprs):
        exprs = [make("div", e, const(word)) for e in exprs]
        kind = "word"
    else:
        kind = "byte"
    return unit.per_unit([unit.symbol_value(unit.program.symbol(e, unit.origin, kind == "word")) for e in exprs]), kind


def _displacement(expr: Expr, based: bool) -> int:
    """A number whose divisors divide everything `expr` adds to the one plain argument that it is `based` on, or all of
    it (1 where that is unknown)."""
    plain = 0 if based else 1

    def walk(e: Expr) -> list[int]:
        nonlocal plain
        if e[0] == "const":
            return [e[1]]
        if e[0] == "arg":
            plain += 1
            return [] if plain == 1 else [1]
        if e[0] == "add":
            return walk(e[1]) + walk(e[2])
        if e[0] == "mul" and e[2][0] == "const":
            return [e[2][1]]
        return [1]

    parts = walk(expr)
    result = 0
    for p in parts:
        result = _gcd(result, abs(p))
    return result


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a
