"""Kernels of a module: what a dispatch runs, how long it is estimated to take.

An executable (`flow.executable` or `stream.executable`) holds a module with one function per entry point. Its arguments
are the dispatch's operands in order, its results the dispatch's results. Discardable attributes of the function:

`headrace.dims`   for each tensor argument, then each result: positions of the scalar arguments that are its dynamic
                  dimensions (-1: derived from the size)
`headrace.tied`   for each result the argument it is made in place of, -1 for none
`headrace.cost`   nanoseconds one dispatch takes (instead of the estimate)
`headrace.fused`  for each byte range (tensor arguments, then results that are not tied) the binding it is in, and the
                  scalar operand that is its offset there, -1 where it is the binding itself

A function with a `grid` or with `ktdp` operations is a tile kernel of a device: its arguments are byte addresses and
scalars, and addresses of the results follow the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation

from headrace.interp import engine, linalg, scalars, tensors
from headrace.interp.engine import Control, Frame, Leaf, Session, finish
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import error
from headrace.ir.dialects.stream_types import BindingType
from headrace.ir.types import dtype_of
from headrace.numerics.dtypes import DType

Array = NDArray[Any]
TileExecutor = Callable[["Kernel", Sequence[Any], Sequence[Array], str | None], None]
"""Runs a tile kernel: the kernel, its operands (byte arrays and scalars), its result buffers (bytes, written), the name
of the device it was submitted to (None: any)."""

LEAVES: dict[str, Leaf] = {**engine.LEAVES, **scalars.LEAVES, **tensors.LEAVES, **linalg.LEAVES}
CONTROLS: dict[str, Control] = dict(engine.CONTROLS)


@dataclass
class Kernel:
    """One entry point of an executable."""

    executable: str
    name: str
    function: Any
    argument_types: tuple[Attribute, ...]
    result_types: tuple[Attribute, ...]
    tied: tuple[int, ...]
    dims: tuple[tuple[int, ...], ...]
    cost: int | None
    is_tile: bool
    session: Session = field(repr=False)
    body: Any = field(repr=False, default=None)
    fused: tuple[tuple[int, int], ...] = ()

    @property
    def tensor_arguments(self) -> list[int]:
        """Positions of the arguments that are tensors (or addresses of tile kernels)."""
        return [i for i, t in enumerate(self.argument_types) if isinstance(t, TensorType)]

    @property
    def range_types(self) -> list[Attribute]:
        """Types of the byte ranges it is given: bindings, or tensor arguments and results that are not tied."""
        bound: list[Attribute] = [k for k in self.argument_types if isinstance(k, BindingType)]
        if bound:
            return bound
        results = [k for k, tie in zip(self.result_types, self.tied, strict=True) if tie < 0]
        return [self.argument_types[i] for i in self.tensor_arguments] + results

    def shapes(self, sizes: Sequence[int], scalars_: Sequence[int | float]) -> list[tuple[int, ...]]:
        """Shapes of the tensor arguments, then of the results, from byte sizes and all scalar arguments in order.

        Raises a located error where a dynamic dimension is neither passed nor derivable.
        """
        numbers = iter(scalars_)
        by_position = {i: next(numbers) for i, t in enumerate(self.argument_types) if not isinstance(t, TensorType)}
        kinds = [self.argument_types[i] for i in self.tensor_arguments] + list(self.result_types)
        shapes: list[tuple[int, ...]] = []
        for position, kind in enumerate(kinds):
            assert isinstance(kind, TensorType)
            shape = list(kind.get_shape())
            if DYNAMIC_INDEX in shape:
                names = iter(self.dims[position]) if position < len(self.dims) else iter(())
                unknown: list[int] = []
                for k, n in enumerate(shape):
                    if n == DYNAMIC_INDEX:
                        at = next(names, -1)
                        if at >= 0:
                            shape[k] = int(by_position[at])
                        else:
                            unknown.append(k)
                if len(unknown) == 1:
                    rest = prod(n for k, n in enumerate(shape) if k != unknown[0]) * dtype_of(kind).bytes
                    shape[unknown[0]] = sizes[position] // rest if rest else 0
                elif unknown:
                    raise error(self.function, f"kernel '{self.name}': the dimensions of {kind} are not passed to it")
            shapes.append(tuple(shape))
        return shapes

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Results for arguments given as arrays and scalars."""
        frame = Frame(self.session)
        block = self.function.body.blocks[0]
        return finish(frame.run_block(block, tuple(arguments)))

    def work(self, shapes: Sequence[Sequence[int]]) -> tuple[int, int]:
        """(scalar operations, bytes moved) for the shapes of tensor arguments and results."""
        kinds = [self.argument_types[i] for i in self.tensor_arguments] + list(self.result_types)
        moved = sum(prod(s) * dtype_of(k).bytes for s, k in zip(shapes, kinds, strict=True))
        out = max((prod(s) for s in shapes[len(self.tensor_arguments) :]), default=1)
        largest = max((prod(s) for s in shapes), default=1)
        total = 0
        for op in self.function.body.walk():
            if op.name in ("linalg.matmul", "linalg.batch_matmul", "linalg.matvec", "linalg.vecmat", "linalg.dot"):
                total += 2 * out * _contracted(op, shapes)
            elif op.name.startswith(("arith.", "math.", "spyreop.")) and op.name != "arith.constant":
                total += largest
            elif op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.generic", "linalg.fill"):
                total += largest
        return total, moved


def _contracted(op: Operation, shapes: Sequence[Sequence[int]]) -> int:
    kind = op.operands[0].type
    shape = kind.get_shape() if isinstance(kind, TensorType) else ()
    last = shape[-1] if shape else 1
    if last != DYNAMIC_INDEX:
        return last
    return max((s[-1] for s in shapes if s), default=1)


def kernels_of(module: ModuleOp) -> dict[tuple[str, str], Kernel]:
    """Every entry point of the executables in a module, by (executable, entry point)."""
    found: dict[tuple[str, str], Kernel] = {}
    for op in module.body.block.ops:
        if op.name not in ("flow.executable", "stream.executable"):
            continue
        executable = op.sym_name.data  # pyright: ignore[reportAttributeAccessIssue]
        functions: dict[str, Any] = {}
        exports: list[Any] = []
        for inner in op.regions[0].block.ops:
            if inner.name.endswith(".export"):
                exports.append(inner)
            elif isinstance(inner, ModuleOp):
                for f in inner.body.block.ops:
                    if f.name in ("func.func", "util.func"):
                        functions[f.sym_name.data] = f  # pyright: ignore[reportAttributeAccessIssue]
        session = Session(LEAVES, CONTROLS, functions, Memory())
        names = {e.sym_name.data: e.function_ref.data for e in exports} or {n: n for n in functions}
        for label, name in names.items():
            if name in functions:
                found[executable, label] = _kernel(executable, label, functions[name], session, op)
    return found


def _kernel(executable: str, label: str, function: Any, session: Session, op: Operation) -> Kernel:
    kinds = function.function_type
    results = tuple(kinds.outputs.data)
    tied = function.attributes.get("headrace.tied")
    dims = function.attributes.get("headrace.dims")
    cost = function.attributes.get("headrace.cost")
    is_tile = "grid" in function.attributes or any(o.name.startswith("ktdp.") for o in function.body.walk())
    return Kernel(
        executable,
        label,
        function,
        tuple(kinds.inputs.data),
        results,
        tuple(int(v) for v in tied.get_values()) if isinstance(tied, DenseArrayBase) else (-1,) * len(results),
        tuple(tuple(int(v) for v in d.get_values()) for d in dims.data) if isinstance(dims, ArrayAttr) else (),
        cost.value.data if isinstance(cost, IntegerAttr) else None,
        is_tile,
        session,
        op,
        _rows(function.attributes.get("headrace.fused")),
    )


def _rows(attr: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(attr, ArrayAttr):
        return ()
    return tuple((int(row.get_values()[0]), int(row.get_values()[1])) for row in attr.data)  # pyright: ignore


def to_bytes(values: Any, dtype: DType) -> NDArray[np.uint8]:
    """The bytes of an array in memory, row-major."""
    return np.ascontiguousarray(dtype.encode(np.asarray(values))).reshape(-1).view(np.uint8)


def from_bytes(raw: NDArray[np.uint8], shape: Sequence[int], dtype: DType) -> Array:
    """The array whose bytes are the first of `raw`."""
    count = prod(shape)
    return dtype.decode(raw[: count * dtype.bytes].view(dtype.storage_dtype)).reshape(tuple(shape))


def run_on_bytes(
    kernel: Kernel,
    buffers: Sequence[NDArray[np.uint8]],
    scalars_: Sequence[Any],
    outputs: Sequence[NDArray[np.uint8]],
    tile: TileExecutor | None = None,
    device: str | None = None,
) -> None:
    """Run a kernel on byte ranges.

    `buffers`: one per tensor argument; `scalars_`: all scalar arguments in order; `outputs`: one per result, for a tied
    result the same bytes as its argument. Raises HeadraceError where ranges are too small for the types.
    """
    if kernel.is_tile:
        if tile is None:
            raise error(kernel.function, f"kernel '{kernel.name}' is a tile kernel; no device runs it here")
        tile(kernel, [*buffers, *scalars_], list(outputs), device)
        return
    sizes = [b.size for b in buffers] + [b.size for b in outputs]
    shapes = kernel.shapes(sizes, scalars_)
    arguments: list[Any] = []
    ranges, numbers = iter(zip(buffers, shapes, strict=False)), iter(scalars_)
    for kind in kernel.argument_types:
        if isinstance(kind, TensorType):
            raw, shape = next(ranges)
            dtype = dtype_of(kind)
            if raw.size < prod(shape) * dtype.bytes:
                raise error(
                    kernel.function,
                    f"kernel '{kernel.name}': {raw.size} bytes are too few for {kind} of shape {list(shape)}",
                )
            arguments.append(from_bytes(raw, shape, dtype))
        else:
            arguments.append(next(numbers))
    results = kernel.run(arguments)
    for value, kind, target in zip(results, kernel.result_types, outputs, strict=True):
        raw = to_bytes(value, dtype_of(kind))
        if raw.size > target.size:
            raise error(
                kernel.function, f"kernel '{kernel.name}': a result of {raw.size} bytes into {target.size} bytes"
            )
        target[: raw.size] = raw


def lookup(kernels: Mapping[tuple[str, str], Kernel], op: Any) -> Kernel:
    """The kernel of a dispatch. Raises a located error where there is none."""
    ref = op.entry_points.data[0]
    root = ref.root_reference.data
    nested = ref.nested_references.data
    found = kernels.get((root, nested[0].data if nested else root))
    if found is None:
        raise error(op, f"'{op.name}' op names a kernel that is not in the module: {ref}")
    return found
