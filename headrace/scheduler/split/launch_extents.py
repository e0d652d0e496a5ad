"""Reductions over extents known at launch: computed over the most that the extent can be, with the rest masked.

A row of the scratchpad has a size that is known when the kernel is compiled. Where a reduction folds (or walks in
vectors) a dimension whose extent an argument gives, the tensors around it are made as large as the argument's upper
bound: what is loaded is kept in the scratchpad over zeros, a reduction takes the neutral element of its combiner beyond
the extent, and a store takes the part that there is. So it is with products of such extents that follow each other, or
reductions of them: what lies between them is kept in the scratchpad.

    %x = ktdp.load A[0, 0] : 4x?           %x = load A : 4x? ; store 0, K : 4x200 ; store %x, K : 4x? ; %y = load K : 4x200
    %r = linalg.reduce {maximumf} ins(%x)  ->  %m = generic(index < n ? %y : -inf) ; %r = linalg.reduce {maximumf} ins(%m)

Kernels where tensors of such extents go through other operations (reshapes, carried tensors, branches) are left alone.
"""  # noqa: E501

from __future__ import annotations

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, AnyFloat, IntegerType, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.upstream.linalg import CONTRACTIONS, indexing_maps_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.access import describe
from headrace.scheduler.build import Emitter, Index, walk_ops
from headrace.scheduler.linear import Linear
from headrace.scheduler.ops import neutral
from headrace.scheduler.split import tiles
from headrace.scheduler.split.overhang import reduces
from headrace.scheduler.split.reductions import COMBINERS, shape_of
from headrace.scheduler.split.scalarize import number
from headrace.scheduler.split.tiles import Keep, Kept

POINTWISE = ("arith.", "math.", "spyreop.", "linalg.")
RESHAPING = ("linalg.matmul", "linalg.batch", "linalg.pool", "linalg.conv", "linalg.pack", "linalg.unpack")


class _Unfit(Exception):
    """The tensors around a reduction cannot be made larger."""


def fix_launch_extents(kernel: func.FuncOp, keep: Keep) -> None:
    """Make the tensors around reductions over extents known at launch as large as they can be."""
    done: set[SSAValue] = set()
    for op in list(walk_ops(kernel, "linalg.reduce", "linalg.generic")):
        if not reduces(op):
            continue
        inputs, _, maps, kinds = shape_of(op)
        for value, m in zip(inputs, maps, strict=False):
            if value in done or not concerns(value, m, kinds):
                continue
            try:
                plan = _Plan(value)
            except _Unfit:
                continue
            done |= plan.values
            plan.rewrite(keep)
    for op in list(walk_ops(kernel, *CONTRACTIONS)):
        if not op.results or not _dynamic(op.results[0]) or op.results[0] in done:
            continue
        try:
            plan = _Plan(op.results[0])
        except _Unfit:
            continue
        done |= plan.values
        if any(o is not op and (o.name in CONTRACTIONS or reduces(o)) for o in plan.ops):
            plan.rewrite(keep)  # what lies between them is kept


def concerns(value: SSAValue, m: AffineMap, kinds: list[str]) -> bool:
    """Whether an input of a reduction has an unknown extent that is folded, or walked in vectors."""
    if not isinstance(value.type, TensorType):
        return False
    shape = value.type.get_shape()
    folded = {d for d, k in enumerate(kinds) if k == "reduction"}
    return any(
        n == DYNAMIC_INDEX and (k == len(shape) - 1 or m.results[k].used_dims() & folded) for k, n in enumerate(shape)
    )


def _dynamic(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and DYNAMIC_INDEX in value.type.get_shape()


def _around(value: SSAValue) -> list[Operation]:
    """What makes a value and what uses it."""
    maker = value.owner
    if not isinstance(maker, Operation):
        raise _Unfit
    return [maker, *(use.operation for use in value.uses)]


def maskable(op: Operation) -> bool:
    """Whether a reduction folds one value with one operation."""
    inputs, inits, _, _ = shape_of(op)
    last = op.regions[0].block.last_op
    assert last is not None
    if len(inits) != 1 or (isinstance(op, linalg.ReduceOp) and len(inputs) != 1):
        return False
    combiner = last.operands[0].owner
    accumulator = op.regions[0].block.args[-1]
    if not isinstance(combiner, Operation) or combiner.name not in COMBINERS:
        return False
    element = combiner.results[0].type
    literals = isinstance(element, AnyFloat | IntegerType)
    return literals and sum(v is accumulator for v in combiner.operands) == 1 and (
        not isinstance(op, linalg.ReduceOp) or combiner is op.regions[0].block.first_op
    )


class _Plan:
    """The tensors of unknown extent that hang together with one. Raises _Unfit."""

    extent: Linear | None = None

    def __init__(self, seed: SSAValue):
        self.values: set[SSAValue] = set()
        self.ops: list[Operation] = []
        self.folded: dict[Operation, set[int]] = {}
        """Per reduction the iteration dimensions of unknown extent that it folds."""
        self.visit(seed)
        if self.extent is None:
            raise _Unfit
        most = self.extent.const
        for v, c in self.extent.terms.items():
            bound = ktdf.upper_bound(v)
            if bound is None or c < 0:
                raise _Unfit
            most += c * bound
        self.most = most

    def visit(self, seed: SSAValue) -> None:
        """All that is reached over operations from one tensor."""
        work = [seed]
        seen: set[Operation] = set()
        while work:
            v = work.pop()
            if v in self.values:
                continue
            self.values.add(v)
            for op in _around(v):
                if op in seen:
                    continue
                seen.add(op)
                self.check(op)
                self.ops.append(op)
                work += [x for x in (*op.operands, *op.results) if _dynamic(x)]

    def check(self, op: Operation) -> None:
        """Whether an operation means the same on larger tensors; the extent that an access gives."""
        if op.name in ("ktdp.load", "ktdp.store"):
            access = describe(op)
            value = op.results[0] if op.results else op.operands[0]
            assert isinstance(value.type, TensorType)
            if len(access.dims) != len(value.type.get_shape()):
                raise _Unfit
            for dim, n in zip(access.dims, value.type.get_shape(), strict=True):
                if n != DYNAMIC_INDEX:
                    continue
                if self.extent is not None and self.extent.key() != dim.extent.key():
                    raise _Unfit
                self.extent = dim.extent
        elif op.name in ("tensor.empty", "tensor.splat", "tensor.dim"):
            return
        elif op.name in CONTRACTIONS:
            maps = indexing_maps_of(op)
            kept = {d for e in maps[-1].results for d in e.used_dims()}
            for v, m in zip(op.operands, maps, strict=True):
                shape = v.type.get_shape() if _dynamic(v) else ()  # type: ignore[attr-defined]
                if any(n == DYNAMIC_INDEX and not m.results[k].used_dims() <= kept for k, n in enumerate(shape)):
                    raise _Unfit
        elif not op.name.startswith(POINTWISE) or op.name.startswith(RESHAPING) or op.name == "arith.constant":
            raise _Unfit
        elif reduces(op):
            inputs, _, maps, kinds = shape_of(op)
            found = self.folded.setdefault(op, set())
            for v, m in zip(inputs, maps, strict=False):
                if _dynamic(v):
                    shape = v.type.get_shape()  # type: ignore[attr-defined]
                    found |= {d for k, n in enumerate(shape) if n == DYNAMIC_INDEX for d in m.results[k].used_dims()}
            found &= {d for d, k in enumerate(kinds) if k == "reduction"}
            if found and not maskable(op):
                raise _Unfit

    # -- rewriting ----------------------------------------------------------------------------------------------------

    def rewrite(self, keep: Keep) -> None:
        """Make the tensors larger."""
        for op in self.ops:
            if op.name == "tensor.dim":
                emit = Emitter.before(op)
                op.results[0].replace_all_uses_with(emit.value(self.extent_at(emit)))
                op.detach()
                op.erase()
        self.ops = [op for op in self.ops if op.parent is not None]
        for op in self.ops:
            if op.name == "ktdp.store":
                self.store(op, keep)
        for op in self.ops:
            if op.name == "tensor.empty" or op.name == "tensor.splat":
                self.remake(op)
            elif op.name == "ktdp.load":
                self.load(op, keep)
            else:
                for r in op.results:
                    if _dynamic(r):
                        Rewriter.replace_value_with_new_type(r, self.whole(r.type))
        for op in self.ops:
            if op in self.folded:
                self.mask(op)

    def extent_at(self, emit: Emitter) -> Index:
        """The extent as a value."""
        assert self.extent is not None
        return self.extent.emit(emit)

    def whole(self, t: Attribute) -> TensorType[Attribute]:
        """The type of a tensor made larger."""
        assert isinstance(t, TensorType)
        return TensorType(t.element_type, self.shape(t))

    def shape(self, t: TensorType[Attribute]) -> list[int]:
        """The extents of a tensor made larger."""
        return [self.most if n == DYNAMIC_INDEX else n for n in t.get_shape()]

    def remake(self, op: Operation) -> None:
        """An empty tensor or a splat of the larger size."""
        t = self.whole(op.results[0].type)
        new = tensor.EmptyOp([], t) if op.name == "tensor.empty" else tensor.SplatOp(op.operands[0], [], t)
        emit = Emitter.before(op)
        op.results[0].replace_all_uses_with(emit.insert(new).results[0])
        op.detach()
        op.erase()

    def parts(self, emit: Emitter, kept: Kept, t: TensorType[Attribute]) -> tuple[SSAValue, SSAValue]:
        """(the whole, the part that there is) of a kept tensor, as access tiles."""
        n = self.extent_at(emit)
        at = [Linear()] * len(t.get_shape())
        inside = [n if k == DYNAMIC_INDEX else k for k in t.get_shape()]
        return kept.whole(emit, self.shape(t)), kept.part(emit, at, inside)

    def load(self, op: Operation, keep: Keep) -> None:
        """Keep what is loaded, over zeros, in the order in which it lies in memory."""
        value = op.results[0]
        t = value.type
        assert isinstance(t, TensorType)
        emit = Emitter(InsertPoint.after(op), op)
        kept = Kept.loaded(emit, describe(op), self.shape(t), keep)
        whole, part = self.parts(emit, kept, t)
        zero = emit.insert(arith.ConstantOp(number(t.element_type, 0))).result
        tiles.store(emit, emit.insert(tensor.SplatOp(zero, [], self.whole(t))).results[0], whole)
        stored = tiles.store(emit, value, part)
        loaded = tiles.load(emit, kept.whole(emit, self.shape(t)), t.element_type)
        value.replace_uses_with_if(loaded, lambda use: use.operation is not stored)

    def store(self, op: Operation, keep: Keep) -> None:
        """Store the part that there is of what is computed, through the scratchpad."""
        value, tile = op.operands
        t = value.type
        assert isinstance(t, TensorType)
        emit = Emitter.before(op)
        emit.origin = op
        kept = Kept(keep(self.shape(t), t.element_type, op, emit), list(range(len(t.get_shape()))))
        whole, part = self.parts(emit, kept, t)
        tiles.store(emit, value, whole)
        stored = tiles.store(emit, tiles.load(emit, part, t.element_type), tile)
        stored.attributes.update(op.attributes)
        op.detach()
        op.erase()

    def mask(self, op: Operation) -> None:
        """Let a reduction take the neutral element beyond the extent of what it folds."""
        dims = self.folded[op]
        if not dims:
            return
        if isinstance(op, linalg.ReduceOp):
            value = op.operands[0]
            emit = Emitter.before(op)
            emit.origin = op
            t = value.type
            assert isinstance(t, TensorType)
            rank = len(t.get_shape())
            empty = emit.insert(tensor.EmptyOp([], t)).results[0]
            n = emit.value(self.extent_at(emit))
            body = Block(arg_types=[t.element_type, t.element_type])
            inner = Emitter.at_end(body, op)
            inner.insert(linalg.YieldOp(self.masked(inner, op, body.args[0], dims, n)))
            identity = AffineMapAttr(AffineMap.identity(rank))
            kinds = [IteratorTypeAttr.parallel()] * rank
            generic = linalg.GenericOp([value], [empty], Region(body), [identity] * 2, kinds, [t])
            op.operands[0] = emit.insert(generic).results[0]
            return
        outer = Emitter.before(op)
        outer.origin = op
        extent = outer.value(self.extent_at(outer))
        block = op.regions[0].block
        last = block.last_op
        assert last is not None
        combiner = last.operands[0].owner
        assert isinstance(combiner, Operation)
        which = next(k for k, v in enumerate(combiner.operands) if v is not block.args[-1])
        inner = Emitter.before(combiner)
        inner.origin = op
        combiner.operands[which] = self.masked(inner, op, combiner.operands[which], dims, extent)

    @staticmethod
    def masked(emit: Emitter, op: Operation, term: SSAValue, dims: set[int], extent: SSAValue) -> SSAValue:
        """The term inside of the extent, the neutral element beyond."""
        last = op.regions[0].block.last_op
        assert last is not None
        combiner = last.operands[0].owner
        assert isinstance(combiner, Operation)
        other = emit.insert(arith.ConstantOp(number(term.type, neutral(combiner.name, term.type)))).result
        for d in sorted(dims):
            index = emit.insert(linalg.IndexOp(d)).result
            inside = emit.insert(arith.CmpiOp(index, extent, "slt")).result
            term = emit.insert(arith.SelectOp(inside, term, other)).result
        return term
