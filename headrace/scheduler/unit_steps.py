"""Steps of the units of one core (`clocks`) from a scheduled program whose stages run on named units.

The program is in the form after `ktdf-to-ktdflowering`: loops and conditions that several units share, signals between
them, and operations on one unit. Each operation has the steps that its lowering will have: a transfer becomes bursts
or one vector load or store and a FIFO access, a generic its operations, with the figures of the device file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd, prod
from typing import Any

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import BlockArgument, Operation, SSAValue

from headrace.arch import Device
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp
from headrace.ir.dialects.ktdf import IndirectMemrefOp
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import constant_of
from headrace.scheduler.clocks import Burst, Count, Do, Link, Step, Variables
from headrace.scheduler.estimate import NotKnown, Walker
from headrace.scheduler.expression import evaluate
from headrace.scheduler.linear import Linear
from headrace.scheduler.lower.invariant_loads import runs
from headrace.scheduler.lower.memrefs import Chains, candidates, resolve
from headrace.scheduler.shared import SHARE
from headrace.scheduler.vector_steps import VectorSteps

BURST = 4096
"""Most bytes of one request of a transfer."""



@dataclass
class Program:
    """Steps by unit kind, FIFOs as (depth, inflight, latency), and the work in cycles (loops counted)."""

    steps: dict[str, list[Step]] = field(default_factory=dict)
    links: dict[object, tuple[int, int, float]] = field(default_factory=dict)
    work: float = 0.0
    events: float = 0.0
    varied: bool = False
    """Whether tiles differ in what they do."""
    trips: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    """By loop depth: (iterations, steps inside) of each loop that moves data between memories, if any does."""

    def fresh_links(self) -> dict[object, Link]:
        """FIFOs that nothing has gone through."""
        return {key: Link(*figures) for key, figures in self.links.items()}


class Numbers:
    """Values of index arithmetic of one program on one tile."""

    def __init__(
        self, walker: Walker, scope: Any, values: dict[str, int], base: dict[SSAValue, int], tile: int, tiles: int
    ) -> None:
        self.walker, self.scope, self.values, self.base = walker, scope, values, base
        self.tile, self.tiles = tile, tiles
        self.varied = False
        self.dynamic = False
        self.ends: dict[SSAValue, tuple[Count, Count, Count]] = {}
        """Lower bound, step and last value of the variables of loops around."""

    def reset(self) -> dict[SSAValue, int]:
        """Forget the loop variables; the place where they are set."""
        self.walker.env = dict(self.base)
        return self.walker.env

    def now(self, value: SSAValue, tile: int | None = None) -> int:
        """The value, with loop variables as set. Raises NotKnown."""
        try:
            return self.walker.value_on(value, self.tile if tile is None else tile, self.scope)
        except (NotKnown, ZeroDivisionError):
            found = self.walker.expression(value, self.scope)
            if found is None:
                raise NotKnown from None
            try:
                return evaluate(found, self.values)
            except KeyError:
                raise NotKnown from None

    def of(self, value: SSAValue, otherwise: int) -> Count:
        """A number, or a function for one that depends on loop variables; `otherwise` where neither is known."""
        known = constant_of(value)
        if known is not None:
            return known
        self.reset()
        try:
            found = self.now(value)
            self.varied = self.varied or any(self.now(value, t) != found for t in range(self.tiles))
            return found
        except NotKnown:
            pass
        for part in (0.0, 0.5, 1.0):
            self.at(part)
            try:
                found = self.now(value)
            except NotKnown:
                return otherwise
            self.varied = self.varied or any(self.now(value, t) != found for t in range(self.tiles))
        self.dynamic = True

        def later(variables: Variables) -> int:
            self.walker.env = variables
            return self.now(value)

        return later

    def at(self, part: float) -> None:
        """Set the variables of all loops around to a place between their first and last value."""
        self.reset()
        for variable, (low, step, trips) in self.ends.items():
            first, by, n = (x(self.walker.env) if callable(x) else x for x in (low, step, trips))
            self.walker.env[variable] = first + by * int(part * max(0, n - 1))

    def typical(self, value: Count) -> float:
        """A value in the middle of the loops around."""
        if not callable(value):
            return value
        found = []
        for part in (0.0, 0.5, 1.0):
            self.at(part)
            try:
                found.append(value(self.walker.env))
            except NotKnown:
                found.append(1)
        return sum(found) / len(found)


class Steps:
    """Makes the steps of one program for one tile."""

    def __init__(self, func: Operation, device: Device, numbers: Numbers, chains: Chains, cores: int) -> None:
        self.func, self.device, self.numbers, self.chains = func, device, numbers, chains
        self.cores = cores
        self.program = Program()
        self.kinds: dict[SSAValue, tuple[str, int]] = {}
        self.depth = 0
        self.times = 1.0
        self.instances = 1.0
        self.counts: dict[str, int] = {}
        self.hoisted: set[Operation] = set()
        self.ahead: set[Operation] = set()
        self.vectors = VectorSteps(self)
        self.loops: list[tuple[bool, int, tuple[int, float]]] = []
        self.moved = 0
        """Transfers between memories so far."""
        self._units()

    def make(self) -> Program:
        """All steps."""
        for kind in dict.fromkeys(k for k, _ in self.kinds.values()):
            self.program.steps[kind] = [(Do.WORK, 0.0, 0.0)]
        self.block(self.func.regions[0].block.ops, tuple(self.program.steps))
        for kind, cycles in self.vectors.prepared.items():
            self.program.steps[kind][0] = (Do.WORK, sum(cycles.values()), 0.0)
        self.program.varied = self.numbers.varied
        for moves, depth, inside in self.loops:
            if moves or not self.moved:
                self.program.trips.setdefault(depth, []).append(inside)
        return self.program

    def _units(self) -> None:
        """Which unit each query of the function names: (kind, instance)."""
        for op in self.func.regions[0].block.ops:
            if op.name != "uniform.query_map":
                continue
            mapping = op.operands[0].owner
            assert isinstance(mapping, Operation)
            unit = mapping.operands[-1].owner
            assert isinstance(unit, Operation)
            named = unit.attributes.get("headrace.kind")
            if isinstance(named, StringAttr):
                kind, corelet = named.data, self.counts.get(named.data, 0)
                self.kinds[op.results[0]] = (kind, corelet)
                self.counts[kind] = corelet + 1

    # -- control ------------------------------------------------------------------------------------------------------

    def add(self, kind: str, *step: Any, work: float = 0.0) -> None:
        """One more step of a unit."""
        self.program.steps[kind].append(step)
        self.program.events += self.times
        self.program.work += work * self.times

    def block(self, ops: Any, active: tuple[str, ...]) -> None:
        """The operations of a block for the units that execute it."""
        for op in ops:
            if op.name == "ktdf_lowering.execute_on":
                here = {self.kinds[v][0] for v in op.operands if v in self.kinds}
                self.block(op.regions[0].block.ops, tuple(k for k in active if k in here))
            elif op.name in ("scf.for", "ktdf.parallel"):
                self.loop(op, active)
            elif op.name == "scf.if":
                self.condition(op, active)
            elif op.name == "ktdf_lowering.signal":
                self.signal(op)
            elif len(active) == 1:
                self.step(op, active[0])

    def loop(self, op: Operation, active: tuple[str, ...]) -> None:
        """A loop on every unit that does something in it."""
        low, high, by = op.operands[:3]
        numbers = self.numbers
        guess = self.guess(op)
        bounds = [numbers.of(v, n) for v, n in zip((low, high, by), (0, guess, 1), strict=True)]
        instances = op.properties["num_instances"].value.data if op.name == "ktdf.parallel" else 1  # type: ignore[attr-defined]
        fixed = [b for b in bounds if isinstance(b, int)]

        def later(variables: Variables) -> int:
            return self.trip_count([b(variables) if callable(b) else b for b in bounds], instances)

        trips: Count = self.trip_count(fixed, instances) if len(fixed) == 3 else later
        variable = op.regions[0].blocks[0].args[0]
        numbers.ends[variable] = (bounds[0], bounds[2], trips)
        typical = numbers.typical(trips)
        if typical <= 0:
            return
        before = {k: len(self.program.steps[k]) for k in active}
        saved = self.times, self.instances, self.program.events, self.moved
        if op.name == "scf.for" and typical > 1:
            for k in active:
                self.in_front(op, k)
                self.load_ahead(op, k)
        starts = {k: len(self.program.steps[k]) for k in active}
        for k in active:
            self.program.steps[k].append(())
        depth = self.depth
        self.times *= typical
        self.instances *= min(instances, self.trip_count(fixed, 1)) if len(fixed) == 3 else instances
        self.depth += typical > 1
        self.block(op.regions[0].blocks[0].ops, active)
        self.depth = depth
        self.times, self.instances, events, moved = saved
        inside = (round(typical), self.program.events - events)
        self.loops.append((self.moved > moved, depth, inside))
        for k in active:
            steps = self.program.steps[k]
            if len(steps) == starts[k] + 1:
                del steps[before[k] if starts[k] == before[k] else starts[k] :]
                continue
            steps.append((Do.END, starts[k]))
            variable_set = variable if self.numbers.dynamic else None
            steps[starts[k]] = (Do.LOOP, len(steps) - 1, trips, depth, variable_set, bounds[0], bounds[2])

    @staticmethod
    def trip_count(bounds: Sequence[int], instances: int) -> int:
        """Iterations of one instance."""
        low, high, by = bounds
        return max(0, -(-max(0, -(-(high - low) // max(1, by))) // instances))

    def guess(self, loop: Operation) -> int:
        """End of a loop whose trip count only the data know, or that runs over a part of a tile."""
        size = ktdf.upper_bound(loop.operands[1])
        owner = loop.operands[1].owner
        if isinstance(owner, Operation) and owner.name == "ktdf.tiling.derive_size":
            size = constant_of(ktdf.derive_parts(owner)[0][-1][1])
        return size or 1

    def condition(self, op: Operation, active: tuple[str, ...]) -> None:
        """A branch; where the condition is not known the first region."""
        value = self.numbers.of(op.operands[0], 1)
        if isinstance(value, int):
            region = op.regions[0] if value else op.regions[1] if len(op.regions) > 1 else None
            if region is not None and region.blocks:
                self.block(region.blocks[0].ops, active)
            return
        starts = {k: len(self.program.steps[k]) for k in active}
        for k in active:
            self.program.steps[k].append(())
        part = min(1.0, max(0.0, self.numbers.typical(value)))
        times = self.times
        self.times = times * part
        self.block(op.regions[0].blocks[0].ops, active)
        middle = {k: len(self.program.steps[k]) for k in active}
        self.times = times * (1 - part)
        for k in active:
            self.program.steps[k].append(())
        if len(op.regions) > 1 and op.regions[1].blocks:
            self.block(op.regions[1].blocks[0].ops, active)
        self.times = times
        for k in active:
            steps = self.program.steps[k]
            steps[starts[k]] = (Do.IF, value, middle[k])
            steps[middle[k]] = (Do.JUMP, len(steps) - 1)

    def signal(self, op: Operation) -> None:
        """One side of a signal."""
        senders = op.attributes["headrace.senders"].value.data  # type: ignore[attr-defined]
        number = op.attributes["headrace.signal"].value.data  # type: ignore[attr-defined]
        count = op.attributes["headrace.count"].value.data if "headrace.count" in op.attributes else 1  # type: ignore[attr-defined]
        sends = op.attributes["headrace.role"].data == "send"  # type: ignore[attr-defined]
        (a, _), (b, _) = self.kinds[op.operands[0]], self.kinds[op.operands[senders]]
        key = (a, b, number)
        self.add(a if sends else b, Do.SIGNAL if sends else Do.WAIT, key, count)

    # -- operations ---------------------------------------------------------------------------------------------------

    def step(self, op: Operation, kind: str) -> None:
        """One operation of a unit."""
        if op.name == "ktdf.data_transfer":
            self.transfer(op, kind)
        elif op.name == "ktdf.read_from_fifo":
            self.add(kind, Do.RECEIVE, self.fifo(op.operands[0]))
        elif op.name == "ktdf.write_to_fifo":
            self.send(kind, op.operands[1], self.size_of(op.operands[0]))
        elif isinstance(op, linalg.GenericOp):
            self.vectors.generic(op, kind)
        elif op.name.startswith("headrace.matrix_"):
            self.vectors.matrix(op, kind)
        elif isinstance(op, ExchangeOp):
            from headrace.scheduler.crossing_steps import exchange_steps

            exchange_steps(self, op, kind)
        elif isinstance(op, RingReduceOp):
            from headrace.scheduler.crossing_steps import ring_steps

            ring_steps(self, op, kind)

    def fifo(self, slot: SSAValue) -> object:
        """The link of a slot."""
        return self.link(*ktdf.slot_ends(slot))

    def link(self, source: str, target: str) -> object:
        """The link between two kinds of a core."""
        key = (source, target)
        if key not in self.program.links:
            path = self.device.datapath_timing(source, target)
            self.program.links[key] = (self.device.queue_depth(source, target), self.inflight(source), path.latency)
        return key

    def inflight(self, kind: str) -> int:
        """Values in the pipeline of a unit: as many as the latency of what it loads and computes."""
        unit = self.device.unit(kind)
        found = [1, unit.timing.latency]
        if unit.is_load or not unit.is_compute:
            for path in self.device.incoming(kind):
                if path.source in self.device.memories:
                    found.append(self.device.memory(path.source).timing.latency + path.timing.latency)
        return max(found)

    @staticmethod
    def size_of(value: SSAValue) -> float:
        """Bytes of a tensor, vector or memref."""
        t = value.type
        assert isinstance(t, TensorType | MemRefType)
        return prod(t.get_shape()) * dtype_of(t.element_type).bytes

    def send(self, kind: str, slot: SSAValue, size: float, own: bool = True) -> None:
        """Send a value; `own` if it was just made."""
        source, target = ktdf.slot_ends(slot)
        rate = self.device.datapath_timing(source, target).bytes_per_cycle
        spent = max(1.0, -(-size // rate)) if rate else 1.0
        self.add(kind, Do.SEND, self.fifo(slot), spent, own)

    def transfer(self, op: Operation, kind: str) -> None:
        """A `ktdf.data_transfer`."""
        source, dest = ktdf.side_of(op, "source"), ktdf.side_of(op, "dest")
        if source.subs is not None and dest.subs is not None:
            self.moved += 1
            if SHARE in op.attributes:
                from headrace.scheduler.crossing_steps import shared_steps

                shared_steps(self, op, kind, source, dest)
            else:
                self.bursts(kind, source, dest)
        elif source.subs is not None:
            if op not in self.hoisted:
                self.load(kind, source, op)
            count, element = ktdf.slot_count(dest.value), ktdf.slot_element(dest.value)
            n = constant_of(count)
            width = (n if n is not None else self.elements(source)) * dtype_of(element).bytes
            self.send(kind, dest.value, width, op not in self.hoisted)
        else:
            self.add(kind, Do.RECEIVE, self.fifo(source.value))
            self.store(kind, dest)

    def elements(self, side: ktdf.Side) -> int:
        """Elements of a box."""
        return prod(self.sizes(side))

    def sizes(self, side: ktdf.Side) -> list[int]:
        """Extents of a box."""
        found = []
        for n in side.sizes or []:
            known = constant_of(n)
            found.append(known if known is not None else ktdf.upper_size(n))
        return found

    def load(self, kind: str, side: ktdf.Side, op: Operation) -> None:
        """A vector load, with the shuffle of an element to all lanes."""
        self.vector_load(kind, side.value, self.paid(kind, side))
        if op in self.ahead:
            self.add(kind, Do.AHEAD, op, 1.0, self.device.unit(kind).timing.latency)
        elif self.splats(op):
            self.add(kind, Do.READY, 1.0, self.device.unit(kind).timing.latency)

    def splats(self, op: Operation) -> bool:
        """Whether a transfer spreads what it loads over more lanes."""
        if ktdf.transfer_mode(op) not in ("splat", "pad"):
            return False
        want = constant_of(ktdf.slot_count(ktdf.side_of(op, "dest").value))
        return want != self.elements(ktdf.side_of(op, "source"))

    def vector_load(self, kind: str, memref: SSAValue, paid: float) -> None:
        """Load `paid` bytes."""
        port, server, hold, latency = self.request(kind, memref, paid, False)
        self.add(kind, Do.LOAD, port, server, hold, latency, self.instances_of(kind, memref), work=hold)

    def store(self, kind: str, side: ktdf.Side) -> None:
        """A vector store."""
        self.vector_store(kind, side.value, self.paid(kind, side, True))

    def vector_store(self, kind: str, memref: SSAValue, paid: float) -> None:
        """Store `paid` bytes."""
        port, server, hold, latency = self.request(kind, memref, paid, True)
        self.add(kind, Do.STORE, port, server, hold, latency, self.instances_of(kind, memref), work=hold)

    def instances_of(self, kind: str, memref: SSAValue) -> float:
        """Units of a kind in a core that use the same instance of a memory now."""
        memory = self.device.memory_of(candidates(memref)[0])
        if memory.instances > 1 or self.instances <= 1:
            return 1.0
        return min(self.instances, self.counts.get(kind, 1))

    def port(self, memref: SSAValue, write: bool) -> tuple[str | None, float | None, float]:
        """(name of the port, bytes a cycle, latency) of the memory behind a memref."""
        memory = self.device.memory_of(candidates(memref)[0])
        timing = memory.timing
        rate = timing.write_bytes_per_cycle if write else timing.read_bytes_per_cycle
        name = f"{memory.kind} {'port' if timing.half_duplex else 'write' if write else 'read'}"
        return (name if rate else None), rate, timing.latency

    def request(self, kind: str, memref: SSAValue, paid: float, write: bool) -> tuple[str | None, float, float, float]:
        """(port, cycles of the port, of the unit, latency) of one request."""
        name, rate, latency = self.port(memref, write)
        memory = self.device.memory_of(candidates(memref)[0]).kind
        path = self.device.datapath(*((kind, memory) if write else (memory, kind)))
        server = float(-(-paid // rate)) if rate else 0.0
        hold = max(1.0, server)
        if path is not None:
            latency += path.timing.latency
            if path.timing.bytes_per_cycle:
                hold = max(hold, float(-(-paid // path.timing.bytes_per_cycle)))
        return name, server, hold, latency

    # -- boxes --------------------------------------------------------------------------------------------------------

    def paid(self, kind: str, side: ktdf.Side, write: bool = False) -> float:
        """Bytes that one vector access pays: whole words of every contiguous piece, an element where it is spread."""
        sizes, strides, width = self.sizes(side), self.strides(side), self.width(side)
        count, run = 1, 1
        pairs = list(zip(sizes, strides, strict=True))
        for size, stride in sorted(pairs, key=lambda p: p[1] if p[1] is not None else 1 << 60):
            if size == 1 or stride == 0:
                continue
            if stride == run and count == 1:
                run *= size
            else:
                count *= size
        return count * self.words(kind, side, run * width, write)

    def words(self, kind: str, side: ktdf.Side, size: float, write: bool) -> float:
        """Bytes paid for `size` contiguous ones of a side: whole words, on average over where they begin."""
        memory = self.device.memory_of(candidates(side.value)[0]).kind
        path = self.device.datapath(*((kind, memory) if write else (memory, kind)))
        word = self.device.word_size(kind, memory) if path is not None else 1
        if word <= 1:
            return size
        step = self.alignment(side, word)
        return sum((-(-(o + size) // word)) * word for o in range(0, word, step)) / len(range(0, word, step))

    def alignment(self, side: ktdf.Side, word: int) -> int:
        """Greatest divisor of `word` that the beginnings of the pieces of a side are multiples of."""
        width = self.width(side)
        step = word
        strides = self.strides(side)
        view = resolve(candidates(side.value)[0])
        if isinstance(view, IndirectMemrefOp):  # whole rows of the base, wherever they are
            rows = self.chains.of(view.base).strides
            return gcd(word, *((s if isinstance(s, int) else 1) * width for s in rows if s != 1))
        try:
            offset = self.chains.of(candidates(side.value)[0]).offset
        except HeadraceError:
            return width
        forms = [(f, s) for f, s in zip(side.subs or [], strides, strict=True)] + [(offset, 1)]
        for size, stride in zip(self.sizes(side), strides, strict=True):
            if size > 1 and stride != 1:
                step = gcd(step, (stride or 1) * width)
        for form, stride in forms:
            for amount in self.multiples(form):
                step = gcd(step, amount * (stride or 1) * width)
        return max(1, step)

    def multiples(self, form: Linear) -> Iterator[int]:
        """What a linear form is a sum of multiples of."""
        yield form.const
        for value, c in form.terms.items():
            by = 1
            if isinstance(value, BlockArgument):
                loop = value.block.parent_op()
                if loop is not None and loop.name in ("scf.for", "ktdf.parallel"):
                    by = constant_of(loop.operands[2]) or 1
                    by = gcd(by, constant_of(loop.operands[0]) or 0) if constant_of(loop.operands[0]) is not None else 1
            yield c * by

    def width(self, side: ktdf.Side) -> int:
        """Bytes of an element."""
        return dtype_of(side.value.type.element_type).bytes  # type: ignore[attr-defined]

    def strides(self, side: ktdf.Side) -> list[int | None]:
        """Strides in elements; None where they are known at launch only."""
        value = candidates(side.value)[0]
        view = resolve(value)
        rank = len(side.sizes or [])
        if isinstance(view, IndirectMemrefOp):
            return self.indirect_strides(view, rank)
        try:
            return [s if isinstance(s, int) else None for s in self.chains.of(value).strides]
        except HeadraceError:
            return [None] * rank

    def indirect_strides(self, view: IndirectMemrefOp, rank: int) -> list[int | None]:
        """Strides of the dimensions within a row; those over rows are anything."""
        found: list[int | None] = [None] * rank
        try:
            strides = self.chains.of(view.base).strides
        except HeadraceError:
            return found
        columns = view.column_dims
        for d, s in zip(columns, strides[: len(columns)], strict=False):
            found[d] = s if isinstance(s, int) else None
        return found

    def bursts(self, kind: str, source: ktdf.Side, dest: ktdf.Side) -> None:
        """A transfer between memories."""
        pieces, run = self.pieces(source, dest)
        if not pieces or not run:
            return
        view = next(
            (v for s in (source, dest) if isinstance(v := resolve(candidates(s.value)[0]), IndirectMemrefOp)), None
        )
        width = self.width(dest)
        lanes = max(1, self.device.vector_lanes(dest.value.type.element_type))  # type: ignore[attr-defined]
        rest = run % lanes if run > lanes else 0
        pattern: list[Burst] = []
        for part in (run - rest, rest):
            left = part * width
            while left > 0:
                pattern.append(self.burst(kind, source, dest, min(left, BURST)))
                left -= BURST
        if view is None:
            self.add(kind, Do.MOVE, pieces, tuple(pattern), work=pieces * sum(b.hold for b in pattern))
            return
        rows = prod(n for d, n in enumerate(self.sizes(source)) if d in view.row_dims)
        table = dtype_of(view.table.type.element_type).bytes  # type: ignore[attr-defined]
        self.repeat(kind, rows)
        self.vector_load(kind, view.table, table)
        self.add(kind, Do.READY, 0.0, 0.0)
        self.add(kind, Do.MOVE, max(1, pieces // rows), tuple(pattern), work=sum(b.hold for b in pattern))
        self.close(kind)

    def repeat(self, kind: str, count: int) -> None:
        """Open a loop of one unit that only its lowering makes."""
        self.program.steps[kind].append((Do.LOOP, count, self.times, self.depth))
        self.times *= count
        self.depth += 1

    def close(self, kind: str) -> None:
        """Close it."""
        steps = self.program.steps[kind]
        start = next(i for i in range(len(steps) - 1, -1, -1) if len(steps[i]) == 4 and steps[i][0] == Do.LOOP)
        _, count, self.times, self.depth = steps[start]
        steps.append((Do.END, start))
        steps[start] = (Do.LOOP, len(steps) - 1, count, 1 << 20, None, None, None)

    def burst(self, kind: str, source: ktdf.Side, dest: ktdf.Side, size: float) -> Burst:
        """One burst of a transfer."""
        read = self.request(kind, source.value, self.words(kind, source, size, False), False)
        write = self.request(kind, dest.value, self.words(kind, dest, size, True), True)
        return Burst(read[0], read[1], read[2], read[3], write[0], write[1], write[2], write[3])

    def pieces(self, source: ktdf.Side, dest: ktdf.Side) -> tuple[int, int]:
        """(number of pieces contiguous on both sides, elements of each)."""
        runs_of = []
        for side in (source, dest):
            run = 1
            for size, stride in zip(reversed(self.sizes(side)), reversed(self.strides(side)), strict=True):
                if size == 1:
                    continue
                if stride != run:
                    break
                run *= size
            runs_of.append(run)
        total = self.elements(dest)
        run = gcd(*runs_of)
        return (total // run if run else 0), run

    # -- vectors ------------------------------------------------------------------------------------------------------

    def in_front(self, loop: Operation, kind: str) -> None:
        """Loads that the lowering takes out of a loop (`lower.invariant_loads`)."""
        transfers = self.quiet(loop.regions[0].block.ops, kind)
        if not transfers or not runs(loop) or not any(self.splats(op) for op in transfers):
            return
        variable = loop.regions[0].block.args[0]
        for op in transfers:
            source = ktdf.side_of(op, "source")
            still = all(variable not in form.terms for form in source.subs or [])
            owner = candidates(source.value)[0].owner
            if still and not (isinstance(owner, Operation) and ktdf.inside(owner, loop)):
                self.load(kind, source, op)
                self.hoisted.add(op)

    def load_ahead(self, loop: Operation, kind: str) -> None:
        """Loads of elements to spread that the lowering does an iteration ahead (`lower.loads_ahead`)."""
        transfers = self.quiet(loop.regions[0].block.ops, kind, nested=True)
        bounds = [constant_of(v) for v in loop.operands[:3]]
        if not transfers or None in bounds or len(range(*bounds)) <= 1:  # type: ignore[arg-type]
            return
        variable = loop.regions[0].block.args[0]
        for op in transfers:
            source = ktdf.side_of(op, "source")
            moving = [form for form in source.subs or [] if variable in form.terms]
            plain = all(form.terms == {variable: 1} and not form.const for form in moving)
            if self.splats(op) and op not in self.hoisted and moving and plain and op not in self.ahead:
                self.vector_load(kind, source.value, self.paid(kind, source))
                self.add(kind, Do.AHEAD, op, 0.0, 0.0)
                self.ahead.add(op)

    def quiet(self, ops: Any, kind: str, nested: bool = False) -> list[Operation] | None:
        """The loads into FIFOs that a unit does in a block, if it does nothing else there (but other loops of the same
        sort, if `nested`); else None."""
        found: list[Operation] = []
        for op in ops:
            if op.name == "ktdf_lowering.execute_on":
                if any(self.kinds.get(v, ("",))[0] == kind for v in op.operands):
                    inner = self.quiet(op.regions[0].block.ops, kind, nested)
                    if inner is None:
                        return None
                    found += inner
            elif nested and op.name == "scf.for":
                if self.quiet(op.regions[0].block.ops, kind, nested) is None:
                    return None
            elif op.name == "ktdf_lowering.signal":
                if any(self.kinds.get(v, ("",))[0] == kind for v in op.operands):
                    return None
            elif op.name == "ktdf.data_transfer":
                if ktdf.is_slot(op.operands[0]) or not any(ktdf.is_slot(v) for v in op.operands):
                    return None
                found.append(op)
            elif op.regions or op.name.startswith(("headrace.", "linalg.", "ktdf.read", "ktdf.write")):
                return None
        return found
