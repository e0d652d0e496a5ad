"""`headrace opt` as people use `mlir-opt`: pipelines with a device, their text, expected diagnostics."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.cli.opt import run_opt
from headrace.ir.text import parse_module

ADD = Path(__file__).parents[1] / "corpus" / "elementwise" / "add.mlir"
DEVICE = """
#Alu = {kind = "ALU", ktdf_arch.features = {ktdf_arch.feature.compute}}
ktdf_arch.device @toy {
  %m = memory {kind = "MAIN", size = 4096}
  %a = exec_unit #Alu
  datapath %m to %a : memory, exec_unit
  patterns ["pre_scheduling"] {
    pdl.pattern : benefit(1) {
      %t = type
      %x = operand : %t
      %op = operation "math.exp"(%x : !pdl.value) -> (%t : !pdl.type)
      apply_native_constraint "ktdf_arch.mapped_to"(%op : !pdl.operation) : !pdl.attribute {isNegated = true}
      rewrite {
        %k = attribute = "ALU"
        apply_native_rewrite "ktdf_arch.map_to"(%op, %k : !pdl.operation, !pdl.attribute)
      }
    }
  }
}
"""


def opt(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    status = run_opt(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_whole_pipeline_with_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = opt(capsys, "-ktir-to-dfir", "--device=sample", str(ADD))
    assert status == 0, err
    assert "dataflow.program_unit iter_arg" in out
    assert 'ktdf_arch.device @sample import("' in out
    parse_module(out)


def test_the_pipeline_is_written_as_it_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = opt(capsys, "--ktir-to-dfir", "--device=sample", "--dump-pass-pipeline", str(ADD))
    assert status == 0, err
    pipeline = err.splitlines()[1]
    assert pipeline.startswith("builtin.module(ensure-device-declaration{device-filename=sample},")
    assert "ktdfarch-apply-patterns{groups=post_scheduling}" in pipeline
    again = opt(capsys, f"--pass-pipeline={pipeline}", "--dump-pass-pipeline", str(ADD))
    assert again == (0, out, err)


def test_split_output_and_disabled_passes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    common = ["-kEmitDFIR", "--device=sample", f"--split-dfir-output-dir={tmp_path}", str(ADD)]
    status, out, err = opt(capsys, *common, "--wrap-program-dfir-disable")
    assert status == 0, err
    assert "_body" not in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["global.mlir", "local_schedule_0.mlir"]
    status, out, err = opt(capsys, *common, "--disable-ktdflowering-to-dfir", "--disable-promote-register-memory",
                           "--disable-wrap-program-dfir", "--disable-split-dfir-output")  # fmt: skip
    assert status == 0, err
    assert "ktdf_lowering.execute_on" in out and "dataflow.program_unit" not in out
    assert opt(capsys, "--disable-cannonicalize", str(ADD))[0] == 2


def test_patterns_of_a_device_run_at_their_checkpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "toy.mlir").write_text(DEVICE)
    source = tmp_path / "in.mlir"
    source.write_text("func.func @f(%x: f32) -> f32 {\n  %0 = math.exp %x : f32\n  return %0 : f32\n}\n")
    declare = f"--ensure-device-declaration=device-filename={tmp_path / 'toy.mlir'}"
    for groups, mapped in (("pre_scheduling", True), ("pre_mapping,pre_scheduling", True), ("post_lowering", False)):
        status, out, err = opt(capsys, declare, f"--ktdfarch-apply-patterns=groups={groups}", str(source))
        assert status == 0, err
        assert ('math.exp %arg0 {ktdf_arch.maps_to = "ALU"} : f32' in out) == mapped
        assert out.count("ktdf_arch.device") == 1


def test_a_pipeline_without_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = opt(capsys, "-ktir-to-dfir", str(ADD))
    assert status == 1
    assert "unable to import the device specification" in err


DIAGNOSTICS = """
func.func @error(%a: i32) -> i32 {
  // expected-error@+2 {{redefinition of SSA value '%a'}}

  %a = arith.addi %a, %a : i32
}
// -----
func.func @same_line(%a: i32) -> f32 {
  return %a : i32 // expected-error {{type of return operand 0}}
}
// -----
func.func @below() {
  // expected-error@below {{use of undeclared SSA value name '%x'}}
  "func.call"(%x) <{callee = @f}> : (i32) -> ()
  return
}
// -----
func.func @above(%a: f32) {
  %0 = arith.addi %a, %a : f32
  // expected-error@above {{operand #0 must be signless-integer-like}}
  return
}
// -----
func.func @regex(%a: f32) {
  // expected-error-re@+1 {{operand #{{[0-9]}} must be {{.*}}-like, but got 'f{{(16|32)}}'}}
  %0 = arith.addi %a, %a : f32
  return
}
// -----
func.func @warning(%a: f32) -> f32 {
  // expected-warning@+1 {{'arith.maxf' is now called 'arith.maximumf'}}
  %0 = arith.maxf %a, %a : f32
  return %0 : f32
}
// -----
func.func @note(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  %1 = arith.addi %0, %0 : i32
  return
^bb2:
  // expected-note@+1 {{operand defined here}}
  %0 = arith.constant 1 : i32
  cf.br ^bb1
}
"""


def test_expected_diagnostics(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "in.mlir"
    source.write_text(DIAGNOSTICS)
    flags = ["--split-input-file", "--verify-diagnostics", str(source)]
    status, _, err = opt(capsys, *flags)
    assert status == 0, err
    source.write_text(DIAGNOSTICS.replace("redefinition of", "another text of"))
    status, _, err = opt(capsys, *flags)
    assert status == 1
    assert "unexpected error: redefinition of SSA value '%a'" in err
    assert 'expected error "another text of SSA value \'%a\'" was not produced' in err


def test_misspelt_names_are_corrected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "in.mlir"
    for text, hint in (
        ("func.func @f(%a: i32) { %0 = arith.addd %a, %a : i32 return }", "did you mean 'arith.addi'?"),
        ("func.func @f(%a: i32) { %0 = arth.addi %a, %a : i32 return }", "did you mean 'arith'?"),
        ("func.func @kernel() { return }\nfunc.func @g() { call @kernl() : () -> () return }", "mean 'kernel'?"),
        ('#set = affine_set<(d0) : (d0 >= 0)>\n"test.x"() {a = #sett} : () -> ()', "did you mean '#set'?"),
        ("func.func @f(%value: i32) { %0 = arith.addi %valu, %value : i32 return }", "did you mean 'value'?"),
        ("func.func @f(%a: i32) { %0 = arith.cmpi sltt, %a, %a : i32 return }", "did you mean"),
    ):
        source.write_text(text)
        status, _, err = opt(capsys, "--allow-unregistered-dialect", str(source))
        assert status == 1
        assert hint in err, err
