"""DataflowIR to instructions: the program of one unit kind.

A ``program_unit`` body becomes one code section. Index arithmetic is kept as linear forms and turned into ``ADDR``
where a register is needed; what differs between instances (peers, symbols, per-core constants) becomes a word of the
parameter block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, StringAttr, VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet

from headrace.codegen import symbols
from headrace.codegen.builder import CodeBuilder, Located
from headrace.codegen.isa import VType
from headrace.codegen.linear import Linear, UnsupportedAffine, apply_expr, box, is_identity, layout_strides
from headrace.codegen.symbols import Expr
from headrace.codegen.units import UnitHandle, UnitTable
from headrace.ir.diagnostics import error
from headrace.ir.dialects.dataflow import CustomVectorType
from headrace.ir.types import dtype_of
from headrace.numerics import dtypes


@dataclass(frozen=True)
class Handle:
    """A unit or memory, per instance."""

    units: tuple[UnitHandle, ...]


@dataclass(frozen=True)
class Vector:
    """A vector register."""

    reg: int
    type: VType


@dataclass(frozen=True)
class View:
    """A memory view: memory number, byte address of its start, byte stride per dimension."""

    memory: int
    start: Linear
    strides: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Mapping:
    """A mapping from unit handles (by name) or constants to values."""

    entries: dict[Any, Any]


@dataclass
class ProgramContext:
    """What the units of one program share.

    ``symbols``: symbol id -> expression over kernel inputs (``input``) and program arguments (``iv`` of ``("arg",
    k)``). ``arguments``: expressions that the sequencer must pass, in argument order. ``starts``: leaves (kernel
    inputs, program arguments) used as addresses, with the element type found there.
    """

    units: UnitTable
    symbols: dict[int, Expr]
    arguments: list[Expr] = field(default_factory=list)
    starts: dict[Expr, str] = field(default_factory=dict)

    def argument(self, e: Expr) -> int:
        """Number of the CALL argument that carries ``e``."""
        if e not in self.arguments:
            self.arguments.append(e)
        return self.arguments.index(e)


@dataclass
class Outside:
    """What stands before the program units of a body: constants, unit handles, mappings and symbols, looked up once
    for all of them, and the operations that each program unit computes for itself."""

    program: ProgramContext
    env: dict[SSAValue, Any] = field(default_factory=dict)
    rest: list[Operation] = field(default_factory=list)

    def add(self, op: Operation) -> None:
        """Take the next operation."""
        evaluate = _LOOKUPS.get(op.name)
        if evaluate is None or any(isinstance(r.type, VectorType | CustomVectorType) for r in op.results):
            self.rest.append(op)
        elif all(v in self.env for v in op.operands):
            self.env[op.results[0]] = evaluate(self.program, self.env, op)
        else:
            self.rest.append(op)


def _constant(program: ProgramContext, env: dict[SSAValue, Any], op: Operation) -> Linear:
    return Linear(constant_value(op))


def _get_unit(program: ProgramContext, env: dict[SSAValue, Any], op: Operation) -> Handle:
    return Handle((program.units.handle(op),))


def _mapping(program: ProgramContext, env: dict[SSAValue, Any], op: Any) -> Mapping:
    entries: dict[Any, Any] = {}
    for key, value in zip(op.keys, op.values, strict=True):
        k = env.get(key)
        name = k.units[0].name if isinstance(k, Handle) else k.const if isinstance(k, Linear) else None
        entries[name] = env.get(value)
    return Mapping(entries)


def _symbol(program: ProgramContext, env: dict[SSAValue, Any], op: Operation) -> Linear | tuple[Expr]:
    number: Any = op.attributes.get("SymbolId")
    e = program.symbols.get(number.value.data) if number is not None else None
    if e is None:
        raise error(op, f"symbol {number and number.value.data} is read but not declared by the program's function")
    return Linear(e.value) if e.value is not None else (e,)


_LOOKUPS: dict[str, Callable[[ProgramContext, dict[SSAValue, Any], Any], Any]] = {
    "arith.constant": _constant,
    "dataflow.get_unit": _get_unit,
    "uniform.def_immutable_mapping": _mapping,
    "symbol.create_symbol": _symbol,
}
"""Operations that only name something: their meaning is the same for every unit."""


@dataclass
class SectionCode:
    """Selected code of one program unit: parameter words per instance are expressions (constants or launch symbols)."""

    kind: str
    units: list[UnitHandle]
    code: list[Located]
    params: list[tuple[Expr, ...]]


_INDEX_OPS = {
    "arith.addi": "ADD",
    "arith.subi": "SUB",
    "arith.muli": "MUL",
    "arith.divsi": "DIVS",
    "arith.remsi": "REMS",
    "arith.divui": "DIVU",
    "arith.remui": "REMU",
    "arith.floordivsi": "FLOORDIVS",
    "arith.ceildivsi": "CEILDIVS",
    "arith.ceildivui": "CEILDIVU",
    "arith.minsi": "MINS",
    "arith.maxsi": "MAXS",
    "arith.minui": "MINU",
    "arith.maxui": "MAXU",
    "arith.andi": "AND",
    "arith.ori": "OR",
    "arith.xori": "XOR",
    "arith.shli": "SHL",
    "arith.shrsi": "SHRS",
    "arith.shrui": "SHRU",
}
_MAY_TRAP = {"DIVS", "REMS", "DIVU", "REMU", "FLOORDIVS", "CEILDIVS", "CEILDIVU"}
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


class Selector:
    """Selects the code of one ``dataflow.program_unit``."""

    def __init__(self, program: ProgramContext, op: Operation, outside: Outside, arguments: dict[SSAValue, Expr]):
        """``outside``: what stands before the program unit; ``arguments``: what the body function is called with."""
        self.program = program
        self.table = program.units
        self.op = op
        self.env: dict[SSAValue, Any] = {v: (e,) if e.value is None else Linear(e.value) for v, e in arguments.items()}
        self.env |= outside.env
        self.builder = CodeBuilder()
        self._peers: dict[SSAValue, tuple[Expr, ...]] = {}
        self.params: list[tuple[Expr, ...]] = []
        self._origin: dict[int, tuple[Expr, ...]] = {}
        self._dispatch: dict[str, Callable[[Operation], None]] = {
            "scf.for": self._for,
            "scf.if": self._if,
            "arith.cmpi": self._cmpi,
            "arith.select": self._select,
            "arith.index_cast": self._index_cast,
            "arith.extui": self._index_cast,
            "arith.trunci": self._index_cast,
            "arith.extsi": self._index_cast,
            "affine.apply": self._affine_apply,
            "uniform.query_map": self._query,
            "dataflow.get_logical_memory_view": self._view,
            "dataflow.send": self._send,
            "dataflow.receive": self._receive,
            "dataflow.sync_send": self._signal,
            "dataflow.sync_recv": self._signal,
            "agen.vector_load": self._load,
            "agen.vector_store": self._store,
            "agen.composite_load_and_store": self._transfer,
            "agen.composite_indirect_load_and_store": self._indirect_transfer,
        }
        from headrace.codegen.select_matrix import MATRIX_OPS
        from headrace.codegen.select_vector import VECTOR_OPS

        self._vector_ops = VECTOR_OPS | MATRIX_OPS
        self.units: list[UnitHandle] = []
        for outer in outside.rest:
            self.builder.op = outer
            self.select(outer)
        self.units = [self.handle(u, op).units[0] for u in op.operands]
        if not self.units:
            raise error(op, "program unit without units")
        self.kind = self.units[0].kind
        other = next((u for u in self.units if u.kind != self.kind or u.memory), None)
        if other is not None:
            raise error(op, f"a program unit runs on one kind of unit, found '{self.kind}' and '{other.name}'")
        for unit in self.units:
            self.table.number(unit)

    # -- driver ------------------------------------------------------------------------------------------------------
    def run(self) -> SectionCode:
        """The section's code and parameter words."""
        block = self.op.regions[0].block
        for argument in block.args:
            self.env[argument] = Handle(tuple(self.units))
        self.body(block)
        return SectionCode(self.kind, self.units, self.builder.finish(), self.params)

    def body(self, block: Block) -> None:
        """Select the operations of a block, without its terminator's effect."""
        for op in block.ops:
            self.builder.op = op
            try:
                self.select(op)
            except UnsupportedAffine as e:
                raise error(op, f"'{op.name}': {e}") from None

    def select(self, op: Operation) -> None:
        """Select one operation."""
        if op.name in ("scf.yield", "dataflow.return", "agen.yield"):
            return
        on_vectors = any(isinstance(r.type, VectorType | CustomVectorType) for r in op.results)
        if on_vectors and op.name.startswith("arith."):
            self._vector_ops["elementwise"](self, op)
        elif op.name in _LOOKUPS:
            self.env[op.results[0]] = _LOOKUPS[op.name](self.program, self.env, op)
        elif op.name in self._dispatch:
            self._dispatch[op.name](op)
        elif op.name in self._vector_ops:
            self._vector_ops[op.name](self, op)
        elif on_vectors:
            self._vector_ops["elementwise"](self, op)
        elif op.name in _INDEX_OPS:
            self._arith(op)
        else:
            raise error(op, f"code generation: '{op.name}' has no instruction")

    # -- values ------------------------------------------------------------------------------------------------------
    def lin(self, value: SSAValue, op: Operation) -> Linear:
        """Linear form of an index or integer scalar."""
        got = self.env.get(value)
        if isinstance(got, Linear):
            return got
        if isinstance(got, tuple):
            return self.per_unit(got)
        raise error(op, f"'{op.name}': operand is no scalar that a unit can compute")

    def reg(self, value: SSAValue, op: Operation) -> int:
        """Register holding a scalar."""
        return self.builder.value(self.lin(value, op))

    def handle(self, value: SSAValue, op: Operation) -> Handle:
        """Units that a handle names, one per instance (or one for all)."""
        got = self.env.get(value)
        if isinstance(got, Handle):
            return got
        raise error(op, f"'{op.name}': operand is no unit handle")

    def vector(self, value: SSAValue, op: Operation) -> Vector:
        """Vector register of a value."""
        got = self.env.get(value)
        if isinstance(got, Vector):
            return got
        raise error(op, f"'{op.name}': operand is no vector")

    def new_vector(self, value: SSAValue) -> Vector:
        """A fresh vector register for a result."""
        v = Vector(self.builder.register("v"), self.vtype(value))
        self.env[value] = v
        return v

    def vtype(self, value: SSAValue) -> VType:
        """Vector type of a value, flattened."""
        t: Any = value.type
        lanes = t.get_num_elements() if isinstance(t, CustomVectorType) else t.element_count()
        return VType(dtype_of(t.element_type).name, lanes)

    def per_unit(self, values: Sequence[Expr]) -> Linear:
        """A scalar that has one expression per instance: an immediate, a parameter word, or a CALL argument."""
        first = values[0]
        same = all(v == first for v in values)
        if same and first.value is not None:
            return Linear(first.value)
        if all(v.at_launch for v in values):
            reg = self._param(tuple(values))
        elif same:
            reg = self.builder.pure("ARG", "rd", [], index=self.program.argument(first))
        else:
            numbers = tuple(symbols.const(self.program.argument(v)) for v in values)
            index = self.builder.value(self.per_unit(numbers))
            reg = self.builder.pure("ARGX", "rd", [("r", index)], ra=index)
        self._origin[reg] = tuple(values)
        return Linear.of(reg)

    def _param(self, values: tuple[Expr, ...]) -> int:
        if len(values) == 1:
            values = values * len(self.units)
        if values not in self.params:
            self.params.append(values)
        from headrace.codegen.image import FIRST_FREE_PARAM

        return self.builder.pure("PARAM", "rd", [], index=FIRST_FREE_PARAM + self.params.index(values))

    def peer(self, value: SSAValue, op: Operation) -> int:
        """Register holding the unit number of a peer."""
        numbers = self._peers.get(value)
        if numbers is None:
            handle = self.handle(value, op)
            if any(u.memory for u in handle.units):
                raise error(op, f"'{op.name}': a memory cannot be a peer")
            numbers = self._peers[value] = tuple(symbols.const(self.table.number(u)) for u in handle.units)
        return self.builder.value(self.per_unit(numbers))

    # -- values per unit ---------------------------------------------------------------------------------
    def _query(self, op: Any) -> None:
        mapping, key = self.env.get(op.map), self.env.get(op.key)
        if not isinstance(mapping, Mapping) or not isinstance(key, Handle):
            raise error(op, "'uniform.query_map' must be keyed by the unit of the enclosing program unit")
        missing = next((u for u in key.units if u.name not in mapping.entries), None)
        if missing is not None:
            raise error(op, f"the mapping has no entry for unit '{missing.name}'")
        values = [mapping.entries[u.name] for u in key.units]
        if all(isinstance(v, Handle) for v in values):
            self.env[op.results[0]] = Handle(tuple(v.units[0] for v in values))
        elif all(isinstance(v, tuple) or (isinstance(v, Linear) and v.is_const) for v in values):
            exprs = [
                v[min(k, len(v) - 1)] if isinstance(v, tuple) else symbols.const(v.const) for k, v in enumerate(values)
            ]
            self.env[op.results[0]] = self._collapse(exprs)
        else:
            raise error(op, "a mapping's values must be units, constants or symbols")

    def _collapse(self, values: list[Expr]) -> Any:
        if all(v == values[0] for v in values) and values[0].value is not None:
            return Linear(values[0].value)
        return tuple(values)

    # -- scalar arithmetic --------------------------------------------------------------------------------------------
    def _arith(self, op: Operation) -> None:
        a, b = self.lin(op.operands[0], op), self.lin(op.operands[1], op)
        self.env[op.results[0]] = self.arith(_INDEX_OPS[op.name], a, b)

    def arith(self, name: str, a: Linear, b: Linear) -> Linear:
        """``a name b``, kept as a linear form where that is exact."""
        if name == "ADD":
            return a + b
        if name == "SUB":
            return a - b
        if name == "MUL" and (a.is_const or b.is_const):
            return a * b.const if b.is_const else b * a.const
        if a.is_const and b.is_const and (folded := _fold(name, a.const, b.const)) is not None:
            return Linear(folded)
        ra, rb = self.builder.value(a), self.builder.value(b)
        if name in _MAY_TRAP and not (b.is_const and b.const):
            rd = self.builder.register()
            self.builder.emit(name, rd=rd, ra=ra, rb=rb)
            return Linear.of(rd)
        return Linear.of(self.builder.scalar(name, ra, rb))

    def _nonlinear(self, what: str, a: Linear, b: Linear) -> Linear:
        match what:
            case "floordiv":
                return self.arith("FLOORDIVS", a, b)
            case "ceildiv":
                return self.arith("CEILDIVS", a, b)
            case "mul":
                return self.arith("MUL", a, b)
            case _:
                return a - self.arith("MUL", self.arith("FLOORDIVS", a, b), b)

    def _cmpi(self, op: Any) -> None:
        a, b = self.lin(op.operands[0], op), self.lin(op.operands[1], op)
        pred = _PREDICATES[op.predicate.value.data]
        if a.is_const and b.is_const:
            self.env[op.results[0]] = Linear(int(_compare(pred, a.const, b.const)))
            return
        ra, rb = self.builder.value(a), self.builder.value(b)
        rd = self.builder.pure("CMP", "rd", [("r", ra), ("r", rb)], pred=pred, ra=ra, rb=rb)
        self.env[op.results[0]] = Linear.of(rd)

    def _select(self, op: Operation) -> None:
        cond, t, f = (self.lin(v, op) for v in op.operands)
        if cond.is_const:
            self.env[op.results[0]] = t if cond.const else f
            return
        c, rt, rf = (self.builder.value(x) for x in (cond, t, f))
        rd = self.builder.pure("SEL", "rd", [("r", c), ("r", rt), ("r", rf)], cond=c, rt=rt, rf=rf)
        self.env[op.results[0]] = Linear.of(rd)

    def _index_cast(self, op: Operation) -> None:
        self.env[op.results[0]] = self.lin(op.operands[0], op)

    def _affine_apply(self, op: Any) -> None:
        m: AffineMap = op.map.data
        args = [self.lin(v, op) for v in op.operands]
        dims, syms = args[: m.num_dims], args[m.num_dims :]
        self.env[op.results[0]] = apply_expr(m.results[0], dims, syms, self._nonlinear)

    # -- control ------------------------------------------------------------------------------------------------------
    def _for(self, op: Any) -> None:
        b = self.builder
        lb, ub, step = (self.reg(v, op) for v in (op.lb, op.ub, op.step))
        carried = [self._assign_new(v, op, depth=b.depth + 1) for v in op.iter_args]
        iv = b.register(depth=b.depth + 1)
        b.open()
        self.env[op.body.block.args[0]] = Linear.of(iv)
        for argument, holder in zip(op.body.block.args[1:], carried, strict=True):
            self.env[argument] = holder
        self.body(op.body.block)
        b.op = op
        self._assign_all(carried, list(op.body.block.last_op.operands), op)
        body = b.close()
        b.emit("LOOP", iv=iv, lb=lb, ub=ub, step=step)
        b.append(body)
        b.emit("ENDLOOP")
        for result, holder in zip(op.results, carried, strict=True):
            self.env[result] = self._copy(holder)

    def _if(self, op: Any) -> None:
        b = self.builder
        cond = self.lin(op.cond, op)
        if cond.is_const:
            region = op.true_region if cond.const else op.false_region
            if region.blocks:
                self.body(region.block)
                for result, value in zip(op.results, region.block.last_op.operands, strict=True):
                    self.env[result] = self.env[value]
            return
        holders = [self._holder(r) for r in op.results]
        branches = []
        for region in (op.true_region, op.false_region):
            b.open()
            if region.blocks:
                self.body(region.block)
                b.op = op
                if op.results:
                    self._assign_all(holders, list(region.block.last_op.operands), op)
            branches.append(b.close())
        condition = b.value(cond)
        if not any(branches):
            return
        b.emit("IF", cond=condition)
        b.append(branches[0])
        if branches[1]:
            b.emit("ELSE")
            b.append(branches[1])
        b.emit("ENDIF")
        for result, holder in zip(op.results, holders, strict=True):
            self.env[result] = holder

    def _holder(self, value: SSAValue, depth: int | None = None) -> Linear | Vector:
        """A register that is assigned more than once."""
        if isinstance(value.type, IndexType | IntegerType):
            return Linear.of(self.builder.register("r", depth))
        return Vector(self.builder.register("v", depth), self.vtype(value))

    def _assign_new(self, value: SSAValue, op: Operation, depth: int) -> Linear | Vector:
        holder = self._holder(value, depth)
        self._assign_all([holder], [value], op)
        return holder

    def _copy(self, holder: Linear | Vector) -> Linear | Vector:
        b = self.builder
        if isinstance(holder, Linear):
            rd = b.register()
            b.emit("MOV", rd=rd, ra=holder.terms[0][0])
            return Linear.of(rd)
        vd = b.register("v")
        b.emit("VMOV", vd=vd, va=holder.reg, type=holder.type)
        return Vector(vd, holder.type)

    def _assign_all(self, holders: Sequence[Linear | Vector], values: Sequence[SSAValue], op: Operation) -> None:
        """Parallel assignment: all values are read before any holder is written."""
        b = self.builder
        sources: list[int] = []
        written = {h.terms[0][0] for h in holders if isinstance(h, Linear)}
        written_v = {h.reg for h in holders if isinstance(h, Vector)}
        for holder, value in zip(holders, values, strict=True):
            if isinstance(holder, Linear):
                reg = self.reg(value, op)
                if reg in written and len(holders) > 1:
                    copy = b.register()
                    b.emit("MOV", rd=copy, ra=reg)
                    reg = copy
            else:
                v = self.vector(value, op)
                reg = v.reg
                if reg in written_v and len(holders) > 1:
                    reg = b.register("v")
                    b.emit("VMOV", vd=reg, va=v.reg, type=v.type)
            sources.append(reg)
        for holder, reg in zip(holders, sources, strict=True):
            if isinstance(holder, Linear):
                b.emit("MOV", rd=holder.terms[0][0], ra=reg)
            else:
                b.emit("VMOV", vd=holder.reg, va=reg, type=holder.type)

    # -- memory -------------------------------------------------------------------------------------------------------
    def _view(self, op: Any) -> None:
        handle = self.handle(op.unit, op)
        memory = self.table.memory(handle.units[0], op)
        units = handle.units if len(handle.units) > 1 else handle.units * len(self.units)
        if memory.scope == "core":
            far = next((m for m, u in zip(units, self.units, strict=True) if m.core != u.core), None)
            if far is not None:
                raise error(op, f"a unit cannot reach another core's scratchpad '{far.name}'")
        constant, strides = layout_strides(op.layout_map.data)
        element = dtype_of(op.result.type.element_type)
        start = self.lin(op.start, op)
        symbolic = [e for reg, _ in start.terms for e in self._origin.get(reg, ()) if e.value is None]
        if memory.scope == "global":
            for leaf in sorted({leaf for e in symbolic for leaf in symbols.linear_leaves(e)}, key=repr):
                self.program.starts.setdefault(leaf, element.name)
        attr = op.attributes.get("headrace.start_unit")
        if isinstance(attr, StringAttr):
            unit = attr.data
        else:
            unit = "byte" if memory.scope != "global" else "word" if symbolic else "element"
        scale = {
            "byte": 1,
            "element": element.bytes,
            "word": self.table.word_size(self.kind, memory.kind),
        }.get(unit)
        if scale is None:
            raise error(op, f"unknown headrace.start_unit '{unit}' (word, element or byte)")
        start = start * scale + Linear(constant * element.bytes)
        number = self.table.memory_number(memory)
        self.env[op.results[0]] = View(number, start, tuple(s * element.bytes for s in strides), element.name)

    def view(self, value: SSAValue, op: Operation) -> View:
        """The memory view of a memref value."""
        got = self.env.get(value)
        if isinstance(got, View):
            return got
        raise error(op, f"'{op.name}': operand is no memory view")

    def _address(self, view: View, m: AffineMap, operands: Sequence[SSAValue], op: Operation) -> Linear:
        args = [self.lin(v, op) for v in operands]
        dims, syms = args[: m.num_dims], args[m.num_dims :]
        form = view.start
        for e, stride in zip(m.results, view.strides, strict=True):
            form = form + apply_expr(e, dims, syms, self._nonlinear) * stride
        return form

    def _vector_box(
        self, view: View, s: AffineSet, order: AffineMap, op: Operation
    ) -> tuple[Linear, list[tuple[int, int]]]:
        """Byte displacement and (extent, byte stride) dims of a vector access; dims of extent 1 are dropped."""
        if not is_identity(order):
            raise error(op, f"'{op.name}': only the identity packing order has an address generator")
        if s.num_dims != len(view.strides):
            raise error(op, f"'{op.name}': the access set has {s.num_dims} dimensions, the view {len(view.strides)}")
        disp, dims = 0, []
        for extent, stride in zip(box(s), view.strides, strict=True):
            if not extent.count.is_const:
                raise error(op, f"'{op.name}': the number of vector elements must be static")
            disp += extent.lower * stride
            if extent.count.const != 1:
                dims.append((extent.count.const, stride))
        return Linear(disp), dims

    def _load(self, op: Any) -> None:
        view = self.view(op.mem_ref, op)
        disp, dims = self._vector_box(view, op.load_set.data, op.load_order.data, op)
        address = self.builder.value(self._address(view, op.affine_map.data, op.map_operands, op) + disp)
        v = self.new_vector(op.result)
        self._check_lanes(dims, v.type, view, op)
        self.builder.emit("VLD", vd=v.reg, mem=view.memory, address=address, type=v.type, dims=_vec_dims(dims, view))

    def _store(self, op: Any) -> None:
        view = self.view(op.mem_ref, op)
        v = self.vector(op.value, op)
        disp, dims = self._vector_box(view, op.store_set.data, op.store_order.data, op)
        self._check_lanes(dims, v.type, view, op)
        address = self.builder.value(self._address(view, op.affine_map.data, op.map_operands, op) + disp)
        self.builder.emit("VST", va=v.reg, mem=view.memory, address=address, type=v.type, dims=_vec_dims(dims, view))

    def _check_lanes(self, dims: list[tuple[int, int]], t: VType, view: View, op: Operation) -> None:
        points = 1
        for n, _ in dims:
            points *= n
        if points != t.lanes:
            raise error(op, f"'{op.name}': the access set has {points} points, the vector {t.lanes} lanes")
        if view.dtype != t.dtype:
            raise error(op, f"'{op.name}': the view holds {view.dtype}, the vector {t.dtype}")

    def _transfer(self, op: Any) -> None:
        from headrace.codegen.transfer import select_transfer

        select_transfer(self, op)

    def _indirect_transfer(self, op: Any) -> None:
        from headrace.codegen.transfer import select_indirect

        select_indirect(self, op)

    # -- links --------------------------------------------------------------------------------------------------------
    def _send(self, op: Any) -> None:
        v = self.vector(op.data, op)
        self.builder.emit("SEND", va=v.reg, peer=self.peer(op.unit, op), type=v.type)

    def _receive(self, op: Any) -> None:
        peer = self.peer(op.unit, op)
        v = self.new_vector(op.results[0])
        self.builder.emit("RECV", vd=v.reg, peer=peer, type=v.type)

    def _signal(self, op: Any) -> None:
        number = op.attributes.get("headrace.signal")
        name = "SIGNAL" if op.name == "dataflow.sync_send" else "WAIT"
        self.builder.emit(name, peer=self.peer(op.unit, op), id=number.value.data if number is not None else 0)


def _vec_dims(dims: list[tuple[int, int]], view: View) -> tuple[Any, ...]:
    from headrace.codegen.isa import VecDim

    merged: list[tuple[int, int]] = []
    for n, stride in dims:
        if merged and merged[-1][1] == n * stride:
            merged[-1] = (merged[-1][0] * n, stride)
        else:
            merged.append((n, stride))
    return tuple(VecDim(n, s) for n, s in merged) or (VecDim(1, dtypes.get(view.dtype).bytes),)


def constant_value(op: Operation) -> int:
    """Integer of an ``arith.constant`` (booleans are 0 and 1)."""
    assert isinstance(op, arith.ConstantOp)
    value: Any = op.value
    data = getattr(getattr(value, "value", None), "data", None)
    if not isinstance(data, int):
        raise error(op, "code generation: a scalar constant of a unit must be an integer")
    return abs(data) if getattr(getattr(value.type, "width", None), "data", None) == 1 else data


def _fold(name: str, a: int, b: int) -> int | None:
    """Constant folding where it is exact for non-negative 63-bit numbers; None otherwise."""
    if name in _MAY_TRAP and b == 0:
        return None
    match name:
        case "MUL":
            return a * b
        case "DIVS":
            return symbols.OPERATIONS["div"](a, b)
        case "REMS":
            return symbols.OPERATIONS["rem"](a, b)
        case "FLOORDIVS":
            return a // b
        case "CEILDIVS":
            return -(-a // b)
        case "MINS":
            return min(a, b)
        case "MAXS":
            return max(a, b)
        case "AND":
            return a & b
        case "OR":
            return a | b
        case "XOR":
            return a ^ b
    if a < 0 or b < 0:
        return None
    match name:
        case "DIVU":
            return a // b
        case "REMU":
            return a % b
        case "CEILDIVU":
            return -(-a // b)
        case "MINU":
            return min(a, b)
        case "MAXU":
            return max(a, b)
    return None


def _compare(pred: str, a: int, b: int) -> bool:
    if pred.startswith("u"):
        a, b = a % (1 << 64), b % (1 << 64)
    match pred.lstrip("su") if pred not in ("eq", "ne") else pred:
        case "eq":
            return a == b
        case "ne":
            return a != b
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case _:
            return a >= b
