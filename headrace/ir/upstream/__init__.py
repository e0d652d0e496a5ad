"""Upstream MLIR dialects: what xDSL has, plus what it lacks or prints differently from MLIR.

Classes of xDSL keep their identity (`isinstance(op, xdsl.dialects.scf.ForOp)` works everywhere). Where only the text
differs, a module of this package registers another parser or printer for the class with `syntax`; where an operation is
missing, it is defined here. `lookup(op_class)` imports the module of the dialect on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

#: Dialects that have a module in this package.
MODULES = frozenset(
    {"arith", "builtin", "affine", "cf", "func", "linalg", "math", "memref", "pdl", "scf", "tensor", "vector"}
)


class Syntax(NamedTuple):
    """The text form and invariants of an operation class, None for the class's own.

    `parse(parser) -> op`, `print(op, printer)`, `verify(op)` (raises xDSL's `VerifyException`).
    """

    parse: Callable[[Any], Any] | None = None
    print: Callable[[Any, Any], None] | None = None
    verify: Callable[[Any], None] | None = None


#: Classes whose declared kinds of properties are not MLIR's; their registered verifier checks the properties alone.
OWN_PROPERTIES: set[type] = set()

#: Properties that a class does not declare although its text form shows them.
ADDED_PROPERTIES: dict[type, tuple[str, ...]] = {}

_TABLE: dict[type, Syntax] = {}
_CACHE: dict[type, Syntax] = {}
_OWN = Syntax()

T = TypeVar("T", bound=Callable[..., Any])


def parser_for(*classes: type) -> Callable[[T], T]:
    """Decorator: the function parses these classes; with several it gets the class as second argument."""

    def register(function: T) -> T:
        for cls in classes:
            _TABLE[cls] = _TABLE.get(cls, _OWN)._replace(
                parse=function if len(classes) == 1 else partial(_swapped, function, cls)
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


def verifier_for(*classes: type) -> Callable[[T], T]:
    """Decorator: the function `(op)` checks these classes instead of their own verifier."""

    def register(function: T) -> T:
        for cls in classes:
            _TABLE[cls] = _TABLE.get(cls, _OWN)._replace(verify=function)
        return function

    return register


def rules_for(*classes: type) -> Callable[[T], T]:
    """Decorator: the function `(op)` checks these classes after their own verifier."""

    def register(function: T) -> T:
        for cls in classes:
            _TABLE[cls] = _TABLE.get(cls, _OWN)._replace(verify=partial(_both, function))
        return function

    return register


def _both(function: Callable[[Any], None], op: Any) -> None:
    op.verify_()
    function(op)


def _swapped(function: Callable[[Any, Any], Any], cls: type, parser: Any) -> Any:
    return function(parser, cls)


def lookup(cls: type[Any]) -> Syntax:
    """The text form of an operation class."""
    found = _CACHE.get(cls)
    if found is None:
        dialect = cls.name.partition(".")[0]
        if dialect in MODULES:
            import_module(f"headrace.ir.upstream.{dialect}")
        found = _CACHE[cls] = _TABLE.get(cls, _OWN)
    return found


def verify_declared(op: Any) -> None:
    """The class's own verifier, which refuses properties that it does not declare."""
    added = {name: op.properties.pop(name) for name in ADDED_PROPERTIES[type(op)] if name in op.properties}
    try:
        op.verify_()
    finally:
        op.properties.update(added)


@cache
def _property_names(kind: type[IRDLOperation]) -> frozenset[str]:
    return frozenset({*kind.get_irdl_definition().properties, *ADDED_PROPERTIES.get(kind, ())})


def hides_properties(op: Operation) -> bool:
    """Whether an operation has properties that its text form does not show: its generic form does."""
    if not op.properties or not isinstance(op, IRDLOperation) or type(op) in OWN_PROPERTIES:
        return False
    return not op.properties.keys() <= _property_names(type(op))
