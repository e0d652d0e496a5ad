"""The `cf` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.cf import Cf

__all__ = ["Cf"]
