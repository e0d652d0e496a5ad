"""`--verify-diagnostics`: comments such as `// expected-error@+1 {{text}}` against what was reported.

`expected-error`, `expected-warning`, `expected-note` and `expected-remark`, followed by where (`@+N`, `@-N`, `@above`,
`@below`, `@unknown`; nothing: the same line) and the text in double braces. `expected-error-re` treats `{{...}}` inside
the text as regular expressions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.ir.diagnostics import Diagnostic
from headrace.ir.location import Location

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?P<where>@(?:(?P<offset>[+-]\d+)|(?P<word>above|below|unknown)))? *\{\{(?P<text>.*)\}\}"
)


@dataclass
class _Expectation:
    kind: str
    line: int | None
    text: str
    place: Location
    regex: re.Pattern[str] | None = None
    met: bool = False

    def matches(self, item: Diagnostic) -> bool:
        if item.severity != self.kind:
            return False
        if self.line is not None and (item.loc is None or item.loc.line != self.line):
            return False
        if self.line is None and item.loc is not None:
            return False
        return bool(self.regex.search(item.message)) if self.regex is not None else self.text in item.message


def _pattern(text: str) -> re.Pattern[str]:
    out: list[str] = []
    position = 0
    for match in re.finditer(r"\{\{(.*?)\}\}", text):
        out.append(re.escape(text[position : match.start()]))
        out.append(f"({match.group(1)})")
        position = match.end()
    out.append(re.escape(text[position:]))
    return re.compile("".join(out))


def expectations(text: str, filename: str, first_line: int) -> list[_Expectation]:
    """The expectations of a text."""
    found: list[_Expectation] = []
    lines = text.splitlines()
    pending: list[_Expectation] = []
    last_code = first_line
    for index, line in enumerate(lines):
        number = first_line + index
        match = _EXPECTED.search(line)
        if match is None:
            if line.strip():
                for item in pending:
                    item.line = number
                pending = []
                last_code = number
            continue
        where: int | None = number
        if match.group("offset"):
            where = number + int(match.group("offset"))
        place = Location(filename, number, match.start() + 1, line)
        item = _Expectation(match.group("kind"), where, match.group("text"), place)
        if match.group("regex"):
            item.regex = _pattern(item.text)
        word = match.group("word")
        if word == "below":
            pending.append(item)
        elif word == "above":
            item.line = last_code
        elif word == "unknown":
            item.line = None
        found.append(item)
        if line[: match.start()].strip().strip("/").strip():
            for waiting in pending:
                if waiting is not item:
                    waiting.line = number
            pending = [waiting for waiting in pending if waiting is item]
            last_code = number
    return found


def compare(text: str, filename: str, first_line: int, produced: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What does not fit: unexpected diagnostics and expectations that were not met."""
    wanted = expectations(text, filename, first_line)
    problems: list[Diagnostic] = []
    flat = [item for top in produced for item in (top, *top.notes)]
    for item in flat:
        match = next((want for want in wanted if not want.met and want.matches(item)), None)
        if match is not None:
            match.met = True
        elif item.severity != "note":
            problems.append(Diagnostic("error", f"unexpected {item.severity}: {item.message}", item.loc))
    for want in wanted:
        if not want.met:
            problems.append(Diagnostic("error", f'expected {want.kind} "{want.text}" was not produced', want.place))
    return problems
