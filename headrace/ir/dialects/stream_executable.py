"""Kernels of `stream`: executables, their exports, and what a kernel asks about itself."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._stream_format import (
    INDEX,
    FormatOp,
    check_dims,
    make_op,
    parse_encoding,
    print_encoding,
)
from headrace.ir.dialects._syntax import parse_yield_operands, print_yield_operands
from headrace.ir.dialects.flow import parse_executable, parse_export, print_executable, print_export
from headrace.ir.dialects.stream_types import BindingType


@irdl_op_definition
class ExecutableOp(DialectOp):
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
class ExecutableExportOp(DialectOp):
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
class ReturnOp(DialectOp):
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
    dimension = prop_def(IntegerAttr)
    result = result_def(INDEX)

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


@irdl_op_definition
class WorkgroupCountOp(_Workgroup):
    """`%n = stream.dispatch.workgroup.count[0] : index`: how many workgroups there are in one dimension."""

    name = "stream.dispatch.workgroup.count"


@irdl_op_definition
class WorkgroupSizeOp(_Workgroup):
    """`%n = stream.dispatch.workgroup.size[0] : index`: threads of a workgroup in one dimension."""

    name = "stream.dispatch.workgroup.size"


OPERATIONS = [
    ExecutableOp,
    ExecutableExportOp,
    ReturnOp,
    BindingSubspanOp,
    WorkgroupIdOp,
    WorkgroupCountOp,
    WorkgroupSizeOp,
]
