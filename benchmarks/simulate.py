"""Time and memory of the simulated device against NumPy, in the same run."""

from __future__ import annotations

import numpy as np

from benchmarks.common import CORPUS, Case, interleaved, prepared
from headrace.interp.placement import fetch


def run() -> list[Case]:
    """Functional and timed simulation of add 4096x4096 f16, warm, against the addition in NumPy f16."""
    _, placed = prepared(CORPUS / "add_4096.mlir", "spyre")
    inputs = [fetch(placed.memory, b) for b in placed.buffers if b.is_input]
    out = np.empty_like(inputs[0])
    times = interleaved({"device": placed.start, "numpy": lambda: np.add(inputs[0], inputs[1], out=out)})
    tensors = sum(b.extent for b in placed.buffers)
    held = sum(r.size for r in placed.device.sim.memory.regions)
    local = sum(a.nbytes for a in placed.device.sim.local._arrays.values())
    return [
        Case("add 4096x4096 f16, simulated", times["device"], "s", times["numpy"], "NumPy f16", ("<=", 2.0)),
        Case("memory of the device, add 4096x4096", held + local, "bytes", tensors, "tensors", ("<=", 4.0)),
    ]
