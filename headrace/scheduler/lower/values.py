"""Index values of a program as expressions over what is known before it runs.

An expression is a nested tuple: `("const", n)`, `("arg", i)` (argument i of the program, fixed at launch), `("tile",)`
(number of the core), or `(op, a, b, ...)` with the operations below. A value without expression (None) exists only
while the program runs: loop variables, arguments that the coordinator changes between calls, loaded data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

Expr = tuple[Any, ...]
TILE: Expr = ("tile",)


def const(value: int) -> Expr:
    """The expression of a number."""
    return ("const", value)


def trunc_div(a: int, b: int) -> int:
    """Division rounding to zero, as `arith.divsi`; division by zero gives 0."""
    if b == 0:
        return 0
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


_PREDICATES: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]
_PREDICATES += _PREDICATES[2:]  # the unsigned ones: index values are not negative

#: Operations a symbol definition may consist of, with the op that spells them.
SYMBOL_OPS: dict[str, tuple[Callable[[int, int], int], type[Operation]]] = {
    "add": (lambda a, b: a + b, arith.AddiOp),
    "sub": (lambda a, b: a - b, arith.SubiOp),
    "mul": (lambda a, b: a * b, arith.MuliOp),
    "div": (trunc_div, arith.DivSIOp),
    "rem": (lambda a, b: a - b * trunc_div(a, b), arith.RemSIOp),
    "floor": (lambda a, b: a // b if b else 0, arith.FloorDivSIOp),
    "ceildiv": (lambda a, b: -(-a // b) if b else 0, arith.CeilDivSIOp),
    "min": (min, arith.MinSIOp),
    "max": (max, arith.MaxSIOp),
}

#: Operations that fold once their operands are numbers, but that no symbol can be defined by.
_FOLD_ONLY: dict[str, Callable[..., int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "cmp": lambda p, a, b: int(_PREDICATES[p](a, b)),
    "select": lambda c, a, b: a if c else b,
}

_BINARY_NAMES = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divsi": "div",
    "arith.divui": "div",
    "arith.remsi": "rem",
    "arith.remui": "rem",
    "arith.floordivsi": "floor",
    "arith.ceildivsi": "ceildiv",
    "arith.ceildivui": "ceildiv",
    "arith.minsi": "min",
    "arith.minui": "min",
    "arith.maxsi": "max",
    "arith.maxui": "max",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
}

_CASTS = frozenset({"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui"})


def make(op: str, *args: Expr) -> Expr:
    """`op` applied to expressions, folded where they are numbers or one side is neutral."""
    if all(a[0] == "const" for a in args):
        numbers = [a[1] for a in args]
        return const(SYMBOL_OPS[op][0](*numbers) if op in SYMBOL_OPS else _FOLD_ONLY[op](*numbers))
    if op in SYMBOL_OPS:
        a, b = args
        if b[0] == "const" and (
            (b[1] == 0 and op in ("add", "sub")) or (b[1] == 1 and op in ("mul", "div", "floor", "ceildiv"))
        ):
            return a
        if a[0] == "const" and ((a[1] == 0 and op == "add") or (a[1] == 1 and op == "mul")):
            return b
        if op == "mul" and const(0) in args:
            return const(0)
        if op == "add":
            if a[0] == "const":
                a, b = b, a
            if a[0] == "add" and a[2][0] == "const" and b[0] == "const":  # (x + c) + d
                inner: Any = a[1]
                return make("add", inner, const(a[2][1] + b[1]))
            return (op, a, b)
    elif op == "select" and args[0][0] == "const":
        return args[1] if args[0][1] else args[2]
    return (op, *args)


def at_core(expr: Expr, core: int) -> Expr:
    """`expr` on core number `core`, folded."""
    if expr[0] == "tile":
        return const(core)
    if expr[0] in ("const", "arg"):
        return expr
    return make(expr[0], *(at_core(a, core) for a in expr[1:]))


def depends_on_tile(expr: Expr) -> bool:
    """Whether cores may see different values."""
    return expr[0] == "tile" or (expr[0] not in ("const", "arg") and any(depends_on_tile(a) for a in expr[1:]))


def arguments(expr: Expr) -> frozenset[int]:
    """Numbers of the program arguments in `expr`."""
    if expr[0] == "arg":
        return frozenset({expr[1]})
    if expr[0] in ("const", "tile"):
        return frozenset()
    return frozenset().union(*(arguments(a) for a in expr[1:]))


def is_symbolic(expr: Expr) -> bool:
    """Whether the host can compute `expr` at launch with the operators of a symbol definition."""
    if expr[0] in ("const", "arg"):
        return True
    return expr[0] in SYMBOL_OPS and all(is_symbolic(a) for a in expr[1:])


class StaticValues:
    """Expressions of SSA values; `inputs` gives those of the function arguments that are known at launch."""

    def __init__(self, inputs: Mapping[SSAValue, Expr]):
        self.inputs = dict(inputs)
        self._cache: dict[SSAValue, Expr | None] = {}

    def expr(self, value: SSAValue) -> Expr | None:
        """The expression of an index, integer or i1 value, None where it has none."""
        if value not in self._cache:
            self._cache[value] = self._expr(value)
        return self._cache[value]

    def _expr(self, value: SSAValue) -> Expr | None:
        if isinstance(value, BlockArgument):
            return self.inputs.get(value) if isinstance(value.type, IndexType | IntegerType) else None
        op = value.owner
        assert isinstance(op, Operation)
        if not isinstance(value.type, IndexType | IntegerType):
            return None
        name = op.name
        if isinstance(op, arith.ConstantOp):
            return const(op.value.value.data) if isinstance(op.value, IntegerAttr) else None
        if name == "ktdp.get_compute_tile_id":
            return TILE if len(op.results) == 1 else None
        if name in _CASTS:
            return self.expr(op.operands[0])
        if name in _BINARY_NAMES:
            return self._apply(_BINARY_NAMES[name], op.operands)
        if isinstance(op, arith.CmpiOp):
            args = [self.expr(v) for v in op.operands]
            if args[0] is None or args[1] is None:
                return None
            return make("cmp", const(op.predicate.value.data), args[0], args[1])
        if name == "arith.select":
            return self._apply("select", op.operands)
        if name == "arith.shli":
            amount = self.expr(op.operands[1])
            base = self.expr(op.operands[0])
            if base is None or amount is None or amount[0] != "const":
                return None
            return make("mul", base, const(1 << amount[1]))
        if isinstance(op, affine.ApplyOp):
            return self._affine(op.map.data.results[0], op)
        if name in ("affine.min", "affine.max"):
            parts = [self._affine(e, op) for e in op.properties["map"].data.results]  # type: ignore[attr-defined]
            result = parts[0]
            for part in parts[1:]:
                if result is None or part is None:
                    return None
                result = make(name[7:], result, part)
            return result
        if name == "ktdp.runtime_arg_extract":
            return self._runtime_arg(op)
        return None

    def _runtime_arg(self, op: Operation) -> Expr | None:
        for key in ("kind", "field", "what", "property"):
            attr = op.properties.get(key) or op.attributes.get(key)
            text = getattr(attr, "data", None)
            if text is not None and str(text) != "value":
                bound = getattr(op.operands[0].type, str(text), None)
                number = getattr(getattr(bound, "value", None), "data", getattr(bound, "data", None))
                return const(number) if isinstance(number, int) else None
        return self.inputs.get(op.operands[0])

    def _apply(self, name: str, operands: Any) -> Expr | None:
        args: list[Expr] = []
        for v in operands:
            e = self.expr(v)
            if e is None:
                return None
            args.append(e)
        return make(name, *args)

    def _affine(self, expr: AffineExpr, op: Operation) -> Expr | None:
        dims = op.properties["map"].data.num_dims  # type: ignore[attr-defined]
        return self.affine(expr, [self.expr(v) for v in op.operands], dims)

    def affine(self, expr: AffineExpr, operands: list[Expr | None], num_dims: int) -> Expr | None:
        """An affine expression with dims, then symbols, replaced by `operands`."""
        match expr:
            case AffineConstantExpr():
                return const(expr.value)
            case AffineDimExpr():
                return operands[expr.position]
            case AffineBinaryOpExpr():
                a, b = self.affine(expr.lhs, operands, num_dims), self.affine(expr.rhs, operands, num_dims)
                if a is None or b is None:
                    return None
                if expr.kind is AffineBinaryOpKind.Mod:
                    return make("sub", a, make("mul", make("floor", a, b), b))
                names = {
                    AffineBinaryOpKind.Add: "add",
                    AffineBinaryOpKind.Mul: "mul",
                    AffineBinaryOpKind.FloorDiv: "floor",
                    AffineBinaryOpKind.CeilDiv: "ceildiv",
                }
                return make(names[expr.kind], a, b)
            case _:
                return operands[num_dims + expr.position]  # type: ignore[attr-defined]
