"""Handles, lifetimes and ordering of `stream`: resources, timepoints, files, channels, executables."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, UnitAttr, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
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
    parse_await,
    parse_keyed_attribute,
    parse_sized,
    parse_timepoint,
    parse_trailing,
    print_await,
    print_keyed_attribute,
    print_sized,
    print_trailing,
    require_resource,
)
from headrace.ir.dialects.stream_types import ChannelType, FileType
from headrace.ir.dialects.util import UtilBufferType

_BUFFER = UtilBufferType()
_FILE = FileType()
_CHANNEL = ChannelType()


@irdl_op_definition
class ResourceAllocOp(FormatOp):
    """Synchronous, long-lived memory, owned by its handle.

    ```
    %v = stream.resource.alloc uninitialized on(#hal.device.affinity<@left>) : !stream.resource<variable>{%c64}
    ```
    """

    name = "stream.resource.alloc"
    storage_size = operand_def(INDEX)
    result = result_def()
    uninitialized = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "flag:uninitialized aff ':' T:result:storage_size"


@irdl_op_definition
class ResourceAllocaOp(FormatOp):
    """Memory in queue order, valid from its timepoint; `indeterminate` memory is never deallocated asynchronously.

    ```
    %a:2 = stream.resource.alloca uninitialized : !stream.resource<transient>{%total#0} => !stream.timepoint
    ```
    """

    name = "stream.resource.alloca"
    await_timepoint = opt_operand_def(TIMEPOINT)
    storage_size = operand_def(INDEX)
    result = result_def()
    result_timepoint = result_def(TIMEPOINT)
    indeterminate_lifetime = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> ResourceAllocaOp:
        properties: dict[str, Attribute] = {}
        parser.parse_keyword("uninitialized")
        if parser.parse_optional_keyword("indeterminate") is not None:
            properties["indeterminate_lifetime"] = UnitAttr()
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        waited = parse_await(parser)
        if waited is None:
            parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {"await_timepoint": waited, "storage_size": size}
        return make_op(cls, groups, [kind, TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_string(" uninitialized")
        if self.indeterminate_lifetime is not None:
            printer.print_string(" indeterminate")
        print_keyed_attribute(printer, "on", self.affinity)
        waited = first(self, "await_timepoint")
        print_await(printer, waited)
        printer.print_string(" : " if waited is None else " ")
        print_sized(printer, self.result.type, self.storage_size)
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, self, ("affinity", "indeterminate_lifetime"))


@irdl_op_definition
class ResourceDeallocaOp(FormatOp):
    """Frees memory in queue order; `origin` frees where it was allocated.

    ```
    %d = stream.resource.dealloca origin await(%b#1) => %a#0 : !stream.resource<transient>{%total#0} =>
        !stream.timepoint
    ```
    """

    name = "stream.resource.dealloca"
    await_timepoint = opt_operand_def(TIMEPOINT)
    operand = operand_def()
    operand_size = operand_def(INDEX)
    result_timepoint = result_def(TIMEPOINT)
    prefer_origin = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "flag:origin:prefer_origin aff await $operand ':' T:operand tp"


@irdl_op_definition
class ResourceRetainOp(FormatOp):
    """One more owner.

    ```
    stream.resource.retain %x#0 : !stream.resource<variable>{%c64}
    ```
    """

    name = "stream.resource.retain"
    operand = operand_def()
    operand_size = operand_def(INDEX)
    FORMAT: ClassVar[str] = "$operand ':' T:operand"


@irdl_op_definition
class ResourceReleaseOp(FormatOp):
    """One owner less; gives whether it was the last.

    ```
    %gone = stream.resource.release %x#0 : !stream.resource<variable>{%c64}
    ```
    """

    name = "stream.resource.release"
    operand = operand_def()
    operand_size = operand_def(INDEX)
    was_terminal = result_def(i1)
    FORMAT: ClassVar[str] = "$operand ':' T:operand is:was_terminal"


@irdl_op_definition
class ResourceIsTerminalOp(FormatOp):
    """Whether there is only one owner.

    ```
    %last = stream.resource.is_terminal %x#0 : !stream.resource<variable>{%c64}
    ```
    """

    name = "stream.resource.is_terminal"
    operand = operand_def()
    operand_size = operand_def(INDEX)
    is_terminal = result_def(i1)
    FORMAT: ClassVar[str] = "$operand ':' T:operand is:is_terminal"


@irdl_op_definition
class ResourceSizeOp(FormatOp):
    """Size in bytes.

    ```
    %z = stream.resource.size %w : !stream.resource<transient>
    ```
    """

    name = "stream.resource.size"
    operand = operand_def()
    result = result_def(INDEX)
    affinity = opt_prop_def()
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "aff $operand ':' P:operand"


@irdl_op_definition
class ResourceTryMapOp(FormatOp):
    """Maps host memory; the first result is false where that is not possible.

    ```
    %ok:2 = stream.resource.try_map %buf[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
    ```
    """

    name = "stream.resource.try_map"
    source = operand_def(_BUFFER)
    source_offset = operand_def(INDEX)
    result_size = operand_def(INDEX)
    did_map = result_def(i1)
    result = result_def()
    affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> ResourceTryMapOp:
        place = parse_keyed_attribute(parser, "on")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        offset = parser.parse_operand(INDEX)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        source = parser.resolve_operand(value, parser.parse_type())
        parser.parse_punctuation("->")
        parser.parse_type()
        parser.parse_punctuation(",")
        kind, size = parse_sized(parser)
        properties: dict[str, Attribute | None] = {"affinity": place}
        attributes = parse_trailing(parser, cls, properties)
        groups = {"source": source, "source_offset": offset, "result_size": size}
        return make_op(cls, groups, [i1, kind], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string("[")
        printer.print_ssa_value(self.source_offset)
        printer.print_string("] : !util.buffer -> i1, ")
        print_sized(printer, self.result.type, self.result_size)
        print_trailing(printer, self, ("affinity",))


@irdl_op_definition
class ResourceLoadOp(FormatOp):
    """A scalar to the host; staging only.

    ```
    %l = stream.resource.load %h[%c0] : !stream.resource<staging>{%c64} -> i32
    ```
    """

    name = "stream.resource.load"
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    result = result_def()
    FORMAT: ClassVar[str] = "$source '[' $source_offset ']' ':' T:source '->' P:result"

    def verify_rules(self) -> None:
        require_resource(self.source, only_staging=True)


@irdl_op_definition
class ResourceStoreOp(FormatOp):
    """A scalar from the host; staging only.

    ```
    stream.resource.store %c5_i32, %h[%c0] : i32 -> !stream.resource<staging>{%c64}
    ```
    """

    name = "stream.resource.store"
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    value = operand_def()
    FORMAT: ClassVar[str] = "$value ',' $target '[' $target_offset ']' ':' P:value '->' T:target"

    def verify_rules(self) -> None:
        require_resource(self.target, only_staging=True)


@irdl_op_definition
class ResourcePackOp(FormatOp):
    """`%total, %o0, .. = resource.pack slices({[a, b] = %s, ..}) : index`: offsets of slices with lifetimes."""

    name = "stream.resource.pack"
    offset = opt_operand_def(INDEX)
    dynamic_slice_sizes = var_operand_def(INDEX)
    total_length = result_def(INDEX)
    packed_offsets = var_result_def(INDEX)
    lifetime_intervals = prop_def(ArrayAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> ResourcePackOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        base = None
        if parser.parse_optional_keyword("offset") is not None:
            parser.parse_punctuation("(")
            base = parser.parse_operand(INDEX)
            parser.parse_punctuation(")")
        parser.parse_keyword("slices")
        parser.parse_punctuation("(")
        intervals: list[Attribute] = []
        sizes: list[SSAValue] = []

        def one() -> None:
            parser.parse_punctuation("[")
            intervals.append(IntegerAttr(parser.parse_integer(allow_boolean=False), INDEX))
            parser.parse_punctuation(",")
            intervals.append(IntegerAttr(parser.parse_integer(allow_boolean=False), INDEX))
            parser.parse_punctuation("]")
            parser.parse_punctuation("=")
            sizes.append(parser.parse_operand(INDEX))

        parser.parse_comma_separated_list(parser.Delimiter.BRACES, one)
        parser.parse_punctuation(")")
        parser.parse_punctuation(":")
        parser.parse_type()
        properties["lifetime_intervals"] = ArrayAttr(intervals)
        attributes = parse_trailing(parser, cls, properties)
        return make_op(
            cls,
            {"offset": base, "dynamic_slice_sizes": sizes},
            [INDEX] * (1 + len(sizes)),
            properties,
            attributes=attributes,
        )

    def intervals(self) -> list[tuple[int, int]]:
        """Lifetime of each slice, both ends inclusive."""
        values = [a.value.data for a in self.lifetime_intervals.data]  # pyright: ignore[reportAttributeAccessIssue]
        return list(zip(values[::2], values[1::2], strict=True))

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        base = first(self, "offset")
        if base is not None:
            printer.print_string(" offset(")
            printer.print_ssa_value(base)
            printer.print_string(")")
        printer.print_string(" slices({")
        printer._indent += 1
        rows = zip(self.intervals(), group(self, "dynamic_slice_sizes"), strict=True)
        for index, ((start, end), size) in enumerate(rows):
            printer.print_string("," if index else "")
            printer._print_new_line()
            printer.print_string(f"[{start}, {end}] = ")
            printer.print_ssa_value(size)
        printer._indent -= 1
        printer._print_new_line()
        printer.print_string("}) : index")
        print_trailing(printer, self, ("affinity", "lifetime_intervals"))

    def verify_(self) -> None:
        count = len(group(self, "dynamic_slice_sizes"))
        check_count("offsets", len(self.packed_offsets), count)
        check_count("interval bounds", len(self.lifetime_intervals.data), 2 * count)


@irdl_op_definition
class ResourceConstantsOp(FormatOp):
    """`%k0, %k1, %t = resource.constants : T{%s} = attr, .. => !stream.timepoint`: uploads or maps constants."""

    name = "stream.resource.constants"
    await_timepoint = opt_operand_def(TIMEPOINT)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    result_timepoint = result_def(TIMEPOINT)
    values = prop_def(ArrayAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> ResourceConstantsOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        waited = parse_await(parser)
        parser.parse_punctuation(":")
        kinds: list[Attribute] = []
        sizes: list[SSAValue] = []
        values: list[Attribute] = []

        def one() -> None:
            kind, size = parse_sized(parser)
            kinds.append(kind)
            sizes.append(size)
            parser.parse_punctuation("=")
            values.append(parser.parse_attribute())

        parser.parse_comma_separated_list(parser.Delimiter.NONE, one)
        parse_timepoint(parser)
        properties["values"] = ArrayAttr(values)
        attributes = parse_trailing(parser, cls, properties)
        return make_op(
            cls,
            {"await_timepoint": waited, "result_sizes": sizes},
            [*kinds, TIMEPOINT],
            properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        print_await(printer, first(self, "await_timepoint"))
        printer.print_string(" :")
        printer._indent += 1
        rows = zip(self.results_, group(self, "result_sizes"), self.values.data, strict=True)
        for index, (result, size, value) in enumerate(rows):
            printer.print_string("," if index else "")
            printer._print_new_line()
            print_sized(printer, result.type, size)
            printer.print_string(" = ")
            printer.print_attribute(value)
        printer._print_new_line()
        printer.print_string("=> !stream.timepoint")
        printer._indent -= 1
        print_trailing(printer, self, ("affinity", "values"))

    def verify_(self) -> None:
        if len({r.type for r in self.results_}) > 1:
            raise VerifyException("all results must have one type")
        check_count("values", len(self.values.data), len(self.results_))


@irdl_op_definition
class ResourceSubviewOp(FormatOp):
    """An alias of a byte range.

    ```
    %w = stream.resource.subview %a#0[%total#2] : !stream.resource<transient>{%total#0} ->
        !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.resource.subview"
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    TIES: ClassVar[str | None] = "source"
    FORMAT: ClassVar[str] = "$source '[' $source_offset ']' ':' T:source '->' T:result"


@irdl_op_definition
class ResourceTransientsOp(FormatOp):
    """Marks that the transients a resource needs come from storage of the user.

    ```
    %x:2 = stream.resource.transients await(%rt) => %v : !stream.resource<variable>{%c64} from %user :
        !stream.resource<transient>{%n} => !stream.timepoint
    ```
    """

    name = "stream.resource.transients"
    await_timepoint = opt_operand_def(TIMEPOINT)
    resource = operand_def()
    resource_size = operand_def(INDEX)
    storage = operand_def()
    storage_size = operand_def(INDEX)
    result = result_def()
    result_timepoint = result_def(TIMEPOINT)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "aff await $resource ':' T:resource 'from' $storage ':' T:storage tp same:result:resource"


OPERATIONS = [
    ResourceAllocOp,
    ResourceAllocaOp,
    ResourceDeallocaOp,
    ResourceRetainOp,
    ResourceReleaseOp,
    ResourceIsTerminalOp,
    ResourceSizeOp,
    ResourceTryMapOp,
    ResourceLoadOp,
    ResourceStoreOp,
    ResourcePackOp,
    ResourceConstantsOp,
    ResourceSubviewOp,
    ResourceTransientsOp,
]
