"""Device failures in terms of the user's program: the source place behind the instruction that a message names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from headrace.codegen.spyrecode import SpyreCode
from headrace.ir.diagnostics import Diagnostic, HeadraceError

if TYPE_CHECKING:
    from headrace.ir.location import Location

_PLACE = re.compile(r"(?P<unit>[^\s\[(]+), program '(?P<program>[^']*)', word (?P<word>\d+)")


def with_locations(failure: HeadraceError, code: SpyreCode) -> HeadraceError:
    """The same error, located: diagnostics and notes that name unit, program and word get the place in the source."""
    failure.diagnostics = [_located(d, code) for d in failure.diagnostics]
    return failure


def _located(d: Diagnostic, code: SpyreCode) -> Diagnostic:
    notes = tuple(_located(n, code) for n in d.notes)
    return replace(d, loc=d.loc or _location(d.message, code), notes=notes)


def _location(message: str, code: SpyreCode) -> Location | None:
    m = _PLACE.search(message)
    if m is None:
        return None
    parts = m["unit"].lower().split("-")
    for number, program in enumerate(code.image.programs):
        if program.name != m["program"]:
            continue
        for k, section in enumerate(program.sections):
            if code.image.kinds[section.kind].lower() in parts:
                text = code.location(number, k, int(m["word"]))
                if text is not None:
                    from headrace.ir.location import Location

                    file, line, col = text.rsplit(":", 2)
                    return Location(file, int(line), int(col))
    return None
