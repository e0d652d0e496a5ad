"""Text and rules of `affine.parallel`, `affine.load`, `affine.store` and their vector forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from headrace.ir.affine import expr_text
from headrace.ir.subscripts import SubscriptReader, parse_subscripts, print_subscripts, value_name
from headrace.ir.upstream import OWN_PROPERTIES, parser_for, printer_for, verifier_for
from headrace.ir.upstream._affine_scope import check_affine_operands
from headrace.ir.upstream.arith import is_float, is_integer
from headrace.ir.upstream.scf import parse_arrow_types, terminated

index = IndexType()

#: How `affine.parallel` combines results, in the order of their numbers.
REDUCTIONS = (
    "addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli", "ori", "andi",
    "maxnumf", "minnumf", "xori",
)  # fmt: skip


def _bounds(parser: Any, word: str) -> tuple[AffineMapAttr, list[int], list[SSAValue]]:
    """`(0, max(%a, %b + 1), symbol(%n))`: the map, the number of its results for each loop, its operands."""
    reader = SubscriptReader(parser)
    exprs: list[AffineExpr] = []
    groups: list[int] = []

    def bound() -> None:
        if parser.parse_optional_keyword(word) is not None:
            found = parser.parse_comma_separated_list(parser.Delimiter.PAREN, reader.expression)
            if not found:
                parser.raise_error("expected at least one bound")
        else:
            found = [reader.expression()]
        exprs.extend(found)
        groups.append(len(found))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, bound)
    map_attr, operands = reader.result(exprs)
    return map_attr, groups, operands


@parser_for(affine.ParallelOp)
def _parse_parallel(parser: Any) -> Operation:
    at = parser.pos
    variables = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_punctuation("=")
    lower, lower_groups, lower_values = _bounds(parser, "max")
    parser.parse_keyword("to")
    upper, upper_groups, upper_values = _bounds(parser, "min")
    steps = [1] * len(variables)
    if parser.parse_optional_keyword("step") is not None:
        steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
    if not len(variables) == len(lower_groups) == len(upper_groups) == len(steps):
        parser.raise_error("expected as many lower bounds, upper bounds and steps as loop variables", at)
    kinds: list[Attribute] = []
    if parser.parse_optional_keyword("reduce") is not None:

        def reduction() -> Attribute:
            at = parser.pos
            name = parser.parse_str_literal()
            if name not in REDUCTIONS:
                parser.raise_error(f"unknown reduction '{name}', expected one of {', '.join(REDUCTIONS)}", at)
            return IntegerAttr(REDUCTIONS.index(name), i64)

        kinds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, reduction)
    results = parse_arrow_types(parser)
    if len(results) != len(kinds):
        parser.raise_error(f"expected {len(kinds)} result types, one for each reduction, but got {len(results)}")
    body = terminated(parser.parse_region([v.resolve(index) for v in variables]), affine.YieldOp.get)  # pyright: ignore
    return affine.ParallelOp.create(
        operands=[*lower_values, *upper_values],
        result_types=results,
        properties={
            "reductions": ArrayAttr(kinds),
            "lowerBoundsMap": lower,
            "lowerBoundsGroups": _groups(lower_groups),
            "upperBoundsMap": upper,
            "upperBoundsGroups": _groups(upper_groups),
            "steps": ArrayAttr([IntegerAttr(step, i64) for step in steps]),
        },
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def _groups(sizes: Sequence[int]) -> Attribute:
    return DenseIntOrFPElementsAttr.from_list(TensorType(i32, [len(sizes)]), list(sizes))


def _print_bounds(printer: Any, word: str, found: AffineMap, groups: Sequence[int], values: Sequence[SSAValue]) -> None:
    names = [value_name(printer, value) for value in values]
    dims, symbols = names[: found.num_dims], [f"symbol({name})" for name in names[found.num_dims :]]
    texts = [expr_text(expr, dims, symbols) for expr in found.results]
    parts: list[str] = []
    for size in groups:
        group, texts = texts[:size], texts[size:]
        parts.append(group[0] if size == 1 else f"{word}({', '.join(group)})")
    printer.print_string(f"({', '.join(parts)})")


@printer_for(affine.ParallelOp)
def _print_parallel(op: Any, printer: Any) -> None:
    lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
    split = lower.num_dims + lower.num_symbols
    printer.print_string(" (")
    printer.print_list(op.body.block.args, printer.print_ssa_value)
    printer.print_string(") = ")
    _print_bounds(printer, "max", lower, op.lowerBoundsGroups.get_values(), op.operands[:split])
    printer.print_string(" to ")
    _print_bounds(printer, "min", upper, op.upperBoundsGroups.get_values(), op.operands[split:])
    steps = [step.value.data for step in op.steps]
    if any(step != 1 for step in steps):
        printer.print_string(f" step ({', '.join(map(str, steps))})")
    if op.results:
        names = ", ".join(f'"{REDUCTIONS[kind.value.data]}"' for kind in op.reductions)
        printer.print_string(f" reduce ({names}) -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.body, False, False, bool(op.results))
    printer.print_op_attributes(op.attributes)


OWN_PROPERTIES.add(affine.ParallelOp)


@verifier_for(affine.ParallelOp)
def _verify_parallel(op: Any) -> None:
    for key, kind in (
        ("reductions", ArrayAttr), ("steps", ArrayAttr), ("lowerBoundsMap", AffineMapAttr),
        ("upperBoundsMap", AffineMapAttr), ("lowerBoundsGroups", DenseIntOrFPElementsAttr),
        ("upperBoundsGroups", DenseIntOrFPElementsAttr),
    ):  # fmt: skip
        if not isinstance(op.properties.get(key), kind):
            raise VerifyException(f"requires attribute '{key}'")
    lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
    wanted = lower.num_dims + lower.num_symbols + upper.num_dims + upper.num_symbols
    if len(op.operands) != wanted:
        raise VerifyException(f"expected {wanted} operands for the bounds, but got {len(op.operands)}")
    lows, highs = op.lowerBoundsGroups.get_values(), op.upperBoundsGroups.get_values()
    rank = len(op.body.block.args) if len(op.body.blocks) == 1 else -1
    if not rank == len(op.steps) == len(lows) == len(highs):
        raise VerifyException(
            f"the number of region arguments ({rank}) and the number of map groups for lower ({len(lows)}) and upper "
            f"bound ({len(highs)}), and the number of steps ({len(op.steps)}) must all match"
        )
    if any(arg.type != index for arg in op.body.block.args):
        raise VerifyException("expected region arguments of type 'index'")
    if sum(lows) != len(lower.results) or sum(highs) != len(upper.results):
        raise VerifyException("expected the groups to cover the results of the bound maps")
    if any(step.value.data <= 0 for step in op.steps):
        raise VerifyException("expected steps to be positive")
    if len(op.results) != len(op.reductions):
        raise VerifyException("a reduction must be specified for each output")
    check_affine_operands(op.operands[: lower.num_dims + lower.num_symbols], lower.num_dims)
    check_affine_operands(op.operands[lower.num_dims + lower.num_symbols :], upper.num_dims)
    for kind, result in zip(op.reductions, op.result_types, strict=True):
        if not isinstance(kind, IntegerAttr) or not 0 <= kind.value.data < len(REDUCTIONS):
            raise VerifyException("invalid reduction attribute")
        name = REDUCTIONS[kind.value.data]
        wanted = is_float if name.endswith("f") else is_integer
        if name != "assign" and not wanted(result):
            raise VerifyException("result type cannot match reduction attribute")
    end = op.body.block.last_op
    if end is not None and end.name == "affine.yield" and [v.type for v in end.operands] != list(op.result_types):
        raise VerifyException("types mismatch between yield op and its parent")


# ---- loads and stores -----------------------------------------------------------------------------------------------


@parser_for(affine.LoadOp, affine.VectorLoadOp)
def _parse_load(parser: Any, cls: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    found, operands = parse_subscripts(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = _memref_type(parser)
    result = kind.element_type
    if cls is affine.VectorLoadOp:
        parser.parse_punctuation(",")
        result = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(source, kind), *operands],
        result_types=[result],
        properties={"map": found},
        attributes=attributes,
    )


def _memref_type(parser: Any) -> Any:
    at = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, MemRefType):
        parser.raise_error(f"expected a memref type, but got '{kind}'", at)
    return kind


@parser_for(affine.StoreOp, affine.VectorStoreOp)
def _parse_store(parser: Any, cls: Any) -> Operation:
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    target = parser.parse_unresolved_operand()
    found, operands = parse_subscripts(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = _memref_type(parser)
    stored = kind.element_type
    if cls is affine.VectorStoreOp:
        parser.parse_punctuation(",")
        stored = parser.parse_type()
    return cls.create(
        operands=[parser.resolve_operand(value, stored), parser.resolve_operand(target, kind), *operands],
        properties={"map": found},
        attributes=attributes,
    )


@printer_for(affine.LoadOp, affine.VectorLoadOp, affine.StoreOp, affine.VectorStoreOp)
def _print_access(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    first = 0 if op.results else 1
    if first:
        printer.print_ssa_value(op.operands[0])
        printer.print_string(", ")
    printer.print_ssa_value(op.operands[first])
    print_subscripts(printer, op.map, op.operands[first + 1 :])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[first].type)
    value = op.results[0] if op.results else op.operands[0]
    if "vector" in op.name:
        printer.print_string(", ")
        printer.print_attribute(value.type)


@verifier_for(affine.LoadOp, affine.VectorLoadOp, affine.StoreOp, affine.VectorStoreOp)
def _verify_access(op: Any) -> None:
    first = 1 if "store" in op.name else 0
    if len(op.operands) <= first or len(op.results) != 1 - first:
        raise VerifyException("expected a memref operand and one value")
    kind, found = op.operands[first].type, op.properties.get("map")
    if not isinstance(kind, MemRefType):
        raise VerifyException(f"operand #{first} must be a memref, but got '{kind}'")
    if not isinstance(found, AffineMapAttr):
        raise VerifyException("requires attribute 'map'")
    if len(found.data.results) != len(kind.get_shape()):
        raise VerifyException(
            f"affine map has {len(found.data.results)} results, but the memref has rank {len(kind.get_shape())}"
        )
    if len(op.operands) - first - 1 != found.data.num_dims + found.data.num_symbols:
        raise VerifyException("expects as many subscripts as affine map inputs")
    if any(value.type != index for value in op.operands[first + 1 :]):
        raise VerifyException("index to memref access must have 'index' type")
    check_affine_operands(op.operands[first + 1 :], found.data.num_dims)
    value = op.operands[0].type if first else op.results[0].type
    wanted = value.element_type if "vector" in op.name and isinstance(value, VectorType) else value
    if wanted != kind.element_type:
        raise VerifyException(f"value has element type '{wanted}', but the memref has '{kind.element_type}'")
    for position, expr in enumerate(found.data.results):
        if isinstance(expr, AffineConstantExpr) and expr.value < 0:
            raise VerifyException(f"subscript #{position} is negative: {expr.value}")
