"""Tensors of one unknown extent without upper bound, made again in pieces of known size.

A piece is what a loop over the extent makes of `length` indices from `at` on: the loads take the part of their tile
that there is, operations on it are copied.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr
from xdsl.rewriter import Rewriter

from headrace.ir.types import dtype_of
from headrace.ir.upstream.linalg import CONTRACTIONS, indexing_maps_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.bounds import know_inside, view_sizes
from headrace.scheduler.split.hazards import overwritten
from headrace.scheduler.split.launch_extents import POINTWISE, RESHAPING
from headrace.scheduler.split.view_extents import is_open

LEAST, MOST = 128, 4096
"""Indices of a piece."""
SHARE = 32
"""The part of the scratchpad that a piece may take: it is loaded, kept and masked."""


def dynamic_dims(value: SSAValue) -> list[int]:
    """The dimensions of a tensor whose extent is only known at launch."""
    if not isinstance(value.type, TensorType):
        return []
    return [k for k, n in enumerate(value.type.get_shape()) if n == DYNAMIC_INDEX]


def extents_of(value: SSAValue) -> list[object]:
    """What the extent of each dimension of a tensor is: a key for one that is only known at launch, None for others
    and where it is not found."""
    if not isinstance(value.type, TensorType):
        return []
    shape = value.type.get_shape()
    op = value.owner
    if not isinstance(op, Operation) or DYNAMIC_INDEX not in shape:
        return [None] * len(shape)
    if op.name == "ktdp.load":
        found = [dim.extent.key() for dim in describe(op).dims]
        return [k if n == DYNAMIC_INDEX else None for k, n in zip(found, shape, strict=True)] if len(found) == len(
            shape) else [None] * len(shape)  # fmt: skip
    if op.name in ("tensor.empty", "tensor.splat"):
        sizes = iter(op.operands if op.name == "tensor.empty" else op.operands[1:])
        return [linear(next(sizes)).key() if n == DYNAMIC_INDEX else None for n in shape]
    if op.name.startswith("linalg.") and len(op.results) <= len(op.operands):
        return extents_of(op.operands[len(op.operands) - len(op.results) + value.index])  # type: ignore[attr-defined]
    alike = [v for v in op.operands if isinstance(v.type, TensorType) and v.type.get_shape() == shape]
    return extents_of(alike[0]) if alike and op.name.startswith(POINTWISE) else [None] * len(shape)


class Pieces:
    """What makes the tensors that an operation uses, as far as they have the unknown extent: the only one, or the one
    of `key` (`extents_of`)."""

    def __init__(self, op: Operation, key: object = None):
        self.op, self.key = op, key
        self.made: list[Operation] = []
        """What is made again for each piece, in order."""
        self.extent: Linear | None = None
        self.accesses: dict[Operation, Access] = {}

    @property
    def unbounded(self) -> bool:
        """Whether there is an extent, and it has no upper bound."""
        return self.extent is not None and any(ktdf.upper_bound(v) is None for v in self.extent.terms)

    def cuts(self, value: SSAValue) -> list[int]:
        """The dimensions of a tensor that have the extent."""
        if self.key is None:
            return dynamic_dims(value)
        return [k for k, found in enumerate(extents_of(value)) if found == self.key]

    def one_dimension(self, op: Operation) -> bool:
        """Whether an operation walks the extent of all its tensors by one dimension as it is."""
        if isinstance(op, linalg.GenericOp):
            maps = [m.data for m in op.indexing_maps.data]
        elif op.name in CONTRACTIONS:
            maps = indexing_maps_of(op)
        else:
            return True
        found: set[AffineExpr] = set()
        for v, m in zip(op.operands, maps, strict=True):
            found |= {m.results[k] for k in self.cuts(v)}
        return len(found) == 1 and all(isinstance(e, AffineDimExpr) for e in found)

    def reach(self, value: SSAValue) -> bool:
        """Collect what makes a tensor of unknown extent; whether all of it can be made in pieces."""
        if not self.cuts(value):
            return True
        op = value.owner
        if not isinstance(op, Operation) or len(self.cuts(value)) != 1:
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
            regroups = op.name.startswith(RESHAPING) and op.name not in CONTRACTIONS
            if not op.name.startswith(POINTWISE) or regroups or op.name == "arith.constant":
                return False
            if not all(self.reach(v) for v in op.operands) or not self.one_dimension(op):
                return False
        self.made.append(op)
        return True

    def take(self, access: Access, value: SSAValue) -> bool:
        """Whether an access of a tensor of unknown extent has parts that pieces can take."""
        order = [dim.view_dim for dim in access.dims]
        if len(order) != len(value.type.get_shape()) or access.table is not None or order != sorted(order):  # type: ignore[attr-defined]
            return False
        cut = access.dims[self.cuts(value)[0]]
        start, extent = access.coords[cut.view_dim] + cut.lo, cut.extent
        size = view_sizes(access)[cut.view_dim]
        slack = size - start - extent
        within = start.is_const and start.const >= 0 and slack.is_const and slack.const >= 0
        if is_open(access.view, cut.view_dim) and not within:
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
        self, op: Operation, emit: Emitter, mapping: dict[SSAValue, SSAValue], at: SSAValue, length: SSAValue | int
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
            sizes = self.sizes(result, op.operands, length)
            mapping[result] = emit.insert(tensor.EmptyOp(sizes, self.narrow(result, length))).results[0]
        elif op.name == "tensor.splat":
            sizes = self.sizes(result, op.operands[1:], length)
            made = tensor.SplatOp(op.operands[0], sizes, self.narrow(result, length))
            mapping[result] = emit.insert(made).results[0]
        else:
            made = emit.insert(op.clone(mapping))
            self.shift_indices(op, made, at)
            for old, new in zip(op.results, made.results, strict=True):
                if self.cuts(old):
                    mapping[old] = Rewriter.replace_value_with_new_type(new, self.narrow(old, length))

    def narrow(self, value: SSAValue, length: SSAValue | int) -> TensorType[Attribute]:
        """The type of a piece of a tensor."""
        t = value.type
        assert isinstance(t, TensorType)
        if not isinstance(length, int):
            return t
        return TensorType(t.element_type, [length if k in self.cuts(value) else n for k, n in enumerate(t.get_shape())])

    def sizes(self, value: SSAValue, sizes: Sequence[SSAValue], length: SSAValue | int) -> list[SSAValue]:
        """The extents of a piece of a tensor that its type leaves open, from those of the tensor."""
        cut = self.cuts(value)
        pairs = list(zip(dynamic_dims(value), sizes, strict=True))
        if isinstance(length, int):
            return [v for k, v in pairs if k not in cut]
        return [length if k in cut else v for k, v in pairs]

    def part(self, op: Operation, value: SSAValue, emit: Emitter, at: SSAValue, length: SSAValue | int) -> SSAValue:
        """The access tile of the piece of a load or store."""
        access = self.accesses[op]
        cut = self.cuts(value)[0]
        view = [Linear()] * len(access.coords)
        shape: list[int | SSAValue] = [1] * len(access.coords)
        for k, dim in enumerate(access.dims):
            view[dim.view_dim] = dim.lo + (Linear(0, {at: 1}) if k == cut else Linear())
            shape[dim.view_dim] = length if k == cut else dim.extent.emit(emit)
        coords = [c + v for c, v in zip(access.coords, view, strict=True)]
        return tiles.make_tile(emit, access.view.results[0], coords, shape)

    def keep_inside(self, op: Operation, value: SSAValue, made: Operation) -> None:
        """Say that a load or store of a piece stays inside its view where it is cut, as that of the whole does."""
        cut = self.accesses[op].dims[self.cuts(value)[0]]
        know_inside(made, cut.view_dim, op)

    def shift_indices(self, op: Operation, made: Operation, at: SSAValue) -> None:
        """Let the indices of the dimension that is cut count from the beginning of the whole, in the copy `made`."""
        if not isinstance(op, linalg.GenericOp):
            return
        cut: set[int] = set()
        for v, m in zip((*op.inputs, *op.outputs), op.indexing_maps.data, strict=True):
            assert isinstance(m, AffineMapAttr)
            cut |= {d for k in self.cuts(v) for d in m.data.results[k].used_dims()}
        shift_indices(made, cut, at)


def shift_indices(made: Operation, dims: Collection[int], at: SSAValue) -> None:
    """Add `at` to the indices of iteration dimensions inside a copy of a generic operation that makes a part."""
    for index in list(walk_ops(made, "linalg.index")):
        if index.properties["dim"].value.data in dims:  # type: ignore[attr-defined]
            moved = arith.AddiOp(index.results[0], at)
            index.results[0].replace_uses_with_if(moved.result, lambda use, own=moved: use.operation is not own)
            assert index.parent is not None
            index.parent.insert_op_after(moved, index)


def emit_length(emit: Emitter, total: SSAValue, at: SSAValue, size: int) -> SSAValue:
    """Indices of the piece that begins at `at`."""
    return emit.value(emit.minimum(size, emit.sub(total, at)))
