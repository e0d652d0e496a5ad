"""tile-communication: what tiles give each other becomes exchanges of scratchpad.

Precondition: legal KTIR. Postcondition: no inter-tile operation and no distributed memory view is left; tiles give each
other only what `headrace.exchange` names, between buffers of the scratchpad.

- `inter_tile_produce` stores its partials; a delivery exchanges them and loads its result (`deliveries`);
- a load through a distributed view loads a buffer that an exchange has filled from the partitions; a store fills a
  buffer that an exchange then spreads over them (`distributed`).

    %d = construct_distributed_memory_view(%a, %b)         headrace.exchange(%a, %b, B)
    %x = load %d[..]                                  ->   %x = load B
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.ir.passes import Pass
from headrace.scheduler.build import walk_ops
from headrace.scheduler.device import device_of
from headrace.scheduler.split.deliveries import lower_deliveries
from headrace.scheduler.split.distributed import lower_distributed, owner_of
from headrace.scheduler.split.exchanges import Exchanger
from headrace.scheduler.split.static import Static
from headrace.scheduler.split.tensor_legalization import Room

NAMES = ("ktdp.inter_tile_produce", "ktdp.construct_distributed_memory_view")


def communicates(kernel: Operation) -> bool:
    """Whether the tiles of a kernel may reach anything of each other."""
    if next(walk_ops(kernel, *NAMES), None) is not None:
        return True
    views = walk_ops(kernel, "ktdp.construct_memory_view")
    return any(owner_of(v.properties["memory_space"]) not in (None, -1) for v in views)


@dataclass
class TileCommunication(Pass):
    """Turn communication between tiles and distributed views into exchanges."""

    name = "tile-communication"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        kernels = [k for k in module.body.block.ops if isinstance(k, func.FuncOp) and k.body.blocks and communicates(k)]
        if not kernels:
            return
        device = device_of(module)
        room = Room(module, device)
        for kernel in kernels:
            exchanger = Exchanger(kernel, module, device, room, Static(kernel))
            lower_deliveries(exchanger)
            lower_distributed(exchanger)
