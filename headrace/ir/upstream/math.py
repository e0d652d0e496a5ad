"""The `math` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.math import Math

__all__ = ["Math"]
