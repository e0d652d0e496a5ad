"""`tensor.gather` and `tensor.scatter`, which xDSL lacks, and the rules of `tensor` as MLIR's verifiers state them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, rules_for, verifier_for
from headrace.ir.upstream._view_rules import check_reduced, check_slice, shapes_fit, values

index = IndexType()


# ---- gather and scatter ---------------------------------------------------------------------------------------------


def _dims(parser: Any, keyword: str) -> DenseArrayBase[Any]:
    parser.parse_keyword(keyword)
    parser.parse_punctuation("(")
    found = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    parser.parse_punctuation(")")
    return DenseArrayBase.from_list(i64, found)


def _check_indices(kind: Attribute, dims: Sequence[int], what: str) -> None:
    if not isinstance(kind, TensorType) or not isinstance(kind.element_type, IntegerType | IndexType):
        raise VerifyException(f"operand must be ranked tensor of signless integer or index values, but got '{kind}'")
    if not kind.get_shape() or kind.get_shape()[-1] != len(dims):
        raise VerifyException(f"{what}_dims length must match the size of last dimension of indices")


def _check_dims(dims: Sequence[int], rank: int, what: str, whole: str) -> None:
    if not dims:
        raise VerifyException(f"{what}_dims must be non-empty")
    if len(dims) > rank:
        raise VerifyException(f"{what}_dims overflow {whole} rank")
    for dim in dims:
        if dim < 0:
            raise VerifyException(f"{what}_dims value must be non-negative")
        if dim >= rank:
            raise VerifyException(f"{what}_dims value must be smaller than {whole} rank")
    if any(b <= a for a, b in pairwise(dims)):
        raise VerifyException(f"{what}_dims values must be strictly increasing")


def _slices(full: TensorType[Any], indices: TensorType[Any], dims: Sequence[int]) -> list[list[int]]:
    """The shapes of the gathered (or scattered) value: with unit extents for the dims, and without them."""
    lead, shape = list(indices.get_shape())[:-1], full.get_shape()
    unit = [*lead, *(1 if i in dims else n for i, n in enumerate(shape))]
    return [unit, [*lead, *(n for i, n in enumerate(shape) if i not in dims)]]


@irdl_op_definition
class GatherOp(IRDLOperation):
    """`%r = tensor.gather %t[%i] gather_dims([0]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>`: the
    slices of a tensor at coordinates that another tensor lists.
    """

    name = "tensor.gather"
    source = operand_def(TensorType)
    indices = operand_def(TensorType)
    result = result_def(TensorType)
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source: Any = self.source.type
        result: Any = self.result.type
        dims = values(self.gather_dims)
        _check_dims(dims, len(source.get_shape()), "gather", "source")
        _check_indices(self.indices.type, dims, "gather")
        shapes = _slices(source, self.indices.type, dims)  # pyright: ignore[reportArgumentType]
        if result.element_type != source.element_type or list(result.get_shape()) not in shapes:
            wanted = TensorType(source.element_type, shapes[0])
            raise VerifyException(
                f"result type mismatch: expected '{wanted}' or its rank-reduced variant "
                f"'{TensorType(source.element_type, shapes[1])}' (got: '{result}')"
            )

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        where = parser.parse_unresolved_operand()
        parser.parse_punctuation("]")
        properties: dict[str, Attribute] = {"gather_dims": _dims(parser, "gather_dims")}
        return _finish(cls, parser, [source, where], properties)

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string("[")
        printer.print_ssa_value(self.indices)
        printer.print_string("]")
        _print_rest(self, printer, "gather_dims")


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`%r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<4x16xf32>, tensor<8x16xf32>,
    tensor<4x1xindex>) -> tensor<8x16xf32>`: a tensor with slices replaced at coordinates that another tensor lists.
    """

    name = "tensor.scatter"
    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    indices = operand_def(TensorType)
    result = result_def(TensorType)
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source: Any = self.source.type
        dest: Any = self.dest.type
        dims = values(self.scatter_dims)
        _check_dims(dims, len(dest.get_shape()), "scatter", "dest")
        if self.unique is None:
            raise VerifyException("requires 'unique' attribute to be set")
        _check_indices(self.indices.type, dims, "scatter")
        if self.result.type != dest:
            raise VerifyException(f"the result must have the type of the destination, '{dest}'")
        shapes = _slices(dest, self.indices.type, dims)  # pyright: ignore[reportArgumentType]
        if source.element_type != dest.element_type or list(source.get_shape()) not in shapes:
            raise VerifyException(
                f"source type mismatch: expected '{TensorType(dest.element_type, shapes[0])}' or its rank-reduced "
                f"variant '{TensorType(dest.element_type, shapes[1])}' (got: '{source}')"
            )

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        where = parser.parse_unresolved_operand()
        parser.parse_punctuation("]")
        properties: dict[str, Attribute] = {"scatter_dims": _dims(parser, "scatter_dims")}
        return _finish(cls, parser, [source, dest, where], properties)

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" into ")
        printer.print_ssa_value(self.dest)
        printer.print_string("[")
        printer.print_ssa_value(self.indices)
        printer.print_string("]")
        _print_rest(self, printer, "scatter_dims")


def _finish(cls: Any, parser: Any, operands: list[Any], properties: dict[str, Attribute]) -> Operation:
    if parser.parse_optional_keyword("unique") is not None:
        properties["unique"] = UnitAttr()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_function_type()
    return cls.create(
        operands=parser.resolve_operands(operands, kind.inputs.data, at),
        result_types=kind.outputs.data,
        properties=properties,
        attributes=attributes,
    )


def _print_rest(op: Any, printer: Any, key: str) -> None:
    printer.print_string(f" {key}([{', '.join(map(str, values(op.properties[key])))}])")
    if op.unique is not None:
        printer.print_string(" unique")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_operation_type(op)


# ---- rules ----------------------------------------------------------------------------------------------------------


@rules_for(tensor.EmptyOp)
def _check_empty(op: Any) -> None:
    wanted = list(op.results[0].type.get_shape()).count(DYNAMIC_INDEX)
    if len(op.operands) != wanted:
        raise VerifyException(f"incorrect number of dynamic sizes, has {len(op.operands)}, expected {wanted}")


@verifier_for(tensor.CastOp)
def _check_cast(op: Any) -> None:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise VerifyException("expected one operand and one result")
    source, result = op.operands[0].type, op.results[0].type
    for what, kind in (("operand #0", source), ("result #0", result)):
        if not isinstance(kind, TensorType | UnrankedTensorType):
            raise VerifyException(f"{what} must be tensor of any type values, but got '{kind}'")
    fine = source.element_type == result.element_type
    if fine and isinstance(source, TensorType) and isinstance(result, TensorType):
        fine = shapes_fit(source.get_shape(), result.get_shape())
    if not fine:
        raise VerifyException(f"operand type '{source}' and result type '{result}' are cast incompatible")


@rules_for(tensor.DimOp)
def _check_dim(op: Any) -> None:
    kind = op.operands[0].type
    if isinstance(kind, TensorType) and not kind.get_shape():
        raise VerifyException(f"operand #0 must be non-0-ranked or unranked tensor, but got '{kind}'")


@rules_for(tensor.ExtractOp)
def _check_extract(op: Any) -> None:
    if len(op.operands) - 1 != len(op.operands[0].type.get_shape()):
        raise VerifyException("incorrect number of indices for extract_element")


@rules_for(tensor.InsertOp)
def _check_insert(op: Any) -> None:
    if len(op.operands) - 2 != len(op.operands[1].type.get_shape()):
        raise VerifyException("incorrect number of indices")


@rules_for(tensor.ExtractSliceOp)
def _check_extract_slice(op: Any) -> None:
    source = op.operands[0].type
    sizes = check_slice(op, source.get_shape())
    check_reduced(TensorType(source.element_type, sizes, source.encoding), op.results[0].type)


@rules_for(tensor.InsertSliceOp)
def _check_insert_slice(op: Any) -> None:
    dest = op.operands[1].type
    sizes = check_slice(op, dest.get_shape())
    check_reduced(TensorType(dest.element_type, sizes, dest.encoding), op.operands[0].type)
    if op.results[0].type != dest:
        raise VerifyException(f"the result must have the type of the destination, '{dest}'")


@rules_for(tensor.FromElementsOp)
def _check_from_elements(op: Any) -> None:
    kind = op.results[0].type
    if not isinstance(kind, TensorType) or DYNAMIC_INDEX in kind.get_shape():
        raise VerifyException(f"result #0 must be statically shaped tensor of any type values, but got '{kind}'")
    if len(op.operands) != prod(kind.get_shape()):
        raise VerifyException(
            f"number of operands and types do not match: got {len(op.operands)} operands and "
            f"{prod(kind.get_shape())} types"
        )
    for value in op.operands:
        if value.type != kind.element_type:
            raise VerifyException(f"expected elements of type '{kind.element_type}', but got '{value.type}'")


@printer_for(tensor.FromElementsOp)
def _print_from_elements(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


@parser_for(tensor.FromElementsOp)
def _parse_from_elements(parser: Any) -> Operation:
    at = parser.pos
    operands: list[Any] = []
    first = parser.parse_optional_unresolved_operand()
    if first is not None:
        operands.append(first)
        while parser.parse_optional_punctuation(",") is not None:
            operands.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    if not isinstance(kind, TensorType):
        parser.raise_error(f"expected a ranked tensor type, but got '{kind}'", at)
    kinds = [kind.element_type] * len(operands)
    return tensor.FromElementsOp.create(
        operands=parser.resolve_operands(operands, kinds, at), result_types=[kind], attributes=attributes
    )


def yielded(op: Any, wanted: Attribute, message: str) -> None:
    """The region ends in `tensor.yield` of one value of a type."""
    block = op.regions[0].blocks.first
    end = None if block is None else block.last_op
    if end is None or end.name != "tensor.yield" or [value.type for value in end.operands] != [wanted]:
        raise VerifyException(message)


@rules_for(tensor.YieldOp)
def _check_yield(op: Any) -> None:
    parent = op.parent_op()
    if parent is None or parent.name not in ("tensor.generate", "tensor.pad"):
        raise VerifyException("expects parent op to be one of 'tensor.generate, tensor.pad'")


@verifier_for(tensor.PadOp)
def _check_pad(op: Any) -> None:
    source, result = op.operands[0].type, op.results[0].type
    low, high = (values(op.properties[key]) for key in ("static_low", "static_high"))
    rank = len(source.get_shape())
    if len(low) != rank or len(high) != rank:
        raise VerifyException(f"expected {rank} low and high padding values, got {len(low)} and {len(high)}")
    if low.count(DYNAMIC_INDEX) != len(op.low) or high.count(DYNAMIC_INDEX) != len(op.high):
        raise VerifyException("expected as many padding operands as dynamic padding values")
    found: list[int] = []
    for extent, before, after in zip(source.get_shape(), low, high, strict=True):
        dynamic = DYNAMIC_INDEX in (extent, before, after)
        found.append(DYNAMIC_INDEX if dynamic else extent + before + after)
    wanted = TensorType(source.element_type, found)
    shape = result.get_shape()
    fine = len(shape) == rank and result.element_type == source.element_type
    fine = fine and all(a == DYNAMIC_INDEX or a == b for a, b in zip(found, shape, strict=True))
    if not fine:
        raise VerifyException(f"specified type '{result}' does not match the inferred type '{wanted}'")
    block = op.regions[0].blocks.first
    if block is None or len(block.args) != rank:
        raise VerifyException(f"expected the block to have {rank} arguments")
    for position, arg in enumerate(block.args):
        if arg.type != index:
            raise VerifyException(f"expected block argument {position + 1} to be an index")
    yielded(op, source.element_type, "expected yield type to match shape element type")


@rules_for(tensor.ConcatOp)
def _check_concat(op: Any) -> None:
    kinds = [value.type for value in op.operands]
    if not kinds:
        raise VerifyException("requires at least one input")
    dim, rank = op.properties["dim"].value.data, len(kinds[0].get_shape())
    if any(len(kind.get_shape()) != rank for kind in kinds):
        raise VerifyException("rank of concatenated inputs must match result rank")
    if any(kind.element_type != kinds[0].element_type for kind in kinds):
        raise VerifyException("inputs and result element type must match")
    if not 0 <= dim < rank:
        raise VerifyException("concatenation dim must be less than the tensor rank")
    wanted: list[int] = []
    for position in range(rank):
        extents = [kind.get_shape()[position] for kind in kinds]
        known = [extent for extent in extents if extent != DYNAMIC_INDEX]
        if position == dim:
            wanted.append(sum(known) if len(known) == len(extents) else DYNAMIC_INDEX)
            continue
        if len(set(known)) > 1:
            raise VerifyException(f"static concatenation size mismatch along non-concatenated dimension {position}")
        wanted.append(known[0] if known else DYNAMIC_INDEX)
    result = op.results[0].type
    if result.element_type != kinds[0].element_type or not shapes_fit(wanted, result.get_shape()):
        raise VerifyException(
            f"result type '{result}' does not match inferred shape '{TensorType(kinds[0].element_type, wanted)}' "
            "static sizes"
        )


GATHER = [GatherOp, ScatterOp]
