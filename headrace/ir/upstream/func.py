"""The `func` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.func import Func

__all__ = ["Func"]
