"""The part of a row generic's body that the innermost loops do not change."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from headrace.scheduler.build import Emitter


class Invariants:
    """Operations of an elementwise body by the loop depth at which their operands are known.

    `depth_of[i]` is the depth at which input i is read, 0 in front of all `depth` loops. Operations that are known
    before the innermost loop are emitted at their own depth, one vector wide, and their results become further inputs
    of what remains.
    """

    def __init__(self, generic: linalg.GenericOp, depth_of: Sequence[int], depth: int):
        self.block = generic.body.block
        self.depth = depth
        self.at: dict[SSAValue, int] = {}
        for argument in self.block.args:
            self.at[argument] = depth_of[argument.index] if argument.index < len(depth_of) else depth
        self.hoisted: dict[int, list[Operation]] = {}
        for op in self.block.ops:
            known = depth if op.name == "linalg.index" else max((self.at.get(v, 0) for v in op.operands), default=0)
            constant = isinstance(op, arith.ConstantOp)
            for result in op.results:
                self.at[result] = known
            if known < depth and not constant and op is not self.block.last_op and not op.regions:
                self.hoisted.setdefault(known, []).append(op)
        moved = {op for ops in self.hoisted.values() for op in ops}
        self.rest = [op for op in self.block.ops if op not in moved]
        self.results = [
            r
            for known in sorted(self.hoisted)
            for op in self.hoisted[known]
            for r in op.results
            if any(u.operation not in moved or self.at_op(u.operation) != known for u in r.uses)
        ]
        self._values: dict[tuple[SSAValue, int], SSAValue] = {}

    def at_op(self, op: Operation) -> int:
        """The depth of an operation of the body."""
        return max((self.at.get(v, 0) for v in op.operands), default=0)

    def emit(self, emit: Emitter, depth: int, inputs: Sequence[SSAValue | None], n: int) -> None:
        """Compute what is known at `depth`, `n` elements wide; `inputs` are the tensors read so far."""
        ops = self.hoisted.get(depth, [])
        if not ops:
            return
        made = [r for op in ops for r in op.results if r in self.results]
        sources: list[SSAValue] = []
        for op in ops:
            for v in op.operands:
                argument = isinstance(v, BlockArgument) and v.block is self.block
                if (argument or (v in self.results and v not in made)) and v not in sources:
                    sources.append(v)
        tensors = [self._values[v, n] if (v, n) in self._values else self._input(v, inputs) for v in sources]
        block = Block(arg_types=[*(v.type for v in sources), *(r.type for r in made)])
        mapping: dict[SSAValue, SSAValue] = dict(zip(sources, block.args, strict=False))
        _clone(self._with_constants(ops), block, mapping)
        block.add_op(linalg.YieldOp(*(mapping[r] for r in made)))
        types = [TensorType(r.type, [n]) for r in made]
        empties = [emit.insert(tensor.EmptyOp([], t)).results[0] for t in types]
        identity = AffineMapAttr(AffineMap.identity(1))
        op = linalg.GenericOp(
            tensors,
            empties,
            Region(block),
            [identity] * (len(tensors) + len(empties)),
            [IteratorTypeAttr.parallel()],
            types,
        )
        emit.insert(op)
        for r, value in zip(made, op.results, strict=True):
            self._values[r, n] = value

    def tensors(self, n: int) -> list[SSAValue]:
        """The further inputs of the remaining body."""
        return [self._values[r, n] for r in self.results]

    def body(self) -> Region:
        """The remaining body; its arguments are the inputs, the further inputs, and the outputs."""
        inputs = [a for a in self.block.args if a.index < len(self.block.args) - self._outputs]
        outputs = self.block.args[len(inputs) :]
        sources = [*inputs, *self.results, *outputs]
        block = Block(arg_types=[v.type for v in sources])
        mapping: dict[SSAValue, SSAValue] = dict(zip(sources, block.args, strict=True))
        _clone(self.rest, block, mapping)
        return Region(block)

    @property
    def _outputs(self) -> int:
        last = self.block.last_op
        assert last is not None
        return len(last.operands)

    def _input(self, value: SSAValue, inputs: Sequence[SSAValue | None]) -> SSAValue:
        assert isinstance(value, BlockArgument)
        found = inputs[value.index]
        assert found is not None
        return found

    def _with_constants(self, ops: Sequence[Operation]) -> list[Operation]:
        """The operations with the body's constants that they use in front."""
        needed = {v.owner for op in ops for v in op.operands if isinstance(v.owner, arith.ConstantOp)}
        return [op for op in self.block.ops if op in needed or op in ops]


def _clone(ops: Sequence[Operation], block: Block, mapping: dict[SSAValue, SSAValue]) -> None:
    for op in ops:
        clone = op.clone(mapping)
        block.add_op(clone)
        mapping.update(zip(op.results, clone.results, strict=True))
