"""Ordering and transfers of `stream`: timepoints, files, channels."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_dispatch import check_count
from headrace.ir.dialects._stream_format import (
    INDEX,
    TIMEPOINT,
    FormatOp,
    first,
    group,
    make_op,
    parse_arrow,
    parse_await,
    parse_keyed_attribute,
    parse_sized,
    parse_timepoint,
    parse_trailing,
    print_await,
    print_keyed_attribute,
    print_sized,
    print_trailing,
)
from headrace.ir.dialects.stream_types import ChannelType, FileType
from headrace.ir.dialects.util import UtilBufferType

_BUFFER = UtilBufferType()
_FILE = FileType()
_CHANNEL = ChannelType()


@irdl_op_definition
class TimepointImmediateOp(FormatOp):
    """Already reached.

    ```
    %now = stream.timepoint.immediate => !stream.timepoint
    ```
    """

    name = "stream.timepoint.immediate"
    result_timepoint = result_def(TIMEPOINT)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "tp"


@irdl_op_definition
class TimepointImportOp(FormatOp):
    """`%t = stream.timepoint.import %f : (!hal.fence) => !stream.timepoint`: from a foreign fence."""

    name = "stream.timepoint.import"
    operands_ = var_operand_def()
    result_timepoint = result_def(TIMEPOINT)
    affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> TimepointImportOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        at = parser.pos
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        values = list(parser.resolve_operands(names, kinds, at))
        return make_op(cls, {"operands_": values}, [TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : (")
        printer.print_list([v.type for v in self.operands], printer.print_attribute)
        printer.print_string(") => !stream.timepoint")
        print_trailing(printer, self, ("affinity",))


@irdl_op_definition
class TimepointExportOp(FormatOp):
    """`%f = stream.timepoint.export %t => (!hal.fence)`: to a foreign value."""

    name = "stream.timepoint.export"
    await_timepoint = operand_def(TIMEPOINT)
    results_ = var_result_def()
    affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> TimepointExportOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        waited = parser.parse_operand(TIMEPOINT)
        parse_arrow(parser)
        kinds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        attributes = parse_trailing(parser, cls, properties)
        return make_op(cls, {"await_timepoint": waited}, kinds, properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.await_timepoint)
        printer.print_string(" => (")
        printer.print_list([r.type for r in self.results], printer.print_attribute)
        printer.print_string(")")
        print_trailing(printer, self, ("affinity",))


@irdl_op_definition
class TimepointChainExternalOp(FormatOp):
    """`stream.timepoint.chain_external %t => (%fence : !hal.fence)`: signals the foreign value when `%t` is reached.

    ```
    stream.timepoint.chain_external %j => (%g : !hal.fence)
    ```
    """

    name = "stream.timepoint.chain_external"
    await_timepoint = operand_def(TIMEPOINT)
    external_values = var_operand_def()
    affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> TimepointChainExternalOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        waited = parser.parse_operand(TIMEPOINT)
        parse_arrow(parser)
        parser.parse_punctuation("(")
        at = parser.pos
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
        attributes = parse_trailing(parser, cls, properties)
        values = list(parser.resolve_operands(names, kinds, at))
        groups = {"await_timepoint": waited, "external_values": values}
        return make_op(cls, groups, [], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.await_timepoint)
        printer.print_string(" => (")
        printer.print_list(self.external_values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in self.external_values], printer.print_attribute)
        printer.print_string(")")
        print_trailing(printer, self, ("affinity",))


@irdl_op_definition
class TimepointJoinOp(FormatOp):
    """`stream.timepoint.join max(%t0, %t1) => !stream.timepoint`: reached when all are.

    ```
    %j = stream.timepoint.join max(%u, %v) => !stream.timepoint
    ```
    """

    name = "stream.timepoint.join"
    await_timepoints = var_operand_def(TIMEPOINT)
    result_timepoint = result_def(TIMEPOINT)

    @classmethod
    def parse(cls, parser: Any) -> TimepointJoinOp:
        parser.parse_keyword("max")
        values = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(TIMEPOINT))
        parse_timepoint(parser)
        return cls.create(operands=values, result_types=[TIMEPOINT])

    def print(self, printer: Any) -> None:
        printer.print_string(" max(")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(") => !stream.timepoint")

    def verify_(self) -> None:
        if not self.operands:
            raise VerifyException("joins at least one timepoint")


@irdl_op_definition
class TimepointBarrierOp(FormatOp):
    """Passes a resource through and gives the time it is available.

    ```
    %r1:2 = stream.timepoint.barrier %r : !stream.resource<external>{%s} => !stream.timepoint
    ```
    """

    name = "stream.timepoint.barrier"
    resource = operand_def()
    resource_size = operand_def(INDEX)
    result = result_def()
    result_timepoint = result_def(TIMEPOINT)
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "resource"
    FORMAT: ClassVar[str] = "aff $resource ':' T:resource tp same:result:resource"


@irdl_op_definition
class TimepointAwaitOp(FormatOp):
    """`%r2 = stream.timepoint.await [sync] %t => %r : T{%s}`: a wait of the host; results are tied to operands."""

    name = "stream.timepoint.await"
    await_timepoint = operand_def(TIMEPOINT)
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    sync = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> TimepointAwaitOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("sync") is not None:
            properties["sync"] = UnitAttr()
        waited = parser.parse_operand(TIMEPOINT)
        values: list[SSAValue] = []
        sizes: list[SSAValue] = []
        # `=>` and the list may be absent: a wait for nothing but the time.
        if parser.parse_optional_punctuation("=") is not None:
            parser.parse_punctuation(">")
            at = parser.pos
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            found = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: parse_sized(parser))
            values = list(parser.resolve_operands(names, [k for k, _ in found], at))
            sizes = [s for _, s in found]
        attributes = parse_trailing(parser, cls, properties)
        groups = {"await_timepoint": waited, "resource_operands": values, "resource_operand_sizes": sizes}
        return make_op(cls, groups, [v.type for v in values], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.sync is not None:
            printer.print_string(" sync")
        printer.print_string(" ")
        printer.print_ssa_value(self.await_timepoint)
        values = group(self, "resource_operands")
        if values:
            printer.print_string(" => ")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            sizes = group(self, "resource_operand_sizes")
            for index, (value, size) in enumerate(zip(values, sizes, strict=True)):
                printer.print_string(", " if index else "")
                print_sized(printer, value.type, size)
        print_trailing(printer, self, ("sync",))

    def verify_(self) -> None:
        values = group(self, "resource_operands")
        check_count("sizes", len(group(self, "resource_operand_sizes")), len(values))
        if [r.type for r in self.results] != [v.type for v in values]:
            raise VerifyException("results have the types of the operands")


# ---- files ----------------------------------------------------------------------------------------------------------


@irdl_op_definition
class FileConstantOp(FormatOp):
    """A file of a constant buffer.

    ```
    %f = stream.file.constant %buf[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
    ```
    """

    name = "stream.file.constant"
    source = operand_def(_BUFFER)
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    source_length = operand_def(INDEX)
    result = result_def(_FILE)
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $source '[' $source_offset 'for' $source_length ']' ':' T:source '->' P:result"


class _FileTransfer(FormatOp):
    await_timepoint = opt_operand_def(TIMEPOINT)
    file = operand_def(_FILE)
    file_offset = operand_def(i64)
    resource = operand_def()
    resource_size = operand_def(INDEX)
    resource_offset = operand_def(INDEX)
    length = operand_def(INDEX)
    result_timepoint = result_def(TIMEPOINT)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> Any:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        waited = parse_await(parser)

        def end(kind: Attribute) -> tuple[Any, SSAValue]:
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation("[")
            offset = parser.parse_operand(kind)
            parser.parse_punctuation("]")
            parser.parse_punctuation(",")
            return name, offset

        reading = cls is FileReadOp
        first_end = end(i64 if reading else INDEX)
        second_end = end(INDEX if reading else i64)
        length = parser.parse_operand(INDEX)
        parser.parse_punctuation(":")
        size: SSAValue
        if reading:
            file_kind = parser.parse_type()
            parser.parse_punctuation("->")
            kind, size = parse_sized(parser)
            file, res = first_end, second_end
        else:
            kind, size = parse_sized(parser)
            parser.parse_punctuation("->")
            file_kind = parser.parse_type()
            res, file = first_end, second_end
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {
            "await_timepoint": waited,
            "file": parser.resolve_operand(file[0], file_kind),
            "file_offset": file[1],
            "resource": parser.resolve_operand(res[0], kind),
            "resource_size": size,
            "resource_offset": res[1],
            "length": length,
        }
        return make_op(cls, groups, [TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        op: Any = self
        print_keyed_attribute(printer, "on", op.affinity)
        print_await(printer, first(op, "await_timepoint"))
        ends = [(op.file, op.file_offset), (op.resource, op.resource_offset)]
        reading = isinstance(op, FileReadOp)
        for value, offset in ends if reading else reversed(ends):
            printer.print_string(" ")
            printer.print_ssa_value(value)
            printer.print_string("[")
            printer.print_ssa_value(offset)
            printer.print_string("],")
        printer.print_string(" ")
        printer.print_ssa_value(op.length)
        printer.print_string(" : ")
        if reading:
            printer.print_string("!stream.file -> ")
        print_sized(printer, op.resource.type, op.resource_size)
        if not reading:
            printer.print_string(" -> !stream.file")
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, op, ("affinity",))


@irdl_op_definition
class FileReadOp(_FileTransfer):
    """Bytes of a file into a resource.

    ```
    %rt = stream.file.read await(%k0#2) => %f[%c0_i64], %v[%c0], %c64 : !stream.file ->
        !stream.resource<variable>{%c64} => !stream.timepoint
    ```
    """

    name = "stream.file.read"


@irdl_op_definition
class FileWriteOp(_FileTransfer):
    """`%d = stream.file.write await(%t) => %r[%ro], %f[%fo], %n : T{%s} -> !stream.file => !stream.timepoint`:
    bytes of a resource into a file.
    """

    name = "stream.file.write"


# ---- channels -------------------------------------------------------------------------------------------------------


@irdl_op_definition
class ChannelCreateOp(FormatOp):
    """`%c = stream.channel.create rank(%r) count(%n) : !stream.channel`: where devices meet for collectives."""

    name = "stream.channel.create"
    id = opt_operand_def(_BUFFER)
    rank = opt_operand_def(INDEX)
    count = opt_operand_def(INDEX)
    result = result_def(_CHANNEL)
    group = opt_prop_def(StringAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> ChannelCreateOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}

        def operand(keyword: str, kind: Attribute) -> SSAValue | None:
            if parser.parse_optional_keyword(keyword) is None:
                return None
            parser.parse_punctuation("(")
            value = parser.parse_operand(kind)
            parser.parse_punctuation(")")
            return value

        groups: dict[str, Any] = {"id": operand("id", _BUFFER)}
        if parser.parse_optional_keyword("group") is not None:
            parser.parse_punctuation("(")
            properties["group"] = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(")")
        groups["rank"] = operand("rank", INDEX)
        groups["count"] = operand("count", INDEX)
        parser.parse_punctuation(":")
        parser.parse_type()
        return make_op(cls, groups, [_CHANNEL], properties)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        for keyword in ("id", "group", "rank", "count"):
            if keyword == "group":
                if self.group is not None:
                    printer.print_string(f' group("{self.group.data}")')
                continue
            value = first(self, keyword)
            if value is not None:
                printer.print_string(f" {keyword}(")
                printer.print_ssa_value(value)
                printer.print_string(")")
        printer.print_string(" : !stream.channel")

    def verify_(self) -> None:
        return None


@irdl_op_definition
class ChannelSplitOp(FormatOp):
    """A channel of the participants with one color, ordered by key.

    ```
    %sub = stream.channel.split %ch, %rank, %m : !stream.channel -> !stream.channel
    ```
    """

    name = "stream.channel.split"
    channel = operand_def(_CHANNEL)
    color = operand_def(INDEX)
    key = operand_def(INDEX)
    result = result_def(_CHANNEL)
    FORMAT: ClassVar[str] = "$channel ',' $color ',' $key ':' P:channel '->' P:result"


class _Query(FormatOp):
    channel = operand_def(_CHANNEL)
    result = result_def(INDEX)
    FORMAT: ClassVar[str] = "$channel ':' P:result"

    @classmethod
    def parse(cls, parser: Any) -> Any:
        value = parser.parse_operand(_CHANNEL)
        parser.parse_punctuation(":")
        return cls.create(operands=[value], result_types=[parser.parse_type()])


@irdl_op_definition
class ChannelRankOp(_Query):
    """The participant's number.

    ```
    %rank = stream.channel.rank %ch : index
    ```
    """

    name = "stream.channel.rank"


@irdl_op_definition
class ChannelCountOp(_Query):
    """`%n = stream.channel.count %c : index`: the number of participants."""

    name = "stream.channel.count"


OPERATIONS = [
    TimepointImmediateOp,
    TimepointImportOp,
    TimepointExportOp,
    TimepointChainExternalOp,
    TimepointJoinOp,
    TimepointBarrierOp,
    TimepointAwaitOp,
    FileConstantOp,
    FileReadOp,
    FileWriteOp,
    ChannelCreateOp,
    ChannelSplitOp,
    ChannelRankOp,
    ChannelCountOp,
]
