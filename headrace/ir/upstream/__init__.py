"""Upstream MLIR dialects: what xDSL has, plus what it lacks or prints differently from MLIR.

Classes of xDSL keep their identity (`isinstance(op, xdsl.dialects.scf.ForOp)` works everywhere). Where only the text
differs, a module of this package registers another parser or printer for the class with `syntax`; where an operation is
missing, it is defined here. `lookup(op_class)` imports the module of the dialect on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

#: Dialects that have a module in this package.
MODULES = frozenset({"arith", "builtin", "affine", "cf", "func", "linalg", "math", "memref", "scf", "tensor"})


class Syntax(NamedTuple):
    """The text form of an operation class: `parse(parser) -> op` and `print(op, printer)`, None for the class's own."""

    parse: Callable[[Any], Any] | None = None
    print: Callable[[Any, Any], None] | None = None


_TABLE: dict[type, Syntax] = {}
_CACHE: dict[type, Syntax] = {}
_OWN = Syntax()

T = TypeVar("T", bound=Callable[..., Any])


def parser_for(*classes: type) -> Callable[[T], T]:
    """Decorator: the function parses these classes; with several it gets the class as second argument."""

    def register(function: T) -> T:
        for cls in classes:
            _TABLE[cls] = _TABLE.get(cls, _OWN)._replace(
                parse=function if len(classes) == 1 else lambda parser, c=cls: function(parser, c)
            )
        return function

    return register


def printer_for(*classes: type) -> Callable[[T], T]:
    """Decorator: the function `(op, printer)` prints these classes."""

    def register(function: T) -> T:
        for cls in classes:
            _TABLE[cls] = _TABLE.get(cls, _OWN)._replace(print=function)
        return function

    return register


def lookup(cls: type[Any]) -> Syntax:
    """The text form of an operation class."""
    found = _CACHE.get(cls)
    if found is None:
        dialect = cls.name.partition(".")[0]
        if dialect in MODULES:
            import_module(f"headrace.ir.upstream.{dialect}")
        found = _CACHE[cls] = _TABLE.get(cls, _OWN)
    return found
