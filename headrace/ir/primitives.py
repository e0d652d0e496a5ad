"""xDSL's most used primitives in fewer steps.

A compilation makes every operation about twice and visits it some eighty times, so nearly all of its time is xDSL's
constructors, walks and accessors. Importing this module replaces these by functions of the same meaning that do without
intermediate objects, setters and nested generators. Whatever is unusual (operands of unknown kinds, successors,
wrong numbers of arguments) goes to the function of xDSL, which has the messages. `tests/ir/test_primitives.py` compares
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import IRWithName, OpOperands, SSAValues
from xdsl.irdl import IRDLOperation, operations
from xdsl.irdl.operations import (
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSegments,
    BaseAccessor,
    BaseAttrAccessor,
    OpDef,
    OptionalDef,
    VariadicDef,
    VarIRConstruct,
)

from headrace.ir.types import segment_sizes

# pyright: reportPrivateUsage=false

ORIGINAL: dict[str, Any] = {
    "irdl_op_init": operations.irdl_op_init,
    "init": Operation.__init__,
    "walk": Operation.walk,
    "walk_region": Region.walk,
    "walk_block": Block.walk,
    "clone": Operation.clone,
    "attach": Block._attach_op,
    "get": BaseAccessor.__get__,
    "get_sized": BaseAttrAccessor.__get__,
    "item": SSAValues.__getitem__,
    "values": vars(DenseArrayBase)["get_values"],
    "defaults": IRDLOperation.__post_init__,
}
"""What is replaced."""

VALUES = (OpResult, BlockArgument)
ONE, MANY, MAYBE = range(3)


# ---- construction


def _init(
    self: Operation,
    *,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = {},
    attributes: Mapping[str, Attribute] = {},
    location: Any = None,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
) -> None:
    uses: list[Use] = []
    taken = SSAValues(operands)
    for number, value in enumerate(taken):
        first = value.first_use
        use = Use(self, number, None, first)
        if first is not None:
            first._prev_use = use
        value.first_use = use
        uses.append(use)
    self._operands = taken
    self._operand_uses = tuple(uses)
    self.results = SSAValues([OpResult(kind, self, number) for number, kind in enumerate(result_types)])
    self.properties = dict(properties)
    self.attributes = dict(attributes)
    self.location = UNKNOWN_LOC if location is None else location
    if successors:
        self.successors = list(successors)
    else:
        self._successors = ()
        self._successor_uses = ()
    self.regions = ()
    for region in regions:
        self.add_region(region)
    self.__post_init__()


class _Form:
    """What the definition of an operation says about the arguments of its constructor."""

    __slots__ = ("known", "operands", "regions", "results", "segments")

    def __init__(self, definition: OpDef):
        self.operands = tuple(_count(d) for _, d in definition.operands)
        self.results = tuple(_count(d) for _, d in definition.results)
        self.regions = tuple(_count(d) for _, d in definition.regions)
        kinds = (AttrSizedOperandSegments, AttrSizedResultSegments, AttrSizedRegionSegments)
        options = [o for o in definition.options if isinstance(o, AttrSizedSegments)]
        self.known = not definition.successors and len(options) == len(definition.options)
        self.segments: list[tuple[int, str, bool]] = []
        for option in options:
            if isinstance(option, kinds):
                which = next(i for i, kind in enumerate(kinds) if isinstance(option, kind))
                self.segments.append((which, kinds[which].attribute_name, option.as_property))
            else:
                self.known = False


def _count(definition: Any) -> int:
    if isinstance(definition, OptionalDef):
        return MAYBE
    return MANY if isinstance(definition, VariadicDef) else ONE


_FORMS: dict[type, _Form] = {}
_SEQUENCE: dict[type, bool] = {}


def _is_sequence(kind: type) -> bool:
    found = _SEQUENCE.get(kind)
    if found is None:
        found = _SEQUENCE[kind] = issubclass(kind, Sequence)
    return found


def _flat(args: Sequence[Any], counts: tuple[int, ...], single: tuple[type, ...] | None) -> Any:
    """(arguments in a row, how many for each definition); None where xDSL's own function has to look.

    `single` are the classes of one argument; without them it is anything that is no sequence.
    """
    if len(args) != len(counts):
        return None
    row: list[Any] = []
    sizes: list[int] = []
    for arg, count in zip(args, counts, strict=True):
        kind = arg.__class__
        if kind in single if single is not None else not (arg is None or _is_sequence(kind)):
            row.append(arg)
            sizes.append(1)
            continue
        if arg is None:
            if count is not MAYBE:
                return None
            sizes.append(0)
            continue
        if kind is OpOperands:
            arg = arg._op._operands
        elif not (kind is list or kind is tuple or kind is SSAValues):
            return None
        number = len(arg)
        if (count is ONE and number != 1) or (count is MAYBE and number > 1):
            return None
        for one in arg:
            if one.__class__ not in single if single is not None else one is None or _is_sequence(one.__class__):
                return None
        row.extend(arg)
        sizes.append(number)
    return row, sizes


def _irdl_init(
    self: IRDLOperation,
    op_def: OpDef,
    *,
    operands: Any,
    result_types: Any,
    properties: Mapping[str, Attribute | None],
    attributes: Mapping[str, Attribute | None],
    successors: Any,
    regions: Any,
) -> None:
    form = _FORMS.get(self.__class__)
    if form is None:
        form = _FORMS[self.__class__] = _Form(op_def)
    if form.known and not successors:
        a = _flat(operands, form.operands, VALUES)
        b = _flat(result_types, form.results, None)
        c = _flat(regions, form.regions, (Region,))
        if a is not None and b is not None and c is not None:
            kept = {name: value for name, value in properties.items() if value is not None}
            extra = {name: value for name, value in attributes.items() if value is not None}
            for which, name, as_property in form.segments:
                (kept if as_property else extra)[name] = segment_sizes(*(a, b, c)[which][1])
            _init(
                self, operands=a[0], result_types=b[0], properties=kept, attributes=extra, regions=c[0]
            )  # fmt: skip
            return
    ORIGINAL["irdl_op_init"](
        self,
        op_def,
        operands=operands,
        result_types=result_types,
        properties=properties,
        attributes=attributes,
        successors=successors,
        regions=regions,
    )


_DEFAULTS: dict[type, tuple[tuple[tuple[str, Attribute], ...], tuple[tuple[str, Attribute], ...]]] = {}


def _set_defaults(self: IRDLOperation) -> None:
    found = _DEFAULTS.get(self.__class__)
    if found is None:
        definition = self.get_irdl_definition()
        found = _DEFAULTS[self.__class__] = (_defaults(definition.properties), _defaults(definition.attributes))
    for name, value in found[0]:
        self.properties.setdefault(name, value)
    for name, value in found[1]:
        self.attributes.setdefault(name, value)
    super(IRDLOperation, self).__post_init__()


def _defaults(definitions: Mapping[str, Any]) -> tuple[tuple[str, Attribute], ...]:
    return tuple(
        (name, d.default_value)
        for name, d in definitions.items()
        if not isinstance(d, OptionalDef) and d.default_value is not None
    )


def _clone(
    self: Operation,
    value_mapper: dict[SSAValue, SSAValue] | None = None,
    block_mapper: dict[Block, Block] | None = None,
    *,
    clone_name_hints: bool = True,
    clone_operands: bool = True,
) -> Operation:
    if not clone_operands:
        return ORIGINAL["clone"](
            self, value_mapper, block_mapper, clone_name_hints=clone_name_hints, clone_operands=False
        )
    values = {} if value_mapper is None else value_mapper
    late: list[tuple[Operation, Operation]] = []
    copied = _copy(self, values, {} if block_mapper is None else block_mapper, clone_name_hints, late)
    for old, new in late:
        operands = [values.get(v, v) for v in old._operands]
        if any(a is not b for a, b in zip(operands, new._operands, strict=True)):
            new.operands = operands
    return copied


def _copy(
    op: Operation,
    values: dict[SSAValue, SSAValue],
    blocks: dict[Block, Block],
    hints: bool,
    late: list[tuple[Operation, Operation]],
) -> Operation:
    """A copy with its regions; goes to `late` where an operand may be copied later."""
    new = op.__class__.__new__(op.__class__)
    _init(
        new,
        operands=[values.get(v, v) for v in op._operands],
        result_types=[r._type for r in op.results],
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
        successors=[blocks.get(b, b) for b in op._successors],
        regions=[Region() for _ in op.regions],
    )
    if any(v not in values for v in op._operands):
        late.append((op, new))
    for old, result in zip(op.results, new.results, strict=True):
        values[old] = result
        if hints:
            result.name_hint = old.name_hint
    for region, target in zip(op.regions, new.regions, strict=True):
        made = [Block(arg_types=[a._type for a in block.args]) for block in region.blocks]
        blocks.update(zip(region.blocks, made, strict=True))
        target.add_block(made)
        for block, copied in zip(region.blocks, made, strict=True):
            for old, argument in zip(block.args, copied.args, strict=True):
                argument.location = old.location
                values[old] = argument
                if hints:
                    argument.name_hint = old.name_hint
            for inner in block.ops:
                copied.add_op(_copy(inner, values, blocks, hints, late))
    return new


def _attach_op(self: Block, operation: Operation) -> None:
    if operation.regions or operation.parent is not None:
        ORIGINAL["attach"](self, operation)
    else:
        operation.parent = self


# ---- walks


def below(regions: Sequence[Region], names: tuple[str, ...] = (), attached: bool = False) -> Iterator[Operation]:
    """The operations in `regions`, pre-order, or those with one of `names`.

    What follows an operation is read before it is handed out, what it holds afterwards (only where it is still in a
    block, if `attached`).
    """
    stack: list[Any] = list(reversed(regions))
    while stack:
        item = stack.pop()
        kind = item.__class__
        if kind is Region:
            block = item._first_block
            if block is not item._last_block:
                stack.extend(reversed(item.blocks))
                continue
            op = None if block is None else block._first_op
        elif kind is Block:
            op = item._first_op
        else:
            op = item
        while op is not None:
            following = op._next_op
            if not names or op.name in names:
                yield op
            inner = op.regions
            if inner and (not attached or op.parent is not None):
                if following is not None:
                    stack.append(following)
                stack.extend(reversed(inner))
                break
            op = following


def _all(op: Operation) -> Iterator[Operation]:
    yield op
    if op.regions:
        yield from below(op.regions)


def _walk(self: Operation, *, reverse: bool = False, region_first: bool = False) -> Iterator[Operation]:
    if reverse or region_first:
        return ORIGINAL["walk"](self, reverse=reverse, region_first=region_first)
    return _all(self)


def _walk_region(self: Region, *, reverse: bool = False, region_first: bool = False) -> Iterator[Operation]:
    if reverse or region_first:
        return ORIGINAL["walk_region"](self, reverse=reverse, region_first=region_first)
    return below((self,))


def _walk_block(self: Block, *, reverse: bool = False, region_first: bool = False) -> Iterator[Operation]:
    if reverse or region_first:
        return ORIGINAL["walk_block"](self, reverse=reverse, region_first=region_first)
    return below((self,))  # pyright: ignore[reportArgumentType]


# ---- accessors


def _constructs(op: Operation, construct: VarIRConstruct) -> Any:
    if construct is VarIRConstruct.OPERAND:
        return op._operands
    if construct is VarIRConstruct.RESULT:
        return op.results
    return op.regions if construct is VarIRConstruct.REGION else op._successors


def _get(self: BaseAccessor, obj: Operation, objtype: Any = None) -> Any:
    return self.index(_constructs(obj, self.construct))


def _get_sized(self: BaseAttrAccessor, obj: Operation, objtype: Any = None) -> Any:
    sizes: Any = self.option.container(obj)[self.option.attribute_name]
    return self.index(sizes.get_values(), _constructs(obj, self.construct))


def _item(self: SSAValues, idx: Any) -> Any:
    found = tuple.__getitem__(self, idx)
    return SSAValues(found) if idx.__class__ is slice else found


def _get_values(self: Any) -> Any:
    found = self.__dict__.get("_unpacked")
    if found is None:
        found = ORIGINAL["values"](self)
        object.__setattr__(self, "_unpacked", found)
    return found


@lru_cache(maxsize=4096)
def _valid_name(cls: type[IRWithName], name: str) -> str:
    return cls.extract_valid_name(name)


def _set_name_hint(self: IRWithName, name: str | None) -> None:
    self._name = None if name is None else _valid_name(self.__class__, name)


def _install() -> None:
    replaced: Any
    for replaced in (Block, Region, Operation, IRDLOperation, SSAValue, Use):  # identity, without a call
        replaced.__hash__ = object.__hash__
        replaced.__eq__ = object.__eq__
    table: list[tuple[Any, str, Any]] = [
        (operations, "irdl_op_init", _irdl_init),
        (Operation, "__init__", _init),
        (Operation, "walk", _walk),
        (Operation, "clone", _clone),
        (Region, "walk", _walk_region),
        (Block, "walk", _walk_block),
        (Block, "_attach_op", _attach_op),
        (IRDLOperation, "__post_init__", _set_defaults),
        (BaseAccessor, "__get__", _get),
        (BaseAttrAccessor, "__get__", _get_sized),
        (SSAValues, "__getitem__", _item),
        (DenseArrayBase, "get_values", _get_values),
        (IRWithName, "name_hint", property(IRWithName.name_hint.fget, _set_name_hint)),
    ]
    for replaced, name, function in table:
        setattr(replaced, name, function)


_install()
