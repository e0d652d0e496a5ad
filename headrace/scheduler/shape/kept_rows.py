"""Values of a row that several reductions need: kept in the scratchpad instead of computed again.

Where a reduction's body computes, element by element, what a later generic of the same row computes too, the reduction
leaves it in a row buffer, and the later one reads it. Loading and storing are the work of other units, so every
operation that is spared is time of the compute unit.

    s = reduce(exp(x - m)) ; y = generic(exp(x - m) / s)   ->   s = reduce(e = exp(x - m)) ; y = generic(e / s)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import AffineMapAttr, TensorType, UnitAttr
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter, erase_dead

MARK = "headrace.kept"
"""Attribute of the operation of a reduction's body whose result is kept."""
LEAST = 1
"""Cycles a vector that keeping must spare."""

Key = Any


@dataclass(frozen=True, eq=False)
class Kept:
    """`value` stands for the row that the generic `by` leaves; it has the dimensions `dims`, innermost last."""

    by: linalg.GenericOp
    value: SSAValue
    dims: tuple[int, ...]
    element: Attribute


def keep_rows(
    generics: list[linalg.GenericOp],
    dims_of: Callable[[linalg.GenericOp], list[int]],
    loops_of: Callable[[linalg.GenericOp], list[int]],
    cycles: Callable[[Operation], int],
    fits: Callable[[Attribute, Sequence[int], int], bool],
    extents: dict[int, int],
) -> list[Kept]:
    """Rewrite `generics` (the list too) so that values of reductions are kept; what has to be stored.

    `cycles` prices an operation, `fits(element, loops, cycles)` says whether (and books that) a row buffer over the
    dimensions `loops` has a place and can be written in the cycles of a vector.
    """
    found: list[Kept] = []
    for position in range(len(generics) - 1):
        generic = generics[position]
        loops = loops_of(generic)
        own = keys_of(generic, dims_of(generic))
        later = [g for g in generics[position + 1 :] if loops_of(g) == loops]
        theirs = [set(keys_of(g, dims_of(g)).values()) for g in later]
        best: Operation | None = None
        spared = LEAST - 1
        for op in generic.body.block.ops:
            if len(op.results) != 1 or not follows(op.results[0], generic, loops, dims_of):
                continue
            cost = sum(cycles(o) for o in cone(op))
            if cost >= spared + 1 and any(own[op.results[0]] in keys for keys in theirs):
                best, spared = op, cost
        whole = sum(cycles(op) for op in generic.body.block.ops)
        if best is None or not fits(best.results[0].type, loops, whole):
            continue
        key, element = own[best.results[0]], best.results[0].type
        best.attributes[MARK] = UnitAttr()
        t = TensorType(element, [extents[d] for d in loops])
        emit = Emitter.before(generic)
        row = emit.insert(tensor.EmptyOp([], t)).results[0]
        for g, keys in zip(later, theirs, strict=True):
            if key in keys:
                generics[generics.index(g)] = reads(g, row, key, dims_of(g), loops)
        found.append(Kept(generic, row, tuple(loops), element))
    return found


def keys_of(generic: linalg.GenericOp, dims: list[int]) -> dict[SSAValue, Key]:
    """What each value of a body is, comparable between generics of one row; results of outputs are themselves."""
    keys: dict[SSAValue, Key] = {}
    inputs = len(generic.inputs)
    for argument, value, m in zip(
        generic.body.block.args, (*generic.inputs, *generic.outputs), generic.indexing_maps.data, strict=True
    ):
        assert isinstance(m, AffineMapAttr)
        at = tuple(dims[e.position] if isinstance(e, AffineDimExpr) else str(e) for e in m.data.results)
        keys[argument] = (value, at) if argument.index < inputs else (generic, argument.index)
    for op in generic.body.block.ops:
        operands = tuple(keys.get(v, v) for v in op.operands)
        name = (op.name, str(op.properties), operands) if op.name != "linalg.index" else (generic, op)
        for i, result in enumerate(op.results):
            keys[result] = (name, i)
    return keys


def follows(
    value: SSAValue, generic: linalg.GenericOp, loops: list[int], dims_of: Callable[[linalg.GenericOp], list[int]]
) -> bool:
    """Whether a value of a body is made from inputs alone and differs along all of `loops`."""
    dims = dims_of(generic)
    seen: set[int] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if isinstance(v, BlockArgument):
            if v.index >= len(generic.inputs):
                return False
            m = generic.indexing_maps.data[v.index]
            assert isinstance(m, AffineMapAttr)
            seen |= {dims[e.position] for e in m.data.results if isinstance(e, AffineDimExpr)}
        elif v.owner.name == "linalg.index":  # type: ignore[union-attr]
            return False
        else:
            stack.extend(v.owner.operands)  # type: ignore[union-attr]
    return bool(loops) and set(loops) <= seen


def cone(op: Operation) -> list[Operation]:
    """The operations of a body that a result is computed by."""
    found: dict[Operation, None] = {}
    stack = [op]
    while stack:
        o = stack.pop()
        if o not in found:
            found[o] = None
            stack.extend(v.owner for v in o.operands if isinstance(v.owner, Operation))
    return list(found)


def reads(
    generic: linalg.GenericOp, row: SSAValue, key: Key, dims: list[int], loops: list[int]
) -> linalg.GenericOp:
    """The generic with `row` in place of the value `key`, and without the inputs that only fed that."""
    body = generic.body.block
    value = next(v for v, k in keys_of(generic, dims).items() if k == key)
    argument = body.insert_arg(value.type, len(generic.inputs))
    value.replace_all_uses_with(argument)
    erase_dead(generic.body, lambda _: True)
    rank = len(dims)
    own = AffineMapAttr(AffineMap(rank, 0, tuple(AffineDimExpr(dims.index(d)) for d in loops)))
    count = len(generic.inputs)
    inputs = [*generic.inputs, row]
    maps = [*generic.indexing_maps.data[:count], own, *generic.indexing_maps.data[count:]]
    walked = {e.position for m in maps[count:] for e in m.data.results if isinstance(e, AffineDimExpr)}  # type: ignore[attr-defined]
    unused = [i for i in range(count) if not body.args[i].uses]
    if len(walked) < rank:
        unused = []  # an input may be what gives a dimension its extent
    for i in reversed(unused):
        body.erase_arg(body.args[i])
        del inputs[i], maps[i]
    new = linalg.GenericOp(
        inputs, list(generic.outputs), generic.detach_region(generic.body), maps, list(generic.iterator_types.data),
        [r.type for r in generic.results],
    )  # fmt: skip
    new.attributes.update(generic.attributes)
    copy_loc(generic, new)
    Emitter.before(generic).insert(new)
    for old, result in zip(generic.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    generic.detach()
    generic.erase()
    return new


def split(body: Region, inputs: int) -> tuple[Region, Region] | None:
    """A reduction's body in two: (what makes the marked value, the rest with that value as a further last input); None
    where nothing is marked. The last argument is the accumulator."""
    block = body.block
    marked = next((op for op in block.ops if MARK in op.attributes), None)
    if marked is None:
        return None
    kinds = [a.type for a in block.args[:inputs]]
    value = marked.results[0]
    first = Block(arg_types=[*kinds, value.type])
    mapping: dict[SSAValue, SSAValue] = dict(zip(block.args[:inputs], first.args, strict=False))
    needed = set(cone(marked))
    for op in block.ops:
        if op in needed:
            clone = op.clone(mapping)
            clone.attributes.pop(MARK, None)
            first.add_op(clone)
            mapping.update(zip(op.results, clone.results, strict=True))
    first.add_op(linalg.YieldOp(mapping[value]))
    rest = Block(arg_types=[*kinds, value.type, *(a.type for a in block.args[inputs:])])
    mapping = dict(zip(block.args, [*rest.args[:inputs], *rest.args[inputs + 1 :]], strict=True))
    mapping[value] = rest.args[inputs]
    for op in block.ops:
        if op is not marked:
            clone = op.clone(mapping)
            rest.add_op(clone)
            mapping.update(zip(op.results, clone.results, strict=True))
    behind = Region(rest)
    erase_dead(behind, lambda _: True)
    return Region(first), behind

