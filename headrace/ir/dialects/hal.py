"""The few forms of the `hal` dialect that programs around `stream` use: places, topology, the program boundary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_format import (
    INDEX,
    FormatOp,
    check_dims,
    group,
    make_op,
    parse_encoding,
    parse_keyed_attribute,
    parse_trailing,
    print_encoding,
    print_keyed_attribute,
    print_trailing,
)


@irdl_attr_definition
class BufferViewType(ParametrizedAttribute, TypeAttribute):
    """`!hal.buffer_view`: a buffer with shape and element type, as it crosses the program boundary."""

    name = "hal.buffer_view"


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """`!hal.buffer`: device memory owned by the caller."""

    name = "hal.buffer"


@irdl_attr_definition
class DeviceType(ParametrizedAttribute, TypeAttribute):
    """`!hal.device`: a device; a global of this type names a place."""

    name = "hal.device"


@irdl_attr_definition
class FenceType(ParametrizedAttribute, TypeAttribute):
    """`!hal.fence`: a set of timeline points of the runtime; timepoints are imported from and exported to it."""

    name = "hal.fence"


@irdl_attr_definition
class SemaphoreType(ParametrizedAttribute, TypeAttribute):
    """`!hal.semaphore`: one timeline of the runtime."""

    name = "hal.semaphore"


class _Place(ParametrizedAttribute):
    """Shared text of the attributes that name a device and, optionally, queues."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            device = parser.parse_symbol_name()
            queues: list[int] = []
            if parser.parse_optional_punctuation(",") is not None:
                at = parser.pos
                queues = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
                )
                if any(not 0 <= q < 64 for q in queues):
                    parser.raise_error("queue numbers go from 0 to 63", at)
            return [
                SymbolRefAttr(device.data),
                ArrayAttr([IntegerAttr(q, i64) for q in sorted(set(queues))]),
            ]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<")
        printer.print_attribute(self.device)  # pyright: ignore[reportAttributeAccessIssue]
        queues = [q.value.data for q in self.queues.data]  # pyright: ignore[reportAttributeAccessIssue]
        if queues:
            printer.print_string(", [" + ", ".join(map(str, queues)) + "]")
        printer.print_string(">")


@irdl_attr_definition
class DeviceAffinityAttr(_Place):
    """`#hal.device.affinity<@dev, [0, 3]>`: a device and the queues that may be used (none given: all)."""

    name = "hal.device.affinity"
    device: SymbolRefAttr
    queues: ArrayAttr[IntegerAttr]


@irdl_attr_definition
class DevicePromiseAttr(_Place):
    """`#hal.device.promise<@dev>`: a place named before devices are declared."""

    name = "hal.device.promise"
    device: SymbolRefAttr
    queues: ArrayAttr[IntegerAttr]


@irdl_attr_definition
class DeviceOptimalAttr(ParametrizedAttribute):
    """`#hal.device.optimal<[A, B]>`: any one of the listed places."""

    name = "hal.device.optimal"
    places: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute))]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<[")
        printer.print_list(self.places.data, printer.print_attribute)
        printer.print_string("]>")


_LINK_KEYS = ("unified_memory", "transparent_access")


@irdl_attr_definition
class TopologyAttr(ParametrizedAttribute):
    """`#hal.device.topology<links = [(@a -> @b = {unified_memory = true})]>`: directed links between devices."""

    name = "hal.device.topology"
    links: ArrayAttr[DictionaryAttr]

    @classmethod
    def parse_parameters(cls, parser: Any) -> Sequence[Attribute]:
        def link() -> DictionaryAttr:
            parser.parse_punctuation("(")
            found: dict[str, Attribute] = {"source": SymbolRefAttr(parser.parse_symbol_name().data)}
            parser.parse_punctuation("->")
            found["target"] = SymbolRefAttr(parser.parse_symbol_name().data)
            parser.parse_punctuation("=")

            def flag() -> None:
                at = parser.pos
                key = parser.parse_identifier()
                if key not in _LINK_KEYS:
                    parser.raise_error(f"unknown key '{key}'; there are {', '.join(_LINK_KEYS)}", at)
                parser.parse_punctuation("=")
                if parser.parse_boolean():
                    found[key] = UnitAttr()

            parser.parse_comma_separated_list(parser.Delimiter.BRACES, flag)
            parser.parse_punctuation(")")
            return DictionaryAttr(found)

        with parser.in_angle_brackets():
            parser.parse_keyword("links")
            parser.parse_punctuation("=")
            return [ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, link))]

    def print_parameters(self, printer: Printer) -> None:
        parts: list[str] = []
        for item in self.links.data:
            flags = ", ".join(f"{key} = true" for key in _LINK_KEYS if key in item.data)
            parts.append(f"(@{_name(item.data['source'])} -> @{_name(item.data['target'])} = {{{flags}}})")
        printer.print_string("<links = [" + ", ".join(parts) + "]>")

    def flag(self, source: str, target: str, key: str) -> bool:
        """Whether the link from `source` to `target` has a flag; true for a device and itself."""
        if source == target:
            return True
        return any(
            _name(item.data["source"]) == source and _name(item.data["target"]) == target and key in item.data
            for item in self.links.data
        )


def _name(value: Attribute) -> str:
    assert isinstance(value, SymbolRefAttr)
    return value.root_reference.data


def device_of(affinity: Attribute | None) -> str | None:
    """The device an affinity names; for `optimal` the first."""
    if isinstance(affinity, DeviceAffinityAttr | DevicePromiseAttr):
        return affinity.device.root_reference.data
    if isinstance(affinity, DeviceOptimalAttr) and affinity.places.data:
        return device_of(affinity.places.data[0])
    return None


def affinity_of(device: str, queues: Sequence[int] = ()) -> DeviceAffinityAttr:
    """The affinity of a device."""
    return DeviceAffinityAttr(SymbolRefAttr(device), ArrayAttr([IntegerAttr(q, i64) for q in queues]))


def queue_mask(affinity: Attribute | None) -> int:
    """The queues of an affinity as a 64-bit mask (none given: all)."""
    if isinstance(affinity, DeviceAffinityAttr | DevicePromiseAttr) and affinity.queues.data:
        return sum(1 << q.value.data for q in affinity.queues.data)
    return (1 << 64) - 1


def compatible(left: Attribute | None, right: Attribute | None) -> bool:
    """Equal, or exactly one absent."""
    return left == right or (left is None) != (right is None)


def can_execute_together(left: Attribute | None, right: Attribute | None) -> bool:
    """Equal, exactly one absent, or the same device with the queues of `left` among those of `right`."""
    if compatible(left, right):
        return True
    one, other = device_of(left), device_of(right)
    return one is not None and one == other and queue_mask(left) & ~queue_mask(right) == 0


def join_or(left: Attribute | None, right: Attribute | None) -> Attribute | None:
    """A place that covers both: on one device the union of queues, otherwise `optimal` of both."""
    if left is None or right is None or left == right:
        return left if right is None else right
    one = device_of(left)
    if (
        one == device_of(right)
        and isinstance(left, DeviceAffinityAttr)
        and isinstance(right, DeviceAffinityAttr)
        and one is not None
    ):
        mask = queue_mask(left) | queue_mask(right)
        full = mask == (1 << 64) - 1
        return affinity_of(one, [] if full else [q for q in range(64) if mask >> q & 1])
    parts: list[Attribute] = []
    for item in (left, right):
        for place in item.places.data if isinstance(item, DeviceOptimalAttr) else (item,):
            if place not in parts:
                parts.append(place)
    return DeviceOptimalAttr(ArrayAttr(parts))


def join_and(left: Attribute | None, right: Attribute | None) -> Attribute | None:
    """A place both can run at; None where there is none."""
    if not can_execute_together(left, right) and not can_execute_together(right, left):
        return None
    if left is None or right is None or left == right:
        return left if right is None else right
    device = device_of(left)
    mask = queue_mask(left) & queue_mask(right)
    assert device is not None
    return affinity_of(device, [q for q in range(64) if mask >> q & 1] if mask != (1 << 64) - 1 else [])


@irdl_op_definition
class TensorImportOp(FormatOp):
    """`%t = hal.tensor.import %view "name" : !hal.buffer_view -> tensor<?x4xf32>{%d}`:
    the tensor that a caller handed over.
    """

    name = "hal.tensor.import"
    source = operand_def()
    target_dims = var_operand_def(INDEX)
    wait_fence = opt_operand_def(FenceType())
    result = result_def()
    target_encoding = opt_prop_def()
    consume = opt_prop_def(UnitAttr)
    target_name = opt_prop_def(StringAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> TensorImportOp:
        properties: dict[str, Attribute] = {}
        fence = None
        if parser.parse_optional_keyword("wait") is not None:
            parser.parse_punctuation("(")
            fence = parser.parse_operand(FenceType())
            parser.parse_punctuation(")")
            parser.parse_punctuation("=")
            parser.parse_punctuation(">")
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        if parser.parse_optional_keyword("consume") is not None:
            properties["consume"] = UnitAttr()
        source = parser.parse_unresolved_operand()
        label = parser.parse_optional_str_literal()
        if label is not None:
            properties["target_name"] = StringAttr(label)
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation("->")
        result, dims = parse_encoding(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {"source": parser.resolve_operand(source, kind), "target_dims": dims, "wait_fence": fence}
        return make_op(cls, groups, [result], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.wait_fence is not None:
            printer.print_string(" wait(")
            printer.print_ssa_value(self.wait_fence)
            printer.print_string(") =>")
        print_keyed_attribute(printer, "on", self.affinity)
        if self.consume is not None:
            printer.print_string(" consume")
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.target_name is not None:
            printer.print_string(f' "{self.target_name.data}"')
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        print_encoding(printer, self.result.type, group(self, "target_dims"))
        print_trailing(printer, self, ("affinity", "consume", "target_name", "target_encoding"))

    def verify_(self) -> None:
        check_dims(self.result.type, group(self, "target_dims"))


@irdl_op_definition
class TensorExportOp(FormatOp):
    """`%view = hal.tensor.export %t "name" : tensor<?x4xf32>{%d} -> !hal.buffer_view`:
    a view of a tensor for the caller.
    """

    name = "hal.tensor.export"
    source = operand_def()
    source_dims = var_operand_def(INDEX)
    result = result_def()
    source_name = opt_prop_def(StringAttr)
    source_encoding = opt_prop_def()
    affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> TensorExportOp:
        properties: dict[str, Attribute] = {}
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        source = parser.parse_unresolved_operand()
        label = parser.parse_optional_str_literal()
        if label is not None:
            properties["source_name"] = StringAttr(label)
        parser.parse_punctuation(":")
        kind, dims = parse_encoding(parser)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        attributes = parse_trailing(parser, cls, properties)
        groups = {"source": parser.resolve_operand(source, kind), "source_dims": dims}
        return make_op(cls, groups, [result], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.source_name is not None:
            printer.print_string(f' "{self.source_name.data}"')
        printer.print_string(" : ")
        print_encoding(printer, self.source.type, self.operands[1:])
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)
        print_trailing(printer, self, ("affinity", "source_name", "source_encoding"))

    def verify_(self) -> None:
        check_dims(self.source.type, self.operands[1:])


@irdl_op_definition
class TensorTransientsOp(FormatOp):
    """What is needed on the way to a tensor lives in storage of the caller.

    ```
    %t = hal.tensor.transients %y : tensor<?x4xf32>{%d} from %storage : !hal.buffer
    ```
    """

    name = "hal.tensor.transients"
    source = operand_def()
    source_dims = var_operand_def(INDEX)
    storage = operand_def()
    result = result_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $source ':' D:source 'from' $storage ':' P:storage same:result:source"

    def verify_(self) -> None:
        check_dims(self.source.type, self.operands[1:-1])
        if not isinstance(self.storage.type, BufferType | BufferViewType):
            raise VerifyException("the storage is a !hal.buffer or a !hal.buffer_view")


@irdl_op_definition
class BufferLengthOp(FormatOp):
    """`%n = hal.buffer.length<%buffer : !hal.buffer> : index`: the bytes of a buffer."""

    name = "hal.buffer.length"
    buffer = operand_def(BufferType())
    result = result_def(INDEX)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> BufferLengthOp:
        parser.parse_punctuation("<")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation(">")
        parser.parse_punctuation(":")
        result = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        operand = parser.resolve_operand(value, kind)
        return cls.create(operands=[operand], result_types=[result], attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_string("<")
        printer.print_ssa_value(self.buffer)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
        printer.print_string("> : ")
        printer.print_attribute(self.result.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class BufferViewDimOp(FormatOp):
    """`%d = hal.buffer_view.dim<%view : !hal.buffer_view>[0] : index`:
    an extent of a view.
    """

    name = "hal.buffer_view.dim"
    buffer_view = operand_def()
    index = prop_def(IntegerAttr)
    result = result_def(INDEX)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> BufferViewDimOp:
        parser.parse_punctuation("<")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation(">")
        parser.parse_punctuation("[")
        number = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        result = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[parser.resolve_operand(value, kind)],
            result_types=[result],
            properties={"index": IntegerAttr(number, INDEX)},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string("<")
        printer.print_ssa_value(self.buffer_view)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer_view.type)
        printer.print_string(f">[{self.index.value.data}] : ")
        printer.print_attribute(self.result.type)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if not isinstance(self.buffer_view.type, BufferViewType):
            raise VerifyException("expected a !hal.buffer_view")
        if self.index.value.data < 0:
            raise VerifyException("the dimension must not be negative")


Hal = Dialect(
    "hal",
    [TensorImportOp, TensorExportOp, TensorTransientsOp, BufferLengthOp, BufferViewDimOp],
    [
        BufferViewType,
        BufferType,
        DeviceType,
        FenceType,
        SemaphoreType,
        DeviceAffinityAttr,
        DevicePromiseAttr,
        DeviceOptimalAttr,
        TopologyAttr,
    ],
)
