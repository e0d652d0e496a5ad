"""The corpus on every engine and in every mode: the same bytes, the same cycles, no hazard.

A part of the kernels in the default tests, another one every day (`HEADRACE_PART` sets it); all with the marker `all`.
What the scheduler refuses is listed in `refused.txt`, word for word: a kernel that is refused and not listed fails, and
one that is listed and compiles. `python -m tests.machine.test_corpus [FILE...]` writes the list;
`python -m tests.machine.sweep LOG` makes all comparisons in pieces.
"""

from __future__ import annotations

import dataclasses
import datetime
import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from headrace.api import CompileOptions
from headrace.check import data, launch
from headrace.cli.common import numbers
from headrace.interp.placement import place
from headrace.ir.diagnostics import HeadraceError
from tests.e2e.test_corpus import SCALARS
from tests.e2e.test_llm import LARGE
from tests.e2e.test_places import CASES

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT / "tests" / "corpus"
DEVICES = ("spyre", "sample", "spyre-balanced", "tri")
FILES = [f.relative_to(CORPUS).as_posix() for f in sorted(CORPUS.rglob("*.mlir")) if f.parent.name != "stream"]
"""Kernels (what is in ``stream`` are graphs of tensors)."""
PRODUCTS = {f"llm/{kernel}.mlir" for kernel in LARGE}
"""Products of real sizes: 10^8 to 10^10 unit steps, up to hours, on a device without a matrix unit."""
SMALL = [f for f in FILES if "4096" not in f and "1024" not in f and f not in PRODUCTS]
PAIRS = [(f, d) for f in FILES for d in DEVICES if f not in PRODUCTS or d.startswith("spyre")]
"""What is compared."""
REFUSED = Path(__file__).with_name("refused.txt")
PARTS = 96
PART = int(os.environ.get("HEADRACE_PART", datetime.date.today().toordinal())) % PARTS


def rotating() -> list[tuple[str, str]]:
    """Today's pairs of file and device."""
    pairs = [(f, d) for f in SMALL for d in DEVICES]
    return [p for p in pairs if zlib.crc32(f"{p[0]} {p[1]}".encode()) % PARTS == PART]


def read_refused() -> dict[tuple[str, str], str]:
    """Message by file and device."""
    lines = (line.split(" ", 2) for line in REFUSED.read_text().splitlines())
    return {(file, device): message for file, device, message in lines}


def compile_or_why(file: str, device: str) -> Any:
    """A compiled kernel, or the message of the refusal."""
    options = CompileOptions(arguments=numbers("--arg", SCALARS.get(Path(file).stem, [])))
    try:
        return headrace.compile(CORPUS / file, device, options=options)
    except HeadraceError as e:
        return e.diagnostics[0].message


def compiled(file: str, device: str) -> Any:
    """A compiled kernel with data; None where it is refused as the list says."""
    program = compile_or_why(file, device)
    refused = program if isinstance(program, str) else None
    listed = read_refused().get((file, device))
    assert refused == listed, "refused.txt is not up to date: python -m tests.machine.test_corpus FILE..."
    return None if refused is not None else with_data(program)


def with_data(program: Any) -> Any:
    """A compiled kernel with seeded data: (program, memory, scalars)."""
    assert program.buffers is not None
    values = data.fill(program.buffers.buffers, {}, 0)
    for buffer, (kind, given) in CASES.get(program.name, {}).items():
        values[buffer] = np.array(given, kind).reshape(values[buffer].shape)
    memory, _ = place(program.buffers, values)
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


def compare(file: str, device: str, limit: int, most: int = 0) -> int | None:
    """Unit steps of a kernel that is equal everywhere, None for one that is refused. ``limit``: most unit steps that
    the reference engine is asked to repeat; up to ``most`` its cycles are asked of the one with a work list."""
    kernel = compiled(file, device)
    if kernel is None:
        return None
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
    elif steps <= most:
        assert run(kernel, engine="work list")[1] == figures
    return steps


@pytest.mark.parametrize("file,device", rotating())
def test_part(file: str, device: str) -> None:
    compare(file, device, 5_000)


@pytest.mark.all
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("file", SMALL)
def test_whole(file: str, device: str) -> None:
    compare(file, device, 300_000, 3_000_000)


@pytest.mark.all
@pytest.mark.parametrize("file,device", [p for p in PAIRS if p[0] not in SMALL])
def test_large(file: str, device: str) -> None:
    """Large kernels. The reference engine does 10^4 steps a second, so it is not asked about the largest ones; with a
    work list it does 10^5, and `tests.machine.sweep` asks it about all."""
    compare(file, device, 300_000, 3_000_000)


def digests(pairs: list[tuple[str, str]], seed: str) -> list[str]:
    """Lines of :mod:`tests.machine.digests` from a process with a seed of hashes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.machine.digests", *(f"{f}:{d}" for f, d in pairs)], cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_hash_seeds() -> None:
    pairs = rotating()[:2]
    found = digests(pairs, "0")
    assert len(found) == len(pairs) and found == digests(pairs, "4242")


@pytest.mark.all
@pytest.mark.parametrize("part", range(len(DEVICES)))
def test_hash_seeds_everywhere(part: int) -> None:
    """Every small kernel, each on one device a part."""
    pairs = [(f, DEVICES[(k + part) % len(DEVICES)]) for k, f in enumerate(SMALL)]
    found = digests(pairs, "1")
    assert len(found) == len(pairs) and found == digests(pairs, "4242")


def test_the_list_of_refusals_names_kernels_of_the_corpus() -> None:
    assert all(file in FILES and device in DEVICES for file, device in read_refused())


def write_refused(files: list[str]) -> None:
    """Bring the list up to date for some files."""
    found = {key: why for key, why in read_refused().items() if key[0] in FILES and key[0] not in files}
    made = {(f, d): compile_or_why(f, d) for f in files for d in DEVICES}
    found |= {key: why for key, why in made.items() if isinstance(why, str)}
    REFUSED.write_text("".join(f"{f} {d} {found[f, d]}\n" for f in FILES for d in DEVICES if (f, d) in found))


if __name__ == "__main__":
    write_refused(sys.argv[1:] or FILES)
