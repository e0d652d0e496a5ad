"""`headrace.exchange`: a tile posts the boxes it sends on a board, then takes those it receives.

`headrace.ring_reduce` posts whole sources.
Boxes are posted under (exchange, how often the tile got there, sender, receiver, round), so that a tile may be
ahead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.ir import Operation

from headrace.interp.access import trouble
from headrace.interp.engine import Control, Running
from headrace.interp.intertile import Wait
from headrace.interp.memory import OutsideMemory, Uninitialised
from headrace.interp.points import open_grid
from headrace.interp.structured import fold
from headrace.interp.values import View
from headrace.ir.diagnostics import error
from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp, Round


def _box(view: View, offset: int, sizes: tuple[int, ...], strides: tuple[int, ...]) -> View:
    width = view.strides[0]
    return replace(view, base=view.base + offset * width, sizes=sizes, strides=tuple(s * width for s in strides))


def _rounds(f: Any, op: ExchangeOp) -> list[tuple[int, Round]]:
    """The rounds that happen now, with their numbers."""
    plan = f.session.plan(op, ExchangeOp.plan)
    now = f.all(op.indices)
    return [(k, r) for k, r in enumerate(plan) if not r.at or r.at == now]


def _send(f: Any, op: ExchangeOp, time: int) -> None:
    board = f.session.cache.setdefault("exchanges", {})
    for k, r in _rounds(f, op):
        for move in r.moves:
            if move.sender != f.tile:
                continue
            view = _box(f.get(op.memrefs[r.source]), move.source, r.sizes, r.source_strides)
            try:
                values = view.space.read_box(view.base, view.sizes, view.strides, view.dtype)
            except (OutsideMemory, Uninitialised) as e:
                raise trouble(f, op, view, e, open_grid([0] * view.rank, view.sizes)) from e
            board[op.number.value.data, time, move.sender, move.receiver, k] = values


def _receive(f: Any, op: ExchangeOp, time: int) -> Running:
    board = f.session.cache.setdefault("exchanges", {})
    for k, r in _rounds(f, op):
        for move in r.moves:
            if move.receiver != f.tile:
                continue
            key = (op.number.value.data, time, move.sender, move.receiver, k)
            if key not in board:
                yield Wait(op, lambda key=key: key in board, lambda m=move: f"waits for tile {m.sender} to send")
            view = _box(f.get(op.memrefs[r.target]), move.target, r.sizes, r.target_strides)
            try:
                view.space.write_box(view.base, view.sizes, view.strides, view.dtype, board.pop(key))
            except OutsideMemory as e:
                raise trouble(f, op, view, e, open_grid([0] * view.rank, view.sizes)) from e
    return ()


def _exchange(f: Any, op: Operation) -> Running:
    assert isinstance(op, ExchangeOp)
    if len(op.memrefs) and not all(isinstance(f.get(v), View) for v in op.memrefs):
        raise error(op, "'headrace.exchange' needs plain memory views")
    time = f.rounds.get(op, 0)
    f.rounds[op] = time + 1
    part = None if op.part is None else op.part.data
    if part != "receive":
        _send(f, op, time)
    if part != "send":
        yield from _receive(f, op, time)
    return ()


def _ring_reduce(f: Any, op: Operation) -> Running:
    """Every member posts its source; who stores waits for all and combines them in the order of the ring."""
    assert isinstance(op, RingReduceOp)
    ring = next((r for r in op.members() if f.tile in r), None)
    part = None if op.part is None else op.part.data
    if ring is None or part not in (None, "send", "store"):
        return ()
    time = f.rounds.get(op, 0)
    board = f.session.cache.setdefault("exchanges", {})
    if part != "store":
        f.rounds[op] = time + 1
        source = f.get(op.memrefs[0])
        try:
            board[op.number.value.data, time, f.tile] = source.space.read_box(
                source.base, source.sizes, source.strides, source.dtype
            )
        except (OutsideMemory, Uninitialised) as e:
            raise trouble(f, op, source, e, open_grid([0], source.sizes)) from e
    if part == "send":
        return ()
    if part == "store":
        if any(f.instances):  # the first instance does it for all
            return ()
        f.rounds[op] = time + 1
    keys = [(op.number.value.data, time, t) for t in ring]
    if not all(k in board for k in keys):
        yield Wait(op, lambda: all(k in board for k in keys), lambda: "waits for the tiles of its ring")
    target = f.get(op.memrefs[1])
    terms = np.stack([board[k] for k in keys])
    total = fold(op.kind.data, terms[0], terms[1:], target.dtype)
    target.space.write_box(target.base, target.sizes, target.strides, target.dtype, total)
    return ()


CONTROLS: dict[str, Control] = {"headrace.exchange": _exchange, "headrace.ring_reduce": _ring_reduce}
