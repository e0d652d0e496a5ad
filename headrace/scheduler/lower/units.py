"""The program of one unit kind: walk the scheduled function and emit what this kind has to do.

Only operations with work for the kind are visited; index arithmetic is emitted where something asks for it, at the
place where the source computes it. Values known before the program runs become constants, symbols, or a mapping from
unit to constant or symbol, queried once at the top of the unit program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow, symbol, uniform
from headrace.ir.location import copy_loc
from headrace.scheduler.lower.memrefs import resolve
from headrace.scheduler.lower.program import INDEX, Program, Unit
from headrace.scheduler.lower.values import arguments, at_core, depends_on_tile, is_symbolic

T = TypeVar("T", bound=Operation)
Handler = Callable[["UnitProgram", Operation], None]


@dataclass(eq=False)
class Scope:
    """A source block being emitted into a block of the unit program."""

    source: Block | None
    target: Block
    values: dict[SSAValue, SSAValue] = field(default_factory=dict)
    views: dict[object, SSAValue] = field(default_factory=dict)


@dataclass(eq=False)
class Rotation:
    """Where the current start address of a rotating buffer is found: `start` is valid in `scope` and below."""

    scope: Scope
    start: SSAValue


class UnitProgram:
    """Emission state of one `dataflow.program_unit`."""

    def __init__(self, program: Program, kind: str, work: dict[Operation, set[str]], handlers: dict[str, Handler]):
        self.program = program
        self.device = program.device
        self.kind = kind
        self.units = program.units[kind]
        self.work = work
        self.handlers = handlers
        self.block = Block(arg_types=[INDEX])
        self.block.args[0].name_hint = "u"
        self.prologue: list[Operation] = []
        self.scopes: list[Scope] = []
        self.rotations: dict[Operation, Rotation] = {}
        self.rotations_carried: dict[Operation, list[SSAValue]] = {}
        self.rotating_loops: dict[Operation, list[tuple[Operation, list[Operation]]]] = {}
        self.membership: dict[SSAValue, Unit] = {}
        self.origin: Operation = program.func
        self._queries: dict[tuple[int, ...], SSAValue] = {}
        self._numbers: dict[tuple[Attribute | int, ...], SSAValue] = {}
        self._peers: dict[tuple[str, int | None, int], SSAValue] = {}
        self._static: dict[tuple[SSAValue, Attribute], SSAValue | None] = {}
        self._symbols: dict[int, SSAValue] = {}
        self._hoisted: dict[object, SSAValue] = {}
        self.double_buffer_last = program.device.unit(kind).double_buffer_last

    # ---- emission

    def add(self, op: T) -> T:
        """Append `op` at the current place."""
        copy_loc(self.origin, op)
        self.scopes[-1].target.add_op(op)
        return op

    def hoist(self, op: T) -> T:
        """Append `op` to what runs once at the top of the program."""
        copy_loc(self.origin, op)
        self.prologue.append(op)
        return op

    def hoisted(self, key: object, make: Callable[[], SSAValue]) -> SSAValue:
        """The value that `make` emits at the top, once per `key`."""
        if key not in self._hoisted:
            self._hoisted[key] = make()
        return self._hoisted[key]

    def constant(self, value: int, kind: Attribute = INDEX) -> SSAValue:
        """A constant of the function."""
        return self.program.constant(value, kind)

    def per_unit(self, values: Sequence[SSAValue]) -> SSAValue:
        """The value for the running unit; `values` holds one per unit of this program."""
        first = values[0]
        if all(v is first for v in values):
            return first
        key = tuple(map(id, values))  # hashing values takes longer; the mapping keeps them alive
        found = self._queries.get(key)
        if found is None:
            mapping = self.hoist(uniform.DefImmutableMappingOp([u.handle for u in self.units], values))
            query = self.hoist(uniform.QueryMapOp(mapping.result, self.block.args[0], first.type))
            found = self._queries[key] = query.result
        return found

    def numbers(self, values: Sequence[int], kind: Attribute = INDEX) -> SSAValue:
        """A number per unit."""
        if values.count(values[0]) == len(values):
            return self.constant(values[0], kind)
        key = (kind, *values)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self.per_unit([self.constant(v, kind) for v in values])
        return found

    def symbol_value(self, number: int) -> SSAValue:
        """The launch value of a symbol."""
        if number not in self._symbols:
            self._symbols[number] = self.hoist(symbol.CreateSymbolOp(number)).result
        return self._symbols[number]

    def peer(self, kind: str, origin: Operation, corelet: int | None = None, turn: int = 0) -> SSAValue:
        """The unit of `kind` on the running unit's core, of its own corelet, of the one that comes `turn` after it, or
        of the given one."""
        known = self._peers.get((kind, corelet, turn))
        if known is not None:
            return known
        values = []
        for u in self.units:
            place = u.corelet if corelet is None else corelet
            if turn:
                place = (place + turn) % self.program.corelets[kind]
            found = self.program.by_place.get((kind, u.core, place))
            if found is None and corelet is None and self.program.corelets.get(kind) == 1:
                found = self.program.by_place.get((kind, u.core, 0))
            if found is None:
                raise error(origin, f"no units found for FIFO component type: {kind}")
            values.append(found.handle)
        return self._peers.setdefault((kind, corelet, turn), self.per_unit(values))

    # ---- values

    def value(self, v: SSAValue) -> SSAValue:
        """The value in the unit program of a scalar of the source."""
        for scope in reversed(self.scopes):
            found = scope.values.get(v)
            if found is not None:
                return found
        static = self.static_value(v)
        if static is not None:
            return static
        if isinstance(v, BlockArgument):
            raise error(self.origin, f"a block argument of type {v.type} has no scalar value in a unit program")
        return self._emit_definition(v)

    def static_value(self, v: SSAValue) -> SSAValue | None:
        """`v` as a constant, a symbol, or a query, where it is known before the program runs."""
        key = (v, v.type)
        if key not in self._static:
            self._static[key] = self._static_value(v)
        return self._static[key]

    def known(self, v: SSAValue) -> int | None:
        """The number that `v` is on every unit, None where it is not one number."""
        expr = self.program.static.expr(v)
        if expr is None:
            return None
        found = {at_core(expr, u.core) for u in self.units} if depends_on_tile(expr) else {expr}
        single = next(iter(found))
        return single[1] if len(found) == 1 and single[0] == "const" else None

    def _static_value(self, v: SSAValue) -> SSAValue | None:
        expr = self.program.static.expr(v)
        if expr is None:
            return None
        kind = v.type
        exprs = [at_core(expr, u.core) for u in self.units]
        if all(e[0] == "const" for e in exprs):
            return self.numbers([e[1] for e in exprs], kind)
        if kind == i1 or not all(is_symbolic(e) for e in exprs):
            return None
        value = self.per_unit([self.symbol_value(self.program.symbol(e, self.origin)) for e in exprs])
        return value if kind == INDEX else self.hoist(arith.IndexCastOp(value, kind)).result

    def argument_bits(self, v: BlockArgument) -> SSAValue:
        """The bits of a float argument of the function, as an index."""
        return self.symbol_value(self.program.symbol(("arg", v.index), self.origin))

    def _emit_definition(self, v: SSAValue) -> SSAValue:
        op = v.owner
        assert isinstance(op, Operation)
        scope = next((s for s in reversed(self.scopes) if s.source is op.parent), None)
        if scope is None:  # computed at a place this program does not visit, e.g. another stage
            raise error(op, f"a value of '{op.name}' is used by a unit that does not compute it")
        depth = self.scopes.index(scope)
        inner, self.scopes = self.scopes[depth + 1 :], self.scopes[: depth + 1]
        origin, self.origin = self.origin, op
        try:
            results = self._clone(op)
        finally:
            self.scopes += inner
            self.origin = origin
        scope.values.update(zip(op.results, results, strict=True))
        return scope.values[v]

    def _clone(self, op: Operation) -> Sequence[SSAValue]:
        if op.name == "ktdf.tiling.derive_size":
            return [self._derive_size(op)]
        if op.name == "ktdf.tiling.linearize_index":
            n = len(op.operands) // 2
            total: SSAValue = self.constant(0)
            for iv, stride in zip(op.operands[:n], op.operands[n:], strict=True):
                total = self.add_index(total, self.multiply(self.value(iv), self.value(stride)))
            return [total]
        if op.name in ("affine.apply", "affine.min", "affine.max"):
            affine_map = op.properties["map"].data  # type: ignore[attr-defined]
            operands = [self.value(v) for v in op.operands]
            values = [self.affine(e, operands, affine_map.num_dims) for e in affine_map.results]
            result = values[0]
            for other in values[1:]:
                result = self.add((arith.MinSIOp if op.name == "affine.min" else arith.MaxSIOp)(result, other)).result
            return [result]
        integers = all(isinstance(x.type, IndexType | IntegerType) for x in (*op.operands, *op.results))
        if not op.name.startswith("arith.") or op.regions or not integers:
            raise error(op, f"'{op.name}' computes a scalar that ktdflowering-to-dfir cannot place in a unit program")
        operands = [self.value(v) for v in op.operands]
        new = type(op).create(
            operands=operands,
            result_types=[r.type for r in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        return self.add(new).results

    def _derive_size(self, op: Operation) -> SSAValue:
        n = (len(op.operands) - 1) // 2
        rest = self.value(op.operands[-1])
        for iv, tile in zip(op.operands[:n], op.operands[n : 2 * n], strict=True):
            size = self.value(tile)
            left = self.add(arith.SubiOp(rest, self.multiply(self.value(iv), size))).result
            left = self.add(arith.MinSIOp(size, left)).result
            rest = self.add(arith.MaxSIOp(left, self.constant(0))).result
        return rest

    def number_of(self, v: SSAValue) -> int | None:
        """The number a value of the unit program is, where it is a constant."""
        owner = v.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(v.type, IndexType):
            return owner.value.value.data  # type: ignore[union-attr]
        return None

    def add_index(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a + b, folded."""
        x, y = self.number_of(a), self.number_of(b)
        if x is not None and y is not None:
            return self.constant(x + y)
        if x == 0:
            return b
        return a if y == 0 else self.add(arith.AddiOp(a, b)).result

    def multiply(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a * b, folded."""
        x, y = self.number_of(a), self.number_of(b)
        if x is not None and y is not None:
            return self.constant(x * y)
        if x == 1:
            return b
        return a if y == 1 else self.add(arith.MuliOp(a, b)).result

    def affine(self, expr: AffineExpr, operands: Sequence[SSAValue], num_dims: int) -> SSAValue:
        """Index arithmetic for an affine expression over dims, then symbols."""
        match expr:
            case AffineConstantExpr():
                return self.constant(expr.value)
            case AffineDimExpr():
                return operands[expr.position]
            case AffineBinaryOpExpr():
                a = self.affine(expr.lhs, operands, num_dims)
                b = self.affine(expr.rhs, operands, num_dims)
                if expr.kind is AffineBinaryOpKind.Add:
                    return self.add_index(a, b)
                if expr.kind is AffineBinaryOpKind.Mul:
                    return self.multiply(a, b)
                if expr.kind is AffineBinaryOpKind.CeilDiv:
                    return self.add(arith.CeilDivSIOp(a, b)).result
                quotient = self.add(arith.FloorDivSIOp(a, b)).result
                if expr.kind is AffineBinaryOpKind.FloorDiv:
                    return quotient
                return self.add(arith.SubiOp(a, self.multiply(quotient, b))).result
            case _:
                return operands[num_dims + expr.position]  # type: ignore[attr-defined]

    # ---- structure

    def build(self, entry: Block) -> dataflow.ProgramUnitOp:
        """Emit the whole program from the function's entry block."""
        self.scopes = [Scope(entry, self.block)]
        self.emit_block(entry)
        first = self.block.first_op
        for op in self.prologue:
            if first is None:
                self.block.add_op(op)
            else:
                self.block.insert_op_before(op, first)
        new = dataflow.ProgramUnitOp([u.handle for u in self.units], Region(self.block))
        copy_loc(self.program.func, new)
        return new

    def emit_block(self, source: Block) -> None:
        """Emit the operations of a source block; its scope is the current one."""
        for op in source.ops:
            handler = self.handlers.get(op.name)
            if handler is None:
                if op.regions and op in self.work and self.kind in self.work[op]:
                    raise error(op, f"'{op.name}' around stages cannot be lowered by ktdflowering-to-dfir")
                continue
            outer, self.origin = self.origin, op
            handler(self, op)
            self.origin = outer

    def emit_into(self, source: Block | None, target: Block, values: dict[SSAValue, SSAValue] | None = None) -> Scope:
        """Open a scope (the caller emits and closes it with `self.scopes.pop()`)."""
        scope = Scope(source, target, values or {})
        self.scopes.append(scope)
        return scope

    def has_work(self, op: Operation) -> bool:
        """Whether anything inside `op` concerns this kind."""
        return self.kind in self.work.get(op, ())


def emit_execute_on(unit: UnitProgram, op: Operation) -> None:
    """Dissolve an `execute_on` of this kind; on a part of its instances, under a condition."""
    listed = [unit.membership[v] for v in op.operands if unit.membership[v].kind == unit.kind]
    if not listed:
        return
    corelets = {u.corelet for u in listed}
    block = op.regions[0].block
    if len(corelets) == unit.program.corelets[unit.kind]:
        unit.emit_into(block, unit.scopes[-1].target)
        unit.emit_block(block)
        unit.scopes.pop()
        return
    condition = unit.numbers([int(u.corelet in corelets) for u in unit.units], i1)
    body = Block()
    unit.emit_into(block, body)
    unit.emit_block(block)
    unit.scopes.pop()
    add_if(unit, condition, body, None)


def add_if(unit: UnitProgram, condition: SSAValue, body: Block, otherwise: Block | None) -> None:
    """An `scf.if` around finished blocks; nothing where they are empty."""
    if body.is_empty and (otherwise is None or otherwise.is_empty):
        return
    body.add_op(scf.YieldOp())
    regions = None
    if otherwise is not None and not otherwise.is_empty:
        otherwise.add_op(scf.YieldOp())
        regions = Region(otherwise)
    unit.add(scf.IfOp(condition, [], Region(body), regions))


def emit_if(unit: UnitProgram, op: Operation) -> None:
    """`scf.if`: kept where it guards work of this kind, dissolved where its condition is known."""
    if not unit.has_work(op):
        return
    if op.results:
        raise error(op, "scf.if with results around stages cannot be lowered")
    known = unit.known(op.operands[0])
    bodies: list[Block | None] = [region.blocks[0] if region.blocks else None for region in op.regions]
    if known is not None:
        chosen = bodies[0] if known else bodies[1]
        if chosen is not None:
            unit.emit_into(chosen, unit.scopes[-1].target)
            unit.emit_block(chosen)
            unit.scopes.pop()
        return
    condition = unit.value(op.operands[0])
    targets: list[Block | None] = []
    for body in bodies:
        target = None
        if body is not None:
            target = Block()
            unit.emit_into(body, target)
            unit.emit_block(body)
            unit.scopes.pop()
        targets.append(target)
    assert targets[0] is not None
    add_if(unit, condition, targets[0], targets[1])


def emit_signal(unit: UnitProgram, op: Operation) -> None:
    """`ktdf_lowering.signal`: `sync_send`s in the senders' program, `sync_recv`s in the receivers'.

    Instances of one kind signal each other, none itself.
    """
    if not unit.has_work(op):
        return
    senders = op.attributes["headrace.senders"].value.data  # type: ignore[attr-defined]
    sending = op.attributes["headrace.role"].data == "send"  # type: ignore[attr-defined]
    other = op.operands[senders:] if sending else op.operands[:senders]
    count = op.attributes.get("headrace.count")
    number = op.attributes["headrace.signal"].value.data  # type: ignore[attr-defined]
    kind = unit.membership[other[0]].kind
    same = "headrace.same_corelet" in op.attributes
    corelets: list[int | None] = [None] if same else [unit.membership[v].corelet for v in other]
    if kind == unit.kind:
        peers = [unit.peer(kind, op, None, turn) for turn in range(1, len(corelets))]
    else:
        peers = [unit.peer(kind, op, corelet) for corelet in corelets]
    for _ in range(1 if count is None else count.value.data):  # type: ignore[attr-defined]
        for peer in peers:
            if sending:
                unit.add(dataflow.SyncSendOp(peer, number, wait_immediately_for_async_transfers=True))
            else:
                unit.add(dataflow.SyncRecvOp(peer, number))


def owner_op(v: SSAValue) -> Operation | None:
    """The operation that defines a memref, through private regions."""
    return resolve(v) if isinstance(v.owner, Operation) else None


def symbolic_arguments(unit: UnitProgram, v: SSAValue) -> frozenset[int]:
    """Program arguments in the expression of `v`."""
    expr = unit.program.static.expr(v)
    return frozenset() if expr is None else arguments(expr)
