"""The corpus on every engine and in every mode: the same bytes, the same cycles, no hazard.

A part of the kernels in the default tests, another one every day (`HEADRACE_PART` sets it); all with the marker `all`.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import headrace
from headrace.check import data, launch
from headrace.interp.placement import place
from headrace.ir.diagnostics import HeadraceError

CORPUS = Path(__file__).parent.parent / "corpus"
DEVICES = ("spyre", "sample", "spyre-balanced", "tri")
FILES = [f.relative_to(CORPUS).as_posix() for f in sorted(CORPUS.rglob("*.mlir"))]
SMALL = [f for f in FILES if "4096" not in f and "1024" not in f]
PARTS = 96
PART = int(os.environ.get("HEADRACE_PART", datetime.date.today().toordinal())) % PARTS


def rotating() -> list[tuple[str, str]]:
    """Today's pairs of file and device."""
    pairs = [(f, d) for f in SMALL for d in DEVICES]
    return [p for p in pairs if zlib.crc32(f"{p[0]} {p[1]}".encode()) % PARTS == PART]


def compiled(file: str, device: str) -> Any:
    """A compiled kernel with data, or a skip where the scheduler refuses it."""
    try:
        program = headrace.compile(CORPUS / file, device)
    except HeadraceError as e:
        pytest.skip(f"not scheduled: {e.diagnostics[0].message}")
    assert program.buffers is not None
    memory, _ = place(program.buffers, data.fill(program.buffers.buffers, {}, 0))
    scalars = {n: 1 if v is None else v for n, v in program.buffers.scalars.items()}
    return program, memory, scalars


def run(kernel: Any, **options: Any) -> tuple[dict[str, bytes], Any]:
    """Final bytes of all buffers and the figures of a run."""
    program, memory, scalars = kernel
    device = headrace.Device.open(program.device, **options)
    placed = launch.place(device, program.code, program.buffers.buffers, memory, scalars)
    result = placed.start()
    found = placed.collect()
    outputs = {b.name: found.main.named(b.name).data.tobytes() for b in program.buffers.buffers if not b.local}
    return outputs, dataclasses.replace(result, seconds={})


def compare(file: str, device: str, limit: int) -> None:
    """``limit``: most unit steps that the reference engine is asked to repeat."""
    kernel = compiled(file, device)
    outputs, figures = run(kernel)
    steps = figures.steps
    sanitized, timed = run(kernel, mode="sanitized")
    outs = {b.name for b in kernel[0].buffers.buffers if b.is_output and not b.is_input}
    assert timed == figures
    assert {n: x for n, x in sanitized.items() if n not in outs} == {n: x for n, x in outputs.items() if n not in outs}
    functional, _ = run(kernel, mode="functional")
    assert functional == outputs
    assert run(kernel, order=3) == (outputs, figures)
    if steps <= limit:
        assert run(kernel, engine="reference", order=5) == (outputs, figures)


@pytest.mark.parametrize("file,device", rotating())
def test_part(file: str, device: str) -> None:
    compare(file, device, 5_000)


@pytest.mark.all
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("file", SMALL)
def test_whole(file: str, device: str) -> None:
    compare(file, device, 1 << 62)


@pytest.mark.all
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("file", [f for f in FILES if f not in SMALL])
def test_large(file: str, device: str) -> None:
    """Large kernels; the reference engine takes minutes for each, so it runs them on one device."""
    compare(file, device, 1 << 62 if device == "spyre" else 0)


@pytest.mark.all
@pytest.mark.parametrize("file", ["elementwise/add.mlir", "reductions/softmax.mlir"])
def test_hash_seed(file: str) -> None:
    reports = []
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-m", "headrace.cli.main", "run", str(CORPUS / file), "--json"],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        report = json.loads(done.stdout)
        reports.append({k: v for k, v in report.items() if k != "seconds"})
    assert reports[0] == reports[1] == reports[2]
