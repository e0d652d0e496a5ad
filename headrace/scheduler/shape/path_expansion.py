"""path-expansion: send every operand over the device's shortest route.

Precondition: a three-stage pipeline whose FIFOs join memory kinds and the compute kind. Postcondition: one stage per
unit on the routes, every
FIFO joins two adjacent units, staging buffers stand in every memory in between, every stage has exactly one applicable
unit.

Each operand is routed on its own, so operands in different memories may meet in one program: one that is in the
scratchpad already takes part
from the scratchpad's load unit on, without a DMA stage. Stages are ordered along the route and joined by one chain of
tokens.

    load DDR -> SFU | compute [SFU] | store SFU -> DDR
    DDR -> a [MNILU] | a -> L1LU -> SFU [L1LU] | compute [SFU] | SFU -> L1SU -> b [L1SU] | b -> DDR [MNISU]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.ir.types import memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, alloc_op, walk_ops
from headrace.scheduler.device import device_of, kind_attr_of, programs


@dataclass
class PathExpansion(Pass):
    """Insert the stages and staging buffers between memories and the compute unit."""

    name = "path-expansion"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            for pipeline in list(walk_ops(program, "ktdf.pipeline")):
                expand(pipeline, device)


@dataclass(eq=False)
class Hop:
    """One transfer of an operand by `unit`; a side is an existing memref side, a new buffer in a memory, or a FIFO
    slot."""

    unit: str
    source: ktdf.Side | None = None
    dest: ktdf.Side | None = None
    memory: str | None = None


@dataclass(eq=False)
class Plan:
    loads: list[list[Hop]] = field(default_factory=list)
    stores: list[list[Hop]] = field(default_factory=list)


def hops(route: list[str], device: Device, op: Operation) -> list[tuple[str, str]]:
    """(unit, memory) pairs along a route between a memory and the compute unit, in route order without both ends."""
    pairs: list[tuple[str, str]] = []
    for node in route[1:-1]:
        pairs.append((node, "memory" if node in device.memories else "unit"))
    if not pairs or pairs[0][1] != "unit" or any(a[1] == b[1] for a, b in pairwise(pairs)):
        raise error(op, f"path-expansion: the route {' -> '.join(route)} does not alternate between units and memories")
    return pairs


def expand(pipeline: Operation, device: Device) -> None:
    """Replace one three-stage pipeline by the expanded one."""
    stages = ktdf.stages(pipeline)
    if len(stages) != 3 or ktdf.units(stages[0]):
        return
    load, compute, store = stages
    anchor = ktdf.units(compute)[0]
    ins = [t for t in load.regions[0].block.ops if t.name == "ktdf.data_transfer"]
    outs = [t for t in store.regions[0].block.ops if t.name == "ktdf.data_transfer"]
    old_private = ktdf.private(pipeline)
    assert old_private is not None

    in_routes = [hops(route_of(device, ktdf.memory_kind(t.source), anchor, t), device, t) for t in ins]  # type: ignore[attr-defined]
    out_routes = [hops(route_of(device, anchor, ktdf.memory_kind(t.destination), t), device, t) for t in outs]  # type: ignore[attr-defined]

    emit = Emitter.before(pipeline)
    new = ktdf.PipelineBuilder(emit, pipeline)
    load_stages = ordered_units([[n for n, k in reversed(r) if k == "unit"] for r in in_routes])
    store_stages = ordered_units([[n for n, k in r if k == "unit"] for r in out_routes])
    stage_of = {
        **{u: new.stage([u]) for u in reversed(load_stages)},
        "": new.stage([anchor], body=compute),
        **{u: new.stage([u]) for u in store_stages},
    }

    slots: dict[SSAValue, SSAValue] = {}
    for t, route in zip(ins, in_routes, strict=True):
        here = ktdf.side_of(t, "source")
        old_slot = ktdf.side_of(t, "dest")
        for i, (node, what) in enumerate(route):
            if what == "memory":
                continue
            if i == len(route) - 1:
                slot = new.slot(
                    node, anchor, ktdf.slot_count(old_slot.value), ktdf.slot_element(old_slot.value), "load"
                )
                slots[old_slot.value] = slot
                ktdf.transfer(stage_of[node], here, ktdf.Side(slot, None, old_slot.sizes))
            else:
                buffer = staging(new, here, route[i + 1][0], device)
                ktdf.transfer(stage_of[node], here, buffer)
                here = buffer
    for t, route in zip(outs, out_routes, strict=True):
        old_slot = ktdf.side_of(t, "source")
        final = ktdf.side_of(t, "dest")
        here: ktdf.Side | None = None
        for i, (node, what) in enumerate(route):
            if what == "memory":
                continue
            if here is None:
                slot = new.slot(
                    anchor, node, ktdf.slot_count(old_slot.value), ktdf.slot_element(old_slot.value), "store"
                )
                slots[old_slot.value] = slot
                here = ktdf.Side(slot, None, old_slot.sizes)
            target = final if i == len(route) - 1 else staging(new, final, route[i + 1][0], device)
            ktdf.transfer(stage_of[node], here, target)
            here = target
    new.finish(slots)


def route_of(device: Device, src: str, dst: str, op: Operation) -> list[str]:
    route = device.route(src, dst)
    if not route:
        raise error(
            op, f"path-expansion: failed to plan path expansion: the device has no route from '{src}' to '{dst}'"
        )
    return route


def ordered_units(chains: list[list[str]]) -> list[str]:
    """Units of several chains that all start next to the compute unit, nearest first."""
    order: list[str] = []
    for depth in range(max((len(c) for c in chains), default=0)):
        for chain in chains:
            if depth < len(chain) and chain[depth] not in order:
                order.append(chain[depth])
    return order


def staging(new: ktdf.PipelineBuilder, like: ktdf.Side, memory: str, device: Device) -> ktdf.Side:
    """A buffer in `memory` that holds the box of `like`; sizes that are only known per iteration take their maximum."""
    assert like.sizes is not None and isinstance(like.value.type, MemRefType)
    shape = [ktdf.upper_size(s) for s in like.sizes]
    t = memref_type(like.value.type.element_type, shape, memory_space=kind_attr_of(device, memory))
    buffer = new.resource(alloc_op(t), like)
    return ktdf.Side(buffer, ktdf.zeros(len(shape)), like.sizes)
