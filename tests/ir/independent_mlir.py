"""Reads MLIR texts with the bindings of an independent MLIR build and prints them back.

Run as a program: a JSON list of texts on standard input, a JSON list of `{"text", "generic", "error"}` on standard
output. It is its own process, so that the bindings may live in another environment and may abort.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def load() -> Any:
    """The `ir` module of the bindings that are installed; ImportError if none are."""
    try:
        from iree.compiler import ir  # pyright: ignore[reportMissingImports]
    except ImportError:
        from torch_mlir import ir  # pyright: ignore[reportMissingImports]
    return ir


def main() -> None:
    """Answer the texts on standard input."""
    ir = load()
    answers: list[dict[str, str]] = []
    for text in json.load(sys.stdin):
        with ir.Context() as context:
            context.allow_unregistered_dialects = True
            problems: list[str] = []

            def note(diagnostic: Any, problems: list[str] = problems) -> bool:
                problems.append(f"{diagnostic.location}: {diagnostic.message}")
                return True

            context.attach_diagnostic_handler(note)
            try:
                module = ir.Module.parse(text)
            except Exception as problem:
                answers.append({"error": "; ".join(problems) or str(problem)})
                continue
            operation = module.operation
            answers.append(
                {
                    "text": operation.get_asm(large_elements_limit=None),
                    "generic": operation.get_asm(print_generic_op_form=True),
                    "debuginfo": operation.get_asm(enable_debug_info=True),
                }
            )
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
