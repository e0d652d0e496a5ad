"""Which timepoints are reached whenever another one is, and which are reached from the start.

A timepoint covers itself, what its operation awaits, and what that covers. A block argument covers what every edge into
it covers; a result of a loop or branch what all values covers that it may be. Sets are bits, one for each timepoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from headrace.graph.shapes import constant_of
from headrace.ir.dialects._stream_format import TIMEPOINT
from headrace.ir.dialects.stream_types import TimepointAttr

_ROUNDS = 6


def immediate_globals(module: ModuleOp) -> set[str]:
    """Timepoint globals that are immediate at the start and only ever stored what is made by `timepoint.immediate`."""
    found = {
        op.sym_name.data  # pyright: ignore[reportAttributeAccessIssue]
        for op in module.body.block.ops
        if op.name == "util.global" and isinstance(op.properties.get("initial_value"), TimepointAttr)
    }
    for op in module.walk():
        if op.name == "util.global.store" and op.operands[0].type == TIMEPOINT:
            owner = op.operands[0].owner
            if not isinstance(owner, Operation) or owner.name != "stream.timepoint.immediate":
                found.discard(op.global_.string_value())  # pyright: ignore[reportAttributeAccessIssue]
        elif op.name.startswith("util.global.") and op.name.endswith((".address", ".indirect")):
            return set()
    return found


class Coverage:
    """The timepoints of a function."""

    def __init__(self, entry: Block, immediate: Iterable[str] = ()):
        self.number: dict[SSAValue, int] = {}
        self.cover: dict[SSAValue, int] = {}
        """For each timepoint the bits of those that are reached when it is."""
        self.immediate: set[SSAValue] = set()
        self._globals = set(immediate)
        for argument in entry.args:
            self._set(argument, 0)
        self._block(entry)

    def bit(self, value: SSAValue) -> int:
        """The bit of a timepoint."""
        return 1 << self.number.setdefault(value, len(self.number))

    def of(self, value: SSAValue) -> int:
        """What a timepoint covers."""
        return self.cover.get(value, 0) | self.bit(value)

    def covers(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether `second` is reached whenever `first` is."""
        return second in self.immediate or bool(self.of(first) & self.bit(second))

    def add(self, value: SSAValue, parts: Iterable[SSAValue]) -> None:
        """A new timepoint reached when all parts are."""
        self._set(value, self._union(parts))

    def _set(self, value: SSAValue, bits: int) -> None:
        if value.type == TIMEPOINT:
            self.cover[value] = bits | self.bit(value)

    def _union(self, values: Iterable[SSAValue]) -> int:
        bits = 0
        for value in values:
            if value.type == TIMEPOINT:
                bits |= self.of(value)
        return bits

    def _block(self, block: Block) -> None:
        for op in block.ops:
            name = op.name
            if name.startswith("scf."):
                if op.regions:
                    self._region(op)
            elif name == "stream.timepoint.immediate":
                self.immediate.add(op.results[0])
                self._set(op.results[0], 0)
            elif name == "util.global.load":
                if op.results[0].type == TIMEPOINT:
                    if op.global_.string_value() in self._globals:  # pyright: ignore[reportAttributeAccessIssue]
                        self.immediate.add(op.results[0])
                    self._set(op.results[0], 0)
            elif op.results and any(r.type == TIMEPOINT for r in op.results):
                if name == "stream.timepoint.join" and all(v in self.immediate for v in op.operands):
                    self.immediate.add(op.results[0])
                bits = self._union(op.operands)
                for result in op.results:
                    self._set(result, bits)

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _region(self, op: Operation) -> None:
        if op.name == "scf.for":
            self._for(op)
        elif op.name == "scf.while":
            self._while(op)
        else:
            self._if(op)

    def _either(self, value: SSAValue, edges: list[SSAValue]) -> bool:
        """A value that is one of several; tells whether what it covers has changed."""
        if value.type != TIMEPOINT:
            return False
        bits = self.of(edges[0])
        for edge in edges[1:]:
            bits &= self.of(edge)
        before = self.cover.get(value)
        self._set(value, bits)
        return self.cover[value] != before

    def _for(self, op: Operation) -> None:
        body = op.regions[0].blocks[0]
        last: Any = body.last_op
        rows = list(zip(op.operands[3:], body.args[1:], last.operands, op.results, strict=True))
        for init, argument, _, _ in rows:
            self._set(argument, self.of(init) if init.type == TIMEPOINT else 0)
        self._fixpoint(body, [(argument, [init, yielded]) for init, argument, yielded, _ in rows])
        low, high = constant_of(op.operands[0]), constant_of(op.operands[1])
        runs = low is not None and high is not None and low < high
        for init, _, yielded, result in rows:
            self._either(result, [yielded] if runs else [init, yielded])
            if result.type == TIMEPOINT and init in self.immediate and yielded in self.immediate:
                self.immediate.add(result)

    def _fixpoint(self, body: Block, rows: Sequence[tuple[SSAValue, Any]], also: Block | None = None) -> None:
        for _ in range(_ROUNDS):
            self._block(body)
            if also is not None:
                self._forward(body, also)
                self._block(also)
            if not any([self._either(value, edges) for value, edges in rows]):
                return
        for value, _ in rows:
            self._set(value, 0)
        self._block(body)
        if also is not None:
            self._forward(body, also)
            self._block(also)

    def _forward(self, before: Block, after: Block) -> None:
        last: Any = before.last_op
        for value, argument in zip(last.operands[1:], after.args, strict=True):
            self._either(argument, [value])

    def _while(self, op: Operation) -> None:
        before, after = (r.blocks[0] for r in op.regions)
        for init, argument in zip(op.operands, before.args, strict=True):
            self._set(argument, self.of(init) if init.type == TIMEPOINT else 0)
        last: Any = after.last_op
        rows = [
            (argument, [init, yielded])
            for init, argument, yielded in zip(op.operands, before.args, last.operands, strict=True)
        ]
        self._fixpoint(before, rows, after)
        condition: Any = before.last_op
        for value, result in zip(condition.operands[1:], op.results, strict=True):
            self._either(result, [value])

    def _if(self, op: Operation) -> None:
        ends: list[Any] = []
        for region in op.regions:
            for block in region.blocks:
                self._block(block)
                ends.append(block.last_op)
        for index, result in enumerate(op.results):
            edges = [end.operands[index] for end in ends]
            self._either(result, edges)
            if result.type == TIMEPOINT and all(e in self.immediate for e in edges):
                self.immediate.add(result)
