"""A module without kernels and without attributes of this project, for other tools that read `stream`."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp


def strip_kernels(module: ModuleOp) -> ModuleOp:
    """A copy without executables; dispatches keep naming their entry points."""
    copy = module.clone()
    for op in list(copy.body.block.ops):
        if op.name in ("stream.executable", "flow.executable"):
            op.detach()
            op.erase()
    for op in copy.walk():
        for key in [k for k in op.attributes if k.startswith("headrace.")]:
            del op.attributes[key]
    return copy
