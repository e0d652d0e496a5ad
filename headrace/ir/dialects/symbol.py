"""The `symbol` dialect: values that are known only at launch, by number."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, i64
from xdsl.ir import BlockArgument, Dialect, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, init_op
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types, resolve
from headrace.ir.dialects.uniform import parse_mapping, parse_query, print_mapping, print_query
from headrace.ir.types import INDEX, integer_attr

si64 = IntegerType(64, Signedness.SIGNED)


@irdl_op_definition
class CreateSymbolOp(DialectOp):
    """`%s = symbol.create_symbol {SymbolId = -4 : i64} : index`:
    read the launch value of symbol `SymbolId` (a discardable i64).
    """

    name = "symbol.create_symbol"
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, symbol_id: int):
        attributes = {"SymbolId": integer_attr(symbol_id, i64)}
        init_op(self, result_types=(INDEX,), attributes=attributes)

    @property
    def symbol_id(self) -> int | None:
        """The number of the symbol, None when the attribute is missing."""
        value = self.attributes.get("SymbolId")
        return value.value.data if isinstance(value, IntegerAttr) else None

    @classmethod
    def parse(cls, parser: Parser) -> CreateSymbolOp:
        _, attributes = parse_attributes(parser, cls)
        return cls.build(result_types=parse_types(parser, 1), attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class CreateIdOp(DialectOp):
    """`symbol.create_id %n {symbol_id = -1 : si64} : index`:
    declare that symbol `symbol_id` has the value of the operand; the ops together are the symbol table.
    """

    name = "symbol.create_id"
    value = operand_def()
    symbol_id = prop_def(IntegerAttr.constr(si64))
    traits = traits_def(MemoryWriteEffect())

    def __init__(self, value: SSAValue, symbol_id: int):
        properties = {"symbol_id": integer_attr(symbol_id, si64)}
        init_op(self, (value,), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> CreateIdOp:
        value = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        operands = resolve(parser, [value], parse_types(parser, 1))
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        print_attributes(printer, self)
        print_types(printer, self.operand_types)


@irdl_op_definition
class SymbolImmutableMappingOp(DialectOp):
    """`%m = symbol.symbol_immutable_mapping([%c0 -> %s], [%c1 -> %t]) : index`: pairs constant keys with symbols."""

    name = "symbol.symbol_immutable_mapping"
    keys = var_operand_def(IndexType())
    values = var_operand_def()
    result = result_def(IndexType())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        super().__init__(operands=[keys, values], result_types=[IndexType()])

    def verify_(self) -> None:
        if len(self.keys) != len(self.values):
            raise VerifyException("Mismatching keys/values sizes in SymbolImmutableMapping")
        if not all(isinstance(key.owner, ConstantOp) for key in self.keys):
            raise VerifyException("All keys expected to be constant operations")
        if not all(isinstance(value.owner, CreateSymbolOp) and value.type == IndexType() for value in self.values):
            raise VerifyException("All values expected to be symbol.create_symbol operations of index type")

    @classmethod
    def parse(cls, parser: Parser) -> SymbolImmutableMappingOp:
        keys, names = parse_mapping(parser)
        _, attributes = parse_attributes(parser, cls)
        values = [parser.resolve_operand(name, IndexType()) for name in names]
        return cls.build(operands=[keys, values], result_types=parse_types(parser, 1), attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_mapping(printer, self.keys, self.values)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class QueryMapOp(DialectOp):
    """`%s = symbol.query_map(map:%m, key:%i) : index`: select a symbol by loop iteration."""

    name = "symbol.query_map"
    map = operand_def(IndexType())
    key = operand_def(IndexType())
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, map: SSAValue, key: SSAValue):
        super().__init__(operands=[map, key], result_types=[IndexType()])

    def verify_(self) -> None:
        if isinstance(self.key, BlockArgument):
            owner = self.key.block.parent_op()
            if owner is None or owner.name not in (
                "scf.for",
                "affine.for",
                "scf.parallel",
                "scf.while",
                "ktdf.parallel",
            ):
                raise VerifyException("key's parentOp must be a ForOp.")
        if not isinstance(self.map.owner, SymbolImmutableMappingOp):
            raise VerifyException("map's defOp must be symbol_immutable_mapping op.")

    @classmethod
    def parse(cls, parser: Parser) -> QueryMapOp:
        operands = parse_query(parser)
        _, attributes = parse_attributes(parser, cls)
        return cls.build(operands=operands, result_types=parse_types(parser, 1), attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_query(printer, self.map, self.key)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


def symbol_number(value: SSAValue) -> int | None:
    """Number of the symbol that `value` reads, None if it reads none."""
    owner = value.owner
    return owner.symbol_id if isinstance(owner, CreateSymbolOp) else None


Symbol = Dialect("symbol", [CreateSymbolOp, CreateIdOp, SymbolImmutableMappingOp, QueryMapOp], [])
