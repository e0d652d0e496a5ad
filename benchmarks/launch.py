"""Launches: what one costs, batches, flat memory, transfers between host order and device layouts."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import headrace
from benchmarks.common import CORPUS, Case, interleaved, seconds
from headrace.arch import load_device
from headrace.codegen import compile_to_spyrecode
from headrace.ir.text import parse_module

EMPTY = Path(__file__).with_name("empty.mlir")
MEGABYTE = 1 << 20
BATCH = 100


def run() -> list[Case]:
    """All cases of the group."""
    return [*relaunches(), *overhead(), *transfers()]


def relaunches() -> list[Case]:
    """1,000 relaunches of add with changing addresses."""
    program = headrace.compile(CORPUS / "add.mlir", "spyre")
    device = headrace.Device.open(program.device)
    kernel = device.prepare(program.code)
    x, y = (device.tensor(np.full((96, 64), k, np.float16)) for k in (1, 2))
    outs = [device.empty((96, 64), "f16") for _ in range(2)]
    kernel.launch(x=x, y=y, out=outs[0]).result()
    before, held = device.counters, device.allocator.statistics()["allocated_bytes"]
    count = 1000
    for k in range(count):
        kernel.launch(x=x, y=y, out=outs[k % 2]).result()
    after = device.counters
    changed = sum(after[name] - before[name] for name in ("compilations", "images", "prepares"))
    grown = device.allocator.statistics()["allocated_bytes"] - held
    once = seconds(lambda: kernel.launch(x=x, y=y, out=outs[0]).result(), 20)
    return [
        Case("compilations, images and prepares of 1,000 relaunches", changed, "", goal=("<=", 0)),
        Case("device bytes grown over 1,000 relaunches", grown, "bytes", goal=("<=", 0)),
        Case("one relaunch of add 96x64 on 32 cores", once, "s"),
    ]


def empty_kernel() -> tuple[Any, Any]:
    """A device and a prepared kernel with four symbols and no work."""
    arch = load_device("sample")
    device = headrace.Device.open(arch)
    return device, device.prepare(compile_to_spyrecode(parse_module(EMPTY.read_text(), EMPTY.name), arch))


def overhead() -> list[Case]:
    """Host time of a launch with four symbols and no device work, alone and in batches; memory over 10,000."""
    device, kernel = empty_kernel()
    submitted, completed = [], []
    for k in range(2200):
        began = time.perf_counter()
        launch = kernel.launch(a=k, b=k, c=1, d=1)
        middle = time.perf_counter()
        launch.result()
        if k >= 200:
            submitted.append(middle - began)
            completed.append(time.perf_counter() - began)

    def alone() -> None:
        for k in range(BATCH):
            kernel.launch(a=k, b=k, c=1, d=1).result()

    def together() -> None:
        for k in range(BATCH):
            kernel.launch(a=k, b=k, c=1, d=1)
        device.synchronize()

    times = interleaved({"alone": alone, "together": together}, 21)
    before = resident()
    for k in range(10_000):
        kernel.launch(a=k % 7, b=k % 7, c=1, d=1)
        if k % BATCH == BATCH - 1:
            device.synchronize()
    grown = resident() - before
    return [
        Case("launch with 4 symbols: call to submitted", 1e6 * statistics.median(submitted), "us", goal=("<=", 150)),
        Case("launch with 4 symbols: call to completed", 1e6 * statistics.median(completed), "us", goal=("<=", 400)),
        Case(
            f"launches a second in batches of {BATCH}",
            BATCH / times["together"],
            "1/s",
            BATCH / times["alone"],
            "waiting for each",
            goal=(">=", 1),
        ),
        Case("memory grown over 10,000 launches", grown / MEGABYTE, "MB", goal=("<=", 4)),
    ]


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def transfers() -> list[Case]:
    """64 MB of f16 between host order and the stick layout, against a NumPy copy of the same array."""
    device = headrace.Device.open("sample")
    values = np.random.default_rng(0).standard_normal((8192, 4096), np.float32).astype(np.float16)
    copy = np.empty_like(values)
    plain = device.empty(values.shape, "f16", layout="stick")
    rounded = device.empty(values.shape, "df16", layout="stick")
    times = interleaved(
        {
            "copy": lambda: np.copyto(copy, values),
            "new copy": values.copy,
            "f16 to the device": lambda: plain.copy_from(values),
            "f16 from the device": plain.numpy,
            "df16 to the device": lambda: rounded.copy_from(values),
            "df16 from the device (as f32)": rounded.numpy,
        },
        7,
    )
    cases = []
    for name in list(times)[2:]:
        base = "copy" if "to the" in name else "new copy"
        limit = 12 if name.startswith("df16") else 3
        cases.append(
            Case(f"64 MB stick layout, {name}", times[name], "s", times[base], f"NumPy {base}", goal=("<=", limit))
        )
    return cases
