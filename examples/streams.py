"""Streams, events, transfers and the two clocks, on the add kernel of the corpus.

    .venv/bin/python examples/streams.py [TRACE.json]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import headrace

KERNEL = Path(__file__).parent.parent / "tests" / "corpus" / "elementwise" / "add.mlir"


def main(trace: str | None = None) -> None:
    """Run the example."""
    entry, _ = headrace.compile_cached(KERNEL, device="spyre")
    device = headrace.Device.open("spyre")
    kernel = device.prepare(entry.code)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((96, 64)).astype(np.float16) for _ in range(2))
    x, y = device.tensor(a, name="x"), device.tensor(b, name="y")
    outs = [device.empty((96, 64), "f16", f"out{k}") for k in range(4)]

    work, copies = device.stream(), device.stream(priority=-1)
    start = work.record()
    launches = [kernel.launch(work, x=x, y=y, out=out) for out in outs]
    end = work.record()
    copies.wait(end)
    results = [copies.to_host(out) for out in outs]
    assert all(np.array_equal(r.result(), a + b) for r in results)
    alone = sum(launch.result().cycles for launch in launches)
    print(f"4 launches: {alone} cycles of work in {start.elapsed_cycles(end)} cycles ({start.elapsed(end):.3f} us)")

    big = rng.standard_normal((288, 64)).astype(np.float16)
    wide, sums = device.tensor(big), device.empty((288, 64), "f16")
    tiles = kernel.launch(x=wide, y=wide, out=sums)
    assert np.array_equal(sums.numpy(), big + big)
    print(f"288 rows on a kernel for 96: {len(tiles.results())} tiles, {tiles.result().cycles} cycles")
    print(f"device clock: cycle {device.cycle}")
    if trace:
        Path(trace).write_text(json.dumps(device.trace()))


if __name__ == "__main__":
    main(*sys.argv[1:])
