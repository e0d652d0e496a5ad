"""What the verbs share: usage errors, NAME=VALUE options, JSON, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from headrace.ir.diagnostics import HeadraceError, error


class UsageProblem(HeadraceError):
    """The command line is wrong: exit status 2."""

    def __init__(self, message: str):
        super().__init__(error(None, message).diagnostics)


class CheckFailed(HeadraceError):
    """A check failed: exit status 3."""


def pairs(option: str, items: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` items of a repeatable option. Raises UsageProblem."""
    found: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name or not value:
            raise UsageProblem(f"{option} takes NAME=VALUE, not '{item}'")
        if name in found:
            raise UsageProblem(f"{option} gives '{name}' twice")
        found[name] = value
    return found


def numbers(option: str, items: Sequence[str]) -> dict[str, int | float]:
    """`NAME=NUMBER` items. Raises UsageProblem."""
    found: dict[str, int | float] = {}
    for name, value in pairs(option, items).items():
        try:
            found[name] = int(value, 0)
        except ValueError:
            try:
                found[name] = float(value)
            except ValueError:
                raise UsageProblem(f"{option} {name}: '{value}' is not a number") from None
    return found


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


@contextmanager
def progress(text: str) -> Iterator[Any]:
    """A spinner on standard error while something long runs, if that is a terminal; yields a function to change its
    text."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield status.update


def shape_text(shape: Sequence[int]) -> str:
    """`96x64`; `scalar` for rank 0."""
    return "x".join(map(str, shape)) or "scalar"


def table(rows: Sequence[Sequence[str]], indent: str = "", numbers_from: int | None = None) -> list[str]:
    """Lines of a table whose first row is the heading; columns from `numbers_from` on are aligned to the right."""
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    lines = []
    for r in rows:
        cells = [
            c.rjust(w) if numbers_from is not None and i >= numbers_from else c.ljust(w)
            for i, (c, w) in enumerate(zip(r, widths, strict=True))
        ]
        lines.append(indent + "  ".join(cells).rstrip())
    return lines
