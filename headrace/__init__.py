"""headrace: compiler, runtime and simulated device for dataflow accelerators with scratchpads.

`headrace.compile`, `headrace.Device`, `headrace.Program` and `headrace.HeadraceError` are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.api import CompileOptions, Device, Program, compile, compile_cached
    from headrace.ir.diagnostics import HeadraceError

__version__ = "0.1.0"
__all__ = ["CompileOptions", "Device", "HeadraceError", "Program", "compile", "compile_cached"]


def __getattr__(name: str) -> Any:
    if name == "HeadraceError":
        from headrace.ir.diagnostics import HeadraceError

        return HeadraceError
    if name in __all__:
        from headrace import api

        return getattr(api, name)
    raise AttributeError(f"module 'headrace' has no attribute '{name}'")
