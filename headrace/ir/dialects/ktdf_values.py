"""`ktdf` operations on index values and buffers: buffers in rotation, tile sizes, templates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
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
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import check_minimum, parse_attributes, parse_index_list, print_attributes
from headrace.ir.subscripts import at_subscripts
from headrace.ir.traits import Unique

INDEX = IndexType()


def _constant(value: SSAValue) -> int | None:
    """The integer a value is known to be, else None."""
    found = ConstantLike.get_constant_value(value)
    return found.value.data if isinstance(found, IntegerAttr) else None


@irdl_op_definition
class BufferPhaseOp(DialectOp):
    """`%p = ktdf.buffer_phase(%i, %j) {num_phases = 2 : i64} : index`: iteration count modulo `num_phases`."""

    name = "ktdf.buffer_phase"
    induction_vars = var_operand_def(IndexType())
    num_phases = prop_def(IntegerAttr)
    phase = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, induction_vars: Sequence[SSAValue], num_phases: int):
        super().__init__(
            operands=[induction_vars], result_types=[INDEX], properties={"num_phases": IntegerAttr(num_phases, i64)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> BufferPhaseOp:
        operands = parse_index_list(parser)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(operands=[operands], result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.induction_vars, printer.print_ssa_value)
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" : index")

    def fold_operation(self) -> int | None:
        """Constant operands go; with all of them constant the phase is 0."""
        kept = [v for v in self.induction_vars if _constant(v) is None]
        if not kept:
            return 0
        if len(kept) != len(self.induction_vars):
            self.operands = kept
        return None

    def verify_(self) -> None:
        check_minimum("num_phases", self.num_phases, 2)
        if not self.induction_vars:
            raise VerifyException("requires at least one induction variable operand")


@irdl_op_definition
class IndirectMemrefOp(DialectOp):
    """`%g = ktdf.indirect_memref %base through %table rows [0] : memref<1x64xf16, "DDR">, memref<16x1xi32, "L1">
    -> memref<16x64xf16, "DDR">`: memory walked through a table of displacements.

    The dimensions of the result named by `rows` subscript the table, the others the base (in order; a trailing
    dimension of extent 1 may be left over on either side). The table's element, a number of elements, displaces the
    base's. A transfer with such a side is an indirect transfer: the unit that makes it reads the table. Under the
    attribute `headrace.skips` the displacement -2147483648 names no place, and nothing is transferred.
    """

    name = "ktdf.indirect_memref"
    base = operand_def(MemRefType)
    table = operand_def(MemRefType)
    rows = prop_def(DenseArrayBase)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    def __init__(self, base: SSAValue, table: SSAValue, rows: Sequence[int], result_type: Attribute):
        super().__init__(
            operands=[base, table],
            result_types=[result_type],
            properties={"rows": DenseArrayBase.from_list(i64, list(rows))},
        )

    @classmethod
    def parse(cls, parser: Parser) -> IndirectMemrefOp:
        base = parser.parse_unresolved_operand()
        parser.parse_keyword("through")
        table = parser.parse_unresolved_operand()
        parser.parse_keyword("rows")
        rows = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        _, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        base_type = parser.parse_type()
        parser.parse_punctuation(",")
        table_type = parser.parse_type()
        parser.parse_punctuation("->")
        op = cls(
            parser.resolve_operand(base, base_type),
            parser.resolve_operand(table, table_type),
            rows,
            parser.parse_type(),
        )
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.base)
        printer.print_string(" through ")
        printer.print_ssa_value(self.table)
        printer.print_string(f" rows [{', '.join(map(str, self.row_dims))}]")
        print_attributes(printer, self, ("rows",))
        printer.print_string(" : ")
        printer.print_attribute(self.base.type)
        printer.print_string(", ")
        printer.print_attribute(self.table.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    @property
    def row_dims(self) -> tuple[int, ...]:
        """Dimensions of the result that subscript the table."""
        return tuple(self.rows.get_values())  # pyright: ignore

    @property
    def column_dims(self) -> tuple[int, ...]:
        """Dimensions of the result that subscript the base."""
        assert isinstance(self.result.type, MemRefType)
        rows = self.row_dims
        return tuple(d for d in range(len(self.result.type.get_shape())) if d not in rows)

    def verify_(self) -> None:
        base, table, result = self.base.type, self.table.type, self.result.type
        assert isinstance(base, MemRefType) and isinstance(table, MemRefType) and isinstance(result, MemRefType)
        rank = len(result.get_shape())
        if list(self.row_dims) != sorted(set(self.row_dims)) or any(not 0 <= d < rank for d in self.row_dims):
            raise VerifyException("rows must be ascending dimensions of the result")
        if not isinstance(table.element_type, IntegerType | IndexType):
            raise VerifyException(f"the table must hold integers, but holds {table.element_type}")
        if base.element_type != result.element_type:
            raise VerifyException("base and result must have one element type")
        for what, t, n in (("base", base, len(self.column_dims)), ("table", table, len(self.row_dims))):
            shape = t.get_shape()
            if len(shape) != n and not (len(shape) == n + 1 and shape[-1] == 1):
                raise VerifyException(f"the {what} has rank {len(shape)}, but {n} dimensions of the result are its own")


@irdl_op_definition
class SelectMemrefOp(DialectOp):
    """`%m = ktdf.select_memref %p[%a, %b] : memref<64xf16, "L1">`: the candidate that the phase names."""

    name = "ktdf.select_memref"
    phase = operand_def(IndexType())
    candidates = var_operand_def(MemRefType)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    def __init__(self, phase: SSAValue, candidates: Sequence[SSAValue]):
        super().__init__(operands=[phase, candidates], result_types=[candidates[0].type])

    @classmethod
    def parse(cls, parser: Parser) -> SelectMemrefOp:
        phase = parser.parse_operand(INDEX)
        names = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        candidates = [parser.resolve_operand(n, t) for n in names]
        return cls.build(operands=[phase, candidates], result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.phase)
        printer.print_string("[")
        printer.print_list(self.candidates, printer.print_ssa_value)
        printer.print_string("]")
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def fold_operation(self) -> SSAValue | None:
        """A constant phase in range names its candidate."""
        phase = _constant(self.phase)
        return self.candidates[phase] if phase is not None and 0 <= phase < len(self.candidates) else None

    def verify_(self) -> None:
        if len(self.candidates) < 2:
            raise VerifyException("requires at least 2 candidate memrefs")
        if any(c.type != self.result.type for c in self.candidates):
            raise VerifyException("all candidate types must match the result type")
        owner = self.phase.owner
        if isinstance(owner, BufferPhaseOp) and owner.num_phases.value.data != len(self.candidates):
            raise VerifyException(
                f"phase op num_phases ({owner.num_phases.value.data}) must match "
                f"the number of candidates ({len(self.candidates)})"
            )


# ---- tiling placeholders --------------------------------------------------------------------------------------------


@irdl_op_definition
class TilingReserveSizeOp(DialectOp):
    """`%s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index`: a later size."""

    name = "ktdf.tiling.reserve_size"
    min_value = prop_def(IntegerAttr.constr(IndexType()))
    divisibility = prop_def(IntegerAttr.constr(IndexType()))
    unique_id = opt_prop_def(IntegerAttr)
    result = result_def(IndexType())
    traits = traits_def(Pure(), Unique())

    def __init__(self, min_value: int = 1, divisibility: int = 1):
        super().__init__(
            result_types=[INDEX],
            properties={
                "min_value": IntegerAttr(min_value, INDEX),
                "divisibility": IntegerAttr(divisibility, INDEX),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> TilingReserveSizeOp:
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, ("unique_id",))
        printer.print_string(" : index")


def _parse_pairs(parser: Parser) -> list[tuple[SSAValue, SSAValue]]:
    """`[%a : %b], [%c : %d]`, commas optional; stops before anything that is no `[`."""
    pairs: list[tuple[SSAValue, SSAValue]] = []
    while at_subscripts(parser):
        parser.parse_punctuation("[")
        first = parser.parse_operand(INDEX)
        parser.parse_punctuation(":")
        second = parser.parse_operand(INDEX)
        parser.parse_punctuation("]")
        pairs.append((first, second))
        parser.parse_optional_punctuation(",")
    return pairs


def _print_pairs(printer: Printer, first: Sequence[SSAValue], second: Sequence[SSAValue]) -> None:
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        printer.print_string(", [" if i else " [")
        printer.print_ssa_value(a)
        printer.print_string(" : ")
        printer.print_ssa_value(b)
        printer.print_string("]")


@irdl_op_definition
class TilingDeriveSizeOp(DialectOp):
    """`%n = ktdf.tiling.derive_size [%iv : %ts], total_size = %t : index`: rem = max(0, min(ts, rem - iv * ts))."""

    name = "ktdf.tiling.derive_size"
    induction_vars = var_operand_def(IndexType())
    tile_sizes = var_operand_def(IndexType())
    total_size = operand_def(IndexType())
    result = result_def(IndexType())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(self, induction_vars: Sequence[SSAValue], tile_sizes: Sequence[SSAValue], total_size: SSAValue):
        super().__init__(operands=[induction_vars, tile_sizes, total_size], result_types=[INDEX])

    @classmethod
    def parse(cls, parser: Parser) -> TilingDeriveSizeOp:
        pairs = _parse_pairs(parser)
        parser.parse_keyword("total_size")
        parser.parse_punctuation("=")
        total = parser.parse_operand(INDEX)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        operands = [[a for a, _ in pairs], [b for _, b in pairs], total]
        return cls.build(operands=operands, result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_pairs(printer, self.induction_vars, self.tile_sizes)
        printer.print_string(", total_size = ")
        printer.print_ssa_value(self.total_size)
        print_attributes(printer, self)
        printer.print_string(" : index")

    def fold_operation(self) -> int | None:
        """One pair, all constant and the variable 0: the smaller of tile and total size. Nothing else folds."""
        if len(self.induction_vars) != 1 or _constant(self.induction_vars[0]) != 0:
            return None
        size, total = _constant(self.tile_sizes[0]), _constant(self.total_size)
        return None if size is None or total is None else min(size, total)

    def verify_(self) -> None:
        if not self.induction_vars or len(self.induction_vars) != len(self.tile_sizes):
            raise VerifyException("must have at least one [iv : tile_size] pair")


@irdl_op_definition
class TilingLinearizeIndexOp(DialectOp):
    """`%i = ktdf.tiling.linearize_index [%t : %s], [%p : %c1] : index`: the weighted sum of the variables."""

    name = "ktdf.tiling.linearize_index"
    induction_vars = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    result = result_def(IndexType())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(self, induction_vars: Sequence[SSAValue], strides: Sequence[SSAValue]):
        super().__init__(operands=[induction_vars, strides], result_types=[INDEX])

    @classmethod
    def parse(cls, parser: Parser) -> TilingLinearizeIndexOp:
        pairs = _parse_pairs(parser)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        operands = [[a for a, _ in pairs], [b for _, b in pairs]]
        return cls.build(operands=operands, result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_pairs(printer, self.induction_vars, self.strides)
        print_attributes(printer, self)
        printer.print_string(" : index")

    def verify_(self) -> None:
        if not self.induction_vars or len(self.induction_vars) != len(self.strides):
            raise VerifyException("must have at least one [iv : stride] pair")


# ---- templates ------------------------------------------------------------------------------------------------------


@irdl_op_definition
class OpaqueOp(DialectOp):
    """`%r = ktdf.opaque "name" -> tensor<..> ins(%a : T) outs(%b : tensor<..>)`: a back end's instruction template."""

    name = "ktdf.opaque"
    inputs = var_operand_def()
    outputs = var_operand_def()
    template_name = prop_def(StringAttr)
    res = var_result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, template_name: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]):
        super().__init__(
            operands=[inputs, outputs],
            result_types=[[v.type for v in outputs if isinstance(v.type, TensorType)]],
            properties={"template_name": StringAttr(template_name)},
        )

    def asm_result_names(self) -> list[tuple[int, str]]:
        """The results are called after the template."""
        name = re.sub(r"[^\w$.-]", "_", self.template_name.data)
        return [(0, f"_{name}" if name[:1].isdigit() else name)] if name and self.res else []

    @classmethod
    def parse(cls, parser: Parser) -> OpaqueOp:
        name = parser.parse_str_literal()
        properties, attributes = parse_attributes(parser, cls)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        groups: list[list[SSAValue]] = []
        for keyword in ("ins", "outs"):
            parser.parse_keyword(keyword)
            parser.parse_punctuation("(")
            values: list[SSAValue] = []
            if parser.parse_optional_punctuation(")") is None:
                names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
                parser.parse_punctuation(":")
                kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
                values = list(parser.resolve_operands(names, kinds, parser.pos))
                parser.parse_punctuation(")")
            groups.append(values)
        properties["template_name"] = StringAttr(name)
        return cls.build(operands=groups, result_types=[types], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.template_name)
        print_attributes(printer, self, ("template_name",))
        if self.res:
            printer.print_string(" -> ")
            printer.print_list([r.type for r in self.res], printer.print_attribute)
        for keyword, values in (("ins", self.inputs), ("outs", self.outputs)):
            printer.print_string(f" {keyword}(")
            if values:
                printer.print_list(values, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list([v.type for v in values], printer.print_attribute)
            printer.print_string(")")

    def verify_(self) -> None:
        tensors: list[tuple[int, Attribute]] = []
        for number, value in enumerate(self.outputs, len(self.inputs)):
            if isinstance(value.type, TensorType):
                tensors.append((number, value.type))
            elif not isinstance(value.type, MemRefType | UnrankedMemRefType):
                raise VerifyException(f"expected that operand #{number} is a tensor or a memref")
        if len(self.res) != len(tensors):
            raise VerifyException(
                f"expected the number of tensor results ({len(self.res)}) to be equal to the number of output "
                f"tensors ({len(tensors)})"
            )
        for (number, kind), result in zip(tensors, self.res, strict=True):
            if kind != result.type:
                raise VerifyException(
                    f"expected type of operand #{number} ({kind}) to match type of corresponding result ({result.type})"
                )
