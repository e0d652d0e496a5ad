"""Names and numbers of vector operations: those of the scalar semantics table."""

from __future__ import annotations

from functools import cache

from headrace.codegen.isa import IsaError
from headrace.numerics import semantics


def operation_code(name: str) -> int:
    """Number of an operation (``"arith.addf"``). Raises :class:`IsaError` for a name that the table does not have."""
    code = _codes().get(name)
    if code is None:
        raise IsaError(f"no unit executes '{name}'")
    return code


def operation_name(code: int) -> str:
    """Name of an operation number."""
    name = _names().get(code)
    if name is None:
        raise IsaError(f"unknown operation number {code}")
    return name


@cache
def _codes() -> dict[str, int]:
    return {name: semantics.get(name).code for name in semantics.names()}


@cache
def _names() -> dict[int, str]:
    return {code: name for name, code in _codes().items()}
