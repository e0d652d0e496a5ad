"""Limits of numbers that are computed from elements of tensors, one side at a time."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.ir.text import parse_module
from headrace.scheduler.build import Emitter
from headrace.scheduler.linear import linear
from headrace.scheduler.split.value_limits import ValueLimits, span_of

HEAD = """
func.func @f(%t: tensor<4xi32>, %b: tensor<4xi8>, %f: tensor<4xi1>, %launch: index) attributes {grid = [3, 5]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %m3 = arith.constant -3 : index
  %x, %y = ktdp.get_compute_tile_id : index, index
  %e = tensor.extract %t[%c0] : tensor<4xi32>
  %n = arith.index_cast %e : i32 to index
  %be = tensor.extract %b[%c0] : tensor<4xi8>
  %fe = tensor.extract %f[%c0] : tensor<4xi1>
  %small = arith.minsi %n, %c9 : index
  %both = arith.maxsi %small, %m3 : index
"""
TABLE = "%k = arith.constant dense<[3, 8, -2, 5]> : tensor<4xi32> \n "


def last(body: str) -> tuple[ModuleOp, Operation]:
    """The module, and the last operation of the body before the return."""
    module = parse_module(f"{HEAD}  {body}\n  return\n}}\n")
    function = next(op for op in module.walk() if op.name == "func.func")
    end = function.regions[0].block.last_op
    assert end is not None and end.prev_op is not None
    return module, end.prev_op


@pytest.mark.parametrize(
    ("body", "least", "most"),
    [
        ("%r = arith.addi %n, %c2 : index", None, None),
        ("%r = arith.addi %both, %c2 : index", -1, 11),
        ("%r = arith.subi %c2, %both : index", -7, 5),
        ("%r = arith.muli %small, %c2 : index", None, 18),
        ("%r = arith.minsi %both, %c5 : index", -3, 5),
        ("%r = arith.maxsi %n, %c5 : index", 5, None),
        ("%r = arith.minui %n, %c5 : index", 0, 5),
        ("%r = arith.ceildivsi %both, %c2 : index", -1, 5),
        ("%r = arith.floordivsi %both, %c2 : index", -2, 4),
        ("%r = arith.divsi %both, %c2 : index", -1, 4),
        ("%r = arith.remsi %n, %c5 : index", -4, 4),
        ("%r = arith.remui %n, %c5 : index", 0, 4),
        ("%r = arith.andi %n, %c5 : index", 0, 5),
        ("%r = arith.select %fe, %both, %c9 : index", -3, 9),
        ("%r = arith.extsi %be : i8 to i32", -128, 127),
        ("%r = arith.extui %be : i8 to i32", 0, 255),
        ("%r = arith.extui %fe : i1 to i32", 0, 1),
        ("%r = arith.index_castui %e : i32 to index", 0, None),
        (TABLE + "%m = arith.minsi %t, %k : tensor<4xi32> \n %r = tensor.extract %m[%c0] : tensor<4xi32>", None, 8),
        (TABLE + "%m = arith.maxsi %t, %k : tensor<4xi32> \n %r = tensor.extract %m[%c0] : tensor<4xi32>", -2, None),
    ],
)
def test_limits(body: str, least: int | None, most: int | None) -> None:
    _, op = last(body)
    limits = ValueLimits(Emitter.before(op))
    assert (limits.least(op.results[0]), limits.most(op.results[0])) == (least, most)


def test_what_is_known_at_launch_is_its_own_limit() -> None:
    _, op = last("%r = arith.minsi %n, %launch : index")
    limits = ValueLimits(Emitter.before(op))
    assert limits.most(op.results[0]) is op.operands[1]
    assert limits.least(op.results[0]) is None


@pytest.mark.parametrize(
    ("body", "span"),
    [
        ("%r = arith.addi %x, %y : index", (0, 6)),
        ("%r = arith.subi %x, %y : index", (-4, 2)),
        ("%r = arith.addi %x, %launch : index", None),
        ("%r = arith.addi %x, %n : index", None),
    ],
)
def test_spans(body: str, span: tuple[int, int] | None) -> None:
    _, op = last(body)
    assert span_of(linear(op.results[0]), (3, 5)) == span
