"""What a fresh interpreter imports for the commands whose start-up time matters."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

_PROBE = """
import io, json, sys
before = set(sys.modules)
from headrace.cli.main import run
out, sys.stdout = sys.stdout, io.StringIO()
status = run(json.loads(sys.argv[1]))
sys.stdout = out
print(json.dumps([status, sorted(set(sys.modules) - before)]))
"""


def _imported(arguments: list[str], text: str = "") -> set[str]:
    """Modules that are neither of the standard library nor there from the start."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, json.dumps(arguments)], input=text, capture_output=True, text=True, check=True
    )
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0, done.stderr
    return {name for name in modules if name.partition(".")[0] not in sys.stdlib_module_names}


def _rooms(modules: set[str]) -> set[str]:
    """The rooms of headrace among the modules."""
    return {name.split(".")[1] for name in modules if name.startswith("headrace.")}


def test_version():
    assert _imported(["--version"]) == {"headrace", "headrace.cli", "headrace.cli.main"}


def test_the_package_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "headrace", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("headrace ")
    wrong = subprocess.run([sys.executable, "-m", "headrace", "run", "missing.mlir"], capture_output=True, text=True)
    assert wrong.returncode and "missing.mlir" in wrong.stderr and "Traceback" not in wrong.stderr


def test_opt_on_an_empty_text():
    modules = _imported(["opt", "-"])
    assert {name.partition(".")[0] for name in modules} == {"headrace", "xdsl", "immutabledict", "typing_extensions"}
    assert _rooms(modules) == {"cli", "ir"}
    dialects = {name for name in modules if name.startswith(("headrace.ir.dialects.", "xdsl.dialects."))}
    assert dialects == {"xdsl.dialects.builtin"}
    assert {name for name in modules if name.startswith("headrace.ir.upstream.")} == {"headrace.ir.upstream.builtin"}


def test_opt_loads_the_dialects_of_the_text_and_no_more():
    modules = _imported(["opt", "-"], "func.func @f(%a: index) {\n  return\n}\n")
    assert _rooms(modules) == {"cli", "ir"}
    for name in ("numpy", "islpy", "llvmlite", "networkx", "typer", "pygls", "headrace.ir.dialects.ktdf_arch"):
        assert name not in modules
    assert not any(name.startswith("headrace.ir.dialects.ktd") for name in modules)


def test_a_run_of_what_is_compiled_loads_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HEADRACE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("HEADRACE_ARTEFACTS", "1")
    file = str(Path(__file__).parent.parent / "corpus" / "elementwise" / "add.mlir")
    assert "headrace.interp.buffers" in _imported(["run", file])
    modules = _imported(["run", file])
    for name in ("headrace.interp.buffers", "headrace.interp.engine", "headrace.codegen.compile", "islpy", "networkx"):
        assert name not in modules
    assert not {"pydantic", "xdsl", "headrace.ir.parser", "headrace.arch.model"} & modules
    assert {name for name in modules if name.startswith("headrace.scheduler.")} == {"headrace.scheduler.expression"}
