"""The extents of top-level operations of a text, found without parsing it: any text, however broken.

Positions are character offsets.
"""

from __future__ import annotations

import re
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
