"""`headrace.exchange`: a tile posts the boxes it sends on a board, then takes those it receives.

Boxes are posted under (exchange, how often the tile got there, sender, receiver, round), so that a tile may be ahead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from xdsl.ir import Operation

from headrace.interp.access import trouble
from headrace.interp.engine import Control, Running
from headrace.interp.intertile import Wait
from headrace.interp.memory import OutsideMemory, Uninitialised
from headrace.interp.points import open_grid
from headrace.interp.values import View
from headrace.ir.diagnostics import error
from headrace.ir.dialects.headrace_exchange import ExchangeOp, Round


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


CONTROLS: dict[str, Control] = {"headrace.exchange": _exchange}
