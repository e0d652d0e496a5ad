"""The `arith` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.arith import Arith

__all__ = ["Arith"]
