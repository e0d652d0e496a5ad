"""The graph interpreter: functions over tensors, run in program order on NumPy arrays. Every other level must agree.

It runs graphs as given and graphs cut into dispatches; tile kernels go to the injected executor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from headrace.graph.inputs import functions_of, is_public
from headrace.graph.kernels import CONTROLS, LEAVES, Kernel, TileExecutor, kernels_of, lookup, to_bytes
from headrace.interp.engine import Control, Frame, Leaf, Running, Session, finish
from headrace.interp.memory import Memory
from headrace.interp.scalars import constant_value
from headrace.interp.values import element_dtype
from headrace.ir.diagnostics import error, op_error
from headrace.ir.types import dtype_of


class GraphFrame(Frame):
    """A function's frame with the module's globals and kernels."""

    def __init__(self, session: Session, state: GraphState):
        super().__init__(session)
        self.state = state


class GraphState:
    """A loaded graph: globals keep their values from one invocation to the next."""

    def __init__(self, module: ModuleOp, tile: TileExecutor | None = None):
        self.module = module
        self.tile = tile
        self.functions = functions_of(module)
        self.kernels: Mapping[tuple[str, str], Kernel] = kernels_of(module)
        self.session = Session(_LEAVES, _CONTROLS, self.functions, Memory())
        self.globals: dict[str, Any] = {}
        for op in module.body.block.ops:
            if op.name == "util.global":
                item: Any = op
                if item.initial_value is not None and not op.name.startswith("hal"):
                    self.globals[item.sym_name.data] = constant_value(item.initial_value, item.type)
            elif op.name == "util.initializer":
                finish(self.frame().run_block(op.regions[0].blocks[0]))

    def frame(self) -> GraphFrame:
        """A new frame."""
        return GraphFrame(self.session, self)

    def run(self, name: str | None, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Call a function (the only public one without a name) with arrays and scalars."""
        function = find_function(self.module, name)
        return finish(self.frame().run_block(function.body.blocks[0], tuple(arguments)))


def find_function(module: ModuleOp, name: str | None = None) -> Any:
    """The function called `name`, else the only public one. Raises HeadraceError."""
    functions = functions_of(module)
    if name is not None:
        if name not in functions or not functions[name].body.blocks:
            raise error(module, f"no function named '{name}'; there are {', '.join(functions) or 'none'}")
        return functions[name]
    public = [f for f in functions.values() if is_public(f) and f.body.blocks]
    if len(public) != 1:
        names = ", ".join(f.sym_name.data for f in public)
        raise error(module, f"several public functions ({names}); name one" if public else "no public function to run")
    return public[0]


def _transfer(f: Frame, op: Operation) -> None:
    f.values[op.results[0]] = f.values[op.operands[0]]


def _same(f: Frame, op: Operation) -> None:
    f.set(op, *[f.values[v] for v in op.operands])


def _splat(f: Frame, op: Any) -> None:
    kind = op.results[0].type
    dims = iter(f.all(op.operands[1:]))
    shape = [int(next(dims)) if n < 0 else n for n in kind.get_shape()]
    f.values[op.results[0]] = np.full(shape, f.get(op.operands[0]), element_dtype(kind).value_dtype)


def _slice(f: Frame, op: Any) -> None:
    source = f.get(op.source)
    where = tuple(
        slice(a, a + n) for a, n in zip(f.all(op.start_indices), f.all(op.lengths), strict=True)
    )
    if any(w.start < 0 or w.stop > n for w, n in zip(where, source.shape, strict=True)):
        raise op_error(op, "leaves its source")
    f.values[op.results[0]] = source[where]


def _update(f: Frame, op: Any) -> None:
    target, update = np.array(f.get(op.target), copy=True), f.get(op.update)
    starts = f.all(op.start_indices)
    where = tuple(slice(a, a + n) for a, n in zip(starts, update.shape, strict=True))
    if any(w.start < 0 or w.stop > n for w, n in zip(where, target.shape, strict=True)):
        raise op_error(op, "leaves its target")
    target[where] = update
    f.values[op.results[0]] = target


def _dispatch(f: Any, op: Any) -> None:
    kernel = lookup(f.state.kernels, op)
    arguments = [f.values[v] for v in op.arguments]
    if not kernel.is_tile:
        f.set(op, *kernel.run(arguments))
        return
    if f.state.tile is None:
        raise op_error(op, f"kernel '{kernel.name}' is a tile kernel; no device runs it here")
    raw = [
        to_bytes(a, dtype_of(v.type)) if isinstance(v.type, TensorType) else a
        for a, v in zip(arguments, op.arguments, strict=True)
    ]
    dims = iter(f.all(op.result_dims))
    results: list[Any] = []
    outputs: list[Any] = []
    tied = kernel.tied if len(kernel.tied) == len(op.results) else (-1,) * len(op.results)
    for r, tie in zip(op.results, tied, strict=True):
        shape = tuple(int(next(dims)) if n < 0 else n for n in r.type.get_shape())
        dtype = dtype_of(r.type)
        size = int(np.prod(shape, dtype=np.int64)) * dtype.bytes
        outputs.append(raw[tie].copy() if tie >= 0 else np.zeros(size, np.uint8))
        results.append((shape, dtype))
    f.state.tile(kernel, raw, outputs, None)
    f.set(op, *[
        dtype.decode(o.view(dtype.storage_dtype)).reshape(shape)
        for o, (shape, dtype) in zip(outputs, results, strict=True)
    ])  # fmt: skip


def _global_load(f: Any, op: Any) -> None:
    name = op.global_.string_value()
    if name not in f.state.globals:
        raise op_error(op, f"global '{name}' has no value yet")
    f.values[op.results[0]] = f.state.globals[name]


def _global_store(f: Any, op: Any) -> None:
    f.state.globals[op.global_.string_value()] = f.get(op.operands[0])


def _call(f: Any, op: Any) -> Running:
    name = op.callee.string_value()
    function = f.session.functions.get(name)
    if function is None or not function.body.blocks:
        raise op_error(op, f"'{name}' has no body in this module")
    inner = f.state.frame()
    results = yield from inner.run_block(function.body.blocks[0], f.all(op.operands))
    f.set(op, *results)
    return ()


def _align(f: Frame, op: Operation) -> None:
    value, step = f.all(op.operands)
    f.values[op.results[0]] = (value + step - 1) // step * step


_LEAVES: dict[str, Leaf] = {
    **LEAVES,
    "flow.tensor.transfer": _transfer,
    "flow.tensor.clone": _transfer,
    "hal.tensor.transients": _transfer,
    "flow.tensor.splat": _splat,
    "flow.tensor.slice": _slice,
    "flow.tensor.update": _update,
    "flow.dispatch": _dispatch,
    "util.global.load": _global_load,
    "util.global.store": _global_store,
    "util.align": _align,
    "util.optimization_barrier": _same,
}
_CONTROLS: dict[str, Control] = {**CONTROLS, "util.call": _call, "func.call": _call}
