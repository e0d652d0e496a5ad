"""Kernels write their results where an update would copy them.

A dispatch without ties whose only use of a result is an update in the same block gets the update's target as an extra,
tied operand with the updated range; the update goes.

Precondition: the async level. Postcondition: the same values; no such update is left.

```
%d = stream.async.dispatch @k::@k() -> T{%h}                        %u = stream.async.dispatch @k::@k(
%u = stream.async.update %d, %out[%a to %b] -> %out as T{%s}   ->        %out[%a to %b for %h]) -> %out{%s}
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.ir.dialects._stream_format import group, make_op, tied_attr, ties
from headrace.ir.dialects.hal import compatible
from headrace.ir.dialects.stream_async import AsyncDispatchOp
from headrace.ir.passes import Pass
from headrace.stream.storage import host_functions, is_resource

_MOVABLE = frozenset({"stream.async.alloca", "stream.async.splat", "stream.async.clone", "arith.constant",
                      "arith.addi", "arith.muli"})  # fmt: skip


def emplace_allocations(module: ModuleOp) -> ModuleOp:
    """Emplace, in place."""
    for function in host_functions(module):
        for op in list(function.regions[0].walk()):
            if op.name == "stream.async.update":
                _emplace(op)
    return module


def _emplace(update: Any) -> None:
    source = update.update
    dispatch = source.owner
    if not isinstance(dispatch, Operation) or dispatch.name != "stream.async.dispatch":
        return
    if dispatch.parent is not update.parent or len(dispatch.results) != 1 or any(t >= 0 for t in ties(dispatch)):
        return
    if source.uses.get_length() != 1 or not compatible(
        dispatch.properties.get("affinity"), update.properties.get("affinity")
    ):
        return
    target: SSAValue = update.target
    if any(v is target for v in dispatch.operands):
        return
    block = update.parent
    for use in target.uses:
        other = use.operation
        if other is not update and not (other.parent is block and other.is_before_in_block(dispatch)):
            return
    needed = [target, update.target_offset, update.target_end, update.target_size]
    moved: list[Operation] = []
    if not all(_before(v, dispatch, moved) for v in needed):
        return
    for op in moved:
        op.detach()
        block.insert_op_before(op, dispatch)
    made = make_op(
        AsyncDispatchOp,
        {
            "workload": group(dispatch, "workload"),
            "resource_operands": [*group(dispatch, "resource_operands"), target],
            "resource_operand_sizes": [*group(dispatch, "resource_operand_sizes"), update.target_size],
            "resource_operand_offsets": [*group(dispatch, "resource_operand_offsets"), update.target_offset],
            "resource_operand_ends": [*group(dispatch, "resource_operand_ends"), update.target_end],
            "resource_operand_lengths": [*group(dispatch, "resource_operand_lengths"), update.update_size],
            "result_sizes": [update.target_size],
        },
        [update.result.type],
        {
            "entry_points": dispatch.properties["entry_points"],
            "affinity": dispatch.properties.get("affinity"),
        },
        attributes=dispatch.attributes,
        location=dispatch.location,
    )
    made.properties["tied_operands"] = tied_attr([len(group(dispatch, "resource_operands"))])
    block.insert_op_before(made, dispatch)
    update.result.replace_all_uses_with(made.results[0])
    for op in (update, dispatch):
        op.detach()
        op.erase()


def _before(value: SSAValue, op: Operation, moved: list[Operation]) -> bool:
    """Whether a value is, or can be made, available in front of an operation; `moved` collects what has to move."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not op.parent or owner in moved:
        return True
    if owner.is_before_in_block(op):
        return True
    if owner.name not in _MOVABLE or not all(_before(v, op, moved) for v in owner.operands):
        return False
    if owner.name == "stream.async.clone" and is_resource(owner.operands[0]):
        # Moving a copy up must not pass a writer of what it copies.
        for use in owner.operands[0].uses:
            if use.operation is not owner:
                return False
    moved.append(owner)
    return True

@dataclass
class EmplaceAllocations(Pass):
    """Kernels write where an update would copy."""

    name = "emplace-allocations"
    summary = "Kernels write where an update would copy"

    def apply(self, op: Any, ctx: Context) -> None:
        emplace_allocations(op)
