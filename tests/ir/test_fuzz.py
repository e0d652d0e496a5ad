"""Mutated texts of every dialect give a module or located diagnostics, never anything else."""

import pytest

from headrace.ir.dialects import DIALECTS
from tests.ir.mutations import check, mutate

FEW = 100
"""Mutants of a dialect in a usual run."""
MANY = 10_000
"""Mutants of a dialect in a full run."""


def _run(dialect: str, numbers: range) -> None:
    accepted = 0
    for number in numbers:
        text = mutate(dialect, number)
        try:
            accepted += check(text)
        except BaseException as problem:
            problem.add_note(f"mutant {number} of {dialect}:\n{text[:4000]}")
            raise
    assert 0 < accepted < len(numbers)  # Neither all valid nor all noise.


@pytest.mark.parametrize("dialect", DIALECTS)
def test_some_mutants(dialect: str):
    _run(dialect, range(FEW))


@pytest.mark.all
@pytest.mark.parametrize("dialect", DIALECTS)
def test_many_mutants(dialect: str):
    _run(dialect, range(FEW, MANY))
