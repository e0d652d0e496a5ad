"""Instructions of matrix steps (`headrace.matrix_*`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.codegen.select import Selector


def _setup(s: Selector, op: Any) -> None:
    s.builder.emit("MCFG", k=op.k.value.data, n=op.n.value.data, rows=op.rows.value.data)


def _fill(s: Selector, op: Any) -> None:
    v = s.vector(op.data, op)
    if op.columns:
        s.builder.emit("MFILLT", va=v.reg, column=op.at.value.data, columns=op.columns, type=v.type)
    else:
        s.builder.emit("MFILL", va=v.reg, row=op.at.value.data, type=v.type)


def _swap(s: Selector, op: Any) -> None:
    s.builder.emit("MSWAP")


def _multiply(s: Selector, op: Any) -> None:
    v, row = s.vector(op.data, op), s.reg(op.row, op)
    s.builder.emit("MMULT" if op.column else "MMUL", va=v.reg, row=row, rows=op.rows.value.data, type=v.type)


def _clear(s: Selector, op: Any) -> None:
    s.builder.emit("MCLR", rows=op.rows.value.data)


def _load(s: Selector, op: Any) -> None:
    v, row = s.vector(op.data, op), s.reg(op.row, op)
    s.builder.emit("MLD", va=v.reg, row=row, type=v.type)


def _read(s: Selector, op: Any) -> None:
    row = s.reg(op.row, op)
    v = s.new_vector(op.result)
    s.builder.emit("MRD", vd=v.reg, row=row, type=v.type)


MATRIX_OPS: dict[str, Callable[[Selector, Any], None]] = {
    "headrace.matrix_setup": _setup,
    "headrace.matrix_fill": _fill,
    "headrace.matrix_swap": _swap,
    "headrace.matrix_multiply": _multiply,
    "headrace.matrix_clear": _clear,
    "headrace.matrix_load": _load,
    "headrace.matrix_read": _read,
}
"""Operation name -> selection."""
