"""Shapes and element types become bytes: `stream.tensor` operations become `stream.async` operations on byte ranges.

Precondition: the tensor level. Postcondition: no tensor-phase operation except import and export.

```
%s = stream.tensor.sizeof tensor<4x8xf32> : index                %c128 = arith.constant 128 : index
%y = stream.tensor.slice %x[%c1, %c0 for %c1, %c8] : ..    ->    %y = stream.async.slice %x[%c32 to %c64] : ..
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from headrace.graph.shapes import Constants, constant_of
from headrace.ir.diagnostics import op_error
from headrace.ir.dialects._stream_format import TIMEPOINT, group, tied_attr, ties
from headrace.ir.dialects.stream_async import (
    AsyncAllocaOp,
    AsyncCloneOp,
    AsyncDispatchOp,
    AsyncFillOp,
    AsyncLoadOp,
    AsyncSliceOp,
    AsyncSplatOp,
    AsyncStoreOp,
    AsyncUpdateOp,
)
from headrace.ir.dialects.stream_resource import ResourceConstantsOp
from headrace.ir.dialects.stream_timeline import TimepointAwaitOp
from headrace.ir.dialects.util import GlobalLoadOp, GlobalOp, GlobalStoreOp, InitializerOp, ReturnOp
from headrace.ir.passes import Pass
from headrace.ir.text import parse_module
from headrace.ir.types import dtype_of
from headrace.stream.build import Builder


def encode_tensors(module: ModuleOp) -> ModuleOp:
    """Encode all host functions and initialisers, in place."""
    constants = _Constants(module)
    for op in list(module.body.block.ops):
        if op.name in ("util.func", "util.initializer") and op.regions[0].blocks:
            entry = op.regions[0].blocks[0]
            _Encoder(module, entry, constants if op.name == "util.func" else None).block(entry)
    return module


class _Constants:
    """Constant tensors of functions: uploaded once, by initialisers, into immutable globals."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.found: dict[Any, str] = {}
        self.taken = {op.sym_name.data for op in module.body.block.ops if hasattr(op, "sym_name")}  # pyright: ignore

    def name(self, value: Attribute, place: Attribute | None, kind: Attribute, size: int) -> str:
        """The global that holds a constant at a place."""
        key = (value, place)
        name = self.found.get(key)
        if name is not None:
            return name
        number = len(self.found)
        while f"__constant_{number}" in self.taken:
            number += 1
        name = self.found[key] = f"__constant_{number}"
        self.taken.add(name)
        made = GlobalOp.create(
            properties={"sym_name": StringAttr(name), "sym_visibility": StringAttr("private"), "type": kind}
        )
        entry = Block()
        builder = Builder(Constants(entry), entry)
        stored = upload(builder, value, builder.constants.get(size), kind, place)
        builder.make(GlobalStoreOp, {"value": stored}, [], {"global": SymbolRefAttr(name)})
        builder.add(ReturnOp.create())
        initializer = InitializerOp.create(regions=[Region(entry)])
        block = self.module.body.block
        first = next((op for op in block.ops if op.name.startswith("util.")), None)
        for op in (made, initializer):
            if first is None:
                block.add_op(op)
            else:
                block.insert_op_before(op, first)
        return name


_BUILTIN_FILL = "__builtin_fill_i64"


def builtin_fill(module: ModuleOp) -> str:
    """The kernel that fills with 64-bit patterns, added to the module when first used."""
    for op in module.body.block.ops:
        if op.name == "stream.executable" and op.sym_name.data == _BUILTIN_FILL:  # pyright: ignore
            return _BUILTIN_FILL
    text = f"""
    stream.executable private @{_BUILTIN_FILL} {{
      stream.executable.export public @{_BUILTIN_FILL}
      builtin.module {{
        func.func @{_BUILTIN_FILL}(%v: i64, %n: index) -> tensor<?xi64>
            attributes {{headrace.dims = [array<i64: 1>]}} {{
          %e = tensor.empty(%n) : tensor<?xi64>
          %r = linalg.fill ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
          return %r : tensor<?xi64>
        }}
      }}
    }}"""
    made = parse_module(text).body.block.first_op
    assert made is not None
    made.detach()
    first = module.body.block.first_op
    if first is None:
        module.body.block.add_op(made)
    else:
        module.body.block.insert_op_before(made, first)
    return _BUILTIN_FILL


def upload(builder: Builder, value: Attribute, size: SSAValue, kind: Attribute, place: Attribute | None) -> SSAValue:
    """Upload a constant and wait for it (in initialisers)."""
    made = builder.make(
        ResourceConstantsOp,
        {"result_sizes": [size]},
        [kind, TIMEPOINT],
        {"values": ArrayAttr([value]), "affinity": place},
    )
    waited = builder.make(
        TimepointAwaitOp,
        {
            "await_timepoint": made.results[1],
            "resource_operands": [made.results[0]],
            "resource_operand_sizes": [size],
        },
        [kind],
        {"sync": UnitAttr()},
    )
    return waited.results[0]


def element_bytes(op: Operation, kind: Attribute) -> int:
    """Bytes of one element in memory."""
    try:
        return dtype_of(kind).bytes
    except ValueError:
        raise op_error(op, f"elements of {kind} have no integral number of total bytes") from None


class _Encoder:
    def __init__(self, module: ModuleOp, entry: Block, globals_: _Constants | None):
        self.module = module
        self.constants = Constants(entry)
        self.globals = globals_
        self.entry = entry

    def block(self, block: Block) -> None:
        for op in list(block.ops):
            for region in op.regions:
                for inner in region.blocks:
                    self.block(inner)
            handler = _HANDLERS.get(op.name)
            if handler is None:
                continue
            self.builder = Builder(self.constants, block, op)
            self.builder.location = op.location
            made: Sequence[SSAValue] = handler(self, op)
            for old, new in zip(op.results, made, strict=True):
                if new.name_hint is None:
                    new.name_hint = old.name_hint
                old.replace_all_uses_with(new)
            op.detach()
            op.erase()

    def _dims(self, kind: Any, dims: Sequence[SSAValue]) -> list[SSAValue]:
        values = iter(dims)
        return [next(values) if n == DYNAMIC_INDEX else self.constants.get(n) for n in kind.get_shape()]

    def _bytes(self, op: Operation, kind: Any, dims: Sequence[SSAValue]) -> SSAValue:
        total: SSAValue | int = element_bytes(op, kind)
        for n in sorted(self._dims(kind, dims), key=lambda v: constant_of(v) is None):
            total = self.builder.product(total, n)
        return self.builder.value(total)

    def _offset(self, op: Operation, kind: Any, dims: Sequence[SSAValue], starts: Sequence[SSAValue]) -> SSAValue:
        """Byte offset of an element, row-major."""
        extents = self._dims(kind, dims)
        total: SSAValue | int = 0
        stride: SSAValue | int = element_bytes(op, kind)
        for start, extent in zip(reversed(starts), reversed(extents), strict=True):
            total = self.builder.sum(total, self.builder.product(start, stride))
            stride = self.builder.product(stride, extent)
        return self.builder.value(total)

    def _sizeof(self, op: Any) -> Sequence[SSAValue]:
        return [self._bytes(op, op.encoding, op.operands)]

    def _empty(self, op: Any) -> Sequence[SSAValue]:
        made = self.builder.make(
            AsyncAllocaOp, {"result_size": op.result_size}, [op.result.type], {"affinity": op.affinity}
        )
        return made.results

    def _constant(self, op: Any) -> Sequence[SSAValue]:
        size = prod(op.value.type.get_shape()) * dtype_of(op.value.type).bytes
        if self.globals is None:
            return [upload(self.builder, op.value, self.constants.get(size), op.result.type, op.affinity)]
        name = self.globals.name(op.value, op.affinity, op.result.type, size)
        made = self.builder.make(
            GlobalLoadOp, {}, [op.result.type], {"global": SymbolRefAttr(name), "is_immutable": UnitAttr()}
        )
        return made.results

    def _pattern(self, value: SSAValue) -> SSAValue:
        """A scalar as the integer that is repeated, narrowed where all its bytes repeat."""
        dtype = dtype_of(value.type)
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == "arith.constant":
            attr = owner.properties["value"]
            if isinstance(attr, FloatAttr | IntegerAttr):
                number = np.asarray(attr.value.data, np.float64 if dtype.is_float else np.int64)
                if not dtype.is_float and dtype.name not in ("i1", "index"):
                    number = number.astype(dtype.value_dtype)
                raw = np.asarray(dtype.encode(number)).reshape(1).view(np.uint8).tobytes()
                for width in (1, 2, 4, 8):
                    if len(raw) % width == 0 and raw == raw[:width] * (len(raw) // width):
                        kind = IntegerType(8 * width)
                        return self._integer(int.from_bytes(raw[:width], "little", signed=True), kind)
        if isinstance(value.type, IntegerType) and value.type.width.data in (8, 16, 32, 64):
            return value
        width = 8 * dtype.bytes
        if isinstance(value.type, IndexType):
            op: Operation = arith.IndexCastOp.create(operands=[value], result_types=[IntegerType(64)])
        elif dtype.name == "i1":
            op = arith.ExtUIOp.create(operands=[value], result_types=[IntegerType(8)])
        else:
            op = arith.BitcastOp.create(operands=[value], result_types=[IntegerType(width)])
        self.builder.add(op)
        return op.results[0]

    def _integer(self, number: int, kind: IntegerType) -> SSAValue:
        return self.constants.get(number, kind)

    def _wide(self, op: Any, pattern: SSAValue, length: SSAValue, offset: SSAValue | None) -> Sequence[SSAValue]:
        """A 64-bit pattern is written by a kernel: commands fill at most 32 bits."""
        name = builtin_fill(self.module)
        eight = self.constants.get(8)
        count = arith.DivUIOp.create(operands=[length, eight], result_types=[IndexType()])
        self.builder.add(count)
        operands: list[SSAValue] = [pattern, count.results[0]]
        ranges: dict[str, list[SSAValue]] = {}
        tied = None
        size = length
        if offset is not None:
            operands.append(op.target)
            size = op.target_size
            ranges = {
                "resource_operand_sizes": [op.target_size],
                "resource_operand_offsets": [offset],
                "resource_operand_ends": [self.builder.sum(offset, length)],
                "resource_operand_lengths": [length],
            }
            tied = tied_attr([2])
        made = self.builder.make(
            AsyncDispatchOp,
            {"resource_operands": operands, "result_sizes": [size], **ranges},
            [op.result.type],
            {
                "entry_points": ArrayAttr([SymbolRefAttr(name, [name])]),
                "tied_operands": tied,
                "affinity": op.affinity,
            },
        )
        return made.results

    def _splat(self, op: Any) -> Sequence[SSAValue]:
        pattern = self._pattern(op.value)
        if pattern.type == i64:
            return self._wide(op, pattern, op.result_size, None)
        made = self.builder.make(
            AsyncSplatOp,
            {"value": pattern, "result_size": op.result_size},
            [op.result.type],
            {"affinity": op.affinity},
        )
        return made.results

    def _clone(self, op: Any) -> Sequence[SSAValue]:
        made = self.builder.make(
            AsyncCloneOp,
            {"source": op.source, "source_size": op.source_size, "result_size": op.result_size},
            [op.result.type],
            {"affinity": op.affinity},
        )
        return made.results

    def _slice(self, op: Any) -> Sequence[SSAValue]:
        offset = self._offset(op, op.source_encoding, op.source_encoding_dims, list(op.start_indices))
        made = self.builder.make(
            AsyncSliceOp,
            {
                "source": op.source,
                "source_size": op.source_size,
                "source_offset": offset,
                "source_end": self.builder.sum(offset, op.result_size),
                "result_size": op.result_size,
            },
            [op.result.type],
            {"affinity": op.affinity},
        )
        return made.results

    def _fill(self, op: Any) -> Sequence[SSAValue]:
        starts = list(op.start_indices)
        if starts:
            offset = self._offset(op, op.target_encoding, op.target_encoding_dims, starts)
            length: SSAValue | int = element_bytes(op, op.target_encoding)
            for n in op.lengths:
                length = self.builder.product(length, n)
            whole = self.builder.value(length)
        else:
            offset, whole = self.constants.get(0), op.target_size
        pattern = self._pattern(op.value)
        if pattern.type == i64:
            return self._wide(op, pattern, whole, offset)
        made = self.builder.make(
            AsyncFillOp,
            {
                "target": op.target,
                "target_size": op.target_size,
                "target_offset": offset,
                "target_end": self.builder.sum(offset, whole),
                "target_length": whole,
                "value": pattern,
            },
            [op.result.type],
            {"affinity": op.affinity},
        )
        return made.results

    def _update(self, op: Any) -> Sequence[SSAValue]:
        starts = list(op.start_indices)
        offset = self._offset(op, op.target_encoding, op.target_encoding_dims, starts) if starts else None
        offset = offset if offset is not None else self.constants.get(0)
        made = self.builder.make(
            AsyncUpdateOp,
            {
                "target": op.target,
                "target_size": op.target_size,
                "target_offset": offset,
                "target_end": self.builder.sum(offset, op.update_size),
                "update": op.update,
                "update_size": op.update_size,
            },
            [op.result.type],
            {"affinity": op.affinity},
        )
        return made.results

    def _load(self, op: Any) -> Sequence[SSAValue]:
        indices = list(op.indices)
        offset = (
            self._offset(op, op.source_encoding, op.source_encoding_dims, indices)
            if indices
            else self.constants.get(0)
        )
        made = self.builder.make(
            AsyncLoadOp,
            {"source": op.source, "source_size": op.source_size, "source_offset": offset},
            [op.result.type],
        )
        return made.results

    def _store(self, op: Any) -> Sequence[SSAValue]:
        indices = list(op.indices)
        offset = (
            self._offset(op, op.target_encoding, op.target_encoding_dims, indices)
            if indices
            else self.constants.get(0)
        )
        made = self.builder.make(
            AsyncStoreOp,
            {"target": op.target, "target_size": op.target_size, "target_offset": offset, "value": op.value},
            [op.result.type],
        )
        return made.results

    def _dispatch(self, op: Any) -> Sequence[SSAValue]:
        zero = self.constants.get(0)
        sizes = group(op, "argument_sizes")
        made = self.builder.make(
            AsyncDispatchOp,
            {
                "workload": group(op, "workload"),
                "resource_operands": group(op, "arguments"),
                "resource_operand_sizes": sizes,
                "resource_operand_offsets": [zero] * len(sizes),
                "resource_operand_ends": sizes,
                "resource_operand_lengths": sizes,
                "result_sizes": group(op, "result_sizes"),
            },
            [r.type for r in op.results],
            {
                "entry_points": op.entry_points,
                "tied_operands": tied_attr(ties(op)),
                "affinity": op.affinity,
            },
            attributes=op.attributes,
        )
        return made.results


_HANDLERS: dict[str, Any] = {
    "stream.tensor.sizeof": _Encoder._sizeof,
    "stream.tensor.empty": _Encoder._empty,
    "stream.tensor.constant": _Encoder._constant,
    "stream.tensor.splat": _Encoder._splat,
    "stream.tensor.clone": _Encoder._clone,
    "stream.tensor.slice": _Encoder._slice,
    "stream.tensor.fill": _Encoder._fill,
    "stream.tensor.update": _Encoder._update,
    "stream.tensor.load": _Encoder._load,
    "stream.tensor.store": _Encoder._store,
    "stream.tensor.dispatch": _Encoder._dispatch,
}

@dataclass
class EncodeTensors(Pass):
    """The tensor level becomes bytes and ranges."""

    name = "encode-tensors"
    summary = "The tensor level becomes bytes and ranges"

    def apply(self, op: Any, ctx: Context) -> None:
        encode_tensors(op)
