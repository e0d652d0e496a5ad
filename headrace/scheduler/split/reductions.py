"""Reductions of a program: which domain dimensions they fold, with which combiner, over which term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.elements import splat_value
from headrace.scheduler.build import constant_of
from headrace.scheduler.linear import Linear, of_affine
from headrace.scheduler.ops import neutral
from headrace.scheduler.split.carried import accumulation
from headrace.scheduler.split.contraction import is_number, is_zero, wide_type
from headrace.scheduler.split.cuts import DomainDim, KeepStates, Materialise
from headrace.scheduler.split.scalarize import PASS, Node, iterator_kinds

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder
    from headrace.scheduler.split.scalarize import Scalarizer

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
        self._shifts: dict[SSAValue, tuple[int, ...]] = {}

    def node(self, op: Operation, value: SSAValue, coords: list[Linear]) -> Node:
        """The node for result `value` of the reduction `op` at `coords`."""
        key = (value, *(c.key() for c in coords))
        node = self._known.get(key)
        if node is None:
            shift = tuple(0 if c.is_const else c.const for c in coords)
            if self._shifts.setdefault(value, shift) != shift:
                raise Materialise(value, op, "its result is read at different shifts")
            node = self._make(op, value, coords)
            self._known[key] = node
            self.builder.nodes.append(node)
        return node

    def _make(self, op: Operation, value: SSAValue, coords: list[Linear]) -> Node:
        if isinstance(op, scf.ForOp):
            return self._carried(op, value, coords)
        which = list(op.results).index(value)  # type: ignore[arg-type]
        init = shape_of(op)[1][which]
        parallel, reduced, segment, scalar, combiner = self._fold(op, which, coords, [])
        return self._finished(op, value, segment, scalar, combiner, init, parallel, reduced)

    def _carried(self, loop: scf.ForOp, value: SSAValue, coords: list[Linear]) -> Node:
        """A tensor that a loop gathers: the loop is one more reduced dimension."""
        position = list(loop.results).index(value)  # type: ignore[arg-type]
        found = accumulation(loop, position, COMBINERS)
        combiner, init = found.combiner, loop.iter_args[position]
        dims = [self.builder.loop_dims[loop]]
        while isinstance(found.reduction, scf.ForOp):
            inner = found.reduction
            dims.append(self.builder.loop_dims[inner])
            start = inner.iter_args[found.which]
            found = accumulation(inner, found.which, COMBINERS)
            if found.combiner.name != combiner.name or not starts_neutral(start, combiner.name):
                raise error(inner, f"nested loops that gather in different ways are not supported by {PASS}")
        if found.reduction is not None:
            parallel, reduced, segment, scalar, _ = self._fold(found.reduction, found.which, coords, dims)
        else:
            assert found.value is not None
            parallel = [p for at in coords for p in self._parallel_dims(loop, value, at)]
            reduced = dims
            segment = self.builder.segment(Block())
            scalar = segment.element(found.value, coords, loop)
        return self._finished(loop, value, segment, scalar, combiner, init, parallel, reduced)

    def _finished(
        self,
        op: Operation,
        value: SSAValue,
        segment: Scalarizer,
        scalar: SSAValue,
        combiner: Operation,
        init: SSAValue,
        parallel: list[int],
        reduced: list[int],
    ) -> Node:
        """The node; a start that is no known number is combined with the result, in the type of the accumulator."""
        t = value.type
        assert isinstance(t, TensorType)
        node = Node(op, value, segment, scalar, combiner, init, tuple(parallel), tuple(reduced), t.element_type)
        if not is_number(init):
            node.start = init
            if combiner.name in ("arith.addf", "arith.mulf"):
                node.element_type = wide_type(t.element_type)
        return node

    def _parallel_dims(self, op: Operation, value: SSAValue, at: Linear) -> list[int]:
        """The domain dimensions that a coordinate walks, densely and from some number on; none for a constant one.

        Raises Materialise for other coordinates (every second one, or a diagonal).
        """
        if at.is_const:
            return []
        found: list[int] = []
        reach = 1
        for term, c in sorted(at.terms.items(), key=lambda x: x[1]):
            extent = self.builder.extents[term.index] if isinstance(term, DomainDim) else None
            if not isinstance(term, DomainDim) or c != reach or (c != 1 and not isinstance(extent, int)):
                raise Materialise(value, op, "its result is read at spread or combined coordinates")
            found.append(term.index)
            if isinstance(extent, int):
                reach = c * extent
        return found

    def _fold(
        self, op: Operation, which: int, coords: list[Linear], around: list[int]
    ) -> tuple[list[int], list[int], Scalarizer, SSAValue, Operation]:
        """(parallel dimensions, reduced ones, segment, its term, combiner) of result `which` of a reduction inside the
        loops whose dimensions are `around`."""
        inputs, inits, maps, kinds = shape_of(op)
        out = maps[len(inputs) + which]
        iteration: list[Linear | None] = [None] * len(kinds)
        parallel: list[int] = []
        for expr, at in zip(out.results, coords, strict=True):
            if not isinstance(expr, AffineDimExpr):
                raise error(op, f"a reduction whose output map is no permutation is not supported by {PASS}")
            iteration[expr.position] = at
            parallel += self._parallel_dims(op, op.results[which], at)
        extents = extents_of(op, inputs + inits, maps, len(kinds))
        reduced: list[int] = list(around)
        for k, kind in enumerate(kinds):
            if kind == "reduction":
                extent = extents[k]
                if extent is None:
                    raise error(
                        op, f"a reduction over an extent that is only known at launch is not supported by {PASS}"
                    )
                form = self._axis(extent, {*parallel, *reduced})
                reduced += [t.index for t in form.terms]  # type: ignore[attr-defined]
                iteration[k] = form
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
        return parallel, reduced, segment, scalar, combiner

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

    def _axis(self, extent: int, taken: set[int]) -> Linear:
        """The index of a dimension of that extent to reduce over: one of the program's own if possible, else a new
        one."""
        builder = self.builder
        loops = set(builder.loop_dims.values())
        own = builder.axes[len(builder.loops) : builder.tile_rank]
        for known, form in (*builder.axes[builder.tile_rank :], *own):
            dims = {t.index for t in form.terms}  # type: ignore[attr-defined]
            if known == extent and not dims & taken and not dims & loops:
                return form
        for k in range(len(builder.loops), builder.rank):
            if builder.extents[k] == extent and k not in taken and k not in loops:
                return Linear(0, {DomainDim(k): 1})  # type: ignore[dict-item]
        return builder.add_axis(builder.new_dim(extent), ("reduced", len(builder.axes)))


def check_kept(nodes: list[Node]) -> None:
    """A reduction that keeps a dimension which another one folds must be a program of its own.

    Raises Materialise for the first one of such a pair in order of dependence: the other may use it.
    """
    for position, node in enumerate(nodes):
        for other in nodes[position + 1 :]:
            if set(other.reduced) & set(node.parallel):
                raise Materialise(node.value, node.op, "it keeps a dimension that another reduction folds")
            if set(node.reduced) & set(other.parallel):
                raise Materialise(node.value, node.op, "it folds a dimension that another reduction keeps")


def check_walked(builder: Builder) -> None:
    """Raise Materialise for a reduction over a dimension that nothing it reads walks: the tensor that it folds has to
    be in memory."""
    for node in builder.nodes:
        walked: set[int] = set()
        for source in node.segment.inputs:
            if isinstance(source, Node):
                walked |= set(source.parallel)
            else:
                walked |= {d for d in node.reduced if source.walks(d)}
        left = [d for d in node.reduced if d not in walked and constant_of(builder.extents[d]) != 1]
        if left and isinstance(node.op, scf.ForOp):
            raise KeepStates(node.value, node.op)
        if left:
            inputs = shape_of(node.op)[0]
            raise Materialise(inputs[0], node.op, "a reduction folds a dimension that no operand walks")


def neutral_start(init: SSAValue, combiner: str) -> bool:
    """Whether a tensor is filled with the neutral element of a combiner."""
    op = init.owner
    if not isinstance(op, Operation) or not isinstance(init.type, TensorType):
        return False
    attr = op.properties.get("value") if op.name == "arith.constant" else None
    if op.name == "linalg.fill" and isinstance(op.operands[0].owner, Operation):
        scalar = op.operands[0].owner.properties.get("value")
        number = getattr(getattr(scalar, "value", None), "data", None)
    else:
        number = splat_value(attr)
    return number is not None and number == neutral(combiner, init.type.element_type)


def starts_neutral(init: SSAValue, combiner: str) -> bool:
    """Whether folding from `init` adds nothing to the result."""
    return is_zero(init) if combiner in ("arith.addf", "arith.addi") else neutral_start(init, combiner)


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
