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

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter, constant_of, copy_deep_loc, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.linear import linear
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
    if lanes is None or extent is None:
        raise error(pipeline, "split-vector-tails: a vector tail whose length is only known at launch is not supported")
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


def clone_body(loop: scf.ForOp) -> Block:
    """A copy of the loop's body as a block of its own."""
    body = loop.body.block
    copy = Block(arg_types=[INDEX])
    mapping: dict[SSAValue, SSAValue] = {body.args[0]: copy.args[0]}
    for op in body.ops:
        if op.name != "scf.yield":
            clone = op.clone(mapping)
            copy_deep_loc(op, clone)
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
