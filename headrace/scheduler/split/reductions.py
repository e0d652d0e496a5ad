"""Reductions of a program: which domain dimensions they fold, with which combiner, over which term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import linalg
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.scheduler.linear import Linear, of_affine
from headrace.scheduler.split.scalarize import PASS, DomainDim, Node, iterator_kinds

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder

COMBINERS = frozenset(
    {
        "arith.addf",
        "arith.mulf",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "arith.addi",
        "arith.muli",
        "arith.maxsi",
        "arith.minsi",
        "arith.maxui",
        "arith.minui",
        "arith.andi",
        "arith.ori",
        "arith.xori",
    }
)
"""Scalar ops that a reduction may fold with: associative and commutative."""


class Reductions:
    """Makes one Node per reduction result and place of use; equal requests share it."""

    def __init__(self, builder: Builder):
        self.builder = builder
        self._known: dict[tuple[object, ...], Node] = {}

    def node(self, op: Operation, value: SSAValue, coords: list[Linear]) -> Node:
        """The node for result `value` of the reduction `op` at `coords`."""
        key = (value, *(c.key() for c in coords))
        node = self._known.get(key)
        if node is None:
            node = self._make(op, value, coords)
            self._known[key] = node
            self.builder.nodes.append(node)
        return node

    def _make(self, op: Operation, value: SSAValue, coords: list[Linear]) -> Node:
        which = list(op.results).index(value)  # type: ignore[arg-type]
        inputs, inits, maps, kinds = shape_of(op)
        out = maps[len(inputs) + which]
        iteration: list[Linear | None] = [None] * len(kinds)
        parallel: list[int] = []
        for expr, at in zip(out.results, coords, strict=True):
            if not isinstance(expr, AffineDimExpr):
                raise error(op, f"a reduction whose output map is no permutation is not supported by {PASS}")
            iteration[expr.position] = at
            if len(at.terms) == 1 and not at.const:
                (term, c), *_ = at.terms.items()
                if isinstance(term, DomainDim) and c == 1:
                    parallel.append(term.index)
                    continue
            if not at.is_const:
                raise error(
                    op, f"a reduction result that is read at shifted or combined coordinates is not supported by {PASS}"
                )
        extents = extents_of(op, inputs + inits, maps, len(kinds))
        reduced: list[int] = []
        for k, kind in enumerate(kinds):
            if kind == "reduction":
                extent = extents[k]
                if extent is None:
                    raise error(
                        op, f"a reduction over an extent that is only known at launch is not supported by {PASS}"
                    )
                dim = self._domain_dim(extent, {*parallel, *reduced})
                reduced.append(dim)
                iteration[k] = Linear(0, {DomainDim(dim): 1})  # type: ignore[dict-item]
            elif iteration[k] is None:
                raise error(op, f"a reduction output that drops a parallel dimension is not supported by {PASS}")
        point = [i if i is not None else Linear() for i in iteration]
        block = op.regions[0].block
        term, combiner = self._term(op, block, inputs, maps, point, which)
        segment = self.builder.segment(Block())
        positions = {}
        for arg, m in zip(block.args, maps, strict=True):
            forms = [of_affine(e, point, m.num_dims) for e in m.results]
            if any(f is None for f in forms):
                raise error(op, f"an indexing map that is not linear is not supported by {PASS}")
            positions[arg] = [f for f in forms if f is not None]
        tensors = dict(zip(block.args[: len(inputs)], inputs, strict=True))
        scalar = segment.evaluate(block, tensors, positions, point, op, term)
        t = value.type
        assert isinstance(t, TensorType)
        return Node(op, segment, scalar, combiner, inits[which], tuple(parallel), tuple(reduced), t.element_type)

    def _term(
        self,
        op: Operation,
        block: Block,
        inputs: list[SSAValue],
        maps: list[AffineMap],
        point: list[Linear],
        which: int,
    ) -> tuple[SSAValue, Operation]:
        """(the value folded per point, the combining op) of one result."""
        del maps, point
        last = block.last_op
        assert last is not None
        combiner = last.operands[which].owner
        accumulator = block.args[len(inputs) + which]
        if not isinstance(combiner, Operation) or combiner.name not in COMBINERS:
            name = combiner.name if isinstance(combiner, Operation) else "nothing"
            raise error(op, f"a reduction that combines with '{name}' is not supported by {PASS}")
        sides = [v for v in combiner.operands if v is not accumulator]
        if len(sides) != 1:
            raise error(op, f"a reduction whose combiner does not take its accumulator once is not supported by {PASS}")
        return sides[0], combiner

    def _domain_dim(self, extent: int, taken: set[int]) -> int:
        """A domain dimension of that extent to reduce over: one of the program's own if possible, else a new one."""
        builder = self.builder
        for k in range(len(builder.loops), len(builder.extents)):
            known = builder.extents[k]
            if k not in taken and known == extent:
                return k
        builder.extents.append(extent)
        builder.multiples.append(1)
        builder.rank += 1
        return len(builder.extents) - 1


def shape_of(op: Operation) -> tuple[list[SSAValue], list[SSAValue], list[AffineMap], list[str]]:
    """(inputs, inits, indexing maps, iterator kinds) of a `linalg.reduce` or `linalg.generic`."""
    if isinstance(op, linalg.GenericOp):
        maps = [m.data for m in op.indexing_maps.data if isinstance(m, AffineMapAttr)]  # pyright: ignore
        return list(op.inputs), list(op.outputs), maps, iterator_kinds(op)  # pyright: ignore
    half = len(op.operands) // 2
    inputs, inits = list(op.operands[:half]), list(op.operands[half:])
    t = inputs[0].type
    assert isinstance(t, TensorType)
    rank = len(t.get_shape())
    dimensions = set(op.properties["dimensions"].get_values())  # type: ignore[attr-defined]
    kept = tuple(AffineDimExpr(k) for k in range(rank) if k not in dimensions)
    maps = [AffineMap.identity(rank)] * half + [AffineMap(rank, 0, kept)] * half
    return inputs, inits, maps, ["reduction" if k in dimensions else "parallel" for k in range(rank)]


def extents_of(op: Operation, operands: list[SSAValue], maps: list[AffineMap], rank: int) -> list[int | None]:
    """Constant iteration extents, from the operands that walk each dimension alone."""
    extents: list[int | None] = [None] * rank
    for v, m in zip(operands, maps, strict=True):
        assert isinstance(v.type, TensorType)
        for expr, n in zip(m.results, v.type.get_shape(), strict=True):
            if isinstance(expr, AffineDimExpr) and n != DYNAMIC_INDEX:
                extents[expr.position] = n
    del op
    return extents
