"""split-vector-tails: full vectors plus one peeled, masked tail.

Precondition: chosen tile sizes; inner pipelines whose vector length is a `derive_size` over the vector loop.
Postcondition: every inner pipeline has a
constant vector length. The vector loop runs over full vectors only; the tail, if the extent has one, follows it as a
second pipeline with shorter slots
and tensors: unconditionally where one tile covers the dimension, else under a condition on the last tile.

    for %q to %n { %len = derive [%v : 64] (100) ; pipeline { ?xf16 } }    for %q to 1 { pipeline { 64xf16 } } ; pipeline { 36xf16 }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter, Index, constant_of, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.linear import Linear, linear
from headrace.scheduler.simplify import simplify


@dataclass
class SplitVectorTails(Pass):
    """Peel the last, partial vector of every vector loop."""

    name = "split-vector-tails"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                if ktdf.is_outermost(pipeline):
                    continue
                length = ktdf.vector_length(pipeline)
                if isinstance(length, SSAValue):
                    split(pipeline, length)
            simplify(program)


def split(pipeline: Operation, length: SSAValue) -> None:
    """Split the vector loop around one inner pipeline."""
    derive = length.owner
    assert isinstance(derive, Operation) and derive.name == "ktdf.tiling.derive_size"
    ((index, width),), total = ktdf.derive_parts(derive)
    lanes, extent = constant_of(width), constant_of(total)
    if lanes is None:
        raise error(pipeline, "split-vector-tails: a vector width that is no number")
    if extent is None:
        split_at_launch(pipeline, length, index, lanes, total)
        return
    full, rest = divmod(extent, lanes)
    form = linear(index)
    loop = vector_loop(pipeline, set(form.terms))
    if loop is None:
        # The vector loop had a single iteration: the pipeline is the only vector of the row, so it is a full or a tail
        # one.
        position = linear(index)
        if not position.is_const:
            raise error(pipeline, "split-vector-tails: a vector index that no loop of the stage gives")
        ktdf.specialise(pipeline, length, lanes if position.const < full else rest)
        return
    iv = loop.body.block.args[0]
    start = form.without({iv})
    emit = Emitter.before(loop)
    emit.origin = pipeline
    begin = start.emit(emit)
    first_missing = emit.maximum(emit.sub(full, begin), 0)
    bound = loop.ub
    count = emit.minimum(bound, first_missing)
    tail_block = clone_body(loop)
    loop.operands[1] = emit.value(count)
    after = Emitter(InsertPoint.after(loop), pipeline)
    known_begin = constant_of(begin)
    if known_begin is not None:
        place(tail_block, after, after.value(full - known_begin))
    else:
        here = after.sub(full, begin)
        inside = after.insert(arith.CmpiOp(after.value(here), bound, "slt")).result
        low = after.insert(arith.CmpiOp(after.value(here), after.value(0), "sge")).result
        cond = after.insert(arith.AndIOp(inside, low)).result
        branch = Block([scf.YieldOp()])
        after.insert(scf.IfOp(cond, [], Region(branch)))
        place(tail_block, Emitter.at_end(branch, pipeline), after.value(here))
    ktdf.specialise(pipeline, length, lanes)
    for tail in placed_pipelines(loop):
        ktdf.specialise(tail, ktdf.require_dynamic_length(tail), rest)


def split_at_launch(pipeline: Operation, length: SSAValue, index: SSAValue, lanes: int, total: SSAValue) -> None:
    """Split a vector loop whose extent is only known at launch: full vectors, then pieces of halving lengths.

    A rest of r elements, a multiple of what the extent and the lanes are multiples of, runs as vectors of that number
    times every power of two in the quotient, each under a loop of no or one iteration.
    """
    form = linear(index)
    loop = vector_loop(pipeline, set(form.terms))
    least = gcd(ktdf.known_factor(total, 1) or 1, lanes)
    if loop is None:
        emit = Emitter.before(pipeline)
        emit.origin = pipeline
        position = form.emit(emit)
        here = Emitter(InsertPoint.after(pipeline), pipeline)
        rest = here.minimum(here.sub(total, here.mul(position, lanes)), lanes)
        block = Block()
        copy_pipeline(pipeline, block)
        whole = here.floordiv(here.maximum(rest, 0), lanes)
        pieces(block, None, here, here.sub(rest, here.mul(whole, lanes)), lanes, least, length)
        have = emit.maximum(emit.minimum(emit.sub(total, emit.mul(position, lanes)), lanes), 0)
        once, _ = emit.loop(emit.floordiv(have, lanes), "full")
        pipeline.detach()
        once.body.block.insert_op_before(pipeline, once.body.block.last_op)  # type: ignore[arg-type]
        ktdf.specialise(pipeline, length, lanes)
        return
    iv = loop.body.block.args[0]
    start = form.without({iv})
    emit = Emitter.before(loop)
    emit.origin = pipeline
    begin = start.emit(emit)
    full = emit.floordiv(total, lanes)
    bound = loop.ub
    count = emit.minimum(bound, emit.maximum(emit.sub(full, begin), 0))
    tail = clone_body(loop)
    loop.operands[1] = emit.value(count)
    after = Emitter(InsertPoint.after(loop), pipeline)
    here = after.sub(full, begin)
    inside = after.insert(arith.CmpiOp(after.value(here), bound, "slt")).result
    low = after.insert(arith.CmpiOp(after.value(here), after.value(0), "sge")).result
    cond = after.insert(arith.AndIOp(inside, low)).result
    branch = Block([scf.YieldOp()])
    after.insert(scf.IfOp(cond, [], Region(branch)))
    inner = Emitter.at_end(branch, pipeline)
    rest = inner.sub(total, inner.mul(full, lanes))
    pieces(tail, inner.value(here), inner, rest, lanes, least, length)
    ktdf.specialise(pipeline, length, lanes)


def copy_pipeline(pipeline: Operation, block: Block) -> None:
    """A clone of one pipeline at the end of a block."""
    clone = pipeline.clone()
    block.add_op(clone)


def pieces(
    block: Block, iv: SSAValue | None, emit: Emitter, rest: Index, lanes: int, least: int, length: SSAValue
) -> None:
    """The operations of `block` (a vector loop's body) once for every piece of a partial vector: `least` elements times
    every power of two with which they are less than a vector."""
    sizes = [least]
    while 2 * sizes[-1] < lanes:
        sizes.append(2 * sizes[-1])
    for size in reversed(sizes if least < lanes else ()):
        loop, _ = emit.loop(emit.sub(emit.floordiv(rest, size), emit.mul(emit.floordiv(rest, 2 * size), 2)), "piece")
        inner = Emitter.at_end(loop.body.block, emit.origin)
        offset = inner.value(inner.mul(inner.floordiv(rest, 2 * size), 2 * size))
        copy = Block(arg_types=[INDEX] * len(block.args))
        mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, copy.args, strict=True))
        for op in block.ops:
            clone = op.clone(mapping)
            mapping.update(zip(op.results, clone.results, strict=True))
            copy.add_op(clone)
        if iv is not None:
            copy.args[0].replace_all_uses_with(iv)
        made: list[Operation] = []
        for op in list(copy.ops):
            op.detach()
            Rewriter.insert_op(op, inner.point)
            made += [op] if op.name == "ktdf.pipeline" else list(walk_ops(op, "ktdf.pipeline"))
        for pipeline in made:
            own = ktdf.vector_length(pipeline)
            assert isinstance(own, SSAValue)
            shift(pipeline, own, offset)
            ktdf.specialise(pipeline, own, size)
    del length


def shift(pipeline: Operation, length: SSAValue, offset: SSAValue) -> None:
    """Move the vectors of a pipeline by `offset` elements: transfers and lane numbers."""
    for t in list(walk_ops(pipeline, "ktdf.data_transfer")):
        sides = [ktdf.side_of(t, "source"), ktdf.side_of(t, "dest")]
        for side in sides:
            if side.subs is not None and side.sizes is not None:
                for k, n in enumerate(side.sizes):
                    if n is length:
                        side.subs[k] = side.subs[k] + Linear(0, {offset: 1})
        ktdf.transfer(Emitter(InsertPoint.before(t), t), sides[0], sides[1], ktdf.transfer_mode(t), t)
        t.detach()
        t.erase()
    for op in list(walk_ops(pipeline, "linalg.index")):
        around = op.parent_op()
        rank = len(around.iterator_types.data) if around is not None else 0  # type: ignore[attr-defined]
        if op.properties["dim"].value.data != rank - 1:  # type: ignore[attr-defined]
            continue
        moved = arith.AddiOp(op.results[0], offset)
        ktdf.copy_loc(op, moved)
        Rewriter.insert_op(moved, InsertPoint.after(op))
        op.results[0].replace_uses_with_if(moved.result, lambda use, moved=moved: use.operation is not moved)


def clone_body(loop: scf.ForOp) -> Block:
    """A copy of the loop's body as a block of its own."""
    body = loop.body.block
    copy = Block(arg_types=[INDEX])
    mapping: dict[SSAValue, SSAValue] = {body.args[0]: copy.args[0]}
    for op in body.ops:
        if op.name != "scf.yield":
            clone = op.clone(mapping)
            mapping.update(zip(op.results, clone.results, strict=True))
            copy.add_op(clone)
    return copy


def place(block: Block, emit: Emitter, iv: SSAValue) -> None:
    """Move the ops of `block` to `emit`, its argument replaced by `iv`."""
    block.args[0].replace_all_uses_with(iv)
    for op in list(block.ops):
        op.detach()
        Rewriter.insert_op(op, emit.point)


def placed_pipelines(loop: scf.ForOp) -> list[Operation]:
    """The tail pipeline behind a vector loop."""
    op = loop.next_op
    while op is not None:
        if op.name == "ktdf.pipeline":
            return [op]
        if op.name == "scf.if":
            return list(walk_ops(op, "ktdf.pipeline"))
        op = op.next_op
    raise AssertionError("tail pipeline not placed")


def vector_loop(pipeline: Operation, terms: set[SSAValue]) -> scf.ForOp | None:
    """The innermost loop around the pipeline whose variable is among `terms`."""
    op = pipeline.parent_op()
    while op is not None and op.name != "ktdf.stage":
        if isinstance(op, scf.ForOp) and op.body.block.args[0] in terms:
            return op
        op = op.parent_op()
    return None
