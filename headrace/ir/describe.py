"""What the definitions say about themselves: operations, types, attributes and passes as data for documentation.

The generated pages (`tools/docs.py`) and the language server's hover texts are made from these records, so they cannot
differ from the definitions. A docstring gives the summary, the examples (a code span at its start, fenced or indented
blocks) and the description; operands, attributes, results, traits and the verifier's messages come from the class.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyAttr,
    AnyOf,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    OptOperandDef,
    OptRegionDef,
    OptResultDef,
    ParamAttrConstraint,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
    VarOperandDef,
    VarRegionDef,
    VarResultDef,
)

from headrace.ir.passes import load_pass

_PLAIN: dict[type[Attribute], str] = {
    builtin.AffineMapAttr: "affine map",
    builtin.AffineSetAttr: "affine set",
    builtin.ArrayAttr: "array",
    builtin.DenseArrayBase: "dense array",
    builtin.DictionaryAttr: "dictionary",
    builtin.FloatAttr: "float",
    builtin.IndexType: "index",
    builtin.IntegerAttr: "integer",
    builtin.IntegerType: "integer type",
    builtin.MemRefType: "memref",
    builtin.StringAttr: "string",
    builtin.SymbolRefAttr: "symbol",
    builtin.TensorType: "tensor",
    builtin.UnitAttr: "unit",
    builtin.VectorType: "vector",
}
#: Sizes of operand and result groups: storage, not something a text has.
_HIDDEN = frozenset(("operandSegmentSizes", "resultSegmentSizes"))


@dataclass(frozen=True)
class Text:
    """A docstring taken apart: one sentence, code, and paragraphs or code in their order."""

    summary: str
    examples: tuple[str, ...] = ()
    body: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """An operand, result, attribute, region or option; `note` is "", "optional", "variadic" or a default."""

    name: str
    kind: str
    note: str = ""


@dataclass(frozen=True)
class OpDoc:
    """All that is known about an operation without an instance of it."""

    name: str
    text: Text
    operands: tuple[Part, ...]
    attributes: tuple[Part, ...]
    results: tuple[Part, ...]
    regions: tuple[Part, ...]
    traits: tuple[str, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True)
class AttributeDoc:
    """A type (`is_type`) or an attribute; `values` are the keywords of an enumeration."""

    name: str
    is_type: bool
    text: Text
    parameters: tuple[Part, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class PassDoc:
    """A pass: conditions, examples before and after, and options."""

    name: str
    text: Text
    precondition: str
    postcondition: str
    options: tuple[Part, ...]


# ---- docstrings -----------------------------------------------------------------------------------------------------


def parse_docstring(doc: str | None, *names: str) -> Text:
    """Take a docstring apart; a leading code span that contains one of `names` is an example."""
    examples: list[str] = []
    body: list[str] = []
    for kind, text in _blocks(inspect.cleandoc(doc or "")):
        if kind == "code":
            examples.append(text)
            body.append(f"```mlir\n{text}\n```")
        else:
            body.append(text)
    summary = ""
    if body and not body[0].startswith("```"):
        first = body.pop(0)
        match = re.match(r"`([^`]+)`\s*(\([^)]*\))?\s*[:.]?\s*", first)
        if match is not None and any(name in match.group(1) for name in names):
            examples.insert(0, "\n".join(line.strip() for line in match.group(1).splitlines()))
            first = f"{match.group(2) or ''} {first[match.end() :]}".strip()
            if not first and body and not body[0].startswith("```"):
                first = body.pop(0)
        first = first.replace("\n", " ")
        summary = first[:1].upper() + first[1:] if first[:1].isalpha() and first[1:2] != "^" else first
    return Text(summary, tuple(examples), tuple(body))


def _blocks(doc: str) -> list[tuple[str, str]]:
    """("code" | "text", block) in order."""
    found: list[tuple[str, str]] = []
    lines = doc.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.strip().startswith("```"):
            end = next((k for k in range(at + 1, len(lines)) if lines[k].strip() == "```"), len(lines))
            found.append(("code", textwrap.dedent("\n".join(lines[at + 1 : end])).rstrip()))
            at = end + 1
        elif line.startswith("    "):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            found.append(("code", textwrap.dedent("\n".join(lines[at:end])).rstrip()))
            at = end
        elif line.strip():
            end = at
            while end < len(lines) and lines[end].strip() and not lines[end].startswith(("    ", "```")):
                end += 1
            found.append(("text", "\n".join(lines[at:end])))
            at = end
        else:
            at += 1
    return found


# ---- constraints ----------------------------------------------------------------------------------------------------


def attribute_name(cls: type[Any]) -> str:
    """`!ktdp.access_tile`, `#ktdp.spyre_memory_space`, or a word for what is builtin."""
    cls = getattr(cls, "__origin__", cls)
    for known, word in _PLAIN.items():
        if issubclass(cls, known):
            return word
    name = getattr(cls, "name", cls.__name__)
    if "." not in name:
        return cls.__name__.removesuffix("Attr").removesuffix("Type").lower()
    return ("!" if issubclass(cls, TypeAttribute) else "#") + name


def constraint_text(constraint: Any) -> str:
    """A constraint in words."""
    if isinstance(constraint, BaseAttr):
        return attribute_name(constraint.attr)
    if isinstance(constraint, EqAttrConstraint):
        return str(constraint.attr)
    if isinstance(constraint, AnyOf):
        return " or ".join(dict.fromkeys(constraint_text(item) for item in constraint.attr_constrs))
    if isinstance(constraint, AllOf):
        parts = [constraint_text(item) for item in constraint.attr_constrs]
        return " and ".join(dict.fromkeys(part for part in parts if part != "any")) or "any"
    if isinstance(constraint, ParamAttrConstraint):
        inner = [constraint_text(item) for item in constraint.param_constrs]
        inner = [item for item in inner if item not in ("any", "int")]
        base = attribute_name(constraint.base_attr)
        return f"{base} ({', '.join(inner)})" if inner else base
    if isinstance(constraint, builtin.ArrayOfConstraint):
        inner_text = constraint_text(constraint.elem_range_constraint)
        return "array" if inner_text == "any" else f"array of {inner_text}"
    if isinstance(constraint, RangeOf):
        return constraint_text(constraint.constr)
    if isinstance(constraint, MessageConstraint):
        return constraint_text(constraint.constr)
    if isinstance(constraint, (VarConstraint, RangeVarConstraint)):
        return constraint_text(constraint.constraint)
    if isinstance(constraint, AnyAttr):
        return "any"
    inner = getattr(constraint, "constraint", None)
    return constraint_text(inner) if inner is not None else "any"


def _note(definition: Any) -> str:
    if isinstance(definition, (OptOperandDef, OptResultDef, OptRegionDef)):
        return "optional"
    return "variadic" if isinstance(definition, (VarOperandDef, VarResultDef, VarRegionDef)) else ""


# ---- operations, types, attributes ----------------------------------------------------------------------------------


def describe_op(cls: type[Any], errors: bool = True) -> OpDoc:
    """The record of an operation class; `errors` (read from the verifier's source) may be left out."""
    name: str = cls.name
    short = name.partition(".")[2]
    definition = cls.get_irdl_definition() if hasattr(cls, "get_irdl_definition") else None
    parts: dict[str, tuple[Part, ...]] = {"operands": (), "results": (), "regions": ()}
    attributes: list[Part] = []
    if definition is not None:
        for group in ("operands", "results"):
            parts[group] = tuple(
                Part(key, constraint_text(item.constr), _note(item)) for key, item in getattr(definition, group)
            )
        parts["regions"] = tuple(Part(key, "region", _note(item)) for key, item in definition.regions)
        for key, item in [*definition.properties.items(), *definition.attributes.items()]:
            if key in _HIDDEN:
                continue
            note = "optional" if type(item).__name__.startswith("Opt") else ""
            if item.default_value is not None:
                note = f"default `{item.default_value}`"
            attributes.append(Part(key, constraint_text(item.constr), note))
    doc = cls.__dict__.get("__doc__") or ""
    return OpDoc(
        name,
        parse_docstring(doc, name, f" {short} ", f"= {short}", *((short,) if name.startswith("ktdf_arch.") else ())),
        parts["operands"],
        tuple(sorted(attributes, key=lambda item: item.name)),
        parts["results"],
        parts["regions"],
        _traits(definition),
        tuple(verifier_messages(cls)) if errors else (),
    )


def _traits(definition: Any) -> tuple[str, ...]:
    names: list[str] = []
    for item in definition.traits.traits if definition is not None else ():
        name = type(item).__name__
        if name.endswith("CanonicalizationPatternsTrait"):
            name = "Canonicalized"
        types = getattr(item, "op_types", None) or ((item.op_type,) if hasattr(item, "op_type") else ())
        inner = ", ".join(sorted(cls.name for cls in types))
        names.append(f"{name}({inner})" if inner else name)
    return tuple(sorted(set(names)))


def describe_attribute(cls: type[Any]) -> AttributeDoc:
    """The record of a type or attribute class."""
    definition = cls.get_irdl_definition() if hasattr(cls, "get_irdl_definition") else None
    enum = getattr(cls, "enum_type", None)
    parameters = () if enum is not None or definition is None else tuple(
        Part(key, constraint_text(getattr(item, "constr", item))) for key, item in definition.parameters
    )  # fmt: skip
    return AttributeDoc(
        cls.name,
        issubclass(cls, TypeAttribute),
        parse_docstring(cls.__dict__.get("__doc__"), cls.name, cls.name.partition(".")[2], "<"),
        parameters,
        tuple(str(item.value) for item in enum) if enum is not None else (),
    )


# ---- verifiers ------------------------------------------------------------------------------------------------------


def verifier_messages(cls: type[Operation]) -> list[str]:
    """What the verifier of an operation may say, read from its source; computed parts stand in braces."""
    from headrace.ir.upstream import lookup

    checks: list[Callable[..., Any]] = []
    registered = lookup(cls).verify
    if registered is not None:
        checks.append(registered)
    for base in cls.__mro__:
        own = base.__dict__.get("verify_")
        if own is not None and base.__module__.startswith("headrace."):
            # irdl wraps the verifier of the class body.
            checks.append(inspect.getclosurevars(own).nonlocals.get("custom_verify", own))
            break
    found: dict[str, None] = {}
    for check in checks:
        _messages(check, found, set(), 0)
    return list(found)


def _messages(function: Callable[..., Any], found: dict[str, None], seen: set[Any], depth: int) -> None:
    function = inspect.unwrap(function)
    if function in seen or depth > 3 or not getattr(function, "__module__", "").startswith("headrace."):
        return
    seen.add(function)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "VerifyException" and node.args:
            text = _message_text(node.args[0])
            if text is not None:
                found[text] = None
        else:
            called = getattr(function, "__globals__", {}).get(node.func.id)
            if inspect.isfunction(called):
                _messages(called, found, seen, depth + 1)


def _message_text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else _placeholder(part) for part in node.values
        )
    return None


def _placeholder(part: ast.expr) -> str:
    inner = part.value if isinstance(part, ast.FormattedValue) else part
    return "{" + (inner.id if isinstance(inner, ast.Name) else "..") + "}"


# ---- passes ---------------------------------------------------------------------------------------------------------


@cache
def describe_pass(name: str, path: str) -> PassDoc:
    """The record of the pass whose class is at `path` ("module:Class"): its module's docstring and its options."""
    module = import_module(path.partition(":")[0])
    cls = load_pass(name, {name: path})
    doc = parse_docstring(module.__doc__)
    summary = re.sub(rf"^`?{re.escape(name)}`?\s*:\s*", "", doc.summary, flags=re.IGNORECASE)
    conditions = {"Precondition": "", "Postcondition": ""}
    body: list[str] = []
    for block in doc.body:
        if "condition:" not in block or block.startswith("```"):
            body.append(block)
            continue
        before, *pieces = re.split(r"(Precondition|Postcondition):\s*", block.replace("\n", " "))
        if before.strip():
            body.append(before.strip())
        for key, text in zip(pieces[::2], pieces[1::2], strict=True):
            conditions[key] = text.strip()[:1].upper() + text.strip()[1:]
    notes = _field_notes(cls)
    options = tuple(
        Part(key, _option_type(item), _option_note(item, notes.get(item.name, "")))
        for key, item in cls.option_fields().items()
    )
    summary = summary[:1].upper() + summary[1:]
    return PassDoc(
        name, Text(summary, doc.examples, tuple(body)), conditions["Precondition"], conditions["Postcondition"], options
    )


def _option_type(item: dataclasses.Field[Any]) -> str:
    return item.type if isinstance(item.type, str) else getattr(item.type, "__name__", str(item.type))


def _option_note(item: dataclasses.Field[Any], text: str) -> str:
    missing = dataclasses.MISSING
    default = item.default if item.default is not missing else None
    if item.default_factory is not missing:
        default = item.default_factory()
    shown = str(default).lower() if isinstance(default, bool) else "none" if default is None else str(default)
    return f"{text} Default: `{shown}`.".strip()


def _field_notes(cls: type[Any]) -> Mapping[str, str]:
    """The string that follows each field of a class."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = tree.body[0].body if tree.body and isinstance(tree.body[0], ast.ClassDef) else []
    notes: dict[str, str] = {}
    for item, after in pairwise(body):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                notes[item.target.id] = inspect.cleandoc(str(after.value.value)).replace("\n", " ")
    return notes
