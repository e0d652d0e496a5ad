"""The `affine` dialect: apply, min, max, for, if, with MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineSymExpr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, rules_for, verifier_for
from headrace.ir.upstream._affine_dma import DMA
from headrace.ir.upstream._affine_index import INDEXING
from headrace.ir.upstream._affine_scope import check_affine_operands
from headrace.ir.upstream.scf import (
    check_no_arguments,
    parse_arrow_types,
    print_arrow_types,
    print_assignments,
    terminated,
)

index = IndexType()


@irdl_op_definition
class MaxOp(IRDLOperation):
    """`%r = affine.max affine_map<(d0) -> (d0, 8)>(%i)`:
    the largest result of an affine map (xDSL has only the smallest).
    """

    name = "affine.max"
    arguments = var_operand_def(IndexType())
    result = result_def(IndexType())
    map = prop_def(AffineMapAttr)
    traits = traits_def(Pure())

    def __init__(self, map_operands: Sequence[SSAValue | Operation], affine_map: AffineMapAttr):
        super().__init__(operands=[map_operands], properties={"map": affine_map}, result_types=[IndexType()])


def parse_map_operands(parser: Any, num_dims: int, num_symbols: int) -> list[SSAValue]:
    """`(%d, ...)[%s, ...]`; the counts must fit the map or set."""
    at = parser.pos

    def operand() -> SSAValue:
        return parser.parse_operand(index)

    dims = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, operand) or []
    symbols = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, operand) or []
    if len(dims) != num_dims or len(symbols) != num_symbols:
        parser.raise_error(
            f"expected {num_dims} dimension and {num_symbols} symbol operands, but got {len(dims)} and {len(symbols)}",
            at,
        )
    return [*dims, *symbols]


def print_map_operands(printer: Any, operands: Sequence[SSAValue], num_dims: int) -> None:
    """`(%d, ...)[%s, ...]`."""
    printer.print_string("(")
    printer.print_list(operands[:num_dims], printer.print_ssa_value)
    printer.print_string(")")
    if operands[num_dims:]:
        printer.print_string("[")
        printer.print_list(operands[num_dims:], printer.print_ssa_value)
        printer.print_string("]")


@parser_for(affine.ApplyOp, affine.MinOp, MaxOp)
def _parse_apply(parser: Any, cls: Any) -> Operation:
    at = parser.pos
    found = parser.parse_attribute()
    if not isinstance(found, AffineMapAttr):
        parser.raise_error("expected an affine map", at)
    operands = parse_map_operands(parser, found.data.num_dims, found.data.num_symbols)
    return cls.create(
        operands=operands,
        result_types=[index],
        properties={"map": found},
        attributes=parser.parse_optional_attr_dict(),
    )


@printer_for(affine.ApplyOp, affine.MinOp, MaxOp)
def _print_apply(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.map)
    print_map_operands(printer, op.operands, op.map.data.num_dims)
    printer.print_op_attributes(op.attributes)


@verifier_for(affine.ApplyOp, affine.MinOp, MaxOp)
def _verify_apply(op: Any) -> None:
    found = op.properties.get("map")
    if not isinstance(found, AffineMapAttr):
        raise VerifyException("requires attribute 'map'")
    wanted = found.data.num_dims + found.data.num_symbols
    if len(op.operands) != wanted:
        raise VerifyException(
            f"operand count and affine map dimension and symbol count must match: {len(op.operands)} against {wanted}"
        )
    if op.name == "affine.apply" and len(found.data.results) != 1:
        raise VerifyException("mapping must produce one value")
    if not found.data.results:
        raise VerifyException("affine map must produce at least one value")
    for value in op.operands:
        if value.type != index:
            raise VerifyException(f"operands must be of type 'index', but got '{value.type}'")
    if (kind := op.results[0].type) != index:
        raise VerifyException(f"result #0 must be index, but got '{kind}'")


@parser_for(affine.IfOp)
def _parse_if(parser: Any) -> Operation:
    at = parser.pos
    found = parser.parse_attribute()
    if not isinstance(found, AffineSetAttr):
        parser.raise_error("expected an integer set", at)
    operands = parse_map_operands(parser, found.data.num_dims, found.data.num_symbols)
    kinds = parse_arrow_types(parser)
    regions = [terminated(parser.parse_region(), affine.YieldOp.get), Region()]  # pyright: ignore
    if parser.parse_optional_keyword("else") is not None:
        regions[1] = terminated(parser.parse_region(), affine.YieldOp.get)  # pyright: ignore
    return affine.IfOp.create(
        operands=operands, result_types=kinds, properties={"condition": found},
        attributes=parser.parse_optional_attr_dict(), regions=regions,
    )  # fmt: skip


@printer_for(affine.IfOp)
def _print_if(op: affine.IfOp, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.condition)
    print_map_operands(printer, op.args, op.condition.data.num_dims)
    print_arrow_types(printer, op.result_types)
    printer.print_string(" ")
    printer.print_region(op.then_region, False, False, bool(op.results))
    if op.else_region.blocks:
        printer.print_string(" else ")
        printer.print_region(op.else_region, False, False, bool(op.results))
    printer.print_op_attributes(op.attributes)


@printer_for(affine.ForOp)
def _print_for(op: Any, printer: Any) -> None:
    variable, *carried = op.body.block.args
    printer.print_string(" ")
    printer.print_ssa_value(variable)
    if printer.print_debuginfo:
        printer.print_string(" ")
        printer.print_argument_location(variable)
    for word, prefix, found, values in (
        (" = ", "max ", op.lowerBoundMap, op.lowerBoundOperands),
        (" to ", "min ", op.upperBoundMap, op.upperBoundOperands),
    ):
        printer.print_string(word)
        _print_bound(printer, prefix, found, values)
    if op.step.value.data != 1:
        printer.print_string(f" step {op.step.value.data}")
    if op.inits:
        printer.print_string(" iter_args")
        print_assignments(printer, carried, op.inits)
        printer.print_string(" -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.body, False, False, bool(op.inits))
    printer.print_op_attributes(op.attributes)


def _print_bound(printer: Any, prefix: str, found: AffineMapAttr, values: Sequence[SSAValue]) -> None:
    bound = found.data
    if len(bound.results) == 1:
        expr = bound.results[0]
        if bound.num_dims == 0 and bound.num_symbols == 0 and isinstance(expr, AffineConstantExpr):
            printer.print_string(str(expr.value))
            return
        if bound.num_dims == 0 and bound.num_symbols == 1 and isinstance(expr, AffineSymExpr):
            printer.print_ssa_value(values[0])
            return
    else:
        printer.print_string(prefix)
    printer.print_attribute(found)
    print_map_operands(printer, values, bound.num_dims)


@verifier_for(affine.ForOp)
def _verify_for(op: Any) -> None:
    op.verify_()
    for found, values in ((op.lowerBoundMap, op.lowerBoundOperands), (op.upperBoundMap, op.upperBoundOperands)):
        check_affine_operands(values, found.data.num_dims)
        if not found.data.results:
            raise VerifyException("expected a bound map with at least one result")
        if any(isinstance(e, AffineConstantExpr) and not -(1 << 63) <= e.value < 1 << 63 for e in found.data.results):
            raise VerifyException("integer constant out of range for attribute")
    if op.step.value.data < 1:
        raise VerifyException("expected step to be representable as a positive signed integer")
    end = op.body.block.last_op
    if end is not None and end.name == "affine.yield" and [v.type for v in end.operands] != list(op.result_types):
        raise VerifyException("the values yielded must have the types of the results")


@verifier_for(affine.IfOp)
def _verify_if(op: Any) -> None:
    found = op.properties.get("condition")
    if not isinstance(found, AffineSetAttr):
        raise VerifyException("requires an integer set attribute named 'condition'")
    if len(op.operands) != found.data.num_dims + found.data.num_symbols:
        raise VerifyException("operand count and integer set dimension and symbol count must match")
    check_affine_operands(op.operands, found.data.num_dims)
    if op.results and not op.regions[1].blocks:
        raise VerifyException("must have an else block if it defines values")
    check_no_arguments(op)
    for region in op.regions:
        for block in region.blocks:
            end = block.last_op
            if end is not None and end.name == "affine.yield":
                if [v.type for v in end.operands] != list(op.result_types):
                    raise VerifyException("the values yielded in a branch must have the types of the results")


@rules_for(affine.YieldOp)
def _check_yield(op: Any) -> None:
    parent = op.parent_op()
    if parent is None or parent.name not in ("affine.for", "affine.if", "affine.parallel"):
        raise VerifyException("expects parent op to be one of 'affine.for, affine.if, affine.parallel'")


import_module("headrace.ir.upstream._affine_memory")

Affine = Dialect("affine", [*affine.Affine.operations, MaxOp, *INDEXING, *DMA], list(affine.Affine.attributes))
