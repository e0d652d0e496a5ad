"""Allocation of loops and branches: buffers that take turns, slots, freed spares."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.builtin import i1 as I1
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import INDEX, TIMEPOINT, make_op
from headrace.ir.dialects.hal import device_of
from headrace.ir.dialects.stream_resource import (
    ResourceDeallocaOp,
    ResourceReleaseOp,
    ResourceRetainOp,
    ResourceSizeOp,
)
from headrace.stream.commands import Handle
from headrace.stream.liveness import Carried
from headrace.stream.memory_plan import BlockPlan, Key, changing
from headrace.stream.storage import is_resource


class RegionEmitter:
    """Loops and branches of an emitter: carried resources become buffers that are handed on."""

    function: Any
    plan: BlockPlan
    handles: dict[Key, Handle]
    sums: dict[Any, SSAValue]
    out: list[Operation]
    done: dict[int, SSAValue]
    releases: dict[int, list[tuple[SSAValue, set[int]]]]
    add: Any
    make: Any
    view: Any
    handle: Any
    _waited: Any

    def _region(self, op: Operation, index: int) -> None:
        scratch: dict[Any, Handle] = {}
        token = self._token(op)
        waited = self._waited(index, token)
        for key, item in self.plan.slices.items():
            if isinstance(key, tuple) and key[0] == "scratch" and key[1] is op:
                handle = self.handles[key]
                scratch[device_of(item.place)] = handle
        if op.name == "scf.if":
            self._if(op, index, scratch, token, waited)
        else:
            self._loop(op, index, scratch, waited)

    def _token(self, op: Operation) -> SSAValue | None:
        """The timepoint a region operation starts from."""
        if op.name != "scf.if":
            return next((v for v in op.operands if v.type == TIMEPOINT), None)
        for inner in op.walk():
            for value in inner.operands:
                if value.type == TIMEPOINT and not _inside(value, op):
                    return value
        return None

    def _inner(self, block: Block, into: Block, handles: dict[Key, Handle], scratch: dict[Any, Handle]) -> Any:
        plan = self.plan.nested[block]
        inner: Any = type(self)(self.function, block, plan, {**self.handles, **handles}, scratch)  # pyright: ignore
        # Offsets of nested slices are the same in every iteration: compute them outside.
        outer_add = self.out
        inner.out = outer_add
        for device in plan.layouts:
            inner._nested_slices(device)  # pyright: ignore[reportPrivateUsage]
        inner.sums = dict(self.sums)
        inner.out = []
        inner._nested_slices = _nothing  # pyright: ignore
        inner.emit(into)
        return inner

    def _if(
        self, op: Operation, index: int, scratch: dict[Any, Handle], token: SSAValue | None, waited: SSAValue | None
    ) -> None:
        if waited is not None and token is not None and waited is not token:
            for inner in op.walk():
                for position, value in enumerate(inner.operands):
                    if value is token and inner is not op:
                        inner.operands[position] = waited
        regions: list[Region] = []
        kept = [i for i, r in enumerate(op.results) if not is_resource(r)]
        for region in list(op.regions):
            block = region.blocks[0]
            into = Block()
            inner = self._inner(block, into, {}, scratch)
            last = inner.terminator
            last.operands = [last.operands[i] for i in kept]
            regions.append(Region(into))
        made = self.add(
            scf.IfOp.create(
                operands=list(op.operands),
                result_types=[op.results[i].type for i in kept],
                regions=regions,
                attributes=op.attributes,
            )
        )
        made.location = op.location
        for i, new in zip(kept, made.results, strict=True):
            op.results[i].replace_all_uses_with(new)
            new.name_hint = op.results[i].name_hint
        self.done[index] = made.results[-1]
        self.function.dead.append(op)

    def _loop(self, op: Operation, index: int, scratch: dict[Any, Handle], waited: SSAValue | None) -> None:
        is_for = op.name == "scf.for"
        first = 3 if is_for else 0
        sizes = self.function.sizes
        doubles = [c for c in self.function.roots.carried[op] if c.double and not changing(c, sizes)]
        singles = [c for c in self.function.roots.carried[op] if c.double and changing(c, sizes)]
        inits: list[SSAValue] = []
        for c in doubles:
            kind = c.argument.type
            size = self.function.sizes[c.init]
            init = self.view(self.handle(c.init), size, kind)
            spare = self.view(self.handles["buffer", op, c.position, 0], size, kind)
            taken = self.plan.takes_init.get((op, c.position))
            other = init if taken is not None else self.view(self.handles["buffer", op, c.position, 1], size, kind)
            inits += [init, spare, other]
        exported = [c for c in doubles if (op, c.position) in self.plan.exported_loops]
        flag = not is_for and bool(exported)
        keep = [i for i in range(first, len(op.operands)) if not is_resource(op.operands[i])]
        plain = [op.operands[i] for i in keep]
        token_at = next(k for k, v in enumerate(plain) if v.type == TIMEPOINT)
        if waited is not None:
            plain[token_at] = waited
        counted = [c for c in singles if (op, c.position) in self.plan.counted]
        for c in singles:
            inits.append(self.view(self.handle(c.init), sizes[c.init], c.argument.type))
            if c in counted:
                self.make(ResourceRetainOp, {"operand": inits[-1], "operand_size": sizes[c.init]})
        if flag:
            inits.append(self._boolean(False))
        kinds = [v.type for v in (*inits, *plain)]
        blocks = [r.blocks[0] for r in op.regions]
        regions: list[Region] = []
        shift = 1 if is_for else 0
        for number, block in enumerate(blocks):
            into = Block(arg_types=[*([INDEX] if is_for else []), *kinds])
            if is_for:
                block.args[0].replace_all_uses_with(into.args[0])
                into.args[0].name_hint = block.args[0].name_hint
            handles: dict[Key, Handle] = {}
            triple = list(into.args[shift : shift + len(inits)])
            for k, c in enumerate(doubles):
                size = self.function.sizes[c.init]
                cur, spare = triple[3 * k], triple[3 * k + 1]
                handles[self.function.roots.of(c.argument)] = Handle(cur, None, size)
                handles["next", op, c.position] = Handle(spare, None, size)
                cur.name_hint = c.argument.name_hint
            for k, c in enumerate(singles):
                current = triple[3 * len(doubles) + k]
                handles[self.function.roots.of(c.argument)] = Handle(current, None, sizes[c.argument])
                current.name_hint = c.argument.name_hint
            scalars = [a for a in block.args[shift:] if not is_resource(a)]
            if number == 0:
                new_args = into.args[shift + len(inits) :]
            else:
                new_args = into.args[shift + len(inits) :]
            for old, new in zip(scalars, new_args, strict=True):
                old.replace_all_uses_with(new)
                new.name_hint = old.name_hint
            inner = self._inner(block, into, handles, scratch)
            last = inner.terminator
            head = 1 if last.name == "scf.condition" else 0
            rest = [v for v in last.operands[head:] if not is_resource(v)]
            if last.name == "scf.condition":
                # Body arguments: the buffers as they are, then the scalars of the condition.
                forwarded = [*triple, *rest]
                last.operands = [last.operands[0], *forwarded]
                kinds = [v.type for v in forwarded]
            else:
                turned: list[SSAValue] = []
                for k in range(len(doubles)):
                    _, spare, other = triple[3 * k : 3 * k + 3]
                    turned += [spare, other, spare]
                for c in singles:
                    found = inner.handle(c.yielded)
                    turned.append(found.value)
                if flag:
                    turned.append(inner_boolean(into, last))
                last.operands = [*turned, *rest]
                token = next(v for v in rest if v.type == TIMEPOINT)
                for c in counted:
                    current = triple[3 * len(doubles) + singles.index(c)]
                    for made_op in released(current, token):
                        into.insert_op_before(made_op, last)
            regions.append(Region(into))
        operands = [*op.operands[:first], *inits, *plain]
        if is_for:
            made: Any = scf.ForOp.create(
                operands=operands, result_types=[v.type for v in (*inits, *plain)], regions=regions,
                attributes=op.attributes,
            )  # fmt: skip
        else:
            made = scf.WhileOp.create(operands=operands, result_types=kinds, regions=regions, attributes=op.attributes)
        self.add(made)
        made.location = op.location
        kept_results = [r for r in op.results if not is_resource(r)]
        for old, new in zip(kept_results, made.results[len(inits) :], strict=True):
            old.replace_all_uses_with(new)
            new.name_hint = old.name_hint
        self.done[index] = made.results[-1]
        for k, c in enumerate(doubles):
            if c.result is not None:
                size = self.function.sizes[c.init]
                self.handles[c.result] = Handle(made.results[3 * k], None, size)
                made.results[3 * k].name_hint = c.result.name_hint
        for c in counted:
            if self.plan.counted[op, c.position]:
                use = self.plan.live.uses.get(self.function.roots.of(c.result)) if c.result is not None else None
                at = made.results[3 * len(doubles) + singles.index(c)]
                nodes = {index, *(use.nodes if use is not None else ())}
                self.releases.setdefault(max(index, use.last_op if use is not None else 0), []).append((at, nodes))
        for k, c in enumerate(singles):
            if c.result is not None:
                at = made.results[3 * len(doubles) + k]
                self.handles[c.result] = Handle(at, None, sizes[c.result])
                at.name_hint = c.result.name_hint
        for c in exported:
            self._free_spare(op, made, c, doubles.index(c), is_for, len(inits))
        self.function.dead.append(op)

    def _free_spare(self, op: Operation, made: Any, c: Carried, k: int, is_for: bool, inits: int) -> None:
        """The result of a loop leaves the program: free the buffer it is not in."""
        size = self.function.sizes[c.init]
        token = made.results[-1]
        place = self.plan.slices["buffer", op, c.position, 0].place
        self.make(
            ResourceDeallocaOp,
            {"await_timepoint": token, "operand": made.results[3 * k + 1], "operand_size": size},
            [TIMEPOINT],
            {"affinity": place},
        )
        if (op, c.position) in self.plan.takes_init:
            return
        if is_for:
            low, high = constant_of(op.operands[0]), constant_of(op.operands[1])
            if low is not None and high is not None and low < high:
                return
            none = self.add(
                arith.CmpiOp.create(
                    operands=[op.operands[0], op.operands[1]],
                    result_types=[I1],
                    properties={"predicate": IntegerAttr(5, 64)},
                )
            ).results[0]
        else:
            true = self._boolean(True)
            none = self.add(
                arith.XOrIOp.create(operands=[made.results[inits - 1], true], result_types=[I1])
            ).results[0]
        free = make_op(
            ResourceDeallocaOp,
            {"await_timepoint": token, "operand": made.results[3 * k + 2], "operand_size": size},
            [TIMEPOINT],
            {"affinity": place},
        )
        self.add(
            scf.IfOp.create(
                operands=[none], result_types=[], regions=[Region(Block([free, scf.YieldOp.create()])), Region()]
            )
        )

    def _boolean(self, value: bool) -> SSAValue:
        return self.add(
            arith.ConstantOp.create(result_types=[I1], properties={"value": IntegerAttr(int(value), I1)})
        ).results[0]


def released(value: SSAValue, waited: SSAValue | None) -> list[Operation]:
    """Give up a counted resource when `waited` is reached: the last owner frees it."""
    size = make_op(ResourceSizeOp, {"operand": value}, [INDEX])
    operands = {"operand": value, "operand_size": size.results[0]}
    release = make_op(ResourceReleaseOp, operands, [I1])
    free = make_op(ResourceDeallocaOp, {"await_timepoint": waited, **operands}, [TIMEPOINT])
    branch = scf.IfOp.create(
        operands=[release.results[0]],
        result_types=[],
        regions=[Region(Block([free, scf.YieldOp.create()])), Region()],
    )
    return [size, release, branch]


def inner_boolean(block: Block, before: Operation) -> SSAValue:
    """A true constant in front of a terminator."""
    op = arith.ConstantOp.create(result_types=[I1], properties={"value": IntegerAttr(1, I1)})
    block.insert_op_before(op, before)
    return op.results[0]


def _nothing(device: Any) -> None:
    return None


def _inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in a region of `op`."""
    owner = value.owner
    at = owner.parent_op()
    while at is not None:
        if at is op:
            return True
        at = at.parent_op()
    return False


