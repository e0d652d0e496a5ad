"""Steps of what goes between cores: exchanges, sums over rings, shared reads (`lower.exchanged`, `lower.ring_reduce`,
`lower.shared_reads`).

Only one core is played. What it receives is what its peers send, and they do the same at the same time: a FIFO to the
next core of a ring is one from this core to itself. The rounds of an exchange are followed on all cores at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType

from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp, Round
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.clocks import Do
from headrace.scheduler.lower.ring_reduce import ARRIVED, FULL, ROOM, SENT, SUM, largest_divisor
from headrace.scheduler.lower.shared_reads import rings_of
from headrace.scheduler.shared import SHARE, cut_box

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from headrace.scheduler.unit_steps import Steps


def across(steps: Steps, source: str, target: str, ring: Sequence[int]) -> tuple[object, float]:
    """(link from a core to the next one of a ring, bytes a cycle)."""
    joint = steps.device.interconnect
    assert joint is not None
    cores = steps.device.cores or steps.cores
    pairs = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    longest = max(len(joint.path(a, b, cores)) for a, b in pairs)
    rate = min(joint.rates(pairs, cores).values())
    key = ("across", source, target, longest, rate)
    steps.program.links.setdefault(
        key, (joint.depth, steps.inflight(source), float(joint.hop_latency * max(1, longest)))
    )
    return key, float(rate)


def shared_steps(steps: Steps, op: Operation, kind: str, source: ktdf.Side, target: ktdf.Side) -> None:
    """A shared read: the own part of every chunk, and what comes around."""
    ring = rings_of(op.attributes[SHARE])[0]
    element = source.value.type.element_type  # type: ignore[attr-defined]
    lanes = steps.device.vector_lanes(element)
    cut = cut_box(steps.sizes(source), len(ring), lanes, steps.device.queue_depth(kind, kind))
    if cut is None:
        steps.bursts(kind, source, target)
        return
    size = float(lanes * dtype_of(element).bytes)
    link, rate = across(steps, kind, kind, ring)
    spent = max(1.0, -(-size // rate))
    vectors = cut.vectors
    paid_in = steps.words(kind, source, size, False)
    paid_out = steps.words(kind, target, size, True)

    def own() -> None:
        steps.repeat(kind, vectors)
        steps.vector_load(kind, source.value, paid_in)
        steps.add(kind, Do.SEND, link, spent, True)
        steps.close(kind)

    def send(waits: bool = False) -> None:
        steps.repeat(kind, vectors)
        steps.add(kind, Do.SEND, link, spent, waits)
        steps.close(kind)

    def read() -> None:
        steps.repeat(kind, vectors)
        steps.vector_load(kind, source.value, paid_in)
        steps.close(kind)

    def around() -> None:
        send()
        turn(cut.members - 1, True)
        turn(1, False)

    def turn(times: int, forward: bool) -> None:
        if times < 1:
            return
        steps.repeat(kind, times * vectors)
        steps.add(kind, Do.RECEIVE, link)
        steps.vector_store(kind, target.value, paid_out)
        if forward:
            steps.add(kind, Do.SEND, link, spent, not cut.turning)
        steps.close(kind)

    if cut.turning:
        latency = steps.device.memory_of(source.value).timing.latency
        ahead = cut.ahead(latency, size / rate)
        first = min(cut.members, cut.chunks)
        for _ in range(ahead):
            read()
        for k in range(first):  # while chunks are on their way for the first time
            send(k == 0)
            turn(k, True)
            if k + ahead < cut.chunks:
                read()
        if cut.chunks > first + ahead:
            steps.repeat(kind, cut.chunks - first - ahead)
            around()
            read()
            steps.close(kind)
        if cut.chunks > first:
            steps.repeat(kind, min(ahead, cut.chunks - first))
            around()
            steps.close(kind)
        for k in range(cut.members):
            turn(min(first, cut.members - 1 - k), True)
            turn(1 if cut.members - k <= first else 0, False)
        return
    own()
    if cut.chunks > 1:
        steps.repeat(kind, cut.chunks - 1)
        turn(cut.members - 1, True)
        own()
        turn(1, False)
        steps.close(kind)
    turn(cut.members - 1, True)
    turn(1, False)


def ring_steps(steps: Steps, op: RingReduceOp, kind: str) -> None:
    """One unit's part of a sum over a ring."""
    device = steps.device
    kinds = {n: op.attributes[f"headrace.{n}"].data for n in ("sender", "receiver", "loader", "compute", "storer")}  # type: ignore[attr-defined]
    ring = op.members()[0]
    n = len(ring)
    t = op.memrefs[0].type
    assert isinstance(t, MemRefType)
    lanes = device.vector_lanes(t.element_type)
    block = op.block.value.data
    blocks = t.get_shape()[0] // n // lanes // block
    buffers = op.memrefs[2].type.get_shape()[0] // (block * lanes)  # type: ignore[attr-defined]
    instances = max(1, steps.counts.get(kinds["compute"], 1))
    vector = dtype_of(t.element_type).bytes * lanes
    joint = device.interconnect
    packet = joint.packet_bytes if joint is not None and joint.packet_bytes else vector
    packets = largest_divisor(block, packet // vector)
    rate = device.datapath_timing(kinds["loader"], kinds["compute"]).bytes_per_cycle or vector
    entry = largest_divisor(block // instances, rate // vector)
    key = op.number.value.data
    link, speed = across(steps, kinds["sender"], kinds["receiver"], ring)
    spent = max(1.0, -(-packets * vector // speed))

    def signal(to: str, number: int, count: int = 1) -> None:
        steps.add(kind, Do.SIGNAL, (key, kind, kinds[to], number), count)

    def wait(on: str, number: int, count: int = 1) -> None:
        steps.add(kind, Do.WAIT, (key, kinds[on], kind, number), count)

    def sends(memref: int, on: tuple[str, int] | None) -> None:
        steps.repeat(kind, blocks)
        if on is not None:
            wait(*on)
        steps.repeat(kind, block // packets)
        steps.vector_load(kind, op.memrefs[memref], packets * vector)
        steps.add(kind, Do.SEND, link, spent, True)
        steps.close(kind)
        steps.close(kind)

    def receives(memref: int, before: bool, after: tuple[str, int] | None) -> None:
        steps.repeat(kind, blocks)
        if before:
            wait("loader", ROOM)
        steps.repeat(kind, block // packets)
        steps.add(kind, Do.RECEIVE, link)
        steps.vector_store(kind, op.memrefs[memref], packets * vector)
        steps.close(kind)
        if after is not None:
            signal(*after)
        steps.close(kind)

    match op.part.data if op.part is not None else "":
        case "send":
            sends(0, None)
            if n > 2:
                steps.repeat(kind, n - 2)
                sends(1, ("storer", SUM))
                signal("receiver", SENT)
                steps.close(kind)
            sends(1, ("storer", SUM))
            if n > 2:
                steps.repeat(kind, n - 2)
                sends(1, ("receiver", ARRIVED))
                steps.close(kind)
        case "receive":
            steps.repeat(kind, n - 1)
            receives(2, True, ("loader", FULL))
            steps.close(kind)
            wait("loader", ROOM, buffers)
            receives(1, False, ("sender", ARRIVED) if n > 2 else None)
            for s in range(1, n - 1):
                wait("sender", SENT)
                receives(1, False, ("sender", ARRIVED) if s < n - 2 else None)
        case "load" | "compute" | "store" as part:
            size = float(entry * vector)
            saved, steps.instances = steps.instances, float(instances)
            if part == "load":
                signal("receiver", ROOM, buffers)
            steps.repeat(kind, (n - 1) * blocks)
            if part == "load":
                wait("receiver", FULL)
            steps.repeat(kind, block // instances // entry)
            if part == "load":
                for memref in (2, 0):
                    steps.vector_load(kind, op.memrefs[memref], size)
                    steps.add(kind, Do.SEND, steps.link(kind, kinds["compute"]), max(1.0, -(-size // rate)), True)
            elif part == "compute":
                into, out = steps.link(kinds["loader"], kind), steps.link(kind, kinds["storer"])
                steps.add(kind, Do.RECEIVE, into)
                steps.add(kind, Do.RECEIVE, into)
                cost = steps.vectors.price(kind, op.kind.data.rsplit(".", 1)[-1], t.element_type, entry * lanes)
                steps.add(kind, Do.WORK, cost, device.unit(kind).timing.latency, work=cost)
                steps.add(kind, Do.SEND, out, max(1.0, -(-size // rate)), True)
            else:
                steps.add(kind, Do.RECEIVE, steps.link(kinds["compute"], kind))
                steps.vector_store(kind, op.memrefs[1], size)
            steps.close(kind)
            if part == "load":
                signal("receiver", ROOM)
            elif part == "store":
                signal("sender", SUM)
            steps.close(kind)
            steps.instances = saved
        case _:
            pass


def exchange_steps(steps: Steps, op: ExchangeOp, kind: str) -> None:
    """One half of an exchange: from its begin on the sending side the cycles that each half takes on the core that
    takes longest."""
    sends = op.part is not None and op.part.data == "send"
    other = op.attributes["headrace.peer"].data  # type: ignore[attr-defined]
    sender, receiver = (kind, other) if sends else (other, kind)
    plan = op.plan()
    times = 1
    if any(r.at for r in plan):
        places = {r.at for r in plan}
        times = len(places)
    send, receive, latency = rounds(steps, op, plan, sender, receiver)
    key = (op.number.value.data, "exchange")
    if sends:
        steps.add(kind, Do.LEAVE, key, send / times, work=send / times)
    else:
        steps.add(kind, Do.ARRIVE, key, receive / times, latency)


def rounds(
    steps: Steps, op: ExchangeOp, plan: list[Round], sender: str, receiver: str
) -> tuple[float, float, float]:
    """(cycles until the last core has sent all, has received all, latency of the last store)."""
    joint = steps.device.interconnect
    assert joint is not None
    cores = steps.device.cores or steps.cores
    pairs = [(m.sender, m.receiver) for r in plan for m in r.moves]
    rates = joint.rates(pairs, cores)
    sent = dict.fromkeys(range(steps.cores), 0.0)
    received = dict.fromkeys(range(steps.cores), 0.0)
    latency = 0.0
    for r in plan:
        source, target = op.memrefs[r.source], op.memrefs[r.target]
        element = source.type.element_type  # type: ignore[attr-defined]
        width = dtype_of(element).bytes
        contiguous = r.source_strides[-1] == r.target_strides[-1] == 1
        lanes = min(steps.device.vector_lanes(element), r.sizes[-1]) if contiguous else 1
        count = prod(r.sizes[:-1]) * -(-r.sizes[-1] // lanes)
        _, _, out, wait = steps.request(sender, source, lanes * width, False)
        _, _, into, latency = steps.request(receiver, target, lanes * width, True)
        for m in r.moves:
            path = len(joint.path(m.sender, m.receiver, cores))
            spent = max(1.0, -(-lanes * width // rates[m.sender, m.receiver]))
            pace = max(out, spent, into)
            begin = sent[m.sender]
            arrives = begin + out + wait + spent + joint.hop_latency * max(1, path)
            end = max(received[m.receiver], arrives) + (count - 1) * pace + into
            received[m.receiver] = end
            sent[m.sender] = max(begin + count * max(out, spent), end - (joint.depth * pace) - wait)
    return max(sent.values(), default=0.0), max(received.values(), default=0.0), latency
