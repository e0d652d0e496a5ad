"""Errors, warnings and notes that point into the user's file.

A diagnostic prints as `file:line:col: severity: text` with the source line and a caret under the column.
`HeadraceError` is the one exception for bad input; everything else that escapes is a bug of headrace.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.ir import Attribute, Block, Operation, SSAValue

    from headrace.ir.location import Location

    Place: TypeAlias = Location | Operation | SSAValue | Block | Attribute | None

#: Longer source lines are cut around the column.
_LINE_LIMIT = 400

#: Longer names, and names among more than that many, are not compared.
_NAME_LIMIT = 100
_NAMES_LIMIT = 5000

Severity = Literal["error", "warning", "note", "remark"]


@dataclass(frozen=True)
class Diagnostic:
    """One message with its place; notes are diagnostics of severity `note`."""

    severity: Severity
    message: str
    loc: Location | None = None
    notes: tuple[Diagnostic, ...] = field(default=())

    def render(self) -> str:
        """The text shown to the user, with source line and caret where the source is known."""
        where = f"{self.loc}: " if self.loc is not None else ""
        lines = [f"{where}{self.severity}: {self.message}"]
        if self.loc is not None and self.loc.source_line is not None:
            text, column = self.loc.source_line, self.loc.col - 1
            if len(text) > _LINE_LIMIT:
                start = max(0, column - _LINE_LIMIT // 2)
                text, column = text[start : start + _LINE_LIMIT], column - start
            lines.append(text)
            lead = text[:column]
            lines.append("".join("\t" if c == "\t" else " " for c in lead) + "^")
        lines.extend(note.render() for note in self.notes)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.render()


class HeadraceError(Exception):
    """The input is wrong. `diagnostics` says what, where and what to do; there is at least one error among them."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]):
        self.diagnostics: list[Diagnostic] = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        super().__init__()

    def __str__(self) -> str:
        return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)


class DiagnosticEngine:
    """Collects diagnostics that do not stop the work: warnings, remarks, and errors reported together later."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()

    def emit(
        self, severity: Severity, place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()
    ) -> Diagnostic:
        """Record and return a diagnostic; the same text at the same place is recorded once."""
        made = make(severity, place, message, notes)
        if made not in self._seen:
            self._seen.add(made)
            self.diagnostics.append(made)
        return made

    def warning(self, place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> None:
        """Record a warning."""
        self.emit("warning", place, message, notes)

    def remark(self, place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> None:
        """Record a remark."""
        self.emit("remark", place, message, notes)

    def error(self, place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> None:
        """Record an error without raising; `check` raises them together."""
        self.emit("error", place, message, notes)

    @property
    def warnings(self) -> list[Diagnostic]:
        """The recorded warnings."""
        return [item for item in self.diagnostics if item.severity == "warning"]

    @property
    def errors(self) -> list[Diagnostic]:
        """The recorded errors."""
        return [item for item in self.diagnostics if item.severity == "error"]

    def check(self) -> None:
        """Raise `HeadraceError` with all recorded errors, if there are any."""
        if self.errors:
            raise HeadraceError(self.errors)


_engines: list[DiagnosticEngine] = []


def engine() -> DiagnosticEngine:
    """The engine that receives warnings now: the innermost `collecting()`, or a discarded one."""
    return _engines[-1] if _engines else DiagnosticEngine()


@contextmanager
def collecting(into: DiagnosticEngine | None = None) -> Iterator[DiagnosticEngine]:
    """Make `into` (or a new engine) receive the warnings emitted inside the `with` block."""
    made = into if into is not None else DiagnosticEngine()
    _engines.append(made)
    try:
        yield made
    finally:
        _engines.pop()


def location(place: Place) -> Location | None:
    """The `Location` of an op, value, block, location attribute or location."""
    if place is None:
        return None
    from xdsl.ir import Attribute

    from headrace.ir.location import Location, attribute_location, loc_of

    if isinstance(place, Location):
        return place
    if isinstance(place, Attribute):
        return attribute_location(place)
    return loc_of(place)


def make(severity: Severity, place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> Diagnostic:
    """Build a diagnostic; `place` may be an operation, a value, a block, a location or None."""
    return Diagnostic(
        severity, message, location(place), tuple(Diagnostic("note", text, location(at)) for at, text in notes)
    )


def error(place: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> HeadraceError:
    """An error to raise: `raise error(op, "tile does not fit", [(view, "the view is here")])`."""
    return HeadraceError(make("error", place, message, notes))


def op_error(op: Operation, message: str, notes: Sequence[tuple[Place, str]] = ()) -> HeadraceError:
    """An error about an operation, prefixed as MLIR does: `'dialect.op' op message`."""
    return error(op, f"'{op.name}' op {message}", notes)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`"; did you mean 'x'?"`, or an empty string when nothing is close."""
    length = len(name)
    if length > _NAME_LIMIT:
        return ""
    near = sorted(item for item in known if length // 2 <= len(item) <= 2 * length)
    close = difflib.get_close_matches(name, near[:_NAMES_LIMIT], n=1, cutoff=0.7)
    return f"; did you mean '{close[0]}'?" if close else ""
