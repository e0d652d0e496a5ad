"""Traces are valid Trace Event Format, complete, and name stages and sources."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from headrace.report.occupancy import occupancy
from headrace.report.trace import trace_text
from tests.report.runs import recorded


def check(text: str) -> list[dict[str, Any]]:
    """Check a trace against the format; gives its events."""
    data = json.loads(text)
    events = data["traceEvents"]
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    processes = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    slices: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    flows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    last = 0.0
    for e in events:
        assert e["ph"] in ("X", "s", "f", "C", "M")
        assert isinstance(e["name"], str) and e["pid"] in processes
        assert isinstance(e["ts"], int | float) and e["ts"] >= last
        last = e["ts"]
        if e["ph"] == "X":
            assert e["dur"] > 0 and (e["pid"], e["tid"]) in named and isinstance(e["args"], dict)
            slices[(e["pid"], e["tid"])].append((e["ts"], e["ts"] + e["dur"]))
        elif e["ph"] in "sf":
            flows[e["id"]].append(e)
        elif e["ph"] == "C":
            assert e["args"] and all(isinstance(v, int) and v >= 0 for v in e["args"].values())
    for track in slices.values():
        assert all(a[1] <= b[0] for a, b in pairwise(track)), "slices of a track overlap"
    for pair in flows.values():
        start, end = pair
        assert (start["ph"], end["ph"], end["bp"]) == ("s", "f", "e") and start["ts"] < end["ts"]
        assert (start["name"], start["cat"]) == (end["name"], end["cat"])
        for e in pair:
            assert any(a <= e["ts"] < b for a, b in slices[(e["pid"], e["tid"])]), "a flow hangs in the air"
    return events


@pytest.mark.parametrize(
    "name", ["elementwise/add", "elementwise/three_programs", "reductions/softmax", "elementwise/tail_columns"]
)
def test_trace_is_valid_and_complete(name: str) -> None:
    run = recorded(name)
    events = check(trace_text(run.recording, run.program.name, "spyre"))
    threads = {e["args"]["name"]: (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    busy: Counter[tuple[int, int]] = Counter()
    for e in events:
        if e["ph"] == "X" and e["cat"] == "busy":
            busy[(e["pid"], e["tid"])] += e["dur"]
    for unit in run.result.units.values():
        assert busy[threads[unit.name]] == unit.busy
    names = Counter(e["name"] for e in events if e["ph"] == "s")
    assert names["FIFO item"] > 0 and names["signal"] > 0
    sliced = [e for e in events if e["ph"] == "X"]
    assert all("/" in e["args"]["stage"] for e in sliced)
    assert any(e["args"].get("source", "").endswith(".mlir:" + e["args"]["source"].split(":", 1)[1]) for e in sliced)
    assert any("." in e["args"].get("operation", "") for e in sliced)


def test_trace_is_the_same_every_time() -> None:
    run = recorded("elementwise/add")
    assert trace_text(run.recording, "add", "spyre") == trace_text(run.recording, "add", "spyre")


def test_trace_of_a_cut_recording() -> None:
    run = recorded("reductions/softmax", limit=2000)
    text = trace_text(run.recording, "softmax", "spyre")
    events = check(text)
    data = json.loads(text)["otherData"]
    assert data["recorded_cycles"] < data["cycles"]
    behind = [e for e in events if e.get("cat") == "summary"]
    assert min(e["ts"] for e in behind) >= data["recorded_cycles"]
    assert max(e["ts"] + e["dur"] for e in behind) == data["cycles"]
    assert all(0 < sum(e["args"].values()) <= 1.001 and e["name"].endswith(" %") for e in behind)


def test_occupancy_of_add() -> None:
    run = recorded("elementwise/add")
    buffers, found = occupancy(run.recording)
    assert [(b.name, b.memory, b.start, b.end) for b in buffers] == [
        ("x", "L1", 0, 384), ("y", "L1", 384, 768), ("out", "L1", 768, 1152),
    ]  # fmt: skip
    assert len(found) == 32
    for memory in found:
        assert memory.memory == "L1" and memory.size == 2097152
        assert 0 < memory.peak <= 1152
        assert all(steps[-1][1] == 0 for steps in memory.steps.values())


def test_what_waits_when_a_recording_stops_is_occupied() -> None:
    run = recorded("llm/matmul_f16_f32", limit=500)
    assert run.recording.cut
    _, found = occupancy(run.recording)
    first = {t.address for p in run.recording.programs for t in p.touches if t.write and p.plan.units[t.slot].core == 0}
    assert first and found[0].total()[-1] == (run.recording.cycles, 0)
    assert found[0].peak > max(t.size for p in run.recording.programs for t in p.touches)


def test_occupancy_names_intermediates() -> None:
    buffers, found = occupancy(recorded("reductions/softmax").recording)
    assert {b.name for b in buffers} >= {"x"} or len(buffers) > 1
    assert any("line" in b.name for b in buffers)
    for memory in found:
        for steps in memory.steps.values():
            assert all(a[0] < b[0] for a, b in pairwise(steps)) and min(s for _, s in steps) >= 0
