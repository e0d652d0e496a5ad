"""`tests/lit` holds a round trip of every operation, and for every operation a text that is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from headrace.cli.expected import expectations
from headrace.cli.opt import split_parts
from headrace.ir.context import make_context
from headrace.ir.diagnostics import DiagnosticEngine, HeadraceError, collecting
from headrace.ir.dialects import DIALECTS
from headrace.ir.equal import difference
from headrace.ir.text import parse_module, print_module

LIT = Path(__file__).parents[2] / "lit"
FILES = sorted(path for path in LIT.rglob("*.mlir") if "RUN:" in path.read_text())
#: Names that are only read: the parser makes the operation that replaced them.
OLD_NAMES = {"arith.maxf", "arith.minf"}
#: What no text can get wrong: nothing about them is checked.
ALWAYS_VALID = {"ub.poison"}
#: The languages whose operations each have a round trip and refused texts; graph-level ones have tests of their own.
LANGUAGES = sorted(set(DIALECTS) - {"flow", "hal", "stream", "util"})


@cache
def operations() -> dict[str, type[Operation]]:
    """Every operation of every registered dialect."""
    context = make_context()
    for name in DIALECTS:
        if name != "builtin":
            context.load_registered_dialect(name)
    found = {op.name: op for op in context.loaded_ops if not issubclass(op, UnregisteredOp)}
    return {name: op for name, op in found.items() if name not in OLD_NAMES}


def parts(path: Path) -> Iterator[tuple[str, int]]:
    """The parts of a file with their first lines."""
    text = path.read_text()
    yield from split_parts(text) if "--split-input-file" in text else [(text, 1)]


def round_trips(path: Path) -> bool:
    """Whether the RUN lines read back both the custom and the generic form."""
    runs = [line for line in path.read_text().splitlines() if "RUN:" in line]
    custom = any(re.search(r"opt %s[^|]*(\| %?headrace-opt|> %t)", line) for line in runs)
    return custom and any("--mlir-print-op-generic" in line for line in runs)


@cache
def shown() -> frozenset[str]:
    """The operations in files that are read back in both forms."""
    found: set[str] = set()
    for path in filter(round_trips, FILES):
        for text, first_line in parts(path):
            with collecting(DiagnosticEngine()):
                module = parse_module(text, str(path), ctx=make_context(True), first_line=first_line)
            found.update(op.name for op in module.walk())
    return frozenset(found)


@cache
def refused() -> frozenset[str]:
    """The operations that an `expected-error` is about: named in the message or on the line it points at."""
    names = operations()
    short = {name.partition(".")[2]: name for name in names if name.startswith(("func.", "ktdf_arch.", "pdl."))}
    found: set[str] = set()
    for path in FILES:
        text = path.read_text()
        if "--verify-diagnostics" not in text:
            continue
        lines = text.splitlines()
        for body, first_line in parts(path):
            for item in expectations(body, str(path), first_line):
                if item.kind != "error" or item.line is None:
                    continue
                match = re.search(r"'([\w.]+)' op ", item.text)
                if match is not None and match.group(1) in names:
                    found.add(match.group(1))
                    continue
                line = re.sub(r"//.*", "", lines[item.line - 1])
                words = re.findall(r"[a-z_][\w.]*", line)
                for word in words:
                    if word in names:
                        found.add(word)
                        break
                    if word in short and "." not in word:
                        found.add(short[word])
                        break
                    if word == "module":
                        found.add("builtin.module")
    return frozenset(found)


@pytest.mark.parametrize("dialect", LANGUAGES)
def test_every_operation_has_a_round_trip(dialect: str) -> None:
    wanted = [name for name in operations() if name.startswith(dialect + ".")]
    missing = sorted(name for name in wanted if name not in shown())
    assert not missing, f"no round trip in tests/lit of {', '.join(missing)}"


@pytest.mark.parametrize("dialect", LANGUAGES)
def test_every_operation_has_an_invalid_case(dialect: str) -> None:
    missing = sorted(
        name
        for name in operations()
        if name.startswith(dialect + ".") and name not in refused() and name not in ALWAYS_VALID
    )
    assert not missing, f"no expected-error in tests/lit about {', '.join(missing)}"


@pytest.mark.parametrize("path", [p for p in FILES if round_trips(p)], ids=lambda p: str(p.relative_to(LIT)))
def test_all_forms_read_back_the_same(path: Path) -> None:
    for text, first_line in parts(path):
        with collecting(DiagnosticEngine()):
            module = parse_module(text, str(path), ctx=make_context(True), first_line=first_line)
            printed = print_module(module)
            for form in (printed, print_module(module, generic=True), print_module(module, debuginfo=True)):
                try:
                    again = parse_module(form, ctx=make_context(True))
                except HeadraceError as problem:
                    raise AssertionError(f"{path}: {problem}") from None
                found = difference(module, again)
                assert found is None, f"{path}: {found[2]}"
                assert print_module(again) == printed
