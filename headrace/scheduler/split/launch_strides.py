"""Strides of views are numbers: constants are written into the view, and where a stride is an argument of a launch, a
value given when compiling becomes part of the program.

An address is a sum of coordinates times strides, and units compute sums of loop variables times constants. A view
whose strides come from arguments is therefore compiled for one value of them, everywhere; the artefact names it, and a
launch with another value is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineSetAttr, IndexType, IntegerAttr, IntegerType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects import ktdp
from headrace.ir.location import copy_loc
from headrace.scheduler.access import mixed
from headrace.scheduler.split.static import NotStatic, Static, sources_of


def open_stride(view: Operation, stride: SSAValue, name: str) -> HeadraceError:
    """The error of pass `name` about a stride without a value, which names the arguments that would give it one."""
    names = sorted({hint for v in sources_of(stride) or () if (hint := _argument(v).name_hint)})
    how = f"; give {' '.join(f'--arg {n}=VALUE' for n in names)} to compile for one value" if names else ""
    return error(view, f"a stride that is only known at launch is not supported by {name}{how}")


def fix_strides(kernel: FuncOp, names: Sequence[str], given: Mapping[str, Any]) -> dict[str, int]:
    """Replace the arguments that strides of views are made of, where `given` has all that a stride needs, by constants;
    strides made of constants become static.

    `names`: of all arguments, in order. Returns the arguments used, with their values.
    """
    arguments = kernel.body.block.args
    of = dict(zip(arguments, names, strict=True))
    known = {a for a, n in of.items() if isinstance(given.get(n), int)}
    sources: dict[SSAValue, None] = {}
    for op in kernel.walk():
        if op.name == "ktdp.construct_memory_view":
            for stride in op.strides:  # type: ignore[attr-defined]
                found = sources_of(stride) or set()
                if all(_argument(v) in known for v in found):
                    sources |= dict.fromkeys(found)
    used = {_argument(v) for v in sources}
    for argument in (a for a in arguments if a in used):
        values = [argument, *(use.operation.results[0] for use in argument.uses if use.operation.results)]
        for v in values:
            if sources_of(v) != {v} or not isinstance(v.type, IndexType | IntegerType):
                continue
            op = arith.ConstantOp(IntegerAttr(given[of[argument]], v.type))
            copy_loc(kernel, op)
            kernel.body.block.insert_op_before(op, kernel.body.block.first_op)  # type: ignore[arg-type]
            v.replace_all_uses_with(op.result)
    static = Static(kernel)
    for op in list(kernel.walk()):
        if isinstance(op, ktdp.ConstructMemoryViewOp) and op.strides:
            _make_static(op, static)
    return {of[a]: given[of[a]] for a in arguments if a in used}


def _make_static(view: ktdp.ConstructMemoryViewOp, static: Static) -> None:
    """Write strides that are computed from constants into a view."""
    sizes = mixed(view.static_sizes.get_values(), list(view.sizes))  # type: ignore[arg-type]
    strides = mixed(view.static_strides.get_values(), list(view.strides))  # type: ignore[arg-type]
    found = [_number(s, static) for s in strides]
    if found == strides:
        return
    covered = view.properties.get("coordinate_set")
    assert covered is None or isinstance(covered, AffineSetAttr)
    new = ktdp.ConstructMemoryViewOp(view.offset, sizes, found, covered, view.memory_space, view.result.type)
    new.attributes.update(view.attributes)
    new.result.name_hint = view.result.name_hint
    copy_loc(view, new)
    Rewriter.replace_op(view, new)


def _number(stride: int | SSAValue, static: Static) -> int | SSAValue:
    if not isinstance(stride, SSAValue) or sources_of(stride) != set():
        return stride
    try:
        return static.value(stride, 0, {})
    except NotStatic:  # a division by zero
        return stride


def _argument(v: SSAValue) -> SSAValue:
    """The argument that a source is, or is the value of."""
    return v if isinstance(v.owner, Block) else v.owner.operands[0]
