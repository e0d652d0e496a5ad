"""Execution regions of `stream`: what is submitted together, what may overlap, and their terminator."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_dispatch import (
    check_count,
    is_resource,
    parse_result_list,
    print_result_list,
)
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
    tied_attr,
    ties,
)
from headrace.ir.dialects.stream_async import parse_tied_result, print_tied_result


@irdl_op_definition
class YieldOp(FormatOp):
    """`stream.yield %r : T{%s}`: the results of a region."""

    name = "stream.yield"
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Any) -> YieldOp:
        names: list[Any] = []
        value = parser.parse_optional_unresolved_operand()
        if value is None:
            return make_op(cls, {})
        names.append(value)
        while parser.parse_optional_punctuation(",") is not None:
            names.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        at = parser.pos
        found = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: parse_sized(parser))
        values = parser.resolve_operands(names, [k for k, _ in found], at)
        return make_op(cls, {"resource_operands": list(values), "resource_operand_sizes": [s for _, s in found]})

    def print(self, printer: Any) -> None:
        values = group(self, "resource_operands")
        if not values:
            return
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        for index, (value, size) in enumerate(zip(values, group(self, "resource_operand_sizes"), strict=True)):
            printer.print_string(", " if index else "")
            print_sized(printer, value.type, size)

    def verify_(self) -> None:
        parent = self.parent_op()
        values = group(self, "resource_operands")
        check_count("sizes", len(self.resource_operand_sizes), len(values))
        if isinstance(parent, AsyncExecuteOp | AsyncConcurrentOp):
            kinds = [r.type for r in parent.results if is_resource(r)]
            if [v.type for v in values] != kinds:
                raise VerifyException("yielded values must have the types of the parent's results")
            if group(self, "resource_operand_sizes") != group(parent, "result_sizes"):
                raise VerifyException("yielded sizes must be the size values of the parent's results")


def parse_captures(parser: Any) -> tuple[list[SSAValue], list[SSAValue], list[Any], list[tuple[str, int]]]:
    """`with(%r as %x: T{%s}, ...)`: operands, sizes, region arguments, names of the operands."""
    names: list[Any] = []
    arguments: list[Any] = []
    kinds: list[Attribute] = []
    sizes: list[SSAValue] = []

    def one() -> None:
        names.append(parser.parse_unresolved_operand())
        parser.parse_keyword("as")
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        kinds.append(kind)
        sizes.append(size)
        arguments.append(argument.resolve(kind))

    parser.parse_keyword("with")
    at = parser.pos
    parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)
    return list(parser.resolve_operands(names, kinds, at)), sizes, arguments, [(n.operand_name, n.index) for n in names]


def print_captures(printer: Any, op: Any) -> None:
    """The text of `parse_captures`."""
    printer.print_string(" with(")
    block = op.regions[0].blocks.first
    triples = zip(group(op, "resource_operands"), group(op, "resource_operand_sizes"), block.args, strict=True)
    for index, (value, size, argument) in enumerate(triples):
        printer.print_string(", " if index else "")
        printer.print_ssa_value(value)
        printer.print_string(" as ")
        printer.print_ssa_value(argument)
        printer.print_string(": ")
        print_sized(printer, value.type, size)
    printer.print_string(")")


def check_captures(op: Any) -> None:
    """Raise where a region reaches resources other than through its captures."""
    block = op.regions[0].blocks.first
    values = group(op, "resource_operands")
    check_count("sizes", len(group(op, "resource_operand_sizes")), len(values))
    if block is None or [a.type for a in block.args] != [v.type for v in values]:
        raise VerifyException("region arguments must have the types of the captured resources")
    for inner in block.ops:
        for value in inner.operands:
            if is_resource(value):
                owner = value.owner
                where = owner if isinstance(owner, Block) else owner.parent
                if where is not block:
                    raise VerifyException("a resource used in the region is not listed in explicit captures")


class _Region(FormatOp):
    @classmethod
    def parse(cls, parser: Any) -> Any:
        properties: dict[str, Attribute | None] = {"affinity": parse_keyed_attribute(parser, "on")}
        groups: dict[str, Any] = {}
        timed = cls is AsyncExecuteOp
        if timed:
            groups["await_timepoint"] = parse_await(parser)
        values, sizes, arguments, labels = parse_captures(parser)
        results: list[Attribute] = []
        result_sizes: list[SSAValue] = []
        tied: list[int] = []
        if parser.parse_optional_punctuation("->") is not None:

            def result() -> None:
                found, size, tie = parse_tied_result(parser, labels, [v.type for v in values])
                results.append(found)
                result_sizes.append(size)
                tied.append(tie)

            parse_result_list(parser, result)
        region = parser.parse_region(arguments)
        ensure_yield(region)
        if timed:
            parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        properties["tied_operands"] = tied_attr([*tied, -1] if timed and tied else tied)
        groups |= {
            "resource_operands": values,
            "resource_operand_sizes": sizes,
            "result_sizes": result_sizes,
        }
        return make_op(cls, groups, [*results, *([TIMEPOINT] if timed else [])], properties, [region], attributes)

    def print(self, printer: Any) -> None:
        op: Any = self
        print_keyed_attribute(printer, "on", op.affinity)
        timed = isinstance(op, AsyncExecuteOp)
        if timed:
            print_await(printer, first(op, "await_timepoint"))
        print_captures(printer, op)
        sizes = group(op, "result_sizes")
        values = group(op, "resource_operands")
        tied = ties(op)
        if sizes:
            printer.print_string(" -> ")

            def one(index: int) -> None:
                target = values[tied[index]] if tied[index] >= 0 else None
                print_tied_result(printer, op.results[index].type, sizes[index], target)

            print_result_list(printer, len(sizes), one)
        printer.print_string(" ")
        printer.print_region(op.body, False, bool(sizes))
        if timed:
            printer.print_string(" => !stream.timepoint")
        print_trailing(printer, op, ("affinity",))

    def verify_(self) -> None:
        check_captures(self)
        check_count(
            "result sizes",
            len(group(self, "result_sizes")),
            sum(is_resource(r) for r in self.results),
        )


def ensure_yield(region: Any) -> None:
    """Add the terminator that the text may leave out."""
    block = region.blocks.first
    if block is None:
        block = Block()
        region.add_block(block)
    if block.last_op is None or not isinstance(block.last_op, YieldOp):
        block.add_op(make_op(YieldOp, {}))


@irdl_op_definition
class AsyncExecuteOp(_Region):
    """Work submitted together; what it waits for in front, a timepoint behind.

    ```
    %r:2 = stream.async.execute on(#hal.device.affinity<@left>) await(%t) => with(%in as %x:
        !stream.resource<external>{%s}) -> !stream.resource<external>{%s} {
      %p:2 = stream.async.concurrent with(%x as %y: !stream.resource<external>{%s}) ->
          (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) {
        %a = stream.async.dispatch @k::@sin(%y[%c0 to %s for %s]) : (!stream.resource<external>{%s}) ->
            !stream.resource<transient>{%s}
        %b = stream.async.dispatch @k::@cos[%s](%y[%c0 to %s for %s], %s) : (!stream.resource<external>{%s},
            index) -> !stream.resource<transient>{%s}
        stream.yield %a, %b : !stream.resource<transient>{%s}, !stream.resource<transient>{%s}
      }
      %q = stream.async.call @host_fn(%p#0[%c0 to %s for %s], %s) : (!stream.resource<transient>{%s}, index) ->
          %p#0{%s}
      %o = stream.async.dispatch @k::@mul(%q[%c0 to %s for %s], %p#1[%c0 to %s for %s]) :
          (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) -> !stream.resource<external>{%s}
      stream.yield %o : !stream.resource<external>{%s}
    } => !stream.timepoint
    ```
    """

    name = "stream.async.execute"
    await_timepoint = opt_operand_def(TIMEPOINT)
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    result_timepoint = result_def(TIMEPOINT)
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class AsyncConcurrentOp(_Region):
    """`stream.async.concurrent with(..) -> results { .. }`: all operations directly inside may run at the same time.

    ```
    %p:2 = stream.async.concurrent with(%x as %y: !stream.resource<external>{%s}) ->
        (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) {
      %a = stream.async.dispatch @k::@sin(%y[%c0 to %s for %s]) : (!stream.resource<external>{%s}) ->
          !stream.resource<transient>{%s}
      %b = stream.async.dispatch @k::@cos[%s](%y[%c0 to %s for %s], %s) : (!stream.resource<external>{%s},
          index) -> !stream.resource<transient>{%s}
      stream.yield %a, %b : !stream.resource<transient>{%s}, !stream.resource<transient>{%s}
    }
    ```
    """

    name = "stream.async.concurrent"
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not isinstance(parent, AsyncExecuteOp | AsyncConcurrentOp):
            raise VerifyException("expects parent 'stream.async.execute' or 'stream.async.concurrent'")
        super().verify_()


OPERATIONS = [
    YieldOp,
    AsyncExecuteOp,
    AsyncConcurrentOp,
]
