"""The `ktdf` dialect: ScheduleIR's pipelines, stages, FIFO slots and parallel loops.

Transfers are in `ktdf_transfer`, buffers in rotation, tile sizes and templates in `ktdf_values`, types in `ktdf_types`;
all names are available here. Syntax, traits and verifier messages follow the ScheduleIR reference.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    Operation,
    OpResult,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, MemoryAllocEffect, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, init_op
from headrace.ir.dialects._syntax import (
    check_minimum,
    check_parent,
    parse_attributes,
    parse_index_list,
    print_attributes,
)
from headrace.ir.dialects.ktdf_transfer import DataTransferOp
from headrace.ir.dialects.ktdf_types import (
    FifoSlotType,
    LoopType,
    LoopTypeAttr,
    TokenType,
    parse_slot_type,
    print_slot_type,
)
from headrace.ir.dialects.ktdf_values import (
    BufferPhaseOp,
    IndirectMemrefOp,
    OpaqueOp,
    SelectMemrefOp,
    TilingDeriveSizeOp,
    TilingLinearizeIndexOp,
    TilingReserveSizeOp,
)
from headrace.ir.traits import Unique
from headrace.ir.types import string_array

__all__ = [
    "BufferPhaseOp",
    "CreateTokenOp",
    "DataTransferOp",
    "FifoAllocateOp",
    "FifoSlotType",
    "IndirectMemrefOp",
    "Ktdf",
    "LoopType",
    "LoopTypeAttr",
    "OpaqueOp",
    "ParallelOp",
    "ParallelYieldOp",
    "PipelineOp",
    "PrivateOp",
    "PrivateYieldOp",
    "ReadFromFifoOp",
    "SelectMemrefOp",
    "StageOp",
    "TilingDeriveSizeOp",
    "TilingLinearizeIndexOp",
    "TilingReserveSizeOp",
    "TokenType",
    "WriteToFifoOp",
]

INDEX = IndexType()
_TOKEN = TokenType()

# ---- pipelines ------------------------------------------------------------------------------------------------------


@irdl_op_definition
class PipelineOp(DialectOp):
    """`ktdf.pipeline modulo(size : 2) { ... }`: once per enclosing iteration, overlapped stage-wise."""

    name = "ktdf.pipeline"
    modulo = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, body: Region, modulo: int | None = None):
        super().__init__(regions=[body], properties={"modulo": None if modulo is None else IntegerAttr(modulo, i64)})

    @classmethod
    def parse(cls, parser: Parser) -> PipelineOp:
        modulo = None
        if parser.parse_optional_keyword("modulo") is not None:
            parser.parse_punctuation("(")
            parser.parse_keyword("size")
            parser.parse_punctuation(":")
            modulo = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
            parser.parse_punctuation(")")
        region = parser.parse_region()
        properties, attributes = parse_attributes(parser, cls)
        if modulo is not None:
            properties["modulo"] = modulo
        return cls.build(regions=[region], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.modulo is not None:
            printer.print_string(f" modulo(size : {self.modulo.value.data})")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        print_attributes(printer, self, ("modulo",))

    def verify_(self) -> None:
        check_minimum("modulo", self.modulo, 1)
        if self.body.block.args:
            raise VerifyException("region must not have block arguments")
        first: Operation | None = None
        for op in self.body.block.ops:
            if not isinstance(op, StageOp | PrivateOp):
                raise VerifyException("immediate children must be 'ktdf.stage' or 'ktdf.private' ops")
            if isinstance(op, PrivateOp):
                if first is not None:
                    raise VerifyException("at most one immediate 'ktdf.private' child is allowed")
                first = op


def _token_origin(value: SSAValue) -> bool:
    """Whether a token comes from `create_token`, directly or through a private region."""
    while isinstance(value, OpResult):
        if isinstance(value.op, CreateTokenOp):
            return True
        if not isinstance(value.op, PrivateOp):
            return False
        last = value.op.body.block.last_op
        if last is None or value.index >= len(last.operands):
            return False
        value = last.operands[value.index]
    return False


@irdl_op_definition
class StageOp(DialectOp):
    """`ktdf.stage depends_in(%t) depends_out(none) { ... } {applicable_units = ["SFU"]}`: one unit's share."""

    name = "ktdf.stage"
    depends_in = var_operand_def(TokenType)
    depends_out = var_operand_def(TokenType)
    applicable_units = opt_prop_def(ArrayAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator(), HasParent(PipelineOp))

    def __init__(
        self,
        depends_in: Sequence[SSAValue],
        depends_out: Sequence[SSAValue],
        body: Region,
        applicable_units: Sequence[str] = (),
    ):
        units = string_array(*applicable_units) if applicable_units else None
        super().__init__(operands=[depends_in, depends_out], regions=[body], properties={"applicable_units": units})

    @classmethod
    def parse(cls, parser: Parser) -> StageOp:
        clauses: list[list[SSAValue]] = []
        for keyword in ("depends_in", "depends_out"):
            parser.parse_keyword(keyword)
            parser.parse_punctuation("(")
            if parser.parse_optional_keyword("none") is not None:
                clauses.append([])
            else:
                tokens = [parser.parse_operand(TokenType())]
                while parser.parse_optional_punctuation(",") is not None:
                    tokens.append(parser.parse_operand(TokenType()))
                clauses.append(tokens)  # pyright: ignore[reportArgumentType]
            parser.parse_punctuation(")")
        region = parser.parse_region()
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(operands=clauses, regions=[region], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        for keyword, tokens in (("depends_in", self.depends_in), ("depends_out", self.depends_out)):
            printer.print_string(f" {keyword}(")
            if tokens:
                printer.print_list(tokens, printer.print_ssa_value)
            else:
                printer.print_string("none")
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        print_attributes(printer, self)

    def verify_(self) -> None:
        if self.body.block.args:
            raise VerifyException("region must not have block arguments")
        for keyword, tokens in (("depends_in", self.depends_in), ("depends_out", self.depends_out)):
            for token in tokens:
                if not _token_origin(token):
                    raise VerifyException(f"{keyword} operand must originate from 'ktdf.create_token'")


@irdl_op_definition
class PrivateYieldOp(DialectOp):
    """`ktdf.private_yield %a, %t : memref<64xf16, "L1">, !ktdf.token`: hands the private resources out."""

    name = "ktdf.private_yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, values: Sequence[SSAValue] = ()):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        check_parent(self, "ktdf.private")

    @classmethod
    def parse(cls, parser: Parser) -> PrivateYieldOp:
        attributes = parser.parse_optional_attr_dict()
        operands = []
        first = parser.parse_optional_unresolved_operand()
        if first is not None:
            operands.append(first)
            while parser.parse_optional_punctuation(",") is not None:
                operands.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            values = parser.resolve_operands(operands, types, parser.pos)
        else:
            values = []
        return cls.build(operands=[values], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in self.values], printer.print_attribute)


@irdl_op_definition
class PrivateOp(DialectOp):
    """`%p:2 = ktdf.private -> (memref<..>, !ktdf.token) { ... }`: resources that belong to one pipeline."""

    name = "ktdf.private"
    res = var_result_def()
    body = region_def("single_block")
    traits = traits_def(HasParent(PipelineOp))

    def __init__(self, result_types: Sequence[Attribute], body: Region):
        super().__init__(result_types=[result_types], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> PrivateOp:
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        if len(region.blocks) == 1 and not isinstance(region.block.last_op, PrivateYieldOp):
            region.block.add_op(PrivateYieldOp())
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.build(result_types=[types], regions=[region], attributes=attributes.data if attributes else {})

    def print(self, printer: Printer) -> None:
        if self.res:
            printer.print_string(" -> (")
            printer.print_list([r.type for r in self.res], printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_block_terminators=bool(self.res))
        if self.attributes:
            printer.print_string(" attributes")
            print_attributes(printer, self)

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, PrivateYieldOp):
            raise VerifyException("region must end with 'ktdf.private_yield'")
        if len(last.values) != len(self.res):
            raise VerifyException(
                f"yield operands count ({len(last.values)}) must match the number of results ({len(self.res)})"
            )
        for i, (v, r) in enumerate(zip(last.values, self.res, strict=True)):
            if v.type != r.type:
                raise VerifyException(f"yield operand type {v.type} must match the type of result {i}, {r.type}")


# ---- FIFOs ----------------------------------------------------------------------------------------------------------


@irdl_op_definition
class FifoAllocateOp(DialectOp):
    """`%f:2 = ktdf.fifo.allocate(%n) -> slot<..?xf16>, slot<..>`: slots in the order of their use by transfers."""

    name = "ktdf.fifo.allocate"
    dynamic_sizes = var_operand_def(IndexType())
    slots = var_result_def(FifoSlotType)
    traits = traits_def(MemoryAllocEffect())

    def __init__(self, dynamic_sizes: Sequence[SSAValue], result_types: Sequence[Attribute]):
        init_op(self, dynamic_sizes, result_types)

    @classmethod
    def parse(cls, parser: Parser) -> FifoAllocateOp:
        operands = parse_index_list(parser)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.build(operands=[operands], result_types=[types], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.dynamic_sizes, printer.print_ssa_value)
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" -> ")
        printer.print_list([r.type for r in self.slots], printer.print_attribute)

    def verify_(self) -> None:
        dynamic = sum(isinstance(r.type, FifoSlotType) and r.type.is_dynamic for r in self.slots)
        if dynamic != len(self.dynamic_sizes):
            raise VerifyException(
                f"number of dynamic size operands ({len(self.dynamic_sizes)}) must match "
                f"the number of dynamic slots ({dynamic})"
            )


def _verify_slot_data(slot: Attribute, data: Attribute) -> None:
    """Element types, and element counts where static, of a slot and what goes through it agree."""
    assert isinstance(slot, FifoSlotType)
    if not isinstance(data, TensorType | MemRefType):
        raise VerifyException("data must be a ranked tensor or a memref")
    if data.element_type != slot.element_type:
        raise VerifyException(f"element type {data.element_type} of the data must match the slot's {slot.element_type}")
    dynamic = DYNAMIC_INDEX in data.get_shape()
    if dynamic != slot.is_dynamic:
        raise VerifyException("slot and data must both be dynamic or both be static")
    if not dynamic:
        total = 1
        for n in data.get_shape():
            total *= n
        if total != slot.num_elements.data:
            raise VerifyException(f"data total elements ({total}) must match the slot's ({slot.num_elements.data})")


@irdl_op_definition
class ReadFromFifoOp(DialectOp):
    """`%v = ktdf.read_from_fifo %f : <"RD" -> "ALU", 64xf16> -> tensor<1x64xf16>`: take one slot-full of elements."""

    name = "ktdf.read_from_fifo"
    slot = operand_def(FifoSlotType)
    result = result_def()

    def __init__(self, slot: SSAValue, result_type: Attribute):
        super().__init__(operands=[slot], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> ReadFromFifoOp:
        slot = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        slot_type = parse_slot_type(parser)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(slot, slot_type)],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.slot)
        print_attributes(printer, self)
        printer.print_string(" : ")
        print_slot_type(printer, self.slot.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        _verify_slot_data(self.slot.type, self.result.type)


@irdl_op_definition
class WriteToFifoOp(DialectOp):
    """`ktdf.write_to_fifo %v, %f : tensor<1x64xf16>, <"ALU" -> "WR", 64xf16>`: append one slot-full of elements."""

    name = "ktdf.write_to_fifo"
    data = operand_def()
    slot = operand_def(FifoSlotType)

    def __init__(self, data: SSAValue, slot: SSAValue):
        super().__init__(operands=[data, slot])

    @classmethod
    def parse(cls, parser: Parser) -> WriteToFifoOp:
        data = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        slot = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        data_type = parser.parse_type()
        parser.parse_punctuation(",")
        slot_type = parse_slot_type(parser)
        operands = [parser.resolve_operand(data, data_type), parser.resolve_operand(slot, slot_type)]
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.data)
        printer.print_string(", ")
        printer.print_ssa_value(self.slot)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.data.type)
        printer.print_string(", ")
        print_slot_type(printer, self.slot.type)

    def verify_(self) -> None:
        _verify_slot_data(self.slot.type, self.data.type)


@irdl_op_definition
class CreateTokenOp(DialectOp):
    """`%t = ktdf.create_token : !ktdf.token`: pure, but two of them are never merged.

    `unique_id` is accepted in generic form; the trait `Unique` makes it unnecessary.
    """

    name = "ktdf.create_token"
    unique_id = opt_prop_def(IntegerAttr)
    token = result_def(TokenType)
    traits = traits_def(Pure(), Unique())

    def __init__(self) -> None:
        init_op(self, result_types=(_TOKEN,))

    @classmethod
    def parse(cls, parser: Parser) -> CreateTokenOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(result_types=[t], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, ("unique_id",))
        printer.print_string(" : ")
        printer.print_attribute(self.token.type)


# ---- parallel loops -------------------------------------------------------------------------------------------------


@irdl_op_definition
class ParallelYieldOp(DialectOp):
    """`ktdf.parallel_yield`: terminator of `ktdf.parallel`."""

    name = "ktdf.parallel_yield"
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self) -> None:
        super().__init__()

    def verify_(self) -> None:
        check_parent(self, "ktdf.parallel")

    @classmethod
    def parse(cls, parser: Parser) -> ParallelYieldOp:
        return cls.build(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ParallelOp(DialectOp):
    """`ktdf.parallel (%i, %inst) = (%lb) to (%ub) step (%st) distribute(num_instances = 2) { ... }`.

    The iterations in contiguous chunks, one per instance.
    """

    name = "ktdf.parallel"
    lower_bounds = var_operand_def(IndexType())
    upper_bounds = var_operand_def(IndexType())
    steps = var_operand_def(IndexType())
    num_instances = prop_def(IntegerAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        lower_bounds: Sequence[SSAValue],
        upper_bounds: Sequence[SSAValue],
        steps: Sequence[SSAValue],
        num_instances: int,
        body: Region,
    ):
        super().__init__(
            operands=[lower_bounds, upper_bounds, steps],
            regions=[body],
            properties={"num_instances": IntegerAttr(num_instances, i64)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        typed = [a.resolve(INDEX) for a in arguments]
        parser.parse_punctuation("=")
        lower = parse_index_list(parser)
        parser.parse_keyword("to")
        upper = parse_index_list(parser)
        parser.parse_keyword("step")
        steps = parse_index_list(parser)
        parser.parse_keyword("distribute")
        parser.parse_punctuation("(")
        parser.parse_keyword("num_instances")
        parser.parse_punctuation("=")
        instances = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(")")
        region = parser.parse_region(typed)
        properties, attributes = parse_attributes(parser, cls)
        properties["num_instances"] = IntegerAttr(instances, i64)
        return cls.build(operands=[lower, upper, steps], regions=[region], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(") =")
        for word, values in (("", self.lower_bounds), (" to", self.upper_bounds), (" step", self.steps)):
            printer.print_string(f"{word} (")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(")")
        printer.print_string(f" distribute(num_instances = {self.num_instances.value.data}) ")
        printer.print_region(self.body, print_entry_block_args=False)
        print_attributes(printer, self, ("num_instances",))

    def verify_(self) -> None:
        check_minimum("num_instances", self.num_instances, 1)
        n = len(self.lower_bounds)
        if n < 1 or len(self.upper_bounds) != n or len(self.steps) != n:
            raise VerifyException("lower bounds, upper bounds and steps must have the same length of at least one")
        block = self.body.block
        if len(block.args) != n + 1 or any(a.type != INDEX for a in block.args):
            raise VerifyException(f"body must have {n} induction variables and one instance id, all of type index")
        if not isinstance(block.last_op, ParallelYieldOp):
            raise VerifyException("body must end with 'ktdf.parallel_yield'")


Ktdf = Dialect(
    "ktdf",
    [
        PipelineOp,
        StageOp,
        PrivateOp,
        PrivateYieldOp,
        FifoAllocateOp,
        ReadFromFifoOp,
        WriteToFifoOp,
        CreateTokenOp,
        DataTransferOp,
        ParallelOp,
        ParallelYieldOp,
        BufferPhaseOp,
        SelectMemrefOp,
        IndirectMemrefOp,
        TilingReserveSizeOp,
        TilingDeriveSizeOp,
        TilingLinearizeIndexOp,
        OpaqueOp,
    ],
    [TokenType, FifoSlotType, LoopTypeAttr],
)
