"""The `agen` dialect: vector accesses to memory views, one at a time or walked over a time axis.

An access reads or writes the elements `b + p` for the points p of its set: b are the base indices (the subscripts),
the k-th point in lexicographic order of `order(p)` is lane k. A composite access repeats it for every point t of
`time_set`, displaced by the index offsets `time_addr_map(t)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType, IntegerAttr, MemRefType, StringAttr, i32
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Dialect,
    Region,
    SSAValue,
)
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
)
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._agen_indirect import (
    CompositeIndirectLoadAndStoreOp,
    CompositeIndirectLoadOp,
    CompositeIndirectStoreOp,
    IndirectVectorLoadOp,
    IndirectVectorStoreOp,
    SetTransferMaskStateOp,
)
from headrace.ir.dialects._agen_syntax import (
    CompositeOp,
    DirectionAttr,
    YieldOp,
    check_map_operands,
    check_rank,
    check_set_and_order,
    parse_keyed,
    parse_load_iv,
    parse_multicast,
    parse_time_symbols,
    print_access,
    print_body,
    print_load_iv,
    print_multicast,
    print_time_symbols,
)
from headrace.ir.dialects._syntax import (
    parse_attributes,
    parse_index_list,
    parse_types,
    print_attributes,
    print_types,
    resolve,
)
from headrace.ir.dialects.dataflow import VECTOR
from headrace.ir.subscripts import parse_subscripts


@irdl_op_definition
class VectorLoadOp(DialectOp):
    """`%v = agen.vector_load %m[%r * 2, 0] {load_order = #id2, load_set = #vec} : memref<4x64xf16>, vector<64xf16>`:
    read one vector.
    """

    name = "agen.vector_load"
    mem_ref = operand_def(MemRefType)
    map_operands = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    affine_map = prop_def(AffineMapAttr)
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    result = result_def(VECTOR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        mem_ref: SSAValue,
        map_operands: Sequence[SSAValue],
        affine_map: AffineMapAttr,
        load_set: AffineSetAttr,
        load_order: AffineMapAttr,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[mem_ref, map_operands, None],
            result_types=[result_type],
            properties={"affine_map": affine_map, "load_set": load_set, "load_order": load_order},
        )

    def verify_(self) -> None:
        check_map_operands(self.affine_map, self.map_operands)
        check_rank(self.affine_map, self.mem_ref)

    @classmethod
    def parse(cls, parser: Parser) -> VectorLoadOp:
        memory = parser.parse_unresolved_operand()
        map, operands = parse_subscripts(parser)
        multicast = parse_multicast(parser, comma=False)
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 2)
        return cls.build(
            operands=[resolve(parser, [memory], types[:1])[0], operands, multicast],
            result_types=types[1:],
            properties={**properties, "affine_map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_access(printer, self.mem_ref, self.affine_map, self.map_operands)
        print_multicast(printer, self.multicast_info, comma=False)
        print_attributes(printer, self, hidden={"affine_map"})
        print_types(printer, [self.mem_ref.type, self.result.type])


@irdl_op_definition
class VectorStoreOp(DialectOp):
    """`agen.vector_store %v, %m[%r, 0] {store_order = #id2, store_set = #vec} : memref<2x64xf16>, vector<64xf16>`:
    write one vector.
    """

    name = "agen.vector_store"
    value = operand_def(VECTOR)
    mem_ref = operand_def(MemRefType)
    map_operands = var_operand_def(IndexType())
    affine_map = prop_def(AffineMapAttr)
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        mem_ref: SSAValue,
        map_operands: Sequence[SSAValue],
        affine_map: AffineMapAttr,
        store_set: AffineSetAttr,
        store_order: AffineMapAttr,
    ):
        super().__init__(
            operands=[value, mem_ref, map_operands],
            properties={"affine_map": affine_map, "store_set": store_set, "store_order": store_order},
        )

    def verify_(self) -> None:
        check_map_operands(self.affine_map, self.map_operands)
        check_rank(self.affine_map, self.mem_ref)

    @classmethod
    def parse(cls, parser: Parser) -> VectorStoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memory = parser.parse_unresolved_operand()
        map, operands = parse_subscripts(parser)
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 2)
        return cls.build(
            operands=[*resolve(parser, [value, memory], types[::-1]), operands],
            properties={**properties, "affine_map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        print_access(printer, self.mem_ref, self.affine_map, self.map_operands)
        print_attributes(printer, self, hidden={"affine_map"})
        print_types(printer, [self.mem_ref.type, self.value.type])


@irdl_op_definition
class CompositeLoadAndStoreOp(CompositeOp):
    """Memory-to-memory transfer: per time step load, run the region, store the loaded (or yielded) vector.

    ```
    agen.composite_load_and_store src:%m[%r, 0] dst:%n[0, %c] time_symbols(), load_iv(%w:vector<64xf16>)
      {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec,
       store_time_addr_map = #walk, time_order = #id, time_set = #steps}
    { agen.yield } : memref<4x64xf16>, memref<2x64xf16>
    ```
    """

    name = "agen.composite_load_and_store"
    src = operand_def(MemRefType)
    dst = operand_def(MemRefType)
    src_map_operands = var_operand_def(IndexType())
    dst_map_operands = var_operand_def(IndexType())
    time_symbols = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    src_map = prop_def(AffineMapAttr)
    dst_map = prop_def(AffineMapAttr)
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    time_set = prop_def(AffineSetAttr)
    time_order = prop_def(AffineMapAttr)
    load_time_addr_map = prop_def(AffineMapAttr)
    store_time_addr_map = prop_def(AffineMapAttr)
    dir = opt_prop_def(DirectionAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        src: SSAValue,
        src_map: AffineMapAttr,
        src_map_operands: Sequence[SSAValue],
        dst: SSAValue,
        dst_map: AffineMapAttr,
        dst_map_operands: Sequence[SSAValue],
        *,
        vector_type: Attribute,
        load_set: AffineSetAttr,
        load_order: AffineMapAttr,
        store_set: AffineSetAttr,
        store_order: AffineMapAttr,
        time_set: AffineSetAttr,
        time_order: AffineMapAttr,
        load_time_addr_map: AffineMapAttr,
        store_time_addr_map: AffineMapAttr,
        time_symbols: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[src, dst, src_map_operands, dst_map_operands, time_symbols, None],
            regions=[Region(Block(arg_types=[vector_type]))],
            properties={
                "src_map": src_map,
                "dst_map": dst_map,
                "load_set": load_set,
                "load_order": load_order,
                "store_set": store_set,
                "store_order": store_order,
                "time_set": time_set,
                "time_order": time_order,
                "load_time_addr_map": load_time_addr_map,
                "store_time_addr_map": store_time_addr_map,
            },
        )

    @property
    def load_iv(self) -> BlockArgument:
        """The loaded vector."""
        return self.body.block.args[0]

    def verify_(self) -> None:
        check_map_operands(self.src_map, self.src_map_operands)
        check_map_operands(self.dst_map, self.dst_map_operands)
        check_set_and_order(
            self.load_set, self.load_order, self.src_map, "load set and src array dimensions should match", "load"
        )
        check_set_and_order(
            self.store_set, self.store_order, self.dst_map, "store set and dst array dimensions should match", "store"
        )
        if len(self.body.block.args) != 1:
            raise VerifyException("expected a region with one argument")

    @classmethod
    def parse(cls, parser: Parser) -> CompositeLoadAndStoreOp:
        parse_keyed(parser, "src")
        src = parser.parse_unresolved_operand()
        src_map, src_operands = parse_subscripts(parser)
        parse_keyed(parser, "dst")
        dst = parser.parse_unresolved_operand()
        dst_map, dst_operands = parse_subscripts(parser)
        symbols = parse_time_symbols(parser)
        load_iv = parse_load_iv(parser, keyword=True)
        multicast = parse_multicast(parser, comma=True)
        properties, attributes = parse_attributes(parser, cls)
        body = parser.parse_region([load_iv])
        memories = resolve(parser, [src, dst], parse_types(parser, 2))
        return cls.build(
            operands=[*memories, src_operands, dst_operands, symbols, multicast],
            regions=[body],
            properties={**properties, "src_map": src_map, "dst_map": dst_map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" src:")
        print_access(printer, self.src, self.src_map, self.src_map_operands)
        printer.print_string(" dst:")
        print_access(printer, self.dst, self.dst_map, self.dst_map_operands)
        print_time_symbols(printer, self.time_symbols)
        print_load_iv(printer, self.load_iv, keyword=True)
        print_multicast(printer, self.multicast_info, comma=True)
        print_attributes(printer, self, hidden={"src_map", "dst_map"})
        print_body(printer, self.body)
        print_types(printer, [self.src.type, self.dst.type])


@irdl_op_definition
class CompositeLoadOp(CompositeOp):
    """Per time step load a vector and run the region on it.

    ```
    agen.composite_load %m[%r, 0] time_symbols(%c) (%w:vector<64xf16>)
      {load_order = #id2, load_set = #vec, time_addr_map = #walk, time_order = #id, time_set = #steps} {
      dataflow.send %u, %w : vector<64xf16>
      agen.yield
    } : memref<4x64xf16>
    ```
    """

    name = "agen.composite_load"
    mem_ref = operand_def(MemRefType)
    map_operands = var_operand_def(IndexType())
    time_symbols = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    affine_map = prop_def(AffineMapAttr)
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    time_set = prop_def(AffineSetAttr)
    time_order = prop_def(AffineMapAttr)
    time_addr_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        check_map_operands(self.affine_map, self.map_operands)
        check_set_and_order(
            self.load_set, self.load_order, self.affine_map, "load set and Array dimensions should match", "load"
        )

    @classmethod
    def parse(cls, parser: Parser) -> CompositeLoadOp:
        memory = parser.parse_unresolved_operand()
        map, operands = parse_subscripts(parser)
        symbols = parse_time_symbols(parser)
        load_iv = parse_load_iv(parser, keyword=False)
        properties, attributes = parse_attributes(parser, cls)
        body = parser.parse_region([load_iv])
        return cls.build(
            operands=[resolve(parser, [memory], parse_types(parser, 1))[0], operands, symbols, None],
            regions=[body],
            properties={**properties, "affine_map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_access(printer, self.mem_ref, self.affine_map, self.map_operands)
        print_time_symbols(printer, self.time_symbols)
        print_load_iv(printer, self.body.block.args[0], keyword=False)
        print_attributes(printer, self, hidden={"affine_map"})
        print_body(printer, self.body)
        print_types(printer, [self.mem_ref.type])


@irdl_op_definition
class CompositeStoreOp(DialectOp):
    """Per time step store the vector that the region yields, or the same input vector at every step.

    ```
    agen.composite_store %m[%r, 0] input_vector = %v time_symbols()
      {time_addr_map = #walk, time_order = #id, time_set = #steps} : memref<4x64xf16>, vector<64xf16>
    ```
    """

    name = "agen.composite_store"
    mem_ref = operand_def(MemRefType)
    map_operands = var_operand_def(IndexType())
    input_vector = opt_operand_def(VECTOR)
    time_symbols = var_operand_def(IndexType())
    affine_map = prop_def(AffineMapAttr)
    store_set = opt_prop_def(AffineSetAttr)
    store_order = opt_prop_def(AffineMapAttr)
    time_set = prop_def(AffineSetAttr)
    time_order = prop_def(AffineMapAttr)
    time_addr_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    body = opt_region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        check_map_operands(self.affine_map, self.map_operands)
        if self.input_vector is not None and self.body is not None:
            raise VerifyException("for composite_store, input_vector and region can't co-exist")
        has_set = self.store_set is not None and self.store_order is not None
        if has_set == (self.input_vector is not None):
            raise VerifyException("either store_set/order or input vector has to be present in composite store")

    @classmethod
    def parse(cls, parser: Parser) -> CompositeStoreOp:
        memory = parser.parse_unresolved_operand()
        map, operands = parse_subscripts(parser)
        vector: UnresolvedOperand | None = None
        if parser.parse_optional_keyword("input_vector") is not None:
            parser.parse_punctuation("=")
            vector = parser.parse_unresolved_operand()
        symbols = parse_time_symbols(parser)
        properties, attributes = parse_attributes(parser, cls)
        body = parser.parse_optional_region([])
        names = [memory] if vector is None else [memory, vector]
        resolved = resolve(parser, names, parse_types(parser, len(names)))
        if body is not None and body.block.last_op is None:
            body.block.add_op(YieldOp())
        return cls.build(
            operands=[resolved[0], operands, resolved[1:], symbols],
            regions=[[] if body is None else [body]],
            properties={**properties, "affine_map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_access(printer, self.mem_ref, self.affine_map, self.map_operands)
        if self.input_vector is not None:
            printer.print_string(" input_vector = ")
            printer.print_ssa_value(self.input_vector)
        print_time_symbols(printer, self.time_symbols)
        print_attributes(printer, self, hidden={"affine_map"})
        if self.body is not None:
            print_body(printer, self.body)
        vectors = [] if self.input_vector is None else [self.input_vector.type]
        print_types(printer, [self.mem_ref.type, *vectors])


@irdl_op_definition
class SymbolicVectorLoadOp(DialectOp):
    """Read one vector at `sum index_k * stride_k` of a flat view.

    ```
    %v = agen.symbolic_vector_load %m[indices : (%r, %c), strides : (%s, %t)]
      {load_order = #id, load_set = #line} : memref<256xf16>, vector<64xf16>
    ```
    """

    name = "agen.symbolic_vector_load"
    mem_ref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    num_indices = prop_def(IntegerAttr)
    num_strides = prop_def(IntegerAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    result = result_def(VECTOR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        _check_symbolic(self.mem_ref, self.result.type, self.indices, self.strides)

    @classmethod
    def parse(cls, parser: Parser) -> SymbolicVectorLoadOp:
        memory = parser.parse_unresolved_operand()
        indices, strides = _parse_symbolic(parser)
        multicast = None
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_keyword("multicast_info")
            parser.parse_punctuation("(")
            multicast = parser.parse_operand(IndexType())
            parser.parse_punctuation(")")
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 2)
        return cls.build(
            operands=[resolve(parser, [memory], types[:1])[0], indices, strides, multicast],
            result_types=types[1:],
            properties={**properties, **_counts(indices, strides)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mem_ref)
        _print_symbolic(printer, self.indices, self.strides)
        if self.multicast_info is not None:
            printer.print_string(", multicast_info(")
            printer.print_ssa_value(self.multicast_info)
            printer.print_string(")")
        print_attributes(printer, self, hidden={"num_indices", "num_strides"})
        print_types(printer, [self.mem_ref.type, self.result.type])


@irdl_op_definition
class SymbolicVectorStoreOp(DialectOp):
    """Write one vector at `sum index_k * stride_k` of a flat view.

    ```
    agen.symbolic_vector_store %v, %m[indices : (%r), strides : (%s)]
      {store_order = #id, store_set = #line} : memref<256xf16>, vector<64xf16>
    ```
    """

    name = "agen.symbolic_vector_store"
    value = operand_def(VECTOR)
    mem_ref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    num_indices = prop_def(IntegerAttr)
    num_strides = prop_def(IntegerAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _check_symbolic(self.mem_ref, self.value.type, self.indices, self.strides)

    @classmethod
    def parse(cls, parser: Parser) -> SymbolicVectorStoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memory = parser.parse_unresolved_operand()
        indices, strides = _parse_symbolic(parser)
        properties, attributes = parse_attributes(parser, cls)
        types = parse_types(parser, 2)
        return cls.build(
            operands=[*resolve(parser, [value, memory], types[::-1]), indices, strides],
            properties={**properties, **_counts(indices, strides)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.mem_ref)
        _print_symbolic(printer, self.indices, self.strides)
        print_attributes(printer, self, hidden={"num_indices", "num_strides"})
        print_types(printer, [self.mem_ref.type, self.value.type])


def _counts(indices: Sequence[SSAValue], strides: Sequence[SSAValue]) -> dict[str, Attribute]:
    return {"num_indices": IntegerAttr(len(indices), i32), "num_strides": IntegerAttr(len(strides), i32)}


def _parse_symbolic(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """Parse `[indices : (%i,+), strides : (%s,+)]`."""
    parser.parse_punctuation("[")
    parse_keyed(parser, "indices")
    indices = parse_index_list(parser)
    parser.parse_punctuation(",")
    parse_keyed(parser, "strides")
    strides = parse_index_list(parser)
    parser.parse_punctuation("]")
    return indices, strides


def _print_symbolic(printer: Printer, indices: Sequence[SSAValue], strides: Sequence[SSAValue]) -> None:
    printer.print_string("[indices : (")
    printer.print_list(indices, printer.print_ssa_value)
    printer.print_string("), strides : (")
    printer.print_list(strides, printer.print_ssa_value)
    printer.print_string(")]")


def _check_symbolic(
    memory: SSAValue, vector: Attribute, indices: Sequence[SSAValue], strides: Sequence[SSAValue]
) -> None:
    from headrace.ir.dialects.dataflow import GetLogicalMemoryViewOp
    from headrace.ir.dialects.vectorchain import element_type

    kind = memory.type
    if not isinstance(kind, MemRefType) or len(kind.get_shape()) != 1:
        raise VerifyException("expected a 1-D memref")
    view = memory.owner
    if not isinstance(view, GetLogicalMemoryViewOp):
        raise VerifyException("memref must be defined by dataflow.get_logical_memory_view")
    if view.layout_map.data != AffineMap.identity(1):
        raise VerifyException("the view's layout map must be the identity")
    if element_type(vector) != kind.element_type:
        raise VerifyException("element types of memref and vector differ")
    if not indices:
        raise VerifyException("expected at least one index")
    if len(indices) != len(strides):
        raise VerifyException(f"expected as many strides as indices, but got {len(strides)} and {len(indices)}")


@irdl_op_definition
class CompositeMemoryInterleaveOp(DialectOp):
    """`agen.composite_memory_interleave {granularity = 64 : i32} { ... }`:
    interleaves the composite memory ops of its region in bursts of `granularity` elements.
    """

    name = "agen.composite_memory_interleave"
    granularity = opt_prop_def(IntegerAttr.constr(i32))
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> CompositeMemoryInterleaveOp:
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(regions=[parser.parse_region([])], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, keep_empty=True)
        print_body(printer, self.body)


Agen = Dialect(
    "agen",
    [
        YieldOp,
        VectorLoadOp,
        VectorStoreOp,
        CompositeLoadAndStoreOp,
        CompositeLoadOp,
        CompositeStoreOp,
        IndirectVectorLoadOp,
        IndirectVectorStoreOp,
        CompositeIndirectLoadOp,
        CompositeIndirectStoreOp,
        CompositeIndirectLoadAndStoreOp,
        SymbolicVectorLoadOp,
        SymbolicVectorStoreOp,
        CompositeMemoryInterleaveOp,
        SetTransferMaskStateOp,
    ],
    [DirectionAttr],
)
