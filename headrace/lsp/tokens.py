"""What can be said about a text without parsing it: lines, parts, and where names are probably defined.

All of it works on any text, however broken. Positions are character offsets.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from headrace.ir.outline import Token, tokens

_SPLIT = re.compile(r"^[ \t]*// -----[ \t]*$", re.MULTILINE)
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
