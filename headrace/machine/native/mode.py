"""Variants of native code: what else than values an engine keeps track of."""

from __future__ import annotations

from enum import Enum

from llvmlite import ir


class Mode(Enum):
    """``TIMED``: clocks, ports and stalls; ``FUNCTIONAL``: values only; ``SANITIZED``: timed, with hazard checks;
    ``PROFILED``: timed, noting when units are busy or stalled (:mod:`headrace.machine.shares`)."""

    TIMED = "timed"
    FUNCTIONAL = "functional"
    SANITIZED = "sanitized"
    PROFILED = "profiled"


class ModeModule(ir.Module):
    """An LLVM module of code in one mode."""

    def __init__(self, name: str, mode: Mode) -> None:
        super().__init__(name=name)
        self.mode = mode


OK, BLOCKED, FAULT = 0, 1, 2
"""What a function of the engine says to its caller: go on; return, to be resumed later; stop, the unit's record says
why."""
