"""Where passes note what they choose. Nothing is kept unless someone listens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from headrace.scheduler.build import ancestors


@dataclass(frozen=True)
class Note:
    """One choice of one program."""

    program: str
    what: str
    choice: str


_LISTENER: ContextVar[list[Note] | None] = ContextVar("decisions", default=None)


@contextmanager
def listening() -> Iterator[list[Note]]:
    """Collects what passes decide meanwhile."""
    notes: list[Note] = []
    token = _LISTENER.set(notes)
    try:
        yield notes
    finally:
        _LISTENER.reset(token)


def decided(op: Operation, what: str, choice: str) -> None:
    """Note a choice for the program that holds `op`."""
    notes = _LISTENER.get()
    if notes is None:
        return
    owner = next((o for o in (op, *ancestors(op)) if isinstance(o, FuncOp)), None)
    note = Note(owner.sym_name.data if owner is not None else "?", what, choice)
    if note not in notes:
        notes.append(note)
