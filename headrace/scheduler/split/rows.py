"""Programs with reductions: one pipeline per point of the dimensions that nothing reduces, with whole rows in its
slots.

The dimensions that some reduction folds are private to the pipeline: their full extent is in the slots, and the compute
stage holds one
`linalg.generic` per reduction, in order of dependence, and a last one for the stores. `reduction-loop-exposure` later
cuts rows into vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    UnitAttr,
    f32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from headrace.ir.diagnostics import error
from headrace.ir.location import copy_loc
from headrace.ir.types import dtype_of
from headrace.ir.walk import walk_ops
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import Emitter, Index, ancestors, constant_of
from headrace.scheduler.linear import Linear
from headrace.scheduler.ops import fill, neutral
from headrace.scheduler.split.carried import is_folding
from headrace.scheduler.split.cuts import CutDomain
from headrace.scheduler.split.domain import Dim
from headrace.scheduler.split.products import is_product
from headrace.scheduler.split.scalarize import PASS, Node, Operand, is_float, number
from headrace.scheduler.width import longest_entry

if TYPE_CHECKING:
    from headrace.scheduler.split.construct_three_stage_pipeline import Builder


FEWER = 2
"""How many times fewer vectors make it worth to compute the rest of a dimension in a program of its own,"""
WORTH = 512
"""and how many vectors less: another program waits for the end of the one before it, and for its first data."""


@dataclass(eq=False)
class Rows:
    """The final domain of a program with reductions.

    `dims` is the order of the dimensions in memory operands: shared ones, then private ones, but the dimension that is
    walked in vectors (position
    `vector`) last, whichever it is. `private` holds the positions of the private ones.
    """

    dims: list[Dim]
    private: frozenset[int]
    vector: int
    strides: list[list[int]] = field(default_factory=list)


def vector_of(builder: Builder) -> int:
    """The domain dimension that is walked in vectors: the one that most operands walk densely, of several the one that
    the largest of their operands walks so; -1 if there is none."""
    used = [d for d in range(len(builder.extents)) if constant_of(builder.extents[d]) != 1]
    own = [o.strides for o in builder.operands]
    dense = [d for d in used if any(abs(o[d]) == 1 for o in own)]

    def weight(d: int) -> tuple[int, int]:
        along = [o for o in own if abs(o[d]) == 1]
        elements = [prod(constant_of(builder.extents[k]) or 1 for k in used if o[k]) for o in along]
        return len(along), max(elements)

    if dense:
        return sorted(dense, key=weight)[-1]
    vectors = builder.vectors()
    return min(used, key=lambda d: max((abs(o[d]) for o in vectors), default=0), default=-1)


def arrange_rows(builder: Builder) -> Rows:
    """Split the dimensions into shared and private ones, order each class by stride and merge what is contiguous
    everywhere."""
    operands = builder.vectors()
    extents = builder.extents

    def signature(d: int) -> tuple[str, ...]:
        return tuple("r" if d in n.reduced else "p" if d in n.parallel else "-" for n in builder.nodes)

    def stride(d: int) -> int:
        return max((abs(o[d]) for o in operands), default=0)

    used = [d for d in range(len(extents)) if constant_of(extents[d]) != 1]
    vector = vector_of(builder)
    shared = sorted((d for d in used if "r" not in signature(d)), key=lambda d: (d == vector, -stride(d)))
    private = sorted((d for d in used if "r" in signature(d)), key=lambda d: (d == vector, -stride(d)))
    dims: list[Dim] = []
    columns: list[list[int]] = [[] for _ in operands]
    kept: list[bool] = []
    where = -1
    for group, is_private in ((shared, False), (private, True)):
        previous: int | None = None
        for d in group:
            inner = constant_of(extents[d])
            if (
                previous is not None
                and inner is not None
                and signature(previous) == signature(d)
                and all(c[-1] == o[d] * inner for c, o in zip(columns, operands, strict=True))
            ):
                dims[-1].extent = builder.top.mul(dims[-1].extent, extents[d])
                dims[-1].parts.append(d)
                for c, o in zip(columns, operands, strict=True):
                    c[-1] = o[d]
            else:
                dims.append(Dim(extents[d], [d]))
                kept.append(is_private)
                for c, o in zip(columns, operands, strict=True):
                    c.append(o[d])
            previous = d
            if d == vector:
                where = len(dims) - 1
    if all(kept):
        dims.insert(0, Dim(1, []))
        kept.insert(0, False)
        where += 1
        for c in columns:
            c.insert(0, 0)
    order = [k for k in range(len(dims)) if k != where] + [where]
    return Rows(
        [dims[k] for k in order],
        frozenset(i for i, k in enumerate(order) if kept[k]),
        len(order) - 1,
        builder.bind([[c[k] for k in order] for c in columns]),
    )


def emit_rows(builder: Builder) -> None:
    """Emit the loops over shared dimensions and the pipeline."""
    store = builder.stores[0]
    if builder.index_placeholders:
        raise error(store, f"linalg.index together with a reduction is not supported by {PASS}")
    rows = arrange_rows(builder)
    count = len(builder.table.operands)
    operands = [*builder.table.operands, *builder.outputs]
    for k in sorted(rows.private):
        if constant_of(rows.dims[k].extent) is None:
            raise error(store, f"a reduction over an extent that is only known at launch is not supported by {PASS}")
    builder.domain.dims = rows.dims
    memories = [builder.memory(o, s) for o, s in zip(operands, rows.strides, strict=True)]
    starts = {n: start_scalar(builder, n) for n in builder.nodes}
    emit = builder.top
    step = 1 if rows.vector in rows.private else vector_step(builder, rows)
    bounds: dict[int, SSAValue] = {}
    for k, dim in enumerate(rows.dims):
        if k not in rows.private:
            bounds[k] = builder.top.value(builder.top.floordiv(dim.extent, step) if k == rows.vector else dim.extent)
    ivs: dict[int, SSAValue] = {}
    for k, bound in bounds.items():
        loop, ivs[k] = emit.loop(bound, f"d{k}")
        loop.attributes["loop_type"] = ktdf.parallel_loop()
        emit = Emitter.at_end(loop.body.block, store)
    sides = [row_side(m, s, rows, ivs, step) for m, s in zip(memories, rows.strides, strict=True)]
    ktdf.build_three_stages(
        emit,
        store,
        sides,
        count,
        [ktdf.memory_kind(m) for m in memories],
        ktdf.kind(builder.device.compute_kind),
        lambda slots, inner: RowCompute(builder, rows, step, starts).emit(slots, inner),
    )


def vector_step(builder: Builder, rows: Rows) -> int:
    """Elements per iteration where the vector dimension is a shared one: the largest divisor of its extent up to the
    lane count. `check_vectors` has the extent cut first where that is much less."""
    lanes, extent = row_lanes(builder), constant_of(rows.dims[rows.vector].extent)
    if extent is None:
        raise error(
            builder.stores[0], f"a vector dimension whose extent is only known at launch is not supported by {PASS}"
        )
    return divisor(extent, lanes)


def divisor(extent: int, lanes: int) -> int:
    """The largest divisor of an extent up to the lane count."""
    return next(n for n in range(min(lanes, extent), 0, -1) if extent % n == 0)


def row_lanes(builder: Builder) -> int:
    """The most elements that a vector of a program with reductions takes."""
    moved = [o.access.element_type for o in builder.operands]
    types = [*moved, *(accumulator_of(n) for n in builder.nodes)]
    lanes = min(builder.device.vector_lanes(t) for t in types)
    if builder.in_scratchpad() and registers_hold(builder, longest := longest_entry(builder.device, types, lanes)):
        lanes = longest
    return lanes


def check_vectors(builder: Builder) -> None:
    """Raise CutDomain where vectors lie along a dimension that nothing folds, and the largest divisor of its extent is
    much less than the lanes: full vectors and the rest then are programs of their own."""
    rows = arrange_rows(builder)
    dim = rows.dims[rows.vector]
    extent, lanes = constant_of(dim.extent), row_lanes(builder)
    if rows.vector in rows.private or extent is None or extent <= lanes or len(dim.parts) != 1:
        return
    folded = prod(constant_of(rows.dims[k].extent) or 1 for k in rows.private)
    vectors, least = extent // divisor(extent, lanes), -(-extent // lanes)
    if vectors > FEWER * least and (vectors - least) * folded >= WORTH:
        value = builder.stores[0].operands[0]
        raise CutDomain(dim.parts[0], extent // lanes * lanes, value, builder.nodes[0].op, "its vectors would be short")


def registers_hold(builder: Builder, lanes: int) -> bool:
    """Whether the compute unit's registers hold an accumulator of `lanes` elements for every reduction of the module:
    its programs may become one."""
    local = builder.device.local_memory(builder.device.compute_kind)
    if local is None or local.size is None:
        return True
    root = [builder.program, *ancestors(builder.program)][-1]
    folds = sum(
        not isinstance(op, linalg.GenericOp) or (is_folding(op) and not is_product(op))
        for op in walk_ops(root, "linalg.reduce", "linalg.generic")
    )
    wide = max((dtype_of(accumulator_of(n)).bytes for n in builder.nodes), default=1)
    return max(folds, len(builder.nodes)) * lanes * wide <= local.size


def row_side(memory: SSAValue, strides: list[int], rows: Rows, ivs: dict[int, SSAValue], step: int) -> ktdf.Side:
    """The piece of one operand that one pipeline execution touches: one point of the shared dimensions, all of the
    private ones."""
    at: list[Linear] = []
    sizes: list[Index] = []
    for k, (dim, s) in enumerate(zip(rows.dims, strides, strict=True)):
        if not s:
            continue
        if k in rows.private:
            at.append(Linear())
            sizes.append(constant_of(dim.extent) or 0)
        elif k == rows.vector:
            at.append(Linear(0, {ivs[k]: step}))
            sizes.append(step)
        else:
            at.append(Linear(0, {ivs[k]: 1}))
            sizes.append(1)
    if not strides[-1]:
        at.append(Linear())
        sizes.append(1)
    return ktdf.Side(memory, at, sizes)


def accumulator_type(element: Attribute, combiner: str) -> Attribute:
    """Type that a reduction accumulates in: f32 for sums and products of 16-bit floats and for all of a type that has
    no literals (whose numbers f32 holds exactly), else its own."""
    if combiner in ("arith.addf", "arith.mulf") and dtype_of(element).bits == 16:
        return f32
    return f32 if is_float(element) and not isinstance(element, AnyFloat) else element


def accumulator_of(node: Node) -> Attribute:
    """Type that a node accumulates in."""
    return accumulator_type(node.element_type, node.combiner.name)


def start_scalar(builder: Builder, node: Node) -> SSAValue:
    """The number that a reduction starts from, in its accumulator's type, at the top of the program."""
    wide = accumulator_of(node)
    if node.start is not None:  # combined with the result where that is used
        return builder.top.insert(arith.ConstantOp(number(wide, neutral(node.combiner.name, wide)))).result
    owner = node.init.owner
    if isinstance(owner, Operation) and owner.name == "tensor.empty":
        return builder.top.insert(arith.ConstantOp(number(wide, 0))).result
    value = builder.scalarizer_scalar(node.init, node.op)
    if value.type == wide:
        return value
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr):
        return builder.top.insert(arith.ConstantOp(number(wide, owner.value.value.data))).result
    return builder.top.insert(arith.ExtFOp(value, wide)).result


class RowCompute:
    """Emits the compute stage: one generic per reduction, then one for the stores."""

    def __init__(self, builder: Builder, rows: Rows, step: int, starts: dict[Node, SSAValue]):
        self.builder = builder
        self.starts = starts
        self.rows = rows
        self.step = step
        self.tensors: dict[Operand | Node, SSAValue] = {}
        self.spread = self.spread_nodes()

    def spread_nodes(self) -> set[Node]:
        """Reductions with a value for each element of a vector although no dimension of theirs is walked in vectors:
        what they combine lies along a dimension of a loop around them."""
        vector, found = self.rows.vector, set[Node]()
        if vector in self.rows.private:
            return found
        parts = set(self.rows.dims[vector].parts)
        for node in self.builder.nodes:
            if parts & {*node.parallel, *node.reduced}:
                continue
            for source in node.segment.inputs:
                if isinstance(source, Node):
                    lies = source in found or bool(parts & set(source.parallel))
                else:
                    lies = bool(self.rows.strides[self.builder.table.operands.index(source)][vector])
                if lies:
                    found.add(node)
        return found

    def emit(self, slots: Sequence[tuple[SSAValue, ktdf.Side]], emit: Emitter) -> list[SSAValue]:
        """Read the slots, run the generics; returns the tensors to store."""
        builder = self.builder
        count = len(builder.table.operands)
        for operand, (slot, side) in zip(builder.table.operands, slots[:count], strict=True):
            shape = [constant_of(s) or 0 for s in side.sizes or []]
            self.tensors[operand] = ktdf.read(emit, slot, TensorType(ktdf.slot_element(slot), shape))
        for node in builder.nodes:
            self.tensors[node] = self.reduction(node, emit)
        rank = len(self.rows.dims)
        outputs: list[SSAValue] = []
        maps = [self.input_map(x) for x in builder.scalarizer.inputs]
        for i, (slot, side) in enumerate(slots[count:]):
            shape = [constant_of(s) or 0 for s in side.sizes or []]
            t = TensorType(ktdf.slot_element(slot), shape)
            outputs.append(emit.insert(tensor.EmptyOp([], t)).results[0])
            maps.append(self.strided_map(self.rows.strides[count + i]))
        inputs = [self.tensors[x] for x in builder.scalarizer.inputs]
        used = {e.position for m in maps for e in m.results if isinstance(e, AffineDimExpr)}
        generic = generic_over(used, rank, maps, inputs, outputs, builder.body, set())
        generic.attributes["headrace.row"] = self.annotation(used)
        return list(emit.insert(generic).results)

    def annotation(self, used: set[int]) -> DictionaryAttr:
        """What `reduction-loop-exposure` needs to know: which final dimension each iteration dimension is, which are
        private, which is walked in
        vectors."""
        rows = self.rows
        return DictionaryAttr(
            {
                "dims": DenseArrayBase.from_list(i64, [k for k in range(len(rows.dims)) if k in used]),
                "private": DenseArrayBase.from_list(i64, sorted(rows.private)),
                "vector": IntegerAttr(rows.vector, i64),
            }
        )

    def sizes(self, dims: Sequence[int]) -> list[int]:
        """Extents, within one pipeline execution, of final dimensions."""
        out = []
        for k in dims:
            if k in self.rows.private:
                out.append(constant_of(self.rows.dims[k].extent) or 0)
            else:
                out.append(self.step if k == self.rows.vector else 1)
        return out

    def node_dims(self, node: Node) -> list[int]:
        """Final dimensions of a reduction's result."""
        return [
            k
            for k, d in enumerate(self.rows.dims)
            if (d.parts and set(d.parts) <= set(node.parallel)) or (k == self.rows.vector and node in self.spread)
        ]

    def reduced_dims(self, node: Node) -> set[int]:
        return {k for k, d in enumerate(self.rows.dims) if d.parts and set(d.parts) <= set(node.reduced)}

    def strided_map(self, strides: list[int]) -> AffineMap:
        """Map of a memory operand: the dimensions it walks; constant 0 for the unit dimension of one that does not walk
        the last."""
        rank = len(self.rows.dims)
        exprs: list[AffineExpr] = [AffineDimExpr(k) for k in range(rank) if strides[k]]
        if not strides[-1]:
            exprs.append(AffineConstantExpr(0))
        return AffineMap(rank, 0, tuple(exprs))

    def input_map(self, source: Operand | Node) -> AffineMap:
        if isinstance(source, Node):
            dims = self.node_dims(source)
            exprs: list[AffineExpr] = [AffineDimExpr(k) for k in dims] or [AffineConstantExpr(0)]
            return AffineMap(len(self.rows.dims), 0, tuple(exprs))
        return self.strided_map(self.rows.strides[self.builder.table.operands.index(source)])

    def reduction(self, node: Node, emit: Emitter) -> SSAValue:
        """The generic of one reduction; its result has the node's element type."""
        rank = len(self.rows.dims)
        wide = accumulator_of(node)
        dims = self.node_dims(node)
        shape = self.sizes(dims) or [1]
        emit.origin = node.op
        start = self.starts[node]
        empty = emit.insert(tensor.EmptyOp([], TensorType(wide, shape))).results[0]
        init = emit.insert(fill(start, empty)).results[0]
        body = node.segment.body
        accumulator = body.insert_arg(wide, len(body.args))
        term = node.term
        if term.type != wide:
            ext = arith.ExtFOp(term, wide)
            copy_loc(node.op, ext)
            body.add_op(ext)
            term = ext.result
        combined = type(node.combiner).create(
            operands=[accumulator, term],
            result_types=[wide],
            properties=dict(node.combiner.properties),
            attributes=dict(node.combiner.attributes),
        )
        copy_loc(node.combiner, combined)
        body.add_op(combined)
        body.add_op(linalg.YieldOp(combined.results[0]))
        maps = [self.input_map(x) for x in node.segment.inputs]
        exprs: list[AffineExpr] = [AffineDimExpr(k) for k in dims] or [AffineConstantExpr(0)]
        maps.append(AffineMap(rank, 0, tuple(exprs)))
        reduced = self.reduced_dims(node)
        used = {e.position for m in maps for e in m.results if isinstance(e, AffineDimExpr)} | reduced
        inputs = [self.tensors[x] for x in node.segment.inputs]
        generic = generic_over(used, rank, maps, inputs, [init], body, reduced)
        generic.attributes["headrace.row"] = self.annotation(used)
        result = emit.insert(generic).results[0]
        if wide == node.element_type:
            return result
        return self.narrow(result, node.element_type, emit)

    def narrow(self, value: SSAValue, element: Attribute, emit: Emitter) -> SSAValue:
        """Round a wide result to its declared type, elementwise."""
        t = value.type
        assert isinstance(t, TensorType)
        shape = list(t.get_shape())
        body = Block(arg_types=[t.element_type, element])
        cut = arith.TruncFOp(body.args[0], element)
        copy_loc(emit.origin or self.builder.stores[0], cut)
        body.add_op(cut)
        body.add_op(linalg.YieldOp(cut.result))
        empty = emit.insert(tensor.EmptyOp([], TensorType(element, shape))).results[0]
        identity = AffineMapAttr(AffineMap.identity(len(shape)))
        generic = linalg.GenericOp(
            [value],
            [empty],
            Region(body),
            [identity, identity],
            [IteratorTypeAttr.parallel()] * len(shape),
            [empty.type],
        )
        generic.attributes["headrace.row_epilogue"] = UnitAttr()
        return emit.insert(generic).results[0]


def generic_over(
    used: set[int],
    rank: int,
    maps: Sequence[AffineMap],
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    body: Block,
    reduced: set[int],
) -> linalg.GenericOp:
    """A `linalg.generic` whose iteration space holds just the `used` final dimensions, in order."""
    order = [k for k in range(rank) if k in used]
    where: dict[int, AffineExpr] = {k: AffineDimExpr(i) for i, k in enumerate(order)}

    def remap(m: AffineMap) -> AffineMapAttr:
        exprs = tuple(where[e.position] if isinstance(e, AffineDimExpr) else e for e in m.results)
        return AffineMapAttr(AffineMap(len(order), 0, exprs))

    kinds = [IteratorTypeAttr.reduction() if k in reduced else IteratorTypeAttr.parallel() for k in order]
    return linalg.GenericOp(
        list(inputs), list(outputs), Region(body), [remap(m) for m in maps], kinds, [o.type for o in outputs]
    )
