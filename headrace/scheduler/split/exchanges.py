"""Building exchanges between scratchpads: boxes to move become rounds of `headrace.exchange`.

A round holds boxes of one shape over one distance, no tile sending or receiving twice: over a ring such a round loads
all links evenly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdp
from headrace.ir.dialects.headrace_exchange import ExchangeOp, Move, Round
from headrace.ir.types import dtype_of
from headrace.scheduler.build import INDEX, Emitter
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.static import Static
from headrace.scheduler.split.tensor_legalization import Room

MOST_ROUNDS = 1024
"""Most rounds of one exchange: every round is code of its own."""


@dataclass(frozen=True)
class Box:
    """A box to move: tiles, then number of the memref, element offset and strides on each side."""

    sender: int
    receiver: int
    source: int
    target: int
    source_offset: int
    target_offset: int
    sizes: tuple[int, ...]
    source_strides: tuple[int, ...]
    target_strides: tuple[int, ...]
    at: tuple[int, ...] = ()


def merged(sizes: Sequence[int], near: Sequence[int], far: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Sizes and strides without dimensions of extent 1, dimensions joined where both sides walk them evenly."""
    kept: list[tuple[int, int, int]] = []
    for n, a, b in zip(sizes, near, far, strict=True):
        if n == 1:
            continue
        if kept and kept[-1][1] == a * n and kept[-1][2] == b * n:
            kept[-1] = (kept[-1][0] * n, a, b)
        else:
            kept.append((n, a, b))
    return tuple(zip(*kept, strict=True)) if kept else ((1,), (1,), (1,))


def rounds_of(boxes: Sequence[Box], tile_count: int) -> list[Round]:
    """Boxes as rounds: by iteration and shape, then by distance, then first fit."""
    found: dict[tuple, list[list[Move]]] = {}
    for b in boxes:
        sizes, near, far = merged(b.sizes, b.source_strides, b.target_strides)
        key = (b.at, b.source, b.target, sizes, near, far)
        groups = found.setdefault((*key, (b.receiver - b.sender) % tile_count), [])
        move = Move(b.sender, b.receiver, b.source_offset, b.target_offset)
        for group in groups:
            if all(m.sender != move.sender and m.receiver != move.receiver for m in group):
                group.append(move)
                break
        else:
            groups.append([move])
    rounds: list[Round] = []
    for (at, source, target, sizes, near, far, _), groups in found.items():
        rounds += [Round(source, target, sizes, near, far, tuple(g), at) for g in groups]
    return _joined(rounds)


def _joined(rounds: list[Round]) -> list[Round]:
    """Rounds of few moves over different distances put together where no tile would be busy twice."""
    out: list[Round] = []
    for r in rounds:
        for k, o in enumerate(out):
            same = (o.at, o.source, o.target, o.sizes, o.source_strides, o.target_strides) == (
                r.at, r.source, r.target, r.sizes, r.source_strides, r.target_strides)  # fmt: skip
            if not same or {m.sender for m in o.moves} & {m.sender for m in r.moves}:
                continue
            if {m.receiver for m in o.moves} & {m.receiver for m in r.moves}:
                continue
            out[k] = Round(o.source, o.target, o.sizes, o.source_strides, o.target_strides, (*o.moves, *r.moves), o.at)
            break
        else:
            out.append(r)
    return out


@dataclass
class Exchanger:
    """What the rewriting of one kernel's communication shares."""

    kernel: FuncOp
    module: ModuleOp
    device: Device
    room: Room
    static: Static
    count: int = 0
    _tile: SSAValue | None = field(default=None)

    def need_interconnect(self, op: Operation, what: str) -> None:
        """Raise HeadraceError for devices whose cores are not joined."""
        if self.device.interconnect is None:
            name = self.device.name
            raise error(op, f"{what} needs an interconnect between cores, which device '{name}' does not have")

    def buffer(self, count: int, element: Attribute, op: Operation) -> int:
        """Byte address of new scratchpad for `count` elements."""
        return self.room.take(max(1, count) * dtype_of(element).bytes, op)

    def flat(self, address: int, count: int, element: Attribute, emit: Emitter) -> SSAValue:
        """The one-dimensional view of a buffer."""
        return self.room.view(address, [count], element, emit)

    def load(self, emit: Emitter, address: int, shape: Sequence[int], element: Attribute) -> SSAValue:
        """A tensor from a row-major buffer."""
        view = self.room.view(address, list(shape), element, emit)
        return tiles.load(emit, tiles.make_tile(emit, view, [Linear()] * len(shape), list(shape)), element)

    def store(self, emit: Emitter, value: SSAValue, address: int) -> None:
        """A tensor into a row-major buffer."""
        shape = list(value.type.get_shape())  # type: ignore[attr-defined]
        view = self.room.view(address, shape, value.type.element_type, emit)  # type: ignore[attr-defined]
        tiles.store(emit, value, tiles.make_tile(emit, view, [Linear()] * len(shape), list(shape)))

    def exchange(
        self, emit: Emitter, memrefs: Sequence[SSAValue], boxes: Sequence[Box], op: Operation,
        indices: Sequence[SSAValue] = (), notes: Mapping[str, Attribute] | None = None,
    ) -> None:  # fmt: skip
        """Move boxes between tiles; `notes` are attributes of the exchange."""
        rounds = rounds_of([b for b in boxes if prod(b.sizes)], self.static.tiles)
        if len(rounds) > MOST_ROUNDS:
            raise error(op, f"'{op.name}' needs {len(rounds)} rounds of transfers between cores, more than the "
                        f"{MOST_ROUNDS} that one exchange may have (tile-communication)")
        if rounds:
            emit.insert(ExchangeOp(memrefs, indices, self.count, rounds)).attributes.update(notes or {})
            self.count += 1

    # -- tiles --------------------------------------------------------------------------------------------------------

    def tile(self) -> SSAValue:
        """The linear id of the running tile."""
        if self._tile is None:
            first = self.kernel.body.block.first_op
            assert first is not None
            emit = Emitter(InsertPoint.before(first), self.kernel)
            grid = self.static.grid
            op = emit.insert(ktdp.GetComputeTileIdOp.build(result_types=[[INDEX] * len(grid)]))
            total: SSAValue | int = op.results[0]
            for result, extent in zip(op.results[1:], grid[1:], strict=True):
                total = emit.add(emit.mul(total, extent), result)
            self._tile = emit.value(total)
        return self._tile

    def is_one_of(self, emit: Emitter, members: Sequence[int]) -> SSAValue | None:
        """Whether the running tile is one of `members`; None where all tiles are."""
        chosen = sorted(set(members))
        if len(chosen) == self.static.tiles:
            return None
        tile = self.tile()
        steps = {b - a for a, b in pairwise(chosen)}
        if len(chosen) > 2 and len(steps) == 1 and steps != {1}:
            step = steps.pop()
            rest = emit.insert(arith.RemUIOp(tile, emit.value(step))).results[0]
            aligned = emit.insert(arith.CmpiOp(rest, emit.value(chosen[0] % step), "eq")).results[0]
            inside = self._between(emit, tile, chosen[0], chosen[-1])
            return aligned if inside is None else emit.insert(arith.AndIOp(aligned, inside)).results[0]
        total: SSAValue | None = None
        start = 0
        for k, member in enumerate(chosen):
            if k + 1 < len(chosen) and chosen[k + 1] == member + 1:
                continue
            part = self._between(emit, tile, chosen[start], member)
            assert part is not None
            total = part if total is None else emit.insert(arith.OrIOp(total, part)).results[0]
            start = k + 1
        if total is None:
            total = emit.insert(arith.CmpiOp(tile, emit.value(-1), "eq")).results[0]
        return total

    def _between(self, emit: Emitter, tile: SSAValue, low: int, high: int) -> SSAValue | None:
        if low == high:
            return emit.insert(arith.CmpiOp(tile, emit.value(low), "eq")).results[0]
        tests = []
        if low > 0:
            tests.append(emit.insert(arith.CmpiOp(tile, emit.value(low), "sge")).results[0])
        if high < self.static.tiles - 1:
            tests.append(emit.insert(arith.CmpiOp(tile, emit.value(high), "sle")).results[0])
        if len(tests) == 2:
            return emit.insert(arith.AndIOp(*tests)).results[0]
        return tests[0] if tests else None

    def chosen(self, emit: Emitter, by_tile: dict[int, int]) -> SSAValue:
        """The number that the running tile has in `by_tile` (anything on tiles that are not in it)."""
        values = sorted(set(by_tile.values()))
        if len(values) == 1:
            return emit.value(values[0])
        tile = self.tile()
        least = min(by_tile)
        for period in range(1, self.static.tiles + 1):
            if all(g == (t - least) // period + by_tile[least] for t, g in by_tile.items()):
                first = by_tile[least] * period - least
                return emit.value(emit.floordiv(emit.add(tile, first), period))
            if period > 1 and all(g == t % period for t, g in by_tile.items()):
                return emit.insert(arith.RemUIOp(tile, emit.value(period))).results[0]
        total = emit.value(values[-1])
        for g in values[:-1]:
            test = self.is_one_of(emit, [t for t, h in by_tile.items() if h == g])
            if test is not None:
                total = emit.insert(arith.SelectOp(test, emit.value(g), total)).results[0]
        return total

    def guarded(self, emit: Emitter, members: Sequence[int]) -> Emitter:
        """Where to emit what only `members` do."""
        from headrace.scheduler.split.compute_group_extraction import open_if

        test = self.is_one_of(emit, members)
        return emit if test is None else open_if(emit, test, negated=False)


