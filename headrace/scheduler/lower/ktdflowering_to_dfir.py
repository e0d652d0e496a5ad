"""`ktdflowering-to-dfir`: one `dataflow.program_unit` per unit kind.

Precondition: the output of `ktdf-to-ktdflowering`, exactly one device. Postcondition: every function that held
`execute_on`s consists of constants, `dataflow.get_unit`s, the symbol table (`symbol.create_id` over its arguments) and
program units; no `ktdf`, `ktdf_lowering`, `ktdp`, `linalg` or memref operation is left in it.

```
execute_on %din { A -> buf }   signal %din, %rd {send}   signal %din, %rd {recv}   execute_on %rd { buf -> fifo }
=> dataflow.program_unit iter_arg : %u -> (every din) : { agen.composite_load_and_store ..  dataflow.sync_send .. }
   dataflow.program_unit iter_arg : %u -> (every rd)  : { dataflow.sync_recv ..  agen.vector_load ..  dataflow.send .. }
```

Arguments become symbols, as does every index value computed from them: one that every call passes unchanged from a
kernel argument has the kernel's symbol id, the others (the coordinator's loop variables, expressions) get ids of their
own; float scalars travel by their bits. The symbol table is evaluated at every call, so symbols may change between
calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.dialects import symbol
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler.build import walk_ops
from headrace.scheduler.device import device_of
from headrace.scheduler.lower import compute, double_buffer, exchanged, loops, matrix, ring_reduce, transfers, units
from headrace.scheduler.lower.accesses import memory_operands
from headrace.scheduler.lower.invariant_loads import hoist_invariant_loads
from headrace.scheduler.lower.loads_ahead import load_ahead
from headrace.scheduler.lower.memrefs import resolve
from headrace.scheduler.lower.program import Program, SymbolNumbers, Unit
from headrace.scheduler.lower.values import Expr, StaticValues

HANDLERS: dict[str, units.Handler] = {
    "ktdf_lowering.execute_on": units.emit_execute_on,
    "ktdf_lowering.signal": units.emit_signal,
    "scf.if": units.emit_if,
    "scf.for": loops.emit_for,
    "ktdf.parallel": loops.emit_parallel,
    "ktdf.data_transfer": transfers.emit_transfer,
    "ktdf.read_from_fifo": compute.emit_read,
    "ktdf.write_to_fifo": compute.emit_write,
    "linalg.generic": compute.emit_generic,
    "linalg.fill": compute.emit_fill,
    "memref.copy": compute.emit_copy,
    "headrace.exchange": exchanged.emit_exchange,
    "headrace.ring_reduce": ring_reduce.emit_ring_reduce,
    **matrix.HANDLERS,
}


@dataclass
class KtdfLoweringToDfirPass(Pass):
    """See the module docstring."""

    name = "ktdflowering-to-dfir"
    summary = "One program per unit kind"

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        units_to_programs(op, device_of(op))


def units_to_programs(module: ModuleOp, device: Device) -> None:
    """Run the pass on a module for a device."""
    functions = list(walk_ops(module, "func.func"))
    callers: dict[str, list[Operation]] = {}
    for call in walk_ops(module, "func.call"):
        callers.setdefault(call.properties["callee"].root_reference.data, []).append(call)  # type: ignore[attr-defined]
    bodies = [f for f in functions if f.regions[0].blocks]
    kernels = [f for f in bodies if _name(f) not in callers]
    numbers = SymbolNumbers(sum(len(f.regions[0].block.args) for f in kernels))
    positions: dict[SSAValue, int] = {}
    for kernel in kernels:
        for arg in kernel.regions[0].block.args:
            positions[arg] = len(positions)
    programs = [f for f in bodies if next(walk_ops(f, "ktdf_lowering.execute_on"), None) is not None]
    for kernel in kernels:
        if kernel not in programs:
            _declare_kernel_inputs(kernel, positions)
    for func in programs:
        inputs, ids = _inputs(func, callers.get(_name(func), []), positions)
        _lower(func, Program(func, device, inputs, ids, numbers))


def _name(func: Operation) -> str:
    name = func.properties["sym_name"]
    assert isinstance(name, StringAttr)
    return name.data


def _declare_kernel_inputs(kernel: Operation, positions: dict[SSAValue, int]) -> None:
    block = kernel.regions[0].block
    new = [symbol.CreateIdOp(a, -(positions[a] + 1)) for a in block.args if isinstance(a.type, IndexType)]
    for op in new:
        copy_loc(kernel, op)
    if new:
        Rewriter.insert_op(new, InsertPoint.at_start(block))


def _inputs(
    func: Operation, calls: list[Operation], positions: dict[SSAValue, int]
) -> tuple[dict[SSAValue, Expr], dict[int, int]]:
    """Expressions of a program's arguments, and the kernel symbols of those that every call passes unchanged."""
    args = func.regions[0].block.args
    inputs: dict[SSAValue, Expr] = {arg: ("arg", number) for number, arg in enumerate(args)}
    if not calls:
        return inputs, {number: -(positions[arg] + 1) for number, arg in enumerate(args)}
    ids: dict[int, int] = {}
    static = StaticValues({v: ("arg", n) for v, n in positions.items()})
    for number, arg in enumerate(args):
        found = {
            ("arg", positions[v]) if v in positions else static.expr(v) for v in (c.operands[number] for c in calls)
        }
        expr = next(iter(found)) if len(found) == 1 else None
        if expr is not None and expr[0] == "arg":
            ids[number] = -(expr[1] + 1)
        elif expr is not None and expr[0] == "const":
            inputs[arg] = expr
    return inputs, ids


def _lower(func: Operation, program: Program) -> None:
    entry = func.regions[0].block
    membership = program.add_units(op for op in entry.ops if op.name == "dataflow.get_unit")
    queries = _queries(entry.ops, membership)
    program.declare_inputs()
    work, order, selects = _survey(func, queries)
    for kind in order:
        unit = units.UnitProgram(program, kind, work, HANDLERS)
        unit.membership = queries
        double_buffer.find_rotations(unit, selects.get(kind, []))
        built = unit.build(entry)
        hoist_invariant_loads(built)
        load_ahead(built)
        program.programs.append(built)
    program.finish()


def _queries(ops: Iterable[Operation], membership: dict[SSAValue, Unit]) -> dict[SSAValue, Unit]:
    """What the operands of `execute_on` and `signal` denote: a unit (its core does not count), by query result."""
    result = dict(membership)
    for op in ops:
        if op.name == "uniform.query_map":
            mapping = op.operands[0].owner
            if isinstance(mapping, Operation) and mapping.name == "uniform.def_immutable_mapping":
                values = mapping.operands[len(mapping.operands) // 2 :]
                if values and values[0] in membership:
                    result[op.results[0]] = membership[values[0]]
    return result


def _survey(
    func: Operation, queries: dict[SSAValue, Unit]
) -> tuple[dict[Operation, set[str]], list[str], dict[str, list[Operation]]]:
    """Kinds with work below each operation, the kinds in program order, and the rotating buffers each one uses."""
    work: dict[Operation, set[str]] = {}
    order: dict[str, None] = {}
    selects: dict[str, list[Operation]] = {}

    def mark(op: Operation, kind: str) -> None:
        node: Operation | None = op
        while node is not None and node is not func:
            kinds = work.setdefault(node, set())
            if kind in kinds and node is not op:
                break
            kinds.add(kind)
            node = node.parent_op()

    for op in walk_ops(func, "ktdf_lowering.execute_on", "ktdf_lowering.signal"):
        for v in op.operands:
            if v not in queries:
                where = "ktdf_lowering.execute_on" if op.name.endswith("execute_on") else "ktdf_lowering.signal"
                raise error(op, f"ktdflowering-to-dfir: could not resolve component type for unit operand of {where}")
        if op.name == "ktdf_lowering.signal":
            if len(op.operands) < 2:
                raise error(op, "signal operation must have at least 2 unit operands")
            for missing in ("headrace.role", "headrace.senders", "headrace.signal"):
                if missing not in op.attributes:
                    raise error(op, f"signal operation without '{missing}' (made by ktdf-to-ktdflowering)")
            senders = op.attributes["headrace.senders"].value.data  # type: ignore[attr-defined]
            sending = op.attributes["headrace.role"].data == "send"  # type: ignore[attr-defined]
            mark(op, queries[op.operands[0] if sending else op.operands[senders]].kind)
            continue
        if next(walk_ops(op, "ktdf_lowering.execute_on"), None) is not None:
            continue
        for kind in dict.fromkeys(queries[v].kind for v in op.operands):
            order.setdefault(kind)
            mark(op, kind)
            for inner in walk_ops(op):
                if not inner.regions or inner.name.startswith("linalg."):
                    mark(inner, kind)
                for memref, _, _ in memory_operands(inner):
                    select = resolve(memref)
                    if select.name == "ktdf.select_memref" and select not in selects.setdefault(kind, []):
                        selects[kind].append(select)
    return work, list(order), selects
