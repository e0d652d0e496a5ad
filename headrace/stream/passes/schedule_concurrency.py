"""Operations of one execution that may overlap become waves, `stream.async.concurrent`.

Precondition: executions are formed. Postcondition: no two operations of a wave have a hazard: they touch no common byte
of one storage, or only read it. Byte ranges with constant bounds are compared exactly. Waves are formed in executions
of loop and branch bodies as well. With the memory objective a wave must not need more memory than the operations one
after the other.

```
%a = stream.async.dispatch @k::@f(%x ..)            %p:2 = stream.async.concurrent with(%x as %y) -> .. {
%b = stream.async.dispatch @k::@g(%x ..)      ->      both; stream.yield }
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import group, make_op, tied_attr, tied_operands
from headrace.ir.dialects.stream_regions import AsyncConcurrentOp, YieldOp
from headrace.ir.passes import Pass
from headrace.stream.costs import UNKNOWN_BYTES
from headrace.stream.liveness import Roots
from headrace.stream.storage import global_values, host_functions, is_resource

_WORK = frozenset(
    f"stream.async.{n}"
    for n in ("splat", "clone", "slice", "fill", "update", "copy", "collective", "dispatch", "call", "transfer")
)
READ, WRITE = 1, 2
Access = tuple[int, SSAValue, int, int | None]
"""(read or write, storage, first byte, byte behind the last or None)."""


def schedule_concurrency(module: ModuleOp, favour: str = "min-peak-memory") -> ModuleOp:
    """Form waves, in place."""
    if favour == "debug":
        return module
    for function in host_functions(module):
        executes = [op for op in function.regions[0].walk() if op.name == "stream.async.execute"]
        if executes:
            entry = function.regions[0].blocks[0]
            roots = Roots(entry)
            shared = [v for v in global_values(entry).values() if len(v) > 1]
            aliases = Roots(entry) if shared else roots
            for values in shared:
                for other in values[1:]:
                    aliases.share(other, values[0])
            for op in executes:
                _execute(op, favour, roots, aliases)
    return module


def accesses(op: Any, roots: Roots) -> list[Access]:
    """Byte ranges an operation reads and writes."""
    name = op.name.rpartition(".")[2]
    found: list[Access] = []

    def add(kind: int, value: SSAValue, start: SSAValue | None = None, end: SSAValue | None = None) -> None:
        low = 0 if start is None else constant_of(start)
        high = None if end is None else constant_of(end)
        if low is None or (end is not None and high is None):
            low, high = 0, None
        found.append((kind, roots.of(value), low, high))

    if name in ("splat", "clone", "transfer", "slice", "alloca"):
        if name in ("clone", "transfer"):
            add(READ, op.source)
        elif name == "slice":
            add(READ, op.source, op.source_offset, op.source_end)
        add(WRITE, op.result)
    elif name == "fill":
        add(WRITE, op.target, op.target_offset, op.target_end)
    elif name == "update":
        add(READ, op.update)
        add(WRITE, op.target, op.target_offset, op.target_end)
    elif name in ("copy", "collective"):
        add(READ, op.source, op.source_offset, op.source_end)
        add(WRITE, op.target, op.target_offset, op.target_end)
    else:
        tied = {t for t in tied_operands(op) if t >= 0}
        first = next((i for i, v in enumerate(op.operands) if is_resource(v)), 0)
        rows = zip(group(op, "resource_operand_offsets"), group(op, "resource_operand_ends"), strict=True)
        ranges = iter(list(rows))
        for index in range(first, first + len(group(op, "resource_operands"))):
            value = op.operands[index]
            if index < len(op.operands) and is_resource(value):
                start, end = next(ranges, (None, None))
                add(READ, value, start, end)
                if index in tied:
                    add(WRITE, value, start, end)
        for result, tie in zip(op.results, tied_operands(op), strict=True):
            if tie < 0:
                add(WRITE, result)
    return found


class _Wave:
    """Operations of a wave with the byte ranges they touch."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []
        self.reads: dict[SSAValue, list[tuple[int, int | None]]] = {}
        self.writes: dict[SSAValue, list[tuple[int, int | None]]] = {}
        self.whole_reads: set[SSAValue] = set()

    def conflicts(self, touched: list[Access]) -> bool:
        for kind, root, low, high in touched:
            for a, b in self.writes.get(root, ()):
                if (high is None or a < high) and (b is None or low < b):
                    return True
            if kind & WRITE:
                if root in self.whole_reads:
                    return True
                for a, b in self.reads.get(root, ()):
                    if (high is None or a < high) and (b is None or low < b):
                        return True
        return False

    def add(self, op: Operation, touched: list[Access]) -> None:
        self.ops.append(op)
        for kind, root, low, high in touched:
            if kind & WRITE:
                self.writes.setdefault(root, []).append((low, high))
            elif low == 0 and high is None:
                self.whole_reads.add(root)
            elif root not in self.whole_reads:
                ranges = self.reads.setdefault(root, [])
                if (low, high) not in ranges[-4:]:
                    ranges.append((low, high))


def _execute(op: Any, favour: str, roots: Roots, aliases: Roots) -> None:
    body: Block = op.body.block
    ops = [o for o in body.ops if o.name in _WORK]
    if len(ops) < 2:
        return
    touched = {o: accesses(o, aliases) for o in ops}
    memory = _Memory(body, ops, roots) if favour == "min-peak-memory" else None
    waves: list[_Wave] = []
    for index, o in enumerate(ops):
        wave = waves[-1] if waves else None
        if wave is None or wave.conflicts(touched[o]) or (memory is not None and not memory.fits(index)):
            wave = _Wave()
            waves.append(wave)
            if memory is not None:
                memory.start(index)
        elif memory is not None:
            memory.join(index)
        wave.add(o, touched[o])
    if all(len(w.ops) == 1 for w in waves):
        return
    sizes = _sizes(op)
    for wave in waves:
        if len(wave.ops) > 1:
            _build(body, wave.ops, sizes)


class _Memory:
    """Bytes live in an execution, to keep waves below the peak of the sequential order."""

    def __init__(self, body: Block, ops: list[Operation], roots: Roots):
        position = {o: i for i, o in enumerate(ops)}
        last: dict[SSAValue, int] = {}
        self.made: list[int] = [0] * len(ops)
        dies: list[int] = [0] * (len(ops) + 1)
        escaped = {roots.of(v) for v in body.last_op.operands if is_resource(v)} if body.last_op is not None else set()
        sizes: dict[SSAValue, int] = {}
        for o in ops:
            for value in o.operands:
                if is_resource(value):
                    last[roots.of(value)] = position[o]
            for r in o.results:
                root = roots.of(r)
                if root is r and root not in escaped:
                    size = [v for n in ("result_sizes", "result_size") for v in _named(o, n)]
                    known = constant_of(size[0]) if size else None
                    sizes[root] = UNKNOWN_BYTES if known is None else known
                    self.made[position[o]] += sizes[root]
                last.setdefault(root, position[o])
        for root, size in sizes.items():
            dies[last[root]] += size
        self.dies = dies
        live = self.peak = 0
        for i in range(len(ops)):
            live += self.made[i]
            self.peak = max(self.peak, live)
            live -= dies[i]
        self.live = 0
        self.pending = 0
        self.first = 0

    def start(self, index: int) -> None:
        """A new wave begins with operation `index`."""
        self.live -= self.pending
        self.pending = self.dies[index]
        self.live += self.made[index]

    def fits(self, index: int) -> bool:
        """Whether operation `index` may run beside the current wave."""
        return self.live + self.made[index] <= self.peak

    def join(self, index: int) -> None:
        """Operation `index` is part of the current wave."""
        self.live += self.made[index]
        self.pending += self.dies[index]


def _named(op: Operation, name: str) -> list[SSAValue]:
    from headrace.ir.dialects._stream_format import groups_of

    return group(op, name) if name in groups_of(type(op))[0] else []  # pyright: ignore[reportArgumentType]


def _sizes(execute: Any) -> dict[SSAValue, SSAValue]:
    from headrace.stream.sizes import size_map

    found = size_map(execute.body.block)
    for argument, size in zip(execute.body.block.args, group(execute, "resource_operand_sizes"), strict=True):
        found[argument] = size
    return found


def _build(body: Block, ops: list[Operation], sizes: dict[SSAValue, SSAValue]) -> None:
    inside = set(ops)
    inputs: list[SSAValue] = []
    known: set[SSAValue] = set()
    for op in ops:
        for value in op.operands:
            if is_resource(value) and value not in known and value.owner not in inside:
                known.add(value)
                inputs.append(value)
    outputs = [
        r for op in ops for r in op.results if is_resource(r) and any(u.operation not in inside for u in r.uses)
    ]
    inner = Block(arg_types=[v.type for v in inputs])
    mapping = dict(zip(inputs, inner.args, strict=True))
    position = {v: i for i, v in enumerate(inputs)}
    tied: list[int] = []
    for value in outputs:
        owner: Any = value.owner
        tie = tied_operands(owner)[next(i for i, r in enumerate(owner.results) if r is value)]
        tied.append(position.get(owner.operands[tie], -1) if tie >= 0 else -1)
    last = ops[-1]
    anchor = last.next_op
    assert anchor is not None
    for op in ops:
        op.detach()
        for index, value in enumerate(op.operands):
            if value in mapping:
                op.operands[index] = mapping[value]
        inner.add_op(op)
    out_sizes = [sizes[v] for v in outputs]
    inner.add_op(make_op(YieldOp, {"resource_operands": outputs, "resource_operand_sizes": out_sizes}))
    made = make_op(
        AsyncConcurrentOp,
        {
            "resource_operands": inputs,
            "resource_operand_sizes": [sizes[v] for v in inputs],
            "result_sizes": out_sizes,
        },
        [v.type for v in outputs],
        {"tied_operands": tied_attr(tied)},
        [Region(inner)],
        location=ops[0].location,
    )
    for old, new in zip(outputs, made.results, strict=True):
        new.name_hint = old.name_hint
        sizes[new] = sizes[old]
        for use in list(old.uses):
            if use.operation.parent is not inner:
                use.operation.operands[use.index] = new
    body.insert_op_before(made, anchor)

@dataclass
class ScheduleConcurrency(Pass):
    """Form waves of operations without hazards."""

    name = "schedule-concurrency"
    summary = "Form waves of operations without hazards"
    favour: str = "min-peak-memory"
    """`min-peak-memory`, `max-concurrency` or `debug`."""

    def apply(self, op: Any, ctx: Context) -> None:
        schedule_concurrency(op, self.favour)
