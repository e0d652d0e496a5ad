"""Matrix steps (`headrace.matrix_*`): the state of a matrix unit and what each step does to it, for both interpreters.

Sums are exact to the definition: products and sums in f32, one rounding each, k ascending.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.interp.engine import Leaf
from headrace.interp.values import element_dtype
from headrace.ir.diagnostics import error

Array = NDArray[Any]


def _block() -> Array:
    return np.zeros((0, 0), np.float32)


@dataclass
class MatrixState:
    """Blocks and accumulators, as large as what was put into them."""

    used: Array = field(default_factory=_block)
    shadow: Array = field(default_factory=_block)
    sums: Array = field(default_factory=_block)


def grown(a: Array, rows: int, columns: int) -> Array:
    """`a` with at least this many rows and columns, zeros behind its own."""
    if a.shape[0] >= rows and a.shape[1] >= columns:
        return a
    out = np.zeros((max(rows, a.shape[0]), max(columns, a.shape[1])), a.dtype)
    out[: a.shape[0], : a.shape[1]] = a
    return out


def state_of(f: Any) -> MatrixState:
    """The matrix state of the running unit (DataflowIR), or of the tile's instance (ScheduleIR)."""
    table = f.__dict__.setdefault("matrix", {})
    instances = getattr(f, "instances", None)
    key = tuple(instances) if instances else ()
    if key not in table:
        table[key] = MatrixState()
    return table[key]


def _wide(values: Array, op: Any, t: Any) -> Array:
    if not element_dtype(t).is_float:
        raise error(op, f"'{op.name}' takes float elements, found {t}")
    return np.asarray(values, np.float32).reshape(-1)


def _fill(f: Any, op: Any) -> None:
    state = state_of(f)
    values = _wide(f.get(op.data), op, op.data.type)
    at, columns = op.at.value.data, op.columns
    if columns:
        block = values.reshape(columns, -1).T
        state.shadow = grown(state.shadow, block.shape[0], at + columns)
        state.shadow[: block.shape[0], at : at + columns] = block
    else:
        state.shadow = grown(state.shadow, at + 1, len(values))
        state.shadow[at, : len(values)] = values


def _swap(f: Any, op: Any) -> None:
    state = state_of(f)
    state.used, state.shadow = state.shadow, _block()


def multiply(sums: Array, x: Array, block: Array) -> None:
    """`sums += x @ block`, in place: k ascending, each product and each sum rounded to f32."""
    with np.errstate(all="ignore"):
        for k in range(x.shape[1]):
            sums += x[:, k, None] * block[k]


def _multiply(f: Any, op: Any) -> None:
    state = state_of(f)
    values = _wide(f.get(op.data), op, op.data.type)
    rows, row = op.rows.value.data, f.get(op.row)
    x = values.reshape(-1, rows).T if op.column else values.reshape(rows, -1)
    block = grown(state.used, x.shape[1], state.used.shape[1])
    state.sums = grown(state.sums, row + rows, block.shape[1])
    multiply(state.sums[row : row + rows, : block.shape[1]], x, block)


def _clear(f: Any, op: Any) -> None:
    state = state_of(f)
    state.sums = grown(state.sums, op.rows.value.data, 0)
    state.sums[: op.rows.value.data] = 0


def _load(f: Any, op: Any) -> None:
    state = state_of(f)
    values = _wide(f.get(op.data), op, op.data.type)
    row = f.get(op.row)
    state.sums = grown(state.sums, row + 1, len(values))
    state.sums[row, : len(values)] = values


def _read(f: Any, op: Any) -> None:
    state = state_of(f)
    t = op.result.type
    count = int(np.prod(t.get_shape()))
    row = f.get(op.row)
    state.sums = grown(state.sums, row + 1, count)
    f.values[op.result] = np.array(state.sums[row, :count], element_dtype(t).value_dtype)


def _setup(f: Any, op: Any) -> None:
    del f, op  # the interpreter's blocks are as large as what is put into them


LEAVES: dict[str, Leaf] = {
    "headrace.matrix_setup": _setup,
    "headrace.matrix_fill": _fill,
    "headrace.matrix_swap": _swap,
    "headrace.matrix_multiply": _multiply,
    "headrace.matrix_clear": _clear,
    "headrace.matrix_load": _load,
    "headrace.matrix_read": _read,
}
