"""Why each copy, wait, join, allocation and deallocation of a scheduled module is there."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import group
from headrace.ir.dialects.hal import device_of
from headrace.ir.location import loc_of


def explain(module: ModuleOp) -> list[str]:
    """One line per operation that costs time or memory, in program order."""
    lines: list[str] = []
    for function in module.body.block.ops:
        if function.name != "util.func" or not function.regions[0].blocks:
            continue
        lines.append(f"function {function.sym_name.data}")  # pyright: ignore[reportAttributeAccessIssue]
        for op in function.walk():
            text = _REASONS.get(op.name)
            if text is not None:
                found = text(op)
                if found:
                    lines.append(f"  {_where(op)}{found}")
    return lines


def _where(op: Operation) -> str:
    place = loc_of(op)
    return f"{place}: " if place is not None else ""


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else "a value"


def _bytes(value: SSAValue) -> str:
    number = constant_of(value)
    return f"{number} bytes" if number is not None else "a size known at run time"


def _execute(op: Any) -> str:
    device = device_of(op.affinity) or "the device"
    count = sum(o.name == "stream.cmd.dispatch" for o in op.walk())
    waits = group(op, "await_timepoint")
    text = f"execution on {device}: {count} dispatch{'es' if count != 1 else ''}"
    if not waits:
        return text + ", starts at once"
    return text + ", " + _waits(waits[0])


def _waits(value: SSAValue, depth: int = 0) -> str:
    owner = value.owner
    if not isinstance(owner, Operation):
        return "waits for the iteration or region before it (the loop carries one timepoint)"
    if owner.name == "stream.timepoint.join":
        if depth:
            return "several"
        return "waits for " + " and ".join(_source(v) for v in owner.operands)
    return "waits for " + _source(value)


def _source(value: SSAValue) -> str:
    owner: Any = value.owner
    if not isinstance(owner, Operation):
        return "the region's start"
    if owner.name == "stream.resource.alloca":
        return f"the allocation of {_bytes(owner.storage_size)}"  # pyright: ignore[reportAttributeAccessIssue]
    if owner.name == "stream.cmd.execute":
        place = device_of(owner.properties.get("affinity")) or "the device"
        names = [_kernel(o) for o in owner.walk() if o.name == "stream.cmd.dispatch"]
        more = " ..." if len(names) > 3 else ""
        return f"the execution on {place} that runs {', '.join(names[:3]) or 'copies'}{more}"
    if owner.name.startswith("scf."):
        return f"all work of the {owner.name} before it"
    if owner.name == "util.global.load":
        return "the previous invocation's use of a global"
    return f"the result of {owner.name}"


def _kernel(op: Any) -> str:
    return op.entry_points.data[0].root_reference.data


def _copy(op: Any) -> str:
    source, target = _name(op.source), _name(op.target)
    after: Any = op.next_op
    if after is not None and after.name == "stream.cmd.flush":
        reader = device_of(after.target_affinity) or "the host"
        why = f"its reader is on {reader}, which does not share this memory"
    elif op.prev_op is not None and op.prev_op.name == "stream.cmd.invalidate":
        why = f"it comes from {device_of(op.prev_op.source_affinity) or 'the host'}"
    else:
        why = "the value is written in place, or leaves its owner, while the original is still read"
    return f"copy of {_bytes(op.length)} from {source} to {target}: {why}"


def _await(op: Any) -> str:
    values = group(op, "resource_operands")
    users = {u.operation.name for r in op.results for u in r.uses}
    why = "the host reads a value" if any(u.endswith(".load") for u in users) else "results leave the program"
    return f"the host waits for {len(values)} value{'s' if len(values) != 1 else ''}: {why}"


def _join(op: Any) -> str:
    return "join of " + " and ".join(_source(v) for v in op.operands)


def _alloca(op: Any) -> str:
    kind = op.results[0].type.lifetime.data
    device = device_of(op.affinity) or "the device"
    why = {
        "transient": "slab for all transients",
        "external": "leaves the program or is handed on with a value that does",
        "variable": "stays in a global",
        "staging": "the host reads it",
    }.get(kind, kind)
    return f"allocation of {_bytes(op.storage_size)} on {device}: {why}"


def _dealloca(op: Any) -> str:
    waits = group(op, "await_timepoint")
    return f"deallocation of {_bytes(op.operand_size)}, " + (_waits(waits[0]) if waits else "at once")


_REASONS = {
    "stream.cmd.execute": _execute,
    "stream.cmd.copy": _copy,
    "stream.timepoint.await": _await,
    "stream.timepoint.join": _join,
    "stream.resource.alloca": _alloca,
    "stream.resource.dealloca": _dealloca,
}
