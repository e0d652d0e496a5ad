"""The host's side of the checks of one program: clocks, pools, and the list of hazards."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.machine import result as res
from headrace.machine.hazards import Hazard
from headrace.machine.native.layout import COUNTER, ENGINE, PENDING, PENDING_WORDS, SNAPSHOTS, UNIT
from headrace.machine.plan import UnitPlan
from headrace.machine.shadow import COLLECT, Shadow

if TYPE_CHECKING:
    from headrace.machine.native.engine import NativeProgram

ENOUGH = 4096
"""Reports after which no more are made."""


class Checks:
    """What a :class:`NativeProgram` needs in sanitized runs. ``hazards`` are those of the last run."""

    def __init__(
        self,
        program: NativeProgram,
        shadow: Shadow,
        arena: Any,
        members: list[list[UnitPlan]],
        functions: dict[str, int],
    ) -> None:
        self.program, self.shadow = program, shadow
        self.hazards: dict[tuple[int, ...], Hazard] = {}
        self._found = 0
        callbacks = {"fn_report": (self._report, 7), "fn_grow": (self._grow, 0), "fn_collect": (self._collect, 0)}
        self._callbacks: dict[str, Any] = {
            name: ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * n)(fn) for name, (fn, n) in callbacks.items()
        }
        for name, made in self._callbacks.items():
            arena.set(program.engine + ENGINE[name], ctypes.cast(made, ctypes.c_void_p).value)
        self._land = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(functions["land"])
        self._sweep = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(functions["sweep"])
        over_cells = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
        shadow.mark, shadow.rename = over_cells(functions["mark"]), over_cells(functions["rename"])
        plan = program.plan
        arena.fields(program.engine, ENGINE, shift=shadow.shift)
        self._clocks: list[np.ndarray] = []
        self._keep: list[np.ndarray] = []
        self._own: list[tuple[np.ndarray, int]] = []
        width_of: dict[int, int] = {}
        self.movers: list[int] = []
        for group in members:
            width = -(-2 * len(group) // 8) * 8
            clocks = np.zeros((len(group), width), np.uint32)
            self._clocks.append(clocks)
            for rank, u in enumerate(group):
                width_of[u.slot] = width
                at = program.units[u.slot]
                arena.fields(
                    at, UNIT, vx=rank, width=width, vc=clocks.ctypes.data + 4 * width * rank, moves=int(u.transfers)
                )
                if u.transfers:
                    self.movers.append(u.slot)
                    room = np.zeros(PENDING * PENDING_WORDS, np.int64)
                    self._keep.append(room)
                    arena.fields(at, UNIT, pending=room.ctypes.data)
        for at, (sender, _, _) in zip(program.counters, plan.counters, strict=True):
            room = np.zeros(SNAPSHOTS * (width_of[sender] // 2 + 1), np.int64)
            self._keep.append(room)
            arena.fields(at, COUNTER, vcs=room.ctypes.data)
            arena.point(at + COUNTER["sender"], program.units[sender])
        self._slots: dict[int, int] = {}

    def begin(self) -> None:
        """A run begins."""
        self.hazards, self._found = {}, 0
        for clocks in self._clocks:
            clocks[:] = 0
            rank = np.arange(len(clocks))
            clocks[rank, 2 * rank] = 1
        self.shadow.begin()
        words, base = self.program.words, self.program.words.ctypes.data
        if not self._slots:
            self._slots = {base + 8 * at: slot for slot, at in enumerate(self.program.units)}
        words[self.program.engine + ENGINE["generation"]] = self.shadow.generation
        words[self.program.engine + ENGINE["collect_at"]] = COLLECT
        self._publish()

    def end(self) -> None:
        """A run has ended: what is under way lands."""
        words, base = self.program.words, self.program.words.ctypes.data
        for slot in self.movers:
            at = self.program.units[slot]
            self._land(base + 8 * at, int(words[at + UNIT["p_in"]]))
        self._take()

    def _take(self) -> None:
        engine = self.program.words[self.program.engine :]
        for name in ("n_states", "n_nodes", "free_states", "free_nodes"):
            setattr(self.shadow, name, int(engine[ENGINE[name]]))

    def _publish(self) -> None:
        engine, s = self.program.words[self.program.engine :], self.shadow
        for name, value in (
            ("states", s.states.ctypes.data), ("n_states", s.n_states), ("cap_states", len(s.states)),
            ("nodes", s.nodes.ctypes.data), ("n_nodes", s.n_nodes), ("cap_nodes", len(s.nodes)),
            ("free_states", s.free_states), ("free_nodes", s.free_nodes),
        ):  # fmt: skip
            engine[ENGINE[name]] = value

    def _grow(self) -> int:
        self._take()
        self.shadow.grow()
        self._publish()
        return 0

    def _collect(self) -> int:
        self._take()
        self.shadow.count()
        words, engine = self.program.words, self.program.engine
        self._sweep(words.ctypes.data + 8 * engine)
        words[engine + ENGINE["collect_at"]] = max(COLLECT, 2 * self.shadow.n_states)
        return 0

    def _report(self, slot: int, kind: int, index: int, mem: int, address: int, other: int, other_index: int) -> int:
        units = self.program.plan.units
        by = self._slots.get(other, -1)
        self._found += 1
        if self._found > ENOUGH:
            self.program.words[self.program.engine + ENGINE["quiet"]] = 1
        key = (kind, id(units[slot].code), index, mem, id(units[by].code) if by >= 0 else 0, other_index)
        known = self.hazards.get(key)
        if known is not None:
            known.count += 1
            return 0
        port = units[slot].ports[mem]
        place = self.shadow.place(address) if port.scope == "global" else f"{port.name} at {address:#x}"
        self.hazards[key] = Hazard(
            kind, place, res.where(self.program.plan, slot, index),
            res.where(self.program.plan, by, other_index) if by >= 0 else "", units[by].name if by >= 0 else "",
        )  # fmt: skip
        return 0
