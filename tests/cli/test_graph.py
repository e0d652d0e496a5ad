"""`headrace graph`: compile, run, explain; exit status and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headrace.cli.main import run

GRAPH = str(Path(__file__).parents[1] / "corpus" / "stream" / "e_twodev.mlir")


def test_run_checks_levels(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    assert run(["graph", "run", GRAPH, "--check=levels", "--json", "--trace", str(trace), "--threads"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["executions"] == 3 and found["waits"] == 1 and not found["ledger"]
    assert all(level["equal"] for level in found["check"])
    assert found["makespan_ns"] >= found["bound_ns"] > 0
    assert found["threads"]["difference"] == ""
    assert {e["ph"] for e in json.loads(trace.read_text())["traceEvents"]} == {"M", "X"}


def test_compile_prints_and_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert run(["graph", "compile", GRAPH, "-o", str(out), "--print-ir-after-all"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("IR after") == 17
    assert "stream.cmd.execute" in out.read_text()


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "explain", GRAPH]) == 0
    text = capsys.readouterr().out
    assert "copy of 65536 bytes" in text and "its reader is on dev_b" in text
    assert "waits for the execution on dev_a" in text


def test_inputs_and_results(tmp_path: Path) -> None:
    a = np.eye(128, dtype=np.float32)
    np.save(tmp_path / "a.npy", a)
    arguments = [f"--input={n}={tmp_path / 'a.npy'}" for n in ("a", "w0", "w1", "w2")]
    assert run(["graph", "run", GRAPH, *arguments, "-o", str(tmp_path / "results")]) == 0
    assert np.array_equal(np.load(tmp_path / "results" / "result0.npy"), 2 * a)


@pytest.mark.parametrize(
    "arguments,status",
    [
        (["graph", "walk", GRAPH], 2),
        (["graph", "run", GRAPH, "--favour=luck"], 2),
        (["graph", "run", GRAPH, "--input=nothing=x.npy"], 2),
        (["graph", "run", "none.mlir"], 1),
        (["graph", "run", GRAPH, "--system", "none.json"], 1),
        (["graph", "compile", GRAPH, "--print-ir-after", "nothing"], 2),
    ],
)
def test_wrong_use(arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == status
    assert "Traceback" not in capsys.readouterr().err


def odd(body: str, signature: str = "(%x: tensor<4xf32>) -> tensor<4xf32>") -> str:
    """A function with one line."""
    kind = signature.rpartition(" ")[2]
    return f"func.func @f{signature} {{\n  {body}\n  return %y : {kind}\n}}"


ODD = {
    "": "no public function to run",
    odd("%y = util.optimization_barrier %x : tensor<*xf32>", "(%x: tensor<*xf32>) -> tensor<*xf32>"): "have a rank",
    odd("%y = util.optimization_barrier %x : tensor<4xi4>", "(%x: tensor<4xi4>) -> tensor<4xi4>"): "no integral number",
    odd("%y = util.global.load @none : tensor<4xf32>"): "odd.mlir:2:8: error: 'util.global.load' op 'none' does not",
    odd("%c = arith.constant 9 : index %y = tensor.extract %x[%c] : tensor<4xf32>", "(%x: tensor<4xf32>) -> f32"):
        "odd.mlir:2:38: error",
    odd("%y = flow.dispatch @a::@b(%x) : (tensor<4xf32>) -> tensor<4xf32>"): "a kernel that is not in the module",
    odd("%y = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>"): "recursive call of 'f'",
}  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_odd_input_is_an_error(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.mlir"
    path.write_text(text)
    assert run(["graph", "run", str(path)]) == 1
    found = capsys.readouterr().err
    assert ODD[text] in found and "Traceback" not in found


def test_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "run", GRAPH, "--check=levels"]) == 0
    text = capsys.readouterr().out
    for label in ("executions", "concurrent groups", "waits of the host", "copies", "allocations", "bound", "peak"):
        assert label in text
    assert "makespan" in text and text.count("equal") == 19


@pytest.mark.parametrize(
    ("value", "message"),
    [("2147483648", "holds -2147483648 to 2147483647"), ("2.5", "takes an integer, not 2.5"), ("7", None)],
)
def test_values_of_arguments(
    value: str, message: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scalar.mlir"
    path.write_text("func.func @f(%n: i32) -> i32 {\n  %y = arith.addi %n, %n : i32\n  return %y : i32\n}")
    assert run(["graph", "run", str(path), "--arg", f"n={value}"]) == (1 if message else 0)
    found = capsys.readouterr().err
    assert (message or "") in found and "internal error" not in found
