"""The `builtin` dialect: xDSL's operations with MLIR's rules."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import Builtin, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Block, Operation
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from headrace.ir.upstream import parser_for, rules_for, verifier_for

__all__ = ["Builtin"]


@parser_for(ModuleOp)
def _parse_module(parser: Any) -> Operation:
    op = ModuleOp.parse(parser)
    if not op.body.blocks:
        op.body.add_block(Block())
    return op


@verifier_for(ModuleOp)
def _verify_module(op: Any) -> None:
    if len(op.regions) != 1 or len(op.body.blocks) > 1:
        raise VerifyException("expected a region with one block")
    if op.body.blocks and op.body.block.args:
        raise VerifyException("expected no block arguments in the region of a module")
    parent = op.parent_op()
    named = "sym_name" in op.properties or "sym_name" in op.attributes
    if named and parent is not None and not parent.has_trait(SymbolTable, value_if_unregistered=True):
        raise VerifyException("symbol's parent must have the SymbolTable trait")
    for name in op.attributes:
        if "." not in name and name not in ("sym_name", "sym_visibility"):
            raise VerifyException(f"can only contain attributes with dialect-prefixed names, found: '{name}'")


@rules_for(UnrealizedConversionCastOp)
def _check_cast(op: Any) -> None:
    if not op.results:
        raise VerifyException("expected at least one result for cast operation")
