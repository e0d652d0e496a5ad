"""Completion: operations, types, values, symbols, aliases, and passes in RUN lines and pipeline strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.ir.describe import describe_attribute, describe_pass
from headrace.ir.dialects import DIALECTS
from headrace.lsp.analysis import Analysis
from headrace.lsp.index import symbols_in
from headrace.lsp.language import (
    attribute_classes,
    attribute_markdown,
    op_class,
    op_doc,
    op_markdown,
    operations,
    pass_markdown,
    passes,
    type_text,
)
from headrace.lsp.place import Place
from headrace.lsp.tokens import aliases

#: Dialects whose operations are written without prefix, by the operation around them.
_SHORT = {"ktdf_arch.device": "ktdf_arch", "ktdf_arch.group": "ktdf_arch", "builtin.module": "func"}
_DRIVER = ("pass-pipeline=", "split-input-file", "verify-diagnostics", "mlir-print-op-generic", "mlir-print-debuginfo",
           "allow-unregistered-dialect", "verify-each", "strict", "disable-pass=")  # fmt: skip


@dataclass(frozen=True)
class Completion:
    """A proposal: `text` replaces `[start, end)`; `kind` is op, dialect, pass, option, value, symbol, alias or type."""

    label: str
    kind: str
    text: str
    start: int
    end: int
    detail: str = ""
    documentation: str = ""


def completion(analysis: Analysis, offset: int) -> list[Completion]:
    """Proposals for the text before the cursor."""
    place = Place(analysis, offset)
    lines = analysis.lines
    line, column = lines.position(offset)
    before = lines.line(line)[:column]
    if "//" in before and re.search(r"//\s*RUN:", before):
        return _complete_command(place, before)
    if match := re.search(r"pass[-_]pipeline\s*=\s*[\"']([^\"']*)$", before):
        return _complete_pipeline(place, match.group(1))
    if re.search(r"//", re.sub(r'"[^"]*"', "", before)):
        return []
    if match := re.search(r"%([\w$.\-]*)$", before):
        return _complete_values(place, match.group(0))
    if match := re.search(r"@([\w$.]*)$", before):
        return _complete_symbols(place, match.group(0))
    if match := re.search(r"[#!]([\w$.]*)$", before):
        return _complete_attributes(place, match.group(0))
    if match := re.match(r"^.*?(?:^|[{}])\s*(?:%[\w$.\-:, %]+=\s*)?\"?([\w.]*)$", before):
        return _complete_operations(place, match.group(1))
    return []


def _complete_operations(place: Place, prefix: str) -> list[Completion]:
    start = place.offset - len(prefix)
    dialect, dot, _ = prefix.partition(".")
    found: list[Completion] = []
    if dot:
        for name, cls in sorted(operations(dialect).items()):
            if name.startswith(prefix):
                found.append(_op_item(name, name, cls, start, place.offset))
        return found
    for op in place.enclosing()[:1]:
        short = _SHORT.get(op.name)
        if short is not None:
            for name, cls in sorted(operations(short).items()):
                text = name.partition(".")[2] if short == "ktdf_arch" else name
                found.append(_op_item(text, text, cls, start, place.offset))
    for name in DIALECTS:
        if name.startswith(dialect):
            found.append(Completion(name, "dialect", f"{name}.", start, place.offset, "dialect"))
    for short in ("func.return", "func.call", "builtin.module"):
        text = short.partition(".")[2]
        if text.startswith(prefix) and (cls := op_class(short)) is not None:
            found.append(_op_item(text, text, cls, start, place.offset))
    return [item for item in found if item.label.startswith(prefix)]


def _op_item(label: str, text: str, cls: type[Operation], start: int, end: int) -> Completion:
    doc = op_doc(cls)
    return Completion(label, "op", text, start, end, doc.text.summary, op_markdown(doc))


def _complete_values(place: Place, prefix: str) -> list[Completion]:
    start = place.offset - len(prefix)
    low, high = place.item()
    types: dict[str, str] = {}
    for index in place.part.indexes:
        for item in index.occurrences:
            at = place.part.start + item.start
            if item.definition and low <= at < min(start, high):
                value = index.value(item)
                types.setdefault(f"%{item.name}", type_text(value) if value is not None else "")
    for match in re.finditer(r"%[\w$.\-]+", place.text[low : min(start, high)]):
        types.setdefault(match.group(), "")
    return [
        Completion(name, "value", name, start, place.offset, kind)
        for name, kind in types.items()
        if name.startswith(prefix)
    ]


def _complete_symbols(place: Place, prefix: str) -> list[Completion]:
    start = place.offset - len(prefix)
    found: dict[str, str] = {}
    tables: Iterable[Operation] = [*place.enclosing(), *([place.part.module] if place.part.module is not None else [])]
    for table in tables:
        if isinstance(table, ModuleOp):
            found.update((f"@{name}", op.name) for name, op in symbols_in(table).items() if f"@{name}" not in found)
    for match in re.finditer(r"@[A-Za-z_][\w$.]*", place.text[place.part.start : place.part.end]):
        if place.part.start + match.start() != start:
            found.setdefault(match.group(), "")
    return [
        Completion(name, "symbol", name, start, place.offset, kind)
        for name, kind in found.items()
        if name.startswith(prefix)
    ]


def _complete_attributes(place: Place, prefix: str) -> list[Completion]:
    start = place.offset - len(prefix)
    found = [
        Completion(name, "alias", name, start, place.offset, "alias")
        for name in aliases(place.text, place.part.start, place.part.end)
        if name.startswith(prefix)
    ]
    dialect, dot, _ = prefix[1:].partition(".")
    if dot:
        for name, cls in sorted(attribute_classes(dialect).items()):
            doc = describe_attribute(cls)
            text = f"{'!' if doc.is_type else '#'}{name}"
            if text.startswith(prefix):
                found.append(
                    Completion(text, "type", text, start, place.offset, doc.text.summary, attribute_markdown(doc))
                )
        return found
    for name in DIALECTS:
        if not name.startswith(dialect) or name == "builtin":
            continue
        found.append(Completion(f"{prefix[0]}{name}", "dialect", f"{prefix[0]}{name}.", start, place.offset, "dialect"))
    return found


def _complete_command(place: Place, before: str) -> list[Completion]:
    if match := re.search(r"pass-pipeline=(?:\"([^\"]*)|'([^']*)|([^\s\"']*))$", before):
        return _complete_pipeline(place, next((text for text in match.groups() if text is not None), ""))
    if match := re.search(r"--?disable-(?:pass[= ])?([\w\-]*)$", before):
        return _pass_items(place, match.group(1))
    if match := re.search(r"\s--?([\w\-]*)$", before):
        prefix = match.group(1)
        start = place.offset - len(prefix)
        options = [
            Completion(text, "option", text, start, place.offset, "option")
            for text in _DRIVER
            if text.startswith(prefix)
        ]
        return [*_pass_items(place, prefix), *options]
    return []


def _complete_pipeline(place: Place, text: str) -> list[Completion]:
    if match := re.search(r"([\w\-]+)\{([^{}]*\s)?([\w\-]*)$", text):
        name, prefix = match.group(1), match.group(3)
        if name not in passes():
            return []
        start = place.offset - len(prefix)
        return [
            Completion(option.name, "option", f"{option.name}=", start, place.offset, option.kind, option.note)
            for option in describe_pass(name, passes()[name]).options
            if option.name.startswith(prefix)
        ]
    match = re.search(r"(?:^|[(,]\s*)([\w\-.]*)$", text)
    if match is None:
        return []
    prefix = match.group(1)
    start = place.offset - len(prefix)
    anchors = [
        Completion(name, "op", f"{name}(", start, place.offset, "anchor")
        for name in ("builtin.module", "func.func")
        if name.startswith(prefix)
    ]
    return [*_pass_items(place, prefix), *anchors]


def _pass_items(place: Place, prefix: str) -> list[Completion]:
    start = place.offset - len(prefix)
    found: list[Completion] = []
    for name in sorted(passes()):
        if name.startswith(prefix):
            summary = describe_pass(name, passes()[name]).text.summary
            found.append(Completion(name, "pass", name, start, place.offset, summary, pass_markdown(name)))
    return found
