"""Common subexpression elimination: of equal pure operations the first stays.

    %a = arith.addi %x, %y : index          %a = arith.addi %x, %y : index
    %b = arith.addi %x, %y : index    ->    use %a
    use %b

Precondition: verified IR. Postcondition: no two equal pure operations of which one dominates the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation, Region
from xdsl.traits import IsolatedFromAbove

from headrace.ir.passes import Pass
from headrace.ir.traits import Unique
from headrace.ir.transforms.effects import is_dead, is_pure


def _key(op: Operation) -> Hashable:
    return (
        op.name,
        op.operands[:] if isinstance(op.operands, tuple) else tuple(op.operands),
        tuple(op.result_types),
        tuple(sorted(op.properties.items(), key=lambda item: item[0])),
        tuple(sorted(op.attributes.items(), key=lambda item: item[0])),
    )


def _region(region: Region, known: dict[Hashable, Operation]) -> int:
    removed = 0
    single = region.blocks.first is region.blocks.last
    for block in region.blocks:
        scope = known if single else dict(known)
        for op in list(block.ops):
            if is_dead(op):
                op.detach()
                op.erase()
                removed += 1
                continue
            for inner in op.regions:
                removed += _region(inner, {} if op.has_trait(IsolatedFromAbove) else dict(scope))
            if op.regions or not op.results or not is_pure(op) or op.has_trait(Unique):
                continue
            key = _key(op)
            first = scope.get(key)
            if first is None:
                scope[key] = op
                continue
            for old, new in zip(op.results, first.results, strict=True):
                old.replace_all_uses_with(new)
            op.detach()
            op.erase()
            removed += 1
    return removed


def eliminate_common_subexpressions(op: Operation) -> int:
    """Run inside `op`; returns the number of operations removed."""
    return sum(_region(region, {}) for region in op.regions)


@dataclass
class CsePass(Pass):
    """Eliminate common subexpressions."""

    name = "cse"
    summary = "Eliminate common subexpressions"

    def apply(self, op: Operation, ctx: Context) -> None:
        eliminate_common_subexpressions(op)
