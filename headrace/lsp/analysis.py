"""A text analysed: its modules, where things stand, and what is wrong with it.

The text is cut at `// -----` lines; each part is parsed, verified and, if it is KTIR, checked for legality. After a
syntax error the function around it is blanked out and the part is parsed again, so that errors in other functions show
too; what cannot be told apart from a consequence of the first error is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from xdsl.dialects.builtin import ModuleOp

from headrace.ir.context import make_context
from headrace.ir.diagnostics import Diagnostic, DiagnosticEngine, HeadraceError, Severity, collecting
from headrace.ir.location import Location
from headrace.ir.outline import blank, enclosing_item
from headrace.ir.text import parse_module, verify_op
from headrace.lsp.index import Index, IndexingParser
from headrace.lsp.tokens import Lines, parts, token_at

#: How many functions with syntax errors are set aside before giving up.
ROUNDS = 10
#: Dialects of later levels: a module that has them is not KTIR.
_LATER = frozenset(
    ("ktdf", "ktdf_lowering", "ktdf_arch", "dataflow", "vectorchain", "agen", "uniform", "symbol", "pdl", "linalg_ext")
)


@dataclass(frozen=True)
class Problem:
    """A diagnostic with the extent of the text it is about; notes are problems of severity `note`."""

    severity: Severity
    message: str
    start: int
    end: int
    notes: tuple[Problem, ...] = ()


@dataclass
class Part:
    """One module of the text, at `[start, end)`. Earlier indexes come from the parses that failed."""

    start: int
    end: int
    module: ModuleOp | None = None
    indexes: list[Index] = field(default_factory=list[Index])


@dataclass
class Analysis:
    """The result for a whole text."""

    text: str
    lines: Lines
    parts: list[Part]
    problems: list[Problem]

    def part(self, offset: int) -> Part:
        """The part around an offset."""
        return next((part for part in self.parts if part.start <= offset <= part.end), self.parts[-1])


def analyse(text: str, filename: str = "<editor>") -> Analysis:
    """Parse and check a text; never raises for what is in it."""
    lines = Lines(text)
    made = Analysis(text, lines, [], [])
    seen: set[tuple[str, int, int]] = set()
    for start, end in parts(text):
        part = Part(start, end)
        made.parts.append(part)
        for diagnostic in _check(text, filename, lines, part):
            problem = _problem(diagnostic, lines, part)
            key = (problem.message, problem.start, problem.end)
            if key not in seen:
                seen.add(key)
                made.problems.append(problem)
    made.problems.sort(key=lambda item: (item.start, item.severity, item.message))
    return made


def _check(text: str, filename: str, lines: Lines, part: Part) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    first_line = lines.position(part.start)[0] + 1
    body = text[part.start : part.end]
    aside: list[str] = []
    whole = True
    for _ in range(ROUNDS):
        index = Index()
        part.indexes.insert(0, index)
        warnings = DiagnosticEngine()
        try:
            with collecting(warnings):
                part.module = parse_module(
                    body,
                    filename,
                    verify=False,
                    ctx=make_context(),
                    diagnostics=warnings,
                    first_line=first_line,
                    make_parser=partial(IndexingParser, index),
                    recover=False,
                )
        except HeadraceError as problem:
            found.extend(warnings.diagnostics)
            errors = [item for item in problem.diagnostics if not _follows(item, aside)]
            found.extend(errors)
            place = problem.diagnostics[0].loc
            if place is None or not errors:
                return found
            offset = lines.offset(place.line - 1, place.col - 1) - part.start
            item = enclosing_item(body, offset)
            if item is None or body[item[0] : item[1]].lstrip()[:1] in ("#", "!", "", "{"):
                return found
            aside.extend(re.findall(r"@([\w$.]+)", body[item[0] : item[1]].partition("(")[0])[:1])
            remaining = blank(body, *item)
            if remaining == body:
                return found
            body, whole = remaining, False
            continue
        found.extend(warnings.diagnostics)
        found.extend(item for item in _verify(part.module) if not _follows(item, aside))
        if whole and not any(item.severity == "error" for item in found):
            found.extend(_legality(part.module))
        return found
    return found


def _follows(diagnostic: Diagnostic, aside: list[str]) -> bool:
    """Whether an error may only be there because a function was set aside."""
    return any(re.search(rf"[@'\"]{re.escape(name)}(?![\w$.])", diagnostic.message) for name in aside)


def _verify(module: ModuleOp) -> list[Diagnostic]:
    warnings = DiagnosticEngine()
    try:
        with collecting(warnings):
            verify_op(module)
    except HeadraceError as problem:
        return [*warnings.diagnostics, *problem.diagnostics]
    return warnings.diagnostics


def _legality(module: ModuleOp) -> list[Diagnostic]:
    dialects = {op.name.partition(".")[0] for op in module.walk()}
    if "ktdp" not in dialects or dialects & _LATER:
        return []
    from headrace.ir.transforms.ktir_check_legality import check_legality

    errors, warnings = DiagnosticEngine(), DiagnosticEngine()
    with collecting(warnings):
        try:
            check_legality(module, errors)
        except HeadraceError as problem:
            errors.diagnostics.extend(problem.diagnostics)
    return [
        *warnings.diagnostics,
        *(Diagnostic("warning", f"not legal KTIR: {item.message}", item.loc, item.notes) for item in errors.errors),
    ]


def _problem(diagnostic: Diagnostic, lines: Lines, part: Part) -> Problem:
    start, end = _extent(diagnostic.loc, lines, part)
    notes = tuple(_problem(note, lines, part) for note in diagnostic.notes)
    return Problem(diagnostic.severity, diagnostic.message, start, end, notes)


def _extent(place: Location | None, lines: Lines, part: Part) -> tuple[int, int]:
    """The token at a place; without a place, the first line of the part."""
    if place is None:
        line = lines.position(part.start)[0]
        return part.start, lines.offset(line, 1 << 30)
    start = lines.offset(place.line - 1, place.col - 1)
    token = token_at(lines.text, start)
    if token is not None and token.start <= start < token.end:
        return start, token.end
    # At the end of a line or of the text: the last token before it is what there is to mark.
    before = token_at(lines.text, len(lines.text[:start].rstrip()))
    return (before.start, before.end) if before is not None else (start, start)
