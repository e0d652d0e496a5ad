"""`ktdfarch-apply-patterns`: run the rewrite patterns of the device file that belong to some groups.

Precondition: a module that declares a device (without one nothing happens). Postcondition: no selected pattern matches
any more; patterns that do not converge are an error. Ungrouped patterns belong to every selection.

    %y = math.exp %x : f32   ->   %y = math.exp %x {ktdf_arch.maps_to = "ALU"} : f32
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.arch.patterns import apply_patterns
from headrace.ir.dialects.ktdf_arch import DeviceOp
from headrace.ir.passes import Pass
from headrace.scheduler.device import device_of


@dataclass
class KtdfarchApplyPatternsPass(Pass):
    """See the module docstring."""

    name = "ktdfarch-apply-patterns"
    summary = "Run the rewrite patterns of the device file"
    groups: list[str] = field(default_factory=list)
    """The enabled groups, which are the checkpoints of the plan."""

    def apply(self, op: Operation, ctx: Context) -> None:
        top = op
        while (parent := top.parent_op()) is not None:
            top = parent
        if not isinstance(top, ModuleOp) or not any(isinstance(inner, DeviceOp) for inner in top.body.block.ops):
            return
        apply_patterns(op, device_of(top), self.groups)
