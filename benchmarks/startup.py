"""Start-up of the command line against importing xDSL's parser and printer, each in a fresh interpreter; first and
later runs of a kernel.

Bytecode is kept as an installed package has it, also where the environment forbids writing it: otherwise every start
compiles the sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.common import CORPUS, Case, interleaved

_RUN = "import sys; from headrace.cli.main import main; main(sys.argv[1:])"


def _start(*arguments: str, **environment: str) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment}
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)


def _first_run() -> None:
    """`headrace run` of add with nothing in headrace's caches."""
    with tempfile.TemporaryDirectory() as folder:
        _start("-c", _RUN, "run", str(CORPUS / "add.mlir"), HEADRACE_CACHE_DIR=folder)


def _children() -> float:
    """Processor seconds of the processes that have ended, which other work on the machine hardly changes."""
    times = os.times()
    return times.children_user + times.children_system


def run() -> list[Case]:
    """`headrace --version`, and `headrace opt` on an empty file."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.mlir"
        empty.touch()
        times = interleaved(
            {
                "xdsl": lambda: _start("-c", "import xdsl.parser, xdsl.printer"),
                "version": lambda: _start("-c", _RUN, "--version"),
                "opt": lambda: _start("-c", _RUN, "opt", str(empty)),
                "first": _first_run,
                "later": lambda: _start("-c", _RUN, "run", str(CORPUS / "add.mlir"), HEADRACE_CACHE_DIR=folder),
            },
            5,
            _children,
        )
    reference = times["xdsl"], "import of xDSL's parser and printer"
    return [
        Case("start-up, headrace --version", times["version"], "s", *reference, ("<=", 0.7)),
        Case("start-up, headrace opt on an empty file", times["opt"], "s", *reference, ("<=", 1.6)),
        Case("first headrace run of add, caches empty", times["first"], "s", goal=("<=", 4.0)),
        Case("headrace run of add again", times["later"], "s", goal=("<=", 1.5)),
    ]
