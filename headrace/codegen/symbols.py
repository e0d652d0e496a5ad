"""Symbols: exact integer expressions over kernel inputs, and their JSON and readable forms.

An expression is an input (argument number), a register term of the coordinator (a loop variable), an integer, or an
operation. Arithmetic is exact; a result that does not fit 64 bits is an error. ``divexact`` is the division of a byte
address by a word size: a remainder means that the launch passed a misaligned address.

>>> e = divexact(add(Expr("input", (0,)), const(256)), const(64))
>>> readable(e, ["a"])
'(a + 256) / 64'
>>> evaluate(e, [4096])
68
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any


class SymbolError(Exception):
    """An expression that cannot be evaluated, or JSON that is no expression."""


class MisalignedError(SymbolError):
    """An address that is no multiple of the word size of the unit that uses it."""


@dataclass(frozen=True)
class Expr:
    """``op`` is ``const``, ``input``, ``iv`` (leaf with one argument) or a key of :data:`OPERATIONS` with
    expressions."""

    op: str
    args: tuple[Any, ...]
    value: int | None = field(init=False, compare=False, repr=False)
    """The number, if this is a constant."""
    at_launch: bool = field(init=False, compare=False, repr=False)
    """True if it has no register term: its value is known when a launch starts."""
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        leaf = self.op in ("const", "input", "iv")
        put = object.__setattr__
        put(self, "value", self.args[0] if self.op == "const" else None)
        put(self, "at_launch", self.op != "iv" if leaf else all(a.at_launch for a in self.args))
        put(self, "_hash", hash((self.op, self.args)))

    def __hash__(self) -> int:
        return self._hash

    def leaves(self) -> Iterator[Expr]:
        """Input and register leaves, left to right, repeated as they occur."""
        if self.op in ("input", "iv"):
            yield self
        elif self.op != "const":
            for a in self.args:
                yield from a.leaves()

    @property
    def inputs(self) -> tuple[int, ...]:
        """Numbers of the kernel arguments it depends on, ascending."""
        return tuple(sorted({leaf.args[0] for leaf in self.leaves() if leaf.op == "input"}))


def _trunc_div(a: int, b: int) -> int:
    if b == 0:
        raise SymbolError("division by zero")
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def _rem(a: int, b: int) -> int:
    return a - b * _trunc_div(a, b)


def _ceil_div(a: int, b: int) -> int:
    if b == 0:
        raise SymbolError("division by zero")
    return -(-a // b)


def _floor_div(a: int, b: int) -> int:
    if b == 0:
        raise SymbolError("division by zero")
    return a // b


def _exact_div(a: int, b: int) -> int:
    if b == 0:
        raise SymbolError("division by zero")
    if a % b:
        raise MisalignedError(f"{a} is not a multiple of {b}")
    return a // b


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _trunc_div,
    "rem": _rem,
    "floor": _floor_div,
    "ceildiv": _ceil_div,
    "min": min,
    "max": max,
    "divexact": _exact_div,
}
"""Operations by the name they have in ``hcm.symbols``: ``div`` rounds to zero, ``floor`` down, ``divexact`` not at
all."""

_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "div", "rem": "rem", "floor": "floordiv", "divexact": "/"}
_ALIASES = {"floordiv": "divexact"}


@lru_cache(maxsize=1 << 12, typed=True)
def const(value: int) -> Expr:
    """An integer."""
    return Expr("const", (value,))


def binary(op: str, a: Expr, b: Expr) -> Expr:
    """``a op b``, folded where both are known or where one side is neutral."""
    if a.value is not None and b.value is not None:
        return const(OPERATIONS[op](a.value, b.value))
    if (op in ("add", "sub") and b.value == 0) or (
        op in ("mul", "div", "divexact", "floor", "ceildiv") and b.value == 1
    ):
        return a
    if (op == "add" and a.value == 0) or (op == "mul" and a.value == 1):
        return b
    if op == "mul" and (a.value == 0 or b.value == 0):
        return const(0)
    return Expr(op, (a, b))


def add(a: Expr, b: Expr) -> Expr:
    """``a + b``"""
    return binary("add", a, b)


def mul(a: Expr, b: Expr) -> Expr:
    """``a * b``"""
    return binary("mul", a, b)


def divexact(a: Expr, b: Expr) -> Expr:
    """``a / b`` without remainder."""
    return binary("divexact", a, b)


def evaluate(e: Expr, inputs: Sequence[int | None], ivs: dict[Any, int] | None = None) -> int:
    """Exact value. Raises :class:`SymbolError` (overflow, division by zero), :class:`MisalignedError`
    (``divexact``)."""
    if e.op == "const":
        return e.args[0]
    if e.op == "input":
        value = inputs[e.args[0]]
        if value is None:
            raise SymbolError(f"argument {e.args[0]} has no value")
        return value
    if e.op == "iv":
        return (ivs or {})[e.args[0]]
    result = OPERATIONS[e.op](*(evaluate(a, inputs, ivs) for a in e.args))
    if not -(1 << 63) <= result < 1 << 63:
        raise SymbolError(f"value {result} does not fit 64 bits")
    return result


def substitute(e: Expr, leaves: dict[Expr, Expr]) -> Expr:
    """``e`` with leaves replaced (those that are not in the table stay)."""
    if e.op in ("input", "iv"):
        return leaves.get(e, e)
    if e.op == "const":
        return e
    return binary(e.op, substitute(e.args[0], leaves), substitute(e.args[1], leaves))


def linear_leaves(e: Expr) -> set[Expr]:
    """Leaves that occur as a plain summand, also under a division: the addresses in a start expression."""
    if e.op in ("input", "iv"):
        return {e}
    if e.op == "add":
        return linear_leaves(e.args[0]) | linear_leaves(e.args[1])
    if e.op in ("sub", "divexact", "div"):
        return linear_leaves(e.args[0])
    return set()


def exact_divisions(e: Expr, addresses: set[int]) -> Expr:
    """``e`` with every truncating division of something that holds an address turned into ``divexact``."""
    if e.op in ("const", "input", "iv"):
        return e
    args = tuple(exact_divisions(a, addresses) for a in e.args)
    if e.op == "div" and any(leaf.op == "input" and leaf.args[0] in addresses for leaf in linear_leaves(args[0])):
        return binary("divexact", *args)
    return e if args == e.args else binary(e.op, *args)


def alignment_checks(e: Expr) -> list[Expr]:
    """Launch-time parts of the exact divisions in ``e`` whose other summands are multiples of the divisor."""
    if e.op in ("const", "input", "iv"):
        return []
    found = [x for a in e.args for x in alignment_checks(a)]
    word = e.args[1].value
    if e.op == "divexact" and word and not e.at_launch:
        kept = const(0)
        for sign, part in _summands(e.args[0], 1):
            if part.at_launch:
                kept = binary("add" if sign > 0 else "sub", kept, part)
        if kept.value is None:
            found.append(divexact(kept, const(word)))
    return found


def _summands(e: Expr, sign: int) -> Iterator[tuple[int, Expr]]:
    if e.op in ("add", "sub"):
        yield from _summands(e.args[0], sign)
        yield from _summands(e.args[1], sign if e.op == "add" else -sign)
    else:
        yield sign, e


def readable(e: Expr, names: Sequence[str]) -> str:
    """Infix text with argument names, e.g. ``(a + 256) / 64``."""
    if e.op == "const":
        return str(e.args[0])
    if e.op == "input":
        return str(names[e.args[0]])
    if e.op == "iv":
        return f"i{e.args[0]}"
    texts = []
    for a in e.args:
        text = readable(a, names)
        loose = e.op == "add" and a.op in ("add", "mul")
        texts.append(f"({text})" if e.op in _INFIX and a.op in _INFIX and not loose else text)
    if e.op not in _INFIX:
        return f"{e.op}({', '.join(texts)})"
    return f"{texts[0]} {_INFIX[e.op]} {texts[1]}"


def to_json(e: Expr, ids: dict[int, int]) -> Any:
    """JSON of ``hcm.symbols``: an integer, ``["sym", id]`` or ``[op, a, b]``; ``ids`` maps inputs to symbol ids."""
    if e.op == "const":
        return e.args[0]
    if e.op == "input":
        return ["sym", ids[e.args[0]]]
    if e.op == "iv":
        raise SymbolError("a coordinator register is not known at launch")
    return [e.op, *(to_json(a, ids) for a in e.args)]


def from_json(value: Any, symbols: dict[int, Expr]) -> Expr:
    """Inverse of :func:`to_json`; ``symbols`` maps ids to what they stand for. ``floordiv`` reads as ``divexact``."""
    if isinstance(value, bool):
        raise SymbolError(f"{value!r} is no expression")
    if isinstance(value, int):
        return const(value)
    if isinstance(value, list) and len(value) == 2 and value[0] == "sym":
        if not isinstance(value[1], int) or value[1] not in symbols:
            raise SymbolError(f"symbol {value[1]!r} is used before it is declared")
        return symbols[value[1]]
    if isinstance(value, list) and len(value) == 3 and isinstance(value[0], str):
        op = _ALIASES.get(value[0], value[0])
        if op not in OPERATIONS:
            raise SymbolError(f"unknown operation '{value[0]}'")
        return Expr(op, (from_json(value[1], symbols), from_json(value[2], symbols)))
    raise SymbolError(f"{value!r} is no expression")
