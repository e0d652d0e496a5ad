"""Busy and stalled cycles by interval: the figures of the run, cut at equal distances."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import headrace
from headrace.check import data, launch
from headrace.interp.placement import place
from headrace.machine import SimDevice
from headrace.machine.result import CAUSES
from headrace.machine.shares import INTERVALS, Shares

CORPUS = Path(__file__).parent.parent / "corpus"


@pytest.mark.parametrize(
    ("kernel", "device"),
    [("elementwise/three_programs", "sample"), ("llm/matmul_tails", "spyre")],
)
def test_intervals_add_up(kernel: str, device: str) -> None:
    program = headrace.compile(CORPUS / f"{kernel}.mlir", device)
    buffers = program.buffers
    assert buffers is not None
    memory, _ = place(buffers, data.fill(buffers.buffers, {}, 0))

    def run(**options: Any) -> Any:
        opened = headrace.Device.open(program.device, **options)
        placed = launch.place(opened, program.code, buffers.buffers, memory, buffers.scalars)
        return placed.start()

    result = run()
    shares = Shares(result.cycles)
    assert dataclasses.replace(run(shares=shares), seconds={}) == dataclasses.replace(result, seconds={})
    assert shares.count <= INTERVALS and sum(map(shares.length, range(shares.count))) == result.cycles
    assert set(shares.units) == set(result.units)
    for name, unit in result.units.items():
        rows = shares.units[name]
        assert rows[-1].sum() == unit.busy
        assert dict(zip(CAUSES, rows[:-1].sum(axis=1).tolist(), strict=True)) == unit.stalled
        assert all(rows[:, k].sum() <= shares.length(k) for k in range(shares.count))
    assert {n: int(row.sum()) for n, row in shares.ports.items() if row.any()} == result.ports


def test_shares_are_of_timed_native_runs() -> None:
    for options in ({"engine": "reference"}, {"mode": "functional"}):
        with pytest.raises(ValueError, match="shares are those of timed runs of the native engine"):
            SimDevice(None, shares=Shares(1), **options)
