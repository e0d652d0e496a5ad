"""Which operations may be removed, merged or moved."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import Operation
from xdsl.traits import (
    AlwaysSpeculatable,
    ConstantLike,
    IsTerminator,
    MemoryAllocEffect,
    MemoryEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)

_DIVISIONS = frozenset(
    f"arith.{name}" for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)


def is_pure(op: Operation) -> bool:
    """Neither reads nor writes memory, here or in its regions. Operations of unknown effect are not pure."""
    if op.has_trait(IsTerminator, value_if_unregistered=True):
        return False
    if op.name.startswith("linalg.") and op.results and len(op.results):
        return all(isinstance(result.type, TensorType) for result in op.results) or op.name == "linalg.index"
    if op.name in ("arith.extsi", "builtin.unrealized_conversion_cast"):
        return True
    effects = op.get_traits_of_type(MemoryEffect)
    if not effects:
        return False
    for effect in effects:
        if isinstance(effect, RecursiveMemoryEffect):
            for region in op.regions:
                for block in region.blocks:
                    if not all(is_pure(inner) or inner.has_trait(IsTerminator) for inner in block.ops):
                        return False
        elif not isinstance(effect, NoMemoryEffect):
            return False
    return True


def is_dead(op: Operation) -> bool:
    """No result is used and leaving the operation out changes nothing; unused allocations count as dead."""
    if op.has_trait(IsTerminator, value_if_unregistered=True) or op.has_trait(SymbolOpInterface):
        return False
    if any(result.first_use is not None for result in op.results):
        return False
    if is_pure(op):
        return True
    effects = op.get_traits_of_type(MemoryEffect)
    return bool(effects) and all(isinstance(effect, MemoryAllocEffect) for effect in effects)


def is_speculatable(op: Operation) -> bool:
    """May run although the original program would not have run it (a division needs a known divisor)."""
    if op.name in _DIVISIONS:
        divisor = ConstantLike.get_constant_value(op.operands[1])
        return isinstance(divisor, IntegerAttr) and divisor.value.data not in (0, -1)
    if op.has_trait(AlwaysSpeculatable) or op.name.startswith(("arith.", "math.", "affine.", "tensor.", "linalg.")):
        return is_pure(op)
    return is_pure(op) and all(
        is_speculatable(inner) or inner.has_trait(IsTerminator)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )
