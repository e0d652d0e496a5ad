"""One execution's operations as commands on captured memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, i32
from xdsl.ir import Block, Operation, SSAValue

from headrace.ir.diagnostics import op_error
from headrace.ir.dialects._stream_format import group, make_op, tied_operands
from headrace.ir.dialects.hal import device_of
from headrace.ir.dialects.stream_cmd import (
    READ,
    WRITE,
    CmdCallOp,
    CmdCollectiveOp,
    CmdConcurrentOp,
    CmdCopyOp,
    CmdDispatchOp,
    CmdFillOp,
    CmdFlushOp,
    CmdInvalidateOp,
)
from headrace.ir.dialects.stream_regions import YieldOp
from headrace.stream.storage import is_resource


@dataclass(frozen=True)
class Handle:
    """Memory: a buffer, the offset of the storage in it (None: zero), the size of the whole buffer."""

    value: SSAValue
    offset: SSAValue | None
    size: SSAValue


class Commands:
    """Lowers one `async.execute`; `buffers` are the captured resources in order."""

    def __init__(self, emitter: Any, execute: Any):
        self.emitter = emitter
        self.execute = execute
        self.constants = emitter.function.constants
        self.buffers: dict[SSAValue, Handle] = {}
        self.body = Block()
        self.device = device_of(execute.properties.get("affinity"))

    def lower(self) -> Block:
        """The body of the command list."""
        self._block(self.execute.regions[0].block, self.body)
        self.body.add_op(make_op(YieldOp, {}))
        return self.body

    def _block(self, source: Block, target: Block) -> None:
        for op in source.ops:
            if op.name == "stream.yield":
                continue
            if op.name == "stream.async.concurrent":
                inner = Block()
                self._block(op.regions[0].block, inner)
                count = len(list(inner.ops))
                if count > 1:
                    inner.add_op(make_op(YieldOp, {}))
                    from xdsl.ir import Region

                    target.add_op(CmdConcurrentOp.create(regions=[Region(inner)]))
                else:
                    for one in list(inner.ops):
                        one.detach()
                        target.add_op(one)
                continue
            for made in self._op(op):
                made.location = op.location
                target.add_op(made)

    # ---- memory -----------------------------------------------------------------------------------------------------

    def _argument(self, handle: Handle) -> SSAValue:
        if handle.value not in self.buffers:
            self.buffers[handle.value] = handle
            argument = self.body.insert_arg(handle.value.type, len(self.body.args))
            argument.name_hint = handle.value.name_hint
        return self.body.args[list(self.buffers).index(handle.value)] if len(self.buffers) < 8 else self._fast(handle)

    def _fast(self, handle: Handle) -> SSAValue:
        if not hasattr(self, "_positions"):
            self._positions: dict[SSAValue, int] = {}
        if handle.value not in self._positions:
            self._positions = {v: i for i, v in enumerate(self.buffers)}
        return self.body.args[self._positions[handle.value]]

    def _range(self, value: SSAValue, offset: SSAValue | None = None) -> tuple[SSAValue, SSAValue, SSAValue]:
        """(captured buffer, its size, byte offset) of a position in a value."""
        handle = self.emitter.handle(value)
        start = self.emitter.sum(handle.offset, offset)
        if start is None:
            start = self.constants.get(0)
        return self._argument(handle), handle.size, start

    # ---- operations -------------------------------------------------------------------------------------------------

    def _op(self, op: Any) -> list[Operation]:
        name = op.name.rpartition(".")[2]
        if name in ("alloca", "constant"):
            return []
        if name == "splat":
            return [self._fill(op.value, op.result, None, op.result_size, op)]
        if name == "fill":
            return [self._fill(op.value, op.target, op.target_offset, op.target_length, op)]
        if name == "clone":
            return [self._copy(op.source, None, op.result, None, op.result_size)]
        if name == "slice":
            return [self._copy(op.source, op.source_offset, op.result, None, op.result_size)]
        if name == "update":
            return [self._copy(op.update, None, op.target, op.target_offset, op.update_size)]
        if name == "copy":
            return [self._copy(op.source, op.source_offset, op.target, op.target_offset, op.length)]
        if name == "transfer":
            return self._transfer(op)
        if name == "dispatch":
            return [self._dispatch(op)]
        if name == "collective":
            return [self._collective(op)]
        if name == "call":
            return [self._call(op)]
        raise op_error(op, "has no command")

    def _fill(
        self, pattern: SSAValue, target: SSAValue, offset: SSAValue | None, length: SSAValue, op: Operation
    ) -> Operation:
        kind = pattern.type
        if isinstance(kind, IntegerType) and kind.width.data == 64:
            raise op_error(op, "a 64-bit pattern is filled by a kernel")
        buffer, size, start = self._range(target, offset)
        return make_op(
            CmdFillOp,
            {"target": buffer, "target_size": size, "target_offset": start, "target_length": length, "value": pattern},
        )

    def _copy(
        self, source: SSAValue, start: SSAValue | None, target: SSAValue, to: SSAValue | None, length: SSAValue
    ) -> Operation:
        a, a_size, a_offset = self._range(source, start)
        b, b_size, b_offset = self._range(target, to)
        return make_op(
            CmdCopyOp,
            {
                "source": a,
                "source_size": a_size,
                "source_offset": a_offset,
                "target": b,
                "target_size": b_size,
                "target_offset": b_offset,
                "length": length,
            },
        )

    def _transfer(self, op: Any) -> list[Operation]:
        found: list[Operation] = []
        source, target = device_of(op.source_affinity), device_of(op.target_affinity)
        if (source is not None and source != self.device) or op.source.type.lifetime.data == "staging":
            buffer, size, start = self._range(op.source)
            found.append(
                make_op(
                    CmdInvalidateOp,
                    {"target": buffer, "target_size": size, "target_offset": start, "target_length": op.source_size},
                    [],
                    {"source_affinity": op.source_affinity},
                )
            )
        found.append(self._copy(op.source, None, op.result, None, op.result_size))
        if (target is not None and target != self.device) or op.result.type.lifetime.data == "staging":
            buffer, size, start = self._range(op.result)
            found.append(
                make_op(
                    CmdFlushOp,
                    {"target": buffer, "target_size": size, "target_offset": start, "target_length": op.result_size},
                    [],
                    {"target_affinity": op.target_affinity},
                )
            )
        return found

    def _dispatch(self, op: Any) -> Operation:
        tied = {t for t in tied_operands(op) if t >= 0}
        uniform: list[SSAValue] = []
        resources: list[SSAValue] = []
        sizes: list[SSAValue] = []
        offsets: list[SSAValue] = []
        lengths: list[SSAValue] = []
        access: list[IntegerAttr] = []
        values = group(op, "resource_operands")
        first = len(group(op, "workload"))
        ranges = iter(
            zip(group(op, "resource_operand_offsets"), group(op, "resource_operand_lengths"), strict=True)
        )

        def bind(value: SSAValue, offset: SSAValue | None, length: SSAValue, bits: int) -> None:
            buffer, size, start = self._range(value, offset)
            resources.append(buffer)
            sizes.append(size)
            offsets.append(start)
            lengths.append(length)
            access.append(_ACCESS[bits])

        for index, value in enumerate(values):
            if is_resource(value):
                offset, length = next(ranges)
                bind(value, offset, length, READ | WRITE if first + index in tied else READ)
            else:
                uniform.append(value)
        for result, size, tie in zip(op.results, group(op, "result_sizes"), tied_operands(op), strict=True):
            if tie < 0:
                bind(result, None, size, WRITE)
        return make_op(
            CmdDispatchOp,
            {
                "workload": group(op, "workload"),
                "uniform_operands": uniform,
                "resources": resources,
                "resource_sizes": sizes,
                "resource_offsets": offsets,
                "resource_lengths": lengths,
            },
            [],
            {"entry_points": op.entry_points, "resource_accesses": ArrayAttr(access)},
            attributes=op.attributes,
        )

    def _collective(self, op: Any) -> Operation:
        rows: list[tuple[SSAValue, SSAValue, SSAValue, SSAValue]] = []
        access: list[IntegerAttr] = []
        if op.op.kind.data != "recv":
            rows.append((*self._range(op.source, op.source_offset), op.source_length))
            access.append(_ACCESS[READ])
        if op.op.kind.data != "send":
            rows.append((*self._range(op.target, op.target_offset), op.target_length))
            access.append(_ACCESS[WRITE])
        return make_op(
            CmdCollectiveOp,
            {
                "element_count": op.element_count,
                "channel": op.channel,
                "param": op.param,
                "resources": [r[0] for r in rows],
                "resource_sizes": [r[1] for r in rows],
                "resource_offsets": [r[2] for r in rows],
                "resource_lengths": [r[3] for r in rows],
            },
            [],
            {"op": op.op, "resource_accesses": ArrayAttr(access)},
        )

    def _call(self, op: Any) -> Operation:
        tied = {t for t in tied_operands(op) if t >= 0}
        arguments: list[SSAValue] = []
        sizes: list[SSAValue] = []
        offsets: list[SSAValue] = []
        lengths: list[SSAValue] = []
        access: list[IntegerAttr] = []
        ranges = iter(
            zip(group(op, "resource_operand_offsets"), group(op, "resource_operand_lengths"), strict=True)
        )
        for index, value in enumerate(group(op, "resource_operands")):
            if not is_resource(value):
                arguments.append(value)
                continue
            offset, length = next(ranges)
            buffer, size, start = self._range(value, offset)
            arguments.append(buffer)
            sizes.append(size)
            offsets.append(start)
            lengths.append(length)
            access.append(_ACCESS[READ | WRITE if index in tied else READ])
        for result, size, tie in zip(op.results, group(op, "result_sizes"), tied_operands(op), strict=True):
            if tie < 0:
                buffer, whole, start = self._range(result)
                arguments.append(buffer)
                sizes.append(whole)
                offsets.append(start)
                lengths.append(size)
                access.append(_ACCESS[WRITE])
        return make_op(
            CmdCallOp,
            {
                "arguments": arguments,
                "resource_sizes": sizes,
                "resource_offsets": offsets,
                "resource_lengths": lengths,
            },
            [],
            {"callee": op.callee, "resource_accesses": ArrayAttr(access)},
        )


_ACCESS = {bits: IntegerAttr(bits, i32) for bits in (READ, WRITE, READ | WRITE)}
