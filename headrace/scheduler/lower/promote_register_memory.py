"""`promote-register-memory`: accumulators become values that loops carry.

Precondition: program units in DataflowIR. Postcondition: a buffer in a memory that only the unit itself reaches, always
read and written whole, is no longer memory: its vectors are values, carried by the loops that change them. A buffer
that is read before it is written, or written under a condition for what comes after it, stays memory.

```
agen.vector_store %zero, %acc[0]
scf.for %i = %c0 to %n step %c1 {
  %x = dataflow.receive %fifo : vector<32xf32>
  %a = agen.vector_load %acc[0]
  %s = vectorchain.binary %a, %x {binary_op = add}
  agen.vector_store %s, %acc[0]
}
%r = agen.vector_load %acc[0]
=> %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (vector<32xf32>) {
     %x = dataflow.receive %fifo : vector<32xf32>
     %s = vectorchain.binary %a, %x {binary_op = add}
     scf.yield %s
   }
```
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr
from xdsl.rewriter import Rewriter

from headrace.arch import Device
from headrace.ir.analysis.sets import box, permutation
from headrace.ir.dialects.agen import VectorLoadOp, VectorStoreOp
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler.build import walk_ops
from headrace.scheduler.device import device_of


@dataclass
class PromoteRegisterMemoryPass(Pass):
    """See the module docstring."""

    name = "promote-register-memory"
    summary = "Make accumulators in register memory values that loops carry"

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        device = device_of(op)
        for unit in list(walk_ops(op, "dataflow.program_unit")):
            for view in list(walk_ops(unit, "dataflow.get_logical_memory_view")):
                if private(view, device) and promotable(view):
                    promote(view)


def private(view: Operation, device: Device) -> bool:
    """Whether a view is of a memory that only one kind of unit reaches: the registers beside it have no datapath."""
    unit = view.operands[0].owner
    kind = unit.attributes.get("headrace.kind") if isinstance(unit, Operation) else None
    if not isinstance(kind, StringAttr) or kind.data not in device.memories:
        return False
    links = [*device.incoming(kind.data), *device.outgoing(kind.data)]
    return len({end for link in links for end in (link.source, link.target) if end != kind.data}) <= 1


def promotable(view: Operation) -> bool:
    """Whether a view's accesses cover it whole, in an order in which every read sees a write of the same run."""
    if not all(whole(use.operation) for use in view.results[0].uses):
        return False
    block = view.parent_block()
    return block is not None and _reads_are_written(block, view.results[0], False) is not None


def whole(op: Operation) -> bool:
    """Whether a vector access reads or writes its buffer of one dimension from the first to the last element."""
    if isinstance(op, VectorLoadOp):
        vector, points, order = op.result.type, op.load_set.data, op.load_order.data
    elif isinstance(op, VectorStoreOp):
        vector, points, order = op.value.type, op.store_set.data, op.store_order.data
    else:
        return False
    memory = op.mem_ref.type
    if not isinstance(memory, MemRefType) or not isinstance(vector, VectorType):
        return False
    extents = memory.get_shape()
    if len(extents) != 1 or (memory.element_type, extents) != (vector.element_type, vector.get_shape()):
        return False
    if any(not isinstance(e, AffineConstantExpr) or e.value for e in op.affine_map.data.results):
        return False
    return not points.num_symbols and permutation(order) == (0,) and box(points) == [(0, extents[0])]


def is_store(op: Operation) -> bool:
    return isinstance(op, VectorStoreOp)


def _touches(op: Operation, memory: SSAValue, stores_only: bool = False) -> bool:
    return any(memory in o.operands and (is_store(o) or not stores_only) for o in (op, *walk_ops(op)))


def _reads_are_written(block: Block, memory: SSAValue, written: bool) -> bool | None:
    """Whether the buffer holds a value behind the block; None where a read has no write before it, or control flow is
    in the way. A write in a loop that may not run counts only inside."""
    ops = [op for op in block.ops if _touches(op, memory)]
    for op in ops:
        if memory in op.operands:
            if not is_store(op) and not written:
                return None
            written = True
        else:
            branch = not isinstance(op, scf.ForOp) and _touches(op, memory, stores_only=True)
            if branch and (written or op is not ops[-1]):  # else the value lives and dies in the branch
                return None
            for region in op.regions:
                for inner in region.blocks:
                    if _reads_are_written(inner, memory, written) is None:
                        return None
    return written


def promote(view: Operation) -> None:
    """Replace the buffer of a view by values."""
    block = view.parent_block()
    assert block is not None
    _rewrite(block, view.results[0], None)
    view.detach()
    view.erase()


def _rewrite(block: Block, memory: SSAValue, value: SSAValue | None) -> SSAValue | None:
    """Make accesses in a block values; returns the value behind it."""
    for op in list(block.ops):
        if isinstance(op, VectorStoreOp) and op.mem_ref is memory:
            value = op.value
            Rewriter.erase_op(op)
        elif isinstance(op, VectorLoadOp) and op.mem_ref is memory:
            assert value is not None
            op.result.replace_all_uses_with(value)
            Rewriter.erase_op(op)
        elif isinstance(op, scf.ForOp) and value is not None and _touches(op, memory, stores_only=True):
            value = _carry(op, memory, value)
        elif _touches(op, memory):
            for region in op.regions:
                for inner in region.blocks:
                    _rewrite(inner, memory, value)
    return value


def _carry(loop: scf.ForOp, memory: SSAValue, value: SSAValue) -> SSAValue:
    """The loop again, with the buffer's value as one more iteration argument; returns its last value."""
    body = loop.body.block
    argument = body.insert_arg(value.type, len(body.args))
    last = _rewrite(body, memory, argument)
    end = body.last_op
    assert isinstance(end, scf.YieldOp) and last is not None
    yields = scf.YieldOp(*end.operands, last)
    copy_loc(end, yields)
    Rewriter.replace_op(end, yields)
    region = loop.detach_region(0)
    carried = scf.ForOp(loop.lb, loop.ub, loop.step, [*loop.iter_args, value], region)
    carried.attributes.update(loop.attributes)
    copy_loc(loop, carried)
    Rewriter.replace_op(loop, carried, list(carried.results[:-1]))
    return carried.results[-1]
