"""`linalg.elementwise`, `contract`, `softmax`, `pack` and `unpack`: what xDSL lacks, in MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from headrace.ir.subscripts import parse_mixed_list, print_mixed_list
from headrace.ir.upstream._linalg_named import named_body
from headrace.ir.upstream._linalg_structured import TypeFn, TypeFnAttr, check_structured

_INDEX = IndexType()


class ElementwiseKind(StrEnum):
    """The functions of `linalg.elementwise`."""

    EXP = "exp"
    LOG = "log"
    ABS = "abs"
    CEIL = "ceil"
    FLOOR = "floor"
    NEGF = "negf"
    RECIPROCAL = "reciprocal"
    ROUND = "round"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    SQUARE = "square"
    TANH = "tanh"
    ERF = "erf"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    DIV_UNSIGNED = "div_unsigned"
    MAX_SIGNED = "max_signed"
    MIN_SIGNED = "min_signed"
    MAX_UNSIGNED = "max_unsigned"
    MIN_UNSIGNED = "min_unsigned"
    POWF = "powf"
    SELECT = "select"

    @property
    def inputs(self) -> int:
        """How many inputs the function has."""
        kinds = list(ElementwiseKind)
        if self is ElementwiseKind.SELECT:
            return 3
        return 1 if kinds.index(self) < kinds.index(ElementwiseKind.ADD) else 2


@irdl_attr_definition
class ElementwiseKindAttr(EnumAttribute[ElementwiseKind]):  # pyright: ignore
    """`#linalg.elementwise_kind<add>`: the function of `linalg.elementwise`."""

    name = "linalg.elementwise_kind"

    @classmethod
    def parse_parameter(cls, parser: Any) -> ElementwiseKind:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ElementwiseKind)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


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


class _Packing(IRDLOperation):
    """The tiles of `pack` and `unpack`."""

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    inner_tiles = var_operand_def(_INDEX)
    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def _print_tiles(self, printer: Any) -> None:
        for keyword, numbers in (("outer_dims_perm", self.outer_dims_perm), ("inner_dims_pos", self.inner_dims_pos)):
            if numbers is not None and len(numbers):
                printer.print_string(f" {keyword} = [{', '.join(map(str, numbers.get_values()))}]")
        printer.print_string(" inner_tiles = ")
        print_mixed_list(printer, self.inner_tiles, self.static_inner_tiles)
        printer.print_string(" into ")
        printer.print_ssa_value(self.dest)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.dest.type)

    def check(self, unpacked: Attribute, packed: Attribute) -> None:
        """Ranks, positions, tiles and shapes agree."""
        assert isinstance(unpacked, TensorType) and isinstance(packed, TensorType)
        if self.result.type != self.dest.type:
            raise VerifyException(
                f"expected type of operand #1 ('{self.dest.type}') to match type of corresponding result "
                f"('{self.result.type}')"
            )
        rank = len(unpacked.get_shape())
        positions = [int(item) for item in self.inner_dims_pos.get_values()]
        order = [int(item) for item in self.outer_dims_perm.get_values()] if self.outer_dims_perm is not None else []
        tiles = [int(item) for item in self.static_inner_tiles.get_values()]
        if tiles.count(DYNAMIC_INDEX) != len(self.inner_tiles):
            raise VerifyException("expected as many tile operands as there are dynamic tiles")
        if 0 in tiles:
            raise VerifyException("invalid zero tile factor")
        if len(set(positions)) != len(positions) or any(not 0 <= item < rank for item in positions):
            raise VerifyException("invalid inner_dims_pos vector")
        if order and sorted(order) != list(range(rank)):
            raise VerifyException("invalid outer_dims_perm vector")
        if len(tiles) != len(positions):
            raise VerifyException("tiling factors must equal the number of dimensions to tile")
        if len(packed.get_shape()) != rank + len(positions):
            raise VerifyException("packed rank != (unpacked rank + num tiling factors)")
        outer = list(unpacked.get_shape())
        for position, tile in zip(positions, tiles, strict=True):
            dynamic = DYNAMIC_INDEX in (outer[position], tile)
            outer[position] = DYNAMIC_INDEX if dynamic else -(-outer[position] // tile)
        wanted = [*(outer[item] for item in order or range(rank)), *tiles]
        if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in zip(wanted, packed.get_shape(), strict=True)):
            expected = TensorType(packed.element_type, wanted)
            raise VerifyException(f"expected '{expected}' for the packed domain value, got '{packed}'")


def _parse_tiles(parser: Any) -> tuple[SSAValue, SSAValue, list[SSAValue], dict[str, Attribute], Any, Any]:
    """What follows the source: `(source, dest, tiles, properties, attributes, padding)` for a name and its types."""
    name = parser.parse_unresolved_operand()
    padding = None
    if parser.parse_optional_keyword("padding_value") is not None:
        parser.parse_punctuation("(")
        pad = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        padding = parser.resolve_operand(pad, parser.parse_type())
        parser.parse_punctuation(")")
    properties: dict[str, Attribute] = {}

    def numbers(keyword: str) -> None:
        parser.parse_punctuation("=")
        listed = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        properties[keyword] = DenseArrayBase.from_list(i64, listed)

    if parser.parse_optional_keyword("outer_dims_perm") is not None:
        numbers("outer_dims_perm")
    parser.parse_keyword("inner_dims_pos")
    numbers("inner_dims_pos")
    parser.parse_keyword("inner_tiles")
    parser.parse_punctuation("=")
    tiles, static = parse_mixed_list(parser)
    properties["static_inner_tiles"] = static
    parser.parse_keyword("into")
    target = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source = parser.resolve_operand(name, parser.parse_type())
    parser.parse_punctuation("->")
    dest = parser.resolve_operand(target, parser.parse_type())
    return source, dest, tiles, properties, attributes, padding


@irdl_op_definition
class PackOp(_Packing):
    """`%p = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : T -> U`: a tensor cut into tiles."""

    name = "linalg.pack"
    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(_INDEX)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> PackOp:
        source, dest, tiles, properties, attributes, padding = _parse_tiles(parser)
        return cls.build(
            operands=[source, dest, padding, tiles],
            result_types=[dest.type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)
            printer.print_string(")")
        self._print_tiles(printer)

    def verify_(self) -> None:
        source = self.source.type
        assert isinstance(source, TensorType)
        if self.padding_value is not None and self.padding_value.type != source.element_type:
            raise VerifyException(
                f"expected padding_value has '{source.element_type}' but got: '{self.padding_value.type}'"
            )
        self.check(source, self.dest.type)


@irdl_op_definition
class UnPackOp(_Packing):
    """`%u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : T -> U`: tiles back in place."""

    name = "linalg.unpack"

    @classmethod
    def parse(cls, parser: Any) -> UnPackOp:
        source, dest, tiles, properties, attributes, padding = _parse_tiles(parser)
        if padding is not None:
            parser.raise_error("expected no 'padding_value' of 'linalg.unpack'")
        return cls.build(
            operands=[source, dest, tiles], result_types=[dest.type], properties=properties, attributes=attributes
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        self._print_tiles(printer)

    def verify_(self) -> None:
        self.check(self.dest.type, self.source.type)


MORE = (ElementwiseOp, ContractOp, SoftmaxOp, PackOp, UnPackOp)
