"""The reference pages, made from the definitions: `python -m tools.docs` writes them, `--check` says which are stale.

One page per dialect in `docs/dialects/`, one per pass in `docs/passes/`, an index in each, and `docs/example.md`:
none of them is written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from xdsl.ir import Dialect

from headrace.ir.context import make_context
from headrace.ir.describe import (
    AttributeDoc,
    OpDoc,
    Part,
    PassDoc,
    describe_attribute,
    describe_op,
    describe_pass,
)
from headrace.ir.dialects import DIALECTS
from headrace.ir.passes import PASSES as GENERIC
from headrace.scheduler.plan import PASSES as SCHEDULER
from headrace.scheduler.plan import PLAN
from headrace.stream.registry import PASSES as STREAM
from tools import walkthrough

ROOT = Path(__file__).resolve().parent.parent / "docs"
_NOTE = "<!-- Made by `make docs` from the definitions; edit the docstrings instead. -->\n\n"


def ours(cls: type[Any]) -> bool:
    """Whether a class is defined here and not in xDSL."""
    return cls.__module__.startswith("headrace.")


def dialects() -> dict[str, Dialect]:
    """The dialects with definitions of ours, in the order of the registry."""
    context = make_context()
    found: dict[str, Dialect] = {}
    for name in DIALECTS:
        dialect = context.get_optional_dialect(name)
        if dialect is not None and any(map(ours, [*dialect.operations, *dialect.attributes])):
            found[name] = dialect
    return found


def passes() -> dict[str, str]:
    """All passes: name -> "module:Class"."""
    return {**SCHEDULER, **STREAM, **GENERIC}


# ---- pages ----------------------------------------------------------------------------------------------------------


def _anchor(name: str) -> str:
    return name.replace(".", "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _table(head: str, parts: Sequence[Part]) -> list[str]:
    if not parts:
        return []
    lines = [f"| {head} | Type | |", "|---|---|---|"]
    lines.extend(f"| `{part.name}` | {_cell(part.kind)} | {_cell(part.note)} |" for part in parts)
    return ["\n".join(lines)]


def _code(text: str) -> str:
    return f"```mlir\n{text}\n```"


def op_section(doc: OpDoc) -> str:
    """The section of one operation."""
    inline = [text for text in doc.text.examples if not any(text in block for block in doc.text.body)]
    blocks = [f"### `{doc.name}`", doc.text.summary, *map(_code, inline), *doc.text.body]
    for head, parts in (
        ("Operand", doc.operands),
        ("Attribute", doc.attributes),
        ("Result", doc.results),
        ("Region", doc.regions),
    ):
        blocks.extend(_table(head, parts))
    if doc.traits:
        blocks.append("Traits: " + ", ".join(f"`{name}`" for name in doc.traits) + ".")
    if doc.errors:
        blocks.append("Verifier:\n\n" + "\n".join(f"- `{text.replace('`', chr(39))}`" for text in doc.errors))
    return "\n\n".join(block for block in blocks if block)


def attribute_section(doc: AttributeDoc) -> str:
    """The section of one type or attribute."""
    mark = "!" if doc.is_type else "#"
    inline = [text for text in doc.text.examples if not any(text in block for block in doc.text.body)]
    blocks = [f"### `{mark}{doc.name}`", doc.text.summary, *map(_code, inline), *doc.text.body]
    blocks.extend(_table("Parameter", doc.parameters))
    if doc.values:
        blocks.append("Values: " + ", ".join(f"`{value}`" for value in doc.values) + ".")
    return "\n\n".join(block for block in blocks if block)


def dialect_page(name: str, dialect: Dialect) -> str:
    """The page of one dialect."""
    module = import_module(DIALECTS[name].partition(":")[0])
    every = list(dialect.operations)
    operations = [describe_op(cls) for cls in every if ours(cls)]
    attributes = [describe_attribute(cls) for cls in dialect.attributes if ours(cls)]
    blocks = [f"# Dialect `{name}`", " ".join((module.__doc__ or "").split("\n\n")[0].split())]
    if operations:
        rows = [f"| [`{doc.name}`](#{_anchor(doc.name)}) | {_cell(doc.text.summary)} |" for doc in operations]
        blocks.append("\n".join(["| Operation | |", "|---|---|", *rows]))
    others = sorted(cls.name for cls in every if not ours(cls))
    if others:
        blocks.append(
            "Also, as in upstream MLIR (defined by xDSL): " + ", ".join(f"`{other}`" for other in others) + "."
        )
    if operations:
        blocks.append("## Operations")
        blocks.extend(op_section(doc) for doc in operations)
    for head, wanted in (("Types", True), ("Attributes", False)):
        chosen = [doc for doc in attributes if doc.is_type == wanted]
        if chosen:
            blocks.append(f"## {head}")
            blocks.extend(attribute_section(doc) for doc in chosen)
    return _NOTE + "\n\n".join(block for block in blocks if block) + "\n"


def pass_page(doc: PassDoc) -> str:
    """The page of one pass."""
    blocks = [f"# Pass `{doc.name}`", doc.text.summary]
    for head, text in (("Precondition", doc.precondition), ("Postcondition", doc.postcondition)):
        if text:
            blocks.append(f"**{head}.** {text}")
    blocks.extend(doc.text.body)
    if doc.options:
        rows = [f"| `{part.name}` | `{_cell(part.kind)}` | {_cell(part.note)} |" for part in doc.options]
        blocks.extend(["## Options", "\n".join(["| Option | Type | |", "|---|---|---|", *rows])])
    blocks.append(f"```sh\nheadrace opt input.mlir --{doc.name}\n```")
    return _NOTE + "\n\n".join(blocks) + "\n"


def _index(title: str, head: str, rows: Iterable[str]) -> str:
    return _NOTE + "\n".join([f"# {title}", "", f"| {head} | |", "|---|---|", *rows]) + "\n"


def pages() -> Mapping[str, str]:
    """Every generated page: path below `docs/` -> text."""
    made: dict[str, str] = {}
    rows: list[str] = []
    for name, dialect in dialects().items():
        made[f"dialects/{name}.md"] = text = dialect_page(name, dialect)
        rows.append(f"| [`{name}`]({name}.md) | {_cell(text.split(chr(10) * 2)[2])} |")
    made["dialects/README.md"] = _index("Dialects", "Dialect", rows)
    known = passes()
    planned = [step.name for step in PLAN if not step.checkpoint]
    rows = []
    for name in [*planned, *(name for name in known if name not in planned)]:
        doc = describe_pass(name, known[name])
        made[f"passes/{name}.md"] = pass_page(doc)
        rows.append(f"| [`{name}`]({name}.md) | {_cell(doc.text.summary)} |")
    made["example.md"] = _NOTE + walkthrough.page()
    made["passes/README.md"] = _index("Passes, those of the compiler first and in their order", "Pass", rows)
    return made


def stale(root: Path = ROOT) -> list[str]:
    """The pages that are missing, differ from the definitions, or describe what is gone."""
    made = pages()
    wrong = [path for path, text in made.items() if not (root / path).exists() or (root / path).read_text() != text]
    for folder in ("dialects", "passes"):
        found = sorted((root / folder).glob("*.md"))
        wrong.extend(f"{folder}/{path.name}" for path in found if f"{folder}/{path.name}" not in made)
    return wrong


def write(root: Path = ROOT) -> None:
    """Write all pages and remove those of definitions that are gone."""
    made = pages()
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for path in stale(root):
        (root / path).unlink()


def main(argv: Sequence[str]) -> int:
    """Write the pages, or with `--check` report stale ones (exit status 1)."""
    if "--check" in argv:
        wrong = stale()
        for path in wrong:
            sys.stderr.write(f"docs/{path} is stale; run `make docs`\n")
        return 1 if wrong else 0
    write()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
