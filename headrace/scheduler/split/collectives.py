"""Which algorithm moves and combines the partials of tiles: decided here, by the least estimated time.

An all-reduce:

- `gather`: every consumer gets all partials and combines them: least latency;
- `scatter`: each tile combines one slice of all partials, then the slices are gathered;
- `ring`: slices go around a ring of the tiles, growing on the way, and the finished ones go around again: every link
  carries the tensor twice, whatever the number of tiles.

Gather and scatter combine in ascending tile id; a ring combines each slice from another tile on, so what it passes on
has the type of the accumulator: sums of f16 and bf16 go around as f32, where partials and result fit as such, and are
rounded once at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, bf16, f16, f32, i64
from xdsl.ir import Attribute, SSAValue

from headrace.arch import Device
from headrace.ir.elements import splat_value
from headrace.ir.types import dtype_of

PROGRAM = 80
"""Assumed cycles between the end of one program's work and the start of the next one's."""
STEP = 70
"""Assumed cycles from a vector's departure to its sum's, beside its share of the link."""
MOST_SIGNALS = 200
"""Blocks of one tile that a ring may signal before anybody waits."""
BUFFERS = 4
"""Blocks of staging."""


@dataclass(frozen=True)
class Choice:
    """The algorithm, the estimate of each that is possible (cycles), the ring's block in vectors, and the type in which
    the ring passes partials on."""

    name: str
    estimates: dict[str, int]
    block: int = 0
    carried: Attribute = f32

    def attribute(self) -> DictionaryAttr:
        """For the reader of the IR."""
        entries: dict[str, Attribute] = {k: IntegerAttr(n, i64) for k, n in sorted(self.estimates.items())}
        return DictionaryAttr({"algorithm": StringAttr(self.name), **entries})


def ring_block(vectors: int, members: int, instances: int) -> int:
    """Vectors of a block: at least two blocks a slice where possible, few enough signals; 0 where none fits."""
    fitting = [n for n in range(instances, vectors + 1, instances) if vectors % n == 0]
    fitting = [n for n in fitting if (members - 1) * (vectors // n) <= MOST_SIGNALS]
    good = [n for n in fitting if vectors // n >= 4 and n >= 16]
    return max(good, default=min((n for n in fitting if vectors // n >= 2), default=max(fitting, default=0)))


def distance_cycles(members: int, size: float, rate: int) -> float:
    """Cycles until every tile of `members` neighbours has sent every other one `size` bytes: over distance s a link is
    shared by s ways."""
    return sum(size * min(s, members - s) / rate for s in range(1, members))


def choose(
    device: Device, members: int, elements: int, element: Attribute, kind: str, neutral: bool, room: int = 0
) -> Choice:
    """The algorithm of an all-reduce of `elements` over groups of `members` tiles, with `room` free bytes."""
    joint = device.interconnect
    assert joint is not None
    width = dtype_of(element).bytes
    size = elements * width
    rate = joint.bytes_per_cycle
    lanes = device.vector_lanes(element)
    instances = max(1, device.unit(device.compute_kind).instances)
    vectors = -(-elements // lanes)
    hop = joint.hop_latency * members // 2
    found = {"gather": distance_cycles(members, size, rate) + PROGRAM + hop + vectors * members / instances}
    block = 0
    carried = element
    if elements % members == 0:
        part = size / members
        found["scatter"] = 2 * (distance_cycles(members, part, rate) + PROGRAM + hop) + PROGRAM + vectors / instances
        if dtype_of(element).bits < 32 and kind in ("arith.addf", "arith.mulf"):
            carried = f32
        lanes = device.vector_lanes(carried)
        block = ring_block(elements // members // lanes, members, instances)
        packed = block * lanes * dtype_of(carried).bytes
        buffers = 2 * elements * dtype_of(carried).bytes + BUFFERS * packed
        fits = carried == element or (element in (f16, bf16) and buffers <= room)
        if neutral and fits and block and elements % (members * lanes) == 0 and members > 1:
            pace = max(elements * dtype_of(carried).bytes / members / rate, packed / rate + STEP)
            found["ring"] = 2 * (members - 1) * pace + PROGRAM
            if carried != element:  # two more programs, each bound by a port that takes a vector a cycle
                found["ring"] += 2 * (PROGRAM + elements / lanes)
                if 2 * found["ring"] > found["scatter"]:
                    del found["ring"]  # slices that FIFOs hold are scattered in half the estimated time
    cycles = {k: round(n) for k, n in found.items()}
    return Choice(min(cycles, key=lambda k: cycles[k]), cycles, block, carried)


def choose_broadcast(device: Device, receivers: int, size: int) -> Choice:
    """How one tile's `size` bytes get to `receivers` others: `direct`, one after the other, or a `tree`, in which who
    has them passes them on, one program a level."""
    joint = device.interconnect
    assert joint is not None
    send = size / joint.bytes_per_cycle + joint.hop_latency
    found = {"direct": round(receivers * send + PROGRAM), "tree": round(receivers.bit_length() * (send + PROGRAM))}
    return Choice(min(found, key=lambda k: found[k]), found)


def broadcast_levels(producer: int, receivers: list[int]) -> list[list[tuple[int, int]]]:
    """Levels of a tree: (from, to) pairs; the holders double with every level."""
    holders, left = [producer], list(receivers)
    levels: list[list[tuple[int, int]]] = []
    while left:
        level = list(zip(holders, left, strict=False))
        levels.append(level)
        left = left[len(level) :]
        holders += [t for _, t in level]
    return levels


def is_neutral(value: SSAValue, kind: str) -> bool:
    """Whether an identity leaves every value as it is: it may then be left out."""
    constant = value.owner.value if isinstance(value.owner, arith.ConstantOp) else None
    number = splat_value(constant)
    if number is None:
        return False
    wanted = {
        "arith.addf": 0.0, "arith.addi": 0, "arith.mulf": 1.0, "arith.muli": 1, "arith.ori": 0, "arith.andi": -1,
        "arith.maximumf": float("-inf"), "arith.minimumf": float("inf"),
        "arith.maxnumf": float("-inf"), "arith.minnumf": float("inf"),
    }  # fmt: skip
    return kind in wanted and number == wanted[kind]
