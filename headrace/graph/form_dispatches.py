"""Cut a graph of tensor operations into dispatches of outlined kernels.

Precondition: functions of one block with structured control flow, calls inlined.
Postcondition: every operation that computes on tensors is in a kernel of a `flow.executable` and called by
`flow.dispatch`. On the host stay: scalars, control flow, globals, transfers, reshapes, contiguous slices and updates,
and splats whose value is used on the host.

```
%m = linalg.matmul ins(%a, %b) outs(%fill)            %r = flow.dispatch @k0::@k0(%a, %b)
%r = linalg.generic(relu) ins(%m) outs(%e)     ->     flow.executable @k0 { func.func @k0 { fill, matmul, relu } }
```

A root (contraction, reduction, anything not elementwise) takes the elementwise operation that is its only user and the
elementwise operations that only it uses; fills and constants are copied into each kernel that reads them. Kernels with
the same body are one kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from headrace.graph.shapes import Constants, Dims, contiguous
from headrace.ir.dialects._stream_format import make_op, tied_attr
from headrace.ir.dialects.flow import DispatchOp, ExecutableExportOp, ExecutableOp, TensorSplatOp
from headrace.ir.passes import Pass

_RESHAPES = frozenset({"tensor.cast", "tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape"})
_HOST = frozenset(
    {"tensor.dim", "tensor.extract", "flow.dispatch", "flow.tensor.transfer", "flow.tensor.slice",
     "flow.tensor.update", "flow.tensor.splat", "flow.tensor.clone", "hal.tensor.transients",
     "util.optimization_barrier"}
)  # fmt: skip
_NAMED_ELEMENTWISE = frozenset(
    f"linalg.{n}"
    for n in ("add", "sub", "mul", "div", "div_unsigned", "max", "min", "exp", "log", "sqrt", "rsqrt", "tanh", "abs",
              "ceil", "floor", "negf", "round", "erf", "powf", "reciprocal", "square", "copy", "select")
)  # fmt: skip
AFFINITY = "stream.affinity"
COST = "headrace.cost"


def form_dispatches(module: ModuleOp, favour_time: bool = False) -> ModuleOp:
    """Form dispatches in all functions, in place.

    `favour_time`: a consumer that also waits for a transfer from another device is not fused into a kernel that could
    run before that transfer has arrived.
    """
    former = _Former(module, favour_time)
    for op in list(module.body.block.ops):
        if op.name == "util.func" and op.regions[0].blocks:
            entry = op.regions[0].blocks[0]
            former.function(entry)
    former.finish()
    return module


class _Group:
    """Operations that become one dispatch, in program order."""

    __slots__ = ("affinity", "has_root", "last", "ops")

    def __init__(self, op: Operation, has_root: bool):
        self.ops = [op]
        self.has_root = has_root
        self.affinity = op.attributes.get(AFFINITY)
        self.last = op


class _Former:
    def __init__(self, module: ModuleOp, favour_time: bool):
        self.module = module
        self.favour_time = favour_time
        self.kernels: dict[Any, str] = {}
        self.executables: list[Operation] = []
        self.taken = {
            op.sym_name.data for op in module.body.block.ops if hasattr(op, "sym_name")  # pyright: ignore
        }
        self.count = 0

    def function(self, entry: Block) -> None:
        self.constants = Constants(entry)
        self.dims = Dims(self.constants)
        self._block(entry)

    def finish(self) -> None:
        block = self.module.body.block
        first = block.first_op
        for op in self.executables:
            if first is None:
                block.add_op(op)
            else:
                block.insert_op_before(op, first)

    # ---- one block --------------------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        groups: dict[Operation, _Group] = {}
        order: list[_Group] = []
        cheap: list[Operation] = []
        for op in list(block.ops):
            if op.name.startswith("scf."):
                for region in op.regions:
                    for inner in region.blocks:
                        self._block(inner)
                continue
            kind = _classify(op)
            if kind == "cheap":
                cheap.append(op)
            elif kind == "compute":
                group = self._join(op, groups)
                if group is None:
                    group = _Group(op, not elementwise(op))
                    order.append(group)
                groups[op] = group
        live = [g for g in order if g.ops]
        for group in live:
            self._emit(group)
        for op in reversed(cheap):
            self._settle(op)

    def _join(self, op: Operation, groups: dict[Operation, _Group]) -> _Group | None:
        """The group `op` joins; other groups that only feed it are merged into that one."""
        root = not elementwise(op)
        if op.name in ("linalg.matmul", "linalg.batch_matmul"):
            return None
        found: list[_Group] = []
        seen: set[_Group] = set()
        waits = self.favour_time and any(
            isinstance(v.owner, Operation) and v.owner.name == "flow.tensor.transfer" for v in op.operands
        )
        for index, value in enumerate(op.operands):
            owner = value.owner
            if not isinstance(owner, Operation) or owner not in groups or groups[owner] in seen:
                continue
            group = groups[owner]
            if owner is not group.last or value.uses.get_length() != 1 or len(owner.results) != 1:
                continue
            if not _same_domain(op, index) or group.affinity != op.attributes.get(AFFINITY):
                continue
            if group.has_root and (root or waits):
                continue
            if _is_init(op, index):
                continue
            seen.add(group)
            found.append(group)
        rooted = [g for g in found if g.has_root]
        if rooted:
            keep = rooted[-1]
            for extra in rooted:
                if extra is not keep:
                    found.remove(extra)
        if not found:
            return None
        target = found[-1] if not rooted else rooted[-1]
        for other in found:
            if other is not target:
                target.ops = other.ops + target.ops
                target.has_root = target.has_root or other.has_root
                for member in other.ops:
                    groups[member] = target
                other.ops = []
        target.ops.append(op)
        target.has_root = target.has_root or root
        target.last = op
        return target

    # ---- kernels ----------------------------------------------------------------------------------------------------

    def _emit(self, group: _Group) -> None:
        position = {op: i for i, op in enumerate(group.ops)}
        if len(group.ops) > 1:
            block_ops = sorted(group.ops, key=_order(group.ops))
            group.ops = block_ops
            position = {op: i for i, op in enumerate(block_ops)}
        inside: set[SSAValue] = {r for op in group.ops for r in op.results}
        copies: list[Operation] = []
        copied: set[Operation] = set()
        operands: list[SSAValue] = []
        known: set[SSAValue] = set()

        def need(value: SSAValue) -> None:
            if value in inside or value in known:
                return
            owner = value.owner
            if isinstance(owner, Operation):
                if owner in copied:
                    return
                if _copied_into_kernels(owner):
                    copied.add(owner)
                    for v in owner.operands:
                        need(v)
                    copies.append(owner)
                    return
            known.add(value)
            operands.append(value)

        for op in group.ops:
            for value in op.operands:
                need(value)
            for region in op.regions:
                for inner in region.walk():
                    for value in inner.operands:
                        if not op.is_ancestor(value.owner):
                            need(value)
        tied = _tied_operands(group.ops, operands)
        results = [
            r for op in group.ops for r in op.results if any(use.operation not in position for use in r.uses)
        ]
        last = group.ops[-1]
        block = last.parent
        assert block is not None
        if not results:
            for op in reversed(group.ops):
                op.detach()
                op.erase()
            return
        ties = [tied.get(r, -1) for r in results]
        for value in [*operands, *results]:
            for dim in self.dims.of(value):
                if dim not in known:
                    known.add(dim)
                    operands.append(dim)
        where = {v: i for i, v in enumerate(operands)}
        dims = [[where[d] for d in self.dims.of(v)] for v in operands if isinstance(v.type, TensorType)]
        dims += [[where[d] for d in self.dims.of(v)] for v in results]
        name = self._kernel(group, copies, operands, results, ties, dims)
        dispatch = make_op(
            DispatchOp,
            {
                "arguments": operands,
                "argument_dims": [d for v in operands for d in self.dims.of(v)],
                "result_dims": [d for v in results for d in self.dims.of(v)],
            },
            [r.type for r in results],
            {
                "entry_points": ArrayAttr([SymbolRefAttr(name, [name])]),
                "tied_operands": tied_attr(ties),
                "affinity": group.affinity,
            },
        )
        root = next((op for op in group.ops if not elementwise(op)), last)
        dispatch.location = root.location
        block.insert_op_after(dispatch, last)
        for old, new in zip(results, dispatch.results, strict=True):
            self.dims.known[new] = self.dims.of(old)
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        for op in reversed(group.ops):
            op.detach()
            op.erase()

    def _kernel(
        self,
        group: _Group,
        copies: Sequence[Operation],
        operands: Sequence[SSAValue],
        results: Sequence[SSAValue],
        ties: Sequence[int],
        dims: Sequence[Sequence[int]],
    ) -> str:
        ops = [*copies, *group.ops]
        numbers: dict[SSAValue, int] = {v: i for i, v in enumerate(operands)}
        key = (
            tuple(v.type for v in operands),
            tuple(_key(op, numbers) for op in ops),
            tuple(numbers[r] for r in results),
            tuple(ties),
            tuple(map(tuple, dims)),
        )
        name = self.kernels.get(key)
        if name is not None:
            return name
        root = next((op for op in group.ops if not elementwise(op)), group.ops[-1])
        name = f"{root.name.partition('.')[2]}_{self.count}"
        while name in self.taken:
            self.count += 1
            name = f"{root.name.partition('.')[2]}_{self.count}"
        self.count += 1
        self.taken.add(name)
        self.kernels[key] = name
        block = Block(arg_types=[v.type for v in operands])
        mapping: dict[SSAValue, SSAValue] = dict(zip(operands, block.args, strict=True))
        cost = 0
        for op in ops:
            copy = op.clone(mapping)
            copy.location = op.location
            copy.attributes.pop(AFFINITY, None)
            given = copy.attributes.pop(COST, None)
            if isinstance(given, IntegerAttr):
                cost += given.value.data
            block.add_op(copy)
        block.add_op(func.ReturnOp.create(operands=[mapping[r] for r in results]))
        attributes: dict[str, Attribute] = {}
        if any(dims):
            attributes["headrace.dims"] = ArrayAttr([DenseArrayBase.from_list(i64, list(d)) for d in dims])
        if any(t >= 0 for t in ties):
            attributes["headrace.tied"] = DenseArrayBase.from_list(i64, list(ties))
        if cost:
            attributes[COST] = IntegerAttr(cost, i64)
        function = func.FuncOp.create(
            properties={
                "sym_name": StringAttr(name),
                "function_type": FunctionType.from_lists([v.type for v in operands], [r.type for r in results]),
            },
            attributes=attributes,
            regions=[Region(block)],
        )
        function.location = root.location
        export = ExecutableExportOp.build(
            properties={
                "sym_name": StringAttr(name),
                "function_ref": StringAttr(name),
                "sym_visibility": StringAttr("public"),
            },
            regions=[[]],
        )
        self.executables.append(
            ExecutableOp.create(
                properties={"sym_name": StringAttr(name), "sym_visibility": StringAttr("private")},
                regions=[Region(Block([export, ModuleOp([function])]))],
            )
        )
        return name

    def _settle(self, op: Operation) -> None:
        """A fill or empty tensor whose value is used on the host becomes a splat there, otherwise it goes."""
        if not any(r.uses.get_length() for r in op.results):
            op.detach()
            op.erase()
            return
        if op.name == "linalg.fill" or op.name == "tensor.splat":
            made = make_op(
                TensorSplatOp,
                {"value": op.operands[0], "result_dims": self.dims.of(op.results[0])},
                [op.results[0].type],
            )
            made.location = op.location
            assert op.parent is not None
            op.parent.insert_op_before(made, op)
            made.results[0].name_hint = op.results[0].name_hint
            self.dims.known[made.results[0]] = self.dims.of(op.results[0])
            op.results[0].replace_all_uses_with(made.results[0])
            op.detach()
            op.erase()


def _classify(op: Operation) -> str:
    if not op.results or not any(isinstance(r.type, TensorType) for r in op.results):
        return "host"
    name = op.name
    if name in _HOST or name in _RESHAPES or name.startswith(("scf.", "util.", "func.", "hal.", "stream.")):
        return "host"
    if _copied_into_kernels(op):
        return "cheap"
    if name == "arith.constant":
        return "host"
    if name == "tensor.extract_slice" and contiguous(op, op.operands[0].type.get_shape()):  # pyright: ignore
        return "host"
    if name == "tensor.insert_slice" and contiguous(op, op.results[0].type.get_shape()):  # pyright: ignore
        return "host"
    return "compute"


def _copied_into_kernels(op: Operation) -> bool:
    """Values that are cheaper to make again than to pass: constants, fills, empty tensors."""
    name = op.name
    if name == "arith.constant":
        value = op.properties.get("value")
        return not isinstance(value, DenseIntOrFPElementsAttr) or value.is_splat()
    if name in ("tensor.empty", "tensor.splat"):
        return True
    return name == "linalg.fill" and isinstance(op.operands[1].owner, Operation) and _copied_into_kernels(
        op.operands[1].owner
    )


def elementwise(op: Operation) -> bool:
    """Whether every result element depends on the operand elements at its own position (broadcasts included)."""
    name = op.name
    if name.startswith(("arith.", "math.", "spyreop.")) or name in _NAMED_ELEMENTWISE:
        return True
    if name != "linalg.generic":
        return False
    kinds: Any = op.properties["iterator_types"]
    if any(str(getattr(k.data, "value", k.data)) != "parallel" for k in kinds.data):
        return False
    maps: Any = op.properties["indexing_maps"]
    return all(_identity(m) for m in maps.data[len(maps.data) - len(op.results) :])


def _identity(attr: AffineMapAttr) -> bool:
    m = attr.data
    return len(m.results) == m.num_dims and all(
        isinstance(e, AffineDimExpr) and e.position == i for i, e in enumerate(m.results)
    )


def _same_domain(op: Operation, index: int) -> bool:
    """Whether operand `index` is read at the loop's own position."""
    if op.name == "linalg.generic":
        maps: Any = op.properties["indexing_maps"]
        return _identity(maps.data[index])
    if op.name == "linalg.reduce":
        return index < len(op.operands) // 2
    return elementwise(op)


def _is_init(op: Operation, index: int) -> bool:
    return op.name.startswith("linalg.") and index >= len(op.operands) - len(op.results)


def _tied_operands(ops: Sequence[Operation], operands: Sequence[SSAValue]) -> dict[SSAValue, int]:
    """Results made in place of an operand: of accumulations and of inserts into a tensor from outside."""
    found: dict[SSAValue, int] = {}
    where = {v: i for i, v in enumerate(operands)}
    origin: dict[SSAValue, SSAValue] = {}
    for op in ops:
        if op.name == "tensor.insert_slice" or op.name == "tensor.insert":
            pairs = [(op.results[0], op.operands[1])]
        elif op.name.startswith("linalg.") and op.results:
            inits = op.operands[len(op.operands) - len(op.results) :]
            pairs = list(zip(op.results, inits, strict=True))
        else:
            continue
        for result, init in pairs:
            source = origin.get(init, init)
            if source in where and source.type == result.type and _reads_init(op, init):
                origin[result] = source
                if where[source] not in found.values():
                    found[result] = where[source]
    return found


def _reads_init(op: Operation, init: SSAValue) -> bool:
    """Whether the previous contents matter (otherwise the operand only gives the shape)."""
    if op.name != "linalg.generic":
        return op.name not in _NAMED_ELEMENTWISE and op.name not in ("linalg.transpose", "linalg.broadcast")
    block = op.regions[0].blocks[0]
    index = next(i for i, v in enumerate(op.operands) if v is init)
    return block.args[index].uses.get_length() > 0


def _order(ops: Sequence[Operation]) -> Any:
    """Position in the block, found by one walk over the span of the operations."""
    wanted = set(ops)
    block = ops[0].parent
    assert block is not None
    rank: dict[Operation, int] = {}
    # The last operation is the latest; walk backwards from it until all are found.
    at: Operation | None = ops[-1]
    while at is not None and len(rank) < len(wanted):
        if at in wanted:
            rank[at] = -len(rank)
        at = at.prev_op
    return lambda op: rank[op]


def _key(op: Operation, numbers: dict[SSAValue, int]) -> Any:
    """What makes two operations the same, up to the names of values."""
    uses = tuple(numbers.setdefault(v, len(numbers)) for v in op.operands)
    for r in op.results:
        numbers.setdefault(r, len(numbers))
    regions: list[Any] = []
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                numbers.setdefault(argument, len(numbers))
            regions.append((tuple(a.type for a in block.args), tuple(_key(inner, numbers) for inner in block.ops)))
    return (
        op.name,
        uses,
        tuple(r.type for r in op.results),
        tuple(sorted(op.properties.items(), key=_first)),
        tuple((k, v) for k, v in sorted(op.attributes.items(), key=_first) if k != AFFINITY),
        tuple(regions),
    )


def _first(item: tuple[str, Attribute]) -> str:
    return item[0]

@dataclass
class FormDispatches(Pass):
    """Outline roots with their elementwise neighbours."""

    name = "form-dispatches"
    summary = "Outline roots with their elementwise neighbours"

    def apply(self, op: Any, ctx: Context) -> None:
        form_dispatches(op)
