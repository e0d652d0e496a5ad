"""The few forms of the `util` dialect around `stream`: host functions, globals, initialisers, alignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._stream_format import FormatOp, parse_trailing, print_trailing
from headrace.ir.dialects._syntax import parse_yield_operands, print_yield_operands


@irdl_attr_definition
class UtilBufferType(ParametrizedAttribute, TypeAttribute):
    """`!util.buffer`: host memory."""

    name = "util.buffer"


def parse_function(parser: Any, cls: Any) -> Any:
    """`[visibility] @name(%x: T {attrs}) -> (T {attrs}) attributes {..} { body }`; also `-> %x` for tied results."""
    visibility = parser.parse_optional_visibility_keyword()
    name = parser.parse_symbol_name()
    arguments: list[Any] = []
    kinds: list[Attribute] = []
    arg_attrs: list[dict[str, Attribute]] = []

    def argument() -> None:
        found = parser.parse_optional_argument()
        kinds.append(found.type if found is not None else parser.parse_type())
        arg_attrs.append(parser.parse_optional_attr_dict())
        location = parser.parse_optional_location()
        if found is not None:
            if location is not None:
                found.location = location
            arguments.append(found)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    results: list[Attribute] = []
    res_attrs: list[dict[str, Attribute]] = []
    tied: list[int] = []

    def result(alone: bool = False) -> None:
        value = parser.parse_optional_unresolved_operand()
        if value is not None:
            names = [a.name.text[1:] for a in arguments]
            if value.operand_name not in names:
                parser.raise_error("expected the name of an argument", value.span)
            tied.append(names.index(value.operand_name))
            results.append(parser.parse_type() if parser.parse_optional_keyword("as") else kinds[tied[-1]])
        else:
            tied.append(-1)
            results.append(parser.parse_type())
        res_attrs.append({} if alone else parser.parse_optional_attr_dict())

    if parser.parse_optional_punctuation("->") is not None:
        if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result) is None:
            result(True)
    found = parser.parse_optional_attr_dict_with_keyword(
        ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", "tied_operands")
    )
    region = parser.parse_optional_region(arguments) or Region()
    properties: dict[str, Attribute] = {"sym_name": name, "function_type": FunctionType.from_lists(kinds, results)}
    if visibility is not None:
        properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
    if any(arg_attrs):
        properties["arg_attrs"] = ArrayAttr([DictionaryAttr(item) for item in arg_attrs])
    if any(res_attrs):
        properties["res_attrs"] = ArrayAttr([DictionaryAttr(item) for item in res_attrs])
    if any(t >= 0 for t in tied):
        properties["tied_operands"] = ArrayAttr([IntegerAttr(t, IndexType()) for t in tied])
    return cls.create(properties=properties, attributes=dict(found.data) if found is not None else {}, regions=[region])


def attrs_of(value: Attribute | None, count: int) -> list[dict[str, Attribute]]:
    """The attributes of each argument or result."""
    if not isinstance(value, ArrayAttr):
        return [{} for _ in range(count)]
    return [dict(item.data) for item in value.data]  # pyright: ignore[reportAttributeAccessIssue]


def print_function(op: Any, printer: Any) -> None:
    """The text of `parse_function`."""
    if op.sym_visibility is not None:
        printer.print_string(f" {op.sym_visibility.data}")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name)
    kinds = op.function_type.inputs.data
    block = op.body.blocks.first
    printer.print_string("(")
    for index, (kind, attributes) in enumerate(zip(kinds, attrs_of(op.arg_attrs, len(kinds)), strict=True)):
        if index:
            printer.print_string(", ")
        if block is not None:
            printer.print_ssa_value(block.args[index])
            printer.print_string(": ")
        elif op.tied_operands is not None:
            printer.print_string(f"%arg{index}: ")
        printer.print_attribute(kind)
        printer.print_op_attributes(attributes)
    printer.print_string(")")
    results = op.function_type.outputs.data
    if results:
        attributes = attrs_of(op.res_attrs, len(results))
        tied = [-1] * len(results)
        if op.tied_operands is not None:
            tied = [t.value.data for t in op.tied_operands.data]
        many = len(results) > 1 or any(attributes)
        printer.print_string(" -> " + ("(" if many else ""))
        for index, (kind, item, tie) in enumerate(zip(results, attributes, tied, strict=True)):
            if index:
                printer.print_string(", ")
            if tie >= 0:
                if block is not None:
                    printer.print_ssa_value(block.args[tie])
                else:
                    printer.print_string(f"%arg{tie}")
                if kind == kinds[tie]:
                    printer.print_op_attributes(item)
                    continue
                printer.print_string(" as ")
            printer.print_attribute(kind)
            printer.print_op_attributes(item)
        if many:
            printer.print_string(")")
    printer.print_op_attributes(op.attributes, print_keyword=True)
    if block is not None:
        printer.print_string(" ")
        printer.print_region(op.body, False, False)


class FunctionOp(DialectOp):
    """Shared by `util.func` and `stream.async.func`."""

    @classmethod
    def parse(cls, parser: Any) -> Any:
        return parse_function(parser, cls)

    def print(self, printer: Any) -> None:
        print_function(self, printer)

    def verify_(self) -> None:
        body: Region = self.body  # pyright: ignore[reportAttributeAccessIssue]
        kinds: FunctionType = self.function_type  # pyright: ignore[reportAttributeAccessIssue]
        block = body.blocks.first
        if block is not None and [a.type for a in block.args] != list(kinds.inputs.data):
            raise VerifyException("the entry block's arguments must have the types of the function's arguments")


@irdl_op_definition
class FuncOp(FunctionOp):
    """`util.func public @f(%x: T) -> T { ... util.return %x : T }`: a function on the host."""

    name = "util.func"
    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)
    tied_operands = opt_prop_def(ArrayAttr)
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())


@irdl_op_definition
class ReturnOp(DialectOp):
    """Ends a function.

    ```
    util.return %t : !stream.resource<external>
    ```
    """

    name = "util.return"
    operands_ = var_operand_def()
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Any) -> ReturnOp:
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=parse_yield_operands(parser), attributes=attributes)

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes)
        print_yield_operands(printer, self.operands)

    def verify_(self) -> None:
        parent = self.parent_op()
        if isinstance(parent, FunctionOp):
            wanted = list(parent.function_type.outputs.data)  # pyright: ignore[reportAttributeAccessIssue]
            if [v.type for v in self.operands] != wanted:
                raise VerifyException("operand types must be the enclosing function's result types")


@irdl_op_definition
class CallOp(DialectOp):
    """`%r = util.call @f(%x) : (T) -> T`: a call of a host function."""

    name = "util.call"
    operands_ = var_operand_def()
    results_ = var_result_def()
    callee = prop_def(SymbolRefAttr)

    @classmethod
    def parse(cls, parser: Any) -> CallOp:
        callee = parser.parse_symbol_name()
        at = parser.pos
        values = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_attribute()
        if not isinstance(kind, FunctionType):
            parser.raise_error("expected a function type", at)
        return cls.create(
            operands=parser.resolve_operands(values, kind.inputs.data, at),
            result_types=list(kind.outputs.data),
            properties={"callee": SymbolRefAttr(callee.data)},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.callee)
        printer.print_string("(")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        printer.print_list([v.type for v in self.operands], printer.print_attribute)
        printer.print_string(") -> ")
        kinds = [r.type for r in self.results]
        printer.print_string("" if len(kinds) == 1 else "(")
        printer.print_list(kinds, printer.print_attribute)
        printer.print_string("" if len(kinds) == 1 else ")")


@irdl_op_definition
class GlobalOp(DialectOp):
    """`util.global private mutable @g = 0 : index`: state of the module."""

    name = "util.global"
    sym_name = prop_def(StringAttr)
    sym_visibility = opt_prop_def(StringAttr)
    is_mutable = opt_prop_def(UnitAttr)
    initial_value = opt_prop_def()
    type = prop_def()
    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Any) -> GlobalOp:
        properties: dict[str, Attribute] = {}
        visibility = parser.parse_optional_visibility_keyword()
        if visibility is not None:
            properties["sym_visibility"] = visibility if isinstance(visibility, Attribute) else StringAttr(visibility)
        if parser.parse_optional_keyword("mutable") is not None:
            properties["is_mutable"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        attributes = parser.parse_optional_attr_dict()
        if parser.parse_optional_punctuation("=") is not None:
            value = parser.parse_attribute()
            properties["initial_value"] = value
            kind = getattr(value, "type", None)
            if isinstance(kind, Attribute) and parser.parse_optional_punctuation(":") is None:
                properties["type"] = kind
            else:
                if not isinstance(kind, Attribute):
                    parser.parse_punctuation(":", " and the type of the global")
                properties["type"] = parser.parse_type()
        else:
            parser.parse_punctuation(":")
            properties["type"] = parser.parse_type()
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        if self.is_mutable is not None:
            printer.print_string(" mutable")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_op_attributes(self.attributes)
        value = self.initial_value
        if value is not None:
            printer.print_string(" = ")
            printer.print_attribute(value)
            if getattr(value, "type", None) == self.type:
                return
        printer.print_string(" : ")
        printer.print_attribute(self.type)


@irdl_op_definition
class GlobalLoadOp(FormatOp):
    """`%v = util.global.load @g : T`; `immutable` where the global is known not to change."""

    name = "util.global.load"
    result = result_def()
    global_ = prop_def(SymbolRefAttr, prop_name="global")
    is_immutable = opt_prop_def(UnitAttr)

    @classmethod
    def parse(cls, parser: Any) -> GlobalLoadOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("immutable") is not None:
            properties["is_immutable"] = UnitAttr()
        properties["global"] = SymbolRefAttr(parser.parse_symbol_name().data)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()], properties=properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.is_immutable is not None:
            printer.print_string(" immutable")
        printer.print_string(" ")
        printer.print_attribute(self.global_)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        return None


@irdl_op_definition
class GlobalStoreOp(FormatOp):
    """Gives a global variable a value.

    ```
    util.global.store %c1, @counter : index
    ```
    """

    name = "util.global.store"
    value = operand_def()
    global_ = prop_def(SymbolRefAttr, prop_name="global")

    @classmethod
    def parse(cls, parser: Any) -> GlobalStoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        name = parser.parse_symbol_name()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(value, kind)],
            properties={"global": SymbolRefAttr(name.data)},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_attribute(self.global_)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)

    def verify_(self) -> None:
        return None


@irdl_op_definition
class InitializerOp(DialectOp):
    """`util.initializer { ... util.return }`: runs once when the module is loaded, in module order."""

    name = "util.initializer"
    body = region_def()
    traits = traits_def(IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Any) -> InitializerOp:
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        return cls.create(regions=[region], attributes=dict(attributes.data) if attributes is not None else {})

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, False, True)


@irdl_op_definition
class AlignOp(DialectOp):
    """`%r = util.align %x, %alignment : index`: `%x` rounded up to a multiple."""

    name = "util.align"
    value = operand_def()
    alignment = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> AlignOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        other = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(value, kind), parser.resolve_operand(other, kind)],
            result_types=[kind],
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        if not isinstance(self.result.type, IndexType | IntegerType):
            raise VerifyException("expected an index or integer")


@irdl_op_definition
class OptimizationBarrierOp(DialectOp):
    """`%r = util.optimization_barrier %x : T`: passes its operands on; nothing is moved or folded across."""

    name = "util.optimization_barrier"
    operands_ = var_operand_def()
    results_ = var_result_def()

    @classmethod
    def parse(cls, parser: Any) -> OptimizationBarrierOp:
        values: list[SSAValue] = parse_yield_operands(parser)
        return cls.create(operands=values, result_types=[v.type for v in values])

    def print(self, printer: Any) -> None:
        print_yield_operands(printer, self.operands)


@irdl_op_definition
class BufferConstantOp(DialectOp):
    """`%b = util.buffer.constant : !util.buffer = dense<..>`: constant host memory."""

    name = "util.buffer.constant"
    value = prop_def()
    buffer_name = opt_prop_def(StringAttr)
    alignment = opt_prop_def()
    result = result_def(UtilBufferType())
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> BufferConstantOp:
        properties: dict[str, Attribute] = {}
        label = parser.parse_optional_str_literal()
        if label is not None:
            properties["buffer_name"] = StringAttr(label)
        attributes = parse_trailing(parser, cls, properties)
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation("=")
        properties["value"] = parser.parse_attribute()
        return cls.create(result_types=[kind], properties=properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        if self.buffer_name is not None:
            printer.print_string(f' "{self.buffer_name.data}"')
        print_trailing(printer, self, ("value", "buffer_name", "alignment"))
        printer.print_string(" : !util.buffer = ")
        printer.print_attribute(self.value)


def make_func(
    name: str,
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
    body: Region,
    visibility: str | None = None,
) -> FuncOp:
    """A function from its parts."""
    return FuncOp.create(
        properties={
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists(list(inputs), list(outputs)),
            **({"sym_visibility": StringAttr(visibility)} if visibility else {}),
        },
        regions=[body],
    )


Util = Dialect(
    "util",
    [
        FuncOp,
        ReturnOp,
        CallOp,
        GlobalOp,
        GlobalLoadOp,
        GlobalStoreOp,
        InitializerOp,
        AlignOp,
        OptimizationBarrierOp,
        BufferConstantOp,
    ],
    [UtilBufferType],
)
