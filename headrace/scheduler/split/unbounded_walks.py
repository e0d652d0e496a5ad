"""Reductions that keep an extent known at launch without upper bound: a loop over pieces of what is stored.

A reduction that folds other dimensions walks the unknown one in vectors or row by row; each iteration makes and stores a
piece of known size of the result, the last one what is left of it.

    %x = ktdp.load A[0, 0] : 4x?            scf.for %j = 0 to %n step 512 {
    %r = linalg.reduce {sum} over 4     ->    %x = ktdp.load A[0, %j] : 4xmin(512, %n - %j)
    ktdp.store %r, B[0] : ?                   %r = linalg.reduce {sum} over 4 ; ktdp.store %r, B[%j] : min(512, %n - %j) }

Tensors with several unknown extents are taken apart before: an index of one of them at a time.
"""  # noqa: E501

from __future__ import annotations

from xdsl.dialects import func, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.scheduler.access import describe
from headrace.scheduler.build import Emitter, walk_ops
from headrace.scheduler.split import tiles
from headrace.scheduler.split.groups import may_alias
from headrace.scheduler.split.launch_extents import concerns
from headrace.scheduler.split.overhang import reduces
from headrace.scheduler.split.pieces import Pieces, dynamic_dims, emit_length, extents_of
from headrace.scheduler.split.reductions import shape_of


def store_in_pieces(kernel: func.FuncOp, room: int) -> None:
    """Make every store of what reductions leave along an extent without upper bound a loop over pieces; `room` is the
    scratchpad's free size."""
    for op in list(walk_ops(kernel, "ktdp.store")):
        found = _Target.of(op)
        if found is not None:
            found.rewrite(room)


def store_row_by_row(kernel: func.FuncOp) -> None:
    """Make every store of what reductions leave of tensors with several unknown extents a loop over one of them, an
    index at a time, until one is left."""
    for op in list(walk_ops(kernel, "ktdp.store")):
        store: Operation | None = op
        while store is not None:
            keys = [k for k in extents_of(store.operands[0]) if k is not None]
            found = next((t for t in (_Target.of(store, k) for k in dict.fromkeys(keys)) if t is not None), None)
            store = found.rewrite(0) if found is not None else None


class _Target(Pieces):
    """A store, and the operations that make what it stores."""

    @classmethod
    def of(cls, op: Operation, key: object = None) -> _Target | None:
        """The store, if reductions make what it stores and that can be made and stored in pieces: of the only unknown
        extent, which has no upper bound, or of that with a key, beside which there are others."""
        value = op.operands[0]
        self = cls(op, key)
        if len(self.cuts(value)) != 1:
            return None
        access = describe(op)
        if not self.reach(value) or not any(reduces(o) for o in self.made) or not self.take(access, value):
            return None
        if not (self.unbounded if key is None else self.several):
            return None
        loads = [a for a in self.accesses.values() if a is not access]
        if any(may_alias(a, access) and not a.same_elements(access) for a in loads):
            return None  # a piece would overwrite what a later one reads
        return self

    @property
    def several(self) -> bool:
        """Whether there are other unknown extents, and a reduction folds one of all or walks one in vectors."""
        if all(len(dynamic_dims(op.results[0])) < 2 for op in self.made):
            return False
        for op in self.made:
            if reduces(op):
                inputs, _, maps, kinds = shape_of(op)
                if any(concerns(v, m, kinds) for v, m in zip(inputs, maps, strict=False)):
                    return True
        return False

    def rewrite(self, room: int) -> Operation:
        """Put the loop in the place of the store, over single indices where `room` is 0; the store in it."""
        op, extent = self.op, self.extent
        assert extent is not None
        emit = Emitter.before(op)
        emit.origin = op
        size = self.size(room) if room else 1
        total = emit.value(extent.emit(emit))
        block = Block(arg_types=[total.type])
        at = block.args[0]
        at.name_hint = "j"
        inner = Emitter.at_end(block, op)
        length = emit_length(inner, total, at, size) if room else 1
        mapping: dict[SSAValue, SSAValue] = {}
        for source in self.made:
            self.again(source, inner, mapping, at, length)
        stored = tiles.store(inner, mapping[op.operands[0]], self.part(op, op.operands[0], inner, at, length))
        self.keep_inside(op, op.operands[0], stored)
        inner.insert(scf.YieldOp())
        emit.insert(scf.ForOp(emit.value(0), total, emit.value(size), [], Region(block)))
        op.detach()
        op.erase()
        return stored
