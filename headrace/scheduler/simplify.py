"""Folding of a program once sizes are known: constants, tile extents, single-trip loops, buffer and transfer shapes,
dead code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, MemRefType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.location import copy_loc
from headrace.ir.types import memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, alloc_op, constant_of, constant_op, erase_dead, walk_ops

FOLDS: dict[str, Callable[[int, int], int | None]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.minui": lambda a, b: min(a, b) if a >= 0 <= b else None,
    "arith.maxui": lambda a, b: max(a, b) if a >= 0 <= b else None,
    "arith.ceildivsi": lambda a, b: -(-a // b) if b else None,
    "arith.ceildivui": lambda a, b: -(-a // b) if b > 0 <= a else None,
    "arith.floordivsi": lambda a, b: a // b if b else None,
    "arith.divsi": lambda a, b: int(a / b) if b and abs(a) < 2**52 else None,
    "arith.divui": lambda a, b: a // b if b > 0 <= a else None,
    "arith.remui": lambda a, b: a % b if b > 0 <= a else None,
    "arith.remsi": lambda a, b: (abs(a) % abs(b)) * (1 if a >= 0 else -1) if b else None,
}
COMPARE: dict[int, Callable[[int, int], bool]] = {
    0: lambda a, b: a == b,
    1: lambda a, b: a != b,
    2: lambda a, b: a < b,
    3: lambda a, b: a <= b,
    4: lambda a, b: a > b,
    5: lambda a, b: a >= b,
}


def simplify(program: func.FuncOp) -> None:
    """Fold `program` to a fixed point."""
    changed = True
    while changed:
        changed = False
        for op in list(walk_ops(program, *FOLDERS)):
            if op.parent is not None:
                changed |= fold(op)
        changed |= erase_dead(program.body, removable)


def removable(op: Operation) -> bool:
    """Operations without effect: they go when nothing uses them."""
    return op.name.startswith(("arith.", "affine.apply", "ktdf.tiling.", "memref.", "ktdp.")) or op.name in (
        "ktdf.buffer_phase",
        "ktdf.select_memref",
        "ktdf.create_token",
        "ktdf.fifo.allocate",
    )


def replace(op: Operation, value: int | SSAValue | bool) -> bool:
    """Replace a one-result op by a number or value."""
    result = op.results[0]
    if not isinstance(value, SSAValue):
        assert isinstance(result.type, IndexType | IntegerType)
        constant = constant_op(int(value), result.type)
        Rewriter.insert_op(constant, InsertPoint.before(op))
        value = constant.result
    result.replace_all_uses_with(value)
    op.detach()
    op.erase()
    return True


def fold(op: Operation) -> bool:
    """Simplify one operation; whether anything changed."""
    folder = FOLDERS.get(op.name)
    return folder is not None and folder(op)


def fold_compare(op: Operation) -> bool:
    a, b = constant_of(op.operands[0]), constant_of(op.operands[1])
    predicate = op.properties["predicate"].value.data  # type: ignore[attr-defined]
    return a is not None and b is not None and predicate in COMPARE and replace(op, COMPARE[predicate](a, b))


def fold_and(op: Operation) -> bool:
    """A conjunction with a known side."""
    if op.results[0].type == i1:
        for x, y in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
            k = constant_of(x)
            if k is not None:
                return replace(op, y if k else 0)
    return False


def fold_select(op: Operation) -> bool:
    k = constant_of(op.operands[0])
    return k is not None and replace(op, op.operands[1] if k else op.operands[2])


def fold_linearize(op: Operation) -> bool:
    """An index that is known."""
    values = ktdf.linearize_parts(op)
    if all(constant_of(v) is not None and constant_of(s) is not None for v, s in values):
        return replace(op, sum((constant_of(v) or 0) * (constant_of(s) or 0) for v, s in values))
    return False


def fold_select_memref(op: Operation) -> bool:
    k = constant_of(op.operands[0])
    return k is not None and replace(op, op.operands[1 + k])


def fold_binary(op: Operation) -> bool:
    a, b = constant_of(op.operands[0]), constant_of(op.operands[1])
    if a is not None and b is not None:
        value = FOLDS[op.name](a, b)
        return value is not None and replace(op, value)
    if (
        (op.name == "arith.addi" and b == 0)
        or (op.name == "arith.subi" and b == 0)
        or (op.name == "arith.muli" and b == 1)
    ):
        return replace(op, op.operands[0])
    if (op.name == "arith.addi" and a == 0) or (op.name == "arith.muli" and a == 1):
        return replace(op, op.operands[1])
    if op.name == "arith.muli" and (a == 0 or b == 0):
        return replace(op, 0)
    if b == 1 and op.name in ("arith.divui", "arith.divsi", "arith.ceildivui", "arith.ceildivsi", "arith.floordivsi"):
        return replace(op, op.operands[0])
    return False


def fold_derive(op: Operation) -> bool:
    """A tile extent that cannot vary: the size divides the total, or one tile covers it."""
    pairs, total = ktdf.derive_parts(op)
    n = constant_of(total)
    if len(pairs) != 1:
        return False
    index, size = constant_of(pairs[0][0]), constant_of(pairs[0][1])
    if size is None:
        return False
    if size == 1 and bounded_by(pairs[0][0], total):
        return replace(op, 1)
    if n is None:
        return False
    if index is not None:
        return replace(op, max(0, min(size, n - index * size)))
    if n % size == 0 and bounded(pairs[0][0], n // size):
        return replace(op, size)
    return False


def bounded(index: SSAValue, limit: int) -> bool:
    """Whether `index` is the variable of a loop that ends at or before `limit`."""
    loop = index.owner.parent_op() if not isinstance(index.owner, Operation) else None
    if isinstance(loop, scf.ForOp):
        ub = constant_of(loop.ub)
        return ub is not None and ub <= limit
    return isinstance(index.owner, Operation) and index.owner.name == "ktdf.tiling.linearize_index"


def bounded_by(index: SSAValue, total: SSAValue) -> bool:
    """Whether `index` is the variable of a loop whose bound is `total` itself."""
    loop = index.owner.parent_op() if not isinstance(index.owner, Operation) else None
    return isinstance(loop, scf.ForOp) and loop.ub is total


def fold_loop(op: scf.ForOp) -> bool:
    if not op.iter_args and all(inner.name == "scf.yield" for inner in op.body.block.ops):
        op.detach()
        op.erase()
        return True
    lb, ub, step = (constant_of(v) for v in (op.lb, op.ub, op.step))
    if lb is None or ub is None or step is None or op.iter_args or step <= 0:
        return False
    trips = max(0, -(-(ub - lb) // step))
    if trips > 1:
        return False
    if trips == 1:
        body = op.body.block
        body.args[0].replace_all_uses_with(Emitter.before(op).value(lb))
        move_out(body.ops, op)
    op.detach()
    op.erase(safe_erase=False)
    return True


def fold_if(op: scf.IfOp) -> bool:
    k = constant_of(op.cond)
    if op.results:
        return False
    if k is not None:
        region = op.true_region if k else op.false_region
        if region.blocks:
            move_out(region.block.ops, op)
    elif any(inner.name != "scf.yield" for r in op.regions for b in r.blocks for inner in b.ops):
        return False
    op.detach()
    op.erase(safe_erase=False)
    return True


def move_out(ops: object, target: Operation) -> None:
    """Move all but the terminator of a block in front of `target`."""
    for inner in list(ops):  # type: ignore[call-overload]
        if inner.name != "scf.yield":
            inner.detach()
            Rewriter.insert_op(inner, InsertPoint.before(target))


def fold_phase(op: Operation) -> bool:
    """Drop constant loop variables; a phase without variables is phase 0."""
    varying = [v for v in op.operands if constant_of(v) is None]
    if len(varying) == len(op.operands):
        return False
    if not varying:
        return replace(op, 0)
    phases = op.attributes.get("num_phases", op.properties.get("num_phases"))
    new = ktdf.buffer_phase(varying, phases.value.data)  # type: ignore[union-attr]
    Rewriter.insert_op(new, InsertPoint.before(op))
    return replace(op, new.results[0])


def fold_alloc(op: memref.AllocOp) -> bool:
    """Constant dynamic sizes become part of the type, here and where the private region hands the buffer out."""
    if not op.operands or any(constant_of(v) is None for v in op.operands):
        return False
    old = op.results[0].type
    assert isinstance(old, MemRefType)
    sizes = iter([constant_of(v) or 0 for v in op.operands])
    shape = [next(sizes) if n == DYNAMIC_INDEX else n for n in old.get_shape()]
    new = alloc_op(memref_type(old.element_type, shape, memory_space=old.memory_space))
    new.results[0].name_hint = op.results[0].name_hint
    Rewriter.insert_op(new, InsertPoint.before(op))
    copy_loc(op, new)
    op.results[0].replace_all_uses_with(new.results[0])
    for use in list(new.results[0].uses):
        if use.operation.name == "ktdf.private_yield":
            private = use.operation.parent_op()
            assert private is not None
            Rewriter.replace_value_with_new_type(private.results[use.index], new.results[0].type)
    op.detach()
    op.erase()
    return True


FOLDERS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(FOLDS, fold_binary),
    "arith.cmpi": fold_compare,
    "arith.andi": fold_and,
    "arith.select": fold_select,
    "ktdf.tiling.derive_size": fold_derive,
    "ktdf.tiling.linearize_index": fold_linearize,
    "scf.for": fold_loop,
    "scf.if": fold_if,
    "ktdf.buffer_phase": fold_phase,
    "ktdf.select_memref": fold_select_memref,
    "memref.alloc": fold_alloc,
    "ktdf.data_transfer": ktdf.fold_sizes,
}
"""What folds an operation, by its name."""
