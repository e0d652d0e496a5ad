"""The tensor level of `stream`: values with shape and element type, sizes by `tensor.sizeof`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._stream_dispatch import (
    check_count,
    is_resource,
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
    check_encoding,
    dims_needed,
    group,
    make_op,
    parse_encoding,
    parse_keyed_attribute,
    parse_sized,
    parse_trailing,
    print_encoding,
    print_keyed_attribute,
    print_sized,
    print_trailing,
    require_resource,
    tied_attr,
    ties,
)


@irdl_op_definition
class TensorImportOp(FormatOp):
    """An external value becomes a resource at its place; `consume` moves the ownership into the program.

    ```
    %in = stream.tensor.import on(#hal.device.affinity<@left>) consume %view : !hal.buffer_view ->
        tensor<?x4xf32>{%n} in !stream.resource<external>{%s}
    ```
    """

    name = "stream.tensor.import"
    source = operand_def()
    result_encoding_dims = var_operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    result_encoding = prop_def()
    consume = opt_prop_def(UnitAttr)
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff flag:consume $source ':' P:source '->' E:result 'in' T:result"

    def verify_rules(self) -> None:
        require_resource(self.result)


@irdl_op_definition
class TensorExportOp(FormatOp):
    """A resource becomes an external value.

    ```
    %e = stream.tensor.export on(#hal.device.affinity<@left>) %o : tensor<?x4xf32>{%n} in
        !stream.resource<external>{%s} -> !hal.buffer_view
    ```
    """

    name = "stream.tensor.export"
    source = operand_def()
    source_encoding_dims = var_operand_def(INDEX)
    source_size = operand_def(INDEX)
    result = result_def()
    source_encoding = prop_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $source ':' E:source 'in' T:source '->' P:result"

    def verify_rules(self) -> None:
        require_resource(self.source)


@irdl_op_definition
class TensorSizeOfOp(FormatOp):
    """Bytes that a tensor takes at a place.

    ```
    %s = stream.tensor.sizeof on(#hal.device.affinity<@left>) tensor<?x4xf32>{%n} : index
    ```
    """

    name = "stream.tensor.sizeof"
    encoding_dims = var_operand_def(INDEX)
    size = result_def(INDEX)
    encoding = prop_def()
    affinity = opt_prop_def()
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> TensorSizeOfOp:
        place = parse_keyed_attribute(parser, "on")
        kind, dims = parse_encoding(parser)
        properties: dict[str, Attribute | None] = {"encoding": kind, "affinity": place}
        attributes = parse_trailing(parser, cls, properties)
        parser.parse_punctuation(":")
        return make_op(cls, {"encoding_dims": dims}, [parser.parse_type()], properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        printer.print_string(" ")
        print_encoding(printer, self.encoding, self.operands)
        print_trailing(printer, self, ("affinity", "encoding"))
        printer.print_string(" : index")

    def verify_(self) -> None:
        check_encoding(self.encoding)
        check_dims(self.encoding, self.operands)


@irdl_op_definition
class TensorEmptyOp(FormatOp):
    """`%t = stream.tensor.empty : tensor<4xf32> in !stream.resource<*>{%n}`: a tensor with undefined contents."""

    name = "stream.tensor.empty"
    result_encoding_dims = var_operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    result_encoding = prop_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff ':' E:result 'in' T:result"


@irdl_op_definition
class TensorConstantOp(FormatOp):
    """`%t = stream.tensor.constant : tensor<2xf32> in !stream.resource<constant> = dense<1.0> : tensor<2xf32>`:
    a constant tensor.
    """

    name = "stream.tensor.constant"
    result_encoding_dims = var_operand_def(INDEX)
    result = result_def()
    value = prop_def()
    result_encoding = prop_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff ':' E:result 'in' P:result '=' attr:value"


@irdl_op_definition
class TensorSplatOp(FormatOp):
    """A tensor with one value in all elements.

    ```
    %row = stream.tensor.splat on(#hal.device.affinity<@left>) %v : f32 -> tensor<1x4xf32> in
        !stream.resource<*>{%c16}
    ```
    """

    name = "stream.tensor.splat"
    value = operand_def()
    result_encoding_dims = var_operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    result_encoding = prop_def()
    affinity = opt_prop_def()
    FORMAT: ClassVar[str] = "aff $value ':' P:value '->' E:result 'in' T:result"


@irdl_op_definition
class TensorCloneOp(FormatOp):
    """A copy; shape and element type may be read differently.

    ```
    %k = stream.tensor.clone on(#hal.device.affinity<@left>) %u : tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
        -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
    ```
    """

    name = "stream.tensor.clone"
    source = operand_def()
    source_encoding_dims = var_operand_def(INDEX)
    source_size = operand_def(INDEX)
    result_encoding_dims = var_operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    source_encoding = prop_def()
    result_encoding = prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "aff $source ':' E:source 'in' T:source '->' E:result 'in' T:result"


@irdl_op_definition
class TensorSliceOp(FormatOp):
    """A box of a tensor, copied.

    ```
    %p = stream.tensor.slice on(#hal.device.affinity<@left>) %k[%c0, %c0 for %c1, %c1] : tensor<?x4xf32>{%n} in
        !stream.resource<*>{%s} -> tensor<1x1xf32> in !stream.resource<*>{%c16}
    ```
    """

    name = "stream.tensor.slice"
    source = operand_def()
    source_encoding_dims = var_operand_def(INDEX)
    source_size = operand_def(INDEX)
    start_indices = var_operand_def(INDEX)
    lengths = var_operand_def(INDEX)
    result_encoding_dims = var_operand_def(INDEX)
    result_size = operand_def(INDEX)
    result = result_def()
    source_encoding = prop_def()
    result_encoding = prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = (
        "aff $source rng:start_indices:lengths ':' E:source 'in' T:source '->' E:result 'in' T:result"
    )

    def verify_rules(self) -> None:
        rank = len(self.source_encoding.get_shape()) if isinstance(self.source_encoding, TensorType) else 0
        check_count("start indices", len(self.start_indices), rank)
        check_count("lengths", len(self.lengths), rank)


@irdl_op_definition
class TensorFillOp(FormatOp):
    """`%r = stream.tensor.fill %v, %t[%i for %l] : f32 -> tensor<4xf32> in %t as !stream.resource<*>{%n}`:
    one value into a box of a tensor, in place.
    """

    name = "stream.tensor.fill"
    value = operand_def()
    target = operand_def()
    target_encoding_dims = var_operand_def(INDEX)
    target_size = operand_def(INDEX)
    start_indices = var_operand_def(INDEX)
    lengths = var_operand_def(INDEX)
    result = result_def()
    target_encoding = prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = (
        "aff $value ',' $target rng:start_indices:lengths ':' P:value '->' E:target 'in' tied:result:target"
    )

    def verify_rules(self) -> None:
        check_count("lengths", len(self.lengths), len(self.start_indices))


@irdl_op_definition
class TensorUpdateOp(FormatOp):
    """A tensor into a box of another one, in place.

    ```
    %u = stream.tensor.update on(#hal.device.affinity<@left>) %row, %y[%c0, %c0] : tensor<1x4xf32> in
        !stream.resource<*>{%c16} -> tensor<?x4xf32>{%n} in %y as !stream.resource<*>{%s}
    ```
    """

    name = "stream.tensor.update"
    target = operand_def()
    target_encoding_dims = var_operand_def(INDEX)
    target_size = operand_def(INDEX)
    start_indices = var_operand_def(INDEX)
    update = operand_def()
    update_encoding_dims = var_operand_def(INDEX)
    update_size = operand_def(INDEX)
    result = result_def()
    target_encoding = prop_def()
    update_encoding = prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = (
        "aff $update ',' $target idx:start_indices ':' E:update 'in' T:update '->' E:target 'in' tied:result:target"
    )


@irdl_op_definition
class TensorLoadOp(FormatOp):
    """`%v = stream.tensor.load %t[%i] : tensor<4xf32> in !stream.resource<staging>{%n} -> f32`:
    one element to the host; staging only.
    """

    name = "stream.tensor.load"
    source = operand_def()
    source_encoding_dims = var_operand_def(INDEX)
    source_size = operand_def(INDEX)
    indices = var_operand_def(INDEX)
    result = result_def()
    source_encoding = prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = "$source idx:indices ':' E:source 'in' T:source '->' P:result"

    def verify_rules(self) -> None:
        require_resource(self.source, only_staging=True)
        check_count("indices", len(self.indices), len(self.source_encoding.get_shape()))  # pyright: ignore


@irdl_op_definition
class TensorStoreOp(FormatOp):
    """`%r = stream.tensor.store %v, %t[%i] : f32 -> tensor<4xf32> in %t as !stream.resource<staging>{%n}`:
    one element from the host; staging only.
    """

    name = "stream.tensor.store"
    target = operand_def()
    target_encoding_dims = var_operand_def(INDEX)
    target_size = operand_def(INDEX)
    indices = var_operand_def(INDEX)
    value = operand_def()
    result = result_def()
    target_encoding = prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TIES: ClassVar[str | None] = "target"
    FORMAT: ClassVar[str] = "$value ',' $target idx:indices ':' P:value '->' E:target 'in' tied:result:target"

    def verify_rules(self) -> None:
        require_resource(self.target, only_staging=True)
        check_count("indices", len(self.indices), len(self.target_encoding.get_shape()))  # pyright: ignore


@irdl_op_definition
class TensorDispatchOp(FormatOp):
    """A kernel on tensors; a result written as an operand is made in its place.

    ```
    %y = stream.tensor.dispatch on(#hal.device.affinity<@left>) @k::@scale[%n](%x, %v) : (tensor<?x4xf32>{%n} in
        !stream.resource<*>{%s}, f32) -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
    ```
    """

    name = "stream.tensor.dispatch"
    workload = var_operand_def(INDEX)
    arguments = var_operand_def()
    argument_encoding_dims = var_operand_def(INDEX)
    argument_sizes = var_operand_def(INDEX)
    result_encoding_dims = var_operand_def(INDEX)
    result_sizes = var_operand_def(INDEX)
    results_ = var_result_def()
    entry_points = prop_def(ArrayAttr)
    argument_encodings = prop_def(ArrayAttr)
    result_encodings = prop_def(ArrayAttr)
    tied_operands = opt_prop_def()
    affinity = opt_prop_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> TensorDispatchOp:
        place = parse_keyed_attribute(parser, "on")
        points = parse_entry_points(parser)
        workload = parse_workload(parser)
        names: list[Any] = []
        parse_paren_list(parser, lambda: names.append(parser.parse_unresolved_operand()))
        properties: dict[str, Attribute | None] = {"entry_points": points, "affinity": place}
        attributes = parse_trailing(parser, cls, properties)
        parser.parse_punctuation(":")
        kinds: list[Attribute] = []
        arg_dims: list[SSAValue] = []
        arg_sizes: list[SSAValue] = []
        encodings: list[Attribute] = []

        def encoded(dims: list[SSAValue], sizes: list[SSAValue]) -> tuple[Attribute, Attribute]:
            encoding, more = parse_encoding(parser)
            dims.extend(more)
            if parser.parse_optional_keyword("in") is None:
                return encoding, encoding
            kind, size = parse_sized(parser)
            sizes.append(size)
            return kind, encoding

        def argument() -> None:
            kind, encoding = encoded(arg_dims, arg_sizes)
            kinds.append(kind)
            encodings.append(encoding)

        at = parser.pos
        parse_paren_list(parser, argument)
        values = list(parser.resolve_operands(names, kinds, at))
        parser.parse_punctuation("->")
        labels = [(n.operand_name, n.index) for n in names]
        results: list[Attribute] = []
        result_encodings: list[Attribute] = []
        result_dims: list[SSAValue] = []
        result_sizes: list[SSAValue] = []
        tied: list[int] = []

        def result() -> None:
            # The encoding comes first; a tied result names its operand after `in`.
            encoding, more = parse_encoding(parser)
            result_dims.extend(more)
            parser.parse_keyword("in")
            target = parser.parse_optional_unresolved_operand()
            tied.append(-1)
            if target is not None:
                if (target.operand_name, target.index) not in labels:
                    parser.raise_error("expected the name of an operand", target.span)
                tied[-1] = labels.index((target.operand_name, target.index))
                kind: Attribute = kinds[tied[-1]]
                if parser.parse_optional_keyword("as") is not None:
                    kind = parser.parse_type()
                parser.parse_punctuation("{")
                size = parser.parse_operand(INDEX)
                parser.parse_punctuation("}")
            else:
                kind, size = parse_sized(parser)
            results.append(kind)
            result_encodings.append(encoding)
            result_sizes.append(size)

        parse_result_list(parser, result)
        properties |= {
            "argument_encodings": ArrayAttr(encodings),
            "result_encodings": ArrayAttr(result_encodings),
            "tied_operands": tied_attr(tied),
        }
        groups = {
            "workload": workload,
            "arguments": values,
            "argument_encoding_dims": arg_dims,
            "argument_sizes": arg_sizes,
            "result_encoding_dims": result_dims,
            "result_sizes": result_sizes,
        }
        return make_op(cls, groups, results, properties, attributes=attributes)

    def print(self, printer: Any) -> None:
        print_keyed_attribute(printer, "on", self.affinity)
        print_entry_points(printer, self.entry_points)
        print_bracketed(printer, self.workload)
        printer.print_string("(")
        printer.print_list(self.arguments, printer.print_ssa_value)
        printer.print_string(")")
        print_trailing(
            printer, self, ("affinity", "entry_points", "argument_encodings", "result_encodings", "tied_operands")
        )
        printer.print_string(" : (")
        _print_encoded(
            printer,
            [v.type for v in self.arguments],
            self.argument_encodings.data,
            group(self, "argument_encoding_dims"),
            group(self, "argument_sizes"),
        )
        printer.print_string(") -> ")
        tied = ties(self)
        dims = iter(group(self, "result_encoding_dims"))
        sizes = group(self, "result_sizes")

        def one(index: int) -> None:
            encoding = self.result_encodings.data[index]
            print_encoding(printer, encoding, [next(dims) for _ in range(dims_needed(encoding))])
            printer.print_string(" in ")
            kind = self.results[index].type
            if tied[index] >= 0:
                target = self.arguments[tied[index]]
                printer.print_ssa_value(target)
                if target.type != kind:
                    printer.print_string(" as ")
                    printer.print_attribute(kind)
                printer.print_string("{")
                printer.print_ssa_value(sizes[index])
                printer.print_string("}")
            else:
                print_sized(printer, kind, sizes[index])

        print_result_list(printer, len(self.results), one)

    def verify_(self) -> None:
        check_count("argument sizes", len(self.argument_sizes), sum(is_resource(v) for v in self.arguments))
        check_count("result sizes", len(self.result_sizes), len(self.results))
        for encoding in (*self.argument_encodings, *self.result_encodings):
            check_encoding(encoding)
        wanted = sum(dims_needed(e) for e in self.argument_encodings.data)
        check_count("argument dimensions", len(self.argument_encoding_dims), wanted)
        wanted = sum(dims_needed(e) for e in self.result_encodings.data)
        check_count("result dimensions", len(self.result_encoding_dims), wanted)
        for index, tie in enumerate(ties(self)):
            if tie >= len(self.arguments):
                raise VerifyException("a result is tied to an operand that does not exist")
            if tie >= 0 and self.argument_encodings.data[tie] != self.result_encodings.data[index]:
                raise VerifyException("a tied result must have the encoding of its operand")


def _print_encoded(
    printer: Any, kinds: Sequence[Attribute], encodings: Sequence[Attribute], dims: Any, sizes: Any
) -> None:
    dims, sizes = iter(dims), iter(sizes)
    for index, (kind, encoding) in enumerate(zip(kinds, encodings, strict=True)):
        printer.print_string(", " if index else "")
        print_encoding(printer, encoding, [next(dims) for _ in range(dims_needed(encoding))])
        if is_resource(kind):
            printer.print_string(" in ")
            print_sized(printer, kind, next(sizes))


OPERATIONS = [
    TensorImportOp,
    TensorExportOp,
    TensorSizeOfOp,
    TensorEmptyOp,
    TensorConstantOp,
    TensorSplatOp,
    TensorCloneOp,
    TensorSliceOp,
    TensorFillOp,
    TensorUpdateOp,
    TensorLoadOp,
    TensorStoreOp,
    TensorDispatchOp,
]
