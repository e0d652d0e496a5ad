"""Put a copy in front of every in-place operation, so that writing never changes a value somebody else sees.

Precondition: the async level. Postcondition: every tied operand of a writing operation is a clone with this one use.
The copies that nobody needs go in `elide-async-copies`.

```
%f = stream.async.fill %v, %x[..] -> %x as ..       %c = stream.async.clone %x
                                              ->    %f = stream.async.fill %v, %c[..] -> %c as ..
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from headrace.ir.dialects._stream_format import group, group_starts, make_op, tied_operands
from headrace.ir.dialects.stream_async import AsyncCloneOp
from headrace.ir.passes import Pass
from headrace.stream.storage import MUTATING, host_functions


def materialize_copy_on_write(module: ModuleOp) -> ModuleOp:
    """Insert the copies, in place."""
    for function in host_functions(module):
        for op in list(function.regions[0].walk()):
            if op.name not in MUTATING or op.name == "stream.async.store":
                continue
            for tie in sorted({t for t in tied_operands(op) if t >= 0}):
                _copy(op, tie)
    return module


def _copy(op: Any, tie: int) -> None:
    value = op.operands[tie]
    size = size_of(op, tie)
    clone = make_op(
        AsyncCloneOp,
        {"source": value, "source_size": size, "result_size": size},
        [value.type],
        {"affinity": op.properties.get("affinity")},
        location=op.location,
    )
    assert op.parent is not None
    op.parent.insert_op_before(clone, op)
    redirect = op.name != "stream.async.collective"
    for index, operand in enumerate(op.operands):
        if index == tie or (redirect and operand is value):
            op.operands[index] = clone.results[0]


def size_of(op: Any, index: int) -> Any:
    """The size of operand `index` of an operation."""
    starts = group_starts(op)
    if "resource_operands" in starts:
        start, _ = starts["resource_operands"]
        values = group(op, "resource_operands")
        from headrace.stream.storage import is_resource

        position = sum(is_resource(v) for v in values[: index - start])
        return group(op, "resource_operand_sizes")[position]
    for name, (start, count) in starts.items():
        if start <= index < start + count:
            return group(op, f"{name}_size")[0]
    raise AssertionError("an operand without a size")

@dataclass
class MaterializeCopyOnWrite(Pass):
    """A copy in front of every write in place."""

    name = "materialize-copy-on-write"
    summary = "A copy in front of every write in place"

    def apply(self, op: Any, ctx: Context) -> None:
        materialize_copy_on_write(op)
