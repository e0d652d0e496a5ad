"""Traits and hooks that our own operations add to xDSL's."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from xdsl.ir import SSAValue
from xdsl.traits import OpTrait


class Unique(OpTrait):
    """A pure operation of which two textually equal instances are still different things: never merged."""


@runtime_checkable
class Folds(Protocol):
    """An operation that can be simplified to something known."""

    def fold_operation(self) -> SSAValue | int | None:
        """What the single result is: an existing value, an integer, or None if unknown (operands may have shrunk)."""
        ...
