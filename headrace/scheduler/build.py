"""Small IR-building layer of the scheduler: folding index arithmetic, loops, slices, clones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.construct import copy_op, create_op
from headrace.ir.location import copy_loc
from headrace.ir.types import integer_attr, segment_sizes
from headrace.ir.walk import walk_ops as walk_ops

Index = int | SSAValue
"""An index quantity: known now, or an SSA value of type `index`."""

INDEX = IndexType()

T = TypeVar("T", bound=Operation)


def constant_of(value: Index) -> int | None:
    """The integer that `value` is known to be, else None."""
    if isinstance(value, int):
        return value
    owner = value.owner
    if type(owner) is arith.ConstantOp:
        attr = owner.properties["value"]
        return attr.value.data if isinstance(attr, IntegerAttr) else None
    return None


def constant_op(value: int, kind: IndexType | IntegerType = INDEX) -> arith.ConstantOp:
    """`arith.constant value`; an index is named after its number."""
    op = create_op(arith.ConstantOp, (), (kind,), {"value": integer_attr(value, kind)})
    if kind == INDEX:
        op.results[0].name_hint = f"c{value}" if value >= 0 else f"cm{-value}"
    return op


def insert_op(op: Operation, point: InsertPoint) -> None:
    """Insert one operation at a point."""
    if point.insert_before is not None:
        point.block.insert_op_before(op, point.insert_before)
    else:
        point.block.add_op(op)


class Emitter:
    """Inserts operations at one point; index arithmetic on known numbers is folded instead of emitted."""

    def __init__(self, point: InsertPoint, origin: Operation | None = None):
        self.point = point
        self.origin = origin
        self._constants: dict[int, SSAValue] = {}

    @classmethod
    def before(cls, op: Operation) -> Emitter:
        return cls(InsertPoint.before(op), op)

    @classmethod
    def at_end(cls, block: Block, origin: Operation | None = None) -> Emitter:
        last = block.last_op
        if last is not None and last.name in TERMINATORS:
            return cls(InsertPoint.before(last), origin)
        return cls(InsertPoint.at_end(block), origin)

    def insert(self, op: T) -> T:
        if self.origin is not None:
            copy_loc(self.origin, op)
        insert_op(op, self.point)
        return op

    def value(self, x: Index) -> SSAValue:
        """`x` as an SSA value; a number becomes an `arith.constant` (one per emitter and number)."""
        if isinstance(x, SSAValue):
            return x
        known = self._constants.get(x)
        if known is None:
            known = self._constants[x] = self.insert(constant_op(x)).results[0]
        return known

    def as_index(self, value: SSAValue) -> SSAValue:
        """`value` as an index, also where the kernel computes in another integer type."""
        if isinstance(value.type, IndexType):
            return value
        return self.insert(arith.IndexCastOp(value, INDEX)).result

    def _binary(self, cls: type, a: Index, b: Index, fold: Callable[[int, int], int]) -> Index:
        ca, cb = constant_of(a), constant_of(b)
        if ca is not None and cb is not None:
            return fold(ca, cb)
        sides = self.value(a), self.value(b)
        return self.insert(create_op(cls, sides, (sides[0].type,))).results[0]

    def add(self, a: Index, b: Index) -> Index:
        if constant_of(a) == 0:
            return b
        if constant_of(b) == 0:
            return a
        return self._binary(arith.AddiOp, a, b, lambda x, y: x + y)

    def sub(self, a: Index, b: Index) -> Index:
        if constant_of(b) == 0:
            return a
        return self._binary(arith.SubiOp, a, b, lambda x, y: x - y)

    def mul(self, a: Index, b: Index) -> Index:
        ca, cb = constant_of(a), constant_of(b)
        if ca == 0 or cb == 0:
            return 0
        if ca == 1:
            return b
        if cb == 1:
            return a
        return self._binary(arith.MuliOp, a, b, lambda x, y: x * y)

    def ceildiv(self, a: Index, b: int) -> Index:
        if b == 1:
            return a
        return self._binary(arith.CeilDivSIOp, a, b, lambda x, y: -(-x // y))

    def floordiv(self, a: Index, b: int) -> Index:
        if b == 1:
            return a
        return self._binary(arith.FloorDivSIOp, a, b, lambda x, y: x // y)

    def minimum(self, a: Index, b: Index) -> Index:
        return self._binary(arith.MinSIOp, a, b, min)

    def maximum(self, a: Index, b: Index) -> Index:
        return self._binary(arith.MaxSIOp, a, b, max)

    def product(self, factors: Iterable[Index]) -> Index:
        result: Index = 1
        for f in factors:
            result = self.mul(result, f)
        return result

    def loop(self, extent: Index, name: str = "i") -> tuple[scf.ForOp, SSAValue]:
        """`scf.for 0 to extent step 1` with an empty body (terminated); returns the op and its induction variable."""
        body = Block(arg_types=[INDEX])
        body.args[0].name_hint = name
        body.add_op(create_op(scf.YieldOp))
        op = self.insert(for_op(self.value(0), self.value(extent), self.value(1), body))
        return op, body.args[0]

    def inside(self, op: Operation) -> Emitter:
        """An emitter at the end (before the terminator) of the single block of `op`'s first region."""
        return Emitter.at_end(op.regions[0].block, self.origin)


def alloc_op(kind: Attribute, sizes: Sequence[SSAValue] = ()) -> memref.AllocOp:
    """`memref.alloc` of a type with its dynamic sizes."""
    return create_op(memref.AllocOp, sizes, (kind,), {"operandSegmentSizes": segment_sizes(len(sizes), 0)})


def for_op(
    lower: SSAValue, upper: SSAValue, step: SSAValue, body: Block, initial: Sequence[SSAValue] = ()
) -> scf.ForOp:
    """`scf.for lower to upper step step` around a terminated body; `initial` are the first values of its loop-carried
    arguments."""
    return create_op(scf.ForOp, (lower, upper, step, *initial), [v.type for v in initial], regions=(Region(body),))


TERMINATORS = frozenset({"scf.yield", "func.return", "ktdf.private_yield", "ktdf.parallel_yield", "linalg.yield"})


def ancestors(op: Operation) -> Iterator[Operation]:
    """The operations around `op`, innermost first."""
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is defined somewhere within `op`."""
    owner = value.owner
    inner = owner if isinstance(owner, Operation) else owner.parent_op()
    while inner is not None:
        if inner is op:
            return True
        inner = inner.parent_op()
    return False


def clone_slice(values: Sequence[SSAValue], mapping: dict[SSAValue, SSAValue], emit: Emitter) -> list[SSAValue]:
    """Clone, at `emit`, every operation that `values` need and `mapping` does not know; returns the mapped values.

    Definitions with regions (linalg ops) are cloned whole together with what their regions capture.
    Block arguments must be in `mapping`.
    """
    for value in values:
        _clone_value(value, mapping, emit)
    return [mapping[v] for v in values]


def _clone_value(root: SSAValue, mapping: dict[SSAValue, SSAValue], emit: Emitter) -> None:
    stack = [root]
    while stack:
        value = stack[-1]
        if value in mapping:
            stack.pop()
            continue
        if isinstance(value, BlockArgument):
            raise AssertionError("block argument without a mapping")
        op = value.owner
        assert isinstance(op, Operation)
        missing = [v for v in outer_operands(op) if v not in mapping]
        if missing:
            stack.extend(missing)
            continue
        new = copy_op(op, mapping)
        insert_op(new, emit.point)
        stack.pop()


def outer_operands(op: Operation) -> list[SSAValue]:
    """Operands of `op` plus values that its regions use from outside, in first-use order without duplicates."""
    seen: dict[SSAValue, None] = dict.fromkeys(op.operands)
    for inner in walk_ops(op):
        for v in inner.operands:
            if not is_inside(v, op):
                seen.setdefault(v)
    return list(seen)


def erase_dead(region: Region, pure: Callable[[Operation], bool]) -> bool:
    """Erase result-bearing operations without uses for which `pure` holds, until none is left; whether there was one.

    Backwards, so that one pass is enough in a single block: what is used stands in front of its users.
    """
    changed = False
    again = True
    while again:
        again = False
        block = region.last_block
        while block is not None:
            op = block.last_op
            while op is not None:
                previous = op.prev_op
                for sub in op.regions:
                    again |= erase_dead(sub, pure)
                results = op.results
                if results and results[0].first_use is None and pure(op) and all(r.first_use is None for r in results):
                    op.detach()
                    op.erase()
                    again = True
                op = previous
            block = block.prev_block
        changed |= again
        again = again and region.first_block is not region.last_block
    return changed
