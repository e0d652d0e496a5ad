"""DataflowIR programs for tests, as text in the wrapped layout."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def multiply() -> str:
    """``C = A * B`` on 4x64 f16, two cores with two rows each, one-way signals."""
    return (HERE / "multiply.mlir").read_text()
