"""Construction of many small operations: what `Operation.create` does, without its setters.

A scheduled kernel has a unit handle, a symbol and an address for every unit of the device; going through the general
constructor is most of the time that lowering takes for a large grid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import SSAValues
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation

from headrace.ir.types import integer_values, segment_sizes

T = TypeVar("T", bound=Operation)

_NO_VALUES: SSAValues[SSAValue] = SSAValues()
_NO_RESULTS: SSAValues[OpResult] = SSAValues()


def create_op(
    cls: type[T],
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
    regions: Sequence[Region] = (),
) -> T:
    """A new `cls` without successors, as `cls.create` makes it.

    Nothing is checked.
    """
    op = cls.__new__(cls)
    init_op(op, operands, result_types, properties, attributes, regions)
    return op


def init_op(
    op: Operation,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
    regions: Sequence[Region] = (),
) -> None:
    """`create_op` for the `__init__` of an operation class."""
    uses = [Use(op, number) for number in range(len(operands))]
    for value, use in zip(operands, uses, strict=True):
        value.add_use(use)
    op._operands = SSAValues(operands) if operands else _NO_VALUES  # pyright: ignore[reportPrivateUsage]
    op._operand_uses = tuple(uses)  # pyright: ignore[reportPrivateUsage]
    op._successors = ()  # pyright: ignore[reportPrivateUsage]
    op._successor_uses = ()  # pyright: ignore[reportPrivateUsage]
    op.results = (
        SSAValues([OpResult(kind, op, number) for number, kind in enumerate(result_types)])
        if result_types
        else _NO_RESULTS
    )
    op.properties = dict(properties) if properties else {}
    op.attributes = dict(attributes) if attributes else {}
    op.location = UNKNOWN_LOC
    op.regions = ()
    for region in regions:
        op.add_region(region)
    if _completes_itself(type(op)):
        op.__post_init__()


@cache
def _completes_itself(cls: type[Operation]) -> bool:
    """Whether something is left to do after the parts are in place: defaults, terminators."""
    if not issubclass(cls, IRDLOperation) or cls.__post_init__ is not IRDLOperation.__post_init__:
        return True
    definition = cls.get_irdl_definition()
    return any(d.default_value is not None for d in (*definition.properties.values(), *definition.attributes.values()))


def copy_op(op: T, values: dict[SSAValue, SSAValue]) -> T:
    """`op.clone(values)`, in one step where there are no regions to walk."""
    return op.clone(values) if op.regions else op.clone_without_regions(values)


def end_blocks(op: Operation, terminator: type[Operation]) -> None:
    """Give each single-block region of `op` that has no operation yet its terminator without operands."""
    for region in op.regions:
        block = region.first_block
        if block is not None and block is region.last_block and block.last_op is None:
            block.add_op(create_op(terminator))


def operand_groups(op: Operation) -> list[tuple[SSAValue, ...]]:
    """The operands of each group of an operation whose groups have sizes: all of them for one look at the sizes."""
    sizes = integer_values(op.properties[AttrSizedOperandSegments.attribute_name])
    operands = tuple(op.operands)
    groups: list[tuple[SSAValue, ...]] = []
    start = 0
    for size in sizes:
        groups.append(operands[start : start + size])
        start += size
    return groups


class DialectOp(IRDLOperation):
    """Base of headrace's own operations: `__init__` takes what `IRDLOperation`'s takes (operands and results by group,
    a property or attribute of None is left out) and makes the same operation without looking at its definition again.

    That the groups are as many and as long as the definition says is left to `verify`.
    """

    def __init__(
        self,
        *,
        operands: Sequence[SSAValue | Operation | Sequence[SSAValue | Operation] | None] = (),
        result_types: Sequence[Attribute | Sequence[Attribute] | None] = (),
        properties: Mapping[str, Attribute | None] | None = None,
        attributes: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Region | Sequence[Region]] = (),
    ) -> None:
        values: list[SSAValue] = []
        sizes: list[int] = []
        for group in operands:
            if group is None:
                sizes.append(0)
            elif type(group) in _VALUES or isinstance(group, SSAValue | Operation):
                values.append(group if type(group) in _VALUES else SSAValue.get(group))  # pyright: ignore
                sizes.append(1)
            else:
                values += [v if type(v) in _VALUES else SSAValue.get(v) for v in group]  # pyright: ignore
                sizes.append(len(group))
        types: list[Attribute] = []
        for kind in result_types:
            if isinstance(kind, Attribute):
                types.append(kind)
            elif kind is not None:
                types += kind
        inner: list[Region] = []
        for part in regions:
            if isinstance(part, Region):
                inner.append(part)
            else:
                inner += part
        given = {} if properties is None else {name: a for name, a in properties.items() if a is not None}
        discardable = {} if attributes is None else {name: a for name, a in attributes.items() if a is not None}
        if (as_property := _operands_are_sized(type(self))) is not None:
            table = given if as_property else discardable
            table[AttrSizedOperandSegments.attribute_name] = segment_sizes(*sizes)
        init_op(self, values, types, given, discardable, inner)


_VALUES = frozenset({OpResult, BlockArgument})


@cache
def _operands_are_sized(cls: type[IRDLOperation]) -> bool | None:
    """Whether the sizes of operand groups are kept as a property (else an attribute); None where they are not kept."""
    options = cls.get_irdl_definition().options
    assert all(isinstance(option, AttrSizedOperandSegments) for option in options), cls.name
    return options[0].as_property if options else None  # pyright: ignore[reportAttributeAccessIssue]
