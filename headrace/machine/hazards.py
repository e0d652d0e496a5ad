"""Hazards that the sanitizer finds, and their messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.ir.diagnostics import Diagnostic, HeadraceError

TEXTS: tuple[tuple[str, str], ...] = (
    ("uninitialised read: {place} was never written", ""),
    ("race: {place} is read while {other} may still write it", "the write; no signal or FIFO item puts it first"),
    ("overwritten before it was read: {place}", "the write that comes too early"),
    ("race: {place} is written while {other} may still read it", "the read; no signal or FIFO item puts it first"),
    ("race: {place} is written, and by {other} too, in no order", "the other write"),
    ("out of buffer: {place} belongs to no buffer of the launch", ""),
)
"""(message, note about the other access) by kind; see ``headrace.machine.native.sanitize``."""


@dataclass
class Hazard:
    """What was found: ``kind`` (of :data:`TEXTS`), the first bytes concerned, both instructions, how often."""

    kind: int
    place: str
    where: str
    other_where: str = ""
    other: str = ""
    count: int = 1

    def diagnostic(self) -> Diagnostic:
        """The message."""
        text, note = TEXTS[self.kind]
        notes = []
        if self.other_where:
            notes.append(Diagnostic("note", f"{note} [{self.other_where}]"))
        if self.count > 1:
            notes.append(Diagnostic("note", f"{self.count - 1} more like this"))
        message = text.format(place=self.place, other=self.other)
        return Diagnostic("error", f"{message} [{self.where}]", None, tuple(notes))


class HazardError(HeadraceError):
    """A sanitized run found hazards (or lost signals, or a deadlock); it was carried to its end, if it has one."""

    def __init__(self, hazards: Iterable[Hazard], more: Iterable[Diagnostic] = ()) -> None:
        super().__init__([*(h.diagnostic() for h in hazards), *more])
