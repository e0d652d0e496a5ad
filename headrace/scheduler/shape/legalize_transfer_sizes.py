"""legalize-transfer-sizes: give every transfer between memories constant sizes.

Precondition: chosen tile sizes; the boxes of partial tiles have sizes that are `derive_size` values. Postcondition:
constant sizes everywhere. A dimension of
varying size is walked by a loop of single steps; where the innermost dimension varies, the last tile gets a transfer of
its own under a condition, or
(where its extent is only known at launch) a loop over pieces that divide it.

    transfer A size [%n, 100] -> a size [%n, 100]     ->    for %i to %n { transfer A[.. + %i, ..] size [1, 100] ->
    a[%i, 0] size [1, 100] }
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index, constant_of, walk_ops
from headrace.scheduler.device import programs
from headrace.scheduler.linear import Linear


@dataclass
class LegalizeTransferSizes(Pass):
    """Turn varying transfer sizes into loops and conditions."""

    name = "legalize-transfer-sizes"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        for program in programs(module):
            for t in list(walk_ops(program, "ktdf.data_transfer")):
                source, dest = ktdf.side_of(t, "source"), ktdf.side_of(t, "dest")
                if source.subs is not None and dest.subs is not None and varying(source):
                    legalize(t, source, dest)


def varying(side: ktdf.Side) -> bool:
    return any(constant_of(s) is None for s in side.sizes or [])


def legalize(t: Operation, source: ktdf.Side, dest: ktdf.Side) -> None:
    """Rewrite one transfer between memories."""
    assert source.sizes is not None and dest.sizes is not None and source.subs is not None and dest.subs is not None
    emit = Emitter(InsertPoint.before(t), t)
    sizes: list[Index] = [c if (c := constant_of(s)) is not None else s for s in source.sizes]
    a, b = list(source.subs), list(dest.subs)
    for k, size in enumerate(sizes[:-1]):
        if isinstance(size, SSAValue):
            loop, iv = emit.loop(size, "i")
            emit = Emitter.at_end(loop.body.block, t)
            a[k] = a[k] + Linear(0, {iv: 1})
            b[k] = b[k] + Linear(0, {iv: 1})
            sizes[k] = 1
    last = sizes[-1]
    if isinstance(last, int):
        finish(t, emit, source, dest, a, b, sizes)
    else:
        innermost(t, emit, source, dest, a, b, sizes, last)
    t.detach()
    t.erase()


def innermost(
    t: Operation,
    emit: Emitter,
    source: ktdf.Side,
    dest: ktdf.Side,
    a: list[Linear],
    b: list[Linear],
    sizes: list[Index],
    last: SSAValue,
) -> None:
    """The innermost dimension varies: full tiles in one piece, the last one in another."""
    derive = last.owner
    if isinstance(derive, Operation) and derive.name == "ktdf.tiling.derive_size":
        ((tile, width),), total = ktdf.derive_parts(derive)
        w, n = constant_of(width), constant_of(total)
        if w is not None and n is not None:
            full, rest = divmod(n, w)
            is_full = emit.insert(arith.CmpiOp(tile, emit.value(full), "slt")).result
            then, other = Block([scf.YieldOp()]), Block([scf.YieldOp()])
            emit.insert(scf.IfOp(is_full, [], Region(then), Region(other)))
            finish(t, Emitter.at_end(then, t), source, dest, a, b, [*sizes[:-1], w])
            finish(t, Emitter.at_end(other, t), source, dest, a, b, [*sizes[:-1], rest])
            return
        if w is not None:
            # The total is only known at launch: full tiles in one piece, the rest of a partial one in pieces that
            # divide it.
            is_full = emit.insert(arith.CmpiOp(last, emit.value(w), "eq")).result
            then, other = Block([scf.YieldOp()]), Block([scf.YieldOp()])
            emit.insert(scf.IfOp(is_full, [], Region(then), Region(other)))
            finish(t, Emitter.at_end(then, t), source, dest, a, b, [*sizes[:-1], w])
            halves(t, Emitter.at_end(other, t), source, dest, a, b, sizes, last, w, ktdf.known_factor(total, 1) or 1)
            return
    step = ktdf.known_factor(last, None)
    most = ktdf.upper_bound(last)
    if (step is None or step < 2) and most is not None:
        halves(t, emit, source, dest, a, b, sizes, last, most + 1, 1)
        return
    if step is None or step < 2:
        raise error(t, "legalize-transfer-sizes: the innermost extent of a transfer is only known at launch")
    pieces(t, emit, source, dest, a, b, sizes, last, step)


def halves(
    t: Operation,
    emit: Emitter,
    source: ktdf.Side,
    dest: ktdf.Side,
    a: list[Linear],
    b: list[Linear],
    sizes: list[Index],
    last: SSAValue,
    most: int,
    step: int,
) -> None:
    """The innermost dimension, less than `most` and a multiple of `step` elements, in pieces of halving lengths."""
    least = step & -step
    size = 1 << (most - 1).bit_length()
    if size > least:
        size //= 2
        loop, iv = emit.loop(emit.floordiv(last, size), "whole")
        inner = Emitter.at_end(loop.body.block, t)
        at = Linear(0, {iv: size})
        finish(t, inner, source, dest, [*a[:-1], a[-1] + at], [*b[:-1], b[-1] + at], [*sizes[:-1], size])
    while size > least:
        done = emit.mul(emit.floordiv(last, size), size)
        size //= 2
        loop, _ = emit.loop(emit.floordiv(emit.sub(last, done), size), "piece")
        inner = Emitter.at_end(loop.body.block, t)
        at = Linear(0, {emit.value(done): 1})
        finish(t, inner, source, dest, [*a[:-1], a[-1] + at], [*b[:-1], b[-1] + at], [*sizes[:-1], size])
    if size == least and least == 1 << (most - 1).bit_length():
        pieces(t, emit, source, dest, a, b, sizes, last, least)


def pieces(
    t: Operation,
    emit: Emitter,
    source: ktdf.Side,
    dest: ktdf.Side,
    a: list[Linear],
    b: list[Linear],
    sizes: list[Index],
    last: SSAValue,
    step: int,
) -> None:
    """The innermost dimension in pieces of `step` elements, which divides its extent."""
    a, b = list(a), list(b)
    loop, iv = emit.loop(emit.floordiv(last, step), "v")
    a[-1] = a[-1] + Linear(0, {iv: step})
    b[-1] = b[-1] + Linear(0, {iv: step})
    finish(t, Emitter.at_end(loop.body.block, t), source, dest, a, b, [*sizes[:-1], step])


def finish(
    t: Operation,
    emit: Emitter,
    source: ktdf.Side,
    dest: ktdf.Side,
    a: list[Linear],
    b: list[Linear],
    sizes: list[Index],
) -> None:
    ktdf.transfer(emit, ktdf.Side(source.value, a, sizes), ktdf.Side(dest.value, b, sizes), ktdf.transfer_mode(t), t)
