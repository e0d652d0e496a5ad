"""Matrix steps of the reference engine: state, values, and time (`docs/matmul.md`).

A fill takes the fill port for its share of the unit's fill cycles and no issue slot; `MSWAP` waits for it. A multiply
takes one issue per row, loads, reads and clears of accumulators one issue each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headrace.codegen import isa
from headrace.machine.memory import machine_error
from headrace.machine.plan import Code, UnitPlan
from headrace.machine.timing import UnitTiming, advance, ceil_div
from headrace.numerics import dtypes

FILLS = frozenset({"MFILL", "MFILLT"})
MULTIPLIES = frozenset({"MMUL", "MMULT"})


def shape_in(code: Code) -> tuple[int, int, int] | None:
    """(k, n, rows) that a section declares with ``MCFG``; None for one without matrix steps."""
    found = [i for i in code.instructions if i.op == "MCFG"]
    return (found[0]["k"], found[0]["n"], found[0]["rows"]) if found else None


def check(unit: UnitPlan, timing: UnitTiming) -> None:
    """Refuse matrix steps that do not fit the unit. Raises :class:`HeadraceError`."""
    steps = [(i, ins) for i, ins in enumerate(unit.code.instructions) if ins.opcode.group == "matrix"]
    if not steps:
        return

    def bad(i: int, why: str) -> Exception:
        return machine_error(f"{unit.name}: word {unit.code.word[i]} ({unit.code.instructions[i]}): {why}")

    shape = shape_in(unit.code)
    if shape is None or steps[0][1].op != "MCFG":
        raise bad(steps[0][0], "matrix steps before MCFG")
    if timing.matrix is None or timing.matrix[:3] != shape:
        have = "no matrix unit" if timing.matrix is None else f"blocks of {timing.matrix[0]}x{timing.matrix[1]}"
        raise bad(steps[0][0], f"the device has {have} here")
    k, n, rows = shape
    for i, ins in steps:
        lanes = ins["type"].lanes if "type" in ins.args else 0
        if ins.op == "MFILL" and (ins["row"] >= k or lanes > n):
            raise bad(i, f"leaves the block of {k}x{n}")
        if ins.op == "MFILLT" and (lanes % ins["columns"] or ins["column"] + ins["columns"] > n
                                   or lanes // ins["columns"] > k):  # fmt: skip
            raise bad(i, f"leaves the block of {k}x{n}")
        if ins.op in MULTIPLIES and (not ins["rows"] or lanes % ins["rows"] or lanes // ins["rows"] > k):
            raise bad(i, f"does not hold whole rows of at most {k} elements")
        if ins.op == "MCLR" and ins["rows"] > rows:
            raise bad(i, f"the unit has {rows} accumulator rows")
        if ins.op in ("MLD", "MRD") and (lanes > n or ins["type"].dtype != "f32"):
            raise bad(i, f"an accumulator row is {n}xf32")


def site(ins: isa.Instruction, timing: UnitTiming) -> tuple[int, int]:
    """(cycles, latency) of a matrix step; for a fill the cycles of the fill port."""
    assert timing.matrix is not None
    k, n, _, fill = timing.matrix
    if ins.op in FILLS:
        return ceil_div(fill * ins["type"].lanes, k * n), 0
    if ins.op in MULTIPLIES:
        return ins["rows"] * timing.issue, timing.latency
    return (0 if ins.op == "MSWAP" else timing.issue), timing.latency


@dataclass
class MatrixState:
    """Blocks, accumulators, and when the fill port is free."""

    used: np.ndarray
    shadow: np.ndarray
    sums: np.ndarray
    ready: int = 0

    @classmethod
    def of(cls, shape: tuple[int, int, int]) -> MatrixState:
        """All zeros."""
        k, n, rows = shape
        return cls(np.zeros((k, n), np.float32), np.zeros((k, n), np.float32), np.zeros((rows, n), np.float32))


def values_of(raw: np.ndarray, dtype: str) -> np.ndarray:
    """Register contents as f32."""
    kind = dtypes.get(dtype)
    return np.asarray(kind.decode(raw.view(kind.storage_dtype)), np.float32)


def in_range(ins: isa.Instruction, row: int, rows: int) -> bool:
    """Whether an access to accumulator rows from ``row`` stays inside."""
    return 0 <= row and row + (ins["rows"] if ins.op in MULTIPLIES else 1) <= rows


def execute(unit: Any, ins: isa.Instruction, figures: tuple[int, int]) -> tuple[int, np.ndarray] | None:
    """One step on a unit of the reference engine; the register and value that an ``MRD`` defines.

    The caller has checked the row (:func:`in_range`).
    """
    state: MatrixState | None = getattr(unit, "matrix", None)
    if state is None:
        shape = shape_in(unit.plan.code)
        assert shape is not None
        state = unit.matrix = MatrixState.of(shape)
    cost, _ = figures
    if "va" in ins.args:
        unit.stall(unit.available[ins["va"]], 3)
    if ins.op in FILLS:
        state.ready = advance(max(state.ready, unit.clock), cost)
    elif ins.op == "MSWAP":
        unit.stall(state.ready, 0)
    else:
        unit.work(cost)
    match ins.op:
        case "MFILL":
            values = values_of(unit.v[ins["va"]], ins["type"].dtype)
            state.shadow[ins["row"]] = 0
            state.shadow[ins["row"], : len(values)] = values
        case "MFILLT":
            values = values_of(unit.v[ins["va"]], ins["type"].dtype).reshape(ins["columns"], -1).T
            where = slice(ins["column"], ins["column"] + ins["columns"])
            state.shadow[:, where] = 0
            state.shadow[: len(values), where] = values
        case "MSWAP":
            state.used, state.shadow = state.shadow, state.used
            state.shadow[:] = 0
        case "MMUL" | "MMULT":
            values = values_of(unit.v[ins["va"]], ins["type"].dtype)
            rows, row = ins["rows"], unit.r[ins["row"]]
            x = values.reshape(rows, -1) if ins.op == "MMUL" else values.reshape(-1, rows).T
            sums = state.sums[row : row + rows]
            with np.errstate(all="ignore"):
                for k in range(x.shape[1]):
                    sums += x[:, k, None] * state.used[k]
        case "MCLR":
            state.sums[: ins["rows"]] = 0
        case "MLD":
            values = values_of(unit.v[ins["va"]], "f32")
            state.sums[unit.r[ins["row"]], : len(values)] = values
        case _:
            row = state.sums[unit.r[ins["row"]], : ins["type"].lanes]
            return ins["vd"], np.ascontiguousarray(row).view(np.uint8).copy()
    return None
