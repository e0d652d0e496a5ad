"""Recorded runs of corpus kernels, made once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from headrace import api
from headrace.check import data
from headrace.check.launch import place as place_on_device
from headrace.cli.observe import bound_terms
from headrace.interp.placement import place
from headrace.machine.records import Records
from headrace.machine.shares import Shares
from headrace.report.profile import Profile, profile
from headrace.report.timeline import Recording, record
from headrace.runtime import Device

CORPUS = Path(__file__).parents[1] / "corpus"


@dataclass
class Run:
    """A kernel, what the native engine says, and the records."""

    program: api.Program
    result: Any
    recording: Recording
    profile: Profile


@lru_cache(maxsize=32)
def recorded(name: str, device: str = "spyre", limit: int | None = None) -> Run:
    """Run a corpus kernel on the native engine and with records."""
    program = api.compile(CORPUS / f"{name}.mlir", device)
    buffers = program.buffers
    assert buffers is not None
    memory, _ = place(buffers, data.fill(buffers.buffers, {}, 0, False))
    scalars = {n: v for n, v in buffers.scalars.items() if v is not None}
    result = place_on_device(Device.open(program.device), program.code, buffers.buffers, memory, scalars).start()
    records = Records(limit)
    placed = place_on_device(
        Device.open(program.device, records=records), program.code, buffers.buffers, memory, scalars
    )
    found = record(placed.start, records, program.code, result.cycles, program.source)
    if found.cut:
        found.shares = Shares(result.cycles)
        opened = Device.open(program.device, shares=found.shares)
        place_on_device(opened, program.code, buffers.buffers, memory, scalars).start()
    found.buffers = [(placed.addresses[b.name], b.extent, b.name) for b in buffers.buffers if not b.local]
    return Run(program, result, found, profile(result, found, program.device, bound_terms(program.code, scalars)))
