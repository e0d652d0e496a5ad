"""Bindings of a kernel that are one resource at every call become one binding.

Each binding that goes gets an added `index` operand with its offset; the binding that
stays is the whole resource. Bindings that are written are fused only where `stream.resources` on the module says
`alias_mutable_bindings = true`. From here on the ranges of commands no longer say what they touch. For kernels on
tensors the attribute `headrace.fused` of the function says, for each range it had, binding and operand; for kernels on
`!stream.binding` the function gets the operands and adds them to its subspans.

Precondition: the command level. Postcondition: no two such bindings of a kernel are one resource at every call.

```
stream.cmd.dispatch @k::@k {                              stream.cmd.dispatch @k::@k(%c0, %c64 : index, index) {
  ro %slab[%c0 for %c64] : T{%s},                           ro %slab[%c0 for %s] : T{%s},
  ro %slab[%c64 for %c64] : T{%s},                   ->     wo %out[%c0 for %c64] : T{%n} }
  wo %out[%c0 for %c64] : T{%n} }
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from headrace.graph.kernels import Kernel, kernels_of
from headrace.graph.shapes import Constants
from headrace.ir.dialects._stream_format import INDEX, group, make_op
from headrace.ir.dialects.stream_cmd import CmdDispatchOp
from headrace.ir.dialects.stream_types import BindingType, ResourceConfigAttr
from headrace.ir.passes import Pass
from headrace.stream.storage import host_functions

READ, WRITE = 1, 2
Entry = tuple[str, str]


def fuse_dispatch_bindings(module: ModuleOp) -> ModuleOp:
    """Fuse, in place."""
    sites: dict[Entry, list[Any]] = {}
    entries: dict[Any, Any] = {}
    for function in host_functions(module):
        entry = function.regions[0].blocks[0]
        for op in entry.walk():
            if op.name == "stream.cmd.dispatch":
                entries[op] = entry
                for point in op.entry_points.data:  # pyright: ignore[reportAttributeAccessIssue]
                    nested = point.nested_references.data
                    root = point.root_reference.data
                    sites.setdefault((root, nested[0].data if nested else root), []).append(op)
    kernels = kernels_of(module)
    writable = _alias_mutable(module)
    constants: dict[Any, Constants] = {}
    for name, ops in sites.items():
        kernel = kernels.get(name)
        if kernel is None or kernel.is_tile or any(len(op.entry_points.data) > 1 for op in ops):
            continue
        groups = _groups(ops, kernel, writable)
        if all(len(g) == 1 for g in groups):
            continue
        offsets = _rewrite_kernel(kernel, groups, len(group(ops[0], "uniform_operands")))
        for op in ops:
            entry = entries[op]
            found = constants.setdefault(entry, Constants(entry))
            _rewrite_site(op, groups, offsets, found)
    return module


def _alias_mutable(module: ModuleOp) -> bool:
    config = module.attributes.get("stream.resources")
    return isinstance(config, ResourceConfigAttr) and config.flag("alias_mutable_bindings")


def _groups(ops: list[Any], kernel: Kernel, writable: bool) -> list[list[int]]:
    """Positions of bindings that may become one, in order of the first; what may not stays alone."""
    count = len(ops[0].resources)
    if any(len(op.resources) != count for op in ops):
        return [[i] for i in range(count)]
    static = [_static(k) for k in kernel.range_types]
    found: dict[Any, list[int]] = {}
    for index in range(count):
        written = any(op.resource_accesses.data[index].value.data & WRITE for op in ops)
        may = (writable or not written) and index < len(static) and static[index]
        key: Any = tuple(op.resources[index] for op in ops) if may else index
        found.setdefault((key, written) if may else key, []).append(index)
    return list(found.values())


def _static(kind: Any) -> bool:
    return isinstance(kind, BindingType) or (isinstance(kind, TensorType) and DYNAMIC_INDEX not in kind.get_shape())


def _rewrite_kernel(kernel: Kernel, groups: list[list[int]], operands: int) -> list[int]:
    """Note the fusion on the kernel; gives the positions whose offsets become operands, in that order."""
    fused = sorted(i for g in groups if len(g) > 1 for i in g)
    binding = {i: b for b, g in enumerate(groups) for i in g}
    function = kernel.function
    if any(isinstance(k, BindingType) for k in kernel.argument_types):
        _rewrite_bindings(function, groups, fused)
        return fused
    rows = [
        DenseArrayBase.from_list(i64, [binding[i], operands + fused.index(i) if i in fused else -1])
        for i in range(len(binding))
    ]
    function.attributes["headrace.fused"] = ArrayAttr(rows)
    return fused


def _rewrite_bindings(function: Any, groups: list[list[int]], fused: list[int]) -> None:
    block = function.body.blocks[0]
    bindings = [a for a in block.args if isinstance(a.type, BindingType)]
    added = {i: block.insert_arg(INDEX, len(block.args)) for i in fused}
    for members in groups:
        for i in members:
            if i not in added:
                continue
            for use in list(bindings[i].uses):
                op = use.operation
                if op.name == "stream.binding.subspan":
                    total = arith.AddiOp.create(operands=[op.operands[1], added[i]], result_types=[INDEX])
                    assert op.parent is not None
                    op.parent.insert_op_before(total, op)
                    op.operands[1] = total.results[0]
            bindings[i].replace_all_uses_with(bindings[members[0]])
    for members in groups:
        for i in members[1:]:
            block.erase_arg(bindings[i])
    results = list(function.function_type.outputs.data)
    function.properties["function_type"] = FunctionType.from_lists([a.type for a in block.args], results)


def _rewrite_site(op: Any, groups: list[list[int]], offsets: list[int], constants: Constants) -> None:
    rows = {n: group(op, n) for n in ("resources", "resource_sizes", "resource_offsets", "resource_lengths")}
    made: dict[str, list[SSAValue]] = {n: [] for n in rows}
    access: list[IntegerAttr] = []
    for members in groups:
        first = members[0]
        made["resources"].append(rows["resources"][first])
        made["resource_sizes"].append(rows["resource_sizes"][first])
        alone = len(members) == 1
        made["resource_offsets"].append(rows["resource_offsets"][first] if alone else constants.get(0))
        made["resource_lengths"].append(rows["resource_lengths" if alone else "resource_sizes"][first])
        bits = 0
        for i in members:
            bits |= op.resource_accesses.data[i].value.data
        access.append(IntegerAttr(bits, i32))
    new: Operation = make_op(
        CmdDispatchOp,
        {
            "workload": group(op, "workload"),
            "uniform_operands": [*group(op, "uniform_operands"), *(rows["resource_offsets"][i] for i in offsets)],
            **made,
        },
        [],
        {"entry_points": op.entry_points, "resource_accesses": ArrayAttr(access)},
        attributes=op.attributes,
        location=op.location,
    )
    op.parent.insert_op_before(new, op)
    op.detach()
    op.erase()

@dataclass
class FuseDispatchBindings(Pass):
    """Bindings that are always one resource become one."""

    name = "fuse-dispatch-bindings"
    summary = "Bindings that are always one resource become one"

    def apply(self, op: Any, ctx: Context) -> None:
        fuse_dispatch_bindings(op)
