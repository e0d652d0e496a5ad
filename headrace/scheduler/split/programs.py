"""Programs of their own: made empty, and called from the coordinator."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.location import copy_loc
from headrace.scheduler.build import Emitter
from headrace.scheduler.shared import APART


def open_program(
    kernel: func.FuncOp, name: str, arguments: Sequence[SSAValue], origin: Operation
) -> tuple[func.FuncOp, Emitter, dict[SSAValue, SSAValue]]:
    """An empty program over `arguments`: the function, where its body goes, and what it calls the arguments."""
    entry = Block(arg_types=[v.type for v in arguments])
    for arg, outer in zip(entry.args, arguments, strict=True):
        arg.name_hint = outer.name_hint
    program = func.FuncOp(name, FunctionType.from_lists([v.type for v in arguments], []), Region(entry))
    for name in ("grid", APART):
        if name in kernel.attributes:
            program.attributes[name] = kernel.attributes[name]
    copy_loc(kernel, program)
    ret = func.ReturnOp()
    entry.add_op(ret)
    return program, Emitter(InsertPoint.before(ret), origin), dict(zip(arguments, entry.args, strict=True))


def call_program(
    program: func.FuncOp, arguments: Sequence[SSAValue], before: Operation, origin: Operation,
    module: ModuleOp, coordinator: ModuleOp,
) -> None:  # fmt: skip
    """Put a program into a module of its own inside `module`, declare it in the coordinator and call it."""
    name = program.sym_name.data
    home = ModuleOp([program], sym_name=StringAttr(name))
    copy_loc(program, home)
    module.body.block.add_op(home)
    declaration = func.FuncOp.external(name, [v.type for v in arguments], [])
    copy_loc(program, declaration)
    coordinator.body.block.add_op(declaration)
    call = func.CallOp(name, list(arguments), [])
    copy_loc(origin, call)
    Rewriter.insert_op(call, InsertPoint.before(before))
