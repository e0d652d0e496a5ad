"""The size of every resource of a function."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import Constants
from headrace.ir.types import dtype_of
from headrace.stream.passes.materialize_copy_on_write import size_of
from headrace.stream.storage import is_resource


def size_map(entry: Block) -> dict[SSAValue, SSAValue]:
    """The size value of every resource that some operation names with its size."""
    found: dict[SSAValue, SSAValue] = {}
    edges: list[tuple[SSAValue, SSAValue]] = []
    for op in _walk(entry):
        if op.name.startswith("stream."):
            for index, value in enumerate(op.operands):
                if is_resource(value) and value not in found:
                    found[value] = size_of(op, index)
            sizes = _result_sizes(op)
            for result, size in zip([r for r in op.results if is_resource(r)], sizes, strict=False):
                found[result] = size
        elif op.name == "scf.for":
            last = op.regions[0].blocks[0].last_op
            assert last is not None
            for init, argument, yielded, result in zip(
                op.operands[3:], op.regions[0].blocks[0].args[1:], last.operands, op.results, strict=True
            ):
                if is_resource(init):
                    edges += [(init, argument), (init, yielded), (init, result)]
        elif op.name == "scf.while":
            before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
            assert before.last_op is not None and after.last_op is not None
            edges += [(a, b) for a, b in zip(op.operands, before.args, strict=True) if is_resource(a)]
            edges += [(a, b) for a, b in zip(before.last_op.operands[1:], after.args, strict=True) if is_resource(a)]
            edges += [(a, b) for a, b in zip(before.last_op.operands[1:], op.results, strict=True) if is_resource(a)]
            edges += [(a, b) for a, b in zip(before.args, after.last_op.operands, strict=True) if is_resource(a)]
        elif op.name == "scf.if":
            for region in op.regions:
                if region.blocks and region.blocks[0].last_op is not None:
                    ends = region.blocks[0].last_op.operands
                    edges += [(a, b) for a, b in zip(ends, op.results, strict=False) if is_resource(a)]
    _global_sizes(entry, found)
    for _ in range(8):
        changed = False
        for one, two in edges:
            for a, b in ((one, two), (two, one)):
                if a in found and b not in found:
                    found[b] = found[a]
                    changed = True
        if not changed:
            break
    return found


def _global_sizes(entry: Block, found: dict[SSAValue, SSAValue]) -> None:
    """Sizes of loaded globals that no operation names: from the tensor type the global was declared with."""
    module = entry.parent_op()
    while module is not None and module.parent_op() is not None:
        module = module.parent_op()
    if module is None:
        return
    kinds: dict[str, Any] | None = None
    for op in _walk(entry):
        if op.name != "util.global.load" or not is_resource(op.results[0]) or op.results[0] in found:
            continue
        if kinds is None:
            kinds = {
                g.sym_name.data: g.attributes["headrace.tensor"]  # pyright: ignore[reportAttributeAccessIssue]
                for g in module.regions[0].block.ops
                if g.name == "util.global" and "headrace.tensor" in g.attributes
            }
        kind = kinds.get(op.global_.string_value())  # pyright: ignore[reportAttributeAccessIssue]
        if kind is not None:
            found[op.results[0]] = Constants(entry).get(prod(kind.get_shape()) * dtype_of(kind).bytes)


def _walk(block: Block) -> Iterator[Operation]:
    for op in block.ops:
        yield op
        for region in op.regions:
            for inner in region.blocks:
                yield from _walk(inner)


def _result_sizes(op: Any) -> list[SSAValue]:
    from headrace.ir.dialects._stream_format import first, group, groups_of

    names, _ = groups_of(type(op))
    if "result_sizes" in names:
        return group(op, "result_sizes")
    if "result_size" in names:
        return group(op, "result_size")
    if "target_size" in names:
        return group(op, "target_size")
    if op.name in ("stream.async.barrier", "stream.timepoint.barrier"):
        value = first(op, "source_size") if "source_size" in names else first(op, "resource_size")
        return [value] if value is not None else []
    return []


# ---- lifetimes ------------------------------------------------------------------------------------------------------
