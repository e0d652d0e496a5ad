"""Programs that only move a tensor from main memory to the scratchpad: one transfer, past the compute units.

    %x = ktdp.load A ; ktdp.store %x, S (in the scratchpad)   ->   pipeline { stage [fetch] { A -> S } }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import BlockArgument

from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Index, constant_of
from headrace.scheduler.device import MAPPED
from headrace.scheduler.split.scalarize import Operand

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


def emit_copy(builder: Builder) -> bool:
    """Emit the transfer of a program that is one, its domain laid out; whether it is."""
    unit = unit_of(builder)
    if unit is None:
        return False
    source, target = builder.table.operands[0], builder.outputs[0]
    strides = builder.domain.strides
    sizes = [constant_of(d.extent) for d in builder.domain.dims]
    contiguous = strides[1][-1] == 1 and (strides[0][-1] == 1 or builder.domain.dims[-1].extent == 1)
    if any(n is None for n in sizes) or any(not s for s in strides[1]) or not contiguous:
        return False
    sides = [side(builder, o, s) for o, s in zip((source, target), strides, strict=True)]
    if sides[0].sizes != sides[1].sizes:
        return False
    pipeline = ktdf.PipelineBuilder(builder.top, builder.stores[0])
    ktdf.transfer(pipeline.stage([unit]), sides[0], sides[1], from_op=source.access.op)
    pipeline.finish({})
    builder.program.attributes[MAPPED] = UnitAttr()
    return True


def unit_of(builder: Builder) -> str | None:
    """The unit between the two memories of a program that loads a tensor from main memory and stores it unchanged in a
    memory one hop away; None for other programs."""
    device = builder.device
    last = builder.body.last_op
    if last is None or last is not builder.body.first_op or len(builder.table.operands) != 1:
        return None
    if len(builder.outputs) != 1 or not isinstance(last.operands[0], BlockArgument):
        return None
    source, target = builder.table.operands[0], builder.outputs[0]
    kinds = [device.space_to_kind(o.access.space) for o in (source, target)]
    if target.table is not None or device.memory_level(kinds[0]) != 0 or device.memory_level(kinds[1]) == 0:
        return None
    if source.access.element_type != target.access.element_type:
        return None
    route = device.route(kinds[0], kinds[1])
    return route[1] if len(route) == 3 and route[1] in device.units else None


def side(builder: Builder, operand: Operand, strides: list[int]) -> ktdf.Side:
    """The whole of an operand."""
    memory = builder.memory(operand, strides)
    sizes: list[Index] = [constant_of(d.extent) or 0 for d, s in zip(builder.domain.dims, strides, strict=True) if s]
    if not strides[-1]:
        sizes.append(1)
    return ktdf.Side(memory, ktdf.zeros(len(sizes)), sizes)
