"""The ordered list of passes from KTIR to DataflowIR, and the driver that runs it.

A plan is a list of steps: pass names with options, and the pattern checkpoints of the device file. After each pass the
driver hands the module to a
callback (`after`): that is how `--print-ir-after-all`, `--save-ir` and `--check=passes` look in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from headrace.arch import Device
from headrace.arch.patterns import apply_patterns
from headrace.ir.passes import load_pass
from headrace.scheduler.device import attach_device
from headrace.scheduler.shared import APART

PASSES: dict[str, str] = {
    "ktir-legality-check": "headrace.scheduler.split.ktir_legality_check:KtirLegalityCheck",
    "loop-bound-legalization": "headrace.scheduler.split.loop_bound_legalization:LoopBoundLegalization",
    "tile-communication": "headrace.scheduler.split.tile_communication:TileCommunication",
    "tensor-legalization": "headrace.scheduler.split.tensor_legalization:TensorLegalization",
    "compute-group-extraction": "headrace.scheduler.split.compute_group_extraction:ComputeGroupExtraction",
    "construct-three-stage-pipeline":
    "headrace.scheduler.split.construct_three_stage_pipeline:ConstructThreeStagePipeline",
    "path-expansion": "headrace.scheduler.shape.path_expansion:PathExpansion",
    "scalar-broadcast-legalization":
    "headrace.scheduler.shape.scalar_broadcast_legalization:ScalarBroadcastLegalization",
    "normalize-scf-for-loops": "headrace.scheduler.shape.normalize_scf_for_loops:NormalizeScfForLoops",
    "tile-scf-for-loops": "headrace.scheduler.shape.tile_scf_for_loops:TileScfForLoops",
    "stage-coarsening": "headrace.scheduler.shape.stage_coarsening:StageCoarsening",
    "tile-size-selection": "headrace.scheduler.shape.tile_size_selection:TileSizeSelection",
    "broadcast-promotion": "headrace.scheduler.shape.broadcast_promotion:BroadcastPromotion",
    "double-buffering": "headrace.scheduler.shape.double_buffering:DoubleBuffering",
    "reduction-loop-exposure": "headrace.scheduler.shape.reduction_loop_exposure:ReductionLoopExposure",
    "split-vector-tails": "headrace.scheduler.shape.split_vector_tails:SplitVectorTails",
    "parallelize-loops-across-instances":
    "headrace.scheduler.shape.parallelize_loops_across_instances:ParallelizeLoopsAcrossInstances",
    "legalize-transfer-sizes": "headrace.scheduler.shape.legalize_transfer_sizes:LegalizeTransferSizes",
    "subsume-linearize-index": "headrace.scheduler.shape.subsume_linearize_index:SubsumeLinearizeIndex",
    "merge-programs": "headrace.scheduler.shape.merge_programs:MergePrograms",
    "address-assignment": "headrace.scheduler.shape.address_assignment:AddressAssignment",
    "normalize-grid-to-1d": "headrace.scheduler.lower.normalize_grid_to_1d:NormalizeGridTo1dPass",
    "ktdf-to-ktdflowering": "headrace.scheduler.lower.ktdf_to_ktdflowering:KtdfToKtdfLoweringPass",
    "ktdflowering-to-dfir": "headrace.scheduler.lower.ktdflowering_to_dfir:KtdfLoweringToDfirPass",
    "promote-register-memory": "headrace.scheduler.lower.promote_register_memory:PromoteRegisterMemoryPass",
    "wrap-program-dfir": "headrace.scheduler.lower.wrap_program_dfir:WrapProgramDfirPass",
    "ensure-device-declaration":
    "headrace.scheduler.split.ensure_device_declaration:EnsureDeviceDeclarationPass",
    "ktdfarch-apply-patterns": "headrace.scheduler.split.ktdfarch_apply_patterns:KtdfarchApplyPatternsPass",
    "emit-split-dfir": "headrace.scheduler.lower.emit_split_dfir:EmitSplitDfirPass",
}
"""Passes by name: where their class is (imported when first run)."""


@dataclass(frozen=True)
class Step:
    """A pass with options, or (if `checkpoint`) a pattern checkpoint of the device file."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    checkpoint: bool = False


SPLIT: tuple[Step, ...] = (
    Step("pre_mapping", checkpoint=True),
    Step("ktir-legality-check"),
    Step("loop-bound-legalization"),
    Step("tile-communication"),
    Step("tensor-legalization"),
    Step("compute-group-extraction"),
    Step("construct-three-stage-pipeline"),
)
SHAPE: tuple[Step, ...] = (
    Step("pre_scheduling", checkpoint=True),
    Step("path-expansion"),
    Step("scalar-broadcast-legalization"),
    Step("normalize-scf-for-loops"),
    Step("tile-scf-for-loops"),
    Step("stage-coarsening"),
    Step("tile-size-selection"),
    Step("broadcast-promotion"),
    Step("double-buffering"),
    Step("reduction-loop-exposure"),
    Step("split-vector-tails"),
    Step("parallelize-loops-across-instances"),
    Step("legalize-transfer-sizes"),
    Step("subsume-linearize-index"),
    Step("post_scheduling", checkpoint=True),
    Step("merge-programs"),
    Step("address-assignment"),
    Step("normalize-grid-to-1d"),
)
LOWER: tuple[Step, ...] = (
    Step("ktdf-to-ktdflowering"),
    Step("post_lowering", checkpoint=True),
    Step("ktdflowering-to-dfir"),
    Step("promote-register-memory"),
    Step("wrap-program-dfir"),
)
PLAN: tuple[Step, ...] = SPLIT + SHAPE + LOWER
SCHEDULE_END = "normalize-grid-to-1d"
"""The last pass of the plan whose result is ScheduleIR."""

SHARED_READS = "shared-reads"
"""No pass, but a decision of one (construct-three-stage-pipeline) that can be left out like a pass."""

After = Callable[[str, ModuleOp], None]


def run_plan(
    module: ModuleOp,
    device: Device,
    steps: Sequence[Step] = PLAN,
    after: After | None = None,
    disabled: frozenset[str] = frozenset(),
    context: Context | None = None,
) -> ModuleOp:
    """Run `steps` on `module` in place for `device`; `after(name, module)` is called after each pass and checkpoint.

    Raises HeadraceError with located diagnostics for kernels that cannot be scheduled.
    """
    attach_device(module, device)
    if SHARED_READS in disabled:
        for op in module.body.block.ops:
            if op.name == "func.func":
                op.attributes[APART] = UnitAttr()
    for step in steps:
        if step.name in disabled:
            continue
        if step.checkpoint:
            apply_patterns(module, device, step.name)
        else:
            load_pass(step.name, PASSES)(**step.options).apply(module, context)  # pyright: ignore[reportArgumentType]
        if after is not None:
            after(step.name, module)
    return module
