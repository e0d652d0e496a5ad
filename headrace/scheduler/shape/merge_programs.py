"""merge-programs: the programs of a chain of products become one, so that they overlap.

A program begins when the one before it has ended on all cores. Programs that hand tensors on through the scratchpad
need no such barrier: in one program, signals between the units order them buffer by buffer, and units that have nothing
to do with a buffer run ahead (the next block of keys is fetched while the softmax of this one runs).

Precondition: schedules in their last form, but for addresses. Postcondition: a kernel marked `headrace.chained` calls
one program, which holds the coordinator's loops and conditions and the pipelines of the former programs, where

- no program touches main memory that another one, or another iteration of the same one, writes;
- their buffers fit the scratchpad together.

    scf.for %j { call @scores(%q, %k, %j) ; call @softmax() ; call @values(%v, %j) }
    ->  call @scores(%q, %k, %v)        func @scores { scf.for %j { pipelines of all three } }
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.construct import copy_op
from headrace.ir.dialects import ktdp
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of
from headrace.scheduler.access import is_argument
from headrace.scheduler.build import INDEX, Emitter, ancestors, erase_dead, walk_ops
from headrace.scheduler.device import MAPPED, attr_kind, device_of, free_ranges, owned_ranges
from headrace.scheduler.lower.accesses import memory_operands
from headrace.scheduler.lower.memrefs import candidates, resolve
from headrace.scheduler.lower.signals import MERGED
from headrace.scheduler.split.products import CHAINED

PURE = ("arith.", "memref.", "ktdp.construct_memory_view", "ktdp.get_compute_tile_id", "ktdp.runtime_arg_extract",
        "ktdf.indirect_memref")  # fmt: skip
"""What may stand in front of all loops where it depends on none of them."""
ALIGNMENT = 128


@dataclass
class MergePrograms(Pass):
    """Make one program of a chain."""

    name = "merge-programs"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        for kernel in list(walk_ops(module, "func.func")):
            if isinstance(kernel, func.FuncOp) and CHAINED in kernel.attributes:
                merge(kernel, module, device)


def merge(kernel: func.FuncOp, module: ModuleOp, device: Device) -> None:
    """Merge the programs that `kernel`, a coordinator, calls."""
    functions = {
        f.sym_name.data: f for f in walk_ops(module, "func.func") if isinstance(f, func.FuncOp) and f.body.blocks
    }
    calls = [op for op in walk_ops(kernel, "func.call") if isinstance(op, func.CallOp)]
    names = [op.callee.string_value() for op in calls]
    elsewhere = [op for op in walk_ops(module, "func.call") if op not in calls]
    if len(calls) < 2 or len(set(names)) != len(names) or elsewhere or any(n not in functions for n in names):
        return
    programs = [functions[n] for n in names]
    if any(not op.name.startswith(("arith.", "func.", "scf.", "ktdp.runtime_arg_extract")) or
           (op.name.startswith("scf.") and op.results) for op in walk_ops(kernel)):
        return
    if not independent(calls, programs, device) or not fit(programs, module, device):
        return
    merged = Merger(kernel, dict(zip(names, programs, strict=True))).run()
    home = programs[0].parent_op()
    assert isinstance(home, ModuleOp)
    programs[0].detach()
    home.body.block.add_op(merged)
    for program in programs[1:]:
        parent = program.parent_op()
        assert parent is not None
        parent.detach()
        parent.erase(safe_erase=False)
    rewrite_coordinator(kernel, merged, set(names))


def independent(calls: list[func.CallOp], programs: list[func.FuncOp], device: Device) -> bool:
    """Whether no program reads or writes main memory that another one or another call of the same one writes."""
    found: list[tuple[int, bool, frozenset[object]]] = []
    for number, (call, program) in enumerate(zip(calls, programs, strict=True)):
        arguments = dict(zip(program.body.block.args, call.operands, strict=True))
        for op in walk_ops(program):
            for accessed, write, _ in memory_operands(op):
                for view in {view_of(v) for v in candidates(accessed)}:
                    if not isinstance(view, ktdp.ConstructMemoryViewOp):
                        continue
                    if device.memory_level(device.space_to_kind(view.memory_space)) == 0:
                        outer = {arguments[v] for v in _arguments([view.offset])}
                        roots = {v for v in outer if isinstance(v, BlockArgument) and is_argument(v)}
                        found.append((number, write, frozenset(roots)))
    for a, write, roots in found:
        looped = any(op.name == "scf.for" for op in ancestors(calls[a]))
        for b, _, others in found:
            meet = roots & others or not roots or not others
            if write and meet and (a != b or (looped and not _only_writes(found, a))):
                return False
    return True


def view_of(memref: SSAValue) -> Operation:
    """The memory view or buffer that a memref is made of."""
    op = resolve(memref)
    while op.name in ("memref.reinterpret_cast", "memref.memory_space_cast", "memref.cast"):
        op = resolve(op.operands[0])
    return op


def _only_writes(found: list[tuple[int, bool, frozenset[object]]], number: int) -> bool:
    """Whether a program only writes what it writes."""
    written = [roots for n, write, roots in found if n == number and write]
    return not any(not write and n == number and roots & w for n, write, roots in found for w in written)


def _arguments(values: object) -> set[BlockArgument]:
    """Arguments of the function that values are computed from."""
    seen: set[SSAValue] = set()
    result: set[BlockArgument] = set()
    work = list(values)  # type: ignore[call-overload]
    while work:
        v = work.pop()
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v, BlockArgument):
            if isinstance(v.owner.parent_op(), func.FuncOp):
                result.add(v)
        else:
            work.extend(v.owner.operands)
    return result


def fit(programs: list[func.FuncOp], module: ModuleOp, device: Device) -> bool:
    """Whether the buffers of all programs fit their memories together."""
    owned = owned_ranges(module, device)
    sizes: dict[str, list[int]] = {}
    for program in programs:
        for op in walk_ops(program, "memref.alloc"):
            t = op.results[0].type
            assert isinstance(t, MemRefType)
            size = dtype_of(t.element_type).bytes * prod(t.get_shape())
            sizes.setdefault(attr_kind(device, t.memory_space), []).append(-(-size // ALIGNMENT) * ALIGNMENT)
    return all(
        sum(n) + 2 * ALIGNMENT <= max((b - a for a, b in free_ranges(device, kind, owned)), default=0)
        for kind, n in sizes.items()
    )


class Merger:
    """Builds the one program."""

    def __init__(self, kernel: func.FuncOp, programs: dict[str, func.FuncOp]):
        self.kernel, self.programs = kernel, programs
        first = next(iter(programs.values()))
        types = [a.type for a in kernel.body.block.args]
        self.entry = Block(arg_types=types)
        self.function = func.FuncOp(first.sym_name.data, FunctionType.from_lists(types, []), Region(self.entry))
        self.function.attributes.update({k: v for k, v in first.attributes.items() if k == "grid"})
        self.function.attributes[MAPPED] = UnitAttr()
        self.function.attributes[MERGED] = UnitAttr()
        copy_loc(first, self.function)
        self.mapping: dict[SSAValue, SSAValue] = {}
        for old, new in zip(kernel.body.block.args, self.entry.args, strict=True):
            new.name_hint = old.name_hint
            self.mapping[old] = new

    def run(self) -> func.FuncOp:
        """The merged function."""
        end = func.ReturnOp()
        copy_loc(self.kernel, end)
        self.entry.add_op(end)
        self.block(self.kernel.body.block, end)
        return self.function

    def block(self, source: Block, before: Operation) -> None:
        """Copy a block of the coordinator in front of `before`."""
        for op in source.ops:
            if op.name in ("func.return", "scf.yield"):
                continue
            if isinstance(op, func.CallOp):
                self.call(op, before)
            elif isinstance(op, scf.ForOp):
                self.loop(op, before)
            elif isinstance(op, scf.IfOp):
                self.condition(op, before)
            else:
                self.copy(op, self.mapping, before)

    def copy(self, op: Operation, mapping: dict[SSAValue, SSAValue], before: Operation) -> None:
        """Copy one operation: in front of all loops where nothing in them is needed, else in front of `before`."""
        new = copy_op(op, mapping)
        target = before
        if op.name.startswith(PURE) and not op.regions and all(self.outside(mapping[v]) for v in op.operands):
            while target.parent is not self.entry:
                parent = target.parent_op()
                assert parent is not None
                target = parent
        Rewriter.insert_op(new, InsertPoint.before(target))

    def outside(self, value: SSAValue) -> bool:
        """Whether a value of the merged function is defined outside of all loops."""
        owner = value.owner
        return (owner if isinstance(owner, Block) else owner.parent) is self.entry

    def call(self, op: func.CallOp, before: Operation) -> None:
        """The body of a called program."""
        program = self.programs[op.callee.string_value()]
        mapping: dict[SSAValue, SSAValue] = {
            a: self.mapping[v] for a, v in zip(program.body.block.args, op.operands, strict=True)
        }
        for inner in program.body.block.ops:
            if inner.name != "func.return":
                self.copy(inner, mapping, before)

    def loop(self, op: scf.ForOp, before: Operation) -> None:
        """A loop over indices around what the coordinator's loop holds."""
        emit = Emitter.before(before)
        emit.origin = op
        old = op.body.block.args[0]
        bounds = [self.mapping[v] for v in (op.lb, op.ub, op.step)]
        if old.type != INDEX:
            bounds = [emit.insert(arith.IndexCastOp(v, INDEX)).result for v in bounds]
        body = Block(arg_types=[INDEX])
        body.args[0].name_hint = old.name_hint
        end = scf.YieldOp()
        copy_loc(op, end)
        body.add_op(end)
        emit.insert(scf.ForOp(bounds[0], bounds[1], bounds[2], [], Region(body)))
        self.mapping[old] = body.args[0]
        if old.type != INDEX:
            inner = Emitter.before(end)
            self.mapping[old] = inner.insert(arith.IndexCastOp(body.args[0], old.type)).result
        self.block(op.body.block, end)

    def condition(self, op: scf.IfOp, before: Operation) -> None:
        """A condition around what the coordinator's holds."""
        regions: list[Region] = []
        ends: list[tuple[Block, Operation]] = []
        for region in op.regions:
            if not region.blocks:
                continue
            end = scf.YieldOp()
            copy_loc(op, end)
            regions.append(Region(Block([end])))
            ends.append((region.blocks[0], end))
        emit = Emitter.before(before)
        emit.origin = op
        emit.insert(scf.IfOp(self.mapping[op.cond], [], *regions))  # pyright: ignore[reportArgumentType]
        for source, end in ends:
            self.block(source, end)


def rewrite_coordinator(kernel: func.FuncOp, merged: func.FuncOp, names: set[str]) -> None:
    """Leave one call in the coordinator."""
    module = kernel.parent_op()
    assert isinstance(module, ModuleOp)
    block = kernel.body.block
    last = block.last_op
    assert last is not None
    for op in list(block.ops):
        if op is not last and op.name in ("func.call", "scf.for", "scf.if"):
            op.detach()
            op.erase(safe_erase=False)
    for op in list(module.body.block.ops):
        if isinstance(op, func.FuncOp) and op.sym_name.data in names:
            op.detach()
            op.erase()
    types = [a.type for a in block.args]
    declaration = func.FuncOp.external(merged.sym_name.data, types, [])
    copy_loc(kernel, declaration)
    module.body.block.add_op(declaration)
    call = func.CallOp(merged.sym_name.data, list(block.args), [])
    copy_loc(merged, call)
    Rewriter.insert_op(call, InsertPoint.before(last))
    erase_dead(kernel.body, lambda op: op.name != "func.call")
