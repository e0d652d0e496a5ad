"""`headrace run --profile --trace --report` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headrace.cli.main import run

CORPUS = Path(__file__).parents[1] / "corpus"
ADD = str(CORPUS / "elementwise" / "add.mlir")


def test_profile_trace_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, page = tmp_path / "made" / "run.json", tmp_path / "run.html"
    assert run(["run", ADD, "--profile", "--trace", str(trace), "--report", str(page), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["trace"] == str(trace) and data["report"] == str(page) and data["warnings"] == []
    assert data["profile"]["covered_cycles"] == data["cycles"]
    assert sum(p["cycles"] for p in data["profile"]["critical_path"]) == data["cycles"]
    assert {u["kind"] for u in data["profile"]["units"]} == {"MNILU", "L1LU", "SFU", "L1SU", "MNISU"}
    assert json.loads(trace.read_text())["otherData"]["cycles"] == data["cycles"]
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_of_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", ADD, "-o", str(tmp_path / "code")]) == 0
    capsys.readouterr()
    page = tmp_path / "run.html"
    assert run(["run", str(tmp_path / "code"), "--profile", "--report", str(page)]) == 0
    text = capsys.readouterr().out
    assert "SFU starved" in text and "critical path by source" in text and f"report     {page}" in text
    assert "SpyreCode" in page.read_text()


def test_a_cut_recording_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    softmax = str(CORPUS / "reductions" / "softmax.mlir")
    assert run(["run", softmax, "--profile", "--records", "1000"]) == 0
    captured = capsys.readouterr()
    assert "the recording stops at cycle" in captured.err and "(1000 records; more with --records N)" in captured.err
    assert "critical path by source, first 490 of 2416 cycles" in captured.out


def test_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", ADD, ADD, "--trace", str(tmp_path / "t.json")]) == 2
    assert "--trace and --report take one file" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert run(["run", ADD, "--trace", str(tmp_path / "file" / "t.json")]) == 1
    assert "cannot write" in capsys.readouterr().err
