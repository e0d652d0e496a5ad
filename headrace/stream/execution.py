"""Commands while a program runs: what they touch, how long they take, and running them on bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from headrace.graph.kernels import Kernel, TileExecutor, run_on_bytes
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.types import dtype_of
from headrace.stream.runtime_memory import READ, WRITE, Buffer, Ledger
from headrace.stream.system import System

Range = tuple[Buffer, int, int, int]
"""(buffer, offset in it, length, read/write bits)."""


@dataclass(eq=False)
class Timepoint:
    """A point on the timeline: reached when its submission is complete, or failed with an error."""

    clock: int
    """Bit set of the submissions complete when it is reached."""
    reached: bool = False
    error: HeadraceError | None = None
    waiters: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])


IMMEDIATE = Timepoint(0, True)


@dataclass
class Command:
    """One command with everything it needs, resolved when it is submitted."""

    name: str
    ranges: list[Range]
    run: Callable[[str | None], Callable[[], None] | None]
    """Reads its inputs and computes on the named device; what it returns stores the results."""
    cost: Callable[[System, str | None], tuple[Any, int]]
    """(what it occupies: None for nothing, ("device", name) or ("link", a, b); nanoseconds)."""
    op: Any = None
    meeting: Any = None
    """Where a collective's participants come together; it runs when all have arrived."""
    participant: Callable[[Any], Any] | None = None
    """This side of the meeting; takes what to call when data has moved, or the meeting has failed."""


@dataclass
class Parallel:
    """Commands that run at the same time."""

    parts: list[Item]


@dataclass
class Serial:
    """Commands one after the other."""

    parts: list[Item]


Item = Command | Parallel | Serial


def commands_in(item: Item) -> Iterator[Command]:
    """All commands of an item."""
    if isinstance(item, Command):
        yield item
    else:
        for part in item.parts:
            yield from commands_in(part)


def steps(items: Sequence[Item]) -> Iterator[Item | list[Command]]:
    """Items one after the other, those with collectives taken apart: a list holds collectives that come together."""
    for item in items:
        if all(c.meeting is None for c in commands_in(item)):
            yield item
        elif isinstance(item, Command):
            yield [item]
        elif isinstance(item, Serial):
            yield from steps(item.parts)
        else:
            plain = [p for p in item.parts if all(c.meeting is None for c in commands_in(p))]
            if plain:
                yield Parallel(plain)
            meeting: list[Command] = [p for p in item.parts if isinstance(p, Command) and p.meeting is not None]
            if meeting:
                yield meeting
            yield from steps([p for p in item.parts if p not in plain and not isinstance(p, Command)])


def abandoned(items: Sequence[Item], made: Timepoint) -> Callable[[], None] | None:
    """What to call when a submission is over: if it failed, its collectives' other participants fail too."""
    meetings = [c.meeting for item in items for c in commands_in(item) if c.meeting is not None]
    if not meetings:
        return None

    def over() -> None:
        if made.error is not None:
            for meeting in meetings:
                for call, failure in meeting.fail(made.error):
                    call(failure)

    return over


def stuck(meetings: Sequence[Any]) -> str:
    """Why collectives never take place, empty if none is open."""
    return next((found for meeting in meetings if (found := meeting.stuck())), "")


def note(ledger: Ledger, node: int, items: Sequence[Item], problem: Callable[[str], None]) -> None:
    """Enter the accesses of a submission and check that concurrent commands do not touch common bytes."""
    for item in items:
        if isinstance(item, Parallel) and ledger.enabled:
            _concurrent(item, problem)
        for command in commands_in(item):
            for buffer, offset, length, kind in command.ranges:
                start = buffer.offset + offset
                if length:
                    ledger.access(node, buffer.storage, start, start + length, kind, command.name)


def _concurrent(item: Parallel, problem: Callable[[str], None]) -> None:
    names = [next((c.name for c in commands_in(p)), "") for p in item.parts]
    written: dict[Any, list[tuple[int, int, int]]] = {}
    touched: dict[Any, list[tuple[int, int, int]]] = {}
    for number, part in enumerate(item.parts):
        for command in commands_in(part):
            for buffer, offset, length, kind in command.ranges:
                row = (buffer.offset + offset, buffer.offset + offset + length, number)
                (written if kind & WRITE else touched).setdefault(buffer.storage, []).append(row)
    for storage, rows in written.items():
        rows.sort()
        for one, two in pairwise(rows):
            if one[1] > two[0] and one[2] != two[2]:
                problem(
                    f"concurrent commands {names[one[2]]} and {names[two[2]]} write common bytes of storage "
                    f"{storage.number} at {two[0]}"
                )
        for a, b, n in sorted(touched.get(storage, [])):
            for c, d, m in rows:
                if a < d and c < b and n != m:
                    problem(
                        f"concurrent commands read ({names[n]}) and write ({names[m]}) common bytes of storage "
                        f"{storage.number} at {max(a, c)}"
                    )


# ---- making commands ------------------------------------------------------------------------------------------------


def fill(pattern: int, width: int, target: Buffer, offset: int, length: int, op: Any = None) -> Command:
    """A pattern of `width` bytes into a range."""

    def run(_: str | None) -> Callable[[], None]:
        raw = np.frombuffer((pattern & ((1 << 8 * width) - 1)).to_bytes(width, "little"), np.uint8)

        def store() -> None:
            view = target.view(offset, length)
            view[:] = np.tile(raw, -(-length // width))[:length]

        return store

    def cost(system: System, device: str | None) -> tuple[Any, int]:
        return ("device", device), system.memory_ns(device, length)

    return Command("fill", [(target, offset, length, WRITE)], run, cost, op)


def copy(source: Buffer, start: int, target: Buffer, to: int, length: int, op: Any = None) -> Command:
    """Bytes from one range to another."""

    def run(_: str | None) -> Callable[[], None]:
        raw = source.view(start, length).copy()

        def store() -> None:
            target.view(to, length)[:] = raw

        return store

    def cost(system: System, device: str | None) -> tuple[Any, int]:
        a, b = source.storage.device, target.storage.device
        if a is not None and b is not None and a != b and not system.link(a, b).unified:
            return ("link", a, b), system.transfer_ns(a, b, length)
        return ("device", device), system.memory_ns(device, 2 * length)

    return Command("copy", [(source, start, length, READ), (target, to, length, WRITE)], run, cost, op)


def dispatch(
    kernel: Kernel,
    bindings: Sequence[Range],
    scalars: Sequence[Any],
    tile: TileExecutor | None,
    op: Any = None,
) -> Command:
    """A kernel on bound ranges: those of its tensor arguments, then of its results that are not tied to an argument."""
    if kernel.fused:
        bindings, scalars = _apart(kernel, bindings, scalars)
    if kernel.is_tile:
        count = len(bindings) - len([t for t in kernel.tied if t < 0])
        count = max(0, count) if kernel.result_types else len([b for b in bindings if not b[3] == WRITE])
    else:
        count = len(kernel.tensor_arguments)
    inputs, outputs = bindings[:count], list(bindings[count:])
    positions = {position: k for k, position in enumerate(kernel.tensor_arguments)}

    def run(device: str | None) -> Callable[[], None]:
        buffers = [b.view(offset, length).copy() for b, offset, length, _ in inputs]
        rest = iter(outputs)
        targets: list[Range] = []
        if kernel.is_tile and not kernel.result_types:
            targets = outputs
        else:
            for tie in kernel.tied:
                targets.append(inputs[positions[tie]] if tie >= 0 else next(rest))
        made = [
            b.view(offset, length).copy() if kernel.is_tile else np.zeros(length, np.uint8)
            for b, offset, length, _ in targets
        ]
        run_on_bytes(kernel, buffers, scalars, made, tile, device)

        def store() -> None:
            for (b, offset, length, _), raw in zip(targets, made, strict=True):
                b.view(offset, length)[: raw.size] = raw

        return store

    def cost(system: System, device: str | None) -> tuple[Any, int]:
        sizes = [length for _, _, length, _ in inputs] + [length for _, _, length, _ in outputs]
        moved = sum(sizes)
        operations = 0
        if kernel.cost is None and not kernel.is_tile:
            result_sizes: list[int] = []
            rest = iter(length for _, _, length, _ in outputs)
            for tie in kernel.tied:
                result_sizes.append(inputs[positions[tie]][2] if tie >= 0 else next(rest))
            try:
                shapes = kernel.shapes([length for _, _, length, _ in inputs] + result_sizes, scalars)
                operations, moved = kernel.work(shapes)
            except (HeadraceError, IndexError, ValueError):
                operations = 0
        return ("device", device), system.kernel_ns(kernel, device, operations, moved)

    return Command(kernel.name, list(bindings), run, cost, op)


def _apart(
    kernel: Kernel, bindings: Sequence[Range], scalars: Sequence[Any]
) -> tuple[list[Range], Sequence[Any]]:
    """The ranges in fused bindings, and the scalars without their offsets."""
    found: list[Range] = []
    for (binding, operand), kind in zip(kernel.fused, kernel.range_types, strict=True):
        buffer, start, length, access = bindings[binding]
        if operand >= 0:
            start = int(scalars[operand])
            length = prod(kind.get_shape()) * dtype_of(kind).bytes  # pyright: ignore[reportAttributeAccessIssue]
        found.append((buffer, start, length, access))
    return found, scalars[: min(operand for _, operand in kernel.fused if operand >= 0)]


def marker(name: str) -> Command:
    """Flush, invalidate, discard: no time, no data."""
    return Command(name, [], lambda _: None, lambda system, device: (None, 0))
