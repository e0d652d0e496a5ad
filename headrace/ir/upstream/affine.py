"""The `affine` dialect: apply, min, max, for, if, with MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import Dialect, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, verifier_for
from headrace.ir.upstream.scf import parse_arrow_types, print_arrow_types, terminated

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


Affine = Dialect("affine", [*affine.Affine.operations, MaxOp], list(affine.Affine.attributes))
