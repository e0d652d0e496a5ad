"""What can be said about a text without parsing it: tokens, lines, parts, and the extents of top-level operations.

All of it works on any text, however broken. Positions are character offsets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

Kind = Literal["comment", "string", "value", "symbol", "block", "hash", "bang", "word", "other"]

_IDENT = r"[A-Za-z_$.\-0-9]+"
_TOKEN = re.compile(
    rf"""(?P<comment>//[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*"?)|(?P<value>%{_IDENT}(?:\#\d+)?)
    |(?P<symbol>@(?:[A-Za-z_][\w$.]*|"(?:[^"\\\n]|\\.)*"))|(?P<block>\^{_IDENT})
    |(?P<hash>\#[A-Za-z_][\w$.]*)|(?P<bang>![A-Za-z_][\w$.]*)|(?P<word>[A-Za-z_][\w$.]*)|(?P<other>->|[^\s])""",
    re.VERBOSE,
)
_SPLIT = re.compile(r"^[ \t]*// -----[ \t]*$", re.MULTILINE)
_STATEMENT = re.compile(r"[ \t]*(?:%|\"?[A-Za-z_]+[\w$.]*[\"\s@({]|[#!][\w$.\-]+[ \t]*=)")
#: Operations whose regions hold functions and modules.
_CONTAINER = re.compile(r"\s*\"?(?:builtin\.)?module\b")


@dataclass(frozen=True)
class Token:
    """A token with its extent `[start, end)`."""

    kind: Kind
    start: int
    end: int
    text: str


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a range."""
    return [
        Token(match.lastgroup or "other", match.start(), match.end(), match.group())  # pyright: ignore[reportArgumentType]
        for match in _TOKEN.finditer(text, start, len(text) if end is None else end)
    ]


def token_at(text: str, offset: int) -> Token | None:
    """The token under or directly before an offset; no token spans lines."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    before: Token | None = None
    for token in tokens(text, start, len(text) if end == -1 else end):
        if token.start <= offset < token.end:
            if token.kind == "other" and before is not None and before.end == offset:
                return before
            return token
        if token.end == offset:
            before = token
    return before


class Lines:
    """Offsets to lines and columns (both from 0) and back."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]

    def offset(self, line: int, column: int) -> int:
        """Offset of a line and column; columns beyond the line stop at its end."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        return max(self.starts[line], min(self.starts[line] + column, end))

    def line(self, line: int) -> str:
        """The text of a line without its end."""
        return self.text[self.offset(line, 0) : self.offset(line, 1 << 30)] if line < len(self.starts) else ""


def parts(text: str) -> list[tuple[int, int]]:
    """Extents of the parts between `// -----` lines: each is a module of its own."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _SPLIT.finditer(text):
        found.append((start, match.start()))
        start = min(match.end() + 1, len(text))
    found.append((start, len(text)))
    return found


def enclosing_item(text: str, offset: int, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    """The extent of the function (or other operation directly in a module) around an offset.

    A text with a missing `}` is cut at the next line that starts a function or module no deeper than this one.
    """
    end = len(text) if end is None else end
    for _ in range(32):
        item = next(((a, b) for a, b in _items(text, start, end) if a <= offset < b or offset == b == end), None)
        if item is None:
            return None
        if not _CONTAINER.match(text, item[0]):
            return item
        braces = _body(text, *item)
        if braces is None or not braces[0] < offset < braces[1]:
            return item
        start, end = braces[0] + 1, braces[1]
    return None


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found: list[int] = []
    depth = 0
    position = start
    indent = 0
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop == -1 else stop
        line = text[position:stop]
        margin = len(line) - len(line.lstrip())
        restart = depth > 0 and margin <= indent and re.match(r"\s*(?:func\.func|module|builtin\.module)\b", line)
        if (depth <= 0 or restart) and _STATEMENT.match(line):
            found.append(position)
            depth, indent = 0, margin
        for token in tokens(text, position, stop):
            depth += {"{": 1, "}": -1, "(": 1, ")": -1, "[": 1, "]": -1}.get(token.text, 0)
        position = stop + 1
    return [(at, next_at) for at, next_at in zip(found, [*found[1:], end], strict=False)]


def _body(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The last top-level braces of an item: its region, not its attributes."""
    depth = 0
    opened = -1
    found: tuple[int, int] | None = None
    for token in tokens(text, start, end):
        if token.text == "{":
            if depth == 0:
                opened = token.start
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0:
                found = (opened, token.start)
    return found if depth <= 0 else (opened, end)


def blank(text: str, start: int, end: int) -> str:
    """The text with a range replaced by spaces; lines stay where they are."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def alias_definition(text: str, alias: str, start: int, end: int) -> tuple[int, int] | None:
    """Where `#alias = ...` or `!alias = ...` is defined: the extent of the name."""
    match = re.compile(rf"^[ \t]*({re.escape(alias)})[ \t]*=(?!=)", re.MULTILINE).search(text, start, end)
    return match.span(1) if match is not None else None


def aliases(text: str, start: int, end: int) -> list[str]:
    """All alias names with their sigils, in order."""
    pattern = re.compile(r"^[ \t]*([#!][A-Za-z_$.\-][\w$.\-]*)[ \t]*=(?!=)", re.MULTILINE)
    return list(dict.fromkeys(match.group(1) for match in pattern.finditer(text, start, end)))


def value_definition(
    text: str, name: str, offset: int, item: tuple[int, int], part: tuple[int, int]
) -> tuple[int, int] | None:
    """Where a value is probably defined, for texts that do not parse: the extent of its `%name`.

    Looked for as a result or argument in the function around it (`item`), in the whole part, then as the first use.
    """
    pattern = re.compile(rf"%{re.escape(name)}(?![\w$.\-])")
    defines = re.compile(r"(?::\d+)?[ \t]*(?:,[ \t]*%[\w$.\-]+(?::\d+)?[ \t]*)*=(?!=)|:(?!:)")
    for start, end in (item, part):
        found = [match for match in pattern.finditer(text, start, end) if defines.match(text, match.end())]
        before = [match for match in found if match.start() <= offset]
        if found:
            return (before[-1] if before else found[0]).span()
    first = pattern.search(text, *item)
    return first.span() if first is not None else None


def symbol_definition(text: str, name: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a symbol is probably defined, for texts that do not parse: the extent of its `@name`."""
    quoted = re.escape(name)
    pattern = re.compile(rf"^[ \t]*(?!%|\S*call)[\w.]+(?:[ \t]+\w+)*[ \t]*(@(?:{quoted}|\"{quoted}\"))(?![\w$.])", re.M)
    match = pattern.search(text, start, end)
    return match.span(1) if match is not None else None
