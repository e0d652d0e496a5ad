"""Faults that can be injected into a run: a signal is lost, comes twice or late; a FIFO is too shallow, a memory slow.

A correct schedule never changes its result under a delay or with a shallower FIFO that does not deadlock; a lost or
surplus signal is a bug that the sanitizer must find. :func:`seeded` draws a fault for a program.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from headrace.machine.plan import ProgramPlan
from headrace.machine.result import S_DELAY, S_DROP, S_DUPLICATE

KINDS: tuple[str, ...] = ("drop", "duplicate", "delay", "shrink", "slow")
"""Kinds of faults that :func:`seeded` knows."""


@dataclass(frozen=True)
class Fault:
    """``kind``: ``drop``, ``duplicate`` or ``delay`` signal number ``number`` of the counter with rank ``target``;
    ``shrink`` the FIFO of rank ``target`` to ``number`` slots; make the memory ``memory`` ``slow`` by ``cycles``.

    It concerns the program ``program`` (None: every one). Ranks are those of ``plan.counters`` and ``plan.channels``.
    """

    kind: str
    target: int = 0
    number: int = 0
    cycles: int = 0
    memory: str = ""
    program: str | None = None

    def apply(self, plan: ProgramPlan) -> None:
        """Put the fault into a plan."""
        if self.program is not None and plan.name != self.program:
            return
        if self.kind == "slow":
            for unit in plan.units:
                for port in unit.ports:
                    if port.name == self.memory:
                        port.read_latency += self.cycles
                        port.write_latency += self.cycles
        elif self.kind == "shrink":
            if self.target < len(plan.channels):
                list(plan.channels.values())[self.target].depth = self.number
        elif self.target < len(plan.counters):
            number = {"drop": S_DROP, "duplicate": S_DUPLICATE, "delay": S_DELAY}[self.kind]
            plan.faults[list(plan.counters)[self.target]] = (number, self.number, self.cycles)


def seeded(plan: ProgramPlan, seed: int, kinds: tuple[str, ...] = KINDS) -> Fault | None:
    """A fault for a program, drawn with ``seed``; None if the program has nothing that could fail that way."""
    draw = random.Random(seed)
    kind = draw.choice(kinds)
    if kind == "slow":
        names = sorted({port.name for unit in plan.units for port in unit.ports})
        return Fault("slow", cycles=draw.choice((10, 100, 1000)), memory=draw.choice(names), program=plan.name)
    if kind == "shrink":
        if not plan.channels:
            return None
        target = draw.randrange(len(plan.channels))
        return Fault("shrink", target, 1, program=plan.name)
    if not plan.counters:
        return None
    target = draw.randrange(len(plan.counters))
    return Fault(kind, target, draw.choice((0, 0, 1, 2, 3)), draw.choice((10, 1000)), program=plan.name)
