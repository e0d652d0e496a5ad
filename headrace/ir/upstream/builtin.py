"""The `builtin` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.builtin import Builtin

__all__ = ["Builtin"]
