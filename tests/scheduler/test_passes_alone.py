"""Every pass runs alone on text: the module before it, printed and read back, gives the same module after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.arch import load_device
from headrace.arch.loader import declare_device
from headrace.arch.patterns import apply_patterns
from headrace.ir.context import make_context
from headrace.ir.passes import load_pass
from headrace.ir.text import parse_module, print_module
from headrace.scheduler.device import device_of
from headrace.scheduler.plan import PASSES, PLAN, run_plan

CORPUS = Path(__file__).parents[1] / "corpus"
KERNELS = ("elementwise/broadcast_row", "elementwise/tail_strided", "elementwise/if_tile_id", "elementwise/loop_blocks")


@pytest.mark.parametrize("kernel", KERNELS)
def test_passes_alone(kernel: str) -> None:
    module = parse_module((CORPUS / f"{kernel}.mlir").read_text(encoding="utf-8"))
    device = load_device("spyre")
    declare_device(module, device)
    before = print_module(module)
    checkpoints = {step.name for step in PLAN if step.checkpoint}
    options = {step.name: dict(step.options) for step in PLAN}

    def after(name: str, current: ModuleOp) -> None:
        nonlocal before
        alone = parse_module(before)
        if name in checkpoints:
            apply_patterns(alone, device_of(alone), name)
        else:
            load_pass(name, PASSES)(**options[name]).apply(alone, make_context())
        expected = print_module(current)
        assert print_module(alone) == expected, f"{name} on text differs"
        before = expected

    run_plan(module, device, PLAN, after)
