"""Tile kernels inside a graph: compiled, run on the simulated device, equal at every level."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headrace.cli.main import run

ADD = Path(__file__).parents[1] / "corpus" / "elementwise" / "add.mlir"


def text() -> str:
    """x + y + y by two dispatches of the add kernel, then an elementwise operation of the host's kind."""
    kernel = ADD.read_text()
    body = kernel[kernel.index("func.func") : kernel.rindex("}")]
    kind = "tensor<96x64xf16>"
    return f"""
    flow.executable private @tile {{
      flow.executable.export public @add
      builtin.module {{
        {body}
      }}
    }}
    util.func public @f(%x: {kind}, %y: {kind}) -> {kind} {{
      %a = flow.dispatch @tile::@add(%x, %y) : ({kind}, {kind}) -> {kind}
      %b = flow.dispatch @tile::@add(%a, %y) : ({kind}, {kind}) -> {kind}
      %c = arith.negf %b : {kind}
      util.return %c : {kind}
    }}
    """


def test_tile_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(text())
    x, y = (np.random.default_rng(s).standard_normal((96, 64)).astype(np.float16) for s in (1, 2))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    arguments = [f"--input=x={tmp_path / 'x.npy'}", f"--input=y={tmp_path / 'y.npy'}"]
    assert run(["graph", "run", str(path), *arguments, "--check=levels", "--json", "-o", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(level["equal"] for level in found["check"])
    assert found["dispatches"] == 3
    result = np.load(tmp_path / "out" / "result0.npy")
    assert np.array_equal(result, -((x + y).astype(np.float16) + y).astype(np.float16))
