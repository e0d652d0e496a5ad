"""Matrix steps in native code. The unit's record holds the fill time, which block is in use, both blocks and the
accumulators, all f32; sums are taken in the order of the reference: k ascending, every product and sum rounded."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from headrace.codegen import isa
from headrace.machine.matrix import FILLS, MULTIPLIES, shape_in
from headrace.machine.native.dsl import I8, I64, Value
from headrace.machine.native.ports import advance
from headrace.machine.plan import Code, element_bytes
from headrace.machine.result import F_ROW
from headrace.machine.timing import SHIFT
from headrace.numerics import dtypes, semantics

if TYPE_CHECKING:
    from headrace.machine.native.units import UnitEmitter

F32 = ir.FloatType()
HEAD = 8
"""Words in front of the arrays: fill time, number of the block in use."""
CHUNK = 16
"""Elements of one step of a conversion."""


def words(code: Code) -> int:
    """Words that the matrix state of a section's units takes (0 without matrix steps)."""
    shape = shape_in(code)
    if shape is None:
        return 0
    k, n, rows = shape
    widest = max((t.lanes for t in code.vectors.values()), default=0)
    return HEAD + -(-(2 * k * n + rows * n + widest) * 4 // 64) * 8


class MatrixEmitter:
    """Emits the matrix steps of a section."""

    def __init__(self, unit: UnitEmitter) -> None:
        self.u = unit
        self.at = unit.layout.matrix
        shape = shape_in(unit.code)
        assert shape is not None
        self.k, self.n, self.rows = shape
        self.chunk = gcd(self.n, 16)

    # -- places -------------------------------------------------------------------------------------------------------
    def _floats(self, offset: Any) -> Any:
        """Pointer to element ``offset`` of the arrays."""
        b = self.u.f.b
        base = self.u.word(self.at + HEAD)
        return b.gep(base, [self.u.f.raw(offset)], source_etype=F32)

    def _block(self, used: bool) -> Value:
        """Element offset of the block in use, or of the shadow."""
        number = self.u.get(self.at + 1)
        return (number if used else 1 - number) * (self.k * self.n)

    @property
    def _sums(self) -> int:
        return 2 * self.k * self.n

    @property
    def _scratch(self) -> int:
        return self._sums + self.rows * self.n

    # -- emission -----------------------------------------------------------------------------------------------------
    def emit(self, i: int, ins: isa.Instruction, timed: bool) -> None:
        """Emit one instruction."""
        u = self.u
        if ins.op == "MCFG":
            return
        row = u.r(ins["row"]) if ins.op in ("MMUL", "MMULT", "MLD", "MRD") else None
        if row is not None:
            last = self.rows - (ins["rows"] if ins.op in MULTIPLIES else 1)
            u.fault_if(u.f.b.icmp_unsigned(">", row.v, u.f.raw(last)), i, F_ROW, row)
        if timed:
            self._time(i, ins)
        match ins.op:
            case "MFILL":
                self._fill_row(ins)
            case "MFILLT":
                self._fill_columns(ins)
            case "MSWAP":
                u.put(self.at + 1, 1 - u.get(self.at + 1))
                self._zero(self._block(False), self.k * self.n)
            case "MMUL" | "MMULT":
                assert row is not None
                self._multiply(ins, row)
            case "MCLR":
                self._zero(u.f.value(self._sums), ins["rows"] * self.n)
            case "MLD":
                assert row is not None
                u.f.copy(self._floats(row * self.n + self._sums), self._reg(ins["va"]), 4 * ins["type"].lanes)
            case _:
                assert row is not None
                u.f.copy(self._reg(ins["vd"]), self._floats(row * self.n + self._sums), 4 * ins["type"].lanes)
                if timed:
                    clock = u.unit.clock
                    u.set_times(ins["vd"], clock, clock + (u.site(i).b << SHIFT))

    def _time(self, i: int, ins: isa.Instruction) -> None:
        u = self.u
        if "va" in ins.args:
            u.stall(u.available(ins["va"]), "memory")
        cost = u.site(i).a
        if ins.op in FILLS:
            start = u.get(self.at).max(u.unit.clock)
            u.put(self.at, u.f.select(cost == 0, start, advance(start, cost)))
        elif ins.op == "MSWAP":
            u.stall(u.get(self.at), "input")
        else:
            u.work(cost)

    def _reg(self, reg: int) -> Any:
        return self.u.word(self.u.layout.vectors[reg])

    def _zero(self, start: Value, count: int) -> None:
        f = self.u.f
        memset = f.module.declare_intrinsic("llvm.memset", [ir.PointerType(), ir.IntType(64)])
        f.b.call(memset, [self._floats(start), ir.Constant(I8, 0), f.raw(4 * count), ir.Constant(ir.IntType(1), 0)])

    def _convert(self, reg: int, vtype: isa.VType, target: Any) -> None:
        """Store the elements of a register as f32 at ``target``."""
        b = self.u.f.b
        kind = dtypes.get(vtype.dtype)
        size = element_bytes(vtype.dtype)
        for lane in range(0, vtype.lanes, CHUNK):
            n = min(CHUNK, vtype.lanes - lane)
            at = b.gep(self._reg(reg), [self.u.f.raw(lane * size)], source_etype=I8)
            raw = b.load(at, typ=semantics.storage_type(kind, n), align=1)
            wide = semantics.to_register(b, raw, kind)
            b.store(wide, b.gep(target, [self.u.f.raw(lane)], source_etype=F32), align=4)

    def _fill_row(self, ins: isa.Instruction) -> None:
        start = self._block(False) + ins["row"] * self.n
        if ins["type"].lanes < self.n:
            self._zero(start, self.n)
        self._convert(ins["va"], ins["type"], self._floats(start))

    def _fill_columns(self, ins: isa.Instruction) -> None:
        f, b = self.u.f, self.u.f.b
        columns, first = ins["columns"], ins["column"]
        depth = ins["type"].lanes // columns
        self._convert(ins["va"], ins["type"], self._floats(self._scratch))
        start = self._block(False)
        zero = ir.Constant(F32, 0.0)
        with f.range(columns) as c:
            for row in range(self.k):
                value = zero
                if row < depth:
                    value = b.load(self._floats(c * depth + (self._scratch + row)), typ=F32)
                b.store(value, self._floats(start + c + (row * self.n + first)), align=4)

    def _multiply(self, ins: isa.Instruction, row: Value) -> None:
        """`sums[row + i] += x[i] . W`; some rows at a time share the loads of the block."""
        f = self.u.f
        rows = ins["rows"]
        depth = ins["type"].lanes // rows
        self._convert(ins["va"], ins["type"], self._floats(self._scratch))
        step_row, step_k = (1, rows) if ins.op == "MMULT" else (depth, 1)
        block = self._block(True)
        group = next(g for g in (4, 2, 1) if rows % g == 0)
        with f.range(rows // group) as part:
            x = part * (group * step_row) + self._scratch
            sums = (row + part * group) * self.n + self._sums
            for line in range(0, 4 * group * self.n, 64):  # rows mostly follow rows, and are many
                f.prefetch(f.value(f.b.ptrtoint(self._floats(sums + group * self.n), I64)) + line, True)
            with f.range(self.n // self.chunk) as c:
                column = c * self.chunk
                self._tile(sums + column, block + column, [x + j * step_row for j in range(group)], depth, step_k)

    def _tile(self, sums: Value, block: Value, x: list[Value], depth: int, step: int) -> None:
        """A chunk of columns of some rows; ``x``: the first elements that the rows multiply with."""
        b = self.u.f.b
        vector = ir.VectorType(F32, self.chunk)
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self.chunk), [0] * self.chunk)

        def splat(value: Any) -> Any:
            one = b.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
            return b.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)

        targets = [self._floats(sums + j * self.n) for j in range(len(x))]
        found: list[Any] = [b.load(t, typ=vector, align=4) for t in targets]
        for k in range(depth):
            w = b.load(self._floats(block + k * self.n), typ=vector, align=4)
            for j, first in enumerate(x):
                element = splat(b.load(self._floats(first + k * step), typ=F32))
                found[j] = b.fadd(found[j], b.fmul(element, w))
        for t, s in zip(targets, found, strict=True):
            b.store(s, t, align=4)
