"""Where the values, operations and symbols of a parsed text stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.lexer import Span

from headrace.ir.location import SourceLoc
from headrace.ir.parser import Parser


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A `%name` in the text: the values it defines, or the one it uses."""

    start: int
    end: int
    name: str
    values: tuple[SSAValue, ...]
    definition: bool


class Index:
    """What a parse has seen, as far as it came. Offsets are relative to the parsed text."""

    def __init__(self) -> None:
        self.occurrences: list[Occurrence] = []
        self.operations: list[tuple[int, int, Operation]] = []
        self._defined: dict[SSAValue, Occurrence] = {}
        self._resolved: dict[SSAValue, SSAValue] = {}

    def define(self, name: str, values: tuple[SSAValue, ...], span: Span) -> None:
        """Note a definition."""
        made = Occurrence(span.start, span.start + 1 + len(name), name, values, True)
        self.occurrences.append(made)
        for value in values:
            self._defined[value] = made

    def use(self, name: str, value: SSAValue, span: Span) -> None:
        """Note a use; the value may still be a placeholder."""
        self.occurrences.append(Occurrence(span.start, span.start + 1 + len(name), name, (value,), False))

    def resolve(self, placeholder: SSAValue, value: SSAValue) -> None:
        """A placeholder of a use before the definition turned out to be `value`."""
        self._resolved[placeholder] = value

    def at(self, offset: int) -> Occurrence | None:
        """The occurrence that starts at an offset."""
        return next((item for item in self.occurrences if item.start == offset), None)

    def value(self, occurrence: Occurrence, number: int = 0) -> SSAValue | None:
        """The value meant, `number` being that of `%name#number`."""
        if not occurrence.definition:
            number = 0
        if number >= len(occurrence.values):
            return None
        value = occurrence.values[number]
        return self._resolved.get(value, value)

    def definition(self, occurrence: Occurrence) -> Occurrence | None:
        """Where the value of an occurrence is defined."""
        if occurrence.definition:
            return occurrence
        value = self.value(occurrence)
        return self._defined.get(value) if value is not None else None

    def operation(self, offset: int) -> Operation | None:
        """The operation whose name starts at an offset."""
        for _, _, op in self.operations:
            if isinstance(op.location, SourceLoc) and op.location.offset == offset:
                return op
        return None

    def enclosing(self, offset: int) -> list[Operation]:
        """The operations around an offset, innermost first."""
        around = [(end - start, op) for start, end, op in self.operations if start <= offset < end]
        return [op for _, op in sorted(around, key=lambda item: item[0])]


class IndexingParser(Parser):
    """The parser, noting what it sees in `index`."""

    def __init__(self, index: Index, *args: Any, **options: Any) -> None:
        self.index = index
        super().__init__(*args, **options)

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        op = super().parse_operation()
        self.index.operations.append((start, self._current_token.span.start, op))
        return op

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        value = super().resolve_operand(operand, type)
        self.index.use(operand.operand_name, value, operand.span)
        return value

    def _register_ssa_definition(self, name: str, values: Any, span: Span) -> None:
        waiting = dict(self.forward_ssa_references.get(name, {}))
        super()._register_ssa_definition(name, values, span)
        for number, placeholder in waiting.items():
            self.index.resolve(placeholder, values[number])
        self.index.define(name, tuple(values), span)


def symbol_name(op: Operation) -> str | None:
    """The symbol an operation defines."""
    found = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return found.data if isinstance(found, StringAttr) else None


def symbols_in(op: Operation) -> dict[str, Operation]:
    """The symbols defined directly in the regions of an operation."""
    found: dict[str, Operation] = {}
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                name = symbol_name(inner)
                if name is not None:
                    found.setdefault(name, inner)
    return found
