"""Collectives: channels, where participants meet, and what each of them receives.

The participants of a group are numbered from zero. The n-th collective of every participant of a group belongs
together; for `send` and `recv` the n-th of a pair. Data moves when the last participant has arrived. Sizes count
elements:

| kind | a participant sends | and receives |
|---|---|---|
| all_gather | its `count` | those of all, by number |
| all_reduce | its `count` | the reduction over all |
| all_to_all | its `count`, in equal parts by number | its part of all, by number |
| broadcast | its `count` (of `source` only) | those of participant `source` |
| reduce | its `count` | the reduction over all, `target` only |
| reduce_scatter | `count` times the number of participants | its part of the reduction |
| send, recv | its `count` to `target` | the other one's |
| send_recv | its `count` | that of the one it receives from; zeros where that is -1 |

`source_target_pair` holds the participant to send to in its low and the one to receive from in its high 16 bits.
Reductions go by ascending number and round to the element type at each step; `average` divides at the end (integers:
towards zero).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.ir.diagnostics import HeadraceError
from headrace.numerics import dtypes
from headrace.stream.execution import Command, Range
from headrace.stream.runtime_memory import StreamFault
from headrace.stream.system import System

Bytes = NDArray[np.uint8]
Done = Callable[["HeadraceError | None"], None]

_NUMPY: dict[str, Any] = {
    "si8": np.int8, "ui8": np.uint8, "si16": np.int16, "ui16": np.uint16, "si32": np.int32, "ui32": np.uint32,
    "si64": np.int64, "ui64": np.uint64,
}  # fmt: skip


@dataclass(frozen=True)
class Collective:
    """What is asked for: kind, reduction, element type, elements, the parameter (0 where there is none)."""

    kind: str
    reduction: str
    element: str
    count: int
    parameter: int = 0

    @property
    def element_bytes(self) -> int:
        """Bytes of one element."""
        if self.element in _NUMPY:
            return np.dtype(_NUMPY[self.element]).itemsize
        return dtypes.get(self.element).bytes

    @property
    def pair(self) -> tuple[int, int]:
        """(participant to send to, participant to receive from) of `send_recv`; -1 for none."""
        low, high = self.parameter & 0xFFFF, self.parameter >> 16 & 0xFFFF
        return (low - (low >> 15 << 16), high - (high >> 15 << 16))

    def same(self, other: Collective) -> bool:
        """Whether two participants ask for the same."""
        mine = (self.kind, self.reduction, self.element, self.count)
        return mine == (other.kind, other.reduction, other.element, other.count)


@dataclass(eq=False)
class Participant:
    """One side of a meeting: its bytes, how many it can receive, and what to do when data has moved."""

    wanted: Collective
    source: Bytes
    room: int
    done: Done
    received: Bytes | None = None
    rank: int = -1


@dataclass(eq=False)
class Meeting:
    """The participants of one collective that have arrived."""

    members: tuple[int, ...]
    arrived: dict[int, Participant] = field(default_factory=dict[int, Participant])
    failure: HeadraceError | None = None

    @property
    def missing(self) -> list[int]:
        """Participants that have not come yet."""
        return [m for m in self.members if m not in self.arrived]

    def arrive(self, participant: Participant) -> list[tuple[Done, HeadraceError | None]]:
        """Come to the meeting; gives what to call once all are there (at once after a failure)."""
        self.arrived[participant.rank] = participant
        if self.failure is not None:
            return [(participant.done, self.failure)]
        if self.missing:
            return []
        try:
            exchange([self.arrived[m] for m in self.members])
            problem: HeadraceError | None = None
        except HeadraceError as found:
            problem = self.failure = found
        return [(self.arrived[m].done, problem) for m in self.members]

    def fail(self, failure: HeadraceError) -> list[tuple[Done, HeadraceError | None]]:
        """A participant will not come: those who wait fail."""
        if self.failure is not None or not self.missing:
            return []
        self.failure = failure
        return [(p.done, failure) for p in self.arrived.values()]


@dataclass(eq=False)
class Group:
    """Participants that meet; `count` is known from the start or once all have split off."""

    name: str
    count: int | None
    members: set[int] = field(default_factory=set[int])
    devices: dict[int, str | None] = field(default_factory=dict[int, "str | None"])
    """Where each participant is."""
    meetings: dict[Any, Meeting] = field(default_factory=dict[Any, Meeting])
    numbers: dict[Any, int] = field(default_factory=dict[Any, int])
    splits: dict[int, dict[int, tuple[int, int]]] = field(default_factory=dict[int, "dict[int, tuple[int, int]]"])
    """For each split the (color, key) of the participants that asked for it."""
    parts: dict[tuple[int, int], Group] = field(default_factory=dict[tuple[int, int], "Group"])

    def meeting(self, rank: int, wanted: Collective, number: int) -> Meeting:
        """The meeting of a participant's `number`-th collective (of that pair, for `send` and `recv`)."""
        assert self.count is not None
        if wanted.kind in ("send", "recv"):
            if not 0 <= wanted.parameter < self.count:
                raise StreamFault(f"{wanted.kind}: there is no participant {wanted.parameter} of {self.count}")
            pair = (rank, wanted.parameter) if wanted.kind == "send" else (wanted.parameter, rank)
            if pair[0] == pair[1]:
                raise StreamFault(f"{wanted.kind}: participant {rank} with itself")
            return self.meetings.setdefault((*pair, number), Meeting(pair))
        return self.meetings.setdefault(number, Meeting(tuple(range(self.count))))


@dataclass(eq=False)
class Channel:
    """One participant of a group. `place()` gives (group, number), which a split knows only when all have split."""

    place: Callable[[], tuple[Group, int]]
    numbers: dict[Any, int] = field(default_factory=dict[Any, int])

    @property
    def rank(self) -> int:
        """The participant's number."""
        return self.place()[1]

    @property
    def count(self) -> int:
        """The number of participants."""
        found = self.place()[0].count
        assert found is not None
        return found

    def ticket(self, wanted: Collective) -> Ticket:
        """The participant's next collective."""
        key = (wanted.kind, wanted.parameter) if wanted.kind in ("send", "recv") else None
        number = self.numbers.get(key, 0)
        self.numbers[key] = number + 1
        return Ticket(self, wanted, number)

    def split(self, color: int, key: int) -> Channel:
        """The channel of the participants with one color, ordered by key, then by number."""
        group, rank = self.place()
        number = group.numbers.get(("split", rank), 0)
        group.numbers["split", rank] = number + 1
        asked = group.splits.setdefault(number, {})
        asked[rank] = (color, key)

        def place() -> tuple[Group, int]:
            if len(asked) != group.count:
                raise StreamFault(
                    f"a split channel is used before all participants of '{group.name}' have split: "
                    f"{len(asked)} of {group.count}"
                )
            order = sorted((k, r) for r, (c, k) in asked.items() if c == color)
            part = group.parts.get((number, color))
            if part is None:
                part = group.parts[number, color] = Group(f"{group.name}.{number}.{color}", len(order))
                part.devices = {i: group.devices.get(r) for i, (_, r) in enumerate(order)}
            return part, order.index((key, rank))

        return Channel(place)


@dataclass(eq=False)
class Ticket:
    """A participant's right to one meeting, numbered when its command is submitted."""

    channel: Channel
    wanted: Collective
    number: int

    def meeting(self) -> Meeting:
        """The meeting. Raises StreamFault for a participant that does not exist, or a split that is not complete."""
        group, rank = self.channel.place()
        return group.meeting(rank, self.wanted, self.number)

    def arrive(self, side: Participant) -> list[tuple[Done, HeadraceError | None]]:
        """Come to the meeting; gives what to call now."""
        try:
            meeting = self.meeting()
        except StreamFault as problem:
            return [(side.done, problem)]
        side.rank = self.channel.rank
        return meeting.arrive(side)

    def fail(self, failure: HeadraceError) -> list[tuple[Done, HeadraceError | None]]:
        """Do not come; gives what to call now."""
        try:
            return self.meeting().fail(failure)
        except StreamFault:
            return []

    def stuck(self) -> str:
        """Whom those who have arrived wait for, empty if nobody."""
        try:
            meeting = self.meeting()
        except StreamFault as problem:
            return f"; {problem.diagnostics[0].message}"
        missing = meeting.missing
        if not meeting.arrived or not missing or meeting.failure is not None:
            return ""
        many = "s" if len(missing) > 1 else ""
        return f"; {self.wanted.kind} lacks participant{many} {', '.join(map(str, missing))}"


class Groups:
    """The groups of a program by name. A participant that joins a second time starts a new one."""

    def __init__(self) -> None:
        self.current: dict[str, Group] = {}

    def create(self, name: str, rank: int, count: int, device: str | None = None) -> Channel:
        """A participant's channel."""
        if not 0 <= rank < count:
            raise StreamFault(f"channel: participant {rank} of {count}")
        group = self.current.get(name)
        if group is None or rank in group.members or group.count != count:
            group = self.current[name] = Group(name, count)
        group.members.add(rank)
        group.devices[rank] = device
        found = group
        return Channel(lambda: (found, rank))


# ---- commands -------------------------------------------------------------------------------------------------------


def command(
    channel: Channel, wanted: Collective, source: Range | None, target: Range | None, op: Any = None
) -> Command:
    """One participant's side as a command of its device."""
    ticket = channel.ticket(wanted)
    here: list[Participant] = []

    def participant(done: Done) -> Participant:
        raw = np.zeros(0, np.uint8) if source is None else source[0].view(source[1], source[2]).copy()
        here[:] = [Participant(wanted, raw, 0 if target is None else target[2], done)]
        return here[0]

    def run(_: str | None) -> Callable[[], None]:
        def store() -> None:
            raw = here[0].received
            if raw is not None and target is not None:
                target[0].view(target[1], target[2])[: raw.size] = raw

        return store

    def cost(system: System, device: str | None) -> tuple[Any, int]:
        try:
            group, rank = channel.place()
        except StreamFault:
            return None, 0
        peer = wanted.parameter if wanted.kind in ("send", "recv") else (rank + 1) % channel.count
        other = group.devices.get(peer)
        share, hops = _traffic(wanted, channel.count)
        if other is None or device is None or other == device or wanted.kind == "recv":
            return ("device", device), system.memory_ns(device, 0 if wanted.kind == "recv" else share)
        link = system.link(device, other)
        return ("link", device, other), hops * link.latency_ns + round(share / link.gbytes_per_s)

    ranges = [r for r in (source, target) if r is not None]
    return Command(wanted.kind, ranges, run, cost, op, ticket, participant)


def _traffic(wanted: Collective, number: int) -> tuple[int, int]:
    """Bytes a participant passes on and the steps this takes, on a ring."""
    size, others = wanted.count * wanted.element_bytes, number - 1
    if wanted.kind in ("all_gather", "reduce_scatter"):
        return size * others, others
    if wanted.kind == "all_reduce":
        return 2 * size * others // number, 2 * others
    if wanted.kind == "all_to_all":
        return size * others // number, others
    return size, 1


# ---- what moves -----------------------------------------------------------------------------------------------------


def exchange(members: Sequence[Participant]) -> None:
    """Give every participant what it receives. Raises StreamFault where they do not fit."""
    first = members[0].wanted
    if first.kind in ("send", "recv"):
        sender, receiver = sorted(members, key=lambda p: p.wanted.kind != "send")
        if (sender.wanted.kind, receiver.wanted.kind) != ("send", "recv"):
            raise StreamFault("a send and a recv belong together")
        if sender.wanted.count != receiver.wanted.count or sender.wanted.element != receiver.wanted.element:
            raise StreamFault("send and recv differ in elements")
        _give(receiver, _taken(sender, sender.wanted.count))
        return
    for p in members:
        if not p.wanted.same(first):
            raise StreamFault(f"participants differ: {_say(first)} and {_say(p.wanted)}")
    {
        "all_gather": _all_gather,
        "all_reduce": _all_reduce,
        "all_to_all": _all_to_all,
        "broadcast": _broadcast,
        "reduce": _reduce,
        "reduce_scatter": _reduce_scatter,
        "send_recv": _send_recv,
    }[first.kind](members)


def _say(wanted: Collective) -> str:
    reduction = f" with {wanted.reduction}" if wanted.reduction else ""
    return f"{wanted.kind}{reduction} of {wanted.count} {wanted.element}"


def _taken(p: Participant, count: int) -> Bytes:
    """The first `count` elements of what a participant sends."""
    size = count * p.wanted.element_bytes
    if size > p.source.size:
        raise StreamFault(f"{p.wanted.kind}: {size} bytes are sent from a range of {p.source.size}")
    return p.source[:size]


def _give(p: Participant, raw: Bytes) -> None:
    if raw.size > p.room:
        raise StreamFault(f"{p.wanted.kind}: {raw.size} bytes arrive at a range of {p.room}")
    p.received = raw


def _root(members: Sequence[Participant]) -> int:
    root = members[0].wanted.parameter
    if any(p.wanted.parameter != root for p in members) or not 0 <= root < len(members):
        raise StreamFault(f"{members[0].wanted.kind}: participants name the roots "
                          f"{sorted({p.wanted.parameter for p in members})} of {len(members)}")  # fmt: skip
    return root


def _all_gather(members: Sequence[Participant]) -> None:
    whole = np.concatenate([_taken(p, p.wanted.count) for p in members])
    for p in members:
        _give(p, whole)


def _all_reduce(members: Sequence[Participant]) -> None:
    whole = _reduced(members, members[0].wanted.count)
    for p in members:
        _give(p, whole)


def _all_to_all(members: Sequence[Participant]) -> None:
    count, number = members[0].wanted.count, len(members)
    if count % number:
        raise StreamFault(f"all_to_all: {count} elements are no multiple of {number} participants")
    size = count // number * members[0].wanted.element_bytes
    rows = [_taken(p, count) for p in members]
    for i, p in enumerate(members):
        _give(p, np.concatenate([r[i * size : (i + 1) * size] for r in rows]))


def _broadcast(members: Sequence[Participant]) -> None:
    root = members[_root(members)]
    whole = _taken(root, root.wanted.count).copy()
    for p in members:
        _give(p, whole)


def _reduce(members: Sequence[Participant]) -> None:
    _give(members[_root(members)], _reduced(members, members[0].wanted.count))


def _reduce_scatter(members: Sequence[Participant]) -> None:
    count = members[0].wanted.count
    whole = _reduced(members, count * len(members))
    size = count * members[0].wanted.element_bytes
    for i, p in enumerate(members):
        _give(p, whole[i * size : (i + 1) * size])


def _send_recv(members: Sequence[Participant]) -> None:
    for p in members:
        _, source = p.wanted.pair
        size = p.wanted.count * p.wanted.element_bytes
        if source < 0:
            _give(p, np.zeros(size, np.uint8))
        elif source >= len(members) or members[source].wanted.pair[0] != p.rank:
            raise StreamFault(f"send_recv: participant {p.rank} receives from {source}, which does not send to it")
        else:
            _give(p, _taken(members[source], p.wanted.count).copy())


def _reduced(members: Sequence[Participant], count: int) -> Bytes:
    wanted = members[0].wanted
    if wanted.element in _NUMPY:
        kind = _NUMPY[wanted.element]
        rows = [_taken(p, count).view(kind) for p in members]
        total = rows[0].copy()
        for row in rows[1:]:
            total = _combine(wanted.reduction, total, row).astype(kind)
        if wanted.reduction == "average":
            quotient = np.abs(total.astype(object)) // len(rows)
            total = np.where(total < 0, -quotient, quotient).astype(kind)
        return np.ascontiguousarray(total).view(np.uint8)
    dtype = dtypes.get(wanted.element)
    values = [dtype.decode(_taken(p, count).view(dtype.storage_dtype)) for p in members]
    result = values[0]
    with np.errstate(all="ignore"):
        for row in values[1:]:
            result = dtype.round_to(_combine(wanted.reduction, result, row))
        if wanted.reduction == "average":
            result = dtype.round_to(result / len(values))
    return np.ascontiguousarray(dtype.encode(result)).reshape(-1).view(np.uint8)


def _combine(reduction: str, one: Any, two: Any) -> Any:
    with np.errstate(all="ignore"):
        if reduction in ("sum", "average"):
            return one + two
        if reduction == "product":
            return one * two
        if reduction == "minimum":
            return np.minimum(one, two)
        if reduction == "maximum":
            return np.maximum(one, two)
    raise StreamFault("a reduction is needed: sum, product, minimum, maximum or average")
