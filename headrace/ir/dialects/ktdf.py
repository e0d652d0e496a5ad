"""The `ktdf` dialect: ScheduleIR's pipelines, stages, FIFO slots, transfers, parallel loops, buffers in rotation and tile sizes.

Syntax, traits and verifier messages follow the ScheduleIR reference; every operation's docstring has an example.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import (
    Attribute,
    Dialect,
    EnumAttribute,
    Operation,
    OpResult,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
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
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from headrace.ir.dialects._syntax import parse_attributes, parse_index_list, print_attributes
from headrace.ir.subscripts import at_subscripts, parse_subscripts, print_subscripts

INDEX = IndexType()

# ---- types and attributes -------------------------------------------------------------------------------------------


class LoopType(StrEnum):
    """Whether the iterations of an `scf.for` are independent."""

    PARALLEL_LOOP = "parallel_loop"
    REDUCTION_LOOP = "reduction_loop"


@irdl_attr_definition
class LoopTypeAttr(EnumAttribute[LoopType]):
    """`#ktdf.loop_type<parallel_loop>`: discardable attribute `loop_type` of `scf.for`."""

    name = "ktdf.loop_type"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopType:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(LoopType)


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!ktdf.token`: orders the stages of one pipeline; no runtime representation."""

    name = "ktdf.token"


@irdl_attr_definition
class FifoSlotType(ParametrizedAttribute, TypeAttribute):
    """`!ktdf.fifo.slot<"RD" -> "ALU", 64xf16>`: room for `num_elements` elements (or `?`) on the way from `src` to `dest`."""

    name = "ktdf.fifo.slot"
    src: Attribute
    dest: Attribute
    num_elements: IntAttr
    element_type: Attribute

    def __init__(self, src: Attribute, dest: Attribute, num_elements: int | IntAttr, element_type: Attribute):
        elements = num_elements if isinstance(num_elements, IntAttr) else IntAttr(num_elements)
        super().__init__(src, dest, elements, element_type)

    @property
    def is_dynamic(self) -> bool:
        """Whether the count is `?`."""
        return self.num_elements.data == DYNAMIC_INDEX

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            src = parser.parse_attribute()
            parser.parse_characters("->")
            dest = parser.parse_attribute()
            parser.parse_characters(",")
            shape, element = parser.parse_ranked_shape()
            if len(shape) != 1:
                parser.raise_error("expected one element count before the element type of a fifo slot")
            return [src, dest, IntAttr(shape[0]), element]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.src)
            printer.print_string(" -> ")
            printer.print_attribute(self.dest)
            printer.print_string(", " + ("?" if self.is_dynamic else str(self.num_elements.data)) + "x")
            printer.print_attribute(self.element_type)


def parse_slot_type(parser: Parser) -> Attribute:
    """A slot type, with or without its `!ktdf.fifo.slot` prefix."""
    if parser.parse_optional_characters("<") is None:
        return parser.parse_type()
    src = parser.parse_attribute()
    parser.parse_characters("->")
    dest = parser.parse_attribute()
    parser.parse_characters(",")
    shape, element = parser.parse_ranked_shape()
    parser.parse_characters(">")
    if len(shape) != 1:
        parser.raise_error("expected one element count before the element type of a fifo slot")
    return FifoSlotType(src, dest, shape[0], element)


def print_slot_type(printer: Printer, t: Attribute) -> None:
    """A slot type without its prefix."""
    if isinstance(t, FifoSlotType):
        t.print_parameters(printer)
    else:
        printer.print_attribute(t)


_UNIQUE = count(1)


def _fresh_id() -> IntegerAttr[IndexType]:
    """A new `unique_id`: keeps textually equal pure ops apart."""
    return IntegerAttr(next(_UNIQUE), INDEX)


def _hidden(*names: str) -> tuple[str, ...]:
    return ("unique_id", *names)


# ---- pipelines ------------------------------------------------------------------------------------------------------


@irdl_op_definition
class PipelineOp(IRDLOperation):
    """`ktdf.pipeline modulo(size : 2) { private? stages }`: one execution per enclosing iteration; executions may overlap stage-wise."""

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
        if self.modulo is not None and self.modulo.value.data < 1:
            raise VerifyException("attribute 'modulo' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 1")
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
class StageOp(IRDLOperation):
    """`ktdf.stage depends_in(%t) depends_out(none) { ... } {applicable_units = ["SFU"]}`: what one unit does per pipeline execution."""

    name = "ktdf.stage"
    depends_in = var_operand_def(TokenType)
    depends_out = var_operand_def(TokenType)
    applicable_units = opt_prop_def(ArrayAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator(), HasParent(PipelineOp))

    def __init__(
        self, depends_in: Sequence[SSAValue], depends_out: Sequence[SSAValue], body: Region, applicable_units: Sequence[str] = ()
    ):
        units = ArrayAttr([StringAttr(u) for u in applicable_units]) if applicable_units else None
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
                clauses.append(tokens)
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
class PrivateYieldOp(IRDLOperation):
    """`ktdf.private_yield %a, %t : memref<64xf16, "L1">, !ktdf.token`: hands the private resources out."""

    name = "ktdf.private_yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, values: Sequence[SSAValue] = ()):
        super().__init__(operands=[values])

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
class PrivateOp(IRDLOperation):
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
        if region.blocks and (region.block.last_op is None or not isinstance(region.block.last_op, PrivateYieldOp)):
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
            raise VerifyException(f"yield operands count ({len(last.values)}) must match the number of results ({len(self.res)})")
        for i, (v, r) in enumerate(zip(last.values, self.res, strict=True)):
            if v.type != r.type:
                raise VerifyException(f"yield operand type {v.type} must match the type of result {i}, {r.type}")


# ---- FIFOs ----------------------------------------------------------------------------------------------------------


@irdl_op_definition
class FifoAllocateOp(IRDLOperation):
    """`%f:2 = ktdf.fifo.allocate(%n) -> slot<..?xf16>, slot<..>`: slots in the order in which transfers will use them."""

    name = "ktdf.fifo.allocate"
    dynamic_sizes = var_operand_def(IndexType())
    slots = var_result_def(FifoSlotType)

    def __init__(self, dynamic_sizes: Sequence[SSAValue], result_types: Sequence[Attribute]):
        super().__init__(operands=[dynamic_sizes], result_types=[result_types])

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
                f"number of dynamic size operands ({len(self.dynamic_sizes)}) must match the number of dynamic slots ({dynamic})"
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
class ReadFromFifoOp(IRDLOperation):
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
            operands=[parser.resolve_operand(slot, slot_type)], result_types=[result], properties=properties, attributes=attributes
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
class WriteToFifoOp(IRDLOperation):
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
class CreateTokenOp(IRDLOperation):
    """`%t = ktdf.create_token : !ktdf.token`: pure, but two of them are never merged."""

    name = "ktdf.create_token"
    unique_id = opt_prop_def(IntegerAttr)
    token = result_def(TokenType)
    traits = traits_def(Pure())

    def __init__(self) -> None:
        super().__init__(result_types=[TokenType()], properties={"unique_id": _fresh_id()})

    @classmethod
    def parse(cls, parser: Parser) -> CreateTokenOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        t = parser.parse_type()
        return cls.build(result_types=[t], properties={"unique_id": _fresh_id()}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, _hidden())
        printer.print_string(" : ")
        printer.print_attribute(self.token.type)


# ---- transfers ------------------------------------------------------------------------------------------------------


@irdl_op_definition
class DataTransferOp(IRDLOperation):
    """`ktdf.data_transfer from %a[%i, 0] size [1, 64] to %f size [64] : memref<..>, !ktdf.fifo.slot<..>`: copy a box, row-major."""

    name = "ktdf.data_transfer"
    source = operand_def()
    source_indices = var_operand_def(IndexType())
    source_sizes = var_operand_def(IndexType())
    destination = operand_def()
    dest_indices = var_operand_def(IndexType())
    dest_sizes = var_operand_def(IndexType())
    static_source_sizes = opt_prop_def(DenseArrayBase)
    static_dest_sizes = opt_prop_def(DenseArrayBase)
    source_map = opt_prop_def(AffineMapAttr)
    dest_map = opt_prop_def(AffineMapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def build_from(
        cls,
        source: SSAValue,
        source_map: AffineMap | None,
        source_indices: Sequence[SSAValue],
        source_sizes: Sequence[int | SSAValue] | None,
        destination: SSAValue,
        dest_map: AffineMap | None,
        dest_indices: Sequence[SSAValue],
        dest_sizes: Sequence[int | SSAValue] | None,
    ) -> DataTransferOp:
        """A transfer from its two sides; sizes are numbers or index values, maps absent for slots."""
        static_source, dynamic_source = _split_sizes(source_sizes)
        static_dest, dynamic_dest = _split_sizes(dest_sizes)
        return cls.build(
            operands=[source, source_indices, dynamic_source, destination, dest_indices, dynamic_dest],
            properties={
                "static_source_sizes": static_source,
                "static_dest_sizes": static_dest,
                "source_map": None if source_map is None else AffineMapAttr(source_map),
                "dest_map": None if dest_map is None else AffineMapAttr(dest_map),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> DataTransferOp:
        sides = []
        for keyword in ("from", "to"):
            parser.parse_keyword(keyword)
            sides.append(_parse_side(parser))
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation(",")
        dest_type = parser.parse_type()
        (a, amap, aindices, asizes), (b, bmap, bindices, bsizes) = sides
        op = cls.build_from(
            parser.resolve_operand(a, source_type), amap, aindices, asizes, parser.resolve_operand(b, dest_type), bmap, bindices, bsizes
        )
        op.properties.update(properties)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        sides = (
            ("from", self.source, self.source_map, self.source_indices, self.static_source_sizes, self.source_sizes),
            ("to", self.destination, self.dest_map, self.dest_indices, self.static_dest_sizes, self.dest_sizes),
        )
        for keyword, value, map_, indices, static, dynamic in sides:
            printer.print_string(f" {keyword} ")
            printer.print_ssa_value(value)
            if map_ is not None:
                print_subscripts(printer, map_, indices)
            if static is not None:
                printer.print_string(" size [")
                rest = iter(dynamic)
                for i, n in enumerate(static.get_values()):
                    printer.print_string(", " if i else "")
                    if n == DYNAMIC_INDEX:
                        printer.print_ssa_value(next(rest))
                    else:
                        printer.print_string(str(n))
                printer.print_string("]")
        print_attributes(printer, self, ("static_source_sizes", "static_dest_sizes", "source_map", "dest_map"))
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(", ")
        printer.print_attribute(self.destination.type)

    def verify_(self) -> None:
        if _element_type(self.source.type) != _element_type(self.destination.type):
            raise VerifyException(
                f"source element type {_element_type(self.source.type)} must match the destination's {_element_type(self.destination.type)}"
            )
        _verify_side("source", self.source.type, self.source_map, self.source_indices, self.static_source_sizes, self.source_sizes)
        _verify_side("dest", self.destination.type, self.dest_map, self.dest_indices, self.static_dest_sizes, self.dest_sizes)


def _split_sizes(sizes: Sequence[int | SSAValue] | None) -> tuple[DenseArrayBase | None, list[SSAValue]]:
    if sizes is None:
        return None, []
    static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes]
    return DenseArrayBase.from_list(i64, static), [n for n in sizes if not isinstance(n, int)]


def _parse_side(parser: Parser):  # noqa: ANN202
    value = parser.parse_unresolved_operand()
    map_: AffineMap | None = None
    indices: list[SSAValue] = []
    if at_subscripts(parser):
        attr, indices = parse_subscripts(parser)
        map_ = attr.data
    sizes: list[int | SSAValue] | None = None
    if parser.parse_optional_keyword("size") is not None:

        def one() -> int | SSAValue:
            operand = parser.parse_optional_unresolved_operand()
            if operand is not None:
                return parser.resolve_operand(operand, INDEX)
            return parser.parse_integer(allow_boolean=False)

        sizes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
    return value, map_, indices, sizes


def _element_type(t: Attribute) -> Attribute:
    if isinstance(t, FifoSlotType | MemRefType):
        return t.element_type
    raise VerifyException(f"operand must be a memref or a fifo slot, but is {t}")


def _verify_side(
    side: str,
    t: Attribute,
    map_: AffineMapAttr | None,
    indices: Sequence[SSAValue],
    static: DenseArrayBase | None,
    dynamic: Sequence[SSAValue],
) -> None:
    """The rules of one side of a transfer."""
    wanted = 0 if static is None else sum(n == DYNAMIC_INDEX for n in static.get_values())
    if isinstance(t, FifoSlotType):
        if map_ is not None:
            raise VerifyException(f"{side}_map must be absent for fifo {side}")
        if indices:
            raise VerifyException(f"fifo {side} cannot have indices specified")
    else:
        assert isinstance(t, MemRefType)
        rank = len(t.get_shape())
        if map_ is None:
            raise VerifyException(f"{side}_map must be present for memref {side}")
        if map_.data.num_symbols:
            raise VerifyException(f"{side}_map must have 0 symbols (dims-only)")
        if len(map_.data.results) != rank:
            raise VerifyException(f"{side} memref has rank {rank} but {side}_map has {len(map_.data.results)} results")
        if len(indices) != map_.data.num_dims:
            raise VerifyException(f"{side}_indices count ({len(indices)}) must match the dims of {side}_map ({map_.data.num_dims})")
        count_ = 0 if static is None else len(static.get_values())
        if count_ != rank:
            raise VerifyException(f"{side} size count ({count_}) must match the memref's rank ({rank})")
    if wanted != len(dynamic):
        raise VerifyException(f"number of dynamic {side} sizes ({len(dynamic)}) must match the dynamic entries ({wanted})")


# ---- parallel loops -------------------------------------------------------------------------------------------------


@irdl_op_definition
class ParallelYieldOp(IRDLOperation):
    """`ktdf.parallel_yield`: terminator of `ktdf.parallel`."""

    name = "ktdf.parallel_yield"
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self) -> None:
        super().__init__()

    @classmethod
    def parse(cls, parser: Parser) -> ParallelYieldOp:
        return cls.build(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """`ktdf.parallel (%i, %inst) = (%lb) to (%ub) step (%st) distribute(num_instances = 2) { ... }`: contiguous chunks, one per instance."""

    name = "ktdf.parallel"
    lower_bounds = var_operand_def(IndexType())
    upper_bounds = var_operand_def(IndexType())
    steps = var_operand_def(IndexType())
    num_instances = prop_def(IntegerAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self, lower_bounds: Sequence[SSAValue], upper_bounds: Sequence[SSAValue], steps: Sequence[SSAValue], num_instances: int, body: Region
    ):
        super().__init__(
            operands=[lower_bounds, upper_bounds, steps], regions=[body], properties={"num_instances": IntegerAttr(num_instances, i64)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
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
        n = len(self.lower_bounds)
        if n < 1 or len(self.upper_bounds) != n or len(self.steps) != n:
            raise VerifyException("lower bounds, upper bounds and steps must have the same length of at least one")
        if self.num_instances.value.data < 1:
            raise VerifyException("attribute 'num_instances' failed to satisfy constraint: minimum value is 1")
        block = self.body.block
        if len(block.args) != n + 1 or any(a.type != INDEX for a in block.args):
            raise VerifyException(f"body must have {n} induction variables and one instance id, all of type index")
        if not isinstance(block.last_op, ParallelYieldOp):
            raise VerifyException("body must end with 'ktdf.parallel_yield'")


# ---- buffers in rotation --------------------------------------------------------------------------------------------


@irdl_op_definition
class BufferPhaseOp(IRDLOperation):
    """`%p = ktdf.buffer_phase(%i, %j) {num_phases = 2 : i64} : index`: the linearised iteration count modulo `num_phases`."""

    name = "ktdf.buffer_phase"
    induction_vars = var_operand_def(IndexType())
    num_phases = prop_def(IntegerAttr)
    phase = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, induction_vars: Sequence[SSAValue], num_phases: int):
        super().__init__(operands=[induction_vars], result_types=[INDEX], properties={"num_phases": IntegerAttr(num_phases, i64)})

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

    def verify_(self) -> None:
        if self.num_phases.value.data < 2:
            raise VerifyException("attribute 'num_phases' failed to satisfy constraint: minimum value is 2")
        if not self.induction_vars:
            raise VerifyException("requires at least one induction variable operand")


@irdl_op_definition
class SelectMemrefOp(IRDLOperation):
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

    def verify_(self) -> None:
        if len(self.candidates) < 2:
            raise VerifyException("requires at least 2 candidate memrefs")
        if any(c.type != self.result.type for c in self.candidates):
            raise VerifyException("all candidate types must match the result type")
        owner = self.phase.owner
        if isinstance(owner, BufferPhaseOp) and owner.num_phases.value.data != len(self.candidates):
            raise VerifyException(
                f"phase op num_phases ({owner.num_phases.value.data}) must match the number of candidates ({len(self.candidates)})"
            )


# ---- tiling placeholders --------------------------------------------------------------------------------------------


@irdl_op_definition
class TilingReserveSizeOp(IRDLOperation):
    """`%s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index`: a tile size chosen later."""

    name = "ktdf.tiling.reserve_size"
    min_value = prop_def(IntegerAttr)
    divisibility = prop_def(IntegerAttr)
    unique_id = opt_prop_def(IntegerAttr)
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, min_value: int = 1, divisibility: int = 1):
        super().__init__(
            result_types=[INDEX],
            properties={
                "min_value": IntegerAttr(min_value, INDEX),
                "divisibility": IntegerAttr(divisibility, INDEX),
                "unique_id": _fresh_id(),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> TilingReserveSizeOp:
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        t = parser.parse_type()
        properties["unique_id"] = _fresh_id()
        return cls.build(result_types=[t], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, _hidden())
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
class TilingDeriveSizeOp(IRDLOperation):
    """`%n = ktdf.tiling.derive_size [%iv : %ts], total_size = %total : index`: `max(0, min(ts, rem - iv * ts))` over the pairs."""

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

    def verify_(self) -> None:
        if not self.induction_vars or len(self.induction_vars) != len(self.tile_sizes):
            raise VerifyException("must have at least one [iv : tile_size] pair")


@irdl_op_definition
class TilingLinearizeIndexOp(IRDLOperation):
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
class OpaqueOp(IRDLOperation):
    """`%r = ktdf.opaque "name" -> tensor<..> ins(%a : T) outs(%b : tensor<..>)`: an instruction template of the back end."""

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
        for v in self.outputs:
            if not isinstance(v.type, TensorType | MemRefType):
                raise VerifyException("outputs must be tensors or memrefs")
        wanted = [v.type for v in self.outputs if isinstance(v.type, TensorType)]
        if [r.type for r in self.res] != wanted:
            raise VerifyException("expected one result per tensor output, of the same type")



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
        TilingReserveSizeOp,
        TilingDeriveSizeOp,
        TilingLinearizeIndexOp,
        OpaqueOp,
    ],
    [TokenType, FifoSlotType, LoopTypeAttr],
)
