"""Building and reading ScheduleIR: the scheduler's layer over the `ktdf` dialect.

A `Side` is one end of a transfer: a memref with linear subscripts and sizes, or a FIFO slot. `PipelineBuilder`
assembles a pipeline whose stages form one
token chain; resources that stages use (buffers, slots, tokens) go into its private region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.construct import operand_groups
from headrace.ir.dialects import ktdf
from headrace.ir.dialects.ktdf_types import LoopType
from headrace.ir.location import copy_loc
from headrace.ir.types import integer_values, string_attr
from headrace.scheduler.build import INDEX, Emitter, Index, constant_of, walk_ops
from headrace.scheduler.linear import Linear, linear, of_affine

SCAFFOLDING = frozenset(
    {
        "arith.constant",
        "arith.addi",
        "arith.muli",
        "arith.subi",
        "ktdf.tiling.derive_size",
        "ktdf.tiling.linearize_index",
    }
)
"""Operations that may stay behind in a stage that has lost its work."""


@dataclass(eq=False)
class Side:
    """One end of a transfer. `subs` (one linear form per dimension) and `sizes` belong to memrefs; a slot has no
    subscripts."""

    value: SSAValue
    subs: list[Linear] | None
    sizes: list[Index] | None


def zeros(rank: int) -> list[Linear]:
    return [Linear()] * rank


def kind(name: str) -> Attribute:
    """A unit or memory kind as the attribute that FIFO types carry."""
    return string_attr(name)


def kind_name(attr: Attribute) -> str:
    return attr.data if isinstance(attr, StringAttr) else str(attr)


def memory_kind(memory: SSAValue) -> str:
    """Kind of the memory behind a memref."""
    assert isinstance(memory.type, MemRefType)
    return kind_name(memory.type.memory_space)


def parallel_loop() -> Attribute:
    return ktdf.LoopTypeAttr(LoopType.PARALLEL_LOOP)


def is_parallel_loop(op: Operation) -> bool:
    return op.attributes.get("loop_type") == parallel_loop()


# -- slots ------------------------------------------------------------------------------------------------------------


def slot_type(src: str, dest: str, count: Index, element: Attribute) -> ktdf.FifoSlotType:
    n = constant_of(count)
    return _slot_type(src, dest, DYNAMIC_INDEX if n is None else n, element)


@lru_cache(maxsize=4096)
def _slot_type(src: str, dest: str, count: int, element: Attribute) -> ktdf.FifoSlotType:
    return ktdf.FifoSlotType(kind(src), kind(dest), count, element)


def slot_ends(slot: SSAValue) -> tuple[str, str]:
    t = slot.type
    assert isinstance(t, ktdf.FifoSlotType)
    return kind_name(t.src), kind_name(t.dest)


def slot_element(slot: SSAValue) -> Attribute:
    t = slot.type
    assert isinstance(t, ktdf.FifoSlotType)
    return t.element_type


def slot_count(slot: SSAValue) -> Index:
    """Elements of a slot: a number, or the value its allocation was given."""
    t = slot.type
    assert isinstance(t, ktdf.FifoSlotType)
    n = t.num_elements.data
    if n != DYNAMIC_INDEX:
        return n
    allocate, position = origin(slot)
    dynamic = [i for i, r in enumerate(allocate.results) if r.type.num_elements.data == DYNAMIC_INDEX]  # type: ignore[attr-defined]
    return allocate.operands[dynamic.index(position)]


def origin(value: SSAValue) -> tuple[Operation, int]:
    """The operation (inside a private region, if handed out by one) that makes `value`, and which result it is."""
    assert isinstance(value, OpResult)
    op = value.op
    if op.name == "ktdf.private":
        last = op.regions[0].block.last_op
        assert last is not None
        return origin(last.operands[value.index])
    return op, value.index


def is_slot(value: SSAValue) -> bool:
    return isinstance(value.type, ktdf.FifoSlotType)


def read(emit: Emitter, slot: SSAValue, result: Attribute) -> SSAValue:
    return emit.insert(ktdf.ReadFromFifoOp(slot, result)).results[0]


def write(value: SSAValue, slot: SSAValue) -> Operation:
    return ktdf.WriteToFifoOp(value, slot)


# -- transfers --------------------------------------------------------------------------------------------------------


def affine_of(subs: Sequence[Linear]) -> tuple[AffineMap, list[SSAValue]]:
    """Linear subscripts as a map over their terms, dims in first-use order."""
    operands: dict[SSAValue, int] = {}
    for form in subs:
        for v in form.terms:
            operands.setdefault(v, len(operands))
    exprs: list[AffineExpr] = []
    for form in subs:
        expr: AffineExpr | None = None
        for v, c in form.terms.items():
            term: AffineExpr = AffineDimExpr(operands[v])
            if c != 1:
                term = term * c
            expr = term if expr is None else expr + term
        if expr is None:
            expr = AffineConstantExpr(form.const)
        elif form.const:
            expr = expr + form.const
        exprs.append(expr)
    return AffineMap(len(operands), 0, tuple(exprs)), list(operands)


def transfer(
    into: Emitter | StageDraft, source: Side, dest: Side, mode: str | None = None, from_op: Operation | None = None
) -> Operation:
    """Emit a `ktdf.data_transfer`."""
    emit = into.emit if isinstance(into, StageDraft) else into
    arguments: list[object] = []
    for side in (source, dest):
        map_, operands = affine_of(side.subs) if side.subs is not None else (None, [])
        sizes = None if side.sizes is None else [c if (c := constant_of(s)) is not None else s for s in side.sizes]
        arguments += [side.value, map_, operands, sizes]
    op = ktdf.DataTransferOp.build_from(*arguments)  # type: ignore[arg-type]
    if mode is not None:
        op.attributes["transfer_mode"] = StringAttr(mode)
    emit.insert(op)
    if from_op is not None:
        copy_loc(from_op, op)
    return op


def side_of(op: Operation, which: str) -> Side:
    """One end ("source" or "dest") of a transfer; subscripts are expanded to linear forms of what their operands are
    computed from."""
    assert isinstance(op, ktdf.DataTransferOp)
    groups = operand_groups(op)
    (value,), indices, dynamic_sizes = groups[:3] if which == "source" else groups[3:]
    properties = op.properties
    map_attr = properties.get(f"{which}_map")
    static = properties.get(f"static_{which}_sizes")
    dynamic = iter(dynamic_sizes)
    sizes: list[Index] | None = None
    if static is not None:
        sizes = [next(dynamic) if n == DYNAMIC_INDEX else n for n in integer_values(static)]
    subs: list[Linear] | None = None
    if map_attr is not None:
        assert isinstance(map_attr, AffineMapAttr)
        forms = [linear(v) for v in indices]
        subs = []
        for expr in map_attr.data.results:
            form = of_affine(expr, forms, map_attr.data.num_dims)
            assert form is not None
            subs.append(form)
    return Side(value, subs, sizes)


def transfer_mode(op: Operation) -> str | None:
    attr = op.attributes.get("transfer_mode")
    return attr.data if isinstance(attr, StringAttr) else None


def fold_sizes(op: Operation) -> bool:
    """Make sizes of a transfer that are constants static; whether any was."""
    assert isinstance(op, ktdf.DataTransferOp)
    groups = operand_groups(op)
    if all(constant_of(v) is None for v in (*groups[2], *groups[5])):
        return False
    transfer(Emitter(InsertPoint.before(op), op), side_of(op, "source"), side_of(op, "dest"), transfer_mode(op), op)
    op.detach()
    op.erase()
    return True


def upper_size(size: Index) -> int:
    """The most that a size can be: itself, or the tile size of the `derive_size` it is."""
    n = constant_of(size)
    if n is not None:
        return n
    assert (
        isinstance(size, SSAValue)
        and isinstance(size.owner, Operation)
        and size.owner.name == "ktdf.tiling.derive_size"
    )
    upper = constant_of(derive_parts(size.owner)[0][-1][1])
    assert upper is not None
    return upper


def derived_total(size: Index) -> SSAValue | None:
    """The total that a `derive_size` cuts; None for a plain number."""
    if (
        isinstance(size, SSAValue)
        and isinstance(size.owner, Operation)
        and size.owner.name == "ktdf.tiling.derive_size"
    ):
        return derive_parts(size.owner)[1]
    return None


def known_factor(value: SSAValue, fallback: int | None) -> int | None:
    """A constant factor of a product."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "arith.muli":
        for v in owner.operands:
            k = constant_of(v)
            if k is not None and k > 1:
                return k
    return fallback


def upper_bound(value: SSAValue) -> int | None:
    """Upper bound of a value computed from runtime arguments; None if it has none."""
    owner = value.owner
    n = constant_of(value)
    if n is not None:
        return n
    if not isinstance(owner, Operation):
        return None
    if owner.name == "ktdp.runtime_arg_extract":
        bound = getattr(owner.operands[0].type, "upperbound", None)
        data = getattr(getattr(bound, "value", bound), "data", None)
        return data if isinstance(data, int) else None
    if owner.name in (
        "arith.divui",
        "arith.divsi",
        "arith.ceildivsi",
        "arith.ceildivui",
        "arith.muli",
        "arith.floordivsi",
    ):
        a, b = upper_bound(owner.operands[0]), constant_of(owner.operands[1])
        if a is None or not b:
            return None
        return a * b if owner.name == "arith.muli" else -(-a // b)
    if owner.name in ("arith.maxsi", "arith.addi", "arith.minsi"):
        a, b = upper_bound(owner.operands[0]), upper_bound(owner.operands[1])
        if a is None or b is None:
            return a if b is None and owner.name == "arith.minsi" else (b if owner.name == "arith.minsi" else None)
        return {"arith.maxsi": max(a, b), "arith.addi": a + b, "arith.minsi": min(a, b)}[owner.name]
    return None


# -- tiling and buffers -----------------------------------------------------------------------------------------------


def reserve_size() -> Operation:
    return ktdf.TilingReserveSizeOp(1, 1)


def derive_size(pairs: Sequence[tuple[SSAValue, SSAValue]], total: SSAValue) -> Operation:
    return ktdf.TilingDeriveSizeOp([v for v, _ in pairs], [s for _, s in pairs], total)


def derive_parts(op: Operation) -> tuple[list[tuple[SSAValue, SSAValue]], SSAValue]:
    """(index, tile size) pairs and total of a `derive_size`."""
    n = (len(op.operands) - 1) // 2
    return list(zip(op.operands[:n], op.operands[n : 2 * n], strict=True)), op.operands[-1]


def linearize_index(pairs: Sequence[tuple[SSAValue, SSAValue]]) -> Operation:
    return ktdf.TilingLinearizeIndexOp([v for v, _ in pairs], [s for _, s in pairs])


def linearize_parts(op: Operation) -> list[tuple[SSAValue, SSAValue]]:
    n = len(op.operands) // 2
    return list(zip(op.operands[:n], op.operands[n:], strict=True))


def buffer_phase(ivs: Sequence[SSAValue], phases: int) -> Operation:
    return ktdf.BufferPhaseOp(list(ivs), phases)


def select_memref(phase: SSAValue, candidates: Sequence[SSAValue]) -> Operation:
    return ktdf.SelectMemrefOp(phase, list(candidates))


def indirect_memref(base: SSAValue, table: SSAValue, rows: Sequence[int], result: Attribute) -> Operation:
    return ktdf.IndirectMemrefOp(base, table, rows, result)


# -- pipelines --------------------------------------------------------------------------------------------------------


def stages(pipeline: Operation) -> list[Operation]:
    return [op for op in pipeline.regions[0].block.ops if op.name == "ktdf.stage"]


def private(pipeline: Operation | None) -> Operation | None:
    assert pipeline is not None
    return next((op for op in pipeline.regions[0].block.ops if op.name == "ktdf.private"), None)


def units(stage: Operation) -> list[str]:
    """Applicable units of a stage (empty if it has none yet)."""
    attr = stage.properties.get("applicable_units", stage.attributes.get("applicable_units"))
    return [kind_name(a) for a in attr.data] if isinstance(attr, ArrayAttr) else []


def stage_around(op: Operation) -> Operation:
    while op.name != "ktdf.stage":
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


def is_outermost(pipeline: Operation) -> bool:
    """Whether no other pipeline is around it."""
    op = pipeline.parent_op()
    while op is not None:
        if op.name == "ktdf.pipeline":
            return False
        op = op.parent_op()
    return True


def modulo(pipeline: Operation) -> int | None:
    attr = pipeline.properties.get("modulo")
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def set_modulo(pipeline: Operation, n: int) -> None:
    pipeline.properties["modulo"] = IntegerAttr(n, i64)


def private_resources(op: Operation | None) -> Iterator[tuple[SSAValue, Operation]]:
    """(result, defining op in the private region) for everything a private op hands out."""
    if op is None:
        return
    last = op.regions[0].block.last_op
    assert last is not None
    for result, inner in zip(op.results, last.operands, strict=True):
        assert isinstance(inner, OpResult)
        yield result, inner.op


def producer(slot: SSAValue) -> Operation | None:
    """The transfer that fills a slot."""
    for use in slot.uses:
        op = use.operation
        if isinstance(op, ktdf.DataTransferOp) and op.destination is slot:
            return op
    return None


def touches_slot(stage: Operation) -> bool:
    return any(is_slot(v) for op in walk_ops(stage) for v in op.operands)


def share_slot(a: Operation, b: Operation) -> bool:
    mine = {v for op in walk_ops(a) for v in op.operands if is_slot(v)}
    return any(v in mine for op in walk_ops(b) for v in op.operands)


def drop_private(pipeline: Operation, values: Sequence[SSAValue]) -> None:
    """Remove unused results (and what makes them) from the private op."""
    old = private(pipeline)
    assert old is not None
    gone = set(values)
    last = old.regions[0].block.last_op
    assert last is not None
    keep = [i for i, r in enumerate(old.results) if r not in gone]
    kept = [last.operands[i] for i in keep]
    makers = [last.operands[i].owner for i, r in enumerate(old.results) if r in gone]
    last.detach()
    last.erase()
    block = old.regions[0].block
    block.add_op(ktdf.PrivateYieldOp(kept))
    for op in makers:
        if isinstance(op, Operation) and not any(r.uses for r in op.results):
            op.detach()
            op.erase()
    if not kept:
        old.detach()
        old.erase()
        return
    region = old.detach_region(old.regions[0])
    new = ktdf.PrivateOp([v.type for v in kept], region)
    copy_loc(old, new)
    Rewriter.insert_op(new, InsertPoint.before(old))
    for i, r in zip(keep, new.results, strict=True):
        r.name_hint = old.results[i].name_hint
        old.results[i].replace_all_uses_with(r)
    old.detach()
    old.erase()


def remove_stage(pipeline: Operation, stage: Operation) -> None:
    """Take an empty stage out of the token chain; its successor then waits for its predecessor."""
    before, after = list(stage.depends_in), list(stage.depends_out)  # type: ignore[attr-defined]
    chain = stages(pipeline)
    position = chain.index(stage)
    stage.detach()
    stage.erase(safe_erase=False)
    for token in after:
        for use in list(token.uses):
            if use.operation.name == "ktdf.stage":
                replace_tokens(use.operation, {token: before[0] if before else None})
    rest = stages(pipeline)
    if position == len(chain) - 1 and rest:
        replace_tokens(rest[-1], {t: None for t in rest[-1].depends_out})  # type: ignore[attr-defined]
    unused = [r for r, op in private_resources(private(pipeline)) if op.name == "ktdf.create_token" and not r.uses]
    if unused:
        drop_private(pipeline, unused)


def replace_tokens(stage: Operation, change: dict[SSAValue, SSAValue | None]) -> None:
    """Rebuild a stage with tokens replaced (or dropped, if None)."""
    assert isinstance(stage, ktdf.StageOp)

    def renamed(tokens: Sequence[SSAValue]) -> list[SSAValue]:
        out = [change.get(t, t) for t in tokens]
        return [t for t in out if t is not None]

    new = ktdf.StageOp(
        renamed(stage.depends_in), renamed(stage.depends_out), stage.detach_region(stage.regions[0]), units(stage)
    )
    copy_loc(stage, new)
    Rewriter.insert_op(new, InsertPoint.before(stage))
    stage.detach()
    stage.erase()


@dataclass(eq=False)
class StageDraft:
    """A stage under construction."""

    units: list[str]
    block: Block
    emit: Emitter


class PipelineBuilder:
    """Assembles one `ktdf.pipeline` at `emit`; `origin` gives the source location."""

    def __init__(self, emit: Emitter, origin: Operation):
        self.emit = emit
        self.origin = origin
        self.inner = Block()
        self.inside = Emitter(InsertPoint.at_end(self.inner), origin)
        self.drafts: list[StageDraft] = []
        self._resources: list[SSAValue] = []
        self._slots: dict[tuple[str, str], list[tuple[Index, Attribute, Operation]]] = {}

    def stage(self, units: Sequence[str], body: Operation | None = None) -> StageDraft:
        """A new last stage; `body` is an existing stage whose operations move in."""
        block = Block()
        if body is not None:
            for op in list(body.regions[0].block.ops):
                op.detach()
                block.add_op(op)
        draft = StageDraft(list(units), block, Emitter(InsertPoint.at_end(block), self.origin))
        self.drafts.append(draft)
        return draft

    def resource(self, op: Operation, like: object) -> SSAValue:
        """Put a resource (a buffer) into the private region; the result may be used by the stages."""
        del like
        self.inside.insert(op)
        self._resources.append(op.results[0])
        return op.results[0]

    def slot(self, src: str, dest: str, count: Index, element: Attribute, role: str) -> SSAValue:
        """A FIFO slot; all slots of one (src, dest) pair come from one allocation, in order of request."""
        del role
        t = slot_type(src, dest, count, element)
        op = ktdf.FifoAllocateOp([count] if isinstance(count, SSAValue) and constant_of(count) is None else [], [t])
        self._slots.setdefault((src, dest), []).append((count, element, op))
        return op.results[0]

    def finish(self, replaced: dict[SSAValue, SSAValue]) -> Operation:
        """Create the pipeline; `replaced` maps values of an old pipeline to new ones inside the moved bodies."""
        for old, new in replaced.items():
            old.replace_all_uses_with(new)
        for entries in self._slots.values():
            dynamic = [c for c, _, _ in entries if isinstance(c, SSAValue) and constant_of(c) is None]
            allocate = ktdf.FifoAllocateOp(dynamic, [op.results[0].type for _, _, op in entries])
            self.inside.insert(allocate)
            for (_, _, op), result in zip(entries, allocate.results, strict=True):
                op.results[0].replace_all_uses_with(result)
                op.erase()
                self._resources.append(result)
        tokens = [self.inside.insert(ktdf.CreateTokenOp()).results[0] for _ in self.drafts[1:]]
        handed = [*self._resources, *tokens]
        body = Block()
        final: list[SSAValue] = []
        if handed:
            self.inner.add_op(ktdf.PrivateYieldOp(handed))
            made = ktdf.PrivateOp([v.type for v in handed], Region(self.inner))
            body.add_op(made)
            final = list(made.results)
            for value, result in zip(handed, final, strict=True):
                result.name_hint = value.name_hint
                value.replace_uses_with_if(result, lambda use: use.operation.parent is not self.inner)
            tokens = final[len(self._resources) :]
        for i, draft in enumerate(self.drafts):
            stage = ktdf.StageOp(
                [tokens[i - 1]] if i else [],
                [tokens[i]] if i < len(self.drafts) - 1 else [],
                Region(draft.block),
                draft.units,
            )
            body.add_op(stage)
        pipeline = ktdf.PipelineOp(Region(body))
        copy_loc(self.origin, pipeline)
        Rewriter.insert_op(pipeline, self.emit.point)
        if self.origin.name == "ktdf.pipeline" and replaced:
            self.origin.detach()
            self.origin.erase(safe_erase=False)
        return pipeline


def build_three_stages(
    emit: Emitter,
    origin: Operation,
    sides: Sequence[Side],
    loads: int,
    kinds: Sequence[str],
    compute: Attribute,
    body: Callable[[Sequence[tuple[SSAValue, Side]], Emitter], list[SSAValue]],
) -> Operation:
    """The load / compute / store pipeline: `sides` are the memory ends of all operands, loads first."""
    unit = kind_name(compute)
    builder = PipelineBuilder(emit, origin)
    load, middle, store = builder.stage([]), builder.stage([unit]), builder.stage([])
    slots: list[tuple[SSAValue, Side]] = []
    for i, (side, where) in enumerate(zip(sides, kinds, strict=True)):
        assert side.sizes is not None and isinstance(side.value.type, MemRefType)
        count = emit.product(side.sizes)
        ends = (where, unit) if i < loads else (unit, where)
        slot = builder.slot(*ends, count, side.value.type.element_type, "load" if i < loads else "store")
        slots.append((slot, side))
        if i < loads:
            transfer(load, side, Side(slot, None, [count]))
        else:
            transfer(store, Side(slot, None, [count]), side)
    results = body(slots, middle.emit)
    for value, (slot, _) in zip(results, slots[loads:], strict=True):
        middle.emit.insert(ktdf.WriteToFifoOp(value, slot))
    return builder.finish({})


def clone_slots(
    pipeline: Operation, group: Sequence[Operation], builder: PipelineBuilder, mapping: dict[SSAValue, SSAValue]
) -> dict[SSAValue, SSAValue]:
    """Slots that the stages of `group` use, made anew in `builder`."""
    used = {v for stage in group for op in walk_ops(stage) for v in op.operands if is_slot(v)}
    made: dict[SSAValue, SSAValue] = {}
    for result, _ in private_resources(private(pipeline)):
        if result in used:
            count = slot_count(result)
            count = mapping.get(count, count) if isinstance(count, SSAValue) else count
            made[result] = builder.slot(*slot_ends(result), count, slot_element(result), "")
    return made


def open_if(emit: Emitter, cond: SSAValue, negated: bool) -> Block:
    """An `scf.if` at `emit`; returns the block of the branch taken when the guard holds."""
    branch = Block([scf.YieldOp()])
    regions = [Region(Block([scf.YieldOp()])), Region(branch)] if negated else [Region(branch)]
    emit.insert(scf.IfOp(cond, [], *regions))  # pyright: ignore[reportArgumentType]
    return branch


def last_extent(tensor: SSAValue) -> Index:
    """Extent of a tensor's last dimension; dynamic ones are traced to `tensor.empty`."""
    assert isinstance(tensor.type, TensorType)
    n = tensor.type.get_shape()[-1]
    if n != DYNAMIC_INDEX:
        return n
    op = tensor.owner
    assert isinstance(op, Operation)
    return op.operands[-1]


def widen_slot(slot: SSAValue, fill: Operation, reader: Operation, count: Index) -> None:
    """Make a one-element slot hold `count` elements, filled by repetition; the reader's tensor grows in its last
    dimension."""
    allocate, position = origin(slot)
    n = constant_of(count)
    results = [r.type for r in allocate.results]
    results[position] = slot_type(*slot_ends(slot), count, slot_element(slot))
    dynamic = [slot_count(r) for r in allocate.results]
    dynamic[position] = count
    operands = [c for c in dynamic if isinstance(c, SSAValue) and constant_of(c) is None]
    new = ktdf.FifoAllocateOp(operands, results)
    copy_loc(allocate, new)
    Rewriter.insert_op(new, InsertPoint.before(allocate))
    for a, b in zip(allocate.results, new.results, strict=True):
        a.replace_all_uses_with(b)
    allocate.detach()
    allocate.erase()
    if slot.type != results[position]:
        slot = Rewriter.replace_value_with_new_type(slot, results[position])
    source = side_of(fill, "source")
    transfer(Emitter(InsertPoint.before(fill), fill), source, Side(slot, None, [count]), "splat", fill)
    fill.detach()
    fill.erase()
    t = reader.results[0].type
    assert isinstance(t, TensorType)
    shape = [*t.get_shape()[:-1], DYNAMIC_INDEX if n is None else n]
    Rewriter.replace_value_with_new_type(reader.results[0], TensorType(t.element_type, shape))


def vector_length(pipeline: Operation) -> Index | None:
    """The vector length of an inner pipeline: a number, or the value that its dynamic slots have."""
    for result, _ in private_resources(private(pipeline)):
        if is_slot(result):
            count = slot_count(result)
            if isinstance(count, SSAValue) and constant_of(count) is None:
                return count
    return None


def require_dynamic_length(pipeline: Operation) -> SSAValue:
    length = vector_length(pipeline)
    assert isinstance(length, SSAValue)
    return length


def specialise(pipeline: Operation, length: SSAValue, n: int) -> None:
    """Fix the vector length of an inner pipeline: slots, tensors and transfer sizes become static."""
    constant = Emitter.before(pipeline).value(n)
    length.replace_uses_with_if(constant, lambda use: inside(use.operation, pipeline))
    for op in list(walk_ops(pipeline)):
        for result in op.results:
            t = result.type
            if isinstance(t, ktdf.FifoSlotType) and t.num_elements.data == DYNAMIC_INDEX:
                Rewriter.replace_value_with_new_type(result, ktdf.FifoSlotType(t.src, t.dest, n, t.element_type))
            elif isinstance(t, TensorType) and DYNAMIC_INDEX in t.get_shape():
                shape = [n if s == DYNAMIC_INDEX else s for s in t.get_shape()]
                Rewriter.replace_value_with_new_type(result, TensorType(t.element_type, shape))
    for op in list(walk_ops(pipeline, "ktdf.fifo.allocate", "tensor.empty", "ktdf.data_transfer")):
        if op.name == "ktdf.data_transfer":
            fold_sizes(op)
        elif op.operands:
            op.operands = []


def inside(op: Operation, outer: Operation) -> bool:
    while op is not outer:
        parent = op.parent_op()
        if parent is None:
            return False
        op = parent
    return True


def parallel_from_loop(loop: scf.ForOp, instances: int) -> Operation:
    """Replace a loop by a `ktdf.parallel` over the same range."""
    old = loop.body.block
    block = Block(arg_types=[INDEX, INDEX])
    block.args[0].name_hint, block.args[1].name_hint = old.args[0].name_hint, "instance"
    old.args[0].replace_all_uses_with(block.args[0])
    for op in list(old.ops):
        op.detach()
        if op.name != "scf.yield":
            block.add_op(op)
        else:
            op.erase()
    block.add_op(ktdf.ParallelYieldOp())
    new = ktdf.ParallelOp([loop.lb], [loop.ub], [loop.step], instances, Region(block))
    copy_loc(loop, new)
    Rewriter.insert_op(new, InsertPoint.before(loop))
    loop.detach()
    loop.erase()
    return new


def parallel_around(pipeline: Operation, instances: int) -> Operation:
    """Put a pipeline under a `ktdf.parallel` of one iteration: the first instance runs it."""
    emit = Emitter.before(pipeline)
    zero, one = emit.value(0), emit.value(1)
    block = Block(arg_types=[INDEX, INDEX])
    new = ktdf.ParallelOp([zero], [one], [one], instances, Region(block))
    emit.insert(new)
    pipeline.detach()
    block.add_op(pipeline)
    block.add_op(ktdf.ParallelYieldOp())
    return new
