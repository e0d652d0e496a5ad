"""The async level of `stream`: bytes by value, ranges explicit, nothing aliases except what is tied."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerType, StringAttr, SymbolRefAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_dispatch import (
    check_count,
    is_resource,
    parse_entry_points,
    parse_paren_list,
    parse_range,
    parse_result_list,
    parse_workload,
    print_bracketed,
    print_entry_points,
    print_result_list,
)
from headrace.ir.dialects._stream_format import (
    INDEX,
    TIMEPOINT,
    FormatOp,
    group,
    make_op,
    parse_keyed_attribute,
    parse_sized,
    parse_trailing,
    print_keyed_attribute,
    print_sized,
    print_trailing,
    require_resource,
    tied_attr,
    ties,
)
from headrace.ir.dialects.stream_types import ChannelType, CollectiveAttr
from headrace.ir.dialects.util import FunctionOp

_CHANNEL = ChannelType()
#: Keyword of the scalar parameter of a collective, None where it is forbidden.
COLLECTIVE_PARAMETER = {"broadcast": "source", "recv": "source", "reduce": "target", "send": "target",
                        "send_recv": "source_target_pair"}  # fmt: skip


@irdl_op_definition
class AsyncAllocaOp(FormatOp):
    """Bytes with undefined contents.

    ```
    %a = stream.async.alloca : !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.alloca"
    STAGING: ClassVar[bool] = False
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff ':' T:result"


@irdl_op_definition
class AsyncConstantOp(FormatOp):
    """Constant bytes.

    ```
    %k = stream.async.constant : !stream.resource<constant>{%c64} = dense<2> : tensor<16xi32>
    ```
    """

    name = "stream.async.constant"
    await_timepoint = opt_operand_def(TIMEPOINT)
    result_size = operand_def(INDEX)
    result = result_def()
    value = prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "aff await ':' T:result '=' attr:value"


@irdl_op_definition
class AsyncSplatOp(FormatOp):
    """Bytes of one repeated pattern.

    ```
    %z = stream.async.splat %c9_i32 : i32 -> !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.splat"
    STAGING: ClassVar[bool] = False
    await_timepoint = opt_operand_def(TIMEPOINT)
    value = operand_def()
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "aff await $value ':' P:value '->' T:result"

    def verify_rules(self) -> None:
        check_pattern(self.value, (8, 16, 32, 64))


def check_pattern(value: SSAValue, widths: tuple[int, ...]) -> None:
    """Raise where a fill pattern is not an integer of one of the widths."""
    kind = value.type
    if not isinstance(kind, IntegerType) or kind.width.data not in widths:
        raise VerifyException(f"a pattern must be an integer of {', '.join(map(str, widths))} bits, but is {kind}")


@irdl_op_definition
class AsyncCloneOp(FormatOp):
    """A copy of the contents; may change the lifetime.

    ```
    %y = stream.async.clone %z : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.clone"
    STAGING: ClassVar[bool] = False
    source = operand_def()
    source_size = operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $source ':' T:source '->' T:result"


@irdl_op_definition
class AsyncSliceOp(FormatOp):
    """A copy of a byte range.

    ```
    %h = stream.async.slice %y[%c32 to %c64] : !stream.resource<transient>{%c64} ->
        !stream.resource<transient>{%c32}
    ```
    """

    name = "stream.async.slice"
    STAGING: ClassVar[bool] = False
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    source_end = operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $source '[' $source_offset 'to' $source_end ']' ':' T:source '->' T:result"

    def verify_rules(self) -> None:
        if self.source.type != self.result.type:
            raise VerifyException("a slice has the lifetime of its source")


@irdl_op_definition
class AsyncFillOp(FormatOp):
    """A pattern into a byte range, in place.

    ```
    %f = stream.async.fill %c9_i32, %y[%c0 to %c32 for %c32] : i32 -> %y as !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.fill"
    STAGING: ClassVar[bool] = False
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_end = operand_def(INDEX)
    target_length = operand_def(INDEX)
    value = operand_def()
    result = result_def()
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = (
        "aff $value ',' $target '[' $target_offset 'to' $target_end 'for' $target_length ']' ':' P:value '->' "
        "tied:result:target"
    )

    def verify_rules(self) -> None:
        check_pattern(self.value, (8, 16, 32, 64))


@irdl_op_definition
class AsyncUpdateOp(FormatOp):
    """All bytes of one resource into a range of another, in place.

    ```
    %u = stream.async.update %h, %f[%c32 to %c64] : !stream.resource<transient>{%c32} -> %f as
        !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.update"
    STAGING: ClassVar[bool] = False
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_end = operand_def(INDEX)
    update = operand_def()
    update_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = (
        "aff $update ',' $target '[' $target_offset 'to' $target_end ']' ':' T:update '->' tied:result:target"
    )


@irdl_op_definition
class AsyncCopyOp(FormatOp):
    """A byte range of one resource into a range of another, in place.

    ```
    %c = stream.async.copy %k[%c0 to %c32], %u[%c32 to %c64], %c32 : !stream.resource<constant>{%c64} -> %u as
        !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.copy"
    STAGING: ClassVar[bool] = False
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_end = operand_def(INDEX)
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    source_end = operand_def(INDEX)
    length = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = (
        "aff $source '[' $source_offset 'to' $source_end ']' ',' $target '[' $target_offset 'to' $target_end ']' ',' "
        "$length ':' T:source '->' tied:result:target"
    )


@irdl_op_definition
class AsyncBarrierOp(FormatOp):
    """Marks a place in the program; the value passes unchanged.

    ```
    %b = stream.async.barrier on(#hal.device.affinity<@left>) %r : !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.barrier"
    source = operand_def()
    source_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "source"
    FORMAT: ClassVar[str] = "aff $source ':' T:source same:result:source"


@irdl_op_definition
class AsyncCastOp(FormatOp):
    """Changes the lifetime in the type only.

    ```
    %x = stream.async.cast on(#hal.device.affinity<@left>) %in : !stream.resource<external>{%s} ->
        !stream.resource<*>{%s}
    ```
    """

    name = "stream.async.cast"
    source = operand_def()
    source_size = operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    TIES: ClassVar[str | None] = "source"
    FORMAT: ClassVar[str] = "aff $source ':' T:source '->' T:result"

    def verify_rules(self) -> None:
        if self.source_size is not self.result_size:
            raise VerifyException("source and result must have the same size value")


@irdl_op_definition
class AsyncTransferOp(FormatOp):
    """`stream.async.transfer [on(E)] %r : T{%s} [from(S)] -> [to(R)] T2{%s2}`: a copy between places and/or lifetimes.

    ```
    %t = stream.async.transfer on(#hal.device.affinity<@right>) %b : !stream.resource<transient>{%c64}
        from(#hal.device.affinity<@left>) -> to(#hal.device.affinity<@right>) !stream.resource<external>{%c64}
    ```
    """

    name = "stream.async.transfer"
    source = operand_def()
    source_size = operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    affinity = opt_prop_def()
    source_affinity = opt_prop_def()
    target_affinity = opt_prop_def()

    @classmethod
    def parse(cls, parser: Any) -> AsyncTransferOp:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        properties["source_affinity"] = parse_keyed_attribute(parser, "from")
        parser.parse_punctuation("->")
        properties["target_affinity"] = parse_keyed_attribute(parser, "to")
        result, result_size = parse_sized(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {
            "source": parser.resolve_operand(value, kind),
            "source_size": size,
            "result_size": result_size,
        }
        return make_op(cls, groups, [result], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" : ")
        print_sized(printer, self.source.type, self.source_size)
        print_keyed_attribute(printer, "from", self.source_affinity)
        printer.print_string(" ->")
        print_keyed_attribute(printer, "to", self.target_affinity)
        printer.print_string(" ")
        print_sized(printer, self.result.type, self.result_size)
        print_trailing(printer, self, ("affinity", "source_affinity", "target_affinity"))

    def execution_affinity(self) -> Attribute | None:
        """Where the transfer runs: `on`, else by the rule of the lifetimes (pushed by the producer by default)."""
        if self.affinity is not None:
            return self.affinity
        source, result = self.source.type.lifetime.data, self.result.type.lifetime.data  # pyright: ignore
        if source == result == "staging":
            return self.source_affinity
        return self.target_affinity if source in ("external", "staging") else self.source_affinity


@irdl_op_definition
class AsyncLoadOp(FormatOp):
    """A scalar to the host; staging only.

    ```
    %l = stream.async.load %g[%c0] : !stream.resource<staging>{%c64} -> f32
    ```
    """

    name = "stream.async.load"
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    result = result_def()
    FORMAT: ClassVar[str] = "$source '[' $source_offset ']' ':' T:source '->' P:result"

    def verify_rules(self) -> None:
        require_resource(self.source, only_staging=True)


@irdl_op_definition
class AsyncStoreOp(FormatOp):
    """A scalar from the host; staging only.

    ```
    %w = stream.async.store %l, %g[%c32] : f32 -> %g as !stream.resource<staging>{%c64}
    ```
    """

    name = "stream.async.store"
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    value = operand_def()
    result = result_def()
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = "$value ',' $target '[' $target_offset ']' ':' P:value '->' tied:result:target"

    def verify_rules(self) -> None:
        require_resource(self.target, only_staging=True)


@irdl_op_definition
class AsyncCollectiveOp(FormatOp):
    """A collective of the devices of a channel, into the target's range.

    ```
    %r = stream.async.collective<all_reduce with sum : f32>[%c64] channel(%ch) %c[%c0 to %c64 for %c64], %a[%c0
        to %c64 for %c64] : !stream.resource<transient>{%c64} -> %a as !stream.resource<transient>{%c64}
    ```
    """

    name = "stream.async.collective"
    STAGING: ClassVar[bool] = False
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_end = operand_def(INDEX)
    target_length = operand_def(INDEX)
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    source_end = operand_def(INDEX)
    source_length = operand_def(INDEX)
    element_count = operand_def(INDEX)
    channel = operand_def(_CHANNEL)
    param = opt_operand_def(i32)
    result = result_def()
    op = prop_def(CollectiveAttr)
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TIES: ClassVar[str | None] = "target"

    @classmethod
    def parse(cls, parser: Any) -> AsyncCollectiveOp:
        kind = CollectiveAttr.new(CollectiveAttr.parse_parameters(parser))
        parser.parse_punctuation("[")
        count = parser.parse_operand(INDEX)
        parser.parse_punctuation("]")
        place = parse_keyed_attribute(parser, "on")
        parser.parse_keyword("channel")
        parser.parse_punctuation("(")
        channel = parser.parse_operand(_CHANNEL)
        parser.parse_punctuation(")")
        parameter = None
        keyword = COLLECTIVE_PARAMETER.get(kind.kind.data)
        if keyword is not None:
            parser.parse_keyword(keyword)
            parser.parse_punctuation("(")
            parameter = parser.parse_operand(i32)
            parser.parse_punctuation(")")
        source = parser.parse_unresolved_operand()
        source_range = parse_range(parser)
        parser.parse_punctuation(",")
        target = parser.parse_unresolved_operand()
        target_range = parse_range(parser)
        parser.parse_punctuation(":")
        source_kind, source_size = parse_sized(parser)
        parser.parse_punctuation("->")
        parser.parse_unresolved_operand()
        parser.parse_keyword("as")
        target_kind, target_size = parse_sized(parser)
        properties: dict[str, Attribute | None] = {"op": kind, "affinity": place}
        attributes = parse_trailing(parser, cls, properties)
        groups = {
            "target": parser.resolve_operand(target, target_kind),
            "target_size": target_size,
            **dict(zip(("target_offset", "target_end", "target_length"), target_range, strict=True)),
            "source": parser.resolve_operand(source, source_kind),
            "source_size": source_size,
            **dict(zip(("source_offset", "source_end", "source_length"), source_range, strict=True)),
            "element_count": count,
            "channel": channel,
            "param": parameter,
        }
        return make_op(cls, groups, [target_kind], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        self.op.print_parameters(printer)
        printer.print_string("[")
        printer.print_ssa_value(self.element_count)
        printer.print_string("]")
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" channel(")
        printer.print_ssa_value(self.channel)
        printer.print_string(") ")
        keyword = COLLECTIVE_PARAMETER.get(self.op.kind.data)
        if self.param is not None and keyword is not None:
            printer.print_string(f"{keyword}(")
            printer.print_ssa_value(self.param)
            printer.print_string(") ")
        printer.print_ssa_value(self.source)
        print_range(printer, (self.source_offset, self.source_end, self.source_length))
        printer.print_string(", ")
        printer.print_ssa_value(self.target)
        print_range(printer, (self.target_offset, self.target_end, self.target_length))
        printer.print_string(" : ")
        print_sized(printer, self.source.type, self.source_size)
        printer.print_string(" -> ")
        printer.print_ssa_value(self.target)
        printer.print_string(" as ")
        print_sized(printer, self.result.type, self.target_size)
        print_trailing(printer, self, ("op", "affinity"))

    def verify_(self) -> None:
        keyword = COLLECTIVE_PARAMETER.get(self.op.kind.data)
        if (keyword is None) != (self.param is None):
            raise VerifyException(
                f"{self.op.kind.data} " + ("takes no parameter" if keyword is None else f"needs {keyword}(%p : i32)")
            )


def print_range(printer: Any, values: Any) -> None:
    """`[%a to %b for %n]`."""
    start, end, length = values
    printer.print_string("[")
    printer.print_ssa_value(start)
    printer.print_string(" to ")
    printer.print_ssa_value(end)
    printer.print_string(" for ")
    printer.print_ssa_value(length)
    printer.print_string("]")


class _Dispatch(FormatOp):
    """Text and rules that `async.dispatch` and `async.call` share."""

    @classmethod
    def parse(cls, parser: Any) -> Any:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        groups: dict[str, Any] = {}
        if cls is AsyncDispatchOp:
            properties["entry_points"] = parse_entry_points(parser)
            groups["workload"] = parse_workload(parser)
        else:
            properties["callee"] = SymbolRefAttr(parser.parse_symbol_name().data)
        names: list[Any] = []
        ranges: list[list[SSAValue]] = []

        def argument() -> None:
            names.append(parser.parse_unresolved_operand())
            ranges.append(parse_range(parser))

        parse_paren_list(parser, argument)
        attributes = parse_trailing(parser, cls, properties)
        parser.parse_punctuation(":")
        kinds: list[Attribute] = []
        sizes: list[SSAValue] = []

        def kind() -> None:
            kinds.append(parser.parse_type())
            if parser.parse_optional_punctuation("{") is not None:
                sizes.append(parser.parse_operand(INDEX))
                parser.parse_punctuation("}")

        at = parser.pos
        parse_paren_list(parser, kind)
        groups["resource_operands"] = list(parser.resolve_operands(names, kinds, at))
        parser.parse_punctuation("->")
        labels = [(n.operand_name, n.index) for n in names]
        results: list[Attribute] = []
        result_sizes: list[SSAValue] = []
        tied: list[int] = []

        def result() -> None:
            found, size, tie = parse_tied_result(parser, labels, kinds)
            results.append(found)
            result_sizes.append(size)
            tied.append(tie)

        parse_result_list(parser, result)
        properties["tied_operands"] = tied_attr(tied)
        groups["resource_operand_sizes"] = sizes
        given = [r for r in ranges if r]
        groups["resource_operand_offsets"] = [r[0] for r in given]
        groups["resource_operand_ends"] = [r[1] for r in given]
        groups["resource_operand_lengths"] = [r[2] for r in given]
        groups["result_sizes"] = result_sizes
        return make_op(cls, groups, results, properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        op: Any = self
        print_keyed_attribute(printer, "on", op.affinity)
        if isinstance(op, AsyncDispatchOp):
            print_entry_points(printer, op.entry_points)
            print_bracketed(printer, group(op, "workload"))
        else:
            printer.print_string(" ")
            printer.print_attribute(op.callee)
        printer.print_string("(")
        values = group(self, "resource_operands")
        ranges = iter(
            zip(
                group(self, "resource_operand_offsets"),
                group(self, "resource_operand_ends"),
                group(self, "resource_operand_lengths"),
                strict=True,
            )
        )
        for index, value in enumerate(values):
            printer.print_string(", " if index else "")
            printer.print_ssa_value(value)
            if is_resource(value):
                print_range(printer, next(ranges))
        printer.print_string(")")
        print_trailing(printer, self, ("affinity", "entry_points", "callee"))
        printer.print_string(" : (")
        sizes = iter(group(self, "resource_operand_sizes"))
        for index, value in enumerate(values):
            printer.print_string(", " if index else "")
            if is_resource(value):
                print_sized(printer, value.type, next(sizes))
            else:
                printer.print_attribute(value.type)
        printer.print_string(") -> ")
        tied = ties(self)
        result_sizes = group(self, "result_sizes")

        def one(index: int) -> None:
            target = values[tied[index]] if tied[index] >= 0 else None
            print_tied_result(printer, self.results[index].type, result_sizes[index], target)

        print_result_list(printer, len(self.results), one)

    def verify_(self) -> None:
        op: Any = self
        count = sum(is_resource(v) for v in op.resource_operands)
        check_count("resource range operand sets", len(op.resource_operand_offsets), count)
        check_count("resource sizes", len(op.resource_operand_sizes), count)
        check_count("result sizes", len(op.result_sizes), len(op.results))
        for value in op.resource_operands:
            if is_resource(value):
                require_resource(value, staging=False)
        for tie in ties(op):
            if tie >= len(op.resource_operands):
                raise VerifyException("a result is tied to an operand that does not exist")


def parse_tied_result(
    parser: Any, labels: list[tuple[str, int]], kinds: list[Attribute]
) -> tuple[Attribute, SSAValue, int]:
    """`T{%s}`, `%x{%s}` or `%x as T{%s}`."""
    target = parser.parse_optional_unresolved_operand()
    if target is None:
        kind, size = parse_sized(parser)
        return kind, size, -1
    if (target.operand_name, target.index) not in labels:
        parser.raise_error("expected the name of an operand", target.span)
    tie = labels.index((target.operand_name, target.index))
    kind = kinds[tie]
    if parser.parse_optional_keyword("as") is not None:
        kind = parser.parse_type()
    parser.parse_punctuation("{")
    size = parser.parse_operand(INDEX)
    parser.parse_punctuation("}")
    return kind, size, tie


def print_tied_result(printer: Any, kind: Attribute, size: SSAValue, target: SSAValue | None) -> None:
    """The text of `parse_tied_result`."""
    if target is None:
        print_sized(printer, kind, size)
        return
    printer.print_ssa_value(target)
    if target.type != kind:
        printer.print_string(" as ")
        printer.print_attribute(kind)
    printer.print_string("{")
    printer.print_ssa_value(size)
    printer.print_string("}")


@irdl_op_definition
class AsyncDispatchOp(_Dispatch):
    """A kernel on byte ranges.

    ```
    %d = stream.async.dispatch @k::@left_half() : () -> !stream.resource<transient>{%half}
    ```
    """

    name = "stream.async.dispatch"
    workload = var_operand_def(INDEX)
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    resource_operand_offsets = var_operand_def(INDEX)
    resource_operand_ends = var_operand_def(INDEX)
    resource_operand_lengths = var_operand_def(INDEX)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    entry_points = prop_def(ArrayAttr)
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class AsyncCallOp(_Dispatch):
    """A host function in the order of the stream.

    ```
    %q = stream.async.call @host_fn(%p#0[%c0 to %s for %s], %s) : (!stream.resource<transient>{%s}, index) ->
        %p#0{%s}
    ```
    """

    name = "stream.async.call"
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    resource_operand_offsets = var_operand_def(INDEX)
    resource_operand_ends = var_operand_def(INDEX)
    resource_operand_lengths = var_operand_def(INDEX)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    callee = prop_def(SymbolRefAttr)
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class AsyncFuncOp(FunctionOp):
    """`stream.async.func private @f(%a: T, %b: i32) -> %a`: the signature of a stream-ordered function."""

    name = "stream.async.func"
    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)
    tied_operands = opt_prop_def(ArrayAttr)
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())


OPERATIONS = [
    AsyncAllocaOp,
    AsyncConstantOp,
    AsyncSplatOp,
    AsyncCloneOp,
    AsyncSliceOp,
    AsyncFillOp,
    AsyncUpdateOp,
    AsyncCopyOp,
    AsyncBarrierOp,
    AsyncCastOp,
    AsyncTransferOp,
    AsyncLoadOp,
    AsyncStoreOp,
    AsyncCollectiveOp,
    AsyncDispatchOp,
    AsyncCallOp,
    AsyncFuncOp,
]
