"""DataflowIR to SpyreCode: instruction set, assembler, symbols, job plans.

``compile_to_spyrecode(module, device)`` gives a :class:`SpyreCode`; ``.write(dir)`` and ``SpyreCode.read(dir)`` are
its file form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.codegen.compile import compile_to_spyrecode
    from headrace.codegen.spyrecode import SpyreCode

__all__ = ["SpyreCode", "compile_to_spyrecode"]


def __getattr__(name: str) -> Any:
    if name == "compile_to_spyrecode":
        from headrace.codegen.compile import compile_to_spyrecode

        return compile_to_spyrecode
    if name == "SpyreCode":
        from headrace.codegen.spyrecode import SpyreCode

        return SpyreCode
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
