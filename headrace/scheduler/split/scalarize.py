"""Turns the tensor computation behind a store into one scalar body over an iteration domain.

Every tensor value is asked for its element at affine coordinates: elementwise operations pass the coordinates on,
broadcasts drop some, transposes
and reshapes rearrange them, and a load becomes an operand that walks memory with one stride per domain dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from headrace.ir.diagnostics import error
from headrace.ir.elements import splat_value
from headrace.ir.location import copy_loc
from headrace.ir.slices import kept_dims
from headrace.scheduler.access import Access, mixed
from headrace.scheduler.linear import Linear, linear, of_affine
from headrace.scheduler.split import elements
from headrace.scheduler.split.cuts import DomainDim, Extent, Span
from headrace.scheduler.split.launch_strides import open_stride

PASS = "construct-three-stage-pipeline"
MAX_RANK = 32
"""Most dimensions that an iteration domain may have."""


@dataclass(eq=False)
class Operand:
    """One loaded operand: `offset` (elements from the view's start, no domain terms) and one stride per domain
    dimension."""

    access: Access
    offset: Linear
    strides: tuple[int, ...]
    table: Operand | None = None
    """The displacements of an indirect operand; it walks the dimensions that the operand itself does not."""

    def walks(self, k: int) -> int:
        """Stride in dimension k, of the operand or of its table."""
        return self.strides[k] or (self.table.strides[k] if self.table is not None else 0)


def table_of(access: Access, at: Sequence[Linear], build: Callable[[Access, list[Linear]], Operand]) -> Operand | None:
    """The table operand of an indirect access whose tile is read at `at`."""
    if access.table is None:
        return None
    return build(access.table, [c for d, c in zip(access.dims, at, strict=True) if d.view_dim < 0])


@dataclass(eq=False)
class Node:
    """The result of a reduction: a tensor over the domain dimensions `parallel`, combined over `reduced`.

    `segment` computes one term per domain point; `combiner` (a scalar op) folds the terms, starting from `init`.
    """

    op: Operation
    value: SSAValue
    segment: Scalarizer
    term: SSAValue
    combiner: Operation
    init: SSAValue
    parallel: tuple[int, ...]
    reduced: tuple[int, ...]
    element_type: Attribute
    start: SSAValue | None = None
    """A start that is no known number: combined with the result where it is used."""


@dataclass(eq=False)
class OperandTable:
    """The distinct operands that a program loads, in first-use order."""

    operands: list[Operand] = field(default_factory=list)
    _keys: dict[tuple[object, ...], Operand] = field(default_factory=dict)

    def get(
        self, access: Access, offset: Linear, strides: tuple[int, ...], table: Operand | None = None
    ) -> Operand:
        """The operand that walks `access` with `strides` from `offset`."""
        through = (table.access.view, table.offset.key(), table.strides) if table is not None else None
        key = (access.view, offset.key(), strides, through)
        operand = self._keys.get(key)
        if operand is None:
            operand = Operand(access, offset, strides, table)
            self.operands.append(operand)
            self._keys[key] = operand
        return operand


def is_float(t: Attribute) -> bool:
    return not isinstance(t, IntegerType | IndexType)


NAMED: dict[str, tuple[str, str]] = {
    "add": ("arith.addf", "arith.addi"),
    "sub": ("arith.subf", "arith.subi"),
    "mul": ("arith.mulf", "arith.muli"),
    "div": ("arith.divf", "arith.divsi"),
    "div_unsigned": ("", "arith.divui"),
    "max": ("arith.maximumf", "arith.maxsi"),
    "min": ("arith.minimumf", "arith.minsi"),
    "exp": ("math.exp", ""),
    "log": ("math.log", ""),
    "abs": ("math.absf", "math.absi"),
    "ceil": ("math.ceil", ""),
    "floor": ("math.floor", ""),
    "negf": ("arith.negf", ""),
    "round": ("math.round", ""),
    "sqrt": ("math.sqrt", ""),
    "rsqrt": ("math.rsqrt", ""),
    "tanh": ("math.tanh", ""),
    "erf": ("math.erf", ""),
    "powf": ("math.powf", ""),
    "select": ("arith.select", "arith.select"),
}
"""Named elementwise linalg ops: scalar op for floats and for integers."""

PARTS: dict[str, Callable[[Scalarizer, Operation, list[Linear]], SSAValue]] = {
    "tensor.generate": elements.region_element,
    "tensor.insert_slice": elements.insert_slice,
    "tensor.concat": elements.concat,
    "tensor.pad": elements.pad,
    "tensor.from_elements": elements.from_elements,
}
"""Tensors whose elements come from different places."""

ELEMENTWISE_DIALECTS = ("arith.", "math.", "spyreop.", "headrace.")


@dataclass(eq=False)
class Scalarizer:
    """Builds the body of one fused generic. `index_value(k, body)` gives the value of domain dimension k inside the
    body."""

    body: Block
    accesses: dict[Operation, Access]
    rank: int
    index_value: Callable[[int, Block], SSAValue]
    make_op: Callable[[str, Sequence[SSAValue], Attribute, Operation], Operation]
    coordinates: Callable[[Access], list[Linear]]
    outer: Callable[[SSAValue], SSAValue]
    table: OperandTable
    reduce: Callable[[Operation, SSAValue, list[Linear]], Node]
    span: Span
    extent: Extent
    resolve: Callable[[Linear], Linear]
    index_used: Callable[[Operation], None]
    inputs: list[Operand | Node] = field(default_factory=list)
    uses_index: bool = False
    _memo: dict[tuple[object, ...], SSAValue] = field(default_factory=dict)
    _arguments: dict[Operand | Node, BlockArgument] = field(default_factory=dict)

    @property
    def pass_name(self) -> str:
        """The pass that messages name."""
        return PASS

    def scalar(self, value: SSAValue, user: Operation) -> SSAValue:
        """A scalar of the kernel as a value inside the body."""
        key = (value,)
        if key not in self._memo:
            self._memo[key] = elements.scalar(self, value, user)
        return self._memo[key]

    def element(self, value: SSAValue, coords: Sequence[Linear], user: Operation) -> SSAValue:
        """The scalar SSA value (inside the body) of tensor `value` at `coords` (linear forms over DomainDim and outer
        values)."""
        key = (value, *(c.key() for c in coords))
        found = self._memo.get(key)
        if found is None:
            found = self._element(value, list(coords), user)
            self._memo[key] = found
        return found

    def add(self, op: Operation, origin: Operation) -> SSAValue:
        copy_loc(origin, op)
        self.body.add_op(op)
        return op.results[0]

    def _element(self, value: SSAValue, coords: list[Linear], user: Operation) -> SSAValue:
        if not isinstance(value.type, TensorType):
            return self.scalar(value, user)
        op = value.owner
        if not isinstance(op, Operation):
            raise error(user, f"a tensor that is an argument of a block is not supported by {PASS}")
        name = op.name
        if name == "ktdp.load":
            return self._load(op, coords)
        if name == "arith.constant":
            return self._constant(op, user, coords)
        if name == "scf.for":
            return self._reduction(op, value, coords)
        if name in ("tensor.empty", "bufferization.alloc_tensor"):
            return self.zero(value.type.element_type, op)
        if name == "tensor.splat":
            return self.scalar(op.operands[0], op)
        if name.startswith("linalg."):
            return self._linalg(op, value, coords)
        if name.startswith(ELEMENTWISE_DIALECTS):
            scalars = [self.element(v, coords, op) for v in op.operands]
            clone = type(op).create(
                operands=scalars,
                result_types=[r.type.element_type for r in op.results],  # type: ignore[attr-defined]
                properties=dict(op.properties),
                attributes=dict(op.attributes),
            )
            self.add(clone, op)
            for r, s in zip(op.results, clone.results, strict=True):
                self._memo[(r, *(c.key() for c in coords))] = s
            return clone.results[list(op.results).index(value)]  # type: ignore[arg-type]
        if name.startswith("tensor."):
            return self._tensor(op, coords)
        raise error(op, f"'{name}' is not supported by {PASS}")

    def zero(self, element: Attribute, origin: Operation) -> SSAValue:
        return self.add(arith.ConstantOp(number(element, 0)), origin)

    def _constant(self, op: Operation, user: Operation, coords: list[Linear]) -> SSAValue:
        attr = op.properties["value"]
        if not isinstance(attr, DenseIntOrFPElementsAttr):
            raise error(op, f"a constant that is not dense is not supported by {PASS}")
        data = splat_value(attr)
        if data is None:
            return elements.table(self, op, coords, user)
        element = op.results[0].type.element_type  # type: ignore[attr-defined]
        return self.add(arith.ConstantOp(number(element, data)), user)

    def _load(self, op: Operation, coords: list[Linear]) -> SSAValue:
        access = self.accesses[op]
        found = self._walk(access, coords)
        found.table = table_of(access, coords, self._walk)
        return self.argument(
            self.table.get(access, found.offset, found.strides, found.table), access.element_type
        )

    def _walk(self, access: Access, coords: list[Linear]) -> Operand:
        total = Linear()
        base = self.coordinates(access)
        for dim, at in zip(access.dims, coords, strict=True):
            if dim.view_dim >= 0:
                base[dim.view_dim] = base[dim.view_dim] + self.resolve(dim.lo) + at
        for form, stride in zip(base, access.strides, strict=True):
            if isinstance(stride, SSAValue):
                s = linear(stride)
                if not s.is_const:
                    raise open_stride(access.view, stride, PASS)
                stride = s.const
            total = total + form.scaled(stride)
        strides = tuple(total.coefficient(DomainDim(k)) for k in range(self.rank))  # type: ignore[arg-type]
        offset = total.without({DomainDim(k) for k in range(self.rank)})  # type: ignore[arg-type]
        return Operand(access, offset, strides)

    def argument(self, source: Operand | Node, element_type: Attribute) -> SSAValue:
        """The body's argument for one input."""
        found = self._arguments.get(source)
        if found is None:
            found = self.body.insert_arg(element_type, len(self.inputs))
            self.inputs.append(source)
            self._arguments[source] = found
        return found

    def _reduction(self, op: Operation, value: SSAValue, coords: list[Linear]) -> SSAValue:
        node = self.reduce(op, value, coords)
        result = self.argument(node, node.element_type)
        if node.start is None:
            return result
        declared = value.type.element_type  # type: ignore[attr-defined]
        start = self.element(node.start, coords, op)
        if start.type != node.element_type:
            start = self.add(self.make_op("arith.extf", [start], node.element_type, op), op)
        result = self.add(self.make_op(node.combiner.name, [start, result], node.element_type, op), op)
        if declared != node.element_type:
            result = self.add(self.make_op("arith.truncf", [result], declared, op), op)
        return result

    def _linalg(self, op: Operation, value: SSAValue, coords: list[Linear]) -> SSAValue:
        short = op.name.removeprefix("linalg.")
        if short == "fill":
            return self.scalar(op.operands[0], op)
        if short == "broadcast":
            added = set(op.properties["dimensions"].get_values())  # type: ignore[attr-defined]
            return self.element(op.operands[0], [c for k, c in enumerate(coords) if k not in added], op)
        if short == "transpose":
            permutation = list(op.properties["permutation"].get_values())  # type: ignore[attr-defined]
            source = [Linear()] * len(coords)
            for k, p in enumerate(permutation):
                source[p] = coords[k]
            return self.element(op.operands[0], source, op)
        if short == "copy":
            return self.element(op.operands[0], coords, op)
        if short == "reduce" or (isinstance(op, linalg.GenericOp) and is_reduction(op)):
            return self._reduction(op, value, coords)
        if isinstance(op, linalg.GenericOp):
            return self._generic(op, value, coords)
        element = value.type.element_type  # type: ignore[attr-defined]
        if short in NAMED:
            scalar = NAMED[short][0 if is_float(element) else 1]
            if scalar:
                inputs = [self.element(v, coords, op) for v in op.operands[:-1]]
                return self.add(self.make_op(scalar, inputs, element, op), op)
        if short in ("square", "reciprocal"):
            x = self.element(op.operands[0], coords, op)
            if short == "square":
                return self.add(
                    self.make_op("arith.mulf" if is_float(element) else "arith.muli", [x, x], element, op), op
                )
            one = self.add(arith.ConstantOp(number(element, 1)), op)
            return self.add(self.make_op("arith.divf", [one, x], element, op), op)
        if short == "map":
            block = op.regions[0].block
            return self._inline(
                block, dict(zip(block.args, op.operands[:-1], strict=False)), [coords] * len(block.args), coords, op, 0
            )
        raise error(op, f"'{op.name}' is not supported by {PASS}")

    def _generic(self, op: linalg.GenericOp, value: SSAValue, coords: list[Linear]) -> SSAValue:
        kinds = iterator_kinds(op)
        maps = [m.data for m in op.indexing_maps.data if isinstance(m, AffineMapAttr)]
        which = list(op.results).index(value)  # type: ignore[arg-type]
        iteration: list[Linear | None] = [None] * len(kinds)
        for expr, at in zip(maps[len(op.inputs) + which].results, coords, strict=True):
            if not isinstance(expr, AffineDimExpr):
                raise error(op, f"an output indexing map that is no permutation is not supported by {PASS}")
            iteration[expr.position] = at
        point = [c if c is not None else Linear() for c in iteration]
        if any(c is None for c in iteration):
            raise error(op, f"an output indexing map that drops a dimension is not supported by {PASS}")
        operands = [*op.inputs, *op.outputs]
        where = []
        for m in maps:
            forms = [of_affine(e, point, m.num_dims) for e in m.results]
            if any(f is None for f in forms):
                raise error(op, f"an indexing map that is not linear is not supported by {PASS}")
            where.append([f for f in forms if f is not None])
        block = op.body.block
        return self._inline(block, dict(zip(block.args, operands, strict=True)), where, point, op, which)

    def _inline(
        self,
        block: Block,
        tensors: dict[BlockArgument, SSAValue],
        where: list[list[Linear]],
        point: list[Linear],
        op: Operation,
        which: int,
    ) -> SSAValue:
        """Clone the scalar ops of `block` into the body; returns the value yielded at position `which`."""
        values: dict[SSAValue, SSAValue] = {}
        positions = {arg: at for arg, at in zip(block.args, where, strict=False)}

        def look(v: SSAValue) -> SSAValue:
            if v not in values:
                if isinstance(v, BlockArgument) and v.owner is block:
                    values[v] = self.element(tensors[v], positions[v], op)
                else:
                    values[v] = self.scalar(v, op)
            return values[v]

        for inner in block.ops:
            if inner.name in ("linalg.yield", "tensor.yield"):
                return look(inner.operands[which])
            if inner.name == "linalg.index":
                dim = inner.properties["dim"].value.data  # type: ignore[attr-defined]
                values[inner.results[0]] = self.index(point[dim], inner)
                continue
            if inner.regions or not inner.name.startswith(ELEMENTWISE_DIALECTS):
                raise error(inner, f"'{inner.name}' in the body of '{op.name}' is not supported by {PASS}")
            clone = inner.clone({v: look(v) for v in inner.operands})
            self.add(clone, inner)
            values.update(zip(inner.results, clone.results, strict=True))
        raise error(op, f"the body of '{op.name}' does not yield a value")

    def evaluate(
        self,
        block: Block,
        tensors: dict[BlockArgument, SSAValue],
        where: dict[BlockArgument, list[Linear]],
        point: list[Linear],
        op: Operation,
        target: SSAValue,
    ) -> SSAValue:
        """Clone what `target`, a scalar of `block`, needs into the body; arguments become elements of `tensors`."""
        values: dict[SSAValue, SSAValue] = {}

        def look(v: SSAValue) -> SSAValue:
            if v in values:
                return values[v]
            owner = v.owner
            if isinstance(v, BlockArgument) and v.owner is block:
                if v not in tensors:
                    raise error(op, f"a reduction body that uses its accumulator twice is not supported by {PASS}")
                result = self.element(tensors[v], where[v], op)
            elif not isinstance(owner, Operation) or owner.parent is not block:
                result = self.scalar(v, op)
            elif owner.name == "linalg.index":
                result = self.index(point[owner.properties["dim"].value.data], owner)  # type: ignore[attr-defined]
            elif owner.regions or not owner.name.startswith(ELEMENTWISE_DIALECTS):
                raise error(owner, f"'{owner.name}' in the body of '{op.name}' is not supported by {PASS}")
            else:
                clone = owner.clone({x: look(x) for x in owner.operands})
                self.add(clone, owner)
                values.update(zip(owner.results, clone.results, strict=True))
                return values[v]
            values[v] = result
            return result

        return look(target)

    def index(self, form: Linear, origin: Operation) -> SSAValue:
        """A linear form over domain dimensions as an index value inside the body."""
        if any(isinstance(term, DomainDim) for term in form.terms):
            self.uses_index = True
            self.index_used(origin)
        total: SSAValue | None = None
        for term, c in form.terms.items():
            v = self.index_value(term.index, self.body) if isinstance(term, DomainDim) else self.outer(term)
            if c != 1:
                k = self.add(arith.ConstantOp(IntegerAttr(c, IndexType())), origin)
                v = self.add(arith.MuliOp(v, k), origin)
            total = v if total is None else self.add(arith.AddiOp(total, v), origin)
        if total is None or form.const:
            k = self.add(arith.ConstantOp(IntegerAttr(form.const, IndexType())), origin)
            total = k if total is None else self.add(arith.AddiOp(total, k), origin)
        return total

    def _tensor(self, op: Operation, coords: list[Linear]) -> SSAValue:
        name = op.name
        source = op.operands[0] if op.operands else None
        if name == "tensor.cast":
            assert source is not None
            return self.element(source, coords, op)
        if name in ("tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape"):
            assert (
                source is not None
                and isinstance(source.type, TensorType)
                and isinstance(op.results[0].type, TensorType)
            )
            shapes = (source.type.get_shape(), op.results[0].type.get_shape())
            at = reshape_coords(*shapes, coords)
            return self.element(source, at if at is not None else elements.reshaped(self, op, coords, *shapes), op)
        if name == "tensor.extract_slice":
            return self._extract_slice(op, coords)
        if name in PARTS:
            return PARTS[name](self, op, coords)
        raise error(op, f"'{name}' is not supported by {PASS}")

    def _extract_slice(self, op: Operation, coords: list[Linear]) -> SSAValue:
        get = lambda key: op.properties[key].get_values()  # type: ignore[attr-defined]  # noqa: E731
        offsets = mixed(get("static_offsets"), list(op.offsets))  # type: ignore[attr-defined]
        sizes = mixed(get("static_sizes"), list(op.sizes))  # type: ignore[attr-defined]
        strides = mixed(get("static_strides"), list(op.strides))  # type: ignore[attr-defined]
        if any(isinstance(s, SSAValue) for s in strides):
            raise error(op, f"'tensor.extract_slice' with a stride only known at launch is not supported by {PASS}")
        at: list[Linear] = []
        assert isinstance(op.results[0].type, TensorType)
        walked = dict(zip(kept_dims(sizes, op.results[0].type.get_shape()), coords, strict=True))
        for d, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
            here = walked.get(d, Linear())
            start = Linear(offset) if isinstance(offset, int) else elements.position(self, offset, op)
            at.append(here.scaled(stride) + start)  # type: ignore[arg-type]
        return self.element(op.operands[0], at, op)


def iterator_kinds(op: linalg.GenericOp) -> list[str]:
    """`parallel` or `reduction` per iteration dimension."""
    return [str(k.data.value) for k in op.iterator_types.data]


def is_reduction(op: linalg.GenericOp) -> bool:
    return any(k != "parallel" for k in iterator_kinds(op))


def number(element: Attribute, value: float) -> Any:
    """`value` as an attribute of a scalar type."""
    if isinstance(element, IntegerType | IndexType):
        return IntegerAttr(int(value), element)
    return FloatAttr(float(value), element)  # type: ignore[arg-type]


def reshape_coords(source: Sequence[int], result: Sequence[int], coords: list[Linear]) -> list[Linear] | None:
    """Coordinates in a tensor of shape `source` of the element at `coords` of its row-major reshape `result`; None if
    not linear."""
    at: list[Linear] = []
    i = j = 0
    while i < len(source) or j < len(result):
        left, right = i, j
        a = source[i] if i < len(source) else 1
        b = result[j] if j < len(result) else 1
        i, j = i + 1, j + 1
        while a != b:
            if a < b and i < len(source):
                a, i = a * source[i], i + 1
            elif b < a and j < len(result):
                b, j = b * result[j], j + 1
            else:
                return None
        if i >= len(source):
            j = len(result)
        if j >= len(result):
            i = len(source)
        group_in, group_out = list(source[left:i]), list(result[right:j])
        wide_in = [k for k, n in enumerate(group_in) if n != 1]
        wide_out = [k for k, n in enumerate(group_out) if n != 1]
        here = [Linear()] * len(group_in)
        if [group_in[k] for k in wide_in] == [group_out[k] for k in wide_out]:
            for k, m in zip(wide_in, wide_out, strict=True):
                here[k] = coords[right + m]
        elif len(wide_in) == 1:
            total, scale = Linear(), 1
            for k in reversed(range(len(group_out))):
                total = total + coords[right + k].scaled(scale)
                scale *= group_out[k]
            here[wide_in[0]] = total
        else:
            return None
        at.extend(here)
    return at
