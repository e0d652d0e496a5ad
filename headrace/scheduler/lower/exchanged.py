"""`headrace.exchange` in unit programs: rounds of sends, and of receives.

The unit that reads the scratchpad sends a box of a round vector by vector to the unit that writes the scratchpad of the
receiving core; where a tile has no move in a round its units skip the loops. Rounds come in one order on all units and
nobody sends or receives twice in one, so FIFOs between the cores need no other signal: a unit in the earliest round
that somebody is still in always finds its partner there, or on its way.

    for row { for vector { %v = vector_load ..  send %v, %peer } }      for .. { %v = receive %peer  vector_store .. }
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow
from headrace.ir.dialects.headrace_exchange import ExchangeOp, Move, Round
from headrace.scheduler.lower import loops
from headrace.scheduler.lower.transfers import load_box, store_box
from headrace.scheduler.lower.units import UnitProgram, add_if
from headrace.scheduler.lower.views import Side, make_side


def emit_exchange(unit: UnitProgram, op: Operation) -> None:
    """Lower the half of an exchange that this kind does."""
    assert isinstance(op, ExchangeOp)
    if op.part is None:
        raise error(op, "an exchange that no stage sends or receives cannot be lowered")
    sends = op.part.data == "send"
    other = op.attributes["headrace.peer"].data  # type: ignore[attr-defined]
    for r in op.plan():
        _Half(unit, op, r, sends, other).emit()


class _Half:
    """One round on the units of one kind."""

    def __init__(self, unit: UnitProgram, op: ExchangeOp, r: Round, sends: bool, other: str):
        self.unit, self.op, self.round, self.sends, self.other = unit, op, r, sends, other

    def emit(self) -> None:
        unit, r = self.unit, self.round
        by_tile = {(m.sender if self.sends else m.receiver): m for m in r.moves}
        moves = [by_tile.get(u.core) for u in unit.units]
        if not any(moves):
            return
        condition: SSAValue | None = None
        if not all(moves):
            condition = unit.numbers([int(m is not None) for m in moves], i1)
        for index, value in zip(self.op.indices, r.at, strict=False):
            known = unit.known(index)
            if known is not None:
                if known != value:
                    return
                continue
            same = unit.add(arith.CmpiOp(unit.value(index), unit.constant(value), "eq")).result
            condition = same if condition is None else unit.add(arith.AndIOp(condition, same)).result
        if condition is None:
            self.box(moves)
            return
        body = Block()
        unit.emit_into(None, body)
        self.box(moves)
        unit.scopes.pop()
        add_if(unit, condition, body, None)

    def peers(self, moves: list[Move | None]) -> SSAValue:
        """The unit at the other end; on a tile without move any."""
        unit = self.unit
        found = []
        for u, m in zip(unit.units, moves, strict=True):
            core = u.core if m is None else m.receiver if self.sends else m.sender
            peer = unit.program.by_place.get((self.other, core, 0))
            if peer is None:
                raise error(self.op, f"no unit '{self.other}' on core {core}")
            found.append(peer.handle)
        return unit.per_unit(found)

    def box(self, moves: list[Move | None]) -> None:
        """The loops over one box."""
        unit, r = self.unit, self.round
        peer = self.peers(moves)
        memref = self.op.memrefs[r.source if self.sends else r.target]
        strides = r.source_strides if self.sends else r.target_strides
        offsets = [0 if m is None else m.source if self.sends else m.target for m in moves]
        side = make_side(unit, memref, AffineMap(0, 0, (AffineConstantExpr(0),)), [], [1])
        side.advance(unit, 0, 1, unit.numbers(offsets))
        lanes = unit.device.vector_lanes(side.type.element_type)
        contiguous = r.source_strides[-1] == r.target_strides[-1] == 1
        width = min(lanes, r.sizes[-1]) if contiguous else 1
        full, rest = divmod(r.sizes[-1], width)
        outer = list(zip(r.sizes[:-1], strides[:-1], strict=True))
        opened = 0
        for size, stride in outer:
            if size > 1:
                block = loops.loop(unit, unit.constant(0), unit.constant(size), hint="a")
                side.advance(unit, 0, stride, block.args[0])
                opened += 1
        step = width * strides[-1]
        if full > 1:
            block = loops.loop(unit, unit.constant(0), unit.constant(full), hint="v")
            inner = side.copy()
            inner.advance(unit, 0, step, block.args[0])
            self.vector(inner, width, peer)
            loops.close(unit)
        else:
            self.vector(side.copy(), width, peer)
        if rest:
            tail = side.copy()
            tail.advance(unit, 0, step * full, 1)
            self.vector(tail, rest, peer)
        for _ in range(opened):
            loops.close(unit)

    def vector(self, side: Side, width: int, peer: SSAValue) -> None:
        """One vector from the scratchpad to the peer, or from the peer to the scratchpad."""
        side.sizes = (width,)
        if self.sends:
            self.unit.add(dataflow.SendOp(peer, load_box(self.unit, self.op, side)))
        else:
            vector = VectorType(side.type.element_type, [width])
            store_box(self.unit, self.op, side, self.unit.add(dataflow.ReceiveOp(peer, vector)).result)
