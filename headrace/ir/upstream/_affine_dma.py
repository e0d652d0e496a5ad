"""`affine.dma_start` and `affine.dma_wait`: copies between memories with affine subscripts."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def, var_operand_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from headrace.ir.subscripts import parse_subscripts, print_subscripts
from headrace.ir.upstream._affine_scope import is_dim, is_symbol

_INDEX = IndexType()


class _Dma(IRDLOperation):
    """Memrefs, each followed by the operands of its map, then plain indices, all in one list."""

    def accesses(self) -> tuple[list[tuple[SSAValue, AffineMapAttr, list[SSAValue]]], list[SSAValue]]:
        """(memref, map, operands of the map) in order, and the operands after them."""
        rest = list(self.operands)
        found: list[tuple[SSAValue, AffineMapAttr, list[SSAValue]]] = []
        for key in self.maps():
            what = {"src_map": "source", "dst_map": "destination", "tag_map": "tag"}[key]
            if not rest or not isinstance(kind := rest[0].type, MemRefType):
                raise VerifyException(f"expected DMA {what} to be of memref type")
            target = rest.pop(0)
            at: Any = self.properties[key]
            count = at.data.num_dims + at.data.num_symbols
            if len(rest) < count:
                raise VerifyException("incorrect number of operands")
            if len(at.data.results) != len(kind.get_shape()):
                raise VerifyException(f"the map of the {what} has {len(at.data.results)} results for '{kind}'")
            indices, rest = rest[:count], rest[count:]
            for index in indices:
                if index.type != _INDEX:
                    raise VerifyException(f"{key.removesuffix('_map')} index to {self._verb()} must have 'index' type")
                if not is_dim(index) and not is_symbol(index):
                    raise VerifyException("index must be a valid dimension or symbol identifier")
            found.append((target, at, indices))
        return found, rest

    @classmethod
    def maps(cls) -> list[str]:
        """The names of the maps in the order of their memrefs."""
        return ["tag_map"]

    def _verb(self) -> str:
        return self.name.partition(".")[2]


def _read(parser: Any) -> tuple[Any, AffineMapAttr, list[SSAValue]]:
    target = parser.parse_unresolved_operand()
    return target, *parse_subscripts(parser)


def _built(cls: Any, parser: Any, reads: list[Any], plain: list[SSAValue]) -> Operation:
    at = parser.pos
    parser.parse_punctuation(":")
    kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(kinds) != len(reads):
        parser.raise_error("fewer/more types expected" if len(reads) > 1 else "expected one memref type", at)
    operands: list[SSAValue] = []
    for (target, _, indices), kind in zip(reads, kinds, strict=True):
        operands += [parser.resolve_operand(target, kind), *indices]
    properties = {key: at for key, (_, at, _) in zip(cls.maps(), reads, strict=True)}
    return cls.create(operands=[*operands, *plain], properties=properties)


def _print(op: _Dma, printer: Any) -> None:
    reads, plain = op.accesses()
    printer.print_string(" ")
    for target, at, indices in reads:
        printer.print_ssa_value(target)
        print_subscripts(printer, at, indices)
        printer.print_string(", ")
    printer.print_list(plain, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list([target.type for target, _, _ in reads], printer.print_attribute)


@irdl_op_definition
class DmaStartOp(_Dma):
    """`affine.dma_start %a[%i + 3], %b[%j], %t[%k], %n : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>`: begin a copy
    of `%n` elements; a stride and the elements per stride may follow.
    """

    name = "affine.dma_start"
    arguments = var_operand_def()
    src_map = prop_def(AffineMapAttr)
    dst_map = prop_def(AffineMapAttr)
    tag_map = prop_def(AffineMapAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @classmethod
    def maps(cls) -> list[str]:
        return ["src_map", "dst_map", "tag_map"]

    def verify_(self) -> None:
        _, plain = self.accesses()
        if len(plain) not in (1, 3):
            raise VerifyException("incorrect number of operands")
        if any(value.type != _INDEX for value in plain):
            raise VerifyException("expected num elements, stride and num elements per stride to be of type index")

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        reads: list[Any] = []
        for _ in cls.maps():
            reads.append(_read(parser))
            parser.parse_punctuation(",")
        plain = [parser.parse_operand(_INDEX)]
        at = parser.pos
        while parser.parse_optional_punctuation(",") is not None:
            if (value := parser.parse_optional_operand(_INDEX)) is None:
                break
            plain.append(value)
        if len(plain) not in (1, 3):
            parser.raise_error("expected two stride related operands", at)
        return _built(cls, parser, reads, plain)

    def print(self, printer: Any) -> None:
        _print(self, printer)


@irdl_op_definition
class DmaWaitOp(_Dma):
    """`affine.dma_wait %t[%k], %n : memref<1xi32>`: wait for the copy with this tag, of `%n` elements."""

    name = "affine.dma_wait"
    arguments = var_operand_def()
    tag_map = prop_def(AffineMapAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        _, plain = self.accesses()
        if len(plain) != 1 or plain[0].type != _INDEX:
            raise VerifyException("expected one number of elements of index type after the tag indices")

    @classmethod
    def parse(cls, parser: Any) -> Operation:
        tag = _read(parser)
        parser.parse_punctuation(",")
        return _built(cls, parser, [tag], [parser.parse_operand(_INDEX)])

    def print(self, printer: Any) -> None:
        _print(self, printer)


DMA = [DmaStartOp, DmaWaitOp]
