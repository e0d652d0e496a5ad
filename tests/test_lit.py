"""The FileCheck tests of `tests/lit`: the RUN lines of each file in this process; `make test-all` runs lit itself."""

from __future__ import annotations

import contextlib
import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options
from filecheck.parser import Parser

from headrace.cli.main import run

LIT = Path(__file__).parent / "lit"
FILES = sorted(str(p.relative_to(LIT)) for p in LIT.rglob("*.mlir") if "RUN:" in p.read_text())


def run_lines(path: Path) -> list[str]:
    """The RUN lines of a file, continuation lines joined."""
    lines: list[str] = []
    joined = False
    for line in path.read_text().splitlines():
        if "RUN:" not in line:
            continue
        text = line.partition("RUN:")[2].strip()
        if joined:
            lines[-1] += text
        else:
            lines.append(text)
        joined = text.endswith("\\")
        if joined:
            lines[-1] = lines[-1][:-1]
    return lines


def check(arguments: list[str], text: str) -> tuple[int, str]:
    """filecheck on a text."""
    options = parse_argv_options(["filecheck", *arguments])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = Matcher(options, FInput("<stdin>", text), Parser.from_opts(options)).run()
    return status, printed.getvalue()


def command(words: list[str], text: str, merge: bool) -> tuple[int, str, str]:
    """One command of a pipe: status, standard output, standard error."""
    if words[0] == "not":
        status, out, err = command(words[1:], text, merge)
        return int(status == 0), out, err
    tool = words[0].removeprefix("%")
    if tool == "filecheck":
        status, printed = check(words[1:], text)
        return status, "", printed
    if tool == "diff":
        a, b = (Path(word).read_text() for word in words[1:])
        return int(a != b), "", "" if a == b else f"{words[1]} and {words[2]} differ"
    if tool in ("headrace-opt", "headrace"):
        arguments = [*(["opt"] if tool == "headrace-opt" else []), *words[1:]]
        out, err = io.StringIO(), io.StringIO()
        held, sys.stdin = sys.stdin, io.StringIO(text)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out if merge else err):
                status = run(arguments)
        finally:
            sys.stdin = held
        return status, out.getvalue(), err.getvalue()
    raise AssertionError(f"the RUN line has a command that this test does not know: {words[0]}")


def run_line(line: str, path: Path, scratch: Path) -> str:
    """Run one RUN line; returns what went wrong, or an empty text."""
    line = line.replace("%s", str(path)).replace("%t", str(scratch / "t"))
    for chain in line.split("&&"):
        text, errors, failed = "", "", 0
        for part in chain.split("|"):
            words = shlex.split(part)
            merge = "2>&1" in words
            words = [word for word in words if word != "2>&1"]
            target: str | None = None
            if ">" in words:
                at = words.index(">")
                target, words = words[at + 1], words[:at]
            status, text, problem = command(words, text, merge)
            failed = failed or status
            errors += problem
            if target is not None:
                Path(target).write_text(text)
        if failed:
            return f"RUN: {line}\n{errors or text}"
    return ""


@pytest.mark.parametrize("name", FILES)
def test_file(name: str, tmp_path: Path) -> None:
    lines = run_lines(LIT / name)
    assert lines
    for line in lines:
        assert not (problem := run_line(line, LIT / name, tmp_path)), problem


@pytest.mark.all
def test_under_lit_itself() -> None:
    tool = [str(Path(sys.executable).parent / "lit"), "--verbose", "--no-progress-bar", str(LIT)]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
