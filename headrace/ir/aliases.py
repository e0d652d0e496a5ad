"""Aliases `#map`, `#set`, `#loc` as MLIR hands them out.

While printing, an alias is written as a placeholder. At the end aliases are numbered as MLIR does: by nesting depth
(an alias that needs another comes after it), then by name, then by first visit. Locations that only operations need
are defined after the text, everything else before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from xdsl.ir import Attribute

_PLACEHOLDER = re.compile("\x00([0-9]+)\x00")


@dataclass
class Alias:
    """One aliased attribute: its prefix (`map`), its definition, and what decides its place."""

    prefix: str
    depth: int = 1
    deferrable: bool = False
    is_type: bool = False
    text: str = ""
    children: list[int] = field(default_factory=list[int])


class AliasTable:
    """The aliases of one printed text."""

    def __init__(self) -> None:
        self.entries: list[Alias] = []
        self.index: dict[Attribute, int] = {}

    def placeholder(self, number: int) -> str:
        """What is written where the alias goes."""
        return f"\x00{number}\x00"

    def not_deferrable(self, number: int) -> None:
        """The alias is used in the text proper: it and what it needs must be defined before."""
        work = [number]
        while work:
            entry = self.entries[work.pop()]
            if entry.deferrable:
                entry.deferrable = False
                work.extend(entry.children)

    def finish(self, body: str) -> str:
        """The text with names for placeholders and with the definitions around it."""
        if not self.entries:
            return body
        order = sorted(
            range(len(self.entries)),
            key=lambda i: (self.entries[i].depth, not self.entries[i].is_type, self.entries[i].prefix),
        )
        names: list[str] = [""] * len(self.entries)
        counts: dict[str, int] = {}
        taken: set[str] = set()
        for number in order:
            entry = self.entries[number]
            mark, joint = "!" if entry.is_type else "#", "_" if entry.prefix[-1:].isdigit() else ""
            while True:
                count = counts.get(entry.prefix, 0)
                counts[entry.prefix] = count + 1
                name = f"{mark}{entry.prefix}{joint}{count}" if count else f"{mark}{entry.prefix}"
                if name not in taken:
                    break
            taken.add(name)
            names[number] = name

        def resolve(text: str) -> str:
            return _PLACEHOLDER.sub(lambda match: names[int(match.group(1))], text)

        head = [f"{names[i]} = {self.entries[i].text}\n" for i in order if not self.entries[i].deferrable]
        tail = [f"{names[i]} = {self.entries[i].text}\n" for i in order if self.entries[i].deferrable]
        return resolve("".join([*head, body, *tail]))
