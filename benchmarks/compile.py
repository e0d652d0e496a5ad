"""Compile time: independent of the tensors' size, hardly dependent on the number of tiles."""

from __future__ import annotations

import itertools
import re
import time

import headrace
import headrace.api
from benchmarks.common import CORPUS, Case, interleaved


def chain(count: int) -> str:
    """`add` with a chain of operations behind the addition."""
    text = (CORPUS / "add.mlir").read_text()
    found = re.search(r"(%\w+) = (?:arith\.addf|linalg\.add)\b[^\n]*?(tensor<[^>]*>)\n", text)
    assert found is not None
    name, kind = found.groups()
    names = [name, *(f"%chain{k}" for k in range(count))]
    lines = [
        f"    {new} = {('math.absf', 'arith.negf', 'math.exp', 'math.tanh')[k % 4]} {old} : {kind}\n"
        for k, (old, new) in enumerate(itertools.pairwise(names))
    ]
    rest = re.sub(rf"{name}\b", names[-1], text[found.end() :])
    return text[: found.end()] + "".join(lines) + rest


def run() -> list[Case]:
    """add at 4096x4096 against 96x64, 32 tiles against 2, a chain of 64 operations against one of 8, and the time
    itself: the least process time of many runs, as the work is the same in each."""
    large = (CORPUS / "add_4096.mlir").read_text()
    small = (CORPUS / "add.mlir").read_text()
    two = re.sub(r"grid = \[\d+\]", "grid = [2]", large)
    device = headrace.api.open_architecture("spyre")
    times = interleaved(
        {name: lambda text=text: headrace.compile(text, device) for name, text in
         (("large", large), ("small", small), ("two", two), ("64", chain(64)), ("8", chain(8)))},
        21, time.process_time, min,
    )  # fmt: skip
    return [
        Case("compile add 4096x4096", times["large"], "s", goal=("<=", 1.0)),
        Case("compile add 4096x4096", times["large"], "s", times["small"], "add 96x64", ("<=", 1.2)),
        Case("compile add, 32 tiles", times["large"], "s", times["two"], "2 tiles", ("<=", 1.5)),
        Case("compile a chain of 64 operations", times["64"], "s", times["8"], "8 operations", ("<=", 10)),
    ]
