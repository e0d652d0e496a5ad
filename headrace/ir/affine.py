"""Affine expressions built and printed as MLIR does.

xDSL's operators distribute products over sums and refuse semi-affine expressions; MLIR does neither. These functions
apply MLIR's construction-time simplifications, so that `(s0 + 1) * 32` stays as written, and print with MLIR's rules
(constants right, `d0 - s0 * 4`, `-d0 + 95`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

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
    AffineSymExpr,
)
from xdsl.parser.affine_parser import AffineParser as XdslAffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from headrace.ir.lexer import FastTokens

_ADD, _MUL, _MOD = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul, AffineBinaryOpKind.Mod
_FLOOR, _CEIL = AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv


def constant(value: int) -> AffineExpr:
    """An integer."""
    return AffineConstantExpr(value)


def value_of(expr: AffineExpr) -> int | None:
    """The value of a constant expression, else None."""
    return expr.value if isinstance(expr, AffineConstantExpr) else None


def is_symbolic(expr: AffineExpr) -> bool:
    """No dimension occurs."""
    if isinstance(expr, AffineBinaryOpExpr):
        return is_symbolic(expr.lhs) and is_symbolic(expr.rhs)
    return not isinstance(expr, AffineDimExpr)


def divisor(expr: AffineExpr) -> int:
    """The largest known positive divisor of every value of the expression (0 for the constant 0)."""
    if isinstance(expr, AffineConstantExpr):
        return abs(expr.value)
    if isinstance(expr, AffineBinaryOpExpr):
        if expr.kind is _MUL:
            return divisor(expr.lhs) * divisor(expr.rhs)
        if expr.kind in (_ADD, _MOD):
            return gcd(divisor(expr.lhs), divisor(expr.rhs))
        c = value_of(expr.rhs)
        if c and divisor(expr.lhs) % c == 0:
            return abs(divisor(expr.lhs) // c)
    return 1


def _split(expr: AffineExpr) -> tuple[AffineExpr, int]:
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind is _MUL and (c := value_of(expr.rhs)) is not None:
        return expr.lhs, c
    return expr, 1


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs + rhs with MLIR's simplifications."""
    a, b = value_of(lhs), value_of(rhs)
    if a is not None and b is not None:
        return constant(a + b)
    if a is not None or (is_symbolic(lhs) and not is_symbolic(rhs)):
        return add(rhs, lhs)
    if b == 0:
        return lhs
    inner = lhs if isinstance(lhs, AffineBinaryOpExpr) and lhs.kind is _ADD else None
    inner_constant = value_of(inner.rhs) if inner is not None else None
    if inner is not None and inner_constant is not None and b is not None:
        return add(inner.lhs, constant(inner_constant + b))
    (first, c1), (second, c2) = _split(lhs), _split(rhs)
    if first == second:
        return mul(first, constant(c1 + c2))
    if inner is not None and inner_constant is not None:
        return add(add(inner.lhs, rhs), inner.rhs)
    # expr - (expr floordiv c) * c is expr mod c
    if isinstance(second, AffineBinaryOpExpr) and second.kind is _FLOOR:
        c = value_of(second.rhs)
        if c is not None and c2 == -c and second.lhs == lhs:
            return mod(lhs, constant(c))
    return AffineBinaryOpExpr(_ADD, lhs, rhs)


def mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs * rhs with MLIR's simplifications; one side must be symbolic or constant."""
    a, b = value_of(lhs), value_of(rhs)
    if a is not None and b is not None:
        return constant(a * b)
    if not is_symbolic(lhs) and not is_symbolic(rhs):
        raise ValueError(
            "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic"
        )
    if not is_symbolic(rhs) or a is not None:
        return mul(rhs, lhs)
    if b == 1:
        return lhs
    if b == 0:
        return rhs
    if isinstance(lhs, AffineBinaryOpExpr) and lhs.kind is _MUL and (c := value_of(lhs.rhs)) is not None:
        if b is not None:
            return mul(lhs.lhs, constant(c * b))
        return mul(mul(lhs.lhs, rhs), lhs.rhs)
    return AffineBinaryOpExpr(_MUL, lhs, rhs)


def neg(expr: AffineExpr) -> AffineExpr:
    """-expr."""
    return mul(expr, constant(-1))


def sub(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs - rhs."""
    return add(lhs, neg(rhs))


def floordiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs floordiv rhs, rounding down."""
    a, b = value_of(lhs), value_of(rhs)
    if b is None or b < 1:
        return AffineBinaryOpExpr(_FLOOR, lhs, rhs)
    if a is not None:
        return constant(a // b)
    if b == 1:
        return lhs
    if isinstance(lhs, AffineBinaryOpExpr):
        if lhs.kind is _MUL and (c := value_of(lhs.rhs)) is not None and c % b == 0:
            return mul(lhs.lhs, constant(c // b))
        if lhs.kind is _ADD and (divisor(lhs.lhs) % b == 0 or divisor(lhs.rhs) % b == 0):
            return add(floordiv(lhs.lhs, rhs), floordiv(lhs.rhs, rhs))
    return AffineBinaryOpExpr(_FLOOR, lhs, rhs)


def ceildiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs ceildiv rhs, rounding up."""
    a, b = value_of(lhs), value_of(rhs)
    if b is None or b < 1:
        return AffineBinaryOpExpr(_CEIL, lhs, rhs)
    if a is not None:
        return constant(-(-a // b))
    if b == 1:
        return lhs
    if isinstance(lhs, AffineBinaryOpExpr) and lhs.kind is _MUL and (c := value_of(lhs.rhs)) is not None and c % b == 0:
        return mul(lhs.lhs, constant(c // b))
    return AffineBinaryOpExpr(_CEIL, lhs, rhs)


def mod(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """lhs mod rhs, never negative."""
    a, b = value_of(lhs), value_of(rhs)
    if b is None or b < 1:
        return AffineBinaryOpExpr(_MOD, lhs, rhs)
    if a is not None:
        return constant(a % b)
    if divisor(lhs) % b == 0:
        return constant(0)
    if isinstance(lhs, AffineBinaryOpExpr):
        if lhs.kind is _ADD:
            if divisor(lhs.lhs) % b == 0:
                return mod(lhs.rhs, rhs)
            if divisor(lhs.rhs) % b == 0:
                return mod(lhs.lhs, rhs)
        if lhs.kind is _MOD and (c := value_of(lhs.rhs)) is not None and c >= 1 and c % b == 0:
            return mod(lhs.lhs, rhs)
    return AffineBinaryOpExpr(_MOD, lhs, rhs)


_BUILD: dict[AffineBinaryOpKind, Callable[[AffineExpr, AffineExpr], AffineExpr]] = {
    _ADD: add,
    _MUL: mul,
    _MOD: mod,
    _FLOOR: floordiv,
    _CEIL: ceildiv,
}


def replace(expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]) -> AffineExpr:
    """Substitute dimensions and symbols (positions beyond the lists stay) and simplify as MLIR does."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position] if expr.position < len(dims) else expr
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position] if expr.position < len(symbols) else expr
    if isinstance(expr, AffineBinaryOpExpr):
        return _BUILD[expr.kind](replace(expr.lhs, dims, symbols), replace(expr.rhs, dims, symbols))
    return expr


def simplify(expr: AffineExpr) -> AffineExpr:
    """Rebuild the expression with MLIR's simplifications."""
    return replace(expr, (), ())


# ---- text -----------------------------------------------------------------------------------------------------------

_SPELLING = {_ADD: " + ", _MUL: " * ", _MOD: " mod ", _FLOOR: " floordiv ", _CEIL: " ceildiv "}


def expr_text(
    expr: AffineExpr, dims: Sequence[str] | None = None, symbols: Sequence[str] | None = None, strong: bool = False
) -> str:
    """The expression as MLIR prints it; `dims`/`symbols` replace `d0..`/`s0..` (for subscripts over SSA names)."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position] if dims is not None else f"d{expr.position}"
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position] if symbols is not None else f"s{expr.position}"
    if isinstance(expr, AffineConstantExpr):
        return str(expr.value)
    assert isinstance(expr, AffineBinaryOpExpr)

    def text(inner: AffineExpr, bind: bool) -> str:
        return expr_text(inner, dims, symbols, bind)

    lhs, rhs, b = expr.lhs, expr.rhs, value_of(expr.rhs)
    if expr.kind is not _ADD:
        if expr.kind is _MUL and b == -1:
            body = "-" + text(lhs, True)
        else:
            body = text(lhs, True) + _SPELLING[expr.kind] + text(rhs, True)
        return f"({body})" if strong else body
    body = None
    if isinstance(rhs, AffineBinaryOpExpr) and rhs.kind is _MUL and (c := value_of(rhs.rhs)) is not None and c < 0:
        if c == -1:
            sum_inside = isinstance(rhs.lhs, AffineBinaryOpExpr) and rhs.lhs.kind is _ADD
            body = f"{text(lhs, False)} - {text(rhs.lhs, sum_inside)}"
        else:
            body = f"{text(lhs, False)} - {text(rhs.lhs, True)} * {-c}"
    if body is None and b is not None and b < 0:
        body = f"{text(lhs, False)} - {-b}"
    if body is None:
        body = f"{text(lhs, False)} + {text(rhs, False)}"
    return f"({body})" if strong else body


def _space(num_dims: int, num_symbols: int) -> str:
    text = "(" + ", ".join(f"d{i}" for i in range(num_dims)) + ")"
    return text + ("[" + ", ".join(f"s{i}" for i in range(num_symbols)) + "]" if num_symbols else "")


def map_text(value: AffineMap) -> str:
    """`(d0)[s0] -> (d0 + s0)`."""
    return f"{_space(value.num_dims, value.num_symbols)} -> ({', '.join(expr_text(e) for e in value.results)})"


def set_text(value: AffineSet) -> str:
    """`(d0) : (d0 >= 0, -d0 + 3 >= 0)`; the set without constraints prints as `(0 == 0)`."""
    constraints: list[str] = []
    for item in value.constraints:
        expr = item.lhs if value_of(item.rhs) == 0 else sub(item.lhs, item.rhs)
        kind = item.kind.value
        if kind == "<=":
            expr, kind = neg(expr), ">="
        constraints.append(f"{expr_text(expr)} {kind} 0")
    return f"{_space(value.num_dims, value.num_symbols)} : ({', '.join(constraints) or '0 == 0'})"


def make_set(num_dims: int, num_symbols: int, constraints: Sequence[tuple[AffineExpr, str]]) -> AffineSet:
    """A set from (expression, `">="` or `"=="`) pairs, each meaning `expression >= 0` or `expression == 0`."""
    return AffineSet(
        num_dims,
        num_symbols,
        tuple(
            AffineConstraintExpr(AffineConstraintKind(kind), expr, constant(0), canonicalize=False)
            for expr, kind in constraints
        ),
    )


LONGEST = 1000
"""Operands, signs and brackets of one affine expression: what is built from them recursively stays shallow."""


class AffineParser(FastTokens, XdslAffineParser):
    """xDSL's affine parser with MLIR's construction rules, semi-affine expressions and `<=` constraints."""

    _size = 0
    _inside = 0

    def _parse_affine_expr(self, parse_optional_bare_id: Callable[[], AffineExpr | None]) -> AffineExpr:
        if not self._inside:
            self._size = 0
        self._inside += 1
        found = super()._parse_affine_expr(parse_optional_bare_id)
        self._inside -= 1
        return found

    def _create_binop_expr(self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
        text = binop.text
        if text == "+":
            return add(lhs, rhs)
        if text == "-":
            return sub(lhs, rhs)
        if text == "*":
            try:
                return mul(lhs, rhs)
            except ValueError as problem:
                raise ParseError(binop.span, str(problem)) from None
        if not is_symbolic(rhs):
            raise ParseError(
                binop.span, f"non-affine expression: right operand of {text} has to be either a constant or symbolic"
            )
        return {"floordiv": floordiv, "ceildiv": ceildiv, "mod": mod}[text](lhs, rhs)

    def _parse_primary(self, parse_optional_bare_id: Callable[[], AffineExpr | None]) -> AffineExpr:
        self._size += 1
        if self._size > LONGEST:
            self.raise_error("affine expression is too long or nested too deeply")
        if self._current_token.kind == MLIRTokenKind.MINUS:
            self._consume_token()
            return neg(self._parse_primary(parse_optional_bare_id))
        return super()._parse_primary(parse_optional_bare_id)

    def _parse_affine_space(self) -> tuple[list[str], list[str]]:
        start = self._current_token.span
        dims, symbols = super()._parse_affine_space()
        names = dims + symbols
        for name in names:
            if names.count(name) > 1:
                raise ParseError(start, f"redefinition of identifier '{name}'")
        return dims, symbols

    def _parse_affine_constraint(self, parse_optional_bare_id: Callable[[], AffineExpr | None]) -> AffineConstraintExpr:
        lhs = self._parse_affine_expr(parse_optional_bare_id)
        token = self._current_token
        spelling = self._consume_token().text + self._consume_token().text
        if spelling not in (">=", "<=", "=="):
            raise ParseError(token.span, "expected '>=', '<=' or '==' in affine constraint")
        rhs = self._parse_affine_expr(parse_optional_bare_id)
        kind = AffineConstraintKind.eq if spelling == "==" else AffineConstraintKind.ge
        expr = sub(rhs, lhs) if spelling == "<=" else sub(lhs, rhs)
        return AffineConstraintExpr(kind, expr, constant(0), canonicalize=False)

    def parse_affine_set(self) -> AffineSet:
        found = super().parse_affine_set()
        if not found.constraints:
            return make_set(found.num_dims, found.num_symbols, [(constant(0), "==")])
        return found
