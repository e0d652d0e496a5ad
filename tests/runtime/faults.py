"""A process to kill: ``python -m tests.runtime.faults cache DIR`` or ``build``, ``compile``, ``launch``, ``write``.

Prints a line when it is in the middle of its work and goes on for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import headrace.api
from headrace.codegen import SpyreCode
from headrace.runtime import Device
from headrace.runtime.cache import ArtefactCache

TESTS = Path(__file__).parent.parent
ARTEFACTS = TESTS / "codegen" / "artefacts"
KERNEL = TESTS / "corpus" / "elementwise" / "add.mlir"


def ready() -> None:
    """Tell the parent."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def main(what: str, directory: str) -> None:
    """Work until killed."""
    code = SpyreCode.read(ARTEFACTS / "rows-v1-digests")
    ready()
    if what == "cache":
        cache = ArtefactCache(directory, limit=200_000)
        for n in range(1 << 30):
            cache.get_or_build(f"{n % 20:064x}", lambda: (code, {"n": 1}, True))
    elif what == "build":
        cache = ArtefactCache(directory)

        def build() -> tuple[SpyreCode, dict[str, int], bool]:
            ready()
            while True:
                pass

        cache.get_or_build("ab" * 32, build)
    elif what == "compile":
        cache = ArtefactCache(directory)
        text = KERNEL.read_text()
        for n in range(1 << 30):  # another text each time: every turn parses, schedules and generates code
            headrace.api.compile_cached(f"{text}// {n}\n", cache=cache)
            ready()
    elif what == "write":
        for n in range(1 << 30):
            code.write(Path(directory) / f"k{n % 3}")
    else:
        device = Device.open(ARTEFACTS / "frozen.mlir")
        kernel = device.prepare(code)
        x, out = device.tensor(np.ones((256, 128), np.float16)), device.empty((256, 128), "f16")
        while True:
            kernel.launch(x=x, out=out, rows=256).result()


if __name__ == "__main__":
    main(*sys.argv[1:])
