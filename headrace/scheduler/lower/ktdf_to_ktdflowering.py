"""`ktdf-to-ktdflowering`: stages become regions executed by named units, and units get explicit signals.

Precondition: the scheduler's last form: 1-D `grid`, leaf stages with exactly one applicable unit, static transfers,
assigned addresses. Postcondition: no pipeline, stage, private region or token is left; each stage is a
`ktdf_lowering.execute_on` over its units, each pipeline one over the union of its stages' units; `loop_type` is gone.

Signals are one-way (`ktdf_lowering.signal %senders, %receivers`) with these discardable attributes:
`headrace.signal = k` the semaphore, `headrace.role = "send" | "recv"` whose side the op is (the other side ignores it),
`headrace.senders = n` how many operands are senders, `headrace.count = n` how many times, and `headrace.same_corelet`
(unit) when only units of equal corelet signal each other. Where they stand is decided in `signals`.

```
ktdf.pipeline { ktdf.stage .. {A -> buf} ["DIN"]  ktdf.stage .. {buf -> fifo} ["RD"] }
=> execute_on %din, %rd {
     execute_on %din {..}  signal %din, %rd {role send}  signal %din, %rd {role recv}  execute_on %rd {..}
   }
```

A stage outside `ktdf.parallel` whose kind has several instances per core runs on instance 0 alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.construct import create_op
from headrace.ir.diagnostics import error
from headrace.ir.dialects import dataflow, ktdf_lowering, ktdp, uniform
from headrace.ir.location import copy_loc
from headrace.ir.passes import Pass
from headrace.ir.types import integer_attr, string_attr
from headrace.scheduler.build import ancestors, walk_ops
from headrace.scheduler.device import device_of
from headrace.scheduler.lower import signals
from headrace.scheduler.lower.accesses import collect, is_leaf, stage_kinds
from headrace.scheduler.lower.memrefs import Chains
from headrace.scheduler.lower.normalize_grid_to_1d import grid_of

INDEX = IndexType()


@dataclass
class KtdfToKtdfLoweringPass(Pass):
    """See the module docstring."""

    name = "ktdf-to-ktdflowering"
    summary = "Turn stages into regions executed by named units, with explicit signals"

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        stages_to_units(op, device_of(op))


def stages_to_units(module: ModuleOp, device: Device) -> None:
    """Run the pass on a module for a device."""
    for func in list(walk_ops(module, "func.func")):
        if func.regions[0].blocks and next(walk_ops(func, "ktdf.stage"), None) is not None:
            _Function(func, device).run()


class _Function:
    def __init__(self, func: Operation, device: Device):
        self.func = func
        self.device = device
        self.entry = func.regions[0].block
        self.queries: dict[str, list[SSAValue]] = {}

    def run(self) -> None:
        grid = grid_of(self.func)
        if grid is None:
            raise error(self.func, "Function missing 'grid' attribute")
        if len(grid) != 1:
            raise error(self.func, f"Only 1D grids supported in Phase 1 (got {len(grid)}D grid)")
        instances = self._classify()
        for pipeline in list(walk_ops(self.func, "ktdf.pipeline")):
            _sort_stages(pipeline)
        for private in list(walk_ops(self.func, "ktdf.private")):
            _inline_private(private)
        accesses = collect(self.func, Chains(), self.device)
        events = signals.plan(self.func, accesses, instances)
        top = self._materialise(grid[0], instances)
        self._insert(events)
        for stage in reversed(list(walk_ops(self.func, "ktdf.stage"))):
            outside = len(instances) and not any(p.name == "ktdf.parallel" for p in ancestors(stage))
            units = [
                q
                for kind in stage_kinds(stage)
                for q in (self.queries[kind][:1] if is_leaf_kind(stage, outside) else self.queries[kind])
            ]
            self._execute_on(stage, units)
        for pipeline in reversed(list(walk_ops(self.func, "ktdf.pipeline"))):
            block = pipeline.regions[0].block
            units = [u for op in block.ops if op.name == "ktdf_lowering.execute_on" for u in op.operands]
            if not units:
                raise error(pipeline, "No units found for pipeline execute_on")
            self._execute_on(pipeline, units)
        for op in list(walk_ops(self.func, "scf.for", "ktdf.create_token")):
            op.attributes.pop("loop_type", None)
            if op.name == "ktdf.create_token" and not op.results[0].uses:
                Rewriter.erase_op(op)
        Rewriter.insert_op(top, InsertPoint.at_start(self.entry))  # last: there may be hundreds to walk over

    def _classify(self) -> dict[str, int]:
        """Instances per core of each kind: the largest `num_instances` it runs under, else 1; in first-use order."""
        instances: dict[str, int] = {}
        known = {kind.upper() for kind in self.device.units}
        for stage in walk_ops(self.func, "ktdf.stage"):
            kinds = stage_kinds(stage)
            if not kinds:
                raise error(stage, "No units found for stage")
            if not is_leaf(stage):
                continue
            if len(kinds) != 1:
                raise error(
                    stage, f"a stage without nested pipeline must name exactly one unit, but names {len(kinds)}"
                )
            if kinds[0].upper() not in known:
                raise error(
                    stage, f"failed to compute scratchpad conflicts: the device has no unit of kind '{kinds[0]}'"
                )
            count = 1
            for parent in ancestors(stage):
                if parent.name == "ktdf.parallel":
                    if count != 1:
                        raise error(parent, "nested ktdf.parallel cannot be lowered")
                    count = parent.properties["num_instances"].value.data  # type: ignore[attr-defined]
            instances[kinds[0]] = max(count, instances.get(kinds[0], 1))
        if not instances:
            raise error(self.func, "no queries wired to stages")
        return instances

    def _materialise(self, cores: int, instances: dict[str, int]) -> list[Operation]:
        """Units, one mapping per kind and instance, and the query by tile id, for the start of the function."""
        ops: list[Operation] = []
        keys = [
            create_op(arith.ConstantOp, (), (INDEX,), {"value": integer_attr(core, INDEX)}) for core in range(cores)
        ]
        tile = ktdp.GetComputeTileIdOp.build(result_types=[[INDEX]])
        tail: list[Operation] = [*keys, tile]
        # kinds with one instance first, as consumers number them
        for kind, count in sorted(instances.items(), key=lambda item: item[1] > 1):
            tag, named = kind.lower(), StringAttr(kind)
            for corelet in range(count):
                suffix = f"-CL{corelet}" if count > 1 else ""
                units = [dataflow.GetUnitOp(f"C{core}-{tag}{suffix}", tag, core, corelet) for core in range(cores)]
                for unit in units:
                    unit.attributes["headrace.kind"] = named
                ops += units
                mapping = uniform.DefImmutableMappingOp([k.result for k in keys], [u.results[0] for u in units])
                query = uniform.QueryMapOp(mapping.result, tile.results[0])
                tail += [mapping, query]
                self.queries.setdefault(kind, []).append(query.result)
        for op in (*ops, *tail):
            op.location = self.func.location
        return [*ops, *tail]

    def _insert(self, events: Iterable[signals.Event]) -> None:
        last: dict[tuple[Operation, bool], Operation] = {}
        for event in events:
            senders, receivers = self.queries[event.sender], self.queries[event.receiver]
            attributes: dict[str, Attribute] = {
                "headrace.signal": integer_attr(event.signal, i32),
                "headrace.role": string_attr("send" if event.send else "recv"),
                "headrace.senders": integer_attr(len(senders), i32),
            }
            if event.count != 1:
                attributes["headrace.count"] = IntegerAttr(event.count, i32)
            if event.same_corelet and len(senders) > 1 and len(receivers) > 1:
                attributes["headrace.same_corelet"] = UnitAttr()
            op = create_op(ktdf_lowering.SignalOp, (*senders, *receivers), attributes=attributes)
            copy_loc(event.anchor, op)
            if event.before:
                Rewriter.insert_op(op, InsertPoint.before(event.anchor))
            else:
                previous = last.get((event.anchor, False), event.anchor)
                Rewriter.insert_op(op, InsertPoint.after(previous))
                last[event.anchor, False] = op

    def _execute_on(self, op: Operation, units: list[SSAValue]) -> None:
        unique = list(dict.fromkeys(units))
        block = Block()
        body = op.regions[0].block
        for inner in list(body.ops):
            inner.detach()
            block.add_op(inner)
        new = create_op(ktdf_lowering.ExecuteOnOp, unique, regions=(Region(block),))
        copy_loc(op, new)
        Rewriter.replace_op(op, [new], [])


def is_leaf_kind(stage: Operation, outside: bool | int) -> bool:
    """Whether the stage runs on instance 0 alone: a leaf that no `ktdf.parallel` distributes."""
    return bool(outside) and next(walk_ops(stage, "ktdf_lowering.execute_on", "ktdf.pipeline"), None) is None


def _inline_private(private: Operation) -> None:
    block = private.regions[0].block
    terminator = block.last_op
    assert terminator is not None
    values = list(terminator.operands)
    for op in list(block.ops):
        if op is not terminator:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(private))
    Rewriter.erase_op(terminator, safe_erase=False)
    Rewriter.replace_op(private, [], values)


def _origin(token: SSAValue) -> SSAValue:
    owner = token.owner
    while isinstance(owner, Operation) and owner.name == "ktdf.private":
        token = owner.regions[0].block.last_op.operands[owner.results.index(token)]  # type: ignore[union-attr,arg-type]
        owner = token.owner
    return token


def _sort_stages(pipeline: Operation) -> None:
    """Bring the stages into an order that respects the tokens; textual order breaks ties."""
    block = pipeline.regions[0].block
    stages = [op for op in block.ops if op.name == "ktdf.stage"]
    producers: dict[SSAValue, list[Operation]] = {}
    for stage in stages:
        for token in stage.depends_out:  # type: ignore[attr-defined]
            producers.setdefault(_origin(token), []).append(stage)
    before = {
        stage: {p for token in stage.depends_in for p in producers.get(_origin(token), []) if p is not stage}  # type: ignore[attr-defined]
        for stage in stages
    }
    order: list[Operation] = []
    left = list(stages)
    while left:
        ready = next((s for s in left if before[s] <= set(order)), None)
        if ready is None:
            raise error(pipeline, "Circular token dependency detected in pipeline")
        order.append(ready)
        left.remove(ready)
    if order != stages:
        for stage in order:
            stage.detach()
            block.add_op(stage)
