"""The forecast is near the simulated cycles, and an explanation lists what there was to choose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import headrace
from headrace.check import data, launch
from headrace.cli.main import run
from headrace.interp.placement import place
from headrace.scheduler.forecast import forecast

CORPUS = Path(__file__).parents[1] / "corpus"
KERNELS = ("elementwise/add", "elementwise/chain", "reductions/softmax", "reductions/column_sum", "bodies/cast_chain")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("device", ["spyre", "spyre-balanced"])
def test_forecast_is_near_the_simulated_cycles(kernel: str, device: str) -> None:
    program = headrace.compile(CORPUS / f"{kernel}.mlir", device)
    assert program.buffers is not None
    memory, _ = place(program.buffers, data.fill(program.buffers.buffers, {}, 0))
    placed = launch.place(headrace.Device.open(program.device), program.code, program.buffers.buffers, memory, {})
    cycles = placed.start().cycles
    assert abs(forecast(program.schedule, program.device, {}).cycles / cycles - 1) <= 0.25


def test_explain_lists_alternatives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "elementwise" / "loop_blocks.mlir")
    assert run(["compile", path, "-o", str(tmp_path), "--explain", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["explain"]
    found = {d["what"]: d for d in report["decisions"]}
    assert list(found) == ["tile size", "buffer depth", "loop order", "coarsening level", "corelet split"]
    for d in found.values():
        assert len(d["alternatives"]) >= 2 and d["chosen"] in {a["choice"] for a in d["alternatives"]}
        assert any(a["choice"] == d["chosen"] and a["estimate"] == report["estimate"] for a in d["alternatives"])
    split = {a["choice"]: a["estimate"] for a in found["corelet split"]["alternatives"]}
    assert split["no split"] >= split["outer loop"]


def test_explain_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", str(CORPUS / "elementwise" / "add.mlir"), "-o", str(tmp_path), "--explain"]) == 0
    out = capsys.readouterr().out
    assert "  estimate   " in out and "  tile size: 24 tiles" in out and "  * 24 tiles" in out
