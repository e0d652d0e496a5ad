"""The command line: verbs, JSON, files, exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus" / "elementwise"
ADD = str(CORPUS / "add.mlir")


def test_run_json_has_the_listed_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", ADD, "--check=levels", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == [
        "kernel", "device", "grid", "programs", "buffers", "check", "cycles", "time_us", "bound", "efficiency",
        "units", "bytes", "seconds", "warnings",
    ]  # fmt: skip
    assert report["check"]["status"] == "match"
    assert [r["level"] for r in report["check"]["levels"]] == ["ktir", "schedule", "dataflow", "device"]
    assert report["bound"] == {"cycles": 288, "by": "DDR"}
    assert report["efficiency"] == pytest.approx(288 / report["cycles"], abs=1e-6)
    assert set(report["seconds"]) == {"parse", "schedule", "codegen", "load", "simulate"}
    assert {b["name"] for b in report["buffers"]} == {"x", "y", "out"}


def test_run_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", ADD, "--check=ktir"]) == 0
    out = capsys.readouterr().out
    for part in (
        "kernel add on spyre",
        "ktir",
        "schedule",
        "dataflow",
        "spyrecode",
        "check      match",
        "cycles",
        "SFU",
    ):
        assert part in out


POWERS = """
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#same = affine_map<(d0, d1) -> (d0, d1)>
func.func @powers(%x: index, %n: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1]
    {coordinate_set = #rows, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf16>
  scf.for %i = %c0 to %n step %c1 {
    %t = ktdp.construct_access_tile %v[%c0, %c0] {access_tile_set = #rows, access_tile_order = #same}
      : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
    %a = ktdp.load %t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %s = arith.mulf %a, %a : tensor<4x64xf16>
    ktdp.store %s, %t : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
  }
  return
}
"""


@pytest.mark.parametrize("options", [[], ["--json"], ["--profile"], ["--report"], ["--trace"]])
def test_a_run_without_cycles(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No unit has anything to do, where the only loop of a kernel runs not once."""
    kernel = tmp_path / "powers.mlir"
    kernel.write_text(POWERS)
    files = [str(tmp_path / "out")] if options in (["--report"], ["--trace"]) else []
    assert run(["run", str(kernel), "--check=levels", "--arg", "n=0", *options, *files]) == 0
    out = capsys.readouterr().out
    if options == ["--json"]:
        report = json.loads(out)
        assert (report["cycles"], report["efficiency"]) == (0, None)
    else:
        assert " 0 cycles" in out and "efficiency" not in out


def test_values_go_in_and_come_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = np.random.default_rng(0).standard_normal((96, 64)).astype(np.float16)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", 2 * x)
    inputs = ["--input", f"x={tmp_path / 'x.npy'}", "--input", f"y={tmp_path / 'y.npy'}"]
    assert run(["run", ADD, *inputs, "--output", str(tmp_path / "out")]) == 0
    assert np.array_equal(np.load(tmp_path / "out" / "out.npy"), x + 2 * x)


def test_compile_then_run_the_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "code"
    assert run(["compile", ADD, "-o", str(folder), "--emit=ktir,schedule,dfir,spyrecode", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["kernel"] == "add" and report["programs"]
    assert (folder / "dfir" / "global.mlir").exists()
    for program in report["programs"]:
        assert (folder / "dfir" / f"{program}.mlir").exists()
    assert run(["run", str(folder), "--json"]) == 0
    from_directory = json.loads(capsys.readouterr().out)
    assert run(["run", ADD, "--json"]) == 0
    from_source = json.loads(capsys.readouterr().out)
    for key in ("cycles", "bound", "units", "bytes", "buffers"):
        assert from_directory[key] == from_source[key]
    assert run(["objdump", str(folder)]) == 0
    out = capsys.readouterr().out
    for part in ("symbols:", "job execution plan", "SFU", "bound, in cycles"):
        assert part in out
    assert run(["objdump", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kernel"] == "add"


@pytest.mark.parametrize("kernel", ["elementwise/add", "reductions/layernorm", "llm/matmul_tails"])
def test_printed_ir_is_read_again(kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "ir"
    path = str(CORPUS.parent / f"{kernel}.mlir")
    assert run(["compile", path, "-o", str(tmp_path / "o"), "--print-ir-after-all", "--save-ir", str(saved)]) == 0
    assert "IR after stage-coarsening" in capsys.readouterr().err
    files = sorted(saved.glob("*.mlir"))
    assert len(files) > 15
    for file in files:
        assert run(["opt", str(file)]) == 0, file.name


def test_several_files_are_runs(capsys: pytest.CaptureFixture[str]) -> None:
    other = str(CORPUS / "in_place.mlir")
    assert run(["run", ADD, other, "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [r["file"] for r in runs] == [ADD, other]


def test_repeat_gives_the_same_cycles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", ADD, "--repeat", "3", "--check=ktir", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["check"]["status"] == "match"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["run", "missing.mlir"], 1, "cannot read 'missing.mlir'"),
        (["run", ADD, "--device", "spyer"], 1, "spyer"),
        (["run", ADD, "--input", "z=z.npy"], 1, "no buffer named 'z'"),
        (["run", ADD, "--input", "z"], 2, "NAME=VALUE"),
        (["run", ADD, "--arg", "n=4"], 1, "no argument named 'n'"),
        (["run", ADD, "--arg", "n=four"], 2, "not a number"),
        (["run", ADD, "--check=all"], 2, "--check takes"),
        (["run", ADD, "--kernel", "ad"], 2, "did you mean 'add'"),
        (["run", str(CORPUS / "runtime_rows.mlir"), "--arg", "rows=17"], 1, "granularity"),
        (["run", str(CORPUS / "runtime_rows.mlir"), "--arg", "rows=272"], 1, "upper bound"),
        (["compile", ADD, "--emit=asm"], 2, "no level named 'asm'"),
        (["compile", ADD, "--print-ir-after=coarsening"], 2, "no pass named"),
        (["objdump", "missing"], 1, "no such directory"),
        (["devices", "nope"], 1, "nope"),
        (["frobnicate"], 2, "frobnicate"),
        (["run"], 2, "FILE_OR_DIR"),
    ],
)
def test_bad_command_lines(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == status
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


STRIDED = """
#rows = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#same = affine_map<(d0, d1) -> (d0, d1)>
func.func @strided(%x: index, %n: i32, %s: index) attributes {grid = [1]} {
  %m = arith.index_cast %n : i32 to index
  %v = ktdp.construct_memory_view %x, sizes: [%m, 64], strides: [%s, 1]
    {coordinate_set = #rows, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
  %t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = #tile, access_tile_order = #same}
    : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %t : <4x64xindex> -> tensor<4x64xf16>
  %b = arith.addf %a, %a : tensor<4x64xf16>
  ktdp.store %b, %t : tensor<4x64xf16>, <4x64xindex>
  return
}
"""


@pytest.mark.parametrize("verb", [["run", "--check=levels"], ["run"], ["compile"]])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["n=3"], "argument 's', which has no value; give it with --arg s=VALUE"),
        (["n=3", "s=70.5"], "argument 's' takes an integer, not 70.5"),
        (["n=3.0", "s=70"], "argument 'n' takes an integer, not 3.0"),
        (["n=2147483648", "s=70"], "'n' = 2147483648 does not fit its type i32, which holds -2147483648 to 2147483647"),
        (["n=3", f"s={1 << 63}"], f"argument 's' = {1 << 63} does not fit its type index"),
    ],
)
def test_bad_values_of_arguments(
    verb: list[str], values: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel = tmp_path / "strided.mlir"
    kernel.write_text(STRIDED)
    arguments = [a for v in values for a in ("--arg", v)]
    output = ["-o", str(tmp_path / "out")] if verb[0] != "run" else []
    status = run([verb[0], str(kernel), *verb[1:], *arguments, *output])
    captured = capsys.readouterr()
    assert status == 1 and message in captured.err
    assert "internal error" not in captured.err


def test_good_values_of_arguments(tmp_path: Path) -> None:
    kernel = tmp_path / "strided.mlir"
    kernel.write_text(STRIDED)
    assert run(["run", str(kernel), "--check=levels", "--arg", "n=3", "--arg", "s=70"]) == 0


def test_syntax_errors_have_a_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.mlir"
    bad.write_text(Path(ADD).read_text().replace("ktdp.load", "ktdp.laod", 1))
    assert run(["run", str(bad)]) == 1
    err = capsys.readouterr().err
    assert f"{bad}:" in err and "error:" in err and "^" in err


def test_several_kernels_need_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(ADD).read_text()
    body = text[text.index("  func.func") : text.rindex("}")]
    two = tmp_path / "two.mlir"
    two.write_text("module {\n" + body + body.replace("@add(", "@second(") + "}\n")
    assert run(["run", str(two)]) == 2
    assert "add, second" in capsys.readouterr().err
    assert run(["run", str(two), "--kernel", "second", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kernel"] == "second"


def test_a_wrong_pass_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from headrace.scheduler.shape.double_buffering import DoubleBuffering

    original = DoubleBuffering.apply

    def broken(self: object, op: object, ctx: object) -> None:
        original(self, op, ctx)  # type: ignore[arg-type]
        for inner in list(op.walk()):  # type: ignore[attr-defined]
            if inner.name == "arith.addf":
                inner.operands = [inner.operands[0], inner.operands[0]]

    monkeypatch.setattr(DoubleBuffering, "apply", broken)
    assert run(["run", ADD, "--check=passes", "--json"]) == 3
    levels = json.loads(capsys.readouterr().out)["check"]["levels"]
    first = next(r for r in levels if r["status"] != "match" and r["level"] != "ktir")
    assert first["level"] == "double-buffering" and first["status"] == "mismatch"
    assert first["first"]["buffer"] == "out" and len(first["first"]["coordinate"]) == 2


def test_internal_errors_save_a_reproducer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    import headrace.codegen

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(headrace.codegen, "compile_to_spyrecode", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert run(["run", ADD]) == 4
    err = capsys.readouterr().err
    assert "internal error" in err and "boom" in err and "Traceback" not in err
    folder = next(tmp_path.glob("headrace-crash-*"))
    assert (folder / "add.mlir").exists() and "boom" in (folder / "traceback.txt").read_text()


def test_interrupt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import headrace.codegen

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(headrace.codegen, "compile_to_spyrecode", interrupted)
    assert run(["run", ADD]) == 130
    assert capsys.readouterr().err == "headrace: interrupted\n"


@pytest.mark.parametrize("verb", ["compile", "run", "objdump", "devices"])
def test_help_has_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == 0
    assert f"headrace {verb}" in capsys.readouterr().out


def test_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["devices"]) == 0
    assert "spyre-balanced" in capsys.readouterr().out
    assert run(["devices", "spyre", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cores"] == 32
    assert run(["devices", "spyre", "--dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph")


def test_start_up_loads_nothing_heavy() -> None:
    code = "import sys, headrace.cli.main, headrace; print([m for m in ('typer', 'numpy', 'xdsl') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    "option,expected",
    [
        (["--seed", "x"], "Invalid value for '--seed'"),
        (["--seed", "-1"], "Invalid value for '--seed'"),
        (["--repeat", "0"], "Invalid value for '--repeat'"),
    ],
)
def test_values_that_are_not_of_their_type(
    option: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", ADD, *option]) == 2
    assert expected in capsys.readouterr().err
