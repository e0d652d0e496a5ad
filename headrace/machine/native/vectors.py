"""Vector instructions in native code. Registers hold storage patterns; an operation works on chunks of a few lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir

from headrace.codegen import isa
from headrace.machine.native.dsl import I8, I64, Value
from headrace.machine.native.mode import Mode
from headrace.machine.plan import element_bytes
from headrace.machine.timing import SHIFT
from headrace.numerics import dtypes, semantics

if TYPE_CHECKING:
    from headrace.machine.native.units import UnitEmitter

CHUNK = 16
"""Lanes of one step of an elementwise operation: small enough for short code, wide enough for the host's registers."""

LONGEST_SHUFFLE = 512
"""Bytes of a vector up to which the host's own shuffles are used: longer ones make long code."""


class VectorEmitter:
    """Emits the vector instructions of a section."""

    def __init__(self, unit: UnitEmitter) -> None:
        self.u = unit
        self.loaded = {i["vd"] for i in unit.code.instructions if i.op in ("VLD", "VMOV")}
        self.constants = 0

    def emit(self, i: int, ins: isa.Instruction) -> None:
        """Emit one instruction."""
        match ins.op:
            case "VMOV":
                if ins["vd"] != ins["va"]:
                    self.u.f.copy(self._reg(ins["vd"]), self._reg(ins["va"]), self._bytes(ins["type"]))
                    self.u.set_times(ins["vd"], self.u.available(ins["va"]), self.u.leaves(ins["va"]))
            case "VCONST":
                self._const(ins)
            case "VOP":
                self._begin(i, [o.reg for o in ins["operands"]])
                self._operation(ins)
                self._end(i, [o.reg for o in ins["results"]])
            case "VIOTA":
                self._begin(i, [])
                self._iota(ins)
                self._end(i, [ins["vd"]])
            case _:
                self._begin(i, [reg for reg, _ in ins["sources"]])
                self._shuffle(ins)
                self._end(i, [ins["vd"]])

    # -- time ---------------------------------------------------------------------------------------------------------
    def _begin(self, i: int, sources: list[int]) -> None:
        """Wait for loads in flight, issue. Values that came by a FIFO or an operation are there already."""
        u = self.u
        u.unit.steps = u.unit.steps + 1
        if u.f.module.mode is Mode.FUNCTIONAL:
            return
        for reg in dict.fromkeys(sources):
            if reg in self.loaded:
                u.stall(u.available(reg), "memory")
        u.work(u.site(i).a)

    def _end(self, i: int, results: list[int]) -> None:
        if self.u.f.module.mode is Mode.FUNCTIONAL:
            return
        clock = self.u.unit.clock
        for reg in results:
            self.u.set_times(reg, clock, clock + (self.u.site(i).b << SHIFT))

    # -- values -------------------------------------------------------------------------------------------------------
    def _reg(self, reg: int) -> Any:
        return self.u.word(self.u.layout.vectors[reg])

    def _bytes(self, vtype: isa.VType) -> int:
        return vtype.lanes * element_bytes(vtype.dtype)

    def _chunks(self, lanes: int, body: Callable[[Value, int], Any]) -> None:
        """``body(first lane, lanes)`` over full chunks, then the rest."""
        f = self.u.f
        full = lanes // CHUNK
        if full == 1:
            body(f.value(0), CHUNK)
        elif full > 1:
            with f.range(full) as k:
                body(k * CHUNK, CHUNK)
        if lanes % CHUNK:
            body(f.value(full * CHUNK), lanes % CHUNK)

    def _place(self, reg: int, dtype: str, lane: Value) -> Any:
        return self.u.f.b.gep(self._reg(reg), [(lane * element_bytes(dtype)).v], source_etype=I8)

    def _operation(self, ins: isa.Instruction) -> None:
        b = self.u.f.b
        op = semantics.by_code(ins["code"])
        kinds = [dtypes.get(o.dtype) for o in ins["operands"]]
        outs = [dtypes.get(o.dtype) for o in ins["results"]]

        def chunk(lane: Value, n: int) -> None:
            args = []
            for o, kind in zip(ins["operands"], kinds, strict=True):
                raw = b.load(self._place(o.reg, o.dtype, lane), typ=semantics.storage_type(kind, n), align=1)
                args.append(semantics.to_register(b, raw, kind))
            values = op.llvm(b, args, kinds, outs, ins["params"])
            values = values if isinstance(values, tuple) else (values,)
            for o, kind, value in zip(ins["results"], outs, values, strict=True):
                if not isinstance(value.type, ir.VectorType):
                    value = _splat(b, value, n)
                b.store(semantics.to_storage(b, value, kind), self._place(o.reg, o.dtype, lane), align=1)

        self._chunks(ins["lanes"], chunk)

    def _table(self, data: bytes) -> Any:
        """A constant of the module."""
        self.constants += 1
        typ = ir.ArrayType(I8, len(data))
        table: Any = ir.GlobalVariable(self.u.f.module, typ, f"table{self.constants}")
        table.linkage, table.global_constant = "internal", True
        table.initializer = ir.Constant(typ, bytearray(data))
        table.align = 64
        return table

    def _const(self, ins: isa.Instruction) -> None:
        vtype: isa.VType = ins["type"]
        size = element_bytes(vtype.dtype)
        patterns = [(p & (1 << 8 * size) - 1).to_bytes(size, "little") for p in ins["bits"]]
        data = b"".join(patterns[k % len(patterns)] for k in range(vtype.lanes))
        self.u.f.copy(self._reg(ins["vd"]), self._table(data), len(data))
        self.u.set_times(ins["vd"], 0, 0)

    def _iota(self, ins: isa.Instruction) -> None:
        b, vtype = self.u.f.b, ins["type"]
        storage = np.dtype(f"i{element_bytes(vtype.dtype)}")
        k = np.arange(vtype.lanes, dtype=np.int64)
        table = self._table((ins["step"] * (k // ins["repeat"] % ins["period"])).astype(storage).tobytes())
        scalar = ir.IntType(8 * storage.itemsize)
        base = self.u.r(ins["base"]).v
        base = base if scalar.width == 64 else b.trunc(base, scalar)

        def chunk(lane: Value, n: int) -> None:
            at = b.gep(table, [(lane * storage.itemsize).v], source_etype=I8)
            offsets = b.load(at, typ=ir.VectorType(scalar, n), align=1)
            b.store(b.add(offsets, _splat(b, base, n)), self._place(ins["vd"], vtype.dtype, lane), align=1)

        self._chunks(vtype.lanes, chunk)

    def _shuffle(self, ins: isa.Instruction) -> None:
        f, b, vtype = self.u.f, self.u.f.b, ins["type"]
        size = element_bytes(vtype.dtype)
        scalar = ir.IntType(8 * size)
        pool = [(reg, k) for reg, n in ins["sources"] for k in range(n)]
        picks = [pool[ins["indices"][k % len(ins["indices"])]] for k in range(vtype.lanes)]
        if len(set(picks)) == 1:
            reg, k = picks[0]
            value = b.load(b.gep(self._reg(reg), [f.raw(k * size)], source_etype=I8), typ=scalar, align=1)
            self._chunks(
                vtype.lanes,
                lambda lane, n: b.store(_splat(b, value, n), self._place(ins["vd"], vtype.dtype, lane), align=1),
            )
            return
        if self._permute(ins["vd"], picks, scalar):
            return
        offsets = np.array([8 * self.u.layout.vectors[reg] + k * size for reg, k in picks], np.int64)
        table = self._table(offsets.tobytes())
        with b.goto_entry_block():
            room = b.alloca(ir.ArrayType(scalar, vtype.lanes))
        scratch = f.pointer(b.ptrtoint(room, I64))
        with f.range(vtype.lanes) as k:
            offset = f.load(f.value(b.ptrtoint(table, I64)), k)
            value = b.load(b.gep(self.u.base, [offset.v], source_etype=I8), typ=scalar, align=1)
            b.store(value, b.gep(scratch, [(k * size).v], source_etype=I8), align=1)
        f.copy(self._reg(ins["vd"]), scratch, self._bytes(vtype))

    def _permute(self, vd: int, picks: list[tuple[int, int]], scalar: ir.IntType) -> bool:
        """Lanes of one or two short registers as one shuffle of the host; whether it was that."""
        b = self.u.f.b
        regs = list(dict.fromkeys(reg for reg, _ in picks))
        ends = {reg: 1 + max(k for r, k in picks if r == reg) for reg in regs}
        width = max(ends.values())
        if len(regs) > 2 or max(width, len(picks)) * scalar.width > 8 * LONGEST_SHUFFLE:
            return False
        sources = []
        for reg in regs:
            loaded = b.load(self._reg(reg), typ=ir.VectorType(scalar, ends[reg]), align=1)
            wide = [k if k < ends[reg] else 0 for k in range(width)]
            sources.append(loaded if ends[reg] == width else _shuffled(b, loaded, loaded, wide))
        lanes = [k + width * regs.index(reg) for reg, k in picks]
        b.store(_shuffled(b, sources[0], sources[-1], lanes), self._reg(vd), align=1)
        return True


def _shuffled(b: ir.IRBuilder, first: Any, second: Any, lanes: list[int]) -> Any:
    """Lanes of two vectors of one type, those of the second counted on from those of the first."""
    return b.shuffle_vector(first, second, ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes))


def _splat(b: ir.IRBuilder, value: Any, n: int) -> Any:
    """``value`` in every lane."""
    typ = ir.VectorType(value.type, n)
    one = b.insert_element(ir.Constant(typ, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), n), [0] * n)
    return b.shuffle_vector(one, ir.Constant(typ, ir.Undefined), zeros)
