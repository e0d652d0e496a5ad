"""Lifetimes: what is external, constant, kept in a global, read by the host; everything else is transient.

Values that share storage along ties, loops, branches, slices and globals have one lifetime, the first of these that one
of them needs: `staging`, `constant` (a global never stored to), `external`, `variable`, `constant`, `transient`.

Precondition: the async level, one owner for every carried value. Postcondition: no `!stream.resource<*>`, no
`async.cast`; both ends of every edge have the same lifetime.

```
%x = stream.async.cast %i : !stream.resource<external> -> !stream.resource<*>
%y = stream.async.dispatch @k::@f(%x ..) -> !stream.resource<*>                  ->
%z = stream.async.dispatch @k::@g(%y ..) -> !stream.resource<*>

%y = stream.async.dispatch @k::@f(%i ..) -> !stream.resource<transient>
%z = stream.async.dispatch @k::@g(%y ..) -> !stream.resource<external>           (exported)
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, SSAValue

from headrace.ir.dialects._stream_format import tied_operands
from headrace.ir.dialects.stream_types import ResourceType, resource
from headrace.ir.passes import Pass
from headrace.stream.build import retype
from headrace.stream.storage import host_functions, is_resource


def refine_usage(module: ModuleOp) -> ModuleOp:
    """Decide all lifetimes, in place."""
    _refine(module, host_functions(module))
    return module


class _Union:
    def __init__(self) -> None:
        self.parent: dict[Any, Any] = {}

    def find(self, item: Any) -> Any:
        at = item
        while self.parent.get(at, at) is not at:
            at = self.parent[at]
        while self.parent.get(item, item) is not at:
            self.parent[item], item = at, self.parent[item]
        return at

    def join(self, one: Any, two: Any) -> None:
        a, b = self.find(one), self.find(two)
        if a is not b:
            self.parent[a] = b


def _refine(module: ModuleOp, functions: list[Any]) -> None:
    """Give every class of connected values its lifetime and drop casts."""
    union = _Union()
    bits: list[tuple[Any, str]] = []
    values: list[SSAValue] = []
    stored = {
        op.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
        for f in functions
        if f.name == "util.func"
        for op in f.regions[0].walk()
        if op.name == "util.global.store" and is_resource(op.operands[0])
    }
    for function in functions:
        for block in [function.regions[0].blocks[0]]:
            _collect(block, union, bits, values, stored)
    found: dict[Any, set[str]] = {}
    for value, bit in bits:
        found.setdefault(union.find(value), set()).add(bit)
    decided: dict[Any, ResourceType] = {}
    for root, mine in found.items():
        decided[root] = resource(_lifetime(mine))
    transient = resource("transient")
    for value in values:
        kind = decided.get(union.find(value), transient)
        if value.type != kind:
            retype(value, kind)
    for op in module.body.block.ops:
        if op.name == "util.global" and isinstance(op.properties["type"], ResourceType):
            name = op.sym_name.data  # pyright: ignore[reportAttributeAccessIssue]
            known = resource("variable" if name in stored else "constant")
            op.properties["type"] = decided.get(union.find(name), known)
    for function in functions:
        for op in list(function.regions[0].walk()):
            if op.name == "stream.async.cast":
                op.results[0].replace_all_uses_with(op.operands[0])
                op.detach()
                op.erase()
        if function.name == "util.func":
            kinds: FunctionType = function.function_type
            arguments = [a.type for a in function.regions[0].blocks[0].args]
            function.properties["function_type"] = FunctionType.from_lists(arguments, list(kinds.outputs.data))


def _lifetime(bits: set[str]) -> str:
    if "staging" in bits:
        return "staging"
    if "global_constant" in bits:
        return "constant"
    if "external" in bits:
        return "external"
    if "global" in bits:
        return "variable"
    return "constant" if "constant" in bits else "transient"


def _collect(
    block: Block, union: _Union, bits: list[tuple[Any, str]], values: list[SSAValue], stored: set[str]
) -> None:
    values.extend(a for a in block.args if is_resource(a))
    for op in block.ops:
        name = op.name
        values.extend(r for r in op.results if is_resource(r))
        for region in op.regions:
            for inner in region.blocks:
                _collect(inner, union, bits, values, stored)
        if name == "stream.tensor.import":
            bits.append((op.results[0], "external"))
        elif name == "stream.tensor.export":
            bits.append((op.operands[0], "external"))
        elif name == "stream.async.constant":
            bits.append((op.results[0], "constant"))
        elif name in ("util.global.load", "util.global.store"):
            value = op.results[0] if op.results else op.operands[0]
            if is_resource(value):
                item: Any = op
                key = item.global_.string_value()
                union.join(value, key)
                bits.append((key, "global" if key in stored else "global_constant"))
        elif name == "stream.async.transfer":
            if op.results[0].type == resource("staging"):
                bits.append((op.results[0], "staging"))
        if name.startswith("stream."):
            for result, tie in zip(op.results, tied_operands(op), strict=True):
                if tie >= 0 and is_resource(result):
                    union.join(result, op.operands[tie])
            if name == "stream.timepoint.await":
                for result, value in zip(op.results, op.operands[1:], strict=False):
                    union.join(result, value)
            if name == "stream.resource.constants":
                bits.append((op.results[0], "constant"))
            if name == "stream.async.slice":
                union.join(op.results[0], op.operands[0])
        elif name == "scf.for":
            inner = op.regions[0].blocks[0]
            assert inner.last_op is not None
            for items in zip(op.operands[3:], inner.args[1:], inner.last_op.operands, op.results, strict=True):
                _join_all(union, items)
        elif name == "scf.while":
            before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
            assert before.last_op is not None and after.last_op is not None
            for items in zip(op.operands, before.args, after.last_op.operands, strict=True):
                _join_all(union, items)
            for items in zip(before.last_op.operands[1:], after.args, op.results, strict=True):
                _join_all(union, items)
        elif name == "scf.if":
            for region in op.regions:
                if region.blocks and region.blocks[0].last_op is not None:
                    for items in zip(region.blocks[0].last_op.operands, op.results, strict=False):
                        _join_all(union, items)


def _join_all(union: _Union, items: Any) -> None:
    if is_resource(items[0]):
        for other in items[1:]:
            union.join(items[0], other)


@dataclass
class RefineUsage(Pass):
    """Decide lifetimes."""

    name = "refine-usage"
    summary = "Decide lifetimes"

    def apply(self, op: Any, ctx: Context) -> None:
        refine_usage(op)
