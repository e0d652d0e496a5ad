"""Wrapped DataflowIR to SpyreCode: the driver of the code generator."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import SSAValue

from headrace.arch import Device
from headrace.codegen import plan, symbols
from headrace.codegen.builder import Located
from headrace.codegen.coordinator import Call, CoordinatorReader, runtime_arg_parameters, scalar_op
from headrace.codegen.image import FIRST_FREE_PARAM, Image, Program, Section
from headrace.codegen.isa import Instruction
from headrace.codegen.select import Outside, ProgramContext, SectionCode, Selector
from headrace.codegen.sequencer import Callee, Sequencer
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import Expr
from headrace.codegen.units import UnitTable
from headrace.interp.buffer_info import BufferInfo
from headrace.ir.diagnostics import error
from headrace.ir.location import loc_of
from headrace.ir.types import dtype_name

BINARY_NAME = "init_binary.bin"
WORD_BYTES = 8


@dataclass
class _ProgramCode:
    name: str
    context: ProgramContext
    sections: list[SectionCode] = field(default_factory=list)


@dataclass
class _Inputs:
    """Kernel arguments: name, kind (``address``, ``scalar``, ``runtime_arg``) and what is known of their values."""

    names: list[str]
    types: list[Any]


def compile_to_spyrecode(
    module: ModuleOp,
    device: Device,
    *,
    bound: Any = None,
    buffers: Sequence[BufferInfo] = (),
    source: bytes | str | None = None,
    argument_names: Sequence[str] | None = None,
) -> SpyreCode:
    """Generate code for a wrapped DataflowIR module.

    ``bound`` (the scheduler's expression over symbols), ``buffers`` (of :mod:`headrace.interp.buffers`) and the
    SHA-256 of ``source`` go into the manifest. ``argument_names`` overrides the names of the kernel's arguments
    (default: the SSA names of the coordinator function). Raises :class:`HeadraceError` with the location of what has
    no instruction.
    """
    coordinator, programs = _split(module)
    inputs = _inputs(coordinator, argument_names)
    reader = CoordinatorReader(set(programs))
    for k, argument in enumerate(coordinator.body.block.args):
        reader.env[argument] = Expr("input", (k,))
    tree = reader.block(coordinator.body.block)
    table = UnitTable(device)
    called = [name for name in programs if any(c.program == name for c in reader.calls)]
    code = [_program(name, programs[name], [c for c in reader.calls if c.program == name], table) for name in called]
    addresses = _addresses(code, reader.calls, inputs.names, buffers)
    callees = {p.name: Callee(k, p.context.arguments) for k, p in enumerate(code)}
    sequencer = Sequencer(callees, set(addresses)).run(tree)

    patches = _Launch(reader.declared, [p.context.symbols for p in code], set(addresses))
    image = Image(bytes.fromhex(device.digest)[:16], 0, [], [], [], [], [i for i, _ in sequencer.code])
    image.sequencer_params = patches.words(sequencer.params)
    for p in code:
        program = Program(p.name, len(p.context.arguments), [])
        for s in p.sections:
            program.sections.append(_section(s, table, patches))
        image.programs.append(program)
    for e in sequencer.checks:
        patches.slot(e)
    image.kinds, image.units, image.memories = table.kinds, table.image_units(), table.image_memories()
    image.correction_bytes = -(-WORD_BYTES * len(patches.order) // 128) * 128
    _write_correction(image, code, sequencer.params, patches)
    raw = image.encode()
    metadata = patches.metadata(inputs, addresses)
    name = coordinator.sym_name.data
    manifest = _manifest(name, coordinator, device, inputs, addresses, patches, code, bound, buffers, source)
    return SpyreCode(
        preparation=[
            plan.Allocate(image.correction_bytes + len(raw)),
            plan.InitTransfer(BINARY_NAME, plan.PROGRAM_BASE + image.correction_bytes, len(raw)),
        ],
        execution=_execution(image.correction_bytes, metadata, len(inputs.names), name),
        files={BINARY_NAME: raw},
        manifest=manifest,
        debug=_debug(sequencer.code, code, buffers),
    )


def _split(module: ModuleOp) -> tuple[Any, dict[str, ModuleOp]]:
    """The coordinator function and the program modules by name."""
    programs: dict[str, ModuleOp] = {}
    unnamed: list[ModuleOp] = []
    for op in module.body.block.ops:
        if isinstance(op, ModuleOp):
            if op.sym_name is None:
                unnamed.append(op)
            else:
                programs[op.sym_name.data] = op
    functions = [f for m in unnamed for f in _functions(m)]
    if not programs or not functions:
        raise error(
            module, "expected a wrapped DataflowIR module: one unnamed module with the kernel, one module a program"
        )
    if len(functions) > 1:
        names = ", ".join(f"@{f.sym_name.data}" for f in functions)
        raise error(functions[1], f"code generation takes one kernel, the module has {names}")
    return functions[0], programs


def _functions(module: ModuleOp) -> list[Any]:
    return [op for op in module.body.block.ops if op.name == "func.func" and op.regions[0].blocks]


def _inputs(coordinator: Any, names: Sequence[str] | None) -> _Inputs:
    out = _Inputs([], [])
    for k, argument in enumerate(coordinator.body.block.args):
        hint = names[k] if names else argument.name_hint or f"arg{k}"
        if hint in out.names:
            hint = f"{hint}_{k}"
        out.names.append(hint)
        out.types.append(argument.type)
    return out


def _program(name: str, module: ModuleOp, calls: Sequence[Call], table: UnitTable) -> _ProgramCode:
    """Select one program. Its symbols are expressions over kernel inputs where all calls agree, else over call
    arguments."""
    outer = next((f for f in _functions(module) if f.sym_name.data == name), None)
    inner_modules = [op for op in module.body.block.ops if isinstance(op, ModuleOp)]
    body = next((f for m in inner_modules for f in _functions(m) if f.sym_name.data == f"{name}_body"), None)
    if outer is None or body is None:
        raise error(module, f"program '{name}' needs the functions '@{name}' and '@{name}_body'")
    env: dict[SSAValue, Expr] = {}
    for k, argument in enumerate(outer.body.block.args):
        bound = {c.args[k] for c in calls}
        same = next(iter(bound)) if len(bound) == 1 else None
        env[argument] = same if same is not None and same.at_launch else Expr("iv", (("arg", k),))
    declared: dict[int, Expr] = {}
    passed: list[Expr] = []
    for op in outer.body.block.ops:
        if op.name == "symbol.create_id":
            declared[op.symbol_id.value.data] = env[op.value]
        elif op.name == "func.call":
            passed = [env[v] for v in op.operands]
        elif op.name != "func.return" and not scalar_op(env, op):
            raise error(op, f"'{op.name}' has no place in a symbol table")
    context = ProgramContext(table, declared)
    out = _ProgramCode(name, context)
    arguments = dict(zip(body.body.block.args, passed, strict=True))
    outside = Outside(context)
    for op in body.body.block.ops:
        if op.name == "dataflow.program_unit":
            out.sections.append(Selector(context, op, outside, arguments).run())
        elif op.name != "func.return":
            outside.add(op)
    return out


def _addresses(
    code: Sequence[_ProgramCode], calls: Sequence[Call], names: Sequence[str], buffers: Sequence[BufferInfo]
) -> dict[int, str]:
    """Kernel inputs that are addresses, with an element type seen behind them.

    `buffers` tells which inputs the kernel makes views of, though what is loaded there may not reach a program.
    """
    out: dict[int, str] = {}
    for p in code:
        for leaf, dtype in p.context.starts.items():
            if leaf.op == "input":
                out.setdefault(leaf.args[0], dtype)
                continue
            for call in (c for c in calls if c.program == p.name):
                for root in symbols.linear_leaves(call.args[leaf.args[0][1]]):
                    if root.op == "input":
                        out.setdefault(root.args[0], dtype)
    known = {b.root: b.dtype.name for b in buffers if b.root is not None}
    for k, name in enumerate(names):
        if name in known:
            out.setdefault(k, known[name])
    return dict(sorted(out.items()))


class _Launch:
    """Numbers the launch-time values: symbol ids and places in the correction buffer."""

    def __init__(self, declared: dict[int, Expr], programs: Sequence[dict[int, Expr]], addresses: set[int]):
        self.addresses = addresses
        self.ids: dict[Expr, int] = {}
        self.order: dict[Expr, int] = {}
        self._exact: dict[Expr, Expr] = {}
        taken = set(declared)
        used: set[int] = set()
        for table in (declared, *programs):
            for number, e in table.items():
                taken.add(number)
                e = self.exact(e)
                if e.at_launch and e.value is None and e not in self.ids and number not in used:
                    self.ids[e] = number
                    used.add(number)
        self._next = min(taken, default=0) - 1

    def exact(self, e: Expr) -> Expr:
        """``e`` with exact divisions of addresses."""
        found = self._exact.get(e)
        if found is None:
            found = self._exact[e] = symbols.exact_divisions(e, self.addresses)
        return found

    def slot(self, e: Expr) -> int:
        """Offset in the correction buffer of a launch expression."""
        e = self.exact(e)
        if e not in self.ids:
            self.ids[e] = self._next
            self._next -= 1
        return WORD_BYTES * self.order.setdefault(e, len(self.order))

    def words(self, params: Sequence[Expr]) -> list[int]:
        """Initial parameter words: constants as they are, zero where the correction program writes."""
        out = []
        for e in params:
            if e.value is None:
                self.slot(e)
            out.append(e.value or 0)
        return out

    def metadata(self, inputs: _Inputs, addresses: dict[int, str]) -> dict[str, Any]:
        """The ``hcm`` object."""
        used = sorted({i for e in self.order for i in e.inputs})
        ids = {i: self.ids.setdefault(Expr("input", (i,)), -(i + 1)) for i in used}
        entries: list[dict[str, Any]] = []
        for i in used:
            kind = "address" if i in addresses else "dimension"
            entries.append({"id": ids[i], "input": {"kind": kind, "arg": i}})
        for e in sorted(self.order, key=lambda x: -self.ids[x]):
            if e.op != "input":
                entries.append({"id": self.ids[e], "expr": symbols.to_json(e, ids)})
        layout = [{"id": self.ids[e], "offset": WORD_BYTES * k, "width": WORD_BYTES} for k, e in enumerate(self.order)]
        return {"vdci": {}, "senConstants": [], "symbols": entries, "layout": layout}

    def readable(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Symbols for the manifest, in id order."""
        found = sorted(((self.ids[e], e) for e in self.order), key=lambda x: -x[0])
        return [{"id": number, "expression": symbols.readable(e, names)} for number, e in found]


def _section(s: SectionCode, table: UnitTable, launch: _Launch) -> Section:
    units = [table.number(u) for u in s.units]
    blocks = []
    for k, unit in enumerate(s.units):
        words = launch.words([values[k] for values in s.params])
        blocks.append([units[k], unit.core, unit.corelet, *words])
    return Section(table.kind_number(s.kind), units, blocks, [i for i, _ in s.code])


def _write_correction(image: Image, code: Sequence[_ProgramCode], sequencer: Sequence[Expr], launch: _Launch) -> None:
    """Write the PATCH program: offsets are known once the number of patches is."""

    def places() -> list[tuple[int, Expr]]:
        out = []
        for k, e in enumerate(sequencer):
            if e.value is None:
                out.append((image.sequencer_params_offset + WORD_BYTES * k, e))
        for p, program in zip(code, image.programs, strict=True):
            for s, section in zip(p.sections, program.sections, strict=True):
                for instance in range(len(section.units)):
                    at = section.block_offset(instance) + WORD_BYTES * FIRST_FREE_PARAM
                    for k, values in enumerate(s.params):
                        if values[instance].value is None:
                            out.append((at + WORD_BYTES * k, values[instance]))
        return out

    # offsets depend on the length of the program only
    image.correction = [Instruction("PATCH", {"width": WORD_BYTES, "dst": 0, "src": 0})] * len(places())
    image.correction.append(Instruction("HALT", {}))
    image.place()
    image.correction[:-1] = [
        Instruction("PATCH", {"width": WORD_BYTES, "dst": dst, "src": launch.slot(e)}) for dst, e in places()
    ]


def _execution(correction: int, metadata: dict[str, Any], slots: int, name: str) -> list[plan.Command]:
    start = plan.ComputeOnDevice(plan.PROGRAM_BASE + correction, name)
    if not correction:
        return [start]
    return [
        plan.ComputeOnHost("", (str(slots),), "correction", correction, metadata),
        plan.DataTransfer(False, "correction", plan.PROGRAM_BASE, correction),
        start,
    ]


def _manifest(
    name: str,
    coordinator: Any,
    device: Device,
    inputs: _Inputs,
    addresses: dict[int, str],
    launch: _Launch,
    code: Sequence[_ProgramCode],
    bound: Any,
    buffers: Sequence[BufferInfo],
    source: bytes | str | None,
) -> dict[str, Any]:
    arguments = []
    for k, (argument, t) in enumerate(zip(inputs.names, inputs.types, strict=True)):
        entry: dict[str, Any] = {"name": argument, "index": k}
        if k in addresses:
            entry |= {"kind": "address", "dtype": addresses[k]}
        elif isinstance(t, IndexType | IntegerType):
            entry |= {"kind": "scalar"}
        elif (dtype := dtype_name(t)) is not None:
            entry |= {"kind": "scalar", "dtype": dtype}
        else:
            entry |= {"kind": "runtime_arg", **runtime_arg_parameters(t)}
        arguments.append(entry)
    grid = coordinator.attributes.get("grid")
    digest = None
    if source is not None:
        digest = hashlib.sha256(source.encode() if isinstance(source, str) else source).hexdigest()
    return {
        "format": "headrace-spyrecode",
        "version": 1,
        "kernel": name,
        "grid": [getattr(x, "value", x).data for x in grid.data] if grid is not None else [],
        "device": {"name": device.name, "digest": device.digest},
        "arguments": arguments,
        "symbols": launch.readable(inputs.names),
        "programs": [{"name": p.name, "units": {s.kind: len(s.units) for s in p.sections}} for p in code],
        "bound": bound,
        "buffers": [_buffer(b) for b in buffers],
        "source_digest": digest,
    }


def _buffer(b: BufferInfo) -> dict[str, Any]:
    """Manifest entry of a buffer; ``bytes`` is its extent, which starts ``before`` bytes below the argument."""
    return {
        "name": b.name,
        "role": b.role,
        "argument": b.root,
        "address": b.address,
        "space": "local" if b.local else "global",
        "dtype": b.dtype.name,
        "shape": list(b.shape),
        "strides": list(b.strides),
        "bytes": b.extent,
        "before": b.before,
        "index_limit": b.index_limit,
        "index_low": b.index_low,
        "ordered": b.ordered,
        "mixed": b.mixed_types,
    }


def _debug(sequencer: Sequence[Located], code: Sequence[_ProgramCode], buffers: Sequence[BufferInfo]) -> dict[str, Any]:
    """Instruction word -> source location, per section; runs of one location are stored once."""
    locations: list[str] = []

    def lines(items: Sequence[Located]) -> list[list[int]]:
        out: list[list[int]] = []
        word = 0
        for instruction, op in items:
            loc = loc_of(op) if op is not None else None
            number = -1
            if loc is not None:
                text = f"{loc.file}:{loc.line}:{loc.col}"
                if text not in locations:
                    locations.append(text)
                number = locations.index(text)
            if not out or out[-1][1] != number:
                out.append([word, number])
            word += instruction.words
        return out

    programs = [
        {"name": p.name, "sections": [{"kind": s.kind, "lines": lines(s.code)} for s in p.sections]} for p in code
    ]
    return {
        "sequencer": lines(sequencer),
        "programs": programs,
        "locations": locations,
        "buffers": [b.name for b in buffers],
    }
