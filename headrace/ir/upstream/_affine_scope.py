"""What may be a dimension or a symbol of an affine map: MLIR's rules over SSA values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream.arith import constant_of

_INNER = frozenset({"affine", "scf", "linalg", "tensor", "memref", "bufferization", "vector", "pdl"})
"""Dialects whose regions belong to the affine scope around them; an unregistered operation's do too."""


def _is_scope(op: Operation | None) -> bool:
    return op is None or (op.name.partition(".")[0] not in _INNER and op.name != "builtin.unregistered")


def is_top_level(value: SSAValue) -> bool:
    """Whether a value is fixed for a whole run of its affine scope because no region inside the scope makes it."""
    return _is_scope(value.owner.parent_op())


def is_symbol(value: SSAValue) -> bool:
    """Whether a value may be an affine symbol.

    Top-level values, constants, pure functions of symbols, and extents of memrefs and tensors made at the top level or
    with symbols for extents.
    """
    if is_top_level(value):
        return True
    owner = value.owner
    if isinstance(owner, Block):
        return False
    if owner.name in ("memref.dim", "tensor.dim"):
        return _is_fixed_extent(owner)
    return is_side_effect_free(owner) and all(is_symbol(v) for v in owner.operands)


def _is_fixed_extent(op: Operation) -> bool:
    shaped, position = op.operands
    if is_top_level(shaped):
        return True
    at = constant_of(position)
    source = shaped.owner
    while isinstance(source, Operation) and source.name == "memref.cast":
        source = source.operands[0].owner
    if not isinstance(source, Operation) or at is None:
        return False
    if source.name not in ("memref.alloc", "memref.view", "memref.subview"):
        return False
    if source.name == "memref.subview":
        sizes: Any = source.properties["static_sizes"]
        extents, values = list(sizes.get_values()), list(source.sizes)  # pyright: ignore[reportAttributeAccessIssue]
    else:
        kind: Any = source.results[0].type
        extents = list(kind.get_shape())
        values = list(source.operands)[2 if source.name == "memref.view" else 0 :]
    if not 0 <= at < len(extents):
        return False
    return extents[at] != DYNAMIC_INDEX or is_symbol(values[extents[:at].count(DYNAMIC_INDEX)])


def is_dim(value: SSAValue) -> bool:
    """Whether a value may be an affine dimension: a symbol, a loop variable, or an affine function of dimensions."""
    if is_symbol(value):
        return True
    owner = value.owner
    if isinstance(owner, Block):
        parent = owner.parent_op()
        if parent is None:
            return False
        variables = len(owner.args) if parent.name == "affine.parallel" else 1
        return parent.name in ("affine.for", "affine.parallel") and owner.args.index(value) < variables  # pyright: ignore
    if owner.name in ("memref.dim", "tensor.dim"):
        return is_top_level(owner.operands[0])
    return owner.name in ("affine.apply", "affine.delinearize_index", "affine.linearize_index") and all(
        is_dim(v) for v in owner.operands
    )


def check_affine_operands(values: Sequence[SSAValue], num_dims: int) -> None:
    """The first `num_dims` operands may be dimensions, the rest must be symbols."""
    for position, value in enumerate(values):
        if position < num_dims and not is_dim(value):
            raise VerifyException("operand cannot be used as a dimension id")
        if position >= num_dims and not is_symbol(value):
            raise VerifyException("operand cannot be used as a symbol")
