"""Conversion of loops and branches over tensors to loops and branches over resources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from headrace.graph.shapes import Constants
from headrace.ir.diagnostics import op_error
from headrace.ir.dialects.hal import BufferViewType
from headrace.ir.dialects.stream_types import resource
from headrace.stream.build import INDEX, Builder

ANY = resource("*")
EXTERNAL = resource("external")
STAGING = resource("staging")
VIEW = BufferViewType()


@dataclass
class Tensor:
    """A tensor as a resource."""

    value: SSAValue
    size: SSAValue
    dims: list[SSAValue]
    kind: TensorType[Any]
    place: Attribute | None


class _Retry(Exception):
    """The dimensions of a loop's carried values are not invariant."""


class ControlFlow:
    """Loops and branches of a converter: carried tensors become carried resources."""

    builder: Builder
    constants: Constants
    places: Any
    env: dict[SSAValue, Any]
    sizes: list[dict[Any, SSAValue]]
    moved: list[dict[Any, Tensor]]
    changing: set[Operation]
    _define: Any
    _size: Any
    _tensor: Any
    _scalar: Any
    _ops: Any
    _copy: Any

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _inside(self, block: Block, run: Any) -> Any:
        """Run with the builder at the end of a block and with scopes of its own."""
        outer = self.builder
        self.builder = Builder(self.constants, block)
        self.builder.location = outer.location
        self.sizes.append({})
        self.moved.append({})
        try:
            return run()
        finally:
            self.builder = outer
            self.sizes.pop()
            self.moved.pop()

    def _carry(self, block: Block, old: SSAValue, found: Tensor, changing: bool) -> None:
        """Block arguments of a carried tensor: the resource, and its dynamic dimensions where they change."""
        argument = block.insert_arg(ANY, len(block.args))
        dims: list[SSAValue] = found.dims
        if changing and found.dims:
            dims = [block.insert_arg(INDEX, len(block.args)) for _ in found.dims]
        self._define(old, argument, found.size, dims, self.places.of(old) if self.places else None)

    def _resize(self, value: SSAValue) -> None:
        found: Tensor = self.env[value]
        found.size = self._size(found.kind, found.dims, found.place)

    def _flat(self, value: SSAValue, changing: bool, place: Attribute | None) -> list[SSAValue]:
        found = self._tensor(value, place)
        return [found.value, *(found.dims if changing else [])]

    def _for(self, op: Any) -> None:
        old = op.regions[0].blocks[0]
        changing = op in self.changing
        inits: list[SSAValue] = []
        for value, argument in zip(op.operands[3:], old.args[1:], strict=True):
            if isinstance(value.type, TensorType):
                place = self.places.of(argument) if self.places else None
                inits += self._flat(value, changing, place)
            else:
                inits.append(self._scalar(value))
        block = Block(arg_types=[old.args[0].type])
        self.env[old.args[0]] = block.args[0]
        block.args[0].name_hint = old.args[0].name_hint
        start: dict[SSAValue, Tensor] = {}
        for value, argument in zip(op.operands[3:], old.args[1:], strict=True):
            if isinstance(value.type, TensorType):
                place = self.places.of(argument) if self.places else None
                start[argument] = self._tensor(value, place)
                self._carry(block, argument, start[argument], changing)
            else:
                made = block.insert_arg(argument.type, len(block.args))
                made.name_hint = argument.name_hint
                self.env[argument] = made

        def body() -> None:
            if changing:
                for argument in start:
                    self._resize(argument)
            self._ops(old)
            last = old.last_op
            assert last is not None
            yields: list[SSAValue] = []
            for value, argument in zip(last.operands, old.args[1:], strict=True):
                if isinstance(value.type, TensorType):
                    place = self.places.of(argument) if self.places else None
                    if not changing and self._tensor(value).dims != start[argument].dims:
                        raise _Retry
                    yields += self._flat(value, changing, place)
                else:
                    yields.append(self._scalar(value))
            self.builder.add(scf.YieldOp.create(operands=yields))

        try:
            self._inside(block, body)
        except _Retry:
            self.changing.add(op)
            self._for(op)
            return
        made = scf.ForOp.create(
            operands=[*(self._scalar(v) for v in op.operands[:3]), *inits],
            result_types=[v.type for v in inits],
            regions=[Region(block)],
            attributes=dict(op.attributes),
        )
        made.location = op.location
        self.builder.add(made)
        self._bind_results(op, list(made.results), [start.get(a) for a in old.args[1:]], changing)

    def _bind_results(self, op: Any, results: list[SSAValue], start: Sequence[Tensor | None], changing: bool) -> None:
        position = 0
        for old, first in zip(op.results, start, strict=True):
            value = results[position]
            position += 1
            if first is None:
                value.name_hint = old.name_hint
                self.env[old] = value
                continue
            dims, size = first.dims, first.size
            if changing and dims:
                dims = results[position : position + len(dims)]
                position += len(dims)
                size = self._size(first.kind, dims, first.place)
            self._define(old, value, size, list(dims), first.place)

    def _if(self, op: Any) -> None:
        blocks: list[Block] = []
        yielded: list[list[Any]] = []
        for region in op.regions:
            block = Block()
            blocks.append(block)
            if not region.blocks:
                continue
            old = region.blocks[0]

            def branch(old: Block = old) -> None:
                self._ops(old)
                last = old.last_op
                found: list[Any] = []
                for value, result in zip(last.operands if last is not None else (), op.results, strict=True):
                    if isinstance(value.type, TensorType):
                        place = self.places.of(result) if self.places else None
                        found.append(self._tensor(value, place))
                    else:
                        found.append(self._scalar(value))
                yielded.append(found)

            self._inside(block, branch)
        # Dimensions are results of their own only where the branches differ.
        same = [
            not isinstance(r.type, TensorType) or all(y[i].dims == yielded[0][i].dims for y in yielded)
            for i, r in enumerate(op.results)
        ]
        kinds: list[Attribute] = []
        for block, found in zip(blocks, yielded, strict=False):
            values: list[SSAValue] = []
            kinds = []
            for item, equal in zip(found, same, strict=True):
                if isinstance(item, Tensor):
                    values += [item.value, *([] if equal else item.dims)]
                    kinds += [ANY, *([] if equal else [INDEX] * len(item.dims))]
                else:
                    values.append(item)
                    kinds.append(item.type)
            block.add_op(scf.YieldOp.create(operands=values))
        made = scf.IfOp.create(
            operands=[self._scalar(op.operands[0])],
            result_types=kinds,
            regions=[
                Region(b) if region.blocks else Region() for b, region in zip(blocks, op.regions, strict=True)
            ],
        )
        made.location = op.location
        self.builder.add(made)
        position = 0
        for i, old in enumerate(op.results):
            value = made.results[position]
            position += 1
            first = yielded[0][i]
            if not isinstance(first, Tensor):
                self.env[old] = value
                continue
            dims, size = first.dims, first.size
            place = self.places.of(old) if self.places else None
            if not same[i]:
                dims = list(made.results[position : position + len(first.dims)])
                position += len(first.dims)
                size = self._size(first.kind, dims, place)
            elif not first.dims:
                size = self._size(first.kind, [], place)
            self._define(old, value, size, list(dims), place)

    def _while(self, op: Any) -> None:
        before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
        inits: list[SSAValue] = []
        first = Block()
        tensors: list[SSAValue] = []
        for value, argument in zip(op.operands, before.args, strict=True):
            if isinstance(value.type, TensorType):
                place = self.places.of(argument) if self.places else None
                inits += self._flat(value, True, place)
                self._carry(first, argument, self._tensor(value, place), True)
                tensors.append(argument)
            else:
                inits.append(self._scalar(value))
                self.env[argument] = first.insert_arg(argument.type, len(first.args))
        passed: list[Any] = []

        def condition() -> None:
            for argument in tensors:
                self._resize(argument)
            self._ops(before)
            last = before.last_op
            assert last is not None
            values: list[SSAValue] = [self._scalar(last.operands[0])]
            for value in last.operands[1:]:
                if isinstance(value.type, TensorType):
                    found = self._tensor(value)
                    values += [found.value, *found.dims]
                    passed.append(found)
                else:
                    values.append(self._scalar(value))
                    passed.append(None)
            self.builder.add(scf.ConditionOp.create(operands=values))

        self._inside(first, condition)
        second = Block()
        for found, argument in zip(passed, after.args, strict=True):
            if found is not None:
                self._carry(second, argument, found, True)
            else:
                self.env[argument] = second.insert_arg(argument.type, len(second.args))

        def body() -> None:
            for found, argument in zip(passed, after.args, strict=True):
                if found is not None:
                    self._resize(argument)
            self._ops(after)
            last = after.last_op
            assert last is not None
            values: list[SSAValue] = []
            for value, argument in zip(last.operands, before.args, strict=True):
                if isinstance(value.type, TensorType):
                    place = self.places.of(argument) if self.places else None
                    values += self._flat(value, True, place)
                else:
                    values.append(self._scalar(value))
            self.builder.add(scf.YieldOp.create(operands=values))

        self._inside(second, body)
        condition_op = first.last_op
        assert condition_op is not None
        made = scf.WhileOp.create(
            operands=inits,
            result_types=[v.type for v in condition_op.operands[1:]],
            regions=[Region(first), Region(second)],
        )
        made.location = op.location
        self.builder.add(made)
        self._bind_results(op, list(made.results), passed, True)

    def _yield(self, op: Any) -> None:
        return None  # made by the operation around it

    def _plain_region(self, op: Operation) -> None:
        if any(isinstance(v.type, TensorType) for inner in op.walk() for v in (*inner.operands, *inner.results)):
            raise op_error(op, "tensors in this kind of control flow cannot be scheduled; use scf.for, if or while")
        self._copy(op)
