"""`affine.delinearize_index`, `affine.linearize_index` and `affine.prefetch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.subscripts import parse_mixed_list, parse_subscripts, print_mixed_list, print_subscripts
from headrace.ir.upstream._affine_scope import check_affine_operands

_INDEX = IndexType()


def _check_basis(values: Sequence[SSAValue], static: DenseArrayBase[Any]) -> None:
    numbers = list(static.get_values())
    dynamic = numbers.count(DYNAMIC_INDEX)
    if dynamic != len(values):
        raise VerifyException(
            f"mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry): "
            f"{dynamic} against {len(values)}"
        )
    if any(number <= 0 and number != DYNAMIC_INDEX for number in numbers):
        raise VerifyException("no basis element may be statically non-positive")


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """`%r:3 = affine.delinearize_index %i into (4, %n, 16) : index, index, index`: the digits of an index.

    Without an outer bound the basis has one element fewer than there are results.
    """

    name = "affine.delinearize_index"
    linear_index = operand_def(_INDEX)
    dynamic_basis = var_operand_def(_INDEX)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(_INDEX)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> DelinearizeIndexOp:
        linear = parser.parse_operand(_INDEX)
        parser.parse_keyword("into")
        values, static = parse_mixed_list(parser, Parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.build(
            operands=[linear, values],
            result_types=[kinds],
            properties={"static_basis": static},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        print_mixed_list(printer, self.dynamic_basis, self.static_basis, Parser.Delimiter.PAREN)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        basis, results = len(self.static_basis.get_values()), len(self.multi_index)
        if not results:
            raise VerifyException("should return at least one index")
        if basis not in (results, results - 1):
            raise VerifyException("should return an index for each basis element and up to one extra index")
        _check_basis(self.dynamic_basis, self.static_basis)


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """`%r = affine.linearize_index disjoint [%i, %j] by (3, 5) : index`: the index with these digits.

    `disjoint` promises that each digit is smaller than its basis element.
    """

    name = "affine.linearize_index"
    multi_index = var_operand_def(_INDEX)
    dynamic_basis = var_operand_def(_INDEX)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr)
    linear_index = result_def(_INDEX)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Any) -> LinearizeIndexOp:
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        digits = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(_INDEX))
        parser.parse_keyword("by")
        values, static = parse_mixed_list(parser, Parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=[digits, values],
            result_types=[parser.parse_type()],
            properties={"static_basis": static, "disjoint": UnitAttr() if disjoint else None},
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" disjoint [" if self.disjoint is not None else " [")
        printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string("] by ")
        print_mixed_list(printer, self.dynamic_basis, self.static_basis, Parser.Delimiter.PAREN)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    def verify_(self) -> None:
        digits, basis = len(self.multi_index), len(self.static_basis.get_values())
        if digits not in (basis, basis + 1):
            raise VerifyException("should be passed a basis element for each index except possibly the first")
        _check_basis(self.dynamic_basis, self.static_basis)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<8x8xf32>`: a hint of a later access."""

    name = "affine.prefetch"
    memref = operand_def(MemRefType)
    indices = var_operand_def(_INDEX)
    map = prop_def(AffineMapAttr)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse(cls, parser: Any) -> PrefetchOp:
        memory = parser.parse_unresolved_operand()
        found, operands = parse_subscripts(parser)
        parser.parse_punctuation(",")
        write = _choice(parser, "rw specifier has to be 'read' or 'write'", "read", "write")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        parser.parse_punctuation("<")
        locality = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(">")
        parser.parse_punctuation(",")
        data = _choice(parser, "cache type has to be 'data' or 'instr'", "instr", "data")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=[parser.resolve_operand(memory, parser.parse_type()), operands],
            properties={
                "map": found,
                "isWrite": BoolAttr.from_bool(write),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(data),
            },
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        print_subscripts(printer, self.map, self.indices)
        printer.print_string(", write" if self.is_write.value.data else ", read")
        printer.print_string(f", locality<{self.locality_hint.value.data}>")
        printer.print_string(", data" if self.is_data_cache.value.data else ", instr")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)

    def verify_(self) -> None:
        kind = self.memref.type
        assert isinstance(kind, MemRefType)
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException(
                "attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose "
                "minimum value is 0 whose maximum value is 3"
            )
        if len(self.map.data.results) != len(kind.get_shape()):
            raise VerifyException("affine.prefetch affine map num results must equal memref rank")
        if len(self.indices) != self.map.data.num_dims + self.map.data.num_symbols:
            raise VerifyException("too few operands")
        check_affine_operands(self.indices, self.map.data.num_dims)


def _choice(parser: Any, problem: str, no: str, yes: str) -> bool:
    at = parser.pos
    if parser.parse_optional_keyword(yes) is not None:
        return True
    if parser.parse_optional_keyword(no) is None:
        parser.raise_error(problem, at)
    return False


INDEXING = [DelinearizeIndexOp, LinearizeIndexOp, PrefetchOp]
