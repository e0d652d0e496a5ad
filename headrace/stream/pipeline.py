"""The stream pipeline: the ordered passes and what is called after each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.graph.form_dispatches import form_dispatches
from headrace.graph.inputs import prepare
from headrace.graph.simplify_control_flow import simplify_control_flow
from headrace.stream.passes.convert_to_stream import convert_to_stream
from headrace.stream.passes.elide_async_copies import elide_async_copies
from headrace.stream.passes.elide_timepoints import elide_timepoints
from headrace.stream.passes.emplace_allocations import emplace_allocations
from headrace.stream.passes.emplace_transients import emplace_transients
from headrace.stream.passes.encode_tensors import encode_tensors
from headrace.stream.passes.fuse_dispatch_bindings import fuse_dispatch_bindings
from headrace.stream.passes.layout_slices import layout_slices
from headrace.stream.passes.materialize_copy_on_write import materialize_copy_on_write
from headrace.stream.passes.refine_usage import refine_usage
from headrace.stream.passes.reuse_allocations import reuse_allocations
from headrace.stream.passes.schedule_allocation import schedule_allocation
from headrace.stream.passes.schedule_concurrency import schedule_concurrency
from headrace.stream.passes.schedule_execution import schedule_execution
from headrace.stream.passes.unify_carried_storage import unify_carried_storage
from headrace.stream.system import System

After = Callable[[str, ModuleOp], None]


@dataclass(frozen=True)
class Options:
    """What is asked of the pipeline."""

    favour: str = "min-peak-memory"
    system: System = field(default_factory=System)
    fuse_bindings: bool = False
    """Whether kernels get whole resources and offsets; off by default, since ranges then say less."""
    report: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Receives slab and bound of every function and device."""


def passes(options: Options) -> list[tuple[str, Callable[[ModuleOp], ModuleOp]]]:
    """Name and function of each pass in order."""
    system, favour = options.system, options.favour
    return [
        ("prepare", prepare),
        ("simplify-control-flow", simplify_control_flow),
        ("form-dispatches", lambda m: form_dispatches(m, favour == "max-concurrency")),
        ("convert-to-stream", convert_to_stream),
        ("encode-tensors", encode_tensors),
        ("materialize-copy-on-write", materialize_copy_on_write),
        ("elide-async-copies", elide_async_copies),
        ("emplace-allocations", emplace_allocations),
        ("unify-carried-storage", unify_carried_storage),
        ("refine-usage", refine_usage),
        ("schedule-execution", lambda m: schedule_execution(m, system, favour)),
        ("schedule-concurrency", lambda m: schedule_concurrency(m, favour)),
        ("schedule-allocation", lambda m: schedule_allocation(m, favour, options.report)),
        ("layout-slices", layout_slices),
        ("emplace-transients", emplace_transients),
        ("reuse-allocations", reuse_allocations),
        ("elide-timepoints", elide_timepoints),
        *([("fuse-dispatch-bindings", fuse_dispatch_bindings)] if options.fuse_bindings else []),
    ]


def compile_graph(module: ModuleOp, options: Options | None = None, after: After | None = None) -> ModuleOp:
    """Take a graph through all passes, in place; `after` is called with each pass's name and the module."""
    options = options or Options()
    options.system.describe(module)
    for name, run in passes(options):
        run(module)
        if after is not None:
            after(name, module)
    return module


def pass_names() -> list[str]:
    """The names of the passes in order."""
    return [name for name, _ in passes(Options(fuse_bindings=True))]
