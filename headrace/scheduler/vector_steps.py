"""Steps of the compute units (`unit_steps`): operations on whole vectors, folds over lanes, matrix steps."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, SSAValue

from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import constant_of
from headrace.scheduler.clocks import Do
from headrace.scheduler.estimate import short_name
from headrace.scheduler.lower.memrefs import candidates

if TYPE_CHECKING:
    from headrace.scheduler.unit_steps import Steps


class VectorSteps:
    """Makes the steps of what compute units do."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.moving: dict[SSAValue, bool] = {}
        self.prepared: dict[str, dict[object, float]] = {}
        """Per compute unit the vectors that its program makes first, once, and their cycles."""

    @staticmethod
    def made_here(value: SSAValue, op: Operation) -> bool:
        """Whether a value is made in the block of an operation."""
        return isinstance(value.owner, Operation) and value.owner.parent is op.parent

    def local(self, kind: str, value: SSAValue) -> bool:
        """Whether a memref lies in the registers of a unit."""
        own = self.steps.device.local_memory(kind)
        return own is not None and self.steps.device.memory_of(candidates(value)[0]).kind == own.kind

    def generic(self, op: linalg.GenericOp, kind: str) -> None:
        """The operations of a generic on whole vectors."""
        unit = self.steps.device.unit(kind).timing
        for v in op.inputs:
            if isinstance(v.type, MemRefType) and not self.local(kind, v):
                self.steps.vector_load(kind, v, self.steps.size_of(v))
                self.steps.add(kind, Do.READY, 0.0, 0.0)
        count = 1
        for v in (*op.inputs, *op.outputs):
            if isinstance(v.type, TensorType | MemRefType):
                count = max(count, prod(v.type.get_shape()))
        cycles = 0.0
        if "reduction" in str(op.iterator_types) and count > 1:
            cycles = self.fold(op, kind, count)
        else:
            for v in op.inputs:
                if isinstance(v.type, TensorType) and prod(v.type.get_shape()) == 1 < count and self.made_here(v, op):
                    cycles += self.price(kind, "shuffle", v.type.element_type, count)
            cycles += self.body(op, kind, count)
        if cycles:
            self.steps.add(kind, Do.WORK, cycles, unit.latency, work=cycles)
        for v in op.outputs:
            if isinstance(v.type, MemRefType) and not self.local(kind, v):
                self.steps.vector_store(kind, v, self.steps.size_of(v))

    def body(self, op: linalg.GenericOp, kind: str, count: int) -> float:
        """Cycles of an elementwise body: its operations, and the scalars that are spread for them each time."""
        cycles = 0.0
        spread: set[SSAValue] = set()
        for inner in op.body.block.ops:
            if inner.name == "linalg.index":
                self.prepare(kind, (str(inner.properties["dim"]), count), "VIOTA", inner.results[0].type, count)
                continue
            for v in inner.operands:
                if v not in spread and (constant_of(v) is not None or not made_in(v, op)):
                    spread.add(v)
                    cycles += self.spread(v, kind, count)
            short = short_name(inner)
            if short is not None:
                cycles += self.price(kind, short, (*inner.operands, *inner.results)[0].type, count)
        return cycles

    def spread(self, value: SSAValue, kind: str, count: int) -> float:
        """Cycles each time to have a scalar in every lane; one that is known before is prepared once."""
        t, owner = value.type, value.owner
        if isinstance(owner, arith.ConstantOp):
            what = "VIOTA" if isinstance(t, IndexType) else "VSHUF"
            if count > 1 or what == "VIOTA":
                self.prepare(kind, (owner.value, t, count), what, t, count)
            return 0.0
        if isinstance(t, IndexType | IntegerType) or isinstance(owner, Block):
            if self.moves(value):
                return self.price(kind, "VIOTA", t, count)
            self.prepare(kind, (value, count), "VIOTA", t, count)
            return 0.0
        return self.price(kind, short_name(owner) or "", t, count) + sum(
            self.spread(v, kind, count) for v in owner.operands
        )

    def prepare(self, kind: str, key: object, what: str, element: Attribute, count: int) -> None:
        """A vector that a program makes before anything else."""
        self.prepared.setdefault(kind, {})[key] = self.price(kind, what, element, count)

    def moves(self, value: SSAValue) -> bool:
        """Whether a scalar changes while the program runs."""
        if value not in self.moving:
            owner = value.owner
            if isinstance(owner, Block):
                self.moving[value] = owner.parent_op() is not self.steps.func
            else:
                self.moving[value] = any(self.moves(v) for v in owner.operands)
        return self.moving[value]

    def price(self, kind: str, short: str, element: Attribute, count: int) -> float:
        """Cycles of one vector operation."""
        lanes = self.steps.device.timed_lanes(element, kind)
        return max(1, -(-count // lanes)) * max(1, self.steps.device.unit(kind).timing.cycles(short))

    def fold(self, op: linalg.GenericOp, kind: str, count: int) -> float:
        """A vector to one element as `lower.compute` does it: halves beyond the unit's lanes, then rotations, then the
        start value."""
        last = op.body.block.last_op
        assert last is not None
        combiner = last.operands[0].owner
        assert isinstance(combiner, Operation)
        short = short_name(combiner) or ""
        t = combiner.results[0].type
        width = 1 << (count - 1).bit_length()
        cycles = self.price(kind, "shuffle", t, width) if width != count else 0.0
        lanes, whole = self.steps.device.vector_lanes(t), width
        while width > 1:
            width //= 2
            halves = whole > lanes or width == 1
            whole = width if halves else whole
            cycles += (2 if halves else 1) * self.price(kind, "shuffle", t, whole) + self.price(kind, short, t, whole)
        return cycles + self.price(kind, short, t, 1)

    def matrix(self, op: Operation, kind: str) -> None:
        """A step of a matrix unit."""
        spec, timing = self.steps.device.unit(kind).matrix, self.steps.device.unit(kind).timing
        if spec is None:
            return
        what = op.name.removeprefix("headrace.matrix_")
        if what == "fill":
            elements = prod(op.operands[0].type.get_shape())  # type: ignore[attr-defined]
            self.steps.add(kind, Do.FILL, float(-(-spec.fill_cycles * elements // (spec.k * spec.n))))
        elif what == "swap":
            self.steps.add(kind, Do.SWAP)
        elif what == "multiply":
            rows = op.properties["rows"].value.data * timing.issue  # type: ignore[attr-defined]
            self.steps.add(kind, Do.WORK, float(rows), timing.latency, work=rows)
        elif what != "setup":
            self.steps.add(kind, Do.WORK, float(timing.issue), timing.latency, work=timing.issue)


def made_in(value: SSAValue, op: Operation) -> bool:
    """Whether a value is made in a region of an operation."""
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner is not None and (ktdf.inside(owner, op) if isinstance(value.owner, Operation) else owner is op)
