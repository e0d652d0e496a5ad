"""The `affine` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.affine import Affine

__all__ = ["Affine"]
