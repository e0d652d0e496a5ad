"""The data of a report page: tracks, critical path, occupancy, levels, in the compact form that the page reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from headrace.arch import Device
from headrace.machine.plan import ProgramPlan
from headrace.machine.records import BUSY, Segment
from headrace.machine.timing import SHIFT
from headrace.report.critical import critical_path
from headrace.report.levels import Level, Node
from headrace.report.occupancy import occupancy
from headrace.report.profile import Profile
from headrace.report.timeline import Recording, instruction_name, stall_name, summaries

MOST_SLICES = 120_000
"""Slices in a page; cores beyond that are left out, and the page says so."""
MOST_STEPS = 400
"""Changes drawn of one buffer's occupancy."""


class _Names:
    """Strings by number."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.known.setdefault(text, len(self.known))


class _Tracks:
    def __init__(self, recording: Recording) -> None:
        self.recording, self.names = recording, _Names()
        self.tracks: list[dict[str, Any]] = []
        self.number: dict[str, int] = {}
        self._peers: dict[int, list[tuple[int, int]]] = {}
        self._counters: dict[int, list[tuple[int, int, int]]] = {}

    def track(self, name: str, core: int, kind: str) -> int:
        """Number of a track; ``core`` -1 is what cores share."""
        if name not in self.number:
            self.number[name] = len(self.tracks)
            self.tracks.append({"name": name, "core": core, "kind": kind, "slices": []})
        return self.number[name]

    def add(self, track: int, start: int, end: int, what: int, name: str, place: str | None, peer: int) -> None:
        """A slice: start, cycles, kind (0 to 3 causes, 4 busy), numbers of name and place, track waited for (-1)."""
        if end > start:
            row = (start, end - start, what, self.names(name), self.names(place or ""), peer)
            self.tracks[track]["slices"].extend(row)

    def fill(self, cores: set[int]) -> None:
        """Slices of all units of some cores, and the shared ports."""
        for run in self.recording.programs:
            plan = run.plan
            for unit in plan.units:
                if unit.core in cores:
                    self.track(unit.name, unit.core, unit.kind)
                    if unit.transfers:
                        self.track(f"{unit.name} writes", unit.core, unit.kind)
            for unit, segments in zip(plan.units, run.segments, strict=True):
                if unit.core not in cores:
                    continue
                track = self.number[unit.name]
                for s in segments:
                    busy = s.what == BUSY
                    name = instruction_name(plan, unit.slot, s.instruction) if busy else stall_name(plan, s)
                    place = self.recording.source(plan, unit.slot, s.instruction)
                    peer = -1 if busy else self.peer(plan, s)
                    self.add(track, s.start >> SHIFT, s.end >> SHIFT, s.what, name, place, peer)
                for w in run.written[unit.slot]:
                    name = instruction_name(plan, unit.slot, w.instruction, 1)
                    place = self.recording.source(plan, unit.slot, w.instruction)
                    writes = self.number[f"{unit.name} writes"]
                    self.add(writes, w.start >> SHIFT, w.end >> SHIFT, BUSY, name, place, -1)
            for server, grants in zip(plan.servers, run.grants, strict=True):
                if not server.shared:
                    continue
                track = self.track(server.name, -1, "port")
                rows = self.tracks[track]["slices"]
                for g in grants:
                    start, name = g.start >> SHIFT, self.names(plan.units[g.slot].name)
                    if rows and rows[-6] + rows[-5] == start and rows[-3] == name:
                        rows[-5] += g.hold
                        continue
                    place = self.recording.source(plan, g.slot, g.instruction)
                    rows.extend((start, g.hold, BUSY, name, self.names(place or ""), self.of(plan, g.slot)))

        ports = {name: -1 for name, k in self.number.items() if self.tracks[k]["core"] == -1}
        for s in summaries(self.recording, ports):
            if s.name in self.number:
                self.add(self.number[s.name], s.start, s.end, s.what, s.text, None, -1)

    def of(self, plan: ProgramPlan, slot: int) -> int:
        """Track of a unit, -1 if it is not shown."""
        return self.number.get(plan.units[slot].name, -1)

    def peer(self, plan: ProgramPlan, segment: Segment) -> int:
        """Track of the unit that a stall waits for, -1 if it waits for none that is shown."""
        assert segment.why is not None
        what, number, _ = segment.why
        key = id(plan)
        if what in ("item", "slot"):
            pairs = self._peers.setdefault(key, list(plan.channels))
            return self.of(plan, pairs[number][what == "slot"])
        if what == "signal":
            counters = self._counters.setdefault(key, list(plan.counters))
            return self.of(plan, counters[number][0])
        if what == "port":
            return self.number.get(plan.servers[number].name, -1)
        return -1


def _cores(recording: Recording) -> tuple[list[int], int]:
    """(cores that fit into a page, cores there are): the first, the last, then the others in order."""
    sizes: dict[int, int] = {}
    for run in recording.programs:
        for unit, segments in zip(run.plan.units, run.segments, strict=True):
            sizes[unit.core] = sizes.get(unit.core, 0) + len(segments) + len(run.written[unit.slot])
    order = sorted(sizes)
    order = [*order[:1], *order[:0:-1][:1], *order[1:-1]]
    chosen: list[int] = []
    total = 0
    for core in order:
        total += sizes[core]
        if chosen and total > MOST_SLICES:
            break
        chosen.append(core)
    return sorted(chosen), len(sizes)


def page_data(
    recording: Recording, profile: Profile, device: Device, levels: Sequence[Level], programs: Sequence[Node]
) -> dict[str, Any]:
    """Everything the page draws."""
    cores, number = _cores(recording)
    tracks = _Tracks(recording)
    tracks.fill(set(cores))
    path: list[int] = []
    for run in recording.programs:
        for step in reversed(critical_path(run)):
            if step.cycles:
                name = tracks.names(f"{step.who} {step.what}")
                path += [tracks.of(run.plan, step.slot), step.start, step.cycles, name]
    return {
        "cycles": recording.cycles if recording.shares is None else recording.whole,
        "whole": recording.whole,
        "clock_mhz": recording.clock_mhz,
        "cores": cores,
        "all_cores": number,
        "tracks": sorted_tracks(tracks.tracks),
        "names": list(tracks.names.known),
        "path": path,
        "over_time": profile.over_time,
        "occupancy": _occupancy(recording, set(cores)),
        "levels": [{"name": v.name, "lines": v.lines, "sources": v.sources} for v in levels],
        "pipelines": [asdict(n) for n in programs],
    }


def sorted_tracks(tracks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tracks with the row they are drawn in: what cores share, then core by core (numbers in slices stay)."""
    order = sorted(range(len(tracks)), key=lambda n: (tracks[n]["core"], n))
    for row, n in enumerate(order):
        tracks[n]["row"] = row
    return tracks


def _occupancy(recording: Recording, cores: set[int]) -> dict[str, Any]:
    buffers, memories = occupancy(recording)
    shown = [m for m in memories if m.core in cores]
    return {
        "buffers": [
            {"name": b.name, "memory": b.memory, "program": b.program, "start": b.start, "end": b.end} for b in buffers
        ],
        "memories": [
            {
                "name": m.name,
                "size": m.size,
                "peak": m.peak,
                "steps": [[n, _thin(steps, recording.cycles)] for n, steps in m.steps.items()],
            }
            for m in shown
        ],
    }


def _thin(steps: list[tuple[int, int]], cycles: int) -> list[int]:
    """Steps as a flat list; where there are too many, the largest of each interval."""
    if len(steps) > MOST_STEPS:
        width = max(1, cycles // (MOST_STEPS // 2))
        best: dict[int, tuple[int, int]] = {}
        for cycle, size in steps:
            k = cycle // width
            if k not in best or size > best[k][1]:
                best[k] = (cycle, size)
        steps = [*best.values(), steps[-1]]
    return [x for step in steps for x in step]
