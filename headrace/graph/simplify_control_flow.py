"""Loops and branches hand on only what they change.

A value that a loop yields as it got it, or that both branches yield, is the value outside: nothing has to wait for the
loop to have it. Loops that never run are gone.

Precondition: structured control flow. Postcondition: no `scf.for` yields its argument or initial value, no `scf.if` one
value from both branches; every result is used or carried.

```
%r:2 = scf.for .. iter_args(%a = %x, %b = %y) {        %r = scf.for .. iter_args(%b = %y) {
  %c = arith.addf %a, %b                          ->     %c = arith.addf %x, %b
  scf.yield %a, %c }                                     scf.yield %c }
use(%r#0, %r#1)                                        use(%x, %r)
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.passes import Pass


def simplify_control_flow(module: ModuleOp) -> ModuleOp:
    """Drop what `scf.for` and `scf.if` of the host functions hand through unchanged, in place."""
    for function in module.body.block.ops:
        if function.name == "util.func":
            for region in function.regions:
                for block in region.blocks:
                    _block(block)
    return module


def _block(block: Block) -> None:
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                _block(inner)
        if op.name == "scf.for":
            _for(op)
        elif op.name == "scf.if":
            _if(op)


def _replace(op: Operation, new: Operation | None, kept: list[int]) -> None:
    """Put `new` in the place of `op`; its results are those of `op` at the positions `kept`."""
    if new is not None:
        new.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        for position, result in zip(kept, new.results, strict=True):
            result.name_hint = op.results[position].name_hint
            op.results[position].replace_all_uses_with(result)
    op.detach()
    op.erase()


def _for(op: Operation) -> None:
    low, high = constant_of(op.operands[0]), constant_of(op.operands[1])
    if low is not None and high is not None and low >= high:
        for result, init in zip(op.results, op.operands[3:], strict=True):
            result.replace_all_uses_with(init)
        _replace(op, None, [])
        return
    body = op.regions[0].blocks[0]
    last = body.last_op
    assert last is not None
    kept: list[int] = []
    for position, (init, argument, yielded) in enumerate(
        zip(op.operands[3:], body.args[1:], last.operands, strict=True)
    ):
        if yielded is argument or yielded is init:
            argument.replace_all_uses_with(init)
            op.results[position].replace_all_uses_with(init)
        elif _used(argument) or _used(op.results[position]):
            kept.append(position)
    if len(kept) == len(op.results):
        return
    last.operands = [last.operands[p] for p in kept]
    for position in reversed(range(len(op.results))):
        if position not in kept:
            body.erase_arg(body.args[1 + position])
    operands = [*op.operands[:3], *(op.operands[3 + p] for p in kept)]
    region: Region = op.detach_region(op.regions[0])
    made: Any = scf.ForOp.create(
        operands=operands,
        result_types=[op.results[p].type for p in kept],
        regions=[region],
        attributes=op.attributes,
        properties=op.properties,
    )
    _replace(op, made, kept)


def _if(op: Operation) -> None:
    if len(op.regions) < 2 or not all(r.blocks for r in op.regions):
        return
    ends: list[Any] = [r.blocks[0].last_op for r in op.regions]
    kept: list[int] = []
    for position, (one, two) in enumerate(zip(ends[0].operands, ends[1].operands, strict=True)):
        if one is two:
            op.results[position].replace_all_uses_with(one)
        elif _used(op.results[position]):
            kept.append(position)
    if len(kept) == len(op.results):
        return
    for end in ends:
        end.operands = [end.operands[p] for p in kept]
    regions = [op.detach_region(r) for r in list(op.regions)]
    made: Any = scf.IfOp.create(
        operands=list(op.operands),
        result_types=[op.results[p].type for p in kept],
        regions=regions,
        attributes=op.attributes,
        properties=op.properties,
    )
    _replace(op, made, kept)


def _used(value: SSAValue) -> bool:
    return value.uses.get_length() > 0

@dataclass
class SimplifyControlFlow(Pass):
    """Drop what loops and branches hand through unchanged."""

    name = "simplify-control-flow"
    summary = "Drop what loops and branches hand through unchanged"

    def apply(self, op: Any, ctx: Context) -> None:
        simplify_control_flow(op)
