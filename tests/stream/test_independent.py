"""Text of every level is accepted by the reference implementation's `iree-opt`, where that is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.ir.text import parse_module, print_module
from headrace.stream.levels import GRAPH_LEVEL
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.random_graphs import Features, random_graph
from headrace.stream.strip import strip_kernels
from tests.stream.common import NAMES, graph
from tests.stream.test_collectives import SEND, lowered, program
from tests.stream.test_control_flow import PROGRAMS
from tests.stream.test_fences import TEXT as FENCES
from tests.stream.test_ownership import GROWING, SHARED
from tests.stream.test_transients import CHAIN, DYNAMIC

TOOL = shutil.which("iree-opt") or shutil.which("iree-opt", path=str(Path(sys.executable).parent))
pytestmark = pytest.mark.skipif(TOOL is None, reason="iree-opt is not installed (extra 'iree')")


def read(level: ModuleOp, name: str) -> None:
    """A module is read by the tool."""
    assert TOOL is not None
    text = print_module(strip_kernels(level), keep_names=True)
    done = subprocess.run([TOOL, "-"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}: {done.stderr[:600]}"


def accepted(module: ModuleOp, favour: str) -> None:
    """Every stream level of a module is read by the tool."""

    def after(name: str, level: ModuleOp) -> None:
        if name not in GRAPH_LEVEL:
            read(level, name)

    compile_graph(module, Options(favour), after)


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("name", NAMES)
def test_five_graphs(name: str, favour: str) -> None:
    accepted(graph(name), favour)


@pytest.mark.parametrize("seed", range(3))
def test_random_graphs(seed: int) -> None:
    accepted(parse_module(random_graph(seed, 20, Features(2))), "min-peak-memory")


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_control_flow(name: str, favour: str) -> None:
    accepted(parse_module(PROGRAMS[name][0]), favour)


@pytest.mark.parametrize("text", [CHAIN, DYNAMIC, GROWING.replace("RESULT", "%s")])
def test_transients_and_owners(text: str) -> None:
    accepted(parse_module(text), "min-peak-memory")


@pytest.mark.parametrize("text", [SHARED, FENCES, SEND])
def test_command_level_as_given(text: str) -> None:
    read(parse_module(text), "as given")


@pytest.mark.parametrize("kind", ["all_reduce with sum", "all_gather", "broadcast", "send_recv"])
def test_collectives(kind: str) -> None:
    read(lowered(program(kind, 2, 6, (0, 0, 0))), kind)
