"""The cursor in an analysed text."""

from __future__ import annotations

from xdsl.ir import Operation

from headrace.ir.outline import Token, enclosing_item
from headrace.lsp import analysis as analysed
from headrace.lsp.analysis import Analysis
from headrace.lsp.index import Index, Occurrence
from headrace.lsp.tokens import token_at

#: Characters of a line that are shown or looked at.
LIMIT = 400


class Place:
    """The token under the cursor and what is known around it; positions in the part are relative to its start."""

    def __init__(self, analysis: Analysis, offset: int):
        self.analysis = analysis
        self.text = analysis.text
        self.offset = offset
        self.token: Token | None = token_at(self.text, offset)
        self.part: analysed.Part = analysis.part(offset)

    @property
    def relative(self) -> int:
        """Start of the token in its part."""
        assert self.token is not None
        return self.token.start - self.part.start

    def occurrence(self) -> tuple[Index, Occurrence] | None:
        """The value name under the cursor, and the index that knows it."""
        for index in self.part.indexes:
            found = index.at(self.relative)
            if found is not None:
                return index, found
        return None

    def operation(self) -> Operation | None:
        """The operation whose name is under the cursor."""
        for index in self.part.indexes:
            found = index.operation(self.relative)
            if found is not None:
                return found
        return None

    def enclosing(self) -> list[Operation]:
        """The operations around the cursor, innermost first."""
        return next(
            (found for index in self.part.indexes if (found := index.enclosing(self.offset - self.part.start))), []
        )

    def item(self) -> tuple[int, int]:
        """The function around the cursor, or the part."""
        found = enclosing_item(self.text, self.offset, self.part.start, self.part.end)
        return found if found is not None else (self.part.start, self.part.end)

    def line_at(self, offset: int) -> str:
        """The line of an offset, cut if it is very long."""
        line, _ = self.analysis.lines.position(offset)
        return self.analysis.lines.line(line).strip()[:LIMIT]
