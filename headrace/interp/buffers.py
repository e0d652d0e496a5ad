"""Which buffers a kernel has: a dry run of its address arithmetic.

A buffer is a root, a kernel argument or a constant, of global memory views; its extent is the union over views, tiles and
iterations. Arguments get made-up addresses far apart, so that every address tells which argument it came from. Tensors are never
computed. Scratchpad (`ct_local`) ranges that are read before they are written become inputs, written ones outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from headrace.interp import access, engine, ktir, tensors
from headrace.interp.access import TileFrame, calls_of, memory_view, space_kind
from headrace.interp.arguments import bind, runtime_arg
from headrace.interp.engine import (
    Control,
    Leaf,
    Running,
    Session,
    argument_names,
    find_kernel,
    finish,
    functions_of,
    grid_of,
)
from headrace.interp.memory import Memory, box_range
from headrace.interp.values import AccessTile, IndirectTile, Poison, PoisonUse, View, mixed
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType

Role = Literal["input", "output", "inout"]

APART = 1 << 44
"""Distance of the made-up argument addresses in bytes."""

UNKNOWN = Poison("data in memory")


@dataclass(frozen=True)
class BufferInfo:
    """One buffer of a kernel.

    `root` is the argument's name, or None for a buffer at a constant `address` (bytes). `shape` and `strides` (elements) are those
    of the view that covers the buffer from its first byte, or flat. `extent` is its size in bytes; it starts `before` bytes
    below the argument's value. Scratchpad buffers have `local` set: `address` is their offset, the leading dimension the tile.
    `index_limit`: values are used as indices below this bound. `mixed_types`: views disagree, the buffer is raw bytes (i8).
    """

    name: str
    root: str | None
    role: Role
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    extent: int
    address: int | None = None
    before: int = 0
    local: bool = False
    index_limit: int | None = None
    mixed_types: bool = False

    @property
    def is_input(self) -> bool:
        return self.role in ("input", "inout")

    @property
    def is_output(self) -> bool:
        return self.role in ("output", "inout")


@dataclass(frozen=True)
class KernelBuffers:
    """The buffers of a kernel, and the arguments that reach no address with their defaults (None: must be given)."""

    kernel: str
    grid: tuple[int, ...]
    buffers: tuple[BufferInfo, ...]
    scalars: Mapping[str, Any]


@dataclass
class _Use:
    """What the dry run saw of one memory view operation (or of one scratchpad range)."""

    op: Operation
    root: str | None
    low: int
    high: int
    views: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    """(base, sizes, byte strides), each once."""


# -- which arguments are addresses ---------------------------------------------------------------------------------------

_ADDITIVE = frozenset(
    {
        "arith.addi", "arith.subi", "arith.index_cast", "arith.index_castui", "arith.select", "arith.extsi", "arith.extui",
        "arith.trunci", "ktdp.runtime_arg_extract", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui",
    }
)  # fmt: skip


def address_arguments(value: SSAValue, callers: Mapping[str, list[Operation]]) -> list[BlockArgument]:
    """Kernel arguments that `value` is an offset from: reached by additions and casts only, in order of position."""
    found: set[BlockArgument] = set()
    seen: set[SSAValue] = set()
    todo = [value]
    while todo:
        v = todo.pop()
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v, BlockArgument):
            parent = v.block.parent_op()
            if isinstance(parent, FuncOp):
                calls = callers.get(parent.sym_name.data, [])
                todo += [c.operands[v.index] for c in calls]
                if not calls:
                    found.add(v)
            elif parent is not None and parent.name == "scf.for":
                todo.append(parent.operands[0] if v.index == 0 else parent.operands[2 + v.index])
            continue
        op = v.owner
        if isinstance(op, Operation) and op.name in _ADDITIVE:
            todo += op.operands[1:] if op.name == "arith.select" else op.operands
        elif isinstance(op, Operation) and op.name in ("scf.for", "scf.if"):
            for region in op.regions:
                if region.blocks and (last := region.blocks[-1].last_op) is not None:
                    todo.append(last.operands[v.index])  # type: ignore[attr-defined]
    return sorted(found, key=lambda a: a.index)


def _addresses_and_scalars(
    function: FuncOp, module: ModuleOp, given: Mapping[str, Any]
) -> tuple[list[str], dict[str, Any]]:
    """Names of address arguments, and the other arguments with their defaults."""
    names = dict(zip(function.body.blocks[0].args, argument_names(function), strict=True))
    callers = calls_of(module)
    addresses: set[str] = set()
    for op in module.walk():
        if op.name != "ktdp.construct_memory_view" or space_kind(op.properties.get("memory_space"))[0] != "global":
            continue
        reached = [
            a for a in address_arguments(op.operands[0], callers) if a in names and isinstance(a.type, IndexType)
        ]
        open_ = [a for a in reached if names[a] not in given] or reached[:1]
        pointers = [a for a in open_ if _mostly_pointer(a)] or open_
        addresses.update(names[a] for a in pointers[:1])
    scalars_: dict[str, Any] = {}
    for a, n in names.items():
        if n in addresses:
            continue
        t = runtime_arg(a.type)
        scalars_[n] = given.get(n, t.upperbound if t is not None else None)
    return [n for n in names.values() if n in addresses], scalars_


def _mostly_pointer(argument: BlockArgument) -> bool:
    """Whether the argument is itself the start of a view, or only added to; a size or a count is not."""
    return all(u.operation.name in (*_ADDITIVE, "ktdp.construct_memory_view", "func.call") for u in argument.uses)


# -- the dry run ---------------------------------------------------------------------------------------------------------


class _DryFrame(TileFrame):
    """A tile whose tensors are unknown."""

    def __init__(self, session: Session, tile: int, grid: Sequence[int], notes: _Notes):
        super().__init__(session, tile, grid)
        self.notes = notes

    def poisoned(self, op: Operation, poison: Poison) -> None:
        if op.name in ("scf.for", "scf.while", "scf.parallel"):
            raise error(op, f"the bounds of this loop depend on {poison.reason}")
        if op.name in ("ktdp.construct_memory_view",):
            raise error(op, f"the address or shape of this view depends on {poison.reason}")
        for r in op.results:
            self.values[r] = poison


@dataclass
class _Notes:
    uses: dict[Any, _Use] = field(default_factory=dict)
    local: dict[tuple[int, Any], _LocalRange] = field(default_factory=dict)
    written: dict[int, NDArray[np.bool_]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    callers: dict[str, list[Operation]] = field(default_factory=dict)
    roots: dict[Operation, str | None] = field(default_factory=dict)


@dataclass
class _LocalRange:
    """A scratchpad view of one tile, and whether it was read before it was written, or written."""

    view: View
    read: bool = False
    write: bool = False


def _view(f: Any, op: Any) -> None:
    sizes = mixed(op.static_sizes.get_values(), f.all(op.sizes))
    kind, _ = space_kind(op.properties.get("memory_space"))
    if kind != "global":
        space, owner = access.space_of(f, op.properties.get("memory_space"), op)
        f.values[op.results[0]] = memory_view(f, op, sizes, space, owner)
        return
    view = memory_view(f, op, sizes, f.session.memory.main, None)
    f.values[op.results[0]] = view
    if 0 in sizes:
        return
    notes: _Notes = f.notes
    low, high = box_range(view.base, sizes, view.strides, view.dtype.bytes)
    number = (view.base + APART // 2) // APART
    root = notes.names[number - 1] if number > 0 else None
    if root is not None:
        base = view.base - number * APART
        low, high = low - number * APART, high - number * APART
    else:
        base = view.base
    key = (op, root)
    use = notes.uses.setdefault(key, _Use(op, root, low, high))
    use.low, use.high = min(use.low, low), max(use.high, high)
    entry = (base, sizes, view.strides)
    if entry not in use.views and len(use.views) < 64:
        use.views.append(entry)


def _touch(f: Any, tile: Any, writes: bool) -> None:
    """Record a load or store of scratchpad memory."""
    if not isinstance(tile, AccessTile) or not isinstance(tile.base, View) or tile.base.owner is None:
        return
    view, notes = tile.base, f.notes
    owner = view.owner
    assert isinstance(owner, int)
    low, high = box_range(view.base, view.sizes, view.strides, view.dtype.bytes)
    known = notes.written.get(owner, np.zeros(0, np.bool_))
    if known.size < high:
        known = np.concatenate([known, np.zeros(2 * high - known.size, np.bool_)])
        notes.written[owner] = known
    shape = tuple(min(n, s) for n, s in zip(tile.points.shape, view.sizes, strict=True))
    base = view.base + sum((o + lo) * s for o, lo, s in zip(tile.origin, tile.points.lo, view.strides, strict=True))
    if 0 in shape:
        return
    grid = np.asarray(base, np.int64)
    for k, (n, s) in enumerate(zip(shape, view.strides, strict=True)):
        grid = grid[..., None] + np.arange(n, dtype=np.int64) * s if k else grid + np.arange(n, dtype=np.int64) * s
    touched = np.clip(grid.reshape(-1), low, high - 1)
    use = notes.local.setdefault((owner, (view.base, view.sizes, view.strides, view.dtype.name)), _LocalRange(view))
    if writes:
        for b in range(view.dtype.bytes):
            known[np.minimum(touched + b, known.size - 1)] = True
        use.write = True
    elif not known[touched].all():
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


def _unknown(f: Any, op: Operation) -> None:
    for r in op.results:
        f.values[r] = UNKNOWN


def _tile(f: Any, op: Any) -> None:
    base = f.values[op.operands[0]]
    if isinstance(base, Poison):
        raise PoisonUse(base)
    if f.session.cache["local"] or op.name.endswith("indirect_access_tile"):
        access.LEAVES[op.name](f, op)
        tile = f.values[op.results[0]]
        if isinstance(tile, IndirectTile):
            limits = f.session.cache["limits"]
            for k, (view, _) in enumerate(tile.subscripts):
                if view is not None and view.op is not None:
                    limit = tile.base.sizes[k]
                    limits[view.op] = min(limits.get(view.op, limit), limit)
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
    if cache[key]:
        return (yield from engine.CONTROLS["scf.for"](f, op))
    for r in op.results:
        f.values[r] = UNKNOWN
    return ()


def _skip(f: Any, op: Operation) -> Running:
    for r in op.results:
        f.values[r] = UNKNOWN
    return ()
    yield


_KEPT = ("arith.", "affine.", "math.", "spyreop.")


def _leaves() -> dict[str, Leaf]:
    table: dict[str, Leaf] = {}
    for name, leaf in ktir.LEAVES.items():
        if name.startswith(("linalg.", "tensor.")):
            table[name] = _unknown
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
            _unknown(f, op)
        else:
            leaf(f, op)

    return run


def _small(leaf: Leaf) -> Leaf:
    """Shape arithmetic on tensors of index values is still carried out where its operands are known."""

    def run(f: Any, op: Operation) -> None:
        if any(isinstance(f.values[v], Poison) for v in op.operands):
            _unknown(f, op)
        else:
            leaf(f, op)

    return run


LEAVES: dict[str, Leaf] = _leaves()
CONTROLS: dict[str, Control] = {
    **engine.CONTROLS,
    "scf.if": _if,
    "scf.for": _for,
    "ktdp.inter_tile_produce": _skip,
    "ktdp.inter_tile_consume": _skip,
    "ktdp.inter_tile_reduce": _skip,
}


# -- roles and shapes ----------------------------------------------------------------------------------------------------


def roles_of(module: ModuleOp) -> dict[Operation, set[str]]:
    """`load` and `store` per memory view operation, by following views to access tiles and their users."""
    found: dict[Operation, set[str]] = {}
    for op in module.walk():
        if op.name != "ktdp.construct_memory_view":
            continue
        roles: set[str] = set()
        todo: list[tuple[SSAValue, bool]] = [(op.results[0], False)]
        seen: set[SSAValue] = set()
        while todo:
            value, index = todo.pop()
            if value in seen:
                continue
            seen.add(value)
            for use in value.uses:
                user = use.operation
                if user.name == "ktdp.load":
                    roles.add("load")
                elif user.name == "ktdp.store" and use.index == 1:
                    roles.add("load" if index else "store")
                elif user.name == "ktdp.construct_indirect_access_tile":
                    todo.append((user.results[0], index or use.index > 0))
                    if use.index > 0:
                        roles.add("load")
                elif user.name in ("scf.yield",):
                    parent = user.parent_op()
                    if parent is not None:
                        todo += [(r, index) for r in parent.results]
                elif user.name == "scf.for":
                    todo += [(a, index) for a in user.regions[0].blocks[0].args]
                    todo += [(r, index) for r in user.results]
                elif user.name != "func.call":
                    todo += [(r, index) for r in user.results]
        found[op] = roles
    return found


def _role(roles: set[str]) -> Role:
    if roles == {"store"}:
        return "output"
    return "inout" if "store" in roles else "input"


def _injective(sizes: Sequence[int], strides: Sequence[int], width: int) -> bool:
    """Whether different coordinates have different bytes (sufficient test: strides nest)."""
    reach = width
    for stride, size in sorted((abs(s), n) for s, n in zip(strides, sizes, strict=True) if n > 1):
        if stride < reach:
            return False
        reach = stride * (size - 1) + reach
    return True


def _shape(uses: list[_Use], low: int, high: int, dtype: DType) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(shape, element strides) of the first view that covers [low, high) without overlapping itself."""
    for use in uses:
        for base, sizes, strides in use.views:
            if min(strides, default=0) < 0 or base != low or box_range(base, sizes, strides, dtype.bytes)[1] != high:
                continue
            if _injective(sizes, strides, dtype.bytes):
                return sizes, tuple(s // dtype.bytes for s in strides)
    return None


def _merge(uses: list[_Use]) -> list[list[_Use]]:
    """Constant-address uses grouped so that groups do not overlap."""
    groups: list[list[_Use]] = []
    end = None
    for use in sorted(uses, key=lambda u: (u.low, u.high)):
        if end is not None and use.low < end:
            groups[-1].append(use)
        else:
            groups.append([use])
            end = use.high
        end = max(end or use.high, use.high)
    return groups


def _buffer(
    name: str, root: str | None, uses: list[_Use], roles: Mapping[Operation, set[str]], limits: Mapping[Operation, int]
) -> BufferInfo:
    from headrace.interp.values import element_dtype

    kinds = {element_dtype(u.op.results[0].type).name for u in uses}
    low, high = min(u.low for u in uses), max(u.high for u in uses)
    if root is not None:
        low = min(low, 0)
    role = _role(set().union(*(roles[u.op] for u in uses)))
    bounds = [limits[u.op] for u in uses if u.op in limits]
    dtype = dtypes.get(kinds.pop()) if len(kinds) == 1 else dtypes.get("i8")
    found = _shape(uses, low, high, dtype) if not kinds else None
    shape, strides = found if found is not None else (((high - low) // dtype.bytes,), (1,))
    return BufferInfo(
        name, root, role, dtype, shape, strides, high - low, None if root is not None else low, -low if root is not None else 0,
        index_limit=min(bounds) if bounds else None, mixed_types=bool(kinds),
    )  # fmt: skip


def _local_buffers(notes: _Notes, tiles: int) -> list[BufferInfo]:
    """Scratchpad ranges by offset: inputs where some tile reads before it writes, outputs where one writes."""
    by_view: dict[Any, tuple[View, set[str]]] = {}
    for (_, key), use in sorted(notes.local.items(), key=lambda kv: (kv[0][1][0], kv[0][0])):
        view, roles = by_view.setdefault(key, (use.view, set()))
        roles |= {r for r, on in (("load", use.read), ("store", use.write)) if on}
    made: list[BufferInfo] = []
    end = -1
    for view, roles in by_view.values():
        if not roles:
            continue
        low, high = box_range(view.base, view.sizes, view.strides, view.dtype.bytes)
        name = f"lx_{low}" if low >= end else f"lx_{low}_{len(made)}"
        end = max(end, high)
        strides = tuple(s // view.dtype.bytes for s in view.strides)
        made.append(
            BufferInfo(
                name, None, _role(roles), view.dtype, (tiles, *view.sizes), (0, *strides), high - low, low, local=True
            )
        )  # fmt: skip
    return made


def find_buffers(module: ModuleOp, kernel: str | None = None, args: Mapping[str, Any] | None = None) -> KernelBuffers:
    """The buffers and scalar arguments of a kernel, by a dry run over all tiles and iterations.

    `args` gives scalar values by name (runtime arguments default to their upper bound). Raises HeadraceError where a scalar is
    missing, or where an address, a shape or a loop bound depends on data in memory.
    """
    given = dict(args or {})
    function = find_kernel(module, kernel)
    grid = grid_of(function)
    addresses, scalar_values = _addresses_and_scalars(function, module, given)
    values: dict[str, Any] = {n: (k + 1) * APART for k, n in enumerate(addresses)}
    values |= {n: v for n, v in scalar_values.items() if v is not None}
    stray = sorted(set(given) - set(argument_names(function)))
    if stray:
        bind(function, given)
    count = int(np.prod(grid, dtype=np.int64))
    notes = _Notes(names=tuple(addresses))
    session = Session(LEAVES, CONTROLS, functions_of(module), Memory())
    local = any(
        op.name == "ktdp.construct_memory_view" and space_kind(op.properties.get("memory_space"))[0] == "local"
        for op in module.walk()
    )
    interesting = {"ktdp.construct_memory_view", "ktdp.construct_indirect_access_tile", "func.call"}
    if local:
        interesting |= {"ktdp.load", "ktdp.store"}
    session.cache |= {"local": local, "limits": {}, "interesting": interesting}
    bound = _bound(function, values, scalar_values)
    for tile in range(count):
        frame = _DryFrame(session, tile, grid, notes)
        finish(frame.call(function, bound))
    roles, limits = roles_of(module), session.cache["limits"]
    buffers: list[BufferInfo] = []
    for name in addresses:
        mine = [u for u in notes.uses.values() if u.root == name]
        if mine:
            buffers.append(_buffer(name, name, mine, roles, limits))
    for group in _merge([u for u in notes.uses.values() if u.root is None]):
        low = min(u.low for u in group)
        buffers.append(_buffer(f"at_{low}", None, group, roles, limits))
    buffers += _local_buffers(notes, count)
    return KernelBuffers(function.sym_name.data, grid, tuple(buffers), scalar_values)


def _bound(function: FuncOp, values: Mapping[str, Any], scalar_values: Mapping[str, Any]) -> list[Any]:
    """Argument values; scalars nobody gave are unknown, and an error where an address needs them."""
    names = argument_names(function)
    filled = {n: values.get(n, 0) for n in names}
    bound = bind(function, filled)
    missing = {n for n, v in scalar_values.items() if v is None}
    return [
        Poison(f"argument '{n}', which has no value") if n in missing else v for n, v in zip(names, bound, strict=True)
    ]


# -- placing arrays ------------------------------------------------------------------------------------------------------


def place(
    found: KernelBuffers, arrays: Mapping[str, NDArray[Any]], start: int = 1 << 16, align: int = 128
) -> tuple[Memory, dict[str, Any]]:
    """A memory with every buffer filled from `arrays` (value arrays of the buffers' shapes; absent ones are zero), and the
    kernel's arguments for it. Argument buffers are laid out from `start`, aligned to `align` bytes."""
    memory = Memory()
    args: dict[str, Any] = {n: v for n, v in found.scalars.items() if v is not None}
    for b in found.buffers:
        if b.address is not None and not b.local:
            memory.add_bytes(b.name, b.address, b.extent)
            start = max(start, b.address + b.extent)
    for b in found.buffers:
        if b.root is None:
            continue
        start = -(-start // align) * align + (-b.before) % align
        memory.add_bytes(b.name, start, b.extent)
        args[b.root] = start + b.before
        start += b.extent
    for b in found.buffers:
        if b.name in arrays:
            put(memory, b, arrays[b.name])
    return memory, args


def _boxes(memory: Memory, b: BufferInfo) -> list[tuple[Any, int]]:
    """(space, base byte) of each part of a buffer: one per tile for scratchpad buffers."""
    if b.local:
        assert b.address is not None
        return [(memory.local(t), b.address) for t in range(b.shape[0])]
    return [(memory.main, memory.main.named(b.name).address)]


def put(memory: Memory, b: BufferInfo, values: NDArray[Any]) -> None:
    """Fill a buffer from values in its shape."""
    shape, strides = (b.shape[1:], b.strides[1:]) if b.local else (b.shape, b.strides)
    values = np.asarray(values, b.dtype.value_dtype).reshape(b.shape)
    for k, (space, base) in enumerate(_boxes(memory, b)):
        space.write_box(
            base, shape, tuple(s * b.dtype.bytes for s in strides), b.dtype, values[k] if b.local else values
        )


def fetch(memory: Memory, b: BufferInfo) -> NDArray[Any]:
    """Values of a buffer in its shape (scratchpad bytes never written read as zero)."""
    shape, strides = (b.shape[1:], b.strides[1:]) if b.local else (b.shape, b.strides)
    parts = []
    for space, base in _boxes(memory, b):
        space.prepare(base, base + b.extent)
        whole = np.ndarray(
            shape, np.dtype(b.dtype.storage_dtype), space.find(base, b.extent).data.data, base - space.find(base, 1).address,
            tuple(s * b.dtype.bytes for s in strides),
        )  # fmt: skip
        parts.append(b.dtype.decode(whole.copy()))
    return np.stack(parts) if b.local else parts[0]
