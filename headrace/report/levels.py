"""The program at every level as lines of text with the KTIR lines they come from, and its pipelines as a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from headrace.codegen.disassembler import format_instruction
from headrace.codegen.spyrecode import SpyreCode
from headrace.ir.location import loc_of
from headrace.ir.text import print_module

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

MOST_LINES = 6000
"""Lines shown of one level."""

_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_TRAILING = re.compile(r" loc\(([^()]*(?:\([^()]*\)[^()]*)*)\)$")
_INNER = re.compile(r" loc\((?:unknown|#loc\d*|\"[^\"]*\":\d+:\d+)\)")


@dataclass
class Level:
    """One level: its name, lines, and for each line the KTIR line it comes from (0: none)."""

    name: str
    lines: list[str]
    sources: list[int]


def module_level(name: str, module: ModuleOp) -> Level:
    """A module as printed, with the KTIR line of every operation."""
    aliases: dict[str, int] = {}
    lines: list[str] = []
    sources: list[int] = []
    text = print_module(module, debuginfo=True).splitlines()
    for line in text:
        if m := _ALIAS.match(line):
            aliases[m[1]] = _line_of(m[2], {})
    open_blocks: list[tuple[int, int]] = []
    for line in text:
        if _ALIAS.match(line) or (not line.strip() and not lines):
            continue
        source = 0
        if m := _TRAILING.search(line):
            source = _line_of(m[1], aliases)
            line = line[: m.start()]
        line = _INNER.sub("", line)
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("}"):
            while open_blocks and open_blocks[-1][0] > indent:
                open_blocks.pop()
            if open_blocks and open_blocks[-1][0] == indent and not line.endswith("{"):
                sources[open_blocks.pop()[1]] = source
        if line.endswith("{") and not line.lstrip().startswith("}"):
            open_blocks.append((indent, len(lines)))
        lines.append(line)
        sources.append(source)
    while lines and not lines[-1].strip():
        lines.pop()
        sources.pop()
    return _limited(Level(name, lines, sources))


def _line_of(text: str, aliases: dict[str, int]) -> int:
    if text in aliases:
        return aliases[text]
    m = _PLACE.search(text)
    return int(m[2]) if m else 0


def _limited(level: Level) -> Level:
    more = len(level.lines) - MOST_LINES
    if more > 0:
        level.lines[MOST_LINES:] = [f"... {more} more lines"]
        level.sources[MOST_LINES:] = [0]
    return level


def source_level(text: str) -> Level:
    """The KTIR as written."""
    lines = text.splitlines()
    return _limited(Level("KTIR", lines, list(range(1, len(lines) + 1))))


def code_level(code: SpyreCode) -> Level:
    """Instructions of all units."""
    lines: list[str] = []
    sources: list[int] = []
    for number, program in enumerate(code.image.programs):
        for k, section in enumerate(program.sections):
            kind, units = code.image.kinds[section.kind], len(section.units)
            lines.append(f"program {program.name}, {kind}, {units} unit{'s' if units != 1 else ''}")
            sources.append(0)
            indent = 1
            word = 0
            for i in section.code:
                if i.op in ("ENDLOOP", "ELSE", "ENDIF"):
                    indent = max(1, indent - 1)
                place = code.location(number, k, word)
                lines.append(f"{word:>5}  {'  ' * (indent - 1)}{format_instruction(i)}")
                sources.append(int(place.rsplit(":", 2)[1]) if place is not None else 0)
                if i.op in ("LOOP", "IF", "ELSE"):
                    indent += 1
                word += i.words
    return _limited(Level("SpyreCode", lines, sources))


# -- pipelines ---------------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A pipeline, a stage, a loop or a program: what it is, what it says, the KTIR line, and what is inside."""

    kind: str
    title: str
    text: list[str] = field(default_factory=list)
    source: int = 0
    inside: list[Node] = field(default_factory=list)


def pipelines(module: ModuleOp) -> list[Node]:
    """Programs with their loops, pipelines and stages, from ScheduleIR."""
    out = []
    for op in module.walk():
        if op.name == "func.func" and op.regions and any(o.name == "ktdf.pipeline" for o in op.walk()):
            name = getattr(op.properties.get("sym_name"), "data", "program")
            out.append(Node("program", str(name), source=_source(op), inside=list(_inside(op))))
    return out


def _source(op: Operation) -> int:
    found = loc_of(op)
    return found.line if found is not None else 0


def _inside(op: Operation) -> Iterator[Node]:
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                yield from _node(child)


def _node(op: Operation) -> Iterator[Node]:
    match op.name:
        case "ktdf.pipeline":
            modulo = op.attributes.get("modulo") or op.properties.get("modulo")
            text = [] if modulo is None else [f"{str(modulo).split(' ')[0]} copies of each buffer"]
            yield Node("pipeline", "pipeline", text, _source(op), list(_inside(op)))
        case "ktdf.stage":
            units = op.attributes.get("applicable_units") or op.properties.get("applicable_units")
            names = ", ".join(str(u).strip('"') for u in getattr(units, "data", ()))
            inside = list(_inside(op))
            text = _joined([n.title for n in inside if n.kind == "step"])
            yield Node("stage", names or "stage", text, _source(op), [n for n in inside if n.kind != "step"])
        case "scf.for" | "ktdf.parallel" | "affine.for" | "scf.forall":
            inside = list(_inside(op))
            if not inside:
                return
            yield Node("loop", _loop_title(op), _joined([n.title for n in inside if n.kind == "step"]), _source(op),
                       [n for n in inside if n.kind != "step"])  # fmt: skip
        case "ktdf.data_transfer":
            yield Node("step", f"{_place(op.operands, 0)} to {_place(op.operands, 1)}", source=_source(op))
        case "linalg.generic":
            body = [o.name for o in op.walk() if o is not op and o.name != "linalg.yield"]
            shape = next((str(v.type) for v in [*op.results, *op.operands]), "")
            yield Node("step", f"{', '.join(body) or 'copy'} on {_short(shape)}", source=_source(op))
        case _ if op.regions and op.name not in ("ktdf.private", "func.func"):
            yield from _inside(op)


def _joined(steps: list[str]) -> list[str]:
    """Steps with repetitions counted."""
    counts: dict[str, int] = {}
    for s in steps:
        counts[s] = counts.get(s, 0) + 1
    return [s if n == 1 else f"{n} x {s}" for s, n in counts.items()]


def _loop_title(op: Operation) -> str:
    bounds: list[Any] = []
    for v in list(op.operands)[:3]:
        owner = v.owner
        value = getattr(owner, "value", None) if isinstance(owner, Operation) else None
        data = getattr(getattr(value, "value", None), "data", None)
        bounds.append(data)
    parallel = op.name in ("ktdf.parallel", "scf.forall")
    word = "parallel" if parallel else "for"
    if len(bounds) == 3 and all(isinstance(b, int) for b in bounds) and bounds[2]:
        return f"{word}, {max(0, -(-(bounds[1] - bounds[0]) // bounds[2]))} iterations"
    return f"{word}, count known at launch"


def _place(operands: Any, which: int) -> str:
    """Memory or FIFO of the n-th memref or slot among operands."""
    found = [str(v.type) for v in operands if str(v.type) != "index"]
    return _short(found[which]) if which < len(found) else "?"


_QUOTED = re.compile(r'"([^"]+)"')
_SHAPE = re.compile(r"<((?:\d+x|\?x)*[a-z]\w*)")


def _short(text: str) -> str:
    """``L1 8x300xf16`` for a memref, ``FIFO 64xf16`` for a slot, ``64xf16`` for a tensor."""
    names = _QUOTED.findall(text)
    if "fifo" in text:
        shape = text.rsplit(",", 1)[-1].strip(" >")
        return f"FIFO {shape}"
    shape = _SHAPE.search(text)
    return " ".join([*names[-1:], shape[1] if shape else ""]).strip() or text
