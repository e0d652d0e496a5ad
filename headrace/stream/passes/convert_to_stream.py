"""Tensors become resources with sizes; dispatches, slices and updates become `stream.tensor` operations.

Precondition: dispatches are formed (`form_dispatches`). Postcondition: no tensors outside of executables; public
functions take and return `!hal.buffer_view`; every operand is at the place of its user, by `async.transfer` where it
was elsewhere, once per value and place.

```
util.func public @f(%x: tensor<4xf32>) {      util.func public @f(%x: !hal.buffer_view) {
  %y = flow.dispatch @k::@k(%x) : ...           %i = stream.tensor.import %x : !hal.buffer_view -> tensor<4xf32> in ...
                                                %y = stream.tensor.dispatch @k::@k(%i) : ...
```

A loop's dimensions are taken as invariant first; where they are not, the body is converted again and carries them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from headrace.graph.inputs import argument_attributes
from headrace.graph.shapes import Constants, contiguous
from headrace.ir.diagnostics import op_error
from headrace.ir.dialects._stream_format import tied_attr, ties
from headrace.ir.dialects.hal import BufferViewDimOp, BufferViewType, compatible
from headrace.ir.dialects.stream_async import AsyncCastOp, AsyncTransferOp
from headrace.ir.dialects.stream_executable import ExecutableExportOp, ExecutableOp
from headrace.ir.dialects.stream_tensor import (
    TensorCloneOp,
    TensorConstantOp,
    TensorDispatchOp,
    TensorEmptyOp,
    TensorExportOp,
    TensorImportOp,
    TensorLoadOp,
    TensorSizeOfOp,
    TensorSliceOp,
    TensorSplatOp,
    TensorUpdateOp,
)
from headrace.ir.dialects.stream_types import resource
from headrace.ir.dialects.util import FuncOp, GlobalLoadOp, GlobalStoreOp, InitializerOp, ReturnOp
from headrace.ir.passes import Pass
from headrace.stream.build import INDEX, Builder
from headrace.stream.convert_regions import ANY, ControlFlow, Tensor
from headrace.stream.passes.emplace_transients import MARK, PLACE
from headrace.stream.placement import Placement, concrete

EXTERNAL = resource("external")
STAGING = resource("staging")
VIEW = BufferViewType()


def convert_to_stream(module: ModuleOp) -> ModuleOp:
    """Convert a module in place."""
    block = module.body.block
    for op in list(block.ops):
        if op.name == "flow.executable":
            _executable(op)
        elif op.name == "util.global" and isinstance(op.properties["type"], TensorType):
            _global(op)
    for op in list(block.ops):
        if op.name == "util.func" and op.regions[0].blocks:
            made = _Converter(module, op).convert()
            made.location = op.location
            block.insert_op_before(made, op)
            op.detach()
            op.erase()
        elif op.name == "util.initializer":
            _Converter(module, op).convert_initializer(op)
    return module


def _executable(op: Operation) -> None:
    """`flow.executable` to `stream.executable`, its module moved."""
    inner: list[Operation] = []
    for item in list(op.regions[0].block.ops):
        item.detach()
        if item.name == "flow.executable.export":
            regions: list[Region] = []
            if len(item.regions) and item.regions[0].blocks:
                regions = [item.regions[0].clone()]
                last = regions[0].block.last_op
                if last is not None and last.name == "flow.return":
                    from headrace.ir.dialects.stream_executable import ReturnOp as StreamReturnOp

                    made = StreamReturnOp.create(operands=list(last.operands))
                    regions[0].block.insert_op_before(made, last)
                    last.detach()
                    last.erase()
            export = ExecutableExportOp.build(
                properties=dict(item.properties), attributes=dict(item.attributes), regions=[regions]
            )
            export.location = item.location
            inner.append(export)
            item.erase()
        else:
            inner.append(item)
    made = ExecutableOp.create(
        properties=dict(op.properties), attributes=dict(op.attributes), regions=[Region(Block(inner))]
    )
    made.location = op.location
    assert op.parent is not None
    op.parent.insert_op_before(made, op)
    op.detach()
    op.erase()


def _global(op: Any) -> None:
    """A tensor global holds a resource; its initial value is stored by an initialiser."""
    kind: TensorType[Any] = op.properties["type"]
    if DYNAMIC_INDEX in kind.get_shape():
        raise op_error(op, f"a global of dynamic shape ({kind}) cannot be scheduled")
    value = op.properties.pop("initial_value", None)
    op.properties["type"] = ANY
    op.attributes["headrace.tensor"] = kind
    if value is None:
        return
    entry = Block()
    constants = Constants(entry)
    builder = Builder(constants, entry)
    place = concrete(op.attributes.get("stream.affinity"))
    size = builder.make(TensorSizeOfOp, {}, [INDEX], {"encoding": kind, "affinity": place}).results[0]
    made = _constant(builder, value, kind, size, place)
    builder.make(GlobalStoreOp, {"value": made}, [], {"global": SymbolRefAttr(op.sym_name.data)})
    builder.add(ReturnOp.create())
    initializer = InitializerOp.create(regions=[Region(entry)])
    initializer.location = op.location
    op.parent.insert_op_after(initializer, op)


def _constant(builder: Builder, value: Any, kind: TensorType[Any], size: SSAValue, place: Attribute | None) -> SSAValue:
    properties: dict[str, Attribute | None] = {"result_encoding": kind, "affinity": place}
    if isinstance(value, DenseIntOrFPElementsAttr) and value.is_splat():
        number = _splat_value(builder, value, kind)
        return builder.make(TensorSplatOp, {"value": number, "result_size": size}, [ANY], properties).results[0]
    properties["value"] = value
    return builder.make(TensorConstantOp, {}, [ANY], properties).results[0]


def _splat_value(builder: Builder, value: DenseIntOrFPElementsAttr, kind: TensorType[Any]) -> SSAValue:
    from xdsl.dialects import arith

    number: Any = next(iter(value.get_values()))
    element: Any = kind.element_type
    attr = FloatAttr(number, element) if isinstance(number, float) else IntegerAttr(int(number), element)
    op = arith.ConstantOp.create(result_types=[element], properties={"value": attr})
    builder.add(op)
    return op.results[0]


class _Converter(ControlFlow):
    def __init__(self, module: ModuleOp, function: Any):
        self.module = module
        self.function = function
        self.places = Placement(module, function) if function.name == "util.func" else None
        self.global_types = {
            op.sym_name.data: op.attributes["headrace.tensor"]  # pyright: ignore[reportAttributeAccessIssue]
            for op in module.body.block.ops
            if op.name == "util.global" and "headrace.tensor" in op.attributes
        }
        self.env: dict[SSAValue, Any] = {}
        self.entry = Block()
        self.constants = Constants(self.entry)
        self.builder = Builder(self.constants, self.entry)
        self.sizes: list[dict[Any, SSAValue]] = [{}]
        self.moved: list[dict[Any, Tensor]] = [{}]
        self.changing: set[Operation] = set()

    # ---- functions --------------------------------------------------------------------------------------------------

    def convert(self) -> FuncOp:
        function = self.function
        kinds: FunctionType = function.function_type
        old = function.body.blocks[0]
        attributes = argument_attributes(function)
        for argument, kind in zip(old.args, kinds.inputs.data, strict=True):
            is_tensor = isinstance(kind, TensorType)
            made = self.entry.insert_arg(VIEW if is_tensor else kind, len(self.entry.args))
            made.name_hint = argument.name_hint
            if not is_tensor:
                self.env[argument] = made
        for argument, made, item in zip(old.args, list(self.entry.args), attributes, strict=True):
            if isinstance(argument.type, TensorType):
                self.env[argument] = self._import(made, argument, "iree.abi.consume" in item)
        self._ops(old)
        inputs = [VIEW if isinstance(k, TensorType) else k for k in kinds.inputs.data]
        outputs = [VIEW if isinstance(k, TensorType) else k for k in kinds.outputs.data]
        properties: dict[str, Attribute] = {
            "sym_name": function.sym_name,
            "function_type": FunctionType.from_lists(inputs, outputs),
        }
        if function.sym_visibility is not None:
            properties["sym_visibility"] = function.sym_visibility
        kept = {k: v for k, v in function.attributes.items() if k != "stream.affinity"}
        return FuncOp.create(properties=properties, attributes=kept, regions=[Region(self.entry)])

    def convert_initializer(self, op: Any) -> None:
        old = op.body.blocks[0]
        if any(o.name.startswith("stream.") for o in old.ops):
            return  # made by this pass
        self.places = Placement.__new__(Placement)
        self.places.default, self.places.ops, self.places.values = None, {}, {}
        self._ops(old)
        region = op.body
        region.detach_block(old)
        region.add_block(self.entry)

    def _transients(self, op: Any) -> None:
        """Note the caller's storage for transients on the function (`emplace-transients`); the value stays."""
        arguments = list(self.function.body.blocks[0].args)
        if op.storage not in arguments:
            raise op_error(op, "the storage for transients is an argument of the function")
        self.function.attributes[MARK] = IntegerAttr(arguments.index(op.storage), INDEX)
        if op.affinity is not None:
            self.function.attributes[PLACE] = op.affinity
        self.env[op.results[0]] = self._tensor(op.source)

    def _import(self, view: SSAValue, argument: SSAValue, consume: bool) -> Tensor:
        kind: Any = argument.type
        assert self.places is not None
        place = self.places.of(argument)
        dims: list[SSAValue] = []
        for k, n in enumerate(kind.get_shape()):
            if n == DYNAMIC_INDEX:
                op = BufferViewDimOp.create(
                    operands=[view], result_types=[INDEX], properties={"index": IntegerAttr(k, INDEX)}
                )
                self.builder.add(op)
                dims.append(op.results[0])
        size = self._size(kind, dims, place)
        made = self.builder.make(
            TensorImportOp,
            {"source": view, "result_encoding_dims": dims, "result_size": size},
            [EXTERNAL],
            {"result_encoding": kind, "affinity": place, "consume": UnitAttr() if consume else None},
        ).results[0]
        cast = self.builder.make(
            AsyncCastOp, {"source": made, "source_size": size, "result_size": size}, [ANY], {"affinity": place}
        ).results[0]
        cast.name_hint = argument.name_hint
        return Tensor(cast, size, dims, kind, place)

    def _size(self, kind: Any, dims: Sequence[SSAValue], place: Attribute | None) -> SSAValue:
        key = (kind, tuple(dims))
        for scope in self.sizes:
            if key in scope:
                return scope[key]
        made = self.builder.make(
            TensorSizeOfOp, {"encoding_dims": list(dims)}, [INDEX], {"encoding": kind, "affinity": place}
        ).results[0]
        self.sizes[-1][key] = made
        return made

    # ---- values -----------------------------------------------------------------------------------------------------

    def _scalar(self, value: SSAValue) -> SSAValue:
        return self.env[value]

    def _tensor(self, value: SSAValue, place: Attribute | None = None) -> Tensor:
        """A tensor, at a place if one is asked for."""
        found: Tensor = self.env[value]
        if place is None or compatible(found.place, place) or found.place is None:
            return found
        return self._move(found, place)

    def _move(self, found: Tensor, place: Attribute | None, kind: Attribute = ANY) -> Tensor:
        key = (found.value, place, kind)
        for scope in self.moved:
            if key in scope:
                return scope[key]
        made = self.builder.make(
            AsyncTransferOp,
            {"source": found.value, "source_size": found.size, "result_size": found.size},
            [kind],
            {"source_affinity": found.place, "target_affinity": place},
        ).results[0]
        made.name_hint = found.value.name_hint
        moved = Tensor(made, found.size, found.dims, found.kind, place)
        self.moved[-1][key] = moved
        return moved

    def _define(self, old: SSAValue, value: SSAValue, size: SSAValue, dims: list[SSAValue], place: Any) -> None:
        value.name_hint = old.name_hint
        kind: Any = old.type
        self.env[old] = Tensor(value, size, dims, kind, place)

    # ---- operations -------------------------------------------------------------------------------------------------

    def _ops(self, block: Block) -> None:
        for op in block.ops:
            self.builder.location = op.location
            handler = _HANDLERS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results)):
                raise op_error(op, "cannot be scheduled: it is neither part of a dispatch nor a known host operation")
            else:
                self._copy(op)

    def _copy(self, op: Operation) -> None:
        mapping = {v: self.env[v] for v in op.operands if v in self.env}
        if op.regions:
            for inner in op.walk():
                for v in inner.operands:
                    if v in self.env and not isinstance(self.env[v], Tensor):
                        mapping[v] = self.env[v]
        copy = op.clone(mapping)
        copy.location = op.location
        self.builder.add(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            self.env[old] = new

    def _arith_constant(self, op: Any) -> None:
        kind = op.results[0].type
        if not isinstance(kind, TensorType):
            self._copy(op)
            return
        place = self.places.of(op.results[0]) if self.places else None
        size = self._size(kind, [], place)
        self._define(op.results[0], _constant(self.builder, op.value, kind, size, place), size, [], place)

    def _splat(self, op: Any) -> None:
        kind = op.results[0].type
        place = self.places.of(op.results[0]) if self.places else None
        dims = [self._scalar(v) for v in op.operands[1:]]
        size = self._size(kind, dims, place)
        made = self.builder.make(
            TensorSplatOp,
            {"value": self._scalar(op.operands[0]), "result_encoding_dims": dims, "result_size": size},
            [ANY],
            {"result_encoding": kind, "affinity": place},
        )
        self._define(op.results[0], made.results[0], size, dims, place)

    def _empty(self, op: Any) -> None:
        kind = op.results[0].type
        place = self.places.of(op.results[0]) if self.places else None
        dims = [self._scalar(v) for v in op.operands]
        size = self._size(kind, dims, place)
        made = self.builder.make(
            TensorEmptyOp,
            {"result_encoding_dims": dims, "result_size": size},
            [ANY],
            {"result_encoding": kind, "affinity": place},
        )
        self._define(op.results[0], made.results[0], size, dims, place)

    def _dim(self, op: Any) -> None:
        found: Tensor = self.env[op.operands[0]]
        from headrace.graph.shapes import constant_of

        number = constant_of(op.operands[1])
        shape = found.kind.get_shape()
        if number is None or not 0 <= number < len(shape):
            raise op_error(op, "the dimension must be a constant of the tensor's rank")
        if shape[number] != DYNAMIC_INDEX:
            self.env[op.results[0]] = self.constants.get(shape[number])
        else:
            self.env[op.results[0]] = found.dims[list(shape[:number]).count(DYNAMIC_INDEX)]

    def _dispatch(self, op: Any) -> None:
        assert self.places is not None
        place = self.places.execution(op)
        arguments: list[SSAValue] = []
        sizes: list[SSAValue] = []
        dims: list[SSAValue] = []
        for value in op.arguments:
            if isinstance(value.type, TensorType):
                found = self._tensor(value, place)
                arguments.append(found.value)
                sizes.append(found.size)
                dims.extend(found.dims)
            else:
                arguments.append(self._scalar(value))
        tied = ties(op)
        result_dims = [self._scalar(v) for v in op.result_dims]
        left = iter(result_dims)
        result_sizes: list[SSAValue] = []
        mine: list[list[SSAValue]] = []
        for r, tie in zip(op.results, tied, strict=True):
            own = [next(left) for n in r.type.get_shape() if n == DYNAMIC_INDEX]
            mine.append(own)
            if tie >= 0:
                result_sizes.append(self._tensor(op.arguments[tie], place).size)
            else:
                result_sizes.append(self._size(r.type, own, place))
        made = self.builder.make(
            TensorDispatchOp,
            {
                "workload": [self._scalar(v) for v in op.workload],
                "arguments": arguments,
                "argument_encoding_dims": dims,
                "argument_sizes": sizes,
                "result_encoding_dims": result_dims,
                "result_sizes": result_sizes,
            },
            [ANY] * len(op.results),
            {
                "entry_points": op.entry_points,
                "argument_encodings": ArrayAttr([v.type for v in op.arguments]),
                "result_encodings": ArrayAttr([r.type for r in op.results]),
                "tied_operands": tied_attr(tied),
                "affinity": place,
            },
            attributes={k: v for k, v in op.attributes.items() if k != "stream.affinity"},
        )
        for old, new, size, own in zip(op.results, made.results, result_sizes, mine, strict=True):
            self._define(old, new, size, own, place)

    def _transfer(self, op: Any) -> None:
        found: Tensor = self.env[op.operands[0]]
        target = concrete(op.target)
        if found.place == target:
            self.env[op.results[0]] = found
            return
        moved = self._move(found, target)
        self.env[op.results[0]] = moved

    def _clone(self, op: Any) -> None:
        self.env[op.results[0]] = self.env[op.operands[0]]

    def _reshape(self, op: Any) -> None:
        found: Tensor = self.env[op.operands[0]]
        kind = op.results[0].type
        dims = self._reshaped_dims(op, found, kind)
        size = found.size
        made = self.builder.make(
            TensorCloneOp,
            {
                "source": found.value,
                "source_encoding_dims": found.dims,
                "source_size": found.size,
                "result_encoding_dims": dims,
                "result_size": size,
            },
            [ANY],
            {"source_encoding": found.kind, "result_encoding": kind, "affinity": found.place},
        )
        self._define(op.results[0], made.results[0], size, dims, found.place)

    def _reshaped_dims(self, op: Any, found: Tensor, kind: TensorType[Any]) -> list[SSAValue]:
        dynamic = iter(found.dims)
        source = [next(dynamic) if n == DYNAMIC_INDEX else self.constants.get(n) for n in found.kind.get_shape()]
        shape = kind.get_shape()
        if DYNAMIC_INDEX not in shape:
            return []
        if op.name == "tensor.cast":
            full = source
        elif op.name == "tensor.expand_shape":
            static = list(op.properties["static_output_shape"].get_values())
            given = iter(op.operands[1:])
            full = [self._scalar(next(given)) if n == DYNAMIC_INDEX else self.constants.get(n) for n in static]
        elif op.name == "tensor.collapse_shape":
            full = []
            for group in op.properties["reassociation"].data:
                total: SSAValue | int = 1
                for item in group.data:
                    total = self.builder.product(total, source[item.value.data])
                full.append(self.builder.value(total))
        else:
            raise op_error(op, "a shape computed from data cannot be scheduled")
        return [d for d, n in zip(full, shape, strict=True) if n == DYNAMIC_INDEX]

    def _mixed(self, static: Any, dynamic: Sequence[SSAValue]) -> list[SSAValue]:
        values = iter(dynamic)
        return [
            self._scalar(next(values)) if n == DYNAMIC_INDEX else self.constants.get(int(n))
            for n in static.get_values()
        ]

    def _slice(self, op: Any) -> None:
        found: Tensor = self.env[op.operands[0]]
        if op.name == "tensor.extract_slice":
            if not contiguous(op, found.kind.get_shape()):
                raise op_error(op, "a slice that is not one run of bytes must be part of a dispatch")
            starts, lengths = self._mixed(op.static_offsets, op.offsets), self._mixed(op.static_sizes, op.sizes)
        else:
            starts = [self._scalar(v) for v in op.start_indices]
            lengths = [self._scalar(v) for v in op.lengths]
            _check_run(op, found.kind, lengths)
        kind = op.results[0].type
        dims = [d for d, n in zip(_picked(lengths, kind), kind.get_shape(), strict=True) if n == DYNAMIC_INDEX]
        size = self._size(kind, dims, found.place)
        made = self.builder.make(
            TensorSliceOp,
            {
                "source": found.value,
                "source_encoding_dims": found.dims,
                "source_size": found.size,
                "start_indices": starts,
                "lengths": lengths,
                "result_encoding_dims": dims,
                "result_size": size,
            },
            [ANY],
            {"source_encoding": found.kind, "result_encoding": kind, "affinity": found.place},
        )
        self._define(op.results[0], made.results[0], size, dims, found.place)

    def _update(self, op: Any) -> None:
        flow = op.name == "flow.tensor.update"
        target_value, update_value = (op.target, op.update) if flow else (op.operands[1], op.operands[0])
        target: Tensor = self.env[target_value]
        update = self._tensor(update_value, target.place)
        starts = (
            [self._scalar(v) for v in op.start_indices] if flow else self._mixed(op.static_offsets, op.offsets)
        )
        if flow:
            dynamic = iter(update.dims)
            _check_run(
                op,
                target.kind,
                [next(dynamic) if n == DYNAMIC_INDEX else self.constants.get(n) for n in update.kind.get_shape()],
            )
        made = self.builder.make(
            TensorUpdateOp,
            {
                "target": target.value,
                "target_encoding_dims": target.dims,
                "target_size": target.size,
                "start_indices": starts,
                "update": update.value,
                "update_encoding_dims": update.dims,
                "update_size": update.size,
            },
            [ANY],
            {"target_encoding": target.kind, "update_encoding": update.kind, "affinity": target.place},
        )
        self._define(op.results[0], made.results[0], target.size, target.dims, target.place)

    def _extract(self, op: Any) -> None:
        found: Tensor = self.env[op.operands[0]]
        staged = self._move(found, found.place, STAGING)
        made = self.builder.make(
            TensorLoadOp,
            {
                "source": staged.value,
                "source_encoding_dims": staged.dims,
                "source_size": staged.size,
                "indices": [self._scalar(v) for v in op.operands[1:]],
            },
            [op.results[0].type],
            {"source_encoding": found.kind},
        )
        self.env[op.results[0]] = made.results[0]

    def _global_load(self, op: Any) -> None:
        name = op.global_.string_value()
        kind = self.global_types.get(name)
        if kind is None:
            self._copy(op)
            return
        place = self.places.of(op.results[0]) if self.places else None
        made = self.builder.make(GlobalLoadOp, {}, [ANY], dict(op.properties))
        self._define(op.results[0], made.results[0], self._size(kind, [], place), [], place)

    def _global_store(self, op: Any) -> None:
        if not isinstance(op.operands[0].type, TensorType):
            self._copy(op)
            return
        name = op.global_.string_value()
        place = self.places.globals.get(name) if self.places and hasattr(self.places, "globals") else None
        found = self._tensor(op.operands[0], place)
        self.builder.make(GlobalStoreOp, {"value": found.value}, [], dict(op.properties))

    def _barrier(self, op: Any) -> None:
        for old, new in zip(op.results, op.operands, strict=True):
            self.env[old] = self.env[new]

    def _return(self, op: Any) -> None:
        values: list[SSAValue] = []
        exported: list[tuple[int, Tensor]] = []
        for index, value in enumerate(op.operands):
            if isinstance(value.type, TensorType):
                place = self.places.results[index] if self.places and index < len(self.places.results) else None
                exported.append((index, self._tensor(value, place)))
                values.append(None)  # pyright: ignore[reportArgumentType]
            else:
                values.append(self._scalar(value))
        for index, found in exported:
            cast = self.builder.make(
                AsyncCastOp,
                {"source": found.value, "source_size": found.size, "result_size": found.size},
                [EXTERNAL],
                {"affinity": found.place},
            ).results[0]
            values[index] = self.builder.make(
                TensorExportOp,
                {"source": cast, "source_encoding_dims": found.dims, "source_size": found.size},
                [VIEW],
                {"source_encoding": found.kind, "affinity": found.place},
            ).results[0]
        self.builder.add(ReturnOp.create(operands=values))

    def _call(self, op: Any) -> None:
        raise op_error(op, "calls of functions without a body cannot be scheduled")


def _check_run(op: Operation, kind: TensorType[Any], lengths: Sequence[SSAValue]) -> None:
    """Raise where a box with these lengths is not one run of bytes."""
    from headrace.graph.shapes import constant_of

    shape = kind.get_shape()
    k = len(shape)
    while k > 0 and shape[k - 1] == constant_of(lengths[k - 1]):
        k -= 1
    if any(constant_of(n) != 1 for n in lengths[: max(0, k - 1)]):
        raise op_error(op, "the box is not one run of bytes; slices and updates must be contiguous")


def _picked(lengths: Sequence[SSAValue], kind: TensorType[Any]) -> list[SSAValue]:
    """Lengths of the dimensions a (rank-reduced) result keeps."""
    from headrace.graph.shapes import constant_of

    kept = list(lengths)
    shape = kind.get_shape()
    k = 0
    while len(kept) > len(shape) and k < len(kept):
        if constant_of(kept[k]) == 1 and not (k < len(shape) and shape[k] == 1):
            kept.pop(k)
        else:
            k += 1
    return kept


_HANDLERS: dict[str, Any] = {
    "arith.constant": _Converter._arith_constant,
    "flow.tensor.splat": _Converter._splat,
    "tensor.empty": _Converter._empty,
    "tensor.dim": _Converter._dim,
    "flow.dispatch": _Converter._dispatch,
    "flow.tensor.transfer": _Converter._transfer,
    "hal.tensor.transients": _Converter._transients,
    "flow.tensor.clone": _Converter._clone,
    "tensor.cast": _Converter._reshape,
    "tensor.expand_shape": _Converter._reshape,
    "tensor.collapse_shape": _Converter._reshape,
    "tensor.reshape": _Converter._reshape,
    "tensor.extract_slice": _Converter._slice,
    "flow.tensor.slice": _Converter._slice,
    "tensor.insert_slice": _Converter._update,
    "flow.tensor.update": _Converter._update,
    "tensor.extract": _Converter._extract,
    "util.global.load": _Converter._global_load,
    "util.global.store": _Converter._global_store,
    "util.optimization_barrier": _Converter._barrier,
    "util.return": _Converter._return,
    "util.call": _Converter._call,
    "scf.for": _Converter._for,
    "scf.if": _Converter._if,
    "scf.while": _Converter._while,
    "scf.yield": _Converter._yield,
    "scf.condition": _Converter._yield,
    "scf.parallel": _Converter._plain_region,
    "scf.forall": _Converter._plain_region,
    "scf.index_switch": _Converter._plain_region,
    "scf.execute_region": _Converter._plain_region,
}

@dataclass
class ConvertToStream(Pass):
    """Tensors become resources, dispatches stream operations."""

    name = "convert-to-stream"
    summary = "Tensors become resources, dispatches stream operations"

    def apply(self, op: Any, ctx: Context) -> None:
        convert_to_stream(op)
