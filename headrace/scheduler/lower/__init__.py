"""ScheduleIR to DataflowIR: the passes of scheduling group 3."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from headrace.arch import Device


def lower_program(module: ModuleOp, device: Device, wrap: bool = True) -> None:
    """Lower every program of `module` from scheduled ScheduleIR to DataflowIR, in place.

    Raises HeadraceError where a construct cannot be lowered.
    """
    from headrace.scheduler.lower.ktdf_to_ktdflowering import KtdfToKtdfLowering
    from headrace.scheduler.lower.ktdflowering_to_dfir import KtdfLoweringToDfir
    from headrace.scheduler.lower.normalize_grid_to_1d import NormalizeGridTo1d
    from headrace.scheduler.lower.wrap_program_dfir import WrapProgramDfir

    NormalizeGridTo1d().run(module)
    KtdfToKtdfLowering(device).run(module)
    KtdfLoweringToDfir(device).run(module)
    if wrap:
        WrapProgramDfir().run(module)
