"""Passes: what one is, how its options are written, and MLIR's pipeline text.

A pass is a dataclass; its fields are its options, written in kebab case:

    @dataclass
    class TilePass(Pass):
        name = "tile"
        summary = "Tile the loops"
        tile_size: int = 8            # tile{tile-size=16}

        def apply(self, op, ctx): ...
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from headrace.ir.diagnostics import Diagnostic, HeadraceError, did_you_mean, error

#: Generic passes: name -> "module:Class". Rooms to the right add their own dictionaries of the same shape.
PASSES: dict[str, str] = {
    "canonicalize": "headrace.ir.transforms.canonicalize:CanonicalizePass",
    "cse": "headrace.ir.transforms.cse:CsePass",
    "ktir-check-legality": "headrace.ir.transforms.ktir_check_legality:KtirCheckLegalityPass",
    "loop-invariant-code-motion": "headrace.ir.transforms.licm:LoopInvariantCodeMotionPass",
}


@dataclass
class Pass:
    """One transformation of a module or of a function."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    def apply(self, op: Any, ctx: Context, /) -> None:
        """Change `op` (the operation the pass is anchored on) in place. Bad input raises `HeadraceError`."""
        raise NotImplementedError(self.name)

    @classmethod
    def option_fields(cls) -> dict[str, dataclasses.Field[Any]]:
        """The options by their text names."""
        return {item.name.replace("_", "-"): item for item in dataclasses.fields(cls)}

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Pass:
        """Build the pass from option texts; an unknown name or a value of the wrong type is a `HeadraceError`."""
        fields = cls.option_fields()
        hints = typing.get_type_hints(cls)
        values: dict[str, Any] = {}
        for key, text in options.items():
            item = fields.get(key.replace("_", "-"))
            if item is None:
                raise error(None, f"pass '{cls.name}' has no option '{key}'{did_you_mean(key, fields)}")
            try:
                values[item.name] = _convert(text, hints[item.name])
            except ValueError:
                raise error(None, f"option '{key}' of pass '{cls.name}' cannot be '{text}'") from None
        return cls(**values)

    def options_text(self) -> str:
        """`{x=1 y=2}` with the options that differ from their defaults, or an empty string."""
        parts: list[str] = []
        for key, item in self.option_fields().items():
            value = getattr(self, item.name)
            default = item.default_factory() if callable(item.default_factory) else item.default  # pyright: ignore
            if value != default:
                text = ",".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)
                parts.append(f"{key}={text.lower() if isinstance(value, bool) else text}")
        return "{" + " ".join(parts) + "}" if parts else ""


def _convert(text: str, kind: Any) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if type(None) in args:
        return _convert(text, next(arg for arg in args if arg is not type(None)))
    if origin in (list, tuple):
        return origin(_convert(part, args[0]) for part in text.split(",") if part)
    if origin is typing.Literal:
        if text not in args:
            raise ValueError(text)
        return text
    if kind is bool:
        if text.lower() in ("", "1", "true"):
            return True
        if text.lower() in ("0", "false"):
            return False
        raise ValueError(text)
    return int(text, 0) if kind is int else kind(text)


def load_pass(name: str, registry: Mapping[str, str]) -> type[Pass]:
    """The class of a pass by name; `HeadraceError` with a hint if there is none."""
    path = registry.get(name)
    if path is None:
        raise error(None, f"'{name}' does not name a pass{did_you_mean(name, registry)}")
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


# ---- pipelines ------------------------------------------------------------------------------------------------------


@dataclass
class PipelineItem:
    """A pass with its options, or an operation name with the items anchored on it (`items` is not None)."""

    name: str
    options: dict[str, str] = field(default_factory=dict[str, str])
    items: list[PipelineItem] | None = None

    def __str__(self) -> str:
        if self.items is not None:
            return f"{self.name}({','.join(map(str, self.items))})"
        body = " ".join(f"{key}={value}" if value else key for key, value in self.options.items())
        return f"{self.name}{{{body}}}" if body else self.name


def parse_pipeline(text: str) -> list[PipelineItem]:
    """Parse `builtin.module(a,func.func(b{x=1 y=2}),c)`; the outer `builtin.module(...)` may be left out."""
    position = 0

    def fail(message: str) -> HeadraceError:
        from headrace.ir.location import SourceFile

        return HeadraceError(
            Diagnostic("error", f"pass pipeline: {message}", SourceFile("<pass-pipeline>", text).locate(position))
        )

    def items(depth: int) -> list[PipelineItem]:
        nonlocal position
        found: list[PipelineItem] = []
        while True:
            while position < len(text) and text[position].isspace():
                position += 1
            start = position
            while position < len(text) and (text[position].isalnum() or text[position] in "_-."):
                position += 1
            name = text[start:position]
            if not name:
                if not found and (position >= len(text) or text[position] == ")"):
                    return found
                raise fail("expected the name of a pass or of an operation")
            item = PipelineItem(name)
            if position < len(text) and text[position] == "{":
                end = _closing(text, position)
                if end < 0:
                    raise fail("'{' is not closed")
                item.options = _options(text[position + 1 : end])
                position = end + 1
            elif position < len(text) and text[position] == "(":
                if depth > 32:
                    raise fail("nested too deeply")
                position += 1
                item.items = items(depth + 1)
                if position >= len(text) or text[position] != ")":
                    raise fail("expected ')'")
                position += 1
            found.append(item)
            while position < len(text) and text[position].isspace():
                position += 1
            if position < len(text) and text[position] == ",":
                position += 1
                continue
            return found

    found = items(0)
    if position != len(text):
        raise fail(f"unexpected '{text[position]}'")
    if len(found) == 1 and found[0].name == "builtin.module" and found[0].items is not None:
        return found[0].items
    return found


def _closing(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return -1


def _options(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        start = position
        quote = ""
        depth = 0
        while position < len(text) and (quote or depth or not text[position].isspace()):
            char = text[position]
            if quote:
                quote = "" if char == quote else quote
            elif char in "\"'":
                quote = char
            elif char in "{[(":
                depth += 1
            elif char in "}])":
                depth -= 1
            position += 1
        key, _, value = text[start:position].partition("=")
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        elif value.startswith("{") and value.endswith("}"):
            value = value[1:-1]
        found[key] = value
    return found


#: Called around every pass with (pass, the operation it ran on).
Observer = Callable[[Pass, Operation], None]


@dataclass
class PassManager:
    """Runs a pipeline. `verify_each` checks the module after every pass; observers see it before and after each."""

    ctx: Context
    registry: Mapping[str, str] = field(default_factory=lambda: PASSES)
    verify_each: bool = True
    before: Sequence[Observer] = ()
    after: Sequence[Observer] = ()

    def run(self, module: ModuleOp, pipeline: str | Sequence[PipelineItem]) -> None:
        """Run the pipeline on the module in place."""
        self._run(module, parse_pipeline(pipeline) if isinstance(pipeline, str) else list(pipeline))

    def _run(self, op: Operation, items: Sequence[PipelineItem]) -> None:
        for item in items:
            if item.items is None:
                self.run_pass(op, load_pass(item.name, self.registry).from_options(item.options))
                continue
            if item.name == "any":
                targets = [inner for region in op.regions for block in region.blocks for inner in block.ops]
            else:
                targets = [
                    inner
                    for region in op.regions
                    for block in region.blocks
                    for inner in block.ops
                    if inner.name == item.name
                ]
            for target in targets:
                self._run(target, item.items)

    def run_pass(self, op: Operation, item: Pass) -> None:
        """Run one pass on an operation, with verification and observers."""
        from headrace.ir.verify import verify

        for observer in self.before:
            observer(item, op)
        try:
            item.apply(op, self.ctx)
        except VerifyException as problem:
            raise error(op, f"pass '{item.name}': {problem}") from problem
        if self.verify_each:
            try:
                verify(op)
            except HeadraceError as problem:
                note = Diagnostic("note", f"found after pass '{item.name}'")
                raise HeadraceError([*problem.diagnostics, note]) from None
        for observer in self.after:
            observer(item, op)
