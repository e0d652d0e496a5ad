"""A read that several cores share: each reads its part of the box, and the parts travel around a ring of cores.

A transfer from main memory with `headrace.share = [[tiles of a ring], ...]` fills the same box on every tile of a ring.
The box is cut into vectors, the vectors into one slice per member. Member j reads slice j and sends it on; then P - 1
times it takes a vector from its neighbour before, stores it, and passes it on; at last its own slice comes back and is
stored as well. Slices go in chunks. Where a link has room for two chunks of each member, all members' chunks turn at
once: a turn sends the own chunk, which was read some turns before, and takes what the neighbour sent in its turn
before. So main memory and the links are busy all the time, and the way from main memory is hidden.

    read own[0] ... own[A - 1]
    for turn {
      send own[turn]   for age in 1 .. P-1 { receive chunk turn - age; store; send }   receive the own chunk; store
      read own[turn + A] }

Otherwise one chunk after the other, of half the depth of a link; the next chunk's own part is sent before the last
turn. A link never holds more than it has room for.

    read own[0]; send
    for chunk { P-1 times { receive; store; send }   read own[chunk + 1]; send   receive; store }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow
from headrace.ir.types import dtype_of
from headrace.scheduler.lower import loops
from headrace.scheduler.lower.program import INDEX
from headrace.scheduler.lower.units import UnitProgram
from headrace.scheduler.lower.views import Side
from headrace.scheduler.shared import SHARE, Cut, cut_box, ring_rate

__all__ = ["SHARE", "emit_shared"]


def rings_of(attr: Attribute) -> list[list[int]]:
    """The rings that a transfer names."""
    assert isinstance(attr, ArrayAttr)
    return [[n.value.data for n in ring.data if isinstance(n, IntegerAttr)] for ring in attr.data]  # type: ignore[attr-defined]


def emit_shared(unit: UnitProgram, op: Operation, source: Side, target: Side) -> None:
    """Lower one shared transfer in the program of the unit that reads main memory."""
    rings = rings_of(op.attributes[SHARE])
    place = {tile: (ring, k) for ring in rings for k, tile in enumerate(ring)}
    ends = unit.program.by_place
    if any(u.core not in place for u in unit.units):
        raise error(op, "a shared read whose rings do not cover all tiles")
    cut = cut_box(source.sizes, len(rings[0]), unit.device.vector_lanes(source.type.element_type), depth_of(unit))
    if cut is None:
        raise error(op, "a shared read of a box that does not divide among the tiles of a ring")
    members = [place[u.core] for u in unit.units]
    corelets = [u.corelet for u in unit.units]

    def neighbours(step: int) -> SSAValue:
        found = [
            ends[unit.kind, ring[(k + step) % len(ring)], c].handle
            for (ring, k), c in zip(members, corelets, strict=True)
        ]
        return unit.per_unit(found)

    rank = unit.numbers([k for _, k in members])
    _Ring(unit, op, source, target, cut, neighbours(1), neighbours(-1), rank, ahead_of(unit, op, cut, rings)).emit()


def ahead_of(unit: UnitProgram, op: Operation, cut: Cut, rings: Sequence[Sequence[int]]) -> int:
    """Chunks that a member reads ahead."""
    device, joint = unit.device, unit.device.interconnect
    t = op.operands[0].type
    assert joint is not None and isinstance(t, MemRefType)
    rate = ring_rate(rings, joint, device.cores or sum(map(len, rings)))
    return cut.ahead(device.memory_of(t).timing.latency, cut.lanes * dtype_of(t.element_type).bytes / rate)


def depth_of(unit: UnitProgram) -> int:
    """Vectors that a link between two cores holds."""
    return unit.device.queue_depth(unit.kind, unit.kind)


@dataclass
class _Ring:
    unit: UnitProgram
    op: Operation
    source: Side
    target: Side
    cut: Cut
    following: SSAValue
    before: SSAValue
    rank: SSAValue
    ahead: int
    """Chunks that are read ahead."""

    def emit(self) -> None:
        if self.cut.turning:
            self.all_at_once()
        else:
            self.in_turn()

    def all_at_once(self) -> None:
        """Chunks of all members turn together."""
        unit, cut, count = self.unit, self.cut, self.cut.vectors
        one, chunks, ahead = unit.constant(1), unit.constant(cut.chunks), unit.constant(self.ahead)
        held = [vector for k in range(self.ahead) for vector in self.read(unit.constant(k))]
        target = Block(arg_types=[INDEX, *(v.type for v in held)])
        turn, *now = target.args
        turn.name_hint = "g"
        unit.emit_into(None, target)
        self.when(turn, chunks, lambda: self.send(now[:count]), [])
        oldest = unit.add(arith.SubiOp(turn, unit.constant(cut.chunks - 1))).result
        self.pass_on(turn, unit.add(arith.MaxSIOp(one, oldest)).result)
        later = unit.add_index(turn, ahead)
        following = self.when(later, chunks, lambda: self.read(later), now[:count])
        unit.scopes.pop()
        target.add_op(scf.YieldOp(*now[count:], *following))
        end = unit.constant(cut.chunks + cut.members)
        unit.add(scf.ForOp(unit.constant(0), end, one, held, Region(target)))

    def when(self, number: SSAValue, limit: SSAValue, body: Callable[[], Sequence[SSAValue] | None],
             otherwise: Sequence[SSAValue]) -> Sequence[SSAValue]:  # fmt: skip
        """What `body` gives where `number` is below `limit`; elsewhere `otherwise`."""
        unit = self.unit
        condition = unit.add(arith.CmpiOp(number, limit, "slt")).result
        then = Block()
        unit.emit_into(None, then)
        found = body() or []
        unit.scopes.pop()
        then.add_op(scf.YieldOp(*found))
        if not otherwise:
            unit.add(scf.IfOp(condition, [], Region(then)))  # pyright: ignore[reportArgumentType]
            return []
        other = Block([scf.YieldOp(*otherwise)])
        return unit.add(scf.IfOp(condition, [v.type for v in otherwise], Region(then), Region(other))).results

    def read(self, chunk: SSAValue) -> list[SSAValue]:
        """The vectors of a chunk of the own slice."""
        cut = self.cut
        row, column = self.corner(self.rank, chunk)
        places = [(r, c) for r in range(cut.chunk_rows) for c in range(cut.chunk_columns)]
        shifted = [(self.unit.add_index(row, self.unit.constant(r)), self.unit.add_index(column, self.unit.constant(c)))
                   for r, c in places]  # fmt: skip
        return [self.load(r, c) for r, c in shifted]

    def send(self, vectors: Sequence[SSAValue]) -> None:
        for vector in vectors:
            self.unit.add(dataflow.SendOp(self.following, vector))

    def pass_on(self, turn: SSAValue, youngest: SSAValue) -> None:
        """What is on its way in a turn: the chunks that started `youngest` turns ago or before; those of the other
        members go on, the own one is back."""
        unit, members = self.unit, self.unit.constant(self.cut.members)
        upper = unit.add(arith.MinSIOp(members, unit.add_index(turn, unit.constant(1)))).result
        block = loops.loop(unit, youngest, upper, hint="s")
        age = block.args[0]
        self.turn(age, unit.add(arith.SubiOp(turn, age)).result, True)
        loops.close(unit)
        start = unit.add(arith.SubiOp(turn, members)).result
        back = unit.add(arith.MinSIOp(unit.add_index(start, unit.constant(1)), unit.constant(1))).result
        block = loops.loop(unit, unit.constant(0), back, hint="s")
        self.turn(members, start, False)
        loops.close(unit)

    def in_turn(self) -> None:
        """One chunk of each member after the other."""
        unit, cut = self.unit, self.cut
        self.own(unit.constant(0))
        if cut.chunks > 1:
            block = loops.loop(unit, unit.constant(0), unit.constant(cut.chunks - 1), hint="g")
            g = block.args[0]
            self.turns(g)
            self.own(unit.add_index(g, unit.constant(1)))
            self.turn(unit.constant(cut.members), g, False)
            loops.close(unit)
        last = unit.constant(cut.chunks - 1)
        self.turns(last)
        self.turn(unit.constant(cut.members), last, False)

    def turns(self, chunk: SSAValue) -> None:
        """The slices of the other members pass by."""
        unit, members = self.unit, self.cut.members
        if members == 2:
            self.turn(unit.constant(1), chunk, True)
            return
        block = loops.loop(unit, unit.constant(1), unit.constant(members), hint="s")
        self.turn(block.args[0], chunk, True)
        loops.close(unit)

    def own(self, chunk: SSAValue) -> None:
        """Read a chunk of the own slice and send it."""

        def one(row: SSAValue, column: SSAValue) -> None:
            data = self.load(row, column)
            self.unit.add(dataflow.SendOp(self.following, data))

        self.over(self.rank, chunk, one)

    def turn(self, step: SSAValue, chunk: SSAValue, forward: bool) -> None:
        """Receive a chunk that started `step` members before this one, and store it."""
        unit, members = self.unit, self.cut.members
        far = unit.add(arith.SubiOp(unit.add_index(self.rank, unit.constant(members)), step)).result
        member = unit.add(arith.RemSIOp(far, unit.constant(members))).result
        vector = VectorType(self.target.type.element_type, [self.cut.lanes])

        def one(row: SSAValue, column: SSAValue) -> None:
            data = unit.add(dataflow.ReceiveOp(self.before, vector)).result
            self.store(row, column, data)
            if forward:
                unit.add(dataflow.SendOp(self.following, data))

        self.over(member, chunk, one)

    def over(self, member: SSAValue, chunk: SSAValue, body: Callable[[SSAValue, SSAValue], None]) -> None:
        """`body(row, column of vectors)` for every vector of a chunk of a member's slice."""
        unit, cut = self.unit, self.cut
        row, column = self.corner(member, chunk)
        opened = 0
        if cut.chunk_rows > 1:
            block = loops.loop(unit, unit.constant(0), unit.constant(cut.chunk_rows), hint="a")
            row, opened = unit.add_index(row, block.args[0]), opened + 1
        if cut.chunk_columns > 1:
            block = loops.loop(unit, unit.constant(0), unit.constant(cut.chunk_columns), hint="c")
            column, opened = unit.add_index(column, block.args[0]), opened + 1
        body(row, column)
        for _ in range(opened):
            loops.close(unit)

    def corner(self, member: SSAValue, chunk: SSAValue) -> tuple[SSAValue, SSAValue]:
        """(row, column of vectors) at which a chunk of a member's slice begins."""
        unit, cut = self.unit, self.cut

        def divided(value: SSAValue, by: int) -> tuple[SSAValue, SSAValue]:
            if by == 1:
                return value, unit.constant(0)
            n = unit.constant(by)
            return unit.add(arith.DivSIOp(value, n)).result, unit.add(arith.RemSIOp(value, n)).result

        slice_row, slice_column = divided(member, cut.slices_a_row)
        chunk_row, chunk_column = divided(chunk, cut.columns // cut.chunk_columns)
        row = unit.add_index(
            unit.multiply(slice_row, unit.constant(cut.rows)), unit.multiply(chunk_row, unit.constant(cut.chunk_rows))
        )
        column = unit.add_index(
            unit.multiply(slice_column, unit.constant(cut.columns)),
            unit.multiply(chunk_column, unit.constant(cut.chunk_columns)),
        )
        return row, column

    def at(self, side: Side, row: SSAValue, column: SSAValue) -> Side:
        """One vector of a side."""
        cut = self.cut
        moved = side.copy()
        if cut.row_dim is not None:
            moved.advance(self.unit, cut.row_dim, 1, row)
        last = len(side.sizes) - 1
        moved.advance(self.unit, last, cut.lanes, column)
        moved.sizes = tuple(cut.lanes if d == last else 1 for d in range(len(side.sizes)))
        return moved

    def load(self, row: SSAValue, column: SSAValue) -> SSAValue:
        from headrace.scheduler.lower.transfers import load_box

        return load_box(self.unit, self.op, self.at(self.source, row, column))

    def store(self, row: SSAValue, column: SSAValue, data: SSAValue) -> None:
        from headrace.scheduler.lower.transfers import store_box

        store_box(self.unit, self.op, self.at(self.target, row, column), data)

