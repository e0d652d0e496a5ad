"""The `ktdf_lowering` dialect: which units execute which operations, and where they meet. Between two passes only."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Dialect, Region, SSAValue
from xdsl.irdl import irdl_op_definition, region_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_optional_index_operands, print_attributes


@irdl_op_definition
class ExecuteOnOp(DialectOp):
    """`ktdf_lowering.execute_on %u, %v { ... }`: the body is executed by every listed unit and by nobody else."""

    name = "ktdf_lowering.execute_on"
    units = var_operand_def(IndexType())
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, units: Sequence[SSAValue], body: Region):
        super().__init__(operands=[units], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> ExecuteOnOp:
        units = parse_optional_index_operands(parser)
        region = parser.parse_region()
        return cls.build(operands=[units], regions=[region], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.units, printer.print_ssa_value)
        printer.print_string(" " if self.units else "")
        printer.print_region(self.body, print_entry_block_args=False)
        print_attributes(printer, self)

    def verify_(self) -> None:
        if self.body.block.args:
            raise VerifyException("region must not have block arguments")


@irdl_op_definition
class SignalOp(DialectOp):
    """`ktdf_lowering.signal %u, %v`: the listed units meet at this point of the program."""

    name = "ktdf_lowering.signal"
    units = var_operand_def(IndexType())

    def __init__(self, units: Sequence[SSAValue]):
        super().__init__(operands=[units])

    @classmethod
    def parse(cls, parser: Parser) -> SignalOp:
        units = parse_optional_index_operands(parser)
        return cls.build(operands=[units], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.units, printer.print_ssa_value)
        print_attributes(printer, self)


KtdfLowering = Dialect("ktdf_lowering", [ExecuteOnOp, SignalOp])
