"""The bound: what it counts, symbolic sizes, expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

import headrace
from headrace.scheduler.expression import bound_of, evaluate, make, text

CORPUS = Path(__file__).parent.parent / "corpus" / "elementwise"


def bound(name: str, device: str = "spyre") -> dict[str, int]:
    program = headrace.compile(CORPUS / f"{name}.mlir", device)
    return {t["by"]: t["cycles"] for t in program.bound["terms"]}


def test_add() -> None:
    assert bound("add") == {"SFU": 2, "DDR": 3 * 96 * 64 * 2 // 128}


def test_operands_that_are_read_again_count_once() -> None:
    rows, columns = 128, 256
    assert bound("broadcast_row")["DDR"] == (2 * rows * columns + columns) * 2 // 128


def test_scratchpad_operands_do_not_count() -> None:
    assert bound("ct_local_operand")["DDR"] < bound("broadcast_row")["DDR"]


def test_balanced_memory_makes_compute_the_limit() -> None:
    program = headrace.compile(CORPUS / "chain_4096.mlir", "spyre-balanced")
    found = bound_of(program.bound, {})
    assert found is not None and found[1] == "SFU"


def test_symbolic_rows() -> None:
    program = headrace.compile(CORPUS / "runtime_rows.mlir", "spyre")
    small, large = (bound_of(program.bound, {"rows": n}) for n in (16, 256))
    assert small is not None and large is not None
    assert large[0] == 16 * small[0]
    assert bound_of(program.bound, {}) is None
    assert "rows" in text(program.bound["terms"][-1]["cycles"])


def test_expressions_fold() -> None:
    assert make("mul", 2, 3, "n") == ["mul", "n", 6]
    assert make("mul", 0, "n") == 0
    assert make("add", 0, "n") == "n"
    assert evaluate(make("ceildiv", make("add", "n", 5), 4), {"n": 8}) == 4
    with pytest.raises(KeyError):
        evaluate("n", {})
