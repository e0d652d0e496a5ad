"""The common machinery of the interpreters: frames, blocks, functions and structured control flow.

A frame executes blocks as a Python generator, so that a tile or a unit can stop in the middle of nested regions and
be resumed. Operations that never stop are *leaves*, plain functions `leaf(frame, op)`; the others are *controls*,
generator functions. Each level composes its tables from the operation families it has.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.interp.memory import Memory
from headrace.interp.values import PartialTensor, Poison, PoisonUse, Warnings
from headrace.ir.diagnostics import HeadraceError, error

Leaf = Callable[["Frame", Operation], None]
Running = Generator[Any, Any, tuple[Any, ...]]
Control = Callable[["Frame", Operation], Running]

TERMINATORS = frozenset(
    {
        "func.return",
        "util.return",
        "stream.yield",
        "scf.yield",
        "scf.condition",
        "scf.reduce.return",
        "linalg.yield",
        "tensor.yield",
        "ktdp.yield_partial",
        "ktdp.yield_reduced",
        "ktdf.private_yield",
        "ktdf.parallel_yield",
        "dataflow.return",
        "agen.yield",
        "affine.yield",
    }
)


@dataclass
class Session:
    """What all frames of one run share."""

    leaves: Mapping[str, Leaf]
    controls: Mapping[str, Control]
    functions: Mapping[str, FuncOp]
    memory: Memory
    strict: bool = False
    warnings: Warnings = field(default_factory=Warnings)
    cache: dict[Any, Any] = field(default_factory=dict)
    """Results of analyses and decoded constants, keyed by operation, block, or (operation, what)."""

    def steps(self, block: Block) -> list[tuple[Operation, Leaf | None, Control | None]]:
        """The operations of a block with what executes them."""
        return [(op, self.leaves.get(op.name), self.controls.get(op.name)) for op in block.ops]

    def plan(self, op: Operation, make: Callable[[Any], Any]) -> Any:
        """`make(op)`, computed once per operation: what an operation does that does not depend on running values."""
        key = (op, make)
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = make(op)
        return found


UNWRITTEN = Poison("elements that were never written", spreads=False)
"""What reading a partly written tensor gives."""


class Frame:
    """One running tile, unit or coordinator: the values of its SSA names."""

    def __init__(self, session: Session):
        self.session = session
        self.strict = session.strict
        self.values: dict[SSAValue, Any] = {}
        self.outcome: tuple[Any, ...] = ()
        self.place: list[int] = []
        """Position in program order: operation number and iteration of each enclosing region, outermost first."""
        self.iteration: list[tuple[Any, ...]] = []
        """Iteration indices of the enclosing `linalg` bodies, innermost last."""

    def get(self, value: SSAValue) -> Any:
        """The value of an SSA name. Raises PoisonUse on poison."""
        v = self.values[value]
        if isinstance(v, Poison):
            raise PoisonUse(v)
        if isinstance(v, PartialTensor):
            raise PoisonUse(UNWRITTEN)
        return v

    def all(self, values: Sequence[SSAValue]) -> tuple[Any, ...]:
        return tuple(self.get(v) for v in values)

    def set(self, op: Operation, *results: Any) -> None:
        """Bind the results of `op`; what an operation without results computed (a memref form) is left in `outcome`."""
        if not op.results:
            self.outcome = results
            return
        for name, value in zip(op.results, results, strict=True):
            self.values[name] = value

    def where(self) -> str:
        """Who runs, for messages ("" where there is only one)."""
        return ""

    def run_block(self, block: Block, arguments: Sequence[Any] = ()) -> Running:
        """Execute a block; returns the operands of its terminator."""
        values = self.values
        for name, value in zip(block.args, arguments, strict=True):
            values[name] = value
        steps = self.session.cache.get(block)
        if steps is None:
            steps = self.session.cache[block] = self.session.steps(block)
        for op, leaf, control in steps:
            try:
                if leaf is not None:
                    leaf(self, op)
                elif control is not None:
                    yield from control(self, op)
                elif op.name in TERMINATORS:
                    return tuple(values[o] for o in op.operands)
                else:
                    name = getattr(op, "op_name", None)
                    raise error(op, f"'{op.name if name is None else name.data}' cannot be executed at this level")
            except PoisonUse as use:
                self.poisoned(op, use.poison)
            except ZeroDivisionError as e:
                raise error(op, f"'{op.name}'{self.where()}: division by zero") from e
        return ()

    def poisoned(self, op: Operation, poison: Poison) -> None:
        """Called when `op` read poison: pure operations pass it on, others report it."""
        if not poison.spreads or op.name in leaves_with_effects or op.name in self.session.controls or not op.results:
            raise error(op, f"'{op.name}'{self.where()} uses an undefined value: {poison.reason}")
        self.set(op, *[poison] * len(op.results))

    def run_now(self, block: Block, arguments: Sequence[Any] = ()) -> tuple[Any, ...]:
        """Execute a block that must not stop (bodies of tensor and linalg operations)."""
        runner = self.run_block(block, arguments)
        try:
            next(runner)
        except StopIteration as done:
            return done.value
        parent = block.parent_op()
        raise (
            error(parent, f"the body of '{parent.name}' waits for another tile")
            if parent
            else RuntimeError("body stopped")
        )

    def call(self, function: FuncOp, arguments: Sequence[Any]) -> Running:
        """Execute a function body."""
        return (yield from self.run_block(function.body.blocks[0], arguments))


leaves_with_effects: set[str] = {"ktdp.store", "memref.store", "tensor.extract"}
"""Leaves that must not be skipped when an operand is poison."""


def finish(runner: Running) -> tuple[Any, ...]:
    """Run a generator that never stops."""
    try:
        next(runner)
    except StopIteration as done:
        return done.value
    raise RuntimeError("a sequential program stopped")


def number_of(op: Operation) -> int:
    """Position of an operation in its block."""
    block = op.parent
    assert block is not None
    return block.get_operation_index(op)


# -- structured control flow -----------------------------------------------------------------------------------------


def loop_range(op: Operation, lower: int, upper: int, step: int) -> range:
    """Iterations of a loop. Raises a located error where the step is not positive."""
    if step <= 0:
        raise error(op, f"loop step must be positive, got {step}")
    return range(lower, upper, step)


def _for(f: Frame, op: Operation) -> Running:
    lower, upper, step = (f.get(v) for v in op.operands[:3])
    carried = tuple(f.values[v] for v in op.operands[3:])
    block = op.regions[0].blocks[0]
    f.place += [number_of(op), 0]
    for count, i in enumerate(loop_range(op, lower, upper, step)):
        f.place[-1] = count
        carried = yield from f.run_block(block, (i, *carried))
    del f.place[-2:]
    f.set(op, *carried)
    return ()


def _if(f: Frame, op: Operation) -> Running:
    chosen = op.regions[0 if f.get(op.operands[0]) else 1]
    results: tuple[Any, ...] = ()
    if chosen.blocks:
        f.place += [number_of(op), 0]
        results = yield from f.run_block(chosen.blocks[0])
        del f.place[-2:]
    f.set(op, *results)
    return ()


def _while(f: Frame, op: Operation) -> Running:
    carried = tuple(f.values[v] for v in op.operands)
    f.place += [number_of(op), 0]
    while True:
        before = yield from f.run_block(op.regions[0].blocks[0], carried)
        go, carried = before[0], before[1:]
        if isinstance(go, Poison):
            raise PoisonUse(go)
        if not go:
            break
        carried = yield from f.run_block(op.regions[1].blocks[0], carried)
        f.place[-1] += 1
    del f.place[-2:]
    f.set(op, *carried)
    return ()


def _points(ranges: Sequence[range]) -> Iterator[tuple[int, ...]]:
    if not ranges:
        yield ()
        return
    for i in ranges[0]:
        for rest in _points(ranges[1:]):
            yield (i, *rest)


def _parallel(f: Frame, op: Any) -> Running:
    ranges = [
        loop_range(op, f.get(lo), f.get(hi), f.get(step))
        for lo, hi, step in zip(op.lowerBound, op.upperBound, op.step, strict=True)
    ]
    carried = list(f.all(op.initVals))
    block = op.body.blocks[0]
    f.place += [number_of(op), 0]
    for count, point in enumerate(_points(ranges)):
        f.place[-1] = count
        yield from f.run_block(block, point)
        last = block.last_op
        if last is not None and last.name == "scf.reduce":
            for k, (argument, region) in enumerate(zip(last.operands, last.regions, strict=True)):
                carried[k] = (yield from f.run_block(region.blocks[0], (carried[k], f.get(argument))))[0]
    del f.place[-2:]
    f.set(op, *carried)
    return ()


def _execute_region(f: Frame, op: Operation) -> Running:
    results = yield from f.run_block(op.regions[0].blocks[0])
    f.set(op, *results)
    return ()


def _index_switch(f: Frame, op: Any) -> Running:
    cases = list(op.cases.get_values())
    value = f.get(op.arg)
    region = op.case_regions[cases.index(value)] if value in cases else op.default_region
    results = yield from f.run_block(region.blocks[0])
    f.set(op, *results)
    return ()


def _call(f: Frame, op: Any) -> Running:
    name = op.callee.string_value()
    function = f.session.functions.get(name)
    if function is None or not function.body.blocks:
        raise error(op, f"call of '{name}', which has no body in this module")
    results = yield from f.call(function, f.all(op.operands))
    f.set(op, *results)
    return ()


def _nothing(f: Frame, op: Operation) -> None:
    return None


CONTROLS: dict[str, Control] = {
    "scf.for": _for,
    "scf.if": _if,
    "scf.while": _while,
    "scf.parallel": _parallel,
    "scf.execute_region": _execute_region,
    "scf.index_switch": _index_switch,
    "func.call": _call,
}
LEAVES: dict[str, Leaf] = {"scf.reduce": _nothing, "memref.dealloc": _nothing}


# -- functions and grids ---------------------------------------------------------------------------------------------


def functions_of(module: ModuleOp) -> dict[str, FuncOp]:
    """Every function with a body, in any nested module, by name (the first of a name wins)."""
    found: dict[str, FuncOp] = {}
    for op in module.walk():
        if isinstance(op, FuncOp) and op.body.blocks and op.sym_name.data not in found:
            found[op.sym_name.data] = op
    return found


def called_names(module: ModuleOp) -> set[str]:
    """Names that some `func.call` refers to."""
    return {op.callee.string_value() for op in module.walk() if op.name == "func.call"}  # type: ignore[attr-defined]


def find_kernel(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The kernel to run: the function called `name`, else the only public function nobody calls.

    Raises HeadraceError when there is none, or several without `name`.
    """
    functions = functions_of(module)
    if name is not None:
        if name not in functions:
            raise error(module, f"no kernel named '{name}'; the module has {', '.join(sorted(functions)) or 'none'}")
        return functions[name]
    called = called_names(module)
    candidates = [
        f
        for n, f in functions.items()
        if n not in called and not (f.sym_visibility is not None and f.sym_visibility.data == "private")
    ]
    if len(candidates) != 1:
        names = ", ".join(f.sym_name.data for f in candidates)
        what = f"several kernels ({names}); name the one to run" if candidates else "no kernel"
        raise error(module, f"the module has {what}")
    return candidates[0]


def grid_of(function: FuncOp) -> tuple[int, ...]:
    """The work division of a kernel, `(1,)` when it has none. Raises HeadraceError for an empty or bad grid."""
    attr = function.attributes.get("grid")
    if attr is None:
        return (1,)
    values = attr.get_values() if isinstance(attr, DenseArrayBase) else getattr(attr, "data", ())
    grid = tuple(n.value.data if isinstance(n, IntegerAttr) else n for n in values)
    if not grid or not all(isinstance(n, int) and n > 0 for n in grid):
        shown = list(grid) if all(isinstance(n, int) for n in grid) else attr
        raise error(function, f"grid must be a non-empty list of positive extents, got {shown}")
    return grid


def argument_names(function: FuncOp) -> tuple[str, ...]:
    """Names of the arguments: as written, else `arg<position>`; a repeated name gets its position appended."""
    names: list[str] = []
    for i, a in enumerate(function.body.blocks[0].args):
        name = a.name_hint or f"arg{i}"
        names.append(f"{name}_{i}" if name in names else name)
    return tuple(names)


__all__ = [
    "CONTROLS",
    "LEAVES",
    "TERMINATORS",
    "Control",
    "Frame",
    "HeadraceError",
    "Leaf",
    "Running",
    "Session",
    "argument_names",
    "called_names",
    "find_kernel",
    "finish",
    "functions_of",
    "grid_of",
    "leaves_with_effects",
    "loop_range",
    "number_of",
]
