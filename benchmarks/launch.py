"""Relaunches: nothing is compiled again, memory stays flat, and what one costs."""

from __future__ import annotations

import numpy as np

import headrace
from benchmarks.common import CORPUS, Case, seconds


def run() -> list[Case]:
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
