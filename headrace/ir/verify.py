"""The verifier: every invariant of every operation, reported at the operation in the user's file, or at its operand."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, VerificationContext
from xdsl.irdl.operations import VarIRConstruct, verify_variadic_size
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from headrace.ir.diagnostics import Diagnostic, HeadraceError, make
from headrace.ir.guard import MALFORMED
from headrace.ir.invariants import attribute_problem, explain, redefinitions
from headrace.ir.location import operand_loc
from headrace.ir.upstream import OWN_PROPERTIES, lookup

_LIMIT = 20
_OPERAND = re.compile(r"operand #(\d+)\b")


def _check(op: Operation) -> str | None:
    """The problem of one operation, without its regions."""
    block = op.parent
    region = None if block is None else block.parent
    if op.successors and (block is None or block.last_op is not op):
        return "must be the last operation in the parent block"
    for successor in op.successors:
        if successor.parent is not region:
            return "branches to a block of a different region"
    try:
        check = lookup(type(op)).verify
        if check is not None:
            if isinstance(op, IRDLOperation):
                _check_shape(op)
            check(op)
        else:
            op.verify_()
    except MALFORMED as problem:
        return explain(op, problem)
    except Exception as problem:
        if type(problem) is not Exception:
            raise
        return explain(op, problem)
    return attribute_problem(op) if op.attributes else None


class _Unended:
    """A block whose last operation is no terminator; it is an error unless something inside was one."""

    def __init__(self, last: Operation, errors: int) -> None:
        self.last, self.errors = last, errors

    def problem(self) -> str | None:
        """What is wrong with the end of the block."""
        block = self.last.parent
        region = block.parent if block is not None else None
        if region is None:
            return None
        if region.blocks.first is not region.blocks.last:
            return "terminates a block but is not a terminator"
        parent = region.parent
        if parent is None or parent.has_trait(NoTerminator):
            return None
        return f"terminates the block of '{parent.name}' but is not a terminator"


def _check_shape(op: IRDLOperation) -> None:
    """What the text forms rely on: segments that cover the operands and results, and kinds of properties."""
    definition = op.get_irdl_definition()
    if definition.options:
        for construct in VarIRConstruct:
            verify_variadic_size(op, definition, construct)
    if type(op) in OWN_PROPERTIES:
        return
    context = VerificationContext()
    for name, item in definition.properties.items():
        if (value := op.properties.get(name)) is not None:
            try:
                item.constr.verify(value, context)
            except VerifyException as problem:
                raise VerifyException(f"property '{name}': {problem}") from None


def verify(top: Operation, limit: int = _LIMIT) -> None:
    """Check `top` and everything inside; raise `HeadraceError` with up to `limit` errors.

    An operation that fails is not entered, its siblings still are. In regions with one block the definition of a value
    must come before its uses (modules and unregistered operations may be graphs, free of this rule).
    """
    found: list[Diagnostic] = []
    defined: set[SSAValue] = set()
    work: list[Operation | Block | Region | _Unended] = [top]
    order: dict[Region, dict[Block, set[Block]]] = {}
    while work:
        item = work.pop()
        if isinstance(item, Region):  # All of it has been checked; what follows sees none of its values.
            for inner in item.blocks:
                defined.difference_update(inner.args)
                for op in inner.ops:
                    defined.difference_update(op.results)
            continue
        if isinstance(item, _Unended):
            if item.errors == len(found) and (told := item.problem()) is not None:
                found.append(make("error", item.last, f"'{item.last.name}' op {told}"))
            continue
        if isinstance(item, Block):
            defined.update(item.args)
            if item.first_op is None:
                region = item.parent
                parent = region.parent if region is not None else None
                if parent is not None and not (len(region.blocks) == 1 and parent.has_trait(NoTerminator)):  # pyright: ignore
                    found.append(make("error", parent, f"'{parent.name}' op empty block: expect at least a terminator"))
            if item.last_op is not None and not item.last_op.has_trait(IsTerminator):
                work.append(_Unended(item.last_op, len(found)))
            work.extend(reversed(list(item.ops)))
            continue
        problem = _check(item)
        block = item.parent
        if problem is None and block is not None and not _is_graph(block):
            for index, operand in enumerate(item.operands):
                if operand in defined and _one_block(operand):
                    continue
                if _undominated(operand, item, order):
                    message = f"operand #{index} does not dominate this use"
                    found.append(make("error", operand_loc(item, index), message, [(operand, "operand defined here")]))
                    break
        if problem is not None:
            named = _OPERAND.match(problem)
            place = operand_loc(item, int(named.group(1))) if named else item
            found.append(make("error", place, f"'{item.name}' op {problem}"))
            if len(found) >= limit:
                break
        defined.update(item.results)
        if item.successors and block is not None and (region := block.parent) is not None:
            if region.first_block in item.successors and region.parent is not None:
                found.append(make("error", region.parent, "entry block of region may not have predecessors"))
        if problem is None:
            if item.regions and item.has_trait(SymbolTable):
                found += redefinitions(item)
            for region in reversed(item.regions):
                work.append(region)
                work.extend(reversed(list(region.blocks)))
    if found:
        raise HeadraceError(found)


def _one_block(value: SSAValue) -> bool:
    """Whether the region that defines the value has no other block."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    return block is None or block.parent is None or block.parent.blocks.first is block.parent.blocks.last


def _undominated(value: SSAValue, use: Operation, order: dict[Region, dict[Block, set[Block]]]) -> bool:
    """Whether the use can be reached without the definition of the value."""
    owner = value.owner
    home = owner if isinstance(owner, Block) else owner.parent
    if home is None:
        return False
    inside = use
    while inside.parent is not home and (home.parent is None or inside.parent_region() is not home.parent):
        above = inside.parent_op()
        if above is None:  # What defines the value may be outside of what is checked.
            return home.get_toplevel_object() is inside.get_toplevel_object()
        inside = above
    if inside.parent is home:
        later = isinstance(owner, Operation) and (owner is inside or inside.is_before_in_block(owner))
        return later and not _is_graph(home)
    region = home.parent
    if region is None or inside.parent is None:
        return False
    if region not in order:
        order[region] = _dominators(region)
    return home not in order[region].get(inside.parent, {home})


def _dominators(region: Region) -> dict[Block, set[Block]]:
    """For each block that can be reached: the blocks on every way to it."""
    blocks = list(region.blocks)
    before: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in blocks:
        for successor in block.last_op.successors if block.last_op is not None else ():
            before.get(successor, []).append(block)
    reached: set[Block] = set()
    pending = [blocks[0]]
    while pending:
        block = pending.pop()
        if block not in reached:
            reached.add(block)
            pending.extend(block.last_op.successors if block.last_op is not None else ())
    found = {block: {blocks[0]} if block is blocks[0] else set(reached) for block in blocks if block in reached}
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            if block not in reached:
                continue
            sets = [found[other] for other in before[block] if other in reached]
            new = set.intersection(*sets) | {block} if sets else {block}
            if new != found[block]:
                found[block], changed = new, True
    return found


def _is_graph(block: Block) -> bool:
    parent = block.parent_op()
    return isinstance(parent, ModuleOp | UnregisteredOp) or bool(getattr(type(parent), "graph_region", False))
