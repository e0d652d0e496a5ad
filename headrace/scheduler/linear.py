"""Index values as linear forms `const + sum(coefficient * value)`, the currency of address reasoning."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

from headrace.ir.dialects.ktdf_values import TilingLinearizeIndexOp
from headrace.scheduler.build import Emitter, Index


@dataclass(frozen=True)
class Linear:
    """`const + sum(terms[v] * v)`; terms with coefficient 0 are never stored. Values that are no sums are opaque
    terms."""

    const: int = 0
    terms: dict[SSAValue, int] = field(default_factory=dict)

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.const + other, self.terms)
        terms = dict(self.terms)
        for v, c in other.terms.items():
            terms[v] = terms.get(v, 0) + c
        return Linear(self.const + other.const, {v: c for v, c in terms.items() if c})

    def __sub__(self, other: Linear) -> Linear:
        return self + other.scaled(-1)

    def scaled(self, k: int) -> Linear:
        return Linear(self.const * k, {v: c * k for v, c in self.terms.items()} if k else {})

    @property
    def is_const(self) -> bool:
        return not self.terms

    def coefficient(self, v: SSAValue) -> int:
        return self.terms.get(v, 0)

    def without(self, values: set[SSAValue]) -> Linear:
        return Linear(self.const, {v: c for v, c in self.terms.items() if v not in values})

    def key(self) -> tuple[int, frozenset[tuple[SSAValue, int]]]:
        return self.const, frozenset(self.terms.items())

    def emit(self, emit: Emitter, mapping: dict[SSAValue, SSAValue] | None = None) -> Index:
        """Index arithmetic that computes the form; `mapping` renames the terms."""
        result: Index = self.const
        for v, c in self.terms.items():
            result = emit.add(emit.mul(emit.as_index(mapping.get(v, v) if mapping else v), c), result)
        return result


SEEN_THROUGH = frozenset(
    {
        arith.ConstantOp,
        arith.AddiOp,
        arith.SubiOp,
        arith.MuliOp,
        arith.IndexCastOp,
        arith.ShLIOp,
        affine.ApplyOp,
        TilingLinearizeIndexOp,
    }
)
"""Operations whose results may be sums of other values."""


def linear(value: SSAValue | int) -> Linear:
    """The linear form of an index or integer value. Casts between index and integers are looked through (no wrap
    assumed)."""
    if isinstance(value, int):
        return Linear(value)
    if not isinstance(value, OpResult) or type(op := value.op) not in SEEN_THROUGH:
        return Linear(0, {value: 1})
    match op:
        case arith.ConstantOp():
            attr = op.properties["value"]
            if isinstance(attr, IntegerAttr):
                return Linear(attr.value.data)
        case arith.AddiOp():
            return linear(op.lhs) + linear(op.rhs)
        case arith.SubiOp():
            return linear(op.lhs) - linear(op.rhs)
        case arith.MuliOp():
            a, b = linear(op.lhs), linear(op.rhs)
            if a.is_const:
                return b.scaled(a.const)
            if b.is_const:
                return a.scaled(b.const)
        case arith.IndexCastOp():
            inner = linear(op.input)
            own = not inner.is_const and len(inner.terms) == 1 and next(iter(inner.terms)) is op.input
            if not own or isinstance(op.input.type, IndexType):
                return inner
        case arith.ShLIOp():
            b = linear(op.rhs)
            if b.is_const and 0 <= b.const < 63:
                return linear(op.lhs).scaled(1 << b.const)
        case affine.ApplyOp():
            form = of_affine(op.map.data.results[0], [linear(v) for v in op.mapOperands], op.map.data.num_dims)
            if form is not None:
                return form
        case TilingLinearizeIndexOp():
            half = len(op.operands) // 2
            total = Linear()
            for v, stride in zip(op.operands[:half], op.operands[half:], strict=True):
                a, b = linear(v), linear(stride)
                if a.is_const:
                    total = total + b.scaled(a.const)
                elif b.is_const:
                    total = total + a.scaled(b.const)
                else:
                    return Linear(0, {value: 1})
            return total
        case _:
            pass
    return Linear(0, {value: 1})


def of_affine(expr: AffineExpr, operands: list[Linear], num_dims: int) -> Linear | None:
    """`expr` with dims then symbols replaced by `operands`; None where it is not linear in them."""
    if type(expr) is AffineDimExpr:
        return operands[expr.position]
    if type(expr) is AffineConstantExpr:
        return Linear(expr.value)
    if type(expr) is not AffineBinaryOpExpr:  # a symbol
        return operands[num_dims + expr.position]  # type: ignore[attr-defined]
    a, b = of_affine(expr.lhs, operands, num_dims), of_affine(expr.rhs, operands, num_dims)
    if a is None or b is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return a + b
    if expr.kind is AffineBinaryOpKind.Mul:
        if a.is_const:
            return b.scaled(a.const)
        return a.scaled(b.const) if b.is_const else None
    if a.is_const and b.is_const and b.const > 0:
        if expr.kind is AffineBinaryOpKind.FloorDiv:
            return Linear(a.const // b.const)
        if expr.kind is AffineBinaryOpKind.CeilDiv:
            return Linear(-(-a.const // b.const))
        return Linear(a.const % b.const)
    return None
