"""Structural equality of IR, up to value names and locations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation


def modules_equal(left: Operation, right: Operation) -> bool:
    """Same operations, attributes, types, operands and successors in the same order."""
    return difference(left, right) is None


def difference(left: Operation, right: Operation) -> tuple[Operation, Operation, str] | None:
    """The first pair of operations that differ and how, or None."""
    values: dict[SSAValue, SSAValue] = {}
    blocks: dict[Block, Block] = {}
    pairs: list[tuple[Operation, Operation]] = []

    def collect(a: Operation, b: Operation) -> tuple[Operation, Operation, str] | None:
        work: list[tuple[Operation, Operation]] = [(a, b)]
        while work:
            first, second = work.pop()
            pairs.append((first, second))
            if first.name != second.name:
                return first, second, f"operation {first.name} against {second.name}"
            if not _same_types(first.result_types, second.result_types):
                return first, second, "result types differ"
            values.update(zip(first.results, second.results, strict=True))
            if len(first.regions) != len(second.regions):
                return first, second, "number of regions differs"
            for region, other in zip(first.regions, second.regions, strict=True):
                if (problem := _regions(region, other, work)) is not None:
                    return first, second, problem
        return None

    def _regions(a: Region, b: Region, work: list[tuple[Operation, Operation]]) -> str | None:
        if len(a.blocks) != len(b.blocks):
            return "number of blocks differs"
        for block, other in zip(a.blocks, b.blocks, strict=True):
            if not _same_types([arg.type for arg in block.args], [arg.type for arg in other.args]):
                return "block arguments differ"
            values.update(zip(block.args, other.args, strict=True))
            blocks[block] = other
            mine, theirs = list(block.ops), list(other.ops)
            if len(mine) != len(theirs):
                return "number of operations differs"
            work.extend(zip(mine, theirs, strict=True))
        return None

    found = collect(left, right)
    if found is not None:
        return found
    for a, b in pairs:
        if not _same(a.properties, b.properties) and not _same(_given(a), _given(b)):
            return a, b, f"properties {a.properties} against {b.properties}"
        if not _same(a.attributes, b.attributes):
            return a, b, f"attributes {a.attributes} against {b.attributes}"
        if [values.get(v, v) for v in a.operands] != list(b.operands):
            return a, b, "operands differ"
        if [blocks.get(s, s) for s in a.successors] != list(b.successors):
            return a, b, "successors differ"
    return None


def _given(op: Operation) -> dict[str, Attribute]:
    """The properties that are not the default of their operation: written or not, a default means the same."""
    if not isinstance(op, IRDLOperation):
        return dict(op.properties)
    known = op.get_irdl_definition().properties
    return {k: v for k, v in op.properties.items() if k not in known or v != known[k].default_value}


def _same_types(a: Sequence[Attribute], b: Sequence[Attribute]) -> bool:
    """Equal types; those of unknown dialects compare by text."""
    return len(a) == len(b) and all(x == y or str(x) == str(y) for x, y in zip(a, b, strict=True))


def _same(a: Mapping[str, Attribute], b: Mapping[str, Attribute]) -> bool:
    """Equal dictionaries. Attributes of unknown dialects, whose classes differ between contexts, compare by text."""
    return a == b or (
        a.keys() == b.keys() and all(value == b[key] or str(value) == str(b[key]) for key, value in a.items())
    )
