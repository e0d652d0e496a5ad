"""The `dataflow` dialect: units, the program of each unit, channels, signals and memory views of DataflowIR."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i32,
)
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, SingleBlockImplicitTerminator, ensure_terminator
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, end_blocks, init_op
from headrace.ir.dialects._syntax import (
    check_parent,
    parse_attributes,
    parse_index_list,
    parse_optional_index_operands,
    parse_types,
    print_attributes,
    print_types,
    resolve,
)
from headrace.ir.dialects.dataflow_types import (
    VECTOR,
    CustomType,
    CustomVectorType,
    DirectionAttr,
    MXFPType,
    MXIntType,
)
from headrace.ir.types import INDEX, integer_attr, string_attr


@irdl_op_definition
class GetUnitOp(DialectOp):
    """`%u = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index`:
    handle(s) of the execution unit or memory called `name`; equal names denote the same unit.
    """

    name = "dataflow.get_unit"
    unit_name = prop_def(StringAttr, prop_name="name")
    unit_type = prop_def(StringAttr, prop_name="type")
    units = var_result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(
        self, unit_name: str, unit_type: str, core: int | None = None, corelet: int | None = None, count: int = 1
    ):
        attributes: dict[str, Attribute] = {}
        if core is not None:
            attributes["core"] = integer_attr(core, i32)
        if corelet is not None:
            attributes["corelet"] = integer_attr(corelet, i32)
        init_op(
            self,
            result_types=[INDEX] * count,
            properties={"name": string_attr(unit_name), "type": string_attr(unit_type)},
            attributes=attributes,
        )

    @property
    def unit(self) -> SSAValue:
        """The (first) handle."""
        return self.units[0]

    def verify_(self) -> None:
        if not self.units:
            raise VerifyException("expected at least one result")

    @classmethod
    def parse(cls, parser: Parser) -> GetUnitOp:
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(result_types=[parse_types(parser)], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class GetLocalUnitOp(DialectOp):
    """`%l = dataflow.get_local_unit %u {name = "sub"} : index`: handle of the sub-unit `name` of a unit."""

    name = "dataflow.get_local_unit"
    unit = operand_def(IndexType())
    unit_name = prop_def(StringAttr, prop_name="name")
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, unit: SSAValue, unit_name: str):
        super().__init__(operands=[unit], result_types=[IndexType()], properties={"name": StringAttr(unit_name)})

    @classmethod
    def parse(cls, parser: Parser) -> GetLocalUnitOp:
        unit = parser.parse_operand(IndexType())
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[unit], result_types=parse_types(parser, 1), properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.unit)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class ReturnOp(DialectOp):
    """`dataflow.return`: implicit terminator of a program unit."""

    name = "dataflow.return"
    traits = traits_def(IsTerminator())

    def __init__(self) -> None:
        super().__init__()

    def verify_(self) -> None:
        check_parent(self, "dataflow.program_unit")

    @classmethod
    def parse(cls, parser: Parser) -> ReturnOp:
        return cls.build(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ProgramUnitOp(DialectOp):
    """`dataflow.program_unit iter_arg : %u -> (%a, %b) : { ... }`:
    the program that each of `units` runs concurrently; the block argument is the running unit's own handle.
    """

    name = "dataflow.program_unit"
    units = var_operand_def(IndexType())
    precision = opt_prop_def(StringAttr)
    bodies = var_region_def("single_block")
    traits = traits_def(SingleBlockImplicitTerminator(ReturnOp))

    def __init__(self, units: Sequence[SSAValue], body: Region | None = None, precision: str | None = None):
        """Without `body`, an empty program with one `index` block argument is made."""
        super().__init__(
            operands=[units],
            regions=[[body if body is not None else Region(Block(arg_types=[IndexType()]))]],
            properties={"precision": None if precision is None else StringAttr(precision)},
        )

    def __post_init__(self) -> None:
        if not all(region.blocks for region in self.regions):
            return  # a clone, whose blocks follow
        end_blocks(self, ReturnOp)
        for trait in self.get_traits_of_type(SingleBlockImplicitTerminator):
            ensure_terminator(self, trait)

    @property
    def body(self) -> Region:
        """The first (normally only) region."""
        return self.bodies[0]

    @property
    def block(self) -> Block:
        """The program's block."""
        return self.bodies[0].block

    def verify_(self) -> None:
        if not self.bodies:
            raise VerifyException("expected at least one region")
        for region in self.bodies:
            types = [argument.type for argument in region.block.args]
            if types and types != [IndexType()]:
                raise VerifyException("expected no or one block argument of type index")

    @classmethod
    def parse(cls, parser: Parser) -> ProgramUnitOp:
        arguments: list[Parser.Argument] = []
        if parser.parse_optional_keyword("iter_arg") is not None:
            parser.parse_punctuation(":")
            arguments.append(parser.parse_argument(expect_type=False).resolve(IndexType()))
            parser.parse_punctuation("->")
            units = parse_index_list(parser)
        else:
            units = parse_optional_index_operands(parser)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        regions = [parser.parse_region(arguments)]
        while parser.parse_optional_punctuation(",") is not None:
            regions.append(parser.parse_region(arguments))
        return cls.build(operands=[units], regions=[regions], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        arguments = self.body.block.args
        if arguments:
            printer.print_string(" iter_arg : ")
            printer.print_ssa_value(arguments[0])
            printer.print_string(" -> (")
            printer.print_list(self.units, printer.print_ssa_value)
            printer.print_string(")")
        elif self.units:
            printer.print_string(" ")
            printer.print_list(self.units, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        for position, region in enumerate(self.bodies):
            if position:
                printer.print_string(", ")
            printer.print_region(
                region, print_entry_block_args=False, print_empty_block=False, print_block_terminators=False
            )


@irdl_op_definition
class CreateGroupOp(DialectOp):
    """`%g = dataflow.create_group(%a, %b : index, index) : index`: a handle that addresses all listed units."""

    name = "dataflow.create_group"
    units = var_operand_def(IndexType())
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, units: Sequence[SSAValue]):
        super().__init__(operands=[units], result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> CreateGroupOp:
        units: list[SSAValue] = []
        parser.parse_punctuation("(")
        if parser.parse_optional_punctuation(")") is None:
            units = parse_optional_index_operands(parser)
            parse_types(parser, len(units))
            parser.parse_punctuation(")")
        attributes = parser.parse_optional_attr_dict()
        return cls.build(operands=[units], result_types=parse_types(parser, 1), attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        if self.units:
            printer.print_list(self.units, printer.print_ssa_value)
            print_types(printer, self.operand_types)
        printer.print_string(")")
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class CreateMulticastGroupOp(DialectOp):
    """A multicast channel from one producer to `num_consumers` units (the list, where given, has that length).

    ```
    %g = dataflow.create_multicast_group (%a -> (%b)) {count = 0 : i32, group_id = 1 : i32, num_consumers = 1 : i32}
      : index
    ```
    """

    name = "dataflow.create_multicast_group"
    producer = operand_def(IndexType())
    consumers = var_operand_def(IndexType())
    num_consumers = prop_def(IntegerAttr.constr(i32))
    group_id = prop_def(IntegerAttr.constr(i32))
    count = prop_def(IntegerAttr.constr(i32))
    result = result_def(IndexType())
    traits = traits_def(Pure())

    def __init__(self, producer: SSAValue, consumers: Sequence[SSAValue], group_id: int, count: int):
        super().__init__(
            operands=[producer, consumers],
            result_types=[IndexType()],
            properties={
                "num_consumers": IntegerAttr(len(consumers), i32),
                "group_id": IntegerAttr(group_id, i32),
                "count": IntegerAttr(count, i32),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> CreateMulticastGroupOp:
        parser.parse_punctuation("(")
        producer = parser.parse_operand(IndexType())
        parser.parse_punctuation("->")
        consumers = parse_index_list(parser)
        parser.parse_punctuation(")")
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[producer, consumers],
            result_types=parse_types(parser, 1),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_ssa_value(self.producer)
        printer.print_string(" -> (")
        printer.print_list(self.consumers, printer.print_ssa_value)
        printer.print_string("))")
        print_attributes(printer, self)
        print_types(printer, self.result_types)


class _UnitOperandOp(DialectOp):
    """Shared syntax of the ops that name one peer: `%unit attrs : index`."""

    @classmethod
    def parse(cls, parser: Parser):
        unit = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        operands = resolve(parser, [unit], parse_types(parser, 1))
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        print_attributes(printer, self)
        print_types(printer, self.operand_types)


_TRUE = BoolAttr.from_bool(True)


def _signal_attributes(signal: int) -> dict[str, Attribute]:
    return {"headrace.signal": integer_attr(signal, i32)} if signal else {}


def signal_of(op: SyncSendOp | SyncRecvOp) -> int:
    """Semaphore number of a sync op (`headrace.signal`, 0 when absent)."""
    value = op.attributes.get("headrace.signal")
    return value.value.data if isinstance(value, IntegerAttr) else 0


@irdl_op_definition
class SyncSendOp(_UnitOperandOp):
    """`dataflow.sync_send %u {headrace.signal = 3 : i32} : index`:
    send one counted signal to a unit. `headrace.signal = k : i32` names the semaphore (absent = 0).
    """

    name = "dataflow.sync_send"
    unit = operand_def(IndexType())
    wait_immediately_for_async_transfers = opt_prop_def(BoolAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def __init__(self, unit: SSAValue, signal: int = 0, wait_immediately_for_async_transfers: bool = False):
        wait = {"wait_immediately_for_async_transfers": _TRUE} if wait_immediately_for_async_transfers else None
        init_op(self, (unit,), properties=wait, attributes=_signal_attributes(signal))

    signal = property(signal_of)


@irdl_op_definition
class SyncRecvOp(_UnitOperandOp):
    """`dataflow.sync_recv %u {headrace.signal = 3 : i32} : index`:
    block until a signal from a unit has arrived, and consume it.
    """

    name = "dataflow.sync_recv"
    unit = operand_def(IndexType())
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def __init__(self, unit: SSAValue, signal: int = 0):
        init_op(self, (unit,), attributes=_signal_attributes(signal))

    signal = property(signal_of)


@irdl_op_definition
class ImplicitSyncOnStreamingBufferOp(DialectOp):
    """`dataflow.implicit_sync_on_streaming_buffer %v, %u, %size : memref<4x64xf16>, index, index`:
    asks for synchronisation at every boundary of a streaming buffer of the given size.
    """

    name = "dataflow.implicit_sync_on_streaming_buffer"
    mem_ref = operand_def(MemRefType)
    dst_unit = operand_def(IndexType())
    buffer_size = operand_def(IndexType())
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def __init__(self, mem_ref: SSAValue, dst_unit: SSAValue, buffer_size: SSAValue):
        super().__init__(operands=[mem_ref, dst_unit, buffer_size])

    @classmethod
    def parse(cls, parser: Parser) -> ImplicitSyncOnStreamingBufferOp:
        names = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            names.append(parser.parse_unresolved_operand())
        properties, attributes = parse_attributes(parser, cls)
        operands = resolve(parser, names, parse_types(parser, 3))
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        print_types(printer, self.operand_types)


@irdl_op_definition
class GetLogicalMemoryViewOp(DialectOp):
    """`%v = dataflow.get_logical_memory_view %u, %start {layout_map = #rows} : index, index, memref<4x64xf16>`:
    views the memory of `unit` from `start` on: index `i` lives at `start + layout_map(i)` (elements).

    `headrace.start_unit` (discardable) tells what `start` counts: "word", "element" or "byte".
    """

    name = "dataflow.get_logical_memory_view"
    unit = operand_def(IndexType())
    start = operand_def(IndexType())
    layout_map = prop_def(AffineMapAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    def __init__(
        self,
        unit: SSAValue,
        start: SSAValue,
        layout_map: AffineMapAttr,
        result_type: MemRefType,
        start_unit: str | None = None,
    ):
        super().__init__(
            operands=[unit, start],
            result_types=[result_type],
            properties={"layout_map": layout_map},
            attributes={} if start_unit is None else {"headrace.start_unit": string_attr(start_unit)},
        )

    @property
    def start_unit(self) -> str | None:
        """The value of `headrace.start_unit`, None when absent."""
        value = self.attributes.get("headrace.start_unit")
        return value.data if isinstance(value, StringAttr) else None

    def verify_(self) -> None:
        rank = len(self.result.type.get_shape())
        if self.layout_map.data.num_dims != rank:
            raise VerifyException(
                f"layout_map takes {self.layout_map.data.num_dims} indices, but the view has rank {rank}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> GetLogicalMemoryViewOp:
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        names.append(parser.parse_unresolved_operand())
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 3)
        return cls.build(
            operands=resolve(parser, names, types[:2]),
            result_types=[types[2]],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        print_types(printer, [*self.operand_types, *self.result_types])


@irdl_op_definition
class GetPagedLogicalMemoryViewOp(DialectOp):
    """A view whose index space is cut into hyper-rectangular pages, each with its own start address.

    ```
    %v = dataflow.get_paged_logical_memory_view %u, %start {layout_map = #rows} {segments = page0 : (idx_set =
      affine_set<..>, start_addr = %c), ..} : index, index, memref<4x64xf16>
    ```
    """

    name = "dataflow.get_paged_logical_memory_view"
    unit = operand_def(IndexType())
    start = operand_def(IndexType())
    page_start_addresses = var_operand_def(IndexType())
    layout_map = prop_def(AffineMapAttr)
    idx_sets = prop_def(ArrayAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    def __init__(
        self,
        unit: SSAValue,
        start: SSAValue,
        pages: Sequence[tuple[AffineSetAttr, SSAValue]],
        layout_map: AffineMapAttr,
        result_type: MemRefType,
    ):
        super().__init__(
            operands=[unit, start, [address for _, address in pages]],
            result_types=[result_type],
            properties={"layout_map": layout_map, "idx_sets": ArrayAttr([page for page, _ in pages])},
        )

    def verify_(self) -> None:
        if len(self.idx_sets) != len(self.page_start_addresses):
            raise VerifyException("there should be a start address and idx_set for every page")
        if not all(isinstance(address.owner, ConstantOp) for address in self.page_start_addresses):
            raise VerifyException("page start addresses should be arith::ConstantOp")
        for page in self.idx_sets:
            if not isinstance(page, AffineSetAttr):
                raise VerifyException("idx_sets should be IntegerSetAttrs")
            for constraint in page.data.constraints:
                if sum(dim != 0 for dim in _coefficients(constraint.lhs, constraint.rhs, page.data.num_dims)) > 1:
                    raise VerifyException("idx_set should be hyper rectangular")

    @classmethod
    def parse(cls, parser: Parser) -> GetPagedLogicalMemoryViewOp:
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        names.append(parser.parse_unresolved_operand())
        # The attribute dictionary and the segment list both open with a brace.
        properties: dict[str, Attribute] = {}
        attributes: dict[str, Attribute] = {}
        sets: list[Attribute] = []
        pages: list[SSAValue] = []
        parser.parse_punctuation("{")
        if parser.parse_optional_keyword("segments") is None:
            entries: dict[str, Attribute] = {}
            while parser.parse_optional_punctuation("}") is None:
                key = parser.parse_identifier_or_str_literal()
                parser.parse_punctuation("=")
                entries[key] = parser.parse_attribute()
                parser.parse_optional_punctuation(",")
            properties = {key: value for key, value in entries.items() if key == "layout_map"}
            attributes = {key: value for key, value in entries.items() if key != "layout_map"}
            parser.parse_punctuation("{")
            parser.parse_keyword("segments")
        parser.parse_punctuation("=")
        while parser.parse_optional_punctuation("}") is None:
            parser.parse_keyword(f"page{len(sets)}")
            parser.parse_punctuation(":")
            parser.parse_punctuation("(")
            parser.parse_keyword("idx_set")
            parser.parse_punctuation("=")
            sets.append(parser.parse_attribute())
            parser.parse_punctuation(",")
            parser.parse_keyword("start_addr")
            parser.parse_punctuation("=")
            pages.append(parser.parse_operand(IndexType()))
            parser.parse_punctuation(")")
            parser.parse_optional_punctuation(",")
        types = parse_types(parser, 3)
        return cls.build(
            operands=[*resolve(parser, names, types[:2]), pages],
            result_types=[types[2]],
            properties={**properties, "idx_sets": ArrayAttr(sets)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands[:2], printer.print_ssa_value)
        print_attributes(printer, self, hidden={"idx_sets"})
        printer.print_string(" {segments = ")
        for number, (page, address) in enumerate(zip(self.idx_sets, self.page_start_addresses, strict=True)):
            printer.print_string(f"{', ' if number else ''}page{number} : (idx_set = ")
            printer.print_attribute(page)
            printer.print_string(", start_addr = ")
            printer.print_ssa_value(address)
            printer.print_string(")")
        printer.print_string("}")
        print_types(printer, [*self.operand_types[:2], *self.result_types])


def _coefficients(lhs, rhs, num_dims: int) -> list[int]:
    """Coefficient of each dimension in `lhs - rhs`, found by evaluating at the unit vectors."""
    zero = [0] * num_dims

    def at(position: int | None) -> int:
        dims = [int(index == position) for index in range(num_dims)]
        return lhs.eval(dims, []) - rhs.eval(dims, [])

    origin = lhs.eval(zero, []) - rhs.eval(zero, [])
    return [at(position) - origin for position in range(num_dims)]


@irdl_op_definition
class SendOp(DialectOp):
    """`dataflow.send %u, %x : vector<64xf16>`:
    append one vector to the channel from the running unit to `unit`; blocks while the channel is full.
    """

    name = "dataflow.send"
    unit = operand_def(IndexType())
    data = operand_def(VECTOR)
    dir = opt_prop_def(DirectionAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def __init__(self, unit: SSAValue, data: SSAValue):
        super().__init__(operands=[unit, data])

    @classmethod
    def parse(cls, parser: Parser) -> SendOp:
        unit = parser.parse_operand(IndexType())
        parser.parse_punctuation(",")
        data = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        operands = [unit, *resolve(parser, [data], parse_types(parser, 1))]
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        print_types(printer, [self.data.type])


@irdl_op_definition
class ReceiveOp(DialectOp):
    """`%x = dataflow.receive %u : vector<64xf16>`:
    take the oldest vector from the channel from `unit` to the running unit; blocks while it is empty.
    """

    name = "dataflow.receive"
    unit = operand_def(IndexType())
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    result = result_def(VECTOR)

    def __init__(self, unit: SSAValue, result_type: Attribute):
        super().__init__(operands=[unit], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> ReceiveOp:
        unit = parser.parse_operand(IndexType())
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[unit], result_types=parse_types(parser, 1), properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.unit)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class OpaqueOp(DialectOp):
    """Invokes a named auxiliary routine on registers.

    ```
    dataflow.opaque {func_name = "f", parameter_dictionary = {}, read_only_register_dictionary = {r = "x"},
      read_write_register_dictionary = {}}
    ```
    """

    name = "dataflow.opaque"
    func_name = prop_def(StringAttr)
    read_write_register_dictionary = prop_def(DictionaryAttr)
    read_only_register_dictionary = prop_def(DictionaryAttr)
    parameter_dictionary = prop_def(DictionaryAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def __init__(
        self, func_name: str, read_write: DictionaryAttr, read_only: DictionaryAttr, parameters: DictionaryAttr
    ):
        super().__init__(
            properties={
                "func_name": StringAttr(func_name),
                "read_write_register_dictionary": read_write,
                "read_only_register_dictionary": read_only,
                "parameter_dictionary": parameters,
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> OpaqueOp:
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


Dataflow = Dialect(
    "dataflow",
    [
        GetUnitOp,
        GetLocalUnitOp,
        ProgramUnitOp,
        ReturnOp,
        CreateGroupOp,
        CreateMulticastGroupOp,
        SyncSendOp,
        SyncRecvOp,
        ImplicitSyncOnStreamingBufferOp,
        GetLogicalMemoryViewOp,
        GetPagedLogicalMemoryViewOp,
        SendOp,
        ReceiveOp,
        OpaqueOp,
    ],
    [CustomVectorType, MXFPType, MXIntType, CustomType, DirectionAttr],
)
