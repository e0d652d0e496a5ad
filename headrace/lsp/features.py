"""Hover and definition over an analysed text. Positions are character offsets; texts are Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, OpResult

from headrace.ir.describe import describe_attribute
from headrace.ir.location import SourceLoc
from headrace.ir.outline import Token
from headrace.lsp.analysis import Analysis
from headrace.lsp.index import symbol_name, symbols_in
from headrace.lsp.language import (
    attribute_classes,
    attribute_markdown,
    code,
    op_class,
    op_doc,
    op_markdown,
    pass_markdown,
    passes,
    type_text,
)
from headrace.lsp.place import LIMIT, Place
from headrace.lsp.tokens import alias_definition, symbol_definition, value_definition


@dataclass(frozen=True)
class Hover:
    """Markdown about the extent `[start, end)`."""

    text: str
    start: int
    end: int


# ---- hover ----------------------------------------------------------------------------------------------------------


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """What is known about the thing under the cursor."""
    place = Place(analysis, offset)
    token = place.token
    if token is None:
        return None
    text = {
        "value": _hover_value,
        "symbol": _hover_definition_line,
        "block": _hover_definition_line,
        "hash": _hover_attribute,
        "bang": _hover_attribute,
        "word": _hover_operation,
        "string": _hover_operation,
        "comment": _hover_pass,
    }.get(token.kind, lambda _: None)(place)
    if text is None:
        return None
    if token.kind == "comment":
        word = _word_in(token, offset)
        return Hover(text, *word) if word is not None else None
    return Hover(text, token.start, token.end)


def _hover_value(place: Place) -> str | None:
    token = place.token
    assert token is not None
    name, _, number = token.text[1:].partition("#")
    found = place.occurrence()
    if found is None:
        return _hover_definition_line(place)
    index, occurrence = found
    definition = index.definition(occurrence)
    values = occurrence.values if occurrence.definition else ()
    single = index.value(occurrence, int(number or 0))
    if len(values) > 1 and not number:
        shown = "\n".join(f"%{name}#{k} : {type_text(value)}" for k, value in enumerate(values))
    elif single is not None:
        shown = f"{token.text} : {type_text(single)}"
    else:
        return None
    owner = single.owner if isinstance(single, OpResult | BlockArgument) else None
    blocks = [code(shown)]
    if isinstance(single, OpResult) and isinstance(owner, Operation):
        blocks.append(
            f"Result {single.index} of `{owner.name}`" if len(owner.results) > 1 else f"Result of `{owner.name}`"
        )
    elif owner is not None and not isinstance(owner, Operation):
        parent = owner.parent_op()
        if parent is not None:
            blocks.append(f"Argument of `{parent.name}`" + (f" `@{name}`" if (name := symbol_name(parent)) else ""))
    if definition is not None and not occurrence.definition:
        blocks.append(code(place.line_at(place.part.start + definition.start)))
    return "\n\n".join(blocks)


def _hover_definition_line(place: Place) -> str | None:
    found = _definition(place)
    if found is None:
        return None
    return code(place.line_at(found[0]).removesuffix("{").rstrip())


def _hover_attribute(place: Place) -> str | None:
    token = place.token
    assert token is not None
    found = alias_definition(place.text, token.text, place.part.start, place.part.end)
    if found is not None:
        return code(place.line_at(found[0]))
    name = token.text[1:]
    cls = attribute_classes(name.partition(".")[0]).get(name) if "." in name else None
    return attribute_markdown(describe_attribute(cls)) if cls is not None else None


def _hover_operation(place: Place) -> str | None:
    token = place.token
    assert token is not None
    op = place.operation()
    if op is None and token.kind == "string":
        return pass_markdown(name) if (word := _word_in(token, place.offset)) and (
            name := place.text[word[0] : word[1]]
        ) in passes() else None  # fmt: skip
    cls = type(op) if op is not None else op_class(token.text)
    if cls is None:
        return None
    text = op_markdown(op_doc(cls))
    if op is not None and (op.results or op.operands):
        operands = ", ".join(map(type_text, op.operands))
        results = ", ".join(map(type_text, op.results))
        text = code(f"({operands}) -> ({results})") + "\n\n" + text
    return text


def _hover_pass(place: Place) -> str | None:
    assert place.token is not None
    word = _word_in(place.token, place.offset)
    name = place.text[word[0] : word[1]] if word is not None else ""
    return pass_markdown(name) if name in passes() else None


def _word_in(token: Token, offset: int) -> tuple[int, int] | None:
    """The extent of the kebab-case word at an offset of a comment or string."""
    for match in re.finditer(r"[A-Za-z][\w]*(?:-[\w]+)*", token.text):
        if token.start + match.start() <= offset <= token.start + match.end():
            return token.start + match.start(), token.start + match.end()
    return None


# ---- definition -----------------------------------------------------------------------------------------------------


def definition(analysis: Analysis, offset: int) -> tuple[int, int] | None:
    """The extent of the name where the thing under the cursor is defined."""
    place = Place(analysis, offset)
    return _definition(place) if place.token is not None else None


def _definition(place: Place) -> tuple[int, int] | None:
    token = place.token
    assert token is not None
    if token.kind == "value":
        found = place.occurrence()
        if found is not None and (target := found[0].definition(found[1])) is not None:
            return place.part.start + target.start, place.part.start + target.end
        name = token.text[1:].partition("#")[0]
        return value_definition(place.text, name, place.offset, place.item(), (place.part.start, place.part.end))
    if token.kind in ("hash", "bang"):
        return alias_definition(place.text, token.text, place.part.start, place.part.end)
    if token.kind == "block":
        pattern = re.compile(rf"^[ \t]*({re.escape(token.text)})(?:\([^\n]*\))?[ \t]*:", re.MULTILINE)
        spans = [match.span(1) for match in pattern.finditer(place.text, *place.item())]
        return min(spans, key=lambda span: abs(span[0] - token.start), default=None)
    if token.kind == "symbol":
        return _symbol(place)
    return None


def _symbol(place: Place) -> tuple[int, int] | None:
    token = place.token
    assert token is not None
    path = [token.text]
    start = token.start
    while match := re.search(r"(@[\w$.]+|@\"[^\"\n]*\")::$", place.text[max(0, start - LIMIT) : start]):
        path.insert(0, match.group(1))
        start -= len(match.group(0))
    names = [name[1:].strip('"') for name in path]
    op = _lookup(place, names)
    if op is not None and isinstance(op.location, SourceLoc):
        begin = place.part.start + op.location.offset
        match = re.compile(rf'@(?:{re.escape(names[-1])}(?![\w$.])|"{re.escape(names[-1])}")').search(place.text, begin)
        return match.span() if match is not None else (begin, begin + len(op.name))
    return symbol_definition(place.text, names[-1], place.part.start, place.part.end)


def _lookup(place: Place, names: list[str]) -> Operation | None:
    tables: list[Operation] = place.enclosing()
    if place.part.module is not None:
        tables.append(place.part.module)
    for table in tables:
        found: Operation | None = table
        for name in names:
            found = symbols_in(found).get(name) if found is not None else None
        if found is not None:
            return found
    return None
