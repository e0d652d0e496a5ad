"""The `linalg` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.linalg import Linalg

__all__ = ["Linalg"]
