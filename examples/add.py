"""Compile the add kernel of the corpus, run it twice with different data, and print what it cost.

    .venv/bin/python examples/add.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import headrace
from headrace.scheduler.estimate import bound_of

KERNEL = Path(__file__).parent.parent / "tests" / "corpus" / "elementwise" / "add.mlir"


def main() -> None:
    """Run the example."""
    program = headrace.compile(KERNEL, device="spyre")
    device = headrace.Device.open("spyre")
    kernel = device.prepare(program.code)
    rng = np.random.default_rng(0)
    for _ in range(2):
        a, b = (rng.standard_normal((96, 64)).astype(np.float16) for _ in range(2))
        x, y, out = device.tensor(a), device.tensor(b), device.empty((96, 64), "f16")
        result = kernel.launch(x=x, y=y, out=out).result()
        assert np.array_equal(out.numpy(), a + b)
        bound = bound_of(program.bound, {})
        assert bound is not None
        print(f"{result.cycles} cycles, bound {bound[0]} by {bound[1]}, efficiency {bound[0] / result.cycles:.2f}")


if __name__ == "__main__":
    main()
