"""Loops that carry tensors: those that gather sums are reductions, the others keep them in the scratchpad."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from levels import compare_levels
from test_long_rows import kernel

CORPUS = Path(__file__).parents[1] / "corpus"


def loop(carried: str, body: str, end: str = "%c6") -> str:
    """A loop over the six rows %w of %v that carries tensors of 1x40 (%a, %b) and gives the last of each."""
    t = "tensor<1x40xi32>"
    names = carried.split()
    starts = ", ".join(f"%{n} = %start{k}" for k, n in enumerate(names))
    lines = [f"%start{k} = arith.constant dense<{k + 2}> : {t}" for k in range(len(names))]
    results = ", ".join(f"%r{k}" for k in range(len(names)))
    lines += [f"%c{n} = arith.constant {n} : index" for n in (0, 1, 6)]
    types = ", ".join([t] * len(names))
    lines.append(f"{results} = scf.for %k = %c0 to {end} step %c1 iter_args({starts}) -> ({types}) {{")
    lines.append(f"%w = tensor.extract_slice %v[%k, 0] [1, 40] [1, 1] : tensor<6x40xi32> to {t}")
    lines.append(body.replace("TENSOR", t))
    return "\n".join([*lines, "}"])


LOOPS = {
    "one sum that another one takes": ("a b", """%s = arith.addi %a, %w : TENSOR
%p = arith.muli %a, %w : TENSOR
%q = arith.addi %b, %p : TENSOR
scf.yield %s, %q : TENSOR, TENSOR"""),
    "two values that change places": ("a b", """%s = arith.addi %b, %w : TENSOR
scf.yield %s, %a : TENSOR, TENSOR"""),
    "a sum of maxima": ("a", """%low = arith.constant dense<-100000> : tensor<1xi32>
%m = linalg.reduce { arith.maxsi } ins(%w : TENSOR) outs(%low : tensor<1xi32>) dimensions = [1]
%e = tensor.empty() : TENSOR
%mb = linalg.broadcast ins(%m : tensor<1xi32>) outs(%e : TENSOR) dimensions = [1]
%s = arith.addi %a, %mb : TENSOR
scf.yield %s : TENSOR"""),
    "a value that stays": ("a b", """%s = arith.addi %b, %a : TENSOR
%n = arith.xori %s, %w : TENSOR
scf.yield %a, %n : TENSOR, TENSOR"""),
    "a value used beside its sum": ("a b", """%s = arith.addi %a, %w : TENSOR
%q = arith.maxsi %b, %s : TENSOR
scf.yield %s, %q : TENSOR, TENSOR"""),
}  # fmt: skip


LONG = ("a sum of maxima", "a value that stays", "a value used beside its sum")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.all) if n in LONG else n for n in LOOPS])
def test_what_a_loop_carries(name: str) -> None:
    carried, body = LOOPS[name]
    text = kernel(6, 40, "i32", loop(carried, body), ["1x40xi32"] * len(carried.split()))
    bad = [r for r in compare_levels(text, "tri") if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


@pytest.mark.parametrize("n", [pytest.param(0, marks=pytest.mark.all), 3])
def test_sums_over_a_number_of_iterations_that_a_launch_gives(n: int) -> None:
    body = "%s = arith.addi %a, %w : TENSOR\nscf.yield %s : TENSOR"
    text = kernel(6, 40, "i32", loop("a", body, "%n"), ["1x40xi32"]).replace("@k(", "@k(%n: index, ")
    bad = [r for r in compare_levels(text, "tri", {"n": n}) if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"


@pytest.mark.all
def test_sums_stored_on_the_way() -> None:
    text = (CORPUS / "triton" / "cumsum_loop.mlir").read_text()
    bad = [r for r in compare_levels(text, "tri") if not r.good]
    assert not bad, f"{bad[0].level}: {bad[0].error or bad[0].first}"
