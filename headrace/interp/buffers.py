"""Which buffers a kernel has: a dry run of its address arithmetic.

A buffer is a root, a kernel argument or a constant, of global memory views; its extent is the union over views, tiles
and iterations. Arguments get made-up addresses far apart, so that every address tells which argument it came from.
Tensors are never computed. Scratchpad (`ct_local`) ranges that are read before they are written become inputs,
written ones outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from headrace.interp.arguments import bind, check_numbers, runtime_arg
from headrace.interp.buffer_info import BufferInfo, KernelBuffers, Role
from headrace.interp.dryrun import APART, CONTROLS, LEAVES, UNKNOWN, DryFrame, Notes, Use, settle
from headrace.interp.engine import (
    Session,
    argument_names,
    find_kernel,
    finish,
    functions_of,
    grid_of,
)
from headrace.interp.index_limits import Ranges, index_ranges
from headrace.interp.memory import Memory, box_range
from headrace.interp.values import Poison, View
from headrace.interp.views import calls_of, space_kind
from headrace.ir.diagnostics import error
from headrace.numerics import dtypes
from headrace.numerics.dtypes import DType

# -- which arguments are addresses -----------------------------------------------------------------------------------

_ADDITIVE = frozenset(
    {
        "arith.addi", "arith.subi", "arith.index_cast", "arith.index_castui", "arith.select", "arith.extsi",
        "arith.extui", "arith.trunci", "ktdp.runtime_arg_extract", "arith.minsi", "arith.maxsi",
        "arith.minui", "arith.maxui",
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
        unused = None if a.uses else 0
        scalars_[n] = given.get(n, unused if t is None or t.upperbound is None else t.upperbound)
    return [n for n in names.values() if n in addresses], scalars_


def _mostly_pointer(argument: BlockArgument) -> bool:
    """Whether the argument is itself the start of a view, or only added to; a size or a count is not."""
    return all(u.operation.name in (*_ADDITIVE, "ktdp.construct_memory_view", "func.call") for u in argument.uses)


# -- roles and shapes ------------------------------------------------------------------------------------------------


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


def _shape(uses: list[Use], low: int, high: int, dtype: DType) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(shape, element strides) of the first view that covers [low, high) without overlapping itself."""
    for use in uses:
        for base, sizes, strides in use.views:
            if min(strides, default=0) < 0 or base != low or box_range(base, sizes, strides, dtype.bytes)[1] != high:
                continue
            if _injective(sizes, strides, dtype.bytes):
                return sizes, tuple(s // dtype.bytes for s in strides)
    return None


def _merge(uses: list[Use]) -> list[list[Use]]:
    """Constant-address uses grouped so that groups do not overlap."""
    groups: list[list[Use]] = []
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
    name: str,
    root: str | None,
    uses: list[Use],
    roles: Mapping[Operation, set[str]],
    ranges: Ranges,
    more: set[str] | None = None,
) -> BufferInfo:
    """The buffer of some views; `more`: what is done through others of it."""
    from headrace.interp.values import element_dtype

    kinds = {element_dtype(u.op.results[0].type).name for u in uses}
    low, high = min(u.low for u in uses), max(u.high for u in uses)
    if root is not None:
        low = min(low, 0)
    role = _role((more or set()).union(*(roles[u.op] for u in uses)))
    held = [ranges[u.op] for u in uses if u.op in ranges]
    bounds = [r.limit for r in held if r.limit is not None]
    dtype = dtypes.get(kinds.pop()) if len(kinds) == 1 else dtypes.get("i8")
    found = _shape(uses, low, high, dtype) if not kinds else None
    shape, strides = found if found is not None else (((high - low) // dtype.bytes,), (1,))
    return BufferInfo(
        name, root, role, dtype, shape, strides, high - low,
        address=None if root is not None else low, before=-low if root is not None else 0,
        index_limit=min(bounds) if bounds else None, index_low=max((r.low for r in held), default=0),
        ordered=any(r.ordered for r in held), mixed_types=bool(kinds),
    )  # fmt: skip


def _local_buffers(notes: Notes, tiles: int) -> list[BufferInfo]:
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

    `args` gives scalar values by name (runtime arguments default to their upper bound). Raises HeadraceError where a
    scalar is missing, or where an address or a shape depends on data in memory.
    """
    given = dict(args or {})
    function = find_kernel(module, kernel)
    grid = grid_of(function)
    addresses, scalar_values = _addresses_and_scalars(function, module, given)
    values: dict[str, Any] = {n: (k + 1) * APART for k, n in enumerate(addresses)}
    values |= {n: v for n, v in scalar_values.items() if v is not None}
    check_numbers(function, given)
    stray = sorted(set(given) - set(argument_names(function)))
    if stray:
        bind(function, given)
    count = int(np.prod(grid, dtype=np.int64))
    notes = Notes(names=tuple(addresses))
    session = Session(LEAVES, CONTROLS, functions_of(module), Memory())
    local = any(
        op.name == "ktdp.construct_memory_view" and space_kind(op.properties.get("memory_space"))[0] == "local"
        for op in module.walk()
    )
    interesting = {"ktdp.construct_memory_view", "ktdp.construct_indirect_access_tile", "func.call"}
    if local:
        interesting |= {"ktdp.load", "ktdp.store"}
    session.cache |= {"local": local, "ranges": index_ranges(module), "interesting": interesting}
    bound = _bound(function, values, scalar_values)
    for tile in range(count if local or _tiles_differ(module, interesting) else min(count, 1)):
        frame = DryFrame(session, tile, grid, notes)
        finish(frame.call(function, bound))
    settle(notes)
    roles, ranges = roles_of(module), session.cache["ranges"]
    callers = calls_of(module)
    hidden: dict[str, set[str]] = {}
    for op, poison in notes.unknown.items():  # what they are views of has to be known from another view
        reached = {argument_names(function)[a.index] for a in address_arguments(op.operands[0], callers)}
        known = [n for n in addresses if n in reached and any(u.root == n for u in notes.uses.values())]
        if not known:
            if poison is not UNKNOWN:
                raise error(op, f"the address or shape of this view depends on {poison.reason}")
            raise error(
                op,
                "the address or shape of this view depends on data in memory, so that its buffer is not known; take "
                "a view of the whole array too, or arith.minsi of an extent and a number",
            )
        hidden.setdefault(known[0], set()).update(roles[op])
    buffers: list[BufferInfo] = []
    for name in addresses:
        mine = [u for u in notes.uses.values() if u.root == name]
        if mine:
            buffers.append(_buffer(name, name, mine, roles, ranges, hidden.get(name, set())))
        else:  # no tile reaches a view of it
            scalar_values[name] = given.get(name, 0)
    for group in _merge([u for u in notes.uses.values() if u.root is None]):
        low = min(u.low for u in group)
        buffers.append(_buffer(f"at_{low}", None, group, roles, ranges))
    buffers += _local_buffers(notes, count)
    return KernelBuffers(function.sym_name.data, grid, tuple(buffers), scalar_values)


def _tiles_differ(module: ModuleOp, interesting: set[str]) -> bool:
    """Whether an operation that the dry run looks at may depend on the number of the tile: by its operands, or by a
    loop, condition or call around it."""

    def watched(op: Operation) -> bool:
        return any(inner.name in interesting for inner in op.walk())

    todo = [r for op in module.walk() if op.name == "ktdp.get_compute_tile_id" for r in op.results]
    seen: set[SSAValue] = set(todo)
    while todo:
        for use in todo.pop().uses:
            op, parent = use.operation, use.operation.parent_op()
            if watched(op) or (op.name == "scf.condition" and parent is not None and watched(parent)):
                return True
            reached: list[SSAValue] = [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
            if op.has_trait(IsTerminator) and parent is not None:  # to the results, and to the next iteration
                reached += [*parent.results, *(a for r in parent.regions for b in r.blocks for a in b.args)]
            fresh = [v for v in reached if v not in seen]
            seen.update(fresh)
            todo += fresh
    return False


def _bound(function: FuncOp, values: Mapping[str, Any], scalar_values: Mapping[str, Any]) -> list[Any]:
    """Argument values; scalars nobody gave are unknown, and an error where an address needs them."""
    names = argument_names(function)
    filled = {n: values.get(n, 0) for n in names}
    bound = bind(function, filled)
    missing = {n for n, v in scalar_values.items() if v is None}
    return [
        Poison(f"argument '{n}', which has no value; give it with --arg {n}=VALUE") if n in missing else v
        for n, v in zip(names, bound, strict=True)
    ]
