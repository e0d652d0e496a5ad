"""Linear forms over scalar registers, and boxes of affine sets: what address generators are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)
from xdsl.ir.affine.affine_set import AffineConstraintKind


class UnsupportedAffine(Exception):
    """An affine map or set that has no address generator; the message says why."""


@dataclass(frozen=True)
class Linear:
    """``const + sum(coefficient * register)``; terms sorted by register, no zero coefficients."""

    const: int = 0
    terms: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(reg: int) -> Linear:
        """The value of one register."""
        return Linear(0, ((reg, 1),))

    @property
    def is_const(self) -> bool:
        return not self.terms

    def __add__(self, other: Linear) -> Linear:
        sums = dict(self.terms)
        for reg, k in other.terms:
            sums[reg] = sums.get(reg, 0) + k
        return Linear(self.const + other.const, tuple(sorted((r, k) for r, k in sums.items() if k)))

    def __mul__(self, factor: int) -> Linear:
        if factor == 0:
            return Linear()
        return Linear(self.const * factor, tuple((r, k * factor) for r, k in self.terms))

    def __sub__(self, other: Linear) -> Linear:
        return self + other * -1


NonLinear = Callable[[str, Linear, Linear], Linear]
"""Computes ``floordiv``, ``ceildiv``, ``mod`` or ``mul`` of two forms that do not fold."""


def apply_expr(e: AffineExpr, dims: Sequence[Linear], syms: Sequence[Linear], other: NonLinear) -> Linear:
    """Value of an affine expression for linear arguments; what is not linear goes through ``other``."""
    if isinstance(e, AffineConstantExpr):
        return Linear(e.value)
    if isinstance(e, AffineDimExpr):
        return dims[e.position]
    if isinstance(e, AffineSymExpr):
        return syms[e.position]
    if not isinstance(e, AffineBinaryOpExpr):
        raise UnsupportedAffine(f"expression {e} is not affine")
    a, b = apply_expr(e.lhs, dims, syms, other), apply_expr(e.rhs, dims, syms, other)
    match e.kind:
        case AffineBinaryOpKind.Add:
            return a + b
        case AffineBinaryOpKind.Mul:
            if b.is_const:
                return a * b.const
            return b * a.const if a.is_const else other("mul", a, b)
        case AffineBinaryOpKind.FloorDiv:
            return Linear(a.const // b.const) if a.is_const and b.is_const and b.const else other("floordiv", a, b)
        case AffineBinaryOpKind.CeilDiv:
            return Linear(-(-a.const // b.const)) if a.is_const and b.is_const and b.const else other("ceildiv", a, b)
        case AffineBinaryOpKind.Mod:
            return Linear(a.const % b.const) if a.is_const and b.is_const and b.const else other("mod", a, b)
    raise UnsupportedAffine(f"expression {e} is not affine")


def _refuse(what: str, a: Linear, b: Linear) -> Linear:
    raise UnsupportedAffine(f"'{what}' of a dimension is not a constant stride")


def coefficients(e: AffineExpr, n_dims: int, symbols: Sequence[int] = ()) -> tuple[int, list[int]]:
    """Constant and one coefficient a dimension of a linear expression (symbols given as numbers)."""
    dims = [Linear(0, ((d, 1),)) for d in range(n_dims)]
    form = apply_expr(e, dims, [Linear(s) for s in symbols], _refuse)
    by_dim = dict(form.terms)
    return form.const, [by_dim.get(d, 0) for d in range(n_dims)]


def layout_strides(layout: AffineMap) -> tuple[int, list[int]]:
    """Constant and element stride per dimension of a layout map with one linear result."""
    if len(layout.results) != 1 or layout.num_symbols:
        raise UnsupportedAffine("a layout map needs exactly one result and no symbols")
    return coefficients(layout.results[0], layout.num_dims)


def is_identity(m: AffineMap) -> bool:
    """True for ``(d0, ..., dn) -> (d0, ..., dn)``."""
    return len(m.results) == m.num_dims and all(
        isinstance(r, AffineDimExpr) and r.position == k for k, r in enumerate(m.results)
    )


@dataclass(frozen=True)
class Extent:
    """Range of one dimension of a box: ``lower`` and the number of points, a number or a form over the set's
    symbols."""

    lower: int
    count: Linear


def box(s: AffineSet) -> list[Extent]:
    """Per dimension the range of a rectangular set. Symbols may appear in upper bounds; register ``k`` is symbol k.

    Raises :class:`UnsupportedAffine` for a set that is no box or not bounded.
    """
    lower: dict[int, int] = {}
    upper: dict[int, Linear] = {}
    n = s.num_dims
    dims = [Linear(0, ((d, 1),)) for d in range(n)]
    syms = [Linear(0, ((n + k, 1),)) for k in range(s.num_symbols)]
    for c in s.constraints:
        form = apply_expr(c.lhs, dims, syms, _refuse) - apply_expr(c.rhs, dims, syms, _refuse)
        if c.kind is AffineConstraintKind.le:
            form = form * -1
        mine = [(d, k) for d, k in form.terms if d < n]
        rest = Linear(form.const, tuple((d - n, k) for d, k in form.terms if d >= n))
        if not mine:
            holds = form.const == 0 if c.kind is AffineConstraintKind.eq else form.const >= 0
            if rest.is_const and holds:
                continue
            raise UnsupportedAffine("the set is empty or bounds a symbol")
        if len(mine) > 1 or abs(mine[0][1]) != 1:
            raise UnsupportedAffine(f"the set is not rectangular: {c}")
        ((d, k),) = mine
        if c.kind is AffineConstraintKind.eq:
            value = rest * -k
            if not value.is_const:
                raise UnsupportedAffine("a dimension is pinned to a symbol")
            lower[d], upper[d] = value.const, value
        elif k > 0:
            if not rest.is_const:
                raise UnsupportedAffine("a lower bound depends on a symbol")
            lower[d] = max(lower.get(d, -rest.const), -rest.const)
        elif d in upper and upper[d].is_const and rest.is_const:
            upper[d] = Linear(min(upper[d].const, rest.const))
        elif d in upper:
            raise UnsupportedAffine("a dimension has two symbolic upper bounds")
        else:
            upper[d] = rest
    missing = [d for d in range(n) if d not in lower or d not in upper]
    if missing:
        raise UnsupportedAffine(f"dimension {missing[0]} of the set is not bounded")
    return [Extent(lower[d], upper[d] - Linear(lower[d] - 1)) for d in range(n)]
