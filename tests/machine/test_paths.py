"""The critical path followed forwards, without records, against the one followed backwards through them."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from headrace.ir.diagnostics import HeadraceError
from headrace.machine.native.paths import STRIDE, Paths
from headrace.machine.records import Records
from headrace.machine.shares import Shares
from headrace.report.critical import critical_path

from .hand import load
from .test_random import between_cores, device_with_data


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_forwards_as_backwards(seed: int) -> None:
    image, timing, cores = between_cores(seed)
    records = Records()
    recording = device_with_data(timing, cores, engine="reference", records=records)
    try:
        cycles = recording.compute(load(recording, image)).cycles
    except HeadraceError:
        assume(False)
        raise
    backwards: Counter[tuple[str, str]] = Counter()
    for run in records.programs:
        for step in critical_path(run):
            backwards[step.who, step.what] += step.cycles
    shares = Shares(cycles)
    device = device_with_data(timing, cores, shares=shares)
    device.compute(load(device, image))
    assert +backwards == shares.path
    assert sum(shares.path.values()) == cycles


def test_parts_that_do_not_fit_are_one() -> None:
    paths = Paths()
    first = [paths.unit(f"U{k}") for k in range(STRIDE)]
    assert len(set(first)) < len(first) and first[-1] == paths.memory("U", "M") == 1
    assert len(paths.names) <= STRIDE // 8
    assert paths.names[first[0]] == ("U0", "busy") and paths.names[first[-1]] == ("others", "")
    assert paths.unit("U0") == first[0]
