"""Bugs put into compiled kernels, to see that the sanitizer finds those that can change a result.

`python -m tests.machine.mutation LOG [--seconds N] [--write]` runs one mutant of each kind for every small kernel of
the corpus, on one of the devices in turn, short files first, until the time is over; the log holds a line for each
kernel, and a later call goes on behind it. `--write` puts the table into `docs/sanitizer.md`.

A mutant *can change a result* if, on the timed engine, under one of several timings (slow memories, late signals), an
output differs from that of the unchanged kernel, or the run does not come to its end. It is *caught* if one sanitized
run at the device's own timing fails.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import headrace
from headrace.check import launch
from headrace.codegen import isa
from headrace.codegen.image import Image
from headrace.ir.diagnostics import HeadraceError
from headrace.machine.faults import Fault
from headrace.machine.figures import timing_of
from headrace.machine.plan import ProgramPlan, plan_program
from tests.machine.test_corpus import FILES, PRODUCTS, compile_or_why, with_data

CORPUS = Path(__file__).parent.parent / "corpus"
PAGE = Path(__file__).parent.parent.parent / "docs" / "sanitizer.md"
DEVICES = ("spyre", "sample", "tri")
ACCESSES = ("XFER", "VLD", "VST")

KINDS: dict[str, str] = {
    "drop": "one signal is lost",
    "duplicate": "one signal comes twice",
    "no-sync": "a signal and its waits are removed from the program",
    "late-wait": "a wait is moved behind the access that it guards",
    "early-signal": "a signal is moved before the access that it reports",
    "delay": "one signal comes 1000 cycles late",
    "shrink": "a FIFO has one slot",
    "slow": "a memory answers 1000 cycles late",
}
"""Kinds of mutants."""
TIMING_ONLY = ("delay", "shrink", "slow")
"""Kinds that change the timing only: a correct schedule does not mind."""


@dataclass
class Kernel:
    """A compiled kernel with its data and its outputs."""

    name: str
    program: Any
    memory: Any
    scalars: dict[str, Any]
    plans: list[ProgramPlan]
    outputs: dict[str, bytes] = field(default_factory=dict)

    def run(self, mode: str, faults: tuple[Fault, ...] = (), code: Any = None) -> dict[str, bytes] | None:
        """Outputs of a run; None if it failed."""
        device = headrace.Device.open(self.program.device, mode=mode, faults=faults)
        buffers = self.program.buffers.buffers
        placed = launch.place(device, code or self.program.code, buffers, self.memory, self.scalars)
        try:
            placed.start()
        except HeadraceError:
            return None
        found = placed.collect()
        return {b.name: found.main.named(b.name).data.tobytes() for b in buffers if b.is_output and not b.local}


@dataclass
class Mutant:
    """A changed kernel: other code, or faults."""

    kernel: Kernel
    kind: str
    code: Any = None
    faults: tuple[Fault, ...] = ()


def kernel(file: Path, device: str) -> Kernel | None:
    """A kernel of the corpus; None where the scheduler refuses it, or where it needs what another one left."""
    program = compile_or_why(file.relative_to(CORPUS).as_posix(), device)
    if isinstance(program, str) or any(b.local for b in program.buffers.buffers):
        return None
    program, memory, scalars = with_data(program)
    image = program.code.image
    timing = timing_of(program.device, image)
    made = Kernel(
        f"{file.parent.name}/{file.stem} on {device}", program, memory, scalars,
        [plan_program(image, p, timing) for p in image.programs],
    )  # fmt: skip
    made.outputs = made.run("timed") or {}
    return made


def mutants(k: Kernel, draw: random.Random, kinds: tuple[str, ...] = tuple(KINDS)) -> Iterator[Mutant]:
    """One mutant of each kind, where the kernel has room for it."""
    plan = draw.choice(k.plans)
    for kind in kinds:
        if kind in ("drop", "duplicate", "delay") and plan.counters:
            target = draw.randrange(len(plan.counters))
            yield Mutant(k, kind, faults=(Fault(kind, target, draw.choice((0, 0, 1)), 1000, program=plan.name),))
        elif kind == "shrink" and plan.channels:
            yield Mutant(k, kind, faults=(Fault(kind, draw.randrange(len(plan.channels)), 1, program=plan.name),))
        elif kind == "slow":
            names = sorted({p.name for u in plan.units for p in u.ports})
            yield Mutant(k, kind, faults=(Fault(kind, cycles=1000, memory=draw.choice(names)),))
        elif kind in ("no-sync", "late-wait", "early-signal"):
            code = _edited(k, kind, k.plans.index(plan), draw)
            if code is not None:
                yield Mutant(k, kind, code)


def _edited(k: Kernel, kind: str, number: int, draw: random.Random) -> Any:
    """The kernel's code with one program changed; None if there is nothing to change. Sizes stay as they are."""
    original = k.program.code
    name = next(n for n in original.files)
    image = Image.decode(original.files[name])
    program = image.programs[number]
    if kind == "no-sync":
        plan = k.plans[number]
        if not plan.counters:
            return None
        sender, receiver, signal = draw.choice(list(plan.counters))
        ends = {(plan.units[sender].kind, "SIGNAL"), (plan.units[receiver].kind, "WAIT")}
        for section in program.sections:
            for i, ins in enumerate(section.code):
                if (image.kinds[section.kind], ins.op) in ends and ins["id"] == signal:
                    section.code[i] = isa.Instruction("LI", {"rd": 1023, "value": 0})
    else:
        op, step = ("WAIT", 1) if kind == "late-wait" else ("SIGNAL", -1)
        places = []
        for section in program.sections:
            for i, ins in enumerate(section.code):
                if ins.op == op and (to := _beyond(section.code, i, step)) is not None:
                    places.append((section, i, to))
        if not places:
            return None
        section, i, to = draw.choice(places)
        section.code.insert(to, section.code.pop(i))
    return dataclasses.replace(original, files={**original.files, name: image.encode()})


def _beyond(code: list[isa.Instruction], i: int, step: int) -> int | None:
    """Where instruction i stands once it has passed the next memory access of its block in a direction."""
    k = i + step
    while 0 <= k < len(code) and code[k].opcode.group != "control":
        if code[k].op in ACCESSES:
            return k
        k += step
    return None


def perturbed(m: Mutant, draw: random.Random) -> Iterator[tuple[Fault, ...]]:
    """Timings to run a mutant with."""
    yield m.faults
    if m.kind in TIMING_ONLY:
        return
    names = sorted({p.name for plan in m.kernel.plans for u in plan.units for p in u.ports})
    for memory in names:
        yield (*m.faults, Fault("slow", cycles=2000, memory=memory))
    for _ in range(3):
        plan = draw.choice(m.kernel.plans)
        if plan.counters:
            late = [
                Fault("delay", t, draw.randrange(2), 5000, program=plan.name)
                for t in range(len(plan.counters))
                if draw.random() < 0.5 and not any(f.target == t and f.kind in ("drop", "duplicate") for f in m.faults)
            ]
            yield (*m.faults, *late)


def can_change(m: Mutant, draw: random.Random) -> bool:
    """Whether a timing was found in which the mutant's result differs."""
    for faults in perturbed(m, draw):
        if m.kernel.run("timed", faults, m.code) != m.kernel.outputs:
            return True
    return False


@dataclass
class Count:
    """Mutants of a kind: how many, how many can change a result, how many of these and of the others are reported."""

    made: int = 0
    bugs: int = 0
    caught: int = 0
    others_reported: int = 0


def campaign(
    files: list[Path], devices: tuple[str, ...], rounds: int, seed: int, kinds: tuple[str, ...] = tuple(KINDS)
) -> tuple[dict[str, Count], list[str]]:
    """Counts by kind, and the mutants that were missed. Each file is compiled for one of the devices, in turn."""
    counts = {kind: Count() for kind in kinds}
    missed: list[str] = []
    for position, file in enumerate(files):
        missed += judge(file, devices[position % len(devices)], rounds, seed, counts)
    return counts, missed


def judge(file: Path, device: str, rounds: int, seed: int, counts: dict[str, Count]) -> list[str]:
    """Add the mutants of one kernel to the counts; those that were missed."""
    draw = random.Random(f"{seed} {file.relative_to(CORPUS).as_posix()} {device}")
    k = kernel(file, device)
    missed: list[str] = []
    for m in [m for _ in range(rounds) for m in mutants(k, draw, tuple(counts))] if k is not None else []:
        count = counts[m.kind]
        count.made += 1
        reported = m.kernel.run("sanitized", m.faults, m.code) is None
        if can_change(m, draw):
            count.bugs += 1
            count.caught += reported
            if not reported:
                missed.append(f"{m.kernel.name}: {m.kind} {m.faults}")
        else:
            count.others_reported += reported
    return missed


def corpus() -> list[Path]:
    """The small kernels of the corpus."""
    return [CORPUS / f for f in FILES if "4096" not in f and f not in PRODUCTS]


def table(counts: dict[str, Count]) -> str:
    """Markdown."""
    lines = ["| mutant | made | can change a result | of these caught | others reported |", "|---|---|---|---|---|"]
    total = Count()
    for kind, c in counts.items():
        lines.append(f"| `{kind}`: {KINDS[kind]} | {c.made} | {c.bugs} | {c.caught} | {c.others_reported} |")
        total = Count(*(getattr(total, f.name) + getattr(c, f.name) for f in dataclasses.fields(Count)))
    share = 100 * total.caught / total.bugs if total.bugs else 100.0
    lines.append(
        f"| **all** | {total.made} | {total.bugs} | {total.caught} ({share:.1f} %) | {total.others_reported} |"
    )
    return "\n".join(lines)


def read_log(log: Path) -> tuple[dict[str, Count], list[str], set[str]]:
    """Sums of a log: counts, missed mutants, names of files."""
    counts = {kind: Count() for kind in KINDS}
    missed: list[str] = []
    done: set[str] = set()
    for line in log.read_text().splitlines() if log.exists() else ():
        entry = json.loads(line)
        done.add(entry["file"])
        missed += entry["missed"]
        for kind, values in entry["counts"].items():
            counts[kind] = Count(*(x + y for x, y in zip(dataclasses.astuple(counts[kind]), values, strict=True)))
    return counts, missed, done


def main() -> None:
    """Run a piece of the campaign, and print what the whole log says."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine.mutation", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--write", action="store_true", help="put the table into docs/sanitizer.md")
    options = parser.parse_args()
    done = read_log(options.log)[2]
    turns = {f: DEVICES[n % len(DEVICES)] for n, f in enumerate(corpus())}
    began = time.monotonic()
    for file in sorted(turns, key=lambda f: (f.stat().st_size, f)):
        name = file.relative_to(CORPUS).as_posix()
        if name in done:
            continue
        if time.monotonic() - began > options.seconds:
            break
        counts = {kind: Count() for kind in KINDS}
        missed = judge(file, turns[file], 1, 7, counts)
        values = {kind: dataclasses.astuple(c) for kind, c in counts.items()}
        with options.log.open("a") as out:
            out.write(json.dumps({"file": name, "counts": values, "missed": missed}) + "\n")
    counts, missed, done = read_log(options.log)
    if options.write:
        text = PAGE.read_text()
        begin, end = "<!-- table: begin -->", "<!-- table: end -->"
        head, rest = text.split(begin)
        PAGE.write_text(f"{head}{begin}\n{table(counts)}\n{end}{rest.split(end)[1]}")
    sys.stdout.write(f"{len(done)} of {len(turns)} kernels\n{table(counts)}\n" + "\n".join(missed) + "\n")


if __name__ == "__main__":
    main()
