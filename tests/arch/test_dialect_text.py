"""Round trips and diagnostics of the device and DataflowIR dialects, over the files in `tests/lit`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module, print_module

LIT = Path(__file__).parents[1] / "lit"
FOLDERS = ("ktdf_arch", "dataflow", "vectorchain", "agen", "uniform", "symbol", "headrace")
FILES = sorted(path for folder in FOLDERS for path in (LIT / folder).glob("*.mlir"))
VALID = [path for path in FILES if "invalid" not in path.stem]
EXPECTED = re.compile(r"// expected-error @\+(\d+) \{\{(.*?)\}\}\n")


def _sections() -> list[tuple[str, str]]:
    found = []
    for path in FILES:
        if path.stem == "invalid":
            for number, text in enumerate(path.read_text().split("// -----\n")):
                found.append((f"{path.parent.name}-{number}", text))
    return found


@pytest.mark.parametrize("path", VALID, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_round_trip(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    generic = print_module(module, generic=True)
    assert print_module(parse_module(generic)) == text


@pytest.mark.parametrize("text", [text for _, text in _sections()], ids=[name for name, _ in _sections()])
def test_diagnostic(text: str) -> None:
    match = EXPECTED.search(text)
    assert match is not None
    line = text[: match.start()].count("\n") + 1 + int(match[1])
    with pytest.raises(HeadraceError) as caught:
        parse_module(text)
    found = [diagnostic for diagnostic in caught.value.diagnostics if match[2] in diagnostic.message]
    assert found, str(caught.value)
    assert found[0].loc is not None
    assert found[0].loc.line == line, str(caught.value)
