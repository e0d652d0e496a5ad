"""`stream.resource.pack` becomes offsets.

Constant slices are packed by the portfolio of `headrace.stream.packing`; dynamic ones share bins where they have the
same size value. Precondition: the command level. Postcondition: no `resource.pack`.

```
%total, %a, %b, %c = stream.resource.pack slices({           %total = arith.constant 128 : index
  [0, 1] = %c64, [1, 2] = %c64, [2, 3] = %c64})        ->    %a, %c = arith.constant 0, %b = arith.constant 64
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from headrace.graph.shapes import Constants, constant_of
from headrace.ir.dialects._stream_format import INDEX, group
from headrace.ir.dialects.util import AlignOp
from headrace.ir.passes import Pass
from headrace.stream.build import Builder
from headrace.stream.packing import align
from headrace.stream.slabs import ALIGNMENT, layout
from headrace.stream.storage import host_functions


def layout_slices(module: ModuleOp) -> ModuleOp:
    """Resolve all packs, in place, and fold the additions that become constant."""
    for function in host_functions(module):
        entry = function.regions[0].blocks[0]
        constants = Constants(entry)
        packs = [op for op in function.regions[0].walk() if op.name == "stream.resource.pack"]
        for op in packs:
            _resolve(op, constants)
        if packs:
            _fold(function, constants)
    return module


def _resolve(op: Any, constants: Constants) -> None:
    sizes = group(op, "dynamic_slice_sizes")
    base = group(op, "offset")
    found = layout(sizes, op.intervals())
    builder = Builder(constants, op.parent, op)
    offsets: dict[int, SSAValue] = {}
    for k, index in enumerate(found.static):
        offsets[index] = constants.get(found.packing.offsets[k])
    top: SSAValue | int = align(found.packing.total, ALIGNMENT)
    for bucket in found.buckets:
        step = _align(builder, bucket.size)
        starts: list[SSAValue] = []
        for _ in range(bucket.count):
            starts.append(builder.value(top))
            top = builder.sum(top, step)
        for index, b in zip(bucket.members, bucket.bins, strict=True):
            offsets[index] = starts[b]
    results: list[SSAValue] = [builder.value(top), *(offsets[i] for i in range(len(sizes)))]
    if base:
        results = [builder.sum(r, base[0]) for r in results]
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def _align(builder: Builder, size: SSAValue) -> SSAValue:
    number = constant_of(size)
    if number is not None:
        return builder.constants.get(align(number, ALIGNMENT))
    op = AlignOp.create(operands=[size, builder.constants.get(ALIGNMENT)], result_types=[INDEX])
    builder.add(op)
    return op.results[0]


def _fold(function: Any, constants: Constants) -> None:
    """Additions of two constants."""
    for op in list(function.regions[0].walk()):
        if op.name == "arith.addi" and op.results[0].type == INDEX:
            a, b = constant_of(op.operands[0]), constant_of(op.operands[1])
            if a is not None and b is not None:
                op.results[0].replace_all_uses_with(constants.get(a + b))
                op.detach()
                op.erase()

@dataclass
class LayoutSlices(Pass):
    """Packs become offsets."""

    name = "layout-slices"
    summary = "Packs become offsets"

    def apply(self, op: Any, ctx: Context) -> None:
        layout_slices(op)
