"""Cycles that a schedule will take, from the schedule and the device file alone (no simulation).

The units of one core play the program on clocks (`clocks`, `unit_steps`): what they do is taken from the schedule with
its signals, what it costs from the device file, and the other cores are there only as users of the shared memory's
port. Of the cores of a program the one with the most to do is played. Long loops are played twice, a few iterations
and twice as many: the difference is what an iteration takes once the pipeline is full. Programs run one after another.

Left out: who comes first at a port, branches and loops that only data decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.arch import Device
from headrace.scheduler.build import ancestors, constant_of
from headrace.scheduler.clocks import Play, Port
from headrace.scheduler.estimate import Walker
from headrace.scheduler.expression import evaluate
from headrace.scheduler.lower.ktdf_to_ktdflowering import stages_to_units
from headrace.scheduler.lower.memrefs import Chains
from headrace.scheduler.unit_steps import Numbers, Program, Steps

MOST = 60_000
"""Steps of a program that are played one by one."""
SHORT, LEAST = 8, 2
"""Iterations of a long loop that are played (and twice as many): at most, at least."""
ALONE = 0.98
"""Part of a program's steps from which on a nest stands for all of it."""
RUNTIME = "ktdp.runtime_arg_extract"
SAMPLES = 4
"""Calls of a program in a loop of the coordinator that are played, where they differ."""


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
    return _Coordinator(module, device, values).run()


class Calls(Walker):
    """The programs that the coordinator calls, with the scope of each call."""

    def _block(self, ops: Any, scope: Any, functions: Mapping[str, FuncOp]) -> Iterator[tuple[Operation, Any]]:
        for op in ops:
            if op.name == "func.call":
                target = functions.get(op.callee.string_value())
                if target is not None:
                    inner = dict(scope.values)
                    inner.update(zip(target.body.block.args, op.operands, strict=True))
                    yield target, replace(scope, values=inner)
                    continue
            yield from super()._block([op], scope, functions)

    def value_on(self, value: SSAValue, tile: int, scope: Any) -> int:
        """The value on a tile, also of what follows from scalar arguments that `env` has."""
        value = scope.resolve(value)
        if value not in self.env and isinstance(value.owner, Operation) and value.owner.name == RUNTIME:
            if self.expression(value, scope) is not None:
                return self.value_on(value.owner.operands[0], tile, scope)
        return super().value_on(value, tile, scope)


@dataclass
class _Total:
    """Calls of a program so far."""

    calls: int = 0
    cycles: float = 0.0
    limit: str = "nothing"
    most: float = -1.0


class _Coordinator:
    """Follows the coordinator and plays the programs it calls."""

    def __init__(self, module: ModuleOp, device: Device, values: Mapping[str, int]) -> None:
        self.module = module.clone()
        stages_to_units(self.module, device)
        self.device, self.values = device, dict(values)
        self.walker = Calls(self.module)
        self.totals: dict[str, _Total] = {}

    def run(self) -> Forecast:
        """All calls."""
        seen: set[Operation] = set()
        for op, scope in self.walker.visit():
            if op.name == "func.func":
                self.call(op, scope)
            elif op.name == "ktdf_lowering.execute_on":
                owner = next(o for o in ancestors(op) if o.name == "func.func")
                if owner not in seen:
                    seen.add(owner)
                    self.call(owner, replace(scope, loops=[]))
        programs = tuple(
            ProgramForecast(name, t.calls, round(t.cycles / t.calls), t.limit) for name, t in self.totals.items()
        )
        return Forecast(round(sum(t.cycles for t in self.totals.values())), programs)

    def call(self, func: Operation, scope: Any) -> None:
        """A program with the loops of the coordinator around its call."""
        trips = [max(0, self.number(n)) for _, n in scope.loops]
        calls = self.number(scope.times()) // max(1, len(scope.tiles))
        if not calls:
            return
        parts = [k / (SAMPLES - 1) for k in range(SAMPLES)] if calls > 1 else [0.0]
        found: list[tuple[float, str]] = []
        before: object = None
        for part in parts:
            base = {v: self.values[n] for v, n in self.walker.names.items() if n in self.values}
            for (variable, _), n in zip(scope.loops, trips, strict=True):
                low, step = self.bounds(variable)
                base[variable] = low + step * int(part * (n - 1))
            program, sharers, numbers = self.heaviest(func, scope, base)
            if (program.work, program.events) != before:
                found.append(played(program, sharers, numbers, self.device))
                before = program.work, program.events
            else:
                found.append(found[-1])
        cycles, limit = sum(c for c, _ in found) / len(found), max(found)[1]
        name = func.sym_name.data  # type: ignore[attr-defined]
        total = self.totals.setdefault(name, _Total())
        total.calls += calls
        total.cycles += cycles * calls
        if cycles > total.most:
            total.most, total.limit = cycles, limit

    def number(self, expression: Any) -> int:
        try:
            return evaluate(expression, self.values)
        except KeyError:
            return 1

    def bounds(self, variable: SSAValue) -> tuple[int, int]:
        """Lower bound and step of a loop of the coordinator."""
        loop = variable.owner.parent_op() if isinstance(variable.owner, Block) else None
        found = [constant_of(v) for v in loop.operands[:3:2]] if loop is not None else [None, None]
        return found[0] or 0, found[1] or 1

    def heaviest(self, func: Operation, scope: Any, base: dict[SSAValue, int]) -> tuple[Program, float, Numbers]:
        """The steps of the tile with the most to do, how many tiles that much work is, and its numbers."""
        tiles = list(range(prod(self.walker.grid)))
        found: list[tuple[Program, Numbers]] = []
        for tile in tiles:
            numbers = Numbers(self.walker, scope, self.values, base, tile, len(tiles))
            found.append((Steps(func, self.device, numbers, Chains(), len(tiles)).make(), numbers))
            if not found[0][0].varied:
                return (found[0][0], float(len(tiles)), found[0][1])
        program, numbers = max(found, key=lambda p: p[0].work)
        share = sum(p.work for p, _ in found) / program.work if program.work else 1.0
        return program, share, numbers


def played(program: Program, sharers: float, numbers: Numbers, device: Device) -> tuple[float, str]:
    """(cycles of a program, what is busy for longest)."""
    limit = "nothing"

    def once(cut: Mapping[int, float]) -> float:
        nonlocal limit
        ports: dict[str, Port] = {}
        lag = [0.0]
        for memory in device.memories.values():
            for way in ("port", "read", "write"):
                everybody = device.memory_level(memory.kind) == 0
                ports[f"{memory.kind} {way}"] = Port(sharers, lag) if everybody else Port()
        play = Play(program.steps, ports, program.fresh_links(), numbers.base, cut)
        cycles = play.run()
        busy = {name.split(" ")[0]: port.total for name, port in ports.items() if port.sharers > 1}
        busy |= {u.kind: u.busy for u in play.units}
        limit = max(busy, key=lambda n: busy[n]) if busy else "nothing"
        return cycles

    plan = Shortened(program)
    return plan.cycles(once), limit


class Shortened:
    """Which iterations of a long program are played.

    A nest is played for some iterations of one of its loops, and for twice as many; inside of it nothing is left out,
    so that the units keep the same shares of the work. Loops around it do one iteration, or where they hold more than
    this nest one and two.
    """

    def __init__(self, program: Program) -> None:
        self.cuts: list[tuple[int, int, int, int]] = []
        """(depth, iterations, of which some, and more are played), outer loops first."""
        if program.events <= MOST:
            return
        for depth in sorted(program.trips):
            trips, inside = max(program.trips[depth], key=lambda p: p[1])
            if trips <= 1:
                continue
            few = max(LEAST, min(SHORT, int(MOST * trips / max(1.0, inside)) // 3))
            if few > LEAST or depth == max(program.trips):
                if trips > 2 * few:
                    self.cuts.append((depth, trips, few, 2 * few))
                else:
                    self.cuts = []
                return
            alone = inside >= ALONE * program.events
            self.cuts.append((depth, trips, 1, 1 if alone else 2))

    def cycles(self, once: Callable[[Mapping[int, float]], float]) -> float:
        """Cycles of the whole from those of the parts."""

        def at(k: int, cut: dict[int, float]) -> tuple[float, float]:
            """(cycles with the loops from the k-th on whole, of them those that come again in every iteration)."""
            if k == len(self.cuts):
                found = once(cut)
                return found, found
            depth, trips, few, more = self.cuts[k]
            a, again = at(k + 1, {**cut, depth: few / trips})
            if more == few:
                return a + again * (trips - 1), again * trips
            b, steady = at(k + 1, {**cut, depth: more / trips})
            pace = (b - a) / (more - few)
            if pace <= 0:  # what the parts differ in hides one iteration: it takes its share of the steady part
                pace = steady / more
            return max(a, b) + pace * (trips - more), pace * trips

        return at(0, {})[0]
