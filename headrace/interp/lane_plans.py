"""Which loops around pipelines can have their iterations side by side (`schedule_lanes`), and which of them should."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, MemRefType, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from headrace.interp.batches import CONSTANTS, ELEMENTWISE, mixes
from headrace.interp.structured import indexing_maps, iterator_kinds
from headrace.interp.values import static_shape
from headrace.ir.upstream.arith import constant_of

UNKNOWN = 64
"""Iterations that a loop is taken to have whose bounds no constants give."""
LOOPS = ("scf.for", "ktdf.parallel")
CAST = "builtin.unrealized_conversion_cast"


@dataclass(eq=False)
class Plan:
    """A loop whose iterations can be lanes."""

    block: Block
    each: set[SSAValue]
    """Values with a leading axis."""
    maps: dict[Operation, tuple[list[AffineMap], list[str]]] = field(default_factory=dict)
    """Maps and iterators of every `linalg.generic`, with the lanes as the first loop."""
    side_by_side: int = 0
    """Operations that are done for all lanes together: loops inside run one iteration after another."""
    one_by_one: int = 0
    """Operations that are done for each iteration if the loop's iterations are no lanes (see :func:`costs`)."""


def plan_of(loop: Operation) -> Plan | None:
    """How the iterations of a loop around pipelines are lanes; None where they cannot be."""
    block = loop.regions[0].blocks[0]
    if loop.name == "scf.for" and len(block.args) > 1:
        return None
    if not any(op.name == "ktdf.pipeline" for op in block.walk()):
        return None
    plan = Plan(block, set(block.args))
    made = frozenset([*block.args, *(v for op in block.walk() for v in _named_by(op))])
    plan.side_by_side, plan.one_by_one = costs(block)
    return plan if _fits(plan, block, made) else None


def costs(block: Block) -> tuple[int, int]:
    """Operations of a block, with its loops (run one iteration after another, run as they are best run): a loop of
    transfers in one batch, a loop around pipelines side by side or not."""
    all_of_them = best = 0
    for op in block.ops:
        if op.name in ("ktdf.pipeline", "ktdf.private", "ktdf.stage"):
            a, b = costs(op.regions[0].blocks[0])
        elif op.name in LOOPS:
            inner, quick = costs(op.regions[0].blocks[0])
            trips = _trips(op)
            a = trips * inner
            b = min(inner, trips * quick)
        else:
            a = b = 1
        all_of_them, best = all_of_them + a, best + b
    return all_of_them, best


def _trips(loop: Operation) -> int:
    """Iterations of a loop, `UNKNOWN` where its bounds are no constants."""
    n = (len(loop.operands) if loop.name == "ktdf.parallel" else 3) // 3
    trips = 1
    for k in range(n):
        lower, upper, step = (constant_of(v) for v in loop.operands[k : 3 * n : n])
        trips *= UNKNOWN if lower is None or upper is None or not step else len(range(lower, upper, step))
    return trips


def _named_by(op: Operation) -> list[SSAValue]:
    return [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]


def _fits(plan: Plan, block: Block, made: frozenset[SSAValue]) -> bool:
    """Whether every operation of a block has a meaning here; collects what differs between lanes."""
    return all(_takes(plan, op, made) for op in block.ops)


def _takes(plan: Plan, op: Any, made: frozenset[SSAValue]) -> bool:
    each = plan.each
    varies = any(v in each for v in op.operands)
    match op.name:
        case "scf.yield" | "ktdf.private_yield" | "ktdf.parallel_yield" | "ktdf.create_token":
            return True
        case "ktdf.fifo.allocate":
            return not op.operands
        case "ktdf.pipeline" | "ktdf.private" | "ktdf.stage":
            return _fits(plan, op.regions[0].blocks[0], made)
        case "scf.for" | "ktdf.parallel":
            inner = op.regions[0].blocks[0]
            if any(v in each for v in (op.operands[:3] if op.name == "scf.for" else op.operands)):
                return False
            if op.name == "ktdf.parallel" and any(o.name == CAST for o in inner.walk()):
                return False  # a buffer for each instance
            carried = inner.args[1:] if op.name == "scf.for" else ()
            each.update((*carried, *op.results))
            return all(_is_known(v) for v in carried) and _fits(plan, inner, made)
        case "ktdf.data_transfer":
            return all(isinstance(v.type, MemRefType) or v in made for v in (op.source, op.destination))
        case "ktdf.read_from_fifo":
            each.update(op.results)
            return op.operands[0] in made and _is_known(op.results[0])
        case "ktdf.write_to_fifo":
            return op.operands[1] in made and op.operands[0].type.name == "tensor"
        case "builtin.unrealized_conversion_cast":
            return not varies and isinstance(op.results[0].type, MemRefType)
        case "linalg.fill":
            return not varies and (op.operands[-1] in made or not isinstance(op.operands[-1].type, MemRefType))
        case "linalg.generic":
            return _generic_fits(plan, op, made)
    if op.regions or op.name not in ELEMENTWISE | CONSTANTS:
        return False
    if varies:
        each.update(op.results)
        return op.name in ELEMENTWISE and not mixes(op, each)
    return True


def _is_known(value: SSAValue) -> bool:
    """Whether a value is a number, or a tensor whose type gives its shape."""
    t: Any = value.type
    return isinstance(t, IndexType | IntegerType | AnyFloat) or (
        isinstance(t, TensorType) and min(static_shape(t), default=0) >= 0
    )


def _generic_fits(plan: Plan, op: Any, made: frozenset[SSAValue]) -> bool:
    block: Block = op.regions[0].blocks[0]
    own = {*block.args, *(r for inner in block.ops for r in inner.results)}
    for inner in block.ops:
        if inner.regions or inner.name not in ELEMENTWISE | {"arith.constant", "linalg.yield"}:
            return False
        if any(v in plan.each and v not in own for v in inner.operands):
            return False
    if any(isinstance(v.type, MemRefType) and not _is_own(v, made) for v in op.operands):
        return False
    maps = [_with_lanes(m) for m in indexing_maps(op)]
    plan.maps[op] = maps, ["parallel", *iterator_kinds(op)]
    plan.each.update(op.results)
    return True


def _is_own(value: SSAValue, made: frozenset[SSAValue]) -> bool:
    """Whether a memref is a buffer that the body makes."""
    return value in made and isinstance(value.owner, Operation) and value.owner.name == CAST


def _with_lanes(m: AffineMap) -> AffineMap:
    """The map of an operand with the lanes as its first dimension."""
    dims = [AffineDimExpr(d + 1) for d in range(m.num_dims)]
    results = tuple(e.replace_dims_and_symbols(dims, []) for e in m.results)
    return AffineMap(m.num_dims + 1, 0, (AffineDimExpr(0), *results))
