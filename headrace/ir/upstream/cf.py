"""The `cf` dialect: xDSL's operations, `switch` in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import cf

from headrace.ir.upstream import printer_for

Cf = cf.Cf


@printer_for(cf.SwitchOp)
def _print_switch(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.flag)
    printer.print_string(" : ")
    printer.print_attribute(op.flag.type)
    printer.print_string(", [")
    values = [] if op.case_values is None else list(op.case_values.get_values())
    sizes = [] if op.case_operand_segments is None else list(op.case_operand_segments.get_values())
    operands = list(op.case_operands)
    cases: list[tuple[str, Any, list[Any]]] = [("default", op.default_block, list(op.default_operands))]
    for value, block, size in zip(values, op.case_blocks, sizes, strict=True):
        cases.append((str(value), block, operands[:size]))
        operands = operands[size:]
    for position, (label, block, arguments) in enumerate(cases):
        printer.print_string("," if position else "")
        printer._indent += 1
        printer._print_new_line()
        printer._indent -= 1
        printer.print_string(f"{label}: ")
        printer.print_block_name(block)
        if arguments:
            printer.print_string("(")
            printer.print_list(arguments, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([value.type for value in arguments], printer.print_attribute)
            printer.print_string(")")
    printer._print_new_line()
    printer.print_string("]")
    printer.print_op_attributes(op.attributes)
