"""Operations of `memref` that xDSL lacks: prefetch, realloc, reshape, generic atomic updates, DMA in MLIR's text."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
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
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, Pure, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, printer_for, verifier_for

index = IndexType()


def check_indices(kind: Attribute, indices: Any) -> None:
    """One index for each dimension of a memref."""
    if isinstance(kind, MemRefType) and len(indices) != len(kind.get_shape()):
        raise VerifyException(
            f"expects the number of indices to be the rank of the memref, {len(kind.get_shape())}, but got "
            f"{len(indices)}"
        )


def _access(parser: Any) -> tuple[Any, list[SSAValue]]:
    """`%m[%i, %j]`: the unresolved memref and its indices."""
    target = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(index))
    return target, indices


def _print_access(printer: Any, target: SSAValue, indices: Any) -> None:
    printer.print_ssa_value(target)
    printer.print_string("[")
    printer.print_list(indices, printer.print_ssa_value)
    printer.print_string("]")


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`memref.prefetch %m[%i], read, locality<3>, data : memref<8xf32>`: a hint that an element is used soon."""

    name = "memref.prefetch"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    isWrite = prop_def(BoolAttr)
    localityHint = prop_def(IntegerAttr.constr(i32))
    isDataCache = prop_def(BoolAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        if len(self.indices) != len(self.memref.type.get_shape()):  # pyright: ignore[reportAttributeAccessIssue]
            raise VerifyException("too few indices")
        if not 0 <= self.localityHint.value.data <= 3:
            raise VerifyException(
                "attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose "
                "minimum value is 0 whose maximum value is 3"
            )

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        target, indices = _access(parser)
        parser.parse_punctuation(",")
        at = parser.pos
        mode = parser.parse_identifier()
        if mode not in ("read", "write"):
            parser.raise_error("rw specifier has to be 'read' or 'write'", at)
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        parser.parse_punctuation("<")
        hint = parser.parse_integer()
        parser.parse_punctuation(">")
        parser.parse_punctuation(",")
        at = parser.pos
        cache = parser.parse_identifier()
        if cache not in ("data", "instr"):
            parser.raise_error("cache type has to be 'data' or 'instr'", at)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(target, kind), *indices],
            properties={
                "isWrite": BoolAttr.from_bool(mode == "write"),
                "localityHint": IntegerAttr(hint, i32),
                "isDataCache": BoolAttr.from_bool(cache == "data"),
            },
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        _print_access(printer, self.memref, self.indices)
        printer.print_string(", write" if self.isWrite.value.data else ", read")
        printer.print_string(f", locality<{self.localityHint.value.data}>")
        printer.print_string(", data" if self.isDataCache.value.data else ", instr")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %v : f32`: the new value of the element; ends `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"
    result = operand_def()
    assembly_format = "$result attr-dict `:` type($result)"
    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        parent = self.parent_op()
        if not isinstance(parent, GenericAtomicRMWOp):
            raise VerifyException("expects parent op 'memref.generic_atomic_rmw'")
        wanted = parent.results[0].type
        if self.result.type != wanted:
            raise VerifyException(f"types mismatch between yield op: '{self.result.type}' and its parent: '{wanted}'")


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """An atomic update of one element by a region from its old value to the new one.

    ```
    %r = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
    ^bb0(%old: f32):
      memref.atomic_yield %old : f32
    }
    ```
    """

    name = "memref.generic_atomic_rmw"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def()
    body = region_def("single_block")
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        kind = self.memref.type
        check_indices(kind, self.indices)
        wanted = kind.element_type  # pyright: ignore[reportAttributeAccessIssue]
        if [arg.type for arg in self.body.block.args] != [wanted]:
            raise VerifyException("expected single number of entry block arguments of the memref's element type")
        if self.result.type != wanted:
            raise VerifyException(f"expected the result to be '{wanted}', but it is '{self.result.type}'")
        if any(not is_side_effect_free(op) for op in self.body.block.ops):
            raise VerifyException(
                "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects"
            )

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        target, indices = _access(parser)
        parser.parse_punctuation(":")
        at = parser.pos
        kind = parser.parse_type()
        if not isinstance(kind, MemRefType):
            parser.raise_error("expected a memref type", at)
        body = parser.parse_region()
        return cls.create(
            operands=[parser.resolve_operand(target, kind), *indices],
            result_types=[kind.element_type],
            attributes=parser.parse_optional_attr_dict(),
            regions=[body],
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        _print_access(printer, self.memref, self.indices)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """`%r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>`: a buffer of another size, the old one is gone."""

    name = "memref.realloc"
    source = operand_def(MemRefType)
    dynamicResultSize = opt_operand_def(IndexType)
    result = result_def(MemRefType)
    alignment = opt_prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        source: Any = self.source.type
        result: Any = self.result.type
        if len(source.get_shape()) != 1 or len(result.get_shape()) != 1:
            raise VerifyException("operand and result must be 1D memrefs")
        if source.memory_space != result.memory_space:
            raise VerifyException(f"different memory spaces specified for source memref type ({source})")
        if source.element_type != result.element_type:
            raise VerifyException(f"different element types specified for source memref type ({source})")
        dynamic = result.get_shape()[0] == DYNAMIC_INDEX
        if dynamic and self.dynamicResultSize is None:
            raise VerifyException(f"missing dimension operand for result type {result}")
        if not dynamic and self.dynamicResultSize is not None:
            raise VerifyException(f"unnecessary dimension operand for result type {result}")


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """`%r = memref.reshape %m(%s) : (memref<8xf32>, memref<2xindex>) -> memref<2x4xf32>`: another shape for the same
    contiguous elements.
    """

    name = "memref.reshape"
    source = operand_def(MemRefType | UnrankedMemRefType)
    shape = operand_def(MemRefType)
    result = result_def(MemRefType | UnrankedMemRefType)
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source: Any = self.source.type
        shape: Any = self.shape.type
        result: Any = self.result.type
        if len(shape.get_shape()) != 1 or not isinstance(shape.element_type, IndexType | IntegerType):
            raise VerifyException(
                f"operand #1 must be 1D memref of signless integer or index values, but got '{shape}'"
            )
        if source.element_type != result.element_type:
            raise VerifyException("element types of source and destination memref types should be the same")
        for what, kind in (("source", source), ("result", result)):
            if isinstance(kind, MemRefType) and not isinstance(kind.layout, NoneAttr):
                raise VerifyException(f"{what} memref type should have identity affine map")
        if isinstance(result, MemRefType):
            length = shape.get_shape()[0]
            if length == DYNAMIC_INDEX:
                raise VerifyException(
                    "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
                )
            if length != len(result.get_shape()):
                raise VerifyException("length of shape operand differs from the result's memref rank")


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """`%a, %b = memref.distinct_objects %x, %y : memref<4xf32>, memref<4xf32>`: a promise that they do not overlap."""

    name = "memref.distinct_objects"
    inputs = var_operand_def(MemRefType | UnrankedMemRefType)
    results_ = var_result_def(MemRefType | UnrankedMemRefType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not self.inputs:
            raise VerifyException("expected at least one operand")
        if [v.type for v in self.inputs] != list(self.result_types):
            raise VerifyException("expected operand types and result types to match")

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        at = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=parser.resolve_operands(operands, kinds, at), result_types=kinds, attributes=attributes
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_list(self.inputs, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)


# ---- DMA ------------------------------------------------------------------------------------------------------------


def _take_memref(values: list[SSAValue], what: str) -> tuple[SSAValue, list[SSAValue]]:
    """The first value, a memref, and the indices that follow it; both leave the list."""
    if not values or not isinstance(values[0].type, MemRefType):
        raise VerifyException(f"expected {what} to be of memref type")
    target = values.pop(0)
    rank = len(target.type.get_shape())  # pyright: ignore[reportAttributeAccessIssue]
    if len(values) < rank:
        raise VerifyException(f"expected {rank} {what} indices, but got {len(values)}")
    indices = [values.pop(0) for _ in range(rank)]
    if any(v.type != index for v in indices):
        raise VerifyException(f"expected {what} indices to be of index type")
    return target, indices


@irdl_op_definition
class DmaStartOp(IRDLOperation):
    """`memref.dma_start %a[%i], %b[%j], %n, %t[%k] : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>`: begin a copy.

    MLIR keeps the operands in one list, the ranks of the memrefs tell them apart; a stride and the elements per stride
    may follow.
    """

    name = "memref.dma_start"
    arguments = var_operand_def()
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def parts(self) -> tuple[list[tuple[SSAValue, list[SSAValue]]], list[SSAValue]]:
        """(source, destination, tag) with their indices; the number of elements and the two stride operands."""
        values = list(self.operands)
        accesses = [_take_memref(values, "source"), _take_memref(values, "destination")]
        if not values or values[0].type != index:
            raise VerifyException("expected num elements to be of index type")
        numbers = [values.pop(0)]
        accesses.append(_take_memref(values, "tag"))
        if len(values) not in (0, 2):
            raise VerifyException("incorrect number of operands")
        if any(v.type != index for v in values):
            raise VerifyException("expected stride and num elements per stride to be of type index")
        return accesses, [*numbers, *values]

    def verify_(self) -> None:
        self.parts()

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        accesses = [_access(parser)]
        parser.parse_punctuation(",")
        accesses.append(_access(parser))
        parser.parse_punctuation(",")
        count = parser.parse_operand(index)
        parser.parse_punctuation(",")
        accesses.append(_access(parser))
        stride: list[SSAValue] = []
        while parser.parse_optional_punctuation(",") is not None:
            stride.append(parser.parse_operand(index))
        at = parser.pos
        if len(stride) not in (0, 2):
            parser.raise_error("expected two stride related operands", at)
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        if len(kinds) != 3:
            parser.raise_error("fewer/more types expected", at)
        found = [
            (parser.resolve_operand(target, kind), indices)
            for (target, indices), kind in zip(accesses, kinds, strict=True)
        ]
        (a, ai), (b, bi), (t, ti) = found
        return cls.create(operands=[a, *ai, b, *bi, count, t, *ti, *stride])

    def print(self, printer: Any) -> None:
        (source, target, tag), (count, *stride) = self.parts()
        printer.print_string(" ")
        _print_access(printer, *source)
        printer.print_string(", ")
        _print_access(printer, *target)
        printer.print_string(", ")
        printer.print_ssa_value(count)
        printer.print_string(", ")
        _print_access(printer, *tag)
        for value in stride:
            printer.print_string(", ")
            printer.print_ssa_value(value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([source[0].type, target[0].type, tag[0].type], printer.print_attribute)


@verifier_for(memref.DmaWaitOp)
def _verify_wait(op: Any) -> None:
    values = list(op.operands)
    _take_memref(values, "tag")
    if len(values) != 1 or values[0].type != index:
        raise VerifyException("expected one number of elements of index type after the tag indices")


# ---- what xDSL checks too strictly ----------------------------------------------------------------------------------


@parser_for(memref.LoadOp, memref.StoreOp)
def _parse_access(parser: Any, cls: Any) -> Operation:
    value = None
    if cls is memref.StoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
    target, indices = _access(parser)
    attributes = parser.parse_optional_attr_dict()
    properties = {key: attributes.pop(key) for key in ("nontemporal", "alignment") if key in attributes}
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, MemRefType):
        parser.raise_error(f"expected a memref type, but got '{kind}'", at)
    operands = [parser.resolve_operand(target, kind), *indices]
    if value is not None:
        operands.insert(0, parser.resolve_operand(value, kind.element_type))
    return cls.create(
        operands=operands,
        result_types=[kind.element_type] if value is None else [],
        properties=properties,
        attributes=attributes,
    )


@printer_for(memref.LoadOp, memref.StoreOp)
def _print_load_store(op: Any, printer: Any) -> None:
    printer.print_string(" ")
    operands = list(op.operands)
    if op.name == "memref.store":
        printer.print_ssa_value(operands.pop(0))
        printer.print_string(", ")
    _print_access(printer, operands[0], operands[1:])
    shown = {**op.properties, **op.attributes}
    if getattr(getattr(shown.get("nontemporal"), "value", None), "data", 1) == 0:
        del shown["nontemporal"]
    printer.print_op_attributes(shown)
    printer.print_string(" : ")
    printer.print_attribute(operands[0].type)


@verifier_for(memref.LoadOp, memref.StoreOp)
def _verify_load_store(op: Any) -> None:
    operands = list(op.operands)
    load = op.name == "memref.load"
    if len(operands) < (1 if load else 2) or len(op.results) != int(load):
        raise VerifyException("expected a memref, its indices and a value")
    value = op.results[0] if load else operands.pop(0)
    kind = operands[0].type
    if not isinstance(kind, MemRefType):
        raise VerifyException(f"operand #{0 if load else 1} must be memref of any type values, but got '{kind}'")
    if value.type != kind.element_type:
        what = "result type matches" if load else "type of 'value' matches"
        raise VerifyException(f"failed to verify that {what} element type of 'memref'")
    indices = operands[1:]
    if len(indices) != len(kind.get_shape()):
        if load:
            raise VerifyException(
                f"incorrect number of indices for load, expected {len(kind.get_shape())} but got {len(indices)}"
            )
        raise VerifyException(f"store index operand count not equal to memref rank: {len(kind.get_shape())}")
    for position, item in enumerate(indices):
        if item.type != index:
            raise VerifyException(
                f"operand #{position + (1 if load else 2)} must be variadic of index, but got '{item.type}'"
            )


MEMORY = [PrefetchOp, AtomicYieldOp, GenericAtomicRMWOp, ReallocOp, ReshapeOp, DistinctObjectsOp, DmaStartOp]
