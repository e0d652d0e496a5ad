"""Time and memory of the simulated device against NumPy, in the same run, by process time (one thread each)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import headrace
from benchmarks.common import CORPUS, ROOT, Case, interleaved
from headrace.check import data, launch
from headrace.interp.placement import fetch, place

MODES = ("timed", "functional", "sanitized")


def run() -> list[Case]:
    """Warm launches in all modes: add 4096x4096 f16, row softmax 4096x1024 f16, and matmul 1024^3 where the corpus
    has it."""
    cases: list[Case] = []
    kernels = opened(CORPUS / "add_4096.mlir")
    a, b = (fetch(kernels["timed"].memory, x) for x in kernels["timed"].buffers if x.is_input)
    out = np.empty_like(a)
    found = measure(kernels, "NumPy f16", lambda: np.add(a, b, out=out))
    cases += against("add 4096x4096 f16", found, {"timed": 1.0, "functional": 0.3}, kernels)
    placed = kernels["timed"]
    tensors = sum(x.extent for x in placed.buffers)
    held = sum(r.size for r in placed.device.sim.memory.regions)
    local = placed.device.sim.local.written()
    cases.append(
        Case("memory of the device, add 4096x4096", held + local, "bytes", tensors, "bytes touched", ("<=", 2.0))
    )
    del kernels, placed

    rows = np.random.default_rng(0).standard_normal((4096, 1024)).astype(np.float32)
    kernels = opened(ROOT / "tests" / "corpus" / "reductions" / "softmax_4096x1024.mlir")
    found = measure(kernels, "NumPy f32", lambda: softmax(rows))
    cases += against("row softmax 4096x1024 f16", found, {"timed": 4.0}, kernels)
    del kernels

    for file in sorted((ROOT / "tests" / "corpus").rglob("matmul_1024.mlir")):
        kernels = opened(file)
        x, y = (np.random.default_rng(k).standard_normal((1024, 1024)).astype(np.float32) for k in (0, 1))
        found = measure(kernels, "NumPy f32", lambda x=x, y=y: x @ y)
        cases += against("matmul 1024^3 f16", found, {"timed": 8.0}, kernels)
    return cases


def softmax(x: np.ndarray) -> np.ndarray:
    """The reference: f32, the usual way."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def opened(file: Path, device: str = "spyre") -> dict[str, Any]:
    """A kernel with seeded data on a device in each mode."""
    program = headrace.compile(file, device)
    assert program.buffers is not None
    memory, _ = place(program.buffers, data.fill(program.buffers.buffers, {}, 0))
    return {
        mode: launch.place(
            headrace.Device.open(program.device, mode=mode), program.code, program.buffers.buffers, memory,
            program.buffers.scalars,
        )
        for mode in MODES
    }  # fmt: skip


def measure(kernels: dict[str, Any], name: str, reference: Any) -> dict[str, float]:
    """Median seconds of each mode, and of the reference under its name."""
    actions = {mode: placed.start for mode, placed in kernels.items()} | {name: reference}
    return interleaved(actions, 5, time.process_time)


def against(case: str, found: dict[str, float], goals: dict[str, float], kernels: dict[str, Any]) -> list[Case]:
    """Cases of one kernel: modes against NumPy, sanitized against timed, unit steps a second."""
    name = next(n for n in found if n not in MODES)
    cases = [
        Case(f"{case}, {mode}", found[mode], "s", found[name], name, ("<=", goals[mode]) if mode in goals else None)
        for mode in ("timed", "functional")
    ]
    cases.append(Case(f"{case}, sanitized", found["sanitized"], "s", found["timed"], "timed", ("<=", 10.0)))
    for mode in ("timed", "functional"):
        steps = kernels[mode].start().steps
        cases.append(Case(f"{case}, unit steps, {mode}", steps / found[mode], "steps/s"))
    return cases
