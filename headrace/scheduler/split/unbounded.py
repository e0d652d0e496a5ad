"""Reductions over extents known at launch that have no upper bound: a loop over pieces of known size.

Each iteration loads a piece, the last one what is left of it, so that its extent is at most the piece's; the reduction
of such a piece is what `launch_extents` makes of it. The loop carries the result, in the type in which the reduction
accumulates.

    %x = ktdp.load A[0, 0] : 4x?              %r = scf.for %j = 0 to %n step 512 iter_args(%a = %init) {
    %r = linalg.reduce {max} ins(%x)    ->      %x = ktdp.load A[0, %j] : 4xmin(512, %n - %j)
                                                %p = linalg.reduce {max} ins(%x) ; yield max(%a, %p) }
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from headrace.ir.types import dtype_of
from headrace.numerics import semantics
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.linear import Linear
from headrace.scheduler.ops import fill, make_scalar_op
from headrace.scheduler.split import tiles
from headrace.scheduler.split.bounds import INSIDE, view_sizes
from headrace.scheduler.split.contraction import converted
from headrace.scheduler.split.hazards import overwritten
from headrace.scheduler.split.launch_extents import POINTWISE, RESHAPING, maskable
from headrace.scheduler.split.overhang import reduces
from headrace.scheduler.split.reductions import shape_of
from headrace.scheduler.split.rows import accumulator_type
from headrace.scheduler.split.scalarize import is_float, number

LEAST, MOST = 128, 4096
"""Indices of a piece."""
SHARE = 32
"""The part of the scratchpad that a piece may take: it is loaded, kept and masked."""


def loop_over_pieces(kernel: func.FuncOp, room: int) -> None:
    """Fold every reduction over an extent without upper bound in pieces; `room` is the scratchpad's free size."""
    for op in list(walk_ops(kernel, "linalg.reduce", "linalg.generic")):
        if op.parent is not None and reduces(op):
            found = _Source.of(op)
            if found is not None:
                found.rewrite(room)


def _dynamic(value: SSAValue) -> list[int]:
    """The dimensions of a tensor whose extent is only known at launch."""
    if not isinstance(value.type, TensorType):
        return []
    return [k for k, n in enumerate(value.type.get_shape()) if n == DYNAMIC_INDEX]


class _Source:
    """A reduction, and the operations that make what it folds."""

    def __init__(self, op: Operation):
        self.op = op
        self.made: list[Operation] = []
        """What is made again for each piece, in order."""
        self.extent: Linear | None = None
        self.accesses: dict[Operation, Access] = {}

    @classmethod
    def of(cls, op: Operation) -> _Source | None:
        """The reduction, if it folds an extent without upper bound and what it folds can be made in pieces."""
        inputs, inits, maps, kinds = shape_of(op)
        folded = {d for d, k in enumerate(kinds) if k == "reduction"}
        cut: set[int] = set()
        for v, m in zip(inputs, maps, strict=False):
            for k in _dynamic(v):
                expr = m.results[k]
                if not isinstance(expr, AffineDimExpr):
                    return None
                cut.add(expr.position)
        if len(cut) != 1 or not cut <= folded or not maskable(op) or any(_dynamic(v) for v in inits):
            return None
        self = cls(op)
        if not all(self.reach(v) for v in inputs) or self.extent is None:
            return None
        bounded = all(ktdf.upper_bound(v) is not None for v in self.extent.terms)
        return None if bounded else self

    def reach(self, value: SSAValue) -> bool:
        """Collect what makes a tensor of unknown extent; whether all of it can be made in pieces."""
        if not _dynamic(value):
            return True
        op = value.owner
        if not isinstance(op, Operation) or len(_dynamic(value)) != 1:
            return False
        if op in self.made:
            return True
        if op.name == "ktdp.load":
            access = describe(op)
            order = [dim.view_dim for dim in access.dims]
            if len(order) != len(value.type.get_shape()) or access.table is not None or order != sorted(order):  # type: ignore[attr-defined]
                return False
            cut = access.dims[_dynamic(value)[0]]
            start, extent = access.coords[cut.view_dim] + cut.lo, cut.extent
            size = view_sizes(access)[cut.view_dim]
            slack = size - start - extent
            if not size.is_const and not (start.is_const and start.const >= 0 and slack.is_const and slack.const >= 0):
                return False  # zeros where the tile leaves its view
            if self.extent is not None and self.extent.key() != extent.key():
                return False
            if overwritten(op, access, self.op):
                return False  # the pieces are loaded where they are folded
            self.extent = extent
            self.accesses[op] = access
        elif op.name not in ("tensor.empty", "tensor.splat"):
            if not op.name.startswith(POINTWISE) or op.name.startswith(RESHAPING) or op.name == "arith.constant":
                return False
            if not all(self.reach(v) for v in op.operands):
                return False
        self.made.append(op)
        return True

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

    def size(self, room: int) -> int:
        """Indices of a piece."""
        widest = 1
        for op in self.made:
            t = op.results[0].type
            assert isinstance(t, TensorType)
            rows = prod(n for n in t.get_shape() if n != DYNAMIC_INDEX)
            widest = max(widest, rows * dtype_of(t.element_type).bytes)
        return max(LEAST, min(MOST, room // SHARE // widest // LEAST * LEAST))

    def again(
        self, op: Operation, emit: Emitter, mapping: dict[SSAValue, SSAValue], at: SSAValue, length: SSAValue
    ) -> None:
        """Make the piece of one tensor."""
        result = op.results[0]
        t = result.type
        assert isinstance(t, TensorType)
        if op.name == "ktdp.load":
            access = self.accesses[op]
            cut = _dynamic(result)[0]
            view = [Linear()] * len(access.coords)
            shape: list[int | SSAValue] = [1] * len(access.coords)
            for k, dim in enumerate(access.dims):
                view[dim.view_dim] = dim.lo + (Linear(0, {at: 1}) if k == cut else Linear())
                shape[dim.view_dim] = length if k == cut else dim.extent.const
            coords = [c + v for c, v in zip(access.coords, view, strict=True)]
            tile = tiles.make_tile(emit, access.view.results[0], coords, shape)
            mapping[result] = tiles.load(emit, tile, t.element_type)
            loaded = mapping[result].owner
            assert isinstance(loaded, Operation)
            loaded.attributes[INSIDE] = IntegerAttr(access.dims[cut].view_dim, i64)
        elif op.name == "tensor.empty":
            mapping[result] = emit.insert(tensor.EmptyOp([length], t)).results[0]
        elif op.name == "tensor.splat":
            mapping[result] = emit.insert(tensor.SplatOp(op.operands[0], [length], t)).results[0]
        else:
            self.shift_indices(emit.insert(op.clone(mapping)), at)

    def shift_indices(self, op: Operation, at: SSAValue) -> None:
        """Let the indices of the dimension that is cut count from the beginning of the whole."""
        if not isinstance(op, linalg.GenericOp):
            return
        cut: set[int] = set()
        for v, m in zip((*op.inputs, *op.outputs), op.indexing_maps.data, strict=True):
            assert isinstance(m, AffineMapAttr)
            cut |= {d for k in _dynamic(v) for d in m.data.results[k].used_dims()}
        for inner in list(walk_ops(op, "linalg.index")):
            if inner.properties["dim"].value.data in cut:  # type: ignore[attr-defined]
                moved = arith.AddiOp(inner.results[0], at)
                inner.results[0].replace_uses_with_if(moved.result, lambda use, own=moved: use.operation is not own)
                assert inner.parent is not None
                inner.parent.insert_op_after(moved, inner)

    def fold(
        self, emit: Emitter, mapping: dict[SSAValue, SSAValue], wide: Attribute, combiner: str, at: SSAValue
    ) -> SSAValue:
        """The reduction of a piece, from the neutral element."""
        op = self.op
        t = op.results[0].type
        assert isinstance(t, TensorType)
        neutral = semantics.identity(combiner, dtype_of(wide))
        start = emit.insert(arith.ConstantOp(number(wide, float(neutral) if is_float(wide) else int(neutral)))).result
        empty = emit.insert(tensor.EmptyOp([], TensorType(wide, t.get_shape()))).results[0]
        init = emit.insert(fill(start, empty)).results[0]
        mapping[op.operands[-1]] = init
        if wide == t.element_type:
            made = op.clone(mapping)
            emit.insert(made)
            self.shift_indices(made, at)
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


def emit_length(emit: Emitter, total: SSAValue, at: SSAValue, size: int) -> SSAValue:
    """Indices of the piece that begins at `at`."""
    return emit.value(emit.minimum(size, emit.sub(total, at)))
