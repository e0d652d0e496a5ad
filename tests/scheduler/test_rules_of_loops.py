"""What a loop or a fold must be for a rewrite to take it: each rule on the smallest operations that break it."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects import memref, scf
from xdsl.ir import Attribute, Operation, SSAValue

from headrace.ir.text import parse_module
from headrace.ir.types import memref_type
from headrace.scheduler.build import Emitter, constant_of
from headrace.scheduler.split.groups import Uniformity
from headrace.scheduler.split.long_rows import cut_row
from headrace.scheduler.split.states import is_reduction, states_to_memory
from headrace.scheduler.split.trips import Ranges
from headrace.scheduler.split.trips import _level as level  # pyright: ignore[reportPrivateUsage]

T = "tensor<1x40xi32>"
PLAIN = f"%s = arith.addi %a, %v : {T}\nscf.yield %s : {T}"


class Kept(Exception):
    """A value was about to be kept: the rewrite has taken place."""


def would_keep(*_: Any) -> SSAValue:
    raise Kept


def loop_of(body: str, carried: str = "%a = %v", types: str = T) -> scf.ForOp:
    """A loop in a function that has a tensor, a place to store one, and a condition."""
    module = parse_module(
        f"""func.func @k(%v: {T}, %t: !ktdp.access_tile<1x40xindex>, %p: i1) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c6 = arith.constant 6 : index
        %r:{types.count("tensor")} = scf.for %k = %c0 to %c6 step %c1 iter_args({carried}) -> ({types}) {{
        {body}
        }}
        return
        }}"""
    )
    return next(op for op in module.walk() if isinstance(op, scf.ForOp))


@pytest.mark.parametrize(
    ("body", "sums"),
    [
        (PLAIN, True),
        (f"ktdp.store %v, %t : {T}, <1x40xindex>\n{PLAIN}", False),
        (f"scf.if %p {{\n%w = arith.addi %v, %v : {T}\n}}\n{PLAIN}", False),
        (f"%q = arith.subi %v, %a : {T}\nscf.yield %q : {T}", False),
        (f"%w = arith.muli %a, %v : {T}\n%s = arith.addi %a, %w : {T}\nscf.yield %s : {T}", False),
    ],
)
def test_a_sum_over_iterations(body: str, sums: bool) -> None:
    assert is_reduction(loop_of(body)) == sums


@pytest.mark.parametrize(("other", "sums"), [("%v", True), ("%u", False), ("%b", False)])
def test_a_sum_of_what_another_value_is(other: str, sums: bool) -> None:
    body = f"%u = arith.addi %b, %v : {T}\n%s = arith.addi %a, {other} : {T}\nscf.yield %s, %u : {T}, {T}"
    assert is_reduction(loop_of(body, "%a = %v, %b = %v", f"{T}, {T}")) == sums


def test_a_sum_of_reductions() -> None:
    def body(value: str) -> str:
        return f"""%low = arith.constant dense<0> : tensor<1xi32>
        %m = linalg.reduce {{ arith.maxsi }} ins(%v : {T}) outs(%low : tensor<1xi32>) dimensions = [1]
        %e = tensor.empty() : {T}
        %mb = linalg.broadcast ins(%m : tensor<1xi32>) outs(%e : {T}) dimensions = [1]
        %s = arith.addi %a, {value} : {T}
        scf.yield %s : {T}"""

    assert is_reduction(loop_of(body("%v"))) and not is_reduction(loop_of(body("%mb")))


AROUND = "scf.for %o = %c0 to %c6 step %c1 {"
ALSO = f"ktdp.store %r, %t : {T}, <1x40xindex>"


@pytest.mark.parametrize(("around", "also", "places"), [("", "", 1), (AROUND, "", 2), ("", ALSO, 2)])
def test_a_loop_takes_over_the_place_of_one_before_it(around: str, also: str, places: int) -> None:
    """Inside another loop it would start each time from what it has left behind; what else is used must stay."""
    step = f"%s = arith.subi %v, %a : {T}\nscf.yield %s : {T}"
    module = parse_module(
        f"""func.func @k(%v: {T}, %t: !ktdp.access_tile<1x40xindex>) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c6 = arith.constant 6 : index
        %r = scf.for %k = %c0 to %c6 step %c1 iter_args(%a = %v) -> ({T}) {{
        {step}
        }}
        {around}
        %q = scf.for %k = %c0 to %c6 step %c1 iter_args(%a = %r) -> ({T}) {{
        {step}
        }}
        ktdp.store %q, %t : {T}, <1x40xindex>
        {also}
        {"}" if around else ""}
        return
        }}"""
    )
    made: list[SSAValue] = []

    def keep(shape: list[int], element: Attribute, _: Operation, emit: Emitter) -> SSAValue:
        made.append(emit.insert(memref.AllocOp([], [], memref_type(element, shape))).results[0])
        return made[-1]

    assert states_to_memory(module, keep) and len(made) == places


def fold(
    body: str, out: str = "(i, j) -> (i)", kinds: str = '"parallel", "reduction"', result: str = "2xf32"
) -> Operation:
    """A reduction of 2x1000 elements."""
    module = parse_module(
        f"""func.func @k(%v: tensor<2x1000xf32>, %z: tensor<{result}>) {{
        %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<{out}>],
            iterator_types = [{kinds}]}} ins(%v : tensor<2x1000xf32>) outs(%z : tensor<{result}>) {{
        ^bb0(%x: f32, %acc: f32):
        {body}
        linalg.yield %s : f32
        }} -> tensor<{result}>
        return
        }}"""
    )
    return next(op for op in module.walk() if op.name == "linalg.generic")


def bounded(low: str, high: str) -> tuple[Operation, scf.ForOp]:
    """A kernel of four tiles with one loop."""
    module = parse_module(
        f"""func.func @k() attributes {{grid = [4]}} {{
        %me = ktdp.get_compute_tile_id : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c10 = arith.constant 10 : index
        %minus = arith.constant -3 : index
        %falls = arith.muli %me, %minus : index
        %few = arith.minsi %me, %c2 : index
        %rest = arith.remsi %me, %c2 : index
        scf.for %i = {low} to {high} step %c1 {{
          %w = arith.addi %i, %i : index
        }}
        return
        }}"""
    )
    found = list(module.walk())
    return next(op for op in found if op.name == "func.func"), next(op for op in found if isinstance(op, scf.ForOp))


@pytest.mark.parametrize(
    ("value", "least", "most"), [("%me", 0, 3), ("%falls", -9, 0), ("%few", 0, 2), ("%rest", 0, 1), ("%c10", 10, 10)]
)
def test_what_a_value_is_on_any_tile(value: str, least: int, most: int) -> None:
    kernel, loop = bounded("%c1", value)
    found = Ranges(kernel, Uniformity(), Emitter.before(loop)).of(loop.ub)  # type: ignore[arg-type]
    assert found is not None and tuple(map(constant_of, found)) == (least, most)


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [("%c1", "%few", 2), ("%few", "%c10", 10), ("%falls", "%few", 11), ("%rest", "%few", 2)],
)
def test_iterations_of_the_tile_with_most(low: str, high: str, most: int) -> None:
    kernel, loop = bounded(low, high)
    assert level(loop, kernel, Uniformity())  # type: ignore[arg-type]
    new = next(op for op in kernel.walk() if isinstance(op, scf.ForOp))
    assert constant_of(new.ub) == most


SUM = "%s = arith.addf %acc, %x : f32"


def test_a_fold_in_pieces() -> None:
    with pytest.raises(Kept):
        cut_row(fold(SUM).results[0], 100, would_keep)


@pytest.mark.parametrize(
    "op",
    [
        ("%p = arith.mulf %x, %acc : f32\n%s = arith.addf %acc, %p : f32",),  # what is added depends on the sum so far
        ("%p = arith.mulf %acc, %x : f32\n%s = arith.addf %p, %x : f32",),  # the sum so far is scaled
        ("%s = arith.subf %acc, %x : f32",),  # no combiner
        (SUM, "(i, j) -> (0)", '"reduction", "reduction"', "1xf32"),  # the result is at no dimension
    ],
)
def test_folds_that_are_in_one_piece(op: tuple[str, ...]) -> None:
    assert not cut_row(fold(*op).results[0], 100, would_keep)
