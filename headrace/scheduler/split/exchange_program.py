"""The program of one exchange between scratchpads: a pipeline of the unit that sends and the unit that receives, and
for a ring reduction of the units that combine.
"""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.dialects import ktdf as ktdf_dialect
from headrace.ir.dialects.headrace_exchange import ExchangeOp, RingReduceOp
from headrace.ir.types import memref_type
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, Emitter, clone_slice, walk_ops
from headrace.scheduler.device import MAPPED, device_of, kind_attr
from headrace.scheduler.split.programs import call_program, open_program

Exchange = ExchangeOp | RingReduceOp


def exchanges_of(kernel: Operation) -> list[Exchange]:
    """The exchanges of a kernel that no stage does yet."""
    found = walk_ops(kernel, "headrace.exchange", "headrace.ring_reduce")
    return [op for op in found if isinstance(op, Exchange) and op.part is None]


def ends_of(device: Device, memory: str, op: Operation) -> tuple[str, str]:
    """Unit kinds on the interconnect that read and write a memory. Raises HeadraceError where there is none."""
    joined = device.interconnect.units if device.interconnect is not None else ()
    reads = [k for k in joined if device.datapath(memory, k) is not None]
    writes = [k for k in joined if device.datapath(k, memory) is not None]
    if not reads or not writes:
        what = "reads" if not reads else "writes"
        raise error(op, f"no unit on the interconnect of device '{device.name}' {what} '{memory}'")
    return reads[0], writes[0]


def extract_exchange(
    kernel: func.FuncOp, op: Exchange, name: str, module: ModuleOp, coordinator: ModuleOp
) -> None:
    """Move an exchange into a program of its own, in its final form, and leave a call in its place."""
    device = device_of(module)
    arguments = _arguments(op)
    program, emit, mapping = open_program(kernel, name, arguments, op)
    program.attributes[MAPPED] = UnitAttr()
    clone_slice(list(op.operands), mapping, emit)
    memrefs = []
    for v in op.memrefs:
        view = mapping[v]
        flat = view.type
        assert isinstance(flat, MemRefType)
        space = kind_attr(device, v.owner.properties["memory_space"])  # type: ignore[union-attr]
        cast = memref.MemorySpaceCastOp(view, memref_type(flat.element_type, flat.get_shape(), flat.layout, space))
        memrefs.append(emit.insert(cast).results[0])
    memory = ktdf.memory_kind(memrefs[0])
    reads, writes = ends_of(device, memory, op)
    builder = ktdf.PipelineBuilder(emit, op)
    if isinstance(op, RingReduceOp):
        _ring_stages(builder, op, memrefs, device, memory, (reads, writes))
    else:
        indices = [mapping[v] for v in op.indices]
        for unit, other, part in ((reads, writes, "send"), (writes, reads, "receive")):
            half = ExchangeOp(memrefs, indices, op.number.value.data, op.plan(), part)
            half.attributes["headrace.peer"] = StringAttr(other)
            half.attributes.update({k: v for k, v in op.attributes.items() if k.startswith("headrace.")})
            builder.stage([unit]).emit.insert(half)
    builder.finish({})
    call_program(program, arguments, op, op, module, coordinator)
    op.detach()
    op.erase()


def _arguments(op: Exchange) -> list[SSAValue]:
    """Block arguments that the operands are computed from, in first-reached order."""
    found: dict[SSAValue, None] = {}

    def visit(value: SSAValue) -> None:
        if isinstance(value, BlockArgument):
            found.setdefault(value)
            return
        for v in value.owner.operands:  # type: ignore[union-attr]
            visit(v)

    for v in op.operands:
        visit(v)
    return list(found)


def _ring_stages(
    builder: ktdf.PipelineBuilder, op: RingReduceOp, memrefs: list[SSAValue], device: Device, memory: str,
    ends: tuple[str, str],
) -> None:  # fmt: skip
    """Sender, receiver, and a pipeline of loader, compute unit and storer on every instance."""
    compute = device.compute_kind
    route_in, route_out = device.route(memory, compute), device.route(compute, memory)
    if len(route_in) != 3 or len(route_out) != 3:
        raise error(op, f"'{compute}' of device '{device.name}' is not one unit away from '{memory}'")
    loader, storer = route_in[1], route_out[1]
    roles = {"sender": ends[0], "receiver": ends[1], "loader": loader, "compute": compute, "storer": storer}

    def part(name: str) -> RingReduceOp:
        new = RingReduceOp(
            memrefs, op.number.value.data, op.kind.data, op.members(), op.block.value.data, name
        )
        new.attributes.update({k: v for k, v in op.attributes.items() if k.startswith("headrace.")})
        new.attributes.update({f"headrace.{k}": StringAttr(v) for k, v in roles.items()})
        return new

    builder.stage([ends[0]]).emit.insert(part("send"))
    builder.stage([ends[1]]).emit.insert(part("receive"))
    units = builder.stage([loader, compute, storer])
    instances = max(1, device.unit(compute).instances)
    block = Block([ktdf_dialect.ParallelYieldOp()], arg_types=[INDEX, INDEX])
    low, high, step = ([units.emit.value(n)] for n in (0, instances, 1))
    units.emit.insert(ktdf_dialect.ParallelOp(low, high, step, instances, Region(block)))
    inner = ktdf.PipelineBuilder(Emitter.at_end(block, op), op)
    for unit, name in ((loader, "load"), (compute, "compute"), (storer, "store")):
        inner.stage([unit]).emit.insert(part(name))
    inner.finish({})
