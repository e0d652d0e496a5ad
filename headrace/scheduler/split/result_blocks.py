"""Reductions of long rows with many results: a loop over blocks of what is stored.

What `long_rows` keeps of a reduction that it folds in pieces has to fit the scratchpad. Where it does not (the product
of a large tile, on a device without matrix units), a loop makes and stores a block of the results at a time, each
folded in pieces of its own. What no block reaches through (a load, a reshape) is read at an offset.

    %y = matmul(%a, %b) : 1024x512     ->    scf.for %i = 0 to 1024 step 32 {
    ktdp.store %y, C[0, 0]                     %y = matmul(%a[%i : %i + 32], %b) ; ktdp.store %y, C[%i, 0] : 32x512 }
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import Rewriter

from headrace.ir.dialects import ktdp
from headrace.ir.elements import splat_value
from headrace.scheduler.access import Access
from headrace.scheduler.build import Emitter
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.groups import Group, may_alias
from headrace.scheduler.split.pieces import shift_indices
from headrace.scheduler.split.reductions import shape_of

POINTWISE = ("arith.", "math.", "spyreop.")


def store_in_blocks(group: Group, value: SSAValue, size: int, room: int) -> bool:
    """Store what the group makes of the reduction result `value` in blocks, so that of the `size` bytes that folding it
    takes at most `room` are needed at a time, as far as cutting one dimension does that. Whether the group was
    rewritten."""
    stored = [s.operands[0] for s in group.stores]
    shapes = {tuple(v.type.get_shape()) for v in stored}  # type: ignore[attr-defined]
    targets = [group.accesses[s] for s in group.stores]
    loads = [a for op, a in group.accesses.items() if op not in group.stores]
    if len(shapes) != 1 or any(may_alias(a, t) for a in loads for t in targets):
        return False  # a block would overwrite what a later one reads
    if any(not isinstance(s.operands[1].owner, ktdp.ConstructAccessTileOp) for s in group.stores):
        return False
    shape = shapes.pop()
    for dim, extent in enumerate(shape):
        if extent in (1, DYNAMIC_INDEX) or not any(_reaches(v, dim, value) for v in stored):
            continue
        length = max(n for n in range(1, extent) if extent % n == 0 and (n == 1 or size * n <= room * extent))
        _Blocks(group.stores, targets, dim, length, extent).rewrite()
        return True
    return False


def _reaches(value: SSAValue, dim: int, target: SSAValue) -> bool:
    """Whether a block along `dim` of a tensor needs only a block of `target`."""
    if value is target:
        return True
    op, sources = value.owner, _sources(value, dim)
    if sources is None or not isinstance(op, Operation):
        return False
    return any(k is not None and _reaches(v, k, target) for v, k in zip(op.operands, sources, strict=True))


def _sources(value: SSAValue, dim: int) -> list[int | None] | None:
    """For each operand of what makes `value` its dimension that goes along with dimension `dim` of the result, None
    where it is read whole; None for an operation that is not made again for each block."""
    op = value.owner
    assert isinstance(value.type, TensorType)
    if not isinstance(op, Operation):
        return None
    if _iterates(op):
        walked = _walked(op, value, dim)
        inputs, _, maps, _ = shape_of(op)
        found: list[int | None] = []
        for m in maps:
            at = [k for k, e in enumerate(m.results) if walked in e.used_dims()]
            if walked is None or len(at) > 1 or any(m.results[k] != AffineDimExpr(walked) for k in at):
                return None
            found.append(at[0] if at else None)
        return found if None not in found[len(inputs) :] else None
    if op.name == "tensor.splat" or (op.name == "arith.constant" and splat_value(op.properties["value"]) is not None):
        return [None for _ in op.operands]
    if op.name.startswith((*POINTWISE, "linalg.fill")) and op.operands:
        shapes = [v.type.get_shape() if isinstance(v.type, TensorType) else None for v in op.operands]
        if all(n is None or n == value.type.get_shape() for n in shapes):
            return [None if n is None else dim for n in shapes]
    return [] if op.name == "tensor.empty" and not op.operands else None


def _iterates(op: Operation) -> bool:
    return isinstance(op, linalg.GenericOp) or op.name == "linalg.reduce"


def _walked(op: Operation, value: SSAValue, dim: int) -> int | None:
    """The iteration dimension that dimension `dim` of a result of a generic or a reduction is, if it is one."""
    inputs, _, maps, _ = shape_of(op)
    e = maps[len(inputs) + list(op.results).index(value)].results[dim]  # type: ignore[arg-type]
    return e.position if isinstance(e, AffineDimExpr) else None


@dataclass
class _Blocks:
    """The loop over blocks of `length` indices of dimension `dim`."""

    stores: list[Operation]
    targets: list[Access]
    dim: int
    length: int
    extent: int
    made: dict[tuple[SSAValue, int], SSAValue] = field(default_factory=dict)

    def rewrite(self) -> None:
        """Put the loop in the place of the last store."""
        last = self.stores[-1]
        emit = Emitter.before(last)
        emit.origin = last
        zero = emit.value(0)
        block = Block(arg_types=[zero.type])
        at = block.args[0]
        at.name_hint = "block"
        inner = Emitter.at_end(block, last)
        for op, target in zip(self.stores, self.targets, strict=True):
            value = self.block(op.operands[0], self.dim, inner, at)
            stored = tiles.store(inner, value, self.part(target, inner, at))
            stored.attributes.update(op.attributes)  # a part of what is inside is inside
        inner.insert(scf.YieldOp())
        emit.insert(scf.ForOp(zero, emit.value(self.extent), emit.value(self.length), [], Region(block)))
        for op in self.stores:
            op.detach()
            op.erase()

    def part(self, target: Access, emit: Emitter, at: SSAValue) -> SSAValue:
        """The access tile of a block of a store."""
        tile = target.op.operands[1].owner
        assert isinstance(tile, ktdp.ConstructAccessTileOp)
        d = target.dims[self.dim].view_dim
        coords = [c + Linear(0, {at: 1}) if k == d else c for k, c in enumerate(target.coords)]
        return tiles.narrowed(emit, tile, self.dim, 0, self.length, coords)

    def block(self, value: SSAValue, dim: int, emit: Emitter, at: SSAValue) -> SSAValue:
        """The block of one tensor."""
        key = value, dim
        if key not in self.made:
            sources = _sources(value, dim)
            if sources is None:
                self.made[key] = self.slice(value, dim, emit, at)
            else:
                self.again(value, dim, sources, emit, at)
        return self.made[key]

    def slice(self, value: SSAValue, dim: int, emit: Emitter, at: SSAValue) -> SSAValue:
        """The block as part of the whole."""
        t = self.narrow(value, dim)
        rank = len(t.get_shape())
        offsets = [DYNAMIC_INDEX if k == dim else 0 for k in range(rank)]
        made = tensor.ExtractSliceOp.build(
            operands=[value, [at], [], []],
            result_types=[t],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, offsets),
                "static_sizes": DenseArrayBase.from_list(i64, list(t.get_shape())),
                "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
            },
        )
        return emit.insert(made).results[0]

    def narrow(self, value: SSAValue, dim: int) -> TensorType:
        """The type of a block."""
        t = value.type
        assert isinstance(t, TensorType)
        return TensorType(t.element_type, [self.length if k == dim else n for k, n in enumerate(t.get_shape())])

    def again(self, value: SSAValue, dim: int, sources: list[int | None], emit: Emitter, at: SSAValue) -> None:
        """Make the block as the whole is made."""
        op = value.owner
        assert isinstance(op, Operation)
        parts = [v if k is None else self.block(v, k, emit, at) for v, k in zip(op.operands, sources, strict=True)]
        made = op.clone()
        if isinstance(made, arith.ConstantOp):
            number = splat_value(made.value)
            made = arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(self.narrow(value, dim), [number]))  # type: ignore[arg-type]
        made.operands = parts
        emit.insert(made)
        walked = _walked(op, value, dim) if _iterates(op) else None
        for old, new in zip(op.results, made.results, strict=True):
            along = dim if walked is None else _along(op, old, walked)
            if along is not None:
                self.made[old, along] = Rewriter.replace_value_with_new_type(new, self.narrow(old, along))
        if walked is not None:
            shift_indices(made, {walked}, at)


def _along(op: Operation, value: SSAValue, walked: int) -> int | None:
    """The dimension of a result that an iteration dimension is."""
    rank = len(value.type.get_shape())  # type: ignore[attr-defined]
    return next((k for k in range(rank) if _walked(op, value, k) == walked), None)
