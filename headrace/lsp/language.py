"""What is known about the languages: operations, types and passes by name, and their documentation as Markdown."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.ir import Operation, SSAValue

from headrace.ir.context import make_context
from headrace.ir.describe import AttributeDoc, OpDoc, Part, describe_op, describe_pass
from headrace.ir.text import attribute_text


@cache
def passes() -> dict[str, str]:
    """All passes: name -> "module:Class". The scheduler's list is imported late: it brings the device model along."""
    from headrace.ir.passes import PASSES as GENERIC
    from headrace.scheduler.plan import PASSES as SCHEDULER
    from headrace.stream.registry import PASSES as STREAM

    return {**GENERIC, **SCHEDULER, **STREAM}


@cache
def _dialect(name: str) -> Any:
    return make_context().get_optional_dialect(name)


@cache
def operations(dialect: str) -> dict[str, type[Operation]]:
    """The operations of a dialect by name."""
    found = _dialect(dialect)
    return {cls.name: cls for cls in found.operations} if found is not None else {}


@cache
def attribute_classes(dialect: str) -> dict[str, Any]:
    """The types and attributes of a dialect by name."""
    found = _dialect(dialect)
    return {cls.name: cls for cls in found.attributes} if found is not None else {}


def op_class(name: str) -> type[Operation] | None:
    """The class of an operation by its name, `func.` and `builtin.` left out or not."""
    names = [name] if "." in name else [f"func.{name}", f"builtin.{name}"]
    for candidate in names:
        found = operations(candidate.partition(".")[0]).get(candidate)
        if found is not None:
            return found
    return None


@cache
def op_doc(cls: type[Operation]) -> OpDoc:
    """The record of an operation, made once."""
    return describe_op(cls, errors=False)


def op_markdown(doc: OpDoc) -> str:
    """An operation's documentation."""
    blocks = [f"**`{doc.name}`** {doc.text.summary}".rstrip()]
    blocks.extend(code(text) for text in doc.text.examples if not any(text in block for block in doc.text.body))
    blocks.extend(doc.text.body)
    rows: list[str] = []
    for head, fields in (("Operands", doc.operands), ("Attributes", doc.attributes), ("Results", doc.results)):
        if fields:
            rows.append(f"- {head}: " + ", ".join(map(_field, fields)))
    if doc.traits:
        rows.append("- Traits: " + ", ".join(doc.traits))
    return "\n\n".join([*blocks, "\n".join(rows)]).rstrip()


def attribute_markdown(doc: AttributeDoc) -> str:
    """A type's or attribute's documentation."""
    mark = "!" if doc.is_type else "#"
    blocks = [f"**`{mark}{doc.name}`** {doc.text.summary}".rstrip(), *map(code, doc.text.examples)]
    if doc.values:
        blocks.append("Values: " + ", ".join(f"`{value}`" for value in doc.values))
    return "\n\n".join(blocks)


def pass_markdown(name: str) -> str:
    """A pass's documentation."""
    doc = describe_pass(name, passes()[name])
    blocks = [f"**`{name}`** {doc.text.summary}"]
    if doc.precondition:
        blocks.append(f"*Precondition.* {doc.precondition}")
    if doc.postcondition:
        blocks.append(f"*Postcondition.* {doc.postcondition}")
    blocks.extend(code(text) for text in doc.text.examples)
    blocks.extend(f"- `{option.name}` ({option.kind}): {option.note}" for option in doc.options)
    return "\n\n".join(blocks)


def _field(part: Part) -> str:
    note = f", {part.note}" if part.note else ""
    return f"`{part.name}` ({part.kind}{note})"


def code(text: str) -> str:
    """A block of MLIR."""
    return f"```mlir\n{text}\n```"


def type_text(value: SSAValue) -> str:
    """The type of a value."""
    try:
        return attribute_text(value.type)
    except Exception:  # A value of a text that did not parse to its end.
        return str(value.type)
