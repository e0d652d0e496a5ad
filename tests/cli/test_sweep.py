"""`headrace sweep`: grids, CSV, plots, errors, interrupts, and a Dask cluster."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from headrace.arch import load_device
from headrace.arch.settings import full_name, settings, with_settings
from headrace.cli import sweep
from headrace.cli.main import run
from headrace.cli.sweep_point import Task, evaluate
from headrace.ir.diagnostics import HeadraceError

ADD = Path(__file__).parents[1] / "corpus" / "elementwise" / "add.mlir"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def in_process(tasks: Any) -> Any:
    return (evaluate(t) for t in tasks)


def test_values() -> None:
    assert sweep.values_of("1M,2M,4M", "x") == [1 << 20, 2 << 20, 4 << 20]
    assert sweep.values_of("64:512:64", "x") == [64, 128, 192, 256, 320, 384, 448, 512]
    assert sweep.values_of("1,8:10:1,512K", "x") == [1, 8, 9, 10, 512 << 10]
    for bad in ("", "1X", "1:2", "4:2:1", "1:9:0", "-3", "1.5"):
        with pytest.raises(HeadraceError):
            sweep.values_of(bad, "--set x")


KEYS = (
    "device.clock_mhz", "device.cores", "L1.size", "L1.reserved", "L1.latency", "L1.read_bytes_per_cycle",
    "DDR.bytes_per_cycle", "SFU.issue", "SFU.latency", "SFU.lanes.f16", "SFU.op_cycles.exp", "L1LU->SFU.depth",
    "L1LU->SFU.latency", "DDR->MNILU.bytes_per_cycle",
)  # fmt: skip


def test_figures_can_be_changed() -> None:
    device = load_device("spyre")
    before = settings(device)
    assert set(KEYS) <= set(before)
    values = {key: (before[key] or 0) + 1 for key in KEYS}
    after = settings(with_settings(device, values))
    assert {key: after[key] for key in KEYS} == values
    both = {"DDR.read_bytes_per_cycle", "DDR.write_bytes_per_cycle"}
    assert {k for k in after if after[k] != before.get(k)} == {*KEYS, *both}
    assert with_settings(device, {}) is device


def test_a_rate_of_its_own_makes_two_ports() -> None:
    changed = with_settings(load_device("spyre"), {"DDR.read_bytes_per_cycle": 64})
    timing = changed.memory("DDR").timing
    assert (timing.read_bytes_per_cycle, timing.write_bytes_per_cycle, timing.half_duplex) == (64, 128, False)
    assert changed.digest != load_device("spyre").digest


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("l1.sizes", "'L1' has no figure 'sizes'; did you mean 'size'?"),
        ("l2.size", "device 'spyre' has nothing named 'l2'"),
        ("sfuu.issue", "did you mean 'sfu'"),
        ("L1LU->SFU.deep", "'L1LU->SFU' has no figure 'deep'"),
    ],
)
def test_names_that_do_not_exist(name: str, message: str) -> None:
    with pytest.raises(HeadraceError, match="error") as caught:
        full_name(load_device("spyre"), name)
    assert message in str(caught.value)


def test_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "_processes", lambda _: in_process)
    argv = ["sweep", str(ADD), "--set", "l1.size=300K,1M", "--set", "ddr.read_bytes_per_cycle=64:192:64"]
    assert run([*argv, "-o", str(tmp_path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["grid"] == {"l1.size": [300 << 10, 1 << 20], "ddr.read_bytes_per_cycle": [64, 128, 192]}
    assert len(data["points"]) == 6 and data["failed"] == 3
    rows = rows_of(tmp_path / "sweep.csv")
    assert [r["status"] for r in rows] == ["error"] * 3 + ["ok"] * 3
    assert [r["ddr.read_bytes_per_cycle"] for r in rows] == ["64", "128", "192"] * 2
    cycles = [int(r["cycles"]) for r in rows[3:]]
    assert cycles == sorted(cycles, reverse=True) and cycles[0] > cycles[-1]
    assert data["best"]["cycles"] == min(cycles) and "headrace.reserved" in rows[0]["error"]
    for name in ("cycles.svg", "efficiency.svg"):
        root = ElementTree.parse(tmp_path / name).getroot()
        assert root.tag.endswith("svg") and any(e.tag.endswith("polyline") for e in root.iter())
    assert run([*argv, "-o", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "fastest: l1.size = 1M, ddr.read_bytes_per_cycle = " in text and "6 points, 3 failed" in text


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["-o", str(tmp_path / "s")]
    assert run(["sweep", str(ADD), *out]) == 2
    assert run(["sweep", str(ADD), "--set", "l1.size", *out]) == 2
    assert run(["sweep", str(ADD), "--set", "l1.size=1M", "--set", "L1.size=2M", *out]) == 2
    assert run(["sweep", str(ADD), "--set", "l9.size=1M", *out]) == 1
    assert run(["sweep", "absent.mlir", "--set", "l1.size=1M", *out]) == 1
    assert not (tmp_path / "s").exists()
    assert "nothing named 'l9'" in capsys.readouterr().err


def test_no_point_can_be_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "_processes", lambda _: in_process)
    assert run(["sweep", str(ADD), "--set", "l1.size=1K", "-o", str(tmp_path)]) == 1
    assert "1 points, 1 failed" in capsys.readouterr().out
    assert len(rows_of(tmp_path / "sweep.csv")) == 1


def _command(folder: Path, *more: str, latencies: int = 4) -> list[str]:
    # A shell that runs this in the background has made its children deaf to interrupts.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "from headrace.cli.main import main; main()"
    grid = ["--set", "l1.size=1M,2M", "--set", f"ddr.latency=10:{latencies * 10}:10"]
    return [sys.executable, "-c", code, "sweep", str(ADD), "-o", str(folder), *grid, *more]


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_an_interrupt_leaves_a_valid_file(tmp_path: Path) -> None:
    process = subprocess.Popen(
        _command(tmp_path, "-j", "1", latencies=40),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while _lines(tmp_path / "sweep.csv") < 2 and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    rows = rows_of(tmp_path / "sweep.csv")
    assert 1 <= len(rows) < 80 and all(r["status"] == "ok" and int(r["cycles"]) > 0 for r in rows)
    assert f"{len(rows)} of 80 points are in" in errors and "Traceback" not in errors


@pytest.mark.all
def test_processes_give_what_one_process_gives() -> None:
    text = load_device("spyre").text
    tasks = [
        Task(n, ADD.read_text(), text, "spyre.mlir", {"DDR.latency": latency}, None, {}, 0, frozenset(), False)
        for n, latency in enumerate((10, 300))
    ]
    rows = sorted(sweep._processes(2)(tasks), key=lambda r: r["number"])
    assert rows == [evaluate(t) for t in tasks]
    assert rows[0]["cycles"] < rows[1]["cycles"] == 871


@pytest.mark.all
def test_dask_cluster_with_a_killed_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        address = cluster.scheduler_address
        command = _command(tmp_path, "--scheduler", address, "--json")
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while _lines(tmp_path / "sweep.csv") < 3 and process.poll() is None:
            time.sleep(0.05)
        assert process.poll() is None, process.communicate()
        victim = next(iter(cluster.workers.values())).process.process.pid
        os.kill(victim, signal.SIGKILL)
        out, errors = process.communicate()
    assert process.returncode == 0, errors
    data = json.loads(out)
    assert len(data["points"]) == 8 and data["failed"] == 0
    assert [r["ddr.latency"] for r in rows_of(tmp_path / "sweep.csv")] == ["10", "20", "30", "40"] * 2


def test_a_scheduler_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    argv = ["sweep", str(ADD), "--set", "l1.size=1M", "-o", str(tmp_path), "--scheduler", "nonsense"]
    assert run(argv) == 1
    assert "no Dask scheduler at 'nonsense'" in capsys.readouterr().err
