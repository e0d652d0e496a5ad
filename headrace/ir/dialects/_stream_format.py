"""The assembly of `stream`, `util`, `flow` and `hal` operations, written once as a format line per operation.

A format is a list of tokens separated by blanks:

```
'x'          the literal text x                        $a        the name of the operand of group a
aff          optional `on(attribute)`                  aff:K:P   optional `K(attribute)`, kept as property P
await        optional `await(%t) =>`                   tp        `=> !stream.timepoint`, the type of the last result
flag:K       the keyword K where the unit property is  T:a       `type{%size}` of operand or result a
flag:K:P     the same, kept as property P              T:a:s     the same, the size in group s
D:a          `type{%dims}`, the dimensions in a_dims   same:r:a  no text: result r has the type of a
is:r         no text: result r is an `i1`
P:a          plain type of operand or result a         E:a       `tensor<..>{%dims}`, property a_encoding
tied:r:t     `%t as type{%size}`: result r tied to t   idx:a     optional `[%i, %j]` of group a
rng:a:b      optional `[%i, %j for %l, %m]`            list:a    `%i, %j` of index type (may be empty)
attr:P       an attribute                              sym:P     a symbol name
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, UnitAttr, i1, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.dialects.stream_types import ResourceType, TimepointType

INDEX = IndexType()
TIMEPOINT = TimepointType()
SEGMENTS = "operandSegmentSizes"
TIED = "tied_operands"

_TOKENS: dict[str, list[list[str]]] = {}
_SIZES: dict[tuple[int, ...], DenseArrayBase] = {}
_GROUPS: dict[type, tuple[list[str], bool]] = {}


def groups_of(cls: type[IRDLOperation]) -> tuple[list[str], bool]:
    """Names of the operand groups in order, and whether their sizes are kept in a property."""
    found = _GROUPS.get(cls)
    if found is None:
        definition = cls.get_irdl_definition()
        sized = any(isinstance(o, AttrSizedOperandSegments) for o in definition.options)
        found = _GROUPS[cls] = ([name for name, _ in definition.operands], sized)
    return found


def make_op(
    cls: Any,
    operands: Mapping[str, SSAValue | Sequence[SSAValue] | None],
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute | None] | None = None,
    regions: Sequence[Region] = (),
    attributes: Mapping[str, Attribute] | None = None,
    location: Any = None,
) -> Any:
    """An operation from operand groups by name; absent groups are empty. Nothing is verified."""
    names, sized = groups_of(cls)
    flat: list[SSAValue] = []
    counts: list[int] = []
    for name in names:
        value = operands.get(name)
        if value is None:
            counts.append(0)
        elif isinstance(value, SSAValue):
            flat.append(value)
            counts.append(1)
        else:
            flat.extend(value)
            counts.append(len(value))
    found = {k: v for k, v in (properties or {}).items() if v is not None}
    if sized:
        key = tuple(counts)
        sizes = _SIZES.get(key)
        if sizes is None:
            sizes = _SIZES[key] = DenseArrayBase.from_list(i32, counts)
        found[SEGMENTS] = sizes
    op = cls.create(
        operands=flat, result_types=result_types, properties=found, regions=regions, attributes=attributes or {}
    )
    if location is not None:
        op.location = location
    return op


def group(op: Operation, name: str) -> list[SSAValue]:
    """The operands of a group."""
    names, sized = groups_of(type(op))  # pyright: ignore[reportArgumentType]
    at = names.index(name)
    if not sized:
        if len(names) == len(op.operands):
            return [op.operands[at]]
        value = getattr(op, name)
        return [] if value is None else [value] if isinstance(value, SSAValue) else list(value)
    counts = op.properties[SEGMENTS].get_values()  # pyright: ignore[reportAttributeAccessIssue]
    start = sum(counts[:at])
    return list(op.operands[start : start + counts[at]])


def group_starts(op: Operation) -> dict[str, tuple[int, int]]:
    """Position and length of each operand group."""
    names, sized = groups_of(type(op))  # pyright: ignore[reportArgumentType]
    found: dict[str, tuple[int, int]] = {}
    if not sized:
        at = 0
        for name in names:
            value = getattr(op, name)
            count = 0 if value is None else 1 if isinstance(value, SSAValue) else len(value)
            found[name] = (at, count)
            at += count
        return found
    at = 0
    for name, count in zip(names, op.properties[SEGMENTS].get_values(), strict=True):  # pyright: ignore
        found[name] = (at, count)
        at += count
    return found


def first(op: Operation, name: str) -> SSAValue | None:
    """The operand of an optional group."""
    found = group(op, name)
    return found[0] if found else None


def ties(op: Operation) -> list[int]:
    """For each result the argument it is tied to (a position in the list of arguments), -1 where it is not."""
    attr = op.properties.get(TIED)
    if attr is None:
        return [-1] * len(op.results)
    return list(attr.get_values())  # pyright: ignore[reportAttributeAccessIssue]


def tied_operands(op: Operation) -> list[int]:
    """For each result the operand it shares storage with (a position in `op.operands`), -1 for none."""
    attr = op.properties.get(TIED)
    if attr is not None:
        found = list(attr.get_values())  # pyright: ignore[reportAttributeAccessIssue]
        starts = group_starts(op)
        base = starts["resource_operands" if "resource_operands" in starts else "arguments"][0]
        return [base + t if t >= 0 else -1 for t in found]
    name = getattr(type(op), "TIES", None)
    if name is not None and op.results:
        return [group_starts(op)[name][0]] + [-1] * (len(op.results) - 1)
    return [-1] * len(op.results)


def tied_attr(values: Sequence[int]) -> DenseArrayBase | None:
    """The property of `ties`, None where nothing is tied."""
    return DenseArrayBase.from_list(i64, list(values)) if any(v >= 0 for v in values) else None


def dims_needed(kind: Attribute) -> int:
    """Number of dynamic dimensions of a type."""
    return kind.get_shape().count(DYNAMIC_INDEX) if isinstance(kind, TensorType) else 0


def parse_sized(parser: Any) -> tuple[Attribute, SSAValue]:
    """`type{%size}`."""
    kind = parser.parse_type()
    parser.parse_punctuation("{")
    size = parser.parse_operand(INDEX)
    parser.parse_punctuation("}")
    return kind, size


def print_sized(printer: Any, kind: Attribute, size: SSAValue) -> None:
    """`type{%size}`."""
    printer.print_attribute(kind)
    printer.print_string("{")
    printer.print_ssa_value(size)
    printer.print_string("}")


def parse_encoding(parser: Any) -> tuple[Attribute, list[SSAValue]]:
    """`tensor<..>` with `{%dims}` behind it where it is dynamic."""
    kind = parser.parse_type()
    dims: list[SSAValue] = []
    if parser.parse_optional_punctuation("{") is not None:
        dims.append(parser.parse_operand(INDEX))
        while parser.parse_optional_punctuation(",") is not None:
            dims.append(parser.parse_operand(INDEX))
        parser.parse_punctuation("}")
    return kind, dims


def print_encoding(printer: Any, kind: Attribute, dims: Sequence[SSAValue]) -> None:
    """`tensor<..>{%dims}`."""
    printer.print_attribute(kind)
    if dims:
        printer.print_string("{")
        printer.print_list(dims, printer.print_ssa_value)
        printer.print_string("}")


def parse_keyed_attribute(parser: Any, keyword: str) -> Attribute | None:
    """Optional `keyword(attribute)`."""
    if parser.parse_optional_keyword(keyword) is None:
        return None
    parser.parse_punctuation("(")
    found = parser.parse_attribute()
    parser.parse_punctuation(")")
    return found


def print_keyed_attribute(printer: Any, keyword: str, value: Attribute | None) -> None:
    """` keyword(attribute)` where there is one."""
    if value is not None:
        printer.print_string(f" {keyword}(")
        printer.print_attribute(value)
        printer.print_string(")")


def parse_await(parser: Any) -> SSAValue | None:
    """Optional `await(%t) =>`."""
    if parser.parse_optional_keyword("await") is None:
        return None
    parser.parse_punctuation("(")
    value = parser.parse_operand(TIMEPOINT)
    parser.parse_punctuation(")")
    parse_arrow(parser)
    return value


def parse_arrow(parser: Any) -> None:
    """`=>`, which MLIR's lexer sees as two tokens."""
    parser.parse_punctuation("=")
    parser.parse_punctuation(">")


def print_await(printer: Any, value: SSAValue | None) -> None:
    """` await(%t) =>`."""
    if value is not None:
        printer.print_string(" await(")
        printer.print_ssa_value(value)
        printer.print_string(") =>")


def parse_timepoint(parser: Any) -> None:
    """`=> !stream.timepoint`."""
    parse_arrow(parser)
    at = parser.pos
    if not isinstance(parser.parse_type(), TimepointType):
        parser.raise_error("expected !stream.timepoint", at)


def _tokens(text: str) -> list[list[str]]:
    found = _TOKENS.get(text)
    if found is None:
        found = []
        for word in text.split():
            if word.startswith("'"):
                found.append(["'", word[1:-1]])
            elif word.startswith("$"):
                found.append(["$", word[1:]])
            else:
                found.append(word.split(":"))
        _TOKENS[text] = found
    return found


class FormatOp(DialectOp):
    """An operation whose text follows from `FORMAT`. Properties named in `DEFAULTS` are hidden where they have it."""

    FORMAT: ClassVar[str] = ""
    TIES: ClassVar[str | None] = None
    STAGING: ClassVar[bool] = True
    """Whether resources may be of lifetime `staging`."""

    @classmethod
    def parse(cls, parser: Any) -> Any:
        names: dict[str, Any] = {}
        kinds: dict[str, Attribute] = {}
        groups: dict[str, list[SSAValue]] = {}
        properties: dict[str, Attribute] = {}
        definition = cls.get_irdl_definition()
        results = [name for name, _ in definition.results]
        for token in _tokens(cls.FORMAT):
            what, *args = token
            if what == "'":
                _parse_literal(parser, args[0])
            elif what == "$":
                names[args[0]] = parser.parse_unresolved_operand()
            elif what == "aff":
                keyword, prop = (args[0], args[1]) if args else ("on", "affinity")
                value = parse_keyed_attribute(parser, keyword)
                if value is not None:
                    properties[prop] = value
            elif what == "await":
                value = parse_await(parser)
                groups["await_timepoint"] = [] if value is None else [value]
            elif what == "flag":
                if parser.parse_optional_keyword(args[0]) is not None:
                    properties[args[-1]] = UnitAttr()
            elif what == "tp":
                parse_timepoint(parser)
                kinds[results[-1]] = TIMEPOINT
            elif what == "T":
                kinds[args[0]], size = parse_sized(parser)
                groups[_size_group(args)] = [size]
            elif what == "D":
                kinds[args[0]], groups[f"{args[0]}_dims"] = parse_encoding(parser)
            elif what == "same":
                kinds[args[0]] = kinds[args[1]]
            elif what == "is":
                kinds[args[0]] = i1
            elif what == "P":
                kinds[args[0]] = parser.parse_type()
            elif what == "E":
                properties[f"{args[0]}_encoding"], dims = parse_encoding(parser)
                groups[f"{args[0]}_encoding_dims"] = dims
            elif what == "tied":
                target = parser.parse_unresolved_operand()
                if target.operand_name != names[args[1]].operand_name:
                    parser.raise_error("expected the tied operand", target.span)
                parser.parse_keyword("as")
                kinds[args[0]], size = parse_sized(parser)
                kinds[args[1]] = kinds[args[0]]
                groups[f"{args[1]}_size"] = [size]
            elif what == "idx" or what == "rng":
                groups[args[0]] = []
                if len(args) > 1:
                    groups[args[1]] = []
                if parser.parse_optional_punctuation("[") is not None:
                    groups[args[0]] = _index_list(parser)
                    if len(args) > 1:
                        parser.parse_keyword("for")
                        groups[args[1]] = _index_list(parser)
                    parser.parse_punctuation("]")
            elif what == "list":
                groups[args[0]] = _index_list(parser)
            elif what == "attr":
                properties[args[0]] = parser.parse_attribute()
            else:
                properties[args[0]] = parser.parse_symbol_name()
        for name, unresolved in names.items():
            groups[name] = [parser.resolve_operand(unresolved, kinds.get(name, INDEX))]
        attributes = parse_trailing(parser, cls, properties)
        return make_op(cls, groups, [kinds.get(r, INDEX) for r in results], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        shown: set[str] = {TIED}
        glued = False
        for token in _tokens(self.FORMAT):
            what, *args = token
            if what == "'":
                text = args[0]
                printer.print_string(text if glued or text in ("[", "]", ",", ")") else f" {text}")
                glued = text in ("[", "(")
                continue
            if what == "aff":
                keyword, prop = (args[0], args[1]) if args else ("on", "affinity")
                print_keyed_attribute(printer, keyword, self.properties.get(prop))
                shown.add(prop)
                continue
            if what == "await":
                print_await(printer, first(self, "await_timepoint"))
                continue
            if what in ("same", "is"):
                continue
            if what == "flag":
                shown.add(args[-1])
                if args[-1] in self.properties:
                    printer.print_string(f" {args[0]}")
                continue
            if what in ("idx", "rng"):
                starts = group(self, args[0])
                if starts:
                    printer.print_string("[")
                    printer.print_list(starts, printer.print_ssa_value)
                    if len(args) > 1:
                        printer.print_string(" for ")
                        printer.print_list(group(self, args[1]), printer.print_ssa_value)
                    printer.print_string("]")
                continue
            if not glued:
                printer.print_string(" ")
            glued = False
            if what == "$":
                printer.print_ssa_value(group(self, args[0])[0])
            elif what == "tp":
                printer.print_string("=> !stream.timepoint")
            elif what == "T":
                print_sized(printer, self._kind(args[0]), group(self, _size_group(args))[0])
            elif what == "D":
                print_encoding(printer, self._kind(args[0]), group(self, f"{args[0]}_dims"))
            elif what == "P":
                printer.print_attribute(self._kind(args[0]))
            elif what == "E":
                shown.add(f"{args[0]}_encoding")
                print_encoding(printer, self.properties[f"{args[0]}_encoding"], group(self, f"{args[0]}_encoding_dims"))
            elif what == "tied":
                printer.print_ssa_value(group(self, args[1])[0])
                printer.print_string(" as ")
                print_sized(printer, self._kind(args[0]), group(self, f"{args[1]}_size")[0])
            elif what == "list":
                printer.print_list(group(self, args[0]), printer.print_ssa_value)
            elif what == "attr":
                shown.add(args[0])
                printer.print_attribute(self.properties[args[0]])
            else:
                shown.add(args[0])
                printer.print_symbol_name(self.properties[args[0]])
        print_trailing(printer, self, shown)

    def _kind(self, name: str) -> Attribute:
        value = getattr(self, name)
        return value.type

    def verify_(self) -> None:
        for prop, encoding in self.properties.items():
            if prop.endswith("_encoding"):
                check_encoding(encoding)
                check_dims(encoding, group(self, f"{prop}_dims"))
        if not self.STAGING:
            no_staging(self)
        self.verify_rules()

    def verify_rules(self) -> None:
        """What one operation asks for beyond its sizes and dimensions."""


def no_staging(op: Operation) -> None:
    """Raise where an operand or result is a staging resource."""
    for value in (*op.operands, *op.results):
        if isinstance(value.type, ResourceType) and value.type.lifetime.data == "staging":
            raise VerifyException("a staging resource cannot be used here")


def check_encoding(encoding: Attribute) -> None:
    """Raise where an encoding is no type."""
    if not isinstance(encoding, TypeAttribute):
        raise VerifyException(f"an encoding must be a type, but is '{encoding}'")


def check_dims(encoding: Attribute, dims: Sequence[SSAValue]) -> None:
    """Raise where an encoding has not as many dimension operands as dynamic dimensions."""
    wanted = dims_needed(encoding)
    if wanted != len(dims):
        raise VerifyException(
            f"type {encoding} has {wanted} dynamic dimensions but only {len(dims)} dimension values are attached"
        )


def parse_trailing(parser: Any, cls: Any, properties: dict[str, Any]) -> dict[str, Attribute]:
    """Optional `attributes {..}`; inherent ones go into `properties`, the others are returned."""
    if parser.parse_optional_keyword("attributes") is None:
        return {}
    props, attributes = parse_attributes(parser, cls)
    properties.update(props)
    return attributes


def print_trailing(printer: Any, op: Operation, shown: Any) -> None:
    """` attributes {..}` with what the text has not shown."""
    rest = {k for k in (*op.properties, *op.attributes) if k not in shown and k not in (SEGMENTS, TIED)}
    if rest:
        printer.print_string(" attributes")
        print_attributes(printer, op, {*shown, SEGMENTS, TIED})


def _size_group(args: Sequence[str]) -> str:
    return args[1] if len(args) > 1 else f"{args[0]}_size"


def _parse_literal(parser: Any, text: str) -> None:
    if text == "=>":
        parse_arrow(parser)
    elif text[0].isalpha():
        parser.parse_keyword(text)
    else:
        parser.parse_punctuation(text)


def _index_list(parser: Any) -> list[SSAValue]:
    found: list[SSAValue] = []
    value = parser.parse_optional_unresolved_operand()
    if value is None:
        return found
    found.append(parser.resolve_operand(value, INDEX))
    while parser.parse_optional_punctuation(",") is not None:
        found.append(parser.parse_operand(INDEX))
    return found


def require_resource(value: SSAValue, *, staging: bool = True, only_staging: bool = False) -> None:
    """Raise where a value is not a resource of a lifetime the operation takes."""
    kind = value.type
    if not isinstance(kind, ResourceType):
        raise VerifyException(f"expected a !stream.resource, but got {kind}")
    if only_staging and kind.lifetime.data != "staging":
        raise VerifyException(f"expected a !stream.resource<staging>, but got {kind}")
    if not staging and kind.lifetime.data == "staging":
        raise VerifyException("a staging resource cannot be used here")
