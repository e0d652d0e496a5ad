"""Cycles that a schedule will take, from the schedule and the device file alone (no simulation).

The schedule is read as the machine will run it. A stage between memories takes its bursts, each as long as the
path, the memory ports and the bursts in flight allow; a stage of vectors takes what its busiest unit takes. Stages of
consecutive tiles overlap as far as their buffers go (a stage may run N tiles ahead of the one that empties its
buffers), and all cores share the device memory's port. Programs run one after another.

    tile t of stage s starts when tile t-1 of s, tile t of s-1 and tile t-N of s+1 are done

Left out: who comes first at a port, stalls inside a row, branches that differ between tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Operation, SSAValue

from headrace.arch import Device
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.dialects.headrace_matrix import MatrixMultiplyOp
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import ancestors, constant_of, walk_ops
from headrace.scheduler.estimate import NotKnown, Vectors, Walker
from headrace.scheduler.expression import evaluate
from headrace.scheduler.lower.memrefs import Chains, candidates

BURST = 4096
"""Most bytes of one request of a transfer."""
IN_FLIGHT = 16
"""Most requests of one transfer unit that are under way."""
STEPS = 512
"""Tiles of a pipeline that are followed one by one; more continue at the pace of the last ones."""


@dataclass
class Work:
    """What a stage does in one tile: cycles by unit kind, port cycles by (memory, direction), cycles until the first
    result is there."""

    units: dict[str, float] = field(default_factory=dict)
    ports: dict[tuple[str, str], float] = field(default_factory=dict)
    latency: float = 0

    def busy(self, unit: str, cycles: float) -> None:
        self.units[unit] = self.units.get(unit, 0) + cycles

    def port(self, memory: str, direction: str, cycles: float) -> None:
        self.ports[memory, direction] = self.ports.get((memory, direction), 0) + cycles


@dataclass(frozen=True)
class ProgramForecast:
    """Cycles of one program, how often it runs, and what it waits for most."""

    name: str
    calls: int
    cycles: int
    limit: str


@dataclass(frozen=True)
class Forecast:
    """Cycles of a kernel and of its programs."""

    cycles: int
    programs: tuple[ProgramForecast, ...]


def forecast(module: ModuleOp, device: Device, values: Mapping[str, int]) -> Forecast:
    """The forecast for a scheduled kernel (the form after the shape passes) and values of its scalar arguments."""
    walker = Guess(module)
    found: dict[str, list[ProgramForecast]] = {}
    for op, scope in walker.visit():
        if op.name != "ktdf.pipeline" or not ktdf.is_outermost(op):
            continue
        around = list(ancestors(op))
        owner = next(o for o in around if isinstance(o, FuncOp))
        own = {o.body.block.args[0] for o in around if isinstance(o, scf.ForOp)}
        trips = [(v, _number(n, values)) for v, n in scope.loops]
        tiles = prod(n for v, n in trips if v in own)
        calls = prod(n for v, n in trips if v not in own)
        if tiles and calls:
            one = _Pipeline(op, device, walker, scope, values, prod(walker.grid)).cycles(tiles)
            name = owner.sym_name.data
            found.setdefault(name, []).append(ProgramForecast(name, calls, round(one[0]), one[1]))
    programs = []
    for name, parts in found.items():
        total, calls = sum(p.cycles * p.calls for p in parts), max(p.calls for p in parts)
        programs.append(ProgramForecast(name, calls, total // calls, max(parts, key=lambda p: p.cycles).limit))
    return Forecast(sum(p.cycles * p.calls for parts in found.values() for p in parts), tuple(programs))


def _number(expression: Any, values: Mapping[str, int]) -> int:
    try:
        return evaluate(expression, values)
    except KeyError:
        return 1


def lanes_folded(op: Operation) -> int:
    """Lanes that a generic folds into one; 1 for other operations."""
    if not isinstance(op, linalg.GenericOp) or "reduction" not in str(op.iterator_types):
        return 1
    t = op.inputs[0].type
    return prod(t.get_shape()) if isinstance(t, MemRefType | TensorType) else 1


class Guess(Walker):
    """A walk that also enters loops whose trip count differs between tiles: as often as the first tile does."""

    def trip(self, op: Operation, scope: Any) -> Any:
        """Iterations of a loop: an expression, or a guess."""
        found = super().trip(op, scope)
        if found is not None:
            return found
        try:
            low, high, step = (self.value_on(v, 0, scope) for v in op.operands[:3])
        except NotKnown:
            return ktdf.upper_bound(op.operands[1]) or 1
        return max(0, -(-(high - low) // max(1, step)))


class _Pipeline:
    """One outermost pipeline."""

    def __init__(
        self, op: Operation, device: Device, walker: Walker, scope: Any, values: Mapping[str, int], cores: int
    ):
        self.op, self.device, self.walker = op, device, walker
        self.scope, self.values, self.cores = scope, values, cores
        self.chains = Chains()
        self.vectors = Vectors(device)

    def cycles(self, tiles: int) -> tuple[float, str]:
        """(cycles of all tiles, what limits)."""
        stages = [self.stage(s) for s in ktdf.stages(self.op)]
        depth = ktdf.modulo(self.op) or 1
        half = {m.kind for m in self.device.memories.values() if m.timing.half_duplex}
        shared: dict[tuple[str, str], float] = {}
        times: list[float] = []
        for w in stages:
            own = max(w.units.values(), default=0)
            for (memory, direction), cycles in w.ports.items():
                total = cycles * (self.cores if self.device.memory_level(memory) == 0 else 1)
                if self.device.memory_level(memory) == 0:
                    key = (memory, "any" if memory in half else direction)
                    shared[key] = shared.get(key, 0) + total
                own = max(own, total)
            times.append(own)
        count = min(tiles, STEPS)
        ends = [[0.0] * len(stages)]
        for t in range(count):
            row: list[float] = []
            for s in range(len(stages)):
                start = ends[-1][s] if t else 0.0
                if s:
                    start = max(start, row[s - 1] + stages[s - 1].latency)
                if s + 1 < len(stages) and t >= depth:
                    start = max(start, ends[t - depth + 1][s + 1])
                row.append(start + times[s])
            ends.append(row)
        total = max(e + w.latency for e, w in zip(ends[-1], stages, strict=True)) if stages else 0.0
        if tiles > count:
            middle = count // 2
            pace = (ends[-1][-1] - ends[middle][-1]) / (count - middle)
            total += pace * (tiles - count)
        names: dict[str, float] = {m: c * tiles for (m, _), c in shared.items()}
        for w in stages:
            for unit, c in w.units.items():
                names[unit] = names.get(unit, 0) + c * tiles
        limit = max(names, key=lambda n: names[n]) if names else "nothing"
        return max(total, *(c * tiles for c in shared.values()), 0.0), limit

    # -- one stage ----------------------------------------------------------------------------------------------------

    def stage(self, stage: Operation) -> Work:
        work = Work()
        self.block(stage.regions[0].block.ops, 1.0, work, ktdf.units(stage))
        if any(walk_ops(stage, "ktdf.pipeline")):
            for unit in work.units:
                work.latency += self.device.unit(unit).timing.latency + 1
            for memory, _ in work.ports:
                work.latency += self.device.memory(memory).timing.latency
            rows = [p for p in walk_ops(stage, "ktdf.pipeline") if any(lanes_folded(g) > 1 for g in walk_ops(p))]
            for unit in work.units:  # what reads a reduction's result waits until it has gone through the scratchpad
                work.units[unit] += len(rows) * work.latency
        return work

    def block(self, ops: Any, times: float, work: Work, units: list[str]) -> None:
        for op in ops:
            if op.name in ("scf.for", "ktdf.parallel"):
                trip = self.walker.trip(op, self.scope)
                n = float(_number(trip, self.values)) if trip is not None else self.average(op)
                if op.name == "ktdf.parallel":
                    n = -(-n // op.properties["num_instances"].value.data)
                self.block(op.regions[0].blocks[0].ops, times * n, work, units)
            elif op.name == "scf.if":
                parts = [(r, Work()) for r in op.regions if r.blocks]
                for region, part in parts:
                    self.block(region.blocks[0].ops, times, part, units)
                best = max((p for _, p in parts), key=lambda p: sum(p.units.values()))
                for unit, c in best.units.items():
                    work.busy(unit, c)
                for (memory, direction), c in best.ports.items():
                    work.port(memory, direction, c)
            elif op.name == "ktdf.pipeline":
                self.block(op.regions[0].block.ops, times, work, units)
            elif op.name == "ktdf.stage":
                self.block(op.regions[0].block.ops, times, work, ktdf.units(op))
            elif op.name == "ktdf.data_transfer":
                self.transfer(op, times, work, units[0])
            elif isinstance(op, MatrixMultiplyOp):
                spec = self.device.unit(units[0]).matrix
                macs = op.macs.value.data if op.macs is not None else 0
                work.busy(units[0], times * macs / (spec.macs_per_cycle if spec is not None else 1))
            elif isinstance(op, linalg.GenericOp):
                self.vectors.seen.clear()
                cycles = self.vectors.price(op, units[0])[0]
                folded = lanes_folded(op)
                work.busy(units[0], times * (cycles + (folded - 1).bit_length() * (1 + cycles)))

    def average(self, loop: Operation) -> float:
        """Iterations of a loop over a part of a tile: those of a whole one."""
        size = ktdf.upper_bound(loop.operands[1])
        owner = loop.operands[1].owner
        if isinstance(owner, Operation) and owner.name == "ktdf.tiling.derive_size":
            size = constant_of(ktdf.derive_parts(owner)[0][-1][1])
        return float(size or 1)

    def transfer(self, op: Operation, times: float, work: Work, unit: str) -> None:
        source, dest = ktdf.side_of(op, "source"), ktdf.side_of(op, "dest")
        sides = [s for s in (source, dest) if s.subs is not None]
        runs: list[tuple[str, str, float, float]] = []
        for side in sides:
            count, size = self.runs(side)
            memory = self.device.memory_of(side.value).kind
            runs.append((memory, "read" if side is source else "write", count, size))
        if not runs:
            return
        bursts = max(count * -(-size // BURST) for _, _, count, size in runs)
        least = 0.0
        latency = 0.0
        for memory, direction, count, size in runs:
            timing = self.device.memory(memory).timing
            rate = timing.read_bytes_per_cycle if direction == "read" else timing.write_bytes_per_cycle
            pieces = count * -(-size // BURST)
            each = size / -(-size // BURST)
            if rate:
                work.port(memory, direction, times * pieces * -(-each // rate))
            ends = (memory, unit) if direction == "read" else (unit, memory)
            path = self.device.datapath_timing(*ends)
            hold = max(1.0, -(-each // path.bytes_per_cycle) if path.bytes_per_cycle else 1.0)
            if len(runs) == 1 and rate:
                hold = max(hold, -(-each // rate))
            least = max(least, pieces * hold)
            latency += timing.latency + path.latency
        if len(runs) == 2:
            least = max(least, bursts * latency / IN_FLIGHT)
            work.latency = max(work.latency, latency)
        work.busy(unit, times * least)

    def runs(self, side: ktdf.Side) -> tuple[float, float]:
        """(contiguous pieces, bytes of each) of one side of a transfer; words are paid whole."""
        value = candidates(side.value)[0]
        kind = value.type
        assert isinstance(kind, MemRefType)
        width = dtype_of(kind.element_type).bytes
        sizes = [float(c) if (c := constant_of(n)) is not None else self.size(n) for n in side.sizes or []]
        try:
            strides = self.chains.of(value).strides
        except (HeadraceError, AssertionError):
            return prod(sizes[:-1]), sizes[-1] * width
        order = sorted(range(len(sizes)), key=lambda d: s if isinstance(s := strides[d], int) else 1 << 60)
        piece, count = 1.0, 1.0
        for d in order:
            if sizes[d] == 1 or strides[d] == 0:
                continue
            if strides[d] == piece and count == 1:
                piece *= sizes[d]
            else:
                count *= sizes[d]
        return count, piece * width

    def size(self, value: SSAValue | int) -> float:
        try:
            return float(ktdf.upper_size(value))
        except AssertionError:
            return 1.0
