"""scalar-broadcast-legalization: an operand that is one element for the whole vector becomes a full vector.

Precondition: expanded pipelines. Postcondition: no generic reads an input whose indexing map ends in a constant while
the vector has more elements.

The transfer into the operand's FIFO gets `transfer_mode = "splat"`: the load unit repeats its one element over the
slot, which takes the vector's
size; the map's last result becomes the last dimension.

    stage { a[0, 0] size [1, 1] -> slot 1xf16 }       stage { a[0, 0] size [1, 1] -> slot 64xf16 {transfer_mode = "splat"} }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ModuleOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import constant_of, walk_ops
from headrace.scheduler.device import device_of, programs


@dataclass
class ScalarBroadcastLegalization(Pass):
    """Make scalar operands full vectors by a splat on the way into the FIFO."""

    name = "scalar-broadcast-legalization"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for program in programs(module):
            for op in list(walk_ops(program, "linalg.generic")):
                assert isinstance(op, linalg.GenericOp)
                legalize(op, device)


def legalize(generic: linalg.GenericOp, device: Device) -> None:
    """Splat every scalar input of one generic. Rows of a program with reductions get their splats in
    `reduction-loop-exposure`."""
    if "headrace.row" in generic.attributes or "headrace.row_epilogue" in generic.attributes:
        return
    maps = [m.data for m in generic.indexing_maps.data if isinstance(m, AffineMapAttr)]
    out = maps[len(generic.inputs)]
    if not isinstance(out.results[-1], AffineDimExpr):
        return
    vector = ktdf.last_extent(generic.outputs[0])
    if constant_of(vector) == 1:
        return
    changed = list(maps)
    for i, value in enumerate(generic.inputs):
        if not isinstance(maps[i].results[-1], AffineConstantExpr):
            continue
        read = value.owner
        if not (isinstance(read, Operation) and read.name == "ktdf.read_from_fifo"):
            continue
        slot = read.operands[0]
        transfer = ktdf.producer(slot)
        if transfer is None:
            raise error(generic, "scalar-broadcast-legalization: the scalar operand has an unexpected path structure")
        stage = ktdf.stage_around(transfer)
        unit = ktdf.units(stage)[0]
        if not device.unit(unit).splat:
            raise error(transfer, f"transfer unit '{unit}' does not support splat")
        ktdf.widen_slot(slot, transfer, read, vector)
        changed[i] = AffineMap(maps[i].num_dims, 0, (*maps[i].results[:-1], out.results[-1]))
    generic.properties["indexing_maps"] = ArrayAttr([AffineMapAttr(m) for m in changed])
