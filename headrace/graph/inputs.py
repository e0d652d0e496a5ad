"""Graph programs as given: functions become `util.func`, calls are replaced by the bodies of the callees.

Precondition: functions over tensors, `func.func` or `util.func`. Postcondition: `util.func` functions of one block,
without calls of functions that have a body.

```
func.func private @g(%a: tensor<4xf32>) -> ..             util.func public @f(%x: tensor<4xf32>) -> .. {
func.func @f(%x: tensor<4xf32>) -> .. {             ->      (the body of @g with %x)
  %y = func.call @g(%x) .. }                              }
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr, UnrankedTensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from headrace.ir.diagnostics import did_you_mean, error, op_error
from headrace.ir.dialects.util import FuncOp, ReturnOp
from headrace.ir.passes import Pass

_CALLS = ("util.call", "func.call")


def functions_of(module: ModuleOp) -> dict[str, Any]:
    """The host functions of a module by name."""
    return {
        op.sym_name.data: op  # pyright: ignore[reportAttributeAccessIssue]
        for op in module.body.block.ops
        if op.name in ("util.func", "func.func")
    }


def is_public(function: Any) -> bool:
    """Whether a function is visible from outside."""
    visibility = function.sym_visibility
    return visibility is None or visibility.data == "public"


def normalize(module: ModuleOp) -> None:
    """`func.func` to `util.func`, `func.return` to `util.return`, in place.

    ```
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { ... return %y : tensor<4xf32> }
    util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> { ... util.return %y : tensor<4xf32> }
    ```
    """
    for op in list(module.body.block.ops):
        if op.name != "func.func":
            continue
        function: Any = op
        body: Region = function.body
        for block in body.blocks:
            last = block.last_op
            if last is not None and last.name == "func.return":
                made = ReturnOp.create(operands=list(last.operands))
                made.location = last.location
                block.insert_op_before(made, last)
                last.detach()
                last.erase()
        properties: dict[str, Attribute] = {
            "sym_name": function.sym_name,
            "function_type": function.function_type,
            "sym_visibility": function.sym_visibility or StringAttr("public"),
        }
        for key in ("arg_attrs", "res_attrs"):
            if isinstance(op.properties.get(key), ArrayAttr):
                properties[key] = op.properties[key]
        made = FuncOp.create(
            properties=properties, attributes=dict(op.attributes), regions=[op.detach_region(body)]
        )
        made.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(made, op)
        op.detach()
        op.erase()


def inline_calls(module: ModuleOp) -> None:
    """Replace calls of functions with a body by that body, in place; private functions that nobody calls any more go.

    Raises a located error for recursion and for functions with several blocks.
    """
    functions = functions_of(module)
    done: set[str] = set()

    def visit(name: str, stack: tuple[str, ...]) -> None:
        if name in done:
            return
        for call in [op for op in functions[name].body.walk() if op.name in _CALLS]:
            callee = call.callee.string_value()
            target = functions.get(callee)
            if target is None:
                raise op_error(call, f"'{callee}' does not reference a function of this module")
            if not target.body.blocks:
                continue
            if callee == name or callee in stack:
                raise op_error(call, f"recursive call of '{callee}': graphs are scheduled with all calls inlined")
            if len(target.body.blocks) > 1:
                raise op_error(call, f"'{callee}' has several blocks; use structured control flow (scf)")
            visit(callee, (*stack, name))
            _inline(call, target)
        done.add(name)

    for name in functions:
        visit(name, ())
    used = {op.callee.string_value() for op in module.walk() if op.name in _CALLS}  # pyright: ignore
    if any(is_public(f) and f.body.blocks for f in functions.values()):
        for name, function in functions.items():
            if name not in used and not is_public(function):
                function.detach()
                function.erase()


def _inline(call: Operation, target: Any) -> None:
    block: Block = target.body.blocks[0]
    mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, call.operands, strict=True))
    parent = call.parent
    assert parent is not None
    results: list[SSAValue] = []
    for op in block.ops:
        if op is block.last_op:
            results = [mapping.get(v, v) for v in op.operands]
            break
        copy = op.clone(mapping)
        for original, copied in zip(op.walk(), copy.walk(), strict=True):
            copied.location = original.location
        parent.insert_op_before(copy, call)
    for old, new in zip(call.results, results, strict=True):
        old.replace_all_uses_with(new)
    call.detach()
    call.erase()


def check_supported(module: ModuleOp) -> None:
    """Raise located errors for forms that graphs may not have."""
    for function in functions_of(module).values():
        if len(function.body.blocks) > 1:
            raise error(function, "a function of a graph has one block; use structured control flow (scf)")
        for kind in (*function.function_type.inputs.data, *function.function_type.outputs.data):
            if isinstance(kind, UnrankedTensorType):
                raise error(function, f"{kind}: the tensors of a graph have a rank")
    globals_ = {
        op.sym_name.data  # pyright: ignore[reportAttributeAccessIssue]
        for op in module.body.block.ops
        if op.name == "util.global"
    }
    for op in module.walk():
        if op.name in ("util.global.load", "util.global.store"):
            name = op.global_.string_value()  # pyright: ignore[reportAttributeAccessIssue]
            if name not in globals_:
                raise op_error(op, f"'{name}' does not reference a global{did_you_mean(name, globals_)}")


def argument_attributes(function: Any, results: bool = False) -> list[dict[str, Attribute]]:
    """The attributes of each argument (or result) of a function."""
    kinds: FunctionType = function.function_type
    count = len(kinds.outputs.data if results else kinds.inputs.data)
    value = function.properties.get("res_attrs" if results else "arg_attrs")
    if not isinstance(value, ArrayAttr):
        return [{} for _ in range(count)]
    return [dict(item.data) if isinstance(item, DictionaryAttr) else {} for item in value.data]


def prepare(module: ModuleOp) -> ModuleOp:
    """Normalise, inline and check, in place."""
    normalize(module)
    inline_calls(module)
    check_supported(module)
    return module

@dataclass
class Prepare(Pass):
    """Normalise functions, inline calls, check that a graph can be scheduled."""

    name = "prepare"
    summary = "Normalise functions, inline calls, check that a graph can be scheduled"

    def apply(self, op: Any, ctx: Context) -> None:
        prepare(op)
