"""The passes of graphs and of `stream` by name, for `headrace opt`; `pipeline.py` has their order."""

from __future__ import annotations

PASSES: dict[str, str] = {
    "prepare": "headrace.graph.inputs:Prepare",
    "simplify-control-flow": "headrace.graph.simplify_control_flow:SimplifyControlFlow",
    "form-dispatches": "headrace.graph.form_dispatches:FormDispatches",
    "convert-to-stream": "headrace.stream.passes.convert_to_stream:ConvertToStream",
    "encode-tensors": "headrace.stream.passes.encode_tensors:EncodeTensors",
    "materialize-copy-on-write": "headrace.stream.passes.materialize_copy_on_write:MaterializeCopyOnWrite",
    "elide-async-copies": "headrace.stream.passes.elide_async_copies:ElideAsyncCopies",
    "emplace-allocations": "headrace.stream.passes.emplace_allocations:EmplaceAllocations",
    "unify-carried-storage": "headrace.stream.passes.unify_carried_storage:UnifyCarriedStorage",
    "refine-usage": "headrace.stream.passes.refine_usage:RefineUsage",
    "schedule-execution": "headrace.stream.passes.schedule_execution:ScheduleExecution",
    "schedule-concurrency": "headrace.stream.passes.schedule_concurrency:ScheduleConcurrency",
    "schedule-allocation": "headrace.stream.passes.schedule_allocation:ScheduleAllocation",
    "layout-slices": "headrace.stream.passes.layout_slices:LayoutSlices",
    "emplace-transients": "headrace.stream.passes.emplace_transients:EmplaceTransients",
    "reuse-allocations": "headrace.stream.passes.reuse_allocations:ReuseAllocations",
    "elide-timepoints": "headrace.stream.passes.elide_timepoints:ElideTimepoints",
    "fuse-dispatch-bindings": "headrace.stream.passes.fuse_dispatch_bindings:FuseDispatchBindings",
}
"""Name -> "module:Class"."""
