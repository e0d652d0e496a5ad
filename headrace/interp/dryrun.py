"""The dry run of a kernel: address arithmetic with made-up argument addresses, tensors unknown.

Arguments get addresses far apart, so that every address tells which argument it came from. Loops without views are
skipped; a branch whose condition is unknown counts both ways, a loop whose bounds are unknown counts as
any iteration, or as long as it can be where that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Block, Operation, SSAValue

from headrace.interp import engine, intertile, ktir, tensors, views
from headrace.interp.engine import (
    Control,
    Leaf,
    Running,
    Session,
)
from headrace.interp.index_limits import CASTS, IndexRange
from headrace.interp.memory import box_range
from headrace.interp.values import AccessTile, DistributedView, Poison, PoisonUse, View, mixed
from headrace.interp.views import TileFrame, memory_view, space_kind, space_of
from headrace.ir.diagnostics import error

APART = 1 << 44
"""Distance of the made-up argument addresses in bytes."""

UNKNOWN = Poison("data in memory")


@dataclass
class Use:
    """What the dry run saw of one memory view operation (or of one scratchpad range)."""

    op: Operation
    root: str | None
    low: int
    high: int
    views: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    """(base, sizes, byte strides), each once."""


# -- the dry run -----------------------------------------------------------------------------------------------------


class DryFrame(TileFrame):
    """A tile whose tensors are unknown."""

    def __init__(self, session: Session, tile: int, grid: Sequence[int], notes: Notes):
        super().__init__(session, tile, grid)
        self.notes = notes

    def poisoned(self, op: Operation, poison: Poison) -> None:
        if op.name == "scf.parallel":
            raise error(op, f"the bounds of this loop depend on {poison.reason}")
        if op.name == "ktdp.construct_memory_view":
            self.notes.unknown.setdefault(op, poison)
        for r in op.results:
            self.values[r] = poison


@dataclass
class Notes:
    uses: dict[Any, Use] = field(default_factory=dict)
    local: dict[tuple[int, Any], LocalRange] = field(default_factory=dict)
    written: dict[int, NDArray[np.bool_]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    callers: dict[str, list[Operation]] = field(default_factory=dict)
    roots: dict[Operation, str | None] = field(default_factory=dict)
    later: list[tuple[int, NDArray[np.int64], LocalRange]] = field(default_factory=list)
    """Reads of other tiles' scratchpads: owner, bytes, range."""
    unknown: dict[Operation, Poison] = field(default_factory=dict)
    """Views whose address or shape depends on data, or on an argument without a value."""


@dataclass
class LocalRange:
    """A scratchpad view of one tile, and whether it was read before it was written, or written."""

    view: View
    read: bool = False
    write: bool = False


def _view(f: Any, op: Any) -> None:
    most = [_at_most(f, v) for v in op.sizes]
    known = [f.get(v) if n is None else n for v, n in zip(op.sizes, most, strict=True)]
    sizes = mixed(op.static_sizes.get_values(), known)
    kind, _ = space_kind(op.properties.get("memory_space"))
    if kind != "global":
        space, owner = space_of(f, op.properties.get("memory_space"), op)
        f.values[op.results[0]] = memory_view(f, op, sizes, space, owner)
        return
    view = memory_view(f, op, sizes, f.session.memory.main, None)
    f.values[op.results[0]] = view
    if 0 in sizes:
        return
    notes: Notes = f.notes
    low, high = box_range(view.base, sizes, view.strides, view.dtype.bytes)
    number = (view.base + APART // 2) // APART
    root = notes.names[number - 1] if number > 0 else None
    if root is not None:
        base = view.base - number * APART
        low, high = low - number * APART, high - number * APART
    else:
        base = view.base
    key = (op, root)
    use = notes.uses.setdefault(key, Use(op, root, low, high))
    use.low, use.high = min(use.low, low), max(use.high, high)
    entry = (base, sizes, view.strides)
    if entry not in use.views and len(use.views) < 64:
        use.views.append(entry)


def _touch(f: Any, tile: Any, writes: bool) -> None:
    """Record a load or store of scratchpad memory."""
    if not isinstance(tile, AccessTile):
        return
    if isinstance(tile.base, View):
        start = tuple(o + lo for o, lo in zip(tile.origin, tile.points.lo, strict=True))
        shape = tuple(min(n, s) for n, s in zip(tile.points.shape, tile.base.sizes, strict=True))
        _touch_box(f, tile.base, start, shape, writes)
    elif isinstance(tile.base, DistributedView):
        for view, points in tile.base.parts:
            low = [max(o + a, b) for o, a, b in zip(tile.origin, tile.points.lo, points.lo, strict=True)]
            ends = zip(tile.origin, tile.points.lo, tile.points.shape, points.lo, points.shape, strict=True)
            high = [min(o + a + n, b + m) for o, a, n, b, m in ends]
            shape = tuple(max(0, b - a) for a, b in zip(low, high, strict=True))
            start = tuple(a - b for a, b in zip(low, points.lo, strict=True))
            _touch_box(f, view, start, shape, writes)


def _touch_box(f: Any, view: View, start: tuple[int, ...], shape: tuple[int, ...], writes: bool) -> None:
    """Record an access to a box of one view. What a tile reads of another one's scratchpad is judged in the end: the
    dry run takes one tile after the other."""
    owner, notes = view.owner, f.notes
    if owner is None or 0 in shape:
        return
    assert isinstance(owner, int)
    low, high = box_range(view.base, view.sizes, view.strides, view.dtype.bytes)
    known = notes.written.get(owner, np.zeros(0, np.bool_))
    if known.size < high:
        known = np.concatenate([known, np.zeros(2 * high - known.size, np.bool_)])
        notes.written[owner] = known
    base = view.base + sum(a * s for a, s in zip(start, view.strides, strict=True))
    grid = np.asarray(base, np.int64)
    for k, (n, s) in enumerate(zip(shape, view.strides, strict=True)):
        grid = grid[..., None] + np.arange(n, dtype=np.int64) * s if k else grid + np.arange(n, dtype=np.int64) * s
    touched = np.clip(grid.reshape(-1), low, high - 1)
    use = notes.local.setdefault((owner, (view.base, view.sizes, view.strides, view.dtype.name)), LocalRange(view))
    if writes:
        for b in range(view.dtype.bytes):
            known[np.minimum(touched + b, known.size - 1)] = True
        use.write = True
    elif owner != f.tile:
        notes.later.append((owner, touched, use))
    elif not known[touched].all():
        use.read = True


def settle(notes: Notes) -> None:
    """Judge what tiles have read of each other's scratchpads, when all have run."""
    for owner, touched, use in notes.later:
        if not notes.written[owner][touched].all():
            use.read = True


def _load(f: Any, op: Any) -> None:
    tile = f.values[op.operands[0]]
    if not isinstance(tile, Poison):
        _touch(f, tile, False)
    f.values[op.results[0]] = UNKNOWN


def _store(f: Any, op: Any) -> None:
    tile = f.values[op.operands[1]]
    if not isinstance(tile, Poison):
        _touch(f, tile, True)


def unknown(f: Any, op: Operation) -> None:
    for r in op.results:
        f.values[r] = UNKNOWN


def _tile(f: Any, op: Any) -> None:
    base = f.values[op.operands[0]]
    if isinstance(base, Poison):
        raise PoisonUse(base)
    indirect = op.name == "ktdp.construct_indirect_access_tile"
    if indirect:
        ranges = f.session.cache["ranges"]
        kinds = [bool(k.value.data) for k in op.per_dim_subscript_kinds.data]
        for k, view in zip([k for k, held in enumerate(kinds) if held], op.indirect_memrefs, strict=True):
            held = f.values[view]
            if isinstance(held, View) and held.op is not None:
                ranges.setdefault(held.op, IndexRange()).below(base.sizes[k])
    if f.session.cache["local"] or indirect:
        views.LEAVES[op.name](f, op)
    else:
        f.values[op.results[0]] = UNKNOWN


def _if(f: Any, op: Operation) -> Running:
    condition = f.values[op.operands[0]]
    if not isinstance(condition, Poison):
        return (yield from engine.CONTROLS["scf.if"](f, op))
    for region in op.regions:  # unknown: what either branch does counts
        if region.blocks:
            yield from f.run_block(region.blocks[0])
    for r in op.results:
        f.values[r] = condition
    return ()


def _for(f: Any, op: Operation) -> Running:
    cache = f.session.cache
    key = (op, "needed")
    if key not in cache:
        cache[key] = any(inner.name in cache["interesting"] for inner in op.walk() if inner is not op) or any(
            not hasattr(r.type, "element_type") and r.uses.get_length() for r in op.results
        )
    upper = op.operands[1]
    if cache[key] and isinstance(f.values[upper], Poison) and (most := _at_most(f, upper)) is not None:
        f.values[upper], unknown_bound = most, f.values[upper]
        yield from engine.CONTROLS["scf.for"](f, op)
        f.values[upper] = unknown_bound
    elif cache[key] and any(isinstance(f.values[v], Poison) for v in op.operands[:3]):
        yield from _any_iteration(f, op.regions[0].blocks[0])
    elif cache[key]:
        return (yield from engine.CONTROLS["scf.for"](f, op))
    for r in op.results:
        f.values[r] = UNKNOWN
    return ()


def _at_most(f: Any, value: SSAValue) -> int | None:
    """What a number computed from data is at most, where a minimum with a known number, and casts, sums and quotients
    of one, say so."""
    if not isinstance(f.values[value], Poison):
        return int(f.values[value])
    op = value.owner
    if not isinstance(op, Operation):
        return None
    if op.name in CASTS:
        return _at_most(f, op.operands[0])
    if op.name == "arith.minsi":
        return min((n for n in (_at_most(f, v) for v in op.operands) if n is not None), default=None)
    if op.name not in _GROWING or isinstance(f.values[op.operands[1]], Poison):
        return None
    by = int(f.values[op.operands[1]])
    most = _at_most(f, op.operands[0])
    if most is None or (by <= 0 and "div" in op.name):
        return None
    return _GROWING[op.name](most, by)


_GROWING: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda most, by: most + by,
    "arith.subi": lambda most, by: most - by,
    "arith.floordivsi": lambda most, by: most // by,
    "arith.ceildivsi": lambda most, by: -(-most // by),
}


def _while(f: Any, op: Operation) -> Running:
    before, after = (region.blocks[0] for region in op.regions)
    start = yield from f.run_block(before, tuple(f.values[v] for v in op.operands))
    if not isinstance(start[0], Poison):
        return (yield from engine.CONTROLS["scf.while"](f, op))
    yield from _any_iteration(f, before)
    yield from _any_iteration(f, after)
    for r in op.results:
        f.values[r] = UNKNOWN
    return ()


def _any_iteration(f: Any, block: Block) -> Running:
    """The body of a loop that runs for a number of times that is not known: nothing is known of what it carries."""
    return (yield from f.run_block(block, [UNKNOWN] * len(block.args)))


def _skip(f: Any, op: Operation) -> Running:
    for r in op.results:
        f.values[r] = UNKNOWN
    return ()
    yield


def _produce(f: Any, op: Any) -> Running:
    """Producers run the region: it may load."""
    mine = [g for g, tiles in intertile.producers(f, op).items() if f.tile in tiles]
    if mine:
        yield from f.run_block(op.body.block, (mine[0],))
    return (yield from _skip(f, op))


_KEPT = ("arith.", "affine.", "math.", "spyreop.")


def _leaves() -> dict[str, Leaf]:
    table: dict[str, Leaf] = {}
    for name, leaf in ktir.LEAVES.items():
        if name.startswith(("linalg.", "tensor.")):
            table[name] = unknown
        elif name.startswith(_KEPT):
            table[name] = _only_scalars(leaf)
        else:
            table[name] = leaf
    table |= {
        "ktdp.construct_memory_view": _view,
        "ktdp.construct_access_tile": _tile,
        "ktdp.construct_indirect_access_tile": _tile,
        "ktdp.load": _load,
        "ktdp.store": _store,
        "tensor.from_elements": _small(tensors.LEAVES["tensor.from_elements"]),
        "tensor.extract": _small(tensors.LEAVES["tensor.extract"]),
    }
    return table


def _only_scalars(leaf: Leaf) -> Leaf:
    def run(f: Any, op: Operation) -> None:
        if any(hasattr(r.type, "element_type") for r in op.results) and op.name != "arith.constant":
            unknown(f, op)
        else:
            leaf(f, op)

    return run


def _small(leaf: Leaf) -> Leaf:
    """Shape arithmetic on tensors of index values is still carried out where its operands are known."""

    def run(f: Any, op: Operation) -> None:
        if any(isinstance(f.values[v], Poison) for v in op.operands):
            unknown(f, op)
        else:
            leaf(f, op)

    return run


LEAVES: dict[str, Leaf] = _leaves()
CONTROLS: dict[str, Control] = {
    **engine.CONTROLS,
    "scf.if": _if,
    "scf.for": _for,
    "scf.while": _while,
    **dict.fromkeys(intertile.CONTROLS, _skip),
    "ktdp.inter_tile_produce": _produce,
}
