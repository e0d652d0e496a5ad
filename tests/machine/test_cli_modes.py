"""`headrace run --mode` and `--sanitize`: status, JSON, messages with places in the source."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from headrace.cli.main import run

from .mutation import CORPUS, _edited, kernel

FILE = str(CORPUS / "elementwise" / "add.mlir")


def test_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", FILE, "--sanitize", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["sanitizer"] == {"status": "clean", "reports": []}
    assert report["cycles"] > 0


def test_values_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", FILE, "--mode", "functional", "--check=ktir"]) == 0
    assert "values only, no cycles" in capsys.readouterr().out


def test_unknown_mode(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", FILE, "--mode", "quick"]) == 2
    assert "--mode takes timed, functional, sanitized, not 'quick'" in capsys.readouterr().err


def test_hazards_are_status_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A compiled kernel from which one signal and its waits were taken."""
    made = kernel(CORPUS / "elementwise" / "add.mlir", "sample")
    assert made is not None
    draws = (_edited(made, "no-sync", 0, random.Random(seed)) for seed in range(20))
    found = []
    for code in draws:
        directory = str(code.write(tmp_path / str(len(found))))
        status = run(["run", directory, "--sanitize", "--json"])
        out = capsys.readouterr()
        report = json.loads(out.out)
        assert status == (3 if report["sanitizer"]["reports"] else 0)
        found.append(status)
        if status == 3:
            text = report["sanitizer"]["reports"][0]
            assert "add.mlir:" in text and "error: " in text and "note: " in text
            assert text in out.err
            return
    pytest.fail(f"nothing was reported: {found}")
