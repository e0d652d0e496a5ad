"""Construction of many small operations: what `Operation.create` does, without its setters.

A scheduled kernel has a unit handle, a symbol and an address for every unit of the device; going through the general
constructor is most of the time that lowering takes for a large grid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation

T = TypeVar("T", bound=Operation)


def create_op(
    cls: type[T],
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> T:
    """A new `cls` without regions and successors, as `cls.create` makes it.

    Nothing is checked.
    """
    op = cls.__new__(cls)
    init_op(op, operands, result_types, properties, attributes)
    return op


def init_op(
    op: Operation,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> None:
    """`create_op` for the `__init__` of an operation class."""
    uses = [Use(op, number) for number in range(len(operands))]
    for value, use in zip(operands, uses, strict=True):
        value.add_use(use)
    op._operands = SSAValues(operands)  # pyright: ignore[reportPrivateUsage]
    op._operand_uses = tuple(uses)  # pyright: ignore[reportPrivateUsage]
    op._successors = ()  # pyright: ignore[reportPrivateUsage]
    op._successor_uses = ()  # pyright: ignore[reportPrivateUsage]
    op.results = SSAValues([OpResult(kind, op, number) for number, kind in enumerate(result_types)])
    op.properties = dict(properties or ())
    op.attributes = dict(attributes or ())
    op.location = UNKNOWN_LOC
    op.regions = ()
    if _has_defaults(type(op)):
        op.__post_init__()


@cache
def _has_defaults(cls: type[Operation]) -> bool:
    if not issubclass(cls, IRDLOperation):
        return False
    definition = cls.get_irdl_definition()
    return any(d.default_value is not None for d in (*definition.properties.values(), *definition.attributes.values()))
