"""`wrap-program-dfir`: give every program two levels, its symbol table and its body.

Precondition: named modules whose function of the same name holds program units.
Postcondition: the table stays in the named function, the units are in a function `<name>_body` of an inner module.

```
module @p { func.func @p(%a: index, %k: index) { create_id ..; program units } }
=> module @p {
     func.func private @p_body()
     func.func @p(%a: index, %k: index) { create_id ..;  call @p_body();  return }
     module { func.func @p_body() { program units } }
   }
```

The lowering leaves no use of an argument outside the symbol table, so the body has none. Arguments that a body written
by hand reads directly are passed on, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from headrace.ir.diagnostics import error
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.scheduler.build import walk_ops


@dataclass
class WrapProgramDfirPass(Pass):
    """See the module docstring."""

    name = "wrap-program-dfir"
    summary = "Give every program two levels: symbol table and body"

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        wrap_programs(op)


def wrap_programs(module: ModuleOp) -> None:
    """Run the pass on a module."""
    for child in list(module.body.block.ops):
        if isinstance(child, ModuleOp) and child.sym_name is not None:
            nested = any(isinstance(op, ModuleOp) for op in child.body.block.ops)
            if not nested and next(walk_ops(child, "dataflow.program_unit"), None) is not None:
                _wrap(child, child.sym_name.data)


def _wrap(module: ModuleOp, name: str) -> None:
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    program = functions.get(name)
    if program is None or not program.body.blocks:
        raise error(module, f"wrap-program-dfir: program '{name}' holds no function of its own name to compile from")
    body_name = f"{name}_body"
    if body_name in functions:
        raise error(
            functions[body_name],
            f"wrap-program-dfir: '{name}' already holds a '{body_name}', so the body cannot take that name",
        )
    block = program.body.block
    table = _symbol_ops(program)
    outer_block = Block(arg_types=[a.type for a in block.args])
    mapping: dict[SSAValue, SSAValue] = {}
    for old, new in zip(block.args, outer_block.args, strict=True):
        new.name_hint = old.name_hint
        mapping[old] = new
    inside = set(map(id, table))
    for op in table:
        new = op
        if any(id(use.operation) not in inside for r in op.results for use in r.uses):  # the body uses it too
            new = op.clone()
            new.location = op.location
            for old, copy in zip(op.results, new.results, strict=True):
                copy.name_hint = old.name_hint
                mapping[old] = copy
        else:
            op.detach()
        if not mapping.keys().isdisjoint(new.operands):
            new.operands = [mapping.get(v, v) for v in new.operands]
        outer_block.add_op(new)
    kept = [a for a in block.args if a.uses]
    call = func.CallOp(body_name, [mapping[a] for a in kept], [])
    terminator = func.ReturnOp()
    for op in (call, terminator):
        copy_loc(program, op)
        outer_block.add_op(op)
    for arg in [a for a in block.args if not a.uses]:
        block.erase_arg(arg)
    body_type = FunctionType.from_lists([a.type for a in block.args], [])
    declaration = func.FuncOp(body_name, body_type, Region(), StringAttr("private"))
    outer = func.FuncOp(name, program.function_type, Region(outer_block))
    program.sym_name = StringAttr(body_name)
    program.function_type = body_type
    program.properties.pop("sym_visibility", None)
    for attribute in ("arg_attrs", "res_attrs"):
        program.properties.pop(attribute, None)
    copy_loc(program, declaration)
    copy_loc(program, outer)
    inner_ops = list(module.body.block.ops)
    for op in inner_ops:
        op.detach()
    inner = ModuleOp(inner_ops)
    copy_loc(module, inner)
    for op in (declaration, outer, inner):
        module.body.block.add_op(op)


def _symbol_ops(program: func.FuncOp) -> list[Operation]:
    """The `create_id`s of the entry block and what computes their operands, in order."""
    block = program.body.block
    needed: set[int] = set()
    for op in walk_ops(program, "symbol.create_id"):
        if op.parent is not block:
            raise error(
                op,
                "wrap-program-dfir: a symbol is declared outside the program's entry block, "
                "so it cannot be moved to its table",
            )
        work = [op]
        while work:
            current = work.pop()
            if id(current) in needed:
                continue
            needed.add(id(current))
            for v in current.operands:
                if isinstance(v, BlockArgument):
                    if v.owner is not block:
                        raise error(
                            op,
                            "wrap-program-dfir: a symbol is said over a value that exists only inside the body, "
                            "so it cannot be moved to its table",
                        )
                else:
                    assert isinstance(v.owner, Operation)
                    work.append(v.owner)
    return [op for op in block.ops if id(op) in needed]
