"""The `tensor` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.tensor import Tensor

__all__ = ["Tensor"]
