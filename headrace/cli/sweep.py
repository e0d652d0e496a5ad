"""`headrace sweep KERNEL --set NAME=VALUES...`: compile and simulate over a grid of devices; CSV, plots, JSON."""

from __future__ import annotations

import csv
import io
import itertools
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.cli.common import UsageProblem, numbers, print_json, table
from headrace.cli.sweep_point import Task, evaluate, ignore_interrupts

MOST_POINTS = 100_000
FIGURES = (
    "status", "cycles", "time_us", "bound_cycles", "bound_by", "efficiency", "busiest", "busiest_share", "error",
)  # fmt: skip
"""Columns of the CSV behind those of the figures that vary."""
TRIES = 2
"""How often a point is tried whose worker process dies."""


@dataclass(frozen=True)
class SweepRequest:
    """The command line of `sweep`."""

    file: str
    device: str
    settings: tuple[str, ...]
    kernel: str | None
    arguments: tuple[str, ...]
    seed: int
    output: str | None
    jobs: int | None
    scheduler: str | None
    disabled: tuple[str, ...]
    strict: bool
    json: bool


_VALUE = re.compile(r"(\d+)([kKmMgG]?)(?:i?[bB])?")
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def value_of(text: str, option: str) -> int:
    """``64``, ``1M``, ``512K``: a number with a binary unit. Raises UsageProblem."""
    m = _VALUE.fullmatch(text.strip())
    if m is None:
        raise UsageProblem(f"{option}: '{text.strip()}' is no number (such as 64, 512K or 1M)")
    return int(m[1]) * _UNITS[m[2].lower()]


def values_of(text: str, option: str) -> list[int]:
    """``1M,2M,4M`` or ``64:512:64`` (from, to inclusive, step), or both mixed. Raises UsageProblem."""
    found: list[int] = []
    for item in text.split(","):
        parts = [value_of(p, option) for p in item.split(":")]
        if len(parts) == 1:
            found.append(parts[0])
            continue
        if len(parts) != 3 or parts[2] < 1 or parts[1] < parts[0]:
            raise UsageProblem(f"{option}: '{item.strip()}' is no range FROM:TO:STEP")
        found += range(parts[0], parts[1] + 1, parts[2])
        if len(found) > MOST_POINTS:
            raise UsageProblem(f"{option}: more than {MOST_POINTS} values")
    return list(dict.fromkeys(found))


def run_sweep(request: SweepRequest) -> int:
    """Sweep; returns the exit status: 0, or 1 if no point could be run."""
    from headrace.api import read_source
    from headrace.arch import load_device
    from headrace.arch.settings import full_name
    from headrace.cli.compile import pass_names
    from headrace.ir.diagnostics import error

    if not request.settings:
        raise UsageProblem("sweep needs --set NAME=VALUES, for example --set l1.size=1M,2M,4M")
    device = load_device(request.device)
    grid: dict[str, list[int]] = {}
    full: dict[str, str] = {}
    for item in request.settings:
        name, equals, text = item.partition("=")
        if not equals or not name or not text:
            raise UsageProblem(f"--set takes NAME=VALUES, not '{item}'")
        name = name.strip()
        known = full_name(device, name)
        if known in full.values():
            raise UsageProblem(f"--set gives '{known}' twice")
        full[name] = known
        grid[name] = values_of(text, f"--set {name}")
    points = [dict(zip(grid, p, strict=True)) for p in itertools.product(*grid.values())]
    if len(points) > MOST_POINTS:
        raise UsageProblem(f"the grid has {len(points)} points; {MOST_POINTS} are possible")
    source, _ = read_source(Path(request.file)) if request.file != "-" else (sys.stdin.read(), "-")
    given = numbers("--arg", request.arguments)
    disabled = pass_names(request.disabled, "--disable-pass")
    tasks = [
        Task(n, source, device.text, f"{device.name}.mlir", {full[k]: v for k, v in p.items()}, request.kernel,
             given, request.seed, disabled, request.strict)
        for n, p in enumerate(points)
    ]  # fmt: skip
    folder = Path(request.output or "sweep")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        table_file = _Csv(folder / "sweep.csv", list(grid), points)
    except OSError as problem:
        raise error(None, f"cannot write '{problem.filename}': {problem.strerror}") from None
    rows: dict[int, dict[str, Any]] = {}
    runner = _cluster(request.scheduler) if request.scheduler is not None else _processes(request.jobs)
    try:
        with _bar(f"sweeping {request.file}", len(tasks)) as advance:
            for row in runner(tasks):
                rows[row["number"]] = row
                table_file.add(row)
                advance()
    except KeyboardInterrupt:
        table_file.finish(rows)
        sys.stderr.write(f"{len(rows)} of {len(points)} points are in {table_file.path}\n")
        raise
    table_file.finish(rows)
    files = [str(table_file.path), *_plots(folder, request.file, grid, points, rows)]
    return _report(request, device.name, grid, points, rows, files)


# -- workers -----------------------------------------------------------------------------------------------------------

Runner = Callable[[Sequence[Task]], Iterator[dict[str, Any]]]


def _processes(jobs: int | None) -> Runner:
    """Runs tasks in processes of this machine."""

    def run(tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
        left, tries = {t.number: t for t in tasks}, dict.fromkeys((t.number for t in tasks), 0)
        count = max(1, min(jobs or os.cpu_count() or 1, len(tasks)))
        while left:
            executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), ignore_interrupts)
            done = False
            try:
                yield from _drain(executor, left, tries, count)
                done = True
            except BrokenProcessPool:
                for number in [n for n, k in tries.items() if n in left and k >= TRIES]:
                    del left[number]
                    yield _died(number)
            finally:
                executor.shutdown(wait=done, cancel_futures=True)
                if not done:
                    for child in multiprocessing.active_children():
                        child.terminate()

    return run


def _drain(
    executor: ProcessPoolExecutor, left: dict[int, Task], tries: dict[int, int], count: int
) -> Iterator[dict[str, Any]]:
    """Rows of the tasks in ``left`` as they come; few tasks wait at a time, so that a dying process costs few tries."""
    queue = iter(list(left.values()))
    running: dict[Future[dict[str, Any]], int] = {}
    for task in itertools.islice(queue, count):
        tries[task.number] += 1
        running[executor.submit(evaluate, task)] = task.number
    while running:
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            row = future.result()
            number = running.pop(future)
            del left[number]
            for task in itertools.islice(queue, 1):
                tries[task.number] += 1
                running[executor.submit(evaluate, task)] = task.number
            yield row


def _died(number: int) -> dict[str, Any]:
    return {"number": number, "status": "error", "error": f"the worker process died {TRIES} times"}


def _cluster(address: str) -> Runner:
    """Runs tasks on a Dask cluster, whose scheduler starts tasks of lost workers again elsewhere."""
    from headrace.ir.diagnostics import error

    try:
        from distributed import Client, as_completed
    except ImportError:
        raise error(None, "--scheduler needs the extra 'distributed': pip install headrace[distributed]") from None

    def run(tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
        try:
            client: Any = Client(address, timeout=10)
        except (OSError, TimeoutError, ValueError) as problem:
            raise error(None, f"no Dask scheduler at '{address}': {problem}") from None
        with client:
            futures = client.map(evaluate, tasks, pure=False, retries=TRIES)
            numbers_of = {f.key: t.number for f, t in zip(futures, tasks, strict=True)}
            try:
                for future in as_completed(futures):
                    if future.status == "finished":
                        yield future.result()
                    else:
                        text = f"the worker failed: {future.exception()}"
                        yield {"number": numbers_of[future.key], "status": "error", "error": text}
            except KeyboardInterrupt:
                client.cancel(futures)
                raise

    return run


# -- output ------------------------------------------------------------------------------------------------------------


class _Csv:
    """A CSV file that is valid at every moment: rows are added as they come, and sorted at the end."""

    def __init__(self, path: Path, names: list[str], points: Sequence[dict[str, int]]) -> None:
        self.path, self.names, self.points = path, names, points
        self._replace([])

    def _line(self, row: dict[str, Any]) -> str:
        out = io.StringIO()
        values = [self.points[row["number"]][n] for n in self.names]
        csv.writer(out, lineterminator="\n").writerow([*values, *(_cell(row.get(f)) for f in FIGURES)])
        return out.getvalue()

    def _replace(self, rows: Sequence[dict[str, Any]]) -> None:
        head = io.StringIO()
        csv.writer(head, lineterminator="\n").writerow([*self.names, *FIGURES])
        part = self.path.with_name(self.path.name + ".part")
        part.write_text(head.getvalue() + "".join(map(self._line, rows)), encoding="utf-8")
        os.replace(part, self.path)

    def add(self, row: dict[str, Any]) -> None:
        """Append a row."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._line(row))

    def finish(self, rows: dict[int, dict[str, Any]]) -> None:
        """Put the rows into the order of the grid."""
        self._replace([rows[n] for n in sorted(rows)])


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


@contextmanager
def _bar(text: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(text, total=total)
        yield lambda: progress.advance(task)


def _plots(
    folder: Path,
    file: str,
    grid: dict[str, list[int]],
    points: Sequence[dict[str, int]],
    rows: dict[int, dict[str, Any]],
) -> list[str]:
    """One plot of cycles and one of efficiency against the figure with most values; lines for the others."""
    from headrace.report.charts import Series, line_chart

    axis = max(grid, key=lambda n: len(grid[n]))
    others = [n for n in grid if n != axis]
    lines: dict[tuple[int, ...], list[dict[str, Any]]] = {}
    for number, row in sorted(rows.items()):
        if row["status"] == "ok":
            key = tuple(points[number][n] for n in others)
            lines.setdefault(key, []).append({**row, "x": points[number][axis]})
    if not lines:
        return []
    written = []
    kernel = Path(file).stem
    for figure, label in (("cycles", "cycles"), ("efficiency", "efficiency")):
        series: list[Series] = []
        found = {k: [(float(r["x"]), float(r[figure])) for r in rs if r[figure] is not None] for k, rs in lines.items()}
        if len(found) <= 6:
            for key, line in found.items():
                name = ", ".join(f"{n}={_size(v)}" for n, v in zip(others, key, strict=True)) or label
                series.append(Series(name, line))
        else:
            for name, pick in (("largest of the others", max), ("smallest of the others", min)):
                at: dict[float, list[float]] = {}
                for x, y in (p for line in found.values() for p in line):
                    at.setdefault(x, []).append(y)
                series.append(Series(name, [(x, pick(ys)) for x, ys in sorted(at.items())]))
        if figure == "cycles":
            bounds: dict[float, float] = {}
            for r in (r for rs in lines.values() for r in rs if r["bound_cycles"] is not None):
                bounds[r["x"]] = min(bounds.get(r["x"], float("inf")), float(r["bound_cycles"]))
            series.append(Series("bound", sorted(bounds.items()), dashed=True))
        path = folder / f"{figure}.svg"
        path.write_text(line_chart(f"{kernel}: {label} by {axis}", axis, label, series), encoding="utf-8")
        written.append(str(path))
    return written


def _size(n: int) -> str:
    """A number with the largest binary unit that divides it."""
    for unit, text in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if n and n % unit == 0:
            return f"{n // unit}{text}"
    return str(n)


def _report(
    request: SweepRequest,
    device: str,
    grid: dict[str, list[int]],
    points: Sequence[dict[str, int]],
    rows: dict[int, dict[str, Any]],
    files: list[str],
) -> int:
    """Print; returns the exit status."""
    good = [r for _, r in sorted(rows.items()) if r["status"] == "ok"]
    best = min(good, key=lambda r: (r["cycles"], r["number"]), default=None)

    def whole(row: dict[str, Any]) -> dict[str, Any]:
        return {"settings": points[row["number"]], **{f: row.get(f) for f in FIGURES}}

    if request.json:
        print_json(
            {
                "kernel": request.file,
                "device": device,
                "grid": grid,
                "points": [whole(r) for _, r in sorted(rows.items())],
                "best": whole(best) if best is not None else None,
                "failed": len(rows) - len(good),
                "files": files,
            }
        )
        return 0 if good else 1
    sys.stdout.write(f"{request.file} on {device}: {len(rows)} points, {len(rows) - len(good)} failed\n")
    shown = [r for _, r in sorted(rows.items())]
    if len(shown) > 24:
        shown = sorted(good, key=lambda r: (r["cycles"], r["number"]))[:24]
        sys.stdout.write("  the 24 fastest\n")
    lines: list[tuple[str, ...]] = [(*grid, "cycles", "bound", "efficiency", "busiest")]
    for r in shown:
        settings = [_size(points[r["number"]][n]) for n in grid]
        if r["status"] == "ok":
            bound = f"{r['bound_cycles']} by {r['bound_by']}" if r["bound_cycles"] is not None else ""
            share = f"{r['efficiency']:.3f}" if r["efficiency"] is not None else ""
            busiest = f"{r['busiest']} {100 * r['busiest_share']:.0f} %"
            lines.append((*settings, str(r["cycles"]), bound, share, busiest))
        else:
            lines.append((*settings, "failed", "", "", ""))
    sys.stdout.write("\n".join(table(lines, "  ")) + "\n")
    for text in dict.fromkeys(r["error"] for _, r in sorted(rows.items()) if r["status"] != "ok"):
        sys.stdout.write(f"  failed: {text}\n")
    if best is not None:
        text = ", ".join(f"{n} = {_size(v)}" for n, v in points[best["number"]].items())
        sys.stdout.write(f"  fastest: {text} ({best['cycles']} cycles)\n")
    sys.stdout.write(f"written: {', '.join(files)}\n")
    return 0 if good else 1
