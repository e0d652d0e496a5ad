"""The shipped JSON schemas describe what is written; a small checker covers the keywords they use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from headrace.codegen import schemas
from headrace.codegen.spyrecode import SpyreCode

ARTEFACTS = Path(__file__).parent / "artefacts"
TYPES = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip


def violations(value: Any, schema: Any, root: Any, at: str = "$") -> list[str]:
    """Where a value departs from a schema."""
    if schema is True or schema is False:
        return [] if schema else [f"{at}: not allowed"]
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return violations(value, target, root, at)
    out: list[str] = []
    if "oneOf" in schema:
        good = [s for s in schema["oneOf"] if not violations(value, s, root, at)]
        out += [] if len(good) == 1 else [f"{at}: {len(good)} of {len(schema['oneOf'])} alternatives hold"]
    if "const" in schema and value != schema["const"]:
        out.append(f"{at}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{at}: {value!r} is none of {schema['enum']}")
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        fits = any(isinstance(value, TYPES[n]) and (n == "boolean") == isinstance(value, bool) for n in names)
        if not fits:
            return [*out, f"{at}: {type(value).__name__} is not {names}"]
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        out.append(f"{at}: '{value}' does not match")
    if isinstance(value, int) and not isinstance(value, bool):
        out += [f"{at}: {value} too small"] if value < schema.get("minimum", value) else []
        out += [f"{at}: {value} too large"] if value > schema.get("maximum", value) else []
    if isinstance(value, dict):
        out += [f"{at}: no {k}" for k in schema.get("required", []) if k not in value]
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            out += violations(item, inner, root, f"{at}.{key}")
    if isinstance(value, list):
        out += [f"{at}: too short"] if len(value) < schema.get("minItems", 0) else []
        first = schema.get("prefixItems", [])
        for k, item in enumerate(value):
            inner = first[k] if k < len(first) else schema.get("items", True)
            out += violations(item, inner, root, f"{at}[{k}]")
    return out


@pytest.mark.parametrize("artefact", ["rows-v1", "rows-v1-digests", "static-v1"])
@pytest.mark.parametrize("name", schemas.NAMES)
def test_what_is_written_follows_the_schemas(artefact: str, name: str, tmp_path: Path) -> None:
    schema = schemas.load(name)
    for root in (ARTEFACTS / artefact, SpyreCode.read(ARTEFACTS / artefact).write(tmp_path / "again")):
        data = json.loads((root / f"{name}.json").read_text())
        assert violations(data, schema, schema) == []


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("spyrecode", ("JobPreparationPlan", 0, "properties", "static_size"), 12),
        ("spyrecode", ("JobPreparationPlan", 0, "command"), "InitTransfer"),
        ("spyrecode", ("JobExecPlan", 1, "properties", "dirn"), "up"),
        ("spyrecode", ("JobExecPlan", 0, "properties", "hcm", "layout", 0, "width"), 4),
        ("spyrecode", ("JobExecPlan", 0, "properties", "hcm", "symbols", 0, "id"), 1),
        ("manifest", ("version",), 2),
        ("manifest", ("arguments", 0, "kind"), "pointer"),
        ("manifest", ("device", "digest"), "abc"),
        ("debug", ("locations",), [1]),
    ],
)
def test_the_schemas_refuse(name: str, path: tuple[Any, ...], value: Any) -> None:
    schema = schemas.load(name)
    data = json.loads((ARTEFACTS / "rows-v1" / f"{name}.json").read_text())
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert violations(data, schema, schema)


def test_unknown_schema() -> None:
    with pytest.raises(ValueError, match="no schema 'x'"):
        schemas.load("x")
