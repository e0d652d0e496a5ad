"""`headrace.exchange`: boxes of scratchpad that tiles send to each other; `headrace.ring_reduce`: sums over a ring.

The memrefs are one-dimensional; a move names element offsets from their starts. A round is a set of moves of boxes of
one shape in which no tile sends twice or receives twice:

    {source = 0, target = 1, sizes = [4, 64], source_strides = [64, 1], target_strides = [128, 1],
     moves = [array<i64: from, to, source offset, target offset>, ...]}

A round with `at = [..]` happens where the index operands have these values. In KTIR a tile that comes to the operation
sends, then waits for what it receives. In ScheduleIR `part` says which half a stage does: the unit that reads the
scratchpad sends, the one that writes it receives. `number` tells the exchanges of a module apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, print_attributes

KEYS = ("source", "target", "sizes", "source_strides", "target_strides", "moves")


@dataclass(frozen=True)
class Move:
    """One box: from tile, to tile, element offsets in the source and the target memref."""

    sender: int
    receiver: int
    source: int
    target: int


@dataclass(frozen=True)
class Round:
    """Moves of equal boxes between memrefs number `source` and `target`; `at`: values of the index operands."""

    source: int
    target: int
    sizes: tuple[int, ...]
    source_strides: tuple[int, ...]
    target_strides: tuple[int, ...]
    moves: tuple[Move, ...]
    at: tuple[int, ...] = ()

    def attribute(self) -> DictionaryAttr:
        """The round as an attribute."""

        def integers(values: Sequence[int]) -> Attribute:
            return DenseArrayBase.from_list(i64, list(values))

        entries: dict[str, Attribute] = {
            "source": IntegerAttr(self.source, i64),
            "target": IntegerAttr(self.target, i64),
            "sizes": integers(self.sizes),
            "source_strides": integers(self.source_strides),
            "target_strides": integers(self.target_strides),
            "moves": ArrayAttr([integers((m.sender, m.receiver, m.source, m.target)) for m in self.moves]),
        }
        if self.at:
            entries["at"] = integers(self.at)
        return DictionaryAttr(entries)


def _values(attr: Attribute) -> tuple[int, ...]:
    if not isinstance(attr, DenseArrayBase):
        raise VerifyException(f"expected a dense array, but got {attr}")
    return tuple(int(n) for n in attr.get_values())


def read_round(attr: Attribute) -> Round:
    """A round from its attribute. Raises VerifyException."""
    entries = dict(attr.data) if isinstance(attr, DictionaryAttr) else {}
    missing = [k for k in KEYS if k not in entries]
    if missing:
        raise VerifyException(f"a round requires the entry '{missing[0]}'")
    ends = [entries["source"], entries["target"]]
    moves = entries["moves"]
    if not all(isinstance(e, IntegerAttr) for e in ends) or not isinstance(moves, ArrayAttr):
        raise VerifyException("'source' and 'target' of a round must be integers, 'moves' an array")
    found = [_values(m) for m in moves.data]
    if any(len(m) != 4 for m in found):
        raise VerifyException("a move has four numbers: from, to, source offset, target offset")
    source, target = (cast(IntegerAttr, e).value.data for e in ends)
    sizes, near, far = (_values(entries[k]) for k in ("sizes", "source_strides", "target_strides"))
    at = _values(entries["at"]) if "at" in entries else ()
    return Round(source, target, sizes, near, far, tuple(Move(*m) for m in found), at)


@irdl_op_definition
class ExchangeOp(DialectOp):
    """`headrace.exchange(%a, %b : memref<..>, memref<..>) [%i] {number = 0 : i64, rounds = [..]}`: tiles send each
    other boxes of their scratchpads.
    """

    name = "headrace.exchange"
    memrefs = var_operand_def()
    indices = var_operand_def(IndexType)
    number = prop_def(IntegerAttr)
    rounds = prop_def(ArrayAttr)
    part = opt_prop_def(StringAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memrefs: Sequence[SSAValue], indices: Sequence[SSAValue], number: int,
                 rounds: Sequence[Round], part: str | None = None):  # fmt: skip
        super().__init__(
            operands=[memrefs, indices],
            properties={
                "number": IntegerAttr(number, i64),
                "rounds": ArrayAttr([r.attribute() for r in rounds]),
                "part": None if part is None else StringAttr(part),
            },
        )

    def plan(self) -> list[Round]:
        """The rounds."""
        return [read_round(r) for r in self.rounds.data]

    def verify_(self) -> None:
        if self.part is not None and self.part.data not in ("send", "receive"):
            raise VerifyException(f'\'part\' must be "send" or "receive", but is {self.part}')
        for v in self.memrefs:
            if not isinstance(v.type, MemRefType) or len(v.type.get_shape()) != 1:
                raise VerifyException(f"expected memrefs of rank 1, but got {v.type}")
        for r in self.plan():
            if not (0 <= r.source < len(self.memrefs) and 0 <= r.target < len(self.memrefs)):
                raise VerifyException(f"a round names memref {max(r.source, r.target)} of {len(self.memrefs)}")
            ends = [self.memrefs[r.source].type, self.memrefs[r.target].type]
            if ends[0].element_type != ends[1].element_type:  # type: ignore[attr-defined]
                raise VerifyException("source and target of a round must have one element type")
            if not len(r.sizes) == len(r.source_strides) == len(r.target_strides):
                raise VerifyException("sizes and strides of a round must have one length")
            if len(r.at) not in (0, len(self.indices)):
                raise VerifyException(f"'at' has {len(r.at)} values for {len(self.indices)} index operands")
            for what, tiles in (("sends", [m.sender for m in r.moves]), ("receives", [m.receiver for m in r.moves])):
                for tile in tiles:
                    if tiles.count(tile) > 1:
                        raise VerifyException(f"tile {tile} {what} twice in one round")

    @classmethod
    def parse(cls, parser: Parser) -> ExchangeOp:
        parser.parse_punctuation("(")
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        at = parser.pos
        parser.parse_punctuation(")")
        indices = parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        properties, attributes = parse_attributes(parser, cls)
        memrefs = parser.resolve_operands(names, types, at)
        return cls.build(operands=[memrefs, indices or []], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.memrefs, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in self.memrefs], printer.print_attribute)
        printer.print_string(")")
        if self.indices:
            printer.print_string(" [")
            printer.print_list(self.indices, printer.print_ssa_value)
            printer.print_string("]")
        print_attributes(printer, self)


@irdl_op_definition
class RingReduceOp(DialectOp):
    """`headrace.ring_reduce(%source, %target, %staging : memref<..>, ..) {number = 0 : i64, kind = "arith.addf",
    rings = [array<i64: ..>], block = 32 : i64}`: every tile of a ring gets the combined sources of all in its target.

    One part of the source for each tile of the ring goes once around it, growing by each tile's part, in vectors
    through `staging`; then the finished parts go around. `block`: vectors between two signals; `part` (ScheduleIR):
    `send`, `receive`, `load`, `compute` or `store`, what one unit kind does.
    """

    name = "headrace.ring_reduce"
    memrefs = var_operand_def()
    number = prop_def(IntegerAttr)
    kind = prop_def(StringAttr)
    rings = prop_def(ArrayAttr)
    block = prop_def(IntegerAttr)
    part = opt_prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memrefs: Sequence[SSAValue], number: int, kind: str, rings: Sequence[Sequence[int]], block: int,
                 part: str | None = None):  # fmt: skip
        super().__init__(
            operands=[memrefs],
            properties={
                "number": IntegerAttr(number, i64),
                "kind": StringAttr(kind),
                "rings": ArrayAttr([DenseArrayBase.from_list(i64, list(ring)) for ring in rings]),
                "block": IntegerAttr(block, i64),
                "part": None if part is None else StringAttr(part),
            },
        )

    def members(self) -> list[tuple[int, ...]]:
        """The tiles of each ring, in its order."""
        return [_values(r) for r in self.rings.data]

    def verify_(self) -> None:
        if len(self.memrefs) != 3 or any(
            not isinstance(v.type, MemRefType) or len(v.type.get_shape()) != 1 for v in self.memrefs
        ):
            raise VerifyException("expected three memrefs of rank 1: source, target and staging")
        if self.part is not None and self.part.data not in ("send", "receive", "load", "compute", "store"):
            raise VerifyException(f"'part' must be send, receive, load, compute or store, but is {self.part}")
        rings = self.members()
        if not rings or len(rings[0]) < 2 or len({len(r) for r in rings}) != 1:
            raise VerifyException("rings must have one length of at least 2")
        tiles = [t for r in rings for t in r]
        if len(set(tiles)) != len(tiles):
            raise VerifyException("a tile is in two rings")

    @classmethod
    def parse(cls, parser: Parser) -> RingReduceOp:
        parser.parse_punctuation("(")
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        at = parser.pos
        parser.parse_punctuation(")")
        properties, attributes = parse_attributes(parser, cls)
        return cls.build(
            operands=[parser.resolve_operands(names, types, at)], properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.memrefs, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in self.memrefs], printer.print_attribute)
        printer.print_string(")")
        print_attributes(printer, self)
