"""Types and attributes of the `stream` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

#: Lifetimes of a resource in the order of the enumeration.
LIFETIMES = ("*", "external", "staging", "transient", "variable", "constant")
PARTITIONING = ("debug", "min-peak-memory", "max-concurrency")
COLLECTIVES = (
    "all_gather", "all_reduce", "all_to_all", "broadcast", "reduce", "reduce_scatter", "send", "recv", "send_recv",
)  # fmt: skip
REDUCTIONS = ("none", "sum", "product", "minimum", "maximum", "average")
COLLECTIVE_TYPES = (
    "si8", "ui8", "si16", "ui16", "si32", "ui32", "si64", "ui64", "f16", "f32", "f64", "bf16",
)  # fmt: skip
CONFIG_KEYS: dict[str, object] = {
    "max_allocation_size": 0,
    "min_buffer_offset_alignment": 0,
    "max_buffer_range": 0,
    "min_buffer_range_alignment": 0,
    "index_bits": 32,
    "alias_mutable_bindings": False,
    "memory_model": "Discrete",
}
"""Keys of a resource configuration with the values of the keys a text leaves out."""


@irdl_attr_definition
class ResourceType(ParametrizedAttribute, TypeAttribute):
    """`!stream.resource<external>`: a handle of a byte buffer with its lifetime; `*` is not decided yet."""

    name = "stream.resource"
    lifetime: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            if parser.parse_optional_punctuation("*") is not None:
                return [StringAttr("*")]
            at = parser.pos
            word = parser.parse_identifier()
            if word not in LIFETIMES:
                parser.raise_error(f"unknown lifetime '{word}'; there are {', '.join(LIFETIMES)}", at)
            return [StringAttr(word)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.lifetime.data}>")


@irdl_attr_definition
class TimepointType(ParametrizedAttribute, TypeAttribute):
    """`!stream.timepoint`: reached when all work before it is complete and visible."""

    name = "stream.timepoint"


@irdl_attr_definition
class FileType(ParametrizedAttribute, TypeAttribute):
    """`!stream.file`: a file handle for asynchronous transfers."""

    name = "stream.file"


@irdl_attr_definition
class ChannelType(ParametrizedAttribute, TypeAttribute):
    """`!stream.channel`: one participant of a collective group."""

    name = "stream.channel"


@irdl_attr_definition
class BindingType(ParametrizedAttribute, TypeAttribute):
    """`!stream.binding`: a resource inside a kernel's signature."""

    name = "stream.binding"


@irdl_attr_definition
class PartitioningConfigAttr(ParametrizedAttribute):
    """`#stream.partitioning_config<"max-concurrency">`: what partitions and waves favour."""

    name = "stream.partitioning_config"
    favor: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            at = parser.pos
            word = parser.parse_str_literal()
            if word not in PARTITIONING:
                parser.raise_error(f"unknown objective '{word}'; there are {', '.join(PARTITIONING)}", at)
            return [StringAttr(word)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f'<"{self.favor.data}">')


@irdl_attr_definition
class ResourceConfigAttr(ParametrizedAttribute):
    """`#stream.resource_config<{index_bits = 32, memory_model = Discrete}>`: limits of a device's memory."""

    name = "stream.resource_config"
    config: DictionaryAttr

    @classmethod
    def parse_parameters(cls, parser: Any) -> Sequence[Attribute]:
        found: dict[str, Attribute] = {}

        def entry() -> None:
            at = parser.pos
            key = parser.parse_identifier()
            if key not in CONFIG_KEYS:
                parser.raise_error(f"unknown key '{key}'; there are {', '.join(CONFIG_KEYS)}", at)
            parser.parse_punctuation("=")
            if key == "memory_model":
                found[key] = StringAttr(parser.parse_identifier())
            elif key == "alias_mutable_bindings":
                found[key] = IntegerAttr.from_bool(parser.parse_boolean())
            else:
                found[key] = IntegerAttr(parser.parse_integer(allow_boolean=False), 64)

        with parser.in_angle_brackets():
            parser.parse_comma_separated_list(parser.Delimiter.BRACES, entry)
        return [DictionaryAttr(found)]

    def flag(self, key: str) -> bool:
        """Whether a key that is true or false is given and true."""
        value = self.config.data.get(key)
        return isinstance(value, IntegerAttr) and bool(value.value.data)

    def print_parameters(self, printer: Printer) -> None:
        parts: list[str] = []
        for key in CONFIG_KEYS:
            value = self.config.data.get(key)
            if isinstance(value, StringAttr):
                parts.append(f"{key} = {value.data}")
            elif isinstance(value, IntegerAttr):
                number = value.value.data
                parts.append(
                    f"{key} = {'true' if number else 'false'}" if key.startswith("alias") else f"{key} = {number}"
                )
        printer.print_string("<{" + ", ".join(parts) + "}>")

    def get(self, key: str) -> Any:
        """The value of a key, or its default."""
        value = self.config.data.get(key)
        if isinstance(value, StringAttr):
            return value.data
        if isinstance(value, IntegerAttr):
            return bool(value.value.data) if key.startswith("alias") else value.value.data
        return CONFIG_KEYS[key]


@irdl_attr_definition
class TimepointAttr(ParametrizedAttribute):
    """`#stream.timepoint<immediate>`: initial value of a timepoint global."""

    name = "stream.timepoint"
    kind: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("immediate")
            return [StringAttr("immediate")]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<immediate>")


@irdl_attr_definition
class CollectiveAttr(ParametrizedAttribute):
    """`#stream.collective<all_reduce with sum : f32>`; in operations only `<...>` is written."""

    name = "stream.collective"
    kind: StringAttr
    reduction: StringAttr
    element: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def word(known: Sequence[str], what: str) -> StringAttr:
            at = parser.pos
            found = parser.parse_identifier()
            if found not in known:
                parser.raise_error(f"unknown {what} '{found}'; there are {', '.join(known)}", at)
            return StringAttr(found)

        with parser.in_angle_brackets():
            kind = word(COLLECTIVES, "collective")
            reduction = StringAttr("")
            if parser.parse_optional_keyword("with") is not None:
                reduction = word(REDUCTIONS, "reduction")
            parser.parse_punctuation(":")
            return [kind, reduction, word(COLLECTIVE_TYPES, "element type")]

    def print_parameters(self, printer: Printer) -> None:
        reduction = f" with {self.reduction.data}" if self.reduction.data else ""
        printer.print_string(f"<{self.kind.data}{reduction} : {self.element.data}>")


@irdl_attr_definition
class NamedParameterAttr(ParametrizedAttribute):
    """`#stream.parameter.named<"scope"::"key">`: a constant that comes from a parameter archive."""

    name = "stream.parameter.named"
    scope: StringAttr
    key: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            head = parser.parse_str_literal()
            if parser.parse_optional_punctuation("::") is not None:  # pyright: ignore[reportArgumentType]
                return [StringAttr(head), StringAttr(parser.parse_str_literal())]
            return [StringAttr(""), StringAttr(head)]

    def print_parameters(self, printer: Printer) -> None:
        scope = f'"{self.scope.data}"::' if self.scope.data else ""
        printer.print_string(f'<{scope}"{self.key.data}">')


def resource(lifetime: str) -> ResourceType:
    """The type of a lifetime."""
    return _RESOURCES[lifetime]


_RESOURCES = {name: ResourceType(StringAttr(name)) for name in LIFETIMES}
