"""The graph at every level, run on the same data: `--check=levels` and `--check=passes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType

from headrace.graph.interpreter import GraphState, find_function
from headrace.graph.kernels import TileExecutor
from headrace.ir.dialects.hal import BufferType, FenceType
from headrace.stream.fences import Fence
from headrace.stream.interpreter import Program
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.simulator import Simulator

STORAGE_BYTES = 1 << 20
"""Size of a buffer argument (storage for transients) where none is given."""
GRAPH_LEVEL = frozenset({"prepare", "simplify-control-flow", "form-dispatches"})


@dataclass(frozen=True)
class LevelResult:
    """Outcome of one level: `equal`, or what differs first."""

    name: str
    equal: bool
    detail: str = ""


def random_arguments(module: ModuleOp, name: str | None = None, seed: int = 0, dynamic: int = 24) -> list[Any]:
    """Seeded data for a function's arguments: normals for floats, 0 to 7 for integers; dynamic extents get `dynamic`.

    Scalars: 3 for integers and indices, 0.5 for floats.
    """
    from headrace.ir.types import dtype_of

    function = find_function(module, name)
    rng = np.random.default_rng(seed)
    found: list[Any] = []
    for kind in function.function_type.inputs.data:
        if isinstance(kind, BufferType):
            found.append(np.zeros(STORAGE_BYTES, np.uint8))
            continue
        if isinstance(kind, FenceType):
            found.append(Fence())
            continue
        dtype = dtype_of(kind)
        if isinstance(kind, TensorType):
            shape = [dynamic if n < 0 else n for n in kind.get_shape()]
            if dtype.is_float:
                found.append(dtype.round_to(rng.standard_normal(shape)))
            else:
                found.append(rng.integers(0, 2 if dtype.name == "i1" else 8, shape).astype(dtype.value_dtype))
        else:
            found.append(dtype.value_dtype.type(0.5) if dtype.is_float else 3)
    return found


def compare(one: Sequence[Any], two: Sequence[Any]) -> str:
    """Empty where results are equal bit for bit (any NaN equals any NaN), else what differs first."""
    if len(one) != len(two):
        return f"{len(one)} results against {len(two)}"
    for index, (a, b) in enumerate(zip(one, two, strict=True)):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {index} is {a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}"
        same = (a == b) | ((a != a) & (b != b)) if a.dtype.kind == "f" else a == b
        if not np.all(same):
            where = tuple(int(i) for i in np.argwhere(~np.asarray(same))[0]) if a.ndim else ()
            return f"result {index} at {list(where)} is {a[where]!r}, expected {b[where]!r}"
    return ""


def check_levels(
    module: ModuleOp,
    arguments: Sequence[Any],
    options: Options | None = None,
    name: str | None = None,
    tile: TileExecutor | None = None,
    invocations: int = 1,
    orders: int = 2,
) -> list[LevelResult]:
    """Run a graph as given and after every pass; the command level also in `orders` random orders of completion.

    The ledger's findings are problems of their level. The module is left at the command level.
    """
    options = options or Options()
    graph = GraphState(module.clone(), tile)
    expected = [graph.run(name, arguments) for _ in range(invocations)]
    results: list[LevelResult] = []

    def run(label: str, level: ModuleOp, executor: Any = None) -> None:
        if label in GRAPH_LEVEL:
            state = GraphState(level, tile)
            got = [state.run(name, arguments) for _ in range(invocations)]
        else:
            program = Program(level, executor, tile)
            got = [program.run(arguments, name) for _ in range(invocations)]
            if program.memory:
                ledger = program.executor.ledger
                problems = [*ledger.problems, *ledger.leaks()]
                if problems:
                    results.append(LevelResult(label, False, f"ledger: {problems[0]}"))
                    return
        for number, (a, b) in enumerate(zip(got, expected, strict=True)):
            detail = compare(a, b)
            if detail:
                results.append(LevelResult(label, False, f"invocation {number}: {detail}"))
                return
        results.append(LevelResult(label, True))

    def after(label: str, level: ModuleOp) -> None:
        run(label, level, Simulator(options.system))

    compile_graph(module, options, after)
    for seed in range(orders):
        run(f"order-{seed}", module, Simulator(options.system, seed=seed))
    return results
