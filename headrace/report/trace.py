"""A run as a trace in the Trace Event Format, for Perfetto and chrome://tracing.

One process a core and one for what cores share; one track a unit, one more for the writes in flight of a transfer
unit, one a memory port. One microsecond of the trace is one cycle. Slices are complete events (``X``), FIFO items and
signals are flows (``s``/``f``), occupancy of memories is counters (``C``).
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from typing import Any

from headrace.machine.plan import ProgramPlan
from headrace.machine.records import BUSY, ProgramRecords
from headrace.machine.timing import SHIFT
from headrace.report.occupancy import occupancy
from headrace.report.timeline import Recording, instruction_name, stall_name, summaries

SHARED = 0
"""Process of what cores share; core n is process n + 1."""

_Track = tuple[int, int]


class _Trace:
    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.events: list[dict[str, Any]] = []
        self.meta: list[dict[str, Any]] = []
        self.tracks: dict[str, _Track] = {}
        self.starts: dict[_Track, list[int]] = {}
        self.ends: dict[_Track, list[int]] = {}
        self.processes: set[int] = set()
        self.flows = 0

    def track(self, name: str, pid: int) -> _Track:
        """The track of a name, made when it is first asked for."""
        if name not in self.tracks:
            number = sum(1 for p, _ in self.tracks.values() if p == pid) + 1
            track = self.tracks[name] = (pid, number)
            self.starts[track], self.ends[track] = [], []
            if pid not in self.processes:
                self.processes.add(pid)
                title = "shared memory" if pid == SHARED else f"core {pid - 1}"
                self._named("process_name", pid, 0, title)
                self.meta.append(_meta("process_sort_index", pid, 0, {"sort_index": pid}))
            self._named("thread_name", pid, number, name)
            self.meta.append(_meta("thread_sort_index", pid, number, {"sort_index": number}))
        return self.tracks[name]

    def _named(self, what: str, pid: int, tid: int, name: str) -> None:
        self.meta.append(_meta(what, pid, tid, {"name": name}))

    def slice(self, track: _Track, start: int, end: int, name: str, category: str, args: dict[str, Any]) -> None:
        """A slice of whole cycles; an empty one is left out."""
        if end <= start:
            return
        pid, tid = track
        self.starts[track].append(start)
        self.ends[track].append(end)
        self.events.append(
            {
                "ph": "X", "ts": start, "dur": end - start, "pid": pid, "tid": tid, "name": name, "cat": category,
                "args": args,
            }
        )  # fmt: skip

    def flow(self, name: str, source: tuple[_Track, int], target: tuple[_Track, int]) -> None:
        """An arrow from the slice that ends at a cycle to the one that begins at a cycle; none where there are no
        slices to hold its ends."""
        begin, end = self._leave(*source), self._arrive(*target)
        if begin is None or end is None or begin >= end:
            return
        self.flows += 1
        for ph, ts, (pid, tid) in (("s", begin, source[0]), ("f", end, target[0])):
            event = {"ph": ph, "ts": ts, "pid": pid, "tid": tid, "name": name, "cat": "flow", "id": self.flows}
            self.events.append(event | ({"bp": "e"} if ph == "f" else {}))

    def _leave(self, track: _Track, cycle: int) -> float | None:
        k = bisect_left(self.starts[track], cycle) - 1
        return None if k < 0 else min(cycle, self.ends[track][k]) - 0.5

    def _arrive(self, track: _Track, cycle: int) -> float | None:
        k = bisect_right(self.ends[track], cycle)
        return None if k == len(self.starts[track]) else float(max(cycle, self.starts[track][k]))

    # -- programs ------------------------------------------------------------------------------------------------------
    def program(self, run: ProgramRecords) -> None:
        plan = run.plan
        for unit, segments in zip(plan.units, run.segments, strict=True):
            track = self.track(unit.name, unit.core + 1)
            for s in segments:
                if s.what == BUSY:
                    name, category = instruction_name(plan, unit.slot, s.instruction), "busy"
                else:
                    name, category = stall_name(plan, s), "stall"
                args = self._args(plan, unit.slot, s.instruction)
                self.slice(track, s.start >> SHIFT, s.end >> SHIFT, name, category, args)
            if unit.transfers:
                track = self.track(f"{unit.name} writes", unit.core + 1)
                for w in run.written[unit.slot]:
                    name = instruction_name(plan, unit.slot, w.instruction, 1)
                    args = self._args(plan, unit.slot, w.instruction)
                    self.slice(track, w.start >> SHIFT, w.end >> SHIFT, name, "busy", args)
        cores = {
            server: port.instance[1]
            for unit in plan.units
            for port in unit.ports
            for server in (port.read_server, port.write_server)
            if server is not None and port.scope != "global"
        }
        for number, (server, grants) in enumerate(zip(plan.servers, run.grants, strict=True)):
            track = self.track(server.name, cores[number] + 1 if number in cores else SHARED)
            for g in grants:
                name = plan.units[g.slot].name
                start = g.start >> SHIFT
                self.slice(track, start, start + g.hold, name, "port", self._args(plan, g.slot, g.instruction))
        self._links(run)

    def _links(self, run: ProgramRecords) -> None:
        plan = run.plan
        for (sender, receiver), items in zip(plan.channels, run.items, strict=True):
            ends = (self._unit(plan, sender), self._unit(plan, receiver))
            for sent, received in zip(items.clock, items.received, strict=False):
                self.flow("FIFO item", (ends[0], sent >> SHIFT), (ends[1], received >> SHIFT))
        for (sender, receiver, _), stamps, waits in zip(plan.counters, run.stamps, run.waits, strict=True):
            target = self._unit(plan, receiver)
            for stamp, (clock, _) in zip(stamps, waits, strict=False):
                source = self._unit(plan, sender)
                if stamp.after >= 0 and run.written[sender]:
                    source = self.track(f"{plan.units[sender].name} writes", plan.units[sender].core + 1)
                self.flow("signal", (source, stamp.time >> SHIFT), (target, clock >> SHIFT))

    def _unit(self, plan: ProgramPlan, slot: int) -> _Track:
        return self.track(plan.units[slot].name, plan.units[slot].core + 1)

    def _args(self, plan: ProgramPlan, slot: int, index: int) -> dict[str, Any]:
        unit = plan.units[slot]
        args: dict[str, Any] = {"stage": f"{plan.name}/{unit.kind}", "word": unit.code.word[index]}
        place = self.recording.source(plan, slot, index)
        if place is not None:
            args["source"] = place
            operation = self.recording.operation(place)
            if operation is not None:
                args["operation"] = operation
        return args

    def summary(self) -> None:
        """What is known of the time behind the records: shares by interval."""
        ports = {name: pid - 1 for name, (pid, _) in self.tracks.items()}
        for s in summaries(self.recording, ports):
            track = self.track(s.name, s.core + 1)
            shares = {what: round(share, 4) for what, share in s.shares.items()}
            self.slice(track, s.start, s.end, s.text, "summary", shares)

    def counters(self) -> None:
        """Bytes in use by buffer, for every on-chip memory."""
        buffers, found = occupancy(self.recording)
        for memory in found:
            pid = memory.core + 1
            values = {buffers[n].name: 0 for n in memory.steps}
            changes = sorted((cycle, n, size) for n, steps in memory.steps.items() for cycle, size in steps)
            for k, (cycle, n, size) in enumerate(changes):
                values[buffers[n].name] = size
                if k + 1 == len(changes) or changes[k + 1][0] != cycle:
                    name = f"{memory.name} bytes in use"
                    self.events.append(
                        {"ph": "C", "ts": cycle, "pid": pid, "tid": 0, "name": name, "args": dict(values)}
                    )


def _meta(name: str, pid: int, tid: int, args: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "ts": 0, "pid": pid, "tid": tid, "name": name, "args": args}


def trace(recording: Recording, kernel: str, device: str) -> dict[str, Any]:
    """The trace of a recorded run as a JSON object; events in the order of time."""
    made = _Trace(recording)
    for run in recording.programs:
        made.program(run)
    made.summary()
    made.counters()
    made.events.sort(key=lambda e: (e["ts"], e["ph"] != "X"))
    return {
        "traceEvents": [*made.meta, *made.events],
        "displayTimeUnit": "ns",
        "otherData": {
            "kernel": kernel,
            "device": device,
            "time": "1 microsecond is 1 cycle",
            "clock_mhz": recording.clock_mhz,
            "cycles": recording.whole,
            "recorded_cycles": recording.cycles,
        },
    }


def trace_text(recording: Recording, kernel: str, device: str) -> str:
    """:func:`trace` as text."""
    return json.dumps(trace(recording, kernel, device), separators=(",", ":"), ensure_ascii=False) + "\n"
