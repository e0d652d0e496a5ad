"""The bound of a kernel: what no schedule on the device can beat (design decision 16).

Computed while the kernel is scheduled, from two early forms that carry no choice of the schedule yet: what is loaded
and stored after `compute-group-extraction`, what is computed after `construct-three-stage-pipeline`. Sizes that are
only known at launch stay symbolic. The result is plain JSON for the manifest:

    {"terms": [{"by": "SFU", "cycles": EXPRESSION}, ...], "vector_ops": EXPRESSION, "vector_steps": EXPRESSION}

A memory that reads and writes at the same time has a term for each, with `"port": "read"` or `"port": "write"`.
Expressions are those of :mod:`headrace.scheduler.expression`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from itertools import product as cartesian
from math import prod
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from headrace.arch import Device
from headrace.ir.analysis.grid import grid_of, position
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp
from headrace.ir.dialects.headrace_matrix import MatrixMultiplyOp
from headrace.ir.dialects.headrace_ops import ComputeOp
from headrace.ir.types import dtype_of
from headrace.ir.walk import walk_ops
from headrace.numerics import semantics
from headrace.scheduler.access import Access, describe
from headrace.scheduler.build import constant_of
from headrace.scheduler.device import attr_kind
from headrace.scheduler.expression import OPERATORS, Expression, make
from headrace.scheduler.linear import Linear, linear

MOST_POINTS = 1 << 18
"""Most iterations that are gone through to count those of a loop that depends on the ones around it."""

# -- walking programs --------------------------------------------------------------------------------------------------


@dataclass
class _Scope:
    """Where the walk is: program arguments in terms of the coordinator, enclosing loops, tiles that come here."""

    values: dict[SSAValue, SSAValue]
    loops: list[tuple[SSAValue, Expression]]
    tiles: list[int]
    chain: tuple[tuple[Operation, bool | None], ...] = ()
    """Loops (None) and conditions (the branch taken) around, outermost first."""
    count: Expression | None = None
    """How often all tiles together come here, where that is not the product of the loops."""

    def times(self) -> Expression:
        """How often all tiles together come here."""
        if self.count is not None:
            return self.count
        return make("mul", len(self.tiles), *(n for _, n in self.loops))

    def inside(self, op: Operation, branch: bool | None, loops: list[tuple[SSAValue, Expression]], tiles: list[int],
               count: Expression | None) -> _Scope:  # fmt: skip
        """The scope in a loop or a branch."""
        return _Scope(self.values, loops, tiles, (*self.chain, (op, branch)), count)

    def resolve(self, value: SSAValue) -> SSAValue:
        while value in self.values:
            value = self.values[value]
        return value


@dataclass
class Walker:
    """Visits the operations of all programs with their loops and tiles, as often as the coordinator calls them."""

    module: ModuleOp
    names: dict[SSAValue, str] = field(default_factory=dict)
    grid: tuple[int, ...] = (1,)
    derived: dict[SSAValue, list[int]] = field(default_factory=dict)
    env: dict[SSAValue, int] = field(default_factory=dict)
    """Values of loop variables while iterations are counted one by one."""
    left: int = 0

    def visit(self) -> Iterator[tuple[Operation, _Scope]]:
        functions = {
            f.sym_name.data: f
            for f in walk_ops(self.module, "func.func")
            if isinstance(f, FuncOp) and f.body.blocks and f.body.block.ops
        }
        called = {op.callee.string_value() for op in walk_ops(self.module, "func.call")}  # type: ignore[attr-defined]
        for name, f in functions.items():
            if name in called or (f.sym_visibility is not None and f.sym_visibility.data == "private"):
                continue
            self.names = {a: a.name_hint or f"arg{i}" for i, a in enumerate(f.body.block.args)}
            self.grid = grid_of(f)
            yield from self._block(f.body.block.ops, _Scope({}, [], list(range(prod(self.grid)))), functions)

    def _block(self, ops: Any, scope: _Scope, functions: Mapping[str, FuncOp]) -> Iterator[tuple[Operation, _Scope]]:
        for op in ops:
            if op.name == "func.call":
                target = functions.get(op.callee.string_value())
                if target is not None:
                    inner = dict(scope.values)
                    inner.update(zip(target.body.block.args, op.operands, strict=True))
                    called = _Scope(inner, scope.loops, scope.tiles, scope.chain, scope.count)
                    yield from self._block(target.body.block.ops, called, functions)
                continue
            yield op, scope
            if op.name in ("scf.for", "ktdf.parallel"):
                block = op.regions[0].blocks[0]
                trip = self.trip(op, scope)
                count = make("mul", scope.count, trip) if scope.count is not None and trip is not None else None
                if trip is None:
                    trip, count = self.counted(op, None, scope)
                if trip != 0 and count != 0:
                    loops = [*scope.loops, (block.args[0], trip)]
                    inner_scope = scope.inside(op, None, loops, scope.tiles, count)
                    yield from self._block(block.ops, inner_scope, functions)
            elif op.name == "scf.if":
                for number, region in enumerate(op.regions):
                    if region.blocks:
                        wanted = number == 0
                        tiles = self._where(op.operands[0], scope, wanted)
                        count = None
                        if tiles is None or scope.count is not None:
                            tiles = scope.tiles
                            _, count = self.counted(op, wanted, scope)
                        if tiles and count != 0:
                            inner_scope = scope.inside(op, wanted, scope.loops, tiles, count)
                            yield from self._block(region.blocks[0].ops, inner_scope, functions)
            elif op.name != "linalg.generic":
                for region in op.regions:
                    for block in region.blocks:
                        yield from self._block(block.ops, scope, functions)

    def trip(self, op: Operation, scope: _Scope) -> Expression | None:
        """Iterations of a loop; None where they are no expression over arguments (then its body is not counted)."""
        lower, upper, step = (self.expression(v, scope) for v in op.operands[:3])
        if lower is None or upper is None or step is None:
            return None
        if isinstance(step, int) and step <= 0:
            raise error(op, f"the step of a loop must be positive, but is {step}")
        return make("max", 0, make("ceildiv", make("sub", upper, lower) if lower != 0 else upper, step))

    def counted(self, op: Operation, branch: bool | None, scope: _Scope) -> tuple[int, int]:
        """(most iterations, executions of the body by all tiles) of a loop or branch that depends on the tile and on
        loops around it, by going through all of those that matter; (0, 0) where they are not known or too many."""
        chain = (*scope.chain, (op, branch))
        most = total = 0
        self.env = {}
        decides: list[set[SSAValue]] = [set() for _ in chain]
        """What the bounds and conditions behind each link depend on."""
        by_tile = False
        needed: set[SSAValue] = set()
        for k in range(len(chain) - 1, -1, -1):
            decides[k] = set(needed)
            link, wanted = chain[k]
            sources = self.sources(link.operands[:1] if wanted is not None else link.operands[:3], scope)
            by_tile = by_tile or any(map(_is_tile, sources))
            needed |= sources

        def visit(depth: int, tile: int, weight: int) -> None:
            nonlocal most, total
            inner, wanted = chain[depth]
            last = depth == len(chain) - 1
            if wanted is not None:
                if bool(self.value_on(inner.operands[0], tile, scope)) is wanted:
                    if last:
                        total += weight
                    else:
                        visit(depth + 1, tile, weight)
                return
            lower, upper, step = (self.value_on(v, tile, scope) for v in inner.operands[:3])
            if step <= 0:
                raise NotKnown
            trips = max(0, -(-(upper - lower) // step))
            if last:
                most, total = max(most, trips), total + trips * weight
                return
            variable = inner.regions[0].blocks[0].args[0]
            once = variable not in decides[depth]
            for i in range(lower, min(upper, lower + step) if once else upper, step):
                self.left -= 1
                if self.left < 0:
                    raise NotKnown
                self.env[variable] = i
                visit(depth + 1, tile, weight * trips if once else weight)

        self.left = MOST_POINTS
        try:
            for tile in scope.tiles if by_tile else scope.tiles[:1]:
                visit(0, tile, 1 if by_tile else len(scope.tiles))
        except (NotKnown, ZeroDivisionError):
            return 0, 0
        finally:
            self.env = {}
        return most, total

    def sources(self, values: Sequence[SSAValue], scope: _Scope) -> set[SSAValue]:
        """Block arguments and tile coordinates that values are computed from."""
        found: set[SSAValue] = set()
        seen: set[SSAValue] = set()
        work = [scope.resolve(v) for v in values]
        while work:
            v = work.pop()
            if v in seen:
                continue
            seen.add(v)
            if isinstance(v.owner, Operation) and not _is_tile(v):
                work += [scope.resolve(x) for x in v.owner.operands]
            else:
                found.add(v)
        return found

    def expression(self, value: SSAValue | int, scope: _Scope) -> Expression | None:
        """`value` over kernel arguments, or None."""
        if isinstance(value, int):
            return value
        value = scope.resolve(value)
        known = constant_of(value)
        if known is not None:
            return known
        if value in self.names:
            return self.names[value]
        op = value.owner
        if not isinstance(op, Operation):
            return None
        if op.name == "ktdp.runtime_arg_extract":
            text_of_kind = str(next(iter(op.properties.values()), ""))
            if "granularity" in text_of_kind or "upperbound" in text_of_kind:
                return None
            return self.names.get(scope.resolve(op.operands[0]))
        operator = _INDEX_OPS.get(op.name)
        if operator is None:
            return None
        operands = [self.expression(v, scope) for v in op.operands]
        if any(x is None for x in operands):
            return None
        return operands[0] if operator == "" else make(operator, *operands)

    def form(self, form: Linear, scope: _Scope) -> tuple[list[tuple[Expression, SSAValue]], Expression] | None:
        """A linear form as (coefficient, variable) pairs over tile coordinates and loop variables, and the rest.

        None where a term is neither of these nor an expression over arguments.
        """
        pairs: list[tuple[Expression, SSAValue]] = []
        rest: Expression = form.const
        for value, c in form.terms.items():
            inner = scope.resolve(value)
            if inner is not value:
                below = self.form(linear(inner).scaled(c), scope)
                if below is None:
                    return None
                pairs += below[0]
                rest = make("add", rest, below[1])
                continue
            if _is_tile(inner) or any(inner is v for v, _ in scope.loops):
                pairs.append((c, inner))
                continue
            found = self.expression(inner, scope)
            if found is not None:
                rest = make("add", rest, make("mul", found, c))
                continue
            factors = self._product(inner, scope)
            if factors is None and self._from_tile(inner, scope):
                pairs.append((c, inner))
                continue
            if factors is None:
                return None
            pairs.append((make("mul", factors[0], c), factors[1]))
        return pairs, rest

    def _from_tile(self, value: SSAValue, scope: _Scope) -> bool:
        """Whether a value follows from the tile id alone (a quotient or a remainder of it): it then has a value a tile,
        as a coordinate does."""
        if value not in self.derived:
            try:
                self.derived[value] = [self.value_on(value, t, scope) for t in range(prod(self.grid))]
            except (NotKnown, ZeroDivisionError):
                return False
        return True

    def _product(self, value: SSAValue, scope: _Scope) -> tuple[Expression, SSAValue] | None:
        """A product of one variable and arguments."""
        op = value.owner
        if not isinstance(op, Operation) or op.name != "arith.muli":
            return None
        for a, b in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
            factor = self.expression(a, scope)
            if factor is None:
                continue
            inner = self.form(linear(b), scope)
            if inner is not None and len(inner[0]) == 1 and inner[1] == 0:
                return make("mul", factor, inner[0][0][0]), inner[0][0][1]
        return None

    def _where(self, condition: SSAValue, scope: _Scope, wanted: bool) -> list[int] | None:
        """The tiles for which a condition on the tile id holds; None where it depends on something else."""
        try:
            return [t for t in scope.tiles if bool(self.value_on(condition, t, scope)) is wanted]
        except NotKnown:
            return None

    def value_on(self, value: SSAValue, tile: int, scope: _Scope) -> int:
        value = scope.resolve(value)
        if value in self.env:
            return self.env[value]
        known = constant_of(value)
        if known is not None:
            return known
        if _is_tile(value):
            return self.coordinate(value, tile)
        op = value.owner
        if not isinstance(op, Operation):
            raise NotKnown
        if op.name == "arith.constant":
            attr = op.properties["value"]
            if isinstance(attr, IntegerAttr):
                return attr.value.data
        if op.name == "arith.cmpi":
            a, b = (self.value_on(v, tile, scope) for v in op.operands)
            return int(_COMPARE[op.properties["predicate"].value.data](a, b))  # type: ignore[attr-defined]
        logic = {"arith.andi": lambda a, b: a & b, "arith.ori": lambda a, b: a | b, "arith.xori": lambda a, b: a ^ b}
        function = logic.get(op.name) or OPERATORS.get(_INDEX_OPS.get(op.name, "?"))
        if _INDEX_OPS.get(op.name) == "":
            return self.value_on(op.operands[0], tile, scope)
        if function is None:
            raise NotKnown
        return int(function(*(self.value_on(v, tile, scope) for v in op.operands)))

    def coordinate(self, value: SSAValue, tile: int) -> int:
        """Value of a result of `ktdp.get_compute_tile_id` on a tile."""
        if value in self.derived:
            return self.derived[value][tile]
        count = len(value.owner.results)  # type: ignore[union-attr]
        if count == 1:
            return tile
        return position(tile, self.grid)[value.index]  # type: ignore[attr-defined]


class NotKnown(Exception):
    """A condition depends on more than the tile id."""


_INDEX_OPS = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divui": "floordiv",
    "arith.divsi": "floordiv",
    "arith.floordivsi": "floordiv",
    "arith.ceildivsi": "ceildiv",
    "arith.ceildivui": "ceildiv",
    "arith.remui": "mod",
    "arith.remsi": "mod",
    "arith.minsi": "min",
    "arith.minui": "min",
    "arith.maxsi": "max",
    "arith.maxui": "max",
    "arith.index_cast": "",
    "arith.index_castui": "",
    "arith.extsi": "",
    "arith.extui": "",
    "arith.trunci": "",
}

_COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
"""`arith.cmpi` by predicate number; unsigned ones on values that are never negative."""


def _is_tile(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == "ktdp.get_compute_tile_id"


# -- what is moved -----------------------------------------------------------------------------------------------------


def _distinct(walker: Walker, access: Access, scope: _Scope) -> Expression:
    """Distinct elements that an access touches over its loops and tiles (0 where that is not known)."""
    strides: list[Expression | None] = [walker.expression(s, scope) for s in access.strides]
    steps: list[tuple[Expression, Expression]] = []  # (stride, extent)
    pairs: list[tuple[Expression, SSAValue]] = []
    width = access.element_bytes
    strides = [None if s is None else make("mul", s, width) for s in strides]
    start = access.base.without({access.root}) if access.root is not None else access.base
    for form, stride in [(start, 1 if access.unit == "byte" else width), *zip(access.coords, strides, strict=True)]:
        found = walker.form(form, scope)
        if found is None or stride is None:
            return 0
        pairs += [(make("mul", c, stride), v) for c, v in found[0]]
    if access.table is not None:
        # Which elements a table names is not known; the bound takes them to be different ones.
        sizes = [walker.form(d.extent, scope) for d in access.dims]
        if any(n is None or n[0] for n in sizes):
            return 0
        return make("mul", scope.times(), *(n[1] for n in sizes if n is not None))
    for dim in access.dims:
        extent = walker.form(dim.extent, scope)
        low = walker.form(dim.lo, scope)
        stride = strides[dim.view_dim]
        if extent is None or extent[0] or low is None or stride is None:
            return 0
        pairs += [(make("mul", c, stride), v) for c, v in low[0]]
        steps.append((stride, extent[1]))
    total: dict[SSAValue, Expression] = {}
    for c, v in pairs:
        total[v] = make("add", total.get(v, 0), c)
    tiles = {v: c for v, c in total.items() if (_is_tile(v) or v in walker.derived) and c != 0}
    if all(isinstance(c, int) for c in tiles.values()):
        offsets = {sum(c * walker.coordinate(v, t) for v, c in tiles.items()) for t in scope.tiles}
    else:
        offsets = {tuple(walker.coordinate(v, t) for v in tiles) for t in scope.tiles}
    for v, trip in scope.loops:
        c = total.get(v, 0)
        if c != 0:
            owner = v.owner.parent_op()
            step = walker.expression(owner.operands[2], scope) if owner is not None else 1
            steps.append((make("mul", c, step if step is not None else 1), trip))
    count = make("mul", len(offsets), *(n for _, n in steps))
    if all(isinstance(x, int) for pair in steps for x in pair) and all(isinstance(o, int) for o in offsets):
        return _union(sorted(offsets), [(abs(s), n) for s, n in steps if s and n > 1], width)  # type: ignore[type-var]
    return count


def _union(offsets: Sequence[int], steps: list[tuple[int, int]], width: int) -> int:
    """Elements of `width` bytes at the different sums `offset + sum(stride * i)` (bytes): exact where strides nest, at
    most the span otherwise."""
    steps.sort()
    reach, nested = width, True
    for stride, n in steps:
        nested = nested and stride >= reach
        reach += stride * (n - 1)
    inner = prod(n for _, n in steps) if nested else min(prod(n for _, n in steps), reach // width)
    if not nested:
        gaps = [b - a for a, b in pairwise(offsets)]
        return sum(min(inner, g // width) for g in gaps) + inner
    gaps = [b - a for a, b in pairwise(offsets)]
    if not gaps or min(gaps) >= reach:
        return len(offsets) * inner
    if len(offsets) * inner <= 1 << 16:
        points = {
            o + sum(s * i for (s, _), i in zip(steps, at, strict=True)) for o in offsets for at in _indices(steps)
        }
        return len(points)
    interleaved = all(any(s > g for s, _ in steps) for g in gaps)
    return (
        len(offsets) * inner if interleaved else min(len(offsets) * inner, (offsets[-1] - offsets[0] + reach) // width)
    )


def _indices(steps: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    return cartesian(*(range(n) for _, n in steps))


@dataclass
class Estimate:
    """Collects the bound while passes run: give `after` to `run_plan`, then ask `bound()`."""

    device: Device
    kernel_grid: int = 1
    _bytes: dict[tuple[str, str], dict[Any, Expression]] = field(default_factory=dict)
    _memory: dict[str, str] = field(default_factory=dict)
    _compute: dict[str, list[Expression]] = field(default_factory=dict)
    _ops: list[Expression] = field(default_factory=list)
    _steps: list[Expression] = field(default_factory=list)
    _macs: dict[str, list[Expression]] = field(default_factory=dict)
    _crossed: dict[tuple[str, int], list[Expression]] = field(default_factory=dict)
    """Bytes over the interconnect by (direction, bytes a cycle of a core's way onto it), a tile each."""

    def after(self, name: str, module: ModuleOp) -> None:
        """Look at the module after pass `name`."""
        if name == "compute-group-extraction":
            self._moved(module)
        elif name == "construct-three-stage-pipeline":
            self._computed(module)

    def _moved(self, module: ModuleOp) -> None:
        walker = Walker(module)
        for op, scope in walker.visit():
            self.kernel_grid = prod(walker.grid)
            if isinstance(op, ExchangeOp | RingReduceOp):
                self._crossing(op, scope)
            if op.name not in ("ktdp.load", "ktdp.store"):
                continue
            try:
                access = describe(op)
                kind = self.device.space_to_kind(access.space)
                if self.device.memory_level(kind) != 0:
                    continue
                elements = _distinct(walker, access, scope)
            except HeadraceError:
                continue
            root = access.root
            label = walker.names.get(scope.resolve(root), "?") if root is not None else f"at {access.base.const}"
            if access.skips:
                continue  # nothing need be stored
            direction = "store" if access.is_store else "load"
            key = tuple(
                (
                    tuple(
                        sorted((str(walker.names.get(scope.resolve(v), v.name_hint)), c) for v, c in form.terms.items())
                    ),
                    form.const,
                )
                for form in access.coords
            )
            sizes = tuple((d.view_dim, d.extent.const) for d in access.dims)
            group = self._bytes.setdefault((label, direction), {})
            previous = group.get((key, sizes), 0)
            amount = make("mul", elements, access.element_bytes)
            group[(key, sizes)] = amount if previous == 0 else make("max", previous, amount)
            self._memory[label] = kind

    def _crossing(self, op: ExchangeOp | RingReduceOp, scope: _Scope) -> None:
        """Bytes that the tiles send and receive in an exchange: as many as its purpose needs (`headrace.crossing` on
        every tile), or those of its moves."""
        if op.part is None or op.part.data != "send":
            return
        joint, grid = self.device.interconnect, self.kernel_grid
        t = op.memrefs[0].type
        if joint is None or not isinstance(t, MemRefType):
            return
        times = make("mul", *(n for _, n in scope.loops)) if scope.loops else 1
        width = dtype_of(t.element_type).bytes
        sent, received = [0] * grid, [0] * grid
        given = op.attributes.get("headrace.crossing")
        if isinstance(given, IntegerAttr):
            sent = received = [given.value.data] * grid
        elif isinstance(op, ExchangeOp) and isinstance(times, int):
            for r in op.plan():
                for m in r.moves:
                    if m.sender != m.receiver:
                        sent[m.sender] += prod(r.sizes) * width * (1 if r.at else times)
                        received[m.receiver] += prod(r.sizes) * width * (1 if r.at else times)
            times = 1
        kind = attr_kind(self.device, t.memory_space)
        ways = (2 if joint.topology == "ring" else 4) * joint.bytes_per_cycle
        for key, amounts, outward in (("sent", sent, True), ("received", received, False)):
            paths = [self.device.datapath(*((kind, u) if outward else (u, kind))) for u in joint.units]
            rates = [p.timing.bytes_per_cycle for p in paths if p is not None]
            rate = min(ways, max(ways if n is None else n for n in rates)) if rates else ways
            row = self._crossed.setdefault((key, rate), [0] * grid)
            for tile, n in enumerate(amounts):
                row[tile] = make("add", row[tile], make("mul", n, times))

    def _computed(self, module: ModuleOp) -> None:
        walker = Walker(module)
        vectors = Vectors(self.device)
        for op, scope in walker.visit():
            times = scope.times()
            if op.name == "ktdf.data_transfer":
                self._steps.append(make("mul", times, 2))
            elif isinstance(op, MatrixMultiplyOp):
                macs = op.macs.value.data if op.macs is not None else 0
                self._macs.setdefault(_stage_unit(op) or "", []).append(make("mul", times, macs))
                self._steps.append(times)
            elif op.name in ("ktdf.read_from_fifo", "ktdf.write_to_fifo"):
                self._steps.append(times)
            elif isinstance(op, linalg.GenericOp):
                kind = _stage_unit(op) or self.device.compute_kind
                cycles, count = vectors.price(op, kind)
                self._compute.setdefault(kind, []).append(make("mul", times, cycles))
                self._ops.append(make("mul", times, count))
                self._steps.append(make("mul", times, count))

    def bound(self) -> dict[str, Any]:
        """The bound for the manifest."""
        terms: list[dict[str, Any]] = []
        cores = self.device.cores or self.kernel_grid
        for kind in sorted(self._compute):
            instances = cores * max(1, self.device.unit(kind).instances)
            terms.append({"by": kind, "cycles": make("ceildiv", make("add", *self._compute[kind]), instances)})
        for kind in sorted(self._macs):
            spec = self.device.unit(kind).matrix
            rate = cores * max(1, self.device.unit(kind).instances) * (spec.macs_per_cycle if spec is not None else 1)
            terms.append({"by": kind, "cycles": make("ceildiv", make("add", *self._macs[kind]), rate)})
        for (_, rate), row in sorted(self._crossed.items(), key=lambda item: item[0]):
            distinct = list({str(x): x for x in row}.values())
            most = max(distinct) if all(isinstance(x, int) for x in distinct) else make("max", *distinct)
            if most != 0:
                terms.append({"by": "interconnect", "cycles": make("ceildiv", most, rate)})
        for kind in sorted(set(self._memory.values())):
            moved = {"load": [], "store": []}
            for (label, direction), group in sorted(self._bytes.items(), key=lambda item: item[0]):
                if self._memory[label] == kind:
                    moved[direction] += group.values()
            load, store = (make("add", *moved[d]) if moved[d] else 0 for d in ("load", "store"))
            timing = self.device.memory(kind).timing
            if timing.half_duplex and timing.read_bytes_per_cycle:
                terms.append(
                    {"by": kind, "cycles": make("ceildiv", make("add", load, store), timing.read_bytes_per_cycle)}
                )
                continue
            ports = ("read", load, timing.read_bytes_per_cycle), ("write", store, timing.write_bytes_per_cycle)
            for port, amount, rate in ports:
                if rate and amount != 0:
                    terms.append({"by": kind, "port": port, "cycles": make("ceildiv", amount, rate)})
        return {
            "terms": terms,
            "vector_ops": make("add", *self._ops) if self._ops else 0,
            "vector_steps": make("add", *self._steps) if self._steps else 0,
        }


def _stage_unit(op: Operation) -> str | None:
    parent = op.parent_op()
    while parent is not None:
        units = parent.attributes.get("applicable_units") or parent.properties.get("applicable_units")
        if units is not None and len(units.data) == 1:  # type: ignore[attr-defined]
            return str(units.data[0].data)  # type: ignore[attr-defined]
        parent = parent.parent_op()
    return None


@dataclass
class Vectors:
    """Prices the bodies of generics. What several generics compute from the same values is counted once (fusion may
    repeat it), and what does not depend on a dimension is counted once for that dimension."""

    device: Device
    keys: dict[SSAValue, Any] = field(default_factory=dict)
    numbers: dict[Any, int] = field(default_factory=dict)
    """A number for every computation, so that the key of one that uses it holds the number: written out, the keys of
    values that are used twice at every step would double with every step."""
    seen: dict[Any, Operation] = field(default_factory=dict)

    def price(self, op: linalg.GenericOp, kind: str) -> tuple[int, int]:
        """(cycles of what is new, vector ops) of one execution of a generic on a unit."""
        extents: dict[int, int] = {}
        whole = frozenset(range(len(op.iterator_types)))
        dims: dict[SSAValue, frozenset[int]] = {}
        block = op.body.block
        row = str(op.attributes.get("headrace.row"))
        for argument, value, m in zip(block.args, (*op.inputs, *op.outputs), op.indexing_maps.data, strict=True):
            shape = value.type.get_shape() if isinstance(value.type, TensorType | MemRefType) else ()
            for expr, n in zip(m.data.results, shape, strict=False):
                if isinstance(expr, AffineDimExpr):
                    extents[expr.position] = 1 if n == DYNAMIC_INDEX else n
            plain = all(isinstance(e, AffineDimExpr | AffineConstantExpr) for e in m.data.results)
            output = argument.index >= len(op.inputs)
            dims[argument] = frozenset(m.data.used_dims()) if plain and not output else whole
            self.keys[argument] = ("in", value, str(m), row) if not output else ("out", op, argument.index)
        unit = self.device.unit(kind)
        cycles = count = 0
        for inner in block.ops:
            known = whole if inner.name == "linalg.index" else frozenset[int]()
            for v in inner.operands:
                known |= dims.get(v, frozenset())
            operands = tuple(self.keys.get(v, v) for v in inner.operands)
            key = (inner.name, str(inner.properties), str(inner.attributes), operands)
            for i, result in enumerate(inner.results):
                dims[result], self.keys[result] = known, self.numbers.setdefault((*key, i), len(self.numbers))
            short = short_name(inner)
            if short is None:
                continue
            lanes = self.device.timed_lanes((*inner.operands, *inner.results)[0].type, kind)
            elements = prod(extents.get(d, 1) for d in known)
            count += 1
            if self.seen.setdefault(key, op) is op:  # another visit of the same operation is another call
                cycles += -(-elements // lanes) * unit.timing.cycles(short)
        return cycles, count


def short_name(op: Operation) -> str | None:
    """Name under which a device file prices an operation; None for one that costs nothing."""
    if op.name in ("arith.constant", "linalg.yield", "linalg.index"):
        return None
    if all(isinstance(v, BlockArgument) is False and constant_of(v) is not None for v in op.operands) and op.operands:
        return None
    name = op.op_name.data if isinstance(op, ComputeOp) else op.name
    try:
        return semantics.get(name).short
    except (KeyError, HeadraceError):
        return name.rsplit(".", 1)[-1]
