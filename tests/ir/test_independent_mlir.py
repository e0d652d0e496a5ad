"""headrace's text against an independent MLIR: what it accepts, what it prints, what comes back.

The bindings come with the extra `[mlir]`. `HEADRACE_MLIR_PYTHON` may name an interpreter of another environment that
has them. Without either the tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from headrace.ir.context import make_context
from headrace.ir.equal import difference
from headrace.ir.text import parse_module, print_module

HERE = Path(__file__).parent
PYTHON = os.environ.get("HEADRACE_MLIR_PYTHON", sys.executable)
UPSTREAM = sorted(
    path
    for path in (HERE.parent / "lit" / "upstream").glob("*.mlir")
    if path.stem not in ("lenient", "older", "hidden_properties") and not path.stem.startswith("invalid")
)
#: df16 is an unknown type there, which a memref cannot hold; the region of linalg.map got its last argument lately.
UNKNOWN = ("df16", "linalg.map")
CORPUS = [
    path
    for path in sorted((HERE.parent / "corpus").rglob("*.mlir"))
    if not any(word in path.read_text() for word in UNKNOWN)
]


def available() -> bool:
    """Whether the interpreter has the bindings."""
    code = "import importlib.util as u, sys; sys.exit(not (u.find_spec('iree') or u.find_spec('torch_mlir')))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not available(), reason="needs the extra [mlir] (iree-base-compiler)")


def ask(texts: list[str]) -> list[dict[str, str]]:
    """Parse and print the texts with the independent MLIR."""
    done = subprocess.run(
        [PYTHON, str(HERE / "independent_mlir.py")],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("path", UPSTREAM, ids=lambda p: p.stem)
def test_upstream_text_is_the_same(path: Path) -> None:
    text = path.read_text()
    module = parse_module(text, "-", ctx=make_context(True))
    forms = [print_module(module), print_module(module, generic=True), print_module(module, debuginfo=True)]
    original, custom, generic, debuginfo = ask([text, *forms])
    for answer in (original, custom, generic, debuginfo):
        assert "error" not in answer, answer["error"]
    assert custom["text"].rstrip() == original["text"].rstrip() == forms[0].rstrip()
    assert generic["generic"].rstrip() == forms[1].rstrip()
    assert original["debuginfo"].rstrip() == forms[2].rstrip()
    for form in ("text", "generic", "debuginfo"):
        found = difference(module, parse_module(original[form], ctx=make_context(True)))
        assert found is None, found[2]


def test_kernels_in_generic_form() -> None:
    """Our dialects are unregistered there: everything around them must be accepted and mean the same."""
    modules = [parse_module(path.read_text(), str(path), ctx=make_context(True)) for path in CORPUS]
    answers = ask([print_module(module, generic=True) for module in modules])
    for path, module, answer in zip(CORPUS, modules, answers, strict=True):
        assert "error" not in answer, f"{path.name}: {answer['error']}"
        found = difference(module, parse_module(answer["generic"], ctx=make_context(True)))
        assert found is None, f"{path.name}: {found[2]}"
