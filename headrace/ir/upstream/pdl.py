"""The `pdl` dialect: xDSL's operations; an external rewrite may take ranges."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import pdl
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import printer_for, rules_for, verifier_for

PDL = pdl.PDL


@verifier_for(pdl.RewriteOp)
def _verify_rewrite(op: pdl.RewriteOp) -> None:
    if op.parent_op() is None or op.parent_op().name != "pdl.pattern":  # pyright: ignore
        raise VerifyException("expects parent op 'pdl.pattern'")
    for value in op.operands:
        if not value.type.name.startswith("pdl."):
            raise VerifyException(f"operand must be PDL handle, but got '{value.type}'")
    blocks = [block for region in op.regions for block in region.blocks]
    has_body = any(block.ops.first is not None for block in blocks)
    if "name" in op.properties:
        if blocks:
            raise VerifyException("expected rewrite region to be empty when rewrite is external")
    elif not has_body:
        raise VerifyException("expected rewrite region to be non-empty if external name is not specified")


@verifier_for(pdl.AttributeOp)
def _verify_attribute(op: pdl.AttributeOp) -> None:
    if op.value is None:
        op.verify_()
    elif op.value_type is not None:
        raise VerifyException("expected only one of [`type`, `value`] to be set")


_MATCHED = (pdl.OperandOp, pdl.OperandsOp, pdl.ResultOp, pdl.ResultsOp, pdl.OperationOp)


def _check_connected(op: Any) -> None:
    """What the rewrite takes hangs together through operations, their operands and their results."""
    rewrite = op.body.block.last_op
    taken = [item for item in op.body.block.ops if isinstance(item, _MATCHED) and _is_taken(item, rewrite)]
    seen: set[Any] = set()
    pending: list[Any] = taken[:1]
    while pending:
        item = pending.pop()
        if not isinstance(item, _MATCHED) or item.parent_op() is not op or item in seen:
            continue
        seen.add(item)
        pending += [value.owner for value in item.operands]
        pending += [use.operation for result in item.results for use in result.uses]
    if any(item not in seen for item in taken):
        raise VerifyException("the operations must form a connected component")


def _is_taken(op: Any, rewrite: Any) -> bool:
    return any(rewrite in (use.operation, use.operation.parent_op()) for result in op.results for use in result.uses)


@rules_for(pdl.ApplyNativeConstraintOp)
def _check_constraint(op: Any) -> None:
    if not op.operands:
        raise VerifyException("expected at least one argument")


@rules_for(pdl.ApplyNativeRewriteOp)
def _check_native_rewrite(op: Any) -> None:
    if not op.operands and not op.results:
        raise VerifyException("expected at least one argument or result")


@rules_for(pdl.ResultsOp)
def _check_results(op: Any) -> None:
    kind = op.results[0].type
    if "index" not in op.properties and not isinstance(kind, pdl.RangeType):
        raise VerifyException(f"expected `pdl.range<value>` result type when no index is specified, but got: '{kind}'")


@verifier_for(pdl.TypeOp)
def _verify_type(op: pdl.TypeOp) -> None:
    if op.constantType is None:
        op.verify_()


@verifier_for(pdl.TypesOp)
def _verify_types(op: pdl.TypesOp) -> None:
    if op.constantTypes is None:
        op.verify_()


def _values(printer: Any, values: Any) -> None:
    printer.print_string("(")
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([value.type for value in values], printer.print_attribute)
    printer.print_string(")")


@printer_for(pdl.OperationOp)
def _print_operation(op: pdl.OperationOp, printer: Any) -> None:
    if op.opName is not None:
        printer.print_string(" ")
        printer.print_string_literal(op.opName.data)
    if op.operand_values:
        _values(printer, op.operand_values)
    printer.print_string(" ")
    names = list(op.attributeValueNames.data)
    if names:
        printer.print_string(" {")
        for position, (name, value) in enumerate(zip(names, op.attribute_values, strict=True)):
            printer.print_string(", " if position else "")
            printer.print_string_literal(name.data)
            printer.print_string(" = ")
            printer.print_ssa_value(value)
        printer.print_string("}")
    if op.type_values:
        printer.print_string(" -> " if op.operand_values or names or op.opName is not None else "-> ")
        _values(printer, op.type_values)
    printer.print_op_attributes(op.attributes)


@printer_for(pdl.ReplaceOp)
def _print_replace(op: pdl.ReplaceOp, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.op_value)
    printer.print_string(" with")
    if op.repl_values:
        _values(printer, op.repl_values)
    elif op.repl_operation is not None:
        printer.print_string(" ")
        printer.print_ssa_value(op.repl_operation)
    printer.print_op_attributes(op.attributes)


@printer_for(pdl.ResultsOp)
def _print_results(op: pdl.ResultsOp, printer: Any) -> None:
    printer.print_string(" " if op.index is None else f" {op.index.value.data} ")
    printer.print_string("of ")
    printer.print_ssa_value(op.parent_)
    printer.print_string(" ")
    if op.index is not None:
        printer.print_string(" -> ")
        printer.print_attribute(op.val.type)
    printer.print_op_attributes(op.attributes)


@printer_for(pdl.RangeOp)
def _print_range(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    if op.operands:
        printer.print_list(op.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([value.type for value in op.operands], printer.print_attribute)
    printer.print_string(" " if op.operands else ": ")
    if not op.operands:
        printer.print_attribute(op.results[0].type)
    printer.print_op_attributes(op.attributes)


@rules_for(pdl.PatternOp)
def _check_pattern(op: Any) -> None:
    if op.benefit.value.data < 0:
        raise VerifyException(
            "attribute 'benefit' failed to satisfy constraint: 16-bit signless integer attribute whose value is "
            "non-negative"
        )
    for inner in op.body.block.ops:
        if not inner.name.startswith("pdl."):
            raise VerifyException(f"expected only `pdl` operations within the pattern body, but found '{inner.name}'")
    _check_connected(op)


@rules_for(pdl.EraseOp, pdl.ReplaceOp)
def _check_erase(op: Any) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != "pdl.rewrite":
        raise VerifyException("expects parent op 'pdl.rewrite'")
