"""The `cf` dialect: xDSL's operations, `switch` in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i1, i32
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import ADDED_PROPERTIES, parser_for, printer_for, rules_for, verifier_for, verify_declared

Cf = cf.Cf


def _check_branch(successor: int, block: Any, values: Any) -> None:
    """The operands of a branch are the arguments of the block it goes to."""
    wanted = list(block.args)
    if len(values) != len(wanted):
        raise VerifyException(
            f"branch has {len(values)} operands for successor #{successor}, but target block has {len(wanted)}"
        )
    for position, (value, arg) in enumerate(zip(values, wanted, strict=True)):
        if value.type != arg.type:
            raise VerifyException(
                f"type mismatch for bb argument #{position} of successor #{successor}: '{value.type}' against "
                f"'{arg.type}'"
            )


@rules_for(cf.BranchOp)
def _check_br(op: Any) -> None:
    _check_branch(0, op.successor, op.arguments)


ADDED_PROPERTIES[cf.ConditionalBranchOp] = ("branch_weights",)


@verifier_for(cf.ConditionalBranchOp)
def _check_cond_br(op: Any) -> None:
    verify_declared(op)
    _check_branch(0, op.then_block, op.then_arguments)
    _check_branch(1, op.else_block, op.else_arguments)


@rules_for(cf.SwitchOp)
def _check_switch(op: Any) -> None:
    if not isinstance(op.flag.type, IntegerType):
        raise VerifyException(f"operand #0 must be integer, but got '{op.flag.type}'")
    _check_branch(0, op.default_block, op.default_operands)
    sizes = [] if op.case_operand_segments is None else list(op.case_operand_segments.get_values())
    operands = list(op.case_operands)
    for position, (block, size) in enumerate(zip(op.case_blocks, sizes, strict=True)):
        _check_branch(position + 1, block, operands[:size])
        operands = operands[size:]


def _successor(parser: Any) -> tuple[Any, list[Any]]:
    """`^bb1(%a, %b : i32, f32)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, []
    at = parser.pos
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return block, list(parser.resolve_operands(operands, kinds, at))


@parser_for(cf.ConditionalBranchOp)
def _parse_cond_br(parser: Any) -> Operation:
    condition = parser.parse_operand(i1)
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("weights") is not None:
        parser.parse_punctuation("(")
        weights = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        parser.parse_punctuation(")")
        properties["branch_weights"] = DenseArrayBase.from_list(i32, weights)
    parser.parse_punctuation(",")
    then, then_values = _successor(parser)
    parser.parse_punctuation(",")
    other, other_values = _successor(parser)
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [1, len(then_values), len(other_values)])
    return cf.ConditionalBranchOp.create(
        operands=[condition, *then_values, *other_values],
        properties=properties,
        attributes=parser.parse_optional_attr_dict(),
        successors=[then, other],
    )


@printer_for(cf.ConditionalBranchOp)
def _print_cond_br(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    weights = op.properties.get("branch_weights")
    if weights is not None:
        printer.print_string(f" weights([{', '.join(map(str, weights.get_values()))}])")
    for block, arguments in ((op.then_block, op.then_arguments), (op.else_block, op.else_arguments)):
        printer.print_string(", ")
        printer.print_block_name(block)
        if arguments:
            printer.print_string("(")
            printer.print_list(arguments, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([value.type for value in arguments], printer.print_attribute)
            printer.print_string(")")
    printer.print_op_attributes(op.attributes)


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
        cases.append((str(value % (1 << op.flag.type.width.data)), block, operands[:size]))
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
