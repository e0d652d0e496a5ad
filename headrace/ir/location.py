"""Where an operation came from: file, line and column, kept on the operation itself.

Every parsed operation carries a `SourceLoc` in xDSL's `Operation.location`. It is two machine words (source, offset);
line and column are computed only when a diagnostic needs them. An explicit `loc(...)` of the text is kept inside it and
is what `--mlir-print-debuginfo` prints.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, NameLoc, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, BuiltinAttribute, Operation, OpResult, SSAValue
from xdsl.printer import Printer

from headrace.ir.walk import walk_ops


@dataclass(frozen=True)
class Location:
    """A place in a text: `file:line:col`, both one-based. `source_line` is the text of the line, if known."""

    file: str
    line: int
    col: int
    source_line: str | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


class SourceFile:
    """A named text with a lazily built table of line starts; `first_line` is the number of its first line."""

    __slots__ = ("_starts", "first_line", "name", "text")

    def __init__(self, name: str, text: str, first_line: int = 1):
        self.name = name
        self.text = text
        self.first_line = first_line
        self._starts: list[int] | None = None

    def locate(self, offset: int) -> Location:
        """The line and column of a character offset."""
        if self._starts is None:
            starts = [0]
            position = self.text.find("\n")
            while position != -1:
                starts.append(position + 1)
                position = self.text.find("\n", position + 1)
            self._starts = starts
        index = bisect_right(self._starts, offset) - 1
        start = self._starts[index]
        end = self.text.find("\n", start)
        line = self.text[start:] if end == -1 else self.text[start:end]
        return Location(self.name, self.first_line + index, offset - start + 1, line)


@dataclass(frozen=True, init=False)
class RangeLoc(BuiltinAttribute):
    """`loc("f":1:2 to :9)`: a range in a file; `end_line` and `end_column` say where it ends."""

    name = "headrace.range_loc"
    start: FileLineColLoc
    end_line: int
    end_column: int

    def __init__(self, start: FileLineColLoc, end_line: int, end_column: int):
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end_line", end_line)
        object.__setattr__(self, "end_column", end_column)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_attribute(self.start)


def unchecked(cls: Any, **fields: Attribute) -> Any:
    """A location of xDSL around a `RangeLoc`, which its constraints do not know."""
    made = object.__new__(cls)
    for key, value in fields.items():
        object.__setattr__(made, key, value)
    return made


@dataclass(frozen=True, init=False, eq=False)
class SourceLoc(BuiltinAttribute):
    """The location attribute of parsed operations: an offset into a `SourceFile`, and the written `loc(...)` if any."""

    name = "headrace.source_loc"
    source: SourceFile
    offset: int
    explicit: Attribute | None

    def __init__(self, source: SourceFile, offset: int, explicit: Attribute | None = None):
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "offset", offset)
        object.__setattr__(self, "explicit", explicit)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SourceLoc)
            and self.source is other.source
            and self.offset == other.offset
            and self.explicit == other.explicit
        )

    def __hash__(self) -> int:
        return hash((id(self.source), self.offset))

    @property
    def location(self) -> Location:
        """The place in the user's file."""
        return self.source.locate(self.offset)

    def attribute(self) -> Attribute:
        """The MLIR location attribute this stands for."""
        if self.explicit is not None:
            return self.explicit
        place = self.location
        return FileLineColLoc.new(_file_line_col(place))

    def print_builtin(self, printer: Printer) -> None:
        printer.print_attribute(self.attribute())


def _file_line_col(place: Location) -> list[Attribute]:
    return [StringAttr(place.file), IntAttr(place.line), IntAttr(place.col)]


def attribute_location(attribute: Any) -> Location | None:
    """The place a location attribute names, None for an unknown one."""
    if isinstance(attribute, SourceLoc):
        return attribute.location
    if isinstance(attribute, RangeLoc):
        attribute = attribute.start
    if isinstance(attribute, FileLineColLoc):
        return Location(attribute.filename.data, attribute.line.data, attribute.column.data)
    if isinstance(attribute, NameLoc):
        return attribute_location(attribute.location)
    for name in ("callee", "locations"):
        inner = getattr(attribute, name, None)
        if inner is not None:
            for item in getattr(inner, "data", (inner,)):
                if (place := attribute_location(item)) is not None:
                    return place
    return None


def loc_of(item: Operation | SSAValue | Block | None) -> Location | None:
    """The location of an operation, of a value (its defining operation) or of a block (the operation around it)."""
    while item is not None:
        if isinstance(item, BlockArgument):
            place = attribute_location(item.location)
            if place is not None:
                return place
            item = item.owner
        elif isinstance(item, OpResult):
            item = item.op
        elif isinstance(item, Block):
            item = item.parent_op()
        elif isinstance(item, Operation):
            place = attribute_location(item.location)
            if place is not None:
                return place
            item = item.parent_op()
        else:
            return None
    return None


_VALUE = re.compile(r"%([\w$.-]+)(?:#\d+)?")


def operand_loc(op: Operation, index: int) -> Location | None:
    """Where an operand stands in the text of its operation; the operation's place where its line does not show that.

    The value's name decides; without one (`%0`) the position does, if the line names as many values as there are
    operands.
    """
    at = loc_of(op)
    if at is None or at.source_line is None or index >= len(op.operands):
        return at
    tokens = list(_VALUE.finditer(at.source_line, at.col - 1))
    name = op.operands[index].name_hint
    found = next((t for t in tokens if t.group(1) == name), None)
    if found is None and len(tokens) == len(op.operands):
        found = tokens[index]
    return at if found is None else Location(at.file, at.line, found.start() + 1, at.source_line)



def set_loc(op: Operation, loc: Location | Attribute | None) -> None:
    """Give an operation a location: a `Location`, a location attribute, or None for unknown."""
    if loc is None:
        op.location = UNKNOWN_LOC
    elif isinstance(loc, Location):
        op.location = FileLineColLoc.new(_file_line_col(loc))
    else:
        op.location = loc  # pyright: ignore[reportAttributeAccessIssue]


def copy_loc(source: Operation, target: Operation) -> None:
    """Give `target` the location of `source`; operations inside it that have none get it too."""
    location = target.location = source.location
    if not target.regions or location is UNKNOWN_LOC:
        return
    for op in walk_ops(target):
        if op.location is UNKNOWN_LOC:
            op.location = location
