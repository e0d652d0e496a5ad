"""Handles, lifetimes and ordering of `stream`: resources, timepoints, files, channels, executables."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    Pure,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_dispatch import check_count
from headrace.ir.dialects._stream_format import (
    INDEX,
    TIMEPOINT,
    FormatOp,
    check_dims,
    first,
    group,
    make_op,
    parse_arrow,
    parse_await,
    parse_encoding,
    parse_keyed_attribute,
    parse_sized,
    parse_timepoint,
    parse_trailing,
    print_await,
    print_encoding,
    print_keyed_attribute,
    print_sized,
    print_trailing,
    require_resource,
)
from headrace.ir.dialects._syntax import parse_yield_operands, print_yield_operands
from headrace.ir.dialects.flow import parse_executable, parse_export, print_executable, print_export
from headrace.ir.dialects.stream_types import BindingType, ChannelType, FileType
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

    @classmethod
    def parse(cls, parser: Any) -> ResourceAllocOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("uninitialized") is not None:
            properties["uninitialized"] = UnitAttr()
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        attributes = parse_trailing(parser, cls, properties)
        return make_op(cls, {"storage_size": size}, [kind], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.uninitialized is not None:
            printer.print_string(" uninitialized")
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" : ")
        print_sized(printer, self.result.type, self.storage_size)
        print_trailing(printer, self, ("affinity", "uninitialized"))


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

    @classmethod
    def parse(cls, parser: Any) -> ResourceDeallocaOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("origin") is not None:
            properties["prefer_origin"] = UnitAttr()
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        waited = parse_await(parser)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {
            "await_timepoint": waited,
            "operand": parser.resolve_operand(value, kind),
            "operand_size": size,
        }
        return make_op(cls, groups, [TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.prefer_origin is not None:
            printer.print_string(" origin")
        print_keyed_attribute(printer, "on", self.affinity)
        print_await(printer, first(self, "await_timepoint"))
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(" : ")
        print_sized(printer, self.operand.type, self.operand_size)
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, self, ("affinity", "prefer_origin"))


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
    FORMAT: ClassVar[str] = "$operand ':' T:operand"

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return _with_i1(super().parse(parser))


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
    FORMAT: ClassVar[str] = "$operand ':' T:operand"

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return _with_i1(super().parse(parser))


def _with_i1(op: Any) -> Any:
    return type(op).create(
        operands=list(op.operands), result_types=[i1], properties=op.properties, attributes=op.attributes
    )


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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
        return make_op(
            cls,
            {"offset": base, "dynamic_slice_sizes": sizes},
            [INDEX] * (1 + len(sizes)),
            properties,
            attributes=attributes,
        )

    def intervals(self) -> list[tuple[int, int]]:
        """Lifetime of each slice, both ends inclusive."""
        values = [a.value.data for a in self.lifetime_intervals.data]
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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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

    @classmethod
    def parse(cls, parser: Any) -> ResourceTransientsOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        waited = parse_await(parser)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        parser.parse_keyword("from")
        storage = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        storage_kind, storage_size = parse_sized(parser)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
        groups = {
            "await_timepoint": waited,
            "resource": parser.resolve_operand(value, kind),
            "resource_size": size,
            "storage": parser.resolve_operand(storage, storage_kind),
            "storage_size": storage_size,
        }
        return make_op(cls, groups, [kind, TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        print_await(printer, first(self, "await_timepoint"))
        printer.print_string(" ")
        printer.print_ssa_value(self.resource)
        printer.print_string(" : ")
        print_sized(printer, self.resource.type, self.resource_size)
        printer.print_string(" from ")
        printer.print_ssa_value(self.storage)
        printer.print_string(" : ")
        print_sized(printer, self.storage.type, self.storage_size)
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, self, ("affinity",))


# ---- timepoints -----------------------------------------------------------------------------------------------------


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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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

    @classmethod
    def parse(cls, parser: Any) -> TimepointBarrierOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
        groups = {"resource": parser.resolve_operand(value, kind), "resource_size": size}
        return make_op(cls, groups, [kind, TIMEPOINT], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.resource)
        printer.print_string(" : ")
        print_sized(printer, self.resource.type, self.resource_size)
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, self, ("affinity",))


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
        attributes = parse_trailing(parser, cls, properties)  # pyright: ignore[reportArgumentType]
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


@irdl_op_definition
class FileWriteOp(_FileTransfer):
    """`%d = stream.file.write await(%t) => %r[%ro], %f[%fo], %n : T{%s} -> !stream.file => !stream.timepoint`:
    bytes of a resource into a file.
    """

    name = "stream.file.write"
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
    FORMAT: ClassVar[str] = "$channel ':' 'index'"

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
    channel = operand_def(_CHANNEL)
    result = result_def(INDEX)


@irdl_op_definition
class ChannelCountOp(_Query):
    """`%n = stream.channel.count %c : index`: the number of participants."""

    name = "stream.channel.count"
    channel = operand_def(_CHANNEL)
    result = result_def(INDEX)


# ---- executables ----------------------------------------------------------------------------------------------------


@irdl_op_definition
class ExecutableOp(IRDLOperation):
    """Kernels with their entry points.

    ```
    stream.executable private @k {
      stream.executable.export public @scale workgroups(%n: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        stream.return %n, %c1, %c1 : index, index, index
      }
      builtin.module {
        util.func public @scale(%x: !stream.binding, %y: !stream.binding, %n: index) {
          %c0 = arith.constant 0 : index
          %id = stream.dispatch.workgroup.id[0] : index
          %src = stream.binding.subspan %x[%c0] : !stream.binding -> memref<?xf32>{%n}
          %dst = stream.binding.subspan %y[%c0] : !stream.binding -> memref<?xf32>{%n}
          %v = memref.load %src[%id] : memref<?xf32>
          memref.store %v, %dst[%id] : memref<?xf32>
          util.return
        }
      }
    }
    ```
    """

    name = "stream.executable"
    sym_name = prop_def(StringAttr)
    sym_visibility = opt_prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), SymbolTable(), SymbolOpInterface(), IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return parse_executable(parser, cls)

    def print(self, printer: Any) -> None:
        print_executable(self, printer)


@irdl_op_definition
class ExecutableExportOp(IRDLOperation):
    """An entry point, and how many workgroups a workload takes.

    ```
    stream.executable.export public @scale workgroups(%n: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      stream.return %n, %c1, %c1 : index, index, index
    }
    ```
    """

    name = "stream.executable.export"
    sym_name = prop_def(StringAttr)
    function_ref = prop_def(StringAttr)
    sym_visibility = opt_prop_def(StringAttr)
    workgroup_count = opt_region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return parse_export(parser, cls)

    def print(self, printer: Any) -> None:
        print_export(self, printer)

    def verify_(self) -> None:
        region = self.workgroup_count
        if region is not None:
            last = region.block.last_op
            if last is None or len(last.operands) != 3 or any(v.type != INDEX for v in last.operands):
                raise VerifyException("the region must return the XYZ dimension counts: three values of type index")


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends the region of an export.

    ```
    stream.return %n, %c1, %c1 : index, index, index
    ```
    """

    name = "stream.return"
    operands_ = var_operand_def()
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Any) -> ReturnOp:
        return cls.create(operands=parse_yield_operands(parser))

    def print(self, printer: Any) -> None:
        print_yield_operands(printer, self.operands)


@irdl_op_definition
class BindingSubspanOp(FormatOp):
    """Memory behind a binding of a dispatch.

    ```
    %src = stream.binding.subspan %x[%c0] : !stream.binding -> memref<?xf32>{%n}
    ```
    """

    name = "stream.binding.subspan"
    binding = operand_def(BindingType())
    byte_offset = operand_def(INDEX)
    dynamic_dims = var_operand_def(INDEX)
    result = result_def()

    @classmethod
    def parse(cls, parser: Any) -> BindingSubspanOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        offset = parser.parse_operand(INDEX)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation("->")
        result, dims = parse_encoding(parser)
        groups = {"binding": parser.resolve_operand(value, kind), "byte_offset": offset, "dynamic_dims": dims}
        return make_op(cls, groups, [result], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.binding)
        printer.print_string("[")
        printer.print_ssa_value(self.byte_offset)
        printer.print_string("] : !stream.binding -> ")
        print_encoding(printer, self.result.type, self.operands[2:])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if not isinstance(self.result.type, MemRefType):
            check_dims(self.result.type, self.operands[2:])


class _Workgroup(FormatOp):
    @classmethod
    def parse(cls, parser: Any) -> Any:
        parser.parse_punctuation("[")
        number = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(
            result_types=[parser.parse_type()],
            properties={"dimension": IntegerAttr(number, INDEX)},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        op: Any = self
        printer.print_string(f"[{op.dimension.value.data}]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    def verify_(self) -> None:
        op: Any = self
        if not 0 <= op.dimension.value.data <= 2:
            raise VerifyException("the dimension is 0, 1 or 2")


@irdl_op_definition
class WorkgroupIdOp(_Workgroup):
    """Which workgroup this is, in one dimension.

    ```
    %id = stream.dispatch.workgroup.id[0] : index
    ```
    """

    name = "stream.dispatch.workgroup.id"
    dimension = prop_def(IntegerAttr)
    result = result_def(INDEX)


@irdl_op_definition
class WorkgroupCountOp(_Workgroup):
    """`%n = stream.dispatch.workgroup.count[0] : index`: how many workgroups there are in one dimension."""

    name = "stream.dispatch.workgroup.count"
    dimension = prop_def(IntegerAttr)
    result = result_def(INDEX)


@irdl_op_definition
class WorkgroupSizeOp(_Workgroup):
    """`%n = stream.dispatch.workgroup.size[0] : index`: threads of a workgroup in one dimension."""

    name = "stream.dispatch.workgroup.size"
    dimension = prop_def(IntegerAttr)
    result = result_def(INDEX)


OPERATIONS = [
    ResourceAllocOp, ResourceAllocaOp, ResourceDeallocaOp, ResourceRetainOp, ResourceReleaseOp, ResourceIsTerminalOp,
    ResourceSizeOp, ResourceTryMapOp, ResourceLoadOp, ResourceStoreOp, ResourcePackOp, ResourceConstantsOp,
    ResourceSubviewOp, ResourceTransientsOp, TimepointImmediateOp, TimepointImportOp, TimepointExportOp,
    TimepointChainExternalOp, TimepointJoinOp, TimepointBarrierOp, TimepointAwaitOp, FileConstantOp, FileReadOp,
    FileWriteOp, ChannelCreateOp, ChannelSplitOp, ChannelRankOp, ChannelCountOp, ExecutableOp, ExecutableExportOp,
    ReturnOp, BindingSubspanOp, WorkgroupIdOp, WorkgroupCountOp, WorkgroupSizeOp,
]  # fmt: skip
