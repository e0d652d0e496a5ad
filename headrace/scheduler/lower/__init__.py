"""ScheduleIR to DataflowIR: the passes of scheduling group 3."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from headrace.arch import Device

#: Passes of this group: name -> "module:Class".
PASSES: dict[str, str] = {
    "normalize-grid-to-1d": "headrace.scheduler.lower.normalize_grid_to_1d:NormalizeGridTo1dPass",
    "ktdf-to-ktdflowering": "headrace.scheduler.lower.ktdf_to_ktdflowering:KtdfToKtdfLoweringPass",
    "ktdflowering-to-dfir": "headrace.scheduler.lower.ktdflowering_to_dfir:KtdfLoweringToDfirPass",
    "wrap-program-dfir": "headrace.scheduler.lower.wrap_program_dfir:WrapProgramDfirPass",
    "emit-split-dfir": "headrace.scheduler.lower.emit_split_dfir:EmitSplitDfirPass",
}


def lower_program(module: ModuleOp, device: Device | None = None, wrap: bool = True) -> None:
    """Lower every program of `module` from scheduled ScheduleIR to DataflowIR, in place.

    `device` defaults to the one that the module declares. Raises HeadraceError where a construct cannot be lowered.
    """
    from headrace.arch.loader import device_of
    from headrace.scheduler.lower.ktdf_to_ktdflowering import stages_to_units
    from headrace.scheduler.lower.ktdflowering_to_dfir import units_to_programs
    from headrace.scheduler.lower.normalize_grid_to_1d import normalize_grid
    from headrace.scheduler.lower.wrap_program_dfir import wrap_programs

    target = device if device is not None else device_of(module)
    normalize_grid(module)
    stages_to_units(module, target)
    units_to_programs(module, target)
    if wrap:
        wrap_programs(module)
