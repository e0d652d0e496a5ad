"""Operations of `tensor`, `memref`, `math` and `func` that xDSL lacks, in MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, func, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SymbolRefAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure, SymbolTable
from xdsl.utils.exceptions import VerifyException

from headrace.ir.diagnostics import did_you_mean
from headrace.ir.subscripts import parse_mixed_list, print_mixed_list
from headrace.ir.upstream import parser_for, printer_for, verifier_for
from headrace.ir.upstream.arith import check_floats, check_same, i1_like

index = IndexType()


# ---- tensor ---------------------------------------------------------------------------------------------------------


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """`%r = tensor.bitcast %t : tensor<4xf32> to tensor<4xi32>`: the same bits under another element type."""

    name = "tensor.bitcast"
    source = operand_def()
    dest = result_def()
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source, dest = self.source.type, self.dest.type
        if not isinstance(source, TensorType) or not isinstance(dest, TensorType):
            raise VerifyException("expected tensors")
        if source.get_shape() != dest.get_shape() or _bits(source) != _bits(dest):
            raise VerifyException(f"operand type '{source}' and result type '{dest}' are cast incompatible")


def _bits(kind: Any) -> int | None:
    from headrace.ir.upstream.arith import width

    return width(kind)


@irdl_op_definition
class RankOp(IRDLOperation):
    """`%r = tensor.rank %t : tensor<*xf32>`: the number of dimensions."""

    name = "tensor.rank"
    tensor = operand_def()
    result = result_def(IndexType)
    assembly_format = "$tensor attr-dict `:` type($tensor)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not isinstance(self.tensor.type, TensorType | UnrankedTensorType):
            raise VerifyException(f"operand #0 must be tensor of any type values, but got '{self.tensor.type}'")


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """`tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>`:
    the slice one instance of `scf.forall` contributes; only inside `scf.forall.in_parallel`.
    """

    name = "tensor.parallel_insert_slice"
    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase)
    static_sizes = prop_def(DenseArrayBase)
    static_strides = prop_def(DenseArrayBase)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is None or parent.name != "scf.forall.in_parallel":
            raise VerifyException(
                "expected ParallelCombiningOpInterface parent, got: " + (parent.name if parent else "")
            )
        from headrace.ir.upstream._view_rules import check_reduced, check_slice

        dest: Any = self.dest.type
        loop = parent.parent_op()
        block = self.dest.owner
        if loop is None or not isinstance(block, Block) or block.parent_op() is not loop:
            raise VerifyException("may only insert into an output block argument")
        sizes = check_slice(self, dest.get_shape())
        check_reduced(TensorType(dest.element_type, sizes), self.source.type)  # pyright: ignore[reportArgumentType]

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        dynamic: list[list[SSAValue]] = []
        static: list[DenseArrayBase[Any]] = []
        for _ in range(3):
            values, numbers = parse_mixed_list(parser)
            dynamic.append(values)
            static.append(numbers)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("into")
        dest_type = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(source, source_type), parser.resolve_operand(dest, dest_type), *dynamic],
            properties=dict(zip(("static_offsets", "static_sizes", "static_strides"), static, strict=True)),
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" into ")
        printer.print_ssa_value(self.dest)
        for position, (values, static) in enumerate(
            (
                (self.offsets, self.static_offsets),
                (self.sizes, self.static_sizes),
                (self.strides, self.static_strides),
            )
        ):
            printer.print_string(" " if position else "")
            print_mixed_list(printer, values, static)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" into ")
        printer.print_attribute(self.dest.type)


@parser_for(tensor.ReshapeOp)
def _parse_reshape(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    parser.parse_punctuation("(")
    shape = parser.parse_unresolved_operand()
    parser.parse_punctuation(")")
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_function_type()
    return tensor.ReshapeOp.create(
        operands=parser.resolve_operands([source, shape], kind.inputs.data, at),
        result_types=kind.outputs.data,
        attributes=attributes,
    )


@printer_for(tensor.ReshapeOp)
def _print_reshape(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string("(")
    printer.print_ssa_value(op.operands[1])
    printer.print_string(")")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_operation_type(op)


@verifier_for(tensor.ReshapeOp)
def _verify_reshape(op: Any) -> None:
    if len(op.operands) != 2 or len(op.results) != 1:
        raise VerifyException("expected two operands and one result")
    source, shape, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    for what, kind in (("operand #0", source), ("result #0", result)):
        if not isinstance(kind, TensorType | UnrankedTensorType):
            raise VerifyException(f"{what} must be tensor of any type values, but got '{kind}'")
    counted = isinstance(shape, TensorType) and isinstance(shape.element_type, IntegerType | IndexType)
    if not isinstance(shape, TensorType) or not counted or len(shape.get_shape()) != 1:
        raise VerifyException(f"operand #1 must be 1D tensor of signless integer or index values, but got '{shape}'")
    if getattr(source, "element_type", None) != getattr(result, "element_type", None):
        raise VerifyException("element types of source and destination tensor types should be the same")
    if isinstance(result, TensorType):
        if shape.get_shape()[0] == DYNAMIC_INDEX:
            raise VerifyException(
                "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type"
            )
        if shape.get_shape()[0] != len(result.get_shape()):
            raise VerifyException(
                f"length of shape operand differs from the result's tensor rank: {shape.get_shape()[0]} against "
                f"{len(result.get_shape())}"
            )
        if isinstance(source, TensorType):
            a, b = source.get_shape(), result.get_shape()
            if DYNAMIC_INDEX not in a and DYNAMIC_INDEX not in b and _count(a) != _count(b):
                raise VerifyException(
                    f"source and destination tensor should have the same number of elements, but have {_count(a)} and "
                    f"{_count(b)}"
                )


def _count(shape: Sequence[int]) -> int:
    total = 1
    for extent in shape:
        total *= extent
    return total


# ---- memref ---------------------------------------------------------------------------------------------------------


@parser_for(memref.RankOp)
def _parse_rank(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return memref.RankOp.create(
        operands=[parser.resolve_operand(source, kind)], result_types=[index], attributes=attributes
    )


@printer_for(memref.RankOp)
def _print_rank(op: Any, printer: Any) -> None:
    _print_one(op, printer)


def _print_one(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)


@verifier_for(memref.RankOp)
def _verify_rank(op: Any) -> None:
    if len(op.operands) != 1 or not isinstance(op.operands[0].type, MemRefType | UnrankedMemRefType):
        raise VerifyException("operand #0 must be ranked or unranked memref of any type values")
    if [value.type for value in op.results] != [index]:
        raise VerifyException("result must be 'index'")


@parser_for(memref.ExtractAlignedPointerAsIndexOp)
def _parse_pointer(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_punctuation("->")
    result = parser.parse_type()
    return memref.ExtractAlignedPointerAsIndexOp.create(
        operands=[parser.resolve_operand(source, kind)],
        result_types=[result],
        attributes=parser.parse_optional_attr_dict(),
    )


@printer_for(memref.ExtractAlignedPointerAsIndexOp)
def _print_pointer(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" -> ")
    printer.print_attribute(op.results[0].type)
    printer.print_op_attributes(op.attributes)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Permute the dimensions of a memref without moving data.

    ```
    %r = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    ```
    """

    name = "memref.transpose"
    source = operand_def(MemRefType)
    result = result_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        found = self.permutation.data
        rank = len(self.operands[0].type.get_shape())  # pyright: ignore
        positions = sorted(getattr(expr, "position", -1) for expr in found.results)
        if found.num_symbols or positions != list(range(rank)) or found.num_dims != rank:
            raise VerifyException("expected a permutation map")
        from headrace.ir.upstream._view_rules import strides_of, transposed

        source, result = self.operands[0].type, self.result.type
        wanted = transposed(source, [expr.position for expr in found.results])  # pyright: ignore
        if wanted is None:
            raise VerifyException("invalid operand: its layout is not strided")
        shape, strides, offset = wanted
        kinds = (result.element_type, result.memory_space) == (source.element_type, source.memory_space)  # pyright: ignore
        if not kinds or list(result.get_shape()) != shape or strides_of(result) != (strides, offset):  # pyright: ignore
            raise VerifyException(
                f"result type '{result}' is not equivalent to the transposed type: shape {shape}, strides {strides}, "
                f"offset {offset}"
            )

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        source = parser.parse_unresolved_operand()
        found = parser.parse_affine_map()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_keyword("to")
        return cls.create(
            operands=[parser.resolve_operand(source, kind)],
            result_types=[parser.parse_type()],
            properties={"permutation": AffineMapAttr(found)},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        from headrace.ir.affine import map_text

        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(" " + map_text(self.permutation.data))
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@parser_for(memref.AtomicRMWOp)
def _parse_atomic(parser: Any) -> Operation:
    from headrace.ir.upstream._affine_memory import REDUCTIONS

    at = parser.pos
    kind = parser.parse_identifier()
    if kind not in REDUCTIONS:
        parser.raise_error(f"unknown kind '{kind}', expected one of {', '.join(REDUCTIONS)}", at)
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    target = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(index))
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    result = parser.parse_type()
    if len(types) != 2:
        parser.raise_error(f"expected two operand types, but got {len(types)}", at)
    return memref.AtomicRMWOp.create(
        operands=[parser.resolve_operand(value, types[0]), parser.resolve_operand(target, types[1]), *indices],
        result_types=[result],
        properties={"kind": IntegerAttr(REDUCTIONS.index(kind), i64)},
        attributes=attributes,
    )


@printer_for(memref.AtomicRMWOp)
def _print_atomic(op: Any, printer: Any) -> None:
    from headrace.ir.upstream._affine_memory import REDUCTIONS

    printer.print_string(f" {REDUCTIONS[op.properties['kind'].value.data]} ")
    printer.print_list(op.operands[:2], printer.print_ssa_value)
    printer.print_string("[")
    printer.print_list(op.operands[2:], printer.print_ssa_value)
    printer.print_string("]")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : (")
    printer.print_list([value.type for value in op.operands[:2]], printer.print_attribute)
    printer.print_string(") -> ")
    printer.print_attribute(op.results[0].type)


# ---- math and func --------------------------------------------------------------------------------------------------


class _Classify(IRDLOperation):
    operand = operand_def()
    result = result_def()
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))
    traits = traits_def(Pure())

    def verify_(self) -> None:
        check_floats(self)
        if self.result.type != i1_like(self.operand.type):
            raise VerifyException(f"result must be '{i1_like(self.operand.type)}', but is '{self.result.type}'")

    @classmethod
    def parse(cls, parser: Any) -> Any:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        flags = attributes.pop("fastmath", arith.FastMathFlagsAttr("none"))
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(operand, kind)],
            result_types=[i1_like(kind)],
            properties={"fastmath": flags},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        shown = {**self.properties, **self.attributes} if self.fastmath.data else self.attributes
        printer.print_op_attributes(shown)
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)


@irdl_op_definition
class IsNanOp(_Classify):
    """`%r = math.isnan %x : f32`: whether a float is NaN; the result is i1 or a tensor of i1."""

    name = "math.isnan"


@irdl_op_definition
class IsInfOp(_Classify):
    """`%r = math.isinf %x : f32`: whether a float is infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsFiniteOp(_Classify):
    """`%r = math.isfinite %x : f32`: whether a float is finite."""

    name = "math.isfinite"


@irdl_op_definition
class IsNormalOp(_Classify):
    """`%r = math.isnormal %x : f32`: whether a float is normal."""

    name = "math.isnormal"


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`%f = func.constant @g : (f32) -> f32`: a function as a value."""

    name = "func.constant"
    value = prop_def(FlatSymbolRefAttrConstr)
    result = result_def()
    assembly_format = "attr-dict $value `:` type($result)"
    traits = traits_def(Pure())


@verifier_for(ConstantOp)
def _verify_constant(op: Any) -> None:
    name = op.properties.get("value")
    if not isinstance(name, SymbolRefAttr) or len(op.results) != 1:
        raise VerifyException("requires a symbol reference attribute 'value' and one result")
    found = SymbolTable.lookup_symbol(op, name)
    if not isinstance(found, func.FuncOp):
        top: Any = op
        while top.parent_op() is not None:
            top = top.parent_op()
        known = [item.sym_name.data for item in top.walk() if isinstance(item, func.FuncOp)]
        told = name.string_value()
        raise VerifyException(f"reference to undefined function '{told}'{did_you_mean(told, known)}")
    if found.function_type != op.results[0].type:
        raise VerifyException(
            f"reference to function with mismatched type: '{op.results[0].type}' against '{found.function_type}'"
        )


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """`%r = math.clampf %x to [%lo, %hi] : f32`: the value cut to an interval."""

    name = "math.clampf"
    value = operand_def()
    min = operand_def()
    max = operand_def()
    result = result_def()
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))
    traits = traits_def(Pure())

    def verify_(self) -> None:
        check_floats(self)
        check_same(self)

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        from headrace.ir.upstream.arith import parse_fastmath

        operands = [parser.parse_unresolved_operand()]
        parser.parse_keyword("to")
        parser.parse_punctuation("[")
        operands.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
        parser.parse_punctuation("]")
        flags = parse_fastmath(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(item, kind) for item in operands],
            result_types=[kind],
            properties={"fastmath": flags},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        from headrace.ir.upstream.arith import print_flags

        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to [")
        printer.print_list(self.operands[1:], printer.print_ssa_value)
        printer.print_string("]")
        print_flags(self, printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)


@irdl_op_definition
class SinCosOp(IRDLOperation):
    """`%s, %c = math.sincos %x : f32`: sine and cosine at once."""

    name = "math.sincos"
    operand = operand_def()
    sin = result_def()
    cos = result_def()
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))
    traits = traits_def(Pure())

    def asm_result_names(self) -> list[tuple[int, str]]:
        """MLIR numbers the two results one by one."""
        return [(0, "sin"), (1, "cos")]

    def verify_(self) -> None:
        check_floats(self)
        check_same(self)

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        from headrace.ir.upstream.arith import parse_fastmath

        operand = parser.parse_unresolved_operand()
        flags = parse_fastmath(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(operand, kind)],
            result_types=[kind, kind],
            properties={"fastmath": flags},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        from headrace.ir.upstream.arith import print_flags

        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        print_flags(self, printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """`%r = func.call_indirect %f(%x) : (f32) -> f32`: a call of a function value."""

    name = "func.call_indirect"
    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    results_ = var_result_def()

    def verify_(self) -> None:
        kind = self.callee.type
        assert isinstance(kind, FunctionType)
        if [v.type for v in self.callee_operands] != list(kind.inputs.data):
            raise VerifyException("operand types do not match the function type")
        if list(self.result_types) != list(kind.outputs.data):
            raise VerifyException("result types do not match the function type")

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        callee = parser.parse_unresolved_operand()
        at = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_function_type()
        return cls.create(
            operands=[
                parser.resolve_operand(callee, kind),
                *parser.resolve_operands(operands, kind.inputs.data, at),
            ],
            result_types=kind.outputs.data,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        printer.print_string("(")
        printer.print_list(self.callee_operands, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)


TENSOR = [BitcastOp, RankOp, ParallelInsertSliceOp]
MEMREF = [TransposeOp]
MATH = [IsNanOp, IsInfOp, IsFiniteOp, IsNormalOp, ClampFOp, SinCosOp]
FUNC = [ConstantOp, CallIndirectOp]
