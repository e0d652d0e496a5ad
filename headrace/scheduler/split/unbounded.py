"""Reductions over extents known at launch that have no upper bound: a loop over pieces of known size.

Each iteration loads a piece, the last one what is left of it, so that its extent is at most the piece's; the reduction
of such a piece is what `launch_extents` makes of it. The loop carries the result, in the type in which the reduction
accumulates.

    %x = ktdp.load A[0, 0] : 4x?              %r = scf.for %j = 0 to %n step 512 iter_args(%a = %init) {
    %r = linalg.reduce {max} ins(%x)    ->      %x = ktdp.load A[0, %j] : 4xmin(512, %n - %j)
                                                %p = linalg.reduce {max} ins(%x) ; yield max(%a, %p) }
"""

from __future__ import annotations

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.ops import fill, make_scalar_op, neutral
from headrace.scheduler.split.contraction import converted
from headrace.scheduler.split.launch_extents import maskable
from headrace.scheduler.split.overhang import reduces
from headrace.scheduler.split.pieces import Pieces, dynamic_dims, emit_length
from headrace.scheduler.split.reductions import shape_of
from headrace.scheduler.split.rows import accumulator_type
from headrace.scheduler.split.scalarize import number


def loop_over_pieces(kernel: func.FuncOp, room: int) -> None:
    """Fold every reduction over an extent without upper bound in pieces; `room` is the scratchpad's free size."""
    for op in list(walk_ops(kernel, "linalg.reduce", "linalg.generic")):
        if op.parent is not None and reduces(op):
            found = _Source.of(op)
            if found is not None:
                found.rewrite(room)


class _Source(Pieces):
    """A reduction, and the operations that make what it folds."""

    @classmethod
    def of(cls, op: Operation) -> _Source | None:
        """The reduction, if it folds an extent without upper bound and what it folds can be made in pieces."""
        inputs, inits, maps, kinds = shape_of(op)
        folded = {d for d, k in enumerate(kinds) if k == "reduction"}
        cut: set[int] = set()
        for v, m in zip(inputs, maps, strict=False):
            for k in dynamic_dims(v):
                expr = m.results[k]
                if not isinstance(expr, AffineDimExpr):
                    return None
                cut.add(expr.position)
        if len(cut) != 1 or not cut <= folded or not maskable(op) or any(dynamic_dims(v) for v in inits):
            return None
        self = cls(op)
        return self if all(self.reach(v) for v in inputs) and self.unbounded else None

    # -- rewriting ----------------------------------------------------------------------------------------------------

    def rewrite(self, room: int) -> None:
        """Put the loop in the place of the reduction."""
        op, extent = self.op, self.extent
        assert extent is not None
        element = op.results[0].type.element_type  # type: ignore[attr-defined]
        combiner = op.regions[0].block.last_op.operands[0].owner  # type: ignore[union-attr]
        assert isinstance(combiner, Operation)
        wide = accumulator_type(element, combiner.name)
        if wide != element and not isinstance(op, linalg.ReduceOp):
            wide = element  # what its body computes is of its own type
        emit = Emitter.before(op)
        init = converted(emit, shape_of(op)[1][0], wide)
        size = self.size(room)
        total = emit.value(extent.emit(emit))
        block = Block(arg_types=[total.type, init.type])
        block.args[0].name_hint = "j"
        inner = Emitter.at_end(block, op)
        length = emit_length(inner, total, block.args[0], size)
        mapping: dict[SSAValue, SSAValue] = {}
        for source in self.made:
            self.again(source, inner, mapping, block.args[0], length)
        part = self.fold(inner, mapping, wide, combiner.name, block.args[0])
        joined = inner.insert(make_scalar_op(combiner.name, [block.args[1], part], init.type, op)).results[0]
        inner.insert(scf.YieldOp(joined))
        loop = emit.insert(scf.ForOp(emit.value(0), total, emit.value(size), [init], Region(block)))
        op.results[0].replace_all_uses_with(converted(emit, loop.results[0], element))
        op.detach()
        op.erase()

    def fold(
        self, emit: Emitter, mapping: dict[SSAValue, SSAValue], wide: Attribute, combiner: str, at: SSAValue
    ) -> SSAValue:
        """The reduction of a piece, from the neutral element."""
        op = self.op
        t = op.results[0].type
        assert isinstance(t, TensorType)
        start = emit.insert(arith.ConstantOp(number(wide, neutral(combiner, wide)))).result
        empty = emit.insert(tensor.EmptyOp([], TensorType(wide, t.get_shape()))).results[0]
        init = emit.insert(fill(start, empty)).results[0]
        mapping[op.operands[-1]] = init
        if wide == t.element_type:
            made = op.clone(mapping)
            emit.insert(made)
            self.shift_indices(op, made, at)
            return made.results[0]
        block = Block(arg_types=[wide, wide])
        folded = make_scalar_op(combiner, block.args, wide, op)
        block.add_op(folded)
        block.add_op(linalg.YieldOp(folded.results[0]))
        value = converted(emit, mapping.get(op.operands[0], op.operands[0]), wide)
        return emit.insert(
            linalg.ReduceOp.create(
                operands=[value, init],
                result_types=[init.type],
                properties=dict(op.properties),
                regions=[Region(block)],
            )
        ).results[0]
