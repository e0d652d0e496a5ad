"""The `scf` dialect: xDSL's operations with MLIR's text."""

from xdsl.dialects.scf import Scf

__all__ = ["Scf"]
