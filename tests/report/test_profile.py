"""Profiles: the recorded run is the native one, the critical path explains every cycle, sentences name the bound."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import headrace
from headrace.arch import load_device
from headrace.cli.common import table
from headrace.machine.records import BUSY
from headrace.machine.result import CAUSES
from headrace.machine.timing import SHIFT
from headrace.report.findings import findings
from headrace.report.profile import Part, PortProfile, Profile, UnitProfile, lines, percent, spark
from tests.report.runs import recorded

KERNELS = (
    "elementwise/add", "elementwise/chain", "elementwise/three_programs", "elementwise/strided_view",
    "elementwise/tail_tiles", "reductions/softmax", "reductions/column_sum", "reductions/layernorm",
    "gather/embedding", "llm/k_loop",
)  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_the_records_are_of_the_native_run(name: str) -> None:
    run = recorded(name)
    assert not run.recording.cut and run.recording.cycles == run.result.cycles
    busy: dict[str, int] = {}
    stalled: dict[str, list[int]] = {}
    for part in run.recording.programs:
        for unit, segments in zip(part.plan.units, part.segments, strict=True):
            assert all(a.end <= b.start for a, b in pairwise(segments))
            for s in segments:
                length = (s.end >> SHIFT) - (s.start >> SHIFT)
                if s.what == BUSY:
                    busy[unit.name] = busy.get(unit.name, 0) + length
                else:
                    stalled.setdefault(unit.name, [0] * len(CAUSES))[s.what] += length
    for unit in run.result.units.values():
        assert busy.get(unit.name, 0) == unit.busy
        assert dict(zip(CAUSES, stalled.get(unit.name, [0] * 4), strict=True)) == unit.stalled


@pytest.mark.parametrize("name", KERNELS)
def test_the_critical_path_explains_every_cycle(name: str) -> None:
    found = recorded(name).profile
    assert sum(p.cycles for p in found.path) == found.cycles
    unexplained = sum(p.cycles for p in found.path if p.who == "start")
    assert unexplained <= found.cycles * 0.01


def test_profile_of_add() -> None:
    found = recorded("elementwise/add").profile
    port = next(p for p in found.ports if p.name == "DDR port")
    assert port.memory == "DDR" and port.peak == 128 and port.instances == 1
    assert round(port.busy * found.cycles) == 288
    assert [(t.by, t.cycles, t.measured, t.error) for t in found.terms] == [("SFU", 2, 2, 0.0), ("DDR", 288, 288, 0.0)]
    assert found.sources[0].who.endswith("add.mlir:33:5") and found.sources[0].what == "ktdp.store"
    assert any(text.startswith("SFU starved 55 %: raise tile size or buffer depth") for text in found.findings)
    row = found.over_time["DDR port"]
    assert len(row) == 60 and abs(sum(row) * found.bin_cycles - 288) < 0.2
    data = found.to_json()
    assert {"findings", "critical_path", "units", "memory_ports", "datapaths", "over_time", "bound_terms"} <= set(data)
    text = "\n".join(lines(found, table))
    assert "critical path" in text and "DDR read latency" in text and "bound: cycles" in text


def test_reads_and_writes_are_terms_of_their_own_where_they_have_ports() -> None:
    found = recorded("elementwise/rank1", "tri").profile
    terms = {t.by: t for t in found.terms if t.by.startswith("DRAM")}
    ports = {p.name: round(p.busiest * found.cycles) for p in found.ports}
    assert terms["DRAM read"].measured == ports["DRAM read port"] >= terms["DRAM read"].cycles
    assert terms["DRAM write"].measured == ports["DRAM write port"] >= terms["DRAM write"].cycles


def test_the_parts_of_the_critical_path_add_up_as_printed() -> None:
    found = recorded("reductions/softmax").profile
    text = "\n".join(lines(found, table)).split("critical path by source")[0]
    assert sum(int(row.split(" % ")[1].split()[0]) for row in text.splitlines() if " % " in row[:14]) == found.cycles
    assert "the rest" in text


def test_a_device_without_bandwidths_has_no_ports(tmp_path: Path) -> None:
    sample = (Path(headrace.__file__).parent / "arch" / "devices" / "sample.mlir").read_text()
    sample = sample.replace("latency = 100, bytes_per_cycle = 64", "latency = 100")
    file = tmp_path / "bare.mlir"
    file.write_text(sample.replace(", read_bytes_per_cycle = 512, write_bytes_per_cycle = 256", ""))
    found = recorded("elementwise/add", str(file)).profile
    assert not found.ports and [t.by for t in found.terms] == ["SFU"]
    assert "memory ports: none" in "\n".join(lines(found, table))


def test_a_recording_that_is_cut_says_so() -> None:
    run = recorded("reductions/softmax", limit=8000)
    assert run.recording.cut and run.recording.cycles < run.recording.whole == run.result.cycles
    part = f"critical path by source, first {run.recording.cycles} of {run.result.cycles} cycles"
    assert part in "\n".join(lines(run.profile, table))
    assert sum(p.share for p in run.profile.sources) <= 1


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("elementwise/add", "spyre"), ("elementwise/three_programs", "sample"), ("llm/matmul_tails", "spyre"),
        ("comm/all_reduce_f32", "spyre-balanced"), ("reductions/column_sum", "tri"),
    ],
)  # fmt: skip
def test_the_path_followed_forwards_is_the_one_followed_backwards(name: str, device: str) -> None:
    """What a cut recording says of the whole run, and what a whole recording says."""
    cut, whole = recorded(name, device, limit=200), recorded(name, device)
    assert cut.recording.cut and not whole.recording.cut
    assert cut.profile.path == whole.profile.path


def test_the_figures_over_time_are_always_of_the_whole_run() -> None:
    cut, whole = recorded("reductions/softmax", limit=2000), recorded("reductions/softmax")
    assert cut.profile.bin_cycles == whole.profile.bin_cycles
    assert set(cut.profile.over_time) == set(whole.profile.over_time)
    for name, row in whole.profile.over_time.items():
        other = cut.profile.over_time[name]
        assert sum(other) == pytest.approx(sum(row), abs=0.01)
        assert max(abs(a - b) for a, b in zip(row, other, strict=True)) < 0.3


def test_another_machine() -> None:
    for device in ("sample", "spyre-balanced"):
        found = recorded("elementwise/chain", device).profile
        assert sum(p.cycles for p in found.path) == found.cycles and found.findings


def _profile(**changes: object) -> Profile:
    unit = UnitProfile("SFU", 64, 64, 0.3, 0.3, dict.fromkeys(CAUSES, 0.0), 0.7)
    values: dict[str, object] = {
        "cycles": 1000, "covered": 1000, "bound": (500, "DDR"), "terms": [], "units": [unit], "ports": [], "paths": [],
        "path": [Part("SFU", "busy", 300, 0.3)], "sources": [], "over_time": {}, "bin_cycles": 10.0,
    }  # fmt: skip
    return Profile(**(values | changes))  # type: ignore[arg-type]


def test_findings_word_for_word() -> None:
    device = load_device("spyre")
    starved = dict.fromkeys(CAUSES, 0.0) | {"input": 0.38}
    units = [UnitProfile("SFU", 64, 64, 0.3, 0.3, starved, 0.3)]
    assert findings(_profile(units=units), device) == ["SFU starved 38 %: raise tile size or buffer depth"]
    port = PortProfile("DDR port", "DDR", 1, 0.97, 0.97, 128)
    assert findings(_profile(units=units, ports=[port]), device) == [
        "DDR port busy 97 %: bandwidth bound; move fewer bytes (fuse kernels, reuse operands on chip), or widen it",
        "SFU starved 38 %: the saturated port is the reason",
    ]
    full = UnitProfile("SFU", 64, 64, 0.93, 0.94, dict.fromkeys(CAUSES, 0.0), 0.0)
    assert findings(_profile(units=[full]), device) == [
        "SFU busy 94 %: compute bound; fewer or cheaper operations, or more units"
    ]
    blocked = dict.fromkeys(CAUSES, 0.0) | {"output": 0.5}
    waits = {"output": {"SFU": 0.5}}
    assert findings(_profile(units=[UnitProfile("L1LU", 64, 64, 0.1, 0.1, blocked, 0.4, waits)]), device) == [
        "L1LU blocked 50 % by SFU: the receiver is slower"
    ]
    uneven = [UnitProfile("SFU", 8, 64, 0.2, 0.4, dict.fromkeys(CAUSES, 0.0), 0.8)]
    assert findings(_profile(units=uneven), device) == [
        "8 of 64 SFU have work: a larger grid would use the others",
        "SFU uneven: the busiest instance works 2.0 times the mean; choose tiles that divide evenly over 8 instances",
    ]
    latency = [Part("DDR", "read latency", 400, 0.4), Part("L1LU", "data in flight", 100, 0.1)]
    assert findings(_profile(path=latency), device) == [
        "latency is 50 % of the critical path (most: DDR read latency, 40 %): more work in flight (deeper buffers, "
        "larger tiles) hides it"
    ]
    idle = UnitProfile("PT", 64, 64, 0.4, 0.4, dict.fromkeys(CAUSES, 0.0) | {"input": 0.55}, 0.05)
    beside = UnitProfile("SFU", 64, 64, 0.01, 0.01, dict.fromkeys(CAUSES, 0.0) | {"input": 0.97}, 0.02)
    assert findings(_profile(units=[idle, beside]), device) == ["PT starved 55 %: raise tile size or buffer depth"]
    port = PortProfile("DDR port", "DDR", 1, 0.6, 0.6, 128)
    first = [Part("DDR port", "bandwidth", 90, 0.9)]
    assert findings(_profile(units=[idle], ports=[port], path=first), device) == [
        "DDR port busy 60 %, and 90 % of the critical path waits for it: requests come in bunches; deeper buffers "
        "spread them, a wider port shortens them",
        "PT starved 55 %: raise tile size or buffer depth",
    ]
    assert findings(_profile(), device) == [
        "no single resource bounds the run; the largest part of the critical path is SFU busy (30 %)"
    ]


def test_small_figures() -> None:
    assert (percent(0.971), percent(0.0123), percent(0.0996)) == ("97 %", "1.2 %", "10 %")
    assert spark([0, 0.5, 1, 2]) == " ▄██"
