"""Construction of many small operations: what `Operation.create` does, without its setters.

A scheduled kernel has a unit handle, a symbol and an address for every unit of the device; going through the general
constructor is most of the time that lowering takes for a large grid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, Use
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


def clone_op(
    op: T, values: dict[SSAValue, SSAValue] | None = None, blocks: dict[Block, Block] | None = None
) -> T:
    """What `op.clone(values, blocks)` makes: a copy with its regions, operands and successors renamed; both tables
    learn what was copied."""
    values = {} if values is None else values
    early: list[tuple[Operation, Operation]] = []
    copied = _copy(op, values, {} if blocks is None else blocks, early)
    for old, new in early:  # an operand may be copied after its user
        operands = [values.get(v, v) for v in old.operands]
        if any(a is not b for a, b in zip(operands, new.operands, strict=True)):
            new.operands = operands
    return copied


def _copy(
    op: T, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block], early: list[tuple[Operation, Operation]]
) -> T:
    operands = tuple(op.operands)
    new = create_op(
        type(op), [values.get(v, v) for v in operands], [r.type for r in op.results], op.properties, op.attributes
    )
    new.location = op.location
    if any(v not in values for v in operands):
        early.append((op, new))
    if op.successors:
        new.successors = [blocks.get(b, b) for b in op.successors]
    for old, result in zip(op.results, new.results, strict=True):
        values[old] = result
        result.name_hint = old.name_hint
    for region in op.regions:
        made = [Block(arg_types=[a.type for a in block.args]) for block in region.blocks]
        blocks.update(zip(region.blocks, made, strict=True))
        new.add_region(Region(made))
        for block, copied in zip(region.blocks, made, strict=True):
            for old, argument in zip(block.args, copied.args, strict=True):
                argument.location = old.location
                argument.name_hint = old.name_hint
                values[old] = argument
            for inner in block.ops:
                copied.add_op(_copy(inner, values, blocks, early))
    return new


@cache
def _has_defaults(cls: type[Operation]) -> bool:
    if not issubclass(cls, IRDLOperation):
        return False
    definition = cls.get_irdl_definition()
    return any(d.default_value is not None for d in (*definition.properties.values(), *definition.attributes.values()))
