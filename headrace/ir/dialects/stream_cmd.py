"""The command level of `stream`: explicit memory, nothing is produced, everything is read or written in ranges."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, StringAttr, SymbolRefAttr, UnitAttr, i32
from xdsl.ir import Attribute, Region, SSAValue
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

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._stream_dispatch import (
    check_count,
    is_resource,
    parse_entry_points,
    parse_paren_list,
    parse_slice,
    parse_workload,
    print_bracketed,
    print_entry_points,
    print_slice,
)
from headrace.ir.dialects._stream_format import (
    INDEX,
    TIMEPOINT,
    FormatOp,
    first,
    group,
    make_op,
    no_staging,
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
from headrace.ir.dialects.stream_async import check_pattern
from headrace.ir.dialects.stream_regions import check_captures, ensure_yield, parse_captures, print_captures
from headrace.ir.dialects.stream_types import ChannelType, CollectiveAttr

_CHANNEL = ChannelType()
READ, WRITE = 1, 2
_ACCESS = {"ro": READ, "wo": WRITE, "rw": READ | WRITE}
_ACCESS_NAME = {v: k for k, v in _ACCESS.items()}


@irdl_op_definition
class CmdFlushOp(FormatOp):
    """Makes writes visible to the named place.

    ```
    stream.cmd.flush to(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
    ```
    """

    name = "stream.cmd.flush"
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_length = operand_def(INDEX)
    target_affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff:to:target_affinity $target '[' $target_offset 'for' $target_length ']' ':' T:target"


@irdl_op_definition
class CmdInvalidateOp(FormatOp):
    """Drops cached contents before reading what another place wrote.

    ```
    stream.cmd.invalidate from(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
    ```
    """

    name = "stream.cmd.invalidate"
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_length = operand_def(INDEX)
    source_affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff:from:source_affinity $target '[' $target_offset 'for' $target_length ']' ':' T:target"


@irdl_op_definition
class CmdDiscardOp(FormatOp):
    """The contents are no longer needed.

    ```
    stream.cmd.discard %a[%c0 for %c64] : !stream.resource<transient>{%s}
    ```
    """

    name = "stream.cmd.discard"
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_length = operand_def(INDEX)
    FORMAT: ClassVar[str] = "$target '[' $target_offset 'for' $target_length ']' ':' T:target"


@irdl_op_definition
class CmdFillOp(FormatOp):
    """A pattern into a byte range.

    ```
    stream.cmd.fill %c7_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%s}
    ```
    """

    name = "stream.cmd.fill"
    STAGING: ClassVar[bool] = False
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    target_length = operand_def(INDEX)
    value = operand_def()
    FORMAT: ClassVar[str] = "$value ',' $target '[' $target_offset 'for' $target_length ']' ':' P:value '->' T:target"

    def verify_rules(self) -> None:
        check_pattern(self.value, (8, 16, 32))


@irdl_op_definition
class CmdCopyOp(FormatOp):
    """A byte range into another one.

    ```
    stream.cmd.copy %a[%c0], %b[%c64], %c64 : !stream.resource<transient>{%s} -> !stream.resource<external>{%s}
    ```
    """

    name = "stream.cmd.copy"
    source = operand_def()
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    target = operand_def()
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    length = operand_def(INDEX)
    FORMAT: ClassVar[str] = (
        "$source '[' $source_offset ']' ',' $target '[' $target_offset ']' ',' $length ':' T:source '->' T:target"
    )


def parse_bindings(parser: Any) -> tuple[dict[str, list[SSAValue]], ArrayAttr[IntegerAttr]]:
    """`{ ro %r[%o for %n] : T{%s}, ... }`."""
    found: dict[str, list[SSAValue]] = {key: [] for key in _BINDING_GROUPS}
    access: list[IntegerAttr] = []

    def one() -> None:
        at = parser.pos
        word = parser.parse_identifier()
        if word not in _ACCESS:
            parser.raise_error("expected 'ro', 'wo' or 'rw'", at)
        access.append(IntegerAttr(_ACCESS[word], i32))
        value = parser.parse_unresolved_operand()
        offset, length = parse_slice(parser)
        parser.parse_punctuation(":")
        kind, size = parse_sized(parser)
        for key, item in zip(_BINDING_GROUPS, (parser.resolve_operand(value, kind), size, offset, length), strict=True):
            found[key].append(item)

    parser.parse_comma_separated_list(parser.Delimiter.BRACES, one)
    return found, ArrayAttr(access)


_BINDING_GROUPS = ("resources", "resource_sizes", "resource_offsets", "resource_lengths")


def print_bindings(printer: Any, op: Any) -> None:
    """The text of `parse_bindings`."""
    printer.print_string(" {")
    printer._indent += 1
    rows = list(zip(*(group(op, key) for key in _BINDING_GROUPS), op.resource_accesses.data, strict=True))
    for index, (value, size, offset, length, access) in enumerate(rows):
        printer.print_string("," if index else "")
        printer._print_new_line()
        printer.print_string(_ACCESS_NAME[access.value.data] + " ")
        printer.print_ssa_value(value)
        print_slice(printer, offset, length)
        printer.print_string(" : ")
        print_sized(printer, value.type, size)
    printer._indent -= 1
    printer._print_new_line()
    printer.print_string("}")


def accesses(op: Any) -> list[int]:
    """READ and WRITE bits of each binding."""
    return [a.value.data for a in op.resource_accesses.data]


def check_bindings(op: Any, count: int) -> None:
    """Raise VerifyException where `count` bound ranges do not have all that belongs to them."""
    for what in ("sizes", "offsets", "lengths"):
        check_count(what, len(group(op, f"resource_{what}")), count)
    check_count("accesses", len(op.resource_accesses.data), count)
    for access in op.resource_accesses.data:
        if not isinstance(access, IntegerAttr) or access.value.data not in _ACCESS_NAME:
            known = ", ".join(f"{bits} ({word})" for word, bits in _ACCESS.items())
            raise VerifyException(f"an access of a bound range must be one of {known}, got {access}")


@irdl_op_definition
class CmdCollectiveOp(FormatOp):
    """A collective of the devices of a channel on byte ranges.

    ```
    stream.cmd.collective<all_reduce with sum : f32>[%c64] channel(%ch) {
      ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
      wo %b[%c0 for %c64] : !stream.resource<external>{%s}
    }
    ```
    """

    name = "stream.cmd.collective"
    element_count = operand_def(INDEX)
    channel = operand_def(_CHANNEL)
    param = opt_operand_def(i32)
    resources = var_operand_def()
    resource_sizes = var_operand_def(INDEX)
    resource_offsets = var_operand_def(INDEX)
    resource_lengths = var_operand_def(INDEX)
    op = prop_def(CollectiveAttr)
    resource_accesses = prop_def(ArrayAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> CmdCollectiveOp:
        kind = CollectiveAttr.new(CollectiveAttr.parse_parameters(parser))
        parser.parse_punctuation("[")
        count = parser.parse_operand(INDEX)
        parser.parse_punctuation("]")
        parser.parse_keyword("channel")
        parser.parse_punctuation("(")
        channel = parser.parse_operand(_CHANNEL)
        parser.parse_punctuation(")")
        parameter = None
        if parser.parse_optional_keyword("param") is not None:
            parser.parse_punctuation("(")
            parameter = parser.parse_operand(i32)
            parser.parse_punctuation(":")
            parser.parse_type()
            parser.parse_punctuation(")")
        bound, access = parse_bindings(parser)
        properties: dict[str, Attribute] = {"op": kind, "resource_accesses": access}
        attributes = parse_trailing(parser, cls, properties)
        groups = {"element_count": count, "channel": channel, "param": parameter, **bound}
        return make_op(cls, groups, [], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        self.op.print_parameters(printer)
        printer.print_string("[")
        printer.print_ssa_value(self.element_count)
        printer.print_string("] channel(")
        printer.print_ssa_value(self.channel)
        printer.print_string(")")
        if self.param is not None:
            printer.print_string(" param(")
            printer.print_ssa_value(self.param)
            printer.print_string(" : i32)")
        print_bindings(printer, self)
        print_trailing(printer, self, ("op", "resource_accesses"))

    def verify_(self) -> None:
        wanted = {"send": [READ], "recv": [WRITE]}.get(self.op.kind.data, [READ, WRITE])
        check_count("bound ranges", len(self.resources), len(wanted))
        check_bindings(self, len(self.resources))
        got = accesses(self)
        if any(have & need != need for have, need in zip(got, wanted, strict=True)):
            raise VerifyException(f"{self.op.kind.data} needs {', '.join(_ACCESS_NAME[w] for w in wanted)}")


@irdl_op_definition
class CmdDispatchOp(FormatOp):
    """`stream.cmd.dispatch @e::@f[%w](%x : i32) { ro %r[%o for %n] : T{%s}, ... }`: a kernel on bound ranges.

    ```
    stream.cmd.dispatch @k::@step[%c64](%c7_i32 : i32) {
      ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
      rw %b[%c0 for %c64] : !stream.resource<external>{%s}
    }
    ```
    """

    name = "stream.cmd.dispatch"
    workload = var_operand_def(INDEX)
    uniform_operands = var_operand_def()
    resources = var_operand_def()
    resource_sizes = var_operand_def(INDEX)
    resource_offsets = var_operand_def(INDEX)
    resource_lengths = var_operand_def(INDEX)
    entry_points = prop_def(ArrayAttr)
    resource_accesses = prop_def(ArrayAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> CmdDispatchOp:
        points = parse_entry_points(parser)
        workload = parse_workload(parser)
        uniform: list[SSAValue] = []
        if parser.parse_optional_punctuation("(") is not None:
            at = parser.pos
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            uniform = list(parser.resolve_operands(names, kinds, at))
        bound, access = parse_bindings(parser)
        properties: dict[str, Attribute] = {"entry_points": points, "resource_accesses": access}
        attributes = parse_trailing(parser, cls, properties)
        return make_op(
            cls, {"workload": workload, "uniform_operands": uniform, **bound}, [], properties, attributes=attributes
        )

    def print(self, printer: Any) -> None:
        print_entry_points(printer, self.entry_points)
        print_bracketed(printer, group(self, "workload"))
        uniform = group(self, "uniform_operands")
        if uniform:
            printer.print_string("(")
            printer.print_list(uniform, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in uniform], printer.print_attribute)
            printer.print_string(")")
        print_bindings(printer, self)
        print_trailing(printer, self, ("entry_points", "resource_accesses"))

    def verify_(self) -> None:
        check_bindings(self, len(self.resources))
        no_staging(self)


@irdl_op_definition
class CmdCallOp(FormatOp):
    """A host function in the order of the stream.

    ```
    stream.cmd.call @poke(rw %b[%c0 for %c64], %c7_i32) : (!stream.resource<external>{%s}, i32) -> ()
    ```
    """

    name = "stream.cmd.call"
    arguments = var_operand_def()
    resource_sizes = var_operand_def(INDEX)
    resource_offsets = var_operand_def(INDEX)
    resource_lengths = var_operand_def(INDEX)
    results_ = var_result_def()
    callee = prop_def(SymbolRefAttr)
    resource_accesses = prop_def(ArrayAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> CmdCallOp:
        callee = SymbolRefAttr(parser.parse_symbol_name().data)
        names: list[Any] = []
        access: list[IntegerAttr] = []
        offsets: list[SSAValue] = []
        lengths: list[SSAValue] = []

        def argument() -> None:
            for word, bits in _ACCESS.items():
                if parser.parse_optional_keyword(word) is not None:
                    access.append(IntegerAttr(bits, i32))
                    names.append(parser.parse_unresolved_operand())
                    offset, length = parse_slice(parser)
                    offsets.append(offset)
                    lengths.append(length)
                    return
            names.append(parser.parse_unresolved_operand())

        parse_paren_list(parser, argument)
        attributes = parser.parse_optional_attr_dict()
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
        parser.parse_punctuation("->")
        results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        if results is None:
            results = [parser.parse_type()]
        groups = {
            "arguments": list(parser.resolve_operands(names, kinds, at)),
            "resource_sizes": sizes,
            "resource_offsets": offsets,
            "resource_lengths": lengths,
        }
        return make_op(
            cls, groups, results, {"callee": callee, "resource_accesses": ArrayAttr(access)}, attributes=attributes
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.callee)
        printer.print_string("(")
        rows = iter(zip(accesses(self), group(self, "resource_offsets"), group(self, "resource_lengths"), strict=True))
        values = group(self, "arguments")
        for index, value in enumerate(values):
            printer.print_string(", " if index else "")
            if is_resource(value):
                access, offset, length = next(rows)
                printer.print_string(_ACCESS_NAME[access] + " ")
                printer.print_ssa_value(value)
                print_slice(printer, offset, length)
            else:
                printer.print_ssa_value(value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        sizes = iter(group(self, "resource_sizes"))
        for index, value in enumerate(values):
            printer.print_string(", " if index else "")
            if is_resource(value):
                print_sized(printer, value.type, next(sizes))
            else:
                printer.print_attribute(value.type)
        printer.print_string(") -> ")
        kinds = [r.type for r in self.results]
        printer.print_string("" if len(kinds) == 1 else "(")
        printer.print_list(kinds, printer.print_attribute)
        printer.print_string("" if len(kinds) == 1 else ")")

    def verify_(self) -> None:
        if any(is_resource(r) for r in self.results):
            raise VerifyException("results must be scalars")
        check_bindings(self, sum(is_resource(v) for v in self.arguments))


@irdl_op_definition
class CmdFuncOp(DialectOp):
    """`stream.cmd.func private @f(%a[%o for %n]: T, %x: i32)`: the signature of a function called by `cmd.call`."""

    name = "stream.cmd.func"
    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def verify_(self) -> None:
        kinds = list(self.function_type.inputs.data)
        for position, kind in enumerate(kinds):
            if is_resource(kind) and kinds[position + 1 : position + 3] != [INDEX, INDEX]:
                raise VerifyException(f"argument #{position} is a resource: its offset and length must follow it")
        if self.body.blocks and [a.type for a in self.body.blocks[0].args] != kinds:
            raise VerifyException("the body's arguments must have the types of the function type")

    @classmethod
    def parse(cls, parser: Any) -> CmdFuncOp:
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name()
        kinds: list[Attribute] = []
        arguments: list[Any] = []

        def argument() -> None:
            value = parser.parse_argument(expect_type=False)
            extra: list[Any] = []
            if parser.parse_optional_punctuation("[") is not None:
                extra.append(parser.parse_argument(expect_type=False))
                parser.parse_keyword("for")
                extra.append(parser.parse_argument(expect_type=False))
                parser.parse_punctuation("]")
            parser.parse_punctuation(":")
            kind = parser.parse_type()
            kinds.append(kind)
            arguments.append(value.resolve(kind))
            for item in extra:
                kinds.append(INDEX)
                arguments.append(item.resolve(INDEX))

        parse_paren_list(parser, argument)
        results: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type) or [
                parser.parse_type()
            ]
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_optional_region(arguments) or Region()
        properties: dict[str, Attribute] = {"sym_name": name, "function_type": FunctionType.from_lists(kinds, results)}
        if visibility is not None:
            properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
        return cls.create(
            properties=properties, attributes=dict(attributes.data) if attributes is not None else {}, regions=[region]
        )

    def print(self, printer: Any) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        block = self.body.blocks.first
        kinds = list(self.function_type.inputs.data)
        names: list[Any] = list(block.args) if block is not None else [f"%arg{i}" for i in range(len(kinds))]

        def name(item: Any) -> None:
            if isinstance(item, str):
                printer.print_string(item)
            else:
                printer.print_ssa_value(item)

        printer.print_string("(")
        index = 0
        while index < len(kinds):
            printer.print_string(", " if index else "")
            name(names[index])
            kind = kinds[index]
            if is_resource(kind):
                printer.print_string("[")
                name(names[index + 1])
                printer.print_string(" for ")
                name(names[index + 2])
                printer.print_string("]")
                index += 2
            printer.print_string(": ")
            printer.print_attribute(kind)
            index += 1
        printer.print_string(")")
        results = list(self.function_type.outputs.data)
        if results:
            printer.print_string(" -> (")
            printer.print_list(results, printer.print_attribute)
            printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if block is not None:
            printer.print_string(" ")
            printer.print_region(self.body, False, False)


class _Ordered(DialectOp):
    @classmethod
    def parse(cls, parser: Any) -> Any:
        region = parser.parse_region()
        ensure_yield(region)
        return cls.create(regions=[region])

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_region(self.body, True, False)  # pyright: ignore[reportAttributeAccessIssue]

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not isinstance(parent, CmdExecuteOp | CmdSerialOp | CmdConcurrentOp):
            raise VerifyException("expects parent 'stream.cmd.execute', 'serial' or 'concurrent'")
        check_explicit(self)


@irdl_op_definition
class CmdSerialOp(_Ordered):
    """`stream.cmd.serial { .. }`: in order.

    ```
    stream.cmd.serial {
      stream.cmd.dispatch @k::@step[%c64](%c7_i32 : i32) {
        ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
        rw %b[%c0 for %c64] : !stream.resource<external>{%s}
      }
      stream.cmd.call @poke(rw %b[%c0 for %c64], %c7_i32) : (!stream.resource<external>{%s}, i32) -> ()
      stream.yield
    }
    ```
    """

    name = "stream.cmd.serial"
    body = region_def("single_block")


@irdl_op_definition
class CmdConcurrentOp(_Ordered):
    """`stream.cmd.concurrent { .. }`: at the same time.

    ```
    stream.cmd.concurrent {
      stream.cmd.copy %a[%c0], %b[%c64], %c64 : !stream.resource<transient>{%s} -> !stream.resource<external>{%s}
      stream.cmd.serial {
        stream.cmd.dispatch @k::@step[%c64](%c7_i32 : i32) {
          ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
          rw %b[%c0 for %c64] : !stream.resource<external>{%s}
        }
        stream.cmd.call @poke(rw %b[%c0 for %c64], %c7_i32) : (!stream.resource<external>{%s}, i32) -> ()
        stream.yield
      }
      stream.yield
    }
    ```
    """

    name = "stream.cmd.concurrent"
    body = region_def("single_block")


def check_explicit(op: Any) -> None:
    """Raise where a command region holds anything but commands."""
    for inner in op.regions[0].block.ops:
        if not inner.name.startswith("stream.cmd.") and inner.name != "stream.yield":
            raise VerifyException(f"must only contain explicit ops, but has '{inner.name}'")


@irdl_op_definition
class CmdExecuteOp(FormatOp):
    """A batch of commands in order; what it waits for in front, a timepoint behind.

    ```
    %w = stream.cmd.execute await(%r#1) => with(%r#0 as %a: !stream.resource<transient>{%s}) {
      stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
      stream.yield
    } => !stream.timepoint
    ```
    """

    name = "stream.cmd.execute"
    await_timepoint = opt_operand_def(TIMEPOINT)
    resource_operands = var_operand_def()
    resource_operand_sizes = var_operand_def(INDEX)
    result_timepoint = result_def(TIMEPOINT)
    once = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> CmdExecuteOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("once") is not None:
            properties["once"] = UnitAttr()
        place = parse_keyed_attribute(parser, "on")
        if place is not None:
            properties["affinity"] = place
        waited = parse_await(parser)
        values, sizes, arguments, _ = parse_captures(parser)
        region = parser.parse_region(arguments)
        ensure_yield(region)
        parse_timepoint(parser)
        attributes = parse_trailing(parser, cls, properties)
        groups = {"await_timepoint": waited, "resource_operands": values, "resource_operand_sizes": sizes}
        return make_op(cls, groups, [TIMEPOINT], properties, [region], attributes)

    def print(self, printer: Any) -> None:
        if self.once is not None:
            printer.print_string(" once")
        print_keyed_attribute(printer, "on", self.affinity)
        print_await(printer, first(self, "await_timepoint"))
        print_captures(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, False, False)
        printer.print_string(" => !stream.timepoint")
        print_trailing(printer, self, ("affinity", "once"))

    def verify_(self) -> None:
        check_explicit(self)
        check_captures(self)


OPERATIONS = [
    CmdFlushOp,
    CmdInvalidateOp,
    CmdDiscardOp,
    CmdFillOp,
    CmdCopyOp,
    CmdCollectiveOp,
    CmdDispatchOp,
    CmdCallOp,
    CmdFuncOp,
    CmdSerialOp,
    CmdConcurrentOp,
    CmdExecuteOp,
]
