"""What the host does between submissions, and in which order it must stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from headrace.stream.storage import STREAMABLE, is_resource

PURE_HOST = ("arith.", "util.align", "hal.buffer_view.dim", "hal.buffer.length", "stream.resource.size",
             "stream.timepoint.immediate")  # fmt: skip
"""Operations without effects, by the start of their names."""
HOST_ACCESS = ("stream.async.load", "stream.async.store")
"""Operations with which the host touches a value, and waits for it."""


def effects_of(op: Operation) -> list[tuple[str, bool]]:
    """What must stay in order on the host: for each effect in program order the state and whether it is changed.

    The state is a global's name, or empty for what an unknown operation does. Reading a value is no effect.
    """
    found: dict[tuple[str, bool], None] = {}
    for inner in op.walk():
        if inner.name in ("util.global.load", "util.global.store"):
            name = inner.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
            found[name, inner.name.endswith("store")] = None
        elif not (
            inner.name in STREAMABLE
            or inner.name.startswith((*PURE_HOST, "scf."))
            or inner.name in HOST_ACCESS
            or inner.name in ("stream.tensor.import", "stream.tensor.export")
        ):
            found["", True] = None
    return list(found)


def blocks_host(op: Operation) -> bool:
    """Whether the host waits for device work inside an operation."""
    return any(inner.name in HOST_ACCESS for inner in op.walk())


@dataclass
class EffectOrder:
    """Order of the effects on the host: a change comes after everything before it that touches the same state."""

    changed: dict[str, int] = field(default_factory=dict[str, int])
    read: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

    def add(self, number: int, effects: Sequence[tuple[str, bool]]) -> set[int]:
        """Enter effects of one operation; gives the operations it comes after."""
        before: set[int] = set()
        for name, change in effects:
            if name in self.changed:
                before.add(self.changed[name])
            if change:
                before |= self.read.get(name, set())
        for name, change in effects:
            if change:
                self.changed[name] = number
                self.read[name] = set()
            else:
                self.read.setdefault(name, set()).add(number)
        before.discard(number)
        return before


def has_work(op: Operation) -> bool:
    """Whether a control flow operation holds device work or globals with resources, or hands resources on."""
    if any(is_resource(v) for v in (*op.operands, *op.results)):
        return True
    for inner in op.walk():
        if inner.name in STREAMABLE or inner.name in ("stream.async.load", "stream.async.store"):
            return True
        if inner.name in ("util.global.load", "util.global.store"):
            if any(is_resource(v) for v in (*inner.operands, *inner.results)):
                return True
    return False
