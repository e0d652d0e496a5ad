"""Indirect accesses and transfer masks of the `agen` dialect.

The value read from the indirect memory at its subscripts gives the base address of the direct access.
"""

from __future__ import annotations

import re
from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._agen_syntax import (
    CompositeOp,
    check_map_operands,
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
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types, resolve
from headrace.ir.dialects.dataflow import VECTOR
from headrace.ir.subscripts import parse_subscripts

Access = tuple[UnresolvedOperand, AffineMapAttr, list[SSAValue]]


def _parse_access(parser: Parser, keyword: str) -> Access:
    """Parse `keyword : %m SUBS`."""
    parse_keyed(parser, keyword)
    memory = parser.parse_unresolved_operand()
    map, operands = parse_subscripts(parser)
    return memory, map, list(operands)


def _parse_optional_access(parser: Parser, keyword: str) -> Access | None:
    if parser.parse_optional_keyword(keyword) is None:
        return None
    parser.parse_punctuation(":")
    memory = parser.parse_unresolved_operand()
    map, operands = parse_subscripts(parser)
    return memory, map, list(operands)


def _print_keyed_access(printer: Printer, keyword: str, memory: SSAValue, map: AffineMapAttr, operands) -> None:
    printer.print_string(f" {keyword}:")
    print_access(printer, memory, map, operands)


def _check_vector_set(parser: Parser, properties: dict, what: str, map: AffineMapAttr, side: str = "") -> None:
    """The checks that belong to parsing: set and order exist and agree with the direct map."""
    points, order = properties.get(f"{what}_set"), properties.get(f"{what}_order")
    if not isinstance(points, AffineSetAttr):
        parser.raise_error(f"{what} set is missing in the operation")
    if not isinstance(order, AffineMapAttr):
        parser.raise_error(f"{what} order is missing in the operation")
    if points.data.num_dims < len(map.data.results):
        parser.raise_error(f"{what} set and direct {side}array dimensions should match")
    if points.data.num_dims != order.data.num_dims:
        parser.raise_error(f"{what} set and order dimensions should match")


class _IndirectOp(DialectOp):
    """One indirect and one direct memory."""

    indirect = operand_def(MemRefType)
    direct = operand_def(MemRefType)
    indirect_map_operands = var_operand_def(IndexType())
    direct_map_operands = var_operand_def(IndexType())
    indirect_map = prop_def(AffineMapAttr)
    direct_map = prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")

    def verify_(self) -> None:
        check_map_operands(self.indirect_map, self.indirect_map_operands)
        check_map_operands(self.direct_map, self.direct_map_operands)

    def print_accesses(self, printer: Printer) -> None:
        """Print both accesses."""
        _print_keyed_access(printer, "indirect", self.indirect, self.indirect_map, self.indirect_map_operands)
        _print_keyed_access(printer, "direct", self.direct, self.direct_map, self.direct_map_operands)


_MAPS = frozenset({"indirect_map", "direct_map"})


@irdl_op_definition
class IndirectVectorLoadOp(_IndirectOp):
    """Read one vector of the direct memory.

    ```
    %x = agen.indirect_vector_load indirect:%i[%r, 0] direct:%m[0, 0]
      {load_order = #id2, load_set = #vec} : memref<4x64xi32>, memref<4x64xf16>, vector<64xf16>
    ```
    """

    name = "agen.indirect_vector_load"
    indirect = operand_def(MemRefType)
    direct = operand_def(MemRefType)
    indirect_map_operands = var_operand_def(IndexType())
    direct_map_operands = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    result = result_def(VECTOR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    @classmethod
    def parse(cls, parser: Parser) -> IndirectVectorLoadOp:
        indirect, indirect_map, indirect_operands = _parse_access(parser, "indirect")
        direct, direct_map, direct_operands = _parse_access(parser, "direct")
        multicast = parse_multicast(parser, comma=False)
        properties, attributes = parse_attributes(parser, cls)
        _check_vector_set(parser, properties, "load", direct_map)
        types = parse_types(parser, 3)
        return cls.build(
            operands=[*resolve(parser, [indirect, direct], types[:2]), indirect_operands, direct_operands, multicast],
            result_types=types[2:],
            properties={**properties, "indirect_map": indirect_map, "direct_map": direct_map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        self.print_accesses(printer)
        print_multicast(printer, self.multicast_info, comma=False)
        print_attributes(printer, self, hidden=_MAPS)
        print_types(printer, [self.indirect.type, self.direct.type, self.result.type])


@irdl_op_definition
class IndirectVectorStoreOp(_IndirectOp):
    """Write one vector to the direct memory.

    ```
    agen.indirect_vector_store %x indirect:%i[%r, 0] direct:%m[0, 0]
      {store_order = #id2, store_set = #vec} : vector<64xf16>, memref<4x64xi32>, memref<4x64xf16>
    ```
    """

    name = "agen.indirect_vector_store"
    value = operand_def(VECTOR)
    indirect = operand_def(MemRefType)
    direct = operand_def(MemRefType)
    indirect_map_operands = var_operand_def(IndexType())
    direct_map_operands = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> IndirectVectorStoreOp:
        value = parser.parse_unresolved_operand()
        indirect, indirect_map, indirect_operands = _parse_access(parser, "indirect")
        direct, direct_map, direct_operands = _parse_access(parser, "direct")
        multicast = parse_multicast(parser, comma=False)
        properties, attributes = parse_attributes(parser, cls)
        _check_vector_set(parser, properties, "store", direct_map)
        operands = resolve(parser, [value, indirect, direct], parse_types(parser, 3))
        return cls.build(
            operands=[*operands, indirect_operands, direct_operands, multicast],
            properties={**properties, "indirect_map": indirect_map, "direct_map": direct_map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        self.print_accesses(printer)
        print_multicast(printer, self.multicast_info, comma=False)
        print_attributes(printer, self, hidden=_MAPS)
        print_types(printer, [self.value.type, self.indirect.type, self.direct.type])


class _CompositeIndirectOp(_IndirectOp, CompositeOp):
    """Composite access through an indirect memory, in one direction."""

    KEYWORD: ClassVar[str] = "load"

    multicast_info = opt_operand_def(IndexType())
    time_symbols = var_operand_def(IndexType())
    time_set = prop_def(AffineSetAttr)
    time_order = prop_def(AffineMapAttr)
    time_addr_map = prop_def(AffineMapAttr)
    body = region_def("single_block")

    @classmethod
    def parse(cls, parser: Parser):
        indirect, indirect_map, indirect_operands = _parse_access(parser, "indirect")
        direct, direct_map, direct_operands = _parse_access(parser, "direct")
        multicast = parse_multicast(parser, comma=False)
        symbols = parse_time_symbols(parser)
        arguments = [parse_load_iv(parser, keyword=True)] if cls.KEYWORD == "load" else []
        properties, attributes = parse_attributes(parser, cls)
        _check_vector_set(parser, properties, cls.KEYWORD, direct_map)
        body = parser.parse_region(arguments)
        memories = resolve(parser, [indirect, direct], parse_types(parser, 2))
        groups = {
            "indirect": memories[:1],
            "direct": memories[1:],
            "indirect_map_operands": indirect_operands,
            "direct_map_operands": direct_operands,
            "multicast_info": [] if multicast is None else [multicast],
            "time_symbols": symbols,
        }
        return cls.build(
            operands=[groups[name] for name, _ in cls.get_irdl_definition().operands],
            regions=[body],
            properties={**properties, "indirect_map": indirect_map, "direct_map": direct_map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        self.print_accesses(printer)
        print_multicast(printer, self.multicast_info, comma=False)
        print_time_symbols(printer, self.time_symbols)
        if self.KEYWORD == "load":
            print_load_iv(printer, self.body.block.args[0], keyword=True)
        print_attributes(printer, self, hidden=_MAPS)
        print_body(printer, self.body)
        print_types(printer, [self.indirect.type, self.direct.type])


@irdl_op_definition
class CompositeIndirectLoadOp(_CompositeIndirectOp):
    """Per time step load a vector of the direct memory and run the region on it.

    ```
    agen.composite_indirect_load indirect:%i[%r, 0] direct:%m[0, 0] time_symbols(), load_iv(%w:vector<64xf16>)
      {load_order = #id2, load_set = #vec, time_addr_map = #walk, time_order = #id, time_set = #steps} {
      agen.yield
    } : memref<4x64xi32>, memref<4x64xf16>
    ```
    """

    name = "agen.composite_indirect_load"
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class CompositeIndirectStoreOp(_CompositeIndirectOp):
    """Per time step store the vector the region yields to the direct memory.

    ```
    agen.composite_indirect_store indirect:%i[%r, 0] direct:%m[0, 0] time_symbols()
      {store_order = #id2, store_set = #vec, time_addr_map = #walk, time_order = #id, time_set = #steps} {
      agen.yield %v : vector<64xf16>
    } : memref<4x64xi32>, memref<4x64xf16>
    ```
    """

    name = "agen.composite_indirect_store"
    KEYWORD: ClassVar[str] = "store"
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class CompositeIndirectLoadAndStoreOp(CompositeOp):
    """Memory-to-memory transfer with an indirect source, destination or both.

    ```
    agen.composite_indirect_load_and_store indirect_src:%i[%r, 0] direct_src:%m[0, 0] direct_dst:%n[0, 0]
      time_symbols(), load_iv(%w:vector<64xf16>)
      {load_order = #id2, load_set = #vec, load_direct_time_addr_map = #walk, store_order = #id2, store_set = #vec,
       store_direct_time_addr_map = #walk, time_order = #id, time_set = #steps}
    { agen.yield } : memref<4x64xi32>, memref<4x64xf16>, memref<2x64xf16>
    ```
    """

    name = "agen.composite_indirect_load_and_store"
    indirect_src = opt_operand_def(MemRefType)
    direct_src = operand_def(MemRefType)
    indirect_dst = opt_operand_def(MemRefType)
    direct_dst = operand_def(MemRefType)
    indirect_src_map_operands = var_operand_def(IndexType())
    direct_src_map_operands = var_operand_def(IndexType())
    indirect_dst_map_operands = var_operand_def(IndexType())
    direct_dst_map_operands = var_operand_def(IndexType())
    time_symbols = var_operand_def(IndexType())
    multicast_info = opt_operand_def(IndexType())
    indirect_src_map = opt_prop_def(AffineMapAttr)
    direct_src_map = prop_def(AffineMapAttr)
    indirect_dst_map = opt_prop_def(AffineMapAttr)
    direct_dst_map = prop_def(AffineMapAttr)
    load_set = prop_def(AffineSetAttr)
    load_order = prop_def(AffineMapAttr)
    store_set = prop_def(AffineSetAttr)
    store_order = prop_def(AffineMapAttr)
    time_set = prop_def(AffineSetAttr)
    time_order = prop_def(AffineMapAttr)
    load_direct_time_addr_map = prop_def(AffineMapAttr)
    store_direct_time_addr_map = prop_def(AffineMapAttr)
    load_indirect_time_addr_map = opt_prop_def(AffineMapAttr)
    store_indirect_time_addr_map = opt_prop_def(AffineMapAttr)
    dbg_name = opt_prop_def(StringAttr, prop_name="dbgName")
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        check_map_operands(self.direct_src_map, self.direct_src_map_operands)
        check_map_operands(self.direct_dst_map, self.direct_dst_map_operands)

    @classmethod
    def parse(cls, parser: Parser) -> CompositeIndirectLoadAndStoreOp:
        accesses = {
            "indirect_src": _parse_optional_access(parser, "indirect_src"),
            "direct_src": _parse_access(parser, "direct_src"),
            "indirect_dst": _parse_optional_access(parser, "indirect_dst"),
            "direct_dst": _parse_access(parser, "direct_dst"),
        }
        multicast = parse_multicast(parser, comma=False)
        symbols = parse_time_symbols(parser)
        load_iv = parse_load_iv(parser, keyword=True)
        properties, attributes = parse_attributes(parser, cls)
        for what, side in (("load", "src"), ("store", "dst")):
            access = accesses[f"direct_{side}"]
            assert access is not None
            _check_vector_set(parser, properties, what, access[1], f"{side} ")
        body = parser.parse_region([load_iv])
        present = {key: access for key, access in accesses.items() if access is not None}
        types = parse_types(parser, len(present))
        memories = {
            key: parser.resolve_operand(access[0], kind)
            for (key, access), kind in zip(present.items(), types, strict=True)
        }
        return cls.build(
            operands=[
                *([memories[key]] if key in memories else [] for key in accesses),
                *(present[key][2] if key in present else [] for key in accesses),
                symbols,
                [] if multicast is None else [multicast],
            ],
            regions=[body],
            properties={**properties, **{f"{key}_map": access[1] for key, access in present.items()}},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        memories: list[SSAValue] = []
        for key in ("indirect_src", "direct_src", "indirect_dst", "direct_dst"):
            memory, map = getattr(self, key), getattr(self, f"{key}_map")
            if memory is not None:
                _print_keyed_access(printer, key, memory, map, getattr(self, f"{key}_map_operands"))
                memories.append(memory)
        print_multicast(printer, self.multicast_info, comma=False)
        print_time_symbols(printer, self.time_symbols)
        print_load_iv(printer, self.body.block.args[0], keyword=True)
        hidden = {"indirect_src_map", "direct_src_map", "indirect_dst_map", "direct_dst_map"}
        print_attributes(printer, self, hidden=hidden)
        print_body(printer, self.body)
        print_types(printer, [memory.type for memory in memories])


_MASK = re.compile(r"\(unmasked\s*=\s*(\d+)\s*,\s*masked\s*=\s*(\d+)\s*\)")
_MASK_ARRAYS = ("num_unmasked_elements", "num_masked_elements")


@irdl_op_definition
class SetTransferMaskStateOp(DialectOp):
    """Set the mask of the executing unit's transfers and the value that replaces masked elements.

    ```
    %k = agen.set_transfer_mask_state mask_value(%r)
      {maskA = "(unmasked = 4, masked = 4)", num_slices = 2 : i32, slice_mask_map = "(0)(A)"} : index, vector<64xf16>
    ```
    """

    name = "agen.set_transfer_mask_state"
    mask_value = operand_def(IndexType())
    num_slices = prop_def(IntegerAttr.constr(i32))
    slice_mask_map = prop_def(StringAttr)
    num_unmasked_elements = opt_prop_def(DenseArrayBase)
    num_masked_elements = opt_prop_def(DenseArrayBase)
    result = result_def(VECTOR)

    def verify_(self) -> None:
        unmasked, masked = self.num_unmasked_elements, self.num_masked_elements
        if (unmasked is None) != (masked is None):
            raise VerifyException("masked and unmasked element counts must both be present or both absent")
        if unmasked is not None and masked is not None and len(unmasked) != len(masked):
            raise VerifyException("masked and unmasked element counts must have equal lengths")

    @classmethod
    def parse(cls, parser: Parser) -> SetTransferMaskStateOp:
        parser.parse_keyword("mask_value")
        parser.parse_punctuation("(")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(")")
        properties, attributes = parse_attributes(parser, cls)
        letters = sorted(key for key in attributes if re.fullmatch(r"mask[A-Z]", key))
        if letters:
            counts: list[tuple[int, int]] = []
            for key in letters:
                text = attributes.pop(key)
                match = _MASK.fullmatch(text.data.strip()) if isinstance(text, StringAttr) else None
                if match is None:
                    parser.raise_error(f"'{key}' must be a string \"(unmasked = U, masked = K)\"")
                counts.append((int(match[1]), int(match[2])))
            for name, column in zip(_MASK_ARRAYS, zip(*counts, strict=True), strict=True):
                properties[name] = DenseArrayBase.from_list(i32, column)
        types = parse_types(parser, 2)
        return cls.build(
            operands=resolve(parser, [value], types[:1]),
            result_types=types[1:],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" mask_value(")
        printer.print_ssa_value(self.mask_value)
        printer.print_string(")")
        shown = {key: value for key, value in {**self.properties, **self.attributes}.items() if key not in _MASK_ARRAYS}
        if self.num_unmasked_elements is not None and self.num_masked_elements is not None:
            pairs = zip(self.num_unmasked_elements.get_values(), self.num_masked_elements.get_values(), strict=True)  # pyright: ignore
            for position, (unmasked, masked) in enumerate(pairs):
                shown[f"mask{chr(ord('A') + position)}"] = StringAttr(f"(unmasked = {unmasked}, masked = {masked})")
        printer.print_string(" ")
        printer.print_attr_dict({key: shown[key] for key in sorted(shown)})
        print_types(printer, [self.mask_value.type, self.result.type])
