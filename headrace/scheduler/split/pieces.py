"""Tensors of one unknown extent without upper bound, made again in pieces of known size.

A piece is what a loop over the extent makes of `length` indices from `at` on: the loads take the part of their tile
that there is, operations on it are copied.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.bounds import INSIDE, view_sizes
from headrace.scheduler.split.hazards import overwritten
from headrace.scheduler.split.launch_extents import POINTWISE, RESHAPING

LEAST, MOST = 128, 4096
"""Indices of a piece."""
SHARE = 32
"""The part of the scratchpad that a piece may take: it is loaded, kept and masked."""


def dynamic_dims(value: SSAValue) -> list[int]:
    """The dimensions of a tensor whose extent is only known at launch."""
    if not isinstance(value.type, TensorType):
        return []
    return [k for k, n in enumerate(value.type.get_shape()) if n == DYNAMIC_INDEX]


def one_dimension(op: Operation) -> bool:
    """Whether an operation walks the unknown extent of all its tensors by one dimension as it is."""
    if not isinstance(op, linalg.GenericOp):
        return True
    found: set[AffineExpr] = set()
    for v, m in zip((*op.inputs, *op.outputs), op.indexing_maps.data, strict=True):
        found |= {m.data.results[k] for k in dynamic_dims(v)}
    return len(found) == 1 and all(isinstance(e, AffineDimExpr) for e in found)


class Pieces:
    """What makes the tensors that an operation uses, as far as they have the unknown extent."""

    def __init__(self, op: Operation):
        self.op = op
        self.made: list[Operation] = []
        """What is made again for each piece, in order."""
        self.extent: Linear | None = None
        self.accesses: dict[Operation, Access] = {}

    @property
    def unbounded(self) -> bool:
        """Whether there is an extent, and it has no upper bound."""
        return self.extent is not None and any(ktdf.upper_bound(v) is None for v in self.extent.terms)

    def reach(self, value: SSAValue) -> bool:
        """Collect what makes a tensor of unknown extent; whether all of it can be made in pieces."""
        if not dynamic_dims(value):
            return True
        op = value.owner
        if not isinstance(op, Operation) or len(dynamic_dims(value)) != 1:
            return False
        if op in self.made:
            return True
        if op.name == "ktdp.load":
            access = describe(op)
            if not self.take(access, value):
                return False
            if overwritten(op, access, self.op):
                return False  # the pieces are loaded where they are folded
        elif op.name not in ("tensor.empty", "tensor.splat"):
            if not op.name.startswith(POINTWISE) or op.name.startswith(RESHAPING) or op.name == "arith.constant":
                return False
            if not all(self.reach(v) for v in op.operands) or not one_dimension(op):
                return False
        self.made.append(op)
        return True

    def take(self, access: Access, value: SSAValue) -> bool:
        """Whether an access of a tensor of unknown extent has parts that pieces can take."""
        order = [dim.view_dim for dim in access.dims]
        if len(order) != len(value.type.get_shape()) or access.table is not None or order != sorted(order):  # type: ignore[attr-defined]
            return False
        cut = access.dims[dynamic_dims(value)[0]]
        start, extent = access.coords[cut.view_dim] + cut.lo, cut.extent
        size = view_sizes(access)[cut.view_dim]
        slack = size - start - extent
        if not size.is_const and not (start.is_const and start.const >= 0 and slack.is_const and slack.const >= 0):
            return False  # zeros where the tile leaves its view
        if self.extent is not None and self.extent.key() != extent.key():
            return False
        self.extent = extent
        self.accesses[access.op] = access
        return True

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
            loaded = tiles.load(emit, self.part(op, result, emit, at, length), t.element_type)
            assert isinstance(loaded.owner, Operation)
            self.keep_inside(op, result, loaded.owner)
            mapping[result] = loaded
        elif op.name == "tensor.empty":
            mapping[result] = emit.insert(tensor.EmptyOp([length], t)).results[0]
        elif op.name == "tensor.splat":
            mapping[result] = emit.insert(tensor.SplatOp(op.operands[0], [length], t)).results[0]
        else:
            self.shift_indices(emit.insert(op.clone(mapping)), at)

    def part(self, op: Operation, value: SSAValue, emit: Emitter, at: SSAValue, length: SSAValue) -> SSAValue:
        """The access tile of the piece of a load or store."""
        access = self.accesses[op]
        cut = dynamic_dims(value)[0]
        view = [Linear()] * len(access.coords)
        shape: list[int | SSAValue] = [1] * len(access.coords)
        for k, dim in enumerate(access.dims):
            view[dim.view_dim] = dim.lo + (Linear(0, {at: 1}) if k == cut else Linear())
            shape[dim.view_dim] = length if k == cut else dim.extent.const
        coords = [c + v for c, v in zip(access.coords, view, strict=True)]
        return tiles.make_tile(emit, access.view.results[0], coords, shape)

    def keep_inside(self, op: Operation, value: SSAValue, made: Operation) -> None:
        """Say that a load or store of a piece stays inside its view where it is cut, as that of the whole does."""
        cut = self.accesses[op].dims[dynamic_dims(value)[0]]
        made.attributes[INSIDE] = IntegerAttr(cut.view_dim, i64)

    def shift_indices(self, op: Operation, at: SSAValue) -> None:
        """Let the indices of the dimension that is cut count from the beginning of the whole."""
        if not isinstance(op, linalg.GenericOp):
            return
        cut: set[int] = set()
        for v, m in zip((*op.inputs, *op.outputs), op.indexing_maps.data, strict=True):
            assert isinstance(m, AffineMapAttr)
            cut |= {d for k in dynamic_dims(v) for d in m.data.results[k].used_dims()}
        for inner in list(walk_ops(op, "linalg.index")):
            if inner.properties["dim"].value.data in cut:  # type: ignore[attr-defined]
                moved = arith.AddiOp(inner.results[0], at)
                inner.results[0].replace_uses_with_if(moved.result, lambda use, own=moved: use.operation is not own)
                assert inner.parent is not None
                inner.parent.insert_op_after(moved, inner)


def emit_length(emit: Emitter, total: SSAValue, at: SSAValue, size: int) -> SSAValue:
    """Indices of the piece that begins at `at`."""
    return emit.value(emit.minimum(size, emit.sub(total, at)))
