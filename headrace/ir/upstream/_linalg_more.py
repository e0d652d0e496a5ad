"""`linalg.elementwise`, `contract` and `softmax`: what xDSL lacks, in MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream._linalg_functions import ElementwiseKindAttr
from headrace.ir.upstream._linalg_named import named_body
from headrace.ir.upstream._linalg_structured import TypeFn, TypeFnAttr, check_structured
from headrace.ir.upstream._packing import PackOp, UnPackOp

_INDEX = IndexType()


def _group(parser: Any, keyword: str) -> list[SSAValue]:
    parser.parse_keyword(keyword)
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return []
    names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    values = list(parser.resolve_operands(names, kinds, parser.pos))
    parser.parse_punctuation(")")
    return values


def _print_groups(printer: Any, op: Any) -> None:
    for keyword, values in (("ins", op.inputs), ("outs", op.outputs)):
        printer.print_string(f" {keyword}(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([value.type for value in values], printer.print_attribute)
        printer.print_string(")")
    if op.results:
        printer.print_string(" -> ")
        printer.print_list([result.type for result in op.results], printer.print_attribute)


def _results(parser: Any) -> list[Attribute]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return listed if listed is not None else [parser.parse_type()]


def _check_outputs(op: Any) -> None:
    """One output, and its type as the result if it is a tensor."""
    if len(op.outputs) != 1:
        raise VerifyException(f"expected 1 output, but found {len(op.outputs)}")
    tensors = [value.type for value in op.outputs if isinstance(value.type, TensorType)]
    if len(op.results) != len(tensors):
        raise VerifyException(
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of output tensors "
            f"({len(tensors)})"
        )
    for wanted, result in zip(tensors, op.results, strict=True):
        if wanted != result.type:
            raise VerifyException(
                f"expected type of operand #{len(op.inputs)} ('{wanted}') to match type of corresponding result "
                f"('{result.type}')"
            )


class _Mapped(IRDLOperation):
    """Inputs, one output, explicit maps and a body that follows from them."""

    inputs = var_operand_def()
    outputs = var_operand_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    res = var_result_def(TensorType)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def maps(self) -> list[AffineMap]:
        """The map of each operand."""
        return [item.data for item in self.indexing_maps]

    def check(self) -> None:
        """What all of them obey."""
        _check_outputs(self)
        maps = self.maps()
        if len(maps) != len(self.operands):
            raise VerifyException(
                f"expected the number of indexing_map ({len(maps)}) to be equal to the number of input/output "
                f"operands ({len(self.operands)})"
            )
        if any(item.num_dims != maps[0].num_dims for item in maps):
            raise VerifyException("expected all indexing maps to have the same number of dimensions")
        check_structured(list(self.operands), maps)


def _identities(outputs: Sequence[SSAValue], count: int) -> ArrayAttr[AffineMapAttr]:
    kind = outputs[0].type if outputs else None
    rank = len(kind.get_shape()) if isinstance(kind, TensorType | MemRefType) else 0
    return ArrayAttr([AffineMapAttr(AffineMap.identity(rank))] * count)


@irdl_op_definition
class ElementwiseOp(_Mapped):
    """`%r = linalg.elementwise <add> ins(%a, %b : T, T) outs(%o : T) -> T`: a named function, element by element.

    `indexing_maps = [...]` after the kind transposes or broadcasts the operands.
    """

    name = "linalg.elementwise"
    kind = prop_def(ElementwiseKindAttr)

    @classmethod
    def parse(cls, parser: Any) -> ElementwiseOp:
        if parser.parse_optional_keyword("kind") is not None:  # The older spelling.
            parser.parse_punctuation("=")
            at = parser.pos
            kind = parser.parse_attribute()
            if not isinstance(kind, ElementwiseKindAttr):
                parser.raise_error("expected '#linalg.elementwise_kind<...>'", at)
        else:
            kind = ElementwiseKindAttr(ElementwiseKindAttr.parse_parameter(parser))
        maps = None
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            maps = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = _group(parser, "ins"), _group(parser, "outs")
        results = _results(parser)
        operands = [*inputs, *outputs]
        short = kind.data.value.removesuffix("_signed")
        return cls.build(
            operands=[inputs, outputs],
            result_types=[results],
            properties={
                "kind": kind,
                "indexing_maps": maps if maps is not None else _identities(outputs, len(operands)),
            },
            attributes=attributes,
            regions=[named_body(f"linalg.{short}", operands)],
        )

    def print(self, printer: Any) -> None:
        printer.print_string(f" <{self.kind.data.value}>")
        if self.indexing_maps != _identities(self.outputs, len(self.operands)):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        printer.print_op_attributes(self.attributes)
        _print_groups(printer, self)

    def verify_(self) -> None:
        if len(self.inputs) != self.kind.data.inputs:
            raise VerifyException(
                f"expected {self.kind.data.inputs} inputs for '{self.kind.data.value}', but found {len(self.inputs)}"
            )
        self.check()


@irdl_op_definition
class ContractOp(_Mapped):
    """`%r = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : T, U) outs(%c : V) -> V`: a sum of products.

    The dimensions that the output's map lacks are summed.
    """

    name = "linalg.contract"
    cast = opt_prop_def(TypeFnAttr)

    @classmethod
    def parse(cls, parser: Any) -> ContractOp:
        parser.parse_keyword("indexing_maps")
        parser.parse_punctuation("=")
        maps = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = _group(parser, "ins"), _group(parser, "outs")
        attributes.update(parser.parse_optional_attr_dict())
        results = _results(parser)
        cast = attributes.pop("cast", None)
        signed = getattr(cast, "data", None) != TypeFn.CAST_UNSIGNED
        if len(inputs) != 2 or len(outputs) != 1:
            raise ValueError(f"expected 2 inputs and 1 output, but found {len(inputs)} and {len(outputs)}")
        return cls.build(
            operands=[inputs, outputs],
            result_types=[results],
            properties={"indexing_maps": maps, "cast": cast},
            attributes=attributes,
            regions=[named_body("linalg.matmul", [*inputs, *outputs], signed)],
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        printer.print_merged_attributes(self, {"operandSegmentSizes", "indexing_maps"})
        _print_groups(printer, self)

    def verify_(self) -> None:
        if len(self.inputs) != 2:
            raise VerifyException(f"expected 2 inputs, but found {len(self.inputs)}")
        self.check()
        used: list[set[int]] = []
        for found in self.maps():
            dims = [expr.position for expr in found.results if isinstance(expr, AffineDimExpr)]
            if len(dims) != len(found.results) or len(set(dims)) != len(dims):
                raise VerifyException("provided affine_map is not a projected permutation")
            used.append(set(dims))
        left, right, out = used
        if any(dim not in left | right for dim in range(self.maps()[0].num_dims)):
            raise VerifyException("expected each dimension to be used by an input")
        if not (left & right) - out:
            raise VerifyException("expected to find a contracting dimension in the inputs' maps")
        if any(dim not in left & right for dim in (left | right) - out):
            raise VerifyException("expected each dimension that only inputs use to be in both of them")


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """`%r = linalg.softmax dimension(1) ins(%x : T) outs(%o : T) -> T`: exponentials over their sum."""

    name = "linalg.softmax"
    input = operand_def()
    output = operand_def()
    dimension = prop_def(IntegerAttr.constr(i64))
    res = var_result_def(TensorType)

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """The input."""
        return (self.input,)

    @property
    def outputs(self) -> Sequence[SSAValue]:
        """The output."""
        return (self.output,)

    @classmethod
    def parse(cls, parser: Any) -> SoftmaxOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("dimension")
        parser.parse_punctuation("(")
        dimension = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
        parser.parse_punctuation(")")
        inputs, outputs = _group(parser, "ins"), _group(parser, "outs")
        if len(inputs) != 1 or len(outputs) != 1:
            raise ValueError("expected one input and one output")
        return cls.build(
            operands=[*inputs, *outputs],
            result_types=[_results(parser)],
            properties={"dimension": dimension},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" dimension({self.dimension.value.data})")
        _print_groups(printer, self)

    def verify_(self) -> None:
        shapes = [v.type.get_shape() for v in self.operands if isinstance(v.type, TensorType | MemRefType)]
        if (
            len(shapes) != 2
            or len(shapes[0]) != len(shapes[1])
            or any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in zip(*shapes, strict=True))
        ):
            raise VerifyException("incompatible output shape")
        if not 0 <= self.dimension.value.data < len(shapes[0]):
            raise VerifyException("incorrect dimension specified")
        _check_outputs(self)


MORE = (ElementwiseOp, ContractOp, SoftmaxOp, PackOp, UnPackOp)
