"""The `cf` dialect: xDSL's operations."""

from xdsl.dialects.cf import Cf

__all__ = ["Cf"]
