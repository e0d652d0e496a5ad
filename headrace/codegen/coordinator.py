"""The coordinator function, read into a small tree: loops, conditions, register computations and calls.

Scalars are :class:`~headrace.codegen.symbols.Expr`; a value that only exists in a sequencer register (loop variable,
comparison, selection) is a leaf ``iv`` with a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from headrace.codegen import symbols
from headrace.codegen.select import _PREDICATES, constant_value
from headrace.codegen.symbols import Expr, SymbolError
from headrace.ir.diagnostics import error

ARITH = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divsi": "div",
    "arith.divui": "div",
    "arith.remsi": "rem",
    "arith.remui": "rem",
    "arith.floordivsi": "floor",
    "arith.ceildivsi": "ceildiv",
    "arith.ceildivui": "ceildiv",
    "arith.minsi": "min",
    "arith.minui": "min",
    "arith.maxsi": "max",
    "arith.maxui": "max",
}
"""Index arithmetic that is an expression; operands are extents and addresses, so signed and unsigned agree."""

_IDENTITY = ("arith.index_cast", "arith.extui", "arith.extsi", "arith.trunci", "arith.bitcast")
_LOGIC = {"arith.andi": "AND", "arith.ori": "OR", "arith.xori": "XOR"}


@dataclass
class Loop:
    """``for leaf = lb; leaf < ub; leaf += step``.

    ``carried`` are (leaf, initial value, next value); ``results`` are leaves.
    """

    op: Operation
    leaf: Expr
    lb: Expr
    ub: Expr
    step: Expr
    body: list[Any] = field(default_factory=list)
    carried: list[tuple[Expr, Expr, Expr]] = field(default_factory=list)
    results: list[Expr] = field(default_factory=list)


@dataclass
class Condition:
    """``if cond``; ``results`` are (leaf, value in the true branch, value in the false branch)."""

    op: Operation
    cond: Expr
    true: list[Any]
    false: list[Any]
    results: list[tuple[Expr, Expr, Expr]]


@dataclass
class Compute:
    """A register computed by one instruction: ``leaf = name(operands)``, ``pred`` for comparisons."""

    op: Operation
    leaf: Expr
    name: str
    operands: list[Expr]
    pred: str | None = None


@dataclass
class Call:
    """A program call with its arguments."""

    op: Operation
    program: str
    args: list[Expr]


class CoordinatorReader:
    """Reads one function. ``inputs`` binds its arguments; ``programs`` are the callable names."""

    def __init__(self, programs: set[str]):
        self.programs = programs
        self.env: dict[SSAValue, Expr] = {}
        self.declared: dict[int, Expr] = {}
        self.calls: list[Call] = []
        self._leaves = 0

    def leaf(self) -> Expr:
        """A fresh register leaf."""
        self._leaves += 1
        return Expr("iv", (self._leaves - 1,))

    def value(self, v: SSAValue, op: Operation) -> Expr:
        """Expression of a scalar operand."""
        if v not in self.env:
            raise error(op, f"'{op.name}': the operand is no scalar the sequencer can compute")
        return self.env[v]

    def block(self, block: Block) -> list[Any]:
        """Items of a block."""
        out: list[Any] = []
        for op in block.ops:
            self._op(op, out)
        return out

    def _op(self, op: Any, out: list[Any]) -> None:
        if op.name in ("func.return", "scf.yield", "dataflow.return"):
            return
        if scalar_op(self.env, op):
            return
        if op.name == "symbol.create_id":
            self.declared[op.symbol_id.value.data] = self.value(op.value, op)
        elif op.name == "func.call":
            self._call(op, out)
        elif op.name == "scf.for":
            self._for(op, out)
        elif op.name == "scf.if":
            self._if(op, out)
        elif op.name == "arith.cmpi" or op.name in _LOGIC or op.name == "arith.select":
            operands = [self.value(v, op) for v in op.operands]
            pred = _PREDICATES[op.predicate.value.data] if op.name == "arith.cmpi" else None
            name = "CMP" if pred else "SEL" if op.name == "arith.select" else _LOGIC[op.name]
            self.env[op.results[0]] = leaf = self.leaf()
            out.append(Compute(op, leaf, name, operands, pred))
        elif op.name == "ktdp.get_compute_tile_id":
            raise error(op, "the coordinator runs once for all tiles: a tile id has no value here")
        elif op.name.startswith(("memref.", "tensor.", "ktdp.load", "ktdp.construct", "linalg.")):
            raise error(
                op,
                f"'{op.name}' in the coordinator: loop bounds and conditions between programs must not depend on "
                "data in memory",
            )
        else:
            raise error(op, f"the sequencer has no instruction for '{op.name}'")

    def _call(self, op: Any, out: list[Any]) -> None:
        name = op.callee.root_reference.data
        if name not in self.programs:
            raise error(op, f"call of '@{name}', which is no program of this module")
        call = Call(op, name, [self.value(v, op) for v in op.operands])
        self.calls.append(call)
        out.append(call)

    def _for(self, op: Any, out: list[Any]) -> None:
        block = op.body.block
        loop = Loop(op, self.leaf(), self.value(op.lb, op), self.value(op.ub, op), self.value(op.step, op))
        if loop.step.value is not None and loop.step.value <= 0:
            raise error(op, "a loop step must be positive")
        self.env[block.args[0]] = loop.leaf
        inner = [self.leaf() for _ in op.iter_args]
        for argument, leaf in zip(block.args[1:], inner, strict=True):
            self.env[argument] = leaf
        loop.body = self.block(block)
        nexts = [self.value(v, op) for v in block.last_op.operands]
        inits = [self.value(v, op) for v in op.iter_args]
        loop.carried = list(zip(inner, inits, nexts, strict=True))
        loop.results = [self.leaf() for _ in op.results]
        for result, leaf in zip(op.results, loop.results, strict=True):
            self.env[result] = leaf
        out.append(loop)

    def _if(self, op: Any, out: list[Any]) -> None:
        cond = self.value(op.cond, op)
        branches: list[list[Any]] = []
        values: list[list[Expr]] = []
        for region in (op.true_region, op.false_region):
            branches.append(self.block(region.block) if region.blocks else [])
            values.append([self.value(v, op) for v in region.block.last_op.operands] if region.blocks else [])
        results = []
        for r, t, f in zip(op.results, *values, strict=True) if op.results else ():
            self.env[r] = leaf = self.leaf()
            results.append((leaf, t, f))
        out.append(Condition(op, cond, branches[0], branches[1], results))


def scalar_op(env: dict[SSAValue, Expr], op: Any) -> bool:
    """Evaluate an operation that is an expression into ``env``; False if it is none."""
    if op.name == "arith.constant":
        env[op.results[0]] = symbols.const(constant_value(op))
    elif op.name in ARITH and all(v in env for v in op.operands):
        a, b = (env[v] for v in op.operands)
        try:
            env[op.results[0]] = symbols.binary(ARITH[op.name], a, b)
        except SymbolError as e:
            raise error(op, str(e)) from None
    elif op.name in _IDENTITY and op.operands[0] in env:
        env[op.results[0]] = env[op.operands[0]]
    elif op.name == "ktdp.runtime_arg_extract":
        env[op.results[0]] = _extract(env, op)
    else:
        return False
    return True


def _extract(env: dict[SSAValue, Expr], op: Any) -> Expr:
    what = runtime_arg_field(op)
    if what == "value":
        return env[op.operands[0]]
    bound = runtime_arg_parameters(op.operands[0].type)[what]
    if bound is None:
        raise error(op, f"the runtime argument has no {what}")
    return symbols.const(bound)


def runtime_arg_field(op: Any) -> str:
    """``value``, ``granularity`` or ``upperbound`` of a ``ktdp.runtime_arg_extract``."""
    for attribute in {**op.properties, **op.attributes}.values():
        data = getattr(attribute, "data", None)
        text = getattr(data, "value", data)
        if text in ("value", "granularity", "upperbound"):
            return str(text)
    return "value"


def runtime_arg_parameters(t: Any) -> dict[str, int | None]:
    """Granularity and upper bound of a ``!ktdp.runtime_arg`` type (None where absent)."""
    out: dict[str, int | None] = {}
    for key in ("granularity", "upperbound"):
        value = getattr(t, key, None)
        out[key] = value.value.data if isinstance(value, IntegerAttr) else getattr(value, "data", None)
    return out
