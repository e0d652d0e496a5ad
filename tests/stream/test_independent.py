"""Text of every level is accepted by the reference implementation's `iree-opt`, where that is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.ir.text import parse_module, print_module
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.random_graphs import Features, random_graph
from headrace.stream.strip import strip_kernels
from tests.stream.common import NAMES, graph

TOOL = shutil.which("iree-opt") or shutil.which("iree-opt", path=str(Path(sys.executable).parent))
pytestmark = pytest.mark.skipif(TOOL is None, reason="iree-opt is not installed (extra 'iree')")


def accepted(module: ModuleOp, favour: str) -> None:
    """Every stream level of a module is read by the tool."""

    def after(name: str, level: ModuleOp) -> None:
        if name in ("prepare", "simplify-control-flow", "form-dispatches"):
            return
        assert TOOL is not None
        text = print_module(strip_kernels(level), keep_names=True)
        done = subprocess.run([TOOL, "-"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: {done.stderr[:600]}"

    compile_graph(module, Options(favour), after)


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("name", NAMES)
def test_five_graphs(name: str, favour: str) -> None:
    accepted(graph(name), favour)


@pytest.mark.parametrize("seed", range(3))
def test_random_graphs(seed: int) -> None:
    accepted(parse_module(random_graph(seed, 20, Features(2))), "min-peak-memory")
