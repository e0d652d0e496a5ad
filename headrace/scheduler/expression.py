"""Expressions of the bound, as the manifest holds them: plain JSON, evaluated with the values of a launch.

An expression is an integer, the name of a kernel argument, or `[OPERATOR, A, B, ...]` (`OPERATORS`). Nothing else is
imported here, so that a launch of what is compiled needs no scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

Expression = Any
"""An int, an argument name, or a list `[operator, operands...]`."""

OPERATORS: dict[str, Callable[..., int]] = {
    "add": lambda *xs: sum(xs),
    "sub": lambda a, b: a - b,
    "mul": lambda *xs: prod(xs),
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}
"""Operators of expressions, on integers."""

_SIGNS = {"add": " + ", "sub": " - ", "mul": " * ", "floordiv": " / ", "mod": " mod "}


def make(operator: str, *operands: Expression) -> Expression:
    """An expression, folded where its operands are integers."""
    if operator in ("add", "mul"):
        unit = 0 if operator == "add" else 1
        known = OPERATORS[operator](*(x for x in operands if isinstance(x, int)))
        rest = [x for x in operands if not isinstance(x, int)]
        if not rest or (operator == "mul" and known == 0):
            return known
        parts = [*rest, *([known] if known != unit else [])]
        return parts[0] if len(parts) == 1 else [operator, *parts]
    if all(isinstance(x, int) for x in operands):
        return OPERATORS[operator](*operands)
    if operator in ("floordiv", "ceildiv") and operands[1] == 1:
        return operands[0]
    return [operator, *operands]


def evaluate(expression: Expression, values: Mapping[str, int]) -> int:
    """The value of an expression for the given argument values. Raises KeyError for an argument without one."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return int(values[expression])
    return OPERATORS[expression[0]](*(evaluate(x, values) for x in expression[1:]))


def text(expression: Expression) -> str:
    """An expression for people."""
    if not isinstance(expression, list):
        return str(expression)
    operands = [text(x) for x in expression[1:]]
    if expression[0] in _SIGNS:
        return "(" + _SIGNS[expression[0]].join(operands) + ")"
    return f"{expression[0]}({', '.join(operands)})"


def bound_of(bound: Mapping[str, Any], values: Mapping[str, int]) -> tuple[int, str] | None:
    """(cycles, what limits) of a manifest's bound for a launch; None if a value is missing or it has no terms."""
    try:
        found = [(evaluate(term["cycles"], values), str(term["by"])) for term in bound["terms"]]
    except KeyError:
        return None
    return max(found, key=lambda item: item[0]) if found else None
