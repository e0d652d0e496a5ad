"""A kernel run at every level on the same memory, each level compared with the KTIR interpreter.

Above `LIMIT` vector steps the slow interpreters take a few tiles: the last, the first and two seeded ones, as many of
them as stay below `ENOUGH` steps, but one at least; then only what these tiles write is compared. Kernels whose tiles
read what others wrote are always run whole.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.check.compare import Comparison, Difference, compare
from headrace.check.tolerance import Tolerance, tolerance_of
from headrace.interp.buffer_info import BufferInfo
from headrace.interp.memory import Memory, Space, box_range
from headrace.interp.placement import fetch
from headrace.interp.views import names_owner
from headrace.ir.diagnostics import HeadraceError
from headrace.numerics.dtypes import DType

LIMIT = 200_000
"""Vector steps above which interpreters take a sample of the tiles."""
ENOUGH = 1_000_000
"""Vector steps that a sample of several tiles may take together: about a minute of the interpreters."""

TOGETHER = 4_000_000
"""Vector steps up to which all tiles of a program whose units talk to other cores run: no sample of them could, and it
takes a minute or two."""

LEVELS = ("ktir", "schedule", "dataflow", "device")
"""Levels in order; `ktir` is what the others must agree with."""


@dataclass(frozen=True)
class LevelResult:
    """Outcome of one level: `reference`, `match`, `mismatch`, or `failed` with the diagnostics it stopped with."""

    level: str
    status: str
    max_abs_err: float = 0.0
    max_ulp: float = 0.0
    wrong: int = 0
    first: Difference | None = None
    error: str | None = None

    @property
    def good(self) -> bool:
        """Neither a mismatch nor a failure."""
        return self.status in ("match", "reference", "skipped")

    def to_json(self) -> dict[str, Any]:
        """For `--json`."""
        out: dict[str, Any] = {
            "level": self.level,
            "status": self.status,
            "max_abs_err": _finite(self.max_abs_err),
            "max_ulp": _finite(self.max_ulp),
        }
        if self.first is not None:
            out |= {"wrong": self.wrong, "first": self.first.to_json()}
        if self.error is not None:
            out["error"] = self.error
        return out


@dataclass(frozen=True)
class CheckResult:
    """All levels, and what share of the grid the interpreters ran."""

    levels: tuple[LevelResult, ...]
    tiles: int
    of: int
    warnings: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """`match`, `mismatch` or `failed`."""
        for bad in ("failed", "mismatch"):
            if any(r.status == bad for r in self.levels):
                return bad
        return "match"

    def to_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "status": self.status,
            "levels": [r.to_json() for r in self.levels],
            "coverage": {"tiles": self.tiles, "of": self.of},
        }


def _finite(x: float) -> float | str:
    return x if np.isfinite(x) else "inf"


class TrackingSpace(Space):
    """A global memory that remembers which bytes were written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: dict[str, NDArray[np.uint8]] = {}

    def _marks(self, name: str, size: int) -> NDArray[np.uint8]:
        return self.written.setdefault(name, np.zeros(size, np.uint8))

    def write_box(self, base: int, shape: Sequence[int], strides: Sequence[int], dtype: DType, values: NDArray) -> None:
        super().write_box(base, shape, strides, dtype, values)
        if 0 in shape:
            return
        raw = np.dtype(dtype.storage_dtype)
        low, high = box_range(base, shape, strides, raw.itemsize)
        buffer = self.find(low, high - low)
        if buffer is not None:
            marks = self._marks(buffer.name, buffer.data.size)
            view = np.ndarray(tuple(shape), raw, marks.data, base - buffer.address, tuple(strides))
            view[...] = np.frombuffer(b"\x01" * raw.itemsize, raw)[0]

    def mark_written(self, addresses: NDArray[np.int64], width: int) -> None:
        for buffer, mask in self._locate(addresses, width):
            offsets = (addresses if mask is None else addresses[mask]).reshape(-1) - buffer.address
            marks = self._marks(buffer.name, buffer.data.size)
            for k in range(width):
                marks[offsets + k] = 1


def tracked(memory: Memory) -> Memory:
    """A copy of `memory` whose global part remembers writes."""
    twin = memory.copy()
    space = TrackingSpace()
    for b in twin.main.buffers:
        space.add(b.name, b.address, b.data)
    twin.main = space
    return twin


def written_masks(buffers: Sequence[BufferInfo], memory: Memory) -> dict[str, NDArray[np.bool_]]:
    """Per global output buffer, in its shape, which elements were written in a `tracked` memory."""
    assert isinstance(memory.main, TrackingSpace)
    marks = Memory()
    for b in memory.main.buffers:
        marks.main.add(b.name, b.address, memory.main.written.get(b.name, np.zeros(b.data.size, np.uint8)))
    found = {}
    for b in buffers:
        if b.is_output and not b.local:
            width = max(1, np.dtype(b.dtype.storage_dtype).itemsize)
            data = marks.main.named(b.name).data
            found[b.name] = np.ndarray(b.shape, np.uint8, data.data, 0, tuple(s * width for s in b.strides)) != 0
    return found


def sample_tiles(
    grid: Sequence[int], steps: int, buffers: Sequence[BufferInfo], module: ModuleOp, seed: int = 0
) -> list[int] | None:
    """The tiles the interpreters run; None for all of them."""
    count = prod(grid)
    shared = any(b.role == "inout" for b in buffers) or any(
        "inter_tile" in op.name or (op.name == "ktdp.construct_memory_view" and names_owner(op)) for op in module.walk()
    )
    if steps <= LIMIT or count <= 4 or shared:
        return None
    inner = random.Random(seed).sample(range(1, count - 1), 2)
    return sorted([count - 1, 0, *inner][: max(1, ENOUGH * count // steps)])


def crosses_cores(module: ModuleOp) -> bool:
    """Whether units of a DataflowIR module talk to units of other cores."""

    def core(value: SSAValue) -> object:
        op = value.owner
        return op.attributes.get("core") if isinstance(op, Operation) and op.name == "dataflow.get_unit" else None

    for op in module.walk():
        if op.name != "uniform.def_immutable_mapping":
            continue
        half = len(op.operands) // 2
        for key, value in zip(op.operands[:half], op.operands[half:], strict=True):
            a, b = core(key), core(value)
            if a is not None and b is not None and a != b:
                return True
    return False


@dataclass
class Checker:
    """Compares runs with a reference run of the KTIR interpreter.

    `memory` holds the initial bytes, `args` byte addresses and scalars by argument name. `tiles` None: the whole grid.
    `steps`: vector steps of the whole grid.
    """

    ktir: ModuleOp
    kernel: str
    buffers: Sequence[BufferInfo]
    memory: Memory
    args: Mapping[str, Any]
    device: Any
    strict: bool = False
    tiles: list[int] | None = None
    steps: int = 0
    warnings: list[str] = field(default_factory=list)
    _tolerance: Tolerance | None = None
    _expected: Memory | None = None
    _masks: dict[str, NDArray[np.bool_]] | None = None

    def reference(self) -> LevelResult:
        """Run the KTIR interpreter. Raises HeadraceError: a kernel that fails here is wrong."""
        from headrace.interp.ktir import run_ktir

        self._tolerance = tolerance_of(self.ktir)
        memory = tracked(self.memory) if self.tiles is not None else self.memory.copy()
        result = run_ktir(self.ktir, self.args, memory, self.kernel, self.strict, self.tiles)
        self.warnings += [str(w) for w in result.warnings]
        self._expected = memory
        if self.tiles is not None:
            self._masks = written_masks(self.buffers, memory)
        return LevelResult("ktir", "reference")

    def run(self, level: str, execute: Callable[[Memory], Any]) -> LevelResult:
        """Run one level on a copy of the initial memory and compare its outputs."""
        memory = self.memory.copy()
        try:
            execute(memory)
        except HeadraceError as problem:
            return LevelResult(level, "failed", error=str(problem))
        return self.judge(level, memory)

    def judge(self, level: str, memory: Memory) -> LevelResult:
        """Compare the outputs in `memory` with those of the reference."""
        assert self._expected is not None
        total = Comparison()
        for b in self.buffers:
            if not b.is_output:
                continue
            expected, found = fetch(self._expected, b), fetch(memory, b)
            mask = None
            if self.tiles is not None:
                if b.local:
                    expected, found = expected[self.tiles], found[self.tiles]
                elif self._masks is not None:
                    mask = self._masks[b.name]
            total = total + compare(b.name, expected, found, b.dtype, self._tolerance, mask)
        status = "match" if total.match else "mismatch"
        return LevelResult(level, status, total.max_abs_err, total.max_ulp, total.wrong, total.first)

    def schedule(self, module: ModuleOp, level: str = "schedule") -> LevelResult:
        """Run a ScheduleIR module (or any earlier form)."""
        from headrace.interp.schedule import run_schedule

        return self.run(
            level,
            lambda m: run_schedule(module, self.args, m, self.kernel, self.strict, self.tiles, device=self.device),
        )

    def dataflow(self, module: ModuleOp, level: str = "dataflow") -> LevelResult:
        """Run a DataflowIR module."""
        from headrace.interp.dataflow import run_dataflow

        tiles = self.tiles
        if tiles is not None and crosses_cores(module):
            if self.steps > TOGETHER:
                why = "its tiles exchange data, and a sample of them cannot run alone"
                return LevelResult(level, "skipped", error=why)
            tiles = None
        return self.run(level, lambda m: run_dataflow(module, self.args, m, self.device, self.kernel, tiles))

    def result(self, levels: Sequence[LevelResult], grid: Sequence[int]) -> CheckResult:
        """The levels with the coverage."""
        count = prod(grid)
        return CheckResult(
            tuple(levels), len(self.tiles) if self.tiles is not None else count, count, tuple(self.warnings)
        )
