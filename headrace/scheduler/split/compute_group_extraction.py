"""compute-group-extraction: cut a kernel into programs and a coordinator.

Precondition: legal KTIR, functions directly in the top module.
Postcondition: the top module holds an unnamed coordinator module (the kernel's control flow with one `func.call` per
program), the device
declaration, and one module per program, `@local_schedule_N`, with a public function of the same name.

A group is the stores of one block that share loads or computation, have one shape, do not read what they wrote and do
not need different products.
Control flow goes to the
coordinator, except: a condition on the tile id, which predicates units and therefore moves into the program; and loops
around a single group
whose iterations are independent, which become outer dimensions of the program's iteration space.

    scf.for %i { %x = ktdp.load A[%i]; ktdp.store f(%x), T[%i]     scf.for %i { func.call @local_schedule_0(%A, %T, %i)
                 %y = ktdp.load T[%i]; ktdp.store g(%y), B[%i] }                func.call @local_schedule_1(%T, %B, %i) }
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.construct import copy_op
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler.build import Emitter, clone_slice, erase_dead, outer_operands, walk_ops
from headrace.scheduler.linear import linear
from headrace.scheduler.split.carried import take_inductions_out
from headrace.scheduler.split.exchange_program import exchanges_of, extract_exchange
from headrace.scheduler.split.groups import Group, Uniformity, find_groups, plan_control
from headrace.scheduler.split.hazards import check_order
from headrace.scheduler.split.programs import call_program, open_program


@dataclass
class ComputeGroupExtraction(Pass):
    """Cut every kernel of the module into load-compute-store programs and a coordinator."""

    name = "compute-group-extraction"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        kernels = [op for op in module.body.block.ops if isinstance(op, func.FuncOp) and op.body.blocks]
        for kernel in kernels:
            take_inductions_out(kernel)
        plans = [(k, find_groups(k)) for k in kernels]
        if not any(groups or exchanges_of(k) for k, groups in plans):
            return
        coordinator = ModuleOp([])
        copy_loc(kernels[0], coordinator)
        for op in list(module.body.block.ops):
            if op.name != "ktdf_arch.device":
                op.detach()
                coordinator.body.block.add_op(op)
        module.body.block.insert_op_before(coordinator, first) if (first := module.body.block.first_op) else (
            module.body.block.add_op(coordinator)
        )
        number = 0
        for kernel, groups in plans:
            uniform = Uniformity()
            check_order(kernel, groups, self.name)
            plan_control(kernel, groups, uniform)
            for group in groups:
                extract(kernel, group, f"local_schedule_{number}", module, coordinator, uniform)
                number += 1
            for exchange in exchanges_of(kernel):
                extract_exchange(kernel, exchange, f"local_schedule_{number}", module, coordinator)
                number += 1
            clean_coordinator(kernel, uniform)


def extract(
    kernel: func.FuncOp, group: Group, name: str, module: ModuleOp, coordinator: ModuleOp, uniform: Uniformity
) -> None:
    """Move one group into a program of its own and leave a call in its place."""
    anchor: Operation = group.sunk[0] if group.sunk else group.stores[-1]
    program, arguments = group_program(kernel, group, name, uniform, {})
    call_program(program, arguments, anchor, group.stores[0], module, coordinator)
    if group.sunk:
        anchor.detach()
        anchor.erase(safe_erase=False)
    else:
        for store in group.stores:
            store.detach()
            store.erase()


def group_program(
    kernel: func.FuncOp, group: Group, name: str, uniform: Uniformity, mapping: dict[SSAValue, SSAValue]
) -> tuple[func.FuncOp, list[SSAValue]]:
    """The program that a group becomes, and the values that it is called with; `mapping` gets what each value of the
    kernel is in it."""
    arguments = program_arguments(group, uniform)
    program, emit, given = open_program(kernel, name, arguments, group.stores[0])
    mapping.update(given)
    for outer in arguments:
        loop = shifted_loop(outer, uniform)
        if loop is not None:
            counter = mapping.pop(outer)
            clone_slice([loop.lb], mapping, emit)
            mapping[outer] = emit.value(emit.add(mapping[loop.lb], emit.mul(counter, linear(loop.step).const)))
    build_body(group, emit, mapping)
    return program, arguments


def build_body(group: Group, emit: Emitter, mapping: dict[SSAValue, SSAValue]) -> None:
    """Clone guards, sunk control flow and the group's operations into the program."""
    for cond, negated in group.guards:
        clone_slice([cond], mapping, emit)
        emit = open_if(emit, mapping[cond], negated)
    inner_blocks = [*(op.parent for op in group.sunk[1:]), group.block] if group.sunk else []
    for op, block in zip(group.sunk, inner_blocks, strict=True):
        if isinstance(op, scf.IfOp):
            clone_slice([op.cond], mapping, emit)
            emit = open_if(emit, mapping[op.cond], block is not op.true_region.blocks.first)
        else:
            assert isinstance(op, scf.ForOp)
            clone_slice([op.lb, op.ub, op.step], mapping, emit)
            old_iv = op.body.block.args[0]
            body = Block([scf.YieldOp()], arg_types=[old_iv.type])
            loop = scf.ForOp(mapping[op.lb], mapping[op.ub], mapping[op.step], [], Region(body))
            loop.attributes.update(op.attributes)
            body.args[0].name_hint = old_iv.name_hint
            mapping[old_iv] = body.args[0]
            emit.insert(loop)
            copy_loc(op, loop)
            emit = emit.inside(loop)
    for op in [*group.slice, *group.stores]:
        if op.results and all(r in mapping for r in op.results):
            continue
        clone_slice(outer_operands(op), mapping, emit)
        if not (op.results and op.results[0] in mapping):
            new = copy_op(op, mapping)
            Rewriter.insert_op(new, emit.point)


def open_if(emit: Emitter, cond: SSAValue, negated: bool) -> Emitter:
    """An `scf.if` at `emit` whose then (else, if negated) branch is the new insertion point."""
    branch = Region(Block([scf.YieldOp()]))
    regions = [Region(Block([scf.YieldOp()])), branch] if negated else [branch]
    op = emit.insert(scf.IfOp(cond, [], *regions))  # pyright: ignore[reportArgumentType]
    return Emitter.at_end((op.false_region if negated else op.true_region).block, emit.origin)


def shifted_loop(value: SSAValue, uniform: Uniformity) -> scf.ForOp | None:
    """The coordinator loop whose variable `value` is, if that loop starts at a tile-dependent value (it then counts
    from 0)."""
    parent = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    return parent if isinstance(parent, scf.ForOp) and uniform.varies(parent.lb) else None


def program_arguments(group: Group, uniform: Uniformity) -> list[SSAValue]:
    """Kernel arguments and coordinator loop variables that the program uses, in first-reached order."""
    inside = set(group.sunk)
    found: dict[SSAValue, None] = {}
    seen: set[SSAValue] = set()

    def visit(value: SSAValue) -> None:
        if value in seen:
            return
        seen.add(value)
        if isinstance(value, BlockArgument):
            if value.owner.parent_op() not in inside:
                loop = shifted_loop(value, uniform)
                if loop is not None:
                    visit(loop.lb)
                found.setdefault(value)
        else:
            for v in outer_operands(value.owner):  # pyright: ignore[reportArgumentType]
                visit(v)

    for cond, _ in group.guards:
        visit(cond)
    for op in group.sunk:
        for v in op.operands:
            visit(v)
    for op in [*group.slice, *group.stores]:
        for v in outer_operands(op):
            visit(v)
    return list(found)


def clean_coordinator(kernel: func.FuncOp, uniform: Uniformity) -> None:
    """Drop what only the programs needed: loads, address arithmetic, tile-dependent conditions; make loops uniform."""
    for op in list(walk_ops(kernel, "scf.if", "scf.for")):
        if isinstance(op, scf.IfOp) and uniform.varies(op.cond):
            for region in op.regions:
                for inner in list(region.block.ops) if region.blocks else []:
                    if inner.name != "scf.yield":
                        inner.detach()
                        Rewriter.insert_op(inner, InsertPoint.before(op))
            op.detach()
            op.erase()
        elif isinstance(op, scf.ForOp) and uniform.varies(op.lb):
            emit = Emitter.before(op)
            trip = (linear(op.ub) - linear(op.lb)).emit(emit)
            step = linear(op.step).const
            op.operands[0] = emit.value(0)
            op.operands[1] = emit.value(emit.ceildiv(trip, step))
            op.operands[2] = emit.value(1)
    erase_dead(kernel.body, lambda op: op.name not in ("func.call", "scf.for", "scf.if"))
    _drop_empty_control(kernel)
    erase_dead(kernel.body, lambda op: op.name not in ("func.call", "scf.for", "scf.if"))


def _drop_empty_control(kernel: func.FuncOp) -> None:
    for op in reversed(list(walk_ops(kernel, "scf.if", "scf.for"))):
        if not any(inner.name == "func.call" for inner in op.walk()) and not any(r.uses for r in op.results):
            op.detach()
            op.erase()
