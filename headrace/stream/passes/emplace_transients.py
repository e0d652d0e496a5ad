"""Transients live in storage that the caller provides.

A function says so by `hal.tensor.transients` (kept as `headrace.transients` through the levels) or by
`stream.resource.transients`. Its transient allocations become parts of that storage, one behind the other; branches
that exclude each other share; what is allocated in loops stays. Where the bytes can be computed from the arguments a
function `<name>_transients_size` does, and `iree.reflection` names it. A storage that is too small is refused when the
program runs.

Precondition: the command level. Postcondition: no `resource.transients`; transient allocations only in loops, of sizes
that the storage's layout cannot depend on, or on another device than the storage.

```
%r, %t = stream.resource.alloca uninitialized await(%w) => T{%s}      %r = stream.resource.subview %storage[%c0] ..
%u = stream.cmd.execute await(%t) => with(%r ..)                 ->   %u = stream.cmd.execute await(%w) => with(%r ..)
%d = stream.resource.dealloca await(%u) => %r : T{%s} ..
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i8,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.shapes import Constants, constant_of
from headrace.ir.dialects._stream_format import INDEX, TIMEPOINT, group, make_op
from headrace.ir.dialects.hal import BufferLengthOp, compatible
from headrace.ir.dialects.stream_resource import ResourceSubviewOp
from headrace.ir.dialects.stream_tensor import TensorImportOp
from headrace.ir.dialects.stream_timeline import TimepointImmediateOp
from headrace.ir.dialects.stream_types import resource
from headrace.ir.dialects.util import AlignOp, FuncOp, ReturnOp
from headrace.ir.passes import Pass
from headrace.stream.slabs import ALIGNMENT

MARK = "headrace.transients"
PLACE = "headrace.transients_affinity"
TRANSIENT = resource("transient")
_COMPUTED = ("arith.", "util.align", "hal.buffer_view.dim", "hal.buffer.length")


def emplace_transients(module: ModuleOp) -> ModuleOp:
    """Emplace, in place."""
    for function in [op for op in module.body.block.ops if op.name == "util.func" and op.regions[0].blocks]:
        _Function(module, function).run()
    return module


class _Function:
    def __init__(self, module: ModuleOp, function: Any):
        self.module = module
        self.function = function
        self.entry: Block = function.regions[0].blocks[0]
        self.constants = Constants(self.entry)

    def run(self) -> None:
        found = self._storage()
        if found is None:
            return
        self.storage, self.size, self.place = found
        total = self._block(self.entry, self.constants.get(0))
        self._report(total)

    # ---- the storage ------------------------------------------------------------------------------------------------

    def _storage(self) -> tuple[SSAValue, SSAValue, Any] | None:
        mark = self.function.attributes.pop(MARK, None)
        place = self.function.attributes.pop(PLACE, None)
        marks: list[Any] = [op for op in self.entry.ops if op.name == "stream.resource.transients"]
        if not marks and not isinstance(mark, IntegerAttr):
            return None
        if isinstance(mark, IntegerAttr):
            buffer = self.entry.args[mark.value.data]
            length = BufferLengthOp.create(operands=[buffer], result_types=[INDEX])
            made = make_op(
                TensorImportOp,
                {"source": buffer, "result_encoding_dims": [length.results[0]], "result_size": length.results[0]},
                [TRANSIENT],
                {"result_encoding": TensorType(i8, [DYNAMIC_INDEX]), "affinity": place},
            )
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_op_before(length, first)
            self.entry.insert_op_before(made, first)
            storage = (made.results[0], length.results[0], place)
        else:
            storage = (marks[0].storage, marks[0].storage_size, marks[0].affinity)
        for op in marks:
            waited = group(op, "await_timepoint")
            op.results[0].replace_all_uses_with(op.resource)
            op.results[1].replace_all_uses_with(waited[0] if waited else self._immediate(op))
            op.detach()
            op.erase()
        return storage

    def _immediate(self, before: Operation) -> SSAValue:
        made = TimepointImmediateOp.create(result_types=[TIMEPOINT])
        made.location = before.location
        assert before.parent is not None
        before.parent.insert_op_before(made, before)
        return made.results[0]

    # ---- allocations ------------------------------------------------------------------------------------------------

    def _block(self, block: Block, top: SSAValue) -> SSAValue:
        """Place the allocations of a block from `top` on; gives the end of the last."""
        for op in list(block.ops):
            item: Any = op
            if op.name == "stream.resource.alloca":
                fits = op.results[0].type == TRANSIENT and item.indeterminate_lifetime is None
                if fits and compatible(item.affinity, self.place):
                    top = self._place(item, top)
            elif op.name == "scf.if":
                top = self._branches(op, top)
        return top

    def _branches(self, op: Operation, top: SSAValue) -> SSAValue:
        """Branches that exclude each other start at the same offset; what they need must be known outside."""
        blocks = [b for r in op.regions for b in r.blocks]
        allocations: list[Any] = [o for b in blocks for o in b.ops if o.name == "stream.resource.alloca"]
        if constant_of(top) is None or any(constant_of(o.storage_size) is None for o in allocations):
            return top
        ends = [self._block(b, top) for b in blocks]
        return self.constants.get(max(constant_of(e) or 0 for e in ends)) if ends else top

    def _place(self, op: Any, top: SSAValue) -> SSAValue:
        block: Block = op.parent
        view = make_op(
            ResourceSubviewOp,
            {
                "source": self.storage,
                "source_size": self.size,
                "source_offset": top,
                "result_size": op.storage_size,
            },
            [TRANSIENT],
            location=op.location,
        )
        block.insert_op_before(view, op)
        view.results[0].name_hint = op.results[0].name_hint
        end = self._end(op, top)
        for free in [use.operation for use in op.results[0].uses if use.operation.name == "stream.resource.dealloca"]:
            self._through(free)
        op.results[0].replace_all_uses_with(view.results[0])
        self._through(op)
        return end

    def _through(self, op: Any) -> None:
        """Drop an allocation or deallocation: its timepoint is what it awaits."""
        waited = group(op, "await_timepoint")
        result = op.results[-1]
        if waited:
            result.replace_all_uses_with(waited[0])
        elif result.uses.get_length():
            result.replace_all_uses_with(self._immediate(op))
        op.detach()
        op.erase()

    def _end(self, op: Any, top: SSAValue) -> SSAValue:
        """`top` behind an allocation, aligned."""
        a, b = constant_of(top), constant_of(op.storage_size)
        if a is not None and b is not None:
            return self.constants.get(-(-(a + b) // ALIGNMENT) * ALIGNMENT)
        total = arith.AddiOp.create(operands=[top, op.storage_size], result_types=[INDEX])
        aligned = AlignOp.create(
            operands=[total.results[0], self.constants.get(ALIGNMENT)], result_types=[INDEX]
        )
        for made in (total, aligned):
            op.parent.insert_op_before(made, op)
        return aligned.results[0]

    # ---- how much is needed -----------------------------------------------------------------------------------------

    def _report(self, total: SSAValue) -> None:
        needed: list[Operation] = []
        if not _slice(total, self.entry, needed):
            return
        name = f"{self.function.sym_name.data}_transients_size"
        block = Block(arg_types=[a.type for a in self.entry.args])
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.entry.args, block.args, strict=True))
        for op in needed:
            block.add_op(op.clone(mapping))
        block.add_op(ReturnOp.create(operands=[mapping.get(total, total)]))
        query = FuncOp.create(
            properties={
                "sym_name": StringAttr(name),
                "sym_visibility": StringAttr("private"),
                "function_type": FunctionType.from_lists([a.type for a in block.args], [INDEX]),
            },
            regions=[Region(block)],
        )
        self.module.body.block.insert_op_after(query, self.function)
        entries: dict[str, Any] = {"iree.abi.transients.size": SymbolRefAttr(name)}
        number = constant_of(total)
        if number is not None:
            entries["iree.abi.transients.size.constant"] = IntegerAttr(number, INDEX)
        known = self.function.attributes.get("iree.reflection")
        if isinstance(known, DictionaryAttr):
            entries = {**known.data, **entries}
        self.function.attributes["iree.reflection"] = DictionaryAttr(entries)


def _slice(value: SSAValue, entry: Block, needed: list[Operation]) -> bool:
    """The operations a value is computed by, in order; False where it depends on more than the arguments."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner is entry
    if owner in needed:
        return True
    if owner.parent is not entry or not owner.name.startswith(_COMPUTED):
        return False
    if not all(_slice(v, entry, needed) for v in owner.operands):
        return False
    needed.append(owner)
    return True


@dataclass
class EmplaceTransients(Pass):
    """Transients live in storage of the caller."""

    name = "emplace-transients"
    summary = "Transients live in storage of the caller"

    def apply(self, op: Any, ctx: Context) -> None:
        emplace_transients(op)
