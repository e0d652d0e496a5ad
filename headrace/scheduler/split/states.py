"""Loops whose carried tensors are no sums: the tensors are kept in the scratchpad from one iteration to the next.

A loop that gathers one contribution per iteration is a reduction (`carried`). Any other loop that carries tensors (an
online softmax: each iteration rescales what the ones before have gathered; a sum of blocks that are masked by the
number of the iteration) becomes a plain loop over programs:

    %r:2 = scf.for %i iter_args(%m = %m0, %a = %a0) { ... yield %m', %a' }
    ->
    store %m0, M ; store %a0, A
    scf.for %i { %m = load M ; %a = load A ; ... ; store %a', A ; store %m', M }
    %r#0 = load M ; %r#1 = load A

A state is stored when nothing reads its old value any more; states that read each other go through a copy. A loop that
goes on with what only it needs of another one (blocks on the diagonal after whole ones) takes over its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, ancestors, is_inside, outer_operands
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.carried import CASTS, accumulation, carried_loops, is_folding
from headrace.scheduler.split.groups import is_tensor_compute, reads_scalar_from
from headrace.scheduler.split.products import SOURCES, behind_views, is_product
from headrace.scheduler.split.reductions import COMBINERS
from headrace.scheduler.split.tiles import Keep

PASS = "tensor-legalization"


def states_to_memory(kernel: Operation, keep: Keep) -> bool:
    """Take the carried tensors of every loop below `kernel` that is no reduction to memory, inner loops first; whether
    there was one."""
    left: dict[SSAValue, SSAValue] = {}
    found = False
    for loop in sorted(carried_loops(kernel), key=lambda op: -sum(1 for _ in ancestors(op))):
        if not is_reduction(loop):
            found |= keep_states(loop, keep, left)
    return found


def stored_states(kernel: Operation, keep: Keep) -> bool:
    """The same for loops that came to hold a store, because part of a contribution had to be kept; whether there was
    one."""
    for loop in reversed(carried_loops(kernel)):
        if any(op.name == "ktdp.store" for op in loop.walk()) and keep_states(loop, keep, {}):
            return True
    return False


def keep_states(loop: scf.ForOp, keep: Keep, left: dict[SSAValue, SSAValue]) -> bool:
    """Take what a loop carries to memory (`left`: what loops before have left there); whether all of it is tensors."""
    if not all(isinstance(r.type, TensorType) for r in loop.results):
        return False
    _Loop(loop, keep, left).run()
    return True


def is_reduction(loop: scf.ForOp) -> bool:
    """Whether every carried tensor gathers one contribution per iteration that needs no other reduction, no other
    carried tensor and not the number of the iteration, and how often is known."""
    if trip_count(loop) is None:
        return False
    if any(op.name in ("ktdp.store", "scf.if") for op in loop.walk()):
        return False
    for position, arg in enumerate(loop.body.block.args[1:]):
        try:
            found = accumulation(loop, position, COMBINERS)
        except HeadraceError:
            return False
        if any(use.operation not in _around(loop, position) for use in arg.uses):
            return False
        sources = [found.value] if found.value is not None else list(found.reduction.operands)  # type: ignore[union-attr]
        reached = list(_slice(sources, loop))
        if any(isinstance(v, BlockArgument) and v.owner is loop.body.block and v is not arg and v.index
               for v in reached):
            return False
        if any(isinstance(v.owner, Operation) and _reduces(v.owner) for v in reached):
            return False
        if any(isinstance(v.owner, Operation) and _reads(v.owner, loop.body.block.args[0]) for v in reached):
            return False
        product = found.reduction
        if product is not None and is_product(product) and any(_computed(v, loop) for v in product.operands[:2]):
            return False
    return True


def trip_count(loop: scf.ForOp) -> int | None:
    """How often a loop runs, where that is a number (the same for every iteration of loops around it)."""
    distance, step = linear(loop.ub) - linear(loop.lb), linear(loop.step)
    if not distance.is_const or not step.is_const or step.const <= 0:
        return None
    return max(0, -(-distance.const // step.const))


def _around(loop: scf.ForOp, position: int) -> set[Operation]:
    """The operations that the carried value `position` passes on its way to the yield: casts and the combiner."""
    last = loop.body.block.last_op
    assert last is not None
    result: set[Operation] = {last}
    value = last.operands[position]
    while isinstance(value.owner, Operation) and value.owner.parent is loop.body.block:
        op = value.owner
        result.add(op)
        owners = [v.owner for v in op.operands if isinstance(v.owner, Operation)]
        result.update(o for o in owners if o.name in CASTS and o.parent is loop.body.block)
        if op.name not in CASTS:
            break
        value = op.operands[0]
    return result


def _reads(op: Operation, iv: SSAValue) -> bool:
    """Whether `op` computes tensors from the number of an iteration."""
    return any(
        reads_scalar_from(v, iv)
        for inner in op.walk()
        if is_tensor_compute(inner) or any(o.name.startswith(("linalg.", "tensor.")) for o in ancestors(inner))
        for v in inner.operands
    )


def _computed(factor: SSAValue, loop: Operation) -> bool:
    """Whether a factor is computed in the loop, so that it has to be kept before a matrix unit reads it."""
    source = behind_views(factor, "arith.extf")
    return isinstance(source.owner, Operation) and source.owner.name not in SOURCES and is_inside(source, loop)


def _reduces(op: Operation) -> bool:
    return op.name == "linalg.reduce" or (isinstance(op, GenericOp) and is_folding(op)) or op.name == "scf.for"


def _slice(values: Iterable[SSAValue], loop: Operation) -> Iterable[SSAValue]:
    """What the tensors among `values` are computed from inside `loop`, themselves included."""
    seen: set[SSAValue] = set()
    stack = [v for v in values if isinstance(v.type, TensorType)]
    while stack:
        v = stack.pop()
        if v in seen or not is_inside(v, loop):
            continue
        seen.add(v)
        yield v
        if isinstance(v.owner, Operation):
            stack += [x for x in outer_operands(v.owner) if isinstance(x.type, TensorType)]


class _Loop:
    """Rewrites one loop."""

    def __init__(self, loop: scf.ForOp, keep: Keep, left: dict[SSAValue, SSAValue]):
        """`left`: what loops have left behind, loaded, with the views it is in."""
        self.loop, self.keep, self.left = loop, keep, left
        self.block = loop.body.block
        last = self.block.last_op
        assert last is not None
        self.last = last

    def run(self) -> None:
        """Replace the loop."""
        loop, block = self.loop, self.block
        before, after = Emitter.before(loop), Emitter(InsertPoint.after(loop), loop)
        first = Emitter(InsertPoint.at_start(block), loop)
        yielded = list(self.last.operands)
        views: list[SSAValue] = []
        for start in loop.iter_args:
            if start in self.left and start.has_one_use() and start.owner.parent is loop.parent:  # type: ignore[union-attr]
                views.append(self.left[start])
                continue
            views.append(self._new(start, before))
            self._store(before, start, views[-1])
        arguments: list[SSAValue] = list(block.args[1:])
        reads = [
            {arguments.index(v) for v in _slice([y], loop) if v in arguments} - {k} for k, y in enumerate(yielded)
        ]
        for k, (arg, view) in enumerate(zip(arguments, views, strict=True)):
            if arg.uses:
                old = self._load(first, view, arg)
                arg.replace_all_uses_with(old)
                arguments[k] = old
        yielded = list(self.last.operands)
        end = Emitter.before(self.last)
        end.origin = loop
        copies: dict[int, SSAValue] = {}
        left = list(range(len(yielded)))
        final: list[tuple[int, SSAValue]] = []
        while left:
            k = next((k for k in left if not any(k in reads[o] for o in left if o != k)), None)
            if k is not None:
                left.remove(k)
                final.append((k, yielded[k]))
                continue
            k = left.pop(0)
            copies[k] = self._new(yielded[k], before)
            self._store(end, yielded[k], copies[k])
        for k, value in final:
            if value is not arguments[k]:
                self._store(end, value, views[k])
        for k, view in copies.items():
            self._store(end, self._load(end, view, yielded[k]), views[k])
        for view, result in zip(views, loop.results, strict=True):
            if result.uses:
                value = self._load(after, view, result)
                self.left[value] = view
                result.replace_all_uses_with(value)
        self._rebuild()

    def _new(self, value: SSAValue, emit: Emitter) -> SSAValue:
        t = value.type
        assert isinstance(t, TensorType)
        if DYNAMIC_INDEX in t.get_shape():
            raise error(self.loop, f"a carried tensor of extents only known at launch is not supported by {PASS}")
        return self.keep(list(t.get_shape()), t.element_type, self.loop, emit)

    @staticmethod
    def _tile(emit: Emitter, view: SSAValue, value: SSAValue) -> SSAValue:
        shape = list(value.type.get_shape())  # type: ignore[attr-defined]
        return tiles.make_tile(emit, view, [Linear()] * len(shape), shape)

    def _store(self, emit: Emitter, value: SSAValue, view: SSAValue) -> None:
        tiles.store(emit, value, self._tile(emit, view, value))

    def _load(self, emit: Emitter, view: SSAValue, like: SSAValue) -> SSAValue:
        return tiles.load(emit, self._tile(emit, view, like), like.type.element_type)  # type: ignore[attr-defined]

    def _rebuild(self) -> None:
        """The loop without carried values."""
        loop, old = self.loop, self.block
        block = Block(arg_types=[old.args[0].type])
        block.args[0].name_hint = old.args[0].name_hint
        old.args[0].replace_all_uses_with(block.args[0])
        self.last.detach()
        self.last.erase()
        for op in list(old.ops):
            op.detach()
            block.add_op(op)
        end = scf.YieldOp()
        copy_loc(loop, end)
        block.add_op(end)
        new = scf.ForOp(loop.lb, loop.ub, loop.step, [], Region(block))
        new.attributes.update(loop.attributes)
        Emitter.before(loop).insert(new)
        copy_loc(loop, new)
        loop.detach()
        loop.erase()
