"""The few forms of `flow` that are input of `stream`: dispatches of outlined kernels, explicit transfers."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
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
    SymbolOpInterface,
    SymbolTable,
)

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._stream_dispatch import (
    parse_entry_points,
    parse_paren_list,
    parse_result_list,
    parse_workload,
    print_bracketed,
    print_entry_points,
    print_result_list,
)
from headrace.ir.dialects._stream_format import (
    INDEX,
    FormatOp,
    check_dims,
    dims_needed,
    group,
    make_op,
    parse_encoding,
    parse_keyed_attribute,
    parse_trailing,
    print_encoding,
    print_keyed_attribute,
    print_trailing,
    tied_attr,
    ties,
)
from headrace.ir.dialects._syntax import parse_yield_operands, print_yield_operands


@irdl_op_definition
class TensorTransferOp(FormatOp):
    """`%y = flow.tensor.transfer %x : tensor<?x4xf32>{%d} to #hal.device.promise<@dev>`: explicit placement."""

    name = "flow.tensor.transfer"
    operand = operand_def()
    argument_dims = var_operand_def(INDEX)
    result = result_def()
    target = prop_def()

    @classmethod
    def parse(cls, parser: Any) -> TensorTransferOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, dims = parse_encoding(parser)
        parser.parse_keyword("to")
        target = parser.parse_attribute()
        groups = {"operand": parser.resolve_operand(value, kind), "argument_dims": dims}
        return make_op(cls, groups, [kind], {"target": target}, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(" : ")
        print_encoding(printer, self.operand.type, self.operands[1:])
        printer.print_string(" to ")
        printer.print_attribute(self.target)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        check_dims(self.operand.type, self.operands[1:])


@irdl_op_definition
class DispatchOp(FormatOp):
    """`%r = flow.dispatch @exe::@fn[%w](%x, %n) : (tensor<?xf32>{%d}, index) -> tensor<?xf32>{%d}`.

    A result written as `%x` (or `%x as tensor<..>`) is made in place of that operand.
    """

    name = "flow.dispatch"
    workload = var_operand_def(INDEX)
    arguments = var_operand_def()
    argument_dims = var_operand_def(INDEX)
    result_dims = var_operand_def(INDEX)
    results_ = var_result_def()
    entry_points = prop_def(ArrayAttr)
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> DispatchOp:
        place = parse_keyed_attribute(parser, "on")
        points = parse_entry_points(parser)
        workload = parse_workload(parser)
        names: list[Any] = []
        parse_paren_list(parser, lambda: names.append(parser.parse_unresolved_operand()))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kinds: list[Attribute] = []
        dims: list[SSAValue] = []

        def argument() -> None:
            kind, more = parse_encoding(parser)
            kinds.append(kind)
            dims.extend(more)

        at = parser.pos
        parse_paren_list(parser, argument)
        values = list(parser.resolve_operands(names, kinds, at))
        parser.parse_punctuation("->")
        results: list[Attribute] = []
        result_dims: list[SSAValue] = []
        tied: list[int] = []
        labels = [(n.operand_name, n.index) for n in names]

        def result() -> None:
            target = parser.parse_optional_unresolved_operand()
            if target is None:
                tied.append(-1)
            else:
                if (target.operand_name, target.index) not in labels:
                    parser.raise_error("expected the name of an operand", target.span)
                tied.append(labels.index((target.operand_name, target.index)))
                if parser.parse_optional_keyword("as") is None:
                    results.append(kinds[tied[-1]])
                    result_dims.extend(_dims_of(tied[-1]))
                    return
            kind, more = parse_encoding(parser)
            results.append(kind)
            result_dims.extend(more)

        def _dims_of(index: int) -> list[SSAValue]:
            start = sum(dims_needed(kind) for kind in kinds[:index])
            return dims[start : start + dims_needed(kinds[index])]

        parse_result_list(parser, result)
        groups = {"workload": workload, "arguments": values, "argument_dims": dims, "result_dims": result_dims}
        properties = {"entry_points": points, "tied_operands": tied_attr(tied), "affinity": place}
        return make_op(cls, groups, results, properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        print_entry_points(printer, self.entry_points)
        print_bracketed(printer, self.workload)
        printer.print_string("(")
        printer.print_list(self.arguments, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        dims = iter(group(self, "argument_dims"))
        for index, value in enumerate(self.arguments):
            printer.print_string(", " if index else "")
            print_encoding(printer, value.type, [next(dims) for _ in range(dims_needed(value.type))])
        printer.print_string(") -> ")
        tied = ties(self)
        result_dims = iter(group(self, "result_dims"))

        def one(index: int) -> None:
            kind = self.results[index].type
            more = [next(result_dims) for _ in range(dims_needed(kind))]
            if tied[index] >= 0:
                target = self.arguments[tied[index]]
                printer.print_ssa_value(target)
                if target.type == kind:
                    return
                printer.print_string(" as ")
            print_encoding(printer, kind, more)

        print_result_list(printer, len(self.results), one)

    def verify_(self) -> None:
        wanted = sum(dims_needed(v.type) for v in self.arguments)
        if wanted != len(self.argument_dims):
            check_dims(self.arguments[0].type if self.arguments else INDEX, self.argument_dims)
        for kind, tie in zip([r.type for r in self.results], ties(self), strict=True):
            if tie >= len(self.arguments):
                raise ValueError(f"result of type {kind} is tied to an operand that does not exist")


@irdl_op_definition
class ExecutableOp(DialectOp):
    """`flow.executable private @exe { flow.executable.export public @fn ... builtin.module {..} }`:
    kernels of the functions that its exports name.
    """

    name = "flow.executable"
    sym_name = prop_def(StringAttr)
    sym_visibility = opt_prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), SymbolTable(), SymbolOpInterface(), IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return parse_executable(parser, cls)

    def print(self, printer: Any) -> None:
        print_executable(self, printer)


def parse_executable(parser: Any, cls: Any) -> Any:
    """`[visibility] @name [attributes {..}] { ... }`."""
    properties: dict[str, Attribute] = {}
    visibility = parser.parse_optional_visibility_keyword()
    if visibility is not None:
        properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
    properties["sym_name"] = parser.parse_symbol_name()
    attributes = parse_trailing(parser, cls, properties)
    return cls.create(properties=properties, attributes=attributes, regions=[parser.parse_region()])


def print_executable(op: Any, printer: Any) -> None:
    """The text of `parse_executable`."""
    if op.sym_visibility is not None:
        printer.print_string(f" {op.sym_visibility.data}")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name)
    print_trailing(printer, op, ("sym_name", "sym_visibility"))
    printer.print_string(" ")
    printer.print_region(op.body)


def parse_export(parser: Any, cls: Any) -> Any:
    """`[visibility] @name [workgroups(%a: index) -> (index, index, index) { .. }] [attributes {..}]`."""
    properties: dict[str, Attribute] = {}
    visibility = parser.parse_optional_visibility_keyword()
    if visibility is not None:
        properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
    name = parser.parse_symbol_name()
    properties["sym_name"] = name
    properties["function_ref"] = name
    if parser.parse_optional_keyword("as") is not None:
        parser.parse_punctuation("(")
        properties["sym_name"] = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation(")")
    regions: list[Any] = []
    if parser.parse_optional_keyword("workgroups") is not None:
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        parser.parse_punctuation("->")
        at = parser.pos
        kinds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        if len(kinds) != 3:
            parser.raise_error("expected the XYZ dimension counts: three results of type index", at)
        regions.append(parser.parse_region(arguments))
    attributes = parse_trailing(parser, cls, properties)
    return cls.build(properties=properties, attributes=attributes, regions=[regions])


def print_export(op: Any, printer: Any) -> None:
    """The text of `parse_export`."""
    if op.sym_visibility is not None:
        printer.print_string(f" {op.sym_visibility.data}")
    printer.print_string(" ")
    printer.print_symbol_name(op.function_ref)
    if op.sym_name != op.function_ref:
        printer.print_string(f' as("{op.sym_name.data}")')
    if op.workgroup_count is not None:
        printer.print_string(" workgroups(")
        printer.print_list(op.workgroup_count.block.args, printer.print_block_argument)
        printer.print_string(") -> (index, index, index) ")
        printer.print_region(op.workgroup_count, False, True)
    print_trailing(printer, op, ("sym_name", "function_ref", "sym_visibility"))


@irdl_op_definition
class ExecutableExportOp(DialectOp):
    """`flow.executable.export public @fn workgroups(%n: index) -> (index, index, index) { ... }`:
    an entry point, and how many workgroups a workload takes.
    """

    name = "flow.executable.export"
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


@irdl_op_definition
class ReturnOp(DialectOp):
    """`flow.return %x, %y, %z : index, index, index`: ends the region of an export."""

    name = "flow.return"
    operands_ = var_operand_def()
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Any) -> ReturnOp:
        return cls.create(operands=parse_yield_operands(parser))

    def print(self, printer: Any) -> None:
        print_yield_operands(printer, self.operands)


@irdl_op_definition
class TensorCloneOp(FormatOp):
    """`%y = flow.tensor.clone %x : tensor<?xf32>{%d}`:
    a copy that later updates do not reach.
    """

    name = "flow.tensor.clone"
    operand = operand_def()
    argument_dims = var_operand_def(INDEX)
    result = result_def()

    @classmethod
    def parse(cls, parser: Any) -> TensorCloneOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind, dims = parse_encoding(parser)
        groups = {"operand": parser.resolve_operand(value, kind), "argument_dims": dims}
        return make_op(cls, groups, [kind], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(" : ")
        print_encoding(printer, self.operand.type, self.operands[1:])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        check_dims(self.operand.type, self.operands[1:])


@irdl_op_definition
class TensorSplatOp(FormatOp):
    """`%y = flow.tensor.splat %v : tensor<?xf32>{%d}`:
    a tensor of one value.
    """

    name = "flow.tensor.splat"
    value = operand_def()
    result_dims = var_operand_def(INDEX)
    result = result_def()

    @classmethod
    def parse(cls, parser: Any) -> TensorSplatOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        at = parser.pos
        kind, dims = parse_encoding(parser)
        element = getattr(kind, "element_type", None)
        if element is None:
            parser.raise_error("expected a tensor type", at)
        groups = {"value": parser.resolve_operand(value, element), "result_dims": dims}
        return make_op(cls, groups, [kind], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        print_encoding(printer, self.result.type, self.operands[1:])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        check_dims(self.result.type, self.operands[1:])


@irdl_op_definition
class TensorSliceOp(FormatOp):
    """`%y = flow.tensor.slice %x[%i for %l] : tensor<8xf32> -> tensor<?xf32>{%l}`:
    a box of a tensor.
    """

    name = "flow.tensor.slice"
    source = operand_def()
    source_dims = var_operand_def(INDEX)
    start_indices = var_operand_def(INDEX)
    lengths = var_operand_def(INDEX)
    result_dims = var_operand_def(INDEX)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> TensorSliceOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        starts = _operands(parser)
        parser.parse_keyword("for")
        lengths = _operands(parser)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        kind, dims = parse_encoding(parser)
        parser.parse_punctuation("->")
        result, result_dims = parse_encoding(parser)
        groups = {
            "source": parser.resolve_operand(value, kind),
            "source_dims": dims,
            "start_indices": starts,
            "lengths": lengths,
            "result_dims": result_dims,
        }
        return make_op(cls, groups, [result], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string("[")
        printer.print_list(self.start_indices, printer.print_ssa_value)
        printer.print_string(" for ")
        printer.print_list(self.lengths, printer.print_ssa_value)
        printer.print_string("] : ")
        print_encoding(printer, self.source.type, self.source_dims)
        printer.print_string(" -> ")
        print_encoding(printer, self.result.type, self.result_dims)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        check_dims(self.source.type, self.source_dims)
        check_dims(self.result.type, self.result_dims)


@irdl_op_definition
class TensorUpdateOp(FormatOp):
    """`%y = flow.tensor.update %u, %x[%i] : tensor<2xf32> -> %x as tensor<8xf32>`:
    the tensor with a box replaced, in place where nobody else reads it.
    """

    name = "flow.tensor.update"
    target = operand_def()
    target_dims = var_operand_def(INDEX)
    start_indices = var_operand_def(INDEX)
    update = operand_def()
    update_dims = var_operand_def(INDEX)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> TensorUpdateOp:
        update = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        target = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        starts = _operands(parser)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        kind, dims = parse_encoding(parser)
        parser.parse_punctuation("->")
        parser.parse_unresolved_operand()
        parser.parse_keyword("as")
        result, result_dims = parse_encoding(parser)
        groups = {
            "target": parser.resolve_operand(target, result),
            "target_dims": result_dims,
            "start_indices": starts,
            "update": parser.resolve_operand(update, kind),
            "update_dims": dims,
        }
        return make_op(cls, groups, [result], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.update)
        printer.print_string(", ")
        printer.print_ssa_value(self.target)
        printer.print_string("[")
        printer.print_list(self.start_indices, printer.print_ssa_value)
        printer.print_string("] : ")
        print_encoding(printer, self.update.type, self.update_dims)
        printer.print_string(" -> ")
        printer.print_ssa_value(self.target)
        printer.print_string(" as ")
        print_encoding(printer, self.result.type, self.target_dims)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        check_dims(self.target.type, self.target_dims)
        check_dims(self.update.type, self.update_dims)


def _operands(parser: Any) -> list[SSAValue]:
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: parser.parse_operand(INDEX))


Flow = Dialect(
    "flow",
    [
        TensorTransferOp,
        DispatchOp,
        ExecutableOp,
        ExecutableExportOp,
        ReturnOp,
        TensorCloneOp,
        TensorSplatOp,
        TensorSliceOp,
        TensorUpdateOp,
    ],
)
