"""What the unit programs of one function share: units, memories, constants, symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, StringAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from headrace.arch import Device
from headrace.ir.construct import create_op
from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow, symbol
from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_name, integer_attr
from headrace.numerics import dtypes
from headrace.scheduler.lower.memrefs import Chains
from headrace.scheduler.lower.values import SYMBOL_OPS, Expr, StaticValues, is_symbolic

INDEX = IndexType()


@dataclass(frozen=True)
class Unit:
    """One execution unit instance."""

    kind: str
    core: int
    corelet: int
    handle: SSAValue


class SymbolNumbers:
    """Symbol ids of one module, downwards from the last kernel input."""

    def __init__(self, inputs: int):
        self.last = -inputs

    def fresh(self) -> int:
        """The next unused id."""
        self.last -= 1
        return self.last


def memory_tag(device: Device, kind: str) -> str:
    """Name of a memory in DataflowIR: `hbm` and `lx` for what the device calls global and ct_local, else its kind."""
    for level, tag, spaces in ((0, "hbm", ("global", "HBM")), (1, "lx", ("ct_local", "LX"))):
        names = {f"#ktdp.memory_space<{spaces[0]}>", f"#ktdp.spyre_memory_space<{spaces[1]}>"}
        memories = list(device.memories.values())
        found = next((m.kind for m in memories if any(str(a) in names for a in m.aliases)), None)
        if found is None:
            found = next((m.kind for m in memories if m.level == level), None)
        if found == kind:
            return tag
    return kind.lower()


def bits_type(kind: Attribute) -> IntegerType | None:
    """The integer type that carries the bits of a float type, None for other types."""
    name = dtype_name(kind)
    if name is None or not dtypes.get(name).is_float:
        return None
    return IntegerType(dtypes.get(name).bits)


class Program:
    """State of the lowering of one function; collects the ops that go before its program units."""

    def __init__(
        self,
        func: Operation,
        device: Device,
        inputs: Mapping[SSAValue, Expr],
        input_ids: Mapping[int, int],
        numbers: SymbolNumbers,
    ):
        """`inputs` maps arguments fixed at launch to expressions, `input_ids` argument numbers to kernel symbol ids."""
        self.func = func
        self.device = device
        self.numbers = numbers
        self.input_ids = dict(input_ids)
        self.chains = Chains()
        self.static = StaticValues(inputs)
        self.block = Block(arg_types=[a.type for a in func.regions[0].block.args])
        self.args = dict(zip(func.regions[0].block.args, self.block.args, strict=True))
        for old, new in self.args.items():
            new.name_hint = old.name_hint
        self.constants: list[Operation] = []
        self.handles: list[Operation] = []
        self.memories: list[Operation] = []
        self.definitions: list[Operation] = []
        self.programs: list[Operation] = []
        self.units: dict[str, list[Unit]] = {}
        self.by_place: dict[tuple[str, int, int], Unit] = {}
        self.corelets: dict[str, int] = {}
        self._constants: dict[tuple[int, Attribute], SSAValue] = {}
        self._memories: dict[str, dict[int, SSAValue]] = {}
        self._defined: dict[Expr, SSAValue] = {}
        self._ids: dict[Expr, int] = {}
        self._declared: set[int] = set()

    def add_units(self, ops: Iterable[Operation]) -> dict[SSAValue, Unit]:
        """Take over the `dataflow.get_unit`s of the function; returns the unit of each handle."""
        found: dict[SSAValue, Unit] = {}
        for op in list(ops):
            assert isinstance(op, dataflow.GetUnitOp)
            core = op.attributes.get("core")
            if not isinstance(core, IntegerAttr):
                raise error(op, "dataflow.get_unit must have 'core' attribute")
            corelet = op.attributes.get("corelet")
            number = corelet.value.data if isinstance(corelet, IntegerAttr) else 0
            kind = self.unit_kind(op)
            op.detach()
            self.handles.append(op)
            unit = Unit(kind, core.value.data, number, op.results[0])
            found[op.results[0]] = unit
            self.units.setdefault(kind, []).append(unit)
            self.by_place[kind, unit.core, unit.corelet] = unit
            self.corelets[kind] = max(self.corelets.get(kind, 1), number + 1)
        for units in self.units.values():
            units.sort(key=lambda u: (u.core, u.corelet))
        return found

    def unit_kind(self, op: dataflow.GetUnitOp) -> str:
        """Device kind of a unit handle: `headrace.kind`, else its `type` compared without case."""
        attr = op.attributes.get("headrace.kind")
        if isinstance(attr, StringAttr):
            return attr.data
        tag = op.unit_type.data
        for kind in self.device.units:
            if kind.lower() == tag.lower():
                return kind
        raise error(op, f"ktdflowering-to-dfir: could not resolve component type for unit operand: '{tag}'")

    def constant(self, value: int, kind: Attribute = INDEX) -> SSAValue:
        """The function's one `arith.constant` of this value and type."""
        key = (value, kind)
        known = self._constants.get(key)
        if known is not None:
            return known
        attr: Attribute = BoolAttr.from_bool(bool(value)) if kind == i1 else integer_attr(value, kind)  # type: ignore[arg-type]
        op = create_op(arith.ConstantOp, (), (kind,), {"value": attr})
        copy_loc(self.func, op)
        if kind == INDEX and value >= 0:
            op.result.name_hint = f"c{value}"
        self.constants.append(op)
        self._constants[key] = op.result
        return op.result

    def memory(self, kind: str) -> dict[int, SSAValue]:
        """Handles of a memory by core; one handle under -1 for memories that are not a core's scratchpad."""
        if kind not in self._memories:
            tag = memory_tag(self.device, kind)
            handles: dict[int, SSAValue] = {}
            per_core = self.device.memory_level(kind) == 1
            cores = sorted({u.core for units in self.units.values() for u in units}) if per_core else [-1]
            for core in cores:
                name = f"C{core}-{tag}" if per_core else tag
                op = dataflow.GetUnitOp(name, tag, core if per_core else None)
                op.attributes["headrace.kind"] = StringAttr(kind)
                copy_loc(self.func, op)
                self.memories.append(op)
                handles[core] = op.unit
            self._memories[kind] = handles
        return self._memories[kind]

    def declare_inputs(self) -> None:
        """Declare every index argument that is a kernel input."""
        for number, arg in enumerate(self.block.args):
            if number in self.input_ids and arg.type == INDEX:
                self._declare(number)

    def _declare(self, number: int) -> int:
        ident = self.input_ids[number]
        if number not in self._declared:
            self._declared.add(number)
            arg: SSAValue = self.block.args[number]
            value = arg if arg.type == INDEX else self.define(("arg", number))
            self._define(symbol.CreateIdOp(value, ident))
        return ident

    def _define(self, op: Operation) -> Operation:
        op.location = self.func.location
        self.definitions.append(op)
        return op

    def symbol(self, expr: Expr, origin: Operation, word: bool = False) -> int:
        """Number of the symbol that holds `expr` (no tile id left in it); `word`: an address divided by a word size."""
        if expr[0] == "arg" and expr[1] in self.input_ids:
            return self._declare(expr[1])
        if not is_symbolic(expr):
            raise error(
                origin,
                "start address is computed from a run input by an operation whose definition cannot be written as a "
                "symbol expression",
            )
        if expr not in self._ids:
            value = self.define(expr)
            if expr[0] == "div" and not word:  # a symbol that is defined by a division is read as an address in words
                value = self._define(arith.AddiOp(value, self.constant(0))).results[0]
            self._ids[expr] = self.numbers.fresh()
            self._define(symbol.CreateIdOp(value, self._ids[expr]))
        return self._ids[expr]

    def define(self, expr: Expr) -> SSAValue:
        """Index value of `expr` at function level, over the function's own arguments."""
        if expr[0] == "const":
            return self.constant(expr[1])
        if expr not in self._defined:
            if expr[0] == "arg":
                self._defined[expr] = self._as_index(self.block.args[expr[1]])
            else:
                operands = [self.define(a) for a in expr[1:]]
                op = create_op(SYMBOL_OPS[expr[0]][1], operands, (INDEX,))
                self._defined[expr] = self._define(op).results[0]
        return self._defined[expr]

    def _as_index(self, arg: SSAValue) -> SSAValue:
        """An argument as an index: integers by value, floats by their bits, a `runtime_arg` by its value."""
        if isinstance(arg.type, IntegerType):
            return self._define(arith.IndexCastOp(arg, INDEX)).results[0]
        if arg.type == INDEX:
            return arg
        carrier = bits_type(arg.type)
        if carrier is not None:
            bits = self._define(arith.BitcastOp(arg, carrier)).results[0]
            return self._define(arith.IndexCastOp(bits, INDEX)).results[0]
        old = next(old for old, new in self.args.items() if new is arg)
        for use in old.uses:
            op = use.operation
            if op.name == "ktdp.runtime_arg_extract" and self.static.expr(op.results[0]) == self.static.inputs.get(old):
                return self.define_result(self._define(op.clone({old: arg})).results[0])
        raise error(self.func, f"an argument of type {arg.type} cannot be a symbol")

    def define_result(self, value: SSAValue) -> SSAValue:
        """An integer of the function level as an index."""
        return value if value.type == INDEX else self._define(arith.IndexCastOp(value, INDEX)).results[0]

    def finish(self) -> None:
        """Replace the function's body by the collected operations and the program units."""
        region = self.func.regions[0]
        old = region.block
        terminator = old.last_op
        assert terminator is not None
        for op in (*self.constants, *self.handles, *self.memories, *self.definitions, *self.programs):
            self.block.add_op(op)
        if terminator.operands:
            raise error(terminator, "a program must not return values")
        terminator.detach()
        self.block.add_op(terminator)
        region.detach_block(old)
        old.erase(safe_erase=False)
        region.add_block(self.block)
