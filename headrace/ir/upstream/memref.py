"""The `memref` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.memref import MemRef

__all__ = ["MemRef"]
