"""`headrace.ring_reduce` in unit programs: an all-reduce in which every link carries each part of the tensor twice.

The tensor has one slice for each of the N tiles of a ring. Tile r starts slice r on its way; in step s it gets slice
r - s - 1 from the tile before it, adds its own part and keeps the sum in the target, from where it goes on in the next
step. After N - 1 steps slice r + 1 is complete on tile r, and N - 1 more steps bring the complete slices around.

    sender     source[r]; then per block: wait for the sum, target[r - s]; then per block: wait, target[r + 1 - s]
    receiver   per block: wait for room, staging, signal both loaders; then target[r - s], signal the sender
    loader     per block: wait, (staging, source[r - s - 1]) -> compute unit, signal room
    storer     per block: sums -> target[r - s - 1], signal the sender

Blocks go through `staging` in turn; its buffers are credits that the loaders give. Before the receiver overwrites a
slice of the target in the second half it waits until the sender has sent the sum that lay there.

The scratchpad grants one request a cycle, however narrow: cores send packets of the interconnect, and a FIFO entry of
the compute unit holds the vectors that its link carries in a cycle.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow, headrace_ops
from headrace.ir.dialects.headrace_exchange import RingReduceOp
from headrace.ir.types import dtype_of
from headrace.scheduler.lower import loops
from headrace.scheduler.lower.transfers import load_box, store_box
from headrace.scheduler.lower.units import UnitProgram
from headrace.scheduler.lower.views import Side, make_side

FULL, ROOM, SUM, ARRIVED, SENT = 1, 2, 3, 4, 5
"""Signals: a block of staging is full, is free; sums of a block are in the target, a finished block is; a step's sums
have been sent."""


def largest_divisor(n: int, most: int) -> int:
    """The largest divisor of n up to `most`, at least 1."""
    return max(d for d in range(1, max(1, min(n, most)) + 1) if n % d == 0)


def emit_ring_reduce(unit: UnitProgram, op: Operation) -> None:
    """Lower what this kind does of a ring reduction."""
    assert isinstance(op, RingReduceOp)
    if op.part is None:
        raise error(op, "a ring reduction that no stage does cannot be lowered")
    _Ring(unit, op).emit(op.part.data)


class _Ring:
    def __init__(self, unit: UnitProgram, op: RingReduceOp):
        self.unit, self.op = unit, op
        names = ("sender", "receiver", "loader", "compute", "storer")
        self.kinds = {name: op.attributes[f"headrace.{name}"].data for name in names}  # type: ignore[attr-defined]
        place = {t: (ring, k) for ring in op.members() for k, t in enumerate(ring)}
        if any(u.core not in place for u in unit.units):
            raise error(op, "a ring reduction whose rings do not cover all tiles")
        self.places = [place[u.core] for u in unit.units]
        self.members = len(self.places[0][0])
        source = op.memrefs[0].type
        assert isinstance(source, MemRefType)
        self.element = source.element_type
        self.lanes = unit.device.vector_lanes(self.element)
        self.chunk = source.get_shape()[0] // self.members
        self.block = op.block.value.data
        self.blocks = self.chunk // self.lanes // self.block
        self.buffers = op.memrefs[2].type.get_shape()[0] // (self.block * self.lanes)  # type: ignore[attr-defined]
        self.instances = max(1, unit.program.corelets.get(self.kinds["compute"], 1))
        self.share = self.block // self.instances
        width = dtype_of(self.element).bytes * self.lanes
        joint = unit.device.interconnect
        packet = joint.packet_bytes if joint is not None and joint.packet_bytes else width
        link = unit.device.datapath_timing(self.kinds["loader"], self.kinds["compute"]).bytes_per_cycle or width
        self.packet = largest_divisor(self.block, packet // width)
        self.entry = largest_divisor(self.share, link // width)

    def emit(self, part: str) -> None:
        self.rank = self.unit.numbers([k for _, k in self.places])
        {"send": self.send, "receive": self.receive, "load": self.load, "compute": self.compute, "store": self.store}[
            part
        ]()

    # -- helpers ------------------------------------------------------------------------------------------------------

    def loop(self, first: int, end: int, body: Callable[[SSAValue], None], hint: str) -> None:
        """`body` for first <= i < end."""
        unit = self.unit
        if end - first == 1:
            body(unit.constant(first))
        elif end > first:
            block = loops.loop(unit, unit.constant(first), unit.constant(end), hint=hint)
            body(block.args[0])
            loops.close(unit)

    def slice(self, shift: int, step: SSAValue) -> SSAValue:
        """(rank + shift - step) mod N."""
        unit, n = self.unit, self.members
        up = unit.add_index(self.rank, unit.constant(2 * n + shift))
        return unit.add(arith.RemSIOp(unit.add(arith.SubiOp(up, step)).result, unit.constant(n))).result

    def side(self, memref: int, vectors: int, *terms: tuple[int, SSAValue]) -> Side:
        """Some vectors at `sum(stride * index)` elements."""
        side = make_side(self.unit, self.op.memrefs[memref], AffineMap(0, 0, (AffineConstantExpr(0),)), [], [1])
        for stride, index in terms:
            side.advance(self.unit, 0, stride, index)
        side.sizes = (self.lanes * vectors,)
        return side

    def at(self, memref: int, number: SSAValue, block: SSAValue, vector: SSAValue, count: int) -> Side:
        """Vectors of a slice: item number `vector` of `count` vectors each."""
        lanes = self.lanes
        return self.side(
            memref, count, (self.chunk, number), (self.block * lanes, block), (count * lanes, vector)
        )

    def staged(self, step: SSAValue, block: SSAValue, vector: SSAValue, count: int) -> Side:
        """Vectors of a block in staging."""
        unit = self.unit
        flat = unit.add_index(unit.multiply(step, unit.constant(self.blocks)), block)
        turn = unit.add(arith.RemSIOp(flat, unit.constant(self.buffers))).result
        return self.side(2, count, (self.block * self.lanes, turn), (count * self.lanes, vector))

    def neighbour(self, kind: str, step: int) -> SSAValue:
        """The unit of a kind `step` places on."""
        found = [self.unit.program.by_place[kind, ring[(k + step) % len(ring)], 0].handle for ring, k in self.places]
        return self.unit.per_unit(found)

    def own(self, name: str) -> list[SSAValue]:
        """The units of a role on this core."""
        kind = self.kinds[name]
        count = self.unit.program.corelets.get(kind, 1)
        return [self.unit.peer(kind, self.op, c) for c in range(count)]

    def signal(self, name: str, number: int, count: int = 1) -> None:
        for _ in range(count):
            for peer in self.own(name):
                self.unit.add(dataflow.SyncSendOp(peer, number, wait_immediately_for_async_transfers=True))

    def wait(self, name: str, number: int, count: int = 1) -> None:
        for _ in range(count):
            for peer in self.own(name):
                self.unit.add(dataflow.SyncRecvOp(peer, number))

    def vector(self, count: int) -> VectorType:
        return VectorType(self.element, [self.lanes * count])

    # -- parts --------------------------------------------------------------------------------------------------------

    def send(self) -> None:
        """The unit that reads the scratchpad."""
        unit, n = self.unit, self.members
        following = self.neighbour(self.kinds["receiver"], 1)

        def chunk(memref: int, number: SSAValue, signal: tuple[str, int] | None) -> None:
            def block(b: SSAValue) -> None:
                if signal is not None:
                    self.wait(*signal)

                def one(v: SSAValue) -> None:
                    side = self.at(memref, number, b, v, self.packet)
                    unit.add(dataflow.SendOp(following, load_box(unit, self.op, side)))

                self.loop(0, self.block // self.packet, one, "v")

            self.loop(0, self.blocks, block, "b")

        def growing(s: SSAValue) -> None:
            chunk(1, self.slice(0, s), ("storer", SUM))
            self.signal("receiver", SENT)

        chunk(0, self.rank, None)
        self.loop(1, n - 1, growing, "s")
        chunk(1, self.slice(0, unit.constant(n - 1)), ("storer", SUM))
        self.loop(1, n - 1, lambda s: chunk(1, self.slice(1, s), ("receiver", ARRIVED)), "s")

    def receive(self) -> None:
        """The unit that writes the scratchpad."""
        unit, n = self.unit, self.members
        before = self.neighbour(self.kinds["sender"], -1)

        def growing(s: SSAValue) -> None:
            def block(b: SSAValue) -> None:
                self.wait("loader", ROOM)

                def one(v: SSAValue) -> None:
                    data = unit.add(dataflow.ReceiveOp(before, self.vector(self.packet))).result
                    store_box(unit, self.op, self.staged(s, b, v, self.packet), data)

                self.loop(0, self.block // self.packet, one, "v")
                self.signal("loader", FULL)

            self.loop(0, self.blocks, block, "b")

        def finished(s: SSAValue, waits: bool, signals: bool) -> None:
            if waits:
                self.wait("sender", SENT)
            number = self.slice(0, s)

            def block(b: SSAValue) -> None:
                def one(v: SSAValue) -> None:
                    data = unit.add(dataflow.ReceiveOp(before, self.vector(self.packet))).result
                    store_box(unit, self.op, self.at(1, number, b, v, self.packet), data)

                self.loop(0, self.block // self.packet, one, "v")
                if signals:
                    self.signal("sender", ARRIVED)

            self.loop(0, self.blocks, block, "b")

        self.loop(0, n - 1, growing, "s")
        self.wait("loader", ROOM, self.buffers)
        finished(unit.constant(0), False, n > 2)
        self.loop(1, n - 2, lambda s: finished(s, True, True), "s")
        if n > 2:
            finished(unit.constant(n - 2), True, False)

    def shares(self, body: Callable[[SSAValue, SSAValue, SSAValue], None], before: Callable[[], None],
               after: Callable[[], None]) -> None:  # fmt: skip
        """This instance's part of every block: `body(step, block, number of the FIFO entry)`."""
        unit = self.unit
        count = self.share // self.entry
        first = unit.numbers([u.corelet * count for u in unit.units])

        def step(s: SSAValue) -> None:
            def block(b: SSAValue) -> None:
                before()
                self.loop(0, count, lambda v: body(s, b, unit.add_index(first, v)), "v")
                after()

            self.loop(0, self.blocks, block, "b")

        self.loop(0, self.members - 1, step, "s")

    def load(self) -> None:
        """The loader of a compute unit."""
        unit = self.unit
        peer = unit.peer(self.kinds["compute"], self.op)

        def one(s: SSAValue, b: SSAValue, v: SSAValue) -> None:
            for side in (self.staged(s, b, v, self.entry), self.at(0, self.slice(-1, s), b, v, self.entry)):
                unit.add(dataflow.SendOp(peer, load_box(unit, self.op, side)))

        self.signal("receiver", ROOM, self.buffers)
        self.shares(one, lambda: self.wait("receiver", FULL), lambda: self.signal("receiver", ROOM))

    def compute(self) -> None:
        """The compute unit."""
        unit = self.unit
        source, target = unit.peer(self.kinds["loader"], self.op), unit.peer(self.kinds["storer"], self.op)

        def one(s: SSAValue, b: SSAValue, v: SSAValue) -> None:
            del s, b, v
            kind = self.vector(self.entry)
            pair = [unit.add(dataflow.ReceiveOp(source, kind)).result for _ in range(2)]
            total = unit.add(headrace_ops.ComputeOp(self.op.kind.data, pair, [kind])).outputs[0]
            unit.add(dataflow.SendOp(target, total))

        self.shares(one, lambda: None, lambda: None)

    def store(self) -> None:
        """What stores the results of a compute unit."""
        unit = self.unit
        peer = unit.peer(self.kinds["compute"], self.op)

        def one(s: SSAValue, b: SSAValue, v: SSAValue) -> None:
            data = unit.add(dataflow.ReceiveOp(peer, self.vector(self.entry))).result
            store_box(unit, self.op, self.at(1, self.slice(-1, s), b, v, self.entry), data)

        self.shares(one, lambda: None, lambda: self.signal("sender", SUM))
