"""An allocation takes the memory of one that is freed, where all uses of the freed one are over by then anyway.

A deallocation and a later allocation of one block, of the same type, size and place, where the allocation's wait
covers the deallocation's: the new resource is the old one, both operations go.

Precondition: the command level. Postcondition: no wait is added, and the peak of live bytes does not rise.

```
%d = stream.resource.dealloca await(%t) => %r : T{%s} => ..          %u = stream.cmd.execute await(%t) => with(%r ..)
%q, %a = stream.resource.alloca uninitialized await(%t) => T{%s} ..  ->
%u = stream.cmd.execute await(%a) => with(%q ..)
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import TIMEPOINT, group
from headrace.ir.dialects.hal import device_of
from headrace.ir.dialects.stream_timeline import TimepointImmediateOp
from headrace.ir.passes import Pass
from headrace.stream.coverage import Coverage, immediate_globals
from headrace.stream.storage import host_functions


def reuse_allocations(module: ModuleOp) -> ModuleOp:
    """Reuse, in place."""
    immediate = immediate_globals(module)
    for function in host_functions(module):
        entry = function.regions[0].blocks[0]
        names = {op.name for op in entry.walk()}
        if not {"stream.resource.alloca", "stream.resource.dealloca"} <= names:
            continue
        coverage = Coverage(entry, immediate)
        for block in _blocks(entry):
            _block(block, coverage)
    return module


def _blocks(block: Block) -> list[Block]:
    found = [block]
    for op in block.ops:
        if op.name.startswith("scf."):
            for region in op.regions:
                for inner in region.blocks:
                    found += _blocks(inner)
    return found


def _key(kind: Any, size: SSAValue, place: Any) -> Any:
    number = constant_of(size)
    return (str(kind), size if number is None else number, device_of(place))


def _block(block: Block, coverage: Coverage) -> None:
    freed: dict[Any, list[Operation]] = {}
    places = {op.results[0]: op.affinity for op in block.ops if op.name == "stream.resource.alloca"}  # pyright: ignore
    for op in list(block.ops):
        item: Any = op
        if op.name == "stream.resource.dealloca":
            if item.operand in places:
                key = _key(item.operand.type, item.operand_size, places[item.operand])
                freed.setdefault(key, []).append(op)
        elif op.name == "stream.resource.alloca" and item.indeterminate_lifetime is None:
            key = _key(op.results[0].type, item.storage_size, item.affinity)
            candidates = freed.get(key, [])
            for old in reversed(candidates):
                if _over(old, op, coverage):
                    candidates.remove(old)
                    _replace(old, op, block)
                    break


def _over(old: Operation, new: Operation, coverage: Coverage) -> bool:
    """Whether what `old` waits for is reached when what `new` waits for is."""
    needed = [v for v in group(old, "await_timepoint") if v not in coverage.immediate]
    if not needed:
        return True
    waited = group(new, "await_timepoint")
    return bool(waited) and coverage.covers(waited[0], needed[0])


def _replace(old: Any, new: Any, block: Block) -> None:
    for op in (old, new):
        waited = group(op, "await_timepoint")
        result = op.results[-1]
        if waited:
            result.replace_all_uses_with(waited[0])
        elif result.uses.get_length():
            made = TimepointImmediateOp.create(result_types=[TIMEPOINT])
            made.location = op.location
            block.insert_op_before(made, op)
            result.replace_all_uses_with(made.results[0])
    new.results[0].replace_all_uses_with(old.operand)
    for op in (old, new):
        op.detach()
        op.erase()

@dataclass
class ReuseAllocations(Pass):
    """Allocations take memory that is freed before."""

    name = "reuse-allocations"
    summary = "Allocations take memory that is freed before"

    def apply(self, op: Any, ctx: Context) -> None:
        reuse_allocations(op)
